/* src/sim/run_dust.c - dust of a run: parts of rovers that it meets, the cloud before a scene's lights, saved states.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "run_dust.h"
#include <math.h>
#include <string.h>
#include "run.h"
#include "tycho/trace.h"

/* ---- parts of rovers ---- */

/* the box around a shape, in the shape's frame; false: it is not known, or of a wheel */
static bool box_of(const ty_body_shape *s, ty_vec3 *half, ty_vec3 *middle)
{
    *middle = ty_vec3_make(0, 0, 0);
    switch (s->kind) {
    case TY_SHAPE_SPHERE:
        *half = ty_vec3_make(s->size.x, s->size.x, s->size.x);
        return true;
    case TY_SHAPE_CAPSULE:
        *half = ty_vec3_make(s->size.x, s->size.x, s->size.y + s->size.x);
        return true;
    case TY_SHAPE_CYLINDER:
        *half = ty_vec3_make(s->size.x, s->size.x, s->size.y);
        return true;
    case TY_SHAPE_ELLIPSOID:
    case TY_SHAPE_BOX:
        *half = s->size;
        return true;
    case TY_SHAPE_MESH:
    case TY_SHAPE_FILE:
        break;
    }
    double low[3] = { INFINITY, INFINITY, INFINITY }, high[3] = { -INFINITY, -INFINITY, -INFINITY };
    for (int i = 0; s->kind == TY_SHAPE_MESH && i < 3 * s->vertices; i++) {
        low[i % 3] = fmin(low[i % 3], (double)s->vertex[i]), high[i % 3] = fmax(high[i % 3], (double)s->vertex[i]);
    }
    *half = ty_scale(0.5, ty_vec3_make(high[0] - low[0], high[1] - low[1], high[2] - low[2]));
    *middle = ty_scale(0.5, ty_vec3_make(high[0] + low[0], high[1] + low[1], high[2] + low[2]));
    return low[0] <= high[0];
}

static bool of_wheel(const ty_vehicle *v, const ty_vehicle_state *state, int body)
{
    ty_vec3 p = ty_vehicle_body_pose(v, body, NULL, NULL).p;
    for (int w = 0; w < state->wheels; w++) {
        if (ty_norm(ty_sub(p, state->wheel[w].p_W)) < 1e-3) {
            return true;
        }
    }
    return false;
}

/* d NULL: only how many there are */
static int find_parts(const ty_run *run, size_t rover, tyi_sim_dust *d, int n)
{
    const ty_vehicle *v = run->rover[rover].vehicle;
    const ty_body_shape *shape;
    ty_vehicle_state state;
    ty_vehicle_get(v, &state);
    for (int i = 0, shapes = ty_vehicle_shapes(v, &shape); i < shapes; i++) {
        ty_vec3 half, middle;
        if (of_wheel(v, &state, shape[i].body) || !box_of(&shape[i], &half, &middle)) {
            continue;
        }
        if (d) {
            ty_pose at = { middle, ty_quat_identity() };
            d->part[n] = (tyi_sim_dust_part){ rover, shape[i].body, ty_pose_mul(shape[i].pose, at) };
            d->box[n].half = half;
        }
        n++;
    }
    return n;
}

static void place_boxes(const ty_run *run, tyi_sim_dust *d)
{
    for (int i = 0; i < d->boxes; i++) {
        const tyi_sim_dust_part *p = &d->part[i];
        ty_pose body = ty_vehicle_body_pose(run->rover[p->rover].vehicle, p->body, NULL, NULL);
        d->box[i].before = d->box[i].now;
        d->box[i].now = ty_pose_mul(body, p->pose);
    }
}

/* ---- its life ---- */

static ty_status make_all(ty_run *run, tyi_sim_dust *d, ty_diag *diag)
{
    for (size_t i = 0; i < run->rovers; i++) {
        d->boxes = find_parts(run, i, NULL, d->boxes);
    }
    ty_status status = tyi_sim_dust_sources(run, d, diag);
    if (status != TY_OK) {
        return status;
    }
    d->box = tyi_get(NULL, (size_t)(d->boxes + 1) * sizeof *d->box);
    d->part = tyi_get(NULL, (size_t)(d->boxes + 1) * sizeof *d->part);
    d->spare = tyi_get(NULL, (size_t)run->scenario.dust.parcels * sizeof *d->spare);
    if (!d->box || !d->part || !d->spare) {
        return ty_fail(diag, TY_ERR_MEMORY, "run: no memory for dust");
    }
    for (size_t i = 0, n = 0; i < run->rovers; i++) {
        n = (size_t)find_parts(run, i, d, (int)n);
    }
    place_boxes(run, d);
    tyi_dust_def def = { .params = run->scenario.dust,
                         .gravity = run->scenario.gravity,
                         .terrain = ty_world_terrain(run->world),
                         .seed = run->scenario.terrain.seed,
                         .wheels = d->wheels,
                         .jets = d->jets,
                         .seeds = d->seed_room > 0,
                         .boxes = d->boxes,
                         .threads = run->def.threads };
    status = tyi_dust_create(&def, &d->dust, diag);
    const ty_dust_params *p = &def.params;
    d->grains = (ty_sensor_grains){ tyi_dust_sauter(p), p->albedo, p->lobe, p->lobe_share, p->aperture, p->window };
    int groups = (int)(run->rovers + run->scenario.dust.plumes);
    for (int i = 0; i < run->views && status == TY_OK; i++) {
        status = tyi_dust_cloud_create(&def.params, groups > 0 ? groups : 1, &d->cloud[i], diag);
    }
    return status;
}

ty_status tyi_sim_dust_make(ty_run *run, ty_diag *diag)
{
    if (!run->scenario.dust.on) {
        return TY_OK;
    }
    run->dust = tyi_get(NULL, sizeof *run->dust);
    return run->dust ? make_all(run, run->dust, diag) : ty_fail(diag, TY_ERR_MEMORY, "run: no memory for dust");
}

void tyi_sim_dust_free(ty_run *run)
{
    tyi_sim_dust *d = run->dust;
    if (d) {
        tyi_dust_destroy(d->dust);
        for (int i = 0; i < TYI_SIM_VIEWS; i++) {
            tyi_dust_cloud_destroy(d->cloud[i]);
        }
        tyi_sim_dust_sources_free(d);
        tyi_put(NULL, d->box, d->box ? (size_t)(d->boxes + 1) * sizeof *d->box : 0);
        tyi_put(NULL, d->part, d->part ? (size_t)(d->boxes + 1) * sizeof *d->part : 0);
        tyi_put(NULL, d->spare, d->spare ? (size_t)run->scenario.dust.parcels * sizeof *d->spare : 0);
        tyi_put(NULL, d, sizeof *d);
    }
}

ty_status tyi_sim_dust_step(ty_run *run, ty_diag *diag)
{
    tyi_sim_dust *d = run->dust;
    if (!d || run->time - d->at < TYI_SIM_DUST_PERIOD) {
        return TY_OK;
    }
    if (!d->at) { /* rovers have settled since they were made */
        place_boxes(run, d);
    }
    place_boxes(run, d);
    ty_status status = tyi_sim_dust_read(run, d, diag);
    if (status != TY_OK) {
        return status;
    }
    status = tyi_dust_step(d->dust, ty_seconds(d->at), ty_seconds(run->time), d->wheel, d->box, diag);
    tyi_sim_dust_clean(run, d);
    if (status == TY_OK && run->time / TYI_SIM_DUST_LAYS > d->at / TYI_SIM_DUST_LAYS) {
        status = tyi_dust_lay(d->dust, diag);
    }
    d->at = run->time;
    return status;
}

/* ---- for light ---- */

size_t tyi_sim_dust_points(const ty_run *run, ty_time at, ty_vec3 from_W, tyi_dust_point *out)
{
    return tyi_dust_points(run->dust->dust, ty_seconds(at), from_W, out);
}

ty_status tyi_sim_dust_show(tyi_sim_view *view, ty_vec3 from_W, const tyi_dust_point *point, size_t n,
                            const ty_sky_view *sky, ty_diag *diag)
{
    ty_medium medium;
    tyi_dust_cloud *cloud = view->run->dust->cloud[view - view->run->view];
    ty_status status = tyi_dust_cloud_fill(cloud, from_W, point, n, &sky->sun.dir_W, diag);
    ty_scene_set_medium(view->scene, status == TY_OK && tyi_dust_cloud_medium(cloud, &medium) ? &medium : NULL);
    return status;
}

size_t tyi_sim_dust_room(const ty_run *run)
{
    return run->dust ? (size_t)run->scenario.dust.parcels * sizeof(tyi_dust_point) : 0;
}

ty_status tyi_sim_dust_show_now(ty_run *run, ty_vec3 from_W, const ty_sky_view *sky, ty_diag *diag)
{
    size_t n = tyi_sim_dust_points(run, run->time, from_W, run->dust->spare);
    return tyi_sim_dust_show(&run->view[0], from_W, run->dust->spare, n, sky, diag);
}

/* ---- saved states: when, where the boxes were, the rest ---- */

size_t tyi_sim_dust_save(const ty_run *run, void *out)
{
    const tyi_sim_dust *d = run->dust;
    if (!d) {
        return 0;
    }
    size_t boxes = (size_t)d->boxes * sizeof *d->box;
    if (out) {
        memcpy(out, &d->at, sizeof d->at);
        memcpy((char *)out + sizeof d->at, d->box, boxes);
    }
    return sizeof d->at + boxes + tyi_dust_save(d->dust, out ? (char *)out + sizeof d->at + boxes : NULL);
}

ty_status tyi_sim_dust_restore(ty_run *run, const void *saved, size_t bytes, ty_diag *diag)
{
    tyi_sim_dust *d = run->dust;
    size_t boxes = d ? (size_t)d->boxes * sizeof *d->box : 0, head = sizeof(ty_time) + boxes;
    if ((bytes > 0) != (d != NULL) || (d && bytes < head)) {
        return ty_fail(diag, TY_ERR_FORMAT, "run: the saved state is of another scenario: one has dust, one has none");
    }
    if (!d) {
        return TY_OK;
    }
    memcpy(&d->at, saved, sizeof d->at);
    memcpy(d->box, (const char *)saved + sizeof d->at, boxes);
    return tyi_dust_restore(d->dust, (const char *)saved + head, bytes - head, diag);
}
