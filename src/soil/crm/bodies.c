/* src/soil/crm/bodies.c - rigid bodies among particles: what they may be, how they move, what they feel.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "crm.h"
#include "lattice.h"
#include "solids.h"

static double round_of(const tyi_crm_body *b)
{
    switch (b->shape) {
    case TYI_CRM_PLANE:
    case TYI_CRM_TUBE:
    case TYI_CRM_HOLE:
        return 0.0;
    case TYI_CRM_SPHERE:
        return b->a;
    case TYI_CRM_WHEEL:
    case TYI_CRM_CYLINDER:
        return hypot(b->a + (b->shape == TYI_CRM_WHEEL ? b->b : 0.0), b->c) + b->plate;
    case TYI_CRM_LATTICE:
        return b->lattice->round;
    case TYI_CRM_BOX:
        break;
    }
    return ty_norm(ty_vec3_make(b->a, b->b, b->c));
}

static ty_k_solid solid_make(const tyi_crm_box *box, double margin, const tyi_crm_body *b)
{
    ty_vec3 e[3] = { ty_rotate(b->pose.q, ty_vec3_make(1, 0, 0)), ty_rotate(b->pose.q, ty_vec3_make(0, 1, 0)),
                     ty_rotate(b->pose.q, ty_vec3_make(0, 0, 1)) };
    ty_vec3 from = ty_sub(b->pose.p, ty_vec3_make(box->corner[0], box->corner[1], box->corner[2]));
    ty_k_solid s = { .kind = (int)b->shape,
                     .a = (float)b->a,
                     .b = (float)b->b,
                     .c = (float)b->c,
                     .friction = (float)b->friction,
                     .off = b->off };
    s.centre = ty_k_vec((float)from.x, (float)from.y, (float)from.z);
    s.lugs = b->lugs;
    s.plate = (float)(0.5 * b->plate);
    s.stiff = (float)(1.0 - b->soft);
    s.round = round_of(b) > 0.0 ? (float)(1.001 * (round_of(b) + margin)) : 0.0f;
    const double place[3] = { b->pose.p.x, b->pose.p.y, b->pose.p.z };
    for (int k = 0; k < 3; k++) {
        s.at[k] = box->periodic[k] ? tyi_crm_box_units(box, k, place[k]) : 0;
        s.r[k] = (float)e[k].x;
        s.r[3 + k] = (float)e[k].y;
        s.r[6 + k] = (float)e[k].z;
        s.nodes[k] = b->lattice ? b->lattice->nodes[k] : 0;
    }
    if (b->lattice) {
        s.low = ty_k_vec((float)b->lattice->low.x, (float)b->lattice->low.y, (float)b->lattice->low.z);
        s.inv = (float)(1.0 / b->lattice->cell);
    }
    s.v = ty_k_vec((float)b->v.x, (float)b->v.y, (float)b->v.z);
    s.w = ty_k_vec((float)b->w.x, (float)b->w.y, (float)b->w.z);
    return s;
}

static void advance_bodies(tyi_crm_body *body, int bodies, double dt)
{
    for (int k = 0; k < bodies; k++) {
        double rate = ty_norm(body[k].w);
        body[k].pose.p = ty_add(body[k].pose.p, ty_scale(dt, body[k].v));
        if (rate > 0.0) {
            body[k].pose.q = ty_quat_mul(ty_quat_axis(ty_scale(1.0 / rate, body[k].w), rate * dt), body[k].pose.q);
        }
    }
}

ty_status tyi_crm_bodies_check(const char *who, int most, const tyi_crm_body *body, int bodies, double *speed,
                               ty_diag *diag)
{
    if (bodies < 0 || bodies > most) {
        return ty_fail(diag, TY_ERR_RANGE, "%s: %d bodies, but the bed takes 0 to %d", who, bodies, most);
    }
    for (int k = 0; k < bodies; k++) {
        const tyi_crm_body *b = &body[k];
        bool sized = b->shape == TYI_CRM_PLANE || (b->shape == TYI_CRM_TUBE && b->a > 0.0) ||
                     (b->shape == TYI_CRM_HOLE && b->a > 0.0 && b->c > 0.0) ||
                     (b->shape == TYI_CRM_SPHERE && b->a > 0.0) ||
                     (b->shape == TYI_CRM_CYLINDER && b->a > 0.0 && b->c > 0.0) ||
                     (b->shape == TYI_CRM_BOX && b->a > 0.0 && b->b > 0.0 && b->c > 0.0) ||
                     (b->shape == TYI_CRM_WHEEL && b->a > 0.0 && b->c > 0.0 &&
                      (b->lugs == 0 || (b->lugs > 0 && b->b > 0.0 && b->plate > 0.0))) ||
                     (b->shape == TYI_CRM_LATTICE && b->lattice && b->lattice->value);
        double sum = ty_norm(b->pose.p) + ty_norm(b->v) + ty_norm(b->w) + b->friction;
        if (!sized || !isfinite(sum) || b->friction < 0.0 || !(b->soft >= 0.0 && b->soft <= 0.99)) {
            return ty_fail(
                diag, TY_ERR_RANGE,
                "%s: body %d needs a shape with sizes above 0, a finite pose and motion, and friction of at least 0",
                who, k);
        }
        double size = b->shape == TYI_CRM_PLANE || b->shape == TYI_CRM_HOLE ? 0.0
                      : b->shape == TYI_CRM_LATTICE                         ? b->lattice->round
                                                                            : b->a + b->b + b->c;
        *speed = b->off ? *speed : fmax(*speed, ty_norm(b->v) + size * ty_norm(b->w));
    }
    return TY_OK;
}

void tyi_crm_bodies_move(const tyi_crm_box *box, double margin, double dt, tyi_crm_body *body, int bodies,
                         tyi_crm_solids *out)
{
    advance_bodies(body, bodies, dt);
    out->count = bodies;
    for (int k = 0; k < bodies; k++) {
        out->solid[k] = solid_make(box, margin, &body[k]);
        out->lattice[k] = body[k].lattice ? body[k].lattice->value : NULL;
    }
}

void tyi_crm_bodies_loads(const tyi_crm_part *part, size_t parts, int bodies, tyi_crm_load *load)
{
    for (int k = 0; k < bodies; k++) {
        double sum[6] = { 0 };
        load[k].touching = 0;
        for (size_t b = 0; b < parts; b++) {
            load[k].touching += part[b].touching[k];
            for (int c = 0; c < 6; c++) {
                sum[c] += part[b].load[k][c];
            }
        }
        load[k].impulse = ty_vec3_make(sum[0], sum[1], sum[2]);
        load[k].twist = ty_vec3_make(sum[3], sum[4], sum[5]);
    }
}
