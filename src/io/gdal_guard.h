/* src/io/gdal_guard.h - GDAL kept quiet: its messages become part of our sentences.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_IO_GDAL_GUARD_H
#define TYI_IO_GDAL_GUARD_H
#include <gdal.h>
#include <cpl_error.h>
#include "core/core.h"

/* Between begin and end, on this thread, nothing is printed; the first failure (or else warning) is kept. */
typedef struct tyi_io_gdal {
    bool failed;    /* a failure was reported, whatever the call returned */
    char text[400]; /* one line, no full stop; empty: nothing was reported */
} tyi_io_gdal;
void tyi_io_gdal_begin(tyi_io_gdal *gdal); /* also registers the drivers, once */
void tyi_io_gdal_end(tyi_io_gdal *gdal);
const char *tyi_io_gdal_text(const tyi_io_gdal *gdal); /* never empty */

#endif
