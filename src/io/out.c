/* src/io/out.c - see out.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "out.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "out_file.h"

#define LINKS 40 /* of a chain, as the kernel has it */
#define OLD   60 /* [s] a leftover is not written to for this long: its writer may live on another machine */

static ty_status failed(const tyi_io_out *out, int why, ty_diag *diag)
{
    return ty_fail(diag, TY_ERR_FILE, "%s: cannot be written: %s", out->path, strerror(why ? why : EIO));
}

/* ---- where it goes ---- */

static bool fits(int n, size_t size)
{
    return n >= 0 && (size_t)n < size;
}

/* the end of a chain of links, which need not exist; 0 or the reason */
static int follow(tyi_io_out *out)
{
    char link[4096], next[4096];
    for (int k = 0; k < LINKS; k++) {
        ssize_t n = readlink(out->target, link, sizeof link - 1);
        if (n < 0) {
            return 0; /* no link */
        }
        link[n] = '\0';
        const char *slash = strrchr(out->target, '/');
        int folder = slash && link[0] != '/' ? (int)(slash - out->target) + 1 : 0;
        if (!fits(snprintf(next, sizeof next, "%.*s%s", folder, out->target, link), sizeof next)) {
            return ENAMETOOLONG;
        }
        memcpy(out->target, next, sizeof next);
    }
    return ELOOP;
}

/* names under which the system shows what a process has open: never to be renamed over, whatever they lead to */
static bool is_shown_by_the_system(const char *path)
{
    return !strncmp(path, "/dev/", 5) || !strncmp(path, "/proc/", 6);
}

/* whether the target takes the bytes itself */
static ty_status place(tyi_io_out *out, bool *through, mode_t *mode, ty_diag *diag)
{
    struct stat about;
    *through = is_shown_by_the_system(out->path);
    *mode = 0;
    if (!fits(snprintf(out->target, sizeof out->target, "%s", out->path), sizeof out->target - 40)) {
        return ty_fail(diag, TY_ERR_FILE, "%.200s...: the path is longer than %zu characters", out->path,
                       sizeof out->target - 40);
    }
    int why = *through ? 0 : follow(out);
    if (why) {
        return failed(out, why, diag);
    }
    if (stat(out->target, &about) == 0) {
        if (S_ISDIR(about.st_mode)) {
            return failed(out, EISDIR, diag);
        }
        *through = *through || !S_ISREG(about.st_mode) || is_shown_by_the_system(out->target);
        *mode = about.st_mode & 0777;
    }
    return TY_OK;
}

/* ---- leftovers ---- */

/* NAME.PID-K.part of a process that is gone */
static bool is_left_over(const char *name)
{
    size_t n = strlen(name);
    if (n < 9 || strcmp(name + n - 5, ".part") != 0) {
        return false;
    }
    const char *at = name + n - 5;
    while (at > name && at[-1] != '.') {
        at--;
    }
    char *end;
    long pid = strtol(at, &end, 10);
    if (at == name || end == at || *end != '-' || pid <= 0) {
        return false;
    }
    strtol(end + 1, &end, 10);
    return end == name + n - 5 && kill((pid_t)pid, 0) != 0 && errno == ESRCH;
}

int tyi_io_out_sweep(const char *folder)
{
    DIR *d = opendir(folder);
    int gone = 0;
    for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
        struct stat about;
        if (is_left_over(e->d_name) && fstatat(dirfd(d), e->d_name, &about, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(about.st_mode) && time(NULL) - about.st_mtime >= OLD && unlinkat(dirfd(d), e->d_name, 0) == 0) {
            gone++;
        }
    }
    if (d) {
        closedir(d);
    }
    return gone;
}

/* a folder once in a process: a run puts thousands of files into the same few */
static void sweep_once(const char *target)
{
    enum { KEPT = 64 };
    static uint64_t swept[KEPT];
    static unsigned next;
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    char folder[4096];
    const char *slash = strrchr(target, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - target) + 1 : 2, slash ? target : "./");
    uint64_t key = tyi_hash(folder, strlen(folder), TYI_HASH_START);
    bool known = false;
    pthread_mutex_lock(&lock);
    for (unsigned k = 0; k < KEPT; k++) {
        known = known || swept[k] == key;
    }
    swept[known ? 0 : next++ % KEPT] = known ? swept[0] : key;
    pthread_mutex_unlock(&lock);
    if (!known) {
        tyi_io_out_sweep(folder);
    }
}

/* ---- the file ---- */

/* a name of this process that nobody else has; a few may be left over from a crash */
static int open_beside(tyi_io_out *out)
{
    int fd = -1;
    for (int k = 0; k < 100 && fd < 0; k++) {
        if (!fits(snprintf(out->temporary, sizeof out->temporary, "%s.%ld-%d.part", out->target, (long)getpid(), k),
                  sizeof out->temporary)) {
            errno = ENAMETOOLONG;
            return -1;
        }
        fd = open(out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST) {
            break;
        }
    }
    return fd;
}

const char *tyi_io_out_aside(void)
{
    const char *folder = getenv("TMPDIR");
    return folder && folder[0] == '/' ? folder : "/tmp";
}

bool tyi_io_out_folder(const char *name, char *out, size_t size)
{
    bool room = fits(snprintf(out, size, "%s/%s-XXXXXX", tyi_io_out_aside(), name), size);
    errno = room ? 0 : ENAMETOOLONG;
    bool made = room && mkdtemp(out);
    out[0] = made ? out[0] : '\0';
    return made;
}

/* bytes that will go through something gather in the folder for temporary files */
static int open_aside(tyi_io_out *out)
{
    out->through = open(out->target, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (out->through < 0) {
        return -1;
    }
    snprintf(out->temporary, sizeof out->temporary, "%.4000s/tycho-XXXXXX", tyi_io_out_aside());
    return mkstemp(out->temporary);
}

ty_status tyi_io_out_open(tyi_io_out *out, const char *path, ty_diag *diag)
{
    out->file = NULL;
    out->path = path;
    out->target[0] = out->temporary[0] = '\0';
    out->through = -1;
    bool through;
    mode_t mode;
    ty_status status = place(out, &through, &mode, diag);
    if (status != TY_OK) {
        return status;
    }
    if (!through) {
        sweep_once(out->target);
    }
    int fd = through ? open_aside(out) : open_beside(out);
    if (fd < 0) {
        status = failed(out, errno, diag);
    } else if (mode && !through && fchmod(fd, mode) != 0) { /* as the file that it takes the place of */
        status = failed(out, errno, diag);
    }
    out->file = status == TY_OK ? fdopen(fd, "wb") : NULL;
    if (out->file) {
        return TY_OK;
    }
    if (fd >= 0) {
        close(fd);
        unlink(out->temporary);
    }
    if (out->through >= 0) {
        close(out->through);
    }
    return status == TY_OK ? ty_fail(diag, TY_ERR_MEMORY, "%s: no memory to write it", path) : status;
}

/* 0, or why it went wrong */
static int copy_through(tyi_io_out *out)
{
    char block[65536];
    int from = open(out->temporary, O_RDONLY | O_CLOEXEC), why = from < 0 ? errno : 0;
    for (ssize_t n = 1; !why && n > 0;) {
        n = read(from, block, sizeof block);
        why = n < 0 ? errno : 0;
        for (ssize_t done = 0; !why && done < n;) {
            ssize_t m = write(out->through, block + done, (size_t)(n - done));
            why = m < 0 && errno != EINTR ? errno : 0;
            done += m > 0 ? m : 0;
        }
    }
    if (from >= 0) {
        close(from);
    }
    return why;
}

ty_status tyi_io_out_close(tyi_io_out *out, ty_status status, ty_diag *diag)
{
    int why = 0;
    if (out->file) {
        errno = 0;
        bool bad = ferror(out->file) != 0;
        bad |= fflush(out->file) != 0;
        why = bad ? errno ? errno : EIO : 0;
        if (fclose(out->file) != 0 && !why) {
            why = errno ? errno : EIO;
        }
        out->file = NULL;
    }
    if (status == TY_OK && !why && out->through >= 0) {
        why = copy_through(out);
    }
    if (out->through >= 0 && close(out->through) != 0 && !why) {
        why = errno;
    }
    if (status == TY_OK && !why && out->through < 0 && rename(out->temporary, out->target) != 0) {
        why = errno;
    }
    if (status == TY_OK && why) {
        status = failed(out, why, diag);
    }
    if (status != TY_OK || out->through >= 0) {
        unlink(out->temporary);
    }
    out->through = -1;
    return status;
}

/* ---- for programs ---- */

struct tyi_io_sink {
    tyi_io_out out;
    bool standard; /* standard output */
    char path[];
};

ty_status tyi_io_sink_open(const char *path, tyi_io_sink **out, ty_diag *diag)
{
    size_t n = path ? strlen(path) + 1 : 1;
    *out = malloc(sizeof **out + n);
    if (!*out) {
        return ty_fail(diag, TY_ERR_MEMORY, "%s: no memory to write it", path ? path : "standard output");
    }
    memcpy((*out)->path, path ? path : "", n);
    (*out)->standard = !path;
    (*out)->out.file = stdout;
    ty_status status = path ? tyi_io_out_open(&(*out)->out, (*out)->path, diag) : TY_OK;
    if (status != TY_OK) {
        free(*out);
        *out = NULL;
    }
    return status;
}

FILE *tyi_io_sink_file(tyi_io_sink *out)
{
    return out->out.file;
}

ty_status tyi_io_sink_close(tyi_io_sink *out, ty_status status, ty_diag *diag)
{
    if (!out) {
        return status;
    }
    if (!out->standard) {
        status = tyi_io_out_close(&out->out, status, diag);
    } else {
        errno = 0;
        if ((ferror(stdout) || fflush(stdout) != 0) && status == TY_OK) {
            status =
                ty_fail(diag, TY_ERR_FILE, "standard output: cannot be written: %s", strerror(errno ? errno : EIO));
        }
    }
    free(out);
    return status;
}
