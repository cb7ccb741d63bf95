/* Dead reckoning against closed forms, and on a rover that slips.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sensor/inertial/instruments.h"
#include "tycho/vehicle.h"
#include "soil/inner.h"
#include "tyt.h"

static tyi_inertial_odometry_def four_wheels(void)
{
    tyi_inertial_odometry_def def = tyi_inertial_odometry_def_default();
    const double x[4] = { 0.7, 0.7, -0.7, -0.7 }, y[4] = { 0.5, -0.5, 0.5, -0.5 };
    def.wheels = 4;
    for (int i = 0; i < 4; i++) {
        def.wheel[i].x = x[i];
        def.wheel[i].y = y[i];
        def.wheel[i].radius = 0.25;
    }
    return def;
}

static tyi_inertial_odometry made(const tyi_inertial_odometry_def *def)
{
    tyi_inertial_odometry o;
    ty_diag diag = { 0 };
    cr_assert(tyi_inertial_odometry_create(def, &o, &diag) == TY_OK, "%s", diag.text);
    return o;
}

static double yaw_of(ty_quat q)
{
    return atan2(2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y * q.y + q.z * q.z));
}

/* wheels that roll as a body with a given twist moves: no slip */
static void roll(const tyi_inertial_odometry_def *def, double vx, double vy, double w, double dt, double *turn,
                 double *steer)
{
    for (int i = 0; i < def->wheels; i++) {
        double px = vx - w * def->wheel[i].y, py = vy + w * def->wheel[i].x;
        steer[i] = atan2(py, px);
        turn[i] = hypot(px, py) * dt / def->wheel[i].radius;
    }
}

TY_TEST(odometry, circles_crabs_and_turns)
{
    static const double twist[5][3] = {
        { 0.2, 0, 0 }, { 0.2, 0, 0.1 }, { 0.1, 0.15, 0 }, { 0.0, 0, 0.3 }, { 0.1, -0.05, -0.2 }
    };
    for (int k = 0; k < 5; k++) {
        tyi_inertial_odometry_def def = four_wheels();
        def.start.p = ty_vec3_make(5, 6, 7);
        def.start.q = ty_quat_axis(ty_vec3_make(0, 0, 1), 0.4);
        tyi_inertial_odometry o = made(&def);
        const double vx = twist[k][0], vy = twist[k][1], w = twist[k][2], dt = 0.1, T = 20.0;
        double turn[4], steer[4];
        roll(&def, vx, vy, w, dt, turn, steer);
        for (int i = 0; i < 200; i++) {
            tyi_inertial_odometry_step(&o, turn, steer, NULL);
        }
        /* closed form of the motion with a constant twist */
        double a = w * T, s = w != 0.0 ? sin(a) / w : T, c = w != 0.0 ? (1.0 - cos(a)) / w : 0.0;
        double bx = s * vx - c * vy, by = c * vx + s * vy;
        TY_NEAR(o.state.pose.p.x, 5 + cos(0.4) * bx - sin(0.4) * by, 1e-10);
        TY_NEAR(o.state.pose.p.y, 6 + sin(0.4) * bx + cos(0.4) * by, 1e-10);
        TY_NEAR(remainder(yaw_of(o.state.pose.q) - 0.4 - a, 2.0 * TY_PI), 0.0, 1e-10);
        TY_NEAR(o.state.residual, 0.0, 1e-12);
        TY_NEAR(o.state.distance, hypot(vx, vy) * T, 1e-9);
        if (k == 1) {
            TY_FAR(hypot(bx, by), 0.2 * T, 0.1); /* control: a circle is not a line */
        }
    }
}

/* skid steering without steered wheels: the turn is over-read or under-read as the wheels drag
 * across; with the across rows off it is the classical (right - left)/track */
TY_TEST(odometry, skid)
{
    tyi_inertial_odometry_def def = four_wheels();
    def.across = 0.0;
    tyi_inertial_odometry o = made(&def);
    const double turn[4] = { 0.8, 1.2, 0.8, 1.2 };
    tyi_inertial_odometry_step(&o, turn, NULL, NULL);
    TY_NEAR(yaw_of(o.state.pose.q), 0.25 * 0.4 / 1.0, 1e-12);
    def.across = 1.0;
    o = made(&def);
    tyi_inertial_odometry_step(&o, turn, NULL, NULL);
    TY_CHECK(yaw_of(o.state.pose.q) < 0.05); /* control: rows that cannot hold pull it down */
    TY_CHECK(o.state.residual > 0.01);       /* and are seen to disagree */
}

/* up a slope with the attitude from the IMU: the way is tilted */
TY_TEST(odometry, attitude_tilts_the_way)
{
    tyi_inertial_odometry_def def = four_wheels();
    ty_quat up = ty_quat_axis(ty_vec3_make(0, 1, 0), -15.0 * TY_DEG);
    def.start.q = up;
    tyi_inertial_odometry o = made(&def);
    const double turn[4] = { 1, 1, 1, 1 };
    for (int i = 0; i < 8; i++) {
        tyi_inertial_odometry_step(&o, turn, NULL, &up);
    }
    TY_NEAR(o.state.pose.p.x, 2.0 * cos(15.0 * TY_DEG), 1e-12);
    TY_NEAR(o.state.pose.p.z, 2.0 * sin(15.0 * TY_DEG), 1e-12);
}

TY_TEST(odometry, wrong_definitions)
{
    ty_diag diag = { 0 };
    tyi_inertial_odometry o;
    tyi_inertial_odometry_def def = tyi_inertial_odometry_def_default();
    TY_CHECK(tyi_inertial_odometry_create(&def, &o, &diag) == TY_ERR_RANGE); /* no wheels */
    def = four_wheels();
    def.wheel[2].radius = 0.0;
    diag = (ty_diag){ 0 };
    TY_CHECK(tyi_inertial_odometry_create(&def, &o, &diag) == TY_ERR_RANGE && strstr(diag.text, "wheel[2]"));
}

/* a plane that rises along x, over the sphere that heights refer to */
static ty_status rising(void *user, size_t n, const double *lat, const double *lon, double spacing, double *height,
                        ty_diag *diag)
{
    (void)spacing, (void)diag;
    for (size_t i = 0; i < n; i++) {
        double x = TY_MOON_RADIUS * lon[i], y = TY_MOON_RADIUS * lat[i];
        height[i] = *(double *)user * x + (x * x + y * y) / (2.0 * TY_MOON_RADIUS);
    }
    return TY_OK;
}

/* A rover on hard and on soft ground, encoders of 4096 counts: the believed way differs from the
 * true one by the slip, which the vehicle tells. On hard ground a wheel rolls on its lugs, in soil
 * its slip refers to tyi_soil_wheel_shear_radius(). */
static void drive(ty_soil_model_kind soil, double slope, double *believed, double *true_way, double *slip)
{
    ty_diag diag = { 0 };
    ty_terrain *terrain;
    ty_terrain_def ground = ty_terrain_def_default();
    ground.relief.rms_slope_deg = 0.0;
    ground.crater.on = ground.rock.on = false;
    ground.extent = 400.0;
    ground.base = (ty_terrain_base){ .sample = rising, .user = &slope, .spacing = 0.02 };
    cr_assert(ty_terrain_create(&ground, &terrain, &diag) == TY_OK, "%s", diag.text);
    char path[4096];
    const char *source = getenv("TYCHO_SOURCE");
    snprintf(path, sizeof path, "%s/models/rovers/viper.yaml", source ? source : ".");
    ty_vehicle_def def = ty_vehicle_def_default();
    def.rover = path;
    def.terrain = terrain;
    def.soil.model = soil;
    ty_vehicle *v;
    cr_assert(ty_vehicle_create(&def, &v, &diag) == TY_OK, "%s", diag.text);
    ty_wheel_info info[TY_WHEELS_MAX];
    tyi_inertial_odometry_def od = tyi_inertial_odometry_def_default();
    od.wheels = ty_vehicle_wheels(v, info);
    tyi_inertial_encoder encoder[TY_WHEELS_MAX];
    for (int i = 0; i < od.wheels; i++) {
        od.wheel[i].x = info[i].p_B.x;
        od.wheel[i].y = info[i].p_B.y;
        od.wheel[i].radius = soil == TY_SOIL_RIGID ? info[i].shape.r + info[i].shape.grouser_h
                                                   : tyi_soil_wheel_shear_radius(&def.soil.bekker, &info[i].shape);
        tyi_inertial_encoder_def e = tyi_inertial_encoder_def_default();
        cr_assert(tyi_inertial_encoder_create(&e, &encoder[i], &diag) == TY_OK);
    }
    ty_vehicle_state s;
    tyi_inertial_odometry o = made(&od);
    ty_vec3 start = { 0 };
    double sum = 0.0;
    int n = 0;
    ty_vehicle_command(v, &(ty_drive_command){ .v = 0.2 }, &diag);
    for (int i = 0; i <= 10000; i++) {
        cr_assert(ty_vehicle_step(v, 1e-3, &diag) == TY_OK && ty_vehicle_press_ruts(v, &diag) == TY_OK, "%s",
                  diag.text);
        if (i < 3000 || i % 50) {
            continue;
        }
        ty_vehicle_get(v, &s);
        double turn[TY_WHEELS_MAX], steer[TY_WHEELS_MAX];
        for (int k = 0; k < od.wheels; k++) {
            tyi_inertial_encoder_sample e;
            tyi_inertial_encoder_read(&encoder[k], s.wheel[k].angle, 0.05, &e);
            turn[k] = (double)e.delta * 2.0 * TY_PI / 4096.0;
            steer[k] = s.wheel[k].steer;
            sum += s.wheel[k].slip;
            n++;
        }
        if (i == 3000) {
            start = s.pose.p;
        }
        tyi_inertial_odometry_step(&o, turn, steer, NULL);
    }
    *believed = ty_norm(o.state.pose.p);
    *true_way = ty_norm(ty_sub(s.pose.p, start));
    *slip = sum / n;
    ty_vehicle_destroy(v);
    ty_terrain_destroy(terrain);
}

TY_TEST(odometry, a_rover_that_slips)
{
    double believed, way, slip;
    static const struct {
        const char *name;
        ty_soil_model_kind soil;
        double slope;
    } run[] = { { "hard and level", TY_SOIL_RIGID, 0.0 },
                { "soft and level", TY_SOIL_BEKKER, 0.0 },
                { "soft, 15 deg up", TY_SOIL_BEKKER, 0.268 } };
    for (int i = 0; i < 3; i++) {
        drive(run[i].soil, run[i].slope, &believed, &way, &slip);
        printf("%s: believed %.4f m, went %.4f m, slip %.4f\n", run[i].name, believed, way, slip);
        TY_NEAR_REL(believed * (1.0 - slip), way, 0.01);
    }
    TY_CHECK(slip > 0.05);
    TY_FAR_REL(believed, way, 0.05); /* control: odometry does not know of it */
    TY_ROW("odometry errs by the slip within 1 %", "the rover's own way on hard and soft ground, 15 deg up",
           "worst %.2f %%", 100.0 * tyt_worst_rel("believed * (1.0 - slip)"));
}
