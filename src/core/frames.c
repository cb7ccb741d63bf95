/* src/core/frames.c - attitude interpolation and the site frame.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core.h"
#include "inner.h"
#include "tycho/math.h"

ty_quat ty_quat_slerp(ty_quat a, ty_quat b, double u)
{
    double c = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
    double sign = c < 0.0 ? -1.0 : 1.0; /* q and -q are the same attitude: take the near one */
    c *= sign;
    double wa = 1.0 - u, wb = u;
    if (c < 1.0 - 1e-8) { /* closer, a straight line errs by less than 1e-13 rad after normalising */
        double angle = acos(c);
        double s = 1.0 / sin(angle);
        wa = s * sin((1.0 - u) * angle);
        wb = s * sin(u * angle);
    }
    wb *= sign;
    return ty_quat_normalize(
        (ty_quat){ wa * a.w + wb * b.w, wa * a.x + wb * b.x, wa * a.y + wb * b.y, wa * a.z + wb * b.z });
}

void tyi_quat_rpy(ty_quat q, double rpy[3])
{
    rpy[0] = atan2(2.0 * (q.w * q.x + q.y * q.z), 1.0 - 2.0 * (q.x * q.x + q.y * q.y));
    rpy[1] = asin(fmax(-1.0, fmin(1.0, 2.0 * (q.w * q.y - q.z * q.x))));
    rpy[2] = atan2(2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y * q.y + q.z * q.z));
}

static ty_vec3 direction_M(double lat, double lon)
{
    return ty_vec3_make(cos(lat) * cos(lon), cos(lat) * sin(lon), sin(lat));
}

ty_site ty_site_make(double lat, double lon, double radius)
{
    /* M to W: turn longitude to the front, tilt to the latitude, then x forward (up) becomes z up.
     * As a product: Rz(lon + 90 deg) Rx(90 deg - lat) takes east-north-up to Moon-fixed. */
    ty_quat q = ty_quat_mul(ty_quat_axis(ty_vec3_make(0, 0, 1), lon + 0.5 * TY_PI),
                            ty_quat_axis(ty_vec3_make(1, 0, 0), 0.5 * TY_PI - lat));
    return (ty_site){ lat, lon, radius, { ty_scale(radius, direction_M(lat, lon)), q } };
}

ty_vec3 ty_site_point(const ty_site *site, double lat, double lon, double height)
{
    ty_vec3 p_M = ty_scale(site->radius + height, direction_M(lat, lon));
    return ty_rotate(ty_quat_conj(site->W_in_M.q), ty_sub(p_M, site->W_in_M.p));
}

void ty_site_geodetic(const ty_site *site, ty_vec3 p_W, double *lat, double *lon, double *height)
{
    ty_vec3 p = ty_pose_point(site->W_in_M, p_W);
    *lat = atan2(p.z, hypot(p.x, p.y));
    *lon = atan2(p.y, p.x);
    *height = ty_norm(p) - site->radius;
}
