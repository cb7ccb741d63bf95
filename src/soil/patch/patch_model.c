/* src/soil/patch/patch_model.c - soil that flows under wheels and tools, as a model of a run: a patch of particles under each.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "ledger.h"
#include "patch.h"
#include "inner.h"
#include "device/device.h"

enum {
    COUNT = 16, /* steps between counts of what a tool holds, */
    TELL = 32 /* and between what the height field is told of soil that a tool moves, also where it stands and dumps */
};

typedef struct patches {
    const ty_soil_site *site;
    const ty_soil_def *def;
    tyi_soil_patch **patch; /* of each body of the world that has joined, by its number */
    int count;
    tyi_soil_patch **busy; /* in a step */
    size_t busy_count;
    tyi_soil_patch_group *group; /* those that step together on a device */
    tyi_soil_tile tile;          /* of grains */
} patches;

static ty_status create(const ty_soil_site *site, const ty_soil_def *def, void **state, ty_diag *diag)
{
    patches *s = tyi_get(site->alloc, sizeof *s);
    if (!s) {
        return ty_fail(diag, TY_ERR_MEMORY, "soil: no memory for patches");
    }
    *s = (patches){ .site = site, .def = def };
    *state = s;
    double depth = def->patch.depth > 0.0 ? def->patch.depth : 0.15;
    return def->model == TY_SOIL_DEM
               ? tyi_soil_tile_make(def, def->bekker.rho * site->gravity * depth, site->alloc, &s->tile, diag)
               : TY_OK;
}

static void destroy(void *state)
{
    patches *s = state;
    const ty_alloc *alloc = s->site->alloc;
    for (int i = 0; i < s->count; i++) {
        tyi_soil_patch_destroy(s->patch[i]);
    }
    tyi_put(alloc, s->patch, (size_t)s->count * sizeof(tyi_soil_patch *));
    tyi_put(alloc, s->busy, (size_t)s->count * sizeof(tyi_soil_patch *));
    while (s->group) {
        tyi_soil_patch_group *g = s->group;
        s->group = g->next;
        tyi_crm_pool_leave(g->pool);
        tyi_put(alloc, g, sizeof *g);
    }
    tyi_soil_tile_free(&s->tile);
    tyi_put(alloc, s, sizeof *s);
}

/* whether a patch is of the size of those of a group */
static bool fits(const patches *s, const tyi_soil_patch_group *g, const tyi_soil_patch *p)
{
    for (int i = 0; i < s->count; i++) {
        const tyi_soil_patch *q = s->patch[i];
        if (q && q != p && q->group == g) {
            return g->members < TYI_CRM_BEDS && !g->pool && q->room == p->room && q->length[0] == p->length[0] &&
                   q->length[2] == p->length[2];
        }
    }
    return false;
}

static ty_status find_group(patches *s, tyi_soil_patch *p, ty_diag *diag)
{
    if (p->tile || !s->site->device || !s->def->patch.device) {
        return TY_OK;
    }
    tyi_soil_patch_group *g = s->group;
    while (g && !fits(s, g, p)) {
        g = g->next;
    }
    if (!g) {
        g = tyi_get(s->site->alloc, sizeof *g);
        if (!g) {
            return ty_fail(diag, TY_ERR_MEMORY, "soil: no memory for patches");
        }
        *g = (tyi_soil_patch_group){ .next = s->group, .lane = s->group ? s->group->lane + 1 : 0 };
        g->lane %= TYI_DEVICE_LANES;
        s->group = g;
    }
    g->members++;
    p->group = g;
    return TY_OK;
}

static ty_status join(void *state, const ty_soil_carrier *carrier, ty_diag *diag)
{
    patches *s = state;
    const ty_alloc *alloc = s->site->alloc;
    int count = carrier->first + carrier->count;
    size_t bytes = (size_t)count * sizeof(tyi_soil_patch *), old = (size_t)s->count * sizeof(tyi_soil_patch *);
    tyi_soil_patch **more = tyi_get(alloc, bytes), **busy = tyi_get(alloc, bytes);
    if (!more || !busy) {
        tyi_put(alloc, more, more ? bytes : 0);
        tyi_put(alloc, busy, busy ? bytes : 0);
        return ty_fail(diag, TY_ERR_MEMORY, "soil: no memory for patches");
    }
    for (int i = 0; i < s->count; i++) {
        more[i] = s->patch[i];
    }
    tyi_put(alloc, s->patch, old);
    tyi_put(alloc, s->busy, old);
    s->patch = more;
    s->busy = busy;
    s->count = count;
    ty_status status = TY_OK;
    bool tools = s->def->patch.model != TY_PATCH_NONE && s->def->patch.follow == TY_PATCH_TOOL;
    for (int i = 0; i < carrier->count && status == TY_OK; i++) {
        if (tools && !carrier->body[i].tool) {
            continue; /* wheels stand on the ground's own model */
        }
        status = tyi_soil_patch_create(s->site, s->def, carrier->number, &carrier->body[i],
                                       s->tile.count ? &s->tile : NULL, &s->patch[carrier->first + i], diag);
        if (status == TY_OK) {
            s->patch[carrier->first + i]->lane = (carrier->first + i) % TYI_DEVICE_LANES;
            status = find_group(s, s->patch[carrier->first + i], diag);
        }
    }
    return status;
}

static void step_one(void *user, size_t i, int worker)
{
    (void)worker;
    tyi_soil_patch_step(((tyi_soil_patch **)user)[i]);
}

/* those of group number i that are busy */
static void step_group(void *user, size_t i, int worker)
{
    (void)worker;
    const patches *s = user;
    const tyi_soil_patch_group *g = s->group;
    tyi_soil_patch *own[TYI_CRM_BEDS];
    int count = 0;
    for (; i; i--) {
        g = g->next;
    }
    for (size_t k = 0; k < s->busy_count; k++) {
        if (s->busy[k]->group == g) {
            own[count++] = s->busy[k];
        }
    }
    if (count) {
        tyi_soil_patch_step_many(own, count);
    }
}

/* A tool in the air that holds nothing needs no particles: [m] over the ground from which on it does without, and with. */
static bool wanted_by(const tyi_soil_patch *p, const ty_soil_at *at)
{
    double deep = -INFINITY;
    for (int k = 0; k < at->plane->slices; k++) {
        deep = fmax(deep, at->plane->h[k]);
    }
    return !p->tool || p->s.held > 0.0 || deep > (p->s.placed ? -6.0 : -2.0) * p->d;
}

static tyi_crm_body tool_body(const patches *s, const tyi_soil_patch *p, const ty_soil_body *in)
{
    double own = p->tool->friction, within = tyi_soil_patch_mu(s->def);
    return (tyi_crm_body){ .shape = TYI_CRM_LATTICE,
                           .lattice = &p->shape,
                           .friction = own > 0.0 ? own : within,
                           .pose = { in->centre, in->q },
                           .v = in->v,
                           .w = in->w };
}

static ty_status take_in(patches *s, const ty_soil_at *at, double dt, ty_diag *diag)
{
    tyi_soil_patch *p = s->patch[at->body];
    const ty_soil_body *in = at->state;
    const ty_wheel_shape *shape = &at->def->wheel;
    const ty_patch_params *q = &s->def->patch;
    ty_status status = TY_OK;
    double stiff = q->e * (1.0 - q->nu) / ((1.0 + q->nu) * (1.0 - 2.0 * q->nu)) * shape->b;
    stiff *= p->tile ? cbrt(at->def->weight / (shape->b * shape->r) / q->e) : 1.0; /* grains touch in points */
    if (at->def->mass > 0.0 && stiff * dt * dt > at->def->mass) {
        return ty_fail(diag, TY_ERR_RANGE,
                       "soil: a step of %g s is too long for a %s of %g kg on soil of %g Pa; it takes at most %.2g s",
                       dt, p->tool ? "tool" : "wheel", at->def->mass, q->e, sqrt(at->def->mass / stiff));
    }
    /* in a run the patch follows in press(), after the step; the rig has no such call */
    if (!p->s.placed || (!s->site->terrain && tyi_soil_patch_due(p, in->centre.x, in->centre.y))) {
        status = tyi_soil_patch_follow(p, in->centre.x, in->centre.y, diag);
    }
    p->body = (tyi_crm_body){ .shape = TYI_CRM_WHEEL,
                              .a = shape->r,
                              .b = shape->grouser_h,
                              .c = 0.5 * shape->b,
                              .lugs = shape->grouser_h > 0.0 ? shape->grousers : 0,
                              .plate = s->def->grid.plate * shape->grouser_h,
                              .friction = q->friction > 0.0 ? q->friction : tyi_soil_patch_mu(s->def),
                              .pose = { in->centre, in->q },
                              .v = in->v,
                              .w = in->w };
    if (p->tool) {
        p->body = tool_body(s, p, in);
    }
    p->dt = dt;
    p->s.idle = 0;
    return status;
}

static void take_load(const ty_soil_at *at, const tyi_soil_patch *p)
{
    ty_soil_load *o = at->load;
    double by = 1.0 / p->dt;
    o->force = ty_scale(by, p->load.impulse);
    o->torque = ty_scale(by, p->load.twist);
    o->fx = ty_dot(o->force, o->x);
    o->fy = ty_dot(o->force, ty_cross(o->n, o->x));
    o->fz = ty_dot(o->force, o->n);
    o->resistance = -ty_dot(o->torque, at->state->axle);
    for (int k = 0; k < at->plane->slices; k++) {
        o->sinkage = fmax(o->sinkage, at->plane->h[k]);
    }
    o->carried = p->s.held;
    o->theta1 = acos(fmax(1.0 - fmax(o->sinkage, 0.0) / at->plane->radius, -1.0));
    *at->theta1 = o->theta1;
}

static ty_status step(void *state, const ty_soil_def *def, const ty_soil_at *at, int count, double dt, ty_diag *diag)
{
    patches *s = state;
    ty_status status = TY_OK;
    for (int i = 0; i < s->count; i++) {
        if (s->patch[i]) {
            s->patch[i]->s.idle = 1;
        }
    }
    size_t busy = 0, groups = 0;
    for (int i = 0; i < count && status == TY_OK; i++) {
        if (wanted_by(s->patch[at[i].body], &at[i])) {
            status = take_in(s, &at[i], dt, diag);
            s->busy[busy++] = s->patch[at[i].body];
        }
    }
    if (status != TY_OK) {
        return status;
    }
    /* a patch that is alone spreads over all threads; several go side by side, one thread each: the bits are the same */
    for (size_t i = 0; i < busy; i++) {
        tyi_soil_particles_threads(&s->busy[i]->soil, busy > 1 ? 1 : def->patch.threads);
    }
    bool device = s->site->device && def->patch.device,
         met = true; /* each, or each group, has a queue there, and a thread that waits for it */
    for (size_t i = 0; i < busy; i++) {
        met = met && s->busy[i]->met;
    }
    for (const tyi_soil_patch_group *g = s->group; g; g = g->next) {
        groups++;
    }
    s->busy_count = busy;
    if (groups) {
        tyi_tasks_for(met ? (int)groups : 1, groups, step_group, s);
    } else {
        int wait = met ? (int)busy : 1;
        tyi_tasks_for(device ? wait : tyi_tasks_threads(def->patch.threads), busy, step_one, s->busy);
    }
    for (int i = 0; i < count; i++) {
        tyi_soil_patch *p = s->patch[at[i].body];
        if (p->s.idle) {
            continue;
        }
        if (p->status != TY_OK) {
            return ty_fail(diag, p->status, "soil under %s %d: %s", p->tool ? "tool" : "wheel", at[i].body,
                           p->diag.text);
        }
        take_load(&at[i], p);
    }
    return TY_OK;
}

/* The height field is told again when the wheel has moved by a sample and two spacings, or sunk by a quarter of one; and whenever the patch follows. */
static bool moved_on(const patches *s, const tyi_soil_patch *p)
{
    ty_vec3 at = p->body.pose.p;
    return !(hypot(at.x - p->s.told.x, at.y - p->s.told.y) < fmax(s->site->spacing, 2.0 * p->d)) ||
           at.z < p->s.told.z - 0.25 * p->d;
}

/* patches follow, those of wheels that stand on another soil by now go back to the height field */
static ty_status press(void *state, const ty_soil_carrier *carrier, bool wanted, double x, double y, ty_diag *diag)
{
    patches *s = state;
    (void)x, (void)y;
    ty_status status = TY_OK;
    for (int i = 0; i < carrier->count && status == TY_OK; i++) {
        tyi_soil_patch *p = s->patch[carrier->first + i];
        if (!p || !p->s.placed) {
            continue;
        }
        ty_vec3 at = p->body.pose.p; /* moved on by the step */
        if (p->tool && p->s.steps % COUNT == 0) {
            tyi_soil_patch_count(p);
        }
        status = p->s.idle                           ? tyi_soil_patch_leave(p, diag)
                 : tyi_soil_patch_due(p, at.x, at.y) ? tyi_soil_patch_follow(p, at.x, at.y, diag)
                 : wanted && moved_on(s, p)          ? tyi_soil_patch_tell(p, false, diag)
                 : p->tool && p->s.steps % TELL == 0 ? tyi_soil_patch_tell(p, false, diag)
                                                     : TY_OK;
    }
    return status;
}

/* ---- the ledger ---- */

tyi_soil_patch_ledger tyi_soil_patch_sum(const void *state)
{
    const patches *s = state;
    tyi_soil_patch_ledger sum = { 0 };
    for (int i = 0; i < s->count; i++) {
        const tyi_soil_patch *p = s->patch[i];
        if (!p) {
            continue;
        }
        double flying, carried, rho = s->def->bekker.rho;
        sum.entered += rho * p->s.entered;
        sum.left += rho * p->s.left;
        sum.inside += tyi_soil_patch_mass(p, &flying, &carried);
        sum.airborne += flying;
        sum.carried += carried;
    }
    return sum;
}

ty_status tyi_soil_patch_tell_all(void *state, ty_diag *diag)
{
    patches *s = state;
    ty_status status = TY_OK;
    for (int i = 0; i < s->count && status == TY_OK; i++) {
        status = s->patch[i] ? tyi_soil_patch_tell(s->patch[i], false, diag) : TY_OK;
    }
    return status;
}

const tyi_soil_patch *tyi_soil_patch_at(const void *state, int body)
{
    const patches *s = state;
    return body < s->count ? s->patch[body] : NULL;
}

void tyi_soil_patch_loose_all(const void *state, tyi_soil_loose visit, void *user)
{
    const patches *s = state;
    for (int i = 0; i < s->count; i++) {
        if (s->patch[i] && s->patch[i]->s.placed) {
            tyi_soil_patch_loose(s->patch[i], (uint32_t)i, visit, user);
        }
    }
}

size_t tyi_soil_patch_loose_most(const void *state)
{
    const patches *s = state;
    size_t n = 0;
    for (int i = 0; i < s->count; i++) {
        n += s->patch[i] ? s->patch[i]->room : 0;
    }
    return n;
}

/* ---- saving: size of each patch, and itself ---- */

static size_t save(const void *state, void *out)
{
    const patches *s = state;
    size_t bytes = 0;
    for (int i = 0; i < s->count; i++) {
        uint64_t size = s->patch[i] ? tyi_soil_patch_save(s->patch[i], NULL) : 0;
        if (out) {
            char *to = (char *)out + bytes;
            memcpy(to, &size, sizeof size);
            if (size) {
                tyi_soil_patch_save(s->patch[i], to + sizeof size);
            }
        }
        bytes += sizeof size + (size_t)size;
    }
    return bytes;
}

static ty_status restore(void *state, const void *saved, size_t bytes, ty_diag *diag)
{
    patches *s = state;
    const char *from = saved;
    ty_status status = TY_OK;
    for (int i = 0; i < s->count && status == TY_OK; i++) {
        uint64_t size = 0;
        if (bytes < sizeof size) {
            return ty_fail(diag, TY_ERR_FORMAT, "soil: the saved patches end too early");
        }
        memcpy(&size, from, sizeof size);
        from += sizeof size, bytes -= sizeof size;
        if (size > bytes || !size != !s->patch[i]) {
            return ty_fail(diag, TY_ERR_FORMAT, "soil: the saved patches end too early");
        }
        status = size ? tyi_soil_patch_restore(s->patch[i], from, (size_t)size, diag) : TY_OK;
        from += size, bytes -= (size_t)size;
    }
    return status == TY_OK && bytes ? ty_fail(diag, TY_ERR_FORMAT, "soil: more patches were saved than there are")
                                    : status;
}

/* a wheel that is put down stands on the tips of its lugs */
static double tips(const ty_soil_def *def, const ty_wheel_shape *shape)
{
    (void)def;
    return shape->r + (shape->grousers ? shape->grouser_h : 0.0);
}

#define ROW(which)                                                     \
    const ty_soil_model tyi_soil_model_##which = { .name = #which,     \
                                                   .tools = true,      \
                                                   .stand = tips,      \
                                                   .create = create,   \
                                                   .join = join,       \
                                                   .step = step,       \
                                                   .press = press,     \
                                                   .save = save,       \
                                                   .restore = restore, \
                                                   .destroy = destroy }
ROW(crm);
ROW(dem);

bool tyi_soil_is_patches(const ty_soil_model *model)
{
    return model == &tyi_soil_model_crm || model == &tyi_soil_model_dem;
}
