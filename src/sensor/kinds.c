/* src/sensor/kinds.c - the table of kinds, `sensors:` in a scenario, and a user's own kind.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "kinds.h"
#include <string.h>
#include "filters.h"
#include "render/inner.h"

#define AT TYI_SENSOR_AT

static const ty_sensor_kind *const kinds[] = {
#define KIND_ROW(name, text) &tyi_sensor_##name,
    TYI_SENSOR_KIND_LIST(KIND_ROW)
#undef KIND_ROW
};
#define KINDS (sizeof kinds / sizeof kinds[0])
_Static_assert(KINDS == TY_SENSOR_TYPES, "ty_sensor_type lists the same kinds");

static const tyi_io_variant variants[] = {
#define KIND_ROW(name, text) { #name, text, &tyi_sensor_##name##_schema, tyi_sensor_##name##_init },
    TYI_SENSOR_KIND_LIST(KIND_ROW)
#undef KIND_ROW
        { 0 },
};

const tyi_io_key tyi_sensor_element = { "sensor",
                                        TYI_IO_UNION,
                                        0,
                                        .text = "a sensor",
                                        .tag = "type",
                                        .variants = variants,
                                        .tag_offset = AT(kind),
                                        .size = sizeof(ty_sensor_def) };

static const tyi_io_key pairs_element = { "settings", TYI_IO_PAIRS, 0, .text = "type and settings" };
const tyi_io_list tyi_sensor_filters = {
    .element = &pairs_element, .size = sizeof(ty_settings), .count = AT(filters), .most = 32
};
const tyi_io_list tyi_sensor_actions = {
    .element = &pairs_element, .size = sizeof(ty_settings), .count = AT(actions), .most = 32
};

void tyi_sensor_init(ty_sensor_def *sensor, int kind, double period)
{
    *sensor = (ty_sensor_def){ .kind = kind, .period = period, .files = true };
}

ty_sensor_def ty_sensor_def_default(ty_sensor_type type)
{
    ty_sensor_def sensor = { .kind = -1 };
    if ((unsigned)type < KINDS) {
        variants[type].init(&sensor);
    }
    return sensor;
}

const ty_sensor_kind *tyi_sensor_kind(int kind)
{
    return kind >= 0 && (size_t)kind < KINDS ? kinds[kind] : NULL;
}

/* ---- checks beyond single keys ---- */

static ty_status check_camera(const tyi_io_doc *doc, ty_sensor_def *s, ty_diag *diag)
{
    ty_camera_sensor_def def;
    ty_diag own = { 0 };
    const ty_setting *at = NULL;
    s->as.camera.physical = s->as.camera.settings.item != NULL;
    ty_status status = tyi_render_camera_check(&s->as.camera.camera, &own);
    if (status != TY_OK) {
        return tyi_io_doc_fail_field(doc, &s->as.camera.camera.lens, diag, status, "is wrong: %s", own.text);
    }
    const ty_sensor_camera *c = &s->as.camera;
    for (size_t i = 0; i < c->band_ends && status == TY_OK; i += 2) {
        if (i + 1 == c->band_ends || !(c->band_nm[i] < c->band_nm[i + 1])) {
            return tyi_io_doc_fail_field(
                doc, &c->band_nm[i], diag, TY_ERR_RANGE,
                "begins a band that does not end above it: bands_nm takes pairs, low and high");
        }
    }
    if (c->color && c->band_ends && c->band_ends != 6) {
        return tyi_io_doc_fail_field(doc, &c->color, diag, TY_ERR_INPUT,
                                     "takes three bands, red, green and blue, but bands_nm has %zu", c->band_ends / 2);
    }
    status = tyi_sensor_camera_detector(s, &def, &at, &own);
    return status == TY_OK ? TY_OK : tyi_io_doc_fail_field(doc, at, diag, status, "is wrong: %s", own.text);
}

ty_status tyi_sensor_check(const tyi_io_doc *doc, ty_sensor_def *s, ty_diag *diag)
{
    if (s->window > s->period) {
        return tyi_io_doc_fail_field(doc, &s->window, diag, TY_ERR_RANGE,
                                     "is %.10g s, but takes at most the period, %.10g s", s->window, s->period);
    }
    for (size_t i = 0; i < s->filters; i++) {
        ty_diag own = { 0 };
        ty_status status = tyi_sensor_filter_check(&s->filter[i], &own);
        if (status != TY_OK) {
            return tyi_io_doc_fail_field(doc, &s->filter[i], diag, status, "is wrong: %s", own.text);
        }
    }
    for (size_t i = 0; i < s->actions; i++) {
        ty_diag own = { 0 };
        ty_status status = tyi_sensor_action_check(&s->action[i], &own);
        if (status != TY_OK) {
            return tyi_io_doc_fail_field(doc, &s->action[i], diag, status, "is wrong: %s", own.text);
        }
    }
    return s->kind == TY_SENSOR_CAMERA ? check_camera(doc, s, diag) : TY_OK;
}

/* ---- a user's own ---- */

static const tyi_limit user_limits[] = { TYI_SENSOR_LIMITS, { 0 } };
static const tyi_rules user_rules = { "sensor", user_limits, NULL };
static const tyi_io_key user_keys[] = {
    TYI_SENSOR_KEYS("time over which it collects, at most a period; 0 is an instant"),
    { "kind", TYI_IO_TEXT, AT(as.user.kind),
      .text = "name under which the program brings its functions (tycho/sensor.h)", .required = true, .size = 64 },
    { "settings", TYI_IO_PAIRS, AT(as.user.settings), .text = "what they are given" },
    { 0 },
};
const tyi_io_schema tyi_sensor_user_schema = { user_keys, &user_rules, .whole = true };
const ty_sensor_kind tyi_sensor_user = { .name = "user" };

void tyi_sensor_user_init(void *sensor)
{
    tyi_sensor_init(sensor, TY_SENSOR_USER, 1.0);
}
