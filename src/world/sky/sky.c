/* src/world/sky/sky.c - the sky over the Moon's centre, over a site, and over time.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "k_sky.h"
#include "orbit.h"

ty_status ty_sky_at(ty_utc utc, ty_sky *out, ty_diag *diag)
{
    ty_status status = tyi_sky_utc_check(utc, diag);
    if (status != TY_OK) {
        return status;
    }
    tyi_sky_orbits orbits;
    tyi_sky_orbits_at(utc, &orbits);
    ty_quat q_MI = ty_quat_conj(tyi_sky_orbit_q_IM(&orbits));
    ty_vec3 sun_I = tyi_sky_orbit_aberrate(&orbits, tyi_sky_orbit_light(&orbits, &orbits.sun));
    ty_vec3 earth_I = tyi_sky_orbit_aberrate(&orbits, tyi_sky_orbit_light(&orbits, &orbits.earth));
    ty_vec3 sun = ty_rotate(q_MI, sun_I), earth = ty_rotate(q_MI, earth_I);
    *out = (ty_sky){ .utc = utc,
                     .sun_M = sun,
                     .earth_M = earth,
                     .subsolar_lat = ty_k_elevation(sun.x, sun.y, sun.z),
                     .subsolar_lon = atan2(sun.y, sun.x),
                     .subearth_lat = ty_k_elevation(earth.x, earth.y, earth.z),
                     .subearth_lon = atan2(earth.y, earth.x) };
    return TY_OK;
}

/* r_W [m] from the eye to the body's centre, size [m] of the body */
static ty_sky_body body(ty_vec3 r_W, double size)
{
    double distance = ty_norm(r_W);
    return (ty_sky_body){ .dir_W = ty_scale(1.0 / distance, r_W),
                          .distance = distance,
                          .azimuth = ty_k_azimuth(r_W.x, r_W.y),
                          .elevation = ty_k_elevation(r_W.x, r_W.y, r_W.z),
                          .radius = ty_k_angular_radius(size, distance) };
}

ty_sky_view ty_sky_view_at(const ty_sky *sky, const ty_site *site)
{
    ty_quat q_WM = ty_quat_conj(site->W_in_M.q);
    ty_vec3 sun = ty_sub(sky->sun_M, site->W_in_M.p), earth = ty_sub(sky->earth_M, site->W_in_M.p);
    ty_vec3 to_sun = ty_sub(sun, earth), to_eye = ty_scale(-1.0, earth); /* from the Earth */
    ty_sky_view view = { .sun = body(ty_rotate(q_WM, sun), TY_K_SUN_RADIUS),
                         .earth = body(ty_rotate(q_WM, earth), TY_K_EARTH_RADIUS),
                         .earth_phase = atan2(ty_norm(ty_cross(to_sun, to_eye)), ty_dot(to_sun, to_eye)) };
    view.irradiance = ty_k_sun_irradiance(view.sun.distance);
    view.earth_lit = ty_k_lit_fraction(view.earth_phase);
    return view;
}

ty_status ty_sky_series(const ty_site *site, ty_utc start, ty_time step, size_t n, ty_sky_view *out, ty_diag *diag)
{
    for (size_t i = 0; i < n; i++) {
        ty_sky sky;
        ty_status status = ty_sky_at(ty_utc_add(start, (ty_time)i * step), &sky, diag);
        if (status != TY_OK) {
            return status;
        }
        out[i] = ty_sky_view_at(&sky, site);
    }
    return TY_OK;
}

double ty_sky_visible(const ty_sky_body *body, double horizon)
{
    return ty_k_disk_visible(body->elevation, horizon, body->radius);
}
