/* The kernels of light in single precision: the very headers, compiled once more.
 * SPDX-License-Identifier: BSD-3-Clause */
#define TY_KERNEL_FLOAT
#include "k_camera.h"
#include "k_hapke.h"
#include "k_light.h"
#include "probe_float.h"

double probe_round(double x)
{
    return (double)(float)x;
}

float probe_math(int which, float x)
{
    return which == 0 ? ty_k_exp(x) : which == 1 ? ty_k_log(x) : which == 2 ? ty_k_atan(x) : ty_k_decay_mean(x);
}

static ty_k_hapke prepare(const double *p, int h81)
{
    ty_k_hapke_params params = { (float)p[0], (float)p[1], (float)p[2], (float)p[3], (float)p[4],
                                 (float)p[5], (float)p[6], (float)p[7], (float)p[8], h81 };
    return ty_k_hapke_make(params);
}

float probe_hapke(const double *params, int h81, const double *l, const double *v)
{
    ty_k_vec3 light = ty_k_vec((float)l[0], (float)l[1], (float)l[2]);
    ty_k_vec3 eye = ty_k_vec((float)v[0], (float)v[1], (float)v[2]);
    return ty_k_hapke_brdf(prepare(params, h81), ty_k_angles_of(light, eye));
}

void probe_hapke_lanes(const double *params, int n, const float *l, const float *v, float *out)
{
    ty_k_hapke h = prepare(params, 0);
    for (int k = 0; k < n; k++) {
        ty_k_vec3 light = ty_k_vec(l[k], l[n + k], l[2 * n + k]), eye = ty_k_vec(v[k], v[n + k], v[2 * n + k]);
        out[k] = ty_k_hapke_brdf(h, ty_k_angles_of(light, eye));
    }
}

void probe_camera(int kind, double hfov, float u, float v, float *back_u, float *back_v)
{
    ty_k_camera m = ty_k_camera_make(kind, 1024.0f, 768.0f, (float)hfov);
    m.k1 = -0.2f;
    ty_k_ray ray = ty_k_camera_ray(m, u, v);
    ty_k_pixel p = ty_k_camera_project(m, ty_k_scale(10.0f, ray.d));
    *back_u = ray.ok && p.ok ? p.u : -1e9f;
    *back_v = p.v;
}

int probe_disk(double radius, const double *axis, const double *d)
{
    ty_k_disk m = { .axis = ty_k_vec((float)axis[0], (float)axis[1], (float)axis[2]),
                    .chord2 = ty_k_disk_chord2((float)radius) };
    return ty_k_disk_seen(m, ty_k_vec((float)d[0], (float)d[1], (float)d[2])) > 0.0f;
}
