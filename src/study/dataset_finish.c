/* src/study/dataset_finish.c - the run over the plan, and the files over all images: COCO, YOLO, statistics, contact
 * sheet.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "dataset.h"
#include "io/out.h"
#include "tycho/tools/coco.h"

/* ---- merging the records ---- */

/* one image of the set, in the order of the plan: number = 2 * pair + side */
typedef struct place {
    const tyi_study_view_plan *view;
    size_t light, exposure;
    int side;
} place;

static place place_of(const ty_dataset *d, size_t view, size_t within)
{
    const tyi_study_view_plan *v = &d->view[view];
    return (place){ v, within / 2 / v->exposures, within / 2 % v->exposures, (int)(within % 2) };
}

static ty_status read_record(const tyi_study_dataset_job *job, const place *p, ty_coco *out, ty_diag *diag)
{
    char name[TYI_STUDY_NAME], path[TY_PATH_MAX];
    tyi_study_image_name(job->set, p->view, p->light, p->exposure, p->side, name);
    tyi_study_dataset_path(job->folder, job->set, p->view, "records", name, ".json", path);
    ty_status status = ty_coco_read(path, out, diag);
    if (status == TY_OK && out->images != 1) {
        ty_coco_free(out);
        status = ty_fail(diag, TY_ERR_FORMAT, "%s: takes one image", path);
    }
    return status;
}

static void put_box(FILE *f, const ty_coco_box *b, size_t id, int64_t image)
{
    fprintf(
        f,
        "{\"id\": %zu, \"image_id\": %lld, \"category_id\": %lld, \"bbox\": [%.0f, %.0f, %.0f, %.0f], \"area\": %.0f, \"iscrowd\": %d, ",
        id, (long long)image, (long long)b->category, b->x, b->y, b->w, b->h, b->area, b->crowd);
    if (!b->crowd) {
        fprintf(f, "\"instance\": %lld, \"visible\": %.4f, \"lit\": %.4f, \"distance\": %.4f, \"length\": %.4f, ",
                (long long)b->instance, b->visible, b->lit, b->distance, b->length);
    }
    fprintf(f, "\"segmentation\": {\"size\": [%d, %d], \"counts\": \"", b->rle_height, b->rle_width);
    for (const char *c = b->rle; *c; c++) {
        if (*c == '\\') {
            fputc('\\', f);
        }
        fputc(*c, f);
    }
    fputs("\"}}", f);
}

static bool grow(tyi_study_measures *m, size_t labels)
{
    if (m->labels + labels <= m->room) {
        return true;
    }
    double **list[] = { &m->size, &m->distance, &m->visible, &m->lit, &m->length };
    size_t room = m->room;
    for (int k = 0; k < 5; k++) {
        room = m->room;
        double *more = tyi_list_room(NULL, *list[k], m->labels, m->labels + labels, &room, sizeof *more, 64);
        if (!more) {
            return false;
        }
        *list[k] = more;
    }
    m->room = room;
    return true;
}

static ty_status measure(tyi_study_measures *m, const ty_coco *record, ty_diag *diag)
{
    if (!grow(m, record->boxes)) {
        return ty_fail(diag, TY_ERR_MEMORY, "data set: no memory for its statistics");
    }
    double *rocks = &m->rocks[m->images++];
    *rocks = 0.0;
    for (size_t i = 0; i < record->boxes; i++) {
        const ty_coco_box *b = &record->box[i];
        if (b->crowd) {
            continue;
        }
        *rocks += 1.0;
        size_t at = m->labels++;
        m->size[at] = sqrt(b->area), m->distance[at] = b->distance, m->visible[at] = b->visible, m->lit[at] = b->lit,
        m->length[at] = b->length;
    }
    return TY_OK;
}

/* one pass over the images of a split: their entries (boxes false) or their annotations; the records are small, so they
 * are read twice rather than kept */
static ty_status put_entries(const tyi_study_dataset_job *job, bool test, bool boxes, FILE *f, tyi_study_measures *m,
                             ty_diag *diag)
{
    const ty_dataset *d = job->set;
    size_t written = 0;
    ty_status status = TY_OK;
    for (size_t v = 0; v < d->views; v++) {
        size_t n = 2 * d->view[v].lights * d->view[v].exposures;
        for (size_t k = 0; k < n && d->terrain[d->view[v].terrain].test == test && status == TY_OK; k++) {
            place p = place_of(d, v, k);
            ty_coco record;
            status = read_record(job, &p, &record, diag);
            if (status != TY_OK) {
                break;
            }
            if (!boxes) {
                fprintf(f, "%s  {\"id\": %lld, \"width\": %d, \"height\": %d, \"file_name\": \"%s\"}",
                        written++ ? ",\n" : "", (long long)record.image[0].id, record.image[0].width,
                        record.image[0].height, record.image[0].file);
                status = measure(m, &record, diag);
            }
            for (size_t i = 0; i < record.boxes && boxes; i++) {
                fputs(written++ ? ",\n  " : "  ", f);
                put_box(f, &record.box[i], written, record.image[0].id);
            }
            ty_coco_free(&record);
        }
    }
    return status;
}

static ty_status write_coco(tyi_study_dataset_job *job, bool test, tyi_study_measures *m, ty_diag *diag)
{
    char path[TY_PATH_MAX];
    tyi_io_out out;
    snprintf(path, sizeof path, "%.*s/annotations/%s.json", TY_PATH_MAX - 100, job->folder, test ? "test" : "train");
    ty_status status = tyi_io_out_open(&out, path, diag);
    if (status != TY_OK) {
        return status;
    }
    fprintf(
        out.file,
        "{\"info\": {\"description\": \"%s, %s images\", \"version\": \"1\", \"contributor\": \"tycho %s\"},\n \"licenses\": [],\n \"images\": [\n",
        job->set->def->name, test ? "test" : "training", ty_version());
    status = put_entries(job, test, false, out.file, m, diag);
    fputs("],\n \"annotations\": [\n", out.file);
    status = status == TY_OK ? put_entries(job, test, true, out.file, m, diag) : status;
    fputs("],\n", out.file);
    tyi_study_dataset_categories(out.file);
    return tyi_io_out_close(&out, status, diag);
}

static ty_status write_yolo(const tyi_study_dataset_job *job, ty_diag *diag)
{
    char path[TY_PATH_MAX];
    tyi_io_out out;
    snprintf(path, sizeof path, "%.*s/data.yaml", TY_PATH_MAX - 100, job->folder);
    ty_status status = tyi_io_out_open(&out, path, diag);
    ty_dataset_size size = ty_dataset_get_size(job->set);
    if (status == TY_OK) { /* only folders that are there */
        bool train = size.train_terrains > 0, test = size.train_terrains < size.terrains;
        fprintf(out.file,
                "# for YOLO's programs: images in images/, boxes in labels/\ntrain: images/%s\nval: images/%s\n"
                "nc: 3\nnames: [rock, rover, object]\n",
                train ? "train" : "test", test ? "test" : "train");
        status = tyi_io_out_close(&out, TY_OK, diag);
    }
    return status;
}

static void free_measures(tyi_study_measures *m)
{
    free(m->rocks), free(m->size), free(m->distance), free(m->visible), free(m->lit), free(m->length);
}

ty_status tyi_study_dataset_finish(tyi_study_dataset_job *job, ty_diag *diag)
{
    tyi_study_measures split[2] = { 0 };
    ty_status status = write_yolo(job, diag);
    for (int k = 0; k < 2 && status == TY_OK; k++) {
        split[k].rocks = malloc(2 * job->set->pairs * sizeof *split[k].rocks);
        status = split[k].rocks ? write_coco(job, k == 1, &split[k], diag)
                                : ty_fail(diag, TY_ERR_MEMORY, "data set: no memory for its statistics");
    }
    job->stats.labels = split[0].labels + split[1].labels;
    status = status == TY_OK ? tyi_study_dataset_statistics(job, split, diag) : status;
    status = status == TY_OK ? tyi_study_dataset_sheet(job, diag) : status;
    free_measures(&split[0]);
    free_measures(&split[1]);
    return status;
}

/* ---- the run ---- */

static ty_status make_buffers(tyi_study_dataset_job *job, ty_diag *diag)
{
    size_t n = (size_t)job->set->def->width * (size_t)job->set->def->height;
    ty_band band[TY_BANDS];
    int bands = tyi_study_dataset_bands(job->set->def, band);
    bool ok = true;
    for (int side = 0; side < 2; side++) {
        tyi_study_eye *e = &job->eye[side];
        e->out.depth = malloc(n * sizeof *e->out.depth);
        e->out.instance = malloc(n * sizeof *e->out.instance);
        e->out.kind = malloc(n);
        e->out.radiance = malloc((size_t)(bands ? bands : 1) * n * sizeof *e->out.radiance);
        e->out.sunlit = malloc(n * sizeof *e->out.sunlit);
        e->depth = malloc(n * sizeof *e->depth);
        e->mask = malloc(n * sizeof *e->mask);
        ok = ok && e->out.depth && e->out.instance && e->out.kind && e->out.radiance && e->out.sunlit && e->depth &&
             e->mask;
    }
    job->deep = malloc(3 * n * sizeof *job->deep);
    job->flat = malloc(3 * n);
    job->electrons = malloc(n * sizeof *job->electrons);
    return ok && job->deep && job->flat && job->electrons
               ? TY_OK
               : ty_fail(diag, TY_ERR_MEMORY, "data set: no memory for images of %zu pixels", n);
}

static void free_job(tyi_study_dataset_job *job)
{
    for (int side = 0; side < 2; side++) {
        tyi_study_eye *e = &job->eye[side];
        for (size_t i = 0; i < e->labels; i++) {
            free(e->label[i].rle);
        }
        tyi_put(NULL, e->label, e->room * sizeof *e->label);
        free(e->out.depth), free(e->out.instance), free(e->out.kind), free(e->out.radiance), free(e->out.sunlit);
        free(e->depth), free(e->mask), free(e->crowd);
        for (int ideal = 0; ideal < 2; ideal++) {
            ty_pipeline_destroy(job->pipeline[side][ideal]);
            ty_camera_sensor_destroy(job->sensor[side][ideal]);
        }
    }
    free(job->deep), free(job->flat), free(job->electrons);
    tyi_study_dataset_close(job);
}

/* a view and all its lights that are not finished */
static ty_status run_view(tyi_study_dataset_job *job, const tyi_study_view_plan *v, const ty_progress *progress,
                          ty_diag *diag)
{
    bool placed = false;
    ty_status status = TY_OK;
    for (size_t light = 0; light < v->lights && status == TY_OK; light++) {
        if (tyi_study_dataset_light_done(job, v, light)) {
            job->stats.found += v->exposures;
            continue;
        }
        status = placed ? TY_OK : tyi_study_dataset_view(job, v, diag);
        placed = true;
        status = status == TY_OK ? tyi_study_dataset_light(job, v, light, diag) : status;
        job->stats.pairs += v->exposures;
        double done = (double)(job->stats.pairs + job->stats.found);
        if (status == TY_OK && progress && progress->report &&
            !progress->report(progress->user, "stereo pairs", done, (double)job->set->pairs)) {
            status = ty_fail(diag, TY_ERR_CANCELLED,
                             "data set: stopped after %.0f of %zu stereo pairs; the same command goes on", done,
                             job->set->pairs);
        }
    }
    return status;
}

ty_status ty_dataset_run(ty_dataset *dataset, const char *folder, int threads, const ty_progress *progress,
                         ty_dataset_stats *stats, ty_diag *diag)
{
    tyi_study_dataset_job job = { .set = dataset, .folder = folder, .threads = threads, .terrain = SIZE_MAX };
    bool begun = false;
    ty_status status = tyi_study_dataset_describe(dataset, folder, &begun, diag);
    status = status == TY_OK ? tyi_study_dataset_folders(dataset, folder, begun, diag) : status;
    status = status == TY_OK ? make_buffers(&job, diag) : status;
    status = status == TY_OK ? tyi_study_dataset_chains(&job, diag) : status;
    for (size_t v = 0; v < dataset->views && status == TY_OK; v++) {
        status = run_view(&job, &dataset->view[v], progress, diag);
    }
    status = status == TY_OK ? tyi_study_dataset_finish(&job, diag) : status;
    if (stats) {
        *stats = job.stats;
    }
    free_job(&job);
    return status;
}
