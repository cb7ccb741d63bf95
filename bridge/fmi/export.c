/* bridge/fmi/export.c - a scenario, its files and a library into one archive.
 *
 *     modelDescription.xml
 *     binaries/x86_64-linux/NAME.so (FMI 3), binaries/linux64/NAME.so (FMI 2), and beside it the libraries that it needs
 *     resources/tycho.txt       which scenario, its settings, the variables
 *     resources/...             the scenario and all files that it names, as they lie to each other
 *
 * The run that tells the variables is made from the copy of the files that goes into the archive, so that an FMU that lacks one is not
 * written.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "core/core.h"
#include "export.h"
#include "io/document.h"
#include "io/out.h"
#include "io/zip.h"

#define COMMUNICATION 0.02 /* [s] offered as step: drivers of a run think at 50 Hz */

typedef struct job {
    const tyb_fmi_export *def;
    char folder[4200]; /* temporary: resources/ */
    char inside[4200]; /* the scenario's path in it */
    char identifier[80], token[48];
    tyb_fmi_files files, libraries;
    size_t common; /* characters of all paths that are the same, to the last '/' */
    tyb_fmi_list list;
    ty_scenario *scenario;
    char *xml, *about;
    size_t xml_bytes, about_bytes;
} job;

/* ---- the copy ---- */

static size_t common_folder(const tyb_fmi_files *files)
{
    size_t common = strlen(files->path[0]);
    for (size_t i = 0; i < files->count; i++) {
        size_t n = 0;
        while (n < common && files->path[i][n] == files->path[0][n]) {
            n++;
        }
        common = n;
    }
    while (common && files->path[0][common - 1] != '/') {
        common--;
    }
    return common;
}

static ty_status copy_file(const char *from, char *to, size_t base, ty_diag *diag)
{
    tyi_io_bytes b;
    for (char *at = to + base + 1; (at = strchr(at, '/')) != NULL; at++) {
        *at = '\0';
        mkdir(to, 0777);
        *at = '/';
    }
    ty_status status = tyi_io_file_read(from, (size_t)1 << 30, NULL, &b, diag);
    if (status == TY_OK) {
        FILE *f = fopen(to, "wb");
        bool written = f && (!b.size || fwrite(b.data, 1, b.size, f) == b.size);
        written = f && !fclose(f) && written;
        tyi_put(NULL, b.data, b.capacity);
        status = written ? TY_OK : ty_fail(diag, TY_ERR_FILE, "%s: cannot be written: %s", to, strerror(errno));
    }
    return status;
}

static ty_status copy_files(job *j, ty_diag *diag)
{
    ty_status status =
        tyb_fmi_files_scenario(&j->files, j->def->scenario, j->def->settings, j->def->setting_count, diag);
    if (status != TY_OK) {
        return status;
    }
    if (!tyi_io_out_folder("tycho-fmu", j->folder, 4000)) {
        return ty_fail(diag, TY_ERR_FILE, "no folder can be made in %s: %s", tyi_io_out_aside(), strerror(errno));
    }
    j->common = common_folder(&j->files);
    for (size_t i = 0; i < j->files.count && status == TY_OK; i++) {
        char to[8400];
        snprintf(to, sizeof to, "%s/%s", j->folder, j->files.path[i] + j->common);
        status = copy_file(j->files.path[i], to, strlen(j->folder), diag);
    }
    snprintf(j->inside, sizeof j->inside, "%.*s", (int)sizeof j->inside - 1, j->files.path[0] + j->common);
    return status;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about, (void)kind, (void)where;
    return remove(path);
}

/* ---- names ---- */

static void name_it(job *j)
{
    snprintf(j->identifier, sizeof j->identifier, "%s%s", isdigit((unsigned char)j->scenario->name[0]) ? "m" : "",
             j->scenario->name);
    for (char *c = j->identifier; *c; c++) {
        *c = isalnum((unsigned char)*c) ? *c : '_';
    }
}

/* the same for the same variables, settings and files */
static void mark_it(job *j, const char *variables, size_t bytes)
{
    uint64_t a = tyi_hash(variables, bytes, TYI_HASH_START), b;
    for (size_t i = 0; i < j->def->setting_count; i++) {
        a = tyi_hash(j->def->settings[i], strlen(j->def->settings[i]) + 1, a);
    }
    for (size_t i = 0; i < j->files.count; i++) {
        tyi_io_bytes file;
        a = tyi_hash(j->files.path[i] + j->common, strlen(j->files.path[i] + j->common), a);
        if (tyi_io_file_read(j->files.path[i], (size_t)1 << 30, NULL, &file, NULL) == TY_OK) {
            a = tyi_hash(file.data, file.size, a);
            tyi_put(NULL, file.data, file.capacity);
        }
    }
    b = tyi_hash(ty_version(), strlen(ty_version()), tyi_hash(&a, sizeof a, a));
    snprintf(j->token, sizeof j->token, "{%08x-%04x-%04x-%04x-%04x%08x}", (unsigned)(a >> 32),
             (unsigned)(a >> 16 & 0xffff), (unsigned)(a & 0xffff), (unsigned)(b >> 48), (unsigned)(b >> 32 & 0xffff),
             (unsigned)(b & 0xffffffff));
}

/* ---- variables, description ---- */

static ty_status list_variables(job *j, ty_diag *diag)
{
    const tyb_fmi_export *d = j->def;
    char path[8500];
    ty_diag why = { 0 };
    ty_run *run = NULL;
    ty_status status = ty_scenario_load(d->scenario, d->settings, d->setting_count, &j->scenario, diag);
    if (status != TY_OK) {
        return status;
    }
    ty_scenario_destroy(j->scenario);
    j->scenario = NULL;
    status = copy_files(j, diag);
    if (status != TY_OK) {
        return status;
    }
    snprintf(path, sizeof path, "%s/%s", j->folder, j->inside);
    status = ty_scenario_load(path, d->settings, d->setting_count, &j->scenario, &why);
    ty_run_def def = ty_run_def_default();
    def.scenario = j->scenario;
    status = status == TY_OK ? ty_run_create(&def, &run, &why) : status;
    if (status != TY_OK) {
        return ty_fail(diag, status, "%s: the copy that goes into the FMU is not a run: %s", d->scenario, why.text);
    }
    status = tyb_fmi_list_make(&j->list, j->scenario, run, d->arrays, diag);
    ty_run_destroy(run);
    return status;
}

static ty_status write_texts(job *j, ty_diag *diag)
{
    char *variables = NULL;
    size_t bytes = 0;
    FILE *f = open_memstream(&variables, &bytes);
    if (f) {
        tyb_fmi_list_print(&j->list, f);
        fclose(f);
        mark_it(j, variables, bytes);
        f = open_memstream(&j->about, &j->about_bytes);
    }
    if (f) {
        fprintf(f, "tycho %s\ntoken %s\nscenario %s\n", ty_version(), j->token, j->inside);
        for (size_t i = 0; i < j->def->setting_count; i++) {
            fprintf(f, "set %s\n", j->def->settings[i]);
        }
        fwrite(variables, 1, bytes, f);
        fclose(f);
        f = open_memstream(&j->xml, &j->xml_bytes);
    }
    if (f) {
        tyb_fmi_model model = { .version = j->def->version,
                                .name = j->scenario->name,
                                .identifier = j->identifier,
                                .token = j->token,
                                .duration = j->scenario->duration,
                                .step = j->scenario->step,
                                .communication = COMMUNICATION,
                                .list = &j->list };
        tyb_fmi_describe(&model, f);
        fclose(f);
    }
    free(variables);
    return f ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "no memory for the FMU's description");
}

/* ---- the archive ---- */

static ty_status pack(job *j, const char *path, ty_diag *diag)
{
    tyi_io_zip zip;
    char name[8500];
    const char *place = j->def->version == 3 ? "x86_64-linux" : "linux64";
    ty_status status = tyi_io_zip_open(&zip, path, diag);
    if (status != TY_OK) {
        return status;
    }
    status = tyi_io_zip_add(&zip, "modelDescription.xml", j->xml, j->xml_bytes, false, diag);
    if (status == TY_OK) {
        status = tyi_io_zip_add(&zip, "resources/tycho.txt", j->about, j->about_bytes, false, diag);
    }
    for (size_t i = 0; i < j->files.count && status == TY_OK; i++) {
        snprintf(name, sizeof name, "resources/%s", j->files.path[i] + j->common);
        status = tyi_io_zip_add_file(&zip, name, j->files.path[i], diag);
    }
    if (status == TY_OK) {
        snprintf(name, sizeof name, "binaries/%s/%s.so", place, j->identifier);
        status = tyi_io_zip_add_file(&zip, name, j->def->library, diag);
    }
    for (size_t i = 0; i < j->libraries.count && status == TY_OK; i++) {
        const char *slash = strrchr(j->libraries.path[i], '/');
        snprintf(name, sizeof name, "binaries/%s/%s", place, slash ? slash + 1 : j->libraries.path[i]);
        status = tyi_io_zip_add_file(&zip, name, j->libraries.path[i], diag);
    }
    return tyi_io_zip_close(&zip, status, diag);
}

static void count(const job *j, tyb_fmi_made *made)
{
    *made = (tyb_fmi_made){ .files = j->files.count, .libraries = j->libraries.count };
    for (size_t i = 0; i < j->list.count; i++) {
        made->parameters += j->list.variable[i].what == TYB_FMI_PARAMETER;
        made->inputs += TYB_FMI_INPUT(j->list.variable[i].what);
        made->outputs += TYB_FMI_OUTPUT(j->list.variable[i].what);
    }
    for (size_t i = 0; i < j->scenario->rovers; i++) {
        made->deaf += j->scenario->rover[i].driver.kind != TY_DRIVER_EXTERNAL;
    }
}

ty_status tyb_fmi_export_write(const tyb_fmi_export *def, const char *path, tyb_fmi_made *made, ty_diag *diag)
{
    job *j = calloc(1, sizeof *j);
    if (!j) {
        return ty_fail(diag, TY_ERR_MEMORY, "no memory");
    }
    j->def = def;
    ty_status status = list_variables(j, diag);
    if (status == TY_OK && def->libraries) {
        status = tyb_fmi_files_library(&j->libraries, def->library, diag);
    }
    if (status == TY_OK) {
        name_it(j);
        status = write_texts(j, diag);
    }
    status = status == TY_OK ? pack(j, path, diag) : status;
    if (status == TY_OK) {
        count(j, made);
    }
    if (j->folder[0]) {
        nftw(j->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    }
    tyb_fmi_files_free(&j->files);
    tyb_fmi_files_free(&j->libraries);
    tyb_fmi_list_free(&j->list);
    ty_scenario_destroy(j->scenario);
    free(j->xml);
    free(j->about);
    free(j);
    return status;
}
