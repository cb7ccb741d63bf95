/* src/sensor/filter/filter.c - pipelines: checking, memory, running.
 *
 * Two blocks of memory serve any number of filters: one that works in place stays in its block, any
 * other writes to the other block.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>
#include "core/core.h"
#include "tycho/filter.h"
#include "core/inner.h"
#include "inner.h"

#define ALIGN 64

typedef struct block {
    char *memory;
    size_t bytes;
} block;

struct ty_pipeline {
    const ty_alloc *alloc;
    int threads, count;
    int done; /* filters up to this place were done by one before them */
    bool linked;
    ty_buffer_type in; /* that it is linked for */
    block image[2], scratch;
    ty_buffer stage[TY_PIPELINE_FILTERS]; /* what each filter writes to, views of the blocks */
    int width[TY_PIPELINE_FILTERS];       /* that it was linked for; a list may come shorter */
    ty_filter filter[TY_PIPELINE_FILTERS];
};

ty_status ty_pipeline_create(const ty_alloc *alloc, int threads, ty_pipeline **out, ty_diag *diag)
{
    *out = tyi_get(alloc, sizeof **out);
    if (!*out) {
        return ty_fail(diag, TY_ERR_MEMORY, "pipeline: there is no memory for it");
    }
    (*out)->alloc = alloc;
    (*out)->threads = threads;
    return TY_OK;
}

void ty_pipeline_destroy(ty_pipeline *p)
{
    if (p) {
        for (int i = 0; i < p->count; i++) {
            if (p->filter[i].destroy) {
                p->filter[i].destroy(p->filter[i].user);
            }
        }
        tyi_put(p->alloc, p->image[0].memory, p->image[0].bytes);
        tyi_put(p->alloc, p->image[1].memory, p->image[1].bytes);
        tyi_put(p->alloc, p->scratch.memory, p->scratch.bytes);
        tyi_put(p->alloc, p, sizeof *p);
    }
}

/* ---- changes ---- */

/* a place from 0 to `most`, or -1 with the sentence */
static int place(const ty_pipeline *p, int at, int most, ty_diag *diag)
{
    int from = at < 0 ? most + 1 + at : at;
    if (from < 0 || from > most) {
        ty_fail(diag, TY_ERR_RANGE, "pipeline: there is no place %d among %d filters", at, p->count);
        return -1;
    }
    return from;
}

static void open_gap(ty_pipeline *p, int at, const ty_filter *filter)
{
    memmove(p->filter + at + 1, p->filter + at, (size_t)(p->count - at) * sizeof *p->filter);
    p->filter[at] = *filter;
    p->count++;
    p->linked = false;
}

static void close_gap(ty_pipeline *p, int at)
{
    p->count--;
    memmove(p->filter + at, p->filter + at + 1, (size_t)(p->count - at) * sizeof *p->filter);
    p->linked = false;
}

ty_status ty_pipeline_insert(ty_pipeline *p, int at, const ty_filter *filter, ty_diag *diag)
{
    if (p->count == TY_PIPELINE_FILTERS || !filter->run || !filter->name) {
        return ty_fail(diag, TY_ERR_RANGE,
                       "pipeline: a filter must have a name and a function, and there is room for %d",
                       TY_PIPELINE_FILTERS);
    }
    at = place(p, at, p->count, diag);
    if (at < 0) {
        return TY_ERR_RANGE;
    }
    open_gap(p, at, filter);
    return TY_OK;
}

ty_status ty_pipeline_remove(ty_pipeline *p, int at, ty_diag *diag)
{
    at = place(p, at, p->count - 1, diag);
    if (at < 0) {
        return TY_ERR_RANGE;
    }
    if (p->filter[at].destroy) {
        p->filter[at].destroy(p->filter[at].user);
    }
    close_gap(p, at);
    return TY_OK;
}

ty_status ty_pipeline_move(ty_pipeline *p, int from, int to, ty_diag *diag)
{
    from = place(p, from, p->count - 1, diag);
    to = from < 0 ? -1 : place(p, to, p->count - 1, diag);
    if (to < 0) {
        return TY_ERR_RANGE;
    }
    ty_filter moved = p->filter[from];
    close_gap(p, from);
    open_gap(p, to, &moved);
    return TY_OK;
}

ty_status ty_pipeline_switch(ty_pipeline *p, int at, bool on, ty_diag *diag)
{
    at = place(p, at, p->count - 1, diag);
    if (at < 0) {
        return TY_ERR_RANGE;
    }
    p->linked = p->linked && p->filter[at].off == !on;
    p->filter[at].off = !on;
    return TY_OK;
}

int ty_pipeline_count(const ty_pipeline *p)
{
    return p->count;
}

int ty_pipeline_find(const ty_pipeline *p, const char *name)
{
    for (int i = 0; i < p->count; i++) {
        if (!strcmp(p->filter[i].name, name)) {
            return i;
        }
    }
    return -1;
}

int64_t ty_pipeline_lag(const ty_pipeline *p)
{
    int64_t sum = 0;
    for (int i = 0; i < p->count; i++) {
        sum += p->filter[i].off ? 0 : p->filter[i].lag;
    }
    return sum;
}

const ty_filter *ty_pipeline_get(const ty_pipeline *p, int at)
{
    at = place(p, at, p->count - 1, NULL);
    return at < 0 ? NULL : &p->filter[at];
}

/* ---- linking ---- */

/* "electrons or digital numbers as f32 or u16 in 1 channel" */
static void describe(const ty_filter *f, char *text, size_t size)
{
    size_t n = 0;
    const char *join = "";
    for (int u = 0; u < TY_UNIT_COUNT && n < size; u++) {
        if (f->units & TY_BIT(u)) {
            n += (size_t)snprintf(text + n, size - n, "%s%s", join, ty_unit_name((ty_unit)u));
            join = " or ";
        }
    }
    if (!f->units && n < size) {
        n += (size_t)snprintf(text + n, size - n, "any unit");
    }
    join = " as ";
    for (int e = 0; e < TY_ELEMENT_COUNT && n < size; e++) {
        if (f->elements & TY_BIT(e)) {
            n += (size_t)snprintf(text + n, size - n, "%s%s", join, tyi_element_name((ty_element)e));
            join = " or ";
        }
    }
    if (f->channels && n < size) {
        snprintf(text + n, size - n, " in %d channel%s", f->channels, f->channels > 1 ? "s" : "");
    }
}

static ty_status check_fit(const ty_filter *f, const char *before, const ty_buffer_type *in, ty_diag *diag)
{
    if ((!f->units || f->units & TY_BIT(in->unit)) && (!f->elements || f->elements & TY_BIT(in->element)) &&
        (!f->channels || f->channels == in->channels)) {
        return TY_OK;
    }
    char takes[200], gives[128];
    describe(f, takes, sizeof takes);
    tyi_buffer_type_text(in, gives, sizeof gives);
    if (!before) {
        return ty_fail(diag, TY_ERR_INPUT, "pipeline: '%s' takes %s, but the input is %s", f->name, takes, gives);
    }
    return ty_fail(diag, TY_ERR_INPUT, "pipeline: '%s' takes %s, but '%s' before it gives %s", f->name, takes, before,
                   gives);
}

static ty_status grow(ty_pipeline *p, block *b, size_t bytes, ty_diag *diag)
{
    if (bytes && bytes + ALIGN > b->bytes) {
        tyi_put(p->alloc, b->memory, b->bytes);
        b->bytes = bytes + ALIGN;
        b->memory = tyi_get(p->alloc, b->bytes);
        if (!b->memory) {
            b->bytes = 0;
            return ty_fail(diag, TY_ERR_MEMORY, "pipeline: there is no memory for %zu bytes", bytes);
        }
    }
    return TY_OK;
}

static char *aligned(const block *b)
{
    return b->memory ? b->memory + (ALIGN - (uintptr_t)b->memory % ALIGN) % ALIGN : NULL;
}

ty_status ty_pipeline_link(ty_pipeline *p, const ty_buffer_type *in, ty_buffer_type *out, ty_diag *diag)
{
    p->linked = false;
    ty_buffer_type now = *in;
    const char *before = NULL;
    size_t bytes[2] = { 0, 0 }, scratch = 0;
    int where = -1; /* the block that holds `now`; -1: the caller's memory */
    int in_block[TY_PIPELINE_FILTERS];
    ty_status status = TY_OK;
    for (int i = 0; i < p->count && status == TY_OK; i++) {
        const ty_filter *f = &p->filter[i];
        if (f->off) {
            continue;
        }
        ty_filter_need need = { .out = now };
        status = check_fit(f, before, &now, diag);
        if (status == TY_OK && f->link) {
            status = f->link(f->user, &now, &need, diag);
        }
        bool stay = f->in_place && where >= 0 &&
                    ty_element_bytes(need.out.element) * (size_t)need.out.channels ==
                        ty_element_bytes(now.element) * (size_t)now.channels;
        where = stay ? where : where == 0;
        in_block[i] = where;
        size_t need_bytes = ty_buffer_type_bytes(&need.out);
        bytes[where] = need_bytes > bytes[where] ? need_bytes : bytes[where];
        scratch = need.scratch > scratch ? need.scratch : scratch;
        p->stage[i] = ty_buffer_wrap(&need.out, NULL);
        p->width[i] = need.out.width;
        now = need.out;
        before = f->name;
    }
    status = status != TY_OK ? status : grow(p, &p->image[0], bytes[0], diag);
    status = status != TY_OK ? status : grow(p, &p->image[1], bytes[1], diag);
    status = status != TY_OK ? status : grow(p, &p->scratch, scratch, diag);
    if (status != TY_OK) {
        return status;
    }
    for (int i = 0; i < p->count; i++) {
        if (!p->filter[i].off) {
            p->stage[i].data = aligned(&p->image[in_block[i]]);
        }
    }
    p->in = *in;
    p->linked = true;
    if (out) {
        *out = now;
    }
    return TY_OK;
}

/* ---- running ---- */

static bool same_type(const ty_buffer_type *a, const ty_buffer_type *b)
{
    return a->width == b->width && a->height == b->height && a->channels == b->channels && a->element == b->element &&
           a->unit == b->unit && a->frame == b->frame;
}

static ty_status check_depth(const ty_filter *f, const ty_buffer *in, const ty_buffer *depth, ty_diag *diag)
{
    char has[128] = "none";
    if (depth) {
        tyi_buffer_type_text(&depth->type, has, sizeof has);
    }
    if (!depth || depth->type.width != in->type.width || depth->type.height != in->type.height ||
        depth->type.unit != TY_UNIT_METRE || depth->type.channels != 1) {
        return ty_fail(diag, TY_ERR_INPUT,
                       "pipeline: '%s' needs depths in metres, %d x %d x 1, but the frame brings %s", f->name,
                       in->type.width, in->type.height, has);
    }
    return TY_OK;
}

ty_status ty_pipeline_run(ty_pipeline *p, const ty_buffer *in, const ty_buffer *depth, uint64_t frame,
                          const ty_buffer **out, ty_diag *diag)
{
    *out = NULL;
    if (!p->linked || !same_type(&in->type, &p->in)) {
        ty_status status = ty_pipeline_link(p, &in->type, NULL, diag);
        if (status != TY_OK) {
            return status;
        }
    }
    if (in->place != TY_PLACE_HOST) {
        return ty_fail(diag, TY_ERR_INPUT, "pipeline: the input lives on a device; host only for now");
    }
    const ty_buffer *now = in;
    int linked = in->type.width; /* of `now` */
    for (int i = 0; i < p->count; i++) {
        const ty_filter *f = &p->filter[i];
        if (f->off) {
            continue;
        }
        ty_buffer *next = &p->stage[i];
        next->time = now->time;
        next->type.width = p->width[i] == linked ? now->type.width : p->width[i];
        linked = p->width[i];
        ty_filter_call call = { .in = now,
                                .out = next,
                                .depth = depth,
                                .frame = frame,
                                .scratch = aligned(&p->scratch),
                                .threads = p->threads };
        ty_status status = f->depth ? check_depth(f, now, depth, diag) : TY_OK;
        p->done = -1;
        status = status == TY_OK ? f->run(f->user, &call, diag) : status;
        if (status != TY_OK) {
            return status;
        }
        if (p->done > i) {
            i = p->done;
            p->stage[i].time = now->time;
            next = &p->stage[i], linked = p->width[i];
        }
        now = next;
    }
    *out = now;
    return TY_OK;
}

ty_buffer *tyi_pipeline_done(ty_pipeline *p, int last)
{
    TY_ASSERT(last >= 0 && last < p->count && !p->filter[last].off);
    p->done = last;
    p->stage[last].type.width = p->width[last];
    return &p->stage[last];
}

/* ---- access ---- */

/* The data stay where they are when they already belong to the pipeline, and are copied otherwise. */
static ty_status run_access(void *user, const ty_filter_call *call, ty_diag *diag)
{
    (void)diag;
    const ty_filter_access_def *def = user;
    ty_buffer_copy(call->out, call->in);
    def->look(def->user, call->out, call->frame);
    return TY_OK;
}

ty_filter ty_filter_access(const char *name, ty_filter_access_def *def)
{
    return (ty_filter){ .name = name, .in_place = true, .run = run_access, .user = def };
}
