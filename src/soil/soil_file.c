/* src/soil/soil_file.c - a soil file (models/soils) into ty_soil_params. Keys, units and ranges are
 * those of ty_soil_fields(): no second table.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "soil_file.h"
#include "core/core.h"
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "inner.h"

static ty_status unknown_key(const tyi_io_doc *doc, const tyi_io_node *key, ty_diag *diag)
{
    size_t count;
    const ty_soil_field *fields = ty_soil_fields(&count);
    const char *names[TYI_SOIL_FIELDS];
    char shown[70], takes[400] = "";
    for (size_t i = 0; i < count; i++) {
        names[i] = fields[i].key;
        tyi_io_say(takes, sizeof takes, "%s%s", i ? ", " : "", fields[i].key);
    }
    const char *near = tyi_io_nearest(key->text, names, count);
    return tyi_io_doc_fail(doc, key, diag, TY_ERR_INPUT, "there is no key '%s'%s%s%s; a soil takes %s",
                           tyi_io_doc_show(key->text, shown, sizeof shown), near ? " (did you mean " : "",
                           near ? near : "", near ? "?)" : "", takes);
}

static ty_status wrong_value(const tyi_io_doc *doc, const tyi_io_node *node, const ty_soil_field *f, ty_diag *diag)
{
    char shown[70], value[100] = "a mapping", takes[100] = "true or false";
    if (node->type == TYI_IO_SEQUENCE) {
        snprintf(value, sizeof value, "a list");
    } else if (node->type == TYI_IO_SCALAR) {
        tyi_io_doc_show(node->text, shown, sizeof shown);
        snprintf(value, sizeof value, node->quoted ? "the text \"%s\"" : "'%s'", shown);
    }
    if (!f->is_switch) {
        bool plain = !strcmp(f->unit, "-");
        snprintf(takes, sizeof takes, "a number from %g to %g%s%s", f->low, f->high, plain ? "" : " ",
                 plain ? "" : f->unit);
    }
    return tyi_io_doc_fail(doc, node, diag, TY_ERR_INPUT, "%s is %s, but takes %s", f->key, value, takes);
}

/* the sentence of soil's own checks, at its place in the file */
static ty_status refused(const tyi_io_doc *doc, const tyi_io_node *node, const ty_diag *why, ty_diag *diag)
{
    static const char prefix[] = "soil: ";
    bool named = !strncmp(why->text, prefix, sizeof prefix - 1);
    return tyi_io_doc_fail(doc, node, diag, why->status, "%s", why->text + (named ? sizeof prefix - 1 : 0));
}

static ty_status set_field(const tyi_io_doc *doc, const tyi_io_item *item, ty_soil_params *soil, tyi_soil_source *from,
                           ty_diag *diag)
{
    size_t count, i = 0;
    const ty_soil_field *fields = ty_soil_fields(&count);
    while (i < count && strcmp(fields[i].key, item->key->text)) {
        i++;
    }
    if (i == count) {
        return unknown_key(doc, item->key, diag);
    }
    for (const tyi_io_item *before = doc->root->items; before != item; before = before->next) {
        if (!strcmp(before->key->text, item->key->text)) {
            return tyi_io_doc_fail(doc, item->key, diag, TY_ERR_INPUT, "the key %s stands twice, first in line %d",
                                   fields[i].key, before->key->line);
        }
    }
    const tyi_io_node *node = item->value;
    const char *text = node->type == TYI_IO_SCALAR && !node->quoted ? node->text : "";
    char *end;
    double value = tyi_number(text, &end);
    if (fields[i].is_switch && (!strcmp(text, "true") || !strcmp(text, "false"))) {
        value = !strcmp(text, "true");
    } else if (end == text || *end || !isfinite(value)) {
        return wrong_value(doc, node, &fields[i], diag);
    }
    ty_diag why = { 0 };
    if (ty_soil_params_set(soil, fields[i].key, value, &why) != TY_OK) {
        return refused(doc, node, &why, diag);
    }
    if (from) {
        from[i] = node->setting ? TYI_SOIL_FROM_SETTING : TYI_SOIL_FROM_FILE;
    }
    return TY_OK;
}

/* values that do not go together: the place is that of the last sinkage exponent */
static ty_status check_whole(const tyi_io_doc *doc, const ty_soil_params *soil, ty_diag *diag)
{
    ty_diag why = { 0 };
    if (tyi_soil_params_check(soil, &why) == TY_OK) {
        return TY_OK;
    }
    const tyi_io_node *last = NULL;
    for (const tyi_io_item *item = doc->root->items; item; item = item->next) {
        last = !strncmp(item->key->text, "n", 1) ? item->value : last;
    }
    return refused(doc, last, &why, diag);
}

ty_status tyi_soil_params_load(const char *path, const char *const *settings, size_t count, ty_soil_params *out,
                               tyi_soil_source from[TYI_SOIL_FIELDS], ty_diag *diag)
{
    /* decimal points, not the decimal commas of a host program's locale */
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0), before = plain ? uselocale(plain) : (locale_t)0;
    tyi_io_doc doc;
    *out = ty_soil_params_default();
    ty_status status =
        path ? tyi_io_doc_read(&doc, path, NULL, diag) : tyi_io_doc_parse(&doc, "soil", "{}", 2, NULL, diag);
    if (status == TY_OK) {
        status = tyi_io_doc_set(&doc, settings, count, diag);
    }
    for (tyi_io_item *item = status == TY_OK ? doc.root->items : NULL; item && status == TY_OK; item = item->next) {
        status = set_field(&doc, item, out, from, diag);
    }
    if (status == TY_OK) {
        status = check_whole(&doc, out, diag);
    }
    tyi_io_doc_free(&doc);
    if (plain) {
        uselocale(before);
        freelocale(plain);
    }
    return status;
}

ty_status ty_soil_params_load(const char *path, const char *const *settings, size_t count, ty_soil_params *out,
                              ty_diag *diag)
{
    return tyi_soil_params_load(path, settings, count, out, NULL, diag);
}

/* ---- the parameters of any model ---- */

typedef enum kind { NUMBER, SWITCH } kind;
typedef struct model_key {
    const char *key;
    size_t offset; /* in ty_soil_def */
    kind kind;
    unsigned models; /* TY_BIT of those that use it */
} model_key;

#define OF(model) (1u << TY_SOIL_##model)
#define AT(field) offsetof(ty_soil_def, field)
#define HARD      (OF(RIGID) | OF(REGRESSION))
static const model_key model_keys[] = {
    { "k", AT(rigid.k), NUMBER, OF(RIGID) },
    { "n", AT(rigid.n), NUMBER, OF(RIGID) },
    { "gamma", AT(rigid.gamma), NUMBER, OF(RIGID) },
    { "hunt_crossley", AT(rigid.hunt_crossley), SWITCH, OF(RIGID) },
    { "mu", AT(rigid.mu), NUMBER, HARD },
    { "k_tangent", AT(rigid.k_tangent), NUMBER, HARD },
    { "c_tangent", AT(rigid.c_tangent), NUMBER, HARD },
    { "slip_v", AT(regression.slip_v), NUMBER, OF(REGRESSION) },
    { "slip_0", AT(regression.slip_0), NUMBER, OF(REGRESSION) },
    { "slope_v", AT(regression.slope_v), NUMBER, OF(REGRESSION) },
    { "slope_0", AT(regression.slope_0), NUMBER, OF(REGRESSION) },
    { "sink_s", AT(regression.sink_s), NUMBER, OF(REGRESSION) },
    { "sink_f", AT(regression.sink_f), NUMBER, OF(REGRESSION) },
    { "sink_0", AT(regression.sink_0), NUMBER, OF(REGRESSION) },
    { "fref", AT(regression.fref), NUMBER, OF(REGRESSION) },
    { "plate", AT(grid.plate), NUMBER, OF(SCM) | OF(CRM) | OF(DEM) },
    { "berms", AT(grid.berms), SWITCH, OF(SCM) },
    { "berm", AT(grid.berm), NUMBER, OF(SCM) },
    { "elastic", AT(grid.elastic), NUMBER, OF(SCM) | OF(BEKKER) },
    { "multipass", AT(multipass), SWITCH, OF(BEKKER) },
    { "e", AT(patch.e), NUMBER, OF(CRM) | OF(DEM) },
    { "nu", AT(patch.nu), NUMBER, OF(CRM) | OF(DEM) },
    { "mu_2", AT(patch.mu_2), NUMBER, OF(CRM) },
    { "i0", AT(patch.i0), NUMBER, OF(CRM) },
    { "grain", AT(patch.grain), NUMBER, OF(CRM) },
    { "friction", AT(patch.friction), NUMBER, OF(CRM) | OF(DEM) },
    { "alpha", AT(patch.alpha), NUMBER, OF(CRM) },
    { "lode", AT(patch.lode), NUMBER, OF(CRM) },
    { "mu", AT(patch.mu), NUMBER, OF(DEM) },
    { "roll", AT(patch.roll), NUMBER, OF(DEM) },
    { "restitution", AT(patch.restitution), NUMBER, OF(DEM) },
    { "spread", AT(patch.spread), NUMBER, OF(DEM) },
};
enum { MODEL_KEYS = (int)(sizeof model_keys / sizeof model_keys[0]) };

size_t tyi_soil_model_keys(const char **names, size_t most)
{
    size_t n = 0;
    for (; n < MODEL_KEYS && n < most; n++) {
        names[n] = model_keys[n].key;
    }
    return n;
}

/* those that stand on ty_soil_params */
static bool soft_soil(ty_soil_model_kind model)
{
    return model == TY_SOIL_BEKKER || model == TY_SOIL_SCM || model == TY_SOIL_CRM || model == TY_SOIL_DEM;
}

/* what the model takes, for a sentence */
static ty_status not_used(const tyi_io_doc *doc, const tyi_io_node *key, const ty_soil_def *def, ty_diag *diag)
{
    char shown[70], takes[500] = "";
    size_t count;
    const ty_soil_field *fields = ty_soil_fields(&count);
    bool soft = soft_soil(def->model);
    for (size_t i = 0; i < count && soft; i++) {
        tyi_io_say(takes, sizeof takes, "%s%s", takes[0] ? ", " : "", fields[i].key);
    }
    for (int i = 0; i < MODEL_KEYS; i++) {
        if (model_keys[i].models >> def->model & 1) {
            tyi_io_say(takes, sizeof takes, "%s%s", takes[0] ? ", " : "", model_keys[i].key);
        }
    }
    return tyi_io_doc_fail(doc, key, diag, TY_ERR_INPUT, "the model %s has no key '%s'; it takes %s",
                           ty_soil_model_name(def->model), tyi_io_doc_show(key->text, shown, sizeof shown),
                           takes[0] ? takes : "none");
}

static ty_status set_model_key(const tyi_io_doc *doc, const tyi_io_item *item, const model_key *k, ty_soil_def *def,
                               ty_diag *diag)
{
    const tyi_io_node *node = item->value;
    const char *text = node->type == TYI_IO_SCALAR && !node->quoted ? node->text : "";
    char *end, shown[70], *field = (char *)def + k->offset;
    double value = tyi_number(text, &end);
    bool yes = !strcmp(text, "true");
    if (k->kind == SWITCH && (yes || !strcmp(text, "false"))) {
        *(bool *)(void *)field = yes;
        return TY_OK;
    }
    if (k->kind == SWITCH || end == text || *end || !isfinite(value)) {
        return tyi_io_doc_fail(doc, node, diag, TY_ERR_INPUT, "%s is '%s', but takes %s", k->key,
                               tyi_io_doc_show(text, shown, sizeof shown),
                               k->kind == SWITCH ? "true or false" : "a number");
    }
    *(double *)(void *)field = value;
    ty_diag why = { 0 };
    return tyi_soil_def_check(def, &why) == TY_OK ? TY_OK : refused(doc, node, &why, diag);
}

static ty_status set_any(const tyi_io_doc *doc, const tyi_io_item *item, ty_soil_def *def, ty_diag *diag)
{
    for (int i = 0; i < MODEL_KEYS; i++) {
        if ((model_keys[i].models >> def->model & 1) && !strcmp(model_keys[i].key, item->key->text)) {
            return set_model_key(doc, item, &model_keys[i], def, diag);
        }
    }
    bool soft = soft_soil(def->model);
    size_t count, i = 0;
    const ty_soil_field *fields = ty_soil_fields(&count);
    while (soft && i < count && strcmp(fields[i].key, item->key->text)) {
        i++;
    }
    return soft && i < count ? set_field(doc, item, &def->bekker, NULL, diag) : not_used(doc, item->key, def, diag);
}

ty_status tyi_soil_def_load(const char *path, ty_soil_def *def, ty_diag *diag)
{
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0), before = plain ? uselocale(plain) : (locale_t)0;
    tyi_io_doc doc;
    ty_status status = tyi_io_doc_read(&doc, path, NULL, diag);
    for (tyi_io_item *item = status == TY_OK ? doc.root->items : NULL; item && status == TY_OK; item = item->next) {
        status = set_any(&doc, item, def, diag);
    }
    if (status == TY_OK && (soft_soil(def->model))) {
        status = check_whole(&doc, &def->bekker, diag);
    }
    tyi_io_doc_free(&doc);
    if (plain) {
        uselocale(before);
        freelocale(plain);
    }
    return status;
}
