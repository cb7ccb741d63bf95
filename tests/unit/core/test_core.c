/* Status texts, memory, tasks, frames.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>
#include "core/core.h"
#include "tycho/math.h"

TY_TEST(core, every_status_has_name_and_text)
{
    for (int s = 0; s < TY_STATUS_COUNT; s++) {
        TY_CHECK(strncmp(ty_status_name((ty_status)s), "TY_", 3) == 0);
        TY_CHECK(strlen(ty_status_text((ty_status)s)) > 1);
    }
    TY_CHECK(strcmp(ty_status_name((ty_status)99), "unknown status") == 0);
}

TY_TEST(core, the_first_failure_is_kept)
{
    ty_diag diag = { 0 };
    TY_CHECK(ty_fail(&diag, TY_ERR_RANGE, "first %d", 1) == TY_ERR_RANGE);
    TY_CHECK(ty_fail(&diag, TY_ERR_FILE, "second") == TY_ERR_FILE);
    TY_CHECK(diag.status == TY_ERR_RANGE && strcmp(diag.text, "first 1") == 0);
    TY_CHECK(ty_fail(NULL, TY_ERR_FILE, "no diag") == TY_ERR_FILE);
}

TY_TEST(core, arena_gives_aligned_zeroed_memory)
{
    tyi_arena arena;
    tyi_arena_init(&arena, NULL, 64);
    for (size_t n = 1; n < 500; n += 7) {
        unsigned char *p = tyi_arena_get(&arena, n);
        TY_CHECK((uintptr_t)p % 16 == 0 && p[0] == 0 && p[n - 1] == 0);
        memset(p, 0xff, n);
    }
    tyi_arena_free(&arena);
}

static void square(void *user, size_t i, int worker)
{
    (void)worker;
    ((double *)user)[i] = sqrt((double)i) * 1e-3;
}

/* The same bits for any number of threads, because the sum runs in index order. */
TY_TEST(core, reductions_do_not_depend_on_threads)
{
    enum { N = 10000 };
    static double a[N], b[N];
    tyi_tasks_for(1, N, square, a);
    for (int threads = 2; threads <= 4; threads++) {
        tyi_tasks_for(threads, N, square, b);
        TY_CHECK(memcmp(a, b, sizeof a) == 0);
        TY_CHECK(tyi_sum(a, N) == tyi_sum(b, N));
    }
}

typedef struct many {
    atomic_int done[500], busy[16], wrong;
    int most;
} many;

static void one_of_many(void *user, size_t i, int worker)
{
    many *m = user;
    m->wrong += worker < 0 || worker >= m->most || m->busy[worker]++ > 0;
    m->done[i]++;
    volatile double x = 0.0;
    for (size_t k = 0; k < i % 7 * 30; k++) {
        x = x + 1.0;
    }
    m->busy[worker]--;
}

static int wrong_loops; /* under the lock */
static pthread_mutex_t wrong_lock = PTHREAD_MUTEX_INITIALIZER;

/* loops of all sizes, one after the other: each item is done once, no two workers have one number at a time */
static void *call_often(void *user)
{
    unsigned r = *(const unsigned *)user;
    int wrong = 0;
    for (int k = 0; k < 10000; k++) {
        many m = { .wrong = 0 };
        r = r * 1664525u + 1013904223u;
        size_t n = (r >> 8) % (k % 10 ? 20 : 500) + 1;
        m.most = (int)((r >> 20) % 16) + 1;
        tyi_tasks_for(m.most, n, one_of_many, &m);
        for (size_t i = 0; i < 500; i++) {
            wrong += m.done[i] != (i < n);
        }
        wrong += m.wrong;
    }
    pthread_mutex_lock(&wrong_lock);
    wrong_loops += wrong;
    pthread_mutex_unlock(&wrong_lock);
    return NULL;
}

TY_TEST(core, callers_share_the_threads_of_loops)
{
    pthread_t thread[3];
    unsigned seed[4] = { 1, 2, 3, 4 };
    for (int k = 0; k < 3; k++) {
        pthread_create(&thread[k], NULL, call_often, &seed[k]);
    }
    for (int k = 0; k < 3; k++) {
        pthread_join(thread[k], NULL);
    }
    TY_CHECK(wrong_loops == 0);
    /* a process that was forked has none of the threads, and makes its own */
    pid_t child = fork();
    if (child == 0) {
        call_often(&seed[3]);
        _exit(wrong_loops ? 1 : 0);
    }
    int code = -1;
    TY_CHECK(waitpid(child, &code, 0) == child && code == 0);
    /* control: an item that is done twice is seen */
    many m = { .most = 2 };
    tyi_tasks_for(2, 2, one_of_many, &m);
    one_of_many(&m, 1, 0);
    TY_CHECK(m.done[0] == 1 && m.done[1] == 2);
}

/* 1 + N times 1e-16: the plain sum stays at 1, the compensated one does not. */
TY_TEST(core, sum_keeps_what_rounding_drops)
{
    enum { N = 10001 };
    static double v[N];
    v[0] = 1.0;
    double plain = 1.0;
    for (int i = 1; i < N; i++) {
        v[i] = 1e-16;
        plain += v[i];
    }
    TY_NEAR(tyi_sum(v, N) - 1.0, 1e-12, 3e-16); /* one rounding of 1 + 1e-12 */
    TY_FAR(plain - 1.0, 1e-12, 3e-16);          /* control */
}

TY_TEST(core, rotation_preserves_length_and_composes)
{
    ty_quat a = ty_quat_axis(ty_vec3_make(0, 0, 1), 0.5 * TY_PI);
    ty_vec3 y = ty_rotate(a, ty_vec3_make(1, 0, 0));
    TY_NEAR(y.y, 1.0, 1e-15);
    ty_quat b = ty_quat_axis(ty_normalize(ty_vec3_make(1, 2, 3)), 0.7);
    ty_vec3 v = ty_vec3_make(0.3, -2.0, 5.0);
    ty_vec3 one = ty_rotate(ty_quat_mul(a, b), v), two = ty_rotate(a, ty_rotate(b, v));
    TY_NEAR(ty_norm(ty_sub(one, two)), 0.0, 1e-14);
    TY_NEAR(ty_norm(one), ty_norm(v), 1e-14);
    ty_pose pose = { v, b };
    ty_vec3 back = ty_pose_point(ty_pose_inverse(pose), ty_pose_point(pose, v));
    TY_NEAR(ty_norm(ty_sub(back, v)), 0.0, 1e-14);
}

TY_TEST(core, slerp_turns_evenly)
{
    ty_quat a = ty_quat_identity(), b = ty_quat_axis(ty_vec3_make(0, 1, 0), 1.2);
    ty_quat m = ty_quat_slerp(a, b, 0.25);
    TY_NEAR(2.0 * acos(m.w), 0.3, 1e-14);
    ty_quat far = { -b.w, -b.x, -b.y, -b.z }; /* the same attitude written the other way */
    TY_NEAR(2.0 * acos(ty_quat_slerp(a, far, 0.25).w), 0.3, 1e-14);
}

/* East is along growing longitude, north along growing latitude, up away from the centre. */
TY_TEST(core, site_frame_is_east_north_up)
{
    const double lat = -87.2 * TY_DEG, lon = 62.8 * TY_DEG;
    ty_site site = ty_site_make(lat, lon, TY_MOON_RADIUS);
    ty_vec3 up = ty_site_point(&site, lat, lon, 5.0);
    TY_NEAR(up.z, 5.0, 1e-9);
    TY_NEAR(hypot(up.x, up.y), 0.0, 1e-9);
    ty_vec3 north = ty_site_point(&site, lat + 1e-6, lon, 0.0);
    TY_NEAR(north.y, 1e-6 * TY_MOON_RADIUS, 1e-5);
    ty_vec3 east = ty_site_point(&site, lat, lon + 1e-6, 0.0);
    TY_NEAR(east.x, 1e-6 * TY_MOON_RADIUS * cos(lat), 1e-5);
    TY_FAR(east.x, 1e-6 * TY_MOON_RADIUS, 1e-2); /* control: longitude not shortened */
    double la, lo, h;
    ty_site_geodetic(&site, ty_vec3_make(1000.0, -2500.0, 40.0), &la, &lo, &h);
    ty_vec3 p = ty_site_point(&site, la, lo, h);
    TY_NEAR(ty_norm(ty_sub(p, ty_vec3_make(1000.0, -2500.0, 40.0))), 0.0, 1e-8);
}

/* a camera's axes in its mount's: z forward, x to the right, y down */
TY_TEST(frames, optical)
{
    ty_quat q = ty_pose_optical().q;
    ty_vec3 z = ty_rotate(q, ty_vec3_make(0, 0, 1)), x = ty_rotate(q, ty_vec3_make(1, 0, 0)),
            y = ty_rotate(q, ty_vec3_make(0, 1, 0));
    TY_NEAR(z.x, 1.0, 1e-15);
    TY_NEAR(x.y, -1.0, 1e-15);
    TY_NEAR(y.z, -1.0, 1e-15);
}
