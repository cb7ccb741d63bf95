/* src/record/telemetry.c - telemetry of each rover: rows kept for the plots and written as CSV while the run goes on.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <string.h>
#include "record.h"
#include "core/inner.h"
#include "scenario/inner.h"
#include "sim/run_dust.h"

#define TURNS  0.02 /* [m/s] of a rim: below it a wheel stands */
#define STARTS 2.0  /* [s] at the start: wheels that take up their speed slip, not counted */

const char *tyi_record_soil(const ty_record *r)
{
    ty_scenario_soil soil;
    return tyi_scenario_soil_of(r->scenario, &soil, NULL) == TY_OK ? ty_soil_model_name((ty_soil_model_kind)soil.model)
                                                                   : "?";
}

void tyi_record_telemetry_file(const ty_record *r, size_t rover, char out[TYI_RECORD_FILE])
{
    char prefix[80];
    tyi_record_prefix_rover(r, rover, prefix);
    snprintf(out, TYI_RECORD_FILE, "%stelemetry.csv", prefix);
}

static ty_status write_header(const ty_record *r, size_t rover, FILE **out, ty_diag *diag)
{
    char path[TYI_RECORD_PATH], file[TYI_RECORD_FILE];
    ty_wheel_info wheel[TY_WHEELS_MAX];
    int wheels = ty_vehicle_wheels(ty_run_rover(r->run, rover), wheel);
    tyi_record_telemetry_file(r, rover, file);
    tyi_record_make_way(r, file);
    FILE *f = *out = fopen(tyi_record_path(r, file, path), "w");
    if (!f) {
        return ty_fail(diag, TY_ERR_FILE, "%s cannot be written: %s", path, strerror(errno));
    }
    fprintf(f, "t_s,x_m,y_m,z_m,roll_deg,pitch_deg,yaw_deg,speed_m_s,way_m,power_w,sun_elevation_deg,sun_seen");
    for (int w = 0; w < wheels; w++) {
        const char *n = wheel[w].name;
        fprintf(f, ",%s_slip,%s_sinkage_m,%s_torque_nm,%s_load_n,%s_contact", n, n, n, n, n);
    }
    fputs(",regenerated_w", f);
    ty_tool_view tool[TY_TOOLS_MAX];
    for (int k = 0, tools = ty_vehicle_tools(ty_run_rover(r->run, rover), tool); k < tools; k++) {
        const char *n = tool[k].name;
        fprintf(f, ",%s_carried_kg,%s_torque_nm,%s_power_w,%s_work_j", n, n, n, n);
    }
    fputs(r->scenario->dust.on
              ? ",dust_airborne_kg,dust_on_rover_kg,dust_panel_power,dust_radiator_ratio,dust_radiator_temperature\n"
              : "\n",
          f);
    return TY_OK;
}

static ty_status write_row(const ty_record *r, size_t rover, const tyi_record_row *row, ty_diag *diag)
{
    FILE *f = r->rover[rover].csv;
    fprintf(f, "%.4f,%.6f,%.6f,%.6f,%.5f,%.5f,%.5f,%.6f,%.5f,%.4f,%.5f,%.4f", row->t, row->p.x, row->p.y, row->p.z,
            row->roll / TY_DEG, row->pitch / TY_DEG, row->yaw / TY_DEG, row->speed, row->way, row->power,
            row->sun / TY_DEG, row->lit);
    for (int w = 0; w < row->wheels; w++) {
        if (row->contact >> w & 1) {
            fprintf(f, ",%.5f", (double)row->slip[w]);
        } else { /* in the air there is no slip */
            fputc(',', f);
        }
        fprintf(f, ",%.6f,%.4f,%.3f,%d", (double)row->sinkage[w], (double)row->torque[w], (double)row->load[w],
                (int)(row->contact >> w & 1));
    }
    fprintf(f, ",%.4f", 0.0 - row->back);
    for (int k = 0; k < row->tools; k++) {
        fprintf(f, ",%.4f,%.4f,%.4f,%.3f", (double)row->carried[k], (double)row->turn_nm[k], (double)row->given[k],
                (double)row->work[k]);
    }
    if (r->scenario->dust.on) {
        fprintf(f, ",%.6g,%.6g,%.6g,%.6g,%.6g", row->dust_airborne, row->dust_on, row->dust_panel, row->dust_radiator,
                row->dust_warmer);
    }
    if (fputc('\n', f) == EOF || fflush(f)) {
        char file[TYI_RECORD_FILE];
        tyi_record_telemetry_file(r, rover, file);
        return ty_fail(diag, TY_ERR_FILE, "%s/%s cannot be written: %s", r->folder, file, strerror(errno));
    }
    return TY_OK;
}

/* Slip is averaged over all rows and wheels that turn or are moved over the ground, spinning ones of a rover that stands included;
 * a parked wheel, or one in the air, says nothing of the ground. */
static void count_row(tyi_record_sums *s, const tyi_record_row *row)
{
    tyi_record_digest *d = &s->total;
    double tilt = acos(fmin(1.0, cos(row->roll) * cos(row->pitch))), dt = s->seen ? row->t - s->last.t : 0.0;
    bool moves = row->speed > 0.02 || row->turn > 0.02;
    d->way = row->way;
    d->tilt_max = fmax(d->tilt_max, tilt);
    d->energy += fmax(row->power, 0.0) * dt;
    d->back -= row->back * dt;
    for (int w = 0; w < row->wheels; w++) {
        bool contact = row->contact >> w & 1;
        s->touched[w] += contact;
        d->sinkage_max = fmax(d->sinkage_max, (double)row->sinkage[w]);
        if (contact && (row->turns >> w & 1) && row->t > STARTS) {
            d->slip_mean += (double)row->slip[w];
            d->slip_max = fmax(d->slip_max, fabs((double)row->slip[w]));
            d->sinkage_mean += (double)row->sinkage[w];
            d->slip_moving += moves ? (double)row->slip[w] : 0.0;
            s->count += 1.0;
            s->moving += moves;
        }
    }
    s->last = *row;
    s->seen++;
}

/* The newest row is always the last; the one before it stays if its turn has come. */
static bool keep_row(tyi_record_rover *to, const tyi_record_row *row)
{
    tyi_record_sums *s = &to->sums;
    s->every = s->every ? s->every : 1;
    if (to->rows && (s->seen - 1) % s->every) { /* before count_row(): the newest kept so far is number seen - 1 */
        to->rows--;
    }
    if (to->rows == TYI_RECORD_ROWS) {
        for (size_t i = 0; 2 * i < to->rows; i++) {
            to->row[i] = to->row[2 * i];
        }
        to->rows = (to->rows + 1) / 2;
        s->every *= 2;
    }
    tyi_record_row *more = tyi_list_grown(to->row, to->rows, &to->capacity, sizeof *more, 256);
    if (!more) {
        return false;
    }
    to->row = more;
    to->row[to->rows++] = *row;
    return true;
}

ty_status tyi_record_telemetry_row(ty_record *r, size_t rover, ty_diag *diag)
{
    tyi_record_rover *to = &r->rover[rover];
    ty_status status = to->csv ? TY_OK : write_header(r, rover, &to->csv, diag);
    if (status != TY_OK) {
        return status;
    }
    ty_vehicle_state s;
    ty_vehicle_get(ty_run_rover(r->run, rover), &s);
    double rpy[3];
    tyi_quat_rpy(s.pose.q, rpy);
    tyi_record_row row;
    memset(&row, 0, sizeof row); /* it is saved byte by byte */
    row.t = ty_seconds(ty_run_time(r->run));
    row.p = s.pose.p;
    row.speed = ty_norm(s.v_W);
    row.way = s.odometer;
    row.turn = fabs(s.omega_B.z);
    row.wheels = s.wheels;
    row.roll = rpy[0], row.pitch = rpy[1], row.yaw = rpy[2];
    row.sun = ty_run_sky(r->run).sun.elevation;
    row.lit = to->watch.lit;
    ty_wheel_info wheel[TY_WHEELS_MAX];
    ty_vehicle_wheels(ty_run_rover(r->run, rover), wheel);
    for (int w = 0; w < s.wheels; w++) {
        bool contact = s.wheel[w].contact || s.wheel[w].rock;
        bool turns = fabs(s.wheel[w].omega) * wheel[w].shape.r > TURNS || row.speed > 0.02 || row.turn > 0.02;
        row.contact |= (uint32_t)contact << w;
        row.turns |= (uint32_t)turns << w;
        row.slip[w] = contact ? (float)s.wheel[w].slip : NAN;
        row.sinkage[w] = (float)s.wheel[w].sinkage;
        row.torque[w] = (float)s.wheel[w].torque;
        row.load[w] = (float)s.wheel[w].load;
        row.power += s.wheel[w].power;
        row.back += fmin(s.wheel[w].power, 0.0);
    }
    ty_tool_view tool[TY_TOOLS_MAX];
    row.tools = ty_vehicle_tools(ty_run_rover(r->run, rover), tool);
    for (int k = 0; k < row.tools; k++) {
        row.carried[k] = (float)tool[k].carried;
        row.turn_nm[k] = (float)tool[k].torque;
        row.given[k] = (float)tool[k].power;
        row.work[k] = (float)tool[k].work;
    }
    tyi_dust_ledger dust;
    if (tyi_sim_dust_ledger(r->run, &dust)) {
        row.dust_airborne = dust.airborne;
        row.dust_on = tyi_sim_dust_on_rover(r->run, rover);
        tyi_sim_dust_harm harm = tyi_sim_dust_does(r->run, rover);
        row.dust_panel = harm.panel, row.dust_radiator = harm.radiator, row.dust_warmer = harm.warmer;
    }
    if (!keep_row(to, &row)) {
        return ty_fail(diag, TY_ERR_MEMORY, "no memory for telemetry");
    }
    count_row(&to->sums, &row);
    return write_row(r, rover, &row, diag);
}

ty_status tyi_record_telemetry_close(ty_record *r, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (size_t i = 0; i < r->rovers; i++) {
        char file[TYI_RECORD_FILE], path[TYI_RECORD_PATH];
        tyi_record_telemetry_file(r, i, file);
        status = tyi_record_close(&r->rover[i].csv, tyi_record_path(r, file, path), status, diag);
    }
    return status;
}

tyi_record_digest tyi_record_digest_of(const ty_record *r, size_t rover)
{
    const tyi_record_sums *s = &r->rover[rover].sums;
    tyi_record_digest d = s->total;
    double simulated = ty_seconds(ty_run_time(r->run));
    d.contact = 1.0;
    for (int w = 0; s->seen && w < s->last.wheels; w++) {
        d.contact = fmin(d.contact, s->touched[w] / (double)s->seen);
    }
    d.slip_mean /= fmax(s->count, 1.0);
    d.slip_moving /= fmax(s->moving, 1.0);
    d.sinkage_mean /= fmax(s->count, 1.0);
    d.speed_mean = simulated > 0.0 ? d.way / simulated : 0.0;
    return d;
}
