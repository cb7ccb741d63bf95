/* bench/bench_peers.c - our part of `make bench-peers`: one scene for three programs.
 *
 * A mesh of 512 x 512 cells of generated ground (524 288 triangles, flat normals), a white-gray diffuse material, a Sun
 * of
 * 0.53 deg at 12 deg elevation as the only light, black sky, direct light only. Written as plain arrays for Blender and
 * as a
 * mesh2 for POV-Ray (bench/peers/ reads them), and rendered here as an object, by the same functions as any frame.
 *
 * Time per sample is (cpu(64 samples) - cpu(16 samples)) / 48 per pixel: loading, building of trees and writing drop
 * out, for every program alike.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include "app.h"
#include "bench.h"
#include "tycho/tools/draw.h"
#include "tycho/render.h"

enum { WIDTH = 480, HEIGHT = 360, CELLS = 512, FEW = 16, MANY = 64, REPEATS = 3 };
#define SPACING 0.04 /* [m] */
#define ALBEDO  0.5
#define FOV     60.0 /* [deg] */
#define PITCH   15.0 /* [deg] downwards */
#define SUN_AZ  70.0 /* [deg] */
#define SUN_EL  12.0

typedef struct peers_bench {
    float *vertex;
    uint32_t *triangle;
    size_t vertices, triangles;
    double eye; /* [m] height of the camera over the mesh's middle */
} peers_bench;

static bool make_mesh(peers_bench *b, ty_diag *diag)
{
    ty_terrain_def def = ty_terrain_def_default();
    ty_terrain *t = NULL;
    enum { N = CELLS + 1 };
    def.seed = 20260102;
    def.resolution = SPACING;
    def.edit_level = 0;
    float *h = malloc((size_t)N * N * sizeof *h);
    b->vertices = (size_t)N * N, b->triangles = (size_t)2 * CELLS * CELLS;
    b->vertex = malloc(3 * b->vertices * sizeof *b->vertex);
    b->triangle = malloc(3 * b->triangles * sizeof *b->triangle);
    bool ok = h && b->vertex && b->triangle && ty_terrain_create(&def, &t, diag) == TY_OK &&
              ty_terrain_region(t, 0, -N / 2, -N / 8, N, N, 0.0, h, 1, diag) == TY_OK;
    for (int i = 0; ok && i < N * N; i++) {
        b->vertex[3 * i] = (float)(SPACING * (i % N - N / 2));
        b->vertex[3 * i + 1] = (float)(SPACING * (i / N - N / 8));
        b->vertex[3 * i + 2] = h[i];
    }
    uint32_t *to = b->triangle;
    for (uint32_t c = 0; ok && c < CELLS * CELLS; c++, to += 6) {
        uint32_t v = c / CELLS * N + c % CELLS;
        to[0] = v, to[1] = v + 1, to[2] = v + N + 1, to[3] = v, to[4] = v + N + 1, to[5] = v + N;
    }
    b->eye = ok ? (double)h[N / 8 * N + N / 2] + 1.6 : 0.0;
    free(h);
    ty_terrain_destroy(t);
    return ok;
}

static FILE *open_in(const char *folder, const char *name, ty_diag *diag)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    if (!f) {
        ty_fail(diag, TY_ERR_FILE, "%s cannot be written", path);
    }
    return f;
}

static bool write_scene(const peers_bench *b, const char *folder, ty_diag *diag)
{
    FILE *v = open_in(folder, "vertex.f32", diag), *t = open_in(folder, "triangle.u32", diag),
         *p = open_in(folder, "mesh.inc", diag);
    FILE *s = open_in(folder, "scene.json", diag), *i = open_in(folder, "scene.inc", diag);
    bool ok = v && t && p && s && i;
    if (ok) {
        fwrite(b->vertex, sizeof(float), 3 * b->vertices, v);
        fwrite(b->triangle, sizeof(uint32_t), 3 * b->triangles, t);
        fprintf(p, "mesh2 {\nvertex_vectors { %zu", b->vertices);
        for (size_t k = 0; k < b->vertices; k++) {
            fprintf(p, ",\n<%.6f,%.6f,%.6f>", (double)b->vertex[3 * k], (double)b->vertex[3 * k + 1],
                    (double)b->vertex[3 * k + 2]);
        }
        fprintf(p, "}\nface_indices { %zu", b->triangles);
        for (size_t k = 0; k < b->triangles; k++) {
            fprintf(p, ",\n<%u,%u,%u>", b->triangle[3 * k], b->triangle[3 * k + 1], b->triangle[3 * k + 2]);
        }
        fprintf(p, "}\n");
        fprintf(
            s,
            "{\"width\": %d, \"height\": %d, \"eye\": %.6f, \"fov_deg\": %g, \"pitch_deg\": %g, \"sun_az_deg\": %g, \"sun_el_deg\": %g, "
            "\"sun_deg\": 0.53, \"albedo\": %g, \"few\": %d, \"many\": %d, \"repeats\": %d}\n",
            WIDTH, HEIGHT, b->eye, FOV, PITCH, SUN_AZ, SUN_EL, ALBEDO, FEW, MANY, REPEATS);
        fprintf(
            i,
            "#declare Eye = %.6f; #declare Fov = %g; #declare Pitch = %g; #declare Sun_Az = %g; #declare Sun_El = %g; #declare Albedo = %g;\n",
            b->eye, FOV, PITCH, SUN_AZ, SUN_EL, ALBEDO);
    }
    FILE *all[5] = { v, t, p, s, i };
    for (int k = 0; k < 5; k++) {
        ok = (!all[k] || !fclose(all[k])) && ok;
    }
    return ok;
}

/* [s] processor time of a frame */
static double frame(ty_scene *scene, const ty_camera *camera, int samples, float *radiance, ty_diag *diag)
{
    ty_render_def def = ty_render_def_default();
    def.samples = samples;
    def.threads = 1;
    ty_render_buffers out = { .radiance = radiance };
    double start = bench_cpu();
    ty_render(scene, camera, &def, &out, diag);
    return bench_cpu() - start;
}

static ty_scene *make_scene(const peers_bench *b, ty_diag *diag)
{
    ty_scene_def def = ty_scene_def_default();
    ty_scene *scene = NULL;
    double a = SUN_AZ * TY_DEG, e = SUN_EL * TY_DEG;
    ty_light sun = { .kind = TY_LIGHT_DISK,
                     .dir_W = { cos(e) * sin(a), cos(e) * cos(a), sin(e) },
                     .radius = 0.265 * TY_DEG,
                     .power = { TY_PI } };
    ty_object_def object = { .vertex = b->vertex,
                             .triangle = b->triangle,
                             .vertices = b->vertices,
                             .triangles = b->triangles,
                             .material = ty_material_lambert(ALBEDO),
                             .kind = TY_CLASS_OBJECT,
                             .pose = { { 0, 0, 0 }, ty_quat_identity() } };
    uint32_t id;
    def.threads = 1;
    if (ty_scene_create(&def, &scene, diag) == TY_OK) {
        ty_scene_add(scene, &object, &id, diag);
        ty_scene_add_light(scene, &sun, diag);
    }
    return scene;
}

static void write_picture(const char *folder, const float *radiance, ty_diag *diag)
{
    static uint8_t gray[WIDTH * HEIGHT];
    char path[4200];
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        double y = fmin(fmax((double)radiance[i], 0.0), 1.0); /* sRGB, as the others write it */
        gray[i] = (uint8_t)lrint(255.0 * (y <= 0.0031308 ? 12.92 * y : 1.055 * pow(y, 1.0 / 2.4) - 0.055));
    }
    snprintf(path, sizeof path, "%s/tycho.png", folder);
    ty_png_write(path, WIDTH, HEIGHT, 1, 8, gray, diag);
}

int bench_peers(const char *folder)
{
    peers_bench b = { 0 };
    ty_diag diag = { 0 };
    double few = INFINITY, many = INFINITY;
    static float radiance[WIDTH * HEIGHT];
    mkdir(folder, 0777);
    ty_scene *scene = make_mesh(&b, &diag) && write_scene(&b, folder, &diag) ? make_scene(&b, &diag) : NULL;
    ty_camera camera = ty_camera_default();
    camera.width = WIDTH, camera.height = HEIGHT, camera.hfov = FOV * TY_DEG;
    camera.pose = (ty_pose){ { 0, 0, b.eye }, ty_camera_look(0.0, -PITCH * TY_DEG, 0.0) };
    for (int k = 0; k < REPEATS && diag.status == TY_OK; k++) {
        few = fmin(few, frame(scene, &camera, FEW, radiance, &diag));
        many = fmin(many, frame(scene, &camera, MANY, radiance, &diag));
    }
    if (diag.status == TY_OK) {
        write_picture(folder, radiance, &diag);
    }
    ty_scene_destroy(scene);
    free(b.vertex), free(b.triangle);
    if (diag.status != TY_OK) {
        return app_bad("bench", "%s.", diag.text);
    }
    printf(
        "{\"tycho_samples_per_core_s\": %.4g, \"tycho_cpu_few_s\": %.3f, \"tycho_cpu_many_s\": %.3f, \"width\": %d, \"height\": %d, "
        "\"samples\": %d, \"triangles\": %zu}\n",
        (double)WIDTH * HEIGHT * (MANY - FEW) / (many - few), few, many, WIDTH, HEIGHT, MANY, b.triangles);
    return APP_OK;
}
