/* src/soil/scm_contact.c - one body on the grid: which columns it touches, in which patches, and the stresses there.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "scm.h"
#include "scm_grid.h"

/* ---- which columns touch */

static void find_hits(tyi_soil_scm *scm, tyi_soil_window *w)
{
    w->hits = 0;
    memset(w->label, 0, (size_t)w->nx * (size_t)w->ny * sizeof *w->label);
    for (int j = 1; j + 1 < w->ny; j++) {
        double dy = (double)(w->j0 + j) * scm->cell - w->frame.c.y;
        for (int i = 1; i + 1 < w->nx; i++) {
            double dx = (double)(w->i0 + i) * scm->cell - w->frame.c.x;
            tyi_soil_hit *hit = &w->hit[w->hits];
            if (!tyi_soil_frame_under(&w->frame, dx, dy, &hit->spot)) {
                continue;
            }
            tyi_soil_column *node = tyi_soil_window_node(w, w->i0 + i, w->j0 + j, &hit->tile);
            if (hit->spot.z - hit->spot.h < node->rest - node->plastic) {
                hit->node = node;
                hit->at = j * w->nx + i;
                w->label[hit->at] = ++w->hits; /* its number for now */
            }
        }
    }
}

/* ---- patches: neighbours (of eight) belong together */

static int root_of(int *parent, int a)
{
    while (parent[a] != a) {
        parent[a] = parent[parent[a]];
        a = parent[a];
    }
    return a;
}

static void join(int *parent, int a, int b)
{
    if (a && b) {
        a = root_of(parent, a);
        b = root_of(parent, b);
        parent[a > b ? a : b] = a > b ? b : a;
    }
}

/* Length of outline in a square of four nodes, in cells: the midpoints of its sides joined. */
static double outline(bool a, bool b, bool c, bool d)
{
    static const double diagonal = 0.70710678118654752;
    int n = a + b + c + d;
    if (n == 1 || n == 3) {
        return diagonal;
    }
    return n == 2 ? (a == d ? 2.0 * diagonal : 1.0) : 0.0;
}

/* area and perimeter of every patch, at its root's label */
static void find_patches(const tyi_soil_scm *scm, tyi_soil_window *w)
{
    int nx = w->nx;
    for (int k = 1; k <= w->hits; k++) {
        w->parent[k] = k;
        w->area[k] = w->edge[k] = 0.0;
    }
    for (int k = 1; k <= w->hits; k++) {
        const int *at = &w->label[w->hit[k - 1].at];
        join(w->parent, k, at[-1]);
        join(w->parent, k, at[-nx - 1]);
        join(w->parent, k, at[-nx]);
        join(w->parent, k, at[-nx + 1]);
    }
    for (int k = 1; k <= w->hits; k++) {
        int root = root_of(w->parent, k);
        w->parent[k] = root; /* smaller than k, so that each is flat when its turn comes */
        w->area[root] += w->hit[k - 1].spot.w * scm->cell * scm->cell;
        /* the four squares around a node; each square is counted by the first of its nodes */
        const int *at = &w->label[w->hit[k - 1].at];
        bool left = at[-1], right = at[1], up = at[nx], down = at[-nx], ul = at[nx - 1], ur = at[nx + 1],
             dl = at[-nx - 1], dr = at[-nx + 1];
        double sum = outline(true, right, up, ur);
        sum += left ? 0.0 : outline(false, true, ul, up);
        sum += down || dr ? 0.0 : outline(false, false, true, right);
        sum += left || down || dl ? 0.0 : outline(false, false, false, true);
        w->edge[root] += sum * scm->cell;
    }
}

/* ---- stresses */

static const double rebound_share = 0.2; /* of the damping ratio that acts on the elastic rebound */

typedef struct motion {
    ty_vec3 v, w;
    double dt, gain; /* gain: what damping makes of the pressure */
    double cell, patch;
    double n;    /* [-] what slip adds to the sinkage exponent */
    double turn; /* [-] forward speed over rim speed, of late */
    double calm; /* [s] most that shear_time may be */
    /* lugs, as in the Bekker-Wong model: shear at r + lift, passive pressure on their faces */
    double lift, lug_h, lug_c;
    double lug_w[2];  /* of soil that is pushed to the wheel's front, and to its rear */
    double buried[2]; /* [-] share of the rim's depth that lies over that soil */
    ty_vec3 up;       /* square to the natural ground */
} motion;

static bool is_fresh(const tyi_soil_column *node, uint32_t step)
{
    return node->stamp != step && node->stamp + 1 != step;
}

/* Mobilised shear at a column as the surface moves over it at v; returns it with its damping. */
static ty_k_scm_share shear(tyi_soil_column *node, const tyi_soil_scm_kind *kind, const tyi_soil_spot *at, ty_vec3 v,
                            const motion *how, bool fresh)
{
    /* while the body comes over the cell, the part that it covers has moved */
    double sinkage = node->rest - at->z, dt = how->dt * how->turn;
    dt *= sinkage < at->h ? 0.5 + 0.5 * sinkage / at->h : 1.0;
    ty_k_scm_share m = { (double)node->mx, (double)node->my, (double)node->mp };
    if (fresh) {
        m = (ty_k_scm_share){ 0.0, 0.0, 0.0 };
    }
    /* the part of v along the surface, and how long it is there against seen from above */
    double square = 1.0 + at->gx * at->gx + at->gy * at->gy;
    double through = (v.z - at->gx * v.x - at->gy * v.y) / square;
    double x = v.x + through * at->gx, y = v.y + through * at->gy, z = v.z - through;
    double flat = x * x + y * y, longer = flat > 0.0 ? sqrt((flat + z * z) / flat) : 1.0;
    m = ty_k_scm_shear(m, longer * x * dt, longer * y * dt, kind->K, kind->unload);
    node->mx = (float)m.x;
    node->my = (float)m.y;
    node->mp = (float)m.p;
    return ty_k_scm_damped(m, longer * x, longer * y, kind->K, kind->unload, fmin(kind->shear_time, how->calm));
}

static const double follow = 50.0; /* a body that goes deeper by gap / follow has made the print its own */

/* How much [m] the gap between the underside and the print of the column varies over the cell; where the body
 * goes deeper than ever, its print follows. */
static double gap_of(tyi_soil_column *node, const tyi_soil_spot *at, double cell)
{
    double x = at->gx - (double)node->gx, y = at->gy - (double)node->gy;
    double gap = 0.5 * cell * sqrt(x * x + y * y), deeper = node->rest - at->z - node->most;
    if (deeper <= 0.0 || gap == 0.0) {
        return gap;
    }
    double share = follow * deeper < gap ? follow * deeper / gap : 1.0;
    node->gx = (float)((double)node->gx + share * x);
    node->gy = (float)((double)node->gy + share * y);
    return (1.0 - share) * gap;
}

/* Lugs leave a slot below the level they carry at, renewed by each pass. */
static void leave_print(tyi_soil_hit *hit, bool fresh)
{
    tyi_soil_column *node = hit->node;
    float was = node->print, now = (float)(hit->spot.blade * hit->spot.w);
    node->print = fresh ? now : fmaxf(was, now);
    if (fabsf(node->print - was) > 1e-5f) {
        tyi_soil_scm_tile_touch(hit->tile, (int)(node - hit->tile->node));
    }
}

/* Shear stress [Pa] seen from above that the faces of lugs add where the rim is at depth S [m], the lugs point along
 * `out` and push the soil to the front (0) or to the rear (1): theirs per radian over the rim's length there. */
static double lug_faces(const motion *m, double S, ty_vec3 out, double r, int rear)
{
    double depth = m->buried[rear] * fmax(S, 0.0), reach = -m->lug_h * ty_dot(out, m->up);
    return reach > 0.0 ? reach * (m->lug_c + m->lug_w[rear] * (2.0 * depth + reach)) / (r * fmax(-out.z, 0.2)) : 0.0;
}

/* Forces [N] on the body from one column, across its surface and along it, and where the latter acts; the level it
 * leaves goes into the window's volume. */
typedef struct push {
    ty_vec3 across, along, arm;
} push;

static push press(tyi_soil_scm *scm, tyi_soil_window *w, tyi_soil_hit *hit, const motion *m, ty_vec3 arm)
{
    tyi_soil_column *node = hit->node;
    const tyi_soil_spot *at = &hit->spot;
    const tyi_soil_frame *f = &w->frame;
    const tyi_soil_scm_kind *kind = &scm->kind[node->kind];
    double k = fmax(kind->k_c / m->patch + kind->k_phi, 0.01 * kind->k_phi), S = node->rest - at->z;
    double before = tyi_soil_column_level(node), area = at->w * m->cell * m->cell;
    double gap = gap_of(node, at, m->cell);
    double sigma = ty_k_scm_pressure(S, at->h, gap, k, kind->n + m->n, kind->elastic, &node->plastic, &node->most);
    node->cover = fmaxf(node->cover, (float)at->w);
    double after = tyi_soil_column_level(node);
    if (after != before) {
        w->displaced += kind->berm * (before - after) * m->cell * m->cell;
        tyi_soil_scm_tile_touch(hit->tile, (int)(node - hit->tile->node));
    }
    double rise = m->v.z - at->gx * m->v.x - at->gy * m->v.y;
    sigma = fmax(sigma * m->gain - ty_k_scm_rebound(rebound_share * kind->damping, kind->elastic, sigma, kind->g, rise),
                 0.0);
    bool fresh = is_fresh(node, scm->step);
    double lift = 0.0;
    ty_vec3 out = arm;
    if (m->lug_h > 0.0) { /* away from the axle, to where lugs shear the soil */
        out = ty_sub(arm, ty_scale(ty_dot(arm, f->ay), f->ay));
        out = ty_scale(1.0 / fmax(ty_norm(out), 1e-9), out);
        lift = m->lift;
        arm = ty_add(arm, ty_scale(lift, out));
        leave_print(hit, fresh);
    }
    ty_k_scm_share share = shear(node, kind, at, ty_add(m->v, ty_cross(m->w, arm)), m, fresh);
    node->stamp = scm->step;
    /* the share is as long as the strength along the surface; seen from above it is shorter */
    double up = at->gx * share.x + at->gy * share.y, flat = share.x * share.x + share.y * share.y;
    double shorter = flat > 0.0 ? sqrt(flat / (flat + up * up)) : 1.0;
    double steep = fmin(sqrt(1.0 + at->gx * at->gx + at->gy * at->gy), 2.0);
    double tau = sigma > 0.0 ? (kind->c + sigma * kind->tan_phi) * area * steep * shorter : 0.0, x = tau * share.x,
           y = tau * share.y;
    if (m->lug_h > 0.0 && sigma > 0.0) { /* a longer way around, and the faces, along the wheel only */
        double more = lift / f->shape->r, along = share.x * f->fx + share.y * f->fy;
        double face = lug_faces(m, S, out, f->shape->r, along < 0.0) * area * along;
        x += more * x + face * f->fx;
        y += more * y + face * f->fy;
    }
    sigma *= area;
    return (push){ ty_vec3_make(-sigma * at->gx, -sigma * at->gy, sigma),
                   ty_vec3_make(-x, -y, -(at->gx * x + at->gy * y)), arm };
}

/* Speed [m/s] at which the body goes into the ground, across it: driving up a slope is not sinking. */
static double sink_rate(const tyi_soil_frame *f, ty_vec3 v)
{
    double a = f->ground_x, b = f->ground_y;
    return -(v.z - a * v.x - b * v.y) / sqrt(1.0 + a * a + b * b);
}

/* Damping of the sinking: as in the Bekker-Wong model, a ratio to critical damping of what rests by its
 * weight; it never pulls. */
static double damping(const tyi_soil_scm *scm, const tyi_soil_window *w, const tyi_soil_scm_body *state, double sinkage)
{
    const tyi_soil_scm_kind *kind = &scm->kind[w->hits ? w->hit[0].node->kind : 0];
    double gamma = 2.0 * kind->damping * sqrt((kind->n + 0.5) / (kind->g * fmax(sinkage, 1e-4)));
    return fmax(1.0 + gamma * sink_rate(&w->frame, state->v), 0.0);
}

/* Slip ratio in the direction of rolling, by the radius r [m]; most, mean: [m/s] the larger of rim and forward
 * speed, and their mean. */
static double slip_of(const tyi_soil_window *w, const tyi_soil_scm_body *state, double r, double *most, double *mean)
{
    const tyi_soil_frame *f = &w->frame;
    *most = *mean = 0.0;
    if (f->shape->kind == TYI_SOIL_PLATE || f->shape->kind == TYI_SOIL_DISC) {
        return 0.0;
    }
    double rim = r * ty_dot(state->w, f->ay), v = state->v.x * f->fx + state->v.y * f->fy;
    double way = (fabs(rim) > fabs(v) ? rim : v) < 0.0 ? -1.0 : 1.0;
    *most = fmax(fabs(rim), fabs(v));
    *mean = 0.5 * (rim + v);
    return *most > 1e-9 ? way * (rim - v) / *most : 0.0;
}

static const double slip_way = 0.35; /* [-] of the radius: the way over which slip is averaged, about a contact */

/* Shear displacement counts as in (2.10), by the way of a point of the rim through the contact: a column stays under a
 * wheel that slips for longer, by rim speed over forward speed. K is measured and used by that count. The limits keep
 * wheels that spin on the spot, or are locked, from losing or gaining their hold at once. */
static const double turn_least = 0.1, turn_most = 2.0;

/* Lugs of a body on ground of this soil: soil that is pushed downhill gives way sooner, and behind a wheel that has
 * rolled its surface is the rut. */
static void lug_terms(const tyi_soil_frame *f, const tyi_soil_scm_kind *kind, double roll, motion *m)
{
    double fall = f->ground_x * f->fx + f->ground_y * f->fy, rise = fall / sqrt(1.0 + fall * fall);
    ty_k_bekker p = { .tan_phi = kind->tan_phi, .lug_w = ty_k_earth_lug_w(kind->weight, kind->phi, f->shape->lugs) };
    ty_k_bekker_patch at = { .lug_back = p.lug_w, .lug_ahead = p.lug_w };
    if (rise != 0.0) {
        ty_k_bekker_lean(p, rise, &at);
    }
    m->lift = ty_k_bekker_shear_radius(f->shape->r, f->shape->lug_h, f->shape->lugs, kind->phi) - f->shape->r;
    m->lug_h = f->shape->lug_h;
    m->lug_c = ty_k_earth_lug_c(kind->c, kind->phi, f->shape->lugs);
    m->lug_w[0] = at.lug_ahead;
    m->lug_w[1] = at.lug_back;
    m->up = ty_normalize(ty_vec3_make(-f->ground_x, -f->ground_y, 1.0));
    m->buried[0] = 1.0 - fmax(-roll, 0.0);
    m->buried[1] = 1.0 - fmax(roll, 0.0);
}

/* What a step is for the columns under a body, but for damping and patches. */
static motion motion_of(tyi_soil_scm *scm, int body, const tyi_soil_scm_body *state, double dt, double *slip)
{
    tyi_soil_window *w = &scm->window[body];
    const tyi_soil_scm_shape *shape = w->frame.shape;
    const tyi_soil_scm_kind *kind = &scm->kind[w->hits ? w->hit[0].node->kind : 0];
    motion m = { .v = state->v,
                 .w = state->w,
                 .dt = dt,
                 .cell = scm->cell,
                 .calm = state->calm > 0.0 ? state->calm : (double)INFINITY };
    tyi_soil_slot *slot = &scm->slot[body];
    if (shape->lug_h > 0.0) {
        lug_terms(&w->frame, kind, slot->roll, &m);
    }
    double speed, mean, *late = &slot->slip;
    *slip = slip_of(w, state, shape->r + m.lift, &speed, &mean);
    slot->roll = w->hits ? ty_k_bekker_relax(slot->roll, mean, mean, slip_way * shape->r, dt) : 0.0;
    *late = w->hits ? *late + (*slip - *late) * (1.0 - exp(-speed * dt / (slip_way * shape->r))) : 0.0;
    m.n = *late > 0.0 ? kind->n1 * *late : -kind->n1_skid * *late;
    m.turn = ty_k_clamp(ty_k_bekker_ratio(*late), turn_least, turn_most);
    return m;
}

void tyi_soil_contact(tyi_soil_scm *scm, int body, const tyi_soil_scm_body *state, double dt, tyi_soil_scm_load *out)
{
    tyi_soil_window *w = &scm->window[body];
    *out = (tyi_soil_scm_load){ 0 };
    w->hits = 0;
    w->displaced = 0.0;
    if (w->nx) {
        find_hits(scm, w);
        find_patches(scm, w);
    }
    motion m = motion_of(scm, body, state, dt, &out->slip);
    double largest = 0.0;
    for (int k = 1; k <= w->hits; k++) {
        const tyi_soil_hit *hit = &w->hit[k - 1];
        if (is_fresh(hit->node, scm->step)) {
            hit->node->met = tyi_soil_column_level(hit->node);
        }
        out->sinkage = fmax(out->sinkage, hit->node->natural - hit->spot.z);
        out->below = fmax(out->below, hit->node->met - hit->spot.z);
        out->area += hit->spot.w * scm->cell * scm->cell;
        if (w->parent[k] == k && w->area[k] > largest) {
            largest = w->area[k];
            out->width = ty_k_scm_width(w->area[k], w->edge[k]);
        }
    }
    m.gain = damping(scm, w, state, out->sinkage);
    for (int k = 1; k <= w->hits; k++) {
        tyi_soil_hit *hit = &w->hit[k - 1];
        int root = w->parent[k], i = hit->at % w->nx, j = hit->at / w->nx;
        ty_vec3 arm = { (double)(w->i0 + i) * scm->cell - w->frame.c.x, (double)(w->j0 + j) * scm->cell - w->frame.c.y,
                        hit->spot.z - w->frame.c.z };
        m.patch = ty_k_scm_width(w->area[root], w->edge[root]);
        push p = press(scm, w, hit, &m, arm);
        out->force = ty_add(out->force, ty_add(p.across, p.along));
        out->torque = ty_add(out->torque, ty_add(ty_cross(arm, p.across), ty_cross(p.arm, p.along)));
    }
    out->nodes = w->hits;
}
