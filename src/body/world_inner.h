/* src/body/world_inner.h - the body world, as its own files see it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_BODY_WORLD_INNER_H
#define TYI_BODY_WORLD_INNER_H
#include "world.h"

#define THINGS 128 /* of a group */

/* which thing it is */
typedef struct tyi_body_ref {
    int64_t kind;
    uint64_t id;
    char name[TY_NAME_MAX];
    int64_t mover; /* number of the moved thing; -1: it stands */
} tyi_body_ref;

typedef struct tyi_body_set {
    tyi_body_group *model; /* NULL: free */
    int member[TYI_BODY_MEMBERS], members;
    tyi_body_ref thing[THINGS];
    int things;
    bool stale; /* holds something that is not there any more */
} tyi_body_set;

typedef struct tyi_body_member {
    tyi_body_mbd *mbd;
    char name[TY_NAME_MAX];
    tyi_body_set *in; /* NULL: by itself */
    bool away;        /* it is not there */
    bool lent;        /* another world moves it */
    bool asleep;      /* it is not stepped */
    bool asks;        /* whom an arrangement of some is for */
    /* as it was when asked */
    ty_vec3 centre;
    double radius, low, speed; /* [m] of the sphere around it, height of its lowest shape that is no wheel, [m/s] */
} tyi_body_member;

struct tyi_body_world {
    tyi_body_world_def def;
    tyi_body_member *rover;
    int rovers, rover_room;
    tyi_body_thing *thing;
    int *mover; /* of each: its number among the moved; -1 */
    int things, thing_room, movers;
    tyi_body_set **group; /* one more than there are rovers, some of them free */
    tyi_body_touch touch[TYI_BODY_TOUCHES];
    int touches;
    tyi_body_heard heard; /* NULL: nobody listens */
    void *heard_user;
    tyi_body_thing *take; /* room while groups are made: THINGS, */
    int *take_mover;
    tyi_body_thing *rocks; /* and ROCKS */
};

/* world.c: groups that nobody is in any more are given up */
void tyi_body_world_sweep(tyi_body_world *w);
/* these members and the first `taken` of world.take become a group */
ty_status tyi_body_world_join_up(tyi_body_world *w, const int *member, int members, int taken, uint64_t step,
                                 ty_diag *diag);
#endif
