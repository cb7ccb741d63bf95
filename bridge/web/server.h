/* bridge/web/server.h - the inside of the server: who is connected, what waits for them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_WEB_SERVER_H
#define TYI_WEB_SERVER_H
#include "web.h"

#define PEERS   64   /* connections of any kind */
#define REQUEST 8192 /* [bytes] most of a request's head */
#define RAW     (-1) /* opcode of what is no frame */

typedef struct item {
    tyi_web_blob *blob;
    tyi_web_class kind;
    uint32_t key;
    int opcode;
} item;

typedef struct peer {
    int fd;
    uint32_t id;                  /* 0: the place is free */
    int protocol;                 /* subprotocol; -1: none */
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

/* ---- server.c ---- */

/* The lock is held. false: there is no room. */
bool tyi_server_enqueue(tyi_web_server *s, peer *p, tyi_web_blob *blob, tyi_web_class kind, uint32_t key, int opcode);
/* A goodbye with its reason, after which nothing is taken any more; on the server's thread, without the lock. */
void tyi_server_end(tyi_web_server *s, peer *p, int code, const char *why);

/* ---- http.c, websocket.c: what has come in of a peer ---- */

void tyi_server_request(tyi_web_server *s, peer *p);
void tyi_server_frames(tyi_web_server *s, peer *p);

#endif
