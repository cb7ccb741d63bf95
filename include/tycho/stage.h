/* include/tycho/stage.h - the scene of a scenario: its ground and what that is made of, objects, lamps, Sun, Earth and
 * stars.
 *
 *     ty_stage_create(scenario, terrain, NULL, &stage, &diag);
 *     ty_stage_update(stage, &now, &diag);
 *     ty_render(ty_stage_scene(stage), &camera, &render, &buffers, &diag);
 *
 * Threads: as a scene. Statuses: what scene, model and raster return; sentences name the object, map or light.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_STAGE_H
#define TYCHO_STAGE_H
#include "tycho/tools/model.h"
#include "tycho/render.h"
#include "tycho/scenario.h"
#include "tycho/sky.h"
TY_BEGIN_DECLS

typedef struct ty_stage ty_stage;

/* def: detail, far, bands and threads of the scene, NULL: defaults; its terrain and materials are not used. The
 * scenario's lists and the terrain must outlive the stage. On success the caller owns *out. */
TY_API ty_status ty_stage_create(const ty_scenario *scenario, ty_terrain *terrain, const ty_scene_def *def,
                                 ty_stage **out, ty_diag *diag);
TY_API void ty_stage_destroy(ty_stage *stage); /* and its scene; NULL is allowed */
TY_API ty_scene *ty_stage_scene(ty_stage *stage);

typedef struct ty_stage_now {
    ty_utc utc;
    const ty_sky_view *view;  /* Sun and Earth; NULL: as the time has them */
    const double *band_share; /* [-] of the Sun's light in each band; NULL: all of it in each */
    /* Where a rover's body (mount false) or mount (true) is in W; part "" is its chassis. false: there is none. NULL:
     * what rides on rovers is left out of the lights and stands where it was. */
    bool (*find)(void *user, const char *rover, const char *part, bool mount, ty_pose *pose);
    void *user;
} ty_stage_now;
/* Moves what rides on rovers and sets the lights and the stars of a moment. Lights that were added to the scene by
 * other means are gone afterwards. After the first call nothing is allocated. */
TY_API ty_status ty_stage_update(ty_stage *stage, const ty_stage_now *now, ty_diag *diag);

/* Adds a model to a scene. like: pose, class, smooth; its material is used where the model has none, or where `painted`
 * says so. A model's own materials are Principled ones. */
TY_API ty_status ty_scene_add_model(ty_scene *scene, const ty_model *model, const ty_object_def *like, bool painted,
                                    uint32_t *id, ty_diag *diag);
/* Reads a picture into a texture. */
TY_API ty_status ty_scene_read_texture(ty_scene *scene, const char *path, bool srgb, uint32_t *id, ty_diag *diag);

TY_END_DECLS
#endif
