/* src/study/dataset_view.c - one place of the stereo camera: where it stands, what its cameras see, which rocks get
 * labels.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "dataset.h"
#include "tycho/tools/coco.h"
#include "tycho/tools/draw.h"
#include "tycho/tools/exr.h"
#include "tycho/trace.h"
#include "io/inner.h"
#include "world/terrain/inner.h"

#define CLEAR       1.0 /* [m] no rock's edge is nearer to the middle of the camera than this */
#define TRIES       200
#define MOST_LABELS 65535

const char *const tyi_study_label_name[TYI_STUDY_LABEL_KINDS] = { "rock", "rover", "object" };

int tyi_study_label_kind(ty_render_class kind)
{
    return kind == TY_CLASS_ROCK ? 0 : kind == TY_CLASS_ROVER ? 1 : kind == TY_CLASS_OBJECT ? 2 : -1;
}

/* ---- world and scene of a terrain ---- */

static ty_status make_scene(tyi_study_dataset_job *job, ty_diag *diag)
{
    const ty_dataset_def *def = job->set->def;
    ty_scene_def s = ty_scene_def_default();
    /* a cell as wide as 1.3 to 2.7 pixels, as far as memory allows */
    s.ring_cells = ((int)fmin(fmax(3.0 * def->width / def->hfov, 256.0), 1024.0) + 128) / 256 * 256;
    s.rock_angle = fmin(2e-3, 1.5 * def->hfov / def->width);
    s.threads = job->threads;
    ty_sky sky;
    ty_status status = ty_sky_at(ty_world_start(job->world), &sky, diag);
    if (status == TY_OK) {
        job->sky = ty_sky_view_at(&sky, ty_terrain_site(ty_world_terrain(job->world)));
        status = ty_stage_create(job->scenario, ty_world_terrain(job->world), &s, &job->stage, diag);
        job->scene = job->stage ? ty_stage_scene(job->stage) : NULL;
    }
    return status;
}

void tyi_study_dataset_close(tyi_study_dataset_job *job)
{
    ty_stage_destroy(job->stage);
    ty_world_destroy(job->world);
    ty_scenario_destroy(job->scenario);
    job->stage = NULL, job->scene = NULL, job->world = NULL, job->scenario = NULL;
    job->terrain = SIZE_MAX;
}

static ty_status open_terrain(tyi_study_dataset_job *job, size_t terrain, ty_diag *diag)
{
    if (job->terrain == terrain) {
        return TY_OK;
    }
    const tyi_study_terrain_plan *plan = &job->set->terrain[terrain];
    tyi_study_dataset_close(job);
    char seed[64];
    snprintf(seed, sizeof seed, "terrain.seed=%llu", (unsigned long long)plan->seed);
    const char *settings[] = { seed };
    ty_status status = ty_scenario_load(plan->site->scenario, settings, 1, &job->scenario, diag);
    status = status == TY_OK ? ty_scenario_create_world(job->scenario, &job->world, diag) : status;
    status = status == TY_OK ? make_scene(job, diag) : status;
    job->terrain = status == TY_OK ? terrain : SIZE_MAX;
    return status;
}

/* ---- where the camera stands ---- */

static bool is_clear(ty_terrain *terrain, double x, double y)
{
    enum { NEAR = 256 };
    ty_rock rock[NEAR];
    double most = tyi_terrain_rock_most(terrain), reach = CLEAR + most;
    ty_rect rect = { x - reach, y - reach, x + reach, y + reach };
    if (!(most > 0.0)) {
        return true;
    }
    /* smaller ones do not reach the eye */
    size_t n = ty_terrain_rocks(terrain, rect, 0.15, INFINITY, rock, NEAR);
    for (size_t i = 0; i < n && i < NEAR; i++) {
        if (hypot(rock[i].x - x, rock[i].y - y) < CLEAR + 0.6 * rock[i].diameter) {
            return false;
        }
    }
    return true;
}

ty_status tyi_study_dataset_place(tyi_study_dataset_job *job, const tyi_study_view_plan *v, ty_diag *diag)
{
    const ty_dataset_def *def = job->set->def;
    ty_status status = open_terrain(job, v->terrain, diag);
    if (status != TY_OK) {
        return status;
    }
    ty_terrain *terrain = ty_world_terrain(job->world);
    size_t of = v->terrain << 16 | (size_t)v->place;
    double x = 0.0, y = 0.0, z = 0.0;
    bool clear = false;
    for (uint32_t k = 0; k < TRIES && !clear; k++) {
        x = def->area * (tyi_study_dataset_draw(def, TYI_STUDY_DRAW_PLACE, of, k, 0) - 0.5);
        y = def->area * (tyi_study_dataset_draw(def, TYI_STUDY_DRAW_PLACE, of, k, 1) - 0.5);
        clear = is_clear(terrain, x, y);
    }
    if (!clear) {
        return ty_fail(
            diag, TY_ERR_INPUT,
            "data set: on terrain T%02zu there is no place within %g m where rocks leave %g m for the camera",
            v->terrain + 1, def->area, CLEAR);
    }
    job->heading = 2.0 * TY_PI * tyi_study_dataset_draw(def, TYI_STUDY_DRAW_PLACE, of, 0, 2);
    status = ty_terrain_sample(terrain, 0, 1, &x, &y, &z, NULL, diag);
    job->middle = ty_vec3_make(x, y, z + v->stand);
    ty_camera left = ty_camera_default();
    left.width = def->width, left.height = def->height, left.hfov = def->hfov;
    left.pose.q = ty_camera_look(job->heading, def->look, 0.0);
    left.pose.p = ty_add(job->middle, ty_rotate(left.pose.q, ty_vec3_make(-0.5 * def->baseline, 0.0, 0.0)));
    job->eye[0].camera = left;
    job->eye[1].camera = ty_truth_stereo_right(&left, def->baseline);
    return status;
}

/* ---- labels ---- */

static ty_status take_boxes(tyi_study_eye *e, int least, ty_diag *diag)
{
    ty_truth_box2 *box = tyi_get(NULL, MOST_LABELS * sizeof *box);
    if (!box) {
        return ty_fail(diag, TY_ERR_MEMORY, "data set: no memory for the boxes");
    }
    size_t n = ty_truth_boxes_2d(e->camera.width, e->camera.height, e->out.instance, e->out.kind, box, MOST_LABELS);
    e->labels = 0;
    for (size_t i = 0; i < n; i++) {
        e->labels += box[i].pixels >= least && tyi_study_label_kind(box[i].kind) >= 0;
    }
    if (e->labels > e->room) {
        tyi_put(NULL, e->label, e->room * sizeof *e->label);
        e->room = 2 * e->labels;
        e->label = tyi_get(NULL, e->room * sizeof *e->label);
    }
    ty_status status =
        e->label || !e->labels ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "data set: no memory for the labels");
    e->room = e->label ? e->room : 0;
    size_t at = 0;
    for (size_t i = 0; i < n && status == TY_OK; i++) {
        if (box[i].pixels >= least && tyi_study_label_kind(box[i].kind) >= 0) {
            e->label[at++] = (tyi_study_label){ .instance = box[i].instance, .box = box[i] };
        }
    }
    tyi_put(NULL, box, MOST_LABELS * sizeof *box);
    return status;
}

/* the same rock has the same number in both images */
static void number_labels(tyi_study_eye eye[2])
{
    int next = 1;
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < eye[side].labels; i++) {
            tyi_study_label *l = &eye[side].label[i];
            for (size_t k = 0; side && k < eye[0].labels && !l->number; k++) {
                l->number = eye[0].label[k].instance == l->instance ? eye[0].label[k].number : 0;
            }
            l->number = l->number ? l->number : next++;
        }
    }
}

static ty_status measure_labels(const ty_scene *scene, tyi_study_eye *e, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (size_t i = 0; i < e->labels && status == TY_OK; i++) {
        tyi_study_label *l = &e->label[i];
        ty_truth_box3 box;
        status = ty_truth_boxes_3d(scene, &e->camera, &l->box, 1, &box, diag);
        if (status == TY_OK) {
            l->visible = box.visible;
            l->distance = ty_norm(box.pose_S.p);
            l->length = 2.0 * fmax(fmax(box.half.x, box.half.y), box.half.z);
        }
    }
    return status;
}

/* instance mask, and each label's own as text */
static ty_status make_masks(tyi_study_eye *e, ty_diag *diag)
{
    int w = e->camera.width, h = e->camera.height;
    memset(e->mask, 0, (size_t)w * (size_t)h * sizeof *e->mask);
    for (size_t i = 0; i < e->labels; i++) {
        const ty_truth_box2 *b = &e->label[i].box;
        const int box[4] = { b->x0, b->y0, b->x1, b->y1 };
        uint16_t number = (uint16_t)e->label[i].number;
        for (int y = b->y0; y < b->y1; y++) {
            for (int x = b->x0; x < b->x1; x++) {
                size_t at = (size_t)y * (size_t)w + (size_t)x;
                e->mask[at] = e->out.instance[at] == e->label[i].instance ? number : e->mask[at];
            }
        }
        e->label[i].rle = tyi_io_coco_rle_encode(w, h, e->mask, number, box);
        if (!e->label[i].rle) {
            return ty_fail(diag, TY_ERR_MEMORY, "data set: no memory for a mask");
        }
    }
    return TY_OK;
}

/* Rocks that are too small for a label are there all the same: one region that a detector may find or not (COCO:
 * iscrowd). */
static ty_status make_crowd(tyi_study_eye *e, ty_diag *diag)
{
    int w = e->camera.width, h = e->camera.height;
    size_t n = (size_t)w * (size_t)h;
    uint16_t *small = calloc(n, sizeof *small);
    if (!small) {
        return ty_fail(diag, TY_ERR_MEMORY, "data set: no memory for a mask");
    }
    ty_truth_box2 b = { .kind = TY_CLASS_ROCK, .x0 = w, .y0 = h };
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            size_t at = (size_t)y * (size_t)w + (size_t)x;
            small[at] = e->out.kind[at] == TY_CLASS_ROCK && !e->mask[at];
            if (small[at]) {
                b.x0 = x < b.x0 ? x : b.x0, b.x1 = x + 1 > b.x1 ? x + 1 : b.x1;
                b.y0 = y < b.y0 ? y : b.y0, b.y1 = y + 1;
                b.pixels++;
            }
        }
    }
    e->small = b;
    e->crowd = b.pixels ? tyi_io_coco_rle_encode(w, h, small, 1, NULL) : NULL;
    free(small);
    return b.pixels && !e->crowd ? ty_fail(diag, TY_ERR_MEMORY, "data set: no memory for a mask") : TY_OK;
}

static void free_masks(tyi_study_eye *e)
{
    free(e->crowd);
    e->crowd = NULL;
    for (size_t i = 0; i < e->labels; i++) {
        free(e->label[i].rle);
        e->label[i].rle = NULL;
    }
    e->labels = 0;
}

/* ---- files of the truth ---- */

static ty_status write_depth(tyi_study_dataset_job *job, const tyi_study_eye *e, const char *path, ty_diag *diag)
{
    int w = e->camera.width, h = e->camera.height;
    if (job->set->def->depth == TY_DEPTH_EXR) {
        ty_exr image = { .width = w, .height = h, .channels = 1, .name = { "Y" }, .data = e->depth };
        return ty_exr_write(path, &image, diag);
    }
    for (size_t i = 0; i < (size_t)w * (size_t)h; i++) {
        double mm = 1000.0 * e->out.depth[i];
        job->deep[i] = mm <= 65535.4 ? (uint16_t)lrint(mm) : 0;
    }
    return ty_png_write(path, w, h, 1, 16, job->deep, diag);
}

static ty_status write_truth(tyi_study_dataset_job *job, const tyi_study_view_plan *v, int side, ty_diag *diag)
{
    const tyi_study_eye *e = &job->eye[side];
    static const char *const kinds[3] = { "depth", "instances", "classes" };
    char name[TYI_STUDY_NAME + 8], view[TYI_STUDY_NAME], path[TY_PATH_MAX];
    snprintf(name, sizeof name, "%s_%c", tyi_study_view_name(v, view), side ? 'R' : 'L');
    ty_status status = TY_OK;
    for (int k = 0; k < 3 && status == TY_OK; k++) {
        const char *ending = k == 0 && job->set->def->depth == TY_DEPTH_EXR ? ".exr" : ".png";
        if (!tyi_study_dataset_path(job->folder, job->set, v, kinds[k], name, ending, path)) {
            return ty_fail(diag, TY_ERR_FILE, "%s: the path of the folder is too long", job->folder);
        }
        if (access(path, F_OK) == 0) {
            continue; /* of an earlier run; files are whole */
        }
        status = k == 0   ? write_depth(job, e, path, diag)
                 : k == 1 ? ty_png_write(path, e->camera.width, e->camera.height, 1, 16, e->mask, diag)
                          : ty_png_write(path, e->camera.width, e->camera.height, 1, 8, e->out.kind, diag);
    }
    return status;
}

ty_status tyi_study_dataset_view(tyi_study_dataset_job *job, const tyi_study_view_plan *v, ty_diag *diag)
{
    double start = tyi_now(), update = 0.0;
    ty_status status = tyi_study_dataset_place(job, v, diag);
    double placed = tyi_now();
    for (int side = 0; side < 2 && status == TY_OK; side++) {
        tyi_study_eye *e = &job->eye[side];
        ty_render_def def = ty_render_def_default();
        def.threads = job->threads;
        ty_render_buffers truth = { .depth = e->out.depth, .instance = e->out.instance, .kind = e->out.kind };
        free_masks(e);
        status = ty_render(job->scene, &e->camera, &def, &truth, diag);
        update += ty_scene_get_stats(job->scene).update_s;
        for (size_t i = 0; i < (size_t)e->camera.width * (size_t)e->camera.height && status == TY_OK; i++) {
            e->depth[i] = (float)e->out.depth[i];
        }
        status = status == TY_OK ? take_boxes(e, job->set->def->least_pixels, diag) : status;
        status = status == TY_OK ? measure_labels(job->scene, e, diag) : status;
    }
    if (status == TY_OK) {
        number_labels(job->eye);
    }
    for (int side = 0; side < 2 && status == TY_OK; side++) {
        status = make_masks(&job->eye[side], diag);
        status = status == TY_OK ? make_crowd(&job->eye[side], diag) : status;
    }
    double made = tyi_now();
    for (int side = 0; side < 2 && status == TY_OK; side++) {
        status = write_truth(job, v, side, diag);
    }
    job->stats.scene_s += placed - start + update;
    job->stats.truth_s += made - placed - update;
    job->stats.write_s += tyi_now() - made;
    return status;
}
