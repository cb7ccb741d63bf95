/* python/src/ground.c - the ground of a scenario or of a run: heights, normals, rocks, craters, sunlight.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "binding.h"
#include <stdlib.h>
#include <unistd.h>

typedef struct py_ground {
    PyObject_HEAD ty_world *world; /* its own; NULL: the run's */
    PyObject *run;
    PyObject *scenario;
    long process;
} py_ground;

/* Ground(scenario) or Ground(run) */
static PyObject *ground_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *names[] = { "of", NULL };
    py_state *state = PyType_GetModuleState(type);
    PyObject *of;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O", names, &of) || py_process(state)) {
        return NULL;
    }
    bool run = Py_TYPE(of) == state->run;
    if (!run && Py_TYPE(of) != state->scenario) {
        return PyErr_Format(PyExc_TypeError, "a ground is of a scenario or a run, not of %R", of);
    }
    py_ground *g = (py_ground *)py_alloc(type);
    if (!g) {
        return NULL;
    }
    ty_diag diag = { 0 };
    g->process = (long)getpid();
    if (run) {
        g->run = Py_NewRef(of);
    } else {
        g->scenario = Py_NewRef(of);
        Py_BEGIN_ALLOW_THREADS
        ty_scenario_create_world(((py_scenario *)of)->scenario, &g->world, &diag);
        Py_END_ALLOW_THREADS
    }
    if (diag.status != TY_OK) {
        py_fail(state, &diag);
        Py_CLEAR(g);
    }
    return (PyObject *)g;
}

static void ground_dealloc(PyObject *self)
{
    py_ground *g = (py_ground *)self;
    if (g->world && g->process == (long)getpid()) {
        ty_world_destroy(g->world);
    }
    Py_XDECREF(g->run);
    Py_XDECREF(g->scenario);
    py_free(self);
}

/* The terrain, taken from its run for this call: a run must not step meanwhile. NULL: an exception. */
static ty_terrain *take(PyObject *self, unsigned long *before)
{
    py_ground *g = (py_ground *)self;
    if (py_process(PY_STATE(self)) || (g->run && py_run_enter(g->run, PY_ANY_TIME, before))) {
        return NULL;
    }
    return ty_world_terrain(g->run ? ty_run_world(py_run_get(g->run)) : g->world);
}

static void give(PyObject *self, unsigned long before)
{
    py_ground *g = (py_ground *)self;
    if (g->run) {
        py_run_leave(g->run, before);
    }
}

/* level of a spacing [m]; negative: the finest */
static int level_of(const ty_terrain *t, double spacing)
{
    return spacing > 0.0 ? ty_terrain_level(t, spacing) : 0;
}

/* sample(x, y, height, normal or None, spacing) */
static PyObject *ground_sample(PyObject *self, PyObject *args)
{
    PyObject *object[4];
    double spacing;
    Py_buffer x = { 0 }, y = { 0 }, height = { 0 }, normal = { 0 };
    unsigned long before = 0;
    ty_diag diag = { 0 };
    if (!PyArg_ParseTuple(args, "OOOOd", &object[0], &object[1], &object[2], &object[3], &spacing) ||
        py_take(object[0], &(py_wanted){ "x", 'd', -1, false, false }, &x)) {
        return NULL;
    }
    Py_ssize_t n = x.len / 8;
    bool fits = !py_take(object[1], &(py_wanted){ "y", 'd', n, false, false }, &y) &&
                !py_take(object[2], &(py_wanted){ "height", 'd', n, true, false }, &height) &&
                !py_take(object[3], &(py_wanted){ "normal", 'd', 3 * n, true, true }, &normal);
    ty_terrain *t = fits ? take(self, &before) : NULL;
    if (t) {
        Py_BEGIN_ALLOW_THREADS
        ty_terrain_sample(t, level_of(t, spacing), (size_t)n, x.buf, y.buf, height.buf, normal.buf, &diag);
        Py_END_ALLOW_THREADS
        give(self, before);
    }
    py_release(&x);
    py_release(&y);
    py_release(&height);
    py_release(&normal);
    return !t ? NULL : diag.status == TY_OK ? Py_NewRef(Py_None) : py_fail(PY_STATE(self), &diag);
}

/* region(i0, j0, nx, ny, spacing, out): samples of a level as they lie, rows from south to north */
static PyObject *ground_region(PyObject *self, PyObject *args)
{
    int i0, j0, nx, ny;
    double spacing;
    PyObject *object;
    Py_buffer out;
    unsigned long before = 0;
    ty_diag diag = { 0 };
    if (!PyArg_ParseTuple(args, "iiiidO", &i0, &j0, &nx, &ny, &spacing, &object)) {
        return NULL;
    }
    if (nx < 1 || ny < 1 || nx > 1 << 20 || ny > 1 << 20 || abs(i0) > 1 << 29 || abs(j0) > 1 << 29) {
        return PyErr_Format(PyExc_ValueError, "a region of %d x %d samples at %d, %d cannot be", nx, ny, i0, j0);
    }
    if (py_take(object, &(py_wanted){ "out", 'f', (Py_ssize_t)nx * ny, true, false }, &out)) {
        return NULL;
    }
    ty_terrain *t = take(self, &before);
    if (t) {
        Py_BEGIN_ALLOW_THREADS
        ty_terrain_region(t, level_of(t, spacing), i0, j0, nx, ny, 0.0, out.buf, 0, &diag);
        Py_END_ALLOW_THREADS
        give(self, before);
    }
    py_release(&out);
    return !t ? NULL : diag.status == TY_OK ? Py_NewRef(Py_None) : py_fail(PY_STATE(self), &diag);
}

/* rocks(x0, y0, x1, y1, d_min, d_max) -> bytes of doubles x, y, diameter, height; craters: x, y, diameter, depth */
static PyObject *catalogue(PyObject *self, PyObject *args, bool rocks)
{
    ty_rect rect;
    double low, high;
    unsigned long before = 0;
    if (!PyArg_ParseTuple(args, "dddddd", &rect.x0, &rect.y0, &rect.x1, &rect.y1, &low, &high)) {
        return NULL;
    }
    if (!(rect.x1 > rect.x0 && rect.y1 > rect.y0 && low > 0.0 && high > low && rect.x1 - rect.x0 < 1e6 &&
          rect.y1 - rect.y0 < 1e6)) {
        return PyErr_Format(PyExc_ValueError, "the rectangle or the range of diameters holds nothing, or is too large");
    }
    ty_terrain *t = take(self, &before);
    if (!t) {
        return NULL;
    }
    size_t n = 0;
    void *list = NULL;
    Py_BEGIN_ALLOW_THREADS
    n = rocks ? ty_terrain_rocks(t, rect, low, high, NULL, 0) : ty_terrain_craters(t, rect, low, high, NULL, 0);
    list = malloc((n + 1) * (rocks ? sizeof(ty_rock) : sizeof(ty_crater)));
    if (list && rocks) {
        ty_terrain_rocks(t, rect, low, high, list, n);
    } else if (list) {
        ty_terrain_craters(t, rect, low, high, list, n);
    }
    Py_END_ALLOW_THREADS
    PyObject *out = list ? PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(n * 4 * sizeof(double))) : PyErr_NoMemory();
    double *row = out ? (double *)(void *)PyBytes_AsString(out) : NULL;
    for (size_t i = 0; row && i < n; i++, row += 4) {
        if (rocks) {
            const ty_rock *rock = (const ty_rock *)list + i;
            const double scale = rock->diameter * (double)ty_terrain_rock_shape(t, rock->shape)->height;
            row[0] = rock->x, row[1] = rock->y, row[2] = rock->diameter, row[3] = scale;
        } else {
            const ty_crater *crater = (const ty_crater *)list + i;
            row[0] = crater->x, row[1] = crater->y, row[2] = crater->diameter,
            row[3] = crater->diameter * crater->depth_ratio;
        }
    }
    give(self, before);
    free(list);
    return out;
}

static PyObject *ground_rocks(PyObject *self, PyObject *args)
{
    return catalogue(self, args, true);
}

static PyObject *ground_craters(PyObject *self, PyObject *args)
{
    return catalogue(self, args, false);
}

/* lit(utc or None, position, far) -> share of the Sun's disk that is seen from there */
static PyObject *ground_lit(PyObject *self, PyObject *args)
{
    const char *utc;
    ty_vec3 p;
    double far, fraction = 0.0;
    unsigned long before = 0;
    ty_diag diag = { 0 };
    if (!PyArg_ParseTuple(args, "z(ddd)d", &utc, &p.x, &p.y, &p.z, &far)) {
        return NULL;
    }
    ty_terrain *t = take(self, &before);
    if (!t) {
        return NULL;
    }
    py_ground *g = (py_ground *)self;
    ty_utc at = ty_world_start(g->run ? ty_run_world(py_run_get(g->run)) : g->world);
    ty_sky sky;
    if ((!utc || ty_utc_parse(utc, &at, &diag) == TY_OK) && ty_sky_at(at, &sky, &diag) == TY_OK) {
        ty_sky_view view = ty_sky_view_at(&sky, ty_terrain_site(t));
        Py_BEGIN_ALLOW_THREADS
        ty_terrain_sees(t, p, &view.sun, far, &fraction, &diag);
        Py_END_ALLOW_THREADS
    }
    give(self, before);
    return diag.status == TY_OK ? PyFloat_FromDouble(fraction) : py_fail(PY_STATE(self), &diag);
}

static bool report(void *user, const char *what, double done, double total)
{
    (void)user, (void)what, (void)done, (void)total;
    PyGILState_STATE lock = PyGILState_Ensure();
    bool go_on = PyErr_CheckSignals() == 0;
    PyGILState_Release(lock);
    return go_on;
}

/* sunlight(x0, y0, spacing, nx, ny, height, utc or None, step [s], steps, out) */
static PyObject *ground_sunlight(PyObject *self, PyObject *args)
{
    ty_sunlight_def def = ty_sunlight_def_default();
    const char *utc;
    double step;
    PyObject *object;
    Py_buffer out;
    unsigned long before = 0;
    ty_diag diag = { 0 };
    if (!PyArg_ParseTuple(args, "dddiidzdiO", &def.x0, &def.y0, &def.spacing, &def.nx, &def.ny, &def.height, &utc,
                          &step, &def.steps, &object)) {
        return NULL;
    }
    if (def.nx < 1 || def.ny < 1 || def.nx > 1 << 15 || def.ny > 1 << 15 || !(step > 0.0 && step < 1e9)) {
        return PyErr_Format(PyExc_ValueError, "a map of %d x %d points cannot be, or the step is out of range", def.nx,
                            def.ny);
    }
    if (py_take(object, &(py_wanted){ "out", 'f', (Py_ssize_t)def.nx * def.ny, true, false }, &out)) {
        return NULL;
    }
    ty_terrain *t = take(self, &before);
    if (t) {
        py_ground *g = (py_ground *)self;
        ty_progress progress = { report, NULL };
        def.start = ty_world_start(g->run ? ty_run_world(py_run_get(g->run)) : g->world);
        def.step = ty_time_from(step);
        if (!utc || ty_utc_parse(utc, &def.start, &diag) == TY_OK) {
            Py_BEGIN_ALLOW_THREADS
            ty_sunlight_map(t, &def, &progress, out.buf, &diag);
            Py_END_ALLOW_THREADS
        }
        give(self, before);
    }
    py_release(&out);
    if (t && diag.status != TY_OK && !PyErr_Occurred()) {
        py_fail(PY_STATE(self), &diag);
    }
    return !t || PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

/* facts() -> dict */
static PyObject *ground_facts(PyObject *self, PyObject *unused)
{
    (void)unused;
    unsigned long before = 0;
    ty_terrain *t = take(self, &before);
    if (!t) {
        return NULL;
    }
    const ty_site *site = ty_terrain_site(t);
    int levels = ty_terrain_levels(t);
    PyObject *out =
        Py_BuildValue("{s:d,s:d,s:d,s:d,s:d,s:i,s:K}", "lat_deg", site->lat / TY_DEG, "lon_deg", site->lon / TY_DEG,
                      "radius", site->radius, "extent", ty_terrain_get_def(t)->extent, "resolution",
                      ty_terrain_spacing(t, 0), "levels", levels, "edits", (unsigned long long)ty_terrain_version(t));
    give(self, before);
    return out;
}

/* place(x, y, z) -> lat, lon [deg], height [m]; point(lat, lon, height) -> x, y, z */
static PyObject *ground_place(PyObject *self, PyObject *args)
{
    ty_vec3 p;
    double lat, lon, height;
    unsigned long before = 0;
    ty_terrain *t = PyArg_ParseTuple(args, "ddd", &p.x, &p.y, &p.z) ? take(self, &before) : NULL;
    if (!t) {
        return NULL;
    }
    ty_site_geodetic(ty_terrain_site(t), p, &lat, &lon, &height);
    give(self, before);
    return Py_BuildValue("(ddd)", lat / TY_DEG, lon / TY_DEG, height);
}

static PyObject *ground_point(PyObject *self, PyObject *args)
{
    double lat, lon, height;
    unsigned long before = 0;
    ty_terrain *t = PyArg_ParseTuple(args, "ddd", &lat, &lon, &height) ? take(self, &before) : NULL;
    if (!t) {
        return NULL;
    }
    ty_vec3 p = ty_site_point(ty_terrain_site(t), lat * TY_DEG, lon * TY_DEG, height);
    give(self, before);
    return py_vec3(p);
}

static PyMethodDef ground_methods[] = {
    { "sample", ground_sample, METH_VARARGS, NULL }, { "region", ground_region, METH_VARARGS, NULL },
    { "rocks", ground_rocks, METH_VARARGS, NULL },   { "craters", ground_craters, METH_VARARGS, NULL },
    { "lit", ground_lit, METH_VARARGS, NULL },       { "sunlight", ground_sunlight, METH_VARARGS, NULL },
    { "facts", ground_facts, METH_NOARGS, NULL },    { "place", ground_place, METH_VARARGS, NULL },
    { "point", ground_point, METH_VARARGS, NULL },   { NULL, NULL, 0, NULL }
};
static PyType_Slot ground_slots[] = { { Py_tp_new, (void *)ground_new },
                                      { Py_tp_dealloc, (void *)ground_dealloc },
                                      { Py_tp_methods, ground_methods },
                                      { 0, NULL } };
PyType_Spec py_ground_spec = { "tycho._tycho.Ground", sizeof(py_ground), 0, Py_TPFLAGS_DEFAULT, ground_slots };
