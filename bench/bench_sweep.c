/* bench/bench_sweep.c - what a sweep loses: the same short runs by one and by two workers, as processes and, where there is OpenMPI, as ranks of
 * mpirun. Rates are those that the sweep itself measures, from its first run to its last; the better of 3 of each.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "app.h"
#include "bench.h"

#define REPEATS 3
#define RUNS    16

/* runs/s of one call; 0: it did not work */
static double once(const char *folder, const char *program, const char *before, const char *options)
{
    char command[9000], line[400];
    double rate = 0.0;
    snprintf(command, sizeof command,
             "%s '%s' sweep '%s/spec.yaml' %s --no-report -o '%s/out' 2>/dev/null; rm -rf '%s/out'", before, program,
             folder, options, folder, folder);
    FILE *f = popen(command, "r");
    while (f && fgets(line, sizeof line, f)) {
        const char *at = strstr(line, " s (");
        rate = at && strstr(line, "runs/s") ? atof(at + 4) : rate;
    }
    return f && pclose(f) == 0 ? rate : 0.0;
}

static double best(const char *folder, const char *program, const char *before, const char *options)
{
    double most = 0.0;
    for (int i = 0; i < REPEATS; i++) {
        double rate = once(folder, program, before, options);
        most = rate > most ? rate : most;
    }
    return most;
}

int bench_sweep(void)
{
    char folder[] = "/tmp/tycho-bench-XXXXXX", path[60], program[4000], here[4000];
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    FILE *f = NULL;
    if (n > 0 && getcwd(here, sizeof here) && mkdtemp(folder)) {
        program[n] = '\0';
        snprintf(path, sizeof path, "%s/spec.yaml", folder);
        f = fopen(path, "w");
    }
    if (!f) {
        return app_bad("bench", "the specification of the sweep cannot be written to /tmp.");
    }
    fprintf(
        f,
        "{version: 1, name: bench, scenario: %s/scenarios/slope_climb.yaml, set: ['duration=2', 'rovers.0.sensors=[]'], "
        "vary: [{key: terrain.seed, as: seeds, count: %d}]}\n",
        here, RUNS);
    fclose(f);
    static const char mpirun[] = "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n ";
    char two[sizeof mpirun + 2], three[sizeof mpirun + 2];
    snprintf(two, sizeof two, "%s2", mpirun);
    snprintf(three, sizeof three, "%s3", mpirun);
    double one = best(folder, program, "", "-j 1"), both = best(folder, program, "", "-j 2");
    double rank = best(folder, program, two, "--mpi"), ranks = best(folder, program, three, "--mpi");
    unlink(path);
    rmdir(folder);
    if (!(one > 0.0)) {
        return app_bad("bench", "the sweep did not run; it takes scenarios/slope_climb.yaml from the working folder.");
    }
    printf(
        "{\"runs\": %d, \"ranks\": %d, \"runs_per_s_1_process\": %.4g, \"runs_per_s_2_processes\": %.4g, \"efficiency_processes\": %.4g, \"runs_per_s_1_rank\": %.4g, "
        "\"runs_per_s_2_ranks\": %.4g, \"efficiency\": %.4g, ",
        RUNS, rank > 0.0 ? 2 : 0, one, both, both / (2.0 * one), rank, ranks,
        rank > 0.0 ? ranks / (2.0 * rank) : both / (2.0 * one));
    int code = bench_fleet_fields(stdout);
    puts("}");
    return code;
}
