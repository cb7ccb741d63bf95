/* Instruments that look: Sun sensor, star tracker, altimeter; closed forms and noise.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "normal.h"
#include "sensor/inertial/instruments.h"
#include "tyt.h"

#define MANY 100000
#define MADE(kind, def)                                                                       \
    __extension__({                                                                           \
        tyi_inertial_##kind made;                                                             \
        ty_diag diag = { 0 };                                                                 \
        cr_assert(tyi_inertial_##kind##_create(def, &made, &diag) == TY_OK, "%s", diag.text); \
        made;                                                                                 \
    })

static double data[3][MANY];
/* ---- Sun sensor ---- */

TY_TEST(sun_sensor, direction_field_and_shadow)
{
    tyi_inertial_sun_sensor_def def = tyi_inertial_sun_sensor_def_default();
    def.noise = 0.0;
    /* on the left side, looking left: z of S along y of B, x of S forward */
    def.mount.q = ty_quat_axis(ty_vec3_make(1, 0, 0), -90.0 * TY_DEG);
    tyi_inertial_sun_sensor s = MADE(sun_sensor, &def);
    ty_quat q = ty_quat_mul(ty_quat_axis(ty_vec3_make(0, 0, 1), 0.7), ty_quat_axis(ty_vec3_make(0, 1, 0), 0.1));
    for (double a = -80.0; a <= 80.0; a += 5.0) {
        ty_vec3 sun_B = ty_vec3_make(sin(a * TY_DEG), cos(a * TY_DEG) * cos(0.05), cos(a * TY_DEG) * sin(0.05));
        ty_sun_sample r;
        tyi_inertial_sun_sensor_read(&s, q, ty_rotate(q, sun_B), 1.0, &r);
        ty_vec3 back = ty_rotate(def.mount.q, r.dir_S);
        bool inside = acos(sun_B.y) <= 60.0 * TY_DEG;
        TY_CHECK((r.why == TY_SEES) == inside);
        if (inside) {
            TY_NEAR(ty_norm(ty_sub(back, sun_B)), 0.0, 1e-12);
        } else {
            TY_CHECK(r.why == TY_BLIND_FIELD);
        }
        tyi_inertial_sun_sensor_read(&s, q, ty_rotate(q, sun_B), 0.3, &r); /* mostly behind the skyline */
        TY_CHECK(r.why == (inside ? TY_BLIND_SHADOW : TY_BLIND_FIELD));
    }
    ty_sun_sample r;
    tyi_inertial_sun_sensor_read(&s, ty_quat_identity(), ty_vec3_make(0, -1, 0), 1.0, &r); /* behind it */
    TY_CHECK(r.why == TY_BLIND_FIELD);
    TY_CHECK(strstr(tyi_inertial_blind_text(r.why), "field") != NULL);
    TY_ROW("Sun sensor: direction within 1e-12, blind outside its field and in shadow", "closed form", "worst %.0e",
           tyt_worst("ty_norm(ty_sub(back, sun_B))"));
}

TY_TEST(sun_sensor, noise)
{
    tyi_inertial_sun_sensor_def def = tyi_inertial_sun_sensor_def_default();
    def.bias[1] = 0.02;
    tyi_inertial_sun_sensor s = MADE(sun_sensor, &def);
    for (int i = 0; i < MANY; i++) {
        ty_sun_sample r;
        tyi_inertial_sun_sensor_read(&s, ty_quat_identity(), ty_normalize(ty_vec3_make(0.3, 0, 1)), 1.0, &r);
        data[0][i] = r.angle[0];
        data[1][i] = r.angle[1];
    }
    TYT_NORMAL(data[0], MANY, atan(0.3), 0.5 / 3.0 * TY_DEG);
    TYT_NORMAL(data[1], MANY, 0.02, 0.5 / 3.0 * TY_DEG);
}

/* ---- star tracker ---- */

static ty_star_scene sky(void)
{
    return (ty_star_scene){ .q_RB = ty_quat_identity(), .up_R = { 0, 0, 1 }, .sun_R = { 1, 0, 0 }, .sun_is_up = true };
}

TY_TEST(star_tracker, noise_across_and_along)
{
    tyi_inertial_star_tracker_def def = tyi_inertial_star_tracker_def_default();
    def.mount.q = ty_quat_axis(ty_vec3_make(0, 1, 0), -20.0 * TY_DEG);
    tyi_inertial_star_tracker t = MADE(star_tracker, &def);
    ty_star_scene scene = sky();
    scene.q_RB = ty_quat_axis(ty_normalize(ty_vec3_make(1, 2, 3)), 0.1);
    const double arcsec = TY_DEG / 3600.0;
    for (int i = 0; i < MANY; i++) {
        ty_star_sample s;
        tyi_inertial_star_tracker_read(&t, &scene, &s);
        cr_assert(s.why == TY_SEES);
        /* the error as a turn in S */
        ty_quat e = ty_quat_mul(ty_quat_conj(ty_quat_mul(scene.q_RB, def.mount.q)), s.q_RS);
        data[0][i] = 2.0 * e.x;
        data[1][i] = 2.0 * e.y;
        data[2][i] = 2.0 * e.z;
        if (i == 0) {
            ty_quat back = ty_quat_mul(s.q_RB, def.mount.q);
            TY_NEAR(fabs(back.w * s.q_RS.w + back.x * s.q_RS.x + back.y * s.q_RS.y + back.z * s.q_RS.z), 1.0, 1e-14);
        }
    }
    TYT_NORMAL(data[0], MANY, 0.0, 30.0 * arcsec);
    TYT_NORMAL(data[1], MANY, 0.0, 30.0 * arcsec);
    TYT_NORMAL(data[2], MANY, 0.0, 200.0 * arcsec);
    TY_ROW("star tracker: 30 arcsec across, 200 along, normal", "chi-square within 3.5", "worst %.1f",
           tyt_worst("tyt_normal"));
}

TY_TEST(star_tracker, what_blinds_it)
{
    tyi_inertial_star_tracker_def def = tyi_inertial_star_tracker_def_default();
    tyi_inertial_star_tracker t = MADE(star_tracker, &def);
    ty_star_sample s;
    /* the Sun at 39 and 41 deg from its axis (the limit is 40), up and hidden */
    for (double a = 39.0; a <= 41.0; a += 2.0) {
        ty_star_scene scene = sky();
        scene.sun_R = ty_vec3_make(sin(a * TY_DEG), 0, cos(a * TY_DEG));
        tyi_inertial_star_tracker_read(&t, &scene, &s);
        TY_CHECK(s.why == (a < 40.0 ? TY_BLIND_SUN : TY_SEES));
        scene.sun_is_up = false;
        tyi_inertial_star_tracker_read(&t, &scene, &s);
        TY_CHECK(s.why == TY_SEES);
        scene.earth_R = ty_vec3_make(0, sin((a - 15.0) * TY_DEG), cos((a - 15.0) * TY_DEG)); /* limit 25 */
        tyi_inertial_star_tracker_read(&t, &scene, &s);
        TY_CHECK(s.why == (a < 40.0 ? TY_BLIND_EARTH : TY_SEES));
    }
    /* its axis at 19 and 21 deg above the ground (the limit is 20), then a hill of 3 deg */
    for (double el = 19.0; el <= 21.0; el += 2.0) {
        ty_star_scene scene = sky();
        scene.sun_is_up = false;
        scene.q_RB = ty_quat_axis(ty_vec3_make(0, 1, 0), (90.0 - el) * TY_DEG);
        tyi_inertial_star_tracker_read(&t, &scene, &s);
        TY_CHECK(s.why == (el < 20.0 ? TY_BLIND_GROUND : TY_SEES));
        scene.skyline = 3.0 * TY_DEG;
        tyi_inertial_star_tracker_read(&t, &scene, &s);
        TY_CHECK(s.why == TY_BLIND_GROUND);
    }
    ty_star_scene scene = sky();
    scene.omega_B = ty_vec3_make(0, 0, 0.31 * TY_DEG);
    tyi_inertial_star_tracker_read(&t, &scene, &s);
    TY_CHECK(s.why == TY_BLIND_SLEW);
    scene.omega_B.z = 0.29 * TY_DEG;
    tyi_inertial_star_tracker_read(&t, &scene, &s);
    TY_CHECK(s.why == TY_SEES);
    TY_ROW("star tracker is blind near the Sun, the Earth, the ground, and when turning",
           "its limits, a degree to both sides", "blind where it should be");
}

/* ---- altimeter ---- */

/* a lander that comes down tilted over a plane: the slant range of its beam is h/cos(tilt) */
TY_TEST(altimeter, slant_range_over_a_plane)
{
    tyi_inertial_altimeter_def def = tyi_inertial_altimeter_def_default();
    def.noise = def.noise_range = def.quantum = 0.0;
    def.mount.q = ty_quat_axis(ty_vec3_make(1, 0, 0), TY_PI); /* looks down */
    def.mount.p = ty_vec3_make(0.5, 0, -1.0);
    tyi_inertial_altimeter a = MADE(altimeter, &def);
    for (double h = 1.0; h < 1e4; h *= 1.7) {
        double tilt = 12.0 * TY_DEG;
        ty_pose pose = { ty_vec3_make(3, 4, h), ty_quat_axis(ty_vec3_make(0, 1, 0), tilt) };
        ty_vec3 from, dir;
        tyi_inertial_altimeter_beam(&a, pose, &from, &dir);
        TY_NEAR(ty_norm(dir), 1.0, 1e-14);
        double height = h - 1.0 * cos(tilt) - 0.5 * sin(tilt); /* of the beam's start */
        TY_NEAR(from.z, height, 1e-12 * h);
        double range = from.z / -dir.z;
        tyi_inertial_altimeter_sample s;
        tyi_inertial_altimeter_read(&a, range, &s);
        bool in = height / cos(tilt) >= 0.2 && height / cos(tilt) <= 5000.0;
        TY_CHECK((s.why == TY_SEES) == in);
        if (in) {
            TY_NEAR_REL(s.range, height / cos(tilt), 1e-12);
            TY_FAR_REL(s.range, h, 1e-3); /* control: the height itself */
        }
    }
    tyi_inertial_altimeter_sample s;
    tyi_inertial_altimeter_read(&a, (double)INFINITY, &s);
    TY_CHECK(s.why == TY_BLIND_RANGE);
    tyi_inertial_altimeter_read(&a, -1.0, &s);
    TY_CHECK(s.why == TY_BLIND_RANGE);
    TY_ROW("altimeter: slant range over a plane within 1e-12", "closed form, 1 m to 5 km", "worst %.0e",
           tyt_worst_rel("s.range"));
}

TY_TEST(altimeter, noise_grows_with_range)
{
    tyi_inertial_altimeter_def def = tyi_inertial_altimeter_def_default();
    def.quantum = 0.0;
    def.bias = 0.1;
    tyi_inertial_altimeter a = MADE(altimeter, &def);
    for (int k = 0; k < 2; k++) {
        double r = k ? 1000.0 : 10.0;
        for (int i = 0; i < MANY; i++) {
            tyi_inertial_altimeter_sample s;
            tyi_inertial_altimeter_read(&a, r, &s);
            data[k][i] = s.range;
        }
        TYT_NORMAL(data[k], MANY, r + 0.1, hypot(0.02, 1e-4 * r));
    }
}
