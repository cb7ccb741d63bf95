/* The soil's table: defaults are accepted, everything outside is refused by name.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <glob.h>
#include "soils.h"
#include "tycho/tools/testbed.h"
#include "soil/inner.h"

TY_TEST(soil_params, defaults_are_in_range_and_readable)
{
    size_t n;
    const ty_soil_field *field = ty_soil_fields(&n);
    TY_CHECK(n == 24);
    for (size_t i = 0; i < n; i++) {
        TY_CHECK(field[i].fallback >= field[i].low && field[i].fallback <= field[i].high);
        TY_CHECK(strlen(field[i].what) > 5 && strlen(field[i].unit) > 0);
    }
    ty_soil_params p = ty_soil_params_default();
    TY_NEAR(p.phi, 35.0 * TY_DEG, 1e-15);
    TY_NEAR(p.k_phi, 8.2e5, 0.0);
    TY_CHECK(p.bulldozing && p.friction_circle);
    tyi_soil_wheel_destroy(make_wheel(&p, &wheel_ishigami));
}

/* each key sets a member of its own, takes its ends, and refuses what lies beyond with its name */
TY_TEST(soil_params, every_key_is_set_and_bounded)
{
    size_t n;
    const ty_soil_field *field = ty_soil_fields(&n);
    for (size_t i = 0; i < n; i++) {
        ty_soil_params p = ty_soil_params_default(), q = p;
        ty_diag diag = { 0 };
        double other = field[i].fallback == field[i].low ? field[i].high : field[i].low;
        TY_CHECK(ty_soil_params_set(&p, field[i].key, other, &diag) == TY_OK);
        TY_CHECK(memcmp(&p, &q, sizeof p) != 0);
        TY_CHECK(ty_soil_params_set(&p, field[i].key, field[i].fallback, &diag) == TY_OK);
        TY_CHECK(memcmp(&p, &q, sizeof p) == 0);
        double wrong[3] = { field[i].low - 1.0, 2.0 * field[i].high + 1.0, (double)NAN };
        for (int k = 0; k < 3; k++) {
            ty_diag said = { 0 };
            TY_CHECK(ty_soil_params_set(&p, field[i].key, wrong[k], &said) == TY_ERR_RANGE);
            TY_CHECK(strstr(said.text, field[i].key) != NULL);
            TY_CHECK(memcmp(&p, &q, sizeof p) == 0);
        }
    }
    ty_soil_params p = ty_soil_params_default();
    ty_diag diag = { 0 };
    TY_CHECK(ty_soil_params_set(&p, "cohesion", 1.0, &diag) == TY_ERR_INPUT && strstr(diag.text, "'cohesion'"));
}

static ty_status try_make(const ty_soil_params *p, ty_wheel_shape shape, ty_diag *diag)
{
    tyi_soil_wheel *wheel = (tyi_soil_wheel *)&shape;
    *diag = (ty_diag){ 0 };
    ty_status status = tyi_soil_wheel_create(p, &shape, NULL, &wheel, diag);
    TY_CHECK((status == TY_OK) == (wheel != NULL));
    tyi_soil_wheel_destroy(wheel);
    return status;
}

TY_TEST(soil_params, wrong_soils_and_wheels_are_refused)
{
    ty_diag diag;
    ty_soil_params zero = { 0 }, p = ty_soil_params_default();
    TY_CHECK(try_make(&zero, wheel_ishigami, &diag) == TY_ERR_DEF);
    p.kx = 0.0;
    TY_CHECK(try_make(&p, wheel_ishigami, &diag) == TY_ERR_RANGE && strstr(diag.text, "kx"));
    p = ty_soil_params_default();
    p.phi = (double)NAN;
    TY_CHECK(try_make(&p, wheel_ishigami, &diag) == TY_ERR_RANGE && strstr(diag.text, "phi_deg"));
    p.phi = 80.0 * TY_DEG; /* the end of its range, through radians and back */
    TY_CHECK(try_make(&p, wheel_ishigami, &diag) == TY_OK);
    p = ty_soil_params_default();
    p.n0 = 0.5;
    p.n1 = -0.6;
    TY_CHECK(try_make(&p, wheel_ishigami, &diag) == TY_ERR_RANGE && strstr(diag.text, "n0 + n1"));
    p = ty_soil_params_default();
    p.k_c = -44.1e3;
    p.k_phi = 3.58e6; /* KLS-1: a negative k_c is fine under a wide wheel and not under a narrow one */
    TY_CHECK(try_make(&p, wheel_ishigami, &diag) == TY_OK);
    TY_CHECK(try_make(&p, (ty_wheel_shape){ 0.09, 0.01, 0.0, 0 }, &diag) == TY_ERR_RANGE &&
             strstr(diag.text, "k_c / b"));
    p = ty_soil_params_default();
    TY_CHECK(try_make(&p, (ty_wheel_shape){ 0.0, 0.1, 0.0, 0 }, &diag) == TY_ERR_RANGE && strstr(diag.text, "r is 0"));
    TY_CHECK(try_make(&p, (ty_wheel_shape){ 0.1, (double)NAN, 0.0, 0 }, &diag) == TY_ERR_RANGE &&
             strstr(diag.text, "b is"));
    TY_CHECK(try_make(&p, (ty_wheel_shape){ 0.1, 0.1, 0.2, 4 }, &diag) == TY_ERR_RANGE &&
             strstr(diag.text, "grouser_h"));
    TY_CHECK(try_make(&p, (ty_wheel_shape){ 0.1, 0.1, 0.01, -1 }, &diag) == TY_ERR_RANGE &&
             strstr(diag.text, "grousers"));
}

static void *no_memory(size_t bytes, void *user)
{
    (void)bytes;
    (void)user;
    return NULL;
}

TY_TEST(soil_params, out_of_memory_is_said)
{
    ty_alloc none = *ty_alloc_heap();
    none.get = no_memory;
    ty_soil_params p = ty_soil_params_default();
    tyi_soil_wheel *wheel;
    ty_diag diag = { 0 };
    TY_CHECK(tyi_soil_wheel_create(&p, &wheel_ishigami, &none, &wheel, &diag) == TY_ERR_MEMORY && !wheel);
    tyi_soil_wheel_destroy(NULL);
}

/* Each preset: flat keys that the table knows, values it takes, and a unit and source behind every
 * one; a whole soil that a wheel can be made with. */
static void check_preset(const char *path, int *lines)
{
    FILE *file = fopen(path, "r");
    ty_soil_params p = ty_soil_params_default();
    char line[512];
    while (fgets(line, sizeof line, file)) {
        char key[64], text[64], source[400];
        ty_diag diag = { 0 };
        if (line[0] == '#') {
            continue;
        }
        int n = sscanf(line, "%63[a-z0-9_]: %63[^ ] # [%*[^]]] %399[^\n]", key, text, source);
        cr_expect(n == 3 && strlen(source) >= 5, "%s: no unit and source: %s", path, line);
        double value = n < 2 ? 0.0 : !strcmp(text, "true") ? 1.0 : !strcmp(text, "false") ? 0.0 : strtod(text, NULL);
        cr_expect(n < 2 || ty_soil_params_set(&p, key, value, &diag) == TY_OK, "%s: %s", path, diag.text);
        *lines += n == 3 && strcmp(text, "true") != 0 && strcmp(text, "false") != 0; /* the numbers: as many in each */
    }
    fclose(file);
    tyi_soil_wheel_destroy(make_wheel(&p, &wheel_ishigami));
}

TY_TEST(soil_params, presets_are_readable)
{
    const char *source = getenv("TYCHO_SOURCE");
    char pattern[4096];
    glob_t found;
    int lines = 0;
    snprintf(pattern, sizeof pattern, "%s/models/soils/*.yaml", source ? source : ".");
    cr_assert(glob(pattern, 0, NULL, &found) == 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        check_preset(found.gl_pathv[i], &lines);
    }
    TY_CHECK(found.gl_pathc >= 10 && lines == 16 * (int)found.gl_pathc);
    globfree(&found);
}

/* phi of triaxial tests: wheels, columns and the shear plate go by its sine, and the file says so with one key */
TY_TEST(soil_params, phi_of_triaxial_tests)
{
    ty_soil_params p = ty_soil_params_default(), q = p;
    ty_diag diag = { 0 };
    ty_rig_def rig = ty_rig_def_default(), other = rig;
    double shear, expected;
    TY_CHECK(ty_soil_params_set(&p, "phi_triaxial", 1.0, &diag) == TY_OK);
    TY_NEAR(tyi_soil_shear_angle(&p), atan(sin(35.0 * TY_DEG)), 1e-15);
    TY_NEAR(tyi_soil_shear_angle(&q), 35.0 * TY_DEG, 1e-15);
    q.phi = tyi_soil_shear_angle(&p);
    ty_wheel_steady motion = { .load = 100.0, .slip = 0.3 };
    ty_wheel_load a, b;
    double h;
    TY_CHECK(ty_wheel_static(&p, &wheel_ishigami, &motion, &h, &a, &diag) == TY_OK);
    TY_CHECK(ty_wheel_static(&q, &wheel_ishigami, &motion, &h, &b, &diag) == TY_OK);
    TY_CHECK(a.fx == b.fx && a.torque == b.torque);
    q.phi = p.phi; /* control: the angle as printed pulls more */
    TY_CHECK(ty_wheel_static(&q, &wheel_ishigami, &motion, &h, &b, &diag) == TY_OK);
    TY_CHECK(b.fx > 1.1 * a.fx);
    for (int model = 0; model < 2; model++) {
        rig.model = other.model = model ? TY_SOIL_SCM : TY_RIG_STATIC;
        rig.soil = p;
        other.soil = p;
        other.soil.phi_triaxial = false;
        other.soil.phi = tyi_soil_shear_angle(&p);
        TY_CHECK(ty_plate_shear(&rig, 3000.0, 0.02, &shear, &diag) == TY_OK);
        TY_CHECK(ty_plate_shear(&other, 3000.0, 0.02, &expected, &diag) == TY_OK);
        TY_NEAR_REL(shear, expected, 1e-12);
    }
}
