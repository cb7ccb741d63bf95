/* A live run and its clients: who is let in, what commands do, that nobody can hold it up, and that a reset is the first start again.
 * Clients are plain sockets, written from RFC 6455.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include "tycho/tools/image.h"
#include "tycho/tools/live.h"
#include "io/inner.h"
#include "tyt.h"

#define TOKEN "abcdefgh12345678"

typedef struct small {
    ty_scenario scenario;
    ty_scenario_rover rover;
    ty_sensor_def sensor[2];
    ty_live_def def;
    ty_live *live;
    int port;
} small;

static small *make(double speed, bool paused)
{
    small *s = calloc(1, sizeof *s);
    const char *root = getenv("TYCHO_SOURCE");
    s->scenario = ty_scenario_default();
    snprintf(s->scenario.name, sizeof s->scenario.name, "small");
    snprintf(s->scenario.start_utc, sizeof s->scenario.start_utc, "2026-12-01T12:00:00");
    s->scenario.terrain.lat = -1.466, s->scenario.terrain.lon = 3.887, s->scenario.terrain.extent = 200.0;
    s->scenario.terrain.relief.rms_slope_deg = 2.0, s->scenario.terrain.relief.baseline = 5.0;
    s->scenario.terrain.relief.outer = 100.0;
    s->scenario.terrain.crater.on = s->scenario.terrain.rock.on = false;
    s->scenario.duration = 1000.0;
    s->rover = (ty_scenario_rover){
        .vehicle = ty_vehicle_def_default(), .name = "viper", .soil.model = TY_SOIL_BEKKER, .soil.spacing = 0.02
    };
    snprintf(s->rover.model, sizeof s->rover.model, "%s/models/rovers/viper.yaml", root ? root : ".");
    s->rover.driver = (ty_scenario_driver){ .kind = TY_DRIVER_CONSTANT, .v = 0.2 };
    s->sensor[0] = ty_sensor_def_default(TY_SENSOR_IMU);
    snprintf(s->sensor[0].name, sizeof s->sensor[0].name, "imu");
    s->sensor[0].period = 0.01;
    s->rover.sensor = s->sensor, s->rover.sensors = 1;
    s->scenario.rover = &s->rover, s->scenario.rovers = 1;
    s->def = ty_live_def_default();
    s->def.scenario = &s->scenario;
    s->def.token = TOKEN;
    s->def.speed = speed, s->def.paused = paused;
    return s;
}

static void start(small *s)
{
    ty_diag diag = { 0 };
    cr_assert_eq(ty_live_create(&s->def, &s->live, &diag), TY_OK, "%s", diag.text);
    cr_assert_eq(sscanf(ty_live_address(s->live), "http://127.0.0.1:%d/" TOKEN "/", &s->port), 1, "%s",
                 ty_live_address(s->live));
}

static void end(small *s)
{
    ty_live_destroy(s->live);
    free(s);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void turns(small *s, double seconds)
{
    ty_diag diag = { 0 };
    for (double until = now() + seconds; now() < until;) {
        cr_assert_eq(ty_live_turn(s->live, &diag), TY_OK, "%s", diag.text);
    }
}

/* ---- a client ---- */

static int dial(int port)
{
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct linger hard = { 1, 0 };
    struct timeval limit = { 2, 0 };
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    if (connect(fd, (struct sockaddr *)&a, sizeof a) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

/* the status of a request, and its answer */
static int ask(int port, const char *request, char *answer, size_t size)
{
    int fd = dial(port), status = 0;
    size_t have = 0;
    cr_assert(fd >= 0);
    cr_assert_eq(send(fd, request, strlen(request), MSG_NOSIGNAL), (ssize_t)strlen(request));
    for (ssize_t n = 1; n > 0 && have + 1 < size;) {
        n = recv(fd, answer + have, size - 1 - have, 0);
        have += n > 0 ? (size_t)n : 0;
        if (have && strstr(answer, "\r\n\r\n") && !strncmp(answer, "HTTP/1.1 101", 12)) {
            break;
        }
        answer[have] = 0;
    }
    answer[have] = 0;
    sscanf(answer, "HTTP/1.1 %d", &status);
    close(fd);
    return status;
}

#define UPGRADE \
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"

static int open_socket(int port)
{
    int fd = dial(port);
    char text[600];
    static const char request[] = "GET /" TOKEN "/ws HTTP/1.1\r\nHost: localhost\r\n" UPGRADE "\r\n";
    cr_assert(fd >= 0);
    send(fd, request, sizeof request - 1, MSG_NOSIGNAL);
    size_t have = 0;
    while (have + 1 < sizeof text && recv(fd, text + have, 1, 0) == 1) { /* byte by byte: frames follow */
        text[++have] = 0;
        if (have >= 4 && !memcmp(text + have - 4, "\r\n\r\n", 4)) {
            break;
        }
    }
    cr_assert(!strncmp(text, "HTTP/1.1 101", 12) && strstr(text, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), "%s", text);
    return fd;
}

static size_t frame(uint8_t *out, int opcode, const void *data, size_t bytes)
{
    size_t head = bytes < 126 ? 2 : 4;
    out[0] = (uint8_t)(0x80 | opcode);
    out[1] = (uint8_t)(0x80 | (bytes < 126 ? bytes : 126));
    if (head == 4) {
        out[2] = (uint8_t)(bytes >> 8), out[3] = (uint8_t)bytes;
    }
    memcpy(out + head, "\x11\x22\x33\x44", 4);
    for (size_t i = 0; i < bytes; i++) {
        out[head + 4 + i] = (uint8_t)(((const uint8_t *)data)[i] ^ out[head + (i & 3)]);
    }
    return head + 4 + bytes;
}

static void say(int fd, const char *text)
{
    uint8_t data[2048];
    size_t n = frame(data, 1, text, strlen(text));
    cr_assert_eq(send(fd, data, n, MSG_NOSIGNAL), (ssize_t)n);
}

static bool take(int fd, void *to, size_t bytes)
{
    for (size_t have = 0; have < bytes;) {
        ssize_t n = recv(fd, (char *)to + have, bytes - have, 0);
        if (n <= 0) {
            return false;
        }
        have += (size_t)n;
    }
    return true;
}

/* the next message; its opcode, -1: the connection is at its end */
static int hear(int fd, uint8_t *out, size_t room, size_t *bytes)
{
    uint8_t head[10];
    if (!take(fd, head, 2)) {
        return -1;
    }
    size_t more = (head[1] & 127) == 126 ? 2 : (head[1] & 127) == 127 ? 8 : 0, n = more ? 0 : head[1] & 127;
    take(fd, head + 2, more);
    for (size_t i = 0; i < more; i++) {
        n = n << 8 | head[2 + i];
    }
    cr_assert_leq(n, room);
    *bytes = n;
    return take(fd, out, n) ? head[0] & 15 : -1;
}

/* ---- who is let in ---- */

TY_TEST(live, who_is_let_in, .timeout = 60)
{
    small *s = make(1.0, true), *other = make(1.0, true);
    static char a[400000];
    start(s);
    TY_NEAR(ask(s->port, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", a, sizeof a), 401, 0);
    TY_NEAR(ask(s->port, "GET /abcdefgh12345679/ HTTP/1.1\r\nHost: localhost\r\n\r\n", a, sizeof a), 401, 0);
    TY_NEAR(ask(s->port, "GET /abcdefgh1234567/ HTTP/1.1\r\nHost: localhost\r\n\r\n", a, sizeof a), 401, 0);
    TY_NEAR(ask(s->port, "GET /ws HTTP/1.1\r\nHost: localhost\r\n" UPGRADE "\r\n", a, sizeof a), 401, 0);
    TY_NEAR(ask(s->port, "GET /" TOKEN "/ HTTP/1.1\r\nHost: localhost\r\n\r\n", a, sizeof a), 200, 0);
    cr_assert(strstr(a, "tycho live") && strstr(a, "Content-Security-Policy"));
    TY_NEAR(ask(s->port, "GET /" TOKEN "/scene.json HTTP/1.1\r\nHost: localhost\r\n\r\n", a, sizeof a), 200, 0);
    cr_assert(strstr(a, "\"front_left\"") && strstr(a, "\"imu\""));
    TY_NEAR(ask(s->port, "GET /" TOKEN "/no HTTP/1.1\r\nHost: localhost\r\n\r\n", a, sizeof a), 404, 0);
    TY_NEAR(ask(s->port, "GET /" TOKEN " HTTP/1.1\r\nHost: localhost\r\n\r\n", a, sizeof a), 301, 0);
    TY_NEAR(ask(s->port, "POST /" TOKEN "/ HTTP/1.1\r\nHost: localhost\r\n\r\n", a, sizeof a), 405, 0);
    TY_NEAR(ask(s->port,
                "GET /" TOKEN "/ws HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n" UPGRADE "\r\n", a,
                sizeof a),
            403, 0);
    TY_NEAR(ask(s->port, "GET /" TOKEN "/ HTTP/1.1\r\nHost: evil.example\r\n\r\n", a, sizeof a), 403, 0);
    TY_NEAR(ask(s->port, "GET /" TOKEN "/ws HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n" UPGRADE "\r\n",
                a, sizeof a),
            101, 0);
    TY_NEAR(ask(s->port, "nonsense\r\n\r\n", a, sizeof a), 400, 0);
    /* a second run takes another port; the same port is refused with a sentence */
    start(other);
    cr_assert_neq(s->port, other->port);
    end(other);
    small *third = make(1.0, true);
    ty_diag diag = { 0 };
    third->def.port = s->port;
    TY_NEAR(ty_live_create(&third->def, &third->live, &diag), TY_ERR_FILE, 0);
    cr_assert(strstr(diag.text, "another program has that port"), "%s", diag.text);
    free(third);
    /* no more clients than asked for */
    end(s);
    s = make(1.0, true);
    s->def.clients = 2;
    start(s);
    int one = open_socket(s->port), two = open_socket(s->port);
    TY_NEAR(ask(s->port, "GET /" TOKEN "/ws HTTP/1.1\r\nHost: localhost\r\n" UPGRADE "\r\n", a, sizeof a), 503, 0);
    close(one), close(two);
    end(s);
}

TY_TEST(live, definitions_that_are_refused)
{
    small *s = make(1.0, true);
    const struct {
        int port, clients;
        double speed;
        const char *token, *listen, *says;
    } bad[] = { { 70000, 8, 1, TOKEN, "127.0.0.1", "65535" },
                { 0, 0, 1, TOKEN, "127.0.0.1", "clients" },
                { 0, 8, -1, TOKEN, "127.0.0.1", "speed" },
                { 0, 8, 1, "short", "127.0.0.1", "token" },
                { 0, 8, 1, "no/slashes/here", "127.0.0.1", "token" },
                { 0, 8, 1, TOKEN, "here", "address" } };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ty_diag diag = { 0 };
        s->def.port = bad[i].port, s->def.clients = bad[i].clients, s->def.speed = bad[i].speed;
        s->def.token = bad[i].token, s->def.listen = bad[i].listen;
        cr_assert_neq(ty_live_create(&s->def, &s->live, &diag), TY_OK);
        cr_assert(strstr(diag.text, bad[i].says), "%s", diag.text);
    }
    free(s);
}

/* ---- bits ---- */

static uint64_t state_of(ty_run *run)
{
    const ty_vehicle *v = ty_run_rover(run, 0);
    size_t n = ty_vehicle_save_size(v);
    uint8_t *data = malloc(n);
    uint64_t hash = 14695981039346656037ull;
    ty_vehicle_save(v, data);
    for (size_t i = 0; i < n; i++) {
        hash = (hash ^ data[i]) * 1099511628211ull;
    }
    free(data);
    return hash;
}

static void listen_to(void *user, const ty_message *m)
{
    uint64_t *hash = user;
    *hash = *hash * 1099511628211ull + ty_message_hash(m);
}

/* steps that a client asks for, until they are made */
static void steps(small *s, int fd, int count)
{
    char text[60];
    ty_time until = ty_run_time(ty_live_run(s->live)) + count * (ty_time)1000000;
    snprintf(text, sizeof text, "{\"op\":\"step\",\"n\":%d}", count);
    say(fd, text);
    for (double limit = now() + 20.0; ty_run_time(ty_live_run(s->live)) < until && now() < limit;) {
        cr_assert_eq(ty_live_turn(s->live, NULL), TY_OK);
    }
    turns(s, 0.05);
    TY_NEAR((double)ty_run_time(ty_live_run(s->live)), (double)until, 0.0);
}

TY_TEST(live, reset_is_the_first_start, .timeout = 120)
{
    small *s = make(0.0, true);
    start(s);
    int fd = open_socket(s->port);
    uint64_t first = 0, again = 0, apart = 0, bits, bits_apart, heard = 0;
    ty_run_subscribe(ty_live_run(s->live), NULL, NULL, listen_to, &heard, NULL);
    steps(s, fd, 700);
    first = heard, bits = state_of(ty_live_run(s->live));
    /* without doors: the same */
    ty_run_def plain = ty_run_def_default();
    ty_run *run = NULL;
    plain.scenario = &s->scenario;
    cr_assert_eq(ty_run_create(&plain, &run, NULL), TY_OK);
    ty_run_subscribe(run, NULL, NULL, listen_to, &again, NULL);
    for (int i = 0; i < 700; i++) {
        ty_run_step(run, NULL);
    }
    cr_assert(again == first && state_of(run) == bits, "a run that nobody touches has the bits of one without doors");
    ty_run_destroy(run);
    /* driven elsewhere, and with another Sun: others */
    say(fd, "{\"op\":\"sun\",\"shift\":36000}");
    say(fd, "{\"op\":\"drive\",\"rover\":0,\"v\":-0.1,\"omega\":0.2}");
    heard = 0;
    steps(s, fd, 700);
    apart = heard, bits_apart = state_of(ty_live_run(s->live));
    cr_assert(apart != first && bits_apart != bits, "control: other steps have other bits");
    for (int k = 0; k < 2; k++) {
        say(fd, "{\"op\":\"reset\"}");
        turns(s, 0.1);
        TY_NEAR((double)ty_run_time(ty_live_run(s->live)), 0.0, 0.0);
        heard = 0;
        steps(s, fd, 700);
        cr_assert(heard == first && state_of(ty_live_run(s->live)) == bits, "reset %d", k);
    }
    TY_NEAR((double)ty_live_get_stats(s->live).resets, 2.0, 0.0);
    close(fd);
    end(s);
}

/* ---- commands ---- */

TY_TEST(live, commands_do_what_they_say, .timeout = 120)
{
    small *s = make(1.0, false);
    s->rover.driver.kind = TY_DRIVER_EXTERNAL;
    start(s);
    ty_run *run = ty_live_run(s->live);
    ty_vehicle_state v;
    int fd = open_socket(s->port);
    turns(s, 0.3);
    say(fd, "{\"op\":\"speed\",\"times\":0}");
    for (int i = 0; i < 6; i++) {
        say(fd, "{\"op\":\"drive\",\"rover\":0,\"v\":0.2}");
        turns(s, 0.1);
    }
    ty_vehicle_get(ty_run_rover(run, 0), &v);
    TY_CHECK(ty_norm(v.v_W) > 0.1);
    say(fd, "{\"op\":\"speed\",\"times\":2}");
    turns(s, 1.5); /* nobody says anything: the watchdog stops it */
    ty_vehicle_get(ty_run_rover(run, 0), &v);
    TY_NEAR(ty_norm(v.v_W), 0.0, 0.02);
    say(fd, "{\"op\":\"pause\"}");
    turns(s, 0.1);
    ty_time paused = ty_run_time(run);
    turns(s, 0.2);
    TY_NEAR((double)ty_run_time(run), (double)paused, 0.0);
    steps(s, fd, 7);
    /* the Sun moves by what it is told, and back with a reset */
    double before = ty_run_sky(run).sun.azimuth;
    say(fd, "{\"op\":\"sun\",\"shift\":86400}");
    turns(s, 0.1);
    TY_NEAR((before - ty_run_sky(run).sun.azimuth) / TY_DEG, 12.19, 0.5); /* 360 deg in a lunar day, near the pole */
    say(fd, "{\"op\":\"reset\"}");
    turns(s, 0.1);
    /* a waypoint is reached */
    ty_vehicle_get(ty_run_rover(run, 0), &v);
    double x = v.pose.p.x + 0.6;
    char text[120];
    snprintf(text, sizeof text, "{\"op\":\"path\",\"rover\":0,\"points\":[[%.3f,%.3f]],\"speed\":0.2}", x, v.pose.p.y);
    say(fd, text);
    say(fd, "{\"op\":\"speed\",\"times\":0}");
    say(fd, "{\"op\":\"run\"}");
    turns(s, 3.0);
    ty_vehicle_get(ty_run_rover(run, 0), &v);
    TY_NEAR(v.pose.p.x, x, 0.3);
    TY_NEAR(ty_norm(v.v_W), 0.0, 0.02);
    /* who speaks nonsense is closed, with the reason */
    static uint8_t data[1 << 20];
    size_t bytes = 0;
    int opcode;
    say(fd, "{\"op\":\"fly\"}");
    turns(s, 0.1);
    while ((opcode = hear(fd, data, sizeof data, &bytes)) >= 0 && opcode != 8) {
    }
    cr_assert(opcode == 8 && bytes > 2 && data[0] << 8 | (data[1] == (1008 & 255)));
    cr_assert(memmem(data + 2, bytes - 2, "known op", 8));
    close(fd);
    end(s);
}

TY_TEST(live, speed_is_kept)
{
    small *s = make(4.0, false);
    start(s);
    turns(s, 0.2);
    double t = ty_seconds(ty_run_time(ty_live_run(s->live))), wall = now();
    turns(s, 0.5);
    double factor = (ty_seconds(ty_run_time(ty_live_run(s->live))) - t) / (now() - wall);
    TY_CHECK(factor < 4.3);
    TY_CHECK(!ty_live_done(s->live) && !ty_live_record(s->live));
    end(s);
}

/* ---- a client that does not read, and what is no message ---- */

TY_TEST(live, a_client_that_does_not_read, .timeout = 120)
{
    small *s = make(0.0, false);
    start(s);
    int deaf = open_socket(s->port), fd = open_socket(s->port);
    int small_room = 4096;
    setsockopt(deaf, SOL_SOCKET, SO_RCVBUF, &small_room, sizeof small_room);
    /* it asks for more ground than sockets hold */
    for (int k = 0; k < 40; k++) {
        char text[2000] = "{\"op\":\"tiles\",\"tiles\":[";
        for (int i = 0; i < 40; i++) {
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s[3,%d,%d]", i ? "," : "", i, k);
        }
        strcat(text, "]}");
        say(deaf, text);
        turns(s, 0.02);
    }
    static uint8_t data[1 << 20];
    uint32_t last = 0;
    int states = 0;
    size_t bytes;
    for (int k = 0; k < 50 && ty_live_get_stats(s->live).dropped <= 10; k++) {
        turns(s, 0.2);
    }
    for (int i = 0; i < 20; i++) {
        turns(s, 0.03);
        int opcode = hear(fd, data, sizeof data, &bytes);
        if (opcode == 2 && data[0] == 1) {
            uint32_t sequence;
            memcpy(&sequence, data + 4, 4);
            cr_assert(!states++ || sequence > last, "state comes in order");
            last = sequence;
        }
    }
    TY_CHECK(states >= 10);
    TY_CHECK(ty_live_get_stats(s->live).dropped > 10);
    close(deaf), close(fd);
    end(s);
}

typedef struct attack {
    bool foxglove;
    int port, count;
    atomic_int done;
} attack;

static uint32_t chance(uint64_t *state)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(*state >> 33);
}

static void mutate(uint8_t *data, size_t *bytes, size_t room, uint64_t *r)
{
    for (uint32_t k = 1 + chance(r) % 4; k--;) {
        size_t at = chance(r) % *bytes;
        switch (chance(r) % 4) {
        case 0:
            data[at] ^= (uint8_t)(1u << chance(r) % 8);
            break;
        case 1:
            data[at] = (uint8_t)chance(r);
            break;
        case 2:
            *bytes = at + 1;
            break;
        default:
            if (*bytes + 8 < room) {
                memmove(data + at + 8, data + at, *bytes - at);
                *bytes += 8;
            }
        }
    }
}

/* a client whose handshake was taken; -1: it was not */
static int enter(int port, bool foxglove)
{
    static const char plain[] = "GET /" TOKEN "/ws HTTP/1.1\r\nHost: localhost\r\n" UPGRADE "\r\n",
                      other[] = "GET /" TOKEN "/ws HTTP/1.1\r\nHost: localhost\r\n" UPGRADE
                                "Sec-WebSocket-Protocol: foxglove.sdk.v1\r\n\r\n";
    const char *request = foxglove ? other : plain;
    char text[12] = "";
    int fd = dial(port);
    if (fd >= 0) {
        send(fd, request, strlen(request), MSG_NOSIGNAL);
        recv(fd, text, sizeof text, MSG_WAITALL);
    }
    return fd;
}

/* what clients of each kind say; two of Foxglove's are binary: a Twist that is published, and a service that is not there */
static size_t speak(uint8_t *data, bool foxglove, uint64_t *r)
{
    static const char *const page[] = { "{\"op\":\"tiles\",\"tiles\":[[3,1,1],[4,0,-1]]}",
                                        "{\"op\":\"look\",\"sensors\":[0,1]}", "{\"op\":\"pause\"}" };
    static const char *const fox[] = {
        "{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":3,\"channelId\":1},{\"id\":4,\"channelId\":3}]}",
        "{\"op\":\"unsubscribe\",\"subscriptionIds\":[3,4]}",
        "{\"op\":\"advertise\",\"channels\":[{\"id\":1,\"topic\":\"/viper/cmd_vel\",\"encoding\":\"cdr\",\"schemaName\":"
        "\"geometry_msgs/msg/Twist\"}]}",
        "{\"op\":\"getParameters\",\"parameterNames\":[\"/tycho/speed\"],\"id\":\"a\"}",
        "{\"op\":\"setParameters\",\"parameters\":[{\"name\":\"/tycho/speed\",\"value\":2}],\"id\":\"b\"}"
    };
    uint8_t publish[5 + 52] = { 1, 1, 0, 0, 0, 0, 1 },
                        call[] = { 2, 255, 255, 255, 255, 7, 0, 0, 0, 3, 0, 0, 0, 'c', 'd', 'r' };
    uint32_t which = chance(r) % (foxglove ? 7 : 3);
    if (foxglove && which > 4) {
        return which == 5 ? frame(data, 2, publish, sizeof publish) : frame(data, 2, call, sizeof call);
    }
    const char *word = foxglove ? fox[which] : page[which];
    return frame(data, 1 + (int)(chance(r) % 2), word, strlen(word));
}

static void *assault(void *user)
{
    attack *a = user;
    uint64_t r = 15;
    static const char request[] =
        "GET /" TOKEN "/scene.json HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n" UPGRADE "\r\n";
    int fd = enter(a->port, a->foxglove);
    for (int i = 0; i < a->count; i++) {
        uint8_t data[600], rest[4096];
        size_t n = sizeof request - 1;
        ssize_t got = 1;
        if (i % 4 == 0) { /* a request */
            memcpy(data, request, n);
            mutate(data, &n, sizeof data, &r);
            int other = dial(a->port);
            send(other, data, n, MSG_NOSIGNAL);
            struct pollfd wait = { other, POLLIN, 0 };
            poll(&wait, 1, 1);
            close(other);
        } else {
            n = speak(data, a->foxglove, &r);
            mutate(data, &n, sizeof data, &r);
            got = send(fd, data, n, MSG_NOSIGNAL | MSG_DONTWAIT);
        }
        while (got > 0 && (got = recv(fd, rest, sizeof rest, MSG_DONTWAIT)) > 0) {
        }
        if (got == 0 || (got < 0 && errno != EAGAIN)) { /* it was closed, as it should */
            close(fd);
            fd = enter(a->port, a->foxglove);
        }
        atomic_store(&a->done, i + 1);
    }
    close(fd);
    return NULL;
}

static void withstand(bool foxglove, int count)
{
    small *s = make(0.0, true);
    s->def.clients = 32;
    start(s);
    attack a = { .port = s->port, .count = count, .foxglove = foxglove };
    pthread_t thread;
    uint64_t bits = state_of(ty_live_run(s->live));
    cr_assert_eq(pthread_create(&thread, NULL, assault, &a), 0);
    while (atomic_load(&a.done) < a.count) {
        turns(s, 0.02);
    }
    pthread_join(thread, NULL);
    turns(s, 0.2);
    cr_assert_eq(state_of(ty_live_run(s->live)), bits, "the run stands as it stood");
    ty_live_stats stats = ty_live_get_stats(s->live);
    printf("%d frames and requests: %llu clients came in, %llu requests were refused\n", a.count,
           (unsigned long long)stats.clients_seen, (unsigned long long)stats.refused);
    TY_CHECK(stats.refused > (uint64_t)a.count / 40 && stats.clients_seen > (uint64_t)a.count / 40);
    int fd = open_socket(s->port);
    steps(s, fd, 100);
    close(fd);
    end(s);
}

TY_TEST(live, mutated_frames_and_requests, .timeout = 900)
{
    withstand(false, tyt_long() ? 100000 : 4000);
}

TY_TEST(live, mutated_frames_of_foxglove, .timeout = 900)
{
    withstand(true, tyt_long() ? 100000 : 3000);
}

/* ---- what this needed elsewhere ---- */

TY_TEST(live, jpeg_is_read_back)
{
    static uint8_t pixel[64 * 48 * 3];
    for (int i = 0; i < 64 * 48; i++) {
        pixel[3 * i] = (uint8_t)(4 * (i % 64)), pixel[3 * i + 1] = (uint8_t)(5 * (i / 64)), pixel[3 * i + 2] = 90;
    }
    ty_image image = { 64, 48, 3, 8, pixel }, back;
    void *jpeg = NULL;
    size_t bytes = 0;
    ty_diag diag = { 0 };
    cr_assert_eq(tyi_io_jpeg_pack(&image, 90, &jpeg, &bytes, &diag), TY_OK);
    cr_assert_eq(tyi_io_image_parse("a", jpeg, bytes, &back, &diag), TY_OK);
    double worst = 0.0;
    for (size_t i = 0; i < sizeof pixel; i++) {
        worst = fmax(worst, fabs((double)((uint8_t *)back.data)[i] - pixel[i]));
    }
    TY_NEAR(worst, 0.0, 24.0);
    ty_image_free(&back);
    free(jpeg);
    image.bits = 16;
    TY_NEAR(tyi_io_jpeg_pack(&image, 90, &jpeg, &bytes, &diag), TY_ERR_RANGE, 0);
    ty_diag late = { 0 };
    small *s = make(1.0, true);
    start(s);
    ty_utc never;
    ty_utc_parse("2099-12-31", &never, NULL);
    TY_NEAR(ty_run_set_start(ty_live_run(s->live), ty_utc_add(never, 400 * 86400 * TY_SECOND), &late), TY_ERR_RANGE, 0);
    end(s);
}
