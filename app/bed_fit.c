/* app/bed_fit.c - `tycho bed plate|repose --fit FILE`: friction, stiffness and cohesion of a soil of particles from a user's own test.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bed.h"
#include "study/bed_fit.h"

enum { RUNS = 16 };

/* the line of the program's progress, with the run and what it tries */
typedef struct teller {
    const tyi_study_bed_fit *fit;
    ty_progress to;
} teller;

static bool tell(void *user, const char *what, double done, double total)
{
    const teller *t = user;
    const ty_crm_soil *s = &t->fit->def.soil;
    char text[120];
    (void)what;
    snprintf(text, sizeof text, "of run %d (at most %d): mu_s %.4g, e %.4g, c %.4g", t->fit->runs + 1, t->fit->most,
             s->mu_s, s->e, s->c);
    return !t->to.report || t->to.report(t->to.user, text, done, total);
}

static ty_status names(char *text, tyi_study_bed_fit *fit, ty_diag *diag)
{
    for (char *item = strtok(text, ","); item; item = strtok(NULL, ",")) {
        if (fit->frees == TYI_STUDY_BED_FIT_FREE) {
            return ty_fail(diag, TY_ERR_INPUT, "--free takes at most %d of mu_s, e, c", TYI_STUDY_BED_FIT_FREE);
        }
        fit->free[fit->frees++] = item;
    }
    return fit->frees ? TY_OK : ty_fail(diag, TY_ERR_INPUT, "--free is empty; it takes mu_s, e, c with commas between");
}

ty_status bed_fit(ty_bed_test test, ty_bed_def *def, const char *file, const char *frees, bed_fitted *out,
                  ty_diag *diag)
{
    if (test != TY_BED_PLATE && test != TY_BED_REPOSE) {
        return ty_fail(diag, TY_ERR_INPUT, "--fit is of plate and repose, not of %s", ty_bed_name(test));
    }
    tyi_study_bed_data *data = malloc(sizeof *data);
    tyi_study_bed_fit fit = { .test = test, .def = *def, .most = RUNS };
    char text[64];
    snprintf(text, sizeof text, "%s", frees ? frees : "mu_s");
    ty_status status = data ? names(text, &fit, diag) : ty_fail(diag, TY_ERR_MEMORY, "no memory for the fit");
    status = status == TY_OK ? tyi_study_bed_data_read(file, test, def->diameter[0], data, diag) : status;
    if (status == TY_OK) {
        teller to = { &fit, def->progress };
        fit.def.progress = (ty_progress){ tell, &to };
        status = tyi_study_bed_fit_run(&fit, data, diag);
    }
    if (status == TY_OK && fit.beyond) {
        fprintf(stderr, "note: rows of %s deeper than 0.12 diameters do not count; plates are pressed that far.\n",
                file);
    }
    if (status == TY_OK) {
        fit.def.progress = def->progress;
        *def = fit.def;
        *out = (bed_fitted){ true, fit.rms, fit.runs, fit.used };
    }
    free(data);
    return status;
}
