/* python/src/run_filters.c - filters of sensors that are functions of Python: {type: user, name: NAME, ...} of a scenario. A function gets a copy of
 * what the filter before gave and answers with an array of the same shape; it is called on the thread that makes the frame.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "run.h"
#include <stdlib.h>
#include <string.h>

typedef struct py_kind {
    PyObject *call;
    char name[64];
    py_run *run;
} py_kind;

/* one filter of one sensor */
typedef struct py_filter {
    py_kind *kind;
    PyObject *settings;
} py_filter;

struct py_filters {
    ty_filter_kind *kind;
    py_kind *of;
    size_t count;
};

ty_status py_run_keep_error(py_run *r, const char *what, const char *name, ty_diag *diag)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyObject *text = value ? PyObject_Str(value) : NULL;
    const char *said = text ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
    ty_fail(diag, TY_ERR_INPUT, "%s '%s' raised an exception: %.800s", what, name, said ? said : "?");
    Py_XDECREF(text);
    PyErr_Clear();
    if (r->filter_type) {
        Py_XDECREF(type);
        Py_XDECREF(value);
        Py_XDECREF(trace);
    } else {
        r->filter_type = type, r->filter_value = value, r->filter_trace = trace;
    }
    return TY_ERR_INPUT;
}

/* a copy of a buffer that Python may write to */
static PyObject *array_of(const ty_buffer *in)
{
    static const char *const format[TY_ELEMENT_COUNT] = { "f", "d", "B", "H", "I" };
    const ty_buffer_type *t = &in->type;
    PyObject *bytes = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)ty_buffer_type_bytes(t));
    if (!bytes) {
        return NULL;
    }
    ty_buffer plain = ty_buffer_wrap(t, PyByteArray_AsString(bytes));
    ty_buffer_copy(&plain, in);
    PyObject *view = PyMemoryView_FromObject(bytes);
    PyObject *shaped =
        !view ? NULL
        : t->channels > 1
            ? PyObject_CallMethod(view, "cast", "s(iii)", format[t->element], t->height, t->width, t->channels)
            : PyObject_CallMethod(view, "cast", "s(ii)", format[t->element], t->height, t->width);
    Py_XDECREF(view);
    Py_DECREF(bytes);
    return shaped;
}

static ty_status run_filter(void *user, const ty_filter_call *call, ty_diag *diag)
{
    static const char format[TY_ELEMENT_COUNT] = { 'f', 'd', 'B', 'H', 'I' };
    py_filter *f = user;
    const ty_buffer_type *t = &call->in->type;
    PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *array = array_of(call->in);
    PyObject *answer =
        array ? PyObject_CallFunction(f->kind->call, "OOK", array, f->settings, (unsigned long long)call->frame) : NULL;
    Py_buffer view = { 0 };
    ty_status status = TY_OK;
    const Py_ssize_t count = (Py_ssize_t)t->width * t->height * t->channels;
    if (!answer ||
        py_take(answer, &(py_wanted){ "what a filter gives", format[t->element], count, false, false }, &view)) {
        status = py_run_keep_error(f->kind->run, "filter", f->kind->name, diag);
    } else {
        ty_buffer plain = ty_buffer_wrap(t, view.buf);
        ty_buffer_copy(call->out, &plain);
        py_release(&view);
    }
    Py_XDECREF(answer);
    Py_XDECREF(array);
    PyGILState_Release(lock);
    return status;
}

static void destroy_filter(void *user)
{
    py_filter *f = user;
    PyGILState_STATE lock = PyGILState_Ensure();
    Py_XDECREF(f->settings);
    PyGILState_Release(lock);
    free(f);
}

static ty_status make_filter(const ty_settings *settings, void *user, ty_filter *out, ty_diag *diag)
{
    py_kind *kind = user;
    py_filter *f = calloc(1, sizeof *f);
    PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *dict = f ? PyDict_New() : NULL;
    for (size_t i = 0; dict && i < settings->count; i++) {
        PyObject *value =
            PyUnicode_DecodeUTF8(settings->item[i].value, (Py_ssize_t)strlen(settings->item[i].value), "replace");
        if (!value || PyDict_SetItemString(dict, settings->item[i].key, value)) {
            Py_CLEAR(dict);
        }
        Py_XDECREF(value);
    }
    PyErr_Clear();
    PyGILState_Release(lock);
    if (!dict) {
        free(f);
        return ty_fail(diag, TY_ERR_MEMORY, "filter '%s': no memory", kind->name);
    }
    *f = (py_filter){ kind, dict };
    *out = (ty_filter){ .name = kind->name, .run = run_filter, .destroy = destroy_filter, .user = f };
    return TY_OK;
}

int py_run_filters_take(py_run *r, PyObject *dict, ty_run_def *def)
{
    if (!dict || dict == Py_None) {
        return 0;
    }
    if (!PyDict_Check(dict)) {
        PyErr_SetString(PyExc_TypeError, "filters are a dict of names and functions");
        return -1;
    }
    size_t count = (size_t)PyDict_Size(dict);
    struct py_filters *all = calloc(1, sizeof *all);
    r->filters = all;
    if (all) {
        all->kind = calloc(count + 1, sizeof *all->kind);
        all->of = calloc(count + 1, sizeof *all->of);
    }
    if (!all || !all->kind || !all->of) {
        PyErr_NoMemory();
        return -1;
    }
    PyObject *key, *call;
    Py_ssize_t at = 0;
    while (PyDict_Next(dict, &at, &key, &call)) {
        py_kind *k = &all->of[all->count];
        const char *name = PyUnicode_Check(key) ? PyUnicode_AsUTF8AndSize(key, NULL) : NULL;
        if (!name || strlen(name) >= sizeof k->name || !PyCallable_Check(call)) {
            PyErr_Format(PyExc_TypeError, "filters are names of at most 63 bytes with functions, not %R: %R", key,
                         call);
            return -1;
        }
        strcpy(k->name, name);
        k->call = Py_NewRef(call);
        k->run = r;
        all->kind[all->count++] = (ty_filter_kind){ k->name, make_filter, k };
    }
    def->filter_kind = all->kind, def->filter_kinds = all->count;
    return 0;
}

int py_run_filters_visit(py_run *r, visitproc visit, void *arg)
{
    for (size_t i = 0; r->filters && i < r->filters->count; i++) {
        Py_VISIT(r->filters->of[i].call);
    }
    return 0;
}

void py_run_filters_free(py_run *r)
{
    struct py_filters *all = r->filters;
    r->filters = NULL;
    for (size_t i = 0; all && i < all->count; i++) {
        Py_XDECREF(all->of[i].call);
    }
    if (all) {
        free(all->kind);
        free(all->of);
        free(all);
    }
    Py_CLEAR(r->filter_type);
    Py_CLEAR(r->filter_value);
    Py_CLEAR(r->filter_trace);
}
