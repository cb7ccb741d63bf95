/* src/device/opencl.c - the OpenCL 1.2 back end; the only file that sees its header.
 * Empty where OpenCL was not found at build time.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "device.h"
#ifdef TYCHO_OPENCL
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define MAX_PLATFORMS 16
#define MAX_DEVICES   64 /* of all platforms together */
#define MAX_KERNELS   64 /* that one program keeps */

/* A program as the driver built it. All that ask for the same text with the same options have the same one, each with kernels of its own: a
 * hundred environments for learning compile once. Freed with its last user. */
typedef struct cl_common {
    struct cl_common *next;
    char *text, *options;
    size_t text_bytes, options_bytes; /* with the final 0 */
    cl_program program;
    long users;
} cl_common;

/* A device of the machine while it is open: one context, however many times it was opened. */
typedef struct cl_place {
    struct cl_place *next;
    cl_device_id device;
    cl_context context;
    cl_common *program;
    long users;
} cl_place;

static cl_place *places;
static pthread_mutex_t sharing = PTHREAD_MUTEX_INITIALIZER; /* of all of these */

typedef struct cl_state {
    cl_place *place;
    cl_context context;
    cl_command_queue queue[TYI_DEVICE_LANES]; /* NULL: not used so far */
    cl_device_id device;
} cl_state;

typedef struct cl_built {
    cl_common *common;
    cl_program program;
    int kernels;
    struct {
        char name[64];
        cl_kernel kernel;
    } kernel[MAX_KERNELS]; /* made at first use, so that later runs allocate nothing */
} cl_built;

static const char *error_name(cl_int code)
{
    static const struct {
        cl_int code;
        const char *name;
    } names[] = {
        { CL_DEVICE_NOT_FOUND, "CL_DEVICE_NOT_FOUND" },
        { CL_DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE" },
        { CL_COMPILER_NOT_AVAILABLE, "CL_COMPILER_NOT_AVAILABLE" },
        { CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE" },
        { CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES" },
        { CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY" },
        { CL_BUILD_PROGRAM_FAILURE, "CL_BUILD_PROGRAM_FAILURE" },
        { CL_INVALID_VALUE, "CL_INVALID_VALUE" },
        { CL_INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE" },
        { CL_INVALID_BUILD_OPTIONS, "CL_INVALID_BUILD_OPTIONS" },
        { CL_INVALID_KERNEL_NAME, "CL_INVALID_KERNEL_NAME" },
        { CL_INVALID_ARG_INDEX, "CL_INVALID_ARG_INDEX" },
        { CL_INVALID_ARG_VALUE, "CL_INVALID_ARG_VALUE" },
        { CL_INVALID_ARG_SIZE, "CL_INVALID_ARG_SIZE" },
        { CL_INVALID_KERNEL_ARGS, "CL_INVALID_KERNEL_ARGS" },
        { CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE" },
        { CL_INVALID_WORK_ITEM_SIZE, "CL_INVALID_WORK_ITEM_SIZE" },
        { CL_INVALID_GLOBAL_WORK_SIZE, "CL_INVALID_GLOBAL_WORK_SIZE" },
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (names[i].code == code) {
            return names[i].name;
        }
    }
    return "an OpenCL error";
}

static ty_status fail(const ty_device *device, ty_diag *diag, const char *what, cl_int code)
{
    return ty_fail(diag, code == CL_MEM_OBJECT_ALLOCATION_FAILURE ? TY_ERR_MEMORY : TY_ERR_DEVICE,
                   "device: %s cannot %s: %s (%d)", device->info.name, what, error_name(code), (int)code);
}

/* All devices of all platforms, in the order of the list; returns their number. */
static int find_devices(cl_platform_id *platform, cl_device_id *device)
{
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_uint platform_count = 0;
    if (clGetPlatformIDs(MAX_PLATFORMS, platforms, &platform_count) != CL_SUCCESS) {
        return 0;
    }
    int count = 0;
    for (cl_uint p = 0; p < platform_count && p < MAX_PLATFORMS; p++) {
        cl_uint n = 0;
        cl_uint room = (cl_uint)(MAX_DEVICES - count);
        if (room == 0 || clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, room, device + count, &n) != CL_SUCCESS) {
            continue;
        }
        n = n < room ? n : room;
        for (cl_uint i = 0; i < n; i++) {
            platform[count++] = platforms[p];
        }
    }
    return count;
}

static ty_device_info describe(cl_platform_id platform, cl_device_id device)
{
    ty_device_info info = { 0 }; /* what a query cannot tell stays zero */
    char text[1024] = "";        /* OpenCL gives a string whole or not at all */
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof text, text, NULL);
    snprintf(info.platform, sizeof info.platform, "%.*s", (int)sizeof info.platform - 1, text);
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof text, text, NULL);
    snprintf(info.name, sizeof info.name, "%.*s", (int)sizeof info.name - 1, text);
    clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof text, text, NULL);
    snprintf(info.version, sizeof info.version, "%.*s", (int)sizeof info.version - 1, text);
    cl_device_type type = 0;
    clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    cl_device_fp_config fp64 = 0, fp32 = 0;
    clGetDeviceInfo(device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof fp64, &fp64, NULL);
    clGetDeviceInfo(device, CL_DEVICE_SINGLE_FP_CONFIG, sizeof fp32, &fp32, NULL);
    cl_uint units = 0;
    clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    cl_ulong memory = 0, most = 0;
    clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
    clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL);
    info.gpu = (type & CL_DEVICE_TYPE_GPU) != 0;
    info.fp64 = fp64 != 0;
    info.fp32_rounded = (fp32 & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
    info.units = (int)units;
    info.memory = memory;
    info.max_buffer = most;
    return info;
}

static int opencl_list(ty_device_info *out, int capacity)
{
    cl_platform_id platform[MAX_DEVICES];
    cl_device_id device[MAX_DEVICES];
    int count = find_devices(platform, device);
    for (int i = 0; i < count && i < capacity; i++) {
        out[i] = describe(platform[i], device[i]);
    }
    return count;
}

static bool has_part(const char *text, const char *part)
{
    size_t n = strlen(part);
    for (; *text; text++) {
        if (!strncasecmp(text, part, n)) {
            return true;
        }
    }
    return n == 0;
}

/* The index of the device the definition asks for; -1 when there is none. */
static int pick(const ty_device_def *def, const cl_platform_id *platform, const cl_device_id *device, int count)
{
    int chosen = -1;
    bool chosen_gpu = false;
    for (int i = 0; i < count; i++) {
        ty_device_info info = describe(platform[i], device[i]);
        char full[300];
        snprintf(full, sizeof full, "%s: %s", info.platform, info.name);
        bool fits = (def->index < 0 || def->index == i) && (!def->name || has_part(full, def->name));
        if (fits && (chosen < 0 || (info.gpu && !chosen_gpu))) {
            chosen = i;
            chosen_gpu = info.gpu;
        }
    }
    return chosen;
}

static ty_status none_fits(const ty_device_def *def, const cl_platform_id *platform, const cl_device_id *device,
                           int count, ty_diag *diag)
{
    if (count == 0) {
        return ty_fail(diag, TY_ERR_DEVICE,
                       "device: there is no OpenCL device; install the OpenCL driver of your "
                       "GPU, or pocl-opencl-icd for the CPU");
    }
    char names[512] = "";
    size_t used = 0;
    for (int i = 0; i < count && used < sizeof names; i++) {
        ty_device_info info = describe(platform[i], device[i]);
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%d %s: %s", i ? ", " : "", i, info.platform,
                                 info.name);
    }
    char index[32] = "any index";
    if (def->index >= 0) {
        snprintf(index, sizeof index, "index %d", def->index);
    }
    return ty_fail(diag, TY_ERR_DEVICE, "device: none has %s and '%.100s' in its name; there is %s", index,
                   def->name ? def->name : "", names);
}

/* ---- what is shared; `sharing` is held ---- */

static cl_place *take_place(cl_platform_id platform, cl_device_id device, cl_int *code)
{
    cl_place *p = places;
    while (p && p->device != device) {
        p = p->next;
    }
    *code = CL_SUCCESS;
    if (!p) {
        cl_context_properties properties[] = { CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0 };
        p = tyi_get(NULL, sizeof *p);
        if (!p) {
            *code = CL_OUT_OF_HOST_MEMORY;
            return NULL;
        }
        *p = (cl_place){ .next = places, .device = device };
        p->context = clCreateContext(properties, 1, &p->device, NULL, NULL, code);
        if (*code != CL_SUCCESS) {
            tyi_put(NULL, p, sizeof *p);
            return NULL;
        }
        places = p;
    }
    p->users++;
    return p;
}

static void leave_place(cl_place *p)
{
    if (--p->users > 0) {
        return;
    }
    cl_place **at = &places;
    while (*at != p) {
        at = &(*at)->next;
    }
    *at = p->next;
    clReleaseContext(p->context);
    tyi_put(NULL, p, sizeof *p);
}

static void drop_common(cl_common *c)
{
    tyi_put(NULL, c->text, c->text_bytes);
    tyi_put(NULL, c->options, c->options_bytes);
    tyi_put(NULL, c, sizeof *c);
}

static cl_common *find_common(const cl_place *place, const char *text, const char *options)
{
    cl_common *c = place->program;
    while (c && (strcmp(c->options, options) != 0 || strcmp(c->text, text) != 0)) {
        c = c->next;
    }
    return c;
}

static void leave_common(cl_place *place, cl_common *c)
{
    if (--c->users > 0) {
        return;
    }
    cl_common **at = &place->program;
    while (*at != c) {
        at = &(*at)->next;
    }
    *at = c->next;
    clReleaseProgram(c->program);
    drop_common(c);
}

static ty_status opencl_open(ty_device *device, const ty_device_def *def, ty_diag *diag)
{
    cl_platform_id platform[MAX_DEVICES];
    cl_device_id id[MAX_DEVICES];
    int count = find_devices(platform, id);
    int chosen = pick(def, platform, id, count);
    if (chosen < 0) {
        return none_fits(def, platform, id, count, diag);
    }
    device->info = describe(platform[chosen], id[chosen]);
    cl_state *state = tyi_get(device->alloc, sizeof *state);
    if (!state) {
        return ty_fail(diag, TY_ERR_MEMORY, "device: no memory for a device");
    }
    cl_int code;
    state->device = id[chosen];
    pthread_mutex_lock(&sharing);
    state->place = take_place(platform[chosen], id[chosen], &code);
    if (state->place) {
        state->context = state->place->context;
        state->queue[0] = clCreateCommandQueue(state->context, state->device, CL_QUEUE_PROFILING_ENABLE, &code);
        if (code != CL_SUCCESS) {
            leave_place(state->place);
        }
    }
    pthread_mutex_unlock(&sharing);
    if (code != CL_SUCCESS) {
        tyi_put(device->alloc, state, sizeof *state);
        return fail(device, diag, "be opened", code);
    }
    device->handle = state;
    return TY_OK;
}

static ty_status opencl_lane(ty_device *device, int lane, ty_diag *diag)
{
    cl_state *state = device->handle;
    cl_int code = CL_SUCCESS;
    if (!state->queue[lane]) {
        state->queue[lane] = clCreateCommandQueue(state->context, state->device, CL_QUEUE_PROFILING_ENABLE, &code);
    }
    return code == CL_SUCCESS ? TY_OK : fail(device, diag, "make a queue", code);
}

static void opencl_close(ty_device *device)
{
    cl_state *state = device->handle;
    for (int k = 0; k < TYI_DEVICE_LANES; k++) {
        if (state->queue[k]) {
            clFinish(state->queue[k]);
            clReleaseCommandQueue(state->queue[k]);
        }
    }
    pthread_mutex_lock(&sharing);
    leave_place(state->place);
    pthread_mutex_unlock(&sharing);
    tyi_put(device->alloc, state, sizeof *state);
}

/* The compiler's log from its first error on, as one line. */
static void first_complaint(const ty_device *device, cl_program program, char *text, size_t size)
{
    const cl_state *state = device->handle;
    size_t bytes = 0;
    text[0] = '\0';
    clGetProgramBuildInfo(program, state->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes);
    char *log = tyi_get(device->alloc, bytes + 1);
    if (!log) {
        return;
    }
    clGetProgramBuildInfo(program, state->device, CL_PROGRAM_BUILD_LOG, bytes, log, NULL);
    const char *start = strstr(log, "error:");
    while (start && start > log && start[-1] != '\n') {
        start--;
    }
    snprintf(text, size, "%s", start ? start : log);
    for (char *c = text; *c; c++) {
        *c = *c == '\n' || *c == '\t' || *c == '\r' ? ' ' : *c;
    }
    tyi_put(device->alloc, log, bytes + 1);
}

static ty_status compile(ty_device *device, const char *text, const char *options, cl_program *out, ty_diag *diag)
{
    cl_state *state = device->handle;
    cl_int code;
    *out = clCreateProgramWithSource(state->context, 1, &text, NULL, &code);
    if (code != CL_SUCCESS) {
        return fail(device, diag, "take a program", code);
    }
    code = clBuildProgram(*out, 1, &state->device, options, NULL, NULL);
    if (code == CL_SUCCESS) {
        return TY_OK;
    }
    char complaint[700];
    first_complaint(device, *out, complaint, sizeof complaint);
    clReleaseProgram(*out);
    return ty_fail(diag, TY_ERR_DEVICE, "device: %s cannot build the program: %s (%d): %s", device->info.name,
                   error_name(code), (int)code, complaint);
}

/* the program of a text: somebody's, or compiled now, while others wait; `sharing` is held */
static ty_status take_common(ty_device *device, const char *text, const char *options, cl_common **out, ty_diag *diag)
{
    cl_place *place = ((cl_state *)device->handle)->place;
    cl_common *c = find_common(place, text, options);
    if (!c) {
        size_t n = strlen(text) + 1, m = strlen(options) + 1;
        c = tyi_get(NULL, sizeof *c);
        if (!c) {
            return ty_fail(diag, TY_ERR_MEMORY, "device: no memory for a program");
        }
        *c = (cl_common){ .text = tyi_get(NULL, n), .options = tyi_get(NULL, m), .text_bytes = n, .options_bytes = m };
        ty_status status = c->text && c->options ? compile(device, text, options, &c->program, diag)
                                                 : ty_fail(diag, TY_ERR_MEMORY, "device: no memory for a program");
        if (status != TY_OK) {
            drop_common(c);
            return status;
        }
        memcpy(c->text, text, n);
        memcpy(c->options, options, m);
        c->next = place->program;
        place->program = c;
    }
    c->users++;
    *out = c;
    return TY_OK;
}

static ty_status opencl_build(ty_device_program *program, const char *text, const char *options, ty_diag *diag)
{
    ty_device *device = program->device;
    cl_built *built = tyi_get(device->alloc, sizeof *built);
    if (!built) {
        return ty_fail(diag, TY_ERR_MEMORY, "device: no memory for a program");
    }
    pthread_mutex_lock(&sharing);
    ty_status status = take_common(device, text, options, &built->common, diag);
    pthread_mutex_unlock(&sharing);
    if (status != TY_OK) {
        tyi_put(device->alloc, built, sizeof *built);
        return status;
    }
    built->program = built->common->program;
    program->handle = built;
    return TY_OK;
}

static void opencl_unbuild(ty_device_program *program)
{
    cl_built *built = program->handle;
    for (int i = 0; i < built->kernels; i++) {
        clReleaseKernel(built->kernel[i].kernel);
    }
    pthread_mutex_lock(&sharing);
    leave_common(((cl_state *)program->device->handle)->place, built->common);
    pthread_mutex_unlock(&sharing);
    tyi_put(program->device->alloc, built, sizeof *built);
}

static ty_status opencl_reserve(ty_device_buffer *buffer, const void *data, ty_diag *diag)
{
    cl_state *state = buffer->device->handle;
    cl_int code;
    cl_mem memory = clCreateBuffer(state->context, CL_MEM_READ_WRITE, buffer->bytes, NULL, &code);
    if (code != CL_SUCCESS) {
        char what[64];
        snprintf(what, sizeof what, "make a buffer of %zu bytes", buffer->bytes);
        return fail(buffer->device, diag, what, code);
    }
    if (data) {
        code = clEnqueueWriteBuffer(state->queue[buffer->lane], memory, CL_TRUE, 0, buffer->bytes, data, 0, NULL, NULL);
        if (code != CL_SUCCESS) {
            clReleaseMemObject(memory);
            return fail(buffer->device, diag, "fill a buffer", code);
        }
    }
    buffer->handle = memory;
    return TY_OK;
}

static void opencl_release(ty_device_buffer *buffer)
{
    clReleaseMemObject(buffer->handle);
}

static ty_status opencl_write(ty_device_buffer *buffer, size_t at, size_t bytes, const void *data, bool wait,
                              ty_diag *diag)
{
    cl_state *state = buffer->device->handle;
    cl_int code = clEnqueueWriteBuffer(state->queue[buffer->lane], buffer->handle, wait ? CL_TRUE : CL_FALSE, at, bytes,
                                       data, 0, NULL, NULL);
    return code == CL_SUCCESS ? TY_OK : fail(buffer->device, diag, "write a buffer", code);
}

static ty_status opencl_read(ty_device_buffer *buffer, size_t at, size_t bytes, void *data, ty_diag *diag)
{
    cl_state *state = buffer->device->handle;
    cl_int code =
        clEnqueueReadBuffer(state->queue[buffer->lane], buffer->handle, CL_TRUE, at, bytes, data, 0, NULL, NULL);
    return code == CL_SUCCESS ? TY_OK : fail(buffer->device, diag, "read a buffer", code);
}

static ty_status find_kernel(ty_device_program *program, const char *name, cl_kernel *out, ty_diag *diag)
{
    cl_built *built = program->handle;
    for (int i = 0; i < built->kernels; i++) {
        if (!strcmp(built->kernel[i].name, name)) {
            *out = built->kernel[i].kernel;
            return TY_OK;
        }
    }
    if (built->kernels == MAX_KERNELS || strlen(name) >= sizeof built->kernel[0].name) {
        return ty_fail(diag, TY_ERR_RANGE,
                       "device: kernel '%.80s': a program keeps at most %d kernels, with names "
                       "of at most 63 characters",
                       name, MAX_KERNELS);
    }
    cl_int code;
    cl_kernel kernel = clCreateKernel(built->program, name, &code);
    if (code != CL_SUCCESS) {
        char what[128];
        snprintf(what, sizeof what, "find kernel '%s' in the program", name);
        return fail(program->device, diag, what, code);
    }
    snprintf(built->kernel[built->kernels].name, sizeof built->kernel[0].name, "%s", name);
    built->kernel[built->kernels++].kernel = kernel;
    *out = kernel;
    return TY_OK;
}

static ty_status set_args(ty_device *device, cl_kernel kernel, const ty_device_job *job, ty_diag *diag)
{
    cl_uint takes = 0;
    clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof takes, &takes, NULL);
    if ((int)takes != job->arg_count) {
        return ty_fail(diag, TY_ERR_RANGE, "device: kernel %s takes %u arguments, not %d", job->kernel, takes,
                       job->arg_count);
    }
    for (int i = 0; i < job->arg_count; i++) {
        const ty_device_arg *arg = &job->args[i];
        cl_int code = arg->buffer ? clSetKernelArg(kernel, (cl_uint)i, sizeof(cl_mem), &arg->buffer->handle)
                                  : clSetKernelArg(kernel, (cl_uint)i, arg->bytes, arg->value);
        if (code != CL_SUCCESS) {
            char what[128];
            snprintf(what, sizeof what, "set argument %d of kernel %.63s", i, job->kernel);
            return fail(device, diag, what, code);
        }
    }
    return TY_OK;
}

static ty_status wait_timed(const ty_device *device, cl_event event, double *seconds, ty_diag *diag)
{
    cl_int code = clWaitForEvents(1, &event);
    cl_ulong start = 0, end = 0; /* [ns] */
    if (code == CL_SUCCESS) {
        code = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
    }
    if (code == CL_SUCCESS) {
        code = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
    }
    clReleaseEvent(event);
    *seconds = 1e-9 * (double)(end - start);
    return code == CL_SUCCESS ? TY_OK : fail(device, diag, "finish a kernel", code);
}

static ty_status opencl_run(ty_device_program *program, const ty_device_job *job, double *seconds, ty_diag *diag)
{
    ty_device *device = program->device;
    cl_state *state = device->handle;
    cl_kernel kernel = NULL;
    ty_status status = find_kernel(program, job->kernel, &kernel, diag);
    if (status == TY_OK) {
        status = set_args(device, kernel, job, diag);
    }
    if (status != TY_OK) {
        return status;
    }
    cl_uint dimensions = job->global[1] ? 2 : 1;
    const size_t local[2] = { job->local[0], job->local[1] ? job->local[1] : 1 };
    cl_event event;
    cl_int code = clEnqueueNDRangeKernel(state->queue[program->lane], kernel, dimensions, NULL, job->global,
                                         local[0] ? local : NULL, 0, NULL, seconds ? &event : NULL);
    if (code != CL_SUCCESS) {
        char what[128];
        snprintf(what, sizeof what, "run kernel %.63s", job->kernel);
        return fail(device, diag, what, code);
    }
    return seconds ? wait_timed(device, event, seconds, diag) : TY_OK;
}

static ty_status opencl_finish(ty_device *device, ty_diag *diag)
{
    cl_state *state = device->handle;
    cl_int code = CL_SUCCESS;
    for (int k = 0; k < TYI_DEVICE_LANES && code == CL_SUCCESS; k++) {
        code = state->queue[k] ? clFinish(state->queue[k]) : CL_SUCCESS;
    }
    return code == CL_SUCCESS ? TY_OK : fail(device, diag, "finish its work", code);
}

/* OpenCL's way to it: a buffer of the host's memory that stays mapped */
static ty_status opencl_pin(tyi_device_pinned *memory, ty_diag *diag)
{
    cl_state *state = memory->device->handle;
    cl_int code;
    cl_mem buffer =
        clCreateBuffer(state->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, memory->bytes, NULL, &code);
    if (code == CL_SUCCESS) {
        memory->data = clEnqueueMapBuffer(state->queue[0], buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                          memory->bytes, 0, NULL, NULL, &code);
        if (code != CL_SUCCESS) {
            clReleaseMemObject(buffer);
        }
    }
    if (code != CL_SUCCESS) {
        char what[80];
        snprintf(what, sizeof what, "give %zu bytes of the host's memory", memory->bytes);
        return fail(memory->device, diag, what, code);
    }
    memory->handle = buffer;
    return TY_OK;
}

static void opencl_unpin(tyi_device_pinned *memory)
{
    cl_state *state = memory->device->handle;
    opencl_finish(memory->device, NULL); /* what was sent from there, by any queue */
    clEnqueueUnmapMemObject(state->queue[0], memory->handle, memory->data, 0, NULL, NULL);
    clFinish(state->queue[0]);
    clReleaseMemObject(memory->handle);
}

const tyi_device_backend tyi_device_backend_opencl = {
    .list = opencl_list,
    .open = opencl_open,
    .close = opencl_close,
    .lane = opencl_lane,
    .build = opencl_build,
    .unbuild = opencl_unbuild,
    .reserve = opencl_reserve,
    .release = opencl_release,
    .write = opencl_write,
    .read = opencl_read,
    .run = opencl_run,
    .finish = opencl_finish,
    .pin = opencl_pin,
    .unpin = opencl_unpin,
};
#endif
