/* kernels/k_law.h - the reflectance law of a flat scene's material, by its number.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_LAW_H
#define TY_K_LAW_H
#include "k_brdf.h"
#include "k_hapke.h"
#include "k_scene.h"

enum { TY_K_LAW_HAPKE = TY_K_PRINCIPLED + 1, TY_K_LAW_COUNT };

/* a material at one point, one band: what textures and maps make of it */
typedef struct ty_k_law {
    int law; /* enum ty_k_brdf_law, or TY_K_LAW_HAPKE */
    ty_k_brdf brdf;
    ty_k_hapke_params hapke;
} ty_k_law;

TY_KFN ty_k_law ty_k_law_of(TY_GLOBAL const ty_k_scene_material *m, int band)
{
    ty_k_law l;
    ty_real w = (ty_real)m->albedo[band];
    l.law = m->law;
    l.brdf.law = m->law, l.brdf.albedo = w, l.brdf.k = (ty_real)m->k, l.brdf.sigma = (ty_real)m->sigma;
    l.brdf.exponent = (ty_real)m->exponent, l.brdf.specular = (ty_real)m->specular;
    l.brdf.roughness = (ty_real)m->roughness, l.brdf.metallic = (ty_real)m->metallic;
    l.hapke.w = w, l.hapke.b = (ty_real)m->b, l.hapke.c = (ty_real)m->c;
    l.hapke.bs0 = (ty_real)m->bs0, l.hapke.hs = (ty_real)m->hs, l.hapke.bc0 = (ty_real)m->bc0;
    l.hapke.hc = (ty_real)m->hc, l.hapke.theta = (ty_real)m->theta, l.hapke.phi = (ty_real)m->phi, l.hapke.h81 = 0;
    return l;
}

#ifdef TY_K_OWN_LAWS
/* laws of a program's own, whose texts stand behind the kernels (src/render/gpu/own.c) */
static ty_real ty_k_own_laws(int law, ty_k_brdf m, ty_k_angles a);
#endif

/* BRDF [1/sr]; a law of a program's own (TY_K_LAW_COUNT and up) that has no text is black here: such a scene is for the host */
TY_KFN ty_real ty_k_law_eval(ty_k_law l, ty_k_angles a)
{
    if (l.law == TY_K_LAW_HAPKE) {
        return ty_k_hapke_brdf(ty_k_hapke_make(l.hapke), a);
    }
#ifdef TY_K_OWN_LAWS
    if (l.law >= TY_K_LAW_COUNT) {
        int seen = a.mu0 > TY_R(0.0) && a.mu > TY_R(0.0);
        return seen ? ty_k_own_laws(l.law - TY_K_LAW_COUNT, l.brdf, a) : TY_R(0.0);
    }
#endif
    return l.law < TY_K_LAW_HAPKE ? ty_k_brdf_eval(l.brdf, a) : TY_R(0.0);
}

#endif
