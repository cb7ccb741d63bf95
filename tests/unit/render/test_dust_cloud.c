/* tests/unit/render/test_dust_cloud.c - a cloud of dust as a medium: layers of it against closed forms.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "dust/cloud.h"
#include "k_medium.h"
#include "render_support.h"
#include "tycho/trace.h"

#define DENSITY 0.2 /* [1/m] shadow per volume of the layer, ... */
#define HIGH    1.0 /* [m] its thickness */
#define LOW     0.5 /* [m] of its lower side */

/* a layer of even density, 20 x 20 m wide, of points on a lattice as wide as the voxels */
static tyi_dust_cloud *layer(double density, ty_dust_params *p, const ty_vec3 *sun)
{
    enum { N = 200, M = 10 };
    static tyi_dust_point point[N * N * M];
    tyi_dust_cloud *c;
    size_t n = 0;
    p->voxel = 0.1;
    for (int i = 0; i < N * N * M; i++) {
        double x = (i % N + 0.5) * 0.1 - 10.0, y = (i / N % N + 0.5) * 0.1 - 10.0,
               z = LOW + (i / (N * N) + 0.5) * HIGH / M;
        point[n++] = (tyi_dust_point){
            (float)(x - 1.0), (float)(y - 2.0), (float)(z - 3.0), (float)(density * 0.1 * 0.1 * HIGH / M), { 0 }, 0
        };
    }
    cr_assert(tyi_dust_cloud_create(p, 1, &c, NULL) == TY_OK);
    cr_assert(tyi_dust_cloud_fill(c, ty_vec3_make(1, 2, 3), point, n, sun, NULL) == TY_OK);
    return c;
}

static ty_scene *floor_scene(void)
{
    ty_scene *s = bare_scene();
    add_rectangle(s, ty_vec3_make(-50, -50, 0), ty_vec3_make(100, 0, 0), ty_vec3_make(0, 100, 0),
                  ty_material_lambert(0.4));
    return s;
}

TY_TEST(dust_cloud, beer_lambert)
{
    enum { N = 200 };
    static ty_trace_ray ray[N];
    static ty_trace_hit hit[N];
    ty_dust_params p = tyi_dust_params_default();
    tyi_dust_cloud *c = layer(DENSITY, &p, NULL);
    ty_scene *s = floor_scene();
    ty_medium m;
    cr_assert(tyi_dust_cloud_medium(c, &m));
    ty_scene_set_medium(s, &m);
    for (int i = 0; i < N; i++) {
        double a = 0.1 * i, e = -0.3 - 0.006 * i;
        ray[i] = (ty_trace_ray){ { 0, 0, 2.0 }, { cos(e) * cos(a), cos(e) * sin(a), sin(e) }, 30.0, 0.0 };
    }
    cr_assert(ty_scene_trace(s, ty_vec3_make(0, 0, 1), ray, N, 0, 1, hit, NULL) == TY_OK);
    double worst = 0.0;
    for (int i = 0; i < N; i++) {
        /* narrow beams lose what is diffracted as well: twice the shadow */
        double tau = 2.0 * DENSITY * HIGH / -ray[i].dir.z;
        worst = fmax(worst, fabs(exp(-(double)hit[i].tau) / exp(-tau) - 1.0));
        TY_NEAR_REL(exp(-(double)hit[i].tau), exp(-tau), 0.01);
        TY_FAR_REL(exp(-(double)hit[i].tau), exp(-0.5 * tau), 0.01); /* control: without it */
    }
    TY_ROW("Light through a layer of dust, 1 %", "Beer-Lambert, 200 slant ways", "%.2f %%", 100.0 * worst);
    tyi_dust_cloud_destroy(c);
    ty_scene_destroy(s);
}

/* the layer over a floor under the Sun: plane-parallel single scattering, as in test_medium.c */
TY_TEST(dust_cloud, single_scattering)
{
    ty_dust_params p = tyi_dust_params_default();
    double worst = 0.0;
    for (int i = 0; i < 8; i++) { /* by samples along rays to the Sun, and by its table */
        double elevation = i / 2 % 2 ? 60.0 : 30.0, look = i % 2 ? -90.0 : -50.0;
        ty_vec3 sun = { 0.0, cos(elevation * TY_DEG), sin(elevation * TY_DEG) };
        tyi_dust_cloud *c = layer(DENSITY, &p, i / 4 ? &sun : NULL);
        ty_scene *s = floor_scene();
        add_sun(s, 0.0, elevation, 0.0, 1000.0);
        ty_camera eye = camera_at(ty_vec3_make(0, 0, 3), 0.0, look, 0.2, 4, 4);
        ty_render_def d = ty_render_def_default();
        shot image = shot_make(4, 4, 1);
        ty_medium m;
        cr_assert(tyi_dust_cloud_medium(c, &m));
        ty_scene_set_medium(s, &m);
        shot_take(s, &eye, &d, &image);
        double mu0 = sin(elevation * TY_DEG), mu = -sin(look * TY_DEG), both = DENSITY * HIGH * (1.0 / mu0 + 1.0 / mu);
        double turn = cos((elevation - look) * TY_DEG), want[2];
        double phase = ty_k_medium_phase(p.lobe, -p.lobe, 0.5 * (1.0 - p.lobe_share), turn);
        want[1] = 0.4 / TY_PI * 1000.0 * mu0 * exp(-both); /* the control: what it scatters is left out */
        want[0] = want[1] + p.albedo * phase * 1000.0 * mu0 / (mu0 + mu) * (1.0 - exp(-both));
        worst = fmax(worst, fabs((double)image.out.radiance[0] / want[0] - 1.0));
        TY_NEAR_REL((double)image.out.radiance[0], want[0], 0.01);
        TY_FAR_REL((double)image.out.radiance[0], want[1], 0.01);
        shot_free(&image);
        ty_scene_destroy(s);
        tyi_dust_cloud_destroy(c);
    }
    TY_ROW("A layer of dust over a floor under the Sun, 1 %", "plane-parallel single scattering, 4 geometries",
           "%.2f %%", 100.0 * worst);
}

/* the cloud without the narrow lobe, which a sum over few directions cannot hold */
static int no_lobe(const ty_trace_ray *r, int bands, int most, ty_medium_part *out, void *user)
{
    const ty_medium *m = user;
    int n = m->parts(r, bands, most, out, m->user);
    for (int i = 0; i < n; i++) {
        out[i].ahead = 0.0f;
    }
    return n;
}

/* White furnace: the same light from everywhere, grains that absorb nothing: the layer cannot be told from what is behind it.
 * What it takes out of a ray it must give back, as far as light is scattered once. */
TY_TEST(dust_cloud, white_furnace)
{
    enum { N = 300 };
    ty_dust_params p = tyi_dust_params_default();
    double back[2];
    for (int k = 0; k < 2; k++) {
        p.albedo = k ? 0.95 : 1.0;
        tyi_dust_cloud *c = layer(0.002, &p, NULL);
        ty_medium m, bare = { no_lobe, &m, NULL, NULL };
        cr_assert(tyi_dust_cloud_medium(c, &m));
        back[k] = 0.0;
        for (int i = 0; i < N; i++) {
            ty_scene *s = bare_scene();
            double z = 1.0 - 2.0 * (i + 0.5) / N;
            add_sun(s, 137.507764 * i, asin(z) / TY_DEG, 0.0, 4.0 * TY_PI / N);
            ty_scene_set_medium(s, &bare);
            ty_camera eye = camera_at(ty_vec3_make(0, 0, 0), 0.0, 60.0, 0.2, 2, 2);
            ty_render_def d = ty_render_def_default();
            shot image = shot_make(2, 2, 1);
            shot_take(s, &eye, &d, &image);
            back[k] += (double)image.out.radiance[0];
            shot_free(&image);
            ty_scene_destroy(s);
        }
        tyi_dust_cloud_destroy(c);
    }
    double taken = -expm1(-0.002 / sin(60.0 * TY_DEG));
    TY_NEAR_REL(back[0], taken, 0.01);
    TY_FAR_REL(back[1], taken, 0.01);
    TY_ROW("White furnace: light a thin layer of dust gives back over what it takes, 1 %", "energy", "%.2f %%",
           100.0 * fabs(back[0] / taken - 1.0));
}

/* A wheel 5 m over the ground throws dust for a fiftieth of a second. In frames taken from the side the middle of the cloud, by brightness, follows a
 * parabola as long as nothing has landed. Fitted over time it gives the gravity, as trails in Apollo's film did. */
#define FRAMES 20
#define ROWS   96
#define WIDE   64

/* [px] middle row of an image by brightness */
static double middle_row(const float *image)
{
    double sum = 0.0, rows = 0.0;
    for (int i = 0; i < ROWS * WIDE; i++) {
        sum += (double)image[i], rows += (double)image[i] * (i / WIDE + 0.5);
    }
    return rows / sum;
}

/* -2 c of a + b u + c u^2 through n points by least squares */
static double curvature(const double *u, const double *z, int n)
{
    double S[5] = { 0 }, r[3] = { 0 };
    for (int i = 0; i < n; i++) {
        for (int q = 0; q < 5; q++) {
            S[q] += pow(u[i], q);
        }
        r[0] += z[i], r[1] += u[i] * z[i], r[2] += u[i] * u[i] * z[i];
    }
    double det =
        S[0] * (S[2] * S[4] - S[3] * S[3]) - S[1] * (S[1] * S[4] - S[3] * S[2]) + S[2] * (S[1] * S[3] - S[2] * S[2]);
    double c =
        S[0] * (S[2] * r[2] - r[1] * S[3]) - S[1] * (S[1] * r[2] - r[1] * S[2]) + r[0] * (S[1] * S[3] - S[2] * S[2]);
    return -2.0 * c / det;
}

static double fitted(double g)
{
    enum { PARCELS = 100000 };
    ty_terrain_def ground = ty_terrain_def_default();
    ty_terrain *terrain;
    tyi_dust *dust;
    tyi_dust_cloud *cloud;
    ty_diag diag = { 0 };
    ground.extent = 64.0, ground.relief.rms_slope_deg = 0.0, ground.crater.on = ground.rock.on = false;
    cr_assert(ty_terrain_create(&ground, &terrain, &diag) == TY_OK, "%s", diag.text);
    tyi_dust_def def = {
        .params = tyi_dust_params_default(), .gravity = g, .terrain = terrain, .seed = 3, .wheels = 1, .threads = 1
    };
    def.params.parcels = PARCELS, def.params.voxel = 0.1;
    cr_assert(tyi_dust_create(&def, &dust, &diag) == TY_OK, "%s", diag.text);
    cr_assert(tyi_dust_cloud_create(&def.params, 1, &cloud, &diag) == TY_OK);
    tyi_dust_wheel w = { .p_W = { 0, 0, 5.41 },
                         .forward = { 1, 0, 0 },
                         .normal = { 0, 0, 1 },
                         .omega = 2.8 / 0.41,
                         .r = 0.41,
                         .b = 0.22,
                         .fender = { 90.0 * TY_DEG, 0.05, 0.04 } };
    tyi_dust_point *point = malloc(PARCELS * sizeof *point);
    ty_scene *s = bare_scene();
    add_sun(s, 90.0, 20.0, 0.0, 1361.0);
    ty_camera eye = camera_at(ty_vec3_make(-2.0, -60.0, 5.0), 0.0, 0.0, 10.0, WIDE, ROWS);
    ty_render_def d = ty_render_def_default();
    shot image = shot_make(WIDE, ROWS, 1);
    double u[FRAMES], z[FRAMES];
    for (int k = 0; k < FRAMES; k++) {
        double t = 0.02 + 0.06 * k;
        ty_medium m;
        w.contact = k == 0;
        cr_assert(tyi_dust_step(dust, k ? t - 0.06 : 0.0, t, &w, NULL, &diag) == TY_OK, "%s", diag.text);
        size_t n = tyi_dust_points(dust, t, eye.pose.p, point);
        cr_assert(tyi_dust_cloud_fill(cloud, eye.pose.p, point, n, NULL, &diag) == TY_OK &&
                  tyi_dust_cloud_medium(cloud, &m));
        ty_scene_set_medium(s, &m);
        shot_take(s, &eye, &d, &image);
        u[k] = t;
        z[k] = (0.5 * ROWS - middle_row(image.out.radiance)) * 60.0 * tan(5.0 * TY_DEG) / (0.5 * WIDE);
    }
    shot_free(&image), free(point);
    tyi_dust_cloud_destroy(cloud), tyi_dust_destroy(dust), ty_terrain_destroy(terrain), ty_scene_destroy(s);
    return curvature(u, z, FRAMES);
}

TY_TEST(dust_cloud, gravity_from_frames)
{
    double moon = fitted(1.62), mars = fitted(3.71);
    printf("gravity fitted to the middle of a cloud in %d frames: %.4f of 1.62, %.4f of 3.71 m/s^2\n", FRAMES, moon,
           mars);
    TY_NEAR_REL(moon, 1.62, 0.02);
    TY_FAR_REL(mars, 1.62, 0.02);
    TY_ROW("Gravity fitted to thrown dust in rendered frames, 1.62 m/s^2 within 2 %",
           "what flew; Apollo 16's film gave 1.48 and about 1.6 [hsu2012]", "%.3f m/s^2", moon);
}
