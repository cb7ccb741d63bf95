/* src/soil/scm_shape.c - where the underside of a body is, over any point of the ground.
 *
 * A vertical line over the point, seen along the axle, is a line in the wheel's plane: at a distance
 * p from the axle, in the direction of up. Where it enters the wheel depends on p and on the spin
 * angle only, not on the grid: that is the table.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include "scm.h"
#include "scm_grid.h"

double tyi_soil_shape_reach(const tyi_soil_scm_shape *shape)
{
    return shape->kind == TYI_SOIL_DISC ? shape->r : hypot(shape->outer, 0.5 * shape->b);
}

/* the row of the table for a wheel turned forward by this angle */
static const tyi_soil_under *row_at(const tyi_soil_table *t, double angle)
{
    double turns = angle / t->sector;
    long row = lround((turns - floor(turns)) * t->rows);
    row = row >= t->rows ? 0 : row;
    return t->at + (size_t)row * (size_t)(t->slices * t->columns);
}

tyi_soil_frame tyi_soil_frame_make(const tyi_soil_scm_shape *shape, const tyi_soil_scm_body *body, double cell)
{
    tyi_soil_frame f = { .shape = shape, .c = body->pose.p, .cell = cell };
    f.ax = ty_rotate(body->pose.q, ty_vec3_make(1.0, 0.0, 0.0));
    f.ay = ty_rotate(body->pose.q, ty_vec3_make(0.0, 1.0, 0.0));
    f.az = ty_rotate(body->pose.q, ty_vec3_make(0.0, 0.0, 1.0));
    f.sg = f.ay.z;
    /* an axle that stands up has no direction to roll to: taken as tilted by at most 72 deg */
    f.cg = fmax(sqrt(fmax(1.0 - f.sg * f.sg, 0.0)), 0.3);
    double flat = hypot(f.ay.x, f.ay.y);
    f.sx = flat > 1e-9 ? f.ay.x / flat : 0.0;
    f.sy = flat > 1e-9 ? f.ay.y / flat : 1.0;
    f.fx = f.sy;
    f.fy = -f.sx;
    if (shape->kind == TYI_SOIL_TABLE) {
        /* up, square to the axle; a wheel turned forward by phi sees it at -phi */
        ty_vec3 up = ty_vec3_make(-f.sg * f.sx, -f.sg * f.sy, f.cg);
        f.row = row_at(&shape->table, atan2(-ty_dot(up, f.ax), ty_dot(up, f.az)));
    }
    return f;
}

static double share(double inside, double cell)
{
    return ty_k_clamp(inside / cell + 0.5, 0.0, 1.0);
}

/* slope along p and q [-] to W */
static void slopes(const tyi_soil_frame *f, double along, tyi_soil_spot *out)
{
    double across = f->sg / f->cg;
    along /= f->cg;
    out->gx = along * f->fx + across * f->sx;
    out->gy = along * f->fy + across * f->sy;
}

/* how much the gap to the ground varies over a cell, to either side [m] */
static double spread(const tyi_soil_frame *f, const tyi_soil_spot *at)
{
    double x = at->gx - f->ground_x, y = at->gy - f->ground_y;
    return 0.5 * f->cell * sqrt(x * x + y * y);
}

static bool under_cylinder(const tyi_soil_frame *f, double p, double q, tyi_soil_spot *out)
{
    double r = f->shape->r, square = r * r - p * p, end = fabs(p) + 0.5 * f->cell;
    if (square <= 0.0 || end > fmax(r, f->cell)) { /* up to the height of the axle, with all of the cell */
        return false;
    }
    double root = sqrt(square);
    double t = (f->sg * q - root) / f->cg, s = q * f->cg + t * f->sg;
    out->w = share(0.5 * f->shape->b - fabs(s), f->cell);
    out->z = f->c.z + t;
    slopes(f, p / fmax(root, 0.05 * r), out); /* the rim is vertical at the height of the axle */
    out->h = spread(f, out);
    out->blade = 0.0;
    return out->w > 0.0;
}

/* `which` member of the table at p, linear between columns */
#define LOOK(row, i, u, which, unit) \
    ((unit) * ((1.0 - (u)) * (double)(row)[i].which + (u) * (double)(row)[(i) + 1].which))

static bool under_table(const tyi_soil_frame *f, double p, double q, tyi_soil_spot *out)
{
    const tyi_soil_table *t = &f->shape->table;
    double x = (p - t->first) / t->step;
    int ahead = (int)(0.5 * f->cell / t->step) + 1;
    if (!(x > ahead && x < t->columns - 2 - ahead)) {
        return false;
    }
    int i = (int)x;
    double u = x - i;
    /* which slice: where the line would meet the outer circle; the tilt makes little of the rest */
    double s = q * f->cg + f->sg * (f->sg * q - f->shape->outer) / f->cg - f->shape->y0;
    out->w = share(0.5 * f->shape->b - fabs(s), f->cell);
    if (out->w <= 0.0) {
        return false;
    }
    int slice = (int)((s / f->shape->b + 0.5) * t->slices);
    slice = slice < 0 ? 0 : slice >= t->slices ? t->slices - 1 : slice;
    const tyi_soil_under *row = f->row + (size_t)slice * (size_t)t->columns;
    double mean = LOOK(row, i, u, mean, t->unit), low = LOOK(row, i, u, low, t->unit);
    double before = LOOK(row, i - ahead, u, point, t->unit), after = LOOK(row, i + ahead, u, point, t->unit);
    /* up to the height of the axle; beyond, there is nothing that could press down */
    if (fmax(before, after) > f->shape->outer) {
        return false;
    }
    out->z = f->c.z + (f->sg * q - f->shape->outer + mean) / f->cg;
    slopes(f, (after - before) / (2.0 * ahead * t->step), out);
    /* deepest in the cell; on a slope at least what the slope makes of it */
    out->h = fmax((mean - low) / f->cg, spread(f, out));
    out->blade = f->shape->lug_h > 0.0 ? (mean - LOOK(row, i, u, tips, t->unit)) / f->cg : 0.0;
    return true;
}

static bool under_plate(const tyi_soil_frame *f, double dx, double dy, tyi_soil_spot *out)
{
    double nz = fmax(fabs(f->az.z), 0.05);
    out->gx = -f->az.x / nz;
    out->gy = -f->az.y / nz;
    double t = out->gx * dx + out->gy * dy;
    ty_vec3 d = ty_vec3_make(dx, dy, t);
    double u = ty_dot(d, f->ax), v = ty_dot(d, f->ay);
    const tyi_soil_scm_shape *shape = f->shape;
    out->w = shape->kind == TYI_SOIL_DISC
                 ? share(shape->r - hypot(u, v), f->cell)
                 : share(shape->r - fabs(u), f->cell) * share(0.5 * shape->b - fabs(v), f->cell);
    out->z = f->c.z + t;
    out->h = spread(f, out);
    out->blade = 0.0;
    return out->w > 0.0;
}

bool tyi_soil_frame_under(const tyi_soil_frame *f, double dx, double dy, tyi_soil_spot *out)
{
    if (f->shape->kind == TYI_SOIL_PLATE || f->shape->kind == TYI_SOIL_DISC) {
        return under_plate(f, dx, dy, out);
    }
    double p = dx * f->fx + dy * f->fy, q = dx * f->sx + dy * f->sy;
    return f->shape->kind == TYI_SOIL_CYLINDER ? under_cylinder(f, p, q, out) : under_table(f, p, q, out);
}

bool tyi_soil_scm_underside(const tyi_soil_scm *scm, const tyi_soil_scm_body *body, double x, double y, double *z)
{
    if (body->shape < 0 || body->shape >= scm->shapes) {
        return false;
    }
    tyi_soil_frame f = tyi_soil_frame_make(&scm->shape[body->shape], body, scm->cell);
    tyi_soil_spot spot;
    double dx = x - f.c.x, dy = y - f.c.y;
    if (!tyi_soil_frame_under(&f, dx, dy, &spot) || spot.w < 0.5) {
        return false;
    }
    *z = spot.z;
    if (f.shape->kind == TYI_SOIL_TABLE) { /* the point itself, not the mean over a cell */
        const tyi_soil_table *t = &f.shape->table;
        double q = dx * f.sx + dy * f.sy, at = (dx * f.fx + dy * f.fy - t->first) / t->step;
        double s = q * f.cg + f.sg * (f.sg * q - f.shape->outer) / f.cg - f.shape->y0;
        int i = (int)at, slice = (int)((s / f.shape->b + 0.5) * t->slices);
        slice = slice < 0 ? 0 : slice >= t->slices ? t->slices - 1 : slice;
        const tyi_soil_under *row = f.row + (size_t)slice * (size_t)t->columns;
        /* between the sides of a jump there is nothing: the nearer one */
        double u = at - i;
        u = t->unit * abs((int)row[i].tip - (int)row[i + 1].tip) > 5.0 * t->step ? round(u) : u;
        *z = f.c.z + (f.sg * q - f.shape->outer + LOOK(row, i, u, tip, t->unit)) / f.cg;
    }
    return true;
}
