/* app/terrain_measure.c - `tycho terrain measure`: is the ground what was asked for?
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "terrain.h"
#include "terrain_measure.h"
#include "io/out_file.h"
#include "terrain_site.h"
#include "study/measure.h"
#include "world/terrain/inner.h"

#define MAX_ROWS 64
#define STEPS    6

typedef struct row {
    char what[96];
    double asked, got, low, high; /* accepted from low to high; NaN: there is no bound */
    bool good;
} row;

typedef struct measure_job {
    app_site site;
    measured m;
    row rows[MAX_ROWS];
    int count;
    char folder[4001];
    bool quiet;
} measure_job;

static void add_row(measure_job *job, double asked, double got, double low, double high, const char *format,
                    double value)
{
    if (job->count < MAX_ROWS) {
        row *r = &job->rows[job->count++];
        *r = (row){ .asked = asked, .got = got, .low = low, .high = high, .good = !(got < low) && !(got > high) };
        snprintf(r->what, sizeof r->what, format, value);
    }
}

/* ---- measuring ---- */

static void count_craters(measure_job *job)
{
    static const double d[MEASURE_COUNTS] = { 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0 };
    const ty_crater_def *def = &job->m.def.crater;
    for (int i = 0; i < MEASURE_COUNTS && def->on; i++) {
        if (d[i] >= def->d_min && d[i] <= 0.5 * def->d_max) {
            job->m.count[job->m.counts++].d = d[i];
        }
    }
    tyi_study_measure_craters(job->site.terrain, 300.0, job->m.counts, job->m.count);
    for (int i = 0; i < job->m.counts; i++) {
        const tyi_study_measure_count *c = &job->m.count[i];
        double want = c->law * c->area, bound = 0.15 * want + 2.0 * sqrt(want);
        add_row(job, want, c->count, want - bound, want + bound, "craters of at least %g m, number", c->d);
    }
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

#define LARGE_FROM 15.0 /* [m] class from which worn craters go over into those of the table, and where they all are */
#define WORN_TO    60.0 /* [m] */

/* the newest n craters that were read: how many lie in the published spread, and the middle one */
static void judge_depths(measure_job *job, const tyi_study_measure_depth *list, size_t n, double d)
{
    const tyi_study_measure_crater_class *c = tyi_study_crater_class_of(d);
    const ty_crater_def *def = &job->m.def.crater;
    double *ratio = calloc(n, sizeof *ratio), mean = 0.0;
    size_t inside = 0;
    bool worn = def->wear > 0.0 && d < WORN_TO;
    for (size_t i = 0; ratio && i < n; i++) {
        ratio[i] = list[i].ratio;
        inside += ratio[i] >= c->min && ratio[i] <= c->max;
        mean += ratio[i] / (double)n;
    }
    if (ratio &&
        worn) { /* of all ages: what rovers saw of decimetre to metre craters, and less for those they missed */
        double wear = def->wear, law = 0.2 * log(1.0 + wear) / wear;
        add_row(job, law, mean, d < LARGE_FROM ? 0.03 : (double)NAN, d < LARGE_FROM ? 0.06 : (double)NAN,
                "depth / diameter from %g m on, mean of all ages", d);
    } else if (ratio) {
        qsort(ratio, n, sizeof *ratio, by_value);
        add_row(job, c->median, ratio[n / 2], c->p16, c->p84, "depth / diameter from %g m on, median", d);
        add_row(job, 100.0, 100.0 * (double)inside / (double)n, 90.0, 100.0, "  the same, in the published spread [%%]",
                d);
    }
    free(ratio);
}

static ty_status read_depths(measure_job *job, ty_diag *diag)
{
    static const double range[][2] = { { 1.0, 2.0 },    { 2.0, 4.0 },     { 4.0, 8.0 },
                                       { 8.0, 15.0 },   { 15.0, 30.0 },   { 30.0, 60.0 },
                                       { 60.0, 100.0 }, { 100.0, 200.0 }, { 200.0, 400.0 } };
    const ty_crater_def *def = &job->m.def.crater;
    ty_status status = TY_OK;
    for (size_t k = 0; k < sizeof range / sizeof range[0] && def->on && status == TY_OK; k++) {
        if (range[k][0] < def->d_min || range[k][1] > def->d_max) {
            continue;
        }
        size_t n, room = MEASURE_DEPTHS - job->m.depths;
        tyi_study_measure_depth *list = job->m.depth + job->m.depths;
        room = room < 600 ? room : 600;
        status = tyi_study_measure_depths(job->site.terrain, 60.0 * range[k][1], range[k][0], range[k][1], list, room,
                                          &n, diag);
        n = n < room ? n : room;
        job->m.depths += n;
        if (status == TY_OK && n >= 20) {
            judge_depths(job, list, n, range[k][0]);
        }
    }
    return status;
}

/* The law is for rocks that do not gather round craters: that is measured on the same ground with
 * the gathering off. The square holds some 2000 rocks of the size, the rays hit as often. */
static ty_status cover_by_rocks(measure_job *job, ty_diag *diag)
{
    static const double d[MEASURE_COVERS] = { 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0 };
    ty_terrain_def def = job->m.def;
    ty_terrain *t = NULL;
    def.rock.crater_boost = 1.0;
    ty_status status = def.rock.on && def.rock.cover > 0.0 ? ty_terrain_create(&def, &t, diag) : TY_OK;
    for (int i = 0; i < MEASURE_COVERS && status == TY_OK && t; i++) {
        double b = def.rock.exponent, q = 1.79 + 0.152 / def.rock.cover;
        double law = tyi_terrain_def_rock_cover(&def.rock, d[i]);
        double last = b > 0.0 ? 0.0 : tyi_terrain_def_rock_cover(&def.rock, def.rock.d_max);
        double mean = b > 0.0 ? d[i] * sqrt(b / (b - 2.0)) : d[i] + 1.0 / q; /* of the area of one */
        double size = sqrt(2000.0 * 0.25 * TY_PI * mean * mean / law);
        if (d[i] < def.rock.d_min || d[i] > 0.3 * def.rock.d_max || last > 0.02 * law || size > 1500.0) {
            continue;
        }
        tyi_study_measure_cover *c = &job->m.cover[job->m.covers++];
        c->d = d[i];
        status = tyi_study_measure_rocks(t, size, (int)fmin(fmax(sqrt(4000.0 / law), 500.0), 4000.0), 1, c, diag);
        add_row(job, c->law, c->cover, 0.9 * c->law, 1.1 * c->law, "area of rocks of at least %g m [-]", d[i]);
    }
    ty_terrain_destroy(t);
    return status;
}

static ty_status roughness(measure_job *job, ty_diag *diag)
{
    ty_terrain_def def = job->m.def;
    ty_terrain *t = NULL;
    def.crater.on = def.rock.on = false;
    /* relief with an end has no one exponent, and its slope is that of the ground with craters: slopes() below */
    job->m.relief = !(def.base.spacing > 0.0) && def.relief.rms_slope_deg > 0.0 && !(def.relief.inner > 0.0);
    ty_status status = job->m.relief ? ty_terrain_create(&def, &t, diag) : TY_OK;
    if (t) {
        const ty_relief_def *r = &def.relief;
        status = tyi_study_measure_roughness(t, 12, &job->m.bare, diag);
        if (status == TY_OK) {
            status = tyi_study_measure_roughness(job->site.terrain, 12, &job->m.full, diag);
        }
        double s = r->rms_slope_deg;
        add_row(job, s, job->m.bare.rms_slope_deg, 0.95 * s, 1.05 * s, "RMS slope at %g m without craters [deg]",
                r->baseline);
        add_row(job, r->hurst, job->m.bare.hurst, r->hurst - 0.05, r->hurst + 0.05,
                "Hurst exponent below %g m without craters", r->baseline);
        add_row(job, s, job->m.full.rms_slope_deg, NAN, NAN, "RMS slope at %g m with craters [deg]", r->baseline);
        add_row(job, r->hurst, job->m.full.hurst, NAN, NAN, "Hurst exponent below %g m with craters", r->baseline);
    }
    ty_terrain_destroy(t);
    return status;
}

/* the finished ground of a kind, from 1 cm to 25 m */
static ty_status slopes(measure_job *job, ty_diag *diag)
{
    const ty_terrain_def *def = &job->m.def;
    ty_ground_kind kind = (ty_ground_kind)def->kind;
    tyi_study_measure_slope_bound b[TYI_STUDY_MEASURE_SLOPES];
    int n = 0;
    while (n < TYI_STUDY_MEASURE_SLOPES && tyi_study_measure_slope_bound_at(kind, n, &b[n])) {
        job->m.slope[n].baseline = b[n].baseline;
        n++;
    }
    if (n == 0 || def->base.spacing > 0.0) {
        return TY_OK;
    }
    job->m.slopes = n;
    /* so far apart that the longest waves and the largest craters differ from place to place */
    double apart = fmax(2.0 * def->crater.d_max, 1.5 * def->relief.outer);
    ty_status status = tyi_study_measure_slopes(job->site.terrain, 20, apart, n, job->m.slope, diag);
    for (int i = 0; i < n && status == TY_OK; i++) {
        add_row(job, 0.5 * (b[i].low + b[i].high), job->m.slope[i].deg, b[i].low, b[i].high,
                "RMS slope at %g m with craters, by kind [deg]", b[i].baseline);
    }
    tyi_study_measure_slope own = { .baseline = def->relief.baseline };
    if (status == TY_OK && def->relief.inner > 0.0) {
        double s = def->relief.rms_slope_deg;
        status = tyi_study_measure_slopes(job->site.terrain, 20, apart, 1, &own, diag);
        add_row(job, s, own.deg, 0.9 * s, 1.1 * s, "RMS slope at %g m with craters, as asked [deg]", own.baseline);
    }
    return status;
}

static ty_status continuation(measure_job *job, ty_diag *diag)
{
    const ty_raster_spectrum *fit = job->m.fit = ty_world_spectrum(job->site.world);
    if (!fit) {
        return TY_OK;
    }
    ty_status status =
        tyi_study_measure_continuation(job->site.terrain, fit->hurst, fit->amplitude, &job->m.spectrum, diag);
    for (int b = 0; b < job->m.spectrum.bands && status == TY_OK; b++) {
        add_row(job, 0.0, job->m.spectrum.db[b], -2.0, 2.0, "ground over the base's law at %.3g m [dB]",
                job->m.spectrum.wavelength[b]);
    }
    return status;
}

static ty_status measure(measure_job *job, ty_diag *diag)
{
    ty_status (*const steps[STEPS])(measure_job *, ty_diag *) = { NULL,      read_depths, cover_by_rocks,
                                                                  roughness, slopes,      continuation };
    app_progress progress;
    app_progress_start(&progress, job->quiet);
    ty_progress hook = app_progress_hook(&progress);
    job->m.def = *ty_terrain_get_def(job->site.terrain);
    job->m.depth = calloc(MEASURE_DEPTHS, sizeof *job->m.depth);
    ty_status status = job->m.depth ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "no memory for the craters");
    for (int i = 0; i < STEPS && status == TY_OK; i++) {
        if (steps[i]) {
            status = steps[i](job, diag);
        } else {
            count_craters(job);
        }
        hook.report(hook.user, "measures", i + 1, STEPS);
    }
    app_progress_end(&progress);
    return status;
}

/* ---- what is written ---- */

static int misses(const measure_job *job)
{
    int n = 0;
    for (int i = 0; i < job->count; i++) {
        n += !job->rows[i].good;
    }
    return n;
}

static void print_table(const measure_job *job)
{
    printf("%-52s %10s %10s   %-21s %s\n", "quantity", "asked", "got", "accepted", "verdict");
    for (int i = 0; i < job->count; i++) {
        const row *r = &job->rows[i];
        char accepted[48] = "-";
        if (!isnan(r->low)) {
            snprintf(accepted, sizeof accepted, "%.4g to %.4g", r->low, r->high);
        }
        printf("%-52s %10.4g %10.4g   %-21s %s\n", r->what, r->asked, r->got, accepted,
               isnan(r->low) ? "-"
               : r->good     ? "good"
                             : "MISSED");
    }
}

static void json_number(FILE *f, const char *key, double v)
{
    fprintf(f, isfinite(v) ? ", \"%s\": %.9g" : ", \"%s\": null", key, v);
}

static ty_status write_json(const measure_job *job, const char *path, ty_diag *diag)
{
    tyi_io_sink *out;
    ty_status status = tyi_io_sink_open(path, &out, diag);
    if (status != TY_OK) {
        return status;
    }
    FILE *f = tyi_io_sink_file(out);
    fprintf(f, "{\n  \"scenario\": \"%s\",\n  \"seed\": %llu,\n  \"missed\": %d,\n  \"rows\": [\n", job->site.name,
            (unsigned long long)job->m.def.seed, misses(job));
    for (int i = 0; i < job->count; i++) {
        const row *r = &job->rows[i];
        fprintf(f, "    {\"quantity\": \"%s\"", r->what + strspn(r->what, " "));
        json_number(f, "asked", r->asked);
        json_number(f, "got", r->got);
        json_number(f, "low", r->low);
        json_number(f, "high", r->high);
        fprintf(f, ", \"good\": %s}%s\n", r->good ? "true" : "false", i + 1 < job->count ? "," : "");
    }
    fprintf(f, "  ]\n}\n");
    return tyi_io_sink_close(out, TY_OK, diag);
}

/* every plot and the table; on failure what was written is taken away again */
static void write_all(measure_job *job, ty_diag *diag)
{
    char path[4100];
    const char *name = NULL;
    bool made = mkdir(job->folder, 0777) == 0;
    if (!made && errno != EEXIST) {
        ty_fail(diag, TY_ERR_FILE, "the folder %s cannot be made: %s", job->folder, strerror(errno));
        return;
    }
    int i = 0;
    for (; diag->status == TY_OK && app_measure_plot(&job->m, i, &name, NULL, diag); i++) {
        snprintf(path, sizeof path, "%s/%s", job->folder, name ? name : "");
        app_measure_plot(&job->m, i, &name, path, diag);
        if (name && diag->status == TY_OK && !job->quiet) {
            printf("%s\n", path);
        }
    }
    if (diag->status == TY_OK) {
        snprintf(path, sizeof path, "%s/measure.json", job->folder);
        if (write_json(job, path, diag) == TY_OK && !job->quiet) {
            printf("%s\n", path);
        }
    }
    for (; diag->status != TY_OK && i >= 0; i--) {
        if (app_measure_plot(&job->m, i, &name, NULL, diag) && name) {
            snprintf(path, sizeof path, "%s/%s", job->folder, name);
            unlink(path);
        }
    }
    if (diag->status != TY_OK && made) {
        rmdir(job->folder);
    }
}

/* before the work: is there a folder to write into, or can it be made? */
static ty_status check_output(const measure_job *job, ty_diag *diag)
{
    struct stat st;
    if (stat(job->folder, &st) != 0) {
        return app_site_output(&job->site, job->folder, diag);
    }
    if (!S_ISDIR(st.st_mode)) {
        return ty_fail(diag, TY_ERR_FILE, "%s is a file; the plots need a folder", job->folder);
    }
    return access(job->folder, W_OK | X_OK) == 0
               ? TY_OK
               : ty_fail(diag, TY_ERR_FILE, "%s cannot be written into: %s", job->folder, strerror(errno));
}

static int run(int argc, char **argv)
{
    ty_diag diag = { 0 };
    measure_job *job = calloc(1, sizeof *job);
    if (!job) {
        return app_bad("terrain measure", "no memory.");
    }
    job->quiet = app_flag(&argc, argv, "--quiet");
    const char *folder = app_option(&argc, argv, "-o");
    signal(SIGXFSZ, SIG_IGN); /* a limit on file size is then a full disk: a sentence, not a crash */
    if (!folder || !*folder || strlen(folder) >= sizeof job->folder) {
        ty_fail(&diag, TY_ERR_INPUT, "takes a scenario and -o FOLDER for its plots");
    } else {
        snprintf(job->folder, sizeof job->folder, "%s", folder);
        for (size_t n = strlen(folder); n > 1 && job->folder[n - 1] == '/'; n--) {
            job->folder[n - 1] = '\0';
        }
    }
    if (diag.status == TY_OK && app_site_open(&job->site, &argc, argv, &diag) == TY_OK &&
        app_rest(argc, argv, 0, &diag) == TY_OK && check_output(job, &diag) == TY_OK && measure(job, &diag) == TY_OK) {
        if (!job->quiet) {
            print_table(job);
        }
        write_all(job, &diag);
    }
    int missed = misses(job);
    if (diag.status == TY_OK && !job->quiet) {
        printf("%d of %d within their bounds\n", job->count - missed, job->count);
    }
    app_site_close(&job->site);
    free(job->m.depth);
    free(job);
    return diag.status != TY_OK ? app_bad("terrain measure", "%s.", diag.text) : missed ? 1 : APP_OK;
}

const app_command app_terrain_measure = {
    "measure",
    "measure the ground back: craters, rocks, roughness beside the laws they were made from",
    "usage: tycho terrain measure SCENARIO|RASTER -o FOLDER [options]\n\n"
    "Counts craters, reads their depths off the heights, casts rays down on rocks, and takes "
    "height differences\n"
    "or, over a base raster, the spectrum across its resolution. Prints a table, and writes a plot "
    "of each with\n"
    "the law beside it and measure.json into the folder. Exit code 1 where a bound is missed.\n\n"
    "  --set a.b=c         change a key of the scenario\n"
    "  --quiet             no progress line, no table\n\n"
    "example: tycho terrain measure scenarios/south_pole.yaml -o measure\n",
    run,
};
