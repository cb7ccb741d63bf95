/* python/src/bed.c - the soil laboratory: experiments on a bed of particles or grains.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tools.h"
#include <math.h>
#include <stddef.h>
#include <string.h>
#include <tycho/tools/bed.h>

/* beds() -> list of (name, what) */
PyObject *py_beds(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < TY_BED_COUNT; i++) {
        PyObject *pair = Py_BuildValue("(ss)", ty_bed_name((ty_bed_test)i), ty_bed_what((ty_bed_test)i));
        if (!pair || PyList_Append(list, pair)) {
            Py_CLEAR(list);
        }
        Py_XDECREF(pair);
    }
    return list;
}

#define AT(name)                          \
    {                                     \
#name, offsetof(ty_bed_def, name) \
    }
#define CRM(name)                                                               \
    {                                                                           \
        "soil." #name, offsetof(ty_bed_def, soil) + offsetof(ty_crm_soil, name) \
    }
#define GRAIN(name)                                                                 \
    {                                                                               \
        "grains." #name, offsetof(ty_bed_def, grains) + offsetof(ty_dem_soil, name) \
    }
static const struct {
    const char *name;
    size_t at;
} numbers[] = {
    AT(spacing), AT(gravity),  AT(aspect),         AT(height),   AT(angle),
    AT(seconds), AT(ball_rho), AT(friction),       AT(load),     AT(side),
    AT(jump),    AT(speed),    AT(rate),           AT(width),    AT(alpha),
    AT(xsph),    AT(delta),    AT(forget),         AT(scoops),   CRM(rho),
    CRM(e),      CRM(nu),      CRM(mu_s),          CRM(mu_2),    CRM(i0),
    CRM(d),      CRM(c),       GRAIN(rho),         GRAIN(e),     GRAIN(nu),
    GRAIN(mu),   GRAIN(roll),  GRAIN(restitution), GRAIN(gamma), GRAIN(spread),
};
#define NUMBERS (sizeof numbers / sizeof numbers[0])

/* a list of numbers into at most `most` places; how many, or -1 with an exception */
static int take_list(PyObject *value, const char *name, double *out, int most)
{
    Py_ssize_t n = PySequence_Check(value) ? PySequence_Size(value) : -1;
    if (n < 1 || n > most) {
        PyErr_Format(PyExc_ValueError, "%s takes a list of 1 to %d numbers", name, most);
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *item = PySequence_GetItem(value, i);
        out[i] = item ? PyFloat_AsDouble(item) : 0.0;
        Py_XDECREF(item);
        if (PyErr_Occurred()) {
            return -1;
        }
    }
    return (int)n;
}

static int set_key(ty_bed_def *def, const char *name, PyObject *value)
{
    if (!strcmp(name, "diameter") || !strcmp(name, "slip")) {
        bool slip = name[0] == 's';
        int n = take_list(value, name, slip ? def->slip : def->diameter, slip ? TY_BED_SLIPS : TY_BED_DIAMETERS);
        *(slip ? &def->slips : &def->diameters) = n > 0 ? n : 1;
        return n > 0 ? 0 : -1;
    }
    for (size_t i = 0; i < NUMBERS; i++) {
        if (!strcmp(numbers[i].name, name)) {
            *(double *)(void *)((char *)def + numbers[i].at) = PyFloat_AsDouble(value);
            return PyErr_Occurred() ? -1 : 0;
        }
    }
    if (!strncmp(name, "bekker.", 7) && !isnan(ty_soil_params_get(&def->bekker, name + 7))) {
        ty_diag diag = { 0 };
        double number = PyFloat_AsDouble(value);
        if (!PyErr_Occurred() && ty_soil_params_set(&def->bekker, name + 7, number, &diag) != TY_OK) {
            PyErr_SetString(PyExc_ValueError, diag.text);
        }
        return PyErr_Occurred() ? -1 : 0;
    }
    PyErr_Format(PyExc_KeyError, "an experiment has no '%s'; docs/python.md lists what it has", name);
    return -1;
}

static int put(PyObject *dict, const char *name, PyObject *value)
{
    int failed = !value || PyDict_SetItemString(dict, name, value);
    Py_XDECREF(value);
    return failed;
}

static PyObject *answer(const ty_bed_result *r)
{
    PyObject *dict = PyDict_New(), *columns = PyList_New(0),
             *place = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)(r->particle_count * 24));
    bool failed = !dict || !columns || !place;
    for (int i = 0; i < r->fields && !failed; i++) {
        const ty_bed_field *f = &r->field[i];
        PyObject *value = f->list ? PyList_New(0) : PyFloat_FromDouble(f->count ? f->value[0] : 0.0);
        for (int k = 0; f->list && value && k < f->count; k++) {
            PyObject *number = PyFloat_FromDouble(f->value[k]);
            failed = failed || !number || PyList_Append(value, number);
            Py_XDECREF(number);
        }
        failed = put(dict, f->name, value) || failed;
    }
    for (int i = 0; i < r->columns && !failed; i++) {
        PyObject *name = PyUnicode_FromString(r->column[i]);
        failed = !name || PyList_Append(columns, name);
        Py_XDECREF(name);
    }
    for (size_t i = 0; i < r->particle_count && !failed; i++) {
        const double x[3] = { r->particle[i].x.x, r->particle[i].x.y, r->particle[i].x.z };
        memcpy(PyByteArray_AsString(place) + 24 * i, x, sizeof x);
    }
    failed = failed || put(dict, "particles", PyLong_FromSize_t(r->particles)) ||
             put(dict, "wall_s", PyFloat_FromDouble(r->wall_s)) ||
             put(dict, "steps", PyLong_FromUnsignedLongLong(r->steps)) || put(dict, "columns", Py_NewRef(columns)) ||
             put(dict, "positions", Py_NewRef(place)) ||
             put(dict, "series",
                 PyByteArray_FromStringAndSize((const char *)r->series,
                                               (Py_ssize_t)(r->rows * (size_t)r->columns * sizeof(double))));
    Py_XDECREF(columns);
    Py_XDECREF(place);
    if (failed) {
        Py_CLEAR(dict);
    }
    return dict;
}

/* bed(test, model, dict of numbers, threads, progress or None) -> dict; series and positions as bytes of doubles */
PyObject *py_bed(PyObject *module, PyObject *args)
{
    const char *name, *model;
    PyObject *keys, *progress, *key, *value;
    int threads;
    ty_bed_test test;
    if (!PyArg_ParseTuple(args, "ssO!iO", &name, &model, &PyDict_Type, &keys, &threads, &progress) ||
        py_process(PyModule_GetState(module))) {
        return NULL;
    }
    static const char *const soils[] = {
#define NAME(id, text) [id] = text,
        TY_BED_SOIL_LIST(NAME)
#undef NAME
    };
    int soil = 0, count = sizeof soils / sizeof *soils;
    while (soil < count && strcmp(model, soils[soil]) != 0) {
        soil++;
    }
    if (!ty_bed_find(name, &test) || soil == count) {
        return PyErr_Format(PyExc_ValueError,
                            "there is no experiment '%s' of '%s' (crm, dem, scm or bekker); tycho.beds() lists them",
                            name, model);
    }
    ty_bed_def def = ty_bed_def_default(test, (ty_bed_soil)soil);
    Py_ssize_t at = 0;
    while (PyDict_Next(keys, &at, &key, &value)) {
        const char *text = PyUnicode_Check(key) ? PyUnicode_AsUTF8AndSize(key, NULL) : NULL;
        if (!text) {
            PyErr_SetString(PyExc_TypeError, "keys of an experiment are texts");
            return NULL;
        }
        if (set_key(&def, text, value)) {
            return NULL;
        }
    }
    py_teller to = { .call = progress == Py_None ? NULL : progress };
    ty_bed_result result = { 0 };
    ty_diag diag = { 0 };
    def.threads = threads;
    def.progress = (ty_progress){ py_tell, &to };
    Py_BEGIN_ALLOW_THREADS
    ty_bed_run(test, &def, &result, &diag);
    Py_END_ALLOW_THREADS
    PyObject *out = NULL;
    if (to.raised) {
        PyErr_Restore(to.type, to.value, to.trace);
    } else {
        out = diag.status == TY_OK ? answer(&result) : py_fail(PyModule_GetState(module), &diag);
    }
    ty_bed_result_free(&result);
    return out;
}
