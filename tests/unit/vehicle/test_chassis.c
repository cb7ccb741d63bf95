/* tests/unit/vehicle/test_chassis.c - a rover that tips over lies on the ground.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <unistd.h>
#include "ground.h"
#include "tyt.h"

/* a rover without its collision shapes, in `path` */
static void without(const char *rover, char *path)
{
    char text[20000] = "", line[1000], model[4096];
    FILE *f = fopen(tyt_rover(rover), "r");
    cr_assert(f);
    while (fgets(line, sizeof line, f) && strncmp(line, "collision:", 10)) {
        if (!strncmp(line, "model:", 6)) {
            snprintf(model, sizeof model, "%s", tyt_rover(rover));
            strcpy(strrchr(model, '.'), ".xml");
            char whole[4096];
            cr_assert(realpath(model, whole));
            snprintf(line, sizeof line, "model: %.900s\n", whole);
        }
        strcat(text, line);
    }
    fclose(f);
    int file = mkstemps(path, 5);
    cr_assert(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
}

/* A rover and the largest box of its body: middle and half sides [m]. */
typedef struct hull {
    const char *rover;
    ty_vec3 middle, half;
} hull;

/* thrown up with a roll so that it comes down on its side or back; the lowest corner [m] of its body at the end, and
 * its speed */
static double tumble(const hull *h, const char *file, double seconds, double *up, double *speed)
{
    tyt_ground g;
    ty_vehicle_state s;
    tyt_ground_flat(&g);
    ty_vehicle_def def = tyt_vehicle_def(&g, h->rover, TY_SOIL_BEKKER);
    def.rover = file ? file : def.rover;
    def.drop = 1.5;
    ty_vehicle *v = tyt_vehicle(&def);
    ty_vehicle_set_twist(v, ty_vec3_make(0.0, 0.0, 0.5), ty_vec3_make(1.6, 0.0, 0.0));
    TY_CHECK(tyt_run(v, seconds));
    ty_vehicle_get(v, &s);
    *up = ty_rotate(s.pose.q, ty_vec3_make(0.0, 0.0, 1.0)).z;
    *speed = ty_norm(s.v_W);
    double low = INFINITY;
    for (int k = 0; k < 8; k++) {
        ty_vec3 c = ty_vec3_make(k & 1 ? h->half.x : -h->half.x, k & 2 ? h->half.y : -h->half.y,
                                 k & 4 ? h->half.z : -h->half.z);
        low = fmin(low, ty_pose_point(s.pose, ty_add(h->middle, c)).z);
    }
    ty_vehicle_destroy(v);
    tyt_ground_free(&g);
    return low;
}

static const hull viper = { "viper", { -0.04, 0.0, 0.55 }, { 0.72, 0.65, 0.42 } };

TY_TEST(chassis, tips_over)
{
    char path[] = "/tmp/tycho-chassis-XXXXXX.yaml";
    double up[2], speed[2], z[2];
    without(viper.rover, path);
    z[0] = tumble(&viper, NULL, 12.0, &up[0], &speed[0]);
    z[1] = tumble(&viper, path, 12.0, &up[1], &speed[1]);
    unlink(path);
    printf("tipped over: lowest corner at %.3f m, z axis %.2f up, %.4f m/s; without shapes %.3f m, %.2f, %.4f m/s\n",
           z[0], up[0], speed[0], z[1], up[1], speed[1]);
    TY_CHECK(up[0] < 0.2 && z[0] > -0.01 && z[0] < 0.2 && speed[0] < 0.005);
    TY_CHECK(z[1] < -0.3); /* the control: in the ground until the wheels hold it */
    TY_ROW("a rover that tips over lies on the ground: within 10 mm", "level ground",
           "lowest corner %.0f mm; without shapes %.0f mm", 1e3 * z[0], 1e3 * z[1]);
}

/* Every other rover comes to lie on its hull too, however it fell: hard ground gives by a centimetre, as under a foot.
 * */
TY_TEST(chassis, all_rovers, .timeout = 200)
{
    static const hull hulls[] = { { "mgru3", { -0.04, 0.0, 0.58 }, { 0.72, 0.68, 0.46 } },
                                  { "ex1", { 0.0, 0.0, 0.10 }, { 0.30, 0.13, 0.08 } },
                                  { "ishigami", { 0.0, 0.0, 0.12 }, { 0.20, 0.13, 0.06 } },
                                  { "curiosity", { 0.0, 0.0, 0.55 }, { 0.80, 0.60, 0.25 } },
                                  { "rassor", { 0.0, 0.0, 0.08 }, { 0.24, 0.20, 0.10 } },
                                  { "rashid", { 0.0, 0.0, 0.10 }, { 0.18, 0.15, 0.07 } },
                                  { "pragyan", { 0.0, 0.0, 0.22 }, { 0.26, 0.22, 0.09 } },
                                  { "lrv", { 0.0, 0.0, 0.10 }, { 1.30, 0.45, 0.04 } } };
    for (size_t k = 0; k < sizeof hulls / sizeof *hulls; k++) {
        double up, speed, z = tumble(&hulls[k], NULL, 8.0, &up, &speed);
        printf("%s: lowest corner at %.3f m, z axis %.2f up, %.4f m/s\n", hulls[k].rover, z, up, speed);
        TY_CHECK(z > -0.015);
    }
    char path[] = "/tmp/tycho-chassis-XXXXXX.yaml";
    double up, speed;
    without("ishigami", path);
    double z = tumble(&hulls[2], path, 8.0, &up, &speed);
    unlink(path);
    TY_CHECK(up < 0.0 && z < -0.05); /* the control: on its back in the ground until the wheels hold it */
    printf("ishigami without shapes: lowest corner at %.3f m, z axis %.2f up\n", z, up);
}
