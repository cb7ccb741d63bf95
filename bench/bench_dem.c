/* bench/bench_dem.c - soil as grains: updates per second.
 * The work: a layer of grains of many sizes that has come down and slides over a rough floor of 25 deg, periodic along and across; fixed grains are
 * not counted. On one core of the host: 16 thousand grains; core_steps_per_s is by processor time. With a device: 64 thousand, one and four
 * million on a GPU, the first on a CPU device; device_gib: memory of the last there.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "app.h"
#include "bench.h"
#include "tycho/device.h"
#include "soil/dem/grains.h"

/* nx x ny x nz grains over a floor, loose, on their way down */
static ty_status lay(int nx, int ny, int nz, tyi_dem **out, tyi_dem_facts *facts, ty_diag *diag)
{
    tyi_dem_def def = tyi_dem_def_default();
    double d = 1.17 * def.diameter, g = 9.81, angle = 25.0 * TY_DEG;
    def.gravity = ty_vec3_make(g * sin(angle), 0.0, -g * cos(angle));
    def.low = ty_vec3_make(0.0, 0.0, -2.0 * d);
    def.high = ty_vec3_make(nx * d, ny * d, (nz + 4) * d);
    def.periodic[0] = def.periodic[1] = true;
    def.grains = (size_t)nx * (size_t)ny * (size_t)(nz + 1);
    ty_status status = tyi_dem_def_facts(&def, facts, diag);
    status = status == TY_OK ? tyi_dem_create(&def, out, diag) : status;
    uint32_t id = 0;
    for (int k = -1; k < nz && status == TY_OK; k++) {
        for (int i = 0; i < nx * ny && status == TY_OK; i++, id++) {
            double r = tyi_dem_radius(&def, id), free = 0.5 * d - r;
            tyi_dem_grain a = { .x = { (i % nx + 0.5) * d + free * cos(2.4 * id),
                                       (i / nx + 0.5) * d + free * sin(2.4 * id), (k + 0.5) * d },
                                .v = { k < 0 ? 0.0 : 0.5 * k / nz, 0.0, k < 0 ? 0.0 : -0.8 * k / nz },
                                .r = r,
                                .fixed = k < 0,
                                .id = id };
            status = tyi_dem_add(*out, &a, 1, diag);
        }
    }
    return status;
}

typedef struct rates {
    double wall, core, searches; /* updates of grains per second by the clock, by processor time; searches per step */
} rates;

/* best of three times `steps` steps, after `settle` seconds */
static ty_status time_bed(tyi_dem *dem, double step, double settle, int steps, double grains, rates *out, ty_diag *diag)
{
    double best = INFINITY, least = INFINITY;
    ty_status status = tyi_dem_step(dem, settle, NULL, 0, NULL, diag);
    uint64_t before = tyi_dem_get_counts(dem).searches, counted = 0;
    for (int k = 0; k < 3 && status == TY_OK; k++) {
        uint64_t from = tyi_dem_get_counts(dem).steps;
        double start = bench_now(), work = bench_cpu();
        status = tyi_dem_step(dem, steps * step, NULL, 0, NULL, diag);
        uint64_t done = tyi_dem_get_counts(dem).steps - from;
        counted += done;
        best = fmin(best, (bench_now() - start) / (double)done);
        least = fmin(least, (bench_cpu() - work) / (double)done);
    }
    *out =
        (rates){ grains / best, grains / least, (double)(tyi_dem_get_counts(dem).searches - before) / (double)counted };
    return status;
}

/* largest difference of positions after 100 steps on host and device, over the diameter; 0: equal */
static ty_status agree(ty_device *device, double *out, ty_diag *diag)
{
    enum { SIDE = 16, DEEP = 8, ALL = SIDE * SIDE * (DEEP + 1) };
    static ty_vec3 place[2][ALL];
    tyi_dem_facts facts;
    ty_status status = TY_OK;
    for (int k = 0; k < 2 && status == TY_OK; k++) {
        tyi_dem *dem = NULL;
        status = lay(SIDE, SIDE, DEEP, &dem, &facts, diag);
        status = status == TY_OK && k ? tyi_dem_to_device(dem, device, diag) : status;
        status = status == TY_OK ? tyi_dem_step(dem, 100.0 * facts.step, NULL, 0, NULL, diag) : status;
        status = status == TY_OK ? tyi_dem_fetch(dem, diag) : status;
        for (size_t i = 0; i < ALL && status == TY_OK; i++) {
            tyi_dem_grain g = tyi_dem_get(dem, i);
            place[k][g.id] = g.x;
        }
        tyi_dem_destroy(dem);
    }
    *out = 0.0;
    double L = SIDE * 0.0117;
    for (int i = 0; i < ALL && status == TY_OK; i++) {
        ty_vec3 e = ty_sub(place[0][i], place[1][i]);
        e.x -= L * rint(e.x / L);
        e.y -= L * rint(e.y / L);
        *out = fmax(*out, ty_norm(e) / 0.01);
    }
    return status;
}

/* beds of growing size */
static ty_status time_device(ty_device *device, FILE *out, ty_diag *diag)
{
    static const int sizes[][4] = { { 64, 64, 16, 200 }, { 256, 256, 16, 200 }, { 512, 512, 16, 100 } };
    bool gpu = ty_device_get_info(device)->gpu;
    ty_status status = TY_OK;
    int count = gpu ? 3 : 1;
    for (int k = 0; k < count && status == TY_OK; k++) {
        tyi_dem_facts facts;
        tyi_dem *dem = NULL;
        rates r = { 0 };
        const int *s = sizes[k];
        double grains = (double)s[0] * s[1] * s[2];
        status = lay(s[0], s[1], s[2], &dem, &facts, diag);
        status = status == TY_OK ? tyi_dem_to_device(dem, device, diag) : status;
        status =
            status == TY_OK ? time_bed(dem, facts.step, gpu ? 0.15 : 0.002, gpu ? s[3] : 10, grains, &r, diag) : status;
        status = status == TY_OK ? tyi_dem_fetch(dem, diag) : status;
        tyi_dem_sums sum = { .moving = 0 };
        if (status == TY_OK) {
            sum = tyi_dem_add_up(dem);
        }
        double bytes = dem ? (double)tyi_dem_get_counts(dem).device_bytes : 0.0;
        tyi_dem_destroy(dem);
        if (status == TY_OK && k + 1 == count) {
            fprintf(
                out,
                "\"particles\": %.0f, \"steps_per_s\": %.4g, \"searches_per_step\": %.3g, \"contacts\": %.3g, \"device_gib\": %.3f, ",
                grains, r.wall, r.searches, (double)sum.touching / grains, bytes / 0x1p30);
        } else if (status == TY_OK) {
            fprintf(out, "\"steps_per_s_%.0f\": %.4g, ", grains, r.wall);
        }
    }
    return status;
}

int bench_dem(const char *name)
{
    rates host = { 0 };
    ty_diag diag = { 0 };
    ty_device *device = NULL;
    tyi_dem *dem = NULL;
    tyi_dem_facts facts;
    double equal = 0.0, touching = 0.0;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    ty_status status = out ? lay(32, 32, 16, &dem, &facts, &diag) : ty_fail(&diag, TY_ERR_MEMORY, "no memory");
    status = status == TY_OK ? time_bed(dem, facts.step, 0.08, 60, 16384.0, &host, &diag) : status;
    if (status == TY_OK) {
        touching = (double)tyi_dem_add_up(dem).touching / 16384.0;
    }
    tyi_dem_destroy(dem);
    status = status == TY_OK && name ? bench_device(name, &device, &diag) : status;
    if (status == TY_OK && device) {
        fprintf(out, "{\"device\": \"%s\", ", ty_device_get_info(device)->name);
        status = agree(device, &equal, &diag);
        status = status == TY_OK ? time_device(device, out, &diag) : status;
        fprintf(out, "\"core_steps_per_s\": %.4g, \"equal\": %.3g}", host.core, equal == 0.0 ? 1.0 : equal);
    } else if (status == TY_OK) {
        fprintf(
            out,
            "{\"device\": \"cpu\", \"particles\": 16384, \"steps_per_s\": %.4g, \"core_steps_per_s\": %.4g, \"searches_per_step\": %.3g, \"contacts\": %.3g}",
            host.wall, host.core, host.searches, touching);
    }
    ty_device_destroy(device);
    return bench_end(status, out, &text, &diag);
}
