/* src/study/measure_light.c - shadows and brightness of rendered ground beside what statistics of its slopes say.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "core/core.h"
#include "k_light.h"
#include "k_hapke.h"
#include "k_smith.h"
#include "k_vec.h"
#include "measure.h"
#include "tycho/render.h"

enum { W = TYI_STUDY_LIT_PIXELS, N = W * W, SLOPES = 65 };
#define IRRADIANCE 1361.0

typedef struct view {
    ty_scene *scene;
    ty_camera camera;
    float *radiance, *sunlit, *normal;
    double *sorted;
} view;

/* from 4000 cells up over a square of 150 cells: pixels are smaller than cells, the phase angle hardly changes across
 * it, and it lies in the finest ring */
static ty_status open_view(view *v, ty_terrain *t, ty_diag *diag)
{
    ty_scene_def def = ty_scene_def_default();
    double d = ty_terrain_spacing(t, 0), x = 0.0, y = 0.0, z;
    def.terrain = t;
    def.finest = d;
    def.ring_cells = 512;
    def.rock_angle = 0.0;
    v->radiance = malloc(N * sizeof *v->radiance);
    v->sunlit = malloc(N * sizeof *v->sunlit);
    v->normal = malloc(3 * N * sizeof *v->normal);
    v->sorted = malloc(N * sizeof *v->sorted);
    if (!v->radiance || !v->sunlit || !v->normal || !v->sorted) {
        return ty_fail(diag, TY_ERR_MEMORY, "measure: no memory for %d x %d pixels", W, W);
    }
    v->camera = ty_camera_default();
    v->camera.width = v->camera.height = W;
    v->camera.hfov = 2.0 * atan(75.0 / 4000.0);
    ty_status status = ty_terrain_sample(t, 0, 1, &x, &y, &z, NULL, diag);
    v->camera.pose = (ty_pose){ { 0.0, 0.0, z + 4000.0 * d }, ty_camera_look(0.0, -0.5 * TY_PI, 0.0) };
    return status == TY_OK ? ty_scene_create(&def, &v->scene, diag) : status;
}

static void close_view(view *v)
{
    ty_scene_destroy(v->scene);
    free(v->radiance), free(v->sunlit), free(v->normal), free(v->sorted);
}

static ty_status take(view *v, double azimuth, double elevation, ty_diag *diag)
{
    ty_light sun = { .kind = TY_LIGHT_DISK,
                     .radius = 0.00465,
                     .power = { IRRADIANCE },
                     .dir_W = { cos(elevation) * sin(azimuth), cos(elevation) * cos(azimuth), sin(elevation) } };
    ty_render_def def = ty_render_def_default();
    ty_render_buffers out = { .radiance = v->radiance, .sunlit = v->sunlit, .normal = v->normal };
    def.samples = 4;
    ty_scene_clear_lights(v->scene);
    ty_status status = ty_scene_add_light(v->scene, &sun, diag);
    return status == TY_OK ? ty_render(v->scene, &v->camera, &def, &out, diag) : status;
}

/* slopes along an azimuth: mean and root-mean-square about it */
static void slopes(const view *v, double azimuth, double *mean, double *rms)
{
    double sum = 0.0, square = 0.0;
    for (int i = 0; i < N; i++) {
        const float *n = v->normal + 3 * i;
        double s = -((double)n[0] * sin(azimuth) + (double)n[1] * cos(azimuth)) / (double)n[2];
        sum += s, square += s * s;
    }
    *mean = sum / N;
    *rms = sqrt(fmax(square / N - *mean * *mean, 0.0));
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void percentiles(double *sorted, size_t n, double *median, double *spread)
{
    qsort(sorted, n, sizeof *sorted, by_size);
    *median = n ? sorted[n / 2] : 0.0;
    *spread = n ? 0.5 * (sorted[(size_t)(0.84 * (double)n)] - sorted[(size_t)(0.16 * (double)n)]) : 0.0;
}

/* [W/m^2/sr] towards the zenith of ground with slopes p along the Sun's azimuth and q across it; negative: turned away
 * */
static double radiance_of(const ty_k_hapke *law, double elevation, double p, double q)
{
    ty_k_vec3 n = ty_k_unit(ty_k_vec(-p, -q, 1.0)), l = ty_k_vec(cos(elevation), 0.0, sin(elevation));
    double mu0 = ty_k_dot(n, l);
    return mu0 > 0.0 ? IRRADIANCE * mu0 * ty_k_hapke_brdf(*law, ty_k_angles_about(n, l, ty_k_vec(0.0, 0.0, 1.0)))
                     : -1.0;
}

/* the median of a standard normal's k-th of SLOPES equal shares, by bisection */
static double normal_share(int k)
{
    double want = (k + 0.5) / SLOPES, low = -6.0, high = 6.0;
    for (int i = 0; i < 60; i++) {
        double mid = 0.5 * (low + high);
        *(0.5 * erfc(-mid / sqrt(2.0)) < want ? &low : &high) = mid;
    }
    return 0.5 * (low + high);
}

/* slopes of a pixel along an azimuth and across it */
static void slope_of(const view *v, int i, double azimuth, double own[2])
{
    const float *n = v->normal + 3 * i;
    own[0] = -((double)n[0] * sin(azimuth) + (double)n[1] * cos(azimuth)) / (double)n[2];
    own[1] = -((double)n[0] * cos(azimuth) - (double)n[1] * sin(azimuth)) / (double)n[2];
}

static void predict(const view *v, const ty_material *m, double azimuth, double elevation, const double mean[2],
                    const double rms[2], tyi_study_measure_lit *out)
{
    ty_k_hapke_params p = { m->albedo[0], m->b, m->c, m->bs0, m->hs, m->bc0, m->hc, m->theta, m->phi, 0 };
    ty_k_hapke law = ty_k_hapke_make(p);
    size_t n = 0;
    out->lean = out->lean_law = 0.0;
    for (int i = 0; i < SLOPES; i++) {
        for (int j = 0; j < SLOPES; j++) {
            double p0 = mean[0] + rms[0] * normal_share(i);
            double r = radiance_of(&law, elevation, p0, mean[1] + rms[1] * normal_share(j));
            if (r > 0.0) {
                v->sorted[n++] = r;
                out->lean_law -= p0;
            }
        }
    }
    out->lean_law /= (double)(n ? n : 1);
    percentiles(v->sorted, n, &out->median_law, &out->spread_law);
    n = 0;
    for (int i = 0; i < N; i++) {
        double own[2];
        if (v->sunlit[i] > 0.99f) {
            slope_of(v, i, azimuth, own);
            double r = radiance_of(&law, elevation, own[0], own[1]);
            v->sorted[n++] = fmax(r, 0.0);
            out->lean -= own[0];
        }
    }
    double none;
    out->lean /= (double)(n ? n : 1);
    percentiles(v->sorted, n, &out->median_own, &none);
    out->level = radiance_of(&law, elevation, 0.0, 0.0);
}

ty_status tyi_study_measure_light(ty_terrain *t, double azimuth, int n, tyi_study_measure_lit *out, double *slope,
                                  float *radiance, ty_diag *diag)
{
    view v = { 0 };
    ty_status status = open_view(&v, t, diag);
    ty_material ground = ty_scene_def_default().ground;
    for (int k = 0; k < n && status == TY_OK; k++) {
        tyi_study_measure_lit *at = &out[k];
        double mean[2], rms[2];
        size_t lit = 0;
        status = take(&v, azimuth, at->elevation, diag);
        if (status != TY_OK) {
            break;
        }
        slopes(&v, azimuth, &mean[0], &rms[0]);
        slopes(&v, azimuth + 0.5 * TY_PI, &mean[1], &rms[1]);
        *slope = rms[0];
        at->lit = 0.0;
        for (int i = 0; i < N; i++) {
            at->lit += (double)v.sunlit[i] / N;
            if (v.sunlit[i] > 0.99f) {
                v.sorted[lit++] = (double)v.radiance[i];
            }
        }
        percentiles(v.sorted, lit, &at->median, &at->spread);
        /* a patch that leans away from the Sun as a whole sees it lower by its slope */
        at->lit_law = ty_k_smith_lit(fmax(tan(at->elevation) - mean[0], 1e-6), rms[0]);
        predict(&v, &ground, azimuth, at->elevation, mean, rms, at);
    }
    for (int i = 0; i < N && radiance && status == TY_OK; i++) {
        radiance[i] = v.sunlit[i] > 0.99f ? v.radiance[i] : -1.0f;
    }
    close_view(&v);
    return status;
}
