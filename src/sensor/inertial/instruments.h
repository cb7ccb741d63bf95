/* src/sensor/inertial/instruments.h - the smaller instruments of a rover: position fix, wheel encoder,
 * motor current, joint angle, Sun sensor, star tracker, altimeter, contact switch. Models, limits,
 * sources: docs/sensors.md. IMU: tycho/imu.h.
 *
 * All work alike. A definition starts from its default function; X_create() checks it and makes the
 * instrument, a plain struct that owns no memory; X_read() turns the truth into a reading. What
 * changes from one reading to the next is in `state`: a copy of it is all there is to save. Nothing
 * allocates. Random numbers are keyed by (seed, sensor, reading).
 *
 * Frames: W the site's, B the body's, S the instrument's; `mount` is S in B. Optical instruments
 * look along z of S. Create returns TY_ERR_DEF or TY_ERR_RANGE. Threads: one instrument, one thread
 * at a time.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_INERTIAL_INSTRUMENTS_H
#define TYI_INERTIAL_INSTRUMENTS_H
#include "tycho/base.h"
#include "tycho/math.h"

/* ---- position fix ---- */

/* A position as a network of satellites or beacons, or matching with maps, would give: white noise
 * on each fix and an error that drifts, after [csens] 3.3. */
typedef struct tyi_inertial_fix_def {
    double noise[3];    /* [m]         0.5 0.5 1   standard deviation east, north, up of each fix */
    double bias[3];     /* [m]         0           constant */
    double drift;       /* [m]         2           standard deviation of the slow error, each axis */
    double drift_time;  /* [s]         600         its time constant */
    double walk;        /* [m/sqrt(s)] 0           random walk on top, [csens] (5): b0/sqrt(tb) */
    double noise_speed; /* [m/s]       0.02        of the speed that comes with a fix */
    ty_pose mount;      /* its antenna in B */
    uint64_t seed;      /* 1 */
    uint32_t sensor, cookie;
} tyi_inertial_fix_def;
typedef struct tyi_inertial_fix {
    tyi_inertial_fix_def def;
    struct {
        uint64_t sample;
        double drift[3], walk[3]; /* [m] */
    } state;
} tyi_inertial_fix;
typedef struct tyi_inertial_fix_sample {
    ty_vec3 p_W, v_W; /* [m], [m/s] measured, of the antenna */
    ty_vec3 error;    /* [m] slow part of the error: bias, drift, walk */
} tyi_inertial_fix_sample;
tyi_inertial_fix_def tyi_inertial_fix_def_default(void);
ty_status tyi_inertial_fix_create(const tyi_inertial_fix_def *def, tyi_inertial_fix *out, ty_diag *diag);
/* dt [s]: since the last fix; the first starts in the steady state of the drift. */
void tyi_inertial_fix_read(tyi_inertial_fix *fix, ty_pose B_in_W, ty_vec3 v_W, ty_vec3 omega_B, double dt,
                           tyi_inertial_fix_sample *out);

/* ---- wheel encoder ---- */

typedef struct tyi_inertial_encoder_def {
    double ticks;  /* [1/turn] 4096   of the joint: lines times 4 times the gear ratio; 1 to 1e9 */
    double offset; /* [turn]   0      where tick 0 begins, 0 to 1 of a tick is enough to shift edges */
    uint32_t cookie;
} tyi_inertial_encoder_def;
typedef struct tyi_inertial_encoder {
    tyi_inertial_encoder_def def;
    struct {
        int64_t ticks;
        bool started;
    } state;
} tyi_inertial_encoder;
typedef struct tyi_inertial_encoder_sample {
    int64_t ticks, delta; /* count, and change since the last reading */
    double angle;         /* [rad] of the count: up to one tick below the truth */
    double rate;          /* [rad/s] delta over dt: as coarse as a tick over dt */
} tyi_inertial_encoder_sample;
tyi_inertial_encoder_def tyi_inertial_encoder_def_default(void);
ty_status tyi_inertial_encoder_create(const tyi_inertial_encoder_def *def, tyi_inertial_encoder *out, ty_diag *diag);
/* angle [rad] of the joint, any number of turns; dt [s] since the last reading, > 0. */
void tyi_inertial_encoder_read(tyi_inertial_encoder *encoder, double angle, double dt,
                               tyi_inertial_encoder_sample *out);

/* ---- motor current ---- */

typedef struct tyi_inertial_motor_def {
    double kt;         /* [N m/A]  20     torque constant times gear ratio */
    double resistance; /* [ohm]    1      of the winding */
    double efficiency; /* [-]      0.7    of the gear, 0.01 to 1 */
    double idle;       /* [A]      0.1    current that turns it without load */
    double regenerate; /* [-]      0      share of braking power that returns to the bus, 0 to 1 */
    double noise;      /* [A]      0.02   of the reading */
    double quantum;    /* [A]      0.01   its step; 0: none */
    double range;      /* [A]      50     reads from -range to range */
    uint64_t seed;     /* 1 */
    uint32_t sensor, cookie;
} tyi_inertial_motor_def;
typedef struct tyi_inertial_motor {
    tyi_inertial_motor_def def;
    struct {
        uint64_t sample;
    } state;
} tyi_inertial_motor;
typedef struct tyi_inertial_motor_sample {
    double current; /* [A] measured */
    double truth;   /* [A] */
    double power;   /* [W] drawn from the bus; negative: returned */
    double copper;  /* [W] heat in the winding */
} tyi_inertial_motor_sample;
tyi_inertial_motor_def tyi_inertial_motor_def_default(void);
ty_status tyi_inertial_motor_create(const tyi_inertial_motor_def *def, tyi_inertial_motor *out, ty_diag *diag);
/* torque [N m] and omega [rad/s] of the joint. */
void tyi_inertial_motor_read(tyi_inertial_motor *motor, double torque, double omega, tyi_inertial_motor_sample *out);

/* ---- joint angle ---- */

typedef struct tyi_inertial_joint_def {
    double noise;     /* [rad] 1e-3  */
    double bias;      /* [rad] 0 */
    double scale;     /* [-]   0     reads (1 + scale) times the angle */
    double quantum;   /* [rad] 2 pi/4096 */
    double low, high; /* [rad] -pi, pi   ends of its range */
    uint64_t seed;    /* 1 */
    uint32_t sensor, cookie;
} tyi_inertial_joint_def;
typedef struct tyi_inertial_joint {
    tyi_inertial_joint_def def;
    struct {
        uint64_t sample;
    } state;
} tyi_inertial_joint;
tyi_inertial_joint_def tyi_inertial_joint_def_default(void);
ty_status tyi_inertial_joint_create(const tyi_inertial_joint_def *def, tyi_inertial_joint *out, ty_diag *diag);
double tyi_inertial_joint_read(tyi_inertial_joint *joint, double angle); /* [rad] */

/* ---- Sun sensor, star tracker: why there is no reading ---- */

#define TY_BLIND_LIST(X)                            \
    X(TY_SEES, "sees")                              \
    X(TY_BLIND_FIELD, "outside the field of view")  \
    X(TY_BLIND_SHADOW, "the Sun does not reach it") \
    X(TY_BLIND_SUN, "too near to the Sun")          \
    X(TY_BLIND_GROUND, "too near to the ground")    \
    X(TY_BLIND_EARTH, "too near to the Earth")      \
    X(TY_BLIND_SLEW, "turns too fast")              \
    X(TY_BLIND_RANGE, "nothing within range")
typedef enum tyi_inertial_blind {
#define TY_BLIND_ENUM(id, text) id,
    TY_BLIND_LIST(TY_BLIND_ENUM)
#undef TY_BLIND_ENUM
        TY_BLIND_COUNT
} tyi_inertial_blind;
const char *tyi_inertial_blind_text(tyi_inertial_blind why);

/* ---- Sun sensor ---- */

typedef struct tyi_inertial_sun_sensor_def {
    double field;   /* [rad] 60 deg   largest angle from its axis, below 90 deg */
    double noise;   /* [rad] 0.17 deg standard deviation of each of the two angles */
    double bias[2]; /* [rad] 0 */
    double quantum; /* [rad] 0 */
    double least;   /* [-]   0.5      share of the Sun's disk that it needs */
    ty_pose mount;
    uint64_t seed;
    uint32_t sensor, cookie;
} tyi_inertial_sun_sensor_def;
typedef struct tyi_inertial_sun_sensor {
    tyi_inertial_sun_sensor_def def;
    struct {
        uint64_t sample;
    } state;
} tyi_inertial_sun_sensor;
typedef struct ty_sun_sample {
    tyi_inertial_blind why; /* TY_SEES: the rest is valid */
    double angle[2];        /* [rad] measured: atan2(x, z), atan2(y, z) of the direction in S */
    ty_vec3 dir_S;          /* unit vector to the Sun, measured */
} ty_sun_sample;
tyi_inertial_sun_sensor_def tyi_inertial_sun_sensor_def_default(void);
ty_status tyi_inertial_sun_sensor_create(const tyi_inertial_sun_sensor_def *def, tyi_inertial_sun_sensor *out,
                                         ty_diag *diag);
/* sun_W: unit vector to the Sun; lit: share of its disk above the skyline and outside shadows, from the caller. */
void tyi_inertial_sun_sensor_read(tyi_inertial_sun_sensor *sensor, ty_quat q_WB, ty_vec3 sun_W, double lit,
                                  ty_sun_sample *out);

/* ---- star tracker ---- */

typedef struct tyi_inertial_star_tracker_def {
    double noise_cross; /* [rad]   30 arcsec   across its axis, each of two */
    double noise_roll;  /* [rad]   200 arcsec  about its axis */
    double bias[3];     /* [rad]   0           rotation vector in S: error of its mounting */
    double sun;         /* [rad]   40 deg      the Sun must be farther from its axis than this */
    double ground;      /* [rad]   20 deg      likewise the skyline below */
    double earth;       /* [rad]   25 deg      likewise the Earth */
    double slew;        /* [rad/s] 0.3 deg/s   fastest turn at which it still finds stars */
    ty_pose mount;
    uint64_t seed;
    uint32_t sensor, cookie;
} tyi_inertial_star_tracker_def;
typedef struct tyi_inertial_star_tracker {
    tyi_inertial_star_tracker_def def;
    struct {
        uint64_t sample;
    } state;
} tyi_inertial_star_tracker;
typedef struct ty_star_scene {
    ty_quat q_RB;                 /* attitude of B in the frame that the stars are given in (inertial, or W) */
    ty_vec3 omega_B;              /* [rad/s] */
    ty_vec3 sun_R, earth_R, up_R; /* unit vectors; earth_R zero: there is none */
    double skyline;               /* [rad] elevation of the ground in the direction it looks, 0 on a plain */
    bool sun_is_up;               /* the Sun (or its light on the sensor) is not hidden */
} ty_star_scene;
typedef struct ty_star_sample {
    tyi_inertial_blind why; /* TY_SEES: the rest is valid */
    ty_quat q_RS, q_RB;     /* measured */
} ty_star_sample;
tyi_inertial_star_tracker_def tyi_inertial_star_tracker_def_default(void);
ty_status tyi_inertial_star_tracker_create(const tyi_inertial_star_tracker_def *def, tyi_inertial_star_tracker *out,
                                           ty_diag *diag);
void tyi_inertial_star_tracker_read(tyi_inertial_star_tracker *tracker, const ty_star_scene *scene,
                                    ty_star_sample *out);

/* ---- altimeter ---- */

typedef struct tyi_inertial_altimeter_def {
    double least, most; /* [m] 0.2, 5000 */
    double noise;       /* [m] 0.02      standard deviation at no range */
    double noise_range; /* [-] 1e-4      more of it per metre of range: sqrt(noise^2 + (noise_range
                           r)^2) */
    double bias;        /* [m] 0 */
    double quantum;     /* [m] 0.01 */
    ty_pose mount;      /* looks along z of S */
    uint64_t seed;
    uint32_t sensor, cookie;
} tyi_inertial_altimeter_def;
typedef struct tyi_inertial_altimeter {
    tyi_inertial_altimeter_def def;
    struct {
        uint64_t sample;
    } state;
} tyi_inertial_altimeter;
typedef struct tyi_inertial_altimeter_sample {
    tyi_inertial_blind why; /* TY_SEES or TY_BLIND_RANGE */
    double range;           /* [m] measured */
} tyi_inertial_altimeter_sample;
tyi_inertial_altimeter_def tyi_inertial_altimeter_def_default(void);
ty_status tyi_inertial_altimeter_create(const tyi_inertial_altimeter_def *def, tyi_inertial_altimeter *out,
                                        ty_diag *diag);
/* Where its beam starts and where it goes, in W: what the caller traces. */
void tyi_inertial_altimeter_beam(const tyi_inertial_altimeter *altimeter, ty_pose B_in_W, ty_vec3 *from_W,
                                 ty_vec3 *dir_W);
/* truth [m]: what the ray met; a negative or infinite one: nothing. */
void tyi_inertial_altimeter_read(tyi_inertial_altimeter *altimeter, double truth, tyi_inertial_altimeter_sample *out);

/* ---- contact switch ---- */

typedef struct tyi_inertial_switch_def {
    double close;    /* [N] 10   closes at this force */
    double open;     /* [N] 5    and opens below this one */
    double debounce; /* [s] 0.01 a change must last so long to be told */
    uint32_t cookie;
} tyi_inertial_switch_def;
typedef struct tyi_inertial_switch {
    tyi_inertial_switch_def def;
    struct {
        bool raw, closed; /* of the contact, and as told */
        double since;     /* [s] that raw differs from closed */
        uint64_t count;   /* how often it closed */
    } state;
} tyi_inertial_switch;
tyi_inertial_switch_def tyi_inertial_switch_def_default(void);
ty_status tyi_inertial_switch_create(const tyi_inertial_switch_def *def, tyi_inertial_switch *out, ty_diag *diag);
/* A step of dt [s] under a force [N] (a wheel's fz and f_rock, a bumper's); returns whether it is told as closed. */
bool tyi_inertial_switch_step(tyi_inertial_switch *contact, double force, double dt);

/* ---- where a rover believes it is, from its wheels: dead reckoning.
 * Model, limits: docs/sensors.md
 *
 * In each step every wheel says two things about the body's motion in its own plane: along the
 * wheel it went r times the turn of its joint, across the wheel it did not move. The motion that
 * fits all of them best, in the sense of least squares, is added to the pose. It knows nothing of
 * slip or sinkage: that is the point.
 *
 * A plain struct; a copy of `state` is all there is to save. Nothing allocates. */

#define TY_ODOMETRY_WHEELS 16

typedef struct tyi_inertial_odometry_def {
    int wheels; /* 0   1 to 16 */
    struct {
        double x, y;   /* [m] centre in B */
        double radius; /* [m] that it rolls on */
    } wheel[TY_ODOMETRY_WHEELS];
    double across; /* [-] 1   weight of "does not move across" against "rolls along", 0 to 1000 */
    ty_pose start; /* of B in W, as it was told */
    uint32_t cookie;
} tyi_inertial_odometry_def;

typedef struct tyi_inertial_odometry {
    tyi_inertial_odometry_def def;
    struct {
        ty_pose pose;    /* believed, of B in W */
        double distance; /* [m] */
        double residual; /* [m] root mean square misfit of the last step: wheels that disagree slip */
        double step[3];  /* [m, m, rad] forward, to the left and turned in it, as the wheels have it */
    } state;
} tyi_inertial_odometry;

tyi_inertial_odometry_def tyi_inertial_odometry_def_default(void);
/* TY_ERR_DEF, TY_ERR_RANGE. */
ty_status tyi_inertial_odometry_create(const tyi_inertial_odometry_def *def, tyi_inertial_odometry *out, ty_diag *diag);
/* turn[i] [rad]: of each wheel's joint since the last step (from encoders), positive forward;
 * steer[i] [rad], left positive (NULL: straight). attitude (NULL: none): B in W as the IMU or a
 * star tracker gives it; it then replaces the heading that the wheels would give, and tilts the
 * way. */
void tyi_inertial_odometry_step(tyi_inertial_odometry *odometry, const double *turn, const double *steer,
                                const ty_quat *attitude);

/* ---- a rover's power budget: panels in, motors, avionics and heaters out, a
 * battery between. Model, limits: docs/sensors.md
 *
 * A plain struct; a copy of `state` is all there is to save. Nothing allocates. */

#define TY_POWER_PANELS 8

typedef struct ty_panel_def {
    double normal[3];  /* [-]   in B; need not be of length 1 */
    double area;       /* [m^2] of cells */
    double efficiency; /* [-]   cells, wiring, dust; 0 to 1 */
} ty_panel_def;

/* Start from tyi_inertial_power_def_default(): a polar rover of VIPER's size with panels on three sides. */
typedef struct tyi_inertial_power_def {
    ty_panel_def panel[TY_POWER_PANELS];
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
} tyi_inertial_power_def;

typedef struct tyi_inertial_power_input {
    ty_quat q_WB;
    ty_vec3 sun_W;     /* unit vector to the Sun */
    double sun_au;     /* [au] 1 where it is 0 */
    const double *lit; /* share of the Sun that reaches each panel; NULL: all of it */
    double motors;     /* [W] drawn by motors (tyi_inertial_motor_sample.power); negative: returned */
    double other;      /* [W] drawn by whatever else */
    bool heaters_on;
} tyi_inertial_power_input;

typedef struct tyi_inertial_power_flow {
    double panel[TY_POWER_PANELS], solar; /* [W] of each panel and in all */
    double load;                          /* [W] asked for by motors, avionics, heaters, others */
    double battery;                       /* [W] at its terminals: positive discharges it, negative charges it */
    double shortfall;                     /* [W] asked for but not there: the rover browns out */
    double curtailed;                     /* [W] of the panels that nobody could take */
    double charge;                        /* [-] filled, after the step */
} tyi_inertial_power_flow;

typedef struct tyi_inertial_power {
    tyi_inertial_power_def def;
    struct {
        double energy;                                  /* [J] in the battery */
        double solar, load, shortfall, curtailed, lost; /* [J] so far; lost: converter and battery */
    } state;
} tyi_inertial_power;

tyi_inertial_power_def tyi_inertial_power_def_default(void);
/* TY_ERR_DEF, TY_ERR_RANGE. */
ty_status tyi_inertial_power_create(const tyi_inertial_power_def *def, tyi_inertial_power *out, ty_diag *diag);
/* A step of dt [s] > 0 under constant conditions; *flow may be NULL. */
void tyi_inertial_power_step(tyi_inertial_power *power, const tyi_inertial_power_input *in, double dt,
                             tyi_inertial_power_flow *flow);

#endif
