/* src/sensor/lidar/lidar_def.c - a lidar's definition, its checks, its life.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "core/room.h"
#include "k_lidar.h"
#include "lidar.h"
#include "inner.h"

ty_lidar_def ty_lidar_def_default(void)
{
    return (ty_lidar_def){ .pattern = TY_LIDAR_GRID,
                           .lasers = 16,
                           .cycle = 55.296e-6,
                           .spin = 10.0,
                           .columns = 64,
                           .rows = 64,
                           .hfov = 30.0 * TY_DEG,
                           .vfov = 30.0 * TY_DEG,
                           .wavelength = 905e-9,
                           .gauss = true,
                           .samples = 1,
                           .bounces = 1,
                           .mode = TY_LIDAR_STRONGEST,
                           .near = 0.1,
                           .far = 100.0,
                           .reach = 100.0,
                           .reach_albedo = 0.1,
                           .threshold_sigma = 0.1,
                           .separation = 0.3,
                           .noise = true,
                           .range_sigma = 0.01,
                           .intensity_sigma = 0.05,
                           .intensity_white = 1.0,
                           .rate = 10.0,
                           .seed = 1,
                           .cookie = TYI_COOKIE };
}

static const char *const mode_names[TY_LIDAR_MODES] = { "first", "strongest", "last", "dual" };

const char *tyi_lidar_mode_name(ty_lidar_mode mode)
{
    return (unsigned)mode < TY_LIDAR_MODES ? mode_names[mode] : "an unknown mode";
}

#define AT(field) offsetof(ty_lidar_def, field)
static const tyi_limit limits[] = {
    { "lasers", "", AT(lasers), TYI_INT, 1.0, TY_LIDAR_LASERS },
    { "cycle", "s", AT(cycle), TYI_DOUBLE, 1e-7, 10.0 },
    { "spin", "1/s", AT(spin), TYI_DOUBLE, -1000.0, 1000.0 },
    { "start", "rad", AT(start), TYI_DOUBLE, -10.0, 10.0 },
    { "columns", "", AT(columns), TYI_INT, 1.0, 32768.0 },
    { "rows", "", AT(rows), TYI_INT, 1.0, 32768.0 },
    { "hfov", "rad", AT(hfov), TYI_DOUBLE, 0.0, 2.0 * TY_PI + 1e-12 },
    { "vfov", "rad", AT(vfov), TYI_DOUBLE, 0.0, TY_PI + 1e-12 },
    { "sweep", "s", AT(sweep), TYI_DOUBLE, 0.0, 1e4 },
    { "band", "", AT(band), TYI_INT, 0.0, TY_BANDS - 1 },
    { "wavelength", "m", AT(wavelength), TYI_DOUBLE, 1e-7, 1e-4 },
    { "divergence_h", "rad", AT(divergence_h), TYI_DOUBLE, 0.0, 0.5 },
    { "divergence_v", "rad", AT(divergence_v), TYI_DOUBLE, 0.0, 0.5 },
    { "aperture", "m", AT(aperture), TYI_DOUBLE, 0.0, 1.0 },
    { "samples", "", AT(samples), TYI_INT, 1.0, 256.0 },
    { "bounces", "", AT(bounces), TYI_INT, 1.0, 2.0 },
    { "near", "m", AT(near), TYI_DOUBLE, 0.0, 1e6 },
    { "far", "m", AT(far), TYI_DOUBLE, 0.0, 1e6 },
    { "reach", "m", AT(reach), TYI_DOUBLE, 1e-3, 1e6 },
    { "reach_albedo", "", AT(reach_albedo), TYI_DOUBLE, 1e-4, 1.0 },
    { "threshold_sigma", "", AT(threshold_sigma), TYI_DOUBLE, 0.0, 10.0 },
    { "separation", "m", AT(separation), TYI_DOUBLE, 0.0, 1e3 },
    { "range_sigma", "m", AT(range_sigma), TYI_DOUBLE, 0.0, 1e3 },
    { "range_step", "m", AT(range_step), TYI_DOUBLE, 0.0, 1e3 },
    { "azimuth_sigma", "rad", AT(azimuth_sigma), TYI_DOUBLE, 0.0, 1.0 },
    { "elevation_sigma", "rad", AT(elevation_sigma), TYI_DOUBLE, 0.0, 1.0 },
    { "intensity_sigma", "", AT(intensity_sigma), TYI_DOUBLE, 0.0, 10.0 },
    { "intensity_white", "", AT(intensity_white), TYI_DOUBLE, 1e-6, 1e6 },
    { "intensity_most", "", AT(intensity_most), TYI_DOUBLE, 0.0, 65535.0 },
    { "rate", "1/s", AT(rate), TYI_DOUBLE, 1e-4, 1e4 },
    { "threads", "", AT(threads), TYI_INT, 0.0, 1024.0 },
    { 0 },
};
static const tyi_order orders[] = { { AT(near), AT(far) }, { 0, 0 } };
const tyi_rules tyi_lidar_rules = { "lidar", limits, orders };

static ty_status check_spin(const ty_lidar_def *d, ty_diag *diag)
{
    for (int k = 0; k < d->lasers; k++) {
        if (!(fabs(d->elevation[k]) <= 0.5 * TY_PI) || !(fabs(d->azimuth[k]) <= TY_PI) ||
            !(fabs(d->height[k]) <= 10.0) || !(d->fire[k] >= 0.0 && d->fire[k] <= d->cycle)) {
            return ty_fail(diag, TY_ERR_RANGE,
                           "lidar: laser %d has elevation %g, azimuth %g rad, height %g m, fires at "
                           "%g s; up to pi/2, pi, 10 m and the cycle's %g s are accepted",
                           k, d->elevation[k], d->azimuth[k], d->height[k], d->fire[k], d->cycle);
        }
    }
    double turn = 1.0 / fabs(d->spin);
    if (!(turn >= d->cycle && turn / d->cycle < 32769.0)) {
        return ty_fail(diag, TY_ERR_RANGE, "lidar: spin is %g 1/s, but a turn must hold 1 to 32768 cycles of %g s",
                       d->spin, d->cycle);
    }
    return TY_OK;
}

static ty_status check_table(const ty_lidar_def *d, ty_diag *diag)
{
    if (!d->beam || d->beams < 1 || d->beams > 32768) {
        return ty_fail(diag, TY_ERR_RANGE, "lidar: a table of %zu beams, but 1 to 32768 are accepted",
                       d->beam ? d->beams : 0);
    }
    for (size_t i = 0; i < d->beams; i++) {
        const ty_lidar_beam *b = &d->beam[i];
        double size = ty_norm(b->dir);
        if (!(size > 1e-9 && size < 1e9) || !isfinite(ty_norm(b->from)) || !(b->time >= 0.0 && b->time <= 1e4)) {
            return ty_fail(diag, TY_ERR_RANGE,
                           "lidar: beam %zu of the table has a direction of length %g and fires at "
                           "%g s; a direction and 0 to 1e4 s are accepted",
                           i, size, b->time);
        }
    }
    return TY_OK;
}

static ty_status check(const ty_lidar_def *d, ty_diag *diag)
{
    if (d->cookie != TYI_COOKIE) {
        return ty_fail(diag, TY_ERR_DEF, "lidar: the definition did not start from ty_lidar_def_default()");
    }
    ty_status status = tyi_rules_check(&tyi_lidar_rules, d, diag);
    if (status == TY_OK && ((unsigned)d->mode >= TY_LIDAR_MODES || (unsigned)d->pattern >= TY_LIDAR_PATTERNS)) {
        status = ty_fail(diag, TY_ERR_RANGE, "lidar: mode %d and pattern %d are not known ones", (int)d->mode,
                         (int)d->pattern);
    }
    if (status == TY_OK && d->pattern == TY_LIDAR_SPIN) {
        status = check_spin(d, diag);
    }
    return status == TY_OK && d->pattern == TY_LIDAR_TABLE ? check_table(d, diag) : status;
}

/* ---- beams ---- */

static void spin_beams(ty_lidar *l)
{
    const ty_lidar_def *d = &l->def;
    l->window = 1.0 / fabs(d->spin);
    l->column_time = d->cycle;
    l->angle = d->start;
    l->column_angle = 2.0 * TY_PI * d->spin * d->cycle;
    for (int k = 0; k < l->lasers; k++) {
        double turn = 2.0 * TY_PI * d->spin * d->fire[k];
        ty_k_vec3 dir = ty_k_lidar_direction(d->azimuth[k] + turn, d->elevation[k]);
        l->beam[k] = (tyi_lidar_beam){
            { 0.0, 0.0, d->height[k] }, { dir.x, dir.y, dir.z }, d->azimuth[k] + turn, d->elevation[k], d->fire[k]
        };
    }
}

static void grid_beams(ty_lidar *l)
{
    const ty_lidar_def *d = &l->def;
    l->window = d->sweep;
    l->column_time = d->sweep / d->columns;
    l->column_angle = -d->hfov / d->columns;
    l->angle = 0.5 * (d->hfov + l->column_angle);
    for (int k = 0; k < l->lasers; k++) {
        double e = d->vfov * (0.5 - (k + 0.5) / d->rows);
        l->beam[k] = (tyi_lidar_beam){ { 0, 0, 0 }, { cos(e), 0.0, sin(e) }, 0.0, e, 0.0 };
    }
}

static void table_beams(ty_lidar *l)
{
    for (size_t i = 0; i < l->beams; i++) {
        const ty_lidar_beam *b = &l->def.beam[i];
        ty_vec3 dir = ty_normalize(b->dir);
        l->beam[i] = (tyi_lidar_beam){ b->from, dir, atan2(dir.y, dir.x), asin(dir.z), b->time };
        l->window = fmax(l->window, b->time);
    }
    l->def.beam = NULL; /* the caller's; what is needed of it is copied */
}

/* the number of lasers that point lower, or as low and come before */
static void make_rings(ty_lidar *l)
{
    for (int k = 0; k < l->lasers; k++) {
        l->ring[k] = 0;
        for (int i = 0; i < l->lasers && l->def.pattern == TY_LIDAR_SPIN; i++) {
            double a = l->beam[i].elevation, b = l->beam[k].elevation;
            l->ring[k] += a < b || (a == b && i < k);
        }
        l->ring[k] = l->def.pattern == TY_LIDAR_GRID ? l->lasers - 1 - k : l->ring[k];
        l->at_row[tyi_lidar_row(l, k)] = k;
    }
}

/* Rays, hits and three sets of returns; one that cannot fit is refused before a machine begins to swap. */
static ty_status check_room(ty_lidar *l, ty_diag *diag)
{
    double beams = (double)l->columns * (double)l->lasers;
    l->room = (double)l->rays * (double)(sizeof *l->ray + sizeof *l->hit) * (l->def.bounces > 1 ? 2.5 : 1.0) +
              3.0 * beams * l->returns * TY_CLOUD_RETURN_CHANNELS * sizeof(double);
    double room = tyi_memory_free();
    return l->room <= room
               ? TY_OK
               : ty_fail(
                     diag, TY_ERR_MEMORY,
                     "lidar: %.0f beams of %d rays need %.3g GiB, and %.3g GiB are free; lower columns, rows or samples",
                     beams, l->def.samples, l->room / 1073741824.0, room / 1073741824.0);
}

static ty_status get_memory(ty_lidar *l, ty_diag *diag)
{
    ty_status status = check_room(l, diag);
    if (status != TY_OK) {
        return status;
    }
    const ty_alloc *alloc = l->def.alloc;
    l->beam = tyi_get(alloc, l->beams * sizeof *l->beam);
    l->ray = tyi_get(alloc, l->rays * sizeof *l->ray);
    l->hit = tyi_get(alloc, l->rays * sizeof *l->hit);
    if (l->def.bounces > 1) {
        l->ghost = tyi_get(alloc, l->rays * sizeof *l->ghost);
        l->met = tyi_get(alloc, l->rays * sizeof *l->met);
        l->way = tyi_get(alloc, l->rays * sizeof *l->way);
        l->of = tyi_get(alloc, l->rays * sizeof *l->of);
    }
    if (!l->beam || !l->ray || !l->hit || (l->def.bounces > 1 && (!l->ghost || !l->met || !l->way || !l->of))) {
        return ty_fail(diag, TY_ERR_MEMORY, "lidar: no memory for %zu rays", l->rays);
    }
    ty_buffer_type type = { .width = l->columns,
                            .height = l->lasers * l->returns,
                            .channels = TY_CLOUD_RETURN_CHANNELS,
                            .element = TY_ELEMENT_F64,
                            .unit = TY_UNIT_RETURN,
                            .frame = 'S' };
    status = ty_buffer_create(&type, alloc, &l->echo, diag);
    if (status == TY_OK) {
        status = ty_pipeline_create(alloc, l->def.threads, &l->pipeline, diag);
    }
    ty_filter noise = tyi_lidar_noise(l), points = tyi_lidar_to_points(l);
    if (status == TY_OK) {
        status = ty_pipeline_insert(l->pipeline, -1, &noise, diag);
    }
    if (status == TY_OK) {
        status = ty_pipeline_insert(l->pipeline, -1, &points, diag);
    }
    return status == TY_OK ? ty_pipeline_link(l->pipeline, &type, NULL, diag) : status;
}

ty_status ty_lidar_create(const ty_lidar_def *def, ty_lidar **out, ty_diag *diag)
{
    *out = NULL;
    ty_status status = check(def, diag);
    if (status != TY_OK) {
        return status;
    }
    ty_lidar *l = tyi_get(def->alloc, sizeof *l);
    if (!l) {
        return ty_fail(diag, TY_ERR_MEMORY, "lidar: no memory");
    }
    l->def = *def;
    bool table = def->pattern == TY_LIDAR_TABLE, spin = def->pattern == TY_LIDAR_SPIN;
    l->lasers = table ? 1 : spin ? def->lasers : def->rows;
    /* a hair more, so that a turn of whole cycles is not cut by rounding */
    l->columns = table  ? (int)def->beams
                 : spin ? (int)(1.0 / (fabs(def->spin) * def->cycle) * (1.0 + 1e-12))
                        : def->columns;
    l->beams = table ? def->beams : (size_t)l->lasers;
    l->returns = def->mode == TY_LIDAR_DUAL ? 2 : 1;
    l->rays = (size_t)l->columns * (size_t)l->lasers * (size_t)def->samples;
    status = get_memory(l, diag);
    if (status != TY_OK) {
        ty_lidar_destroy(l);
        return status;
    }
    if (table) {
        table_beams(l);
    } else if (spin) {
        spin_beams(l);
    } else {
        grid_beams(l);
    }
    make_rings(l);
    for (int k = 0; k < def->samples; k++) {
        double q = ty_k_beam_radius(k, def->samples, def->gauss), a = ty_k_beam_angle(k);
        l->off_u[k] = q * cos(a), l->off_v[k] = q * sin(a);
    }
    *out = l;
    return TY_OK;
}

void ty_lidar_destroy(ty_lidar *l)
{
    if (l) {
        const ty_alloc *alloc = l->def.alloc;
        ty_pipeline_destroy(l->pipeline);
        ty_buffer_destroy(&l->echo);
        tyi_put(alloc, l->beam, l->beams * sizeof *l->beam);
        tyi_put(alloc, l->ray, l->rays * sizeof *l->ray);
        tyi_put(alloc, l->hit, l->rays * sizeof *l->hit);
        tyi_put(alloc, l->ghost, l->rays * sizeof *l->ghost);
        tyi_put(alloc, l->met, l->rays * sizeof *l->met);
        tyi_put(alloc, l->way, l->rays * sizeof *l->way);
        tyi_put(alloc, l->of, l->rays * sizeof *l->of);
        tyi_put(alloc, l, sizeof *l);
    }
}

const ty_lidar_def *ty_lidar_get_def(const ty_lidar *l)
{
    return &l->def;
}

ty_buffer_type tyi_lidar_type(const ty_lidar *l)
{
    return l->echo.type;
}

double ty_lidar_window(const ty_lidar *l)
{
    return l->window;
}

ty_pipeline *ty_lidar_pipeline(ty_lidar *l)
{
    return l->pipeline;
}
