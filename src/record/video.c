/* src/record/video.c - `--video`: the frames of each camera as an MP4 file, by the ffmpeg program where it is installed.
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
#include "record.h"

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

/* one camera, its pictures or the copies with an ending of their own; returns ffmpeg's exit code, 127: there is none */
static int film(const ty_record *r, size_t sensor, const char *ending, double rate, const char *path)
{
    char part[TYI_RECORD_PATH + 8], log[TYI_RECORD_PATH + 8], frame[TYI_RECORD_PATH + 16];
    pid_t child;
    snprintf(part, sizeof part, "%s.part", path);
    snprintf(log, sizeof log, "%s.log", path);
    int to = start(part, rate, log, &child);
    if (to < 0) {
        return 126;
    }
    for (size_t i = 0; i < r->frames; i++) {
        tyi_record_path(r, r->frame[i].file, frame);
        snprintf(frame + strlen(frame) - 4, 16, "%s", ending); /* in place of .png */
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

static void say(const ty_record *r, const char *sentence)
{
    if (r->def.note) {
        r->def.note(r->def.note_user, sentence);
    }
}

/* the pictures of one camera, or the copies of them that are drawn over; false: there is no ffmpeg */
static bool make_video(ty_record *r, size_t sensor, const char *prefix, bool over)
{
    ty_sensor_info info = ty_run_sensor(r->run, sensor);
    char file[TYI_RECORD_FILE], path[TYI_RECORD_PATH], text[TYI_RECORD_PATH + 200];
    double rate = fmin(fmax(1.0 / ty_seconds(info.period), SLOWEST), FASTEST);
    snprintf(file, sizeof file, "%svideo/%s%s.mp4", prefix, info.name, over ? "_overlay" : "");
    tyi_record_make_way(r, file);
    int code = film(r, sensor, over ? "_overlay.png" : ".png", rate, tyi_record_path(r, file, path));
    if (code == 127) {
        snprintf(text, sizeof text,
                 "no video, because there is no ffmpeg program; the frames are in %s/frames (Debian: apt install "
                 "ffmpeg).",
                 r->folder);
        say(r, text);
        *strrchr(path, '/') = '\0';
        rmdir(path);
        return false;
    }
    if (code) {
        snprintf(text, sizeof text, "no video of %s: ffmpeg ended with code %d, %s.log tells more.", info.name, code,
                 path);
        say(r, text);
    }
    r->videos += code == 0;
    return true;
}

/* Cameras whose frames were written at least twice. What goes wrong is a note; the run is whole without it. */
void tyi_record_video(ty_record *r)
{
    void (*pipes)(int) = signal(SIGPIPE, SIG_IGN);
    bool there = true;
    for (size_t i = 0; i < r->sensors && there; i++) {
        const ty_sensor_def *def = ty_run_sensor(r->run, i).def;
        char prefix[80], start[100];
        size_t frames = 0;
        tyi_record_prefix_sensor(r, i, prefix);
        snprintf(start, sizeof start, "%sframes/", prefix);
        for (size_t k = 0; k < r->frames; k++) {
            frames += r->frame[k].sensor == i && !strncmp(r->frame[k].file, start, strlen(start));
        }
        if (frames < 2) {
            continue;
        }
        there = make_video(r, i, prefix, false);
        if (there && tyi_record_overlaid(def)) {
            there = make_video(r, i, prefix, true);
        }
    }
    signal(SIGPIPE, pipes);
}
