/* bench/bench_vec.c - many environments at once: 64 VIPERs on bekker, each a run of its own, told what to do every tenth of a second.
 * One process steps all of them on two threads, with a barrier after each step as learning has it; against it two processes with half of
 * them each, which never wait. Rates are of wall time; `cpu_ratio` compares processor time for the same steps, which a machine with other
 * work does not change. Then 64 x 64 depth pictures in each step, by two workers and by as many as the machine has processors; with a device
 * these by the host and there, and nothing is said of processes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "app.h"
#include "bench.h"
#include "tycho/run.h"

#define ENVS    64
#define WORKERS 2
#define MOST    16  /* workers */
#define STEPS   20  /* of all environments in a repeat */
#define PERIOD  0.1 /* [s] simulated in one step of an environment */
#define REPEATS 3
#define LOOKS   10 /* steps in a repeat, with pictures */

typedef struct vec vec;
struct vec {
    int count, first, workers;
    const char *camera; /* "": none */
    const char *device; /* NULL: pictures by the host; part of a device's name, "": any */
    ty_scenario **scenario;
    ty_run **run;
    ty_diag *said;   /* of each environment */
    ty_time until;   /* [ns] */
    atomic_int next; /* environment that nobody has begun */
    void (*job)(vec *, int);
};

typedef struct spent {
    double wall, cpu; /* [s] for one step of all */
} spent;

static ty_scenario *scenario_of(int env, const char *camera, const char *device, ty_diag *diag)
{
    const char *root = getenv("TYCHO_SOURCE");
    char text[2000], where[120] = "";
    ty_scenario *out = NULL;
    if (device) {
        snprintf(where, sizeof where, "backend: opencl\n%s%.60s%s", device[0] ? "device: \"" : "", device,
                 device[0] ? "\"\n" : "");
    }
    snprintf(
        text, sizeof text,
        "version: 1\nname: vec\nsite: {lat_deg: -84.0, lon_deg: 222.7}\nduration: 1000000\n%s"
        "terrain: {extent: 400, seed: %d, relief: {rms_slope_deg: 1, baseline: 5, outer: 30}, craters: {enabled: false}, rocks: {enabled: %s}}\n"
        "soil: {model: bekker}\n"
        "rovers: [{name: viper, model: models/rovers/viper.yaml, driver: {type: external}, sensors: [%s]}]\n",
        where, env + 1, camera[0] ? "true" : "false", camera);
    char path[4096];
    snprintf(path, sizeof path, "%s/vec.yaml", root ? root : ".");
    ty_scenario_parse(path, text, strlen(text), NULL, 0, &out, diag);
    return out;
}

static void free_vec(vec *v)
{
    for (int i = 0; i < v->count; i++) {
        ty_run_destroy(v->run[i]);
        ty_scenario_destroy(v->scenario[i]);
    }
    free(v->run);
    free(v->scenario);
    free(v->said);
}

static void make_one(vec *v, int i)
{
    ty_diag diag = { 0 };
    ty_run_def def = ty_run_def_default();
    def.overlap = false, def.threads = 1, def.detail = 256;
    def.scenario = v->scenario[i] = scenario_of(v->first + i, v->camera, v->device, &diag);
    if (v->scenario[i] && ty_run_create(&def, &v->run[i], &diag) == TY_OK) {
        ty_run_command(v->run[i], 0, &(ty_drive_command){ .v = 0.2, .omega = 0.02 * (i % 5 - 2) }, &diag);
    }
    v->said[i] = diag;
}

static void step_one(vec *v, int i)
{
    while (v->said[i].status == TY_OK && ty_run_time(v->run[i]) < v->until) {
        ty_run_step(v->run[i], &v->said[i]);
    }
}

static void *work(void *user)
{
    vec *v = user;
    for (int i; (i = atomic_fetch_add(&v->next, 1)) < v->count;) {
        v->job(v, i);
    }
    return NULL;
}

/* one job for every environment, handed out as threads come free; returns when all are done */
static void all(vec *v, void (*job)(vec *, int))
{
    pthread_t thread[MOST];
    int more = 0;
    v->job = job;
    atomic_store(&v->next, 0);
    while (more + 1 < v->workers && !pthread_create(&thread[more], NULL, work, v)) {
        more++;
    }
    work(v);
    while (more > 0) {
        pthread_join(thread[--more], NULL);
    }
}

/* what went wrong, if anything did */
static bool fine(const vec *v, ty_diag *diag)
{
    for (int i = 0; i < v->count; i++) {
        if (v->said[i].status != TY_OK) {
            *diag = v->said[i];
            return false;
        }
    }
    return v->scenario && v->run && v->said;
}

static bool make_vec(vec *v, int count, int first, int workers, const char *camera, const char *device)
{
    ty_diag diag;
    *v = (vec){ .scenario = calloc((size_t)count, sizeof *v->scenario),
                .run = calloc((size_t)count, sizeof *v->run),
                .said = calloc((size_t)count, sizeof *v->said),
                .first = first,
                .workers = workers,
                .camera = camera,
                .device = device };
    v->count = v->scenario && v->run && v->said ? count : 0;
    all(v, make_one);
    return fine(v, &diag);
}

/* seconds of one step of all, mean over the repeat */
static spent step_all(vec *v, int from, int steps)
{
    double wall = bench_now(), cpu = bench_cpu();
    for (int k = from; k < from + steps; k++) {
        v->until = ty_time_from(PERIOD * (k + 1));
        all(v, step_one);
    }
    return (spent){ (bench_now() - wall) / steps, (bench_cpu() - cpu) / steps };
}

/* One of two processes: its share of the environments on one thread. Says when it is ready, waits, steps, tells its times; again for every repeat. */
static int child(int first, int in, int out)
{
    vec v;
    ty_diag diag;
    char go = 1;
    bool good = make_vec(&v, ENVS / WORKERS, first, 1, "", NULL);
    if (good) {
        step_all(&v, 0, STEPS);
    }
    good = good && fine(&v, &diag) && write(out, &go, 1) == 1;
    for (int k = 0; k < REPEATS && good; k++) {
        good = read(in, &go, 1) == 1;
        spent s = step_all(&v, STEPS * (k + 1), STEPS);
        good = good && fine(&v, &diag) && write(out, &s, sizeof s) == (ssize_t)sizeof s;
    }
    free_vec(&v);
    return good ? 0 : 1;
}

typedef struct peers {
    pid_t pid[WORKERS];
    int to[WORKERS], from[WORKERS];
} peers;

/* before this process has any thread */
static bool start_peers(peers *p)
{
    fflush(NULL);
    for (int i = 0; i < WORKERS; i++) {
        int in[2], out[2];
        if (pipe(in) || pipe(out) || (p->pid[i] = fork()) < 0) {
            return false;
        }
        if (!p->pid[i]) {
            close(in[1]), close(out[0]);
            _exit(child(i * ENVS / WORKERS, in[0], out[1]));
        }
        close(in[0]), close(out[1]);
        p->to[i] = in[1], p->from[i] = out[0];
    }
    char ready;
    bool good = true;
    for (int i = 0; i < WORKERS; i++) {
        good = good && read(p->from[i], &ready, 1) == 1;
    }
    return good;
}

static bool ask_peers(const peers *p, spent *out)
{
    char go = 1;
    bool good = true;
    *out = (spent){ 0 };
    for (int i = 0; i < WORKERS; i++) {
        good = good && write(p->to[i], &go, 1) == 1;
    }
    for (int i = 0; i < WORKERS; i++) {
        spent s;
        good = good && read(p->from[i], &s, sizeof s) == (ssize_t)sizeof s;
        out->wall = fmax(out->wall, s.wall), out->cpu += s.cpu;
    }
    return good;
}

static void end_peers(const peers *p)
{
    for (int i = 0; i < WORKERS; i++) {
        close(p->to[i]);
        if (p->pid[i] > 0) {
            waitpid(p->pid[i], NULL, 0);
        }
        close(p->from[i]);
    }
}

/* with a depth picture in each step */
typedef struct looks {
    double first_s;        /* [s] until all environments stand and have drawn once: ground, a device's programs */
    double pair_s, most_s; /* environment steps/s by two workers and by as many as there are processors */
    double work_ms;        /* [ms] of a frame, by one of these */
} looks;

static double best_of(vec *v, int workers, int *at, ty_diag *diag)
{
    double best = INFINITY;
    v->workers = workers;
    for (int k = 0; k < REPEATS && fine(v, diag); k++, *at += LOOKS) {
        best = fmin(best, step_all(v, *at, LOOKS).wall);
    }
    return ENVS / best;
}

static bool measure_looks(const char *device, int most, looks *out, ty_diag *diag)
{
    vec v;
    double start = bench_now(), work = 0.0, frames = 0.0;
    int at = 1;
    bool good = make_vec(
        &v, ENVS, 0, most,
        "{type: camera, name: depth, mount: navcam_left, width: 64, height: 64, hfov_deg: 90, period: 0.1, samples: 1, "
        "maps: [depth]}",
        device);
    if (good) {
        step_all(&v, 0, 1);
        out->first_s = bench_now() - start;
        for (int i = 0; i < v.count && v.run[i]; i++) {
            ty_run_stats stats = ty_run_get_stats(v.run[i]);
            work -= stats.work_s, frames -= (double)stats.frames;
        }
        out->most_s = best_of(&v, most, &at, diag);
        for (int i = 0; i < v.count && v.run[i]; i++) {
            ty_run_stats stats = ty_run_get_stats(v.run[i]);
            work += stats.work_s, frames += (double)stats.frames;
        }
        out->work_ms = 1e3 * work / frames;
        out->pair_s = most == WORKERS ? out->most_s : best_of(&v, WORKERS, &at, diag);
    }
    good = fine(&v, diag);
    free_vec(&v);
    return good;
}

static void print_looks(const char *where, const looks *l)
{
    printf("\"%s_frames_per_s\": %.4g, \"%s_frames_per_s_by_all\": %.4g, \"%s_frame_ms\": %.3g, \"%s_first_s\": %.3g",
           where, l->pair_s, where, l->most_s, where, l->work_ms, where, l->first_s);
}

/* 64 environments that see, by the host and on a device */
static int bench_looks(const char *device, int most)
{
    looks host, there;
    ty_diag diag = { 0 };
    if (!measure_looks(NULL, most, &host, &diag) || !measure_looks(device, most, &there, &diag)) {
        return app_bad("bench", "vec: %s.", diag.text);
    }
    printf("{\"envs\": %d, \"workers\": %d, \"all\": %d, ", ENVS, WORKERS, most);
    print_looks("env", &host);
    printf(", ");
    print_looks("device", &there);
    puts("}");
    return APP_OK;
}

int bench_vec(const char *device)
{
    peers p = { 0 };
    vec v = { 0 };
    spent own = { INFINITY, INFINITY }, others = { INFINITY, INFINITY };
    looks host = { 0 };
    int most = (int)sysconf(_SC_NPROCESSORS_ONLN);
    ty_diag diag = { 0 };
    most = most < WORKERS ? WORKERS : most > MOST ? MOST : most;
    if (device) {
        return bench_looks(device, most);
    }
    bool good = start_peers(&p) && make_vec(&v, ENVS, 0, WORKERS, "", NULL);
    if (good) {
        step_all(&v, 0, STEPS);
    }
    for (int k = 0; k < REPEATS && good; k++) { /* in turn, the best of each */
        spent a = step_all(&v, STEPS * (k + 1), STEPS), b;
        good = fine(&v, &diag) && ask_peers(&p, &b);
        if (good) {
            own = (spent){ fmin(own.wall, a.wall), fmin(own.cpu, a.cpu) };
            others = (spent){ fmin(others.wall, b.wall), fmin(others.cpu, b.cpu) };
        }
    }
    end_peers(&p);
    free_vec(&v);
    if (!good || !measure_looks(NULL, most, &host, &diag)) {
        return app_bad("bench", "vec: %s.", diag.text[0] ? diag.text : "a process of it failed");
    }
    printf(
        "{\"envs\": %d, \"workers\": %d, \"env_steps_per_s\": %.4g, \"process_steps_per_s\": %.4g, \"ratio\": %.3f, \"cpu_ratio\": %.3f, "
        "\"step_cpu_ms\": %.3g, \"process_step_cpu_ms\": %.3g, \"busy\": %.3f, \"process_busy\": %.3f, \"all\": %d, ",
        ENVS, WORKERS, ENVS / own.wall, ENVS / others.wall, others.wall / own.wall, others.cpu / own.cpu,
        1e3 * own.cpu / ENVS, 1e3 * others.cpu / ENVS, own.cpu / own.wall / WORKERS, others.cpu / others.wall / WORKERS,
        most);
    print_looks("env", &host);
    puts("}");
    return APP_OK;
}
