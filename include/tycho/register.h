/* include/tycho/register.h - reflectance laws, light kinds and lenses of a user's own program.
 *
 * The built-in ones are rows of three tables (src/render/laws.c, lamps.c, lens.c); what is registered here is a row more, with
 * a number of its own that goes wherever a ty_law, ty_light_kind or ty_lens does, and a name by which it is found. A
 * row stays for the life of the process; 64 of each kind at most.
 *
 * Threads: registering and finding by any thread; the functions are called by all threads that render, at the same
 * time, and must give the same answer for the same question.
 * Statuses: TY_ERR_INPUT (no function, no name, or a name that is taken), TY_ERR_RANGE (too many).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_REGISTER_H
#define TYCHO_REGISTER_H
#include "tycho/render.h"
TY_BEGIN_DECLS

/* ---- reflectance laws ---- */

typedef struct ty_geometry {
    double mu0, mu; /* [-] cosines of incidence and emission, both above 0 */
    double cos_g;   /* [-] cosine between the directions to the light and to the eye */
} ty_geometry;

typedef struct ty_law_model {
    const char *name; /* up to 31 characters; copied */
    /* BRDF [1/sr] of one band; material->albedo[band] is what textures and maps make of it at this point. */
    double (*brdf)(const ty_material *material, int band, const ty_geometry *g, void *user);
    void *user;
} ty_law_model;
TY_API ty_status ty_law_register(const ty_law_model *model, ty_law *out, ty_diag *diag);
TY_API bool ty_law_find(const char *name, ty_law *out);

/* ---- lights ---- */

typedef struct ty_light_model {
    const char *name;
    /* What the light gives at p_W [m]: the unit direction towards it and how far it is [m] (INFINITY is fine). Returns
     * the share s: a surface that faces the light receives s power[b] [W/m^2]; 0: none. u, v in [0, 1) choose a
     * point of a light that has a size. */
    double (*lit)(const ty_light *light, ty_vec3 p_W, double u, double v, ty_vec3 *l_W, double *far, void *user);
    void *user;
} ty_light_model;
TY_API ty_status ty_light_register(const ty_light_model *model, ty_light_kind *out, ty_diag *diag);
TY_API bool ty_light_find(const char *name, ty_light_kind *out);

/* ---- lenses ---- */

typedef struct ty_lens_model {
    const char *name;
    /* In S (x right, y down, z forward), u and v [px] with 0.5 in the middle of the first pixel. ray: origin [m] and
     * unit direction. false: the lens has none. */
    bool (*ray)(const ty_camera *camera, double u, double v, ty_vec3 *origin, ty_vec3 *dir, void *user);
    bool (*project)(const ty_camera *camera, ty_vec3 p_S, double *u, double *v, void *user);
    void *user;
} ty_lens_model;
TY_API ty_status ty_lens_register(const ty_lens_model *model, ty_lens *out, ty_diag *diag);
TY_API bool ty_lens_find(const char *name, ty_lens *out);
TY_API const char *ty_lens_name(ty_lens lens); /* "": no such lens */

TY_END_DECLS
#endif
