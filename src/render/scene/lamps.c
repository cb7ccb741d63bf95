/* src/render/scene/lamps.c - the table of light kinds, and a program's own: how a block of surfaces is lit.
 *
 * A new built-in kind is a function in kernels/k_light.h and a row of the table.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "host/lanes.h"
#include "names.h"
#include "tycho/render.h"

static ty_light_model own[TYI_RENDER_MOST_OWN];
static const char *const built_in[] = { "disk", "point", "spot", NULL };
static tyi_render_names names = { .what = "light", .built_in = built_in, .lock = PTHREAD_MUTEX_INITIALIZER };
_Static_assert(sizeof built_in / sizeof *built_in == TY_LIGHT_COUNT + 1, "a name for every kind");

TYI_PER_ISA static void at_disk(tyi_render_block *b, const tyi_render_lamp *lamp, ty_vec3 centre)
{
    (void)centre;
    const ty_k_vec3 axis = lamp->light.axis, e0 = lamp->e0, e1 = lamp->e1;
    const float tan_radius = lamp->light.tan_radius;
    for (int k = 0; k < N; k++) {
        ty_k_vec3 l = ty_k_disk_direction(axis, e0, e1, tan_radius, b->u[k], b->v[k]);
        b->shadow.dx[k] = l.x, b->shadow.dy[k] = l.y, b->shadow.dz[k] = l.z;
        b->shadow.far[k] = INFINITY;
        b->share[k] = 1.0f;
    }
}

static void at_place(tyi_render_block *b, const tyi_render_lamp *lamp, ty_vec3 centre)
{
    (void)centre;
    for (int k = 0; k < N; k++) {
        ty_k_lit lit = ty_k_light_place(lamp->light, ty_k_vec(b->point.x[k], b->point.y[k], b->point.z[k]));
        b->shadow.dx[k] = lit.l.x, b->shadow.dy[k] = lit.l.y, b->shadow.dz[k] = lit.l.z;
        b->shadow.far[k] = lit.far * 0.99999f;
        b->share[k] = lit.share;
    }
}

static void at_own(tyi_render_block *b, const tyi_render_lamp *lamp, ty_vec3 centre)
{
    const ty_light_model *model = &own[lamp->own->kind - TY_LIGHT_COUNT];
    for (int k = 0; k < N; k++) {
        ty_vec3 l = { 0, 0, 1 }, p = { (double)b->point.x[k], (double)b->point.y[k], (double)b->point.z[k] };
        double far = (double)INFINITY, share = 0.0;
        if (b->material[k] >= 0) {
            share = model->lit(lamp->own, ty_add(p, centre), (double)b->u[k], (double)b->v[k], &l, &far, model->user);
        }
        b->shadow.dx[k] = (float)l.x, b->shadow.dy[k] = (float)l.y, b->shadow.dz[k] = (float)l.z;
        b->shadow.far[k] = (float)far * 0.99999f;
        b->share[k] = (float)share;
    }
}

static const tyi_render_lamp_kind rows[TY_LIGHT_COUNT + 1] = {
    [TY_LIGHT_DISK] = { at_disk, true },
    [TY_LIGHT_POINT] = { at_place, false },
    [TY_LIGHT_SPOT] = { at_place, false },
    [TY_LIGHT_COUNT] = { at_own, true }, /* all of them */
};

static ty_k_vec3 to_float(ty_vec3 v)
{
    return ty_k_vec((float)v.x, (float)v.y, (float)v.z);
}

tyi_render_lamp tyi_render_lamp_make(const ty_light *l, ty_vec3 centre)
{
    tyi_render_lamp lamp = { .light = { .kind = (int)l->kind,
                                        .axis = to_float(l->dir_W),
                                        .place = to_float(ty_sub(l->place_W, centre)),
                                        .tan_radius = (float)tan(l->radius),
                                        .cos_outer = (float)cos(l->outer),
                                        .inv_blend = (float)(1.0 / fmax(cos(l->inner) - cos(l->outer), 1e-9)) },
                             .kind = &rows[l->kind < TY_LIGHT_COUNT ? l->kind : TY_LIGHT_COUNT],
                             .own = l };
    ty_k_across(lamp.light.axis, &lamp.e0, &lamp.e1);
    lamp.cos_radius = (float)cos(l->radius);
    lamp.inv_sin = (float)(1.0 / fmax(sin(l->radius), 1e-12));
    lamp.seen = l->kind == TY_LIGHT_DISK && l->visible && l->radius > 0.0;
    lamp.globe = l->globe;
    lamp.lit = to_float(l->lit_W);
    /* a disk of even radiance L gives L pi sin^2(radius); a Lambert sphere at phase a, whose brightest point has the
     * radiance
     * L, gives L pi sin^2(radius) (2/3) (sin a + (pi - a) cos a) / pi   [russell1916] */
    double a = l->globe ? acos(fmin(fmax(-ty_dot(l->lit_W, l->dir_W), -1.0), 1.0)) : 0.0;
    double full = l->globe ? 2.0 / 3.0 * (sin(a) + (TY_PI - a) * cos(a)) / TY_PI : 1.0;
    for (int b = 0; b < TY_BANDS; b++) {
        lamp.power[b] = (float)l->power[b];
        lamp.on = lamp.on || l->power[b] > 0.0;
        lamp.radiance[b] =
            lamp.seen && full > 1e-9 ? (float)(l->power[b] / (full * TY_PI * sin(l->radius) * sin(l->radius))) : 0.0f;
    }
    return lamp;
}

/* [-] share of its radiance that a lamp shows towards d; 0: d misses it */
static float seen_towards(const tyi_render_lamp *lamp, ty_k_vec3 d)
{
    if (!(ty_k_dot(d, lamp->light.axis) > lamp->cos_radius)) {
        return 0.0f;
    }
    if (!lamp->globe) {
        return 1.0f;
    }
    /* where the far sphere is met: x, y across, the normal towards us */
    float x = ty_k_dot(d, lamp->e0) * lamp->inv_sin, y = ty_k_dot(d, lamp->e1) * lamp->inv_sin;
    float z = sqrtf(fmaxf(1.0f - x * x - y * y, 0.0f));
    ty_k_vec3 n = ty_k_sub(ty_k_add(ty_k_scale(x, lamp->e0), ty_k_scale(y, lamp->e1)), ty_k_scale(z, lamp->light.axis));
    return fmaxf(ty_k_dot(n, lamp->lit), 0.0f);
}

void tyi_render_lamps_see(tyi_render_block *b, const struct tyi_render_shading *s, int bands)
{
    for (int i = 0; i < s->lamps; i++) {
        const tyi_render_lamp *lamp = &s->lamp[i];
        for (int k = 0; k < N && lamp->seen; k++) {
            if (b->material[k] >= 0 || !(b->ray.far[k] > 0.0f)) {
                continue;
            }
            float share = seen_towards(lamp, ty_k_vec(b->ray.dx[k], b->ray.dy[k], b->ray.dz[k]));
            for (int band = 0; band < bands; band++) {
                b->film[band][k] += share * lamp->radiance[band];
            }
        }
    }
}

bool tyi_render_light_known(ty_light_kind kind)
{
    return tyi_render_names_known(&names, (int)kind);
}

static void fill(int row, const void *model)
{
    own[row] = *(const ty_light_model *)model;
    own[row].name = names.own[row];
}

ty_status ty_light_register(const ty_light_model *model, ty_light_kind *out, ty_diag *diag)
{
    int kind = 0;
    ty_status status = tyi_render_names_add(&names, model->name, model->lit != NULL, fill, model, &kind, diag);
    *out = (ty_light_kind)kind;
    return status;
}

bool ty_light_find(const char *name, ty_light_kind *out)
{
    int kind = 0;
    bool found = tyi_render_names_find(&names, name, &kind);
    *out = found ? (ty_light_kind)kind : *out;
    return found;
}
