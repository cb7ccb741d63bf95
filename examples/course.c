/* examples/course.c - see course.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "course.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tycho/tools/draw.h>

bool course_options_read(course_options *o, int argc, char **argv, const char *name, const char *plain)
{
    for (int i = 1; i < argc; i++) {
        const char *key = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (!strcmp(key, plain)) {
            o->plain = true;
            continue;
        }
        bool known = true;
        if (!strcmp(key, "--seed") && value) {
            o->seed = strtoull(value, NULL, 10);
        } else if (!strcmp(key, "--picture") && value) {
            o->picture = value;
        } else if (!strcmp(key, "--scenario") && value) {
            o->file = value;
        } else if (!strcmp(key, "--set") && value && o->settings < 32) {
            o->setting[o->settings++] = value;
        } else {
            known = false;
        }
        if (!known) {
            fprintf(
                stderr,
                "%s: '%s' is not an option with a value; there are --seed, --picture, --scenario, --set, and %s without one\n",
                name, key, plain);
            return false;
        }
        i++;
    }
    return true;
}

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

/* distance [m] from a place to the edge of the nearest rock */
static double room_at(const course *c, double x, double y)
{
    double least = 1e9;
    for (size_t i = 0; i < c->rocks; i++) {
        least = fmin(least, hypot(c->x[i] - x, c->y[i] - y) - c->r[i]);
    }
    return least;
}

/* all rocks of the terrain around the origin */
static void find_rocks(course *c, const ty_terrain *terrain)
{
    static ty_rock rock[COURSE_ROCKS];
    size_t n = ty_terrain_rocks(terrain, (ty_rect){ -40, -40, 40, 40 }, 0.0, 100.0, rock, COURSE_ROCKS);
    for (size_t i = 0; i < n && i < COURSE_ROCKS; i++) {
        course_rock(c, rock[i].x, rock[i].y,
                    rock[i].scale * (double)ty_terrain_rock_shape(terrain, rock[i].shape)->radius);
    }
}

/* A waypoint with room around it, a leg away, to which the straight line leads over a rock, as well over its middle
 * as may be. Returns how near [m] the line comes to being inside one: below 0 it is. */
static double set_leg(const course *c, double x, double y, double *end)
{
    double best = 1e9;
    for (double a = COURSE_TOWARDS - 0.4; a <= COURSE_TOWARDS + 0.4; a += 0.04) {
        double ex = x + COURSE_LEG * cos(a), ey = y + COURSE_LEG * sin(a), least = room_at(c, ex, ey) < 1.8 ? 1e6 : 1e3;
        for (double s = 2.5; s < COURSE_LEG - 1.5 && least < 1e6; s += 0.1) {
            least = fmin(least, room_at(c, x + s * cos(a), y + s * sin(a)));
        }
        if (least < best) {
            best = least, end[0] = ex, end[1] = ey;
        }
    }
    return best;
}

void course_waypoints(course *c, const ty_terrain *terrain, ty_scenario_rover *rover, double (*way)[2], int legs)
{
    double best = 1e9, end[8][2];
    find_rocks(c, terrain);
    /* of many starts with room around them the one where a rock lies most squarely on every leg */
    for (int k = 0; k < 400; k++) {
        double x = -15.0 + 1.5 * (k % 20), y = -15.0 + 1.5 * (k / 20),
               worst = room_at(c, x, y) > COURSE_ROOM ? -1e9 : 1e9;
        for (int leg = 0; leg < legs && worst < best; leg++) {
            worst = fmax(worst, set_leg(c, leg ? end[leg - 1][0] : x, leg ? end[leg - 1][1] : y, end[leg]));
        }
        if (worst < best) {
            best = worst, rover->vehicle.x = x, rover->vehicle.y = y;
            memcpy(way, end, (size_t)legs * sizeof *end);
        }
    }
    rover->vehicle.yaw = atan2(way[0][1] - rover->vehicle.y, way[0][0] - rover->vehicle.x);
    c->goal_x = way[legs - 1][0], c->goal_y = way[legs - 1][1];
}

void course_mark(course *c, double x, double y)
{
    if (c->marks < COURSE_PATH) {
        c->mark_x[c->marks] = x, c->mark_y[c->marks++] = y;
    }
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
    printf("%s: %s after %.1f s; nearest rock %.2f m; ", what, reached ? "reached the goal" : "did not reach the goal",
           seconds, c->nearest);
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
        status = ty_terrain_sample(terrain, ty_terrain_level(terrain, 2.0 * side / N), N * N, place, place + N * N,
                                   place + 2 * N * N, NULL, diag);
    }
    for (int i = 0; status == TY_OK && i < N * N; i++) {
        height[i] = (float)place[2 * N * N + i];
    }
    const ty_draw_overlay overlay[] = {
        { .kind = TY_OVERLAY_CIRCLES,
          .label = "rocks",
          .n = c->rocks,
          .x = c->x,
          .y = c->y,
          .radius = c->r,
          .color = { 0.85, 0.2, 0.1, 1 },
          .size = 2 },
        { .kind = TY_OVERLAY_POINTS,
          .label = "marked",
          .n = c->marks,
          .x = c->mark_x,
          .y = c->mark_y,
          .symbol = TY_SYMBOL_DISC,
          .color = { 0.95, 0.65, 0.1, 1 },
          .size = 4 },
        { .kind = TY_OVERLAY_PATH,
          .label = "driven",
          .n = c->points,
          .x = c->path_x,
          .y = c->path_y,
          .color = { 0.1, 0.4, 0.95, 1 },
          .size = 2.5 },
        { .kind = TY_OVERLAY_POINTS,
          .label = "start",
          .n = 1,
          .x = c->path_x,
          .y = c->path_y,
          .symbol = TY_SYMBOL_DISC,
          .color = { 0.1, 0.4, 0.95, 1 },
          .size = 9 },
        { .kind = TY_OVERLAY_POINTS,
          .label = "goal",
          .n = 1,
          .x = &c->goal_x,
          .y = &c->goal_y,
          .symbol = TY_SYMBOL_DIAMOND,
          .color = { 0.2, 0.9, 0.4, 1 },
          .size = 12 },
    };
    ty_draw_map map = ty_draw_map_default();
    map.title = title;
    map.x0 = mx - side, map.x1 = mx + side, map.y0 = my - side, map.y1 = my + side;
    map.lat = map.lon = (double)NAN;
    map.layers = 1;
    map.layer[0] = ty_draw_layer_default();
    map.layer[0].nx = map.layer[0].ny = N;
    map.layer[0].value = height;
    map.layer[0].legend = "height [m]";
    map.overlay = overlay, map.overlays = sizeof overlay / sizeof overlay[0];
    map.size = 900;
    if (status == TY_OK && c->points) {
        status = ty_draw_write_map(path, &map, diag);
    }
    free(place), free(height);
    return status;
}
