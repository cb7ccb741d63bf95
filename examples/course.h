/* examples/course.h - what both driving examples share: the referee. It knows where all rocks stand, which the rover
 * does not, watches how near it comes to them, says how the drive went, and draws it from above.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef COURSE_H
#define COURSE_H
#include <tycho/run.h>

#define COURSE_ROCKS 4096
#define COURSE_PATH  4096
#define COURSE_ROOM  2.5 /* [m] without rocks around the start */
#define COURSE_LEG   7.0 /* [m] from waypoint to waypoint */
#define COURSE_TOWARDS \
    0.8 /* [rad] north-east, the Sun to the left: away from it the ground shows no texture, towards it it blinds */

typedef struct course {
    size_t rocks;
    double x[COURSE_ROCKS], y[COURSE_ROCKS], r[COURSE_ROCKS]; /* [m] W: circles around the rocks, seen from above */
    bool bodies;                                              /* wheels meet the rocks: they are the terrain's */
    double goal_x, goal_y;                                    /* [m] W */
    double half_length, half_width;                           /* [m] rectangle around the rover's wheels and body */
    size_t marks;                                             /* what the rover took for hazards, to be drawn */
    double mark_x[COURSE_PATH], mark_y[COURSE_PATH];          /* [m] W */
    size_t points;                                            /* of the way driven, one every 0.1 s */
    double path_x[COURSE_PATH], path_y[COURSE_PATH];          /* [m] W */
    double nearest; /* [m] smallest distance between that rectangle and a rock; below 0: it was in one */
    double f_rock;  /* [N] largest force of a rock on a wheel */
} course;

/* What the command line says: --seed N, --picture FILE, --scenario FILE, --set KEY=VALUE, and one switch of the
 * program's own. */
typedef struct course_options {
    const char *file, *picture;
    uint64_t seed;
    bool plain; /* the switch was given */
    const char *setting[160];
    size_t settings;
} course_options;
/* false: one of them is wrong, and said so on standard error. */
bool course_options_read(course_options *o, int argc, char **argv, const char *name, const char *plain);

/* A number from low to high that depends on the two seeds alone. */
double course_random(uint64_t seed, uint64_t number, double low, double high);
/* Adds a rock. Those beyond COURSE_ROCKS are not kept: false. */
bool course_rock(course *c, double x, double y, double r);
/* Takes the terrain's rocks and sets a course among them: a start, and up to 8 waypoints a leg apart, each with room
 * around it, to which the straight line leads over a rock, or as near to one as may be. */
void course_waypoints(course *c, const ty_terrain *terrain, ty_scenario_rover *rover, double (*way)[2], int legs);
/* Notes where the rover saw a hazard; those beyond COURSE_PATH are not kept. */
void course_mark(course *c, double x, double y);
/* Takes the size of the rover; to be called before the first step. */
void course_start(course *c, const ty_vehicle *rover);
/* To be called after each step. */
void course_watch(course *c, const ty_vehicle *rover);
/* Says how it went. Returns what main should: 0 it reached its goal and touched nothing, 1 otherwise. */
int course_report(const course *c, const char *what, bool reached, double seconds);
/* The course from above: ground, rocks, way. */
ty_status course_draw(const course *c, ty_terrain *terrain, const char *title, const char *path, ty_diag *diag);

#endif
