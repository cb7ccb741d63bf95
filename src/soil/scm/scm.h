/* src/soil/scm.h - the grid of soil columns: what its files share.
 *
 *     scm.c          creating, stepping, saving          scm_tile.c    tiles, levels, edits
 *     scm_shape.c    undersides of bodies                scm_table.c   tables of them
 *     scm_profile.c  shapes: lugs, meshes, plates        scm_window.c  where to look
 *     scm_contact.c  patches, stresses, forces           scm_flow.c    berms
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SOIL_SCM_H
#define TYI_SOIL_SCM_H
#include "core/core.h"
#include "core/index.h"
#include "soil.h"
#include "k_scm.h"
#include "scm_grid.h"

enum {
    TYI_SOIL_TILE_BITS = 5,
    TYI_SOIL_TILE = 1 << TYI_SOIL_TILE_BITS,
    TYI_SOIL_TILE_NODES = TYI_SOIL_TILE * TYI_SOIL_TILE
};
enum { TYI_SOIL_SCM_SHAPES = 64, TYI_SOIL_SCM_QUEUE = 1 << 14 };

/* One column. Its level without load is rest - cover * plastic: the share `cover` of the cell has been
 * pressed down by `plastic`. */
typedef struct tyi_soil_column {
    double rest;      /* [m] level from which sinkage counts */
    double plastic;   /* [m] sinkage that stays */
    double most;      /* [m] largest sinkage so far */
    double told;      /* [m] level that the last edits gave */
    double natural;   /* [m] level before anything came */
    double met;       /* [m] level when the contact that it is in, or was last in, began */
    float cover;      /* [-] share of the cell that was ever pressed since */
    float mx, my, mp; /* [-] mobilised shear, W, and the most so far */
    float print;      /* [m] slot that a lug has left below the level; shown, not counted as volume */
    float gx, gy;     /* [-] slope of the print: of the body's underside when it last went deeper */
    uint32_t stamp;   /* step of the last contact */
    uint8_t kind, queued;
} tyi_soil_column;

typedef struct tyi_soil_scm_tile {
    int64_t ti, tj;
    int dirty[4]; /* nodes changed since the last edits: i0, j0, i1, j1; i0 > i1: none */
    tyi_soil_column node[TYI_SOIL_TILE_NODES];
} tyi_soil_scm_tile;

typedef struct tyi_soil_scm_kind {
    double k_c, k_phi, n, c, tan_phi, K, elastic, limit /* [m] repose over one cell */, berm;
    double damping, g, unload, shear_time;
    double phi, weight; /* [rad], [N/m^3] for lugs */
    double n1, n1_skid; /* [-] growth of n with slip and skid */
} tyi_soil_scm_kind;

typedef enum tyi_soil_shape_kind {
    TYI_SOIL_CYLINDER,
    TYI_SOIL_TABLE,
    TYI_SOIL_PLATE,
    TYI_SOIL_DISC
} tyi_soil_shape_kind;

/* Underside of a turned wheel at one place, as height above the lowest point of the outer circle, in units
 * of `unit`: of what carries (blades taken off, see scm_table.c) its point, its mean over a cell and its
 * lowest in a cell; of all of it the point and the mean. */
typedef struct tyi_soil_under {
    uint16_t point, mean, low, tip, tips;
} tyi_soil_under;

typedef struct tyi_soil_table {
    int rows, columns, slices; /* spin angle within a sector, place along the wheel, across */
    double sector;             /* [rad] */
    double step, first;        /* [m] columns */
    double unit;               /* [m] */
    tyi_soil_under *at;        /* [(row * slices + slice) * columns + column] */
} tyi_soil_table;

typedef struct tyi_soil_scm_shape {
    tyi_soil_shape_kind kind;
    double r, outer, b; /* [m] what carries (mean radius), outermost, width; plate: half sides r, b / 2; disc: r */
    double lug_h;       /* [m] how far blades stand out of what carries; 0: none */
    int lugs;           /* blades around */
    double y0;          /* [m] mesh: middle of its width */
    tyi_soil_table table;
} tyi_soil_scm_shape;

/* A body in a step: where its underside is. */
typedef struct tyi_soil_frame {
    const tyi_soil_scm_shape *shape;
    ty_vec3 c;                 /* [m] centre */
    double fx, fy, sx, sy;     /* horizontal unit vectors along and across */
    double cg, sg;             /* cosine, sine of the axle's tilt */
    const tyi_soil_under *row; /* table at this spin angle */
    ty_vec3 ax, ay, az;        /* the body's axes */
    double cell;
    double ground_x, ground_y; /* [-] slope of the ground, which the underside is compared with */
} tyi_soil_frame;

typedef struct tyi_soil_spot {
    double z, h;   /* [m] height of the underside in the middle of a cell, +- over the cell */
    double gx, gy; /* [-] its slope */
    double w;      /* [-] share of the cell under the body */
    double blade;  /* [m] how far blades reach below z, mean over the cell */
} tyi_soil_spot;

typedef struct tyi_soil_hit {
    tyi_soil_column *node;
    tyi_soil_scm_tile *tile;
    int at; /* in the window */
    tyi_soil_spot spot;
} tyi_soil_hit;

/* The part of the grid around one body, and room to work on it. */
typedef struct tyi_soil_window {
    int64_t i0, j0;
    int nx, ny, room; /* nodes now, most on a side */
    int64_t ti0, tj0;
    int tx, ty, tiles_room;
    tyi_soil_scm_tile **tile; /* tx * ty */
    int *label;               /* patch of a node, 0: no contact */
    tyi_soil_hit *hit;
    int hits;
    int *parent;         /* of labels */
    double *area, *edge; /* of patches */
    double displaced;    /* [m^3] in this step, to be heaped up */
    tyi_soil_frame frame;
} tyi_soil_window;

/* What a body keeps from step to step: where the soil may reach. */
typedef struct tyi_soil_slot {
    int64_t i, j;
    double top;    /* [m] highest level under the footprint */
    double gx, gy; /* [-] slope of the natural ground there */
    double slip;   /* [-] of late: over the way of a contact */
    double roll;   /* [-] 1: has rolled forward, -1: backward, 0: stands as it was put down */
    int64_t age;
} tyi_soil_slot;

struct tyi_soil_scm {
    const ty_alloc *alloc;
    double cell;
    int kinds, bodies, threads, shapes, reserve;
    bool berms;
    tyi_soil_scm_kind *kind;
    void (*height)(void *, int64_t, int64_t, int, int, double *);
    void (*which)(void *, int64_t, int64_t, int, int, uint8_t *);
    void (*change)(void *, int64_t, int64_t, int, int, float *);
    void (*pressed)(void *, int64_t, int64_t, int, int, float *, float *);
    void *user;
    tyi_soil_scm_shape shape[TYI_SOIL_SCM_SHAPES];
    /* tiles in the order they came; spare ones wait behind the used, which the index has */
    tyi_soil_scm_tile **tile;
    int tiles, spare, tiles_room;
    tyi_index index;
    uint32_t step;
    tyi_soil_slot *slot;
    tyi_soil_window *window;
    uint32_t *queue; /* ring: tile index << 10 | node */
    uint32_t queue_head, queue_count;
    float edit[TYI_SOIL_TILE_NODES];
    tyi_soil_column renewed[TYI_SOIL_TILE_NODES];
};

static inline double tyi_soil_column_level(const tyi_soil_column *node)
{
    return node->rest - (double)node->cover * node->plastic;
}

/* ---- scm_tile.c */
/* NULL: out of memory */
tyi_soil_scm_tile *tyi_soil_scm_tile_get(tyi_soil_scm *scm, int64_t ti, int64_t tj);
tyi_soil_scm_tile *tyi_soil_scm_tile_find(const tyi_soil_scm *scm, int64_t ti, int64_t tj, uint32_t *index);
/* Columns of the rectangle that are there, and which no body has touched of late, begin anew from what the ground is now: others have changed it. */
void tyi_soil_scm_renew(tyi_soil_scm *scm, int64_t i0, int64_t j0, int64_t i1, int64_t j1);
/* The column of a node; NULL: it is not there. */
const tyi_soil_column *tyi_soil_scm_column(const tyi_soil_scm *scm, int64_t i, int64_t j);
bool tyi_soil_scm_tiles_reserve(tyi_soil_scm *scm, int count);
void tyi_soil_scm_tiles_free(tyi_soil_scm *scm);
static inline void tyi_soil_scm_tile_touch(tyi_soil_scm_tile *tile, int at)
{
    int i = at & (TYI_SOIL_TILE - 1), j = at >> TYI_SOIL_TILE_BITS, *d = tile->dirty;
    d[0] = i < d[0] ? i : d[0];
    d[1] = j < d[1] ? j : d[1];
    d[2] = i > d[2] ? i : d[2];
    d[3] = j > d[3] ? j : d[3];
}

/* ---- scm_shape.c */
tyi_soil_frame tyi_soil_frame_make(const tyi_soil_scm_shape *shape, const tyi_soil_scm_body *body, double cell);
/* Underside of the body over a point dx, dy [m] from its centre; false: not over it. */
bool tyi_soil_frame_under(const tyi_soil_frame *frame, double dx, double dy, tyi_soil_spot *out);
double tyi_soil_shape_reach(const tyi_soil_scm_shape *shape); /* [m] from the centre, seen from above */

/* ---- scm_table.c, scm_profile.c */
#define TYI_SOIL_PROFILE_FINE 1e-4 /* [m] of rim between the radii of a profile, and of way between columns */
typedef struct tyi_soil_profile {
    double *radius; /* [m] slices * columns, over one sector, from straight down towards +x */
    double *carry;  /* [m] the same without blades */
    int columns, slices;
    double outer;
    double mean;  /* [m] of carry */
    double lug_h; /* [m] how far blades stand out, mean over the slices that have any */
    double lugs;  /* blades in the sector, likewise */
} tyi_soil_profile;
ty_status tyi_soil_table_make(tyi_soil_table *table, const tyi_soil_profile *profile, double sector, double cell,
                              const ty_alloc *alloc, ty_diag *diag);
void tyi_soil_table_free(tyi_soil_table *table, const ty_alloc *alloc);

/* ---- scm_window.c, scm_contact.c */
bool tyi_soil_window_place(tyi_soil_scm *scm, int body, const tyi_soil_scm_body *state); /* false: no memory */
void tyi_soil_contact(tyi_soil_scm *scm, int body, const tyi_soil_scm_body *state, double dt, tyi_soil_scm_load *out);
static inline tyi_soil_column *tyi_soil_window_node(const tyi_soil_window *w, int64_t i, int64_t j,
                                                    tyi_soil_scm_tile **tile)
{
    int64_t ti = (i >> TYI_SOIL_TILE_BITS) - w->ti0, tj = (j >> TYI_SOIL_TILE_BITS) - w->tj0;
    *tile = w->tile[tj * w->tx + ti];
    return &(*tile)->node[(j & (TYI_SOIL_TILE - 1)) << TYI_SOIL_TILE_BITS | (i & (TYI_SOIL_TILE - 1))];
}

/* ---- scm_flow.c */
void tyi_soil_berm(tyi_soil_scm *scm, int body);
bool tyi_soil_flow(tyi_soil_scm *scm); /* false: no memory for a tile that soil flows into */

#endif
