/* src/study/check_soil.c - a soil file: every value with where it comes from, and what a wheel does on it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "check.h"
#include "soil/soil_file.h"

static const char *const sources[] = { "default", "file", "--set" };

/* The wheel of the testbed (ty_rig_def_default(): about VIPER's, without lugs) at rest-like rolling and at slip 0.2.
 * Sinkage, mean pressure over the contact seen from above, drawbar pull. A soil too soft for it is no error, but
 * worth a line. */
static ty_status reference_wheel(tyi_study_check *c, const ty_soil_params *soil, ty_diag *diag)
{
    const ty_rig_def rig = ty_rig_def_default();
    const ty_wheel_shape *w = &rig.wheel;
    static const double slips[] = { 0.0, 0.2 };
    fprintf(c->lines, "  reference wheel: radius %g m, width %g m, no lugs, load %g N\n", w->r, w->b, rig.load);
    for (int i = 0; i < 2; i++) {
        double h;
        ty_wheel_load f;
        ty_diag why = { 0 };
        ty_status status =
            ty_wheel_static(soil, w, &(ty_wheel_steady){ .load = rig.load, .slip = slips[i] }, &h, &f, &why);
        if (status == TY_ERR_NUMERIC) {
            fprintf(c->lines, "    slip %.1f: the soil does not carry it (%s)\n", slips[i], why.text);
            continue;
        }
        if (status != TY_OK) {
            const char *rest = strchr(why.text, ' '); /* without the module's name */
            return ty_fail(diag, status, "%s:%s", c->path, rest ? rest : "");
        }
        double area = w->b * w->r * (sin(f.theta1) - sin(f.theta2));
        fprintf(
            c->lines,
            "    slip %.1f: sinks %.1f mm, mean pressure %.2f kPa on %.0f cm2, drawbar pull %+.1f N (%+.3f of the load), torque %.2f N m\n",
            slips[i], 1e3 * h, 1e-3 * rig.load / area, 1e4 * area, f.fx, f.fx / rig.load, f.torque);
    }
    return TY_OK;
}

/* A file with keys that only one model takes: the first that takes all of it. */
static bool of_a_model(tyi_study_check *c, ty_status *status, ty_diag *diag)
{
    static const ty_soil_model_kind kind[] = { TY_SOIL_BEKKER, TY_SOIL_SCM, TY_SOIL_REGRESSION,
                                               TY_SOIL_RIGID,  TY_SOIL_CRM, TY_SOIL_DEM };
    for (size_t i = 0; i < sizeof kind / sizeof kind[0] && !c->count; i++) {
        ty_soil_def def = ty_soil_def_default();
        ty_diag why = { 0 };
        def.model = kind[i];
        if (tyi_soil_def_load(c->path, &def, &why) == TY_OK) {
            snprintf(c->about, sizeof c->about, "soil of the model %s", ty_soil_model_name(kind[i]));
            bool soft = kind[i] != TY_SOIL_REGRESSION && kind[i] != TY_SOIL_RIGID;
            *status = soft ? reference_wheel(c, &def.bekker, diag) : TY_OK;
            return true;
        }
    }
    return false;
}

ty_status tyi_study_check_soil(tyi_study_check *c, ty_diag *diag)
{
    ty_soil_params soil;
    tyi_soil_source from[TYI_SOIL_FIELDS] = { TYI_SOIL_FROM_DEFAULT };
    size_t count, given = 0;
    const ty_soil_field *field = ty_soil_fields(&count);
    ty_status status = tyi_soil_params_load(c->path, c->settings, c->count, &soil, from, diag);
    if (status != TY_OK && of_a_model(c, &status, diag)) {
        return status;
    }
    for (size_t i = 0; i < count && status == TY_OK; i++) {
        double value = ty_soil_params_get(&soil, field[i].key);
        given += from[i] != TYI_SOIL_FROM_DEFAULT;
        if (field[i].is_switch) {
            fprintf(c->lines, "  %-15s %-10s %-11s %-8s %s\n", field[i].key, value != 0.0 ? "true" : "false", "",
                    sources[from[i]], field[i].what);
        } else {
            fprintf(c->lines, "  %-15s %-10g %-11s %-8s %s\n", field[i].key, value, field[i].unit, sources[from[i]],
                    field[i].what);
        }
    }
    snprintf(c->about, sizeof c->about, "soil, %zu of %zu keys given", given, count);
    return status == TY_OK ? reference_wheel(c, &soil, diag) : status;
}
