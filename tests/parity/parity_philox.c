/* Random numbers are the same bits on host and device; normal numbers go through log, sin and cos.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_philox.h"

/* 24 bits of a word are exact in float too */
PARITY_TO(philox_word0, (0, 1), (0, 0, 0), return (ty_real)(ty_k_philox(i, 7, i * 77u, 3, 42, 1000).v[0] >> 8);)
PARITY_TO(philox_word3, (0, 1), (0, 0, 0), return (ty_real)(ty_k_philox(1, i, 5, i, i, 9).v[3] & 0xffffffu);)
PARITY_TO(uniform, (0, 1), (0, 0, 0), return ty_k_uniform(i * 2654435761u);)
PARITY(normal_cos, (1e-7, 0.999, 0, 1), return ty_k_normal(a[0], a[1], 0);)
PARITY(normal_sin, (1e-7, 0.999, 0, 1), return ty_k_normal(a[0], a[1], 1);)
PARITY_FILE(k_philox)
