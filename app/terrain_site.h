/* app/terrain_site.h - the ground of a scenario, or of a raster by itself.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_APP_TERRAIN_SITE_H
#define TYCHO_APP_TERRAIN_SITE_H
#include "tycho/scenario.h"

typedef struct app_site {
    char name[128];
    char path[4096], base[4096]; /* the file it was made from, and the raster it stands on ("": none) */
    ty_scenario *loaded, plain;  /* what the world was made from: loaded, or plain where that is NULL */
    ty_world *world;
    ty_terrain *terrain; /* of the world */
    ty_utc start;
} app_site;

/* Takes the file and every --set out of argv. A file that is not YAML is opened as a raster: its middle becomes the
 * site, its extent the site's. */
ty_status app_site_open(app_site *site, int *argc, char **argv, ty_diag *diag);
const ty_scenario *app_site_scenario(const app_site *site);
void app_site_close(app_site *site);
/* Says early what would stop the output from being written: a folder of that name, no folder to put it in, no
 * permission; or that it would replace one of the site's own files. */
ty_status app_site_output(const app_site *site, const char *path, ty_diag *diag);

/* One option that is a number in a range; *value is left alone when it is not there. */
ty_status app_take_number(int *argc, char **argv, const char *name, double low, double high, double *value,
                          ty_diag *diag);
/* What is left in argv must be `files` names. */
ty_status app_rest(int argc, char **argv, int files, ty_diag *diag);

#endif
