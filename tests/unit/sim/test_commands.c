/* Commands over time for single motors: by the scenario, by a file, in the driver's table, for arms, drums and wheels.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <unistd.h>
#include "support.h"
#include "tycho/math.h"

static small *rassor(void)
{
    small *s = small_make();
    const char *root = getenv("TYCHO_SOURCE");
    snprintf(s->rover.model, sizeof s->rover.model, "%s/models/rovers/rassor.yaml", root ? root : ".");
    s->rover.driver.kind = TY_DRIVER_STAND;
    return s;
}

static void write_file(char *name, const char *text)
{
    snprintf(name, 64, "/tmp/tycho_commands_XXXXXX");
    int file = mkstemp(name);
    cr_assert(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
}

static ty_motor_view motor(small *s, const char *name)
{
    ty_vehicle *v = ty_run_rover(s->run, 0);
    int k = ty_vehicle_find_motor(v, name);
    cr_assert(k >= 0);
    return ty_vehicle_get_motor(v, k);
}

TY_TEST(commands, inline_for_arms_and_drums)
{
    small *s = rassor();
    ty_scenario_move move[] = { { 0.0, "arm_front", 30.0 * TY_DEG },
                                { 0.0, "drum_front", 2.0 },
                                { 0.5, "arm_rear_deg", -20.0 },
                                { 3.0, "arm_front_deg", 10.0 },
                                { 3.0, "drum_front", -1.0 } };
    s->rover.move = move, s->rover.moves = 5;
    small_create(s);
    small_steps(s, 2.9);
    double held = motor(s, "arm_front").angle;
    TY_NEAR(held, 30.0 * TY_DEG, 2.0 * TY_DEG); /* sags by its weight over kp */
    TY_NEAR(motor(s, "drum_front").omega, 2.0, 0.1);
    TY_NEAR(motor(s, "arm_rear").angle, -20.0 * TY_DEG, 2.0 * TY_DEG);
    TY_NEAR(motor(s, "drum_rear").omega, 0.0, 1e-3); /* control: told nothing */
    small_steps(s, 3.0);
    TY_NEAR(motor(s, "arm_front").angle, 10.0 * TY_DEG, 2.0 * TY_DEG);
    TY_NEAR(motor(s, "drum_front").omega, -1.0, 0.1);
    small_free(s);
}

/* the same by a file; empty fields leave a motor alone; with the driver's table the rover drives meanwhile */
TY_TEST(commands, files)
{
    char alone[64], with[64];
    write_file(alone, "t, arm_front_deg, drum_front\n0, 30, \n1, , 2\n");
    write_file(with, "t,v,omega_deg,arm_front_deg,front_left.speed\n0,0.1,0,30,\n2,0.1,0,,1.5\n");
    for (int k = 0; k < 2; k++) {
        small *s = rassor();
        if (k) {
            s->rover.driver.kind = TY_DRIVER_TABLE;
            snprintf(s->rover.driver.table, sizeof s->rover.driver.table, "%s", with);
        } else {
            snprintf(s->rover.commands, sizeof s->rover.commands, "%s", alone);
        }
        small_create(s);
        small_steps(s, 4.0);
        ty_vehicle_state v;
        ty_vehicle_get(ty_run_rover(s->run, 0), &v);
        TY_NEAR(motor(s, "arm_front").angle, 30.0 * TY_DEG, 2.0 * TY_DEG);
        if (k) {
            TY_NEAR(v.wheel[0].omega, 1.5, 0.05);
            TY_NEAR(v.wheel[1].omega, 0.1 / 0.2225, 0.05); /* the others by the driver, at the radius they shear at */
            TY_FAR(v.pose.p.x, 0.0, 0.2);
        } else {
            TY_NEAR(motor(s, "drum_front").omega, 2.0, 0.1);
            TY_NEAR(v.pose.p.x, 0.0, 0.1);
        }
        small_free(s);
    }
    unlink(alone);
    unlink(with);
}

static void refused(const char *text, bool drive, const char *sentence)
{
    char name[64];
    small *s = rassor();
    ty_diag diag = { 0 };
    write_file(name, text);
    s->rover.driver.kind = drive ? TY_DRIVER_TABLE : TY_DRIVER_STAND;
    snprintf(drive ? s->rover.driver.table : s->rover.commands, TY_PATH_MAX, "%s", name);
    TY_CHECK(ty_run_create(&s->def, &s->run, &diag) == TY_ERR_INPUT && !strncmp(diag.text, name, strlen(name)));
    cr_expect(strstr(diag.text, sentence), "got \"%s\", want \"%s\"", diag.text, sentence);
    unlink(name);
    small_free(s);
}

TY_TEST(commands, a_speed_beyond_its_wheels_is_refused)
{
    small *s = small_make();
    ty_diag diag = { 0 };
    s->rover.driver.v = 5.0;
    TY_CHECK(ty_run_create(&s->def, &s->run, &diag) == TY_ERR_RANGE);
    cr_expect(strstr(diag.text, "rover 'viper': its driver's v is 5 m/s, but ") &&
                  strstr(diag.text, "does 0.785 m/s at most"),
              "%s", diag.text);
    small_free(s);
}

TY_TEST(commands, unknown_motors_get_a_sentence_with_what_there_is)
{
    small *s = rassor();
    ty_diag diag = { 0 };
    ty_scenario_move move[] = { { 0.0, "arm_front", 0.0 }, { 0.0, "mast_pan", 0.0 } };
    s->rover.move = move, s->rover.moves = 2;
    TY_CHECK(ty_run_create(&s->def, &s->run, &diag) == TY_ERR_INPUT);
    const char *all = "it has arm_front, arm_rear, drum_front, drum_rear, front_left.speed, front_right.speed, "
                      "rear_left.speed, rear_right.speed (radians, or degrees with _deg behind the name)";
    cr_expect(strstr(diag.text, "rover 'viper', commands.at.1: 'mast_pan' is no motor of rover 'rassor'; ") &&
                  strstr(diag.text, all),
              "%s", diag.text);
    small_free(s);
    refused("t,arm\n0,1\n", false, ":1: column: 'arm' is no motor of rover 'rassor'; it has arm_front");
    refused("t,v,omega_deg,front_left.steer\n0,0,0,1\n", true, "'front_left.steer' is no motor");
    refused("t,arm_front,arm_front_deg\n0,1,1\n", false, "'arm_front_deg' is there twice");
    refused("t,v,omega_deg,arm_front\n0,0,0,up\n", true, ":2: arm_front is 'up', but takes a finite number");
    refused("t,v\n0,1\n", false, "'v' is no motor"); /* commands of single motors do not drive the whole */
}

/* VIPER's mast: the driver's table turns it, and what is mounted there looks where it points */
TY_TEST(commands, mast_pans_and_tilts)
{
    small *s = small_make();
    const char *root = getenv("TYCHO_SOURCE");
    char with[64];
    write_file(with, "t,v,omega_deg,mast_pan_deg,mast_tilt_deg\n0,0,0,0,0\n0.5,0,0,70,-10\n6,0,0,-30,40\n");
    snprintf(s->rover.model, sizeof s->rover.model, "%s/models/rovers/viper_mast.yaml", root ? root : ".");
    s->rover.driver.kind = TY_DRIVER_TABLE;
    snprintf(s->rover.driver.table, sizeof s->rover.driver.table, "%s", with);
    small_create(s);
    const ty_vehicle *v = ty_run_rover(s->run, 0);
    int navcam = ty_vehicle_find_mount(v, "navcam_left"), hazcam = ty_vehicle_find_mount(v, "hazcam_front");
    ty_vec3 still = ty_rotate(ty_vehicle_mount_pose(v, hazcam).q, ty_vec3_make(1, 0, 0));
    static const double when[] = { 5.9, 14.0 }, pan[] = { 70.0, -30.0 }, tilt[] = { -10.0, 40.0 };
    for (int k = 0; k < 2; k++) {
        ty_vehicle_state at;
        small_steps(s, when[k] - (k ? when[0] : 0.0));
        ty_vehicle_get(v, &at);
        TY_NEAR(motor(s, "mast_pan").angle, pan[k] * TY_DEG, 0.5 * TY_DEG);
        TY_NEAR(motor(s, "mast_tilt").angle, tilt[k] * TY_DEG, 0.5 * TY_DEG);
        ty_vec3 look =
            ty_rotate(ty_quat_mul(ty_quat_conj(at.pose.q), ty_vehicle_mount_pose(v, navcam).q), ty_vec3_make(1, 0, 0));
        TY_NEAR(atan2(look.y, look.x), pan[k] * TY_DEG, 0.5 * TY_DEG);
        TY_NEAR(-asin(look.z), (tilt[k] + 15.0) * TY_DEG, 0.5 * TY_DEG); /* the mount looks 15 deg down by itself */
    }
    ty_vec3 now = ty_rotate(ty_vehicle_mount_pose(v, hazcam).q, ty_vec3_make(1, 0, 0));
    TY_NEAR(ty_norm(ty_sub(now, still)), 0.0, 0.02); /* control: what is not on the mast stays */
    small_free(s);
    unlink(with);
}
