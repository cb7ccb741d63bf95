/* src/soil/crm/box.h - the box of a bed of particles: places as integers, and the cells that neighbours are looked for in.
 * Along a periodic axis 2^32 units are the length of the box, so that the difference of two places wraps to the nearest image by itself; along
 * others the box is a quarter of that.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_CRM_BOX_H
#define TYI_CRM_BOX_H
#include "core/core.h"
#include "tycho/math.h"

#define TYI_CRM_OUTSIDE (3 << 29) /* [unit] the box ends at 1 << 29: a particle that flew its length past it */

typedef int32_t tyi_crm_i4 __attribute__((vector_size(16), may_alias));

typedef struct tyi_crm_box {
    double corner[3];       /* [m] the low corner */
    double unit[3], inv[3]; /* [m] of a place, and 1 / that */
    int32_t low[3];         /* [unit] of the low corner */
    int cells[3];
    uint32_t cell[3]; /* [unit] */
    int near;         /* cells on each side in which neighbours are */
    bool periodic[3];
} tyi_crm_box;

/* Neighbours are at most `reach` [m] apart, and at most `near` cells, 1 or 2. who: starts the sentence where an axis is too short or, above `most` [m], too long. */
ty_status tyi_crm_box_make(const char *who, ty_vec3 low, ty_vec3 high, const bool *periodic, double reach, int near,
                           double least, double most, tyi_crm_box *out, ty_diag *diag);
size_t tyi_crm_box_cells(const tyi_crm_box *box);
int32_t tyi_crm_box_units(const tyi_crm_box *box, int axis, double x); /* [m] to units */
tyi_crm_i4 tyi_crm_box_place(const tyi_crm_box *box, ty_vec3 x);       /* the last number is 0 */
ty_vec3 tyi_crm_box_point(const tyi_crm_box *box, tyi_crm_i4 x);       /* [m] */
int tyi_crm_box_outside(const tyi_crm_box *box, tyi_crm_i4 x);         /* an axis along which it has left; -1: none */
/* Whether x [m] may be put into the box; the axis along which it may not. */
bool tyi_crm_box_holds(const tyi_crm_box *box, ty_vec3 high, ty_vec3 x, int *axis);

/* The box as kernels/sort.cl has it; reach2 [m^2], n particles with at most `most` neighbours. */
typedef struct tyi_crm_device_box {
    int32_t cells[3];
    uint32_t cell[3];
    int32_t low[3], periodic[3];
    float unit[3], inv[3], reach2;
    int32_t n, most, near;
} tyi_crm_device_box;
tyi_crm_device_box tyi_crm_box_send(const tyi_crm_box *box, double reach2, size_t n, int most);

/* Keys of n places, and the first of each cell: start has one more entry than there are cells. */
void tyi_crm_box_count(const tyi_crm_box *box, const tyi_crm_i4 *x, size_t n, uint32_t *key, uint32_t *start);

/* The cells near the one of x, without one twice; those along x as runs of so many that follow each other: two where they wrap. */
enum { TYI_CRM_NEAR = 5 };
typedef struct tyi_crm_around {
    int x[2], wide[2], runs;
    int y[TYI_CRM_NEAR], z[TYI_CRM_NEAR], ny, nz;
} tyi_crm_around;
tyi_crm_around tyi_crm_box_around(const tyi_crm_box *box, tyi_crm_i4 x);

#endif
