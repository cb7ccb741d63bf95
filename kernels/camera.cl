/* kernels/camera.cl - the camera's chain on a device (k_detector.h): light stands band after band, numbers channel beside channel.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "k_detector.h"

/* means over the veil's cells, band after band */
__kernel void camera_mean(ty_k_detector d, __global const float *light, __global float *mean)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1) % d.coarse_h, b = (int)get_global_id(1) / d.coarse_h;
    if (i < d.coarse_w && b < d.bands) {
        mean[(b * d.coarse_h + j) * d.coarse_w + i] =
            ty_k_veil_mean(ty_k_detector_veil(&d), light + b * d.width * d.height, 1, d.width, i, j);
    }
}

__kernel void camera_stray(ty_k_detector d, __global const float *weight, __global const float *mean, __global float *stray)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1) % d.coarse_h, b = (int)get_global_id(1) / d.coarse_h;
    if (i < d.coarse_w && b < d.bands) {
        stray[(b * d.coarse_h + j) * d.coarse_w + i] =
            ty_k_veil_stray(ty_k_detector_veil(&d), weight, mean + b * d.coarse_w * d.coarse_h, i, j);
    }
}

/* ghosts, or the veil with dust on the lens behind it; in place */
__kernel void camera_veil(ty_k_detector d, int ghosts, __global const float *grid, __global const float *passed, __global float *light)
{
    int x = (int)get_global_id(0), y = (int)get_global_id(1) % d.height, b = (int)get_global_id(1) / d.height;
    if (x >= d.width || b >= d.bands) {
        return;
    }
    int at = y * d.width + x;
    __global float *to = light + b * d.width * d.height + at;
    ty_k_veil v = ty_k_detector_veil(&d);
    float value = *to;
    grid += b * d.coarse_w * d.coarse_h;
    if (ghosts) {
        value = (float)ty_k_veil_flared(v, grid, (ty_real)x + TY_R(0.5), (ty_real)y + TY_R(0.5), d.flare, (ty_real)value);
    } else {
        if (d.on & TY_K_DETECTOR_GLARE) {
            value = (float)ty_k_veil_glared(v, grid, (ty_real)x + TY_R(0.5), (ty_real)y + TY_R(0.5), d.glare, (ty_real)value);
        }
        value = d.on & TY_K_DETECTOR_DUST ? passed[at] * value : value;
    }
    *to = value;
}

__kernel void camera_defocus(ty_k_detector d, __global const float *light, __global const float *depth, __global float *out)
{
    int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (x >= d.width || y >= d.height) {
        return;
    }
    ty_real z = (ty_real)depth[y * d.width + x];
    ty_real diameter = ty_k_min(ty_k_defocus_diameter(d.g_defocus, d.focal, ty_k_defocus_distance(z), d.focus, d.f_number, d.pixel),
                                d.defocus_most);
    for (int b = 0; b < d.bands; b++) {
        int plane = b * d.width * d.height;
        out[plane + y * d.width + x] = (float)ty_k_defocused(light + plane, d.width, d.height, x, y, diameter);
    }
}

__kernel void camera_detect(ty_k_detector d, __global const float *light, __global const float *gain, __global const float *offset,
                            __global const float *rate, __global const uchar *dead, __global ushort *out)
{
    int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (x >= d.width || y >= d.height) {
        return;
    }
    int at = y * d.width + x, plane = d.width * d.height;
    ty_real c4 = TY_R(1.0), sum[3] = { TY_R(0.0), TY_R(0.0), TY_R(0.0) };
    if (d.on & TY_K_DETECTOR_VIGNETTING) {
        c4 = ty_k_vignetting(d.g_vignet, ty_k_axis_cos((ty_real)x + TY_R(0.5) - TY_R(0.5) * (ty_real)d.width,
                                                       (ty_real)y + TY_R(0.5) - TY_R(0.5) * (ty_real)d.height, d.focal / d.pixel));
    }
    for (int b = 0; b < d.bands; b++) {
        float value = light[b * plane + at];
        value = d.on & TY_K_DETECTOR_VIGNETTING ? (float)(c4 * (ty_real)value) : value;
        for (int c = 0; c < d.colors; c++) {
            sum[c] += d.per_radiance[c][b] * (ty_real)value;
        }
    }
    ty_k_detector_pixel p;
    p.gain = gain[at], p.offset = offset[at], p.rate = rate[at], p.dead = dead[at];
    int mosaic = (d.on & TY_K_DETECTOR_MOSAIC) != 0, channels = mosaic ? 1 : d.colors;
    for (int c = 0; c < channels; c++) {
        int of = mosaic ? ty_k_bayer(x + d.shift_x, y + d.shift_y) : c;
        ty_real number = ty_k_detector_read(&d, p, (ty_u32)(at * channels + c), (float)(of == 0 ? sum[0] : of == 1 ? sum[1] : sum[2]));
        if (d.wide) {
            out[at * channels + c] = (ushort)number;
        } else {
            ((__global uchar *)out)[at * channels + c] = (uchar)number;
        }
    }
}

/* colours from the pattern, white balance behind it */
__kernel void camera_colors(ty_k_detector d, __global const ushort *in, __global ushort *out)
{
    int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (x >= d.width || y >= d.height) {
        return;
    }
    for (int c = 0; c < 3; c++) {
        ty_real value;
        int kind = ty_k_demosaic_case(x + d.shift_x, y + d.shift_y, c), at = (y * d.width + x) * 3 + c;
        if (!(d.on & TY_K_DETECTOR_DEMOSAIC)) {
            value = d.wide ? (ty_real)in[at] : (ty_real)((__global const uchar *)in)[at];
        } else {
            ty_real sum = TY_R(0.0);
            for (int n = 0; n < 25; n++) {
                ty_real weight = ty_k_demosaic_weight(d.demosaic, kind, n % 5 - 2, n / 5 - 2);
                if (weight != TY_R(0.0)) {
                    int from = ty_k_mirror(y + n / 5 - 2, d.height) * d.width + ty_k_mirror(x + n % 5 - 2, d.width);
                    sum += weight * (d.wide ? (ty_real)in[from] : (ty_real)((__global const uchar *)in)[from]);
                }
            }
            value = kind == 0 ? sum : ty_k_clamp(sum, TY_R(0.0), d.full);
            value = ty_k_stored(value, d.full);
        }
        if (d.on & TY_K_DETECTOR_WHITE) {
            value = ty_k_stored(ty_k_min(d.b + d.white[c] * (value - d.b), d.full), d.full);
        }
        if (d.wide) {
            out[at] = (ushort)value;
        } else {
            ((__global uchar *)out)[at] = (uchar)value;
        }
    }
}
