/* Public functions of scenes, stages, models and clouds that no other test calls by name.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <unistd.h>
#include "tycho/tools/cloud_file.h"
#include "tycho/tools/draw.h"
#include "tycho/lidar.h"
#include "tycho/render.h"
#include "tycho/stage.h"
#include "tycho/trace.h"
#include "io/inner.h"
#include "render/inner.h"
#include "sensor/lidar/inner.h"
#include "tyt.h"

static ty_scene *empty_scene(int bands)
{
    ty_scene_def def = ty_scene_def_default();
    ty_scene *scene;
    ty_diag diag = { 0 };
    def.bands = bands;
    def.threads = 1;
    cr_assert(ty_scene_create(&def, &scene, &diag) == TY_OK, "%s", diag.text);
    return scene;
}

static void add_ball(ty_scene *scene, ty_vec3 p, double radius)
{
    ty_object_def ball = { .radius = radius,
                           .material = ty_material_lambert(0.5),
                           .kind = TY_CLASS_OBJECT,
                           .pose = { p, ty_quat_identity() } };
    uint32_t id;
    TY_CHECK(ty_scene_add(scene, &ball, &id, NULL) == TY_OK);
}

/* 16 x 16 pixels towards north */
static ty_camera north(void)
{
    ty_camera c = ty_camera_default();
    c.width = c.height = 16;
    c.pose.q = ty_camera_look(0.0, 0.0, 0.0);
    return c;
}

/* a ball ahead, lit from behind the camera; without its light it is black */
TY_TEST(api_scene, lights_bands_and_counts)
{
    ty_scene *s = empty_scene(2);
    TY_CHECK(ty_scene_bands(s) == 2);
    add_ball(s, ty_vec3_make(0, 10, 0), 2.0);
    ty_light sun = { .kind = TY_LIGHT_DISK, .dir_W = { 0, -1, 0 }, .power = { 100.0, 50.0 } };
    TY_CHECK(ty_scene_add_light(s, &sun, NULL) == TY_OK);
    ty_camera c = north();
    ty_render_def def = ty_render_def_default();
    def.threads = 1;
    def.samples = 4;
    float image[2 * 16 * 16];
    ty_render_buffers out = { .radiance = image };
    TY_CHECK(ty_render(s, &c, &def, &out, NULL) == TY_OK);
    TY_NEAR_REL(image[8 * 16 + 8], 0.5 * 100.0 / TY_PI, 0.1); /* faces the light, nearly */
    TY_NEAR_REL(image[256 + 8 * 16 + 8], 0.5 * (double)image[8 * 16 + 8], 1e-5);
    ty_scene_stats stats = ty_scene_get_stats(s);
    TY_CHECK(stats.rays >= 4 * 256 && stats.rocks == 0);
    ty_scene_clear_lights(s);
    TY_CHECK(ty_render(s, &c, &def, &out, NULL) == TY_OK);
    TY_NEAR(image[8 * 16 + 8], 0.0, 0.0);
    ty_scene_destroy(s);
}

/* the bare tracer meets what the renderer and the sensors meet */
TY_TEST(api_scene, baselines)
{
    ty_scene *s = empty_scene(1);
    add_ball(s, ty_vec3_make(0, 10, 0), 2.0);
    ty_light sun = { .kind = TY_LIGHT_DISK, .dir_W = { 0, -1, 0 }, .power = { 100.0 } };
    ty_scene_add_light(s, &sun, NULL);
    ty_camera c = north();
    ty_render_def def = ty_render_def_default();
    def.threads = 1;
    def.samples = 1;
    float image[256];
    ty_render_bench a, b;
    TY_CHECK(tyi_render_measure(s, &c, &def, image, 2, &a, NULL) == TY_OK);
    TY_CHECK(tyi_render_measure(s, &c, &def, image, 1, &b, NULL) == TY_OK);
    TY_CHECK(a.rays >= 256 && a.hits > 0 && a.hash == b.hash && a.seconds > 0.0);
    ty_trace_ray ray[100];
    ty_trace_hit hit[100];
    size_t met = 0;
    for (int i = 0; i < 100; i++) {
        ray[i] = (ty_trace_ray){ .dir = ty_normalize(ty_vec3_make(0.01 * (i - 50), 1.0, 0.0)), .far = 100.0 };
    }
    TY_CHECK(ty_scene_trace(s, ty_vec3_make(0, 0, 0), ray, 100, 0, 1, hit, NULL) == TY_OK);
    for (int i = 0; i < 100; i++) {
        met += isfinite(hit[i].range);
        /* a chord of a circle of radius 2 at distance 10 */
        double side = fabs(10.0 * ray[i].dir.x);
        TY_CHECK(isfinite(hit[i].range) == (side < 2.0));
    }
    TY_CHECK(tyi_render_trace_measure(s, ty_vec3_make(0, 0, 0), ray, 100, 2, &a, NULL) == TY_OK);
    TY_CHECK(a.rays == 100 && a.hits == met);
    ty_scene_destroy(s);
}

static double half(const ty_material *m, int band, const ty_law_geometry *g, void *user)
{
    (void)m, (void)band, (void)g, (void)user;
    return 0.5;
}
static double none(const ty_light *light, ty_vec3 p, double u, double v, ty_vec3 *l, double *far, void *user)
{
    (void)light, (void)p, (void)u, (void)v, (void)l, (void)far, (void)user;
    return 0.0;
}
static bool no_ray(const ty_camera *c, double u, double v, ty_vec3 *o, ty_vec3 *d, void *user)
{
    (void)c, (void)u, (void)v, (void)o, (void)d, (void)user;
    return false;
}
static bool no_point(const ty_camera *c, ty_vec3 p, double *u, double *v, void *user)
{
    (void)c, (void)p, (void)u, (void)v, (void)user;
    return false;
}

TY_TEST(api_scene, a_programs_own_kinds_are_found)
{
    const ty_law_model law = { .name = "api_half", .brdf = half };
    const ty_light_model light = { "api_none", none, NULL };
    const ty_lens_model lens = { no_ray, no_point, NULL, NULL };
    const ty_render_kinds kinds = { &law, 1, &light, 1 };
    ty_law law_found;
    ty_light_kind light_found;
    ty_lens lens_found;
    TY_CHECK(ty_law_find(&kinds, "api_half", &law_found) && law_found == TY_LAW_COUNT);
    TY_CHECK(ty_light_find(&kinds, "api_none", &light_found) && light_found == TY_LIGHT_COUNT);
    TY_CHECK(ty_law_find(NULL, "hapke", &law_found) && law_found == TY_LAW_HAPKE);
    TY_CHECK(ty_light_find(NULL, "spot", &light_found) && light_found == TY_LIGHT_SPOT);
    TY_CHECK(ty_lens_find("fisheye", &lens_found) && lens_found == TY_LENS_FISHEYE);
    TY_CHECK(!ty_law_find(NULL, "api_half", &law_found) && !ty_light_find(NULL, "api_none", &light_found) &&
             !ty_lens_find("api_blind", &lens_found)); /* nothing is shared by the process */
    ty_camera blind = ty_camera_default();
    ty_vec3 o, d;
    blind.lens = TY_LENS_OWN, blind.model = &lens;
    TY_CHECK(!ty_camera_ray(&blind, 1.0, 1.0, &o, &d));
}

/* a square of 2 m from an OBJ text, 5 m ahead, with a picture on nothing */
TY_TEST(api_scene, models_and_textures)
{
    static const char obj[] = "v -1 5 -1\nv 1 5 -1\nv 1 5 1\nv -1 5 1\nf 1 2 3 4\n";
    ty_model model;
    ty_diag diag = { 0 };
    cr_assert(tyi_io_model_parse("square.obj", "obj", obj, sizeof obj - 1, 1.0, &model, &diag) == TY_OK, "%s",
              diag.text);
    ty_scene *s = empty_scene(1);
    ty_object_def like = { .material = ty_material_lambert(0.3),
                           .kind = TY_CLASS_OBJECT,
                           .pose.q = ty_quat_identity() };
    uint32_t id = 0, texture = 0;
    TY_CHECK(ty_scene_add_model(s, &model, &like, true, &id, &diag) == TY_OK && id >= 1);
    ty_model_free(&model);
    ty_trace_ray ray[2] = { { .dir = { 0, 1, 0 }, .far = 100.0 }, { .dir = { 0, -1, 0 }, .far = 100.0 } };
    ty_trace_hit hit[2];
    TY_CHECK(ty_scene_trace(s, ty_vec3_make(0, 0, 0), ray, 2, 0, 1, hit, NULL) == TY_OK);
    TY_NEAR(hit[0].range, 5.0, 1e-6);
    TY_CHECK(hit[0].instance == id && !isfinite(hit[1].range));
    char path[] = "/tmp/tyt_texture_XXXXXX.png";
    int fd = mkstemps(path, 4);
    cr_assert(fd >= 0);
    close(fd);
    const uint8_t pixel[12] = { 255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9 };
    TY_CHECK(ty_png_write(path, 2, 2, 3, 8, pixel, NULL) == TY_OK);
    TY_CHECK(ty_scene_read_texture(s, path, true, &texture, &diag) == TY_OK);
    remove(path);
    TY_CHECK(ty_scene_read_texture(s, path, true, &texture, &diag) == TY_ERR_FILE); /* it is gone */
    ty_scene_destroy(s);
}

/* a stage over level ground: below the camera is ground, and by day it is lit */
TY_TEST(api_scene, a_stage)
{
    ty_scenario scenario = ty_scenario_default();
    ty_terrain_def ground = ty_terrain_def_default();
    ground.relief.rms_slope_deg = 0.0;
    ground.crater.on = ground.rock.on = false;
    ty_terrain *terrain;
    ty_stage *stage;
    ty_diag diag = { 0 };
    ty_scene_def small = ty_scene_def_default();
    small.ring_cells = 256;
    small.finest = 0.1;
    small.rings = 3;
    small.threads = 1;
    cr_assert(ty_terrain_create(&ground, &terrain, &diag) == TY_OK, "%s", diag.text);
    cr_assert(ty_stage_create(&scenario, terrain, &small, &stage, &diag) == TY_OK, "%s", diag.text);
    ty_stage_now now = { 0 };
    TY_CHECK(ty_utc_parse("2027-01-01T00:00:00", &now.utc, &diag) == TY_OK);
    TY_CHECK(ty_stage_update(stage, &now, &diag) == TY_OK);
    TY_CHECK(ty_stage_scene(stage) != NULL && ty_scene_bands(ty_stage_scene(stage)) == 1);
    ty_trace_ray ray = { .from = { 0, 0, 2 }, .dir = { 0, 0, -1 }, .far = 100.0 };
    ty_trace_hit hit;
    TY_CHECK(ty_scene_trace(ty_stage_scene(stage), ray.from, &ray, 1, 0, 1, &hit, &diag) == TY_OK);
    TY_NEAR(hit.range, 2.0, 1e-3);
    TY_CHECK(hit.kind == TY_CLASS_GROUND);
    ty_stage_destroy(stage);
    ty_stage_destroy(NULL);
    ty_terrain_destroy(terrain);
}

/* a cloud of four points and a hole: files have four, the picture opens */
TY_TEST(api_scene, clouds_as_files)
{
    ty_buffer_type type = { 5, 1, TY_CLOUD_POINT_CHANNELS, TY_ELEMENT_F64, TY_UNIT_POINT, 'S' };
    ty_cloud_point p[5] = { { 1, 2, 3, 0.5, 3.7, 0, 0, 0, 7 },
                            { 4, 5, 6, 0.6, 8.8, 0, 1, 0, 7 },
                            { (double)NAN, (double)NAN, (double)NAN, 0, (double)NAN, 0, 0, 0, 0 },
                            { -1, -2, 0, 0.2, 2.2, 0, 0, 0, 7 },
                            { 9, 0, 1, 0.9, 9.1, 0, 2, 0, 7 } };
    ty_buffer cloud = ty_buffer_wrap(&type, p);
    char path[64];
    ty_diag diag = { 0 };
    snprintf(path, sizeof path, "/tmp/tyt_cloud_%d.csv", (int)getpid());
    cr_expect(ty_cloud_write(path, TY_CLOUD_BY_ENDING, &cloud, &diag) == TY_OK, "%s", diag.text);
    FILE *f = fopen(path, "r");
    int lines = 0;
    for (int c; f && (c = fgetc(f)) != EOF;) {
        lines += c == '\n';
    }
    fclose(f);
    remove(path);
    TY_CHECK(lines == 5); /* a header and the points that are there */
    snprintf(path, sizeof path, "/tmp/tyt_cloud_%d.png", (int)getpid());
    TY_CHECK(ty_cloud_draw(path, &cloud, TY_CLOUD_HEIGHT, "four points", &diag) == TY_OK);
    ty_image image;
    TY_CHECK(ty_png_read(path, &image, &diag) == TY_OK && image.width > 200);
    ty_image_free(&image);
    remove(path);
    TY_CHECK(ty_cloud_write("/tmp/cloud.nosuch", TY_CLOUD_BY_ENDING, &cloud, NULL) == TY_ERR_INPUT);
}

TY_TEST(api_scene, a_lidars_definition_and_its_filter)
{
    ty_lidar_def def = ty_lidar_def_default();
    def.columns = 8;
    def.rows = 4;
    ty_lidar *l;
    ty_diag diag = { 0 };
    cr_assert(ty_lidar_create(&def, &l, &diag) == TY_OK, "%s", diag.text);
    TY_CHECK(ty_lidar_get_def(l)->columns == 8 && ty_lidar_get_def(l)->rows == 4);
    ty_filter points = tyi_lidar_to_points(l);
    TY_CHECK(points.name != NULL && points.run != NULL);
    ty_lidar_destroy(l);
}
