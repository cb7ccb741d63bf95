/* Long form alone: clients that come and go for half an hour (TYCHO_SOAK: other seconds) while a run goes on: its memory stays what it was, and
 * no message comes before an older one.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include "client.h"
#include "tycho/tools/live.h"
#include "tyt.h"

#define CLIENTS 8

typedef struct visitor {
    int port, number;
    atomic_bool *stop;
    atomic_ullong *messages, *visits, *wrong;
} visitor;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* looks at order: states by their numbers, Foxglove's messages by the time of their subscription */
static void *visit(void *user)
{
    const visitor *v = user;
    uint8_t *body = malloc(CLIENT_ROOM);
    uint64_t r = (uint64_t)v->number + 1;
    while (!atomic_load(v->stop) && body) {
        r = r * 6364136223846793005u + 1442695040888963407u;
        bool fox = r >> 63;
        double until = now() + 0.5 + (double)(r >> 40 & 1023) / 100.0;
        int fd = dial(v->port, fox ? "Sec-WebSocket-Protocol: foxglove.websocket.v1\r\n" : "");
        uint32_t sequence = 0;
        uint64_t newest[4] = { 0 };
        bool any = false;
        if (fd >= 0 && fox) {
            say(fd,
                "{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":0,\"channelId\":1},{\"id\":1,\"channelId\":2},{\"id\":2,\"channelId\":6}]}");
        }
        atomic_fetch_add(v->visits, fd >= 0);
        size_t n;
        for (int kind; fd >= 0 && now() < until && !atomic_load(v->stop) && (kind = hear(fd, body, &n)) >= 0;) {
            atomic_fetch_add(v->messages, 1);
            if (!fox && kind == 2 && body[0] == 1) {
                uint32_t s;
                memcpy(&s, body + 4, 4);
                atomic_fetch_add(v->wrong, any && s <= sequence);
                sequence = s, any = true;
            } else if (fox && kind == 2 && body[0] == 1) {
                uint32_t id;
                uint64_t t;
                memcpy(&id, body + 1, 4), memcpy(&t, body + 5, 8);
                atomic_fetch_add(v->wrong, id > 2 || t < newest[id]);
                newest[id & 3] = t;
            }
        }
        if (fd >= 0) {
            close(fd);
        }
    }
    free(body);
    return NULL;
}

static long resident(void)
{
    long all = 0, here = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f) {
        cr_assert_eq(fscanf(f, "%ld %ld", &all, &here), 2);
        fclose(f);
    }
    return here * (sysconf(_SC_PAGESIZE) / 1024);
}

TY_TEST(soak, clients_that_come_and_go, .timeout = 2400)
{
    const char *root = getenv("TYCHO_SOURCE"),
               /* in circles of 40 cm, so that the run itself meets no new ground after two minutes */
        *set[] = { "duration=100000", "rovers.0.driver={type: constant, v: 0.02, omega_deg: 3}" };
    const char *asked = getenv("TYCHO_SOAK");
    if (!tyt_long() && !asked) {
        cr_skip_test("the long form was not asked for");
    }
    double seconds = asked ? atof(asked) : 1800.0;
    char path[1000];
    ty_diag diag = { 0 };
    ty_scenario *scenario = NULL;
    ty_live *live = NULL;
    snprintf(path, sizeof path, "%s/scenarios/ex1_startstop.yaml", root ? root : ".");
    cr_assert_eq(ty_scenario_load(path, set, 2, &scenario, &diag), TY_OK, "%s", diag.text);
    ty_live_def def = ty_live_def_default();
    def.scenario = scenario, def.token = TOKEN, def.clients = CLIENTS + 2;
    cr_assert_eq(ty_live_create(&def, &live, &diag), TY_OK, "%s", diag.text);
    visitor v[CLIENTS];
    pthread_t thread[CLIENTS];
    atomic_bool stop = false;
    atomic_ullong messages = 0, visits = 0, wrong = 0;
    int port = 0;
    cr_assert_eq(sscanf(ty_live_address(live), "http://127.0.0.1:%d/", &port), 1);
    for (int i = 0; i < CLIENTS; i++) {
        v[i] = (visitor){ port, i, &stop, &messages, &visits, &wrong };
        pthread_create(&thread[i], NULL, visit, &v[i]);
    }
    double begin = now();
    long early = 0, late = 0;
    while (now() - begin < seconds) {
        cr_assert_eq(ty_live_turn(live, &diag), TY_OK, "%s", diag.text);
        early =
            now() - begin < 0.3 * seconds && resident() > early ? resident() : early; /* the most of the first third */
    }
    late = resident();
    atomic_store(&stop, true);
    for (int i = 0; i < CLIENTS; i++) {
        pthread_join(thread[i], NULL);
    }
    printf("%.0f s: %llu visits, %llu messages, %llu out of order; %ld kB after the first third, %ld kB at the end\n",
           seconds, (unsigned long long)visits, (unsigned long long)messages, (unsigned long long)wrong, early, late);
    TY_CHECK(wrong == 0 && visits > CLIENTS);
    TY_CHECK(late < early + early / 20);
    ty_live_destroy(live);
    ty_scenario_destroy(scenario);
}
