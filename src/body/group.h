/* src/body/group.h - trees of bodies in one model, and what they touch there.
 *
 * A rover alone moves in its own model. Those that could touch each other or something else move in a common one, made of
 * their files with a prefix for each, with shapes for what stands or is moved. src/body/README.md says how.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_BODY_GROUP_H
#define TYI_BODY_GROUP_H
#include "mbd.h"

#define TYI_BODY_PRESSES 64 /* pairs that touch in a step of a group; further ones are felt and not told of */
#define TYI_BODY_MEMBERS 24 /* rovers of a group: each has a bit of MuJoCo's masks of contact */

/* What stands, or is moved by others. Its parts are convex. */
typedef struct tyi_body_thing {
    char name[TY_NAME_MAX];
    int kind; /* the caller's; with the id it says which thing it is */
    uint64_t id;
    const tyi_body_hull *part; /* NULL: the single one */
    int parts;
    tyi_body_hull single;
    ty_pose pose;
    bool moves;
    bool below; /* wheels do not meet it: they have a law of their own for it */
    bool gone;  /* the world's: it was taken away */
} tyi_body_thing;

/* Where a moved thing is at the end of a step, and how it moves then. */
typedef struct tyi_body_motion {
    ty_pose pose;
    ty_vec3 v, omega; /* [m/s] of its origin, [rad/s] */
} tyi_body_motion;

/* Whose a shape is: a member's (number of the member), or a thing's. */
typedef struct tyi_body_owner {
    int member, thing; /* -1: not one of these */
} tyi_body_owner;

/* Two that press on each other. */
typedef struct tyi_body_press {
    tyi_body_owner a, b; /* a is a member; numbers within the group */
    ty_vec3 force;       /* [N] W, on a */
    ty_vec3 at;          /* [m] W */
    double depth;        /* [m] of the deepest point */
} tyi_body_press;

/* A new group of members and things, with the state that the members have now; on failure they stay where they are.
 * Allocates, and compiles a model: between steps. TY_ERR_NUMERIC, TY_ERR_MEMORY. */
ty_status tyi_body_group_create(tyi_body_mbd *const *member, int members, const tyi_body_thing *thing, int things,
                                uint64_t step, tyi_body_group **out, ty_diag *diag);
void tyi_body_group_destroy(tyi_body_group *group); /* NULL is allowed; no rover is in it any more */
/* A rover goes on by itself, in its own model. */
ty_status tyi_body_mbd_leave(tyi_body_mbd *mbd, uint64_t step, ty_diag *diag);
/* [m] that it will be moved by in its next step in a group, to be saved with it */
ty_vec3 tyi_body_mbd_off(const tyi_body_mbd *mbd);
void tyi_body_mbd_set_off(tyi_body_mbd *mbd, ty_vec3 off);

/* Moved things, in the order in which they came among the things; for the end of the next step. */
void tyi_body_group_move(tyi_body_group *group, int mover, const tyi_body_motion *to);
ty_status tyi_body_group_step(tyi_body_group *group, uint64_t step, double dt, ty_diag *diag);
int tyi_body_group_presses(const tyi_body_group *group, const tyi_body_press **out); /* of the last step */
/* what lies inside what as the group stands, by more than `depth` [m]: their number */
int tyi_body_group_inside(const tyi_body_group *group, double depth, tyi_body_press *out, int room);

#endif
