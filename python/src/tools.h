/* python/src/tools.h - functions of tools.c, for the module's list.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_PYTHON_TOOLS_H
#define TYCHO_PYTHON_TOOLS_H
#include "binding.h"

PyObject *py_resume(PyObject *module, PyObject *args); /* run_record.c */
PyObject *py_wheel_rig(PyObject *module, PyObject *args);
PyObject *py_plate(PyObject *module, PyObject *args);
PyObject *py_dataset(PyObject *module, PyObject *args);
PyObject *py_score_depth(PyObject *module, PyObject *args);
PyObject *py_score_boxes(PyObject *module, PyObject *args);

/* run_kinds.c: a scene in the hands of a sensor or an action */
PyObject *py_scene_trace(PyObject *module, PyObject *args);
PyObject *py_scene_hide(PyObject *module, PyObject *args);
PyObject *py_scene_lamp(PyObject *module, PyObject *args);
PyObject *py_scene_refine(PyObject *module, PyObject *args);
/* Long work tells how far it is; Ctrl-C and what the function raises end it. */
typedef struct py_teller {
    PyObject *call; /* NULL: nobody is told */
    bool raised;
    PyObject *type, *value, *trace; /* what was raised, on whichever thread */
} py_teller;
bool py_tell(void *teller, const char *what, double done, double total); /* of a ty_progress; false: stop */
/* bed.c */
PyObject *py_bed(PyObject *module, PyObject *args);
PyObject *py_beds(PyObject *module, PyObject *unused);

#endif
