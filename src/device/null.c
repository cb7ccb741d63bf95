/* src/device/null.c - the device that does nothing and says so: lets callers' failure paths be
 * tested where there is no OpenCL.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include "device.h"

static ty_status refuse(ty_diag *diag, const char *what)
{
    return ty_fail(diag, TY_ERR_DEVICE, "device: the null device cannot %s", what);
}

static int null_list(ty_device_info *out, int capacity)
{
    (void)out;
    (void)capacity;
    return 0;
}

static ty_status null_open(ty_device *device, const ty_device_def *def, ty_diag *diag)
{
    (void)def;
    (void)diag;
    snprintf(device->info.name, sizeof device->info.name, "null");
    snprintf(device->info.platform, sizeof device->info.platform, "none");
    return TY_OK;
}

static void null_close(ty_device *device)
{
    (void)device;
}

static ty_status null_build(ty_device_program *program, const char *text, const char *options, ty_diag *diag)
{
    (void)program;
    (void)text;
    (void)options;
    return refuse(diag, "build a program");
}

static void null_unbuild(ty_device_program *program)
{
    (void)program;
}

static ty_status null_reserve(ty_device_buffer *buffer, const void *data, ty_diag *diag)
{
    (void)buffer;
    (void)data;
    return refuse(diag, "make a buffer");
}

static void null_release(ty_device_buffer *buffer)
{
    (void)buffer;
}

static ty_status null_write(ty_device_buffer *buffer, size_t at, size_t bytes, const void *data, bool wait,
                            ty_diag *diag)
{
    (void)wait;
    (void)buffer;
    (void)at;
    (void)bytes;
    (void)data;
    return refuse(diag, "write a buffer");
}

static ty_status null_read(ty_device_buffer *buffer, size_t at, size_t bytes, void *data, ty_diag *diag)
{
    (void)buffer;
    (void)at;
    (void)bytes;
    (void)data;
    return refuse(diag, "read a buffer");
}

static ty_status null_run(ty_device_program *program, const ty_device_job *job, double *seconds, ty_diag *diag)
{
    (void)program;
    (void)job;
    (void)seconds;
    return refuse(diag, "run a kernel");
}

static ty_status null_finish(ty_device *device, ty_diag *diag)
{
    (void)device;
    return refuse(diag, "finish its work");
}

static ty_status null_pin(tyi_device_pinned *memory, ty_diag *diag)
{
    (void)memory;
    return refuse(diag, "give memory");
}

static void null_unpin(tyi_device_pinned *memory)
{
    (void)memory;
}

const tyi_device_backend tyi_device_backend_null = {
    .list = null_list,
    .open = null_open,
    .close = null_close,
    .build = null_build,
    .unbuild = null_unbuild,
    .reserve = null_reserve,
    .release = null_release,
    .write = null_write,
    .read = null_read,
    .run = null_run,
    .finish = null_finish,
    .pin = null_pin,
    .unpin = null_unpin,
};
