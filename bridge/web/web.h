/* bridge/web/web.h - the inside of the web bridge: WebSocket frames, the server, the ground's and the pictures' threads.
 *
 * Who does what: the server's thread owns all sockets and never waits for anything but them; the run's thread steps and
 * leaves messages in the clients' queues; tiles of ground and pictures are made on a thread of their own each. Nobody
 * who makes a message waits for a client: a queue that is full loses its oldest state, and a client that cannot be
 * helped in this way is closed.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_WEB_H
#define TYI_WEB_H
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include "tycho/base.h"
#include "tycho/run.h"

double tyi_web_now(void); /* [s] monotonic */

/* ---- frames.c: the bytes of RFC 6455 ---- */

#define TYI_WEB_KEY 29 /* bytes of an answer to a key, with its end */
/* what a server answers to Sec-WebSocket-Key */
void tyi_web_accept(const char *key, size_t length, char out[TYI_WEB_KEY]);

typedef enum tyi_web_opcode {
    TYI_WEB_MORE = 0,
    TYI_WEB_TEXT = 1,
    TYI_WEB_BINARY = 2,
    TYI_WEB_CLOSE = 8,
    TYI_WEB_PING = 9,
    TYI_WEB_PONG = 10
} tyi_web_opcode;

/* why a connection is closed, as section 7.4.1 counts */
enum {
    TYI_WEB_NORMAL = 1000,
    TYI_WEB_AWAY = 1001,
    TYI_WEB_WRONG = 1002,
    TYI_WEB_NOT_TEXT = 1007,
    TYI_WEB_POLICY = 1008,
    TYI_WEB_LARGE = 1009,
    TYI_WEB_LATER = 1013
};

typedef struct tyi_web_frame {
    int opcode;
    bool last;      /* FIN */
    size_t header;  /* [bytes] before the payload */
    size_t payload; /* [bytes] */
    uint8_t mask[4];
} tyi_web_frame;
/* Reads the head of a client's frame. 1: it is there; 0: more bytes are needed; below 0: minus the reason to close, and
 * *why says it. most: [bytes] of a payload that is accepted. */
int tyi_web_frame_read(const uint8_t *data, size_t bytes, size_t most, tyi_web_frame *out, const char **why);
void tyi_web_unmask(uint8_t *data, size_t bytes, const uint8_t mask[4]);
/* the head of a server's frame; returns its bytes, 2 to 10 */
size_t tyi_web_frame_head(uint8_t out[10], int opcode, size_t payload);
bool tyi_web_utf8(const uint8_t *text, size_t bytes);

/* ---- server.c ---- */

/* A message for any number of clients; whoever holds it counts. */
typedef struct tyi_web_blob {
    atomic_int holders;
    bool text;
    size_t bytes;
    uint8_t data[];
} tyi_web_blob;
tyi_web_blob *tyi_web_blob_new(size_t bytes, bool text); /* NULL: no memory; the caller holds it */
void tyi_web_blob_drop(tyi_web_blob *blob);              /* NULL is allowed */

/* What a path below the token answers. */
typedef struct tyi_web_file {
    const char *path, *type; /* "app.js", "text/javascript"; path "" is the page */
    const void *data;
    size_t bytes;
} tyi_web_file;

/* How a message behaves in a queue that fills up. */
typedef enum tyi_web_class {
    TYI_WEB_MUST,   /* it waits for its turn; a client without room for it is closed */
    TYI_WEB_NEWEST, /* it takes the place of an older one with the same key that has not been sent */
    TYI_WEB_MAY     /* it waits for its turn; where there is no room it is dropped */
} tyi_web_class;

typedef struct tyi_web_server tyi_web_server;
typedef struct tyi_web_server_def {
    const char *listen;          /* numeric address */
    int port;                    /* 0: the first free one of TYI_WEB_PORTS */
    const char *token;           /* letters and digits */
    const char *origin;          /* one more that is accepted; NULL: none */
    int clients;                 /* most WebSockets at a time */
    const tyi_web_file *file;    /* outlives the server; ends with a path of NULL */
    const char *const *protocol; /* subprotocols that are spoken, the preferred first; ends with NULL; NULL: none */
    /* called on the server's thread; protocol: which one was agreed on, -1: none was asked for */
    void (*opened)(void *user, uint32_t client, int protocol);
    /* NULL: fine; else why the client is closed */
    const char *(*received)(void *user, uint32_t client, bool text, const uint8_t *data, size_t bytes);
    void (*closed)(void *user, uint32_t client);
    void *user;
} tyi_web_server_def;

#define TYI_WEB_FIRST_PORT 8765
#define TYI_WEB_PORTS      32
#define TYI_WEB_CLIENTS    32                 /* the most that may be asked for */
#define TYI_WEB_MESSAGE    16384              /* [bytes] most of a client's message */
#define TYI_WEB_QUEUE      ((size_t)16 << 20) /* [bytes] most that waits for one client */
#define TYI_WEB_WAITING    512                /* messages, likewise */
#define TYI_WEB_RATE       240.0              /* [1/s] a client's messages, over the long run; twice as many at once */

ty_status tyi_web_server_start(const tyi_web_server_def *def, tyi_web_server **out, ty_diag *diag);
void tyi_web_server_stop(tyi_web_server *server, const char *why); /* says goodbye, ends the thread; NULL is allowed */
int tyi_web_server_port(const tyi_web_server *server);
/* To one client, or to all that are open and agreed on no subprotocol (client 0). Never waits for a socket. The blob stays the caller's. */
void tyi_web_send(tyi_web_server *server, uint32_t client, tyi_web_blob *blob, tyi_web_class kind, uint32_t key);
/* how many messages wait for a client: who makes large ones asks first */
int tyi_web_waiting(tyi_web_server *server, uint32_t client);
void tyi_web_close(tyi_web_server *server, uint32_t client, int code, const char *why); /* why: constant text */

typedef struct tyi_web_stats {
    int clients;                             /* open now */
    uint64_t opened, refused, sent, dropped; /* clients, requests, messages */
    uint64_t bytes;
} tyi_web_stats;
tyi_web_stats tyi_web_get_stats(tyi_web_server *server);

/* ---- bytes, little end first ---- */

typedef struct tyi_web_bytes {
    uint8_t *at;
} tyi_web_bytes;
static inline void tyi_web_put(tyi_web_bytes *to, const void *value, size_t bytes)
{
    memcpy(to->at, value, bytes);
    to->at += bytes;
}
#define TYI_WEB_PUT(to, type, value) tyi_web_put(to, &(type){ (type)(value) }, sizeof(type))

/* first byte of a binary message */
enum { TYI_WEB_STATE = 1, TYI_WEB_TILE = 2, TYI_WEB_IMAGE = 3, TYI_WEB_CLOUD = 4 };
/* keys of what is replaced by its newest; sensors count from the last */
enum { TYI_WEB_KEY_STATE = 1, TYI_WEB_KEY_SENSOR = 1024 };

/* ---- ground.c: tiles, on a thread with a ground of its own that follows the run's edits ---- */

#define TYI_WEB_CELLS  128 /* of a tile's side; it comes with one more sample all around, and the last */
#define TYI_WEB_SIDE   (TYI_WEB_CELLS + 3)
#define TYI_WEB_WISHES 64 /* tiles that a client may ask for at once; the next list replaces the last */

typedef struct tyi_web_ground tyi_web_ground;
ty_status tyi_web_ground_start(const ty_scenario *scenario, tyi_web_ground **out, ty_diag *diag);
void tyi_web_ground_stop(tyi_web_ground *ground); /* its thread; before the server's. NULL is allowed in both */
void tyi_web_ground_free(tyi_web_ground *ground);
void tyi_web_ground_serve(tyi_web_ground *ground, tyi_web_server *server); /* from now on */
/* level, x, y of each, the most urgent first */
void tyi_web_ground_want(tyi_web_ground *ground, uint32_t client, const int32_t (*tile)[3], int count);
/* What edits have changed so far in a rectangle of samples of the edit level; both arrays from malloc, taken over. Clients
 * are told. */
void tyi_web_ground_edit(tyi_web_ground *ground, const int32_t rect[4], float *change, uint8_t *trace);
/* Rocks that came, moved or left since the start: all of them. Takes the list over, from malloc. */
void tyi_web_ground_rocks(tyi_web_ground *ground, ty_rock *rock, size_t count);
void tyi_web_ground_reset(tyi_web_ground *ground);     /* as at the start */
uint64_t tyi_web_ground_tiles(tyi_web_ground *ground); /* sent so far */

/* ---- pictures.c: what cameras and lidars see, for those that look ---- */

typedef struct tyi_web_pictures tyi_web_pictures;
ty_status tyi_web_pictures_start(ty_run *run, tyi_web_pictures **out, ty_diag *diag);
void tyi_web_pictures_stop(tyi_web_pictures *pictures); /* as the ground's */
void tyi_web_pictures_free(tyi_web_pictures *pictures);
void tyi_web_pictures_serve(tyi_web_pictures *pictures, tyi_web_server *server);
void tyi_web_pictures_want(tyi_web_pictures *pictures, uint32_t client, size_t sensor, bool wants);
void tyi_web_pictures_forget(tyi_web_pictures *pictures, uint32_t client);
/* on the run's thread; copies the data where somebody looks. pose: of the sensor's mount in W */
void tyi_web_pictures_put(tyi_web_pictures *pictures, const ty_message *message, ty_pose pose);
void tyi_web_pictures_relight(tyi_web_pictures *pictures); /* white is chosen anew */
uint64_t tyi_web_pictures_sent(tyi_web_pictures *pictures);

/* ---- scene.c: what stands there, once ---- */

/* A list of files (scene.json, shapes, rocks, stars, the page), in *out until tyi_web_scene_free(). */
ty_status tyi_web_scene_make(ty_run *run, tyi_web_file **out, ty_diag *diag);
void tyi_web_scene_free(tyi_web_file *file);
extern const tyi_web_file tyi_web_page[]; /* made of viewer/; ends with a path of NULL */

#endif
