/* src/body/urdf_ros.c - ROS packages: where they are, and the program xacro called with what it needs to find them.
 *
 * xacro is run without a shell, with the model's absolute path and the rover file's arguments, its output into a file. It
 * finds packages by Python's ament_index_python, which an xacro from PyPI comes without; a folder of ours on PYTHONPATH
 * answers in its place, from the same list that package:// is looked up in.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "urdf.h"
#include "io/out.h"

#define SECONDS     60 /* xacro may take */
#define MOST_BYTES  ((size_t)16 << 20)
#define LEVELS      8 /* of folders above the model */
#define ENVIRONMENT 8000

extern char **environ;

/* ---- where packages are ---- */

static const char *keep(tyi_arena *memory, const char *text)
{
    char *copy = tyi_arena_get(memory, strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}

static bool is_folder(const char *path)
{
    struct stat s;
    return !stat(path, &s) && S_ISDIR(s.st_mode);
}

/* the name in a folder's package.xml, else the folder's own; false: it has no package.xml */
static bool package_name(const char *folder, char *out, size_t size)
{
    tyi_body_path path;
    tyi_io_bytes bytes;
    const char *slash = strrchr(folder, '/');
    snprintf(out, size, "%s", slash ? slash + 1 : folder);
    if ((size_t)snprintf(path, sizeof path, "%s/package.xml", folder) >= sizeof path ||
        tyi_io_file_read(path, (size_t)1 << 20, NULL, &bytes, NULL) != TY_OK) {
        return false;
    }
    const char *from = bytes.size ? memmem(bytes.data, bytes.size, "<name>", 6) : NULL;
    const char *to = from ? memmem(from, bytes.size - (size_t)(from - bytes.data), "</name>", 7) : NULL;
    if (to && (size_t)(to - from) > 6 && (size_t)(to - from) - 6 < size) {
        snprintf(out, size, "%.*s", (int)(to - from) - 6, from + 6);
        out[strcspn(out, " \t\r\n")] = '\0';
    }
    tyi_put(NULL, bytes.data, bytes.capacity);
    return true;
}

/* a folder that is a package, or holds some */
static bool add_folder(tyi_body_ros *ros, tyi_arena *memory, const char *folder, bool named)
{
    char name[256];
    bool package = package_name(folder, name, sizeof name);
    const char *kept = keep(memory, folder);
    if (!kept) {
        return false;
    }
    if ((package || named) && ros->packages < sizeof ros->package / sizeof ros->package[0]) {
        ros->package[ros->packages].name = keep(memory, name);
        ros->package[ros->packages].folder = kept;
        if (!ros->package[ros->packages++].name) {
            return false;
        }
    }
    if (!package && ros->holders < sizeof ros->holder / sizeof ros->holder[0]) {
        ros->holder[ros->holders++] = kept;
    }
    return true;
}

/* folders of a list with colons; below: what is appended to each */
static bool add_list(tyi_body_ros *ros, tyi_arena *memory, const char *list, const char *below)
{
    for (const char *at = list; at && *at;) {
        size_t n = strcspn(at, ":");
        tyi_body_path path;
        if (n && (size_t)snprintf(path, sizeof path, "%.*s%s", (int)n, at, below) < sizeof path &&
            !add_folder(ros, memory, path, false)) {
            return false;
        }
        at += n + (at[n] == ':');
    }
    return true;
}

/* the packages that the model lies in, and the folders that hold these */
static bool add_above(tyi_body_ros *ros, tyi_arena *memory)
{
    tyi_body_path path, manifest;
    if (!realpath(ros->def->path, path)) {
        return true; /* whoever reads the model says so */
    }
    for (int i = 0; i < LEVELS; i++) {
        char *slash = strrchr(path, '/');
        if (!slash || slash == path) {
            return true;
        }
        *slash = '\0';
        if ((size_t)snprintf(manifest, sizeof manifest, "%s/package.xml", path) < sizeof manifest &&
            !access(manifest, R_OK)) {
            if (!add_folder(ros, memory, path, false)) {
                return false;
            }
            slash = strrchr(path, '/');
            if (slash && slash != path) {
                snprintf(manifest, sizeof manifest, "%.*s", (int)(slash - path), path);
                return add_folder(ros, memory, manifest, false);
            }
        }
    }
    return true;
}

ty_status tyi_body_ros_init(const tyi_body_urdf_def *def, tyi_arena *memory, tyi_body_ros *out, ty_diag *diag)
{
    *out = (tyi_body_ros){ .def = def };
    bool done = true;
    for (size_t i = 0; i < def->packages && done; i++) {
        tyi_body_path path;
        if (!realpath(def->package[i], path) || !is_folder(path)) {
            return ty_fail(diag, TY_ERR_FILE, "%s: `packages` names %s, which is no folder", def->path,
                           def->package[i]);
        }
        done = add_folder(out, memory, path, true);
        if (done && out->holders < sizeof out->holder / sizeof out->holder[0]) {
            const char *kept = keep(memory, path);
            out->holder[out->holders++] = kept;
            done = kept;
        }
    }
    done = done && add_above(out, memory) && add_list(out, memory, getenv("ROS_PACKAGE_PATH"), "") &&
           add_list(out, memory, getenv("AMENT_PREFIX_PATH"), "/share");
    return done ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "%s: no memory to read it", def->path);
}

static bool find_package(const tyi_body_ros *ros, const char *name, char *out, size_t size)
{
    for (size_t i = 0; i < ros->packages; i++) {
        if (!strcmp(ros->package[i].name, name)) {
            return (size_t)snprintf(out, size, "%s", ros->package[i].folder) < size;
        }
    }
    for (size_t i = 0; i < ros->holders; i++) {
        if ((size_t)snprintf(out, size, "%s/%s", ros->holder[i], name) < size && is_folder(out)) {
            return true;
        }
    }
    return false;
}

bool tyi_body_ros_path(const tyi_body_ros *ros, const char *uri, char *out, size_t size)
{
    static const char *const schemes[] = { "package://", "model://" };
    for (int i = 0; i < 2; i++) {
        size_t n = strlen(schemes[i]);
        if (!strncmp(uri, schemes[i], n)) {
            char name[256];
            tyi_body_path folder;
            size_t length = strcspn(uri + n, "/");
            if (!length || length >= sizeof name) {
                return false;
            }
            snprintf(name, sizeof name, "%.*s", (int)length, uri + n);
            return strcmp(name, "..") != 0 && find_package(ros, name, folder, sizeof folder) &&
                   (size_t)snprintf(out, size, "%s%s", folder, uri + n + length) < size;
        }
    }
    const char *path = !strncmp(uri, "file://", 7) ? uri + 7 : uri, *slash = strrchr(ros->def->path, '/');
    int folder = slash && path[0] != '/' ? (int)(slash - ros->def->path) + 1 : 0;
    return path[0] && (size_t)snprintf(out, size, "%.*s%s", folder, ros->def->path, path) < size;
}

/* ---- xacro ---- */

typedef struct job {
    const tyi_body_ros *ros;
    char folder[64];
    tyi_body_path model, out, error;
    const char *argv[70];
    char python[ENVIRONMENT], path[ENVIRONMENT], rospath[ENVIRONMENT];
    const char **env;
    size_t env_bytes;
} job;

static bool write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    bool done = f && fputs(text, f) >= 0;
    return f && !fclose(f) && done;
}

static const char *in(const job *j, const char *name, char *out, size_t size)
{
    snprintf(out, size, "%s/%s", j->folder, name);
    return out;
}

/* the folder that xacro runs with: the stand-in for ament_index_python, and links to packages by their names */
static bool make_folder(job *j)
{
    char path[400];
    if (!tyi_io_out_folder("tycho-xacro", j->folder, sizeof j->folder)) {
        return false;
    }
    bool done = !mkdir(in(j, "ament_index_python", path, sizeof path), 0700) &&
                !mkdir(in(j, "share", path, sizeof path), 0700) &&
                write_text(in(j, "ament_index_python/__init__.py", path, sizeof path), "") &&
                write_text(in(j, "ament_index_python/packages.py", path, sizeof path),
                           "import os\n"
                           "def get_package_share_directory(name):\n"
                           "    for folder in os.environ['TYCHO_ROS_PATH'].split(':'):\n"
                           "        path = os.path.join(folder, name)\n"
                           "        if os.path.isdir(path):\n"
                           "            return os.path.realpath(path)\n"
                           "    raise LookupError('package %s is not found' % name)\n");
    for (size_t i = 0; i < j->ros->packages && done; i++) {
        const char *name = j->ros->package[i].name;
        if (!strchr(name, '/') && name[0] != '.' && strlen(name) < 200) {
            char at[300];
            snprintf(at, sizeof at, "share/%s", name);
            done = !symlink(j->ros->package[i].folder, in(j, at, path, sizeof path)) || errno == EEXIST;
        }
    }
    return done;
}

static void remove_folder(const job *j)
{
    static const char *const files[] = { "ament_index_python/__init__.py", "ament_index_python/packages.py", "out",
                                         "error" };
    char path[400], at[300];
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        unlink(in(j, files[i], path, sizeof path));
    }
    for (size_t i = 0; i < j->ros->packages; i++) {
        snprintf(at, sizeof at, "share/%.200s", j->ros->package[i].name);
        unlink(in(j, at, path, sizeof path));
    }
    rmdir(in(j, "ament_index_python", path, sizeof path));
    rmdir(in(j, "share", path, sizeof path));
    rmdir(j->folder);
}

static bool make_environment(job *j)
{
    size_t n = 0, used = 0;
    const char *python = getenv("PYTHONPATH");
    while (environ[n]) {
        n++;
    }
    j->env_bytes = (n + 5) * sizeof *j->env;
    j->env = tyi_get(NULL, j->env_bytes);
    if (!j->env) {
        return false;
    }
    snprintf(j->python, sizeof j->python, "PYTHONPATH=%s%s%s", j->folder, python ? ":" : "", python ? python : "");
    tyi_io_say(j->path, sizeof j->path, "TYCHO_ROS_PATH=%s/share", j->folder);
    for (size_t i = 0; i < j->ros->holders; i++) {
        tyi_io_say(j->path, sizeof j->path, ":%s", j->ros->holder[i]);
    }
    snprintf(j->rospath, sizeof j->rospath, "ROS_PACKAGE_PATH=%s", j->path + strlen("TYCHO_ROS_PATH="));
    for (size_t i = 0; i < n; i++) {
        if (strncmp(environ[i], "PYTHONPATH=", 11) != 0 && strncmp(environ[i], "ROS_PACKAGE_PATH=", 17) != 0) {
            j->env[used++] = environ[i];
        }
    }
    j->env[used++] = j->python, j->env[used++] = j->path, j->env[used++] = j->rospath;
    j->env[used++] = "PYTHONDONTWRITEBYTECODE=1";
    return true;
}

/* waits for a child; its status, or -1 when it was ended for taking too long */
static int await(pid_t child)
{
    int status = 0;
    for (int i = 0; i < SECONDS * 100; i++) {
        pid_t done = waitpid(child, &status, WNOHANG);
        if (done == child || (done < 0 && errno != EINTR)) {
            return done == child ? status : -1;
        }
        nanosleep(&(struct timespec){ 0, 10000000 }, NULL);
    }
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return -1;
}

static int call(job *j, int *status)
{
    posix_spawn_file_actions_t files;
    pid_t child;
    if (posix_spawn_file_actions_init(&files)) {
        return ENOMEM;
    }
    int failed = posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    failed = failed ? failed : posix_spawn_file_actions_addopen(&files, 1, j->out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    failed =
        failed ? failed : posix_spawn_file_actions_addopen(&files, 2, j->error, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (!failed) {
        failed = posix_spawnp(&child, "xacro", &files, NULL, (char *const *)j->argv, (char *const *)j->env);
    }
    posix_spawn_file_actions_destroy(&files);
    if (!failed) {
        *status = await(child);
    }
    return failed;
}

static ty_status say_failure(const job *j, int status, ty_diag *diag)
{
    char text[400] = "", shown[400];
    tyi_io_bytes bytes;
    if (tyi_io_file_read(j->error, (size_t)1 << 20, NULL, &bytes, NULL) == TY_OK) {
        snprintf(text, sizeof text, "%.*s", (int)(bytes.size < 399 ? bytes.size : 399), bytes.data);
        for (char *c = text; *c; c++) {
            *c = *c == '\n' ? (c[1] ? ';' : '\0') : *c;
        }
        tyi_put(NULL, bytes.data, bytes.capacity);
    }
    if (status == -1) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s: xacro took more than %d s and was stopped", j->ros->def->path,
                       SECONDS);
    }
    return ty_fail(diag, TY_ERR_FORMAT,
                   "%s: xacro refused it (%s); packages are found by `packages` of the rover file and ROS_PACKAGE_PATH",
                   j->ros->def->path, text[0] ? tyi_io_doc_show(text, shown, sizeof shown) : "without a word");
}

static ty_status read_back(const job *j, tyi_io_bytes *out, ty_diag *diag)
{
    tyi_io_bytes file;
    ty_status status = tyi_io_file_read(j->out, MOST_BYTES, j->ros->def->alloc, &file, diag);
    if (status != TY_OK) {
        return status;
    }
    *out = (tyi_io_bytes){ tyi_get(j->ros->def->alloc, file.size + 1), file.size, file.size + 1 };
    if (out->data) {
        memcpy(out->data, file.data, file.size);
    } else {
        status = ty_fail(diag, TY_ERR_MEMORY, "%s: no memory to read it", j->ros->def->path);
    }
    tyi_put(j->ros->def->alloc, file.data, file.capacity);
    return status;
}

static ty_status run(job *j, tyi_io_bytes *out, ty_diag *diag)
{
    const tyi_body_urdf_def *def = j->ros->def;
    int status = 0, failed;
    in(j, "out", j->out, sizeof j->out);
    in(j, "error", j->error, sizeof j->error);
    j->argv[0] = "xacro", j->argv[1] = j->model;
    for (size_t i = 0; i < def->arguments && i < 64; i++) {
        j->argv[2 + i] = def->argument[i];
    }
    failed = make_environment(j) ? call(j, &status) : ENOMEM;
    /* a shell-less spawn of some C libraries says so by the status of the child */
    if (failed == ENOENT || failed == EACCES ||
        (!failed && status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 127)) {
        return ty_fail(
            diag, TY_ERR_FILE,
            "%s: is a xacro file, and the program xacro that expands it is not there; install it (pip install "
            "xacro, or a ROS distribution), or name a .urdf file made where it is: xacro IN > OUT.urdf",
            def->path);
    }
    if (failed) {
        char reason[100];
        return ty_fail(diag, TY_ERR_FILE, "%s: the program xacro cannot be run (%s)", def->path,
                       strerror_r(failed, reason, sizeof reason));
    }
    return status == 0 ? read_back(j, out, diag) : say_failure(j, status, diag);
}

ty_status tyi_body_ros_xacro(const tyi_body_ros *ros, tyi_io_bytes *out, ty_diag *diag)
{
    *out = (tyi_io_bytes){ 0 };
    job *j = tyi_get(NULL, sizeof *j);
    if (!j) {
        return ty_fail(diag, TY_ERR_MEMORY, "%s: no memory to read it", ros->def->path);
    }
    char reason[100];
    ty_status status = TY_OK;
    j->ros = ros;
    if (!realpath(ros->def->path, j->model)) {
        status = ty_fail(diag, TY_ERR_FILE, "%s: cannot be opened (%s)", ros->def->path,
                         strerror_r(errno, reason, sizeof reason));
    } else if (!make_folder(j)) {
        status = ty_fail(diag, TY_ERR_FILE, "%s: no folder for xacro can be made in %s (%s)", ros->def->path,
                         tyi_io_out_aside(), strerror_r(errno, reason, sizeof reason));
    } else {
        status = run(j, out, diag);
    }
    if (j->folder[0]) {
        remove_folder(j);
    }
    tyi_put(NULL, j->env, j->env_bytes);
    tyi_put(NULL, j, sizeof *j);
    return status;
}
