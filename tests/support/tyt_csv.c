/* tests/support/tyt_csv.c - CSV with quotes, as Python's csv module writes it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "tyt_csv.h"

static char *read_line(FILE *file)
{
    char *line = NULL;
    size_t size = 0;
    if (getline(&line, &size, file) < 0) {
        free(line);
        return NULL;
    }
    line[strcspn(line, "\r\n")] = '\0';
    return line;
}

static int split(char *line, char **field)
{
    int n = 0;
    for (char *read = line; n < TYT_CSV_COLUMNS; read++) {
        char *write = field[n++] = read;
        for (bool quoted = false; *read && (quoted || *read != ','); read++) {
            if (*read == '"' && quoted && read[1] == '"') {
                *write++ = *read++;
            } else if (*read == '"') {
                quoted = !quoted;
            } else {
                *write++ = *read;
            }
        }
        bool last = *read == '\0';
        *write = '\0';
        if (last) {
            break;
        }
    }
    return n;
}

bool tyt_csv_open(tyt_csv *csv, const char *path)
{
    *csv = (tyt_csv){ .file = fopen(path, "r") };
    csv->header = csv->file ? read_line(csv->file) : NULL;
    csv->columns = csv->header ? split(csv->header, csv->name) : 0;
    cr_expect(csv->columns > 0, "%s cannot be read", path);
    return csv->columns > 0;
}

bool tyt_csv_next(tyt_csv *csv)
{
    free(csv->line);
    csv->line = read_line(csv->file);
    if (!csv->line) {
        fclose(csv->file);
        free(csv->header);
        return false;
    }
    cr_assert(split(csv->line, csv->field) == csv->columns, "a row with another number of fields than the header");
    return true;
}

const char *tyt_csv_text(const tyt_csv *csv, const char *column)
{
    for (int k = 0; k < csv->columns; k++) {
        if (!strcmp(csv->name[k], column)) {
            return csv->field[k];
        }
    }
    cr_assert(false, "there is no column '%s'", column);
    return "";
}

double tyt_csv_number(const tyt_csv *csv, const char *column, double if_empty)
{
    const char *text = tyt_csv_text(csv, column);
    return *text ? strtod(text, NULL) : if_empty;
}
