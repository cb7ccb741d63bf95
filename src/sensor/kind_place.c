/* src/sensor/kind_place.c - where a rover is: position fix, altimeter, Sun sensor, star tracker.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "kind_instrument.h"
#include "instrument_file.h"
#include "tycho/trace.h"

TYI_SENSOR_INSTRUMENT(position, TY_SENSOR_POSITION, 1.0, 0.0)
TYI_SENSOR_INSTRUMENT(altimeter, TY_SENSOR_ALTIMETER, 0.1, 0.0)
TYI_SENSOR_INSTRUMENT(sun_sensor, TY_SENSOR_SUN, 1.0, 0.0)
TYI_SENSOR_INSTRUMENT(star_tracker, TY_SENSOR_STARS, 1.0, 0.0)

/* one of them; saved as it is */
typedef struct place {
    tyi_inertial_fix fix;
    tyi_inertial_altimeter altimeter;
    tyi_inertial_sun_sensor sun;
    tyi_inertial_star_tracker stars;
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
    static const ty_message_column columns[] = { { "x", "m", TY_QUANTITY_POSITION, NULL },
                                                 { "y", "m", TY_QUANTITY_POSITION, NULL },
                                                 { "z", "m", TY_QUANTITY_POSITION, NULL },
                                                 { "vx", "m/s", TY_QUANTITY_VELOCITY, NULL },
                                                 { "vy", "m/s", TY_QUANTITY_VELOCITY, NULL },
                                                 { "vz", "m/s", TY_QUANTITY_VELOCITY, NULL },
                                                 { 0 } };
    static const ty_message_schema schema = { "position", columns };
    tyi_inertial_fix_def def = tyi_inertial_fix_def_default();
    ty_status status = tyi_sensor_instrument_state(sizeof(place), state, diag);
    TYI_SENSOR_INSTRUMENT_LOAD(status, make, tyi_sensor_fix_load, &def, diag);
    def.mount = at_mount, def.seed = make->seed, def.sensor = make->number;
    for (int k = 0; k < 3; k++) {
        make->sigma[k] = hypot(def.noise[k], def.drift), make->sigma[k + 3] = def.noise_speed;
    }
    tyi_sensor_instrument_parts(make, &schema, 6, 6, 'W'); /* truth: place, slow part of the error */
    return status == TY_OK ? tyi_inertial_fix_create(&def, &((place *)*state)->fix, diag) : status;
}

static ty_status position_collect(void *state, const ty_sensor_shot *shot, ty_message_part *part, ty_diag *diag)
{
    (void)diag;
    place *p = state;
    const ty_sensor_key *k = &shot->key[shot->keys - 1];
    tyi_inertial_fix_sample s;
    tyi_inertial_fix_read(&p->fix, k->pose, k->v_W, ty_rotate(ty_quat_conj(k->pose.q), k->omega_W), shot->period, &s);
    tyi_sensor_put_vec(&part[0].data, 0, s.p_W);
    tyi_sensor_put_vec(&part[0].data, 3, s.v_W);
    tyi_sensor_put_vec(&part[1].data, 0, k->pose.p);
    tyi_sensor_put_vec(&part[1].data, 3, s.error);
    return TY_OK;
}

const ty_sensor_kind tyi_sensor_position = {
    .name = "position", .keys = 2, .create = position_create, .collect = position_collect, KEEPING
};

/* ---- altimeter ---- */

static ty_status altimeter_create(ty_sensor_make *make, void *user, void **state, ty_diag *diag)
{
    (void)user;
    static const ty_message_column columns[] = { { "range", "m", TY_QUANTITY_RANGE, NULL },
                                                 { "blind", "", TY_QUANTITY_BLIND, NULL },
                                                 { 0 } };
    static const ty_message_schema schema = { "altimeter", columns };
    tyi_inertial_altimeter_def def = tyi_inertial_altimeter_def_default();
    ty_status status = tyi_sensor_instrument_state(sizeof(place), state, diag);
    TYI_SENSOR_INSTRUMENT_LOAD(status, make, tyi_sensor_altimeter_load, &def, diag);
    def.mount = ty_pose_optical(), def.seed = make->seed, def.sensor = make->number;
    make->sigma[0] = def.noise;
    tyi_sensor_instrument_parts(make, &schema, 2, 1, 'S');
    return status == TY_OK ? tyi_inertial_altimeter_create(&def, &((place *)*state)->altimeter, diag) : status;
}

static ty_status altimeter_collect(void *state, const ty_sensor_shot *shot, ty_message_part *part, ty_diag *diag)
{
    place *p = state;
    ty_trace_ray ray = { .far = 2.0 * p->altimeter.def.most };
    ty_trace_hit hit;
    tyi_inertial_altimeter_sample s;
    tyi_inertial_altimeter_beam(&p->altimeter, shot->key[shot->keys - 1].pose, &ray.from, &ray.dir);
    ty_status status = ty_scene_trace(shot->scene, ray.from, &ray, 1, 0, 1, &hit, diag);
    if (status == TY_OK) {
        tyi_inertial_altimeter_read(&p->altimeter, hit.range, &s);
        ty_buffer_set(&part[0].data, 0, 0, 0, s.why == TY_SEES ? s.range : (double)NAN);
        ty_buffer_set(&part[0].data, 0, 0, 1, (double)s.why);
        ty_buffer_set(&part[1].data, 0, 0, 0, hit.range);
    }
    return status;
}

const ty_sensor_kind tyi_sensor_altimeter = {
    .name = "altimeter", .scene = true, .keys = 2, .create = altimeter_create, .collect = altimeter_collect, KEEPING
};

/* ---- Sun sensor: rays to the disk say how much of it reaches the sensor ---- */

#define SUN_RAYS 9 /* the middle, and eight around it at two thirds of the radius */

static ty_status sun_create(ty_sensor_make *make, void *user, void **state, ty_diag *diag)
{
    (void)user;
    static const ty_message_column columns[] = { { "blind", "", TY_QUANTITY_BLIND, NULL },
                                                 { "angle_x", "rad", TY_QUANTITY_ANGLE, NULL },
                                                 { "angle_y", "rad", TY_QUANTITY_ANGLE, NULL },
                                                 { "dir_x", "", TY_QUANTITY_DIRECTION, NULL },
                                                 { "dir_y", "", TY_QUANTITY_DIRECTION, NULL },
                                                 { "dir_z", "", TY_QUANTITY_DIRECTION, NULL },
                                                 { 0 } };
    static const ty_message_schema schema = { "sun_sensor", columns };
    tyi_inertial_sun_sensor_def def = tyi_inertial_sun_sensor_def_default();
    ty_status status = tyi_sensor_instrument_state(sizeof(place), state, diag);
    TYI_SENSOR_INSTRUMENT_LOAD(status, make, tyi_sensor_sun_sensor_load, &def, diag);
    def.mount = ty_pose_optical(), def.seed = make->seed, def.sensor = make->number;
    tyi_sensor_instrument_parts(make, &schema, 6, 4, 'S'); /* truth: direction in W, share of the disk */
    return status == TY_OK ? tyi_inertial_sun_sensor_create(&def, &((place *)*state)->sun, diag) : status;
}

static ty_status sunlit(const ty_sensor_shot *shot, ty_vec3 from, double *share, ty_diag *diag)
{
    ty_vec3 d = shot->sky.sun.dir_W,
            x = ty_normalize(ty_cross(d, fabs(d.z) < 0.9 ? ty_vec3_make(0, 0, 1) : ty_vec3_make(1, 0, 0))),
            y = ty_cross(d, x);
    ty_trace_ray ray[SUN_RAYS];
    ty_trace_hit hit[SUN_RAYS];
    for (int i = 0; i < SUN_RAYS; i++) {
        double r = i ? 2.0 / 3.0 * tan(shot->sky.sun.radius) : 0.0, a = 2.0 * TY_PI * i / (SUN_RAYS - 1);
        ray[i] = (ty_trace_ray){ .from = ty_add(from, ty_scale(0.05, d)), .far = 3e5 };
        ray[i].dir = ty_normalize(ty_add(d, ty_add(ty_scale(r * cos(a), x), ty_scale(r * sin(a), y))));
    }
    ty_status status = ty_scene_trace(shot->scene, from, ray, SUN_RAYS, 0, shot->threads, hit,
                                      diag); /* the first look makes the ground */
    *share = 0.0;
    for (int i = 0; i < SUN_RAYS && status == TY_OK; i++) {
        *share += isfinite(hit[i].range) ? 0.0 : 1.0 / SUN_RAYS;
    }
    return status;
}

static ty_status sun_collect(void *state, const ty_sensor_shot *shot, ty_message_part *part, ty_diag *diag)
{
    place *p = state;
    ty_pose at = shot->key[shot->keys - 1].pose;
    double lit = 0.0;
    ty_status status = sunlit(shot, at.p, &lit, diag);
    ty_sun_sample s;
    tyi_inertial_sun_sensor_read(&p->sun, at.q, shot->sky.sun.dir_W, lit, &s);
    bool sees = s.why == TY_SEES;
    ty_buffer_set(&part[0].data, 0, 0, 0, (double)s.why);
    ty_buffer_set(&part[0].data, 0, 0, 1, sees ? s.angle[0] : (double)NAN);
    ty_buffer_set(&part[0].data, 0, 0, 2, sees ? s.angle[1] : (double)NAN);
    tyi_sensor_put_vec(&part[0].data, 3, sees ? s.dir_S : ty_vec3_make((double)NAN, (double)NAN, (double)NAN));
    tyi_sensor_put_vec(&part[1].data, 0, shot->sky.sun.dir_W);
    ty_buffer_set(&part[1].data, 0, 0, 3, lit);
    return status;
}

const ty_sensor_kind tyi_sensor_sun_sensor = {
    .name = "sun_sensor", .scene = true, .keys = 2, .create = sun_create, .collect = sun_collect, KEEPING
};

/* ---- star tracker ---- */

static ty_status stars_create(ty_sensor_make *make, void *user, void **state, ty_diag *diag)
{
    (void)user;
    static const ty_message_column columns[] = {
        { "blind", "", TY_QUANTITY_BLIND, NULL }, { "qw", "", TY_QUANTITY_ATTITUDE, NULL },
        { "qx", "", TY_QUANTITY_ATTITUDE, NULL }, { "qy", "", TY_QUANTITY_ATTITUDE, NULL },
        { "qz", "", TY_QUANTITY_ATTITUDE, NULL }, { 0 }
    };
    static const ty_message_schema schema = { "star_tracker", columns };
    tyi_inertial_star_tracker_def def = tyi_inertial_star_tracker_def_default();
    ty_status status = tyi_sensor_instrument_state(sizeof(place), state, diag);
    TYI_SENSOR_INSTRUMENT_LOAD(status, make, tyi_sensor_star_tracker_load, &def, diag);
    def.mount = ty_pose_optical(), def.seed = make->seed, def.sensor = make->number;
    make->reads_sky = true;
    tyi_sensor_instrument_parts(make, &schema, 5, 4, 'W'); /* attitude of the mount in W, measured and true */
    return status == TY_OK ? tyi_inertial_star_tracker_create(&def, &((place *)*state)->stars, diag) : status;
}

static void put_quat(const ty_buffer *row, int at, ty_quat q)
{
    const double v[4] = { q.w, q.x, q.y, q.z };
    for (int k = 0; k < 4; k++) {
        ty_buffer_set(row, 0, 0, at + k, v[k]);
    }
}

static ty_status stars_collect(void *state, const ty_sensor_shot *shot, ty_message_part *part, ty_diag *diag)
{
    (void)diag;
    place *p = state;
    const ty_sensor_key *k = &shot->key[shot->keys - 1];
    ty_star_scene scene = { .q_RB = k->pose.q,
                            .omega_B = ty_rotate(ty_quat_conj(k->pose.q), k->omega_W),
                            .sun_R = shot->sky.sun.dir_W,
                            .earth_R = shot->sky.earth.dir_W,
                            .up_R = { 0, 0, 1 },
                            .sun_is_up = shot->sky.sun.elevation > -shot->sky.sun.radius };
    ty_star_sample s;
    tyi_inertial_star_tracker_read(&p->stars, &scene, &s);
    ty_quat none = { (double)NAN, (double)NAN, (double)NAN, (double)NAN };
    ty_buffer_set(&part[0].data, 0, 0, 0, (double)s.why);
    put_quat(&part[0].data, 1, s.why == TY_SEES ? s.q_RB : none);
    put_quat(&part[1].data, 0, k->pose.q);
    return TY_OK;
}

const ty_sensor_kind tyi_sensor_star_tracker = {
    .name = "star_tracker", .keys = 2, .create = stars_create, .collect = stars_collect, KEEPING
};
