/* src/sim/run_fmu.c - see run_fmu.h
 *
 * Variables are joined by name, or as `connect` says: inputs to what a rover tells of itself (src/fmi/rover.h) or SENSOR.COLUMN of one of its
 * sensors, outputs to v, omega, crab or a motor as in `commands`. `set` gives parameters, and inputs that stay as they are.
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
    size_t index; /* which */
    int column;
    size_t offset; /* else in tyi_fmi_rover; output: in ty_drive_command, */
    int target;    /* or this target of the schedule; -1: none */
} wire;

typedef struct tyi_sim_fmu {
    ty_run *run;
    tyi_sim_rover_run *rover;
    tyi_fmi_unit *unit;
    tyi_fmi_rover view;
    wire in[WIRES], out[WIRES];
    int ins, outs;
    double at; /* [s] up to which it has stepped */
    tyi_vehicle_schedule *motors;
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

static ty_status refuse(const tyi_sim_fmu *f, ty_diag *diag, const char *what, const char *name, const char *takes)
{
    return ty_fail(diag, TY_ERR_INPUT, "rover '%s', driver %s: %s '%s' %s", f->rover->def->name,
                   f->rover->def->driver.table, what, name, takes);
}

/* SENSOR.COLUMN of the rover's own sensors */
static bool find_column(const tyi_sim_fmu *f, const char *name, wire *w)
{
    for (size_t i = 0; i < f->run->sensors; i++) {
        const tyi_sim_sensor *s = &f->run->sensor[i];
        size_t n = strlen(s->def->name);
        const ty_message_column *column = s->make.schema->column;
        bool own = s->rover != SIZE_MAX && &f->run->rover[s->rover] == f->rover && column &&
                   !strncmp(name, s->def->name, n) && name[n] == '.';
        for (int c = 0; own && column[c].name && c < s->first_type.channels; c++) {
            if (!strcmp(column[c].name, name + n + 1)) {
                w->sensor = true, w->index = i, w->column = c;
                return true;
            }
        }
    }
    return false;
}

static ty_status join_input(tyi_sim_fmu *f, const tyi_fmi_variable *v, const char *name, ty_diag *diag)
{
    wire w = { .ref = v->ref };
    if (!tyi_fmi_rover_find(f->rover->vehicle, name, &w.offset) && !find_column(f, name, &w)) {
        return refuse(f, diag, "its input", v->name,
                      "is nothing that the rover tells (x, y, yaw, speed, WHEEL.rate, SENSOR.COLUMN ..., docs/fmi.md); "
                      "`connect: {INPUT: NAME}` joins it, `set: {INPUT: NUMBER}` holds it");
    }
    if (f->ins == WIRES) {
        return refuse(f, diag, "its input", v->name, "is more than the 128 that are joined");
    }
    f->in[f->ins++] = w;
    return TY_OK;
}

/* what is nothing of the rover is left alone, unless `connect` asks for it */
static ty_status join_output(tyi_sim_fmu *f, const tyi_fmi_variable *v, const char *name, bool asked, ty_diag *diag)
{
    static const struct {
        const char *name;
        size_t offset;
    } drive[] = { { "v", offsetof(ty_drive_command, v) },
                  { "omega", offsetof(ty_drive_command, omega) },
                  { "crab", offsetof(ty_drive_command, crab) } };
    wire w = { .ref = v->ref, .target = -1 };
    bool found = false;
    for (int i = 0; i < 3 && !found; i++) {
        found = !strcmp(name, drive[i].name);
        w.offset = drive[i].offset;
    }
    tyi_vehicle_target target;
    if (!found && tyi_vehicle_target_find(f->rover->vehicle, name, "", &target, NULL) == TY_OK &&
        f->motors->targets < TYI_VEHICLE_TARGETS) {
        w.target = f->motors->targets++;
        f->motors->target[w.target] = target;
        found = true;
    }
    if (!found) {
        return asked ? refuse(f, diag, "connect sends an output to", name,
                              "which is neither v, omega, crab nor a motor of the rover as in `commands`")
                     : TY_OK;
    }
    if (f->outs == WIRES) {
        return refuse(f, diag, "its output", v->name, "is more than the 128 that are joined");
    }
    f->out[f->outs++] = w;
    return TY_OK;
}

static ty_status join(tyi_sim_fmu *f, ty_diag *diag)
{
    const ty_scenario_driver *d = &f->rover->def->driver;
    size_t count;
    const tyi_fmi_variable *v = tyi_fmi_unit_variables(f->unit, &count);
    ty_status status = TY_OK;
    for (size_t i = 0; i < count && status == TY_OK; i++) {
        const char *name = setting(&d->connect, v[i].name), *held = setting(&d->set, v[i].name);
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
    const ty_settings *given[] = { &d->connect, &d->set };
    for (size_t k = 0; k < 2 && status == TY_OK; k++) { /* a name that the FMU lacks */
        for (size_t i = 0; i < given[k]->count && status == TY_OK; i++) {
            size_t at = 0;
            while (at < count && (strcmp(v[at].name, given[k]->item[i].key) || v[at].causality == TYI_FMI_ELSE)) {
                at++;
            }
            status = at < count ? TY_OK
                                : refuse(f, diag, k ? "set names" : "connect names", given[k]->item[i].key,
                                         "which is no real input, output or parameter of the FMU");
        }
    }
    return status == TY_OK && !f->outs
               ? refuse(f, diag, "the FMU", d->table, "has no output v, omega, crab or motor, and `connect` names none")
               : status;
}

static ty_status make(ty_run *run, tyi_sim_rover_run *rover, ty_diag *diag)
{
    tyi_sim_fmu *f = rover->fmu = calloc(1, sizeof *f);
    if (!f) {
        return ty_fail(diag, TY_ERR_MEMORY, "run: no memory for an FMU");
    }
    f->run = run, f->rover = rover;
    ty_status status = tyi_vehicle_schedule_make(0, NULL, &f->motors, diag);
    status = status == TY_OK ? tyi_fmi_unit_open(rover->def->driver.table, &f->unit, diag) : status;
    status = status == TY_OK ? join(f, diag) : status;
    return status == TY_OK ? tyi_fmi_unit_start(f->unit, diag) : status;
}

ty_status tyi_sim_fmus_make(ty_run *run, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (size_t i = 0; i < run->rovers && status == TY_OK; i++) {
        status = run->rover[i].def->driver.kind == TY_DRIVER_FMU ? make(run, &run->rover[i], diag) : TY_OK;
    }
    return status;
}

void tyi_sim_fmu_free(tyi_sim_fmu *f)
{
    if (f) {
        tyi_fmi_unit_close(f->unit);
        tyi_vehicle_schedule_free(f->motors);
        free(f);
    }
}

/* ---- a step ---- */

static double read_wire(const tyi_sim_fmu *f, const wire *w)
{
    if (!w->sensor) {
        return *(const double *)(const void *)((const char *)&f->view + w->offset);
    }
    const ty_message *m = ty_run_newest(f->run, w->index);
    return m ? ty_buffer_get(&m->part[0].data, 0, 0, w->column) : 0.0;
}

ty_status tyi_sim_fmu_drive(tyi_sim_fmu *f, double t, double period, ty_drive_command *out, ty_diag *diag)
{
    ty_status status = TY_OK;
    *out = (ty_drive_command){ .mode = TY_STEER_ACKERMANN };
    tyi_fmi_rover_read(f->rover->vehicle, &f->view);
    for (int i = 0; i < f->ins && status == TY_OK; i++) {
        status = tyi_fmi_unit_set(f->unit, f->in[i].ref, read_wire(f, &f->in[i]), diag);
    }
    /* one step joins the next, also where a driver's turn comes late by part of a step of the run */
    status = status == TY_OK ? tyi_fmi_unit_step(f->unit, f->at, t + period - f->at, diag) : status;
    f->at = t + period;
    for (int i = 0; i < f->outs && status == TY_OK; i++) {
        const wire *w = &f->out[i];
        double value = 0.0;
        status = tyi_fmi_unit_get(f->unit, w->ref, &value, diag);
        if (status == TY_OK && !isfinite(value)) {
            status = ty_fail(diag, TY_ERR_NUMERIC, "rover '%s': its driver %s says %g at %g s", f->rover->def->name,
                             f->rover->def->driver.table, value, t);
        } else if (w->target >= 0) {
            f->motors->value[w->target] = f->motors->target[w->target].scale * value;
            f->motors->told[w->target] = true;
        } else {
            *(double *)(void *)((char *)out + w->offset) = value;
            out->mode = w->offset == offsetof(ty_drive_command, crab) ? TY_STEER_CRAB : out->mode;
        }
    }
    return status;
}

void tyi_sim_fmu_motors(tyi_sim_fmu *f, double t)
{
    tyi_vehicle_schedule_step(f->motors, f->rover->vehicle, t);
}

/* ---- checkpoints ---- */

ty_status tyi_sim_fmu_save(tyi_sim_fmu *f, void **out, size_t *bytes, ty_diag *diag)
{
    void *own = NULL;
    size_t size = 0;
    *out = NULL, *bytes = 0;
    ty_status status = tyi_fmi_unit_save(f->unit, &own, &size, diag);
    char *all = status == TY_OK ? malloc(sizeof f->at + size) : NULL;
    if (all) {
        memcpy(all, &f->at, sizeof f->at);
        memcpy(all + sizeof f->at, own, size);
        *out = all, *bytes = sizeof f->at + size;
    } else if (status == TY_OK) {
        status = ty_fail(diag, TY_ERR_MEMORY, "run: no memory to save an FMU's state");
    }
    free(own);
    return status;
}

ty_status tyi_sim_fmu_restore(tyi_sim_fmu *f, const void *saved, size_t bytes, ty_diag *diag)
{
    if (bytes < sizeof f->at) {
        return ty_fail(diag, TY_ERR_FORMAT, "run: the saved state of an FMU is damaged");
    }
    memcpy(&f->at, saved, sizeof f->at);
    return tyi_fmi_unit_restore(f->unit, (const char *)saved + sizeof f->at, bytes - sizeof f->at, diag);
}
