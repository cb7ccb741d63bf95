/* src/sim/run_dust_lies.c - dust that lies on the rovers of a run: how much, what it does to panels and radiators, how it comes off.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "k_dust.h"
#include "run.h"
#include "run_dust.h"

double tyi_sim_dust_on_rover(const ty_run *run, size_t rover)
{
    const tyi_sim_dust *d = run->dust;
    double sum = 0.0;
    for (int i = 0; d && i < d->boxes; i++) {
        const tyi_dust_deposit *at = tyi_dust_deposits(d->dust, i);
        for (int face = 0; face < 6 && tyi_sim_dust_of_rover(d, i, rover); face++) {
            sum += at[face].mass;
        }
    }
    return sum;
}

int tyi_sim_dust_side(ty_vec3 n)
{
    double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    return z >= x && z >= y ? 4 + (n.z > 0.0) : x >= y ? n.x > 0.0 : 2 + (n.y > 0.0);
}

ty_vec3 tyi_sim_dust_normal(int face)
{
    double to = face % 2 ? 1.0 : -1.0;
    return ty_vec3_make(face < 2 ? to : 0.0, face == 2 || face == 3 ? to : 0.0, face > 3 ? to : 0.0);
}

double tyi_sim_dust_area(const tyi_dust_box *box, int face)
{
    ty_vec3 h = box->half;
    double flat = 4.0 * (face < 2 ? h.y * h.z : face < 4 ? h.x * h.z : h.x * h.y);
    return box->round ? flat * TY_PI / 6.0 : flat;
}

void tyi_sim_dust_faces(const ty_run *run, size_t rover, double out[6])
{
    const tyi_sim_dust *d = run->dust;
    double area[6] = { 0 };
    ty_vehicle_state state;
    memset(out, 0, 6 * sizeof *out);
    if (!d || rover >= run->rovers) {
        return;
    }
    ty_vehicle_get(run->rover[rover].vehicle, &state);
    for (int i = 0; i < d->boxes; i++) {
        const tyi_dust_deposit *at = tyi_dust_deposits(d->dust, i);
        ty_quat q = ty_quat_mul(ty_quat_conj(state.pose.q), d->box[i].now.q);
        for (int face = 0; face < 6 && tyi_sim_dust_of_rover(d, i, rover); face++) {
            int side = tyi_sim_dust_side(ty_rotate(q, tyi_sim_dust_normal(face)));
            out[side] += at[face].area;
            area[side] += tyi_sim_dust_area(&d->box[i], face);
        }
    }
    for (int k = 0; k < 6; k++) {
        out[k] = area[k] > 0.0 ? out[k] / area[k] : 0.0;
    }
}

bool tyi_sim_dust_ledger(const ty_run *run, tyi_dust_ledger *out)
{
    *out = run->dust ? tyi_dust_get_ledger(run->dust->dust) : (tyi_dust_ledger){ 0 };
    return run->dust;
}

tyi_sim_dust_harm tyi_sim_dust_does(const ty_run *run, size_t rover)
{
    const ty_dust_params *p = &run->scenario.dust;
    double face[6];
    tyi_sim_dust_faces(run, rover, face);
    double cover = ty_k_dust_cover(face[5]);
    double ratio =
        ty_k_dust_radiator(ty_k_dust_mix(p->bare_absorbs, p->dust_absorbs, cover),
                           ty_k_dust_mix(p->bare_emits, p->dust_emits, cover), p->bare_absorbs, p->bare_emits);
    return (tyi_sim_dust_harm){ 1.0 - cover, ratio, ty_k_dust_warmer(ratio) };
}

/* those of the actions whose time has come since the last step */
void tyi_sim_dust_clean(const ty_run *run, tyi_sim_dust *d)
{
    const ty_dust_params *p = &run->scenario.dust;
    double from = ty_seconds(d->at), to = ty_seconds(run->time);
    for (size_t k = 0; k < p->actions; k++) {
        const ty_dust_clean *a = &p->action[k];
        bool now = a->time <= to && (a->time > from || (d->at == 0 && a->time <= 0.0));
        double share = 1.0 - (1.0 - a->brush) * (1.0 - tyi_dust_slides(d->dust, a->tilt));
        for (int i = 0; i < d->boxes && now; i++) {
            if (d->part[i].of == TYI_SIM_DUST_ROVER &&
                (!a->rover[0] || !strcmp(run->scenario.rover[d->part[i].index].name, a->rover))) {
                tyi_dust_take_off(d->dust, i, share);
            }
        }
    }
}
