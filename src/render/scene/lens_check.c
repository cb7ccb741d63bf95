/* src/render/scene/lens_check.c - whether a camera's lens has rays: one check for files, programs and the tracer.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "host/frame.h"
#include "tycho/render.h"
#include "inner.h"

#define MOST_PX 1e7 /* [px] of H and V: a focal length of 10 million pixels sees 0.02 arc seconds in each */

static ty_status check_vector(ty_vec3 v, const char *name, double most, ty_diag *diag)
{
    if (!(fabs(v.x) <= most && fabs(v.y) <= most && fabs(v.z) <= most)) {
        return ty_fail(diag, TY_ERR_RANGE, "camera: %s is %g, %g, %g, but takes components up to %g", name, v.x, v.y,
                       v.z, most);
    }
    return TY_OK;
}

static ty_status check_unit(ty_vec3 v, const char *name, const char *lens, ty_diag *diag)
{
    if (!(fabs(ty_norm(v) - 1.0) < 0.01)) {
        return ty_fail(diag, TY_ERR_RANGE, "camera: lens %s takes %s, a unit vector, but it is %g, %g, %g", lens, name,
                       v.x, v.y, v.z);
    }
    return TY_OK;
}

/* the image's axes: H and V across A are at least a pixel long, and at least 5 deg from one another */
static ty_status check_axes(const ty_camera *c, const char *lens, ty_diag *diag)
{
    ty_vec3 h = ty_cross(c->a, c->h), v = ty_cross(c->a, c->v);
    double wide = ty_norm(h), high = ty_norm(v), area = fabs(ty_dot(c->a, ty_cross(c->v, c->h)));
    if (!(wide >= 1.0) || !(high >= 1.0)) {
        return ty_fail(diag, TY_ERR_RANGE,
                       "camera: lens %s takes h and v of at least a pixel across a, but h has %g and v %g px", lens,
                       wide, high);
    }
    if (!(area >= 0.087 * wide * high)) {
        return ty_fail(diag, TY_ERR_RANGE, "camera: v lies along h, seen along a: lens %s has no image plane", lens);
    }
    return TY_OK;
}

static ty_status check_cahv(const ty_camera *c, ty_diag *diag)
{
    const char *lens = ty_lens_name(c->lens);
    const struct {
        const char *name;
        ty_vec3 v;
        double most;
        bool used;
    } vector[] = { { "c", c->c, 1e4, true },
                   { "a", c->a, 2.0, true },
                   { "h", c->h, MOST_PX, true },
                   { "v", c->v, MOST_PX, true },
                   { "o", c->o, 2.0, c->lens != TY_LENS_CAHV },
                   { "r", c->r, 1e4, c->lens != TY_LENS_CAHV },
                   { "e", c->e, 1e4, c->lens == TY_LENS_CAHVORE } };
    ty_status status = TY_OK;
    for (size_t i = 0; i < sizeof vector / sizeof *vector && status == TY_OK; i++) {
        status = vector[i].used ? check_vector(vector[i].v, vector[i].name, vector[i].most, diag) : TY_OK;
    }
    status = status == TY_OK ? check_unit(c->a, "a", lens, diag) : status;
    status = status == TY_OK ? check_axes(c, lens, diag) : status;
    if (status == TY_OK && c->lens != TY_LENS_CAHV) {
        status = check_unit(c->o, "o", lens, diag);
    }
    if (status == TY_OK && c->lens == TY_LENS_CAHVORE && !(fabs(c->linearity) <= 2.0)) {
        status = ty_fail(diag, TY_ERR_RANGE, "camera: linearity is %g, but takes -2 to 2", c->linearity);
    }
    return status;
}

ty_status tyi_render_camera_check(const ty_camera *c, ty_diag *diag)
{
    if (c->width < 1 || c->height < 1 || c->width > 32768 || c->height > 32768) {
        return ty_fail(diag, TY_ERR_RANGE, "camera: an image of %d x %d pixels, but 1 to 32768 are accepted", c->width,
                       c->height);
    }
    if (!tyi_render_lens_known(c)) {
        return ty_fail(diag, TY_ERR_RANGE, "camera: there is no lens %d", (int)c->lens);
    }
    double most = tyi_render_lens_most(c->lens);
    if (most > 0.0 && !(c->hfov > 1e-6 && c->hfov <= most + 1e-9)) {
        return ty_fail(diag, TY_ERR_RANGE, "camera: a field of view of %g deg, but this lens takes up to %g deg",
                       c->hfov / TY_DEG, most / TY_DEG);
    }
    if (c->lens == TY_LENS_BROWN && !isfinite(c->k1 + c->k2 + c->k3 + c->p1 + c->p2)) {
        return ty_fail(diag, TY_ERR_RANGE, "camera: a distortion of lens brown is not a number");
    }
    return c->lens >= TY_LENS_CAHV && c->lens <= TY_LENS_CAHVORE ? check_cahv(c, diag) : TY_OK;
}
