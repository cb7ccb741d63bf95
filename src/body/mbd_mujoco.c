/* src/body/mbd_mujoco.c - multibody dynamics by MuJoCo; the only file that sees it.
 *
 * MuJoCo reports errors to one process-wide handler that must not return, and its default waits for
 * the keyboard. Ours jumps back to the call that we made, by a buffer of the thread's own; no other
 * way out of it exists (longjmp is used nowhere else). Warnings go nowhere: their counters are read
 * after each step. A state that is not finite is reset silently by MuJoCo and only counted: here it
 * is a failure with its body and field.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "mbd.h"
#include <errno.h>
#include <mujoco/mujoco.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "core/core.h"
#include "urdf.h"

/* of the tree on the free joint, about its centre of mass */
typedef struct momentum {
    ty_vec3 linear, angular; /* [kg m/s], [kg m^2/s] */
} momentum;

struct tyi_body_mbd {
    mjModel *m;
    mjData *d;
    const ty_alloc *alloc;
    double *motor, *soil;    /* nv each: generalised forces of this step */
    double *q0, *v0, *warm0; /* the state before this step */
    double *raw;             /* nq: qpos as it was before MuJoCo normalised its quaternions, which it does again
                  * each time and never twice to the same bits: what is saved, so that a restored
                  * run normalises as often as the first one */
    double *room;
    size_t doubles;
    int root, root_dof; /* MuJoCo's body on the free joint, and the first of its six degrees of freedom */
    bool urdf;          /* collision shapes are not drawn where a body has visual ones */
    bool *dressed;      /* nbody: it looks like files, which are not in the model */
    momentum was;       /* before this step, with the root's attitude and its place from the centre of mass */
    ty_quat root_q;
    ty_vec3 root_arm;
};

static void copy(double *to, const double *from, mjtSize n)
{
    memcpy(to, from, (size_t)n * sizeof *to);
}

static void zero(double *to, mjtSize n)
{
    memset(to, 0, (size_t)n * sizeof *to);
}

/* ---- errors ---- */

static _Thread_local struct {
    jmp_buf jump;
    bool armed;
    char text[300];
} guard;

static void on_error(const char *text)
{
    if (!guard.armed) {
        abort(); /* not from one of our calls: there is nowhere to go back to */
    }
    snprintf(guard.text, sizeof guard.text, "%s", text);
    guard.armed = false;
    longjmp(guard.jump, 1);
}

static void on_warning(const char *text)
{
    (void)text;
}

/* Runs work; false: MuJoCo gave up, guard.text says why. */
static bool guarded(void (*work)(void *), void *user)
{
    if (setjmp(guard.jump)) {
        return false;
    }
    guard.armed = true;
    work(user);
    guard.armed = false;
    return true;
}

/* one line, without what a terminal could take as a command */
static const char *plain(char *text)
{
    size_t n = strlen(text);
    while (n > 0 && (text[n - 1] == '\n' || text[n - 1] == ' ' || text[n - 1] == '.')) {
        text[--n] = '\0';
    }
    for (char *c = text; *c; c++) {
        if (*c == '\n') {
            *c = ';';
        } else if ((unsigned char)*c < ' ' || *c == 127) {
            *c = '?';
        }
    }
    return text;
}

/* ---- loading ---- */

/* MuJoCo's reader keeps the last model in a static variable and swaps the handlers while it compiles */
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

typedef struct load_job {
    const char *path; /* in messages */
    const char *name; /* of the model in `files`, or its path */
    mjVFS *files;     /* what is not read from disk; NULL: nothing */
    mjModel *m;
    mjData *d;
    char error[500];
} load_job;

static void load(void *user)
{
    load_job *job = user;
    job->m = mj_loadXML(job->name, job->files, job->error, (int)sizeof job->error);
    mj_freeLastXML();
    if (job->m) {
        job->d = mj_makeData(job->m);
    }
}

static ty_status load_locked(load_job *job, ty_diag *diag)
{
    if (access(job->path, R_OK)) {
        char reason[100];
        return ty_fail(diag, TY_ERR_FILE, "%s: cannot be opened (%s)", job->path,
                       strerror_r(errno, reason, sizeof reason));
    }
    pthread_mutex_lock(&loading);
    mju_user_error = on_error;
    mju_user_warning = on_warning;
    bool done = guarded(load, job);
    pthread_mutex_unlock(&loading);
    if (!done) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s: not a model that MuJoCo takes (%s)", job->path, plain(guard.text));
    }
    if (!job->m) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s: not a model that MuJoCo takes (%s)", job->path, plain(job->error));
    }
    if (!job->d) {
        return ty_fail(diag, TY_ERR_MEMORY, "%s: no memory for the model", job->path);
    }
    return TY_OK;
}

/* a URDF file goes to MuJoCo as changed text, under a name that tells MuJoCo what it is */
static ty_status load_urdf(load_job *job, const tyi_body_urdf *urdf, ty_diag *diag)
{
    ty_status status = TY_OK;
    mjVFS files;
    mj_defaultVFS(&files);
    job->name = "rover.urdf";
    if (mj_addBufferVFS(&files, job->name, urdf->text, (int)urdf->size)) {
        status = ty_fail(diag, TY_ERR_MEMORY, "%s: no memory for the model", job->path);
    } else {
        job->files = &files;
        status = load_locked(job, diag);
        job->files = NULL;
    }
    mj_deleteVFS(&files);
    if (status == TY_OK) {
        job->m->opt.disableflags |= mjDSBL_CONTACT; /* wheels meet the ground through the soil model */
    }
    return status;
}

/* one tree: what hangs on the world beside it would stand still in the air */
static ty_status check_tree(const char *path, const char *root, const mjModel *m, ty_diag *diag)
{
    for (int i = 1; i < m->nbody; i++) {
        const char *name = mj_id2name(m, mjOBJ_BODY, i);
        if (m->body_parentid[i] == 0 && (!name || strcmp(name, root) != 0)) {
            return ty_fail(diag, TY_ERR_INPUT, "%s: link '%s' does not hang on '%s' by any joint", path,
                           name ? name : "", root);
        }
    }
    return TY_OK;
}

static ty_status check_model(const char *path, const mjModel *m, ty_diag *diag)
{
    if (m->nbody < 2) {
        return ty_fail(diag, TY_ERR_INPUT, "%s: has no body", path);
    }
    for (int i = 1; i < m->nbody; i++) {
        if (!(m->body_mass[i] >= 0.0 && m->body_mass[i] < 1e9)) {
            return ty_fail(diag, TY_ERR_INPUT, "%s: body '%s' has mass %g, but 0 to 1e9 kg are accepted", path,
                           mj_id2name(m, mjOBJ_BODY, i) ? mj_id2name(m, mjOBJ_BODY, i) : "", m->body_mass[i]);
        }
    }
    if (m->nu > 0 || m->na > 0) {
        return ty_fail(diag, TY_ERR_INPUT, "%s: has actuators, but drives and steering belong in the rover's YAML file",
                       path);
    }
    return TY_OK;
}

/* bodies that look like files of the model's own: their other shapes are for contact alone */
static void dress(tyi_body_mbd *mbd, const tyi_body_urdf *urdf)
{
    for (size_t i = 0; urdf && i < urdf->looks; i++) {
        int id = mj_name2id(mbd->m, mjOBJ_BODY, urdf->look[i].link);
        if (id > 0) {
            mbd->dressed[id] = true;
        }
    }
}

ty_status tyi_body_mbd_create(const char *path, const tyi_body_urdf *urdf, double gravity,
                              ty_body_integrator integrator, const ty_alloc *alloc, tyi_body_mbd **out, ty_diag *diag)
{
    load_job job = { .path = path, .name = path };
    *out = NULL;
    ty_status status = urdf ? load_urdf(&job, urdf, diag) : load_locked(&job, diag);
    tyi_body_mbd *mbd = status == TY_OK ? tyi_get(alloc, sizeof *mbd) : NULL;
    if (mbd) {
        *mbd = (tyi_body_mbd){ .m = job.m, .d = job.d, .alloc = alloc, .urdf = urdf != NULL };
        status = check_model(path, job.m, diag);
        status = status == TY_OK && urdf ? check_tree(path, urdf->root, job.m, diag) : status;
        mbd->doubles = (size_t)(4 * job.m->nv + 2 * job.m->nq);
        mbd->room = status == TY_OK ? tyi_get(alloc, mbd->doubles * sizeof(double)) : NULL;
        mbd->dressed = status == TY_OK ? tyi_get(alloc, (size_t)job.m->nbody * sizeof *mbd->dressed) : NULL;
    } else {
        mj_deleteData(job.d);
        mj_deleteModel(job.m);
    }
    if (status == TY_OK && (!mbd || !mbd->room || !mbd->dressed)) {
        status = ty_fail(diag, TY_ERR_MEMORY, "%s: no memory for the model", path);
    }
    if (status != TY_OK) {
        tyi_body_mbd_destroy(mbd);
        return status;
    }
    size_t nv = (size_t)job.m->nv;
    mbd->motor = mbd->room, mbd->soil = mbd->room + nv, mbd->v0 = mbd->room + 2 * nv, mbd->warm0 = mbd->room + 3 * nv;
    mbd->q0 = mbd->room + 4 * nv, mbd->raw = mbd->q0 + job.m->nq;
    job.m->opt.gravity[0] = job.m->opt.gravity[1] = 0.0;
    job.m->opt.gravity[2] = -gravity;
    /* a state that is not finite is reported, not reset */
    job.m->opt.disableflags |= mjDSBL_AUTORESET;
    job.m->opt.integrator = integrator == TY_INTEGRATOR_RK4 ? mjINT_RK4 : mjINT_EULER;
    dress(mbd, urdf);
    *out = mbd;
    return TY_OK;
}

void tyi_body_mbd_destroy(tyi_body_mbd *mbd)
{
    if (mbd) {
        tyi_put(mbd->alloc, mbd->dressed, (size_t)mbd->m->nbody * sizeof *mbd->dressed);
        mj_deleteData(mbd->d);
        mj_deleteModel(mbd->m);
        tyi_put(mbd->alloc, mbd->room, mbd->doubles * sizeof(double));
        tyi_put(mbd->alloc, mbd, sizeof *mbd);
    }
}

/* ---- what the model is ---- */

int tyi_body_mbd_bodies(const tyi_body_mbd *mbd)
{
    return (int)mbd->m->nbody - 1;
}

const char *tyi_body_mbd_body_name(const tyi_body_mbd *mbd, int body)
{
    const char *name = mj_id2name(mbd->m, mjOBJ_BODY, body + 1);
    return name ? name : "";
}

int tyi_body_mbd_find_body(const tyi_body_mbd *mbd, const char *name)
{
    int id = mj_name2id(mbd->m, mjOBJ_BODY, name);
    return id > 0 ? id - 1 : -1;
}

int tyi_body_mbd_joints(const tyi_body_mbd *mbd)
{
    return (int)mbd->m->njnt;
}

const char *tyi_body_mbd_joint_name(const tyi_body_mbd *mbd, int joint)
{
    const char *name = mj_id2name(mbd->m, mjOBJ_JOINT, joint);
    return name ? name : "";
}

int tyi_body_mbd_find_joint(const tyi_body_mbd *mbd, const char *name)
{
    return mj_name2id(mbd->m, mjOBJ_JOINT, name);
}

bool tyi_body_mbd_joint_hinge(const tyi_body_mbd *mbd, int joint)
{
    return mbd->m->jnt_type[joint] == mjJNT_HINGE;
}

int tyi_body_mbd_joint_body(const tyi_body_mbd *mbd, int joint)
{
    return mbd->m->jnt_bodyid[joint] - 1;
}

bool tyi_body_mbd_joint_range(const tyi_body_mbd *mbd, int joint, double *low, double *high)
{
    *low = mbd->m->jnt_range[2 * joint];
    *high = mbd->m->jnt_range[2 * joint + 1];
    return mbd->m->jnt_limited[joint];
}

static int free_joint(const mjModel *m, int body)
{
    int joint = m->body_jntadr[body + 1];
    return joint >= 0 && m->jnt_type[joint] == mjJNT_FREE ? joint : -1;
}

bool tyi_body_mbd_hangs_on(const tyi_body_mbd *mbd, int body, int above)
{
    int id = body + 1;
    while (id > 0 && id != above + 1) {
        id = mbd->m->body_parentid[id];
    }
    return id > 0;
}

bool tyi_body_mbd_body_free(const tyi_body_mbd *mbd, int body)
{
    return free_joint(mbd->m, body) >= 0;
}

double tyi_body_mbd_joint_inertia(const tyi_body_mbd *mbd, int joint)
{
    return mbd->m->dof_M0[mbd->m->jnt_dofadr[joint]];
}

double tyi_body_mbd_mass(const tyi_body_mbd *mbd)
{
    return mj_getTotalmass(mbd->m);
}

double tyi_body_mbd_body_mass(const tyi_body_mbd *mbd, int body)
{
    return mbd->m->body_mass[body + 1];
}

int tyi_body_mbd_dofs(const tyi_body_mbd *mbd)
{
    return (int)mbd->m->nv;
}

static ty_vec3 vec(const double *v)
{
    return ty_vec3_make(v[0], v[1], v[2]);
}

static ty_quat quat(const double *q)
{
    return (ty_quat){ q[0], q[1], q[2], q[3] };
}

static bool shape_of(const mjModel *m, int geom, ty_body_shape *s)
{
    static const int kinds[][2] = { { mjGEOM_SPHERE, TY_SHAPE_SPHERE },     { mjGEOM_CAPSULE, TY_SHAPE_CAPSULE },
                                    { mjGEOM_CYLINDER, TY_SHAPE_CYLINDER }, { mjGEOM_ELLIPSOID, TY_SHAPE_ELLIPSOID },
                                    { mjGEOM_BOX, TY_SHAPE_BOX },           { mjGEOM_MESH, TY_SHAPE_MESH } };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (m->geom_type[geom] != kinds[i][0] || m->geom_bodyid[geom] == 0) {
            continue;
        }
        *s = (ty_body_shape){ .kind = (ty_body_shape_kind)kinds[i][1],
                              .body = m->geom_bodyid[geom] - 1,
                              .pose = { vec(m->geom_pos + 3 * geom), quat(m->geom_quat + 4 * geom) },
                              .size = vec(m->geom_size + 3 * geom) };
        memcpy(s->rgba, m->geom_rgba + 4 * geom, sizeof s->rgba);
        int mesh = m->geom_dataid[geom];
        if (s->kind == TY_SHAPE_MESH && mesh >= 0) {
            s->vertex = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
            s->face = m->mesh_face + 3 * m->mesh_faceadr[mesh];
            s->vertices = m->mesh_vertnum[mesh];
            s->faces = m->mesh_facenum[mesh];
        }
        return true;
    }
    return false;
}

/* a collision shape (URDF) of a body that has visual ones, which MuJoCo puts into group 1 */
static bool hidden(const tyi_body_mbd *mbd, int geom)
{
    const mjModel *m = mbd->m;
    if (mbd->dressed[m->geom_bodyid[geom]] && m->geom_group[geom] != 1) {
        return true;
    }
    for (int g = 0; mbd->urdf && g < m->ngeom; g++) {
        if (m->geom_bodyid[g] == m->geom_bodyid[geom] && m->geom_group[g] == 1 && m->geom_group[geom] != 1) {
            return true;
        }
    }
    return false;
}

int tyi_body_mbd_shapes(const tyi_body_mbd *mbd, ty_body_shape *out)
{
    int n = 0;
    for (int g = 0; g < mbd->m->ngeom; g++) {
        ty_body_shape s;
        if (!hidden(mbd, g) && shape_of(mbd->m, g, &s)) {
            if (out) {
                out[n] = s;
            }
            n++;
        }
    }
    return n;
}

/* ---- state ---- */

void tyi_body_mbd_reset(tyi_body_mbd *mbd, int body, ty_pose pose)
{
    mj_resetData(mbd->m, mbd->d);
    mbd->root = body + 1;
    mbd->root_dof = mbd->m->jnt_dofadr[free_joint(mbd->m, body)];
    double *q = mbd->d->qpos + mbd->m->jnt_qposadr[free_joint(mbd->m, body)];
    q[0] = pose.p.x, q[1] = pose.p.y, q[2] = pose.p.z;
    q[3] = pose.q.w, q[4] = pose.q.x, q[5] = pose.q.y, q[6] = pose.q.z;
}

void tyi_body_mbd_set_twist(tyi_body_mbd *mbd, int body, ty_vec3 v_W, ty_vec3 omega_B)
{
    zero(mbd->d->qvel, mbd->m->nv);
    double *v = mbd->d->qvel + mbd->m->jnt_dofadr[free_joint(mbd->m, body)];
    v[0] = v_W.x, v[1] = v_W.y, v[2] = v_W.z; /* of the origin in W, then the angular velocity in B */
    v[3] = omega_B.x, v[4] = omega_B.y, v[5] = omega_B.z;
}

ty_vec3 tyi_body_mbd_centre(const tyi_body_mbd *mbd)
{
    return vec(mbd->d->subtree_com + 3 * mbd->root);
}

ty_pose tyi_body_mbd_pose(const tyi_body_mbd *mbd, int body)
{
    return (ty_pose){ vec(mbd->d->xpos + 3 * (body + 1)), quat(mbd->d->xquat + 4 * (body + 1)) };
}

void tyi_body_mbd_twist(const tyi_body_mbd *mbd, int body, ty_vec3 at_W, ty_vec3 *v_W, ty_vec3 *omega_W)
{
    /* spatial velocities refer to the centre of mass of the tree the body belongs to */
    const double *c = mbd->d->cvel + 6 * (body + 1);
    ty_vec3 centre = vec(mbd->d->subtree_com + 3 * mbd->m->body_rootid[body + 1]);
    *omega_W = vec(c);
    *v_W = ty_add(vec(c + 3), ty_cross(*omega_W, ty_sub(at_W, centre)));
}

void tyi_body_mbd_joint_frame(const tyi_body_mbd *mbd, int joint, ty_vec3 *anchor_W, ty_vec3 *axis_W)
{
    *anchor_W = vec(mbd->d->xanchor + 3 * joint);
    *axis_W = vec(mbd->d->xaxis + 3 * joint);
}

void tyi_body_mbd_joint_state(const tyi_body_mbd *mbd, int joint, double *angle, double *rate)
{
    *angle = mbd->d->qpos[mbd->m->jnt_qposadr[joint]];
    *rate = mbd->d->qvel[mbd->m->jnt_dofadr[joint]];
}

/* ---- step ---- */

void tyi_body_mbd_torque(tyi_body_mbd *mbd, int joint, double torque)
{
    mbd->motor[mbd->m->jnt_dofadr[joint]] += torque;
}

/* What xfrc_applied would become inside the step, worked out here so that its work can be told from the motors'. */
void tyi_body_mbd_force(tyi_body_mbd *mbd, int body, ty_vec3 at_W, ty_vec3 force, ty_vec3 torque)
{
    const double f[3] = { force.x, force.y, force.z }, t[3] = { torque.x, torque.y, torque.z },
                 p[3] = { at_W.x, at_W.y, at_W.z };
    mj_applyFT(mbd->m, mbd->d, f, t, p, body + 1, mbd->soil);
}

static const char *dof_body(const tyi_body_mbd *mbd, int dof)
{
    return tyi_body_mbd_body_name(mbd, mbd->m->dof_bodyid[dof] - 1);
}

/* the body whose coordinate number i of qpos it is */
static const char *coordinate_body(const tyi_body_mbd *mbd, int i)
{
    int joint = 0;
    while (joint + 1 < mbd->m->njnt && mbd->m->jnt_qposadr[joint + 1] <= i) {
        joint++;
    }
    return tyi_body_mbd_body_name(mbd, mbd->m->jnt_bodyid[joint] - 1);
}

static ty_status check_warnings(const tyi_body_mbd *mbd, uint64_t step, ty_diag *diag)
{
    const mjWarningStat *w = mbd->d->warning;
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
                           (unsigned long long)step, bad[i].what,
                           i == 0 ? coordinate_body(mbd, at) : dof_body(mbd, at));
        }
    }
    if (w[mjWARN_INERTIA].number) {
        return ty_fail(diag, TY_ERR_NUMERIC, "step %llu: the inertia of body '%s' is singular",
                       (unsigned long long)step, dof_body(mbd, w[mjWARN_INERTIA].lastinfo));
    }
    if (w[mjWARN_CONTACTFULL].number || w[mjWARN_CNSTRFULL].number) {
        return ty_fail(diag, TY_ERR_NUMERIC,
                       "step %llu: more contacts than the model has room for (%lld bytes); raise memory in its "
                       "<size> element",
                       (unsigned long long)step, (long long)mbd->m->narena);
    }
    return TY_OK;
}

static void first_half(void *user)
{
    tyi_body_mbd *mbd = user;
    mj_step1(mbd->m, mbd->d);
}

static void rk4_step(void *user)
{
    tyi_body_mbd *mbd = user;
    mj_step(mbd->m, mbd->d);
    copy(mbd->raw, mbd->d->qpos, mbd->m->nq);
    mj_fwdPosition(mbd->m, mbd->d);
}

static void velocities(void *user)
{
    tyi_body_mbd *mbd = user;
    mj_fwdVelocity(mbd->m, mbd->d);
}

static ty_status gave_up(uint64_t step, ty_diag *diag)
{
    return ty_fail(diag, TY_ERR_NUMERIC, "step %llu: MuJoCo gave up (%s)", (unsigned long long)step, plain(guard.text));
}

ty_status tyi_body_mbd_begin(tyi_body_mbd *mbd, uint64_t step, ty_diag *diag)
{
    zero(mbd->motor, mbd->m->nv);
    zero(mbd->soil, mbd->m->nv);
    copy(mbd->raw, mbd->d->qpos, mbd->m->nq);
    if (!guarded(first_half, mbd)) {
        return gave_up(step, diag);
    }
    return check_warnings(mbd, step, diag);
}

static void account(const tyi_body_mbd *mbd, double dt, double work[3])
{
    work[0] = work[1] = work[2] = 0.0;
    for (int i = 0; i < mbd->m->nv; i++) {
        /* the mean velocity of the step makes work and change of kinetic energy agree where the inertia is constant */
        double way = 0.5 * dt * (mbd->v0[i] + mbd->d->qvel[i]);
        work[0] += way * mbd->motor[i];
        work[1] += way * mbd->soil[i];
        work[2] -= way * mbd->m->dof_damping[i] * mbd->d->qvel[i]; /* implicit: at the new velocity */
    }
}

/* ---- momentum ----
 * A step of Euler's with joints and an origin beside the centre of mass gains or loses momentum in
 * proportion to the step. What the momentum must become is known, though: external forces are what
 * acts on the six degrees of freedom of the free joint (forces inside the tree do no work when it
 * moves as one). After the step the motion of the tree as a whole is set right by that; the joints
 * are left as they are. */

static momentum momentum_of(const tyi_body_mbd *mbd)
{
    int root = mbd->root;
    return (momentum){ ty_scale(mbd->m->body_subtreemass[root], vec(mbd->d->subtree_linvel + 3 * root)),
                       vec(mbd->d->subtree_angmom + 3 * root) };
}

/* what the momentum is at the end of a step whose forces are known */
static momentum momentum_wanted(const tyi_body_mbd *mbd, double dt)
{
    const mjModel *m = mbd->m;
    const mjData *d = mbd->d;
    const double *s = mbd->soil + mbd->root_dof, *c = d->qfrc_constraint + mbd->root_dof;
    ty_vec3 force = ty_vec3_make(s[0] + c[0], s[1] + c[1], s[2] + c[2]);
    ty_vec3 torque = ty_rotate(mbd->root_q, ty_vec3_make(s[3] + c[3], s[4] + c[4], s[5] + c[5]));
    momentum want = mbd->was;
    torque = ty_add(torque, ty_cross(mbd->root_arm, force)); /* gravity has no moment about the centre of mass */
    want.angular = ty_add(want.angular, ty_scale(dt, torque));
    force = ty_add(force, ty_scale(m->body_subtreemass[mbd->root], vec(m->opt.gravity)));
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

static ty_vec3 root_arm(const tyi_body_mbd *mbd)
{
    return ty_sub(vec(mbd->d->xpos + 3 * mbd->root), vec(mbd->d->subtree_com + 3 * mbd->root));
}

/* positions must be up to date */
static void set_right(tyi_body_mbd *mbd, momentum want)
{
    mjData *d = mbd->d;
    mj_comVel(mbd->m, d);
    mj_subtreeVel(mbd->m, d);
    momentum is = momentum_of(mbd);
    ty_vec3 turn = turn_by(d->crb + 10 * mbd->root, ty_sub(want.angular, is.angular));
    ty_vec3 shift = ty_add(ty_scale(1.0 / mbd->m->body_subtreemass[mbd->root], ty_sub(want.linear, is.linear)),
                           ty_cross(turn, root_arm(mbd)));
    ty_vec3 turn_B = ty_rotate(ty_quat_conj(quat(d->xquat + 4 * mbd->root)), turn);
    double *v = d->qvel + mbd->root_dof;
    v[0] += shift.x, v[1] += shift.y, v[2] += shift.z;
    v[3] += turn_B.x, v[4] += turn_B.y, v[5] += turn_B.z;
}

static void remember_momentum(tyi_body_mbd *mbd)
{
    mj_subtreeVel(mbd->m, mbd->d);
    mbd->was = momentum_of(mbd);
    mbd->root_q = quat(mbd->d->xquat + 4 * mbd->root);
    mbd->root_arm = root_arm(mbd);
}

static void conserving_step(void *user)
{
    tyi_body_mbd *mbd = user;
    remember_momentum(mbd);
    mj_step2(mbd->m, mbd->d);
    momentum want = momentum_wanted(mbd, mbd->m->opt.timestep);
    mj_checkPos(mbd->m, mbd->d);
    mj_checkVel(mbd->m, mbd->d);
    copy(mbd->raw, mbd->d->qpos, mbd->m->nq);
    mj_fwdPosition(mbd->m, mbd->d);
    set_right(mbd, want);
}

ty_status tyi_body_mbd_end(tyi_body_mbd *mbd, uint64_t step, double dt, double work[3], ty_diag *diag)
{
    mjModel *m = mbd->m;
    mjData *d = mbd->d;
    for (int i = 0; i < m->nv; i++) {
        d->qfrc_applied[i] = mbd->motor[i] + mbd->soil[i];
        if (!isfinite(d->qfrc_applied[i])) {
            return ty_fail(diag, TY_ERR_NUMERIC, "step %llu: the force on body '%s' is not finite",
                           (unsigned long long)step, dof_body(mbd, i));
        }
    }
    copy(mbd->q0, mbd->raw, m->nq);
    copy(mbd->v0, d->qvel, m->nv);
    copy(mbd->warm0, d->qacc_warmstart, m->nv);
    m->opt.timestep = dt;
    bool done = guarded(m->opt.integrator == mjINT_RK4 ? rk4_step : conserving_step, mbd) && guarded(velocities, mbd);
    ty_status status = done ? check_warnings(mbd, step, diag) : gave_up(step, diag);
    if (status == TY_OK) {
        account(mbd, dt, work);
        zero(mbd->motor, m->nv);
        zero(mbd->soil, m->nv);
    }
    if (status != TY_OK) { /* back to the last good state */
        mj_resetData(m, d);
        copy(d->qpos, mbd->q0, m->nq);
        copy(d->qvel, mbd->v0, m->nv);
        copy(d->qacc_warmstart, mbd->warm0, m->nv);
        tyi_body_mbd_begin(mbd, step, NULL);
    }
    return status;
}

/* ---- judgement ---- */

void tyi_body_mbd_energy(tyi_body_mbd *mbd, double *kinetic, double *potential, ty_vec3 *linear, ty_vec3 *angular)
{
    mjData *d = mbd->d;
    mbd->m->opt.enableflags |= mjENBL_ENERGY; /* without it these two do nothing */
    mj_energyPos(mbd->m, d);
    mj_energyVel(mbd->m, d);
    mbd->m->opt.enableflags &= ~mjENBL_ENERGY;
    mj_subtreeVel(mbd->m, d);
    if (kinetic) {
        *kinetic = d->energy[1];
    }
    if (potential) {
        *potential = d->energy[0];
    }
    if (linear) {
        *linear = ty_scale(mbd->m->body_subtreemass[0], vec(d->subtree_linvel));
    }
    if (angular) {
        *angular = vec(d->subtree_angmom);
    }
}

double tyi_body_mbd_loop_error(const tyi_body_mbd *mbd)
{
    double worst = 0.0;
    for (int i = 0; i < mbd->d->nefc; i++) {
        if (mbd->d->efc_type[i] == mjCNSTR_EQUALITY) {
            worst = fmax(worst, fabs(mbd->d->efc_pos[i]));
        }
    }
    return worst;
}

/* qpos, qvel, and the warm start of the constraint solver, without which the next step differs in its last bits */
size_t tyi_body_mbd_state_count(const tyi_body_mbd *mbd)
{
    return (size_t)(mbd->m->nq + 2 * mbd->m->nv);
}

void tyi_body_mbd_save(const tyi_body_mbd *mbd, double *out)
{
    const mjModel *m = mbd->m;
    copy(out, mbd->raw, m->nq);
    copy(out + m->nq, mbd->d->qvel, m->nv);
    copy(out + m->nq + m->nv, mbd->d->qacc_warmstart, m->nv);
}

void tyi_body_mbd_restore(tyi_body_mbd *mbd, const double *in)
{
    const mjModel *m = mbd->m;
    mj_resetData(m, mbd->d);
    copy(mbd->d->qpos, in, m->nq);
    copy(mbd->d->qvel, in + m->nq, m->nv);
    copy(mbd->d->qacc_warmstart, in + m->nq + m->nv, m->nv);
}
