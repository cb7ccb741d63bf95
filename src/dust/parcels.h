/* src/dust/parcels.h - what the files of dust share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_DUST_PARCELS_H
#define TYI_DUST_PARCELS_H
#include "dust.h"

#define TYI_DUST_SIZES 512   /* quantiles of the law of sizes */
#define TYI_DUST_BATCH 16384 /* parcels that one wheel raises in a step at most */
#define TYI_DUST_KEEP  0.2   /* [s] that what has landed stays on the list, for windows that close late */

/* Grains that fly together, from where and when they left the ground. */
typedef struct tyi_dust_parcel {
    ty_vec3 x, v;       /* [m], [m/s] at birth, W */
    double born, lands; /* [s]; lands: where the ground ends its way, or when something else did */
    double mass;        /* [kg] */
    float area;         /* [m^2] shadow of its grains */
    float apart[3];     /* [m/s] at which they fly apart, to either side */
    float left[3];      /* [m/s] velocity of what they left */
    int32_t group;
    int32_t state; /* tyi_dust_state */
    bool rock;     /* what ends its way is a rock, */
    bool above;    /* on a face that looks upwards */
    char spare[2];
} tyi_dust_parcel;

typedef enum tyi_dust_state { TYI_DUST_FLIES, TYI_DUST_DONE } tyi_dust_state;

/* what a source is still owed, and how many parcels it has raised: the counter of its random numbers */
typedef struct tyi_dust_source {
    double due; /* [kg] */
    uint64_t raised;
} tyi_dust_source;

/* what has fallen onto a sample of the ground and is not written there yet */
typedef struct tyi_dust_fallen {
    int32_t i, j;
    float shadow; /* [-] of its grains, over the sample's area */
    uint32_t number;
} tyi_dust_fallen;

/* a rover or an object over a step: its boxes, and a ball around them */
typedef struct tyi_dust_owner {
    int first, end;
    ty_vec3 middle;
    double reach; /* [m] */
} tyi_dust_owner;

struct tyi_dust {
    tyi_dust_def def;
    ty_vec3 fall; /* [m/s^2] gravity, and what a field adds to it */
    tyi_dust_parcel *parcel;
    size_t count;  /* all on the list */
    int32_t *fate; /* of each in the present step: 0 flies on, -1 ground, else 1 + 6 box + face */
    tyi_dust_source *source;
    tyi_dust_deposit *deposit;                    /* 6 of each box */
    double emitted, ground, rovers, objects, out; /* [kg] */
    tyi_dust_fallen *fallen;                      /* room for params.parcels */
    size_t falls;
    uint64_t fell;                /* so far */
    double d[TYI_DUST_SIZES + 1]; /* [m] quantiles by mass */
    int level;                    /* of the terrain */
    double half;                  /* [m] of the site */
    /* room for the search of the ground: batch */
    double *t0, *t1, *f0, *f1, *gx, *gy, *gz;
    /* of the present step */
    double from, to;
    const tyi_dust_box *box;
    const tyi_dust_jet *jet;
    const tyi_dust_seed *seed;
    size_t seeds;
    ty_pose *back; /* inverse poses of the boxes, before and now */
    double *near;  /* [m] how far each reaches, over the step */
    int boxes;
    tyi_dust_owner *owner;        /* of those that are there, */
    int owners;                   /* so many; room for one a box */
    struct tyi_dust_rocks *rocks; /* NULL: the ground has none */
};

/* sizes.c */
void tyi_dust_sizes(const ty_dust_params *params, double d[TYI_DUST_SIZES + 1]);

/* source.c: new parcels of a wheel at the end of the list, without their landing; returns how many */
size_t tyi_dust_raise(tyi_dust *dust, int wheel, const tyi_dust_wheel *w);

double tyi_dust_size(const tyi_dust *dust, double u); /* [m] of a quantile by mass */
static inline int tyi_dust_sources(const tyi_dust *dust)
{
    return dust->def.wheels + dust->def.jets + dust->def.seeds;
}
/* others.c: the same of a blade or plume, and of all particles of soil */
size_t tyi_dust_blow(tyi_dust *dust, int jet, const tyi_dust_jet *j);
size_t tyi_dust_shed(tyi_dust *dust);
void tyi_dust_leave_site(const tyi_dust *dust, tyi_dust_parcel *parcel, size_t n);

/* lay.c */
void tyi_dust_fell(tyi_dust *dust, ty_vec3 at, double area);

/* land.c: when each of n parcels meets the ground */
ty_status tyi_dust_land(tyi_dust *dust, tyi_dust_parcel *parcel, size_t n, ty_diag *diag);

/* rocks.c: stones in the ground on the way of n parcels that know when they land. NULL out: this ground has none */
ty_status tyi_dust_rocks_create(ty_terrain *terrain, struct tyi_dust_rocks **out, ty_diag *diag);
void tyi_dust_rocks_destroy(struct tyi_dust_rocks *rocks); /* NULL is allowed */
ty_status tyi_dust_rocks_stop(tyi_dust *dust, tyi_dust_parcel *parcel, size_t n, ty_diag *diag);
#define TYI_DUST_UP 0.5 /* [-] vertical part of a face's normal from which on it holds all that falls on it */

/* meet.c: what parcels meet in the present step, into fate */
void tyi_dust_meet(tyi_dust *dust);

/* What grains of a parcel fly apart by: left at a velocity of its own, to the side of its way (a unit vector) or the other one. */
void tyi_dust_part(tyi_dust_parcel *p, ty_vec3 left, ty_vec3 aside);
/* [m] by which they are apart after t [s], to either side: to the side, and along the way, as they did not leave all at once */
ty_vec3 tyi_dust_apart(const tyi_dust *dust, const tyi_dust_parcel *p, double t);
ty_vec3 tyi_dust_place(const tyi_dust *dust, const tyi_dust_parcel *p, double time);

#endif
