/* src/record/report.c - report.html of a run: one page that holds all its pictures and asks for nothing from outside.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "page.h"
#include "record.h"

/* ---- pieces of a page ---- */

static void text(FILE *f, const char *s)
{
    tyi_record_page_text(f, s);
}

static void embed(const ty_record *r, FILE *out, const char *class, const char *file, const char *caption)
{
    char path[TYI_RECORD_PATH];
    tyi_record_page_picture(out, class, tyi_record_path(r, file, path), caption);
}

/* a number for people: three digits, and thousands of a unit where there are so many */
static void fact(FILE *f, const char *what, double value, const char *unit)
{
    bool thousands = fabs(value) >= 1e4 && (!strcmp(unit, "J") || !strcmp(unit, "m"));
    double v = thousands ? value / 1e3 : value;
    int digits = fabs(v) >= 99.95 ? 0 : fabs(v) >= 9.995 ? 1 : fabs(v) >= 0.1 ? 2 : 3;
    fprintf(f, "<div><b>%.*f %s%s</b><span>%s</span></div>\n", digits, v, thousands ? "k" : "", unit, what);
}

static void span(FILE *f, const char *what, double s)
{
    if (s < 600.0) {
        fact(f, what, s, "s");
    } else {
        fprintf(f, "<div><b>%.0f h %02.0f min</b><span>%s</span></div>\n", floor(s / 3600.0),
                floor(fmod(s, 3600.0) / 60.0), what);
    }
}

/* ---- parts of the report ---- */

/* the numbers of one rover in short */
static void facts(const ty_record *r, size_t rover, FILE *f)
{
    tyi_record_digest d = tyi_record_digest_of(r, rover);
    const tyi_record_rover *from = &r->rover[rover];
    if (r->rovers > 1) {
        fprintf(f, "<h3>");
        text(f, from->name);
        fprintf(f, "</h3>\n");
    }
    fprintf(f, "<div class=\"facts\">\n");
    span(f, "simulated time", ty_seconds(ty_run_time(r->run)));
    fact(f, "way", d.way, "m");
    fact(f, "mean speed", d.speed_mean, "m/s");
    fact(f, "mean slip of wheels that turn", 100.0 * d.slip_mean, "%");
    fact(f, "mean slip while moving", 100.0 * d.slip_moving, "%");
    fact(f, "largest slip", 100.0 * d.slip_max, "%");
    fact(f, "mean sinkage of wheels that turn", 1e3 * d.sinkage_mean, "mm");
    fact(f, "largest sinkage", 1e3 * d.sinkage_max, "mm");
    fact(f, "largest tilt", d.tilt_max / TY_DEG, "deg");
    fact(f, "drive energy", d.energy, "J");
    if (d.back > 0.0) {
        fact(f, "of it given back downhill", d.back, "J");
    }
    fact(f, "Sun's elevation at the end", from->rows ? from->row[from->rows - 1].sun / TY_DEG : 0.0, "deg");
    fprintf(f, "</div>\n");
}

/* what a rover's tools did, in short */
static void tools(const ty_record *r, size_t rover, FILE *f)
{
    ty_tool_view tool[TY_TOOLS_MAX];
    for (int k = 0, n = ty_vehicle_tools(ty_run_rover(r->run, rover), tool); k < n; k++) {
        const ty_tool_view *t = &tool[k];
        if (!tyi_record_tool_worked(t)) {
            continue;
        }
        fprintf(f, "<h3>");
        text(f, t->name);
        fprintf(f, "</h3>\n<div class=\"facts\">\n");
        fact(f, "most soil held", t->most, "kg");
        fact(f, "held at the end", t->carried, "kg");
        fact(f, "mean torque until it held the most", t->torque_mean, "N m");
        fact(f, "largest torque, mean over 50 ms", t->torque_max, "N m");
        fact(f, "work given to soil", t->work, "J");
        if (t->most > 0.0) {
            fact(f, "for each kilogram held at most", t->most_work / t->most, "J/kg");
        }
        fprintf(f, "</div>\n");
    }
}

static bool any_tool(const ty_record *r)
{
    bool any = false;
    for (size_t i = 0; i < r->rovers; i++) {
        ty_tool_view tool[TY_TOOLS_MAX];
        for (int k = 0, n = ty_vehicle_tools(ty_run_rover(r->run, i), tool); k < n; k++) {
            any = any || tyi_record_tool_worked(&tool[k]);
        }
    }
    return any;
}

/* pictures of one sensor over the run, at most 12 of them, spread evenly */
static void strip(const ty_record *r, FILE *f, size_t sensor)
{
    enum { MOST = 12 };
    ty_sensor_info info = ty_run_sensor(r->run, sensor);
    size_t all = 0, seen = 0, shown = 0;
    for (size_t i = 0; i < r->frames; i++) {
        all += r->frame[i].sensor == sensor;
    }
    bool samples = info.schema->column != NULL;
    fprintf(f, "<h3>");
    text(f, info.name);
    fprintf(f, "</h3>\n<p class=\"soft\">");
    text(f, info.schema->name);
    fprintf(f, " of ");
    text(f, info.rover);
    fprintf(f, ": %llu messages, every %.4g s", (unsigned long long)info.sequence, ty_seconds(info.period));
    if (info.window > 0) {
        fprintf(f, ", window %.4g ms", 1e3 * ty_seconds(info.window));
    }
    if (info.lag > 0) {
        fprintf(f, ", delivered %.4g s later", ty_seconds(info.lag));
    }
    fprintf(f, all > MOST ? "; %d of %zu pictures</p>\n" : "</p>\n", MOST, all);
    bool cloud = false;
    for (size_t i = 0; i < r->frames; i++) {
        cloud = cloud || (r->frame[i].sensor == sensor && strstr(r->frame[i].file, "clouds/"));
    }
    if (all && !samples) {
        fprintf(f, "<div class=\"%s\">\n", cloud ? "wide" : all <= 6 ? "few" : "many");
    }
    for (size_t i = 0; i < r->frames; i++) {
        if (r->frame[i].sensor == sensor) {
            if (all <= MOST || seen * (MOST - 1) / (all - 1) >= shown) {
                char caption[256];
                snprintf(caption, sizeof caption, samples ? "%s over the run" : "%s at %.4g s", info.name,
                         r->frame[i].t);
                embed(r, f, samples ? "plot" : "", r->frame[i].file, caption);
                shown++;
            }
            seen++;
        }
    }
    fprintf(f, all && !samples ? "</div>\n" : "");
}

static void sensors(const ty_record *r, FILE *f, bool samples, const char *heading, const char *about)
{
    bool begun = false;
    for (size_t i = 0; i < r->sensors; i++) {
        ty_sensor_info info = ty_run_sensor(r->run, i);
        if ((info.schema->column != NULL) == samples && info.def->files) {
            if (!begun) {
                fprintf(f, "<h2>%s</h2>\n<p class=\"soft\">%s</p>\n", heading, about);
            }
            begun = true;
            strip(r, f, i);
        }
    }
}

static void events(const ty_record *r, FILE *f)
{
    enum { MOST = 200 };
    const tyi_record_events *e = &r->events;
    fprintf(
        f,
        "<h2>Events</h2>\n<p class=\"soft\">Slip of any wheel above 40 %%, tilt above 15 deg, wheels on rocks, and less than half of the "
        "Sun's disk above the ground as the rover sees it; numbers in events.csv.</p>\n<div class=\"scroll\"><table id=\"events\">\n"
        "<tr><th>event</th><th class=\"num\">from [s]</th><th class=\"num\">to [s]</th><th>worst</th>%s<th class=\"num\">x, y [m]</th></tr>\n",
        r->rovers > 1 ? "<th>rover</th>" : "");
    for (size_t i = 0; i < e->count && i < MOST; i++) {
        const tyi_record_event *v = &e->list[i];
        char worst[300];
        tyi_record_event_text(v, r->run, worst, sizeof worst);
        fprintf(
            f,
            "<tr><td class=\"kind\">%s</td><td class=\"num\">%.2f</td><td class=\"num\">%.2f</td><td class=\"worst\">",
            tyi_record_event_what((tyi_record_event_kind)v->kind), v->begin, v->end);
        text(f, worst);
        fputs(r->rovers > 1 ? "</td><td>" : "", f);
        text(f, r->rovers > 1 ? tyi_record_event_rover(r, v) : "");
        fprintf(f, "</td><td class=\"num\">%.2f, %.2f</td></tr>\n", v->x, v->y);
    }
    fputs(e->count ? "" : "<tr><td>none</td><td></td><td></td><td></td><td></td></tr>\n", f);
    if (e->count > MOST) {
        fprintf(f, "<tr><td>%zu more</td><td></td><td></td><td></td><td></td></tr>\n", e->count - MOST);
    }
    fprintf(f, "</table></div>\n");
}

static void ground(const ty_record *r, FILE *f)
{
    const ty_world_edits_report *g = &r->ground;
    if (g->width) {
        fprintf(
            f,
            "<p class=\"soft\">The ground that the wheels changed, %.1f m x %.1f m every %.3g m, is in terrain_before.tif and terrain_after.tif "
            "(heights above the sphere of 1737.4 km, georeferenced); their difference is the ruts, up to %.0f mm deep",
            g->rect.x1 - g->rect.x0, g->rect.y1 - g->rect.y0, g->spacing, -1e3 * g->lowest);
        fprintf(f, g->highest > 5e-4 ? ", with heaps of up to %.0f mm.</p>\n" : ".</p>\n", 1e3 * g->highest);
    }
}

/* All that the wall clock said, between marks, so that two reports can be compared without it. */
static void timing(ty_record *r, FILE *f)
{
    static const char *const color[TYI_RECORD_COSTS] = { "#4477aa", "#aa7744", "#ccaa33",
                                                         "#44aa99", "#885588", "#999999" };
    double cost[TYI_RECORD_COSTS], sum = 1e-9, simulated = ty_seconds(ty_run_time(r->run) - r->resumed);
    ty_run_stats stats = ty_run_get_stats(r->run);
    tyi_record_costs(r, cost);
    for (int i = 0; i < TYI_RECORD_COSTS; i++) {
        sum += cost[i];
    }
    fprintf(f, "<!-- timing -->\n<h2>Where the time went</h2>\n<div class=\"facts\">\n");
    span(f, "wall time", r->wall);
    fact(f, "simulated time / wall time", r->wall > 0.0 ? simulated / r->wall : 0.0, "");
    fprintf(
        f,
        "</div>\n<p class=\"soft\">Wall time of the thread that steps; frames are made beside it (%.3g s of work), and "
        "what counts here is how long it waited for them. Numbers in timing.json.</p>\n<div class=\"bar\">",
        stats.work_s);
    for (int i = 0; i < TYI_RECORD_COSTS; i++) {
        fprintf(f, "<i style=\"width:%.2f%%;background:%s\"></i>", 100.0 * cost[i] / sum, color[i]);
    }
    fprintf(f, "</div>\n<div class=\"key\">");
    for (int i = 0; i < TYI_RECORD_COSTS; i++) {
        fprintf(f, "<span><i style=\"background:%s\"></i>%s %.3g s</span>", color[i], ty_record_cost_name(i), cost[i]);
    }
    fprintf(f, "</div>\n");
    if (stats.device || stats.host) {
        fprintf(f, "<p class=\"soft\">Frames by ");
        text(f, stats.device ? stats.device : "the host");
        if (stats.host) {
            fprintf(f, "; the host took over: ");
            text(f, stats.host);
        }
        if (stats.coarser) {
            fprintf(f, "; ");
            text(f, stats.coarser);
        }
        fprintf(f, ".</p>\n");
    }
    fprintf(f, "<!-- /timing -->\n");
}

static void head(const ty_record *r, FILE *f)
{
    const ty_scenario *s = r->scenario;
    tyi_record_page_head(f, s->name);
    fprintf(f, "<p class=\"soft\">");
    for (size_t i = 0; i < r->rovers; i++) {
        const ty_vehicle *v = ty_run_rover(r->run, i);
        text(f, r->rovers > 1 ? r->rover[i].name : "");
        fprintf(f, r->rovers > 1 ? ": " : "");
        text(f, ty_vehicle_name(v));
        fprintf(f, " (%.0f kg) on %s soil, ", ty_vehicle_mass(v), tyi_record_soil(r));
    }
    fprintf(f, "%.4f deg %s, %.4f deg east, from ", fabs(s->terrain.lat) / TY_DEG,
            s->terrain.lat < 0.0 ? "south" : "north", s->terrain.lon / TY_DEG);
    text(f, s->start_utc);
    fprintf(f, " UTC. It ended because ");
    text(f, r->ended);
    fprintf(f, ".</p>\n");
}

/* one picture of each rover: FILE of its folder, with a caption that takes where that is */
static void of_each(const ty_record *r, FILE *f, const char *what, const char *caption)
{
    for (size_t i = 0; i < r->rovers; i++) {
        char prefix[80], file[TYI_RECORD_FILE], words[400];
        tyi_record_prefix_rover(r, i, prefix);
        if (r->rovers > 1) {
            fprintf(f, "<h3>");
            text(f, r->rover[i].name);
            fprintf(f, "</h3>\n");
        }
        snprintf(file, sizeof file, "%s%s", prefix, what);
        snprintf(words, sizeof words, "%s%s%s", caption, r->rovers > 1 ? "; files in " : "", prefix);
        embed(r, f, "plot", file, words);
    }
}

/* ---- the command ---- */

char *tyi_record_command(const ty_record *r)
{
    return r->file ? tyi_record_page_command(r->file, r->settings, r->setting_count) : NULL;
}

static void repeat(const ty_record *r, FILE *f)
{
    char *command = tyi_record_command(r);
    fprintf(f, "<h2>To repeat it</h2>\n");
    if (command) {
        fprintf(f, "<pre><code>");
        text(f, command);
        fprintf(f, "</code></pre>\n");
    }
    fprintf(
        f,
        "<p class=\"soft\">Tycho %s with %s; seed %llu. The same %s on the same machine gives the same bytes.%s</p>\n</main></body></html>\n",
        ty_version(), ty_built_with(), (unsigned long long)r->scenario->terrain.seed, command ? "command" : "program",
        r->videos ? " Videos of the cameras are in video/." : "");
    free(command);
}

ty_status tyi_record_report(ty_record *r, ty_diag *diag)
{
    char path[TYI_RECORD_PATH];
    tyi_io_out out;
    ty_status status = tyi_io_out_open(&out, tyi_record_path(r, "report.html", path), diag);
    if (status != TY_OK) {
        return status;
    }
    FILE *f = out.file;
    head(r, f);
    embed(r, f, "hero", "overview.png", "The rover and its tracks at the end of the run");
    for (size_t i = 0; i < r->rovers; i++) {
        facts(r, i, f);
    }
    if (!r->rovers) {
        fprintf(f, "<div class=\"facts\">\n");
        span(f, "simulated time", ty_seconds(ty_run_time(r->run)));
        fprintf(f, "</div>\n");
    }
    sensors(r, f, false, "What the sensors saw",
            "Pictures for the eye (white at the brighter ground, gamma 2.2); 16-bit frames and clouds are in "
            "frames/ and clouds/.");
    if (r->rovers) {
        fprintf(f, "<h2>Path and ruts</h2>\n");
        ground(r, f);
        of_each(r, f, "map.png", "Path over the ground as the rover left it; light from the north-west at 25 deg");
        if (any_tool(r)) {
            fprintf(f, "<h2>Tools</h2>\n");
            for (size_t i = 0; i < r->rovers; i++) {
                tools(r, i, f);
            }
            of_each(
                r, f, "tools.png",
                "Soil held, torque and power of each tool that met soil, and its work so far over the most it held so far");
        }
        fprintf(f, "<h2>Telemetry</h2>\n");
        of_each(
            r, f, "plots.png",
            "Speed, power, attitude, the Sun, and slip, sinkage and torque of each wheel; numbers in telemetry.csv");
        events(r, f);
    }
    sensors(r, f, true, "Other sensors", "Every sample is in samples/.");
    timing(r, f);
    repeat(r, f);
    return tyi_io_out_close(&out, TY_OK, diag);
}
