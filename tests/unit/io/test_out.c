/* tests/unit/io/test_out.c - the writer of files: whole or not at all, through links and pipes, leftovers swept.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utime.h>
#include "io/out.h"
#include "io/out_file.h"
#include "tyt.h"

static char folder[64];

static const char *in_folder(const char *name)
{
    static char path[4][256];
    static int k;
    snprintf(path[k = (k + 1) % 4], 256, "%s/%s", folder, name);
    return path[k];
}

static void begin(void)
{
    strcpy(folder, "/tmp/tycho_out_XXXXXX");
    cr_assert(mkdtemp(folder));
}

static void end(void)
{
    char command[100];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    TY_CHECK(system(command) == 0);
}

static ty_status put(const char *path, const char *text, ty_status status, ty_diag *diag)
{
    tyi_io_sink *out = NULL;
    ty_status s = tyi_io_sink_open(path, &out, diag);
    if (s == TY_OK) {
        fputs(text, tyi_io_sink_file(out));
        s = tyi_io_sink_close(out, status, diag);
    }
    return s;
}

static bool holds(const char *path, const char *text)
{
    char got[100] = "";
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(got, 1, sizeof got - 1, f) : 0;
    got[n] = '\0';
    if (f) {
        fclose(f);
    }
    return f && !strcmp(got, text);
}

static int files(void)
{
    char command[100], text[20] = "";
    snprintf(command, sizeof command, "ls '%s' | wc -l", folder);
    FILE *f = popen(command, "r");
    TY_CHECK(fgets(text, sizeof text, f) != NULL);
    pclose(f);
    return atoi(text);
}

TY_TEST(out, whole_or_not_at_all)
{
    begin();
    TY_CHECK(put(in_folder("a"), "one", TY_OK, NULL) == TY_OK && holds(in_folder("a"), "one"));
    TY_CHECK(chmod(in_folder("a"), 0640) == 0);
    TY_CHECK(put(in_folder("a"), "two", TY_ERR_INPUT, NULL) == TY_ERR_INPUT && holds(in_folder("a"), "one"));
    TY_CHECK(put(in_folder("a"), "two", TY_OK, NULL) == TY_OK && holds(in_folder("a"), "two"));
    struct stat about;
    TY_CHECK(stat(in_folder("a"), &about) == 0 && (about.st_mode & 0777) == 0640); /* its permissions stay */
    TY_CHECK(files() == 1);
    ty_diag diag = { 0 };
    TY_CHECK(put(in_folder("no/such"), "x", TY_OK, &diag) == TY_ERR_FILE && strstr(diag.text, "No such file"));
    TY_CHECK(put(folder, "x", TY_OK, &diag) == TY_ERR_FILE && strstr(diag.text, "directory"));
    TY_CHECK(put(NULL, "", TY_OK, NULL) == TY_OK && tyi_io_sink_close(NULL, TY_ERR_INPUT, NULL) == TY_ERR_INPUT);
    end();
}

TY_TEST(out, links_stay_links)
{
    begin();
    struct stat about;
    TY_CHECK(mkdir(in_folder("d"), 0777) == 0 && symlink("d/real", in_folder("link")) == 0 &&
             symlink("link", in_folder("chain")) == 0 && symlink("loop", in_folder("loop")) == 0);
    TY_CHECK(put(in_folder("chain"), "new", TY_OK, NULL) == TY_OK); /* through links to what is not there yet */
    TY_CHECK(holds(in_folder("d/real"), "new") && lstat(in_folder("link"), &about) == 0 && S_ISLNK(about.st_mode) &&
             lstat(in_folder("chain"), &about) == 0 && S_ISLNK(about.st_mode));
    TY_CHECK(put(in_folder("link"), "newer", TY_OK, NULL) == TY_OK && holds(in_folder("d/real"), "newer"));
    TY_CHECK(put(in_folder("loop"), "x", TY_OK, NULL) == TY_ERR_FILE);
    end();
}

TY_TEST(out, devices_are_written_through)
{
    begin();
    struct stat about;
    ty_diag diag = { 0 };
    TY_CHECK(symlink("/dev/full", in_folder("full")) == 0);
    TY_CHECK(put(in_folder("full"), "x", TY_OK, &diag) == TY_ERR_FILE && strstr(diag.text, "No space left"));
    TY_CHECK(lstat(in_folder("full"), &about) == 0 && S_ISLNK(about.st_mode));
    TY_CHECK(stat("/dev/full", &about) == 0 && S_ISCHR(about.st_mode));
    TY_CHECK(put("/dev/null", "x", TY_OK, NULL) == TY_OK && stat("/dev/null", &about) == 0 && S_ISCHR(about.st_mode));
    TY_CHECK(mkfifo(in_folder("pipe"), 0600) == 0);
    int keep = open(in_folder("pipe"), O_RDWR); /* so that no open blocks */
    TY_CHECK(put(in_folder("pipe"), "through", TY_OK, NULL) == TY_OK);
    TY_CHECK(put(in_folder("pipe"), "nothing", TY_ERR_INPUT, NULL) == TY_ERR_INPUT);
    char got[20] = "";
    TY_CHECK(read(keep, got, sizeof got) == 7 && !strcmp(got, "through"));
    close(keep);
    TY_CHECK(stat(in_folder("pipe"), &about) == 0 && S_ISFIFO(about.st_mode) && files() == 2);
    end();
}

TY_TEST(out, leftovers_are_swept)
{
    begin();
    pid_t gone = fork();
    if (gone == 0) {
        _exit(0);
    }
    waitpid(gone, NULL, 0);
    char mine[64], theirs[64], fresh[64];
    snprintf(mine, sizeof mine, "x.%ld-0.part", (long)getpid());
    snprintf(theirs, sizeof theirs, "x.png.%ld-3.part", (long)gone);
    snprintf(fresh, sizeof fresh, "y.png.%ld-0.part", (long)gone);
    const char *name[] = { mine, theirs, fresh, "movie.part", "a.b-c.part", "12-3.part" };
    struct utimbuf old = { 1000, 1000 };
    for (int i = 0; i < 6; i++) {
        close(open(in_folder(name[i]), O_CREAT | O_WRONLY, 0600));
        TY_CHECK(i == 2 || utime(in_folder(name[i]), &old) == 0);
    }
    TY_CHECK(put(in_folder("z"), "z", TY_OK, NULL) == TY_OK);
    for (int i = 0; i < 6; i++) { /* only that of a process that is gone, and not one of a moment ago */
        TY_CHECK((access(in_folder(name[i]), F_OK) != 0) == (i == 1));
    }
    TY_CHECK(tyi_io_out_sweep(folder) == 0);
    end();
}
