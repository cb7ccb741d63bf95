/* src/scenario/scenario_soil.c - the keys of `soil:`, of its regions, and of the older `rovers.i.soil`.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "scenario.h"
#include "inner.h"

static const char *const models[] = {
#define SOIL_NAME(id, name, what) #name,
    TY_SOIL_MODEL_LIST(SOIL_NAME)
#undef SOIL_NAME
        NULL
};

static const char *const patch_models[] = {
#define PATCH_NAME(id, name) name,
    TY_PATCH_MODEL_LIST(PATCH_NAME) NULL
};
static const char *const follows[] = { TY_PATCH_FOLLOW_LIST(PATCH_NAME) NULL };
#undef PATCH_NAME
#define OF(field) offsetof(ty_patch_params, field)
static const tyi_limit patch_limits[] = {
    { "spacing", "m", OF(spacing), TYI_DOUBLE, 0.002, 0.1 },
    { "side", "m", OF(side), TYI_DOUBLE, 0.0, 10.0 },
    { "depth", "m", OF(depth), TYI_DOUBLE, 0.0, 2.0 },
    { "x", "m", OF(x), TYI_DOUBLE, -1e6, 1e6 },
    { "y", "m", OF(y), TYI_DOUBLE, -1e6, 1e6 },
    { "wide", "m", OF(wide), TYI_DOUBLE, 0.1, 1e3 },
    { "e", "Pa", OF(e), TYI_DOUBLE, 1e3, 1e10 },
    { "friction", "", OF(friction), TYI_DOUBLE, 0.0, 4.0 },
    { "lode", "", OF(lode), TYI_DOUBLE, 0.0, 1.0 },
    { "mu", "", OF(mu), TYI_DOUBLE, 0.01, 2.0 },
    { "roll", "", OF(roll), TYI_DOUBLE, 0.0, 2.0 },
    { "jump", "", OF(jump), TYI_INT, 1.0, 16.0 },
    { 0 },
};
static const tyi_rules patch_rules = { "patch", patch_limits, NULL };
static const tyi_io_key patch_keys[] = {
    { "model", TYI_IO_CHOICE, OF(model), .text = "what particles they are of", .choices = patch_models,
      .required = true },
    { "spacing", TYI_IO_NUMBER, OF(spacing),
      .text = "of particles, or diameter of grains; at most twice the height of a wheel's lugs" },
    { "follow", TYI_IO_CHOICE, OF(follow),
      .text = "a patch under each wheel; only where a box is; or under tools alone, which have one always",
      .choices = follows },
    { "side", TYI_IO_NUMBER, OF(side), .text = "of a patch; 0: twice the radius of its wheel, and its width" },
    { "depth", TYI_IO_NUMBER, OF(depth), .text = "of a patch; 0: the width of its wheel, at least 0.15 m" },
    { "x", TYI_IO_NUMBER, OF(x), .text = "box: its middle, east of the site's origin" },
    { "y", TYI_IO_NUMBER, OF(y), .text = "box: its middle, north of the site's origin" },
    { "wide", TYI_IO_NUMBER, OF(wide), .text = "box: its side" },
    { "e", TYI_IO_NUMBER, OF(e), .text = "Young's modulus; 50 times the pressure under a wheel and more" },
    { "friction", TYI_IO_NUMBER, OF(friction), .text = "between wheel and soil; 0: as within the soil" },
    { "lode", TYI_IO_NUMBER, OF(lode),
      .text =
          "crm: 1: friction is that of plane strain, other states of stress by Matsuoka and Nakai; 0: one friction for all" },
    { "mu", TYI_IO_NUMBER, OF(mu), .text = "dem: friction between grains" },
    { "roll", TYI_IO_NUMBER, OF(roll), .text = "dem: their resistance to rolling, over the radius" },
    { "device", TYI_IO_BOOLEAN, OF(device),
      .text =
          "crm: particles are on the run's device (backend opencl, or auto), with the same numbers where it rounds as the host" },
    { "jump", TYI_IO_INTEGER, OF(jump), .text = "columns that a patch moves at a time" },
    { 0 },
};
static const tyi_io_schema patch_schema = { patch_keys, &patch_rules, .whole = false };
#undef OF

#define KEYS(at, needed)                                                                                              \
    { "model",                                                                                                        \
      TYI_IO_CHOICE,                                                                                                  \
      (at) + offsetof(ty_scenario_soil, model),                                                                       \
      .text = "how the ground answers wheels",                                                                        \
      .choices = models,                                                                                              \
      .required = needed },                                                                                           \
        { "file", TYI_IO_TEXT, (at) + offsetof(ty_scenario_soil, file),                                               \
          .text =                                                                                                     \
              "parameters of the model (models/soils), relative to the scenario file; without it nominal lunar soil", \
          .size = TY_PATH_MAX },                                                                                      \
        { "user", TYI_IO_TEXT, (at) + offsetof(ty_scenario_soil, user),                                               \
          .text = "model user: the name under which the calling program brings it", .size = 64 },                     \
        { "patch", TYI_IO_MAPPING, (at) + offsetof(ty_scenario_soil, patch),                                          \
          .text = "Patches of soil that flows, particles that follow wheels", .schema = &patch_schema },              \
        { "spacing", TYI_IO_NUMBER, (at) + offsetof(ty_scenario_soil, spacing),                                       \
          .text = "spacing of the grid of scm; a quarter of a wheel's width or less" },                               \
    {                                                                                                                 \
        "lugs", TYI_IO_BOOLEAN, (at) + offsetof(ty_scenario_soil, lugs),                                              \
            .text = "scm: lugs as plates; otherwise wheels are cylinders through the lugs' tips"                      \
    }

ty_scenario_soil tyi_scenario_soil_default(int model)
{
    return (ty_scenario_soil){ .model = model, .spacing = 0.02, .lugs = true, .patch = ty_soil_def_default().patch };
}

/* ---- of a rover, older ---- */

static const tyi_limit rover_limits[] = {
    { "spacing", "m", offsetof(ty_scenario_soil, spacing), TYI_DOUBLE, 0.005, 0.2 },
    { 0 },
};
static const tyi_rules rover_rules = { "soil", rover_limits, NULL };
static const tyi_io_key rover_keys[] = { KEYS(0, false), { 0 } };
const tyi_io_schema tyi_scenario_rover_soil = { rover_keys, &rover_rules, .whole = false };

/* ---- regions ---- */

#define IN(field) offsetof(ty_scenario_soil_region, field)
static const tyi_io_list corners = {
    .element = &tyi_scenario_corner, .size = sizeof(ty_scenario_point), .count = IN(corners), .least = 3, .most = 4096
};
static const tyi_limit region_limits[] = {
    { "x", "m", IN(x), TYI_DOUBLE, -1e6, 1e6 },
    { "y", "m", IN(y), TYI_DOUBLE, -1e6, 1e6 },
    { "radius", "m", IN(radius), TYI_DOUBLE, 1e-3, 1e6 },
    { "class", "", IN(class_number), TYI_INT, 0.0, 65535.0 },
    { "pixel", "m", IN(pixel), TYI_DOUBLE, 0.0, 1e4 },
    { "spacing", "m", IN(soil.spacing), TYI_DOUBLE, 0.005, 0.2 },
    { 0 },
};
static const tyi_rules region_rules = { "region", region_limits, NULL };
static const tyi_io_key circle_keys[] = {
    { "x", TYI_IO_NUMBER, IN(x), .text = "middle, east of the site's origin" },
    { "y", TYI_IO_NUMBER, IN(y), .text = "middle, north of the site's origin" },
    { "radius", TYI_IO_NUMBER, IN(radius), .text = "radius", .required = true },
    KEYS(IN(soil), true),
    { 0 },
};
static const tyi_io_key polygon_keys[] = {
    { "corners", TYI_IO_LIST, IN(corner), .text = "the corners, in order", .required = true, .list = &corners },
    KEYS(IN(soil), true),
    { 0 },
};
static const tyi_io_key raster_keys[] = {
    { "raster", TYI_IO_TEXT, IN(raster),
      .text = "classes of ground: any raster that GDAL reads, relative to the scenario file", .size = TY_PATH_MAX,
      .required = true },
    { "class", TYI_IO_INTEGER, IN(class_number), .text = "the class where this soil lies", .required = true },
    { "pixel", TYI_IO_NUMBER, IN(pixel),
      .text =
          "side of a pixel where the raster has no georeference: its middle lies on the site's origin, north is up" },
    KEYS(IN(soil), true),
    { 0 },
};
static const tyi_io_schema circle = { circle_keys, &region_rules, .whole = false },
                           polygon = { polygon_keys, &region_rules, .whole = false },
                           raster = { raster_keys, &region_rules, .whole = false };
static const tyi_io_variant shapes[] = {
    { "circle", "a round patch", &circle, NULL },
    { "polygon", "a patch with corners", &polygon, NULL },
    { "raster", "where a raster of classes has a number", &raster, NULL },
    { 0 },
};
static const tyi_io_key region_element = { "region",
                                           TYI_IO_UNION,
                                           0,
                                           .text = "a region",
                                           .tag = "shape",
                                           .variants = shapes,
                                           .tag_offset = IN(shape),
                                           .size = sizeof(ty_scenario_soil_region) };

static void init_region(void *element)
{
    *(ty_scenario_soil_region *)element =
        (ty_scenario_soil_region){ .shape = -1, .radius = 1.0, .soil = tyi_scenario_soil_default(TY_SOIL_BEKKER) };
}
#undef IN

static const tyi_io_list regions = { .element = &region_element,
                                     .size = sizeof(ty_scenario_soil_region),
                                     .count = offsetof(ty_scenario, soil_regions),
                                     .most = 64,
                                     .init = init_region };

/* ---- of the ground ---- */

static const tyi_limit soil_limits[] = {
    { "spacing", "m", offsetof(ty_scenario, soil.spacing), TYI_DOUBLE, 0.005, 0.2 },
    { 0 },
};
static const tyi_rules soil_rules = { "soil", soil_limits, NULL };
static const tyi_io_key soil_keys[] = {
    KEYS(offsetof(ty_scenario, soil), true),
    { "regions", TYI_IO_LIST, offsetof(ty_scenario, soil_region),
      .text = "Parts of the ground where another soil lies; later ones lie over earlier ones", .list = &regions },
    { 0 },
};
const tyi_io_schema tyi_scenario_soil = { soil_keys, &soil_rules, .whole = false };

/* ---- one ground, one soil: what rovers may still say ---- */

static bool same(const ty_scenario_soil *a, const ty_scenario_soil *b)
{
    return a->model == b->model && !strcmp(a->file, b->file) && !strcmp(a->user, b->user) &&
           (a->model != TY_SOIL_SCM || (a->spacing == b->spacing && a->lugs == b->lugs));
}

ty_status tyi_scenario_soil_of(const ty_scenario *s, ty_scenario_soil *out, ty_diag *diag)
{
    *out = s->soil.model >= 0 || !s->rovers ? s->soil : s->rover[0].soil;
    for (size_t i = 1; i < s->rovers && s->soil.model < 0; i++) {
        if (!same(&s->rover[0].soil, &s->rover[i].soil)) {
            return ty_fail(
                diag, TY_ERR_INPUT,
                "rovers '%s' and '%s' stand on different soils, but a ground has one: give it once, as `soil:`, "
                "and where others lie, as `soil.regions`",
                s->rover[0].name, s->rover[i].name);
        }
    }
    out->model = out->model < 0 ? TY_SOIL_BEKKER : out->model;
    return TY_OK;
}
