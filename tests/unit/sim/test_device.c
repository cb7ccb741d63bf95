/* A run whose frames are made on a device: the same bits each time, also from a checkpoint; nothing is missing when it is lost.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "device/device.h"
#include "sim/run.h"
#include "support.h"

/* a camera with truth; NULL: there is no device here */
static small *seen(ty_backend backend)
{
    ty_diag diag = { 0 };
    ty_device_def def = ty_device_def_default();
    ty_device *device;
    if (ty_device_create(&def, &device, &diag) != TY_OK) {
        printf("skipped: %s\n", diag.text);
        return NULL;
    }
    ty_device_destroy(device);
    small *s = small_make();
    small_camera(s, "eye", 0.1, 0.02, 0.15)->as.camera.truth = true;
    s->scenario.backend = (int)backend;
    small_create(s);
    return s;
}

static bool same_bits(const small *a, size_t from, const small *b)
{
    bool equal = a->count - from == b->count && b->count > 0;
    for (size_t i = 0; equal && i < b->count; i++) {
        equal = a->heard[from + i].hash == b->heard[i].hash && a->heard[from + i].at == b->heard[i].at;
    }
    return equal;
}

TY_TEST(device_run, the_same_bits_each_time_and_from_a_checkpoint)
{
    ty_diag diag = { 0 };
    void *saved = NULL;
    size_t bytes = 0;
    small *one = seen(TY_BACKEND_OPENCL);
    if (!one) {
        return;
    }
    small *two = seen(TY_BACKEND_OPENCL), *host = seen(TY_BACKEND_CPU), *later = seen(TY_BACKEND_OPENCL);
    small_steps(one, 0.45), small_steps(two, 0.45), small_steps(host, 0.45);
    TY_CHECK(ty_run_get_stats(one->run).device && !ty_run_get_stats(one->run).host);
    TY_CHECK(!ty_run_get_stats(host->run).device);
    TY_CHECK(same_bits(one, 0, two));
    TY_CHECK(!same_bits(one, 0, host)); /* control: equal within rounding, not in bits */
    TY_CHECK(one->count == host->count);
    TY_CHECK(ty_run_save(one->run, &saved, &bytes, &diag) == TY_OK);
    size_t then = one->count;
    small_steps(one, 0.4);
    TY_CHECK(ty_run_restore(later->run, saved, bytes, &diag) == TY_OK);
    small_steps(later, 0.4);
    TY_CHECK(same_bits(one, then, later));
    small_free(one), small_free(two), small_free(host), small_free(later), free(saved);
}

TY_TEST(device_run, nothing_is_missing_when_it_is_lost)
{
    small *whole = seen(TY_BACKEND_CPU);
    if (!whole) {
        return;
    }
    small *lost = seen(TY_BACKEND_AUTO), *strict = seen(TY_BACKEND_OPENCL);
    tyi_device_fail_after(lost->run->device, 5);
    small_steps(whole, 0.8), small_steps(lost, 0.8);
    ty_run_stats stats = ty_run_get_stats(lost->run);
    TY_CHECK(stats.device && stats.host && strstr(stats.host, "lost"));
    TY_CHECK(lost->count == whole->count && lost->count >= 5);
    for (size_t i = 0; i < lost->count && i < whole->count; i++) {
        TY_CHECK(lost->heard[i].sequence == whole->heard[i].sequence && lost->heard[i].at == whole->heard[i].at);
    }
    /* frames of the host from then on: its bits */
    TY_CHECK(lost->heard[lost->count - 1].hash == whole->heard[whole->count - 1].hash);
    TY_CHECK(lost->heard[0].hash != whole->heard[0].hash); /* control: the first was the device's */
    /* asked for by name of the backend alone, the run stops with a sentence */
    ty_diag diag = { 0 };
    ty_status status = TY_OK;
    tyi_device_fail_after(strict->run->device, 5);
    for (int i = 0; i < 800 && status == TY_OK; i++) {
        status = ty_run_step(strict->run, &diag);
    }
    TY_CHECK(status == TY_ERR_DEVICE && strstr(diag.text, "lost"));
    small_free(whole), small_free(lost), small_free(strict);
}

TY_TEST(device_run, what_is_not_there)
{
    small *s = small_make();
    ty_diag diag = { 0 };
    snprintf(s->scenario.device, sizeof s->scenario.device, "nonsense");
    TY_CHECK(ty_run_create(&s->def, &s->run, &diag) == TY_ERR_INPUT && strstr(diag.text, "backend opencl or auto"));
    s->scenario.backend = TY_BACKEND_OPENCL;
    TY_CHECK(ty_run_create(&s->def, &s->run, &diag) != TY_OK && strstr(diag.text, "nonsense"));
    s->scenario.backend = TY_BACKEND_AUTO;
    diag = (ty_diag){ 0 };
    TY_CHECK(ty_run_create(&s->def, &s->run, &diag) == TY_OK);
    TY_CHECK(!ty_run_get_stats(s->run).device && strstr(ty_run_get_stats(s->run).host, "nonsense"));
    small_free(s);
}

/* so little memory that far ground is coarser: the run goes on, all messages come, and a checkpoint goes on with the same bits */
TY_TEST(device_run, little_memory)
{
    ty_diag diag = { 0 };
    void *saved = NULL;
    size_t bytes = 0;
    small *any = seen(TY_BACKEND_OPENCL), *run[3];
    if (!any) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        run[i] = small_make();
        small_camera(run[i], "eye", 0.1, 0.02, 0.15)->as.camera.truth = true;
        run[i]->scenario.backend = TY_BACKEND_OPENCL, run[i]->scenario.device_memory = i < 2 ? 26.0 : 0.0;
        run[i]->def.detail = 768;
        small_create(run[i]);
    }
    small *all = run[2];
    small_steps(all, 0.3), small_steps(run[0], 0.3);
    ty_run_stats stats = ty_run_get_stats(run[0]->run);
    printf("%s\n", stats.coarser ? stats.coarser : "not coarser");
    TY_CHECK(stats.coarser && strstr(stats.coarser, "coarser") && !stats.host);
    TY_CHECK(!ty_run_get_stats(all->run).coarser && all->count == run[0]->count && all->count > 0);
    TY_CHECK(!same_bits(all, 0, run[0])); /* control: it is other ground */
    TY_CHECK(ty_run_save(run[0]->run, &saved, &bytes, &diag) == TY_OK);
    size_t then = run[0]->count;
    small_steps(run[0], 0.2);
    TY_CHECK(ty_run_restore(run[1]->run, saved, bytes, &diag) == TY_OK);
    small_steps(run[1], 0.2);
    TY_CHECK(same_bits(run[0], then, run[1]));
    small_free(any), small_free(run[0]), small_free(run[1]), small_free(run[2]), free(saved);
}
