/* app/cmd_validate.c - `tycho validate`: compares Tycho with measurements and with itself, and
 * writes docs/validation.md.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "io/out_file.h"
#include "validate.h"

void validate_add(validate_book *book, validate_verdict verdict, const char *claim, const char *data,
                  const char *format, ...)
{
    static const char *const words[] = { "met", "**missed**", "reported", "not run" };
    va_list args;
    fprintf(book->out, "| %s | %s | ", claim, data);
    va_start(args, format);
    vfprintf(book->out, format, args);
    va_end(args);
    fprintf(book->out, " | %s | %s |\n", words[verdict],
            book->check        ? book->check
            : book->part_check ? book->part_check
                               : "");
    book->rows++;
    book->missed += verdict == VALIDATE_MISSED;
    book->absent += verdict == VALIDATE_ABSENT;
    book->reported += verdict == VALIDATE_REPORTED;
}

const char *validate_shared(validate_book *book, const char *name, const char *claim, char *path, size_t size)
{
    snprintf(path, size, "%s/%s", book->shared, name);
    if (access(path, R_OK)) {
        validate_add(book, VALIDATE_ABSENT, claim, name, "not run: no data");
        return NULL;
    }
    return path;
}

const char *validate_picture(validate_book *book, const char *name, char *path, size_t size)
{
    snprintf(path, size, "%s/pictures/%s", book->docs, name);
    return path;
}

enum { LONG = 12 }; /* checks that a part which this program computes takes the time of, roughly */

static bool wanted(const validate_book *book, const validate_part *part)
{
    return !book->only || strstr(part->title, book->only) != NULL;
}

static ty_status write_part(validate_book *book, const validate_part *part, const ty_progress *progress, ty_diag *diag)
{
    fprintf(book->out,
            "\n## %s\n\n| claim, with its bound | held against | error | verdict | check |\n|---|---|---|---|---|\n",
            part->title);
    book->part_check = part->check;
    ty_status status = part->cases ? validate_cases(book, part->cases, progress) : part->rows(book, diag);
    if (part->remarks) {
        fprintf(book->out, "\n%s", part->remarks);
    }
    return status;
}

static ty_status write_page(validate_book *book, const ty_progress *progress, ty_diag *diag)
{
    fprintf(
        book->out,
        "# Validation\n\n"
        "Written by `tycho validate`; do not edit. Each row: what is claimed with its bound, the data or the law it is held against, the\n"
        "error that was measured when this page was written, and the verdict. Every row is computed by running code: those of a\n"
        "unit test by that test (`check` leads to it, with the control that must fail), the others by `tycho validate` itself. Rows without a\n"
        "bound are *reported*; what is not met says **missed** and stays.\n");
    ty_status status = TY_OK;
    for (const validate_part *p = validate_parts; p->title; p++) {
        for (const validate_case *c = p->cases; wanted(book, p) && c && c->program; c++) {
            book->total++;
        }
        book->total += wanted(book, p) && !p->cases ? LONG : 0;
    }
    for (const validate_part *p = validate_parts; p->title && status == TY_OK; p++) {
        if (wanted(book, p)) {
            status = write_part(book, p, progress, diag);
            book->done += p->cases ? 0 : LONG;
            progress->report(progress->user, "checks", book->done, book->total);
        }
    }
    fprintf(book->out, "\n## In all\n\n%d rows: %d met, %d missed, %d reported, %d not run.\n", book->rows,
            book->rows - book->missed - book->absent - book->reported, book->missed, book->reported, book->absent);
    return status;
}

static int run(int argc, char **argv)
{
    const char *shared = app_option(&argc, argv, "--shared"), *docs = app_option(&argc, argv, "--docs"),
               *only = app_option(&argc, argv, "--only"), *tests = app_option(&argc, argv, "--tests");
    bool quiet = app_flag(&argc, argv, "--quiet");
    if (argc > 1) {
        return app_bad(
            "validate",
            "there is no option '%s', or its value is missing; it takes --shared, --docs, --only, --tests and --quiet.",
            argv[1]);
    }
    const char *set = getenv("TYCHO_SHARED");
    validate_book book = { .shared = shared        ? shared
                                     : set && *set ? set
                                                   : "../shared",
                           .docs = docs ? docs : "docs",
                           .only = only,
                           .tests = tests };
    char path[4096], pictures[4096];
    snprintf(path, sizeof path, "%s/validation.md", book.docs);
    snprintf(pictures, sizeof pictures, "%s/pictures", book.docs);
    mkdir(pictures, 0777); /* where it is already, good */
    ty_diag diag = { 0 };
    tyi_io_sink *page;
    if (tyi_io_sink_open(path, &page, &diag) != TY_OK) {
        return app_bad("validate", "%s; --docs takes a folder that exists.", diag.text);
    }
    book.out = tyi_io_sink_file(page);
    app_progress line;
    app_progress_start(&line, quiet);
    ty_progress progress = app_progress_hook(&line);
    ty_status status = write_page(&book, &progress, &diag);
    app_progress_end(&line);
    if (tyi_io_sink_close(page, status, &diag) != TY_OK) {
        return app_bad("validate", "%s.", diag.text);
    }
    printf("%s: %d rows, %d missed, %d without data\n", path, book.rows, book.missed, book.absent);
    return APP_OK;
}

const app_command app_cmd_validate = {
    "validate",
    "compare with measurements; write docs/validation.md",
    "usage: tycho validate [--shared DIR] [--docs DIR] [--tests DIR] [--only TEXT] [--quiet]\n\n"
    "Computes every row of the validation table and writes docs/validation.md with its pictures: about\n"
    "4 minutes on 2 cores. --shared is the folder of measured data (default: $TYCHO_SHARED, else ../shared);\n"
    "rows whose data is absent say so. --tests is the folder of the test programs, which measure most rows\n"
    "(default: that of this program). --only writes a page of the parts whose title has TEXT in it.\n\n"
    "example: tycho validate\n",
    run,
};
