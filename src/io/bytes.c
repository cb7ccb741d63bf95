/* src/io/bytes.c - see bytes.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "bytes.h"
#include "core/core.h"
#include "mcap.h"

void *tyi_io_cdr_room(tyi_io_cdr *b, size_t size)
{
    if (b->failed) {
        return NULL;
    }
    if (size > b->capacity - b->size) {
        size_t capacity = b->capacity ? b->capacity : 256;
        while (capacity - b->size < size && capacity < SIZE_MAX / 2) {
            capacity *= 2;
        }
        uint8_t *grown = tyi_get(b->alloc, capacity);
        if (!grown) {
            b->failed = true;
            return NULL;
        }
        if (b->size) {
            memcpy(grown, b->data, b->size);
        }
        tyi_put(b->alloc, b->data, b->capacity);
        b->data = grown;
        b->capacity = capacity;
    }
    void *at = b->data + b->size;
    memset(at, 0, size);
    b->size += size;
    return at;
}

void tyi_io_cdr_add(tyi_io_cdr *b, const void *data, size_t size)
{
    void *to = size ? tyi_io_cdr_room(b, size) : NULL;
    if (to) {
        memcpy(to, data, size);
    }
}

void tyi_io_cdr_add_block(tyi_io_cdr *b, const void *data, size_t size)
{
    tyi_io_put_u64(b, size);
    tyi_io_cdr_add(b, data, size);
}

void tyi_io_cdr_clear(tyi_io_cdr *b)
{
    b->size = 0;
    b->failed = false;
}

void tyi_io_cdr_free(tyi_io_cdr *b)
{
    tyi_put(b->alloc, b->data, b->capacity);
    *b = (tyi_io_cdr){ .alloc = b->alloc };
}

const void *tyi_io_cdr_reader_take(tyi_io_cdr_reader *r, size_t size)
{
    if (r->failed || size > (size_t)(r->end - r->at)) {
        r->failed = true;
        return NULL;
    }
    const void *at = r->at;
    r->at += size;
    return at;
}

void tyi_io_cdr_reader_get(tyi_io_cdr_reader *r, void *out, size_t size)
{
    const void *from = tyi_io_cdr_reader_take(r, size);
    memset(out, 0, size);
    if (from) {
        memcpy(out, from, size);
    }
}

uint64_t tyi_io_get_u64(tyi_io_cdr_reader *r)
{
    uint8_t bytes[8];
    uint64_t v = 0;
    tyi_io_cdr_reader_get(r, bytes, sizeof bytes);
    for (int k = 7; k >= 0; k--) {
        v = v << 8 | bytes[k];
    }
    return v;
}

const void *tyi_io_cdr_reader_block(tyi_io_cdr_reader *r, size_t *size)
{
    uint64_t want = tyi_io_get_u64(r);
    const void *at = tyi_io_cdr_reader_take(r, (size_t)want);
    *size = at ? (size_t)want : 0;
    return at;
}

static void put_little(tyi_io_cdr *b, uint64_t v, size_t size)
{
    uint8_t bytes[8];
    for (size_t k = 0; k < size; k++) {
        bytes[k] = (uint8_t)(v >> (8 * k));
    }
    tyi_io_cdr_add(b, bytes, size);
}

void tyi_io_put_u8(tyi_io_cdr *b, uint8_t v)
{
    put_little(b, v, 1);
}

void tyi_io_put_u16(tyi_io_cdr *b, uint16_t v)
{
    put_little(b, v, 2);
}

void tyi_io_put_u32(tyi_io_cdr *b, uint32_t v)
{
    put_little(b, v, 4);
}

void tyi_io_put_u64(tyi_io_cdr *b, uint64_t v)
{
    put_little(b, v, 8);
}

void tyi_io_put_text(tyi_io_cdr *b, const char *text)
{
    size_t size = strlen(text);
    tyi_io_put_u32(b, (uint32_t)size);
    tyi_io_cdr_add(b, text, size);
}

void tyi_io_cdr_begin(tyi_io_cdr *b)
{
    static const uint8_t header[4] = { 0, 1, 0, 0 }; /* plain CDR, little endian */
    tyi_io_cdr_clear(b);
    tyi_io_cdr_add(b, header, sizeof header);
}

void tyi_io_cdr_align(tyi_io_cdr *b, size_t size)
{
    static const uint8_t zero[8];
    size_t past = (b->size - 4) % size;
    if (past) {
        tyi_io_cdr_add(b, zero, size - past);
    }
}

void tyi_io_cdr_u8(tyi_io_cdr *b, uint8_t v)
{
    tyi_io_put_u8(b, v);
}

void tyi_io_cdr_u32(tyi_io_cdr *b, uint32_t v)
{
    tyi_io_cdr_align(b, 4);
    tyi_io_put_u32(b, v);
}

void tyi_io_cdr_f32(tyi_io_cdr *b, float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    tyi_io_cdr_u32(b, bits);
}

void tyi_io_cdr_f64(tyi_io_cdr *b, double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    tyi_io_cdr_align(b, 8);
    tyi_io_put_u64(b, bits);
}

void tyi_io_cdr_text(tyi_io_cdr *b, const char *text)
{
    size_t size = strlen(text) + 1;
    tyi_io_cdr_u32(b, (uint32_t)size);
    tyi_io_cdr_add(b, text, size);
}

void tyi_io_cdr_time(tyi_io_cdr *b, int64_t stamp)
{
    const int64_t second = 1000000000;
    int64_t whole = stamp / second - (stamp % second < 0);
    tyi_io_cdr_u32(b, (uint32_t)(int32_t)whole);
    tyi_io_cdr_u32(b, (uint32_t)(stamp - whole * second));
}

void tyi_io_cdr_header(tyi_io_cdr *b, int64_t stamp, const char *frame)
{
    tyi_io_cdr_time(b, stamp);
    tyi_io_cdr_text(b, frame);
}

void tyi_io_cdr_vec3(tyi_io_cdr *b, ty_vec3 v)
{
    tyi_io_cdr_f64(b, v.x);
    tyi_io_cdr_f64(b, v.y);
    tyi_io_cdr_f64(b, v.z);
}

void tyi_io_cdr_quat(tyi_io_cdr *b, ty_quat q)
{
    tyi_io_cdr_f64(b, q.x);
    tyi_io_cdr_f64(b, q.y);
    tyi_io_cdr_f64(b, q.z);
    tyi_io_cdr_f64(b, q.w);
}
