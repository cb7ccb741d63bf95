/* bridge/fmi/variables.c - see variables.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "variables.h"
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "core/core.h"
#include "io/document.h"
#include "scenario/scenario.h"
#include "sim/shape.h"

static double at(const void *base, size_t offset)
{
    return *(const double *)(const void *)((const char *)base + offset);
}

double tyb_fmi_rover_get(const tyi_fmi_rover *rover, const tyb_fmi_variable *v)
{
    switch ((int)v->what) {
    case TYB_FMI_STATE:
        return at(rover, tyi_fmi_rover_fields[v->b].offset);
    case TYB_FMI_WHEEL:
        return at(&rover->s.wheel[v->b], tyi_fmi_wheel_fields[v->c].offset);
    case TYB_FMI_CONTACT:
        return rover->s.wheel[v->b].contact;
    default:
        return at(&rover->motor[v->b], tyi_fmi_motor_fields[v->c].offset);
    }
}

/* ---- the list ---- */

static tyb_fmi_variable *add(tyb_fmi_list *list, tyb_fmi_what what, tyb_fmi_type type, const char *format, ...)
    TY_PRINTF(4, 5);
static tyb_fmi_variable *add(tyb_fmi_list *list, tyb_fmi_what what, tyb_fmi_type type, const char *format, ...)
{
    static tyb_fmi_variable none;
    tyb_fmi_variable *grown = tyi_list_grown(list->variable, list->count, &list->room, sizeof *list->variable, 256);
    list->variable = grown ? grown : list->variable;
    list->failed = list->failed || !grown;
    tyb_fmi_variable *v = grown ? &list->variable[list->count++] : &none;
    *v = (tyb_fmi_variable){ .what = what, .type = type };
    va_list args;
    va_start(args, format);
    vsnprintf(v->name, sizeof v->name, format, args);
    va_end(args);
    return v;
}

void tyb_fmi_list_free(tyb_fmi_list *list)
{
    free(list->variable);
    *list = (tyb_fmi_list){ 0 };
}

size_t tyb_fmi_elements(const tyb_fmi_variable *v)
{
    size_t n = 1;
    for (int i = 0; i < 3 && v->dim[i]; i++) {
        n *= (size_t)v->dim[i];
    }
    return n;
}

/* ---- parameters: scalars of the scenario ---- */

/* one line without what would end it or an attribute of XML */
static void say_line(char *out, size_t size, const char *text)
{
    snprintf(out, size, "%s", text);
    for (char *c = out; *c; c++) {
        *c = (unsigned char)*c < 32 ? ' ' : *c;
    }
}

static void add_parameter(void *user, const tyi_io_scalar *s)
{
    bool text = s->kind == TYI_IO_TEXT || s->kind == TYI_IO_UTC || s->kind == TYI_IO_CHOICE;
    /* what names files, other parts or the format itself stays as it is */
    bool fixed = s->kind == TYI_IO_TEXT || !strcmp(s->path, "version") || strlen(s->path) >= TYB_FMI_NAME ||
                 (text && strpbrk(s->text, "\t\r\n")) || (s->kind == TYI_IO_INTEGER && fabs(s->value) > INT32_MAX);
    if (fixed) {
        return;
    }
    tyb_fmi_type type = text                        ? TYB_FMI_STRING
                        : s->kind == TYI_IO_INTEGER ? TYB_FMI_I32
                        : s->kind == TYI_IO_BOOLEAN ? TYB_FMI_BOOL
                                                    : TYB_FMI_F64;
    tyb_fmi_variable *v = add(user, TYB_FMI_PARAMETER, type, "%s", s->path);
    if (text) {
        snprintf(v->start, sizeof v->start, "%s", s->text);
    } else if (type == TYB_FMI_F64) {
        snprintf(v->start, sizeof v->start, "%.17g", s->value);
    } else {
        snprintf(v->start, sizeof v->start, "%.0f", s->value);
    }
    snprintf(v->unit, sizeof v->unit, "%s", type == TYB_FMI_F64 && s->unit && !strchr(s->unit, ' ') ? s->unit : "");
    say_line(v->text, sizeof v->text, s->key->text ? s->key->text : "");
}

/* ---- rovers ---- */

static void add_inputs(tyb_fmi_list *list, const char *name, const ty_vehicle *vehicle, int rover)
{
    static const struct {
        tyb_fmi_what what;
        const char *name, *unit, *text;
    } drive[] = {
        { TYB_FMI_V, "v", "m/s", "told: speed forward; crab: along its direction" },
        { TYB_FMI_OMEGA, "omega", "rad/s", "told: turning rate, left positive" },
        { TYB_FMI_CRAB, "crab", "rad", "told: direction of motion in mode 1, left positive" },
    };
    tyb_fmi_variable *v = add(list, TYB_FMI_MODE, TYB_FMI_I32, "%s.mode", name);
    v->a = rover;
    snprintf(v->start, sizeof v->start, "0");
    snprintf(v->text, sizeof v->text,
             "told: 0 Ackermann, 1 crab, 2 turn on the spot, 3 skid, 4 each wheel by its own inputs");
    for (int i = 0; i < 3; i++) {
        v = add(list, drive[i].what, TYB_FMI_F64, "%s.%s", name, drive[i].name);
        v->a = rover;
        snprintf(v->start, sizeof v->start, "0");
        snprintf(v->unit, sizeof v->unit, "%s", drive[i].unit);
        snprintf(v->text, sizeof v->text, "%s", drive[i].text);
    }
    ty_wheel_info wheel[TY_WHEELS_MAX];
    for (int i = 0, wheels = ty_vehicle_wheels(vehicle, wheel); i < 2 * wheels; i++) {
        bool steer = i % 2;
        v = add(list, steer ? TYB_FMI_WHEEL_STEER : TYB_FMI_WHEEL_SPEED, TYB_FMI_F64, "%s.%s.%s", name,
                wheel[i / 2].name, steer ? "steer" : "speed");
        v->a = rover, v->b = i / 2;
        snprintf(v->start, sizeof v->start, "0");
        snprintf(v->unit, sizeof v->unit, "%s", steer ? "rad" : "rad/s");
        snprintf(v->text, sizeof v->text, "told in mode 4: %s", steer ? "steering angle" : "rate of the wheel");
    }
    ty_motor_info motor[TY_MOTORS_MAX];
    for (int i = 0, motors = ty_vehicle_motors(vehicle, motor); i < motors; i++) {
        v = add(list, TYB_FMI_MOTOR, TYB_FMI_F64, "%s.%s.command", name, motor[i].name);
        v->a = rover, v->b = i;
        snprintf(v->start, sizeof v->start, "0");
        snprintf(v->unit, sizeof v->unit, "%s", motor[i].speed ? "rad/s" : "rad");
        snprintf(v->text, sizeof v->text, "told: %s of the motor", motor[i].speed ? "rate" : "angle");
    }
}

static void describe(tyb_fmi_variable *v, int a, int b, int c, const tyi_fmi_field *f, const char *of)
{
    v->a = a, v->b = b, v->c = c;
    snprintf(v->unit, sizeof v->unit, "%s", f->unit);
    snprintf(v->text, sizeof v->text, "%s%s%s", of, of[0] ? ": " : "", f->text);
}

static void add_outputs(tyb_fmi_list *list, const char *name, const ty_vehicle *vehicle, int rover)
{
    for (int k = 0; tyi_fmi_rover_fields[k].name; k++) {
        tyb_fmi_variable *v = add(list, TYB_FMI_STATE, TYB_FMI_F64, "%s.%s", name, tyi_fmi_rover_fields[k].name);
        describe(v, rover, k, 0, &tyi_fmi_rover_fields[k], "");
    }
    ty_wheel_info wheel[TY_WHEELS_MAX];
    for (int i = 0, wheels = ty_vehicle_wheels(vehicle, wheel); i < wheels; i++) {
        for (int k = 0; tyi_fmi_wheel_fields[k].name; k++) {
            tyb_fmi_variable *v =
                add(list, TYB_FMI_WHEEL, TYB_FMI_F64, "%s.%s.%s", name, wheel[i].name, tyi_fmi_wheel_fields[k].name);
            describe(v, rover, i, k, &tyi_fmi_wheel_fields[k], "wheel");
        }
        tyb_fmi_variable *v = add(list, TYB_FMI_CONTACT, TYB_FMI_BOOL, "%s.%s.contact", name, wheel[i].name);
        v->a = rover, v->b = i;
        snprintf(v->text, sizeof v->text, "wheel: whether it touches the ground");
    }
    ty_motor_info motor[TY_MOTORS_MAX];
    for (int i = 0, motors = ty_vehicle_motors(vehicle, motor); i < motors; i++) {
        for (int k = 0; tyi_fmi_motor_fields[k].name; k++) {
            tyb_fmi_variable *v = add(list, TYB_FMI_MOTOR_OUT, TYB_FMI_F64, "%s.%s.%s", name, motor[i].name,
                                      tyi_fmi_motor_fields[k].name);
            describe(v, rover, i, k, &tyi_fmi_motor_fields[k], "motor");
        }
    }
}

/* ---- sensors ---- */

/* one row of numbers, as an IMU gives: a variable for each column */
static void add_columns(tyb_fmi_list *list, const ty_sensor_info *info, int sensor, const ty_buffer_type *type)
{
    for (int c = 0; c < type->channels && info->schema->column[c].name; c++) {
        const ty_message_column *column = &info->schema->column[c];
        tyb_fmi_variable *v = add(list, TYB_FMI_COLUMN, TYB_FMI_F64, "%s.%s.%s", info->rover, info->name, column->name);
        v->a = sensor, v->b = c;
        snprintf(v->unit, sizeof v->unit, "%s", column->unit);
        snprintf(v->text, sizeof v->text, "sensor %s: newest sample", info->schema->name);
    }
}

static void add_parts(tyb_fmi_list *list, const ty_sensor_info *info, int sensor, const ty_message *m)
{
    static const tyb_fmi_type types[] = { [TY_ELEMENT_F32] = TYB_FMI_F32,
                                          [TY_ELEMENT_F64] = TYB_FMI_F64,
                                          [TY_ELEMENT_U8] = TYB_FMI_U8,
                                          [TY_ELEMENT_U16] = TYB_FMI_U16,
                                          [TY_ELEMENT_U32] = TYB_FMI_U32 };
    for (int p = 0; p < m->parts; p++) {
        const ty_buffer_type *type = &m->part[p].data.type;
        tyb_fmi_variable *v =
            add(list, TYB_FMI_PART, types[type->element], "%s.%s.%s", info->rover, info->name, m->part[p].name);
        v->a = sensor, v->b = p;
        v->dim[0] = type->height, v->dim[1] = type->width, v->dim[2] = type->channels > 1 ? type->channels : 0;
        snprintf(v->text, sizeof v->text, "sensor %s: rows from the top, pixels, channels; %s", info->schema->name,
                 ty_unit_name(type->unit));
    }
}

static bool chosen(const ty_sensor_info *info, const char *const *arrays, bool *used)
{
    char name[160];
    snprintf(name, sizeof name, "%s.%s", info->rover, info->name);
    for (size_t i = 0; arrays && arrays[i]; i++) {
        if (!strcmp(arrays[i], name) || !strcmp(arrays[i], info->name)) {
            used[i] = true;
            return true;
        }
    }
    return false;
}

static ty_status add_sensors(tyb_fmi_list *list, ty_run *run, const char *const *arrays, ty_diag *diag)
{
    enum { MOST = 64 };
    bool used[MOST] = { false };
    size_t count = 0;
    while (arrays && arrays[count] && count < MOST) {
        count++;
    }
    for (size_t i = 0; i < ty_run_sensors(run); i++) {
        ty_sensor_info info = ty_run_sensor(run, i);
        const ty_message *m = tyi_sim_sensor_shape(run, i);
        const ty_buffer_type *type = &m->part[0].data.type;
        bool row = type->width == 1 && type->height == 1 && info.schema->column, array = chosen(&info, arrays, used);
        if (row) {
            add_columns(list, &info, (int)i, type);
        } else if (array) {
            add_parts(list, &info, (int)i, m);
        }
        if (row || array) {
            tyb_fmi_variable *v = add(list, TYB_FMI_SEQUENCE, TYB_FMI_I32, "%s.%s.samples", info.rover, info.name);
            v->a = (int)i;
            snprintf(v->text, sizeof v->text, "how many it has given so far");
            v = add(list, TYB_FMI_STAMP, TYB_FMI_F64, "%s.%s.stamp", info.rover, info.name);
            v->a = (int)i;
            snprintf(v->unit, sizeof v->unit, "s");
            snprintf(v->text, sizeof v->text, "when its newest sample was taken: the end of its window");
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (!used[i]) {
            return ty_fail(diag, TY_ERR_INPUT, "there is no sensor '%s'; ROVER.SENSOR or SENSOR is accepted",
                           arrays[i]);
        }
    }
    return TY_OK;
}

static int by_name(const void *a, const void *b)
{
    return strcmp((*(const tyb_fmi_variable *const *)a)->name, (*(const tyb_fmi_variable *const *)b)->name);
}

static ty_status check_names(const tyb_fmi_list *list, ty_diag *diag)
{
    const tyb_fmi_variable **sorted = malloc((list->count + 1) * sizeof *sorted);
    if (!sorted || list->failed) {
        free(sorted);
        return ty_fail(diag, TY_ERR_MEMORY, "no memory for the FMU's variables");
    }
    for (size_t i = 0; i < list->count; i++) {
        sorted[i] = &list->variable[i];
    }
    qsort(sorted, list->count, sizeof *sorted, by_name);
    ty_status status = TY_OK;
    for (size_t i = 1; i < list->count && status == TY_OK; i++) {
        if (!strcmp(sorted[i - 1]->name, sorted[i]->name)) {
            status =
                ty_fail(diag, TY_ERR_INPUT,
                        "two variables of the FMU would be named '%s'; give the rover, wheel or sensor another name",
                        sorted[i]->name);
        }
    }
    free(sorted);
    return status;
}

ty_status tyb_fmi_list_make(tyb_fmi_list *list, const ty_scenario *scenario, ty_run *run, const char *const *arrays,
                            ty_diag *diag)
{
    *list = (tyb_fmi_list){ 0 };
    tyb_fmi_variable *time = add(list, TYB_FMI_TIME, TYB_FMI_F64, "time");
    snprintf(time->unit, sizeof time->unit, "s");
    snprintf(time->text, sizeof time->text, "simulated time");
    for (size_t i = 0; i < scenario->rovers; i++) {
        if (scenario->rover[i].driver.kind == TY_DRIVER_EXTERNAL) {
            add_inputs(list, scenario->rover[i].name, ty_run_rover(run, i), (int)i);
        }
    }
    for (size_t i = 0; i < scenario->rovers; i++) {
        add_outputs(list, scenario->rover[i].name, ty_run_rover(run, i), (int)i);
    }
    ty_status status = add_sensors(list, run, arrays, diag);
    tyi_io_doc_walk(&tyi_scenario_schema, scenario, add_parameter, list);
    status = status == TY_OK ? check_names(list, diag) : status;
    if (status != TY_OK) {
        tyb_fmi_list_free(list);
    }
    return status;
}

/* ---- as lines ---- */

void tyb_fmi_list_print(const tyb_fmi_list *list, FILE *out)
{
    for (size_t i = 0; i < list->count; i++) {
        const tyb_fmi_variable *v = &list->variable[i];
        fprintf(out, "%d %d %d %d %d %d %d %d\t%s\t%s\n", (int)v->what, v->a, v->b, v->c, (int)v->type, v->dim[0],
                v->dim[1], v->dim[2], v->name, v->start);
    }
}

static bool fits(const tyb_fmi_variable *v)
{
    bool known =
        v->what >= TYB_FMI_TIME && v->what <= TYB_FMI_STAMP && v->type >= TYB_FMI_F64 && v->type <= TYB_FMI_STRING;
    for (int i = 0; i < 3; i++) {
        known = known && v->dim[i] >= 0 && v->dim[i] <= 32768;
    }
    size_t fields = v->what == TYB_FMI_WHEEL       ? TYI_FMI_WHEEL_FIELDS
                    : v->what == TYB_FMI_MOTOR_OUT ? TYI_FMI_MOTOR_FIELDS
                                                   : 1;
    size_t states = v->what == TYB_FMI_STATE ? TYI_FMI_ROVER_FIELDS : 64;
    return known && v->a >= 0 && v->b >= 0 && v->c >= 0 && (size_t)v->c < fields && (size_t)v->b < states;
}

ty_status tyb_fmi_list_read(tyb_fmi_list *list, char *lines, ty_diag *diag)
{
    *list = (tyb_fmi_list){ 0 };
    char *rest = lines;
    for (char *line; (line = strsep(&rest, "\n")) != NULL && line[0];) {
        int n[8], end = 0;
        char *name = NULL, *start = NULL;
        if (sscanf(line, "%d %d %d %d %d %d %d %d%n", &n[0], &n[1], &n[2], &n[3], &n[4], &n[5], &n[6], &n[7], &end) ==
                8 &&
            line[end] == '\t') {
            start = line + end + 1;
            name = strsep(&start, "\t");
        }
        tyb_fmi_variable v = { 0 };
        if (name && start) {
            v = (tyb_fmi_variable){ .what = (tyb_fmi_what)n[0],
                                    .a = n[1],
                                    .b = n[2],
                                    .c = n[3],
                                    .type = (tyb_fmi_type)n[4],
                                    .dim = { n[5], n[6], n[7] } };
        }
        if (!name || !start || !fits(&v)) {
            tyb_fmi_list_free(list);
            return ty_fail(diag, TY_ERR_FORMAT, "the FMU's list of variables is damaged");
        }
        tyb_fmi_variable *to = add(list, v.what, v.type, "%s", name);
        memcpy(v.name, to->name, sizeof v.name);
        snprintf(v.start, sizeof v.start, "%s", start);
        *to = v;
    }
    return list->failed ? ty_fail(diag, TY_ERR_MEMORY, "no memory for the FMU's variables") : TY_OK;
}
