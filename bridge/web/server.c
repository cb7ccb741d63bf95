/* bridge/web/server.c - HTTP and WebSocket for a few clients: one thread, sockets that never block, a bounded queue for each.
 *
 * Why not a library: Debian's civetweb 1.15 takes any frame of up to 2 GB into memory before its user hears of it, reads
 * frames without a mask, and holds a thread for each client. Here nothing of a client is kept but what fits its buffer.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include "web.h"

#define PEERS   64          /* connections of any kind */
#define REQUEST 8192        /* [bytes] most of a request's head */
#define PATIENT 10.0        /* [s] for a request to be whole, for a goodbye to be read */
#define STALLED 30.0        /* [s] for which a client may read nothing of what waits */
#define PING    20.0        /* [s] without a sign of a client before it is asked for one */
#define SILENT  60.0        /* [s] without a sign before it is closed */
#define ROOM    (256 << 10) /* [bytes] that the system keeps for a client: what is newer shall not wait behind more */
#define RAW     (-1)        /* opcode of what is no frame */

typedef struct item {
    tyi_web_blob *blob;
    tyi_web_class kind;
    uint32_t key;
    int opcode;
} item;

typedef struct peer {
    int fd;
    uint32_t id;                  /* 0: the place is free */
    bool websocket, ending, gone; /* ending: what waits is sent, then it is closed; gone: now */
    uint8_t in[TYI_WEB_MESSAGE + 16];
    size_t have;
    uint8_t message[TYI_WEB_MESSAGE]; /* of frames so far */
    size_t gathered;
    int gathering; /* opcode of the first; -1: no message is under way */
    double allowance, counted, heard, moved, born, asked;
    /* out, under the lock but for `now` */
    item queue[TYI_WEB_WAITING];
    int first, count;
    size_t waiting; /* [bytes] in the queue */
    int end_code;   /* not 0: other threads want it closed */
    const char *end_why;
    item now; /* being sent */
    uint8_t head[10];
    size_t head_bytes, done;
} peer;

struct tyi_web_server {
    tyi_web_server_def def;
    char listen[64], token[80];
    int fd, wake, port;
    pthread_t thread;
    pthread_mutex_t lock;
    bool loopback;
    atomic_bool stop;
    char goodbye[100];
    uint32_t next_id;
    peer *peer[PEERS];
    tyi_web_stats stats; /* under the lock */
};

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
static bool enqueue(tyi_web_server *s, peer *p, tyi_web_blob *blob, tyi_web_class kind, uint32_t key, int opcode)
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
        enqueue(s, p, blob, TYI_WEB_MUST, 0, TYI_WEB_CLOSE);
        tyi_web_blob_drop(blob);
    }
    p->ending = true;
    p->born = tyi_web_now();
    s->stats.clients--; /* it takes nobody's place any more */
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
        if (!p || !p->websocket || p->ending || p->end_code || (client && p->id != client)) {
            continue;
        }
        if (!enqueue(s, p, blob, kind, key, blob->text ? TYI_WEB_TEXT : TYI_WEB_BINARY)) {
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

/* ---- HTTP ---- */

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
        p->gone = !enqueue(s, p, blob, TYI_WEB_MUST, 0, RAW);
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
        enqueue(s, p, blob, TYI_WEB_MUST, 0, RAW);
    }
    p->websocket = true;
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
    } else if (!*rest) {
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

static void read_request(tyi_web_server *s, peer *p)
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

/* ---- WebSocket ---- */

static void end_peer(tyi_web_server *s, peer *p, int code, const char *why)
{
    pthread_mutex_lock(&s->lock);
    say_goodbye(s, p, code, why);
    pthread_mutex_unlock(&s->lock);
}

static void control(tyi_web_server *s, peer *p, const tyi_web_frame *f, const uint8_t *data)
{
    if (f->opcode == TYI_WEB_CLOSE) {
        int code = f->payload >= 2 ? data[0] << 8 | data[1] : TYI_WEB_NORMAL;
        bool fine = code >= 1000 && code < 5000 && code != 1004 && code != 1005 && code != 1006 && code != 1015;
        end_peer(s, p, f->payload == 1 || !fine ? TYI_WEB_WRONG : code, "");
    } else if (f->opcode == TYI_WEB_PING) {
        tyi_web_blob *blob = tyi_web_blob_new(f->payload, false);
        pthread_mutex_lock(&s->lock);
        if (blob) {
            memcpy(blob->data, data, f->payload);
            enqueue(s, p, blob, TYI_WEB_NEWEST, UINT32_MAX, TYI_WEB_PONG); /* the newest is enough, section 5.5.3 */
        }
        pthread_mutex_unlock(&s->lock);
        tyi_web_blob_drop(blob);
    }
}

/* one whole frame; its payload is unmasked */
static void take(tyi_web_server *s, peer *p, const tyi_web_frame *f, const uint8_t *data)
{
    double now = tyi_web_now();
    p->allowance += (now - p->counted) * TYI_WEB_RATE;
    p->allowance = (p->allowance < 2.0 * TYI_WEB_RATE ? p->allowance : 2.0 * TYI_WEB_RATE) - 1.0;
    p->counted = now;
    if (p->allowance < 0.0) {
        end_peer(s, p, TYI_WEB_POLICY, "too many messages in a short time");
        return;
    }
    if (f->opcode >= TYI_WEB_CLOSE) {
        control(s, p, f, data);
        return;
    }
    if ((f->opcode == TYI_WEB_MORE) != (p->gathering >= 0)) {
        end_peer(s, p, TYI_WEB_WRONG, "a piece of a message is out of its place");
        return;
    }
    if (p->gathered + f->payload > sizeof p->message) {
        end_peer(s, p, TYI_WEB_LARGE, "a message is longer than is accepted");
        return;
    }
    p->gathering = f->opcode == TYI_WEB_MORE ? p->gathering : f->opcode;
    memcpy(p->message + p->gathered, data, f->payload);
    p->gathered += f->payload;
    if (!f->last) {
        return;
    }
    bool text = p->gathering == TYI_WEB_TEXT;
    size_t bytes = p->gathered;
    p->gathered = 0;
    p->gathering = -1;
    if (text && !tyi_web_utf8(p->message, bytes)) {
        end_peer(s, p, TYI_WEB_NOT_TEXT, "a text is not UTF-8");
        return;
    }
    const char *why = s->def.received ? s->def.received(s->def.user, p->id, text, p->message, bytes) : NULL;
    if (why) {
        end_peer(s, p, TYI_WEB_POLICY, why);
    }
}

static void read_frames(tyi_web_server *s, peer *p)
{
    size_t at = 0;
    while (!p->ending && !p->gone) {
        tyi_web_frame f;
        const char *why = NULL;
        int got = tyi_web_frame_read(p->in + at, p->have - at, TYI_WEB_MESSAGE, &f, &why);
        if (got < 0) {
            end_peer(s, p, -got, why);
        }
        if (got <= 0 || p->have - at < f.header + f.payload) {
            break;
        }
        tyi_web_unmask(p->in + at + f.header, f.payload, f.mask);
        take(s, p, &f, p->in + at + f.header);
        at += f.header + f.payload;
    }
    memmove(p->in, p->in + at, p->have - at);
    p->have -= at;
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
        read_request(s, p);
    }
    if (p->websocket) {
        read_frames(s, p);
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
            enqueue(s, p, blob, TYI_WEB_NEWEST, UINT32_MAX - 1, TYI_WEB_PING);
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
            end_peer(s, s->peer[i], TYI_WEB_AWAY, s->goodbye);
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
    if (pthread_create(&s->thread, NULL, work, s) != 0) {
        close(s->fd), close(s->wake), free(s);
        return ty_fail(diag, TY_ERR_MEMORY, "live: no thread can be made");
    }
    *out = s;
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
