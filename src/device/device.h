/* src/device/device.h - what the public calls and the two back ends share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_DEVICE_H
#define TYI_DEVICE_H
#include "core/core.h"
#include "tycho/device.h"

/* Memory of the host that the device reads and writes by itself: ty_device_write() from it and ty_device_read() into it take a third of the
 * time. */
typedef struct tyi_device_pinned {
    ty_device *device; /* NULL: there is none */
    void *data;
    size_t bytes;
    void *handle;
} tyi_device_pinned;
/* At least so many bytes; what was there is lost when it grows, after all that is sent from there has arrived, as where it is given back. */
ty_status tyi_device_pin(ty_device *device, size_t bytes, tyi_device_pinned *memory, ty_diag *diag);
void tyi_device_unpin(tyi_device_pinned *memory); /* one that is empty is allowed */
/* ty_device_write() from there without waiting: `data` must stay until a ty_device_read() of the same queue has come back. */
ty_status tyi_device_send(ty_device_buffer *buffer, size_t at, size_t bytes, const void *data, ty_diag *diag);

/* Programs and buffers that are made from now on belong to this queue of the device, 0 at first, at most TYI_DEVICE_LANES - 1. Queues run side by side, and
 * each may be used by a thread of its own, but for making and destroying; a kernel takes buffers of its own queue only. */
enum { TYI_DEVICE_LANES = 16 };
ty_status tyi_device_lane(ty_device *device, int lane, ty_diag *diag);

/* A back end. The front (device.c) has checked every argument and owns the structs; a back end
 * keeps what is its own behind `handle`, and its close functions free that. */
typedef struct tyi_device_backend {
    int (*list)(ty_device_info *out, int capacity);
    ty_status (*open)(ty_device *device, const ty_device_def *def, ty_diag *diag);
    void (*close)(ty_device *device);
    ty_status (*lane)(ty_device *device, int lane, ty_diag *diag); /* NULL: it has one queue */
    ty_status (*build)(ty_device_program *program, const char *text, const char *options, ty_diag *diag);
    void (*unbuild)(ty_device_program *program);
    ty_status (*reserve)(ty_device_buffer *buffer, const void *data, ty_diag *diag);
    void (*release)(ty_device_buffer *buffer);
    ty_status (*write)(ty_device_buffer *buffer, size_t at, size_t bytes, const void *data, bool wait, ty_diag *diag);
    ty_status (*read)(ty_device_buffer *buffer, size_t at, size_t bytes, void *data, ty_diag *diag);
    ty_status (*run)(ty_device_program *program, const ty_device_job *job, double *seconds, ty_diag *diag);
    ty_status (*finish)(ty_device *device, ty_diag *diag);
    ty_status (*pin)(tyi_device_pinned *memory, ty_diag *diag);
    void (*unpin)(tyi_device_pinned *memory);
} tyi_device_backend;

struct ty_device {
    const tyi_device_backend *backend;
    const ty_alloc *alloc;
    ty_device_info info;
    void *handle;
    int lane;             /* of what is made next */
    long fails;           /* for tests: kernels that still run before it is lost; 0: it never is */
    uint64_t limit, used; /* [byte] of buffers: at most, 0: no bound of ours; now */
};

struct ty_device_program {
    ty_device *device;
    int lane;
    void *handle;
};

struct ty_device_buffer {
    ty_device *device;
    int lane;
    size_t bytes;
    void *handle;
};

/* for tests: the device is lost after so many more kernels */
void tyi_device_fail_after(ty_device *device, long kernels);

extern const tyi_device_backend tyi_device_backend_null;
#ifdef TYCHO_OPENCL
extern const tyi_device_backend tyi_device_backend_opencl;
#endif

#endif
