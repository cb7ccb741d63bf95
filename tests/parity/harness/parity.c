/* tests/parity/harness/parity.c - runs the parity cases.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tycho/device.h"
#include "parity.h"

#define POINTS 8192

float tyt_parity_table[TYT_PARITY_TABLE];

__attribute__((constructor)) static void fill_table(void)
{
    for (int n = 0; n < TYT_PARITY_TABLE; n++) {
        int row = n / TYT_PARITY_SIDE;
        double x = n % TYT_PARITY_SIDE, y = row;
        double ground = 0.6 * sin(0.7 * x + 0.2 * y) * cos(0.9 * y) + 0.4 * fmod(0.618033988749895 * n, 1.0);
        tyt_parity_table[n] = n < TYT_PARITY_TOP ? (float)ground : n < TYT_PARITY_BOTTOM ? 2.0f : -2.0f;
    }
}

static double round_to(double x, bool single)
{
    return single ? (double)(float)x : x;
}

/* Points over the box of ranges: its corners first (up to 1024 of them), then an additive
 * recurrence, which covers any number of dimensions evenly: x_k = frac(n g^-(k+1)), g^(inputs + 1)
 * = g + 1. */
static void fill_inputs(const tyt_parity *one, bool single, double *out)
{
    double g = 1.5;
    for (int k = 0; k < 60; k++) {
        g = pow(1.0 + g, 1.0 / (one->inputs + 1));
    }
    int corners = one->inputs <= 10 ? 1 << one->inputs : 1024;
    for (int n = 0; n < POINTS; n++) {
        for (int k = 0; k < one->inputs; k++) {
            double u = n < corners ? (double)(n >> (k % 10) & 1) : fmod(0.5 + n * pow(g, -(k + 1)), 1.0);
            double low = one->range[2 * k], high = one->range[2 * k + 1];
            out[n * one->inputs + k] = round_to(low + u * (high - low), single);
        }
    }
}

/* One kernel for all cases, because compiling a kernel is what takes the time. Case number `which`
 * has its inputs in rows of `inputs`. */
static char *make_source(const char *header, const tyt_parity *cases)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    fprintf(out, "#include \"%s\"\n", header);
    for (const tyt_parity *one = cases; one; one = one->next) {
        fprintf(out, "ty_real body_%s(const ty_real *a, ty_u32 i, TY_GLOBAL const float *table);\n", one->name);
        fprintf(out, "ty_real body_%s(const ty_real *a, ty_u32 i, TY_GLOBAL const float *table) { %s }\n", one->name,
                one->body);
    }
    fprintf(out,
            "__kernel void parity(__global const ty_real *in, __global ty_real *out, int inputs, "
            "int which, __global const float *table)\n"
            "{\n"
            "    ty_real a[%d], r = 0;\n"
            "    size_t i = get_global_id(0);\n"
            "    for (int k = 0; k < inputs; k++) { a[k] = in[i * inputs + k]; }\n"
            "    switch (which) {\n",
            TYT_PARITY_INPUTS);
    int which = 0;
    for (const tyt_parity *one = cases; one; one = one->next) {
        fprintf(out, "    case %d: r = body_%s(a, (ty_u32)i, table); break;\n", which++, one->name);
    }
    fprintf(out, "    }\n    out[i] = r;\n}\n");
    fclose(out);
    return text;
}

static double error_of(double host, double device, double scale)
{
    if (host == device || (isnan(host) && isnan(device))) {
        return 0.0;
    }
    if (!isfinite(host) || !isfinite(device)) {
        return INFINITY;
    }
    return fabs(host - device) / fmax(fabs(host), scale);
}

/* numbers travel in the kernel's precision */
static void pack(const double *from, size_t n, bool single, void *to)
{
    for (size_t i = 0; i < n; i++) {
        if (single) {
            ((float *)to)[i] = (float)from[i];
        } else {
            ((double *)to)[i] = from[i];
        }
    }
}

static double unpack(const void *from, size_t i, bool single)
{
    return single ? (double)((const float *)from)[i] : ((const double *)from)[i];
}

/* what one comparison runs on */
typedef struct bench {
    ty_device *device;
    ty_device_program *program;
    bool single;
} bench;

static ty_status run_device(const bench *b, const tyt_parity *one, int which, const double *input, void *result,
                            ty_diag *diag)
{
    bool single = b->single;
    size_t real = single ? sizeof(float) : sizeof(double);
    size_t n = (size_t)POINTS * (size_t)one->inputs;
    void *packed = malloc(n * real);
    pack(input, n, single, packed);
    ty_device_buffer *in = NULL, *out = NULL, *table = NULL;
    ty_status status = ty_device_buffer_create(b->device, n * real, packed, &in, diag);
    if (status == TY_OK) {
        status = ty_device_buffer_create(b->device, POINTS * real, NULL, &out, diag);
    }
    if (status == TY_OK) {
        status = ty_device_buffer_create(b->device, sizeof tyt_parity_table, tyt_parity_table, &table, diag);
    }
    if (status == TY_OK) {
        ty_device_arg args[] = { ty_device_arg_buffer(in), ty_device_arg_buffer(out),
                                 ty_device_arg_value(&one->inputs, sizeof(int)),
                                 ty_device_arg_value(&which, sizeof which), ty_device_arg_buffer(table) };
        ty_device_job job = { .kernel = "parity", .global = { POINTS }, .args = args, .arg_count = 5 };
        status = ty_device_run(b->program, &job, NULL, diag);
    }
    if (status == TY_OK) {
        status = ty_device_read(out, 0, POINTS * real, result, diag);
    }
    ty_device_buffer_destroy(in);
    ty_device_buffer_destroy(out);
    ty_device_buffer_destroy(table);
    free(packed);
    return status;
}

static ty_status compare(const bench *b, const tyt_parity *one, int which, tyt_parity_worst *worst, ty_diag *diag)
{
    double *input = calloc((size_t)POINTS * (size_t)one->inputs, sizeof *input);
    double *result = calloc(POINTS, sizeof *result);
    fill_inputs(one, b->single, input);
    ty_status status = run_device(b, one, which, input, result, diag);
    *worst = (tyt_parity_worst){ .error = -1.0, .points = POINTS };
    for (int n = 0; status == TY_OK && n < POINTS; n++) {
        double a[TYT_PARITY_INPUTS] = { 0 };
        memcpy(a, input + n * one->inputs, (size_t)one->inputs * sizeof *a);
        double host = one->host(a, (unsigned)n), there = unpack(result, (size_t)n, b->single);
        double error = error_of(host, there, one->limit[2]);
        if (error > worst->error) {
            worst->error = error;
            worst->host = host;
            worst->device = there;
            memcpy(worst->input, a, sizeof a);
        }
    }
    free(input);
    free(result);
    return status;
}

static void judge(const char *header, const tyt_parity *one, bool single, const tyt_parity_worst *worst)
{
    double bound = one->limit[single];
    char inputs[600] = "";
    size_t used = 0;
    for (int k = 0; k < one->inputs; k++) {
        used += (size_t)snprintf(inputs + used, sizeof inputs - used, "%s%.9g", k ? ", " : "", worst->input[k]);
    }
    const char *precision = single ? "float" : "double";
    cr_log_info("%s %s %s: worst %.3g, bound %.3g", header, one->name, precision, worst->error, bound);
    cr_expect(worst->error <= bound, "%s %s %s: C gives %.17g, OpenCL %.17g, error %.3g, bound %.3g at (%s)", header,
              one->name, precision, worst->host, worst->device, worst->error, bound, inputs);
}

/* Skips the case, saying why, where there is no device that can do it. */
static bench open_bench(const char *header, bool single, const tyt_parity *cases, ty_diag *diag)
{
    bench b = { .single = single };
    ty_device_def def = ty_device_def_default();
    def.name = getenv("TYCHO_DEVICE"); /* chooses one of several; NULL: any */
    if (ty_device_create(&def, &b.device, diag) != TY_OK) {
        cr_skip("%s", diag->text);
    }
    if (!single && !ty_device_get_info(b.device)->fp64) {
        ty_device_destroy(b.device);
        cr_skip("the device has no double precision");
    }
    cr_log_info("on %s: %s", ty_device_get_info(b.device)->platform, ty_device_get_info(b.device)->name);
    char *source = make_source(header, cases);
    ty_device_build(b.device, source, single ? TY_FLOAT : TY_DOUBLE, NULL, &b.program, diag);
    free(source);
    return b;
}

bool tyt_parity_compare(const char *header, bool single, const tyt_parity *cases, tyt_parity_worst *worst,
                        ty_diag *diag)
{
    bench b = open_bench(header, single, cases, diag);
    int which = 0;
    for (const tyt_parity *one = cases; diag->status == TY_OK && one; one = one->next, which++) {
        compare(&b, one, which, &worst[which], diag);
    }
    ty_device_program_destroy(b.program);
    ty_device_destroy(b.device);
    return diag->status == TY_OK;
}

void tyt_parity_check(const char *header, bool single, const tyt_parity *cases)
{
    ty_diag diag = { 0 };
    size_t count = 0;
    for (const tyt_parity *one = cases; one; one = one->next) {
        count++;
    }
    tyt_parity_worst *worst = calloc(count + 1, sizeof *worst);
    bool done = tyt_parity_compare(header, single, cases, worst, &diag);
    cr_expect(done, "%s: %s", header, diag.text);
    size_t which = 0;
    for (const tyt_parity *one = cases; done && one; one = one->next) {
        judge(header, one, single, &worst[which++]);
    }
    free(worst);
}
