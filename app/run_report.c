/* app/run_report.c - summary.json and report.html of a run.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "run.h"

typedef struct digest {
    double way, speed_mean, slip_mean, slip_max, sinkage_mean, sinkage_max, tilt_max, energy;
} digest;

#define SETTLED 2.0 /* [s] the rover is put down at the start and sinks in: not counted */

/* slip is averaged where the rover moves: a spinning or standing wheel at the ends says nothing of the ground */
static digest digest_of(const run_record *r)
{
    digest d = { 0 };
    double n = 0.0;
    for (size_t i = 0; i < r->rows; i++) {
        const run_row *row = &r->row[i];
        double tilt = acos(fmin(1.0, cos(row->roll) * cos(row->pitch)));
        d.way = row->way;
        d.tilt_max = fmax(d.tilt_max, tilt);
        d.energy += i ? fmax(row->power, 0.0) * (row->t - r->row[i - 1].t) : 0.0;
        for (int w = 0; w < row->wheels; w++) {
            d.sinkage_max = fmax(d.sinkage_max, (double)row->sinkage[w]);
            if (row->speed > 0.02 && row->t > SETTLED) {
                d.slip_mean += (double)row->slip[w];
                d.slip_max = fmax(d.slip_max, fabs((double)row->slip[w]));
                d.sinkage_mean += (double)row->sinkage[w];
                n += 1.0;
            }
        }
    }
    d.slip_mean /= fmax(n, 1.0);
    d.sinkage_mean /= fmax(n, 1.0);
    d.speed_mean = r->simulated > 0.0 ? d.way / r->simulated : 0.0;
    return d;
}

/* opens FOLDER/NAME under a temporary name; close_new() gives it its own */
static FILE *open_new(const run_record *r, const char *name, char *path, size_t size, ty_diag *diag)
{
    snprintf(path, size, "%s/%s.part", r->folder, name);
    FILE *f = fopen(path, "w");
    if (!f) {
        ty_fail(diag, TY_ERR_FILE, "%s cannot be written: %s", path, strerror(errno));
    }
    return f;
}

static ty_status close_new(FILE *f, char *path, ty_diag *diag)
{
    bool bad = ferror(f) != 0;
    bad = fclose(f) != 0 || bad;
    char whole[4300];
    snprintf(whole, sizeof whole, "%s", path);
    whole[strlen(whole) - strlen(".part")] = '\0';
    if (bad || rename(path, whole)) {
        remove(path);
        return ty_fail(diag, TY_ERR_FILE, "%s cannot be written: %s", whole, strerror(errno));
    }
    return TY_OK;
}

ty_status run_summary(const run_record *r, ty_run *run, ty_diag *diag)
{
    char path[4300];
    FILE *f = open_new(r, "summary.json", path, sizeof path, diag);
    if (!f) {
        return TY_ERR_FILE;
    }
    digest d = digest_of(r);
    ty_vehicle *v = ty_run_rovers(run) ? ty_run_rover(run, 0) : NULL;
    const run_row *last = r->rows ? &r->row[r->rows - 1] : NULL;
    fprintf(f, "{\n  \"tycho\": \"%s\",\n  \"scenario\": \"%s\",\n  \"seed\": %llu,\n  \"start_utc\": \"%s\",\n", ty_version(), r->scenario->name,
            (unsigned long long)r->scenario->terrain.seed, r->scenario->start_utc);
    fprintf(f, "  \"rover\": \"%s\",\n  \"mass_kg\": %.3f,\n  \"soil\": \"%s\",\n", v ? ty_vehicle_name(v) : "", v ? ty_vehicle_mass(v) : 0.0,
            v ? ty_soil_model_name((ty_soil_model_kind)r->scenario->rover[0].soil_model) : "");
    fprintf(f, "  \"simulated_s\": %.4f,\n  \"ended\": \"%s\",\n  \"way_m\": %.4f,\n  \"end_x_m\": %.4f,\n  \"end_y_m\": %.4f,\n", r->simulated,
            r->ended, d.way, last ? last->p.x : 0.0, last ? last->p.y : 0.0);
    fprintf(f, "  \"speed_mean_m_s\": %.5f,\n  \"slip_mean\": %.5f,\n  \"slip_max\": %.5f,\n  \"sinkage_mean_m\": %.6f,\n  \"sinkage_max_m\": %.6f,\n",
            d.speed_mean, d.slip_mean, d.slip_max, d.sinkage_mean, d.sinkage_max);
    fprintf(f, "  \"tilt_max_deg\": %.4f,\n  \"drive_energy_j\": %.3f,\n  \"frames\": %zu,\n  \"messages\": %zu,\n", d.tilt_max / TY_DEG, d.energy, r->frames, r->messages);
    if (r->pace.on) {
        fprintf(f, "  \"late_steps\": %zu,\n  \"late_worst_s\": %.6f,\n", r->pace.late, r->pace.worst);
    }
    fprintf(f, "  \"wall_s\": %.3f,\n  \"wall_render_s\": %.3f,\n  \"wall_wait_s\": %.3f,\n  \"real_time_factor\": %.4f\n}\n", r->wall, r->wall_render, r->wall_wait,
            r->simulated > 0.0 ? r->wall / r->simulated : 0.0);
    return close_new(f, path, diag);
}

/* the picture as text in the page itself, so that the page can be sent around alone */
static void embed(const run_record *r, FILE *out, const char *file, const char *caption)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char path[4300];
    snprintf(path, sizeof path, "%s/%s", r->folder, file);
    FILE *in = fopen(path, "rb");
    if (!in) {
        return;
    }
    fprintf(out, "<figure><img alt=\"%s\" src=\"data:image/png;base64,", caption);
    unsigned char b[3];
    for (size_t n; (n = fread(b, 1, 3, in)) > 0;) {
        unsigned v = (unsigned)b[0] << 16 | (n > 1 ? (unsigned)b[1] << 8 : 0u) | (n > 2 ? (unsigned)b[2] : 0u);
        fputc(digits[v >> 18], out);
        fputc(digits[v >> 12 & 63], out);
        fputc(n > 1 ? digits[v >> 6 & 63] : '=', out);
        fputc(n > 2 ? digits[v & 63] : '=', out);
    }
    fclose(in);
    fprintf(out, "\"><figcaption>%s</figcaption></figure>\n", caption);
}

static void table(const run_record *r, FILE *f)
{
    digest d = digest_of(r);
    const struct {
        const char *what, *unit;
        double value;
    } rows[] = { { "simulated time", "s", r->simulated },       { "way", "m", d.way },
                 { "mean speed", "m/s", d.speed_mean },         { "mean slip while moving", "%", 100.0 * d.slip_mean },
                 { "largest slip", "%", 100.0 * d.slip_max },   { "mean sinkage while moving", "mm", 1e3 * d.sinkage_mean },
                 { "largest sinkage", "mm", 1e3 * d.sinkage_max }, { "largest tilt", "deg", d.tilt_max / TY_DEG },
                 { "drive energy", "J", d.energy },             { "wall time / simulated time", "", r->simulated > 0.0 ? r->wall / r->simulated : 0.0 },
                 { "rendering beside it / simulated time", "", r->simulated > 0.0 ? r->wall_render / r->simulated : 0.0 },
                 { "waiting for it / simulated time", "", r->simulated > 0.0 ? r->wall_wait / r->simulated : 0.0 } };
    fprintf(f, "<table>\n");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fprintf(f, "<tr><td>%s</td><td>%.4g %s</td></tr>\n", rows[i].what, rows[i].value, rows[i].unit);
    }
    fprintf(f, "</table>\n");
}

/* stretches in which something worth a look went on: start and value */
static void events(const run_record *r, FILE *f)
{
    fprintf(f, "<h2>Events</h2>\n<table id=\"events\"><tr><th>time [s]</th><th>event</th></tr>\n");
    bool slipping = false, tilted = false, dark = false;
    int count = 0;
    for (size_t i = 0; i < r->rows && count < 200; i++) {
        const run_row *row = &r->row[i];
        double slip = 0.0, tilt = acos(fmin(1.0, cos(row->roll) * cos(row->pitch)));
        for (int w = 0; w < row->wheels; w++) {
            slip = row->speed > 0.02 && row->t > SETTLED ? fmax(slip, fabs((double)row->slip[w])) : slip;
        }
        if (slip > 0.4 && !slipping) {
            fprintf(f, "<tr><td>%.1f</td><td>high slip: %.0f %%</td></tr>\n", row->t, 100.0 * slip), count++;
        }
        if (tilt > 15.0 * TY_DEG && !tilted) {
            fprintf(f, "<tr><td>%.1f</td><td>tilt above 15 deg</td></tr>\n", row->t), count++;
        }
        if (row->sun < 0.0 && !dark) {
            fprintf(f, "<tr><td>%.1f</td><td>Sun below the site's horizontal</td></tr>\n", row->t), count++;
        }
        slipping = slip > (slipping ? 0.3 : 0.4);
        tilted = tilt > (tilted ? 13.0 : 15.0) * TY_DEG;
        dark = row->sun < 0.0;
    }
    fprintf(f, "%s</table>\n", count ? "" : "<tr><td></td><td>none</td></tr>\n");
}

/* pictures of one sensor over the run, at most 12 of them, spread evenly */
static void strip(const run_record *r, ty_run *run, FILE *f, size_t sensor)
{
    enum { MOST = 12 };
    ty_sensor_info info = ty_run_sensor(run, sensor);
    size_t all = 0, seen = 0, shown = 0;
    for (size_t i = 0; i < r->frames; i++) {
        all += r->frame[i].sensor == sensor;
    }
    fprintf(f, "<h2>%s %s of %s</h2>\n<p>%llu messages every %.4g s, window %.4g s, lag %.4g s.</p>\n<div class=\"strip\">\n", info.schema->name,
            info.name, info.rover, (unsigned long long)info.sequence, ty_seconds(info.period), ty_seconds(info.window), ty_seconds(info.lag));
    for (size_t i = 0; i < r->frames; i++) {
        if (r->frame[i].sensor == sensor) {
            if (all <= MOST || seen * (MOST - 1) / (all - 1) >= shown) {
                char caption[256];
                if (info.schema->column) {
                    snprintf(caption, sizeof caption, "%s over the run; numbers in samples/", info.name);
                } else {
                    snprintf(caption, sizeof caption, "%s, t = %.4g s", info.name, r->frame[i].t);
                }
                embed(r, f, r->frame[i].file, caption);
                shown++;
            }
            seen++;
        }
    }
    fprintf(f, "</div>\n");
}

ty_status run_report(const run_record *r, ty_run *run, ty_diag *diag)
{
    char path[4300];
    FILE *f = open_new(r, "report.html", path, sizeof path, diag);
    if (!f) {
        return TY_ERR_FILE;
    }
    const char *rover = ty_run_rovers(run) ? ty_vehicle_name(ty_run_rover(run, 0)) : "no rover";
    fprintf(f, "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>%s</title>\n<style>body{font:15px/1.45 sans-serif;max-width:1100px;"
               "margin:2em auto;padding:0 1em;color:#222}img{max-width:100%%}figure{margin:1em 0}figcaption{color:#666}.strip{display:flex;"
               "flex-wrap:wrap;gap:8px}.strip figure{margin:0;flex:1 1 300px}table{border-collapse:collapse}td,th{padding:2px 12px 2px 0;"
               "text-align:left}code{background:#f2f2f2;padding:2px 4px}</style>\n", r->scenario->name);
    fprintf(f, "<h1>%s</h1>\n<p>%s, %s soil, from %s UTC at %.4f deg, %.4f deg. Ended: %s.</p>\n", r->scenario->name, rover,
            ty_run_rovers(run) ? ty_soil_model_name((ty_soil_model_kind)r->scenario->rover[0].soil_model) : "no", r->scenario->start_utc,
            r->scenario->terrain.lat / TY_DEG, r->scenario->terrain.lon / TY_DEG, r->ended);
    embed(r, f, "overview.png", "The rover at the end of the run");
    table(r, f);
    for (size_t i = 0; i < ty_run_sensors(run); i++) {
        strip(r, run, f, i);
    }
    fprintf(f, "<h2>Path and ruts</h2>\n");
    embed(r, f, "map.png", "Path over the ground as the rover left it");
    fprintf(f, "<h2>Telemetry</h2>\n");
    embed(r, f, "plots.png", "Speed, power, attitude, and slip, sinkage and torque of each wheel; numbers in telemetry.csv");
    events(r, f);
    fprintf(f, "<h2>To repeat it</h2>\n<p><code>%s</code></p><p>Tycho %s, seed %llu.</p>\n</html>\n", r->command, ty_version(),
            (unsigned long long)r->scenario->terrain.seed);
    return close_new(f, path, diag);
}
