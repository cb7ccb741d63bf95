/* src/fleet/slurm.c - a sweep as a job array of Slurm: each task makes its part of the rows, a last job makes the table of them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "fleet.h"
#include "io/out.h"

/* a word as a shell takes it */
static void word(FILE *f, const char *text)
{
    fputc('\'', f);
    for (; *text; text++) {
        *text == '\'' ? (void)fputs("'\\''", f) : (void)fputc(*text, f);
    }
    fputc('\'', f);
}

static ty_status script(const tyi_fleet_spec *spec, const char *dir, const char *const *settings, size_t count,
                        int tasks, const char *file, ty_diag *diag)
{
    char path[TYI_FLEET_PATH + 40], program[TY_PATH_MAX] = "", from[TY_PATH_MAX] = "";
    tyi_io_out out;
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    program[n > 0 ? n : 0] = '\0';
    snprintf(path, sizeof path, "%.*s/%s", TY_PATH_MAX - 1, dir, file);
    ty_status status = tyi_io_out_open(&out, path, diag);
    if (status != TY_OK || !getcwd(from, sizeof from)) {
        return status != TY_OK ? status
                               : ty_fail(diag, TY_ERR_FILE, "the working folder cannot be read: %s", strerror(errno));
    }
    fprintf(out.file, "#!/bin/sh\n#SBATCH --job-name=%s\n#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=1\n", spec->name);
    if (tasks) {
        fprintf(out.file, "#SBATCH --array=0-%d\n", tasks - 1);
    }
    fprintf(out.file, "cd ");
    word(out.file, from);
    fprintf(out.file, " || exit 2\nexec ");
    word(out.file, program);
    fprintf(out.file, " sweep ");
    word(out.file, spec->path);
    for (size_t i = 0; i < count; i++) {
        fprintf(out.file, " --set ");
        word(out.file, settings[i]);
    }
    fprintf(out.file, " -o ");
    word(out.file, dir);
    fprintf(out.file, " -j 1 --quiet");
    if (tasks) {
        fprintf(out.file, " --part \"$SLURM_ARRAY_TASK_ID/%d\"", tasks);
    }
    fprintf(out.file, "\n");
    return tyi_io_out_close(&out, TY_OK, diag);
}

/* the number of the job that sbatch made */
static ty_status submit(const char *dir, const char *options, const char *file, char job[40], ty_diag *diag)
{
    char command[3 * TYI_FLEET_PATH], said[400] = "";
    snprintf(command, sizeof command, "sbatch --parsable -o '%.*s/slurm-%%j.out' %s '%.*s/%s' 2>&1", TY_PATH_MAX - 1,
             dir, options, TY_PATH_MAX - 1, dir, file);
    FILE *f = popen(command, "r");
    size_t n = f ? fread(said, 1, sizeof said - 1, f) : 0;
    int code = f ? pclose(f) : -1;
    said[n] = '\0';
    said[strcspn(said, "\n")] = '\0';
    snprintf(job, 40, "%.*s", (int)strcspn(said, ";"), said);
    return code == 0 && job[0] ? TY_OK : ty_fail(diag, TY_ERR_FILE, "sbatch did not take %s/%s: %s", dir, file, said);
}

ty_status tyi_fleet_slurm(const tyi_fleet_spec *spec, const char *dir, const char *const *settings, size_t count,
                          int tasks, bool wait, char jobs[100], ty_diag *diag)
{
    char array[40], last[40], options[120];
    tyi_fleet_base *base = NULL;
    if (strchr(dir, '\'') || system("command -v sbatch >/dev/null 2>&1") != 0) {
        return ty_fail(diag, TY_ERR_FILE,
                       strchr(dir, '\'') ? "the folder %s has a quote in its name, which the job's script cannot take"
                                         : "there is no Slurm here: the program sbatch is not found (folder %s)",
                       dir);
    }
    ty_status status = tyi_fleet_folder(dir, "", diag);
    status = status == TY_OK ? tyi_fleet_base_open(dir, spec, &base, diag)
                             : status; /* says at once whether the folder is another sweep's */
    tyi_fleet_base_close(base);
    status = status == TY_OK ? script(spec, dir, settings, count, tasks, "slurm_parts.sh", diag) : status;
    status = status == TY_OK ? script(spec, dir, settings, count, 0, "slurm_table.sh", diag) : status;
    status = status == TY_OK ? submit(dir, "", "slurm_parts.sh", array, diag) : status;
    if (status == TY_OK) {
        snprintf(options, sizeof options, "--dependency=afterany:%s%s", array, wait ? " --wait" : "");
        status = submit(dir, options, "slurm_table.sh", last, diag);
        snprintf(jobs, 100, "%s and %s", array, last);
    }
    return status;
}
