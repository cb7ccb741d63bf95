/* python/src/scenario.c - a scenario that was read and checked; it does not change.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "binding.h"

/* Scenario(path, text, settings): text None: path is a file */
static PyObject *scenario_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *names[] = { "path", "text", "settings", NULL };
    const char *path, *text;
    Py_ssize_t bytes, count;
    PyObject *settings;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "sz#O", names, &path, &text, &bytes, &settings)) {
        return NULL;
    }
    const char **list = py_texts(settings, &count);
    py_scenario *self = list ? (py_scenario *)py_alloc(type) : NULL;
    ty_diag diag = { 0 };
    if (self) {
        Py_BEGIN_ALLOW_THREADS
        if (text) {
            ty_scenario_parse(path, text, (size_t)bytes, list, (size_t)count, &self->scenario, &diag);
        } else {
            ty_scenario_load(path, list, (size_t)count, &self->scenario, &diag);
        }
        Py_END_ALLOW_THREADS
    }
    PyMem_Free((void *)list);
    if (self && !self->scenario) {
        py_fail(PyType_GetModuleState(type), &diag);
        Py_CLEAR(self);
    }
    return (PyObject *)self;
}

static void scenario_dealloc(PyObject *self)
{
    ty_scenario_destroy(((py_scenario *)self)->scenario);
    py_free(self);
}

static const char *const drivers[] = { "stand", "constant", "table",  "waypoints", "external",
                                       "fmu",   "avoid",    "follow", "formation" };

static PyObject *sensor_names(const ty_sensor_def *sensor, size_t count)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < count; i++) {
        PyObject *name = PyUnicode_FromString(sensor[i].name);
        if (!name || PyList_Append(list, name)) {
            Py_CLEAR(list);
        }
        Py_XDECREF(name);
    }
    return list;
}

/* a few facts of it as a dict */
static PyObject *scenario_facts(PyObject *self, PyObject *unused)
{
    (void)unused;
    const ty_scenario *s = ((py_scenario *)self)->scenario;
    PyObject *rovers = PyList_New(0), *actors = PyList_New(0);
    for (size_t i = 0; rovers && i < s->rovers; i++) {
        const ty_scenario_rover *r = &s->rover[i];
        PyObject *one = Py_BuildValue("{s:s,s:s,s:s,s:d,s:d,s:d,s:N}", "name", r->name, "model", r->model, "driver",
                                      drivers[r->driver.kind], "x", r->vehicle.x, "y", r->vehicle.y, "yaw",
                                      r->vehicle.yaw, "sensors", sensor_names(r->sensor, r->sensors));
        if (!one || PyList_Append(rovers, one)) {
            Py_CLEAR(rovers);
        }
        Py_XDECREF(one);
    }
    for (size_t i = 0; actors && i < s->actors; i++) {
        PyObject *one = Py_BuildValue("{s:s,s:N}", "name", s->actor[i].name, "sensors",
                                      sensor_names(s->actor[i].sensor, s->actor[i].sensors));
        if (!one || PyList_Append(actors, one)) {
            Py_CLEAR(actors);
        }
        Py_XDECREF(one);
    }
    if (!rovers || !actors) {
        Py_XDECREF(rovers);
        Py_XDECREF(actors);
        return NULL;
    }
    return Py_BuildValue("{s:s,s:s,s:d,s:d,s:d,s:d,s:d,s:d,s:K,s:N,s:N}", "name", s->name, "start_utc", s->start_utc,
                         "duration", s->duration, "step", s->step, "telemetry", s->telemetry, "gravity", s->gravity,
                         "lat_deg", s->terrain.lat / TY_DEG, "lon_deg", s->terrain.lon / TY_DEG, "seed",
                         (unsigned long long)s->terrain.seed, "rovers", rovers, "actors", actors);
}

static PyMethodDef scenario_methods[] = { { "facts", scenario_facts, METH_NOARGS, "facts() -> dict" },
                                          { NULL, NULL, 0, NULL } };
static PyType_Slot scenario_slots[] = { { Py_tp_new, (void *)scenario_new },
                                        { Py_tp_dealloc, (void *)scenario_dealloc },
                                        { Py_tp_methods, scenario_methods },
                                        { 0, NULL } };
PyType_Spec py_scenario_spec = { "tycho._tycho.Scenario", sizeof(py_scenario), 0, Py_TPFLAGS_DEFAULT, scenario_slots };
