/* Records of a flat scene have one layout on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_scene.h"

PARITY_TO(sizes, (0, 1), (0, 0, 1),
          return i % 10u == 0   ? sizeof(ty_k_scene_head)
                 : i % 10u == 1 ? sizeof(ty_k_scene_material)
                 : i % 10u == 2 ? sizeof(ty_k_scene_mesh)
                 : i % 10u == 3 ? sizeof(ty_k_scene_instance)
                 : i % 10u == 4 ? sizeof(ty_k_scene_texture)
                 : i % 10u == 5 ? sizeof(ty_k_scene_map)
                 : i % 10u == 6 ? sizeof(ty_k_scene_region)
                 : i % 10u == 7 ? sizeof(ty_k_scene_light)
                 : i % 10u == 8 ? sizeof(ty_k_scene_star)
                                : sizeof(ty_k_scene_tile);)
PARITY_FILE(k_scene)
