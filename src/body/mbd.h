/* src/body/mbd.h - the seam to the multibody library: only mbd_mujoco.c knows that it is MuJoCo.
 *
 * A tree of bodies with joints. Joints named in a rover file have one degree of freedom each;
 * motors act on these, the ground acts on bodies. A step is in two halves: tyi_body_mbd_begin() brings
 * positions and velocities of all bodies up to date, then forces are set, then tyi_body_mbd_end() moves
 * on.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_BODY_MBD_H
#define TYI_BODY_MBD_H
#include "tycho/body.h"

typedef struct tyi_body_mbd tyi_body_mbd;
typedef struct tyi_body_group tyi_body_group;

/* A convex shape that touches others: of a body, or of a thing that stands. */
typedef struct tyi_body_hull {
    ty_body_shape_kind kind; /* sphere, capsule, cylinder, ellipsoid, box, mesh (the hull of its points) */
    int body;
    ty_pose pose;        /* in the body */
    ty_vec3 size;        /* [m] as of ty_body_shape */
    const float *vertex; /* mesh: 3 per point, times scale */
    int vertices;
    double scale;
    bool wheel;
    ty_vec3 mid, half; /* [m] box around it, along the axes of its pose: tyi_body_hull_bound() */
} tyi_body_hull;
void tyi_body_hull_bound(tyi_body_hull *hull);

/* Reads an MJCF file (urdf NULL), or takes what was made of a URDF file; path stands in messages. TY_ERR_FILE,
 * TY_ERR_FORMAT, TY_ERR_INPUT, TY_ERR_MEMORY. */
struct tyi_body_urdf;
ty_status tyi_body_mbd_create(const char *path, const struct tyi_body_urdf *urdf, double gravity,
                              ty_body_integrator integrator, const ty_alloc *alloc, tyi_body_mbd **out, ty_diag *diag);
/* Likewise of a text in MJCF, for a thing that is no rover; Euler's step. */
ty_status tyi_body_mbd_create_text(const char *name, const char *text, double gravity, tyi_body_mbd **out,
                                   ty_diag *diag);
void tyi_body_mbd_destroy(tyi_body_mbd *mbd);

int tyi_body_mbd_bodies(const tyi_body_mbd *mbd); /* without the world */
const char *tyi_body_mbd_body_name(const tyi_body_mbd *mbd, int body);
int tyi_body_mbd_find_body(const tyi_body_mbd *mbd, const char *name); /* -1: there is none */
int tyi_body_mbd_joints(const tyi_body_mbd *mbd);
const char *tyi_body_mbd_joint_name(const tyi_body_mbd *mbd, int joint);
int tyi_body_mbd_find_joint(const tyi_body_mbd *mbd, const char *name);
bool tyi_body_mbd_joint_hinge(const tyi_body_mbd *mbd, int joint);
/* [kg m^2] of what it turns, as the model stands */
double tyi_body_mbd_joint_inertia(const tyi_body_mbd *mbd, int joint);
int tyi_body_mbd_joint_body(const tyi_body_mbd *mbd, int joint);
bool tyi_body_mbd_joint_range(const tyi_body_mbd *mbd, int joint, double *low, double *high);
bool tyi_body_mbd_hangs_on(const tyi_body_mbd *mbd, int body, int above); /* the same body, or moved by its joints */
bool tyi_body_mbd_body_free(const tyi_body_mbd *mbd, int body);           /* hangs on the world by a free joint */
double tyi_body_mbd_mass(const tyi_body_mbd *mbd);
int tyi_body_mbd_actuators(const tyi_body_mbd *mbd); /* how many its file has, which are not used */
double tyi_body_mbd_body_mass(const tyi_body_mbd *mbd, int body);
int tyi_body_mbd_dofs(const tyi_body_mbd *mbd);
int tyi_body_mbd_shapes(const tyi_body_mbd *mbd, ty_body_shape *out); /* out NULL: only how many */

/* All joints at zero and at rest, the free body at a pose. */
void tyi_body_mbd_reset(tyi_body_mbd *mbd, int body, ty_pose pose);
void tyi_body_mbd_set_twist(tyi_body_mbd *mbd, int body, ty_vec3 v_W, ty_vec3 omega_B);

/* Valid after tyi_body_mbd_begin(). */
ty_vec3 tyi_body_mbd_centre(const tyi_body_mbd *mbd); /* [m] W: centre of mass of the tree on the free joint */
ty_pose tyi_body_mbd_pose(const tyi_body_mbd *mbd, int body);
void tyi_body_mbd_twist(const tyi_body_mbd *mbd, int body, ty_vec3 at_W, ty_vec3 *v_W,
                        ty_vec3 *omega_W); /* of the body's point at_W */
void tyi_body_mbd_joint_frame(const tyi_body_mbd *mbd, int joint, ty_vec3 *anchor_W, ty_vec3 *axis_W);
void tyi_body_mbd_joint_state(const tyi_body_mbd *mbd, int joint, double *angle, double *rate);

/* Forces of this step. */
void tyi_body_mbd_torque(tyi_body_mbd *mbd, int joint, double torque);
void tyi_body_mbd_force(tyi_body_mbd *mbd, int body, ty_vec3 at_W, ty_vec3 force, ty_vec3 torque);

ty_status tyi_body_mbd_begin(tyi_body_mbd *mbd, uint64_t step, ty_diag *diag);
/* The step of a rover that moves by itself; those in a group: tyi_body_group_step(). */
ty_status tyi_body_mbd_end(tyi_body_mbd *mbd, uint64_t step, double dt, ty_diag *diag);
/* [J] of motors, of the ground and of joint dampers in the last step */
void tyi_body_mbd_work(const tyi_body_mbd *mbd, double work[3]);

/* What touches others of its kind; copied, vertices are kept by reference. */
ty_status tyi_body_mbd_set_hulls(tyi_body_mbd *mbd, const tyi_body_hull *hull, int hulls, ty_diag *diag);
int tyi_body_mbd_hulls(const tyi_body_mbd *mbd, const tyi_body_hull **out);

void tyi_body_mbd_energy(tyi_body_mbd *mbd, double *kinetic, double *potential, ty_vec3 *linear, ty_vec3 *angular);
double tyi_body_mbd_loop_error(const tyi_body_mbd *mbd);

size_t tyi_body_mbd_state_count(const tyi_body_mbd *mbd); /* doubles */
void tyi_body_mbd_save(const tyi_body_mbd *mbd, double *out);
void tyi_body_mbd_restore(tyi_body_mbd *mbd, const double *in);

#endif
