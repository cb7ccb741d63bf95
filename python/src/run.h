/* python/src/run.h - a run as Python holds it; the files run*.c share it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_PYTHON_RUN_H
#define TYCHO_PYTHON_RUN_H
#include "binding.h"
#include <tycho/record.h>

/* Somebody who wants messages: a callable, or a queue that is read between steps. */
typedef struct py_reader {
    PyObject *call; /* NULL: a queue */
    long id;
    bool gone; /* freed when no step is being made */
    char rover[64], sensor[64];
    ty_message *queue;
    size_t count, room;
} py_reader;

typedef struct py_run {
    PyObject_HEAD ty_run *run;
    ty_record *record;
    PyObject *scenario;
    long process;         /* that made it */
    unsigned long thread; /* that uses it now; 0: none */
    bool ended;           /* its record is finished: no more steps */
    bool broken;          /* a restore failed: good for nothing */
    bool states;          /* subscribed to what is no sensor's */
    py_reader **reader;
    size_t readers;
    long next_id;
    PyObject **columns;                               /* of each sensor, made when first asked for */
    PyObject *error_type, *error_value, *error_trace; /* of a callback that raised */
    ty_diag failed;                                   /* a message could not be kept */
    PyObject *notes;                                  /* list of sentences that a record told */
    bool stop_on_message, got_message;
    struct py_filters *filters;                          /* functions of Python as kinds of filters; NULL: none */
    struct py_kinds *kinds;                              /* and as soils, sensors, actions */
    PyObject *filter_type, *filter_value, *filter_trace; /* of one that raised; looked at once the step has failed */
} py_run;

/* run_filters.c: from a dict of names and functions into the definition of a run; 0, or -1 with an exception */
int py_run_filters_take(py_run *r, PyObject *dict, ty_run_def *def);
int py_run_filters_visit(py_run *r, visitproc visit, void *arg);
void py_run_filters_free(py_run *r);
/* What a function of Python raised, on whichever thread, is kept for the call that steps the run; the first of several. Returns TY_ERR_INPUT. */
ty_status py_run_keep_error(py_run *r, const char *what, const char *name, ty_diag *diag);

/* run_kinds.c: the same for soils, sensors and actions */
int py_run_kinds_take(py_run *r, PyObject *soils, PyObject *sensors, PyObject *actions, ty_run_def *def);
int py_run_kinds_visit(py_run *r, visitproc visit, void *arg);
void py_run_kinds_free(py_run *r);

/* run_record.c */
PyObject *py_run_record(PyObject *self, PyObject *args, PyObject *kwds);
PyObject *py_run_finish(PyObject *self, PyObject *args);
PyObject *py_run_stats(PyObject *self, PyObject *unused);
void py_run_wind_up(py_run *r, const char *why,
                    ty_diag *diag); /* whole files, whatever has happened; without the lock */
/* run_messages.c */
void py_run_receive(void *user, const ty_message *message);
PyObject *py_run_subscribe(PyObject *self, PyObject *args);
PyObject *py_run_unsubscribe(PyObject *self, PyObject *args);
PyObject *py_run_take(PyObject *self, PyObject *args);
PyObject *py_run_newest(PyObject *self, PyObject *args);
PyObject *py_run_address(PyObject *self, PyObject *args);
PyObject *py_run_sensors(PyObject *self, PyObject *unused);
void py_run_drop_readers(py_run *r, bool all);
/* run_look.c */
PyObject *py_run_rovers(PyObject *self, PyObject *unused);
PyObject *py_run_actors(PyObject *self, PyObject *unused);
PyObject *py_run_state(PyObject *self, PyObject *args);
PyObject *py_run_tools(PyObject *self, PyObject *args);
PyObject *py_run_motors(PyObject *self, PyObject *args);
PyObject *py_run_read(PyObject *self, PyObject *args);
PyObject *py_run_mount(PyObject *self, PyObject *args);
PyObject *py_run_sky(PyObject *self, PyObject *unused);
PyObject *py_run_sunlight(PyObject *self, PyObject *args);
PyObject *py_run_render(PyObject *self, PyObject *args, PyObject *kwds);
PyObject *py_run_tone(PyObject *self, PyObject *unused);

#endif
