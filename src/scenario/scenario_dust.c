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

static const tyi_io_key keys[] = {
    { "enabled", TYI_IO_BOOLEAN, IN(on), .text = "whether wheels raise dust" },
    { "threshold", TYI_IO_NUMBER, IN(threshold), .text = "speed of a rim below which nothing is raised" },
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
    { "fenders", TYI_IO_BOOLEAN, IN(fenders), .text = "whether rovers have their fenders on (`fender_deg` of wheels)" },
    { "parcels", TYI_IO_INTEGER, IN(parcels), .text = "most that fly at a time; each stands for many grains" },
    { "stick", TYI_IO_NUMBER, IN(stick),
      .text = "share that stays on sides and undersides of rovers; on what faces upwards all does" },
    { "sizes", TYI_IO_MAPPING, 0, .text = "Diameters of grains: log-normal by number, cut on both sides",
      .schema = &sizes },
    { "light", TYI_IO_MAPPING, 0, .text = "What grains do to light", .schema = &light },
    { 0 },
};
const tyi_io_schema tyi_scenario_dust = { keys, &tyi_dust_rules, .whole = true };
