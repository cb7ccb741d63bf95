/* src/render/scene/motion.c - rays of a camera that moves while its shutter is open.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "host/frame.h"

void tyi_render_lens_move(const ty_camera *c, ty_vec3 centre, const float *u, const float *v, tyi_render_rays *r,
                          unsigned n)
{
    static const float still[3] = { 0.0f, 0.0f, 0.0f }, upright[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    tyi_render_lens_rays(c, still, upright, u, v, r, n); /* in S */
    for (unsigned k = 0; k < n; k++) {
        double t = c->moving ? (double)r->time[k] : 0.0;
        ty_quat q = c->moving ? ty_quat_slerp(c->pose.q, c->pose_end.q, t) : c->pose.q;
        ty_vec3 p = c->moving ? ty_add(c->pose.p, ty_scale(t, ty_sub(c->pose_end.p, c->pose.p))) : c->pose.p;
        ty_vec3 d = ty_rotate(q, ty_vec3_make((double)r->dx[k], (double)r->dy[k], (double)r->dz[k]));
        ty_vec3 o = ty_rotate(q, ty_vec3_make((double)r->ox[k], (double)r->oy[k], (double)r->oz[k]));
        o = ty_add(ty_sub(p, centre), o);
        r->dx[k] = (float)d.x, r->dy[k] = (float)d.y, r->dz[k] = (float)d.z;
        r->ox[k] = (float)o.x, r->oy[k] = (float)o.y, r->oz[k] = (float)o.z;
    }
}
