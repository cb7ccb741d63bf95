/* examples/user_material.c - a material of your own: paint with glass beads, which sends light back to where it came
 * from.
 *
 * A reflectance law is one function: the angles in, the BRDF [1/sr] out. A scene that was given it lets scenarios
 * name it (law: beads), and cameras and lidars see it. The law here is Lambert's with a lobe towards the light:
 *
 *     f = albedo / pi (1 + gain exp(-(1 - cos g) / width))      g: angle between the directions to the light and to the
 * eye
 *
 * The program looks at a sphere with this paint beside a plain one, with the Sun in its back and then from the side,
 * and compares how many times brighter the first one is with what the law says.
 *
 * With the name of a device the frames are made there, from the law's text; without the text they would be left to the host.
 *
 *     user_material [SCENARIO [IMAGE.png [DEVICE]]]      DEVICE: part of its name, "": any
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <tycho/tools/draw.h>
#include <tycho/render.h>
#include <tycho/stage.h>
#include <tycho/world.h>

/* ---- the material ---- */

typedef struct beads {
    double gain, width; /* [-] */
} beads;

static double lobe(const beads *b, double cos_g)
{
    return 1.0 + b->gain * exp(-(1.0 - cos_g) / b->width);
}

/* called for every point that a light shines on, by many threads at once: it must not change anything */
static double beads_brdf(const ty_material *material, int band, const ty_law_geometry *g, void *user)
{
    return (double)material->albedo[band] / TY_PI * lobe(user, g->cos_g);
}

/* the same for devices, in the subset of C of kernels/, with the types of k_brdf.h and k_angles.h: 1 - cos g = 2 sin^2(g/2) */
static const char beads_source[] =
    "ty_real brdf(ty_k_brdf m, ty_k_angles a)\n"
    "{\n"
    "    ty_real gain = TY_R(3.0), width = TY_R(0.03);\n"
    "    return m.albedo / TY_K_PI * (TY_R(1.0) + gain * exp(-TY_R(2.0) * a.sin2_g / width));\n"
    "}\n";

/* ---- the program ---- */

#define W   192
#define H   96
#define FAR 60.0 /* [m] from eye to spheres: all of them is seen under nearly one angle */

/* How many times brighter the painted sphere is, from an azimuth and elevation [rad]. */
static ty_status look(ty_scene *scene, ty_vec3 middle, double azimuth, double elevation, const char *image,
                      double *ratio, ty_diag *diag)
{
    static float light[W * H];
    static uint32_t id[W * H];
    static uint8_t kind[W * H], pixel[W * H];
    ty_camera camera = ty_camera_default();
    camera.width = W, camera.height = H;
    camera.hfov = 3.2 * TY_DEG;
    camera.pose.p = ty_add(middle, ty_scale(FAR, ty_vec3_make(cos(elevation) * sin(azimuth),
                                                              cos(elevation) * cos(azimuth), sin(elevation))));
    camera.pose.q = ty_camera_look(azimuth + TY_PI, -elevation, 0.0);
    ty_render_def def = ty_render_def_default();
    ty_render_buffers out = { .radiance = light, .instance = id, .kind = kind };
    ty_status status = ty_render(scene, &camera, &def, &out, diag);
    double sum[2] = { 0 }, count[2] = { 0 };
    uint32_t first = UINT32_MAX;
    float most = 1e-9f;
    for (int i = 0; i < W * H; i++) { /* objects have the class TY_CLASS_OBJECT, and ids in the order of the file */
        first = kind[i] == TY_CLASS_OBJECT && id[i] < first ? id[i] : first;
        most = fmaxf(most, light[i]);
    }
    for (int i = 0; i < W * H; i++) {
        if (kind[i] == TY_CLASS_OBJECT) {
            sum[id[i] != first] += (double)light[i], count[id[i] != first] += 1.0;
        }
        pixel[i] = (uint8_t)(255.0f * sqrtf(light[i] / most));
    }
    *ratio = sum[1] / count[1] / (sum[0] / count[0]);
    return status == TY_OK && image ? ty_png_write(image, W, H, 1, 8, pixel, diag) : status;
}

int main(int argc, char **argv)
{
    static beads paint = { .gain = 3.0, .width = 0.03 };
    const ty_law_model model = { .name = "beads", .brdf = beads_brdf, .user = &paint, .source = beads_source };
    ty_diag diag = { 0 };
    ty_scenario *scenario = NULL;
    ty_world *world = NULL;
    ty_stage *stage = NULL;
    ty_device *device = NULL;
    ty_sky sky;
    ty_status status = ty_scenario_load(argc > 1 ? argv[1] : "examples/user_material.yaml", NULL, 0, &scenario, &diag);
    if (status == TY_OK) {
        status = ty_scenario_create_world(scenario, &world, &diag);
    }
    if (status == TY_OK) {
        ty_scene_def def = ty_scene_def_default();
        def.ring_cells = 256;
        def.kinds.law = &model, def.kinds.laws = 1; /* a run takes the same in ty_run_def.render_kinds */
        status = ty_stage_create(scenario, ty_world_terrain(world), &def, &stage, &diag);
    }
    if (status == TY_OK && argc > 3) {
        ty_device_def def = ty_device_def_default();
        def.name = argv[3];
        status = ty_device_create(&def, &device, &diag);
    }
    if (status == TY_OK && device) {
        status = ty_scene_set_device(ty_stage_scene(stage), device, false, &diag);
    }
    if (status == TY_OK) {
        status = ty_sky_at(ty_world_start(world), &sky, &diag);
    }
    bool fine = status == TY_OK;
    if (status == TY_OK) {
        ty_terrain *terrain = ty_world_terrain(world);
        ty_stage_now now = { .utc = ty_world_start(world) };
        ty_sky_view view = ty_sky_view_at(&sky, ty_terrain_site(terrain));
        double zero = 0.0, ground = 0.0;
        status = ty_stage_update(stage, &now, &diag);
        if (status == TY_OK) {
            status = ty_terrain_sample(terrain, 0, 1, &zero, &zero, &ground, NULL, &diag);
        }
        for (int i = 0; i < 3 && status == TY_OK; i++) {
            double aside = (double[]){ 0.0, 12.0, 60.0 }[i] * TY_DEG, ratio; /* of azimuth, away from the Sun */
            double azimuth = view.sun.azimuth + aside, el = view.sun.elevation;
            double cos_g = cos(el) * cos(el) * cos(aside) + sin(el) * sin(el);
            status = look(ty_stage_scene(stage), ty_vec3_make(0, 0, ground + 0.6), azimuth, el,
                          i == 1 && argc > 2 ? argv[2] : NULL, &ratio, &diag);
            printf("phase angle %4.1f deg: %.3f times as bright, the law says %.3f\n", acos(fmin(cos_g, 1.0)) / TY_DEG,
                   ratio, lobe(&paint, cos_g));
            fine = fine && fabs(ratio / lobe(&paint, cos_g) - 1.0) < 0.05;
        }
        const char *host = ty_scene_get_stats(ty_stage_scene(stage)).host;
        if (status == TY_OK && device) {
            printf("made by %s\n", host ? host : ty_device_get_info(device)->name);
            fine = fine && !host;
        }
        printf("%s\n", fine ? "as the law says" : "not as the law says");
    }
    if (status != TY_OK) {
        fprintf(stderr, "user_material: %s\n", diag.text);
    }
    ty_stage_destroy(stage);
    ty_device_destroy(device);
    ty_world_destroy(world);
    ty_scenario_destroy(scenario);
    return status != TY_OK ? 2 : fine ? 0 : 1;
}
