/* src/render/gpu/gpu.c - a scene on a device, kept up to date by versions: sections of the flat scene whose version is another one
 * are written anew, heights tile by tile. Without a device the same kernels run as C over arrays in memory: where there is no
 * Embree, and to be held against both.
 * SPDX-License-Identifier: BSD-3-Clause */
#define TY_KERNEL_FLOAT
#include "store.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

ty_status tyi_render_gpu_create(ty_device *device, const ty_alloc *alloc, tyi_render_gpu **out, ty_diag *diag)
{
    tyi_render_gpu *g = tyi_get(alloc, sizeof *g);
    if (!g) {
        return ty_fail(diag, TY_ERR_MEMORY, "render: no memory for a device");
    }
    memset(g, 0, sizeof *g);
    g->alloc = alloc, g->device = device;
    *out = g;
    return TY_OK;
}

/* nothing is on the device */
static void forget(tyi_render_gpu *g)
{
    for (int k = 0; k < TYI_GPU_BUFFERS; k++) {
        ty_device_buffer_destroy(g->buffer[k]);
        g->buffer[k] = NULL;
        tyi_render_gpu_drop(g, &g->array[k]);
    }
    tyi_render_gpu_drop(g, &g->slot);
    tyi_render_gpu_drop(g, &g->place);
    memset(g->known, 0, sizeof g->known);
    g->slots = 0, g->curves = 0, g->rocks_known = false;
    g->cloud_version = 0;
}

bool tyi_render_gpu_fit(tyi_render_gpu *g, ty_scene *s)
{
    tyi_render_ground *ground = &s->ground;
    const size_t all = SIZE_MAX / 2;
    s->coarser[0] = '\0';
    s->stats.coarser = NULL;
    if (!g || !g->device) {
        return tyi_render_rings_fit(ground, (double)INFINITY, 0, 0, all) > 0;
    }
    const ty_device_info *info = ty_device_get_info(g->device);
    bool toned = tyi_render_ground_toned(s);
    size_t heights = TY_K_SCENE_SAMPLES * sizeof(float),
           tile = heights + TY_K_TILE_BOUNDS * sizeof(float) + (toned ? TY_K_SCENE_TONES * sizeof(float) : 0) + 8;
    double share = info->memory > 0 ? 0.75 * (double)info->memory * ldexp(1.0, -g->squeezed) : (double)INFINITY;
    size_t most = info->max_buffer > 0 ? info->max_buffer / heights >> g->squeezed : all;
    size_t tiles = tyi_render_rings_fit(ground, share, tile, TY_K_CURVE * sizeof(float), most);
    double places = share / (double)tile;
    g->most = places < (double)most ? (size_t)places : most;
    if (ground->coarser > 0.0) {
        snprintf(s->coarser, sizeof s->coarser,
                 "ground farther than %.3g m is coarser than asked for: of the device's %.4g MiB, at most %.4g in one "
                 "buffer, its tiles get %.4g%s",
                 ground->coarser, (double)info->memory / 1048576.0,
                 (double)(info->max_buffer < info->memory ? info->max_buffer : info->memory) / 1048576.0,
                 (double)(tiles * tile) / 1048576.0, g->squeezed ? ", as it had no more" : "");
        s->stats.coarser = s->coarser;
    }
    return tiles > 0;
}

bool tyi_render_gpu_squeeze(ty_scene *s)
{
    if (!s->gpu || !s->gpu->device) {
        return false;
    }
    forget(s->gpu);
    s->gpu->squeezed++;
    return s->gpu->squeezed < 16 && tyi_render_gpu_fit(s->gpu, s);
}

static void drop_programs(tyi_render_gpu *g)
{
    ty_device_program **all = &g->built[0][0][0];
    for (size_t k = 0; k < sizeof g->built / sizeof *all; k++) {
        ty_device_program_destroy(all[k]);
        all[k] = NULL;
    }
}

void tyi_render_gpu_destroy(tyi_render_gpu *g)
{
    if (!g) {
        return;
    }
    forget(g);
    drop_programs(g);
    ty_device_program_destroy(g->cloud_program);
    tyi_device_unpin(&g->stage);
    tyi_put(g->alloc, g->bent, TY_K_CURVE * sizeof(float));
    tyi_render_gpu_pool *all[] = { &g->slot,     &g->node,  &g->item,      &g->root,    &g->box,  &g->fresh,
                                   &g->truth,    &g->hapke, &g->counts,    &g->place,   &g->tile, &g->spark,
                                   &g->triangle, &g->clod,  &g->clod_node, &g->clod_key };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        tyi_render_gpu_drop(g, all[k]);
    }
    for (int k = 0; k < TYI_GPU_KEPT; k++) {
        tyi_render_gpu_drop(g, &g->kept[k].node);
        tyi_render_gpu_drop(g, &g->kept[k].item);
    }
    tyi_put(g->alloc, g, sizeof *g);
}

/* samples of a pixel that stand side by side in a group; a power of two up to 16 */
static int together(const ty_device *device, int samples)
{
    int n = 1;
    while (ty_device_get_info(device)->gpu && n < 16 && 2 * n <= samples) {
        n *= 2;
    }
    return n;
}

static ty_status build_text(tyi_render_gpu *g, const ty_render_kinds *kinds, const char *options,
                            ty_device_program **out, ty_diag *diag)
{
    size_t bytes;
    char *text = tyi_render_gpu_text(g, kinds, &bytes);
    ty_status status = text ? ty_device_build(g->device, text, TY_FLOAT, options, out, diag)
                            : ty_fail(diag, TY_ERR_DEVICE, "render: no memory for the text of a program");
    tyi_put(g->alloc, text, bytes);
    return status;
}

/* the programs for so many bands and samples, and for tiles that are bent or not: films by how many samples stand together, and all
 * the other kernels. Each is built once: sensors that take turns find theirs */
static ty_status build(tyi_render_gpu *g, const ty_render_kinds *kinds, int bands, int samples, ty_diag *diag)
{
    if (!g->device) {
        return TY_OK;
    }
    if (g->built_lenses != g->lenses || g->built_dusty != g->dusty || g->built_loose != g->loose) {
        drop_programs(g);
        g->built_lenses = g->lenses, g->built_dusty = g->dusty, g->built_loose = g->loose;
    }
    ty_device_program **built = g->built[bands - 1][g->curved];
    char options[256];
    ty_status status = TY_OK;
    if (!built[0]) {
        snprintf(options, sizeof options, "-DTY_K_BANDS=%d -DTY_K_BENT=%d", bands, g->curved);
        status = build_text(g, kinds, options, &built[0], diag);
    }
    g->program = built[0];
    if (samples == 0 || status != TY_OK) {
        return status;
    }
    int which = 1;
    g->together = together(g->device, samples);
    for (int n = g->together; n > 1; n /= 2) {
        which++;
    }
    if (!built[which]) {
        /* NVIDIA's compiler takes 128 registers, so that 16 warps share a multiprocessor; rays that go all ways want more of them */
        const char *more = strstr(ty_device_get_info(g->device)->platform, "NVIDIA") ? "-cl-nv-maxrregcount=56" : "";
        snprintf(options, sizeof options, "-DTY_K_BANDS=%d -DTY_K_BENT=%d -DTY_K_TOGETHER=%d %s", bands, g->curved,
                 g->together, more);
        status = build_text(g, kinds, options, &built[which], diag);
    }
    g->film = built[which];
    return status;
}

static bool any_bent(const tyi_render_flat *f)
{
    const ty_k_scene_tile *tile = f->section[TY_K_SCENE_TILE].data;
    bool bent = false;
    for (size_t i = 0; i < f->section[TY_K_SCENE_TILE].count && !bent; i++) {
        bent = (tile[i].flags & TY_K_SCENE_CURVED) != 0;
    }
    return bent;
}

/* whether all laws of the program's own that materials have can go to a device */
static bool laws_have_texts(const ty_scene *s, const tyi_render_flat *f)
{
    const ty_k_scene_material *m = f->section[TY_K_SCENE_MATERIAL].data;
    for (size_t i = 0; i < f->section[TY_K_SCENE_MATERIAL].count; i++) {
        if (m[i].law >= TY_K_LAW_COUNT && !s->def.kinds.law[m[i].law - TY_K_LAW_COUNT].source) {
            return false;
        }
    }
    return s->gpu->device != NULL;
}

const char *tyi_render_gpu_cannot(ty_scene *s, const ty_camera *camera)
{
    const tyi_render_flat *f = tyi_render_scene_flat(s);
    if (!f) {
        return "there is no memory for the flat scene";
    }
    if (f->host_only & TY_K_SCENE_OWN_LIGHT) {
        return "a light of the scene is a C function";
    }
    if (f->host_only & TY_K_SCENE_OWN_LAW && !laws_have_texts(s, f)) {
        return "a reflectance law of the scene is a C function without a source text";
    }
    if (camera && camera->lens == TY_LENS_OWN && (!s->gpu->device || tyi_render_gpu_lens(s->gpu, camera) < 0)) {
        return "the camera's lens is a C function without a source text";
    }
    if (s->medium.parts && !s->medium.flat) {
        return "there is a medium of C functions between the surfaces";
    }
    return NULL;
}

ty_status tyi_render_gpu_update(tyi_render_gpu *g, ty_scene *s, int samples, ty_diag *diag)
{
    const tyi_render_flat *f = tyi_render_scene_flat(s);
    if (!f) {
        return ty_fail(diag, TY_ERR_MEMORY, "render: no memory for the flat scene");
    }
    bool known = g->known[TY_K_SCENE_MESH],
         laws = !g->known[TY_K_SCENE_MATERIAL] ||
                g->version[TY_K_SCENE_MATERIAL] != f->section[TY_K_SCENE_MATERIAL].version;
    bool meshes = !known || g->version[TY_K_SCENE_INDEX] != f->section[TY_K_SCENE_INDEX].version ||
                  g->version[TY_K_SCENE_MESH] != f->section[TY_K_SCENE_MESH].version;
    bool tiles = !known || g->version[TY_K_SCENE_TILE] != f->section[TY_K_SCENE_TILE].version;
    bool things = g->version[TY_K_SCENE_INSTANCE] != f->section[TY_K_SCENE_INSTANCE].version;
    g->curved = tiles ? any_bent(f) : g->curved;
    g->dusty = g->dusty || s->medium.flat || s->dusted;
    g->loose = g->loose || s->clods.meant;
    ty_status status = build(g, &s->def.kinds, s->def.bands, samples, diag);
    if (status == TY_OK) {
        status = tyi_render_gpu_put_sections(g, f, diag);
    }
    if (status == TY_OK) {
        status = tyi_render_gpu_put_cloud(g, s, diag);
    }
    if (status == TY_OK) {
        status = tyi_render_gpu_put_clods(g, f, diag);
    }
    if (status == TY_OK && laws) {
        status = tyi_render_gpu_put_laws(g, s, f, diag);
    }
    if (status == TY_OK) {
        status = tyi_render_gpu_put_ground(g, s, diag);
    }
    if (status == TY_OK) {
        status = tyi_render_gpu_put_tiles(g, f, diag);
    }
    return status == TY_OK ? tyi_render_gpu_update_trees(g, s, f, meshes, tiles, things, diag) : status;
}

ty_device *tyi_render_gpu_device(const tyi_render_gpu *g)
{
    return g->device;
}
