/* src/core/tasks.c - loops over items on all processors, by threads of the process that all callers share.
 *
 * Not by OpenMP, whose parallel loop ends when each thread of its team has woken up and come to the end, and whose callers have a team each: on a virtual
 * machine of 16 processors a lidar's turn took 1.5 to 11 ms from one start of the program to the next, and beside other programs on two processors particles
 * took up to ten times as long. Here a caller begins at once, others join when they are awake, and it waits for none but those that have taken an item.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>
#include "alone.h"
#include "core.h"

typedef struct loop { /* a call of tyi_tasks_for() */
    tyi_job job;
    void *user;
    size_t n;
    int most, joined;                /* workers: at most, and so far; the caller is number 0 */
    struct loop *below;              /* of other callers */
    _Alignas(64) atomic_size_t next; /* item */
    _Alignas(64) atomic_int inside;  /* workers besides the caller that may still touch it */
} loop;

/* process-wide, as processors are */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t work, left; /* there is a loop; a loop was left */
    loop *open;
    int threads, asleep;
    atomic_uint calls; /* so far: what a thread that has nothing to do looks at for a while before it sleeps */
} crew = { PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, 0, 0, 0 };
static atomic_bool alone;
static _Thread_local bool working; /* loops within a loop are the worker's own */

enum { LOOKS = 1000 }; /* some 50 us: loops of a step follow each other faster than a thread wakes up */

static void rest(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

int tyi_tasks_threads(int asked)
{
    cpu_set_t set;
    if (asked > 0) {
        return asked;
    }
    int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : (int)sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? n : 1;
}

void tyi_tasks_alone(void)
{
    alone = true;
}

static void take_items(loop *l, int worker)
{
    working = true;
    for (size_t i = l->next++; i < l->n; i = l->next++) {
        l->job(l->user, i, worker);
    }
    working = false;
}

/* a loop that has items and room for a worker; the lock is held */
static loop *find_loop(void)
{
    loop *l = crew.open;
    while (l && (l->joined == l->most || l->next >= l->n)) {
        l = l->below;
    }
    return l;
}

/* each that comes wakes two more, where there is work for them: the caller does not have to; the lock is held */
static void wake(const loop *l, int threads)
{
    for (int k = 0; k < threads && k < crew.asleep && l->joined + k < l->most && l->next < l->n; k++) {
        pthread_cond_signal(&crew.work);
    }
}

/* a loop to join, as soon as there is one; the lock is held from then on. Its items may be gone by then: they go without the lock. */
static loop *wait_for_work(unsigned calls)
{
    for (int k = 0; k < LOOKS && crew.calls == calls; k++) {
        rest();
    }
    pthread_mutex_lock(&crew.lock);
    loop *l;
    while (!(l = find_loop())) {
        crew.asleep++;
        pthread_cond_wait(&crew.work, &crew.lock);
        crew.asleep--;
    }
    return l;
}

static void *member(void *user)
{
    unsigned calls = 0;
    for (;;) {
        loop *l = wait_for_work(calls);
        int worker = l->joined++;
        l->inside++;
        wake(l, 2);
        calls = crew.calls;
        pthread_mutex_unlock(&crew.lock);
        take_items(l, worker);
        pthread_mutex_lock(&crew.lock);
        if (--l->inside == 0) { /* from here on the caller may be gone */
            pthread_cond_broadcast(&crew.left);
        }
        pthread_mutex_unlock(&crew.lock);
    }
    return user;
}

/* a process that was forked has none of the threads */
static void start_anew(void)
{
    pthread_mutex_init(&crew.lock, NULL);
    pthread_cond_init(&crew.work, NULL);
    pthread_cond_init(&crew.left, NULL);
    crew.open = NULL;
    crew.threads = crew.asleep = 0;
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, start_anew);
}

/* as many threads as there is room for, or as the system gives; the lock is held */
static void hire(int threads)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    pthread_t thread;
    while (crew.threads < threads && pthread_create(&thread, NULL, member, NULL) == 0) {
        pthread_detach(thread);
        crew.threads++;
    }
}

static void open_loop(loop *l)
{
    pthread_mutex_lock(&crew.lock);
    hire(l->most - 1);
    l->below = crew.open;
    crew.open = l;
    crew.calls++;
    wake(l, 1);
    pthread_mutex_unlock(&crew.lock);
}

static void close_loop(loop *l)
{
    pthread_mutex_lock(&crew.lock);
    loop **at = &crew.open;
    while (*at != l) {
        at = &(*at)->below;
    }
    *at = l->below;
    pthread_mutex_unlock(&crew.lock);
    for (int k = 0; k < LOOKS && l->inside; k++) {
        rest();
    }
    pthread_mutex_lock(&crew.lock); /* also for the memory of those who left */
    while (l->inside) {
        pthread_cond_wait(&crew.left, &crew.lock);
    }
    pthread_mutex_unlock(&crew.lock);
}

void tyi_tasks_for(int threads, size_t n, tyi_job job, void *user)
{
    TY_ASSERT(job);
    threads = tyi_tasks_threads(threads);
    if (threads == 1 || n < 2 || alone || working) {
        for (size_t i = 0; i < n; i++) {
            job(user, i, 0);
        }
        return;
    }
    loop l = { .job = job, .user = user, .n = n, .most = threads, .joined = 1 };
    l.most = n < (size_t)threads ? (int)n : threads;
    open_loop(&l);
    take_items(&l, 0);
    close_loop(&l);
}

double tyi_sum(const double *values, size_t n)
{
    double sum = 0.0, lost = 0.0; /* Neumaier: keeps the part that rounding drops */
    for (size_t i = 0; i < n; i++) {
        double next = sum + values[i];
        lost += fabs(sum) >= fabs(values[i]) ? (sum - next) + values[i] : (values[i] - next) + sum;
        sum = next;
    }
    return sum + lost;
}

uint64_t tyi_hash(const void *data, size_t bytes, uint64_t start)
{
    const unsigned char *p = data;
    for (size_t i = 0; i < bytes; i++) {
        start = (start ^ p[i]) * 0x100000001b3ull;
    }
    return start;
}
