/* app/cmd_wheel.c - `tycho wheel`: the single-wheel testbed. Reads the options; the work is in wheel_*.c.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tycho/math.h"
#include "study/wheel_fit.h"
#include "wheel.h"

#define MOST_SETTINGS 64

/* "A", "A,B,C" or "A:B:N" (N values from A to B) */
static bool parse_sweep(const char *text, wheel_sweep *out)
{
    double low, high;
    int n, used = 0;
    if (sscanf(text, "%lf:%lf:%d%n", &low, &high, &n, &used) == 3 && !text[used]) {
        if (n < 1 || n > WHEEL_STEPS || !isfinite(low) || !isfinite(high)) {
            return false;
        }
        for (int i = 0; i < n; i++) {
            out->value[i] = n > 1 ? low + (high - low) * i / (n - 1) : low;
        }
        out->count = n;
        return true;
    }
    out->count = 0;
    while (out->count < WHEEL_STEPS) {
        char *end;
        double value = strtod(text, &end);
        if (end == text || !isfinite(value) || (*end && *end != ',')) {
            return false;
        }
        out->value[out->count++] = value;
        if (!*end) {
            return true;
        }
        text = end + 1;
    }
    return false;
}

static bool take_sweep(int *argc, char **argv, const char *name, double fallback, wheel_sweep *out)
{
    const char *text = app_option(argc, argv, name);
    *out = (wheel_sweep){ .value = { fallback }, .count = 1 };
    if (text && !parse_sweep(text, out)) {
        app_bad("wheel", "%s takes A, A,B,C or FROM:TO:COUNT (at most %d), not '%s'.", name, WHEEL_STEPS, text);
        return false;
    }
    return true;
}

static bool take_number(int *argc, char **argv, const char *name, double *value)
{
    const char *text = app_option(argc, argv, name);
    if (text && !app_number(text, value)) {
        app_bad("wheel", "%s takes a number, not '%s'.", name, text);
        return false;
    }
    return true;
}

static bool take_soil(int *argc, char **argv, ty_soil_params *soil)
{
    const char *settings[MOST_SETTINGS], *text, *path = app_option(argc, argv, "--soil");
    size_t count = 0;
    while ((text = app_option(argc, argv, "--set")) != NULL) {
        if (count == MOST_SETTINGS) {
            app_bad("wheel", "takes at most %d --set options.", MOST_SETTINGS);
            return false;
        }
        settings[count++] = text;
    }
    ty_diag diag = { 0 };
    if (ty_soil_params_load(path, settings, count, soil, &diag) != TY_OK) {
        app_bad("wheel", "%s.", diag.text);
        return false;
    }
    return true;
}

/* --wheel R,B[,GROUSER_H,GROUSERS] */
static bool take_wheel(int *argc, char **argv, ty_wheel_shape *wheel)
{
    const char *text = app_option(argc, argv, "--wheel");
    double lugs = 0.0, high = 0.0;
    int used = 0;
    if (!text) {
        return true;
    }
    int n = sscanf(text, "%lf,%lf%n,%lf,%lf%n", &wheel->r, &wheel->b, &used, &high, &lugs, &used);
    if ((n != 2 && n != 4) || text[used] || lugs != floor(lugs) || fabs(lugs) > 1000.0) {
        app_bad("wheel", "--wheel takes R,B or R,B,GROUSER_H,GROUSERS in metres, not '%s'.", text);
        return false;
    }
    wheel->grouser_h = high;
    wheel->grousers = (int)lugs;
    return true;
}

static bool take_model(int *argc, char **argv, ty_rig_def *rig)
{
    const char *text = app_option(argc, argv, "--model");
    if (text && !ty_rig_find(text, &rig->model)) {
        char all[100] = "";
        for (int i = TY_RIG_STATIC; i < TY_SOIL_NONE; i++) {
            snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i > TY_RIG_STATIC ? ", " : "",
                     ty_rig_name(i));
        }
        app_bad("wheel", "--model takes one of %s, not '%s'.", all, text);
        return false;
    }
    return take_number(argc, argv, "--cell", &rig->cell) && take_number(argc, argv, "--dt", &rig->dt);
}

/* which measured points: slip range, slip angles, deepest sinkage in radii */
typedef struct keep {
    wheel_sweep slip, beta;
    bool by_slip, by_beta;
    double deepest;
} keep;

static bool take_keep(int *argc, char **argv, keep *k)
{
    const char *slip = app_option(argc, argv, "--keep-slip"), *beta = app_option(argc, argv, "--keep-beta");
    *k = (keep){ .by_slip = slip, .by_beta = beta, .deepest = INFINITY };
    if (slip && (!parse_sweep(slip, &k->slip) || k->slip.count != 2)) {
        app_bad("wheel", "--keep-slip takes LOW,HIGH, not '%s'.", slip);
        return false;
    }
    if (beta && !parse_sweep(beta, &k->beta)) {
        app_bad("wheel", "--keep-beta takes slip angles A,B,C in degrees, not '%s'.", beta);
        return false;
    }
    return take_number(argc, argv, "--keep-sinkage", &k->deepest);
}

static bool kept(const keep *k, const tyi_study_wheel *p, const wheel_job *job)
{
    const ty_wheel_shape *wheel = p->wheel.r > 0.0 ? &p->wheel : &job->rig.wheel;
    double slip = tyi_study_wheel_slip(p, &job->rig.soil, wheel);
    bool beta = !k->by_beta;
    for (int i = 0; i < k->beta.count; i++) {
        beta |= fabs(p->beta / TY_DEG - k->beta.value[i]) < 1e-6;
    }
    return beta && !(p->h > k->deepest * wheel->r) &&
           (!k->by_slip || (slip >= k->slip.value[0] && slip <= k->slip.value[1]));
}

static bool load_data(const char *path, const char *rows, const keep *k, wheel_job *job)
{
    ty_diag diag = { 0 };
    if (path && tyi_study_wheel_load(path, rows, &job->data, &diag) != TY_OK) {
        app_bad("wheel", "%s.", diag.text);
        return false;
    }
    size_t n = 0;
    for (size_t i = 0; i < job->data.points; i++) {
        if (kept(k, &job->data.point[i], job)) {
            job->data.point[n++] = job->data.point[i];
        }
    }
    job->data.points = n;
    return true;
}

static int dispatch(int argc, char **argv, wheel_job *job)
{
    const char *data = app_option(&argc, argv, "--data"), *rows = app_option(&argc, argv, "--rows"),
               *fit = app_option(&argc, argv, "--fit"), *free_list = app_option(&argc, argv, "--free");
    bool plate = app_flag(&argc, argv, "--plate"), shear = app_flag(&argc, argv, "--shear");
    double depth = plate ? 0.05 : 0.1;
    wheel_sweep width, normal;
    keep k;
    if (!take_sweep(&argc, argv, "--width", 0.05, &width) || !take_sweep(&argc, argv, "--normal", 5e3, &normal) ||
        !take_number(&argc, argv, "--depth", &depth) || !take_keep(&argc, argv, &k)) {
        return APP_BAD;
    }
    if (argc > 1) {
        return app_bad("wheel", "there is no option '%s', or its value is missing; `tycho wheel --help` lists them.",
                       argv[1]);
    }
    if (plate + shear + (fit != NULL) > 1) {
        return app_bad("wheel", "takes one of --plate, --shear and --fit.");
    }
    if (!load_data(fit ? fit : data, rows, &k, job)) {
        return APP_BAD;
    }
    return fit     ? wheel_run_fit(job, free_list)
           : plate ? wheel_run_plate(job, &width, depth)
           : shear ? wheel_run_shear(job, &normal, depth)
                   : wheel_run_sweep(job);
}

static int run(int argc, char **argv)
{
    wheel_job *job = calloc(1, sizeof *job);
    if (!job) {
        return app_bad("wheel", "no memory.");
    }
    job->rig = ty_rig_def_default();
    job->csv = app_option(&argc, argv, "--csv");
    job->plot = app_option(&argc, argv, "--plot");
    job->quiet = app_flag(&argc, argv, "--quiet");
    int code = APP_BAD;
    if (take_soil(&argc, argv, &job->rig.soil) && take_wheel(&argc, argv, &job->rig.wheel) &&
        take_model(&argc, argv, &job->rig) && take_sweep(&argc, argv, "--load", job->rig.load, &job->load) &&
        take_sweep(&argc, argv, "--slip", 0.2, &job->slip) &&
        take_sweep(&argc, argv, "--beta-deg", 0.0, &job->beta_deg) &&
        take_sweep(&argc, argv, "--speed", job->rig.speed, &job->speed)) {
        code = dispatch(argc, argv, job);
    }
    tyi_study_wheel_free(&job->data);
    free(job);
    return code;
}

const app_command app_cmd_wheel = {
    "wheel",
    "a single wheel, plate or shear test in a soil bin; fits",
    "usage: tycho wheel [options]\n\n"
    "  --soil FILE, --set KEY=VALUE    soil (models/soils), single numbers of it\n"
    "  --wheel R,B[,GROUSER_H,LUGS]    wheel in metres (0.25,0.2)\n"
    "  --model static|MODEL            steady solution, or any soil model (rigid, bekker, regression, scm) stepped\n"
    "                                  until steady; --dt, --cell\n"
    "  --load, --slip, --beta-deg, --speed   A or A,B,C or FROM:TO:COUNT\n"
    "  --csv FILE, --plot FILE.png     results (CSV on standard output without --csv)\n"
    "  --data FILE.csv, --rows PREFIX  measured points drawn over; rows whose name begins so\n"
    "  --keep-slip A,B --keep-beta A,B,.. --keep-sinkage X   only these points (sinkage in radii)\n"
    "  --plate --width B,.. --depth D  plate sinkage (also --model scm);  --shear --normal P,..\n"
    "  --fit DATA.csv --free KEY[:LOW:HIGH[:START]],..   soil by least squares, as a soil file\n"
    "                                  with standard errors\n\n"
    "example: tycho wheel --soil models/soils/ding.yaml --set g=9.81 --wheel 0.157,0.165,0.01,30 \\\n"
    "           --load 80 --slip 0:0.6:25 --plot ding.png --csv ding.csv\n",
    run,
};
