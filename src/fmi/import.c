/* src/fmi/import.c - see import.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "import.h"
#include <dlfcn.h>
#include <errno.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "body/urdf_xml.h"
#include "io/document.h"
#include "io/out.h"
#include "io/zip.h"

#define XML_MOST ((size_t)64 << 20)

/* what is called of the library; 2.0 and 3.0 name alike what they have alike */
typedef struct calls {
    union {
        tyi_fmi2_instantiate *make2;
        tyi_fmi3_instantiate *make3;
        void *any;
    } make;
    union {
        tyi_fmi2_setup *setup2;
        tyi_fmi3_enter *enter3;
        void *any;
    } enter;
    union {
        tyi_fmi2_get_real *get2;
        tyi_fmi3_get_f64 *get3;
        void *any;
    } get;
    union {
        tyi_fmi2_set_real *set2;
        tyi_fmi3_set_f64 *set3;
        void *any;
    } set;
    union {
        tyi_fmi2_step *step2;
        tyi_fmi3_step *step3;
        void *any;
    } step;
    union {
        tyi_fmi_plain *call;
        void *any;
    } enter2, leave, end;
    union {
        tyi_fmi_free *call;
        void *any;
    } release;
    union {
        tyi_fmi_get_state *call;
        void *any;
    } get_state, free_state; /* alike in C */
    union {
        tyi_fmi_set_state *call;
        void *any;
    } set_state;
    union {
        tyi_fmi_state_size *call;
        void *any;
    } state_size;
    union {
        tyi_fmi_pack_state *call;
        void *any;
    } pack_state;
    union {
        tyi_fmi_unpack_state *call;
        void *any;
    } unpack_state;
} calls;

struct tyi_fmi_unit {
    char path[TY_PATH_MAX], folder[256];
    int version;
    char identifier[200], token[200];
    bool keeps; /* it can serialise its state */
    void *library, *instance;
    calls c;
    tyi_fmi2_callbacks callbacks;
    tyi_fmi_variable *variable;
    size_t variables, room;
    bool started;
    char said[500]; /* last sentence of its logger */
};

/* ---- what it says ---- */

static void keep(tyi_fmi_unit *u, const char *text)
{
    snprintf(u->said, sizeof u->said, "%s", text);
    tyi_text_plain(u->said);
    u->said[strcspn(u->said, "\n")] = '\0';
}

static void log2_message(void *environment, const char *instance, int status, const char *category, const char *message,
                         ...) __attribute__((format(printf, 5, 6)));
static void log2_message(void *environment, const char *instance, int status, const char *category, const char *message,
                         ...)
{
    (void)instance, (void)category;
    char text[500];
    va_list args;
    va_start(args, message);
    if (status != TYI_FMI_OK && message) {
        vsnprintf(text, sizeof text, message, args);
        keep(environment, text);
    }
    va_end(args);
}

static void log3_message(void *environment, int status, const char *category, const char *message)
{
    (void)category;
    if (status != TYI_FMI_OK) {
        keep(environment, message ? message : "");
    }
}

static ty_status failed(const tyi_fmi_unit *u, const char *what, ty_diag *diag)
{
    return ty_fail(diag, TY_ERR_INPUT, "%s: the FMU failed to %s%s%s", u->path, what, u->said[0] ? ": " : "", u->said);
}

/* ---- modelDescription.xml ---- */

static bool is_true(const tyi_body_xml *x, int element, const char *name)
{
    char value[16];
    return tyi_body_xml_value(x, element, name, value, sizeof value, NULL, NULL) &&
           (!strcmp(value, "true") || !strcmp(value, "1"));
}

static ty_status add_variable(tyi_fmi_unit *u, const tyi_body_xml *x, int element, ty_diag *diag)
{
    char causality[32], ref[24];
    tyi_fmi_variable v = { .causality = TYI_FMI_ELSE };
    bool real = u->version == 3
                    ? tyi_body_xml_is(x, element, "Float64") && tyi_body_xml_child(x, element, "Dimension", -1) < 0
                    : tyi_body_xml_child(x, element, "Real", -1) >= 0;
    if (!real || !tyi_body_xml_value(x, element, "name", v.name, sizeof v.name, NULL, NULL) ||
        !tyi_body_xml_value(x, element, "valueReference", ref, sizeof ref, NULL, NULL) ||
        !tyi_body_xml_value(x, element, "causality", causality, sizeof causality, NULL, NULL)) {
        return TY_OK; /* nothing that is used here */
    }
    v.ref = (tyi_fmi_ref)strtoul(ref, NULL, 10);
    v.causality = !strcmp(causality, "input")       ? TYI_FMI_IN
                  : !strcmp(causality, "output")    ? TYI_FMI_OUT
                  : !strcmp(causality, "parameter") ? TYI_FMI_SET
                                                    : TYI_FMI_ELSE;
    tyi_fmi_variable *grown = tyi_list_grown(u->variable, u->variables, &u->room, sizeof v, 64);
    if (!grown) {
        return ty_fail(diag, TY_ERR_MEMORY, "%s: no memory for its variables", u->path);
    }
    u->variable = grown;
    u->variable[u->variables++] = v;
    return TY_OK;
}

static ty_status read_description(tyi_fmi_unit *u, const tyi_body_xml *x, ty_diag *diag)
{
    char version[16] = "";
    bool root = x->elements > 0 && tyi_body_xml_is(x, 0, "fmiModelDescription") &&
                tyi_body_xml_value(x, 0, "fmiVersion", version, sizeof version, NULL, NULL);
    u->version = root && !strncmp(version, "3.", 2) ? 3 : root && !strcmp(version, "2.0") ? 2 : 0;
    if (!u->version) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s: is of FMI '%s', but 2.0 and 3.0 are accepted", u->path, version);
    }
    int simulation = tyi_body_xml_child(x, 0, "CoSimulation", -1),
        list = tyi_body_xml_child(x, 0, "ModelVariables", -1);
    if (simulation < 0 || list < 0 ||
        !tyi_body_xml_value(x, simulation, "modelIdentifier", u->identifier, sizeof u->identifier, NULL, NULL) ||
        !tyi_body_xml_value(x, 0, u->version == 3 ? "instantiationToken" : "guid", u->token, sizeof u->token, NULL,
                            NULL) ||
        strchr(u->identifier, '/')) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s: is not for co-simulation, or its modelDescription.xml is damaged",
                       u->path);
    }
    u->keeps = is_true(x, simulation, u->version == 3 ? "canSerializeFMUState" : "canSerializeFMUstate");
    ty_status status = TY_OK;
    for (int i = list + 1; i < x->element[list].after && status == TY_OK; i = x->element[i].after) {
        status = add_variable(u, x, i, diag);
    }
    return status;
}

static ty_status describe(tyi_fmi_unit *u, ty_diag *diag)
{
    char path[400];
    tyi_io_bytes b;
    tyi_arena memory;
    tyi_body_xml x;
    snprintf(path, sizeof path, "%s/modelDescription.xml", u->folder);
    if (tyi_io_file_read(path, XML_MOST, NULL, &b, NULL) != TY_OK) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s: has no modelDescription.xml: it is no FMU", u->path);
    }
    char *text = strndup(b.data, b.size);
    tyi_put(NULL, b.data, b.capacity);
    tyi_arena_init(&memory, NULL, 65536);
    ty_status status = text ? tyi_body_xml_read(u->path, text, &memory, &x, diag)
                            : ty_fail(diag, TY_ERR_MEMORY, "%s: no memory to read it", u->path);
    status = status == TY_OK ? read_description(u, &x, diag) : status;
    tyi_arena_free(&memory);
    free(text);
    return status;
}

/* ---- its library ---- */

static void *function(const tyi_fmi_unit *u, const char *name, const char *name3, bool *missing)
{
    char full[80];
    snprintf(full, sizeof full, "fmi%d%s", u->version, u->version == 3 ? name3 : name);
    void *f = dlsym(u->library, full);
    *missing = *missing || !f;
    return f;
}

static ty_status load(tyi_fmi_unit *u, ty_diag *diag)
{
    char path[600];
    bool missing = false, none = false;
    snprintf(path, sizeof path, "%s/binaries/%s/%s.so", u->folder, u->version == 3 ? "x86_64-linux" : "linux64",
             u->identifier);
    if (access(path, R_OK)) {
        return ty_fail(diag, TY_ERR_FILE, "%s: has no library for x86-64 Linux", u->path);
    }
    u->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!u->library) {
        const char *why = dlerror(), *place = why ? strstr(why, u->folder) : NULL;
        return ty_fail(diag, TY_ERR_FILE, "%s: its library cannot be loaded: %s", u->path,
                       place ? place + strlen(u->folder) + 1 : why);
    }
    calls *c = &u->c;
    c->make.any = function(u, "Instantiate", "InstantiateCoSimulation", &missing);
    c->enter.any = function(u, "SetupExperiment", "EnterInitializationMode", &missing);
    c->enter2.any = function(u, "EnterInitializationMode", "EnterInitializationMode", &missing);
    c->leave.any = function(u, "ExitInitializationMode", "ExitInitializationMode", &missing);
    c->end.any = function(u, "Terminate", "Terminate", &missing);
    c->release.any = function(u, "FreeInstance", "FreeInstance", &missing);
    c->get.any = function(u, "GetReal", "GetFloat64", &missing);
    c->set.any = function(u, "SetReal", "SetFloat64", &missing);
    c->step.any = function(u, "DoStep", "DoStep", &missing);
    c->get_state.any = function(u, "GetFMUstate", "GetFMUState", &none);
    c->set_state.any = function(u, "SetFMUstate", "SetFMUState", &none);
    c->free_state.any = function(u, "FreeFMUstate", "FreeFMUState", &none);
    c->state_size.any = function(u, "SerializedFMUstateSize", "SerializedFMUStateSize", &none);
    c->pack_state.any = function(u, "SerializeFMUstate", "SerializeFMUState", &none);
    c->unpack_state.any = function(u, "DeSerializeFMUstate", "DeserializeFMUState", &none);
    u->keeps = u->keeps && !none;
    return missing ? ty_fail(diag, TY_ERR_FORMAT, "%s: its library lacks functions of FMI %d", u->path, u->version)
                   : TY_OK;
}

static ty_status instantiate(tyi_fmi_unit *u, ty_diag *diag)
{
    char resources[400];
    snprintf(resources, sizeof resources, "%s%s/resources%s", u->version == 2 ? "file://" : "", u->folder,
             u->version == 3 ? "/" : "");
    u->callbacks =
        (tyi_fmi2_callbacks){ .logger = log2_message, .allocate = calloc, .release = free, .environment = u };
    u->instance =
        u->version == 3
            ? u->c.make.make3("tycho", u->token, resources, false, false, false, false, NULL, 0, u, log3_message, NULL)
            : u->c.make.make2("tycho", TYI_FMI2_CO_SIMULATION, u->token, resources, &u->callbacks, 0, 0);
    return u->instance ? TY_OK : failed(u, "instantiate", diag);
}

/* ---- life ---- */

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about, (void)kind, (void)where;
    return remove(path);
}

ty_status tyi_fmi_unit_open(const char *path, tyi_fmi_unit **out, ty_diag *diag)
{
    *out = NULL;
    tyi_fmi_unit *u = calloc(1, sizeof *u);
    if (!u) {
        return ty_fail(diag, TY_ERR_MEMORY, "%s: no memory for an FMU", path);
    }
    snprintf(u->path, sizeof u->path, "%s", path);
    ty_status status = TY_OK;
    if (!tyi_io_out_folder("tycho-fmu", u->folder, sizeof u->folder)) {
        status = ty_fail(diag, TY_ERR_FILE, "%s: no folder for it can be made in %s: %s", path, tyi_io_out_aside(),
                         strerror(errno));
    }
    status = status == TY_OK ? tyi_io_zip_extract(path, u->folder, diag) : status;
    status = status == TY_OK ? describe(u, diag) : status;
    status = status == TY_OK ? load(u, diag) : status;
    status = status == TY_OK ? instantiate(u, diag) : status;
    if (status != TY_OK) {
        tyi_fmi_unit_close(u);
        return status;
    }
    *out = u;
    return TY_OK;
}

void tyi_fmi_unit_close(tyi_fmi_unit *u)
{
    if (!u) {
        return;
    }
    if (u->instance) {
        if (u->started) {
            u->c.end.call(u->instance);
        }
        u->c.release.call(u->instance);
    }
    if (u->library) {
        dlclose(u->library);
    }
    if (u->folder[0]) {
        nftw(u->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    }
    free(u->variable);
    free(u);
}

/* ---- use ---- */

const tyi_fmi_variable *tyi_fmi_unit_variables(const tyi_fmi_unit *u, size_t *count)
{
    *count = u->variables;
    return u->variable;
}

static bool good(int status)
{
    return status == TYI_FMI_OK || status == TYI_FMI_WARNING;
}

ty_status tyi_fmi_unit_set(tyi_fmi_unit *u, tyi_fmi_ref ref, double value, ty_diag *diag)
{
    int status =
        u->version == 3 ? u->c.set.set3(u->instance, &ref, 1, &value, 1) : u->c.set.set2(u->instance, &ref, 1, &value);
    return good(status) ? TY_OK : failed(u, "take a value", diag);
}

ty_status tyi_fmi_unit_get(tyi_fmi_unit *u, tyi_fmi_ref ref, double *value, ty_diag *diag)
{
    int status =
        u->version == 3 ? u->c.get.get3(u->instance, &ref, 1, value, 1) : u->c.get.get2(u->instance, &ref, 1, value);
    return good(status) ? TY_OK : failed(u, "give a value", diag);
}

ty_status tyi_fmi_unit_start(tyi_fmi_unit *u, ty_diag *diag)
{
    int status = u->version == 3 ? u->c.enter.enter3(u->instance, false, 0.0, 0.0, false, 0.0)
                                 : u->c.enter.setup2(u->instance, 0, 0.0, 0.0, 0, 0.0);
    status = good(status) && u->version == 2 ? u->c.enter2.call(u->instance) : status;
    status = good(status) ? u->c.leave.call(u->instance) : status;
    u->started = good(status);
    return u->started ? TY_OK : failed(u, "initialise", diag);
}

ty_status tyi_fmi_unit_step(tyi_fmi_unit *u, double time, double step, ty_diag *diag)
{
    bool event = false, terminate = false, early = false;
    double last = 0.0;
    int status = u->version == 3 ? u->c.step.step3(u->instance, time, step, true, &event, &terminate, &early, &last)
                                 : u->c.step.step2(u->instance, time, step, 1);
    return good(status) && !terminate ? TY_OK : failed(u, "step", diag);
}

ty_status tyi_fmi_unit_save(tyi_fmi_unit *u, void **out, size_t *bytes, ty_diag *diag)
{
    void *state = NULL;
    *out = NULL, *bytes = 0;
    if (!u->keeps) {
        return ty_fail(diag, TY_ERR_INPUT, "%s: the FMU cannot serialise its state, so that the run cannot be saved",
                       u->path);
    }
    bool saved =
        good(u->c.get_state.call(u->instance, &state)) && good(u->c.state_size.call(u->instance, state, bytes));
    *out = saved ? malloc(*bytes + 1) : NULL;
    saved = *out && good(u->c.pack_state.call(u->instance, state, *out, *bytes));
    if (state) {
        u->c.free_state.call(u->instance, &state);
    }
    if (!saved) {
        free(*out);
        *out = NULL;
    }
    return saved ? TY_OK : failed(u, "save its state", diag);
}

ty_status tyi_fmi_unit_restore(tyi_fmi_unit *u, const void *saved, size_t bytes, ty_diag *diag)
{
    void *state = NULL;
    bool restored = u->keeps && good(u->c.unpack_state.call(u->instance, saved, bytes, &state)) &&
                    good(u->c.set_state.call(u->instance, state));
    if (state) {
        u->c.free_state.call(u->instance, &state);
    }
    return restored ? TY_OK : failed(u, "take back its state", diag);
}
