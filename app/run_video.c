/* app/run_video.c - `--video`: the frames of each camera as an MP4 file, by the ffmpeg program where it is installed.
 *
 * Frames go to it through a pipe, in their order; the file appears whole or not at all.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "run.h"

#define SLOWEST 5.0 /* [frames/s] cameras that look rarely are shown faster than the time went by */
#define FASTEST 60.0

/* ffmpeg that reads PNG pictures from its standard input; its descriptor, -1: it could not be started */
static int start(const char *path, double rate, const char *log, pid_t *child)
{
    char frames[32];
    int ends[2];
    snprintf(frames, sizeof frames, "%.6g", rate);
    if (pipe(ends)) {
        return -1;
    }
    *child = fork();
    if (*child == 0) {
        int out = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        dup2(ends[0], STDIN_FILENO);
        dup2(out, STDOUT_FILENO);
        dup2(out, STDERR_FILENO);
        close(ends[0]), close(ends[1]), close(out);
        signal(SIGPIPE, SIG_DFL);
        /* sides must be even for yuv420p, which every player knows */
        execlp("ffmpeg", "ffmpeg", "-nostdin", "-hide_banner", "-loglevel", "error", "-y", "-f", "image2pipe",
               "-framerate", frames, "-c:v", "png", "-i", "-", "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt",
               "yuv420p", "-movflags", "+faststart", "-f", "mp4", path, (char *)NULL);
        _exit(errno == ENOENT ? 127 : 126);
    }
    close(ends[0]);
    if (*child < 0) {
        close(ends[1]);
        return -1;
    }
    return ends[1];
}

static bool send_file(int to, const char *path)
{
    char part[65536];
    FILE *f = fopen(path, "rb");
    bool good = f != NULL;
    for (size_t n; good && (n = fread(part, 1, sizeof part, f)) > 0;) {
        for (size_t done = 0; done < n && good;) {
            ssize_t wrote = write(to, part + done, n - done);
            good = wrote > 0 || (wrote < 0 && errno == EINTR);
            done += wrote > 0 ? (size_t)wrote : 0;
        }
    }
    if (f) {
        fclose(f);
    }
    return good;
}

/* one camera; returns ffmpeg's exit code, 127: there is none */
static int film(const run_record *r, size_t sensor, double rate, const char *path)
{
    char part[4500], log[4500], frame[4400];
    pid_t child;
    snprintf(part, sizeof part, "%s.part", path);
    snprintf(log, sizeof log, "%s.log", path);
    int to = start(part, rate, log, &child);
    if (to < 0) {
        return 126;
    }
    for (size_t i = 0; i < r->frames; i++) {
        snprintf(frame, sizeof frame, "%s/%s", r->folder, r->frame[i].file);
        if (r->frame[i].sensor == sensor && !send_file(to, frame)) {
            break;
        }
    }
    close(to);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 125;
    code = code == 0 && rename(part, path) ? 124 : code;
    unlink(part);
    if (code == 0 || code == 127) {
        unlink(log);
    }
    return code;
}

/* Cameras whose frames were written at least twice. What goes wrong is said on standard error; the run is whole without
 * it. */
void run_video(run_record *r, ty_run *run)
{
    void (*pipes)(int) = signal(SIGPIPE, SIG_IGN);
    for (size_t i = 0; i < ty_run_sensors(run); i++) {
        ty_sensor_info info = ty_run_sensor(run, i);
        size_t frames = 0;
        for (size_t k = 0; k < r->frames; k++) {
            frames += r->frame[k].sensor == i && !strncmp(r->frame[k].file, "frames/", 7);
        }
        if (frames < 2) {
            continue;
        }
        char name[130], path[4400];
        snprintf(path, sizeof path, "%s/video", r->folder);
        double rate = fmin(fmax(1.0 / ty_seconds(info.period), SLOWEST), FASTEST);
        mkdir(path, 0777); /* there already, but for the first */
        snprintf(path, sizeof path, "%s/video/%s.mp4", r->folder, run_stem(r, run, i, name, sizeof name));
        int code = film(r, i, rate, path);
        if (code == 127) {
            fprintf(
                stderr,
                "tycho run: no video, because there is no ffmpeg program; the frames are in %s/frames (Debian: apt install ffmpeg).\n",
                r->folder);
            snprintf(path, sizeof path, "%s/video", r->folder);
            rmdir(path);
            break;
        }
        if (code) {
            fprintf(stderr, "tycho run: no video of %s: ffmpeg ended with code %d, %s.log tells more.\n", name, code,
                    path);
        }
        r->videos += code == 0;
    }
    signal(SIGPIPE, pipes);
}
