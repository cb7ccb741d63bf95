/* src/sensor/kind_instrument.h - what the kinds share that are given by a model file of models/sensors and settings
 * over it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SENSOR_INSTRUMENT_H
#define TYI_SENSOR_INSTRUMENT_H
#include "kinds.h"

extern const tyi_io_key tyi_sensor_instrument_keys[];
extern const tyi_rules tyi_sensor_instrument_rules;

/* schema and defaults of a kind */
#define TYI_SENSOR_INSTRUMENT(name, type, every, over)                                                           \
    const tyi_io_schema tyi_sensor_##name##_schema = { tyi_sensor_instrument_keys, &tyi_sensor_instrument_rules, \
                                                       .whole = true };                                          \
    void tyi_sensor_##name##_init(void *sensor)                                                                  \
    {                                                                                                            \
        tyi_sensor_init(sensor, type, every);                                                                    \
        ((ty_sensor_def *)sensor)->window = over;                                                                \
    }

/* "key=value" of every setting, as the loaders take them */
#define TYI_SENSOR_TEXTS 32
typedef struct tyi_sensor_texts {
    char text[TYI_SENSOR_TEXTS][136];
    const char *at[TYI_SENSOR_TEXTS];
    size_t count;
} tyi_sensor_texts;
/* Fills *out by load() where there is a model file and nothing failed before. TY_ERR_INPUT: settings without one. */
#define TYI_SENSOR_INSTRUMENT_LOAD(status, make, load, out, diag)                                      \
    do {                                                                                               \
        tyi_sensor_texts texts_;                                                                       \
        if ((status) == TY_OK) {                                                                       \
            (status) = tyi_sensor_instrument_texts((make)->def, &texts_, (diag));                      \
        }                                                                                              \
        if ((status) == TY_OK && (make)->def->as.instrument.model[0]) {                                \
            (status) = load((make)->def->as.instrument.model, texts_.at, texts_.count, (out), (diag)); \
        }                                                                                              \
    } while (0)
ty_status tyi_sensor_instrument_texts(const ty_sensor_def *sensor, tyi_sensor_texts *out, ty_diag *diag);

/* one row of numbers, and another of what is true where truths > 0 */
void tyi_sensor_instrument_parts(ty_sensor_make *make, const ty_message_schema *schema, int channels, int truths,
                                 char frame);
/* A state of so many bytes, zeroed. */
ty_status tyi_sensor_instrument_state(size_t bytes, void **state, ty_diag *diag);

/* values into a row */
static inline void tyi_sensor_put_vec(const ty_buffer *row, int at, ty_vec3 v)
{
    ty_buffer_set(row, 0, 0, at, v.x);
    ty_buffer_set(row, 0, 0, at + 1, v.y);
    ty_buffer_set(row, 0, 0, at + 2, v.z);
}

#endif
