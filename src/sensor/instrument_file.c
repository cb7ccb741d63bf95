/* src/sensor/instrument_file.c - files of models/sensors into the definitions of the smaller
 * instruments. Ranges: the rules beside each definition.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "instrument_file.h"
#include "sensor/inertial/instrument.h"

#define ARCSEC (TY_DEG / 3600.0)
#define NUMBER(type, key, field, sentence)                          \
    {                                                               \
        key, TYI_IO_NUMBER, offsetof(type, field), .text = sentence \
    }
#define SCALED(type, key, field, written, factor, sentence)                                           \
    {                                                                                                 \
        key, TYI_IO_NUMBER, offsetof(type, field), .text = sentence, .unit = written, .scale = factor \
    }
#define DEGREES(type, key, field, sentence) SCALED(type, key, field, "deg", TY_DEG, sentence)
TYI_SENSOR_NUMBERS(three_m, 3, "m", 1.0, "m", 1e6)
TYI_SENSOR_NUMBERS(three_number, 3, "", 1.0, "", 1e3)
TYI_SENSOR_NUMBERS(two_deg, 2, "deg", TY_DEG, "rad", 1.0)
TYI_SENSOR_NUMBERS(three_arcsec, 3, "arcsec", ARCSEC, "rad", 0.1)

static const tyi_io_key fix_keys[] = {
    { "noise", TYI_IO_LIST, offsetof(tyi_inertial_fix_def, noise), .text = "standard deviation east, north, up",
      .list = &three_m },
    { "bias", TYI_IO_LIST, offsetof(tyi_inertial_fix_def, bias), .text = "constant error east, north, up",
      .list = &three_m },
    NUMBER(tyi_inertial_fix_def, "drift", drift, "standard deviation of the slow error"),
    NUMBER(tyi_inertial_fix_def, "drift_time", drift_time, "time constant of the slow error"),
    NUMBER(tyi_inertial_fix_def, "walk", walk, "random walk on top"),
    NUMBER(tyi_inertial_fix_def, "noise_speed", noise_speed, "standard deviation of the speed"),
    { 0 },
};
const tyi_io_schema tyi_sensor_file_fix_schema = { fix_keys, &tyi_inertial_fix_rules, .whole = true };

static const tyi_io_key encoder_keys[] = {
    NUMBER(tyi_inertial_encoder_def, "ticks", ticks, "counts per turn of the joint"),
    NUMBER(tyi_inertial_encoder_def, "offset", offset, "where count 0 begins"),
    { 0 },
};
const tyi_io_schema tyi_sensor_file_encoder_schema = { encoder_keys, &tyi_inertial_encoder_rules, .whole = true };

static const tyi_io_key motor_keys[] = {
    NUMBER(tyi_inertial_motor_def, "kt", kt, "torque constant times gear ratio"),
    NUMBER(tyi_inertial_motor_def, "resistance", resistance, "of the winding"),
    NUMBER(tyi_inertial_motor_def, "efficiency", efficiency, "of the gear"),
    NUMBER(tyi_inertial_motor_def, "idle", idle, "current that turns it without load"),
    NUMBER(tyi_inertial_motor_def, "regenerate", regenerate, "share of braking power that returns to the bus"),
    NUMBER(tyi_inertial_motor_def, "noise", noise, "standard deviation of the reading"),
    NUMBER(tyi_inertial_motor_def, "quantum", quantum, "step of the reading"),
    NUMBER(tyi_inertial_motor_def, "range", range, "largest current it reads"),
    { 0 },
};
const tyi_io_schema tyi_sensor_file_motor_schema = { motor_keys, &tyi_inertial_motor_rules, .whole = true };

static const tyi_io_key joint_keys[] = {
    DEGREES(tyi_inertial_joint_def, "noise_deg", noise, "standard deviation of the reading"),
    DEGREES(tyi_inertial_joint_def, "bias_deg", bias, "constant error"),
    NUMBER(tyi_inertial_joint_def, "scale", scale, "scale factor error"),
    DEGREES(tyi_inertial_joint_def, "quantum_deg", quantum, "step of the reading"),
    DEGREES(tyi_inertial_joint_def, "low_deg", low, "lower end of its range"),
    DEGREES(tyi_inertial_joint_def, "high_deg", high, "upper end of its range"),
    { 0 },
};
const tyi_io_schema tyi_sensor_file_joint_schema = { joint_keys, &tyi_inertial_joint_rules, .whole = true };

static const tyi_io_key sun_keys[] = {
    DEGREES(tyi_inertial_sun_sensor_def, "field_deg", field, "largest angle from its axis"),
    DEGREES(tyi_inertial_sun_sensor_def, "noise_deg", noise, "standard deviation of each angle"),
    { "bias_deg", TYI_IO_LIST, offsetof(tyi_inertial_sun_sensor_def, bias), .text = "constant error of both angles",
      .list = &two_deg },
    DEGREES(tyi_inertial_sun_sensor_def, "quantum_deg", quantum, "step of the angles"),
    NUMBER(tyi_inertial_sun_sensor_def, "least", least, "share of the Sun's disk that it needs"),
    { 0 },
};
const tyi_io_schema tyi_sensor_file_sun_sensor_schema = { sun_keys, &tyi_inertial_sun_sensor_rules, .whole = true };

static const tyi_io_key star_keys[] = {
    SCALED(tyi_inertial_star_tracker_def, "noise_cross_arcsec", noise_cross, "arcsec", ARCSEC,
           "standard deviation across its axis"),
    SCALED(tyi_inertial_star_tracker_def, "noise_roll_arcsec", noise_roll, "arcsec", ARCSEC,
           "standard deviation about its axis"),
    { "bias_arcsec", TYI_IO_LIST, offsetof(tyi_inertial_star_tracker_def, bias), .text = "constant turn about x, y, z",
      .list = &three_arcsec },
    DEGREES(tyi_inertial_star_tracker_def, "sun_deg", sun, "nearest angle to the Sun at which it works"),
    DEGREES(tyi_inertial_star_tracker_def, "ground_deg", ground, "nearest angle to the skyline"),
    DEGREES(tyi_inertial_star_tracker_def, "earth_deg", earth, "nearest angle to the Earth"),
    SCALED(tyi_inertial_star_tracker_def, "slew_deg_s", slew, "deg/s", TY_DEG, "fastest turn at which it works"),
    { 0 },
};
const tyi_io_schema tyi_sensor_file_star_tracker_schema = { star_keys, &tyi_inertial_star_tracker_rules,
                                                            .whole = true };

static const tyi_io_key altimeter_keys[] = {
    NUMBER(tyi_inertial_altimeter_def, "least", least, "shortest range"),
    NUMBER(tyi_inertial_altimeter_def, "most", most, "longest range"),
    NUMBER(tyi_inertial_altimeter_def, "noise", noise, "standard deviation at no range"),
    NUMBER(tyi_inertial_altimeter_def, "noise_range", noise_range, "standard deviation per metre of range"),
    NUMBER(tyi_inertial_altimeter_def, "bias", bias, "constant error"),
    NUMBER(tyi_inertial_altimeter_def, "quantum", quantum, "step of the reading"),
    { 0 },
};
const tyi_io_schema tyi_sensor_file_altimeter_schema = { altimeter_keys, &tyi_inertial_altimeter_rules, .whole = true };

static const tyi_io_key switch_keys[] = {
    NUMBER(tyi_inertial_switch_def, "close", close, "force at which it closes"),
    NUMBER(tyi_inertial_switch_def, "open", open, "force below which it opens"),
    NUMBER(tyi_inertial_switch_def, "debounce", debounce, "how long a change must last to be told"),
    { 0 },
};
const tyi_io_schema tyi_sensor_file_switch_schema = { switch_keys, &tyi_inertial_switch_rules, .whole = true };

/* panels are a list of up to TY_POWER_PANELS mappings, read into memory and then copied */
typedef struct power_file {
    tyi_inertial_power_def def;
    ty_panel_def *panel;
    size_t panels;
} power_file;
#define PANEL(field) offsetof(ty_panel_def, field)
static const tyi_limit panel_limits[] = {
    { "area", "m^2", PANEL(area), TYI_DOUBLE, 0.0, 1e4 },
    { "efficiency", "", PANEL(efficiency), TYI_DOUBLE, 0.0, 1.0 },
    { 0 },
};
static const tyi_rules panel_rules = { "panel", panel_limits, NULL };
static const tyi_io_key panel_keys[] = {
    { "normal", TYI_IO_LIST, PANEL(normal), .text = "where it faces: forward, left, up", .required = true,
      .list = &three_number },
    { "area", TYI_IO_NUMBER, PANEL(area), .text = "of its cells", .required = true },
    { "efficiency", TYI_IO_NUMBER, PANEL(efficiency), .text = "of cells, wiring and dust together", .required = true },
    { 0 },
};
static const tyi_io_schema panel_schema = { panel_keys, &panel_rules, .whole = true };
static const tyi_io_key panel_element = { "panel", TYI_IO_MAPPING, 0, .text = "a panel", .schema = &panel_schema };
static const tyi_io_list panels = { .element = &panel_element,
                                    .size = sizeof(ty_panel_def),
                                    .count = offsetof(power_file, panels),
                                    .most = TY_POWER_PANELS };
static const tyi_io_key power_keys[] = {
    NUMBER(power_file, "avionics", def.avionics, "always on"),
    NUMBER(power_file, "heaters", def.heaters, "while they are on"),
    NUMBER(power_file, "converter", def.converter, "share of the power that reaches the loads"),
    SCALED(power_file, "capacity_kwh", def.capacity, "kWh", 3.6e6, "of the battery"),
    NUMBER(power_file, "charge", def.charge, "how full it is at the start"),
    NUMBER(power_file, "charge_efficiency", def.charge_eff, "share of what goes in that is stored"),
    NUMBER(power_file, "discharge_efficiency", def.discharge_eff, "share of what is taken out that arrives"),
    NUMBER(power_file, "charge_most", def.charge_most, "most power into the battery"),
    NUMBER(power_file, "discharge_most", def.discharge_most, "most power out of the battery"),
    { "panels", TYI_IO_LIST, offsetof(power_file, panel), .text = "The solar panels", .list = &panels },
    { 0 },
};
const tyi_io_schema tyi_sensor_file_power_schema = { power_keys, &tyi_inertial_power_rules, .whole = false };

static ty_status load(const char *path, const char *const *settings, size_t count, const tyi_io_schema *schema,
                      void *out, tyi_arena *memory, ty_diag *diag)
{
    tyi_io_doc doc;
    ty_status status = tyi_io_doc_read(&doc, path, NULL, diag);
    if (status == TY_OK) {
        status = tyi_io_doc_set(&doc, settings, count, diag);
    }
    if (status == TY_OK) {
        status = tyi_io_doc_fill(&doc, schema, out, memory, diag);
    }
    tyi_io_doc_free(&doc);
    return status;
}

#define LOAD(kind)                                                                                            \
    ty_status tyi_sensor_##kind##_load(const char *path, const char *const *settings, size_t count,           \
                                       tyi_inertial_##kind##_def *out, ty_diag *diag)                         \
    {                                                                                                         \
        tyi_arena memory;                                                                                     \
        tyi_arena_init(&memory, NULL, 1024);                                                                  \
        *out = tyi_inertial_##kind##_def_default();                                                           \
        ty_status status = load(path, settings, count, &tyi_sensor_file_##kind##_schema, out, &memory, diag); \
        tyi_arena_free(&memory);                                                                              \
        return status;                                                                                        \
    }
LOAD(fix)
LOAD(encoder)
LOAD(motor)
LOAD(joint)
LOAD(sun_sensor)
LOAD(star_tracker)
LOAD(altimeter)
LOAD(switch)

ty_status tyi_sensor_power_load(const char *path, const char *const *settings, size_t count,
                                tyi_inertial_power_def *out, ty_diag *diag)
{
    power_file file = { .def = tyi_inertial_power_def_default() };
    tyi_arena memory;
    tyi_arena_init(&memory, NULL, 1024);
    ty_status status = load(path, settings, count, &tyi_sensor_file_power_schema, &file, &memory, diag);
    if (status == TY_OK && file.panel) {
        for (size_t i = 0; i < file.panels; i++) {
            file.def.panel[i] = file.panel[i];
        }
        file.def.panels = (int)file.panels;
    }
    tyi_arena_free(&memory);
    *out = file.def;
    return status;
}
