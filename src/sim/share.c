/* src/sim/share.c - see share.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "share.h"
#include <stdlib.h>
#include <string.h>
#include "body/world.h"
#include "io/mcap.h"
#include "run.h"
#include "vehicle/vehicle.h"

#define NEAR    3.0 /* [m] beyond the reach of groups (body/world.h): those that come nearer are of one rank */
#define LOOK    (TY_SECOND / 100) /* as the record looks for events, */
#define LOOK_UP TY_SECOND         /* and for the Sun */

typedef enum word_kind { EDIT, TOUCH, STATE, PLACE, GROUP, FAILURE } word_kind;

/* one thing that is told: this, then its bytes */
typedef struct word {
    uint32_t kind, step; /* of the interval, from 0 */
    uint32_t rover;      /* whose; touches: the first of the group */
    uint32_t bytes;      /* a multiple of 8 */
} word;

typedef struct heard { /* one that was told */
    const word *word;
    const uint8_t *data;
    size_t number; /* as told */
    int rank;
} heard;

struct tyi_sim_share {
    tyi_sim_share_def def;
    ty_run *moves, *shown;
    int *owner, *before, *root;
    tyi_body_place *place;     /* of all rovers, as their owners see it when groups are arranged */
    uint32_t step, steps;      /* of the interval: being made, in all */
    uint32_t shows;            /* next to be shown */
    ty_time row, look, up;     /* when the record looks next */
    tyi_io_cdr own;            /* what this rank says */
    tyi_terrain_cursor cursor; /* in the journal of the ground that is moved over */
    heard *heard;
    size_t heards, room, next; /* next: to be shown */
    size_t moved;
};

/* ---- what is for ranks ---- */

static bool soil_fits(int model)
{
    return model == TY_SOIL_RIGID || model == TY_SOIL_BEKKER || model == TY_SOIL_REGRESSION || model == TY_SOIL_NONE;
}

static ty_status check_soil(const ty_scenario_soil *soil, const char *where, ty_diag *diag)
{
    if (soil->model < 0 || (soil_fits(soil->model) && soil->patch.model == TY_PATCH_NONE)) {
        return TY_OK;
    }
    return ty_fail(diag, TY_ERR_INPUT,
                   "%s is %s%s, but one world over ranks takes rigid, bekker, regression and none, without patches of "
                   "particles: what they keep besides the ground is not told to other ranks",
                   where, ty_soil_model_name((ty_soil_model_kind)soil->model),
                   soil_fits(soil->model) ? " with a patch" : "");
}

static ty_status check_rover(const ty_scenario *s, const ty_scenario_rover *r, ty_diag *diag)
{
    char where[120];
    snprintf(where, sizeof where, "the soil of rover '%s'", r->name);
    ty_status status = s->soil.model >= 0 ? TY_OK : check_soil(&r->soil, where, diag);
    bool sees = r->driver.kind == TY_DRIVER_AVOID || r->driver.kind == TY_DRIVER_FOLLOW ||
                r->driver.kind == TY_DRIVER_FORMATION;
    if (status == TY_OK && r->driver.kind == TY_DRIVER_FMU) {
        status = ty_fail(diag, TY_ERR_INPUT, "rover '%s' is driven by an FMU, which does not run over ranks", r->name);
    }
    if (status == TY_OK && sees && s->exchange > TYI_SIM_DRIVER_PERIOD) {
        status = ty_fail(diag, TY_ERR_RANGE,
                         "exchange is %g s, but the driver of rover '%s' looks at others every %g s: over ranks it "
                         "takes no more than that",
                         s->exchange, r->name, TYI_SIM_DRIVER_PERIOD);
    }
    return status;
}

ty_status tyi_sim_share_check(const ty_scenario *s, int ranks, ty_diag *diag)
{
    ty_time interval = ty_time_from(s->exchange), step = ty_time_from(s->step);
    ty_status status = check_soil(&s->soil, "the scenario's soil", diag);
    for (size_t i = 0; i < s->soil_regions && status == TY_OK; i++) {
        status = check_soil(&s->soil_region[i].soil, "the soil of a region", diag);
    }
    for (size_t i = 0; i < s->rovers && status == TY_OK; i++) {
        status = check_rover(s, &s->rover[i], diag);
    }
    if (status != TY_OK) {
        return status;
    }
    if ((size_t)ranks > s->rovers) {
        return ty_fail(diag, TY_ERR_INPUT, "there are %d ranks, but only %zu rovers to share between them", ranks,
                       s->rovers);
    }
    if (s->dust.on) {
        return ty_fail(diag, TY_ERR_INPUT, "dust does not fly over ranks: run it in one process, or without dust");
    }
    if (s->backend != TY_BACKEND_CPU) {
        return ty_fail(diag, TY_ERR_INPUT, "ranks compute their frames on the host alone: backend takes cpu");
    }
    for (size_t i = 0; i < s->actors; i++) {
        if (s->actor[i].fmu[0]) {
            return ty_fail(diag, TY_ERR_INPUT, "actor '%s' is moved by an FMU, which does not run over ranks",
                           s->actor[i].name);
        }
        if (s->actor[i].rock) {
            return ty_fail(diag, TY_ERR_INPUT, "actor '%s' is a loose rock, which is not shared between ranks",
                           s->actor[i].name);
        }
    }
    if (interval < step || TYI_BODY_ASK % interval) {
        return ty_fail(diag, TY_ERR_RANGE,
                       "exchange is %g s, but over ranks it takes a step (%g s) or more, of which a whole number make "
                       "0.1 s, when groups are arranged",
                       s->exchange, s->step);
    }
    return TY_OK;
}

/* ---- life ---- */

static int home(const tyi_sim_share *share, size_t rover)
{
    return (int)(rover * (size_t)share->def.ranks / share->moves->rovers);
}

static ty_status pressed(void *user, size_t rover, ty_diag *diag);
static void touched(void *user, int first, const tyi_body_touch *touch);
static ty_status show(void *user, ty_diag *diag);
static ty_status fetch(void *user, tyi_sim_slot *slot, ty_diag *diag);

/* sensors are made at home, whoever moves their rover */
static void share_sensors(const tyi_sim_share *share)
{
    ty_run *shown = share->shown;
    for (size_t i = 0; i < shown->sensors; i++) {
        tyi_sim_sensor *s = &shown->sensor[i];
        int at = s->rover != SIZE_MAX ? home(share, s->rover) : (int)(s->actor % (size_t)share->def.ranks);
        s->elsewhere = at != share->def.rank;
        s->ignored = s->elsewhere && share->def.rank;
    }
}

ty_status tyi_sim_share_create(const tyi_sim_share_def *def, ty_run *shown, tyi_sim_share **out, ty_diag *diag)
{
    tyi_sim_share *share = *out = calloc(1, sizeof *share);
    ty_status status =
        share ? tyi_sim_create(def->run, true, &share->moves, diag) : ty_fail(diag, TY_ERR_MEMORY, "ranks: no memory");
    if (status != TY_OK) {
        tyi_sim_share_destroy(share);
        *out = NULL;
        return status;
    }
    ty_run *run = share->moves;
    share->def = *def;
    share->shown = shown;
    share->owner = calloc(run->rovers + 1, sizeof *share->owner);
    share->before = calloc(run->rovers + 1, sizeof *share->before);
    share->root = calloc(run->rovers + 1, sizeof *share->root);
    share->place = calloc(run->rovers + 1, sizeof *share->place);
    if (!share->owner || !share->before || !share->root || !share->place) {
        tyi_sim_share_destroy(share);
        *out = NULL;
        return ty_fail(diag, TY_ERR_MEMORY, "ranks: no memory");
    }
    for (size_t i = 0; i < run->rovers; i++) {
        share->owner[i] = def->rank; /* all of them have settled here */
        share->place[i] = tyi_body_world_place(tyi_sim_bodies_world(run), (int)i);
    }
    tyi_terrain_cursor_open(&ty_world_terrain(run->world)->edits.journal, &share->cursor);
    tyi_terrain_cursor_skip(&share->cursor);
    run->feed = (tyi_sim_feed){ .pressed = pressed, .user = share };
    tyi_body_world_listen(tyi_sim_bodies_world(run), touched, share);
    if (shown) {
        shown->feed = (tyi_sim_feed){ .move = show, .fetch = fetch, .user = share };
        share_sensors(share);
    }
    return TY_OK;
}

void tyi_sim_share_destroy(tyi_sim_share *share)
{
    if (share) {
        tyi_terrain_cursor_close(&share->cursor);
        ty_run_destroy(share->moves);
        tyi_io_cdr_free(&share->own);
        free(share->owner), free(share->before), free(share->root), free(share->place), free(share->heard);
        free(share);
    }
}

/* ---- saying ---- */

/* room for the bytes of a word; NULL: no memory, which is told when it is sent */
static void *say(tyi_sim_share *share, word_kind kind, size_t rover, size_t bytes)
{
    size_t padded = (bytes + 7) / 8 * 8;
    word w = { .kind = (uint32_t)kind, .step = share->step, .rover = (uint32_t)rover, .bytes = (uint32_t)padded };
    tyi_io_cdr_add(&share->own, &w, sizeof w);
    return tyi_io_cdr_room(&share->own, padded);
}

static ty_status pressed(void *user, size_t rover, ty_diag *diag)
{
    tyi_sim_share *share = user;
    tyi_terrain_entry entry;
    tyi_terrain_reading found;
    while ((found = tyi_terrain_cursor_read(&share->cursor, UINT64_MAX, &entry)) == TYI_TERRAIN_ENTRY) {
        void *to = say(share, EDIT, rover, tyi_terrain_entry_pack(&entry, NULL));
        if (to) {
            tyi_terrain_entry_pack(&entry, to);
        }
    }
    return found == TYI_TERRAIN_NOTHING ? TY_OK
                                        : ty_fail(diag, TY_ERR_FILE, "ranks: the journal of the ground cannot be read");
}

static void touched(void *user, int first, const tyi_body_touch *touch)
{
    void *to = say(user, TOUCH, (size_t)first, sizeof *touch);
    if (to) {
        memcpy(to, touch, sizeof *touch);
    }
}

/* whether the record looks at this time, which is asked for all times in order */
static bool recorded(tyi_sim_share *share, ty_time now)
{
    bool row = now >= share->row, look = now >= share->look, up = now >= share->up;
    share->row += row ? ty_time_from(share->moves->scenario.telemetry) : 0;
    share->look = look ? now + LOOK : share->look;
    share->up = up ? now + LOOK_UP : share->up;
    return row || look || up;
}

/* whether somebody looks at all rovers at the end of a step, or one of a rover's own sensors at it */
static bool looked_at(const tyi_sim_share *share, ty_time now, size_t rover)
{
    const ty_run *shown = share->shown;
    for (size_t i = 0; shown && i < shown->sensors; i++) {
        const tyi_sim_sensor *s = &shown->sensor[i];
        bool whose = s->kind->scene || s->rover == rover;
        if (whose &&
            ((s->kind->step && s->rover == rover) || tyi_sim_sensor_keyed(s, now - shown->step, now + shown->step))) {
            return true;
        }
    }
    return false;
}

static void say_states(tyi_sim_share *share, bool last)
{
    const ty_run *run = share->moves;
    ty_time asked = run->time - run->step; /* drivers of those who arrive say so in the step after it */
    bool all = recorded(share, run->time) || last || asked % ty_time_from(TYI_SIM_DRIVER_PERIOD) < run->step;
    for (size_t i = 0; i < run->rovers; i++) {
        if (share->owner[i] == share->def.rank && (all || looked_at(share, run->time, i))) {
            void *to = say(share, STATE, i, tyi_sim_rover_pack(&run->rover[i], NULL));
            if (to) {
                tyi_sim_rover_pack(&run->rover[i], to);
            }
        }
    }
}

static void say_groups(tyi_sim_share *share)
{
    tyi_body_world *bodies = tyi_sim_bodies_world(share->moves);
    for (size_t i = 0; i < share->moves->rovers; i++) {
        if (share->owner[i] != share->def.rank) {
            continue;
        }
        tyi_body_place *place = say(share, PLACE, i, sizeof *place);
        if (place) {
            *place = tyi_body_world_place(bodies, (int)i);
        }
        size_t bytes = tyi_body_world_group_save(bodies, (int)i, NULL);
        void *to = bytes ? say(share, GROUP, i, bytes) : NULL;
        if (to) {
            tyi_body_world_group_save(bodies, (int)i, to);
        }
    }
}

static void say_failure(tyi_sim_share *share, const ty_diag *diag)
{
    void *to = say(share, FAILURE, 0, sizeof *diag);
    if (to) {
        memcpy(to, diag, sizeof *diag);
    }
}

/* ---- hearing ---- */

static int in_order(const void *a, const void *b)
{
    const heard *p = a, *q = b;
    return p->word->step != q->word->step     ? (p->word->step < q->word->step ? -1 : 1)
           : p->word->rover != q->word->rover ? (p->word->rover < q->word->rover ? -1 : 1)
                                              : (p->number > q->number) - (p->number < q->number);
}

/* what all ranks said, in the order of one process */
static ty_status hear(tyi_sim_share *share, const uint8_t *all, size_t total, ty_diag *diag)
{
    tyi_io_cdr_reader t = { .at = all, .end = all + total };
    share->heards = share->next = 0;
    for (int rank = 0; rank < share->def.ranks; rank++) {
        size_t bytes = 0;
        tyi_io_cdr_reader_get(&t, &bytes, sizeof bytes);
        const uint8_t *at = tyi_io_cdr_reader_take(&t, bytes), *end = at ? at + bytes : NULL;
        while (at && at < end) {
            heard *more = tyi_list_grown(share->heard, share->heards, &share->room, sizeof *more, 1024);
            const word *w = (const word *)(const void *)at;
            if (!more || (size_t)(end - at) < sizeof *w || (size_t)(end - at) - sizeof *w < w->bytes ||
                (w->kind != FAILURE && w->rover >= share->moves->rovers)) {
                return ty_fail(diag, TY_ERR_FORMAT, "ranks: what rank %d says is not understood", rank);
            }
            share->heard = more;
            more[share->heards] = (heard){ w, at + sizeof *w, share->heards, rank };
            share->heards++;
            at += sizeof *w + w->bytes;
        }
    }
    qsort(share->heard, share->heards, sizeof *share->heard, in_order);
    return t.failed ? ty_fail(diag, TY_ERR_FORMAT, "ranks: what they say ends too early") : TY_OK;
}

static ty_status edit(ty_run *run, const heard *h, ty_diag *diag)
{
    tyi_terrain_entry entry;
    return tyi_terrain_entry_unpack(h->data, h->word->bytes, &entry)
               ? tyi_terrain_follow(ty_world_terrain(run->world), &entry, diag)
               : ty_fail(diag, TY_ERR_FORMAT, "ranks: an edit of rank %d is none", h->rank);
}

/* what others did since, in the run that moves: their ruts, and where their rovers are at the end */
static ty_status follow(tyi_sim_share *share, ty_diag *diag)
{
    ty_run *run = share->moves;
    ty_status status = TY_OK;
    for (size_t i = 0; i < share->heards && status == TY_OK; i++) {
        const heard *h = &share->heard[i];
        if (h->rank == share->def.rank) {
            continue;
        }
        if (h->word->kind == EDIT) {
            status = edit(run, h, diag);
        } else if (h->word->kind == STATE && h->word->step == share->steps - 1) {
            status = tyi_sim_rover_unpack(run, h->word->rover, h->data, h->word->bytes, diag);
        }
    }
    for (size_t i = 0; i < share->heards; i++) {
        const heard *h = &share->heard[i];
        if (h->word->kind == PLACE) {
            memcpy(&share->place[h->word->rover], h->data, sizeof *share->place);
        }
    }
    tyi_terrain_cursor_skip(&share->cursor);
    return status;
}

/* ---- who owns whom ---- */

static ty_status bring_groups(tyi_sim_share *share, ty_diag *diag)
{
    ty_run *run = share->moves;
    ty_status status = TY_OK;
    for (size_t i = 0; i < share->heards && status == TY_OK; i++) {
        const heard *h = &share->heard[i];
        uint32_t first = h->word->rover;
        if (h->word->kind == GROUP && share->owner[first] == share->def.rank &&
            share->before[first] != share->def.rank) {
            status = tyi_body_world_group_restore(tyi_sim_bodies_world(run), tyi_sim_steps(run), h->data, diag);
        }
    }
    return status;
}

/* by a rule that all ranks follow alike: rovers that are near each other are where the first of them is at home */
static ty_status find_owners(tyi_sim_share *share, ty_diag *diag)
{
    ty_run *run = share->moves;
    memcpy(share->before, share->owner, run->rovers * sizeof *share->owner);
    tyi_body_world_clusters(tyi_sim_bodies_world(run), share->place, NEAR, share->root);
    for (size_t i = 0; i < run->rovers; i++) {
        share->owner[i] = home(share, (size_t)share->root[i]);
        tyi_sim_rover_run *r = &run->rover[i];
        share->moved += run->time && share->owner[i] != share->before[i];
        r->elsewhere = share->owner[i] != share->def.rank;
        r->vehicle->rider->away = r->away || r->asleep || r->elsewhere;
        tyi_body_world_lend(tyi_sim_bodies_world(run), (int)i, r->elsewhere);
    }
    return bring_groups(share, diag);
}

/* ---- an interval ---- */

static bool ends_at(const ty_run *run, ty_time period)
{
    return run->time % period < run->step;
}

ty_status tyi_sim_share_next(tyi_sim_share *share, ty_diag *diag)
{
    ty_run *run = share->moves;
    ty_time interval = ty_time_from(run->scenario.exchange);
    ty_diag own = { 0 };
    ty_status status = ends_at(run, TYI_BODY_ASK) ? find_owners(share, &own) : TY_OK;
    tyi_io_cdr_clear(&share->own);
    if (run->time == 0) {
        recorded(share, 0);
    }
    bool last = false;
    for (share->step = 0; !last && status == TY_OK; share->step++) {
        status = tyi_sim_move(run, &own);
        run->time += run->step;
        last = ends_at(run, interval) || ty_run_done(run);
        if (status == TY_OK) {
            say_states(share, last);
        }
        share->steps = share->step + 1;
    }
    if (status == TY_OK && ends_at(run, TYI_BODY_ASK)) {
        say_groups(share);
    }
    if (status != TY_OK) {
        share->step -= share->step > 0;
        say_failure(share, &own);
    }
    const uint8_t *all;
    size_t total;
    status = share->own.failed
                 ? ty_fail(diag, TY_ERR_MEMORY, "ranks: no memory for what is told")
                 : share->def.exchange(share->def.user, share->own.data, share->own.size, &all, &total, diag);
    status = status == TY_OK ? hear(share, all, total, diag) : status;
    status = status == TY_OK ? follow(share, diag) : status;
    for (size_t i = 0; i < share->heards && status == TY_OK && !share->shown; i++) {
        if (share->heard[i].word->kind == FAILURE) {
            *diag = *(const ty_diag *)(const void *)share->heard[i].data;
            status = diag->status;
        }
    }
    share->shows = 0;
    return status;
}

/* ---- what is shown ---- */

/* one step of the shown run */
static ty_status show(void *user, ty_diag *diag)
{
    tyi_sim_share *share = user;
    ty_run *run = share->shown;
    ty_status status = share->shows < share->steps ? TY_OK : tyi_sim_share_next(share, diag);
    for (size_t i = 0; i < run->rovers; i++) {
        run->rover[i].stale = !run->rover[i].away;
    }
    for (; status == TY_OK && share->next < share->heards; share->next++) {
        const heard *h = &share->heard[share->next];
        if (h->word->step > share->shows) {
            break;
        }
        switch ((word_kind)h->word->kind) {
        case EDIT:
            status = edit(run, h, diag);
            break;
        case TOUCH:
            tyi_body_world_touch(tyi_sim_bodies_world(run), (const tyi_body_touch *)(const void *)h->data);
            break;
        case STATE:
            status = tyi_sim_rover_unpack(run, h->word->rover, h->data, h->word->bytes, diag);
            run->rover[h->word->rover].stale = false;
            break;
        case PLACE:
        case GROUP:
            break;
        case FAILURE:
            *diag = *(const ty_diag *)(const void *)h->data;
            status = diag->status;
            break;
        }
    }
    share->shows++;
    return status;
}

static ty_status fetch(void *user, tyi_sim_slot *slot, ty_diag *diag)
{
    const tyi_sim_share *share = user;
    const uint8_t *data;
    size_t bytes;
    ty_status status =
        share->def.fetch(share->def.user, slot->sensor->index, slot->message.sequence, &data, &bytes, diag);
    return status == TY_OK ? tyi_sim_message_unpack(slot, data, bytes, diag) : status;
}

bool tyi_sim_share_whole(const tyi_sim_share *share)
{
    const ty_run *run = share->shown;
    bool whole = true;
    for (size_t i = 0; i < run->rovers; i++) {
        whole = whole && !run->rover[i].stale;
    }
    return whole;
}

void tyi_sim_share_folder(tyi_sim_share *share, const char *folder)
{
    if (share->shown) {
        tyi_sim_run_folder(share->shown, folder);
    }
}

size_t tyi_sim_share_moved(const tyi_sim_share *share)
{
    return share->moved;
}

ty_run *tyi_sim_share_moves(const tyi_sim_share *share)
{
    return share->moves;
}
