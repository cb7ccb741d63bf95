/* src/scenario/scenario_scene.c - the keys of a scenario that say what is seen: `ground:`, `objects:`, `lights:`,
 * `sky:`.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "scenario.h"
#include "tycho/math.h"

/* ---- materials ---- */

#define IN(field) offsetof(ty_scenario_material, field)
static const tyi_limit material_limits[] = {
    { "albedo", "", IN(albedo), TYI_DOUBLE, 0.0, 1.0 },
    { "k", "", IN(k), TYI_DOUBLE, 0.5, 2.0 },
    { "sigma", "rad", IN(sigma), TYI_DOUBLE, 0.0, 1.5 },
    { "exponent", "", IN(exponent), TYI_DOUBLE, 0.0, 1e5 },
    { "specular", "", IN(specular), TYI_DOUBLE, 0.0, 1.0 },
    { "roughness", "", IN(roughness), TYI_DOUBLE, 0.0, 1.0 },
    { "metallic", "", IN(metallic), TYI_DOUBLE, 0.0, 1.0 },
    { "b", "", IN(b), TYI_DOUBLE, 0.0, 0.99 },
    { "c", "", IN(c), TYI_DOUBLE, -1.0, 1.0 },
    { "bs0", "", IN(bs0), TYI_DOUBLE, 0.0, 10.0 },
    { "hs", "", IN(hs), TYI_DOUBLE, 1e-4, 10.0 },
    { "bc0", "", IN(bc0), TYI_DOUBLE, 0.0, 10.0 },
    { "hc", "", IN(hc), TYI_DOUBLE, 1e-4, 10.0 },
    { "theta", "rad", IN(theta), TYI_DOUBLE, 0.0, 60.0 * TY_DEG },
    { "phi", "", IN(phi), TYI_DOUBLE, 0.0, 0.74 },
    { 0 },
};
static const tyi_rules material_rules = { "material", material_limits, NULL };

#define HAPKE_KEYS                                                                                                        \
    { "w", TYI_IO_NUMBER, IN(albedo), .text = "single-scattering albedo, in all bands" },                                 \
        { "b", TYI_IO_NUMBER, IN(b), .text = "width of the particles' lobes" },                                           \
        { "c", TYI_IO_NUMBER, IN(c), .text = "from -1, all light goes forward, to 1, all goes back" },                    \
        { "bs0", TYI_IO_NUMBER, IN(bs0), .text = "shadow hiding: amplitude" },                                            \
        { "hs", TYI_IO_NUMBER, IN(hs), .text = "shadow hiding: half width" },                                             \
        { "bc0", TYI_IO_NUMBER, IN(bc0), .text = "coherent backscatter: amplitude" },                                     \
        { "hc", TYI_IO_NUMBER, IN(hc), .text = "coherent backscatter: half width" },                                      \
        { "theta_deg", TYI_IO_NUMBER, IN(theta), .text = "mean slope of the roughness", .unit = "deg", .scale = TY_DEG }, \
    {                                                                                                                     \
        "phi", TYI_IO_NUMBER, IN(phi), .text = "filling factor; 0 leaves porosity out"                                    \
    }

static const tyi_io_key hapke_keys[] = {
    { "preset", TYI_IO_TEXT, IN(preset),
      .text = "what it starts from: moon_visual, moon_321 to moon_689, chrono, itokawa", .size = 32 },
    HAPKE_KEYS,
    { 0 },
};
static const tyi_io_schema hapke = { hapke_keys, &material_rules, .whole = false };

/* regions and maps differ from these in single parameters, not in the law */
static const tyi_io_key soil_keys[] = {
    { "preset", TYI_IO_TEXT, IN(preset),
      .text = "what it starts from: moon_visual, moon_321 to moon_689, chrono, itokawa", .size = 32 },
    { "law", TYI_IO_TEXT, IN(law),
      .text = "hapke, lambert, lommel_seeliger or one that a program registered; `w` is then its albedo", .size = 32 },
    HAPKE_KEYS,
    { 0 },
};
static const tyi_io_schema soil = { soil_keys, &material_rules, .whole = false };

static const tyi_io_key material_keys[] = {
    { "preset", TYI_IO_TEXT, IN(preset), .text = "Hapke parameters: moon_visual, moon_321 to moon_689, chrono, itokawa",
      .size = 32 },
    { "law", TYI_IO_TEXT, IN(law),
      .text =
          "lambert, lommel_seeliger, minnaert, oren_nayar, phong, principled, hapke, or one that a program registered",
      .size = 32 },
    { "albedo", TYI_IO_NUMBER, IN(albedo), .text = "albedo or base colour, in all bands" },
    { "k", TYI_IO_NUMBER, IN(k), .text = "minnaert: limb darkening" },
    { "sigma_deg", TYI_IO_NUMBER, IN(sigma), .text = "oren_nayar: spread of the slopes", .unit = "deg",
      .scale = TY_DEG },
    { "exponent", TYI_IO_NUMBER, IN(exponent), .text = "phong: sharpness of the lobe" },
    { "specular", TYI_IO_NUMBER, IN(specular), .text = "phong, principled: strength of the lobe" },
    { "roughness", TYI_IO_NUMBER, IN(roughness), .text = "principled" },
    { "metallic", TYI_IO_NUMBER, IN(metallic), .text = "principled" },
    { 0 },
};
static const tyi_io_schema material = { material_keys, &material_rules, .whole = false };
#undef IN

ty_scenario_material tyi_scenario_no_material(void)
{
    const double n = (double)NAN;
    return (ty_scenario_material){ .albedo = n,
                                   .k = n,
                                   .sigma = n,
                                   .exponent = n,
                                   .specular = n,
                                   .roughness = n,
                                   .metallic = n,
                                   .b = n,
                                   .c = n,
                                   .bs0 = n,
                                   .hs = n,
                                   .bc0 = n,
                                   .hc = n,
                                   .theta = n,
                                   .phi = n };
}

/* ---- ground ---- */

#define IN(field) offsetof(ty_scenario_region, field)
static const tyi_limit corner_limits[] = {
    { "x", "m", offsetof(ty_scenario_point, x), TYI_DOUBLE, -1e6, 1e6 },
    { "y", "m", offsetof(ty_scenario_point, y), TYI_DOUBLE, -1e6, 1e6 },
    { 0 },
};
static const tyi_rules corner_rules = { "corner", corner_limits, NULL };
static const tyi_io_key corner_keys[] = {
    { "x", TYI_IO_NUMBER, offsetof(ty_scenario_point, x), .text = "east of the site's origin", .required = true },
    { "y", TYI_IO_NUMBER, offsetof(ty_scenario_point, y), .text = "north of the site's origin", .required = true },
    { 0 },
};
static const tyi_io_schema corner = { corner_keys, &corner_rules, .whole = true };
const tyi_io_key tyi_scenario_corner = { "corner", TYI_IO_MAPPING, 0, .text = "a corner", .schema = &corner };
static const tyi_io_list corners = {
    .element = &tyi_scenario_corner, .size = sizeof(ty_scenario_point), .count = IN(corners), .least = 3, .most = 4096
};

static const tyi_limit region_limits[] = {
    { "x", "m", IN(x), TYI_DOUBLE, -1e6, 1e6 },
    { "y", "m", IN(y), TYI_DOUBLE, -1e6, 1e6 },
    { "radius", "m", IN(radius), TYI_DOUBLE, 1e-3, 1e6 },
    { "edge", "m", IN(edge), TYI_DOUBLE, 0.0, 1e5 },
    { 0 },
};
static const tyi_rules region_rules = { "region", region_limits, NULL };
#define REGION_KEYS                                                                                              \
    { "edge", TYI_IO_NUMBER, IN(edge), .text = "width over which it fades into what lies around it" },           \
    {                                                                                                            \
        "material", TYI_IO_MAPPING, IN(material), .text = "What differs there from the ground", .schema = &hapke \
    }
static const tyi_io_key circle_keys[] = {
    { "x", TYI_IO_NUMBER, IN(x), .text = "middle, east of the site's origin" },
    { "y", TYI_IO_NUMBER, IN(y), .text = "middle, north of the site's origin" },
    { "radius", TYI_IO_NUMBER, IN(radius), .text = "radius", .required = true },
    REGION_KEYS,
    { 0 },
};
static const tyi_io_key polygon_keys[] = {
    { "corners", TYI_IO_LIST, IN(corner), .text = "the corners, in order", .required = true, .list = &corners },
    REGION_KEYS,
    { 0 },
};
static const tyi_io_schema circle = { circle_keys, &region_rules, .whole = false },
                           polygon = { polygon_keys, &region_rules, .whole = false };
static const tyi_io_variant shapes[] = {
    { "circle", "a round patch", &circle, NULL },
    { "polygon", "a patch with corners", &polygon, NULL },
    { 0 },
};
static const tyi_io_key region_element = { "region",
                                           TYI_IO_UNION,
                                           0,
                                           .text = "a region",
                                           .tag = "shape",
                                           .variants = shapes,
                                           .tag_offset = IN(shape),
                                           .size = sizeof(ty_scenario_region) };

static void init_region(void *element)
{
    *(ty_scenario_region *)element =
        (ty_scenario_region){ .shape = -1, .radius = 1.0, .material = tyi_scenario_no_material() };
}
#undef IN

#define IN(field) offsetof(ty_scenario_map, field)
static const char *const map_parameters[] = { "w", "b", "c", "bs0", "hs", "bc0", "hc", "theta", "phi", NULL };
static const tyi_limit map_limits[] = {
    { "raster_band", "", IN(raster_band), TYI_INT, 0.0, 10000.0 },
    { "scale", "", IN(scale), TYI_DOUBLE, -1e9, 1e9 },
    { "offset", "", IN(offset), TYI_DOUBLE, -1e9, 1e9 },
    { "pixel", "m", IN(pixel), TYI_DOUBLE, 0.0, 1e5 },
    { 0 },
};
static const tyi_rules map_rules = { "map", map_limits, NULL };
static const tyi_io_key map_keys[] = {
    { "parameter", TYI_IO_CHOICE, IN(key), .text = "which of the ground's parameters it gives; theta in radians",
      .choices = map_parameters },
    { "file", TYI_IO_TEXT, IN(file), .text = "any raster that GDAL reads, relative to the scenario file",
      .required = true, .size = TY_PATH_MAX },
    { "raster_band", TYI_IO_INTEGER, IN(raster_band), .text = "band of the file, from 1; 0 is the only one" },
    { "scale", TYI_IO_NUMBER, IN(scale),
      .text = "parameter of one stored unit; as the file says where it is left out" },
    { "offset", TYI_IO_NUMBER, IN(offset), .text = "parameter of a stored 0; as the file says where it is left out" },
    { "pixel", TYI_IO_NUMBER, IN(pixel),
      .text =
          "side of a pixel where the raster has no georeference: its middle lies on the site's origin, north is up" },
    { 0 },
};
static const tyi_io_schema map = { map_keys, &map_rules, .whole = true };
static const tyi_io_key map_element = { "map", TYI_IO_MAPPING, 0, .text = "a map", .schema = &map };

static void init_map(void *element)
{
    *(ty_scenario_map *)element = (ty_scenario_map){ .scale = (double)NAN, .offset = (double)NAN };
}
#undef IN

#define IN(field) offsetof(ty_scenario_ground, field)
static const tyi_io_list regions = { .element = &region_element,
                                     .size = sizeof(ty_scenario_region),
                                     .count = IN(regions),
                                     .most = 256,
                                     .init = init_region };
static const tyi_io_list maps = {
    .element = &map_element, .size = sizeof(ty_scenario_map), .count = IN(maps), .most = 64, .init = init_map
};
static const tyi_io_key ground_keys[] = {
    { "material", TYI_IO_MAPPING, IN(material), .text = "The soil everywhere; moon_visual without it",
      .schema = &soil },
    { "rocks", TYI_IO_MAPPING, IN(rock), .text = "The rocks; without it as the soil, with w a quarter larger",
      .schema = &soil },
    { "maps", TYI_IO_LIST, IN(map), .text = "Rasters of single parameters", .list = &maps },
    { "regions", TYI_IO_LIST, IN(region),
      .text = "Parts of the ground that differ; later ones lie over earlier ones and over the maps", .list = &regions },
    { 0 },
};
const tyi_io_schema tyi_scenario_ground = { ground_keys, NULL, .whole = false };
#undef IN

/* ---- objects ---- */

static const tyi_limit metre_limits[] = { { "value", "m", 0, TYI_DOUBLE, -1e13, 1e13 }, { 0 } };
static const tyi_limit angle_limits[] = { { "value", "deg", 0, TYI_DOUBLE, -360.0, 360.0 }, { 0 } };
static const tyi_rules metre_rules = { "value", metre_limits, NULL }, angle_rules = { "value", angle_limits, NULL };
static const tyi_io_key number = { .kind = TYI_IO_NUMBER };
static const tyi_io_list place = {
    .element = &number, .rules = &metre_rules, .size = sizeof(double), .least = 3, .most = 3, .in_place = true
};
static const tyi_io_list angles = {
    .element = &number, .rules = &angle_rules, .size = sizeof(double), .least = 3, .most = 3, .in_place = true
};

#define IN(field) offsetof(ty_scenario_object, field)
static const char *const labels[] = { "object", "rover", "rock", NULL };
static const tyi_limit object_limits[] = {
    { "scale", "m", IN(scale), TYI_DOUBLE, 1e-9, 1e12 },
    { "radius", "m", IN(radius), TYI_DOUBLE, 1e-6, 1e12 },
    { 0 },
};
static const tyi_rules object_rules = { "object", object_limits, NULL };
#define OBJECT_KEYS                                                                                                   \
    { "name", TYI_IO_TEXT, IN(name), .text = "for messages", .size = 64 },                                            \
        { "position", TYI_IO_LIST, IN(position),                                                                      \
          .text = "east, north and up of the site's origin, or in the body it follows", .list = &place },             \
        { "rpy_deg", TYI_IO_LIST, IN(rpy_deg), .text = "roll, pitch and yaw, in this order about fixed axes",         \
          .list = &angles },                                                                                          \
        { "on_ground", TYI_IO_BOOLEAN, IN(on_ground), .text = "whether the height counts from the ground below" },    \
        { "label", TYI_IO_CHOICE, IN(label), .text = "its class in the ground truth", .choices = labels },            \
        { "rover", TYI_IO_TEXT, IN(rover), .text = "name of a rover that it rides on", .size = 64 },                  \
        { "body", TYI_IO_TEXT, IN(body), .text = "body of that rover; its chassis where none is named", .size = 64 }, \
        { "texture", TYI_IO_TEXT, IN(texture),                                                                        \
          .text = "picture that its colour is multiplied by, relative to the scenario file", .size = TY_PATH_MAX },   \
        { "normals", TYI_IO_TEXT, IN(normals), .text = "normal map, relative to the scenario file",                   \
          .size = TY_PATH_MAX },                                                                                      \
        { "painted", TYI_IO_BOOLEAN, IN(painted), .text = "whether `material` replaces the materials of the file" },  \
    {                                                                                                                 \
        "material", TYI_IO_MAPPING, IN(material), .text = "What it is made of", .schema = &material                   \
    }
static const tyi_io_key mesh_keys[] = {
    { "file", TYI_IO_TEXT, IN(file), .text = "OBJ, .gltf or .glb, relative to the scenario file", .required = true,
      .size = TY_PATH_MAX },
    { "scale", TYI_IO_NUMBER, IN(scale), .text = "metres per unit of the file" },
    OBJECT_KEYS,
    { 0 },
};
static const tyi_io_key sphere_keys[] = {
    { "radius", TYI_IO_NUMBER, IN(radius), .text = "radius", .required = true },
    OBJECT_KEYS,
    { 0 },
};
static const tyi_io_schema mesh = { mesh_keys, &object_rules, .whole = false },
                           sphere = { sphere_keys, &object_rules, .whole = false };
static const tyi_io_variant object_shapes[] = {
    { "mesh", "a model from a file", &mesh, NULL },
    { "sphere", "a sphere: planets, targets", &sphere, NULL },
    { 0 },
};
static const tyi_io_key object_element = { "object",
                                           TYI_IO_UNION,
                                           0,
                                           .text = "an object",
                                           .tag = "type",
                                           .variants = object_shapes,
                                           .tag_offset = IN(shape),
                                           .size = sizeof(ty_scenario_object) };

static void init_object(void *element)
{
    *(ty_scenario_object *)element =
        (ty_scenario_object){ .shape = -1, .scale = 1.0, .radius = 1.0, .material = tyi_scenario_no_material() };
}
#undef IN
const tyi_io_list tyi_scenario_objects = { .element = &object_element,
                                           .size = sizeof(ty_scenario_object),
                                           .count = offsetof(ty_scenario, objects),
                                           .most = 512,
                                           .init = init_object };

/* ---- lights ---- */

#define IN(field) offsetof(ty_scenario_light, field)
static const tyi_limit light_limits[] = {
    { "azimuth", "rad", IN(azimuth), TYI_DOUBLE, -2.0 * TY_PI, 2.0 * TY_PI },
    { "elevation", "rad", IN(elevation), TYI_DOUBLE, -0.5 * TY_PI, 0.5 * TY_PI },
    { "power", "", IN(power), TYI_DOUBLE, 0.0, 1e9 },
    { "inner", "rad", IN(inner), TYI_DOUBLE, 0.0, 3.0 },
    { "outer", "rad", IN(outer), TYI_DOUBLE, 1e-3, 3.1 },
    { 0 },
};
static const tyi_order light_orders[] = { { IN(inner), IN(outer) }, { 0, 0 } };
static const tyi_rules light_rules = { "light", light_limits, light_orders };
#define PLACE_KEYS                                                                                                 \
    { "position", TYI_IO_LIST, IN(position),                                                                       \
      .text = "east, north and up of the site's origin, or in the mount it is fixed to", .list = &place },         \
        { "on_ground", TYI_IO_BOOLEAN, IN(on_ground), .text = "whether the height counts from the ground below" }, \
        { "rover", TYI_IO_TEXT, IN(rover), .text = "name of a rover that carries it", .size = 64 },                \
    {                                                                                                              \
        "mount", TYI_IO_TEXT, IN(mount), .text = "mount of that rover", .size = 64                                 \
    }
#define AIM_KEYS                                                                                                     \
    { "azimuth_deg", TYI_IO_NUMBER,                                                                                  \
      IN(azimuth),   .text = "azimuth, clockwise from north; on a mount from its x to the right",                    \
      .unit = "deg", .scale = TY_DEG },                                                                              \
    {                                                                                                                \
        "elevation_deg", TYI_IO_NUMBER, IN(elevation),                                                               \
            .text = "elevation above the horizontal, or above the mount's x-y plane", .unit = "deg", .scale = TY_DEG \
    }
static const tyi_io_key point_keys[] = { { "intensity", TYI_IO_NUMBER, IN(power), .text = "the same to all sides",
                                           .unit = "W/sr", .required = true },
                                         PLACE_KEYS,
                                         { 0 } };
static const tyi_io_key spot_keys[] = {
    { "intensity", TYI_IO_NUMBER, IN(power), .text = "along its axis", .unit = "W/sr", .required = true },
    { "inner_deg", TYI_IO_NUMBER, IN(inner), .text = "half angle where it begins to fade", .unit = "deg",
      .scale = TY_DEG },
    { "outer_deg", TYI_IO_NUMBER, IN(outer), .text = "half angle where it ends", .unit = "deg", .scale = TY_DEG },
    AIM_KEYS,
    PLACE_KEYS,
    { 0 },
};
static const tyi_io_key directional_keys[] = {
    { "irradiance", TYI_IO_NUMBER, IN(power), .text = "on a surface that faces it", .unit = "W/m^2", .required = true },
    AIM_KEYS,
    { 0 }
};
static const tyi_io_key own_keys[] = {
    { "kind", TYI_IO_TEXT, IN(kind), .text = "name under which a program registered it", .required = true, .size = 32 },
    { "power", TYI_IO_NUMBER, IN(power), .text = "what its share is multiplied by", .required = true },
    AIM_KEYS,
    PLACE_KEYS,
    { 0 },
};
static const tyi_io_schema point = { point_keys, &light_rules, .whole = true },
                           spot = { spot_keys, &light_rules, .whole = true },
                           directional = { directional_keys, &light_rules, .whole = true },
                           own = { own_keys, &light_rules, .whole = true };
static const tyi_io_variant light_kinds[] = {
    { "point", "shines to all sides", &point, NULL },
    { "spot", "shines in a cone: a rover's lamp", &spot, NULL },
    { "directional", "comes from one direction, everywhere alike", &directional, NULL },
    { "registered", "a kind that a program added", &own, NULL },
    { 0 },
};
static const tyi_io_key light_element = { "light",
                                          TYI_IO_UNION,
                                          0,
                                          .text = "a light",
                                          .tag = "type",
                                          .variants = light_kinds,
                                          .tag_offset = IN(shape),
                                          .size = sizeof(ty_scenario_light) };

static void init_light(void *element)
{
    *(ty_scenario_light *)element = (ty_scenario_light){ .shape = -1, .inner = 20.0 * TY_DEG, .outer = 30.0 * TY_DEG };
}
#undef IN
const tyi_io_list tyi_scenario_lights = { .element = &light_element,
                                          .size = sizeof(ty_scenario_light),
                                          .count = offsetof(ty_scenario, lights),
                                          .most = 24,
                                          .init = init_light };

/* ---- sky ---- */

#define IN(field) offsetof(ty_scenario_sky, field)
static const tyi_limit sky_limits[] = { { "faintest", "mag", IN(faintest), TYI_DOUBLE, -2.0, 20.0 }, { 0 } };
static const tyi_rules sky_rules = { "sky", sky_limits, NULL };
static const tyi_io_key sky_keys[] = {
    { "stars", TYI_IO_BOOLEAN, IN(stars), .text = "whether stars are drawn" },
    { "star_file", TYI_IO_TEXT, IN(star_file),
      .text =
          "star catalogue in the columns of the Bright Star Catalogue (bsc5.dat), relative to the scenario file; without it the built-in stars to magnitude 5",
      .size = TY_PATH_MAX },
    { "faintest", TYI_IO_NUMBER, IN(faintest), .text = "magnitude of the faintest stars that are drawn" },
    { 0 },
};
const tyi_io_schema tyi_scenario_sky = { sky_keys, &sky_rules, .whole = false };
#undef IN
