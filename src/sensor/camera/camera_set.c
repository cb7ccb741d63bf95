/* src/sensor/camera/camera_set.c - settings of a camera by name.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>
#include "camera.h"
#include "core/core.h"
#include "core/rules.h"
#include "inner.h"

static const char *const curves[] = { "gamma", "sigmoid", "linear" };
static const char *const methods[] = { "malvar", "bilinear" };
static const char *const autos[] = { "percentile", "mean" };

static int find(const char *const *names, int count, const char *text)
{
    for (int i = 0; i < count; i++) {
        if (!strcmp(names[i], text)) {
            return i;
        }
    }
    return -1;
}

static ty_status set_word(ty_camera_sensor_def *def, const char *key, const char *value, ty_diag *diag)
{
    bool curve = !strcmp(key, "curve"), by = !strcmp(key, "auto_by");
    int i = curve ? find(curves, 3, value) : find(by ? autos : methods, 2, value);
    if (i < 0) {
        return ty_fail(diag, TY_ERR_INPUT, "camera: %s is '%s', but takes %s", key, value,
                       curve ? "gamma, sigmoid or linear"
                       : by  ? "percentile or mean"
                             : "malvar or bilinear");
    }
    if (curve) {
        def->curve = (ty_camera_curve)i;
    } else if (by) {
        def->auto_by = (ty_camera_auto)i;
    } else {
        def->demosaic = (ty_camera_demosaic)i;
    }
    return TY_OK;
}

static ty_status set_number(ty_camera_sensor_def *def, const tyi_limit *l, const char *value, ty_diag *diag)
{
    char *end;
    double number = tyi_number(value, &end);
    bool whole = l->type != TYI_INT || number == floor(number);
    if (end == value || *end || !whole || !tyi_limit_ok(l, number)) {
        return ty_fail(diag, TY_ERR_RANGE, "camera: %s is '%s', but takes %s%.10g to %.10g%s%s", l->field, value,
                       l->type == TYI_INT ? "a whole number from " : "", l->low, l->high, l->unit[0] ? " " : "",
                       l->unit);
    }
    if (l->type == TYI_INT) {
        *(int *)(void *)((char *)def + l->offset) = (int)number;
    } else {
        *(double *)(void *)((char *)def + l->offset) = number;
    }
    def->given = def->given || !strcmp(l->field, "a") || !strcmp(l->field, "b");
    if (!def->given && (!strcmp(l->field, "bits") || !strcmp(l->field, "full_well") || !strcmp(l->field, "iso"))) {
        tyi_camera_sensor_def_fit(def);
    }
    return TY_OK;
}

ty_status ty_camera_sensor_def_set(ty_camera_sensor_def *def, const char *key, const char *value, ty_diag *diag)
{
    ty_camera_stage stage;
    bool on = !strcmp(value, "on");
    if (!strcmp(key, "auto_by")) {
        return set_word(def, key, value, diag);
    }
    if (!strcmp(key, "curve") || !strcmp(key, "demosaic")) {
        if (on || !strcmp(value, "off")) { /* demosaic is also a stage */
            def->on[TY_CAMERA_DEMOSAIC] = on;
            return TY_OK;
        }
        return set_word(def, key, value, diag);
    }
    for (const tyi_limit *l = tyi_camera_rules.limits; l->field; l++) {
        /* glare, flare, dark and read name a stage and a number: "on" and "off" tell them apart */
        if (!strcmp(l->field, key) && !on && strcmp(value, "off")) {
            return set_number(def, l, value, diag);
        }
    }
    if (!tyi_camera_stage_find(key, &stage)) {
        return ty_fail(diag, TY_ERR_INPUT, "camera: there is no setting '%s'; include/tycho/camera.h lists them", key);
    }
    if (!on && strcmp(value, "off")) {
        return ty_fail(diag, TY_ERR_INPUT, "camera: %s is '%s', but takes on or off", key, value);
    }
    def->on[stage] = on;
    return TY_OK;
}
