/* bridge/fmi/instance_load.c - resources/tycho.txt of an FMU: which scenario, with what settings, and its variables.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>
#include "instance.h"
#include "io/document.h"

void tyb_fmi_about_free(tyb_fmi_about *about)
{
    tyb_fmi_list_free(&about->list);
    free(about->set);
    free(about->text);
    *about = (tyb_fmi_about){ 0 };
}

/* the rest of the next line, if it starts with the word */
static char *take_line(char **rest, const char *word)
{
    size_t n = strlen(word);
    if (!*rest || strncmp(*rest, word, n)) {
        return NULL;
    }
    return strsep(rest, "\n") + n;
}

static ty_status parse(tyb_fmi_about *about, ty_diag *diag)
{
    char *rest = about->text, *version = take_line(&rest, "tycho "), *token = take_line(&rest, "token "),
         *scenario = take_line(&rest, "scenario ");
    if (!version || strcmp(version, ty_version()) || !token || !scenario) {
        return ty_fail(diag, TY_ERR_FORMAT,
                       "the FMU's resources/tycho.txt is damaged, or of another version than its library, which is %s",
                       ty_version());
    }
    snprintf(about->token, sizeof about->token, "%s", token);
    snprintf(about->scenario, sizeof about->scenario, "%s", scenario);
    about->set = calloc(strlen(rest) + 1, sizeof *about->set);
    for (char *line; about->set && (line = take_line(&rest, "set ")) != NULL;) {
        about->set[about->sets++] = line;
    }
    if (!about->set) {
        return ty_fail(diag, TY_ERR_MEMORY, "no memory for the FMU's settings");
    }
    return tyb_fmi_list_read(&about->list, rest, diag);
}

ty_status tyb_fmi_about_read(const char *resources, tyb_fmi_about *out, ty_diag *diag)
{
    char path[4096];
    tyi_io_bytes b;
    *out = (tyb_fmi_about){ 0 };
    snprintf(path, sizeof path, "%s/tycho.txt", resources);
    ty_status status = tyi_io_file_read(path, TYI_IO_DOC_BYTES, NULL, &b, diag);
    if (status != TY_OK) {
        return status;
    }
    out->text = strndup(b.data, b.size);
    tyi_put(NULL, b.data, b.capacity);
    status = out->text ? parse(out, diag) : ty_fail(diag, TY_ERR_MEMORY, "no memory to read %s", path);
    if (status != TY_OK) {
        tyb_fmi_about_free(out);
    }
    return status;
}
