/* app/terrain_generate.c - `tycho terrain generate`: the ground of a scenario as a raster, and what
 * stands on it as tables.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "terrain.h"
#include "terrain_site.h"
#include "io/out_file.h"

typedef struct table { /* a CSV file */
    const char *path;  /* NULL: not asked for */
    tyi_io_sink *out;
    FILE *file;
    size_t rows;
} table;

typedef struct generate_job {
    app_site site;
    ty_world_export_def def;
    const char *out;
    table craters, rocks;
    bool quiet;
} generate_job;

static ty_status open_table(table *t, const char *header, ty_diag *diag)
{
    ty_status status = t->path ? tyi_io_sink_open(t->path, &t->out, diag) : TY_OK;
    t->file = t->out ? tyi_io_sink_file(t->out) : NULL;
    if (t->file) {
        fputs(header, t->file);
    }
    return status;
}

/* it takes its place when everything before went well */
static ty_status end_table(table *t, ty_status before, ty_diag *diag)
{
    ty_status status = tyi_io_sink_close(t->out, before, diag);
    t->out = NULL;
    return status;
}

static ty_status list_craters(generate_job *job, ty_rect rect, ty_diag *diag)
{
    ty_terrain *t = job->site.terrain;
    double smallest = 4.0 * job->def.spacing; /* as the levels of the ground do */
    size_t n = ty_terrain_craters(t, rect, smallest, INFINITY, NULL, 0);
    ty_crater *list = calloc(n + 1, sizeof *list);
    if (!list) {
        return ty_fail(diag, TY_ERR_MEMORY, "no memory for %zu craters", n);
    }
    ty_terrain_craters(t, rect, smallest, INFINITY, list, n);
    for (size_t i = 0; i < n; i++) {
        fprintf(job->craters.file, "%.4f,%.4f,%.5g,%.5g,%.4g\n", list[i].x, list[i].y, list[i].diameter,
                list[i].depth_ratio, list[i].freshness);
    }
    job->craters.rows += n;
    free(list);
    return TY_OK;
}

static ty_status list_rocks(generate_job *job, ty_rect rect, ty_diag *diag)
{
    ty_terrain *t = job->site.terrain;
    size_t n = ty_terrain_rocks(t, rect, job->def.spacing, INFINITY, NULL, 0);
    ty_rock *list = calloc(n + 1, sizeof *list);
    if (!list) {
        return ty_fail(diag, TY_ERR_MEMORY, "no memory for %zu rocks", n);
    }
    ty_terrain_rocks(t, rect, job->def.spacing, INFINITY, list, n);
    for (size_t i = 0; i < n; i++) {
        fprintf(job->rocks.file, "%.4f,%.4f,%.5g,%.5g,%.4g,%.5g,%u,%llu\n", list[i].x, list[i].y, list[i].diameter,
                list[i].scale, list[i].burial, list[i].yaw / TY_DEG, list[i].shape, (unsigned long long)list[i].id);
    }
    job->rocks.rows += n;
    free(list);
    return TY_OK;
}

/* strip by strip, so that a table of any length fits in memory */
static ty_status list_all(generate_job *job, ty_diag *diag)
{
    enum { STRIPS = 64 };
    double half = 0.5 * job->def.size, step = job->def.size / STRIPS;
    ty_status status = open_table(&job->craters, "x [m],y [m],diameter [m],depth / diameter [-],freshness [-]\n", diag);
    if (status == TY_OK) {
        status = open_table(&job->rocks, "x [m],y [m],diameter [m],scale [m],burial [-],yaw [deg],shape,id\n", diag);
    }
    for (int k = 0; k < STRIPS && status == TY_OK; k++) {
        double y = job->def.y - half + k * step;
        ty_rect rect = { job->def.x - half, y, job->def.x + half, k + 1 < STRIPS ? y + step : job->def.y + half };
        if (job->craters.path) {
            status = list_craters(job, rect, diag);
        }
        if (status == TY_OK && job->rocks.path) {
            status = list_rocks(job, rect, diag);
        }
    }
    return status;
}

/* whatever can be said before the work */
static ty_status check_all(generate_job *job, ty_diag *diag)
{
    const char *out[3] = { job->out, job->craters.path, job->rocks.path };
    ty_status status = ty_world_export_check(job->site.terrain, &job->def, diag);
    for (int i = 0; i < 3 && status == TY_OK; i++) {
        status = out[i] ? app_site_output(&job->site, out[i], diag) : TY_OK;
        for (int k = 0; k < i && out[i] && status == TY_OK; k++) {
            if (out[k] && !strcmp(out[i], out[k])) {
                status = ty_fail(diag, TY_ERR_INPUT, "%s is given for two outputs", out[i]);
            }
        }
    }
    return status;
}

static void generate(generate_job *job, ty_diag *diag)
{
    const char *craters = job->craters.path, *rocks = job->rocks.path;
    ty_raster_stats stats = { 0 };
    ty_status status = check_all(job, diag);
    if (status == TY_OK) {
        status = list_all(job, diag);
    }
    if (status == TY_OK) {
        app_progress progress;
        app_progress_start(&progress, job->quiet);
        ty_progress hook = app_progress_hook(&progress);
        status = ty_terrain_write(job->site.terrain, &job->def, job->out, &hook, &stats, diag);
        app_progress_end(&progress);
    }
    status = end_table(&job->craters, status, diag);
    status = end_table(&job->rocks, status, diag);
    if (status == TY_OK && !job->quiet) {
        double side = round(job->def.size / job->def.spacing);
        printf("%s: %.0f x %.0f samples, %g m apart, heights %.2f to %.2f m above the sphere.\n", job->out, side, side,
               job->def.spacing, stats.min, stats.max);
        if (craters) {
            printf("%s: %zu craters of at least %g m.\n", craters, job->craters.rows, 4.0 * job->def.spacing);
        }
        if (rocks) {
            printf("%s: %zu rocks of at least %g m.\n", rocks, job->rocks.rows, job->def.spacing);
        }
    }
}

static int run(int argc, char **argv)
{
    ty_diag diag = { 0 };
    generate_job job = { .def = ty_world_export_def_default() };
    double size = NAN, spacing = NAN, middle[2] = { 0.0, 0.0 };
    job.quiet = app_flag(&argc, argv, "--quiet");
    job.craters.path = app_option(&argc, argv, "--craters");
    job.rocks.path = app_option(&argc, argv, "--rocks");
    const char *center = app_option(&argc, argv, "--center");
    if (center && !app_numbers(center, 2, middle)) {
        ty_fail(&diag, TY_ERR_INPUT, "--center takes x,y in metres, as 100,-50, not '%s'", center);
    }
    app_take_number(&argc, argv, "--size", 0.01, 1e6, &size, &diag);
    app_take_number(&argc, argv, "--spacing", 1e-3, 1e5, &spacing, &diag);
    signal(SIGXFSZ, SIG_IGN); /* a limit on file size is then a full disk: a sentence, not a crash */
    if (diag.status == TY_OK && app_site_open(&job.site, &argc, argv, &diag) == TY_OK &&
        app_rest(argc, argv, 1, &diag) == TY_OK) {
        ty_terrain *t = job.site.terrain;
        job.out = argv[1];
        job.def.x = middle[0], job.def.y = middle[1];
        job.def.size = isnan(size) ? ty_terrain_get_def(t)->extent : size;
        job.def.spacing = isnan(spacing) ? ty_terrain_spacing(t, ty_terrain_level(t, job.def.size / 1000.0)) : spacing;
        generate(&job, &diag);
    }
    app_site_close(&job.site);
    return diag.status == TY_OK ? APP_OK : app_bad("terrain generate", "%s.", diag.text);
}

const app_command app_terrain_generate = {
    "generate",
    "write the ground of a scenario as a GeoTIFF, its craters and rocks as tables",
    "usage: tycho terrain generate SCENARIO|RASTER OUT.tif [options]\n\n"
    "Writes a square of the ground as a tiled GeoTIFF with overviews: heights in metres above the "
    "sphere of\n"
    "1737400 m, on a grid in the site's tangent plane (orthographic, north up). Rocks are not in "
    "the heights.\n\n"
    "  --size M            side of the square [m]; default the whole site\n"
    "  --spacing M         between samples [m], what is smaller is left out; default about 1000 a "
    "side\n"
    "  --center X,Y        middle of the square [m] east and north of the site's origin\n"
    "  --craters FILE.csv  the craters in it, of at least 4 spacings\n"
    "  --rocks FILE.csv    the rocks in it, of at least one spacing\n"
    "  --set a.b=c         change a key of the scenario\n"
    "  --quiet             no progress line, no summary\n\n"
    "example: tycho terrain generate scenarios/south_pole.yaml site.tif --size 2000 --spacing 1 "
    "--craters c.csv\n",
    run,
};
