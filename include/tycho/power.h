/* include/tycho/power.h - a rover's power budget: panels in, motors, avionics and heaters out, a
 * battery between. Model, limits: docs/sensors.md
 *
 * A plain struct; a copy of `state` is all there is to save. Nothing allocates.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_POWER_H
#define TYCHO_POWER_H
#include "tycho/base.h"
#include "tycho/math.h"
TY_BEGIN_DECLS

#define TY_PANELS 8

typedef struct ty_panel_def {
    double normal[3];  /* [-]   in B; need not be of length 1 */
    double area;       /* [m^2] of cells */
    double efficiency; /* [-]   cells, wiring, dust; 0 to 1 */
} ty_panel_def;

/* Start from ty_power_def_default(): a polar rover of VIPER's size with panels on three sides. */
typedef struct ty_power_def {
    ty_panel_def panel[TY_PANELS];
    int panels;            /* 3 */
    double avionics;       /* [W]  120   always on */
    double heaters;        /* [W]  60    while on */
    double converter;      /* [-]  0.92  share of panel and battery power that reaches the loads */
    double capacity;       /* [J]  1.8e7 (5 kWh) of the battery */
    double charge;         /* [-]  0.9   filled at the start, 0 to 1 */
    double charge_eff;     /* [-]  0.97  share of what goes in that is stored */
    double discharge_eff;  /* [-]  0.97  share of what is taken out that arrives */
    double charge_most;    /* [W]  500   into the battery */
    double discharge_most; /* [W]  1500  out of the battery */
    uint32_t cookie;
} ty_power_def;

typedef struct ty_power_input {
    ty_quat q_WB;
    ty_vec3 sun_W;     /* unit vector to the Sun */
    double sun_au;     /* [au] 1 where it is 0 */
    const double *lit; /* share of the Sun that reaches each panel; NULL: all of it */
    double motors;     /* [W] drawn by motors (ty_motor_sample.power); negative: returned */
    double other;      /* [W] drawn by whatever else */
    bool heaters_on;
} ty_power_input;

typedef struct ty_power_flow {
    double panel[TY_PANELS], solar; /* [W] of each panel and in all */
    double load;                    /* [W] asked for by motors, avionics, heaters, others */
    double battery;   /* [W] at its terminals: positive discharges it, negative charges it */
    double shortfall; /* [W] asked for but not there: the rover browns out */
    double curtailed; /* [W] of the panels that nobody could take */
    double charge;    /* [-] filled, after the step */
} ty_power_flow;

typedef struct ty_power {
    ty_power_def def;
    struct {
        double energy; /* [J] in the battery */
        double solar, load, shortfall, curtailed,
            lost; /* [J] so far; lost: converter and battery */
    } state;
} ty_power;

TY_API ty_power_def ty_power_def_default(void);
/* TY_ERR_DEF, TY_ERR_RANGE. */
TY_API ty_status ty_power_create(const ty_power_def *def, ty_power *out, ty_diag *diag);
/* A step of dt [s] > 0 under constant conditions; *flow may be NULL. */
TY_API void ty_power_step(ty_power *power, const ty_power_input *in, double dt,
                          ty_power_flow *flow);
/* Reads a file of models/sensors and then `count` settings. TY_ERR_FILE, TY_ERR_FORMAT,
 * TY_ERR_INPUT, TY_ERR_RANGE. */
TY_API ty_status ty_power_load(const char *path, const char *const *settings, size_t count,
                               ty_power_def *out, ty_diag *diag);

TY_END_DECLS
#endif
