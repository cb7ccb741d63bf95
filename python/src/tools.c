/* python/src/tools.c - the soil bin, data sets and scores.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tools.h"
#include <string.h>
#include <tycho/tools/dataset.h>
#include <tycho/tools/score.h>
#include <tycho/tools/testbed.h>

static const py_state *state_of(PyObject *module)
{
    return PyModule_GetState(module);
}

/* ---- soil bin ---- */

/* the rig of arguments model, soil file or None, settings of the soil, (r, b, grouser_h, grousers), cell; 0, or -1 with an exception */
static int rig_take(PyObject *module, PyObject *args, ty_rig_def *def)
{
    const char *model, *file;
    PyObject *settings;
    Py_ssize_t count;
    ty_diag diag = { 0 };
    *def = ty_rig_def_default();
    if (!PyArg_ParseTuple(args, "szO(dddi)d", &model, &file, &settings, &def->wheel.r, &def->wheel.b,
                          &def->wheel.grouser_h, &def->wheel.grousers, &def->cell)) {
        return -1;
    }
    if (!ty_rig_find(model, &def->model)) {
        PyErr_Format(PyExc_ValueError, "there is no soil model '%s' for the rig", model);
        return -1;
    }
    const char **list = py_texts(settings, &count);
    if (!list) {
        return -1;
    }
    ty_soil_params_load(file, list, (size_t)count, &def->soil, &diag);
    PyMem_Free((void *)list);
    if (diag.status != TY_OK) {
        py_fail(state_of(module), &diag);
        return -1;
    }
    return 0;
}

/* wheel_rig(rig arguments, load [N], slips, beta [rad], speed [m/s], out): rows of h, fx, fy, fz, torque, ripple */
PyObject *py_wheel_rig(PyObject *module, PyObject *args)
{
    ty_rig_def def;
    PyObject *rig, *slips, *rows;
    double load, beta, speed;
    Py_buffer slip, out;
    ty_diag diag = { 0 };
    if (!PyArg_ParseTuple(args, "O!dOddO", &PyTuple_Type, &rig, &load, &slips, &beta, &speed, &rows) ||
        py_process(PyModule_GetState(module)) || rig_take(module, rig, &def) ||
        py_take(slips, &(py_wanted){ "slip", 'd', -1, false, false }, &slip)) {
        return NULL;
    }
    Py_ssize_t n = slip.len / 8;
    if (py_take(rows, &(py_wanted){ "out", 'd', 6 * n, true, false }, &out)) {
        py_release(&slip);
        return NULL;
    }
    def.load = load, def.beta = beta, def.speed = speed;
    bool signal = false;
    for (Py_ssize_t i = 0; i < n && diag.status == TY_OK && !signal; i++) {
        ty_rig_result r = { 0 };
        def.slip = ((const double *)slip.buf)[i];
        Py_BEGIN_ALLOW_THREADS
        ty_rig_run(&def, &r, &diag);
        Py_END_ALLOW_THREADS
        const double row[6] = { r.h, r.fx, r.fy, r.fz, r.torque, r.ripple };
        memcpy((double *)out.buf + 6 * i, row, sizeof row);
        signal = PyErr_CheckSignals() != 0;
    }
    py_release(&slip);
    py_release(&out);
    return signal ? NULL : diag.status == TY_OK ? Py_NewRef(Py_None) : py_fail(state_of(module), &diag);
}

/* plate(rig arguments, shear, first, seconds, out): pressures of a plate of half-width `first` at depths, or shear stresses under a
 * normal stress `first` at displacements */
PyObject *py_plate(PyObject *module, PyObject *args)
{
    ty_rig_def def;
    PyObject *rig, *places, *rows;
    int shear;
    double first;
    Py_buffer at, out;
    ty_diag diag = { 0 };
    if (!PyArg_ParseTuple(args, "O!pdOO", &PyTuple_Type, &rig, &shear, &first, &places, &rows) ||
        rig_take(module, rig, &def) || py_take(places, &(py_wanted){ "places", 'd', -1, false, false }, &at)) {
        return NULL;
    }
    Py_ssize_t n = at.len / 8;
    if (py_take(rows, &(py_wanted){ "out", 'd', n, true, false }, &out)) {
        py_release(&at);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t i = 0; i < n && diag.status == TY_OK; i++) {
        double where = ((const double *)at.buf)[i], *value = (double *)out.buf + i;
        if (shear) {
            ty_plate_shear(&def, first, where, value, &diag);
        } else {
            ty_plate_pressure(&def, first, where, value, &diag);
        }
    }
    Py_END_ALLOW_THREADS
    py_release(&at);
    py_release(&out);
    return diag.status == TY_OK ? Py_NewRef(Py_None) : py_fail(state_of(module), &diag);
}

/* ---- data sets ---- */

bool py_tell(void *user, const char *what, double done, double total)
{
    py_teller *t = user;
    PyGILState_STATE lock = PyGILState_Ensure();
    if (!t->raised && !PyErr_CheckSignals() && t->call) {
        Py_XDECREF(PyObject_CallFunction(t->call, "sdd", what, done, total));
    }
    if (PyErr_Occurred()) {
        t->raised = true;
        PyErr_Fetch(&t->type, &t->value, &t->trace);
    }
    PyGILState_Release(lock);
    return !t->raised;
}

/* dataset(path, settings, folder or None, threads, progress or None) -> dict; without a folder only what would be made */
PyObject *py_dataset(PyObject *module, PyObject *args)
{
    const char *path, *folder;
    PyObject *settings, *progress;
    Py_ssize_t count;
    int threads;
    if (!PyArg_ParseTuple(args, "sOziO", &path, &settings, &folder, &threads, &progress) ||
        py_process(PyModule_GetState(module))) {
        return NULL;
    }
    const char **list = py_texts(settings, &count);
    if (!list) {
        return NULL;
    }
    ty_diag diag = { 0 };
    ty_dataset_def *def = NULL;
    ty_dataset *set = NULL;
    ty_dataset_size size = { 0 };
    ty_dataset_stats stats = { 0 };
    py_teller to = { .call = progress == Py_None ? NULL : progress };
    const ty_progress report = { py_tell, &to };
    Py_BEGIN_ALLOW_THREADS
    if (ty_dataset_load(path, list, (size_t)count, &def, &diag) == TY_OK &&
        ty_dataset_create(def, &set, &diag) == TY_OK) {
        size = ty_dataset_get_size(set);
        if (folder) {
            ty_dataset_run(set, folder, threads, &report, &stats, &diag);
        }
    }
    ty_dataset_destroy(set);
    ty_dataset_def_destroy(def);
    Py_END_ALLOW_THREADS
    PyMem_Free((void *)list);
    if (to.raised) {
        PyErr_Restore(to.type, to.value, to.trace);
        return NULL;
    }
    if (diag.status != TY_OK) {
        return py_fail(state_of(module), &diag);
    }
    return Py_BuildValue("{s:n,s:n,s:n,s:n,s:d,s:n,s:n,s:n}", "terrains", (Py_ssize_t)size.terrains, "train_terrains",
                         (Py_ssize_t)size.train_terrains, "views", (Py_ssize_t)size.views, "pairs",
                         (Py_ssize_t)size.pairs, "bytes", size.bytes, "made", (Py_ssize_t)stats.pairs, "found",
                         (Py_ssize_t)stats.found, "labels", (Py_ssize_t)stats.labels);
}

/* ---- scores ---- */

/* score_depth(truth, predicted) -> dict of the whole image */
PyObject *py_score_depth(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *first, *second;
    Py_buffer truth, predicted;
    if (!PyArg_ParseTuple(args, "OO", &first, &second) ||
        py_take(first, &(py_wanted){ "truth", 'f', -1, false, false }, &truth)) {
        return NULL;
    }
    if (py_take(second, &(py_wanted){ "predicted", 'f', truth.len / 4, false, false }, &predicted)) {
        py_release(&truth);
        return NULL;
    }
    ty_score_limit limit = ty_score_limit_default();
    ty_score_depth_result r = ty_score_depth((size_t)truth.len / 4, truth.buf, predicted.buf, &limit);
    py_release(&truth);
    py_release(&predicted);
    return Py_BuildValue("{s:n,s:n,s:d,s:d,s:O}", "pixels", (Py_ssize_t)r.pixels, "scored", (Py_ssize_t)r.scored, "der",
                         r.der, "depth", r.depth, "success", r.success ? Py_True : Py_False);
}

/* score_boxes(labels, predictions): files of COCO's JSON -> dict */
PyObject *py_score_boxes(PyObject *module, PyObject *args)
{
    const char *labels, *predictions;
    if (!PyArg_ParseTuple(args, "ss", &labels, &predictions)) {
        return NULL;
    }
    ty_diag diag = { 0 };
    ty_coco truth = { 0 }, results = { 0 };
    ty_score_box_result r = { 0 };
    Py_BEGIN_ALLOW_THREADS
    if (ty_coco_read(labels, &truth, &diag) == TY_OK) {
        if (ty_coco_read_results(predictions, &results, &diag) == TY_OK) {
            ty_score_boxes(&truth, &results, &r, &diag);
            ty_coco_free(&results);
        }
        ty_coco_free(&truth);
    }
    Py_END_ALLOW_THREADS
    return diag.status == TY_OK ? Py_BuildValue("{s:n,s:n,s:n,s:d,s:d,s:d}", "images", (Py_ssize_t)r.images, "truths",
                                                (Py_ssize_t)r.truths, "predictions", (Py_ssize_t)r.predictions, "map50",
                                                r.map50, "map", r.map, "mean_iou", r.mean_iou)
                                : py_fail(state_of(module), &diag);
}
