/* include/tycho/body.h - bodies of the multibody model: how they are stepped, and what they look like.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_BODY_H
#define TYCHO_BODY_H
#include "tycho/math.h"
TY_BEGIN_DECLS

#define TY_NAME_MAX 64 /* bytes of a name of a body, joint, wheel, mount, motor */

typedef enum ty_body_integrator {
    TY_INTEGRATOR_EULER, /* semi-implicit, joint damping implicit: the default */
    TY_INTEGRATOR_RK4    /* fourth order; soil forces are those at the start of the step */
} ty_body_integrator;

/* What can be drawn: one shape of one body. Sizes as in MJCF. */
typedef enum ty_body_shape_kind {
    TY_SHAPE_SPHERE,    /* size x: radius */
    TY_SHAPE_CAPSULE,   /* x: radius, y: half length of the straight part, along z */
    TY_SHAPE_CYLINDER,  /* x: radius, y: half length, along z */
    TY_SHAPE_ELLIPSOID, /* half axes */
    TY_SHAPE_BOX,       /* half sides */
    TY_SHAPE_MESH,      /* vertices and faces */
    TY_SHAPE_FILE       /* a model that the rover's file or its URDF names */
} ty_body_shape_kind;
typedef struct ty_body_shape {
    ty_body_shape_kind kind;
    int body;
    ty_pose pose; /* in the body */
    ty_vec3 size; /* [m] */
    float rgba[4];
    const float *vertex; /* mesh: 3 per vertex [m], in the shape's frame; lives as long as the vehicle */
    const int *face;     /* 3 per triangle */
    int vertices, faces;
    const char *file; /* of a model; size: metres per unit of the file along its axes; lives as long as the vehicle */
    bool optional;    /* a file that cannot be read is passed over */
} ty_body_shape;

TY_END_DECLS
#endif
