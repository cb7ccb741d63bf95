/* src/world/terrain/def.c - defaults and ranges of a terrain definition.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/core.h"
#include "def.h"
#include "k_rock.h"
#include "inner.h"

/* A mare site. Relief: the RMS slope measured on a LROC QuickMap height export of a mare site (5.2
 * deg at 4.8 m), with a Hurst exponent at the lower end of those measured (0.87 to 0.98). Craters:
 * production of 3.5 Gyr, from half a metre (smaller ones are part of the relief) up to what a 10 km
 * site can hold without being all one crater. Rocks: an ordinary mare cover of 3 %, from what a
 * wheel feels to what it must drive around. */
ty_terrain_def ty_terrain_def_default(void)
{
    return (ty_terrain_def){
        .radius = TY_MOON_RADIUS,
        .resolution = 0.01,
        .extent = 10000.0,
        .seed = 1,
        .relief = { .rms_slope_deg = 5.2, .baseline = 4.8, .hurst = 0.9, .outer = 2000.0 },
        .detail = true,
        .crater = { .on = true, .age = 3.5, .d_min = 0.5, .d_max = 500.0, .density = 1.0 },
        .tone = { .grain = 0.1 },
        .rock = { .on = true, .cover = 0.03, .d_min = 0.05, .d_max = 3.0, .crater_boost = 5.0 },
        .edit_level = 1,
        .cache_bytes = (size_t)64 << 20,
        .cookie = TYI_COOKIE,
    };
}

/* A kind's numbers. slope [deg] at 10 m with craters on, hurst, inner [m], micro [deg], patchy, hollows [deg], wear,
 * density, halo, field, grain, cover; docs/terrain.md says where each comes from. */
typedef struct kind_row {
    const char *name;
    double slope, hurst, outer, inner, micro, patchy, hollows;
    double age, d_min, d_max, wear, density, small;
    double halo, field, grain;
    double cover, exponent, dark, bright;
} kind_row;

static const kind_row kinds[TY_GROUND_KINDS] = {
    [TY_GROUND_MARE] = { "mare", 2.4,  0.95, 2000.0, 12.0, 5.0,  0.4,   5.2, 3.5, 0.05, 200.0,
                         16.0,   0.25, 0.7,  0.3,    0.02, 0.14, 0.012, 2.4, 1.0, 1.4 },
    [TY_GROUND_HIGHLAND] = { "highland", 6.6, 0.85, 2000.0, 6.0,   4.5,  0.4,   3.5, 4.0, 0.05, 300.0,
                             14.0,       0.6, 0.8,  0.2,    0.025, 0.14, 0.008, 2.4, 1.1, 1.7 },
    [TY_GROUND_POLAR_RIDGE] = { "polar_ridge", 9.8, 0.92, 5000.0, 8.0,  4.5,  0.4,   3.5, 3.9, 0.05, 300.0,
                                14.0,          0.5, 0.8,  0.2,    0.02, 0.14, 0.009, 2.4, 1.1, 1.6 },
    [TY_GROUND_POLAR_FLOOR] = { "polar_floor", 4.15, 0.95, 2000.0, 8.0,  3.8,  0.4,   3.0, 3.9,  0.05, 300.0,
                                14.0,          0.5,  0.8,  0.2,    0.02, 0.14, 0.008, 2.4, 1.05, 1.5 },
    [TY_GROUND_PYROCLASTIC] = { "pyroclastic", 2.0,  0.95, 2000.0, 12.0,  4.0,  0.4,   2.7, 3.6, 0.05, 200.0,
                                20.0,          0.25, 0.6,  0.15,   0.015, 0.14, 0.003, 2.6, 1.1, 1.6 },
};

const char *tyi_terrain_kind_name(ty_ground_kind kind)
{
    return kind > TY_GROUND_ANY && kind < TY_GROUND_KINDS ? kinds[kind].name : "";
}

ty_terrain_def ty_terrain_def_kind(ty_ground_kind kind)
{
    ty_terrain_def def = ty_terrain_def_default();
    if (kind <= TY_GROUND_ANY || kind >= TY_GROUND_KINDS) {
        return def;
    }
    const kind_row *k = &kinds[kind];
    def.kind = (int)kind;
    def.relief = (ty_relief_def){ k->slope, 10.0, k->hurst, k->outer, k->inner, k->micro, k->patchy, true, k->hollows };
    def.crater = (ty_crater_def){ true, k->age, k->d_min, k->d_max, k->wear, k->density, k->small, NULL, 0 };
    def.tone = (ty_tone_def){ k->halo, k->field, k->grain };
    def.rock = (ty_rock_def){ true, k->cover, 0.02, 3.0, 40.0, k->exponent, 0.7, k->dark, k->bright, 0.3, NULL, 0 };
    return def;
}

double tyi_terrain_def_rock_cover(const ty_rock_def *rock, double d)
{
    if (!(rock->exponent > 0.0)) {
        return rock->cover > 0.0 ? ty_k_rock_cover(d, rock->cover) : 0.0;
    }
    double a = ty_k_rock_power_area(d, rock->cover, rock->exponent),
           beyond = ty_k_rock_power_area(fmax(rock->d_max, d), rock->cover, rock->exponent);
    return 1.0 - exp(beyond - a);
}

#define AT(field) offsetof(ty_terrain_def, field)
#define REAL(field, unit, low, high)                   \
    {                                                  \
#field, unit, AT(field), TYI_DOUBLE, low, high \
    }

/* extent / resolution stays below 2^31, so that a sample's index fits in int32_t */
static const tyi_limit limits[] = {
    REAL(lat, "rad", -90.0 * TY_DEG, 90.0 * TY_DEG),
    REAL(lon, "rad", -180.0 * TY_DEG, 360.0 * TY_DEG),
    REAL(radius, "m", 1e3, 1e8),
    REAL(resolution, "m", 1e-3, 1e3),
    REAL(extent, "m", 1.0, 1e6),
    REAL(slope_deg, "deg", 0.0, 60.0),
    REAL(slope_azimuth_deg, "deg", -360.0, 360.0),
    { "seed", "", AT(seed), TYI_UINT64, 0.0, 0x1p64 },
    REAL(relief.rms_slope_deg, "deg", 0.0, 45.0),
    REAL(relief.baseline, "m", 1e-2, 1e5),
    REAL(relief.hurst, "", 0.1, 0.99),
    REAL(relief.outer, "m", 1e-1, 1e6),
    REAL(relief.inner, "m", 0.0, 1e4),
    REAL(relief.micro_deg, "deg", 0.0, 30.0),
    REAL(relief.patchy, "", 0.0, 2.0),
    REAL(relief.hollows_deg, "deg", 0.0, 30.0),
    REAL(crater.age, "Gyr", 1e-3, 4.5),
    REAL(crater.d_min, "m", 5e-2, 1e4),
    REAL(crater.d_max, "m", 1e-1, 1e5),
    REAL(crater.wear, "", 0.0, 1e3),
    REAL(crater.density, "", 1e-3, 10.0),
    REAL(crater.small, "", 0.0, 10.0),
    REAL(tone.halo, "", 0.0, 3.0),
    REAL(tone.field, "", 0.0, 0.3),
    REAL(tone.grain, "", 0.0, 1.0),
    REAL(rock.cover, "", 0.0, 0.4),
    REAL(rock.d_min, "m", 5e-3, 10.0),
    REAL(rock.d_max, "m", 1e-2, 100.0),
    REAL(rock.crater_boost, "", 1.0, 100.0),
    REAL(rock.exponent, "", 0.0, 4.0),
    REAL(rock.old, "", 0.0, 1.0),
    REAL(rock.dark, "", 0.0, 4.0),
    REAL(rock.bright, "", 0.0, 4.0),
    REAL(rock.fillet, "", 0.0, 0.6),
    { "edit_level", "", AT(edit_level), TYI_INT, 0.0, 10.0 },
    { "cache_bytes", "bytes", AT(cache_bytes), TYI_SIZE, 0x1p20, 0x1p40 },
    { 0 },
};

static const tyi_order orders[] = {
    { AT(resolution), AT(extent) },
    { AT(relief.baseline), AT(relief.outer) },
    { AT(crater.d_min), AT(crater.d_max) },
    { AT(rock.d_min), AT(rock.d_max) },
    { 0, 0 },
};

const tyi_rules tyi_terrain_rules = { "terrain", limits, orders };

ty_status ty_terrain_def_check(const ty_terrain_def *def, ty_diag *diag)
{
    if (def->cookie != TYI_COOKIE) {
        return ty_fail(diag, TY_ERR_DEF, "terrain: the definition did not start from ty_terrain_def_default()");
    }
    if (def->rock.exponent != 0.0 && !(def->rock.exponent >= 2.05)) {
        return ty_fail(diag, TY_ERR_RANGE, "terrain: rock.exponent is %g, accepted are 0 and 2.05 to 4",
                       def->rock.exponent);
    }
    if (def->slope_deg > 0.0 && (def->whole || def->base.spacing > 0.0 || def->layers)) {
        return ty_fail(
            diag, TY_ERR_INPUT,
            "terrain: slope_deg is %g, but a site that stands on a raster, or on the whole Moon, has the slope "
            "that is there",
            def->slope_deg);
    }
    return tyi_rules_check(&tyi_terrain_rules, def, diag);
}
