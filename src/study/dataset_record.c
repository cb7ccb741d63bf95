/* src/study/dataset_record.c - the JSON beside an image: camera model, Sun, files of the truth, and its labels as
 * COCO has them, so that the file is itself a COCO file of one image.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "dataset.h"
#include "io/out.h"

/* x' = R x + t takes W to S: as OpenCV writes extrinsics */
static void put_camera(FILE *f, const tyi_study_dataset_job *job, const tyi_study_view_plan *v, int side)
{
    const ty_camera *c = &job->eye[side].camera;
    ty_pose S_from_W = ty_pose_inverse(c->pose);
    double focal = 0.5 * c->width / tan(0.5 * c->hfov);
    ty_vec3 column[3] = { ty_rotate(S_from_W.q, ty_vec3_make(1, 0, 0)), ty_rotate(S_from_W.q, ty_vec3_make(0, 1, 0)),
                          ty_rotate(S_from_W.q, ty_vec3_make(0, 0, 1)) };
    fprintf(f, " \"camera\": {\"model\": \"pinhole\", \"side\": \"%s\", \"width\": %d, \"height\": %d,\n",
            side ? "right" : "left", c->width, c->height);
    fprintf(
        f, "  \"fx\": %.12g, \"fy\": %.12g, \"cx\": %.12g, \"cy\": %.12g, \"baseline_m\": %.12g, \"height_m\": %.6g,\n",
        focal, focal, 0.5 * c->width - 0.5, 0.5 * c->height - 0.5, job->set->def->baseline, v->stand);
    fprintf(f, "  \"position_W_m\": [%.9f, %.9f, %.9f], \"q_WS\": [%.15g, %.15g, %.15g, %.15g],\n", c->pose.p.x,
            c->pose.p.y, c->pose.p.z, c->pose.q.w, c->pose.q.x, c->pose.q.y, c->pose.q.z);
    fprintf(
        f,
        "  \"R_SW\": [[%.15g, %.15g, %.15g], [%.15g, %.15g, %.15g], [%.15g, %.15g, %.15g]], \"t_SW_m\": [%.9f, %.9f, %.9f]},\n",
        column[0].x, column[1].x, column[2].x, column[0].y, column[1].y, column[2].y, column[0].z, column[1].z,
        column[2].z, S_from_W.p.x, S_from_W.p.y, S_from_W.p.z);
}

static void put_sun(FILE *f, const tyi_study_dataset_job *job, const tyi_study_record *r)
{
    ty_vec3 sun =
        ty_vec3_make(cos(r->elevation) * sin(r->azimuth), cos(r->elevation) * cos(r->azimuth), sin(r->elevation));
    ty_vec3 axis = ty_rotate(job->eye[r->side].camera.pose.q, ty_vec3_make(0, 0, 1));
    double degrees = fmod(r->azimuth / TY_DEG + 720.0, 360.0),
           relative = fmod((r->azimuth - job->heading) / TY_DEG + 720.0, 360.0);
    fprintf(
        f,
        " \"sun\": {\"azimuth_deg\": %.6g, \"elevation_deg\": %.6g, \"azimuth_from_camera_deg\": %.6g, \"phase_on_axis_deg\": %.6g, "
        "\"direction_W\": [%.9f, %.9f, %.9f]},\n",
        degrees, r->elevation / TY_DEG, relative, acos(fmax(-1.0, fmin(1.0, -ty_dot(sun, axis)))) / TY_DEG, sun.x,
        sun.y, sun.z);
}

void tyi_study_dataset_categories(FILE *f)
{
    fputs(" \"categories\": [", f);
    for (int k = 0; k < TYI_STUDY_LABEL_KINDS; k++) {
        fprintf(f, "%s{\"id\": %d, \"name\": \"%s\", \"supercategory\": \"%s\"}", k ? ", " : "", k + 1,
                tyi_study_label_name[k], k ? "thing" : "terrain");
    }
    fputs("]}\n", f);
}

static void put_annotations(FILE *f, const tyi_study_dataset_job *job, const tyi_study_record *r)
{
    const tyi_study_eye *e = &job->eye[r->side];
    fputs(" \"annotations\": [", f);
    for (size_t i = 0; i < e->labels; i++) {
        const tyi_study_label *l = &e->label[i];
        fprintf(
            f,
            "%s\n  {\"id\": %zu, \"image_id\": %zu, \"category_id\": %d, \"bbox\": [%d, %d, %d, %d], \"area\": %d, \"iscrowd\": 0, "
            "\"instance\": %d, \"visible\": %.4f, \"lit\": %.4f, \"distance\": %.4f, \"length\": %.4f,\n   \"segmentation\": {\"size\": [%d, %d], \"counts\": \"",
            i ? "," : "", i + 1, 2 * r->pair + (size_t)r->side + 1, tyi_study_label_kind(l->box.kind) + 1, l->box.x0,
            l->box.y0, l->box.x1 - l->box.x0, l->box.y1 - l->box.y0, l->box.pixels, l->number, l->visible, r->lit[i],
            l->distance, l->length, e->camera.height, e->camera.width);
        for (const char *c = l->rle; *c; c++) { /* the text may hold a backslash */
            if (*c == '\\') {
                fputc('\\', f);
            }
            fputc(*c, f);
        }
        fputs("\"}}", f);
    }
    fputs("],\n", f);
}

ty_status tyi_study_dataset_record(const tyi_study_dataset_job *job, const tyi_study_view_plan *v,
                                   const tyi_study_record *r, ty_diag *diag)
{
    char path[TY_PATH_MAX], view[TYI_STUDY_NAME];
    const ty_dataset_def *def = job->set->def;
    const char *split = tyi_study_dataset_split(job->set, v), *depth = def->depth == TY_DEPTH_EXR ? "exr" : "png";
    char side = r->side ? 'R' : 'L';
    tyi_io_out out;
    tyi_study_dataset_path(job->folder, job->set, v, "records", r->name, ".json", path);
    ty_status status = tyi_io_out_open(&out, path, diag);
    if (status != TY_OK) {
        return status;
    }
    FILE *f = out.file;
    tyi_study_view_name(v, view);
    fprintf(
        f, "{\"images\": [{\"id\": %zu, \"width\": %d, \"height\": %d, \"file_name\": \"images/%s/T%02zu/%s.png\"}],\n",
        2 * r->pair + (size_t)r->side + 1, def->width, def->height, split, v->terrain + 1, r->name);
    fprintf(f, " \"terrain\": \"T%02zu\", \"pair\": %zu, \"split\": \"%s\",\n", v->terrain + 1, r->pair + 1, split);
    fprintf(
        f,
        " \"depth\": \"depth/%s/T%02zu/%s_%c.%s\", \"instances\": \"instances/%s/T%02zu/%s_%c.png\", \"classes\": \"classes/%s/T%02zu/%s_%c.png\",\n",
        split, v->terrain + 1, view, side, depth, split, v->terrain + 1, view, side, split, v->terrain + 1, view, side);
    fprintf(
        f,
        " \"exposure_s\": %.9g, \"f_number\": %.6g, \"chain\": \"%s\", \"bits\": %d, \"gamma\": %.6g, \"lamp_W_per_sr\": %.6g,\n",
        r->exposure, def->f_number, r->ideal ? "ideal" : "physical", def->bits, def->bits == 8 ? def->gamma : 1.0,
        r->lamp);
    put_camera(f, job, v, r->side);
    put_sun(f, job, r);
    put_annotations(f, job, r);
    tyi_study_dataset_categories(f);
    return tyi_io_out_close(&out, TY_OK, diag);
}
