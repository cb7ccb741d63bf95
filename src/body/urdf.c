/* src/body/urdf.c - see urdf.h
 *
 * URDF has no free body: a root link is welded to the world by its readers, MuJoCo's too, unless it
 * hangs on a link named "world" by a joint of type floating. Both are added to the text here, just
 * before its end, so that line numbers in messages stay those of the file.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "urdf.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "core/core.h"

#define MOST_BYTES ((size_t)16 << 20)
#define SPACE      " \t\r\n"

bool tyi_body_urdf_is(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && !strcasecmp(dot, ".urdf");
}

/* comments become blanks, line ends stay */
static bool blank_comments(char *text)
{
    for (char *at = text; (at = strstr(at, "<!--"));) {
        char *end = strstr(at + 4, "-->");
        if (!end) {
            return false;
        }
        for (end += 3; at < end; at++) {
            *at = *at == '\n' ? '\n' : ' ';
        }
    }
    return true;
}

/* the value of a tag's attribute and its length; NULL: it has none */
static const char *value_of(const char *tag, const char *attribute, size_t *size)
{
    size_t length = strlen(attribute);
    const char *end = tag + strcspn(tag, ">");
    for (const char *at = tag; (at = strstr(at, attribute)) && at < end; at += length) {
        const char *v = at + length + strspn(at + length, SPACE);
        if (!strchr(SPACE, at[-1]) || *v != '=') {
            continue;
        }
        v++;
        v += strspn(v, SPACE);
        if (*v == '"' || *v == '\'') {
            *size = strcspn(v + 1, *v == '"' ? "\"" : "'");
            return v + 1;
        }
    }
    return NULL;
}

/* the next tag <name ...> from `at` on; NULL: none */
static const char *next(const char *at, const char *name)
{
    size_t length = strlen(name);
    for (; (at = strchr(at, '<')); at++) {
        if (!strncmp(at + 1, name, length) && at[1 + length] && strchr(SPACE, at[1 + length])) {
            return at;
        }
    }
    return NULL;
}

/* whether there is an element <name attribute="value"> */
static bool find(const char *text, const char *name, const char *attribute, const char *value)
{
    for (const char *at = text; (at = next(at, name)); at++) {
        size_t size;
        const char *v = value_of(at, attribute, &size);
        if (v && size == strlen(value) && !strncmp(v, value, size)) {
            return true;
        }
    }
    return false;
}

/* MuJoCo's reader runs into nowhere at a type that it does not know */
static ty_status check_joints(const char *path, const char *text, ty_diag *diag)
{
    static const char *const types[] = { "revolute", "continuous", "prismatic", "fixed", "floating", "planar" };
    for (const char *at = text; (at = next(at, "joint")); at++) {
        size_t size = 0, name_size = 0;
        const char *type = value_of(at, "type", &size), *name = value_of(at, "name", &name_size);
        bool known = !type;
        for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
            known = known || (size == strlen(types[k]) && !strncmp(type, types[k], size));
        }
        if (!known) {
            char shown[2][80], value[2][80];
            snprintf(value[0], sizeof value[0], "%.*s", name ? (int)(name_size < 60 ? name_size : 60) : 0,
                     name ? name : "");
            snprintf(value[1], sizeof value[1], "%.*s", (int)(size < 60 ? size : 60), type);
            return ty_fail(
                diag, TY_ERR_FORMAT,
                "%s: the type of joint '%s' is '%s', but revolute, continuous, prismatic, fixed, floating and "
                "planar are accepted",
                path, tyi_io_doc_show(value[0], shown[0], sizeof shown[0]),
                tyi_io_doc_show(value[1], shown[1], sizeof shown[1]));
        }
    }
    return TY_OK;
}

/* where "</robot>" starts: the last one */
static char *end_of(char *text)
{
    char *last = NULL;
    for (char *at = text; (at = strstr(at, "</robot")); at++) {
        last = at;
    }
    return last;
}

static ty_status add(const char *path, const char *root, const ty_alloc *alloc, char *text, tyi_io_bytes *out,
                     ty_diag *diag)
{
    char *end = blank_comments(text) ? end_of(text) : NULL;
    if (!end) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s: is no URDF file: its <robot> element does not end", path);
    }
    if (!find(text, "link", "name", root)) {
        return ty_fail(diag, TY_ERR_INPUT, "%s: has no link '%s', which the rover's file names as its body", path,
                       root);
    }
    ty_status status = check_joints(path, text, diag);
    if (status != TY_OK) {
        return status;
    }
    bool child = find(text, "child", "link", root);
    out->capacity = strlen(text) + strlen(root) + 400;
    out->data = tyi_get(alloc, out->capacity);
    if (!out->data) {
        return ty_fail(diag, TY_ERR_MEMORY, "%s: there is no memory left to read it", path);
    }
    int head =
        snprintf(out->data, out->capacity, "%.*s%s%s", (int)(end - text), text,
                 strstr(text, "<mujoco")
                     ? ""
                     : "<mujoco><compiler fusestatic=\"false\" discardvisual=\"false\" strippath=\"false\"/></mujoco>",
                 child || find(text, "link", "name", "world") ? "" : "<link name=\"world\"/>");
    if (!child) {
        head += snprintf(out->data + head, out->capacity - (size_t)head,
                         "<joint name=\"tycho_free\" type=\"floating\"><parent link=\"world\"/>"
                         "<child link=\"%s\"/></joint>",
                         root);
    }
    out->size = (size_t)head + (size_t)snprintf(out->data + head, out->capacity - (size_t)head, "%s", end);
    return TY_OK;
}

/* the file's text with a zero at its end; to be freed: tyi_put(alloc, data, capacity) */
static ty_status read_text(const char *path, const ty_alloc *alloc, tyi_io_bytes *out, ty_diag *diag)
{
    tyi_io_bytes file;
    *out = (tyi_io_bytes){ 0 };
    ty_status status = tyi_io_file_read(path, MOST_BYTES, alloc, &file, diag);
    if (status != TY_OK) {
        return status;
    }
    out->data = tyi_get(alloc, file.size + 1);
    out->size = file.size, out->capacity = file.size + 1;
    if (!out->data) {
        status = ty_fail(diag, TY_ERR_MEMORY, "%s: there is no memory left to read it", path);
    } else if (memchr(file.data, 0, file.size)) {
        status = ty_fail(diag, TY_ERR_FORMAT, "%s: is no URDF file: it holds a zero byte", path);
    } else {
        memcpy(out->data, file.data, file.size);
    }
    tyi_put(alloc, file.data, file.capacity);
    return status;
}

ty_status tyi_body_urdf_read(const char *path, const char *root, const ty_alloc *alloc, tyi_io_bytes *out,
                             ty_diag *diag)
{
    tyi_io_bytes text;
    *out = (tyi_io_bytes){ 0 };
    if (!root[0] || strpbrk(root, "<>&\"'")) {
        return ty_fail(diag, TY_ERR_INPUT, "%s: the body that the rover's file names is no name of a link", path);
    }
    ty_status status = read_text(path, alloc, &text, diag);
    if (status == TY_OK) {
        status = add(path, root, alloc, text.data, out, diag);
    }
    tyi_put(alloc, text.data, text.capacity);
    return status;
}

ty_status tyi_body_urdf_root(const char *path, const ty_alloc *alloc, char root[TY_NAME_MAX], ty_diag *diag)
{
    tyi_io_bytes text;
    root[0] = '\0';
    ty_status status = read_text(path, alloc, &text, diag);
    if (status == TY_OK && blank_comments(text.data)) {
        for (const char *at = text.data; !root[0] && (at = next(at, "link")); at++) {
            size_t size;
            const char *name = value_of(at, "name", &size);
            if (name && size > 0 && size < TY_NAME_MAX) {
                memcpy(root, name, size);
                root[size] = '\0';
                root[0] = find(text.data, "child", "link", root) ? '\0' : root[0];
            }
        }
    }
    tyi_put(alloc, text.data, text.capacity);
    return status == TY_OK && !root[0]
               ? ty_fail(diag, TY_ERR_FORMAT, "%s: has no link that is not a joint's child", path)
               : status;
}
