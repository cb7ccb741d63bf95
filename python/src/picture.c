/* python/src/picture.c - cameras from arguments, arrays for what they see, and the scene of a scenario without a run.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "binding.h"
#include <string.h>
#include <tycho/stage.h>

/* ---- a camera and its arrays ---- */

void py_view_release(py_view *view)
{
    for (size_t i = 0; i < sizeof view->view / sizeof *view->view; i++) {
        py_release(&view->view[i]);
    }
}

static int take_arrays(py_view *view, PyObject *const array[8], int bands)
{
    static const char *const name[8] = {
        "radiance", "sunlit", "depth", "range", "normal", "albedo", "instance", "kind"
    };
    static const char format[8] = { 'f', 'f', 'd', 'd', 'f', 'f', 'I', 'B' };
    Py_ssize_t pixels = (Py_ssize_t)view->camera.width * view->camera.height;
    for (int i = 0; i < 8; i++) {
        Py_ssize_t count = pixels * (i == 0 ? bands : i == 4 ? 3 : 1);
        if (py_take(array[i], &(py_wanted){ name[i], format[i], count, true, true }, &view->view[i])) {
            py_view_release(view);
            return -1;
        }
    }
    view->out = (ty_render_buffers){ view->view[0].buf, view->view[1].buf, view->view[2].buf, view->view[3].buf,
                                     view->view[4].buf, view->view[5].buf, view->view[6].buf, view->view[7].buf };
    return 0;
}

int py_view_take(py_view *view, PyObject *args, PyObject *kwds, int bands)
{
    static char *names[] = { "width",   "height", "hfov",   "lens",    "position", "attitude", "distortion",
                             "samples", "depth",  "split",  "threads", "seed",     "radiance", "sunlit",
                             "z",       "range",  "normal", "albedo",  "instance", "kind",     NULL };
    memset(view, 0, sizeof *view);
    view->camera = ty_camera_default();
    view->def = ty_render_def_default();
    ty_camera *c = &view->camera;
    const char *lens = "pinhole";
    unsigned long long seed = 0;
    PyObject *array[8] = { NULL };
    if (!PyArg_ParseTupleAndKeywords(
            args, kwds, "iids(ddd)(dddd)|(ddddd)iiiiKOOOOOOOO", names, &c->width, &c->height, &c->hfov, &lens,
            &c->pose.p.x, &c->pose.p.y, &c->pose.p.z, &c->pose.q.w, &c->pose.q.x, &c->pose.q.y, &c->pose.q.z, &c->k1,
            &c->k2, &c->k3, &c->p1, &c->p2, &view->def.samples, &view->def.depth, &view->def.split, &view->def.threads,
            &seed, &array[0], &array[1], &array[2], &array[3], &array[4], &array[5], &array[6], &array[7])) {
        return -1;
    }
    view->def.seed = seed;
    if (!ty_lens_find(lens, &c->lens) || c->lens >= TY_LENS_CAHV) {
        PyErr_Format(PyExc_ValueError, "lens is '%s', but takes pinhole, fisheye, spherical, fov or brown", lens);
        return -1;
    }
    if (c->width < 1 || c->width > 32768 || c->height < 1 || c->height > 32768) {
        PyErr_Format(PyExc_ValueError, "a picture of %d x %d pixels; both take 1 to 32768", c->width, c->height);
        return -1;
    }
    return take_arrays(view, array, bands);
}

/* ---- the scene of a scenario ---- */

typedef struct py_stage {
    PyObject_HEAD PyObject *scenario;
    ty_world *world;
    ty_stage *stage;
    bool busy;
} py_stage;

static PyObject *stage_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *names[] = { "scenario", "threads", "detail", NULL };
    py_state *state = PyType_GetModuleState(type);
    ty_scene_def def = ty_scene_def_default();
    PyObject *scenario;
    int detail = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O!|ii", names, state->scenario, &scenario, &def.threads, &detail) ||
        py_process(state)) {
        return NULL;
    }
    def.ring_cells = detail ? detail : def.ring_cells;
    py_stage *s = (py_stage *)py_alloc(type);
    if (!s) {
        return NULL;
    }
    const ty_scenario *from = ((py_scenario *)scenario)->scenario;
    ty_diag diag = { 0 };
    s->scenario = Py_NewRef(scenario);
    Py_BEGIN_ALLOW_THREADS
    if (ty_scenario_create_world(from, &s->world, &diag) == TY_OK) {
        ty_stage_create(from, ty_world_terrain(s->world), &def, &s->stage, &diag);
    }
    Py_END_ALLOW_THREADS
    if (diag.status != TY_OK) {
        py_fail(state, &diag);
        Py_CLEAR(s);
    }
    return (PyObject *)s;
}

static void stage_dealloc(PyObject *self)
{
    py_stage *s = (py_stage *)self;
    ty_stage_destroy(s->stage);
    ty_world_destroy(s->world);
    Py_XDECREF(s->scenario);
    py_free(self);
}

/* render(seconds since the scenario's start, ...) as a run's, without rovers */
static PyObject *stage_render(PyObject *self, PyObject *args, PyObject *kwds)
{
    py_stage *s = (py_stage *)self;
    py_view view;
    ty_diag diag = { 0 };
    double seconds;
    PyObject *rest = PyTuple_GetSlice(args, 1, PyTuple_Size(args)), *first = PyTuple_GetItem(args, 0);
    seconds = first ? PyFloat_AsDouble(first) : -1.0;
    if (!rest || PyErr_Occurred() || py_process(PY_STATE(self)) || py_view_take(&view, rest, kwds, 1)) {
        Py_XDECREF(rest);
        return NULL;
    }
    if (s->busy || !(seconds > -4e9 && seconds < 4e9)) {
        PyErr_SetString(s->busy ? PyExc_RuntimeError : PyExc_ValueError,
                        s->busy ? "another thread is using the scene" : "seconds are out of range");
    } else {
        s->busy = true;
        Py_BEGIN_ALLOW_THREADS
        ty_stage_now at = { .utc = ty_utc_add(ty_world_start(s->world), ty_time_from(seconds)) };
        if (ty_stage_update(s->stage, &at, &diag) == TY_OK) {
            ty_render(ty_stage_scene(s->stage), &view.camera, &view.def, &view.out, &diag);
        }
        Py_END_ALLOW_THREADS
        s->busy = false;
    }
    py_view_release(&view);
    Py_DECREF(rest);
    if (diag.status != TY_OK) {
        return py_fail(PY_STATE(self), &diag);
    }
    return PyErr_Occurred() || PyErr_CheckSignals() ? NULL : Py_NewRef(Py_None);
}

static PyMethodDef stage_methods[] = {
    { "render", (PyCFunction)(void (*)(void))stage_render, METH_VARARGS | METH_KEYWORDS, NULL }, { NULL, NULL, 0, NULL }
};
static PyType_Slot stage_slots[] = { { Py_tp_new, (void *)stage_new },
                                     { Py_tp_dealloc, (void *)stage_dealloc },
                                     { Py_tp_methods, stage_methods },
                                     { 0, NULL } };
PyType_Spec py_stage_spec = { "tycho._tycho.Stage", sizeof(py_stage), 0, Py_TPFLAGS_DEFAULT, stage_slots };
