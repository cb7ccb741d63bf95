/* src/study/check_model.c - MJCF and URDF files by themselves, models to be drawn, pictures, rasters.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "body/mbd.h"
#include "tycho/tools/model.h"
#include "tycho/tools/raster.h"
#include "io/inner.h"
#include "io/rasters.h"
#include "body/urdf.h"

#define LIST_MOST 40 /* joints that are listed */

/* what the `wheels`, `motors` and `mounts` of a rover's file may name */
static void list_joints(tyi_study_check *c, const tyi_body_mbd *mbd)
{
    int joints = tyi_body_mbd_joints(mbd);
    for (int i = 0; i < joints && i < LIST_MOST; i++) {
        double low, high;
        ty_vec3 at, axis;
        const char *body = tyi_body_mbd_body_name(mbd, tyi_body_mbd_joint_body(mbd, i));
        if (!tyi_body_mbd_joint_hinge(mbd, i)) {
            continue;
        }
        tyi_body_mbd_joint_frame(mbd, i, &at, &axis);
        fprintf(c->lines, "  hinge %s of body %s at %.3f, %.3f, %.3f m along %.3g, %.3g, %.3g",
                tyi_body_mbd_joint_name(mbd, i), body, at.x, at.y, at.z, axis.x, axis.y, axis.z);
        if (tyi_body_mbd_joint_range(mbd, i, &low, &high)) {
            fprintf(c->lines, ", %.4g to %.4g deg", low / TY_DEG, high / TY_DEG);
        }
        fputc('\n', c->lines);
    }
    if (joints > LIST_MOST) {
        fprintf(c->lines, "  and %d more joints\n", joints - LIST_MOST);
    }
}

void tyi_study_check_notes(tyi_study_check *c, const char *lines)
{
    for (const char *at = lines; *at;) {
        int n = (int)strcspn(at, "\n");
        fprintf(c->lines, "  note: %.*s\n", n, at);
        at += n + (at[n] == '\n');
    }
}

ty_status tyi_study_check_mjcf(tyi_study_check *c, ty_diag *diag)
{
    tyi_body_urdf model = { 0 };
    tyi_body_mbd *mbd = NULL;
    bool urdf = tyi_body_urdf_is(c->path);
    ty_status status = urdf ? tyi_body_urdf_make(&(tyi_body_urdf_def){ .path = c->path }, &model, diag) : TY_OK;
    if (status == TY_OK) {
        status =
            tyi_body_mbd_create(c->path, urdf ? &model : NULL, TY_GRAVITY_MOON, TY_INTEGRATOR_EULER, NULL, &mbd, diag);
    }
    if (status != TY_OK) {
        tyi_body_urdf_free(&model);
        return status;
    }
    int body = 0, bodies = tyi_body_mbd_bodies(mbd);
    while (body < bodies && !tyi_body_mbd_body_free(mbd, body)) {
        body++;
    }
    if (body == bodies) {
        status = ty_fail(diag, TY_ERR_INPUT, "%s: no body has a free joint, but the rover itself needs one", c->path);
    } else {
        tyi_body_mbd_reset(mbd, body, (ty_pose){ { 0.0, 0.0, 0.0 }, ty_quat_identity() });
        status = tyi_body_mbd_begin(mbd, 0, diag);
    }
    if (status == TY_OK) {
        snprintf(c->about, sizeof c->about, "%s model of a rover, %d bodies, %d degrees of freedom, %.4g kg",
                 urdf ? "URDF" : "MJCF", bodies, tyi_body_mbd_dofs(mbd), tyi_body_mbd_mass(mbd));
        fprintf(c->lines, "  free body %s\n", tyi_body_mbd_body_name(mbd, body));
        list_joints(c, mbd);
        if (tyi_body_mbd_actuators(mbd)) {
            fprintf(
                c->lines,
                "  note: its %d actuators are not used: `drive`, `steering` and `motors` of a rover file turn joints\n",
                tyi_body_mbd_actuators(mbd));
        }
        tyi_study_check_notes(c, model.notes);
    }
    tyi_body_urdf_free(&model);
    tyi_body_mbd_destroy(mbd);
    return status;
}

ty_status tyi_study_check_model(tyi_study_check *c, ty_diag *diag)
{
    ty_model model;
    ty_status status = ty_model_read(c->path, 1.0, &model, diag);
    if (status != TY_OK) {
        return status;
    }
    double low[3] = { 0, 0, 0 }, high[3] = { 0, 0, 0 };
    for (size_t i = 0; i < 3 * model.vertices; i++) {
        double v = model.vertex[i];
        low[i % 3] = i < 3 ? v : fmin(low[i % 3], v), high[i % 3] = i < 3 ? v : fmax(high[i % 3], v);
    }
    snprintf(c->about, sizeof c->about, "model, %zu triangles, %zu material%s, %zu picture%s, %.4g x %.4g x %.4g units",
             model.triangles, model.materials, model.materials == 1 ? "" : "s", model.textures,
             model.textures == 1 ? "" : "s", high[0] - low[0], high[1] - low[1], high[2] - low[2]);
    if (model.note[0]) {
        fprintf(c->lines, "  note: %s\n", model.note);
    }
    ty_model_free(&model);
    return TY_OK;
}

ty_status tyi_study_check_picture(tyi_study_check *c, ty_diag *diag)
{
    ty_image image;
    ty_status status = tyi_io_image_read(c->path, &image, diag);
    if (status == TY_OK) {
        snprintf(c->about, sizeof c->about, "picture, %d x %d pixels", image.width, image.height);
        ty_image_free(&image);
    }
    return status;
}

/* Slopes between neighbouring samples around a place, which lunar ground has within bounds at every spacing: [rosenburg2011]
 * measures medians of 2 to 10 deg from 17 m to 2.7 km, and slopes hold below the angle of repose. */
#define SLOPE_LEAST 0.05 /* [deg] */
#define SLOPE_MOST  40.0
void tyi_study_check_slopes(tyi_study_check *c, tyi_io_raster *raster, double lat, double lon)
{
    const tyi_io_raster_info *i = tyi_io_raster_get_info(raster);
    double x, y, sum = 0.0;
    size_t count = 0;
    int side = i->width < i->height ? i->width : i->height, n = side < 256 ? side : 256;
    float *h = malloc((size_t)n * (size_t)n * sizeof *h);
    if (h && tyi_io_raster_pixel(raster, 1, &lat, &lon, &x, &y, NULL) == TY_OK && x > 0.0 && y > 0.0) {
        int x0 = (int)fmin(fmax(x - 0.5 * n, 0.0), i->width - n), y0 = (int)fmin(fmax(y - 0.5 * n, 0.0), i->height - n);
        if (tyi_io_raster_read(raster, 0, (tyi_io_raster_window){ x0, y0, n, n }, h, NULL) == TY_OK) {
            for (int k = 0; k < n * (n - 1); k++) {
                double d = (double)(h[k + n] - h[k]) / i->step_y;
                sum += isfinite(d) ? d * d : 0.0, count += isfinite(d) ? 1u : 0u;
            }
        }
    }
    free(h);
    if (!count) {
        return;
    }
    double slope = atan(sqrt(sum / (double)count)) / TY_DEG;
    fprintf(c->lines, "  rms slope %.3g deg between samples %.4g m apart\n", slope, i->step_y);
    if (slope < SLOPE_LEAST || slope > SLOPE_MOST) {
        fprintf(
            c->lines,
            "  note: that is no lunar ground, which has 1 to 20 deg: are the heights %s? `tycho terrain import --scale %s` "
            "makes metres of them\n",
            slope < SLOPE_LEAST ? "in kilometres" : "in other units than the place",
            slope < SLOPE_LEAST ? "1000" : "S");
    }
}

ty_status tyi_study_check_raster(tyi_study_check *c, ty_diag *diag)
{
    const tyi_io_raster_def def = tyi_io_raster_def_default();
    tyi_io_raster *raster;
    ty_status status = tyi_io_raster_open(c->path, &def, &raster, diag);
    if (status == TY_OK) {
        const tyi_io_raster_info *i = tyi_io_raster_get_info(raster);
        snprintf(c->about, sizeof c->about, "raster, %d x %d samples, %.4g m apart", i->width, i->height, i->spacing);
        fprintf(c->lines, "  from latitude %.5g to %.5g deg, longitude %.5g to %.5g deg\n", i->lat_min / TY_DEG,
                i->lat_max / TY_DEG, i->lon_min / TY_DEG, i->lon_max / TY_DEG);
        if (i->note[0]) {
            fprintf(c->lines, "  note: %s\n", i->note);
        }
        tyi_study_check_slopes(c, raster, 0.5 * (i->lat_min + i->lat_max), 0.5 * (i->lon_min + i->lon_max));
        tyi_io_raster_close(raster);
    }
    return status;
}
