/* tests/unit/vehicle/test_motors.c - arms and drums: they go where they are told, and hold what gravity asks.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <unistd.h>
#include "ground.h"
#include "tyt.h"

TY_TEST(motors, arm_holds_its_drum)
{
    tyt_ground g;
    ty_diag diag = { 0 };
    tyt_ground_flat(&g);
    ty_vehicle_def def = tyt_vehicle_def(&g, "rassor", TY_SOIL_BEKKER);
    ty_vehicle *v = tyt_vehicle(&def);
    int arm = ty_vehicle_find_motor(v, "arm_front"), rear = ty_vehicle_find_motor(v, "arm_rear"),
        drum = ty_vehicle_find_motor(v, "drum_front");
    ty_motor_info info[TY_MOTORS_MAX];
    TY_CHECK(ty_vehicle_motors(v, info) == 4 && arm >= 0 && rear >= 0 && drum >= 0);
    TY_CHECK(info[drum].speed && !info[arm].speed);
    TY_CHECK(ty_vehicle_command_motor(v, arm, 0.8, &diag) == TY_OK);
    TY_CHECK(ty_vehicle_command_motor(v, rear, 9.0, &diag) == TY_OK); /* beyond its range: goes to its end */
    TY_CHECK(ty_vehicle_command_motor(v, drum, 2.0, &diag) == TY_OK);
    tyt_run(v, 9.0);
    ty_motor_view a = ty_vehicle_get_motor(v, arm), d = ty_vehicle_get_motor(v, drum),
                  r = ty_vehicle_get_motor(v, rear);
    /* arm of 3 kg and 0.6 m, drum of 7.5 kg at its end */
    double moment = (3.0 * 0.3 + 7.5 * 0.6) * 1.62 * cos(a.angle);
    printf("arm at %.4f rad holds %.3f N m, gravity asks %.3f; drum turns at %.3f rad/s\n", a.angle, a.torque, moment,
           d.omega);
    TY_NEAR(a.torque, moment, 0.01 * moment);
    TY_FAR(a.torque, (3.0 * 0.3 + 7.5 * 0.6) * 1.62, 0.01 * moment); /* control: a level arm */
    TY_NEAR(a.angle, 0.8 - moment / 2000.0, 1e-3);
    TY_NEAR(d.omega, 2.0 * 20.0 / 20.2, 0.01); /* against the joint's damping of 0.2 N m s */
    TY_NEAR(r.angle, 1.6, 0.01);
    /* both arms up: the drum is where the angle says, above the pivot */
    ty_pose b = ty_vehicle_body_pose(v, ty_vehicle_find_body(v, "body"), NULL, NULL);
    ty_pose at = ty_vehicle_body_pose(v, ty_vehicle_find_body(v, "drum_front"), NULL, NULL);
    ty_vec3 p = ty_rotate(ty_quat_conj(b.q), ty_sub(at.p, b.p));
    TY_NEAR(p.x, 0.20 + 0.60 * cos(a.angle), 1e-6);
    TY_NEAR(p.z, 0.10 + 0.60 * sin(a.angle), 1e-6);
    /* what is wrong gets a sentence */
    TY_CHECK(ty_vehicle_command_motor(v, arm, (double)NAN, &diag) == TY_ERR_INPUT && strstr(diag.text, "arm_front"));
    TY_CHECK(ty_vehicle_command_motor(v, 7, 0.0, NULL) == TY_ERR_INPUT && ty_vehicle_find_motor(v, "spade") == -1);
    ty_vehicle_destroy(v);
    tyt_ground_free(&g);
    TY_ROW("an arm holds its drum within 1 %", "statics", "%.2f %%", 100.0 * fabs(a.torque / moment - 1.0));
}

/* A rover of 150 kg whose wheels have the inertia, gains and line with which motors once gave 140 times their power. */
static void write_light(const char *folder)
{
    static const char *const side[] = { "fl", "fr", "rl", "rr" };
    char path[200];
    snprintf(path, sizeof path, "%s/light.xml", folder);
    FILE *f = fopen(path, "w");
    cr_assert(f);
    fprintf(f, "<mujoco model=\"light\"><worldbody><body name=\"base\"><freejoint/>"
               "<inertial pos=\"0 0 0.2\" mass=\"130\" diaginertia=\"15 20 30\"/>\n");
    for (int i = 0; i < 4; i++) {
        fprintf(f,
                "<body name=\"wheel_%s\" pos=\"%g %g 0\"><joint name=\"spin_%s\" type=\"hinge\" axis=\"0 1 0\"/>"
                "<inertial pos=\"0 0 0\" mass=\"5\" diaginertia=\"0.04 0.06 0.04\"/></body>\n",
                side[i], i < 2 ? 0.6 : -0.6, i % 2 ? -0.5 : 0.5, side[i]);
    }
    fprintf(f, "</body></worldbody></mujoco>\n");
    fclose(f);
    snprintf(path, sizeof path, "%s/light.yaml", folder);
    f = fopen(path, "w");
    cr_assert(f);
    fprintf(f, "version: 1\nname: light\nmodel: light.xml\nbody: base\nwheels:\n");
    for (int i = 0; i < 4; i++) {
        fprintf(f, "  - {name: %s, body: wheel_%s, joint: spin_%s, radius: 0.25, width: 0.2}\n", side[i], side[i],
                side[i]);
    }
    fprintf(f, "drive: {stall_torque: 300, no_load_speed: 6, acceleration: 100, kp: 100, ki: 300}\n");
    fclose(f);
}

/* Largest power [W] of a wheel, largest torque past the line [-] of the stall torque, and all work [J]: it starts, turns back, is told
 * more than its motors can, and stops. */
static void light(const char *folder, double dt, double *power, double *beyond, double *energy)
{
    tyt_ground g;
    ty_diag diag = { 0 };
    char path[200];
    tyt_ground_flat(&g);
    snprintf(path, sizeof path, "%s/light.yaml", folder);
    ty_vehicle_def def = tyt_vehicle_def(&g, "viper", TY_SOIL_BEKKER);
    def.rover = path;
    ty_vehicle *v = tyt_vehicle(&def);
    ty_vehicle_state s;
    ty_wheel_info wheel[TY_WHEELS_MAX];
    ty_vehicle_wheels(v, wheel);
    *power = *beyond = 0.0;
    for (int k = 0, n = (int)lround(6.0 / dt); k < n; k++) {
        double t = k * dt, told = t < 1.0 ? 0.0 : t < 2.5 ? 0.6 : t < 3.5 ? -0.3 : t < 4.5 ? 3.0 : 0.0;
        ty_vehicle_command(v, &(ty_drive_command){ .v = told }, &diag);
        cr_assert(ty_vehicle_step(v, dt, &diag) == TY_OK, "%s", diag.text);
        cr_assert(ty_vehicle_press_ruts(v, &diag) == TY_OK, "%s", diag.text);
        ty_vehicle_get(v, &s);
        for (int i = 0; i < s.wheels; i++) {
            double torque = s.wheel[i].torque, omega = s.wheel[i].omega;
            double most = torque * omega > 0.0
                              ? wheel[i].stall_torque * fmax(0.0, 1.0 - fabs(omega) / wheel[i].no_load_speed)
                              : wheel[i].stall_torque;
            *power = fmax(*power, s.wheel[i].power);
            *beyond = fmax(*beyond, (fabs(torque) - most) / wheel[i].stall_torque);
        }
    }
    *energy = s.work_motor;
    ty_vehicle_destroy(v);
    tyt_ground_free(&g);
}

TY_TEST(motors, light_wheels_keep_to_their_line)
{
    double power[2], beyond[2], energy[2], most = 300.0 * 6.0 / 4.0;
    char folder[] = "/tmp/tycho-light-XXXXXX", path[200];
    cr_assert(mkdtemp(folder));
    write_light(folder);
    for (int k = 0; k < 2; k++) {
        light(folder, k ? 2e-4 : 1e-3, &power[k], &beyond[k], &energy[k]);
    }
    for (int k = 0; k < 2; k++) {
        snprintf(path, sizeof path, "%s/light.%s", folder, k ? "xml" : "yaml");
        unlink(path);
    }
    rmdir(folder);
    printf("1 ms: %.1f W, %.4f of the stall torque past the line, %.1f J; 0.2 ms: %.1f W, %.4f, %.1f J\n", power[0],
           beyond[0], energy[0], power[1], beyond[1], energy[1]);
    TY_CHECK(power[0] <= 1.01 * most && beyond[0] < 0.05);
    TY_NEAR_REL(energy[0], energy[1], 0.05);
    TY_ROW("motors of light wheels (0.06 kg m2, kp 100, 1 ms) keep to their line", "stall no_load / 4 = 450 W",
           "%.0f W; %.1f %% of the stall torque past the line; %.0f J against %.0f J at 0.2 ms", power[0],
           100.0 * beyond[0], energy[0], energy[1]);
}

TY_TEST(motors, saved_and_restored)
{
    tyt_ground g;
    ty_diag diag = { 0 };
    tyt_ground_flat(&g);
    ty_vehicle_def def = tyt_vehicle_def(&g, "rassor", TY_SOIL_BEKKER);
    ty_vehicle *v = tyt_vehicle(&def);
    ty_vehicle_command_motor(v, 0, 0.5, &diag);
    ty_vehicle_command_motor(v, 2, -1.0, &diag);
    tyt_run(v, 1.0); /* on the way */
    size_t bytes = ty_vehicle_save_size(v);
    void *saved = malloc(bytes);
    ty_vehicle_save(v, saved);
    tyt_run(v, 1.0);
    ty_motor_view first = ty_vehicle_get_motor(v, 0);
    ty_vehicle_command_motor(v, 0, 0.0, &diag);
    tyt_run(v, 0.5);
    TY_CHECK(ty_vehicle_get_motor(v, 0).angle != first.angle);
    TY_CHECK(ty_vehicle_restore(v, saved, bytes, &diag) == TY_OK);
    tyt_run(v, 1.0);
    ty_motor_view again = ty_vehicle_get_motor(v, 0);
    TY_CHECK(!memcmp(&first, &again, sizeof first));
    free(saved);
    ty_vehicle_destroy(v);
    tyt_ground_free(&g);
}

/* The rocker-bogie of pragyan shares the weight evenly once its wheels roll; at rest the brakes lock in what the bogies
 * did while they settled. */
TY_TEST(motors, pragyan_loads_its_wheels_evenly)
{
    tyt_ground g;
    tyt_ground_flat(&g);
    ty_vehicle_def def = tyt_vehicle_def(&g, "pragyan", TY_SOIL_RIGID);
    ty_vehicle *v = tyt_vehicle(&def);
    ty_vehicle_command(v, &(ty_drive_command){ .v = 0.01 }, NULL);
    tyt_run(v, 10.0);
    ty_vehicle_state s;
    ty_vehicle_get(v, &s);
    for (int i = 0; i < 6; i++) {
        printf("wheel %d: %.3f N, drive %.3f N m\n", i, s.wheel[i].fz, s.wheel[i].torque);
        TY_NEAR(s.wheel[i].fz, 26.0 * 1.62 / 6.0, 0.03 * 26.0 * 1.62 / 6.0);
    }
    ty_vehicle_destroy(v);
    tyt_ground_free(&g);
}
