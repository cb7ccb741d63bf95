/* src/io/spectrum.h - power spectra of lines of heights.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_IO_SPECTRUM_H
#define TYI_IO_SPECTRUM_H

/* Adds the periodogram of a line of n heights [m], d [m] apart, n a multiple of 4, to psd[1 .. n/2
 * - 1] [m3]: psd[k] stands for k / (n d) cycles per metre. cosine[i] = cos(2 pi i / n). The line is
 * changed. */
void tyi_io_spectrum_line(double *h, int n, double d, const double *cosine, double *psd);

#endif
