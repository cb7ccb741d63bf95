/* src/io/zip.h - ZIP archives [pkware-appnote]: plain entries, deflated or stored, as FMUs are made of.
 *
 * Not read: encrypted, split and ZIP64 archives, other ways of packing. Entries have no times, so that the same files give the same bytes.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_IO_ZIP_H
#define TYI_IO_ZIP_H
#include "out.h"

typedef struct tyi_io_zip {
    tyi_io_out out;
    struct tyi_io_zip_entry *entry;
    size_t entries, room;
    uint64_t at; /* [bytes] written so far */
} tyi_io_zip;

ty_status tyi_io_zip_open(tyi_io_zip *zip, const char *path, ty_diag *diag);
ty_status tyi_io_zip_add(tyi_io_zip *zip, const char *name, const void *data, size_t bytes, bool program,
                         ty_diag *diag);
ty_status tyi_io_zip_add_file(tyi_io_zip *zip, const char *name, const char *path, ty_diag *diag);
/* As tyi_io_out_close(): the file takes its place when all went well, else nothing is left of it. */
ty_status tyi_io_zip_close(tyi_io_zip *zip, ty_status status, ty_diag *diag);

/* Writes all entries of an archive below an existing folder. Names that lead out of it are refused. TY_ERR_FILE, TY_ERR_FORMAT,
 * TY_ERR_MEMORY. */
ty_status tyi_io_zip_extract(const char *path, const char *folder, ty_diag *diag);

#endif
