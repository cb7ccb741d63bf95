/* src/body/urdf.c - see urdf.h
 *
 * The file's text is kept and changed in places, so that line numbers in the library's messages stay those of the file:
 * what is cut leaves its line ends.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/inner.h"
#include "urdf.h"
#include <fnmatch.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include "urdf_xml.h"

#define MOST_BYTES ((size_t)16 << 20)
#define ROBOT      0 /* the root element */

/* a place of the text: `cut` bytes go, `put` comes */
typedef struct edit {
    size_t at, cut;
    const char *put;
} edit;

typedef struct joint {
    int element;
    const char *name, *type, *parent, *child;
    ty_pose pose; /* of the child in its parent */
    bool fixed, dropped;
} joint;

/* a file that is not there, and the links that name it */
typedef struct missing {
    const char *file;
    char links[200];
    bool known; /* its package is */
} missing;

typedef struct plan {
    const tyi_body_urdf_def *def;
    tyi_body_urdf *out;
    tyi_body_ros ros;
    tyi_body_xml xml;
    edit *edit;
    size_t edits;
    joint *joint;
    int joints;
    missing missing[16];
    size_t missings, more; /* more: files that are not listed */
    ty_diag *diag;
} plan;

bool tyi_body_urdf_is(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (!strcasecmp(dot, ".urdf") || !strcasecmp(dot, ".xacro"));
}

static bool is_xacro(const char *path)
{
    return !strcasecmp(strrchr(path, '.'), ".xacro");
}

static ty_status no_memory(const plan *p)
{
    return ty_fail(p->diag, TY_ERR_MEMORY, "%s: there is no memory left to read it", p->def->path);
}

static const char *text_of(plan *p, const char *format, ...) TY_PRINTF(2, 3);
static const char *text_of(plan *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = tyi_arena_get(&p->out->memory, (size_t)n + 1);
    if (text) {
        va_start(args, format);
        vsnprintf(text, (size_t)n + 1, format, args);
        va_end(args);
    }
    return text;
}

/* an attribute's value; NULL: there is none (or no memory for it, which is met again) */
static const char *value(plan *p, int element, const char *attribute)
{
    char text[TYI_BODY_XML_VALUE];
    return element >= 0 && tyi_body_xml_value(&p->xml, element, attribute, text, sizeof text, NULL, NULL)
               ? text_of(p, "%s", text)
               : NULL;
}

static bool change(plan *p, size_t at, size_t cut, const char *put)
{
    p->edit[p->edits++] = (edit){ at, cut, put };
    return put != NULL;
}

static bool cut_element(plan *p, int element)
{
    const tyi_body_xml_element *e = &p->xml.element[element];
    return change(p, e->start, e->end - e->start, "");
}

/* a name as it may stand in a message */
static const char *show(plan *p, const char *name)
{
    char shown[300];
    const char *text = text_of(p, "%s", tyi_io_doc_show(name ? name : "", shown, sizeof shown));
    return text ? text : "";
}

static int find_joint_to(const plan *p, const char *child)
{
    for (int i = 0; i < p->joints; i++) {
        if (!p->joint[i].dropped && !strcmp(p->joint[i].child, child)) {
            return i;
        }
    }
    return -1;
}

static int find_link(plan *p, const char *name)
{
    for (int i = tyi_body_xml_child(&p->xml, ROBOT, "link", -1); i >= 0;
         i = tyi_body_xml_child(&p->xml, ROBOT, "link", p->xml.element[i].after)) {
        char text[TYI_BODY_XML_VALUE];
        if (tyi_body_xml_value(&p->xml, i, "name", text, sizeof text, NULL, NULL) && !strcmp(text, name)) {
            return i;
        }
    }
    return -1;
}

/* ---- places ---- */

static ty_quat from_rpy(const double *rpy)
{
    ty_quat roll = ty_quat_axis(ty_vec3_make(1.0, 0.0, 0.0), rpy[0]);
    ty_quat pitch = ty_quat_axis(ty_vec3_make(0.0, 1.0, 0.0), rpy[1]);
    ty_quat yaw = ty_quat_axis(ty_vec3_make(0.0, 0.0, 1.0), rpy[2]);
    return ty_quat_mul(yaw, ty_quat_mul(pitch, roll));
}

static ty_pose origin_of(const plan *p, int element)
{
    double xyz[3] = { 0 }, rpy[3] = { 0 };
    int origin = tyi_body_xml_child(&p->xml, element, "origin", -1);
    if (origin >= 0) {
        tyi_body_xml_numbers(&p->xml, origin, "xyz", 3, xyz);
        tyi_body_xml_numbers(&p->xml, origin, "rpy", 3, rpy);
    }
    return (ty_pose){ ty_vec3_make(xyz[0], xyz[1], xyz[2]), from_rpy(rpy) };
}

/* ---- reading ---- */

/* the file's text with a zero at its end, in the arena */
static ty_status read_text(plan *p, char **text)
{
    tyi_io_bytes file;
    bool xacro = is_xacro(p->def->path);
    ty_status status = xacro ? tyi_body_ros_xacro(&p->ros, &file, p->diag)
                             : tyi_io_file_read(p->def->path, MOST_BYTES, p->def->alloc, &file, p->diag);
    if (status != TY_OK) {
        return status;
    }
    *text = tyi_arena_get(&p->out->memory, file.size + 1);
    if (!*text) {
        status = no_memory(p);
    } else if (memchr(file.data, 0, file.size)) {
        status = ty_fail(p->diag, TY_ERR_FORMAT, "%s: is no URDF file: it holds a zero byte", p->def->path);
    } else {
        memcpy(*text, file.data, file.size);
    }
    tyi_put(p->def->alloc, file.data, file.capacity);
    return status;
}

/* MuJoCo's reader runs into nowhere at a type that it does not know */
static ty_status check_type(plan *p, const joint *j)
{
    static const char *const types[] = { "revolute", "continuous", "prismatic", "fixed", "floating", "planar" };
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        if (!strcmp(j->type, types[k])) {
            return TY_OK;
        }
    }
    return ty_fail(
        p->diag, TY_ERR_FORMAT,
        "%s: the type of joint '%s' is '%s', but revolute, continuous, prismatic, fixed, floating and planar are "
        "accepted",
        p->def->path, show(p, j->name), show(p, j->type));
}

static ty_status read_joints(plan *p)
{
    p->joint = tyi_arena_get(&p->out->memory, ((size_t)p->xml.elements + 1) * sizeof *p->joint);
    if (!p->joint) {
        return no_memory(p);
    }
    for (int i = tyi_body_xml_child(&p->xml, ROBOT, "joint", -1); i >= 0;
         i = tyi_body_xml_child(&p->xml, ROBOT, "joint", p->xml.element[i].after)) {
        joint *j = &p->joint[p->joints];
        *j = (joint){ .element = i, .name = value(p, i, "name"), .type = value(p, i, "type") };
        j->parent = value(p, tyi_body_xml_child(&p->xml, i, "parent", -1), "link");
        j->child = value(p, tyi_body_xml_child(&p->xml, i, "child", -1), "link");
        if (!j->name || !j->type || !j->parent || !j->child) {
            return ty_fail(p->diag, TY_ERR_FORMAT, "%s:%d: joint '%s' has no %s", p->def->path,
                           tyi_body_xml_line(&p->xml, i), show(p, j->name),
                           !j->name     ? "name"
                           : !j->type   ? "type"
                           : !j->parent ? "<parent link>"
                                        : "<child link>");
        }
        ty_status status = check_type(p, j);
        if (status != TY_OK) {
            return status;
        }
        j->fixed = !strcmp(j->type, "fixed");
        j->pose = origin_of(p, i);
        p->joints++;
    }
    return TY_OK;
}

static ty_status find_root(plan *p)
{
    char *root = p->out->root;
    snprintf(root, sizeof p->out->root, "%s", p->def->root ? p->def->root : "");
    if (root[0]) {
        if (strpbrk(root, "<>&\"'")) {
            return ty_fail(p->diag, TY_ERR_INPUT, "%s: the body that the rover's file names is no name of a link",
                           p->def->path);
        }
        return find_link(p, root) >= 0
                   ? TY_OK
                   : ty_fail(p->diag, TY_ERR_INPUT, "%s: has no link '%s', which the rover's file names as its body",
                             p->def->path, root);
    }
    for (int i = tyi_body_xml_child(&p->xml, ROBOT, "link", -1); i >= 0;
         i = tyi_body_xml_child(&p->xml, ROBOT, "link", p->xml.element[i].after)) {
        const char *name = value(p, i, "name");
        if (name && name[0] && strlen(name) < TY_NAME_MAX && strcmp(name, "world") != 0) {
            int up = find_joint_to(p, name);
            if (up < 0 || !strcmp(p->joint[up].parent, "world")) {
                strcpy(root, name);
                return TY_OK;
            }
        }
    }
    return ty_fail(p->diag, TY_ERR_FORMAT, "%s: has no link that is not a joint's child", p->def->path);
}

/* ---- the tree ---- */

/* the fixed joint of a link turned round, so that its parent hangs on it */
static bool turn_round(plan *p, joint *j)
{
    const tyi_body_xml_element *e = &p->xml.element[j->element];
    ty_quat back = ty_quat_conj(j->pose.q);
    ty_vec3 xyz = ty_scale(-1.0, ty_rotate(back, j->pose.p));
    double rpy[3];
    tyi_quat_rpy(back, rpy);
    j->pose = (ty_pose){ xyz, back };
    const char *up = j->parent;
    j->parent = j->child, j->child = up;
    return change(
        p, e->start, e->end - e->start,
        text_of(p,
                "<joint name=\"%s\" type=\"fixed\"><origin xyz=\"%.17g %.17g %.17g\" rpy=\"%.17g %.17g %.17g\"/>"
                "<parent link=\"%s\"/><child link=\"%s\"/></joint>",
                j->name, xyz.x, xyz.y, xyz.z, rpy[0], rpy[1], rpy[2], j->parent, j->child));
}

/* Fixed joints above the root are turned round. false in *done: the file has it on a floating joint already. */
static ty_status raise(plan *p, bool *floats)
{
    int chain[64], count = 0;
    const char *link = p->out->root;
    *floats = false;
    for (int up; (up = find_joint_to(p, link)) >= 0;) {
        joint *j = &p->joint[up];
        if (!strcmp(j->parent, "world")) {
            *floats = count == 0 && !j->fixed;
            if (!*floats) { /* the world holds it: it is let go */
                j->dropped = true;
                if (!cut_element(p, j->element)) {
                    return no_memory(p);
                }
            }
            break;
        }
        if (!j->fixed) {
            return ty_fail(
                p->diag, TY_ERR_INPUT,
                "%s: link '%s', which the rover's file names as its body, hangs on '%s' by the joint '%s', which "
                "moves; the body must be the root, or fixed to it",
                p->def->path, p->out->root, show(p, j->parent), show(p, j->name));
        }
        if (count == 64 || !strcmp(j->parent, p->out->root)) {
            return ty_fail(p->diag, TY_ERR_FORMAT,
                           "%s: not a model that MuJoCo takes (links hang on each other in a ring)", p->def->path);
        }
        chain[count++] = up;
        link = j->parent;
    }
    for (int i = 0; i < count; i++) {
        if (!turn_round(p, &p->joint[chain[i]])) {
            return no_memory(p);
        }
    }
    return TY_OK;
}

static bool is_driven(const plan *p, const char *name)
{
    for (size_t i = 0; i < p->def->drivens; i++) {
        if (!strcmp(p->def->driven[i], name)) {
            return true;
        }
    }
    return false;
}

/* joints that the rover's file holds become fixed */
static ty_status hold(plan *p)
{
    for (size_t i = 0; i < p->def->holds; i++) {
        const char *pattern = p->def->hold[i];
        int found = 0;
        for (int k = 0; k < p->joints; k++) {
            joint *j = &p->joint[k];
            size_t at, length;
            char type[40];
            bool wanted =
                !fnmatch(pattern, j->name, 0) && strcmp(j->type, "fixed") != 0 && strcmp(j->type, "floating") != 0;
            if (wanted && is_driven(p, j->name)) {
                if (!strcmp(pattern, j->name)) {
                    return ty_fail(
                        p->diag, TY_ERR_INPUT,
                        "%s: the rover's file holds the joint '%s' and gives it a wheel or a motor; it takes one "
                        "of both",
                        p->def->path, show(p, j->name));
                }
                continue;
            }
            found += wanted;
            if (wanted && !j->fixed &&
                tyi_body_xml_value(&p->xml, j->element, "type", type, sizeof type, &at, &length)) {
                j->fixed = true;
                change(p, at, length, "fixed");
            }
        }
        if (!found) {
            return ty_fail(p->diag, TY_ERR_INPUT,
                           "%s: has no moving joint '%s', which `hold` of the rover's file names", p->def->path,
                           show(p, pattern));
        }
    }
    return TY_OK;
}

/* the <inertial> of a link; -1: it has none with a mass */
static int inertial_of(const plan *p, int link)
{
    double mass = 0.0;
    int inertial = tyi_body_xml_child(&p->xml, link, "inertial", -1);
    int weight = inertial >= 0 ? tyi_body_xml_child(&p->xml, inertial, "mass", -1) : -1;
    return weight >= 0 && tyi_body_xml_numbers(&p->xml, weight, "value", 1, &mass) && mass != 0.0 ? inertial : -1;
}

/* the <inertial> of a link or of the first that is fixed to it and has a mass; pose: of that link in the first */
static int heavy_with(plan *p, const char *name, int depth, ty_pose *pose)
{
    int link = find_link(p, name), found = link >= 0 ? inertial_of(p, link) : -1;
    for (int i = 0; i < p->joints && depth < 64 && found < 0; i++) {
        const joint *j = &p->joint[i];
        if (j->fixed && !j->dropped && !strcmp(j->parent, name)) {
            found = heavy_with(p, j->child, depth + 1, pose);
            *pose = found >= 0 ? ty_pose_mul(j->pose, *pose) : *pose;
        }
    }
    return found;
}

static const char *copy_of(plan *p, int element)
{
    const tyi_body_xml_element *e = &p->xml.element[element];
    return element < 0 ? "" : text_of(p, "%.*s", (int)(e->end - e->start), p->xml.text + e->start);
}

/* A link that moves, or the root, and has no mass takes that of what is fixed to it, in the same place: nothing moves
 * otherwise for it, and MuJoCo takes no massless moving body. */
static ty_status give_mass(plan *p, const char *name, const char *turns_on)
{
    int link = find_link(p, name);
    ty_pose pose = { { 0.0, 0.0, 0.0 }, ty_quat_identity() };
    if (link < 0 || inertial_of(p, link) >= 0) {
        return TY_OK;
    }
    int inertial = heavy_with(p, name, 0, &pose);
    if (inertial < 0) {
        return ty_fail(p->diag, TY_ERR_INPUT,
                       "%s: link '%s' %s%s%s, but neither it nor what is fixed to it has an <inertial> with a mass",
                       p->def->path, show(p, name), turns_on ? "moves on the joint '" : "is the rover's body",
                       turns_on ? show(p, turns_on) : "", turns_on ? "'" : "");
    }
    const tyi_body_xml_element *e = &p->xml.element[link];
    int own = tyi_body_xml_child(&p->xml, link, "inertial", -1);
    double rpy[3];
    pose = ty_pose_mul(pose, origin_of(p, inertial));
    tyi_quat_rpy(pose.q, rpy);
    const char *mass = copy_of(p, tyi_body_xml_child(&p->xml, inertial, "mass", -1)),
               *inertia = copy_of(p, tyi_body_xml_child(&p->xml, inertial, "inertia", -1));
    if (!mass || !inertia) {
        return no_memory(p);
    }
    bool whole = e->inside == e->end; /* <link name="x"/> */
    const char *put =
        text_of(p, "%s%s%s<inertial><origin xyz=\"%.17g %.17g %.17g\" rpy=\"%.17g %.17g %.17g\"/>%s%s</inertial>%s",
                whole ? "<link name=\"" : "", whole ? name : "", whole ? "\">" : "", pose.p.x, pose.p.y, pose.p.z,
                rpy[0], rpy[1], rpy[2], mass, inertia, whole ? "</link>" : "");
    bool done = change(p, whole ? e->start : e->inside, whole ? e->end - e->start : 0, put) && cut_element(p, inertial);
    return done && (own < 0 || cut_element(p, own)) ? TY_OK : no_memory(p);
}

static ty_status give_masses(plan *p)
{
    ty_status status = give_mass(p, p->out->root, NULL);
    for (int i = 0; i < p->joints && status == TY_OK; i++) {
        const joint *j = &p->joint[i];
        if (!j->fixed && !j->dropped && strcmp(j->child, p->out->root) != 0) {
            status = give_mass(p, j->child, j->name);
        }
    }
    return status;
}

static void note_mimics(plan *p)
{
    for (int i = 0; i < p->joints; i++) {
        int mimic = tyi_body_xml_child(&p->xml, p->joint[i].element, "mimic", -1);
        if (mimic >= 0 && !p->joint[i].fixed) {
            tyi_io_say(p->out->notes, sizeof p->out->notes,
                       "joint %s mimics %s in the file; here it moves freely unless it is held or has a motor\n",
                       show(p, p->joint[i].name), show(p, value(p, mimic, "joint")));
        }
    }
}

/* ---- looks ---- */

/* the colour of a visual: its own, or that of the material it names */
static void color_of(plan *p, int visual, float rgba[4])
{
    double c[4] = { 0.6, 0.6, 0.6, 1.0 };
    int material = tyi_body_xml_child(&p->xml, visual, "material", -1);
    int color = material >= 0 ? tyi_body_xml_child(&p->xml, material, "color", -1) : -1;
    const char *name = value(p, material, "name");
    for (int i = color < 0 && name ? tyi_body_xml_child(&p->xml, ROBOT, "material", -1) : -1; i >= 0 && color < 0;
         i = tyi_body_xml_child(&p->xml, ROBOT, "material", p->xml.element[i].after)) {
        const char *other = value(p, i, "name");
        color = other && !strcmp(other, name) ? tyi_body_xml_child(&p->xml, i, "color", -1) : -1;
    }
    if (color >= 0) {
        tyi_body_xml_numbers(&p->xml, color, "rgba", 4, c);
    }
    for (int k = 0; k < 4; k++) {
        rgba[k] = (float)fmin(fmax(c[k], 0.0), 1.0);
    }
}

static int mesh_of(const plan *p, int shape)
{
    int geometry = tyi_body_xml_child(&p->xml, shape, "geometry", -1);
    return geometry >= 0 ? tyi_body_xml_child(&p->xml, geometry, "mesh", -1) : -1;
}

static void miss(plan *p, const char *file, const char *link, bool known)
{
    size_t i = 0;
    while (i < p->missings && strcmp(p->missing[i].file, file) != 0) {
        i++;
    }
    if (i == sizeof p->missing / sizeof p->missing[0]) {
        p->more++;
        return;
    }
    if (i == p->missings) {
        p->missing[p->missings++] = (missing){ .file = file, .known = known };
    }
    tyi_io_say(p->missing[i].links, sizeof p->missing[i].links, "%s%s", p->missing[i].links[0] ? ", " : "", link);
}

static void note_missing(plan *p)
{
    char *out = p->out->notes;
    size_t size = sizeof p->out->notes;
    for (size_t i = 0; i < p->missings; i++) {
        const missing *m = &p->missing[i];
        tyi_io_say(out, size, "mesh %s is not there%s; named by %s\n", m->file,
                   m->known ? "" : ": its package is neither in `packages` nor in ROS_PACKAGE_PATH", m->links);
    }
    if (p->more) {
        tyi_io_say(out, size, "%zu more meshes are not there\n", p->more);
    }
    if (p->missings) {
        tyi_io_say(out, size, "links without their meshes look like their collision shapes, or like nothing\n");
    }
}

/* one file named by a <visual> or <collision>; a missing one is a note */
static bool add_look(plan *p, int link, int shape, bool tell)
{
    char path[TYI_BODY_XML_VALUE];
    int mesh = mesh_of(p, shape);
    double scale[3] = { 1.0, 1.0, 1.0 };
    const char *uri = value(p, mesh, "filename"), *name = value(p, link, "name");
    bool known = uri && tyi_body_ros_path(&p->ros, uri, path, sizeof path);
    if (!name || strlen(name) >= TY_NAME_MAX) {
        return true;
    }
    if (!known || access(path, R_OK)) {
        if (tell) {
            miss(p, show(p, known ? path : uri), show(p, name), known || !uri);
        }
        return true;
    }
    tyi_body_xml_numbers(&p->xml, mesh, "scale", 3, scale);
    tyi_body_urdf_look *look = &p->out->look[p->out->looks++];
    *look = (tyi_body_urdf_look){ .file = text_of(p, "%s", path),
                                  .pose = origin_of(p, shape),
                                  .scale = ty_vec3_make(scale[0], scale[1], scale[2]) };
    snprintf(look->link, sizeof look->link, "%s", name);
    color_of(p, shape, look->rgba);
    return look->file;
}

/* files of one kind of shape of a link; these elements go */
static bool take_shapes(plan *p, int link, const char *kind, bool show_them, bool tell)
{
    bool done = true;
    for (int i = tyi_body_xml_child(&p->xml, link, kind, -1); i >= 0 && done;
         i = tyi_body_xml_child(&p->xml, link, kind, p->xml.element[i].after)) {
        if (mesh_of(p, i) >= 0) {
            done = cut_element(p, i) && (!show_them || add_look(p, link, i, tell));
        }
    }
    return done;
}

static bool has_plain_visual(const plan *p, int link)
{
    for (int i = tyi_body_xml_child(&p->xml, link, "visual", -1); i >= 0;
         i = tyi_body_xml_child(&p->xml, link, "visual", p->xml.element[i].after)) {
        if (mesh_of(p, i) < 0) {
            return true;
        }
    }
    return false;
}

/* A link whose visual files are all missing looks like its collision files. */
static ty_status take_looks(plan *p)
{
    p->out->look = tyi_arena_get(&p->out->memory, ((size_t)p->xml.elements + 1) * sizeof *p->out->look);
    bool done = p->out->look;
    for (int i = tyi_body_xml_child(&p->xml, ROBOT, "link", -1); i >= 0 && done;
         i = tyi_body_xml_child(&p->xml, ROBOT, "link", p->xml.element[i].after)) {
        size_t before = p->out->looks;
        done = take_shapes(p, i, "visual", true, true) &&
               take_shapes(p, i, "collision", p->out->looks == before && !has_plain_visual(p, i), false);
    }
    return done ? TY_OK : no_memory(p);
}

/* ---- writing ---- */

/* what other programs keep in the file */
static bool cut_others(plan *p)
{
    static const char *const ours[] = { "link", "joint", "material", "mujoco" };
    bool done = true;
    for (int i = tyi_body_xml_child(&p->xml, ROBOT, NULL, -1); i >= 0 && done;
         i = tyi_body_xml_child(&p->xml, ROBOT, NULL, p->xml.element[i].after)) {
        size_t k = 0;
        while (k < 4 && !tyi_body_xml_is(&p->xml, i, ours[k])) {
            k++;
        }
        done = k < 4 || cut_element(p, i);
    }
    int world = find_link(p, "world"); /* ours is added */
    return done && (world < 0 || cut_element(p, world));
}

static int by_place(const void *a, const void *b)
{
    const edit *x = a, *y = b;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* edits inside one that is cut as a whole are passed over */
static ty_status write_text(plan *p)
{
    const char *text = p->xml.text;
    size_t size = strlen(text) + 1, from = 0, used = 0;
    qsort(p->edit, p->edits, sizeof *p->edit, by_place);
    for (size_t i = 0; i < p->edits; i++) {
        size += p->edit[i].put ? strlen(p->edit[i].put) : 0;
    }
    char *out = tyi_arena_get(&p->out->memory, size);
    if (!out) {
        return no_memory(p);
    }
    for (size_t i = 0; i < p->edits; i++) {
        const edit *e = &p->edit[i];
        if (e->at < from) {
            continue;
        }
        memcpy(out + used, text + from, e->at - from);
        used += e->at - from;
        for (size_t k = 0; e->cut > 40 && k < e->cut; k++) {
            if (text[e->at + k] == '\n') {
                out[used++] = '\n';
            }
        }
        memcpy(out + used, e->put, strlen(e->put));
        used += strlen(e->put);
        from = e->at + e->cut;
    }
    strcpy(out + used, text + from);
    p->out->text = out;
    p->out->size = strlen(out);
    return TY_OK;
}

/* at the end, so that lines stay where they are */
static ty_status add_end(plan *p, bool floats)
{
    bool own = tyi_body_xml_child(&p->xml, ROBOT, "mujoco", -1) >= 0;
    const char *tail =
        text_of(p, "%s<link name=\"world\"/>%s%s%s",
                own ? ""
                    : "<mujoco><compiler fusestatic=\"false\" discardvisual=\"false\" strippath=\"false\" "
                      "inertiafromgeom=\"false\"/></mujoco>",
                floats ? "" : "<joint name=\"tycho_free\" type=\"floating\"><parent link=\"world\"/><child link=\"",
                floats ? "" : p->out->root, floats ? "" : "\"/></joint>");
    return change(p, p->xml.element[ROBOT].inside_end, 0, tail) ? TY_OK : no_memory(p);
}

static ty_status make(plan *p)
{
    char *text = NULL;
    bool floats = false;
    ty_status status = tyi_body_ros_init(p->def, &p->out->memory, &p->ros, p->diag);
    status = status == TY_OK ? read_text(p, &text) : status;
    status = status == TY_OK ? tyi_body_xml_read(p->def->path, text, &p->out->memory, &p->xml, p->diag) : status;
    if (status == TY_OK && (!tyi_body_xml_is(&p->xml, ROBOT, "robot") ||
                            p->xml.element[ROBOT].inside == p->xml.element[ROBOT].inside_end)) {
        return ty_fail(p->diag, TY_ERR_FORMAT, "%s: is no URDF file: it has no <robot> element with links",
                       p->def->path);
    }
    if (status == TY_OK) {
        p->edit = tyi_arena_get(&p->out->memory, (4 * (size_t)p->xml.elements + 8) * sizeof *p->edit);
        status = p->edit ? read_joints(p) : no_memory(p);
    }
    status = status == TY_OK ? find_root(p) : status;
    status = status == TY_OK ? hold(p) : status;
    status = status == TY_OK ? raise(p, &floats) : status;
    status = status == TY_OK ? give_masses(p) : status;
    status = status == TY_OK ? take_looks(p) : status;
    if (status == TY_OK) {
        note_missing(p);
        note_mimics(p);
        status = cut_others(p) ? add_end(p, floats) : no_memory(p);
    }
    return status == TY_OK ? write_text(p) : status;
}

ty_status tyi_body_urdf_make(const tyi_body_urdf_def *def, tyi_body_urdf *out, ty_diag *diag)
{
    *out = (tyi_body_urdf){ 0 };
    tyi_arena_init(&out->memory, def->alloc, 1 << 16);
    plan *p = tyi_get(def->alloc, sizeof *p);
    if (!p) {
        return ty_fail(diag, TY_ERR_MEMORY, "%s: there is no memory left to read it", def->path);
    }
    *p = (plan){ .def = def, .out = out, .diag = diag };
    ty_status status = make(p);
    tyi_put(def->alloc, p, sizeof *p);
    return status;
}

void tyi_body_urdf_free(tyi_body_urdf *urdf)
{
    tyi_arena_free(&urdf->memory);
    *urdf = (tyi_body_urdf){ 0 };
}
