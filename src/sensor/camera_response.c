/* src/sensor/camera_response.c - electrons into digital numbers, and all stages in order.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "core.h"
#include "k_exposure.h"
#include "tycho/imager.h"

static ty_k_response_curve curve(const ty_imager_def *def)
{
    return (ty_k_response_curve){ (int)def->response,         def->iso, def->a, def->b, def->gamma,
                                  ldexp(1.0, def->bits) - 1.0 };
}

void ty_imager_respond(const ty_imager_def *def, size_t n, const float *electrons, uint16_t *out)
{
    ty_k_response_curve c = curve(def);
    for (size_t i = 0; i < n; i++) {
        out[i] = (uint16_t)ty_k_quantise(ty_k_response(c, (double)electrons[i]), c.full);
    }
}

ty_status ty_imager_expose(const ty_imager_def *def, const ty_camera *camera, int bands,
                           const float *radiance, const double *depth, uint32_t frame,
                           float *scratch, uint16_t *out, ty_diag *diag)
{
    ty_status status = ty_imager_def_check(def, diag);
    if (status != TY_OK) {
        return status;
    }
    size_t n = (size_t)camera->width * (size_t)camera->height;
    float *electrons = scratch, *sharp = scratch + n;
    memset(electrons, 0, n * sizeof *electrons);
    for (int b = 0; b < bands; b++) {
        const float *plane = radiance + (size_t)b * n;
        if (depth && def->defocus_gain > 0.0) {
            ty_imager_defocus(def, camera->width, camera->height, plane, depth, sharp);
            plane = sharp;
        }
        ty_imager_electrons(def, camera, b, plane, electrons);
    }
    ty_imager_noise(def, camera->width, camera->height, frame, electrons);
    ty_imager_respond(def, n, electrons, out);
    return TY_OK;
}

double ty_imager_auto_exposure(const ty_imager_def *def, size_t n, const float *radiance,
                               double share)
{
    float most = 0.0f; /* the brightest; a mean over tiles would be fooled by the black sky */
    for (size_t i = 0; i < n; i++) {
        most = radiance[i] > most ? radiance[i] : most;
    }
    double rate = ty_k_aggregate(def->aggregator_gain,
                                 ty_k_image_irradiance((double)most, def->f_number, def->pass),
                                 def->pixel, 1.0, def->qe[0], def->wavelength[0]);
    double full = def->full_well;
    if (def->response == TY_RESPONSE_LINEAR && def->a * def->iso > 0.0) {
        full = fmin(full, (ldexp(1.0, def->bits) - 1.0 - def->b) / (def->a * def->iso));
    }
    return rate > 0.0 ? share * full / rate : def->exposure;
}
