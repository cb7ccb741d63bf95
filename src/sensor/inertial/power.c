/* src/sensor/inertial/power.c - panels, loads and a battery over a step.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "core/core.h"
#include "instrument.h"
#include "k_instrument.h"
#include "k_sky.h"

tyi_inertial_power_def tyi_inertial_power_def_default(void)
{
    /* VIPER has panels on three sides and 450 W at most [viper-power]; the rest is chosen: 1.2 m^2
     * each at 28 % times 0.97 for wiring, tilted up by 10 deg for a low Sun */
    tyi_inertial_power_def def = { .panels = 3,
                                   .avionics = 120.0,
                                   .heaters = 60.0,
                                   .converter = 0.92,
                                   .capacity = 1.8e7,
                                   .charge = 0.9,
                                   .charge_eff = 0.97,
                                   .discharge_eff = 0.97,
                                   .charge_most = 500.0,
                                   .discharge_most = 1500.0,
                                   .cookie = TYI_COOKIE };
    static const double side[3][2] = { { 0.0, 1.0 }, { 0.0, -1.0 }, { -1.0, 0.0 } };
    for (int i = 0; i < 3; i++) {
        def.panel[i] = (ty_panel_def){
            { side[i][0] * cos(10.0 * TY_DEG), side[i][1] * cos(10.0 * TY_DEG), sin(10.0 * TY_DEG) }, 1.2, 0.272
        };
    }
    return def;
}

#define NUMBER(field, unit, low, high)                                               \
    {                                                                                \
#field, unit, offsetof(tyi_inertial_power_def, field), TYI_DOUBLE, low, high \
    }
static const tyi_limit limits[] = {
    { "panels", "", offsetof(tyi_inertial_power_def, panels), TYI_INT, 0.0, TY_POWER_PANELS },
    NUMBER(avionics, "W", 0.0, 1e6),
    NUMBER(heaters, "W", 0.0, 1e6),
    NUMBER(converter, "", 0.01, 1.0),
    NUMBER(capacity, "J", 1.0, 1e12),
    NUMBER(charge, "", 0.0, 1.0),
    NUMBER(charge_eff, "", 0.01, 1.0),
    NUMBER(discharge_eff, "", 0.01, 1.0),
    NUMBER(charge_most, "W", 0.0, 1e9),
    NUMBER(discharge_most, "W", 0.0, 1e9),
    { 0 },
};
const tyi_rules tyi_inertial_power_rules = { "power", limits, NULL };

ty_status tyi_inertial_power_create(const tyi_inertial_power_def *def, tyi_inertial_power *out, ty_diag *diag)
{
    memset(out, 0, sizeof *out);
    out->def = *def;
    ty_status status = tyi_inertial_instrument_check(&tyi_inertial_power_rules, def, def->cookie, diag);
    for (int i = 0; status == TY_OK && i < def->panels; i++) {
        const ty_panel_def *p = &def->panel[i];
        double length = sqrt(p->normal[0] * p->normal[0] + p->normal[1] * p->normal[1] + p->normal[2] * p->normal[2]);
        if (!(length > 0.0) || !isfinite(length) || !(p->area >= 0.0 && p->area <= 1e4) ||
            !(p->efficiency >= 0.0 && p->efficiency <= 1.0)) {
            return ty_fail(diag, TY_ERR_RANGE,
                           "power: panel[%d] has a normal of length %g, %g m^2 and an efficiency "
                           "of %g; it takes a "
                           "direction, 0 to 1e4 m^2 and 0 to 1",
                           i, length, p->area, p->efficiency);
        }
        for (int k = 0; k < 3; k++) {
            out->def.panel[i].normal[k] /= length;
        }
    }
    out->state.energy = def->charge * def->capacity;
    return status;
}

static double sunlight(const tyi_inertial_power *p, const tyi_inertial_power_input *in, tyi_inertial_power_flow *f)
{
    double E = ty_k_sun_irradiance((in->sun_au > 0.0 ? in->sun_au : 1.0) * TY_K_AU);
    ty_vec3 sun_B = ty_rotate(ty_quat_conj(in->q_WB), in->sun_W);
    double sum = 0.0;
    for (int i = 0; i < p->def.panels; i++) {
        const ty_panel_def *d = &p->def.panel[i];
        double c = d->normal[0] * sun_B.x + d->normal[1] * sun_B.y + d->normal[2] * sun_B.z;
        f->panel[i] = ty_k_panel_power(E, d->area, d->efficiency, c, in->lit ? in->lit[i] : 1.0);
        sum += f->panel[i];
    }
    return sum;
}

void tyi_inertial_power_step(tyi_inertial_power *p, const tyi_inertial_power_input *in, double dt,
                             tyi_inertial_power_flow *flow)
{
    TY_ASSERT(dt > 0.0);
    const tyi_inertial_power_def *def = &p->def;
    tyi_inertial_power_flow f;
    memset(&f, 0, sizeof f);
    f.solar = sunlight(p, in, &f);
    double motors = in->motors > 0.0 ? in->motors : 0.0, returned = in->motors < 0.0 ? -in->motors : 0.0;
    f.load = motors + in->other + def->avionics + (in->heaters_on ? def->heaters : 0.0);
    /* the bus before its converter: what is there, what is needed */
    double there = f.solar + returned, need = f.load / def->converter, stored = 0.0;
    if (there >= need) {
        double room = (def->capacity - p->state.energy) / (def->charge_eff * dt);
        double into = fmin(fmin(there - need, def->charge_most), room);
        f.battery = -into;
        f.curtailed = there - need - into;
        stored = into * def->charge_eff * dt;
    } else {
        double most = fmin(def->discharge_most, p->state.energy * def->discharge_eff / dt);
        double out = fmin(need - there, most);
        f.battery = out;
        f.shortfall = (need - there - out) * def->converter;
        stored = -out / def->discharge_eff * dt;
    }
    p->state.energy = fmin(fmax(p->state.energy + stored, 0.0), def->capacity);
    f.charge = p->state.energy / def->capacity;
    double served = f.load - f.shortfall;
    p->state.solar += (f.solar + returned) * dt;
    p->state.load += served * dt;
    p->state.shortfall += f.shortfall * dt;
    p->state.curtailed += f.curtailed * dt;
    p->state.lost += (f.solar + returned - f.curtailed - served) * dt - stored;
    if (flow) {
        *flow = f;
    }
}
