/* python/src/run_messages.c - messages of a run to those who want them. One subscription of the library serves all readers, so that
 * there may be any number and each can leave.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "run.h"
#include <stdlib.h>
#include <string.h>

static void free_queue(py_reader *reader)
{
    for (size_t i = 0; i < reader->count; i++) {
        ty_buffer_destroy(&reader->queue[i].part[0].data);
    }
    free(reader->queue);
    reader->queue = NULL;
    reader->count = reader->room = 0;
}

/* all of them, or those that left */
void py_run_drop_readers(py_run *r, bool all)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->readers; i++) {
        py_reader *reader = r->reader[i];
        if (!all && !reader->gone) {
            r->reader[kept++] = reader;
            continue;
        }
        PyObject *call = reader->call;
        free_queue(reader);
        free(reader);
        r->reader[i] = NULL;
        Py_XDECREF(call);
    }
    r->readers = kept;
    if (all) {
        free(r->reader);
        r->reader = NULL;
    }
}

static PyObject *columns(py_run *r, const ty_message *m)
{
    if (m->kind != TY_MESSAGE_SENSOR) {
        return py_message_columns(m->schema);
    }
    if (!r->columns[m->index]) {
        r->columns[m->index] = py_message_columns(m->schema);
    }
    return Py_XNewRef(r->columns[m->index]);
}

static PyObject *message_of(py_run *r, ty_message *kept)
{
    PyObject *list = columns(r, kept);
    if (!list) {
        ty_buffer_destroy(&kept->part[0].data);
        return NULL;
    }
    PyObject *message = py_message_new(PyType_GetModuleState(Py_TYPE((PyObject *)r)), kept, list);
    Py_DECREF(list);
    return message;
}

static void call(py_run *r, const py_reader *reader, ty_message *kept)
{
    PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *callable = Py_XNewRef(reader->call); /* it may leave meanwhile */
    PyObject *message = message_of(r, kept);
    PyObject *answer = message && callable ? PyObject_CallFunctionObjArgs(callable, message, NULL) : NULL;
    if (!answer && PyErr_Occurred()) {
        PyErr_Fetch(&r->error_type, &r->error_value, &r->error_trace);
    }
    Py_XDECREF(answer);
    Py_XDECREF(message);
    Py_XDECREF(callable);
    PyGILState_Release(lock);
}

static bool push(py_reader *reader, const ty_message *kept)
{
    if (reader->count == reader->room) {
        size_t room = reader->room ? 2 * reader->room : 16;
        ty_message *more = realloc(reader->queue, room * sizeof *more);
        if (!more) {
            return false;
        }
        reader->queue = more;
        reader->room = room;
    }
    reader->queue[reader->count++] = *kept;
    return true;
}

static bool wants(const py_reader *reader, const ty_message *m)
{
    return !reader->gone && (!reader->rover[0] || !strcmp(reader->rover, m->rover)) &&
           (!reader->sensor[0] || !strcmp(reader->sensor, m->sensor));
}

void py_run_receive(void *user, const ty_message *m)
{
    py_run *r = user;
    for (size_t i = 0; i < r->readers && !r->error_type; i++) {
        py_reader *reader = r->reader[i];
        ty_message kept;
        if (!wants(reader, m) || ty_message_keep(m, &kept, &r->failed) != TY_OK) {
            continue;
        }
        if (reader->call) {
            call(r, reader, &kept);
        } else if (push(reader, &kept)) {
            r->got_message = true;
        } else {
            ty_buffer_destroy(&kept.part[0].data);
            ty_fail(&r->failed, TY_ERR_MEMORY, "no memory for messages that wait to be read");
        }
    }
}

/* subscribe(callable or None, rover or '', sensor or '', states) -> id */
PyObject *py_run_subscribe(PyObject *self, PyObject *args)
{
    py_run *r = (py_run *)self;
    PyObject *callable;
    const char *rover, *sensor;
    int states;
    unsigned long before;
    if (!PyArg_ParseTuple(args, "Ossp", &callable, &rover, &sensor, &states)) {
        return NULL;
    }
    if (callable != Py_None && !PyCallable_Check(callable)) {
        return PyErr_Format(PyExc_TypeError, "a callback must be callable, not %R", callable);
    }
    if (py_run_enter(self, PY_ANY_TIME, &before)) {
        return NULL;
    }
    size_t index;
    ty_diag diag = { 0 };
    if (!states && sensor[0] && !ty_run_find_sensor(r->run, rover[0] ? rover : NULL, sensor, &index)) {
        PyErr_Format(PyExc_KeyError, "there is no sensor '%s'%s%s", sensor, rover[0] ? " of " : "", rover);
    } else if (states && !r->states && ty_run_subscribe_state(r->run, py_run_receive, r, &diag) != TY_OK) {
        py_fail(PY_STATE(self), &diag);
    }
    py_reader **more = PyErr_Occurred() ? NULL : realloc(r->reader, (r->readers + 1) * sizeof *more);
    py_reader *reader = more ? calloc(1, sizeof *reader) : NULL;
    r->reader = more ? more : r->reader;
    if (reader) {
        r->states = r->states || states;
        *reader = (py_reader){ .call = callable == Py_None ? NULL : Py_NewRef(callable), .id = ++r->next_id };
        snprintf(reader->rover, sizeof reader->rover, "%s", rover);
        snprintf(reader->sensor, sizeof reader->sensor, "%s", sensor);
        r->reader[r->readers++] = reader;
    } else if (!PyErr_Occurred()) {
        PyErr_NoMemory();
    }
    py_run_leave(self, before);
    return reader ? PyLong_FromLong(reader->id) : NULL;
}

static py_reader *find(py_run *r, long id)
{
    for (size_t i = 0; i < r->readers; i++) {
        if (r->reader[i]->id == id && !r->reader[i]->gone) {
            return r->reader[i];
        }
    }
    return NULL;
}

/* unsubscribe(id); one that left is fine */
PyObject *py_run_unsubscribe(PyObject *self, PyObject *args)
{
    long id;
    unsigned long before;
    if (!PyArg_ParseTuple(args, "l", &id)) {
        return NULL;
    }
    if (!py_run_get(self)) {
        Py_RETURN_NONE;
    }
    if (py_run_enter(self, PY_ANY_TIME, &before)) {
        return NULL;
    }
    py_reader *reader = find((py_run *)self, id);
    if (reader) {
        reader->gone = true;
    }
    py_run_leave(self, before);
    Py_RETURN_NONE;
}

/* take(id) -> list of the messages that came since the last time */
PyObject *py_run_take(PyObject *self, PyObject *args)
{
    py_run *r = (py_run *)self;
    long id;
    unsigned long before;
    if (!PyArg_ParseTuple(args, "l", &id) || py_run_enter(self, PY_BETWEEN_STEPS, &before)) {
        return NULL;
    }
    py_reader *reader = find(r, id);
    PyObject *list = PyList_New(0);
    size_t i = 0;
    for (; reader && list && i < reader->count; i++) {
        PyObject *message = message_of(r, &reader->queue[i]);
        if (!message || PyList_Append(list, message)) {
            Py_CLEAR(list);
        }
        Py_XDECREF(message);
    }
    for (; reader && i < reader->count; i++) {
        ty_buffer_destroy(&reader->queue[i].part[0].data);
    }
    if (reader) {
        reader->count = 0;
    }
    py_run_leave(self, before);
    return list;
}

static int sensor_index(ty_run *run, const char *rover, const char *sensor, size_t *out)
{
    if (ty_run_find_sensor(run, rover[0] ? rover : NULL, sensor, out)) {
        return 0;
    }
    PyErr_Format(PyExc_KeyError, "there is no sensor '%s'%s%s", sensor, rover[0] ? " of " : "", rover);
    return -1;
}

/* newest(rover or '', sensor) -> message, or None before the first */
PyObject *py_run_newest(PyObject *self, PyObject *args)
{
    py_run *r = (py_run *)self;
    const char *rover, *sensor;
    size_t index;
    unsigned long before;
    ty_diag diag = { 0 };
    ty_message kept;
    if (!PyArg_ParseTuple(args, "ss", &rover, &sensor) || py_run_enter(self, PY_ANY_TIME, &before)) {
        return NULL;
    }
    PyObject *out = NULL;
    if (!sensor_index(r->run, rover, sensor, &index)) {
        const ty_message *m = ty_run_newest(r->run, index);
        if (!m) {
            out = Py_NewRef(Py_None);
        } else {
            out = ty_message_keep(m, &kept, &diag) == TY_OK ? message_of(r, &kept) : py_fail(PY_STATE(self), &diag);
        }
    }
    py_run_leave(self, before);
    return out;
}

/* address(rover, sensor, part): where the run itself has the newest message's data; for checks that nothing is copied */
PyObject *py_run_address(PyObject *self, PyObject *args)
{
    const char *rover, *sensor, *part;
    size_t index;
    unsigned long before;
    if (!PyArg_ParseTuple(args, "sss", &rover, &sensor, &part) || py_run_enter(self, PY_ANY_TIME, &before)) {
        return NULL;
    }
    PyObject *out = NULL;
    if (!sensor_index(py_run_get(self), rover, sensor, &index)) {
        const ty_message *m = ty_run_newest(py_run_get(self), index);
        const ty_buffer *b = m ? ty_message_find(m, part) : NULL;
        out = b ? PyLong_FromVoidPtr(b->data) : PyErr_Format(PyExc_KeyError, "there is no part '%s'", part);
    }
    py_run_leave(self, before);
    return out;
}

/* sensors() -> list of dicts */
PyObject *py_run_sensors(PyObject *self, PyObject *unused)
{
    (void)unused;
    unsigned long before;
    if (py_run_enter(self, PY_ANY_TIME, &before)) {
        return NULL;
    }
    ty_run *run = py_run_get(self);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < ty_run_sensors(run); i++) {
        ty_sensor_info s = ty_run_sensor(run, i);
        PyObject *one = Py_BuildValue("{s:s,s:s,s:s,s:d,s:d,s:d,s:K}", "rover", s.rover, "name", s.name, "kind",
                                      s.schema->name, "period", ty_seconds(s.period), "window", ty_seconds(s.window),
                                      "lag", ty_seconds(s.lag), "messages", (unsigned long long)s.sequence);
        if (!one || PyList_Append(list, one)) {
            Py_CLEAR(list);
        }
        Py_XDECREF(one);
    }
    py_run_leave(self, before);
    return list;
}
