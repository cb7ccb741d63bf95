/* The SPAD camera of a run against the terrain under it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "support.h"
#include "tycho/tools/lidar_scan.h"

#define LIGHT 299792458.0 /* [m/s] */

static ty_sensor_def *put(small *s, ty_sensor_type type, const char *mount, double period, const char *file)
{
    const char *root = getenv("TYCHO_SOURCE");
    ty_sensor_def *d = &s->sensor[s->rover.sensors++];
    *d = ty_sensor_def_default(type);
    snprintf(d->name, sizeof d->name, "one"), snprintf(d->mount, sizeof d->mount, "%s", mount);
    d->window = d->window > 0.0 ? period : 0.0, d->period = period;
    snprintf(d->as.instrument.model, sizeof d->as.instrument.model, "%s/models/sensors/%s", root ? root : ".", file);
    return d;
}

/* how far [m] the end of a pixel's ray, as long as the sensor says, is from the ground; heights are not the tracer's */
static double off_ground(small *s, int pixel, double range)
{
    const double fov = 45.0 * TY_DEG;
    double az = fov * (0.5 - (pixel / 8 + 0.5) / 8.0), el = fov * (0.5 - (pixel % 8 + 0.5) / 8.0), z;
    ty_vehicle *v = ty_run_rover(s->run, 0);
    ty_pose at = ty_vehicle_mount_pose(v, ty_vehicle_find_mount(v, "hazcam_front"));
    ty_vec3 p = ty_pose_point(at, ty_scale(range, ty_vec3_make(cos(el) * cos(az), cos(el) * sin(az), sin(el))));
    ty_terrain_sample(ty_world_terrain(ty_run_world(s->run)), 0, 1, &p.x, &p.y, &z, NULL, NULL);
    return fabs(p.z - z);
}

static small *spad_run(ty_setting *set, size_t count, bool overlap)
{
    small *s = small_make();
    s->rover.driver.kind = TY_DRIVER_STAND;
    s->def.overlap = overlap;
    s->def.detail = 0;
    ty_sensor_def *d = put(s, TY_SENSOR_SPAD, "hazcam_front", 0.1, "spad_8x8.yaml");
    d->as.instrument.settings = (ty_settings){ set, count };
    d->lag = 0.02;
    small_create(s);
    small_steps(s, 0.25);
    return s;
}

TY_TEST(photons, histograms_of_the_ground)
{
    static ty_setting single[] = { { "grid.samples", "1" },
                                   { "grid.divergence_h_deg", "0" },
                                   { "grid.divergence_v_deg", "0" },
                                   { "noise", "false" } };
    small *s = spad_run(single, 4, true);
    const ty_message *m = ty_run_newest(s->run, 0);
    cr_assert(m && m->sequence == 2 && m->time.due == m->time.end + 20000000);
    const ty_buffer *photons = &m->part[0].data, *truth = ty_message_find(m, "truth"),
                    *time = ty_message_find(m, "time");
    TY_CHECK(photons->type.unit == TY_UNIT_PHOTONS && photons->type.width == 256 && photons->type.height == 64);
    int seen = 0;
    for (int i = 0; i < 64; i++) {
        double d = ty_buffer_get(truth, 0, i, 0);
        if (!(d < 8.0)) {
            continue; /* beyond its bins: the upper pixels look to the horizon */
        }
        int peak = 0;
        for (int b = 1; b < 256; b++) {
            peak = ty_buffer_get(photons, b, i, 0) > ty_buffer_get(photons, peak, i, 0) ? b : peak;
        }
        TY_NEAR(off_ground(s, i, d), 0.0, 3e-3);
        TY_FAR(off_ground(s, i, 1.2 * d), 0.0, 3e-3); /* control */
        if (d < 2.5) { /* farther the pulse is flat on top over four bins and a bin's rounding decides */
            /* anywhere in the pulse of 1 ns */
            TY_NEAR(ty_buffer_get(time, peak, 0, 0), 2.0 * d / LIGHT, 0.5e-9 + 1.5 * 2.5e-10);
            /* control: one way only */
            TY_FAR(ty_buffer_get(time, peak, 0, 0), d / LIGHT, 0.5e-9 + 1.5 * 2.5e-10);
        }
        seen++;
    }
    cr_expect(seen >= 32, "%d pixels see the ground", seen);
    small_free(s);
}

TY_TEST(photons, ranges_and_the_same_bits_in_line)
{
    static ty_setting range[] = { { "output", "range" }, { "grid.samples", "4" } };
    static ty_setting few[] = { { "output", "range" }, { "bins", "4" } };
    small *a = spad_run(range, 2, true), *b = spad_run(range, 2, false), *c = spad_run(few, 2, false);
    const ty_message *m = ty_run_newest(a->run, 0);
    TY_CHECK(ty_message_hash(m) == ty_message_hash(ty_run_newest(b->run, 0)));
    TY_CHECK(!strcmp(m->schema->column[0].name, "range") && m->part[0].data.type.height == 64 &&
             m->part[0].data.type.channels == 2);
    int seen = 0, blind = 0;
    for (int i = 0; i < 64; i++) {
        double r = ty_buffer_get(&m->part[0].data, 0, i, 0), d = ty_buffer_get(ty_message_find(m, "truth"), 0, i, 0);
        if (d < 1.5) { /* the nearest of four rays; the pixel sees ground that is farther by up to a sixth */
            cr_expect(r > d - 0.03 && r < 1.25 * d, "pixel %d: %g m, nearest %g m", i, r, d);
            seen++;
        }
        blind += isnan(ty_buffer_get(&ty_run_newest(c->run, 0)->part[0].data, 0, i, 0));
    }
    cr_expect(seen >= 24, "%d pixels near", seen);
    TY_CHECK(blind == 64); /* control: bins that end before the ground */
    small_free(a), small_free(b), small_free(c);
}

TY_TEST(photons, sentences)
{
    static ty_setting wrong[] = { { "grid.columns", "0" } }, none[] = { { "bin", "-1" } };
    ty_diag diag = { 0 };
    small *s = small_make();
    ty_sensor_def *d = put(s, TY_SENSOR_SPAD, "hazcam_front", 0.1, "spad_8x8.yaml");
    d->as.instrument.settings = (ty_settings){ wrong, 1 };
    TY_CHECK(ty_run_create(&s->def, &s->run, &diag) == TY_ERR_RANGE && strstr(diag.text, "grid.columns") != NULL);
    d->as.instrument.settings = (ty_settings){ none, 1 };
    diag = (ty_diag){ 0 };
    TY_CHECK(ty_run_create(&s->def, &s->run, &diag) == TY_ERR_RANGE && strstr(diag.text, "bin") != NULL);
    ty_spad_file file;
    const char *set[] = { "bins=12", "grid.rows=3" };
    TY_CHECK(ty_spad_load(d->as.instrument.model, set, 2, &file, &diag) == TY_OK);
    TY_CHECK(file.spad.bins == 12 && file.spad.pixels == 24 && file.spad.samples == 16 &&
             file.output == TY_SPAD_HISTOGRAM);
    small_free(s);
}
