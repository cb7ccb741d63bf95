/* app/cmd_validate.c - `tycho validate`: compares Tycho with measurements and with itself, and
 * writes docs/validation.md.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "validate.h"

static const validate_part parts[] = {
    { "Single wheels, Bekker-Wong model", validate_wheel,
      "![Ding](pictures/validation_ding.png)\n![KLS-1, Rashid-1](pictures/validation_light.png)\n\n"
      "NRMSE is RMSE / (max - min) of the measured quantity. The points of Ding, KLS-1 and Rashid-1 were\n"
      "digitised approximately by others (`shared/data/README.md`), six or five per curve. How lugs enter the\n"
      "model was chosen among variants by the same six Ding points.\n\n"
      "Good: torque and drawbar pull of the lugged Ding wheel, shape over slip. Not good: drawbar of the\n"
      "smooth wheel at high slip (the model reaches the soil's full strength), sinkage with n1 = 0, and light\n"
      "wheels on firm soil: KLS-1 and Rashid-1 are missed by more than their whole range.\n" },
    { "CMU sand: fitted on some slip angles, tested on others", validate_cmu,
      "![CMU](pictures/validation_cmu.png)\n\n"
      "Bounded to slip -0.5 to 0.9, slip angle at most 45 deg, sinkage under 0.6 r. Not quite blind: that side\n"
      "slip deepens the sinkage was seen in the data of all angles. The published soil misses; the fitted one\n"
      "meets the aims.\n" },
    { "The rig of a run against the steady solution", validate_rig,
      "![rig](pictures/validation_rig.png)\n" },
    { "Soil columns (scm) in the rig", validate_scm,
      "![scm](pictures/validation_scm.png)\n\n"
      "Columns count shear displacement by the way of the rim, as Bekker and Wong do, lugs shear and push as there, and\n"
      "slip deepens the sinkage by the same n1. Not good: the drawbar pull of Ding's smooth wheel, as with Bekker-Wong: a smooth\n"
      "rim does not reach the soil's full strength, and neither model knows a friction of the rim itself.\n" },
    { "Rovers that climb", validate_slope,
      "![slopes](pictures/validation_slope.png)\n\n"
      "Slip is the mean of the four wheels, by the radius at which lugs shear the soil (0.247 m; the study counts by the tips, 0.25 m: at\n"
      "most 0.013 more). Soil: GRC-1 as published but for K, the same in all directions. The rover is MGRU3's mass on VIPER's geometry; its\n"
      "centre of mass is not known. Both models bend less than the measured slip does between 10 and 15 deg. In the loosest state that the\n"
      "study behind these data gives for GRC-1 they come closer, to within 0.03 with scm and near the measured slip at 25 deg; which state\n"
      "the beds had is not known. A soil that slopes weaken more is not what is missing: a single wheel on level GRC-3 (TREC) pulls 1.4 to 1.9\n"
      "times what MGRU3 does at the same slip, on 5 deg (1.5 to 1.7) as on 22 deg (1.5 to 1.6). What is missing is a wheel that pulls less than\n"
      "the soil's strength allows between slip 0.1 and 0.8, on level ground too; src/soil/README.md says what was tried.\n" },
    { "Rovers that turn", validate_turn,
      "![turns](pictures/validation_turn.png)\n\n"
      "All wheels turn at one speed, as in the experiment of Ishigami 2007; no measured track is at hand as numbers. The path to compare\n"
      "with is the one without slip, by geometry and by hard ground with wheel speeds that suit the circle. On hard ground at one speed the\n"
      "inner and outer wheels fight each other, and the rover turns wider than on soil, where the fight costs slip instead: four equal wheels\n"
      "under Coulomb friction alone come to the same radius. So \"the rigid path\" is no bound from outside.\n" },
    { "Traces", validate_trace,
      "![traces](pictures/validation_traces.png)\n" },
    { "Pictures: shadow and radiance of rendered ground", validate_light,
      "![pictures](pictures/validation_pictures.png)\n\n"
      "Fractal ground from above. Smith's law takes heights and slopes for independent; on fractal ground high places\n"
      "shade more than that, so that up to a tenth more lies in shadow. The terrain's own rays in double precision find the\n"
      "same share as the pictures (tests/unit/sim/test_measure_light.c).\n" },
};
enum { PARTS = sizeof parts / sizeof parts[0] };

void validate_add(validate_book *book, validate_verdict verdict, const char *claim,
                  const char *data, const char *format, ...)
{
    static const char *const words[] = { "met", "**missed**", "reported", "data absent" };
    va_list args;
    fprintf(book->out, "| %s | %s | ", claim, data);
    va_start(args, format);
    vfprintf(book->out, format, args);
    va_end(args);
    fprintf(book->out, " | %s |\n", words[verdict]);
    book->rows++;
    book->missed += verdict == VALIDATE_MISSED;
    book->absent += verdict == VALIDATE_ABSENT;
}

const char *validate_shared(validate_book *book, const char *name, const char *claim, char *path,
                            size_t size)
{
    snprintf(path, size, "%s/%s", book->shared, name);
    if (access(path, R_OK)) {
        validate_add(book, VALIDATE_ABSENT, claim, name, "-");
        return NULL;
    }
    return path;
}

const char *validate_picture(validate_book *book, const char *name, char *path, size_t size)
{
    snprintf(path, size, "%s/pictures/%s", book->docs, name);
    return path;
}

static ty_status write_page(validate_book *book, ty_diag *diag)
{
    fprintf(book->out,
            "# Validation\n\n"
            "Written by `tycho validate`; do not edit. Each row: what is claimed, the data it is held against, the\n"
            "error, and whether the aim is met. Rows without an aim are reported only.\n");
    ty_status status = TY_OK;
    for (int i = 0; i < PARTS && status == TY_OK; i++) {
        if (book->only && !strstr(parts[i].title, book->only)) {
            continue;
        }
        fprintf(book->out, "\n## %s\n\n| claim | data | error | verdict |\n|---|---|---|---|\n",
                parts[i].title);
        status = parts[i].rows(book, diag);
        if (parts[i].remarks) {
            fprintf(book->out, "\n%s", parts[i].remarks);
        }
    }
    return status;
}

static int run(int argc, char **argv)
{
    const char *shared = app_option(&argc, argv, "--shared"),
               *docs = app_option(&argc, argv, "--docs"),
               *only = app_option(&argc, argv, "--only");
    if (argc > 1) {
        return app_bad("validate", "there is no option '%s'; it takes --shared, --docs and --only.",
                       argv[1]);
    }
    const char *set = getenv("TYCHO_SHARED");
    validate_book book = { .shared = shared ? shared : set && *set ? set : "../shared",
                           .docs = docs ? docs : "docs",
                           .only = only };
    char path[4096], part[4096 + 8], pictures[4096];
    snprintf(path, sizeof path, "%s/validation.md", book.docs);
    snprintf(part, sizeof part, "%s.part", path);
    snprintf(pictures, sizeof pictures, "%s/pictures", book.docs);
    mkdir(pictures, 0777); /* where it is already, good */
    book.out = fopen(part, "w");
    if (!book.out) {
        return app_bad("validate", "%s cannot be written; --docs takes a folder that exists.",
                       path);
    }
    ty_diag diag = { 0 };
    ty_status status = write_page(&book, &diag);
    bool whole = !ferror(book.out);
    whole = !fclose(book.out) && whole && status == TY_OK && !rename(part, path);
    if (!whole) {
        unlink(part);
        return app_bad("validate", "%s.", status == TY_OK ? "the page cannot be written"
                                                          : diag.text);
    }
    printf("%s: %d rows, %d missed, %d without data\n", path, book.rows, book.missed, book.absent);
    return APP_OK;
}

const app_command app_cmd_validate = {
    "validate",
    "compare with measurements; write docs/validation.md",
    "usage: tycho validate [--shared DIR] [--docs DIR] [--only TEXT]\n\n"
    "Computes every row of the validation table and writes docs/validation.md with its pictures.\n"
    "--shared is the folder of measured data (default: $TYCHO_SHARED, else ../shared); rows whose\n"
    "data is absent say so. --only writes a page of the parts whose title has TEXT in it.\n\n"
    "example: tycho validate\n",
    run,
};
