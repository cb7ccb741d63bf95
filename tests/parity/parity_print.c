/* Prints of lugs, on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_print.h"

PARITY_TO(grooves, (-0.02, 0.02, -0.02, 0.02), (1e-12, 1e-3, 0.02),
          ty_k_print p = ty_k_print_unpack(i * 2654435761u | 0x10200000u);
          return ty_k_print_height(p, a[0], a[1], TY_R(0.01));)
PARITY_TO(word, (0.01, 0.2, 0.001, 0.02), (1e-14, 1e-6, 1),
          return (ty_real)(ty_k_print_pack(TY_R(0.01), TY_R(0.01), TY_R(0.0602), TY_R(0.01004)) >> 8);)
PARITY_TO(trace, (0, 255), (1e-14, 1e-6, 1), return ty_k_print_trace((int)a[0]);)
PARITY_FILE(k_print)
