/* Sensors in time: every datum at its due simulated time, in order, once, with its stamps, the same bits however it was
 * made.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <unistd.h>
#include "support.h"
#include "vehicle/inner.h"

static void sleepy(void *user, size_t sensor)
{
    (void)sensor;
    usleep(*(const useconds_t *)user);
}

/* sensors at 7, 10, 30 and 100 Hz, windows of 0 to 20 ms, lags of 0 to 250 ms, phases */
static small *four_sensors(void)
{
    small *s = small_make();
    small_camera(s, "seven", 1.0 / 7.0, 0.02, 0.25);
    small_camera(s, "ten", 0.1, 0.005, 0.0)->start = 0.013;
    small_camera(s, "thirty", 1.0 / 30.0, 0.0, 0.1);
    small_camera(s, "hundred", 0.01, 0.001, 0.033);
    return s;
}

static small *played(bool overlap, int threads, useconds_t slow)
{
    small *s = four_sensors();
    s->def.overlap = overlap;
    s->def.threads = threads;
    s->def.slow = slow ? sleepy : NULL;
    s->def.slow_user = &slow;
    small_create(s);
    small_steps(s, 0.6);
    ty_run_destroy(s->run);
    s->run = NULL;
    return s;
}

/* what the schedule says, worked out here from the definitions alone */
static void check_schedule(const small *s)
{
    const ty_time step = ty_time_from(s->scenario.step), now = ty_time_from(0.6);
    size_t seen[MOST_SENSORS] = { 0 };
    for (size_t i = 0; i < s->count; i++) {
        const heard *h = &s->heard[i];
        const ty_sensor_def *d = &s->sensor[h->sensor];
        ty_time start = ty_time_from(d->start) + (ty_time)seen[h->sensor] * ty_time_from(d->period);
        ty_time end = start + ty_time_from(d->window), due = end + ty_time_from(d->lag);
        cr_expect(h->sequence == seen[h->sensor], "%s: message %llu came as number %zu", d->name,
                  (unsigned long long)h->sequence, seen[h->sensor]);
        cr_expect(h->time.start == start && h->time.end == end && h->time.due == due, "%s: stamps of message %zu",
                  d->name, seen[h->sensor]);
        ty_time comes = (due + step - 1) / step * step; /* the first step at or after */
        cr_expect(h->at == comes, "%s: message %zu came at %lld, want %lld", d->name, seen[h->sensor], (long long)h->at,
                  (long long)comes);
        if (i) {
            const heard *b = h - 1;
            cr_expect(b->time.due < due || (b->time.due == due && b->sensor < h->sensor),
                      "%s: message %zu is out of order", d->name, seen[h->sensor]);
        }
        seen[h->sensor]++;
    }
    for (size_t k = 0; k < s->rover.sensors; k++) { /* none is missing */
        const ty_sensor_def *d = &s->sensor[k];
        ty_time first = ty_time_from(d->start) + ty_time_from(d->window) + ty_time_from(d->lag);
        size_t want = first > now ? 0 : (size_t)((now - first) / ty_time_from(d->period)) + 1;
        cr_expect(seen[k] == want, "%s: %zu messages, want %zu", d->name, seen[k], want);
    }
}

static bool same(const small *a, const small *b)
{
    bool equal = a->count == b->count;
    for (size_t i = 0; equal && i < a->count; i++) {
        equal = a->heard[i].hash == b->heard[i].hash && a->heard[i].at == b->heard[i].at;
    }
    return equal;
}

TY_TEST(time, due_in_order_once_and_the_same_bits)
{
    small *inline_one = played(false, 1, 0);
    check_schedule(inline_one);
    TY_CHECK(inline_one->count > 80);
    const struct {
        bool overlap;
        int threads;
        useconds_t slow;
        /* the last: far slower than real time */
    } ways[] = { { false, 2, 0 }, { true, 1, 0 }, { true, 2, 0 }, { true, 2, 8000 } };
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        small *other = played(ways[i].overlap, ways[i].threads, ways[i].slow);
        check_schedule(other);
        cr_expect(same(inline_one, other), "overlap %d, %d threads, slow %u us differ from the run in line",
                  ways[i].overlap, ways[i].threads, ways[i].slow);
        free(other);
    }
    /* control: another seed is seen by the hash */
    small *control = four_sensors();
    control->scenario.terrain.seed++;
    small_create(control);
    small_steps(control, 0.6);
    TY_CHECK(!same(inline_one, control));
    small_free(control);
    free(inline_one);
    TY_ROW("every datum at its due time, in order, once; same bits on 1 and 2 threads, in line and overlapped",
           "7, 10, 30, 100 Hz, lags to 250 ms, a slow renderer", "all equal; another seed is seen");
}

/* Ruts reach the frames as they were when the window closed, also when the worker comes to it much later. */
TY_TEST(time, ground_of_its_own_time)
{
    uint64_t hash[2][4];
    for (int way = 0; way < 2; way++) {
        useconds_t slow = 60000;
        small *s = small_make();
        ty_sensor_def side = *small_camera(s, "side", 0.5, 0.0, 0.45); /* from beside, onto the wheels */
        ty_scenario_actor post = ty_scenario_actor_default();
        s->rover.sensors = 0;
        side.mount[0] = '\0';
        side.as.camera.camera.width = 96, side.as.camera.camera.height = 64;
        side.as.camera.truth = true;
        post.hidden = post.on_ground = true;
        post.x = 0.3, post.y = 3.0, post.z = 1.2, post.yaw = -90.0 * TY_DEG, post.pitch = 20.0 * TY_DEG;
        snprintf(post.name, sizeof post.name, "post");
        post.sensor = &side, post.sensors = 1;
        s->scenario.actor = &post, s->scenario.actors = 1;
        s->def.overlap = way == 1;
        s->def.slow = way == 1 ? sleepy : NULL;
        s->def.slow_user = &slow;
        small_create(s);
        small_steps(s, 2.0);
        TY_CHECK(s->count == 4 && ty_terrain_version(ty_world_terrain(ty_run_world(s->run))) > 4);
        for (size_t i = 0; i < 4; i++) {
            hash[way][i] = s->heard[i].hash;
        }
        small_free(s);
    }
    TY_CHECK(!memcmp(hash[0], hash[1], sizeof hash[0]));
    TY_CHECK(hash[0][1] != hash[0][2]);
}

/* A keyframe between two steps lies between their poses: a still window at t sees the pose that straight motion has
 * there. */
static void copy_pose(void *user, const ty_message *m)
{
    (void)m;
    *(int *)user += 1;
}

TY_TEST(time, subscribers_and_newest)
{
    small *s = four_sensors();
    int seven = 0, all = 0;
    ty_diag diag = { 0 };
    small_create(s);
    TY_CHECK(ty_run_subscribe(s->run, "viper", "seven", copy_pose, &seven, &diag) == TY_OK);
    TY_CHECK(ty_run_subscribe(s->run, NULL, NULL, copy_pose, &all, &diag) == TY_OK);
    TY_CHECK(ty_run_subscribe(s->run, NULL, "eight", copy_pose, &all, &diag) == TY_ERR_INPUT);
    TY_CHECK(!strcmp(diag.text, "run: there is no sensor 'eight' of '(any)'"));
    size_t at;
    TY_CHECK(ty_run_find_sensor(s->run, "viper", "thirty", &at) && at == 2 &&
             !ty_run_find_sensor(s->run, "other", "thirty", &at));
    TY_CHECK(ty_run_newest(s->run, 0) == NULL);
    small_steps(s, 0.3);
    const ty_message *m = ty_run_newest(s->run, 0);
    cr_assert(m);
    TY_CHECK(seven == 1 && all == (int)s->count);
    TY_CHECK(m->sequence == 0 && m->time.due == ty_time_from(0.27) && !strcmp(m->sensor, "seven") &&
             !strcmp(m->run, "small"));
    const ty_buffer *image = ty_message_find(m, "image");
    TY_CHECK(image && image->type.width == 24 && image->type.unit == TY_UNIT_RADIANCE &&
             image->time.end == m->time.end);
    TY_CHECK(ty_message_find(m, "depth") == NULL);
    TY_CHECK(ty_run_sensors(s->run) == 4 && ty_run_sensor(s->run, 3).period == 10000000 &&
             ty_run_sensor(s->run, 0).sequence == 1);
    TY_CHECK(ty_run_get_stats(s->run).frames > 20);
    ty_run_stats cost = ty_run_get_stats(s->run); /* every part of a step is told */
    TY_CHECK(cost.motion_s > 0.0 && cost.soil_s > 0.0 && cost.sensor_s > 0.0 && cost.deliver_s > 0.0);
    double soil = tyi_vehicle_soil_time(ty_run_rover(s->run, 0));
    TY_CHECK(soil > 0.0 && soil <= cost.soil_s);
    small_free(s);
}
