/* src/soil/dem/create.c - definitions, arrays, grains in and out, the state as bytes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "dem.h"
#include "core/rules.h"
#include "soil/crm/store.h"
#include "k_philox.h"

#define SKIN  0.3 /* [-] of the mean radius: lists last some ten steps of flow */
#define TOUCH 0.6 /* [-] of its neighbours that a grain touches at most: 12 of 20, as many as balls of one size can */
#define CUT   1.5 /* [-] standard deviations of the logarithm at which sizes end */

tyi_dem_def tyi_dem_def_default(void)
{
    return (tyi_dem_def){
        .soil = { .rho = 2600.0, .e = 1e7, .nu = 0.3, .mu = 0.5, .roll = 0.1, .restitution = 0.5, .spread = 0.1 },
        .diameter = 0.01,
        .share = 0.2,
        .gravity = { 0.0, 0.0, -TY_GRAVITY_MOON },
        .neighbours = 20,
        .bodies = 8,
        .threads = 1,
        .cookie = TYI_COOKIE
    };
}

#define AT(field) offsetof(tyi_dem_def, field)
static const tyi_limit limits[] = {
    { "soil.rho", "kg/m^3", AT(soil.rho), TYI_DOUBLE, 500.0, 20000.0 },
    { "soil.e", "Pa", AT(soil.e), TYI_DOUBLE, 1e4, 1e12 },
    { "soil.nu", "", AT(soil.nu), TYI_DOUBLE, 0.0, 0.49 },
    { "soil.mu", "", AT(soil.mu), TYI_DOUBLE, 0.01, 2.0 },
    { "soil.roll", "", AT(soil.roll), TYI_DOUBLE, 0.0, 2.0 },
    { "soil.restitution", "", AT(soil.restitution), TYI_DOUBLE, 0.01, 1.0 },
    { "soil.gamma", "J/m^2", AT(soil.gamma), TYI_DOUBLE, 0.0, 100.0 },
    { "soil.spread", "", AT(soil.spread), TYI_DOUBLE, 0.0, 0.4 },
    { "diameter", "m", AT(diameter), TYI_DOUBLE, 1e-5, 1.0 },
    { "share", "", AT(share), TYI_DOUBLE, 0.01, 0.4 },
    { "gravity.x", "m/s^2", AT(gravity.x), TYI_DOUBLE, -100.0, 100.0 },
    { "gravity.y", "m/s^2", AT(gravity.y), TYI_DOUBLE, -100.0, 100.0 },
    { "gravity.z", "m/s^2", AT(gravity.z), TYI_DOUBLE, -100.0, 100.0 },
    { "neighbours", "", AT(neighbours), TYI_INT, 8.0, 64.0 },
    { "bodies", "", AT(bodies), TYI_INT, 0.0, 64.0 },
    { "threads", "", AT(threads), TYI_INT, 0.0, 4096.0 },
    { NULL, NULL, 0, TYI_DOUBLE, 0, 0 },
};
static const tyi_rules rules = { "dem", limits, NULL };

ty_status tyi_dem_def_facts(const tyi_dem_def *def, tyi_dem_facts *out, ty_diag *diag)
{
    if (def->cookie != TYI_COOKIE) {
        return ty_fail(diag, TY_ERR_DEF, "dem: the definition must start from tyi_dem_def_default()");
    }
    ty_status status = tyi_rules_check(&rules, def, diag);
    const ty_dem_soil *s = &def->soil;
    double r = 0.5 * def->diameter, most = exp(CUT * s->spread);
    *out = (tyi_dem_facts){ .smallest = r / most,
                            .largest = r * most,
                            .mass = 4.0 / 3.0 * TY_PI * r * r * r * s->rho,
                            .step = def->share * (double)ty_k_dem_rayleigh((float)(r / most), (float)s->rho,
                                                                           (float)s->e, (float)s->nu) };
    return status;
}

double tyi_dem_radius(const tyi_dem_def *def, uint32_t id)
{
    ty_k_u32x4 bits = ty_k_philox(id, 0, 0, 0, 0, TY_RNG_GRAIN);
    double z = (double)ty_k_normal(ty_k_uniform(bits.v[0]), ty_k_uniform(bits.v[1]), 0);
    for (ty_u32 k = 1; fabs(z) > CUT; k++) { /* what lies beyond is drawn again */
        bits = ty_k_philox(id, k, 0, 0, 0, TY_RNG_GRAIN);
        z = (double)ty_k_normal(ty_k_uniform(bits.v[0]), ty_k_uniform(bits.v[1]), 0);
    }
    return 0.5 * def->diameter * exp(def->soil.spread * z);
}

/* every array: where its pointer is, how long it is */
typedef tyi_crm_store_array array;
enum { ARRAYS = 24 };

/* rows that belong to grains, n of them */
static int grain_arrays(tyi_dem_arrays *a, size_t n, array *out)
{
    int k = 0;
    out[k++] = (array){ (void **)&a->x, n * sizeof *a->x };
    out[k++] = (array){ (void **)&a->v, n * sizeof *a->v };
    out[k++] = (array){ (void **)&a->w, n * sizeof *a->w };
    out[k++] = (array){ (void **)&a->id, n * sizeof *a->id };
    out[k++] = (array){ (void **)&a->home, n * sizeof *a->home };
    return k;
}

/* lists of n grains, and where they were when those were made */
static int list_arrays(tyi_dem *d, size_t n, array *out)
{
    size_t rooms = (n + TYI_DEM_GROUP - 1) / TYI_DEM_GROUP * TYI_DEM_GROUP;
    int k = 0;
    out[k++] = (array){ (void **)&d->list.length, n * sizeof *d->list.length };
    out[k++] = (array){ (void **)&d->list.entry, rooms * (size_t)d->def.neighbours * sizeof *d->list.entry };
    out[k++] = (array){ (void **)&d->x0, n * sizeof *d->x0 };
    return k;
}

/* n homes */
static int home_arrays(tyi_dem *d, size_t n, array *out)
{
    out[0] = (array){ (void **)&d->used, n * sizeof *d->used };
    out[1] = (array){ (void **)&d->slot, n * (size_t)d->slots * sizeof *d->slot };
    return 2;
}

static int all_arrays(tyi_dem *d, array *out)
{
    size_t n = d->room;
    int k = grain_arrays(&d->a, n, out);
    k += grain_arrays(&d->spare, n, out + k);
    k += list_arrays(d, n, out + k);
    k += home_arrays(d, n, out + k);
    out[k++] = (array){ (void **)&d->place, n * sizeof *d->place };
    out[k++] = (array){ (void **)&d->start, (tyi_crm_box_cells(&d->box) + 2) * sizeof *d->start };
    out[k++] = (array){ (void **)&d->key, n * sizeof *d->key };
    out[k++] = (array){ (void **)&d->part, d->parts * sizeof *d->part };
    out[k++] = (array){ (void **)&d->solids, sizeof *d->solids };
    TY_ASSERT(k <= ARRAYS);
    return k;
}

ty_status tyi_dem_create(const tyi_dem_def *def, tyi_dem **out, ty_diag *diag)
{
    *out = NULL;
    tyi_dem_facts facts;
    ty_status status = tyi_dem_def_facts(def, &facts, diag);
    if (status == TY_OK && (def->grains < 1 || def->grains > 100000000)) {
        status = ty_fail(diag, TY_ERR_RANGE, "dem: grains is %zu, but takes 1 to 100000000", def->grains);
    }
    tyi_dem *dem = status == TY_OK ? tyi_get(def->alloc, sizeof *dem) : NULL;
    if (!dem) {
        return status == TY_OK ? ty_fail(diag, TY_ERR_MEMORY, "dem: no memory for a bed") : status;
    }
    dem->def = *def;
    dem->facts = facts;
    dem->skin = SKIN * 0.5 * def->diameter;
    dem->room = (def->grains + TYI_DEM_BLOCK - 1) / TYI_DEM_BLOCK * TYI_DEM_BLOCK;
    dem->parts = dem->room / TYI_DEM_BLOCK;
    dem->slots = (int)fmin(ceil(TOUCH * def->neighbours), TY_K_DEM_SLOTS);
    status = tyi_crm_box_make("dem", def->low, def->high, def->periodic, 2.0 * facts.largest + dem->skin, 1,
                              def->diameter, 1e5 * def->diameter, &dem->box, diag);
    if (status == TY_OK && tyi_crm_box_cells(&dem->box) > 1u << 30) {
        status = ty_fail(diag, TY_ERR_RANGE, "dem: the box has %zu cells, but takes at most %u",
                         tyi_crm_box_cells(&dem->box), 1u << 30);
    }
    if (status != TY_OK) {
        tyi_put(def->alloc, dem, sizeof *dem);
        return status;
    }
    array arrays[ARRAYS];
    if (!tyi_crm_store_make(def->alloc, arrays, all_arrays(dem, arrays))) {
        tyi_dem_destroy(dem);
        return ty_fail(diag, TY_ERR_MEMORY, "dem: no memory for %zu grains", def->grains);
    }
    memset(dem->place, 0xff, dem->room * sizeof *dem->place);
    *out = dem;
    return TY_OK;
}

void tyi_dem_destroy(tyi_dem *dem)
{
    if (!dem) {
        return;
    }
    tyi_dem_device_destroy(dem);
    array arrays[ARRAYS];
    tyi_crm_store_free(dem->def.alloc, arrays, all_arrays(dem, arrays));
    tyi_put(dem->def.alloc, dem, sizeof *dem);
}

/* a home that no grain has; it remembers nothing */
static int32_t find_home(tyi_dem *dem)
{
    while (dem->place[dem->vacant] >= 0) {
        dem->vacant = (dem->vacant + 1) % dem->room;
    }
    dem->place[dem->vacant] = 0;
    dem->used[dem->vacant] = 0;
    return (int32_t)dem->vacant;
}

ty_status tyi_dem_add(tyi_dem *dem, const tyi_dem_grain *grain, size_t n, ty_diag *diag)
{
    const double slack = 1e-6 * dem->def.diameter;
    if (n > dem->def.grains - dem->n) {
        return ty_fail(diag, TY_ERR_RANGE, "dem: %zu grains more, but the bed takes %zu in all", n, dem->def.grains);
    }
    for (size_t k = 0; k < n; k++) {
        const tyi_dem_grain *g = &grain[k];
        int axis;
        double sum = ty_norm(g->v) + ty_norm(g->w);
        if (!tyi_crm_box_holds(&dem->box, dem->def.high, g->x, &axis)) {
            return ty_fail(diag, TY_ERR_RANGE, "dem: grain %u lies outside the box along %c", g->id, "xyz"[axis]);
        }
        if (!isfinite(sum) || !(g->r >= dem->facts.smallest - slack && g->r <= dem->facts.largest + slack)) {
            return ty_fail(diag, TY_ERR_RANGE,
                           "dem: grain %u has a radius of %g m, but takes %g to %g m, and a finite motion", g->id, g->r,
                           dem->facts.smallest, dem->facts.largest);
        }
        size_t i = dem->n++;
        tyi_dem_arrays *a = &dem->a;
        union {
            float f;
            int32_t i;
        } r = { .f = (float)g->r };
        double mass = 4.0 / 3.0 * TY_PI * g->r * g->r * g->r * dem->def.soil.rho;
        a->x[i] = tyi_crm_box_place(&dem->box, g->x);
        a->x[i][3] = r.i;
        a->v[i] = (tyi_crm_f4){ (float)g->v.x, (float)g->v.y, (float)g->v.z, (float)mass };
        a->w[i] = (tyi_crm_f4){ (float)g->w.x, (float)g->w.y, (float)g->w.z, g->fixed ? -1.0f : (float)g->contacts };
        a->id[i] = g->id;
        a->home[i] = find_home(dem);
        dem->fastest = g->fixed ? dem->fastest : fmax(dem->fastest, ty_norm(g->v));
    }
    dem->searched = false;
    dem->changed = true;
    return TY_OK;
}

/* forgets contacts of a home with bodies, or with grains that are gone */
static void forget(tyi_dem *dem, size_t home, bool bodies)
{
    for (int k = 0; k < dem->slots; k++) {
        int32_t with = tyi_dem_with(&dem->slot[home * (size_t)dem->slots + (size_t)k]);
        if ((dem->used[home] >> k & 1u) &&
            (bodies ? with >= TY_K_DEM_BODY : with < TY_K_DEM_BODY && dem->place[with] < 0)) {
            dem->used[home] &= ~(1u << k);
        }
    }
    dem->used[home] &= bodies ? ~TY_K_DEM_MEETS : ~0u;
}

void tyi_dem_remove(tyi_dem *dem, tyi_dem_leaves leaves, void *user)
{
    array rows[ARRAYS];
    int count = grain_arrays(&dem->a, 1, rows);
    size_t kept = 0;
    for (size_t i = 0; i < dem->n; i++) {
        tyi_dem_grain g = tyi_dem_get(dem, i);
        if (leaves(user, &g)) {
            dem->place[dem->a.home[i]] = -1;
            continue;
        }
        for (int k = 0; k < count && kept < i; k++) {
            char *at = *rows[k].at;
            memcpy(at + kept * rows[k].bytes, at + i * rows[k].bytes, rows[k].bytes);
        }
        kept++;
    }
    dem->n = kept;
    for (size_t i = 0; i < kept; i++) {
        forget(dem, (size_t)dem->a.home[i], false);
    }
    dem->searched = false;
    dem->changed = true;
}

int tyi_dem_threads(const tyi_dem *dem)
{
    int asked = tyi_tasks_threads(dem->def.threads), most = (int)(dem->n / 2048) + 1;
    return asked < most ? asked : most;
}

void tyi_dem_set_threads(tyi_dem *dem, int threads)
{
    dem->def.threads = threads;
}

size_t tyi_dem_count(const tyi_dem *dem)
{
    return dem->n;
}

tyi_dem_grain tyi_dem_get(const tyi_dem *dem, size_t i)
{
    tyi_crm_i4 x = dem->a.x[i];
    tyi_crm_f4 v = dem->a.v[i], w = dem->a.w[i];
    return (tyi_dem_grain){ .x = tyi_crm_box_point(&dem->box, x),
                            .v = { (double)v[0], (double)v[1], (double)v[2] },
                            .w = { (double)w[0], (double)w[1], (double)w[2] },
                            .r = (double)tyi_dem_float(x[3]),
                            .id = dem->a.id[i],
                            .fixed = w[3] < 0.0f,
                            .contacts = w[3] < 0.0f ? 0 : (int)w[3],
                            .near = dem->searched ? dem->list.length[i] : 0 };
}

void tyi_dem_stop(tyi_dem *dem)
{
    tyi_dem_fetch(dem, NULL);
    dem->changed = true;
    for (size_t i = 0; i < dem->n; i++) {
        dem->a.v[i] = (tyi_crm_f4){ 0.0f, 0.0f, 0.0f, dem->a.v[i][3] };
        dem->a.w[i] = (tyi_crm_f4){ 0.0f, 0.0f, 0.0f, dem->a.w[i][3] };
        forget(dem, (size_t)dem->a.home[i], true);
    }
    dem->fastest = 0.0;
}

void tyi_dem_set_gravity(tyi_dem *dem, ty_vec3 gravity)
{
    dem->def.gravity = gravity;
}

void tyi_dem_set_drag(tyi_dem *dem, double rate)
{
    dem->drag = rate > 0.0 ? rate : 0.0;
}

tyi_crm_counts tyi_dem_get_counts(const tyi_dem *dem)
{
    return dem->counts;
}

/* ---- saving: homes in the order of grains ---- */

typedef struct head {
    uint64_t n;
    tyi_crm_counts counts;
    double fastest;
    uint64_t searched, due;
} head;

static int saved(const tyi_dem *dem, array *out)
{
    tyi_dem *d = (tyi_dem *)(uintptr_t)dem;
    int k = home_arrays(d, d->n, out);
    k += grain_arrays(&d->a, d->n, out + k);
    return k + list_arrays(d, d->searched ? d->n : 0, out + k);
}

size_t tyi_dem_state_bytes(const tyi_dem *dem)
{
    array arrays[ARRAYS];
    return tyi_crm_store_bytes(sizeof(head), arrays, saved(dem, arrays));
}

/* grain i's slots as if its place were its home, and so for others; what is not used is 0, so that the same states are the same bytes */
static void save_slots(const tyi_dem *dem, const int32_t *at, size_t i, tyi_dem_slot *out)
{
    size_t home = (size_t)dem->a.home[i];
    for (int k = 0; k < dem->slots; k++) {
        memset(&out[k], 0, sizeof out[k]);
        if (dem->used[home] >> k & 1u) {
            out[k] = dem->slot[home * (size_t)dem->slots + (size_t)k];
            int32_t with = tyi_dem_with(&out[k]);
            out[k].roll[3] = tyi_dem_float(with < TY_K_DEM_BODY ? at[with] : with);
        }
    }
}

void tyi_dem_save(const tyi_dem *dem, void *bytes)
{
    head h;
    memset(&h, 0, sizeof h); /* no padding with chance in it */
    h.n = dem->n;
    h.counts = dem->counts;
    h.counts.device_bytes = 0; /* which is no part of the state */
    h.fastest = dem->fastest;
    h.searched = dem->searched;
    h.due = dem->due;
    array arrays[ARRAYS];
    int count = saved(dem, arrays);
    tyi_crm_store_save(&h, sizeof h, arrays, count, bytes);
    char *used = (char *)bytes + sizeof h, *slot = used + arrays[0].bytes, *home = slot + arrays[1].bytes;
    for (int k = 2; k < count && arrays[k].at != (void **)(uintptr_t)&dem->a.home; k++) {
        home += arrays[k].bytes;
    }
    int32_t *at = dem->spare.home; /* places of homes; room that no one needs between steps */
    for (size_t i = 0; i < dem->n; i++) {
        at[dem->a.home[i]] = (int32_t)i;
    }
    for (size_t i = 0; i < dem->n; i++) {
        int32_t own = (int32_t)i;
        tyi_dem_slot slots[TY_K_DEM_SLOTS];
        save_slots(dem, at, i, slots);
        memcpy(used + i * sizeof *dem->used, &dem->used[dem->a.home[i]], sizeof *dem->used);
        memcpy(slot + i * (size_t)dem->slots * sizeof *slots, slots, (size_t)dem->slots * sizeof *slots);
        memcpy(home + i * sizeof own, &own, sizeof own);
    }
    /* entries past the end of a list hold what was there before */
    size_t rooms = dem->searched ? (dem->n + TYI_DEM_GROUP - 1) / TYI_DEM_GROUP * TYI_DEM_GROUP : 0,
           most = (size_t)dem->def.neighbours;
    char *entry = home + dem->n * sizeof *dem->a.home + (dem->searched ? dem->n : 0) * sizeof *dem->list.length;
    for (size_t i = 0; i < rooms; i++) {
        for (size_t k = i < dem->n ? (size_t)dem->list.length[i] : 0; k < most; k++) {
            memset(entry + tyi_dem_at(i, k, most) * sizeof *dem->list.entry, 0, sizeof *dem->list.entry);
        }
    }
}

/* What is damaged must not lead out of the arrays. */
static bool is_whole(const tyi_dem *dem)
{
    size_t n = dem->n, most = (size_t)dem->def.neighbours;
    bool whole = true;
    for (size_t i = 0; i < n && whole; i++) {
        whole = dem->a.home[i] == (int32_t)i;
        for (int k = 0; k < dem->slots && whole; k++) {
            int32_t with = tyi_dem_with(&dem->slot[i * (size_t)dem->slots + (size_t)k]);
            whole = !(dem->used[i] >> k & 1u) || with >= TY_K_DEM_BODY || (with >= 0 && (size_t)with < n);
        }
        int length = dem->searched ? dem->list.length[i] : 0;
        whole = whole && length >= 0 && length <= (int)most;
        for (int k = 0; k < length && whole; k++) {
            uint32_t e = dem->list.entry[tyi_dem_at(i, (size_t)k, most)];
            whole = e / TY_K_DEM_ENTRY < n && e % TY_K_DEM_ENTRY <= (uint32_t)dem->slots;
        }
    }
    return whole;
}

ty_status tyi_dem_restore(tyi_dem *dem, const void *bytes, size_t size, ty_diag *diag)
{
    head h = { 0 };
    memcpy(&h, bytes, size < sizeof h ? size : sizeof h);
    size_t n = dem->n;
    bool searched = dem->searched, fits = size >= sizeof h && h.n <= dem->def.grains;
    dem->n = fits ? (size_t)h.n : n;
    dem->searched = h.searched;
    if (!fits || tyi_dem_state_bytes(dem) != size) {
        dem->n = n;
        dem->searched = searched;
        return ty_fail(diag, TY_ERR_FORMAT, "dem: a state of %zu bytes and %llu grains does not fit this bed", size,
                       (unsigned long long)h.n);
    }
    array arrays[ARRAYS];
    tyi_crm_store_load(bytes, sizeof h, arrays, saved(dem, arrays));
    h.counts.device_bytes = dem->counts.device_bytes;
    dem->counts = h.counts;
    dem->fastest = h.fastest;
    dem->due = h.due;
    dem->vacant = 0;
    memset(dem->place, 0xff, dem->room * sizeof *dem->place);
    if (!is_whole(dem)) {
        dem->n = 0;
        dem->searched = false;
        return ty_fail(diag, TY_ERR_FORMAT, "dem: the state is damaged");
    }
    for (size_t i = 0; i < dem->n; i++) {
        dem->place[i] = (int32_t)i;
    }
    dem->changed = true;
    dem->ahead = false;
    return TY_OK;
}
