/* src/fmi/types.h - the C interface of FMI 2.0 and 3.0 [fmi2, fmi3], co-simulation, as far as it is called or offered here: names,
 * argument lists and values as the standards publish them, in words of our own.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_FMI_TYPES_H
#define TYI_FMI_TYPES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- both ---- */

/* what every call returns; 2.0 has a sixth, pending, which is not used */
typedef enum tyi_fmi_status {
    TYI_FMI_OK,
    TYI_FMI_WARNING,
    TYI_FMI_DISCARD,
    TYI_FMI_ERROR,
    TYI_FMI_FATAL
} tyi_fmi_status;

typedef uint32_t tyi_fmi_ref; /* a variable, by the value reference of modelDescription.xml */

/* ---- 2.0: booleans are int, integers int, reals double ---- */

enum { TYI_FMI2_MODEL_EXCHANGE = 0, TYI_FMI2_CO_SIMULATION = 1 };

typedef void tyi_fmi2_logger(void *environment, const char *instance, int status, const char *category,
                             const char *message, ...);
typedef struct tyi_fmi2_callbacks {
    tyi_fmi2_logger *logger;
    void *(*allocate)(size_t count, size_t size);
    void (*release)(void *memory);
    void (*step_finished)(void *environment, int status);
    void *environment;
} tyi_fmi2_callbacks;

typedef void *tyi_fmi2_instantiate(const char *name, int type, const char *guid, const char *resource_uri,
                                   const tyi_fmi2_callbacks *callbacks, int visible, int logging);
typedef int tyi_fmi2_setup(void *instance, int tolerance_defined, double tolerance, double start, int stop_defined,
                           double stop);
typedef int tyi_fmi2_get_real(void *instance, const tyi_fmi_ref *ref, size_t count, double *value);
typedef int tyi_fmi2_set_real(void *instance, const tyi_fmi_ref *ref, size_t count, const double *value);
typedef int tyi_fmi2_step(void *instance, double time, double step, int no_return);

/* ---- 3.0: booleans are bool, states and binaries bytes ---- */

typedef void tyi_fmi3_logger(void *environment, int status, const char *category, const char *message);
typedef void tyi_fmi3_intermediate(void *environment, double time, bool set_requested, bool get_allowed, bool finished,
                                   bool may_return, bool *returns, double *return_time);

typedef void *tyi_fmi3_instantiate(const char *name, const char *token, const char *resources, bool visible,
                                   bool logging, bool event_mode, bool early_return, const tyi_fmi_ref *intermediate,
                                   size_t intermediates, void *environment, tyi_fmi3_logger *logger,
                                   tyi_fmi3_intermediate *update);
typedef int tyi_fmi3_enter(void *instance, bool tolerance_defined, double tolerance, double start, bool stop_defined,
                           double stop);
typedef int tyi_fmi3_get_f64(void *instance, const tyi_fmi_ref *ref, size_t count, double *value, size_t values);
typedef int tyi_fmi3_set_f64(void *instance, const tyi_fmi_ref *ref, size_t count, const double *value, size_t values);
typedef int tyi_fmi3_step(void *instance, double time, double step, bool no_return, bool *event, bool *terminate,
                          bool *early, double *last);

/* ---- alike in both ---- */

typedef int tyi_fmi_plain(void *instance); /* exit initialization, terminate, reset */
typedef void tyi_fmi_free(void *instance);
typedef int tyi_fmi_get_state(void *instance, void **state);
typedef int tyi_fmi_set_state(void *instance, void *state);
typedef int tyi_fmi_state_size(void *instance, void *state, size_t *bytes);
typedef int tyi_fmi_pack_state(void *instance, void *state, char *to, size_t bytes);
typedef int tyi_fmi_unpack_state(void *instance, const char *from, size_t bytes, void **state);

#endif
