/* tests/unit/vehicle/test_run.c - the same bits again, nothing allocated, and a sentence for everything wrong.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>
#include <unistd.h>
#include "allocations.h"
#include "ground.h"
#include "k_philox.h"
#include "tyt.h"
#include "vehicle/inner.h"

/* steps of a rover on particles, which take thousands of times as long as others */
#ifdef TYCHO_SANITIZE
#define CRM_STEPS 2
#else
#define CRM_STEPS 20
#endif

TY_TEST(run, no_allocation)
{
    tyt_ground g;
    ty_diag diag = { 0 };
    tyt_ground_made(&g, 3);
    for (int soil = 0; soil < TY_SOIL_USER; soil++) {
        ty_vehicle_def def = tyt_vehicle_def(&g, "viper", (ty_soil_model_kind)soil);
        ty_vehicle *v = tyt_vehicle(&def);
        ty_vehicle_command(v, &(ty_drive_command){ .v = 0.3, .omega = 0.1 }, &diag);
        long before = allocations;
        int steps = soil == TY_SOIL_CRM ? CRM_STEPS : soil == TY_SOIL_DEM ? 2 : 3000; /* grains take their time */
        for (int i = 0; i < steps; i++) {
            TY_CHECK(ty_vehicle_step(v, 1e-3, &diag) == TY_OK);
        }
        TY_CHECK(allocations == before);
        ty_vehicle_destroy(v);
    }
    tyt_ground_free(&g);
    tyt_ground_stony(&g); /* and none while it pushes rocks */
    for (int k = 0; k < 20; k++) {
        tyt_rock(&g, (uint64_t)k + 1, 0.9 + 0.05 * k, 0.58 + 0.01 * (k % 5), 0.06);
    }
    ty_vehicle_def def = tyt_vehicle_def(&g, "viper", TY_SOIL_BEKKER);
    ty_vehicle *v = tyt_vehicle(&def);
    ty_vehicle_command(v, &(ty_drive_command){ .v = 0.3 }, &diag);
    long pushing = allocations;
    for (int i = 0; i < 3000; i++) {
        TY_CHECK(ty_vehicle_step(v, 1e-3, &diag) == TY_OK);
    }
    TY_CHECK(allocations == pushing && tyi_vehicle_pushed(v, NULL, 0) > 5);
    ty_vehicle_destroy(v);
#ifndef TYCHO_SANITIZE
    long before = allocations;         /* the control: the counter counts */
    void *volatile taken = malloc(10); /* clang leaves out what nobody can see */
    free(taken);
    TY_CHECK(allocations == before + 1);
#endif
    tyt_ground_free(&g);
}

static void drive(ty_vehicle *v, int from, int to)
{
    ty_diag diag = { 0 };
    for (int i = from; i < to; i++) {
        if (i % 500 == 0) {
            ty_drive_command c = { .mode = (ty_steering)(i / 500 % 4), .v = 0.25, .omega = 0.1, .crab = 0.3 };
            ty_vehicle_command(v, &c, &diag);
        }
        cr_assert(ty_vehicle_step(v, 1e-3, &diag) == TY_OK && ty_vehicle_press_ruts(v, &diag) == TY_OK, "%s",
                  diag.text);
    }
}

TY_TEST(run, save_restore)
{
    for (int soil = 0; soil < TY_SOIL_USER; soil++) {
        tyt_ground g, fresh; /* the ground without the edits of what is done again */
        ty_diag diag = { 0 };
        tyt_ground_made(&g, 5);
        tyt_ground_made(&fresh, 5);
        ty_vehicle_def def = tyt_vehicle_def(&g, "viper", (ty_soil_model_kind)soil);
        ty_vehicle *a = tyt_vehicle(&def);
        def.terrain = fresh.terrain;
        ty_vehicle *b = tyt_vehicle(&def);
        int half = soil == TY_SOIL_CRM ? CRM_STEPS : soil == TY_SOIL_DEM ? 2 : 1300;
        drive(a, 0, half);
        size_t bytes = ty_vehicle_save_size(a);
        unsigned char *saved = malloc(bytes);
        ty_vehicle_save(a, saved);
        drive(a, half, 2 * half);
        TY_CHECK(ty_vehicle_restore(b, saved, bytes, &diag) == TY_OK);
        drive(b, half, 2 * half);
        TY_CHECK(tyt_vehicle_digest(a) == tyt_vehicle_digest(b));
        drive(b, 2 * half, 2 * half + 1); /* the control */
        TY_CHECK(tyt_vehicle_digest(a) != tyt_vehicle_digest(b));
        saved[bytes / 2] ^= 1;
        TY_CHECK(ty_vehicle_restore(b, saved, bytes, &diag) == TY_ERR_FORMAT);
        TY_CHECK(ty_vehicle_restore(b, saved, bytes - 8, &diag) == TY_ERR_FORMAT);
        free(saved);
        ty_vehicle_destroy(a);
        ty_vehicle_destroy(b);
        tyt_ground_free(&g);
        tyt_ground_free(&fresh);
    }
}

static void *drive_alone(void *user)
{
    drive(user, 0, 2000);
    return NULL;
}

TY_TEST(run, threads)
{
    tyt_ground g[3];
    ty_vehicle *v[3];
    pthread_t thread[2];
    for (int k = 0; k < 3; k++) {
        tyt_ground_made(&g[k], 7);
        ty_vehicle_def def = tyt_vehicle_def(&g[k], "viper", TY_SOIL_BEKKER);
        v[k] = tyt_vehicle(&def);
    }
    drive(v[2], 0, 2000);
    for (int k = 0; k < 2; k++) {
        cr_assert(pthread_create(&thread[k], NULL, drive_alone, v[k]) == 0);
    }
    for (int k = 0; k < 2; k++) {
        pthread_join(thread[k], NULL);
        TY_CHECK(tyt_vehicle_digest(v[k]) == tyt_vehicle_digest(v[2]));
    }
    for (int k = 0; k < 3; k++) {
        ty_vehicle_destroy(v[k]);
        tyt_ground_free(&g[k]);
    }
}

/* ---- wrong models ---- */

typedef struct files {
    char folder[64], yaml[96], xml[96];
    char *yaml_text, *xml_text;
    size_t xml_size;
} files;

static char *slurp(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    cr_assert(f, "%s", path);
    char *text = calloc(1, 1 << 20);
    *size = fread(text, 1, (1 << 20) - 1, f);
    fclose(f);
    return text;
}

static void spill(const char *path, const char *text, size_t size)
{
    FILE *f = fopen(path, "wb");
    cr_assert(f && fwrite(text, 1, size, f) == size);
    fclose(f);
}

static void files_open(files *f)
{
    char path[4096];
    size_t size;
    strcpy(f->folder, "/tmp/tycho-rover-XXXXXX");
    cr_assert(mkdtemp(f->folder));
    snprintf(f->yaml, sizeof f->yaml, "%s/viper.yaml", f->folder);
    snprintf(f->xml, sizeof f->xml, "%s/viper.xml", f->folder);
    snprintf(path, sizeof path, "%s", tyt_rover("viper"));
    f->yaml_text = slurp(path, &size);
    strcpy(strrchr(path, '.'), ".xml");
    f->xml_text = slurp(path, &f->xml_size);
}

static void files_close(files *f)
{
    unlink(f->yaml);
    unlink(f->xml);
    rmdir(f->folder);
    free(f->yaml_text);
    free(f->xml_text);
}

/* text with the first `from` replaced */
static char *replaced(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    cr_assert(at, "%s", from);
    char *out = malloc(strlen(text) + strlen(to) + 1);
    sprintf(out, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return out;
}

/* makes the rover with one replacement in one of its files; the sentence must hold `says` */
static void refuse(const files *f, const tyt_ground *g, bool in_yaml, const char *from, const char *to,
                   ty_status status, const char *says)
{
    ty_diag diag = { 0 };
    ty_vehicle *v;
    char *text = replaced(in_yaml ? f->yaml_text : f->xml_text, from, to);
    spill(f->yaml, in_yaml ? text : f->yaml_text, strlen(in_yaml ? text : f->yaml_text));
    spill(f->xml, in_yaml ? f->xml_text : text, strlen(in_yaml ? f->xml_text : text));
    ty_vehicle_def def = ty_vehicle_def_default();
    def.rover = f->yaml;
    def.terrain = g->terrain;
    ty_status got = ty_vehicle_create(&def, &v, &diag);
    cr_expect(got == status && strstr(diag.text, says), "'%s' for '%s': %s, says \"%s\", want %s, \"%s\"", to, from,
              ty_status_name(got), diag.text, ty_status_name(status), says);
    cr_expect(!strchr(diag.text, '\n'), "more than one line: %s", diag.text);
    ty_vehicle_destroy(v);
    free(text);
}

TY_TEST(run, wrong_models)
{
    files f;
    tyt_ground g;
    tyt_ground_flat(&g);
    files_open(&f);
    refuse(&f, &g, true, "joint: spin_fl", "joint: spin_xx", TY_ERR_INPUT, "no such joint");
    refuse(&f, &g, true, "joint: spin_fl", "joint: steer_fl", TY_ERR_INPUT, "does not belong to the body 'wheel_fl'");
    refuse(&f, &g, true, "joint: spin_fl, ", "", TY_ERR_INPUT, "joint");
    refuse(&f, &g, true, "body: wheel_fl", "body: wheel_xx", TY_ERR_INPUT, "no such body");
    refuse(&f, &g, true, "steer: steer_fl", "steer: free", TY_ERR_INPUT, "not a hinge");
    refuse(&f, &g, true, "body: chassis", "body: wheel_fl", TY_ERR_INPUT, "no free joint");
    refuse(&f, &g, true, "radius: 0.225", "radius: -1", TY_ERR_RANGE, "radius");
    refuse(&f, &g, true, "mass: 434.9", "mass: 500", TY_ERR_INPUT, "weigh 434.88 kg together");
    refuse(&f, &g, true, "viper.xml\nbody", "nothing.xml\nbody", TY_ERR_FILE, "cannot be opened");
    refuse(&f, &g, true, "version: 1", "version: 2", TY_ERR_RANGE, "version");
    refuse(&f, &g, false, "mass=\"328.8\"", "mass=\"-328.8\"", TY_ERR_FORMAT, "mass");
    refuse(&f, &g, false, "<geom class=\"wheel\"/>", "", TY_ERR_FORMAT, "mass");
    refuse(&f, &g, false, "<joint name=\"spin_fl\" class=\"spin\"/>", "", TY_ERR_INPUT, "no such joint");
    refuse(&f, &g, false, "axis=\"0 1 0\"", "axis=\"1 0 0\"", TY_ERR_INPUT, "does not point to the side");
    refuse(&f, &g, false, "<geom class=\"wheel\"/>", "<geom type=\"mesh\" mesh=\"rim\" mass=\"1\"/>", TY_ERR_FORMAT,
           "rim");
    refuse(&f, &g, false, "<worldbody>", "<asset><mesh name=\"rim\" file=\"rim.stl\"/></asset><worldbody>",
           TY_ERR_FORMAT, "rim.stl");
    refuse(&f, &g, false, "</worldbody>", "</worldbdy>", TY_ERR_FORMAT, "XML");
    refuse(&f, &g, false, "<mujoco", "<mujico", TY_ERR_FORMAT, "MuJoCo takes");
    refuse(&f, &g, false, "</worldbody>", "<body name=\"ball\"><freejoint/><geom size=\"0.1\"/></body></worldbody>",
           TY_ERR_INPUT, "both hang on the world");
    refuse(&f, &g, false, "memory=\"1M\"", "memory=\"1E\"", TY_ERR_FORMAT, "memory");
    TY_CHECK(access("MUJOCO_LOG.TXT", F_OK) != 0);
    files_close(&f);
    tyt_ground_free(&g);
}

/* Bytes changed anywhere: never a crash, always a status; where the model still loads, it steps or says why not. */
TY_TEST(run, broken_bytes, .timeout = 200)
{
    files f;
    tyt_ground g;
    ty_diag diag;
    int refused = 0, stopped = 0, count = tyt_long() ? 5000 : 100;
    tyt_ground_flat(&g);
    files_open(&f);
    spill(f.yaml, f.yaml_text, strlen(f.yaml_text));
    for (int i = 0; i < count; i++) {
        char *text = malloc(f.xml_size + 1);
        size_t size = f.xml_size;
        memcpy(text, f.xml_text, size + 1);
        uint32_t r[4];
        for (int k = 0; k < 1 + i % 4; k++) {
            memcpy(r, ty_k_philox((uint32_t)i, (uint32_t)k, 0, 0, 1, TY_RNG_TEST).v, sizeof r);
            size_t at = 1600 + r[0] % (size - 1600); /* behind the comment */
            text[at] = r[2] % 3 ? "0123456789.-eE \"<>/="[r[1] % 20] : (char)(r[1] % 256);
        }
        if (i % 10 == 9) {
            size = r[3] % size; /* cut off */
        }
        spill(f.xml, text, size);
        ty_vehicle_def def = ty_vehicle_def_default();
        def.rover = f.yaml;
        def.terrain = g.terrain;
        ty_vehicle *v;
        diag = (ty_diag){ 0 };
        if (ty_vehicle_create(&def, &v, &diag) != TY_OK) {
            cr_expect(diag.text[0] && !strchr(diag.text, '\n'), "mutation %d: %s", i, diag.text);
            refused++;
        }
        for (int k = 0; v && k < 20; k++) {
            if (ty_vehicle_step(v, 1e-3, &diag) != TY_OK) {
                cr_expect(diag.text[0], "mutation %d", i);
                stopped++;
                break;
            }
        }
        ty_vehicle_destroy(v);
        free(text);
    }
    printf("%d mutations: %d refused, %d stopped in a step\n", count, refused, stopped);
    TY_CHECK(refused > count / 10 && refused < count);
    files_close(&f);
    tyt_ground_free(&g);
}

TY_TEST(run, wrong_calls)
{
    tyt_ground g;
    tyt_ground_flat(&g);
    ty_vehicle_def def = tyt_vehicle_def(&g, "viper", TY_SOIL_BEKKER);
    ty_vehicle *v = tyt_vehicle(&def), *none;
    ty_diag diag = { 0 };
    double bad[4] = { 0.0, NAN, 0.0, 0.0 };
    TY_CHECK(ty_vehicle_command(v, &(ty_drive_command){ .v = NAN }, &diag) == TY_ERR_INPUT);
    TY_CHECK(strstr(diag.text, "not finite"));
    TY_CHECK(ty_vehicle_command_wheels(v, bad, NULL, NULL) == TY_ERR_INPUT);
    TY_CHECK(ty_vehicle_command(v, &(ty_drive_command){ .mode = (ty_steering)9 }, NULL) == TY_ERR_INPUT);
    TY_CHECK(ty_vehicle_step(v, 0.1, NULL) == TY_ERR_RANGE);
    TY_CHECK(ty_vehicle_step(v, NAN, NULL) == TY_ERR_RANGE);
    TY_CHECK(ty_vehicle_step(v, 0.0, NULL) == TY_ERR_RANGE);
    TY_CHECK(tyi_vehicle_place(v, NAN, 0.0, 0.0, 0.0, NULL) == TY_ERR_INPUT);
    TY_CHECK(ty_vehicle_step(v, 1e-3, &diag) == TY_OK); /* none of it did harm */
    ty_vehicle_destroy(v);
    def.gravity = NAN;
    TY_CHECK(ty_vehicle_create(&def, &none, NULL) == TY_ERR_RANGE && !none);
    def = tyt_vehicle_def(&g, "viper", TY_SOIL_BEKKER);
    def.cookie = 0;
    TY_CHECK(ty_vehicle_create(&def, &none, NULL) == TY_ERR_DEF);
    def = tyt_vehicle_def(&g, "nothing", TY_SOIL_BEKKER);
    TY_CHECK(ty_vehicle_create(&def, &none, NULL) == TY_ERR_FILE);
    tyt_ground_free(&g);
}

/* Ground so stiff that a step of 10 ms cannot follow it: the run stops with step and body, and the
 * state stays finite. */
TY_TEST(run, unstable)
{
    tyt_ground g;
    tyt_ground_flat(&g);
    ty_vehicle_def def = tyt_vehicle_def(&g, "viper", TY_SOIL_RIGID);
    def.soil.rigid.k = 1e9;
    def.soil.rigid.k_tangent = 1e9;
    def.soil.rigid.c_tangent = 1e7;
    def.soil.rigid.mu = 10.0;
    ty_vehicle *v = tyt_vehicle(&def);
    ty_diag diag = { 0 };
    ty_vehicle_state s;
    ty_status status = TY_OK;
    for (int i = 0; i < 20000 && status == TY_OK; i++) {
        status = ty_vehicle_step(v, 0.01, &diag);
    }
    printf("%s\n", diag.text);
    TY_CHECK(status == TY_ERR_NUMERIC && strstr(diag.text, "step "));
    ty_vehicle_get(v, &s);
    TY_CHECK(isfinite(s.pose.p.x) && isfinite(s.v_W.z));
    ty_vehicle_destroy(v);
    tyt_ground_free(&g);
}

static size_t resident(void) /* [bytes] */
{
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f) {
        if (fscanf(f, "%*d %ld", &pages) != 1) {
            pages = 0;
        }
        fclose(f);
    }
    return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* counts what is held through it */
static void *count_get(size_t bytes, void *user)
{
    *(size_t *)user += bytes;
    return calloc(1, bytes);
}
static void count_put(void *memory, size_t bytes, void *user)
{
    *(size_t *)user -= memory ? bytes : 0;
    free(memory);
}

/* An hour (in the long form) on a circle of generated ground with rocks: no failure, and after the first rounds no
 * more memory but for the terrain's own (edits where the rover had not been before). */
static void drive_for_long(ty_soil_model_kind soil, int seconds, int warm)
{
    tyt_ground g = { 0 };
    ty_diag diag = { 0 };
    ty_vehicle_state s;
    size_t held[2] = { 0 }, before[3] = { 0 }; /* terrain, vehicle, process */
    ty_alloc count[2] = { { count_get, count_put, &held[0] }, { count_get, count_put, &held[1] } };
    ty_terrain_def tdef = ty_terrain_def_default();
    tdef.seed = 4;
    tdef.relief.rms_slope_deg = 3.0;
    tdef.rock.d_max = 0.15; /* a larger one would stop it */
    tdef.crater.on = false; /* nobody steers: it would come to a wall where it slides and tips over */
    tdef.cache_bytes = (size_t)64 << 20;
    tdef.alloc = &count[0];
    cr_assert(ty_terrain_create(&tdef, &g.terrain, &diag) == TY_OK, "%s", diag.text);
    ty_vehicle_def def = tyt_vehicle_def(&g, "viper", soil);
    def.soil.grid.spacing = 0.04; /* the quick one; tiles come and go as on finer grids */
    def.alloc = &count[1];
    ty_vehicle *v = tyt_vehicle(&def);
    /* the heap is trimmed and grows again by some MiB as windows are renewed: its peaks are compared */
    size_t most = 0, top = 0;
    ty_vehicle_command(v, &(ty_drive_command){ .v = 0.2, .omega = 0.02 }, &diag);
    for (int t = 0; t < seconds; t++) {
        if (t == warm) {
            before[0] = held[0], before[1] = most, before[2] = top;
        }
        if (!tyt_run(v, 1.0)) {
            break;
        }
        most = held[1] > most ? held[1] : most;
        size_t now = resident();
        top = now > top ? now : top;
    }
    ty_vehicle_get(v, &s);
    double mib = 0x1p-20, grew = ((double)top - (double)before[2]) * mib,
           terrain = ((double)held[0] - (double)before[0]) * mib, vehicle = ((double)most - (double)before[1]) * mib;
    printf("%s: %.0f s, %.1f m driven, memory grew by %.1f MiB: terrain %.1f, vehicle %.1f\n", ty_soil_model_name(soil),
           ty_seconds(s.time), s.odometer, grew, terrain, vehicle);
    TY_NEAR(ty_seconds(s.time), seconds, 1e-6);
    TY_CHECK(s.odometer > 0.1 * seconds);
    if (tyt_long()) {
        TY_CHECK(vehicle <= 0.5);
        TY_CHECK(grew - terrain < 2.0); /* the journal's pages are touched one by one: 1 MiB */
    }
    ty_vehicle_destroy(v);
    tyt_ground_free(&g);
    TY_CHECK(held[0] == 0 && held[1] == 0);
}

TY_TEST(run, hour, .timeout = 3000)
{
    drive_for_long(TY_SOIL_BEKKER, tyt_long() ? 3600 : 6, tyt_long() ? 1200 : 3);
    drive_for_long(TY_SOIL_SCM, tyt_long() ? 3600 : 4, tyt_long() ? 1200 : 2);
}
