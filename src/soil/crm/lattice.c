/* src/soil/crm/lattice.c - distances of any shape on a lattice.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "lattice.h"
#include <math.h>
#include <string.h>
#include "crm.h"
#include "k_sdf.h"

#define MOST 3e8 /* nodes */

static size_t nodes_of(const tyi_crm_lattice *l)
{
    return (size_t)l->nodes[0] * (size_t)l->nodes[1] * (size_t)l->nodes[2];
}

void tyi_crm_lattice_free(tyi_crm_lattice *l)
{
    tyi_put(l->alloc, l->value, l->value ? nodes_of(l) * sizeof *l->value : 0);
    *l = (tyi_crm_lattice){ 0 };
}

/* room for a shape between low and high, with `reach` and a cell around it */
static ty_status lattice_start(ty_vec3 low, ty_vec3 high, double cell, double reach, const ty_alloc *alloc,
                               tyi_crm_lattice *out, ty_diag *diag)
{
    const double from[3] = { low.x, low.y, low.z }, to[3] = { high.x, high.y, high.z };
    double count = 1.0, margin = reach + 1.5 * cell, far = 0.0;
    *out = (tyi_crm_lattice){ .cell = cell, .alloc = alloc };
    for (int k = 0; k < 3; k++) {
        double n = ceil((to[k] - from[k] + 2.0 * margin) / cell) + 1.0;
        count *= n;
        if (!(n >= 2.0 && n < 1e5 && count <= MOST)) {
            return ty_fail(diag, TY_ERR_RANGE,
                           "crm: a shape %g m long along %c takes too many nodes %g m apart; at most %g in all",
                           to[k] - from[k], "xyz"[k], cell, MOST);
        }
        out->nodes[k] = (int)n;
        far += pow(fmax(fabs(from[k]), fabs(to[k])), 2.0);
    }
    out->low = ty_sub(low, ty_vec3_make(margin, margin, margin));
    out->round = sqrt(far);
    out->value = tyi_get(alloc, nodes_of(out) * sizeof *out->value);
    return out->value ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "crm: no memory for a shape of %g nodes", count);
}

static ty_vec3 node(const tyi_crm_lattice *l, int i, int j, int k)
{
    return ty_add(l->low, ty_vec3_make(i * l->cell, j * l->cell, k * l->cell));
}

static size_t number(const tyi_crm_lattice *l, int i, int j, int k)
{
    return ((size_t)k * (size_t)l->nodes[1] + (size_t)j) * (size_t)l->nodes[0] + (size_t)i;
}

/* ---- several solids ---- */

static ty_vec3 half_of(const tyi_crm_part_shape *p)
{
    ty_vec3 h = p->shape == TYI_CRM_SPHERE     ? ty_vec3_make(p->a, p->a, p->a)
                : p->shape == TYI_CRM_CYLINDER ? ty_vec3_make(p->a, p->a, p->c)
                                               : ty_vec3_make(p->a, p->b, p->c);
    ty_vec3 x = ty_rotate(p->pose.q, ty_vec3_make(h.x, 0, 0)), y = ty_rotate(p->pose.q, ty_vec3_make(0, h.y, 0)),
            z = ty_rotate(p->pose.q, ty_vec3_make(0, 0, h.z));
    return ty_vec3_make(fabs(x.x) + fabs(y.x) + fabs(z.x), fabs(x.y) + fabs(y.y) + fabs(z.y),
                        fabs(x.z) + fabs(y.z) + fabs(z.z));
}

/* The least over all parts; those whose ball is farther away than that are not looked at. best: the part of the node before, and of this one. */
static float distance(const tyi_crm_part_shape *part, size_t parts, const double *round, ty_vec3 x, size_t *best)
{
    float least = 1e9f;
    size_t first = *best;
    for (size_t n = 0; n < parts; n++) {
        size_t p = n == 0 ? first : n <= first ? n - 1 : n;
        ty_vec3 from = ty_sub(x, part[p].pose.p);
        double far = (double)least + round[p];
        if (n && ty_dot(from, from) > far * far) {
            continue;
        }
        ty_vec3 own = ty_rotate(ty_quat_conj(part[p].pose.q), from);
        ty_k_sdf s = ty_k_sdf_of((int)part[p].shape, (float)part[p].a, (float)part[p].b, (float)part[p].c, 0, 0.0f,
                                 ty_k_vec((float)own.x, (float)own.y, (float)own.z));
        *best = s.d < least ? p : *best;
        least = fminf(least, s.d);
    }
    return least;
}

ty_status tyi_crm_lattice_parts(const tyi_crm_part_shape *part, size_t parts, double cell, double reach,
                                const ty_alloc *alloc, tyi_crm_lattice *out, ty_diag *diag)
{
    ty_vec3 low = { 1e9, 1e9, 1e9 }, high = { -1e9, -1e9, -1e9 };
    *out = (tyi_crm_lattice){ .alloc = alloc };
    if (!parts) {
        return ty_fail(diag, TY_ERR_RANGE, "crm: a shape of no parts");
    }
    double *round =
        tyi_get(alloc, parts * sizeof *round); /* [m] of a ball that holds each, and a little more for rounding */
    if (!round) {
        return ty_fail(diag, TY_ERR_MEMORY, "crm: no memory for a shape");
    }
    for (size_t p = 0; p < parts; p++) {
        bool known =
            part[p].shape == TYI_CRM_SPHERE || part[p].shape == TYI_CRM_CYLINDER || part[p].shape == TYI_CRM_BOX;
        ty_vec3 half = half_of(&part[p]), at = part[p].pose.p;
        if (!known || !(ty_norm(half) > 0.0 && ty_norm(half) < 100.0)) {
            tyi_put(alloc, round, parts * sizeof *round);
            return ty_fail(diag, TY_ERR_RANGE,
                           "crm: part %zu of a shape takes a sphere, cylinder or box with sizes above 0", p);
        }
        round[p] = 1.0001 * ty_norm(ty_vec3_make(part[p].a, fmax(part[p].a, part[p].b), part[p].c)) + 1e-5;
        low = ty_vec3_make(fmin(low.x, at.x - half.x), fmin(low.y, at.y - half.y), fmin(low.z, at.z - half.z));
        high = ty_vec3_make(fmax(high.x, at.x + half.x), fmax(high.y, at.y + half.y), fmax(high.z, at.z + half.z));
    }
    ty_status status = lattice_start(low, high, cell, reach, alloc, out, diag);
    size_t best = 0;
    for (int k = 0; k < out->nodes[2] && status == TY_OK; k++) {
        for (int j = 0; j < out->nodes[1]; j++) {
            for (int i = 0; i < out->nodes[0]; i++) {
                out->value[number(out, i, j, k)] = distance(part, parts, round, node(out, i, j, k), &best);
            }
        }
    }
    tyi_put(alloc, round, parts * sizeof *round);
    return status;
}

/* ---- a mesh ---- */

static double clamp01(double x)
{
    return fmin(fmax(x, 0.0), 1.0);
}

/* squared distance of x from the segment a + t ab */
static double from_edge(ty_vec3 x, ty_vec3 a, ty_vec3 ab)
{
    double length = ty_dot(ab, ab), t = length > 0.0 ? clamp01(ty_dot(ty_sub(x, a), ab) / length) : 0.0;
    ty_vec3 d = ty_sub(x, ty_add(a, ty_scale(t, ab)));
    return ty_dot(d, d);
}

/* squared distance of x from a triangle: over its inside by the plane, else by its edges */
static double from_triangle(ty_vec3 x, const ty_vec3 *c)
{
    ty_vec3 ab = ty_sub(c[1], c[0]), bc = ty_sub(c[2], c[1]), ca = ty_sub(c[0], c[2]),
            n = ty_cross(ab, ty_sub(c[2], c[0]));
    double area = ty_dot(n, n);
    if (area > 0.0 && ty_dot(ty_cross(ab, ty_sub(x, c[0])), n) >= 0.0 &&
        ty_dot(ty_cross(bc, ty_sub(x, c[1])), n) >= 0.0 && ty_dot(ty_cross(ca, ty_sub(x, c[2])), n) >= 0.0) {
        double d = ty_dot(ty_sub(x, c[0]), n);
        return d * d / area;
    }
    return fmin(from_edge(x, c[0], ab), fmin(from_edge(x, c[1], bc), from_edge(x, c[2], ca)));
}

static int clip(double x, int most)
{
    return x < 0.0 ? 0 : x > most ? most : (int)x;
}

static void take_triangle(tyi_crm_lattice *l, const ty_vec3 *c, double reach)
{
    const double corner[3][3] = { { c[0].x, c[1].x, c[2].x }, { c[0].y, c[1].y, c[2].y }, { c[0].z, c[1].z, c[2].z } },
                 low[3] = { l->low.x, l->low.y, l->low.z };
    int from[3], to[3];
    for (int k = 0; k < 3; k++) {
        double least = fmin(corner[k][0], fmin(corner[k][1], corner[k][2])),
               most = fmax(corner[k][0], fmax(corner[k][1], corner[k][2]));
        from[k] = clip(floor((least - reach - low[k]) / l->cell), l->nodes[k] - 1);
        to[k] = clip(ceil((most + reach - low[k]) / l->cell), l->nodes[k] - 1);
    }
    for (int k = from[2]; k <= to[2]; k++) {
        for (int j = from[1]; j <= to[1]; j++) {
            for (int i = from[0]; i <= to[0]; i++) {
                float *v = &l->value[number(l, i, j, k)];
                double d = from_triangle(node(l, i, j, k), c);
                *v = d < (double)*v * (double)*v ? (float)sqrt(d) : *v;
            }
        }
    }
}

/* What cannot be reached from the lattice's rim, past nodes that are farther than most of a cell from any face, is inside: negative. */
static ty_status sign_inside(tyi_crm_lattice *l, ty_diag *diag)
{
    size_t n = nodes_of(l), waiting = 0;
    const int *m = l->nodes;
    uint8_t *seen = tyi_get(l->alloc, n);
    uint32_t *queue = tyi_get(l->alloc, n * sizeof *queue);
    if (!seen || !queue) {
        tyi_put(l->alloc, seen, seen ? n : 0);
        tyi_put(l->alloc, queue, queue ? n * sizeof *queue : 0);
        return ty_fail(diag, TY_ERR_MEMORY, "crm: no memory for a shape of %zu nodes", n);
    }
    memset(seen, 0, n);
    float near = (float)(0.9 * l->cell);
    seen[0] = 1;
    queue[waiting++] = 0;
    const long step[6] = { 1, -1, m[0], -m[0], (long)m[0] * m[1], -(long)m[0] * m[1] };
    while (waiting) {
        uint32_t at = queue[--waiting];
        int i = (int)(at % (uint32_t)m[0]), j = (int)(at / (uint32_t)m[0] % (uint32_t)m[1]),
            k = (int)(at / (uint32_t)m[0] / (uint32_t)m[1]);
        const bool open[6] = { i + 1 < m[0], i > 0, j + 1 < m[1], j > 0, k + 1 < m[2], k > 0 };
        for (int s = 0; s < 6; s++) {
            size_t next = (size_t)((long)at + step[s]);
            if (open[s] && !seen[next]) {
                seen[next] = 1; /* nodes beside a face are reached, but nothing is reached through them */
                if (l->value[next] > near) {
                    queue[waiting++] = (uint32_t)next;
                }
            }
        }
    }
    for (size_t q = 0; q < n; q++) { /* of the nodes beside faces only those that border on an inside */
        bool inside = !seen[q] && l->value[q] > near;
        for (int s = 0; s < 6 && !seen[q] && !inside; s++) {
            size_t next = (size_t)((long)q + step[s]);
            inside = next < n && !seen[next] && fabsf(l->value[next]) > near;
        }
        l->value[q] = inside ? -l->value[q] : l->value[q];
    }
    tyi_put(l->alloc, seen, n);
    tyi_put(l->alloc, queue, n * sizeof *queue);
    return TY_OK;
}

static ty_vec3 corner_of(const float *vertex, uint32_t k)
{
    return ty_vec3_make((double)vertex[3 * k], (double)vertex[3 * k + 1], (double)vertex[3 * k + 2]);
}

/* the box that holds a mesh */
static ty_status bounds_of(const float *vertex, size_t vertices, const uint32_t *triangle, size_t triangles,
                           ty_vec3 *low, ty_vec3 *high, ty_diag *diag)
{
    *low = ty_vec3_make(1e9, 1e9, 1e9), *high = ty_vec3_make(-1e9, -1e9, -1e9);
    for (size_t t = 0; t < 3 * triangles; t++) {
        if (triangle[t] >= vertices) {
            return ty_fail(diag, TY_ERR_RANGE, "crm: a mesh of %zu vertices names vertex %u", vertices, triangle[t]);
        }
        ty_vec3 c = corner_of(vertex, triangle[t]);
        *low = ty_vec3_make(fmin(low->x, c.x), fmin(low->y, c.y), fmin(low->z, c.z));
        *high = ty_vec3_make(fmax(high->x, c.x), fmax(high->y, c.y), fmax(high->z, c.z));
    }
    if (!triangles || !(ty_norm(*low) < 100.0 && ty_norm(*high) < 100.0)) {
        return ty_fail(diag, TY_ERR_RANGE, "crm: a mesh needs triangles within 100 m of the body's origin");
    }
    return TY_OK;
}

static void far_away(tyi_crm_lattice *l, double band)
{
    for (size_t k = 0, n = nodes_of(l); k < n; k++) {
        l->value[k] = (float)band;
    }
}

ty_status tyi_crm_lattice_mesh(const float *vertex, size_t vertices, const uint32_t *triangle, size_t triangles,
                               double cell, double reach, const ty_alloc *alloc, tyi_crm_lattice *out, ty_diag *diag)
{
    ty_vec3 low, high;
    *out = (tyi_crm_lattice){ .alloc = alloc };
    double band = reach + 2.0 * cell;
    ty_status status = bounds_of(vertex, vertices, triangle, triangles, &low, &high, diag);
    status = status == TY_OK ? lattice_start(low, high, cell, reach, alloc, out, diag) : status;
    if (status != TY_OK) {
        return status;
    }
    far_away(out, band);
    for (size_t t = 0; t < triangles; t++) {
        const uint32_t *c = &triangle[3 * t];
        const ty_vec3 corner[3] = { corner_of(vertex, c[0]), corner_of(vertex, c[1]), corner_of(vertex, c[2]) };
        take_triangle(out, corner, band);
    }
    return sign_inside(out, diag);
}

/* ---- markers ---- */

enum { CROSSINGS = 256 };

/* where a line along y at x, z goes through a mesh [m]; how many */
static int cross_mesh(const float *vertex, const uint32_t *triangle, size_t triangles, double x, double z, double *y)
{
    int n = 0;
    for (size_t t = 0; t < triangles; t++) {
        ty_vec3 c[3];
        double side[3], sum = 0.0, at = 0.0;
        for (int k = 0; k < 3; k++) {
            c[k] = corner_of(vertex, triangle[3 * t + (size_t)k]);
        }
        for (int k = 0; k < 3; k++) { /* area of the triangle that the point makes with the side opposite to corner k */
            ty_vec3 p = c[(k + 1) % 3], q = c[(k + 2) % 3];
            side[k] = (q.x - p.x) * (z - p.z) - (q.z - p.z) * (x - p.x);
            sum += side[k];
            at += side[k] * c[k].y;
        }
        bool through =
            (side[0] > 0.0 && side[1] > 0.0 && side[2] > 0.0) || (side[0] < 0.0 && side[1] < 0.0 && side[2] < 0.0);
        if (through && n < CROSSINGS) {
            y[n++] = at / sum;
        }
    }
    return n;
}

static void take_ball(tyi_crm_lattice *l, ty_vec3 x, double radius, double reach)
{
    const double at[3] = { x.x - l->low.x, x.y - l->low.y, x.z - l->low.z };
    int from[3], to[3];
    for (int k = 0; k < 3; k++) {
        from[k] = clip(floor((at[k] - radius - reach) / l->cell), l->nodes[k] - 1);
        to[k] = clip(ceil((at[k] + radius + reach) / l->cell), l->nodes[k] - 1);
    }
    for (int k = from[2]; k <= to[2]; k++) {
        for (int j = from[1]; j <= to[1]; j++) {
            for (int i = from[0]; i <= to[0]; i++) {
                float *v = &l->value[number(l, i, j, k)];
                *v = fminf(*v, (float)(ty_norm(ty_sub(node(l, i, j, k), x)) - radius));
            }
        }
    }
}

ty_status tyi_crm_lattice_markers(const float *vertex, size_t vertices, const uint32_t *triangle, size_t triangles,
                                  double apart, double cell, double reach, const ty_alloc *alloc, tyi_crm_lattice *out,
                                  ty_diag *diag)
{
    ty_vec3 low, high;
    double band = reach + 2.0 * cell, y[CROSSINGS];
    const double off = 1.3e-6 * apart; /* off edges of the mesh */
    *out = (tyi_crm_lattice){ .alloc = alloc };
    ty_status status = bounds_of(vertex, vertices, triangle, triangles, &low, &high, diag);
    ty_vec3 more = ty_vec3_make(0.5 * apart, 0.5 * apart, 0.5 * apart);
    status =
        status == TY_OK ? lattice_start(ty_sub(low, more), ty_add(high, more), cell, reach, alloc, out, diag) : status;
    if (status != TY_OK) {
        return status;
    }
    far_away(out, band);
    size_t markers = 0;
    for (int i = 0; low.x + i * apart < high.x; i++) {
        for (int k = 0; low.z + k * apart < high.z; k++) {
            double x = low.x + i * apart + off, z = low.z + k * apart + off;
            int n = cross_mesh(vertex, triangle, triangles, x, z, y);
            for (int j = 0; n && low.y + j * apart < high.y; j++) {
                int below = 0;
                ty_vec3 at = ty_vec3_make(x, low.y + j * apart + off, z);
                for (int c = 0; c < n; c++) {
                    below += y[c] < at.y;
                }
                if (below % 2) {
                    take_ball(out, at, 0.5 * apart, band);
                    markers++;
                }
            }
        }
    }
    return markers ? TY_OK
                   : ty_fail(diag, TY_ERR_RANGE, "crm: no marker %g m from the next lies inside the mesh", apart);
}

/* ---- drums ---- */

size_t tyi_crm_drum(double radius, double width, double sheet, int scoops, double turns, tyi_crm_part_shape *part)
{
    enum { PLATES = 16 };
    size_t n = 0;
    ty_quat lie = ty_quat_axis(ty_vec3_make(1, 0, 0), 0.5 * TY_PI);
    for (int side = -1; side <= 1; side += 2) {
        part[n++] = (tyi_crm_part_shape){ .shape = TYI_CRM_CYLINDER,
                                          .a = radius - 0.012, /* lips stand out of the discs */
                                          .c = 0.5 * sheet,
                                          .pose = { { 0.0, side * 0.5 * (width - sheet), 0.0 }, lie } };
    }
    /* sheets from the rim inwards to a third of the radius; turning forwards their lips bite */
    for (int s = 0; s < scoops && s < 4; s++) {
        for (int k = 0; k < PLATES; k++) {
            double t[2] = { (double)k / PLATES, (k + 1.0) / PLATES }, x[2], z[2];
            for (int e = 0; e < 2; e++) {
                double r = radius * (1.0 - 0.67 * t[e]), angle = 2.0 * TY_PI * (turns * t[e] + (double)s / scoops);
                x[e] = r * cos(angle), z[e] = r * sin(angle);
            }
            double dx = x[1] - x[0], dz = z[1] - z[0];
            part[n++] = (tyi_crm_part_shape){ .shape = TYI_CRM_BOX,
                                              .a = 0.5 * hypot(dx, dz) + 0.25 * sheet,
                                              .b = 0.5 * width,
                                              .c = 0.5 * sheet,
                                              .pose = { { 0.5 * (x[0] + x[1]), 0.0, 0.5 * (z[0] + z[1]) },
                                                        ty_quat_axis(ty_vec3_make(0, 1, 0), -atan2(dz, dx)) } };
        }
    }
    return n;
}
