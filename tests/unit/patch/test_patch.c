/* Patches of particles under wheels that are led over the ground: what must be kept, equal, resumed, refused.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include "soil/patch/ledger.h"
#include "soil/world.h"
#include "tycho/device.h"
#include "tycho/terrain.h"
#include "world/terrain/inner.h"
#include "tyt.h"

enum { WHEELS = 2 };

typedef struct scene {
    ty_terrain *terrain;
    tyi_soil_world *world;
    tyi_soil_rider *rider;
    ty_soil_def soil;
    ty_device *device;
    double t, x, z[WHEELS], rate[WHEELS], spin; /* [s] [m] [m/s] [rad] */
    double pull, load;                          /* [N] mean over the last steps */
} scene;

static const ty_wheel_shape shape = { 0.15, 0.12, 0.025, 12 };

static ty_soil_def patch_def(int model)
{
    ty_soil_def def = ty_soil_def_default();
    def.patch.model = model;
    def.patch.spacing = 0.04;
    def.patch.e = model == TY_PATCH_DEM ? 1e6 : 3e5;
    def.patch.threads = 1;
    return def;
}

/* a soil world on the scene's ground, with both wheels */
static ty_status join(scene *s, ty_diag *diag)
{
    tyi_soil_world_def wd = {
        .terrain = s->terrain, .gravity = 1.62, .soil = &s->soil, .soils = 1, .device = s->device
    };
    ty_status status = tyi_soil_world_create(&wd, &s->world, diag);
    const ty_soil_body_def wheel = { .wheel = shape, .mass = 4.0, .rim_mass = 3.0, .weight = 30.0 };
    ty_soil_body_def body[WHEELS] = { wheel, wheel };
    int number = 0;
    if (status == TY_OK) {
        status = tyi_soil_world_join(s->world, body, WHEELS, 2.0, false, 0.1, &number, diag);
    }
    if (status == TY_OK) {
        s->rider = s->world->rider[number];
        int32_t i0, j0;
        bool moved;
        tyi_soil_ground_around(s->world, &s->rider->ground, 0.0, 0.0, &i0, &j0);
        status = tyi_soil_ground_move(s->world, &s->rider->ground, i0, j0, &moved, diag);
    }
    for (int i = 0; i < WHEELS; i++) {
        double x = 0.0, y = i ? 0.75 : -0.75;
        ty_terrain_ground g = { 0 };
        if (status == TY_OK) {
            ty_terrain_patch_sample(s->rider->ground.patch, 1, &x, &y, &g);
        }
        s->z[i] = g.z + shape.r + shape.grouser_h;
    }
    return status;
}

static ty_status make_on(scene *s, const ty_soil_def *soil, ty_device *device, ty_diag *diag)
{
    *s = (scene){ .soil = *soil, .device = device };
    ty_terrain_def def = ty_terrain_def_default();
    def.extent = 100.0;
    def.relief.rms_slope_deg = 0.0;
    def.crater.on = def.rock.on = false;
    cr_assert(ty_terrain_create(&def, &s->terrain, diag) == TY_OK, "%s", diag->text);
    return join(s, diag);
}

static ty_status make(scene *s, const ty_soil_def *soil, ty_diag *diag)
{
    return make_on(s, soil, NULL, diag);
}

static void end(scene *s)
{
    tyi_soil_world_destroy(s->world);
    ty_terrain_destroy(s->terrain);
}

/* Both wheels are led at `speed` with a slip of 0.3 and sink freely under 30 N. */
static ty_status drive(scene *s, double seconds, double speed, ty_diag *diag)
{
    double dt = 2e-3, omega = speed / 0.7 / (shape.r + shape.grouser_h);
    ty_status status = TY_OK;
    int steps = (int)(seconds / dt + 0.5);
    s->pull = s->load = 0.0;
    for (int k = 0; k < steps && status == TY_OK; k++) {
        for (int i = 0; i < WHEELS; i++) {
            s->rider->body[i] = (ty_soil_body){ .centre = { s->x, i ? 0.75 : -0.75, s->z[i] },
                                                .axle = { 0, 1, 0 },
                                                .v = { speed, 0, s->rate[i] },
                                                .w = { 0, omega, 0 },
                                                .q = ty_quat_axis(ty_vec3_make(0, 1, 0), s->spin),
                                                .omega = omega,
                                                .angle = s->spin };
        }
        status = tyi_soil_world_step(s->world, dt, diag);
        for (int i = 0; i < WHEELS; i++) {
            s->rate[i] += dt * (s->rider->load[i].force.z - 30.0) / 18.5;
            s->z[i] += dt * s->rate[i];
            s->rider->body[i].centre.z = s->z[i];
            s->rider->body[i].centre.x = s->x + dt * speed;
            s->pull += s->rider->load[i].force.x / WHEELS / steps;
            s->load += s->rider->load[i].force.z / WHEELS / steps;
        }
        s->x += dt * speed;
        s->spin += dt * omega;
        s->t += dt;
        if (status == TY_OK) {
            tyi_terrain_patch_sync(s->rider->ground.patch);
            status = tyi_soil_world_press(s->world, 0, diag);
        }
    }
    return status;
}

static void *particles(const scene *s)
{
    return s->world->layer[s->world->layer[0].patch].state;
}

/* [m^3] that the height field has gained; the deepest [m] */
static double gained(const scene *s, double *deepest)
{
    enum { N = 300 };
    static float change[N];
    double sum = 0.0, d = s->world->site.spacing;
    *deepest = 0.0;
    for (int j = -N / 2; j < N / 2; j++) {
        ty_terrain_edits(s->terrain, s->world->site.level, -N / 2, j, N, 1, change, NULL);
        for (int i = 0; i < N; i++) {
            sum += (double)change[i] * d * d;
            *deepest = fmin(*deepest, (double)change[i]);
        }
    }
    return sum;
}

static const char *name_of(int model)
{
    return model == TY_PATCH_DEM ? "dem" : "crm";
}

/* Ruts are pressed, patches move, and no soil is lost between patch, air and height field. */
static void keeps_mass(int model)
{
    scene s;
    ty_diag diag = { 0 };
    ty_soil_def def = patch_def(model);
    cr_assert(make(&s, &def, &diag) == TY_OK, "%s", diag.text);
    cr_assert(drive(&s, 0.4, 0.0, &diag) == TY_OK, "%s", diag.text);
    cr_assert(drive(&s, 1.0, 0.4, &diag) == TY_OK, "%s", diag.text);
    cr_assert(tyi_soil_patch_tell_all(particles(&s), &diag) == TY_OK, "%s", diag.text);
    tyi_soil_patch_ledger l = tyi_soil_patch_sum(particles(&s));
    double deepest, field = gained(&s, &deepest) * s.soil.bekker.rho;
    printf(
        "patch of %s: load %.1f N, pull %.1f N, rut %.1f mm; entered %.3f, left %.3f, inside %.3f, airborne %.4f, field %.3e kg\n",
        name_of(model), s.load, s.pull, -1e3 * deepest, l.entered, l.left, l.inside, l.airborne, field);
    double ledger = (l.entered - l.left - l.inside) / l.inside, height = (field + l.airborne) / l.inside;
    TY_NEAR(ledger, 0.0, 1e-6);
    TY_NEAR(height, 0.0, 1e-6);
    TY_NEAR_REL(s.load, 30.0, 0.15);   /* the wheels are carried */
    TY_CHECK(l.left > 0.2 * l.inside); /* control: soil did go in and out */
    TY_CHECK(deepest < -2e-3);         /* control: and a rut stays */
    TY_ROW(model == TY_PATCH_DEM
               ? "wheels drive 0.4 m on patches of grains: mass of patches, air and height field kept to 1e-6"
               : "wheels drive 0.4 m with patches: mass of patches, air and height field kept to 1e-6",
           "conservation of mass", "%.1e", fmax(tyt_worst("ledger"), fabs(height)));
    end(&s);
}

TY_TEST(patch, mass_is_kept)
{
    keeps_mass(TY_PATCH_CRM);
}

TY_TEST(patch, mass_is_kept_by_grains)
{
    keeps_mass(TY_PATCH_DEM);
}

static unsigned char *state_of(const scene *s, size_t *bytes)
{
    *bytes = tyi_soil_world_save(s->world, NULL);
    unsigned char *state = malloc(*bytes);
    tyi_soil_world_save(s->world, state);
    return state;
}

#ifdef TYCHO_SANITIZE
#define SHARE 0.1 /* of the time: the sanitizers see memory, which a short drive walks through, too */
#else
#define SHARE 1.0
#endif

/* 2 threads, and in the middle a new world that is restored from bytes: the bits of one thread that goes through. The ground's edits live in
 * the terrain, which stays. */
static void same_bits(int model, ty_device *device)
{
    scene s[2];
    ty_diag diag = { 0 };
    unsigned char *state[3], *rider;
    size_t bytes[3];
    for (int k = 0; k < 2; k++) {
        ty_soil_def def = patch_def(model);
        def.patch.threads = 1 + k;
        def.patch.device = device != NULL;
        cr_assert(make_on(&s[k], &def, device, &diag) == TY_OK, "%s", diag.text);
        cr_assert(drive(&s[k], SHARE * 0.4, 0.3, &diag) == TY_OK, "%s", diag.text);
    }
    state[2] = state_of(&s[1], &bytes[2]);
    rider = malloc(tyi_soil_rider_save(s[1].world, 0, NULL));
    tyi_soil_rider_save(s[1].world, 0, rider);
    tyi_soil_world_destroy(s[1].world);
    scene before = s[1];
    cr_assert(join(&s[1], &diag) == TY_OK, "%s", diag.text);
    memcpy(s[1].z, before.z, sizeof before.z);
    TY_CHECK(tyi_soil_world_restore(s[1].world, state[2], bytes[2] - 1, NULL) == TY_ERR_FORMAT);
    cr_assert(tyi_soil_world_restore(s[1].world, state[2], bytes[2], &diag) == TY_OK, "%s", diag.text);
    tyi_soil_rider_restore(s[1].world, 0, rider);
    for (int k = 0; k < 2; k++) {
        cr_assert(drive(&s[k], SHARE * 0.16, 0.3, &diag) == TY_OK, "%s", diag.text);
        state[k] = state_of(&s[k], &bytes[k]);
    }
    TY_CHECK(bytes[0] == bytes[1] && !memcmp(state[0], state[1], bytes[0]));
    TY_CHECK(bytes[0] != bytes[2] || memcmp(state[0], state[2], bytes[0])); /* control: it has gone on */
    TY_CHECK(s[0].z[0] == s[1].z[0] && s[0].pull == s[1].pull);
    TY_ROW(device                  ? "patches on a device: bits when it goes through, and resumed in the middle"
           : model == TY_PATCH_DEM ? "patches of grains: bits with 1 thread, and with 2 and resumed in the middle"
                                   : "patches: bits with 1 thread, and with 2 and resumed in the middle",
           "each other", "equal");
    for (int k = 0; k < 3; k++) {
        free(state[k]);
    }
    free(rider);
    end(&s[0]);
    end(&s[1]);
}

TY_TEST(patch, same_bits_on_threads_and_when_resumed)
{
    same_bits(TY_PATCH_CRM, NULL);
}

TY_TEST(patch, grains_same_bits_on_threads_and_when_resumed)
{
    same_bits(TY_PATCH_DEM, NULL);
}

/* Lugs take sines, which are the device's own: what wheels feel agrees to single precision, not in its last bits. */
static void agrees(int model, ty_device *device, bool ruts, double speed)
{
    scene s[2];
    ty_diag diag = { 0 };
    for (int k = 0; k < 2; k++) {
        ty_soil_def def = patch_def(model);
        def.patch.device = k;
        def.ruts = ruts;
        cr_assert(make_on(&s[k], &def, device, &diag) == TY_OK, "%s", diag.text);
        cr_assert(drive(&s[k], 0.1, speed, &diag) == TY_OK, "%s", diag.text);
    }
    printf("patches of %s: sinkage on the device off by %.1e m, load by %.1e\n", name_of(model),
           fabs(s[1].z[0] - s[0].z[0]), fabs(s[1].load / s[0].load - 1.0));
    TY_CHECK(fabs(s[1].z[0] - s[0].z[0]) < 1e-5 * 0.04);
    TY_NEAR_REL(s[1].load, s[0].load, 1e-5);
    TY_CHECK(s[0].load > 0.1); /* control: there is a load */
    end(&s[0]);
    end(&s[1]);
}

TY_TEST(patch, on_a_device)
{
    ty_device_def choice = ty_device_def_default();
    ty_device *device = NULL;
    ty_diag diag = { 0 };
    if (ty_device_create(&choice, &device, &diag) != TY_OK) {
        cr_skip("no OpenCL device: %s", diag.text);
    }
    same_bits(TY_PATCH_CRM, device);
    agrees(TY_PATCH_CRM, device, true, 0.3);
    agrees(TY_PATCH_CRM, device, false,
           1.2); /* the patch follows by itself: nothing tells the height field, for which particles come back */
    agrees(TY_PATCH_DEM, device, true, 0.3);
    ty_device_destroy(device);
}

TY_TEST(patch, wrong_numbers_get_a_sentence)
{
    const struct {
        size_t at;
        double value;
        const char *says;
    } wrong[] = {
        { offsetof(ty_soil_def, patch.spacing), 0.06, "twice the height of a wheel's lugs" },
        { offsetof(ty_soil_def, patch.e), 1e4, "50 times the mean pressure" },
        { offsetof(ty_soil_def, bekker.phi), 0.0, "mu_s" },
        { offsetof(ty_soil_def, patch.nu), 0.5, "patch.nu" },
        { offsetof(ty_soil_def, patch.spacing), 0.0, "patch.spacing" },
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        scene s;
        ty_diag diag = { 0 };
        ty_soil_def def = patch_def(TY_PATCH_CRM);
        *(double *)((char *)&def + wrong[k].at) = wrong[k].value;
        TY_CHECK(make(&s, &def, &diag) == TY_ERR_RANGE);
        if (!strstr(diag.text, wrong[k].says)) {
            tyt_failed(__FILE__, __LINE__, diag.text);
        }
        end(&s);
    }
    scene s;
    ty_diag diag = { 0 };
    ty_soil_def def = patch_def(TY_PATCH_CRM);
    def.patch.e = 1e8;
    cr_assert(make(&s, &def, &diag) == TY_OK, "%s", diag.text);
    TY_CHECK(drive(&s, 0.002, 0.1, &diag) == TY_ERR_RANGE);
    TY_CHECK(strstr(diag.text, "too long") != NULL);
    end(&s);
}
