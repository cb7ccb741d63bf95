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

#endif
