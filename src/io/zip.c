/* src/io/zip.c - see zip.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "zip.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>
#include "document.h"

#define MOST    ((size_t)1 << 30) /* [bytes] of an archive, and of one entry */
#define ENTRIES 65000             /* 16 bits count them */

enum { LOCAL = 0x04034b50, CENTRAL = 0x02014b50, END = 0x06054b50 };
enum { STORED = 0, DEFLATED = 8 };
enum { DAY = 0x21 }; /* 1 January 1980, the first that there is */

struct tyi_io_zip_entry {
    char *name;
    uint32_t crc, packed, bytes, at;
    uint16_t method;
    bool program;
};

/* ---- numbers, little endian ---- */

static uint8_t *put16(uint8_t *to, unsigned v)
{
    to[0] = (uint8_t)v, to[1] = (uint8_t)(v >> 8);
    return to + 2;
}

static uint8_t *put32(uint8_t *to, uint32_t v)
{
    return put16(put16(to, v & 0xffff), v >> 16);
}

static unsigned get16(const uint8_t *from)
{
    return (unsigned)(from[0] | from[1] << 8);
}

static uint32_t get32(const uint8_t *from)
{
    return get16(from) | (uint32_t)get16(from + 2) << 16;
}

/* ---- writing ---- */

ty_status tyi_io_zip_open(tyi_io_zip *zip, const char *path, ty_diag *diag)
{
    *zip = (tyi_io_zip){ 0 };
    return tyi_io_out_open(&zip->out, path, diag);
}

static bool write_bytes(tyi_io_zip *zip, const void *data, size_t bytes)
{
    zip->at += bytes;
    return bytes == 0 || fwrite(data, 1, bytes, zip->out.file) == bytes;
}

/* what stands in both headers: from the version needed to the length of the name */
static uint8_t *put_common(uint8_t *to, const struct tyi_io_zip_entry *e)
{
    to = put16(put16(put16(to, 20), 0x800), e->method); /* version 2.0, names in UTF-8 */
    to = put16(put16(to, 0), DAY);
    to = put32(put32(put32(to, e->crc), e->packed), e->bytes);
    return put16(put16(to, (unsigned)strlen(e->name)), 0);
}

/* Deflates without a header; NULL: no memory, or no gain. */
static uint8_t *deflated(const void *data, size_t bytes, size_t *packed)
{
    z_stream z = { .next_in = (z_const Bytef *)(uintptr_t)data, .avail_in = (uInt)bytes };
    if (deflateInit2(&z, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
        return NULL;
    }
    uLong room = deflateBound(&z, (uLong)bytes);
    uint8_t *out = malloc(room);
    z.next_out = out, z.avail_out = (uInt)room;
    bool done = out && deflate(&z, Z_FINISH) == Z_STREAM_END && z.total_out < bytes;
    *packed = z.total_out;
    deflateEnd(&z);
    if (!done) {
        free(out);
    }
    return done ? out : NULL;
}

ty_status tyi_io_zip_add(tyi_io_zip *zip, const char *name, const void *data, size_t bytes, bool program, ty_diag *diag)
{
    if (bytes > MOST || zip->at > 2 * MOST || zip->entries >= ENTRIES) {
        return ty_fail(diag, TY_ERR_RANGE, "%s: does not take %s: an archive holds 2 GiB in entries of 1 GiB at most",
                       zip->out.path, name);
    }
    struct tyi_io_zip_entry *grown = tyi_list_grown(zip->entry, zip->entries, &zip->room, sizeof *zip->entry, 64);
    zip->entry = grown ? grown : zip->entry;
    char *copy = grown ? strdup(name) : NULL;
    if (!copy) {
        return ty_fail(diag, TY_ERR_MEMORY, "%s: no memory for %s", zip->out.path, name);
    }
    struct tyi_io_zip_entry *e = &zip->entry[zip->entries++];
    size_t packed = bytes;
    uint8_t *small = bytes ? deflated(data, bytes, &packed) : NULL, head[30];
    packed = small ? packed : bytes;
    *e = (struct tyi_io_zip_entry){ .name = copy,
                                    .crc = (uint32_t)crc32(0, data, (uInt)bytes),
                                    .packed = (uint32_t)packed,
                                    .bytes = (uint32_t)bytes,
                                    .at = (uint32_t)zip->at,
                                    .method = small ? DEFLATED : STORED,
                                    .program = program };
    put_common(put32(head, LOCAL), e);
    bool written = write_bytes(zip, head, sizeof head) && write_bytes(zip, name, strlen(name)) &&
                   write_bytes(zip, small ? small : data, packed);
    free(small);
    return written
               ? TY_OK
               : ty_fail(diag, TY_ERR_FILE, "%s: cannot be written: %s", zip->out.path, strerror(errno ? errno : EIO));
}

ty_status tyi_io_zip_add_file(tyi_io_zip *zip, const char *name, const char *path, ty_diag *diag)
{
    tyi_io_bytes b;
    struct stat about;
    ty_status status = tyi_io_file_read(path, MOST, NULL, &b, diag);
    if (status == TY_OK) {
        bool program = !stat(path, &about) && (about.st_mode & 0100);
        status = tyi_io_zip_add(zip, name, b.data, b.size, program, diag);
        tyi_put(NULL, b.data, b.capacity);
    }
    return status;
}

static bool write_directory(tyi_io_zip *zip)
{
    uint8_t head[46], end[22];
    uint32_t start = (uint32_t)zip->at;
    bool written = true;
    for (size_t i = 0; i < zip->entries; i++) {
        const struct tyi_io_zip_entry *e = &zip->entry[i];
        uint8_t *to = put_common(put16(put32(head, CENTRAL), 3 << 8 | 20), e); /* made by Unix */
        to = put16(put16(put16(to, 0), 0), 0);
        put32(put32(to, (e->program ? 0100755u : 0100644u) << 16), e->at);
        written = written && write_bytes(zip, head, sizeof head) && write_bytes(zip, e->name, strlen(e->name));
    }
    uint8_t *to = put16(put16(put32(end, END), 0), 0);
    to = put16(put16(to, (unsigned)zip->entries), (unsigned)zip->entries);
    put16(put32(put32(to, (uint32_t)zip->at - start), start), 0);
    return written && write_bytes(zip, end, sizeof end);
}

ty_status tyi_io_zip_close(tyi_io_zip *zip, ty_status status, ty_diag *diag)
{
    if (status == TY_OK && !write_directory(zip)) {
        status = ty_fail(diag, TY_ERR_FILE, "%s: cannot be written: %s", zip->out.path, strerror(errno ? errno : EIO));
    }
    for (size_t i = 0; i < zip->entries; i++) {
        free(zip->entry[i].name);
    }
    free(zip->entry);
    zip->entry = NULL, zip->entries = 0;
    return tyi_io_out_close(&zip->out, status, diag);
}

/* ---- reading ---- */

/* a name that stays below the folder, of printable characters */
static bool tame(const char *name)
{
    for (const char *at = name; *at; at++) {
        bool start = at == name || at[-1] == '/';
        if ((unsigned char)*at < 32 || *at == '\\' || (start && (*at == '/' || !strncmp(at, "../", 3))) ||
            (start && !strcmp(at, ".."))) {
            return false;
        }
    }
    return name[0] != '\0';
}

/* the folders of a path below `base` characters */
static void make_folders(char *path, size_t base)
{
    for (char *at = path + base + 1; (at = strchr(at, '/')) != NULL; at++) {
        *at = '\0';
        mkdir(path, 0777);
        *at = '/';
    }
}

static bool inflated(const uint8_t *data, size_t packed, uint8_t *out, size_t bytes)
{
    z_stream z = { .next_in = (z_const Bytef *)(uintptr_t)data, .avail_in = (uInt)packed };
    if (inflateInit2(&z, -MAX_WBITS) != Z_OK) {
        return false;
    }
    z.next_out = out, z.avail_out = (uInt)bytes;
    int end = inflate(&z, Z_FINISH);
    bool whole = (end == Z_STREAM_END || (end == Z_BUF_ERROR && bytes == 0)) && z.total_out == bytes;
    inflateEnd(&z);
    return whole;
}

static ty_status write_entry(const char *archive, const char *path, const uint8_t *data, const uint8_t *central,
                             ty_diag *diag)
{
    size_t packed = get32(central + 20), bytes = get32(central + 24);
    unsigned method = get16(central + 10);
    uint8_t *own = method == DEFLATED ? malloc(bytes + 1) : NULL;
    const uint8_t *plain = method == DEFLATED ? own : data;
    bool good = method == DEFLATED ? own && inflated(data, packed, own, bytes) : method == STORED && packed == bytes;
    if (!good || crc32(0, plain, (uInt)bytes) != get32(central + 16)) {
        free(own);
        return ty_fail(diag, TY_ERR_FORMAT, "%s: the entry for %s is damaged, or packed in a way that is not read",
                       archive, path);
    }
    FILE *f = fopen(path, "wb");
    bool written = f && (bytes == 0 || fwrite(plain, 1, bytes, f) == bytes);
    written = f && !fclose(f) && written;
    free(own);
    return written ? TY_OK : ty_fail(diag, TY_ERR_FILE, "%s: cannot be written: %s", path, strerror(errno));
}

/* one entry of the directory at `central`, of which there are `left` bytes; *size: of its own */
static ty_status extract_entry(const tyi_io_bytes *b, const char *archive, const uint8_t *central, size_t left,
                               const char *folder, size_t *size, ty_diag *diag)
{
    const uint8_t *all = (const uint8_t *)b->data;
    char name[1024], path[4096];
    size_t length = left >= 46 && get32(central) == CENTRAL ? get16(central + 28) : 0;
    *size = 46 + length + (left >= 46 ? get16(central + 30) + get16(central + 32) : 0);
    if (!length || *size > left || length >= sizeof name) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s: its directory is damaged", archive);
    }
    memcpy(name, central + 46, length);
    name[length] = '\0';
    size_t at = get32(central + 42), packed = get32(central + 20), bytes = get32(central + 24);
    if (!tame(name)) {
        char shown[100];
        return ty_fail(diag, TY_ERR_FORMAT, "%s: names an entry '%s', which may lead out of its folder", archive,
                       tyi_io_doc_show(name, shown, sizeof shown));
    }
    int n = snprintf(path, sizeof path, "%s/%s", folder, name);
    size_t data = at + 30 + (at + 30 <= b->size ? get16(all + at + 26) + get16(all + at + 28) : 0);
    if (n < 0 || (size_t)n >= sizeof path || get32(all + (at + 4 <= b->size ? at : 0)) != LOCAL ||
        get16(central + 8) & 1 || data > b->size || packed > b->size - data || bytes > MOST) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s: the entry '%s' is damaged or encrypted", archive, name);
    }
    make_folders(path, strlen(folder));
    return name[length - 1] == '/' ? TY_OK : write_entry(archive, path, all + data, central, diag);
}

ty_status tyi_io_zip_extract(const char *path, const char *folder, ty_diag *diag)
{
    tyi_io_bytes b;
    ty_status status = tyi_io_file_read(path, MOST, NULL, &b, diag);
    if (status != TY_OK) {
        return status;
    }
    const uint8_t *all = (const uint8_t *)b.data;
    size_t end = b.size >= 22 ? b.size - 22 : 0, lowest = end > 65535 ? end - 65535 : 0;
    while (end > lowest && get32(all + end) != END) {
        end--;
    }
    if (b.size < 22 || get32(all + end) != END) {
        status = ty_fail(diag, TY_ERR_FORMAT, "%s: is no ZIP archive", path);
    } else {
        size_t entries = get16(all + end + 10), at = get32(all + end + 16), size = 0;
        for (size_t i = 0; i < entries && status == TY_OK; i++, at += size) {
            status = at <= end ? extract_entry(&b, path, all + at, end - at, folder, &size, diag)
                               : ty_fail(diag, TY_ERR_FORMAT, "%s: its directory is damaged", path);
        }
    }
    tyi_put(NULL, b.data, b.capacity);
    return status;
}
