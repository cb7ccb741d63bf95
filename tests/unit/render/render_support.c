/* tests/unit/render/render_support.c - see render_support.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <stdio.h>
#include "render_support.h"

shot shot_make(int width, int height, int bands)
{
    size_t n = (size_t)width * (size_t)height;
    shot s = { width, height, bands, { 0 } };
    s.out = (ty_render_buffers){ calloc(n * bands, sizeof(float)), calloc(n, sizeof(float)),
                                 calloc(n, sizeof(double)),        calloc(n, sizeof(double)),
                                 calloc(3 * n, sizeof(float)),     calloc(n, sizeof(float)),
                                 calloc(n, sizeof(uint32_t)),      calloc(n, 1) };
    return s;
}

void shot_free(shot *s)
{
    ty_render_buffers *b = &s->out;
    free(b->radiance), free(b->sunlit), free(b->depth), free(b->range), free(b->normal), free(b->albedo),
        free(b->instance), free(b->kind);
}

void shot_take(ty_scene *scene, const ty_camera *camera, const ty_render_def *def, shot *s)
{
    ty_diag diag = { 0 };
    if (ty_render(scene, camera, def, &s->out, &diag) != TY_OK) {
        printf("%s\n", diag.text);
        TY_CHECK(!"a frame was refused");
    }
}

ty_scene *bare_scene(void)
{
    ty_scene_def def = ty_scene_def_default();
    ty_scene *scene = NULL;
    TY_CHECK(ty_scene_create(&def, &scene, NULL) == TY_OK);
    return scene;
}

ty_camera camera_at(ty_vec3 p, double azimuth_deg, double elevation_deg, double fov_deg, int width, int height)
{
    ty_camera c = ty_camera_default();
    c.width = width, c.height = height, c.hfov = fov_deg * TY_DEG;
    c.pose = (ty_pose){ p, ty_camera_look(azimuth_deg * TY_DEG, elevation_deg * TY_DEG, 0.0) };
    return c;
}

uint32_t add_rectangle(ty_scene *scene, ty_vec3 p, ty_vec3 a, ty_vec3 b, ty_material m)
{
    float v[12] = { 0.0f,
                    0.0f,
                    0.0f,
                    (float)a.x,
                    (float)a.y,
                    (float)a.z,
                    (float)(a.x + b.x),
                    (float)(a.y + b.y),
                    (float)(a.z + b.z),
                    (float)b.x,
                    (float)b.y,
                    (float)b.z };
    uint32_t t[6] = { 0, 1, 2, 0, 2, 3 }, id = 0;
    ty_object_def def = { .vertex = v,
                          .triangle = t,
                          .vertices = 4,
                          .triangles = 2,
                          .material = m,
                          .kind = TY_CLASS_OBJECT,
                          .pose = { p, ty_quat_identity() } };
    TY_CHECK(ty_scene_add(scene, &def, &id, NULL) == TY_OK);
    return id;
}

uint32_t add_sphere(ty_scene *scene, ty_vec3 p, double radius, ty_material m)
{
    uint32_t id = 0;
    ty_object_def def = { .radius = radius, .material = m, .kind = TY_CLASS_OBJECT, .pose = { p, ty_quat_identity() } };
    TY_CHECK(ty_scene_add(scene, &def, &id, NULL) == TY_OK);
    return id;
}

void add_sun(ty_scene *scene, double azimuth_deg, double elevation_deg, double radius, double irradiance)
{
    double a = azimuth_deg * TY_DEG, e = elevation_deg * TY_DEG;
    ty_light sun = { .kind = TY_LIGHT_DISK,
                     .dir_W = ty_vec3_make(cos(e) * sin(a), cos(e) * cos(a), sin(e)),
                     .radius = radius };
    for (int b = 0; b < TY_BANDS; b++) {
        sun.power[b] = irradiance;
    }
    TY_CHECK(ty_scene_add_light(scene, &sun, NULL) == TY_OK);
}

ty_terrain *small_terrain(bool rocks)
{
    ty_terrain_def def = ty_terrain_def_default();
    def.extent = 1000.0;
    def.seed = 7;
    def.rock.on = rocks;
    def.rock.cover = 0.1;
    def.cache_bytes = 64u << 20;
    ty_terrain *t = NULL;
    TY_CHECK(ty_terrain_create(&def, &t, NULL) == TY_OK);
    return t;
}

ty_scene *ground_scene(ty_terrain *terrain, double rock_angle)
{
    ty_scene_def def = ty_scene_def_default();
    ty_scene *scene = NULL;
    def.terrain = terrain;
    def.ring_cells = 256;
    def.far = 300.0;
    def.rock_angle = rock_angle;
    def.threads = 1;
    TY_CHECK(ty_scene_create(&def, &scene, NULL) == TY_OK);
    return scene;
}

ty_vec3 above(ty_terrain *terrain, double x, double y, double height)
{
    double z = 0.0;
    TY_CHECK(ty_terrain_sample(terrain, 0, 1, &x, &y, &z, NULL, NULL) == TY_OK);
    return ty_vec3_make(x, y, z + height);
}

uint32_t add_wedge(ty_scene *s, ty_vec3 at, bool smooth)
{
    static const float vertex[] = { -0.4f, -0.4f, 0.0f, 0.4f, -0.4f, 0.0f, 0.4f, 0.4f,
                                    0.0f,  -0.4f, 0.4f, 0.0f, 0.0f,  0.0f, 0.8f };
    static const uint32_t index[] = { 0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4 };
    static const uint16_t which[] = { 0, 1, 0, 1 };
    ty_material more = ty_material_lambert(0.2);
    ty_object_def def = { .vertex = vertex,
                          .triangle = index,
                          .vertices = 5,
                          .triangles = 4,
                          .more = &more,
                          .mores = 1,
                          .which = which,
                          .smooth = smooth,
                          .material = ty_material_lambert(0.7),
                          .kind = TY_CLASS_OBJECT,
                          .pose = { at, ty_quat_axis(ty_vec3_make(0, 0, 1), 0.3) } };
    uint32_t id;
    TY_CHECK(ty_scene_add(s, &def, &id, NULL) == TY_OK);
    return id;
}

ty_device *device_or_null(void)
{
    ty_device_def def = ty_device_def_default();
    ty_device *device = NULL;
    ty_diag diag = { 0 };
    def.name = getenv("TYCHO_DEVICE");
    if (ty_device_create(&def, &device, &diag) != TY_OK) {
        printf("the device is left out: %s\n", diag.text);
    }
    return device;
}

ty_device *device_or_skip(void)
{
    ty_device *device = device_or_null();
    if (!device) {
        cr_skip("no device");
    }
    return device;
}
