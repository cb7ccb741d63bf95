/* src/sim/run_fmu.c - see run_fmu.h
 *
 * Variables are joined by name, or as `connect` says: inputs to what a rover tells of itself (src/fmi/rover.h), a driver's also to
 * SENSOR.COLUMN of its rover's sensors; outputs to v, omega, crab or a motor as in `commands`, those of an actor to its place and attitude.
 * `set` gives parameters, and inputs that stay as they are.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "run_fmu.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "fmi/import.h"
#include "fmi/rover.h"
#include "vehicle/schedule.h"

#define WIRES 128

typedef struct wire {
    tyi_fmi_ref ref;
    bool sensor;  /* input: of a sensor's newest row; */
    size_t index; /* which; else which rover */
    int column;
    size_t offset; /* in tyi_fmi_rover; output: in ty_drive_command or place, */
    int target;    /* or this target of the schedule; -1: none */
} wire;

typedef struct place {
    double x, y, z;          /* [m] */
    double roll, pitch, yaw; /* [rad] */
} place;

typedef struct output {
    const char *name;
    size_t offset;
} output;
static const output drive[] = { { "v", offsetof(ty_drive_command, v) },
                                { "omega", offsetof(ty_drive_command, omega) },
                                { "crab", offsetof(ty_drive_command, crab) },
                                { 0 } };
static const output stand[] = { { "x", offsetof(place, x) },
                                { "y", offsetof(place, y) },
                                { "z", offsetof(place, z) },
                                { "roll", offsetof(place, roll) },
                                { "pitch", offsetof(place, pitch) },
                                { "yaw", offsetof(place, yaw) },
                                { 0 } };

typedef struct tyi_sim_fmu {
    ty_run *run;
    size_t rover;     /* that it drives; SIZE_MAX: it moves an actor */
    const char *name; /* of rover or actor */
    const char *file;
    const ty_settings *connect, *set;
    tyi_fmi_unit *unit;
    tyi_fmi_rover *view; /* of each rover */
    bool *reads;         /* some of that rover's */
    wire in[WIRES], out[WIRES];
    int ins, outs;
    double at; /* [s] up to which it has stepped */
    tyi_vehicle_schedule *motors;
    place place;
    tyi_sim_actor_key key[2]; /* of an actor, at the last and the next time that it is asked */
} tyi_sim_fmu;

/* ---- joining ---- */

static const char *setting(const ty_settings *s, const char *name)
{
    for (size_t i = 0; i < s->count; i++) {
        if (!strcmp(s->item[i].key, name)) {
            return s->item[i].value;
        }
    }
    return NULL;
}

static bool moves_actor(const tyi_sim_fmu *f)
{
    return f->rover == SIZE_MAX;
}

static ty_status refuse(const tyi_sim_fmu *f, ty_diag *diag, const char *what, const char *name, const char *takes)
{
    return ty_fail(diag, TY_ERR_INPUT, "%s '%s', %s %s: %s '%s' %s", moves_actor(f) ? "actor" : "rover", f->name,
                   moves_actor(f) ? "FMU" : "driver", f->file, what, name, takes);
}

/* SENSOR.COLUMN of the driven rover's own sensors */
static bool find_column(const tyi_sim_fmu *f, const char *name, wire *w)
{
    for (size_t i = 0; i < f->run->sensors; i++) {
        const tyi_sim_sensor *s = &f->run->sensor[i];
        size_t n = strlen(s->def->name);
        const ty_message_column *column = s->make.schema->column;
        bool own =
            !moves_actor(f) && s->rover == f->rover && column && !strncmp(name, s->def->name, n) && name[n] == '.';
        for (int c = 0; own && column[c].name && c < s->first_type.channels; c++) {
            if (!strcmp(column[c].name, name + n + 1)) {
                w->sensor = true, w->index = i, w->column = c;
                return true;
            }
        }
    }
    return false;
}

/* NAME of the driven rover, or ROVER.NAME of any */
static bool find_told(const tyi_sim_fmu *f, const char *name, wire *w)
{
    const ty_run *run = f->run;
    w->index = f->rover;
    if (!moves_actor(f) && tyi_fmi_rover_find(run->rover[f->rover].vehicle, name, &w->offset)) {
        return true;
    }
    for (w->index = 0; w->index < run->rovers; w->index++) {
        const tyi_sim_rover_run *r = &run->rover[w->index];
        size_t n = strlen(r->def->name);
        if (!strncmp(name, r->def->name, n) && name[n] == '.' &&
            tyi_fmi_rover_find(r->vehicle, name + n + 1, &w->offset)) {
            return true;
        }
    }
    return false;
}

static ty_status join_input(tyi_sim_fmu *f, const tyi_fmi_variable *v, const char *name, ty_diag *diag)
{
    wire w = { .ref = v->ref };
    if (find_told(f, name, &w)) {
        f->reads[w.index] = true;
    } else if (!find_column(f, name, &w)) {
        return refuse(f, diag, "its input", v->name,
                      moves_actor(f)
                          ? "is nothing that a rover tells (ROVER.x, ROVER.yaw, ROVER.speed ..., docs/fmi.md); "
                            "`connect: {INPUT: ROVER.NAME}` joins it, `set: {INPUT: NUMBER}` holds it"
                          : "is nothing that the rover tells (x, y, yaw, speed, WHEEL.rate, SENSOR.COLUMN ..., "
                            "docs/fmi.md); `connect: {INPUT: NAME}` joins it, `set: {INPUT: NUMBER}` holds it");
    }
    if (f->ins == WIRES) {
        return refuse(f, diag, "its input", v->name, "is more than the 128 that are joined");
    }
    f->in[f->ins++] = w;
    return TY_OK;
}

/* what is nothing of the rover or actor is left alone, unless `connect` asks for it */
static ty_status join_output(tyi_sim_fmu *f, const tyi_fmi_variable *v, const char *name, bool asked, ty_diag *diag)
{
    wire w = { .ref = v->ref, .target = -1 };
    const output *to = moves_actor(f) ? stand : drive;
    while (to->name && strcmp(name, to->name) != 0) {
        to++;
    }
    w.offset = to->offset;
    bool found = to->name != NULL;
    tyi_vehicle_target target;
    if (!found && !moves_actor(f) && f->motors->targets < TYI_VEHICLE_TARGETS &&
        tyi_vehicle_target_find(f->run->rover[f->rover].vehicle, name, "", &target, NULL) == TY_OK) {
        w.target = f->motors->targets++;
        f->motors->target[w.target] = target;
        found = true;
    }
    if (!found) {
        return asked ? refuse(f, diag, "connect sends an output to", name,
                              moves_actor(f)
                                  ? "which is none of x, y, z, roll, pitch, yaw"
                                  : "which is neither v, omega, crab nor a motor of the rover as in `commands`")
                     : TY_OK;
    }
    if (f->outs == WIRES) {
        return refuse(f, diag, "its output", v->name, "is more than the 128 that are joined");
    }
    f->out[f->outs++] = w;
    return TY_OK;
}

/* `connect` and `set` name nothing that the FMU lacks */
static ty_status check_names(const tyi_sim_fmu *f, const tyi_fmi_variable *v, size_t count, ty_diag *diag)
{
    const ty_settings *given[] = { f->connect, f->set };
    for (size_t k = 0; k < 2; k++) {
        for (size_t i = 0; i < given[k]->count; i++) {
            size_t at = 0;
            while (at < count && (strcmp(v[at].name, given[k]->item[i].key) || v[at].causality == TYI_FMI_ELSE)) {
                at++;
            }
            if (at == count) {
                return refuse(f, diag, k ? "set names" : "connect names", given[k]->item[i].key,
                              "which is no real input, output or parameter of the FMU");
            }
        }
    }
    return TY_OK;
}

static ty_status join(tyi_sim_fmu *f, ty_diag *diag)
{
    size_t count;
    const tyi_fmi_variable *v = tyi_fmi_unit_variables(f->unit, &count);
    ty_status status = TY_OK;
    for (size_t i = 0; i < count && status == TY_OK; i++) {
        const char *name = setting(f->connect, v[i].name), *held = setting(f->set, v[i].name);
        if (held && (v[i].causality == TYI_FMI_SET || v[i].causality == TYI_FMI_IN)) {
            char *end;
            double value = tyi_number(held, &end);
            status = end != held && !*end && isfinite(value) ? tyi_fmi_unit_set(f->unit, v[i].ref, value, diag)
                                                             : refuse(f, diag, "set takes numbers, not", held, "");
        } else if (v[i].causality == TYI_FMI_IN) {
            status = join_input(f, &v[i], name ? name : v[i].name, diag);
        } else if (v[i].causality == TYI_FMI_OUT) {
            status = join_output(f, &v[i], name ? name : v[i].name, name != NULL, diag);
        }
    }
    status = status == TY_OK ? check_names(f, v, count, diag) : status;
    return status == TY_OK && !f->outs
               ? refuse(f, diag, "the FMU", f->file,
                        moves_actor(f) ? "has no output x, y, z, roll, pitch or yaw, and `connect` names none"
                                       : "has no output v, omega, crab or motor, and `connect` names none")
               : status;
}

/* of a rover, or of an actor */
static ty_status make(ty_run *run, tyi_sim_fmu about, tyi_sim_fmu **out, ty_diag *diag)
{
    tyi_sim_fmu *f = *out = calloc(1, sizeof *f);
    if (!f) {
        return ty_fail(diag, TY_ERR_MEMORY, "run: no memory for an FMU");
    }
    *f = about;
    f->run = run;
    f->view = calloc(run->rovers + 1, sizeof *f->view);
    f->reads = calloc(run->rovers + 1, sizeof *f->reads);
    ty_status status =
        f->view && f->reads ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "run: no memory for what an FMU reads");
    status = status == TY_OK ? tyi_vehicle_schedule_make(0, NULL, &f->motors, diag) : status;
    status = status == TY_OK ? tyi_fmi_unit_open(f->file, &f->unit, diag) : status;
    return status == TY_OK ? join(f, diag) : status;
}

ty_status tyi_sim_fmus_make(ty_run *run, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (size_t i = 0; i < run->rovers && status == TY_OK; i++) {
        const ty_scenario_rover *r = run->rover[i].def;
        const ty_scenario_driver *d = &r->driver;
        if (d->kind != TY_DRIVER_FMU) {
            continue;
        }
        tyi_sim_fmu about = { .rover = i, .name = r->name, .file = d->table, .connect = &d->connect, .set = &d->set };
        status = make(run, about, &run->rover[i].fmu, diag);
        status = status == TY_OK ? tyi_fmi_unit_start(run->rover[i].fmu->unit, diag) : status;
    }
    return status;
}

void tyi_sim_fmu_free(tyi_sim_fmu *f)
{
    if (f) {
        tyi_fmi_unit_close(f->unit);
        tyi_vehicle_schedule_free(f->motors);
        free(f->view), free(f->reads);
        free(f);
    }
}

/* ---- a step ---- */

static ty_status give(tyi_sim_fmu *f, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (size_t i = 0; i < f->run->rovers; i++) {
        if (f->reads[i]) {
            tyi_fmi_rover_read(f->run->rover[i].vehicle, &f->view[i]);
        }
    }
    for (int i = 0; i < f->ins && status == TY_OK; i++) {
        const wire *w = &f->in[i];
        double value = 0.0;
        if (!w->sensor) {
            value = *(const double *)(const void *)((const char *)&f->view[w->index] + w->offset);
        } else {
            const ty_message *m = ty_run_newest(f->run, w->index);
            value = m ? ty_buffer_get(&m->part[0].data, 0, 0, w->column) : 0.0;
        }
        status = tyi_fmi_unit_set(f->unit, w->ref, value, diag);
    }
    return status;
}

/* what it says at t [s], a drive command or a place; motors into their schedule */
static ty_status hear(tyi_sim_fmu *f, double t, void *to, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (int i = 0; i < f->outs && status == TY_OK; i++) {
        const wire *w = &f->out[i];
        double value = 0.0;
        status = tyi_fmi_unit_get(f->unit, w->ref, &value, diag);
        if (status == TY_OK && !isfinite(value)) {
            status =
                ty_fail(diag, TY_ERR_NUMERIC, "%s '%s': its %s %s says %g at %g s", moves_actor(f) ? "actor" : "rover",
                        f->name, moves_actor(f) ? "FMU" : "driver", f->file, value, t);
        } else if (w->target >= 0) {
            f->motors->value[w->target] = f->motors->target[w->target].scale * value;
            f->motors->told[w->target] = true;
        } else {
            *(double *)(void *)((char *)to + w->offset) = value;
        }
    }
    return status;
}

/* what is goes in; then it steps over a period from t [s] */
static ty_status step(tyi_sim_fmu *f, double t, double period, ty_diag *diag)
{
    ty_status status = give(f, diag);
    /* one step joins the next, also where its turn comes late by part of a step of the run */
    status = status == TY_OK ? tyi_fmi_unit_step(f->unit, f->at, t + period - f->at, diag) : status;
    f->at = t + period;
    return status;
}

ty_status tyi_sim_fmu_drive(tyi_sim_fmu *f, double t, double period, ty_drive_command *out, ty_diag *diag)
{
    *out = (ty_drive_command){ .mode = TY_STEER_ACKERMANN };
    for (int i = 0; i < f->outs; i++) {
        bool crabs = f->out[i].target < 0 && f->out[i].offset == offsetof(ty_drive_command, crab);
        out->mode = crabs ? TY_STEER_CRAB : out->mode;
    }
    ty_status status = step(f, t, period, diag);
    return status == TY_OK ? hear(f, t, out, diag) : status;
}

void tyi_sim_fmu_motors(tyi_sim_fmu *f, double t)
{
    tyi_vehicle_schedule_step(f->motors, f->run->rover[f->rover].vehicle, t);
}

/* ---- actors ---- */

static tyi_sim_actor_key key_at(const tyi_sim_fmu *f, ty_time at)
{
    const place *p = &f->place;
    return (tyi_sim_actor_key){ at, { { p->x, p->y, p->z }, tyi_sim_turned(p->roll, p->pitch, p->yaw) } };
}

ty_status tyi_sim_fmu_actor(ty_run *run, tyi_sim_actor *actor, ty_diag *diag)
{
    const ty_scenario_actor *d = actor->def;
    tyi_sim_fmu about = { .rover = SIZE_MAX,
                          .name = d->name,
                          .file = d->fmu,
                          .connect = &d->connect,
                          .set = &d->set,
                          .place = { d->x, d->y, d->z, d->roll, d->pitch, d->yaw } };
    ty_status status = make(run, about, &actor->fmu, diag);
    tyi_sim_fmu *f = actor->fmu;
    status = status == TY_OK ? give(f, diag) : status;
    status = status == TY_OK ? tyi_fmi_unit_start(f->unit, diag) : status;
    status = status == TY_OK ? hear(f, 0.0, &f->place, diag) : status;
    if (status == TY_OK) {
        f->key[0] = f->key[1] = key_at(f, 0);
    }
    return status;
}

ty_pose tyi_sim_fmu_pose(const tyi_sim_fmu *f, ty_time at)
{
    const tyi_sim_actor_key *a = &f->key[0], *b = &f->key[1];
    if (at == b->time || a->time == b->time) {
        return b->pose;
    }
    double u = (double)(at - a->time) / (double)(b->time - a->time);
    return (ty_pose){ ty_add(a->pose.p, ty_scale(u, ty_sub(b->pose.p, a->pose.p))),
                      ty_quat_slerp(a->pose.q, b->pose.q, u) };
}

ty_status tyi_sim_fmu_actors(ty_run *run, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (size_t i = 0; i < run->actors && status == TY_OK; i++) {
        tyi_sim_fmu *f = run->actor[i].fmu;
        if (!f) {
            continue;
        }
        double t = ty_seconds(run->time);
        f->key[0] = (tyi_sim_actor_key){ run->time, tyi_sim_fmu_pose(f, run->time) };
        status = step(f, t, TYI_SIM_DRIVER_PERIOD, diag);
        status = status == TY_OK ? hear(f, f->at, &f->place, diag) : status;
        f->key[1] = key_at(f, run->time + ty_time_from(TYI_SIM_DRIVER_PERIOD));
    }
    return status;
}

/* ---- checkpoints ---- */

typedef struct kept { /* before the state of the unit */
    double at;
    place place;
    tyi_sim_actor_key key[2];
} kept;

ty_status tyi_sim_fmu_save(tyi_sim_fmu *f, void **out, size_t *bytes, ty_diag *diag)
{
    void *own = NULL;
    size_t size = 0;
    *out = NULL, *bytes = 0;
    ty_status status = tyi_fmi_unit_save(f->unit, &own, &size, diag);
    char *all = status == TY_OK ? malloc(sizeof(kept) + size) : NULL;
    if (all) {
        kept k = { .at = f->at, .place = f->place, .key = { f->key[0], f->key[1] } };
        memcpy(all, &k, sizeof k);
        memcpy(all + sizeof k, own, size);
        *out = all, *bytes = sizeof k + size;
    } else if (status == TY_OK) {
        status = ty_fail(diag, TY_ERR_MEMORY, "run: no memory to save an FMU's state");
    }
    free(own);
    return status;
}

ty_status tyi_sim_fmu_restore(tyi_sim_fmu *f, const void *saved, size_t bytes, ty_diag *diag)
{
    kept k;
    if (bytes < sizeof k) {
        return ty_fail(diag, TY_ERR_FORMAT, "run: the saved state of an FMU is damaged");
    }
    memcpy(&k, saved, sizeof k);
    f->at = k.at, f->place = k.place;
    memcpy(f->key, k.key, sizeof k.key);
    return tyi_fmi_unit_restore(f->unit, (const char *)saved + sizeof k, bytes - sizeof k, diag);
}
