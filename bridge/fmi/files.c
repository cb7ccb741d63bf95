/* bridge/fmi/files.c - what goes into an FMU: the files that a scenario is made of, and shared libraries.
 *
 * Files are found by mention: a word of a text file that names a file beside it is one, and so on from there (YAML, MJCF, URDF, OBJ and MTL,
 * glTF, CSV). What was missed is found out when the copy is loaded, before the FMU is written (export.c).
 * SPDX-License-Identifier: BSD-3-Clause */
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "core/core.h"
#include "export.h"
#include "io/document.h"

#define TEXT_MOST ((size_t)8 << 20) /* [bytes] larger files are data */
#define FOLDERS   16

void tyb_fmi_files_free(tyb_fmi_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        free(files->path[i]);
    }
    free(files->path);
    *files = (tyb_fmi_files){ 0 };
}

/* false: it was there */
static bool add(tyb_fmi_files *files, const char *path)
{
    for (size_t i = 0; i < files->count; i++) {
        if (!strcmp(files->path[i], path)) {
            return false;
        }
    }
    char **grown = tyi_list_grown(files->path, files->count, &files->room, sizeof *files->path, 64);
    files->path = grown ? grown : files->path;
    char *copy = grown ? strdup(path) : NULL;
    files->failed = files->failed || !copy;
    if (copy) {
        files->path[files->count++] = copy;
    }
    return true;
}

/* a path from the root, without "." and ".."; folder "": the working folder */
static bool whole_path(const char *folder, const char *name, char out[PATH_MAX])
{
    char all[2 * PATH_MAX], here[PATH_MAX];
    const char *start = name[0] == '/' ? "" : folder[0] ? folder : getcwd(here, sizeof here);
    if (!start || snprintf(all, sizeof all, "%s/%s", start, name) >= PATH_MAX) {
        return false;
    }
    size_t n = 0;
    for (char *rest = all, *step; (step = strsep(&rest, "/")) != NULL;) {
        if (!strcmp(step, "..")) {
            while (n && out[--n] != '/') {
            }
        } else if (step[0] && strcmp(step, ".")) {
            n += (size_t)sprintf(out + n, "/%s", step);
        }
    }
    out[n] = '\0';
    return n > 0;
}

static bool is_kind(const char *path, mode_t kind)
{
    struct stat about;
    return !stat(path, &about) && (about.st_mode & S_IFMT) == kind;
}

static bool is_yaml(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (!strcmp(dot, ".yaml") || !strcmp(dot, ".yml"));
}

/* comments of YAML become blanks: what they mention is not needed */
static void strip_comments(char *text)
{
    for (char *at = text; (at = strchr(at, '#')) != NULL;) {
        if (at > text && !strchr(" \t\n", at[-1])) {
            at++;
            continue;
        }
        while (*at && *at != '\n') {
            *at++ = ' ';
        }
    }
}

typedef struct mention {
    tyb_fmi_files *files;
    const char *in;          /* the file whose words they are */
    char folder[PATH_MAX];   /* its folder */
    char more[FOLDERS][256]; /* folders that it names, in which files are looked for, too (MJCF's meshdir) */
    int mores;
    bool yaml;
    ty_diag *diag;
} mention;

static ty_status look(mention *m, const char *word)
{
    char path[PATH_MAX], below[600];
    if (word[0] == '/') {
        return m->yaml && is_kind(word, S_IFREG)
                   ? ty_fail(m->diag, TY_ERR_INPUT,
                             "%s names %s; an FMU goes to other machines and takes paths from the file's own folder",
                             m->in, word)
                   : TY_OK;
    }
    if (strlen(word) < 256 && whole_path(m->folder, word, path)) {
        if (strchr(word, '.') && is_kind(path, S_IFREG)) {
            add(m->files, path);
        } else if (m->mores < FOLDERS && strcmp(word, ".") && strcmp(word, "..") && is_kind(path, S_IFDIR)) {
            snprintf(m->more[m->mores++], 256, "%s", word);
        }
        for (int i = 0; i < m->mores && strchr(word, '.'); i++) {
            snprintf(below, sizeof below, "%s/%s", m->more[i], word);
            if (whole_path(m->folder, below, path) && is_kind(path, S_IFREG)) {
                add(m->files, path);
            }
        }
    }
    return TY_OK;
}

static ty_status look_at_words(mention *m, char *text)
{
    ty_status status = TY_OK;
    char *rest = text;
    for (char *word; status == TY_OK && (word = strsep(&rest, " \t\r\n\"'<>=,:;[]{}()")) != NULL;) {
        status = word[0] ? look(m, word) : TY_OK;
    }
    return status;
}

/* what a file mentions; of what cannot be read, or is no text, nothing */
static ty_status follow(tyb_fmi_files *files, const char *path, ty_diag *diag)
{
    mention m = { .files = files, .in = path, .yaml = is_yaml(path), .diag = diag };
    tyi_io_bytes b;
    struct stat about;
    if (stat(path, &about) || (size_t)about.st_size > TEXT_MOST ||
        tyi_io_file_read(path, TEXT_MOST, NULL, &b, NULL) != TY_OK) {
        return TY_OK;
    }
    snprintf(m.folder, sizeof m.folder, "%s", path);
    *strrchr(m.folder, '/') = '\0';
    char *text = memchr(b.data, '\0', b.size) ? NULL : strndup(b.data, b.size);
    tyi_put(NULL, b.data, b.capacity);
    if (text && m.yaml) {
        strip_comments(text);
    }
    ty_status status = text ? look_at_words(&m, text) : TY_OK;
    free(text);
    return status;
}

ty_status tyb_fmi_files_scenario(tyb_fmi_files *files, const char *path, const char *const *settings, size_t count,
                                 ty_diag *diag)
{
    char own[PATH_MAX];
    if (!whole_path("", path, own)) {
        return ty_fail(diag, TY_ERR_FILE, "%s: the path is too long", path);
    }
    add(files, own);
    mention m = { .files = files, .in = "a setting", .yaml = true, .diag = diag };
    snprintf(m.folder, sizeof m.folder, "%s", own);
    *strrchr(m.folder, '/') = '\0';
    ty_status status = TY_OK;
    for (size_t i = 0; i < count && status == TY_OK; i++) {
        char *text = strdup(settings[i]);
        status = text ? look_at_words(&m, text) : ty_fail(diag, TY_ERR_MEMORY, "no memory");
        free(text);
    }
    for (size_t i = 0; i < files->count && status == TY_OK; i++) { /* grows as it goes */
        status = follow(files, files->path[i], diag);
    }
    return status == TY_OK && files->failed ? ty_fail(diag, TY_ERR_MEMORY, "no memory for a list of files") : status;
}

/* ---- shared libraries ---- */

/* those of the C and C++ run time are the system's: two of them in a process do not go together */
static bool of_the_system(const char *name)
{
    static const char *const those[] = { "libc.so",      "libm.so",      "libpthread.so", "libdl.so",
                                         "librt.so",     "libresolv.so", "ld-linux",      "libgcc_s.so",
                                         "libstdc++.so", "linux-vdso",   "libasan.so",    "libubsan.so" };
    for (size_t i = 0; i < sizeof those / sizeof those[0]; i++) {
        if (!strncmp(name, those[i], strlen(those[i]))) {
            return true;
        }
    }
    return false;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* all that a loaded library needs, and what those need */
static void add_needed(tyb_fmi_files *files, const struct link_map *all, const struct link_map *of)
{
    const char *strings = NULL;
    for (const ElfW(Dyn) *d = of->l_ld; d->d_tag != DT_NULL; d++) {
        strings = d->d_tag == DT_STRTAB ? (const char *)d->d_un.d_ptr : strings;
    }
    for (const ElfW(Dyn) *d = of->l_ld; strings && d->d_tag != DT_NULL; d++) {
        const char *name = d->d_tag == DT_NEEDED ? strings + d->d_un.d_val : "ld-linux";
        for (const struct link_map *l = of_the_system(name) ? NULL : all; l; l = l->l_next) {
            if (!strcmp(base_name(l->l_name), name) && add(files, l->l_name)) {
                add_needed(files, all, l);
            }
        }
    }
}

ty_status tyb_fmi_files_library(tyb_fmi_files *files, const char *path, ty_diag *diag)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    struct link_map *of = NULL;
    if (!handle || dlinfo(handle, RTLD_DI_LINKMAP, &of)) {
        return ty_fail(diag, TY_ERR_FILE, "%s: cannot be loaded: %s", path, dlerror());
    }
    const struct link_map *all = of;
    while (all->l_prev) {
        all = all->l_prev;
    }
    add_needed(files, all, of);
    dlclose(handle);
    return files->failed ? ty_fail(diag, TY_ERR_MEMORY, "no memory for a list of libraries") : TY_OK;
}
