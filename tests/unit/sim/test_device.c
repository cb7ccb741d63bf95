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

/* a camera with a detector, whose stages stand on the device as well; lost at any of its kernels */
static small *detects(ty_backend backend, long kernels)
{
    small *s = small_make();
    small_camera(s, "nav", 0.1, 0.02, 0.15)->as.camera.physical = true;
    s->scenario.backend = (int)backend;
    small_create(s);
    if (kernels) {
        tyi_device_fail_after(s->run->device, kernels);
    }
    return s;
}

TY_TEST(device_run, a_detector_where_the_light_is)
{
    small *probe = seen(TY_BACKEND_OPENCL);
    if (!probe) {
        return;
    }
    small_free(probe);
    small *host = detects(TY_BACKEND_CPU, 0);
    small_steps(host, 0.45);
    for (long kernels = 1; kernels <= 13; kernels += 2) {
        small *lost = detects(TY_BACKEND_AUTO, kernels);
        small_steps(lost, 0.45);
        TY_CHECK(ty_run_get_stats(lost->run).host != NULL);
        TY_CHECK(lost->count == host->count && lost->count >= 3);
        /* of the host from the frame on in which it was lost */
        TY_CHECK(lost->heard[lost->count - 1].hash == host->heard[host->count - 1].hash);
        small_free(lost);
    }
    small_free(host);
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
