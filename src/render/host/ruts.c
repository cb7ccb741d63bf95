/* src/render/host/ruts.c - which ground was driven over; boxes as rows of numbers.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "frame.h"
#include "tycho/trace.h"
#include "inner.h"

void tyi_render_truth_ruts(const ty_scene *scene, const ty_camera *camera, const double *range, uint8_t *kind)
{
    ty_terrain *t = scene->ground.terrain;
    if (!t || !ty_terrain_version(t)) {
        return;
    }
    int level = ty_terrain_get_def(t)->edit_level;
    double d = ty_terrain_spacing(t, level);
    for (int y = 0; y < camera->height; y++) {
        for (int x = 0; x < camera->width; x++) {
            size_t i = (size_t)y * (size_t)camera->width + (size_t)x;
            ty_vec3 o, dir;
            uint8_t trace = 0;
            if (kind[i] != TY_CLASS_GROUND || !ty_camera_ray(camera, x + 0.5, y + 0.5, &o, &dir)) {
                continue;
            }
            ty_vec3 p = ty_add(o, ty_scale(range[i], dir));
            double a = round(p.x / d), b = round(p.y / d);
            if (fabs(a) < 1e9 && fabs(b) < 1e9) {
                ty_terrain_edits(t, level, (int32_t)a, (int32_t)b, 1, 1, NULL, &trace);
            }
            kind[i] = trace ? TY_CLASS_RUT : kind[i];
        }
    }
}

static double *put_pose(double *to, ty_pose p)
{
    const double v[7] = { p.p.x, p.p.y, p.p.z, p.q.w, p.q.x, p.q.y, p.q.z };
    for (int k = 0; k < 7; k++) {
        *to++ = v[k];
    }
    return to;
}

void tyi_render_truth_box_put(const ty_truth_box2 *f, const ty_truth_box3 *s, double row[TY_TRUTH_BOX_COLUMNS])
{
    const double v[13] = { f->instance,     (double)f->kind, f->x0,          f->y0,      f->x1,
                           f->y1,           f->pixels,       s->outline,     s->visible, s->cut,
                           2.0 * s->half.x, 2.0 * s->half.y, 2.0 * s->half.z };
    for (int k = 0; k < 13; k++) {
        row[k] = v[k];
    }
    put_pose(put_pose(row + 13, s->pose_W), s->pose_S);
}

static ty_pose get_pose(const double *v)
{
    return (ty_pose){ { v[0], v[1], v[2] }, { v[3], v[4], v[5], v[6] } };
}

void tyi_render_truth_box_get(const double row[TY_TRUTH_BOX_COLUMNS], ty_truth_box2 *f, ty_truth_box3 *s)
{
    *f = (ty_truth_box2){
        (uint32_t)row[0], (ty_render_class)(int)row[1], (int)row[2], (int)row[3], (int)row[4], (int)row[5], (int)row[6]
    };
    *s = (ty_truth_box3){ .instance = f->instance,
                          .kind = f->kind,
                          .pixels = f->pixels,
                          .outline = (int)row[7],
                          .visible = row[8],
                          .cut = row[9] != 0.0,
                          .half = { 0.5 * row[10], 0.5 * row[11], 0.5 * row[12] },
                          .pose_W = get_pose(row + 13),
                          .pose_S = get_pose(row + 20) };
}
