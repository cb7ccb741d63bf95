/* src/io/file_read.c - a whole file into memory, with a clear sentence for everything that can go wrong.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "document.h"

static ty_status cannot(const char *name, int error, ty_diag *diag)
{
    switch (error) {
    case ENOENT:
        return ty_fail(diag, TY_ERR_FILE, "%s: there is no such file", name);
    case EACCES:
    case EPERM:
        return ty_fail(diag, TY_ERR_FILE, "%s: may not be read, permission is denied", name);
    case EISDIR:
        return ty_fail(diag, TY_ERR_FILE, "%s: is a folder, but a file is expected", name);
    default: {
        char text[200];
        return ty_fail(diag, TY_ERR_FILE, "%s: cannot be read (%s)", name, strerror_r(error, text, sizeof text));
    }
    }
}

static ty_status read_all(int file, const char *name, size_t most, const ty_alloc *alloc, tyi_io_bytes *b,
                          ty_diag *diag)
{
    for (;;) {
        char *larger = tyi_list_room(alloc, b->data, b->size, b->size + 1, &b->capacity, 1, 1);
        b->data = larger ? larger : b->data;
        if (!larger) {
            return ty_fail(diag, TY_ERR_MEMORY, "%s: there is no memory left to read it", name);
        }
        ssize_t n = read(file, b->data + b->size, b->capacity - b->size);
        if (n == 0) {
            return TY_OK;
        }
        if (n < 0 && errno != EINTR) {
            return cannot(name, errno, diag);
        }
        b->size += n > 0 ? (size_t)n : 0;
        if (b->size > most) {
            return ty_fail(diag, TY_ERR_FILE, "%s: is larger than %zu KiB, the most that is accepted", name,
                           most >> 10);
        }
    }
}

static ty_status read_open(int file, const char *name, size_t most, const ty_alloc *alloc, tyi_io_bytes *b,
                           ty_diag *diag)
{
    struct stat about;
    if (fstat(file, &about)) {
        return cannot(name, errno, diag);
    }
    if (S_ISDIR(about.st_mode)) {
        return cannot(name, EISDIR, diag);
    }
    if (!S_ISREG(about.st_mode) && !S_ISFIFO(about.st_mode)) {
        return ty_fail(diag, TY_ERR_FILE, "%s: is a device, but a file is expected", name);
    }
    fcntl(file, F_SETFL, 0); /* from here on wait for a writer that is there */
    bool fits = about.st_size > 0 && (size_t)about.st_size <= most;
    b->capacity = fits ? (size_t)about.st_size + 1 : 4096;
    b->data = tyi_get(alloc, b->capacity);
    if (!b->data) {
        return ty_fail(diag, TY_ERR_MEMORY, "%s: there is no memory left to read it", name);
    }
    return read_all(file, name, most, alloc, b, diag);
}

ty_status tyi_io_file_read(const char *path, size_t most, const ty_alloc *alloc, tyi_io_bytes *out, ty_diag *diag)
{
    char name[256];
    tyi_io_doc_show(path, name, sizeof name);
    *out = (tyi_io_bytes){ 0 };
    /* not blocking: a pipe that nobody writes to reads as empty instead of waiting for ever */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (file < 0) {
        return cannot(name, errno, diag);
    }
    ty_status status = read_open(file, name, most, alloc, out, diag);
    close(file);
    if (status != TY_OK) {
        tyi_put(alloc, out->data, out->capacity);
        *out = (tyi_io_bytes){ 0 };
    }
    return status;
}
