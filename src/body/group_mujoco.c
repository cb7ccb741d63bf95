/* src/body/group_mujoco.c - the step of trees that share a model, by MuJoCo; a common model of several and of what they touch.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include "core/core.h"
#include "mujoco.h"

/* ---- room ---- */

ty_status tyi_body_group_init(tyi_body_group *g, const ty_alloc *alloc, ty_diag *diag)
{
    size_t nv = (size_t)g->m->nv, nq = (size_t)g->m->nq;
    g->alloc = alloc;
    g->doubles = 4 * nv + 2 * nq;
    g->room = tyi_get(alloc, g->doubles * sizeof *g->room);
    if (!g->room) {
        return ty_fail(diag, TY_ERR_MEMORY, "bodies: no memory for a model of %zu degrees of freedom", nv);
    }
    g->motor = g->room, g->soil = g->room + nv, g->v0 = g->room + 2 * nv, g->warm0 = g->room + 3 * nv;
    g->q0 = g->room + 4 * nv, g->raw = g->q0 + nq;
    return TY_OK;
}

void tyi_body_group_free(tyi_body_group *g)
{
    size_t shapes = g->m ? (size_t)g->m->ngeom : 0;
    tyi_put(g->alloc, g->owner, g->owner ? shapes * sizeof *g->owner : 0);
    tyi_put(g->alloc, g->mover, g->mover ? (size_t)g->movers * sizeof *g->mover : 0);
    tyi_put(g->alloc, g->motion, g->motion ? (size_t)g->movers * sizeof *g->motion : 0);
    tyi_put(g->alloc, g->room, g->room ? g->doubles * sizeof *g->room : 0);
    mj_deleteData(g->d);
    mj_deleteModel(g->m);
    *g = (tyi_body_group){ 0 };
}

/* ---- what went wrong ---- */

static const char *body_of(const tyi_body_group *g, int id)
{
    const char *name = mj_id2name(g->m, mjOBJ_BODY, id);
    return name ? name : "";
}

static const char *dof_body(const tyi_body_group *g, int dof)
{
    return body_of(g, g->m->dof_bodyid[dof]);
}

/* the body whose coordinate number i of qpos it is */
static const char *coordinate_body(const tyi_body_group *g, int i)
{
    int joint = 0;
    while (joint + 1 < g->m->njnt && g->m->jnt_qposadr[joint + 1] <= i) {
        joint++;
    }
    return body_of(g, g->m->jnt_bodyid[joint]);
}

static ty_status check_warnings(const tyi_body_group *g, uint64_t step, ty_diag *diag)
{
    const mjWarningStat *w = g->d->warning;
    static const struct {
        int id;
        const char *what;
    } bad[] = { { mjWARN_BADQPOS, "position" }, { mjWARN_BADQVEL, "velocity" }, { mjWARN_BADQACC, "acceleration" } };
    for (int i = 0; i < 3; i++) {
        if (w[bad[i].id].number) {
            int at = w[bad[i].id].lastinfo;
            return ty_fail(diag, TY_ERR_NUMERIC,
                           "step %llu: the %s of body '%s' is not finite or beyond 1e10; a shorter step "
                           "or softer springs may help",
                           (unsigned long long)step, bad[i].what, i == 0 ? coordinate_body(g, at) : dof_body(g, at));
        }
    }
    if (w[mjWARN_INERTIA].number) {
        return ty_fail(diag, TY_ERR_NUMERIC, "step %llu: the inertia of body '%s' is singular",
                       (unsigned long long)step, dof_body(g, w[mjWARN_INERTIA].lastinfo));
    }
    if (w[mjWARN_CONTACTFULL].number || w[mjWARN_CNSTRFULL].number) {
        return ty_fail(diag, TY_ERR_NUMERIC,
                       "step %llu: more contacts than the model has room for (%lld bytes); raise memory in its "
                       "<size> element",
                       (unsigned long long)step, (long long)g->m->narena);
    }
    return TY_OK;
}

static ty_status gave_up(uint64_t step, ty_diag *diag)
{
    return ty_fail(diag, TY_ERR_NUMERIC, "step %llu: MuJoCo gave up (%s)", (unsigned long long)step, tyi_body_why());
}

/* ---- moved bodies ----
 * MuJoCo takes a moved body (mocap) as standing still wherever it is put: contacts would feel where it is and not how it
 * moves. Its velocity at the contact goes into the reference acceleration of each row, a_ref = -b v - k r, where v is
 * then the relative one. */

static int mover_of(const tyi_body_group *g, int geom)
{
    for (int k = 0; k < g->movers; k++) {
        if (g->m->geom_bodyid[geom] == g->mover[k]) {
            return k;
        }
    }
    return -1;
}

static void feel_movers(tyi_body_group *g)
{
    mjData *d = g->d;
    for (int i = 0; g->movers && i < d->ncon; i++) {
        const mjContact *c = &d->contact[i];
        for (int side = 0; side < 2; side++) {
            int k = c->efc_address >= 0 ? mover_of(g, c->geom[side]) : -1;
            if (k < 0) {
                continue;
            }
            const tyi_body_motion *t = &g->motion[k];
            ty_vec3 v = ty_add(t->v, ty_cross(t->omega, ty_sub(tyi_body_vec(c->pos), t->pose.p)));
            for (int r = 0; r < c->dim && r < 3; r++) { /* the cone is elliptic: normal, then two across */
                double along = ty_dot(tyi_body_vec(c->frame + 3 * r), v) * (side ? 1.0 : -1.0);
                d->efc_vel[c->efc_address + r] += along;
                d->efc_aref[c->efc_address + r] -= d->efc_KBIP[4 * (c->efc_address + r) + 1] * along;
            }
        }
    }
}

static void place_movers(tyi_body_group *g)
{
    for (int k = 0; k < g->movers; k++) {
        int id = g->m->body_mocapid[g->mover[k]];
        const ty_pose *p = &g->motion[k].pose;
        double *at = g->d->mocap_pos + 3 * id, *q = g->d->mocap_quat + 4 * id;
        at[0] = p->p.x, at[1] = p->p.y, at[2] = p->p.z;
        q[0] = p->q.w, q[1] = p->q.x, q[2] = p->q.y, q[3] = p->q.z;
    }
}

void tyi_body_group_move(tyi_body_group *g, int mover, const tyi_body_motion *to)
{
    g->motion[mover] = *to;
}

/* ---- momentum ----
 * A step of Euler's with joints and an origin beside the centre of mass gains or loses momentum in
 * proportion to the step. What the momentum of each tree must become is known, though: external forces, of contacts with
 * other trees too, are what acts on the six degrees of freedom of its free joint (forces inside the tree do no work when it
 * moves as one). After the step the motion of the tree as a whole is set right by that; the joints
 * are left as they are. In a group the way of the centre of mass is set right too, a step late: otherwise momentum about a
 * fixed point, which all of them share, would drift. */

static tyi_body_momentum momentum_of(const tyi_body_mbd *b)
{
    int root = b->body0 + b->root;
    const mjData *d = b->in->d;
    return (tyi_body_momentum){ ty_scale(b->in->m->body_subtreemass[root], tyi_body_vec(d->subtree_linvel + 3 * root)),
                                tyi_body_vec(d->subtree_angmom + 3 * root) };
}

/* what the momentum is at the end of a step whose forces are known */
static tyi_body_momentum momentum_wanted(const tyi_body_mbd *b, double dt)
{
    const tyi_body_group *g = b->in;
    int dof = b->dof0 + b->root_dof;
    const double *s = g->soil + dof, *c = g->d->qfrc_constraint + dof;
    ty_vec3 force = ty_vec3_make(s[0] + c[0], s[1] + c[1], s[2] + c[2]);
    ty_vec3 torque = ty_rotate(b->root_q, ty_vec3_make(s[3] + c[3], s[4] + c[4], s[5] + c[5]));
    tyi_body_momentum want = b->was;
    torque = ty_add(torque, ty_cross(b->root_arm, force)); /* gravity has no moment about the centre of mass */
    want.angular = ty_add(want.angular, ty_scale(dt, torque));
    force = ty_add(force, ty_scale(g->m->body_subtreemass[b->body0 + b->root], tyi_body_vec(g->m->opt.gravity)));
    want.linear = ty_add(want.linear, ty_scale(dt, force));
    return want;
}

/* x with I x = y, I the inertia of the whole tree about its centre of mass: Cramer's rule */
static ty_vec3 turn_by(const double *i, ty_vec3 y)
{
    ty_vec3 a = ty_vec3_make(i[0], i[3], i[4]), b = ty_vec3_make(i[3], i[1], i[5]), c = ty_vec3_make(i[4], i[5], i[2]);
    double det = ty_dot(a, ty_cross(b, c));
    return det > 0.0 ? ty_scale(1.0 / det, ty_vec3_make(ty_dot(y, ty_cross(b, c)), ty_dot(a, ty_cross(y, c)),
                                                        ty_dot(a, ty_cross(b, y))))
                     : ty_vec3_make(0.0, 0.0, 0.0);
}

static ty_vec3 root_arm(const tyi_body_mbd *b)
{
    int root = b->body0 + b->root;
    return ty_sub(tyi_body_vec(b->in->d->xpos + 3 * root), tyi_body_vec(b->in->d->subtree_com + 3 * root));
}

/* positions and the momentum as it is must be up to date */
static void set_right(tyi_body_mbd *b)
{
    mjData *d = b->in->d;
    int root = b->body0 + b->root;
    tyi_body_momentum is = momentum_of(b);
    ty_vec3 turn = turn_by(d->crb + 10 * root, ty_sub(b->was.angular, is.angular));
    ty_vec3 shift = ty_add(ty_scale(1.0 / b->in->m->body_subtreemass[root], ty_sub(b->was.linear, is.linear)),
                           ty_cross(turn, root_arm(b)));
    ty_vec3 turn_B = ty_rotate(ty_quat_conj(tyi_body_quat(d->xquat + 4 * root)), turn);
    double *v = d->qvel + b->dof0 + b->root_dof;
    v[0] += shift.x, v[1] += shift.y, v[2] += shift.z;
    v[3] += turn_B.x, v[4] += turn_B.y, v[5] += turn_B.z;
}

static void remember_momentum(tyi_body_group *g)
{
    mj_subtreeVel(g->m, g->d);
    for (int i = 0; i < g->members; i++) {
        tyi_body_mbd *b = g->member[i];
        b->was = momentum_of(b);
        b->root_q = tyi_body_quat(g->d->xquat + 4 * (b->body0 + b->root));
        b->root_arm = root_arm(b);
        b->centre = tyi_body_mbd_centre(b);
    }
}

/* before positions are worked out: what the last step left */
static void catch_up(tyi_body_group *g)
{
    for (int i = 0; i < g->members; i++) {
        tyi_body_mbd *b = g->member[i];
        double *q = g->d->qpos + g->m->jnt_qposadr[g->m->dof_jntid[b->dof0 + b->root_dof]];
        q[0] += b->off.x, q[1] += b->off.y, q[2] += b->off.z;
    }
}

/* after that: what this one leaves */
static void fall_behind(tyi_body_group *g, double dt)
{
    for (int i = 0; i < g->members; i++) {
        tyi_body_mbd *b = g->member[i];
        ty_vec3 way = ty_scale(dt / g->m->body_subtreemass[b->body0 + b->root], b->was.linear);
        b->off = ty_sub(ty_add(ty_add(b->centre, b->off), way), tyi_body_mbd_centre(b));
    }
}

/* ---- contacts ---- */

static bool same(tyi_body_owner a, tyi_body_owner b)
{
    return a.member == b.member && a.thing == b.thing;
}

/* the pair of two owners in a list, which grows by it; NULL: there is no room, or they are one */
static tyi_body_press *pair_of(tyi_body_owner a, tyi_body_owner b, tyi_body_press *list, int *count, int room)
{
    for (int i = 0; i < *count; i++) {
        if (same(list[i].a, a) && same(list[i].b, b)) {
            return &list[i];
        }
    }
    if (*count >= room) {
        return NULL;
    }
    list[*count] = (tyi_body_press){ .a = a, .b = b };
    return &list[(*count)++];
}

/* who touch in a contact, a member first; sign: -1 where geom 0 is not the first. False: not two of the group's. */
static bool sides_of(const tyi_body_group *g, const mjContact *c, tyi_body_owner *a, tyi_body_owner *b, double *sign)
{
    if (c->geom[0] < 0 || c->geom[1] < 0) {
        return false;
    }
    *a = g->owner[c->geom[0]], *b = g->owner[c->geom[1]];
    *sign = 1.0;
    if (a->member < 0 || (b->member >= 0 && b->member < a->member)) {
        tyi_body_owner swap = *a;
        *a = *b, *b = swap, *sign = -1.0;
    }
    return a->member >= 0 && (b->member >= 0 || b->thing >= 0) && !same(*a, *b);
}

static void note_presses(tyi_body_group *g)
{
    const mjData *d = g->d;
    g->presses = 0;
    for (int i = 0; g->owner && i < d->ncon; i++) {
        const mjContact *c = &d->contact[i];
        tyi_body_owner a, b;
        double sign, f[6];
        if (c->efc_address < 0 || !sides_of(g, c, &a, &b, &sign)) {
            continue;
        }
        tyi_body_press *p = pair_of(a, b, g->press, &g->presses, TYI_BODY_PRESSES);
        if (p) {
            mj_contactForce(g->m, d, i, f); /* on geom 1, in the contact's frame */
            ty_vec3 on1 =
                ty_add(ty_scale(f[0], tyi_body_vec(c->frame)),
                       ty_add(ty_scale(f[1], tyi_body_vec(c->frame + 3)), ty_scale(f[2], tyi_body_vec(c->frame + 6))));
            p->force = ty_sub(p->force, ty_scale(sign, on1));
            p->at = -c->dist >= p->depth ? tyi_body_vec(c->pos) : p->at;
            p->depth = fmax(p->depth, -c->dist);
        }
    }
}

int tyi_body_group_presses(const tyi_body_group *g, const tyi_body_press **out)
{
    *out = g->press;
    return g->presses;
}

int tyi_body_group_inside(const tyi_body_group *g, double depth, tyi_body_press *out, int room)
{
    int n = 0;
    for (int i = 0; g->owner && i < g->d->ncon; i++) {
        const mjContact *c = &g->d->contact[i];
        tyi_body_owner a, b;
        double sign;
        tyi_body_press *p = -c->dist > depth && sides_of(g, c, &a, &b, &sign) ? pair_of(a, b, out, &n, room) : NULL;
        if (p) {
            p->at = tyi_body_vec(c->pos);
            p->depth = fmax(p->depth, -c->dist);
        }
    }
    return n;
}

/* ---- step ---- */

static void first_half(void *user)
{
    tyi_body_group *g = user;
    place_movers(g);
    mj_step1(g->m, g->d);
    feel_movers(g);
}

static ty_status begin(tyi_body_group *g, uint64_t step, ty_diag *diag)
{
    tyi_body_zero(g->motor, g->m->nv);
    tyi_body_zero(g->soil, g->m->nv);
    tyi_body_copy(g->raw, g->d->qpos, g->m->nq);
    if (!tyi_body_guarded(first_half, g)) {
        return gave_up(step, diag);
    }
    return check_warnings(g, step, diag);
}

ty_status tyi_body_mbd_begin(tyi_body_mbd *mbd, uint64_t step, ty_diag *diag)
{
    return begin(mbd->in, step, diag);
}

static void rk4_step(void *user)
{
    tyi_body_group *g = user;
    mj_step(g->m, g->d);
    tyi_body_copy(g->raw, g->d->qpos, g->m->nq);
    mj_fwdPosition(g->m, g->d);
    mj_fwdVelocity(g->m, g->d);
}

static void conserving_step(void *user)
{
    tyi_body_group *g = user;
    remember_momentum(g);
    mj_step2(g->m, g->d);
    note_presses(g);
    for (int i = 0; i < g->members; i++) {
        g->member[i]->was = momentum_wanted(g->member[i], g->m->opt.timestep);
    }
    if (g->owner) {
        catch_up(g);
    }
    mj_checkPos(g->m, g->d);
    mj_checkVel(g->m, g->d);
    tyi_body_copy(g->raw, g->d->qpos, g->m->nq);
    place_movers(g);
    mj_fwdPosition(g->m, g->d);
    if (g->owner) {
        fall_behind(g, g->m->opt.timestep);
    }
    mj_comVel(g->m, g->d);
    mj_subtreeVel(g->m, g->d);
    for (int i = 0; i < g->members; i++) {
        set_right(g->member[i]);
    }
    mj_fwdVelocity(g->m, g->d);
    feel_movers(g);
}

static void account(tyi_body_mbd *b, double dt)
{
    const tyi_body_group *g = b->in;
    memset(b->work, 0, sizeof b->work);
    for (int i = b->dof0; i < b->dof0 + b->own.m->nv; i++) {
        /* the mean velocity of the step makes work and change of kinetic energy agree where the inertia is constant */
        double way = 0.5 * dt * (g->v0[i] + g->d->qvel[i]);
        b->work[0] += way * g->motor[i];
        b->work[1] += way * g->soil[i];
        b->work[2] -= way * g->m->dof_damping[i] * g->d->qvel[i]; /* implicit: at the new velocity */
    }
}

ty_status tyi_body_group_step(tyi_body_group *g, uint64_t step, double dt, ty_diag *diag)
{
    mjModel *m = g->m;
    mjData *d = g->d;
    for (int i = 0; i < m->nv; i++) {
        d->qfrc_applied[i] = g->motor[i] + g->soil[i];
        if (!isfinite(d->qfrc_applied[i])) {
            return ty_fail(diag, TY_ERR_NUMERIC, "step %llu: the force on body '%s' is not finite",
                           (unsigned long long)step, dof_body(g, i));
        }
    }
    tyi_body_copy(g->q0, g->raw, m->nq);
    tyi_body_copy(g->v0, d->qvel, m->nv);
    tyi_body_copy(g->warm0, d->qacc_warmstart, m->nv);
    m->opt.timestep = dt;
    bool done = tyi_body_guarded(m->opt.integrator == mjINT_RK4 ? rk4_step : conserving_step, g);
    ty_status status = done ? check_warnings(g, step, diag) : gave_up(step, diag);
    if (status == TY_OK) {
        for (int i = 0; i < g->members; i++) {
            account(g->member[i], dt);
        }
        tyi_body_zero(g->motor, m->nv);
        tyi_body_zero(g->soil, m->nv);
    } else { /* back to the last good state */
        mj_resetData(m, d);
        tyi_body_copy(d->qpos, g->q0, m->nq);
        tyi_body_copy(d->qvel, g->v0, m->nv);
        tyi_body_copy(d->qacc_warmstart, g->warm0, m->nv);
        begin(g, step, NULL);
    }
    return status;
}

/* ---- a common model ---- */

/* Contact: a spring and damper, critical for what meets, over 50 ms, so that an impact at some tenths of a metre per second gives
 * some m/s^2 and no bounce; the force grows from nothing over the first centimetre. Friction as of metal on rock. Chosen;
 * tests/unit/sim/test_touch.c bounds jolts, momentum and energy. */
static const double solref[2] = { 0.05, 1.0 }, solimp[5] = { 0.01, 0.95, 0.01, 0.5, 2.0 };
#define FRICTION 0.6

/* masks: a user's shapes among each other, rocks, other things, then a bit for each rover */
enum { OWN = 1, ROCK = 2, THING = 4, ROVER = 8, ALL_ROVERS = ((1 << TYI_BODY_MEMBERS) - 1) * ROVER };

typedef struct build {
    tyi_body_mbd *const *member;
    const tyi_body_thing *thing;
    int members, things;
    mjSpec *spec;
    mjModel *m;
    mjData *d;
    char error[300];
} build;

static bool mesh_of(mjSpec *spec, const tyi_body_hull *h, const char *name)
{
    mjsMesh *mesh = mjs_addMesh(spec, NULL);
    float *point = tyi_get(NULL, (size_t)h->vertices * 3 * sizeof *point);
    for (int i = 0; point && i < 3 * h->vertices; i++) {
        point[i] = (float)(h->scale * (double)h->vertex[i]);
    }
    if (mesh && point) {
        mjs_setName(mesh->element, name);
        mjs_setFloat(mesh->uservert, point, 3 * h->vertices);
        mesh->inertia = mjMESH_INERTIA_CONVEX;
    }
    tyi_put(NULL, point, point ? (size_t)h->vertices * 3 * sizeof *point : 0);
    return mesh && point;
}

static bool add_shape(mjSpec *spec, mjsBody *body, const tyi_body_hull *h, const char *name, int type, int meets)
{
    static const int kinds[] = { [TY_SHAPE_SPHERE] = mjGEOM_SPHERE,     [TY_SHAPE_CAPSULE] = mjGEOM_CAPSULE,
                                 [TY_SHAPE_CYLINDER] = mjGEOM_CYLINDER, [TY_SHAPE_ELLIPSOID] = mjGEOM_ELLIPSOID,
                                 [TY_SHAPE_BOX] = mjGEOM_BOX,           [TY_SHAPE_MESH] = mjGEOM_MESH };
    if (h->kind == TY_SHAPE_MESH && !mesh_of(spec, h, name)) {
        return false;
    }
    mjsGeom *g = mjs_addGeom(body, NULL);
    if (!g) {
        return false;
    }
    const double pos[3] = { h->pose.p.x, h->pose.p.y, h->pose.p.z },
                 q[4] = { h->pose.q.w, h->pose.q.x, h->pose.q.y, h->pose.q.z },
                 size[3] = { h->size.x, h->size.y, h->size.z };
    memcpy(g->pos, pos, sizeof pos), memcpy(g->quat, q, sizeof q), memcpy(g->size, size, sizeof size);
    mjs_setName(g->element, name);
    g->type = (mjtGeom)kinds[h->kind];
    if (h->kind == TY_SHAPE_MESH) {
        mjs_setString(g->meshname, name);
    }
    g->contype = type, g->conaffinity = meets, g->condim = 3;
    g->friction[0] = FRICTION;
    g->mass = 0.0, g->density = 0.0;
    memcpy(g->solref, solref, sizeof solref), memcpy(g->solimp, solimp, sizeof solimp);
    return true;
}

/* A rover's bodies with its shapes. Shapes of its file that collide go on doing so, among each other and with those of others
 * of the kind; those of a URDF file do not. */
static bool add_member(build *b, int k)
{
    const tyi_body_mbd *mbd = b->member[k];
    mjSpec *copy = mj_copySpec(mbd->spec);
    char name[TY_NAME_MAX + 32];
    bool done = copy != NULL;
    for (mjsElement *e = done ? mjs_firstElement(copy, mjOBJ_GEOM) : NULL; e; e = mjs_nextElement(copy, e)) {
        mjsGeom *g = mjs_asGeom(e);
        bool touches = !mbd->urdf && (g->contype || g->conaffinity);
        g->contype = g->conaffinity = touches ? OWN : 0;
    }
    for (int i = 0; done && i < mbd->hulls; i++) {
        const tyi_body_hull *h = &mbd->hull[i];
        mjsBody *body = mjs_findBody(copy, mj_id2name(mbd->own.m, mjOBJ_BODY, h->body + 1));
        int rest = ALL_ROVERS & ~(ROVER << k), meets = h->wheel ? rest | THING : rest | THING | ROCK;
        snprintf(name, sizeof name, "tycho/hull%d", i);
        done = body && add_shape(copy, body, h, name, ROVER << k, meets);
    }
    snprintf(name, sizeof name, "%d/", k);
    mjsFrame *frame = done ? mjs_addFrame(mjs_findBody(b->spec, "world"), NULL) : NULL;
    done = frame && mjs_attach(frame->element, copy->element, name, "");
    if (!done) {
        snprintf(b->error, sizeof b->error, "%s", mjs_getError(b->spec));
    }
    mj_deleteSpec(copy);
    return done;
}

static bool add_thing(build *b, int k)
{
    const tyi_body_thing *t = &b->thing[k];
    mjsBody *body = mjs_findBody(b->spec, "world");
    char name[TY_NAME_MAX + 32];
    int type = t->below ? ROCK : THING;
    if (t->moves) {
        body = mjs_addBody(body, NULL);
        snprintf(name, sizeof name, "thing%d", k);
        mjs_setName(body->element, name);
        body->mocap = 1;
    }
    for (int i = 0; i < t->parts; i++) {
        tyi_body_hull h = t->part ? t->part[i] : t->single;
        h.pose = t->moves ? h.pose : ty_pose_mul(t->pose, h.pose);
        snprintf(name, sizeof name, "thing%d/%d", k, i);
        if (!add_shape(b->spec, body, &h, name, type, 0)) {
            return false;
        }
    }
    return true;
}

static void compile(void *user)
{
    build *b = user;
    b->spec = mj_makeSpec();
    bool done = b->spec != NULL;
    if (done) {
        b->spec->option = b->member[0]->own.m->opt;
        b->spec->memory = ((mjtSize)2 << 20) * (1 + b->members);
    }
    for (int i = 0; done && i < b->members; i++) {
        done = add_member(b, i);
    }
    for (int i = 0; done && i < b->things; i++) {
        done = add_thing(b, i);
    }
    b->m = done ? mj_compile(b->spec, NULL) : NULL;
    if (done && !b->m) {
        snprintf(b->error, sizeof b->error, "%s", mjs_getError(b->spec));
    }
    b->d = b->m ? mj_makeData(b->m) : NULL;
}

/* whose each shape of the model is, and which bodies are moved */
static void own_shapes(tyi_body_group *g, const build *b)
{
    int mover = 0;
    for (int i = 0; i < g->m->ngeom; i++) {
        int body = g->m->geom_bodyid[i], thing = -1;
        const char *name = mj_id2name(g->m, mjOBJ_GEOM, i);
        g->owner[i] = (tyi_body_owner){ -1, -1 };
        for (int k = 0; k < g->members; k++) {
            int first = g->member[k]->body0;
            g->owner[i].member =
                body > first && body <= first + tyi_body_mbd_bodies(g->member[k]) ? k : g->owner[i].member;
        }
        if (g->owner[i].member < 0 && name && sscanf(name, "thing%d/", &thing) == 1) {
            g->owner[i].thing = thing;
        }
    }
    for (int k = 0; k < b->things; k++) {
        char name[40];
        if (b->thing[k].moves) {
            snprintf(name, sizeof name, "thing%d", k);
            g->mover[mover] = mj_name2id(g->m, mjOBJ_BODY, name);
            g->motion[mover++] = (tyi_body_motion){ .pose = b->thing[k].pose };
        }
    }
}

/* rovers come in with the state that they have */
static void adopt(tyi_body_group *g)
{
    int body = 0, joint = 0, dof = 0, q = 0;
    mj_resetData(g->m, g->d);
    for (int i = 0; i < g->members; i++) {
        tyi_body_mbd *b = g->member[i];
        const mjModel *own = b->own.m;
        tyi_body_copy(g->d->qpos + q, b->in->raw + b->q0, own->nq);
        tyi_body_copy(g->d->qvel + dof, b->in->d->qvel + b->dof0, own->nv);
        tyi_body_copy(g->d->qacc_warmstart + dof, b->in->d->qacc_warmstart + b->dof0, own->nv);
        b->in = g;
        b->body0 = body, b->joint0 = joint, b->dof0 = dof, b->q0 = q;
        body += (int)own->nbody - 1, joint += (int)own->njnt, dof += (int)own->nv, q += (int)own->nq;
    }
}

static ty_status make_room(tyi_body_group *g, const build *b, ty_diag *diag)
{
    ty_status status = tyi_body_group_init(g, g->alloc, diag);
    for (int k = 0; k < b->things; k++) {
        g->movers += b->thing[k].moves;
    }
    g->owner = tyi_get(g->alloc, (size_t)g->m->ngeom * sizeof *g->owner);
    g->mover = g->movers ? tyi_get(g->alloc, (size_t)g->movers * sizeof *g->mover) : NULL;
    g->motion = g->movers ? tyi_get(g->alloc, (size_t)g->movers * sizeof *g->motion) : NULL;
    g->member = tyi_get(g->alloc, (size_t)b->members * sizeof *g->member);
    if (status == TY_OK && (!g->owner || !g->member || (g->movers && (!g->mover || !g->motion)))) {
        status = ty_fail(diag, TY_ERR_MEMORY, "bodies: no memory for a group of %d rovers", b->members);
    }
    if (status == TY_OK) {
        memcpy(g->member, b->member, (size_t)b->members * sizeof *g->member);
        g->members = b->members;
    }
    return status;
}

ty_status tyi_body_group_create(tyi_body_mbd *const *member, int members, const tyi_body_thing *thing, int things,
                                uint64_t step, tyi_body_group **out, ty_diag *diag)
{
    build b = { .member = member, .members = members, .thing = thing, .things = things };
    const ty_alloc *alloc = member[0]->alloc;
    *out = NULL;
    if (members > TYI_BODY_MEMBERS) {
        return ty_fail(diag, TY_ERR_RANGE, "bodies: %d rovers are within reach of each other, but a group takes %d",
                       members, TYI_BODY_MEMBERS);
    }
    tyi_body_compiler_lock();
    bool done = tyi_body_guarded(compile, &b);
    mj_deleteSpec(b.spec);
    tyi_body_compiler_unlock();
    tyi_body_group *g = done && b.d ? tyi_get(alloc, sizeof *g) : NULL;
    if (!g) {
        mj_deleteData(b.d);
        mj_deleteModel(b.m);
        return ty_fail(diag, TY_ERR_NUMERIC, "step %llu: no common model of %d rovers and %d things (%s)",
                       (unsigned long long)step, members, things, done ? b.error : tyi_body_why());
    }
    *g = (tyi_body_group){ .m = b.m, .d = b.d, .alloc = alloc };
    ty_status status = make_room(g, &b, diag);
    if (status != TY_OK) {
        tyi_body_group_destroy(g);
        return status;
    }
    g->m->opt = member[0]->own.m->opt;
    g->m->opt.disableflags &= ~mjDSBL_CONTACT;
    g->m->opt.cone = mjCONE_ELLIPTIC;
    adopt(g);
    own_shapes(g, &b);
    *out = g;
    return begin(g, step, diag);
}

void tyi_body_group_destroy(tyi_body_group *g)
{
    if (g) {
        const ty_alloc *alloc = g->alloc;
        tyi_put(alloc, g->member, g->member ? (size_t)g->members * sizeof *g->member : 0);
        tyi_body_group_free(g);
        tyi_put(alloc, g, sizeof *g);
    }
}

ty_vec3 tyi_body_mbd_off(const tyi_body_mbd *mbd)
{
    return mbd->off;
}

void tyi_body_mbd_set_off(tyi_body_mbd *mbd, ty_vec3 off)
{
    mbd->off = off;
}

ty_status tyi_body_mbd_leave(tyi_body_mbd *mbd, uint64_t step, ty_diag *diag)
{
    if (mbd->in == &mbd->own) {
        return TY_OK;
    }
    const mjModel *m = mbd->own.m;
    mjData *d = mbd->own.d;
    mj_resetData(m, d);
    tyi_body_copy(d->qpos, mbd->in->raw + mbd->q0, m->nq);
    tyi_body_copy(d->qvel, mbd->in->d->qvel + mbd->dof0, m->nv);
    tyi_body_copy(d->qacc_warmstart, mbd->in->d->qacc_warmstart + mbd->dof0, m->nv);
    mbd->in = &mbd->own;
    mbd->body0 = mbd->joint0 = mbd->dof0 = mbd->q0 = 0;
    mbd->off = ty_vec3_make(0.0, 0.0, 0.0);
    return begin(mbd->in, step, diag);
}
