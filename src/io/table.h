/* src/io/table.h - tables as text (CSV): the one reader of all of them.
 *
 * A row is a line; fields are parted by commas, without the blanks around them. "..." holds commas, "" in it stands for ". Lines that are
 * empty (but for commas) or begin with # are no rows. Numbers have decimal points, whatever the locale.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_IO_TABLE_H
#define TYI_IO_TABLE_H
#include "tycho/base.h"

#define TYI_IO_TABLE_FIELDS 256

typedef struct tyi_io_table {
    const char *path;
    bool loose; /* blanks and semicolons part fields, too, any number of them */
    int line;   /* number of the row last taken, from 1 */
    int fields; /* and its fields; one more than TYI_IO_TABLE_FIELDS: it has more */
    char *field[TYI_IO_TABLE_FIELDS];
    char *text, *at;
    size_t bytes;
} tyi_io_table;

/* A file of at most `most` bytes; its lines are taken by tyi_io_table_next(). The path is not copied. */
ty_status tyi_io_table_open(tyi_io_table *t, const char *path, size_t most, ty_diag *diag);
void tyi_io_table_close(tyi_io_table *t);
/* No more rows than this are left. */
size_t tyi_io_table_lines(const tyi_io_table *t);
/* The next row into t->field; false: there is none. */
bool tyi_io_table_next(tyi_io_table *t);
/* One line, split in place; the number of fields, `most` + 1 where there are more. */
int tyi_io_table_split(char *line, bool loose, char **field, int most);
/* Whether all of the text is one finite number. */
bool tyi_io_table_number(const char *text, double *out);

#endif
