/* src/io/out.c - a file that appears whole or not at all.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include "out.h"

ty_status tyi_io_out_open(tyi_io_out *out, const char *path, ty_diag *diag)
{
    *out = (tyi_io_out){ .path = path };
    int fd = -1;
    /* a name of this process that nobody else has; a few may be left over from a crash */
    for (int k = 0; k < 100 && fd < 0; k++) {
        int n = snprintf(out->temporary, sizeof out->temporary, "%s.%ld-%d.part", path, (long)getpid(), k);
        if (n < 0 || (size_t)n >= sizeof out->temporary) {
            return ty_fail(diag, TY_ERR_FILE, "%.200s...: the path is longer than %zu characters", path,
                           sizeof out->temporary - 20);
        }
        fd = open(out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST) {
            break;
        }
    }
    if (fd < 0) {
        return ty_fail(diag, TY_ERR_FILE, "%s: cannot be written: %s", path, strerror(errno));
    }
    out->file = fdopen(fd, "wb");
    if (!out->file) {
        close(fd);
        unlink(out->temporary);
        return ty_fail(diag, TY_ERR_MEMORY, "%s: no memory to write it", path);
    }
    return TY_OK;
}

ty_status tyi_io_out_close(tyi_io_out *out, ty_status status, ty_diag *diag)
{
    errno = 0;
    bool failed = ferror(out->file) != 0;
    failed |= fflush(out->file) != 0;
    int why = errno;
    failed |= fclose(out->file) != 0;
    why = why ? why : errno;
    out->file = NULL;
    if (status == TY_OK && failed) {
        status = ty_fail(diag, TY_ERR_FILE, "%s: cannot be written: %s", out->path, strerror(why ? why : EIO));
    }
    if (status == TY_OK && rename(out->temporary, out->path) != 0) {
        status = ty_fail(diag, TY_ERR_FILE, "%s: cannot be written: %s", out->path, strerror(errno));
    }
    if (status != TY_OK) {
        unlink(out->temporary);
    }
    return status;
}
