/* src/render/scene/lamps.c - the table of light kinds, and a program's own: how a block of surfaces is lit.
 *
 * A new built-in kind is a function in kernels/k_light.h and a row of the table.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "host/lanes.h"
#include "tycho/render.h"

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

ty_k_lit tyi_render_lamp_at(const tyi_render_lamp *lamp, ty_k_vec3 p, float u, float v, ty_vec3 centre)
{
    if (lamp->model) {
        ty_vec3 l = { 0, 0, 1 }, at = { (double)p.x, (double)p.y, (double)p.z };
        double far = (double)INFINITY;
        double share =
            lamp->model->lit(lamp->own, ty_add(at, centre), (double)u, (double)v, &l, &far, lamp->model->user);
        return (ty_k_lit){ ty_k_vec((float)l.x, (float)l.y, (float)l.z), (float)far, (float)share };
    }
    ty_k_lit lit = ty_k_light_at(lamp->light, lamp->e0, lamp->e1, p, u, v);
    lit.far = lamp->light.kind == TY_K_LIGHT_DISK ? INFINITY : lit.far;
    return lit;
}

static void at_any(tyi_render_block *b, const tyi_render_lamp *lamp, ty_vec3 centre)
{
    for (int k = 0; k < N; k++) {
        ty_k_lit lit = { { 0.0f, 0.0f, 1.0f }, INFINITY, 0.0f };
        if (!lamp->model || b->material[k] >= 0) {
            lit = tyi_render_lamp_at(lamp, ty_k_vec(b->point.x[k], b->point.y[k], b->point.z[k]), b->u[k], b->v[k],
                                     centre);
        }
        b->shadow.dx[k] = lit.l.x, b->shadow.dy[k] = lit.l.y, b->shadow.dz[k] = lit.l.z;
        b->shadow.far[k] = lit.far * 0.99999f;
        b->share[k] = lit.share;
    }
}

static const tyi_render_lamp_kind rows[TY_LIGHT_COUNT + 1] = {
    [TY_LIGHT_DISK] = { at_disk, true },
    [TY_LIGHT_POINT] = { at_any, false },
    [TY_LIGHT_SPOT] = { at_any, false },
    [TY_LIGHT_COUNT] = { at_any, true }, /* all of them */
};

static ty_k_vec3 to_float(ty_vec3 v)
{
    return ty_k_vec((float)v.x, (float)v.y, (float)v.z);
}

tyi_render_lamp tyi_render_lamp_make(const ty_render_kinds *kinds, const ty_light *l, ty_vec3 centre)
{
    tyi_render_lamp lamp = { .light = { .kind = (int)l->kind,
                                        .axis = to_float(l->dir_W),
                                        .place = to_float(ty_sub(l->place_W, centre)),
                                        .tan_radius = (float)tan(l->radius),
                                        .cos_outer = (float)cos(l->outer),
                                        .inv_blend = (float)(1.0 / fmax(cos(l->inner) - cos(l->outer), 1e-9)) },
                             .kind = &rows[l->kind < TY_LIGHT_COUNT ? l->kind : TY_LIGHT_COUNT],
                             .own = l,
                             .model = l->kind < TY_LIGHT_COUNT ? NULL : &kinds->light[l->kind - TY_LIGHT_COUNT] };
    ty_k_across(lamp.light.axis, &lamp.e0, &lamp.e1);
    lamp.disk = (ty_k_disk){ .axis = lamp.light.axis,
                             .e0 = lamp.e0,
                             .e1 = lamp.e1,
                             .chord2 = ty_k_disk_chord2((float)l->radius),
                             .inv_sin = (float)(1.0 / fmax(sin(l->radius), 1e-12)),
                             .globe = l->globe,
                             .lit = to_float(l->lit_W) };
    lamp.seen = l->kind == TY_LIGHT_DISK && l->visible && l->radius > 0.0;
    /* a disk of even radiance L gives L pi sin^2(radius); a globe has less than its brightest radiance on the mean */
    double full = tyi_render_light_mean(l);
    for (int b = 0; b < TY_BANDS; b++) {
        lamp.power[b] = (float)l->power[b];
        lamp.on = lamp.on || l->power[b] > 0.0;
        lamp.radiance[b] =
            lamp.seen && full > 1e-9 ? (float)(l->power[b] / (full * TY_PI * sin(l->radius) * sin(l->radius))) : 0.0f;
    }
    return lamp;
}

void tyi_render_lamps_see(tyi_render_block *b, const struct tyi_render_shading *s, int bands)
{
    for (int i = 0; i < s->lamps; i++) {
        const tyi_render_lamp *lamp = &s->lamp[i];
        for (int k = 0; k < N && lamp->seen; k++) {
            if (b->material[k] >= 0 || !(b->ray.far[k] > 0.0f)) {
                continue;
            }
            float share = ty_k_disk_seen(lamp->disk, ty_k_vec(b->ray.dx[k], b->ray.dy[k], b->ray.dz[k]));
            for (int band = 0; band < bands; band++) {
                b->film[band][k] += b->through[band][k] * (share * lamp->radiance[band]);
            }
        }
    }
}
