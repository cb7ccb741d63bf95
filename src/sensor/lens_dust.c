/* src/sensor/lens_dust.c - dust on a camera's lens: what it hides, and its veil under the Sun.
 *
 * Grains lie on a window before the pupil, far out of focus. A pixel looks through a disk of the pupil's size in the window, elsewhere in it for
 * each direction: what it loses is the share that grains in this disk hide. How many lie in each cell of the window is drawn once for each camera, by
 * Poisson's law for a mean that grows with the dust, from the same random number, so that blobs stay where they are while dust gathers.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "lens_dust.h"
#include <math.h>
#include <string.h>
#include "k_dust.h"
#include "k_medium.h"
#include "k_philox.h"
#include "tycho/trace.h"

enum { SIDE = 96, ACROSS = 6 }; /* cells of the window along a side, at most; across the pupil */
#define MOST  2.0               /* [-] tangent of the farthest direction that has a place of its own in the window */
#define HOOD  0.05              /* [m] towards the Sun within which nothing shadows a lens: its own housing */
#define SLANT 0.1               /* [-] least cosine between a direction and the lens's axis */
#define LIGHT 6e-7              /* [m] of the lobe of diffraction */

typedef struct window {
    double cell, middle; /* [m], [cells] */
    int side;
    float shadow[SIDE * SIDE]; /* [m^2/m^2] of grains in the disk around each cell */
} window;

/* the count whose share of Poisson's law is u; of large means by the normal law */
static double poisson(double mean, double u, double v)
{
    if (mean > 50.0) {
        double n = sqrt(-2.0 * log(fmax(u, 1e-12))) * cos(2.0 * TY_PI * v);
        return fmax(rint(mean + sqrt(mean) * n), 0.0);
    }
    double p = exp(-mean), sum = p, k = 0.0;
    while (u > sum && k < 200.0) {
        k += 1.0;
        p *= mean / k;
        sum += p;
    }
    return k;
}

/* how far from the axis pixels look, as a tangent */
static double widest(const ty_camera *c)
{
    double most = 0.05;
    for (int k = 0; k < 8; k++) { /* corners and middles of the sides */
        double u = k % 3 * 0.5 * c->width, v = k / 3 * 0.5 * c->height;
        ty_vec3 o, d;
        if (ty_camera_ray(c, u, v, &o, &d)) {
            d = ty_rotate(ty_quat_conj(c->pose.q), d);
            most = fmax(most, d.z > 0.0 ? hypot(d.x, d.y) / d.z : MOST);
        }
    }
    return fmin(1.05 * most, MOST);
}

static void scatter(const tyi_sensor_lens *l, window *w)
{
    const ty_sensor_grains *p = &l->shot->grains;
    double span = 2.0 * p->window * widest(l->view) + 1.5 * l->aperture;
    w->cell = fmax(l->aperture / ACROSS, span / (SIDE - 2));
    w->side = (int)fmin(ceil(span / w->cell) + 2.0, SIDE);
    w->middle = 0.5 * (w->side - 1);
    double mean = ty_k_dust_grains(l->shot->dust_lens, w->cell * w->cell, p->size);
    float own[SIDE * SIDE];
    for (int i = 0; i < w->side * w->side; i++) {
        ty_k_u32x4 r = ty_k_philox((ty_u32)i, 0, 0, 7, l->seed, TY_RNG_DUST);
        double n = poisson(mean, ty_k_uniform(r.v[0]), ty_k_uniform(r.v[1]));
        own[i] = (float)(mean > 0.0 ? l->shot->dust_lens * n / mean : 0.0);
    }
    int reach = (int)(0.5 * l->aperture / w->cell);
    for (int j = 0; j < w->side; j++) {
        for (int i = 0; i < w->side; i++) {
            float sum = 0.0f, cells = 0.0f;
            for (int b = -reach; b <= reach; b++) {
                for (int a = -reach; a <= reach; a++) {
                    int x = i + a, y = j + b;
                    if (x >= 0 && y >= 0 && x < w->side && y < w->side && a * a + b * b <= reach * reach) {
                        sum += own[y * w->side + x];
                        cells += 1.0f;
                    }
                }
            }
            w->shadow[j * w->side + i] = sum / cells;
        }
    }
}

/* between the cells, straight */
static double shadow_at(const window *w, double x, double y)
{
    double u = fmin(fmax(x / w->cell + w->middle, 0.0), w->side - 1.001),
           v = fmin(fmax(y / w->cell + w->middle, 0.0), w->side - 1.001);
    int i = (int)u, j = (int)v;
    const float *at = &w->shadow[j * w->side + i];
    double a = (double)at[0] + (u - i) * (double)(at[1] - at[0]);
    double b = (double)at[w->side] + (u - i) * (double)(at[w->side + 1] - at[w->side]);
    return a + (v - j) * (b - a);
}

/* whether the Sun shines on the lens */
static ty_status sunlit(const tyi_sensor_lens *l, bool *lit, ty_diag *diag)
{
    ty_vec3 sun = l->shot->sky.sun.dir_W, axis = ty_rotate(l->view->pose.q, ty_vec3_make(0, 0, 1));
    *lit = false;
    if (!(ty_dot(sun, axis) > 0.0)) {
        return TY_OK;
    }
    ty_trace_ray ray = { .from = ty_add(l->view->pose.p, ty_scale(HOOD, sun)), .dir = sun, .far = 1e7 };
    ty_trace_hit hit;
    ty_status status = ty_scene_trace(l->shot->scene, l->view->pose.p, &ray, 1, 0, l->shot->threads, &hit, diag);
    *lit = status == TY_OK && !isfinite(hit.range);
    return status;
}

/* [1/sr] of sunlight that goes on towards the pupil from where a pixel looks */
static double phase_of(const ty_sensor_grains *p, ty_vec3 sun, ty_vec3 dir, double spread)
{
    double turn = ty_dot(sun, dir); /* light comes along -sun and goes along -dir */
    ty_vec3 chord = ty_sub(sun, dir);
    return p->albedo * ty_k_medium_phase(p->lobe, -p->lobe, 0.5 * (1.0 - p->lobe_share), turn) +
           ty_k_medium_ahead(spread, ty_dot(chord, chord));
}

ty_status tyi_sensor_lens_dust(const tyi_sensor_lens *l, float *radiance, ty_diag *diag)
{
    const ty_sensor_grains *p = &l->shot->grains;
    const ty_camera *c = l->view;
    ty_quat back = ty_quat_conj(c->pose.q);
    window w;
    bool lit;
    ty_status status = sunlit(l, &lit, diag);
    double spread = ty_k_dust_spread(LIGHT, p->size);
    size_t plane = (size_t)c->width * (size_t)c->height;
    scatter(l, &w);
    for (int y = 0; y < c->height && status == TY_OK; y++) {
        for (int x = 0; x < c->width; x++) {
            ty_vec3 o, d = { 0, 0, 1 };
            if (!ty_camera_ray(c, x + 0.5, y + 0.5, &o, &d)) {
                continue;
            }
            ty_vec3 own = ty_rotate(back, d);
            double mu = fmax(own.z, SLANT), tan_most = fmax(hypot(own.x, own.y) / (MOST * mu), 1.0);
            double place = p->window / (mu * tan_most);
            double cover = ty_k_dust_cover(shadow_at(&w, place * own.x, place * own.y));
            double phase = lit ? phase_of(p, l->shot->sky.sun.dir_W, d, spread) : 0.0;
            float *at = radiance + (size_t)y * (size_t)c->width + (size_t)x;
            for (int b = 0; b < l->bands; b++, at += plane) {
                *at = (float)((1.0 - cover) * (double)*at + ty_k_dust_veil(l->sun[b], 1.0, phase, cover, mu));
            }
        }
    }
    return status;
}
