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
    tyi_device_fail_after(lost->run->view[0].device, 6);
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
    tyi_device_fail_after(strict->run->view[0].device, 5);
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
        tyi_device_fail_after(s->run->view[0].device, kernels);
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
        run[i]->scenario.backend = TY_BACKEND_OPENCL, run[i]->scenario.device_memory = i < 2 ? 58.0 : 0.0;
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

/* ---- every kind of sensor that looks at the scene ---- */

static ty_sensor_def *instrument(small *s, ty_sensor_type type, const char *name, const char *mount, const char *file,
                                 ty_setting *set, size_t count)
{
    const char *root = getenv("TYCHO_SOURCE");
    ty_sensor_def *d = &s->sensor[s->rover.sensors++];
    *d = ty_sensor_def_default(type);
    snprintf(d->name, sizeof d->name, "%s", name), snprintf(d->mount, sizeof d->mount, "%s", mount);
    d->window = d->window > 0.0 ? 0.1 : 0.0, d->period = 0.1;
    snprintf(d->as.instrument.model, sizeof d->as.instrument.model, "%s/models/sensors/%s", root ? root : ".", file);
    d->as.instrument.settings = (ty_settings){ set, count };
    return d;
}

/* two cameras, one with truth and one that is a fisheye, a lidar and a SPAD camera, all without noise */
static small *all_kinds(ty_backend backend, uint64_t seed)
{
    static ty_setting quiet[] = { { "noise", "false" } };
    small *s = small_make();
    s->rover.driver.kind = TY_DRIVER_STAND;
    s->scenario.terrain.seed = seed;
    s->scenario.backend = (int)backend;
    small_camera(s, "eye", 0.1, 0.0, 0.0)->as.camera.truth = true;
    ty_sensor_def *wide = small_camera(s, "wide", 0.1, 0.02, 0.0);
    wide->as.camera.camera.lens = TY_LENS_FISHEYE, wide->as.camera.camera.hfov = 150.0 * TY_DEG;
    instrument(s, TY_SENSOR_LIDAR, "lidar", "lidar", "lidar_vlp_16.yaml", quiet, 1);
    instrument(s, TY_SENSOR_SPAD, "spad", "hazcam_front", "spad_8x8.yaml", quiet, 1);
    small_create(s);
    small_steps(s, 0.25);
    return s;
}

/* share of a message's numbers that agree: within 0.1 %, whole numbers within 1 */
static double alike(const ty_message *a, const ty_message *b)
{
    double near = 0.0, all = 0.0;
    for (int p = 0; p < a->parts && p < b->parts; p++) {
        const ty_buffer *x = &a->part[p].data, *y = &b->part[p].data;
        for (int i = 0; i < x->type.width * x->type.height * x->type.channels; i++) {
            int c = i % x->type.channels, u = i / x->type.channels % x->type.width,
                v = i / x->type.channels / x->type.width;
            bool there = v < y->type.height && u < y->type.width;
            double m = ty_buffer_get(x, u, v, c), n = there ? ty_buffer_get(y, u, v, c) : (double)NAN;
            double slack = x->type.element == TY_ELEMENT_F32 || x->type.element == TY_ELEMENT_F64 ? 1e-4 : 1.0;
            near += fabs(m - n) <= 1e-3 * fabs(m) + slack || (!isfinite(m) && !isfinite(n)), all++;
        }
    }
    return all > 0.0 ? near / all : 0.0;
}

TY_TEST(device_run, every_kind_of_sensor)
{
    small *any = seen(TY_BACKEND_OPENCL);
    if (!any) {
        return;
    }
    small *host = all_kinds(TY_BACKEND_CPU, 5), *device = all_kinds(TY_BACKEND_OPENCL, 5),
          *other = all_kinds(TY_BACKEND_OPENCL, 6);
    TY_CHECK(!ty_run_get_stats(device->run).host);
    for (size_t k = 0; k < 4; k++) {
        const ty_message *a = ty_run_newest(host->run, k), *b = ty_run_newest(device->run, k),
                         *c = ty_run_newest(other->run, k);
        cr_assert(a && b && c);
        double same = alike(a, b), control = alike(a, c);
        printf("%s: %.3f %% of its numbers agree, %.1f %% with other ground\n", host->sensor[k].name, 100.0 * same,
               100.0 * control);
        TY_CHECK(a->sequence == b->sequence && a->parts == b->parts && same >= 0.99);
        TY_CHECK(control < 0.95 * same);
    }
    small_free(any), small_free(host), small_free(device), small_free(other);
}

/* lost among two cameras and a lidar, saved after that, and taken up by a run whose device works: no message is missing or out of order */
TY_TEST(device_run, lost_with_several_sensors_and_a_checkpoint)
{
    small *any = seen(TY_BACKEND_OPENCL), *run[3];
    void *saved = NULL;
    size_t bytes = 0;
    ty_diag diag = { 0 };
    if (!any) {
        return;
    }
    for (int k = 0; k < 3; k++) { /* the host's, one that is lost, one that goes on */
        run[k] = small_make();
        run[k]->scenario.backend = k ? TY_BACKEND_AUTO : TY_BACKEND_CPU;
        small_camera(run[k], "left", 0.1, 0.02, 0.05)->as.camera.truth = true;
        small_camera(run[k], "right", 0.1, 0.02, 0.05);
        instrument(run[k], TY_SENSOR_LIDAR, "lidar", "lidar", "lidar_vlp_16.yaml", NULL, 0);
        small_create(run[k]);
    }
    tyi_device_fail_after(run[1]->run->view[0].device, 7);
    small_steps(run[0], 0.6), small_steps(run[1], 0.4);
    TY_CHECK(ty_run_get_stats(run[1]->run).host && strstr(ty_run_get_stats(run[1]->run).host, "lost"));
    TY_CHECK(ty_run_save(run[1]->run, &saved, &bytes, &diag) == TY_OK);
    TY_CHECK(ty_run_restore(run[2]->run, saved, bytes, &diag) == TY_OK);
    small_steps(run[2], 0.2);
    TY_CHECK(!ty_run_get_stats(run[2]->run).host);
    TY_CHECK(run[1]->count + run[2]->count == run[0]->count && run[2]->count > 3);
    for (size_t i = 0; i < run[0]->count && i < run[1]->count + run[2]->count; i++) {
        const heard *a = &run[0]->heard[i],
                    *b = i < run[1]->count ? &run[1]->heard[i] : &run[2]->heard[i - run[1]->count];
        TY_CHECK(a->sensor == b->sensor && a->sequence == b->sequence && a->at == b->at);
    }
    free(saved);
    small_free(any), small_free(run[0]), small_free(run[1]), small_free(run[2]);
}

/* ---- several devices ---- */

/* two cameras and a lidar on the devices of this list; overlap: frames are made beside the steps */
static small *shared(const char *devices, bool overlap)
{
    small *s = small_make();
    s->scenario.backend = TY_BACKEND_OPENCL;
    s->def.overlap = overlap;
    snprintf(s->scenario.device, sizeof s->scenario.device, "%.255s", devices);
    small_camera(s, "left", 0.1, 0.02, 0.05)->as.camera.truth = true;
    small_camera(s, "right", 0.1, 0.02, 0.05);
    instrument(s, TY_SENSOR_LIDAR, "lidar", "lidar", "lidar_vlp_16.yaml", NULL, 0);
    return s;
}

/* one device opened twice stands for two: each has its own view, thread and programs, and gets its share of the sensors; all messages come in the
 * order and, as the devices are alike, with the bits of one, each time, by threads or between the steps, and from a checkpoint */
TY_TEST(device_run, several_share_the_sensors)
{
    ty_device_info info[1];
    void *saved = NULL;
    size_t bytes = 0;
    ty_diag diag = { 0 };
    if (ty_device_list(info, 1) < 1) {
        printf("skipped: there is no OpenCL device here\n");
        return;
    }
    char twice[600];
    snprintf(twice, sizeof twice, "%.120s, %.120s", info[0].name, info[0].name);
    small *one = shared(info[0].name, true), *two = shared(twice, true), *again = shared(twice, false),
          *later = shared(twice, true);
    small *all[] = { one, two, again, later };
    for (int i = 0; i < 4; i++) {
        small_create(all[i]);
    }
    TY_CHECK(one->run->views == 1 && two->run->views == 2 && strchr(ty_run_get_stats(two->run).device, ','));
    TY_CHECK(two->run->sensor[0].view == &two->run->view[0] && two->run->sensor[2].view == &two->run->view[1]);
    small_steps(one, 0.3), small_steps(two, 0.3), small_steps(again, 0.3);
    TY_CHECK(two->run->view[0].scene && two->run->view[1].scene && two->run->view[0].scene != two->run->view[1].scene);
    TY_CHECK(same_bits(one, 0, two) && same_bits(two, 0, again) && two->count >= 6);
    TY_CHECK(ty_run_save(two->run, &saved, &bytes, &diag) == TY_OK);
    size_t then = two->count;
    small_steps(two, 0.2);
    TY_CHECK(ty_run_restore(later->run, saved, bytes, &diag) == TY_OK);
    small_steps(later, 0.2);
    TY_CHECK(same_bits(two, then, later));
    free(saved);
    for (int i = 0; i < 4; i++) {
        small_free(all[i]);
    }
}

/* one of two is lost: its sensors are the host's from then on, those of the other stay, nothing is missing */
TY_TEST(device_run, one_of_several_is_lost)
{
    ty_device_info info[1];
    if (ty_device_list(info, 1) < 1) {
        printf("skipped: there is no OpenCL device here\n");
        return;
    }
    char twice[600];
    snprintf(twice, sizeof twice, "%.120s,%.120s", info[0].name, info[0].name);
    small *whole = shared(twice, true), *lost = shared(twice, true);
    lost->scenario.backend = TY_BACKEND_AUTO;
    small_create(whole), small_create(lost);
    tyi_device_fail_after(lost->run->view[1].device, 2);
    small_steps(whole, 0.4), small_steps(lost, 0.4);
    TY_CHECK(ty_run_get_stats(lost->run).host && strstr(ty_run_get_stats(lost->run).host, "lost"));
    TY_CHECK(whole->count == lost->count && whole->count >= 8);
    size_t differ = 0;
    for (size_t i = 0; i < whole->count && i < lost->count; i++) {
        const heard *a = &whole->heard[i], *b = &lost->heard[i];
        TY_CHECK(a->sensor == b->sensor && a->sequence == b->sequence && a->at == b->at);
        TY_CHECK(a->sensor == 2 || a->hash == b->hash);
        differ += a->hash != b->hash;
    }
    TY_CHECK(differ > 0); /* control: the lidar was the host's */
    small_free(whole), small_free(lost);
}

TY_TEST(device_run, a_list_with_one_that_is_not_there)
{
    ty_device_info info[1];
    if (ty_device_list(info, 1) < 1) {
        printf("skipped: there is no OpenCL device here\n");
        return;
    }
    char list[300];
    ty_diag diag = { 0 };
    snprintf(list, sizeof list, "%.120s,nonsense", info[0].name);
    small *s = shared(list, true);
    TY_CHECK(ty_run_create(&s->def, &s->run, &diag) == TY_ERR_DEVICE && strstr(diag.text, "nonsense"));
    s->scenario.backend = TY_BACKEND_AUTO; /* all of them or none */
    diag = (ty_diag){ 0 };
    TY_CHECK(ty_run_create(&s->def, &s->run, &diag) == TY_OK && !ty_run_get_stats(s->run).device);
    TY_CHECK(strstr(ty_run_get_stats(s->run).host, "nonsense"));
    ty_run_destroy(s->run);
    snprintf(s->scenario.device, sizeof s->scenario.device, "%.20s,,%.20s", info[0].name, info[0].name);
    diag = (ty_diag){ 0 };
    TY_CHECK(ty_run_create(&s->def, &s->run, &diag) == TY_ERR_INPUT && strstr(diag.text, "between two commas"));
    int n = 0;
    for (int i = 0; i < 9; i++) {
        n += snprintf(s->scenario.device + n, sizeof s->scenario.device - (size_t)n, "%s%.10s", i ? "," : "",
                      info[0].name);
    }
    diag = (ty_diag){ 0 };
    TY_CHECK(ty_run_create(&s->def, &s->run, &diag) == TY_ERR_INPUT && strstr(diag.text, "more than 8"));
    small_free(s);
}
