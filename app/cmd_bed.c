/* app/cmd_bed.c - `tycho bed TEST`: one experiment of the soil laboratory, its series, plots and picture, and one JSON object.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "bed.h"
#ifndef TYCHO_MINIMAL
#include "tycho/tools/model.h"
#include "tycho/tools/testbed.h"
#include "io/inner.h"
#endif

/* keys that --set takes, and where they go; diameter is a list */
typedef struct key {
    const char *name;
    size_t offset;
    double scale;
} key;
#define AT(field) offsetof(ty_bed_def, field)
static const key keys[] = {
    { "aspect", AT(aspect), 1.0 },
    { "spacing", AT(spacing), 1.0 },
    { "gravity", AT(gravity), 1.0 },
    { "rho", AT(soil.rho), 1.0 },
    { "e", AT(soil.e), 1.0 },
    { "nu", AT(soil.nu), 1.0 },
    { "mu_s", AT(soil.mu_s), 1.0 },
    { "mu_2", AT(soil.mu_2), 1.0 },
    { "i0", AT(soil.i0), 1.0 },
    { "d", AT(soil.d), 1.0 },
    { "c", AT(soil.c), 1.0 },
    { "height", AT(height), 1.0 },
    { "angle_deg", AT(angle), TY_DEG },
    { "seconds", AT(seconds), 1.0 },
    { "ball_rho", AT(ball_rho), 1.0 },
    { "friction", AT(friction), 1.0 },
    { "load", AT(load), 1.0 },
    { "side", AT(side), 1.0 },
    { "jump", AT(jump), 1.0 },
    { "speed", AT(speed), 1.0 },
    { "rate", AT(rate), 1.0 },
    { "width", AT(width), 1.0 },
    { "alpha", AT(alpha), 1.0 },
    { "xsph", AT(xsph), 1.0 },
    { "delta", AT(delta), 1.0 },
    { "forget", AT(forget), 1.0 },
    { "skin", AT(skin), 1.0 },
    { "lode", AT(soil.lode), 1.0 },
    { "markers", AT(markers), 1.0 },
    { "scoops", AT(scoops), 1.0 },
    { "cfl", AT(cfl), 1.0 },
    { NULL, 0, 0.0 },
};

static const key grain_keys[] = {
    { "aspect", AT(aspect), 1.0 },
    { "spacing", AT(spacing), 1.0 },
    { "gravity", AT(gravity), 1.0 },
    { "rho", AT(grains.rho), 1.0 },
    { "e", AT(grains.e), 1.0 },
    { "nu", AT(grains.nu), 1.0 },
    { "mu_s", AT(grains.mu), 1.0 },
    { "roll", AT(grains.roll), 1.0 },
    { "restitution", AT(grains.restitution), 1.0 },
    { "gamma", AT(grains.gamma), 1.0 },
    { "spread", AT(grains.spread), 1.0 },
    { "height", AT(height), 1.0 },
    { "seconds", AT(seconds), 1.0 },
    { "ball_rho", AT(ball_rho), 1.0 },
    { "friction", AT(friction), 1.0 },
    { "load", AT(load), 1.0 },
    { "speed", AT(speed), 1.0 },
    { "rate", AT(rate), 1.0 },
    { "width", AT(width), 1.0 },
    { "side", AT(side), 1.0 },
    { "jump", AT(jump), 1.0 },
    { "scoops", AT(scoops), 1.0 },
    { NULL, 0, 0.0 },
};

/* of scm and bekker, beside those of soil files */
static const key column_keys[] = {
    { "spacing", AT(spacing), 1.0 },
    { "gravity", AT(gravity), 1.0 },
    { "load", AT(load), 1.0 },
    { NULL, 0, 0.0 },
};

static const char *const soil_name[] = {
#define NAME(id, name) [id] = name,
    TY_BED_SOIL_LIST(NAME)
#undef NAME
};
enum { SOILS = sizeof soil_name / sizeof *soil_name };

static bool of_columns(const ty_bed_def *def)
{
    return def->model == TY_BED_SCM || def->model == TY_BED_BEKKER;
}

static ty_status set_list(const char *name, double *list, int *count, int most, char *text, ty_diag *diag)
{
    *count = 0;
    for (char *item = strtok(text, ","); item; item = strtok(NULL, ",")) {
        if (*count == most || !app_number(item, &list[*count])) {
            return ty_fail(diag, TY_ERR_INPUT, "%s takes up to %d numbers with commas between, not '%s'", name, most,
                           item);
        }
        ++*count;
    }
    return *count ? TY_OK : ty_fail(diag, TY_ERR_INPUT, "%s is empty", name);
}

static ty_status set(ty_bed_def *def, char *text, bool *friction, ty_diag *diag)
{
    char *equals = strchr(text, '=');
    if (!equals) {
        return ty_fail(diag, TY_ERR_INPUT, "--set takes key=value, not '%s'", text);
    }
    *equals = '\0'; /* argv may be written to */
    if (!strcmp(text, "diameter")) {
        return set_list(text, def->diameter, &def->diameters, TY_BED_DIAMETERS, equals + 1, diag);
    }
    if (!strcmp(text, "slip")) {
        return set_list(text, def->slip, &def->slips, TY_BED_SLIPS, equals + 1, diag);
    }
    const key *table = of_columns(def) ? column_keys : def->model == TY_BED_DEM ? grain_keys : keys;
    for (const key *k = table; k->name; k++) {
        double value;
        if (strcmp(k->name, text) != 0) {
            continue;
        }
        if (!app_number(equals + 1, &value)) {
            return ty_fail(diag, TY_ERR_INPUT, "%s is '%s', but takes a finite number", text, equals + 1);
        }
        *(double *)((char *)def + k->offset) = k->scale * value;
        *friction |= !strcmp(text, "mu_2");
        if (!strcmp(text, "mu_s") && !*friction && table == keys) { /* one friction unless the other is given too */
            def->soil.mu_2 = value;
        }
        return TY_OK;
    }
    double value;
    if (of_columns(def) && !isnan(ty_soil_params_get(&def->bekker, text)) && strcmp(text, "g") != 0) {
        return app_number(equals + 1, &value)
                   ? ty_soil_params_set(&def->bekker, text, value, diag)
                   : ty_fail(diag, TY_ERR_INPUT, "%s is '%s', but takes a finite number", text, equals + 1);
    }
    char names[256] = "";
    for (const key *k = table; k->name; k++) {
        strcat(strcat(names, k->name), ", ");
    }
    return ty_fail(diag, TY_ERR_INPUT, "--set: unknown key '%s'; there are %sdiameter, slip%s", text, names,
                   of_columns(def) ? ", and those of a soil file (k_c, k_phi, n0, c, phi_deg, kx, rho ...)" : "");
}

static void print_number(double x)
{
    if (isfinite(x)) {
        printf("%.6g", x);
    } else {
        printf("null");
    }
}

static void print_json(const ty_bed_result *r, const ty_bed_def *def, const bed_fitted *fitted)
{
    printf("{\"test\": \"%s\", \"soil\": \"%s\", \"device\": \"%s\", \"particles\": %zu, \"wall_s\": %.4g",
           ty_bed_name(r->test), soil_name[def->model], def->device ? ty_device_get_info(def->device)->name : "cpu",
           r->particles, r->wall_s);
    for (int k = 0; k < r->fields; k++) {
        const ty_bed_field *f = &r->field[k];
        printf(", \"%s\": %s", f->name, f->list ? "[" : "");
        for (int i = 0; i < f->count; i++) {
            printf("%s", i ? ", " : "");
            print_number(f->value[i]);
        }
        printf("%s", f->list ? "]" : "");
    }
    if (fitted->done) {
        printf(
            ", \"fit_mu_s\": %.6g, \"fit_e\": %.6g, \"fit_c\": %.6g, \"fit_rms\": %.4g, \"fit_runs\": %d, \"fit_rows\": %d",
            def->soil.mu_s, def->soil.e, def->soil.c, fitted->rms, fitted->runs, fitted->rows);
    }
    printf(", \"spacing\": %g, \"steps\": %llu, \"volume_drift\": %.3g}\n", def->spacing, (unsigned long long)r->steps,
           r->volume_drift);
}

static ty_status write_series(const char *folder, const ty_bed_result *r, ty_diag *diag)
{
    char path[TY_PATH_MAX];
    snprintf(path, sizeof path, "%s/series.csv", folder);
    FILE *file = fopen(path, "w");
    if (!file) {
        return ty_fail(diag, TY_ERR_FILE, "%s cannot be written", path);
    }
    for (int c = 0; c < r->columns; c++) {
        fprintf(file, "%s%s", c ? "," : "", r->column[c]);
    }
    fputc('\n', file);
    for (size_t k = 0; k < r->rows; k++) {
        for (int c = 0; c < r->columns; c++) {
            fprintf(file, "%s%.9g", c ? "," : "", r->series[k * (size_t)r->columns + (size_t)c]);
        }
        fputc('\n', file);
    }
    return fclose(file) == 0 ? TY_OK : ty_fail(diag, TY_ERR_FILE, "%s cannot be written", path);
}

static ty_status make_folder(const char *path, ty_diag *diag)
{
    char part[TY_PATH_MAX];
    snprintf(part, sizeof part, "%s", path);
    for (char *c = part + 1;; c++) {
        if (*c == '/' || *c == '\0') {
            char was = *c;
            *c = '\0';
            if (mkdir(part, 0777) != 0 && errno != EEXIST) {
                return ty_fail(diag, TY_ERR_FILE, "the folder %s cannot be made", part);
            }
            *c = was;
            if (!was) {
                return TY_OK;
            }
        }
    }
}

static ty_status read_options(int *argc, char **argv, ty_bed_test test, ty_bed_def *def, ty_diag *diag)
{
    bool silo = test == TY_BED_JANSSEN || test == TY_BED_HOPPER;
    const char *soil = app_option(argc, argv, "--soil"), *file = app_option(argc, argv, "--soil-file");
    int model = soil ? 0 : silo ? TY_BED_DEM : TY_BED_CRM;
    while (soil && model < SOILS && strcmp(soil, soil_name[model]) != 0) {
        model++;
    }
    if (model == SOILS) {
        return ty_fail(diag, TY_ERR_INPUT, "--soil is '%s', but the laboratory has crm, dem, scm and bekker", soil);
    }
    *def = ty_bed_def_default(test, (ty_bed_soil)model);
    if (file && !of_columns(def)) {
        return ty_fail(diag, TY_ERR_INPUT, "--soil-file is of scm and bekker; soils of particles are given by --set");
    }
#ifndef TYCHO_MINIMAL
    if (file && ty_soil_params_load(file, NULL, 0, &def->bekker, diag) != TY_OK) {
        return diag->status;
    }
#else
    if (file) {
        return ty_fail(diag, TY_ERR_INPUT, "this build reads no files of soils");
    }
#endif
    char *text;
    bool friction = false;
    while ((text = (char *)(uintptr_t)app_option(argc, argv, "--set")) != NULL) {
        ty_status status = set(def, text, &friction, diag);
        if (status != TY_OK) {
            return status;
        }
    }
    const char *threads = app_option(argc, argv, "--threads"), *unknown;
    double count = 0.0;
    if (threads && !(app_number(threads, &count) && count >= 0.0 && count <= 4096.0 && floor(count) == count)) {
        return ty_fail(diag, TY_ERR_INPUT, "--threads is '%s', but takes a whole number from 0 (all) to 4096", threads);
    }
    def->threads = (int)count;
    if ((unknown = app_unknown_option(*argc, argv)) != NULL || *argc != 2) {
        return ty_fail(diag, TY_ERR_INPUT, "takes one test and options, not '%s'", unknown ? unknown : argv[*argc - 1]);
    }
    return TY_OK;
}

static int run(int argc, char **argv)
{
    ty_bed_test test = TY_BED_REST;
    if (app_flag(&argc, argv, "--list")) {
        for (int k = 0; k < TY_BED_COUNT; k++) {
            printf("%-9s %s\n", ty_bed_name((ty_bed_test)k), ty_bed_what((ty_bed_test)k));
        }
        return APP_OK;
    }
    if (argc < 2) {
        return app_bad("bed", "takes a test; `tycho bed --list` lists them.");
    }
    if (!ty_bed_find(argv[1], &test)) {
        return app_bad("bed", "'%s' is no test; `tycho bed --list` lists them.", argv[1]);
    }
    ty_bed_def def = { .cookie = 0 };
    ty_diag diag = { 0 };
    char folder[256];
    bool quiet = app_flag(&argc, argv, "--quiet");
    const char *out = app_option(&argc, argv, "-o"), *device = app_option(&argc, argv, "--device"),
               *mesh = app_option(&argc, argv, "--mesh"), *fit = app_option(&argc, argv, "--fit"),
               *frees = app_option(&argc, argv, "--free");
    bed_fitted fitted = { 0 };
    snprintf(folder, sizeof folder, "out/bed-%s", ty_bed_name(test));
    if (read_options(&argc, argv, test, &def, &diag) != TY_OK) {
        return app_bad("bed", "%s.", diag.text);
    }
    if (device && of_columns(&def)) {
        return app_bad("bed", "--device is of soils of particles; %s is computed by the host.", soil_name[def.model]);
    }
    if (frees && !fit) {
        return app_bad("bed", "--free goes with --fit TABLE.");
    }
    if (device) {
        ty_device_def choice = ty_device_def_default();
        choice.name = strcmp(device, "any") ? device : NULL;
        if (ty_device_create(&choice, &def.device, &diag) != TY_OK) {
            return app_bad("bed", "%s.", diag.text);
        }
    }
    out = out ? out : folder;
    app_progress progress;
    app_progress_start(&progress, quiet);
    def.progress = app_progress_hook(&progress);
    if (!quiet) {
        fprintf(stderr, "%s: spacing %g m, results in %s\n", ty_bed_name(test), def.spacing, out);
    }
    ty_bed_result result = { 0 };
    ty_status status = TY_OK;
#ifndef TYCHO_MINIMAL /* which reads no meshes */
    ty_mesh shape = { 0 };
    if (mesh) {
        status = tyi_io_mesh_read(mesh, 1.0, &shape, &diag);
        def.vertex = shape.vertex, def.vertices = shape.vertices;
        def.triangle = shape.triangle, def.triangles = shape.triangles;
    }
    if (status == TY_OK && fit) {
        status = bed_fit(test, &def, fit, frees, &fitted, &diag);
    }
#else
    status = mesh || fit ? ty_fail(&diag, TY_ERR_INPUT, "this build reads neither meshes nor tables") : TY_OK;
#endif
    if (status == TY_OK) {
        status = ty_bed_run(test, &def, &result, &diag);
    }
    app_progress_end(&progress);
    if (status == TY_OK && !quiet && ty_bed_get(&result, "passages") == 0.0) {
        fprintf(stderr, "drum: no whole passage of a scoop after 2 s; means are over what there is from %g s on\n",
                ty_bed_get(&result, "from_s"));
    }
    if (status == TY_OK) {
        status = make_folder(out, &diag);
    }
    if (status == TY_OK) {
        status = write_series(out, &result, &diag);
    }
#ifndef TYCHO_MINIMAL /* which has no pictures */
    if (status == TY_OK) {
        status = bed_draw(out, &result, &def, &diag);
    }
#endif
    if (status == TY_OK) {
        print_json(&result, &def, &fitted);
    }
    ty_bed_result_free(&result);
#ifndef TYCHO_MINIMAL
    tyi_io_mesh_free(&shape);
#endif
    ty_device_destroy(def.device);
    return status == TY_OK ? APP_OK : app_bad("bed", "%s.", diag.text);
}

const app_command app_cmd_bed = {
    "bed",
    "the soil laboratory: experiments on soil that flows",
    "usage: tycho bed TEST [--soil crm|dem|scm|bekker] [--set key=value]... [-o DIR] [--threads N] [--device NAME|any] [--mesh OBJ] [--quiet]\n"
    "       tycho bed plate|repose --fit TABLE [--free mu_s,e,c] [...]\n"
    "       tycho bed --list\n\n"
    "Runs one experiment on a bed of soil and prints its result as one flat JSON object; DIR (out/bed-TEST)\n"
    "gets series.csv, plot.png and picture.png (a cut along x and z). Keys: aspect, spacing [m], gravity [m/s2], rho [kg/m3],\n"
    "e [Pa], nu, mu_s, mu_2, i0, d [m], c [Pa], diameter [m] (plates: several, with commas), height [m], angle_deg, seconds,\n"
    "ball_rho [kg/m3], friction, load [N], side [m], jump, slip (a list), speed [m/s], rate [rad/s], width [m], alpha, xsph, delta, forget, skin, cfl, lode, markers (of a drum's mesh), scoops (of a drum). mu_s alone sets mu_2 too. mu is tau/p: the sine of a triaxial angle of friction.\n"
    "--soil scm, bekker: plate and wheel, by soil columns or formulas; keys spacing (scm), gravity, load, diameter, slip and those of a soil file, or --soil-file FILE.\n"
    "--soil dem: grains (collapse, repose, plate, ball, blade, drum, tumbler; janssen and hopper have no other). spacing is their mean diameter; rho, e, nu, mu_s\n"
    "are theirs, and roll, restitution, gamma [J/m2], spread (of the logarithm of sizes).\n"
    "--device: on an OpenCL device. --mesh: the drum's shape, metres, about y; without it one of winding scoops. The default spacing is the finest that ends within some 5 minutes on 2 cores.\n"
    "drum: torque_nm, push_n, sunk_m are means over whole passages of a scoop (turns / scoops, which is 2 unless set) from 2 s on, _se their standard error over passages (null of one),\n"
    "passages how many; 0: the run has no whole one, and means are from from_s to its end. Its defaults are delta=0.1, xsph=0.5 (others 0, 0.1): with them its forces hardly depend on the spacing.\n"
    "--fit: friction, stiffness, cohesion of crm that meet a table (CSV) of yours: sinkage_m, pressure_pa and, of several plates, diameter_m; or angle_deg of a heap; some ten runs. mu_s alone unless --free says more.\n\n"
    "example: tycho bed collapse --set aspect=2 --set spacing=0.01\n",
    run,
};
