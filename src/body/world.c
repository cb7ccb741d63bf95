/* src/body/world.c - see world.h: who may touch whom, groups by a fixed rule, touches.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "world_inner.h"
#include <stdio.h>
#include <string.h>
#include "core/core.h"

#define AHEAD 1.0  /* [s] that speeds count for */
#define NEAR  0.25 /* [m] beside that: what is nearer comes in */
#define STAY  0.75 /* [m] beyond that: what is in stays in, and what comes in brings its neighbours */
#define BELOW 0.10 /* [m] rocks that end that far below a rover's lowest shape come in */
#define BREAK 1.0  /* [s] a touch that comes again after less is the same */
#define ROCKS 96   /* around one rover */

typedef tyi_body_ref ref;
typedef tyi_body_set group;
typedef tyi_body_member rover;

void tyi_body_hull_bound(tyi_body_hull *h)
{
    double r = h->size.x, l = h->size.y;
    h->mid = ty_vec3_make(0.0, 0.0, 0.0);
    h->half = h->kind == TY_SHAPE_SPHERE     ? ty_vec3_make(r, r, r)
              : h->kind == TY_SHAPE_CAPSULE  ? ty_vec3_make(r, r, r + l)
              : h->kind == TY_SHAPE_CYLINDER ? ty_vec3_make(r, r, l)
                                             : h->size;
    if (h->kind != TY_SHAPE_MESH) {
        return;
    }
    double low[3] = { INFINITY, INFINITY, INFINITY }, high[3] = { -INFINITY, -INFINITY, -INFINITY };
    for (int i = 0; i < 3 * h->vertices; i++) {
        double x = h->scale * (double)h->vertex[i];
        low[i % 3] = fmin(low[i % 3], x), high[i % 3] = fmax(high[i % 3], x);
    }
    h->mid = ty_vec3_make(0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), 0.5 * (low[2] + high[2]));
    h->half = ty_vec3_make(0.5 * (high[0] - low[0]), 0.5 * (high[1] - low[1]), 0.5 * (high[2] - low[2]));
}

/* ---- life ---- */

ty_status tyi_body_world_create(const tyi_body_world_def *def, tyi_body_world **out, ty_diag *diag)
{
    tyi_body_world *w = tyi_get(def->alloc, sizeof *w);
    *out = w;
    if (w) {
        w->def = *def;
        w->take = tyi_get(def->alloc, THINGS * sizeof *w->take);
        w->take_mover = tyi_get(def->alloc, THINGS * sizeof *w->take_mover);
        w->rocks = tyi_get(def->alloc, ROCKS * sizeof *w->rocks);
        w->group = tyi_get(def->alloc, sizeof(group *));
    }
    if (w && w->group) {
        w->group[0] = tyi_get(def->alloc, sizeof **w->group);
    }
    if (!w || !w->take || !w->take_mover || !w->rocks || !w->group || !w->group[0]) {
        tyi_body_world_destroy(w);
        *out = NULL;
        return ty_fail(diag, TY_ERR_MEMORY, "bodies: no memory");
    }
    return TY_OK;
}

void tyi_body_world_destroy(tyi_body_world *w)
{
    if (!w) {
        return;
    }
    const ty_alloc *alloc = w->def.alloc;
    for (int i = 0; w->group && i < w->rovers + 1; i++) {
        tyi_body_group_destroy(w->group[i] ? w->group[i]->model : NULL);
        tyi_put(alloc, w->group[i], w->group[i] ? sizeof *w->group[i] : 0);
    }
    tyi_put(alloc, w->rover, (size_t)w->rover_room * sizeof *w->rover);
    tyi_put(alloc, w->group, w->group ? (size_t)(w->rover_room + 1) * sizeof(group *) : 0);
    tyi_put(alloc, w->thing, (size_t)w->thing_room * sizeof *w->thing);
    tyi_put(alloc, w->mover, (size_t)w->thing_room * sizeof *w->mover);
    tyi_put(alloc, w->take, w->take ? THINGS * sizeof *w->take : 0);
    tyi_put(alloc, w->take_mover, w->take_mover ? THINGS * sizeof *w->take_mover : 0);
    tyi_put(alloc, w->rocks, w->rocks ? ROCKS * sizeof *w->rocks : 0);
    tyi_put(alloc, w, sizeof *w);
}

/* an array of twice the size with the old one's content; NULL: no memory, the old one is still there */
static void *larger(const ty_alloc *alloc, void *old, int room, int more, size_t each)
{
    void *new = tyi_get(alloc, (size_t)more * each);
    if (new &&old) {
        memcpy(new, old, (size_t)room * each);
        tyi_put(alloc, old, (size_t)room * each);
    }
    return new;
}

ty_status tyi_body_world_join(tyi_body_world *w, tyi_body_mbd *mbd, const char *name, ty_diag *diag)
{
    group *g = tyi_get(w->def.alloc, sizeof *g);
    if (g && w->rovers == w->rover_room) {
        int more = w->rover_room ? 2 * w->rover_room : 4;
        rover *rovers = larger(w->def.alloc, w->rover, w->rover_room, more, sizeof *w->rover);
        w->rover = rovers ? rovers : w->rover;
        group **groups =
            rovers ? larger(w->def.alloc, (void *)w->group, w->rover_room + 1, more + 1, sizeof(group *)) : NULL;
        w->group = groups ? groups : w->group;
        w->rover_room = groups ? more : w->rover_room;
    }
    if (!g || w->rovers == w->rover_room) {
        tyi_put(w->def.alloc, g, g ? sizeof *g : 0);
        return ty_fail(diag, TY_ERR_MEMORY, "bodies: no memory for rover '%s'", name);
    }
    rover *r = &w->rover[w->rovers];
    *r = (rover){ .mbd = mbd };
    snprintf(r->name, sizeof r->name, "%s", name);
    w->group[++w->rovers] = g;
    return TY_OK;
}

ty_status tyi_body_world_add(tyi_body_world *w, const tyi_body_thing *thing, ty_diag *diag)
{
    for (int i = 0; i < w->things; i++) {
        if (w->thing[i].gone && w->thing[i].kind == thing->kind && w->thing[i].id == thing->id) {
            w->thing[i] = *thing;
            return TY_OK;
        }
    }
    if (w->things == w->thing_room) {
        int more = w->thing_room ? 2 * w->thing_room : 16;
        tyi_body_thing *things = larger(w->def.alloc, w->thing, w->thing_room, more, sizeof *w->thing);
        w->thing = things ? things : w->thing;
        int *movers = things ? larger(w->def.alloc, w->mover, w->thing_room, more, sizeof *w->mover) : NULL;
        w->mover = movers ? movers : w->mover;
        w->thing_room = movers ? more : w->thing_room;
    }
    if (w->things == w->thing_room) {
        return ty_fail(diag, TY_ERR_MEMORY, "bodies: no memory for '%s'", thing->name);
    }
    w->thing[w->things] = *thing;
    w->mover[w->things++] = thing->moves ? w->movers++ : -1;
    return TY_OK;
}

/* ---- who is near ---- */

static void survey(rover *r)
{
    const tyi_body_hull *h;
    int n = tyi_body_mbd_hulls(r->mbd, &h);
    ty_vec3 turn, v;
    r->centre = tyi_body_mbd_centre(r->mbd);
    r->radius = 0.0;
    r->low = INFINITY;
    for (int i = 0; i < n; i++) {
        ty_pose pose = ty_pose_mul(tyi_body_mbd_pose(r->mbd, h[i].body), h[i].pose);
        ty_vec3 mid = ty_pose_point(pose, h[i].mid), up = ty_rotate(ty_quat_conj(pose.q), ty_vec3_make(0, 0, 1));
        r->radius = fmax(r->radius, ty_norm(ty_sub(mid, r->centre)) + ty_norm(h[i].half));
        if (!h[i].wheel) {
            double below = fabs(up.x) * h[i].half.x + fabs(up.y) * h[i].half.y + fabs(up.z) * h[i].half.z;
            r->low = fmin(r->low, mid.z - below);
        }
    }
    tyi_body_mbd_twist(r->mbd, 0, r->centre, &v, &turn);
    r->speed = ty_norm(v) + r->radius * ty_norm(turn);
}

int tyi_body_world_things(const tyi_body_world *w, const tyi_body_thing **out)
{
    *out = w->thing;
    return w->things;
}

static const tyi_body_hull *part_of(const tyi_body_thing *t, int i)
{
    return t->part ? &t->part[i] : &t->single;
}

/* [m] from a point to a thing */
static double distance(const tyi_body_thing *t, ty_vec3 p)
{
    double least = INFINITY;
    for (int i = 0; i < t->parts; i++) {
        const tyi_body_hull *h = part_of(t, i);
        ty_pose pose = ty_pose_mul(t->pose, h->pose);
        ty_vec3 q = ty_sub(ty_rotate(ty_quat_conj(pose.q), ty_sub(p, pose.p)), h->mid);
        ty_vec3 out = ty_vec3_make(fmax(fabs(q.x) - h->half.x, 0.0), fmax(fabs(q.y) - h->half.y, 0.0),
                                   fmax(fabs(q.z) - h->half.z, 0.0));
        least = fmin(least, ty_norm(out));
    }
    return least;
}

static double reach_of(const rover *r)
{
    return r->radius + NEAR + AHEAD * r->speed;
}

static double gap_of(const rover *a, const rover *b)
{
    return ty_norm(ty_sub(a->centre, b->centre)) - reach_of(a) - reach_of(b) + NEAR;
}

static bool linked(const rover *a, const rover *b)
{
    if (a->away || b->away || a->lent || b->lent) {
        return false;
    }
    return gap_of(a, b) < (a->in && a->in == b->in ? STAY : 0.0);
}

/* who belongs together: root[i] is the lowest number of i's. more [m]: by that distance alone, whoever moves them; negative: as groups go */
static void unite(const tyi_body_world *w, double more, int *root)
{
    for (int i = 0; i < w->rovers; i++) {
        root[i] = i;
    }
    for (int i = 0; i < w->rovers; i++) {
        for (int j = i + 1; j < w->rovers; j++) {
            int a = root[i], b = root[j];
            const rover *p = &w->rover[i], *q = &w->rover[j];
            bool both = more < 0.0 ? linked(p, q) : !p->away && !q->away && gap_of(p, q) < more;
            if (a == b || !both) {
                continue;
            }
            for (int k = 0; k < w->rovers; k++) {
                root[k] = root[k] == (a > b ? a : b) ? (a > b ? b : a) : root[k];
            }
        }
    }
}

static bool has(const tyi_body_thing *list, int count, int kind, uint64_t id)
{
    for (int i = 0; i < count; i++) {
        if (list[i].kind == kind && list[i].id == id) {
            return true;
        }
    }
    return false;
}

static bool holds(const group *g, int kind, uint64_t id)
{
    for (int i = 0; i < g->things; i++) {
        if (g->thing[i].kind == kind && g->thing[i].id == id) {
            return true;
        }
    }
    return false;
}

/* What the things near a group ask for. */
typedef struct need {
    const group *g; /* that there is; NULL: none */
    int taken;      /* in world.take */
    bool some;      /* something is near enough to come in */
    bool missing;   /* and is not in the group */
} need;

static void consider(tyi_body_world *w, const rover *r, const tyi_body_thing *t, int mover, need *n)
{
    tyi_body_motion m = { .pose = t->pose };
    if (mover >= 0) {
        w->def.motion(w->def.user, mover, 0.0, &m);
    }
    tyi_body_thing now = *t;
    now.pose = m.pose;
    double gap = distance(&now, r->centre) - reach_of(r) - AHEAD * ty_norm(m.v);
    if (gap > STAY) {
        return;
    }
    if (gap < 0.0) {
        n->some = true;
        n->missing = n->missing || !n->g || !holds(n->g, t->kind, t->id);
    }
    if (n->taken < THINGS && !has(w->take, n->taken, t->kind, t->id)) {
        w->take[n->taken] = now;
        w->take_mover[n->taken++] = mover;
    }
}

/* all that is near rover i */
static void look_around(tyi_body_world *w, int i, need *n)
{
    const rover *r = &w->rover[i];
    for (int k = 0; k < w->things; k++) {
        if (!w->thing[k].gone) {
            consider(w, r, &w->thing[k], w->mover[k], n);
        }
    }
    int rocks =
        w->def.rocks ? w->def.rocks(w->def.user, i, r->centre, reach_of(r) + STAY, r->low - BELOW, w->rocks, ROCKS) : 0;
    for (int k = 0; k < rocks; k++) {
        consider(w, r, &w->rocks[k], -1, n);
    }
}

/* ---- groups ---- */

static group *free_group(tyi_body_world *w)
{
    for (int i = 0; i < w->rovers + 1; i++) {
        if (!w->group[i]->model) {
            return w->group[i];
        }
    }
    return NULL;
}

/* groups that nobody is in any more */
void tyi_body_world_sweep(tyi_body_world *w)
{
    for (int i = 0; i < w->rovers + 1; i++) {
        bool used = false;
        for (int k = 0; k < w->rovers; k++) {
            used = used || w->rover[k].in == w->group[i];
        }
        if (!used && w->group[i]->model) {
            tyi_body_group_destroy(w->group[i]->model);
            *w->group[i] = (group){ .model = NULL };
        }
    }
}

ty_status tyi_body_world_join_up(tyi_body_world *w, const int *member, int members, int taken, uint64_t step,
                                 ty_diag *diag)
{
    tyi_body_mbd *mbd[TYI_BODY_MEMBERS] = { NULL };
    group *g = free_group(w);
    if (members > TYI_BODY_MEMBERS || !g) {
        return ty_fail(diag, TY_ERR_RANGE, "bodies: %d rovers stand within reach of each other, but a group takes %d",
                       members, TYI_BODY_MEMBERS);
    }
    for (int i = 0; i < members; i++) {
        mbd[i] = w->rover[member[i]].mbd;
    }
    ty_status status = tyi_body_group_create(mbd, members, w->take, taken, step, &g->model, diag);
    if (!g->model) {
        return status;
    }
    g->members = members;
    g->stale = false;
    g->things = taken;
    for (int i = 0; i < members; i++) {
        g->member[i] = member[i];
        w->rover[member[i]].in = g;
    }
    for (int i = 0; i < taken; i++) {
        g->thing[i] = (ref){ .kind = w->take[i].kind, .id = w->take[i].id, .mover = w->take_mover[i] };
        memcpy(g->thing[i].name, w->take[i].name, sizeof g->thing[i].name);
    }
    return status;
}

static bool same_members(const group *g, const int *member, int members)
{
    return g && g->members == members && !memcmp(g->member, member, (size_t)members * sizeof *member);
}

/* what belongs together from now on: as it is, by itself, or in a new group */
static ty_status settle(tyi_body_world *w, const int *member, int members, uint64_t step, ty_diag *diag)
{
    group *old = w->rover[member[0]].in;
    need n = { .g = same_members(old, member, members) ? old : NULL };
    for (int i = 0; i < members; i++) {
        look_around(w, member[i], &n);
    }
    bool alone = members == 1 && !n.some && (!n.g || n.taken == 0);
    if (alone) {
        w->rover[member[0]].in = NULL;
        return tyi_body_mbd_leave(w->rover[member[0]].mbd, step, diag);
    }
    if (n.g && !n.missing && !n.g->stale) {
        return TY_OK;
    }
    return members > 1 || n.some || (n.g && n.g->stale)
               ? tyi_body_world_join_up(w, member, members, n.taken, step, diag)
               : TY_OK;
}

/* all: every rover; else those that belong with one who asks */
static ty_status arrange(tyi_body_world *w, bool all, uint64_t step, ty_diag *diag)
{
    enum { MOST = 1024 };
    int root[MOST], member[MOST];
    ty_status status = w->rovers > MOST ? ty_fail(diag, TY_ERR_RANGE, "bodies: more than %d rovers", MOST) : TY_OK;
    for (int i = 0; i < w->rovers && status == TY_OK; i++) {
        survey(&w->rover[i]);
    }
    if (status == TY_OK) {
        unite(w, -1.0, root);
    }
    for (int i = 0; i < w->rovers && status == TY_OK; i++) {
        int members = 0;
        bool asked = all;
        for (int k = i; k < w->rovers && root[i] == i && !w->rover[i].away && !w->rover[i].lent; k++) {
            if (root[k] == i) {
                member[members++] = k;
                asked = asked || w->rover[k].asks;
            }
        }
        if (members && asked) {
            status = settle(w, member, members, step, diag);
            tyi_body_world_sweep(w);
        }
    }
    return status;
}

tyi_body_place tyi_body_world_place(tyi_body_world *w, int which)
{
    rover *r = &w->rover[which];
    survey(r);
    return (tyi_body_place){ r->centre, r->radius, r->speed };
}

void tyi_body_world_clusters(tyi_body_world *w, const tyi_body_place *place, double more, int *root)
{
    for (int i = 0; i < w->rovers; i++) {
        w->rover[i].centre = place[i].centre;
        w->rover[i].radius = place[i].radius, w->rover[i].speed = place[i].speed;
    }
    unite(w, more, root);
}

ty_status tyi_body_world_arrange(tyi_body_world *w, uint64_t step, ty_diag *diag)
{
    return arrange(w, true, step, diag);
}

bool tyi_body_world_near(tyi_body_world *w, const tyi_body_thing *thing)
{
    bool some = false;
    for (int i = 0; i < w->rovers && !some; i++) {
        survey(&w->rover[i]);
        some = !w->rover[i].away && distance(thing, w->rover[i].centre) - reach_of(&w->rover[i]) < STAY;
    }
    return some;
}

ty_status tyi_body_world_arrange_near(tyi_body_world *w, int which, const tyi_body_thing *thing, uint64_t step,
                                      ty_diag *diag)
{
    for (int i = 0; i < w->rovers; i++) {
        rover *r = &w->rover[i];
        survey(r);
        r->asks = which < 0 ? distance(thing, r->centre) - reach_of(r) < STAY : which == i;
    }
    return arrange(w, false, step, diag);
}

/* ---- who comes and goes ---- */

ty_status tyi_body_world_set_away(tyi_body_world *w, int which, bool away, uint64_t step, ty_diag *diag)
{
    rover *r = &w->rover[which];
    const group *g = r->in;
    r->away = away;
    if (!away || !g) {
        return TY_OK;
    }
    for (int i = 0; i < w->rovers; i++) {
        w->rover[i].asks = w->rover[i].in == g && i != which;
    }
    r->in = NULL;
    ty_status status = tyi_body_mbd_leave(r->mbd, step, diag);
    return status == TY_OK ? arrange(w, false, step, diag) : status;
}

ty_status tyi_body_world_take(tyi_body_world *w, int kind, uint64_t id, uint64_t step, ty_diag *diag)
{
    for (int i = 0; i < w->things; i++) { /* it keeps its place in the list, for when it comes back */
        w->thing[i].gone = w->thing[i].gone || (w->thing[i].kind == kind && w->thing[i].id == id);
    }
    for (int i = 0; i < w->rovers; i++) {
        rover *r = &w->rover[i];
        r->asks = r->in && holds(r->in, kind, id);
        if (r->asks) {
            r->in->stale = true;
        }
    }
    return arrange(w, false, step, diag);
}

int tyi_body_world_groups(const tyi_body_world *w)
{
    int n = 0;
    for (int i = 0; i < w->rovers + 1; i++) {
        n += w->group[i]->model != NULL;
    }
    return n;
}

/* ---- step ---- */

void tyi_body_world_touch(tyi_body_world *w, const tyi_body_touch *now)
{
    tyi_body_touch *at = NULL, *oldest = &w->touch[0];
    for (int i = 0; i < w->touches; i++) {
        tyi_body_touch *k = &w->touch[i];
        at = k->rover == now->rover && k->kind == now->kind && k->id == now->id ? k : at;
        oldest = k->last < oldest->last ? k : oldest;
    }
    if (!at) {
        at = w->touches < TYI_BODY_TOUCHES ? &w->touch[w->touches++] : oldest;
        at->last = -INFINITY;
    }
    if (now->last - at->last > BREAK) {
        *at = *now;
        at->peak = 0.0;
    }
    at->last = now->last;
    at->force = now->force;
    at->peak = fmax(at->peak, now->force);
}

void tyi_body_world_listen(tyi_body_world *w, tyi_body_heard heard, void *user)
{
    w->heard = heard;
    w->heard_user = user;
}

static void touch(tyi_body_world *w, int first, int who, const ref *other, const tyi_body_press *p, double t)
{
    double force = ty_norm(p->force);
    tyi_body_touch now;
    memset(&now, 0, sizeof now); /* it is told byte by byte */
    now.rover = who, now.kind = (int32_t)other->kind, now.id = other->id;
    now.begin = now.last = t, now.force = now.peak = force, now.at = p->at;
    memcpy(now.name, other->name, sizeof now.name);
    tyi_body_world_touch(w, &now);
    if (w->heard) {
        w->heard(w->heard_user, first, &now);
    }
}

static ref rover_ref(const tyi_body_world *w, int i)
{
    ref r = { .kind = TYI_BODY_ROVER, .id = (uint64_t)i, .mover = -1 };
    memcpy(r.name, w->rover[i].name, sizeof r.name);
    return r;
}

static void note_touches(tyi_body_world *w, const group *g, double t)
{
    const tyi_body_press *p;
    int n = tyi_body_group_presses(g->model, &p);
    for (int i = 0; i < n; i++) {
        int a = g->member[p[i].a.member];
        ref other = p[i].b.member >= 0 ? rover_ref(w, g->member[p[i].b.member]) : g->thing[p[i].b.thing];
        if (!(ty_norm(p[i].force) > 0.0)) {
            continue;
        }
        touch(w, g->member[0], a, &other, &p[i], t);
        if (p[i].b.member >= 0) {
            ref first = rover_ref(w, a);
            touch(w, g->member[0], g->member[p[i].b.member], &first, &p[i], t);
        }
    }
}

static ty_status step_group(tyi_body_world *w, const group *g, uint64_t step, double t, double dt, ty_diag *diag)
{
    int mover = 0;
    for (int k = 0; k < g->things; k++) {
        if (g->thing[k].mover >= 0) {
            tyi_body_motion m;
            w->def.motion(w->def.user, (int)g->thing[k].mover, dt, &m);
            tyi_body_group_move(g->model, mover++, &m);
        }
    }
    ty_status status = tyi_body_group_step(g->model, step, dt, diag);
    if (status == TY_OK) {
        note_touches(w, g, t);
    }
    return status;
}

void tyi_body_world_set_asleep(tyi_body_world *w, int which, bool asleep)
{
    w->rover[which].asleep = asleep;
}

bool tyi_body_world_alone(const tyi_body_world *w, int which)
{
    return !w->rover[which].in;
}

ty_status tyi_body_world_step(tyi_body_world *w, uint64_t step, double t, double dt, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (int i = 0; i < w->rovers && status == TY_OK; i++) {
        const group *g = w->rover[i].in;
        if (w->rover[i].away || w->rover[i].asleep || w->rover[i].lent) {
            continue;
        }
        if (!g) {
            status = tyi_body_mbd_end(w->rover[i].mbd, step, dt, diag);
        } else if (g->member[0] == i) {
            status = step_group(w, g, step, t, dt, diag);
        }
    }
    return status;
}

int tyi_body_world_touches(const tyi_body_world *w, const tyi_body_touch **out)
{
    *out = w->touch;
    return w->touches;
}

bool tyi_body_world_inside(const tyi_body_world *w, double depth, const char *name[2], bool *rovers, double *by)
{
    tyi_body_press p;
    for (int i = 0; i < w->rovers; i++) {
        const group *g = w->rover[i].in;
        if (g && g->member[0] == i && tyi_body_group_inside(g->model, depth, &p, 1)) {
            name[0] = w->rover[g->member[p.a.member]].name;
            *rovers = p.b.member >= 0;
            name[1] = *rovers ? w->rover[g->member[p.b.member]].name : g->thing[p.b.thing].name;
            *by = p.depth;
            return true;
        }
    }
    return false;
}

ty_status tyi_body_world_check_free(const tyi_body_world *w, double depth, ty_diag *diag)
{
    const char *name[2];
    bool rovers;
    double by;
    if (!tyi_body_world_inside(w, depth, name, &rovers, &by)) {
        return TY_OK;
    }
    return ty_fail(diag, TY_ERR_INPUT,
                   rovers ? "rovers '%s' and '%s' start inside each other, by %.2f m"
                          : "rover '%s' starts inside '%s', by %.2f m",
                   name[0], name[1], by);
}
