/* examples/user_filter.c - a filter of one's own in a camera of a scenario: it marks where the image is brighter than its left neighbour.
 *
 *     cc user_filter.c $(pkg-config --static --cflags --libs tycho) -o user_filter
 *     ./user_filter scenario.yaml
 *
 * The scenario names it: filters: [{type: user, name: edges, gain: 4}]
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <tycho/run.h>

static ty_status run_edges(void *user, const ty_filter_call *call, ty_diag *diag)
{
    (void)diag;
    const double gain = *(const double *)user;
    for (int y = 0; y < call->in->type.height; y++) {
        for (int x = 0; x < call->in->type.width; x++) {
            double left = ty_buffer_get(call->in, x ? x - 1 : 0, y, 0);
            ty_buffer_set(call->out, x, y, 0, gain * (ty_buffer_get(call->in, x, y, 0) - left));
        }
    }
    return TY_OK;
}

/* called once for each sensor that names the filter; what it says about the data it takes is checked when the chain is linked */
static ty_status make_edges(const ty_settings *settings, void *user, ty_filter *out, ty_diag *diag)
{
    (void)user;
    const char *gain = ty_setting_of(settings, "gain");
    double *own = malloc(sizeof *own);
    if (!own) {
        return ty_fail(diag, TY_ERR_MEMORY, "filter edges: no memory");
    }
    *own = gain ? atof(gain) : 1.0;
    *out = (ty_filter){ .name = "edges", .units = TY_BIT(TY_UNIT_RADIANCE), .elements = TY_BIT(TY_ELEMENT_F32), .channels = 1,
                        .run = run_edges, .destroy = free, .user = own };
    return TY_OK;
}

static void receive(void *user, const ty_message *m)
{
    double least = 1e30, most = -1e30;
    const ty_buffer *image = &m->part[0].data;
    for (int y = 0; y < image->type.height; y++) {
        for (int x = 0; x < image->type.width; x++) {
            double v = ty_buffer_get(image, x, y, 0);
            least = v < least ? v : least;
            most = v > most ? v : most;
        }
    }
    printf("%s of %s at %.3f s: %.4g to %.4g W/m2/sr\n", m->sensor, m->rover, 1e-9 * (double)m->time.due, least, most);
    *(int *)user += least < 0.0; /* only a difference can be below zero */
}

int main(int argc, char **argv)
{
    ty_diag diag = { 0 };
    ty_scenario *scenario = NULL;
    ty_run *run = NULL;
    int marked = 0;
    const ty_filter_kind edges = { "edges", make_edges, NULL };
    ty_run_def def = ty_run_def_default();
    ty_status status = argc == 2 ? ty_scenario_load(argv[1], NULL, 0, &scenario, &diag) : ty_fail(&diag, TY_ERR_INPUT, "takes one scenario");
    def.scenario = scenario;
    def.filter_kind = &edges;
    def.filter_kinds = 1;
    status = status == TY_OK ? ty_run_create(&def, &run, &diag) : status;
    status = status == TY_OK ? ty_run_subscribe(run, NULL, NULL, receive, &marked, &diag) : status;
    while (status == TY_OK && !ty_run_done(run)) {
        status = ty_run_step(run, &diag);
    }
    if (status != TY_OK) {
        fprintf(stderr, "%s\n", diag.text);
    }
    ty_run_destroy(run);
    ty_scenario_destroy(scenario);
    return status == TY_OK && marked ? 0 : 1;
}
