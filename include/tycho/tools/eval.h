/* include/tycho/tools/eval.h - formulas one by one: what `tycho eval` offers, the very functions that a run calls.
 *
 *     size_t count;
 *     const ty_eval_model *const *model = ty_eval_models(&count);
 *     ty_eval_row row = { number, text, out };
 *     status = model[0]->row(&row, &diag);
 *
 * Columns, units and what comes out: docs/howto.md and `tycho eval`. Threads: any number may evaluate at once.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_EVAL_H
#define TYCHO_EVAL_H
#include "tycho/base.h"
TY_BEGIN_DECLS

#define TY_EVAL_COLUMNS 64 /* at most, of inputs and of outputs */

typedef struct ty_eval_input {
    const char *name;
    const char *text; /* default, as text; NULL: it must be given */
    bool is_text;     /* not a number: arrives in the row's text */
} ty_eval_input;

typedef struct ty_eval_row {
    const double *number;    /* one per input; 0 for those that are text */
    const char *const *text; /* one per input; of a number not used */
    double *out;             /* one per output */
} ty_eval_row;

typedef struct ty_eval_model {
    const char *name;
    const ty_eval_input *inputs; /* ends with a NULL name */
    const char *const *outputs;  /* ends with NULL */
    /* TY_OK, or a status with a sentence about this row. */
    ty_status (*row)(const ty_eval_row *row, ty_diag *diag);
} ty_eval_model;

/* All of them: `count` pointers. */
TY_API const ty_eval_model *const *ty_eval_models(size_t *count);

TY_END_DECLS
#endif
