/* src/device/device.c - the public calls: checks arguments, owns the structs, hands on to a back end.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include "device.h"
#include "source.h"

ty_device_def ty_device_def_default(void)
{
    return (ty_device_def){ .backend = TY_DEVICE_OPENCL, .index = -1, .cookie = TYI_COOKIE };
}

/* devices are found, opened and closed one at a time: drivers make what they need when first asked, and PoCL 3.1 crashed where two threads asked at once */
static pthread_mutex_t driver = PTHREAD_MUTEX_INITIALIZER;

static const tyi_device_backend *choose(ty_device_backend backend)
{
#ifdef TYCHO_OPENCL
    if (backend == TY_DEVICE_OPENCL) {
        return &tyi_device_backend_opencl;
    }
#endif
    return backend == TY_DEVICE_NULL ? &tyi_device_backend_null : NULL;
}

int ty_device_list(ty_device_info *out, int capacity)
{
    const tyi_device_backend *backend = choose(TY_DEVICE_OPENCL);
    pthread_mutex_lock(&driver);
    int count = backend ? backend->list(out, capacity) : 0;
    pthread_mutex_unlock(&driver);
    return count;
}

ty_status ty_device_create(const ty_device_def *def, ty_device **out, ty_diag *diag)
{
    *out = NULL;
    if (def->cookie != TYI_COOKIE) {
        return ty_fail(diag, TY_ERR_DEF, "device: the definition must start from ty_device_def_default()");
    }
    const tyi_device_backend *backend = choose(def->backend);
    if (!backend) {
        return ty_fail(diag, TY_ERR_DEVICE, "device: this build of Tycho has no OpenCL");
    }
    ty_device *device = tyi_get(def->alloc, sizeof *device);
    if (!device) {
        return ty_fail(diag, TY_ERR_MEMORY, "device: no memory for a device");
    }
    device->backend = backend;
    device->alloc = def->alloc;
    device->limit = def->memory;
    pthread_mutex_lock(&driver);
    ty_status status = backend->open(device, def, diag);
    pthread_mutex_unlock(&driver);
    if (status != TY_OK) {
        tyi_put(def->alloc, device, sizeof *device);
        return status;
    }
    if (def->memory && def->memory < device->info.memory) {
        device->info.memory = def->memory;
    }
    *out = device;
    return TY_OK;
}

void ty_device_destroy(ty_device *device)
{
    if (device) {
        pthread_mutex_lock(&driver);
        device->backend->close(device);
        pthread_mutex_unlock(&driver);
        tyi_put(device->alloc, device, sizeof *device);
    }
}

const ty_device_info *ty_device_get_info(const ty_device *device)
{
    return &device->info;
}

/* the options every program is built with, and the caller's */
static bool join_options(const ty_device *device, ty_device_precision precision, const char *options, char *text,
                         size_t size)
{
    int n =
        snprintf(text, size, "-cl-std=CL1.2%s%s %s", precision == TY_FLOAT ? " -DTY_KERNEL_FLOAT" : "",
                 device->info.fp32_rounded ? " -cl-fp32-correctly-rounded-divide-sqrt" : "", options ? options : "");
    return n >= 0 && (size_t)n < size;
}

ty_status ty_device_build(ty_device *device, const char *source, ty_device_precision precision, const char *options,
                          ty_device_program **out, ty_diag *diag)
{
    *out = NULL;
    bool null = device->backend == &tyi_device_backend_null;
    if (precision == TY_DOUBLE && !device->info.fp64 && !null) {
        return ty_fail(diag, TY_ERR_DEVICE, "device: %s has no double precision; build the program with TY_FLOAT",
                       device->info.name);
    }
    char joined[1024];
    if (!join_options(device, precision, options, joined, sizeof joined)) {
        return ty_fail(diag, TY_ERR_RANGE, "device: the build options are longer than 900 characters");
    }
    char *text;
    size_t bytes;
    ty_status status = tyi_device_source_expand(device->alloc, source, &text, &bytes, diag);
    if (status != TY_OK) {
        return status;
    }
    ty_device_program *program = tyi_get(device->alloc, sizeof *program);
    if (!program) {
        status = ty_fail(diag, TY_ERR_MEMORY, "device: no memory for a program");
    } else {
        program->device = device;
        program->lane = device->lane;
        status = device->backend->build(program, text, joined, diag);
    }
    tyi_put(device->alloc, text, bytes);
    if (status != TY_OK) {
        tyi_put(device->alloc, program, sizeof *program);
        return status;
    }
    *out = program;
    return TY_OK;
}

void ty_device_program_destroy(ty_device_program *program)
{
    if (program) {
        program->device->backend->unbuild(program);
        tyi_put(program->device->alloc, program, sizeof *program);
    }
}

ty_status tyi_device_lane(ty_device *device, int lane, ty_diag *diag)
{
    TY_ASSERT(lane >= 0 && lane < TYI_DEVICE_LANES);
    ty_status status = device->backend->lane ? device->backend->lane(device, lane, diag) : TY_OK;
    device->lane = status == TY_OK ? lane : device->lane;
    return status;
}

ty_status ty_device_buffer_create(ty_device *device, size_t bytes, const void *data, ty_device_buffer **out,
                                  ty_diag *diag)
{
    *out = NULL;
    bool null = device->backend == &tyi_device_backend_null;
    if (!null && (bytes == 0 || bytes > device->info.max_buffer)) {
        return ty_fail(diag, TY_ERR_RANGE, "device: a buffer of %zu bytes; %s takes 1 to %llu", bytes,
                       device->info.name, (unsigned long long)device->info.max_buffer);
    }
    if (device->limit && bytes > device->limit - device->used) {
        return ty_fail(diag, TY_ERR_MEMORY,
                       "device: a buffer of %zu bytes; of the %llu that were allowed %llu are in use", bytes,
                       (unsigned long long)device->limit, (unsigned long long)device->used);
    }
    ty_device_buffer *buffer = tyi_get(device->alloc, sizeof *buffer);
    if (!buffer) {
        return ty_fail(diag, TY_ERR_MEMORY, "device: no memory for a buffer");
    }
    buffer->device = device;
    buffer->lane = device->lane;
    buffer->bytes = bytes;
    ty_status status = device->backend->reserve(buffer, data, diag);
    if (status != TY_OK) {
        tyi_put(device->alloc, buffer, sizeof *buffer);
        return status;
    }
    device->used += bytes;
    *out = buffer;
    return TY_OK;
}

void ty_device_buffer_destroy(ty_device_buffer *buffer)
{
    if (buffer) {
        buffer->device->backend->release(buffer);
        buffer->device->used -= buffer->bytes;
        tyi_put(buffer->device->alloc, buffer, sizeof *buffer);
    }
}

size_t ty_device_buffer_bytes(const ty_device_buffer *buffer)
{
    return buffer->bytes;
}

static ty_status check_span(const ty_device_buffer *buffer, size_t at, size_t bytes, const char *what, ty_diag *diag)
{
    if (at > buffer->bytes || bytes > buffer->bytes - at) {
        return ty_fail(diag, TY_ERR_RANGE, "device: %s of %zu bytes at %zu, but the buffer has %zu", what, bytes, at,
                       buffer->bytes);
    }
    return TY_OK;
}

ty_status ty_device_write(ty_device_buffer *buffer, size_t at, size_t bytes, const void *data, ty_diag *diag)
{
    ty_status status = check_span(buffer, at, bytes, "a write", diag);
    return status != TY_OK || bytes == 0 ? status : buffer->device->backend->write(buffer, at, bytes, data, true, diag);
}

ty_status tyi_device_send(ty_device_buffer *buffer, size_t at, size_t bytes, const void *data, ty_diag *diag)
{
    ty_status status = check_span(buffer, at, bytes, "a write", diag);
    return status != TY_OK || bytes == 0 ? status
                                         : buffer->device->backend->write(buffer, at, bytes, data, false, diag);
}

ty_status ty_device_read(ty_device_buffer *buffer, size_t at, size_t bytes, void *data, ty_diag *diag)
{
    ty_status status = check_span(buffer, at, bytes, "a read", diag);
    return status != TY_OK || bytes == 0 ? status : buffer->device->backend->read(buffer, at, bytes, data, diag);
}

ty_status ty_device_run(ty_device_program *program, const ty_device_job *job, double *seconds, ty_diag *diag)
{
    if (seconds) {
        *seconds = 0.0;
    }
    for (int d = 0; d < 2; d++) {
        if (job->local[d] && job->global[d] % job->local[d]) {
            return ty_fail(diag, TY_ERR_RANGE,
                           "device: kernel %s runs on %zu items in groups of %zu, which does not divide them",
                           job->kernel, job->global[d], job->local[d]);
        }
    }
    if (job->global[0] == 0) {
        return TY_OK;
    }
    if (program->device->fails > 0 && --program->device->fails == 0) {
        program->device->fails = 1; /* lost for good */
        return ty_fail(diag, TY_ERR_DEVICE, "device: %s is lost", program->device->info.name);
    }
    return program->device->backend->run(program, job, seconds, diag);
}

void tyi_device_fail_after(ty_device *device, long kernels)
{
    device->fails = kernels + 1;
}

ty_status tyi_device_pin(ty_device *device, size_t bytes, tyi_device_pinned *memory, ty_diag *diag)
{
    if (memory->device && memory->bytes >= bytes) {
        return TY_OK;
    }
    tyi_device_unpin(memory);
    *memory = (tyi_device_pinned){ .device = device, .bytes = bytes + bytes / 4 };
    ty_status status = device->backend->pin(memory, diag);
    if (status != TY_OK) {
        *memory = (tyi_device_pinned){ 0 };
    }
    return status;
}

void tyi_device_unpin(tyi_device_pinned *memory)
{
    if (memory->device) {
        memory->device->backend->unpin(memory);
        *memory = (tyi_device_pinned){ 0 };
    }
}

ty_status ty_device_finish(ty_device *device, ty_diag *diag)
{
    return device->backend->finish(device, diag);
}
