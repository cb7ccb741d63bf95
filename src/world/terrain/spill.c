/* src/world/terrain/spill.c - see spill.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "spill.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static bool make(tyi_terrain_spill *s)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    if (s->fd1 || s->failed) {
        return !s->failed;
    }
    int n = snprintf(path, sizeof path, "%s/tycho-ground-XXXXXX", folder && folder[0] ? folder : "/tmp");
    int fd = n > 0 && (size_t)n < sizeof path ? mkstemp(path) : -1;
    if (fd >= 0) {
        unlink(path);
    }
    s->fd1 = fd + 1;
    s->failed = fd < 0;
    return !s->failed;
}

bool tyi_terrain_spill_write(tyi_terrain_spill *s, const void *data, size_t bytes, uint64_t at)
{
    if (!make(s)) {
        return false;
    }
    for (size_t done = 0; done < bytes;) {
        errno = 0;
        ssize_t n = pwrite(s->fd1 - 1, (const char *)data + done, bytes - done, (off_t)(at + done));
        if (n <= 0 && errno != EINTR) {
            return false;
        }
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

bool tyi_terrain_spill_add(tyi_terrain_spill *s, const void *data, size_t bytes, uint64_t *at)
{
    if (!tyi_terrain_spill_write(s, data, bytes, s->end)) {
        return false;
    }
    *at = s->end;
    s->end += bytes;
    return true;
}

bool tyi_terrain_spill_read(const tyi_terrain_spill *s, void *data, size_t bytes, uint64_t at)
{
    for (size_t done = 0; done < bytes;) {
        errno = 0;
        ssize_t n = s->fd1 ? pread(s->fd1 - 1, (char *)data + done, bytes - done, (off_t)(at + done)) : -1;
        if (n <= 0 && errno != EINTR) {
            return false;
        }
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

void tyi_terrain_spill_clear(tyi_terrain_spill *s)
{
    if (s->fd1 && ftruncate(s->fd1 - 1, 0) == 0) {
        s->end = 0;
    }
}

void tyi_terrain_spill_free(tyi_terrain_spill *s)
{
    if (s->fd1) {
        close(s->fd1 - 1);
    }
    *s = (tyi_terrain_spill){ 0 };
}
