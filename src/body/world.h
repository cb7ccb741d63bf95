/* src/body/world.h - the body world of a run: rovers, what stands, what is moved, and who touches whom.
 *
 * Rovers that could touch each other or something else within the next second share a model; the others move by themselves,
 * with the bits that they have alone. Who shares is asked ten times a second, between steps: tyi_body_world_arrange().
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_BODY_WORLD_H
#define TYI_BODY_WORLD_H
#include "group.h"

#define TYI_BODY_ROVER   (-1) /* kind of another that is a rover: its id is its number */
#define TYI_BODY_TOUCHES 256  /* pairs that are remembered */
#define TYI_BODY_ASK     (TY_SECOND / 10)

typedef struct tyi_body_world tyi_body_world;

/* What a world asks its owner. */
typedef struct tyi_body_world_def {
    const ty_alloc *alloc;
    void *user;
    /* rocks near a rover that reach above a height [m]: at most room */
    int (*rocks)(void *user, int rover, ty_vec3 centre, double reach, double above, tyi_body_thing *out, int room);
    /* one of them by its id; false: it is not near that rover any more */
    bool (*rock)(void *user, int rover, uint64_t id, tyi_body_thing *out);
    /* where moved thing number `thing` is dt [s] from now, and how it moves till then */
    void (*motion)(void *user, int thing, double dt, tyi_body_motion *out);
} tyi_body_world_def;

/* Two that touch, or did a moment ago: once for each rover of the two. Plain data. */
typedef struct tyi_body_touch {
    int32_t rover, kind; /* kind and id of the other */
    uint64_t id;
    char name[TY_NAME_MAX]; /* of the other */
    double begin, last;     /* [s] first and last step of contact */
    double force, peak;     /* [N] of the last of these steps, most so far */
    ty_vec3 at;             /* [m] W, where it began */
} tyi_body_touch;

ty_status tyi_body_world_create(const tyi_body_world_def *def, tyi_body_world **out, ty_diag *diag);
void tyi_body_world_destroy(tyi_body_world *world); /* NULL is allowed; before its rovers' bodies */
/* A rover, numbered in the order of joining; its bodies are kept by reference. */
ty_status tyi_body_world_join(tyi_body_world *world, tyi_body_mbd *mbd, const char *name, ty_diag *diag);
/* What is there all the time; copied, parts by reference. Moved ones are numbered in the order in which they come. */
ty_status tyi_body_world_add(tyi_body_world *world, const tyi_body_thing *thing, ty_diag *diag);

/* All that came, in that order; those that were taken away keep their place. Until the next comes. */
int tyi_body_world_things(const tyi_body_world *world, const tyi_body_thing **out);

/* A rover is there, or not: then it neither moves nor touches anything. Between steps. */
ty_status tyi_body_world_set_away(tyi_body_world *world, int rover, bool away, uint64_t step, ty_diag *diag);
/* One that sleeps is not stepped; whoever comes near finds it as it stands. Only one that is in no group. */
void tyi_body_world_set_asleep(tyi_body_world *world, int rover, bool asleep);
bool tyi_body_world_alone(const tyi_body_world *world, int rover);
/* Takes a thing that stands away, by kind and id (a rock, too, once its owner does not tell of it any more): groups that hold it
 * are made anew at once. */
ty_status tyi_body_world_take(tyi_body_world *world, int kind, uint64_t id, uint64_t step, ty_diag *diag);

/* Between steps: rovers into groups, by where they are now. Allocates where groups change. */
ty_status tyi_body_world_arrange(tyi_body_world *world, uint64_t step, ty_diag *diag);
/* The step of all groups and single rovers, t [s] at its end; allocates nothing. */
ty_status tyi_body_world_step(tyi_body_world *world, uint64_t step, double t, double dt, ty_diag *diag);
int tyi_body_world_touches(const tyi_body_world *world, const tyi_body_touch **out);
int tyi_body_world_groups(const tyi_body_world *world);
/* As tyi_body_world_arrange(), for the groups of rovers near a thing alone (rover -1), or for that of a rover. */
ty_status tyi_body_world_arrange_near(tyi_body_world *world, int rover, const tyi_body_thing *thing, uint64_t step,
                                      ty_diag *diag);
bool tyi_body_world_near(tyi_body_world *world, const tyi_body_thing *thing); /* some rover is as near to it */
/* A rover that lies inside something by more than depth [m]: whose names, and by how much. Asks as groups stand. */
bool tyi_body_world_inside(const tyi_body_world *world, double depth, const char *name[2], bool *both_rovers,
                           double *by);
/* likewise: TY_ERR_INPUT with both names */
ty_status tyi_body_world_check_free(const tyi_body_world *world, double depth, ty_diag *diag);

/* Worlds that are moved by several (src/sim/share.h). A lent rover is moved elsewhere: it is in no group, nobody meets it, and it is not stepped. */
void tyi_body_world_lend(tyi_body_world *world, int rover, bool lent);
/* Where a rover is and how far it reaches, and by these of all rovers, lent ones too: who is less than `more` [m] beyond the reach of whom, directly
 * or by others. root[i] is the lowest number of i's. With more than members of groups stay within, groups lie within one of these. */
typedef struct tyi_body_place {
    ty_vec3 centre;
    double radius, speed; /* [m], [m/s] */
} tyi_body_place;
tyi_body_place tyi_body_world_place(tyi_body_world *world, int rover);
void tyi_body_world_clusters(tyi_body_world *world, const tyi_body_place *place, double more, int *root);
/* The group of which this rover is the first, as bytes; 0: it is none. out NULL: how many. */
size_t tyi_body_world_group_save(const tyi_body_world *world, int rover, void *out);
/* That group, of rovers that are by themselves and as they were when it was saved. */
ty_status tyi_body_world_group_restore(tyi_body_world *world, uint64_t step, const void *saved, ty_diag *diag);
/* What was touched in a step, in its order; first: of the group. And the same for a world that did not move anything. */
typedef void (*tyi_body_heard)(void *user, int first, const tyi_body_touch *touch);
void tyi_body_world_listen(tyi_body_world *world, tyi_body_heard heard, void *user);
void tyi_body_world_touch(tyi_body_world *world, const tyi_body_touch *now);

/* Groups and touches as bytes; out NULL: their number. The rovers' states are saved by themselves. */
size_t tyi_body_world_save(const tyi_body_world *world, void *out);
/* All rovers by themselves: before their states are restored. */
ty_status tyi_body_world_scatter(tyi_body_world *world, ty_diag *diag);
/* The groups of a saved world, after that. */
ty_status tyi_body_world_restore(tyi_body_world *world, uint64_t step, const void *saved, size_t bytes, ty_diag *diag);

#endif
