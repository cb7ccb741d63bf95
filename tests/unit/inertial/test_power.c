/* The power budget: panels by attitude, a day in closed form, limits, and energy that adds up.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sensor/inertial/instruments.h"
#include "sensor/instrument_file.h"
#include "tyt.h"

static tyi_inertial_power made(const tyi_inertial_power_def *def)
{
    tyi_inertial_power p;
    ty_diag diag = { 0 };
    cr_assert(tyi_inertial_power_create(def, &p, &diag) == TY_OK, "%s", diag.text);
    return p;
}

/* one panel of 1 m^2 that faces up, 20 % */
static tyi_inertial_power_def one_panel(void)
{
    tyi_inertial_power_def def = tyi_inertial_power_def_default();
    def.panels = 1;
    def.panel[0] = (ty_panel_def){ { 0, 0, 2.0 }, 1.0, 0.2 };
    return def;
}

TY_TEST(power, panel_by_attitude_sun_and_shadow)
{
    tyi_inertial_power_def def = one_panel();
    tyi_inertial_power p = made(&def);
    tyi_inertial_power_flow f;
    for (double tilt = 0.0; tilt <= 180.0; tilt += 7.5) {
        tyi_inertial_power_input in = { .q_WB = ty_quat_axis(ty_normalize(ty_vec3_make(1, 1, 0)), tilt * TY_DEG),
                                        .sun_W = { 0, 0, 1 } };
        tyi_inertial_power_step(&p, &in, 0.1, &f);
        TY_NEAR(f.solar, 1361.0 * 0.2 * fmax(cos(tilt * TY_DEG), 0.0), 1e-9);
        in.sun_au = 1.0167;
        double lit = 0.25;
        in.lit = &lit;
        tyi_inertial_power_step(&p, &in, 0.1, &f);
        TY_NEAR(f.solar, 0.25 * 1361.0 / (1.0167 * 1.0167) * 0.2 * fmax(cos(tilt * TY_DEG), 0.0), 1e-9);
    }
    TY_FAR(f.solar, 1361.0 * 0.2, 100.0); /* control: nothing from behind */
    /* the rover's three sides: the Sun low in the west, north, east, south, facing east */
    def = tyi_inertial_power_def_default();
    p = made(&def);
    const double want[4] = { 1, 1, 0, 1 }; /* behind, left, in front, right */
    for (int i = 0; i < 4; i++) {
        double az = (double)i * TY_PI / 2.0;
        tyi_inertial_power_input in = { .q_WB = ty_quat_identity(), .sun_W = { -cos(az), sin(az), 0 } };
        tyi_inertial_power_step(&p, &in, 0.1, &f);
        TY_NEAR(f.solar, want[i] * 1361.0 * 1.2 * 0.272 * cos(10.0 * TY_DEG), 1e-9);
        TY_CHECK(f.solar < 450.0);
    }
    TY_ROW("solar panels by attitude, distance and shadow within 1e-9 W", "closed form", "worst %.0e W",
           tyt_worst("f.solar"));
}

/* night: a battery that empties through its losses, in closed form */
TY_TEST(power, hours_of_darkness)
{
    tyi_inertial_power_def def = tyi_inertial_power_def_default();
    tyi_inertial_power p = made(&def);
    tyi_inertial_power_input in = {
        .q_WB = ty_quat_identity(), .sun_W = { 0, 0, -1 }, .motors = 50.0, .other = 5.0, .heaters_on = true
    };
    double draw = (120.0 + 60.0 + 50.0 + 5.0) / 0.92 / 0.97; /* out of the cells [W] */
    double hours = 0.9 * 1.8e7 / draw / 3600.0, t = 0.0;
    tyi_inertial_power_flow f = { 0 };
    while (f.shortfall == 0.0 && t < 1e6) {
        tyi_inertial_power_step(&p, &in, 10.0, &f);
        t += 10.0;
    }
    TY_NEAR(t / 3600.0, hours, 10.0 / 3600.0);
    TY_FAR(t / 3600.0, 0.9 * 1.8e7 / 235.0 / 3600.0, 0.5); /* control: losses forgotten */
    tyi_inertial_power_step(&p, &in, 10.0, &f);
    TY_NEAR(f.shortfall, 235.0, 1e-6);
    TY_NEAR(f.charge, 0.0, 1e-12);
    printf("darkness: %.2f h\n", t / 3600.0);
    TY_ROW("battery in darkness lasts as long as it should within 10 s", "closed form", "%.0f s of %.1f h",
           3600.0 * tyt_worst("t / 3600.0"), hours);
}

TY_TEST(power, charging_limits)
{
    tyi_inertial_power_def def = one_panel();
    def.panel[0].area = 10.0; /* 2722 W */
    def.charge = 0.5;
    tyi_inertial_power p = made(&def);
    tyi_inertial_power_input in = { .q_WB = ty_quat_identity(), .sun_W = { 0, 0, 1 } };
    tyi_inertial_power_flow f;
    tyi_inertial_power_step(&p, &in, 100.0, &f);
    TY_NEAR(f.battery, -500.0, 1e-9); /* as much as it takes */
    TY_NEAR(f.curtailed, 2722.0 - 500.0 - 120.0 / 0.92, 1e-9);
    TY_NEAR(f.charge, 0.5 + 500.0 * 0.97 * 100.0 / 1.8e7, 1e-12);
    double t = 0.0;
    while (f.charge < 1.0 && t < 1e6) {
        tyi_inertial_power_step(&p, &in, 100.0, &f);
        t += 100.0;
    }
    TY_NEAR(t, 0.5 * 1.8e7 / (500.0 * 0.97) - 100.0, 100.0);
    tyi_inertial_power_step(&p, &in, 100.0, &f);
    TY_NEAR(f.battery, 0.0, 1e-9); /* full */
    /* more asked for than the battery gives */
    in = (tyi_inertial_power_input){ .q_WB = ty_quat_identity(), .sun_W = { 0, 0, -1 }, .motors = 2000.0 };
    tyi_inertial_power_step(&p, &in, 1.0, &f);
    TY_NEAR(f.battery, 1500.0, 1e-9);
    TY_NEAR(f.shortfall, 2120.0 - 1500.0 * 0.92, 1e-9);
}

/* any day: in = served + curtailed + stored + lost, and what is lost is what the efficiencies say */
TY_TEST(power, energy_adds_up)
{
    tyi_inertial_power_def def = tyi_inertial_power_def_default();
    tyi_inertial_power p = made(&def);
    double start = p.state.energy, into = 0.0, out = 0.0, converted = 0.0;
    for (int i = 0; i < 20000; i++) {
        double az = 0.001 * i, lit[TY_POWER_PANELS];
        for (int k = 0; k < 3; k++) {
            lit[k] = 0.5 + 0.5 * sin(0.01 * i + k);
        }
        tyi_inertial_power_input in = { .q_WB = ty_quat_axis(ty_vec3_make(0, 0, 1), 0.3 * sin(0.002 * i)),
                                        .sun_W = { cos(az), sin(az), 0.0 },
                                        .lit = lit,
                                        .motors = 300.0 * sin(0.05 * i),
                                        .heaters_on = i % 3000 < 1000 };
        tyi_inertial_power_flow f;
        tyi_inertial_power_step(&p, &in, 7.0, &f);
        into += fmax(-f.battery, 0.0) * 7.0;
        out += fmax(f.battery, 0.0) * 7.0;
        converted += (f.load - f.shortfall) * 7.0;
    }
    double stored = p.state.energy - start;
    TY_NEAR_REL(p.state.solar, p.state.load + p.state.curtailed + stored + p.state.lost, 1e-12);
    double lost = into * (1.0 - 0.97) + out * (1.0 / 0.97 - 1.0) + converted * (1.0 / 0.92 - 1.0);
    TY_NEAR_REL(p.state.lost, lost, 1e-6);
    TY_FAR_REL(p.state.lost, converted * (1.0 / 0.92 - 1.0), 1e-3); /* control: a battery without losses */
    TY_NEAR_REL(converted, p.state.load, 1e-12);
    TY_ROW("energy in = used + stored + lost within 1e-12", "sum over 39 h", "%.0e", tyt_worst_rel("p.state.solar"));
}

TY_TEST(power, files_and_wrong_definitions)
{
    char path[4096];
    const char *source = getenv("TYCHO_SOURCE");
    snprintf(path, sizeof path, "%s/models/sensors/viper_power.yaml", source ? source : ".");
    tyi_inertial_power_def def, same = tyi_inertial_power_def_default();
    ty_diag diag = { 0 };
    cr_assert(tyi_sensor_power_load(path, NULL, 0, &def, &diag) == TY_OK, "%s", diag.text);
    TY_CHECK(def.panels == 3);
    TY_NEAR_REL(def.capacity, same.capacity, 1e-12);
    TY_NEAR(def.panel[2].normal[0], same.panel[2].normal[0], 1e-3);
    const char *set[] = { "panels.0.area=-1" };
    TY_CHECK(tyi_sensor_power_load(path, set, 1, &def, &diag) != TY_OK && strstr(diag.text, "area"));
    tyi_inertial_power p;
    def = tyi_inertial_power_def_default();
    def.panel[1].normal[1] = def.panel[1].normal[2] = 0.0;
    diag = (ty_diag){ 0 };
    TY_CHECK(tyi_inertial_power_create(&def, &p, &diag) == TY_ERR_RANGE && strstr(diag.text, "panel[1]"));
    def = tyi_inertial_power_def_default();
    def.charge = 1.5;
    TY_CHECK(tyi_inertial_power_create(&def, &p, NULL) == TY_ERR_RANGE);
}
