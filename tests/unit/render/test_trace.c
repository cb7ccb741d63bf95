/* tests/unit/render/test_trace.c - rays of any sensor: hits against planes, spheres and moving
 * things in closed form, the terrain's own rays, reflectance at zero phase, threads, memory.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "k_hapke.h"
#include "k_philox.h"
#include "render_support.h"
#include "tycho/trace.h"
#include "render/inner.h"

static double uniform(uint32_t i, uint32_t k)
{
    return ty_k_uniform(ty_k_philox(i, k, 0, 0, 5, TY_RNG_TEST).v[0]);
}

static ty_vec3 any_direction(uint32_t i)
{
    double z = 2.0 * uniform(i, 0) - 1.0, a = 2.0 * TY_PI * uniform(i, 1), r = sqrt(1.0 - z * z);
    return ty_vec3_make(r * cos(a), r * sin(a), z);
}

/* a plane far larger than its distance, tilted, 1000 km from the origin; a sphere */
TY_TEST(render_trace, planes_and_spheres_to_1e_6)
{
    ty_scene *s = bare_scene();
    ty_vec3 at = ty_vec3_make(1e6, -2e5, 3e3), n = ty_normalize(ty_vec3_make(0.2, -0.3, 1.0)),
            a = ty_normalize(ty_cross(n, ty_vec3_make(0, 1, 0))), b = ty_cross(n, a);
    ty_vec3 corner = ty_sub(at, ty_add(ty_scale(3.0, n), ty_scale(1000.0, ty_add(a, b))));
    uint32_t wall = add_rectangle(s, corner, ty_scale(2000.0, a), ty_scale(2000.0, b), ty_material_lambert(0.5));
    ty_vec3 centre = ty_add(at, ty_vec3_make(20.0, 5.0, 30.0));
    uint32_t ball = add_sphere(s, centre, 7.0, ty_material_lambert(0.5));
    enum { N = 20000 };
    static ty_trace_ray ray[N];
    static ty_trace_hit hit[N];
    for (uint32_t i = 0; i < N; i++) {
        ty_vec3 aim =
            i % 2 ? any_direction(i) : ty_normalize(ty_add(ty_sub(centre, at), ty_scale(7.0, any_direction(i))));
        ray[i] = (ty_trace_ray){ at, aim, 1e4, 0.0 };
    }
    TY_CHECK(ty_scene_trace(s, at, ray, N, 0, 1, hit, NULL) == TY_OK);
    double worst[2] = { 0.0, 0.0 };
    int count[2] = { 0, 0 }, wrong = 0;
    /* the rectangle as the scene has it: its vertices are float in its own frame */
    ty_vec3 fa = ty_vec3_make((float)(2000.0 * a.x), (float)(2000.0 * a.y), (float)(2000.0 * a.z)),
            fb = ty_vec3_make((float)(2000.0 * b.x), (float)(2000.0 * b.y), (float)(2000.0 * b.z));
    ty_vec3 fn = ty_normalize(ty_cross(fa, fb));
    for (uint32_t i = 0; i < N; i++) {
        ty_vec3 d = ray[i].dir, c = ty_sub(at, centre);
        double m = ty_dot(c, d), q = m * m - ty_dot(c, c) + 49.0;
        double t_ball = q > 0.0 && m < 0.0 ? -m - sqrt(q) : (double)INFINITY;
        double t_wall = ty_dot(fn, ty_sub(corner, at)) / ty_dot(fn, d);
        ty_vec3 p = ty_sub(ty_add(at, ty_scale(t_wall, d)), corner);
        double u = ty_dot(p, a), v = ty_dot(p, b);
        t_wall = t_wall > 0.0 && u > 0.0 && v > 0.0 && u < 2000.0 && v < 2000.0 ? t_wall : (double)INFINITY;
        int which = t_ball < t_wall;
        double want = fmin(t_ball, t_wall);
        if (!isfinite(want)) {
            wrong += isfinite(hit[i].range) && q < -1e-3;
            continue;
        }
        ty_vec3 normal = which ? ty_normalize(ty_add(c, ty_scale(want, d))) : fn;
        if (-ty_dot(normal, d) < cos(80.0 * TY_DEG)) {
            continue;
        }
        wrong += hit[i].instance != (which ? ball : wall) || ty_dot(hit[i].normal, normal) < 1.0 - 1e-12;
        worst[which] = fmax(worst[which], fabs(hit[i].range / want - 1.0));
        count[which]++;
    }
    printf("planes: %d, worst %.2g; spheres: %d, worst %.2g relative\n", count[0], worst[0], count[1], worst[1]);
    TY_CHECK(count[0] > 3000 && count[1] > 3000);
    TY_CHECK(wrong == 0);
    TY_NEAR(worst[0], 0.0, 1e-6);
    TY_NEAR(worst[1], 0.0, 1e-6);
    TY_FAR(worst[0] + 2e-6, 0.0, 1e-6); /* control: 20 micrometres at 10 m */
    ty_scene_destroy(s);
}

/* A box that turns by 2 rad and moves by 3 m within the window: every hit on the plane of a face of
 * the box at the ray's own time. */
TY_TEST(render_trace, moving_object_at_the_rays_own_time)
{
    ty_scene *s = bare_scene();
    uint32_t id;
    const float v[24] = { -1, -1, -1, 1, -1, -1, 1, 1, -1, -1, 1, -1, -1, -1, 1, 1, -1, 1, 1, 1, 1, -1, 1, 1 };
    const uint32_t t[36] = { 0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                             1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7 };
    ty_object_def def = { .vertex = v,
                          .triangle = t,
                          .vertices = 8,
                          .triangles = 12,
                          .material = ty_material_lambert(0.5),
                          .kind = TY_CLASS_OBJECT,
                          .pose = { { 0, 0, 0 }, ty_quat_identity() } };
    TY_CHECK(ty_scene_add(s, &def, &id, NULL) == TY_OK);
    ty_vec3 axis = ty_normalize(ty_vec3_make(1, 2, -1));
    ty_pose from = { { 9.0, -1.0, 0.5 }, ty_quat_axis(axis, 0.3) },
            to = { { 10.0, 1.5, -0.8 }, ty_quat_axis(axis, 2.3) };
    TY_CHECK(ty_scene_move_between(s, id, from, to, NULL) == TY_OK);
    enum { N = 8192 };
    static ty_trace_ray ray[N];
    static ty_trace_hit hit[N];
    for (uint32_t i = 0; i < N; i++) {
        ray[i] = (ty_trace_ray){ { 0, 0, 0 },
                                 ty_normalize(ty_vec3_make(9.5, 6.0 * uniform(i, 2) - 3.0, 5.0 * uniform(i, 3) - 2.5)),
                                 100.0,
                                 uniform(i, 4) };
    }
    TY_CHECK(ty_scene_trace(s, from.p, ray, N, 0, 1, hit, NULL) == TY_OK);
    int hits = 0, wrong = 0;
    double worst = 0.0, frozen = 0.0;
    for (uint32_t i = 0; i < N; i++) {
        double u = ray[i].time;
        ty_pose pose = { ty_add(from.p, ty_scale(u, ty_sub(to.p, from.p))), ty_quat_axis(axis, 0.3 + 2.0 * u) };
        /* slabs of the box in its own frame, and of one that stands still */
        for (int still = 0; still < 2; still++) {
            ty_pose back = ty_pose_inverse(still ? from : pose);
            ty_vec3 o = ty_pose_point(back, ray[i].from), d = ty_rotate(back.q, ray[i].dir);
            double near = -(double)INFINITY, far = (double)INFINITY, oc[3] = { o.x, o.y, o.z },
                   dc[3] = { d.x, d.y, d.z };
            for (int k = 0; k < 3; k++) {
                double a = (-1.0 - oc[k]) / dc[k], b = (1.0 - oc[k]) / dc[k];
                near = fmax(near, fmin(a, b)), far = fmin(far, fmax(a, b));
            }
            bool on = near < far && near > 0.0;
            double error = on && isfinite(hit[i].range) ? fabs(hit[i].range - near) : 0.0;
            if (still) {
                frozen = fmax(frozen, error);
            } else {
                /* within 0.1 mm of an edge single precision may decide otherwise */
                wrong += on != isfinite(hit[i].range) && fabs(far - near) > 1e-4;
                hits += on;
                worst = fmax(worst, error < 1e-3 || fabs(far - near) > 1e-4 ? error : 0.0);
            }
        }
    }
    printf("moving box: %d hits, worst %.2g m (%.2g m if it stood still)\n", hits, worst, frozen);
    TY_CHECK(hits > 1500 && wrong == 0);
    TY_NEAR(worst, 0.0, 1e-6);
    TY_FAR(frozen, 0.0, 0.1); /* control */
    /* moved again without an end it stands still */
    TY_CHECK(ty_scene_move(s, id, from, NULL) == TY_OK);
    TY_CHECK(ty_scene_trace(s, from.p, ray, N, 0, 1, hit, NULL) == TY_OK);
    ty_pose back = ty_pose_inverse(from);
    double off = 0.0;
    for (uint32_t i = 0; i < N; i++) {
        if (isfinite(hit[i].range)) {
            ty_vec3 p = ty_pose_point(back, ty_add(ray[i].from, ty_scale(hit[i].range, ray[i].dir)));
            off = fmax(off, fabs(fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))) - 1.0));
        }
    }
    TY_NEAR(off, 0.0, 1e-6);
    ty_scene_destroy(s);
}

/* Camera rays: a disk that crosses the image while the shutter is open leaves a streak as long as
 * its way, of even brightness. */
TY_TEST(render_trace, moving_object_blurs_in_a_camera)
{
    ty_scene *s = bare_scene();
    ty_material m = ty_material_lambert(1.0);
    uint32_t id =
        add_rectangle(s, ty_vec3_make(-0.25, 10.0, -0.25), ty_vec3_make(0.5, 0, 0), ty_vec3_make(0, 0, 0.5), m);
    ty_pose a = { { -2.25, 10.0, -0.25 }, ty_quat_identity() }, b = { { 1.75, 10.0, -0.25 }, ty_quat_identity() };
    TY_CHECK(ty_scene_move_between(s, id, a, b, NULL) == TY_OK);
    add_sun(s, 180.0, 0.0, 0.0, TY_PI);
    ty_camera c = camera_at(ty_vec3_make(0, 0, 0), 0.0, 0.0, 40.0, 200, 20);
    shot image = shot_make(200, 20, 1);
    ty_render_def d = ty_render_def_default();
    d.samples = 256, d.threads = 1;
    shot_take(s, &c, &d, &image);
    /* the middle sees the square for 0.5 m of 4 m: an eighth of the time, cos = 1 there */
    TY_NEAR((double)image.out.radiance[10 * 200 + 100], 0.125, 0.02);
    TY_FAR((double)image.out.radiance[10 * 200 + 100], 1.0, 0.5); /* control: standing in the middle */
    double sum = 0.0, pixel = 2.0 * tan(20.0 * TY_DEG) * 10.0 / 200.0;
    for (int x = 0; x < 200; x++) {
        sum += (double)image.out.radiance[10 * 200 + x] * pixel;
    }
    TY_NEAR_REL(sum, 0.5, 0.02); /* as much light as the square gives standing, [m] */
    shot_free(&image);
    ty_scene_destroy(s);
}

/* Ground and rocks as the terrain's own double-precision rays have them, within the finest ring. */
TY_TEST(render_trace, ground_against_the_terrains_own_rays)
{
    ty_terrain *t = small_terrain(true);
    ty_scene *s = ground_scene(t, 0.02);
    ty_terrain_patch *patch = NULL;
    TY_CHECK(ty_terrain_patch_create(t, 0, -160, -160, 320, 320, 1, &patch, NULL) == TY_OK);
    TY_CHECK(ty_terrain_patch_add_rocks(patch, 0.01, NULL) == TY_OK);
    ty_vec3 eye = above(t, 0.0, 0.0, 1.0);
    enum { N = 4096 };
    static ty_trace_ray ray[N];
    static ty_trace_hit hit[N], again[N];
    static ty_ray own[N];
    static ty_terrain_hit want[N];
    for (uint32_t i = 0; i < N; i++) {
        double a = 2.0 * TY_PI * uniform(i, 6), e = -(50.0 + 35.0 * uniform(i, 7)) * TY_DEG;
        ray[i] = (ty_trace_ray){ eye, { cos(e) * cos(a), cos(e) * sin(a), sin(e) }, 100.0, 0.0 };
        own[i] = (ty_ray){ .origin = eye, .direction = ray[i].dir, .t_max = 100.0 };
    }
    TY_CHECK(ty_scene_trace(s, eye, ray, N, 0, 1, hit, NULL) == TY_OK);
    ty_terrain_patch_rays(patch, N, own, want);
    int ground = 0, other = 0;
    double worst = 0.0;
    for (int i = 0; i < N; i++) {
        if (hit[i].kind == TY_CLASS_GROUND && want[i].rock == 0 && isfinite(want[i].t)) {
            worst = fmax(worst, fabs(hit[i].range / want[i].t - 1.0));
            ground++;
        } else {
            other += (hit[i].kind == TY_CLASS_ROCK) != (want[i].rock != 0);
        }
    }
    printf("ground: %d rays, worst %.2g relative; %d of another kind\n", ground, worst, other);
    TY_CHECK(ground > N / 2 && other < N / 200);
    TY_NEAR(worst, 0.0, 2e-6);
    /* the same bits on two threads, and nothing allocated by the second call: see the next case */
    TY_CHECK(ty_scene_trace(s, eye, ray, N, 0, 2, again, NULL) == TY_OK);
    TY_CHECK(!memcmp(hit, again, sizeof hit));
    ray[0].dir = ray[1].dir;
    TY_CHECK(ty_scene_trace(s, eye, ray, N, 0, 2, again, NULL) == TY_OK);
    TY_CHECK(memcmp(hit, again, sizeof hit)); /* control */
    /* the bare ray tracer meets as many, and says so in bits */
    ty_render_bench base[2];
    size_t hits = 0;
    for (int i = 0; i < N; i++) {
        hits += isfinite(again[i].range) != 0;
    }
    TY_CHECK(tyi_render_trace_measure(s, eye, ray, N, 1, &base[0], NULL) == TY_OK &&
             tyi_render_trace_measure(s, eye, ray, N, 2, &base[1], NULL) == TY_OK);
    TY_CHECK(base[0].rays == N && base[0].hits == hits && base[0].hash == base[1].hash && base[0].seconds > 0.0);
    ty_diag diag = { 0 };
    TY_CHECK(ty_scene_trace(s, eye, ray, N, 1, 1, again, &diag) == TY_ERR_RANGE);
    TY_CHECK(strstr(diag.text, "band 1"));
    ty_terrain_patch_destroy(patch);
    ty_scene_destroy(s);
    ty_terrain_destroy(t);
}

static size_t gets;
static void *count_get(size_t bytes, void *user)
{
    (void)user;
    gets++;
    return malloc(bytes);
}
static void count_put(void *memory, size_t bytes, void *user)
{
    (void)bytes, (void)user;
    free(memory);
}

/* r = BRDF cos(i) at zero phase: Lambert in closed form, Hapke by its kernel in double */
TY_TEST(render_trace, reflectance_at_zero_phase)
{
    ty_alloc alloc = { count_get, count_put, NULL };
    ty_scene_def def = ty_scene_def_default();
    def.alloc = &alloc;
    ty_scene *s = NULL;
    TY_CHECK(ty_scene_create(&def, &s, NULL) == TY_OK);
    ty_material moon;
    TY_CHECK(ty_material_preset("moon_visual", &moon));
    add_rectangle(s, ty_vec3_make(-500, -500, 0), ty_vec3_make(500, 0, 0), ty_vec3_make(0, 1000, 0), moon);
    add_rectangle(s, ty_vec3_make(0, -500, 0), ty_vec3_make(500, 0, 0), ty_vec3_make(0, 1000, 0),
                  ty_material_lambert(0.3));
    ty_trace_ray ray[160];
    ty_trace_hit hit[160];
    for (int i = 0; i < 160; i++) {
        double a = (i % 80) * TY_DEG * (i < 80 ? -1.0 : 1.0) + (i < 80 ? -1e-4 : 1e-4);
        ray[i] = (ty_trace_ray){ { 0, 0, 10 }, { sin(a), 0, -cos(a) }, 1e3, 0.0 };
    }
    TY_CHECK(ty_scene_trace(s, ray[0].from, ray, 160, 0, 1, hit, NULL) == TY_OK);
    ty_k_hapke h = ty_k_hapke_make((ty_k_hapke_params){ moon.albedo[0], moon.b, moon.c, moon.bs0, moon.hs, moon.bc0,
                                                        moon.hc, moon.theta, moon.phi, 0 });
    double worst[2] = { 0, 0 }, peak = 0.0;
    for (int i = 0; i < 160; i++) {
        double mu = -ray[i].dir.z;
        ty_k_angles a = ty_k_angles_from(acos(mu), acos(mu), 0.0), off = ty_k_angles_from(acos(mu), acos(mu), 0.5);
        double want = i < 80 ? mu * ty_k_hapke_brdf(h, a) : mu * 0.3 / TY_PI;
        worst[i >= 80] = fmax(worst[i >= 80], fabs((double)hit[i].reflectance / want - 1.0));
        peak = fmax(peak, i < 80 ? 1.0 - ty_k_hapke_brdf(h, off) / ty_k_hapke_brdf(h, a) : 0.0);
    }
    printf("zero phase: Hapke %.2g, Lambert %.2g relative\n", worst[0], worst[1]);
    TY_NEAR(worst[0], 0.0, 1e-4); /* single precision */
    TY_NEAR(worst[1], 0.0, 1e-5);
    TY_FAR(peak, 0.0, 0.05); /* control: away from opposition it would show */
    size_t before = gets;
    TY_CHECK(ty_scene_trace(s, ray[0].from, ray, 160, 0, 1, hit, NULL) == TY_OK);
    TY_CHECK(gets == before);
    ty_scene_destroy(s);
}
