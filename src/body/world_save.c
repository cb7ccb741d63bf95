/* src/body/world_save.c - see world.h: groups and touches as bytes, and rovers that others move.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "world_inner.h"

/* ---- saving: how many groups; of each its members and things; then touches ---- */

typedef struct saved_group {
    int64_t members, things;
    int64_t member[TYI_BODY_MEMBERS];
    ty_vec3 off[TYI_BODY_MEMBERS];
    tyi_body_ref thing[THINGS];
} saved_group;

size_t tyi_body_world_group_save(const tyi_body_world *w, int rover, void *out)
{
    const tyi_body_set *g = w->rover[rover].in;
    if (!g || g->member[0] != rover) {
        return 0;
    }
    if (out) {
        saved_group *s = out;
        memset(s, 0, sizeof *s);
        s->members = g->members, s->things = g->things;
        for (int k = 0; k < g->members; k++) {
            s->member[k] = g->member[k];
            s->off[k] = tyi_body_mbd_off(w->rover[g->member[k]].mbd);
        }
        memcpy(s->thing, g->thing, (size_t)g->things * sizeof *g->thing);
    }
    return sizeof(saved_group);
}

size_t tyi_body_world_save(const tyi_body_world *w, void *out)
{
    uint64_t head[2] = { (uint64_t)tyi_body_world_groups(w), (uint64_t)w->touches };
    size_t bytes = sizeof head + (size_t)head[0] * sizeof(saved_group) + (size_t)head[1] * sizeof *w->touch;
    if (!out) {
        return bytes;
    }
    char *to = out;
    memcpy(to, head, sizeof head);
    to += sizeof head;
    for (int i = 0; i < w->rovers; i++) {
        const tyi_body_set *g = w->rover[i].in;
        if (g && g->member[0] == i) {
            to += tyi_body_world_group_save(w, i, to);
        }
    }
    memcpy(to, w->touch, (size_t)w->touches * sizeof *w->touch);
    return bytes;
}

ty_status tyi_body_world_scatter(tyi_body_world *w, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (int i = 0; i < w->rovers && status == TY_OK; i++) {
        w->rover[i].in = NULL;
        status = tyi_body_mbd_leave(w->rover[i].mbd, 0, diag);
    }
    tyi_body_world_sweep(w);
    return status;
}

/* the things of a saved group, in its order, as they are now; their number */
static int find_things(tyi_body_world *w, const saved_group *s)
{
    int found = 0;
    for (int64_t k = 0; k < s->things; k++) {
        const tyi_body_ref *r = &s->thing[k];
        int i = 0;
        while (i < w->things && (w->thing[i].gone || w->thing[i].kind != r->kind || w->thing[i].id != r->id)) {
            i++;
        }
        bool is = i < w->things;
        w->take_mover[found] = is ? w->mover[i] : -1;
        if (is) {
            tyi_body_motion m = { .pose = w->thing[i].pose };
            if (w->mover[i] >= 0) {
                w->def.motion(w->def.user, w->mover[i], 0.0, &m);
            }
            w->take[found] = w->thing[i];
            w->take[found].pose = m.pose;
        }
        for (int64_t m = 0; !is && m < s->members && w->def.rock; m++) {
            is = w->def.rock(w->def.user, (int)s->member[m], r->id, &w->take[found]);
        }
        found += is;
    }
    return found;
}

ty_status tyi_body_world_group_restore(tyi_body_world *w, uint64_t step, const void *saved, ty_diag *diag)
{
    const saved_group *s = saved;
    int member[TYI_BODY_MEMBERS];
    bool good = s->members >= 1 && s->members <= TYI_BODY_MEMBERS && s->things >= 0 && s->things <= THINGS;
    for (int64_t k = 0; good && k < s->members; k++) {
        good = s->member[k] >= 0 && s->member[k] < w->rovers;
        member[k] = (int)s->member[k];
    }
    for (int64_t k = 0; good && k < s->members; k++) {
        tyi_body_mbd_set_off(w->rover[member[k]].mbd, s->off[k]);
    }
    return good ? tyi_body_world_join_up(w, member, (int)s->members, find_things(w, s), step, diag)
                : ty_fail(diag, TY_ERR_FORMAT, "bodies: the saved groups are damaged");
}

ty_status tyi_body_world_restore(tyi_body_world *w, uint64_t step, const void *saved, size_t bytes, ty_diag *diag)
{
    uint64_t head[2] = { 0, 0 };
    const char *from = saved;
    ty_status status = TY_OK;
    if (bytes >= sizeof head) {
        memcpy(head, from, sizeof head);
    }
    if (bytes < sizeof head || head[0] > (uint64_t)w->rovers || head[1] > TYI_BODY_TOUCHES ||
        bytes != sizeof head + head[0] * sizeof(saved_group) + head[1] * sizeof *w->touch) {
        return ty_fail(diag, TY_ERR_FORMAT, "bodies: the saved groups are damaged, or of other rovers");
    }
    from += sizeof head;
    for (uint64_t i = 0; i < head[0] && status == TY_OK; i++, from += sizeof(saved_group)) {
        status = tyi_body_world_group_restore(w, step, from, diag);
    }
    w->touches = (int)head[1];
    memcpy(w->touch, from, (size_t)w->touches * sizeof *w->touch);
    return status;
}

void tyi_body_world_lend(tyi_body_world *w, int rover, bool lent)
{
    tyi_body_member *r = &w->rover[rover];
    r->lent = lent;
    if (lent && r->in) {
        r->in = NULL;
        (void)tyi_body_mbd_leave(r->mbd, 0, NULL); /* its state is brought by whoever moves it */
        tyi_body_world_sweep(w);
    }
}
