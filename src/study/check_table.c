/* src/study/check_table.c - tables in CSV, and labels.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "vehicle/driver.h"
#include "sim/run.h"
#include "tycho/tools/coco.h"
#include "tycho/tools/lidar_scan.h"
#include "tycho/tools/testbed.h"
#include "sensor/inner.h"
#include "wheel_fit.h"

ty_status tyi_study_check_drive(tyi_study_check *c, ty_diag *diag)
{
    tyi_vehicle_driver *driver;
    char motors[400];
    ty_status status = tyi_vehicle_driver_table_alone(c->path, &driver, motors, sizeof motors, diag);
    if (status == TY_OK) {
        double fast = 0.0, turn = 0.0;
        for (size_t i = 0; i < driver->rows; i++) {
            fast = fmax(fast, fabs(driver->row[i].command.v)), turn = fmax(turn, fabs(driver->row[i].command.omega));
        }
        snprintf(c->about, sizeof c->about,
                 "commands over time, %zu row%s from %g to %g s, up to %g m/s and %.3g deg/s%s%.120s%s", driver->rows,
                 driver->rows == 1 ? "" : "s", driver->row[0].t, driver->row[driver->rows - 1].t, fast, turn / TY_DEG,
                 motors[0] ? "; with a rover's motors " : "", motors,
                 motors[0] ? ", which are looked for when its scenario is checked" : "");
    }
    tyi_vehicle_driver_destroy(driver);
    return status;
}

ty_status tyi_study_check_trajectory(tyi_study_check *c, ty_diag *diag)
{
    ty_scenario_actor *def = tyi_get(NULL, sizeof *def); /* its paths are large */
    if (!def || strlen(c->path) >= sizeof def->trajectory) {
        tyi_put(NULL, def, sizeof *def);
        return ty_fail(diag, TY_ERR_INPUT, "%s: no memory for its name", c->path);
    }
    memcpy(def->trajectory, c->path, strlen(c->path) + 1);
    tyi_sim_actor actor = { .def = def };
    ty_status status = tyi_sim_actor_read(&actor, diag);
    if (status == TY_OK) {
        const tyi_sim_actor_key *k = actor.key;
        double way = 0.0, fast = 0.0;
        for (size_t i = 1; i < actor.keys; i++) {
            double step = ty_norm(ty_sub(k[i].pose.p, k[i - 1].pose.p));
            way += step, fast = fmax(fast, step / (1e-9 * (double)(k[i].time - k[i - 1].time)));
        }
        snprintf(c->about, sizeof c->about, "trajectory, %zu row%s from %g to %g s, %.4g m long, up to %.3g m/s",
                 actor.keys, actor.keys == 1 ? "" : "s", 1e-9 * (double)k[0].time,
                 1e-9 * (double)k[actor.keys - 1].time, way, fast);
    }
    tyi_sim_actor_free(&actor);
    tyi_put(NULL, def, sizeof *def);
    return status;
}

ty_status tyi_study_check_beams(tyi_study_check *c, ty_diag *diag)
{
    ty_lidar_beam *beam;
    size_t count;
    ty_status status = tyi_sensor_lidar_beams_load(c->path, &beam, &count, diag);
    snprintf(c->about, sizeof c->about, "table of %zu beams", count);
    free(beam);
    return status;
}

ty_status tyi_study_check_measured(tyi_study_check *c, ty_diag *diag)
{
    tyi_study_wheel_set set;
    ty_status status = tyi_study_wheel_load(c->path, NULL, &set, diag);
    snprintf(c->about, sizeof c->about, "table of measured %s, %zu rows", set.plates ? "plates" : "wheels",
             set.plates ? set.plates : set.points);
    tyi_study_wheel_free(&set);
    return status;
}

ty_status tyi_study_check_labels(tyi_study_check *c, ty_diag *diag)
{
    ty_coco coco;
    ty_diag why = { 0 };
    ty_status status = ty_coco_read(c->path, &coco, &why);
    /* else the first sentence holds */
    bool results = status != TY_OK && ty_coco_read_results(c->path, &coco, NULL) == TY_OK;
    if (status != TY_OK && !results) {
        return ty_fail(diag, status, "%s", why.text);
    }
    if (results) {
        snprintf(c->about, sizeof c->about, "predictions in COCO's form, %zu boxes", coco.boxes);
    } else {
        snprintf(c->about, sizeof c->about, "labels in COCO's form, %zu images, %zu boxes", coco.images, coco.boxes);
    }
    ty_coco_free(&coco);
    return TY_OK;
}
