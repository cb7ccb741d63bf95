/* tests/unit/draw/test_sketch.c - lines over a picture: where the lens puts them, fainter where they are hidden, and
 * never in the data.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <unistd.h>
#include "draw/overlay.h"
#include "tyt.h"

enum { W = 120, H = 90, N = W * H };

static ty_camera camera(ty_lens lens)
{
    ty_camera c = ty_camera_default();
    c.lens = lens, c.width = W, c.height = H, c.hfov = 80.0 * TY_DEG;
    return c;
}

/* how coloured the picture is around a point: largest difference of red and blue within two pixels */
static int colour_at(const ty_image *p, double u, double v)
{
    int most = 0;
    const uint8_t *d = p->data;
    for (int y = (int)v - 2; y <= (int)v + 2; y++) {
        for (int x = (int)u - 2; x <= (int)u + 2; x++) {
            if (x >= 0 && y >= 0 && x < W && y < H) {
                int off = abs(d[3 * (y * W + x)] - d[3 * (y * W + x) + 2]);
                most = off > most ? off : most;
            }
        }
    }
    return most;
}

static ty_image draw(tyi_draw_sketch *s, const ty_image *from)
{
    char path[] = "/tmp/tycho_overlay_XXXXXX.png";
    int file = mkstemps(path, 4);
    TY_CHECK(file >= 0);
    close(file);
    ty_image out = { 0 };
    ty_diag diag = { 0 };
    ty_status status = tyi_draw_sketch_write(s, path, from, &diag);
    TY_CHECK(status == TY_OK);
    TY_CHECK(ty_png_read(path, &out, NULL) == TY_OK && out.width == W && out.height == H && out.channels == 3);
    unlink(path);
    return out;
}

TY_TEST(overlay, lines_lie_where_the_lens_puts_them)
{
    static const ty_lens lens[] = { TY_LENS_PINHOLE, TY_LENS_FISHEYE, TY_LENS_FOV };
    uint16_t data[N], before[N];
    for (int i = 0; i < N; i++) {
        data[i] = before[i] = (uint16_t)(i * 5);
    }
    ty_image frame = { W, H, 1, 16, data };
    for (int k = 0; k < 3; k++) {
        ty_camera c = camera(lens[k]);
        tyi_draw_sketch *s = tyi_draw_sketch_create(&c, NULL), *empty = tyi_draw_sketch_create(&c, NULL);
        ty_vec3 line[2] = { { -6, 8, 2 }, { 5, 12, -4 } };
        tyi_draw_sketch_line(s, line, 2, (ty_draw_color){ 1.0, 0.0, 0.0, 1.0 });
        ty_image drawn = draw(s, &frame), plain = draw(empty, &frame);
        int on = 255, control = 0;
        for (int j = 0; j <= 20; j++) {
            double u, v;
            ty_vec3 p = ty_add(line[0], ty_scale(j / 20.0, ty_sub(line[1], line[0])));
            TY_CHECK(ty_camera_project(&c, p, &u, &v));
            int here = colour_at(&drawn, u, v), there = colour_at(&plain, u, v);
            on = here < on ? here : on;
            control = there > control ? there : control;
        }
        TY_CHECK(on > 100);
        TY_CHECK(control == 0); /* the same places without the line */
        TY_CHECK(colour_at(&drawn, 20, 80) == 0);
        ty_image_free(&drawn), ty_image_free(&plain);
        tyi_draw_sketch_destroy(s), tyi_draw_sketch_destroy(empty);
    }
    TY_CHECK(!memcmp(data, before, sizeof data)); /* the frame is as it was, bit by bit */
    TY_ROW("overlays lie where the lens puts them, and never in the data", "projection, three lenses",
           "frame unchanged, bit by bit");
}

/* A wall 10 m ahead hides the right half of a line at 15 m, not one at 5 m. */
TY_TEST(overlay, what_is_behind_is_faint)
{
    static double range[N];
    static uint8_t data[N];
    ty_camera c = camera(TY_LENS_PINHOLE);
    for (int i = 0; i < N; i++) {
        range[i] = i % W < W / 2 ? (double)INFINITY : 10.0;
    }
    ty_image frame = { W, H, 1, 8, data };
    tyi_draw_sketch *s = tyi_draw_sketch_create(&c, range);
    ty_vec3 back[2] = { { -6, 15, 2 }, { 6, 15, 2 } }, front[2] = { { -2, 5, -1 }, { 2, 5, -1 } };
    tyi_draw_sketch_line(s, back, 2, (ty_draw_color){ 1.0, 0.0, 0.0, 1.0 });
    tyi_draw_sketch_line(s, front, 2, (ty_draw_color){ 1.0, 0.0, 0.0, 1.0 });
    ty_image drawn = draw(s, &frame);
    double u, v;
    ty_camera_project(&c, ty_vec3_make(-3, 15, 2), &u, &v);
    int seen = colour_at(&drawn, u, v);
    ty_camera_project(&c, ty_vec3_make(3, 15, 2), &u, &v);
    int hidden = colour_at(&drawn, u, v);
    ty_camera_project(&c, ty_vec3_make(1, 5, -1), &u, &v);
    printf("overlay: %d in view, %d behind\n", seen, hidden);
    TY_CHECK(seen > 150 && hidden < 0.6 * seen && hidden > 20);
    TY_CHECK(colour_at(&drawn, u, v) > 150);
    ty_image_free(&drawn);
    tyi_draw_sketch_destroy(s);
}

/* Boxes, frames, frustums and labels draw something, pass behind the eye without harm, and wrong sizes are refused. */
TY_TEST(overlay, all_kinds)
{
    static uint8_t data[N];
    ty_camera c = camera(TY_LENS_PINHOLE), other = c;
    other.pose.p = ty_vec3_make(0.5, 6, 0);
    other.pose.q = ty_camera_look(1.0, 0.1, 0.0);
    ty_image frame = { W, H, 1, 8, data };
    ty_truth_box2 flat = { 1, TY_CLASS_ROCK, 10, 20, 40, 50, 100 };
    /* reaches behind the eye */
    ty_truth_box3 solid = { .pose_W = { { 0, 5, 0 }, ty_quat_identity() }, .half = { 1, 8, 1 } };
    for (int k = 0; k < 5; k++) {
        tyi_draw_sketch *s = tyi_draw_sketch_create(&c, NULL);
        k == 0   ? tyi_draw_sketch_box2(s, &flat, "rock")
        : k == 1 ? tyi_draw_sketch_box3(s, &solid, "box")
        : k == 2 ? tyi_draw_sketch_frame(s, (ty_pose){ { 0, 4, 0 }, ty_quat_identity() }, 1.0, "W")
        : k == 3 ? tyi_draw_sketch_frustum(s, &other, 1.0, "camera")
                 : tyi_draw_sketch_text(s, ty_vec3_make(0, 5, 0), "here", (ty_draw_color){ 0 });
        ty_image drawn = draw(s, &frame);
        int marked = 0;
        for (int i = 0; i < 3 * N; i++) {
            marked += ((const uint8_t *)drawn.data)[i] > 60;
        }
        TY_CHECK(marked > 30);
        ty_image_free(&drawn);
        ty_image wrong = { W / 2, H, 1, 8, data };
        ty_diag diag = { 0 };
        TY_CHECK(tyi_draw_sketch_write(s, "/tmp/never.png", &wrong, &diag) == TY_ERR_RANGE &&
                 strstr(diag.text, "60 x 90"));
        TY_CHECK(tyi_draw_sketch_write(s, "/tmp/no/such/folder.png", &frame, &diag) == TY_ERR_FILE);
        tyi_draw_sketch_destroy(s);
    }
}

/* thousands of dots: each where the lens puts it, none behind what the frame shows */
TY_TEST(overlay, points_and_notes)
{
    uint16_t data[N];
    double range[N];
    for (int i = 0; i < N; i++) {
        data[i] = 1000, range[i] = i % W < W / 2 ? 100.0 : 2.0;
    }
    ty_image frame = { W, H, 1, 16, data };
    ty_camera c = camera(TY_LENS_PINHOLE);
    c.pose = (ty_pose){ { 0, 0, 0 }, ty_quat_identity() }; /* looks along z */
    tyi_draw_sketch *s = tyi_draw_sketch_create(&c, range);
    ty_vec3 seen = { -2, 0.5, 8 }, hidden = { 2, 0.5, 8 }, behind = { -2, 0.5, -8 };
    const ty_draw_color red = { 1.0, 0.0, 0.0, 1.0 };
    tyi_draw_sketch_point(s, seen, red), tyi_draw_sketch_point(s, hidden, red), tyi_draw_sketch_point(s, behind, red);
    tyi_draw_sketch_note(s, "first"), tyi_draw_sketch_note(s, "second");
    ty_image out = draw(s, &frame);
    double f = 0.5 * W / tan(0.5 * c.hfov), v = 0.5 * H + f * 0.5 / 8.0;
    TY_CHECK(colour_at(&out, 0.5 * W - f * 0.25, v) > 100);
    TY_CHECK(colour_at(&out, 0.5 * W + f * 0.25, v) == 0);
    int bright[2] = { 0, 0 }; /* white letters in two lines of the corner */
    for (int y = 0; y < 28; y++) {
        for (int x = 0; x < 40; x++) {
            bright[y >= 14] += ((const uint8_t *)out.data)[3 * (y * W + x)] > 200;
        }
    }
    TY_CHECK(bright[0] > 10 && bright[1] > 10);
    ty_image_free(&out);
    tyi_draw_sketch_destroy(s);
}
