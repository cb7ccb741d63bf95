/* python/src/binding.h - what the files of the extension share. It sees include/tycho alone, as any program does.
 *
 * Python's classes (python/tycho) hold objects of the types made here; nothing here is for users' eyes. All types are final, so that a
 * type leads to the module's state. A call that takes long gives the interpreter's lock away.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_PYTHON_BINDING_H
#define TYCHO_PYTHON_BINDING_H
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>
#include <stdbool.h>
#include <tycho/render.h>
#include <tycho/run.h>

/* the module's state */
typedef struct py_state {
    PyObject *error[TY_STATUS_COUNT]; /* exception of each status */
    PyTypeObject *scenario, *run, *message, *part, *ground, *stage;
    PyObject *asarray; /* numpy.asarray; None: there is no numpy */
    long process;      /* that first used the library's threads; 0: none yet */
} py_state;

#define PY_STATE(self) ((py_state *)PyType_GetModuleState(Py_TYPE(self)))

typedef struct py_scenario {
    PyObject_HEAD ty_scenario *scenario;
} py_scenario;

/* ---- module.c ---- */

/* Sets the exception of a status with its sentence; returns NULL. */
PyObject *py_fail(const py_state *state, const ty_diag *diag);
/* Whether this process may use threads of the library: not a fork of one that did. 0, or -1 with an exception. */
int py_process(py_state *state);
PyObject *py_alloc(PyTypeObject *type); /* an object of it, zeroed; NULL: no memory */
void py_free(PyObject *self);           /* what is left of it after its own things */

/* Numbers that Python hands over: contiguous, of one format ("d", "f", "B", "I"), of `count` elements (-1: any number). 0, or -1
 * with an exception that names `what`. None leaves view->buf NULL where `optional`. */
typedef struct py_wanted {
    const char *what;
    char format;
    Py_ssize_t count;
    bool write, optional;
} py_wanted;
int py_take(PyObject *object, const py_wanted *wanted, Py_buffer *view);
void py_release(Py_buffer *view); /* also one that was never taken */
/* "a.b=c" texts of a sequence of str; NULL with an exception. Free with PyMem_Free; the texts are the sequence's. */
const char **py_texts(PyObject *sequence, Py_ssize_t *count);
PyObject *py_vec3(ty_vec3 v);
PyObject *py_pose(ty_pose pose); /* (x, y, z), (w, x, y, z) */

/* ---- the types, each in its file ---- */

extern PyType_Spec py_scenario_spec, py_run_spec, py_message_spec, py_part_spec, py_ground_spec, py_stage_spec;

/* ---- message.c ---- */

/* Takes over a message that was kept; columns is a tuple of (name, unit) or None. NULL: an exception, and it was let go. */
PyObject *py_message_new(const py_state *state, ty_message *kept, PyObject *columns);
PyObject *py_message_columns(const ty_message_schema *schema);

/* ---- run.c ---- */

typedef enum py_when {
    PY_ANY_TIME,     /* also in a callback */
    PY_BETWEEN_STEPS /* not in one */
} py_when;
/* Takes a run for this thread, if it is open, of this process and nobody else's. -1: an exception. */
int py_run_enter(PyObject *run, py_when when, unsigned long *before);
void py_run_leave(PyObject *run, unsigned long before);
ty_run *py_run_get(PyObject *run);

/* ---- picture.c: a camera and arrays for what it sees ---- */

typedef struct py_view {
    ty_camera camera;
    ty_render_def def;
    ty_render_buffers out;
    Py_buffer view[8];
} py_view;
/* From the arguments of a render method, the bands of its light being `bands`. 0, or -1 with an exception. */
int py_view_take(py_view *view, PyObject *args, PyObject *kwds, int bands);
void py_view_release(py_view *view);

extern PyMethodDef py_functions[]; /* functions.c */
#endif
