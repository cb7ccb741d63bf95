/* bridge/fmi/fmi3_refused.c - functions of FMI 3.0 that every library of an FMU has and ours cannot do: clocks, events, derivatives,
 * other kinds of interfaces and types that none of our variables has. They fail with a sentence.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "instance.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"
#define REFUSED(name, ...)                                                                                       \
    __attribute__((visibility("default"))) int fmi3##name(void *instance, __VA_ARGS__);                          \
    int fmi3##name(void *instance, __VA_ARGS__)                                                                  \
    {                                                                                                            \
        tyb_fmi_refuse(*(tyb_fmi_instance **)instance, "fmi3" #name " is not for co-simulation without events"); \
        return TYI_FMI_ERROR;                                                                                    \
    }
#define REFUSED_PLAIN(name)                                                                                      \
    __attribute__((visibility("default"))) int fmi3##name(void *instance);                                       \
    int fmi3##name(void *instance)                                                                               \
    {                                                                                                            \
        tyb_fmi_refuse(*(tyb_fmi_instance **)instance, "fmi3" #name " is not for co-simulation without events"); \
        return TYI_FMI_ERROR;                                                                                    \
    }

REFUSED(GetInt8, const tyi_fmi_ref *ref, size_t refs, int8_t *value, size_t values)
REFUSED(SetInt8, const tyi_fmi_ref *ref, size_t refs, const int8_t *value, size_t values)
REFUSED(GetInt16, const tyi_fmi_ref *ref, size_t refs, int16_t *value, size_t values)
REFUSED(SetInt16, const tyi_fmi_ref *ref, size_t refs, const int16_t *value, size_t values)
REFUSED(GetInt64, const tyi_fmi_ref *ref, size_t refs, int64_t *value, size_t values)
REFUSED(SetInt64, const tyi_fmi_ref *ref, size_t refs, const int64_t *value, size_t values)
REFUSED(GetUInt64, const tyi_fmi_ref *ref, size_t refs, uint64_t *value, size_t values)
REFUSED(SetUInt64, const tyi_fmi_ref *ref, size_t refs, const uint64_t *value, size_t values)
REFUSED(GetBinary, const tyi_fmi_ref *ref, size_t refs, size_t *size, const uint8_t **value, size_t values)
REFUSED(SetBinary, const tyi_fmi_ref *ref, size_t refs, const size_t *size, const uint8_t *const *value, size_t values)
REFUSED(GetClock, const tyi_fmi_ref *ref, size_t refs, bool *value)
REFUSED(SetClock, const tyi_fmi_ref *ref, size_t refs, const bool *value)
REFUSED(GetNumberOfVariableDependencies, tyi_fmi_ref ref, size_t *count)
REFUSED(GetVariableDependencies, tyi_fmi_ref ref, size_t *element, tyi_fmi_ref *on, size_t *on_element, int *kind,
        size_t count)
REFUSED(GetDirectionalDerivative, const tyi_fmi_ref *unknown, size_t unknowns, const tyi_fmi_ref *known, size_t knowns,
        const double *seed, size_t seeds, double *out, size_t outs)
REFUSED(GetAdjointDerivative, const tyi_fmi_ref *unknown, size_t unknowns, const tyi_fmi_ref *known, size_t knowns,
        const double *seed, size_t seeds, double *out, size_t outs)
REFUSED(GetIntervalDecimal, const tyi_fmi_ref *ref, size_t refs, double *interval, int *qualifier)
REFUSED(GetIntervalFraction, const tyi_fmi_ref *ref, size_t refs, uint64_t *counter, uint64_t *resolution,
        int *qualifier)
REFUSED(GetShiftDecimal, const tyi_fmi_ref *ref, size_t refs, double *shift)
REFUSED(GetShiftFraction, const tyi_fmi_ref *ref, size_t refs, uint64_t *counter, uint64_t *resolution)
REFUSED(SetIntervalDecimal, const tyi_fmi_ref *ref, size_t refs, const double *interval)
REFUSED(SetIntervalFraction, const tyi_fmi_ref *ref, size_t refs, const uint64_t *counter, const uint64_t *resolution)
REFUSED(SetShiftDecimal, const tyi_fmi_ref *ref, size_t refs, const double *shift)
REFUSED(SetShiftFraction, const tyi_fmi_ref *ref, size_t refs, const uint64_t *counter, const uint64_t *resolution)
REFUSED(UpdateDiscreteStates, bool *update, bool *terminate, bool *nominals, bool *values, bool *next_defined,
        double *next)
REFUSED(CompletedIntegratorStep, bool no_return, bool *event, bool *terminate)
REFUSED(SetTime, double time)
REFUSED(SetContinuousStates, const double *state, size_t states)
REFUSED(GetContinuousStateDerivatives, double *value, size_t values)
REFUSED(GetEventIndicators, double *value, size_t values)
REFUSED(GetContinuousStates, double *value, size_t values)
REFUSED(GetNominalsOfContinuousStates, double *value, size_t values)
REFUSED(GetNumberOfEventIndicators, size_t *count)
REFUSED(GetNumberOfContinuousStates, size_t *count)
REFUSED(GetOutputDerivatives, const tyi_fmi_ref *ref, size_t refs, const int32_t *order, double *value, size_t values)
REFUSED(ActivateModelPartition, tyi_fmi_ref clock, double time)
REFUSED_PLAIN(EnterEventMode)
REFUSED_PLAIN(EnterConfigurationMode)
REFUSED_PLAIN(ExitConfigurationMode)
REFUSED_PLAIN(EvaluateDiscreteStates)
REFUSED_PLAIN(EnterContinuousTimeMode)
REFUSED_PLAIN(EnterStepMode)

__attribute__((visibility("default"))) void *fmi3InstantiateModelExchange(const char *name, const char *token,
                                                                          const char *resources, bool visible,
                                                                          bool logging, void *environment,
                                                                          tyi_fmi3_logger *logger);
void *fmi3InstantiateModelExchange(const char *name, const char *token, const char *resources, bool visible,
                                   bool logging, void *environment, tyi_fmi3_logger *logger)
{
    if (logger) {
        logger(environment, TYI_FMI_ERROR, "error", "this FMU is for co-simulation, not for model exchange");
    }
    return NULL;
}

__attribute__((visibility("default"))) void *
fmi3InstantiateScheduledExecution(const char *name, const char *token, const char *resources, bool visible,
                                  bool logging, void *environment, tyi_fmi3_logger *logger, void (*clock)(void *),
                                  void (*lock)(void), void (*unlock)(void));
void *fmi3InstantiateScheduledExecution(const char *name, const char *token, const char *resources, bool visible,
                                        bool logging, void *environment, tyi_fmi3_logger *logger, void (*clock)(void *),
                                        void (*lock)(void), void (*unlock)(void))
{
    if (logger) {
        logger(environment, TYI_FMI_ERROR, "error", "this FMU is for co-simulation, not for scheduled execution");
    }
    return NULL;
}
