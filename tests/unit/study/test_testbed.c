/* Soil files, tables of measured wheels, and fits: what was put in comes out, and what the data do
 * not determine is said to be so.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <unistd.h>
#include "tyt.h"
#include "tycho/math.h"
#include "tycho/tools/testbed.h"
#include "study/wheel_fit.h"

static const char *write_text(const char *text)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/tycho_testbed_%d", (int)getpid());
    FILE *file = fopen(path, "w");
    cr_assert(file);
    fputs(text, file);
    fclose(file);
    return path;
}

TY_TEST(testbed, soil_file)
{
    ty_soil_params soil;
    ty_diag diag = { 0 };
    const char *path = write_text("k_c: 1370\nphi_deg: 37.2 # [deg]\nbulldozing: false\n");
    const char *set[] = { "n0=1.25" };
    TY_CHECK(ty_soil_params_load(path, set, 1, &soil, &diag) == TY_OK);
    TY_NEAR(soil.k_c, 1370.0, 0.0);
    TY_NEAR(soil.phi, 37.2 * TY_DEG, 1e-15);
    TY_NEAR(soil.n0, 1.25, 0.0);
    TY_NEAR(soil.c, ty_soil_params_default().c, 0.0); /* not in the file */
    TY_CHECK(!soil.bulldozing);
    const struct {
        const char *text, *says;
        ty_status status;
    } wrong[] = { { "k_x: 1\n", "no key 'k_x'", TY_ERR_INPUT },    { "n0: nine\n", "takes a number", TY_ERR_INPUT },
                  { "n0: nan\n", "takes a number", TY_ERR_INPUT }, { "a: 1\nn0: 99\n", ":1:1", TY_ERR_INPUT },
                  { "c: 1\nn0: 99\n", ":2:5", TY_ERR_RANGE },      { "n0: [1]\n", "takes a number", TY_ERR_INPUT } };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ty_diag why = { 0 };
        TY_CHECK(ty_soil_params_load(write_text(wrong[i].text), NULL, 0, &soil, &why) == wrong[i].status);
        cr_expect(strstr(why.text, wrong[i].says), "%s: %s", wrong[i].says, why.text);
    }
    unlink(path);
}

TY_TEST(testbed, measured_table)
{
    tyi_study_wheel_set set;
    ty_diag diag = { 0 };
    const char *path = write_text("# a comment\nload,slip,beta_deg,fx,h,note\r\n"
                                  "80,0.1,30,5.5,0.01,\"a, b\"\r\n81,0.2,0,,0.02,x\n");
    TY_CHECK(tyi_study_wheel_load(path, NULL, &set, &diag) == TY_OK);
    TY_CHECK(set.points == 2 && set.plates == 0);
    TY_NEAR(set.point[0].beta, 30.0 * TY_DEG, 1e-15);
    TY_NEAR(set.point[0].fx, 5.5, 0.0);
    TY_CHECK(isnan(set.point[1].fx) && isnan(set.point[0].torque));
    TY_NEAR(set.point[1].h, 0.02, 0.0);
    tyi_study_wheel_free(&set);
    const char *const wrong[] = { "", "a,b\n1,2\n", "load,slip\n1,x\n", "load,slip\n1,\n", "load,slip\n" };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ty_diag why = { 0 };
        TY_CHECK(tyi_study_wheel_load(write_text(wrong[i]), NULL, &set, &why) != TY_OK);
        TY_CHECK(why.text[0]);
        tyi_study_wheel_free(&set);
    }
    unlink(path);
}

/* A soil is made up, measured by the model itself at a few slips, and found again. kx cannot be
 * told from data without slip: its error must say so. */
static tyi_study_soil_fit_result find(const tyi_study_wheel *point, size_t points, tyi_study_soil_fit_param param[3])
{
    ty_soil_params soil = ty_soil_params_default();
    tyi_study_soil_fit_def def = {
        .soil = soil, .wheel = { 0.1, 0.1, 0.0, 0 }, .point = point, .points = points, .param = param, .params = 3
    };
    def.soil.n0 = 1.1;
    tyi_study_soil_fit_result result;
    ty_diag diag = { 0 };
    cr_assert(tyi_study_soil_fit_run(&def, &result, NULL, &diag) == TY_OK, "%s", diag.text);
    return result;
}

TY_TEST(testbed, fit_finds_the_soil_again)
{
    ty_soil_params truth = ty_soil_params_default();
    ty_wheel_shape wheel = { 0.1, 0.1, 0.0, 0 };
    truth.k_phi = 2.3e6;
    truth.n0 = 1.1;
    truth.kx = 0.012;
    truth.c = 700.0;
    tyi_study_wheel point[8];
    for (int i = 0; i < 8; i++) {
        ty_wheel_steady m = { .load = 40.0 + 5.0 * (i % 3), .slip = 0.08 * i };
        ty_wheel_load at;
        double h;
        cr_assert(ty_wheel_static(&truth, &wheel, &m, &h, &at, NULL) == TY_OK);
        point[i] = (tyi_study_wheel){
            .load = m.load, .slip = m.slip, .v_x = NAN, .rim = NAN, .fx = at.fx, .fy = NAN, .torque = at.torque, .h = h
        };
    }
    tyi_study_soil_fit_param param[3] = { { .key = "k_phi", .start = 5e5, .low = 1e4, .high = 1e8 },
                                          { .key = "kx", .start = 0.03, .low = 1e-3, .high = 0.1 },
                                          { .key = "c", .start = 100.0, .low = 0.0, .high = 5000.0 } };
    tyi_study_soil_fit_result r = find(point, 8, param);
    TY_CHECK(r.converged);
    TY_NEAR_REL(param[0].value, 2.3e6, 1e-3);
    TY_NEAR_REL(param[1].value, 0.012, 1e-3);
    TY_NEAR_REL(param[2].value, 700.0, 1e-3);
    TY_NEAR(r.rms, 0.0, 1e-4);
    TY_CHECK(param[1].error < 0.01 * param[1].value);
    /* control: with noise of 1 % on the pull the errors grow to a believable size, and still cover the truth */
    for (int i = 0; i < 8; i++) {
        point[i].fx += (i % 2 ? 0.4 : -0.4);
    }
    r = find(point, 8, param);
    TY_CHECK(r.rms > 1e-3);
    TY_CHECK(param[1].error > 0.01 * param[1].value);
    TY_CHECK(fabs(param[1].value - 0.012) < 4.0 * param[1].error);
    /* control: only three numbers for three parameters are refused */
    tyi_study_soil_fit_result out;
    tyi_study_soil_fit_def few = {
        .soil = truth, .wheel = wheel, .point = point, .points = 1, .param = param, .params = 3
    };
    TY_CHECK(tyi_study_soil_fit_run(&few, &out, NULL, NULL) == TY_ERR_INPUT);
    param[0].key = "no";
    few.points = 8;
    TY_CHECK(tyi_study_soil_fit_run(&few, &out, NULL, NULL) == TY_ERR_INPUT);
}
