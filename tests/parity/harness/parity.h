/* tests/parity/harness/parity.h - the same kernel function as C and as OpenCL C, on the same inputs.
 *
 * One file for each kernel header, tests/parity/parity_NAME.c, one line for each function:
 *
 *     #include "parity.h"
 *     #include "k_shear.h"
 *     PARITY(janosi, (0, 1e4, 0, 0.1, 0, 500, 0, 1, 0.005, 0.05),
 *            return ty_k_shear_janosi(a[0], a[1], a[2], a[3], a[4]);)
 *     PARITY_FILE(k_shear)
 *
 * In parentheses stand low and high of each input a[0], a[1], ...; the rest is the body of a function that returns a
 * ty_real, in the C that both languages share; i (ty_u32) is the number of the point, and table (TY_GLOBAL const
 * float *) a table for functions that read arrays. The file is compiled twice, for double and for float
 * (TY_KERNEL_FLOAT), and makes one case of each. Inputs are rounded to the precision first, so that both sides see
 * the same numbers.
 *
 * PARITY asks for 1e-14 relative in double and 1e-5 in float (STYLE 3.6). Where a result crosses
 * zero, or another bound is derived, PARITY_TO(name, (ranges), (double bound, float bound, scale),
 * body) takes them: the error is |C - OpenCL| / max(|C|, scale). Bound 0 asks for equal numbers.
 * `test_parity --verbose` prints the worst of every function.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYT_PARITY_H
#define TYT_PARITY_H
#include "k_base.h"
#include "tyt.h"

#define TYT_PARITY_INPUTS 16
/* The table: 20 rows of 20 numbers between -1 and 1, smooth enough to be ground; then 400 times 2 and 400 times -2,
 * which bound any surface through them. */
enum { TYT_PARITY_SIDE = 20, TYT_PARITY_TOP = 400, TYT_PARITY_BOTTOM = 800, TYT_PARITY_TABLE = 1200 };
extern float tyt_parity_table[TYT_PARITY_TABLE];

typedef struct tyt_parity {
    const char *name;
    const char *body;                                /* what the device compiles */
    double (*host)(const double *input, unsigned i); /* the same, compiled as C */
    double range[2 * TYT_PARITY_INPUTS];             /* low, high of each input */
    int inputs;
    double limit[3]; /* bounds in double and in float, scale */
    struct tyt_parity *next;
} tyt_parity;

/* The worst case of one function. */
typedef struct tyt_parity_worst {
    double error; /* [-] |host - device| / max(|host|, scale); INFINITY where only one of them is a
                     number */
    double host, device;
    double input[TYT_PARITY_INPUTS];
    int points;
} tyt_parity_worst;

/* Builds one program of all cases and checks each against its bound. Skips where there is no device. */
void tyt_parity_check(const char *header, bool single, const tyt_parity *cases);
/* Compares without judging, one result for each case; false (with a sentence in diag) when the device failed. */
bool tyt_parity_compare(const char *header, bool single, const tyt_parity *cases, tyt_parity_worst *worst,
                        ty_diag *diag);

#ifdef TY_KERNEL_FLOAT
#define TYT_PARITY_SUITE  parity_float
#define TYT_PARITY_SINGLE true
#else
#define TYT_PARITY_SUITE  parity_double
#define TYT_PARITY_SINGLE false
#endif

static tyt_parity *tyt_parity_cases __attribute__((unused)); /* of this file, filled before main() */

#define TYT_UNPACK(...)                          __VA_ARGS__
#define TYT_TEST(suite, name)                    TYT_TEST_(suite, name)
#define TYT_TEST_(suite, name)                   TY_TEST(suite, name)
#define PARITY(function, ranges, ...)            TYT_PARITY(function, ranges, (1e-14, 1e-5, 0.0), #__VA_ARGS__, __VA_ARGS__)
#define PARITY_TO(function, ranges, limits, ...) TYT_PARITY(function, ranges, limits, #__VA_ARGS__, __VA_ARGS__)
#define TYT_PARITY(function, ranges, limits, text, ...)                                                              \
    static ty_real function##_body(const ty_real *a, ty_u32 i, const float *table)                                   \
    {                                                                                                                \
        (void)a;                                                                                                     \
        (void)i;                                                                                                     \
        (void)table;                                                                                                 \
        __VA_ARGS__                                                                                                  \
    }                                                                                                                \
    static double function##_host(const double *input, unsigned i)                                                   \
    {                                                                                                                \
        ty_real a[TYT_PARITY_INPUTS];                                                                                \
        for (int k = 0; k < TYT_PARITY_INPUTS; k++) {                                                                \
            a[k] = (ty_real)input[k];                                                                                \
        }                                                                                                            \
        return (double)function##_body(a, (ty_u32)i, tyt_parity_table);                                              \
    }                                                                                                                \
    static tyt_parity function##_case = { .name = #function,                                                         \
                                          .body = text,                                                              \
                                          .host = function##_host,                                                   \
                                          .range = { TYT_UNPACK ranges },                                            \
                                          .inputs =                                                                  \
                                              (int)(sizeof((double[]){ TYT_UNPACK ranges }) / (2 * sizeof(double))), \
                                          .limit = { TYT_UNPACK limits } };                                          \
    __attribute__((constructor)) static void function##_add(void)                                                    \
    {                                                                                                                \
        function##_case.next = tyt_parity_cases;                                                                     \
        tyt_parity_cases = &function##_case;                                                                         \
    }
/* ends the file: PARITY_FILE(k_shear) has the device include "k_shear.h" */
#define PARITY_FILE(header)                                                  \
    TYT_TEST(TYT_PARITY_SUITE, header)                                       \
    {                                                                        \
        tyt_parity_check(#header ".h", TYT_PARITY_SINGLE, tyt_parity_cases); \
    }

#endif
