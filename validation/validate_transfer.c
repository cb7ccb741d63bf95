/* validation/validate_transfer.c - numbers of studies that take hours: read from the tables that they leave in docs/, not computed again.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "io/table.h"
#include "validate.h"

enum { MOST = 1 << 20, LINE = 400 };

/* the table below docs/, with its header taken; a row that says so where it is not there */
static bool open_table(validate_book *book, const char *name, const char *claim, char *path, tyi_io_table *t)
{
    ty_diag why = { 0 };
    snprintf(path, LINE, "%.300s/%s", book->docs, name);
    if (tyi_io_table_open(t, path, MOST, &why) != TY_OK || !tyi_io_table_next(t)) {
        validate_add(book, VALIDATE_ABSENT, claim, name, "not run: no table");
        return false;
    }
    return true;
}

static double number(const tyi_io_table *t, int field)
{
    double value = 0.0;
    return field < t->fields && tyi_io_table_number(t->field[field], &value) ? value : 0.0;
}

/* columns of transfer.csv: row, seeds, then mean, low, high of IoU large, small, rock, AP large, small, rock */
enum { SEEDS = 1, IOU_ROCK = 8, AP_ROCK = 17 };

static ty_status segmentation(validate_book *book)
{
    static const struct {
        const char *row, *what;
    } rows[] = { { "old", "old ground (5265e9b)" },
                 { "new", "new ground" },
                 { "new_lambert", "new ground, Lambert" },
                 { "new_ideal", "new ground, ideal camera" },
                 { "new_fixed", "new ground, one Sun, one albedo" },
                 { "old_new", "old and new ground" },
                 { "real", "photographs of other scenes: the ceiling" },
                 { "brightness", "nothing, brightness alone: the control" } };
    char path[LINE], claim[LINE];
    tyi_io_table t;
    if (!open_table(book, "transfer.csv", "rocks in photographs by a network", path, &t)) {
        return TY_OK;
    }
    while (tyi_io_table_next(&t)) {
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
            if (strcmp(t.field[0], rows[k].row) == 0) {
                snprintf(claim, sizeof claim, "rocks in photographs, learnt from %s: IoU and average precision, 95 %%",
                         rows[k].what);
                validate_add(book, VALIDATE_REPORTED, claim, "18 photographs of Chang'e-3",
                             "%.1f %% (%.1f to %.1f), %.1f %% (%.1f to %.1f); %g seed%s", 100.0 * number(&t, IOU_ROCK),
                             100.0 * number(&t, IOU_ROCK + 1), 100.0 * number(&t, IOU_ROCK + 2),
                             100.0 * number(&t, AP_ROCK), 100.0 * number(&t, AP_ROCK + 1),
                             100.0 * number(&t, AP_ROCK + 2), number(&t, SEEDS), number(&t, SEEDS) > 1.0 ? "s" : "");
            }
        }
    }
    tyi_io_table_close(&t);
    return TY_OK;
}

static ty_status patches(validate_book *book)
{
    static const char *const row[][2] = { { "old", "old ground from Apollo 11" },
                                          { "new", "new ground from Apollo 11" },
                                          { "floor", "Apollo 12 from Apollo 11: the floor" } };
    char path[LINE], claim[LINE];
    tyi_io_table t;
    if (!open_table(book, "transfer_patches.csv", "patches told apart", path, &t)) {
        return TY_OK;
    }
    while (tyi_io_table_next(&t)) {
        for (size_t k = 0; k < 3; k++) {
            if (strcmp(t.field[0], row[k][0]) == 0) {
                snprintf(claim, sizeof claim, "a classifier tells %s: AUC (0.5: it cannot)", row[k][1]);
                validate_add(book, VALIDATE_REPORTED, claim, "patches of 64 x 64 pixels, frames left out",
                             "%.2f (folds %.2f to %.2f); %g seed%s", number(&t, 1), number(&t, 2), number(&t, 3),
                             number(&t, 4), number(&t, 4) > 1.0 ? "s" : "");
            }
        }
    }
    tyi_io_table_close(&t);
    return TY_OK;
}

/* columns of transfer_photometry.csv: ground, then share of shadow, 10 and 90 % values at two frames, then brightness by
 * phase; the film comes first */
static ty_status photometry(validate_book *book)
{
    enum { DARK_5937 = 1, HIGH_5937 = 3, DARK_5851 = 4, HIGH_5851 = 6, PHASE_40 = 13 };
    char path[LINE], claim[LINE];
    tyi_io_table t;
    double film[PHASE_40 + 1] = { 0 };
    if (!open_table(book, "transfer_photometry.csv", "shadow, spread and phase at eye height", path, &t)) {
        return TY_OK;
    }
    while (tyi_io_table_next(&t)) {
        if (strncmp(t.field[0], "film", 4) == 0) {
            for (int k = 1; k <= PHASE_40; k++) {
                film[k] = number(&t, k);
            }
            continue;
        }
        snprintf(
            claim, sizeof claim,
            "%.40s at eye height: below 0.15 of the median and 90 %% value (two frames), brightness at 40 over 5 deg "
            "of phase (film: %.1f %%, %.2f; %.1f %%, %.2f; %.2f)",
            t.field[0], 100.0 * film[DARK_5937], film[HIGH_5937], 100.0 * film[DARK_5851], film[HIGH_5851],
            film[PHASE_40]);
        validate_add(book, VALIDATE_REPORTED, claim, "AS11-40-5937, -5851, -5961", "%.1f %%, %.2f; %.1f %%, %.2f; %.2f",
                     100.0 * number(&t, DARK_5937), number(&t, HIGH_5937), 100.0 * number(&t, DARK_5851),
                     number(&t, HIGH_5851), number(&t, PHASE_40));
    }
    tyi_io_table_close(&t);
    return TY_OK;
}

/* columns of transfer_fill.csv: film, or how many surfaces light has met; quartiles of a shaded wall, then of soil */
static ty_status fill_light(validate_book *book)
{
    enum { WALL = 2, SOIL = 5 };
    char path[LINE], claim[LINE];
    tyi_io_table t;
    double film[2] = { 0.0, 0.0 };
    if (!open_table(book, "transfer_fill.csv", "light that fills shadows", path, &t)) {
        return TY_OK;
    }
    while (tyi_io_table_next(&t)) {
        if (strcmp(t.field[0], "film") == 0) {
            film[0] = number(&t, WALL), film[1] = number(&t, SOIL);
        } else if (strcmp(t.field[0], "3") == 0) {
            snprintf(
                claim, sizeof claim,
                "a boulder's shaded wall and the shadow on soil over lit rock, light of three surfaces (film: %.3f, "
                "%.3f)",
                film[0], film[1]);
            validate_add(book, VALIDATE_REPORTED, claim, "AS17-138-21030", "%.3f, %.3f", number(&t, WALL),
                         number(&t, SOIL));
        }
    }
    tyi_io_table_close(&t);
    return TY_OK;
}

/* columns of task.csv: field, heights, rocks (F1), points */
static ty_status task(validate_book *book)
{
    char path[LINE];
    tyi_io_table t;
    double n = 0.0, heights = 0.0, rocks = 0.0, points = 0.0, least = 600.0, most = 0.0;
    if (!open_table(book, "task.csv", "the scored task's baseline", path, &t)) {
        return TY_OK;
    }
    while (tyi_io_table_next(&t)) {
        double p = number(&t, 3);
        n += 1.0;
        heights += number(&t, 1);
        rocks += number(&t, 2);
        points += p;
        least = p < least ? p : least;
        most = p > most ? p : most;
    }
    tyi_io_table_close(&t);
    validate_add(book, VALIDATE_REPORTED, "the scored task's baseline on held-out fields: points of 600",
                 "the ground itself, 16 rays a cell",
                 "mean %.0f (%.0f to %.0f) of %g fields; heights within 5 cm %.1f %%, F1 of rocks %.2f", points / n,
                 least, most, n, 100.0 * heights / n, rocks / n);
    return TY_OK;
}

ty_status validate_transfer(validate_book *book, ty_diag *diag)
{
    (void)diag;
    ty_status status = segmentation(book);
    status = status == TY_OK ? patches(book) : status;
    status = status == TY_OK ? photometry(book) : status;
    status = status == TY_OK ? fill_light(book) : status;
    return status == TY_OK ? task(book) : status;
}
