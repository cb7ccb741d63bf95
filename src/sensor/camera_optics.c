/* src/sensor/camera_optics.c - what the lens does: defocus, vignetting, light into electrons.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "core.h"
#include "k_exposure.h"
#include "tycho/imager.h"

#define MOST_BLUR 128 /* [px] radius of the widest kernel */

/* standard deviation [px] of a pixel's blur */
static double blur(const ty_imager_def *def, double depth)
{
    /* far beyond any focus the blur no longer changes: a finite stand-in for the sky */
    double d = isfinite(depth) ? fmax(depth, def->focal) : 1e9 * def->focus;
    return ty_k_defocus_diameter(def->defocus_gain, def->focal, d, def->focus, def->f_number,
                                 def->pixel) /
           6.0;
}

/* one pixel's light over its neighbours; the kernel is a product, so that one row of weights is
 * enough */
static void spread(int width, int height, int x, int y, double light, double sigma, float *out)
{
    double w[2 * MOST_BLUR + 1], sum = 0.0;
    int r = (int)fmin(ceil(3.0 * sigma), MOST_BLUR);
    for (int k = -r; k <= r; k++) {
        w[k + r] = ty_k_defocus_weight(sigma, k, 0.0);
        sum += w[k + r];
    }
    for (int j = -r; j <= r; j++) {
        for (int i = -r; i <= r; i++) {
            int u = x + i, v = y + j;
            u = u < 0        ? -u - 1
                : u >= width ? 2 * width - 1 - u
                             : u; /* light is not lost at the edge: its neighbours' comes in */
            v = v < 0 ? -v - 1 : v >= height ? 2 * height - 1 - v : v;
            if (u >= 0 && u < width && v >= 0 && v < height) {
                out[(size_t)v * (size_t)width + (size_t)u] +=
                    (float)(light * w[i + r] * w[j + r] / (sum * sum));
            }
        }
    }
}

void ty_imager_defocus(const ty_imager_def *def, int width, int height, const float *radiance,
                       const double *depth, float *out)
{
    size_t n = (size_t)width * (size_t)height;
    memset(out, 0, n * sizeof *out);
    for (size_t i = 0; i < n; i++) {
        double sigma = blur(def, depth[i]);
        if (sigma < 0.17) { /* the neighbours' share is below 1e-7 of a float */
            out[i] += radiance[i];
        } else if (radiance[i] > 0.0f) {
            spread(width, height, (int)(i % (size_t)width), (int)(i / (size_t)width),
                   (double)radiance[i], sigma, out);
        }
    }
}

/* cosine of a pixel's angle off the camera's axis */
static double off_axis(const ty_camera *camera, int x, int y, ty_vec3 axis)
{
    ty_vec3 origin, dir;
    return ty_camera_ray(camera, x + 0.5, y + 0.5, &origin, &dir) ? fmax(ty_dot(dir, axis), 0.0)
                                                                  : 0.0;
}

void ty_imager_electrons(const ty_imager_def *def, const ty_camera *camera, int band,
                         const float *radiance, float *electrons)
{
    ty_vec3 axis = ty_rotate(camera->pose.q, ty_vec3_make(0, 0, 1));
    for (int y = 0; y < camera->height; y++) {
        for (int x = 0; x < camera->width; x++) {
            size_t i = (size_t)y * (size_t)camera->width + (size_t)x;
            double pass =
                def->pass * ty_k_vignetting(def->vignetting_gain, off_axis(camera, x, y, axis));
            double e = ty_k_image_irradiance((double)radiance[i], def->f_number, pass);
            electrons[i] +=
                (float)ty_k_aggregate(def->aggregator_gain, e, def->pixel, def->exposure,
                                      def->qe[band], def->wavelength[band]);
        }
    }
}
