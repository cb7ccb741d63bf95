/* examples/stereo_waypoints.c - a rover follows waypoints by stereo depth and goes round what stands in its way.
 *
 * It goes as rovers do in earnest: stand, look, plan, move a little, stand again. Every 5 s two cameras look at the
 * same time. A block matcher (block_matcher.c) makes depths of the two images; what stands up from the ground, or is
 * too dark to tell, is put on a map (hazard_map.c), which knows the way around it. Then the rover drives the next
 * metre of that way, turns on the spot where it bends sharply, or backs off where there is no room or ground it has
 * never seen. Where it is, it knows from its sensors: heading by a gyroscope, way by the encoders of its wheels,
 * both held by a position fix that is good to some decimetres; lean by gyroscope and accelerometer. Nobody tells it
 * where rocks are: the referee (course.c), who knows, watches. Wheels do meet these rocks: touching one gives a
 * force.
 *
 *     stereo_waypoints [--seed N] [--picture FILE.png] [--blind] [--scenario FILE] [--set KEY=VALUE]...
 *
 * The seed makes another field of boulders. Waypoints are put where a boulder is in the way. --blind takes no notice
 * of hazards. Exit code: 0 the rover reached the last waypoint and touched no rock, 1 it did not, 2 wrong input.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include "block_matcher.h"
#include "course.h"
#include "hazard_map.h"

#define LEGS   2
#define FAR    4.8   /* [m] a pixel of disparity is half a metre of depth there */
#define CLOSE  2.1   /* [m] nearer ground shows too little texture; by then it is on the map */
#define DARK   0.04f /* [-] from black, which the sky shows, to the brightest pixel */
#define DIM    5.5   /* [m] so far away a dark place counts, as deep as DEEP: what is farther may lie behind a rock */
#define DEEP   1.0   /* [m] */
#define SHADOW 1.2   /* [m] half the width of the rover's own shadow */
#define MAST   2.0   /* [m] how high the rover is */
#define PIXELS (512 * 512)
#define REACH  0.7                   /* [m] so near to it a waypoint is reached */
#define AHEAD  1.3                   /* [m] along the way: where it steers to */
#define STRIDE 1.0                   /* [m] between two looks */
#define MARGIN 0.2                   /* [m] to be kept free around the rover */
#define SPEED  0.3                   /* [m/s] */
#define PEEK   0.7                   /* [rad] that it turns at most between two looks: half of what it sees at once */
#define SPIN   0.3                   /* [rad/s] */
#define MOVE   (37 * TY_SECOND / 10) /* of driving between two looks */
#define REST   (TY_SECOND / 2)       /* it has to stand before a look is good for anything */

/* ---- where the rover believes to be ---- */

typedef struct mind {
    double x, y, yaw;    /* [m], [rad] W */
    ty_vec3 force;       /* [m/s^2] in B: what holds it against its weight */
    double wheel[3];     /* what the wheels' odometry said last: x, y, heading */
    ty_time now;         /* of the last reading */
    ty_time until, rest; /* when a drive ends; since when it stands */
    enum { STAND, TURN, DRIVE, BACK } move;
    double to;  /* [rad] heading to turn to */
    bool fresh; /* it has turned, and looked but once since */
    int backs;  /* times that it backed off, of which there should be few */
    hazard_map map;
} mind;

/* The run calls these for each reading of the IMU, of the encoders, and for each position fix. */
static void feel(void *user, const ty_message *m)
{
    mind *r = user;
    double dt = ty_seconds(m->time.end - m->time.start);
    double v[6];
    for (int i = 0; i < 6; i++) {
        v[i] = ty_buffer_get(&m->part[0].data, 0, 0, i);
    }
    r->yaw += v[2] * dt;
    /* lean: the gyroscope tells how it changes, the accelerometer what it is, over 4 s, as braking looks like leaning
     * to it */
    ty_vec3 turned = ty_sub(r->force, ty_scale(dt, ty_cross(ty_vec3_make(v[0], v[1], v[2]), r->force)));
    double trust = fmax(dt / 4.0, 1.0 / (1.0 + (double)m->sequence)); /* at first their mean */
    r->force = ty_add(turned, ty_scale(trust, ty_sub(ty_vec3_make(v[3], v[4], v[5]), turned)));
    r->now = m->time.end;
}

static void count(void *user, const ty_message *m)
{
    mind *r = user;
    int at = ty_message_schema_find(m->schema, TY_QUANTITY_POSITION, 0); /* odometry_x_m, _y_m, _z_m, _yaw_rad */
    double x = ty_buffer_get(&m->part[0].data, 0, 0, at), y = ty_buffer_get(&m->part[0].data, 0, 0, at + 1);
    /* the wheels' heading is poor: only how far it went */
    double turn = r->yaw - r->wheel[2], dx = x - r->wheel[0], dy = y - r->wheel[1];
    if (m->sequence > 0) {
        r->x += cos(turn) * dx - sin(turn) * dy, r->y += sin(turn) * dx + cos(turn) * dy;
    }
    r->wheel[0] = x, r->wheel[1] = y, r->wheel[2] = ty_buffer_get(&m->part[0].data, 0, 0, at + 3);
}

static void fix(void *user, const ty_message *m)
{
    mind *r = user; /* a fifth of the way: half a decimetre of noise, and wheels that slip a tenth leave no more */
    r->x += 0.2 * (ty_buffer_get(&m->part[0].data, 0, 0, 0) - r->x);
    r->y += 0.2 * (ty_buffer_get(&m->part[0].data, 0, 0, 1) - r->y);
}

/* ---- seeing ---- */

typedef struct eyes {
    size_t left, right; /* sensors */
    ty_pose pose;       /* of the left one in B */
    double base, hfov;  /* [m], [rad] */
    ty_vec3 sun;        /* towards it, in W: by the almanac */
} eyes;

/* Whether a place on the ground lies where the rover's own shadow may. */
static bool own_shadow(const mind *r, const eyes *e, ty_vec3 p)
{
    double level = hypot(e->sun.x, e->sun.y), sx = e->sun.x / level, sy = e->sun.y / level, dx = p.x - r->x,
           dy = p.y - r->y;
    double away = -(dx * sx + dy * sy), aside = fabs(dx * sy - dy * sx);
    return away > -SHADOW && away < MAST * level / e->sun.z + SHADOW && aside < SHADOW;
}

/* Places on the ground, a plane, that are dark: for each column, of each dark stretch the near end. Returns how many.
 * */
static size_t find_dark(const mind *r, const eyes *e, ty_pose eye, const double plane[3], const float *image, int w,
                        int h, float black, ty_vec3 *out)
{
    double f = 0.5 * w / tan(0.5 * e->hfov);
    size_t n = 0;
    for (int x = 0; x < w; x++) {
        double from = -1.0, far = 0.0;
        for (int y = h - 1; y >= 0 && far < DIM; y--) {
            ty_vec3 d = ty_rotate(eye.q, ty_vec3_make(1.0, -(x + 0.5 - 0.5 * w) / f, -(y + 0.5 - 0.5 * h) / f));
            double falls = plane[1] * d.x + plane[2] * d.y - d.z,
                   high = eye.p.z - plane[0] - plane[1] * eye.p.x - plane[2] * eye.p.y;
            ty_vec3 p = ty_add(eye.p, ty_scale(falls > 0.05 ? high / falls : 1e3, d));
            far = hypot(p.x - eye.p.x, p.y - eye.p.y);
            if (image[y * w + x] > black || own_shadow(r, e, p)) {
                from = -1.0;
                continue;
            }
            from = from < 0.0 ? far : from;
            if (far < DIM && far < from + DEEP) {
                out[n++] = p;
            }
        }
    }
    return n;
}

/* Two images to hazards on the map. */
static void look(mind *r, const eyes *e, const ty_buffer *left, const ty_buffer *right)
{
    static float image[2][PIXELS], disparity[PIXELS];
    static ty_vec3 point[PIXELS], dark[PIXELS];
    int w = left->type.width, h = left->type.height;
    double f = 0.5 * w / tan(0.5 * e->hfov); /* [px] */
    float brightest = 0.0f, black = 0.0f;
    for (int i = 0; i < w * h; i++) {
        image[0][i] = (float)ty_buffer_get(left, i % w, i / w, 0);
        image[1][i] = (float)ty_buffer_get(right, i % w, i / w, 0);
        brightest = image[0][i] > brightest ? image[0][i] : brightest;
        black += i < 8 * w ? image[0][i] / (float)(8 * w) : 0.0f;
    }
    black += DARK * (brightest - black);
    /* the rover stands on the ground, so that this is always about the same plane for its cameras: z = 0 of the body */
    ty_vec3 down = ty_rotate(ty_quat_conj(e->pose.q), ty_vec3_make(0, 0, -1));
    double k = f * e->base / e->pose.p.z, plane[3] = { 0.0, -k * down.y / f, -k * down.z / f };
    plane[0] = k * down.x - (plane[1] * (w - 1) + plane[2] * (h - 1)) / 2.0;
    if (!block_match(image[0], image[1], w, h, plane, disparity)) {
        return;
    }
    double roll = atan2(r->force.y, r->force.z), pitch = atan2(-r->force.x, r->force.z);
    ty_quat q =
        ty_quat_mul(ty_quat_axis(ty_vec3_make(0, 0, 1), r->yaw),
                    ty_quat_mul(ty_quat_axis(ty_vec3_make(0, 1, 0), pitch), ty_quat_axis(ty_vec3_make(1, 0, 0), roll)));
    ty_pose eye = ty_pose_mul((ty_pose){ { r->x, r->y, 0.0 }, q }, e->pose);
    size_t n = 0;
    for (int i = 0; i < w * h; i++) {
        bool lit = image[0][i] > black; /* in the sky and in shadows there is only noise to be matched */
        double z = lit && disparity[i] > 0.0f ? f * e->base / (double)disparity[i] : 1e9;
        bool whole = i % w >= 6 && i % w < w - 6 && i / w >= 6 && i / w < h - 6; /* blocks at the rim are cut */
        if (whole && z < FAR && z > CLOSE) {                                     /* forward, left, up of the eye */
            point[n++] =
                ty_pose_point(eye, ty_vec3_make(z, -z * (i % w + 0.5 - 0.5 * w) / f, -z * (i / w + 0.5 - 0.5 * h) / f));
        }
    }
    ty_vec3 up = ty_rotate(q, ty_vec3_make(0, 0, 1));
    double around[3] = { (up.x * r->x + up.y * r->y) / up.z, -up.x / up.z, -up.y / up.z }; /* the rover stands on it */
    map_plane(point, n, around);
    size_t darks = find_dark(r, e, eye, around, image[0], w, h, black, dark);
    map_take(&r->map, eye.p, around, point, n, dark, darks);
}

/* ---- moving ---- */

/* direction [rad], from straight ahead, of the point to steer to */
static double bearing(const mind *r)
{
    double x, y;
    map_ahead(&r->map, r->x, r->y, AHEAD, &x, &y);
    return remainder(atan2(y - r->y, x - r->x) - r->yaw, 2.0 * TY_PI);
}

static double bend(const mind *r) /* [1/m] of the arc to that point: pure pursuit */
{
    return fmin(fmax(2.0 * sin(bearing(r)) / AHEAD, -0.4), 0.4);
}

/* After a look: what to do until the next one. */
static void decide(mind *r, double half_length, double half_width, bool blind)
{
    double aside = bearing(r), seen, behind;
    bool blocked =
        map_blocked(&r->map, r->x, r->y, r->yaw, bend(r), STRIDE, half_length + MARGIN, half_width + MARGIN, &seen);
    /* it cannot see the ground at its feet: so it backs until it has */
    blocked = !blind && (blocked || (seen < 0.6 && r->backs < 4));
    r->until = r->now + MOVE;
    r->move = DRIVE;
    if (fabs(aside) > 0.35 || (blocked && fabs(aside) > 0.1)) {
        r->move = TURN, r->to = r->yaw + fmin(fmax(aside, -PEEK), PEEK);
    } else if (blocked) {
        r->move = map_blocked(&r->map, r->x, r->y, r->yaw + TY_PI, 0.0, STRIDE, half_length, half_width, &behind)
                      ? TURN
                      : BACK;
        r->to = r->yaw + 0.6; /* shut in: it looks around */
    }
    r->backs += r->move == BACK;
    if (r->fresh && r->move == DRIVE) { /* what is there may never have been in view before: a second look */
        r->move = STAND, r->fresh = false;
    }
    r->fresh = r->fresh || r->move == TURN;
}

static ty_drive_command command(mind *r)
{
    double left = remainder(r->to - r->yaw, 2.0 * TY_PI);
    if (r->move != STAND && (r->move == TURN ? fabs(left) < 0.03 : r->now >= r->until)) {
        r->move = STAND, r->rest = r->now;
    }
    switch (r->move) {
    case TURN:
        return (ty_drive_command){ .mode = TY_STEER_POINT, .omega = left < 0.0 ? -SPIN : SPIN };
    case DRIVE:
        return (ty_drive_command){ .v = SPEED, .omega = SPEED * bend(r) };
    case BACK:
        return (ty_drive_command){ .v = -SPEED };
    case STAND:
    default:
        return (ty_drive_command){ .v = 0.0 };
    }
}

/* A pair of images (none: it is blind) into the next move. */
static void think(mind *r, const eyes *e, const course *c, const double *to, const ty_buffer *left,
                  const ty_buffer *right)
{
    double turns = hypot(c->half_length, c->half_width) + MARGIN, passes = c->half_width + 1.5 * MARGIN;
    if (left) {
        look(r, e, left, right);
    }
    map_plan(&r->map, r->x, r->y, r->yaw, to[0], to[1], passes, turns);
    decide(r, c->half_length, c->half_width, !left);
}

/* ---- the loop ---- */

static ty_status begin(ty_run *run, mind *r, eyes *e, ty_diag *diag)
{
    ty_vehicle *rover = ty_run_rover(run, 0);
    ty_vehicle_state s;
    ty_vehicle_get(rover, &s);
    ty_vec3 ahead = ty_rotate(s.pose.q, ty_vec3_make(1, 0, 0));
    r->x = s.pose.p.x, r->y = s.pose.p.y, r->yaw = atan2(ahead.y, ahead.x);
    map_start(&r->map, r->x, r->y, COURSE_ROOM); /* it is told where it starts, and no more */
    const ty_vehicle_mount *mount;
    ty_vehicle_mounts(rover, &mount);
    int ml = ty_vehicle_find_mount(rover, "navcam_left"), mr = ty_vehicle_find_mount(rover, "navcam_right");
    if (ml < 0 || mr < 0 || !ty_run_find_sensor(run, NULL, "left", &e->left) ||
        !ty_run_find_sensor(run, NULL, "right", &e->right)) {
        return ty_fail(diag, TY_ERR_INPUT, "the rover has no cameras left and right on navcam_left and navcam_right");
    }
    e->pose = mount[ml].pose, e->base = ty_norm(ty_sub(mount[ml].pose.p, mount[mr].pose.p));
    e->sun = ty_run_sky(run).sun.dir_W;
    e->hfov = ty_run_sensor(run, e->left).def->as.camera.camera.hfov;
    ty_status status = ty_run_subscribe(run, NULL, "imu", feel, r, diag);
    if (status == TY_OK) {
        status = ty_run_subscribe(run, NULL, "wheels", count, r, diag);
    }
    return status == TY_OK ? ty_run_subscribe(run, NULL, "fix", fix, r, diag) : status;
}

static ty_status drive(ty_run *run, course *c, double (*way)[2], bool blind, bool *there, ty_diag *diag)
{
    static mind r;
    eyes e;
    ty_status status = begin(run, &r, &e, diag);
    uint64_t seen = 0;
    int leg = 0;
    while (status == TY_OK && !ty_run_done(run) && leg < LEGS) {
        status = ty_run_step(run, diag);
        course_watch(c, ty_run_rover(run, 0));
        const ty_message *a = ty_run_newest(run, e.left), *b = ty_run_newest(run, e.right);
        if (status == TY_OK && a && b && a->sequence == b->sequence && a->sequence + 1 != seen) {
            seen = a->sequence + 1;
            if (r.move == STAND && a->time.start >= r.rest + REST) { /* a turn may go on over several pairs of images */
                think(&r, &e, c, way[leg], blind ? NULL : &a->part[0].data, &b->part[0].data);
            }
        }
        if (status == TY_OK && seen && ty_run_time(run) % (TY_SECOND / 10) == 0) {
            leg += hypot(way[leg][0] - r.x, way[leg][1] - r.y) < REACH;
            ty_drive_command next = command(&r);
            status = ty_run_command(run, 0, &next, diag);
        }
    }
    for (int k = 0; k < MAP_CELLS * MAP_CELLS; k++) {
        if (map_hazard(&r.map, k)) {
            course_mark(c, r.map.x0 + MAP_CELL * (k % MAP_CELLS + 0.5), r.map.y0 + MAP_CELL * (k / MAP_CELLS + 0.5));
        }
    }
    *there = leg == LEGS;
    return status;
}

int main(int argc, char **argv)
{
    static course c;
    course_options o = { .file = "examples/stereo_waypoints.yaml", .seed = 1 };
    if (!course_options_read(&o, argc, argv, "stereo_waypoints", "--blind")) {
        return 2;
    }
    char seed[64], what[80];
    snprintf(seed, sizeof seed, "terrain.seed=%llu", (unsigned long long)o.seed);
    o.setting[o.settings++] = seed;
    ty_diag diag = { 0 };
    ty_scenario *scenario = NULL;
    ty_world *world = NULL;
    ty_run *run = NULL;
    ty_run_def def = ty_run_def_default();
    double way[LEGS][2];
    int code = 2;
    ty_status status = ty_scenario_load(o.file, o.setting, o.settings, &scenario, &diag);
    if (status == TY_OK) {
        status = ty_scenario_create_world(scenario, &world, &diag);
    }
    if (status == TY_OK) {
        course_waypoints(&c, ty_world_terrain(world), &scenario->rover[0], way, LEGS);
        def.scenario = scenario;
        def.detail = 512;
        status = ty_run_create(&def, &run, &diag);
    }
    if (status == TY_OK) {
        bool there = false;
        c.bodies = true;
        course_start(&c, ty_run_rover(run, 0));
        status = drive(run, &c, way, o.plain, &there, &diag);
        ty_vehicle_state end;
        ty_vehicle_get(ty_run_rover(run, 0), &end);
        snprintf(what, sizeof what, "stereo_waypoints, seed %llu", (unsigned long long)o.seed);
        double miss = hypot(end.pose.p.x - c.goal_x, end.pose.p.y - c.goal_y);
        code = course_report(&c, what, there && miss < 2.0 * REACH, ty_seconds(ty_run_time(run)));
        if (status == TY_OK && o.picture) {
            status = course_draw(&c, ty_world_terrain(world), "Waypoints behind boulders, by stereo depth", o.picture,
                                 &diag);
        }
    }
    if (status != TY_OK) {
        fprintf(stderr, "stereo_waypoints: %s\n", diag.text);
        code = 2;
    }
    ty_run_destroy(run);
    ty_world_destroy(world);
    ty_scenario_destroy(scenario);
    return code;
}
