/* examples/hazard_map.c - see hazard_map.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "hazard_map.h"
#include <string.h>

#define CELLS (MAP_CELLS * MAP_CELLS)
/* [m] what stands higher above the ground beside it is a hazard: three times the error of a match */
#define TALL    0.14
#define ROLLING 0.15 /* [m] by which ground rises above a plane */
#define TURN    2.0  /* [m/rad] that turning on the spot costs in time */
#define LARGE   3    /* cells around it that stand up too: it counts twice */
#define EASE    0.8  /* [m] more room than the rover needs is better, up to here */
#define BETTER  0.7  /* a new way is taken if it costs less than this share of the old one */

void map_start(hazard_map *m, double x, double y, double room)
{
    memset(m, 0, sizeof *m);
    m->x0 = x - 0.5 * MAP_CELLS * MAP_CELL, m->y0 = y - 0.5 * MAP_CELLS * MAP_CELL;
    for (int c = 0; c < CELLS; c++) {
        m->looks[c] = MAP_CELL * hypot(c % MAP_CELLS - 0.5 * MAP_CELLS, c / MAP_CELLS - 0.5 * MAP_CELLS) < room;
    }
}

/* index of a cell; the outermost three are left out, so that every cell has neighbours */
static int cell_of(const hazard_map *m, double x, double y)
{
    double i = floor((x - m->x0) / MAP_CELL), j = floor((y - m->y0) / MAP_CELL);
    return i >= 3 && j >= 3 && i < MAP_CELLS - 3 && j < MAP_CELLS - 3 ? (int)j * MAP_CELLS + (int)i : -1;
}

bool map_hazard(const hazard_map *m, int cell)
{
    return m->hits[cell] >= 3 && m->hits[cell] >= m->looks[cell];
}

/* ---- looking ---- */

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
        for (n++; i > 0 && z[i - 1] > mean[at]; i--) { /* keep them sorted */
            z[i] = z[i - 1];
        }
        z[i] = mean[at];
    }
    return n ? z[n / 4] : mean[cell];
}

/* A hazard in a cell, and what it hides: a rock is about as deep behind its top as it is high. A small one may be a
 * bad match and counts once, a large one twice. */
static void mark(const hazard_map *m, ty_vec3 eye, int cell, double tall, int around, unsigned char *marked)
{
    double x = m->x0 + MAP_CELL * (cell % MAP_CELLS + 0.5), y = m->y0 + MAP_CELL * (cell / MAP_CELLS + 0.5);
    double far = hypot(x - eye.x, y - eye.y);
    for (double s = 0.0; s <= tall; s += 0.5 * MAP_CELL) {
        int c = cell_of(m, x + s * (x - eye.x) / far, y + s * (y - eye.y) / far);
        if (c >= 0) {
            marked[c] = (unsigned char)(around >= LARGE || marked[c] == 2 ? 2 : 1);
        }
    }
}

/* Least squares, three times: each time with the points that lie near the plane found before. */
void map_plane(const ty_vec3 *p, size_t n, double plane[3])
{
    for (int k = 0; k < 3 && n; k++) {
        double near = k ? 0.15 : 0.4, s[9] = { 0 }; /* sums of 1, x, y, xx, xy, yy, z, xz, yz, around the first point */
        for (size_t i = 0; i < n; i++) {
            double x = p[i].x - p[0].x, y = p[i].y - p[0].y, z = p[i].z;
            if (fabs(z - plane[0] - plane[1] * p[i].x - plane[2] * p[i].y) < near) {
                s[0] += 1.0, s[1] += x, s[2] += y, s[3] += x * x, s[4] += x * y, s[5] += y * y, s[6] += z,
                    s[7] += x * z, s[8] += y * z;
            }
        }
        double xx = s[3] * s[0] - s[1] * s[1], xy = s[4] * s[0] - s[1] * s[2], yy = s[5] * s[0] - s[2] * s[2];
        double xz = s[7] * s[0] - s[1] * s[6], yz = s[8] * s[0] - s[2] * s[6], det = xx * yy - xy * xy;
        if (s[0] < 500.0 || det < 0.1 * s[0] * s[0] * s[0] * s[0]) { /* too few, or all in a line */
            return;
        }
        plane[1] = (xz * yy - yz * xy) / det, plane[2] = (yz * xx - xz * xy) / det;
        plane[0] = (s[6] - plane[1] * s[1] - plane[2] * s[2]) / s[0] - plane[1] * p[0].x - plane[2] * p[0].y;
    }
}

/* Cells with three dark pixels or more. */
static void mark_dark(const hazard_map *m, const ty_vec3 *dark, size_t darks, unsigned char *marked)
{
    static unsigned char seen[CELLS];
    memset(seen, 0, sizeof seen);
    for (size_t i = 0; i < darks; i++) {
        int c = cell_of(m, dark[i].x, dark[i].y);
        if (c >= 0 && seen[c] < 3 && ++seen[c] == 3) {
            marked[c] = 3; /* no match to be doubted: it counts at once */
        }
    }
}

void map_take(hazard_map *m, ty_vec3 eye, const double plane[3], const ty_vec3 *p, size_t n, const ty_vec3 *dark,
              size_t darks)
{
    static float mean[CELLS], ground[CELLS], tall[CELLS];
    static int count[CELLS], high[CELLS];
    static unsigned char marked[CELLS];
    memset(mean, 0, sizeof mean), memset(tall, 0, sizeof tall);
    memset(count, 0, sizeof count), memset(high, 0, sizeof high), memset(marked, 0, sizeof marked);
    for (size_t i = 0; i < n; i++) {
        int c = cell_of(m, p[i].x, p[i].y);
        if (c >= 0) {
            mean[c] += ((float)p[i].z - mean[c]) / (float)++count[c];
        }
    }
    for (int c = 0; c < CELLS; c++) {
        /* where only the top of a rock stands out of shadows, what is around it is no ground */
        double x = m->x0 + MAP_CELL * (c % MAP_CELLS + 0.5), y = m->y0 + MAP_CELL * (c / MAP_CELLS + 0.5);
        ground[c] = count[c]
                        ? fminf(ground_at(mean, count, c), (float)(plane[0] + plane[1] * x + plane[2] * y + ROLLING))
                        : 0.0f;
    }
    for (size_t i = 0; i < n; i++) {
        int c = cell_of(m, p[i].x, p[i].y);
        float above = c >= 0 ? (float)p[i].z - ground[c] : 0.0f;
        if (above > (float)TALL && above < 1.6f) {
            high[c]++;
            tall[c] = fmaxf(tall[c], above);
        }
    }
    for (int c = 0; c < CELLS; c++) {
        int beside = 0; /* a bad match stands alone, a rock does not */
        for (int k = 0; high[c] && k < 9; k++) {
            beside += k != 4 && high[c + (k / 3 - 1) * MAP_CELLS + k % 3 - 1] >= 3;
        }
        if (beside >= 2 && high[c] >= 3 && 4 * high[c] >= count[c]) {
            mark(m, eye, c, (double)tall[c], beside, marked);
        }
    }
    mark_dark(m, dark, darks, marked);
    for (int c = 0; c < CELLS; c++) {
        m->hits[c] = (unsigned char)(m->hits[c] + (m->hits[c] < 250 ? marked[c] : 0));
        m->looks[c] = (unsigned char)(m->looks[c] + ((marked[c] || count[c] >= 3) && m->looks[c] < 255));
    }
}

/* ---- planning ---- */

/* distance from each cell to the nearest hazard, up to `most` [m] */
static void find_room(hazard_map *m, double most)
{
    int reach = (int)ceil(most / MAP_CELL);
    for (int c = 0; c < CELLS; c++) {
        m->room[c] = (float)most;
    }
    for (int c = 0; c < CELLS; c++) {
        for (int j = -reach; map_hazard(m, c) && j <= reach; j++) {
            for (int i = -reach; i <= reach; i++) {
                int x = c % MAP_CELLS + i, y = c / MAP_CELLS + j;
                if (x >= 0 && y >= 0 && x < MAP_CELLS && y < MAP_CELLS) {
                    m->room[y * MAP_CELLS + x] = fminf(m->room[y * MAP_CELLS + x], (float)(MAP_CELL * hypot(i, j)));
                }
            }
        }
    }
}

/* The new cost of a cell by those of its neighbours; step: across the cell. */
static float upwind(const float *t, int c, float step)
{
    float a = fminf(t[c - 1], t[c + 1]), b = fminf(t[c - MAP_CELLS], t[c + MAP_CELLS]);
    return fabsf(a - b) >= step ? fminf(a, b) + step : 0.5f * (a + b + sqrtf(2.0f * step * step - (a - b) * (a - b)));
}

/* along both diagonals, both ways, until nothing changes any more */
static void sweep(hazard_map *m, int goal)
{
    for (int c = 0; c < CELLS; c++) {
        m->cost[c] = c == goal ? 0.0f : 1e6f;
    }
    bool better = goal >= 0;
    for (int k = 0; better || k % 4; k++) {
        better = k % 4 ? better : false;
        for (int n = 0; n < (MAP_CELLS - 2) * (MAP_CELLS - 2); n++) {
            int i = 1 + n % (MAP_CELLS - 2), j = 1 + n / (MAP_CELLS - 2);
            int c = (k & 1 ? MAP_CELLS - 1 - i : i) + MAP_CELLS * (k & 2 ? MAP_CELLS - 1 - j : j);
            float t = upwind(m->cost, c, m->weight[c] * (float)MAP_CELL);
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
    return (1.0 - v) * ((1.0 - u) * (double)t[0] + u * (double)t[1]) +
           v * ((1.0 - u) * (double)t[MAP_CELLS] + u * (double)t[MAP_CELLS + 1]);
}

/* the point of the way nearest to a place */
static int nearest(const hazard_map *m, double x, double y)
{
    int best = 0;
    for (int i = 1; i < m->ways; i++) {
        best = hypot(m->way[i][0] - x, m->way[i][1] - y) < hypot(m->way[best][0] - x, m->way[best][1] - y) ? i : best;
    }
    return best;
}

/* What is left of the way costs so much, by the map as it is now, with the turn towards its first metre. */
static double way_cost(const hazard_map *m, double x, double y, double yaw)
{
    if (m->ways < 2) {
        return 1e9;
    }
    int i = nearest(m, x, y), ahead = i + 10 < m->ways ? i + 10 : m->ways - 1;
    double turn = fabs(remainder(atan2(m->way[ahead][1] - y, m->way[ahead][0] - x) - yaw, 2.0 * TY_PI));
    double sum = TURN * turn + 2.0 * hypot(m->way[i][0] - x, m->way[i][1] - y);
    for (; i + 1 < m->ways; i++) {
        int c = cell_of(m, m->way[i][0], m->way[i][1]);
        sum += (c >= 0 ? (double)m->weight[c] : 100.0) *
               hypot(m->way[i + 1][0] - m->way[i][0], m->way[i + 1][1] - m->way[i][1]);
    }
    return sum;
}

/* the steepest way down; a gradient would stick where the cost has an edge */
static void descend(hazard_map *m, double x, double y, double to_x, double to_y)
{
    const double step = 0.5 * MAP_CELL, far = 3.0 * step;
    m->ways = 0;
    while (m->ways < MAP_WAY - 1 && hypot(to_x - x, to_y - y) > far) {
        m->way[m->ways][0] = x, m->way[m->ways++][1] = y;
        int best = 0;
        for (int k = 1; k < 64; k++) {
            double a = TY_PI / 32.0 * k, b = TY_PI / 32.0 * best;
            best = cost_at(m, x + far * cos(a), y + far * sin(a)) < cost_at(m, x + far * cos(b), y + far * sin(b))
                       ? k
                       : best;
        }
        x += step * cos(TY_PI / 32.0 * best), y += step * sin(TY_PI / 32.0 * best);
    }
    m->way[m->ways][0] = to_x, m->way[m->ways++][1] = to_y;
}

void map_plan(hazard_map *m, double x, double y, double yaw, double to_x, double to_y, double least, double radius)
{
    static hazard_map old;
    find_room(m, radius + EASE);
    for (int c = 0; c < CELLS; c++) {
        double ease = (radius + EASE - (double)m->room[c]) / EASE, deep = fmax(radius - (double)m->room[c], 0.0) / 0.3;
        m->weight[c] = (float)(1.0 + 2.0 * ease + 10.0 * deep * deep + ((double)m->room[c] < least ? 200.0 : 0.0));
    }
    sweep(m, cell_of(m, to_x, to_y));
    old = *m;
    descend(m, x, y, to_x, to_y);
    /* it led to the same place */
    bool same = old.ways > 1 && hypot(old.way[old.ways - 1][0] - to_x, old.way[old.ways - 1][1] - to_y) < MAP_CELL;
    if (same && way_cost(m, x, y, yaw) > BETTER * way_cost(&old, x, y, yaw)) {
        *m = old;
    }
}

void map_ahead(const hazard_map *m, double x, double y, double far, double *ahead_x, double *ahead_y)
{
    int i = nearest(m, x, y) + (int)(far / (0.5 * MAP_CELL));
    i = i < m->ways ? i : m->ways - 1;
    *ahead_x = m->way[i][0], *ahead_y = m->way[i][1];
}

bool map_blocked(const hazard_map *m, double x, double y, double yaw, double curvature, double length,
                 double half_length, double half_width, double *seen)
{
    int all = 0, known = 0, hits = 0;
    for (double s = 0.0; s <= length; s += 0.1) {
        double turn = s * curvature, chord = fabs(turn) < 1e-9 ? s : 2.0 * sin(0.5 * turn) / curvature;
        double px = x + chord * cos(yaw + 0.5 * turn), py = y + chord * sin(yaw + 0.5 * turn), c = cos(yaw + turn),
               d = sin(yaw + turn);
        for (double u = -half_length; u <= half_length; u += 0.5 * MAP_CELL) {
            for (double v = -half_width; v <= half_width; v += 0.5 * MAP_CELL) {
                int cell = cell_of(m, px + u * c - v * d, py + u * d + v * c);
                all++;
                known += cell >= 0 && m->looks[cell] > 0;
                hits += cell >= 0 && map_hazard(m, cell);
            }
        }
    }
    *seen = (double)known / all;
    return hits > 0;
}
