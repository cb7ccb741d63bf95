/* src/sim/soil_file.c - a soil file (models/soils) into ty_soil_params. Keys, units and ranges are
 * those of ty_soil_fields(): no second table.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "document.h"
#include "tycho/testbed.h"

static ty_status unknown_key(const tyi_doc *doc, const tyi_node *key, ty_diag *diag)
{
    size_t count;
    const ty_soil_field *fields = ty_soil_fields(&count);
    const char *names[64];
    for (size_t i = 0; i < count && i < 64; i++) {
        names[i] = fields[i].key;
    }
    char shown[70];
    const char *near = tyi_nearest(key->text, names, count < 64 ? count : 64);
    return tyi_doc_fail(doc, key, diag, TY_ERR_INPUT, "there is no key '%s' in a soil%s%s%s",
                        tyi_doc_show(key->text, shown, sizeof shown), near ? "; '" : "",
                        near ? near : "", near ? "' is near" : "");
}

static ty_status set_field(const tyi_doc *doc, const tyi_item *item, ty_soil_params *soil,
                           ty_diag *diag)
{
    size_t count;
    const ty_soil_field *fields = ty_soil_fields(&count), *field = NULL;
    for (size_t i = 0; i < count && !field; i++) {
        field = strcmp(fields[i].key, item->key->text) ? NULL : &fields[i];
    }
    if (!field) {
        return unknown_key(doc, item->key, diag);
    }
    const tyi_node *node = item->value;
    const char *text = node->type == TYI_SCALAR && !node->quoted ? node->text : "";
    char *end, shown[70];
    double value = strtod(text, &end);
    if (field->is_switch && (!strcmp(text, "true") || !strcmp(text, "false"))) {
        value = !strcmp(text, "true");
    } else if (end == text || *end || !isfinite(value)) {
        return tyi_doc_fail(doc, node, diag, TY_ERR_INPUT, "%s is '%s', but takes a number [%s]",
                            field->key, tyi_doc_show(text, shown, sizeof shown), field->unit);
    }
    ty_diag why = { 0 };
    ty_status status = ty_soil_params_set(soil, field->key, value, &why);
    return status == TY_OK ? TY_OK : tyi_doc_fail(doc, node, diag, status, "%s", why.text);
}

ty_status ty_soil_load(const char *path, const char *const *settings, size_t count,
                       ty_soil_params *out, ty_diag *diag)
{
    tyi_doc doc;
    *out = ty_soil_params_default();
    ty_status status = path ? tyi_doc_read(&doc, path, NULL, diag)
                            : tyi_doc_parse(&doc, "soil", "{}", 2, NULL, diag);
    if (status == TY_OK) {
        status = tyi_doc_set(&doc, settings, count, diag);
    }
    for (tyi_item *item = status == TY_OK ? doc.root->items : NULL; item && status == TY_OK;
         item = item->next) {
        status = set_field(&doc, item, out, diag);
    }
    tyi_doc_free(&doc);
    return status;
}
