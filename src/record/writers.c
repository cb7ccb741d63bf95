/* src/record/writers.c - threads that write frames and clouds while the run goes on: packing a picture takes longer than a device
 * takes to make it. Files and their bytes are those of one thread; failures are told in the order of the messages.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>
#include <stdlib.h>
#include "core/core.h"
#include "record.h"

#define THREADS 6
#define ROOM    24
#define BYTES   ((size_t)256 << 20) /* of messages that wait, or one message */

typedef struct work {
    tyi_record_writing what;
    size_t bytes;
    bool finished;
    ty_diag diag;
} work;

struct tyi_record_writers {
    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    pthread_t thread[THREADS];
    int threads;
    bool quit;
    work ring[ROOM];            /* work n is in place n % ROOM */
    size_t oldest, next, given; /* not yet asked about; not yet begun; not yet there */
    size_t bytes;
};

static void *write_some(void *user)
{
    tyi_record_writers *w = user;
    pthread_mutex_lock(&w->lock);
    for (;;) {
        while (w->next == w->given && !w->quit) {
            pthread_cond_wait(&w->wake, &w->lock);
        }
        if (w->next == w->given) {
            break;
        }
        work *mine = &w->ring[w->next++ % ROOM];
        pthread_mutex_unlock(&w->lock);
        tyi_record_write(&mine->what, &mine->diag);
        ty_buffer_destroy(&mine->what.message.part[0].data);
        pthread_mutex_lock(&w->lock);
        mine->finished = true;
        w->bytes -= mine->bytes;
        pthread_cond_signal(&w->done);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

tyi_record_writers *tyi_record_writers_create(int threads)
{
    threads = tyi_tasks_threads(threads) - 1;
    tyi_record_writers *w = threads > 0 ? calloc(1, sizeof *w) : NULL;
    if (!w) {
        return NULL;
    }
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->wake, NULL);
    pthread_cond_init(&w->done, NULL);
    while (w->threads < threads && w->threads < THREADS &&
           pthread_create(&w->thread[w->threads], NULL, write_some, w) == 0) {
        w->threads++;
    }
    if (w->threads == 0) {
        tyi_record_writers_destroy(w);
        return NULL;
    }
    return w;
}

void tyi_record_writers_destroy(tyi_record_writers *w)
{
    if (!w) {
        return;
    }
    pthread_mutex_lock(&w->lock);
    w->quit = true; /* once all that was given is written */
    pthread_cond_broadcast(&w->wake);
    pthread_mutex_unlock(&w->lock);
    for (int i = 0; i < w->threads; i++) {
        pthread_join(w->thread[i], NULL);
    }
    pthread_cond_destroy(&w->wake);
    pthread_cond_destroy(&w->done);
    pthread_mutex_destroy(&w->lock);
    free(w);
}

/* under the lock: hears of what is finished, the oldest first */
static void collect(tyi_record_writers *w, ty_diag *first)
{
    while (w->oldest < w->given && w->ring[w->oldest % ROOM].finished) {
        work *one = &w->ring[w->oldest++ % ROOM];
        if (first->status == TY_OK && one->diag.status != TY_OK) {
            *first = one->diag;
        }
    }
}

ty_status tyi_record_writers_wait(tyi_record_writers *w, ty_diag *first)
{
    if (w) {
        pthread_mutex_lock(&w->lock);
        for (collect(w, first); w->oldest < w->given; collect(w, first)) {
            pthread_cond_wait(&w->done, &w->lock);
        }
        pthread_mutex_unlock(&w->lock);
    }
    return first->status;
}

ty_status tyi_record_writers_give(tyi_record_writers *w, const tyi_record_writing *what, ty_diag *first)
{
    ty_message kept;
    if (!w) {
        return tyi_record_write(what, first);
    }
    if (ty_message_keep(&what->message, &kept, first) != TY_OK) {
        return first->status;
    }
    size_t bytes = kept.part[0].data.bytes;
    pthread_mutex_lock(&w->lock);
    collect(w, first);
    while (w->given - w->oldest == ROOM || (w->bytes > 0 && w->bytes + bytes > BYTES)) {
        pthread_cond_wait(&w->done, &w->lock);
        collect(w, first);
    }
    work *one = &w->ring[w->given++ % ROOM];
    *one = (work){ .what = *what, .bytes = bytes };
    one->what.message = kept;
    w->bytes += bytes;
    pthread_cond_signal(&w->wake);
    pthread_mutex_unlock(&w->lock);
    return first->status;
}
