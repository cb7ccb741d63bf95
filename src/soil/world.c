/* src/soil/world.c - the soil call: which soil each body stands on, its contact plane, then one call of each model for all of them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "world.h"
#include <math.h>
#include <string.h>
#include "core/core.h"
#include "world/terrain/patch.h"
#include "patch/ledger.h"
#include "inner.h"

#define RUT_SAMPLES ((size_t)TYI_SOIL_RUT_SIDE * TYI_SOIL_RUT_SIDE)

/* ---- regions ---- */

static bool inside(const tyi_soil_region *r, double x, double y)
{
    if (r->mask) {
        double i = floor((x - r->x) / r->spacing + 0.5), j = floor((y - r->y) / r->spacing + 0.5);
        return i >= 0.0 && j >= 0.0 && i < r->nx && j < r->ny && r->mask[(size_t)j * (size_t)r->nx + (size_t)i];
    }
    if (!r->points) {
        return hypot(x - r->x, y - r->y) < r->radius;
    }
    bool in = false; /* even-odd rule */
    for (size_t i = 0, k = r->points - 1; i < r->points; k = i++) {
        const double *a = r->point + 2 * i, *b = r->point + 2 * k;
        if ((a[1] > y) != (b[1] > y) && x < (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0]) {
            in = !in;
        }
    }
    return in;
}

int tyi_soil_at_place(const tyi_soil_world *world, double x, double y)
{
    for (size_t i = world->regions; i-- > 0;) {
        if (inside(&world->region[i], x, y)) {
            return world->region[i].soil;
        }
    }
    return 0;
}

/* ---- life ---- */

static void natural(const ty_soil_site *site, int carrier, size_t n, const double *x, const double *y,
                    ty_terrain_ground *out)
{
    const tyi_soil_world *world = site->user;
    tyi_terrain_patch_sample_natural(world->rider[carrier]->ground.patch, n, x, y, out);
}

static ty_status make_layer(tyi_soil_world *w, tyi_soil_layer *layer, const ty_soil_def *def, ty_diag *diag)
{
    ty_status status = tyi_soil_def_check(def, diag);
    if (status != TY_OK) {
        return status;
    }
    layer->def = *def;
    layer->def.bekker.g = w->site.gravity;
    layer->model = tyi_soil_model_of(def);
    size_t memory = (layer->model->memory + 15) / 16 * 16;
    w->stride = memory > w->stride ? memory : w->stride;
    return layer->model->create ? layer->model->create(&w->site, &layer->def, &layer->state, diag) : TY_OK;
}

/* soils with patches of particles in them: those are layers of their own, after all others */
static ty_status make_patches(tyi_soil_world *w, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (int i = 0, soils = w->layers; i < soils && status == TY_OK; i++) {
        ty_soil_def def = w->layer[i].def;
        if (def.patch.model != TY_PATCH_NONE && !tyi_soil_is_patches(tyi_soil_model_of(&def))) {
            const ty_patch_params *p = &def.patch;
            double room = 0.5 * (ty_terrain_get_def(w->site.terrain)->extent - p->wide);
            if (p->follow == TY_PATCH_BOX && !(fabs(p->x) <= room && fabs(p->y) <= room)) {
                return ty_fail(
                    diag, TY_ERR_RANGE,
                    "soil: the box of a patch, %g m wide around x %g, y %g m, lies outside the ground of %g m", p->wide,
                    p->x, p->y, ty_terrain_get_def(w->site.terrain)->extent);
            }
            def.model = def.patch.model == TY_PATCH_DEM ? TY_SOIL_DEM : TY_SOIL_CRM;
            w->layer[i].patch = w->layers++;
            w->patches = true;
            status = make_layer(w, &w->layer[w->layer[i].patch], &def, diag);
        }
    }
    return status;
}

static ty_status make(tyi_soil_world *w, const tyi_soil_world_def *def, ty_diag *diag)
{
    int level = ty_terrain_get_def(def->terrain)->edit_level, levels = ty_terrain_levels(def->terrain);
    w->site.level = level < levels ? level : levels - 1;
    w->site.spacing = ty_terrain_spacing(def->terrain, w->site.level);
    w->site.ruts = w->site.level == level;
    w->room = 2 * def->soils;
    w->layer = tyi_get(def->alloc, (size_t)w->room * sizeof *w->layer);
    w->region = tyi_get(def->alloc, (def->regions + 1) * sizeof *w->region);
    w->change = tyi_get(def->alloc, RUT_SAMPLES * sizeof *w->change);
    w->pressed = tyi_get(def->alloc, RUT_SAMPLES * sizeof *w->pressed);
    w->trace = tyi_get(def->alloc, RUT_SAMPLES * sizeof *w->trace);
    w->print = tyi_get(def->alloc, RUT_SAMPLES * sizeof *w->print);
    if (!w->layer || !w->region || !w->change || !w->pressed || !w->trace || !w->print) {
        return ty_fail(diag, TY_ERR_MEMORY, "soil: no memory for %d soils", def->soils);
    }
    w->layers = def->soils;
    w->regions = def->regions;
    for (size_t i = 0; i < def->regions; i++) {
        w->region[i] = def->region[i];
        TY_ASSERT(def->region[i].soil >= 0 && def->region[i].soil < def->soils);
    }
    ty_status status = TY_OK;
    for (int i = 0; i < def->soils && status == TY_OK; i++) {
        status = make_layer(w, &w->layer[i], &def->soil[i], diag);
    }
    return status == TY_OK ? make_patches(w, diag) : status;
}

ty_status tyi_soil_world_create(const tyi_soil_world_def *def, tyi_soil_world **out, ty_diag *diag)
{
    *out = NULL;
    tyi_soil_world *w = tyi_get(def->alloc, sizeof *w);
    if (!w) {
        return ty_fail(diag, TY_ERR_MEMORY, "soil: no memory");
    }
    w->site = (ty_soil_site){ .terrain = def->terrain,
                              .gravity = def->gravity,
                              .alloc = def->alloc,
                              .device = def->device,
                              .natural = natural,
                              .user = w };
    ty_status status = make(w, def, diag);
    if (status != TY_OK) {
        tyi_soil_world_destroy(w);
        return status;
    }
    *out = w;
    return TY_OK;
}

static void free_rider(const tyi_soil_world *w, tyi_soil_rider *r)
{
    const ty_alloc *alloc = w->site.alloc;
    size_t n = (size_t)r->carrier.count;
    ty_terrain_patch_destroy(r->ground.patch);
    tyi_put(alloc, r->def, n * sizeof *r->def);
    tyi_put(alloc, r->radius, n * (size_t)w->layers * sizeof *r->radius);
    tyi_put(alloc, r->body, n * sizeof *r->body);
    tyi_put(alloc, r->plane, n * sizeof *r->plane);
    tyi_put(alloc, r->load, n * sizeof *r->load);
    tyi_put(alloc, r->contact, n * sizeof *r->contact);
    tyi_put(alloc, r->memory, n * w->stride);
    tyi_put(alloc, r, sizeof *r);
}

void tyi_soil_world_destroy(tyi_soil_world *w)
{
    if (!w) {
        return;
    }
    const ty_alloc *alloc = w->site.alloc;
    for (int i = 0; i < w->layers; i++) {
        if (w->layer[i].model && w->layer[i].model->destroy && w->layer[i].state) {
            w->layer[i].model->destroy(w->layer[i].state);
        }
    }
    for (int i = 0; i < w->riders; i++) {
        free_rider(w, w->rider[i]);
    }
    tyi_put(alloc, w->rider, (size_t)w->riders * sizeof *w->rider);
    tyi_put(alloc, w->at, (size_t)w->bodies * sizeof *w->at);
    tyi_put(alloc, w->layer, (size_t)w->room * sizeof *w->layer);
    tyi_put(alloc, w->region, (w->regions + 1) * sizeof *w->region);
    tyi_put(alloc, w->change, RUT_SAMPLES * sizeof *w->change);
    tyi_put(alloc, w->pressed, RUT_SAMPLES * sizeof *w->pressed);
    tyi_put(alloc, w->trace, RUT_SAMPLES * sizeof *w->trace);
    tyi_put(alloc, w->print, RUT_SAMPLES * sizeof *w->print);
    tyi_put(alloc, w, sizeof *w);
}

/* ---- carriers ---- */

static bool make_rider(tyi_soil_world *w, tyi_soil_rider *r, const ty_soil_body_def *body)
{
    const ty_alloc *alloc = w->site.alloc;
    size_t n = (size_t)r->carrier.count;
    r->def = tyi_get(alloc, n * sizeof *r->def);
    r->radius = tyi_get(alloc, n * (size_t)w->layers * sizeof *r->radius);
    r->body = tyi_get(alloc, n * sizeof *r->body);
    r->plane = tyi_get(alloc, n * sizeof *r->plane);
    r->load = tyi_get(alloc, n * sizeof *r->load);
    r->contact = tyi_get(alloc, n * sizeof *r->contact);
    r->memory = tyi_get(alloc, n * w->stride);
    if (!r->def || !r->radius || !r->body || !r->plane || !r->load || !r->contact || (w->stride && !r->memory)) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        r->def[i] = body[i];
        r->carrier.wheels -= body[i].tool != NULL;
        for (int k = 0; k < w->layers; k++) {
            r->radius[(size_t)k * n + i] = tyi_soil_rolling_radius(&w->layer[k].def, &body[i].wheel);
        }
    }
    r->carrier.body = r->def;
    return true;
}

static ty_status more_room(tyi_soil_world *w, int count, ty_diag *diag)
{
    const ty_alloc *alloc = w->site.alloc;
    tyi_soil_rider **rider = tyi_get(alloc, (size_t)(w->riders + 1) * sizeof *rider);
    ty_soil_at *at = tyi_get(alloc, (size_t)(w->bodies + count) * sizeof *at);
    tyi_soil_rider *r = tyi_get(alloc, sizeof *r);
    if (!rider || !at || !r) {
        tyi_put(alloc, rider, rider ? (size_t)(w->riders + 1) * sizeof *rider : 0);
        tyi_put(alloc, at, at ? (size_t)(w->bodies + count) * sizeof *at : 0);
        tyi_put(alloc, r, r ? sizeof *r : 0);
        return ty_fail(diag, TY_ERR_MEMORY, "soil: no memory for %d bodies", count);
    }
    for (int i = 0; i < w->riders; i++) {
        rider[i] = w->rider[i];
    }
    tyi_put(alloc, w->rider, (size_t)w->riders * sizeof *w->rider);
    tyi_put(alloc, w->at, (size_t)w->bodies * sizeof *w->at);
    rider[w->riders] = r;
    r->carrier = (ty_soil_carrier){ .number = w->riders, .first = w->bodies, .count = count, .wheels = count };
    w->rider = rider;
    w->at = at;
    w->riders++;
    w->bodies += count;
    return TY_OK;
}

ty_status tyi_soil_world_join(tyi_soil_world *w, const ty_soil_body_def *body, int count, double reach, bool rocks,
                              double rock_min, int *out, ty_diag *diag)
{
    ty_status status = more_room(w, count, diag);
    if (status != TY_OK) {
        return status;
    }
    tyi_soil_rider *r = w->rider[w->riders - 1];
    r->ground.rocks = rocks, r->ground.rock_min = rock_min;
    tyi_soil_ground_init(w, &r->ground, reach);
    r->carrier.reach = r->ground.reach;
    if (!make_rider(w, r, body)) {
        return ty_fail(diag, TY_ERR_MEMORY, "soil: no memory for %d bodies", count);
    }
    *out = r->carrier.number;
    tyi_soil_world_reset(w, *out);
    for (int i = 0; i < w->layers && status == TY_OK; i++) {
        const ty_soil_model *model = w->layer[i].model;
        status = model->join ? model->join(w->layer[i].state, &r->carrier, diag) : TY_OK;
    }
    return status;
}

void tyi_soil_world_reset(tyi_soil_world *w, int carrier)
{
    tyi_soil_rider *r = w->rider[carrier];
    for (int i = 0; i < r->carrier.count; i++) {
        r->contact[i] =
            (tyi_soil_contact_memory){ .normal = { 0.0, 0.0, 1.0 }, .rut = { INFINITY, INFINITY, INFINITY } };
    }
    if (w->stride) {
        memset(r->memory, 0, (size_t)r->carrier.count * w->stride);
    }
}

/* ---- a step ---- */

static bool on_patch(const ty_patch_params *p, ty_vec3 at, bool tool)
{
    return tool || p->follow == TY_PATCH_WHEELS ||
           (p->follow == TY_PATCH_BOX && fabs(at.x - p->x) < 0.5 * p->wide && fabs(at.y - p->y) < 0.5 * p->wide);
}

/* the soil under each body: one that comes onto another begins there as if put down */
static void find_soils(const tyi_soil_world *w, tyi_soil_rider *r)
{
    for (int i = 0; i < r->carrier.count && (w->regions || w->patches); i++) {
        int soil = tyi_soil_at_place(w, r->body[i].centre.x, r->body[i].centre.y), patch = w->layer[soil].patch;
        soil = patch && on_patch(&w->layer[patch].def.patch, r->body[i].centre, r->def[i].tool) ? patch : soil;
        if (soil != r->contact[i].soil) {
            r->contact[i].soil = soil;
            memset(r->memory + (size_t)i * w->stride, 0, w->stride);
        }
    }
}

static int gather(const tyi_soil_world *w, int soil)
{
    int n = 0;
    for (int c = 0; c < w->riders; c++) {
        tyi_soil_rider *r = w->rider[c];
        for (int i = 0; i < r->carrier.count && !r->away; i++) {
            if (r->contact[i].soil == soil && (w->layer[soil].model->tools || !r->def[i].tool)) {
                w->at[n++] = (ty_soil_at){ .body = r->carrier.first + i,
                                           .carrier = c,
                                           .def = &r->def[i],
                                           .state = &r->body[i],
                                           .plane = &r->plane[i],
                                           .memory = r->memory + (size_t)i * w->stride,
                                           .theta1 = &r->contact[i].entry,
                                           .load = &r->load[i] };
            }
        }
    }
    return n;
}

/* [s] The points of a plane are taken where the last planes were. On uneven ground a plane of other points is another plane, and where
 * these followed at once the two could change places with every step: a wheel in a hollow bore 132 and 201 N by turns. */
#define PLANE_LAG 0.005

static void remember(tyi_soil_contact_memory *c, ty_vec3 normal, double dt)
{
    double part = dt / (dt + PLANE_LAG);
    c->normal = ty_normalize(ty_add(c->normal, ty_scale(part, ty_sub(normal, c->normal))));
    c->theta1 += part * (c->entry - c->theta1);
}

static void finish(tyi_soil_rider *r, double dt)
{
    for (int i = 0; i < r->carrier.count; i++) {
        ty_soil_load *load = &r->load[i];
        remember(&r->contact[i], r->plane[i].n, dt);
        r->contact[i].fz = load->fz;
        load->contact = load->fz > 0.0;
        load->sinkage = fmax(load->sinkage, 0.0);
        if (load->contact) {
            tyi_soil_motion_facts(&r->plane[i], r->plane[i].radius * r->body[i].omega, load);
        }
    }
}

ty_status tyi_soil_world_step(tyi_soil_world *w, double dt, ty_diag *diag)
{
    for (int c = 0; c < w->riders; c++) {
        tyi_soil_rider *r = w->rider[c];
        if (r->away) {
            continue;
        }
        find_soils(w, r);
        tyi_soil_planes(w, r);
        for (int i = 0; i < r->carrier.count; i++) {
            r->load[i] = (ty_soil_load){ .x = r->plane[i].x, .n = r->plane[i].n };
            if (w->layer[r->contact[i].soil].model == &tyi_soil_model_none) {
                r->load[i] = (ty_soil_load){ .fx = 0.0 };
            }
        }
    }
    ty_status status = TY_OK;
    for (int k = 0; k < w->layers && status == TY_OK; k++) {
        int n = gather(w, k);
        status = n ? w->layer[k].model->step(w->layer[k].state, &w->layer[k].def, w->at, n, dt, diag) : TY_OK;
    }
    for (int c = 0; c < w->riders && status == TY_OK; c++) {
        if (!w->rider[c]->away) {
            finish(w->rider[c], dt);
        }
    }
    return status;
}

ty_status tyi_soil_world_press(tyi_soil_world *w, int carrier, ty_diag *diag)
{
    tyi_soil_rider *r = w->rider[carrier];
    ty_status status = TY_OK;
    for (int k = 0; k < w->layers && status == TY_OK; k++) {
        const tyi_soil_layer *layer = &w->layer[k];
        bool wanted = false, ruts = w->site.ruts && layer->def.ruts && (layer->model->prints || layer->model->press);
        for (int i = 0; i < r->carrier.count && ruts && status == TY_OK; i++) {
            tyi_soil_contact_memory *c = &r->contact[i];
            ty_vec3 p = r->body[i].centre;
            /* again when it has moved by a sample, or sunk by a millimetre where it is */
            bool moved = !(hypot(p.x - c->rut.x, p.y - c->rut.y) < w->site.spacing), sunk = p.z < c->rut.z - 1e-3;
            if (c->soil != k || !r->load[i].contact || !(moved || sunk)) {
                continue;
            }
            c->rut = p;
            wanted = true;
            status = layer->model->prints                  ? tyi_soil_print(w, r, i, diag)
                     : layer->model == &tyi_soil_model_scm ? tyi_soil_print_lugs(w, r, i, diag)
                                                           : TY_OK;
        }
        if (status == TY_OK && layer->model->press) {
            status =
                layer->model->press(layer->state, &r->carrier, wanted, r->body[0].centre.x, r->body[0].centre.y, diag);
        }
    }
    return status;
}

void tyi_soil_world_loose(const tyi_soil_world *w, tyi_soil_loose visit, void *user)
{
    for (int k = 0; k < w->layers; k++) {
        if (tyi_soil_is_patches(w->layer[k].model)) {
            tyi_soil_patch_loose_all(w->layer[k].state, visit, user);
        }
    }
}

size_t tyi_soil_world_loose_most(const tyi_soil_world *w)
{
    size_t n = 0;
    for (int k = 0; k < w->layers; k++) {
        n += tyi_soil_is_patches(w->layer[k].model) ? tyi_soil_patch_loose_most(w->layer[k].state) : 0;
    }
    return n;
}

/* ---- saving ---- */

size_t tyi_soil_rider_save(const tyi_soil_world *w, int carrier, void *out)
{
    const tyi_soil_rider *r = w->rider[carrier];
    size_t n = (size_t)r->carrier.count, contacts = n * sizeof *r->contact;
    if (out) {
        memcpy(out, r->contact, contacts);
        memcpy((char *)out + contacts, r->memory, n * w->stride);
    }
    return contacts + n * w->stride;
}

void tyi_soil_rider_restore(tyi_soil_world *w, int carrier, const void *saved)
{
    tyi_soil_rider *r = w->rider[carrier];
    size_t n = (size_t)r->carrier.count, contacts = n * sizeof *r->contact;
    memcpy(r->contact, saved, contacts);
    memcpy(r->memory, (const char *)saved + contacts, n * w->stride);
    for (size_t i = 0; i < n; i++) {
        r->contact[i].soil = r->contact[i].soil >= 0 && r->contact[i].soil < w->layers ? r->contact[i].soil : 0;
    }
}

size_t tyi_soil_world_save(const tyi_soil_world *w, void *out)
{
    size_t bytes = 0;
    char *to = out;
    for (int k = 0; k < w->layers; k++) {
        const tyi_soil_layer *layer = &w->layer[k];
        uint64_t size = layer->model->save ? layer->model->save(layer->state, NULL) : 0;
        if (to) {
            memcpy(to + bytes, &size, sizeof size);
            if (size) {
                layer->model->save(layer->state, to + bytes + sizeof size);
            }
        }
        bytes += sizeof size + (size_t)size;
    }
    return bytes;
}

ty_status tyi_soil_world_restore(tyi_soil_world *w, const void *saved, size_t bytes, ty_diag *diag)
{
    const char *from = saved;
    ty_status status = TY_OK;
    for (int k = 0; k < w->layers && status == TY_OK; k++) {
        const tyi_soil_layer *layer = &w->layer[k];
        uint64_t size = 0;
        bool there = bytes >= sizeof size;
        if (there) {
            memcpy(&size, from, sizeof size);
            from += sizeof size, bytes -= sizeof size;
            there = size <= bytes && (!size || layer->model->restore);
        }
        if (!there) {
            return ty_fail(diag, TY_ERR_FORMAT, "soil: the saved state is not one of these soils");
        }
        status = size ? layer->model->restore(layer->state, from, (size_t)size, diag) : TY_OK;
        from += size, bytes -= (size_t)size;
    }
    return status == TY_OK && bytes ? ty_fail(diag, TY_ERR_FORMAT, "soil: the saved state is not one of these soils")
                                    : status;
}
