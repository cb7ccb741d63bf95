/* bridge/web/scene.c - what stands in a run, as files that a page asks for once: scene.json (names, shapes, sensors, the ground's
 * levels), geometry of meshes, rocks, stars.
 *
 * Geometry: u32 vertices, u32 triangles, u32 1 if colours follow, u32 0; f32 x y z of each vertex; u32 a b c of each triangle; then
 * u8 r g b 255 of each triangle (sRGB).
 * SPDX-License-Identifier: BSD-3-Clause */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include "sim/cast.h"
#include "tycho/tools/model.h"
#include "world/sky/inner.h"
#include "world/terrain/inner.h"
#include "web.h"

typedef struct list {
    tyi_web_file *file;
    size_t count, room;
    bool failed;
} list;

/* takes data over, from malloc; path is copied */
static void add(list *l, const char *path, const char *type, void *data, size_t bytes)
{
    if (l->count + 2 > l->room) {
        size_t room = 2 * l->room + 16;
        tyi_web_file *larger = realloc(l->file, room * sizeof *larger);
        l->file = larger ? larger : l->file;
        l->room = larger ? room : l->room;
    }
    char *name = strdup(path);
    if (l->count + 2 > l->room || !name || !data) {
        free(name), free(data);
        l->failed = true;
        return;
    }
    l->file[l->count++] = (tyi_web_file){ name, type, data, bytes };
    l->file[l->count] = (tyi_web_file){ 0 };
}

/* ---- geometry ---- */

static uint8_t srgb(double v)
{
    v = fmin(fmax(v, 0.0), 1.0);
    return (uint8_t)lrint(255.0 * (v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1.0 / 2.4) - 0.055));
}

static void *pack(size_t vertices, size_t triangles, const float *vertex, const uint32_t *triangle,
                  const ty_model *colored, size_t *bytes)
{
    const uint32_t head[4] = { (uint32_t)vertices, (uint32_t)triangles, colored != NULL, 0 };
    *bytes = sizeof head + vertices * 12 + triangles * (colored ? 16 : 12);
    uint8_t *data = malloc(*bytes);
    if (!data) {
        return NULL;
    }
    tyi_web_bytes to = { data };
    tyi_web_put(&to, head, sizeof head);
    tyi_web_put(&to, vertex, vertices * 12);
    tyi_web_put(&to, triangle, triangles * 12);
    for (size_t i = 0; colored && i < triangles; i++) {
        size_t m = colored->which ? colored->which[i] : 0;
        const double *c = m < colored->materials ? colored->material[m].color : (const double[]){ 0.6, 0.6, 0.6 };
        const uint8_t rgb[4] = { srgb(c[0]), srgb(c[1]), srgb(c[2]), 255 };
        tyi_web_put(&to, rgb, sizeof rgb);
    }
    return data;
}

static bool add_model(list *l, const char *path, const char *file, double scale)
{
    ty_model model = { 0 };
    if (ty_model_read(file, scale, &model, NULL) != TY_OK) {
        return false; /* a run that could not read it would have said so */
    }
    size_t bytes = 0;
    void *data =
        pack(model.vertices, model.triangles, model.vertex, model.triangle, model.materials ? &model : NULL, &bytes);
    ty_model_free(&model);
    add(l, path, "application/octet-stream", data, bytes);
    return true;
}

/* ---- scene.json ---- */

static json_t *numbers(const double *v, int n)
{
    json_t *a = json_array();
    for (int i = 0; i < n; i++) {
        json_array_append_new(a, json_real(isfinite(v[i]) ? v[i] : 0.0));
    }
    return a;
}

static json_t *pose_json(ty_pose p)
{
    return numbers((const double[]){ p.p.x, p.p.y, p.p.z, p.q.w, p.q.x, p.q.y, p.q.z }, 7);
}

static const char *const shape_name[] = { "sphere", "capsule", "cylinder", "ellipsoid", "box", "mesh", "mesh" };

static json_t *shape_json(list *l, const ty_body_shape *s, const ty_wheel_info *wheel, int wheels, const char *path)
{
    json_t *j = json_pack("{s:i, s:s, s:o, s:o}", "body", s->body, "kind", shape_name[s->kind], "pose",
                          pose_json(s->pose), "size", numbers((const double[]){ s->size.x, s->size.y, s->size.z }, 3));
    const double color[4] = { (double)s->rgba[0], (double)s->rgba[1], (double)s->rgba[2], (double)s->rgba[3] };
    json_object_set_new(j, "color", numbers(color, 4));
    if (s->kind == TY_SHAPE_MESH) {
        size_t bytes = 0;
        void *data = pack((size_t)s->vertices, (size_t)s->faces, s->vertex, (const uint32_t *)(const void *)s->face,
                          NULL, &bytes);
        add(l, path, "application/octet-stream", data, bytes);
        json_object_set_new(j, "mesh", json_string(path));
    } else if (s->kind == TY_SHAPE_FILE && add_model(l, path, s->file, s->size.x)) {
        json_object_set_new(j, "mesh", json_string(path));
    }
    for (int w = 0; w < wheels && s->kind == TY_SHAPE_CYLINDER; w++) { /* a wheel, as the renderer finds it */
        if (fabs(wheel[w].shape.r - s->size.x) < 1e-6 && fabs(0.5 * wheel[w].shape.b - s->size.y) < 1e-6) {
            json_object_set_new(j, "lugs", json_integer(wheel[w].shape.grousers));
            json_object_set_new(j, "lug_height", json_real(wheel[w].shape.grouser_h));
            break;
        }
    }
    return j;
}

static json_t *rover_json(list *l, ty_run *run, size_t index)
{
    const ty_vehicle *v = ty_run_rover(run, index);
    const ty_scenario_rover *def = &ty_run_scenario(run)->rover[index];
    const ty_body_shape *shape;
    const ty_vehicle_mount *mount;
    ty_wheel_info wheel[TY_WHEELS_MAX];
    int shapes = ty_vehicle_shapes(v, &shape), mounts = ty_vehicle_mounts(v, &mount),
        wheels = ty_vehicle_wheels(v, wheel);
    json_t *bodies = json_array(), *looks = json_array(), *feet = json_array(), *places = json_array();
    double fastest = INFINITY;
    for (int i = 0; i < ty_vehicle_bodies(v); i++) {
        json_array_append_new(bodies, json_string(ty_vehicle_body(v, i)));
    }
    for (int i = 0; i < shapes; i++) {
        char path[64];
        snprintf(path, sizeof path, "rover-%zu-%d.bin", index, i);
        json_array_append_new(looks, shape_json(l, &shape[i], wheel, wheels, path));
    }
    for (int i = 0; i < wheels; i++) {
        fastest = fmin(fastest, wheel[i].shape.r * wheel[i].no_load_speed);
        json_array_append_new(feet, json_pack("{s:s, s:f, s:f, s:f}", "name", wheel[i].name, "radius", wheel[i].shape.r,
                                              "width", wheel[i].shape.b, "steer_limit", wheel[i].steer_limit));
    }
    for (int i = 0; i < mounts; i++) {
        json_array_append_new(places, json_pack("{s:s, s:i, s:o}", "name", mount[i].name, "body", mount[i].body, "pose",
                                                pose_json(mount[i].pose)));
    }
    return json_pack("{s:s, s:s, s:f, s:f, s:o, s:o, s:o, s:o}", "name", def->name, "model", ty_vehicle_name(v), "mass",
                     ty_vehicle_mass(v), "fastest", isfinite(fastest) ? fastest : 0.2, "bodies", bodies, "shapes",
                     looks, "wheels", feet, "mounts", places);
}

static ty_quat turned(double roll, double pitch, double yaw)
{
    ty_quat x = ty_quat_axis((ty_vec3){ 1, 0, 0 }, roll), y = ty_quat_axis((ty_vec3){ 0, 1, 0 }, pitch);
    return ty_quat_mul(ty_quat_axis((ty_vec3){ 0, 0, 1 }, yaw), ty_quat_mul(y, x));
}

static json_t *objects_json(list *l, ty_run *run)
{
    const ty_scenario *s = ty_run_scenario(run);
    ty_terrain *t = ty_world_terrain(ty_run_world(run));
    json_t *all = json_array();
    for (size_t i = 0; i < s->objects; i++) {
        const ty_scenario_object *o = &s->object[i];
        char path[64];
        ty_pose p = { { o->position[0], o->position[1], o->position[2] },
                      turned(o->rpy_deg[0] * TY_DEG, o->rpy_deg[1] * TY_DEG, o->rpy_deg[2] * TY_DEG) };
        double ground = 0.0;
        if (o->on_ground && !o->rover[0] && ty_terrain_sample(t, 0, 1, &p.p.x, &p.p.y, &ground, NULL, NULL) == TY_OK) {
            p.p.z += ground;
        }
        json_t *j = json_pack("{s:s, s:o, s:s, s:s, s:f}", "name", o->name, "pose", pose_json(p), "rover", o->rover,
                              "body", o->body, "radius", o->shape == 1 ? o->radius : 0.0);
        snprintf(path, sizeof path, "object-%zu.bin", i);
        if (o->shape == 0 && add_model(l, path, o->file, o->scale)) {
            json_object_set_new(j, "mesh", json_string(path));
        }
        json_array_append_new(all, j);
    }
    return all;
}

/* a loose rock, as large as it is */
static void add_rock(list *l, const char *path, const ty_rock_shape *s, double scale)
{
    float *vertex = malloc(3 * (size_t)s->vertices * sizeof *vertex);
    uint32_t *triangle = malloc(3 * (size_t)s->triangles * sizeof *triangle);
    size_t bytes = 0;
    for (int i = 0; vertex && i < 3 * s->vertices; i++) {
        vertex[i] = (float)scale * s->vertex[i];
    }
    for (int i = 0; triangle && i < 3 * s->triangles; i++) {
        triangle[i] = s->triangle[i];
    }
    void *data =
        vertex && triangle ? pack((size_t)s->vertices, (size_t)s->triangles, vertex, triangle, NULL, &bytes) : NULL;
    free(vertex), free(triangle);
    add(l, path, "application/octet-stream", data, bytes);
}

static json_t *actors_json(list *l, ty_run *run)
{
    const ty_scenario *s = ty_run_scenario(run);
    json_t *all = json_array();
    for (size_t i = 0; i < s->actors; i++) {
        const ty_scenario_actor *a = &s->actor[i];
        char path[64];
        snprintf(path, sizeof path, "actor-%zu.bin", i);
        json_t *j = json_pack("{s:s, s:s, s:o, s:f, s:b}", "name", a->name, "kind", shape_name[a->shape], "size",
                              numbers(a->size, 3), "albedo", a->albedo, "hidden", a->hidden);
        double scale;
        const ty_rock_shape *rock = tyi_sim_cast_rock(run, i, &scale);
        if (rock) {
            add_rock(l, path, rock, scale);
            json_object_set_new(j, "mesh", json_string(path));
        } else if (!a->hidden && a->mesh[0] && add_model(l, path, a->mesh, a->scale)) {
            json_object_set_new(j, "mesh", json_string(path));
        }
        json_array_append_new(all, j);
    }
    return all;
}

static json_t *sensors_json(ty_run *run)
{
    json_t *all = json_array();
    for (size_t i = 0; i < ty_run_sensors(run); i++) {
        ty_sensor_info info = ty_run_sensor(run, i);
        bool camera = info.def->kind == TY_SENSOR_CAMERA;
        const ty_camera *c = &info.def->as.camera.camera;
        json_array_append_new(all, json_pack("{s:s, s:s, s:s, s:s, s:f, s:i, s:i}", "rover", info.rover, "name",
                                             info.name, "kind", info.schema->name, "mount", info.def->mount, "period",
                                             ty_seconds(info.period), "width", camera ? c->width : 0, "height",
                                             camera ? c->height : 0));
    }
    return all;
}

static json_t *ground_json(ty_run *run)
{
    ty_terrain *t = ty_world_terrain(ty_run_world(run));
    const ty_terrain_def *d = ty_terrain_get_def(t);
    return json_pack("{s:i, s:f, s:i, s:f, s:s, s:b}", "levels", ty_terrain_levels(t), "resolution",
                     ty_terrain_spacing(t, 0), "edit_level", d->edit_level, "extent", d->extent, "kind",
                     tyi_terrain_kind_name((ty_ground_kind)d->kind), "rocks", d->rock.on);
}

/* ---- rocks, stars ---- */

/* u32 shapes; of each u32 vertices, u32 triangles, f32 x y z ..., u16 a b c ... and a u16 where that is needed to end at 4 bytes */
static void add_rocks(list *l, ty_terrain *t)
{
    size_t bytes = 4;
    for (uint32_t i = 0; i < TY_ROCK_SHAPES; i++) {
        const ty_rock_shape *s = ty_terrain_rock_shape(t, i);
        bytes += 8 + (size_t)s->vertices * 12 + ((size_t)s->triangles * 6 + 2) / 4 * 4;
    }
    uint8_t *data = calloc(1, bytes);
    tyi_web_bytes to = { data };
    for (uint32_t i = 0; data && i < TY_ROCK_SHAPES; i++) {
        const ty_rock_shape *s = ty_terrain_rock_shape(t, i);
        if (!i) {
            TYI_WEB_PUT(&to, uint32_t, TY_ROCK_SHAPES);
        }
        TYI_WEB_PUT(&to, uint32_t, s->vertices);
        TYI_WEB_PUT(&to, uint32_t, s->triangles);
        tyi_web_put(&to, s->vertex, (size_t)s->vertices * 12);
        tyi_web_put(&to, s->triangle, (size_t)s->triangles * 6);
        to.at += (4 - (size_t)s->triangles * 6 % 4) % 4;
    }
    add(l, "rocks.bin", "application/octet-stream", data, bytes);
}

/* f32 x y z magnitude of each star over the site at the start; within a run they turn by less than can be seen */
static void add_stars(list *l, ty_run *run)
{
    size_t n = tyi_sky_stars_bright(NULL, 0);
    ty_star *star = malloc(n * sizeof *star);
    ty_vec3 *dir = malloc(n * sizeof *dir);
    float *out = malloc(n * 16);
    ty_utc now = ty_world_start(ty_run_world(run));
    if (star && dir && out) {
        tyi_sky_stars_bright(star, n);
        bool known =
            tyi_sky_stars_view(now, ty_terrain_site(ty_world_terrain(ty_run_world(run))), star, n, dir, NULL) == TY_OK;
        for (size_t i = 0; i < n; i++) {
            const float v[4] = { (float)dir[i].x, (float)dir[i].y, (float)dir[i].z, (float)star[i].v };
            memcpy(out + 4 * i, v, sizeof v);
        }
        n = known ? n : 0;
    }
    free(star), free(dir);
    add(l, "stars.bin", "application/octet-stream", out, n * 16);
}

ty_status tyi_web_scene_make(ty_run *run, tyi_web_file **out, ty_diag *diag)
{
    const ty_scenario *s = ty_run_scenario(run);
    list l = { 0 };
    json_t *rovers = json_array();
    for (size_t i = 0; i < ty_run_rovers(run); i++) {
        json_array_append_new(rovers, rover_json(&l, run, i));
    }
    json_t *root = json_pack("{s:i, s:s, s:s, s:s, s:f, s:f, s:f, s:f}", "protocol", 1, "program", ty_version(), "run",
                             s->name, "start_utc", s->start_utc, "duration", s->duration, "step", s->step, "lat_deg",
                             s->terrain.lat / TY_DEG, "lon_deg", s->terrain.lon / TY_DEG);
    json_object_set_new(root, "ground", ground_json(run));
    json_object_set_new(root, "rovers", rovers);
    json_object_set_new(root, "actors", actors_json(&l, run));
    json_object_set_new(root, "objects", objects_json(&l, run));
    json_object_set_new(root, "sensors", sensors_json(run));
    char *text = json_dumps(root, JSON_COMPACT);
    json_decref(root);
    add(&l, "scene.json", "application/json", text, text ? strlen(text) : 0);
    add_rocks(&l, ty_world_terrain(ty_run_world(run)));
    add_stars(&l, run);
    for (const tyi_web_file *f = tyi_web_page; f->path; f++) {
        void *copy = malloc(f->bytes + 1);
        if (copy) {
            memcpy(copy, f->data, f->bytes);
        }
        add(&l, f->path, f->type, copy, f->bytes);
    }
    *out = l.file;
    return l.failed ? ty_fail(diag, TY_ERR_MEMORY, "live: no memory for the scene") : TY_OK;
}

void tyi_web_scene_free(tyi_web_file *file)
{
    for (tyi_web_file *f = file; f && f->path; f++) {
        free((void *)(uintptr_t)f->path), free((void *)(uintptr_t)f->data);
    }
    free(file);
}
