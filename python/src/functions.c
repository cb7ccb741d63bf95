/* python/src/functions.c - what needs no object: formulas, the sky, devices, pictures as files.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tools.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tycho/tone.h>
#include <tycho/tools/check.h>
#include <tycho/tools/eval.h>
#include <tycho/tools/image.h>

static const py_state *state_of(PyObject *module)
{
    return PyModule_GetState(module);
}

/* ---- formulas ---- */

/* models() -> {name: ([(input, default or None, is text), ...], [output, ...])} */
static PyObject *models(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    size_t count;
    const ty_eval_model *const *model = ty_eval_models(&count);
    PyObject *out = PyDict_New();
    for (size_t i = 0; out && i < count; i++) {
        PyObject *inputs = PyList_New(0), *outputs = PyList_New(0);
        for (const ty_eval_input *in = model[i]->inputs; inputs && in->name; in++) {
            PyObject *one = Py_BuildValue("(szO)", in->name, in->text, in->is_text ? Py_True : Py_False);
            if (!one || PyList_Append(inputs, one)) {
                Py_CLEAR(inputs);
            }
            Py_XDECREF(one);
        }
        for (const char *const *name = model[i]->outputs; outputs && *name; name++) {
            PyObject *one = PyUnicode_FromString(*name);
            if (!one || PyList_Append(outputs, one)) {
                Py_CLEAR(outputs);
            }
            Py_XDECREF(one);
        }
        PyObject *both = inputs && outputs ? PyTuple_Pack(2, inputs, outputs) : NULL;
        if (!both || PyDict_SetItemString(out, model[i]->name, both)) {
            Py_CLEAR(out);
        }
        Py_XDECREF(both);
        Py_XDECREF(inputs);
        Py_XDECREF(outputs);
    }
    return out;
}

typedef struct table {
    const ty_eval_model *model;
    int inputs, outputs;
    Py_buffer in[TY_EVAL_COLUMNS], out[TY_EVAL_COLUMNS];
    const char **text[TY_EVAL_COLUMNS]; /* columns of text, one per row */
    Py_ssize_t rows;
} table;

static void table_free(table *t)
{
    for (int i = 0; i < TY_EVAL_COLUMNS; i++) {
        py_release(&t->in[i]);
        py_release(&t->out[i]);
        PyMem_Free((void *)t->text[i]);
    }
}

/* one column for each input: an array of numbers, or a list of texts */
static int table_take(table *t, PyObject *inputs, PyObject *outputs)
{
    for (; t->model->inputs[t->inputs].name; t->inputs++) {
    }
    for (; t->model->outputs[t->outputs]; t->outputs++) {
    }
    if (!PyList_Check(inputs) || !PyList_Check(outputs) || PyList_Size(inputs) != t->inputs ||
        PyList_Size(outputs) != t->outputs) {
        PyErr_SetString(PyExc_TypeError, "a list with one column for each input and one for each output is needed");
        return -1;
    }
    for (int i = 0; i < t->inputs; i++) {
        PyObject *column = PyList_GetItem(inputs, i);
        Py_ssize_t count = 0;
        if (t->model->inputs[i].is_text) {
            t->text[i] = py_texts(column, &count);
            if (t->text[i] && count != t->rows) {
                PyErr_SetString(PyExc_ValueError, "columns differ in length");
            }
            if (PyErr_Occurred()) {
                return -1;
            }
        } else if (py_take(column, &(py_wanted){ t->model->inputs[i].name, 'd', t->rows, false, false }, &t->in[i])) {
            return -1;
        }
    }
    for (int k = 0; k < t->outputs; k++) {
        if (py_take(PyList_GetItem(outputs, k), &(py_wanted){ t->model->outputs[k], 'd', t->rows, true, false },
                    &t->out[k])) {
            return -1;
        }
    }
    return 0;
}

/* what `tycho eval` does with a row, without the lock */
static ty_status table_row(const table *t, Py_ssize_t at, ty_diag *diag)
{
    double number[TY_EVAL_COLUMNS] = { 0 }, out[TY_EVAL_COLUMNS] = { 0 };
    const char *text[TY_EVAL_COLUMNS] = { NULL };
    for (int i = 0; i < t->inputs; i++) {
        text[i] = t->text[i] ? t->text[i][at] : "";
        number[i] = t->text[i] ? 0.0 : ((const double *)t->in[i].buf)[at];
        if (!isfinite(number[i])) {
            return ty_fail(diag, TY_ERR_INPUT, "%s is '%g', but takes a finite number", t->model->inputs[i].name,
                           number[i]);
        }
    }
    ty_eval_row row = { number, text, out };
    ty_status status = t->model->row(&row, diag);
    for (int k = 0; k < t->outputs && status == TY_OK; k++) {
        ((double *)t->out[k].buf)[at] = out[k];
    }
    return status;
}

/* eval(name, rows, [columns of inputs], [columns of outputs]) */
static PyObject *eval(PyObject *module, PyObject *args)
{
    const char *name;
    table t = { 0 };
    PyObject *inputs, *outputs;
    if (!PyArg_ParseTuple(args, "snOO", &name, &t.rows, &inputs, &outputs)) {
        return NULL;
    }
    size_t count;
    const ty_eval_model *const *model = ty_eval_models(&count);
    for (size_t i = 0; i < count; i++) {
        t.model = strcmp(model[i]->name, name) ? t.model : model[i];
    }
    if (!t.model || t.rows < 0) {
        return PyErr_Format(PyExc_KeyError, "there is no formula '%s'", name);
    }
    PyObject *out = NULL;
    if (!table_take(&t, inputs, outputs)) {
        ty_diag detail = { 0 }, diag = { 0 };
        Py_BEGIN_ALLOW_THREADS
        for (Py_ssize_t i = 0; i < t.rows && diag.status == TY_OK; i++) {
            if (table_row(&t, i, &detail) != TY_OK) {
                ty_fail(&diag, detail.status, "%s: row %zd: %.900s", name, i, detail.text);
            }
        }
        Py_END_ALLOW_THREADS
        out = diag.status == TY_OK ? Py_NewRef(Py_None) : py_fail(state_of(module), &diag);
    }
    table_free(&t);
    return out;
}

/* ---- sky ---- */

/* sky(lat [deg], lon [deg], utc, step [s], rows, out): 9 numbers a row: azimuth, elevation [deg], distance [m], radius [deg] of the Sun,
 * then of the Earth, then irradiance [W/m^2] */
static PyObject *sky(PyObject *module, PyObject *args)
{
    double lat, lon, step;
    const char *utc;
    Py_ssize_t rows;
    PyObject *object;
    Py_buffer out;
    if (!PyArg_ParseTuple(args, "ddsdnO", &lat, &lon, &utc, &step, &rows, &object)) {
        return NULL;
    }
    if (rows < 0 || !(lat >= -90.0 && lat <= 90.0) || !isfinite(lon) || !(fabs(step) < 4e9)) {
        PyErr_SetString(PyExc_ValueError, "lat takes -90 to 90 degrees, lon and step finite numbers");
        return NULL;
    }
    if (py_take(object, &(py_wanted){ "out", 'd', 9 * rows, true, false }, &out)) {
        return NULL;
    }
    ty_diag diag = { 0 };
    ty_utc start;
    ty_site site = ty_site_make(lat * TY_DEG, lon * TY_DEG, TY_MOON_RADIUS);
    ty_sky_view *view = malloc(((size_t)rows + 1) * sizeof *view);
    if (!view) {
        py_release(&out);
        return PyErr_NoMemory();
    }
    Py_BEGIN_ALLOW_THREADS
    if (ty_utc_parse(utc, &start, &diag) == TY_OK) {
        ty_sky_series(&site, start, ty_time_from(step), (size_t)rows, view, &diag);
    }
    Py_END_ALLOW_THREADS
    for (Py_ssize_t i = 0; i < rows && diag.status == TY_OK; i++) {
        const ty_sky_body *sun = &view[i].sun, *earth = &view[i].earth;
        const double row[9] = { sun->azimuth / TY_DEG, sun->elevation / TY_DEG, sun->distance,
                                sun->radius / TY_DEG,  earth->azimuth / TY_DEG, earth->elevation / TY_DEG,
                                earth->distance,       earth->radius / TY_DEG,  view[i].irradiance };
        memcpy((double *)out.buf + 9 * i, row, sizeof row);
    }
    free(view);
    py_release(&out);
    return diag.status == TY_OK ? Py_NewRef(Py_None) : py_fail(state_of(module), &diag);
}

/* ---- pictures ---- */

/* tone(radiance, kind or None, curve (black, white, gamma, knee) or None, out) -> the curve */
static PyObject *tone(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *radiance, *kind, *curve, *picture;
    Py_buffer in = { 0 }, of = { 0 }, out = { 0 };
    ty_tone t = { 0.0, 1.0, 2.2, 0.0 };
    if (!PyArg_ParseTuple(args, "OOOO", &radiance, &kind, &curve, &picture)) {
        return NULL;
    }
    if (curve != Py_None &&
        (!PyTuple_Check(curve) || !PyArg_ParseTuple(curve, "dddd", &t.black, &t.white, &t.gamma, &t.knee))) {
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_TypeError, "a tone curve is (black, white, gamma, knee)");
    }
    if (py_take(radiance, &(py_wanted){ "radiance", 'f', -1, false, false }, &in)) {
        return NULL;
    }
    Py_ssize_t n = in.len / 4;
    bool fits = !py_take(kind, &(py_wanted){ "kind", 'B', n, false, true }, &of) &&
                !py_take(picture, &(py_wanted){ "out", 'B', n, true, false }, &out);
    if (fits) {
        Py_BEGIN_ALLOW_THREADS
        if (curve == Py_None) {
            t.white = ty_tone_white(in.buf, of.buf, (size_t)n, ty_tone_single());
        }
        for (Py_ssize_t i = 0; i < n; i++) {
            ((uint8_t *)out.buf)[i] = ty_tone_byte(&t, (double)((const float *)in.buf)[i]);
        }
        Py_END_ALLOW_THREADS
    }
    py_release(&in);
    py_release(&of);
    py_release(&out);
    return fits ? Py_BuildValue("(dddd)", t.black, t.white, t.gamma, t.knee) : NULL;
}

/* write_png(path, width, height, channels, pixels of 8 bits) */
static PyObject *write_png(PyObject *module, PyObject *args)
{
    PyObject *path, *pixels;
    int width, height, channels;
    Py_buffer view;
    ty_diag diag = { 0 };
    if (!PyArg_ParseTuple(args, "O&iiiO", PyUnicode_FSConverter, &path, &width, &height, &channels, &pixels)) {
        return NULL;
    }
    if (width < 1 || height < 1 || channels < 1 || channels > 4 || width > 32768 || height > 32768) {
        Py_DECREF(path);
        return PyErr_Format(PyExc_ValueError, "a picture of %d x %d x %d cannot be written", width, height, channels);
    }
    int wrong =
        py_take(pixels, &(py_wanted){ "pixels", 'B', (Py_ssize_t)width * height * channels, false, false }, &view);
    if (!wrong) {
        Py_BEGIN_ALLOW_THREADS
        ty_png_write(PyBytes_AsString(path), width, height, channels, 8, view.buf, &diag);
        Py_END_ALLOW_THREADS
        py_release(&view);
    }
    Py_DECREF(path);
    return wrong ? NULL : diag.status == TY_OK ? Py_NewRef(Py_None) : py_fail(state_of(module), &diag);
}

/* look(azimuth, elevation, roll [rad]) -> attitude of a camera */
static PyObject *look(PyObject *module, PyObject *args)
{
    (void)module;
    double azimuth, elevation, roll;
    if (!PyArg_ParseTuple(args, "ddd", &azimuth, &elevation, &roll)) {
        return NULL;
    }
    ty_quat q = ty_camera_look(azimuth, elevation, roll);
    return Py_BuildValue("(dddd)", q.w, q.x, q.y, q.z);
}

/* ---- about ---- */

static PyObject *built_with(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    return PyUnicode_FromString(ty_built_with());
}

static PyObject *devices(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    enum { MOST = 32 };
    ty_device_info info[MOST];
    int count = 0;
    Py_BEGIN_ALLOW_THREADS
    count = ty_device_list(info, MOST);
    Py_END_ALLOW_THREADS
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < count && i < MOST; i++) {
        PyObject *one = Py_BuildValue("{s:s,s:s,s:s,s:O,s:O,s:i,s:K}", "name", info[i].name, "platform",
                                      info[i].platform, "version", info[i].version, "gpu",
                                      info[i].gpu ? Py_True : Py_False, "fp64", info[i].fp64 ? Py_True : Py_False,
                                      "units", info[i].units, "memory", (unsigned long long)info[i].memory);
        if (!one || PyList_Append(list, one)) {
            Py_CLEAR(list);
        }
        Py_XDECREF(one);
    }
    return list;
}

/* check(path, settings) -> what a file is, in a few lines */
static PyObject *check(PyObject *module, PyObject *args)
{
    const char *path;
    PyObject *settings;
    Py_ssize_t count;
    if (!PyArg_ParseTuple(args, "sO", &path, &settings) || py_process(PyModule_GetState(module))) {
        return NULL;
    }
    const char **list = py_texts(settings, &count);
    if (!list) {
        return NULL;
    }
    char *text = NULL;
    size_t size = 0;
    ty_diag diag = { 0 };
    FILE *out = open_memstream(&text, &size);
    if (out) {
        Py_BEGIN_ALLOW_THREADS
        ty_check_file(path, list, (size_t)count, out, &diag);
        fclose(out);
        Py_END_ALLOW_THREADS
    }
    PyMem_Free((void *)list);
    PyObject *answer = !out                   ? PyErr_NoMemory()
                       : diag.status == TY_OK ? PyUnicode_DecodeUTF8(text, (Py_ssize_t)size, "replace")
                                              : py_fail(state_of(module), &diag);
    free(text);
    return answer;
}

PyMethodDef py_functions[] = { { "models", models, METH_NOARGS, NULL },
                               { "eval", eval, METH_VARARGS, NULL },
                               { "sky", sky, METH_VARARGS, NULL },
                               { "tone", tone, METH_VARARGS, NULL },
                               { "write_png", write_png, METH_VARARGS, NULL },
                               { "look", look, METH_VARARGS, NULL },
                               { "built_with", built_with, METH_NOARGS, NULL },
                               { "devices", devices, METH_NOARGS, NULL },
                               { "check", check, METH_VARARGS, NULL },
                               { "resume", py_resume, METH_VARARGS, NULL },
                               { "wheel_rig", py_wheel_rig, METH_VARARGS, NULL },
                               { "scene_trace", py_scene_trace, METH_VARARGS, NULL },
                               { "scene_hide", py_scene_hide, METH_VARARGS, NULL },
                               { "scene_lamp", py_scene_lamp, METH_VARARGS, NULL },
                               { "scene_refine", py_scene_refine, METH_VARARGS, NULL },
                               { "bed", py_bed, METH_VARARGS, NULL },
                               { "beds", py_beds, METH_NOARGS, NULL },
                               { "plate", py_plate, METH_VARARGS, NULL },
                               { "dataset", py_dataset, METH_VARARGS, NULL },
                               { "score_depth", py_score_depth, METH_VARARGS, NULL },
                               { "score_boxes", py_score_boxes, METH_VARARGS, NULL },
                               { NULL, NULL, 0, NULL } };
