/* tests/support/tyt_csv.h - reads the reference tables of shared/vectors.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYT_CSV_H
#define TYT_CSV_H
#include <stdbool.h>
#include <stdio.h>

#define TYT_CSV_COLUMNS 64

/* One table, row by row. Fields stay valid until the next row. */
typedef struct tyt_csv {
    FILE *file;
    char *header, *line, *name[TYT_CSV_COLUMNS], *field[TYT_CSV_COLUMNS];
    int columns;
} tyt_csv;

bool tyt_csv_open(tyt_csv *csv, const char *path);
bool tyt_csv_next(tyt_csv *csv);                                  /* false at the end, which also closes the table */
const char *tyt_csv_text(const tyt_csv *csv, const char *column); /* "" where the field is empty */
double tyt_csv_number(const tyt_csv *csv, const char *column, double if_empty);

#endif
