/* tests/fmu/unit.h - the calls of FMI 2.0 (-DVERSION=2) and 3.0 around a small model, as somebody else would write them; knows nothing of Tycho. Before it: enum of
 * value references up to COUNT, FIRST_OUT the first output, TOKEN, struct unit with value[COUNT]; make(), start(), step(unit, t, h).
 * SPDX-License-Identifier: BSD-3-Clause */
static int set(unit *p, const uint32_t *ref, size_t n, const double *value)
{
    for (size_t i = 0; i < n; i++) {
        if (ref[i] >= FIRST_OUT) {
            return 3;
        }
        p->value[ref[i]] = value[i];
    }
    return 0;
}

static int get(const unit *p, const uint32_t *ref, size_t n, double *value)
{
    for (size_t i = 0; i < n; i++) {
        if (ref[i] >= COUNT) {
            return 3;
        }
        value[i] = p->value[ref[i]];
    }
    return 0;
}

#define API __attribute__((visibility("default")))
#if VERSION == 2
API void *fmi2Instantiate(const char *name, int type, const char *guid, const char *at, const void *calls, int visible,
                          int log)
{
    (void)name, (void)at, (void)calls, (void)visible, (void)log;
    return type == 1 && !strcmp(guid, TOKEN) ? make() : NULL;
}
API int fmi2SetupExperiment(void *p, int a, double b, double c, int d, double e)
{
    (void)p, (void)a, (void)b, (void)c, (void)d, (void)e;
    return 0;
}
API int fmi2EnterInitializationMode(void *p)
{
    return !p;
}
API int fmi2ExitInitializationMode(void *p)
{
    return start(p);
}
API int fmi2Terminate(void *p)
{
    return !p;
}
API void fmi2FreeInstance(void *p)
{
    free(p);
}
API int fmi2GetReal(void *p, const uint32_t *ref, size_t n, double *value)
{
    return get(p, ref, n, value);
}
API int fmi2SetReal(void *p, const uint32_t *ref, size_t n, const double *value)
{
    return set(p, ref, n, value);
}
API int fmi2DoStep(void *p, double t, double h, int no)
{
    return (void)no, step(p, t, h);
}
#define STATE(name) fmi2##name##FMUstate
#define UNPACK      fmi2DeSerializeFMUstate
#define SIZE        fmi2SerializedFMUstateSize
#else
API void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *at, bool visible, bool log,
                                      bool events, bool early, const uint32_t *ref, size_t refs, void *environment,
                                      void *logger, void *update)
{
    (void)name, (void)at, (void)visible, (void)log, (void)events, (void)early, (void)ref, (void)refs, (void)environment,
        (void)logger, (void)update;
    return !strcmp(token, TOKEN) ? make() : NULL;
}
API int fmi3EnterInitializationMode(void *p, bool a, double b, double c, bool d, double e)
{
    (void)p, (void)a, (void)b, (void)c, (void)d, (void)e;
    return 0;
}
API int fmi3ExitInitializationMode(void *p)
{
    return start(p);
}
API int fmi3Terminate(void *p)
{
    return !p;
}
API void fmi3FreeInstance(void *p)
{
    free(p);
}
API int fmi3GetFloat64(void *p, const uint32_t *ref, size_t n, double *value, size_t m)
{
    return m < n ? 3 : get(p, ref, n, value);
}
API int fmi3SetFloat64(void *p, const uint32_t *ref, size_t n, const double *value, size_t m)
{
    return m < n ? 3 : set(p, ref, n, value);
}
API int fmi3DoStep(void *p, double t, double h, bool no, bool *event, bool *end, bool *early, double *last)
{
    (void)no;
    *event = *end = *early = false, *last = t + h;
    return step(p, t, h);
}
#define STATE(name) fmi3##name##FMUState
#define UNPACK      fmi3DeserializeFMUState
#define SIZE        fmi3SerializedFMUStateSize
#endif

API int STATE(Get)(void *p, void **state)
{
    *state = *state ? *state : malloc(sizeof(unit));
    return *state ? (memcpy(*state, p, sizeof(unit)), 0) : 3;
}
API int STATE(Set)(void *p, void *state)
{
    return memcpy(p, state, sizeof(unit)), 0;
}
API int STATE(Free)(void *p, void **state)
{
    return (void)p, free(*state), *state = NULL, 0;
}
API int SIZE(void *p, void *state, size_t *bytes)
{
    return (void)p, (void)state, *bytes = sizeof(unit), 0;
}
API int STATE(Serialize)(void *p, void *state, char *to, size_t bytes)
{
    return (void)p, bytes < sizeof(unit) ? 3 : (memcpy(to, state, sizeof(unit)), 0);
}
API int UNPACK(void *p, const char *from, size_t bytes, void **state)
{
    *state = NULL;
    return bytes < sizeof(unit) || STATE(Get)(p, state) ? 3 : (memcpy(*state, from, sizeof(unit)), 0);
}
