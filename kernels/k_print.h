/* kernels/k_print.h - prints of lugs in soil, finer than the samples that keep them.
 *
 * A sample keeps in one word what the lugs left around it: a train of grooves with a direction, a pitch, a phase and a depth. Any place near it is
 * then known, however finely it is looked at.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_PRINT_H
#define TY_K_PRINT_H
#include "k_base.h"

/* Steps of the word: 256 of a turn for direction and phase, 1 mm of pitch up to 255 mm, 0.1 mm of depth up to 25.5 mm. */
#define TY_K_PRINT_PITCH TY_R(1e-3)
#define TY_K_PRINT_DEPTH TY_R(1e-4)

typedef struct ty_k_print {
    ty_real cx, cy; /* unit: where the train runs */
    ty_real wave;   /* [rad/m]; 0: no print */
    ty_real phase;  /* [rad] at the sample; a groove's middle where it is a multiple of 2 pi */
    ty_real depth;  /* [m] */
} ty_k_print;

/* The word; direction and phase [rad], pitch and depth [m]. 0: nothing worth keeping. */
TY_KFN ty_u32 ty_k_print_pack(ty_real direction, ty_real phase, ty_real pitch, ty_real depth)
{
    const ty_real turn = TY_R(256.0 / 6.283185307179586);
    ty_i32 p = (ty_i32)floor(pitch / TY_K_PRINT_PITCH + TY_R(0.5)),
           d = (ty_i32)floor(depth / TY_K_PRINT_DEPTH + TY_R(0.5));
    d = d > 255 ? 255 : d;
    if (p < 4 || p > 255 || d < 1) {
        return 0u;
    }
    ty_u32 a = (ty_u32)(ty_i32)floor(direction * turn + TY_R(0.5)) & 255u;
    ty_u32 f = (ty_u32)(ty_i32)floor((phase - TY_R(6.283185307179586) * floor(phase / TY_R(6.283185307179586))) * turn +
                                     TY_R(0.5)) &
               255u;
    return f | a << 8 | (ty_u32)p << 16 | (ty_u32)d << 24;
}

TY_KFN ty_k_print ty_k_print_unpack(ty_u32 word)
{
    const ty_real step = TY_R(6.283185307179586 / 256.0);
    ty_k_print p = { TY_R(1.0), TY_R(0.0), TY_R(0.0), TY_R(0.0), TY_R(0.0) };
    if (word) {
        ty_real a = (ty_real)(word >> 8 & 255u) * step;
        p.cx = cos(a), p.cy = sin(a);
        p.wave = TY_R(6.283185307179586) / ((ty_real)(word >> 16 & 255u) * TY_K_PRINT_PITCH);
        p.phase = (ty_real)(word & 255u) * step;
        p.depth = (ty_real)(word >> 24) * TY_K_PRINT_DEPTH;
    }
    return p;
}

/* Height [m], 0 to -depth, at x, y [m] from the sample: flat bottoms of 0.3 of the pitch between walls that take an eighth of it, as far as samples
 * of `spacing` [m] can show walls: regolith holds the prints of soles and ribs upright (photographs of Apollo 12). The shape is ours. */
TY_KFN ty_real ty_k_print_height(ty_k_print p, ty_real x, ty_real y, ty_real spacing)
{
    if (!(p.wave > TY_R(0.0))) {
        return TY_R(0.0);
    }
    ty_real turns = (p.phase + p.wave * (p.cx * x + p.cy * y)) * TY_R(1.0 / 6.283185307179586);
    ty_real away = fabs(turns - floor(turns + TY_R(0.5))); /* [pitches] from the middle of a groove */
    ty_real wall = ty_k_max(TY_R(0.125), TY_R(1.5) * spacing * p.wave * TY_R(1.0 / 6.283185307179586));
    ty_real u =
        ty_k_clamp((TY_R(0.15) + TY_R(0.5) * TY_R(0.125) + TY_R(0.5) * wall - away) / wall, TY_R(0.0), TY_R(1.0));
    return -p.depth * u * u * (TY_R(3.0) - TY_R(2.0) * u);
}

/* The trace that a sample of ruts has: how high the lugs' pattern stands there [m], in 254 steps of 0.16 mm; 0 untouched, 128 touched and flat. */
#define TY_K_PRINT_TRACE 0.02 /* [m] highest */
TY_KFN ty_real ty_k_print_trace(int trace)
{
    return trace ? (ty_real)(trace - 128) * TY_R(TY_K_PRINT_TRACE / 127.0) : TY_R(0.0);
}

#endif
