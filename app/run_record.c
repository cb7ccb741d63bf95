/* app/run_record.c - telemetry: rows kept for the plots and written as CSV while the run goes on.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "run.h"

static ty_status write_header(run_record *r, ty_run *run, ty_diag *diag)
{
    char path[4200];
    ty_wheel_info wheel[TY_WHEELS_MAX];
    int wheels = ty_vehicle_wheels(ty_run_rover(run, 0), wheel);
    snprintf(path, sizeof path, "%s/telemetry.csv", r->folder);
    r->csv = fopen(path, "w");
    if (!r->csv) {
        return ty_fail(diag, TY_ERR_FILE, "%s cannot be written: %s", path, strerror(errno));
    }
    fprintf(r->csv, "t_s,x_m,y_m,z_m,roll_deg,pitch_deg,yaw_deg,speed_m_s,way_m,power_w,sun_elevation_deg,sun_seen");
    for (int w = 0; w < wheels; w++) {
        const char *n = wheel[w].name;
        fprintf(r->csv, ",%s_slip,%s_sinkage_m,%s_torque_nm,%s_load_n", n, n, n, n);
    }
    fputc('\n', r->csv);
    return TY_OK;
}

static ty_status write_row(run_record *r, const run_row *row, ty_diag *diag)
{
    fprintf(r->csv, "%.4f,%.6f,%.6f,%.6f,%.5f,%.5f,%.5f,%.6f,%.5f,%.4f,%.5f,%.4f", row->t, row->p.x, row->p.y, row->p.z,
            row->roll / TY_DEG, row->pitch / TY_DEG, row->yaw / TY_DEG, row->speed, row->way, row->power,
            row->sun / TY_DEG, row->lit);
    for (int w = 0; w < row->wheels; w++) {
        fprintf(r->csv, ",%.5f,%.6f,%.4f,%.3f", (double)row->slip[w], (double)row->sinkage[w], (double)row->torque[w],
                (double)row->load[w]);
    }
    if (fputc('\n', r->csv) == EOF || fflush(r->csv)) {
        return ty_fail(diag, TY_ERR_FILE, "%s/telemetry.csv cannot be written: %s", r->folder, strerror(errno));
    }
    return TY_OK;
}

/* room for one more element; doubles */
static bool grow(void **list, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity) {
        return true;
    }
    size_t more = *capacity ? 2 * *capacity : 256;
    void *larger = realloc(*list, more * size);
    if (larger) {
        *list = larger;
        *capacity = more;
    }
    return larger != NULL;
}

ty_status run_record_row(run_record *r, ty_run *run, ty_diag *diag)
{
    ty_status status = r->csv ? TY_OK : write_header(r, run, diag);
    if (status != TY_OK) {
        return status;
    }
    if (!grow((void **)&r->row, r->rows, &r->capacity, sizeof *r->row)) {
        return ty_fail(diag, TY_ERR_MEMORY, "no memory for telemetry");
    }
    ty_vehicle_state s;
    ty_vehicle_get(ty_run_rover(run, 0), &s);
    ty_quat q = s.pose.q;
    run_row *row = &r->row[r->rows++];
    *row = (run_row){
        .t = ty_seconds(ty_run_time(run)), .p = s.pose.p, .speed = ty_norm(s.v_W), .way = s.odometer, .wheels = s.wheels
    };
    row->roll = atan2(2.0 * (q.w * q.x + q.y * q.z), 1.0 - 2.0 * (q.x * q.x + q.y * q.y));
    row->pitch = asin(fmax(-1.0, fmin(1.0, 2.0 * (q.w * q.y - q.z * q.x))));
    row->yaw = atan2(2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y * q.y + q.z * q.z));
    row->sun = ty_run_sky(run).sun.elevation;
    row->lit = r->events.lit;
    for (int w = 0; w < s.wheels; w++) {
        row->slip[w] = (float)s.wheel[w].slip;
        row->sinkage[w] = (float)s.wheel[w].sinkage;
        row->torque[w] = (float)s.wheel[w].torque;
        row->load[w] = (float)s.wheel[w].fz;
        row->power += s.wheel[w].power;
    }
    return write_row(r, row, diag);
}

ty_status run_record_frame(run_record *r, const char *file, size_t sensor, double t, ty_diag *diag)
{
    if (!grow((void **)&r->frame, r->frames, &r->frame_capacity, sizeof *r->frame)) {
        return ty_fail(diag, TY_ERR_MEMORY, "no memory for the list of frames");
    }
    run_frame *f = &r->frame[r->frames++];
    *f = (run_frame){ .t = t, .sensor = sensor };
    snprintf(f->file, sizeof f->file, "%s", file);
    return TY_OK;
}

FILE *run_open_new(const run_record *r, const char *name, char *path, size_t size, ty_diag *diag)
{
    snprintf(path, size, "%s/%s.part", r->folder, name);
    FILE *f = fopen(path, "w");
    if (!f) {
        ty_fail(diag, TY_ERR_FILE, "%s cannot be written: %s", path, strerror(errno));
    }
    return f;
}

ty_status run_close_new(FILE *f, char *path, ty_diag *diag)
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

void run_record_free(run_record *r)
{
    if (r->csv) {
        fclose(r->csv);
    }
    for (size_t i = 0; r->samples && i < r->sensors; i++) {
        if (r->samples[i]) {
            fclose(r->samples[i]);
        }
    }
    run_samples_free(r);
    free(r->row), free(r->frame), free(r->samples), free(r->events.list);
}
