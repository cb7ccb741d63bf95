/* bridge/fmi/fmi3.c - the functions of FMI 3.0 that an FMU of ours offers: co-simulation. fmi3_refused.c has the others.
 *
 * Names and argument lists are those of the standard's section 2 and 4 [fmi3].
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>
#include "instance.h"

#define FMI(type) __attribute__((visibility("default"))) type
#define REFS      const tyi_fmi_ref *ref, size_t refs

typedef struct component {
    tyb_fmi_instance *f; /* first: fmi3_refused.c counts on it */
    tyi_fmi3_logger *logger;
    void *environment;
} component;

static void tell(void *user, const char *sentence)
{
    component *c = user;
    if (c->logger) { /* also where logging is off: a call that fails says why */
        c->logger(c->environment, TYI_FMI_ERROR, "error", sentence);
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

/* ---- life ---- */

FMI(const char *) fmi3GetVersion(void);
FMI(const char *) fmi3GetVersion(void)
{
    return "3.0";
}

FMI(int) fmi3SetDebugLogging(void *c, bool on, size_t n, const char *const *categories);
FMI(int) fmi3SetDebugLogging(void *c, bool on, size_t n, const char *const *categories)
{
    (void)c, (void)on, (void)n, (void)categories;
    return TYI_FMI_OK; /* there are but errors, which are always told */
}

FMI(void *)
fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, bool visible, bool logging,
                            bool event_mode, bool early_return, const tyi_fmi_ref *intermediate, size_t intermediates,
                            void *environment, tyi_fmi3_logger *logger, tyi_fmi3_intermediate *update);
FMI(void *)
fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, bool visible, bool logging,
                            bool event_mode, bool early_return, const tyi_fmi_ref *intermediate, size_t intermediates,
                            void *environment, tyi_fmi3_logger *logger, tyi_fmi3_intermediate *update)
{
    (void)name, (void)visible, (void)logging, (void)early_return, (void)intermediate, (void)update;
    component *c = calloc(1, sizeof *c);
    if (!c) {
        return NULL;
    }
    c->logger = logger, c->environment = environment;
    if (event_mode || intermediates || !resources) {
        tell(c, resources ? "this FMU has neither event mode nor intermediate variables"
                          : "this FMU needs the path of its resources");
    } else {
        c->f = tyb_fmi_open(resources, token, tell, c);
    }
    if (!c->f) {
        free(c);
        return NULL;
    }
    return c;
}

FMI(void) fmi3FreeInstance(void *c);
FMI(void) fmi3FreeInstance(void *c)
{
    if (c) {
        tyb_fmi_close(of(c));
        free(c);
    }
}

FMI(int)
fmi3EnterInitializationMode(void *c, bool tolerance_defined, double tolerance, double start, bool stop_defined,
                            double stop);
FMI(int)
fmi3EnterInitializationMode(void *c, bool tolerance_defined, double tolerance, double start, bool stop_defined,
                            double stop)
{
    (void)tolerance_defined, (void)tolerance, (void)stop_defined, (void)stop;
    return result(tyb_fmi_enter(of(c), start));
}

FMI(int) fmi3ExitInitializationMode(void *c);
FMI(int) fmi3ExitInitializationMode(void *c)
{
    return result(tyb_fmi_exit(of(c)));
}

FMI(int) fmi3Terminate(void *c);
FMI(int) fmi3Terminate(void *c)
{
    (void)c;
    return TYI_FMI_OK;
}

FMI(int) fmi3Reset(void *c);
FMI(int) fmi3Reset(void *c)
{
    return result(tyb_fmi_reset(of(c)));
}

FMI(int)
fmi3DoStep(void *c, double time, double step, bool no_return, bool *event, bool *terminate, bool *early, double *last);
FMI(int)
fmi3DoStep(void *c, double time, double step, bool no_return, bool *event, bool *terminate, bool *early, double *last)
{
    (void)no_return;
    bool good = tyb_fmi_step(of(c), time, step);
    *event = *early = false;
    *terminate = !good;
    *last = good ? time + step : tyb_fmi_time(of(c));
    return result(good);
}

/* ---- values ---- */

#define ACCESS(name, ctype, type)                                             \
    FMI(int) fmi3Get##name(void *c, REFS, ctype *value, size_t values);       \
    FMI(int) fmi3Get##name(void *c, REFS, ctype *value, size_t values)        \
    {                                                                         \
        return result(tyb_fmi_get(of(c), type, ref, refs, value, values));    \
    }                                                                         \
    FMI(int) fmi3Set##name(void *c, REFS, const ctype *value, size_t values); \
    FMI(int) fmi3Set##name(void *c, REFS, const ctype *value, size_t values)  \
    {                                                                         \
        return result(tyb_fmi_set(of(c), type, ref, refs, value, values));    \
    }
ACCESS(Float64, double, TYB_FMI_F64)
ACCESS(Float32, float, TYB_FMI_F32)
ACCESS(Int32, int32_t, TYB_FMI_I32)
ACCESS(UInt8, uint8_t, TYB_FMI_U8)
ACCESS(UInt16, uint16_t, TYB_FMI_U16)
ACCESS(UInt32, uint32_t, TYB_FMI_U32)
ACCESS(Boolean, bool, TYB_FMI_BOOL)
ACCESS(String, char *, TYB_FMI_STRING)

/* ---- states ---- */

FMI(int) fmi3GetFMUState(void *c, void **state);
FMI(int) fmi3GetFMUState(void *c, void **state)
{
    tyb_fmi_state *s = *state;
    bool good = tyb_fmi_save(of(c), &s);
    *state = s;
    return result(good);
}

FMI(int) fmi3SetFMUState(void *c, void *state);
FMI(int) fmi3SetFMUState(void *c, void *state)
{
    return result(tyb_fmi_restore(of(c), state));
}

FMI(int) fmi3FreeFMUState(void *c, void **state);
FMI(int) fmi3FreeFMUState(void *c, void **state)
{
    (void)c;
    tyb_fmi_state_free(*state);
    *state = NULL;
    return TYI_FMI_OK;
}

FMI(int) fmi3SerializedFMUStateSize(void *c, void *state, size_t *bytes);
FMI(int) fmi3SerializedFMUStateSize(void *c, void *state, size_t *bytes)
{
    (void)c;
    *bytes = tyb_fmi_state_bytes(state);
    return TYI_FMI_OK;
}

FMI(int) fmi3SerializeFMUState(void *c, void *state, uint8_t *to, size_t bytes);
FMI(int) fmi3SerializeFMUState(void *c, void *state, uint8_t *to, size_t bytes)
{
    if (bytes < tyb_fmi_state_bytes(state)) {
        return result(tyb_fmi_refuse(of(c), "a state into fewer bytes than it has"));
    }
    memcpy(to, tyb_fmi_state_data(state), tyb_fmi_state_bytes(state));
    return TYI_FMI_OK;
}

FMI(int) fmi3DeserializeFMUState(void *c, const uint8_t *from, size_t bytes, void **state);
FMI(int) fmi3DeserializeFMUState(void *c, const uint8_t *from, size_t bytes, void **state)
{
    tyb_fmi_state *s = NULL;
    bool good = tyb_fmi_state_read(of(c), from, bytes, &s);
    *state = s;
    return result(good);
}
