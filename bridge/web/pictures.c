/* bridge/web/pictures.c - what cameras and lidars see, for those that look: copied on the run's thread, made into JPEG and
 * clouds on another. A picture that comes while the last one is still being made replaces any that waits.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include "tycho/tools/image.h"
#include "io/inner.h"
#include "sensor/inner.h"
#include "web.h"

#define QUALITY 85
#define TABLE   4096
#define POINTS  65536 /* most of a cloud; of more every other one is left out */

typedef struct view {
    const ty_sensor_def *def;
    uint32_t client[TYI_WEB_CLIENTS]; /* that look; 0: nobody */
    bool fresh;                       /* a copy waits */
    ty_buffer copy;
    ty_stamps time;
    uint64_t sequence;
    ty_pose pose;
    bool toned;
    ty_tone tone;
} view;

struct tyi_web_pictures {
    tyi_web_server *server;
    view *view;
    size_t views;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool started, stop;
    uint64_t sent;
};

/* ---- what is sent ---- */

static void tones_of(view *v, const ty_buffer *image, ty_tone tone[TY_BANDS])
{
    size_t n = (size_t)image->type.width * (size_t)image->type.height;
    if (!v->toned) {
        float *light = malloc(n * sizeof *light);
        v->tone = (ty_tone){ .white = 1.0, .gamma = 2.2 };
        for (size_t i = 0; light && i < n; i++) {
            light[i] = (float)ty_buffer_get(image, (int)(i % (size_t)image->type.width),
                                            (int)(i / (size_t)image->type.width), 0);
        }
        if (light) {
            v->tone = ty_tone_series(light, NULL, n);
            v->toned = true;
        }
        free(light);
    }
    if (tyi_sensor_tone(v->def, image->type.unit, &v->tone, tone, NULL) != TY_OK) {
        for (int b = 0; b < TY_BANDS; b++) {
            tone[b] = v->tone;
        }
    }
}

static tyi_web_blob *make_image(view *v, size_t sensor, const ty_buffer *image, ty_stamps time, uint64_t sequence)
{
    enum { HEAD = 24 };
    int channels = image->type.channels == 3 ? 3 : 1, w = image->type.width, h = image->type.height;
    ty_tone tone[TY_BANDS];
    uint8_t *table = malloc((size_t)channels * TABLE), *pixel = malloc((size_t)w * (size_t)h * (size_t)channels),
            *to = pixel;
    void *jpeg = NULL;
    size_t bytes = 0;
    tyi_web_blob *blob = NULL;
    if (table && pixel) {
        tones_of(v, image, tone);
        for (int c = 0; c < channels; c++) {
            for (int i = 0; i < TABLE; i++) {
                double u = (i + 0.5) / TABLE;
                table[c * TABLE + i] = ty_tone_byte(&tone[c], tone[c].black + u * u * (tone[c].white - tone[c].black));
            }
        }
        for (int y = 0; y < h; y++) {
            for (int x = 0; x < w; x++) {
                for (int c = 0; c < channels; c++) {
                    double u = (ty_buffer_get(image, x, y, c) - tone[c].black) / (tone[c].white - tone[c].black);
                    int i = u > 0.0 ? (int)fmin(sqrt(u) * TABLE, TABLE - 1.0) : 0;
                    *to++ = table[c * TABLE + i];
                }
            }
        }
        ty_image picture = { w, h, channels, 8, pixel };
        tyi_io_jpeg_pack(&picture, QUALITY, &jpeg, &bytes, NULL);
    }
    blob = jpeg ? tyi_web_blob_new(HEAD + bytes, false) : NULL;
    if (blob) {
        tyi_web_bytes b = { blob->data };
        TYI_WEB_PUT(&b, uint8_t, TYI_WEB_IMAGE);
        TYI_WEB_PUT(&b, uint8_t, 1);
        TYI_WEB_PUT(&b, uint16_t, sensor);
        TYI_WEB_PUT(&b, uint32_t, sequence);
        TYI_WEB_PUT(&b, double, ty_seconds(time.start));
        TYI_WEB_PUT(&b, uint16_t, w);
        TYI_WEB_PUT(&b, uint16_t, h);
        TYI_WEB_PUT(&b, uint32_t, 0);
        tyi_web_put(&b, jpeg, bytes);
    }
    free(table), free(pixel), free(jpeg);
    return blob;
}

static tyi_web_blob *make_cloud(size_t sensor, const ty_buffer *points, ty_stamps time, ty_pose pose)
{
    enum { HEAD = 40 };
    int w = points->type.width, h = points->type.height;
    size_t n = (size_t)w * (size_t)h, every = (n + POINTS - 1) / POINTS, count = 0;
    tyi_web_blob *blob = tyi_web_blob_new(HEAD + (n / (every ? every : 1) + 1) * 16, false);
    if (!blob) {
        return NULL;
    }
    tyi_web_bytes b = { blob->data + HEAD };
    bool site = points->type.frame == 'W';
    for (size_t i = 0; i < n; i += every) {
        int x = (int)(i % (size_t)w), y = (int)(i / (size_t)w);
        ty_vec3 p = { ty_buffer_get(points, x, y, 0), ty_buffer_get(points, x, y, 1), ty_buffer_get(points, x, y, 2) };
        if (isfinite(p.x) && isfinite(p.y) && isfinite(p.z)) {
            p = site ? ty_sub(p, pose.p) : ty_rotate(pose.q, p);
            const float f[4] = { (float)p.x, (float)p.y, (float)p.z, (float)ty_buffer_get(points, x, y, 3) };
            tyi_web_put(&b, f, sizeof f);
            count++;
        }
    }
    blob->bytes = HEAD + count * 16;
    tyi_web_bytes a = { blob->data };
    TYI_WEB_PUT(&a, uint8_t, TYI_WEB_CLOUD);
    TYI_WEB_PUT(&a, uint8_t, 0);
    TYI_WEB_PUT(&a, uint16_t, sensor);
    TYI_WEB_PUT(&a, uint32_t, count);
    TYI_WEB_PUT(&a, double, ty_seconds(time.start));
    const double p[3] = { pose.p.x, pose.p.y, pose.p.z };
    tyi_web_put(&a, p, sizeof p);
    return blob;
}

/* ---- the thread ---- */

static void *work(void *user)
{
    tyi_web_pictures *q = user;
    pthread_mutex_lock(&q->lock);
    while (!q->stop) {
        size_t i = 0;
        while (i < q->views && !q->view[i].fresh) {
            i++;
        }
        if (i == q->views) {
            pthread_cond_wait(&q->wake, &q->lock);
            continue;
        }
        view *v = &q->view[i];
        ty_buffer data = v->copy; /* taken out: the run's thread makes another */
        v->copy = (ty_buffer){ 0 };
        v->fresh = false;
        ty_stamps time = v->time;
        uint64_t sequence = v->sequence;
        ty_pose pose = v->pose;
        pthread_mutex_unlock(&q->lock);
        tyi_web_blob *blob = data.type.unit == TY_UNIT_POINT ? make_cloud(i, &data, time, pose)
                                                             : make_image(v, i, &data, time, sequence);
        ty_buffer_destroy(&data);
        pthread_mutex_lock(&q->lock);
        for (int k = 0; blob && k < TYI_WEB_CLIENTS; k++) {
            if (v->client[k]) {
                tyi_web_send(q->server, v->client[k], blob, TYI_WEB_NEWEST, TYI_WEB_KEY_SENSOR + (uint32_t)i);
                q->sent++;
            }
        }
        tyi_web_blob_drop(blob);
    }
    pthread_mutex_unlock(&q->lock);
    return NULL;
}

ty_status tyi_web_pictures_start(ty_run *run, tyi_web_pictures **out, ty_diag *diag)
{
    tyi_web_pictures *q = calloc(1, sizeof *q);
    *out = q;
    if (!q) {
        return ty_fail(diag, TY_ERR_MEMORY, "live: no memory for pictures");
    }
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->wake, NULL);
    q->views = ty_run_sensors(run);
    q->view = calloc(q->views + 1, sizeof *q->view);
    for (size_t i = 0; q->view && i < q->views; i++) {
        q->view[i].def = ty_run_sensor(run, i).def;
    }
    q->started = q->view && pthread_create(&q->thread, NULL, work, q) == 0;
    return q->started ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "live: no memory or thread for pictures");
}

void tyi_web_pictures_stop(tyi_web_pictures *q)
{
    if (!q) {
        return;
    }
    pthread_mutex_lock(&q->lock);
    q->stop = true;
    pthread_cond_signal(&q->wake);
    pthread_mutex_unlock(&q->lock);
    if (q->started) {
        pthread_join(q->thread, NULL);
    }
    q->started = false;
}

void tyi_web_pictures_free(tyi_web_pictures *q)
{
    if (!q) {
        return;
    }
    for (size_t i = 0; q->view && i < q->views; i++) {
        ty_buffer_destroy(&q->view[i].copy);
    }
    pthread_cond_destroy(&q->wake);
    pthread_mutex_destroy(&q->lock);
    free(q->view), free(q);
}

void tyi_web_pictures_serve(tyi_web_pictures *q, tyi_web_server *server)
{
    pthread_mutex_lock(&q->lock);
    q->server = server;
    pthread_mutex_unlock(&q->lock);
}

void tyi_web_pictures_want(tyi_web_pictures *q, uint32_t client, size_t sensor, bool wants)
{
    pthread_mutex_lock(&q->lock);
    if (sensor < q->views) {
        view *v = &q->view[sensor];
        int at = -1;
        for (int k = 0; k < TYI_WEB_CLIENTS; k++) {
            at = v->client[k] == client ? k : at;
        }
        for (int k = 0; k < TYI_WEB_CLIENTS && wants && at < 0; k++) {
            at = v->client[k] ? at : k;
        }
        if (at >= 0) {
            v->client[at] = wants ? client : 0;
        }
    }
    pthread_mutex_unlock(&q->lock);
}

void tyi_web_pictures_forget(tyi_web_pictures *q, uint32_t client)
{
    for (size_t i = 0; i < q->views; i++) {
        tyi_web_pictures_want(q, client, i, false);
    }
}

void tyi_web_pictures_put(tyi_web_pictures *q, const ty_message *m, ty_pose pose)
{
    const ty_buffer *b = &m->part[0].data;
    bool looked = false, shown = !m->schema->column || b->type.unit == TY_UNIT_POINT;
    if (m->index >= q->views || !shown || b->type.height * b->type.width < 2) {
        return;
    }
    view *v = &q->view[m->index];
    pthread_mutex_lock(&q->lock);
    for (int k = 0; k < TYI_WEB_CLIENTS; k++) {
        looked = looked || v->client[k];
    }
    bool fits = v->copy.bytes && !memcmp(&v->copy.type, &b->type, sizeof b->type);
    if (looked && !fits) {
        ty_buffer_destroy(&v->copy);
        fits = ty_buffer_create(&b->type, NULL, &v->copy, NULL) == TY_OK;
    }
    if (looked && fits) {
        ty_buffer_copy(&v->copy, b);
        v->time = m->time;
        v->sequence = m->sequence;
        v->pose = pose;
        v->fresh = true;
        pthread_cond_signal(&q->wake);
    }
    pthread_mutex_unlock(&q->lock);
}

void tyi_web_pictures_relight(tyi_web_pictures *q)
{
    pthread_mutex_lock(&q->lock);
    for (size_t i = 0; i < q->views; i++) {
        q->view[i].toned = false;
    }
    pthread_mutex_unlock(&q->lock);
}

uint64_t tyi_web_pictures_sent(tyi_web_pictures *q)
{
    pthread_mutex_lock(&q->lock);
    uint64_t sent = q->sent;
    pthread_mutex_unlock(&q->lock);
    return sent;
}
