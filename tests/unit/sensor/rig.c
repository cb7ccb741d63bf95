/* A camera before a scene.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "rig.h"
#include "tycho/math.h"

ty_camera_sensor_def rig_bare(int width, int height)
{
    ty_camera_sensor_def def = ty_camera_sensor_def_default();
    def.width = width;
    def.height = height;
    memset(def.on, 0, sizeof def.on);
    def.hot_share = def.dead_share = 0.0;
    return def;
}

rig rig_make(const ty_camera_sensor_def *def, int threads)
{
    rig r = { 0 };
    ty_diag diag = { 0 };
    TY_CHECK(ty_camera_sensor_create(def, &r.sensor, &diag) == TY_OK);
    cr_assert(r.sensor, "%s", diag.text);
    TY_CHECK(ty_pipeline_create(def->alloc, threads, &r.pipeline, &diag) == TY_OK);
    TY_CHECK(ty_camera_sensor_build(r.sensor, r.pipeline, &diag) == TY_OK);
    ty_buffer_type type = { def->width, def->height, def->bands, TY_ELEMENT_F32, TY_UNIT_RADIANCE, 'S' };
    TY_CHECK(ty_buffer_create(&type, NULL, &r.radiance, &diag) == TY_OK);
    type.channels = 1;
    type.unit = TY_UNIT_METRE;
    TY_CHECK(ty_buffer_create(&type, NULL, &r.depth, &diag) == TY_OK);
    return r;
}

void rig_free(rig *r)
{
    ty_pipeline_destroy(r->pipeline);
    ty_camera_sensor_destroy(r->sensor);
    ty_buffer_destroy(&r->radiance);
    ty_buffer_destroy(&r->depth);
}

void rig_fill(rig *r, double radiance)
{
    for (int y = 0; y < r->radiance.type.height; y++) {
        for (int x = 0; x < r->radiance.type.width; x++) {
            for (int c = 0; c < r->radiance.type.channels; c++) {
                ty_buffer_set(&r->radiance, x, y, c, radiance);
            }
        }
    }
}

const ty_buffer *rig_shoot(rig *r)
{
    ty_diag diag = { 0 };
    const ty_buffer *out = NULL;
    ty_status status = ty_pipeline_run(r->pipeline, &r->radiance, &r->depth, r->frame++, &out, &diag);
    cr_assert(status == TY_OK, "%s", diag.text);
    return out;
}

/* E = pi L T/(4 N^2), electrons = E C^2 t QE lambda/(h c), with the constants of the SI */
double rig_radiance(const ty_camera_sensor_def *d, double electrons, double exposure)
{
    double photon = 6.62607015e-34 * 299792458.0 / d->lambda[0];
    return electrons * photon * 4.0 * d->f_number * d->f_number /
           (TY_PI * d->transmission * d->pixel * d->pixel * exposure * d->qe[0][0]);
}

moments moments_make(int pixels)
{
    return (moments){ 0, pixels, calloc((size_t)pixels, sizeof(double)), calloc((size_t)pixels, sizeof(double)) };
}

void moments_free(moments *m)
{
    free(m->mean);
    free(m->m2);
}

void moments_add(moments *m, const ty_buffer *image)
{
    m->n++;
    for (int i = 0; i < m->pixels; i++) {
        double v = ty_buffer_get(image, i % image->type.width, i / image->type.width, 0);
        double d = v - m->mean[i];
        m->mean[i] += d / m->n;
        m->m2[i] += d * (v - m->mean[i]);
    }
}

double moments_mean(const moments *m)
{
    double sum = 0.0;
    for (int i = 0; i < m->pixels; i++) {
        sum += m->mean[i];
    }
    return sum / m->pixels;
}

double moments_variance(const moments *m)
{
    double sum = 0.0;
    for (int i = 0; i < m->pixels; i++) {
        sum += m->m2[i];
    }
    return sum / m->pixels / (m->n - 1);
}

double moments_spread(const moments *m)
{
    double mean = moments_mean(m), sum = 0.0;
    for (int i = 0; i < m->pixels; i++) {
        sum += (m->mean[i] - mean) * (m->mean[i] - mean);
    }
    return sum / (m->pixels - 1) - moments_variance(m) / m->n;
}
