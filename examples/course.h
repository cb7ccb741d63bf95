/* examples/course.h - what both driving examples share: the referee. It knows where all rocks stand, which the rover does not, watches
 * how near it comes to them, says how the drive went, and draws it from above.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef COURSE_H
#define COURSE_H
#include <tycho/run.h>

#define COURSE_ROCKS 4096
#define COURSE_PATH  4096

typedef struct course {
    size_t rocks;
    double x[COURSE_ROCKS], y[COURSE_ROCKS], r[COURSE_ROCKS]; /* [m] W: circles around the rocks, seen from above */
    bool bodies;                                              /* wheels meet the rocks: they are the terrain's */
    double goal_x, goal_y;                                    /* [m] W */
    double half_length, half_width;                           /* [m] rectangle around the rover's wheels and body */
    size_t points;                                            /* of the way driven, one every 0.1 s */
    double path_x[COURSE_PATH], path_y[COURSE_PATH];          /* [m] W */
    double nearest; /* [m] smallest distance between that rectangle and a rock; below 0: it was in one */
    double f_rock;  /* [N] largest force of a rock on a wheel */
} course;

/* A number from low to high that depends on the two seeds alone. */
double course_random(uint64_t seed, uint64_t number, double low, double high);
/* Adds a rock. Those beyond COURSE_ROCKS are not kept: false. */
bool course_rock(course *c, double x, double y, double r);
/* Takes the size of the rover; to be called before the first step. */
void course_start(course *c, const ty_vehicle *rover);
/* To be called after each step. */
void course_watch(course *c, const ty_vehicle *rover);
/* Says how it went. Returns what main should: 0 it reached its goal and touched nothing, 1 otherwise. */
int course_report(const course *c, const char *what, bool reached, double seconds);
/* The course from above: ground, rocks, way. */
ty_status course_draw(const course *c, ty_terrain *terrain, const char *title, const char *path, ty_diag *diag);

#endif
