/* Gravity is said once: rovers, soils and sensors of a run feel the same, and a plane slopes as it is told.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "support.h"
#include "tycho/math.h"
#include "tycho/terrain.h"

static small *standing(double gravity)
{
    small *s = small_make();
    s->scenario.terrain.relief.rms_slope_deg = 0.0;
    s->scenario.gravity = gravity;
    s->rover.driver.kind = TY_DRIVER_STAND;
    ty_sensor_def *imu = &s->sensor[s->rover.sensors++];
    *imu = ty_sensor_def_default(TY_SENSOR_IMU);
    snprintf(imu->name, sizeof imu->name, "imu");
    return s;
}

/* A rover at rest: its wheels carry m g, its IMU reads g upwards, and the soil below weighs with the same g: with the defaults'
 * linear sinkage law the wheels sink about as (W / k)^(2/3), so a heavier body sinks deeper by that. */
TY_TEST(gravity, one_number_for_all)
{
    static const double gravity[] = { TY_GRAVITY_MOON, TY_GRAVITY_MARS, TY_GRAVITY_EARTH };
    double sinkage[3];
    for (int k = 0; k < 3; k++) {
        small *s = standing(gravity[k]);
        small_create(s);
        small_steps(s, 4.0);
        ty_vehicle *rover = ty_run_rover(s->run, 0);
        ty_vehicle_state v;
        ty_vehicle_get(rover, &v);
        double sum = 0.0;
        for (int i = 0; i < v.wheels; i++) {
            sum += v.wheel[i].fz;
        }
        TY_NEAR_REL(sum, gravity[k] * ty_vehicle_mass(rover), 5e-3);
        const ty_message *m = ty_run_newest(s->run, 0);
        double up = ty_buffer_get(ty_message_find(m, "truth"), 0, 0, 5);
        TY_NEAR_REL(up, gravity[k], 5e-3);
        TY_FAR(up, k ? TY_GRAVITY_MOON : TY_GRAVITY_EARTH, 1.0); /* control */
        sinkage[k] = v.wheel[0].sinkage;
        small_free(s);
    }
    TY_NEAR_REL(sinkage[2] / sinkage[0], pow(TY_GRAVITY_EARTH / TY_GRAVITY_MOON, 2.0 / 3.0), 0.15);
}

/* heights of a plane against its equation; the Moon's curve takes 0.7 mm off at 50 m */
TY_TEST(gravity, a_plane_slopes_as_told)
{
    small *s = small_make();
    ty_terrain_def def = s->scenario.terrain;
    ty_diag diag = { 0 };
    ty_terrain *terrain;
    def.relief.rms_slope_deg = 0.0;
    def.slope_deg = 15.0, def.slope_azimuth_deg = 60.0;
    cr_assert(ty_terrain_create(&def, &terrain, &diag) == TY_OK, "%s", diag.text);
    for (int i = 0; i < 40; i++) {
        double x = -47.3 + 2.37 * i, y = 31.1 - 1.71 * i, rise = tan(15.0 * TY_DEG);
        double z;
        cr_assert(ty_terrain_sample(terrain, 0, 1, &x, &y, &z, NULL, &diag) == TY_OK);
        TY_NEAR(z, rise * (x * sin(60.0 * TY_DEG) + y * cos(60.0 * TY_DEG)), 1.5e-3);
    }
    ty_terrain_destroy(terrain);
    def.whole = true;
    TY_CHECK(ty_terrain_create(&def, &terrain, &diag) == TY_ERR_INPUT && strstr(diag.text, "slope_deg is 15"));
    small_free(s);
}
