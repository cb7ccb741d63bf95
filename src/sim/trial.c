/* src/sim/trial.c - see trial.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trial.h"
#include <stdlib.h>
#include <string.h>
#include "body/world.h"
#include "run.h"

void tyi_sim_trial_forget(const ty_run *run, tyi_sim_trial *k)
{
    for (size_t i = 0; k->rover && i < run->rovers; i++) {
        free(k->rover[i]);
    }
    free((void *)k->rover), free(k->groups), free(k->loose);
}

ty_status tyi_sim_trial_keep(const ty_run *run, tyi_sim_trial *k, ty_diag *diag)
{
    tyi_body_world *w = tyi_sim_bodies_world(run);
    k->bytes = tyi_body_world_save(w, NULL);
    k->groups = malloc(k->bytes);
    k->loose_bytes = tyi_sim_loose_save(run, NULL);
    k->loose = malloc(k->loose_bytes + 1);
    k->rover = (void **)calloc(run->rovers + 1, sizeof *k->rover);
    bool good = k->groups && k->rover && k->loose;
    for (size_t i = 0; good && i < run->rovers; i++) {
        good = (k->rover[i] = malloc(ty_vehicle_save_size(run->rover[i].vehicle))) != NULL;
        if (good) {
            ty_vehicle_save(run->rover[i].vehicle, k->rover[i]);
        }
    }
    if (good) {
        tyi_body_world_save(w, k->groups);
        tyi_sim_loose_save(run, k->loose);
    }
    return good ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "run: no memory");
}

ty_status tyi_sim_trial_back(ty_run *run, const tyi_sim_trial *k, ty_diag *diag)
{
    tyi_body_world *w = tyi_sim_bodies_world(run);
    ty_status status = tyi_body_world_scatter(w, diag);
    for (size_t i = 0; i < run->rovers && status == TY_OK; i++) {
        ty_vehicle *v = run->rover[i].vehicle;
        status = ty_vehicle_restore(v, k->rover[i], ty_vehicle_save_size(v), diag);
    }
    status = status == TY_OK ? tyi_sim_loose_restore(run, k->loose, k->loose_bytes, diag) : status;
    return status == TY_OK ? tyi_body_world_restore(w, tyi_sim_steps(run), k->groups, k->bytes, diag) : status;
}

/* TY_ERR_INPUT with both names where what has just come is inside something */
ty_status tyi_sim_trial_inside(const ty_run *run, const char *name, ty_diag *diag)
{
    const char *who[2];
    bool rovers;
    double by;
    if (!tyi_body_world_inside(tyi_sim_bodies_world(run), TYI_SIM_INSIDE, who, &rovers, &by)) {
        return TY_OK;
    }
    bool first = !strcmp(who[0], name);
    if (!first && strcmp(who[1], name) != 0) {
        return TY_OK; /* others, that have pressed into each other by themselves */
    }
    return ty_fail(diag, TY_ERR_INPUT, "run: '%s' cannot come there: it would be inside '%s', by %.2f m", name,
                   who[first ? 1 : 0], by);
}

/* a thing that stands, tried out */
ty_status tyi_sim_trial_thing(ty_run *run, const tyi_body_thing *t, ty_diag *diag)
{
    tyi_body_world *w = tyi_sim_bodies_world(run);
    tyi_sim_trial kept = { 0 };
    tyi_body_thing trial = *t;
    trial.kind = TYI_SIM_TRIAL, trial.below = false;
    if (!tyi_body_world_near(w, t)) {
        return TY_OK;
    }
    ty_status status = tyi_sim_trial_keep(run, &kept, diag);
    if (status == TY_OK) {
        status = tyi_body_world_add(w, &trial, diag);
        status = status == TY_OK ? tyi_body_world_arrange_near(w, -1, &trial, tyi_sim_steps(run), diag) : status;
        status = status == TY_OK ? tyi_sim_trial_inside(run, trial.name, diag) : status;
        ty_status back = tyi_body_world_take(w, trial.kind, trial.id, tyi_sim_steps(run), diag);
        back = back == TY_OK ? tyi_sim_trial_back(run, &kept, diag) : back;
        status = status == TY_OK ? back : status;
    }
    tyi_sim_trial_forget(run, &kept);
    return status;
}
