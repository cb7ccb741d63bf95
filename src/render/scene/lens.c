/* src/render/scene/lens.c - the table of lenses and a program's own, rays from the lens, and the camera's definition.
 *
 * A new built-in lens is a kind in kernels/k_camera.h and a row of the table.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "host/frame.h"
#include "k_camera.h"
#include "tycho/render.h"

ty_camera ty_camera_default(void)
{
    return (ty_camera){
        .lens = TY_LENS_PINHOLE,
        .width = 640,
        .height = 480,
        .hfov = 60.0 * TY_DEG,
        .pose = { ty_vec3_make(0, 0, 0), ty_camera_look(0.0, 0.0, 0.0) },
        .cookie = TYI_COOKIE,
    };
}

ty_quat ty_camera_look(double azimuth, double elevation, double roll)
{
    /* from z up to z north with y down, then up by the elevation, round by the azimuth */
    ty_quat level = ty_quat_axis(ty_vec3_make(1, 0, 0), -0.5 * TY_PI);
    ty_quat up = ty_quat_axis(ty_vec3_make(1, 0, 0), elevation), round = ty_quat_axis(ty_vec3_make(0, 0, 1), -azimuth);
    ty_quat turn = ty_quat_axis(ty_vec3_make(0, 0, 1), roll);
    return ty_quat_mul(ty_quat_mul(round, up), ty_quat_mul(level, turn));
}

/* ---- the table ---- */

typedef struct lens_row {
    double most; /* [rad] widest field of view; 0: hfov is not used */
} lens_row;

static const lens_row rows[TY_LENS_COUNT] = {
    [TY_LENS_PINHOLE] = { 179.0 * TY_DEG },
    [TY_LENS_FISHEYE] = { 360.0 * TY_DEG },
    [TY_LENS_SPHERICAL] = { 360.0 * TY_DEG },
    [TY_LENS_FOV] = { 114.0 * TY_DEG },
    [TY_LENS_BROWN] = { 179.0 * TY_DEG },
    [TY_LENS_CAHV] = { 0.0 },
    [TY_LENS_CAHVOR] = { 0.0 },
    [TY_LENS_CAHVORE] = { 0.0 },
};
static const ty_lens_model *own_of(const ty_camera *c)
{
    return c->lens == TY_LENS_OWN ? c->model : NULL;
}

double tyi_render_lens_most(ty_lens lens)
{
    return lens < TY_LENS_COUNT ? rows[lens].most : 0.0;
}

bool tyi_render_lens_known(const ty_camera *c)
{
    return (unsigned)c->lens < TY_LENS_COUNT ||
           (c->lens == TY_LENS_OWN && c->model && c->model->ray && c->model->project);
}

/* ---- rays and pixels ---- */

static ty_k_vec3 vec(ty_vec3 v)
{
    return ty_k_vec(v.x, v.y, v.z);
}

/* the kernel's camera; lens kinds have the same numbers */
static ty_k_camera kernel_camera(const ty_camera *c)
{
    ty_k_camera m = ty_k_camera_make((int)c->lens, c->width, c->height, c->hfov);
    m.k1 = c->k1, m.k2 = c->k2, m.k3 = c->k3, m.p1 = c->p1, m.p2 = c->p2;
    m.c = vec(c->c), m.a = vec(c->a), m.h = vec(c->h), m.v = vec(c->v), m.o = vec(c->o), m.r = vec(c->r),
    m.e = vec(c->e);
    m.linearity = c->linearity;
    return m;
}

/* in S, from u, v with 0.5 in the middle of the first pixel */
static ty_k_ray lens_ray(const ty_k_camera *m, double u, double v)
{
    double shift = ty_k_camera_first(m->kind) - 0.5;
    return ty_k_camera_ray(*m, u + shift, v + shift);
}

/* the same for a lens of the program's own */
static ty_k_ray own_ray(const ty_lens_model *model, const ty_camera *c, double u, double v)
{
    ty_vec3 o = { 0, 0, 0 }, d = { 0, 0, 1 };
    int ok = model->ray(c, u, v, &o, &d, model->user);
    ty_k_ray r = { vec(o), vec(d), ok };
    return r;
}

bool ty_camera_ray(const ty_camera *camera, double u, double v, ty_vec3 *origin, ty_vec3 *dir)
{
    const ty_lens_model *model = own_of(camera);
    ty_k_ray r;
    if (model) {
        r = own_ray(model, camera, u, v);
    } else {
        ty_k_camera m = kernel_camera(camera);
        r = lens_ray(&m, u, v);
    }
    *origin = ty_pose_point(camera->pose, ty_vec3_make(r.o.x, r.o.y, r.o.z));
    *dir = r.ok ? ty_normalize(ty_rotate(camera->pose.q, ty_vec3_make(r.d.x, r.d.y, r.d.z))) : ty_vec3_make(0, 0, 1);
    return r.ok;
}

bool ty_camera_project(const ty_camera *camera, ty_vec3 p_W, double *u, double *v)
{
    const ty_lens_model *model = own_of(camera);
    ty_vec3 p_S = ty_pose_point(ty_pose_inverse(camera->pose), p_W);
    if (model) {
        return model->project(camera, p_S, u, v, model->user);
    }
    ty_k_camera m = kernel_camera(camera);
    ty_k_pixel p = ty_k_camera_project(m, vec(p_S));
    double shift = ty_k_camera_first(m.kind) - 0.5;
    *u = p.u - shift;
    *v = p.v - shift;
    return p.ok;
}
