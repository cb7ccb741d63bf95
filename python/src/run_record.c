/* python/src/run_record.c - a run into a folder.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "run.h"
#include "tools.h"
#include <string.h>

/* both are called by steps and at the end, without the interpreter's lock */
static void note(void *user, const char *sentence)
{
    py_run *r = user;
    PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *text = PyUnicode_DecodeUTF8(sentence, (Py_ssize_t)strlen(sentence), "replace");
    if (!text || PyList_Append(r->notes, text)) {
        PyErr_Clear();
    }
    Py_XDECREF(text);
    PyGILState_Release(lock);
}

PyObject *py_run_record(PyObject *self, PyObject *args, PyObject *kwds)
{
    static char *names[] = { "folder",   "scenario",       "settings",   "mcap",     "video",
                             "overview", "overview_width", "checkpoint", "realtime", NULL };
    py_run *r = (py_run *)self;
    ty_record_def def = ty_record_def_default();
    PyObject *settings;
    int mcap = 1, video = 0, overview = 1, realtime = 0;
    double checkpoint = 0.0;
    Py_ssize_t count;
    unsigned long before;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "zzO|pppidp", names, &def.folder, &def.scenario, &settings, &mcap,
                                     &video, &overview, &def.overview_width, &checkpoint, &realtime)) {
        return NULL;
    }
    if (!(checkpoint >= 0.0 && checkpoint < 1e9)) {
        PyErr_SetString(PyExc_ValueError, "checkpoint takes seconds of simulated time, 0 or more");
        return NULL;
    }
    const char **list = py_texts(settings, &count);
    if (!list || py_run_enter(self, PY_BETWEEN_STEPS, &before)) {
        PyMem_Free((void *)list);
        return NULL;
    }
    ty_diag diag = { 0 };
    def.settings = list, def.setting_count = (size_t)count;
    def.mcap = mcap != 0, def.video = video != 0, def.overview = overview != 0, def.realtime = realtime != 0;
    def.checkpoint = ty_time_from(checkpoint);
    def.note = note, def.note_user = r;
    if (r->record || ty_run_time(r->run) != 0) {
        PyErr_SetString(PyExc_ValueError, r->record ? "the run is recorded already"
                                                    : "a run is recorded from its start, but steps were made");
    } else {
        Py_BEGIN_ALLOW_THREADS
        ty_record_create(r->run, &def, &r->record, &diag);
        Py_END_ALLOW_THREADS
    }
    py_run_leave(self, before);
    PyMem_Free((void *)list);
    if (PyErr_Occurred()) {
        return NULL;
    }
    return diag.status == TY_OK ? PyUnicode_DecodeFSDefault(ty_record_folder(r->record))
                                : py_fail(PY_STATE(self), &diag);
}

void py_run_wind_up(py_run *r, const char *why, ty_diag *diag)
{
    for (int i = 0; i < 4 && diag->status == TY_OK && ty_run_done(r->run) && !ty_record_done(r->record); i++) {
        ty_record_step(r->record, diag); /* at its end it only writes */
    }
    if (diag->status == TY_OK && !ty_record_done(r->record)) {
        ty_record_stop(r->record, why, diag);
    }
    ty_record_finish(r->record, diag);
    r->ended = true;
}

/* finish(why): the files that are made at the end */
PyObject *py_run_finish(PyObject *self, PyObject *args)
{
    py_run *r = (py_run *)self;
    const char *why;
    unsigned long before;
    if (!PyArg_ParseTuple(args, "s", &why) || py_run_enter(self, PY_BETWEEN_STEPS, &before)) {
        return NULL;
    }
    ty_diag diag = { 0 };
    if (!r->record) {
        PyErr_SetString(PyExc_ValueError, "the run is not recorded");
    } else if (!r->ended) {
        Py_BEGIN_ALLOW_THREADS
        py_run_wind_up(r, why, &diag);
        Py_END_ALLOW_THREADS
        if (diag.status != TY_OK) {
            py_fail(PY_STATE(self), &diag);
        }
    }
    py_run_leave(self, before);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

/* resume(folder, overview, realtime): goes on with a record that was stopped, to its end; returns why it ended */
PyObject *py_resume(PyObject *module, PyObject *args)
{
    ty_record_def def = ty_record_def_default();
    const char *folder;
    int overview, realtime;
    if (!PyArg_ParseTuple(args, "spp", &folder, &overview, &realtime) || py_process(PyModule_GetState(module))) {
        return NULL;
    }
    ty_diag diag = { 0 }, late = { 0 };
    ty_record *record = NULL;
    bool signal = false;
    def.overview = overview != 0, def.realtime = realtime != 0;
    Py_BEGIN_ALLOW_THREADS
    ty_record_resume(folder, &def, &record, &diag);
    Py_END_ALLOW_THREADS
    if (!record) {
        return py_fail(PyModule_GetState(module), &diag);
    }
    while (!ty_record_done(record) && diag.status == TY_OK && !signal) {
        Py_BEGIN_ALLOW_THREADS
        for (int i = 0; i < 50 && !ty_record_done(record) && diag.status == TY_OK; i++) {
            ty_record_step(record, &diag);
        }
        Py_END_ALLOW_THREADS
        signal = PyErr_CheckSignals() != 0;
    }
    Py_BEGIN_ALLOW_THREADS
    if (signal) { /* it can be resumed again */
        ty_record_stop(record, "KeyboardInterrupt was raised", &late);
    }
    ty_record_finish(record, signal ? &late : &diag);
    Py_END_ALLOW_THREADS
    PyObject *why = signal                 ? NULL
                    : diag.status != TY_OK ? py_fail(PyModule_GetState(module), &diag)
                                           : PyUnicode_FromString(ty_record_get_stats(record).ended);
    Py_BEGIN_ALLOW_THREADS
    ty_record_destroy(record);
    Py_END_ALLOW_THREADS
    return why;
}

PyObject *py_run_stats(PyObject *self, PyObject *unused)
{
    (void)unused;
    py_run *r = (py_run *)self;
    unsigned long before;
    if (py_run_enter(self, PY_ANY_TIME, &before)) {
        return NULL;
    }
    ty_run_stats s = ty_run_get_stats(r->run);
    PyObject *out =
        Py_BuildValue("{s:K,s:d,s:d,s:d,s:d,s:d,s:d,s:z,s:z,s:s}", "frames", (unsigned long long)s.frames, "work_s",
                      s.work_s, "wait_s", s.wait_s, "motion_s", s.motion_s, "soil_s", s.soil_s, "sensor_s", s.sensor_s,
                      "deliver_s", s.deliver_s, "device", s.device, "host", s.host, "need", s.need);
    if (out && r->record) {
        ty_record_stats w = ty_record_get_stats(r->record);
        PyObject *more = Py_BuildValue("{s:s,s:d,s:d,s:n,s:n,s:n,s:s,s:N}", "folder", ty_record_folder(r->record),
                                       "simulated", w.simulated, "wall", w.wall, "messages", (Py_ssize_t)w.messages,
                                       "images", (Py_ssize_t)w.images, "clouds", (Py_ssize_t)w.clouds, "ended", w.ended,
                                       "resumable", PyBool_FromLong(w.resumable));
        if (!more || PyObject_CallMethod(out, "update", "O", more) == NULL) {
            Py_CLEAR(out);
        }
        Py_XDECREF(more);
    }
    py_run_leave(self, before);
    return out;
}
