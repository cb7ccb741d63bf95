/* src/fleet/model.c - functions that stand for a scenario, so that a sweep can be tried on what is known.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "fleet.h"
#include "core/core.h"
#include "k_philox.h"

#define KEYS 5

typedef struct model {
    const char *name;
    struct {
        const char *name;
        double standard, low, high;
    } key[KEYS];
    ty_status (*run)(const double *x, double *y, ty_diag *diag);
} model;

/* y = sin x1 + a sin^2 x2 + b x3^4 sin x1, x in -pi to pi [ishigami1990] */
static ty_status ishigami(const double *x, double *y, ty_diag *diag)
{
    (void)diag;
    double s1 = sin(x[0]), s2 = sin(x[1]), c = x[2] * x[2];
    *y = s1 + x[3] * s2 * s2 + x[4] * c * c * s1;
    return TY_OK;
}

/* 1 with the chance p */
static ty_status coin(const double *x, double *y, ty_diag *diag)
{
    (void)diag;
    *y = ty_k_uniform(ty_k_philox((uint32_t)x[1], 0, 0, 4, 0, TY_RNG_SWEEP).v[0]) < x[0];
    return TY_OK;
}

/* what can happen to a run: 0 nothing, 1 a sentence, 2 abort(), 3 a bad address, 4 it hangs, 5 a kill; all after `wait` seconds */
static ty_status trouble(const double *x, double *y, ty_diag *diag)
{
    *y = x[2] * x[2];
    usleep((useconds_t)(1e6 * x[1]));
    switch ((int)x[0]) {
    case 1:
        return ty_fail(diag, TY_ERR_INPUT, "trouble was asked for at x = %g", x[2]);
    case 2:
        signal(SIGABRT, SIG_DFL);
        abort();
    case 3:
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
        break;
    case 4:
        sleep(3600);
        break;
    case 5:
        raise(SIGKILL);
        break;
    default:
        break;
    }
    return TY_OK;
}

static const model models[] = {
    { "ishigami",
      { { "x1", 0.0, -4.0, 4.0 },
        { "x2", 0.0, -4.0, 4.0 },
        { "x3", 0.0, -4.0, 4.0 },
        { "a", 7.0, -1e6, 1e6 },
        { "b", 0.1, -1e6, 1e6 } },
      ishigami },
    { "coin", { { "p", 0.5, 0.0, 1.0 }, { "toss", 1.0, 0.0, 4294967295.0 } }, coin },
    { "trouble", { { "kind", 0.0, 0.0, 5.0 }, { "wait", 0.0, 0.0, 10.0 }, { "x", 0.0, -1e6, 1e6 } }, trouble },
};
#define MODELS (sizeof models / sizeof *models)

void tyi_fleet_model_names(char *out, size_t size)
{
    size_t at = 0;
    out[0] = '\0';
    for (size_t i = 0; i < MODELS && at < size; i++) {
        at += (size_t)snprintf(out + at, size - at, "%s%s", i ? ", " : "", models[i].name);
    }
}

static ty_status set(const model *m, const char *setting, double *x, ty_diag *diag)
{
    const char *equals = strchr(setting, '=');
    char takes[100] = "", *end = NULL;
    size_t at = 0;
    for (int i = 0; i < KEYS && m->key[i].name; i++) {
        if (equals && strlen(m->key[i].name) == (size_t)(equals - setting) &&
            !strncmp(m->key[i].name, setting, strlen(m->key[i].name))) {
            x[i] = tyi_number(equals + 1, &end);
            return end != equals + 1 && !*end && x[i] >= m->key[i].low && x[i] <= m->key[i].high
                       ? TY_OK
                       : ty_fail(diag, TY_ERR_RANGE, "--set %s: the model %s takes a number from %g to %g here",
                                 setting, m->name, m->key[i].low, m->key[i].high);
        }
        at += (size_t)snprintf(takes + at, sizeof takes - at, "%s%s", i ? ", " : "", m->key[i].name);
    }
    return ty_fail(diag, TY_ERR_INPUT, "--set %s: there is no such key; the model %s takes %s", setting, m->name,
                   takes);
}

static ty_status inputs(const char *name, const char *const *settings, size_t count, const model **out, double *x,
                        ty_diag *diag)
{
    char names[200];
    size_t k = 0;
    while (k < MODELS && strcmp(models[k].name, name)) {
        k++;
    }
    if (k == MODELS) {
        tyi_fleet_model_names(names, sizeof names);
        return ty_fail(diag, TY_ERR_INPUT, "model is '%s', but takes one of %s", name, names);
    }
    *out = &models[k];
    for (int i = 0; i < KEYS; i++) {
        x[i] = models[k].key[i].standard;
    }
    ty_status status = TY_OK;
    for (size_t i = 0; i < count && status == TY_OK; i++) {
        status = set(&models[k], settings[i], x, diag);
    }
    return status;
}

ty_status tyi_fleet_model_check(const char *name, const char *const *settings, size_t count, ty_diag *diag)
{
    const model *m;
    double x[KEYS];
    return inputs(name, settings, count, &m, x, diag);
}

ty_status tyi_fleet_model_run(const char *name, const char *const *settings, size_t count, char **summary,
                              ty_diag *diag)
{
    const model *m = NULL;
    double x[KEYS], y = 0.0;
    *summary = NULL;
    ty_status status = inputs(name, settings, count, &m, x, diag);
    status = status == TY_OK ? m->run(x, &y, diag) : status;
    if (status == TY_OK && asprintf(summary, "{\"y\": %.17g}", y) < 0) {
        *summary = NULL;
        status = ty_fail(diag, TY_ERR_MEMORY, "sweep: out of memory");
    }
    return status;
}
