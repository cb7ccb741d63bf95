/* src/sensor/inertial/celestial.c - instruments that look: Sun sensor, star tracker, altimeter.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "core/core.h"
#include "imu.h"
#include "instrument.h"
#include "k_imu.h"
#include "k_philox.h"

static const char *const texts[] = {
#define TEXT(id, text) text,
    TY_BLIND_LIST(TEXT)
#undef TEXT
};

const char *tyi_inertial_blind_text(tyi_inertial_blind why)
{
    return (unsigned)why < TY_BLIND_COUNT ? texts[why] : "?";
}

/* ---- Sun sensor ---- */

tyi_inertial_sun_sensor_def tyi_inertial_sun_sensor_def_default(void)
{
    /* [nanossoc]: +-60 deg, 0.5 deg (3 sigma) */
    return (tyi_inertial_sun_sensor_def){ .field = 60.0 * TY_DEG,
                                          .noise = 0.5 / 3.0 * TY_DEG,
                                          .least = 0.5,
                                          .mount.q = ty_quat_identity(),
                                          .seed = 1,
                                          .cookie = TYI_COOKIE };
}

#define NUMBER(field, unit, low, high)                                                    \
    {                                                                                     \
#field, unit, offsetof(tyi_inertial_sun_sensor_def, field), TYI_DOUBLE, low, high \
    }
static const tyi_limit sun_limits[] = {
    NUMBER(field, "rad", 0.001, 89.0 * TY_DEG),
    NUMBER(noise, "rad", 0.0, 1.0),
    NUMBER(bias[0], "rad", -1.0, 1.0),
    NUMBER(bias[1], "rad", -1.0, 1.0),
    NUMBER(quantum, "rad", 0.0, 1.0),
    NUMBER(least, "", 0.0, 1.0),
    { 0 },
};
#undef NUMBER
const tyi_rules tyi_inertial_sun_sensor_rules = { "sun sensor", sun_limits, NULL };

ty_status tyi_inertial_sun_sensor_create(const tyi_inertial_sun_sensor_def *def, tyi_inertial_sun_sensor *out,
                                         ty_diag *diag)
{
    memset(out, 0, sizeof *out);
    out->def = *def;
    return tyi_inertial_instrument_check(&tyi_inertial_sun_sensor_rules, def, def->cookie, diag);
}

void tyi_inertial_sun_sensor_read(tyi_inertial_sun_sensor *s, ty_quat q_WB, ty_vec3 sun_W, double lit,
                                  ty_sun_sample *out)
{
    const tyi_inertial_sun_sensor_def *def = &s->def;
    double n[6];
    tyi_inertial_normal6(def->seed, TY_RNG_SUN_SENSOR, def->sensor, s->state.sample++, n);
    memset(out, 0, sizeof *out);
    ty_vec3 sun_S = ty_rotate(ty_quat_conj(ty_quat_mul(q_WB, def->mount.q)), sun_W);
    if (!(sun_S.z >= cos(def->field))) {
        out->why = TY_BLIND_FIELD;
        return;
    }
    if (!(lit > 0.0 && lit >= def->least)) {
        out->why = TY_BLIND_SHADOW;
        return;
    }
    const double truth[2] = { atan2(sun_S.x, sun_S.z), atan2(sun_S.y, sun_S.z) };
    for (int i = 0; i < 2; i++) {
        out->angle[i] = ty_k_quantise(truth[i] + def->bias[i] + def->noise * n[i], def->quantum);
    }
    out->dir_S = ty_normalize(ty_vec3_make(tan(out->angle[0]), tan(out->angle[1]), 1.0));
}

/* ---- star tracker ---- */

#define ARCSEC (TY_DEG / 3600.0)

tyi_inertial_star_tracker_def tyi_inertial_star_tracker_def_default(void)
{
    /* noise: [st200]; angles and slew rate: chosen, as is usual for small trackers with a baffle */
    return (tyi_inertial_star_tracker_def){ .noise_cross = 30.0 * ARCSEC,
                                            .noise_roll = 200.0 * ARCSEC,
                                            .sun = 40.0 * TY_DEG,
                                            .ground = 20.0 * TY_DEG,
                                            .earth = 25.0 * TY_DEG,
                                            .slew = 0.3 * TY_DEG,
                                            .mount.q = ty_quat_identity(),
                                            .seed = 1,
                                            .cookie = TYI_COOKIE };
}

#define NUMBER(field, unit, low, high)                                                      \
    {                                                                                       \
#field, unit, offsetof(tyi_inertial_star_tracker_def, field), TYI_DOUBLE, low, high \
    }
static const tyi_limit star_limits[] = {
    NUMBER(noise_cross, "rad", 0.0, 0.1), NUMBER(noise_roll, "rad", 0.0, 0.1),
    NUMBER(bias[0], "rad", -0.1, 0.1),    NUMBER(bias[1], "rad", -0.1, 0.1),
    NUMBER(bias[2], "rad", -0.1, 0.1),    NUMBER(sun, "rad", 0.0, TY_PI),
    NUMBER(ground, "rad", 0.0, TY_PI),    NUMBER(earth, "rad", 0.0, TY_PI),
    NUMBER(slew, "rad/s", 0.0, 100.0),    { 0 },
};
#undef NUMBER
const tyi_rules tyi_inertial_star_tracker_rules = { "star tracker", star_limits, NULL };

ty_status tyi_inertial_star_tracker_create(const tyi_inertial_star_tracker_def *def, tyi_inertial_star_tracker *out,
                                           ty_diag *diag)
{
    memset(out, 0, sizeof *out);
    out->def = *def;
    return tyi_inertial_instrument_check(&tyi_inertial_star_tracker_rules, def, def->cookie, diag);
}

static double angle_between(ty_vec3 a, ty_vec3 b) /* [rad] of any two, also near 0 and pi */
{
    return atan2(ty_norm(ty_cross(a, b)), ty_dot(a, b));
}

static tyi_inertial_blind blind(const tyi_inertial_star_tracker_def *def, const ty_star_scene *scene, ty_vec3 axis_R)
{
    if (ty_norm(scene->omega_B) > def->slew) {
        return TY_BLIND_SLEW;
    }
    if (scene->sun_is_up && angle_between(axis_R, scene->sun_R) < def->sun) {
        return TY_BLIND_SUN;
    }
    if (TY_PI / 2.0 - angle_between(axis_R, scene->up_R) < scene->skyline + def->ground) {
        return TY_BLIND_GROUND;
    }
    if (ty_norm(scene->earth_R) > 0.0 && angle_between(axis_R, scene->earth_R) < def->earth) {
        return TY_BLIND_EARTH;
    }
    return TY_SEES;
}

void tyi_inertial_star_tracker_read(tyi_inertial_star_tracker *t, const ty_star_scene *scene, ty_star_sample *out)
{
    const tyi_inertial_star_tracker_def *def = &t->def;
    double n[6];
    tyi_inertial_normal6(def->seed, TY_RNG_STAR_TRACKER, def->sensor, t->state.sample++, n);
    memset(out, 0, sizeof *out);
    ty_quat q_RS = ty_quat_mul(scene->q_RB, def->mount.q);
    out->why = blind(def, scene, ty_rotate(q_RS, ty_vec3_make(0.0, 0.0, 1.0)));
    if (out->why != TY_SEES) {
        return;
    }
    /* a small turn in S: what the stars are off by */
    ty_vec3 e = ty_vec3_make(def->bias[0] + def->noise_cross * n[0], def->bias[1] + def->noise_cross * n[1],
                             def->bias[2] + def->noise_roll * n[2]);
    double angle = ty_norm(e);
    ty_quat turn = angle > 0.0 ? ty_quat_axis(ty_scale(1.0 / angle, e), angle) : ty_quat_identity();
    out->q_RS = ty_quat_mul(q_RS, turn);
    out->q_RB = ty_quat_mul(out->q_RS, ty_quat_conj(def->mount.q));
}

/* ---- altimeter ---- */

tyi_inertial_altimeter_def tyi_inertial_altimeter_def_default(void)
{
    return (tyi_inertial_altimeter_def){ .least = 0.2,
                                         .most = 5000.0,
                                         .noise = 0.02,
                                         .noise_range = 1e-4,
                                         .quantum = 0.01,
                                         .mount.q = ty_quat_identity(),
                                         .seed = 1,
                                         .cookie = TYI_COOKIE };
}

#define NUMBER(field, unit, low, high)                                                   \
    {                                                                                    \
#field, unit, offsetof(tyi_inertial_altimeter_def, field), TYI_DOUBLE, low, high \
    }
static const tyi_limit altimeter_limits[] = {
    NUMBER(least, "m", 0.0, 1e7),
    NUMBER(most, "m", 1e-3, 1e9),
    NUMBER(noise, "m", 0.0, 1e5),
    NUMBER(noise_range, "", 0.0, 1.0),
    NUMBER(bias, "m", -1e5, 1e5),
    NUMBER(quantum, "m", 0.0, 1e5),
    { 0 },
};
#undef NUMBER
static const tyi_order altimeter_orders[] = {
    { offsetof(tyi_inertial_altimeter_def, least), offsetof(tyi_inertial_altimeter_def, most) }, { 0, 0 }
};
const tyi_rules tyi_inertial_altimeter_rules = { "altimeter", altimeter_limits, altimeter_orders };

ty_status tyi_inertial_altimeter_create(const tyi_inertial_altimeter_def *def, tyi_inertial_altimeter *out,
                                        ty_diag *diag)
{
    memset(out, 0, sizeof *out);
    out->def = *def;
    return tyi_inertial_instrument_check(&tyi_inertial_altimeter_rules, def, def->cookie, diag);
}

void tyi_inertial_altimeter_beam(const tyi_inertial_altimeter *a, ty_pose B_in_W, ty_vec3 *from_W, ty_vec3 *dir_W)
{
    ty_pose S_in_W = ty_pose_mul(B_in_W, a->def.mount);
    *from_W = S_in_W.p;
    *dir_W = ty_rotate(S_in_W.q, ty_vec3_make(0.0, 0.0, 1.0));
}

void tyi_inertial_altimeter_read(tyi_inertial_altimeter *a, double truth, tyi_inertial_altimeter_sample *out)
{
    const tyi_inertial_altimeter_def *def = &a->def;
    double n[6];
    tyi_inertial_normal6(def->seed, TY_RNG_ALTIMETER, def->sensor, a->state.sample++, n);
    *out = (tyi_inertial_altimeter_sample){ .why = TY_BLIND_RANGE };
    if (!(truth >= def->least && truth <= def->most)) {
        return;
    }
    double sigma = hypot(def->noise, def->noise_range * truth);
    out->why = TY_SEES;
    out->range = ty_k_quantise(truth + def->bias + sigma * n[0], def->quantum);
}
