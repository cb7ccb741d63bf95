/* tests/unit/sensor/test_lidar_scan.c - lidars in scenes: beam tables, ranges on planes and spheres,
 * divergence, threads.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "lidar_support.h"
#include "tyt_csv.h"

/* ---- beams ---- */

TY_TEST(lidar, beam_tables_are_the_published_ones)
{
    TY_NEED_SHARED(path, "vectors/lidar_beams.csv");
    static const struct {
        const char *name, *file;
        int lasers;
        double first, last, cycle;
    } model[] = {
        { "VLP-16", "vlp_16", 16, 0.0, 15 * 2.304e-6, 55.296e-6 },
        { "HDL-32E", "hdl_32e", 32, 0.0, 31 * 1.152e-6, 46.08e-6 },
        { "VLP-32C", "vlp_32c", 32, 0.0, 15 * 2.304e-6, 55.296e-6 },
    };
    char file[1024]; /* the next call of tyt_shared() changes path */
    snprintf(file, sizeof file, "%s", path);
    for (size_t m = 0; m < 3; m++) {
        ty_lidar_def def = quiet_model(model[m].file);
        ty_lidar *l = lidar_of(&def);
        ty_lidar_rays rays;
        TY_CHECK(ty_lidar_aim(l, &here, 0, &rays, NULL) == TY_OK);
        int found = 0;
        double worst = 0.0, worst_ray = 0.0;
        tyt_csv table;
        TY_CHECK(tyt_csv_open(&table, file));
        while (tyt_csv_next(&table)) {
            if (strcmp(tyt_csv_text(&table, "model"), model[m].name)) {
                continue;
            }
            int id = (int)tyt_csv_number(&table, "laser_id", -1.0);
            double e = tyt_csv_number(&table, "vert_rad", NAN), a = tyt_csv_number(&table, "rot_correction_rad", NAN);
            worst = fmax(worst, fmax(fabs(def.elevation[id] - e), fabs(def.azimuth[id] - a)));
            /* the ray that leaves in column 0: from the top, so by rank; the head turns until it fires */
            double turned = a + 2.0 * TY_PI * def.spin * def.fire[id], best = 1.0;
            for (int k = 0; k < def.lasers; k++) {
                ty_vec3 d = rays.ray[k].dir;
                double off = hypot(asin(d.z) - e, remainder(atan2(d.y, d.x) - turned, 2.0 * TY_PI));
                best = fmin(best, off);
            }
            worst_ray = fmax(worst_ray, best);
            found++;
        }
        printf("%s: %d lasers, angles to %.1g rad, rays to %.1g rad\n", model[m].name, found, worst, worst_ray);
        TY_CHECK(found == model[m].lasers && def.lasers == model[m].lasers);
        TY_NEAR(worst, 0.0, 1e-12);
        TY_NEAR(worst_ray, 0.0, 1e-12);
        TY_FAR(worst + 1e-6, 0.0, 1e-12); /* control */
        TY_NEAR(def.fire[def.lasers - 1], model[m].last, 1e-12);
        TY_NEAR(def.cycle, model[m].cycle, 1e-12);
        ty_lidar_destroy(l);
    }
    TY_ROW("VLP-16, HDL-32E, VLP-32C: beams within 1e-12 rad", "published tables", "worst %.0e rad",
           tyt_worst("worst_ray"));
}

/* ---- ranges ---- */

/* inside a large sphere, beside a tilted plane and a ball: everything in closed form */
TY_TEST(lidar, ranges_on_planes_and_spheres)
{
    ty_lidar_def def = quiet_model("hdl_32e");
    def.far = 1000.0, def.reach = 1e5;
    ty_lidar *l = lidar_of(&def);
    ty_scene *s = empty_scene();
    ty_material m = ty_material_lambert(0.5);
    /* tilted by its pose, which is double: its vertices in its own frame are exact in float */
    ty_quat tilt = ty_quat_axis(ty_normalize(ty_vec3_make(1.0, -2.0, 0.0)), 0.1);
    ty_vec3 n = ty_rotate(tilt, ty_vec3_make(0, 0, 1));
    uint32_t wall = add_wall(s, ty_vec3_make(0, 0, 0), ty_vec3_make(800, 0, 0), ty_vec3_make(0, 800, 0), m);
    ty_vec3 corner = ty_add(ty_scale(-2.0, n), ty_rotate(tilt, ty_vec3_make(-400, -400, 0)));
    TY_CHECK(ty_scene_move(s, wall, (ty_pose){ corner, tilt }, NULL) == TY_OK);
    ty_vec3 middle = ty_vec3_make(8.0, 3.0, 1.0);
    uint32_t ball = add_ball(s, middle, 3.0, m);
    const ty_buffer *p = scan(l, s, &here, 0);
    double worst[2] = { 0, 0 };
    int count[2] = { 0, 0 };
    for (int y = 0; y < p->type.height; y++) {
        for (int x = 0; x < p->type.width; x++) {
            const ty_cloud_point *q = ty_buffer_at(p, x, y, 0);
            if (isnan(q->x)) {
                continue;
            }
            ty_vec3 at = ty_vec3_make(q->x, q->y, q->z), d = ty_normalize(at);
            int which = (uint32_t)q->label == ball;
            double t = -2.0 / ty_dot(n, d), incidence = acos(fmin(fabs(ty_dot(n, d)), 1.0));
            if (which) {
                double k = ty_dot(middle, d), disc = k * k - ty_dot(middle, middle) + 9.0;
                t = k - sqrt(fmax(disc, 0.0));
                ty_vec3 out = ty_scale(1.0 / 3.0, ty_sub(ty_scale(t, d), middle));
                incidence = acos(fmin(-ty_dot(out, d), 1.0));
            }
            if (incidence < 80.0 * TY_DEG) {
                worst[which] = fmax(worst[which], fabs(q->range / t - 1.0));
                count[which]++;
            }
            TY_CHECK(fabs(ty_norm(at) - q->range) < 1e-9 * q->range);
        }
    }
    printf("lidar: plane %d points to %.2g, ball %d points to %.2g relative\n", count[0], worst[0], count[1], worst[1]);
    TY_CHECK(count[0] > 5000 && count[1] > 1000);
    TY_NEAR(worst[0], 0.0, 1e-6);
    TY_NEAR(worst[1], 0.0, 1e-6);
    TY_FAR(worst[0] + 1.1e-6, 0.0, 1e-6); /* control */
    ty_scene_destroy(s);
    ty_lidar_destroy(l);
    TY_ROW("range on planes and spheres within 1e-6 below 80 deg incidence", "closed form", "%.0e, %.0e", worst[0],
           worst[1]);
}

/* A mirror at 45 deg sends the beams along y onto a wall: they come back as from the wall's image behind the mirror, at x = 10 + 6,
 * and as bright as that, times the square of what the mirror sends on. Without a second bounce, and on a rough mirror, there is
 * no such echo. */
TY_TEST(lidar, ghosts_behind_a_mirror)
{
    double worst = 0.0, bright = 0.0, f0 = 0.9, share = f0 + (1.0 - f0) * pow(1.0 - cos(45.0 * TY_DEG), 5.0);
    for (int which = 0; which < 3; which++) { /* the third: rough */
        ty_lidar_def def = ty_lidar_def_default();
        def.columns = 21, def.rows = 11, def.hfov = 10.0 * TY_DEG, def.vfov = 6.0 * TY_DEG;
        def.noise = false, def.threads = 1, def.reach = 1000.0, def.mode = TY_LIDAR_LAST;
        def.bounces = which == 1 ? 1 : 2;
        ty_lidar *l = lidar_of(&def);
        ty_scene *s = empty_scene();
        ty_material glass = ty_material_lambert(f0), white = ty_material_lambert(0.5);
        glass.law = TY_LAW_PRINCIPLED, glass.metallic = 1.0, glass.roughness = which == 2 ? 0.3 : 0.05;
        ty_vec3 up = ty_vec3_make(0, 0, 8);
        uint32_t mirror = add_wall(s, ty_vec3_make(13, 3, -4), ty_vec3_make(-6, -6, 0), up, glass);
        uint32_t wall = add_wall(s, ty_vec3_make(16, 6, -4), ty_vec3_make(-16, 0, 0), up, white);
        const ty_buffer *p = scan(l, s, &here, 0);
        int ghosts = 0;
        for (int y = 0; y < p->type.height; y++) {
            for (int x = 0; x < p->type.width; x++) {
                const ty_cloud_point *q = ty_buffer_at(p, x, y, 0);
                if (isnan(q->x) || (uint32_t)q->label != wall) {
                    TY_CHECK(isnan(q->x) || (uint32_t)q->label == mirror);
                    continue;
                }
                ghosts++;
                worst = fmax(worst, fabs(q->x - 16.0)); /* the image of y = 6 in the plane x = 10 + y */
                double facing = q->x / q->range;        /* the image's normal is along x */
                bright = fmax(bright, fabs(q->intensity / (0.5 * facing * share * share) - 1.0));
            }
        }
        TY_CHECK(which == 0 ? ghosts == p->type.width * p->type.height : ghosts == 0);
        ty_scene_destroy(s);
        ty_lidar_destroy(l);
    }
    printf("lidar: image of a wall in a mirror to %.2g m, its brightness to %.2g\n", worst, bright);
    TY_NEAR(worst, 0.0, 5e-4);
    TY_NEAR(bright, 0.0, 2e-3);
    TY_FAR(bright, share - 1.0, 2e-3); /* control: the mirror is passed twice */
}

/* ---- divergence ---- */

/* share of a cut Gaussian beam (exp(-2 q^2), q < 1) at u < edge, by adding up */
static double gauss_share(double edge)
{
    double inside = 0.0, all = 0.0;
    for (int i = 0; i < 1000; i++) {
        for (int j = 0; j < 1000; j++) {
            double u = (i + 0.5) / 500.0 - 1.0, v = (j + 0.5) / 500.0 - 1.0, q = u * u + v * v;
            double w = q < 1.0 ? exp(-2.0 * q) : 0.0;
            all += w, inside += u < edge ? w : 0.0;
        }
    }
    return inside / all;
}

/* one beam along x; a wall at 10 m covers what is right of `edge` [m] (y below it), a wall at 14 m the rest. Returns of
 * the beam. */
static int edge_returns(double edge, int samples, ty_lidar_mode mode, double range[2], double intensity[2])
{
    ty_lidar_beam beam = { { 0, 0, 0 }, { 1, 0, 0 }, 0.0 };
    ty_lidar_def def = ty_lidar_def_default();
    def.pattern = TY_LIDAR_TABLE, def.beam = &beam, def.beams = 1;
    def.samples = samples, def.mode = mode, def.noise = false, def.threads = 1;
    def.divergence_h = def.divergence_v = 3e-3, def.reach = 1000.0;
    ty_lidar *l = lidar_of(&def);
    ty_scene *s = empty_scene();
    add_wall(s, ty_vec3_make(10, edge - 2.0, -2), ty_vec3_make(0, 0, 4), ty_vec3_make(0, 2, 0),
             ty_material_lambert(0.4));
    add_wall(s, ty_vec3_make(14, -2, -2), ty_vec3_make(0, 0, 4), ty_vec3_make(0, 4, 0), ty_material_lambert(0.8));
    const ty_buffer *p = scan(l, s, &here, 0);
    int n = 0;
    for (int y = 0; y < p->type.height; y++) {
        const ty_cloud_point *q = ty_buffer_at(p, 0, y, 0);
        if (!isnan(q->x)) {
            TY_CHECK(q->number == n);
            range[n] = q->range, intensity[n] = q->intensity;
            n++;
        }
    }
    ty_scene_destroy(s);
    ty_lidar_destroy(l);
    return n;
}

/* [csens] Figs. 6 and 7: the edge of a near wall inside the beam, left or right of its middle. */
TY_TEST(lidar, divergence_returns_both_surfaces)
{
    double r[2], i[2];
    for (int fig = 6; fig <= 7; fig++) {
        double edge = fig == 6 ? -0.01 : 0.01; /* [m]; the beam's radius there is 0.03 */
        double near = gauss_share(edge / 0.03);
        TY_CHECK(edge_returns(edge, 1, TY_LIDAR_DUAL, r, i) == 1); /* one ray sees one wall: control */
        TY_NEAR(r[0], fig == 6 ? 14.0 : 10.0, 1e-6);
        TY_CHECK(edge_returns(edge, 128, TY_LIDAR_DUAL, r, i) == 2);
        /* the far wall is twice as bright, but reflects (10/14)^2: strongest by share */
        bool near_wins = near * 0.4 / 100.0 > (1.0 - near) * 0.8 / 196.0;
        printf("Fig. %d: %.1f %% on the near wall; returns %.4f m (%.4f) and %.4f m (%.4f)\n", fig, 100.0 * near, r[0],
               i[0], r[1], i[1]);
        int n = near_wins ? 0 : 1;
        TY_NEAR(r[n], 10.0, 1e-4); /* slant within the beam: 10 m / cos(3 mrad) */
        TY_NEAR(r[1 - n], 14.0, 1e-4);
        TY_NEAR(i[n], 0.4 * near, 0.02 * 0.4); /* 128 points of the beam */
        TY_NEAR(i[1 - n], 0.8 * (1.0 - near), 0.02 * 0.8);
        TY_CHECK(edge_returns(edge, 128, TY_LIDAR_FIRST, r, i) == 1);
        TY_NEAR(r[0], 10.0, 1e-4);
        TY_CHECK(edge_returns(edge, 128, TY_LIDAR_LAST, r, i) == 1);
        TY_NEAR(r[0], 14.0, 1e-4);
        TY_CHECK(edge_returns(edge, 128, TY_LIDAR_STRONGEST, r, i) == 1);
        TY_NEAR(r[0], near_wins ? 10.0 : 14.0, 1e-4);
    }
    TY_ROW("divergence: both walls within 1e-4 m, intensities within 2 %; first, strongest, last, dual",
           "closed form, [csens] Fig. 6, 7", "worst %.0e m", tyt_worst("r[n]"));
}

/* ---- threads, and ground ---- */

TY_TEST(lidar, same_bits_on_any_threads_over_rocky_ground)
{
    ty_terrain_def ground = ty_terrain_def_default();
    ground.extent = 1000.0, ground.seed = 7, ground.rock.cover = 0.1, ground.cache_bytes = 64u << 20;
    ty_terrain *t = NULL;
    TY_CHECK(ty_terrain_create(&ground, &t, NULL) == TY_OK);
    ty_scene_def sd = ty_scene_def_default();
    sd.terrain = t, sd.ring_cells = 256, sd.far = 200.0, sd.threads = 1;
    ty_scene *s = NULL;
    TY_CHECK(ty_scene_create(&sd, &s, NULL) == TY_OK);
    double x = 0.0, y = 0.0, z = 0.0;
    TY_CHECK(ty_terrain_sample(t, 0, 1, &x, &y, &z, NULL, NULL) == TY_OK);
    ty_keyframe key[2] = { { 0, { { 0, 0, z + 1.5 }, ty_quat_identity() } },
                           { TY_SECOND, { { 1, 0, z + 1.5 }, ty_quat_axis(ty_vec3_make(0, 0, 1), 0.3) } } };
    ty_track track = { key, 2 };
    uint64_t hash[4];
    for (int k = 0; k < 4; k++) {
        ty_lidar_def def = quiet_model("vlp_16");
        def.noise = true;
        def.samples = 3;
        def.mode = TY_LIDAR_DUAL;
        def.threads = k % 2 ? 2 : 1;
        ty_lidar *l = lidar_of(&def);
        const ty_buffer *p = scan(l, s, &track, k < 2 ? 5 : 6);
        hash[k] = 1469598103934665603u;
        const uint64_t *word = (const uint64_t *)(const void *)p->data;
        for (size_t i = 0; i < ty_buffer_type_bytes(&p->type) / 8; i++) {
            hash[k] = (hash[k] ^ word[i]) * 1099511628211u;
        }
        if (k == 0) {
            size_t n = ty_cloud_count(p);
            printf("rocky ground: %zu of %d returns\n", n, p->type.width * p->type.height);
            TY_CHECK(n > 5000);
        }
        ty_lidar_destroy(l);
    }
    TY_CHECK(hash[0] == hash[1] && hash[2] == hash[3]);
    TY_CHECK(hash[0] != hash[2]); /* control: another frame, other noise */
    ty_scene_destroy(s);
    ty_terrain_destroy(t);
}
