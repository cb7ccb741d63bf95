/* src/study/measure_relief.c - how rough the ground is, by height differences and by its spectrum.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "core/core.h"
#include "io/spectrum.h"
#include "measure.h"

#define SIDE 256 /* samples of a square */

/* mean square of h(x + lag) - h(x), both axes */
static double structure(const float *h, int n, int lag)
{
    double sum = 0.0;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i + lag < n; i++) {
            double a = (double)h[j * n + i + lag] - (double)h[j * n + i];
            double b = (double)h[(i + lag) * n + j] - (double)h[i * n + j];
            sum += a * a + b * b;
        }
    }
    return sum / (2.0 * n * (n - lag));
}

/* how far the sphere lies below the tangent plane [m]: it is not roughness */
static double drop(double radius, double x, double y)
{
    double r2 = x * x + y * y;
    return r2 / (radius + sqrt(fmax(radius * radius - r2, 0.0)));
}

/* the heights of a square over the sphere, up to a constant */
static ty_status square(ty_terrain *terrain, int level, int32_t i0, int32_t j0, int side, float *h)
{
    double d = ty_terrain_spacing(terrain, level), radius = ty_terrain_get_def(terrain)->radius;
    double z0 = -drop(radius, (i0 + side / 2) * d, (j0 + side / 2) * d);
    ty_status status = ty_terrain_region(terrain, level, i0, j0, side, side, z0, h, 1, NULL);
    for (int k = 0; k < side * side && status == TY_OK; k++) {
        h[k] = (float)((double)h[k] + z0 + drop(radius, (i0 + k % side) * d, (j0 + k / side) * d));
    }
    return status;
}

typedef struct places_job {
    ty_terrain *terrain;
    int level, places, lags;
    double step; /* [m] from place to place */
    int lag[TYI_STUDY_MEASURE_LAGS];
    double *mean; /* lags of them per place */
    ty_status *status;
} places_job;

static void one_place(void *user, size_t index, int worker)
{
    (void)worker;
    const places_job *job = user;
    size_t bytes = (size_t)SIDE * SIDE * sizeof(float);
    float *h = tyi_get(NULL, bytes);
    double d = ty_terrain_spacing(job->terrain, job->level);
    int px = (int)index % job->places, py = (int)index / job->places;
    int32_t i0 = (int32_t)lround((px - 0.5 * (job->places - 1)) * job->step / d) - SIDE / 2;
    int32_t j0 = (int32_t)lround((py - 0.5 * (job->places - 1)) * job->step / d) - SIDE / 2;
    job->status[index] = h ? square(job->terrain, job->level, i0, j0, SIDE, h) : TY_ERR_MEMORY;
    for (int m = 0; m < job->lags && job->status[index] == TY_OK; m++) {
        job->mean[index * TYI_STUDY_MEASURE_LAGS + (size_t)m] = structure(h, SIDE, job->lag[m]);
    }
    tyi_put(NULL, h, bytes);
}

/* rms at a lag between the measured ones, by a straight line in the logarithms */
static double rms_at(const tyi_study_measure_rough *r, double lag)
{
    int m = 0;
    while (m + 2 < r->lags && r->lag[m + 1] < lag) {
        m++;
    }
    double u = log(lag / r->lag[m]) / log(r->lag[m + 1] / r->lag[m]);
    return r->rms[m] * pow(r->rms[m + 1] / r->rms[m], u);
}

ty_status tyi_study_measure_roughness(ty_terrain *terrain, int places, tyi_study_measure_rough *out, ty_diag *diag)
{
    const ty_relief_def *relief = &ty_terrain_get_def(terrain)->relief;
    double base = relief->baseline;
    *out = (tyi_study_measure_rough){ 0 };
    places_job job = { .terrain = terrain, .places = places, .level = ty_terrain_level(terrain, base / 16.0) };
    double d = ty_terrain_spacing(terrain, job.level);
    job.step = fmax(3.0 * relief->outer, 1.5 * SIDE * d);
    for (double lag = base / 8.0; lag < 4.5 * base && job.lags < TYI_STUDY_MEASURE_LAGS; lag *= 2.0) {
        int samples = (int)lround(lag / d);
        if (samples >= 1 && samples <= SIDE / 2 && (job.lags == 0 || samples > job.lag[job.lags - 1])) {
            job.lag[job.lags++] = samples;
        }
    }
    if (places < 1 || places > 100 || job.lags < 4 || job.step * places > 5e6 || job.step * places / d > 1e9) {
        return ty_fail(diag, TY_ERR_RANGE,
                       "measure: the roughness at %g m with waves of up to %g m cannot be measured "
                       "at %d x %d places",
                       base, relief->outer, places, places);
    }
    size_t n = (size_t)places * (size_t)places, bytes = n * TYI_STUDY_MEASURE_LAGS * sizeof(double);
    job.mean = tyi_get(NULL, bytes);
    job.status = tyi_get(NULL, n * sizeof *job.status);
    ty_status status =
        job.mean && job.status ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "measure: no memory for %zu places", n);
    if (status == TY_OK) {
        tyi_tasks_for(0, n, one_place, &job);
        for (size_t k = 0; k < n && status == TY_OK; k++) {
            status = job.status[k] == TY_OK ? TY_OK
                                            : ty_fail(diag, job.status[k], "measure: the ground cannot be made: %s",
                                                      ty_status_text(job.status[k]));
            for (int m = 0; m < job.lags; m++) {
                out->rms[m] += job.mean[k * TYI_STUDY_MEASURE_LAGS + (size_t)m] / (double)n; /* squares until the end */
            }
        }
    }
    out->lags = job.lags;
    for (int m = 0; m < job.lags; m++) {
        out->lag[m] = job.lag[m] * d;
        out->rms[m] = sqrt(out->rms[m]);
    }
    double rise = rms_at(out, base), first = rms_at(out, base / 8.0);
    out->rms_slope_deg = atan(rise / base) / TY_DEG;
    out->hurst = log(rise / first) / log(8.0);
    tyi_put(NULL, job.mean, bytes);
    tyi_put(NULL, job.status, n * sizeof *job.status);
    return status;
}

ty_status tyi_study_measure_slopes(ty_terrain *terrain, int places, double apart, int n, tyi_study_measure_slope *out,
                                   ty_diag *diag)
{
    if (places < 1 || places > 100 || !(apart > 0.0)) {
        return ty_fail(diag, TY_ERR_RANGE, "measure: slopes at %d x %d places %g m apart", places, places, apart);
    }
    size_t all = (size_t)places * (size_t)places, bytes = all * TYI_STUDY_MEASURE_LAGS * sizeof(double);
    places_job job = { .terrain = terrain, .places = places, .lags = 1 };
    job.mean = tyi_get(NULL, bytes);
    job.status = tyi_get(NULL, all * sizeof *job.status);
    ty_status status = job.mean && job.status ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "measure: no memory for slopes");
    for (int k = 0; k < n && status == TY_OK; k++) {
        job.level = ty_terrain_level(terrain, out[k].baseline / 16.0);
        double d = ty_terrain_spacing(terrain, job.level), sum = 0.0, squares = 0.0;
        job.lag[0] = (int)fmax(round(out[k].baseline / d), 1.0);
        job.step = fmax(apart, 1.5 * SIDE * d);
        tyi_tasks_for(0, all, one_place, &job);
        for (size_t p = 0; p < all; p++) {
            double mean = job.mean[p * TYI_STUDY_MEASURE_LAGS];
            status = job.status[p] == TY_OK ? status
                                            : ty_fail(diag, job.status[p], "measure: the ground cannot be made: %s",
                                                      ty_status_text(job.status[p]));
            sum += mean / (double)all;
            squares += mean * mean / (double)all;
        }
        out[k].baseline = job.lag[0] * d;
        out[k].deg = atan(sqrt(sum) / out[k].baseline) / TY_DEG;
        /* the error of a mean square, carried to its root */
        double spread = sqrt(fmax(squares - sum * sum, 0.0) / (double)all);
        out[k].error = sum > 0.0 ? 0.5 * spread / sum * out[k].deg : 0.0;
    }
    tyi_put(NULL, job.mean, bytes);
    tyi_put(NULL, job.status, all * sizeof *job.status);
    return status;
}

/* ---- over a base ---- */

#define LINE 512 /* samples of a line */
#define SKIP 16  /* every so many lines are enough: neighbours tell the same */

typedef struct lines_job {
    ty_terrain *terrain;
    int level, places;
    double step; /* [m] */
    const double *cosine;
    double *psd; /* LINE / 2 per place */
    ty_status *status;
} lines_job;

static void place_spectrum(void *user, size_t index, int worker)
{
    (void)worker;
    const lines_job *job = user;
    size_t bytes = (size_t)LINE * LINE * sizeof(float);
    float *h = tyi_get(NULL, bytes);
    double d = ty_terrain_spacing(job->terrain, job->level), line[LINE], *psd = job->psd + index * (LINE / 2);
    int px = (int)index % job->places, py = (int)index / job->places;
    int32_t i0 = (int32_t)lround((px - 0.5 * (job->places - 1)) * job->step / d) - LINE / 2;
    int32_t j0 = (int32_t)lround((py - 0.5 * (job->places - 1)) * job->step / d) - LINE / 2;
    job->status[index] = h ? square(job->terrain, job->level, i0, j0, LINE, h) : TY_ERR_MEMORY;
    for (int j = 0; j < LINE && job->status[index] == TY_OK; j += SKIP) {
        for (int way = 0; way < 2; way++) {
            for (int i = 0; i < LINE; i++) {
                line[i] = (double)(way ? h[i * LINE + j] : h[j * LINE + i]);
            }
            tyi_io_spectrum_line(line, LINE, d, job->cosine, psd);
        }
    }
    tyi_put(NULL, h, bytes);
}

/* half octaves from 4 samples up to `longest` [m] */
static void add_bands(const double *psd, double d, double longest, double hurst, double amplitude,
                      tyi_study_measure_continued *out)
{
    for (double low = 4.0 * d; low < longest && out->bands < TYI_STUDY_MEASURE_BANDS; low *= sqrt(2.0)) {
        double got = 0.0, law = 0.0;
        int m = 0;
        for (int k = 1; k < LINE / 2; k++) {
            double f = k / (LINE * d);
            if (1.0 / f >= low && 1.0 / f < low * sqrt(2.0)) {
                got += psd[k];
                law += amplitude * pow(f, -(2.0 * hurst + 1.0));
                m++;
            }
        }
        if (m > 0) {
            int b = out->bands++;
            out->wavelength[b] = low * sqrt(sqrt(2.0));
            out->psd[b] = got / m;
            out->law[b] = law / m;
            out->db[b] = 10.0 * log10(got / law);
        }
    }
}

/* mean spectrum at one spacing over places * places squares */
static ty_status spectrum(ty_terrain *terrain, double spacing, int places, double step, double *psd, double *d,
                          ty_diag *diag)
{
    double cosine[LINE];
    for (int i = 0; i < LINE; i++) {
        cosine[i] = cos(2.0 * TY_PI * i / LINE);
    }
    size_t n = (size_t)places * (size_t)places, bytes = n * (LINE / 2) * sizeof(double);
    lines_job job = { .terrain = terrain,
                      .level = ty_terrain_level(terrain, spacing),
                      .places = places,
                      .step = step,
                      .cosine = cosine };
    *d = ty_terrain_spacing(terrain, job.level);
    job.psd = tyi_get(NULL, bytes);
    job.status = tyi_get(NULL, n * sizeof *job.status);
    ty_status status =
        job.psd && job.status ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "measure: no memory for a spectrum");
    if (status == TY_OK) {
        tyi_tasks_for(0, n, place_spectrum, &job);
    }
    for (size_t p = 0; p < n && status == TY_OK; p++) {
        status = job.status[p] == TY_OK ? TY_OK
                                        : ty_fail(diag, job.status[p], "measure: the ground cannot be made: %s",
                                                  ty_status_text(job.status[p]));
        for (int k = 1; k < LINE / 2; k++) {
            psd[k] += job.psd[p * (LINE / 2) + (size_t)k] / ((double)n * (2 * LINE / SKIP));
        }
    }
    tyi_put(NULL, job.psd, bytes);
    tyi_put(NULL, job.status, n * sizeof *job.status);
    return status;
}

ty_status tyi_study_measure_continuation(ty_terrain *terrain, double hurst, double amplitude,
                                         tyi_study_measure_continued *out, ty_diag *diag)
{
    const ty_terrain_def *def = ty_terrain_get_def(terrain);
    double base = def->base.spacing, d;
    *out = (tyi_study_measure_continued){ 0 };
    if (!(base > 0.0)) {
        return ty_fail(diag, TY_ERR_RANGE, "measure: there is no base whose spectrum could be continued");
    }
    /* below the base's resolution at 7 x 7 places, 18 base samples apart; up from a quarter of it
     * on one large square */
    double fine[LINE / 2] = { 0 }, coarse[LINE / 2] = { 0 };
    ty_status status = spectrum(terrain, base / 31.0, 7, 18.0 * base, fine, &d, diag);
    if (status == TY_OK) {
        add_bands(fine, d, 1.2 * base, hurst, amplitude, out);
        status = spectrum(terrain, base / 3.9, 1, 0.0, coarse, &d, diag);
    }
    if (status == TY_OK) {
        add_bands(coarse, d, 10.0 * base, hurst, amplitude, out);
    }
    return status;
}
