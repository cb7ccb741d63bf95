/* python/src/message.c - messages of a run, kept (ty_message_keep()) for as long as Python has use for them, and their parts, which
 * hand out the run's own memory by the buffer protocol, read-only.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "binding.h"
#include <string.h>

typedef struct py_message {
    PyObject_HEAD ty_message kept;
    PyObject *run, *rover, *sensor, *schema; /* texts: the run's own end with it */
    PyObject *parts;                         /* names */
    PyObject *columns;
} py_message;

typedef struct py_part {
    PyObject_HEAD PyObject *message;
    int index;
    int dims;
    Py_ssize_t shape[3], stride[3];
    char format[2];
} py_part;

/* ---- messages ---- */

PyObject *py_message_columns(const ty_message_schema *schema)
{
    if (!schema->column) {
        return Py_NewRef(Py_None);
    }
    PyObject *list = PyList_New(0);
    for (const ty_message_column *c = schema->column; list && c->name; c++) {
        PyObject *pair = Py_BuildValue("(ss)", c->name, c->unit);
        if (!pair || PyList_Append(list, pair)) {
            Py_CLEAR(list);
        }
        Py_XDECREF(pair);
    }
    PyObject *tuple = list ? PyList_AsTuple(list) : NULL;
    Py_XDECREF(list);
    return tuple;
}

static PyObject *text(const char *s)
{
    return PyUnicode_DecodeUTF8(s ? s : "", (Py_ssize_t)strlen(s ? s : ""), "replace");
}

PyObject *py_message_new(const py_state *state, ty_message *kept, PyObject *columns)
{
    py_message *m = (py_message *)py_alloc(state->message);
    if (!m) {
        ty_buffer_destroy(&kept->part[0].data);
        return NULL;
    }
    m->kept = *kept;
    m->run = text(kept->run);
    m->rover = text(kept->rover);
    m->sensor = text(kept->sensor);
    m->schema = text(kept->schema->name);
    m->columns = Py_NewRef(columns);
    m->parts = PyTuple_New(kept->parts);
    for (int i = 0; m->parts && i < kept->parts; i++) {
        PyObject *name = text(kept->part[i].name);
        if (!name || PyTuple_SetItem(m->parts, i, name)) {
            Py_CLEAR(m->parts);
        }
    }
    m->kept.run = m->kept.rover = m->kept.sensor = "";
    m->kept.schema = NULL;
    if (!m->run || !m->rover || !m->sensor || !m->schema || !m->parts) {
        Py_DECREF(m);
        return NULL;
    }
    return (PyObject *)m;
}

static void message_dealloc(PyObject *self)
{
    py_message *m = (py_message *)self;
    ty_buffer_destroy(&m->kept.part[0].data);
    Py_XDECREF(m->run);
    Py_XDECREF(m->rover);
    Py_XDECREF(m->sensor);
    Py_XDECREF(m->schema);
    Py_XDECREF(m->parts);
    Py_XDECREF(m->columns);
    py_free(self);
}

/* index of the part that a name or a number means; -1: an exception */
static int part_index(py_message *m, PyObject *key)
{
    if (PyLong_Check(key)) {
        long i = PyLong_AsLong(key);
        if (i >= 0 && i < m->kept.parts) {
            return (int)i;
        }
    } else if (PyUnicode_Check(key)) {
        for (int i = 0; i < m->kept.parts; i++) {
            int same = PyObject_RichCompareBool(PyTuple_GetItem(m->parts, i), key, Py_EQ);
            if (same) {
                return same < 0 ? -1 : i;
            }
        }
    }
    if (!PyErr_Occurred()) {
        PyErr_Format(PyExc_KeyError, "a message of %U has the parts %R, not %R", m->sensor, m->parts, key);
    }
    return -1;
}

/* images as rows, columns and channels where there are several; one row of numbers as a plain vector */
static void shape(const py_message *m, py_part *p)
{
    static const char format[TY_ELEMENT_COUNT] = { 'f', 'd', 'B', 'H', 'I' };
    const ty_buffer *b = &m->kept.part[p->index].data;
    bool table = p->index == 0 && m->columns != Py_None,
         cloud = b->type.unit == TY_UNIT_POINT || b->type.unit == TY_UNIT_RETURN;
    Py_ssize_t all[3] = { b->type.height, b->type.width, b->type.channels };
    Py_ssize_t step[3] = { b->row, b->column, b->channel };
    bool use[3] = { !table || cloud || all[0] > 1, !table || cloud || all[0] > 1 || all[1] > 1,
                    table || cloud || all[2] > 1 };
    for (int i = 0; i < 3; i++) {
        if (use[i]) {
            p->shape[p->dims] = all[i];
            p->stride[p->dims++] = step[i];
        }
    }
    p->format[0] = format[b->type.element];
}

static PyObject *message_part(PyObject *self, PyObject *key)
{
    py_message *m = (py_message *)self;
    int index = part_index(m, key);
    py_part *p = index < 0 ? NULL : (py_part *)py_alloc(PY_STATE(self)->part);
    if (p) {
        p->message = Py_NewRef(self);
        p->index = index;
        shape(m, p);
    }
    return (PyObject *)p;
}

static PyObject *message_get(PyObject *self, PyObject *key)
{
    const py_state *state = PY_STATE(self);
    PyObject *part = message_part(self, key);
    PyObject *array = !part                       ? NULL
                      : state->asarray == Py_None ? PyMemoryView_FromObject(part)
                                                  : PyObject_CallFunctionObjArgs(state->asarray, part, NULL);
    Py_XDECREF(part);
    return array;
}

static Py_ssize_t message_length(PyObject *self)
{
    return ((py_message *)self)->kept.parts;
}

static PyObject *message_iter(PyObject *self)
{
    return PyObject_GetIter(((py_message *)self)->parts);
}

/* what an attribute is: a text of the message, or a number of its head */
enum { RUN, ROVER, SENSOR, SCHEMA, PARTS, COLUMNS, START, END, DUE, SEQUENCE, INDEX, KIND };
static PyObject *message_attr(PyObject *self, void *which)
{
    static const char *const kinds[] = { "sensor", "clock", "pose", "wheels", "event", "edit" };
    py_message *m = (py_message *)self;
    PyObject *const object[] = { m->run, m->rover, m->sensor, m->schema, m->parts, m->columns };
    const ty_stamps *t = &m->kept.time;
    intptr_t at = (intptr_t)which;
    if (at <= COLUMNS) {
        return Py_NewRef(object[at]);
    }
    switch (at) {
    case START:
        return PyLong_FromLongLong(t->start);
    case END:
        return PyLong_FromLongLong(t->end);
    case DUE:
        return PyLong_FromLongLong(t->due);
    case SEQUENCE:
        return PyLong_FromUnsignedLongLong(m->kept.sequence);
    case INDEX:
        return PyLong_FromSize_t(m->kept.index);
    default:
        return PyUnicode_FromString(kinds[m->kept.kind]);
    }
}

static PyObject *message_time(PyObject *self, void *unused)
{
    (void)unused;
    return PyFloat_FromDouble(ty_seconds(((py_message *)self)->kept.time.end));
}

/* unit and frame of a part */
static PyObject *message_unit(PyObject *self, PyObject *key)
{
    py_message *m = (py_message *)self;
    int index = part_index(m, key);
    return index < 0 ? NULL : PyUnicode_FromString(ty_unit_name(m->kept.part[index].data.type.unit));
}

static PyObject *message_frame(PyObject *self, PyObject *key)
{
    py_message *m = (py_message *)self;
    int index = part_index(m, key);
    char frame = index < 0 ? 0 : m->kept.part[index].data.type.frame;
    return index < 0 ? NULL : PyUnicode_FromStringAndSize(&frame, frame ? 1 : 0);
}

static PyObject *message_hash(PyObject *self, PyObject *unused)
{
    (void)unused;
    py_message *m = (py_message *)self;
    ty_message whole = m->kept;
    ty_message_schema schema = { PyUnicode_AsUTF8AndSize(m->schema, NULL), NULL };
    whole.run = PyUnicode_AsUTF8AndSize(m->run, NULL);
    whole.rover = PyUnicode_AsUTF8AndSize(m->rover, NULL);
    whole.sensor = PyUnicode_AsUTF8AndSize(m->sensor, NULL);
    whole.schema = &schema;
    for (int i = 0; i < whole.parts; i++) {
        whole.part[i].name = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(m->parts, i), NULL);
        if (!whole.part[i].name) {
            return NULL;
        }
    }
    return whole.run && whole.rover && whole.sensor && schema.name
               ? PyLong_FromUnsignedLongLong(ty_message_hash(&whole))
               : NULL;
}

static PyObject *message_repr(PyObject *self)
{
    py_message *m = (py_message *)self;
    PyObject *t = PyFloat_FromDouble(ty_seconds(m->kept.time.end));
    PyObject *out = t ? PyUnicode_FromFormat("<tycho message %U/%U number %llu at %S s: %R>", m->rover, m->sensor,
                                             (unsigned long long)m->kept.sequence, t, m->parts)
                      : NULL;
    Py_XDECREF(t);
    return out;
}

#define ATTR(name, which, doc)                                   \
    {                                                            \
        name, message_attr, NULL, doc, (void *)(intptr_t)(which) \
    }
static PyGetSetDef message_attrs[] = { ATTR("run", RUN, "name of the run's scenario"),
                                       ATTR("rover", ROVER, "name of the rover or actor that it is of"),
                                       ATTR("sensor", SENSOR, "name of the sensor"),
                                       ATTR("schema", SCHEMA, "kind of sensor: 'camera', 'imu', ..."),
                                       ATTR("parts", PARTS, "names of its parts; the first is the data"),
                                       ATTR("columns", COLUMNS,
                                            "(name, unit) of the first part's columns; None: an image"),
                                       ATTR("start", START, "[ns] when collecting began"),
                                       ATTR("end", END, "[ns] when it ended"),
                                       ATTR("due", DUE, "[ns] from when on it could be read"),
                                       ATTR("sequence", SEQUENCE, "0, 1, 2, ... of this sensor"),
                                       ATTR("index", INDEX, "of the sensor in its run"),
                                       ATTR("kind", KIND, "'sensor', 'clock', 'pose', 'wheels', 'event' or 'edit'"),
                                       { "time", message_time, NULL, "[s] when collecting ended", NULL },
                                       { NULL, NULL, NULL, NULL, NULL } };
/* how it shows itself in a notebook is told by tycho/_picture.py */
static PyObject *message_png(PyObject *self, PyObject *unused)
{
    (void)unused;
    PyObject *pictures = PyImport_ImportModule("tycho._picture");
    PyObject *out = pictures ? PyObject_CallMethod(pictures, "message_png", "O", self) : NULL;
    Py_XDECREF(pictures);
    return out;
}

static PyMethodDef message_methods[] = {
    { "part", message_part, METH_O, "part(name) -> an object with the buffer protocol over the run's own memory" },
    { "unit", message_unit, METH_O, "unit(name) -> what the numbers of a part are: 'metres', 'electrons', ..." },
    { "frame", message_frame, METH_O, "frame(name) -> letter of the frame that a part's places are in, or ''" },
    { "hash", message_hash, METH_NOARGS, "hash() -> of all that it says; the same as in C" },
    { "_repr_png_", message_png, METH_NOARGS, "what a notebook shows of it" },
    { NULL, NULL, 0, NULL }
};
static PyType_Slot message_slots[] = {
    { Py_tp_doc,
      "What a sensor says. message[name] is one of its parts as a numpy array, without a copy and read-only; it stays "
      "valid for as long as it is held, past the next step and the end of the run." },
    { Py_tp_dealloc, (void *)message_dealloc },
    { Py_tp_repr, (void *)message_repr },
    { Py_tp_iter, (void *)message_iter },
    { Py_mp_length, (void *)message_length },
    { Py_mp_subscript, (void *)message_get },
    { Py_tp_getset, message_attrs },
    { Py_tp_methods, message_methods },
    { 0, NULL }
};
PyType_Spec py_message_spec = { "tycho.Message", sizeof(py_message), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
                                message_slots };

/* ---- parts ---- */

static void part_dealloc(PyObject *self)
{
    Py_XDECREF(((py_part *)self)->message);
    py_free(self);
}

static int part_buffer(PyObject *self, Py_buffer *view, int flags)
{
    py_part *p = (py_part *)self;
    const ty_buffer *b = &((py_message *)p->message)->kept.part[p->index].data;
    view->obj = NULL;
    if (flags & PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError, "a message is read-only: others read it, too; take a copy");
        return -1;
    }
    memset(view, 0, sizeof *view);
    view->buf = b->data;
    view->itemsize = (Py_ssize_t)ty_element_bytes(b->type.element);
    view->len = (Py_ssize_t)ty_buffer_type_bytes(&b->type);
    view->readonly = 1;
    view->format = flags & PyBUF_FORMAT ? p->format : NULL;
    view->ndim = flags & PyBUF_ND ? p->dims : 1;
    view->shape = flags & PyBUF_ND ? p->shape : NULL;
    view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? p->stride : NULL;
    view->obj = Py_NewRef(self);
    return 0;
}

static PyType_Slot part_slots[] = {
    { Py_tp_doc, "A part of a message: numpy.asarray(part) and memoryview(part) are the run's own memory." },
    { Py_tp_dealloc, (void *)part_dealloc },
    { Py_bf_getbuffer, (void *)part_buffer },
    { 0, NULL }
};
PyType_Spec py_part_spec = { "tycho.Part", sizeof(py_part), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
                             part_slots };
