/* src/study/measure_kind.c - how steep kinds of ground are, by baseline.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/core.h"
#include "measure.h"

/* [m], then [deg] low and high for each kind. Measured: mare 5 to 25 m, polar floor 5 to 25 m, highland and ridge 25 m; mare
 * 1 to 10 cm by shadow and contrast of two photographs at eye height (docs/terrain.md, "Beside photographs"), the smoother
 * frame and the rougher one; the rest lies between them. The mean square slope over a baseline L is the integral of the spectrum of slopes times
 * sinc^2(f L), which falls with L: no ground is smoother over a shorter baseline than over a longer one, so what is
 * steep over 25 m is at least as steep over 1 m. Pyroclastic ground: as mare, a little smoother. */
static const double baseline[TYI_STUDY_MEASURE_SLOPES] = { 0.01, 0.05, 0.1, 1.0, 5.0, 10.0, 25.0 };
static const double bound[TY_GROUND_KINDS][TYI_STUDY_MEASURE_SLOPES][2] = {
    [TY_GROUND_MARE] = { { 7.6, 12.1 }, { 5, 9.5 }, { 4.5, 8.1 }, { 2.3, 3 }, { 2, 2.5 }, { 2, 3 }, { 2, 4 } },
    [TY_GROUND_HIGHLAND] = { { 7, 11 }, { 6.5, 9 }, { 6.5, 9 }, { 6, 8.5 }, { 6, 8 }, { 6, 8 }, { 5.5, 8 } },
    [TY_GROUND_POLAR_RIDGE] = { { 9, 13 }, { 9, 12 }, { 9, 12 }, { 9, 11.5 }, { 9, 11 }, { 9, 11 }, { 9, 11 } },
    [TY_GROUND_POLAR_FLOOR] = { { 5, 8 },
                                { 4.5, 6.5 },
                                { 4.3, 6 },
                                { 4.2, 5.5 },
                                { 3.9, 4.7 },
                                { 3.8, 4.6 },
                                { 3.7, 4.5 } },
    [TY_GROUND_PYROCLASTIC] = { { 3.5, 8 }, { 2.5, 4.5 }, { 2.2, 4 }, { 1.8, 3 }, { 1.6, 2.5 }, { 1.6, 3 }, { 1.5, 4 } },
};

bool tyi_study_measure_slope_bound_at(ty_ground_kind kind, int i, tyi_study_measure_slope_bound *out)
{
    if (kind <= TY_GROUND_ANY || kind >= TY_GROUND_KINDS || i < 0 || i >= TYI_STUDY_MEASURE_SLOPES) {
        return false;
    }
    *out = (tyi_study_measure_slope_bound){ baseline[i], bound[kind][i][0], bound[kind][i][1] };
    return true;
}
