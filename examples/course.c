/* examples/course.c - see course.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "course.h"
#include <stdio.h>
#include <stdlib.h>
#include <tycho/draw.h>

/* [splitmix64]: the finalizer of Steele, Lea and Flood 2014 over a counter */
double course_random(uint64_t seed, uint64_t number, double low, double high)
{
    uint64_t z = (seed << 32 ^ number) + 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return low + (high - low) * (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

bool course_rock(course *c, double x, double y, double r)
{
    if (c->rocks == COURSE_ROCKS) {
        return false;
    }
    c->x[c->rocks] = x, c->y[c->rocks] = y, c->r[c->rocks++] = r;
    return true;
}

void course_start(course *c, const ty_vehicle *rover)
{
    ty_wheel_info wheel[TY_WHEELS_MAX];
    int n = ty_vehicle_wheels(rover, wheel);
    c->nearest = 1e9;
    for (int i = 0; i < n; i++) {
        double r = wheel[i].shape.r + wheel[i].shape.grouser_h, half = 0.5 * wheel[i].shape.b;
        /* a steered wheel may point anywhere */
        double side = wheel[i].steer_limit > 0.0 ? hypot(r, half) : half;
        double ahead = wheel[i].steer_limit > 0.0 ? hypot(r, half) : r;
        c->half_length = fmax(c->half_length, fabs(wheel[i].p_B.x) + ahead);
        c->half_width = fmax(c->half_width, fabs(wheel[i].p_B.y) + side);
    }
}

void course_watch(course *c, const ty_vehicle *rover)
{
    ty_vehicle_state s;
    ty_vehicle_get(rover, &s);
    for (int i = 0; i < s.wheels; i++) {
        c->f_rock = fmax(c->f_rock, s.wheel[i].f_rock);
    }
    if (s.step % 20) { /* it moves by less than a centimetre meanwhile */
        return;
    }
    ty_vec3 ahead = ty_rotate(s.pose.q, ty_vec3_make(1, 0, 0));
    double yaw = atan2(ahead.y, ahead.x);
    for (size_t i = 0; i < c->rocks; i++) {
        double dx = c->x[i] - s.pose.p.x, dy = c->y[i] - s.pose.p.y;
        double u = fabs(cos(yaw) * dx + sin(yaw) * dy) - c->half_length;
        double v = fabs(cos(yaw) * dy - sin(yaw) * dx) - c->half_width;
        double inside = fmin(fmax(u, v), 0.0);
        c->nearest = fmin(c->nearest, hypot(fmax(u, 0.0), fmax(v, 0.0)) + inside - c->r[i]);
    }
    if (s.step % 100 == 0 && c->points < COURSE_PATH) {
        c->path_x[c->points] = s.pose.p.x, c->path_y[c->points++] = s.pose.p.y;
    }
}

int course_report(const course *c, const char *what, bool reached, double seconds)
{
    bool touched = c->nearest <= 0.0 || c->f_rock > 0.0;
    printf("%s: %s after %.1f s; nearest rock %.2f m; ", what, reached ? "reached the goal" : "did not reach the goal", seconds, c->nearest);
    if (c->bodies) {
        printf("largest force of a rock on a wheel %.0f N; ", c->f_rock);
    }
    printf("%s\n", touched ? "touched a rock" : "touched no rock");
    return reached && !touched ? 0 : 1;
}

ty_status course_draw(const course *c, ty_terrain *terrain, const char *title, const char *path, ty_diag *diag)
{
    enum { N = 200 };
    double x0 = 1e9, x1 = -1e9, y0 = 1e9, y1 = -1e9;
    for (size_t i = 0; i < c->points; i++) {
        x0 = fmin(x0, c->path_x[i]), x1 = fmax(x1, c->path_x[i]);
        y0 = fmin(y0, c->path_y[i]), y1 = fmax(y1, c->path_y[i]);
    }
    double side = 0.5 * fmax(x1 - x0, y1 - y0) + 3.0, mx = 0.5 * (x0 + x1), my = 0.5 * (y0 + y1);
    double *place = malloc(3 * N * N * sizeof *place);
    float *height = malloc(N * N * sizeof *height);
    ty_status status = place && height ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "no memory for the map");
    for (int i = 0; status == TY_OK && i < N * N; i++) {
        place[i] = mx + side * (2.0 * (i % N + 0.5) / N - 1.0);
        place[N * N + i] = my + side * (2.0 * (i / N + 0.5) / N - 1.0);
    }
    if (status == TY_OK) {
        status = ty_terrain_sample(terrain, ty_terrain_level(terrain, 2.0 * side / N), N * N, place, place + N * N, place + 2 * N * N, NULL, diag);
    }
    for (int i = 0; status == TY_OK && i < N * N; i++) {
        height[i] = (float)place[2 * N * N + i];
    }
    const ty_overlay overlay[] = {
        { .kind = TY_OVERLAY_CIRCLES, .label = "rocks", .n = c->rocks, .x = c->x, .y = c->y, .radius = c->r, .color = { 0.85, 0.2, 0.1, 1 }, .size = 2 },
        { .kind = TY_OVERLAY_PATH, .label = "driven", .n = c->points, .x = c->path_x, .y = c->path_y, .color = { 0.1, 0.4, 0.95, 1 }, .size = 2.5 },
        { .kind = TY_OVERLAY_POINTS, .label = "start", .n = 1, .x = c->path_x, .y = c->path_y, .symbol = TY_SYMBOL_DISC, .color = { 0.1, 0.4, 0.95, 1 }, .size = 9 },
        { .kind = TY_OVERLAY_POINTS, .label = "goal", .n = 1, .x = &c->goal_x, .y = &c->goal_y, .symbol = TY_SYMBOL_DIAMOND, .color = { 0.2, 0.9, 0.4, 1 }, .size = 12 },
    };
    ty_map map = ty_map_default();
    map.title = title;
    map.x0 = mx - side, map.x1 = mx + side, map.y0 = my - side, map.y1 = my + side;
    map.lat = map.lon = (double)NAN;
    map.layers = 1;
    map.layer[0] = ty_layer_default();
    map.layer[0].nx = map.layer[0].ny = N;
    map.layer[0].value = height;
    map.layer[0].legend = "height [m]";
    map.overlay = overlay, map.overlays = 4;
    map.size = 900;
    if (status == TY_OK && c->points) {
        status = ty_draw_map(path, &map, diag);
    }
    free(place), free(height);
    return status;
}
