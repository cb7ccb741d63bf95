/* tests/unit/sim/test_stage.c - scenes of scenario files: ground by regions and rasters, objects, lamps, stars; what is
 * refused.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <unistd.h>
#include "tycho/tools/draw.h"
#include "tycho/tools/raster.h"
#include "tycho/stage.h"
#include "tycho/vehicle.h"
#include "tycho/scenario.h"
#include "io/rasters.h"
#include "tyt.h"

static void put(const char *name, const char *text)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", tyt_folder(), name);
    FILE *f = fopen(path, "w");
    fputs(text, f);
    fclose(f);
}

#define HEAD                                                                        \
    "version: 1\nstart_utc: 2027-01-20T00:00:00\nsite: {lat_deg: 20, lon_deg: 5}\n" \
    "terrain: {extent: 500, resolution: 0.1, seed: 3, rocks: {enabled: false}, craters: {enabled: false}, relief: {rms_slope_deg: 0}}\n"

typedef struct play {
    ty_scenario *scenario;
    ty_world *world;
    ty_stage *stage;
} play;

/* HEAD and more into a stage; the status of the first step that failed */
static ty_status open_play(play *p, const char *more, ty_diag *diag)
{
    char path[300], text[4000];
    *p = (play){ 0 };
    snprintf(text, sizeof text, HEAD "%s", more);
    put("s.yaml", text);
    snprintf(path, sizeof path, "%s/s.yaml", tyt_folder());
    ty_status status = ty_scenario_load(path, NULL, 0, &p->scenario, diag);
    if (status == TY_OK) {
        status = ty_scenario_create_world(p->scenario, &p->world, diag);
    }
    ty_scene_def def = ty_scene_def_default();
    def.ring_cells = 256, def.far = 200.0, def.threads = 1;
    return status == TY_OK ? ty_stage_create(p->scenario, ty_world_terrain(p->world), &def, &p->stage, diag) : status;
}

static void close_play(play *p)
{
    ty_stage_destroy(p->stage);
    ty_world_destroy(p->world);
    ty_scenario_destroy(p->scenario);
}

static bool find(void *user, const char *rover, const char *part, bool mount, ty_pose *pose)
{
    *pose = *(ty_pose *)user;
    return !strcmp(rover, "r") && (mount ? !strcmp(part, "mast") : !strcmp(part, ""));
}

/* radiance and instances of 32 x 32 pixels, 20 m above the origin, looking down, 20 m wide */
static void look(play *p, const ty_sky_view *view, ty_pose *rider, float *radiance, uint32_t *instance)
{
    ty_stage_now now = { .utc = ty_world_start(p->world), .view = view, .find = rider ? find : NULL, .user = rider };
    ty_diag diag = { 0 };
    if (ty_stage_update(p->stage, &now, &diag) != TY_OK) {
        printf("%s\n", diag.text);
        TY_CHECK(!"update");
    }
    ty_camera c = ty_camera_default();
    c.width = c.height = 32;
    c.hfov = 2.0 * atan(0.5);
    c.pose = (ty_pose){ { 0, 0, 20 }, ty_camera_look(0.0, -0.5 * TY_PI, 0.0) };
    ty_render_def d = ty_render_def_default();
    d.samples = 1, d.jitter = false, d.threads = 1;
    ty_render_buffers out = { .radiance = radiance, .instance = instance };
    TY_CHECK(ty_render(ty_stage_scene(p->stage), &c, &d, &out, NULL) == TY_OK);
}

static ty_sky_view noon(void)
{
    ty_sky_view v = { .irradiance = 1361.0, .earth_phase = TY_PI };
    v.sun = (ty_sky_body){ .dir_W = { 0.6, 0, 0.8 }, .distance = 1.5e11, .radius = 0.0 };
    v.earth = (ty_sky_body){ .dir_W = { 0, 0.6, 0.8 }, .distance = 3.8e8, .radius = 0.016 };
    return v;
}

#define AT(x, y) \
    ((15 - (int)floor((y) / 0.625)) * 32 + 16 + (int)floor((x) / 0.625)) /* pixel of a place on the ground */

TY_TEST(stage, ground_objects_and_lamps)
{
    play p, plain;
    float a[1024], b[1024];
    uint32_t id[1024];
    ty_sky_view v = noon();
    TY_CHECK(open_play(&plain, "ground: {material: {w: 0.6}}\n", NULL) == TY_OK);
    look(&plain, &v, NULL, b, id);
    TY_CHECK(
        open_play(
            &p,
            "ground:\n  material: {preset: moon_visual}\n  regions:\n    - {shape: circle, x: -5, y: 5, radius: 2, material: {w: 0.6}}\n"
            "objects:\n  - {type: sphere, name: ball, radius: 1, position: [5, 5, 1], on_ground: true, material: {law: lambert, albedo: 0.5}}\n"
            "  - {type: sphere, radius: 0.5, position: [1, 0, 0], rover: r}\n"
            "lights:\n  - {type: spot, intensity: 100000, rover: r, mount: mast, position: [0, 0, 0], elevation_deg: -90}\n",
            NULL) == TY_OK);
    ty_pose rider = { { -5, -5, 3 }, { 1, 0, 0, 0 } };
    look(&p, &v, NULL, a, id);
    TY_NEAR_REL((double)a[AT(-5, 5)], (double)b[AT(-5, 5)], 1e-4); /* the region is the other ground */
    TY_FAR_REL((double)a[AT(0, 0)], (double)b[AT(0, 0)], 0.1);     /* elsewhere it is not */
    TY_CHECK(id[AT(5, 5)] == 1 && id[AT(0, -3)] == 1u << 30);
    float dark = a[AT(-5.5, -5)];
    look(&p, &v, &rider, a, id); /* the second ball rides 1 m before the rover, the lamp shines down from it */
    TY_CHECK(id[AT(-4.0 / 0.85, -5.0 / 0.85)] == 2); /* 3 of 20 m up */
    TY_FAR_REL((double)a[AT(-5.5, -5)], (double)dark, 0.1);
    close_play(&p), close_play(&plain);
    TY_ROW("regions of other ground within 1e-4; a rover's lamp and objects where they are mounted",
           "ground of that material throughout", "%.0e", tyt_worst_rel("(double)a[AT(-5, 5)]"));
}

/* a raster of w in the site's plane, written as any other: 0.2 in the west, 0.6 in the east */
static ty_status rows(void *user, int y, int n, float *out, ty_diag *diag)
{
    (void)user, (void)y, (void)diag;
    for (int i = 0; i < n * 64; i++) {
        out[i] = i % 64 < 32 ? 0.2f : 0.6f;
    }
    return TY_OK;
}

TY_TEST(stage, ground_by_a_raster)
{
    char path[300];
    snprintf(path, sizeof path, "%s/w.tif", tyt_folder());
    tyi_io_raster_grid grid = { .lat = 20.0 * TY_DEG,
                                .lon = 5.0 * TY_DEG,
                                .west = -32.0,
                                .north = 32.0,
                                .spacing = 1.0,
                                .width = 64,
                                .height = 64,
                                .rows = rows };
    TY_CHECK(tyi_io_raster_write_grid(&grid, path, NULL, NULL, NULL) == TY_OK);
    play p, high, low;
    float a[1024], b[1024], c[1024];
    uint32_t id[1024];
    ty_sky_view v = noon();
    ty_diag diag = { 0 };
    TY_CHECK(open_play(&high, "ground: {material: {w: 0.6}}\n", NULL) == TY_OK);
    look(&high, &v, NULL, b, id);
    TY_CHECK(open_play(&low, "ground: {material: {w: 0.2}}\n", NULL) == TY_OK);
    look(&low, &v, NULL, c, id);
    if (open_play(&p, "ground:\n  maps: [{parameter: w, file: w.tif}]\n", &diag) != TY_OK) {
        printf("%s\n", diag.text);
        TY_CHECK(!"map");
    } else {
        look(&p, &v, NULL, a, id);
        TY_NEAR_REL((double)a[AT(6, 4)], (double)b[AT(6, 4)], 0.003);
        TY_NEAR_REL((double)a[AT(-6, -4)], (double)c[AT(-6, -4)], 0.003);
        TY_FAR_REL((double)a[AT(-6, -4)], (double)b[AT(-6, -4)], 0.3); /* control: the sides are not swapped */
    }
    close_play(&p), close_play(&high), close_play(&low);
}

static void refused(const char *more, const char *word)
{
    play p;
    ty_diag diag = { 0 };
    TY_CHECK(open_play(&p, more, &diag) != TY_OK);
    if (!strstr(diag.text, word)) {
        printf("'%s' does not say '%s'\n", diag.text, word);
        TY_CHECK(!"sentence");
    }
    close_play(&p);
}

TY_TEST(stage, what_is_refused)
{
    put("broken.glb", "glTF but not really one");
    put("not.png", "no picture");
    put("few.txt", "no stars\n");
    refused("objects: [{type: sphere, radius: 1, texture: gone.png}]\n",
            "objects.0.texture is 'gone.png', which cannot be opened");
    refused("objects: [{type: sphere, radius: 1, texture: not.png}]\n", "is not a picture in PNG or JPEG");
    refused("objects: [{type: mesh, file: broken.glb}]\n", "broken.glb: is ");
    refused("objects: [{type: mesh, file: not.png}]\n", "must end in .obj, .gltf, .glb, .dae, .stl or .ply");
    refused("objects: [{type: cube}]\n", "objects.0.type is 'cube'");
    refused("objects: [{type: sphere, radius: -1}]\n", "radius");
    refused("objects: [{type: sphere, radius: 1, material: {law: cheese}}]\n",
            "objects.0: there is no reflectance law 'cheese'");
    refused("ground: {material: {preset: mars}}\n", "ground.material: there is no preset 'mars'");
    refused("ground: {material: {w: 2}}\n", "ground.material.w is 2");
    refused("ground: {regions: [{shape: polygon, corners: [{x: 1, y: 1}]}]}\n", "corners has 1 elements");
    refused("ground: {maps: [{file: s.yaml}]}\n", "s.yaml");
    refused("lights: [{type: spot, intensity: 1, inner_deg: 40, outer_deg: 30}]\n", "inner_deg");
    refused("sky: {star_file: few.txt}\n", "few.txt: holds no star");
    play p;
    ty_diag diag = { 0 };
    TY_CHECK(open_play(&p, "lights: [{type: registered, kind: nobody, power: 1}]\n", &diag) == TY_OK);
    ty_stage_now now = { .utc = ty_world_start(p.world) };
    TY_CHECK(ty_stage_update(p.stage, &now, &diag) == TY_ERR_INPUT &&
             strstr(diag.text, "no light 'nobody' was registered"));
    close_play(&p);
}

/* A rover whose chassis looks like a model: the MJCF's shapes of that body go, the file's come. */
TY_TEST(stage, a_rover_that_looks_like_a_model)
{
    char text[6000], path[300], *source = getenv("TYCHO_SOURCE"), from[400];
    snprintf(from, sizeof from, "%s/models/rovers/ex1.yaml", source ? source : ".");
    FILE *f = fopen(from, "r");
    TY_CHECK(f != NULL);
    size_t n = f ? fread(text, 1, 5000, f) : 0;
    fclose(f);
    snprintf(from, sizeof from, "model: %s/models/rovers/ex1.xml", source ? source : ".");
    text[n] = '\0';
    char *at = strstr(text, "model: ex1.xml"), whole[7000];
    TY_CHECK(at != NULL);
    snprintf(whole, sizeof whole,
             "%.*s%s%s\nlooks:\n  - {body: body, file: box.obj, scale: 0.5, position: [0, 0, 0.2]}\n", (int)(at - text),
             text, from, at + 14);
    put("look.yaml", whole);
    put("box.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    snprintf(path, sizeof path, "%s/look.yaml", tyt_folder());
    play p;
    TY_CHECK(open_play(&p, "", NULL) == TY_OK);
    ty_vehicle_def def = ty_vehicle_def_default();
    ty_vehicle *v = NULL;
    ty_diag diag = { 0 };
    def.rover = path;
    def.terrain = ty_world_terrain(p.world);
    if (ty_vehicle_create(&def, &v, &diag) != TY_OK) {
        printf("%s\n", diag.text);
        TY_CHECK(!"vehicle");
        return;
    }
    const ty_body_shape *shape;
    int shapes = ty_vehicle_shapes(v, &shape), body = ty_vehicle_find_body(v, "body"), files = 0;
    for (int i = 0; i < shapes; i++) {
        files += shape[i].kind == TY_SHAPE_FILE;
        TY_CHECK(shape[i].body != body || shape[i].kind == TY_SHAPE_FILE);
        TY_CHECK(shape[i].kind != TY_SHAPE_FILE || (strstr(shape[i].file, "box.obj") && shape[i].size.x == 0.5));
    }
    TY_CHECK(files == 1 && shapes > 1);
    ty_vehicle_destroy(v);
    close_play(&p);
}
