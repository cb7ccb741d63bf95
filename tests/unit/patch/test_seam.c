/* A patch of particles as cameras and lidars see it: no seam at its rim, grains where soil was stirred, flies or is held.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>
#include "digger.h"
#include "render/inner.h"
#include "soil/patch/ledger.h"
#include "soil/patch/patch.h"
#include "tycho/render.h"
#include "tycho/trace.h"

enum { W = 200, H = 150, N = W * H };

typedef struct picture {
    float radiance[N];
    double range[N];
    uint8_t kind[N];
    uint32_t instance[N];
} picture;

typedef struct eye {
    ty_scene *scene;
    ty_camera camera;
} eye;

static eye look_at(digger *g)
{
    eye e;
    ty_diag diag = { 0 };
    ty_scene_def def = ty_scene_def_default();
    def.terrain = g->terrain;
    def.ring_cells = 256, def.finest = 0.02, def.far = 40.0, def.threads = 1;
    cr_assert(ty_scene_create(&def, &e.scene, &diag) == TY_OK, "%s", diag.text);
    ty_light sun = { .kind = TY_LIGHT_DISK, .dir_W = ty_normalize(ty_vec3_make(0.4, 0.5, 1.0)), .radius = 0.0047 };
    for (int b = 0; b < TY_BANDS; b++) {
        sun.power[b] = 1361.0;
    }
    cr_assert(ty_scene_add_light(e.scene, &sun, &diag) == TY_OK, "%s", diag.text);
    e.camera = ty_camera_default();
    e.camera.width = W, e.camera.height = H, e.camera.hfov = 40.0 * TY_DEG;
    e.camera.pose = (ty_pose){ ty_vec3_make(0.1, -1.4, g->z + 1.3), ty_camera_look(0.0, -45.0 * TY_DEG, 0.0) };
    return e;
}

static void take(const eye *e, picture *p)
{
    ty_diag diag = { 0 };
    ty_render_def def = ty_render_def_default();
    ty_render_buffers out = { .radiance = p->radiance, .range = p->range, .kind = p->kind, .instance = p->instance };
    def.samples = 4, def.threads = 1, def.seed = 7;
    cr_assert(ty_render(e->scene, &e->camera, &def, &out, &diag) == TY_OK, "%s", diag.text);
}

/* the ground that a pixel shows [m] */
static ty_vec3 place(const eye *e, const picture *p, int i)
{
    ty_vec3 o, d;
    ty_camera_ray(&e->camera, i % W + 0.5, i / W + 0.5, &o, &d);
    return ty_add(o, ty_scale(p->range[i], d));
}

enum { SIDES = 4, BINS = 12, CELLS = SIDES * BINS };
#define WIDE 0.24 /* [m] across the window's edge, half of it on either side */

typedef struct profile {    /* cells: side by side, by the distance from the window's edge */
    double sum[2][CELLS];   /* radiance of ground that nothing has moved, before and after */
    int count[CELLS], over; /* pixels; those that differ by more than 2 % */
} profile;

/* [m] that the height field was changed by at a place; INFINITY where soil was disturbed at some time, which looks different ever after */
static double moved(const digger *g, ty_vec3 x)
{
    double d = g->world->site.spacing;
    float change[9];
    uint8_t trace[9];
    ty_terrain_edits(g->terrain, g->world->site.level, (int32_t)rint(x.x / d) - 1, (int32_t)rint(x.y / d) - 1, 3, 3,
                     change, trace);
    double most = 0.0;
    for (int k = 0; k < 9; k++) {
        most = trace[k] ? (double)INFINITY : fmax(most, fabs((double)change[k]));
    }
    return most;
}

/* The largest change of the mean radiance in any bin: a seam is a line along the window's edge that is brighter or darker; single
 * pixels where a crumb's shadow ends tell nothing of it. Ground that was moved by more than `least` [m] is left out. */
static double at_rim(const digger *g, const eye *e, const picture *before, const picture *after, double least,
                     profile *p)
{
    const tyi_soil_patch *q = tyi_soil_patch_at(digger_particles(g), 1);
    double worst = 0.0, low[2] = { (double)q->s.i0 * q->d, (double)q->s.j0 * q->d }, side = q->side * q->d;
    memset(p, 0, sizeof *p);
    for (int i = 0; i < N; i++) {
        ty_vec3 x = place(e, before, i);
        double in[SIDES] = { x.x - low[0], low[0] + side - x.x, x.y - low[1], low[1] + side - x.y };
        int near = 0;
        for (int k = 1; k < SIDES; k++) {
            near = in[k] < in[near] ? k : near;
        }
        int bin = (int)floor((in[near] / WIDE + 0.5) * BINS);
        if (bin < 0 || bin >= BINS || after->kind[i] == TY_CLASS_GRAIN || moved(g, x) > least) {
            continue;
        }
        p->sum[0][near * BINS + bin] += (double)before->radiance[i];
        p->sum[1][near * BINS + bin] += (double)after->radiance[i];
        p->count[near * BINS + bin]++;
        p->over += fabs((double)(after->radiance[i] / before->radiance[i]) - 1.0) > 0.02;
    }
    for (int k = 0; k < CELLS; k++) {
        if (p->count[k] >= 30) {
            worst = fmax(worst, fabs(p->sum[1][k] / p->sum[0][k] - 1.0));
        }
    }
    return worst;
}

static int pixels(const profile *p)
{
    int n = 0;
    for (int k = 0; k < CELLS; k++) {
        n += p->count[k];
    }
    return n;
}

typedef struct lumps {
    tyi_render_lump *lump;
    size_t count, lying;
} lumps;

static void take_lump(void *user, ty_vec3 at, double size, uint32_t id, bool lies)
{
    lumps *l = user;
    l->lump[l->count++] = (tyi_render_lump){ .at = at, .size = (float)size, .id = id, .lies = lies };
    l->lying += lies;
}

static void show(const digger *g, const eye *e, lumps *l)
{
    ty_diag diag = { 0 };
    cr_assert(tyi_soil_patch_tell_all(digger_particles(g), &diag) == TY_OK, "%s", diag.text);
    l->count = l->lying = 0;
    tyi_soil_world_loose(g->world, take_lump, l);
    cr_assert(tyi_render_scene_set_lumps(e->scene, l->lump, l->count, &diag) == TY_OK, "%s", diag.text);
}

static int count_kind(const picture *p, ty_render_class kind)
{
    int n = 0;
    for (int i = 0; i < N; i++) {
        n += p->kind[i] == (uint8_t)kind;
    }
    return n;
}

/* a lidar meets the same grains, where the picture shows them */
static void scan(const eye *e, const picture *p)
{
    enum { MOST = 600 };
    static ty_trace_ray ray[MOST];
    static ty_trace_hit hit[MOST];
    static int pixel[MOST];
    ty_diag diag = { 0 };
    size_t n = 0;
    for (int i = 0; i < N && n < MOST; i++) {
        if (p->kind[i] == TY_CLASS_GRAIN) {
            ray[n] = (ty_trace_ray){ .far = 100.0 };
            ty_camera_ray(&e->camera, i % W + 0.5, i / W + 0.5, &ray[n].from, &ray[n].dir);
            pixel[n++] = i;
        }
    }
    cr_assert(ty_scene_trace(e->scene, e->camera.pose.p, ray, n, 0, 1, hit, &diag) == TY_OK, "%s", diag.text);
    for (size_t k = 0; k < n; k++) {
        TY_CHECK(hit[k].kind == TY_CLASS_GRAIN && hit[k].reflectance > 0.0f && ty_dot(hit[k].normal, ray[k].dir) < 0.0);
        TY_NEAR(hit[k].range, p->range[pixel[k]], 1e-6);
    }
}

TY_TEST(seam, no_seam_at_the_rim_and_grains_where_soil_moves)
{
    static picture bare, laid, dug, off;
    digger g;
    ty_diag diag = { 0 };
    ty_soil_def def = digger_soil();
    profile rim;
    cr_assert(digger_begin(&g, &def, 6.0, &diag) == TY_OK, "%s", diag.text);
    eye e = look_at(&g);
    lumps l = { .lump = malloc(tyi_soil_world_loose_most(g.world) * sizeof *l.lump) };
    take(&e, &bare);
    TY_CHECK(count_kind(&bare, TY_CLASS_GROUND) == N);

    digger_lead(&g, 0.05, 0.0, -0.2, 3.0); /* laid, before the drum touches: nothing is seen of it */
    show(&g, &e, &l);
    take(&e, &laid);
    double untouched = at_rim(&g, &e, &bare, &laid, 1e-3, &rim);
    TY_CHECK(l.count == 0 && pixels(&rim) > 5000 && rim.over < pixels(&rim) / 1000);
    TY_NEAR(untouched, 0.0, 0.02);

    digger_lead(&g, 0.4, 0.0, -0.2, 3.0);
    digger_lead(&g, 0.5, 0.06, 0.0, 3.0);
    show(&g, &e, &l);
    take(&e, &dug);
    double edge = at_rim(&g, &e, &bare, &dug, 1e-3, &rim);
    int grains = count_kind(&dug, TY_CLASS_GRAIN);
    printf(
        "seam: laid %.2g %%, dug %.2g %% over %d pixels, %d of them by more than 2 %%; %zu lumps, %zu of them lie, %d pixels of grains\n",
        100.0 * untouched, 100.0 * edge, pixels(&rim), rim.over, l.count, l.lying, grains);
    TY_CHECK(pixels(&rim) > 4000 && l.count > 10 && l.lying > 5 && grains > 50);
    TY_NEAR(edge, 0.0, 0.02);
    TY_ROW("radiance at the rim of a patch, drum digging in it, against the same ground without", "itself, 2 %",
           "%.2g %%", 100.0 * edge);

    scan(&e, &dug);
    tyi_render_scene_set_lumps(e.scene, NULL, 0, &diag); /* and gone again */
    take(&e, &off);
    TY_CHECK(count_kind(&off, TY_CLASS_GRAIN) == 0);

    /* control: columns that had entered a quarter of a spacing too high would be seen */
    const tyi_soil_patch *q = tyi_soil_patch_at(digger_particles(&g), 1);
    double ds = g.world->site.spacing, d = q->d;
    int n = (int)(q->side * d / ds);
    float *change = malloc((size_t)n * (size_t)n * sizeof *change);
    for (int k = 0; k < n * n; k++) {
        change[k] = (float)(0.25 * d);
    }
    ty_edit edit = { .i0 = (int32_t)floor((double)q->s.i0 * d / ds),
                     .j0 = (int32_t)floor((double)q->s.j0 * d / ds),
                     .nx = n,
                     .ny = n,
                     .change = change };
    cr_assert(ty_terrain_edit(g.terrain, &edit, &diag) == TY_OK, "%s", diag.text);
    take(&e, &off);
    TY_CHECK(at_rim(&g, &e, &bare, &off, 1.0, &rim) > 0.05);
    free(change);
    free(l.lump);
    ty_scene_destroy(e.scene);
    digger_stop(&g);
}
