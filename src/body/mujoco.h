/* src/body/mujoco.h - what mbd_mujoco.c and group_mujoco.c share; no other file sees MuJoCo.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_BODY_MUJOCO_H
#define TYI_BODY_MUJOCO_H
#include <mujoco/mujoco.h>
#include <string.h>
#include "group.h"

/* of a tree on a free joint, about its centre of mass */
typedef struct tyi_body_momentum {
    ty_vec3 linear, angular; /* [kg m/s], [kg m^2/s] */
} tyi_body_momentum;

/* Trees that move in one model: a rover alone in its own, or several with what they may touch. */
struct tyi_body_group {
    mjModel *m;
    mjData *d;
    const ty_alloc *alloc;
    double *motor, *soil;    /* nv each: generalised forces of this step */
    double *q0, *v0, *warm0; /* the state before this step */
    double *raw;             /* nq: qpos as it was before MuJoCo normalised its quaternions, which it does again
                  * each time and never twice to the same bits: what is saved, so that a restored
                  * run normalises as often as the first one */
    double *room;
    size_t doubles;
    tyi_body_mbd **member;
    int members;
    tyi_body_owner *owner; /* of each shape; NULL: nothing is touched in it */
    int *mover;            /* MuJoCo's number of each moved body */
    tyi_body_motion *motion;
    int movers;
    tyi_body_press press[TYI_BODY_PRESSES]; /* of the last step */
    int presses;
};

struct tyi_body_mbd {
    const ty_alloc *alloc;
    tyi_body_group own;  /* its model by itself */
    tyi_body_mbd *self;  /* the one member of that */
    tyi_body_group *in;  /* where it moves */
    int body0, joint0;   /* the first of its bodies and joints there */
    int dof0, q0;        /* and of its velocities and coordinates */
    mjSpec *spec;        /* what its model was made of */
    int actuators;       /* of its file, which are not used */
    int root, root_dof;  /* in its own model: the body on the free joint, the first of its degrees of freedom */
    bool urdf;           /* collision shapes are not drawn where a body has visual ones */
    bool *dressed;       /* bodies of its own model: it looks like files, which are not in the model */
    tyi_body_hull *hull; /* what touches others */
    int hulls;
    tyi_body_momentum was; /* before this step, with the root's attitude and its place from the centre of mass */
    ty_quat root_q;
    ty_vec3 root_arm;
    ty_vec3 centre; /* [m] W, its centre of mass before this step */
    ty_vec3 off;    /* [m] from there to where momentum would have carried it: made good in the next step, in groups */
    double work[3]; /* [J] of the last step */
};

static inline void tyi_body_copy(double *to, const double *from, mjtSize n)
{
    memcpy(to, from, (size_t)n * sizeof *to);
}

static inline void tyi_body_zero(double *to, mjtSize n)
{
    memset(to, 0, (size_t)n * sizeof *to);
}

static inline ty_vec3 tyi_body_vec(const double *v)
{
    return ty_vec3_make(v[0], v[1], v[2]);
}

static inline ty_quat tyi_body_quat(const double *q)
{
    return (ty_quat){ q[0], q[1], q[2], q[3] };
}

/* mbd_mujoco.c: runs work; false: MuJoCo gave up, the text says why (one line). */
bool tyi_body_guarded(void (*work)(void *), void *user);
const char *tyi_body_why(void);
/* MuJoCo's compiler is not to be run by two threads at once. */
void tyi_body_compiler_lock(void);
void tyi_body_compiler_unlock(void);

/* group_mujoco.c: room for a model's step; m and d are there. */
ty_status tyi_body_group_init(tyi_body_group *g, const ty_alloc *alloc, ty_diag *diag);
void tyi_body_group_free(tyi_body_group *g);

#endif
