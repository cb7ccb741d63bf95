/* tests/unit/io/test_table.c - the one reader of tables as text.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tyt.h"
#include "io/table.h"

static void fields_are(const char *text, bool loose, const char *want)
{
    char line[200], got[400] = "", *field[4];
    snprintf(line, sizeof line, "%s", text);
    int n = tyi_io_table_split(line, loose, field, 4);
    for (int i = 0; i < n && i < 4; i++) {
        strcat(strcat(got, "["), field[i]), strcat(got, "]");
    }
    strcat(got, n > 4 ? "+" : "");
    cr_expect(!strcmp(got, want), "'%s' gives %s, not %s", text, got, want);
}

/* what RFC 4180 says of quotes, and blanks, ends and too many fields */
TY_TEST(table, fields)
{
    fields_are("a,b,c", false, "[a][b][c]");
    fields_are(" a , b b ,\tc\t\r\n", false, "[a][b b][c]");
    fields_are("a,,c,", false, "[a][][c][]");
    fields_are("\"a,b\",\"c \"\"d\"\"\",\" e \"", false, "[a,b][c \"d\"][ e ]");
    fields_are("\"open,x", false, "[open,x]");
    fields_are("1,2,3,4,5", false, "[1][2][3][4]+");
    fields_are("   ", false, "");
    fields_are(",", false, "[][]");
    fields_are(" 1;2 3\t,4 ", true, "[1][2][3][4]");
    fields_are("1 2", false, "[1 2]"); /* control: blanks part fields of loose tables alone */
}

TY_TEST(table, rows)
{
    char path[] = "/tmp/tyt-table-XXXXXX";
    int file = mkstemp(path);
    const char *text = "# said before\n\na, b\r\n1,2\r#\n,\r\n 3 ,\"4\"";
    cr_assert(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    tyi_io_table t;
    ty_diag diag = { 0 };
    cr_assert(tyi_io_table_open(&t, path, 1000, &diag) == TY_OK, "%s", diag.text);
    TY_CHECK(tyi_io_table_lines(&t) >= 7);
    TY_CHECK(tyi_io_table_next(&t) && t.line == 3 && t.fields == 2 && !strcmp(t.field[1], "b"));
    TY_CHECK(tyi_io_table_next(&t) && t.line == 4 && !strcmp(t.field[1], "2"));
    TY_CHECK(tyi_io_table_next(&t) && t.line == 7 && !strcmp(t.field[0], "3") && !strcmp(t.field[1], "4"));
    TY_CHECK(!tyi_io_table_next(&t) && !t.fields);
    tyi_io_table_close(&t);
    TY_CHECK(tyi_io_table_open(&t, path, 10, &diag) == TY_ERR_FILE);
    tyi_io_table_close(&t);
    unlink(path);
    TY_CHECK(tyi_io_table_open(&t, path, 1000, NULL) == TY_ERR_FILE);
}

TY_TEST(table, numbers)
{
    double v;
    for (int k = 0; k < 2; k++) { /* also where numbers have commas, if there is such a locale */
        TY_CHECK(tyi_io_table_number("-1.5e3", &v) && v == -1500.0);
        TY_CHECK(!tyi_io_table_number("1,5", &v) && !tyi_io_table_number("1.5 m", &v) && !tyi_io_table_number("", &v));
        TY_CHECK(!tyi_io_table_number("nan", &v) && !tyi_io_table_number("1e999", &v));
        setlocale(LC_ALL, "de_DE.UTF-8");
    }
}
