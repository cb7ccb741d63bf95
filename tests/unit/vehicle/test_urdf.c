/* tests/unit/vehicle/test_urdf.c - a rover from URDF is the rover from MJCF, and broken files get a sentence.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <unistd.h>
#include "ground.h"
#include "k_philox.h"
#include "tyt.h"

/* One rover, written down in both formats: chassis of 40 kg with its centre of mass beside the origin, four wheels of
 * 3 kg, the front ones on steered knuckles of 1 kg, and a camera link without mass. */
static const char urdf_head[] =
    "<?xml version=\"1.0\"?>\n<!-- <link name=\"comment\"/> is none -->\n<robot name=\"twin\">\n"
    "<link name=\"base\"><inertial><origin xyz=\"-0.02 0.01 0.15\"/><mass value=\"40\"/>"
    "<inertia ixx=\"2.0\" ixy=\"0\" ixz=\"0\" iyy=\"3.0\" iyz=\"0\" izz=\"4.0\"/></inertial>\n"
    "<visual><geometry><box size=\"0.8 0.5 0.2\"/></geometry></visual>"
    "<collision><geometry><box size=\"2 2 2\"/></geometry></collision></link>\n"
    "<link name=\"cam\"/><joint name=\"cam_fixed\" type=\"fixed\"><parent link=\"base\"/><child link=\"cam\"/>"
    "<origin xyz=\"0.3 0 0.6\" rpy=\"0 0.2 0\"/></joint>\n";
static const char mjcf_head[] =
    "<mujoco model=\"twin\"><compiler angle=\"radian\"/><worldbody><body name=\"base\"><freejoint/>\n"
    "<inertial pos=\"-0.02 0.01 0.15\" mass=\"40\" diaginertia=\"2 3 4\"/>\n"
    "<geom type=\"box\" size=\"0.4 0.25 0.1\" contype=\"0\" conaffinity=\"0\"/>\n";
static const char yaml[] =
    "version: 1\nname: twin\nmodel: twin.%s\nbody: base\nmass: 54.5\nwheels:\n"
    "  - {name: fl, body: wheel_fl, joint: spin_fl, steer: steer_fl, radius: 0.15, width: 0.12}\n"
    "  - {name: fr, body: wheel_fr, joint: spin_fr, steer: steer_fr, radius: 0.15, width: 0.12}\n"
    "  - {name: rl, body: wheel_rl, joint: spin_rl, radius: 0.15, width: 0.12}\n"
    "  - {name: rr, body: wheel_rr, joint: spin_rr, radius: 0.15, width: 0.12}\n"
    "drive: {stall_torque: 30, no_load_speed: 6, kp: 5, ki: 20}\nsteering: {torque: 40, kp: 300, kd: 8}\n";

static void wheel_urdf(char *out, const char *name, const char *parent, double x, double y)
{
    sprintf(
        out,
        "<link name=\"wheel_%s\"><inertial><mass value=\"3\"/><inertia ixx=\"0.02\" ixy=\"0\" ixz=\"0\" iyy=\"0.035\" "
        "iyz=\"0\" izz=\"0.02\"/></inertial><collision><geometry><sphere radius=\"0.5\"/></geometry></collision></link>\n"
        "<joint name=\"spin_%s\" type=\"continuous\"><parent link=\"%s\"/><child link=\"wheel_%s\"/><axis xyz=\"0 1 0\"/>"
        "<origin xyz=\"%g %g 0\"/><dynamics damping=\"0.05\"/></joint>\n",
        name, name, parent, name, x, y);
}

static void wheel_mjcf(char *out, const char *name, double x, double y)
{
    sprintf(
        out,
        "<body name=\"wheel_%s\" pos=\"%g %g 0\"><joint name=\"spin_%s\" type=\"hinge\" axis=\"0 1 0\" damping=\"0.05\"/>"
        "<inertial pos=\"0 0 0\" mass=\"3\" diaginertia=\"0.02 0.035 0.02\"/></body>\n",
        name, x, y, name);
}

static void write_urdf(char *out)
{
    strcpy(out, urdf_head);
    for (int k = 0; k < 2; k++) {
        const char *side = k ? "fr" : "fl";
        char knuckle[20];
        sprintf(knuckle, "knuckle_%s", side);
        sprintf(
            out + strlen(out),
            "<link name=\"%s\"><inertial><mass value=\"1\"/><inertia ixx=\"0.01\" ixy=\"0\" ixz=\"0\" iyy=\"0.01\" "
            "iyz=\"0\" izz=\"0.01\"/></inertial></link>\n<joint name=\"steer_%s\" type=\"revolute\"><parent link=\"base\"/>"
            "<child link=\"%s\"/><origin xyz=\"0.4 %g 0\"/><axis xyz=\"0 0 1\"/><limit lower=\"-0.6\" upper=\"0.6\" "
            "effort=\"1\" velocity=\"1\"/><dynamics damping=\"0.5\"/></joint>\n",
            knuckle, side, knuckle, k ? -0.3 : 0.3);
        wheel_urdf(out + strlen(out), side, knuckle, 0.0, k ? -0.05 : 0.05);
    }
    wheel_urdf(out + strlen(out), "rl", "base", -0.4, 0.35);
    wheel_urdf(out + strlen(out), "rr", "base", -0.4, -0.35);
    strcat(out, "</robot>\n");
}

static void write_mjcf(char *out)
{
    strcpy(out, mjcf_head);
    for (int k = 0; k < 2; k++) {
        const char *side = k ? "fr" : "fl";
        sprintf(
            out + strlen(out),
            "<body name=\"knuckle_%s\" pos=\"0.4 %g 0\"><joint name=\"steer_%s\" type=\"hinge\" axis=\"0 0 1\" limited=\"true\" "
            "range=\"-0.6 0.6\" damping=\"0.5\"/><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"0.01 0.01 0.01\"/>\n",
            side, k ? -0.3 : 0.3, side);
        wheel_mjcf(out + strlen(out), side, 0.0, k ? -0.05 : 0.05);
        strcat(out, "</body>\n");
    }
    wheel_mjcf(out + strlen(out), "rl", -0.4, 0.35);
    wheel_mjcf(out + strlen(out), "rr", -0.4, -0.35);
    strcat(out, "</body></worldbody></mujoco>\n");
}

typedef struct twin {
    char folder[40], yaml[60], model[60];
} twin;

static void spill(const char *path, const char *text, size_t size)
{
    FILE *f = fopen(path, "wb");
    cr_assert(f && fwrite(text, 1, size, f) == size);
    fclose(f);
}

static void twin_open(twin *t, const char *kind, const char *text)
{
    char rover[2000];
    strcpy(t->folder, "/tmp/tycho-urdf-XXXXXX");
    cr_assert(mkdtemp(t->folder));
    snprintf(t->yaml, sizeof t->yaml, "%s/twin.yaml", t->folder);
    snprintf(t->model, sizeof t->model, "%s/twin.%s", t->folder, kind);
    snprintf(rover, sizeof rover, yaml, kind);
    spill(t->yaml, rover, strlen(rover));
    spill(t->model, text, strlen(text));
}

static void twin_close(const twin *t)
{
    unlink(t->yaml);
    unlink(t->model);
    rmdir(t->folder);
}

static ty_vehicle *twin_make(const twin *t, const tyt_ground *g, ty_status *status, ty_diag *diag)
{
    ty_vehicle *v;
    ty_vehicle_def def = ty_vehicle_def_default();
    def.rover = t->yaml;
    def.terrain = g->terrain;
    def.soil.ruts = false;
    *status = ty_vehicle_create(&def, &v, diag);
    return v;
}

/* stands, drives, steers; ends in *s */
static void drive(const char *kind, const char *text, ty_vehicle_state *s)
{
    twin t;
    tyt_ground g;
    ty_status status;
    ty_diag diag = { 0 };
    tyt_ground_made(&g, 3);
    twin_open(&t, kind, text);
    ty_vehicle *v = twin_make(&t, &g, &status, &diag);
    cr_assert(v, "%s", diag.text);
    const ty_body_shape *shape;
    TY_CHECK(ty_vehicle_shapes(v, &shape) >= 1 && shape[0].kind == TY_SHAPE_BOX);
    TY_NEAR(shape[0].size.x, 0.4, 1e-12); /* of URDF the visual one, not the collision shape */
    TY_CHECK(tyt_run(v, 1.0));
    ty_vehicle_command(v, &(ty_drive_command){ .v = 0.2, .omega = 0.05 }, &diag);
    TY_CHECK(tyt_run(v, 4.0));
    ty_vehicle_get(v, s);
    ty_vehicle_destroy(v);
    twin_close(&t);
    tyt_ground_free(&g);
}

static double apart(const ty_vehicle_state *a, const ty_vehicle_state *b)
{
    double most = ty_norm(ty_sub(a->pose.p, b->pose.p));
    most = fmax(most, fabs(a->pose.q.z - b->pose.q.z));
    for (int i = 0; i < 4; i++) {
        most = fmax(most, fabs(a->wheel[i].angle - b->wheel[i].angle));
        most = fmax(most, fabs(a->wheel[i].sinkage - b->wheel[i].sinkage));
    }
    return most;
}

TY_TEST(urdf, twin)
{
    static char urdf[20000], mjcf[20000];
    ty_vehicle_state a, b, c;
    write_urdf(urdf);
    write_mjcf(mjcf);
    drive("urdf", urdf, &a);
    drive("xml", mjcf, &b);
    memcpy(strstr(mjcf, "mass=\"40\""), "mass=\"41\"", 9); /* the control; YAML says 54.5 kg, good to 1 % */
    drive("xml", mjcf, &c);
    printf("URDF and MJCF after %.2f m: %.1e apart; with a kilogram more: %.1e\n", a.odometer, apart(&a, &b),
           apart(&b, &c));
    TY_CHECK(a.odometer > 0.5 && a.wheel[0].steer > 0.01);
    TY_CHECK(apart(&a, &b) < 1e-9);
    TY_CHECK(apart(&b, &c) > 1e-5);
    TY_ROW("URDF and MJCF of one rover drive alike within 1e-9", "each other", "%.0e; with a kilogram more %.0e",
           apart(&a, &b), apart(&b, &c));
}

/* the URDF with `from` replaced is refused with a sentence that holds `says` */
static void refuse(const tyt_ground *g, const char *from, const char *to, ty_status want, const char *says)
{
    static char text[20000], changed[20000];
    twin t;
    ty_status status;
    ty_diag diag = { 0 };
    write_urdf(text);
    char *at = strstr(text, from);
    cr_assert(at, "%s", from);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    twin_open(&t, "urdf", changed);
    ty_vehicle *v = twin_make(&t, g, &status, &diag);
    cr_expect(status == want && strstr(diag.text, says) && !strchr(diag.text, '\n'),
              "'%s' for '%s': %s, \"%s\", want \"%s\"", to, from, ty_status_name(status), diag.text, says);
    ty_vehicle_destroy(v);
    twin_close(&t);
}

TY_TEST(urdf, wrong_files)
{
    tyt_ground g;
    tyt_ground_flat(&g);
    refuse(&g, "</robot>", "", TY_ERR_FORMAT, "does not end");
    refuse(&g, "is none -->", "is none", TY_ERR_FORMAT, "does not end");
    refuse(&g, "<link name=\"base\">", "<link name=\"bass\">", TY_ERR_INPUT, "has no link 'base'");
    refuse(&g, "<mass value=\"40\"/>", "<mass value=\"-40\"/>", TY_ERR_FORMAT, "mass");
    refuse(&g, "type=\"continuous\"", "type=\"rolling\"", TY_ERR_FORMAT, "but revolute");
    refuse(&g, "<parent link=\"knuckle_fl\"/>", "<parent link=\"nothing\"/>", TY_ERR_FORMAT, "parent");
    refuse(&g, "<child link=\"cam\"/>", "<child link=\"base\"/>", TY_ERR_FORMAT, "MuJoCo takes");
    /* a ring */
    refuse(&g, "<parent link=\"knuckle_fl\"/>", "<parent link=\"wheel_fl\"/>", TY_ERR_FORMAT, "MuJoCo takes");
    refuse(
        &g, "</robot>",
        "<link name=\"alone\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/>"
        "</inertial></link></robot>",
        TY_ERR_INPUT, "'alone' does not hang on 'base'");
    refuse(&g, "ixx=\"2.0\"", "ixx=\"200\"", TY_ERR_FORMAT, "inertia");
    refuse(&g, "<joint name=\"spin_fl\" type=\"continuous\"", "<joint name=\"spin_fl\" type=\"fixed\"", TY_ERR_INPUT,
           "no such joint");
    tyt_ground_free(&g);
}

/* Bytes changed anywhere: never a crash, always a status. */
TY_TEST(urdf, broken_bytes, .timeout = 200)
{
    static char text[20000], changed[20000];
    int refused = 0, count = tyt_long() ? 5000 : 150;
    twin t;
    tyt_ground g;
    tyt_ground_flat(&g);
    write_urdf(text);
    twin_open(&t, "urdf", text);
    for (int i = 0; i < count; i++) {
        size_t size = strlen(text);
        uint32_t r[4];
        memcpy(changed, text, size + 1);
        for (int k = 0; k < 1 + i % 4; k++) {
            memcpy(r, ty_k_philox((uint32_t)i, (uint32_t)k, 1, 0, 1, TY_RNG_TEST).v, sizeof r);
            changed[r[0] % size] = r[2] % 3 ? "0123456789.-eE \"<>/="[r[1] % 20] : (char)(r[1] % 256);
        }
        spill(t.model, changed, i % 10 == 9 ? r[3] % size : size);
        ty_status status;
        ty_diag diag = { 0 };
        ty_vehicle *v = twin_make(&t, &g, &status, &diag);
        if (status != TY_OK) {
            cr_expect(diag.text[0] && !strchr(diag.text, '\n'), "mutation %d: %s", i, diag.text);
            refused++;
        }
        for (int k = 0; v && k < 20 && ty_vehicle_step(v, 1e-3, &diag) == TY_OK; k++) {
        }
        ty_vehicle_destroy(v);
    }
    printf("%d mutations: %d refused\n", count, refused);
    TY_CHECK(refused > count / 10 && refused < count);
    twin_close(&t);
    tyt_ground_free(&g);
}
