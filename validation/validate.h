/* validation/validate.h - `tycho validate`: each part adds rows to the table of docs/validation.md. To add
 * a part: a function that calls validate_add(), and its line in the table of cmd_validate.c.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_APP_VALIDATE_H
#define TYCHO_APP_VALIDATE_H
#include <stdio.h>
#include "app.h"
#include "tycho/terrain.h"

typedef struct validate_book {
    FILE *out;          /* the page */
    const char *shared; /* folder of the data that is not part of the project */
    const char *docs;   /* folder of the page; pictures go to docs/pictures */
    const char *only;   /* parts whose title has this in it; NULL: all */
    const char *tests;  /* folder of the test programs; NULL: that of this program */
    const char *check;  /* where the row is tested too, with a control: Markdown; NULL: the part's */
    const char *part_check;
    int rows, missed, absent, reported;
    int done, total; /* checks, for the progress line */
} validate_book;

typedef enum validate_verdict {
    VALIDATE_MET,      /* the aim is met */
    VALIDATE_MISSED,   /* it is not */
    VALIDATE_REPORTED, /* no aim was set */
    VALIDATE_ABSENT    /* the data is not here */
} validate_verdict;

/* One row: claim, data, error as text, verdict. */
void validate_add(validate_book *book, validate_verdict verdict, const char *claim, const char *data,
                  const char *format, ...) TY_PRINTF(5, 6);
/* Path of a file below shared/, or NULL after adding a row that says it is absent. */
const char *validate_shared(validate_book *book, const char *name, const char *claim, char *path, size_t size);
/* Path of a picture, and its line in the page (written by validate_show after the table). */
const char *validate_picture(validate_book *book, const char *name, char *path, size_t size);

/* A case of a unit test that measures rows: build/test_<program> --filter <name>. */
typedef struct validate_case {
    const char *program, *name;
} validate_case;
/* Runs the cases, which end with a NULL program, and adds their rows. */
ty_status validate_cases(validate_book *book, const validate_case *cases, const ty_progress *progress);

/* A part writes its rows, or has cases that do, then the pictures and remarks under the table. */
typedef struct validate_part {
    const char *title;
    const validate_case *cases;
    ty_status (*rows)(validate_book *book, ty_diag *diag);
    const char *check;   /* the test of rows that this program computes itself */
    const char *remarks; /* Markdown under the table; NULL: none */
} validate_part;
extern const validate_part validate_parts[]; /* ends with a NULL title */

ty_status validate_wheel(validate_book *book, ty_diag *diag);
ty_status validate_cmu(validate_book *book, ty_diag *diag);
ty_status validate_rig(validate_book *book, ty_diag *diag);
ty_status validate_scm(validate_book *book, ty_diag *diag);
ty_status validate_light(validate_book *book, ty_diag *diag);
ty_status validate_slope(validate_book *book, ty_diag *diag);
ty_status validate_turn(validate_book *book, ty_diag *diag);
ty_status validate_trace(validate_book *book, ty_diag *diag);
ty_status validate_transfer(validate_book *book, ty_diag *diag);

/* Slope against slip of a wheel or rover, one series of the file. */
#define VALIDATE_SLIP_FILE "data/wheel/mgru3_trec_slope_vs_slip.csv"
enum { VALIDATE_SLIPS = 24 };
typedef struct validate_slip {
    const char *name, *label;
    int n;
    double slope[VALIDATE_SLIPS], slip[VALIDATE_SLIPS]; /* [deg], [-] */
} validate_slip;
/* Fills the series by their names. */
ty_status validate_slip_data(const char *path, validate_slip *series, int count, ty_diag *diag);
/* A wheel as MGRU3's in another soil: rows and a picture. */
ty_status validate_trec(validate_book *book, const char *path, ty_diag *diag);

/* A terrain that is a plane rising along x by *rise [-], which outlives it. */
ty_status validate_plane(const double *rise, ty_terrain **out, ty_diag *diag);

#endif
