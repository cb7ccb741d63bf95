/* app/run_summary.c - a run in short: summary.json, one flat object, events as a list in it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "run.h"

#define SETTLED 2.0 /* [s] the rover is put down at the start and sinks in: not counted */

/* slip is averaged where the rover moves: a spinning or standing wheel at the ends says nothing of the ground */
run_digest run_digest_of(const run_record *r)
{
    run_digest d = { 0 };
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

static void write_events(const run_record *r, ty_run *run, FILE *f)
{
    for (int k = 0; k < RUN_EVENTS; k++) {
        double seconds;
        size_t n = run_events_count(&r->events, (run_event_kind)k, &seconds);
        fprintf(f, "  \"events_%s\": %zu,\n  \"events_%s_s\": %.3f,\n", run_event_name((run_event_kind)k), n,
                run_event_name((run_event_kind)k), seconds);
    }
    fprintf(f, "  \"events\": [");
    for (size_t i = 0; i < r->events.count; i++) {
        const run_event *v = &r->events.list[i];
        char text[300];
        run_event_text(v, run, text, sizeof text);
        fprintf(
            f,
            "%s\n    {\"event\": \"%s\", \"rover\": %d, \"begin_s\": %.3f, \"end_s\": %.3f, \"worst\": %.4f, \"unit\": \"%s\", \"rock\": \"%llu\", \"text\": \"%s\"}",
            i ? "," : "", run_event_name((run_event_kind)v->kind), v->rover, v->begin, v->end, run_event_worst(v),
            run_event_unit(v), (unsigned long long)v->rock, text);
    }
    fprintf(f, "%s],\n", r->events.count ? "\n  " : "");
}

static void write_ground(const run_record *r, FILE *f)
{
    const ty_world_edits_report *g = &r->ground;
    if (g->width) {
        fprintf(
            f,
            "  \"terrain_before\": \"terrain_before.tif\",\n  \"terrain_after\": \"terrain_after.tif\",\n  \"terrain_width\": %d,\n"
            "  \"terrain_height\": %d,\n  \"terrain_spacing_m\": %.6g,\n  \"rut_lowest_m\": %.6f,\n  \"rut_highest_m\": %.6f,\n",
            g->width, g->height, g->spacing, g->lowest, g->highest);
    }
}

/* wall time, and what of it the run's own thread spent with what */
static void write_costs(const run_record *r, ty_run *run, FILE *f)
{
    run_costs c = run_costs_of(run, r);
    fprintf(f, "  \"wall_s\": %.3f,\n  \"wall_render_s\": %.3f,\n  \"wall_wait_s\": %.3f,\n", r->wall, r->wall_render,
            r->wall_wait);
    for (int i = 0; i < RUN_COSTS; i++) {
        fprintf(f, "  \"wall_of_%s_s\": %.3f,\n", run_cost_name[i], c.s[i]);
    }
    fprintf(f, "  \"real_time_factor\": %.4f\n}\n", r->simulated > 0.0 ? r->wall / r->simulated : 0.0);
}

ty_status run_summary(const run_record *r, ty_run *run, ty_diag *diag)
{
    char path[4300];
    FILE *f = run_open_new(r, "summary.json", path, sizeof path, diag);
    if (!f) {
        return TY_ERR_FILE;
    }
    run_digest d = run_digest_of(r);
    ty_vehicle *v = ty_run_rovers(run) ? ty_run_rover(run, 0) : NULL;
    const run_row *last = r->rows ? &r->row[r->rows - 1] : NULL;
    fprintf(
        f,
        "{\n  \"tycho\": \"%s\",\n  \"built_with\": \"%s\",\n  \"scenario\": \"%s\",\n  \"seed\": %llu,\n  \"start_utc\": \"%s\",\n",
        ty_version(), ty_built_with(), r->scenario->name, (unsigned long long)r->scenario->terrain.seed,
        r->scenario->start_utc);
    fprintf(f, "  \"rover\": \"%s\",\n  \"mass_kg\": %.3f,\n  \"soil\": \"%s\",\n", v ? ty_vehicle_name(v) : "",
            v ? ty_vehicle_mass(v) : 0.0,
            v ? ty_soil_model_name((ty_soil_model_kind)r->scenario->rover[0].soil.model) : "");
    fprintf(
        f,
        "  \"simulated_s\": %.4f,\n  \"ended\": \"%s\",\n  \"way_m\": %.4f,\n  \"end_x_m\": %.4f,\n  \"end_y_m\": %.4f,\n",
        r->simulated, r->ended, d.way, last ? last->p.x : 0.0, last ? last->p.y : 0.0);
    fprintf(
        f,
        "  \"speed_mean_m_s\": %.5f,\n  \"slip_mean\": %.5f,\n  \"slip_max\": %.5f,\n  \"sinkage_mean_m\": %.6f,\n  \"sinkage_max_m\": %.6f,\n",
        d.speed_mean, d.slip_mean, d.slip_max, d.sinkage_mean, d.sinkage_max);
    fprintf(f, "  \"tilt_max_deg\": %.4f,\n  \"drive_energy_j\": %.3f,\n  \"frames\": %zu,\n  \"messages\": %zu,\n",
            d.tilt_max / TY_DEG, d.energy, r->frames, r->messages);
    write_events(r, run, f);
    write_ground(r, f);
    if (r->pace.on) {
        fprintf(f, "  \"late_steps\": %zu,\n  \"late_worst_s\": %.6f,\n", r->pace.late, r->pace.worst);
    }
    write_costs(r, run, f);
    return run_close_new(f, path, diag);
}
