/* A client of a live run for tests: a plain socket, written from RFC 6455.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYT_WEB_CLIENT_H
#define TYT_WEB_CLIENT_H
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define TOKEN       "abcdefgh12345678"
#define CLIENT_ROOM ((size_t)1 << 20)

/* protocol: a header of its own with its line's end, or ""; -1: it was not let in */
static inline int dial(int port, const char *protocol)
{
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct timeval limit = { 5, 0 };
    char request[600], c, first[13] = "", last[4] = { 0 };
    size_t have = 0;
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    int n = snprintf(request, sizeof request,
                     "GET /" TOKEN "/ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                     "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n%s\r\n",
                     protocol);
    if (connect(fd, (struct sockaddr *)&a, sizeof a) == 0) {
        send(fd, request, (size_t)n, MSG_NOSIGNAL);
        while (memcmp(last, "\r\n\r\n", 4) != 0 && recv(fd, &c, 1, 0) == 1) {
            memmove(last, last + 1, 3);
            last[3] = c;
            if (have < 12) {
                first[have++] = c;
            }
        }
    }
    if (strcmp(first, "HTTP/1.1 101") != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

static inline void say(int fd, const char *text)
{
    uint8_t frame[300] = { 0x81, (uint8_t)(0x80 | strlen(text)), 0, 0, 0, 0 };
    if (strlen(text) < 126) {
        memcpy(frame + 6, text, strlen(text));
        send(fd, frame, 6 + strlen(text), MSG_NOSIGNAL);
    }
}

static inline int hear_all(int fd, void *to, size_t bytes)
{
    for (size_t have = 0; have < bytes;) {
        ssize_t n = recv(fd, (char *)to + have, bytes - have, 0);
        if (n <= 0) {
            return 0;
        }
        have += (size_t)n;
    }
    return 1;
}

/* the next frame into room of CLIENT_ROOM bytes, with a 0 behind it; returns its opcode, -1: there is none any more */
static inline int hear(int fd, uint8_t *body, size_t *bytes)
{
    uint8_t head[2], more[8];
    if (!hear_all(fd, head, 2)) {
        return -1;
    }
    size_t n = head[1], wide = n == 126 ? 2 : n == 127 ? 8 : 0;
    if (wide && !hear_all(fd, more, wide)) {
        return -1;
    }
    for (size_t i = 0; i < wide; i++) {
        n = (i ? n << 8 : 0) | more[i];
    }
    if (n >= CLIENT_ROOM || !hear_all(fd, body, n)) {
        return -1;
    }
    body[n] = 0;
    *bytes = n;
    return head[0] & 15;
}

#endif
