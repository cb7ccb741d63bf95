/* src/sim/sensor_place.c - where a rover is and what it has: position fix, altimeter, Sun sensor, star tracker, power budget.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "sensor_instrument.h"
#include "tycho/instruments.h"
#include "tycho/power.h"
#include "tycho/trace.h"

TYI_INSTRUMENT(position, TY_SENSOR_POSITION, 1.0, 0.0)
TYI_INSTRUMENT(altimeter, TY_SENSOR_ALTIMETER, 0.1, 0.0)
TYI_INSTRUMENT(sun_sensor, TY_SENSOR_SUN, 1.0, 0.0)
TYI_INSTRUMENT(star_tracker, TY_SENSOR_STARS, 1.0, 0.0)
TYI_INSTRUMENT(power, TY_SENSOR_POWER, 1.0, 1.0)

#define WINDOWS 256

/* one of them; saved as it is */
typedef struct place {
    ty_fix fix;
    ty_altimeter altimeter;
    ty_sun_sensor sun;
    ty_star_tracker stars;
    ty_power power;
    ty_motor motor;
    double motors[WINDOWS]; /* [J] drawn by motors in each of the last windows: the worker may be some behind */
} place;

static const ty_pose at_mount = { { 0, 0, 0 }, { 1, 0, 0, 0 } };

static void destroy(void *state)
{
    tyi_put(NULL, state, sizeof(place));
}

static size_t save(const void *state, void *out)
{
    if (out) {
        memcpy(out, state, sizeof(place));
    }
    return sizeof(place);
}

static ty_status restore(void *state, const void *from, size_t bytes, ty_diag *diag)
{
    if (bytes != sizeof(place)) {
        return ty_fail(diag, TY_ERR_FORMAT, "instrument: %zu bytes saved, but it needs %zu", bytes, sizeof(place));
    }
    memcpy(state, from, sizeof(place));
    return TY_OK;
}

#define KEEPING .save = save, .restore = restore, .destroy = destroy

/* ---- position fix ---- */

static ty_status position_create(ty_sensor_make *make, void *user, void **state, ty_diag *diag)
{
    (void)user;
    static const char *const columns[] = { "x_m", "y_m", "z_m", "vx_m_s", "vy_m_s", "vz_m_s", NULL };
    static const ty_schema schema = { "position", columns };
    ty_fix_def def = ty_fix_def_default();
    ty_status status = tyi_instrument_state(sizeof(place), state, diag);
    TYI_INSTRUMENT_LOAD(status, make, ty_fix_load, &def, diag);
    def.mount = at_mount, def.seed = make->seed, def.sensor = make->number;
    tyi_instrument_parts(make, &schema, 6, 6, 'W'); /* truth: place, slow part of the error */
    return status == TY_OK ? ty_fix_create(&def, &((place *)*state)->fix, diag) : status;
}

static ty_status position_collect(void *state, const ty_shot *shot, ty_part *part, ty_diag *diag)
{
    (void)diag;
    place *p = state;
    const ty_sensor_key *k = &shot->key[shot->keys - 1];
    ty_fix_sample s;
    ty_fix_read(&p->fix, k->pose, k->v_W, ty_rotate(ty_quat_conj(k->pose.q), k->omega_W), shot->period, &s);
    tyi_put_vec(&part[0].data, 0, s.p_W);
    tyi_put_vec(&part[0].data, 3, s.v_W);
    tyi_put_vec(&part[1].data, 0, k->pose.p);
    tyi_put_vec(&part[1].data, 3, s.error);
    return TY_OK;
}

const ty_sensor_kind tyi_sensor_position = { .name = "position", .keys = 2, .create = position_create, .collect = position_collect, KEEPING };

/* ---- altimeter ---- */

static ty_status altimeter_create(ty_sensor_make *make, void *user, void **state, ty_diag *diag)
{
    (void)user;
    static const char *const columns[] = { "range_m", "blind", NULL };
    static const ty_schema schema = { "altimeter", columns };
    ty_altimeter_def def = ty_altimeter_def_default();
    ty_status status = tyi_instrument_state(sizeof(place), state, diag);
    TYI_INSTRUMENT_LOAD(status, make, ty_altimeter_load, &def, diag);
    def.mount = ty_pose_optical(), def.seed = make->seed, def.sensor = make->number;
    tyi_instrument_parts(make, &schema, 2, 1, 'S');
    return status == TY_OK ? ty_altimeter_create(&def, &((place *)*state)->altimeter, diag) : status;
}

static ty_status altimeter_collect(void *state, const ty_shot *shot, ty_part *part, ty_diag *diag)
{
    place *p = state;
    ty_trace_ray ray = { .far = 2.0 * p->altimeter.def.most };
    ty_trace_hit hit;
    ty_altimeter_sample s;
    ty_altimeter_beam(&p->altimeter, shot->key[shot->keys - 1].pose, &ray.from, &ray.dir);
    ty_status status = ty_scene_trace(shot->scene, ray.from, &ray, 1, 0, 1, &hit, diag);
    if (status == TY_OK) {
        ty_altimeter_read(&p->altimeter, hit.range, &s);
        ty_buffer_set(&part[0].data, 0, 0, 0, s.why == TY_SEES ? s.range : (double)NAN);
        ty_buffer_set(&part[0].data, 0, 0, 1, (double)s.why);
        ty_buffer_set(&part[1].data, 0, 0, 0, hit.range);
    }
    return status;
}

const ty_sensor_kind tyi_sensor_altimeter = { .name = "altimeter", .scene = true, .keys = 2, .create = altimeter_create,
                                              .collect = altimeter_collect, KEEPING };

/* ---- Sun sensor: rays to the disk say how much of it reaches the sensor ---- */

#define SUN_RAYS 9 /* the middle, and eight around it at two thirds of the radius */

static ty_status sun_create(ty_sensor_make *make, void *user, void **state, ty_diag *diag)
{
    (void)user;
    static const char *const columns[] = { "blind", "angle_x_rad", "angle_y_rad", "dir_x", "dir_y", "dir_z", NULL };
    static const ty_schema schema = { "sun_sensor", columns };
    ty_sun_sensor_def def = ty_sun_sensor_def_default();
    ty_status status = tyi_instrument_state(sizeof(place), state, diag);
    TYI_INSTRUMENT_LOAD(status, make, ty_sun_sensor_load, &def, diag);
    def.mount = ty_pose_optical(), def.seed = make->seed, def.sensor = make->number;
    tyi_instrument_parts(make, &schema, 6, 4, 'S'); /* truth: direction in W, share of the disk */
    return status == TY_OK ? ty_sun_sensor_create(&def, &((place *)*state)->sun, diag) : status;
}

/* own: the rover that carries the sensor does not hide the Sun from it, nor does any other */
static ty_status sunlit(const ty_shot *shot, ty_vec3 from, bool own, double *share, ty_diag *diag)
{
    ty_vec3 d = shot->sky.sun.dir_W, x = ty_normalize(ty_cross(d, fabs(d.z) < 0.9 ? ty_vec3_make(0, 0, 1) : ty_vec3_make(1, 0, 0))), y = ty_cross(d, x);
    ty_trace_ray ray[SUN_RAYS];
    ty_trace_hit hit[SUN_RAYS];
    for (int i = 0; i < SUN_RAYS; i++) {
        double r = i ? 2.0 / 3.0 * tan(shot->sky.sun.radius) : 0.0, a = 2.0 * TY_PI * i / (SUN_RAYS - 1);
        ray[i] = (ty_trace_ray){ .from = ty_add(from, ty_scale(0.05, d)), .far = 3e5 };
        ray[i].dir = ty_normalize(ty_add(d, ty_add(ty_scale(r * cos(a), x), ty_scale(r * sin(a), y))));
    }
    bool again = true;
    ty_status status = TY_OK;
    for (int tries = 0; again && tries < 16 && status == TY_OK; tries++) { /* through the rover's own body, surface by surface */
        again = false;
        status = ty_scene_trace(shot->scene, from, ray, SUN_RAYS, 0, 1, hit, diag);
        for (int i = 0; i < SUN_RAYS && own && status == TY_OK; i++) {
            if (isfinite(hit[i].range) && hit[i].kind == TY_CLASS_ROVER) {
                ray[i].from = ty_add(ray[i].from, ty_scale(hit[i].range + 1e-3, ray[i].dir));
                again = true;
            }
        }
    }
    *share = 0.0;
    for (int i = 0; i < SUN_RAYS && status == TY_OK; i++) {
        *share += isfinite(hit[i].range) ? 0.0 : 1.0 / SUN_RAYS;
    }
    return status;
}

static ty_status sun_collect(void *state, const ty_shot *shot, ty_part *part, ty_diag *diag)
{
    place *p = state;
    ty_pose at = shot->key[shot->keys - 1].pose;
    double lit = 0.0;
    ty_status status = sunlit(shot, at.p, false, &lit, diag);
    ty_sun_sample s;
    ty_sun_sensor_read(&p->sun, at.q, shot->sky.sun.dir_W, lit, &s);
    bool sees = s.why == TY_SEES;
    ty_buffer_set(&part[0].data, 0, 0, 0, (double)s.why);
    ty_buffer_set(&part[0].data, 0, 0, 1, sees ? s.angle[0] : (double)NAN);
    ty_buffer_set(&part[0].data, 0, 0, 2, sees ? s.angle[1] : (double)NAN);
    tyi_put_vec(&part[0].data, 3, sees ? s.dir_S : ty_vec3_make((double)NAN, (double)NAN, (double)NAN));
    tyi_put_vec(&part[1].data, 0, shot->sky.sun.dir_W);
    ty_buffer_set(&part[1].data, 0, 0, 3, lit);
    return status;
}

const ty_sensor_kind tyi_sensor_sun_sensor = { .name = "sun_sensor", .scene = true, .keys = 2, .create = sun_create, .collect = sun_collect, KEEPING };

/* ---- star tracker ---- */

static ty_status stars_create(ty_sensor_make *make, void *user, void **state, ty_diag *diag)
{
    (void)user;
    static const char *const columns[] = { "blind", "qw", "qx", "qy", "qz", NULL };
    static const ty_schema schema = { "star_tracker", columns };
    ty_star_tracker_def def = ty_star_tracker_def_default();
    ty_status status = tyi_instrument_state(sizeof(place), state, diag);
    TYI_INSTRUMENT_LOAD(status, make, ty_star_tracker_load, &def, diag);
    def.mount = ty_pose_optical(), def.seed = make->seed, def.sensor = make->number;
    make->reads_sky = true;
    tyi_instrument_parts(make, &schema, 5, 4, 'W'); /* attitude of the mount in W, measured and true */
    return status == TY_OK ? ty_star_tracker_create(&def, &((place *)*state)->stars, diag) : status;
}

static void put_quat(const ty_buffer *row, int at, ty_quat q)
{
    const double v[4] = { q.w, q.x, q.y, q.z };
    for (int k = 0; k < 4; k++) {
        ty_buffer_set(row, 0, 0, at + k, v[k]);
    }
}

static ty_status stars_collect(void *state, const ty_shot *shot, ty_part *part, ty_diag *diag)
{
    (void)diag;
    place *p = state;
    const ty_sensor_key *k = &shot->key[shot->keys - 1];
    ty_star_scene scene = { .q_RB = k->pose.q, .omega_B = ty_rotate(ty_quat_conj(k->pose.q), k->omega_W), .sun_R = shot->sky.sun.dir_W,
                            .earth_R = shot->sky.earth.dir_W, .up_R = { 0, 0, 1 }, .sun_is_up = shot->sky.sun.elevation > -shot->sky.sun.radius };
    ty_star_sample s;
    ty_star_tracker_read(&p->stars, &scene, &s);
    ty_quat none = { (double)NAN, (double)NAN, (double)NAN, (double)NAN };
    ty_buffer_set(&part[0].data, 0, 0, 0, (double)s.why);
    put_quat(&part[0].data, 1, s.why == TY_SEES ? s.q_RB : none);
    put_quat(&part[1].data, 0, k->pose.q);
    return TY_OK;
}

const ty_sensor_kind tyi_sensor_star_tracker = { .name = "star_tracker", .keys = 2, .create = stars_create, .collect = stars_collect, KEEPING };

/* ---- power budget: all panels lie in the light, or the shadow, of the mount's origin ---- */

static ty_status power_create(ty_sensor_make *make, void *user, void **state, ty_diag *diag)
{
    (void)user;
    static const char *const columns[] = { "charge", "solar_w", "load_w", "battery_w", "shortfall_w", "lit", NULL };
    static const ty_schema schema = { "power", columns };
    ty_power_def def = ty_power_def_default();
    ty_motor_def motor = ty_motor_def_default();
    ty_status status = tyi_instrument_state(sizeof(place), state, diag);
    if (status == TY_OK && (!make->vehicle || make->def->window != make->def->period)) {
        status = ty_fail(diag, TY_ERR_INPUT, "a power budget is of a rover, and its window is its period");
    }
    TYI_INSTRUMENT_LOAD(status, make, ty_power_load, &def, diag);
    if (status == TY_OK && make->def->lag > (WINDOWS - 2) * make->def->period) {
        status = ty_fail(diag, TY_ERR_RANGE, "its lag is %.6g s, but takes at most %d periods", make->def->lag, WINDOWS - 2);
    }
    make->reads_vehicle = true;
    tyi_instrument_parts(make, &schema, 6, 0, 'B');
    if (status == TY_OK) {
        status = ty_motor_create(&motor, &((place *)*state)->motor, diag);
    }
    return status == TY_OK ? ty_power_create(&def, &((place *)*state)->power, diag) : status;
}

static void power_step(void *state, const ty_sensor_step *step)
{
    place *p = state;
    double *sum = &p->motors[step->window % WINDOWS], before = step->first ? 0.0 : *sum;
    for (int i = 0; i < step->state->wheels; i++) {
        ty_motor_sample s;
        ty_motor_read(&p->motor, step->state->wheel[i].torque, step->state->wheel[i].omega, &s);
        before += s.power * ty_seconds(step->to - step->from);
    }
    *sum = before;
}

static ty_status power_collect(void *state, const ty_shot *shot, ty_part *part, ty_diag *diag)
{
    place *p = state;
    ty_pose at = shot->key[shot->keys - 1].pose;
    double dt = ty_seconds(shot->time.end - shot->time.start), lit[TY_PANELS];
    /* half a metre above the mount, which is the body's origin as a rule: about where panels are */
    ty_status status = sunlit(shot, ty_pose_point(at, ty_vec3_make(0, 0, 0.5)), true, &lit[0], diag);
    for (int i = 1; i < TY_PANELS; i++) {
        lit[i] = lit[0];
    }
    ty_power_input in = { .q_WB = at.q, .sun_W = shot->sky.sun.dir_W, .sun_au = shot->sky.sun.distance / 1.495978707e11,
                          .lit = lit, .motors = p->motors[shot->frame % WINDOWS] / dt, .heaters_on = lit[0] < 0.5 };
    ty_power_flow flow;
    ty_power_step(&p->power, &in, dt, &flow);
    const double row[6] = { flow.charge, flow.solar, flow.load, flow.battery, flow.shortfall, lit[0] };
    for (int i = 0; i < 6; i++) {
        ty_buffer_set(&part[0].data, 0, 0, i, row[i]);
    }
    return status;
}

const ty_sensor_kind tyi_sensor_power = { .name = "power", .scene = true, .keys = 2, .create = power_create, .step = power_step, .collect = power_collect, KEEPING };
