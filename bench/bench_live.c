/* bench/bench_live.c - what clients get of a live run, and what they cost it: the viper preset on generated ground, Bekker soil at 1 kHz, a camera of
 * 640 x 480. Real time with 8 clients that read state and pictures; then as fast as it can, without a client and with one that asks for everything and
 * reads nothing, in turns, best of 3. Clients are plain sockets on threads of their own.
 * Where Chromium and the page are there, too: the page at 1280 x 800, drawn in software beside scenarios/live_drive.yaml; after 15 s, in which it finds its detail,
 * the median of its frames per second over 30 s, as the page counts them. TYCHO_BENCH_PAGE=0 leaves it out.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "app.h"
#include "bench.h"
#include "tycho/tools/live.h"

#define TOKEN   "benchbenchbench1"
#define CLIENTS 8
#define IMAGES  64
#define WATCHED 8.0 /* [s] */
#define STRETCH 1.5 /* [s] of each measure of the step rate */
#define REPEATS 3

typedef struct client {
    int port, fd;
    pthread_t thread;
    atomic_ullong states;
    double arrived[IMAGES]; /* [s] wall, by the picture's number */
    bool disorder;
} client;

static double due[IMAGES]; /* [s] wall at which a picture was delivered */

static int enter(int port)
{
    static const char request[] =
        "GET /" TOKEN "/ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
    char c, last[4] = "";
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&a, sizeof a) != 0 ||
        send(fd, request, sizeof request - 1, MSG_NOSIGNAL) != (ssize_t)sizeof request - 1) {
        return -1;
    }
    while (memcmp(last, "\r\n\r\n", 4) != 0) {
        if (recv(fd, &c, 1, 0) != 1) {
            return -1;
        }
        memmove(last, last + 1, 3);
        last[3] = c;
    }
    return fd;
}

static void say(int fd, const char *text)
{
    uint8_t frame[1024] = { 0x81, 0xfe };
    size_t n = strlen(text);
    frame[2] = (uint8_t)(n >> 8), frame[3] = (uint8_t)n; /* a mask of zeros: the text as it is */
    memcpy(frame + 8, text, n);
    ssize_t sent = send(fd, frame, 8 + n, MSG_NOSIGNAL);
    (void)sent;
}

static bool take(int fd, void *to, size_t bytes)
{
    return recv(fd, to, bytes, MSG_WAITALL) == (ssize_t)bytes;
}

static void *read_all(void *user)
{
    client *c = user;
    static _Thread_local uint8_t data[1 << 20];
    uint32_t last = 0;
    uint8_t head[10];
    while (take(c->fd, head, 2)) {
        size_t more = head[1] == 126 ? 2 : head[1] == 127 ? 8 : 0, n = more ? 0 : head[1];
        if (!take(c->fd, head + 2, more)) {
            break;
        }
        for (size_t i = 0; i < more; i++) {
            n = n << 8 | head[2 + i];
        }
        if (n > sizeof data || !take(c->fd, data, n)) {
            break;
        }
        uint32_t sequence = 0;
        memcpy(&sequence, data + 4, n >= 8 ? 4 : 0);
        if ((head[0] & 15) == 2 && data[0] == 1) {
            c->disorder = c->disorder || (atomic_load(&c->states) && sequence <= last);
            last = sequence;
            atomic_fetch_add(&c->states, 1);
        } else if ((head[0] & 15) == 2 && data[0] == 3 && sequence < IMAGES) {
            c->arrived[sequence] = bench_now();
        }
    }
    return NULL;
}

static void delivered(void *user, const ty_message *m)
{
    (void)user;
    if (m->sequence < IMAGES) {
        due[m->sequence] = bench_now();
    }
}

static ty_status turns(ty_live *live, double seconds, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (double end = bench_now() + seconds; status == TY_OK && bench_now() < end;) {
        status = ty_live_turn(live, diag);
    }
    return status;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef struct result {
    double hz, image_ms, image_worst_ms, jitter_ms;
    size_t images;
    bool disorder;
} result;

static ty_status watch(const ty_scenario *scenario, result *out, ty_diag *diag)
{
    static client c[CLIENTS];
    static double ms[CLIENTS * IMAGES];
    ty_live_def def = ty_live_def_default();
    ty_live *live = NULL;
    int port = 0;
    def.scenario = scenario, def.token = TOKEN;
    ty_status status = ty_live_create(&def, &live, diag);
    if (status == TY_OK) {
        sscanf(strrchr(ty_live_address(live) + 6, ':'), ":%d", &port);
        status = ty_run_subscribe(ty_live_run(live), NULL, NULL, delivered, NULL, diag);
    }
    status = status == TY_OK ? turns(live, 3.0, diag) : status; /* the first picture builds the scene */
    int open = 0;
    for (; open < CLIENTS && status == TY_OK; open++) {
        c[open] = (client){ .fd = enter(port) };
        if (c[open].fd < 0 || pthread_create(&c[open].thread, NULL, read_all, &c[open]) != 0) {
            status = ty_fail(diag, TY_ERR_FILE, "bench live: client %d is not let in", open);
            break;
        }
        say(c[open].fd, "{\"op\":\"look\",\"sensors\":[0]}");
    }
    status = status == TY_OK ? turns(live, 1.0, diag) : status;
    unsigned long long before[CLIENTS];
    for (int i = 0; i < open; i++) {
        before[i] = atomic_load(&c[i].states);
    }
    double start = bench_now();
    status = status == TY_OK ? turns(live, WATCHED, diag) : status;
    double seconds = bench_now() - start;
    out->hz = 1e9;
    for (int i = 0; i < open; i++) {
        double hz = (double)(atomic_load(&c[i].states) - before[i]) / seconds;
        out->hz = hz < out->hz ? hz : out->hz;
    }
    out->jitter_ms = status == TY_OK ? 1e3 * ty_live_get_stats(live).jitter : 0.0;
    ty_live_destroy(live);
    for (int i = 0; i < open; i++) {
        pthread_join(c[i].thread, NULL);
        close(c[i].fd);
        out->disorder = out->disorder || c[i].disorder;
        for (int k = 0; k < IMAGES; k++) {
            if (c[i].arrived[k] > 0.0 && due[k] > 0.0) {
                ms[out->images++] = 1e3 * (c[i].arrived[k] - due[k]);
            }
        }
    }
    qsort(ms, out->images, sizeof *ms, compare);
    out->image_ms = out->images ? ms[out->images / 2] : -1.0;
    out->image_worst_ms = out->images ? ms[out->images - 1] : -1.0;
    return status;
}

/* steps per second, as fast as it can */
static ty_status rate(const ty_scenario *scenario, bool deaf, double *out, ty_diag *diag)
{
    ty_live_def def = ty_live_def_default();
    ty_live *live = NULL;
    int port = 0, fd = -1;
    def.scenario = scenario, def.token = TOKEN, def.speed = 0.0;
    ty_status status = ty_live_create(&def, &live, diag);
    if (status == TY_OK && deaf) {
        sscanf(strrchr(ty_live_address(live) + 6, ':'), ":%d", &port);
        fd = enter(port);
        say(fd, "{\"op\":\"tiles\",\"tiles\":[[3,0,0],[3,1,0],[3,0,1],[3,1,1],[4,0,0],[5,0,0],[6,0,0],[7,0,0]]}");
    }
    status = status == TY_OK ? turns(live, 0.3, diag) : status;
    double start = bench_now();
    uint64_t steps = live ? ty_live_get_stats(live).steps : 0;
    status = status == TY_OK ? turns(live, STRETCH, diag) : status;
    if (status == TY_OK) {
        *out = (double)(ty_live_get_stats(live).steps - steps) / (bench_now() - start);
    }
    if (fd >= 0) {
        close(fd);
    }
    ty_live_destroy(live);
    return status;
}

/* ---- the page ---- */

#define SETTLES 15.0 /* [s] */
#define WATCHES 30.0 /* [s] */
#define TOLD    64   /* numbers of frames at most */

/* Chromium with the page, in a process group of its own; -1: there is none */
static pid_t open_page(const char *address, char folder[64])
{
    snprintf(folder, 64, "/tmp/tycho_bench_XXXXXX");
    if (!mkdtemp(folder)) {
        return -1;
    }
    pid_t child = fork();
    if (child == 0) {
        char data[100];
        int out = open("/dev/null", O_RDWR);
        snprintf(data, sizeof data, "--user-data-dir=%s", folder);
        setpgid(0, 0);
        dup2(out, STDIN_FILENO), dup2(out, STDOUT_FILENO), dup2(out, STDERR_FILENO);
        for (int fd = 3; fd < 1024; fd++) { /* the run's sockets are not its own */
            close(fd);
        }
        execlp("chromium", "chromium", "--headless=new", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader",
               "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--no-first-run",
               "--disable-background-networking", "--disable-component-update", "--disable-sync",
               "--window-size=1280,800", data, address, (char *)NULL);
        _exit(127);
    }
    return child;
}

static void close_page(pid_t child, const char *folder)
{
    char command[120];
    kill(-child, SIGKILL);
    waitpid(child, NULL, 0);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    for (int i = 0; i < 5 && system(command) != 0; i++) {
        usleep(200000);
    }
}

/* frames per second of the page, median and least; median below 0: there is no page */
static ty_status page(const char *root, double out[2], ty_diag *diag)
{
    char path[1100], folder[64];
    ty_scenario *scenario = NULL;
    ty_live_def def = ty_live_def_default();
    ty_live *live = NULL;
    double fps[TOLD];
    size_t count = 0;
    out[0] = out[1] = -1.0;
    const char *asked = getenv("TYCHO_BENCH_PAGE");
    if ((asked && !strcmp(asked, "0")) || system("command -v chromium >/dev/null 2>&1") != 0) {
        return TY_OK;
    }
    snprintf(path, sizeof path, "%s/scenarios/live_drive.yaml", root ? root : ".");
    ty_status status = ty_scenario_load(path, NULL, 0, &scenario, diag);
    def.scenario = scenario, def.stay = true;
    status = status == TY_OK ? ty_live_create(&def, &live, diag) : status;
    pid_t child = status == TY_OK ? open_page(ty_live_address(live), folder) : -1;
    double start = bench_now();
    uint64_t told = 0;
    while (status == TY_OK && child > 0 && bench_now() - start < SETTLES + WATCHES) {
        status = ty_live_turn(live, diag);
        ty_live_stats s = ty_live_get_stats(live);
        if (s.page_told == 0) { /* not there yet; a minute at most */
            start = bench_now() - start > 60.0 ? -1e9 : start;
            continue;
        }
        start = told == 0 ? bench_now() : start;
        if (s.page_told != told && bench_now() - start > SETTLES && count < TOLD) {
            fps[count++] = s.page_fps;
        }
        told = s.page_told;
    }
    if (child > 0) {
        close_page(child, folder);
    }
    ty_live_destroy(live);
    ty_scenario_destroy(scenario);
    if (count) {
        qsort(fps, count, sizeof *fps, compare);
        out[0] = fps[count / 2], out[1] = fps[0];
    }
    return status;
}

int bench_live(void)
{
    const char *root = getenv("TYCHO_SOURCE");
    static ty_sensor_def sensor;
    static ty_scenario_rover rover = {
        .name = "viper", .soil.model = TY_SOIL_BEKKER, .soil.spacing = 0.02, .sensor = &sensor, .sensors = 1
    };
    ty_scenario scenario = ty_scenario_default();
    ty_diag diag = { 0 };
    scenario.terrain.rock.on = false;
    scenario.terrain.lat = -1.466, scenario.terrain.lon = 3.887;
    scenario.duration = 1e6;
    snprintf(rover.model, sizeof rover.model, "%s/models/rovers/viper.yaml", root ? root : ".");
    rover.driver = (ty_scenario_driver){ .kind = TY_DRIVER_CONSTANT, .v = 0.1 };
    rover.vehicle = ty_vehicle_def_default();
    scenario.rover = &rover, scenario.rovers = 1;
    sensor = ty_sensor_def_default(TY_SENSOR_CAMERA);
    snprintf(sensor.name, sizeof sensor.name, "nav"), snprintf(sensor.mount, sizeof sensor.mount, "navcam_left");
    sensor.period = 2.0, sensor.lag = 1.9;
    sensor.as.camera.camera.width = 640, sensor.as.camera.camera.height = 480;
    sensor.as.camera.samples = 1;
    result best = { .hz = 0.0 };
    if (watch(&scenario, &best, &diag) != TY_OK) {
        return app_bad("bench", "%s.", diag.text);
    }
    rover.sensors = 0;
    double free_rate = 0.0, deaf_rate = 0.0, now = 0.0;
    for (int k = 0; k < REPEATS; k++) {
        for (int deaf = 0; deaf < 2; deaf++) {
            if (rate(&scenario, deaf, &now, &diag) != TY_OK) {
                return app_bad("bench", "%s.", diag.text);
            }
            double *to = deaf ? &deaf_rate : &free_rate;
            *to = now > *to ? now : *to;
        }
    }
    double fps[2];
    if (page(root, fps, &diag) != TY_OK) {
        return app_bad("bench", "%s.", diag.text);
    }
    char drawn[80] = "null, \"page_fps_least\": null";
    if (fps[0] >= 0.0) {
        snprintf(drawn, sizeof drawn, "%.1f, \"page_fps_least\": %.1f", fps[0], fps[1]);
    }
    printf(
        "{\"state_hz\": %.2f, \"image_ms\": %.2f, \"image_worst_ms\": %.2f, \"images\": %zu, \"clients\": %d, \"slow_client_ratio\": %.4f, "
        "\"steps_per_s\": %.0f, \"jitter_ms\": %.3f, \"in_order\": %s, \"page_fps\": %s}\n",
        best.hz, best.image_ms, best.image_worst_ms, best.images, CLIENTS, deaf_rate / free_rate, free_rate,
        best.jitter_ms, best.disorder ? "false" : "true", drawn);
    return best.disorder ? app_bad("bench", "live: state came out of order.") : APP_OK;
}
