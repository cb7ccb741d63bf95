/* src/sim/run_dust.c - dust of a run: its life and step, the cloud before a scene's lights, saved states.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "run_dust.h"
#include <stdlib.h>
#include <string.h>
#include "render/inner.h"
#include "run.h"
#include "tycho/trace.h"

/* ---- its life ---- */

static ty_status make_all(ty_run *run, tyi_sim_dust *d, ty_diag *diag)
{
    ty_status status = tyi_sim_dust_sources(run, d, diag);
    status = status == TY_OK ? tyi_sim_dust_fit(run, d, diag) : status;
    if (status != TY_OK) {
        return status;
    }
    d->spare = tyi_get(NULL, (size_t)run->scenario.dust.parcels * sizeof *d->spare);
    if (!d->spare) {
        return ty_fail(diag, TY_ERR_MEMORY, "run: no memory for dust");
    }
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
        free(d->box), free(d->part);
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
    ty_status status = tyi_sim_dust_fit(run, d, diag);
    if (!d->at) { /* rovers have settled since they were made */
        tyi_sim_dust_place(run, d);
    }
    tyi_sim_dust_place(run, d);
    status = status == TY_OK ? tyi_sim_dust_read(run, d, diag) : status;
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
    tyi_render_coat coat[TYI_RENDER_COATS];
    tyi_sim_dust_looks(run, coat);
    tyi_render_scene_set_dust(run->view[0].scene, coat, TYI_RENDER_COATS);
    return tyi_sim_dust_show(&run->view[0], from_W, run->dust->spare, n, sky, diag);
}

/* ---- saved states: when, where the boxes were, the rest ---- */

typedef struct head {
    ty_time at;
    uint64_t boxes;
} head;

size_t tyi_sim_dust_save(const ty_run *run, void *out)
{
    const tyi_sim_dust *d = run->dust;
    if (!d) {
        return 0;
    }
    head h = { d->at, (uint64_t)d->boxes };
    size_t boxes = (size_t)d->boxes * sizeof *d->box;
    if (out) {
        memcpy(out, &h, sizeof h);
        memcpy((char *)out + sizeof h, d->box, boxes);
    }
    return sizeof h + boxes + tyi_dust_save(d->dust, out ? (char *)out + sizeof h + boxes : NULL);
}

ty_status tyi_sim_dust_restore(ty_run *run, const void *saved, size_t bytes, ty_diag *diag)
{
    tyi_sim_dust *d = run->dust;
    head h = { 0 };
    if ((bytes > 0) != (d != NULL) || (d && bytes < sizeof h)) {
        return ty_fail(diag, TY_ERR_FORMAT, "run: the saved state is of another scenario: one has dust, one has none");
    }
    if (!d) {
        return TY_OK;
    }
    ty_status status = tyi_sim_dust_fit(run, d, diag); /* what has come into the run has come by now */
    memcpy(&h, saved, sizeof h);
    size_t boxes = h.boxes * sizeof *d->box;
    if (status == TY_OK && (h.boxes > (uint64_t)d->boxes || bytes < sizeof h + boxes)) {
        status = ty_fail(diag, TY_ERR_FORMAT, "run: the saved dust is of another scenario, or damaged");
    }
    if (status != TY_OK) {
        return status;
    }
    d->at = h.at;
    memcpy(d->box, (const char *)saved + sizeof h, boxes);
    return tyi_dust_restore(d->dust, (const char *)saved + sizeof h + boxes, bytes - sizeof h - boxes, diag);
}
