/* src/fleet/world.c - one world over ranks of mpirun: how they tell each other what sim/share.h has them tell.
 *
 * Rank 0 gathers what all say in an interval and sends all of it to everybody; sensors' messages go to rank 0 when they are due. Nobody blocks in MPI: a
 * message sets off and is forgotten until it has arrived, and who waits sleeps, so that nothing can lock up and no core is busy with waiting.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "core/core.h"
#include "fleet.h"
#include "io/mcap.h"
#include "ranks.h"
#include "record/record.h"
#include "sim/share.h"

typedef enum letter_kind { SAYS, ALL, MESSAGE, FAILS, END } letter_kind;

typedef struct letter { /* what is sent begins with this */
    uint32_t kind, rank;
    uint64_t sensor, sequence; /* of a sensor's message */
} letter;

typedef struct parcel { /* one on its way, or one that has come */
    struct parcel *next;
    void *posted; /* NULL: it is there */
    size_t bytes;
    letter letter[]; /* and its bytes */
} parcel;

struct tyi_fleet_world {
    tyi_fleet_ranks *ranks;
    const volatile int *stop;
    ty_run *shown;
    tyi_sim_share *share;
    parcel *out, *in, **last; /* on their way; come and not read yet, the oldest first */
    parcel *coming;           /* being let in; NULL: none */
    parcel *now, *frame;      /* what was read last: of an exchange, of a sensor */
    tyi_io_cdr all;           /* rank 0: what all say */
    bool stopped, ended;
    ty_status lost; /* TY_ERR_MEMORY: a letter could not be written or read */
};

static const tyi_fleet_door *volatile open_door;

void tyi_fleet_world_leave(void)
{
    if (open_door) {
        open_door->leave();
    }
}

ty_status tyi_fleet_world_open(const volatile int *stop, tyi_fleet_world **out, int *rank, int *ranks, ty_diag *diag)
{
    tyi_fleet_world *w = *out = calloc(1, sizeof *w);
    ty_status status =
        w ? tyi_fleet_ranks_open(&w->ranks, rank, ranks, diag) : ty_fail(diag, TY_ERR_MEMORY, "ranks: no memory");
    if (status != TY_OK) {
        free(w);
        *out = NULL;
    } else {
        w->stop = stop;
        open_door = w->ranks->door;
        w->last = &w->in;
    }
    return status;
}

/* ---- letters ---- */

static void post(tyi_fleet_world *w, int to, letter head, const void *data, size_t bytes)
{
    parcel *p = bytes < 0x7fffff00 ? malloc(sizeof *p + sizeof head + bytes) : NULL;
    if (!p) {
        w->lost = TY_ERR_MEMORY;
        return;
    }
    head.rank = (uint32_t)w->ranks->rank;
    p->letter[0] = head;
    if (bytes) {
        memcpy(&p->letter[1], data, bytes);
    }
    p->posted = *w->stop ? NULL : w->ranks->door->post(to, p->letter, (int)(sizeof head + bytes));
    p->next = w->out;
    w->out = p;
    if (!p->posted && !*w->stop) {
        w->lost = TY_ERR_MEMORY;
    }
}

/* whatever has come is taken in, whatever has arrived is forgotten */
static void pump(tyi_fleet_world *w)
{
    const tyi_fleet_door *door = w->ranks->door;
    for (parcel **at = &w->out; *at;) {
        parcel *p = *at;
        if (p->posted && !door->done(p->posted)) {
            at = &p->next;
        } else {
            *at = p->next;
            free(p);
        }
    }
    for (int bytes = 0, from = 0; w->coming || (bytes = door->next(&from)) >= (int)sizeof(letter);) {
        parcel *p = w->coming;
        if (!p) {
            p = w->coming = calloc(1, sizeof *p + (size_t)bytes);
            if (!p || !(p->posted = door->get(from, p->letter, bytes))) {
                w->lost = TY_ERR_MEMORY;
                return;
            }
            p->bytes = (size_t)bytes - sizeof(letter);
        }
        if (!door->done(p->posted)) {
            return;
        }
        w->coming = p->posted = NULL;
        *w->last = p;
        w->last = &p->next;
    }
}

static bool fits(const letter *have, const letter *want)
{
    return have->kind == want->kind &&
           (want->kind == MESSAGE ? have->sensor == want->sensor && have->sequence == want->sequence
                                  : want->kind != SAYS || have->rank == want->rank);
}

/* takes one out of those that have come; NULL: it has not */
static parcel *find(tyi_fleet_world *w, letter want)
{
    for (parcel **at = &w->in; *at; at = &(*at)->next) {
        parcel *p = *at;
        if (fits(p->letter, &want)) {
            *at = p->next;
            w->last = p->next ? w->last : at;
            return p;
        }
    }
    return NULL;
}

/* waits for one, asleep; NULL: something else happened */
static parcel *await(tyi_fleet_world *w, letter want, ty_diag *diag)
{
    for (long pause = 20000;; pause = pause < 300000 ? pause + pause / 2 : pause) { /* [ns] */
        if (!*w->stop) {
            pump(w);
        }
        parcel *p = find(w, want), *bad = p ? NULL : find(w, (letter){ .kind = FAILS });
        if (p) {
            return p;
        }
        if (bad) {
            memcpy(diag, &bad->letter[1], sizeof *diag);
            free(bad);
            return NULL;
        }
        bad = find(w, (letter){ .kind = END });
        w->ended = bad != NULL;
        free(bad);
        w->stopped = *w->stop != 0;
        if (w->ended || w->stopped || w->lost != TY_OK) {
            ty_fail(diag, w->lost != TY_OK ? w->lost : TY_ERR_INPUT, "ranks: %s",
                    w->lost != TY_OK ? "no memory for what is told"
                    : w->ended       ? "rank 0 has ended the run"
                                     : "a signal ended the wait for the others");
            return NULL;
        }
        nanosleep(&(struct timespec){ 0, pause }, NULL);
    }
}

/* all ranks at once: see sim/share.h */
static ty_status exchange(void *user, const void *own, size_t bytes, const uint8_t **all, size_t *total, ty_diag *diag)
{
    tyi_fleet_world *w = user;
    free(w->now);
    w->now = NULL;
    if (w->ranks->rank) {
        post(w, 0, (letter){ .kind = SAYS }, own, bytes);
        w->now = await(w, (letter){ .kind = ALL }, diag);
        if (!w->now) {
            return diag->status;
        }
        *all = (const uint8_t *)&w->now->letter[1];
        *total = w->now->bytes;
        return TY_OK;
    }
    tyi_io_cdr_clear(&w->all);
    tyi_io_cdr_add_block(&w->all, own, bytes);
    for (int i = 1; i < w->ranks->size; i++) {
        parcel *p = await(w, (letter){ .kind = SAYS, .rank = (uint32_t)i }, diag);
        if (!p) {
            return diag->status;
        }
        tyi_io_cdr_add_block(&w->all, &p->letter[1], p->bytes);
        free(p);
    }
    if (w->all.failed) {
        return ty_fail(diag, TY_ERR_MEMORY, "ranks: no memory for what is told");
    }
    for (int i = 1; i < w->ranks->size; i++) {
        post(w, i, (letter){ .kind = ALL }, w->all.data, w->all.size);
    }
    *all = w->all.data;
    *total = w->all.size;
    return TY_OK;
}

static ty_status fetch(void *user, size_t sensor, uint64_t sequence, const uint8_t **data, size_t *bytes, ty_diag *diag)
{
    tyi_fleet_world *w = user;
    free(w->frame);
    w->frame = await(w, (letter){ .kind = MESSAGE, .sensor = sensor, .sequence = sequence }, diag);
    if (w->frame) {
        *data = (const uint8_t *)&w->frame->letter[1];
        *bytes = w->frame->bytes;
    }
    return w->frame ? TY_OK : diag->status;
}

static void receive(void *user, const ty_message *m)
{
    tyi_fleet_world *w = user;
    tyi_io_cdr data = { 0 };
    tyi_sim_message_pack(m, &data);
    w->lost = data.failed ? TY_ERR_MEMORY : w->lost;
    post(w, 0, (letter){ .kind = MESSAGE, .sensor = m->index, .sequence = m->sequence }, data.data, data.size);
    tyi_io_cdr_free(&data);
}

/* ---- the run ---- */

typedef struct fare { /* how a rank fares */
    ty_diag diag;
    char text[TY_PATH_MAX];
} fare;

ty_status tyi_fleet_world_agree(tyi_fleet_world *w, char *text, size_t size, ty_diag *diag)
{
    fare own = { .diag = *diag };
    const uint8_t *all;
    size_t total;
    snprintf(own.text, sizeof own.text, "%s", text);
    ty_diag told = { 0 };
    ty_status status = exchange(w, &own, sizeof own, &all, &total, &told);
    tyi_io_cdr_reader t = { .at = all, .end = all + (status == TY_OK ? total : 0) };
    for (int i = 0; i < w->ranks->size && status == TY_OK; i++) {
        size_t bytes = 0;
        const fare *f = tyi_io_cdr_reader_block(&t, &bytes);
        if (!f || bytes != sizeof *f) {
            status = ty_fail(&told, TY_ERR_FORMAT, "ranks: rank %d is another program", i);
        } else if (f->diag.status != TY_OK) {
            told = f->diag;
            status = told.status;
        } else if (i == 0) {
            snprintf(text, size, "%s", f->text);
        }
    }
    *diag = told;
    return status;
}

ty_status tyi_fleet_world_check(const ty_scenario *scenario, int ranks, ty_diag *diag)
{
    return tyi_sim_share_check(scenario, ranks, diag);
}

ty_status tyi_fleet_world_lead(tyi_fleet_world *w, const ty_run_def *def, ty_run *shown, ty_diag *diag)
{
    tyi_sim_share_def share = {
        .run = def, .rank = w->ranks->rank, .ranks = w->ranks->size, .exchange = exchange, .fetch = fetch, .user = w
    };
    w->shown = shown;
    ty_status status = tyi_sim_share_create(&share, shown, &w->share, diag);
    bool tells = shown && ty_run_sensors(shown) && w->ranks->rank;
    return status == TY_OK && tells ? ty_run_subscribe(shown, NULL, NULL, receive, w, diag) : status;
}

bool tyi_fleet_world_whole(const tyi_fleet_world *w)
{
    return tyi_sim_share_whole(w->share);
}

ty_status tyi_fleet_world_step(tyi_fleet_world *w, ty_record *r, ty_diag *diag)
{
    ty_time now = ty_run_time(w->shown);
    if (!tyi_fleet_world_whole(w) && (now >= r->next_row || now >= r->events.next_look || now >= r->events.next_sun)) {
        return ty_fail(diag, TY_ERR_NUMERIC, "ranks: at %g s the record looks at rovers that nobody told of",
                       ty_seconds(now));
    }
    return ty_record_step(r, diag);
}

ty_status tyi_fleet_world_serve(tyi_fleet_world *w, const char *folder, ty_diag *diag)
{
    tyi_sim_share_folder(w->share, folder);
    ty_status status = TY_OK;
    while (status == TY_OK && !*w->stop) {
        status = w->shown ? ty_run_step(w->shown, diag) : tyi_sim_share_next(w->share, diag);
    }
    w->stopped = w->stopped || *w->stop;
    if (w->ended || w->stopped) {
        *diag = (ty_diag){ 0 };
        return TY_OK;
    }
    post(w, 0, (letter){ .kind = FAILS }, diag, sizeof *diag);
    ty_diag end = { 0 };
    free(await(w, (letter){ .kind = END }, &end));
    return status;
}

bool tyi_fleet_world_stopped(const tyi_fleet_world *w)
{
    return w->stopped;
}

size_t tyi_fleet_world_moved(const tyi_fleet_world *w)
{
    return tyi_sim_share_moved(w->share);
}

/* ---- the end ---- */

static void forget(parcel **list)
{
    while (*list) {
        parcel *p = *list;
        *list = p->next;
        free(p);
    }
}

void tyi_fleet_world_close(tyi_fleet_world *w)
{
    if (!w) {
        return;
    }
    for (int i = 1; i < w->ranks->size && !w->ranks->rank; i++) {
        post(w, i, (letter){ .kind = END }, NULL, 0);
    }
    if (w->ranks->rank) { /* the last word: rank 0 has all before it, too */
        post(w, 0, (letter){ .kind = END }, NULL, 0);
    }
    for (int left = w->ranks->rank ? 0 : w->ranks->size - 1; !*w->stop && !w->stopped && (w->out || left > 0);) {
        pump(w);
        parcel *p = w->ranks->rank ? NULL : find(w, (letter){ .kind = END });
        left -= p != NULL;
        free(p);
        nanosleep(&(struct timespec){ 0, 100000 }, NULL);
    }
    if (!*w->stop && !w->stopped) {
        w->ranks->door->close();
        forget(&w->out);
    }
    forget(&w->in);
    free(w->now), free(w->frame);
    tyi_io_cdr_free(&w->all);
    tyi_sim_share_destroy(w->share);
    free(w->ranks);
    free(w);
}
