/* bridge/fmi/instance.c - see instance.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "instance.h"
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "core/core.h"

struct tyb_fmi_instance {
    tyb_fmi_about about;
    char resources[4096];
    tyb_fmi_tell *tell;
    void *user;
    char **text;   /* of each variable: what a parameter was set to; NULL: its start */
    double *input; /* of each variable: what an input was set to */
    ty_scenario *scenario;
    ty_run *run;
    tyi_fmi_rover *rover;
    double start;  /* [s] the importer's time at the run's zero */
    bool entered;  /* initialised: parameters hold */
    bool current;  /* rover[] is as the run stands now */
    bool finished; /* nothing more can be done with the run: a step failed */
};

static bool fail(tyb_fmi_instance *f, const char *format, ...) TY_PRINTF(2, 3);
static bool fail(tyb_fmi_instance *f, const char *format, ...)
{
    char sentence[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    f->tell(f->user, tyi_text_plain(sentence));
    return false;
}

bool tyb_fmi_refuse(tyb_fmi_instance *f, const char *what)
{
    return fail(f, "this FMU cannot do that: %s", what);
}

/* ---- life ---- */

static void drop_run(tyb_fmi_instance *f)
{
    ty_run_destroy(f->run);
    ty_scenario_destroy(f->scenario);
    f->run = NULL, f->scenario = NULL;
    f->current = f->finished = false;
}

static void start_values(tyb_fmi_instance *f)
{
    for (size_t i = 0; i < f->about.list.count; i++) {
        free(f->text[i]);
        f->text[i] = NULL;
        f->input[i] = 0.0; /* as add_inputs() has them */
    }
}

tyb_fmi_instance *tyb_fmi_open(const char *resources, const char *token, tyb_fmi_tell *tell, void *user)
{
    ty_diag diag = { 0 };
    tyb_fmi_instance *f = calloc(1, sizeof *f);
    if (!f) {
        tell(user, "no memory for an instance");
        return NULL;
    }
    f->tell = tell, f->user = user;
    snprintf(f->resources, sizeof f->resources, "%s", resources);
    size_t end = strlen(f->resources);
    if (end > 1 && f->resources[end - 1] == '/') {
        f->resources[end - 1] = '\0';
    }
    bool good = tyb_fmi_about_read(f->resources, &f->about, &diag) == TY_OK || fail(f, "%s", diag.text);
    if (good && token && strcmp(token, f->about.token)) {
        good = fail(f, "the importer's token is '%.80s', but this FMU's is '%s'", token, f->about.token);
    }
    f->text = calloc(f->about.list.count + 1, sizeof *f->text);
    f->input = calloc(f->about.list.count + 1, sizeof *f->input);
    f->rover = calloc(64, sizeof *f->rover); /* as many as a scenario may have */
    good = good && ((f->text && f->input && f->rover) || fail(f, "no memory for an instance"));
    if (!good) {
        tyb_fmi_close(f);
    }
    return good ? f : NULL;
}

void tyb_fmi_close(tyb_fmi_instance *f)
{
    if (f) {
        drop_run(f);
        for (size_t i = 0; f->text && i < f->about.list.count; i++) {
            free(f->text[i]);
        }
        free(f->text);
        free(f->input);
        free(f->rover);
        tyb_fmi_about_free(&f->about);
        free(f);
    }
}

/* the scenario with its settings and what parameters were set to; *settings: from malloc, with what they point to */
static const char **all_settings(const tyb_fmi_instance *f, size_t *count)
{
    const tyb_fmi_list *list = &f->about.list;
    size_t bytes = (f->about.sets + list->count + 1) * sizeof(char *), texts = 1;
    for (size_t i = 0; i < list->count; i++) {
        texts += f->text[i] ? strlen(list->variable[i].name) + strlen(f->text[i]) + 2 : 0;
    }
    const char **out = malloc(bytes + texts);
    char *to = (char *)out + bytes;
    *count = 0;
    for (size_t i = 0; out && i < f->about.sets; i++) {
        out[(*count)++] = f->about.set[i];
    }
    for (size_t i = 0; out && i < list->count; i++) {
        if (f->text[i]) {
            out[(*count)++] = to;
            to += sprintf(to, "%s=%s", list->variable[i].name, f->text[i]) + 1;
        }
    }
    return out;
}

/* whether the run has what the list tells of */
static bool fits_run(tyb_fmi_instance *f)
{
    for (size_t i = 0; i < f->about.list.count; i++) {
        const tyb_fmi_variable *v = &f->about.list.variable[i];
        size_t a = (size_t)v->a, rovers = ty_run_rovers(f->run);
        bool there = v->what == TYB_FMI_TIME || v->what == TYB_FMI_PARAMETER;
        if (v->what >= TYB_FMI_COLUMN) {
            there = a < ty_run_sensors(f->run);
        } else if (!there && a < rovers) {
            const ty_vehicle *r = ty_run_rover(f->run, a);
            bool motor = v->what == TYB_FMI_MOTOR || v->what == TYB_FMI_MOTOR_OUT,
                 wheel = v->what == TYB_FMI_WHEEL || v->what == TYB_FMI_CONTACT || v->what == TYB_FMI_WHEEL_SPEED ||
                         v->what == TYB_FMI_WHEEL_STEER;
            there = motor ? v->b < ty_vehicle_motors(r, NULL) : !wheel || v->b < ty_vehicle_wheels(r, NULL);
        }
        if (!there) {
            return fail(f, "the scenario in this FMU has nothing for its variable %s", v->name);
        }
    }
    return true;
}

static bool need_run(tyb_fmi_instance *f)
{
    if (f->finished) {
        return fail(f, "a step or a state failed before; reset the instance or free it");
    }
    if (f->run) {
        return true;
    }
    ty_diag diag = { 0 };
    char path[sizeof f->resources + 1100];
    size_t count;
    const char **settings = all_settings(f, &count);
    snprintf(path, sizeof path, "%s/%s", f->resources, f->about.scenario);
    ty_status status = settings ? ty_scenario_load(path, settings, count, &f->scenario, &diag)
                                : ty_fail(&diag, TY_ERR_MEMORY, "no memory");
    free(settings);
    if (status == TY_OK) {
        ty_run_def def = ty_run_def_default();
        def.scenario = f->scenario;
        status = ty_run_create(&def, &f->run, &diag);
    }
    bool good = status == TY_OK ? fits_run(f) : fail(f, "%s", diag.text);
    if (!good) {
        drop_run(f);
    }
    return good;
}

bool tyb_fmi_enter(tyb_fmi_instance *f, double start)
{
    f->start = start;
    return true;
}

bool tyb_fmi_exit(tyb_fmi_instance *f)
{
    f->entered = need_run(f);
    return f->entered;
}

bool tyb_fmi_reset(tyb_fmi_instance *f)
{
    drop_run(f);
    start_values(f);
    f->entered = false;
    return true;
}

/* ---- a step ---- */

static ty_status command(tyb_fmi_instance *f, size_t rover, ty_diag *diag)
{
    ty_drive_command drive = { 0 };
    double speed[TY_WHEELS_MAX] = { 0 }, steer[TY_WHEELS_MAX] = { 0 };
    int mode = 0;
    ty_vehicle *vehicle = ty_run_rover(f->run, rover);
    ty_status status = TY_OK;
    for (size_t i = 0; i < f->about.list.count && status == TY_OK; i++) {
        const tyb_fmi_variable *v = &f->about.list.variable[i];
        double value = f->input[i];
        if (!TYB_FMI_INPUT(v->what) || (size_t)v->a != rover) {
            continue;
        }
        switch ((int)v->what) {
        case TYB_FMI_MODE:
            mode = (int)value;
            break;
        case TYB_FMI_V:
            drive.v = value;
            break;
        case TYB_FMI_OMEGA:
            drive.omega = value;
            break;
        case TYB_FMI_CRAB:
            drive.crab = value;
            break;
        case TYB_FMI_WHEEL_SPEED:
            speed[v->b] = value;
            break;
        case TYB_FMI_WHEEL_STEER:
            steer[v->b] = value;
            break;
        default:
            status = ty_vehicle_command_motor(vehicle, v->b, value, diag);
            break;
        }
    }
    drive.mode = mode == TYB_FMI_MODE_WHEELS ? TY_STEER_ACKERMANN : (ty_steering)mode;
    if (status == TY_OK) {
        status = mode == TYB_FMI_MODE_WHEELS ? ty_vehicle_command_wheels(vehicle, speed, steer, diag)
                                             : ty_run_command(f->run, rover, &drive, diag);
    }
    return status;
}

double tyb_fmi_time(const tyb_fmi_instance *f)
{
    return f->start + (f->run ? ty_seconds(ty_run_time(f->run)) : 0.0);
}

bool tyb_fmi_step(tyb_fmi_instance *f, double time, double step)
{
    ty_diag diag = { 0 };
    double end = time + step - f->start;
    if (!f->entered || !need_run(f)) {
        return f->entered ? false : fail(f, "a step comes before the instance was initialised");
    }
    if (!isfinite(end) || step < 0.0 || fabs(end) > 1e9) {
        return fail(f, "a step from %g s over %g s is not possible", time, step);
    }
    ty_status status = TY_OK;
    for (size_t i = 0; i < ty_run_rovers(f->run) && status == TY_OK; i++) {
        status = f->scenario->rover[i].driver.kind == TY_DRIVER_EXTERNAL ? command(f, i, &diag) : TY_OK;
    }
    /* to the step of the run that is nearest; each end counts from the start, so that no error gathers */
    ty_time target = ty_time_from(end), half = ty_time_from(f->scenario->step) / 2;
    f->current = false;
    while (status == TY_OK && ty_run_time(f->run) + half < target) {
        status = ty_run_step(f->run, &diag);
    }
    f->finished = status != TY_OK;
    return status == TY_OK || fail(f, "%s", diag.text);
}

/* ---- values ---- */

static const tyb_fmi_variable *variable(tyb_fmi_instance *f, tyi_fmi_ref ref, tyb_fmi_type type)
{
    const tyb_fmi_variable *v = ref < f->about.list.count ? &f->about.list.variable[ref] : NULL;
    if (!v) {
        fail(f, "there is no variable %u; the last one is %zu", (unsigned)ref, f->about.list.count - 1);
    } else if (v->type != type) {
        fail(f, "variable %u, %s, has another type than the call", (unsigned)ref, v->name);
        v = NULL;
    }
    return v;
}

static double parameter(const tyb_fmi_instance *f, size_t ref)
{
    const char *text = f->text[ref] ? f->text[ref] : f->about.list.variable[ref].start;
    if (f->about.list.variable[ref].type == TYB_FMI_BOOL) {
        return !strcmp(text, "true") || !strcmp(text, "1");
    }
    return tyi_number(text, NULL);
}

static double scalar(tyb_fmi_instance *f, size_t ref)
{
    const tyb_fmi_variable *v = &f->about.list.variable[ref];
    if (v->what == TYB_FMI_TIME) {
        return tyb_fmi_time(f);
    }
    if (v->what == TYB_FMI_PARAMETER) {
        return parameter(f, ref);
    }
    if (TYB_FMI_INPUT(v->what)) {
        return f->input[ref];
    }
    if (v->what >= TYB_FMI_COLUMN) {
        const ty_message *m = ty_run_newest(f->run, (size_t)v->a);
        const ty_buffer *b = m ? &m->part[0].data : NULL;
        switch ((int)v->what) {
        case TYB_FMI_SEQUENCE:
            return (double)ty_run_sensor(f->run, (size_t)v->a).sequence;
        case TYB_FMI_STAMP:
            return m ? f->start + ty_seconds(m->time.end) : 0.0;
        default:
            return b && v->b < b->type.channels ? ty_buffer_get(b, 0, 0, v->b) : 0.0;
        }
    }
    if (!f->current) {
        for (size_t i = 0; i < ty_run_rovers(f->run); i++) {
            tyi_fmi_rover_read(ty_run_rover(f->run, i), &f->rover[i]);
        }
        f->current = true;
    }
    return tyb_fmi_rover_get(&f->rover[v->a], v);
}

static size_t type_bytes(tyb_fmi_type type)
{
    static const size_t bytes[] = { sizeof(double), sizeof(float), sizeof(int32_t), 1, 2, 4,
                                    sizeof(bool),   sizeof(char *) };
    return bytes[type];
}

/* an image or a cloud: what the newest message has of it, nothing (zeros, NaN of reals) elsewhere */
static void read_part(const tyb_fmi_instance *f, const tyb_fmi_variable *v, char *out)
{
    static const ty_element elements[] = { [TYB_FMI_F64] = TY_ELEMENT_F64,
                                           [TYB_FMI_F32] = TY_ELEMENT_F32,
                                           [TYB_FMI_U8] = TY_ELEMENT_U8,
                                           [TYB_FMI_U16] = TY_ELEMENT_U16,
                                           [TYB_FMI_U32] = TY_ELEMENT_U32 };
    ty_buffer_type type = {
        .width = v->dim[1], .height = v->dim[0], .channels = v->dim[2] ? v->dim[2] : 1, .element = elements[v->type]
    };
    ty_buffer to = ty_buffer_wrap(&type, out);
    const ty_message *m = ty_run_newest(f->run, (size_t)v->a);
    const ty_buffer *from = m && v->b < m->parts ? &m->part[v->b].data : NULL;
    bool real = v->type == TYB_FMI_F64 || v->type == TYB_FMI_F32;
    if (from && from->type.width == type.width && from->type.height == type.height &&
        from->type.channels == type.channels && from->type.element == type.element) {
        ty_buffer_copy(&to, from);
        return;
    }
    for (int y = 0; y < type.height; y++) {
        for (int x = 0; x < type.width; x++) {
            for (int c = 0; c < type.channels; c++) {
                bool there = from && y < from->type.height && x < from->type.width && c < from->type.channels;
                ty_buffer_set(&to, x, y, c, there ? ty_buffer_get(from, x, y, c) : real ? (double)NAN : 0.0);
            }
        }
    }
}

static void read_one(tyb_fmi_instance *f, size_t ref, char *out)
{
    const tyb_fmi_variable *v = &f->about.list.variable[ref];
    if (v->what == TYB_FMI_PART) {
        read_part(f, v, out);
    } else if (v->type == TYB_FMI_STRING) {
        *(const char **)(void *)out = f->text[ref] ? f->text[ref] : v->start;
    } else if (v->type == TYB_FMI_I32) {
        *(int32_t *)(void *)out = (int32_t)scalar(f, ref);
    } else if (v->type == TYB_FMI_BOOL) {
        *(bool *)out = scalar(f, ref) != 0.0;
    } else {
        *(double *)(void *)out = scalar(f, ref);
    }
}

bool tyb_fmi_get(tyb_fmi_instance *f, tyb_fmi_type type, const tyi_fmi_ref *ref, size_t count, void *out, size_t room)
{
    char *to = out;
    for (size_t i = 0; i < count; i++) {
        const tyb_fmi_variable *v = variable(f, ref[i], type);
        size_t n = v ? tyb_fmi_elements(v) : 0;
        if (!v || (TYB_FMI_OUTPUT(v->what) && !need_run(f))) {
            return false;
        }
        if (n > room) {
            return fail(f, "variable %s has %zu elements, but the call has room for %zu", v->name, n, room);
        }
        read_one(f, ref[i], to);
        room -= n;
        to += n * type_bytes(type);
    }
    return true;
}

static bool set_parameter(tyb_fmi_instance *f, size_t ref, const void *in)
{
    const tyb_fmi_variable *v = &f->about.list.variable[ref];
    char text[TYB_FMI_TEXT];
    if (f->entered) {
        return fail(f, "parameter %s is set after initialisation, but holds from there on", v->name);
    }
    switch ((int)v->type) {
    case TYB_FMI_STRING:
        snprintf(text, sizeof text, "%s", *(const char *const *)in ? *(const char *const *)in : "");
        break;
    case TYB_FMI_I32:
        snprintf(text, sizeof text, "%d", (int)*(const int32_t *)in);
        break;
    case TYB_FMI_BOOL:
        snprintf(text, sizeof text, "%s", *(const bool *)in ? "true" : "false");
        break;
    default:
        snprintf(text, sizeof text, "%.17g", *(const double *)in);
        break;
    }
    bool start = !strcmp(text, v->start) ||
                 (v->type == TYB_FMI_BOOL && (*(const bool *)in ? '1' : '0') == v->start[0]); /* as it stands */
    char *copy = start ? NULL : strdup(text);
    if (!start && !copy) {
        return fail(f, "no memory for parameter %s", v->name);
    }
    free(f->text[ref]);
    f->text[ref] = copy;
    drop_run(f); /* it is made again with this */
    return true;
}

static bool set_input(tyb_fmi_instance *f, size_t ref, double value)
{
    const tyb_fmi_variable *v = &f->about.list.variable[ref];
    if (!isfinite(value) || (v->what == TYB_FMI_MODE && !(value >= 0.0 && value <= TYB_FMI_MODE_WHEELS))) {
        return fail(f, "input %s is %g, but takes %s", v->name, value,
                    v->what == TYB_FMI_MODE ? "0 to 4" : "finite numbers");
    }
    f->input[ref] = value;
    return true;
}

bool tyb_fmi_set(tyb_fmi_instance *f, tyb_fmi_type type, const tyi_fmi_ref *ref, size_t count, const void *in,
                 size_t room)
{
    const char *from = in;
    for (size_t i = 0; i < count; i++, from += type_bytes(type)) {
        const tyb_fmi_variable *v = variable(f, ref[i], type);
        if (!v) {
            return false;
        }
        if (i >= room) {
            return fail(f, "%zu variables are set by %zu values", count, room);
        }
        bool good = v->what == TYB_FMI_PARAMETER ? set_parameter(f, ref[i], from)
                    : !TYB_FMI_INPUT(v->what)    ? fail(f, "%s is not to be set: it is an output", v->name)
                    : type == TYB_FMI_I32        ? set_input(f, ref[i], *(const int32_t *)(const void *)from)
                                                 : set_input(f, ref[i], *(const double *)(const void *)from);
        if (!good) {
            return false;
        }
    }
    return true;
}

/* ---- states: the run's checkpoint, inputs and parameters ---- */

struct tyb_fmi_state {
    char magic[16], token[48];
    uint64_t bytes; /* of all of it: inputs, parameters as text lines, the run */
    uint64_t inputs, texts, run;
    double start;
    uint64_t entered;
};
static const char state_magic[16] = "tycho fmu 1";

bool tyb_fmi_save(tyb_fmi_instance *f, tyb_fmi_state **state)
{
    ty_diag diag = { 0 };
    void *run = NULL;
    size_t bytes = 0, texts = 0, n = f->about.list.count;
    if (!need_run(f)) {
        return false;
    }
    if (ty_run_save(f->run, &run, &bytes, &diag) != TY_OK) {
        return fail(f, "%s", diag.text);
    }
    for (size_t i = 0; i < n; i++) {
        texts += f->text[i] ? strlen(f->text[i]) + 1 : 1;
    }
    tyb_fmi_state *s = calloc(1, sizeof *s + n * sizeof(double) + texts + bytes);
    if (!s) {
        free(run);
        return fail(f, "no memory for a state of %zu bytes", bytes);
    }
    *s = (tyb_fmi_state){ .bytes = sizeof *s + n * sizeof(double) + texts + bytes,
                          .inputs = n,
                          .texts = texts,
                          .run = bytes,
                          .start = f->start,
                          .entered = f->entered };
    memcpy(s->magic, state_magic, sizeof s->magic);
    memcpy(s->token, f->about.token, sizeof s->token);
    char *to = (char *)(s + 1);
    memcpy(to, f->input, n * sizeof(double));
    to += n * sizeof(double);
    for (size_t i = 0; i < n; i++) { /* an empty one: as it starts */
        to = stpcpy(to, f->text[i] ? f->text[i] : "") + 1;
    }
    memcpy(to, run, bytes);
    free(run);
    tyb_fmi_state_free(*state);
    *state = s;
    return true;
}

/* parameters as the state has them; *changed: they are others than before */
static bool restore_texts(tyb_fmi_instance *f, const char *from, bool *changed)
{
    *changed = false;
    for (size_t i = 0; i < f->about.list.count; i++, from += strlen(from) + 1) {
        if (!strcmp(f->text[i] ? f->text[i] : "", from)) {
            continue;
        }
        char *copy = from[0] ? strdup(from) : NULL;
        if (from[0] && !copy) {
            return fail(f, "no memory for parameter %s", f->about.list.variable[i].name);
        }
        free(f->text[i]);
        f->text[i] = copy;
        *changed = true;
    }
    return true;
}

bool tyb_fmi_restore(tyb_fmi_instance *f, const tyb_fmi_state *s)
{
    ty_diag diag = { 0 };
    bool changed;
    const char *from = (const char *)(s + 1);
    if (strcmp(s->token, f->about.token) || s->inputs != f->about.list.count) {
        return fail(f, "the state is of another FMU");
    }
    if (!restore_texts(f, from + s->inputs * sizeof(double), &changed)) {
        return false;
    }
    if (changed || f->finished) {
        drop_run(f);
    }
    memcpy(f->input, from, s->inputs * sizeof(double));
    f->start = s->start, f->entered = s->entered != 0;
    if (!need_run(f)) {
        return false;
    }
    f->current = false;
    f->finished = ty_run_restore(f->run, from + s->inputs * sizeof(double) + s->texts, s->run, &diag) != TY_OK;
    return !f->finished || fail(f, "%s", diag.text);
}

void tyb_fmi_state_free(tyb_fmi_state *state)
{
    free(state);
}

size_t tyb_fmi_state_bytes(const tyb_fmi_state *state)
{
    return state->bytes;
}

const void *tyb_fmi_state_data(const tyb_fmi_state *state)
{
    return state;
}

bool tyb_fmi_state_read(tyb_fmi_instance *f, const void *data, size_t bytes, tyb_fmi_state **out)
{
    tyb_fmi_state head = { 0 };
    memcpy(&head, data, bytes < sizeof head ? bytes : sizeof head);
    bool whole = bytes >= sizeof head && !memcmp(head.magic, state_magic, sizeof head.magic) && head.bytes == bytes &&
                 head.inputs == f->about.list.count && head.texts <= bytes && head.run <= bytes &&
                 head.token[sizeof head.token - 1] == '\0' &&
                 head.bytes == sizeof head + head.inputs * sizeof(double) + head.texts + head.run;
    /* as many texts as variables, each with its end */
    const char *from = (const char *)data + sizeof head + head.inputs * sizeof(double);
    size_t ends = 0;
    for (size_t i = 0; whole && i < head.texts; i++) {
        ends += from[i] == '\0';
    }
    if (!whole || ends != head.inputs || (head.texts && from[head.texts - 1])) {
        return fail(f, "the serialised state is damaged, or of another FMU");
    }
    tyb_fmi_state *s = malloc(bytes);
    if (!s) {
        return fail(f, "no memory for a state of %zu bytes", bytes);
    }
    memcpy(s, data, bytes);
    tyb_fmi_state_free(*out);
    *out = s;
    return true;
}
