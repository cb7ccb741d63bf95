/* src/io/raster_cache.c - the bounded cache of blocks: a hash table, and a list by last use.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "raster.h"
#include "rasters.h"

#define BLOCK_BYTES ((size_t)TYI_IO_BLOCK * TYI_IO_BLOCK * sizeof(float))

static uint64_t key_of(int level, int bx, int by)
{
    return (uint64_t)level << 56 | (uint64_t)(uint32_t)bx << 28 | (uint64_t)(uint32_t)by;
}

ty_status tyi_io_cache_init(tyi_io_raster *raster, size_t bytes, ty_diag *diag)
{
    tyi_io_cache *cache = &raster->cache;
    size_t slots = bytes / BLOCK_BYTES;
    cache->slots = (int)(slots < 1 ? 1 : slots > 1000000 ? 1000000 : slots);
    cache->newest = cache->oldest = -1;
    cache->slot = tyi_get(raster->alloc, (size_t)cache->slots * sizeof *cache->slot);
    if (!cache->slot || !tyi_index_make(&cache->index, raster->alloc, (size_t)cache->slots)) {
        return ty_fail(diag, TY_ERR_MEMORY, "%s: no memory for the table of a cache of %d blocks", raster->path,
                       cache->slots);
    }
    return TY_OK;
}

void tyi_io_cache_free(tyi_io_raster *raster)
{
    tyi_io_cache *cache = &raster->cache;
    for (int i = 0; i < cache->used; i++) {
        tyi_put(raster->alloc, cache->slot[i].samples, BLOCK_BYTES);
    }
    tyi_put(raster->alloc, cache->slot, (size_t)cache->slots * sizeof *cache->slot);
    tyi_index_free(&cache->index, raster->alloc);
}

static uint64_t hash_of(uint64_t key)
{
    return tyi_hash(&key, sizeof key, TYI_HASH_START);
}

static void unlist(tyi_io_cache *cache, int i)
{
    tyi_io_slot *s = &cache->slot[i];
    *(s->newer >= 0 ? &cache->slot[s->newer].older : &cache->newest) = s->older;
    *(s->older >= 0 ? &cache->slot[s->older].newer : &cache->oldest) = s->newer;
}

static void list_newest(tyi_io_cache *cache, int i)
{
    cache->slot[i].newer = -1;
    cache->slot[i].older = cache->newest;
    *(cache->newest >= 0 ? &cache->slot[cache->newest].newer : &cache->oldest) = i;
    cache->newest = i;
}

/* the slot of a key, marked as just used and held; -1: not there. Under the cache's mutex. */
static int find(tyi_io_cache *cache, uint64_t key)
{
    uint32_t i = tyi_index_first(&cache->index, hash_of(key));
    while (i != TYI_NONE && cache->slot[i].key != key) {
        i = cache->index.next[i];
    }
    if (i == TYI_NONE) {
        return -1;
    }
    unlist(cache, (int)i);
    list_newest(cache, (int)i);
    cache->slot[i].pins++;
    return (int)i;
}

/* takes the longest unused block that nobody holds out of the table; -1: all are held */
static int evict(tyi_io_cache *cache)
{
    TYI_LOCKED(&cache->mutex);
    int i = cache->oldest;
    while (i >= 0 && cache->slot[i].pins > 0) {
        i = cache->slot[i].newer;
    }
    if (i >= 0) {
        tyi_index_take(&cache->index, hash_of(cache->slot[i].key), (uint32_t)i);
        unlist(cache, i);
    }
    return i;
}

static void count_bytes(tyi_io_cache *cache)
{
    cache->stats.bytes += BLOCK_BYTES;
    cache->stats.peak_bytes =
        cache->stats.bytes > cache->stats.peak_bytes ? cache->stats.bytes : cache->stats.peak_bytes;
}

/* puts a loaded block into a slot; a slot < 0 when every one is held. Returns memory that is left over. */
static float *insert(tyi_io_cache *cache, uint64_t key, float *samples, tyi_io_pin *out)
{
    int i = cache->used < cache->slots ? cache->used++ : evict(cache);
    *out = (tyi_io_pin){ samples, i };
    if (i < 0) {
        return NULL;
    }
    float *old = cache->slot[i].samples;
    cache->slot[i] = (tyi_io_slot){ .key = key, .samples = samples, .pins = 1 };
    tyi_index_add(&cache->index, hash_of(key), (uint32_t)i);
    list_newest(cache, i);
    return old;
}

static ty_status load(tyi_io_raster *raster, int level, int bx, int by, tyi_io_pin *out, ty_diag *diag)
{
    tyi_io_cache *cache = &raster->cache;
    float *samples = tyi_get(raster->alloc, BLOCK_BYTES);
    if (!samples) {
        return ty_fail(diag, TY_ERR_MEMORY, "%s: no memory for a block of %zu bytes", raster->path, BLOCK_BYTES);
    }
    ty_status status = tyi_io_raster_load(raster, level, bx, by, samples, diag);
    float *left = samples;
    if (status == TY_OK) {
        pthread_mutex_lock(&cache->mutex);
        cache->stats.loads++;
        count_bytes(cache);
        left = insert(cache, key_of(level, bx, by), samples, out);
        cache->stats.bytes -= left ? BLOCK_BYTES : 0;
        pthread_mutex_unlock(&cache->mutex);
    }
    tyi_put(raster->alloc, left, BLOCK_BYTES);
    return status;
}

static bool look_up(tyi_io_cache *cache, uint64_t key, bool first, tyi_io_pin *out)
{
    pthread_mutex_lock(&cache->mutex);
    int i = find(cache, key);
    *out = i >= 0 ? (tyi_io_pin){ cache->slot[i].samples, i } : (tyi_io_pin){ 0 };
    cache->stats.hits += first && i >= 0;
    pthread_mutex_unlock(&cache->mutex);
    return i >= 0;
}

ty_status tyi_io_cache_pin(tyi_io_raster *raster, int level, int bx, int by, tyi_io_pin *out, ty_diag *diag)
{
    uint64_t key = key_of(level, bx, by);
    if (look_up(&raster->cache, key, true, out)) {
        return TY_OK;
    }
    pthread_mutex_lock(&raster->io);
    /* another thread may have loaded it while this one waited */
    ty_status status = look_up(&raster->cache, key, false, out) ? TY_OK : load(raster, level, bx, by, out, diag);
    pthread_mutex_unlock(&raster->io);
    return status;
}

void tyi_io_cache_unpin(tyi_io_raster *raster, tyi_io_pin *pin)
{
    tyi_io_cache *cache = &raster->cache;
    if (!pin->samples) {
        return;
    }
    pthread_mutex_lock(&cache->mutex);
    if (pin->slot >= 0) {
        cache->slot[pin->slot].pins--;
    } else {
        cache->stats.bytes -= BLOCK_BYTES;
    }
    pthread_mutex_unlock(&cache->mutex);
    if (pin->slot < 0) {
        tyi_put(raster->alloc, (void *)(uintptr_t)pin->samples, BLOCK_BYTES);
    }
    *pin = (tyi_io_pin){ 0 };
}

ty_raster_cache_stats tyi_io_raster_cache(const tyi_io_raster *raster)
{
    tyi_io_cache *cache = (tyi_io_cache *)(uintptr_t)&raster->cache;
    pthread_mutex_lock(&cache->mutex);
    ty_raster_cache_stats stats = cache->stats;
    pthread_mutex_unlock(&cache->mutex);
    return stats;
}
