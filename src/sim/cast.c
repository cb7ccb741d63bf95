/* src/sim/cast.c - see ty_run_add(), ty_run_remove(): what comes and goes in a run.
 *
 * All of it is a log of lines. A state that is saved holds the log; a run that is restored does what it says, up to its end, and
 * then has the saved ground, bodies and sensors. Lines that a restored state does not have yet stay behind the log's end: if the same
 * lines come again (a replay), their shapes are there.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "body/world.h"
#include "run.h"
#include "scenario/inner.h"
#include "stage.h"
#include "trial.h"
#include "vehicle/inner.h"
#include "vehicle/vehicle.h"
#include "world/terrain/inner.h"
#include "world/terrain/patch.h"

#define MOST  64  /* things of one line */
#define FAR   100 /* [m] around rovers in which generated rocks are looked for */
#define ADDED ((uint64_t)1 << 32)

typedef struct thing {
    bool here;
    double z;            /* [m] of the ground under an object when it came */
    tyi_body_hull *hull; /* objects: TYI_SIM_PIECES */
    float *vertex;
    uint32_t scene; /* 0: not in the scene yet */
} thing;

typedef struct entry {
    ty_time time;
    bool leaves;
    char *text;
    ty_scenario *part; /* what comes; NULL: something leaves */
    thing *object, *rock;
    double x, y; /* [m] of what leaves */
    uint64_t id; /* of a rock that leaves */
} entry;

struct tyi_sim_cast {
    entry *entry;
    size_t entries, kept, room;    /* done; with those behind the end; room for */
    bool *object_gone, *rock_gone; /* of the scenario's own */
};

/* ---- life ---- */

ty_status tyi_sim_cast_make(ty_run *run, ty_diag *diag)
{
    struct tyi_sim_cast *c = run->cast = calloc(1, sizeof *c);
    if (c) {
        c->object_gone = calloc(run->scenario.objects + 1, sizeof *c->object_gone);
        c->rock_gone = calloc(run->scenario.rocks + 1, sizeof *c->rock_gone);
    }
    return c && c->object_gone && c->rock_gone ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "run: no memory");
}

static void free_entry(entry *e)
{
    for (size_t i = 0; e->part && e->object && i < e->part->objects; i++) {
        free(e->object[i].hull), free(e->object[i].vertex);
    }
    ty_scenario_destroy(e->part);
    free(e->object), free(e->rock), free(e->text);
}

/* what lies behind the end is forgotten: shapes that are in the scene stay there, unseen */
static void drop_rest(struct tyi_sim_cast *c)
{
    while (c->kept > c->entries) {
        free_entry(&c->entry[--c->kept]);
    }
}

void tyi_sim_cast_free(ty_run *run)
{
    struct tyi_sim_cast *c = run->cast;
    if (c) {
        c->entries = 0;
        drop_rest(c);
        free(c->entry), free(c->object_gone), free(c->rock_gone), free(c);
        run->cast = NULL;
    }
}

/* the entry after the last: the one that is there with the same text, or a new one */
static ty_status next_entry(ty_run *run, const char *text, bool leaves, entry **out, ty_diag *diag)
{
    struct tyi_sim_cast *c = run->cast;
    *out = NULL;
    if (c->entries < c->kept && c->entry[c->entries].leaves == leaves && !strcmp(c->entry[c->entries].text, text)) {
        *out = &c->entry[c->entries];
        return TY_OK;
    }
    drop_rest(c);
    entry *more = tyi_list_grown(c->entry, c->kept, &c->room, sizeof *more, 16);
    if (!more) {
        return ty_fail(diag, TY_ERR_MEMORY, "run: no memory");
    }
    c->entry = more;
    entry *e = &c->entry[c->kept];
    *e = (entry){ .leaves = leaves, .text = strdup(text) };
    ty_status status = e->text ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "run: no memory");
    status = status == TY_OK && !leaves ? tyi_scenario_part(&run->scenario, text, &e->part, diag) : status;
    if (status == TY_OK && e->part) {
        e->object = calloc(e->part->objects + 1, sizeof *e->object);
        e->rock = calloc(e->part->rocks + 1, sizeof *e->rock);
        status = e->object && e->rock ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "run: no memory");
    }
    if (status != TY_OK) {
        free_entry(e);
        return status;
    }
    c->kept++;
    *out = e;
    return TY_OK;
}

static uint64_t number_of(const ty_run *run, const entry *e, size_t k)
{
    return (uint64_t)(e - run->cast->entry) * MOST + k;
}

static uint64_t object_id(const ty_run *run, const entry *e, size_t k)
{
    return ADDED + number_of(run, e, k);
}

static uint64_t rock_id(const ty_run *run, const entry *e, size_t k)
{
    return TY_ROCK_PLACED | (ADDED + number_of(run, e, k) + 1);
}

/* ---- names ---- */

/* What a name stands for. */
typedef struct found {
    const ty_scenario_object *object;
    const ty_scenario_rock *rock;
    const entry *entry; /* that brought it; NULL: the scenario */
    size_t index;
    size_t rover; /* SIZE_MAX: none */
} found;

static bool find_in(const ty_scenario *s, const char *name, found *out)
{
    for (size_t i = 0; i < s->objects; i++) {
        if (!strcmp(s->object[i].name, name)) {
            *out = (found){ .object = &s->object[i], .index = i, .rover = SIZE_MAX };
            return true;
        }
    }
    for (size_t i = 0; i < s->rocks; i++) {
        if (!strcmp(s->rock[i].name, name)) {
            *out = (found){ .rock = &s->rock[i], .index = i, .rover = SIZE_MAX };
            return true;
        }
    }
    return false;
}

/* of those that are there */
static bool find(const ty_run *run, const char *name, found *out)
{
    const struct tyi_sim_cast *c = run->cast;
    for (size_t i = 0; i < run->rovers; i++) {
        if (!run->rover[i].away && !strcmp(run->rover[i].def->name, name)) {
            *out = (found){ .rover = i };
            return true;
        }
    }
    if (find_in(&run->scenario, name, out) && !(out->object ? c->object_gone : c->rock_gone)[out->index]) {
        return true;
    }
    for (size_t i = c->entries; i-- > 0;) {
        const entry *e = &c->entry[i];
        if (e->part && find_in(e->part, name, out) && (out->object ? e->object : e->rock)[out->index].here) {
            out->entry = e;
            return true;
        }
    }
    return false;
}

static ty_status check_new(const ty_run *run, const char *what, const char *name, ty_diag *diag)
{
    found f;
    bool taken = find(run, name, &f);
    for (size_t i = 0; i < run->rovers + run->actors && !taken; i++) {
        taken = tyi_name_same(i < run->rovers ? run->rover[i].def->name : run->actor[i - run->rovers].def->name, name);
    }
    return taken ? ty_fail(diag, TY_ERR_INPUT, "run: %s '%s' cannot come: there is something of that name", what, name)
                 : TY_OK;
}

/* those without a name get one; all are new, and there are not too many */
static ty_status check_names(const ty_run *run, entry *e, ty_diag *diag)
{
    ty_scenario *p = e->part;
    size_t n = p->objects + p->rocks + p->rovers, number = (size_t)(e - run->cast->entry) + 1;
    if (n < 1 || n > MOST) {
        return ty_fail(diag, TY_ERR_INPUT,
                       "run: %zu objects, rocks and rovers are added, but 1 to %d at once are accepted", n, MOST);
    }
    ty_status status = TY_OK;
    for (size_t i = 0; i < p->objects + p->rocks && status == TY_OK; i++) {
        bool object = i < p->objects;
        size_t k = object ? i : i - p->objects;
        char *name = object ? p->object[k].name : p->rock[k].name;
        found f;
        if (!name[0]) {
            snprintf(name, 64, "%s_%zu_%zu", object ? "object" : "rock", number, k + 1);
        }
        status = check_new(run, object ? "object" : "rock", name, diag);
        if (status == TY_OK && !object && p->rock[k].loose) {
            status = ty_fail(diag, TY_ERR_INPUT,
                             "run: rock '%s' cannot come: a loose one has to be in the scenario from the start", name);
        }
        if (status == TY_OK && find_in(p, name, &f) && (f.index != k || (f.object != NULL) != object)) {
            status = ty_fail(diag, TY_ERR_INPUT, "run: two things named '%s' are added", name);
        }
    }
    return status;
}

/* ---- coming ---- */

/* the rocks of the ground have changed; gone: one that is no more, 0: none */
static ty_status rocks_again(ty_run *run, uint64_t gone, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (size_t i = 0; i < run->rovers && status == TY_OK; i++) {
        status = tyi_vehicle_rocks_again(&run->rover[i].vehicle->rocks, gone, diag);
    }
    return status;
}

static ty_status edit_rock(ty_run *run, const ty_rock *rock, ty_diag *diag)
{
    ty_terrain *t = ty_world_terrain(run->world);
    double d = ty_terrain_spacing(t, ty_terrain_get_def(t)->edit_level);
    ty_edit edit = {
        .i0 = (int32_t)floor(rock->x / d), .j0 = (int32_t)floor(rock->y / d), .nx = 1, .ny = 1, .rock = rock
    };
    return ty_terrain_edit(t, &edit, diag);
}

static ty_rock rock_of(const ty_run *run, const entry *e, size_t k)
{
    ty_rock rock = tyi_scenario_rock_of(&e->part->rock[k], 0);
    rock.id = rock_id(run, e, k);
    return tyi_terrain_rock_finished(ty_world_terrain(run->world), rock);
}

static ty_status check_rock(ty_run *run, const entry *e, size_t k, ty_diag *diag)
{
    ty_rock rock = rock_of(run, e, k);
    tyi_terrain_placed_rock placed;
    tyi_body_thing t;
    ty_status status = tyi_terrain_place_rock(ty_world_terrain(run->world), &rock, &placed, diag);
    if (status == TY_OK) {
        tyi_vehicle_rock_thing(&placed, &t);
        snprintf(t.name, sizeof t.name, "%.60s", e->part->rock[k].name);
        status = tyi_sim_trial_thing(run, &t, diag);
    }
    return status;
}

/* shape and place of an added object; z as it was noted */
static ty_status thing_of(const ty_run *run, entry *e, size_t k, tyi_body_thing *t, ty_diag *diag)
{
    thing *o = &e->object[k];
    bool made = o->hull != NULL;
    o->hull = made ? o->hull : calloc(TYI_SIM_PIECES, sizeof *o->hull);
    if (!o->hull) {
        return ty_fail(diag, TY_ERR_MEMORY, "run: no memory for '%s'", e->part->object[k].name);
    }
    *t = (tyi_body_thing){ .kind = TYI_SIM_OBJECT, .id = object_id(run, e, k) };
    snprintf(t->name, sizeof t->name, "%.60s", e->part->object[k].name);
    free(o->vertex);
    o->vertex = NULL;
    return tyi_sim_bodies_object(&e->part->object[k], o->z, o->hull, &o->vertex, t, diag);
}

static ty_status check_object(ty_run *run, entry *e, size_t k, ty_diag *diag)
{
    const ty_scenario_object *o = &e->part->object[k];
    tyi_body_thing t;
    ty_status status = TY_OK;
    e->object[k].z = 0.0;
    if (o->on_ground) {
        status = ty_terrain_sample(ty_world_terrain(run->world), 0, 1, &o->position[0], &o->position[1],
                                   &e->object[k].z, NULL, diag);
    }
    status = status == TY_OK ? thing_of(run, e, k, &t, diag) : status;
    return status == TY_OK ? tyi_sim_trial_thing(run, &t, diag) : status;
}

/* into a scene; it gets the same number in all of them */
static ty_status put_in(tyi_sim_view *view, entry *e, size_t k, ty_diag *diag)
{
    uint32_t before = e->object[k].scene;
    ty_scenario_object stands = e->part->object[k];
    stands.position[2] += e->object[k].z, stands.on_ground = false;
    ty_status status = tyi_sim_stage_put(view->stage, &stands, stands.name, &e->object[k].scene, diag);
    TY_ASSERT(status != TY_OK || !before || before == e->object[k].scene);
    return status;
}

/* into the scenes that there are, or out of sight */
static ty_status show_object(ty_run *run, entry *e, size_t k, ty_diag *diag)
{
    thing *o = &e->object[k];
    bool there = o->scene != 0;
    ty_status status = TY_OK;
    for (int i = 0; i < run->views && run->view[i].scene && status == TY_OK; i++) {
        status = there ? TY_OK : put_in(&run->view[i], e, k, diag);
        status = status == TY_OK ? ty_scene_hide(run->view[i].scene, o->scene, !o->here, diag) : status;
    }
    return status;
}

uint32_t tyi_sim_cast_scene(const ty_run *run, uint64_t object)
{
    uint64_t number = object - ADDED;
    return run->cast->entry[number / MOST].object[number % MOST].scene;
}

/* one of the scenario's objects, seen or not */
static ty_status hide_object(ty_run *run, size_t k, bool hidden, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (int i = 0; i < run->views && run->view[i].scene && status == TY_OK; i++) {
        status = ty_scene_hide(run->view[i].scene, tyi_sim_stage_object(run->view[i].stage, k), hidden, diag);
    }
    return status;
}

static ty_status put_object(ty_run *run, entry *e, size_t k, ty_diag *diag)
{
    tyi_body_thing t;
    ty_status status = thing_of(run, e, k, &t, diag);
    status = status == TY_OK && t.parts ? tyi_body_world_add(tyi_sim_bodies_world(run), &t, diag) : status;
    if (status == TY_OK) {
        e->object[k].here = true;
        status = show_object(run, e, k, diag);
    }
    return status;
}

/* a rover is there, or not, for bodies, soil and eyes */
static ty_status set_away(ty_run *run, size_t i, bool away, ty_diag *diag)
{
    tyi_sim_rover_run *r = &run->rover[i];
    r->away = r->vehicle->rider->away = away;
    ty_status status = tyi_body_world_set_away(tyi_sim_bodies_world(run), (int)i, away, tyi_sim_steps(run), diag);
    for (int k = 0; k < run->views && run->view[k].scene && status == TY_OK; k++) {
        status = tyi_sim_looks_hide(&r->looks, run->view[k].scene, away, diag);
    }
    return status;
}

static ty_status waiting(const ty_run *run, const char *name, size_t *out, ty_diag *diag)
{
    for (*out = 0; *out < run->rovers; ++*out) {
        if (!strcmp(run->rover[*out].def->name, name) && run->rover[*out].away) {
            return TY_OK;
        }
    }
    return ty_fail(diag, TY_ERR_INPUT,
                   "run: rover '%s' cannot come: none of that name waits; the scenario lists it with `waits: true`",
                   name);
}

static ty_status put_rover(ty_run *run, const ty_scenario_rover *def, ty_diag *diag)
{
    size_t i;
    tyi_sim_trial kept = { 0 };
    ty_status status = waiting(run, def->name, &i, diag);
    status = status == TY_OK ? tyi_sim_trial_keep(run, &kept, diag) : status;
    if (status == TY_OK) {
        ty_vehicle *v = run->rover[i].vehicle;
        status = tyi_vehicle_place(v, def->vehicle.x, def->vehicle.y, def->vehicle.yaw, 0.0, diag);
        v->run.time = run->time, v->run.step = tyi_sim_steps(run);
        status = status == TY_OK ? set_away(run, i, false, diag) : status;
        status = status == TY_OK
                     ? tyi_body_world_arrange_near(tyi_sim_bodies_world(run), (int)i, NULL, tyi_sim_steps(run), diag)
                     : status;
        status = status == TY_OK ? tyi_sim_trial_inside(run, def->name, diag) : status;
        if (status != TY_OK) {
            set_away(run, i, true, NULL);
            tyi_sim_trial_back(run, &kept, NULL);
        }
    }
    tyi_sim_trial_forget(run, &kept);
    return status;
}

/* out again, of a line that could not be finished */
static void take_back(ty_run *run, entry *e, size_t rovers)
{
    for (size_t i = 0; i < rovers; i++) {
        size_t which = 0;
        while (strcmp(run->rover[which].def->name, e->part->rover[i].name) != 0) {
            which++;
        }
        set_away(run, which, true, NULL);
    }
}

ty_status ty_run_add(ty_run *run, const char *lines, ty_diag *diag)
{
    entry *e = NULL;
    tyi_sim_worker_wait(run, NULL);
    ty_status status = next_entry(run, lines, false, &e, diag);
    status = status == TY_OK ? check_names(run, e, diag) : status;
    for (size_t k = 0; e && k < e->part->objects && status == TY_OK; k++) {
        status = check_object(run, e, k, diag);
    }
    for (size_t k = 0; e && k < e->part->rocks && status == TY_OK; k++) {
        status = check_rock(run, e, k, diag);
    }
    size_t rovers = 0;
    for (; e && rovers < e->part->rovers && status == TY_OK; rovers++) {
        status = put_rover(run, &e->part->rover[rovers], diag);
        if (status != TY_OK) {
            take_back(run, e, rovers);
        }
    }
    if (status != TY_OK) {
        drop_rest(run->cast);
        return status;
    }
    for (size_t k = 0; k < e->part->objects && status == TY_OK; k++) {
        status = put_object(run, e, k, diag);
    }
    for (size_t k = 0; k < e->part->rocks && status == TY_OK; k++) {
        ty_rock rock = rock_of(run, e, k);
        e->rock[k].here = true;
        status = edit_rock(run, &rock, diag);
    }
    e->time = run->time;
    run->cast->entries++;
    return status == TY_OK && e->part->rocks ? rocks_again(run, 0, diag) : status;
}

/* ---- leaving ---- */

/* a rock by its id: one that was put somewhere or moved, or one of those near rovers */
static bool find_rock(const ty_run *run, uint64_t id, ty_rock *out)
{
    const ty_terrain *t = ty_world_terrain(run->world);
    bool is = tyi_terrain_rock_find(t, id, out);
    for (size_t i = 0; i < run->rovers && !is && !(id & TY_ROCK_PLACED); i++) {
        ty_vec3 p = tyi_vehicle_centre(run->rover[i].vehicle);
        ty_rect rect = { p.x - FAR, p.y - FAR, p.x + FAR, p.y + FAR };
        size_t n = ty_terrain_rocks(t, rect, 0.0, INFINITY, NULL, 0);
        ty_rock *rock = malloc((n + 1) * sizeof *rock);
        n = rock ? ty_terrain_rocks(t, rect, 0.0, INFINITY, rock, n) : 0;
        for (size_t k = 0; k < n && !is; k++) {
            is = rock[k].id == id;
            *out = rock[k];
        }
        free(rock);
    }
    return is && out->scale > 0.0;
}

static ty_status take_rock(ty_run *run, entry *e, ty_diag *diag)
{
    ty_rock rock;
    if (!find_rock(run, e->id, &rock)) {
        return ty_fail(diag, TY_ERR_INPUT, "run: there is no rock %llu within %d m of a rover",
                       (unsigned long long)e->id, FAR);
    }
    e->x = rock.x, e->y = rock.y;
    rock.scale = 0.0;
    ty_status status = rocks_again(run, e->id, diag); /* those that wheels push are where they are, before */
    status = status == TY_OK ? edit_rock(run, &rock, diag) : status;
    status = status == TY_OK ? rocks_again(run, e->id, diag) : status;
    return status == TY_OK
               ? tyi_body_world_take(tyi_sim_bodies_world(run), TYI_SIM_ROCK, e->id, tyi_sim_steps(run), diag)
               : status;
}

static ty_status take_rover(ty_run *run, entry *e, size_t i, ty_diag *diag)
{
    if (run->rover[i].def->sensors) {
        return ty_fail(diag, TY_ERR_INPUT, "run: rover '%s' carries sensors, and stays", run->rover[i].def->name);
    }
    ty_pose pose = ty_vehicle_body_pose(run->rover[i].vehicle, run->rover[i].vehicle->body, NULL, NULL);
    e->x = pose.p.x, e->y = pose.p.y;
    return set_away(run, i, true, diag);
}

static ty_status take_object(ty_run *run, entry *e, const found *f, ty_diag *diag)
{
    entry *from = f->entry ? &run->cast->entry[f->entry - run->cast->entry] : NULL;
    uint64_t id = from ? object_id(run, from, f->index) : f->index;
    if (f->object->rover[0]) {
        return ty_fail(diag, TY_ERR_INPUT, "run: object '%s' rides on rover '%s', and stays", f->object->name,
                       f->object->rover);
    }
    e->x = f->object->position[0], e->y = f->object->position[1];
    ty_status status = tyi_body_world_take(tyi_sim_bodies_world(run), TYI_SIM_OBJECT, id, tyi_sim_steps(run), diag);
    if (from) {
        from->object[f->index].here = false;
        return status == TY_OK ? show_object(run, from, f->index, diag) : status;
    }
    run->cast->object_gone[f->index] = true;
    return status == TY_OK ? hide_object(run, f->index, true, diag) : status;
}

/* which rock leaves, and that it has left; true: one with a name */
static bool mark_rock(ty_run *run, entry *e, const found *f)
{
    if (!f->rock) {
        return false;
    }
    entry *from = f->entry ? &run->cast->entry[f->entry - run->cast->entry] : NULL;
    e->id = from ? rock_id(run, from, f->index) : TY_ROCK_PLACED | (f->index + 1);
    if (from) {
        from->rock[f->index].here = false;
    } else {
        run->cast->rock_gone[f->index] = true;
    }
    return true;
}

ty_status ty_run_remove(ty_run *run, const char *name, ty_diag *diag)
{
    entry *e = NULL;
    found f = { .rover = SIZE_MAX };
    char *end = NULL;
    tyi_sim_worker_wait(run, NULL);
    ty_status status = next_entry(run, name, true, &e, diag);
    if (status != TY_OK) {
        return status;
    }
    bool known = find(run, name, &f);
    e->id = !known && !strncmp(name, "rock ", 5) ? strtoull(name + 5, &end, 10) : 0;
    if (known && f.rover != SIZE_MAX) {
        status = take_rover(run, e, f.rover, diag);
    } else if (known && f.object) {
        status = take_object(run, e, &f, diag);
    } else if (known ? mark_rock(run, e, &f) : e->id && end && !*end) {
        status = take_rock(run, e, diag);
    } else {
        status = ty_fail(diag, TY_ERR_INPUT, "run: there is no object, rock or rover '%s' to take away", name);
    }
    if (status != TY_OK) {
        drop_rest(run->cast);
        return status;
    }
    e->time = run->time;
    run->cast->entries++;
    return TY_OK;
}

/* ---- what others ask ---- */

size_t tyi_sim_cast_count(const ty_run *run)
{
    return run->cast->entries;
}

tyi_sim_coming tyi_sim_cast_row(const ty_run *run, size_t row)
{
    const entry *e = &run->cast->entry[row];
    tyi_sim_coming out = { .time = e->time, .leaves = e->leaves, .x = e->x, .y = e->y };
    const ty_scenario *p = e->part;
    const char *name = !p ? e->text : p->objects ? p->object[0].name : p->rocks ? p->rock[0].name : p->rover[0].name;
    size_t more = p ? p->objects + p->rocks + p->rovers - 1 : 0;
    if (p) {
        out.x = p->objects ? p->object[0].position[0] : p->rocks ? p->rock[0].at[0] : p->rover[0].vehicle.x;
        out.y = p->objects ? p->object[0].position[1] : p->rocks ? p->rock[0].at[1] : p->rover[0].vehicle.y;
    }
    if (more) {
        snprintf(out.name, sizeof out.name, "%.60s and %zu more", name, more);
    } else {
        snprintf(out.name, sizeof out.name, "%.60s", name);
    }
    return out;
}

static size_t give(tyi_sim_thing *out, size_t room, size_t n, tyi_sim_thing one)
{
    if (n < room) {
        out[n] = one;
    }
    return n + 1;
}

size_t tyi_sim_cast_things(const ty_run *run, tyi_sim_thing *out, size_t room)
{
    const struct tyi_sim_cast *c = run->cast;
    const ty_scenario *s = &run->scenario;
    size_t n = 0;
    for (size_t i = 0; i < s->objects; i++) {
        n = c->object_gone[i]
                ? give(out, room, n, (tyi_sim_thing){ .name = s->object[i].name, .object = &s->object[i] })
                : n;
    }
    for (size_t i = 0; i < c->entries; i++) {
        const entry *e = &c->entry[i];
        for (size_t k = 0; e->part && k < e->part->objects; k++) {
            const ty_scenario_object *o = &e->part->object[k];
            tyi_sim_thing one = { .name = o->name, .object = o, .z = e->object[k].z, .here = true };
            n = e->object[k].here ? give(out, room, n, one) : n;
        }
        for (size_t k = 0; e->part && k < e->part->rocks; k++) {
            tyi_sim_thing one = { .name = e->part->rock[k].name, .rock = &e->part->rock[k], .here = true };
            n = e->rock[k].here ? give(out, room, n, one) : n;
        }
    }
    return n;
}

bool tyi_sim_cast_away(const ty_run *run, size_t rover)
{
    return run->rover[rover].away;
}

const ty_rock_shape *tyi_sim_cast_rock(const ty_run *run, size_t actor, double *scale)
{
    return run->actor[actor].loose ? tyi_sim_loose_shape(&run->actor[actor], scale) : NULL;
}

ty_status tyi_sim_cast_show(tyi_sim_view *view, ty_diag *diag)
{
    const ty_run *run = view->run;
    struct tyi_sim_cast *c = run->cast;
    ty_scene *scene = view->scene;
    ty_status status = TY_OK;
    for (size_t i = 0; i < run->rovers && status == TY_OK; i++) {
        status = run->rover[i].away ? tyi_sim_looks_hide(&run->rover[i].looks, scene, true, diag) : TY_OK;
    }
    for (size_t i = 0; i < run->scenario.objects && status == TY_OK; i++) {
        status = c->object_gone[i] ? ty_scene_hide(scene, tyi_sim_stage_object(view->stage, i), true, diag) : TY_OK;
    }
    for (size_t i = 0; i < c->entries && status == TY_OK; i++) {
        entry *e = &c->entry[i];
        for (size_t k = 0; e->part && k < e->part->objects && status == TY_OK; k++) {
            status = put_in(view, e, k, diag);
            status = status == TY_OK ? ty_scene_hide(scene, e->object[k].scene, !e->object[k].here, diag) : status;
        }
    }
    return status;
}

/* ---- saving: how many rows; of each its time, kind, length, text, and heights under objects ---- */

typedef struct saved {
    ty_time time;
    uint64_t leaves, length, heights, id;
    double x, y;
} saved;

static size_t padded(size_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

size_t tyi_sim_cast_save(const ty_run *run, void *out)
{
    const struct tyi_sim_cast *c = run->cast;
    char *to = out;
    uint64_t rows = c->entries;
    size_t bytes = sizeof rows;
    if (to) {
        memcpy(to, &rows, sizeof rows);
    }
    for (size_t i = 0; i < c->entries; i++) {
        const entry *e = &c->entry[i];
        saved s = { .time = e->time,
                    .leaves = e->leaves,
                    .length = strlen(e->text),
                    .heights = e->part ? e->part->objects : 0,
                    .id = e->id,
                    .x = e->x,
                    .y = e->y };
        if (to) {
            memcpy(to + bytes, &s, sizeof s);
            memset(to + bytes + sizeof s, 0, padded(s.length));
            memcpy(to + bytes + sizeof s, e->text, s.length);
            for (size_t k = 0; k < s.heights; k++) {
                memcpy(to + bytes + sizeof s + padded(s.length) + 8 * k, &e->object[k].z, 8);
            }
        }
        bytes += sizeof s + padded(s.length) + 8 * s.heights;
    }
    return bytes;
}

/* as at the start; bodies are in no groups */
static ty_status start_again(ty_run *run, ty_diag *diag)
{
    struct tyi_sim_cast *c = run->cast;
    tyi_body_world *w = tyi_sim_bodies_world(run);
    ty_status status = TY_OK;
    for (size_t i = 0; i < c->entries && status == TY_OK; i++) {
        entry *e = &c->entry[i];
        for (size_t k = 0; e->part && k < e->part->objects && status == TY_OK; k++) {
            if (e->object[k].here) {
                e->object[k].here = false;
                status = tyi_body_world_take(w, TYI_SIM_OBJECT, object_id(run, e, k), 0, diag);
                status = status == TY_OK ? show_object(run, e, k, diag) : status;
            }
        }
        for (size_t k = 0; e->part && k < e->part->rocks; k++) {
            e->rock[k].here = false;
        }
    }
    for (size_t i = 0; i < run->scenario.objects && status == TY_OK; i++) {
        if (c->object_gone[i]) {
            c->object_gone[i] = false;
            status = tyi_sim_bodies_again(run, i, diag);
            status = status == TY_OK ? hide_object(run, i, false, diag) : status;
        }
    }
    memset(c->rock_gone, 0, (run->scenario.rocks + 1) * sizeof *c->rock_gone);
    for (size_t i = 0; i < run->rovers && status == TY_OK; i++) {
        status = set_away(run, i, run->rover[i].def->waits, diag);
    }
    c->entries = 0;
    return status;
}

/* what a row of the log says, without what is restored by itself: ground, places, groups */
static ty_status redo(ty_run *run, const saved *s, const char *text, const char *heights, ty_diag *diag)
{
    entry *e;
    found f = { .rover = SIZE_MAX };
    ty_status status = next_entry(run, text, s->leaves, &e, diag);
    if (status != TY_OK) {
        return status;
    }
    e->time = s->time, e->x = s->x, e->y = s->y, e->id = s->id;
    if (e->part && e->part->objects != s->heights) {
        return ty_fail(diag, TY_ERR_FORMAT, "run: the saved state is damaged");
    }
    status = e->part ? check_names(run, e, diag) : status;
    for (size_t k = 0; e->part && k < e->part->objects && status == TY_OK; k++) {
        memcpy(&e->object[k].z, heights + 8 * k, 8);
        status = put_object(run, e, k, diag);
    }
    for (size_t k = 0; e->part && k < e->part->rocks; k++) {
        e->rock[k].here = true;
    }
    for (size_t k = 0; e->part && k < e->part->rovers && status == TY_OK; k++) {
        size_t i;
        status = waiting(run, e->part->rover[k].name, &i, diag);
        status = status == TY_OK ? set_away(run, i, false, diag) : status;
    }
    if (s->leaves && find(run, text, &f)) {
        status = f.rover != SIZE_MAX ? set_away(run, f.rover, true, diag)
                 : f.object          ? take_object(run, e, &f, diag)
                                     : TY_OK;
        mark_rock(run, e, &f);
    }
    run->cast->entries++;
    return status;
}

ty_status tyi_sim_cast_restore(ty_run *run, const void *data, size_t bytes, ty_diag *diag)
{
    const char *from = data, *end = from + bytes;
    uint64_t rows = 0;
    ty_status status = start_again(run, diag);
    if (bytes >= sizeof rows) {
        memcpy(&rows, from, sizeof rows);
        from += sizeof rows;
    }
    for (uint64_t i = 0; i < rows && status == TY_OK; i++) {
        saved s;
        bool good = (size_t)(end - from) >= sizeof s;
        if (good) {
            memcpy(&s, from, sizeof s);
            from += sizeof s;
            size_t left = (size_t)(end - from);
            good = s.length <= left && s.heights <= MOST && padded(s.length) + 8 * s.heights <= left;
        }
        char *text = good ? strndup(from, s.length) : NULL;
        status = text ? redo(run, &s, text, from + padded(s.length), diag)
                      : ty_fail(diag, TY_ERR_FORMAT, "run: the saved state is damaged");
        free(text);
        from += good ? padded(s.length) + 8 * s.heights : 0;
    }
    return status;
}
