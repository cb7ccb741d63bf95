/* python/src/run_kinds.c - soil models, sensors and actions that are functions of Python, by the names that a scenario gives:
 * soil {model: user, user: NAME}, sensors {type: user, kind: NAME, ...}, actions {type: user, name: NAME, ...}. What the functions are handed is made
 * into something friendlier by python/tycho/_kinds.py.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "run.h"
#include "tools.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tycho/trace.h>

#define NAME    64
#define WHEEL   14 /* numbers that a soil model is told of a wheel: tycho.SOIL_COLUMNS */
#define FORCES  4  /* and answers: fx, fy, fz, resistance */
#define COLUMNS 64
#define HIDDEN  64 /* objects that one action may hide */

typedef struct py_own {
    char name[NAME]; /* first: a soil model's row leads here by its name */
    PyObject *call;
    py_run *run;
    PyObject *saved; /* soil models: what the last save() gave */
    /* sensors */
    ty_message_column column[COLUMNS + 1];
    char text[2 * COLUMNS][32];
    ty_message_schema schema;
    ty_buffer_type type;
} py_own;

/* one sensor or one action of a scenario */
typedef struct py_use {
    py_own *own;
    PyObject *settings;
    uint32_t hidden[HIDDEN];
    int hides;
    bool refined;
} py_use;

/* A scene as Python holds it while a frame is made; good for nothing afterwards. */
typedef struct py_scene {
    ty_scene *scene;
    ty_vec3 centre;
    int threads;
    py_use *use;
} py_scene;

struct py_kinds {
    py_own *soil, *sensor, *action;
    ty_soil_model *soil_model;
    ty_sensor_kind *sensor_kind;
    ty_action_kind *action_kind;
    size_t soils, sensors, actions;
};

static PyObject *grid_of(PyObject *bytes, const char *format, Py_ssize_t rows, Py_ssize_t columns)
{
    PyObject *view = bytes ? PyMemoryView_FromObject(bytes) : NULL;
    PyObject *shaped = view ? PyObject_CallMethod(view, "cast", "s(nn)", format, rows, columns) : NULL;
    Py_XDECREF(view);
    return shaped;
}

/* ---- soil ---- */

static ty_status soil_create(const ty_soil_site *site, const ty_soil_def *def, void **state, ty_diag *diag)
{
    (void)site, (void)diag;
    *state = (void *)(uintptr_t)def->user->name;
    return TY_OK;
}

static void tell_wheel(const ty_soil_at *at, double out[WHEEL])
{
    const ty_soil_plane *p = at->plane;
    double h = 0.0;
    for (int k = 0; k < p->slices; k++) {
        h += p->h[k] / p->slices;
    }
    const double all[WHEEL] = { at->body,
                                at->carrier,
                                at->def->wheel.r,
                                at->def->wheel.b,
                                at->def->mass,
                                at->def->weight,
                                p->radius,
                                h,
                                p->h_rate,
                                p->v_x,
                                p->v_y,
                                at->state->omega,
                                at->state->centre.x,
                                at->state->centre.y };
    memcpy(out, all, sizeof all);
}

static bool take_forces(const ty_soil_at *at, const double told[WHEEL], const double f[FORCES])
{
    if (!isfinite(f[0]) || !isfinite(f[1]) || !isfinite(f[2]) || !isfinite(f[3])) {
        return false;
    }
    if (told[7] > 0.0) {
        ty_soil_load *load = at->load;
        load->sinkage = told[7];
        load->fx = f[0], load->fy = f[1], load->fz = f[2], load->resistance = f[3];
        ty_soil_wrench(at, f[1] * at->def->wheel.r, 0.0, 0.0);
    }
    return true;
}

static ty_status soil_step(void *state, const ty_soil_def *def, const ty_soil_at *at, int count, double dt,
                           ty_diag *diag)
{
    (void)def;
    py_own *own = state;
    PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *in = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)count * WHEEL * 8),
             *out = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)count * FORCES * 8);
    PyObject *wheels = grid_of(in, "d", count, WHEEL), *forces = grid_of(out, "d", count, FORCES);
    ty_status status = TY_OK;
    PyObject *answer = NULL;
    if (wheels && forces) {
        double *told = (double *)(void *)PyByteArray_AsString(in);
        memset(PyByteArray_AsString(out), 0, (size_t)count * FORCES * 8);
        for (int i = 0; i < count; i++) {
            tell_wheel(&at[i], told + (size_t)i * WHEEL);
        }
        answer = PyObject_CallFunction(own->call, "sOdO", "step", wheels, dt, forces);
    }
    if (!answer) {
        status = py_run_keep_error(own->run, "soil", own->name, diag);
    }
    for (int i = 0; i < count && answer && status == TY_OK; i++) {
        double told[WHEEL];
        tell_wheel(&at[i], told); /* not what the function may have written there */
        if (!take_forces(&at[i], told, (const double *)(void *)PyByteArray_AsString(out) + (size_t)i * FORCES)) {
            status =
                ty_fail(diag, TY_ERR_NUMERIC, "soil '%s': a force on wheel %d is not finite", own->name, at[i].body);
        }
    }
    Py_XDECREF(answer);
    Py_XDECREF(wheels);
    Py_XDECREF(forces);
    Py_XDECREF(in);
    Py_XDECREF(out);
    PyGILState_Release(lock);
    return status;
}

/* asked how many bytes, a model is saved; asked for them, it gives these */
static size_t soil_save(const void *state, void *out)
{
    py_own *own = (void *)(uintptr_t)state;
    ty_diag diag;
    size_t bytes = 0;
    PyGILState_STATE lock = PyGILState_Ensure();
    if (!out) {
        Py_XDECREF(own->saved);
        own->saved = PyObject_CallFunction(own->call, "s", "save");
        if (own->saved && !PyBytes_Check(own->saved)) {
            PyErr_SetString(PyExc_TypeError, "save() of a soil gives bytes");
            Py_CLEAR(own->saved);
        }
        if (!own->saved) {
            py_run_keep_error(own->run, "soil", own->name, &diag);
        }
    }
    if (own->saved) {
        bytes = (size_t)PyBytes_Size(own->saved);
        if (out && bytes) {
            memcpy(out, PyBytes_AsString(own->saved), bytes);
        }
    }
    PyGILState_Release(lock);
    return bytes;
}

static ty_status soil_restore(void *state, const void *saved, size_t bytes, ty_diag *diag)
{
    py_own *own = state;
    PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *answer =
        PyObject_CallFunction(own->call, "sy#", "restore", saved ? (const char *)saved : "", (Py_ssize_t)bytes);
    ty_status status = answer ? TY_OK : py_run_keep_error(own->run, "soil", own->name, diag);
    Py_XDECREF(answer);
    PyGILState_Release(lock);
    return status;
}

/* ---- scenes ---- */

#define SCENE "tycho.scene"

static void scene_free(PyObject *capsule)
{
    free(PyCapsule_GetPointer(capsule, SCENE));
}

static PyObject *scene_hold(ty_scene *scene, const ty_sensor_shot *shot, py_use *use)
{
    py_scene *s = calloc(1, sizeof *s);
    if (!s) {
        return PyErr_NoMemory();
    }
    *s = (py_scene){ scene, shot->key[0].pose.p, shot->threads, use };
    PyObject *capsule = PyCapsule_New(s, SCENE, scene_free);
    if (!capsule) {
        free(s);
    }
    return capsule;
}

/* from now on nobody can use it */
static void scene_let_go(PyObject *capsule)
{
    py_scene *s = capsule ? PyCapsule_GetPointer(capsule, SCENE) : NULL;
    if (s) {
        s->scene = NULL;
    }
    Py_XDECREF(capsule);
}

static py_scene *scene_take(PyObject *capsule)
{
    py_scene *s = PyCapsule_IsValid(capsule, SCENE) ? PyCapsule_GetPointer(capsule, SCENE) : NULL;
    if (!s) {
        PyErr_SetString(PyExc_TypeError, "this is no scene");
    } else if (!s->scene) {
        PyErr_SetString(PyExc_ValueError, "the scene is there only while its frame is made");
        s = NULL;
    }
    return s;
}

/* scene_trace(scene, from, dir, far, out): rows of x, y, z each; out: rows of range [m], normal, reflectance, instance, class */
PyObject *py_scene_trace(PyObject *module, PyObject *args)
{
    enum { HIT = 7 };
    PyObject *capsule, *from_array, *dir_array, *out_array;
    double far;
    Py_buffer from = { 0 }, dir = { 0 }, out = { 0 };
    if (!PyArg_ParseTuple(args, "OOOdO", &capsule, &from_array, &dir_array, &far, &out_array)) {
        return NULL;
    }
    py_scene *s = scene_take(capsule);
    if (!s || py_take(from_array, &(py_wanted){ "from", 'd', -1, false, false }, &from)) {
        return NULL;
    }
    size_t n = (size_t)from.len / 24;
    ty_trace_ray *ray = calloc(n + 1, sizeof *ray);
    ty_trace_hit *hit = calloc(n + 1, sizeof *hit);
    ty_diag diag = { 0 };
    bool fits = ray && hit && !py_take(dir_array, &(py_wanted){ "dir", 'd', 3 * (Py_ssize_t)n, false, false }, &dir) &&
                !py_take(out_array, &(py_wanted){ "out", 'd', HIT * (Py_ssize_t)n, true, false }, &out);
    for (size_t i = 0; i < n && fits; i++) {
        const double *p = (const double *)from.buf + 3 * i, *d = (const double *)dir.buf + 3 * i;
        double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        if (!(length > 0.0 && length < 1e300 && isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]) && far > 0.0)) {
            PyErr_Format(PyExc_ValueError, "ray %zu takes a finite start, a direction of some length, and far above 0",
                         i);
            fits = false;
        }
        ray[i] = (ty_trace_ray){ .from = { p[0], p[1], p[2] },
                                 .dir = { d[0] / length, d[1] / length, d[2] / length },
                                 .far = far };
    }
    if (fits) {
        Py_BEGIN_ALLOW_THREADS
        ty_scene_trace(s->scene, s->centre, ray, n, 0, s->threads, hit, &diag);
        Py_END_ALLOW_THREADS
        for (size_t i = 0; i < n; i++) {
            const double row[HIT] = {
                hit[i].range,    hit[i].normal.x, hit[i].normal.y, hit[i].normal.z, (double)hit[i].reflectance,
                hit[i].instance, hit[i].kind
            };
            memcpy((double *)out.buf + HIT * i, row, sizeof row);
        }
    } else if (!ray || !hit) {
        PyErr_NoMemory();
    }
    free(ray);
    free(hit);
    py_release(&from);
    py_release(&dir);
    py_release(&out);
    return !fits ? NULL : diag.status == TY_OK ? Py_NewRef(Py_None) : py_fail(PyModule_GetState(module), &diag);
}

/* scene_hide(scene, instance): until the frame is made */
PyObject *py_scene_hide(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    unsigned int id;
    if (!PyArg_ParseTuple(args, "OI", &capsule, &id)) {
        return NULL;
    }
    py_scene *s = scene_take(capsule);
    if (!s) {
        return NULL;
    }
    if (!s->use || s->use->hides == HIDDEN) {
        return PyErr_Format(PyExc_ValueError, "only actions hide, and at most %d objects", HIDDEN);
    }
    ty_diag diag = { 0 };
    if (ty_scene_hide(s->scene, id, true, &diag) != TY_OK) {
        return py_fail(PyModule_GetState(module), &diag);
    }
    s->use->hidden[s->use->hides++] = id;
    Py_RETURN_NONE;
}

/* scene_lamp(scene, place, dir or None, power [W/sr], inner, outer [rad]); lights are set anew for every frame */
PyObject *py_scene_lamp(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    double power;
    ty_light lamp = { .kind = TY_LIGHT_SPOT };
    if (!PyArg_ParseTuple(args, "O(ddd)(ddd)ddd", &capsule, &lamp.place_W.x, &lamp.place_W.y, &lamp.place_W.z,
                          &lamp.dir_W.x, &lamp.dir_W.y, &lamp.dir_W.z, &power, &lamp.inner, &lamp.outer)) {
        return NULL;
    }
    py_scene *s = scene_take(capsule);
    ty_diag diag = { 0 };
    if (!s) {
        return NULL;
    }
    double length = sqrt(lamp.dir_W.x * lamp.dir_W.x + lamp.dir_W.y * lamp.dir_W.y + lamp.dir_W.z * lamp.dir_W.z);
    if (!(power >= 0.0 && power < 1e12 && isfinite(length) &&
          isfinite(lamp.place_W.x + lamp.place_W.y + lamp.place_W.z)) ||
        !(lamp.inner >= 0.0 && lamp.inner <= lamp.outer && lamp.outer < 1.57)) {
        PyErr_SetString(
            PyExc_ValueError,
            "a lamp takes a finite place and direction, a power of 0 to 1e12 W/sr, and half angles of 0 <= inner <= outer < 90 deg");
        return NULL;
    }
    if (length > 0.0) {
        lamp.dir_W = (ty_vec3){ lamp.dir_W.x / length, lamp.dir_W.y / length, lamp.dir_W.z / length };
    } else {
        lamp.kind = TY_LIGHT_POINT;
    }
    for (int b = 0; b < TY_BANDS; b++) {
        lamp.power[b] = power;
    }
    return ty_scene_add_light(s->scene, &lamp, &diag) == TY_OK ? Py_NewRef(Py_None)
                                                               : py_fail(PyModule_GetState(module), &diag);
}

/* scene_refine(scene, (x, y, z)): where the ground is finest */
PyObject *py_scene_refine(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *capsule;
    ty_vec3 place;
    if (!PyArg_ParseTuple(args, "O(ddd)", &capsule, &place.x, &place.y, &place.z)) {
        return NULL;
    }
    py_scene *s = scene_take(capsule);
    if (!s) {
        return NULL;
    }
    if (!s->use || !isfinite(place.x + place.y + place.z)) {
        PyErr_SetString(PyExc_ValueError, "only actions refine, around a finite place");
        return NULL;
    }
    ty_scene_refine(s->scene, &place);
    s->use->refined = true;
    Py_RETURN_NONE;
}

/* what a window is told by: a dict */
static PyObject *shot_of(const ty_sensor_shot *shot, PyObject *scene)
{
    const ty_sensor_key *key = &shot->key[shot->keys - 1];
    PyObject *pose = py_pose(key->pose);
    if (!pose) {
        return NULL;
    }
    PyObject *dict = Py_BuildValue(
        "{s:d,s:d,s:K,s:O,s:O,s:N,s:N,s:N,s:N,s:d,s:O}", "start", ty_seconds(shot->time.start), "time",
        ty_seconds(shot->time.end), "frame", (unsigned long long)shot->frame, "position", PyTuple_GetItem(pose, 0),
        "attitude", PyTuple_GetItem(pose, 1), "velocity", py_vec3(key->v_W), "rates", py_vec3(key->omega_W), "sun",
        py_vec3(shot->sky.sun.dir_W), "earth", py_vec3(shot->sky.earth.dir_W), "irradiance", shot->sky.irradiance,
        "scene", scene ? scene : Py_None);
    Py_DECREF(pose);
    return dict;
}

/* ---- sensors and actions ---- */

static PyObject *settings_of(const ty_settings *settings)
{
    PyObject *dict = PyDict_New();
    for (size_t i = 0; dict && i < settings->count; i++) {
        const char *text = settings->item[i].value;
        PyObject *value = PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
        if (!value || PyDict_SetItemString(dict, settings->item[i].key, value)) {
            Py_CLEAR(dict);
        }
        Py_XDECREF(value);
    }
    return dict;
}

static py_use *use_make(py_own *own, const char *what, const ty_settings *settings, ty_diag *diag)
{
    py_use *use = calloc(1, sizeof *use);
    PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *dict = use ? settings_of(settings) : NULL;
    PyErr_Clear();
    PyGILState_Release(lock);
    if (!dict) {
        free(use);
        ty_fail(diag, TY_ERR_MEMORY, "%s '%s': no memory", what, own->name);
        return NULL;
    }
    use->own = own, use->settings = dict;
    return use;
}

static void use_destroy(void *user)
{
    py_use *use = user;
    PyGILState_STATE lock = PyGILState_Ensure();
    Py_XDECREF(use->settings);
    PyGILState_Release(lock);
    free(use);
}

static ty_status sensor_create(ty_sensor_make *make, void *user, void **state, ty_diag *diag)
{
    py_own *own = user;
    *state = use_make(own, "sensor", &make->def->as.user.settings, diag);
    make->schema = &own->schema;
    make->parts = 1;
    make->part[0].name = own->schema.column ? "sample" : "image";
    make->part[0].data.type = own->type;
    make->reads_sky = true;
    return *state ? TY_OK : TY_ERR_MEMORY;
}

static ty_status sensor_collect(void *state, const ty_sensor_shot *shot, ty_message_part *part, ty_diag *diag)
{
    py_use *use = state;
    const ty_buffer_type *t = &use->own->type;
    Py_ssize_t count = (Py_ssize_t)t->width * t->height * t->channels;
    PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *scene = shot->scene ? scene_hold(shot->scene, shot, NULL) : Py_NewRef(Py_None);
    PyObject *dict = scene ? shot_of(shot, scene) : NULL;
    PyObject *answer = dict ? PyObject_CallFunction(use->own->call, "OO", dict, use->settings) : NULL;
    Py_buffer view = { 0 };
    ty_status status = TY_OK;
    if (!answer ||
        py_take(answer,
                &(py_wanted){ "what a sensor gives", t->element == TY_ELEMENT_F64 ? 'd' : 'f', count, false, false },
                &view)) {
        status = py_run_keep_error(use->own->run, "sensor", use->own->name, diag);
    } else {
        ty_buffer plain = ty_buffer_wrap(t, view.buf);
        ty_buffer_copy(&part[0].data, &plain);
        py_release(&view);
    }
    Py_XDECREF(answer);
    Py_XDECREF(dict);
    if (scene == Py_None) {
        Py_DECREF(scene);
    } else {
        scene_let_go(scene);
    }
    PyGILState_Release(lock);
    return status;
}

static ty_status action_before(void *user, ty_scene *scene, const ty_sensor_shot *shot, ty_diag *diag)
{
    py_use *use = user;
    use->hides = 0, use->refined = false;
    PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *held = scene_hold(scene, shot, use);
    PyObject *dict = held ? shot_of(shot, held) : NULL;
    PyObject *answer = dict ? PyObject_CallFunction(use->own->call, "OO", dict, use->settings) : NULL;
    ty_status status = answer ? TY_OK : py_run_keep_error(use->own->run, "action", use->own->name, diag);
    Py_XDECREF(answer);
    Py_XDECREF(dict);
    scene_let_go(held);
    PyGILState_Release(lock);
    return status;
}

static void action_after(void *user, ty_scene *scene)
{
    py_use *use = user;
    while (use->hides > 0) {
        ty_scene_hide(scene, use->hidden[--use->hides], false, NULL);
    }
    if (use->refined) {
        ty_scene_refine(scene, NULL);
    }
}

static ty_status action_make(const ty_settings *settings, void *user, ty_action *out, ty_diag *diag)
{
    py_own *own = user;
    py_use *use = use_make(own, "action", settings, diag);
    *out = (ty_action){
        .name = own->name, .before = action_before, .after = action_after, .destroy = use_destroy, .user = use
    };
    return use ? TY_OK : TY_ERR_MEMORY;
}

/* ---- from Python's arguments ---- */

/* the entries of a dict of names; `what` in sentences. -1: an exception */
static int own_take(py_run *r, PyObject *dict, const char *what, py_own **out, size_t *count)
{
    *count = 0;
    if (!dict || dict == Py_None) {
        return 0;
    }
    if (!PyDict_Check(dict)) {
        PyErr_Format(PyExc_TypeError, "%s are a dict of names and functions", what);
        return -1;
    }
    *out = calloc((size_t)PyDict_Size(dict) + 1, sizeof **out);
    if (!*out) {
        PyErr_NoMemory();
        return -1;
    }
    PyObject *key, *call;
    Py_ssize_t at = 0;
    while (PyDict_Next(dict, &at, &key, &call)) {
        py_own *own = &(*out)[*count];
        const char *name = PyUnicode_Check(key) ? PyUnicode_AsUTF8AndSize(key, NULL) : NULL;
        if (!name || !name[0] || strlen(name) >= sizeof own->name) {
            PyErr_Format(PyExc_TypeError, "%s have names of 1 to 63 bytes, not %R", what, key);
            return -1;
        }
        strcpy(own->name, name);
        own->run = r;
        own->call = Py_NewRef(call);
        (*count)++;
    }
    return 0;
}

/* a sensor comes as (function, columns as (name, unit) or None, width, height, looks at the scene) */
static int sensor_take(py_own *own, ty_sensor_kind *kind)
{
    PyObject *call, *columns, *all = own->call;
    int width, height, scene;
    Py_ssize_t n = 0;
    if (!PyTuple_Check(all) || !PyArg_ParseTuple(all, "OOiip", &call, &columns, &width, &height, &scene)) {
        PyErr_SetString(PyExc_TypeError, "a sensor is a tycho.Sensor");
        return -1;
    }
    if (columns != Py_None) {
        n = PyTuple_Check(columns) ? PyTuple_Size(columns) : 0;
        if (n < 1 || n > COLUMNS) {
            PyErr_Format(PyExc_ValueError, "a sensor has 1 to %d columns", COLUMNS);
            return -1;
        }
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        const char *name, *unit;
        if (!PyArg_ParseTuple(PyTuple_GetItem(columns, i), "ss", &name, &unit)) {
            return -1;
        }
        if (strlen(name) > 31 || strlen(unit) > 31) {
            PyErr_SetString(PyExc_ValueError, "names and units of columns have at most 31 bytes");
            return -1;
        }
        strcpy(own->text[2 * i], name);
        strcpy(own->text[2 * i + 1], unit);
        own->column[i] = (ty_message_column){ own->text[2 * i], own->text[2 * i + 1], TY_QUANTITY_NONE, NULL };
    }
    own->schema = (ty_message_schema){ own->name, n ? own->column : NULL };
    own->type =
        (ty_buffer_type){ width, height, n ? (int)n : 1, n ? TY_ELEMENT_F64 : TY_ELEMENT_F32, TY_UNIT_NONE, 'S' };
    *kind = (ty_sensor_kind){ .name = own->name,
                              .scene = scene != 0,
                              .keys = 2,
                              .create = sensor_create,
                              .collect = sensor_collect,
                              .destroy = use_destroy,
                              .user = own };
    own->call = Py_NewRef(call);
    Py_DECREF(all);
    return 0;
}

int py_run_kinds_take(py_run *r, PyObject *soils, PyObject *sensors, PyObject *actions, ty_run_def *def)
{
    struct py_kinds *k = calloc(1, sizeof *k);
    r->kinds = k;
    if (!k) {
        PyErr_NoMemory();
        return -1;
    }
    if (own_take(r, soils, "soils", &k->soil, &k->soils) || own_take(r, sensors, "sensors", &k->sensor, &k->sensors) ||
        own_take(r, actions, "actions", &k->action, &k->actions)) {
        return -1;
    }
    k->soil_model = calloc(k->soils + 1, sizeof *k->soil_model);
    k->sensor_kind = calloc(k->sensors + 1, sizeof *k->sensor_kind);
    k->action_kind = calloc(k->actions + 1, sizeof *k->action_kind);
    if (!k->soil_model || !k->sensor_kind || !k->action_kind) {
        PyErr_NoMemory();
        return -1;
    }
    for (size_t i = 0; i < k->soils; i++) {
        k->soil_model[i] = (ty_soil_model){ .name = k->soil[i].name,
                                            .create = soil_create,
                                            .step = soil_step,
                                            .save = soil_save,
                                            .restore = soil_restore };
    }
    for (size_t i = 0; i < k->sensors; i++) {
        if (sensor_take(&k->sensor[i], &k->sensor_kind[i])) {
            return -1;
        }
    }
    for (size_t i = 0; i < k->actions; i++) {
        k->action_kind[i] = (ty_action_kind){ k->action[i].name, action_make, &k->action[i] };
    }
    def->soil_model = k->soil_model, def->soil_models = k->soils;
    def->sensor_kind = k->sensor_kind, def->sensor_kinds = k->sensors;
    def->action_kind = k->action_kind, def->action_kinds = k->actions;
    return 0;
}

int py_run_kinds_visit(py_run *r, visitproc visit, void *arg)
{
    const struct py_kinds *k = r->kinds;
    py_own *const own[] = { k ? k->soil : NULL, k ? k->sensor : NULL, k ? k->action : NULL };
    const size_t count[] = { k ? k->soils : 0, k ? k->sensors : 0, k ? k->actions : 0 };
    for (int a = 0; a < 3; a++) {
        for (size_t i = 0; i < count[a]; i++) {
            Py_VISIT(own[a][i].call);
        }
    }
    return 0;
}

void py_run_kinds_free(py_run *r)
{
    struct py_kinds *k = r->kinds;
    r->kinds = NULL;
    if (!k) {
        return;
    }
    py_own *const own[] = { k->soil, k->sensor, k->action };
    const size_t count[] = { k->soils, k->sensors, k->actions };
    for (int a = 0; a < 3; a++) {
        for (size_t i = 0; i < count[a]; i++) {
            Py_XDECREF(own[a][i].call);
            Py_XDECREF(own[a][i].saved);
        }
        free(own[a]);
    }
    free(k->soil_model);
    free(k->sensor_kind);
    free(k->action_kind);
    free(k);
}
