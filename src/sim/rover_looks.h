/* src/sim/rover_looks.h - what a rover looks like in a scene: its shapes as meshes that follow its bodies.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SIM_LOOKS_H
#define TYI_SIM_LOOKS_H
#include "tycho/render.h"
#include "tycho/vehicle.h"

#define TYI_SIM_NO_LOOK 0u
typedef struct tyi_sim_looks {
    uint32_t *id; /* of each shape's object in the scene; TYI_SIM_NO_LOOK: none */
    int shapes;
} tyi_sim_looks;

ty_status tyi_sim_looks_add(tyi_sim_looks *looks, const ty_vehicle *vehicle, ty_scene *scene, ty_diag *diag);
/* start, end: poses in W of the vehicle's bodies when a window opens and closes */
ty_status tyi_sim_looks_move(const tyi_sim_looks *looks, const ty_vehicle *vehicle, const ty_pose *start,
                             const ty_pose *end, ty_scene *scene, ty_diag *diag);
/* one shape by itself, and an object that moves from one pose to another over a window */
ty_status tyi_sim_looks_shape(const ty_body_shape *shape, ty_render_class kind, ty_scene *scene, uint32_t *id,
                              ty_diag *diag);
ty_status tyi_sim_looks_place(ty_scene *scene, uint32_t id, ty_pose start, ty_pose end, ty_diag *diag);
ty_status tyi_sim_looks_hide(const tyi_sim_looks *looks, ty_scene *scene, bool hidden, ty_diag *diag);
void tyi_sim_looks_free(tyi_sim_looks *looks);

#endif
