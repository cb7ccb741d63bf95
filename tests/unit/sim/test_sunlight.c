/* The light on a rover's panels in a run: behind a rock and beside it, the same as ty_run_sunlight() gives, told when
 * the window ends.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "support.h"

/* a rover that stands in a field of large rocks, with a power budget */
static small *field(double x, double y, bool rocks)
{
    const char *root = getenv("TYCHO_SOURCE");
    small *s = small_make();
    s->scenario.terrain.rock =
        (ty_rock_def){ .on = rocks, .cover = 0.4, .d_min = 2.0, .d_max = 6.0, .crater_boost = 1.0 };
    s->scenario.terrain.relief.rms_slope_deg = 0.5;
    s->rover.driver.kind = TY_DRIVER_STAND;
    s->rover.vehicle.x = x, s->rover.vehicle.y = y;
    s->sensor[s->rover.sensors] = ty_sensor_def_default(TY_SENSOR_POWER);
    ty_sensor_def *d = &s->sensor[s->rover.sensors++];
    snprintf(d->name, sizeof d->name, "power");
    snprintf(d->as.instrument.model, sizeof d->as.instrument.model, "%s/models/sensors/viper_power.yaml",
             root ? root : ".");
    d->period = d->window = 0.5;
    return s;
}

/* the highest rock near the origin with free ground `away` from it, against the Sun and to the side */
static ty_rock highest(ty_vec3 sun, double away)
{
    enum { MANY = 2000 };
    static ty_rock rock[MANY];
    ty_terrain *t = NULL;
    small *s = field(0.0, 0.0, true);
    cr_assert(ty_terrain_create(&s->scenario.terrain, &t, NULL) == TY_OK);
    size_t n = ty_terrain_rocks(t, (ty_rect){ -80, -80, 80, 80 }, 0.0, INFINITY, rock, MANY), best = SIZE_MAX;
    double top = 0.0;
    for (size_t i = 0; i < n; i++) {
        double h = rock[i].scale * (1.0 - rock[i].burial) * (double)ty_terrain_rock_shape(t, rock[i].shape)->height,
               x = rock[i].x - away * sun.x, y = rock[i].y - away * sun.y;
        bool open = true;
        for (size_t k = 0; k < n; k++) {
            open = open && (k == i || hypot(rock[k].x - x, rock[k].y - y) > 2.0 + rock[k].diameter);
        }
        if (open && h > top) {
            top = h, best = i;
        }
    }
    ty_terrain_destroy(t);
    small_free(s);
    cr_assert(best != SIZE_MAX && top > 1.8, "highest rock: %g m", top);
    return rock[best];
}

typedef struct told {
    double solar, lit, asked, load; /* [W] [-] [-] by ty_run_sunlight() [W] */
    uint64_t hash;
} told;

static told one_second(small *s)
{
    told t = { 0 };
    small_create(s);
    small_steps(s, 1.0);
    const ty_message *m = ty_run_newest(s->run, 0);
    cr_assert(m && m->sequence == 1 && m->time.end == ty_run_time(s->run)); /* at once: no lag was asked for */
    t.solar = ty_buffer_get(&m->part[0].data, 0, 0, 1), t.load = ty_buffer_get(&m->part[0].data, 0, 0, 2),
    t.lit = ty_buffer_get(&m->part[0].data, 0, 0, 5);
    t.hash = ty_message_hash(m);
    cr_assert(ty_run_sunlight(s->run, 0, &t.asked, NULL) == TY_OK);
    small_free(s);
    return t;
}

TY_TEST(sunlight, no_power_behind_a_rock, .timeout = 60)
{
    const double away = 4.0; /* [m] */
    small *s = field(0.0, 0.0, false);
    small_create(s);
    ty_vec3 sun = ty_run_sky(s->run).sun.dir_W;
    small_free(s);
    cr_assert(sun.z > 0.0 && sun.z < 0.2); /* low over the pole */
    ty_rock rock = highest(sun, away);
    double x = rock.x - away * sun.x, y = rock.y - away * sun.y;
    told dark = one_second(field(x, y, true)), lit = one_second(field(x, y, false)); /* control: no rock */
    printf("sunlight: behind a rock of %.1f m %g W, without it %g W\n", rock.diameter, dark.solar, lit.solar);
    TY_NEAR(dark.solar, 0.0, 0.0);
    TY_NEAR(dark.lit, 0.0, 0.0);
    TY_NEAR(dark.asked, 0.0, 0.0);
    TY_NEAR(lit.lit, 1.0, 0.0);
    TY_NEAR(lit.asked, 1.0, 0.0);
    TY_CHECK(lit.solar > 50.0 && lit.solar < 1500.0);
    TY_NEAR(dark.load - lit.load, 60.0 / 0.92, 10.0); /* the heaters, through the converter: they are on in the dark */
    small *more = field(x, y, true);
    more->def.threads = 2, more->def.overlap = false;
    TY_CHECK(one_second(more).hash == dark.hash && lit.hash != dark.hash); /* the same bits on any number of threads */
}
