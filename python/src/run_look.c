/* python/src/run_look.c - how a run stands: rovers, Sun, what a camera sees.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "run.h"
#include <string.h>

/* the vehicle of a rover's number; NULL: an exception */
static ty_vehicle *vehicle(PyObject *self, Py_ssize_t rover)
{
    ty_run *run = py_run_get(self);
    if (rover < 0 || (size_t)rover >= ty_run_rovers(run)) {
        PyErr_Format(PyExc_IndexError, "there is no rover %zd; the run has %zu", rover, ty_run_rovers(run));
        return NULL;
    }
    return ty_run_rover(run, (size_t)rover);
}

static PyObject *append(PyObject *list, PyObject *item)
{
    if (list && (!item || PyList_Append(list, item))) {
        Py_CLEAR(list);
    }
    Py_XDECREF(item);
    return list;
}

static PyObject *rover_facts(const ty_vehicle *v, const char *name)
{
    ty_wheel_info wheel[TY_WHEELS_MAX];
    ty_motor_info motor[TY_MOTORS_MAX];
    const ty_vehicle_mount *mount;
    int wheels = ty_vehicle_wheels(v, wheel), motors = ty_vehicle_motors(v, motor),
        mounts = ty_vehicle_mounts(v, &mount);
    PyObject *w = PyList_New(0), *m = PyList_New(0), *s = PyList_New(0);
    for (int i = 0; i < wheels; i++) {
        w = append(w, Py_BuildValue("{s:s,s:d,s:d,s:d,s:d}", "name", wheel[i].name, "radius", wheel[i].shape.r, "width",
                                    wheel[i].shape.b, "steer_limit", wheel[i].steer_limit, "no_load_speed",
                                    wheel[i].no_load_speed));
    }
    for (int i = 0; i < motors; i++) {
        m = append(m, Py_BuildValue("{s:s,s:O,s:d,s:d,s:d}", "name", motor[i].name, "speed",
                                    motor[i].speed ? Py_True : Py_False, "torque", motor[i].torque, "low", motor[i].low,
                                    "high", motor[i].high));
    }
    for (int i = 0; i < mounts; i++) {
        s = append(s, PyUnicode_FromString(mount[i].name));
    }
    if (!w || !m || !s) {
        Py_XDECREF(w);
        Py_XDECREF(m);
        Py_XDECREF(s);
        return NULL;
    }
    return Py_BuildValue("{s:s,s:s,s:d,s:N,s:N,s:N}", "name", name, "kind", ty_vehicle_name(v), "mass",
                         ty_vehicle_mass(v), "wheels", w, "motors", m, "mounts", s);
}

/* rovers() -> list of dicts */
PyObject *py_run_rovers(PyObject *self, PyObject *unused)
{
    (void)unused;
    unsigned long before;
    if (py_run_enter(self, PY_ANY_TIME, &before)) {
        return NULL;
    }
    ty_run *run = py_run_get(self);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < ty_run_rovers(run); i++) {
        list = append(list, rover_facts(ty_run_rover(run, i), ty_run_scenario(run)->rover[i].name));
    }
    py_run_leave(self, before);
    return list;
}

/* actors() -> dict: name -> (position, attitude) */
PyObject *py_run_actors(PyObject *self, PyObject *unused)
{
    (void)unused;
    unsigned long before;
    if (py_run_enter(self, PY_ANY_TIME, &before)) {
        return NULL;
    }
    ty_run *run = py_run_get(self);
    const ty_scenario *scenario = ty_run_scenario(run);
    PyObject *all = PyDict_New();
    for (size_t i = 0; all && i < scenario->actors; i++) {
        PyObject *pose = py_pose(ty_run_actor_pose(run, i));
        if (!pose || PyDict_SetItemString(all, scenario->actor[i].name, pose)) {
            Py_CLEAR(all);
        }
        Py_XDECREF(pose);
    }
    py_run_leave(self, before);
    return all;
}

/* state(rover) -> dict */
PyObject *py_run_state(PyObject *self, PyObject *args)
{
    Py_ssize_t rover;
    unsigned long before;
    if (!PyArg_ParseTuple(args, "n", &rover) || py_run_enter(self, PY_ANY_TIME, &before)) {
        return NULL;
    }
    PyObject *out = NULL;
    const ty_vehicle *v = vehicle(self, rover);
    if (v) {
        ty_vehicle_state s;
        ty_vehicle_get(v, &s);
        PyObject *pose = py_pose(s.pose);
        out = pose ? Py_BuildValue("{s:d,s:O,s:O,s:N,s:N,s:N,s:d,s:d,s:d}", "time", ty_seconds(s.time), "position",
                                   PyTuple_GetItem(pose, 0), "attitude", PyTuple_GetItem(pose, 1), "velocity",
                                   py_vec3(s.v_W), "rates", py_vec3(s.omega_B), "acceleration", py_vec3(s.a_W),
                                   "odometer", s.odometer, "work_motor", s.work_motor, "work_soil", s.work_soil)
                   : NULL;
        Py_XDECREF(pose);
    }
    py_run_leave(self, before);
    return out;
}

/* tools(rover) -> list of dicts */
PyObject *py_run_tools(PyObject *self, PyObject *args)
{
    Py_ssize_t rover;
    unsigned long before;
    if (!PyArg_ParseTuple(args, "n", &rover) || py_run_enter(self, PY_ANY_TIME, &before)) {
        return NULL;
    }
    const ty_vehicle *v = vehicle(self, rover);
    PyObject *list = v ? PyList_New(0) : NULL;
    if (v) {
        ty_tool_view tool[TY_TOOLS_MAX];
        int tools = ty_vehicle_tools(v, tool);
        for (int i = 0; i < tools && list; i++) {
            const ty_tool_view *t = &tool[i];
            list =
                append(list, Py_BuildValue("{s:s,s:N,s:N,s:d,s:d,s:d,s:d,s:d}", "name", t->name, "pose",
                                           py_pose(t->pose), "force", py_vec3(t->force_W), "torque", t->torque, "power",
                                           t->power, "work", t->work, "carried", t->carried, "most", t->most));
        }
    }
    py_run_leave(self, before);
    return list;
}

/* motors(rover) -> list of (angle, rate, torque) */
PyObject *py_run_motors(PyObject *self, PyObject *args)
{
    Py_ssize_t rover;
    unsigned long before;
    if (!PyArg_ParseTuple(args, "n", &rover) || py_run_enter(self, PY_ANY_TIME, &before)) {
        return NULL;
    }
    const ty_vehicle *v = vehicle(self, rover);
    PyObject *list = v ? PyList_New(0) : NULL;
    for (int i = 0; v && list && i < ty_vehicle_motors(v, NULL); i++) {
        ty_motor_view m = ty_vehicle_get_motor(v, i);
        list = append(list, Py_BuildValue("(ddd)", m.angle, m.omega, m.torque));
    }
    py_run_leave(self, before);
    return list;
}

#define BODY  14
#define WHEEL 12
/* read(rover, body, wheels): into arrays of the caller's, body 14 numbers, wheels 12 of each; None: not wanted */
PyObject *py_run_read(PyObject *self, PyObject *args)
{
    Py_ssize_t rover;
    PyObject *body_array, *wheel_array;
    Py_buffer body = { 0 }, wheel = { 0 };
    unsigned long before;
    if (!PyArg_ParseTuple(args, "nOO", &rover, &body_array, &wheel_array) || py_run_enter(self, PY_ANY_TIME, &before)) {
        return NULL;
    }
    const ty_vehicle *v = vehicle(self, rover);
    ty_vehicle_state s = { 0 };
    if (v) {
        ty_vehicle_get(v, &s);
    }
    bool fits = v && !py_take(body_array, &(py_wanted){ "body", 'd', BODY, true, true }, &body) &&
                !py_take(wheel_array, &(py_wanted){ "wheels", 'd', (Py_ssize_t)s.wheels * WHEEL, true, true }, &wheel);
    if (fits && body.buf) {
        const double all[BODY] = { s.pose.p.x,  s.pose.p.y,  s.pose.p.z,  s.pose.q.w, s.pose.q.x,
                                   s.pose.q.y,  s.pose.q.z,  s.v_W.x,     s.v_W.y,    s.v_W.z,
                                   s.omega_B.x, s.omega_B.y, s.omega_B.z, s.odometer };
        memcpy(body.buf, all, sizeof all);
    }
    for (int i = 0; fits && wheel.buf && i < s.wheels; i++) {
        const ty_wheel_view *w = &s.wheel[i];
        const double all[WHEEL] = { w->angle, w->omega,      w->steer, w->torque, w->power, w->sinkage,
                                    w->slip,  w->slip_angle, w->load,  w->fx,     w->fy,    w->contact ? 1.0 : 0.0 };
        memcpy((double *)wheel.buf + (size_t)i * WHEEL, all, sizeof all);
    }
    py_run_leave(self, before);
    py_release(&body);
    py_release(&wheel);
    return fits ? Py_NewRef(Py_None) : NULL;
}

/* mount(rover, name) -> pose of a mount in W; '' is the rover's own frame */
PyObject *py_run_mount(PyObject *self, PyObject *args)
{
    Py_ssize_t rover;
    const char *name;
    unsigned long before;
    if (!PyArg_ParseTuple(args, "ns", &rover, &name) || py_run_enter(self, PY_ANY_TIME, &before)) {
        return NULL;
    }
    PyObject *out = NULL;
    const ty_vehicle *v = vehicle(self, rover);
    int mount = v && name[0] ? ty_vehicle_find_mount(v, name) : -1;
    if (v && mount < 0 && name[0]) {
        PyErr_Format(PyExc_KeyError, "the rover has no mount '%s'", name);
    } else if (v && mount < 0) {
        ty_vehicle_state s;
        ty_vehicle_get(v, &s);
        out = py_pose(s.pose);
    } else if (v) {
        out = py_pose(ty_vehicle_mount_pose(v, mount));
    }
    py_run_leave(self, before);
    return out;
}

static PyObject *sky_body(const ty_sky_body *b)
{
    return Py_BuildValue("{s:N,s:d,s:d,s:d,s:d}", "direction", py_vec3(b->dir_W), "azimuth_deg", b->azimuth / TY_DEG,
                         "elevation_deg", b->elevation / TY_DEG, "distance", b->distance, "radius_deg",
                         b->radius / TY_DEG);
}

/* sky() -> dict: Sun and Earth from the site's origin, now */
PyObject *py_run_sky(PyObject *self, PyObject *unused)
{
    (void)unused;
    unsigned long before;
    if (py_run_enter(self, PY_ANY_TIME, &before)) {
        return NULL;
    }
    ty_sky_view view = ty_run_sky(py_run_get(self));
    py_run_leave(self, before);
    return Py_BuildValue("{s:N,s:N,s:d,s:d}", "sun", sky_body(&view.sun), "earth", sky_body(&view.earth), "irradiance",
                         view.irradiance, "earth_lit", view.earth_lit);
}

PyObject *py_run_sunlight(PyObject *self, PyObject *args)
{
    Py_ssize_t rover;
    unsigned long before;
    double lit = 0.0;
    ty_diag diag = { 0 };
    if (!PyArg_ParseTuple(args, "n", &rover) || py_run_enter(self, PY_BETWEEN_STEPS, &before)) {
        return NULL;
    }
    if (vehicle(self, rover)) {
        Py_BEGIN_ALLOW_THREADS
        ty_run_sunlight(py_run_get(self), (size_t)rover, &lit, &diag);
        Py_END_ALLOW_THREADS
    }
    py_run_leave(self, before);
    return PyErr_Occurred() ? NULL : diag.status == TY_OK ? PyFloat_FromDouble(lit) : py_fail(PY_STATE(self), &diag);
}

PyObject *py_run_render(PyObject *self, PyObject *args, PyObject *kwds)
{
    py_view view;
    unsigned long before;
    ty_diag diag = { 0 };
    if (py_view_take(&view, args, kwds, 1)) {
        return NULL;
    }
    if (py_run_enter(self, PY_BETWEEN_STEPS, &before)) {
        py_view_release(&view);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    ty_run_render(py_run_get(self), &view.camera, &view.def, &view.out, &diag);
    Py_END_ALLOW_THREADS
    py_run_leave(self, before);
    py_view_release(&view);
    if (diag.status != TY_OK) {
        return py_fail(PY_STATE(self), &diag);
    }
    return PyErr_CheckSignals() ? NULL : Py_NewRef(Py_None);
}

/* tone() -> black, white, gamma, knee of the run's pictures */
PyObject *py_run_tone(PyObject *self, PyObject *unused)
{
    (void)unused;
    unsigned long before;
    ty_tone tone;
    ty_diag diag = { 0 };
    if (py_run_enter(self, PY_BETWEEN_STEPS, &before)) {
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    ty_run_tone(py_run_get(self), &tone, &diag);
    Py_END_ALLOW_THREADS
    py_run_leave(self, before);
    return diag.status == TY_OK ? Py_BuildValue("(dddd)", tone.black, tone.white, tone.gamma, tone.knee)
                                : py_fail(PY_STATE(self), &diag);
}
