/* src/soil/scm_profile.c - shapes: a wheel with lugs, or a mesh, into the radius over the angle, and from there by
 * scm_table.c into its underside; plates.
 *
 * Blades - what is thinner, around the wheel, than the tread is high - are told apart from what carries. A
 * thin plate cuts into soil without pressing it down, and where it is dragged through, the soil closes behind
 * it: columns pressed to its tips would take the ground from under the rim. Measured wheels sink to the rim as
 * smooth ones do, with their lugs all in the ground (Ding 2011: 4.5 to 5 mm with lugs of 10 mm, 5 to 5.5 mm without).
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "scm.h"
#include "scm_grid.h"

static size_t profile_bytes(const tyi_soil_profile *p)
{
    return (size_t)p->columns * (size_t)(2 * p->slices + 1) * sizeof *p->radius;
}

static bool profile_make(tyi_soil_profile *p, double sector, double outer, int slices, const ty_alloc *alloc)
{
    *p = (tyi_soil_profile){ .columns = (int)ceil(2.0 * sector * outer / TYI_SOIL_PROFILE_FINE),
                             .slices = slices,
                             .outer = outer };
    /* radius and carry in one block, then room for one slice */
    p->radius = tyi_get(alloc, profile_bytes(p));
    p->carry = p->radius ? p->radius + (size_t)p->columns * (size_t)slices : NULL;
    return p->radius != NULL;
}

static void profile_free(tyi_soil_profile *p, const ty_alloc *alloc)
{
    tyi_put(alloc, p->radius, profile_bytes(p));
}

/* Least (sign 1) or largest (sign -1) of a ring of n values within +- half of each. */
static void spread_ring(const double *in, int n, int half, double sign, double *out)
{
    for (int i = 0; i < n; i++) {
        double best = in[i];
        for (int k = -half; k <= half; k++) {
            double v = in[((i + k) % n + n) % n];
            best = sign * v < sign * best ? v : best;
        }
        out[i] = best;
    }
}

/* What carries: the radius opened by an arc as long as the tread is high, at most a tenth of the radius.
 * What stands out by more than a millimetre is a blade. */
static void take_blades_off(tyi_soil_profile *p, double sector)
{
    double *room = p->carry + (size_t)p->columns * (size_t)p->slices, around = sector * p->outer / p->columns;
    int slices = 0;
    for (int s = 0; s < p->slices; s++) {
        const double *radius = p->radius + (size_t)s * (size_t)p->columns;
        double *carry = p->carry + (size_t)s * (size_t)p->columns, low = radius[0], high = radius[0], out = 0.0;
        for (int i = 0; i < p->columns; i++) {
            low = fmin(low, radius[i]), high = fmax(high, radius[i]);
        }
        int half = (int)(0.5 * fmin(high - low, 0.1 * p->outer) / around), count = 0;
        spread_ring(radius, p->columns, half, 1.0, room);
        spread_ring(room, p->columns, half, -1.0, carry);
        for (int i = 0; i < p->columns; i++) {
            int before = i ? i - 1 : p->columns - 1;
            double blade = radius[i] - carry[i];
            out = fmax(out, blade);
            count += blade > 1e-3 && radius[before] - carry[before] <= 1e-3;
            p->mean += carry[i] / ((double)p->columns * p->slices);
        }
        if (out > 1e-3) {
            p->lug_h += out, p->lugs += count, slices++;
        }
    }
    p->lug_h /= slices ? slices : 1, p->lugs /= slices ? slices : 1;
}

/* Radius of a wheel with a plate of thickness t standing at angle 0, at angle a [rad] from it. */
static double plate_radius(double r, double tip, double t, double a)
{
    double half = 0.5 * t, to_face = half / fmax(fabs(sin(a)), 1e-12), to_top = tip / cos(a);
    if (fabs(a) > 1.5 || to_face < r) {
        return r;
    }
    /* the top of the plate is flat, square to it */
    return fmax(r, fmin(to_face, to_top));
}

static ty_status check_room(const tyi_soil_scm *scm, ty_diag *diag)
{
    if (scm->shapes == TYI_SOIL_SCM_SHAPES) {
        return ty_fail(diag, TY_ERR_RANGE, "scm: takes at most %d shapes", TYI_SOIL_SCM_SHAPES);
    }
    if (scm->step) {
        return ty_fail(diag, TY_ERR_INPUT, "scm: shapes are added before the first step");
    }
    return TY_OK;
}

ty_status tyi_soil_scm_add_wheel(tyi_soil_scm *scm, const ty_wheel_shape *shape, double grouser_t, int *out,
                                 ty_diag *diag)
{
    ty_soil_params any = ty_soil_params_default();
    ty_k_bekker checked;
    ty_status status = check_room(scm, diag);
    status = status == TY_OK ? tyi_soil_wheel_prepare(&any, shape, &checked, diag) : status;
    if (status != TY_OK) {
        return status;
    }
    bool lugs = shape->grousers > 0 && shape->grouser_h > 0.0;
    double sector = lugs ? 2.0 * TY_PI / shape->grousers : 2.0 * TY_PI;
    double tip = shape->r + shape->grouser_h;
    if (lugs && !(grouser_t > 0.0 && grouser_t < sector * shape->r)) {
        return ty_fail(diag, TY_ERR_RANGE,
                       "scm: grouser_t is %g, but takes a thickness above 0 and below the distance "
                       "of the lugs, %g m",
                       grouser_t, sector * shape->r);
    }
    tyi_soil_scm_shape made = {
        .kind = lugs ? TYI_SOIL_TABLE : TYI_SOIL_CYLINDER, .r = shape->r, .outer = shape->r, .b = shape->b
    };
    if (lugs) {
        tyi_soil_profile p;
        made.outer = hypot(tip, 0.5 * grouser_t);
        if (!profile_make(&p, sector, made.outer, 1, scm->alloc)) {
            return ty_fail(diag, TY_ERR_MEMORY, "scm: no memory for the profile of a wheel");
        }
        for (int i = 0; i < p.columns; i++) {
            double a = sector * i / p.columns;
            p.radius[i] = plate_radius(shape->r, tip, grouser_t, a > 0.5 * sector ? a - sector : a);
        }
        take_blades_off(&p, sector);
        made.lug_h = p.lug_h > 0.0 ? shape->grouser_h : 0.0;
        made.lugs = p.lug_h > 0.0 ? shape->grousers : 0;
        made.r = p.lug_h > 0.0 ? shape->r : tip;
        status = tyi_soil_table_make(&made.table, &p, sector, scm->cell, scm->alloc, diag);
        profile_free(&p, scm->alloc);
    }
    if (status == TY_OK) {
        scm->shape[scm->shapes] = made;
        *out = scm->shapes++;
    }
    return status;
}

/* The outline of a triangle cut by the plane y: the radius over each angle of its segment. */
static void cut(tyi_soil_profile *p, int slice, double y, double sector, double v[3][3])
{
    double x[2], z[2];
    int n = 0;
    for (int e = 0; e < 3 && n < 2; e++) {
        const double *a = v[e], *b = v[(e + 1) % 3];
        if ((a[1] < y) != (b[1] < y)) {
            double u = (y - a[1]) / (b[1] - a[1]);
            x[n] = a[0] + u * (b[0] - a[0]);
            z[n++] = a[2] + u * (b[2] - a[2]);
        }
    }
    if (n < 2) {
        return;
    }
    /* angles from straight down towards +x, the short way round */
    double ta = atan2(x[0], -z[0]), turn = atan2(x[1], -z[1]) - ta, column = sector / p->columns;
    turn -= 2.0 * TY_PI * round(turn / (2.0 * TY_PI));
    double low = fmin(ta, ta + turn), high = fmax(ta, ta + turn);
    double dx = x[1] - x[0], dz = z[1] - z[0];
    double *radius = p->radius + (size_t)slice * (size_t)p->columns;
    for (long k = (long)ceil(low / column); (double)k * column <= high; k++) {
        double sx = sin((double)k * column), sz = -cos((double)k * column);
        double across = sx * dz - sz * dx; /* 0: the segment points at the axle */
        double rho =
            fabs(across) > 1e-14 ? (x[0] * dz - z[0] * dx) / across : fmax(hypot(x[0], z[0]), hypot(x[1], z[1]));
        long at = k % p->columns;
        at = at < 0 ? at + p->columns : at;
        radius[at] = fmax(radius[at], rho);
    }
}

typedef struct mesh {
    const float *vertex;
    const int *triangle;
    int vertices, triangles;
    double low, high, outer; /* of y, of the radius */
} mesh;

static ty_status measure(mesh *m, ty_diag *diag)
{
    m->low = INFINITY;
    m->high = -INFINITY;
    for (int i = 0; i < m->vertices; i++) {
        const float *v = m->vertex + 3 * i;
        if (!isfinite(v[0]) || !isfinite(v[1]) || !isfinite(v[2])) {
            return ty_fail(diag, TY_ERR_INPUT, "scm: vertex %d of the mesh is not finite", i);
        }
        m->low = fmin(m->low, (double)v[1]);
        m->high = fmax(m->high, (double)v[1]);
        m->outer = fmax(m->outer, hypot((double)v[0], (double)v[2]));
    }
    for (int i = 0; i < 3 * m->triangles; i++) {
        if (m->triangle[i] < 0 || m->triangle[i] >= m->vertices) {
            return ty_fail(diag, TY_ERR_INPUT, "scm: triangle %d of the mesh has no vertex %d", i / 3, m->triangle[i]);
        }
    }
    if (!(m->outer >= 1e-3 && m->outer <= 10.0 && m->high - m->low >= 1e-3)) {
        return ty_fail(diag, TY_ERR_RANGE,
                       "scm: the mesh has a radius of %g m and a width of %g m, but takes 0.001 to "
                       "10 m",
                       m->outer, m->high - m->low);
    }
    return TY_OK;
}

static ty_status outline(const mesh *m, tyi_soil_profile *p, double sector, ty_diag *diag)
{
    for (int t = 0; t < m->triangles; t++) {
        double v[3][3];
        for (int k = 0; k < 9; k++) {
            v[k / 3][k % 3] = (double)m->vertex[3 * m->triangle[3 * t + k / 3] + k % 3];
        }
        for (int s = 0; s < p->slices; s++) {
            /* off any edge that a mesh may have in its middle */
            double y = m->low + (m->high - m->low) * (s + 0.5 + 1e-4) / p->slices;
            cut(p, s, y, sector, v);
        }
    }
    for (int i = 0; i < p->columns * p->slices; i++) {
        if (!(p->radius[i] > 0.0)) {
            return ty_fail(diag, TY_ERR_INPUT, "scm: the mesh has a gap: at %g deg no triangle surrounds its y axis",
                           sector * (i % p->columns) / p->columns / TY_DEG);
        }
    }
    return TY_OK;
}

ty_status tyi_soil_scm_add_mesh(tyi_soil_scm *scm, const float *vertex, int vertices, const int *triangle,
                                int triangles, int sectors, int slices, int *out, ty_diag *diag)
{
    mesh m = { vertex, triangle, vertices, triangles, 0.0, 0.0, 0.0 };
    ty_status status = check_room(scm, diag);
    if (status == TY_OK && (sectors < 1 || sectors > 1000 || slices < 1 || slices > 32)) {
        status = ty_fail(diag, TY_ERR_RANGE, "scm: %d sectors and %d slices, but takes 1 to 1000 and 1 to 32", sectors,
                         slices);
    }
    status = status == TY_OK ? measure(&m, diag) : status;
    if (status != TY_OK) {
        return status;
    }
    double sector = 2.0 * TY_PI / sectors;
    tyi_soil_profile p;
    tyi_soil_scm_shape made = {
        .kind = TYI_SOIL_TABLE, .r = m.outer, .outer = m.outer, .b = m.high - m.low, .y0 = 0.5 * (m.high + m.low)
    };
    if (!profile_make(&p, sector, m.outer, slices, scm->alloc)) {
        return ty_fail(diag, TY_ERR_MEMORY, "scm: no memory for the profile of a mesh");
    }
    status = outline(&m, &p, sector, diag);
    if (status == TY_OK) {
        take_blades_off(&p, sector);
        made.lug_h = p.lug_h;
        made.lugs = (int)lround(p.lugs * sectors);
        made.r = p.lug_h > 0.0 ? p.mean : m.outer;
        status = tyi_soil_table_make(&made.table, &p, sector, scm->cell, scm->alloc, diag);
    }
    profile_free(&p, scm->alloc);
    if (status == TY_OK) {
        scm->shape[scm->shapes] = made;
        *out = scm->shapes++;
    }
    return status;
}

ty_status tyi_soil_scm_add_plate(tyi_soil_scm *scm, double x, double y, int *out, ty_diag *diag)
{
    ty_status status = check_room(scm, diag);
    if (status == TY_OK && !(x >= 1e-3 && x <= 10.0 && y >= 0.0 && y <= 10.0)) {
        status = ty_fail(diag, TY_ERR_RANGE, "scm: the plate is %g by %g m, but takes 0.001 to 10 m, and 0 for a disc",
                         x, y);
    }
    if (status == TY_OK) {
        scm->shape[scm->shapes] = (tyi_soil_scm_shape){
            .kind = y > 0.0 ? TYI_SOIL_PLATE : TYI_SOIL_DISC, .r = 0.5 * x, .outer = 0.5 * x, .b = y > 0.0 ? y : x
        };
        *out = scm->shapes++;
    }
    return status;
}
