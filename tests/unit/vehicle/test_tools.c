/* Implements of a rover's file: what they are, where they are, and that soil without particles does not meet them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "ground.h"
#include "tyt.h"

TY_TEST(tools, drums_of_rassor)
{
    tyt_ground g;
    tyt_ground_flat(&g);
    ty_vehicle_def def = tyt_vehicle_def(&g, "rassor", TY_SOIL_BEKKER);
    ty_vehicle *v = tyt_vehicle(&def);
    ty_tool_view tool[TY_TOOLS_MAX];
    tyt_run(v, 0.5);
    TY_CHECK(ty_vehicle_tools(v, NULL) == 2 && ty_vehicle_tools(v, tool) == 2);
    TY_CHECK(!strcmp(tool[0].name, "front_drum") && !strcmp(tool[1].name, "rear_drum"));
    for (int k = 0; k < 2; k++) {
        ty_pose at = ty_vehicle_body_pose(v, ty_vehicle_find_body(v, k ? "drum_rear" : "drum_front"), NULL, NULL);
        ty_vec3 axis = ty_rotate(tool[k].pose.q, ty_vec3_make(0, 1, 0)), own = ty_rotate(at.q, ty_vec3_make(0, 1, 0));
        TY_NEAR(ty_norm(ty_sub(tool[k].pose.p, at.p)), 0.0, 1e-12);
        TY_NEAR(ty_dot(axis, own), k ? 1.0 : -1.0, 1e-12); /* they dig turning against each other */
        TY_CHECK(tool[k].carried == 0.0 && tool[k].work == 0.0 && ty_norm(tool[k].force_W) == 0.0);
    }
    ty_vehicle_destroy(v);
    tyt_ground_free(&g);
}
