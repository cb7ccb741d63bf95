/* tests/unit/ground/planet_support.c - see planet_support.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "planet_support.h"
#include <string.h>
#include "world/terrain/inner.h"

ty_world *moon_over(double lat_deg, double lon_deg, const char *const *raster)
{
    ty_scenario s = ty_scenario_default();
    ty_world_layer_def layer[4] = { 0 };
    s.terrain.lat = lat_deg * TY_DEG, s.terrain.lon = lon_deg * TY_DEG;
    s.terrain.whole = true;
    s.terrain.rock.on = false;
    s.terrain.cache_bytes = (size_t)128 << 20;
    s.layer = layer;
    for (; raster[s.layers]; s.layers++) {
        snprintf(layer[s.layers].raster, sizeof layer->raster, "%s", raster[s.layers]);
    }
    ty_world *world = NULL;
    ty_diag diag = { 0 };
    ty_scenario_create_world(&s, &world, &diag);
    cr_assert(world, "%s", diag.text);
    return world;
}

ty_terrain *moon_of(double lat_deg, double lon_deg, ty_terrain_base base)
{
    ty_terrain_def def = ty_terrain_def_default();
    def.lat = lat_deg * TY_DEG, def.lon = lon_deg * TY_DEG;
    def.whole = true;
    def.rock.on = def.crater.on = false;
    def.relief.rms_slope_deg = 0.0;
    def.base = base;
    def.cache_bytes = (size_t)64 << 20;
    ty_terrain *t = NULL;
    ty_diag diag = { 0 };
    ty_terrain_create(&def, &t, &diag);
    cr_assert(t, "%s", diag.text);
    return t;
}

ty_scene *moon_scene(ty_terrain *terrain, int ring_cells, double detail_px)
{
    ty_scene_def def = ty_scene_def_default();
    def.terrain = terrain;
    def.ring_cells = ring_cells;
    def.detail_px = detail_px;
    ty_scene *scene = NULL;
    ty_diag diag = { 0 };
    ty_scene_create(&def, &scene, &diag);
    cr_assert(scene, "%s", diag.text);
    return scene;
}

ty_camera camera_over(const ty_site *site, double lat_deg, double lon_deg, double height, double azimuth_deg,
                      double elevation_deg, double fov_deg, int width, int rows)
{
    ty_site below = ty_site_make(lat_deg * TY_DEG, lon_deg * TY_DEG, site->radius);
    ty_camera c = ty_camera_default();
    c.width = width, c.height = rows, c.hfov = fov_deg * TY_DEG;
    c.pose.p = ty_site_point(site, lat_deg * TY_DEG, lon_deg * TY_DEG, height);
    c.pose.q = ty_quat_mul(ty_quat_mul(ty_quat_conj(site->W_in_M.q), below.W_in_M.q),
                           ty_camera_look(azimuth_deg * TY_DEG, elevation_deg * TY_DEG, 0.0));
    return c;
}

double ground_height(ty_terrain *terrain, int level, ty_vec3 p)
{
    double x, y, z, height, unused;
    ty_diag diag = { 0 };
    tyi_terrain_below(terrain, p, &x, &y, &height);
    for (int round = 0; round < 4; round++) {
        /* the lattice point below stands a little aside where the ground is not at the height of the sphere */
        cr_assert(ty_terrain_sample(terrain, level, 1, &x, &y, &z, NULL, &diag) == TY_OK, "%s", diag.text);
        ty_vec3 q = tyi_terrain_point(terrain, x, y, z);
        double R = ty_terrain_site(terrain)->radius;
        ty_vec3 up = ty_normalize(ty_vec3_make(p.x, p.y, p.z + R)), c = ty_vec3_make(q.x, q.y, q.z + R);
        ty_vec3 want = ty_scale(ty_norm(c), up);
        double wx, wy, qx, qy;
        tyi_terrain_below(terrain, ty_sub(want, ty_vec3_make(0, 0, R)), &wx, &wy, &unused);
        tyi_terrain_below(terrain, q, &qx, &qy, &height);
        x += wx - qx, y += wy - qy;
    }
    return height;
}

double follow_ray(ty_terrain *terrain, double spacing, ty_vec3 o, ty_vec3 d)
{
    double R = ty_terrain_site(terrain)->radius, top = R + 12e3;
    ty_vec3 c = ty_vec3_make(o.x, o.y, o.z + R);
    double b = ty_dot(c, d), q = b * b - ty_dot(c, c) + top * top;
    if (q < 0.0) {
        return INFINITY;
    }
    double t = fmax(0.0, -b - sqrt(q)), end = -b + sqrt(q), before = t;
    int finest = ty_terrain_level(terrain, spacing);
    for (int step = 0; step < 20000 && t < end; step++) {
        ty_vec3 p = ty_add(o, ty_scale(t, d));
        double height = ty_norm(ty_vec3_make(p.x, p.y, p.z + R)) - R;
        /* far above the ground a coarse level will do: what it leaves out is less than its spacing */
        double gap = height - ground_height(terrain, finest + 8 < ty_terrain_levels(terrain) ? finest + 8 : finest, p);
        int level = ty_terrain_level(terrain, fmax(spacing, 0.1 * gap));
        gap = height - ground_height(terrain, level, p);
        if (level > finest) {
            gap = fmax(gap - ty_terrain_spacing(terrain, level), 0.0);
        }
        if (gap <= 0.0 && level <= finest) {
            for (int k = 0; k < 30; k++) { /* between the last point above and this one below */
                double m = 0.5 * (before + t);
                ty_vec3 pm = ty_add(o, ty_scale(m, d));
                double above = ty_norm(ty_vec3_make(pm.x, pm.y, pm.z + R)) - R - ground_height(terrain, finest, pm);
                *(above > 0.0 ? &before : &t) = m;
            }
            return t;
        }
        before = t;
        t += fmax(0.45 * gap, 0.5 * ty_terrain_spacing(terrain, finest)); /* slopes stay below 60 deg */
    }
    return INFINITY;
}
