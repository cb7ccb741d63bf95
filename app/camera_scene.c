/* app/camera_scene.c - `tycho camera --scene`: a piece of lunar ground to try cameras on.
 *
 * Direct sunlight on one patch of generated terrain with rocks, Hapke's law, four rays a pixel: no
 * more than a test scene. Radiance per band, and depth.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "camera.h"
#include "k_hapke_presets.h"
#include "k_sample.h"
#include "tycho/terrain.h"
#include "io/inner.h"

#define SIDE  3000            /* samples of the patch, less for small pictures */
#define EYE   1.5             /* [m] above the ground */
#define DIP   (12.0 * TY_DEG) /* of the camera below the horizon */
#define FOV   (60.0 * TY_DEG) /* across */
#define SHARE 0.35            /* [-] of the Sun's 1361 W/m2 in a grey camera's band */
#define RAYS  2               /* along each side of a pixel */

typedef struct scene {
    const ty_terrain_patch *patch;
    ty_k_hapke ground[3];
    double irradiance[3]; /* [W/m2] */
    int bands;
    ty_vec3 eye, right, down, forward, sun;
} scene;

/* radiance of a hit towards the eye */
static void shade(const scene *s, const ty_ray *ray, const ty_terrain_hit *hit, double *radiance)
{
    ty_vec3 p = ty_add(ray->origin, ty_scale(hit->t, ray->direction)), n = hit->normal;
    ty_vec3 v = ty_scale(-1.0, ray->direction);
    double mu0 = ty_dot(n, s->sun), mu = ty_dot(n, v);
    ty_ray shadow = { ty_add(p, ty_scale(2e-3, n)), s->sun, 0.0, 200.0 };
    ty_terrain_hit blocked = { .t = (double)INFINITY };
    if (mu0 <= 0.0 || mu <= 0.0) {
        return;
    }
    ty_terrain_patch_rays(s->patch, 1, &shadow, &blocked);
    if (isfinite(blocked.t)) {
        return;
    }
    /* the surface's frame: x towards the Sun */
    ty_vec3 x = ty_sub(s->sun, ty_scale(mu0, n));
    double across = ty_norm(x);
    x = across > 1e-9 ? ty_scale(1.0 / across, x) : ty_vec3_make(1.0, 0.0, 0.0);
    ty_vec3 y = ty_cross(n, x);
    ty_k_vec3 l = ty_k_vec(across, 0.0, mu0), e = ty_k_vec(ty_dot(v, x), ty_dot(v, y), mu);
    ty_k_angles angles = ty_k_angles_of(l, e);
    double rock = hit->rock ? 1.35 : 1.0; /* boulders are brighter than soil */
    for (int b = 0; b < s->bands; b++) {
        radiance[b] += rock * s->irradiance[b] * mu0 * ty_k_hapke_brdf(s->ground[b], angles);
    }
}

static void trace(const scene *s, ty_exr *out)
{
    size_t plane = (size_t)out->width * (size_t)out->height;
    double f = 0.5 * out->width / tan(0.5 * FOV);
    for (size_t i = 0; i < plane; i++) {
        double radiance[3] = { 0.0, 0.0, 0.0 }, depth = (double)INFINITY;
        for (int k = 0; k < RAYS * RAYS; k++) {
            double u = (double)(i % (size_t)out->width) + (k % RAYS + 0.5) / RAYS - 0.5 * out->width;
            double v = (double)(i / (size_t)out->width) + (k / RAYS + 0.5) / RAYS - 0.5 * out->height;
            ty_vec3 d = ty_add(ty_scale(f, s->forward), ty_add(ty_scale(u, s->right), ty_scale(v, s->down)));
            ty_ray ray = { s->eye, ty_normalize(d), 0.0, 100.0 };
            ty_terrain_hit hit = { .t = (double)INFINITY };
            ty_terrain_patch_rays(s->patch, 1, &ray, &hit);
            if (isfinite(hit.t)) {
                shade(s, &ray, &hit, radiance);
                depth = fmin(depth, hit.t * ty_dot(ray.direction, s->forward));
            }
        }
        for (int b = 0; b < s->bands; b++) {
            out->data[(size_t)b * plane + i] = (float)(radiance[b] / (RAYS * RAYS));
        }
        out->data[(size_t)s->bands * plane + i] = (float)depth;
    }
}

static const ty_k_hapke_params *preset(const char *name)
{
    int i = 0;
    while (strcmp(ty_k_hapke_presets[i].name, name)) {
        i++;
    }
    return &ty_k_hapke_presets[i].params;
}

static void set_light(scene *s, double elevation)
{
    static const char *const color[3] = { "moon_643", "moon_566", "moon_415" };
    for (int b = 0; b < s->bands; b++) {
        s->ground[b] = ty_k_hapke_make(*preset(s->bands == 1 ? "moon_604" : color[b]));
        s->irradiance[b] = 1361.0 * SHARE / s->bands;
    }
    double azimuth = 65.0 * TY_DEG; /* from ahead, to the right: long shadows towards the camera */
    s->sun = ty_vec3_make(cos(elevation) * sin(azimuth), cos(elevation) * cos(azimuth), sin(elevation));
    s->right = ty_vec3_make(1.0, 0.0, 0.0);
    s->forward = ty_vec3_make(0.0, cos(DIP), -sin(DIP));
    s->down = ty_vec3_make(0.0, -sin(DIP), -cos(DIP));
}

static ty_status make(double seed, double elevation, ty_exr *out, ty_diag *diag)
{
    ty_terrain_def def = ty_terrain_def_default();
    def.seed = (uint64_t)seed;
    def.extent = 100.0;
    def.rock.cover = 0.06;
    ty_terrain *terrain = NULL;
    ty_terrain_patch *patch = NULL;
    ty_status status = ty_terrain_create(&def, &terrain, diag);
    /* the camera stands near the southern edge and looks north, over 2 cm samples */
    int side = 8 * out->width < SIDE ? 8 * out->width : SIDE;
    status = status == TY_OK ? ty_terrain_patch_create(terrain, 1, -side / 2, -side / 16, side, side, 0, &patch, diag)
                             : status;
    status = status == TY_OK ? ty_terrain_patch_add_rocks(patch, 0.05, diag) : status;
    if (status == TY_OK) {
        scene s = { .patch = patch, .bands = out->channels - 1 };
        ty_terrain_ground g;
        double zero = 0.0;
        ty_terrain_patch_sample(patch, 1, &zero, &zero, &g);
        s.eye = ty_vec3_make(0.0, 0.0, g.z + EYE);
        set_light(&s, elevation);
        trace(&s, out);
    }
    ty_terrain_patch_destroy(patch);
    ty_terrain_destroy(terrain);
    return status;
}

int camera_scene(int argc, char **argv, const char *path)
{
    ty_diag diag = { 0 };
    double size = 480.0, seed = 1.0, sun = 14.0, bands = 1.0;
    ty_status status = camera_number(&argc, argv, "--size", 64.0, 4096.0, &size, &diag);
    status = status == TY_OK ? camera_number(&argc, argv, "--seed", 0.0, 1e9, &seed, &diag) : status;
    status = status == TY_OK ? camera_number(&argc, argv, "--sun", 0.1, 90.0, &sun, &diag) : status;
    status = status == TY_OK ? camera_number(&argc, argv, "--bands", 1.0, 3.0, &bands, &diag) : status;
    if (status == TY_OK && camera_no_more(argc, argv, 0) != APP_OK) {
        return APP_BAD;
    }
    ty_exr out = { (int)size, (int)(0.75 * size), bands > 2.0 ? 4 : 2, { "" }, NULL };
    for (int b = 0; b + 1 < out.channels; b++) {
        tyi_io_exr_band_name(out.channels - 1, b, out.name[b]);
    }
    strcpy(out.name[out.channels - 1], "Z");
    out.data = malloc((size_t)out.width * (size_t)out.height * (size_t)out.channels * sizeof(float));
    if (!out.data) {
        return app_bad("camera", "there is no memory for %d x %d pixels.", out.width, out.height);
    }
    status = status == TY_OK ? make(seed, sun * TY_DEG, &out, &diag) : status;
    status = status == TY_OK ? ty_exr_write(path, &out, &diag) : status;
    ty_exr_free(&out);
    return status == TY_OK ? APP_OK : app_bad("camera", "%s.", diag.text);
}
