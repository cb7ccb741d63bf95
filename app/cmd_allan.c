/* app/cmd_allan.c - `tycho allan`: Allan deviation of a recording, and the noise that makes it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "allan.h"
#include "sensor/inertial/allan.h"

ty_status allan_analyse(const double *data, size_t n, bool phase, double rate, const char *terms, allan_curve *out,
                        ty_diag *diag)
{
    size_t m[TYI_INERTIAL_ALLAN_POINTS];
    out->n = n;
    out->count = tyi_inertial_allan_times(phase ? n - 1 : n, m);
    double *scratch = malloc((n + 1) * sizeof *scratch);
    if (!scratch) {
        return ty_fail(diag, TY_ERR_MEMORY, "no memory for %zu numbers", n);
    }
    ty_status status = tyi_inertial_allan(data, n, phase, rate, m, out->count, out->point, scratch, diag);
    free(scratch);
    return status == TY_OK && out->count >= 3
               ? tyi_inertial_allan_read(out->point, out->count, (double)n, terms, &out->noise, diag)
               : status;
}

static void print_table(const allan_curve *c)
{
    static const char *const names[] = {
#define NAME(id, name, what) name,
        TYI_INERTIAL_ALLAN_LIST(NAME)
    };
    printf("tau,m");
    for (int k = 0; k < TYI_INERTIAL_ALLAN_COUNT; k++) {
        printf(",%s", names[k]);
    }
    printf("\n");
    for (size_t i = 0; i < c->count; i++) {
        printf("%.10g,%zu", c->point[i].tau, c->point[i].m);
        for (int k = 0; k < TYI_INERTIAL_ALLAN_COUNT; k++) {
            double v = c->point[i].dev[k];
            isfinite(v) ? printf(",%.9g", v) : printf(",");
        }
        printf("\n");
    }
}

static void lowest(const allan_curve *c, double *dev, double *tau)
{
    *dev = (double)INFINITY;
    *tau = 0.0;
    for (size_t i = 0; i < c->count; i++) {
        if (c->point[i].dev[TY_ALLAN_OADEV] < *dev) {
            *dev = c->point[i].dev[TY_ALLAN_OADEV];
            *tau = c->point[i].tau;
        }
    }
}

/* JSON on standard output, or a line for people on standard error beside the table */
static void print_reading(const allan_curve *c, double rate, const char *unit, bool json)
{
    double low, tau;
    lowest(c, &low, &tau);
    const tyi_inertial_allan_noise *z = &c->noise;
    if (json) {
        printf("{\"samples\": %zu, \"rate_hz\": %.10g, \"Q\": %.9g, \"N\": %.9g, \"B\": %.9g, "
               "\"K\": %.9g, \"R\": %.9g, "
               "\"lowest\": %.9g, \"lowest_tau\": %.10g}\n",
               c->n, rate, z->Q, z->N, z->B, z->K, z->R, low, tau);
        return;
    }
    fprintf(stderr,
            "%zu samples at %g Hz: white noise N = %.4g %s/sqrt(Hz), bias instability B = %.4g %s, "
            "bias random walk "
            "K = %.4g %s/sqrt(s); lowest %.4g %s at %.4g s\n",
            c->n, rate, z->N, unit, z->B, unit, z->K, unit, low, unit, tau);
}

static int from_file(int argc, char **argv, bool json)
{
    double rate = 1.0, given = 0.0;
    const char *rate_text = app_option(&argc, argv, "--rate"), *column = app_option(&argc, argv, "--column");
    const char *terms = app_option(&argc, argv, "--terms"), *plot = app_option(&argc, argv, "--plot");
    const char *unit = app_option(&argc, argv, "--unit");
    bool phase = app_flag(&argc, argv, "--phase");
    const char *unknown = app_unknown_option(argc, argv);
    if (unknown) {
        return app_bad("allan", "there is no option '%s', or its value is missing; `tycho allan --help` lists them.",
                       unknown);
    }
    if (argc != 2) {
        return app_bad("allan", "takes one file of numbers, or --imu FILE.");
    }
    if (rate_text && (!app_number(rate_text, &given) || !(given > 0.0))) {
        return app_bad("allan", "--rate takes a positive number of samples per second, not '%s'.", rate_text);
    }
    ty_diag diag = { 0 };
    double *data;
    size_t n;
    if (allan_file(argv[1], column, &data, &n, &rate, &diag) != TY_OK) {
        return app_bad("allan", "%s", diag.text);
    }
    rate = rate_text ? given : rate;
    unit = unit ? unit : "unit";
    allan_curve curve = { .label = column ? column : argv[1] };
    ty_status status = allan_analyse(data, n, phase, rate, terms, &curve, &diag);
    free(data);
    if (status == TY_OK && plot) {
        status = allan_plot(plot, &curve, unit, &diag);
    }
    if (status != TY_OK) {
        return app_bad("allan", "%s", diag.text);
    }
    if (!json) {
        print_table(&curve);
    }
    print_reading(&curve, rate, unit, json);
    return APP_OK;
}

static int run(int argc, char **argv)
{
    bool json = app_flag(&argc, argv, "--json");
    const char *imu = app_option(&argc, argv, "--imu");
    if (!imu) {
        return from_file(argc, argv, json);
    }
    double hours = 3.0, seed = 1.0;
    const char *text = app_option(&argc, argv, "--hours"), *seed_text = app_option(&argc, argv, "--seed");
    const char *plot = app_option(&argc, argv, "--plot");
    if (argc != 1) {
        return app_bad("allan", "--imu takes --hours, --seed, --plot and --json, not '%s'.", argv[1]);
    }
    if (text && (!app_number(text, &hours) || !(hours >= 0.01 && hours <= 1000.0))) {
        return app_bad("allan", "--hours takes a number from 0.01 to 1000, not '%s'.", text);
    }
    if (seed_text && (!app_number(seed_text, &seed) || seed < 0.0 || seed != floor(seed))) {
        return app_bad("allan", "--seed takes a whole number, not '%s'.", seed_text);
    }
    return allan_imu(imu, hours, plot, (uint64_t)seed, json);
}

const app_command app_cmd_allan = {
    "allan",
    "Allan deviation of a recording, and its noise",
    "usage: tycho allan FILE [options]\n"
    "       tycho allan --imu FILE [--hours H] [--seed N] [--plot out.png] [--json]\n\n"
    "Reads a column of numbers (one per line, or a table with a header) and prints, as CSV, its "
    "overlapping\n"
    "Allan deviation and six relatives over averaging times of 1, 2, 4 ... and 10, 100 ... "
    "samples. Standard\n"
    "error tells what noise makes the curve: white noise N, bias instability B, bias random walk "
    "K.\n\n"
    "  --rate HZ      samples per second; without it from the column t or time, or 1\n"
    "  --column NAME  which column: its name, or its number from 1\n"
    "  --phase        the numbers are the integral (an angle, a clock's phase), not the rate\n"
    "  --terms NBK    which terms are fitted: letters of QNBKR (Q quantisation, R ramp)\n"
    "  --unit TEXT    the numbers' unit, for texts\n"
    "  --plot FILE    draws the curve, its parts and the reading (.png, .svg)\n"
    "  --json         the reading as one JSON object on standard output, instead of the table\n\n"
    "With --imu it simulates a unit of models/sensors at rest, and compares it with its data "
    "sheet.\n\n"
    "examples: tycho allan gyro.csv --rate 100 --column gyro_x --unit rad/s --plot allan.png\n"
    "          tycho allan --imu models/sensors/stim300.yaml --hours 10 --plot stim300.png\n",
    run,
};
