/* bridge/web/hub.h - ROS messages of a live run for DDS and Foxglove (hub.c), and commands that come that way.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_WEB_HUB_H
#define TYI_WEB_HUB_H
#include "bridge/dds/dds.h"
#include "bridge/ros/door.h"
#include "live.h"

#define TYI_HUB_TOPIC  360
#define TYI_HUB_PREFIX 100
#define TYI_LIVE_ROS   UINT32_MAX /* who a command by ROS comes from */

typedef struct tyi_fox tyi_fox;
typedef struct tyi_live_services tyi_live_services;

struct tyi_live_hub {
    ty_live *live;
    tyi_ros_map *map;
    tyb_dds *dds; /* NULL: without */
    tyi_fox *fox;
    tyi_live_services *services; /* NULL: none */
    char prefix[TYI_HUB_PREFIX];
    double *wheelbase; /* [m] of each rover */
    tyi_io_cdr message;
    ty_time next; /* [ns] when the state is told */
    ty_diag diag; /* of the first topic that could not be made */
};

void tyi_hub_receive(void *user, const ty_message *m);
/* The command topic of a name and type. false: nobody listens to it. */
bool tyi_hub_find(const ty_live *l, const char *topic, const char *type, size_t *rover, int *which);
/* A message on a command topic of a rover, as CDR or as JSON. false: it is none of that type. On any thread. */
bool tyi_hub_command(ty_live *l, uint32_t client, size_t rover, int topic, const uint8_t *data, size_t bytes);
bool tyi_hub_command_json(ty_live *l, uint32_t client, size_t rover, int topic, const uint8_t *data, size_t bytes);

#endif
