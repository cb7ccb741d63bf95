/* tests/unit/vehicle/test_chassis.c - a rover that tips over lies on the ground.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <unistd.h>
#include "ground.h"
#include "tyt.h"

/* viper without its collision shapes, in `path` */
static void without(char *path)
{
    char text[20000] = "", line[1000], model[4096];
    FILE *f = fopen(tyt_rover("viper"), "r");
    cr_assert(f);
    while (fgets(line, sizeof line, f) && strncmp(line, "collision:", 10)) {
        if (!strncmp(line, "model:", 6)) {
            snprintf(model, sizeof model, "%s", tyt_rover("viper"));
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

/* thrown up with a roll so that it comes down on its side; the lowest corner [m] of its body at the end, and its speed */
static double tumble(const char *rover, double *up, double *speed)
{
    tyt_ground g;
    ty_vehicle_state s;
    tyt_ground_flat(&g);
    ty_vehicle_def def = tyt_vehicle_def(&g, "viper", TY_SOIL_BEKKER);
    def.rover = rover ? rover : def.rover;
    def.drop = 1.5;
    ty_vehicle *v = tyt_vehicle(&def);
    ty_vehicle_set_twist(v, ty_vec3_make(0.0, 0.0, 0.5), ty_vec3_make(1.6, 0.0, 0.0));
    TY_CHECK(tyt_run(v, 12.0));
    ty_vehicle_get(v, &s);
    *up = ty_rotate(s.pose.q, ty_vec3_make(0.0, 0.0, 1.0)).z;
    *speed = ty_norm(s.v_W);
    double low = INFINITY;
    for (int k = 0; k < 8; k++) {
        ty_vec3 c = ty_vec3_make(-0.04 + (k & 1 ? 0.72 : -0.72), k & 2 ? 0.65 : -0.65, 0.55 + (k & 4 ? 0.42 : -0.42));
        low = fmin(low, ty_pose_point(s.pose, c).z);
    }
    ty_vehicle_destroy(v);
    tyt_ground_free(&g);
    return low;
}

TY_TEST(chassis, tips_over)
{
    char path[] = "/tmp/tycho-chassis-XXXXXX.yaml";
    double up[2], speed[2], z[2];
    without(path);
    z[0] = tumble(NULL, &up[0], &speed[0]);
    z[1] = tumble(path, &up[1], &speed[1]);
    unlink(path);
    printf("tipped over: lowest corner at %.3f m, z axis %.2f up, %.4f m/s; without shapes %.3f m, %.2f, %.4f m/s\n", z[0],
           up[0], speed[0], z[1], up[1], speed[1]);
    TY_CHECK(up[0] < 0.2 && z[0] > -0.01 && z[0] < 0.2 && speed[0] < 0.005);
    TY_CHECK(z[1] < -0.3); /* the control: in the ground until the wheels hold it */
    TY_ROW("a rover that tips over lies on the ground: within 10 mm", "level ground", "lowest corner %.0f mm; without shapes %.0f mm", 1e3 * z[0], 1e3 * z[1]);
}
