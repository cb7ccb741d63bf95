/* app/cmd_eval.c - `tycho eval MODEL < in.csv > out.csv`: reads the table, calls the model row by row.
 * Nothing is written before the whole table has been read and evaluated.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "app.h"
#include "io/table.h"
#include "tycho/tools/eval.h"

typedef struct eval_state {
    const ty_eval_model *model;
    int inputs, outputs;
    const char *text[TY_EVAL_COLUMNS]; /* defaults, then --set, then the row */
    double number[TY_EVAL_COLUMNS];
    int column[TY_EVAL_COLUMNS]; /* input index of each CSV column; -1 is `id` */
    int columns;
    bool has_id;
} eval_state;

static int input_index(const eval_state *s, const char *name)
{
    for (int i = 0; i < s->inputs; i++) {
        if (!strcmp(s->model->inputs[i].name, name)) {
            return i;
        }
    }
    return -1;
}

static void accepted(const eval_state *s, char *text, size_t size)
{
    size_t used = 0;
    for (int i = 0; i < s->inputs && used < size; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", s->model->inputs[i].name);
    }
}

static ty_status set_value(eval_state *s, int i, const char *text, ty_diag *diag)
{
    const ty_eval_input *input = &s->model->inputs[i];
    s->text[i] = text;
    s->number[i] = 0.0;
    if (!input->is_text && !app_number(text, &s->number[i])) {
        return ty_fail(diag, TY_ERR_INPUT, "%s is '%s', but takes a finite number", input->name, text);
    }
    return TY_OK;
}

static ty_status read_header(eval_state *s, char *line, ty_diag *diag)
{
    char *field[TY_EVAL_COLUMNS + 1];
    s->columns = tyi_io_table_split(line, false, field, TY_EVAL_COLUMNS);
    if (s->columns > TY_EVAL_COLUMNS) {
        return ty_fail(diag, TY_ERR_INPUT, "line 1: more than %d columns", TY_EVAL_COLUMNS);
    }
    bool given[TY_EVAL_COLUMNS] = { false };
    for (int c = 0; c < s->columns; c++) {
        if (!strcmp(field[c], "id")) {
            s->column[c] = -1;
            s->has_id = true;
            continue;
        }
        int i = s->column[c] = input_index(s, field[c]);
        if (i < 0) {
            char names[768];
            accepted(s, names, sizeof names);
            return ty_fail(diag, TY_ERR_INPUT, "line 1: unknown column '%s'; %s takes id, %s", field[c], s->model->name,
                           names);
        }
        if (given[i]) {
            return ty_fail(diag, TY_ERR_INPUT, "line 1: column '%s' stands twice", field[c]);
        }
        given[i] = true;
    }
    for (int i = 0; i < s->inputs; i++) {
        if (!given[i] && !s->text[i]) {
            return ty_fail(diag, TY_ERR_INPUT, "line 1: column '%s' is needed and has no default",
                           s->model->inputs[i].name);
        }
    }
    return TY_OK;
}

static ty_status do_row(eval_state *s, char *line, FILE *out, ty_diag *diag)
{
    char *field[TY_EVAL_COLUMNS + 1];
    const char *id = "";
    double result[TY_EVAL_COLUMNS] = { 0 };
    int n = tyi_io_table_split(line, false, field, TY_EVAL_COLUMNS);
    if (n != s->columns) {
        return ty_fail(diag, TY_ERR_INPUT, "%d fields, but the header has %d", n, s->columns);
    }
    for (int c = 0; c < n; c++) {
        if (s->column[c] < 0) {
            id = field[c];
            continue;
        }
        ty_status status = set_value(s, s->column[c], field[c], diag);
        if (status != TY_OK) {
            return status;
        }
    }
    ty_eval_row row = { s->number, s->text, result };
    ty_status status = s->model->row(&row, diag);
    if (status != TY_OK) {
        return status;
    }
    if (s->has_id) {
        fprintf(out, strpbrk(id, ",\"") ? "\"%s\"," : "%s,", id);
    }
    for (int k = 0; k < s->outputs; k++) {
        fprintf(out, "%s%.17g", k ? "," : "", result[k]);
    }
    fputc('\n', out);
    return TY_OK;
}

static ty_status evaluate(eval_state *s, FILE *in, FILE *out, ty_diag *diag)
{
    char *line = NULL;
    size_t size = 0;
    long number = 0;
    ty_status status = TY_OK;
    while (status == TY_OK && getline(&line, &size, in) >= 0) {
        number++;
        ty_diag detail = { 0 };
        if (number == 1) {
            status = read_header(s, line, diag);
            fprintf(out, "%s", s->has_id ? "id," : "");
            for (int k = 0; k < s->outputs; k++) {
                fprintf(out, "%s%s", k ? "," : "", s->model->outputs[k]);
            }
            fputc('\n', out);
        } else if (line[0] != '\n' && line[0] != '\r') {
            status = do_row(s, line, out, &detail);
            if (status != TY_OK) {
                ty_fail(diag, status, "line %ld: %.900s", number, detail.text);
            }
        }
    }
    free(line);
    if (number == 0) {
        status = ty_fail(diag, TY_ERR_INPUT, "standard input is empty; a CSV table with a header is expected");
    }
    return status;
}

/* takes every --set key=value out of argv */
static ty_status take_settings(eval_state *s, int *argc, char **argv, ty_diag *diag)
{
    char *set;
    while ((set = (char *)(uintptr_t)app_option(argc, argv, "--set")) != NULL) {
        char *equals = strchr(set, '=');
        if (!equals) {
            return ty_fail(diag, TY_ERR_INPUT, "--set takes key=value, not '%s'", set);
        }
        *equals = '\0'; /* argv may be written to */
        int i = input_index(s, set);
        if (i < 0) {
            char names[768];
            accepted(s, names, sizeof names);
            return ty_fail(diag, TY_ERR_INPUT, "--set: unknown key '%s'; %s takes %s", set, s->model->name, names);
        }
        ty_status status = set_value(s, i, equals + 1, diag);
        if (status != TY_OK) {
            return status;
        }
    }
    return TY_OK;
}

static int run(int argc, char **argv)
{
    eval_state s = { 0 };
    size_t count;
    const ty_eval_model *const *models = ty_eval_models(&count);
    for (size_t i = 0; argc > 1 && i < count; i++) {
        if (!strcmp(argv[1], models[i]->name)) {
            s.model = models[i];
        }
    }
    if (!s.model) {
        char names[256] = "";
        for (size_t i = 0; i < count; i++) {
            strcat(strcat(names, i ? ", " : ""), models[i]->name);
        }
        return app_bad("eval", "takes a model: %s.", names);
    }
    ty_diag diag = { 0 };
    while (s.model->outputs[s.outputs]) {
        s.outputs++;
    }
    for (const ty_eval_input *in = s.model->inputs; in->name; in++) {
        s.inputs++;
        if (in->text) {
            set_value(&s, s.inputs - 1, in->text, &diag);
        }
    }
    char *buffer = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&buffer, &size);
    if (take_settings(&s, &argc, argv, &diag) == TY_OK && argc != 2) {
        ty_fail(&diag, TY_ERR_INPUT, "takes one model and --set key=value, not '%s'", argv[2]);
    }
    if (diag.status == TY_OK) {
        evaluate(&s, stdin, out, &diag);
    }
    fclose(out);
    if (diag.status == TY_OK && (fwrite(buffer, 1, size, stdout) != size || fflush(stdout))) {
        ty_fail(&diag, TY_ERR_FILE, "standard output cannot be written");
    }
    free(buffer);
    return diag.status == TY_OK ? APP_OK : app_bad("eval", "%s: %s.", s.model->name, diag.text);
}

const app_command app_cmd_eval = {
    "eval",
    "evaluate a formula on a table",
    "usage: tycho eval MODEL [--set key=value]... < in.csv > out.csv\n\n"
    "Reads a CSV table with a header. Columns that the model knows override its defaults and --set, `id` is\n"
    "copied, an unknown column is an error. Writes as many rows as it reads, numbers as %.17g.\n"
    "The functions are the very ones a simulation calls.\n\n"
    "example: printf 'utc,lat_deg,lon_deg\\n2024-08-12T00:00:00,-87.2,62.8\\n' | tycho eval sky\n",
    run,
};
