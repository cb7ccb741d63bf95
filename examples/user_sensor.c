/* examples/user_sensor.c - a kind of sensor of your own.
 *
 * A kind is a struct of functions, the same that Tycho's own kinds are. The run gives it a mount, a clock and, if it
 * asks for it, the scene as it was. Register it with the run, and a scenario can name it: {type: user, kind:
 * pyranometer, ...}. This one is a pyranometer: a flat plate that lies level on its mount and measures how much
 * sunlight falls on it [W], none in a shadow. The rover of user_sensor.yaml drives into the shadow of a wall, and
 * the program holds every reading against the law.
 *
 *     user_sensor [SCENARIO]
 *
 * Exit code: 0 all readings are as they should be, 1 they are not, 2 wrong input.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tycho/run.h>
#include <tycho/trace.h>

/* ---- the sensor ---- */

typedef struct pyranometer {
    double area; /* [m^2] */
} pyranometer;

/* Reads the settings, and says what its messages will hold. */
static ty_status create(ty_sensor_make *make, void *user, void **state, ty_diag *diag)
{
    (void)user;
    static const char *const columns[] = { "power_w", "lit", NULL };
    static const ty_message_schema schema = { "pyranometer", columns };
    const char *area = ty_settings_get(&make->def->as.user.settings, "area");
    pyranometer *p = malloc(sizeof *p);
    if (!p) {
        return ty_fail(diag, TY_ERR_MEMORY, "pyranometer: no memory");
    }
    *state = p;
    p->area = area ? atof(area) : 1e-4;
    if (!(p->area > 0.0)) {
        return ty_fail(diag, TY_ERR_RANGE, "pyranometer: area is '%s', but takes a number above 0 [m2]", area);
    }
    make->schema = &schema;
    make->parts = 1;
    make->part[0].name = "sample";
    make->part[0].data.type = (ty_buffer_type){ 1, 1, 2, TY_ELEMENT_F64, TY_UNIT_NONE, 'S' };
    return TY_OK;
}

/* One reading. It runs on the worker, and uses nothing but its state and what the shot brings. */
static ty_status collect(void *state, const ty_sensor_shot *shot, ty_message_part *part, ty_diag *diag)
{
    const pyranometer *p = state;
    ty_pose at = shot->key[shot->keys - 1].pose;
    ty_vec3 sun = shot->sky.sun.dir_W, up = ty_rotate(at.q, ty_vec3_make(0, 0, 1));
    /* a ray to the middle of the Sun, from a little above the mount */
    ty_trace_ray ray = { .from = ty_add(at.p, ty_scale(0.1, up)), .dir = sun, .far = 1e5 };
    ty_trace_hit hit;
    ty_status status = ty_scene_trace(shot->scene, at.p, &ray, 1, 0, 1, &hit, diag);
    if (status == TY_OK) {
        double lit = isfinite(hit.range) ? 0.0 : 1.0;
        ty_buffer_set(&part[0].data, 0, 0, 0, lit * p->area * shot->sky.irradiance * fmax(ty_dot(sun, up), 0.0));
        ty_buffer_set(&part[0].data, 0, 0, 1, lit);
    }
    return status;
}

/* ---- the program: readings against the law ---- */

#define SOLAR 1361.0         /* [W/m^2] at 1 au */
#define AU    1.495978707e11 /* [m] */

typedef struct judge {
    ty_run *run;
    double area, worst;   /* [m^2]; [-] largest error of a reading in the Sun */
    int sun, shadow, bad; /* readings; bad: those between the two */
} judge;

static void receive(void *user, const ty_message *m)
{
    judge *j = user;
    ty_vehicle *rover = ty_run_rover(j->run, 0);
    ty_pose at = ty_vehicle_mount_pose(rover, ty_vehicle_find_mount(rover, "lidar"));
    ty_sky_body sun = ty_run_sky(j->run).sun;
    double power = ty_buffer_get(&m->part[0].data, 0, 0, 0), far = sun.distance / AU;
    double law = j->area * SOLAR / (far * far) * ty_dot(sun.dir_W, ty_rotate(at.q, ty_vec3_make(0, 0, 1)));
    double error = fabs(power - law) / law;
    j->sun += error < 0.01, j->shadow += power == 0.0, j->bad += error >= 0.01 && power != 0.0;
    j->worst = power > 0.0 ? fmax(j->worst, error) : j->worst;
    printf("%5.1f s, x = %5.2f m: %.4f W, in the open %.4f W\n", ty_seconds(m->time.end), at.p.x, power, law);
}

int main(int argc, char **argv)
{
    ty_diag diag = { 0 };
    ty_scenario *scenario = NULL;
    judge j = { .area = 2e-4 };
    const ty_sensor_kind kind = {
        .name = "pyranometer", .scene = true, .keys = 2, .create = create, .collect = collect, .destroy = free
    };
    ty_run_def def = ty_run_def_default();
    ty_status status = ty_scenario_load(argc > 1 ? argv[1] : "examples/user_sensor.yaml", NULL, 0, &scenario, &diag);
    if (status == TY_OK) {
        def.scenario = scenario;
        def.sensor_kind = &kind, def.sensor_kinds = 1;
        def.detail = 256;
        status = ty_run_create(&def, &j.run, &diag);
    }
    if (status == TY_OK) {
        status = ty_run_subscribe(j.run, NULL, "light", receive, &j, &diag);
    }
    while (status == TY_OK && !ty_run_done(j.run)) {
        status = ty_run_step(j.run, &diag);
    }
    bool fine = j.sun >= 3 && j.shadow >= 3 && j.bad == 0;
    if (status == TY_OK) {
        printf("%d readings in the Sun, within %.2g of the law; %d in the shadow: %s\n", j.sun, j.worst, j.shadow,
               fine ? "as it should be" : "not as it should be");
    } else {
        fprintf(stderr, "user_sensor: %s\n", diag.text);
    }
    ty_run_destroy(j.run);
    ty_scenario_destroy(scenario);
    return status != TY_OK ? 2 : fine ? 0 : 1;
}
