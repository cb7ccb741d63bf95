/* src/scenario/scenario_dust.c - the keys of `dust:`.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "dust/dust.h"
#include "scenario.h"

#define IN(field) offsetof(ty_dust_params, field)
#define UM        1e-6

static const tyi_io_key size_keys[] = {
    { "median_um", TYI_IO_NUMBER, IN(median), .text = "median diameter by number", .unit = "um", .scale = UM },
    { "sigma", TYI_IO_NUMBER, IN(sigma), .text = "geometric standard deviation; 1: all grains are alike" },
    { "min_um", TYI_IO_NUMBER, IN(d_min), .text = "smallest diameter", .unit = "um", .scale = UM },
    { "max_um", TYI_IO_NUMBER, IN(d_max), .text = "largest diameter", .unit = "um", .scale = UM },
    { "density", TYI_IO_NUMBER, IN(grain), .text = "density of a grain" },
    { 0 },
};
static const tyi_io_schema sizes = { size_keys, &tyi_dust_rules, .whole = false };

static const tyi_io_key light_keys[] = {
    { "albedo", TYI_IO_NUMBER, IN(albedo), .text = "of single scattering by a grain, without what it diffracts" },
    { "b", TYI_IO_NUMBER, IN(lobe), .text = "width of the two lobes that it scatters, as Hapke's b" },
    { "c", TYI_IO_NUMBER, IN(lobe_share), .text = "share of the lobe back to the Sun, as Hapke's c: 1 all, -1 none" },
    { "voxel", TYI_IO_NUMBER, IN(voxel), .text = "of the grid that light goes through; wider where a cloud is large" },
    { 0 },
};
static const tyi_io_schema light = { light_keys, &tyi_dust_rules, .whole = false };

static const tyi_limit field_limits[] = { { "value", "V/m", 0, TYI_DOUBLE, -1e5, 1e5 }, { 0 } };
static const tyi_rules field_rules = { "value", field_limits, NULL };
static const tyi_io_key field_number = { .kind = TYI_IO_NUMBER };
static const tyi_io_list field_list = {
    .element = &field_number, .rules = &field_rules, .size = sizeof(double), .least = 3, .most = 3, .in_place = true
};
static const tyi_io_key charge_keys[] = {
    { "per_mass", TYI_IO_NUMBER, IN(charge), .text = "of all grains" },
    { "field", TYI_IO_LIST, IN(field), .text = "east, north and up, the same everywhere; less than lifts grains",
      .list = &field_list },
    { 0 },
};
static const tyi_io_schema charge = { charge_keys, &tyi_dust_rules, .whole = false };

#define MM 1e-3
static const tyi_io_key lies_keys[] = {
    { "absorbs", TYI_IO_NUMBER, IN(bare_absorbs), .text = "absorptivity of a clean radiator in sunlight" },
    { "emits", TYI_IO_NUMBER, IN(bare_emits), .text = "its emissivity" },
    { "dust_absorbs", TYI_IO_NUMBER, IN(dust_absorbs), .text = "absorptivity under a full layer" },
    { "dust_emits", TYI_IO_NUMBER, IN(dust_emits), .text = "emissivity under a full layer" },
    { "aperture_mm", TYI_IO_NUMBER, IN(aperture),
      .text = "pupil of lenses whose camera has no `physical`: what grains on them blur to", .unit = "mm",
      .scale = MM },
    { "window_mm", TYI_IO_NUMBER, IN(window), .text = "how far before the pupil grains lie on a lens", .unit = "mm",
      .scale = MM },
    { "cleanliness", TYI_IO_NUMBER, IN(clean),
      .text = "how bare the surfaces of grains and parts are: the force that holds them grows with its square" },
    { 0 },
};
static const tyi_io_schema lies = { lies_keys, &tyi_dust_rules, .whole = false };
#undef IN

#define IN(field) offsetof(ty_dust_plume, field)
static const tyi_limit plume_limits[] = {
    { "rate", "kg/s", IN(rate), TYI_DOUBLE, 0.0, 200.0 },
    { "speed", "m/s", IN(speed), TYI_DOUBLE, 0.1, 3000.0 },
    { "low", "rad", IN(low), TYI_DOUBLE, 0.0, 0.5 * TY_PI },
    { "high", "rad", IN(high), TYI_DOUBLE, 0.0, 0.5 * TY_PI },
    { "radius", "m", IN(radius), TYI_DOUBLE, 0.0, 100.0 },
    { "height", "m", IN(height), TYI_DOUBLE, 0.0, 1000.0 },
    { "start", "s", IN(start), TYI_DOUBLE, 0.0, 1e9 },
    { "end", "s", IN(end), TYI_DOUBLE, 0.0, 1e9 },
    { 0 },
};
static const tyi_order plume_orders[] = { { IN(low), IN(high) }, { IN(start), IN(end) }, { 0, 0 } };
static const tyi_rules plume_rules = { "plume", plume_limits, plume_orders };
static const tyi_io_key plume_keys[] = {
    { "actor", TYI_IO_TEXT, IN(actor), .text = "name of the actor whose engine blows along its -z", .required = true,
      .size = 64 },
    { "rate", TYI_IO_NUMBER, IN(rate), .text = "dust that it blows away", .required = true },
    { "speed", TYI_IO_NUMBER, IN(speed), .text = "of the fastest grains; the slowest have 0.3 of it" },
    { "low_deg", TYI_IO_NUMBER, IN(low), .text = "lowest angle over the ground at which grains leave", .unit = "deg",
      .scale = TY_DEG },
    { "high_deg", TYI_IO_NUMBER, IN(high), .text = "highest", .unit = "deg", .scale = TY_DEG },
    { "radius", TYI_IO_NUMBER, IN(radius), .text = "how far from the point below the engine grains leave" },
    { "height", TYI_IO_NUMBER, IN(height), .text = "height of the actor over the ground from which on it blows" },
    { "start", TYI_IO_NUMBER, IN(start), .text = "when the engine is lit" },
    { "end", TYI_IO_NUMBER, IN(end), .text = "when it is cut off" },
    { 0 },
};
static const tyi_io_schema plume_schema = { plume_keys, &plume_rules, .whole = true };
static const tyi_io_key plume_element = { "plume", TYI_IO_MAPPING, 0, .text = "a plume", .schema = &plume_schema };
static void init_plume(void *at)
{
    *(ty_dust_plume *)at = (ty_dust_plume){
        .speed = 300.0, .low = 1.0 * TY_DEG, .high = 3.0 * TY_DEG, .radius = 2.0, .height = 30.0, .end = 1e9
    };
}
#undef IN

#define IN(field) offsetof(ty_dust_clean, field)
static const tyi_limit clean_limits[] = {
    { "time", "s", IN(time), TYI_DOUBLE, 0.0, 1e9 },
    { "brush", "", IN(brush), TYI_DOUBLE, 0.0, 1.0 },
    { "tilt", "rad", IN(tilt), TYI_DOUBLE, 0.0, 0.5 * TY_PI },
    { 0 },
};
static const tyi_rules clean_rules = { "clean", clean_limits, NULL };
static const tyi_io_key clean_keys[] = {
    { "t", TYI_IO_NUMBER, IN(time), .text = "when", .required = true },
    { "rover", TYI_IO_TEXT, IN(rover), .text = "whose faces and lenses; all rovers where it is not said", .size = 64 },
    { "brush", TYI_IO_NUMBER, IN(brush), .text = "share of what lies there that a brush takes off" },
    { "tilt_deg", TYI_IO_NUMBER, IN(tilt),
      .text = "faces are turned so far from level, and back: what weighs more than it sticks slides off", .unit = "deg",
      .scale = TY_DEG },
    { 0 },
};
static const tyi_io_schema clean_schema = { clean_keys, &clean_rules, .whole = true };
static const tyi_io_key clean_element = { "clean", TYI_IO_MAPPING, 0, .text = "a cleaning", .schema = &clean_schema };
#undef IN

#define IN(field) offsetof(ty_dust_params, field)
static const tyi_io_list plumes = { .element = &plume_element,
                                    .size = sizeof(ty_dust_plume),
                                    .count = IN(plumes),
                                    .most = TY_DUST_PLUMES,
                                    .init = init_plume };
static const tyi_io_list cleans = {
    .element = &clean_element, .size = sizeof(ty_dust_clean), .count = IN(actions), .most = 64
};

static const tyi_io_key keys[] = {
    { "enabled", TYI_IO_BOOLEAN, IN(on),
      .text = "whether wheels, tools, loose soil of particles and plumes raise dust" },
    { "threshold", TYI_IO_NUMBER, IN(threshold),
      .text = "speed of a rim, blade or particle of soil below which nothing is raised" },
    { "sheared", TYI_IO_NUMBER, IN(sheared),
      .text = "share that becomes airborne of the dust that slip shears; no law is published, so this is free" },
    { "carried", TYI_IO_NUMBER, IN(carried), .text = "the same of the dust that the rim carries round, free too" },
    { "layer", TYI_IO_NUMBER, IN(layer),
      .text = "thickness of what is sheared and carried by wheels without lugs; others: the height of their lugs" },
    { "fine", TYI_IO_NUMBER, IN(fine), .text = "share of the soil's mass that is dust" },
    { "density", TYI_IO_NUMBER, IN(density), .text = "bulk density of the soil" },
    { "highest_deg", TYI_IO_NUMBER, IN(highest),
      .text = "angle behind a rim's lowest point up to where it throws; 90 is behind the axle", .unit = "deg",
      .scale = TY_DEG },
    { "peak", TYI_IO_NUMBER, IN(peak),
      .text = "how much likelier than others the full speed of the rim is among grains; 1: 0.3 to 1 of it are alike" },
    { "fenders", TYI_IO_BOOLEAN, IN(fenders), .text = "whether rovers have their fenders on (`fender_deg` of wheels)" },
    { "parcels", TYI_IO_INTEGER, IN(parcels), .text = "most that fly at a time; each stands for many grains" },
    { "stick", TYI_IO_NUMBER, IN(stick),
      .text = "share that stays on sides and undersides; on what faces upwards all does" },
    { "charge", TYI_IO_MAPPING, 0, .text = "Charge of grains in a constant field, which bends their way; none",
      .schema = &charge },
    { "sizes", TYI_IO_MAPPING, 0, .text = "Diameters of grains: log-normal by number, cut on both sides",
      .schema = &sizes },
    { "plumes", TYI_IO_LIST, IN(plume),
      .text = "Landers' engines: each blows a given mass away, in a flat fan all round", .list = &plumes },
    { "clean", TYI_IO_LIST, IN(action), .text = "When rovers are cleaned", .list = &cleans },
    { "lies", TYI_IO_MAPPING, 0, .text = "What lying dust does to radiators and lenses, and what holds it",
      .schema = &lies },
    { "light", TYI_IO_MAPPING, 0, .text = "What grains do to light", .schema = &light },
    { 0 },
};
const tyi_io_schema tyi_scenario_dust = { keys, &tyi_dust_rules, .whole = true };
