/* src/vehicle/schedule.c - see schedule.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "schedule.h"
#include <string.h>
#include "core/core.h"
#include "io/document.h"
#include "vehicle.h"

/* ---- names ---- */

static bool find(const ty_vehicle *v, const char *name, tyi_vehicle_target *out)
{
    out->kind = TYI_VEHICLE_MOTOR;
    out->index = ty_vehicle_find_motor(v, name);
    for (int i = 0; i < v->wheels && out->index < 0; i++) {
        size_t n = strlen(v->wheel[i].info.name);
        if (strncmp(name, v->wheel[i].info.name, n) != 0) {
            continue;
        }
        if (!strcmp(name + n, ".speed") && v->wheel[i].driven) {
            *out = (tyi_vehicle_target){ TYI_VEHICLE_WHEEL_SPEED, i, 1.0 };
        } else if (!strcmp(name + n, ".steer") && v->wheel[i].steer >= 0) {
            *out = (tyi_vehicle_target){ TYI_VEHICLE_WHEEL_STEER, i, 1.0 };
        }
    }
    return out->index >= 0;
}

static void say_all(const ty_vehicle *v, char *out, size_t size)
{
    for (int i = 0; i < v->motors; i++) {
        tyi_io_say(out, size, "%s%s", i ? ", " : "", v->motor[i].info.name);
    }
    for (int i = 0; i < v->wheels; i++) {
        const char *comma = i || v->motors ? ", " : "", *name = v->wheel[i].info.name;
        if (v->wheel[i].driven) {
            tyi_io_say(out, size, "%s%s.speed", comma, name);
        }
        if (v->wheel[i].steer >= 0) {
            tyi_io_say(out, size, "%s%s.steer", comma, name);
        }
    }
}

ty_status tyi_vehicle_target_find(const ty_vehicle *v, const char *name, const char *where, tyi_vehicle_target *out,
                                  ty_diag *diag)
{
    char bare[2 * TY_NAME_MAX], shown[70], all[400] = "";
    size_t n = strlen(name);
    out->scale = 1.0;
    if (find(v, name, out)) {
        return TY_OK;
    }
    if (n > 4 && n < sizeof bare && !strcmp(name + n - 4, "_deg")) {
        snprintf(bare, sizeof bare, "%.*s", (int)(n - 4), name);
        if (find(v, bare, out)) {
            out->scale = TY_DEG;
            return TY_OK;
        }
    }
    say_all(v, all, sizeof all);
    return ty_fail(diag, TY_ERR_INPUT,
                   "%s: '%s' is no motor of rover '%s'; it has %s (radians, or degrees with _deg behind the name)",
                   where, tyi_io_doc_show(name, shown, sizeof shown), v->name, all[0] ? all : "none");
}

/* ---- the schedule ---- */

ty_status tyi_vehicle_schedule_make(size_t room, const ty_alloc *alloc, tyi_vehicle_schedule **out, ty_diag *diag)
{
    size_t bytes = sizeof(tyi_vehicle_schedule) + room * sizeof(tyi_vehicle_move);
    tyi_vehicle_schedule *s = tyi_get(alloc, bytes);
    *out = s;
    if (!s) {
        return ty_fail(diag, TY_ERR_MEMORY, "commands: no memory (%zu bytes)", bytes);
    }
    s->alloc = alloc, s->bytes = bytes, s->room = room;
    s->move = (tyi_vehicle_move *)(s + 1);
    return TY_OK;
}

void tyi_vehicle_schedule_free(tyi_vehicle_schedule *s)
{
    if (s) {
        tyi_put(s->alloc, s, s->bytes);
    }
}

void tyi_vehicle_schedule_add(tyi_vehicle_schedule *s, tyi_vehicle_target target, double t, double value)
{
    TY_ASSERT(!s->moves || t >= s->move[s->moves - 1].t);
    int k = 0;
    while (k < s->targets && (s->target[k].kind != target.kind || s->target[k].index != target.index)) {
        k++;
    }
    TY_ASSERT(k < TYI_VEHICLE_TARGETS && s->moves < s->room);
    s->targets += k == s->targets;
    s->target[k] = target;
    s->move[s->moves++] = (tyi_vehicle_move){ t, target.scale * value, k };
}

static void command(ty_vehicle *v, tyi_vehicle_target target, double value)
{
    tyi_vehicle_control *c = &v->run.control;
    const tyi_vehicle_wheel *w = &v->wheel[target.index];
    switch (target.kind) {
    case TYI_VEHICLE_MOTOR:
        ty_vehicle_command_motor(v, target.index, value, NULL);
        break;
    case TYI_VEHICLE_WHEEL_SPEED:
        c->want_omega[target.index] = value;
        break;
    case TYI_VEHICLE_WHEEL_STEER:
        c->want_steer[target.index] = tyi_vehicle_clamp(value, w->low, w->high);
        break;
    }
}

bool tyi_vehicle_schedule_step(tyi_vehicle_schedule *s, ty_vehicle *v, double t)
{
    if (!s) {
        return false;
    }
    if (s->next && s->move[s->next - 1].t > t) { /* the run was put back to an earlier time */
        s->next = 0;
        memset(s->told, 0, sizeof s->told);
    }
    for (; s->next < s->moves && s->move[s->next].t <= t; s->next++) {
        const tyi_vehicle_move *m = &s->move[s->next];
        s->value[m->target] = m->value, s->told[m->target] = true;
    }
    /* again and again, as a driver's command for the whole rover comes before */
    for (int k = 0; k < s->targets; k++) {
        if (s->told[k]) {
            command(v, s->target[k], s->value[k]);
        }
    }
    return s->next < s->moves;
}
