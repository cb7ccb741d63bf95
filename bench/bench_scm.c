/* bench/bench_scm.c - the grid of soil columns under four VIPER wheels: wall time over simulated time.
 * The work: r 0.25 m, b 0.2 m, lunar soil (k_phi 0.82e6, k_c 1400, n 1, c 170 Pa, phi 35 deg, K
 * 0.0178 m), 1.62 m/s2, wheels at 0.8 rad/s, 1 s of settling, then 10 s at 1 kHz on one core, berms
 * included. The wheels carry a body that is free to move forward and each sinks under its share of the
 * weight; the multibody library is not part of it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "app.h"
#include "bench.h"
#include "tycho/math.h"
#include "tycho/soil.h"
#include "soil/scm_grid.h"

enum { WHEELS = 4, LUGS = 24, SEGMENTS = 10 };
static const double mass = 450.0, gravity = TY_GRAVITY_MOON, dt = 1e-3; /* [kg] of the whole, [m/s2], [s] */
static const ty_wheel_shape wheel = { 0.25, 0.2, 0.0, 0 };

/* A cylinder of r 0.225 m with plates up to 0.25 m, as triangles: per lug the rim in SEGMENTS
 * chords, then up, over the tip and down. Only the outer surface. */
typedef struct mesh {
    float vertex[LUGS * (SEGMENTS + 4) * 2 * 3];
    int triangle[LUGS * (SEGMENTS + 4) * 2 * 3];
    int vertices, triangles;
} mesh;

static void make_mesh(mesh *m)
{
    const double r = 0.225, tip = 0.25, half = 0.0025;
    int points = LUGS * (SEGMENTS + 4);
    for (int i = 0; i < points; i++) {
        int lug = i / (SEGMENTS + 4), k = i % (SEGMENTS + 4);
        double pitch = 2.0 * TY_PI / LUGS, base = half / r, top = half / tip, angle, radius = r;
        if (k < 4) { /* foot, corner, corner, foot */
            angle = (k == 0 ? -base : k == 1 ? -top : k == 2 ? top : base);
            radius = k == 1 || k == 2 ? tip : r;
        } else {
            angle = base + (pitch - 2.0 * base) * (k - 3) / (SEGMENTS + 1);
        }
        angle += lug * pitch;
        for (int side = 0; side < 2; side++) {
            float *v = &m->vertex[3 * (2 * i + side)];
            v[0] = (float)(radius * sin(angle));
            v[1] = (float)(side ? 0.1 : -0.1);
            v[2] = (float)(-radius * cos(angle));
        }
        int next = (i + 1) % points, *t = &m->triangle[6 * i];
        t[0] = 2 * i;
        t[1] = 2 * next;
        t[2] = 2 * i + 1;
        t[3] = 2 * next;
        t[4] = 2 * next + 1;
        t[5] = 2 * i + 1;
    }
    m->vertices = 2 * points;
    m->triangles = 2 * points;
}

typedef struct rover {
    tyi_soil_scm *scm;
    tyi_soil_scm_body body[WHEELS];
    tyi_soil_scm_load load[WHEELS];
    double v, z_rate[WHEELS], spin;
    int nodes;
} rover;

static ty_status build(rover *r, double cell, const mesh *m, ty_diag *diag)
{
    tyi_soil_scm_soil soil = tyi_soil_scm_soil_default(); /* its Bekker part is this very soil */
    tyi_soil_scm_def def = tyi_soil_scm_def_default();
    *r = (rover){ 0 };
    def.cell = cell;
    def.soil = &soil;
    def.soils = 1;
    def.bodies = WHEELS;
    int shape = 0;
    ty_status status = tyi_soil_scm_create(&def, &r->scm, diag);
    if (status == TY_OK) {
        status =
            m ? tyi_soil_scm_add_mesh(r->scm, m->vertex, m->vertices, m->triangle, m->triangles, LUGS, 1, &shape, diag)
              : tyi_soil_scm_add_wheel(r->scm, &wheel, 0.0, &shape, diag);
    }
    for (int i = 0; i < WHEELS; i++) {
        r->body[i].shape = shape;
        r->body[i].pose.p = ty_vec3_make(i < 2 ? 0.55 : -0.55, i % 2 ? 0.6031 : -0.6031, 0.25);
    }
    return status;
}

static ty_status step(rover *r, double omega, ty_diag *diag)
{
    for (int i = 0; i < WHEELS; i++) {
        tyi_soil_scm_body *b = &r->body[i];
        b->pose.q = ty_quat_axis(ty_vec3_make(0.0, 1.0, 0.0), r->spin);
        b->v = ty_vec3_make(r->v, 0.0, r->z_rate[i]);
        b->w = ty_vec3_make(0.0, omega, 0.0);
    }
    ty_status status = tyi_soil_scm_step(r->scm, dt, r->body, WHEELS, r->load, diag);
    double pull = 0.0;
    for (int i = 0; i < WHEELS; i++) {
        r->z_rate[i] += dt * (r->load[i].force.z / (mass / WHEELS) - gravity);
        pull += r->load[i].force.x;
        r->nodes = i ? r->nodes + r->load[i].nodes : r->load[i].nodes;
    }
    r->v += dt * pull / mass;
    r->spin = fmod(r->spin + dt * omega, 2.0 * TY_PI);
    for (int i = 0; i < WHEELS; i++) {
        r->body[i].pose.p.x += dt * r->v;
        r->body[i].pose.p.z += dt * r->z_rate[i];
    }
    return status;
}

/* wall and processor time over simulated time of the 10 s */
static ty_status drive(double cell, const mesh *m, double *rtf, double *cpu, rover *r, ty_diag *diag)
{
    ty_status status = build(r, cell, m, diag);
    for (int i = 0; i < 1000 && status == TY_OK; i++) {
        status = step(r, 0.0, diag);
    }
    double start = bench_now(), work = bench_cpu();
    for (int i = 0; i < 10000 && status == TY_OK; i++) {
        status = step(r, 0.8, diag);
    }
    *rtf = (bench_now() - start) / 10.0;
    *cpu = (bench_cpu() - work) / 10.0;
    tyi_soil_scm_destroy(r->scm);
    return status;
}

static int print_fields(FILE *out)
{
    static const struct {
        const char *name;
        double cell;
        bool lugs;
    } cases[] = { { "004", 0.04, false },     { "002", 0.02, false },     { "001", 0.01, false },
                  { "004_mesh", 0.04, true }, { "002_mesh", 0.02, true }, { "001_mesh", 0.01, true } };
    mesh *m = malloc(sizeof *m);
    if (!m) {
        return app_bad("bench", "no memory.");
    }
    make_mesh(m);
    int code = APP_OK;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0] && code == APP_OK; i++) {
        double best = INFINITY, least = INFINITY;
        rover r;
        for (int k = 0; k < 3 && code == APP_OK; k++) {
            double rtf = 0.0, cpu = 0.0;
            ty_diag diag = { 0 };
            if (drive(cases[i].cell, cases[i].lugs ? m : NULL, &rtf, &cpu, &r, &diag) != TY_OK) {
                code = app_bad("bench", "%s.", diag.text);
            }
            best = fmin(best, rtf);
            least = fmin(least, cpu);
        }
        fprintf(out,
                "%s\"rtf_scm_%s\": %.4g, \"cpu_scm_%s\": %.4g, \"scm_%s_nodes\": %d, "
                "\"scm_%s_sinkage_mm\": %.3g, \"scm_%s_speed\": %.4g",
                i ? ", " : "", cases[i].name, best, cases[i].name, least, cases[i].name, r.nodes, cases[i].name,
                1e3 * r.load[0].sinkage, cases[i].name, r.v);
    }
    free(m);
    return code;
}

int bench_scm(void)
{
    printf("{");
    int code = print_fields(stdout);
    printf("}\n");
    return code;
}
