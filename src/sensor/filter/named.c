/* src/sensor/filter/named.c - filters by name and settings, as a scenario gives them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "named.h"
#include "core/core.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IMAGE  .units = TYI_FILTER_IMAGE_UNITS
#define NEEDED NAN

static const tyi_filter_named_row rows[] = {
    { "gray", { { 0 } }, { IMAGE, .link = tyi_filter_link_gray, .run = tyi_filter_run_gray } },
    { "blur",
      { { "sigma", 1.0, 0.1, 50.0, false } },
      { IMAGE, .link = tyi_filter_link_blur, .run = tyi_filter_run_blur } },
    { "brightness",
      { { "factor", 1.0, 0.0, 1e6, false }, { "add", 0.0, -1e9, 1e9, false } },
      { IMAGE, .in_place = true, .run = tyi_filter_run_brightness } },
    { "contrast",
      { { "factor", NEEDED, 0.0, 1e6, false }, { "middle", 0.5, 0.0, 1e9, false } },
      { IMAGE, .in_place = true, .run = tyi_filter_run_contrast } },
    { "negative", { { "white", 1.0, 0.0, 1e9, false } }, { IMAGE, .in_place = true, .run = tyi_filter_run_negative } },
    { "vignette", { { "corner", 0.3, 0.0, 1.0, false } }, { IMAGE, .in_place = true, .run = tyi_filter_run_vignette } },
    { "resize",
      { { "width", NEEDED, 1.0, 32768.0, true }, { "height", NEEDED, 1.0, 32768.0, true } },
      { IMAGE, .link = tyi_filter_link_resize, .run = tyi_filter_run_resize } },
    { "crop",
      { { "x", 0.0, 0.0, 32767.0, true },
        { "y", 0.0, 0.0, 32767.0, true },
        { "width", NEEDED, 1.0, 32768.0, true },
        { "height", NEEDED, 1.0, 32768.0, true } },
      { IMAGE, .link = tyi_filter_link_crop, .run = tyi_filter_run_crop } },
    { "noise",
      { { "sigma", NEEDED, 0.0, 1e9, false }, { "seed", 1.0, 0.0, 4294967295.0, true } },
      { IMAGE, .in_place = true, .run = tyi_filter_run_noise } },
    /* cloud.h */
    { "range", { { "near", 0.0, 0.0, 1e9, false }, { "far", 1e9, 0.0, 1e9, false } }, { .run = tyi_filter_run_lag } },
    { "decimate",
      { { "column", 1.0, 1.0, 1e4, true }, { "row", 1.0, 1.0, 1e4, true } },
      { .run = tyi_filter_run_lag } },
    { "lag", { { "time", NEEDED, 0.0, 1e5, false } }, { .in_place = true, .run = tyi_filter_run_lag } },
};
#define ROWS (sizeof rows / sizeof rows[0])

const char *ty_settings_get(const ty_settings *settings, const char *key)
{
    for (size_t i = 0; i < settings->count; i++) {
        if (!strcmp(settings->item[i].key, key)) {
            return settings->item[i].value;
        }
    }
    return NULL;
}

const char *ty_filter_names(void)
{
    return "gray, blur, brightness, contrast, negative, vignette, resize, crop, noise, range, decimate, lag";
}

static ty_status set_param(const tyi_filter_named_row *row, const ty_setting *s, tyi_filter_named *to, ty_diag *diag)
{
    char takes[128] = "";
    for (int i = 0; i < TYI_FILTER_NAMED_PARAMS && row->param[i].name; i++) {
        const tyi_filter_named_param *p = &row->param[i];
        size_t used = strlen(takes);
        snprintf(takes + used, sizeof takes - used, "%s%s", i ? ", " : "", p->name);
        if (strcmp(p->name, s->key) != 0) {
            continue;
        }
        char *end;
        to->p[i] = tyi_number(s->value, &end);
        if (end == s->value || *end || !(to->p[i] >= p->low && to->p[i] <= p->high) ||
            (p->whole && to->p[i] != floor(to->p[i]))) {
            return ty_fail(diag, TY_ERR_RANGE, "filter %s: %s is '%s', but takes %s from %.10g to %.10g", row->name,
                           s->key, s->value, p->whole ? "an integer" : "a number", p->low, p->high);
        }
        return TY_OK;
    }
    return ty_fail(diag, TY_ERR_INPUT, "filter %s: there is no setting '%s'; it takes %s", row->name, s->key,
                   takes[0] ? takes : "none");
}

static void destroy(void *user)
{
    tyi_put(NULL, user, sizeof(tyi_filter_named));
}

static ty_status fill(const tyi_filter_named_row *row, const ty_settings *settings, tyi_filter_named *to, ty_diag *diag)
{
    for (int i = 0; i < TYI_FILTER_NAMED_PARAMS; i++) {
        to->p[i] = row->param[i].name ? row->param[i].standard : 0.0;
    }
    for (size_t k = 0; k < settings->count; k++) {
        const ty_setting *s = &settings->item[k];
        ty_status status = strcmp(s->key, "type") != 0 ? set_param(row, s, to, diag) : TY_OK;
        if (status != TY_OK) {
            return status;
        }
    }
    for (int i = 0; i < TYI_FILTER_NAMED_PARAMS && row->param[i].name; i++) {
        if (isnan(to->p[i])) {
            return ty_fail(diag, TY_ERR_INPUT, "filter %s: the setting %s is needed", row->name, row->param[i].name);
        }
    }
    return TY_OK;
}

ty_status ty_filter_make(const ty_settings *settings, uint32_t number, ty_filter *out, ty_diag *diag)
{
    const char *type = ty_settings_get(settings, "type");
    *out = (ty_filter){ 0 };
    for (size_t i = 0; type && i < ROWS; i++) {
        if (strcmp(rows[i].name, type) != 0) {
            continue;
        }
        tyi_filter_named *named = tyi_get(NULL, sizeof *named);
        if (!named) {
            return ty_fail(diag, TY_ERR_MEMORY, "filter %s: no memory", type);
        }
        named->number = number;
        ty_status status = fill(&rows[i], settings, named, diag);
        if (status != TY_OK) {
            destroy(named);
            return status;
        }
        *out = rows[i].filter;
        if (!strcmp(type, "range")) { /* those of clouds keep their definition at the same address */
            named->as.crop = (ty_cloud_crop_def){ named->p[0], named->p[1] };
            *out = ty_cloud_crop(&named->as.crop);
        } else if (!strcmp(type, "decimate")) {
            named->as.decimate = (ty_cloud_decimate_def){ (int)named->p[0], (int)named->p[1] };
            *out = ty_cloud_decimate(&named->as.decimate);
        }
        out->name = rows[i].name;
        out->user = named;
        out->destroy = destroy;
        out->lag = !strcmp(type, "lag") ? (int64_t)llround(1e9 * named->p[0]) : 0;
        return TY_OK;
    }
    return type ? ty_fail(diag, TY_ERR_INPUT, "filter: there is no '%s'; there are %s", type, ty_filter_names())
                : ty_fail(diag, TY_ERR_INPUT, "filter: the setting type is needed, one of %s", ty_filter_names());
}

double tyi_filter_full_scale(const ty_buffer_type *type)
{
    switch (type->element) {
    case TY_ELEMENT_U8:
        return UINT8_MAX;
    case TY_ELEMENT_U16:
        return UINT16_MAX;
    case TY_ELEMENT_U32:
        return UINT32_MAX;
    case TY_ELEMENT_F32:
    case TY_ELEMENT_F64:
    case TY_ELEMENT_COUNT:
        break;
    }
    return 1.0;
}

typedef struct work {
    const tyi_filter_named *named;
    const ty_filter_call *call;
    tyi_filter_named_rows row;
} work;

static void do_row(void *user, size_t y, int worker)
{
    (void)worker;
    const work *w = user;
    w->row(w->named, w->call, (int)y);
}

void tyi_filter_named_run(const tyi_filter_named *named, const ty_filter_call *call, tyi_filter_named_rows row)
{
    work w = { named, call, row };
    const ty_buffer_type *t = &call->out->type;
    bool small = t->width * t->height < 32768; /* not worth waking others for */
    tyi_tasks_for(small ? 1 : call->threads, (size_t)t->height, do_row, &w);
}
