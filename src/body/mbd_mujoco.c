/* src/body/mbd_mujoco.c - a rover's model by MuJoCo: loading, what it is, its state, wherever it moves (group_mujoco.c).
 *
 * MuJoCo reports errors to one process-wide handler that must not return, and its default waits for
 * the keyboard. Ours jumps back to the call that we made, by a buffer of the thread's own; no other
 * way out of it exists (longjmp is used nowhere else). Warnings go nowhere: their counters are read
 * after each step. A state that is not finite is only counted by MuJoCo: here it is a failure with its
 * body and field.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "mujoco.h"
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "core/core.h"
#include "urdf.h"

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

bool tyi_body_guarded(void (*work)(void *), void *user)
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

const char *tyi_body_why(void)
{
    return plain(guard.text);
}

/* ---- loading ---- */

/* MuJoCo's compiler swaps the handlers while it works */
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

void tyi_body_compiler_lock(void)
{
    pthread_mutex_lock(&loading);
    mju_user_error = on_error;
    mju_user_warning = on_warning;
}

void tyi_body_compiler_unlock(void)
{
    pthread_mutex_unlock(&loading);
}

typedef struct load_job {
    const char *path; /* in messages */
    const char *name; /* of the model in `files`, or its path */
    mjVFS *files;     /* what is not read from disk; NULL: nothing */
    mjSpec *spec;
    mjModel *m;
    mjData *d;
    char error[500];
    int actuators; /* of the file, which are not used */
} load_job;

/* What a model brings along that has its place elsewhere here: drives and commands in the rover's file, sensors and light in the scenario, ground
 * and other things in the site. Returns how many of them were actuators. */
static int strip(mjSpec *spec)
{
    static const mjtObj gone[] = { mjOBJ_SENSOR, mjOBJ_KEY, mjOBJ_ACTUATOR };
    int actuators = 0;
    for (size_t k = 0; k < sizeof gone / sizeof gone[0]; k++) {
        for (mjsElement *e; (e = mjs_firstElement(spec, gone[k])) != NULL && !mjs_delete(spec, e);) {
            actuators += gone[k] == mjOBJ_ACTUATOR;
        }
    }
    static const mjtObj ground[] = { mjOBJ_GEOM, mjOBJ_LIGHT, mjOBJ_SITE };
    mjsBody *world = mjs_findBody(spec, "world");
    for (size_t k = 0; world && k < sizeof ground / sizeof ground[0]; k++) {
        for (mjsElement *e; (e = mjs_firstChild(world, ground[k], 0)) != NULL && !mjs_delete(spec, e);) {
        }
    }
    /* no air, and gravity is the scenario's */
    spec->option.density = spec->option.viscosity = 0.0;
    spec->option.disableflags &= ~mjDSBL_GRAVITY;
    return actuators;
}

static void load(void *user)
{
    load_job *job = user;
    job->spec = mj_parseXML(job->name, job->files, job->error, (int)sizeof job->error);
    job->actuators = job->spec ? strip(job->spec) : 0;
    job->m = job->spec ? mj_compile(job->spec, job->files) : NULL;
    if (job->spec && !job->m) {
        snprintf(job->error, sizeof job->error, "%s", mjs_getError(job->spec));
    }
    if (job->m) {
        job->d = mj_makeData(job->m);
    }
}

static ty_status load_locked(load_job *job, ty_diag *diag)
{
    if (!job->files && access(job->path, R_OK)) {
        char reason[100];
        return ty_fail(diag, TY_ERR_FILE, "%s: cannot be opened (%s)", job->path,
                       strerror_r(errno, reason, sizeof reason));
    }
    tyi_body_compiler_lock();
    bool done = tyi_body_guarded(load, job);
    tyi_body_compiler_unlock();
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

/* a text goes to MuJoCo under a name that tells what it is; a URDF file as changed text */
static ty_status load_text(load_job *job, const char *name, const char *text, size_t size, ty_diag *diag)
{
    ty_status status = TY_OK;
    mjVFS files;
    mj_defaultVFS(&files);
    job->name = name;
    if (mj_addBufferVFS(&files, job->name, text, (int)size)) {
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
    if (m->nflex > 0) {
        return ty_fail(diag, TY_ERR_INPUT, "%s: has soft bodies (flex), but only rigid ones are supported", path);
    }
    for (int i = 1, first = 0; i < m->nbody; i++) {
        const char *name = mj_id2name(m, mjOBJ_BODY, i), *other = mj_id2name(m, mjOBJ_BODY, first);
        if (m->body_mocapid[i] >= 0) {
            return ty_fail(diag, TY_ERR_INPUT, "%s: body '%s' is moved from outside (mocap), which is not supported",
                           path, name ? name : "");
        }
        if (m->body_parentid[i] == 0 && first) {
            return ty_fail(
                diag, TY_ERR_INPUT,
                "%s: bodies '%s' and '%s' both hang on the world, but a rover is one tree of bodies; others are "
                "`objects` of a scenario",
                path, other ? other : "", name ? name : "");
        }
        first = m->body_parentid[i] == 0 ? i : first;
    }
    return TY_OK;
}

/* bodies that look like files of the model's own: their other shapes are for contact alone */
static void dress(tyi_body_mbd *mbd, const tyi_body_urdf *urdf)
{
    for (size_t i = 0; urdf && i < urdf->looks; i++) {
        int id = mj_name2id(mbd->own.m, mjOBJ_BODY, urdf->look[i].link);
        if (id > 0) {
            mbd->dressed[id] = true;
        }
    }
}

/* a model that was loaded becomes bodies; status: of the loading */
static ty_status create(const load_job *job, ty_status status, const tyi_body_urdf *urdf, double gravity,
                        ty_body_integrator integrator, const ty_alloc *alloc, tyi_body_mbd **out, ty_diag *diag)
{
    tyi_body_mbd *mbd = status == TY_OK ? tyi_get(alloc, sizeof *mbd) : NULL;
    if (mbd) {
        *mbd = (tyi_body_mbd){ .alloc = alloc, .urdf = urdf != NULL, .spec = job->spec, .actuators = job->actuators };
        mbd->self = mbd;
        mbd->in = &mbd->own;
        mbd->own = (tyi_body_group){ .m = job->m, .d = job->d, .alloc = alloc, .member = &mbd->self, .members = 1 };
        mbd->dressed = tyi_get(alloc, (size_t)job->m->nbody * sizeof *mbd->dressed);
        status = mbd->dressed ? status : ty_fail(diag, TY_ERR_MEMORY, "%s: no memory for the model", job->path);
    } else {
        mj_deleteData(job->d);
        mj_deleteModel(job->m);
        mj_deleteSpec(job->spec);
        status = status == TY_OK ? ty_fail(diag, TY_ERR_MEMORY, "%s: no memory for the model", job->path) : status;
    }
    if (status == TY_OK && urdf) {
        status = check_tree(job->path, urdf->root, job->m, diag);
    }
    if (status == TY_OK) {
        status = check_model(job->path, job->m, diag);
    }
    if (status == TY_OK) {
        status = tyi_body_group_init(&mbd->own, alloc, diag);
    }
    if (status != TY_OK) {
        tyi_body_mbd_destroy(mbd);
        return status;
    }
    job->m->opt.gravity[0] = job->m->opt.gravity[1] = 0.0;
    job->m->opt.gravity[2] = -gravity;
    /* a state that is not finite is reported, not reset */
    job->m->opt.disableflags |= mjDSBL_AUTORESET;
    job->m->opt.integrator = integrator == TY_INTEGRATOR_RK4 ? mjINT_RK4 : mjINT_EULER;
    dress(mbd, urdf);
    *out = mbd;
    return TY_OK;
}

ty_status tyi_body_mbd_create(const char *path, const tyi_body_urdf *urdf, double gravity,
                              ty_body_integrator integrator, const ty_alloc *alloc, tyi_body_mbd **out, ty_diag *diag)
{
    load_job job = { .path = path, .name = path };
    *out = NULL;
    ty_status status = urdf ? load_text(&job, "rover.urdf", urdf->text, urdf->size, diag) : load_locked(&job, diag);
    return create(&job, status, urdf, gravity, integrator, alloc, out, diag);
}

ty_status tyi_body_mbd_create_text(const char *name, const char *text, double gravity, tyi_body_mbd **out,
                                   ty_diag *diag)
{
    load_job job = { .path = name };
    *out = NULL;
    ty_status status = load_text(&job, "thing.xml", text, strlen(text), diag);
    return create(&job, status, NULL, gravity, TY_INTEGRATOR_EULER, NULL, out, diag);
}

void tyi_body_mbd_destroy(tyi_body_mbd *mbd)
{
    if (mbd) {
        if (mbd->dressed) {
            tyi_put(mbd->alloc, mbd->dressed, (size_t)mbd->own.m->nbody * sizeof *mbd->dressed);
        }
        tyi_body_group_free(&mbd->own);
        mj_deleteSpec(mbd->spec);
        tyi_put(mbd->alloc, mbd->hull, (size_t)mbd->hulls * sizeof *mbd->hull);
        tyi_put(mbd->alloc, mbd, sizeof *mbd);
    }
}

ty_status tyi_body_mbd_set_hulls(tyi_body_mbd *mbd, const tyi_body_hull *hull, int hulls, ty_diag *diag)
{
    size_t bytes = (size_t)hulls * sizeof *hull;
    tyi_body_hull *copy = bytes ? tyi_get(mbd->alloc, bytes) : NULL;
    if (bytes && !copy) {
        return ty_fail(diag, TY_ERR_MEMORY, "vehicle: no memory for %d shapes", hulls);
    }
    tyi_put(mbd->alloc, mbd->hull, (size_t)mbd->hulls * sizeof *mbd->hull);
    if (copy) {
        memcpy(copy, hull, bytes);
    }
    mbd->hull = copy;
    mbd->hulls = hulls;
    return TY_OK;
}

int tyi_body_mbd_hulls(const tyi_body_mbd *mbd, const tyi_body_hull **out)
{
    *out = mbd->hull;
    return mbd->hulls;
}

/* ---- what the model is ---- */

int tyi_body_mbd_bodies(const tyi_body_mbd *mbd)
{
    return (int)mbd->own.m->nbody - 1;
}

const char *tyi_body_mbd_body_name(const tyi_body_mbd *mbd, int body)
{
    const char *name = mj_id2name(mbd->own.m, mjOBJ_BODY, body + 1);
    return name ? name : "";
}

int tyi_body_mbd_find_body(const tyi_body_mbd *mbd, const char *name)
{
    int id = mj_name2id(mbd->own.m, mjOBJ_BODY, name);
    return id > 0 ? id - 1 : -1;
}

int tyi_body_mbd_joints(const tyi_body_mbd *mbd)
{
    return (int)mbd->own.m->njnt;
}

const char *tyi_body_mbd_joint_name(const tyi_body_mbd *mbd, int joint)
{
    const char *name = mj_id2name(mbd->own.m, mjOBJ_JOINT, joint);
    return name ? name : "";
}

int tyi_body_mbd_find_joint(const tyi_body_mbd *mbd, const char *name)
{
    return mj_name2id(mbd->own.m, mjOBJ_JOINT, name);
}

bool tyi_body_mbd_joint_hinge(const tyi_body_mbd *mbd, int joint)
{
    return mbd->own.m->jnt_type[joint] == mjJNT_HINGE;
}

int tyi_body_mbd_joint_body(const tyi_body_mbd *mbd, int joint)
{
    return mbd->own.m->jnt_bodyid[joint] - 1;
}

bool tyi_body_mbd_joint_range(const tyi_body_mbd *mbd, int joint, double *low, double *high)
{
    *low = mbd->own.m->jnt_range[2 * joint];
    *high = mbd->own.m->jnt_range[2 * joint + 1];
    return mbd->own.m->jnt_limited[joint];
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
        id = mbd->own.m->body_parentid[id];
    }
    return id > 0;
}

bool tyi_body_mbd_body_free(const tyi_body_mbd *mbd, int body)
{
    return free_joint(mbd->own.m, body) >= 0;
}

double tyi_body_mbd_joint_inertia(const tyi_body_mbd *mbd, int joint)
{
    return mbd->own.m->dof_M0[mbd->own.m->jnt_dofadr[joint]];
}

int tyi_body_mbd_actuators(const tyi_body_mbd *mbd)
{
    return mbd->actuators;
}

double tyi_body_mbd_mass(const tyi_body_mbd *mbd)
{
    return mj_getTotalmass(mbd->own.m);
}

double tyi_body_mbd_body_mass(const tyi_body_mbd *mbd, int body)
{
    return mbd->own.m->body_mass[body + 1];
}

int tyi_body_mbd_dofs(const tyi_body_mbd *mbd)
{
    return (int)mbd->own.m->nv;
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
                              .pose = { tyi_body_vec(m->geom_pos + 3 * geom), tyi_body_quat(m->geom_quat + 4 * geom) },
                              .size = tyi_body_vec(m->geom_size + 3 * geom) };
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
    const mjModel *m = mbd->own.m;
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
    for (int g = 0; g < mbd->own.m->ngeom; g++) {
        ty_body_shape s;
        if (!hidden(mbd, g) && shape_of(mbd->own.m, g, &s)) {
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
    const mjModel *own = mbd->own.m;
    int joint = free_joint(own, body);
    mjData *d = mbd->in->d;
    if (mbd->in == &mbd->own) {
        mj_resetData(own, d);
    }
    tyi_body_copy(d->qpos + mbd->q0, own->qpos0, own->nq);
    tyi_body_zero(d->qvel + mbd->dof0, own->nv);
    tyi_body_zero(d->qacc_warmstart + mbd->dof0, own->nv);
    mbd->root = body + 1;
    mbd->root_dof = own->jnt_dofadr[joint];
    double *q = d->qpos + mbd->q0 + own->jnt_qposadr[joint];
    q[0] = pose.p.x, q[1] = pose.p.y, q[2] = pose.p.z;
    q[3] = pose.q.w, q[4] = pose.q.x, q[5] = pose.q.y, q[6] = pose.q.z;
}

void tyi_body_mbd_set_twist(tyi_body_mbd *mbd, int body, ty_vec3 v_W, ty_vec3 omega_B)
{
    const mjModel *own = mbd->own.m;
    double *v = mbd->in->d->qvel + mbd->dof0;
    tyi_body_zero(v, own->nv);
    v += own->jnt_dofadr[free_joint(own, body)];
    v[0] = v_W.x, v[1] = v_W.y, v[2] = v_W.z; /* of the origin in W, then the angular velocity in B */
    v[3] = omega_B.x, v[4] = omega_B.y, v[5] = omega_B.z;
}

ty_vec3 tyi_body_mbd_centre(const tyi_body_mbd *mbd)
{
    return tyi_body_vec(mbd->in->d->subtree_com + 3 * (mbd->body0 + mbd->root));
}

ty_pose tyi_body_mbd_pose(const tyi_body_mbd *mbd, int body)
{
    int id = mbd->body0 + body + 1;
    return (ty_pose){ tyi_body_vec(mbd->in->d->xpos + 3 * id), tyi_body_quat(mbd->in->d->xquat + 4 * id) };
}

void tyi_body_mbd_twist(const tyi_body_mbd *mbd, int body, ty_vec3 at_W, ty_vec3 *v_W, ty_vec3 *omega_W)
{
    /* spatial velocities refer to the centre of mass of the tree the body belongs to */
    int id = mbd->body0 + body + 1;
    const double *c = mbd->in->d->cvel + 6 * id;
    ty_vec3 centre = tyi_body_vec(mbd->in->d->subtree_com + 3 * mbd->in->m->body_rootid[id]);
    *omega_W = tyi_body_vec(c);
    *v_W = ty_add(tyi_body_vec(c + 3), ty_cross(*omega_W, ty_sub(at_W, centre)));
}

void tyi_body_mbd_joint_frame(const tyi_body_mbd *mbd, int joint, ty_vec3 *anchor_W, ty_vec3 *axis_W)
{
    *anchor_W = tyi_body_vec(mbd->in->d->xanchor + 3 * (mbd->joint0 + joint));
    *axis_W = tyi_body_vec(mbd->in->d->xaxis + 3 * (mbd->joint0 + joint));
}

void tyi_body_mbd_joint_state(const tyi_body_mbd *mbd, int joint, double *angle, double *rate)
{
    *angle = mbd->in->d->qpos[mbd->in->m->jnt_qposadr[mbd->joint0 + joint]];
    *rate = mbd->in->d->qvel[mbd->in->m->jnt_dofadr[mbd->joint0 + joint]];
}

/* ---- forces ---- */

void tyi_body_mbd_torque(tyi_body_mbd *mbd, int joint, double torque)
{
    mbd->in->motor[mbd->in->m->jnt_dofadr[mbd->joint0 + joint]] += torque;
}

/* What xfrc_applied would become inside the step, worked out here so that its work can be told from the motors'. */
void tyi_body_mbd_force(tyi_body_mbd *mbd, int body, ty_vec3 at_W, ty_vec3 force, ty_vec3 torque)
{
    const double f[3] = { force.x, force.y, force.z }, t[3] = { torque.x, torque.y, torque.z },
                 p[3] = { at_W.x, at_W.y, at_W.z };
    mj_applyFT(mbd->in->m, mbd->in->d, f, t, p, mbd->body0 + body + 1, mbd->in->soil);
}

ty_status tyi_body_mbd_end(tyi_body_mbd *mbd, uint64_t step, double dt, ty_diag *diag)
{
    return tyi_body_group_step(&mbd->own, step, dt, diag);
}

void tyi_body_mbd_work(const tyi_body_mbd *mbd, double work[3])
{
    memcpy(work, mbd->work, sizeof mbd->work);
}

/* ---- judgement ---- */

static void bring_home(void *user)
{
    tyi_body_mbd *mbd = user;
    mjModel *m = mbd->own.m;
    mjData *d = mbd->own.d;
    tyi_body_copy(d->qpos, mbd->in->raw + mbd->q0, m->nq);
    tyi_body_copy(d->qvel, mbd->in->d->qvel + mbd->dof0, m->nv);
    mj_fwdPosition(m, d);
    mj_fwdVelocity(m, d);
}

void tyi_body_mbd_energy(tyi_body_mbd *mbd, double *kinetic, double *potential, ty_vec3 *linear, ty_vec3 *angular)
{
    mjModel *m = mbd->own.m;
    mjData *d = mbd->own.d;
    if (mbd->in != &mbd->own) { /* its own part, worked out in its own model */
        tyi_body_guarded(bring_home, mbd);
    }
    m->opt.enableflags |= mjENBL_ENERGY; /* without it these two do nothing */
    mj_energyPos(m, d);
    mj_energyVel(m, d);
    m->opt.enableflags &= ~mjENBL_ENERGY;
    mj_subtreeVel(m, d);
    if (kinetic) {
        *kinetic = d->energy[1];
    }
    if (potential) {
        *potential = d->energy[0];
    }
    if (linear) {
        *linear = ty_scale(m->body_subtreemass[0], tyi_body_vec(d->subtree_linvel));
    }
    if (angular) {
        *angular = tyi_body_vec(d->subtree_angmom);
    }
}

double tyi_body_mbd_loop_error(const tyi_body_mbd *mbd)
{
    const mjData *d = mbd->in->d;
    double worst = 0.0;
    for (int i = 0; i < d->nefc; i++) {
        if (d->efc_type[i] == mjCNSTR_EQUALITY) {
            worst = fmax(worst, fabs(d->efc_pos[i]));
        }
    }
    return worst;
}

/* ---- saving ---- */

/* qpos, qvel, and the warm start of the constraint solver, without which the next step differs in its last bits */
size_t tyi_body_mbd_state_count(const tyi_body_mbd *mbd)
{
    return (size_t)(mbd->own.m->nq + 2 * mbd->own.m->nv);
}

void tyi_body_mbd_save(const tyi_body_mbd *mbd, double *out)
{
    const mjModel *m = mbd->own.m;
    const mjData *d = mbd->in->d;
    tyi_body_copy(out, mbd->in->raw + mbd->q0, m->nq);
    tyi_body_copy(out + m->nq, d->qvel + mbd->dof0, m->nv);
    tyi_body_copy(out + m->nq + m->nv, d->qacc_warmstart + mbd->dof0, m->nv);
}

void tyi_body_mbd_restore(tyi_body_mbd *mbd, const double *in)
{
    const mjModel *m = mbd->own.m;
    mjData *d = mbd->in->d;
    if (mbd->in == &mbd->own) {
        mj_resetData(m, d);
    }
    tyi_body_copy(d->qpos + mbd->q0, in, m->nq);
    tyi_body_copy(d->qvel + mbd->dof0, in + m->nq, m->nv);
    tyi_body_copy(d->qacc_warmstart + mbd->dof0, in + m->nq + m->nv, m->nv);
}
