/* tests/unit/sim/test_soils.c - the soil world of a run: soils by region, one soil for all rovers, a user's own model.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "support.h"
#include <unistd.h>
#include "tycho/soil.h"
#include "tycho/tools/raster.h"
#include "io/rasters.h"

static small *flat(void)
{
    small *s = small_make();
    s->scenario.terrain.relief.rms_slope_deg = 0.0;
    s->scenario.soil.model = TY_SOIL_BEKKER;
    return s;
}

/* drives over a border at x = 1.5 m: sinkage before and after it, and where it changes */
static void cross(small *s, const char *how)
{
    double before = 0.0, after = 0.0, from = 0.0, to = 0.0;
    small_create(s);
    for (int i = 0; i < 400; i++) {
        ty_vehicle_state v;
        small_steps(s, 0.05);
        ty_vehicle_get(ty_run_rover(s->run, 0), &v);
        double x = v.wheel[0].p_W.x, h = v.wheel[0].sinkage;
        if (x < 1.2 && i > 60) {
            before = h;
        } else if (x > 1.9 && x < 2.5) {
            after = h;
        }
        from = before > 0.0 && from == 0.0 && fabs(h - before) > 0.1 * before ? x : from;
        to = before > 0.0 && h > 0.5 * before ? x : to;
        if (x > 2.5) {
            break;
        }
    }
    printf("%s: sinkage %.1f mm on soft soil, %.1f mm on hard ground; it changes from x = %.2f to %.2f m\n", how,
           1e3 * before, 1e3 * after, from, to);
    TY_CHECK(before > 0.01 && after < 0.005);
    TY_CHECK(from > 1.5 - 0.25 && to < 1.5 + 0.25);
    small_free(s);
}

/* hard ground east of x = 1.5 m: a wheel stands on its lugs there, on its rim before */
TY_TEST(soils, a_border_within_a_wheels_length)
{
    static ty_scenario_point corner[4] = { { 1.5, -50, 0 }, { 50, -50, 0 }, { 50, 50, 0 }, { 1.5, 50, 0 } };
    small *s = flat();
    ty_scenario_soil_region east = { .shape = 1, .corner = corner, .corners = 4, .soil = { .model = TY_SOIL_RIGID } };
    s->scenario.soil_region = &east, s->scenario.soil_regions = 1;
    cross(s, "polygon");
}

/* classes 3 west and 7 east of x = 1.5 m, every 10 cm */
static ty_status classes(void *user, int y, int rows, float *out, ty_diag *diag)
{
    (void)user, (void)y, (void)diag;
    for (int k = 0; k < 200 * rows; k++) {
        out[k] = k % 200 < 115 ? 3.0f : 7.0f; /* columns of 0.1 m from x = -10 m */
    }
    return TY_OK;
}

/* the same border, told by a raster of classes; refused: one that lies elsewhere */
TY_TEST(soils, a_border_by_raster)
{
    small *s = flat();
    ty_diag diag = { 0 };
    tyi_io_raster_grid grid = { .lat = s->scenario.terrain.lat,
                                .lon = s->scenario.terrain.lon,
                                .west = -10.0,
                                .north = 10.0,
                                .spacing = 0.1,
                                .width = 200,
                                .height = 200,
                                .rows = classes };
    cr_assert(tyi_io_raster_write_grid(&grid, "classes.tif", NULL, NULL, &diag) == TY_OK, "%s", diag.text);
    ty_scenario_soil_region east = { .shape = 2, .class_number = 7, .soil = { .model = TY_SOIL_RIGID } };
    snprintf(east.raster, sizeof east.raster, "classes.tif");
    s->scenario.soil_region = &east, s->scenario.soil_regions = 1;
    cross(s, "raster");
    s = flat();
    s->scenario.terrain.lat += 0.01;
    s->scenario.soil_region = &east, s->scenario.soil_regions = 1;
    TY_CHECK(ty_run_create(&s->def, &s->run, &diag) == TY_ERR_INPUT &&
             strstr(diag.text, "classes.tif: covers no part"));
    small_free(s);
    unlink("classes.tif");
}

/* the first rover's path over soft soil, with a region that it never reaches, is the same bits as without */
TY_TEST(soils, a_region_elsewhere_changes_nothing)
{
    uint64_t hash[2] = { 0 };
    for (int k = 0; k < 2; k++) {
        small *s = flat();
        ty_scenario_soil_region far = { .x = 60.0, .radius = 5.0, .soil = { .model = TY_SOIL_RIGID } };
        s->scenario.soil_region = &far, s->scenario.soil_regions = (size_t)k;
        small_create(s);
        small_steps(s, 1.0);
        ty_vehicle_state v;
        memset(&v, 0, sizeof v);
        ty_vehicle_get(ty_run_rover(s->run, 0), &v);
        for (size_t i = 0; i < sizeof v.pose; i++) {
            hash[k] = hash[k] * 31 + ((unsigned char *)&v.pose)[i];
        }
        TY_CHECK(fabs(v.pose.p.x) < 5.0);
        small_free(s);
    }
    TY_CHECK(hash[0] == hash[1]);
}

/* rovers that name different soils for one ground are refused, with both names */
TY_TEST(soils, one_ground_one_soil)
{
    small *s = small_make();
    ty_diag diag = { 0 };
    ty_scenario_rover two[2] = { s->rover, s->rover };
    snprintf(two[0].name, sizeof two[0].name, "anna");
    snprintf(two[1].name, sizeof two[1].name, "bert");
    two[1].vehicle.y = 5.0;
    two[1].soil.model = TY_SOIL_RIGID;
    s->scenario.rover = two, s->scenario.rovers = 2;
    TY_CHECK(ty_run_create(&s->def, &s->run, &diag) == TY_ERR_INPUT);
    TY_CHECK(strstr(diag.text, "'anna'") && strstr(diag.text, "'bert'"));
    two[1].soil.model = two[0].soil.model; /* control */
    TY_CHECK(ty_run_create(&s->def, &s->run, &diag) == TY_OK);
    small_free(s);
}

/* ---- a user's own ---- */

typedef struct seen {
    int calls, most;
} seen;

static ty_status spring(void *state, const ty_soil_def *def, const ty_soil_at *at, int count, double dt, ty_diag *diag)
{
    (void)state, (void)def, (void)dt, (void)diag;
    for (int i = 0; i < count; i++) {
        seen *s = at[i].memory;
        s->calls++;
        s->most = count;
        double h = at[i].plane->h[1];
        at[i].load->fz = h > 0.0 ? fmax(4e4 * h + 3e3 * at[i].plane->h_rate, 0.0) : 0.0;
        at[i].load->sinkage = h;
        ty_soil_wrench(&at[i], 0.0, 0.0, 0.0);
    }
    return TY_OK;
}

/* a spring carries the weight at weight / stiffness, all wheels of both rovers in one call */
TY_TEST(soils, a_model_of_ones_own)
{
    static const ty_soil_model own = { .name = "spring", .memory = sizeof(seen), .step = spring };
    small *s = flat();
    ty_diag diag = { 0 };
    ty_scenario_rover two[2] = { s->rover, s->rover };
    snprintf(two[1].name, sizeof two[1].name, "other");
    two[1].vehicle.y = 6.0;
    two[0].driver.kind = two[1].driver.kind = TY_DRIVER_STAND;
    s->scenario.rover = two, s->scenario.rovers = 2;
    s->scenario.soil.model = TY_SOIL_USER;
    snprintf(s->scenario.soil.user, sizeof s->scenario.soil.user, "spring");
    TY_CHECK(ty_run_create(&s->def, &s->run, &diag) == TY_ERR_INPUT && strstr(diag.text, "'spring'")); /* control */
    s->def.soil_model = &own, s->def.soil_models = 1;
    small_create(s);
    small_steps(s, 4.0);
    for (size_t r = 0; r < 2; r++) {
        ty_vehicle_state v;
        ty_vehicle_get(ty_run_rover(s->run, r), &v);
        double weight = ty_vehicle_mass(ty_run_rover(s->run, r)) * 1.62, sum = 0.0;
        for (int i = 0; i < v.wheels; i++) {
            sum += v.wheel[i].fz;
            TY_NEAR(v.wheel[i].sinkage, v.wheel[i].fz / 4e4, 1e-5);
        }
        TY_NEAR_REL(sum, weight, 1e-3);
    }
    small_free(s);
}
