/* src/fleet/report.c - report.html of a sweep: one page that holds all its pictures and asks for nothing from outside.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "report.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "io/out.h"
#include "record/page.h"

typedef struct page {
    const tyi_fleet_spec *spec;
    const tyi_fleet_table *t;
    const char *dir;
    FILE *f;
    size_t *worst;
    size_t worsts;
} page;

static void text(const page *p, const char *s)
{
    tyi_record_page_text(p->f, s);
}

static void cell_rate(const page *p, size_t success, size_t n)
{
    tyi_fleet_interval r = tyi_fleet_rate(success, n);
    fprintf(p->f, "<td class=\"num\">%zu</td><td class=\"num\">%.1f %%</td><td class=\"num\">%.1f to %.1f %%</td>", n,
            100.0 * r.value, 100.0 * r.low, 100.0 * r.high);
}

/* ---- in short ---- */

static void fact(const page *p, const char *what, const char *format, double value)
{
    fprintf(p->f, "<div><b>");
    fprintf(p->f, format, value); /* a literal of this file */
    fprintf(p->f, "</b><span>%s</span></div>\n", what);
}

static void in_short(const page *p)
{
    size_t done = 0, success = 0, n = p->t->rows;
    for (size_t i = 0; i < n; i++) {
        done += p->t->done[i];
        success += p->t->success[i];
    }
    tyi_fleet_interval r = tyi_fleet_rate(success, n);
    fprintf(p->f, "<div class=\"facts\">\n");
    fact(p, "success", "%.1f %%", 100.0 * r.value);
    fact(p, "at least, with 95 % confidence", "%.1f %%", 100.0 * r.low);
    fact(p, "at most", "%.1f %%", 100.0 * r.high);
    fact(p, "runs", "%.0f", (double)n);
    fact(p, "failed", "%.0f", (double)(n - done));
    fprintf(p->f, "</div>\n");
    if (n < p->spec->total) {
        fprintf(p->f, "<p><b>%zu of %zu runs are missing;</b> the sweep was stopped.</p>\n", p->spec->total - n,
                p->spec->total);
    }
    fprintf(p->f, "<p class=\"soft\">Success is ");
    for (size_t i = 0; i < p->spec->goals; i++) {
        const tyi_fleet_goal *g = &p->spec->goal[i];
        fprintf(p->f, "%s", i ? " and " : "");
        text(p, g->key);
        if (g->is[0]) {
            fprintf(p->f, " is '");
            text(p, g->is);
            fprintf(p->f, "'");
        }
        if (g->least > -1e299) {
            fprintf(p->f, " &#8805; %g", g->least);
        }
        if (g->most < 1e299) {
            fprintf(p->f, " &#8804; %g", g->most);
        }
    }
    fprintf(p->f, "%s. A run that failed is none. Intervals of rates: Wilson's score interval, 95 %%.</p>\n",
            p->spec->goals ? "" : "a run that reached its end");
}

/* ---- keys ---- */

static void levels(const page *p, size_t factor, size_t *order)
{
    tyi_fleet_group group[TYI_FLEET_GROUPS];
    bool texts;
    size_t n = tyi_fleet_groups(p->t, p->spec->varies, factor, order, group, &texts);
    fprintf(p->f, "<div><h3>");
    text(p, p->spec->vary[factor].key);
    fprintf(
        p->f,
        "</h3><div class=\"scroll\"><table><tr><th>%s</th><th class=\"num\">runs</th><th class=\"num\">success</th><th class=\"num\">95 %%</th></tr>\n",
        texts ? "value" : "about");
    for (size_t i = 0; i < n; i++) {
        fprintf(p->f, "<tr><td>");
        if (texts) {
            fprintf(p->f, "%zu: ", i + 1);
        }
        if (group[i].text) {
            text(p, group[i].text);
        } else {
            fprintf(p->f, "%.4g", group[i].x);
        }
        fprintf(p->f, "</td>");
        cell_rate(p, group[i].success, group[i].count);
        fprintf(p->f, "</tr>\n");
    }
    fprintf(p->f, "</table></div></div>\n");
}

static void curves(const page *p)
{
    char path[TYI_FLEET_PATH], caption[TYI_FLEET_KEY + 100];
    size_t *order = malloc((p->t->rows + 1) * sizeof *order);
    fprintf(p->f, "<h2>Success by what varies</h2>\n");
    snprintf(path, sizeof path, "%.*s/response_success.png", TY_PATH_MAX - 1, p->dir);
    tyi_record_page_picture(p->f, "plot", path, "Share of runs with success over each key; bars: 95 %");
    fprintf(p->f, "<div class=\"wide\">\n");
    for (size_t i = 0; order && i < p->spec->varies; i++) {
        levels(p, i, order);
    }
    fprintf(
        p->f,
        "</div>\n<h2>Response curves</h2>\n<p class=\"soft\">Each run a dot; means of runs with the same or near values, with the 95 %% interval of the mean.</p>\n");
    for (size_t i = 0; i < p->t->outputs; i++) {
        snprintf(path, sizeof path, "%.*s/response_%zu.png", TY_PATH_MAX - 1, p->dir, i);
        snprintf(caption, sizeof caption, "%.*s over each key", TYI_FLEET_KEY, p->spec->output[i].text);
        tyi_record_page_picture(p->f, "plot", path, caption);
    }
    free(order);
}

static int by_size(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static void outputs(const page *p)
{
    double *y = malloc((p->t->rows + 1) * sizeof *y);
    fprintf(
        p->f,
        "<h2>Outputs</h2>\n<div class=\"scroll\"><table><tr><th>key of summary.json</th><th class=\"num\">runs</th><th class=\"num\">mean</th><th class=\"num\">95 %% of the mean"
        "</th><th class=\"num\">least</th><th class=\"num\">5 %%</th><th class=\"num\">median</th><th class=\"num\">95 %%</th><th class=\"num\">largest</th></tr>\n");
    for (size_t i = 0; y && i < p->t->outputs; i++) {
        size_t n = 0;
        for (size_t r = 0; r < p->t->rows; r++) {
            y[n] = p->t->output[r * p->t->outputs + i];
            n += isfinite(y[n]) ? 1 : 0;
        }
        fprintf(p->f, "<tr><td>");
        text(p, p->spec->output[i].text);
        fprintf(p->f, "</td><td class=\"num\">%zu</td>", n);
        if (n) {
            qsort(y, n, sizeof *y, by_size);
            tyi_fleet_interval m = tyi_fleet_mean(y, n);
            fprintf(
                p->f,
                "<td class=\"num\">%.4g</td><td class=\"num\">%.4g to %.4g</td><td class=\"num\">%.4g</td><td class=\"num\">%.4g</td><td class=\"num\">%.4g</td>"
                "<td class=\"num\">%.4g</td><td class=\"num\">%.4g</td>",
                m.value, m.low, m.high, y[0], y[n / 20], y[n / 2], y[n - 1 - n / 20], y[n - 1]);
        }
        fprintf(p->f, "</tr>\n");
    }
    fprintf(p->f, "</table></div>\n");
    free(y);
}

/* ---- sensitivity ---- */

static void index_cell(const page *p, const tyi_fleet_interval *v)
{
    if (isnan(v->value)) {
        fprintf(p->f, "<td class=\"num\" colspan=\"2\">does not vary</td>");
        return;
    }
    fprintf(p->f, "<td class=\"num\">%.3f</td><td class=\"num\">%.3f to %.3f</td>", v->value, v->low, v->high);
}

static void sensitivity_of(const page *p, size_t output, double *room, size_t n)
{
    size_t k = p->spec->varies;
    double *a = room, *b = room + n, *ab = room + 2 * n;
    fprintf(p->f, "<h3>");
    text(p, p->spec->output[output].text);
    fprintf(
        p->f,
        "</h3><div class=\"scroll\"><table><tr><th>key</th><th class=\"num\">first order</th><th class=\"num\">95 %%</th><th class=\"num\">total</th><th class=\"num\">95 %%</th>"
        "<th>first order, total</th></tr>\n");
    for (size_t i = 0; i < k; i++) {
        for (size_t j = 0; j < 3 * n; j++) {
            room[j] = (double)NAN;
        }
        for (size_t r = 0; r < p->t->rows; r++) {
            size_t row = p->t->run[r] / (k + 2), which = p->t->run[r] % (k + 2);
            if (row < n && (which < 2 || which == 2 + i)) {
                (which == 0 ? a : which == 1 ? b : ab)[row] = p->t->output[r * p->t->outputs + output];
            }
        }
        tyi_fleet_index s = tyi_fleet_sobol_index(a, b, ab, n, (uint32_t)p->spec->seed);
        fprintf(p->f, "<tr><td>");
        text(p, p->spec->vary[i].key);
        fprintf(p->f, "</td>");
        index_cell(p, &s.first);
        index_cell(p, &s.total);
        fprintf(p->f, "<td style=\"min-width:10rem\">");
        const double part[2] = { s.first.value, s.total.value };
        for (int q = 0; q < 2 && !isnan(part[q]); q++) {
            fprintf(
                p->f,
                "<i style=\"display:block;height:.5rem;margin:.15rem 0;border-radius:2px;background:%s;width:%.1f%%\"></i>",
                q ? "#e69f00" : "#0072b2", 100.0 * fmin(fmax(part[q], 0.0), 1.0));
        }
        fprintf(p->f, "</td></tr>\n");
    }
    fprintf(p->f, "</table></div>\n");
}

static void sensitivity(const page *p)
{
    size_t n = (size_t)p->spec->runs;
    fprintf(p->f, "<h2>Sensitivity</h2>\n");
    if (p->spec->design != TYI_FLEET_SALTELLI) {
        fprintf(p->f, "<p class=\"soft\">Sobol's indices need <code>design: saltelli</code>.</p>\n");
        return;
    }
    fprintf(
        p->f,
        "<p class=\"soft\">Sobol's indices from %zu rows: the share of an output's variance that a key makes by itself (first order) and with "
        "all others (total), by the estimators of Jansen 1999 on the design of Saltelli et al. 2010; 95 %% by drawing rows anew 200 times.</p>\n",
        n);
    double *room = malloc(3 * n * sizeof *room);
    for (size_t i = 0; room && i < p->t->outputs; i++) {
        sensitivity_of(p, i, room, n);
    }
    free(room);
}

/* ---- failures and worst cases ---- */

static void failures(const page *p)
{
    size_t failed = 0, shown = 0;
    for (size_t i = 0; i < p->t->rows; i++) {
        failed += !p->t->done[i];
    }
    if (!failed) {
        return;
    }
    fprintf(
        p->f,
        "<h2>Runs that failed</h2>\n<div class=\"scroll\"><table><tr><th class=\"num\">run</th><th>why</th></tr>\n");
    for (size_t i = 0; i < p->t->rows && shown < 20; i++) {
        if (!p->t->done[i]) {
            fprintf(p->f, "<tr><td class=\"num\">%zu</td><td>", p->t->run[i]);
            text(p, p->t->sentence[i]);
            fprintf(p->f, "</td></tr>\n");
            shown++;
        }
    }
    fprintf(p->f, "</table></div>\n");
    if (failed > shown) {
        fprintf(p->f, "<p class=\"soft\">and %zu more; all are in runs.csv.</p>\n", failed - shown);
    }
}

typedef struct bad {
    int kind; /* 0 failed, 1 no success, 2 success */
    double value;
    size_t row;
} bad;

static int worse(const void *x, const void *y)
{
    const bad *a = x, *b = y;
    int c = a->kind != b->kind ? a->kind - b->kind : (a->value > b->value) - (a->value < b->value);
    return c ? c : (a->row > b->row) - (a->row < b->row);
}

static size_t worst_output(const tyi_fleet_spec *spec)
{
    size_t k = 0;
    while (k < spec->outputs && strcmp(spec->output[k].text, spec->worst_key)) {
        k++;
    }
    return k < spec->outputs ? k : 0;
}

static ty_status find_worst(page *p, ty_diag *diag)
{
    size_t n = p->t->rows, k = worst_output(p->spec), most = (size_t)p->spec->worst_count;
    bad *list = malloc((n + 1) * sizeof *list);
    p->worst = malloc((most + 1) * sizeof *p->worst);
    if (!list || !p->worst) {
        free(list);
        return ty_fail(diag, TY_ERR_MEMORY, "sweep: out of memory");
    }
    for (size_t i = 0; i < n; i++) {
        double y = p->t->output[i * p->t->outputs + k];
        list[i] = (bad){ !p->t->done[i]      ? 0
                         : !p->t->success[i] ? 1
                                             : 2,
                         isnan(y)             ? (double)INFINITY
                         : p->spec->worst_end ? -y
                                              : y,
                         i };
    }
    qsort(list, n, sizeof *list, worse);
    for (p->worsts = 0; p->worsts < most && p->worsts < n; p->worsts++) {
        p->worst[p->worsts] = list[p->worsts].row;
    }
    free(list);
    return TY_OK;
}

static void worst_folder(const page *p, size_t row, char out[TYI_FLEET_PATH])
{
    struct stat about;
    char map[TYI_FLEET_PATH + 20];
    snprintf(out, TYI_FLEET_PATH, "%.*s/%.50s", TY_PATH_MAX - 1, p->dir, p->t->folder[row]);
    snprintf(map, sizeof map, "%s/map.png", out);
    if (!p->t->folder[row][0] || stat(map, &about)) {
        snprintf(out, TYI_FLEET_PATH, "%.*s/worst/%08zu", TY_PATH_MAX - 1, p->dir, p->t->run[row]);
    }
}

/* a run once more, with pictures, in a process of its own */
static void draw_worst(const page *p, size_t row)
{
    char folder[TYI_FLEET_PATH], map[TYI_FLEET_PATH + 20];
    worst_folder(p, row, folder);
    snprintf(map, sizeof map, "%s/map.png", folder);
    if (p->spec->model[0] || !p->t->done[row] || access(map, F_OK) == 0) {
        return;
    }
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        size_t count = 0;
        char **settings = tyi_fleet_settings(p->spec, p->t->run[row], &count);
        tyi_fleet_remove(folder);
        if (settings && freopen("/dev/null", "w", stderr)) {
            tyi_fleet_once(p->spec, (const char *const *)settings, count, folder, true, true, NULL);
        }
        _exit(0);
    }
    if (child > 0) {
        waitpid(child, NULL, 0);
    }
}

static void worst(const page *p)
{
    size_t k = worst_output(p->spec);
    if (!p->worsts) {
        return;
    }
    fprintf(
        p->f,
        "<h2>Worst cases</h2>\n<p class=\"soft\">Runs that failed, then those without success, then by %s values of ",
        p->spec->worst_end ? "high" : "low");
    text(p, p->spec->output[k].text);
    fprintf(p->f, ".</p>\n");
    for (size_t i = 0; i < p->worsts; i++) {
        static const char *const picture[][2] = { { "overview.png", "The rover at the end" },
                                                  { "map.png", "Its path" },
                                                  { "plots.png", "Telemetry" } };
        size_t row = p->worst[i];
        char folder[TYI_FLEET_PATH], path[TYI_FLEET_PATH + 20], *command = tyi_fleet_command(p->spec, p->t->run[row]);
        fprintf(p->f, "<h3>Run %zu%s</h3>\n<p class=\"soft\">", p->t->run[row],
                !p->t->done[row]     ? ": failed"
                : p->t->success[row] ? ""
                                     : ": no success");
        if (p->t->done[row]) {
            text(p, p->spec->output[k].text);
            fprintf(p->f, " %.5g", p->t->output[row * p->t->outputs + k]);
        } else {
            text(p, p->t->sentence[row]);
        }
        fprintf(p->f, "</p>\n<pre><code>");
        text(p, command ? command : "");
        fprintf(p->f, "</code></pre>\n<div class=\"wide\">\n");
        free(command);
        worst_folder(p, row, folder);
        for (size_t q = 0; q < 3 && p->t->done[row]; q++) {
            snprintf(path, sizeof path, "%s/%s", folder, picture[q][0]);
            tyi_record_page_picture(p->f, "plot", path, picture[q][1]);
        }
        fprintf(p->f, "</div>\n");
    }
}

/* ---- the page ---- */

static void head(const page *p)
{
    static const char *const design[] = { "a grid", "random points", "a Latin hypercube", "points of Sobol's sequence",
                                          "Saltelli's design" };
    tyi_record_page_head(p->f, p->spec->name);
    fprintf(p->f, "<p class=\"soft\">");
    text(p, p->spec->model[0] ? p->spec->model : p->spec->scenario);
    fprintf(p->f, ", %s over ", design[p->spec->design]);
    for (size_t i = 0; i < p->spec->varies; i++) {
        fprintf(p->f, "%s", i ? ", " : "");
        text(p, p->spec->vary[i].key);
    }
    fprintf(p->f, ".</p>\n");
}

static void foot(const page *p)
{
    fprintf(p->f, "<h2>To repeat it</h2>\n<pre><code>tycho sweep ");
    text(p, p->spec->path);
    fprintf(
        p->f,
        "</code></pre>\n<p class=\"soft\">Tycho %s with %s; seed %llu. The same specification gives the same runs.csv and events.csv, byte by byte, on any number of "
        "processes. Wall times are in timing.csv alone.</p>\n</main></body></html>\n",
        ty_version(), ty_built_with(), (unsigned long long)p->spec->seed);
}

static ty_status write_page(page *p, ty_diag *diag)
{
    char path[TYI_FLEET_PATH];
    tyi_io_out out;
    snprintf(path, sizeof path, "%.*s/report.html", TY_PATH_MAX - 1, p->dir);
    ty_status status = tyi_io_out_open(&out, path, diag);
    if (status != TY_OK) {
        return status;
    }
    p->f = out.file;
    head(p);
    in_short(p);
    curves(p);
    outputs(p);
    sensitivity(p);
    failures(p);
    worst(p);
    foot(p);
    return tyi_io_out_close(&out, TY_OK, diag);
}

ty_status tyi_fleet_report(const tyi_fleet_spec *spec, const char *dir, bool pictures, ty_diag *diag)
{
    tyi_fleet_base *base = NULL;
    tyi_fleet_table t = { 0 };
    page p = { .spec = spec, .t = &t, .dir = dir };
    ty_status status = tyi_fleet_base_open(dir, spec, &base, diag);
    status = status == TY_OK ? tyi_fleet_base_table(base, &t, diag) : status;
    tyi_fleet_base_close(base);
    if (status == TY_OK && !t.rows) {
        status = ty_fail(diag, TY_ERR_INPUT, "%s holds no run yet", dir);
    }
    status = status == TY_OK ? find_worst(&p, diag) : status;
    for (size_t i = 0; i < p.worsts && pictures && status == TY_OK; i++) {
        char folder[TYI_FLEET_PATH];
        snprintf(folder, sizeof folder, "%.*s/worst", TY_PATH_MAX - 1, dir);
        mkdir(folder, 0777);
        draw_worst(&p, p.worst[i]);
    }
    status = status == TY_OK ? tyi_fleet_plot_success(spec, &t, dir, diag) : status;
    for (size_t i = 0; i < t.outputs && status == TY_OK; i++) {
        ty_diag none = { 0 };
        tyi_fleet_plot_output(spec, &t, i, dir, &none); /* an output without numbers has no curve */
    }
    status = status == TY_OK ? write_page(&p, diag) : status;
    free(p.worst);
    tyi_fleet_table_free(&t, spec->varies);
    return status;
}
