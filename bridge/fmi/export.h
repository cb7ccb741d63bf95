/* bridge/fmi/export.h - a scenario as an FMU (`tycho fmu`).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYB_FMI_EXPORT_H
#define TYB_FMI_EXPORT_H
#include "variables.h"

typedef struct tyb_fmi_export {
    const char *scenario;        /* path of its file */
    const char *const *settings; /* over it */
    size_t setting_count;
    const char *const *arrays; /* sensors whose frames are outputs, as tyb_fmi_list_make(); NULL: none */
    int version;               /* of FMI: 2 or 3 */
    const char *library;       /* path of the FMU's library (libtycho_fmu.so) */
    bool libraries;            /* those that it needs go along; false: they must be there where it is used */
} tyb_fmi_export;

typedef struct tyb_fmi_made { /* what came of it */
    size_t parameters, inputs, outputs, files, libraries;
    size_t deaf; /* rovers that take no commands, as they have a driver of their own */
} tyb_fmi_made;

/* Writes the FMU whole or not at all. */
ty_status tyb_fmi_export_write(const tyb_fmi_export *def, const char *path, tyb_fmi_made *made, ty_diag *diag);

/* describe.c: modelDescription.xml */
typedef struct tyb_fmi_model {
    int version;
    const char *name, *identifier, *token;
    double duration, step, communication; /* [s] */
    const tyb_fmi_list *list;
} tyb_fmi_model;
void tyb_fmi_describe(const tyb_fmi_model *model, FILE *out);

/* files.c: the files that a scenario is made of, and the libraries that a library needs. Each path is told once. */
typedef struct tyb_fmi_files {
    char **path;
    size_t count, room;
    bool failed; /* no memory */
} tyb_fmi_files;
ty_status tyb_fmi_files_scenario(tyb_fmi_files *files, const char *path, const char *const *settings, size_t count,
                                 ty_diag *diag);
ty_status tyb_fmi_files_library(tyb_fmi_files *files, const char *path, ty_diag *diag);
void tyb_fmi_files_free(tyb_fmi_files *files);

#endif
