/* src/render/scene/laws.c - the table of reflectance laws, and a program's own.
 *
 * A new built-in law is a function in kernels/ and a row of the table. A row answers for a block of lanes at a time:
 * once with the material's own parameters, once with parameters that differ from lane to lane (textures, maps).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "host/lanes.h"
#include <string.h>
#include "k_sample.h"
#include "names.h"
#include "tycho/render.h"

static ty_law_model own[TYI_RENDER_MOST_OWN];
static const char *const built_in[] = { "lambert", "lommel_seeliger", "minnaert", "oren_nayar",
                                        "phong",   "principled",      "hapke",    NULL };
static tyi_render_names names = { .what = "reflectance law", .built_in = built_in, .lock = PTHREAD_MUTEX_INITIALIZER };
_Static_assert(sizeof built_in / sizeof *built_in == TY_LAW_COUNT + 1, "a name for every law");

static ty_k_vec3 at(const tyi_render_lanes3 *v, int k)
{
    return ty_k_vec(v->x[k], v->y[k], v->z[k]);
}

/* ---- Hapke ---- */

TYI_PER_ISA static void hapke_lanes(const tyi_render_brdf *m, int band, const tyi_render_lanes3 *n,
                                    const tyi_render_lanes3 *l, const tyi_render_lanes3 *v, float *restrict f,
                                    int count)
{
    const ty_k_hapke h = m->ground[band];
    count = (count + 15) / 16 * 16; /* whole vectors; what is past the end is not read */
    for (int k = 0; k < count; k++) {
        ty_k_angles a = ty_k_angles_about(ty_k_vec(n->x[k], n->y[k], n->z[k]), ty_k_vec(l->x[k], l->y[k], l->z[k]),
                                          ty_k_vec(v->x[k], v->y[k], v->z[k]));
        f[k] = ty_k_hapke_brdf(h, a);
    }
}

static ty_k_hapke hapke_of(const tyi_render_vary *p, int band)
{
    ty_k_hapke_params q = { p->albedo[band],       p->key[TY_GROUND_B],
                            p->key[TY_GROUND_C],   p->key[TY_GROUND_BS0],
                            p->key[TY_GROUND_HS],  p->key[TY_GROUND_BC0],
                            p->key[TY_GROUND_HC],  p->key[TY_GROUND_THETA],
                            p->key[TY_GROUND_PHI], 0 };
    return ty_k_hapke_make(q);
}

static void hapke_varied(const tyi_render_brdf *m, int band, const tyi_render_vary *p, const int32_t *lane,
                         const tyi_render_lanes3 *n, const tyi_render_lanes3 *l, const tyi_render_lanes3 *v, float *f,
                         int count)
{
    (void)m;
    for (int k = 0; k < count; k++) {
        f[k] = ty_k_hapke_brdf(hapke_of(&p[lane[k]], band), ty_k_angles_about(at(n, k), at(l, k), at(v, k)));
    }
}

/* ---- the laws of k_brdf.h ---- */

static void other_lanes(const tyi_render_brdf *m, int band, const tyi_render_lanes3 *n, const tyi_render_lanes3 *l,
                        const tyi_render_lanes3 *v, float *restrict f, int count)
{
    const ty_k_brdf law = m->other[band];
    for (int k = 0; k < count; k++) {
        f[k] = ty_k_brdf_eval(law, ty_k_angles_about(at(n, k), at(l, k), at(v, k)));
    }
}

static void other_varied(const tyi_render_brdf *m, int band, const tyi_render_vary *p, const int32_t *lane,
                         const tyi_render_lanes3 *n, const tyi_render_lanes3 *l, const tyi_render_lanes3 *v, float *f,
                         int count)
{
    ty_k_brdf law = m->other[band];
    for (int k = 0; k < count; k++) {
        law.albedo = p[lane[k]].albedo[band];
        law.roughness = p[lane[k]].roughness;
        law.metallic = p[lane[k]].metallic;
        f[k] = ty_k_brdf_eval(law, ty_k_angles_about(at(n, k), at(l, k), at(v, k)));
    }
}

/* ---- a program's own ---- */

static float own_value(const ty_law_model *model, const ty_material *m, int band, ty_k_vec3 n, ty_k_vec3 l, ty_k_vec3 v)
{
    ty_law_geometry g = { (double)ty_k_dot(n, l), (double)ty_k_dot(n, v), (double)ty_k_dot(l, v) };
    return g.mu0 > 0.0 && g.mu > 0.0 ? (float)model->brdf(m, band, &g, model->user) : 0.0f;
}

static void own_lanes(const tyi_render_brdf *m, int band, const tyi_render_lanes3 *n, const tyi_render_lanes3 *l,
                      const tyi_render_lanes3 *v, float *restrict f, int count)
{
    const ty_law_model *model = &own[m->material->law - TY_LAW_COUNT];
    for (int k = 0; k < count; k++) {
        f[k] = own_value(model, m->material, band, at(n, k), at(l, k), at(v, k));
    }
}

static void own_varied(const tyi_render_brdf *m, int band, const tyi_render_vary *p, const int32_t *lane,
                       const tyi_render_lanes3 *n, const tyi_render_lanes3 *l, const tyi_render_lanes3 *v, float *f,
                       int count)
{
    const ty_law_model *model = &own[m->material->law - TY_LAW_COUNT];
    ty_material here = *m->material;
    for (int k = 0; k < count; k++) {
        here.albedo[band] = (double)p[lane[k]].albedo[band];
        here.roughness = (double)p[lane[k]].roughness;
        here.metallic = (double)p[lane[k]].metallic;
        f[k] = own_value(model, &here, band, at(n, k), at(l, k), at(v, k));
    }
}

/* ---- the table ---- */

#define OTHER                           \
    {                                   \
        other_lanes, other_varied, true \
    }
static const tyi_render_law rows[TY_LAW_COUNT + 1] = {
    [TY_LAW_LAMBERT] = OTHER,
    [TY_LAW_LOMMEL_SEELIGER] = OTHER,
    [TY_LAW_MINNAERT] = OTHER,
    [TY_LAW_OREN_NAYAR] = OTHER,
    [TY_LAW_PHONG] = OTHER,
    [TY_LAW_PRINCIPLED] = OTHER,
    [TY_LAW_HAPKE] = { hapke_lanes, hapke_varied, false },
    [TY_LAW_COUNT] = { own_lanes, own_varied, false }, /* all of them */
};

tyi_render_brdf tyi_render_brdf_make(const ty_material *m)
{
    tyi_render_brdf b = { .law = &rows[m->law < TY_LAW_COUNT ? m->law : TY_LAW_COUNT], .material = m };
    for (int k = 0; k < TY_BANDS; k++) {
        ty_k_hapke_params p = { (float)m->albedo[k], (float)m->b,  (float)m->c,     (float)m->bs0, (float)m->hs,
                                (float)m->bc0,       (float)m->hc, (float)m->theta, (float)m->phi, 0 };
        b.ground[k] = ty_k_hapke_make(p);
        b.other[k] = (ty_k_brdf){ (int)m->law,        (float)m->albedo[k], (float)m->k,         (float)m->sigma,
                                  (float)m->exponent, (float)m->specular,  (float)m->roughness, (float)m->metallic };
    }
    return b;
}

bool tyi_render_law_known(ty_law law)
{
    return tyi_render_names_known(&names, (int)law);
}

static void fill(int row, const void *model)
{
    own[row] = *(const ty_law_model *)model;
    own[row].name = names.own[row];
}

ty_status ty_law_register(const ty_law_model *model, ty_law *out, ty_diag *diag)
{
    int kind = 0;
    ty_status status = tyi_render_names_add(&names, model->name, model->brdf != NULL, fill, model, &kind, diag);
    *out = (ty_law)kind;
    return status;
}

bool ty_law_find(const char *name, ty_law *out)
{
    int kind = 0;
    bool found = tyi_render_names_find(&names, name, &kind);
    *out = found ? (ty_law)kind : *out;
    return found;
}
