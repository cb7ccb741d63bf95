/* examples/hazard_map.c - see hazard_map.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "hazard_map.h"
#include <string.h>

#define CELLS (MAP_CELLS * MAP_CELLS)

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

/* A look has seen a hazard in a cell: marks it, and what it hides. A rock is about as deep behind its top as it is high. */
static void mark(const hazard_map *m, ty_vec3 eye, int cell, double tall, bool *marked)
{
    double x = m->x0 + MAP_CELL * (cell % MAP_CELLS + 0.5), y = m->y0 + MAP_CELL * (cell / MAP_CELLS + 0.5);
    double far = hypot(x - eye.x, y - eye.y);
    for (double s = 0.0; s <= tall; s += 0.5 * MAP_CELL) {
        int c = cell_of(m, x + s * (x - eye.x) / far, y + s * (y - eye.y) / far);
        if (c >= 0) {
            marked[c] = true;
        }
    }
}

void map_take(hazard_map *m, ty_vec3 eye, const ty_vec3 *p, size_t n)
{
    static float mean[CELLS], ground[CELLS], tall[CELLS];
    static int count[CELLS], high[CELLS];
    static bool marked[CELLS];
    memset(mean, 0, sizeof mean), memset(tall, 0, sizeof tall);
    memset(count, 0, sizeof count), memset(high, 0, sizeof high), memset(marked, 0, sizeof marked);
    for (size_t i = 0; i < n; i++) {
        int c = cell_of(m, p[i].x, p[i].y);
        if (c >= 0) {
            mean[c] += ((float)p[i].z - mean[c]) / (float)++count[c];
        }
    }
    for (int c = 0; c < CELLS; c++) {
        ground[c] = count[c] ? ground_at(mean, count, c) : 0.0f;
    }
    for (size_t i = 0; i < n; i++) {
        int c = cell_of(m, p[i].x, p[i].y);
        float above = c >= 0 ? (float)p[i].z - ground[c] : 0.0f;
        if (above > (float)MAP_TALL && above < 1.0f) {
            high[c]++;
            tall[c] = fmaxf(tall[c], above);
        }
    }
    for (int c = 0; c < CELLS; c++) {
        int beside = 0; /* a bad match stands alone, a rock does not */
        for (int k = 0; high[c] && k < 9; k++) {
            beside += k != 4 && high[c + (k / 3 - 1) * MAP_CELLS + k % 3 - 1] >= 3;
        }
        if (beside && high[c] >= 3 && 4 * high[c] >= count[c]) {
            mark(m, eye, c, (double)tall[c], marked);
        }
    }
    for (int c = 0; c < CELLS; c++) { /* up to a number of looks, ground seen there takes one back */
        bool clear = !marked[c] && count[c] >= 6 && m->looks[c] > 0 && m->looks[c] < MAP_KEEP;
        m->looks[c] = (unsigned char)(m->looks[c] + (marked[c] && m->looks[c] < MAP_KEEP) - clear);
    }
}

/* distance [m] from each cell to the nearest mark, up to `most` */
static void room_around(const hazard_map *m, double most, float *room)
{
    int reach = (int)ceil(most / MAP_CELL);
    for (int c = 0; c < CELLS; c++) {
        room[c] = (float)most;
    }
    for (int c = 0; c < CELLS; c++) {
        for (int j = -reach; m->looks[c] >= MAP_SURE && j <= reach; j++) {
            for (int i = -reach; i <= reach; i++) {
                int x = c % MAP_CELLS + i, y = c / MAP_CELLS + j;
                if (x >= 0 && y >= 0 && x < MAP_CELLS && y < MAP_CELLS) {
                    room[y * MAP_CELLS + x] = fminf(room[y * MAP_CELLS + x], (float)(MAP_CELL * hypot(i, j)));
                }
            }
        }
    }
}

/* The new cost of a cell by those of its neighbours; step: [m], weighed, across the cell. */
static float upwind(const float *t, int c, float step)
{
    float a = fminf(t[c - 1], t[c + 1]), b = fminf(t[c - MAP_CELLS], t[c + MAP_CELLS]);
    return fabsf(a - b) >= step ? fminf(a, b) + step : 0.5f * (a + b + sqrtf(2.0f * step * step - (a - b) * (a - b)));
}

void map_plan(hazard_map *m, double to_x, double to_y, double radius)
{
    static float room[CELLS];
    double least = radius + MAP_ROOM, most = least + MAP_EASE;
    int goal = cell_of(m, to_x, to_y);
    room_around(m, most, room);
    for (int c = 0; c < CELLS; c++) {
        m->cost[c] = c == goal ? 0.0f : 1e6f;
        double ease = (most - (double)room[c]) / MAP_EASE, deep = fmax(least - (double)room[c], 0.0) / 0.5;
        room[c] = (float)(MAP_CELL * (1.0 + 3.0 * ease + 40.0 * deep * deep));
    }
    bool better = goal >= 0;
    for (int sweep = 0; better || sweep % 4; sweep++) { /* along both diagonals, both ways, until nothing changes any more */
        better = sweep % 4 ? better : false;
        for (int k = 0; k < (MAP_CELLS - 2) * (MAP_CELLS - 2); k++) {
            int i = 1 + k % (MAP_CELLS - 2), j = 1 + k / (MAP_CELLS - 2);
            int c = (sweep & 1 ? MAP_CELLS - 1 - i : i) + MAP_CELLS * (sweep & 2 ? MAP_CELLS - 1 - j : j);
            float t = upwind(m->cost, c, room[c]);
            if (t < m->cost[c] - 1e-4f) {
                m->cost[c] = t;
                better = true;
            }
        }
    }
}

/* cost between the middles of cells */
static double cost_at(const hazard_map *m, double x, double y)
{
    double u = (x - m->x0) / MAP_CELL - 0.5, v = (y - m->y0) / MAP_CELL - 0.5;
    int i = (int)fmin(fmax(u, 0.0), MAP_CELLS - 2), j = (int)fmin(fmax(v, 0.0), MAP_CELLS - 2);
    const float *t = m->cost + j * MAP_CELLS + i;
    u -= i, v -= j;
    return (1.0 - v) * ((1.0 - u) * (double)t[0] + u * (double)t[1]) + v * ((1.0 - u) * (double)t[MAP_CELLS] + u * (double)t[MAP_CELLS + 1]);
}

void map_ahead(const hazard_map *m, double x, double y, double far, double *ahead_x, double *ahead_y)
{
    const double step = 1.5 * MAP_CELL;
    for (double s = 0.0; s < far && cost_at(m, x, y) > step; s += step) {
        int best = 0;
        for (int k = 1; k < 64; k++) { /* the steepest way down; a gradient would stick where the cost has an edge */
            double a = TY_PI / 32.0 * k, b = TY_PI / 32.0 * best;
            best = cost_at(m, x + step * cos(a), y + step * sin(a)) < cost_at(m, x + step * cos(b), y + step * sin(b)) ? k : best;
        }
        x += step * cos(TY_PI / 32.0 * best), y += step * sin(TY_PI / 32.0 * best);
    }
    *ahead_x = x, *ahead_y = y;
}

bool map_blocked(const hazard_map *m, double x, double y, double yaw, double curvature, double length, double half_length, double half_width)
{
    for (double s = 0.0; s <= length; s += 0.1) {
        double turn = s * curvature, chord = fabs(turn) < 1e-9 ? s : 2.0 * sin(0.5 * turn) / curvature;
        double px = x + chord * cos(yaw + 0.5 * turn), py = y + chord * sin(yaw + 0.5 * turn), c = cos(yaw + turn), d = sin(yaw + turn);
        for (double u = -half_length; u <= half_length; u += 0.5 * MAP_CELL) {
            for (double v = -half_width; v <= half_width; v += 0.5 * MAP_CELL) {
                int cell = cell_of(m, px + u * c - v * d, py + u * d + v * c);
                if (cell >= 0 && m->looks[cell] >= MAP_SURE) {
                    return true;
                }
            }
        }
    }
    return false;
}
