/* app/wheel_fit.c - `tycho wheel --fit`: soil parameters from measured wheels, and how well the
 * measurements determine them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tycho/math.h"
#include "io/out_file.h"
#include "study/wheel_fit.h"
#include "wheel.h"

/* what is free where --free does not say: name and reasonable limits */
static const tyi_study_soil_fit_param usual[] = {
    { .key = "k_phi", .start = 0.0, .low = 1e3, .high = 1e9 },
    { .key = "n0", .start = 0.0, .low = 0.3, .high = 2.0 },
    { .key = "n1", .start = 0.0, .low = -0.5, .high = 2.0 },
    { .key = "kx", .start = 0.0, .low = 1e-3, .high = 0.1 },
};

static double in_table_units(const ty_soil_params *soil, const char *key)
{
    const struct {
        const char *key;
        double value;
    } known[] = { { "k_c", soil->k_c },
                  { "k_phi", soil->k_phi },
                  { "n0", soil->n0 },
                  { "n1", soil->n1 },
                  { "n1_skid", soil->n1_skid },
                  { "n1_side", soil->n1_side },
                  { "a1", soil->a1 },
                  { "a2", soil->a2 },
                  { "c", soil->c },
                  { "phi_deg", soil->phi / TY_DEG },
                  { "phi_triaxial", soil->phi_triaxial },
                  { "kx", soil->kx },
                  { "ky", soil->ky },
                  { "kx_beta", soil->kx_beta },
                  { "ky_beta", soil->ky_beta },
                  { "lambda", soil->lambda },
                  { "rho", soil->rho } };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (!strcmp(known[i].key, key)) {
            return known[i].value;
        }
    }
    return (double)NAN;
}

/* "key[:low:high[:start]],..." in place; false after a sentence */
static bool parse_free(char *text, const ty_soil_params *soil, tyi_study_soil_fit_param *param, int *count)
{
    size_t fields;
    const ty_soil_field *field = ty_soil_fields(&fields);
    for (char *item = strtok(text, ","); item; item = strtok(NULL, ",")) {
        if (*count == TYI_STUDY_FIT_MOST) {
            app_bad("wheel", "--free takes at most %d parameters.", TYI_STUDY_FIT_MOST);
            return false;
        }
        tyi_study_soil_fit_param *p = &param[*count];
        char *colon = strchr(item, ':');
        double low = 0.0, high = 0.0, start = (double)NAN;
        int numbers = colon ? sscanf(colon + 1, "%lf:%lf:%lf", &low, &high, &start) : 0;
        if (colon) {
            *colon = '\0';
        }
        size_t i = 0;
        while (i < fields && strcmp(field[i].key, item)) {
            i++;
        }
        if (i == fields || field[i].is_switch || isnan(in_table_units(soil, item)) || (colon && numbers < 2)) {
            app_bad("wheel",
                    "--free takes KEY or KEY:LOW:HIGH[:START] with a number of the soil "
                    "that steady motion depends on, not '%s'.",
                    item);
            return false;
        }
        *p = (tyi_study_soil_fit_param){ .key = item, .low = low, .high = high };
        for (size_t k = 0; k < sizeof usual / sizeof usual[0] && !colon; k++) {
            if (!strcmp(usual[k].key, item)) {
                p->low = usual[k].low;
                p->high = usual[k].high;
            }
        }
        if (!(p->low < p->high) && !colon) {
            p->low = field[i].low;
            p->high = field[i].high;
        }
        p->start = isnan(start) ? in_table_units(soil, item) : start;
        p->start = fmin(fmax(p->start, p->low), p->high);
        ++*count;
    }
    if (!*count) {
        app_bad("wheel", "--free names no parameter.");
    }
    return *count > 0;
}

static const char *verdict(const tyi_study_soil_fit_param *p, char *out, size_t size,
                           const tyi_study_soil_fit_param *all)
{
    double share = p->error / fmax(fabs(p->value), 1e-12);
    const char *how = share < 0.1 ? "well determined" : share < 0.5 ? "weakly determined" : "not determined";
    if (p->at_limit) {
        snprintf(out, size, "at its limit: the data want it beyond");
    } else if (p->partner >= 0 && fabs(p->correlation) > 0.9) {
        snprintf(out, size, "%s alone; goes with %s (correlation %.3f)", how, all[p->partner].key, p->correlation);
    } else {
        snprintf(out, size, "%s", how);
    }
    return out;
}

static void say_score(FILE *out, const char *name, const tyi_study_soil_fit_score *s)
{
    if (s->n) {
        fprintf(out, "# %-8s %3d points, NRMSE %.1f %%\n", name, s->n, 100.0 * tyi_study_soil_fit_score_nrmse(s));
    }
}

/* the answer is a soil file: what is left of `#` can be read back */
static void report(FILE *out, const tyi_study_soil_fit_def *def, const tyi_study_soil_fit_result *r)
{
    fprintf(out,
            "# fitted by tycho wheel --fit: %d residuals, %d evaluations, %s\n"
            "# rms of residual / range %.4f; condition of the Jacobian %.3g%s\n",
            r->residuals, r->evaluations, r->converged ? "converged" : "NOT converged", r->rms, r->condition,
            r->condition > 1e3 ? ": some combinations of parameters are open" : "");
    say_score(out, "drawbar", &r->fx);
    say_score(out, "side", &r->fy);
    say_score(out, "torque", &r->torque);
    say_score(out, "sinkage", &r->h);
    for (int i = 0; i < def->params; i++) {
        const tyi_study_soil_fit_param *p = &def->param[i];
        char text[120], error[40];
        error[0] = '\0';
        if (!p->at_limit) {
            snprintf(error, sizeof error, "+- %.2g, ", p->error);
        }
        fprintf(out, "%s: %.6g # %s%s\n", p->key, p->value, error, verdict(p, text, sizeof text, def->param));
    }
    size_t count;
    const ty_soil_field *f = ty_soil_fields(&count);
    for (size_t i = 0; i < count; i++) {
        bool free_one = false;
        for (int k = 0; k < def->params; k++) {
            free_one |= !strcmp(def->param[k].key, f[i].key);
        }
        double value = in_table_units(&def->soil, f[i].key);
        if (!free_one && !isnan(value)) {
            fprintf(out, "%s: %.6g # [%s] given\n", f[i].key, value, f[i].unit);
        }
    }
}

int wheel_run_fit(const wheel_job *job, const char *free_list)
{
    tyi_study_soil_fit_param param[TYI_STUDY_FIT_MOST];
    char text[1024];
    int count = 0;
    snprintf(text, sizeof text, "%s", free_list ? free_list : "k_phi,n0,n1,kx");
    if (!parse_free(text, &job->rig.soil, param, &count)) {
        return APP_BAD;
    }
    tyi_study_soil_fit_def def = { .soil = job->rig.soil,
                                   .wheel = job->rig.wheel,
                                   .point = job->data.point,
                                   .points = job->data.points,
                                   .param = param,
                                   .params = count };
    tyi_study_soil_fit_result result;
    ty_diag diag = { 0 };
    app_progress line;
    app_progress_start(&line, job->quiet);
    ty_progress hook = app_progress_hook(&line);
    ty_status status = tyi_study_soil_fit_run(&def, &result, &hook, &diag);
    app_progress_end(&line);
    if (status != TY_OK) {
        return app_bad("wheel", "%s.", diag.text);
    }
    tyi_io_sink *out;
    status = tyi_io_sink_open(job->csv, &out, &diag);
    if (status == TY_OK) {
        report(tyi_io_sink_file(out), &def, &result);
        status = tyi_io_sink_close(out, TY_OK, &diag);
    }
    return status == TY_OK ? APP_OK : app_bad("wheel", "%s.", diag.text);
}
