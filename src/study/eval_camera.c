/* src/study/eval_camera.c - `tycho eval camera_project` and `camera_ray`: lens models, kernels/k_camera.h.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "eval.h"
#include "k_camera.h"
#include "tycho/math.h"

/* columns shared by both models; AT_0 to AT_2 are the point or the pixel */
enum {
    MODEL,
    MTYPE,
    MPARM,
    CX,
    AX = CX + 3,
    HX = AX + 3,
    VX = HX + 3,
    OX = VX + 3,
    RX = OX + 3,
    EX = RX + 3,
    WIDTH = EX + 3,
    HEIGHT,
    HFOV,
    K1,
    K2,
    K3,
    P1,
    P2,
    AT_0,
    AT_1,
    AT_2
};

#define TRIPLE(a, b, c)                   \
    { a, "0", false }, { b, "0", false }, \
    {                                     \
        c, "0", false                     \
    }
#define COMMON                                                                                                         \
    { "model", NULL, true }, { "mtype", "0", false }, { "mparm", "0", false }, TRIPLE("c_x", "c_y", "c_z"),            \
        TRIPLE("a_x", "a_y", "a_z"), TRIPLE("h_x", "h_y", "h_z"), TRIPLE("v_x", "v_y", "v_z"),                         \
        TRIPLE("o_x", "o_y", "o_z"), TRIPLE("r_0", "r_1", "r_2"), TRIPLE("e_0", "e_1", "e_2"),                         \
        { "width", "1024", false }, { "height", "768", false }, { "hfov_deg", "60", false }, TRIPLE("k1", "k2", "k3"), \
        { "p1", "0", false },                                                                                          \
    {                                                                                                                  \
        "p2", "0", false                                                                                               \
    }

static const ty_eval_input project_inputs[] = {
    COMMON, { "x", NULL, false }, { "y", NULL, false }, { "z", NULL, false }, { NULL, NULL, false },
};
static const ty_eval_input ray_inputs[] = {
    COMMON,
    { "u", NULL, false },
    { "v", NULL, false },
    { NULL, NULL, false },
};
static const char *const project_outputs[] = { "u", "v", "ok", NULL };
static const char *const ray_outputs[] = { "o_x", "o_y", "o_z", "d_x", "d_y", "d_z", "ok", NULL };

static const struct {
    const char *name;
    int kind;
    double most; /* [deg] hfov must be below */
} kinds[] = {
    { "pinhole", TY_K_PINHOLE, 180.0 }, { "fisheye", TY_K_FISHEYE, 360.001 }, { "spherical", TY_K_SPHERICAL, 360.001 },
    { "fov", TY_K_FOV, 115.0 },         { "brown", TY_K_BROWN, 180.0 },       { "cahv", TY_K_CAHV, 0.0 },
    { "cahvor", TY_K_CAHVOR, 0.0 },     { "cahvore", TY_K_CAHVORE, 0.0 },
};
#define KINDS (sizeof kinds / sizeof kinds[0])

static ty_k_vec3 triple(const double *x, int first)
{
    return ty_k_vec(x[first], x[first + 1], x[first + 2]);
}

static ty_status cahv_camera(const double *x, int kind, ty_k_camera *m, ty_diag *diag)
{
    *m = ty_k_camera_make(kind, 1.0, 1.0, 1.0);
    m->c = triple(x, CX);
    m->a = triple(x, AX);
    m->h = triple(x, HX);
    m->v = triple(x, VX);
    m->o = triple(x, OX);
    m->r = triple(x, RX);
    m->e = triple(x, EX);
    if (!(fabs(ty_k_dot(m->a, ty_k_cross(m->v, m->h))) > 0.0)) {
        return ty_fail(diag, TY_ERR_RANGE, "the vectors a, h and v lie in one plane or are missing");
    }
    if (kind != TY_K_CAHV && !(ty_k_norm(m->o) > 0.0)) {
        return ty_fail(diag, TY_ERR_RANGE, "the vector o is zero or missing");
    }
    if (kind == TY_K_CAHVORE) {
        if (x[MTYPE] != 1.0 && x[MTYPE] != 2.0 && x[MTYPE] != 3.0) {
            return ty_fail(diag, TY_ERR_RANGE, "mtype is %g, but takes 1 (perspective), 2 (fisheye) or 3 (general)",
                           x[MTYPE]);
        }
        m->linearity = x[MTYPE] == 1.0 ? 1.0 : x[MTYPE] == 2.0 ? 0.0 : x[MPARM];
    }
    return TY_OK;
}

static ty_status camera(const ty_eval_row *r, ty_k_camera *m, ty_diag *diag)
{
    const double *x = r->number;
    size_t n = 0;
    while (n < KINDS && strcmp(kinds[n].name, r->text[MODEL])) {
        n++;
    }
    if (n == KINDS) {
        return ty_fail(diag, TY_ERR_INPUT,
                       "model is '%s', but takes pinhole, fisheye, spherical, fov, brown, cahv, "
                       "cahvor or cahvore",
                       r->text[MODEL]);
    }
    if (kinds[n].kind >= TY_K_CAHV) {
        return cahv_camera(x, kinds[n].kind, m, diag);
    }
    if (!(x[WIDTH] >= 1.0 && x[HEIGHT] >= 1.0)) {
        return ty_fail(diag, TY_ERR_RANGE, "width is %g and height %g, but both take 1 or more", x[WIDTH], x[HEIGHT]);
    }
    if (!(x[HFOV] > 0.0 && x[HFOV] < kinds[n].most)) {
        return ty_fail(diag, TY_ERR_RANGE, "hfov_deg is %g, but %s takes more than 0 and less than %g", x[HFOV],
                       kinds[n].name, kinds[n].most);
    }
    *m = ty_k_camera_make(kinds[n].kind, x[WIDTH], x[HEIGHT], x[HFOV] * TY_DEG);
    m->k1 = x[K1];
    m->k2 = x[K2];
    m->k3 = x[K3];
    m->p1 = x[P1];
    m->p2 = x[P2];
    return TY_OK;
}

static ty_status project(const ty_eval_row *r, ty_diag *diag)
{
    ty_k_camera m;
    ty_status status = camera(r, &m, diag);
    if (status != TY_OK) {
        return status;
    }
    ty_k_pixel p = ty_k_camera_project(m, triple(r->number, AT_0));
    r->out[0] = p.u;
    r->out[1] = p.v;
    r->out[2] = p.ok;
    return TY_OK;
}

static ty_status ray(const ty_eval_row *r, ty_diag *diag)
{
    ty_k_camera m;
    ty_status status = camera(r, &m, diag);
    if (status != TY_OK) {
        return status;
    }
    ty_k_ray y = ty_k_camera_ray(m, r->number[AT_0], r->number[AT_1]);
    const double out[7] = { y.o.x, y.o.y, y.o.z, y.d.x, y.d.y, y.d.z, y.ok };
    memcpy(r->out, out, sizeof out);
    return TY_OK;
}

const ty_eval_model tyi_study_eval_camera_project = { "camera_project", project_inputs, project_outputs, project };
const ty_eval_model tyi_study_eval_camera_ray = { "camera_ray", ray_inputs, ray_outputs, ray };
