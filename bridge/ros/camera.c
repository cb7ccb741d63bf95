/* bridge/ros/camera.c - images, what is known of the lens, and ground truth of a frame.
 *
 * The middle of the first pixel is at 0.5, 0.5 in Tycho and at 0, 0 in ROS and OpenCV.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "map.h"
#include "tycho/trace.h"
#include "io/mcap.h"
#include "render/inner.h"
#include "ros_map.h"

/* ---- lenses ---- */

static bool lens_of(const ty_camera *c, double baseline, tyi_ros_lens *out)
{
    bool fisheye = c->lens == TY_LENS_FISHEYE;
    double f = fisheye ? c->width / c->hfov : 0.5 * c->width / tan(0.5 * c->hfov);
    *out = (tyi_ros_lens){ .k = { f, 0, 0.5 * c->width - 0.5, 0, f, 0.5 * c->height - 0.5, 0, 0, 1 } };
    if (c->lens == TY_LENS_PINHOLE || c->lens == TY_LENS_BROWN) {
        const double d[5] = { c->k1, c->k2, c->p1, c->p2, c->k3 };
        memcpy(out->d, d, sizeof d);
        out->model = "plumb_bob", out->count = 5;
    } else if (fisheye) { /* r = f theta: all of its coefficients are 0 */
        out->model = "equidistant", out->count = 4;
    }
    for (int i = 0; i < 12; i++) {
        out->p[i] = i % 4 < 3 ? out->k[3 * (i / 4) + i % 4] : i == 3 ? -f * baseline : 0.0;
    }
    return out->model != NULL;
}

bool tyi_ros_map_lens(const tyi_ros_map *m, size_t sensor, tyi_ros_lens *out)
{
    const ty_sensor_def *def = ty_run_sensor(m->run, sensor).def;
    bool fixed, camera = def->kind == TY_SENSOR_CAMERA;
    ty_pose seat = tyb_ros_seat(m, m->source[sensor].carrier, def, &fixed);
    *out = (tyi_ros_lens){ 0 };
    bool named = camera && lens_of(&def->as.camera.camera, m->source[sensor].baseline, out);
    out->seat = camera ? ty_pose_mul(seat, ty_pose_optical()) : seat;
    return named;
}

static bool same_optics(const ty_sensor_def *a, const ty_sensor_def *b)
{
    const ty_camera *x = &a->as.camera.camera, *y = &b->as.camera.camera;
    return b->kind == TY_SENSOR_CAMERA && x->lens == y->lens && x->width == y->width && x->height == y->height &&
           x->hfov == y->hfov && a->period == b->period && a->start == b->start;
}

double tyb_ros_baseline(tyi_ros_map *m, size_t which, size_t sensor)
{
    const carrier *c = &m->of[which];
    const ty_sensor_def *def = &c->sensor[sensor];
    tyi_ros_lens lens;
    bool fixed;
    double best = 0.0;
    ty_pose self = tyb_ros_seat(m, which, def, &fixed);
    for (size_t i = 0; i < c->sensors; i++) {
        if (i == sensor || !same_optics(def, &c->sensor[i]) || !lens_of(&def->as.camera.camera, 0.0, &lens)) {
            continue;
        }
        /* the other as this one sees it: straight to the left (y of a mount), looking the same way */
        ty_pose other = ty_pose_mul(ty_pose_inverse(self), tyb_ros_seat(m, which, &c->sensor[i], &fixed));
        double across = other.p.y, off = hypot(other.p.x, other.p.z),
               turn = ty_norm(ty_vec3_make(other.q.x, other.q.y, other.q.z));
        if (across > 0.0 && off < 1e-3 * across && turn < 1e-6 && (best == 0.0 || across < best)) {
            best = across;
        }
    }
    return best;
}

static void send_camera_info(tyi_ros_map *m, const sample *s, const ty_camera *c, const char *leaf)
{
    tyi_ros_lens lens;
    if (lens_of(c, s->source->baseline, &lens)) {
        tyi_io_ros_camera_info(&m->message, s->stamp, s->optical, c->width, c->height, lens.model, lens.d, lens.count,
                               lens.k, -lens.p[3]);
        tyb_ros_send_sample(m, s, leaf, false, TY_ROS_CAMERA_INFO);
    }
}

/* ---- images ---- */

/* as ROS names them; NULL: it has no name for it */
static const char *encoding_of(const ty_buffer_type *type)
{
    static const char *const name[4][3] = { { "mono8", "8UC2", "rgb8" },
                                            { "mono16", "16UC2", "rgb16" },
                                            { "32SC1", "32SC2", "32SC3" },
                                            { "32FC1", "32FC2", "32FC3" } };
    int channels = type->channels - 1;
    if (channels > 2) {
        return NULL;
    }
    switch (type->element) {
    case TY_ELEMENT_U8:
        return name[0][channels];
    case TY_ELEMENT_U16:
        return name[1][channels];
    case TY_ELEMENT_U32:
        return name[2][channels];
    case TY_ELEMENT_F32:
    case TY_ELEMENT_F64:
        return name[3][channels];
    case TY_ELEMENT_COUNT:
        break;
    }
    return NULL;
}

/* elements side by side without gaps, doubles as floats, whatever layout the buffer has */
static const uint8_t *pack(tyi_ros_map *m, const ty_buffer *b, size_t element)
{
    size_t n = (size_t)b->type.width * (size_t)b->type.channels;
    tyi_io_cdr_clear(&m->scratch);
    uint8_t *to = tyi_io_cdr_room(&m->scratch, n * (size_t)b->type.height * element);
    bool packed = element == ty_element_bytes(b->type.element) && b->channel == (ptrdiff_t)element &&
                  b->column == b->type.channels * (ptrdiff_t)element;
    for (int y = 0; y < b->type.height && to; y++) {
        if (packed) {
            memcpy(to, ty_buffer_at(b, 0, y, 0), n * element);
            to += n * element;
            continue;
        }
        for (int x = 0; x < b->type.width; x++) {
            for (int c = 0; c < b->type.channels; c++, to += element) {
                float v = (float)ty_buffer_get(b, x, y, c);
                memcpy(to, b->type.element == TY_ELEMENT_F64 ? (const void *)&v : ty_buffer_at(b, x, y, c), element);
            }
        }
    }
    return m->scratch.data;
}

static bool send_image(tyi_ros_map *m, const sample *s, const ty_buffer *b, const char *frame, const char *leaf)
{
    const char *encoding = encoding_of(&b->type);
    size_t element = b->type.element == TY_ELEMENT_F64 ? sizeof(float) : ty_element_bytes(b->type.element);
    if (encoding) {
        tyi_io_ros_image(&m->message, s->stamp, frame, b->type.width, b->type.height, encoding,
                         (size_t)b->type.width * (size_t)b->type.channels * element, pack(m, b, element));
        tyb_ros_send_sample(m, s, leaf, false, TY_ROS_IMAGE);
    }
    return encoding != NULL;
}

/* ---- ground truth ---- */

enum { BOXES = 512 };

static void send_boxes(tyi_ros_map *m, const sample *s, const ty_buffer *rows)
{
    static const char *const kinds[] = { "sky", "ground", "rock", "rover", "object", "rut", "grain" };
    size_t n = rows->type.width < BOXES ? (size_t)rows->type.width : BOXES;
    tyi_io_ros_box *box = malloc((n + 1) * 2 * sizeof *box);
    char(*id)[16] = malloc((n + 1) * sizeof *id);
    for (size_t i = 0; i < n && box && id; i++) {
        double row[TY_TRUTH_BOX_COLUMNS];
        for (int c = 0; c < TY_TRUTH_BOX_COLUMNS; c++) {
            row[c] = ty_buffer_get(rows, (int)i, 0, c);
        }
        ty_truth_box2 flat;
        ty_truth_box3 solid;
        tyi_render_truth_box_get(row, &flat, &solid);
        snprintf(id[i], sizeof *id, "%u", flat.instance);
        const char *kind = kinds[(unsigned)flat.kind < sizeof kinds / sizeof *kinds ? (unsigned)flat.kind : 0];
        box[i] = (tyi_io_ros_box){ kind,
                                   id[i],
                                   { { 0.5 * (flat.x0 + flat.x1) - 0.5, 0.5 * (flat.y0 + flat.y1) - 0.5, 0 },
                                     { 1, 0, 0, 0 } },
                                   { flat.x1 - flat.x0, flat.y1 - flat.y0, 0 } };
        box[n + i] = (tyi_io_ros_box){ kind, id[i], solid.pose_S, ty_scale(2.0, solid.half) };
    }
    if (box && id) {
        tyi_io_ros_boxes(&m->message, s->stamp, s->optical, false, box, n);
        tyb_ros_send_sample(m, s, "boxes", false, TY_ROS_BOXES);
        tyi_io_ros_boxes(&m->message, s->stamp, s->optical, true, box + n, n);
        tyb_ros_send_sample(m, s, "boxes_3d", false, TY_ROS_SOLIDS);
    }
    free(box), free(id);
}

static void send_truth(tyi_ros_map *m, const sample *s, const ty_camera *camera)
{
    static const ty_sensor_map of[] = { TY_MAP_DEPTH,   TY_MAP_LABELS, TY_MAP_INSTANCES,
                                        TY_MAP_NORMALS, TY_MAP_SUNLIT, TY_MAP_FLOW };
    const ty_sensor_camera *wanted = &ty_run_sensor(m->run, s->from->index).def->as.camera;
    static const char *const maps[][2] = { { "depth", "depth/image_raw" },        { "kind", "labels/image_raw" },
                                           { "instance", "instances/image_raw" }, { "normal", "normals/image_raw" },
                                           { "sunlit", "sunlit/image_raw" },      { "flow", "flow/image_raw" } };
    const ty_buffer *boxes = ty_message_find(s->from, "boxes"), *kind = ty_message_find(s->from, "kind");
    for (size_t i = 0; i < sizeof maps / sizeof *maps && kind; i++) {
        const ty_buffer *b = ty_message_find(s->from, maps[i][0]);
        if (b && b->data && ty_sensor_has_map(wanted, of[i])) { /* vectors are in the frame that the header names */
            send_image(m, s, b, b->type.frame == 'W' ? "map" : s->optical, maps[i][1]);
        }
    }
    if (kind && ty_sensor_has_map(wanted, TY_MAP_DEPTH)) {
        send_camera_info(m, s, camera, "depth/camera_info");
    }
    if (boxes && boxes->data) {
        send_boxes(m, s, boxes);
    }
}

void tyb_ros_camera(tyi_ros_map *m, const sample *s)
{
    const ty_buffer *b = &s->from->part[0].data, *exposure = ty_message_find(s->from, "exposure");
    const ty_sensor_def *def = ty_run_sensor(m->run, s->from->index).def;
    bool camera = def->kind == TY_SENSOR_CAMERA;
    const ty_camera *c = &def->as.camera.camera;
    if (!send_image(m, s, b, camera ? s->optical : s->frame, "image_raw") || !camera) {
        return;
    }
    if (b->type.width == c->width && b->type.height == c->height) { /* filters may have cut it */
        send_camera_info(m, s, c, "camera_info");
    }
    if (exposure && exposure->data) {
        double seconds = ty_buffer_get(exposure, 0, 0, 0);
        tyi_io_ros_values(&m->message, "exposure_s", &seconds, 1);
        tyb_ros_send_sample(m, s, "exposure", false, TY_ROS_VALUES);
    }
    send_truth(m, s, c);
}
