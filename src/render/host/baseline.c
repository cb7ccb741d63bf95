/* src/render/host/baseline.c - a frame's own rays, recorded, and traced once more by nothing but the ray tracer.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include <time.h>
#include "frame.h"
#include "inner.h"

/* [s] of the processor: other programs on the machine do not count */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* one pass over the tape: the rays' far ends are put back first, outside the time */
static double replay(const ty_scene *s, tyi_render_rays *tape, const float *far, size_t blocks)
{
    for (size_t k = 0; k < blocks; k++) {
        memcpy(tape[k].far, far + k * TYI_RENDER_LANES, sizeof tape[k].far);
    }
    double start = now();
    for (size_t k = 0; k < blocks; k += 2) {
        tyi_render_accel_hit(s->accel, &tape[k], TYI_RENDER_LANES);
        tyi_render_accel_occlude(s->accel, &tape[k + 1], TYI_RENDER_LANES);
    }
    return now() - start;
}

static void count(const tyi_render_rays *tape, const float *far, size_t blocks, ty_render_bench *out)
{
    out->hash = TYI_HASH_START;
    for (size_t k = 0; k < blocks; k++) {
        for (int i = 0; i < TYI_RENDER_LANES; i++) {
            bool on = far[k * TYI_RENDER_LANES + (size_t)i] >= 0.0f;
            out->rays += on;
            out->hits += on && (k & 1 ? tape[k].far[i] < 0.0f : tape[k].slot[i] != TYI_RENDER_NOTHING);
        }
        out->hash = tyi_hash(tape[k].dx, sizeof tape[k].dx, out->hash);
        out->hash = tyi_hash(tape[k].far, sizeof tape[k].far, out->hash);
    }
}

ty_status tyi_render_measure(ty_scene *scene, const ty_camera *camera, const ty_render_def *def, float *radiance,
                             int repeats, ty_render_bench *out, ty_diag *diag)
{
    *out = (ty_render_bench){ .seconds = (double)INFINITY };
    size_t tiles = (size_t)((camera->width + TYI_RENDER_PIXELS - 1) / TYI_RENDER_PIXELS) *
                   (size_t)((camera->height + TYI_RENDER_PIXELS - 1) / TYI_RENDER_PIXELS);
    size_t blocks = 2 * tiles * (size_t)def->samples;
    tyi_render_rays *tape = tyi_get(scene->def.alloc, blocks * sizeof *tape);
    float *far = tyi_get(scene->def.alloc, blocks * TYI_RENDER_LANES * sizeof *far);
    ty_status status =
        tape && far ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "render: no memory for a tape of %zu blocks", blocks);
    if (status == TY_OK) {
        for (size_t k = 0; k < blocks; k++) {
            tyi_render_rays_init(&tape[k]);
            memset(tape[k].far, 0xff, sizeof tape[k].far); /* NaN: a block that is never recorded is idle */
        }
        scene->tape = tape;
        status = ty_render(scene, camera, def, &(ty_render_buffers){ .radiance = radiance }, diag);
        scene->tape = NULL;
    }
    if (status == TY_OK) {
        for (size_t k = 0; k < blocks; k++) {
            memcpy(far + k * TYI_RENDER_LANES, tape[k].far, sizeof tape[k].far);
        }
        for (int i = 0; i < repeats; i++) {
            out->seconds = fmin(out->seconds, replay(scene, tape, far, blocks));
        }
        count(tape, far, blocks, out);
    }
    tyi_put(scene->def.alloc, tape, blocks * sizeof *tape);
    tyi_put(scene->def.alloc, far, blocks * TYI_RENDER_LANES * sizeof *far);
    return status;
}
