/* The ray walk of kernels/k_ray.h as OpenCL C against the same header as C, on a real patch.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "k_philox.h"
#include "world/terrain/patch.h"
#include "tycho/device.h"

static const char source[] =
    "#include \"k_ray.h\"\n"
    "__kernel void cast(ty_k_field field, __global const float *h, __global const float *top, __global const float *bottom,\n"
    "                   __global const ty_real *line, __global ty_real *t)\n"
    "{\n"
    "    size_t k = get_global_id(0);\n"
    "    __global const ty_real *r = line + 6 * k;\n"
    "    ty_k_line l = { r[0], r[1], r[2], r[3], r[4], r[5] };\n"
    "    t[k] = ty_k_field_ray(field, h, top, bottom, l, (ty_real)0.0, (ty_real)200.0);\n"
    "}\n";

#define RAYS 4000

static double uniform(uint32_t i, uint32_t what)
{
    return ty_k_uniform(ty_k_philox(i, what, 0, 0, 9, TY_RNG_TEST).v[0]);
}

/* from 0.2 to 3 m above the ground, in all directions, mostly down */
static void aim(const ty_terrain_patch *p, double *line, ty_ray *ray, uint32_t k)
{
    ty_rect r = ty_terrain_patch_rect(p);
    double x = r.x0 + (r.x1 - r.x0) * uniform(k, 1), y = r.y0 + (r.y1 - r.y0) * uniform(k, 2),
           az = 2.0 * TY_PI * uniform(k, 3);
    ty_terrain_ground g;
    ty_terrain_patch_sample(p, 1, &x, &y, &g);
    ty_vec3 d = ty_normalize(ty_vec3_make(cos(az), sin(az), 0.2 - uniform(k, 4)));
    *ray = (ty_ray){ ty_vec3_make(x, y, g.z + 0.2 + 2.8 * uniform(k, 5)), d, 0.0, 200.0 };
    double inv = 1.0 / p->d;
    double l[6] = { x * inv - (p->i0 + 1), y * inv - (p->j0 + 1), ray->origin.z - p->z0, d.x * inv, d.y * inv, d.z };
    memcpy(line, l, sizeof l);
}

static ty_status cast_on(ty_device *device, const ty_terrain_patch *p, bool single, const double *line, double *t,
                         ty_diag *diag)
{
    static float line_f[6 * RAYS], t_f[RAYS];
    for (int i = 0; i < 6 * RAYS; i++) {
        line_f[i] = (float)line[i];
    }
    size_t real = single ? sizeof(float) : sizeof(double), samples = (size_t)p->nx * (size_t)p->ny;
    ty_device_program *program = NULL;
    ty_device_buffer *b[5] = { NULL };
    ty_status status = ty_device_build(device, source, single ? TY_FLOAT : TY_DOUBLE, NULL, &program, diag);
    const void *data[5] = { p->h, p->top, p->bottom, single ? (const void *)line_f : (const void *)line, NULL };
    size_t bytes[5] = { samples * sizeof(float), p->nodes * sizeof(float), p->nodes * sizeof(float), 6 * RAYS * real,
                        RAYS * real };
    for (int i = 0; i < 5 && status == TY_OK; i++) {
        status = ty_device_buffer_create(device, bytes[i], data[i], &b[i], diag);
    }
    if (status == TY_OK) {
        ty_device_arg args[6] = { ty_device_arg_value(&p->field, sizeof p->field),
                                  ty_device_arg_buffer(b[0]),
                                  ty_device_arg_buffer(b[1]),
                                  ty_device_arg_buffer(b[2]),
                                  ty_device_arg_buffer(b[3]),
                                  ty_device_arg_buffer(b[4]) };
        ty_device_job job = { "cast", { RAYS, 0 }, { 0, 0 }, args, 6 };
        status = ty_device_run(program, &job, NULL, diag);
    }
    if (status == TY_OK) {
        status = ty_device_read(b[4], 0, RAYS * real, single ? (void *)t_f : (void *)t, diag);
    }
    for (int i = 0; i < RAYS && single; i++) {
        t[i] = (double)t_f[i];
    }
    for (int i = 0; i < 5; i++) {
        ty_device_buffer_destroy(b[i]);
    }
    ty_device_program_destroy(program);
    return status;
}

TY_TEST(device, rays_agree_with_the_host, .timeout = 120)
{
    ty_device_info info;
    if (ty_device_list(&info, 1) == 0) {
        cr_skip("there is no OpenCL device");
    }
    ty_diag diag = { 0 };
    ty_device_def any = ty_device_def_default();
    any.name = getenv("TYCHO_DEVICE");
    ty_device *device = NULL;
    cr_assert(ty_device_create(&any, &device, &diag) == TY_OK, "%s", diag.text);
    ty_terrain_def def = ty_terrain_def_default();
    ty_terrain *t = NULL;
    ty_terrain_patch *p = NULL;
    cr_assert(ty_terrain_create(&def, &t, &diag) == TY_OK &&
                  ty_terrain_patch_create(t, 3, -128, -128, 257, 257, 1, &p, &diag) == TY_OK,
              "%s", diag.text);
    static double line[6 * RAYS], got[RAYS];
    static ty_ray rays[RAYS];
    static ty_terrain_hit hits[RAYS];
    for (uint32_t k = 0; k < RAYS; k++) {
        aim(p, line + 6 * k, &rays[k], k);
    }
    ty_terrain_patch_rays(p, RAYS, rays, hits);
    for (int single = 0; single < 2; single++) {
        if (!single && !ty_device_get_info(device)->fp64) {
            continue;
        }
        cr_assert(cast_on(device, p, single, line, got, &diag) == TY_OK, "%s", diag.text);
        int hit = 0, other = 0;
        double worst = 0.0;
        for (int k = 0; k < RAYS; k++) {
            bool here = isfinite(hits[k].t), there = got[k] >= 0.0;
            hit += here;
            /* single precision may go past a grazing crossing; then the two are far apart, and counted */
            double error = here && there ? fabs(got[k] - hits[k].t) / hits[k].t : 0.0;
            bool apart = here != there || error > (single ? 1e-3 : 1e-9);
            other += apart;
            worst = apart ? worst : fmax(worst, error);
        }
        printf("rays on the device in %s precision: %d of %d hit, %d end elsewhere, others within %.2g\n",
               single ? "single" : "double", hit, RAYS, other, worst);
        TY_CHECK(hit > RAYS / 2);
        TY_CHECK(other <= (single ? RAYS / 200 : 0));
        /* single: 2^-24 of 40 m of patch over ranges of 1 m and grazing angles */
        TY_CHECK(worst < (single ? 1e-4 : 1e-12));
    }
    ty_terrain_patch_destroy(p);
    ty_terrain_destroy(t);
    ty_device_destroy(device);
    TY_ROW("kernels on an OpenCL device: rays as on the host within 1e-12 (double), 1e-4 (float)", "the host",
           "inside");
}
