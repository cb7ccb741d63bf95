/* src/sim/soil_file.c - see soil_file.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "soil_file.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "document.h"

static ty_status set(const tyi_doc *doc, const tyi_item *item, ty_soil_params *out, ty_diag *diag)
{
    const char *key = item->key->text, *text = item->value->type == TYI_SCALAR ? item->value->text : "";
    if (!strcmp(key, "version") || !strcmp(key, "name") || !strcmp(key, "source")) {
        return TY_OK; /* about the file, not the soil */
    }
    char *end = NULL;
    double value = !strcmp(text, "true") ? 1.0 : !strcmp(text, "false") ? 0.0 : strtod(text, &end);
    if ((end && (end == text || *end)) || !isfinite(value)) {
        return tyi_doc_fail(doc, item->value, diag, TY_ERR_INPUT, "%s is '%.60s', but takes a number", key, text);
    }
    ty_diag why = { 0 };
    ty_status status = ty_soil_params_set(out, key, value, &why);
    return status == TY_OK ? TY_OK : tyi_doc_fail(doc, item->key, diag, status, "%.600s", why.text);
}

ty_status tyi_soil_read(const char *path, ty_soil_params *out, ty_diag *diag)
{
    tyi_doc doc;
    *out = ty_soil_params_default();
    ty_status status = tyi_doc_read(&doc, path, NULL, diag);
    for (const tyi_item *item = status == TY_OK ? doc.root->items : NULL; item && status == TY_OK; item = item->next) {
        status = set(&doc, item, out, diag);
    }
    tyi_doc_free(&doc);
    return status;
}
