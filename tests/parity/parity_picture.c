/* Cosines and colours of compressed pictures on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_dct.h"

PARITY_TO(dct8, (0, 1), (1e-14, 1e-5, 1), return ty_k_dct8((int)(i & 7u), (int)(i >> 3 & 7u));)
PARITY_TO(jpeg_step, (0, 1), (0, 0, 1), return (ty_real)ty_k_jpeg_step((int)(i % 121u) + 1, (int)(i % 100u) + 1);)
PARITY_TO(luma, (0, 255, 0, 255, 0, 255), (1e-14, 1e-5, 255), ty_real y = ty_k_luma(a[0], a[1], a[2]);
          return ty_k_chroma_to_red(y, ty_k_chroma_red(y, a[0]));)
PARITY_FILE(k_dct)
