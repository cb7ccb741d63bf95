/* src/sensor/kind_instrument.c - see sensor_instrument.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "kind_instrument.h"
#include <stdio.h>
#include <string.h>

#define AT TYI_SENSOR_AT
static const tyi_limit limits[] = { TYI_SENSOR_LIMITS, { 0 } };
const tyi_rules tyi_sensor_instrument_rules = { "sensor", limits, NULL };
static const char *const frames[] = { "sensor", "site", NULL };
const tyi_io_key tyi_sensor_instrument_keys[] = {
    TYI_SENSOR_KEYS("time over which it collects or averages, at most a period; a lidar's is that of its scan"),
    { "model", TYI_IO_TEXT, AT(as.instrument.model),
      .text = "its YAML file (models/sensors), relative to the scenario file; without one the defaults",
      .size = TY_PATH_MAX },
    { "settings", TYI_IO_PAIRS, AT(as.instrument.settings),
      .text = "keys of that file to be changed, {gyro.range_deg_s: 100}" },
    { "frame", TYI_IO_CHOICE, AT(as.instrument.frame),
      .text = "lidar: points as the sensor sees them, or in the site's frame with the motion during the scan taken out",
      .choices = frames },
    { 0 },
};

ty_status tyi_sensor_instrument_texts(const ty_sensor_def *sensor, tyi_sensor_texts *out, ty_diag *diag)
{
    const ty_sensor_instrument *m = &sensor->as.instrument;
    out->count = 0;
    if (m->settings.count > TYI_SENSOR_TEXTS) {
        return ty_fail(diag, TY_ERR_RANGE, "%zu settings, but at most %d are accepted", m->settings.count,
                       TYI_SENSOR_TEXTS);
    }
    if (!m->model[0] && m->settings.count) {
        return ty_fail(diag, TY_ERR_INPUT, "settings change a model file, but model names none");
    }
    for (size_t i = 0; i < m->settings.count; i++) {
        snprintf(out->text[i], sizeof out->text[i], "%s=%s", m->settings.item[i].key, m->settings.item[i].value);
        out->at[i] = out->text[i];
        out->count++;
    }
    return TY_OK;
}

void tyi_sensor_instrument_parts(ty_sensor_make *make, const ty_message_schema *schema, int channels, int truths,
                                 char frame)
{
    make->schema = schema;
    make->parts = truths ? 2 : 1;
    make->part[0].name = "sample";
    make->part[0].data.type = (ty_buffer_type){ 1, 1, channels, TY_ELEMENT_F64, TY_UNIT_NONE, frame };
    make->part[1].name = "truth";
    make->part[1].data.type = (ty_buffer_type){ 1, 1, truths ? truths : 1, TY_ELEMENT_F64, TY_UNIT_NONE, frame };
}

ty_status tyi_sensor_instrument_state(size_t bytes, void **state, ty_diag *diag)
{
    *state = tyi_get(NULL, bytes);
    return *state ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "no memory for a sensor of %zu bytes", bytes);
}
