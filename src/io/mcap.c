/* src/io/mcap.c - the MCAP container: chunks of messages with their index, and a summary at the end.
 * Format: https://mcap.dev/spec, version 0. Chunks are compressed by zstd.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include "bytes.h"
#include "core/core.h"
#include "mcap.h"

enum {
    HEADER = 1,
    FOOTER,
    SCHEMA,
    CHANNEL,
    MESSAGE,
    CHUNK,
    MESSAGE_INDEX,
    CHUNK_INDEX,
    ATTACHMENT,
    ATTACHMENT_INDEX,
    STATISTICS,
    METADATA,
    METADATA_INDEX,
    SUMMARY_OFFSET,
    DATA_END
};

#define CHANNELS    512
#define CHUNK_BYTES (1u << 20) /* a chunk is closed when it holds this much */
#define LEVEL       1          /* of zstd, 2 ns per byte; at 3 frames with noise are 2 % smaller, for 2.3 times that */
static const uint8_t magic[8] = { 0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n' };

typedef struct channel {
    char topic[200];
    tyi_io_ros_type type;
    uint64_t messages;
    tyi_io_cdr index; /* time and offset of its messages in the open chunk */
} channel;

/* A chunk that is full: it is packed and written by a thread of its own, while the next one is filled. */
typedef struct closed_chunk {
    tyi_io_cdr chunk, index[CHANNELS];
    int64_t first, last;
    uint32_t channels; /* that there were */
    ty_diag diag;      /* what became of it */
    bool busy, started, quit;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake, done;
} closed_chunk;

struct tyi_io_mcap {
    char *path;
    const ty_alloc *alloc;
    int file;
    uint64_t end; /* [bytes] of the file that are whole */
    uint32_t crc; /* of them */
    ZSTD_CCtx *zstd;
    tyi_io_cdr packed;             /* scratch: a chunk, compressed */
    closed_chunk closed;           /* while it is busy, all but the open chunk and the channels is its thread's */
    tyi_io_cdr chunk;              /* records of the open chunk */
    int64_t first, last;           /* [ns] of its messages */
    uint64_t in_chunk;             /* messages in it */
    tyi_io_cdr chunks;             /* index records of the chunks on the disk */
    tyi_io_cdr attachments, notes; /* index records of what stands between chunks */
    uint32_t chunk_count, attachment_count, note_count;
    uint64_t messages;
    int64_t start, stop; /* [ns] of all messages */
    tyi_io_cdr record;   /* scratch: what is written next */
    uint32_t channels;
    channel channel[CHANNELS];
};

/* ---- records ---- */

/* opcode and room for the length; returns where the content starts */
static size_t begin(tyi_io_cdr *b, uint8_t opcode)
{
    tyi_io_put_u8(b, opcode);
    tyi_io_put_u64(b, 0);
    return b->size;
}

static void finish(tyi_io_cdr *b, size_t content)
{
    uint64_t length = b->size - content;
    for (size_t k = 0; !b->failed && k < 8; k++) {
        b->data[content - 8 + k] = (uint8_t)(length >> (8 * k));
    }
}

/* length of what follows, filled in by end_block */
static size_t begin_block(tyi_io_cdr *b)
{
    tyi_io_put_u32(b, 0);
    return b->size;
}

static void end_block(tyi_io_cdr *b, size_t content)
{
    uint32_t length = (uint32_t)(b->size - content);
    for (size_t k = 0; !b->failed && k < 4; k++) {
        b->data[content - 4 + k] = (uint8_t)(length >> (8 * k));
    }
}

static void put_schema(tyi_io_cdr *b, tyi_io_ros_type type)
{
    const char *text = tyi_io_ros_definition(type);
    size_t content = begin(b, SCHEMA);
    tyi_io_put_u16(b, (uint16_t)(type + 1)); /* 0 stands for none */
    tyi_io_put_text(b, tyi_io_ros_name(type));
    tyi_io_put_text(b, "ros2msg");
    tyi_io_put_text(b, text);
    finish(b, content);
}

/* What a late reader must still get: sent once, at the start. */
static bool is_latched(const char *topic)
{
    const char *leaf = strrchr(topic, '/');
    return leaf && (!strcmp(leaf, "/tf_static") || !strcmp(leaf, "/robot_description"));
}

/* How a topic is to be played again, as rosbag2 keeps it: reliable, the last 10, or the one for those who come late. The numbers
 * are rmw's: history keep last, reliability reliable, durability transient local or volatile, liveliness by the system. */
static void qos_text(const char *topic, char *out, size_t size)
{
    bool latched = is_latched(topic);
    snprintf(
        out, size,
        "- history: 1\n  depth: %d\n  reliability: 1\n  durability: %d\n  deadline:\n    sec: 9223372036\n    nsec: "
        "854775807\n  lifespan:\n    sec: 9223372036\n    nsec: 854775807\n  liveliness: 1\n  "
        "liveliness_lease_duration:\n    sec: 9223372036\n    nsec: 854775807\n  avoid_ros_namespace_conventions: "
        "false",
        latched ? 1 : 10, latched ? 1 : 2);
}

static void put_channel(tyi_io_cdr *b, const channel *c, uint16_t id)
{
    char qos[600];
    qos_text(c->topic, qos, sizeof qos);
    size_t content = begin(b, CHANNEL);
    tyi_io_put_u16(b, id);
    tyi_io_put_u16(b, (uint16_t)(c->type + 1));
    tyi_io_put_text(b, c->topic);
    tyi_io_put_text(b, "cdr");
    size_t map = begin_block(b);
    tyi_io_put_text(b, "offered_qos_profiles");
    tyi_io_put_text(b, qos);
    end_block(b, map);
    finish(b, content);
}

/* ---- file ---- */

/* Appends; where that fails the file is cut back to what was whole. */
static ty_status append(tyi_io_mcap *m, const tyi_io_cdr *b, ty_diag *diag)
{
    if (b->failed) {
        return ty_fail(diag, TY_ERR_MEMORY, "%s: no memory for a record", m->path);
    }
    for (size_t done = 0; done < b->size;) {
        ssize_t n = pwrite(m->file, b->data + done, b->size - done, (off_t)(m->end + done));
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            int why = n < 0 ? errno : ENOSPC;
            if (ftruncate(m->file, (off_t)m->end) != 0) {
                why = why ? why : errno;
            }
            return ty_fail(diag, TY_ERR_FILE, "%s: cannot be written: %s", m->path, strerror(why));
        }
        done += (size_t)n;
    }
    m->end += b->size;
    m->crc = (uint32_t)crc32(m->crc, b->data, (uInt)b->size);
    return TY_OK;
}

static void note_chunk(tyi_io_mcap *m, uint64_t start, uint64_t length, uint64_t indexes, const uint64_t *offset)
{
    const closed_chunk *full = &m->closed;
    tyi_io_cdr *b = &m->chunks;
    size_t content = begin(b, CHUNK_INDEX);
    tyi_io_put_u64(b, (uint64_t)full->first);
    tyi_io_put_u64(b, (uint64_t)full->last);
    tyi_io_put_u64(b, start);
    tyi_io_put_u64(b, length);
    size_t map = begin_block(b);
    for (uint32_t k = 0; k < full->channels; k++) {
        if (full->index[k].size) {
            tyi_io_put_u16(b, (uint16_t)k);
            tyi_io_put_u64(b, offset[k]);
        }
    }
    end_block(b, map);
    tyi_io_put_u64(b, indexes);
    tyi_io_put_text(b, "zstd");
    tyi_io_put_u64(b, m->packed.size);
    tyi_io_put_u64(b, full->chunk.size);
    finish(b, content);
    m->chunk_count++;
}

static ty_status pack(tyi_io_mcap *m, ty_diag *diag)
{
    const tyi_io_cdr *chunk = &m->closed.chunk;
    size_t most = ZSTD_compressBound(chunk->size);
    tyi_io_cdr_clear(&m->packed);
    void *room = chunk->failed ? NULL : tyi_io_cdr_room(&m->packed, most);
    size_t n = room ? ZSTD_compressCCtx(m->zstd, room, most, chunk->data, chunk->size, LEVEL) : 0;
    if (!room || ZSTD_isError(n)) {
        return ty_fail(diag, TY_ERR_MEMORY, "%s: no memory to compress a chunk", m->path);
    }
    m->packed.size = n;
    return TY_OK;
}

/* The closed chunk and the index of its messages go to the disk together. */
static ty_status write_chunk(tyi_io_mcap *m, ty_diag *diag)
{
    closed_chunk *full = &m->closed;
    uint64_t offset[CHANNELS] = { 0 };
    tyi_io_cdr *b = &m->record;
    ty_status status = pack(m, diag);
    if (status != TY_OK) {
        return status;
    }
    tyi_io_cdr_clear(b);
    size_t content = begin(b, CHUNK);
    tyi_io_put_u64(b, (uint64_t)full->first);
    tyi_io_put_u64(b, (uint64_t)full->last);
    tyi_io_put_u64(b, full->chunk.size);
    tyi_io_put_u32(b, (uint32_t)crc32(0, full->chunk.data, (uInt)full->chunk.size));
    tyi_io_put_text(b, "zstd");
    tyi_io_put_u64(b, m->packed.size);
    tyi_io_cdr_add(b, m->packed.data, m->packed.size);
    finish(b, content);
    uint64_t length = b->size;
    for (uint32_t k = 0; k < full->channels; k++) {
        const tyi_io_cdr *index = &full->index[k];
        if (index->size) {
            offset[k] = m->end + b->size;
            content = begin(b, MESSAGE_INDEX);
            tyi_io_put_u16(b, (uint16_t)k);
            tyi_io_put_u32(b, (uint32_t)index->size);
            tyi_io_cdr_add(b, index->data, index->size);
            b->failed = b->failed || index->failed;
            finish(b, content);
        }
    }
    uint64_t start = m->end, indexes = b->size - length;
    status = append(m, b, diag);
    if (status == TY_OK) {
        note_chunk(m, start, length, indexes, offset);
    }
    return status;
}

static void *write_chunks(void *user)
{
    tyi_io_mcap *m = user;
    closed_chunk *full = &m->closed;
    pthread_mutex_lock(&full->lock);
    for (;;) {
        while (!full->busy && !full->quit) {
            pthread_cond_wait(&full->wake, &full->lock);
        }
        if (!full->busy) {
            break;
        }
        pthread_mutex_unlock(&full->lock);
        write_chunk(m, &full->diag);
        pthread_mutex_lock(&full->lock);
        full->busy = false;
        pthread_cond_signal(&full->done);
    }
    pthread_mutex_unlock(&full->lock);
    return NULL;
}

/* until the closed chunk is on the disk; the file is the caller's then */
static ty_status wait_chunk(tyi_io_mcap *m, ty_diag *diag)
{
    closed_chunk *full = &m->closed;
    pthread_mutex_lock(&full->lock);
    while (full->busy) {
        pthread_cond_wait(&full->done, &full->lock);
    }
    pthread_mutex_unlock(&full->lock);
    return full->diag.status == TY_OK ? TY_OK : ty_fail(diag, full->diag.status, "%s", full->diag.text);
}

/* The open chunk is closed and goes to the thread; without one it is written at once. */
static ty_status close_chunk(tyi_io_mcap *m, ty_diag *diag)
{
    closed_chunk *full = &m->closed;
    ty_status status = wait_chunk(m, diag);
    if (m->chunk.size == 0 || status != TY_OK) {
        return status;
    }
    tyi_io_cdr empty = full->chunk;
    full->chunk = m->chunk, m->chunk = empty;
    tyi_io_cdr_clear(&m->chunk);
    for (uint32_t k = 0; k < m->channels; k++) {
        empty = full->index[k], empty.alloc = m->alloc;
        full->index[k] = m->channel[k].index, m->channel[k].index = empty;
        tyi_io_cdr_clear(&m->channel[k].index);
    }
    full->channels = m->channels, full->first = m->first, full->last = m->last;
    m->in_chunk = 0;
    m->first = m->last = 0;
    full->started = full->started || pthread_create(&full->thread, NULL, write_chunks, m) == 0;
    if (!full->started) {
        return write_chunk(m, diag);
    }
    pthread_mutex_lock(&full->lock);
    full->busy = true;
    pthread_cond_signal(&full->wake);
    pthread_mutex_unlock(&full->lock);
    return TY_OK;
}

/* All messages so far are on the disk. */
static ty_status flush_chunk(tyi_io_mcap *m, ty_diag *diag)
{
    ty_status status = close_chunk(m, diag);
    return status == TY_OK ? wait_chunk(m, diag) : status;
}

static void destroy(tyi_io_mcap *m)
{
    closed_chunk *full = &m->closed;
    if (full->started) {
        pthread_mutex_lock(&full->lock);
        full->quit = true;
        pthread_cond_signal(&full->wake);
        pthread_mutex_unlock(&full->lock);
        pthread_join(full->thread, NULL);
    }
    pthread_mutex_destroy(&full->lock);
    pthread_cond_destroy(&full->wake);
    pthread_cond_destroy(&full->done);
    for (int k = 0; k < CHANNELS; k++) {
        tyi_io_cdr_free(&full->index[k]);
    }
    tyi_io_cdr_free(&full->chunk);
    if (m->file >= 0) {
        close(m->file);
    }
    for (uint32_t k = 0; k < m->channels; k++) {
        tyi_io_cdr_free(&m->channel[k].index);
    }
    tyi_io_cdr_free(&m->chunk);
    tyi_io_cdr_free(&m->chunks);
    tyi_io_cdr_free(&m->record);
    tyi_io_cdr_free(&m->packed);
    tyi_io_cdr_free(&m->attachments);
    tyi_io_cdr_free(&m->notes);
    ZSTD_freeCCtx(m->zstd);
    tyi_put(m->alloc, m->path, m->path ? strlen(m->path) + 1 : 0);
    tyi_put(m->alloc, m, sizeof *m);
}

static ty_status open_file(const char *path, int flags, const ty_alloc *alloc, tyi_io_mcap **out, ty_diag *diag)
{
    *out = NULL;
    tyi_io_mcap *m = tyi_get(alloc, sizeof *m);
    if (!m) {
        return ty_fail(diag, TY_ERR_MEMORY, "%s: no memory to write it", path);
    }
    m->alloc = m->chunk.alloc = m->chunks.alloc = m->record.alloc = m->closed.chunk.alloc = alloc;
    pthread_mutex_init(&m->closed.lock, NULL);
    pthread_cond_init(&m->closed.wake, NULL);
    pthread_cond_init(&m->closed.done, NULL);
    m->packed.alloc = m->attachments.alloc = m->notes.alloc = alloc;
    m->path = tyi_get(alloc, strlen(path) + 1);
    m->zstd = ZSTD_createCCtx();
    m->file = -1;
    if (!m->path || !m->zstd) {
        destroy(m);
        return ty_fail(diag, TY_ERR_MEMORY, "%s: no memory to write it", path);
    }
    memcpy(m->path, path, strlen(path) + 1);
    m->file = open(path, flags | O_RDWR | O_CLOEXEC, 0666);
    if (m->file < 0) {
        ty_status status = ty_fail(diag, TY_ERR_FILE, "%s: cannot be written: %s", path, strerror(errno));
        destroy(m);
        return status;
    }
    *out = m;
    return TY_OK;
}

ty_status tyi_io_mcap_create(const char *path, const ty_alloc *alloc, tyi_io_mcap **out, ty_diag *diag)
{
    ty_status status = open_file(path, O_CREAT | O_TRUNC, alloc, out, diag);
    if (status != TY_OK) {
        return status;
    }
    tyi_io_cdr *b = &(*out)->record;
    tyi_io_cdr_add(b, magic, sizeof magic);
    size_t content = begin(b, HEADER);
    tyi_io_put_text(b, "ros2");
    tyi_io_put_text(b, "tycho " TYCHO_VERSION);
    finish(b, content);
    status = append(*out, b, diag);
    if (status != TY_OK) {
        destroy(*out);
        *out = NULL;
    }
    return status;
}

ty_status tyi_io_mcap_channel(tyi_io_mcap *m, const char *topic, tyi_io_ros_type type, uint16_t *id, ty_diag *diag)
{
    bool known = false; /* the type's definition has been written */
    for (uint32_t k = 0; k < m->channels; k++) {
        if (!strcmp(m->channel[k].topic, topic)) {
            *id = (uint16_t)k;
            return m->channel[k].type == type
                       ? TY_OK
                       : ty_fail(diag, TY_ERR_INPUT, "%s: topic %s holds %s, not %s", m->path, topic,
                                 tyi_io_ros_name(m->channel[k].type), tyi_io_ros_name(type));
        }
        known = known || m->channel[k].type == type;
    }
    if (m->channels == CHANNELS || strlen(topic) >= sizeof m->channel->topic) {
        return ty_fail(diag, TY_ERR_INPUT, "%s: topic %.200s: at most %d topics of up to %zu characters are written",
                       m->path, topic, CHANNELS, sizeof m->channel->topic - 1);
    }
    channel *c = &m->channel[m->channels];
    *c = (channel){ .type = type, .index.alloc = m->alloc };
    memcpy(c->topic, topic, strlen(topic) + 1);
    *id = (uint16_t)m->channels++;
    if (!known) {
        put_schema(&m->chunk, type);
    }
    put_channel(&m->chunk, c, *id);
    return TY_OK;
}

ty_status tyi_io_mcap_write(tyi_io_mcap *m, uint16_t id, int64_t time, const tyi_io_cdr *message, ty_diag *diag)
{
    if (id >= m->channels || message->failed) {
        return message->failed ? ty_fail(diag, TY_ERR_MEMORY, "%s: a message could not be put together", m->path)
                               : ty_fail(diag, TY_ERR_INPUT, "%s: there is no channel %u", m->path, id);
    }
    channel *c = &m->channel[id];
    tyi_io_cdr *b = &m->chunk;
    tyi_io_put_u64(&c->index, (uint64_t)time);
    tyi_io_put_u64(&c->index, b->size);
    size_t content = begin(b, MESSAGE);
    tyi_io_put_u16(b, id);
    tyi_io_put_u32(b, (uint32_t)c->messages);
    tyi_io_put_u64(b, (uint64_t)time);
    tyi_io_put_u64(b, (uint64_t)time);
    tyi_io_cdr_add(b, message->data, message->size);
    finish(b, content);
    m->first = m->in_chunk && m->first < time ? m->first : time;
    m->last = m->in_chunk && m->last > time ? m->last : time;
    m->start = m->messages && m->start < time ? m->start : time;
    m->stop = m->messages && m->stop > time ? m->stop : time;
    m->in_chunk++;
    m->messages++;
    c->messages++;
    return b->size >= CHUNK_BYTES ? close_chunk(m, diag) : TY_OK;
}

/* ---- beside the messages ---- */

/* the record that `content` begins in m->record, as it will stand in the file; its index record follows */
static ty_status append_beside(tyi_io_mcap *m, size_t content, tyi_io_cdr *index, uint8_t opcode, const char *name,
                               const char *media, uint64_t size, ty_diag *diag)
{
    tyi_io_cdr *b = &m->record;
    finish(b, content);
    uint64_t start = m->end, length = b->size;
    ty_status status = append(m, b, diag);
    if (status != TY_OK) {
        return status;
    }
    content = begin(index, opcode);
    tyi_io_put_u64(index, start);
    tyi_io_put_u64(index, length);
    if (opcode == ATTACHMENT_INDEX) {
        tyi_io_put_u64(index, (uint64_t)m->start);
        tyi_io_put_u64(index, (uint64_t)m->start);
        tyi_io_put_u64(index, size);
    }
    tyi_io_put_text(index, name);
    if (opcode == ATTACHMENT_INDEX) {
        tyi_io_put_text(index, media);
    }
    finish(index, content);
    return TY_OK;
}

ty_status tyi_io_mcap_attach(tyi_io_mcap *m, const char *name, const char *media, const void *data, size_t size,
                             ty_diag *diag)
{
    ty_status status = flush_chunk(m, diag); /* order of the file is order of time */
    tyi_io_cdr *b = &m->record;
    tyi_io_cdr_clear(b);
    size_t content = begin(b, ATTACHMENT);
    tyi_io_put_u64(b, (uint64_t)m->start);
    tyi_io_put_u64(b, (uint64_t)m->start);
    tyi_io_put_text(b, name);
    tyi_io_put_text(b, media);
    tyi_io_put_u64(b, size);
    tyi_io_cdr_add(b, data, size);
    tyi_io_put_u32(b, b->failed ? 0 : (uint32_t)crc32(0, b->data + content, (uInt)(b->size - content)));
    m->attachment_count += status == TY_OK;
    return status == TY_OK ? append_beside(m, content, &m->attachments, ATTACHMENT_INDEX, name, media, size, diag)
                           : status;
}

ty_status tyi_io_mcap_note(tyi_io_mcap *m, const char *name, const char *const (*pair)[2], size_t pairs, ty_diag *diag)
{
    ty_status status = flush_chunk(m, diag);
    tyi_io_cdr *b = &m->record;
    tyi_io_cdr_clear(b);
    size_t content = begin(b, METADATA);
    tyi_io_put_text(b, name);
    size_t map = begin_block(b);
    for (size_t i = 0; i < pairs; i++) {
        tyi_io_put_text(b, pair[i][0]);
        tyi_io_put_text(b, pair[i][1]);
    }
    end_block(b, map);
    m->note_count += status == TY_OK;
    return status == TY_OK ? append_beside(m, content, &m->notes, METADATA_INDEX, name, "", 0, diag) : status;
}

/* a text in YAML's single quotes, line by line after `indent` */
static void put_block_text(FILE *out, const char *text, const char *indent)
{
    fputs("|-\n", out);
    for (const char *line = text; *line;) {
        size_t n = strcspn(line, "\n");
        fprintf(out, "%s%.*s\n", indent, (int)n, line);
        line += n + (line[n] ? 1 : 0);
    }
}

void tyi_io_mcap_describe(const tyi_io_mcap *m, const char *file, FILE *out)
{
    int64_t duration = m->messages ? m->stop - m->start : 0;
    fprintf(
        out,
        "rosbag2_bagfile_information:\n  version: 5\n  storage_identifier: mcap\n  duration:\n    nanoseconds: %lld\n"
        "  starting_time:\n    nanoseconds_since_epoch: %lld\n  message_count: %llu\n  topics_with_message_count:\n",
        (long long)duration, (long long)m->start, (unsigned long long)m->messages);
    for (uint32_t k = 0; k < m->channels; k++) {
        const channel *c = &m->channel[k];
        char qos[600];
        qos_text(c->topic, qos, sizeof qos);
        fprintf(out,
                "    - topic_metadata:\n        name: %s\n        type: %s\n        serialization_format: cdr\n"
                "        offered_qos_profiles: ",
                c->topic, tyi_io_ros_name(c->type));
        put_block_text(out, qos, "          ");
        fprintf(out, "      message_count: %llu\n", (unsigned long long)c->messages);
    }
    fprintf(
        out,
        "  compression_format: \"\"\n  compression_mode: \"\"\n  relative_file_paths:\n    - %s\n  files:\n    - path: "
        "%s\n      starting_time:\n        nanoseconds_since_epoch: %lld\n      duration:\n        nanoseconds: %lld\n"
        "      message_count: %llu\n",
        file, file, (long long)m->start, (long long)duration, (unsigned long long)m->messages);
}

/* ---- the end ---- */

static void put_statistics(tyi_io_cdr *b, const tyi_io_mcap *m, uint16_t schemas)
{
    size_t content = begin(b, STATISTICS);
    tyi_io_put_u64(b, m->messages);
    tyi_io_put_u16(b, schemas);
    tyi_io_put_u32(b, m->channels);
    tyi_io_put_u32(b, m->attachment_count);
    tyi_io_put_u32(b, m->note_count);
    tyi_io_put_u32(b, m->chunk_count);
    tyi_io_put_u64(b, (uint64_t)m->start);
    tyi_io_put_u64(b, (uint64_t)m->stop);
    size_t map = begin_block(b);
    for (uint32_t k = 0; k < m->channels; k++) {
        tyi_io_put_u16(b, (uint16_t)k);
        tyi_io_put_u64(b, m->channel[k].messages);
    }
    end_block(b, map);
    finish(b, content);
}

typedef struct group {
    uint8_t opcode;
    size_t start, end;
} group;

static group put_schemas(tyi_io_cdr *b, const tyi_io_mcap *m, uint16_t *count)
{
    group g = { SCHEMA, b->size, 0 };
    for (int type = 0; type < TYI_IO_ROS_TYPES; type++) {
        bool used = false;
        for (uint32_t k = 0; k < m->channels && !used; k++) {
            used = (int)m->channel[k].type == type;
        }
        if (used) {
            put_schema(b, (tyi_io_ros_type)type);
            ++*count;
        }
    }
    g.end = b->size;
    return g;
}

static group put_indexes(tyi_io_cdr *b, uint8_t opcode, const tyi_io_cdr *records)
{
    group g = { opcode, b->size, b->size + records->size };
    tyi_io_cdr_add(b, records->data, records->size);
    b->failed = b->failed || records->failed;
    return g;
}

static ty_status write_summary(tyi_io_mcap *m, ty_diag *diag)
{
    tyi_io_cdr *b = &m->record;
    uint16_t schemas = 0;
    tyi_io_cdr_clear(b);
    size_t content = begin(b, DATA_END);
    tyi_io_put_u32(b, m->crc); /* of everything before */
    finish(b, content);
    size_t summary = b->size;
    group groups[6] = { put_schemas(b, m, &schemas) };
    groups[1] = (group){ CHANNEL, b->size, 0 };
    for (uint32_t k = 0; k < m->channels; k++) {
        put_channel(b, &m->channel[k], (uint16_t)k);
    }
    groups[1].end = b->size;
    groups[2] = (group){ STATISTICS, b->size, 0 };
    put_statistics(b, m, schemas);
    groups[2].end = b->size;
    groups[3] = put_indexes(b, CHUNK_INDEX, &m->chunks);
    groups[4] = put_indexes(b, ATTACHMENT_INDEX, &m->attachments);
    groups[5] = put_indexes(b, METADATA_INDEX, &m->notes);
    size_t offsets = b->size;
    for (int k = 0; k < 6; k++) {
        if (groups[k].end > groups[k].start) {
            content = begin(b, SUMMARY_OFFSET);
            tyi_io_put_u8(b, groups[k].opcode);
            tyi_io_put_u64(b, m->end + groups[k].start);
            tyi_io_put_u64(b, groups[k].end - groups[k].start);
            finish(b, content);
        }
    }
    content = begin(b, FOOTER);
    tyi_io_put_u64(b, m->end + summary);
    tyi_io_put_u64(b, m->end + offsets);
    tyi_io_put_u32(b, 0);
    finish(b, content);
    if (!b->failed) { /* of the summary and the footer's fields before it, whose length is known by now */
        uint32_t crc = (uint32_t)crc32(0, b->data + summary, (uInt)(b->size - 4 - summary));
        for (size_t k = 0; k < 4; k++) {
            b->data[b->size - 4 + k] = (uint8_t)(crc >> (8 * k));
        }
    }
    tyi_io_cdr_add(b, magic, sizeof magic);
    return append(m, b, diag);
}

ty_status tyi_io_mcap_close(tyi_io_mcap *m, ty_diag *diag)
{
    if (!m) {
        return TY_OK;
    }
    ty_status status = flush_chunk(m, diag);
    if (status == TY_OK) {
        status = write_summary(m, diag);
    }
    int file = m->file;
    m->file = -1;
    if (close(file) != 0 && status == TY_OK) {
        status = ty_fail(diag, TY_ERR_FILE, "%s: cannot be written: %s", m->path, strerror(errno));
    }
    destroy(m);
    return status;
}

/* ---- checkpoints ---- */

static void save_block(tyi_io_cdr *out, const tyi_io_cdr *block)
{
    tyi_io_cdr_add_block(out, block->data, block->size);
    out->failed = out->failed || block->failed;
}

ty_status tyi_io_mcap_save(tyi_io_mcap *m, tyi_io_cdr *out, ty_diag *diag)
{
    if (wait_chunk(m, diag) != TY_OK) {
        return m->closed.diag.status;
    }
    if (fsync(m->file) != 0 && errno != EINVAL) { /* EINVAL: not a file that can be */
        return ty_fail(diag, TY_ERR_FILE, "%s: cannot be written: %s", m->path, strerror(errno));
    }
    tyi_io_cdr_clear(out);
    tyi_io_cdr_add(out, magic, sizeof magic);
    const uint64_t numbers[] = { m->end,         (uint64_t)m->first,  (uint64_t)m->last,  m->in_chunk,
                                 m->chunk_count, m->messages,         (uint64_t)m->start, (uint64_t)m->stop,
                                 m->crc,         m->attachment_count, m->note_count,      m->channels };
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        tyi_io_put_u64(out, numbers[k]);
    }
    save_block(out, &m->chunk);
    save_block(out, &m->chunks);
    save_block(out, &m->attachments);
    save_block(out, &m->notes);
    for (uint32_t k = 0; k < m->channels; k++) {
        const channel *c = &m->channel[k];
        tyi_io_cdr_add(out, c->topic, sizeof c->topic);
        tyi_io_put_u64(out, (uint64_t)c->type);
        tyi_io_put_u64(out, c->messages);
        save_block(out, &c->index);
    }
    return out->failed ? ty_fail(diag, TY_ERR_MEMORY, "%s: no memory for a checkpoint", m->path) : TY_OK;
}

static void take_block(tyi_io_cdr_reader *r, tyi_io_cdr *out)
{
    size_t size;
    const void *block = tyi_io_cdr_reader_block(r, &size);
    tyi_io_cdr_add(out, block, size);
    r->failed = r->failed || out->failed;
}

static bool take_state(tyi_io_cdr_reader *r, tyi_io_mcap *m)
{
    uint8_t start[sizeof magic];
    tyi_io_cdr_reader_get(r, start, sizeof start);
    m->end = tyi_io_get_u64(r);
    m->first = (int64_t)tyi_io_get_u64(r);
    m->last = (int64_t)tyi_io_get_u64(r);
    m->in_chunk = tyi_io_get_u64(r);
    m->chunk_count = (uint32_t)tyi_io_get_u64(r);
    m->messages = tyi_io_get_u64(r);
    m->start = (int64_t)tyi_io_get_u64(r);
    m->stop = (int64_t)tyi_io_get_u64(r);
    m->crc = (uint32_t)tyi_io_get_u64(r);
    m->attachment_count = (uint32_t)tyi_io_get_u64(r);
    m->note_count = (uint32_t)tyi_io_get_u64(r);
    uint64_t channels = tyi_io_get_u64(r);
    take_block(r, &m->chunk);
    take_block(r, &m->chunks);
    take_block(r, &m->attachments);
    take_block(r, &m->notes);
    for (uint64_t k = 0; k < channels && k < CHANNELS && !r->failed; k++) {
        channel *c = &m->channel[m->channels++];
        c->index.alloc = m->alloc;
        tyi_io_cdr_reader_get(r, c->topic, sizeof c->topic);
        uint64_t type = tyi_io_get_u64(r);
        c->type = (tyi_io_ros_type)type;
        c->messages = tyi_io_get_u64(r);
        take_block(r, &c->index);
        r->failed = r->failed || type >= TYI_IO_ROS_TYPES || c->topic[sizeof c->topic - 1] != '\0';
    }
    return !r->failed && channels == m->channels && r->at == r->end && !memcmp(start, magic, sizeof magic);
}

ty_status tyi_io_mcap_resume(const char *path, const void *state, size_t bytes, const ty_alloc *alloc,
                             tyi_io_mcap **out, ty_diag *diag)
{
    ty_status status = open_file(path, 0, alloc, out, diag);
    if (status != TY_OK) {
        return status;
    }
    tyi_io_mcap *m = *out;
    tyi_io_cdr_reader r = { state, (const uint8_t *)state + bytes, false };
    struct stat info;
    if (!take_state(&r, m) || fstat(m->file, &info) != 0 || (uint64_t)info.st_size < m->end) {
        status = ty_fail(diag, TY_ERR_FORMAT, "%s: the file and the checkpoint do not belong together", path);
    } else if (ftruncate(m->file, (off_t)m->end) != 0) {
        status = ty_fail(diag, TY_ERR_FILE, "%s: cannot be cut back to the checkpoint: %s", path, strerror(errno));
    }
    if (status != TY_OK) {
        destroy(m);
        *out = NULL;
    }
    return status;
}
