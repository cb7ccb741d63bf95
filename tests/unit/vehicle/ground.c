/* tests/unit/vehicle/ground.c - grounds of a known shape, and rovers on them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "ground.h"
#include "tyt.h"

/* the site is at latitude and longitude 0, where x and y are R times longitude and latitude to 1e-9
 * within 100 m; heights are above the sphere, which falls away from the tangent plane */
static ty_status sample(void *user, size_t n, const double *lat, const double *lon, double spacing, double *height,
                        ty_diag *diag)
{
    const tyt_ground *g = user;
    (void)spacing, (void)diag;
    for (size_t i = 0; i < n; i++) {
        double x = TY_MOON_RADIUS * lon[i], y = TY_MOON_RADIUS * lat[i];
        height[i] = g->height(g, x, y) + (x * x + y * y) / (2.0 * TY_MOON_RADIUS);
    }
    return TY_OK;
}

static double plane(const tyt_ground *g, double x, double y)
{
    (void)y;
    return x > g->from ? g->slope * (x - g->from) : 0.0;
}

static void make(tyt_ground *g)
{
    ty_diag diag = { 0 };
    ty_terrain_def def = ty_terrain_def_default();
    def.relief.rms_slope_deg = 0.0;
    def.crater.on = def.rock.on = false;
    def.extent = 400.0;
    if (g->height) {
        def.base = (ty_terrain_base){ .sample = sample, .user = g, .spacing = 0.02 };
    }
    cr_assert(ty_terrain_create(&def, &g->terrain, &diag) == TY_OK, "%s", diag.text);
}

void tyt_ground_flat(tyt_ground *g)
{
    *g = (tyt_ground){ 0 }; /* nothing but the sphere, which falls by 30 um in 10 m */
    make(g);
}

void tyt_ground_shape(tyt_ground *g, double (*height)(const tyt_ground *g, double x, double y))
{
    *g = (tyt_ground){ .height = height };
    make(g);
}

void tyt_ground_slope(tyt_ground *g, double angle)
{
    tyt_ground_ramp(g, -1e3, angle);
}

void tyt_ground_ramp(tyt_ground *g, double from, double angle)
{
    *g = (tyt_ground){ .height = plane, .slope = tan(angle), .from = from };
    make(g);
}

void tyt_ground_made(tyt_ground *g, uint64_t seed)
{
    ty_diag diag = { 0 };
    ty_terrain_def def = ty_terrain_def_default();
    def.rock.on = false;
    def.seed = seed;
    *g = (tyt_ground){ 0 };
    cr_assert(ty_terrain_create(&def, &g->terrain, &diag) == TY_OK, "%s", diag.text);
}

void tyt_ground_stony(tyt_ground *g)
{
    ty_diag diag = { 0 };
    ty_terrain_def def = ty_terrain_def_default();
    def.relief.rms_slope_deg = 0.0;
    def.crater.on = false;
    def.rock.cover = 1e-9;
    def.rock.d_min = 0.02;
    def.rock.d_max = 1.0;
    *g = (tyt_ground){ 0 };
    cr_assert(ty_terrain_create(&def, &g->terrain, &diag) == TY_OK, "%s", diag.text);
}

ty_rock tyt_rock(tyt_ground *g, uint64_t id, double x, double y, double diameter)
{
    ty_diag diag = { 0 };
    double d = ty_terrain_spacing(g->terrain, ty_terrain_get_def(g->terrain)->edit_level);
    ty_rock rock = {
        .x = x, .y = y, .diameter = diameter, .scale = 1.02 * diameter, .yaw = 0.3, .burial = 0.2, .shape = 5, .id = id
    };
    ty_edit edit = { .i0 = (int32_t)floor(x / d), .j0 = (int32_t)floor(y / d), .nx = 1, .ny = 1, .rock = &rock };
    cr_assert(ty_terrain_edit(g->terrain, &edit, &diag) == TY_OK, "%s", diag.text);
    return rock;
}

void tyt_ground_free(tyt_ground *g)
{
    ty_terrain_destroy(g->terrain);
}

const char *tyt_rover(const char *name)
{
    static char path[4096];
    const char *source = getenv("TYCHO_SOURCE");
    snprintf(path, sizeof path, "%s/models/rovers/%s.yaml", source ? source : ".", name);
    return path;
}

ty_vehicle_def tyt_vehicle_def(const tyt_ground *g, const char *rover, ty_soil_model_kind soil)
{
    ty_vehicle_def def = ty_vehicle_def_default();
    def.rover = tyt_rover(rover);
    def.terrain = g->terrain;
    def.soil.model = soil;
    return def;
}

ty_vehicle *tyt_vehicle(const ty_vehicle_def *def)
{
    ty_diag diag = { 0 };
    ty_vehicle *v;
    cr_assert(ty_vehicle_create(def, &v, &diag) == TY_OK, "%s", diag.text);
    return v;
}

bool tyt_run(ty_vehicle *v, double seconds)
{
    ty_diag diag = { 0 };
    for (long i = 0, n = lround(seconds * 1e3); i < n; i++) {
        if (ty_vehicle_step(v, 1e-3, &diag) != TY_OK || ty_vehicle_press_ruts(v, &diag) != TY_OK) {
            cr_expect(false, "%s", diag.text);
            return false;
        }
    }
    return true;
}

double tyt_creep(ty_vehicle *v, double seconds)
{
    ty_vehicle_state a, b;
    tyt_run(v, 3.0);
    ty_vehicle_get(v, &a);
    tyt_run(v, seconds);
    ty_vehicle_get(v, &b);
    return ty_norm(ty_sub(b.pose.p, a.pose.p));
}

uint64_t tyt_vehicle_digest(const ty_vehicle *v)
{
    size_t bytes = ty_vehicle_save_size(v);
    unsigned char *data = malloc(bytes);
    uint64_t h = 0xcbf29ce484222325ull;
    ty_vehicle_save(v, data);
    for (size_t i = 0; i < bytes; i++) {
        h = (h ^ data[i]) * 0x100000001b3ull;
    }
    free(data);
    return h;
}
