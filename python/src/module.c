/* python/src/module.c - the module, its exceptions, and helpers of all types.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "binding.h"
#include <string.h>
#include <unistd.h>

/* ---- exceptions ---- */

PyObject *py_fail(const py_state *state, const ty_diag *diag)
{
    ty_status status = diag->status > TY_OK && diag->status < TY_STATUS_COUNT ? diag->status : TY_ERR_INPUT;
    PyErr_SetString(state->error[status], diag->text[0] ? diag->text : ty_status_text(status));
    return NULL;
}

int py_process(py_state *state)
{
    long now = (long)getpid();
    if (state->process == 0) {
        state->process = now;
    }
    if (state->process != now) {
        PyErr_Format(PyExc_RuntimeError,
                     "process %ld is a fork of %ld, which had used Tycho: its threads are not here; start processes "
                     "by 'spawn' or 'forkserver'",
                     now, state->process);
        return -1;
    }
    return 0;
}

PyObject *py_alloc(PyTypeObject *type)
{
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    return alloc(type, 0);
}

void py_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    freefunc put = (freefunc)PyType_GetSlot(type, Py_tp_free);
    put(self);
    Py_DECREF(type);
}

/* ---- arguments ---- */

static Py_ssize_t bytes_of(char format)
{
    return format == 'd' ? 8 : format == 'B' ? 1 : format == 'H' ? 2 : 4;
}

int py_take(PyObject *object, const py_wanted *wanted, Py_buffer *view)
{
    memset(view, 0, sizeof *view);
    if (wanted->optional && (!object || object == Py_None)) {
        return 0;
    }
    if (PyObject_GetBuffer(object, view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (wanted->write ? PyBUF_WRITABLE : 0))) {
        return -1;
    }
    const char *format = view->format ? view->format : "B";
    format += *format == '@' || *format == '=' || *format == '<';
    Py_ssize_t count = view->len / bytes_of(wanted->format);
    bool same = (format[0] == wanted->format || (wanted->format == 'I' && format[0] == 'L' && view->itemsize == 4)) &&
                !format[1];
    if (!same || (wanted->count >= 0 && count != wanted->count)) {
        PyErr_Format(same ? PyExc_ValueError : PyExc_TypeError,
                     "%s has %zd elements of format '%s', but takes %zd of '%c'", wanted->what,
                     view->itemsize ? view->len / view->itemsize : 0, format,
                     wanted->count >= 0 ? wanted->count : count, wanted->format);
        PyBuffer_Release(view);
        return -1;
    }
    return 0;
}

void py_release(Py_buffer *view)
{
    if (view->obj) {
        PyBuffer_Release(view);
    }
}

const char **py_texts(PyObject *sequence, Py_ssize_t *count)
{
    *count = PySequence_Size(sequence);
    if (*count < 0 || PyUnicode_Check(sequence)) {
        PyErr_SetString(PyExc_TypeError, "settings are a list of texts 'key=value'");
        return NULL;
    }
    const char **text = PyMem_Calloc((size_t)*count + 1, sizeof *text);
    for (Py_ssize_t i = 0; text && i < *count; i++) {
        PyObject *item = PySequence_GetItem(sequence, i); /* the sequence keeps it alive */
        text[i] = item ? PyUnicode_AsUTF8AndSize(item, NULL) : NULL;
        Py_XDECREF(item);
        if (!text[i]) {
            PyMem_Free((void *)text);
            return NULL;
        }
    }
    return text ? text : (const char **)PyErr_NoMemory();
}

PyObject *py_vec3(ty_vec3 v)
{
    return Py_BuildValue("(ddd)", v.x, v.y, v.z);
}

PyObject *py_pose(ty_pose pose)
{
    return Py_BuildValue("((ddd)(dddd))", pose.p.x, pose.p.y, pose.p.z, pose.q.w, pose.q.x, pose.q.y, pose.q.z);
}

/* ---- the module ---- */

/* tycho.Error and one class of it for each status, which is also the exception that Python people would catch */
static int add_errors(PyObject *module, py_state *state)
{
    static const char *const name[TY_STATUS_COUNT] = {
        [TY_ERR_DEF] = "tycho.DefinitionError",     [TY_ERR_RANGE] = "tycho.RangeError",
        [TY_ERR_MEMORY] = "tycho.OutOfMemoryError", [TY_ERR_FILE] = "tycho.FileError",
        [TY_ERR_FORMAT] = "tycho.FormatError",      [TY_ERR_INPUT] = "tycho.InputError",
        [TY_ERR_DEVICE] = "tycho.DeviceError",      [TY_ERR_NUMERIC] = "tycho.NumericError",
        [TY_ERR_CANCELLED] = "tycho.CancelledError"
    };
    PyObject *also[TY_STATUS_COUNT] = { [TY_ERR_DEF] = PyExc_ValueError,      [TY_ERR_RANGE] = PyExc_ValueError,
                                        [TY_ERR_MEMORY] = PyExc_MemoryError,  [TY_ERR_FILE] = PyExc_OSError,
                                        [TY_ERR_FORMAT] = PyExc_ValueError,   [TY_ERR_INPUT] = PyExc_ValueError,
                                        [TY_ERR_DEVICE] = PyExc_RuntimeError, [TY_ERR_NUMERIC] = PyExc_ArithmeticError,
                                        [TY_ERR_CANCELLED] = PyExc_Exception };
    state->error[TY_OK] = PyErr_NewExceptionWithDoc(
        "tycho.Error", "What the library refuses: the sentence names file, key, value and what is accepted.", NULL,
        NULL);
    if (!state->error[TY_OK] || PyModule_AddObjectRef(module, "Error", state->error[TY_OK])) {
        return -1;
    }
    for (int i = 1; i < TY_STATUS_COUNT; i++) {
        PyObject *bases = also[i] == PyExc_Exception ? PyTuple_Pack(1, state->error[TY_OK])
                                                     : PyTuple_Pack(2, state->error[TY_OK], also[i]);
        PyObject *dict = Py_BuildValue("{s:s}", "status", ty_status_name((ty_status)i));
        state->error[i] =
            bases && dict ? PyErr_NewExceptionWithDoc(name[i], ty_status_text((ty_status)i), bases, dict) : NULL;
        Py_XDECREF(bases);
        Py_XDECREF(dict);
        if (!state->error[i] || PyModule_AddObjectRef(module, name[i] + strlen("tycho."), state->error[i])) {
            return -1;
        }
    }
    return 0;
}

static int add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **out)
{
    *out = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, NULL);
    return *out ? PyModule_AddType(module, *out) : -1;
}

static int fill(PyObject *module)
{
    py_state *state = PyModule_GetState(module);
    if (add_errors(module, state) || add_type(module, &py_scenario_spec, &state->scenario) ||
        add_type(module, &py_run_spec, &state->run) || add_type(module, &py_message_spec, &state->message) ||
        add_type(module, &py_part_spec, &state->part) || add_type(module, &py_ground_spec, &state->ground) ||
        add_type(module, &py_stage_spec, &state->stage)) {
        return -1;
    }
    PyObject *numpy = PyImport_ImportModule("numpy");
    if (numpy) {
        state->asarray = PyObject_GetAttrString(numpy, "asarray");
        Py_DECREF(numpy);
    } else if (PyErr_ExceptionMatches(PyExc_ImportError)) {
        PyErr_Clear();
        state->asarray = Py_NewRef(Py_None);
    }
    return state->asarray ? PyModule_AddStringConstant(module, "version", ty_version()) : -1;
}

static int traverse(PyObject *module, visitproc visit, void *arg)
{
    py_state *state = PyModule_GetState(module);
    for (int i = 0; i < TY_STATUS_COUNT; i++) {
        Py_VISIT(state->error[i]);
    }
    PyTypeObject *type[] = { state->scenario, state->run, state->message, state->part, state->ground, state->stage };
    for (size_t i = 0; i < sizeof type / sizeof *type; i++) {
        Py_VISIT(type[i]);
    }
    Py_VISIT(state->asarray);
    return 0;
}

static int clear(PyObject *module)
{
    py_state *state = PyModule_GetState(module);
    for (int i = 0; i < TY_STATUS_COUNT; i++) {
        Py_CLEAR(state->error[i]);
    }
    Py_CLEAR(state->scenario);
    Py_CLEAR(state->run);
    Py_CLEAR(state->message);
    Py_CLEAR(state->part);
    Py_CLEAR(state->ground);
    Py_CLEAR(state->stage);
    Py_CLEAR(state->asarray);
    return 0;
}

static void drop(void *module)
{
    clear(module);
}

PyMODINIT_FUNC PyInit__tycho(void); /* the interpreter looks for it by name */

PyMODINIT_FUNC PyInit__tycho(void)
{
    static PyModuleDef_Slot slots[] = { { Py_mod_exec, (void *)fill }, { 0, NULL } };
    static PyModuleDef def = { .m_base = PyModuleDef_HEAD_INIT,
                               .m_name = "tycho._tycho",
                               .m_doc = "What the package tycho is made of; use that.",
                               .m_size = sizeof(py_state),
                               .m_methods = py_functions,
                               .m_slots = slots,
                               .m_traverse = traverse,
                               .m_clear = clear,
                               .m_free = drop };
    return PyModuleDef_Init(&def);
}
