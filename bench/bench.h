/* bench/bench.h - benchmarks, one bench_NAME.c each.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_APP_BENCH_H
#define TYCHO_APP_BENCH_H
#include <stdio.h>
#include "tycho/device.h"

typedef struct app_bench {
    const char *name;
    int (*run)(void); /* prints the JSON object; returns an exit code */
} app_bench;

int bench_live(void);
int bench_loop(void);
int bench_soil(void);
int bench_dust(const char *device); /* NULL: on the host; "": any */
int bench_terrain(void);
int bench_render(void);
int bench_scale(void);
int bench_scm(void);
int bench_dem(const char *device); /* the same */
/* a device by part of its name, "": any; and the end of a benchmark that was written to memory: printed where all went well, freed */
ty_status bench_device(const char *name, ty_device **out, ty_diag *diag);
int bench_end(ty_status status, FILE *out, char **text, const ty_diag *diag);
int bench_crm(const char *device);   /* part of a device's name, "": any; NULL: the host alone */
int bench_gpu(const char *device);   /* likewise; NULL: any */
int bench_vec(const char *device);   /* as crm */
int bench_peers(const char *folder); /* writes its scene there for other programs */
int bench_sensor(void);
int bench_sweep(void);
int bench_fleet_fields(FILE *out);  /* many rovers in one world, for `bench sweep` */
int bench_imu_fields(FILE *out);    /* imu_step_share, for `bench sensor` */
int bench_camera_fields(FILE *out); /* camera_in_run_ratio, likewise */

double bench_now(void); /* [s] monotonic */
double bench_cpu(void); /* [s] of processor time, all threads */

#endif
