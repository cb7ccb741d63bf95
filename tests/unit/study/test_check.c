/* Files told by their content: what a summary says, what a failure leaves, damaged soils.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <unistd.h>
#include "tycho/tools/check.h"
#include "tycho/math.h"
#include "tycho/soil.h"
#include "tycho/terrain.h"
#include "tycho/vehicle.h"
#include "soil/inner.h"
#include "vehicle/inner.h"
#include "k_philox.h"
#include "tyt.h"

static const char *source(const char *file)
{
    static char full[4096];
    const char *root = getenv("TYCHO_SOURCE");
    snprintf(full, sizeof full, "%s/%s", root ? root : ".", file);
    return full;
}

/* what is printed about a file; "" on failure */
static ty_status checked(const char *file, char *out, size_t size, ty_diag *diag)
{
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    *diag = (ty_diag){ 0 };
    ty_status status = ty_check_file(file, NULL, 0, to, diag);
    fclose(to);
    snprintf(out, size, "%s", text);
    free(text);
    return status;
}

static ty_status checked_text(const char *text, size_t size, char *out, size_t room, ty_diag *diag)
{
    char path[] = "/tmp/tyt_check_XXXXXX";
    int file = mkstemp(path);
    cr_assert(file >= 0 && write(file, text, size) == (ssize_t)size);
    close(file);
    ty_status status = checked(path, out, room, diag);
    unlink(path);
    return status;
}

TY_TEST(check, kinds_by_content)
{
    static const struct {
        const char *text, *says; /* in the summary, or in the sentence */
        ty_status status;
    } files[] = {
        { "version: 1\n", "ok (scenario, 1 key)", TY_OK },
        { "k_c: 1\n", "ok (soil, 1 of ", TY_OK },
        { "rate: 50\ngyro: {range_deg_s: 100}\n", "ok (IMU, 50 samples per second)", TY_OK },
        { "ticks: 100\n", "ok (encoder, 100 counts per turn)", TY_OK },
        { "close: 3\nopen: 2\n", "ok (contact switch", TY_OK },
        { "kt: 3\n", "ok (motor, 3 N m/A", TY_OK },
        { "low_deg: -10\nhigh_deg: 10\n", "ok (joint angle, -10 to 10 deg)", TY_OK },
        { "least: 1\nmost: 20\nnoise_range: 0.01\n", "ok (altimeter, 1 to 20 m)", TY_OK },
        { "noise: [1, 1, 1]\n", "ok (position fix", TY_OK }, /* others have a noise as well, but no list */
        { "noise: 0.2\nquantum: 0.1\nrange: 5\n", "ok (motor", TY_OK },
        { "version: 1\nmodel: x.xml\nbody: a\n", "the key name is needed", TY_ERR_INPUT }, /* a rover */
        { "version: 1\nsites: []\ncamera: {}\n", "sites has 0", TY_ERR_RANGE },            /* a data set */
        { "kc: 1\nkphi: 2\n", "a soil takes", TY_ERR_INPUT },                              /* nearly its keys */
        { "colour: 1\n", "colour is a key of no file", TY_ERR_INPUT },
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char out[4096];
        ty_diag diag;
        ty_status status = checked_text(files[i].text, strlen(files[i].text), out, sizeof out, &diag);
        cr_expect(status == files[i].status && strstr(status == TY_OK ? out : diag.text, files[i].says) &&
                      (status == TY_OK || !out[0]),
                  "%s: %s, \"%s\" \"%s\"", files[i].text, ty_status_name(status), out, diag.text);
    }
}

/* the lever rule: what stands on the ground about the centre of mass; the hull as the file has it */
TY_TEST(check, a_rover_stands_as_its_centre_of_mass_says)
{
    ty_terrain_def ground = ty_terrain_def_default();
    ground.relief.rms_slope_deg = 0.0;
    ground.crater.on = ground.rock.on = false;
    ground.extent = 100.0;
    ty_terrain *terrain;
    ty_vehicle *v;
    ty_diag diag = { 0 };
    cr_assert(ty_terrain_create(&ground, &terrain, &diag) == TY_OK, "%s", diag.text);
    ty_vehicle_def def = ty_vehicle_def_default();
    def.rover = source("models/rovers/viper.yaml");
    def.terrain = terrain;
    cr_assert(ty_vehicle_create(&def, &v, &diag) == TY_OK, "%s", diag.text);
    for (int i = 0; i < 4000; i++) {
        cr_assert(ty_vehicle_step(v, 1e-3, &diag) == TY_OK, "%s", diag.text);
    }
    ty_vehicle_state s;
    ty_vehicle_get(v, &s);
    ty_vec3 centre = tyi_vehicle_centre(v);
    double front = s.wheel[0].fz + s.wheel[1].fz, rear = s.wheel[2].fz + s.wheel[3].fz;
    double want = (centre.x - s.wheel[2].p_W.x) / (s.wheel[0].p_W.x - s.wheel[2].p_W.x);
    TY_NEAR(front / (front + rear), want, 1e-3);
    TY_FAR(front / (front + rear), 0.5, 5e-3); /* control: its centre is not in the middle */
    TY_NEAR_REL(front + rear, 1.62 * ty_vehicle_mass(v), 1e-3);
    const ty_collision_shape *shape;
    TY_CHECK(tyi_vehicle_collisions(v, &shape) == 2);
    TY_NEAR(shape[0].box.x, 1.44, 0.0);
    TY_NEAR(shape[1].pose.p.z, 1.82, 0.0);
    TY_CHECK(!strcmp(ty_vehicle_body(v, shape[0].body), "chassis"));
    ty_vehicle_destroy(v);
    ty_terrain_destroy(terrain);
}

TY_TEST(check, soil_values_by_key)
{
    ty_soil_params soil = ty_soil_params_default();
    size_t count;
    const ty_soil_field *field = ty_soil_fields(&count);
    for (size_t i = 0; i < count; i++) {
        TY_NEAR_REL(ty_soil_params_get(&soil, field[i].key), field[i].fallback, 1e-15);
    }
    TY_CHECK(isnan(ty_soil_params_get(&soil, "k_x")));
    ty_diag diag = { 0 };
    TY_CHECK(tyi_soil_params_check(&soil, &diag) == TY_OK);
    soil.n1 = -1.0; /* n0 + n1 = 0 */
    TY_CHECK(tyi_soil_params_check(&soil, &diag) == TY_ERR_RANGE && strstr(diag.text, "n0 + n1 is 0"));
}

/* ---- damaged bytes ---- */

static ty_u32 roll(ty_u32 run, ty_u32 *draw, ty_u32 sides)
{
    return ty_k_philox(run, (*draw)++, 0, 0, 20261115u, TY_RNG_TEST).v[0] % sides;
}

TY_TEST(check, damaged_soils_are_told_or_taken, .timeout = 100)
{
    static const char *const tokens[] = { ": ", "- ", "\n", "\t",    "{",  "}",    "[",    "]", "&a ",
                                          "*a", "\"", "#",  "1e999", "-1", ".nan", "null", "0", "k_c: 1\n" };
    char whole[4096], text[8192], out[4096];
    FILE *file = fopen(source("models/soils/lunar.yaml"), "rb");
    cr_assert(file != NULL);
    size_t size = fread(whole, 1, sizeof whole, file);
    fclose(file);
    ty_u32 runs = tyt_long() ? 20000 : 600, taken = 0;
    for (ty_u32 run = 0; run < runs; run++) {
        ty_u32 draw = 0;
        size_t n = size;
        memcpy(text, whole, size);
        for (ty_u32 k = 1 + roll(run, &draw, 3); k > 0; k--) {
            size_t at = roll(run, &draw, (ty_u32)n);
            if (roll(run, &draw, 2)) {
                text[at] = (char)roll(run, &draw, 256);
            } else {
                const char *token = tokens[roll(run, &draw, sizeof tokens / sizeof tokens[0])];
                memmove(text + at + strlen(token), text + at, n - at);
                memcpy(text + at, token, strlen(token));
                n += strlen(token);
            }
        }
        ty_diag diag;
        ty_status status = checked_text(text, n, out, sizeof out, &diag);
        taken += status == TY_OK;
        cr_expect(status == TY_OK ? !diag.text[0] && strstr(out, ": ok (")
                                  : !out[0] && strlen(diag.text) > 20 && !strchr(diag.text, '\n'),
                  "run %u: %s \"%s\"", run, ty_status_name(status), diag.text);
    }
    cr_expect(taken > runs / 20 && taken < runs * 9 / 10, "%u of %u are taken: neither kind may be rare", taken, runs);
}
