/* src/scenario/scenario.h - the scenario's schema and the loader with an allocator of the caller's.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SCENARIO_H
#define TYI_SCENARIO_H
#include "io/document.h"
#include "tycho/scenario.h"

extern const char *const tyi_scenario_kinds[];                    /* names of ty_ground_kind, then NULL */
extern const char *const tyi_scenario_planets[];                  /* names of ty_planet, then NULL */
extern const char *const tyi_scenario_events[];                   /* names of tyi_record_event_kind, then NULL */
extern const tyi_io_schema tyi_scenario_schema;                   /* fills a ty_scenario */
extern const tyi_io_schema tyi_scenario_part_schema;              /* likewise: what is added in a run */
extern const tyi_io_schema tyi_scenario_ground, tyi_scenario_sky; /* scenario_scene.c */
extern const tyi_io_list tyi_scenario_objects, tyi_scenario_lights;
ty_scenario_material tyi_scenario_no_material(void);                   /* nothing said */
extern const tyi_io_key tyi_scenario_corner;                           /* of a polygon: a ty_scenario_point */
extern const tyi_io_schema tyi_scenario_soil, tyi_scenario_rover_soil; /* scenario_soil.c */
ty_scenario_soil tyi_scenario_soil_default(int model);
extern const tyi_io_schema tyi_scenario_dust; /* scenario_dust.c */
extern const tyi_io_list tyi_scenario_rovers,
    tyi_scenario_entries; /* scenario_rover.c: all of one, or where one is put down */
extern const tyi_io_list tyi_scenario_rocks, tyi_scenario_craters; /* scenario_place.c */
/* rocks and craters at given places into the terrain's definition */
ty_status tyi_scenario_places(ty_scenario *scenario, tyi_arena *memory, ty_diag *diag);
extern const tyi_io_list tyi_scenario_actors; /* scenario_actor.c */

/* As ty_scenario_load(); alloc NULL: heap, otherwise it must outlive *out (libyaml's own memory is
 * not taken from it). bytes not NULL: the file's content, path is then only its name. */
ty_status tyi_scenario_load(const char *path, const char *bytes, size_t size, const char *const *settings, size_t count,
                            const ty_alloc *alloc, ty_scenario **out, ty_diag *diag);

#endif
