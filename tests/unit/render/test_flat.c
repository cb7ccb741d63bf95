/* tests/unit/render/test_flat.c - a scene in one piece: what is drawn from a copy of it, by the kernels alone, is what
 * the renderer draws; and only what changed gets a new version.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>
#include "k_law.h"
#include "k_light.h"
#include "k_scene.h"
#include "k_shade.h"
#include "render/scene/scene.h"
#include "render_support.h"

/* ---- a plain tracer that knows nothing but the piece ---- */

typedef struct piece {
    ty_k_scene_head head;
    char *bytes;
} piece;
#define IN(p, type, section_of) ((const type *)((p)->bytes + (p)->head.section[section_of].offset))
#define COUNT(p, section_of)    ((p)->head.section[section_of].count)

typedef struct met {
    double t, u, v;
    int tile, instance; /* -1: no */
    uint32_t prim;
    ty_k_vec3 facet;
} met;

static ty_k_vec3 v3(const float *v)
{
    return ty_k_vec((double)v[0], (double)v[1], (double)v[2]);
}
static ty_k_vec3 turn(const float *q, double sign, ty_k_vec3 v)
{
    ty_k_vec3 a = ty_k_scale(sign, v3(q + 1)), t = ty_k_scale(2.0, ty_k_cross(a, v));
    return ty_k_add(ty_k_add(v, ty_k_scale((double)q[0], t)), ty_k_cross(a, t));
}

/* where a ray meets a triangle, barycentric; false: nowhere nearer than *t */
static bool triangle(ty_k_vec3 o, ty_k_vec3 d, ty_k_vec3 a, ty_k_vec3 b, ty_k_vec3 c, double *t, double *u, double *v,
                     ty_k_vec3 *n)
{
    ty_k_vec3 e = ty_k_sub(b, a), f = ty_k_sub(c, a), p = ty_k_cross(d, f), s = ty_k_sub(o, a), q = ty_k_cross(s, e);
    double det = ty_k_dot(e, p);
    if (fabs(det) < 1e-30) {
        return false;
    }
    double x = ty_k_dot(s, p) / det, y = ty_k_dot(d, q) / det, z = ty_k_dot(f, q) / det;
    if (x < 0.0 || y < 0.0 || x + y > 1.0 || z <= 0.0 || z >= *t) {
        return false;
    }
    *t = z, *u = x, *v = y;
    *n = ty_k_cross(e, f);
    return true;
}

static void meet_instance(const piece *p, int i, ty_k_vec3 o, ty_k_vec3 d, met *m)
{
    const ty_k_scene_instance *k = &IN(p, ty_k_scene_instance, TY_K_SCENE_INSTANCE)[i];
    const ty_k_scene_mesh *mesh = &IN(p, ty_k_scene_mesh, TY_K_SCENE_MESH)[k->mesh];
    double scale = (double)k->scale, t = m->t / scale;
    ty_k_vec3 from = ty_k_scale(1.0 / scale, turn(k->q[0], -1.0, ty_k_sub(o, v3(k->p[0])))),
              to = turn(k->q[0], -1.0, d);
    if (!mesh->triangles) {
        double b = ty_k_dot(from, to), q = b * b - ty_k_dot(from, from) + (double)mesh->radius * (double)mesh->radius;
        if (q > 0.0 && -b - sqrt(q) > 0.0 && -b - sqrt(q) < t) {
            *m = (met){ .t = scale * (-b - sqrt(q)), .tile = -1, .instance = i };
            m->facet = turn(k->q[0], 1.0, ty_k_add(from, ty_k_scale(-b - sqrt(q), to)));
        }
        return;
    }
    const float *vertex = IN(p, float, TY_K_SCENE_VERTEX) + 3 * (size_t)mesh->vertex;
    const uint32_t *index = IN(p, uint32_t, TY_K_SCENE_INDEX) + 3 * (size_t)mesh->index;
    for (uint32_t n = 0; n < mesh->triangles; n++) {
        ty_k_vec3 facet;
        double u, v;
        if (triangle(from, to, v3(vertex + 3 * index[3 * n]), v3(vertex + 3 * index[3 * n + 1]),
                     v3(vertex + 3 * index[3 * n + 2]), &t, &u, &v, &facet)) {
            *m = (met){ .t = scale * t, .u = u, .v = v, .tile = -1, .instance = i, .prim = n };
            m->facet = turn(k->q[0], 1.0, facet);
        }
    }
}

static void meet_tile(const piece *p, int i, ty_k_vec3 o, ty_k_vec3 d, met *m)
{
    const ty_k_scene_tile *k = &IN(p, ty_k_scene_tile, TY_K_SCENE_TILE)[i];
    const float *h = IN(p, float, TY_K_SCENE_HEIGHT) + (size_t)k->slot * TY_K_SCENE_SAMPLES + TY_K_SCENE_STRIDE + 1;
    ty_k_vec3 from = ty_k_sub(o, v3(k->p));
    double w = (double)k->d;
    /* the part of the ray over the tile, then cell by cell of that rectangle */
    double t0 = 0.0, t1 = m->t, at[2] = { from.x, from.y }, go[2] = { d.x, d.y };
    for (int c = 0; c < 2; c++) {
        double g = fabs(go[c]) < 1e-12 ? 1e-12 : go[c], a = -at[c] / g, b = (64.0 * w - at[c]) / g;
        t0 = fmax(t0, fmin(a, b)), t1 = fmin(t1, fmax(a, b));
    }
    for (double t = t0; t < t1;) {
        double step = 0.25 * w / fmax(fmax(fabs(go[0]), fabs(go[1])), 1e-6);
        int x = (int)floor((at[0] + (t + 1e-9) * go[0]) / w), y = (int)floor((at[1] + (t + 1e-9) * go[1]) / w);
        t += step;
        if (x < 0 || y < 0 || x > 63 || y > 63) {
            continue;
        }
        const float *z = h + y * TY_K_SCENE_STRIDE + x;
        ty_k_vec3 a = ty_k_vec(x * w, y * w, (double)z[0]), b = ty_k_vec((x + 1) * w, y * w, (double)z[1]),
                  c = ty_k_vec(x * w, (y + 1) * w, (double)z[TY_K_SCENE_STRIDE]),
                  e = ty_k_vec((x + 1) * w, (y + 1) * w, (double)z[TY_K_SCENE_STRIDE + 1]), n;
        double u, v, far = m->t;
        if (triangle(from, d, a, b, c, &far, &u, &v, &n) || triangle(from, d, b, e, c, &far, &u, &v, &n)) {
            *m = (met){ .t = far, .tile = i, .instance = -1, .facet = n };
            m->u = (from.x + far * d.x) / w, m->v = (from.y + far * d.y) / w; /* [cells] */
            return;
        }
    }
}

static met trace(const piece *p, ty_k_vec3 o, ty_k_vec3 d)
{
    met m = { .t = 1e9, .tile = -1, .instance = -1 };
    for (uint32_t i = 0; i < COUNT(p, TY_K_SCENE_INSTANCE); i++) {
        meet_instance(p, (int)i, o, d, &m);
    }
    for (uint32_t i = 0; i < COUNT(p, TY_K_SCENE_TILE); i++) {
        meet_tile(p, (int)i, o, d, &m);
    }
    return m;
}

/* normal and material of what was met */
static uint32_t surface(const piece *p, const met *m, ty_k_vec3 at, ty_k_vec3 *n)
{
    *n = ty_k_unit(m->facet);
    if (m->tile >= 0) {
        const ty_k_scene_tile *k = &IN(p, ty_k_scene_tile, TY_K_SCENE_TILE)[m->tile];
        const float *h = IN(p, float, TY_K_SCENE_HEIGHT) + (size_t)k->slot * TY_K_SCENE_SAMPLES;
        int x = (int)fmin(m->u, 63.0), y = (int)fmin(m->v, 63.0);
        ty_k_ground g = ty_k_cell(h + y * TY_K_SCENE_STRIDE + x, TY_K_SCENE_STRIDE, m->u - x, m->v - y);
        *n = ty_k_ground_normal(g, 1.0 / (double)k->d);
        if (k->grain_reach > 0.0f) {
            ty_k_grain grain = { (double)k->grain_reach, TY_K_GRAIN_SLOPE, k->grain_first };
            double per = (double)k->d / TY_K_GRAIN_WIDE;
            *n = ty_k_grain_normal(grain, *n, fmod((double)k->grain_u + m->u * per, TY_K_GRAIN_TURN),
                                   fmod((double)k->grain_v + m->v * per, TY_K_GRAIN_TURN), m->t);
        }
        return 0;
    }
    const ty_k_scene_instance *k = &IN(p, ty_k_scene_instance, TY_K_SCENE_INSTANCE)[m->instance];
    const ty_k_scene_mesh *mesh = &IN(p, ty_k_scene_mesh, TY_K_SCENE_MESH)[k->mesh];
    uint32_t which = mesh->which == TY_K_NONE ? 0 : IN(p, uint32_t, TY_K_SCENE_WHICH)[mesh->which + m->prim];
    if (mesh->flags & TY_K_SCENE_SMOOTH) {
        const uint32_t *t = IN(p, uint32_t, TY_K_SCENE_INDEX) + 3 * (size_t)(mesh->index + m->prim);
        const float *normal = IN(p, float, TY_K_SCENE_NORMAL) + 3 * (size_t)mesh->normal;
        *n = ty_k_unit(
            turn(k->q[0], 1.0,
                 ty_k_smooth_normal(v3(normal + 3 * t[0]), v3(normal + 3 * t[1]), v3(normal + 3 * t[2]), m->u, m->v)));
    }
    if (k->flags & TY_K_SCENE_ROCK) {
        const float *normal = IN(p, float, TY_K_SCENE_NORMAL) + 3 * (size_t)(mesh->normal + m->prim);
        ty_k_vec3 own = turn(k->q[0], -1.0, ty_k_sub(at, v3(k->p[0])));
        *n = turn(k->q[0], 1.0,
                  ty_k_rock_normal(v3(normal), ty_k_scale(TY_K_ROCK_CELLS / (double)k->scale, own), k->seed));
    }
    return which ? k->more + which - 1 : k->material;
}

static double radiance(const piece *p, ty_k_vec3 o, ty_k_vec3 d)
{
    met m = trace(p, o, d);
    if (m.tile < 0 && m.instance < 0) {
        return 0.0;
    }
    ty_k_vec3 at = ty_k_add(o, ty_k_scale(m.t, d)), n;
    uint32_t material = surface(p, &m, at, &n);
    ty_k_facing f = ty_k_face(n, ty_k_unit(m.facet), d);
    double sum = 0.0;
    at = ty_k_add(at, ty_k_scale(ty_k_lift(at), f.facet));
    for (uint32_t i = 0; i < COUNT(p, TY_K_SCENE_LIGHT); i++) {
        const ty_k_scene_light *l = &IN(p, ty_k_scene_light, TY_K_SCENE_LIGHT)[i];
        ty_k_light k = {
            l->kind, v3(l->axis), v3(l->place), (double)l->tan_radius, (double)l->cos_outer, (double)l->inv_blend
        };
        ty_k_vec3 e0, e1;
        ty_k_across(k.axis, &e0, &e1);
        ty_k_lit lit = ty_k_light_at(k, e0, e1, at, 0.5, 0.5);
        double mu0 = ty_k_dot(f.n, lit.l);
        if (!(l->flags & TY_K_SCENE_ON) || mu0 <= 0.0 || lit.share <= 0.0 ||
            trace(p, at, lit.l).t < fmin(lit.far * 0.9999, 1e9)) {
            continue;
        }
        ty_k_angles a = ty_k_angles_about(f.n, lit.l, ty_k_scale(-1.0, d));
        sum += ty_k_law_eval(ty_k_law_of(&IN(p, ty_k_scene_material, TY_K_SCENE_MATERIAL)[material], 0), a) * mu0 *
               lit.share * (double)l->power[0];
    }
    return sum;
}

/* ---- the scene ---- */

static piece pack(ty_scene *s)
{
    const tyi_render_flat *f = tyi_render_scene_flat(s);
    piece p;
    cr_assert(f != NULL);
    p.bytes = malloc(tyi_render_flat_bytes(f));
    cr_assert(p.bytes != NULL);
    tyi_render_flat_pack(f, p.bytes);
    memcpy(&p.head, p.bytes, sizeof p.head);
    TY_CHECK(p.head.bytes == tyi_render_flat_bytes(f));
    return p;
}

/* share of the pixels within 1 % of the image, for rays that the camera has */
static double agreement(const piece *p, ty_vec3 centre, const ty_camera *c, const shot *image, double *worst)
{
    int good = 0;
    double errors[24 * 16];
    for (int i = 0; i < c->width * c->height; i++) {
        ty_vec3 o, d;
        TY_CHECK(ty_camera_ray(c, i % c->width + 0.5, i / c->width + 0.5, &o, &d));
        o = ty_sub(o, centre);
        double want = (double)image->out.radiance[i],
               got = radiance(p, ty_k_vec(o.x, o.y, o.z), ty_k_vec(d.x, d.y, d.z));
        errors[i] = fabs(got - want) / fmax(want, 1e-3);
        good += errors[i] < 0.01;
    }
    *worst = 0.0;
    for (int i = 0; i < c->width * c->height; i++) {
        *worst = errors[i] < 0.01 ? fmax(*worst, errors[i]) : *worst;
    }
    return (double)good / (c->width * c->height);
}

TY_TEST(flat, a_copy_is_the_scene)
{
    ty_terrain *t = small_terrain(true);
    ty_scene *s = ground_scene(t, 0.06);
    add_wedge(s, above(t, -0.6, 3.0, 0.0), false);
    add_wedge(s, above(t, 0.6, 3.0, 0.0), true);
    add_sphere(s, above(t, 0.0, 2.4, 0.2), 0.25, ty_material_lambert(0.5));
    add_sun(s, 100.0, 35.0, 0.0, 1000.0);
    ty_light lamp = { .kind = TY_LIGHT_SPOT,
                      .dir_W = { 0, 0.7, -0.7 },
                      .place_W = above(t, 0.0, 0.5, 3.0),
                      .inner = 0.1,
                      .outer = 0.6,
                      .power = { 2000.0 } };
    TY_CHECK(ty_scene_add_light(s, &lamp, NULL) == TY_OK);
    ty_camera c = camera_at(above(t, 0.0, 0.0, 1.5), 0.0, -22.0, 60.0, 18, 12);
    ty_render_def d = ty_render_def_default();
    d.samples = 1, d.jitter = false, d.threads = 1;
    shot image = shot_make(18, 12, 1);
    shot_take(s, &c, &d, &image);
    piece p = pack(s);
    ty_vec3 centre = s->centre;
    TY_CHECK(p.head.host_only == 0 && p.head.bands == 1 && COUNT(&p, TY_K_SCENE_LIGHT) == 2);
    ty_scene_destroy(s); /* the copy needs nothing of it */
    ty_terrain_destroy(t);
    double worst, share = agreement(&p, centre, &c, &image, &worst);
    printf("flat scene of %llu bytes, %u tiles, %u instances: %.1f %% of the pixels within 1 %%, those within %.2g\n",
           (unsigned long long)p.head.bytes, COUNT(&p, TY_K_SCENE_TILE), COUNT(&p, TY_K_SCENE_INSTANCE), 100.0 * share,
           worst);
    TY_CHECK(share >= 0.98);
    /* control: soil that is 5 % brighter is seen */
    ((ty_k_scene_material *)(p.bytes + p.head.section[TY_K_SCENE_MATERIAL].offset))[0].albedo[0] *= 1.05f;
    TY_CHECK(agreement(&p, centre, &c, &image, &worst) < 0.5);
    free(p.bytes);
    shot_free(&image);
}

/* ---- ground that varies ---- */

/* the ground's first albedo at a place of the traced frame, by the piece alone */
static double albedo(const piece *p, double x, double y, double footprint)
{
    double w = (double)IN(p, ty_k_scene_material, TY_K_SCENE_MATERIAL)[0].albedo[0];
    for (uint32_t i = 0; i < COUNT(p, TY_K_SCENE_MAP); i++) {
        const ty_k_scene_map *m = &IN(p, ty_k_scene_map, TY_K_SCENE_MAP)[i];
        double per = 1.0 / (double)m->spacing;
        ty_k_texel_sum v =
            ty_k_texture_read(m->k, IN(p, float, TY_K_SCENE_MAP_TEXEL) + m->at, (x - (double)m->x0) * per + 0.5,
                              (y - (double)m->y0) * per + 0.5, footprint * per);
        w = m->key == 0 && v.total > 1e-6 ? ty_k_paint(0, w, v.v[0], 1.0) : w;
    }
    for (uint32_t i = 0; i < COUNT(p, TY_K_SCENE_REGION); i++) {
        const ty_k_scene_region *r = &IN(p, ty_k_scene_region, TY_K_SCENE_REGION)[i];
        const float *corner = IN(p, float, TY_K_SCENE_CORNER) + 2 * (size_t)r->corner;
        double point[64], inside = ty_k_circle_inside((double)r->x, (double)r->y, (double)r->radius, x, y);
        for (uint32_t k = 0; k < 2 * r->corners; k++) {
            point[k] = (double)corner[k];
        }
        inside = r->corners ? ty_k_polygon_inside(point, (int)r->corners, x, y) : inside;
        w = ty_k_paint(0, w, (double)r->albedo[0], ty_k_region_share(inside, (double)r->edge));
    }
    return w;
}

TY_TEST(flat, ground_that_varies)
{
    ty_terrain *t = small_terrain(false);
    ty_scene *s = ground_scene(t, 0.0);
    float value[100];
    for (int i = 0; i < 100; i++) {
        value[i] = 0.2f + 0.003f * (float)i;
    }
    const double corner[] = { 41.0, 2.0, 43.0, 2.5, 42.5, 6.0, 40.8, 4.0 };
    ty_material a = ty_material_lambert(0.8), b = ty_material_lambert(0.1);
    ty_ground_map map = {
        .key = TY_GROUND_W, .band = -1, .x0 = 38.0, .y0 = 0.0, .spacing = 0.7, .nx = 10, .ny = 10, .value = value
    };
    ty_ground_region region[2] = { { .x = 40.0, .y = 3.0, .radius = 1.0, .edge = 0.4, .material = a },
                                   { .point = corner, .points = 4, .edge = 0.3, .material = b } };
    TY_CHECK(ty_scene_set_ground(s, &map, 1, region, 2, NULL) == TY_OK);
    ty_camera c = camera_at(above(t, 41.0, 0.0, 2.5), 0.0, -40.0, 60.0, 32, 24);
    ty_render_def d = ty_render_def_default();
    shot image = shot_make(32, 24, 1);
    shot_take(s, &c, &d, &image);
    piece p = pack(s);
    TY_CHECK(COUNT(&p, TY_K_SCENE_MAP) == 1 && COUNT(&p, TY_K_SCENE_REGION) == 2 && COUNT(&p, TY_K_SCENE_CORNER) == 4);
    double worst = 0.0, low = 1.0, high = 0.0, cone = 60.0 * TY_DEG / 32.0;
    for (int i = 0; i < 32 * 24; i++) {
        ty_vec3 o, dir;
        TY_CHECK(ty_camera_ray(&c, i % 32 + 0.5, i / 32 + 0.5, &o, &dir));
        if (isfinite(image.out.range[i])) {
            ty_vec3 at = ty_sub(ty_add(o, ty_scale(image.out.range[i], dir)), s->centre);
            double want = (double)image.out.albedo[i];
            worst = fmax(worst, fabs(albedo(&p, at.x, at.y, cone * image.out.range[i]) - want));
            low = fmin(low, want), high = fmax(high, want);
        }
    }
    printf("varied ground, %.2f to %.2f: the piece agrees to %.2g\n", low, high, worst);
    TY_CHECK(low < 0.15 && high > 0.75);
    TY_NEAR(worst, 0.0, 0.02); /* [-] an edge of 0.3 m falls by 0.7: 1 cm of the mesh's depth is 0.02 */
    ((ty_k_scene_region *)(p.bytes + p.head.section[TY_K_SCENE_REGION].offset))[0].x += 0.2f; /* control */
    worst = 0.0;
    for (int i = 0; i < 32 * 24; i++) {
        ty_vec3 o, dir;
        ty_camera_ray(&c, i % 32 + 0.5, i / 32 + 0.5, &o, &dir);
        ty_vec3 at = ty_sub(ty_add(o, ty_scale(fmin(image.out.range[i], 100.0), dir)), s->centre);
        worst = fmax(worst, fabs(albedo(&p, at.x, at.y, 0.1) - (double)image.out.albedo[i]));
    }
    TY_FAR(worst, 0.0, 0.02);
    free(p.bytes);
    shot_free(&image);
    ty_scene_destroy(s);
    ty_terrain_destroy(t);
}

/* ---- versions ---- */

typedef struct versions {
    uint64_t v[TY_K_SCENE_SECTIONS];
} versions;

static versions now(ty_scene *s)
{
    versions n = { { 0 } };
    const tyi_render_flat *f = tyi_render_scene_flat(s);
    for (int i = 0; i < TY_K_SCENE_SECTIONS; i++) {
        n.v[i] = f->section[i].version;
    }
    return n;
}

/* bits of the sections whose version is another one */
static uint32_t since(ty_scene *s, versions *then)
{
    versions n = now(s);
    uint32_t bits = 0;
    for (int i = 0; i < TY_K_SCENE_SECTIONS; i++) {
        bits |= n.v[i] != then->v[i] ? 1u << i : 0u;
    }
    *then = n;
    return bits;
}
#define BIT(section_of) (1u << TY_K_SCENE_##section_of)

static double own_law(const ty_material *m, int band, const ty_law_geometry *g, void *user)
{
    (void)m, (void)band, (void)g, (void)user;
    return 0.1;
}

TY_TEST(flat, only_what_changed)
{
    const ty_law_model law = { .name = "flat_own", .brdf = own_law };
    ty_terrain *t = small_terrain(false);
    ty_scene_def def = ty_scene_def_default();
    def.terrain = t, def.ring_cells = 256, def.far = 100.0, def.threads = 1;
    def.kinds = (ty_render_kinds){ &law, 1, NULL, 0 };
    ty_scene *s;
    TY_CHECK(ty_scene_create(&def, &s, NULL) == TY_OK);
    uint32_t ball = add_sphere(s, above(t, 0.0, 3.0, 0.5), 0.3, ty_material_lambert(0.5));
    add_sun(s, 100.0, 35.0, 0.0, 1000.0);
    ty_camera c = camera_at(above(t, 0.1, 0.1, 1.5), 0.0, -22.0, 60.0, 8, 8);
    ty_render_def d = ty_render_def_default();
    shot image = shot_make(8, 8, 1);
    shot_take(s, &c, &d, &image);
    versions then = now(s);
    shot_take(s, &c, &d, &image);
    TY_CHECK(since(s, &then) == 0);
    TY_CHECK(ty_scene_move(s, ball, (ty_pose){ above(t, 0.5, 3.0, 0.5), ty_quat_identity() }, NULL) == TY_OK);
    shot_take(s, &c, &d, &image);
    TY_CHECK(since(s, &then) == BIT(INSTANCE));
    add_sun(s, 200.0, 35.0, 0.0, 10.0);
    shot_take(s, &c, &d, &image);
    TY_CHECK(since(s, &then) == BIT(LIGHT));
    TY_CHECK(ty_scene_set_stars(s, &(ty_star_seen){ { 0, 0, 1 }, { 1e-9 } }, 1, NULL) == TY_OK);
    TY_CHECK(since(s, &then) == BIT(STAR));
    /* an edit: the tiles it touches, and no others */
    const tyi_render_flat *f = tyi_render_scene_flat(s);
    size_t n = f->section[TY_K_SCENE_TILE].count, touched = 0;
    ty_k_scene_tile *before = malloc(n * sizeof *before);
    memcpy(before, f->section[TY_K_SCENE_TILE].data, n * sizeof *before);
    float change[16];
    for (int i = 0; i < 16; i++) {
        change[i] = -0.02f;
    }
    TY_CHECK(ty_terrain_edit(t, &(ty_edit){ .i0 = 20, .j0 = 20, .nx = 4, .ny = 4, .change = change }, NULL) == TY_OK);
    shot_take(s, &c, &d, &image);
    TY_CHECK(since(s, &then) == BIT(TILE));
    f = tyi_render_scene_flat(s);
    TY_CHECK(f->section[TY_K_SCENE_TILE].count == n);
    for (size_t i = 0; i < n; i++) {
        const ty_k_scene_tile *k = &((const ty_k_scene_tile *)f->section[TY_K_SCENE_TILE].data)[i];
        touched += k->version != before[i].version || k->slot != before[i].slot;
    }
    printf("an edit of 4 x 4 cells: %zu of %zu tiles\n", touched, n);
    TY_CHECK(touched >= 1 && touched <= 12);
    free(before);
    /* a law in C is for the host alone, and says so */
    TY_CHECK(f->host_only == 0);
    ty_material own = ty_material_lambert(0.5);
    own.law = TY_LAW_COUNT;
    add_sphere(s, above(t, 0.0, 5.0, 0.5), 0.3, own);
    TY_CHECK(since(s, &then) == (BIT(MATERIAL) | BIT(MESH) | BIT(INSTANCE) | BIT(TEXTURE)));
    TY_CHECK(tyi_render_scene_flat(s)->host_only == TY_K_SCENE_OWN_LAW);
    /* the eye 40 m on: everything that stands somewhere */
    c.pose.p = above(t, 0.1, 40.0, 1.5);
    shot_take(s, &c, &d, &image);
    TY_CHECK(since(s, &then) == (BIT(INSTANCE) | BIT(LIGHT) | BIT(MAP) | BIT(REGION) | BIT(CORNER) | BIT(TILE)));
    shot_free(&image);
    ty_scene_destroy(s);
    ty_terrain_destroy(t);
}
