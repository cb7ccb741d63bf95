/* src/render/scene/kinds.c - names of reflectance laws, lights and lenses: the built-in ones, then a program's own.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "scene.h"

static const char *const laws[] = { "lambert", "lommel_seeliger", "minnaert", "oren_nayar",
                                    "phong",   "principled",      "hapke" };
static const char *const lights[] = { "disk", "point", "spot" };
static const char *const lenses[] = { "pinhole", "fisheye", "spherical", "fov", "brown", "cahv", "cahvor", "cahvore" };
_Static_assert(sizeof laws / sizeof *laws == TY_LAW_COUNT, "a name for every law");
_Static_assert(sizeof lights / sizeof *lights == TY_LIGHT_COUNT, "a name for every kind of light");
_Static_assert(sizeof lenses / sizeof *lenses == TY_LENS_COUNT, "a name for every lens");

static const char *law_name(const ty_render_kinds *k, int i)
{
    return i < TY_LAW_COUNT ? laws[i] : k->law[i - TY_LAW_COUNT].name;
}
static const char *light_name(const ty_render_kinds *k, int i)
{
    return i < TY_LIGHT_COUNT ? lights[i] : k->light[i - TY_LIGHT_COUNT].name;
}

/* number of a name among the first n; -1: none */
static int find(const ty_render_kinds *k, const char *(*name)(const ty_render_kinds *, int), int n, const char *text)
{
    for (int i = 0; i < n; i++) {
        if (!strcmp(name(k, i), text)) {
            return i;
        }
    }
    return -1;
}

bool ty_law_find(const ty_render_kinds *kinds, const char *name, ty_law *out)
{
    int i = find(kinds, law_name, TY_LAW_COUNT + (int)(kinds ? kinds->laws : 0), name);
    *out = i >= 0 ? (ty_law)i : *out;
    return i >= 0;
}

bool ty_light_find(const ty_render_kinds *kinds, const char *name, ty_light_kind *out)
{
    int i = find(kinds, light_name, TY_LIGHT_COUNT + (int)(kinds ? kinds->lights : 0), name);
    *out = i >= 0 ? (ty_light_kind)i : *out;
    return i >= 0;
}

bool ty_lens_find(const char *name, ty_lens *out)
{
    for (int i = 0; i < TY_LENS_COUNT; i++) {
        if (!strcmp(lenses[i], name)) {
            *out = (ty_lens)i;
            return true;
        }
    }
    return false;
}

const char *ty_lens_name(ty_lens lens)
{
    return (unsigned)lens < TY_LENS_COUNT ? lenses[lens] : "";
}

/* row i of a table: has a name that no row before it has, and its function */
static ty_status check(const ty_render_kinds *k, const char *(*name)(const ty_render_kinds *, int), int i, bool whole,
                       const char *what, ty_diag *diag)
{
    const char *text = name(k, i);
    if (!text || !text[0] || !whole) {
        return ty_fail(diag, TY_ERR_INPUT,
                       "scene: a %s of the program's own takes a name and a function; '%.40s' does not have both", what,
                       text ? text : "");
    }
    return find(k, name, i, text) < 0 ? TY_OK
                                      : ty_fail(diag, TY_ERR_INPUT, "scene: there is a %s '%.40s' already", what, text);
}

#define MOST 64 /* of each */

ty_status tyi_render_kinds_check(const ty_render_kinds *k, ty_diag *diag)
{
    ty_status status = TY_OK;
    if (k->laws > MOST || k->lights > MOST) {
        return ty_fail(diag, TY_ERR_RANGE, "scene: %zu laws and %zu lights of the program's own, but %d are the most",
                       k->laws, k->lights, MOST);
    }
    for (size_t i = 0; i < k->laws && status == TY_OK; i++) {
        status = check(k, law_name, TY_LAW_COUNT + (int)i, k->law[i].brdf != NULL, "reflectance law", diag);
    }
    for (size_t i = 0; i < k->lights && status == TY_OK; i++) {
        status = check(k, light_name, TY_LIGHT_COUNT + (int)i, k->light[i].lit != NULL, "light", diag);
    }
    return status;
}

bool tyi_render_law_known(const ty_render_kinds *kinds, ty_law law)
{
    return (unsigned)law < TY_LAW_COUNT + kinds->laws;
}

bool tyi_render_light_known(const ty_render_kinds *kinds, ty_light_kind kind)
{
    return (unsigned)kind < TY_LIGHT_COUNT + kinds->lights;
}
