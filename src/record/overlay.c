/* src/record/overlay.c - what a camera's key `overlay` draws over copies of its pictures: NAME_TIME_overlay.png.
 *
 * Everything stands where it was when the frame's window opened; the frame itself is only read.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "record.h"
#include "tycho/tools/image.h"
#include "draw/overlay.h"
#include "sim/run.h"

#define SCAN 20000 /* points of a scan that are drawn at most */

typedef struct overlay {
    const ty_record *record;
    const ty_message *frame;
    const tyi_sim_slot *slot; /* of the frame: poses when its window opened */
    const ty_sensor_camera *def;
    ty_camera camera;
    const double *range; /* [m] of each pixel; NULL: not known */
    tyi_draw_sketch *sketch;
} overlay;

static ty_pose rover_pose(const overlay *o, size_t rover)
{
    const tyi_sim_rover_run *r = &o->record->run->rover[rover];
    return o->slot->frames[r->frame0 + (size_t)ty_vehicle_bodies(r->vehicle)];
}

static void draw_frames(const overlay *o)
{
    for (size_t i = 0; i < o->record->rovers; i++) {
        ty_pose pose = rover_pose(o, i);
        if (ty_norm(ty_sub(pose.p, o->camera.pose.p)) > 3.0) { /* not the one that the camera sits on */
            tyi_draw_sketch_frame(o->sketch, pose, 0.5, o->record->rover[i].name);
        }
    }
    /* axes parallel to the site's (x east, y north, z up), where the picture shows something some way ahead */
    int w = o->camera.width, x = w / 2, y = 3 * o->camera.height / 4;
    double range = o->range ? o->range[(size_t)y * (size_t)w + (size_t)x] : 4.0;
    ty_vec3 from, dir;
    if (isfinite(range) && ty_camera_ray(&o->camera, x + 0.5, y + 0.5, &from, &dir)) {
        ty_pose site = { ty_add(from, ty_scale(range, dir)), ty_quat_identity() };
        tyi_draw_sketch_frame(o->sketch, site, 0.25 * range, "W");
    }
}

/* the way of each rover until the window opened */
static ty_status draw_trails(const overlay *o, ty_diag *diag)
{
    double t = ty_seconds(o->frame->time.start);
    for (size_t i = 0; i < o->record->rovers; i++) {
        const tyi_record_rover *r = &o->record->rover[i];
        ty_vec3 *p = malloc((r->rows + 1) * sizeof *p);
        size_t n = 0;
        if (!p) {
            return ty_fail(diag, TY_ERR_MEMORY, "no memory for a trail over a picture");
        }
        while (n < r->rows && r->row[n].t < t) {
            p[n] = r->row[n].p;
            n++;
        }
        p[n++] = rover_pose(o, i).p;
        tyi_draw_sketch_line(o->sketch, p, n, (ty_draw_color){ 1.0, 0.75, 0.1, 1.0 });
        free(p);
    }
    return TY_OK;
}

/* from where each rover is over the waypoints that are left, as high above the ground as it */
static ty_status draw_waypoints(const overlay *o, ty_diag *diag)
{
    static const ty_draw_color color = { 0.35, 0.9, 1.0, 1.0 };
    ty_terrain *terrain = ty_world_terrain(ty_run_world(o->record->run));
    ty_status status = TY_OK;
    for (size_t i = 0; i < o->record->rovers; i++) {
        const ty_scenario_driver *d = &o->record->scenario->rover[i].driver;
        ty_vec3 line[2] = { rover_pose(o, i).p };
        double ground = 0.0;
        status = ty_terrain_sample(terrain, 0, 1, &line[0].x, &line[0].y, &ground, NULL, diag);
        double above = line[0].z - ground;
        for (size_t k = (size_t)o->record->rover[i].watch.reached; k < d->points && status == TY_OK; k++) {
            char name[24];
            line[1] = ty_vec3_make(d->point[k].x, d->point[k].y, 0.0);
            status = ty_terrain_sample(terrain, 0, 1, &line[1].x, &line[1].y, &line[1].z, NULL, diag);
            line[1].z += above;
            snprintf(name, sizeof name, "%zu", k + 1);
            tyi_draw_sketch_line(o->sketch, line, 2, color);
            tyi_draw_sketch_text(o->sketch, line[1], name, color);
            line[0] = line[1];
        }
    }
    return status;
}

/* Points of the newest scans of the lidars beside the camera, where the sensor was when each of them was measured. Near is
 * yellow, far is violet, as in pictures of depth. */
static void draw_scans(const overlay *o)
{
    const ty_run *run = o->record->run;
    for (size_t i = 0; i < run->sensors; i++) {
        const tyi_sim_slot *slot = run->sensor[i].newest;
        if (!slot || strcmp(run->sensor[i].carrier, o->frame->rover) ||
            slot->message.part[0].data.type.unit != TY_UNIT_POINT) {
            continue;
        }
        const ty_buffer *b = &slot->message.part[0].data;
        ty_keyframe key[TY_SENSOR_KEYFRAMES];
        for (int k = 0; k < slot->keys; k++) {
            key[k] = (ty_keyframe){ slot->key[k].time, slot->key[k].pose };
        }
        ty_track track = { key, (size_t)slot->keys };
        size_t all = (size_t)b->type.width * (size_t)b->type.height, every = all / SCAN + 1;
        for (size_t n = 0; n < all; n += every) {
            const ty_cloud_point *p =
                ty_buffer_at(b, (int)(n % (size_t)b->type.width), (int)(n / (size_t)b->type.width), 0);
            if (isnan(p->x)) {
                continue;
            }
            ty_vec3 at = ty_vec3_make(p->x, p->y, p->z);
            at = b->type.frame == 'W' ? at : ty_pose_point(ty_track_at(&track, slot->message.time.start, p->time), at);
            double far = log(fmax(p->range, 1.0)) / log(100.0);
            tyi_draw_sketch_point(o->sketch, at, ty_draw_cmap_color(TY_CMAP_VIRIDIS, 1.0 - far));
        }
    }
}

static void draw_notes(const overlay *o)
{
    char text[160];
    tyi_draw_sketch_note(o->sketch, o->def->caption);
    if (!ty_sensor_has_overlay(o->def, TY_OVER_TEXT)) {
        return;
    }
    snprintf(text, sizeof text, "%s  t = %.3f s", o->frame->sensor, ty_seconds(o->frame->time.start));
    tyi_draw_sketch_note(o->sketch, text);
    for (size_t i = 0; i < o->record->rovers; i++) {
        const tyi_record_rover *r = &o->record->rover[i];
        double slip = 0.0;
        size_t n = r->rows;
        while (n > 0 && r->row[n - 1].t > ty_seconds(o->frame->time.start) + 1e-9) {
            n--;
        }
        if (!n) {
            continue;
        }
        const tyi_record_row *row = &r->row[n - 1];
        for (int k = 0; k < row->wheels; k++) {
            slip += (double)row->slip[k] / row->wheels;
        }
        snprintf(text, sizeof text, "%.60s  %.2f m/s  slip %.2f  %.1f m", r->name, row->speed, slip, row->way);
        tyi_draw_sketch_note(o->sketch, text);
    }
}

static ty_status draw_things(const overlay *o, ty_diag *diag)
{
    ty_truth_box2 *flat;
    ty_truth_box3 *solid;
    size_t n = tyi_record_boxes(o->frame, &flat, &solid);
    ty_status status = flat || !ty_message_find(o->frame, "boxes") || !n
                           ? TY_OK
                           : ty_fail(diag, TY_ERR_MEMORY, "no memory for boxes over a picture");
    tyi_draw_sketch_things(o->sketch, flat, solid, n, ty_sensor_has_overlay(o->def, TY_OVER_BOXES),
                           ty_sensor_has_overlay(o->def, TY_OVER_BOXES3),
                           ty_sensor_has_overlay(o->def, TY_OVER_LABELS));
    free(flat), free(solid);
    return status;
}

bool tyi_record_overlaid(const ty_sensor_def *s)
{
    return s->kind == TY_SENSOR_CAMERA && (s->as.camera.overlays || s->as.camera.caption[0]);
}

ty_status tyi_record_overlay(const ty_record *r, const ty_message *m, const char *picture, ty_diag *diag)
{
    const ty_sensor_camera *def = &ty_run_sensor(r->run, m->index).def->as.camera;
    const ty_buffer *range = ty_message_find(m, "range");
    overlay o = { .record = r, .frame = m, .slot = r->run->sensor[m->index].newest, .def = def, .camera = def->camera };
    char file[TYI_RECORD_FILE], path[TYI_RECORD_PATH];
    ty_image image = { 0 };
    TY_ASSERT(o.slot && &o.slot->message == m);
    o.camera.pose = ty_pose_mul(o.slot->key[0].pose, ty_pose_optical());
    o.range = range ? (const double *)(const void *)range->data : NULL;
    o.sketch = tyi_draw_sketch_create(&o.camera, o.range);
    ty_status status = ty_png_read(picture, &image, diag);
    if (status == TY_OK && ty_sensor_has_overlay(def, TY_OVER_LIDAR)) {
        draw_scans(&o);
    }
    status = status == TY_OK ? draw_things(&o, diag) : status;
    if (status == TY_OK && ty_sensor_has_overlay(def, TY_OVER_FRAMES)) {
        draw_frames(&o);
    }
    if (status == TY_OK && ty_sensor_has_overlay(def, TY_OVER_TRAIL)) {
        status = draw_trails(&o, diag);
    }
    if (status == TY_OK && ty_sensor_has_overlay(def, TY_OVER_WAYPOINTS)) {
        status = draw_waypoints(&o, diag);
    }
    draw_notes(&o);
    tyi_record_file(r, "frames", m->index, m->time.start, "_overlay.png", file);
    status = status == TY_OK ? tyi_draw_sketch_write(o.sketch, tyi_record_path(r, file, path), &image, diag) : status;
    tyi_draw_sketch_destroy(o.sketch);
    ty_image_free(&image);
    return status;
}
