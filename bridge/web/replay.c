/* bridge/web/replay.c - a finished run again, with seek: the same scenario, simulated anew by the commands that were written while it was
 * recorded. States are kept on the way, so that what has been passed is a moment away; what lies ahead has to be simulated first.
 *
 * FOLDER/commands.csv: what each rover was told, whenever it changed: time_ns, rover, then "drive", mode, v, omega, crab or "joints" and a
 * value of each, with all digits; or "add" and lines as a scenario has them, "remove" and a name. FOLDER/live.txt: the scenario's file, then what was set, a line each.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "replay.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "sim/cast.h"
#include "vehicle/driver.h"

#define KEEP  ((size_t)1 << 30) /* [bytes] of states; then every other is let go */
#define EVERY (2 * TY_SECOND)   /* at first */

typedef struct entry {
    ty_time time;
    size_t rover;
    tyi_live_told told;
    char *text; /* something comes or leaves; NULL: a rover was told something */
    bool leaves;
} entry;

typedef struct state {
    ty_time time;
    void *data;
    size_t bytes;
    size_t *progress; /* of each rover's own driver */
} state;

struct tyi_live_replay {
    bool told; /* there is a file of commands */
    entry *entry;
    size_t entries;
    size_t *at; /* of each rover: entries that are passed */
    state *state;
    size_t states, room, bytes;
    ty_time every;
    tyi_live_edit *edit; /* ground that changed */
    size_t edits, edit_room;
};

/* ---- writing ---- */

void tyi_live_log(ty_live *l, size_t rover, const tyi_live_told *told)
{
    pilot *p = &l->pilot[rover];
    if (!l->log || (p->logged && !memcmp(&p->told, told, sizeof *told))) {
        return;
    }
    p->told = *told;
    p->logged = true;
    fprintf(l->log, "%lld,%zu,", (long long)ty_run_time(l->run), rover);
    if (told->joints) {
        fprintf(l->log, "joints");
        for (int i = 0; i < TYI_LIVE_JOINTS; i++) {
            fprintf(l->log, ",%.17g", told->joint[i]);
        }
    } else {
        fprintf(l->log, "drive,%d,%.17g,%.17g,%.17g", (int)told->drive.mode, told->drive.v, told->drive.omega,
                told->drive.crab);
    }
    fputc('\n', l->log);
}

void tyi_live_log_change(ty_live *l, bool leaves, const char *text)
{
    if (l->log) {
        fprintf(l->log, "%lld,0,%s,%s\n", (long long)ty_run_time(l->run), leaves ? "remove" : "add", text);
    }
}

ty_status tyi_live_log_open(ty_live *l, const ty_record_def *def, ty_diag *diag)
{
    char path[TY_PATH_MAX + 32], file[TY_PATH_MAX];
    const char *folder = ty_record_folder(l->record);
    snprintf(path, sizeof path, "%s/commands.csv", folder);
    l->log = fopen(path, "w");
    if (!l->log) {
        return ty_fail(diag, TY_ERR_FILE, "%s: cannot be written", path);
    }
    fputs("time_ns,rover,kind,values\n", l->log);
    if (!def->scenario || !realpath(def->scenario, file)) {
        return TY_OK;
    }
    snprintf(path, sizeof path, "%s/live.txt", folder);
    FILE *out = fopen(path, "w");
    bool good = out && fprintf(out, "%s\n", file) > 0;
    for (size_t i = 0; good && i < def->setting_count; i++) {
        good = fprintf(out, "%s\n", def->settings[i]) > 0;
    }
    good = out && fclose(out) == 0 && good;
    return good ? TY_OK : ty_fail(diag, TY_ERR_FILE, "%s: cannot be written", path);
}

/* ---- reading ---- */

static bool read_line(char *line, size_t rovers, entry *out)
{
    char *at = line, *end;
    memset(out, 0, sizeof *out);
    out->time = strtoll(at, &end, 10);
    bool good = end > at && *end == ',' && out->time >= 0;
    out->rover = good ? strtoul(end + 1, &at, 10) : 0;
    good = good && *at == ',' && out->rover < rovers;
    bool comes = good && !strncmp(at, ",add,", 5), leaves = good && !strncmp(at, ",remove,", 8);
    if (comes || leaves) {
        at += comes ? 5 : 8;
        at[strcspn(at, "\n")] = '\0';
        out->leaves = leaves;
        out->text = strdup(at);
        return out->text;
    }
    double v[TYI_LIVE_JOINTS];
    bool drive = good && !strncmp(at, ",drive,", 7), joints = good && !strncmp(at, ",joints,", 8);
    int n = 0, want = drive ? 4 : TYI_LIVE_JOINTS;
    at += drive ? 7 : joints ? 8 : 0;
    for (; (drive || joints) && n < want; n++) {
        v[n] = strtod(at, &end);
        if (end == at || (*end != ',' && *end != '\n' && *end)) {
            break;
        }
        at = *end == ',' ? end + 1 : end;
    }
    if (drive && n == want && v[0] >= 0.0 && v[0] <= (double)TY_STEER_SKID) {
        out->told.drive = (ty_drive_command){ (ty_steering)v[0], v[1], v[2], v[3] };
        return isfinite(v[1]) && isfinite(v[2]) && isfinite(v[3]);
    }
    out->told.joints = joints;
    for (int i = 0; joints && i < n; i++) {
        out->told.joint[i] = v[i];
    }
    return joints && n == want;
}

static ty_status read_commands(ty_live *l, const char *folder, ty_diag *diag)
{
    tyi_live_replay *r = l->replay;
    char path[TY_PATH_MAX + 32], line[4096];
    snprintf(path, sizeof path, "%s/commands.csv", folder);
    FILE *file = fopen(path, "r");
    r->told = file != NULL;
    size_t room = 0, number = 0;
    ty_status status = TY_OK;
    while (file && status == TY_OK && fgets(line, sizeof line, file)) {
        if (number++ == 0) {
            continue;
        }
        if (r->entries == room) {
            room = room ? 2 * room : 256;
            entry *more = realloc(r->entry, room * sizeof *more);
            if (!more) {
                status = ty_fail(diag, TY_ERR_MEMORY, "%s: no memory", path);
                break;
            }
            r->entry = more;
        }
        entry *e = &r->entry[r->entries];
        if (!read_line(line, l->rovers, e) || (r->entries && e->time < e[-1].time)) {
            status = ty_fail(diag, TY_ERR_FORMAT, "%s: line %zu is not what a live run writes", path, number);
        }
        r->entries++;
    }
    if (file) {
        fclose(file);
    }
    return status;
}

const tyi_live_told *tyi_live_replayed(ty_live *l, size_t rover)
{
    tyi_live_replay *r = l->replay;
    if (!r || !r->told) {
        return NULL;
    }
    static const tyi_live_told nothing;
    ty_time now = ty_run_time(l->run);
    const tyi_live_told *found = &nothing;
    size_t i = r->at[rover];
    if (i) {
        found = &r->entry[i - 1].told;
    }
    for (; i < r->entries && r->entry[i].time <= now; i++) {
        if (r->entry[i].rover == rover && !r->entry[i].text) {
            found = &r->entry[i].told;
            r->at[rover] = i + 1;
        }
    }
    return found;
}

ty_status tyi_live_replay_changes(ty_live *l, ty_diag *diag)
{
    const tyi_live_replay *r = l->replay;
    ty_status status = TY_OK;
    size_t done = r ? tyi_sim_cast_count(l->run) : 0, k = 0; /* as many of them are in the run's own log */
    for (size_t i = 0; r && i < r->entries && r->entry[i].time <= ty_run_time(l->run) && status == TY_OK; i++) {
        if (r->entry[i].text && k++ >= done) {
            status = tyi_live_change(l, r->entry[i].leaves, r->entry[i].text, diag);
        }
    }
    return status;
}

/* ---- states on the way ---- */

static void drop(tyi_live_replay *r, size_t i)
{
    r->bytes -= r->state[i].bytes;
    free(r->state[i].data), free(r->state[i].progress);
    memmove(&r->state[i], &r->state[i + 1], (--r->states - i) * sizeof *r->state);
}

ty_status tyi_live_keep(ty_live *l, ty_diag *diag)
{
    tyi_live_replay *r = l->replay;
    ty_time now = ty_run_time(l->run);
    if (!r || (r->states && now < r->state[r->states - 1].time + r->every)) {
        return TY_OK;
    }
    if (r->states == r->room) {
        size_t room = r->room ? 2 * r->room : 64;
        state *more = realloc(r->state, room * sizeof *more);
        if (!more) {
            return TY_OK; /* it goes on without */
        }
        r->state = more, r->room = room;
    }
    state s = { .time = now, .progress = calloc(l->rovers + 1, sizeof *s.progress) };
    ty_status status = s.progress ? ty_run_save(l->run, &s.data, &s.bytes, diag) : TY_OK;
    if (status != TY_OK || !s.data) {
        free(s.progress);
        return status;
    }
    for (size_t i = 0; i < l->rovers; i++) {
        s.progress[i] = l->pilot[i].own ? tyi_vehicle_driver_progress(l->pilot[i].own) : 0;
    }
    r->state[r->states++] = s;
    r->bytes += s.bytes;
    while (r->bytes > KEEP && r->states > 2) { /* half as many, twice as far apart */
        r->every *= 2;
        for (size_t i = r->states - 1; i > 0; i--) {
            if (i % 2) {
                drop(r, i);
            }
        }
    }
    return TY_OK;
}

void tyi_live_keep_edit(ty_live *l, const int32_t rect[4])
{
    tyi_live_replay *r = l->replay;
    if (!r) {
        return;
    }
    if (r->edits == r->edit_room) {
        size_t room = r->edit_room ? 2 * r->edit_room : 256;
        tyi_live_edit *more = realloc(r->edit, room * sizeof *more);
        if (!more) {
            return;
        }
        r->edit = more, r->edit_room = room;
    }
    r->edit[r->edits].time = ty_run_time(l->run);
    memcpy(r->edit[r->edits++].rect, rect, sizeof r->edit->rect);
}

ty_status tyi_live_seek(ty_live *l, double seconds, ty_diag *diag)
{
    tyi_live_replay *r = l->replay;
    ty_time now = ty_run_time(l->run), to = ty_time_from(fmin(fmax(seconds, 0.0), l->scenario.duration));
    size_t best = 0;
    for (size_t i = 0; i < r->states; i++) {
        best = r->state[i].time <= to ? i : best;
    }
    const state *s = &r->state[best];
    l->seek = to;
    l->done = l->ended_told = l->anchored = false;
    if (!(to < now || s->time > now)) {
        return TY_OK; /* straight on */
    }
    ty_status status = ty_run_restore(l->run, s->data, s->bytes, diag);
    for (size_t i = 0; i < l->rovers; i++) {
        r->at[i] = 0;
        if (l->pilot[i].own) {
            tyi_vehicle_driver_set_progress(l->pilot[i].own, s->progress[i]);
        }
    }
    tyi_web_ground_reset(l->ground);
    l->rocks = 0;
    tyi_live_cast(l);
    for (size_t i = 0; i < r->edits; i++) { /* the ground as it is there; what came later is the ground's own */
        tyi_live_send_rect(l, r->edit[i].rect);
    }
    l->edits = ty_terrain_version(ty_world_terrain(ty_run_world(l->run)));
    l->next_look = 0.0;
    tyi_hub_reset(l);
    tyi_live_tell(l, 0, json_pack("{s:s, s:i}", "op", "reset", "epoch", (int)++l->epoch));
    return status;
}

/* ---- its life ---- */

ty_status tyi_live_replay_start(ty_live *l, const char *folder, ty_diag *diag)
{
    tyi_live_replay *r = l->replay = calloc(1, sizeof *r);
    if (!r || !(r->at = calloc(l->rovers + 1, sizeof *r->at))) {
        return ty_fail(diag, TY_ERR_MEMORY, "live: no memory");
    }
    r->every = EVERY;
    ty_status status = read_commands(l, folder, diag);
    return status == TY_OK ? tyi_live_keep(l, diag) : status;
}

void tyi_live_replay_free(ty_live *l)
{
    tyi_live_replay *r = l->replay;
    if (r) {
        while (r->states) {
            drop(r, r->states - 1);
        }
        for (size_t i = 0; i < r->entries; i++) {
            free(r->entry[i].text);
        }
        free(r->state), free(r->entry), free(r->at), free(r->edit), free(r);
    }
    if (l->log) {
        fclose(l->log);
    }
}
