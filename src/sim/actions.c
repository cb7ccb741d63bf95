/* src/sim/actions.c - what is done to the scene before a sensor looks, and undone after: hide, sun, lamp, refine, a
 * user's own.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "sensor/filters.h"
#include "core/core.h"
#include "run.h"
#include "stage.h"

typedef struct action {
    const tyi_sim_sensor *sensor;
    char what[64];
    double p[4];
} action;

typedef struct param {
    const char *name;
    double standard, low, high; /* NaN: needed */
} param;

/* the names of rovers, actors and objects, or `self` for who carries the sensor */
static void hide_all(const action *a, ty_scene *scene, bool hidden)
{
    const ty_run *run = a->sensor->run;
    const char *what = !strcmp(a->what, "self") ? a->sensor->carrier : a->what;
    for (size_t i = 0; i < run->rovers; i++) {
        for (int k = 0; !strcmp(run->rover[i].def->name, what) && k < run->rover[i].looks.shapes; k++) {
            ty_scene_hide(scene, run->rover[i].looks.id[k], hidden, NULL);
        }
    }
    for (size_t i = 0; i < run->actors; i++) {
        if (!strcmp(run->actor[i].def->name, what) && run->actor[i].id) {
            ty_scene_hide(scene, run->actor[i].id, hidden, NULL);
        }
    }
    for (size_t i = 0; i < run->scenario.objects; i++) {
        if (!strcmp(run->scenario.object[i].name, what)) {
            ty_scene_hide(scene, tyi_sim_stage_object(a->sensor->view->stage, i), hidden, NULL);
        }
    }
}

static ty_status hide(void *user, ty_scene *scene, const ty_sensor_shot *shot, ty_diag *diag)
{
    (void)shot, (void)diag;
    hide_all(user, scene, true);
    return TY_OK;
}

static void show(void *user, ty_scene *scene)
{
    hide_all(user, scene, false);
}

/* lights are set anew for every frame, so nothing is to be put back */
static ty_status move_sun(void *user, ty_scene *scene, const ty_sensor_shot *shot, ty_diag *diag)
{
    const action *a = user;
    ty_sky_view sky = shot->sky;
    double az = a->p[0] * TY_DEG, el = a->p[1] * TY_DEG;
    sky.sun.dir_W = ty_vec3_make(sin(az) * cos(el), cos(az) * cos(el), sin(el));
    sky.sun.azimuth = az;
    sky.sun.elevation = el;
    (void)scene;
    return tyi_sim_view_sky(a->sensor->view, &sky, shot->time.start, diag);
}

/* a lamp beside the sensor that shines where it looks */
static ty_status light_lamp(void *user, ty_scene *scene, const ty_sensor_shot *shot, ty_diag *diag)
{
    const action *a = user;
    ty_pose at = shot->key[0].pose;
    ty_light lamp = { .kind = TY_LIGHT_SPOT,
                      .dir_W = ty_rotate(at.q, ty_vec3_make(1, 0, 0)),
                      .place_W = ty_pose_point(at, ty_vec3_make(0, a->p[2], a->p[3])),
                      .inner = 0.8 * a->p[1] * TY_DEG,
                      .outer = a->p[1] * TY_DEG };
    for (int b = 0; b < TY_BANDS; b++) {
        lamp.power[b] = a->p[0];
    }
    return ty_scene_add_light(scene, &lamp, diag);
}

static ty_status refine(void *user, ty_scene *scene, const ty_sensor_shot *shot, ty_diag *diag)
{
    (void)diag;
    const action *a = user;
    ty_vec3 place = ty_pose_point(shot->key[0].pose, ty_vec3_make(a->p[0], 0, 0));
    ty_scene_refine(scene, &place);
    return TY_OK;
}

static void refine_no_more(void *user, ty_scene *scene)
{
    (void)user;
    ty_scene_refine(scene, NULL);
}

static void destroy(void *user)
{
    tyi_put(NULL, user, sizeof(action));
}

static const struct row {
    const char *name;
    bool named; /* takes what: NAME */
    param param[4];
    ty_status (*before)(void *user, ty_scene *scene, const ty_sensor_shot *shot, ty_diag *diag);
    void (*after)(void *user, ty_scene *scene);
} rows[] = {
    { "hide", true, { { 0 } }, hide, show },
    { "sun", false, { { "azimuth_deg", NAN, -360.0, 360.0 }, { "elevation_deg", NAN, -90.0, 90.0 } }, move_sun, NULL },
    { "lamp",
      false,
      { { "power", NAN, 0.0, 1e9 },
        { "angle_deg", 30.0, 1.0, 89.0 },
        { "y", 0.0, -10.0, 10.0 },
        { "z", 0.1, -10.0, 10.0 } },
      light_lamp,
      NULL },
    { "refine", false, { { "distance", NAN, 0.0, 1e6 } }, refine, refine_no_more },
};
#define ROWS (sizeof rows / sizeof rows[0])

static ty_status set_param(const struct row *row, const ty_setting *s, action *a, ty_diag *diag)
{
    if (row->named && !strcmp(s->key, "what")) {
        snprintf(a->what, sizeof a->what, "%.63s", s->value);
        return TY_OK;
    }
    for (int i = 0; i < 4 && row->param[i].name; i++) {
        if (!strcmp(row->param[i].name, s->key)) {
            char *end;
            a->p[i] = tyi_number(s->value, &end);
            if (end == s->value || *end || !(a->p[i] >= row->param[i].low && a->p[i] <= row->param[i].high)) {
                return ty_fail(diag, TY_ERR_RANGE, "action %s: %s is '%s', but takes a number from %.10g to %.10g",
                               row->name, s->key, s->value, row->param[i].low, row->param[i].high);
            }
            return TY_OK;
        }
    }
    return ty_fail(diag, TY_ERR_INPUT, "action %s: there is no setting '%s'", row->name, s->key);
}

static ty_status fill(const struct row *row, const ty_settings *settings, action *a, ty_diag *diag)
{
    for (int i = 0; i < 4; i++) {
        a->p[i] = row->param[i].name ? row->param[i].standard : 0.0;
    }
    for (size_t k = 0; k < settings->count; k++) {
        ty_status status =
            strcmp(settings->item[k].key, "type") != 0 ? set_param(row, &settings->item[k], a, diag) : TY_OK;
        if (status != TY_OK) {
            return status;
        }
    }
    if (row->named && !a->what[0]) {
        return ty_fail(diag, TY_ERR_INPUT,
                       "action %s: the setting what is needed: the name of a rover, an actor or an object, or self",
                       row->name);
    }
    for (int i = 0; i < 4 && row->param[i].name; i++) {
        if (isnan(a->p[i])) {
            return ty_fail(diag, TY_ERR_INPUT, "action %s: the setting %s is needed", row->name, row->param[i].name);
        }
    }
    return TY_OK;
}

static const struct row *find(const ty_settings *settings, ty_diag *diag)
{
    const char *type = ty_settings_get(settings, "type");
    for (size_t i = 0; type && i < ROWS; i++) {
        if (!strcmp(rows[i].name, type)) {
            return &rows[i];
        }
    }
    ty_fail(diag, TY_ERR_INPUT, "action: there is no '%s'; there are hide, sun, lamp, refine and user",
            type ? type : "");
    return NULL;
}

static bool is_user(const ty_settings *settings)
{
    const char *type = ty_settings_get(settings, "type");
    return type && !strcmp(type, "user");
}

ty_status tyi_sensor_action_check(const ty_settings *settings, ty_diag *diag)
{
    action a = { 0 };
    if (is_user(settings)) {
        return ty_settings_get(settings, "name")
                   ? TY_OK
                   : ty_fail(diag, TY_ERR_INPUT, "action user: the setting name is needed");
    }
    const struct row *row = find(settings, diag);
    return row ? fill(row, settings, &a, diag) : TY_ERR_INPUT;
}

static bool known(const ty_run *run, const char *what)
{
    bool found = !strcmp(what, "self");
    for (size_t i = 0; i < run->rovers; i++) {
        found = found || !strcmp(run->rover[i].def->name, what);
    }
    for (size_t i = 0; i < run->actors; i++) {
        found = found || !strcmp(run->actor[i].def->name, what);
    }
    for (size_t i = 0; i < run->scenario.objects; i++) {
        found = found || !strcmp(run->scenario.object[i].name, what);
    }
    return found;
}

ty_status tyi_sim_action_make(const tyi_sim_sensor *sensor, const ty_settings *settings, ty_action *out, ty_diag *diag)
{
    const ty_run *run = sensor->run;
    const char *name = ty_settings_get(settings, "name");
    if (!sensor->kind->scene) {
        return ty_fail(diag, TY_ERR_INPUT, "it does not look at the scene, so it takes no actions");
    }
    for (size_t i = 0; is_user(settings) && i < run->def.action_kinds; i++) {
        if (name && !strcmp(run->def.action_kind[i].name, name)) {
            *out = (ty_action){ 0 };
            return run->def.action_kind[i].make(settings, run->def.action_kind[i].user, out, diag);
        }
    }
    if (is_user(settings)) {
        return ty_fail(
            diag, TY_ERR_INPUT,
            "action: there is no user's action '%s'; the program that runs the scenario must bring it (ty_run_def)",
            name ? name : "");
    }
    const struct row *row = find(settings, diag);
    action *a = row ? tyi_get(NULL, sizeof *a) : NULL;
    if (!a) {
        return row ? ty_fail(diag, TY_ERR_MEMORY, "action %s: no memory", row->name) : TY_ERR_INPUT;
    }
    a->sensor = sensor;
    ty_status status = fill(row, settings, a, diag);
    if (status == TY_OK && row->named && !known(run, a->what)) {
        status = ty_fail(diag, TY_ERR_INPUT, "action %s: there is no rover, actor or object '%s'", row->name, a->what);
    }
    if (status != TY_OK) {
        destroy(a);
        return status;
    }
    *out = (ty_action){ .name = row->name, .before = row->before, .after = row->after, .destroy = destroy, .user = a };
    return TY_OK;
}
