/* bridge/web/server.c - HTTP and WebSocket for a few clients: one thread, sockets that never block, a bounded queue for each.
 *
 * Why not a library: Debian's civetweb 1.15 takes any frame of up to 2 GB into memory before its user hears of it, reads
 * frames without a mask, and holds a thread for each client. Here nothing of a client is kept but what fits its buffer.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include "server.h"

#define PATIENT 10.0        /* [s] for a request to be whole, for a goodbye to be read */
#define STALLED 30.0        /* [s] for which a client may read nothing of what waits */
#define PING    20.0        /* [s] without a sign of a client before it is asked for one */
#define SILENT  60.0        /* [s] without a sign before it is closed */
#define ROOM    (256 << 10) /* [bytes] that the system keeps for a client: what is newer shall not wait behind more */

double tyi_web_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

tyi_web_blob *tyi_web_blob_new(size_t bytes, bool text)
{
    tyi_web_blob *blob = malloc(sizeof *blob + bytes);
    if (blob) {
        atomic_init(&blob->holders, 1);
        blob->text = text;
        blob->bytes = bytes;
    }
    return blob;
}

void tyi_web_blob_drop(tyi_web_blob *blob)
{
    if (blob && atomic_fetch_sub(&blob->holders, 1) == 1) {
        free(blob);
    }
}

static void wake(tyi_web_server *s)
{
    uint64_t one = 1;
    ssize_t n = write(s->wake, &one, sizeof one);
    (void)n; /* full: it is awake already */
}

/* ---- queues; the lock is held ---- */

/* false: there is no room */
bool tyi_server_enqueue(tyi_web_server *s, peer *p, tyi_web_blob *blob, tyi_web_class kind, uint32_t key, int opcode)
{
    for (int i = 0; i < p->count && kind == TYI_WEB_NEWEST; i++) {
        item *old = &p->queue[(p->first + i) % TYI_WEB_WAITING];
        if (old->kind == TYI_WEB_NEWEST && old->key == key) {
            p->waiting += blob->bytes - old->blob->bytes;
            tyi_web_blob_drop(old->blob);
            atomic_fetch_add(&blob->holders, 1);
            old->blob = blob;
            s->stats.dropped++;
            return true;
        }
    }
    if (p->count == TYI_WEB_WAITING || p->waiting + blob->bytes > TYI_WEB_QUEUE) {
        return false;
    }
    atomic_fetch_add(&blob->holders, 1);
    p->queue[(p->first + p->count++) % TYI_WEB_WAITING] = (item){ blob, kind, key, opcode };
    p->waiting += blob->bytes;
    return true;
}

/* a goodbye with its reason, after which nothing is taken any more; on the server's thread */
static void say_goodbye(tyi_web_server *s, peer *p, int code, const char *why)
{
    size_t n = strlen(why) < 123 ? strlen(why) : 123;
    if (p->ending) {
        return;
    }
    for (; p->count;
         p->count--, p->first = (p->first + 1) % TYI_WEB_WAITING) { /* what waits is not worth waiting for */
        tyi_web_blob_drop(p->queue[p->first].blob);
    }
    p->waiting = 0;
    tyi_web_blob *blob = tyi_web_blob_new(2 + n, false);
    if (blob) {
        blob->data[0] = (uint8_t)(code >> 8), blob->data[1] = (uint8_t)code;
        memcpy(blob->data + 2, why, n);
        tyi_server_enqueue(s, p, blob, TYI_WEB_MUST, 0, TYI_WEB_CLOSE);
        tyi_web_blob_drop(blob);
    }
    p->ending = true;
    p->born = tyi_web_now();
    s->stats.clients--; /* it takes nobody's place any more */
}

void tyi_server_end(tyi_web_server *s, peer *p, int code, const char *why)
{
    pthread_mutex_lock(&s->lock);
    say_goodbye(s, p, code, why);
    pthread_mutex_unlock(&s->lock);
}

static peer *find(tyi_web_server *s, uint32_t id)
{
    peer *p = id ? s->peer[id % PEERS] : NULL;
    return p && p->id == id ? p : NULL;
}

void tyi_web_send(tyi_web_server *s, uint32_t client, tyi_web_blob *blob, tyi_web_class kind, uint32_t key)
{
    pthread_mutex_lock(&s->lock);
    for (int i = 0; i < PEERS; i++) {
        peer *p = s->peer[i];
        if (!p || !p->websocket || p->ending || p->end_code || (client ? p->id != client : p->protocol >= 0)) {
            continue;
        }
        if (!tyi_server_enqueue(s, p, blob, kind, key, blob->text ? TYI_WEB_TEXT : TYI_WEB_BINARY)) {
            s->stats.dropped++;
            if (kind == TYI_WEB_MUST) {
                p->end_code = TYI_WEB_LATER, p->end_why = "the client does not read what is sent to it";
            }
        }
    }
    pthread_mutex_unlock(&s->lock);
    wake(s);
}

int tyi_web_waiting(tyi_web_server *s, uint32_t client)
{
    pthread_mutex_lock(&s->lock);
    peer *p = find(s, client);
    int n = p ? p->count : 0;
    pthread_mutex_unlock(&s->lock);
    return n;
}

void tyi_web_close(tyi_web_server *s, uint32_t client, int code, const char *why)
{
    pthread_mutex_lock(&s->lock);
    peer *p = find(s, client);
    if (p && !p->end_code) {
        p->end_code = code, p->end_why = why;
    }
    pthread_mutex_unlock(&s->lock);
    wake(s);
}

tyi_web_stats tyi_web_get_stats(tyi_web_server *s)
{
    pthread_mutex_lock(&s->lock);
    tyi_web_stats stats = s->stats;
    pthread_mutex_unlock(&s->lock);
    return stats;
}

int tyi_web_server_port(const tyi_web_server *s)
{
    return s->port;
}

/* ---- sockets ---- */

static void receive(tyi_web_server *s, peer *p)
{
    if (p->ending) { /* nothing of it counts any more; the other side's end is waited for */
        uint8_t rest[4096];
        ssize_t n = recv(p->fd, rest, sizeof rest, 0);
        p->gone = n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR);
        return;
    }
    size_t room = (p->websocket ? sizeof p->in : REQUEST) - p->have;
    ssize_t n = recv(p->fd, p->in + p->have, room, 0);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
        p->gone = true;
    }
    if (n <= 0) {
        return;
    }
    p->have += (size_t)n;
    p->heard = tyi_web_now();
    if (!p->websocket) {
        tyi_server_request(s, p);
    }
    if (p->websocket) {
        tyi_server_frames(s, p);
    }
}

/* sends what the socket takes */
static void transmit(tyi_web_server *s, peer *p)
{
    while (!p->gone) {
        if (!p->now.blob) {
            pthread_mutex_lock(&s->lock);
            if (p->count) {
                p->now = p->queue[p->first];
                p->first = (p->first + 1) % TYI_WEB_WAITING;
                p->count--;
                p->waiting -= p->now.blob->bytes;
                s->stats.sent++;
                s->stats.bytes += p->now.blob->bytes;
            }
            pthread_mutex_unlock(&s->lock);
            if (!p->now.blob) {
                break;
            }
            p->head_bytes = p->now.opcode == RAW ? 0 : tyi_web_frame_head(p->head, p->now.opcode, p->now.blob->bytes);
            p->done = 0;
        }
        bool head = p->done < p->head_bytes;
        const uint8_t *from = head ? p->head + p->done : p->now.blob->data + (p->done - p->head_bytes);
        size_t left = head ? p->head_bytes - p->done : p->head_bytes + p->now.blob->bytes - p->done;
        ssize_t n = left ? send(p->fd, from, left, MSG_NOSIGNAL | (head && p->now.blob->bytes ? MSG_MORE : 0)) : 0;
        if (n < 0) {
            p->gone = errno != EAGAIN && errno != EINTR;
            return;
        }
        p->moved = n > 0 ? tyi_web_now() : p->moved;
        p->done += (size_t)n;
        if (p->done == p->head_bytes + p->now.blob->bytes) {
            tyi_web_blob_drop(p->now.blob);
            p->now.blob = NULL;
        }
    }
    if (p->ending && !p->now.blob) {
        shutdown(p->fd, SHUT_WR); /* the other side reads to the end, then closes */
    }
}

static void forget(tyi_web_server *s, peer *p)
{
    pthread_mutex_lock(&s->lock);
    uint32_t id = p->id;
    bool was = p->websocket;
    tyi_web_blob_drop(p->now.blob);
    for (; p->count; p->count--, p->first = (p->first + 1) % TYI_WEB_WAITING) {
        tyi_web_blob_drop(p->queue[p->first].blob);
    }
    close(p->fd);
    s->stats.clients -= was && !p->ending;
    s->peer[id % PEERS] = NULL;
    pthread_mutex_unlock(&s->lock);
    free(p);
    if (was && s->def.closed) {
        s->def.closed(s->def.user, id);
    }
}

static void welcome(tyi_web_server *s)
{
    int fd = accept4(s->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC), one = 1, room = ROOM;
    if (fd < 0) {
        return;
    }
    int slot = 0;
    while (slot < PEERS && s->peer[slot]) {
        slot++;
    }
    peer *p = slot < PEERS ? malloc(sizeof *p) : NULL;
    if (!p) {
        close(fd);
        return;
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    memset(p, 0, sizeof *p);
    p->fd = fd;
    p->born = p->heard = p->moved = p->asked = tyi_web_now();
    pthread_mutex_lock(&s->lock);
    s->next_id += PEERS;
    s->next_id = s->next_id < PEERS ? PEERS : s->next_id; /* after 2^26 clients: not 0 */
    p->id = s->next_id + (uint32_t)slot;
    s->peer[slot] = p;
    pthread_mutex_unlock(&s->lock);
}

static void look_after(tyi_web_server *s, peer *p)
{
    double now = tyi_web_now();
    if (p->ending || !p->websocket) {
        p->gone = p->gone || now - p->born > PATIENT;
        return;
    }
    pthread_mutex_lock(&s->lock);
    bool waits = p->now.blob || p->count;
    pthread_mutex_unlock(&s->lock);
    p->moved = waits ? p->moved : now;
    p->gone = p->gone || now - p->moved > STALLED || now - p->heard > SILENT;
    if (!p->gone && now - p->heard > PING && now - p->asked > PING) {
        p->asked = now;
        tyi_web_blob *blob = tyi_web_blob_new(0, false);
        pthread_mutex_lock(&s->lock);
        if (blob) {
            tyi_server_enqueue(s, p, blob, TYI_WEB_NEWEST, UINT32_MAX - 1, TYI_WEB_PING);
        }
        pthread_mutex_unlock(&s->lock);
        tyi_web_blob_drop(blob);
    }
}

/* one turn of all sockets; [ms] for which it may wait */
static void turn(tyi_web_server *s, int wait, bool accepts)
{
    struct pollfd fd[PEERS + 2] = { { s->wake, POLLIN, 0 }, { accepts ? s->fd : -1, POLLIN, 0 } };
    peer *of[PEERS + 2] = { NULL };
    nfds_t n = 2;
    for (int i = 0; i < PEERS; i++) {
        peer *p = s->peer[i];
        if (p) {
            pthread_mutex_lock(&s->lock);
            if (p->end_code && p->websocket) {
                say_goodbye(s, p, p->end_code, p->end_why);
            }
            bool out = p->now.blob || p->count;
            pthread_mutex_unlock(&s->lock);
            of[n] = p;
            fd[n++] = (struct pollfd){ p->fd, (short)(POLLIN | (out ? POLLOUT : 0)), 0 };
        }
    }
    if (poll(fd, n, wait) < 0) {
        return;
    }
    if (fd[0].revents) {
        uint64_t count;
        ssize_t got = read(s->wake, &count, sizeof count);
        (void)got;
    }
    if (fd[1].revents & POLLIN) {
        welcome(s);
    }
    for (nfds_t i = 2; i < n; i++) {
        peer *p = of[i];
        if (fd[i].revents & (POLLIN | POLLHUP | POLLERR)) {
            receive(s, p);
        }
        transmit(s, p);
        look_after(s, p);
        if (p->gone) {
            forget(s, p);
        }
    }
}

static void *work(void *user)
{
    tyi_web_server *s = user;
    while (!atomic_load(&s->stop)) {
        turn(s, 1000, true);
    }
    for (int i = 0; i < PEERS; i++) {
        if (s->peer[i] && s->peer[i]->websocket) {
            tyi_server_end(s, s->peer[i], TYI_WEB_AWAY, s->goodbye);
        }
    }
    double until = tyi_web_now() + 0.5;
    for (bool left = true; left && tyi_web_now() < until;) {
        turn(s, 20, false);
        left = false;
        for (int i = 0; i < PEERS; i++) {
            left = left || s->peer[i];
        }
    }
    for (int i = 0; i < PEERS; i++) {
        if (s->peer[i]) {
            forget(s, s->peer[i]);
        }
    }
    return NULL;
}

/* ---- starting and ending ---- */

typedef union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
} address;

static socklen_t parse_address(const char *text, address *out)
{
    memset(out, 0, sizeof *out);
    if (inet_pton(AF_INET, text, &out->v4.sin_addr) == 1) {
        out->v4.sin_family = AF_INET;
        return sizeof out->v4;
    }
    if (inet_pton(AF_INET6, text, &out->v6.sin6_addr) == 1) {
        out->v6.sin6_family = AF_INET6;
        return sizeof out->v6;
    }
    return 0;
}

static ty_status listen_at(tyi_web_server *s, ty_diag *diag)
{
    address a;
    socklen_t size = parse_address(s->listen, &a);
    if (!size) {
        return ty_fail(diag, TY_ERR_INPUT,
                       "live: the address to listen at is '%s', but a number as 127.0.0.1, 0.0.0.0 or ::1 is accepted",
                       s->listen);
    }
    s->loopback =
        a.any.sa_family == AF_INET ? ntohl(a.v4.sin_addr.s_addr) >> 24 == 127 : IN6_IS_ADDR_LOOPBACK(&a.v6.sin6_addr);
    int first = s->def.port ? s->def.port : TYI_WEB_FIRST_PORT, count = s->def.port ? 1 : TYI_WEB_PORTS, error = 0;
    for (int port = first; port < first + count; port++) {
        int one = 1;
        s->fd = socket(a.any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (s->fd < 0) {
            return ty_fail(diag, TY_ERR_FILE, "live: no socket can be made: %s", strerror(errno));
        }
        if (a.any.sa_family == AF_INET) {
            a.v4.sin_port = htons((uint16_t)port);
        } else {
            a.v6.sin6_port = htons((uint16_t)port);
        }
        setsockopt(s->fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one); /* a port whose last owner has just ended */
        if (bind(s->fd, &a.any, size) == 0 && listen(s->fd, 16) == 0) {
            s->port = port;
            return TY_OK;
        }
        error = errno;
        close(s->fd);
        s->fd = -1;
        if (error != EADDRINUSE) {
            break;
        }
    }
    if (s->def.port || error != EADDRINUSE) {
        return ty_fail(diag, TY_ERR_FILE, "live: cannot listen at %s, port %d: %s", s->listen, first,
                       error == EADDRINUSE ? "another program has that port" : strerror(error));
    }
    return ty_fail(diag, TY_ERR_FILE, "live: other programs have all ports from %d to %d of %s", first,
                   first + count - 1, s->listen);
}

ty_status tyi_web_server_start(const tyi_web_server_def *def, tyi_web_server **out, ty_diag *diag)
{
    *out = NULL;
    tyi_web_server *s = calloc(1, sizeof *s);
    if (!s) {
        return ty_fail(diag, TY_ERR_MEMORY, "live: no memory for a server");
    }
    s->def = *def;
    snprintf(s->listen, sizeof s->listen, "%s", def->listen);
    snprintf(s->token, sizeof s->token, "%s", def->token);
    s->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    s->fd = -1;
    ty_status status = s->wake >= 0 ? listen_at(s, diag)
                                    : ty_fail(diag, TY_ERR_FILE, "live: no event can be made: %s", strerror(errno));
    if (status != TY_OK) {
        if (s->wake >= 0) {
            close(s->wake);
        }
        free(s);
        return status;
    }
    pthread_mutex_init(&s->lock, NULL);
    *out = s; /* known before the first client is */
    if (pthread_create(&s->thread, NULL, work, s) != 0) {
        close(s->fd), close(s->wake), free(s);
        *out = NULL;
        return ty_fail(diag, TY_ERR_MEMORY, "live: no thread can be made");
    }
    return TY_OK;
}

void tyi_web_server_stop(tyi_web_server *s, const char *why)
{
    if (!s) {
        return;
    }
    snprintf(s->goodbye, sizeof s->goodbye, "%s", why);
    atomic_store(&s->stop, true);
    wake(s);
    pthread_join(s->thread, NULL);
    close(s->fd);
    close(s->wake);
    pthread_mutex_destroy(&s->lock);
    free(s);
}
