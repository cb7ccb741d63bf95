/* src/soil/dem/sums.c - what a bed of grains adds up to: momenta, energies, stresses.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "dem.h"

/* what grain i remembers of entry `at` of its list; NULL: nothing */
static const tyi_dem_slot *slot_at(const tyi_dem *dem, size_t i, size_t at)
{
    size_t slot = dem->list.entry[at] % TY_K_DEM_ENTRY;
    return slot ? &dem->slot[(size_t)dem->a.home[i] * (size_t)dem->slots + slot - 1] : NULL;
}

/* the overlap [m] of grain i with entry `at` of its list; what they have together */
static double overlap_of(const tyi_dem *dem, const ty_k_dem_law *law, size_t i, size_t at, ty_k_dem_pair *pair)
{
    size_t j = dem->list.entry[at] / TY_K_DEM_ENTRY;
    float r1 = tyi_dem_float(dem->a.x[i][3]), r2 = tyi_dem_float(dem->a.x[j][3]), m1 = dem->a.v[i][3],
          m2 = dem->a.v[j][3];
    *pair = (ty_k_dem_pair){ r1 * r2 / (r1 + r2), m1 * m2 / (m1 + m2), law->e, law->g, law->damping, law->mu };
    return (double)(r1 + r2 - ty_k_norm(tyi_dem_apart(law, dem->a.x[i], dem->a.x[j])));
}

static double square(tyi_crm_f4 a)
{
    return (double)a[0] * (double)a[0] + (double)a[1] * (double)a[1] + (double)a[2] * (double)a[2];
}

tyi_dem_sums tyi_dem_add_up(const tyi_dem *dem)
{
    tyi_dem_sums sum = { .moving = 0 };
    ty_k_dem_law law = tyi_dem_law(dem, 0.0);
    size_t most = (size_t)dem->def.neighbours;
    for (size_t i = 0; i < dem->n; i++) {
        tyi_dem_grain g = tyi_dem_get(dem, i);
        if (g.fixed) {
            continue;
        }
        double m = (double)dem->a.v[i][3], inertia = 0.4 * m * g.r * g.r;
        sum.momentum = ty_add(sum.momentum, ty_scale(m, g.v));
        sum.angular = ty_add(sum.angular, ty_add(ty_cross(g.x, ty_scale(m, g.v)), ty_scale(inertia, g.w)));
        sum.kinetic += 0.5 * m * ty_dot(g.v, g.v) + 0.5 * inertia * ty_dot(g.w, g.w);
        sum.potential -= m * ty_dot(dem->def.gravity, g.x);
        sum.fastest = fmax(sum.fastest, ty_norm(g.v));
        sum.mass += m;
        sum.moving++;
        for (int k = 0; dem->searched && k < dem->list.length[i]; k++) {
            size_t at = tyi_dem_at(i, (size_t)k, most), j = dem->list.entry[at] / TY_K_DEM_ENTRY;
            const tyi_dem_slot *slot = slot_at(dem, i, at);
            ty_k_dem_pair p;
            double d = overlap_of(dem, &law, i, at, &p);
            if (d <= 0.0 || !slot) {
                continue;
            }
            double s = 2.0 * (double)law.e * sqrt((double)p.r * d), arm = (double)law.roll * (double)p.r;
            double energy = 4.0 / 15.0 * s * d * d - (double)ty_k_dem_pull(law.gamma, p.r) * d +
                            0.5 * (double)slot->slide[3] * square(slot->slide);
            energy += 0.75 * s * arm * arm * square(slot->roll);
            sum.elastic += dem->a.w[j][3] < 0.0f ? energy : 0.5 * energy; /* the other has the other half */
            sum.overlap = fmax(sum.overlap, d / fmin(g.r, (double)tyi_dem_float(dem->a.x[j][3])));
            sum.touching++;
        }
    }
    return sum;
}

void tyi_dem_stress(const tyi_dem *dem, size_t i, double *stress)
{
    ty_k_dem_law law = tyi_dem_law(dem, 0.0);
    ty_k_dem_grain own = tyi_dem_grain_at(&dem->a, i);
    double volume = 4.0 / 3.0 * TY_PI * pow((double)own.r, 3), sum[6] = { 0 };
    for (int k = 0; dem->searched && k < dem->list.length[i]; k++) {
        size_t at = tyi_dem_at(i, (size_t)k, (size_t)dem->def.neighbours), j = dem->list.entry[at] / TY_K_DEM_ENTRY;
        ty_k_dem_pair p;
        double d = overlap_of(dem, &law, i, at, &p);
        if (d <= 0.0) {
            continue;
        }
        const tyi_dem_slot *slot = slot_at(dem, i, at);
        tyi_crm_f4 s = slot ? slot->slide : (tyi_crm_f4){ 0.0f };
        ty_k_dem_touch was = { .xi = { s[0], s[1], s[2] }, .k = s[3] };
        ty_k_dem_grain other = tyi_dem_grain_at(&dem->a, j);
        ty_k_dem_sum f = { { 0, 0, 0 }, { 0, 0, 0 } };
        ty_k_vec3 x = tyi_dem_apart(&law, dem->a.x[i], dem->a.x[j]);
        float apart = ty_k_norm(x), by = -(own.r - 0.5f * (float)d) / apart;
        ty_k_dem_grains(&law, &own, &other, x, apart, was, &f);
        const double arm[3] = { (double)(by * x.x), (double)(by * x.y), (double)(by * x.z) };
        const double force[3] = { (double)f.f.x, (double)f.f.y, (double)f.f.z };
        for (int c = 0; c < 3; c++) {
            sum[c] += arm[c] * force[c];
        }
        sum[3] += 0.5 * (arm[0] * force[1] + arm[1] * force[0]);
        sum[4] += 0.5 * (arm[0] * force[2] + arm[2] * force[0]);
        sum[5] += 0.5 * (arm[1] * force[2] + arm[2] * force[1]);
    }
    for (int c = 0; c < 6; c++) {
        stress[c] = sum[c] / volume;
    }
}
