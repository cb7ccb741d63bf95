/* bridge/web/http.c - requests: who is let in, files, the handshake of a WebSocket.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <strings.h>
#include "server.h"

static const char *status_text(int code)
{
    switch (code) {
    case 200:
        return "OK";
    case 301:
        return "Moved Permanently";
    case 400:
        return "Bad Request";
    case 401:
        return "Unauthorized";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 426:
        return "Upgrade Required";
    case 431:
        return "Request Header Fields Too Large";
    default:
        return "Service Unavailable";
    }
}

/* answers, then closes */
static void answer(tyi_web_server *s, peer *p, int code, const char *type, const char *more, const void *data,
                   size_t bytes, bool body)
{
    char head[1024];
    int n = snprintf(
        head, sizeof head,
        "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nConnection: close\r\n%s"
        "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nX-Content-Type-Options: nosniff\r\n"
        "Cross-Origin-Resource-Policy: same-origin\r\nX-Frame-Options: DENY\r\n"
        "Content-Security-Policy: default-src 'self'; connect-src 'self' ws: wss:; img-src 'self' blob: data:; "
        "style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; form-action 'none'\r\n\r\n",
        code, status_text(code), type, bytes, more);
    tyi_web_blob *blob = tyi_web_blob_new((size_t)n + (body ? bytes : 0), false);
    pthread_mutex_lock(&s->lock);
    if (blob) {
        memcpy(blob->data, head, (size_t)n);
        if (body && bytes) {
            memcpy(blob->data + n, data, bytes);
        }
        p->gone = !tyi_server_enqueue(s, p, blob, TYI_WEB_MUST, 0, RAW);
    }
    s->stats.refused += code >= 400;
    p->ending = true;
    p->born = tyi_web_now();
    pthread_mutex_unlock(&s->lock);
    tyi_web_blob_drop(blob);
}

static void refuse(tyi_web_server *s, peer *p, int code, const char *sentence)
{
    answer(s, p, code, "text/plain; charset=utf-8", "", sentence, strlen(sentence), true);
}

/* The value of a header in a request that ends with an empty line; "" where it is not there. */
static size_t header(const char *head, const char *name, const char **value)
{
    size_t length = strlen(name);
    *value = "";
    for (const char *line = strstr(head, "\r\n"); line && line[2] != '\r'; line = strstr(line + 2, "\r\n")) {
        if (!strncasecmp(line + 2, name, length) && line[2 + length] == ':') {
            const char *from = line + 3 + length, *to = strstr(from, "\r\n");
            while (from < to && (*from == ' ' || *from == '\t')) {
                from++;
            }
            while (to > from && (to[-1] == ' ' || to[-1] == '\t')) {
                to--;
            }
            *value = from;
            return (size_t)(to - from);
        }
    }
    return 0;
}

/* whether a list of words with commas has one, in any case */
static bool has_word(const char *list, size_t bytes, const char *word)
{
    size_t length = strlen(word), i = 0;
    while (i < bytes) {
        while (i < bytes && (list[i] == ' ' || list[i] == ',' || list[i] == '\t')) {
            i++;
        }
        size_t from = i;
        while (i < bytes && list[i] != ',') {
            i++;
        }
        size_t to = i;
        while (to > from && (list[to - 1] == ' ' || list[to - 1] == '\t')) {
            to--;
        }
        if (to - from == length && !strncasecmp(list + from, word, length)) {
            return true;
        }
    }
    return false;
}

/* The path behind the token; NULL: the token is not there. Every byte is compared, whatever came before it. */
static const char *behind_token(const tyi_web_server *s, const char *path)
{
    size_t n = strlen(s->token), given = strcspn(path + (*path == '/'), "/?");
    unsigned differ = *path != '/' || given != n;
    for (size_t i = 0; i < n; i++) {
        differ |= (unsigned)(path[1 + (i < given ? i : 0)] ^ s->token[i]);
    }
    return differ ? NULL : path + 1 + n;
}

/* Whether a page that was served elsewhere asks: its Origin is not this server, nor the one that was allowed. */
static bool foreign(const tyi_web_server *s, const char *head)
{
    const char *origin, *host;
    size_t o = header(head, "Origin", &origin), h = header(head, "Host", &host);
    if (s->def.origin && o == strlen(s->def.origin) && !strncmp(origin, s->def.origin, o)) {
        return false;
    }
    if (s->loopback) { /* a name that leads here only by a trick of DNS */
        size_t name = h && host[0] == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":\r");
        static const char *const own[] = { "127.0.0.1", "localhost", "[::1]" };
        bool known = h == 0;
        for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
            known = known || (name == strlen(own[i]) && !strncasecmp(host, own[i], name));
        }
        if (!known) {
            return true;
        }
    }
    return o && !(o == h + 7 && !strncmp(origin, "http://", 7) && !strncmp(origin + 7, host, h));
}

static void shake_hands(tyi_web_server *s, peer *p, const char *head)
{
    const char *key, *version, *protocols, *connection;
    size_t k = header(head, "Sec-WebSocket-Key", &key), v = header(head, "Sec-WebSocket-Version", &version);
    size_t c = header(head, "Connection", &connection), o = header(head, "Sec-WebSocket-Protocol", &protocols);
    if (k != 24 || !has_word(connection, c, "upgrade")) {
        refuse(s, p, 400, "This is no WebSocket handshake: Sec-WebSocket-Key or Connection is missing.\n");
        return;
    }
    if (v != 2 || strncmp(version, "13", 2) != 0) {
        answer(s, p, 426, "text/plain; charset=utf-8", "Sec-WebSocket-Version: 13\r\n",
               "WebSocket version 13 is spoken.\n", 32, true);
        return;
    }
    int chosen = -1;
    for (int i = 0; s->def.protocol && s->def.protocol[i] && chosen < 0; i++) {
        chosen = has_word(protocols, o, s->def.protocol[i]) ? i : -1;
    }
    if (o && chosen < 0) {
        refuse(s, p, 400, "None of the subprotocols that were asked for is spoken here.\n");
        return;
    }
    pthread_mutex_lock(&s->lock);
    bool full = s->stats.clients >= s->def.clients;
    pthread_mutex_unlock(&s->lock);
    if (full) {
        refuse(s, p, 503, "There are as many clients as are allowed.\n");
        return;
    }
    char accept[TYI_WEB_KEY], text[400];
    tyi_web_accept(key, k, accept);
    int n = snprintf(text, sizeof text,
                     "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                     "Sec-WebSocket-Accept: %s\r\n%s%s%s\r\n",
                     accept, chosen >= 0 ? "Sec-WebSocket-Protocol: " : "", chosen >= 0 ? s->def.protocol[chosen] : "",
                     chosen >= 0 ? "\r\n" : "");
    tyi_web_blob *blob = tyi_web_blob_new((size_t)n, true);
    pthread_mutex_lock(&s->lock);
    if (blob) {
        memcpy(blob->data, text, (size_t)n);
        tyi_server_enqueue(s, p, blob, TYI_WEB_MUST, 0, RAW);
    }
    p->websocket = true;
    p->protocol = chosen;
    p->gathering = -1;
    p->allowance = 2.0 * TYI_WEB_RATE;
    p->counted = p->heard = p->moved = p->asked = tyi_web_now();
    s->stats.clients++;
    s->stats.opened++;
    pthread_mutex_unlock(&s->lock);
    tyi_web_blob_drop(blob);
    if (s->def.opened) {
        s->def.opened(s->def.user, p->id, chosen);
    }
}

static void serve(tyi_web_server *s, peer *p, char *head)
{
    char *path = strchr(head, ' '), *end = path ? strpbrk(path + 1, " \r\n") : NULL;
    bool get = !strncmp(head, "GET ", 4), asks_head = !strncmp(head, "HEAD ", 5);
    if (!path || !end || *end != ' ' || strncmp(end, " HTTP/1.", 8) != 0) {
        refuse(s, p, 400, "This is no HTTP request.\n");
        return;
    }
    char asked[512] = "";
    snprintf(asked, sizeof asked, "%.*s", (int)(end - path - 1), path + 1);
    const char *rest = behind_token(s, asked), *upgrade;
    size_t u = header(head, "Upgrade", &upgrade);
    if (!rest) {
        refuse(s, p, 401,
               "Open the address that `tycho live` printed: it holds a token without which nothing is told.\n");
    } else if (foreign(s, head)) {
        refuse(s, p, 403, "This request comes from another page (Origin), and is refused.\n");
    } else if (!get && !asks_head) {
        answer(s, p, 405, "text/plain; charset=utf-8", "Allow: GET, HEAD\r\n", "Only GET is understood.\n", 24, true);
    } else if (!*rest && !has_word(upgrade, u, "websocket")) {
        char more[160];
        snprintf(more, sizeof more, "Location: /%s/\r\n", s->token);
        answer(s, p, 301, "text/plain", more, "", 0, true);
    } else if (get && has_word(upgrade, u, "websocket")) {
        shake_hands(s, p, head);
    } else {
        size_t length = *rest == '/' ? strcspn(rest + 1, "?") : SIZE_MAX;
        const tyi_web_file *f = s->def.file;
        while (f->path && !(length == strlen(f->path) && !strncmp(f->path, rest + 1, length))) {
            f++;
        }
        if (!f->path) {
            refuse(s, p, 404, "There is nothing of that name.\n");
        } else {
            answer(s, p, 200, f->type, "", f->data, f->bytes, get);
        }
    }
}

void tyi_server_request(tyi_web_server *s, peer *p)
{
    p->in[p->have] = 0;
    if (memchr(p->in, 0, p->have)) {
        refuse(s, p, 400, "This is no HTTP request.\n");
        return;
    }
    char *head = (char *)p->in, *end = strstr(head, "\r\n\r\n");
    if (!end) {
        if (p->have >= REQUEST) {
            refuse(s, p, 431, "The request is longer than is accepted.\n");
        }
        return;
    }
    size_t length = (size_t)(end - head) + 4;
    uint8_t kept = p->in[length];
    p->in[length] = 0;
    serve(s, p, head);
    p->in[length] = kept;
    memmove(p->in, p->in + length, p->have - length);
    p->have -= length;
}
