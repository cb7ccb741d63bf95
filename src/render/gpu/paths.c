/* src/render/gpu/paths.c - light on a device: kernels of kernels/render.cl for the lens, for each surface and the stretches from it, for the dust
 * on these, and for the sums, over as many pixels at once as their lists have room for.
 * SPDX-License-Identifier: BSD-3-Clause */
#define TY_KERNEL_FLOAT
#include "store.h"

/* samples of one launch, at most, and no more than a 16th of the memory has room for: CPUs keep theirs in their caches; and batches of a pixel */
enum { AT_ONCE = 1 << 24, AT_ONCE_CPU = 1 << 16, BATCHES = 256 };

typedef struct launch {
    tyi_render_gpu *g;
    const ty_k_frame *k;
    int32_t first, batches, from; /* group of pixels; batches of samples that stand together; the first of these */
    uint32_t room;
} launch;

/* numbers of a path, and of a sample: kernels/render.cl */
enum { PATH_BYTES = 19 * sizeof(uint32_t) };
static size_t sample_bytes(const ty_k_frame *k)
{
    return (2 * (size_t)k->bands + 3) * sizeof(float);
}

static ty_status start(const launch *l, const char *kernel, size_t items, int n, ty_device_arg *args, ty_diag *diag)
{
    ty_device_job job = {
        .kernel = kernel, .global = { items }, .local = { TYI_GPU_FILM_GROUP }, .args = args, .arg_count = n
    };
    return ty_device_run(l->g->film, &job, NULL, diag);
}

/* what all kernels are told behind the frame */
static int common(const launch *l, ty_device_arg *args, int n)
{
    args[n++] = ty_device_arg_value(&l->first, sizeof l->first);
    args[n++] = ty_device_arg_value(&l->batches, sizeof l->batches);
    args[n++] = ty_device_arg_value(&l->from, sizeof l->from);
    args[n++] = ty_device_arg_value(&l->room, sizeof l->room);
    return n;
}

/* a kernel of the samples that are at a surface, or of the dust before it */
static ty_status at_surface(const launch *l, const char *kernel, size_t items, int32_t surface, ty_diag *diag)
{
    ty_device_buffer **b = l->g->buffer;
    ty_device_arg args[TYI_GPU_SCENE_BUFFERS + 9];
    int n = common(l, args, tyi_render_gpu_args(l->g, l->k, args));
    args[n++] = ty_device_arg_value(&surface, sizeof surface);
    args[n++] = ty_device_arg_buffer(b[TYI_GPU_PATHS]);
    args[n++] = ty_device_arg_buffer(b[TYI_GPU_SAMPLE]);
    args[n++] = ty_device_arg_buffer(b[TYI_GPU_COUNTS]);
    return start(l, kernel, items, n, args, diag);
}

/* one launch over so many groups of pixels */
static ty_status draw(const launch *l, size_t groups, ty_diag *diag)
{
    ty_device_buffer **b = l->g->buffer;
    ty_device_arg args[TYI_GPU_SCENE_BUFFERS + 8];
    size_t items = groups * (size_t)l->batches * TYI_GPU_FILM_GROUP;
    int n = common(l, args, tyi_render_gpu_args(l->g, l->k, args));
    args[n++] = ty_device_arg_buffer(b[TYI_GPU_PATHS]);
    args[n++] = ty_device_arg_buffer(b[TYI_GPU_SAMPLE]);
    args[n++] = ty_device_arg_buffer(b[TYI_GPU_COUNTS]);
    ty_status status = start(l, "film_rays", items, n, args, diag);
    for (int32_t surface = 0; surface < l->k->depth && status == TY_OK; surface++) {
        if (l->g->dusty) {
            status = at_surface(l, "film_haze", items, surface, diag);
        }
        if (status == TY_OK && surface > 0) {
            const int32_t before = surface - 1;
            ty_device_arg of_list[] = { ty_device_arg_value(&l->room, sizeof l->room),
                                        ty_device_arg_value(&before, sizeof before),
                                        ty_device_arg_buffer(b[TYI_GPU_PATHS]),
                                        ty_device_arg_buffer(b[TYI_GPU_COUNTS]) };
            status = start(l, "film_list", items, 4, of_list, diag);
        }
        status = status == TY_OK ? at_surface(l, "film_surface", items, surface, diag) : status;
        if (status == TY_OK && surface + 1 < l->k->depth) {
            n = tyi_render_gpu_args(l->g, l->k, args);
            args[n++] = ty_device_arg_value(&l->room, sizeof l->room);
            args[n++] = ty_device_arg_value(&surface, sizeof surface);
            args[n++] = ty_device_arg_buffer(b[TYI_GPU_PATHS]);
            args[n++] = ty_device_arg_buffer(b[TYI_GPU_COUNTS]);
            status = start(l, "film_stretch", items, n, args, diag);
        }
    }
    n = 0;
    args[n++] = ty_device_arg_value(l->k, sizeof *l->k);
    n = common(l, args, n);
    args[n++] = ty_device_arg_buffer(b[TYI_GPU_SAMPLE]);
    args[n++] = ty_device_arg_buffer(b[TYI_GPU_RADIANCE]);
    args[n++] = ty_device_arg_buffer(b[TYI_GPU_SUNLIT]);
    args[n++] = ty_device_arg_buffer(b[TYI_GPU_RAYS]);
    return status == TY_OK ? start(l, "film_sum", groups * TYI_GPU_FILM_GROUP, n, args, diag) : status;
}

ty_status tyi_render_gpu_paths(tyi_render_gpu *g, const ty_k_frame *k, size_t groups, ty_diag *diag)
{
    launch l = { .g = g, .k = k, .batches = (k->samples + g->together - 1) / g->together };
    l.batches = l.batches < BATCHES ? l.batches : BATCHES;
    size_t each = (size_t)l.batches * TYI_GPU_FILM_GROUP, bytes = PATH_BYTES + sample_bytes(k);
    const ty_device_info *info = ty_device_get_info(g->device);
    uint64_t most = info->memory / (16 * bytes), buffer = info->max_buffer / PATH_BYTES,
             at_most = info->gpu ? AT_ONCE : AT_ONCE_CPU;
    most = most < buffer ? most : buffer;
    most = most < at_most ? most : at_most;
    size_t at_once = (size_t)most / each < groups ? (size_t)most / each : groups;
    at_once = at_once ? at_once : 1;
    l.room = (uint32_t)(at_once * each);
    bool lost = false;
    ty_status status = tyi_render_gpu_room(g, TYI_GPU_PATHS, l.room * (size_t)PATH_BYTES, &lost, diag);
    status = status == TY_OK ? tyi_render_gpu_room(g, TYI_GPU_SAMPLE, l.room * sample_bytes(k), &lost, diag) : status;
    status = status == TY_OK ? tyi_render_gpu_room(g, TYI_GPU_COUNTS, (size_t)k->depth * sizeof(uint32_t), &lost, diag)
                             : status;
    for (size_t first = 0; first < groups && status == TY_OK; first += at_once) {
        l.first = (int32_t)first;
        for (l.from = 0; l.from < k->samples && status == TY_OK; l.from += l.batches * g->together) {
            status = draw(&l, groups - first < at_once ? groups - first : at_once, diag);
        }
    }
    return status;
}
