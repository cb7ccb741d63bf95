/* src/body/urdf.h - a URDF file as ROS packages have it, made ready for the multibody library.
 *
 * URDF has no free body: a root link is welded to the world by its readers, MuJoCo's too, unless it hangs on a link named
 * "world" by a joint of type floating. Both are added. The link that is to be the rover's body becomes the root even where
 * fixed joints hang it on another one (base_link below base_footprint): these are turned round. Links without <inertial>
 * have no mass, whatever they look like. Shapes from files are not given to the library, which reads few of the formats;
 * they are listed here for whoever draws them.
 *
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_BODY_URDF_H
#define TYI_BODY_URDF_H
#include "io/document.h"
#include "tycho/body.h"

typedef char tyi_body_path[4096];
typedef char tyi_body_name[TY_NAME_MAX];
typedef char tyi_body_argument[256];

typedef struct tyi_body_urdf_def {
    const char *path;
    const char *root; /* the link that is the rover's body; "": the one that is no joint's child */
    tyi_body_path *package;
    size_t packages; /* folders of ROS packages, or folders that hold them */
    tyi_body_argument *argument;
    size_t arguments; /* name:=value, for xacro */
    tyi_body_name *hold;
    size_t holds; /* joints that do not move; * and ? stand for any letters */
    const char *const *driven;
    size_t drivens; /* joints that have a motor: no hold means them */
    const ty_alloc *alloc;
} tyi_body_urdf_def;

/* What a link looks like: a file and where it is in the link. */
typedef struct tyi_body_urdf_look {
    tyi_body_name link;
    const char *file;
    ty_pose pose;
    ty_vec3 scale; /* [m] per unit of the file, along its axes */
    float rgba[4];
} tyi_body_urdf_look;

typedef struct tyi_body_urdf {
    tyi_arena memory;
    const char *text; /* for the multibody library */
    size_t size;
    char root[TY_NAME_MAX];
    tyi_body_urdf_look *look;
    size_t looks;
    char notes[2000]; /* what was passed over, in lines; "": nothing */
} tyi_body_urdf;

/* Whether a model's path ends in .urdf or .xacro (any case). */
bool tyi_body_urdf_is(const char *path);

/* To be freed, also on failure. TY_ERR_FILE, TY_ERR_FORMAT, TY_ERR_INPUT, TY_ERR_MEMORY. */
ty_status tyi_body_urdf_make(const tyi_body_urdf_def *def, tyi_body_urdf *out, ty_diag *diag);
void tyi_body_urdf_free(tyi_body_urdf *urdf);

/* ---- urdf_ros.c ---- */

/* Where ROS packages are: those that the rover file names, those that the model lies in and beside, ROS_PACKAGE_PATH and
 * AMENT_PREFIX_PATH, in this order. */
typedef struct tyi_body_ros {
    const tyi_body_urdf_def *def;
    struct {
        const char *name, *folder;
    } package[64];
    const char *holder[64]; /* folders that hold packages by their names */
    size_t packages, holders;
} tyi_body_ros;
ty_status tyi_body_ros_init(const tyi_body_urdf_def *def, tyi_arena *memory, tyi_body_ros *out, ty_diag *diag);
/* The path of a mesh: package://NAME/..., model://NAME/..., file://..., or a path from the model's folder. false: its
 * package is not known, or the path is too long. */
bool tyi_body_ros_path(const tyi_body_ros *ros, const char *uri, char *out, size_t size);
/* The text that the program xacro makes of the model; its zero is counted in capacity. */
ty_status tyi_body_ros_xacro(const tyi_body_ros *ros, tyi_io_bytes *out, ty_diag *diag);

#endif
