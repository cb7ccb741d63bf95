/* src/record/folder.c - the folder of a run, and the names of the files in it.
 *
 * What belongs to the only rover of a run stands at the top: telemetry.csv, frames/NAV_0000300.png. With several rovers,
 * and for actors, it stands in a folder of the rover's or actor's name: a/telemetry.csv, a/frames/NAV_0000300.png. No two
 * files can share a name then, as a name holds no '/'.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "record.h"

/* ---- the folder ---- */

/* One run at a time writes into a folder. The lock is on the folder itself and ends with the process. */
ty_status tyi_record_folder_lock(ty_record *r, ty_diag *diag)
{
    r->lock = open(r->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (r->lock < 0) {
        return ty_fail(diag, TY_ERR_FILE, "%s cannot be opened: %s", r->folder, strerror(errno));
    }
    if (flock(r->lock, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) {
        return ty_fail(diag, TY_ERR_FILE, "%s is in use: another run writes into it", r->folder);
    }
    return TY_OK;
}

ty_status tyi_record_folder_make(ty_record *r, ty_diag *diag)
{
    if (r->folder[0]) {
        if (mkdir(r->folder, 0777)) {
            return ty_fail(diag, TY_ERR_FILE, "%s cannot be made: %s; a run starts in a new folder", r->folder,
                           strerror(errno));
        }
    } else {
        int n = 0, failed;
        mkdir("out", 0777);
        do {
            snprintf(r->folder, sizeof r->folder, "out/%s-%d", r->scenario->name, ++n);
            failed = mkdir(r->folder, 0777);
        } while (failed && errno == EEXIST && n < 100000);
        if (failed) {
            return ty_fail(diag, TY_ERR_FILE, "%s cannot be made: %s", r->folder, strerror(errno));
        }
    }
    char path[TYI_RECORD_PATH];
    if (mkdir(tyi_record_path(r, "frames", path), 0777)) {
        return ty_fail(diag, TY_ERR_FILE, "%s cannot be made: %s", path, strerror(errno));
    }
    return tyi_record_folder_lock(r, diag);
}

static int sweep_one(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about, (void)where;
    size_t n = strlen(path);
    if (kind == FTW_F && n > 5 && !strcmp(path + n - 5, ".part")) {
        unlink(path);
    }
    return 0;
}

void tyi_record_folder_sweep(const char *folder)
{
    nftw(folder, sweep_one, 16, FTW_PHYS);
}

/* ---- names ---- */

static ty_status check_one(const char *what, const char *name, ty_diag *diag)
{
    return tyi_name_ok(name)
               ? TY_OK
               : ty_fail(diag, TY_ERR_INPUT, "record: a %s's name cannot name a file: it " TYI_NAME_RULE, what);
}

static ty_status check_sensors(const ty_sensor_def *sensor, size_t count, const char *carrier, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (size_t i = 0; i < count && status == TY_OK; i++) {
        status = check_one("sensor", sensor[i].name, diag);
        for (size_t k = 0; k < i && status == TY_OK; k++) {
            if (tyi_name_same(sensor[i].name, sensor[k].name)) {
                status = ty_fail(diag, TY_ERR_INPUT, "record: sensors %zu and %zu of %s share the name '%s'", k, i,
                                 carrier, sensor[i].name);
            }
        }
    }
    return status;
}

/* Scenarios from files were checked as they were read; those made in C are checked here. */
ty_status tyi_record_names_check(const ty_record *r, ty_diag *diag)
{
    static const char *const taken[] = { "report.html",  "summary.json",       "timing.json",       "events.csv",
                                         "run.mcap",     "telemetry.csv",      "plots.png",         "map.png",
                                         "overview.png", "terrain_before.tif", "terrain_after.tif", "checkpoint",
                                         "dust.csv" };
    const ty_scenario *s = r->scenario;
    size_t n = s->rovers + s->actors;
    ty_status status = check_one("scenario", s->name, diag);
    for (size_t i = 0; i < n && status == TY_OK; i++) {
        bool rover = i < s->rovers;
        const char *name = rover ? s->rover[i].name : s->actor[i - s->rovers].name;
        status = check_one(rover ? "rover" : "actor", name, diag);
        for (size_t k = 0; k < i && status == TY_OK; k++) {
            const char *other = k < s->rovers ? s->rover[k].name : s->actor[k - s->rovers].name;
            if (tyi_name_same(name, other)) {
                status = ty_fail(diag, TY_ERR_INPUT, "record: two rovers or actors share the name '%s'", name);
            }
        }
        for (size_t k = 0; k < sizeof taken / sizeof *taken && status == TY_OK; k++) {
            if (!strcmp(name, taken[k])) {
                status = ty_fail(diag, TY_ERR_INPUT, "record: a %s is named '%s', as a file of every run is",
                                 rover ? "rover" : "actor", name);
            }
        }
        if (status == TY_OK) {
            status = rover ? check_sensors(s->rover[i].sensor, s->rover[i].sensors, name, diag)
                           : check_sensors(s->actor[i - s->rovers].sensor, s->actor[i - s->rovers].sensors, name, diag);
        }
    }
    return status;
}

const char *tyi_record_path(const ty_record *r, const char *file, char out[TYI_RECORD_PATH])
{
    snprintf(out, TYI_RECORD_PATH, "%s/%s", r->folder, file);
    return out;
}

void tyi_record_prefix_rover(const ty_record *r, size_t rover, char out[80])
{
    snprintf(out, 80, "%s%s", r->rovers > 1 ? r->rover[rover].name : "", r->rovers > 1 ? "/" : "");
}

void tyi_record_prefix_sensor(const ty_record *r, size_t sensor, char out[80])
{
    bool only = r->rovers == 1 && sensor < r->scenario->rover[0].sensors;
    snprintf(out, 80, "%s%s", only ? "" : ty_run_sensor(r->run, sensor).rover, only ? "" : "/");
}

/* makes the folders on the way to a file */
void tyi_record_make_way(const ty_record *r, const char *file)
{
    char path[TYI_RECORD_PATH];
    tyi_record_path(r, file, path);
    for (char *at = path + strlen(r->folder) + 1; (at = strchr(at, '/')) != NULL; at++) {
        *at = '\0';
        mkdir(path, 0777); /* there already, but for the first */
        *at = '/';
    }
}

void tyi_record_file(const ty_record *r, const char *folder, size_t sensor, ty_time at, const char *ending,
                     char out[TYI_RECORD_FILE])
{
    ty_sensor_info info = ty_run_sensor(r->run, sensor);
    char prefix[80], beyond[16] = "";
    const ty_time ms = TY_SECOND / 1000;
    tyi_record_prefix_sensor(r, sensor, prefix);
    if (info.period < ms) {
        snprintf(beyond, sizeof beyond, "_%06lld", (long long)(at % ms));
    }
    snprintf(out, TYI_RECORD_FILE, "%s%s/%s_%07lld%s%s", prefix, folder, info.name, (long long)(at / ms), beyond,
             ending);
    tyi_record_make_way(r, out);
}

void tyi_record_samples_file(const ty_record *r, size_t sensor, const char *ending, char out[TYI_RECORD_FILE])
{
    char prefix[80];
    tyi_record_prefix_sensor(r, sensor, prefix);
    snprintf(out, TYI_RECORD_FILE, "%ssamples/%s%s", prefix, ty_run_sensor(r->run, sensor).name, ending);
}

/* ---- streams ---- */

ty_status tyi_record_close(FILE **f, const char *path, ty_status status, ty_diag *diag)
{
    if (!f || !*f) {
        return status;
    }
    errno = 0;
    bool bad = ferror(*f) != 0;
    bad = fclose(*f) != 0 || bad;
    *f = NULL;
    return bad && status == TY_OK ? ty_fail(diag, TY_ERR_FILE, "%s cannot be written: %s", path ? path : "a stream",
                                            strerror(errno ? errno : EIO))
                                  : status;
}
