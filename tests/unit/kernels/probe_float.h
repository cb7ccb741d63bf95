/* tests/unit/kernels/probe_float.h - the kernels of light compiled in single precision, callable from double tests.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef PROBE_FLOAT_H
#define PROBE_FLOAT_H

/* The nearest float. Out of line, because gcc 12's straight-line vectoriser drops a rounding to float
 * that is widened again at once. */
double probe_round(double x);
/* which = 0 exp, 1 log, 2 atan, 3 (1 - exp(-x))/x */
float probe_math(int which, float x);
/* BRDF of Hapke's model; params in the order of ty_k_hapke_params, l and v to light and eye */
float probe_hapke(const double *params, int h81, const double *l, const double *v);
/* the same over n directions, lanes in a loop that the compiler may turn into vector code */
void probe_hapke_lanes(const double *params, int n, const float *l, const float *v, float *out);
/* u, v seen again by the camera's own ray 10 m out, kind as enum ty_k_camera_kind (hfov family), k1 = -0.2 */
void probe_camera(int kind, double hfov, float u, float v, float *back_u, float *back_v);
int probe_disk(double radius, const double *axis, const double *d); /* whether unit d sees the disk */

#endif
