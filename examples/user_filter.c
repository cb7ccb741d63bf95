/* examples/user_filter.c - a filter of your own in a sensor's pipeline.
 *
 * A filter is a struct of functions: what it takes, what it makes of it, and how. Register its kind with the run,
 * and a scenario can name it: filters: [{type: user, name: edges, gain: 2}]. This one replaces each pixel by the
 * size of the step in brightness around it (Sobel's operator). The program then changes the pipeline between frames,
 * and tries something that cannot work.
 *
 *     user_filter [SCENARIO [IMAGE.png]]
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tycho/tools/draw.h>
#include <tycho/run.h>

/* ---- the filter ---- */

typedef struct edges {
    double gain;
} edges;

static double at(const ty_buffer *b, int x, int y)
{
    x = x < 0 ? 0 : x >= b->type.width ? b->type.width - 1 : x;
    y = y < 0 ? 0 : y >= b->type.height ? b->type.height - 1 : y;
    return ty_buffer_get(b, x, y, 0);
}

static ty_status edges_run(void *user, const ty_filter_call *call, ty_diag *diag)
{
    (void)diag;
    const edges *e = user;
    const ty_buffer *in = call->in;
    for (int y = 0; y < in->type.height; y++) {
        for (int x = 0; x < in->type.width; x++) {
            double across = at(in, x + 1, y - 1) + 2.0 * at(in, x + 1, y) + at(in, x + 1, y + 1) -
                            at(in, x - 1, y - 1) - 2.0 * at(in, x - 1, y) - at(in, x - 1, y + 1);
            double down = at(in, x - 1, y + 1) + 2.0 * at(in, x, y + 1) + at(in, x + 1, y + 1) - at(in, x - 1, y - 1) -
                          2.0 * at(in, x, y - 1) - at(in, x + 1, y - 1);
            ty_buffer_set(call->out, x, y, 0, e->gain * 0.125 * hypot(across, down));
        }
    }
    return TY_OK;
}

/* From the settings of the scenario. What it cannot use it refuses, with a sentence. */
static ty_status edges_make(const ty_settings *settings, void *user, ty_filter *out, ty_diag *diag)
{
    (void)user;
    const char *gain = ty_settings_get(settings, "gain");
    edges *e = malloc(sizeof *e);
    if (!e) {
        return ty_fail(diag, TY_ERR_MEMORY, "filter edges: no memory");
    }
    e->gain = gain ? atof(gain) : 1.0;
    if (!(e->gain > 0.0)) {
        ty_fail(diag, TY_ERR_RANGE, "filter edges: gain is '%s', but takes a number above 0", gain);
        free(e);
        return TY_ERR_RANGE;
    }
    /* it takes images of light with one channel; not in place, as it looks at pixels around */
    *out = (ty_filter){ .name = "edges",
                        .units = TY_BIT(TY_UNIT_RADIANCE),
                        .elements = TY_BIT(TY_ELEMENT_F32),
                        .channels = 1,
                        .run = edges_run,
                        .destroy = free,
                        .user = e };
    return TY_OK;
}

/* ---- the program ---- */

/* steps until the next image, and returns its mean */
static double next_image(ty_run *run, ty_diag *diag)
{
    uint64_t before = ty_run_sensor(run, 0).sequence;
    while (ty_run_sensor(run, 0).sequence == before) {
        if (ty_run_step(run, diag) != TY_OK) {
            return -1.0;
        }
    }
    const ty_buffer *b = &ty_run_newest(run, 0)->part[0].data;
    double sum = 0.0;
    for (int i = 0; i < b->type.width * b->type.height; i++) {
        sum += ty_buffer_get(b, i % b->type.width, i / b->type.width, 0);
    }
    return sum / (b->type.width * b->type.height);
}

static ty_status write_png(const ty_buffer *b, const char *path, ty_diag *diag)
{
    int n = b->type.width * b->type.height;
    uint8_t *pixel = malloc((size_t)n);
    double most = 1e-9;
    for (int i = 0; pixel && i < n; i++) {
        most = fmax(most, ty_buffer_get(b, i % b->type.width, i / b->type.width, 0));
    }
    for (int i = 0; pixel && i < n; i++) {
        pixel[i] = (uint8_t)(255.0 * pow(ty_buffer_get(b, i % b->type.width, i / b->type.width, 0) / most, 0.45));
    }
    ty_status status = pixel ? ty_png_write(path, b->type.width, b->type.height, 1, 8, pixel, diag)
                             : ty_fail(diag, TY_ERR_MEMORY, "no memory");
    free(pixel);
    return status;
}

int main(int argc, char **argv)
{
    ty_diag diag = { 0 }, refused = { 0 };
    ty_scenario *scenario = NULL;
    ty_run *run = NULL;
    const ty_filter_kind kind = { .name = "edges", .make = edges_make };
    ty_run_def def = ty_run_def_default();
    ty_status status = ty_scenario_load(argc > 1 ? argv[1] : "examples/user_filter.yaml", NULL, 0, &scenario, &diag);
    if (status == TY_OK) {
        def.scenario = scenario;
        def.filter_kind = &kind, def.filter_kinds = 1;
        def.detail = 256;
        status = ty_run_create(&def, &run, &diag);
    }
    if (status == TY_OK) {
        double with = next_image(run, &diag);
        printf("edges, then blur:  mean %.4f\n", with);
        if (argc > 2) {
            status = write_png(&ty_run_newest(run, 0)->part[0].data, argv[2], &diag);
        }
        ty_pipeline *p = ty_run_pipeline(run, 0);
        int mine = ty_pipeline_find(p, "edges");
        ty_pipeline_move(p, mine, -1, NULL); /* to the end */
        double moved = next_image(run, &diag);
        printf("blur, then edges:  mean %.4f\n", moved);
        ty_pipeline_remove(p, -1, NULL);
        double without = next_image(run, &diag);
        printf("edges removed:     mean %.4f\n", without);
        /* one that takes digital numbers, after one that gives light: refused when it is linked, and the pipeline stays
         * as it was */
        ty_filter misfit = { .name = "mine", .units = TY_BIT(TY_UNIT_DN), .run = edges_run };
        ty_pipeline_insert(p, -1, &misfit, NULL);
        ty_status link = ty_run_link(run, 0, &refused);
        printf("a misfit:          %s\n", refused.text);
        ty_pipeline_remove(p, -1, NULL);
        printf("and on:            mean %.4f\n", next_image(run, &diag));
        status = diag.status;
        /* smooth first: fewer edges; without the filter the image is brighter by far */
        bool fine = link == TY_ERR_INPUT && with > 0.0 && moved > 0.0 && moved < with && without > 2.0 * with;
        printf("%s\n", fine ? "as it should be" : "not as it should be");
        status = status == TY_OK && !fine ? TY_ERR_NUMERIC : status;
    }
    if (status != TY_OK) {
        fprintf(stderr, "user_filter: %s\n", diag.text);
    }
    ty_run_destroy(run);
    ty_scenario_destroy(scenario);
    return status == TY_OK ? 0 : status == TY_ERR_NUMERIC ? 1 : 2;
}
