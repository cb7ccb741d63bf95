/* bench/bench_crm.c - soil that flows: particle updates per second.
 * The work: a layer of soil on a rough plane of 25 deg that flows at up to 1 m/s, periodic along and across, mu 0.3819 to 0.643; walls
 * are not counted. On one core of the host: 64 thousand particles; core_steps_per_s is by processor time. With a device:
 * 64 thousand, one, four and ten million particles on a GPU, the first on a CPU device; device_gib: memory of the last there.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "app.h"
#include "bench.h"
#include "tycho/device.h"
#include "tycho/tools/crm.h"
#include "soil/crm/bed.h"

enum { LAYERS = 3 };

/* a layer of nx x ny x nz particles on a floor */
static ty_status lay(tyi_crm_def *def, int nx, int ny, int nz, tyi_crm **out, ty_diag *diag)
{
    double d = def->spacing, g = 9.81, angle = 25.0 * TY_DEG, height = nz * d;
    def->soil.mu_s = 0.3819;
    def->soil.mu_2 = 0.643;
    def->soil.i0 = 0.279;
    def->soil.d = 0.01;
    def->gravity = ty_vec3_make(g * sin(angle), 0.0, -g * cos(angle));
    def->low = ty_vec3_make(0.0, 0.0, -LAYERS * d);
    def->high = ty_vec3_make(nx * d, ny * d, height + 4.0 * d);
    def->periodic[0] = def->periodic[1] = true;
    def->particles = (size_t)nx * (size_t)ny * (size_t)(nz + LAYERS);
    ty_status status = tyi_crm_create(def, out, diag);
    uint32_t id = 0;
    for (int k = -LAYERS; k < nz && status == TY_OK; k++) {
        for (int j = 0; j < ny && status == TY_OK; j++) {
            for (int i = 0; i < nx && status == TY_OK; i++) {
                double z = (k + 0.5) * d, p = k < 0 ? 0.0 : def->soil.rho * g * cos(angle) * (height - z);
                ty_crm_particle a = { .x = { (i + 0.5) * d, (j + 0.5) * d, z }, .id = id++, .wall = k < 0 };
                a.stress[0] = a.stress[1] = a.stress[2] = -p;
                a.stress[4] = k < 0 ? 0.0 : 0.38 * p;
                a.v.x = k < 0 ? 0.0 : 1.0 - pow(1.0 - z / height, 1.5);
                status = tyi_crm_add(*out, &a, 1, diag);
            }
        }
    }
    return status;
}

typedef struct rates {
    double wall, core, searches; /* particle updates per second by the clock, by processor time; searches per step */
} rates;

/* best of three times `steps` steps, after some to warm up */
static ty_status time_bed(tyi_crm *crm, double step, int steps, double particles, rates *out, ty_diag *diag)
{
    double best = INFINITY, least = INFINITY;
    ty_status status = tyi_crm_step(crm, 5 * step, NULL, 0, NULL, diag);
    uint64_t before = tyi_crm_get_counts(crm).searches, counted = 0;
    for (int k = 0; k < 3 && status == TY_OK; k++) {
        uint64_t from = tyi_crm_get_counts(crm).steps;
        double start = bench_now(), work = bench_cpu();
        for (int i = 0; i < steps / 10 && status == TY_OK; i++) {
            status = tyi_crm_step(crm, 10 * step, NULL, 0, NULL, diag);
        }
        uint64_t done = tyi_crm_get_counts(crm).steps - from;
        counted += done;
        best = fmin(best, (bench_now() - start) / (double)done);
        least = fmin(least, (bench_cpu() - work) / (double)done);
    }
    *out = (rates){ particles / best, particles / least,
                    (double)(tyi_crm_get_counts(crm).searches - before) / (double)counted };
    return status;
}

static ty_status time_host(rates *out, ty_diag *diag)
{
    tyi_crm_def def = tyi_crm_def_default();
    ty_crm_facts facts;
    tyi_crm *crm = NULL;
    ty_status status = lay(&def, 40, 40, 40, &crm, diag);
    if (status == TY_OK) {
        status = tyi_crm_def_facts(&def, &facts, diag);
    }
    if (status == TY_OK) {
        status = time_bed(crm, 0.9 * facts.step, 40, 40.0 * 40.0 * 40.0, out, diag);
    }
    tyi_crm_destroy(crm);
    return status;
}

/* largest difference of positions after 100 steps on host and device, over the spacing; 0: equal */
static ty_status agree(ty_device *device, double *out, ty_diag *diag)
{
    enum { SIDE = 16, DEEP = 10, ALL = SIDE * SIDE * (DEEP + LAYERS) };
    static ty_vec3 place[2][ALL];
    ty_status status = TY_OK;
    double d = 0.01;
    for (int k = 0; k < 2 && status == TY_OK; k++) {
        tyi_crm_def def = tyi_crm_def_default();
        tyi_crm *crm = NULL;
        status = lay(&def, SIDE, SIDE, DEEP, &crm, diag);
        if (status == TY_OK && k) {
            status = tyi_crm_to_device(crm, device, diag);
        }
        for (int i = 0; i < 100 && status == TY_OK; i++) {
            status = tyi_crm_step(crm, 1e-4, NULL, 0, NULL, diag);
        }
        if (status == TY_OK) {
            status = tyi_crm_fetch(crm, diag);
        }
        for (size_t i = 0; i < ALL && status == TY_OK; i++) {
            ty_crm_particle p = tyi_crm_get(crm, i);
            place[k][p.id] = p.x;
        }
        tyi_crm_destroy(crm);
    }
    *out = 0.0;
    for (int i = 0; i < ALL && status == TY_OK; i++) {
        ty_vec3 e = ty_sub(place[0][i], place[1][i]);
        e.x -= SIDE * d * rint(e.x / (SIDE * d));
        e.y -= SIDE * d * rint(e.y / (SIDE * d));
        *out = fmax(*out, ty_norm(e) / d);
    }
    return status;
}

/* time of each kernel in a sub-step [us], without a body and with one; they wait for each other here, so that their sum is more than a step takes */
static ty_status profile(tyi_crm *crm, double step, FILE *out, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (int bodies = 0; bodies < 2 && status == TY_OK; bodies++) {
        tyi_crm_profile times = { 0 };
        tyi_crm_body ball = {
            .shape = TYI_CRM_SPHERE, .a = 0.1, .friction = 0.5, .pose = { { 0.5, 0.5, 0.738 }, ty_quat_identity() }
        };
        uint64_t from = tyi_crm_get_counts(crm).steps;
        status = tyi_crm_step(crm, step, &ball, bodies, NULL, diag); /* room for it is made */
        tyi_crm_device_profile = &times;
        status = status == TY_OK ? tyi_crm_step(crm, 20 * step, &ball, bodies, NULL, diag) : status;
        tyi_crm_device_profile = NULL;
        double by = 1e6 / (double)(tyi_crm_get_counts(crm).steps - from - 1);
        for (int k = 0; k < times.count && status == TY_OK; k++) {
            fprintf(out, "\"us_%s%s\": %.3g, ", times.row[k].kernel, bodies ? "_with_body" : "",
                    by * times.row[k].seconds);
        }
    }
    return status;
}

/* beds of growing size; the best rate is that of the largest that fits */
static ty_status time_device(ty_device *device, FILE *out, ty_diag *diag)
{
    static const struct {
        int nx, ny, nz, steps;
    } sizes[] = { { 40, 40, 40, 100 }, { 128, 128, 64, 60 }, { 200, 200, 100, 40 }, { 250, 250, 160, 20 } };
    bool gpu = ty_device_get_info(device)->gpu;
    ty_status status = TY_OK;
    size_t sizes_taken = gpu ? 4 : 1;
    for (size_t k = 0; k < sizes_taken && status == TY_OK; k++) {
        tyi_crm_def def = tyi_crm_def_default();
        def.neighbours = 96;
        ty_crm_facts facts;
        tyi_crm *crm = NULL;
        rates r = { 0 };
        double particles = (double)sizes[k].nx * sizes[k].ny * sizes[k].nz;
        status = lay(&def, sizes[k].nx, sizes[k].ny, sizes[k].nz, &crm, diag);
        status = status == TY_OK ? tyi_crm_def_facts(&def, &facts, diag) : status;
        status = status == TY_OK ? tyi_crm_to_device(crm, device, diag) : status;
        status =
            status == TY_OK ? time_bed(crm, 0.9 * facts.step, gpu ? sizes[k].steps : 10, particles, &r, diag) : status;
        if (status == TY_OK && gpu && k == 1) {
            status = profile(crm, 0.9 * facts.step, out, diag);
        }
        double bytes = crm ? (double)tyi_crm_get_counts(crm).device_bytes : 0.0;
        tyi_crm_destroy(crm);
        bool last = k + 1 == sizes_taken;
        if (status == TY_OK && last) {
            fprintf(out,
                    "\"particles\": %.0f, \"steps_per_s\": %.4g, \"searches_per_step\": %.3g, \"device_gib\": %.3f, ",
                    particles, r.wall, r.searches, bytes / 0x1p30);
        } else if (status == TY_OK) {
            fprintf(out, "\"steps_per_s_%.0f\": %.4g, ", particles, r.wall);
        }
    }
    return status;
}

ty_status bench_device(const char *name, ty_device **out, ty_diag *diag)
{
    ty_device_def def = ty_device_def_default();
    def.name = name[0] ? name : NULL;
    return ty_device_create(&def, out, diag);
}

int bench_end(ty_status status, FILE *out, char **text, const ty_diag *diag)
{
    if (out) {
        fclose(out);
    }
    if (status == TY_OK) {
        puts(*text);
    }
    free(*text);
    return status == TY_OK ? APP_OK : app_bad("bench", "%s.", diag->text);
}

int bench_crm(const char *name)
{
    rates host = { 0 };
    ty_diag diag = { 0 };
    ty_device *device = NULL;
    double equal = 0.0;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    ty_status status = out ? time_host(&host, &diag) : ty_fail(&diag, TY_ERR_MEMORY, "no memory");
    status = status == TY_OK && name ? bench_device(name, &device, &diag) : status;
    if (status == TY_OK && device) {
        fprintf(out, "{\"device\": \"%s\", ", ty_device_get_info(device)->name);
        status = agree(device, &equal, &diag);
        status = status == TY_OK ? time_device(device, out, &diag) : status;
        fprintf(out, "\"core_steps_per_s\": %.4g, \"equal\": %.3g}", host.core, equal == 0.0 ? 1.0 : equal);
    } else if (status == TY_OK) {
        fprintf(
            out,
            "{\"device\": \"cpu\", \"particles\": 64000, \"steps_per_s\": %.4g, \"core_steps_per_s\": %.4g, \"searches_per_step\": %.3g}",
            host.wall, host.core, host.searches);
    }
    ty_device_destroy(device);
    return bench_end(status, out, &text, &diag);
}
