/* app/render_lens.c - the lens and the bands of `tycho render` from its options.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "app.h"
#include "k_spectrum.h"
#include "render.h"
#include "terrain.h"
#include "tycho/render.h"

static ty_vec3 vector(const double *v)
{
    return ty_vec3_make(v[0], v[1], v[2]);
}

/* C, A, H, V, and O, R, and E: 12, 18 or 21 numbers in the camera's frame, x right, y down, z forward */
static ty_status take_cahv(render_job *job, const char *text, ty_diag *diag)
{
    double v[21] = { 0 };
    ty_camera *c = &job->camera;
    int need = c->lens == TY_LENS_CAHV ? 12 : c->lens == TY_LENS_CAHVOR ? 18 : 21;
    if (!text || !app_numbers(text, need, v)) {
        return ty_fail(diag, TY_ERR_INPUT, "--lens %s takes --cahv with %d numbers: %s, three each",
                       ty_lens_name(c->lens), need,
                       need == 12   ? "C, A, H, V"
                       : need == 18 ? "C, A, H, V, O, R"
                                    : "C, A, H, V, O, R, E");
    }
    c->c = vector(v), c->a = vector(v + 3), c->h = vector(v + 6), c->v = vector(v + 9);
    c->o = need > 12 ? vector(v + 12) : c->a, c->r = vector(v + 15), c->e = vector(v + 18);
    double focal = ty_norm(ty_cross(c->a, c->h)); /* [px] */
    if (!(fabs(ty_norm(c->a) - 1.0) < 0.01) || !(focal > 1.0)) {
        return ty_fail(diag, TY_ERR_INPUT,
                       "--cahv: A is a unit vector and H at least a pixel across it, but they are %g long and %g px",
                       ty_norm(c->a), focal);
    }
    c->hfov = 2.0 * atan(0.5 * c->width / focal); /* what detail and focal length are chosen by */
    return TY_OK;
}

ty_status render_take_lens(render_job *job, int *argc, char **argv, ty_diag *diag)
{
    const char *text = app_option(argc, argv, "--lens"), *brown = app_option(argc, argv, "--brown"),
               *cahv = app_option(argc, argv, "--cahv");
    ty_camera *c = &job->camera;
    app_take_number(argc, argv, "--linearity", -2.0, 2.0, &c->linearity, diag);
    if (text && !ty_lens_find(text, &c->lens)) {
        return ty_fail(diag, TY_ERR_INPUT,
                       "--lens takes pinhole, fisheye, spherical, fov, brown, cahv, cahvor or cahvore, not '%s'", text);
    }
    if (cahv || (c->lens >= TY_LENS_CAHV && c->lens <= TY_LENS_CAHVORE)) {
        if (c->lens < TY_LENS_CAHV || c->lens > TY_LENS_CAHVORE) {
            return ty_fail(diag, TY_ERR_INPUT, "--cahv belongs to --lens cahv, cahvor or cahvore");
        }
        return take_cahv(job, cahv, diag);
    }
    double v[5];
    if (brown && (c->lens != TY_LENS_BROWN || !app_numbers(brown, 5, v))) {
        return ty_fail(diag, TY_ERR_INPUT,
                       "--brown belongs to --lens brown and takes 5 numbers, K1,K2,K3,P1,P2, not '%s'", brown);
    }
    if (brown) {
        c->k1 = v[0], c->k2 = v[1], c->k3 = v[2], c->p1 = v[3], c->p2 = v[4];
    }
    return TY_OK;
}

/* 600-700,500-600,400-500 [nm]; rgb stands for these */
ty_status render_take_bands(render_job *job, int *argc, char **argv, ty_diag *diag)
{
    const char *text = app_option(argc, argv, "--bands"),
               *at = text && !strcmp(text, "rgb") ? "600-700,500-600,400-500" : text;
    job->bands = 1;
    job->share[0] = 1.0;
    for (int b = 0; at && *at; b++) {
        double low = 0.0, high = 0.0;
        int used = 0;
        if (b == TY_BANDS || sscanf(at, "%lf-%lf%n", &low, &high, &used) != 2 ||
            !(low >= 100.0 && low < high && high <= 20000.0) || (at[used] && at[used] != ',')) {
            return ty_fail(diag, TY_ERR_INPUT,
                           "--bands takes rgb, or up to %d bands LOW-HIGH in nm, as 600-700,500-600, not '%s'",
                           TY_BANDS, text);
        }
        job->share[b] = ty_k_sun_share(1e-9 * low, 1e-9 * high);
        job->band[b] = (ty_band){ 1e-9 * low, 1e-9 * high };
        job->banded = true;
        job->bands = b + 1;
        at += used + (at[used] == ',');
    }
    if (job->bands > 1 && job->physical) {
        return ty_fail(diag, TY_ERR_INPUT, "--exposure takes one band; write an EXR of several and use tycho camera");
    }
    return TY_OK;
}
