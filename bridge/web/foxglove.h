/* bridge/web/foxglove.h - clients that speak Foxglove's protocol (foxglove.c).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_WEB_FOXGLOVE_H
#define TYI_WEB_FOXGLOVE_H
#include "hub.h"

#define TYI_FOX_CHANNELS      1024
#define TYI_FOX_SUBSCRIPTIONS 512 /* of a client */
#define TYI_FOX_ADVERTS       32  /* topics that a client publishes */

typedef struct tyi_fox_channel {
    char topic[TYI_HUB_TOPIC];
    tyi_io_ros_type type;
    uint8_t *last; /* of what is latched */
    size_t last_bytes;
    int64_t last_log;
} tyi_fox_channel;

typedef struct tyi_fox_advert {
    uint32_t id;
    bool json;
    size_t rover;
    int topic;
} tyi_fox_advert;

typedef struct tyi_fox_client {
    uint32_t id; /* 0: the place is free */
    bool watches;
    struct {
        uint32_t id;
        int channel;
    } subscription[TYI_FOX_SUBSCRIPTIONS];
    int subscriptions;
    tyi_fox_advert advert[TYI_FOX_ADVERTS];
    int adverts;
} tyi_fox_client;

struct tyi_fox {
    ty_live *live;
    pthread_mutex_t lock;
    atomic_int wanted; /* subscriptions of all */
    char session[32];
    tyi_fox_client client[TYI_WEB_CLIENTS];
    tyi_fox_channel channel[TYI_FOX_CHANNELS];
    int channels;
    double speed, sun_shift; /* as they were told last */
    bool paused;
    ty_time time;
};

extern const char *const tyi_fox_protocols[]; /* of a handshake */

tyi_fox *tyi_fox_new(ty_live *live); /* NULL: no memory */
void tyi_fox_free(tyi_fox *fox);
/* on the run's thread; message NULL: the topic is told alone */
void tyi_fox_send(tyi_fox *fox, const char *topic, tyi_io_ros_type type, bool latched, int64_t log,
                  const tyi_io_cdr *message);
bool tyi_fox_wanted(tyi_fox *fox);                                  /* somebody reads a channel */
void tyi_fox_look(tyi_fox *fox);                                    /* tells of parameters that have changed */
bool tyi_fox_note(tyi_fox *fox, uint32_t client, const char *text); /* false: it is no client of this protocol */
/* on the server's; received: false: it is no client of this protocol */
void tyi_fox_opened(tyi_fox *fox, uint32_t client);
bool tyi_fox_received(tyi_fox *fox, uint32_t client, bool text, const uint8_t *data, size_t bytes, const char **why);
void tyi_fox_closed(tyi_fox *fox, uint32_t client);

#endif
