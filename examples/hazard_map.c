/* examples/hazard_map.c - see hazard_map.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "hazard_map.h"
#include <string.h>

void map_start(hazard_map *m, double x, double y)
{
    memset(m, 0, sizeof *m);
    m->x0 = x - 0.5 * MAP_CELLS * MAP_CELL, m->y0 = y - 0.5 * MAP_CELLS * MAP_CELL;
}

/* index of a cell; the outermost three are left out, so that every cell has neighbours */
static int cell_of(const hazard_map *m, double x, double y)
{
    double i = floor((x - m->x0) / MAP_CELL), j = floor((y - m->y0) / MAP_CELL);
    return i >= 3 && j >= 3 && i < MAP_CELLS - 3 && j < MAP_CELLS - 3 ? (int)j * MAP_CELLS + (int)i : -1;
}

/* height of the ground [m]: the lower quarter of the cells within 0.6 m */
static float ground_at(const float *mean, const int *count, int cell)
{
    float z[49];
    int n = 0;
    for (int k = 0; k < 49; k++) {
        int at = cell + (k / 7 - 3) * MAP_CELLS + k % 7 - 3, i = n;
        if (count[at] < 3) {
            continue;
        }
        for (n++; i > 0 && z[i - 1] > mean[at]; i--) { /* sorted as they come */
            z[i] = z[i - 1];
        }
        z[i] = mean[at];
    }
    return n ? z[n / 4] : mean[cell];
}

void map_take(hazard_map *m, const ty_vec3 *p, size_t n)
{
    static float mean[MAP_CELLS * MAP_CELLS], ground[MAP_CELLS * MAP_CELLS];
    static int count[MAP_CELLS * MAP_CELLS], high[MAP_CELLS * MAP_CELLS];
    memset(mean, 0, sizeof mean), memset(count, 0, sizeof count), memset(high, 0, sizeof high);
    for (size_t i = 0; i < n; i++) {
        int c = cell_of(m, p[i].x, p[i].y);
        if (c >= 0) {
            mean[c] += ((float)p[i].z - mean[c]) / (float)++count[c];
        }
    }
    for (int c = 0; c < MAP_CELLS * MAP_CELLS; c++) {
        ground[c] = count[c] ? ground_at(mean, count, c) : 0.0f;
    }
    for (size_t i = 0; i < n; i++) {
        int c = cell_of(m, p[i].x, p[i].y);
        double above = c >= 0 ? p[i].z - (double)ground[c] : 0.0;
        if (above > MAP_TALL && above < 1.0) {
            high[c]++;
        }
    }
    for (int c = 0; c < MAP_CELLS * MAP_CELLS; c++) {
        bool seen = high[c] >= 3 && 4 * high[c] >= count[c];
        m->looks[c] = (signed char)(seen ? m->looks[c] + (m->looks[c] < 4) : m->looks[c] - (count[c] >= 6 && m->looks[c] > 0));
    }
}

/* how far [m] a rectangle can move along an arc before it covers a bad cell, up to `far` */
static double free_way(const ty_vec3 *bad, size_t n, double curvature, double half_length, double half_width, double far)
{
    for (double s = 0.0; s < far; s += 0.2) {
        double turn = s * curvature, c = cos(turn), d = sin(turn);
        double x = fabs(turn) < 1e-9 ? s : d / curvature, y = fabs(turn) < 1e-9 ? 0.0 : (1.0 - c) / curvature;
        for (size_t i = 0; i < n; i++) {
            double dx = bad[i].x - x, dy = bad[i].y - y;
            if (fabs(c * dx + d * dy) < half_length && fabs(c * dy - d * dx) < half_width) {
                return s;
            }
        }
    }
    return far;
}

bool map_choose(const hazard_map *m, double x, double y, double yaw, double to_x, double to_y, double half_length, double half_width,
                double *curvature)
{
    static ty_vec3 bad[MAP_CELLS * MAP_CELLS];
    size_t n = 0;
    double c = cos(yaw), s = sin(yaw), gx = c * (to_x - x) + s * (to_y - y), gy = c * (to_y - y) - s * (to_x - x);
    for (int i = 0; i < MAP_CELLS * MAP_CELLS; i++) { /* those near it, as it sees them: forward, left */
        double dx = m->x0 + MAP_CELL * (i % MAP_CELLS + 0.5) - x, dy = m->y0 + MAP_CELL * (i / MAP_CELLS + 0.5) - y;
        if (m->looks[i] >= MAP_SURE && hypot(dx, dy) < 8.0) {
            bad[n++] = ty_vec3_make(c * dx + s * dy, c * dy - s * dx, 0.0);
        }
    }
    double far = fmin(hypot(gx, gy), 3.5), aside = atan2(gy, gx);
    /* the place lies well to a side, the straight way there is free, and so is the circle in which the rover turns: turn first */
    if (fabs(aside) > 0.6) {
        static ty_vec3 turned[MAP_CELLS * MAP_CELLS];
        bool room = true;
        for (size_t i = 0; i < n; i++) {
            turned[i] = ty_rotate(ty_quat_axis(ty_vec3_make(0, 0, 1), -aside), bad[i]);
            room = room && ty_norm(bad[i]) > hypot(half_length, half_width) + 0.6;
        }
        if (room && free_way(turned, n, 0.0, half_length + 0.4, half_width + 0.4, far) >= far) {
            *curvature = aside > 0.0 ? INFINITY : -INFINITY;
            return true;
        }
    }
    for (double margin = 0.75; margin > 0.2; margin -= 0.25) { /* much room if there is, less if not; of a rock only the near side is seen */
        double best = 1e9;
        for (int k = -10; k <= 10; k++) {
            double bend = 0.04 * k, turn = far * bend;
            double ex = k ? sin(turn) / bend : far, ey = k ? (1.0 - cos(turn)) / bend : 0.0;
            double left = atan2(gy - ey, gx - ex) - turn; /* what remains to be turned at its end */
            double cost = hypot(gx - ex, gy - ey) + (far >= 3.5 ? fabs(remainder(left, 2.0 * TY_PI)) : 0.0);
            if (cost < best && free_way(bad, n, bend, half_length + margin, half_width + margin, far) >= far) {
                best = cost, *curvature = bend;
            }
        }
        if (best < 1e9) {
            return true;
        }
    }
    return false;
}
