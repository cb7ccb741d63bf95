/* include/tycho/device.h - a compute device: OpenCL behind one header, or the null device.
 *
 * Lifetime: programs and buffers belong to the device that made them and are destroyed before it.
 *
 * Threads: one thread at a time for a device and what belongs to it; several are independent.
 *
 * Order: commands run in the order they were given. ty_device_run() only queues, unless it is asked
 * for the time; ty_device_read() waits for everything before it. A run allocates nothing after the
 * first of its kernel.
 *
 * Failures: TY_ERR_DEVICE with what OpenCL said, TY_ERR_RANGE for sizes, TY_ERR_INPUT for a source
 * that includes what is not there, TY_ERR_MEMORY for memory of the host or the device.
 *
 * Limits, cost: src/device/README.md
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_DEVICE_H
#define TYCHO_DEVICE_H
#include "tycho/base.h"
TY_BEGIN_DECLS

typedef struct ty_device ty_device;
typedef struct ty_device_program ty_device_program;
typedef struct ty_device_buffer ty_device_buffer;

typedef enum ty_device_backend {
    TY_DEVICE_OPENCL,
    TY_DEVICE_NULL /* can be created anywhere; every call on it answers TY_ERR_DEVICE */
} ty_device_backend;

typedef struct ty_device_info {
    char name[128], platform[128], version[128];
    bool gpu;
    bool fp64;           /* TY_DOUBLE programs can be built */
    bool fp32_rounded;   /* float division and square root are correctly rounded; programs are built
                            so */
    int units;           /* compute units */
    uint64_t memory;     /* [byte] of the device; of one that was opened: those that may be used */
    uint64_t max_buffer; /* [byte] of one buffer */
} ty_device_info;

/* How many devices there are (0 where there is no OpenCL); describes at most `capacity` of them.
 * The place in the list is the index that ty_device_def takes. */
TY_API int ty_device_list(ty_device_info *out, int capacity);

typedef struct ty_device_def {
    ty_device_backend backend;
    int index;             /* in ty_device_list(); -1: any, a GPU before a CPU */
    const char *name;      /* part of "platform: name", upper and lower case alike; NULL: any */
    uint64_t memory;       /* [byte] that all its buffers may take together; 0: what it has */
    const ty_alloc *alloc; /* NULL: heap */
    uint32_t cookie;
} ty_device_def;

TY_API ty_device_def ty_device_def_default(void); /* OpenCL, any device */
/* On success the caller owns *out. TY_ERR_DEVICE where nothing fits names what there is. */
TY_API ty_status ty_device_create(const ty_device_def *def, ty_device **out, ty_diag *diag);
TY_API void ty_device_destroy(ty_device *device); /* NULL is allowed */
TY_API const ty_device_info *ty_device_get_info(const ty_device *device);

typedef enum ty_device_precision {
    TY_DOUBLE, /* ty_real is double; the device must have fp64 */
    TY_FLOAT   /* ty_real is float: TY_KERNEL_FLOAT is defined */
} ty_device_precision;

/* Builds OpenCL C 1.2 source. `#include "NAME"` takes NAME from the files of kernels/, which are
 * part of the library; each is taken once. options (NULL: none) are appended: "-DBANDS=3". A source
 * that does not compile gets a sentence with the compiler's first complaint. */
TY_API ty_status ty_device_build(ty_device *device, const char *source, ty_device_precision precision,
                                 const char *options, ty_device_program **out, ty_diag *diag);
TY_API void ty_device_program_destroy(ty_device_program *program); /* NULL is allowed */

/* A buffer of `bytes` > 0, filled from data, or undefined when data is NULL. */
TY_API ty_status ty_device_buffer_create(ty_device *device, size_t bytes, const void *data, ty_device_buffer **out,
                                         ty_diag *diag);
TY_API void ty_device_buffer_destroy(ty_device_buffer *buffer); /* NULL is allowed */
TY_API size_t ty_device_buffer_bytes(const ty_device_buffer *buffer);
/* Copies; data may be used again at once. TY_ERR_RANGE when at + bytes is past the end. */
TY_API ty_status ty_device_write(ty_device_buffer *buffer, size_t at, size_t bytes, const void *data, ty_diag *diag);
TY_API ty_status ty_device_read(ty_device_buffer *buffer, size_t at, size_t bytes, void *data, ty_diag *diag);

/* One argument of a kernel: a buffer, a value (copied), or local memory. */
typedef struct ty_device_arg {
    ty_device_buffer *buffer;
    const void *value; /* NULL with no buffer: local memory */
    size_t bytes;      /* [byte] of the value or of the local memory */
} ty_device_arg;
static inline ty_device_arg ty_device_arg_buffer(ty_device_buffer *buffer)
{
    ty_device_arg arg = { buffer, NULL, 0 };
    return arg;
}
static inline ty_device_arg ty_device_arg_value(const void *value, size_t bytes)
{
    ty_device_arg arg = { NULL, value, bytes };
    return arg;
}
static inline ty_device_arg ty_device_arg_local(size_t bytes)
{
    ty_device_arg arg = { NULL, NULL, bytes };
    return arg;
}

typedef struct ty_device_job {
    const char *kernel;        /* its name in the program */
    size_t global[2];          /* work items; global[1] = 0: one dimension */
    size_t local[2];           /* of one group, a divisor of global; local[0] = 0: the device chooses */
    const ty_device_arg *args; /* all of the kernel's arguments, in order */
    int arg_count;
} ty_device_job;

/* Queues the kernel. With seconds, waits until it is done and says how long it ran on the device [s]. */
TY_API ty_status ty_device_run(ty_device_program *program, const ty_device_job *job, double *seconds, ty_diag *diag);
/* Waits until everything queued is done, and reports what failed meanwhile. */
TY_API ty_status ty_device_finish(ty_device *device, ty_diag *diag);

TY_END_DECLS
#endif
