/* examples/stereo_waypoints.c - a rover follows waypoints by stereo depth and goes round what stands in its way.
 *
 * Every 3 s two cameras look at the same time. A block matcher (block_matcher.c) makes depths of the two images; points that stand up
 * from the ground become hazards on a map (hazard_map.c), which is never forgotten; the rover follows the cheapest way around them to the
 * next waypoint, and turns on the spot, then looks again, where that way bends sharply.
 * Where it is the rover reckons itself: way by the encoders of its wheels, heading by a gyroscope, lean by an accelerometer. Nobody
 * tells it where rocks are; the referee (course.c), who knows, watches. Wheels do meet these rocks: touching one gives a force.
 *
 *     stereo_waypoints [--seed N] [--picture FILE.png] [--blind] [--scenario FILE] [--set KEY=VALUE]...
 *
 * The seed makes another field of boulders. Waypoints are put where a boulder is in the way, if there is one. --blind takes no notice of
 * hazards. Exit code: 0 the rover reached the last waypoint and touched no rock, 1 it did not, 2 wrong input.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "block_matcher.h"
#include "course.h"
#include "hazard_map.h"

#define SPEED  0.2 /* [m/s] */
#define LEGS   2
#define LEG    7.0 /* [m] */
#define FAR    6.5 /* [m] a pixel of disparity is half a metre of depth there */
#define CLOSE  2.3 /* [m] nearer ground shows too little texture; by then it is on the map */
#define NEAR   0.7 /* [m] a waypoint is reached */
#define AHEAD  1.5 /* [m] along the way: where it steers to */
#define DARK   0.05f /* [-] of the brightest pixel */
#define PIXELS (1024 * 1024)

/* ---- the course ---- */

/* distance [m] from a place to the edge of the nearest rock */
static double room_at(const course *c, double x, double y)
{
    double least = 1e9;
    for (size_t i = 0; i < c->rocks; i++) {
        least = fmin(least, hypot(c->x[i] - x, c->y[i] - y) - c->r[i]);
    }
    return least;
}

static void find_rocks(course *c, const ty_terrain *terrain)
{
    static ty_rock rock[COURSE_ROCKS];
    size_t n = ty_terrain_rocks(terrain, (ty_rect){ -30, -30, 30, 30 }, 0.0, 100.0, rock, COURSE_ROCKS);
    for (size_t i = 0; i < n && i < COURSE_ROCKS; i++) {
        course_rock(c, rock[i].x, rock[i].y, rock[i].scale * (double)ty_terrain_rock_shape(terrain, rock[i].shape)->radius);
    }
}

/* A start with room around it, and waypoints with room around them to which the straight line leads over a rock. */
static void set_course(course *c, ty_scenario_rover *rover, double (*way)[2])
{
    while (room_at(c, rover->x, rover->y) < 2.5) {
        rover->x += 0.5;
    }
    double x = rover->x, y = rover->y;
    for (int leg = 0; leg < LEGS; leg++) {
        double best = 1e9;
        for (double a = -0.8; a <= 0.8; a += 0.05) {
            double ex = x + LEG * cos(a), ey = y + LEG * sin(a);
            double least = room_at(c, ex, ey) < 1.8 ? 100.0 + fabs(a) : 50.0;
            for (double s = 3.0; s < LEG - 2.0; s += 0.1) {
                least = fmin(least, room_at(c, x + s * cos(a), y + s * sin(a)) + (room_at(c, ex, ey) < 1.8 ? 100.0 : 0.0));
            }
            if (least < best) {
                best = least, way[leg][0] = ex, way[leg][1] = ey;
            }
        }
        x = way[leg][0], y = way[leg][1];
    }
    rover->yaw = atan2(way[0][1] - rover->y, way[0][0] - rover->x);
    c->goal_x = x, c->goal_y = y;
}

/* ---- the rover's mind ---- */

typedef struct mind {
    double x, y, z, yaw;                     /* where it believes to be */
    double roll, pitch;                      /* [rad] by the direction in which it feels its weight */
    double way, sense;                       /* [m] of the encoders so far; 1 forward, -1 back: they do not say */
    ty_time imu_time, looked;                /* of the last reading, of the last image */
    struct { ty_time t; double x, y, z, yaw, roll, pitch; } past[64]; /* one every 0.1 s: where it was when an image was taken */
    int pasts;
    hazard_map map;
    bool turning;                            /* on the spot */
    int wait;                                /* looks to be had before it drives on */
} mind;

/* The run calls this for each reading of the IMU. */
static void feel(void *user, const ty_message *m)
{
    mind *r = user;
    double dt = ty_seconds(m->time.end - r->imu_time), f[6];
    for (int i = 0; i < 6; i++) {
        f[i] = ty_buffer_get(&m->part[0].data, 0, 0, i); /* wx wy wz fx fy fz */
    }
    /* turning rates are quick and right, but drift; the weight is right in the long run, but every start and stop tilts it: so it may
     * pull only weakly, once the rover moves */
    double slow = dt / (m->time.end < 2 * TY_SECOND ? 0.2 : 10.0), most = m->time.end < 2 * TY_SECOND ? 1.0 : 0.02;
    r->yaw += f[2] * dt;
    r->roll += f[0] * dt + slow * fmin(fmax(atan2(f[4], f[5]) - r->roll, -most), most);
    r->pitch += f[1] * dt + slow * fmin(fmax(atan2(-f[3], f[5]) - r->pitch, -most), most);
    r->imu_time = m->time.end;
}

/* And this for each reading of the encoders. */
static void count(void *user, const ty_message *m)
{
    mind *r = user;
    double way = ty_buffer_get(&m->part[0].data, 0, 0, m->part[0].data.type.channels - 2); /* odometry_way_m */
    double step = r->sense * (way - r->way);
    r->x += step * cos(r->yaw), r->y += step * sin(r->yaw), r->z -= step * sin(r->pitch);
    r->way = way;
    int k = r->pasts++ % 64;
    r->past[k].t = m->time.end, r->past[k].x = r->x, r->past[k].y = r->y, r->past[k].z = r->z;
    r->past[k].yaw = r->yaw, r->past[k].roll = r->roll, r->past[k].pitch = r->pitch;
}

/* What the last look leaves for the next one. */
typedef struct glance {
    double yaw; /* [rad] of the rover */
    size_t n;
    ty_vec3 point[PIXELS]; /* [m] where the rover believed them to be */
    uint32_t word[PIXELS]; /* census of the left image there */
} glance;

/* Wheels slip, a tenth and more on a slope: how far [m] off is the place the rover reckons, forward and left? The one where the points of
 * the last look, seen from here, have the surroundings they had then. now: census of the left image. */
static void slip(const glance *last, const uint32_t *now, int w, int h, double f, ty_pose eye, double yaw, double *ahead, double *left)
{
    double best = 1e9;
    ty_quat back = ty_quat_conj(eye.q);
    *ahead = *left = 0.0;
    for (int k = 0; k < 23 * 11; k++) {
        double a = 0.02 * (k % 23 - 16), b = 0.02 * (k / 23 - 5); /* it may be farther back than it thinks, hardly farther ahead */
        ty_vec3 from = ty_add(eye.p, ty_vec3_make(a * cos(yaw) - b * sin(yaw), a * sin(yaw) + b * cos(yaw), 0.0));
        int bits = 0, seen = 0;
        for (size_t i = 0; i < last->n; i += 1 + last->n / 1500) {
            ty_vec3 p = ty_rotate(back, ty_sub(last->point[i], from));
            double u = 0.5 * w - f * p.y / p.x, v = 0.5 * h - f * p.z / p.x;
            if (p.x > 1.0 && u > 3.0 && v > 3.0 && u < w - 3.0 && v < h - 3.0) {
                bits += __builtin_popcount(last->word[i] ^ now[(int)v * w + (int)u]);
                seen++;
            }
        }
        double misfit = seen > 300 ? (double)bits / seen : 1e9;
        if (misfit < best) {
            best = misfit, *ahead = a, *left = b;
        }
    }
}

/* Two images to hazards on the map. */
static void look(mind *r, const ty_message *left, const ty_message *right, double hfov, ty_pose eye_B, double base)
{
    static float image[2][PIXELS], disparity[PIXELS];
    static uint32_t word[PIXELS];
    static glance last;
    const ty_buffer *b = &left->part[0].data;
    int w = b->type.width, h = b->type.height, then = 0;
    double f = 0.5 * w / tan(0.5 * hfov); /* [px] */
    float brightest = 0.0f;
    for (int i = 0; i < w * h; i++) {
        image[0][i] = (float)ty_buffer_get(b, i % w, i / w, 0);
        brightest = image[0][i] > brightest ? image[0][i] : brightest;
        image[1][i] = (float)ty_buffer_get(&right->part[0].data, i % w, i / w, 0);
    }
    for (int i = 1; i < r->pasts && i < 64; i++) {
        then = llabs(r->past[i].t - left->time.start) < llabs(r->past[then].t - left->time.start) ? i : then;
    }
    ty_quat q = ty_quat_mul(ty_quat_axis(ty_vec3_make(0, 0, 1), r->past[then].yaw),
                            ty_quat_mul(ty_quat_axis(ty_vec3_make(0, 1, 0), r->past[then].pitch), ty_quat_axis(ty_vec3_make(1, 0, 0), r->past[then].roll)));
    ty_pose eye = ty_pose_mul((ty_pose){ { r->past[then].x, r->past[then].y, r->past[then].z }, q }, eye_B);
    double yaw = r->past[then].yaw, a, l;
    block_census(image[0], w, h, word);
    if (fabs(yaw - last.yaw) > 0.5) { /* seen too much from another side: there the wheels are better */
        last.n = 0;
    }
    slip(&last, word, w, h, f, eye, yaw, &a, &l);
#ifdef DBG
    printf("slip %.2f %.2f of %zu\n", a, l, last.n);
#endif
    ty_vec3 off = ty_vec3_make(a * cos(yaw) - l * sin(yaw), a * sin(yaw) + l * cos(yaw), 0.0);
    r->x += off.x, r->y += off.y, eye.p = ty_add(eye.p, off);
    for (int i = 0; i < 64; i++) {
        r->past[i].x += off.x, r->past[i].y += off.y;
    }
    last.n = 0, last.yaw = yaw;
    if (!block_match(image[0], image[1], w, h, 48, disparity)) {
        return;
    }
    for (int i = 0; i < w * h; i++) {
        bool lit = image[0][i] > DARK * brightest; /* in the sky and in shadows there is only noise to be matched */
        double z = lit && disparity[i] > 0.0f ? f * base / (double)disparity[i] : 1e9;
        bool whole = i % w >= 6 && i % w < w - 6 && i / w >= 6 && i / w < h - 6; /* blocks at the rim are cut */
        if (whole && z < FAR && z > CLOSE) { /* forward, left, up of the eye */
            last.word[last.n] = word[i];
            last.point[last.n++] = ty_pose_point(eye, ty_vec3_make(z, -z * (i % w + 0.5 - 0.5 * w) / f, -z * (i / w + 0.5 - 0.5 * h) / f));
        }
    }
    map_take(&r->map, eye.p, last.point, last.n);
    r->wait -= r->wait > 0;
    r->looked = left->time.start;
}

/* The command that takes it along its way. */
static ty_drive_command steer(mind *r, double half_length, double half_width)
{
    double x, y;
    map_ahead(&r->map, r->x, r->y, AHEAD, &x, &y);
    double aside = remainder(atan2(y - r->y, x - r->x) - r->yaw, 2.0 * TY_PI);
    double bend = fmin(fmax(2.0 * sin(aside) / AHEAD, -0.4), 0.4);
    bool blocked = map_blocked(&r->map, r->x, r->y, r->yaw, bend, 1.0, half_length + 0.1, half_width + 0.1);
    if (fabs(aside) > 0.5 || (blocked && fabs(aside) > 0.1)) {
        r->turning = true;
    } else if (r->turning && fabs(aside) < 0.1) {
        r->turning = false;
        r->wait = MAP_SURE; /* what is there may never have been in view before */
    }
    bool still = r->imu_time - r->looked > 2 * TY_SECOND; /* turns by steps, and stands when the cameras look */
    if (r->turning && !still) {
        return (ty_drive_command){ .mode = TY_STEER_POINT, .omega = aside < 0.0 ? -0.15 : 0.15 };
    }
    if (r->turning || r->wait) {
        return (ty_drive_command){ .v = 0.0 };
    }
    r->sense = blocked ? -1.0 : 1.0;
    if (blocked) { /* back to where it came from: that way is free */
        return (ty_drive_command){ .v = -0.5 * SPEED };
    }
    return (ty_drive_command){ .v = SPEED, .omega = SPEED * bend };
}

/* ---- the loop ---- */

static ty_status drive(ty_run *run, course *c, double (*way)[2], bool blind, bool *there, ty_diag *diag)
{
    static mind r;
    ty_vehicle *rover = ty_run_rover(run, 0);
    ty_vehicle_state s;
    ty_vehicle_get(rover, &s);
    ty_vec3 ahead = ty_rotate(s.pose.q, ty_vec3_make(1, 0, 0));
    r.x = s.pose.p.x, r.y = s.pose.p.y, r.yaw = atan2(ahead.y, ahead.x); /* it is told where it starts, and no more */
    r.sense = 1.0;
    map_start(&r.map, r.x, r.y);
    const ty_mount *mount;
    size_t left, right;
    ty_vehicle_mounts(rover, &mount);
    int ml = ty_vehicle_find_mount(rover, "navcam_left"), mr = ty_vehicle_find_mount(rover, "navcam_right");
    if (ml < 0 || mr < 0 || !ty_run_find_sensor(run, NULL, "left", &left) || !ty_run_find_sensor(run, NULL, "right", &right)) {
        return ty_fail(diag, TY_ERR_INPUT, "the rover has no cameras left and right on navcam_left and navcam_right");
    }
    double base = ty_norm(ty_sub(mount[ml].pose.p, mount[mr].pose.p)), hfov = ty_run_sensor(run, left).def->as.camera.camera.hfov;
    ty_status status = ty_run_subscribe(run, NULL, "imu", feel, &r, diag);
    if (status == TY_OK) {
        status = ty_run_subscribe(run, NULL, "wheels", count, &r, diag);
    }
    uint64_t seen = 0;
    int leg = 0;
    while (status == TY_OK && !ty_run_done(run) && leg < LEGS) {
        status = ty_run_step(run, diag);
        course_watch(c, rover);
        const ty_message *a = ty_run_newest(run, left), *b = ty_run_newest(run, right);
        if (status == TY_OK && a && b && a->sequence == b->sequence && a->sequence + 1 != seen) {
            seen = a->sequence + 1;
            if (!blind) {
                look(&r, a, b, hfov, mount[ml].pose, base);
            }
            if (!r.turning) { /* one thing after the other: it turns, looks, and decides again */
                map_plan(&r.map, way[leg][0], way[leg][1], hypot(c->half_length, c->half_width));
            }
#ifdef DBG
            ty_vehicle_get(rover, &s);
            ahead = ty_rotate(s.pose.q, ty_vec3_make(1, 0, 0));
            double ax, ay; map_ahead(&r.map, r.x, r.y, AHEAD, &ax, &ay);
            printf("t %.1f leg %d at %.2f %.2f %.2f drift %.2f %.2f %.3f ahead %.2f %.2f turning %d wait %d\n", ty_seconds(ty_run_time(run)), leg, r.x, r.y, r.yaw, r.x - s.pose.p.x, r.y - s.pose.p.y, r.yaw - atan2(ahead.y, ahead.x), ax - r.x, ay - r.y, r.turning, r.wait);
            for (size_t i = 0; i < c->rocks; i++) {
                double dx = c->x[i] - s.pose.p.x, dy = c->y[i] - s.pose.p.y, d = hypot(dx, dy), side = fabs(ahead.x * dy - ahead.y * dx), fwd = ahead.x * dx + ahead.y * dy;
                if (d < 5.0 && fwd > -2.0) {
                    double far = 9, back = 9; int n1 = 0, n2 = 0;
                    for (int k = 0; k < MAP_CELLS * MAP_CELLS; k++) {
                        double cx = r.map.x0 + MAP_CELL * (k % MAP_CELLS + 0.5), cy = r.map.y0 + MAP_CELL * (k / MAP_CELLS + 0.5);
                        if (hypot(cx - c->x[i], cy - c->y[i]) < c->r[i] + 0.3) { n1 += r.map.looks[k] == 1; n2 += r.map.looks[k] >= 2; far = fmin(far, 0), back = 0; }
                    }
                    printf("   rock %zu r %.2f fwd %.2f side %.2f marks %d %d%s\n", i, c->r[i], fwd, side, n1, n2, n2 == 0 && fwd < 4 && fwd > 0 && side < 0.5 * fwd ? " MISSED" : "");
                }
            }
            int total = 0, fake = 0;
            for (int k = 0; k < MAP_CELLS * MAP_CELLS; k++) {
                double cx = r.map.x0 + MAP_CELL * (k % MAP_CELLS + 0.5), cy = r.map.y0 + MAP_CELL * (k / MAP_CELLS + 0.5);
                if (r.map.looks[k] >= 2) { total++; fake += room_at(c, cx, cy) > 0.5; }
            }
            printf("   cells %d fake %d\n", total, fake);
#endif
        }
        if (status != TY_OK || !seen || ty_run_time(run) % (TY_SECOND / 2)) {
            continue;
        }
        ty_drive_command command = { .v = 0.0 }; /* one every half second */
        if (hypot(way[leg][0] - r.x, way[leg][1] - r.y) < NEAR && ++leg < LEGS) {
            map_plan(&r.map, way[leg][0], way[leg][1], hypot(c->half_length, c->half_width));
        }
        if (leg < LEGS) {
            command = steer(&r, c->half_length, c->half_width);
        }
        status = ty_run_command(run, 0, &command, diag);
    }
    *there = leg == LEGS;
    return status;
}

int main(int argc, char **argv)
{
    static course c;
    const char *file = "examples/stereo_waypoints.yaml", *picture = NULL, *setting[32];
    char seed[64] = "terrain.seed=1";
    bool blind = false;
    size_t count_set = 1;
    for (int i = 1; i < argc; i++) {
        const char *next = i + 1 < argc ? argv[i + 1] : "";
        if (!strcmp(argv[i], "--blind")) {
            blind = true;
            continue;
        }
        i++;
        if (!strcmp(argv[i - 1], "--seed")) {
            snprintf(seed, sizeof seed, "terrain.seed=%s", next);
        } else if (!strcmp(argv[i - 1], "--picture")) {
            picture = next;
        } else if (!strcmp(argv[i - 1], "--scenario")) {
            file = next;
        } else if (!strcmp(argv[i - 1], "--set") && count_set < 32) {
            setting[count_set++] = next;
        } else {
            fprintf(stderr, "stereo_waypoints: '%s' is not an option; there are --seed, --picture, --blind, --scenario, --set\n", argv[i - 1]);
            return 2;
        }
    }
    setting[0] = seed;
    ty_diag diag = { 0 };
    ty_scenario *scenario = NULL;
    ty_world *world = NULL;
    ty_run *run = NULL;
    ty_run_def def = ty_run_def_default();
    double way[LEGS][2];
    int code = 2;
    ty_status status = ty_scenario_load(file, setting, count_set, &scenario, &diag);
    if (status == TY_OK) {
        status = ty_world_create(scenario, &world, &diag);
    }
    if (status == TY_OK) {
        find_rocks(&c, ty_world_terrain(world));
        set_course(&c, &scenario->rover[0], way);
        def.scenario = scenario;
        def.detail = 512;
        status = ty_run_create(&def, &run, &diag);
    }
    if (status == TY_OK) {
        bool there = false;
        c.bodies = true;
        course_start(&c, ty_run_rover(run, 0));
        status = drive(run, &c, way, blind, &there, &diag);
        ty_vehicle_state end;
        ty_vehicle_get(ty_run_rover(run, 0), &end);
        char what[80];
        snprintf(what, sizeof what, "stereo_waypoints, %s", seed + 8);
        double miss = hypot(end.pose.p.x - c.goal_x, end.pose.p.y - c.goal_y);
        code = course_report(&c, what, there && miss < 2.0 * NEAR, ty_seconds(ty_run_time(run)));
        if (status == TY_OK && picture) {
            status = course_draw(&c, ty_world_terrain(world), "Waypoints behind boulders, by stereo depth", picture, &diag);
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
