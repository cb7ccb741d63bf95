/* src/soil/crm/lattice.h - bodies of any shape: their distances on a lattice that turns with them, from a mesh or from several simple solids.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_CRM_LATTICE_H
#define TYI_CRM_LATTICE_H
#include "bed.h"

typedef struct tyi_crm_lattice {
    int nodes[3]; /* along x (fastest), y, z */
    ty_vec3 low;  /* [m] of the first node, in the body's axes */
    double cell;  /* [m] between nodes */
    double round; /* [m] of a ball about the body's origin that holds the shape */
    float *value; /* [m] distances, negative inside */
    const ty_alloc *alloc;
} tyi_crm_lattice;

/* One of the solids that make up a shape. */
typedef struct tyi_crm_part_shape {
    tyi_crm_shape shape; /* no plane, no wheel */
    double a, b, c;      /* [m] as in tyi_crm_body */
    ty_pose pose;        /* in the body's axes */
} tyi_crm_part_shape;

/* The nearest of several solids. cell [m] between nodes, a quarter of the spacing does; reach [m] that distances are wanted beyond the
 * surface, half the spacing and more. Freed by tyi_crm_lattice_free(). TY_ERR_RANGE, TY_ERR_MEMORY. */
ty_status tyi_crm_lattice_parts(const tyi_crm_part_shape *part, size_t parts, double cell, double reach,
                                const ty_alloc *alloc, tyi_crm_lattice *out, ty_diag *diag);
/* A mesh: soil keeps off its faces on both sides, so open and thin ones do too; what no way leads to from outside is inside. Distances are right up
 * to `reach` from the faces and that or more beyond. */
ty_status tyi_crm_lattice_mesh(const float *vertex, size_t vertices, const uint32_t *triangle, size_t triangles,
                               double cell, double reach, const ty_alloc *alloc, tyi_crm_lattice *out, ty_diag *diag);
/* A closed mesh as codes with markers have it: balls of half of `apart` [m] on a grid that begins at the mesh's lowest corner, where its points lie inside
 * the mesh. Sheets thinner than that have holes. */
ty_status tyi_crm_lattice_markers(const float *vertex, size_t vertices, const uint32_t *triangle, size_t triangles,
                                  double apart, double cell, double reach, const ty_alloc *alloc, tyi_crm_lattice *out,
                                  ty_diag *diag);
void tyi_crm_lattice_free(tyi_crm_lattice *lattice); /* all zero is allowed */

/* A drum that digs, about y: two discs, and `scoops` sheets that wind inwards from the rim, so that it fills when it turns forwards (as a wheel
 * does) and empties the other way. radius, width, sheet [m]; turns: that a sheet winds over; part: room for TYI_CRM_DRUM_PARTS. Returns how many. */
enum { TYI_CRM_DRUM_PARTS = 66 };
size_t tyi_crm_drum(double radius, double width, double sheet, int scoops, double turns, tyi_crm_part_shape *part);

#endif
