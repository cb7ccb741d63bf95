/* src/scenario/scenario_schema.c - every key of a scenario file, its sentence and its default.
 * Ranges: the rules of the struct that is filled. Defaults: the struct's default function.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "dust/dust.h"
#include "world/terrain/def.h"
#include "scenario.h"
#include "vehicle/rover.h"

ty_scenario ty_scenario_default(void)
{
    return (ty_scenario){
        .version = 1,
        .name = "unnamed",
        .gravity = TY_GRAVITY_MOON,
        .start_utc = "2027-01-01T00:00:00",
        .terrain = ty_terrain_def_default(),
        .duration = 60.0,
        .step = 1e-3,
        .telemetry = 0.1,
        .exchange = 0.02,
        .settle = true,
        .planet_memory = (size_t)256 << 20,
        .planet_detail = 1024,
        .soil = tyi_scenario_soil_default(-1),
        .dust = tyi_dust_params_default(),
        .ground = { .material = tyi_scenario_no_material(), .rock = tyi_scenario_no_material() },
        .sky = { .stars = true, .faintest = 6.5 },
    };
}

#define IN(field) offsetof(ty_terrain_def, field)

static const tyi_io_key site_keys[] = {
    { "lat_deg", TYI_IO_NUMBER, IN(lat), .text = "latitude of the site's origin, north positive", .unit = "deg",
      .scale = TY_DEG },
    { "lon_deg", TYI_IO_NUMBER, IN(lon), .text = "longitude of the site's origin, east positive", .unit = "deg",
      .scale = TY_DEG },
    { 0 },
};
static const tyi_io_schema site = { site_keys, &tyi_terrain_rules, .whole = false };

static const tyi_io_key relief_keys[] = {
    { "rms_slope_deg", TYI_IO_NUMBER, IN(relief.rms_slope_deg),
      .text = "root-mean-square slope between points `baseline` apart, craters included (at scales "
              "where they make more than three quarters of it, the ground is rougher); 0 is no relief. Over a "
              "base raster the raster's own spectrum is continued instead" },
    { "baseline", TYI_IO_NUMBER, IN(relief.baseline), .text = "distance at which the slope is given" },
    { "hurst", TYI_IO_NUMBER, IN(relief.hurst),
      .text = "Hurst exponent: height differences grow as distance to this power, so a smaller one "
              "is rougher close up" },
    { "outer", TYI_IO_NUMBER, IN(relief.outer), .text = "longest wavelength that is generated" },
    { "inner", TYI_IO_NUMBER, IN(relief.inner),
      .text =
          "where the law ends: waves shorter than this fade out, and `rms_slope_deg` is met by the finished ground, "
          "craters included; 0: the law goes on to the finest samples" },
    { "micro_deg", TYI_IO_NUMBER, IN(relief.micro_deg),
      .text = "root-mean-square slope over 1 cm of the soil's own roughness, waves of 2 to 30 cm; 0 is none" },
    { "patchy", TYI_IO_NUMBER, IN(relief.patchy),
      .text = "how much that roughness differs from patch to patch: standard deviation of its logarithm" },
    { "crumbs", TYI_IO_BOOLEAN, IN(relief.crumbs),
      .text = "whether that roughness is crumbs and pits, steep and few, on smooth soil" },
    { "hollows_deg", TYI_IO_NUMBER, IN(relief.hollows_deg),
      .text = "root-mean-square slope over 10 cm of soft hummocks and hollows, waves of 8 cm to 1 m, as patchy as that "
              "roughness, whose waves are then those below 8 cm; 0 is none" },
    { 0 },
};
static const tyi_io_schema relief = { relief_keys, &tyi_terrain_rules, .whole = false };

static const tyi_io_key crater_keys[] = {
    { "enabled", TYI_IO_BOOLEAN, IN(crater.on), .text = "whether craters are generated" },
    { "age_gyr", TYI_IO_NUMBER, IN(crater.age),
      .text = "age of the surface, which sets how many large craters there are" },
    { "d_min", TYI_IO_NUMBER, IN(crater.d_min), .text = "smallest generated diameter" },
    { "d_max", TYI_IO_NUMBER, IN(crater.d_max),
      .text = "largest generated diameter; over a base raster only what the raster cannot show is "
              "added" },
    { "wear", TYI_IO_NUMBER, IN(crater.wear),
      .text = "how far craters below some 40 m wear down in their life: depth / diameter falls from 0.2 to "
              "0.2 / (1 + wear); 0: they have the depths of larger ones" },
    { "density", TYI_IO_NUMBER, IN(crater.density), .text = "how much of the equilibrium of craters the ground holds" },
    { "small", TYI_IO_NUMBER, IN(crater.small), .text = "the same of craters below half a metre; 0: as `density`" },
    { 0 },
};
static const tyi_io_schema craters = { crater_keys, &tyi_terrain_rules, .whole = false };

static const tyi_io_key rock_keys[] = {
    { "enabled", TYI_IO_BOOLEAN, IN(rock.on), .text = "whether rocks are generated" },
    { "cover", TYI_IO_NUMBER, IN(rock.cover), .text = "fraction of the ground that rocks of all sizes cover" },
    { "d_min", TYI_IO_NUMBER, IN(rock.d_min), .text = "smallest generated diameter" },
    { "d_max", TYI_IO_NUMBER, IN(rock.d_max), .text = "largest generated diameter" },
    { "crater_boost", TYI_IO_NUMBER, IN(rock.crater_boost),
      .text = "how many times denser rocks lie at the rim of a fresh crater" },
    { "exponent", TYI_IO_NUMBER, IN(rock.exponent),
      .text =
          "of a power law, 2.05 to 4: the number above D falls as D to minus this, and `cover` counts rocks from 5 cm "
          "up; 0: an exponential law, which has hardly any large rocks" },
    { "old", TYI_IO_NUMBER, IN(rock.old), .text = "share of rocks that are worn round and sunk to half and more" },
    { "dark", TYI_IO_NUMBER, IN(rock.dark), .text = "brightness of the darkest rocks over the soil's; 0: all alike" },
    { "bright", TYI_IO_NUMBER, IN(rock.bright), .text = "brightness of the brightest rocks over the soil's" },
    { "fillet", TYI_IO_NUMBER, IN(rock.fillet),
      .text = "how high soil is banked up round worn rocks, of what they stand above the ground" },
    { 0 },
};
static const tyi_io_schema rocks = { rock_keys, &tyi_terrain_rules, .whole = false };

static const tyi_io_key tone_keys[] = {
    { "halo", TYI_IO_NUMBER, IN(tone.halo),
      .text = "how much brighter a new crater and its surroundings are; fades within a tenth of its life" },
    { "field", TYI_IO_NUMBER, IN(tone.field),
      .text = "standard deviation of a smooth field of brightness, waves of 3 to 200 m" },
    { "grain", TYI_IO_NUMBER, IN(tone.grain),
      .text = "slope of each octave of grains that only the light sees, from 3 cm down" },
    { 0 },
};
static const tyi_io_schema tone = { tone_keys, &tyi_terrain_rules, .whole = false };

const char *const tyi_scenario_kinds[] = {
    "none", "mare", "highland", "polar_ridge", "polar_floor", "pyroclastic", NULL
};

const char *const tyi_scenario_events[] = { "high_slip", "tilt",      "rock_contact", "shadow",   "stuck",
                                            "tip_over",  "wheel_off", "motor_line",   "waypoint", "driver_gave_up",
                                            "collision", "added",     "removed",      NULL };
static const tyi_io_key event_element = { "event", TYI_IO_CHOICE, 0, .text = "an event",
                                          .choices = tyi_scenario_events };
static const tyi_io_list end_on = {
    .element = &event_element, .size = sizeof(int), .count = offsetof(ty_scenario, end_ons), .most = 100
};

const char *const tyi_scenario_planets[] = { "moon", "earth", "mars", NULL };

/* base stands outside ty_terrain_def, but in the same scenario */
#define BASE_PATH (offsetof(ty_scenario, base_path) - offsetof(ty_scenario, terrain))
_Static_assert(offsetof(ty_scenario, base_path) > offsetof(ty_scenario, terrain), "offsets are not negative");

static const tyi_io_key terrain_keys[] = {
    { "resolution", TYI_IO_NUMBER, IN(resolution), .text = "spacing of the finest samples" },
    { "extent", TYI_IO_NUMBER, IN(extent), .text = "side of the square site, centred on its origin" },
    { "seed", TYI_IO_INTEGER, IN(seed), .text = "seed of everything that is generated" },
    { "base", TYI_IO_TEXT, BASE_PATH,
      .text = "elevation raster that the site stands on, relative to the scenario file; what is "
              "generated continues it",
      .size = sizeof(((ty_scenario *)0)->base_path) },
    { "kind", TYI_IO_CHOICE, IN(kind),
      .text =
          "kind of ground: sets the defaults of relief, craters, tone and rocks (docs/terrain.md); none: those below",
      .choices = tyi_scenario_kinds },
    { "slope_deg", TYI_IO_NUMBER, IN(slope_deg),
      .text = "slope of the plane under all that is generated; not over a raster" },
    { "slope_azimuth_deg", TYI_IO_NUMBER, IN(slope_azimuth_deg),
      .text = "where to that plane rises, from north to the east: 90 is east" },
    { "detail", TYI_IO_BOOLEAN, IN(detail), .text = "whether relief and craters are added to a base raster" },
    { "relief", TYI_IO_MAPPING, 0, .text = "Generated fractal relief", .schema = &relief },
    { "craters", TYI_IO_MAPPING, 0, .text = "Generated craters", .schema = &craters },
    { "tone", TYI_IO_MAPPING, 0, .text = "How the soil looks from place to place", .schema = &tone },
    { "rocks", TYI_IO_MAPPING, 0, .text = "Generated rocks", .schema = &rocks },
    { "edit_level", TYI_IO_INTEGER, IN(edit_level),
      .text = "level of the samples that ruts and berms change: their spacing is `resolution` "
              "times 2 to this power" },
    { "cache_mib", TYI_IO_INTEGER, IN(cache_bytes), .text = "bound on the memory of resident tiles", .unit = "MiB",
      .scale = 0x1p20 },
    { 0 },
};
static const tyi_io_schema terrain = { terrain_keys, &tyi_terrain_rules, .whole = true };

/* ---- the Moon around the site ---- */

#define LAYER(field) offsetof(ty_world_layer_def, field)
static const tyi_limit layer_limits[] = {
    { "band", "", LAYER(band), TYI_INT, 0.0, 1e3 },
    { "feather", "m", LAYER(feather), TYI_DOUBLE, 0.0, 1e6 },
    { 0 },
};
static const tyi_rules layer_rules = { "layer", layer_limits, NULL };
static const tyi_io_key layer_keys[] = {
    { "raster", TYI_IO_TEXT, LAYER(raster), .text = "elevation raster, relative to the scenario file", .required = true,
      .size = TY_PATH_MAX },
    { "band", TYI_IO_INTEGER, LAYER(band), .text = "band that holds the heights, from 1; 0: the only one" },
    { "feather", TYI_IO_NUMBER, LAYER(feather),
      .text = "how far around it what lies below is drawn to its height; 0: sixteen samples of what lies below" },
    { 0 },
};
static const tyi_io_schema layer = { layer_keys, &layer_rules, .whole = true };
static const tyi_io_key layer_element = { "layer", TYI_IO_MAPPING, 0, .text = "a raster", .schema = &layer };
static void init_layer(void *element)
{
    *(ty_world_layer_def *)element = (ty_world_layer_def){ .band = 0 };
}
static const tyi_io_list layers = { .element = &layer_element,
                                    .size = sizeof(ty_world_layer_def),
                                    .count = offsetof(ty_scenario, layers),
                                    .most = TY_TERRAIN_LAYERS + 1,
                                    .init = init_layer };

static const tyi_io_key planet_keys[] = {
    { "enabled", TYI_IO_BOOLEAN, offsetof(ty_scenario, terrain) + IN(whole),
      .text = "whether the ground goes on round the whole Moon, so that it can be seen from orbit" },
    { "layers", TYI_IO_LIST, offsetof(ty_scenario, layer),
      .text =
          "Rasters that are laid over each other, from the coarsest to the finest; the first should cover the Moon, `terrain.base`, if given, comes last",
      .list = &layers },
    { "memory_mib", TYI_IO_INTEGER, offsetof(ty_scenario, planet_memory),
      .text = "bound on the memory of all cached blocks of these rasters", .unit = "MiB", .scale = 0x1p20 },
    { "wait", TYI_IO_NUMBER, offsetof(ty_scenario, planet_wait),
      .text =
          "in a run, how long a frame may wait for ground that is not made yet; then it shows coarser ground there. 0: until all is made, so that every run gives the same frames" },
    { "detail", TYI_IO_INTEGER, offsetof(ty_scenario, planet_detail),
      .text = "cells along a side of each ring of ground around cameras and lidars of a run, rounded to a multiple of "
              "256; few start sooner and take less memory, for small pictures" },
    { 0 },
};

static const tyi_limit limits[] = {
    { "planet_wait", "s", offsetof(ty_scenario, planet_wait), TYI_DOUBLE, 0.0, 1e3 },
    { "planet_detail", "", offsetof(ty_scenario, planet_detail), TYI_INT, 256.0, 8192.0 },
    { "planet_memory", "bytes", offsetof(ty_scenario, planet_memory), TYI_SIZE, 0x1p22, 0x1p40 },
    { "version", "", offsetof(ty_scenario, version), TYI_INT, 1.0, 1.0 },
    { "gravity", "m/s^2", offsetof(ty_scenario, gravity), TYI_DOUBLE, 0.0, 100.0 },
    { "duration", "s", offsetof(ty_scenario, duration), TYI_DOUBLE, 0.0, 1e7 },
    { "step", "s", offsetof(ty_scenario, step), TYI_DOUBLE, 1e-5, 0.01 },
    { "telemetry", "s", offsetof(ty_scenario, telemetry), TYI_DOUBLE, 1e-3, 1e5 },
    { "exchange", "s", offsetof(ty_scenario, exchange), TYI_DOUBLE, 1e-5, 0.1 },
    { "device_memory", "MiB", offsetof(ty_scenario, device_memory), TYI_DOUBLE, 0.0, 1e7 },
    { 0 },
};
static const tyi_rules rules = { "scenario", limits, NULL };

static const tyi_io_schema planet = { planet_keys, &rules, .whole = false };

static const char *const backends[] = { "cpu", "auto", "opencl", NULL };

#define OBJECTS                                                                                                      \
    {                                                                                                                \
        "objects", TYI_IO_LIST, offsetof(ty_scenario, object),                                                       \
            .text = "Things that stand on the ground or in the sky, one mapping each", .list = &tyi_scenario_objects \
    }
#define ROCKS                                                                                                         \
    {                                                                                                                 \
        "rocks", TYI_IO_LIST, offsetof(ty_scenario, rock),                                                            \
            .text = "Rocks at given places, beside the generated ones, one mapping each", .list = &tyi_scenario_rocks \
    }

static const tyi_io_key keys[] = {
    { "version", TYI_IO_INTEGER, offsetof(ty_scenario, version), .text = "version of the file format",
      .required = true },
    { "name", TYI_IO_TEXT, offsetof(ty_scenario, name),
      .text = "name of the scenario and of its output folder: letters, digits, '_', '-' and '.'",
      .size = sizeof(((ty_scenario *)0)->name) },
    { "start_utc", TYI_IO_UTC, offsetof(ty_scenario, start_utc), .text = "when the run starts",
      .size = sizeof(((ty_scenario *)0)->start_utc) },
    { "body", TYI_IO_CHOICE, offsetof(ty_scenario, body),
      .text = "whose gravity: 1.62, 9.81 or 3.71 m/s^2; light, sky and the ground's shape remain the Moon's",
      .choices = tyi_scenario_planets },
    { "gravity", TYI_IO_NUMBER, offsetof(ty_scenario, gravity),
      .text = "gravity at the site, of rovers, soils and sensors; the body's unless it is given" },
    { "site", TYI_IO_MAPPING, offsetof(ty_scenario, terrain), .text = "Where on the Moon the site lies",
      .schema = &site },
    { "terrain", TYI_IO_MAPPING, offsetof(ty_scenario, terrain), .text = "The ground", .schema = &terrain },
    { "planet", TYI_IO_MAPPING, 0, .text = "The Moon around the site", .schema = &planet },
    { "duration", TYI_IO_NUMBER, offsetof(ty_scenario, duration), .text = "how long the run lasts, in simulated time" },
    { "step", TYI_IO_NUMBER, offsetof(ty_scenario, step), .text = "time step of the dynamics" },
    { "telemetry", TYI_IO_NUMBER, offsetof(ty_scenario, telemetry), .text = "time between rows of telemetry" },
    { "exchange", TYI_IO_NUMBER, offsetof(ty_scenario, exchange),
      .text =
          "time after which processes of one world (`mpirun`, docs/scale.md) tell each other what they did; a whole number of "
          "them make 0.1 s" },
    { "end_on", TYI_IO_LIST, offsetof(ty_scenario, end_on),
      .text = "Events that end the run when they begin, see docs/run.md: `[stuck, tip_over]`", .list = &end_on },
    { "backend", TYI_IO_CHOICE, offsetof(ty_scenario, backend),
      .text =
          "where cameras and lidars are computed: by the host, on an OpenCL device, or (`auto`) on one where there is one "
          "and as long as it works",
      .choices = backends },
    { "device", TYI_IO_TEXT, offsetof(ty_scenario, device),
      .text = "which device: part of its name; empty: any; `A, B`: several, which share the sensors of the run",
      .size = sizeof(((ty_scenario *)0)->device) },
    { "device_memory", TYI_IO_NUMBER, offsetof(ty_scenario, device_memory),
      .text = "how much of its memory buffers may use; 0: all. Where that is too little, far ground is coarser" },
    { "sleep", TYI_IO_BOOLEAN, offsetof(ty_scenario, sleep),
      .text =
          "rovers that nobody drives (driver `stand`, no commands) and that have stood still for half a second are left out of the steps until something comes "
          "near; so cost goes with what moves" },
    { "settle", TYI_IO_BOOLEAN, offsetof(ty_scenario, settle),
      .text = "whether rovers stand at rest on their ground when the run starts, sunk in by their weight (not on "
              "particles); false: they are "
              "let fall there" },
    { "soil", TYI_IO_MAPPING, 0, .text = "What lies under wheels", .schema = &tyi_scenario_soil },
    { "dust", TYI_IO_MAPPING, offsetof(ty_scenario, dust), .text = "Dust that wheels raise: docs/dust.md",
      .schema = &tyi_scenario_dust },
    { "ground", TYI_IO_MAPPING, offsetof(ty_scenario, ground), .text = "What the ground is made of, for light",
      .schema = &tyi_scenario_ground },
    OBJECTS,
    ROCKS,
    { "craters", TYI_IO_LIST, offsetof(ty_scenario, crater),
      .text = "Craters at given places, beside the generated ones, one mapping each", .list = &tyi_scenario_craters },
    { "lights", TYI_IO_LIST, offsetof(ty_scenario, light), .text = "Lamps beside Sun and Earth, one mapping each",
      .list = &tyi_scenario_lights },
    { "sky", TYI_IO_MAPPING, offsetof(ty_scenario, sky), .text = "What is seen in the sky",
      .schema = &tyi_scenario_sky },
    { "rovers", TYI_IO_LIST, offsetof(ty_scenario, rover), .text = "The rovers, one mapping each",
      .list = &tyi_scenario_rovers },
    { "actors", TYI_IO_LIST, offsetof(ty_scenario, actor), .text = "Bodies on given trajectories",
      .list = &tyi_scenario_actors },
    { 0 },
};
const tyi_io_schema tyi_scenario_schema = { keys, &rules, .whole = false };

static const tyi_io_key part_keys[] = {
    OBJECTS,
    ROCKS,
    { "rovers", TYI_IO_LIST, offsetof(ty_scenario, rover), .text = "Where rovers that wait are put down",
      .list = &tyi_scenario_entries },
    { 0 },
};
const tyi_io_schema tyi_scenario_part_schema = { part_keys, &rules, .whole = false };

static const char intro[] =
    "# Scenario files\n"
    "<!-- printed by `tycho check --reference`; change the schema, not this page -->\n"
    "A scenario is a YAML file: `key: value` lines, nested by indentation with spaces. Keys\n"
    "that are left out keep their default. Lengths are in metres; a key in another unit ends\n"
    "with it, as `lat_deg` does. A file that holds anything else is refused with its line and\n"
    "column, the key, its value and what is accepted.\n\n"
    "`--set KEY=VALUE` on the command line overrides any key and meets the same checks:\n"
    "`--set terrain.relief.hurst=0.8`. Elements of a list are named by their index from 0, and\n"
    "the index after the last one appends.\n\n";

ty_status ty_scenario_reference(FILE *out, ty_diag *diag)
{
    const ty_scenario defaults = ty_scenario_default();
    fputs(intro, out);
    ty_status status = tyi_io_doc_print(out, &tyi_scenario_schema, &defaults, diag);
    if (status == TY_OK) {
        const tyi_vehicle_rover rover = tyi_vehicle_rover_default();
        fputs("\n# Rover files\n", out);
        status = tyi_io_doc_print(out, &tyi_vehicle_rover_schema, &rover, diag);
    }
    if (status == TY_OK && (fflush(out) || ferror(out))) {
        return ty_fail(diag, TY_ERR_FILE, "the reference page cannot be written");
    }
    return status;
}
