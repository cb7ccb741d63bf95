/* tests/unit/sensor/lidar_support.h - lidars and small scenes for them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef LIDAR_SUPPORT_H
#define LIDAR_SUPPORT_H
#include "tycho/tools/lidar_scan.h"
#include "tyt.h"

__attribute__((unused)) static const char *source(const char *name)
{
    static char path[1024];
    const char *root = getenv("TYCHO_SOURCE");
    snprintf(path, sizeof path, "%s/%s", root ? root : ".", name);
    return path;
}

__attribute__((unused)) static ty_lidar_def quiet_model(const char *name)
{
    ty_lidar_file file;
    ty_diag diag = { 0 };
    char path[256];
    snprintf(path, sizeof path, "models/sensors/lidar_%s.yaml", name);
    if (ty_lidar_load(source(path), NULL, 0, &file, &diag) != TY_OK) {
        printf("%s\n", diag.text);
        TY_CHECK(!"a model file was refused");
    }
    ty_lidar_def def = file.def;
    ty_lidar_file_free(&file);
    def.noise = false;
    def.range_step = 0.0;
    def.threads = 1;
    return def;
}

__attribute__((unused)) static ty_lidar *lidar_of(const ty_lidar_def *def)
{
    ty_lidar *l = NULL;
    ty_diag diag = { 0 };
    if (ty_lidar_create(def, &l, &diag) != TY_OK) {
        printf("%s\n", diag.text);
        TY_CHECK(!"a lidar was refused");
    }
    return l;
}

__attribute__((unused)) static ty_scene *empty_scene(void)
{
    ty_scene_def def = ty_scene_def_default();
    ty_scene *scene = NULL;
    TY_CHECK(ty_scene_create(&def, &scene, NULL) == TY_OK);
    return scene;
}

__attribute__((unused)) static const ty_buffer *scan(ty_lidar *l, ty_scene *s, const ty_track *track, uint64_t frame)
{
    const ty_buffer *points = NULL;
    ty_diag diag = { 0 };
    if (ty_lidar_scan(l, s, track, 0, frame, &points, &diag) != TY_OK) {
        printf("%s\n", diag.text);
        TY_CHECK(!"a scan was refused");
    }
    return points;
}

__attribute__((unused)) static const ty_keyframe standing = { 0, { { 0, 0, 0 }, { 1, 0, 0, 0 } } };
__attribute__((unused)) static const ty_track here = { &standing, 1 };

__attribute__((unused)) static uint32_t add_wall(ty_scene *s, ty_vec3 p, ty_vec3 a, ty_vec3 b, ty_material m)
{
    float v[12] = { 0,
                    0,
                    0,
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
    TY_CHECK(ty_scene_add(s, &def, &id, NULL) == TY_OK);
    return id;
}

__attribute__((unused)) static uint32_t add_ball(ty_scene *s, ty_vec3 p, double r, ty_material m)
{
    uint32_t id = 0;
    ty_object_def def = { .radius = r, .material = m, .kind = TY_CLASS_OBJECT, .pose = { p, ty_quat_identity() } };
    TY_CHECK(ty_scene_add(s, &def, &id, NULL) == TY_OK);
    return id;
}

#endif
