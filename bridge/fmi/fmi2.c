/* bridge/fmi/fmi2.c - the functions of FMI 2.0 for co-simulation [fmi2]; names and argument lists are those of the standard.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "instance.h"

#define FMI(type) __attribute__((visibility("default"))) type
#define REFS      const tyi_fmi_ref *ref, size_t refs

typedef struct component {
    tyb_fmi_instance *f;
    tyi_fmi2_callbacks callbacks;
    char name[200];
} component;

static void tell(void *user, const char *sentence)
{
    component *c = user;
    if (c->callbacks.logger) {
        c->callbacks.logger(c->callbacks.environment, c->name, TYI_FMI_ERROR, "logStatusError", "%s", sentence);
    }
}

static int result(bool good)
{
    return good ? TYI_FMI_OK : TYI_FMI_ERROR;
}

static tyb_fmi_instance *of(void *instance)
{
    return ((component *)instance)->f;
}

static int digit(char c)
{
    return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

/* file:///a%20b, file:/a or file://localhost/a -> /a b; false: no file's */
static bool path_of(const char *uri, char *out, size_t size)
{
    if (!uri || strncmp(uri, "file:", 5)) {
        return false;
    }
    uri += 5;
    uri += !strncmp(uri, "//localhost/", 12) ? 11 : !strncmp(uri, "///", 3) ? 2 : 0;
    size_t n = 0;
    for (; *uri && n + 1 < size; uri++) {
        bool coded = uri[0] == '%' && isxdigit((unsigned char)uri[1]) && isxdigit((unsigned char)uri[2]);
        out[n++] = coded ? (char)(16 * digit(uri[1]) + digit(uri[2])) : *uri;
        uri += coded ? 2 : 0;
    }
    out[n] = '\0';
    return out[0] == '/' && !*uri;
}

/* ---- life ---- */

FMI(const char *) fmi2GetTypesPlatform(void);
FMI(const char *) fmi2GetTypesPlatform(void)
{
    return "default";
}

FMI(const char *) fmi2GetVersion(void);
FMI(const char *) fmi2GetVersion(void)
{
    return "2.0";
}

FMI(int) fmi2SetDebugLogging(void *c, int on, size_t n, const char *const *categories);
FMI(int) fmi2SetDebugLogging(void *c, int on, size_t n, const char *const *categories)
{
    (void)c, (void)on, (void)n, (void)categories;
    return TYI_FMI_OK;
}

FMI(void *)
fmi2Instantiate(const char *name, int type, const char *guid, const char *resources,
                const tyi_fmi2_callbacks *callbacks, int visible, int logging);
FMI(void *)
fmi2Instantiate(const char *name, int type, const char *guid, const char *resources,
                const tyi_fmi2_callbacks *callbacks, int visible, int logging)
{
    (void)visible, (void)logging;
    char path[4096];
    component *c = calloc(1, sizeof *c);
    if (!c) {
        return NULL;
    }
    c->callbacks = callbacks ? *callbacks : (tyi_fmi2_callbacks){ 0 };
    snprintf(c->name, sizeof c->name, "%s", name ? name : "");
    if (type != TYI_FMI2_CO_SIMULATION) {
        tell(c, "this FMU is for co-simulation, not for model exchange");
    } else if (!path_of(resources, path, sizeof path)) {
        tell(c, "this FMU needs the place of its resources as file:///...");
    } else {
        c->f = tyb_fmi_open(path, guid, tell, c);
    }
    if (!c->f) {
        free(c);
        return NULL;
    }
    return c;
}

FMI(void) fmi2FreeInstance(void *c);
FMI(void) fmi2FreeInstance(void *c)
{
    if (c) {
        tyb_fmi_close(of(c));
        free(c);
    }
}

FMI(int)
fmi2SetupExperiment(void *c, int tolerance_defined, double tolerance, double start, int stop_defined, double stop);
FMI(int)
fmi2SetupExperiment(void *c, int tolerance_defined, double tolerance, double start, int stop_defined, double stop)
{
    (void)tolerance_defined, (void)tolerance, (void)stop_defined, (void)stop;
    return result(tyb_fmi_enter(of(c), start));
}

FMI(int) fmi2EnterInitializationMode(void *c);
FMI(int) fmi2EnterInitializationMode(void *c)
{
    (void)c;
    return TYI_FMI_OK;
}

FMI(int) fmi2ExitInitializationMode(void *c);
FMI(int) fmi2ExitInitializationMode(void *c)
{
    return result(tyb_fmi_exit(of(c)));
}

FMI(int) fmi2Terminate(void *c);
FMI(int) fmi2Terminate(void *c)
{
    (void)c;
    return TYI_FMI_OK;
}

FMI(int) fmi2Reset(void *c);
FMI(int) fmi2Reset(void *c)
{
    return result(tyb_fmi_reset(of(c)));
}

FMI(int) fmi2DoStep(void *c, double time, double step, int no_return);
FMI(int) fmi2DoStep(void *c, double time, double step, int no_return)
{
    (void)no_return;
    return result(tyb_fmi_step(of(c), time, step));
}

FMI(int) fmi2CancelStep(void *c);
FMI(int) fmi2CancelStep(void *c)
{
    return result(tyb_fmi_refuse(of(c), "its steps are done when they return"));
}

/* ---- values: booleans are int here ---- */

FMI(int) fmi2GetReal(void *c, REFS, double *value);
FMI(int) fmi2GetReal(void *c, REFS, double *value)
{
    return result(tyb_fmi_get(of(c), TYB_FMI_F64, ref, refs, value, refs));
}

FMI(int) fmi2SetReal(void *c, REFS, const double *value);
FMI(int) fmi2SetReal(void *c, REFS, const double *value)
{
    return result(tyb_fmi_set(of(c), TYB_FMI_F64, ref, refs, value, refs));
}

FMI(int) fmi2GetInteger(void *c, REFS, int *value);
FMI(int) fmi2GetInteger(void *c, REFS, int *value)
{
    return result(tyb_fmi_get(of(c), TYB_FMI_I32, ref, refs, value, refs));
}

FMI(int) fmi2SetInteger(void *c, REFS, const int *value);
FMI(int) fmi2SetInteger(void *c, REFS, const int *value)
{
    return result(tyb_fmi_set(of(c), TYB_FMI_I32, ref, refs, value, refs));
}

FMI(int) fmi2GetBoolean(void *c, REFS, int *value);
FMI(int) fmi2GetBoolean(void *c, REFS, int *value)
{
    bool good = true;
    for (size_t i = 0; i < refs && good; i++) {
        bool one = false;
        good = tyb_fmi_get(of(c), TYB_FMI_BOOL, &ref[i], 1, &one, 1);
        value[i] = one;
    }
    return result(good);
}

FMI(int) fmi2SetBoolean(void *c, REFS, const int *value);
FMI(int) fmi2SetBoolean(void *c, REFS, const int *value)
{
    bool good = true;
    for (size_t i = 0; i < refs && good; i++) {
        bool one = value[i] != 0;
        good = tyb_fmi_set(of(c), TYB_FMI_BOOL, &ref[i], 1, &one, 1);
    }
    return result(good);
}

FMI(int) fmi2GetString(void *c, REFS, const char **value);
FMI(int) fmi2GetString(void *c, REFS, const char **value)
{
    return result(tyb_fmi_get(of(c), TYB_FMI_STRING, ref, refs, value, refs));
}

FMI(int) fmi2SetString(void *c, REFS, const char *const *value);
FMI(int) fmi2SetString(void *c, REFS, const char *const *value)
{
    return result(tyb_fmi_set(of(c), TYB_FMI_STRING, ref, refs, value, refs));
}

/* ---- states ---- */

FMI(int) fmi2GetFMUstate(void *c, void **state);
FMI(int) fmi2GetFMUstate(void *c, void **state)
{
    tyb_fmi_state *s = *state;
    bool good = tyb_fmi_save(of(c), &s);
    *state = s;
    return result(good);
}

FMI(int) fmi2SetFMUstate(void *c, void *state);
FMI(int) fmi2SetFMUstate(void *c, void *state)
{
    return result(tyb_fmi_restore(of(c), state));
}

FMI(int) fmi2FreeFMUstate(void *c, void **state);
FMI(int) fmi2FreeFMUstate(void *c, void **state)
{
    (void)c;
    if (state) {
        tyb_fmi_state_free(*state);
        *state = NULL;
    }
    return TYI_FMI_OK;
}

FMI(int) fmi2SerializedFMUstateSize(void *c, void *state, size_t *bytes);
FMI(int) fmi2SerializedFMUstateSize(void *c, void *state, size_t *bytes)
{
    (void)c;
    *bytes = tyb_fmi_state_bytes(state);
    return TYI_FMI_OK;
}

FMI(int) fmi2SerializeFMUstate(void *c, void *state, char *to, size_t bytes);
FMI(int) fmi2SerializeFMUstate(void *c, void *state, char *to, size_t bytes)
{
    if (bytes < tyb_fmi_state_bytes(state)) {
        return result(tyb_fmi_refuse(of(c), "a state into fewer bytes than it has"));
    }
    memcpy(to, tyb_fmi_state_data(state), tyb_fmi_state_bytes(state));
    return TYI_FMI_OK;
}

FMI(int) fmi2DeSerializeFMUstate(void *c, const char *from, size_t bytes, void **state);
FMI(int) fmi2DeSerializeFMUstate(void *c, const char *from, size_t bytes, void **state)
{
    tyb_fmi_state *s = NULL;
    bool good = tyb_fmi_state_read(of(c), from, bytes, &s);
    *state = s;
    return result(good);
}

/* ---- what it cannot do ---- */

FMI(int)
fmi2GetDirectionalDerivative(void *c, const tyi_fmi_ref *unknown, size_t unknowns, const tyi_fmi_ref *known,
                             size_t knowns, const double *seed, double *out);
FMI(int)
fmi2GetDirectionalDerivative(void *c, const tyi_fmi_ref *unknown, size_t unknowns, const tyi_fmi_ref *known,
                             size_t knowns, const double *seed, double *out)
{
    (void)unknown, (void)unknowns, (void)known, (void)knowns, (void)seed, (void)out;
    return result(tyb_fmi_refuse(of(c), "it has no derivatives"));
}

FMI(int) fmi2SetRealInputDerivatives(void *c, REFS, const int *order, const double *value);
FMI(int) fmi2SetRealInputDerivatives(void *c, REFS, const int *order, const double *value)
{
    (void)ref, (void)refs, (void)order, (void)value;
    return result(tyb_fmi_refuse(of(c), "it holds inputs over a step"));
}

FMI(int) fmi2GetRealOutputDerivatives(void *c, REFS, const int *order, double *value);
FMI(int) fmi2GetRealOutputDerivatives(void *c, REFS, const int *order, double *value)
{
    (void)ref, (void)refs, (void)order, (void)value;
    return result(tyb_fmi_refuse(of(c), "it has no derivatives"));
}

#define STATUS(name, ctype)                                                               \
    FMI(int) fmi2Get##name(void *c, int kind, ctype *value);                              \
    FMI(int) fmi2Get##name(void *c, int kind, ctype *value)                               \
    {                                                                                     \
        (void)kind, (void)value;                                                          \
        tyb_fmi_refuse(of(c), "its steps are done when they return: nothing is pending"); \
        return TYI_FMI_DISCARD;                                                           \
    }
STATUS(Status, int)
STATUS(RealStatus, double)
STATUS(IntegerStatus, int)
STATUS(BooleanStatus, int)
STATUS(StringStatus, const char *)
