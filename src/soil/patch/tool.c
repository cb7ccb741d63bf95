/* src/soil/patch/tool.c - implements: drums, blades, buckets as solids, and what they hold.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "patch.h"

static tyi_crm_part_shape plate(ty_vec3 at, double a, double b, double c)
{
    return (tyi_crm_part_shape){
        .shape = TYI_CRM_BOX, .a = 0.5 * a, .b = 0.5 * b, .c = 0.5 * c, .pose = { at, ty_quat_identity() }
    };
}

static size_t parts_of(const ty_soil_tool *t, tyi_crm_part_shape *part)
{
    double w = t->width, h = t->height, l = t->depth, s = t->sheet;
    if (t->kind == TY_TOOL_DRUM) {
        return tyi_crm_drum(t->radius, w, s, t->scoops, 0.75, part);
    }
    if (t->kind == TY_TOOL_BLADE) {
        part[0] = plate(ty_vec3_make(0.0, 0.0, 0.0), s, w, h);
        return 1;
    }
    part[0] = plate(ty_vec3_make(-0.5 * l, 0.0, 0.5 * s), l, w, s); /* floor, back, sides */
    part[1] = plate(ty_vec3_make(-l + 0.5 * s, 0.0, 0.5 * h), s, w, h);
    for (int k = 0; k < 2; k++) {
        part[2 + k] = plate(ty_vec3_make(-0.5 * l, (k ? 0.5 : -0.5) * (w - s), 0.5 * h), l, s, h);
    }
    return 4;
}

ty_status tyi_soil_tool_shape(const ty_soil_tool *tool, double spacing, const ty_alloc *alloc, tyi_crm_lattice *out,
                              ty_diag *diag)
{
    tyi_crm_part_shape part[TYI_CRM_DRUM_PARTS];
    size_t parts = parts_of(tool, part);
    return tyi_crm_lattice_parts(part, parts, 0.25 * spacing, 0.75 * spacing, alloc, out, diag);
}

_Static_assert((int)TYI_SOIL_TOOL_PARTS == (int)TYI_CRM_DRUM_PARTS, "a drum has the most");

size_t tyi_soil_tool_parts(const ty_soil_tool *tool, tyi_soil_tool_part out[TYI_SOIL_TOOL_PARTS])
{
    tyi_crm_part_shape part[TYI_CRM_DRUM_PARTS];
    size_t n = parts_of(tool, part);
    for (size_t i = 0; i < n; i++) {
        bool disc = part[i].shape == TYI_CRM_CYLINDER;
        out[i] = (tyi_soil_tool_part){ .pose = part[i].pose,
                                       .half = ty_vec3_make(part[i].a, part[i].b, part[i].c),
                                       .disc = disc };
    }
    return n;
}

bool tyi_soil_tool_holds(const ty_soil_tool *t, ty_vec3 x)
{
    if (t->kind == TY_TOOL_DRUM) {
        return hypot(x.x, x.z) < 0.95 * t->radius && fabs(x.y) < 0.5 * t->width;
    }
    return t->kind == TY_TOOL_BUCKET && x.x > -t->depth && x.x < 0.0 && fabs(x.y) < 0.5 * t->width && x.z > 0.0 &&
           x.z < t->height;
}
