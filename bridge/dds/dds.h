/* bridge/dds/dds.h - topics of a DDS domain whose messages are bytes: what other bridges see of CycloneDDS.
 *
 * Names are ROS's ("/viper/imu/data", "sensor_msgs/msg/Imu"); on the wire they are what ROS 2 makes of them (rt/viper/imu/data,
 * sensor_msgs::msg::dds_::Imu_, with the type's hash). Messages are CDR with their four bytes of encoding in front, and
 * go as they are. Threads: sending never waits: a thread of its own writes; what is received comes on DDS's threads.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYB_DDS_H
#define TYB_DDS_H
#include "tycho/base.h"

typedef struct tyb_dds tyb_dds;

typedef enum tyb_dds_kind {
    TYB_DDS_SENSOR, /* reliable, the last 10 */
    TYB_DDS_MANY,   /* reliable, the last 200: small ones that come often */
    TYB_DDS_LATCHED /* reliable, the last one also for those who come later (transient local) */
} tyb_dds_kind;

typedef struct tyb_dds_def {
    int domain;       /* 0 to 232 */
    bool network;     /* false: loopback alone. CYCLONEDDS_URI, where it is set, says it instead */
    const char *name; /* of the node */
    /* a message on a reader's topic: CDR of at most TYB_DDS_MESSAGE bytes, to be checked; on a thread of DDS's. sender: 16 bytes, the
     * participant that wrote it, of readers below TYB_DDS_ANSWERS; zeros: not known */
    void (*received)(void *user, int reader, const uint8_t *sender, const uint8_t *data, size_t bytes);
    void *user;
} tyb_dds_def;
#define TYB_DDS_MESSAGE 65536
#define TYB_DDS_ANSWERS (-1)               /* readers below it want to know who asks */
#define TYB_DDS_QUEUE   ((size_t)96 << 20) /* [bytes] most that wait to be written */
#define TYB_DDS_WAITING 8192               /* messages, likewise */

/* TY_ERR_INPUT: built without CycloneDDS; TY_ERR_FILE: DDS says no. */
ty_status tyb_dds_start(const tyb_dds_def *def, tyb_dds **out, ty_diag *diag);
void tyb_dds_stop(tyb_dds *dds); /* NULL is allowed */
/* Tells of a topic before its first message; the same again is nothing new. TY_ERR_FILE, TY_ERR_RANGE. */
ty_status tyb_dds_writer(tyb_dds *dds, const char *topic, const char *type, tyb_dds_kind kind, ty_diag *diag);
/* false: there is no such writer. Copies; what does not fit into the queue is dropped and counted. */
bool tyb_dds_send(tyb_dds *dds, const char *topic, const void *data, size_t bytes);
/* reliable: writers that promise nothing are not heard; false: they are, and what is lost stays lost */
ty_status tyb_dds_reader(tyb_dds *dds, const char *topic, const char *type, bool reliable, int reader, ty_diag *diag);

/* whether a participant reads a topic of ours, so that an answer reaches it */
bool tyb_dds_reaches(tyb_dds *dds, const char *topic, const uint8_t sender[16]);

typedef struct tyb_dds_stats {
    uint64_t sent, dropped, received;
    int writers, matched; /* topics; those that somebody reads */
} tyb_dds_stats;
tyb_dds_stats tyb_dds_get_stats(tyb_dds *dds);

/* hash.c: RIHS01 of a message's type, "RIHS01_..."; NULL: not known */
const char *tyb_dds_hash(const char *type);

#endif
