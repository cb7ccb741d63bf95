/* src/sensor/kind_camera.c - cameras of a run: any lens, motion blur, the physical chain, ground truth.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "core/core.h"
#include "k_spectrum.h"
#include "kinds.h"
#include "lens_dust.h"
#include "render/truth.h"
#include "tycho/camera.h"
#include "tycho/trace.h"
#include "inner.h"
#include "render/inner.h"
#include "sensor/camera/inner.h"
#include "sensor/filter/inner.h"

/* ---- keys ---- */

#define AT(field) TYI_SENSOR_AT(as.camera.field)
static const tyi_limit limits[] = {
    TYI_SENSOR_LIMITS,
    { "width", "px", AT(camera.width), TYI_INT, 1.0, 8192.0 },
    { "height", "px", AT(camera.height), TYI_INT, 1.0, 8192.0 },
    { "hfov", "rad", AT(camera.hfov), TYI_DOUBLE, 0.01 * TY_DEG, 360.0 * TY_DEG },
    { "k1", "", AT(camera.k1), TYI_DOUBLE, -10.0, 10.0 },
    { "k2", "", AT(camera.k2), TYI_DOUBLE, -10.0, 10.0 },
    { "k3", "", AT(camera.k3), TYI_DOUBLE, -10.0, 10.0 },
    { "p1", "", AT(camera.p1), TYI_DOUBLE, -10.0, 10.0 },
    { "p2", "", AT(camera.p2), TYI_DOUBLE, -10.0, 10.0 },
    { "linearity", "", AT(camera.linearity), TYI_DOUBLE, -10.0, 10.0 },
    { "rolling", "", AT(camera.rolling), TYI_DOUBLE, 0.0, 0.999 },
    { "samples", "", AT(samples), TYI_INT, 1.0, 4096.0 },
    { "white", "W/m^2/sr", AT(white), TYI_DOUBLE, 0.0, 1e12 },
    { "depth", "", AT(depth), TYI_INT, 1.0, 64.0 },
    { 0 },
};
static const tyi_rules rules = { "camera", limits, NULL };

static const tyi_limit axis_limits[] = { { "component", "", 0, TYI_DOUBLE, -1e6, 1e6 }, { 0 } };
static const tyi_rules axis_rules = { "vector", axis_limits, NULL };
static const tyi_io_key axis_element = { "component", TYI_IO_NUMBER, 0, .text = "a number" };
static const tyi_io_list vector = {
    .element = &axis_element, .rules = &axis_rules, .size = sizeof(double), .least = 3, .most = 3, .in_place = true
};
#define VECTOR(name, what)                                                 \
    {                                                                      \
#name, TYI_IO_LIST, AT(camera.name), .text = what, .list = &vector \
    }

static const tyi_limit band_limits[] = { { "wavelength", "nm", 0, TYI_DOUBLE, 100.0, 20000.0 }, { 0 } };
static const tyi_rules band_rules = { "band", band_limits, NULL };
static const tyi_io_key band_element = { "wavelength", TYI_IO_NUMBER, 0, .text = "a wavelength", .unit = "nm" };
static const tyi_io_list band_list = {
    .element = &band_element, .rules = &band_rules, .size = sizeof(double), .most = 2 * TY_BANDS, .count = AT(band_ends)
};

static const char *const maps[] = {
    "depth", "range", "normals", "sunlit", "labels", "instances", "flow", "boxes", NULL
};
static const tyi_io_key map_element = { "map", TYI_IO_CHOICE, 0, .text = "a map", .choices = maps };
static const tyi_io_list map_list = {
    .element = &map_element, .size = sizeof(int), .most = TY_MAPS, .count = AT(maps)
};

static const char *const overlays[] = { "boxes",     "boxes3", "labels", "frames", "trail",
                                        "waypoints", "lidar",  "text",   NULL };
static const tyi_io_key overlay_element = { "overlay", TYI_IO_CHOICE, 0, .text = "what is drawn", .choices = overlays };
static const tyi_io_list overlay_list = {
    .element = &overlay_element, .size = sizeof(int), .most = TY_OVERS, .count = AT(overlays)
};

static const char *const lenses[] = { "pinhole", "fisheye", "spherical", "fov", "brown",
                                      "cahv",    "cahvor",  "cahvore",   NULL };
static const tyi_io_key keys[] = {
    TYI_SENSOR_KEYS(
        "exposure: how long the shutter is open; motion over it blurs. With `physical` and 0 the chain's own exposure"),
    { "width", TYI_IO_INTEGER, AT(camera.width), .text = "pixels in a row" },
    { "height", TYI_IO_INTEGER, AT(camera.height), .text = "rows" },
    { "lens", TYI_IO_CHOICE, AT(camera.lens), .text = "how directions fall on the image", .choices = lenses },
    { "hfov_deg", TYI_IO_NUMBER, AT(camera.hfov), .text = "horizontal field of view, not for the CAHV family",
      .unit = "deg", .scale = TY_DEG },
    { "k1", TYI_IO_NUMBER, AT(camera.k1), .text = "radial distortion of lens `brown`" },
    { "k2", TYI_IO_NUMBER, AT(camera.k2), .text = "likewise, fourth order" },
    { "k3", TYI_IO_NUMBER, AT(camera.k3), .text = "likewise, sixth order" },
    { "p1", TYI_IO_NUMBER, AT(camera.p1), .text = "tangential distortion of lens `brown`" },
    { "p2", TYI_IO_NUMBER, AT(camera.p2), .text = "likewise" },
    VECTOR(c, "CAHV family: place of the lens [m], axes x right, y down, z forward as of the optical frame"),
    VECTOR(a, "its axis"),
    VECTOR(h, "horizontal vector [px]"),
    VECTOR(v, "vertical vector [px]"),
    VECTOR(o, "CAHVOR, CAHVORE: optical axis"),
    VECTOR(r, "radial distortion"),
    VECTOR(e, "CAHVORE: moving entrance pupil"),
    { "linearity", TYI_IO_NUMBER, AT(camera.linearity), .text = "CAHVORE: 1 perspective, 0 fisheye" },
    { "rolling", TYI_IO_NUMBER, AT(camera.rolling),
      .text = "share of the exposure by which the last row opens after the first" },
    { "samples", TYI_IO_INTEGER, AT(samples), .text = "rays per pixel" },
    { "depth", TYI_IO_INTEGER, AT(depth),
      .text = "surfaces that a path of light may visit; 1 is light straight from the Sun, Earth and lamps" },
    { "bands_nm", TYI_IO_LIST, AT(band_nm),
      .text =
          "bands of light, low and high of each: [600, 700, 500, 600, 400, 500] are red, green and blue, 8 bands at "
          "most; none: one band with all of the Sun's light",
      .list = &band_list },
    { "color", TYI_IO_BOOLEAN, AT(color),
      .text = "red, green and blue, 600 to 700, 500 to 600 and 400 to 500 nm; with `physical` by a Bayer pattern" },
    { "white", TYI_IO_NUMBER, AT(white),
      .text = "radiance that is white in its 8-bit pictures; 0: one tone curve for all cameras of the run, by the lit "
              "ground at its start",
      .unit = "W/m^2/sr" },
    { "truth", TYI_IO_BOOLEAN, AT(truth), .text = "whether depth, normals, shadow and labels come with each frame" },
    { "boxes", TYI_IO_BOOLEAN, AT(boxes),
      .text =
          "whether boxes of rocks, rovers and objects, in the image and in space, come with each frame; needs `truth`" },
    { "flow", TYI_IO_BOOLEAN, AT(flow),
      .text =
          "whether optical flow comes with each frame: how far what a pixel shows has moved since the frame before, to "
          "the right and down; needs `truth`" },
    { "maps", TYI_IO_LIST, AT(map),
      .text =
          "ground truth of each frame, as files and as messages, just what is named: depth, range, normals, sunlit, labels, "
          "instances, flow, boxes; none: as `truth`, `boxes` and `flow` say",
      .list = &map_list },
    { "overlay", TYI_IO_LIST, AT(overlay),
      .text =
          "what is drawn over a copy of each picture, NAME_TIME_overlay.png, and over a second video: boxes, boxes3, labels "
          "(these need the map `boxes`), frames, trail, waypoints, lidar, text",
      .list = &overlay_list },
    { "caption", TYI_IO_TEXT, AT(caption), .text = "a text in the corner of those copies", .size = 120 },
    { "physical", TYI_IO_PAIRS, AT(settings),
      .text =
          "the image as a detector gives it: settings of include/tycho/camera.h by name, {f_number: 8, shot: on}; an "
          "empty mapping takes its defaults" },
    { 0 },
};
const tyi_io_schema tyi_sensor_camera_schema = { keys, &rules, .whole = true };

void tyi_sensor_camera_init(void *sensor)
{
    ty_sensor_def *s = sensor;
    tyi_sensor_init(s, TY_SENSOR_CAMERA, 10.0);
    s->as.camera.camera = ty_camera_default();
    s->as.camera.camera.hfov = 70.0 * TY_DEG;
    s->as.camera.samples = 16;
    s->as.camera.depth = 1;
}

/* ---- the sensor ---- */

#define BOXES 512 /* things of a frame whose boxes are told: those that fill the most pixels */

/* How things stood in the frame before. */
typedef struct before {
    uint64_t frames; /* so far */
    ty_pose eye;
    uint64_t objects;
    ty_pose pose[TYI_RENDER_POSES];
} before;

typedef struct camera {
    ty_camera camera;
    ty_render_def render;
    ty_camera_sensor *detector;   /* NULL: the image is radiance */
    tyi_camera_device *on_device; /* its stages, where the light is; NULL: not yet, or the host's */
    ty_pipeline *pipeline;
    uint64_t seed;
    int parts;
    int bands; /* 0: one with all of the Sun's light */
    ty_band band[TY_BANDS];
    float *planes; /* of the bands, as the renderer makes them */
    bool no_room;  /* on the device for its stages */
    size_t bytes;
    int exposure; /* the part that says how long it was exposed; 0: none */
    int box_part; /* the part of the boxes; 0: none */
    struct {
        ty_truth_box2 flat[BOXES];
        ty_truth_box3 solid[BOXES];
        tyi_render_things all;
    } * box;
    int flow_part; /* the part of optical flow; 0: none */
    before *before;
    ty_truth_moved *moved;
} camera;

static bool wants_color(const ty_sensor_camera *c)
{
    bool wants = c->color;
    for (size_t i = 0; i < c->settings.count; i++) {
        wants = wants || (!strcmp(c->settings.item[i].key, "colors") && !strcmp(c->settings.item[i].value, "3"));
    }
    return wants;
}

int tyi_sensor_bands(const ty_sensor_def *sensor, ty_band out[TY_BANDS])
{
    static const ty_band rgb[3] = { { 600e-9, 700e-9 }, { 500e-9, 600e-9 }, { 400e-9, 500e-9 } };
    const ty_sensor_camera *c = &sensor->as.camera;
    size_t n = c->band_ends / 2 < TY_BANDS ? c->band_ends / 2 : TY_BANDS;
    for (size_t b = 0; b < n; b++) {
        out[b] = (ty_band){ 1e-9 * c->band_nm[2 * b], 1e-9 * c->band_nm[2 * b + 1] };
    }
    if (!n && wants_color(c)) {
        memcpy(out, rgb, sizeof rgb);
        n = 3;
    }
    return (int)n;
}

ty_status tyi_sensor_tone(const ty_sensor_def *sensor, ty_unit unit, const ty_tone *run, ty_tone out[TY_BANDS],
                          ty_diag *diag)
{
    ty_camera_sensor_def def = { 0 };
    ty_band band[TY_BANDS];
    int bands = tyi_sensor_bands(sensor, band);
    ty_status status = unit == TY_UNIT_DN ? tyi_sensor_detector(sensor, &def, diag) : TY_OK;
    for (int b = 0; b < TY_BANDS && status == TY_OK; b++) {
        double share = b < bands ? ty_k_sun_share(band[b].low, band[b].high) : 1.0, white = sensor->as.camera.white;
        if (unit == TY_UNIT_DN) {
            out[b] = (ty_tone){ def.curve == TY_CAMERA_SIGMOID ? 0.0 : def.b, exp2(def.bits) - 1.0, 2.2, 0.0 };
        } else if (white > 0.0) {
            out[b] = (ty_tone){ 0.0, share * white, 2.2, 0.0 };
        } else {
            out[b] = (ty_tone){ share * run->black, share * run->white, run->gamma, share * run->knee };
        }
    }
    return status;
}

/* what the image is, and what ground truth there may be beside it */
enum { IMAGE, DEPTH, RANGE, NORMAL, ALBEDO, SUNLIT, INSTANCE, KIND, PARTS };
static const struct {
    const char *name;
    ty_element element;
    ty_unit unit;
    int channels;
} parts[PARTS] = {
    [IMAGE] = { "image", TY_ELEMENT_F32, TY_UNIT_RADIANCE, 1 },
    [DEPTH] = { "depth", TY_ELEMENT_F64, TY_UNIT_METRE, 1 },
    [RANGE] = { "range", TY_ELEMENT_F64, TY_UNIT_METRE, 1 },
    [NORMAL] = { "normal", TY_ELEMENT_F32, TY_UNIT_NONE, 3 },
    [ALBEDO] = { "albedo", TY_ELEMENT_F32, TY_UNIT_NONE, 1 },
    [SUNLIT] = { "sunlit", TY_ELEMENT_F32, TY_UNIT_NONE, 1 },
    [INSTANCE] = { "instance", TY_ELEMENT_U32, TY_UNIT_LABEL, 1 },
    [KIND] = { "kind", TY_ELEMENT_U8, TY_UNIT_LABEL, 1 },
};
static const ty_message_schema schema = { "camera", NULL };

/* Focal length and pitch agree with the field of view; the exposure is the window. */
ty_status tyi_sensor_camera_detector(const ty_sensor_def *sensor, ty_camera_sensor_def *def, const ty_setting **at,
                                     ty_diag *diag)
{
    const ty_sensor_camera *c = &sensor->as.camera;
    *def = ty_camera_sensor_def_default();
    ty_band band[TY_BANDS];
    double low[TY_BANDS], high[TY_BANDS];
    int bands = tyi_sensor_bands(sensor, band);
    for (int b = 0; b < bands; b++) {
        low[b] = band[b].low, high[b] = band[b].high;
    }
    def->colors = wants_color(c) ? 3 : 1;
    if (bands && ty_camera_sensor_def_bands(def, low, high, bands, diag) != TY_OK) {
        *at = NULL;
        return TY_ERR_RANGE;
    }
    if (bands && def->colors == 3) {
        tyi_camera_sensor_def_white(def, low, high);
    }
    def->width = c->camera.width;
    def->height = c->camera.height;
    if (c->camera.lens < TY_LENS_CAHV) {
        def->focal = 0.5 * c->camera.width * def->pixel / tan(0.5 * fmin(c->camera.hfov, 2.5));
    }
    ty_status status = TY_OK;
    for (size_t i = 0; i < c->settings.count && status == TY_OK; i++) {
        *at = &c->settings.item[i];
        status = ty_camera_sensor_def_set(def, (*at)->key, (*at)->value, diag);
    }
    if (sensor->window > 0.0) {
        def->exposure = sensor->window;
    }
    return status;
}

ty_status tyi_sensor_detector(const ty_sensor_def *sensor, ty_camera_sensor_def *out, ty_diag *diag)
{
    const ty_setting *at = NULL;
    return tyi_sensor_camera_detector(sensor, out, &at, diag);
}

static ty_status create_detector(ty_sensor_make *make, camera *c, ty_diag *diag)
{
    ty_camera_sensor_def def;
    ty_status status = tyi_sensor_detector(make->def, &def, diag);
    def.seed = make->seed;
    def.camera = make->number;
    make->window = make->def->window > 0.0 ? make->def->window : fmin(def.exposure, make->def->period);
    if (status == TY_OK) {
        status = ty_camera_sensor_create(&def, &c->detector, diag);
    }
    if (status == TY_OK) {
        status = ty_camera_sensor_build(c->detector, make->pipeline, diag);
    }
    make->depth_part = def.on[TY_CAMERA_DEFOCUS] ? 1 : 0;
    return status;
}

static ty_status check_overlay(const ty_sensor_camera *d, ty_diag *diag)
{
    for (int what = TY_OVER_BOXES; what <= TY_OVER_LABELS; what++) {
        if (ty_sensor_has_overlay(d, (ty_sensor_overlay)what) && !ty_sensor_has_map(d, TY_MAP_BOXES)) {
            return ty_fail(diag, TY_ERR_INPUT,
                           "overlay: %s needs boxes to draw; `truth: true, boxes: true` or `maps: [boxes]` makes them",
                           overlays[what]);
        }
    }
    return TY_OK;
}

static ty_status create(ty_sensor_make *make, void *user, void **state, ty_diag *diag)
{
    (void)user;
    const ty_sensor_camera *d = &make->def->as.camera;
    if (check_overlay(d, diag) != TY_OK) {
        *state = NULL;
        return diag ? diag->status : TY_ERR_INPUT;
    }
    camera *c = tyi_get(NULL, sizeof *c);
    *state = c;
    if (!c) {
        return ty_fail(diag, TY_ERR_MEMORY, "no memory for a camera");
    }
    c->camera = d->camera;
    c->render = ty_render_def_default();
    c->render.samples = d->samples;
    c->render.depth = d->depth;
    c->seed = make->seed * 1000003u + make->number;
    c->pipeline = make->pipeline;
    c->bands = tyi_sensor_bands(make->def, c->band);
    if (c->bands > 1) {
        c->bytes = (size_t)c->bands * (size_t)d->camera.width * (size_t)d->camera.height * sizeof(float);
        c->planes = tyi_get(NULL, c->bytes);
        if (!c->planes) {
            return ty_fail(diag, TY_ERR_MEMORY, "no memory for a camera of %d bands", c->bands);
        }
    }
    ty_status status = d->physical ? create_detector(make, c, diag) : TY_OK;
    make->schema = &schema;
    bool truth = d->truth || d->maps;
    make->parts = truth ? PARTS : make->depth_part ? DEPTH + 1 : IMAGE + 1;
    c->parts = make->parts;
    for (int i = 0; i < make->parts; i++) {
        make->part[i].name = parts[i].name;
        make->part[i].data.type = (ty_buffer_type){ d->camera.width,  d->camera.height, parts[i].channels,
                                                    parts[i].element, parts[i].unit,    i == NORMAL ? 'W' : 'S' };
    }
    make->part[IMAGE].data.type.channels = c->bands ? c->bands : 1;
    if (ty_sensor_has_map(d, TY_MAP_BOXES) && status == TY_OK) {
        c->box = tyi_get(NULL, sizeof *c->box);
        if (!c->box) {
            return ty_fail(diag, TY_ERR_MEMORY, "no memory for a camera's boxes");
        }
        c->box_part = make->parts++;
        make->part[c->box_part].name = "boxes"; /* rows as tyi_render_truth_box_put() has them */
        make->part[c->box_part].data.type =
            (ty_buffer_type){ BOXES, 1, TY_TRUTH_BOX_COLUMNS, TY_ELEMENT_F64, TY_UNIT_NONE, 0 };
    }
    if (ty_sensor_has_map(d, TY_MAP_FLOW) && status == TY_OK) {
        c->before = tyi_get(NULL, sizeof *c->before);
        c->moved = tyi_get(NULL, TYI_RENDER_POSES * sizeof *c->moved);
        if (!c->before || !c->moved) {
            return ty_fail(diag, TY_ERR_MEMORY, "no memory for a camera's optical flow");
        }
        c->flow_part = make->parts++;
        make->part[c->flow_part].name = "flow"; /* [px] right, down; NaN: not known */
        make->part[c->flow_part].data.type =
            (ty_buffer_type){ d->camera.width, d->camera.height, 2, TY_ELEMENT_F32, TY_UNIT_NONE, 'S' };
    }
    if (c->detector) {
        c->exposure = make->parts++;
        make->part[c->exposure].name = "exposure"; /* [s] of this frame */
        make->part[c->exposure].data.type = (ty_buffer_type){ 1, 1, 1, TY_ELEMENT_F64, TY_UNIT_NONE, 0 };
    }
    return status;
}

/* bands one after the other into pixels one after the other */
static void interleave(const camera *c, float *out)
{
    size_t n = (size_t)c->camera.width * (size_t)c->camera.height, bands = (size_t)c->bands;
    for (size_t b = 0; b < bands; b++) {
        for (size_t i = 0; i < n; i++) {
            out[i * bands + b] = c->planes[b * n + i];
        }
    }
}

/* a row of numbers for each thing in view */
static ty_status fill_boxes(camera *c, const ty_scene *scene, const ty_camera *view, const ty_render_buffers *out,
                            ty_buffer *to, ty_diag *diag)
{
    size_t n = tyi_render_truth_largest(&c->box->all, view->width, view->height, out->instance, out->kind, c->box->flat,
                                        BOXES);
    ty_status status = ty_truth_boxes_3d(scene, view, c->box->flat, n, c->box->solid, diag);
    to->type.width = (int)n;
    for (size_t i = 0; i < n && status == TY_OK && to->data; i++) {
        double row[TY_TRUTH_BOX_COLUMNS];
        tyi_render_truth_box_put(&c->box->flat[i], &c->box->solid[i], row);
        for (int k = 0; k < TY_TRUTH_BOX_COLUMNS; k++) {
            ty_buffer_set(to, (int)i, 0, k, row[k]);
        }
    }
    return status;
}

/* Where what each pixel shows was in the frame before, turned round: how far it has moved since. */
static void fill_flow(camera *c, const ty_scene *scene, const ty_camera *view, const ty_render_buffers *out,
                      float *flow)
{
    before *b = c->before;
    ty_pose now[TYI_RENDER_POSES];
    size_t objects = tyi_render_poses(scene, now), moves = 0, n = 2 * (size_t)view->width * (size_t)view->height;
    for (size_t i = 0; i < objects && i < b->objects; i++) {
        if (memcmp(&now[i], &b->pose[i], sizeof now[i]) != 0) {
            c->moved[moves++] = (ty_truth_moved){ (uint32_t)i + 1, now[i], b->pose[i] };
        }
    }
    ty_camera then = *view;
    then.pose = b->eye, then.moving = false;
    if (b->frames && flow) {
        ty_truth_flow(view, &then, c->moved, moves, out->range, out->instance, flow);
    }
    for (size_t i = 0; i < n && flow; i++) {
        flow[i] = b->frames ? -flow[i] : NAN;
    }
    b->frames++;
    b->eye = view->pose, b->objects = objects;
    memcpy(b->pose, now, objects * sizeof *now);
}

static ty_status dusty(const camera *c, const ty_camera *view, const ty_sensor_shot *shot, float *radiance,
                       ty_diag *diag)
{
    const ty_camera_sensor_def *d = c->detector ? ty_camera_sensor_get_def(c->detector) : NULL;
    tyi_sensor_lens lens = { .view = view,
                             .shot = shot,
                             .aperture = d ? d->focal / d->f_number : shot->grains.aperture,
                             .bands = c->bands > 1 ? c->bands : 1,
                             .seed = (uint32_t)(c->seed ^ c->seed >> 32) };
    for (int b = 0; b < lens.bands; b++) {
        lens.sun[b] = shot->sky.irradiance * (c->bands ? ty_k_sun_share(c->band[b].low, c->band[b].high) : 1.0);
    }
    return tyi_sensor_lens_dust(&lens, radiance, diag);
}

/* The stages on the device that holds the light, as far as they can be there; the pipeline goes on behind them. */
static ty_status detect(camera *c, ty_scene *scene, uint64_t frame, ty_device_buffer *light, int last, unsigned on,
                        const ty_buffer *depth, ty_diag *diag)
{
    ty_device *device = tyi_render_scene_device(scene);
    ty_status status = TY_OK;
    if (c->on_device && tyi_camera_device_of(c->on_device) != device) {
        tyi_camera_device_destroy(c->on_device);
        c->on_device = NULL;
    }
    if (!c->on_device) {
        status = tyi_camera_device_create(c->detector, device, &c->on_device, diag);
    }
    if (status == TY_OK) {
        status =
            tyi_camera_device_run(c->on_device, on, frame, light, depth, tyi_pipeline_done(c->pipeline, last), diag);
    }
    return status;
}

static ty_status collect(void *state, const ty_sensor_shot *shot, ty_message_part *part, ty_diag *diag)
{
    camera *c = state;
    /* a mount looks along its x with z up; a camera along its z with y down */
    ty_camera view = c->camera;
    view.pose = ty_pose_mul(shot->key[0].pose, ty_pose_optical());
    view.moving = shot->keys > 1;
    view.pose_end = ty_pose_mul(shot->key[shot->keys - 1].pose, ty_pose_optical());
    ty_render_def render = c->render;
    render.seed = tyi_hash(&shot->frame, sizeof shot->frame, TYI_HASH_START ^ c->seed);
    render.threads = shot->threads;
    float *image = (float *)(void *)part[IMAGE].data.data;
    ty_render_buffers out = { .radiance = c->planes ? c->planes : image };
    if (c->parts > DEPTH) {
        out.depth = (double *)(void *)part[DEPTH].data.data;
    }
    if (c->parts > KIND) {
        out.range = (double *)(void *)part[RANGE].data.data;
        out.normal = (float *)(void *)part[NORMAL].data.data;
        out.albedo = (float *)(void *)part[ALBEDO].data.data;
        out.sunlit = (float *)(void *)part[SUNLIT].data.data;
        out.instance = (uint32_t *)(void *)part[INSTANCE].data.data;
        out.kind = (uint8_t *)part[KIND].data.data;
    }
    ty_status status = c->bands ? ty_scene_set_bands(shot->scene, c->band, c->bands, diag) : TY_OK;
    unsigned on = 0;
    int last = c->detector && tyi_render_scene_device(shot->scene) && !(shot->dust_lens > 0.0) && !c->no_room
                   ? tyi_camera_device_plan(c->detector, c->pipeline, 1, &on)
                   : -1;
    ty_device_buffer *light = NULL;
    if (status == TY_OK) {
        status = last > 0 ? tyi_render_keep(shot->scene, &view, &render, &out, &light, diag)
                          : ty_render(shot->scene, &view, &render, &out, diag);
    }
    if (status == TY_OK && light) {
        status =
            detect(c, shot->scene, shot->frame, light, last, on, c->parts > DEPTH ? &part[DEPTH].data : NULL, diag);
        c->no_room = status == TY_ERR_MEMORY; /* for light there is: its stages are the host's from now on */
        if (status == TY_ERR_DEVICE) {
            status = tyi_render_gpu_failed(shot->scene, status, diag);
        } else if (c->no_room) {
            status = TY_OK;
        }
        if (status == TY_OK && (c->no_room || !tyi_render_scene_device(shot->scene))) {
            tyi_pipeline_done(c->pipeline, 0); /* the host does all of it anew */
            status = ty_render(shot->scene, &view, &render, &out, diag);
            light = NULL;
        }
    }
    if (c->bands) {
        ty_scene_set_bands(shot->scene, NULL, 0, NULL); /* others have their own */
    }
    if (status == TY_OK && shot->dust_lens > 0.0) {
        status = dusty(c, &view, shot, out.radiance, diag);
    }
    if (status == TY_OK && c->planes && !light) {
        interleave(c, image);
    }
    if (status == TY_OK && c->parts > KIND) {
        tyi_render_truth_ruts(shot->scene, &view, out.range, out.kind);
    }
    if (status == TY_OK && c->box_part) {
        status = fill_boxes(c, shot->scene, &view, &out, &part[c->box_part].data, diag);
    }
    if (status == TY_OK && c->flow_part) {
        fill_flow(c, shot->scene, &view, &out, (float *)(void *)part[c->flow_part].data.data);
    }
    if (status == TY_OK && c->exposure && part[c->exposure].data.data) {
        ty_buffer_set(&part[c->exposure].data, 0, 0, 0, ty_camera_sensor_get_def(c->detector)->exposure);
    }
    return status;
}

/* a camera remembers automatic exposure, and for optical flow the frame before */
static size_t save(const void *state, void *out)
{
    const camera *c = state;
    size_t exposed = c->detector ? sizeof(double) : 0, seen = c->before ? sizeof *c->before : 0;
    if (out && c->detector) {
        double exposure = ty_camera_sensor_get_def(c->detector)->exposure;
        memcpy(out, &exposure, sizeof exposure);
    }
    if (out && c->before) {
        memcpy((char *)out + exposed, c->before, seen);
    }
    return exposed + seen;
}

static ty_status restore(void *state, const void *saved, size_t bytes, ty_diag *diag)
{
    camera *c = state;
    if (bytes != save(c, NULL)) {
        return ty_fail(diag, TY_ERR_FORMAT, "camera: %zu bytes saved, but it needs %zu", bytes, save(c, NULL));
    }
    double exposure;
    if (c->before) {
        memcpy(c->before, (const char *)saved + bytes - sizeof *c->before, sizeof *c->before);
    }
    if (!c->detector) {
        return TY_OK;
    }
    memcpy(&exposure, saved, sizeof exposure);
    return ty_camera_sensor_set_exposure(c->detector, exposure, diag);
}

static void destroy(void *state)
{
    camera *c = state;
    if (c) {
        tyi_camera_device_destroy(c->on_device);
        ty_camera_sensor_destroy(c->detector);
        tyi_put(NULL, c->planes, c->bytes);
        tyi_put(NULL, c->box, c->box ? sizeof *c->box : 0);
        tyi_put(NULL, c->before, c->before ? sizeof *c->before : 0);
        tyi_put(NULL, c->moved, c->moved ? TYI_RENDER_POSES * sizeof *c->moved : 0);
    }
    tyi_put(NULL, c, sizeof *c);
}

const ty_sensor_kind tyi_sensor_camera = { .name = "camera",
                                           .scene = true,
                                           .keys = 2,
                                           .create = create,
                                           .collect = collect,
                                           .save = save,
                                           .restore = restore,
                                           .destroy = destroy };
