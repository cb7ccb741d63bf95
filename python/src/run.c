/* python/src/run.c - a run: made, stepped, commanded, saved and restored. One thread at a time uses it; another one, a forked
 * process, and whoever comes after close() get an exception.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "run.h"
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* ---- who may use it ---- */

int py_run_enter(PyObject *self, py_when when, unsigned long *before)
{
    py_run *r = (py_run *)self;
    unsigned long me = PyThread_get_thread_ident();
    if (!r->run) {
        PyErr_SetString(PyExc_ValueError, "the run is closed");
        return -1;
    }
    if (r->process != (long)getpid()) {
        PyErr_Format(PyExc_RuntimeError, "the run belongs to process %ld; a fork of it has none of its threads",
                     r->process);
        return -1;
    }
    if (r->broken) {
        PyErr_SetString(PyExc_ValueError, "the run could not be restored and is good for nothing but close()");
        return -1;
    }
    if (r->thread && r->thread != me) {
        PyErr_SetString(PyExc_RuntimeError, "another thread is using the run; one run, one thread at a time");
        return -1;
    }
    if (r->thread && when == PY_BETWEEN_STEPS) {
        PyErr_SetString(PyExc_RuntimeError, "the run is in the middle of a step: a callback cannot do that");
        return -1;
    }
    *before = r->thread;
    r->thread = me;
    return 0;
}

void py_run_leave(PyObject *self, unsigned long before)
{
    py_run *r = (py_run *)self;
    r->thread = before;
    if (!before) {
        py_run_drop_readers(r, false);
    }
}

ty_run *py_run_get(PyObject *self)
{
    return ((py_run *)self)->run;
}

/* ---- made and ended ---- */

/* the exception of a status; where a function of Python raised one, that one goes on */
static PyObject *raise_failed(py_run *r, const py_state *state, const ty_diag *diag)
{
    if (!r->filter_type) {
        return py_fail(state, diag);
    }
    PyErr_Restore(r->filter_type, r->filter_value, r->filter_trace);
    r->filter_type = r->filter_value = r->filter_trace = NULL;
    return NULL;
}

static PyObject *run_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *names[] = { "scenario", "threads", "overlap", "memory",  "detail", "folder",
                             "filters",  "soils",   "sensors", "actions", NULL };
    py_state *state = PyType_GetModuleState(type);
    ty_run_def def = ty_run_def_default();
    PyObject *scenario, *filters = NULL, *soils = NULL, *sensors = NULL, *actions = NULL;
    int overlap = 1;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O!|ipdizOOOO", names, state->scenario, &scenario, &def.threads,
                                     &overlap, &def.memory, &def.detail, &def.folder, &filters, &soils, &sensors,
                                     &actions) ||
        py_process(state)) {
        return NULL;
    }
    if (def.threads < 0 || def.threads > 4096) {
        return PyErr_Format(PyExc_ValueError, "threads is %d, but takes 0 (all processors) to 4096", def.threads);
    }
    py_run *r = (py_run *)py_alloc(type);
    if (!r) {
        return NULL;
    }
    def.scenario = ((py_scenario *)scenario)->scenario;
    def.overlap = overlap != 0;
    r->scenario = Py_NewRef(scenario);
    r->process = (long)getpid();
    r->notes = PyList_New(0);
    ty_diag diag = { 0 };
    if (py_run_filters_take(r, filters, &def) || py_run_kinds_take(r, soils, sensors, actions, &def)) {
        Py_DECREF(r);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    if (ty_run_create(&def, &r->run, &diag) == TY_OK) {
        ty_run_subscribe(r->run, NULL, NULL, py_run_receive, r, &diag);
    }
    Py_END_ALLOW_THREADS
    r->columns = diag.status == TY_OK ? PyMem_Calloc(ty_run_sensors(r->run) + 1, sizeof *r->columns) : NULL;
    if (diag.status != TY_OK) {
        raise_failed(r, state, &diag);
        Py_CLEAR(r);
    } else if (!r->columns || !r->notes) {
        PyErr_NoMemory();
        Py_CLEAR(r);
    }
    return (PyObject *)r;
}

static void forget_error(py_run *r)
{
    Py_CLEAR(r->error_type);
    Py_CLEAR(r->error_value);
    Py_CLEAR(r->error_trace);
}

/* the C side of it; threads are let on meanwhile, as it waits for the worker */
static void end_run(py_run *r)
{
    ty_run *run = r->run;
    ty_record *record = r->record;
    size_t sensors = run ? ty_run_sensors(run) : 0;
    r->run = NULL;
    r->record = NULL;
    py_run_drop_readers(r, true);
    for (size_t i = 0; r->columns && i < sensors; i++) {
        Py_CLEAR(r->columns[i]);
    }
    PyMem_Free(r->columns);
    r->columns = NULL;
    if (run && r->process == (long)getpid()) { /* a fork has no worker to wait for: what it copied ends with it */
        Py_BEGIN_ALLOW_THREADS
        ty_record_destroy(record);
        ty_run_destroy(run);
        Py_END_ALLOW_THREADS
    }
    if (r->process == (long)getpid()) {
        py_run_filters_free(r);
        py_run_kinds_free(r);
    }
}

static PyObject *run_close(PyObject *self, PyObject *unused)
{
    (void)unused;
    py_run *r = (py_run *)self;
    if (r->thread) {
        PyErr_SetString(PyExc_RuntimeError, "the run is in use: it cannot be closed by a callback or another thread");
        return NULL;
    }
    if (r->run && r->record && !r->ended && r->process == (long)getpid()) {
        r->thread = PyThread_get_thread_ident();
        ty_diag diag = { 0 };
        Py_BEGIN_ALLOW_THREADS
        py_run_wind_up(r, "its program closed it", &diag);
        Py_END_ALLOW_THREADS
        r->thread = 0;
    }
    end_run(r);
    Py_RETURN_NONE;
}

static int run_traverse(PyObject *self, visitproc visit, void *arg)
{
    py_run *r = (py_run *)self;
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(r->scenario);
    Py_VISIT(r->notes);
    Py_VISIT(r->error_value);
    int seen = py_run_filters_visit(r, visit, arg);
    seen = seen ? seen : py_run_kinds_visit(r, visit, arg);
    if (seen) {
        return seen;
    }
    for (size_t i = 0; i < r->readers; i++) {
        Py_VISIT(r->reader[i]->call);
    }
    return 0;
}

static int run_clear(PyObject *self)
{
    py_run *r = (py_run *)self;
    forget_error(r);
    for (size_t i = 0; i < r->readers; i++) {
        r->reader[i]->gone = true;
        Py_CLEAR(r->reader[i]->call);
    }
    return 0;
}

static void run_dealloc(PyObject *self)
{
    py_run *r = (py_run *)self;
    PyObject_GC_UnTrack(self);
    end_run(r);
    forget_error(r);
    Py_XDECREF(r->scenario);
    Py_XDECREF(r->notes);
    py_free(self);
}

/* ---- steps ---- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool done(const py_run *r)
{
    return r->record ? ty_record_done(r->record) : ty_run_done(r->run);
}

#define SLICE 0.02 /* [s] of steps until signals are looked at */

/* Steps until something is to be told; returns how many were made. Without the interpreter's lock. */
static long long steps(py_run *r, long long most, ty_time until, ty_diag *diag)
{
    long long made = 0;
    double end = now() + SLICE;
    do {
        ty_status status = r->record ? ty_record_step(r->record, diag) : ty_run_step(r->run, diag);
        made++;
        if (status != TY_OK || r->failed.status != TY_OK) {
            break;
        }
    } while (made < most && ty_run_time(r->run) < until && !done(r) && !r->error_type &&
             !(r->stop_on_message && r->got_message) && now() < end);
    return made;
}

/* what a callback that raised leaves: the run is over, its files are whole, its exception goes on */
static PyObject *raise_kept(py_run *r)
{
    if (r->record && !r->ended) {
        ty_diag diag = { 0 };
        Py_BEGIN_ALLOW_THREADS
        py_run_wind_up(r, "a callback raised an exception", &diag);
        Py_END_ALLOW_THREADS
    }
    PyErr_Restore(r->error_type, r->error_value, r->error_trace);
    r->error_type = r->error_value = r->error_trace = NULL;
    return NULL;
}

/* advance(steps, until [ns], stop): at most that many steps, no step begun at or after that time; stop: also after a step that
 * put messages into a queue. Returns how many were made. */
static PyObject *run_advance(PyObject *self, PyObject *args)
{
    py_run *r = (py_run *)self;
    long long most, until, made = 0;
    int stop = 0;
    unsigned long before;
    if (!PyArg_ParseTuple(args, "LL|p", &most, &until, &stop) || py_run_enter(self, PY_BETWEEN_STEPS, &before)) {
        return NULL;
    }
    if (r->ended) {
        py_run_leave(self, before);
        PyErr_SetString(PyExc_ValueError, "the run has ended: its record is finished");
        return NULL;
    }
    ty_diag diag = { 0 };
    bool signal = false;
    r->stop_on_message = stop != 0;
    r->got_message = false;
    while (made < most && ty_run_time(r->run) < until && !done(r) && diag.status == TY_OK && !r->error_type &&
           r->failed.status == TY_OK && !signal && !(stop && r->got_message)) {
        Py_BEGIN_ALLOW_THREADS
        made += steps(r, most - made, until, &diag);
        Py_END_ALLOW_THREADS
        signal = PyErr_CheckSignals() != 0;
    }
    PyObject *out = NULL;
    if (signal) { /* a callback's own exception is lost: the user wants out */
        forget_error(r);
    } else if (r->error_type) {
        out = raise_kept(r);
    } else if (r->failed.status != TY_OK) {
        py_fail(PY_STATE(self), &r->failed);
        r->failed = (ty_diag){ 0 };
    } else if (diag.status != TY_OK) {
        if (r->record && !r->ended) {
            ty_diag copy = diag;
            Py_BEGIN_ALLOW_THREADS
            py_run_wind_up(r, NULL, &copy);
            Py_END_ALLOW_THREADS
        }
        raise_failed(r, PY_STATE(self), &diag);
    } else {
        out = PyLong_FromLongLong(made);
    }
    py_run_leave(self, before);
    return out;
}

static PyObject *run_command(PyObject *self, PyObject *args)
{
    Py_ssize_t rover;
    int mode;
    ty_drive_command command = { 0 };
    unsigned long before;
    if (!PyArg_ParseTuple(args, "niddd", &rover, &mode, &command.v, &command.omega, &command.crab) ||
        py_run_enter(self, PY_ANY_TIME, &before)) {
        return NULL;
    }
    ty_diag diag = { 0 };
    command.mode = (ty_steering)mode;
    if (rover < 0 || (size_t)rover >= ty_run_rovers(py_run_get(self)) || mode < 0 || mode > TY_STEER_SKID) {
        PyErr_Format(PyExc_IndexError, "there is no rover %zd or steering mode %d", rover, mode);
    } else if (ty_run_command(py_run_get(self), (size_t)rover, &command, &diag) != TY_OK) {
        py_fail(PY_STATE(self), &diag);
    }
    py_run_leave(self, before);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

/* motor(rover, name, value) */
static PyObject *run_motor(PyObject *self, PyObject *args)
{
    Py_ssize_t rover;
    const char *name;
    double value;
    unsigned long before;
    if (!PyArg_ParseTuple(args, "nsd", &rover, &name, &value) || py_run_enter(self, PY_ANY_TIME, &before)) {
        return NULL;
    }
    ty_diag diag = { 0 };
    ty_run *run = py_run_get(self);
    if (rover < 0 || (size_t)rover >= ty_run_rovers(run)) {
        PyErr_Format(PyExc_IndexError, "there is no rover %zd", rover);
    } else {
        ty_vehicle *vehicle = ty_run_rover(run, (size_t)rover);
        int motor = ty_vehicle_find_motor(vehicle, name);
        if (motor < 0) {
            PyErr_Format(PyExc_KeyError, "the rover has no motor '%s'", name);
        } else if (ty_vehicle_command_motor(vehicle, motor, value, &diag) != TY_OK) {
            py_fail(PY_STATE(self), &diag);
        }
    }
    py_run_leave(self, before);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

/* ---- checkpoints ---- */

/* add(lines), remove(name): between steps */
static PyObject *change(PyObject *self, PyObject *args, bool more)
{
    const char *text;
    unsigned long before;
    ty_diag diag = { 0 };
    if (!PyArg_ParseTuple(args, "s", &text) || py_run_enter(self, PY_BETWEEN_STEPS, &before)) {
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    if (more) {
        ty_run_add(py_run_get(self), text, &diag);
    } else {
        ty_run_remove(py_run_get(self), text, &diag);
    }
    Py_END_ALLOW_THREADS
    py_run_leave(self, before);
    return diag.status == TY_OK ? Py_NewRef(Py_None) : py_fail(PY_STATE(self), &diag);
}

static PyObject *run_add(PyObject *self, PyObject *args)
{
    return change(self, args, true);
}

static PyObject *run_remove(PyObject *self, PyObject *args)
{
    return change(self, args, false);
}

static PyObject *run_save(PyObject *self, PyObject *unused)
{
    (void)unused;
    unsigned long before;
    void *saved = NULL;
    size_t bytes = 0;
    ty_diag diag = { 0 };
    if (py_run_enter(self, PY_BETWEEN_STEPS, &before)) {
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    ty_run_save(py_run_get(self), &saved, &bytes, &diag);
    Py_END_ALLOW_THREADS
    py_run_leave(self, before);
    PyObject *out = diag.status == TY_OK && !((py_run *)self)->filter_type
                        ? PyBytes_FromStringAndSize(saved, (Py_ssize_t)bytes)
                        : raise_failed((py_run *)self, PY_STATE(self), &diag);
    free(saved);
    return out;
}

static PyObject *run_restore(PyObject *self, PyObject *saved)
{
    py_run *r = (py_run *)self;
    unsigned long before;
    Py_buffer view;
    ty_diag diag = { 0 };
    ty_status status = TY_OK;
    if (py_take(saved, &(py_wanted){ "what was saved", 'B', -1, false, false }, &view)) {
        return NULL;
    }
    if (py_run_enter(self, PY_BETWEEN_STEPS, &before)) {
        py_release(&view);
        return NULL;
    }
    if (r->record) {
        PyErr_SetString(PyExc_ValueError, "a run that is being recorded cannot be restored");
    } else {
        Py_BEGIN_ALLOW_THREADS
        status = ty_run_restore(r->run, view.buf, (size_t)view.len, &diag);
        Py_END_ALLOW_THREADS
        r->broken = status != TY_OK && status != TY_ERR_INPUT;
        if (status != TY_OK) {
            raise_failed(r, PY_STATE(self), &diag);
        }
    }
    py_run_leave(self, before);
    py_release(&view);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

/* ---- attributes ---- */

enum { TIME, DONE, DRIVING, CLOSED, RECORDING, SCENARIO, NOTES, ENDED };
static PyObject *run_attr(PyObject *self, void *which)
{
    py_run *r = (py_run *)self;
    intptr_t at = (intptr_t)which;
    if (at == CLOSED || at == ENDED) {
        return PyBool_FromLong(at == CLOSED ? !r->run : r->ended);
    }
    if (at == SCENARIO || at == NOTES) {
        return Py_NewRef(at == SCENARIO ? r->scenario : r->notes);
    }
    unsigned long before;
    if (py_run_enter(self, PY_ANY_TIME, &before)) {
        return NULL;
    }
    PyObject *out = at == TIME      ? PyLong_FromLongLong(ty_run_time(r->run))
                    : at == DONE    ? PyBool_FromLong(r->ended || done(r))
                    : at == DRIVING ? PyBool_FromLong(ty_run_driving(r->run))
                                    : PyBool_FromLong(r->record && !r->ended);
    py_run_leave(self, before);
    return out;
}

#define ATTR(name, which)                                     \
    {                                                         \
        name, run_attr, NULL, NULL, (void *)(intptr_t)(which) \
    }
static PyGetSetDef run_attrs[] = { ATTR("time", TIME),         ATTR("done", DONE),   ATTR("driving", DRIVING),
                                   ATTR("closed", CLOSED),     ATTR("ended", ENDED), ATTR("recording", RECORDING),
                                   ATTR("scenario", SCENARIO), ATTR("notes", NOTES), { NULL, NULL, NULL, NULL, NULL } };
#define KEYWORDS(f) (PyCFunction)(void (*)(void))(f)
static PyMethodDef run_methods[] = { { "advance", run_advance, METH_VARARGS, NULL },
                                     { "command", run_command, METH_VARARGS, NULL },
                                     { "motor", run_motor, METH_VARARGS, NULL },
                                     { "save", run_save, METH_NOARGS, NULL },
                                     { "restore", run_restore, METH_O, NULL },
                                     { "add", run_add, METH_VARARGS, NULL },
                                     { "remove", run_remove, METH_VARARGS, NULL },
                                     { "close", run_close, METH_NOARGS, NULL },
                                     { "record", KEYWORDS(py_run_record), METH_VARARGS | METH_KEYWORDS, NULL },
                                     { "finish", py_run_finish, METH_VARARGS, NULL },
                                     { "stats", py_run_stats, METH_NOARGS, NULL },
                                     { "subscribe", py_run_subscribe, METH_VARARGS, NULL },
                                     { "unsubscribe", py_run_unsubscribe, METH_VARARGS, NULL },
                                     { "take", py_run_take, METH_VARARGS, NULL },
                                     { "newest", py_run_newest, METH_VARARGS, NULL },
                                     { "address", py_run_address, METH_VARARGS, NULL },
                                     { "sensors", py_run_sensors, METH_NOARGS, NULL },
                                     { "rovers", py_run_rovers, METH_NOARGS, NULL },
                                     { "actors", py_run_actors, METH_NOARGS, NULL },
                                     { "state", py_run_state, METH_VARARGS, NULL },
                                     { "read", py_run_read, METH_VARARGS, NULL },
                                     { "tools", py_run_tools, METH_VARARGS, NULL },
                                     { "motors", py_run_motors, METH_VARARGS, NULL },
                                     { "mount", py_run_mount, METH_VARARGS, NULL },
                                     { "sky", py_run_sky, METH_NOARGS, NULL },
                                     { "sunlight", py_run_sunlight, METH_VARARGS, NULL },
                                     { "render", KEYWORDS(py_run_render), METH_VARARGS | METH_KEYWORDS, NULL },
                                     { "tone", py_run_tone, METH_NOARGS, NULL },
                                     { NULL, NULL, 0, NULL } };
static PyType_Slot run_slots[] = { { Py_tp_new, (void *)run_new },
                                   { Py_tp_dealloc, (void *)run_dealloc },
                                   { Py_tp_traverse, (void *)run_traverse },
                                   { Py_tp_clear, (void *)run_clear },
                                   { Py_tp_methods, run_methods },
                                   { Py_tp_getset, run_attrs },
                                   { 0, NULL } };
PyType_Spec py_run_spec = { "tycho._tycho.Run", sizeof(py_run), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, run_slots };
