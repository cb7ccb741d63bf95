/* src/scenario/scenario_place.c - the keys of a scenario that put rocks and craters at given places: `rocks:`, `craters:`.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "core/core.h"
#include "inner.h"
#include "k_crater.h"
#include "scenario.h"
#include "tycho/math.h"

static const tyi_limit metre_limits[] = { { "value", "m", 0, TYI_DOUBLE, -1e6, 1e6 }, { 0 } };
static const tyi_rules metre_rules = { "value", metre_limits, NULL };
static const tyi_io_key number = { .kind = TYI_IO_NUMBER };
static const tyi_io_list place = {
    .element = &number, .rules = &metre_rules, .size = sizeof(double), .least = 2, .most = 2, .in_place = true
};

#define IN(field) offsetof(ty_scenario_rock, field)
static const tyi_limit rock_limits[] = {
    { "size", "m", IN(size), TYI_DOUBLE, 0.02, 50.0 },
    { "yaw", "rad", IN(yaw), TYI_DOUBLE, -2.0 * TY_PI, 2.0 * TY_PI },
    { "burial", "", IN(burial), TYI_DOUBLE, 0.0, 0.9 },
    { "shape", "", IN(shape), TYI_INT, 0.0, TY_ROCK_SHAPES - 1 },
    { "density", "kg/m^3", IN(density), TYI_DOUBLE, 100.0, 1e4 },
    { 0 },
};
static const tyi_rules rock_rules = { "rock", rock_limits, NULL };
static const tyi_io_key rock_keys[] = {
    { "name", TYI_IO_TEXT, IN(name), .text = "for messages, and for who takes it away", .size = 64 },
    { "at", TYI_IO_LIST, IN(at), .text = "middle of its outline, east and north of the site's origin", .required = true,
      .list = &place },
    { "size", TYI_IO_NUMBER, IN(size), .text = "diameter of the circle that it covers, seen from above",
      .required = true },
    { "yaw_deg", TYI_IO_NUMBER, IN(yaw), .text = "turn about the vertical", .unit = "deg", .scale = TY_DEG },
    { "burial", TYI_IO_NUMBER, IN(burial),
      .text = "share of its height that lies below ground; a loose one lies on it" },
    { "shape", TYI_IO_INTEGER, IN(shape),
      .text = "which of the 64 shapes; in kinds of ground those from 32 on are worn round" },
    { "loose", TYI_IO_BOOLEAN, IN(loose),
      .text = "whether it is a body that wheels and blades push, roll and tip; false: it stands fast" },
    { "density", TYI_IO_NUMBER, IN(density), .text = "of a loose one, which gives its mass" },
    { 0 },
};
#undef IN
static const tyi_io_schema rock = { rock_keys, &rock_rules, .whole = true };
static const tyi_io_key rock_element = { "rock", TYI_IO_MAPPING, 0, .text = "a rock", .schema = &rock };
static void init_rock(void *element)
{
    *(ty_scenario_rock *)element = (ty_scenario_rock){ .size = 0.3, .burial = 0.2, .density = 2900.0 };
}
const tyi_io_list tyi_scenario_rocks = { .element = &rock_element,
                                         .size = sizeof(ty_scenario_rock),
                                         .count = offsetof(ty_scenario, rocks),
                                         .most = 4096,
                                         .init = init_rock };

#define IN(field) offsetof(ty_scenario_crater, field)
static const tyi_limit crater_limits[] = {
    { "diameter", "m", IN(diameter), TYI_DOUBLE, 0.05, 1e4 },
    { "depth", "m", IN(depth), TYI_DOUBLE, 1e-3, 3e3 },
    { "freshness", "", IN(freshness), TYI_DOUBLE, 0.0, 1.0 },
    { 0 },
};
static const tyi_rules crater_rules = { "crater", crater_limits, NULL };
static const tyi_io_key crater_keys[] = {
    { "at", TYI_IO_LIST, IN(at), .text = "its middle, east and north of the site's origin", .required = true,
      .list = &place },
    { "diameter", TYI_IO_NUMBER, IN(diameter), .text = "rim to rim", .required = true },
    { "depth", TYI_IO_NUMBER, IN(depth),
      .text = "rim to floor; of a generated one of its size and freshness where it is "
              "left out" },
    { "freshness", TYI_IO_NUMBER, IN(freshness), .text = "from 1, new with a sharp rim, to 0, nearly gone" },
    { 0 },
};
#undef IN
static const tyi_io_schema crater = { crater_keys, &crater_rules, .whole = true };
static const tyi_io_key crater_element = { "crater", TYI_IO_MAPPING, 0, .text = "a crater", .schema = &crater };
static void init_crater(void *element)
{
    *(ty_scenario_crater *)element = (ty_scenario_crater){ .diameter = 5.0, .depth = (double)NAN, .freshness = 0.5 };
}
const tyi_io_list tyi_scenario_craters = { .element = &crater_element,
                                           .size = sizeof(ty_scenario_crater),
                                           .count = offsetof(ty_scenario, craters),
                                           .most = 4096,
                                           .init = init_crater };

ty_rock tyi_scenario_rock_of(const ty_scenario_rock *r, uint64_t index)
{
    return (ty_rock){ .x = r->at[0],
                      .y = r->at[1],
                      .diameter = r->size,
                      .yaw = r->yaw,
                      .burial = r->burial,
                      .shape = (uint32_t)r->shape,
                      .id = TY_ROCK_PLACED | (index + 1) };
}

static ty_crater crater_of(const ty_scenario_crater *c)
{
    /* as freshness and depth hang together in generated ones */
    double ratio = ty_k_crater_depth_ratio(c->diameter, 4.0 * sqrt(c->freshness) - 2.0);
    return (ty_crater){ .x = c->at[0],
                        .y = c->at[1],
                        .diameter = c->diameter,
                        .depth_ratio = isnan(c->depth) ? ratio : c->depth / c->diameter,
                        .freshness = c->freshness };
}

/* loose rocks are actors: with a frame, a name and topics */
static ty_status add_actors(ty_scenario *s, tyi_arena *memory, ty_diag *diag)
{
    size_t loose = 0;
    for (size_t i = 0; i < s->rocks; i++) {
        loose += s->rock[i].loose;
    }
    ty_scenario_actor *actor = loose ? tyi_arena_get(memory, (s->actors + loose) * sizeof *actor) : s->actor;
    if (loose && !actor) {
        return ty_fail(diag, TY_ERR_MEMORY, "scenario: no memory for loose rocks");
    }
    for (size_t i = 0; loose && i < s->actors; i++) {
        actor[i] = s->actor[i];
    }
    for (size_t i = 0; i < s->rocks; i++) {
        ty_scenario_rock *r = &s->rock[i];
        if (!r->loose) {
            continue;
        }
        if (!r->name[0]) {
            snprintf(r->name, sizeof r->name, "rock_%zu", i);
        }
        ty_scenario_actor *a = &actor[s->actors++];
        *a = ty_scenario_actor_default();
        memcpy(a->name, r->name, sizeof a->name);
        a->shape = TY_SHAPE_MESH, a->x = r->at[0], a->y = r->at[1], a->yaw = r->yaw, a->on_ground = true;
        a->albedo = 0.2, a->rock = i + 1;
    }
    s->actor = actor;
    return TY_OK;
}

ty_status tyi_scenario_places(ty_scenario *s, tyi_arena *memory, ty_diag *diag)
{
    ty_rock *rocks = s->rocks ? tyi_arena_get(memory, s->rocks * sizeof *rocks) : NULL;
    ty_crater *craters = s->craters ? tyi_arena_get(memory, s->craters * sizeof *craters) : NULL;
    if ((s->rocks && !rocks) || (s->craters && !craters)) {
        return ty_fail(diag, TY_ERR_MEMORY, "scenario: no memory for rocks and craters");
    }
    s->terrain.rock.placed = rocks;
    s->terrain.crater.placed = craters;
    for (size_t i = 0; i < s->rocks; i++) {
        if (!s->rock[i].loose) {
            rocks[s->terrain.rock.places++] = tyi_scenario_rock_of(&s->rock[i], i);
        }
    }
    for (size_t i = 0; i < s->craters; i++) {
        craters[s->terrain.crater.places++] = crater_of(&s->crater[i]);
    }
    return add_actors(s, memory, diag);
}
