/* src/sensor/filters.c - filters and actions by their settings, as a scenario gives them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "filters.h"
#include "core/core.h"
#include "tycho/tools/image.h"

/* ---- save: what passes, as a picture or a table ---- */

typedef struct save {
    /* below the run's folder: PATH_00007.png; images of 8 and 16 bits as they are, others over their range */
    char path[160];
    const char *folder;
} save;

static ty_status write_png(const char *path, const ty_buffer *b, ty_diag *diag)
{
    int channels = b->type.channels == 3 ? 3 : 1, bits = b->type.element == TY_ELEMENT_U8 ? 8 : 16;
    size_t n = (size_t)b->type.width * (size_t)b->type.height * (size_t)channels;
    bool whole = b->type.element == TY_ELEMENT_U8 || b->type.element == TY_ELEMENT_U16;
    double most = 0.0;
    uint16_t *deep = tyi_get(NULL, n * sizeof *deep), *to = deep;
    if (!deep) {
        return ty_fail(diag, TY_ERR_MEMORY, "filter save: no memory for %zu pixels", n);
    }
    for (int pass = whole ? 1 : 0; pass < 2; pass++) {
        for (int y = 0; y < b->type.height; y++) {
            for (int x = 0; x < b->type.width; x++) {
                for (int c = 0; c < channels; c++) {
                    double v = ty_buffer_get(b, x, y, c);
                    if (pass == 0) {
                        most = v > most && v < 1e300 ? v : most;
                    } else {
                        double scaled = whole ? v : most > 0.0 ? 65535.0 * v / most : 0.0;
                        *to++ = (uint16_t)(scaled > 0.0 ? scaled < 65535.0 ? scaled + 0.5 : 65535.0 : 0.0);
                    }
                }
            }
        }
    }
    uint8_t *flat = (uint8_t *)deep;
    for (size_t i = 0; bits == 8 && i < n; i++) {
        flat[i] = (uint8_t)deep[i];
    }
    ty_status status = ty_png_write(path, b->type.width, b->type.height, channels, bits, deep, diag);
    tyi_put(NULL, deep, n * sizeof *deep);
    return status;
}

static ty_status run_save(void *user, const ty_filter_call *call, ty_diag *diag)
{
    const save *s = user;
    ty_buffer_copy(call->out, call->in);
    char path[4400];
    snprintf(path, sizeof path, "%s/%s_%05llu.png", s->folder, s->path, (unsigned long long)call->frame);
    return write_png(path, call->out, diag);
}

static void destroy_save(void *user)
{
    tyi_put(NULL, user, sizeof(save));
}

ty_status tyi_sensor_filter_save(const ty_settings *settings, const char *folder, ty_filter *out, ty_diag *diag)
{
    const char *path = ty_settings_get(settings, "path");
    for (size_t i = 0; i < settings->count; i++) {
        if (strcmp(settings->item[i].key, "type") != 0 && strcmp(settings->item[i].key, "path") != 0) {
            return ty_fail(diag, TY_ERR_INPUT, "filter save: there is no setting '%s'; it takes path",
                           settings->item[i].key);
        }
    }
    if (!path || !path[0] || path[0] == '/' || strstr(path, "..")) {
        return ty_fail(diag, TY_ERR_INPUT, "filter save: path is '%s', but takes a name below the run's folder",
                       path ? path : "");
    }
    save *s = tyi_get(NULL, sizeof *s);
    if (!s) {
        return ty_fail(diag, TY_ERR_MEMORY, "filter save: no memory");
    }
    snprintf(s->path, sizeof s->path, "%s", path);
    s->folder = folder ? folder : ".";
    *out = (ty_filter){ .name = "save",
                        .in_place = true,
                        .units = ~(TY_BIT(TY_UNIT_LABEL)),
                        .run = run_save,
                        .destroy = destroy_save,
                        .user = s };
    return TY_OK;
}

/* ---- by type ---- */

ty_status tyi_sensor_filter_check(const ty_settings *settings, ty_diag *diag)
{
    ty_filter filter;
    const char *type = ty_settings_get(settings, "type");
    ty_status status;
    if (type && !strcmp(type, "user")) {
        return ty_settings_get(settings, "name")
                   ? TY_OK
                   : ty_fail(diag, TY_ERR_INPUT, "filter user: the setting name is needed");
    }
    status = type && !strcmp(type, "save") ? tyi_sensor_filter_save(settings, NULL, &filter, diag)
                                           : ty_filter_make(settings, 0, &filter, diag);
    if (status == TY_OK && filter.destroy) {
        filter.destroy(filter.user);
    }
    return status;
}
