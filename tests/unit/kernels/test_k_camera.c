/* Lens models: CAHV(OR(E)) against VICAR's own routines (shared/vectors), the others against their
 * definitions, all there and back.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "tyt_csv.h"
#include "k_camera.h"
#include "probe_float.h"
#include "tycho/math.h"

static ty_k_vec3 read_vector(const tyt_csv *csv, const char *letter, const char *suffixes)
{
    double x[3];
    for (int k = 0; k < 3; k++) {
        char name[8];
        snprintf(name, sizeof name, "%s_%c", letter, suffixes[k]);
        x[k] = tyt_csv_number(csv, name, 0.0);
    }
    return ty_k_vec(x[0], x[1], x[2]);
}

static ty_k_camera read_camera(const tyt_csv *csv)
{
    const char *model = tyt_csv_text(csv, "model");
    int kind = !strcmp(model, "CAHV") ? TY_K_CAHV : !strcmp(model, "CAHVOR") ? TY_K_CAHVOR : TY_K_CAHVORE;
    int type = (int)tyt_csv_number(csv, "mtype", 0.0);
    ty_k_camera m = ty_k_camera_make(kind, 1.0, 1.0, 1.0);
    m.c = read_vector(csv, "C", "xyz");
    m.a = read_vector(csv, "A", "xyz");
    m.h = read_vector(csv, "H", "xyz");
    m.v = read_vector(csv, "V", "xyz");
    m.o = read_vector(csv, "O", "xyz");
    m.r = read_vector(csv, "R", "012");
    m.e = read_vector(csv, "E", "012");
    m.linearity = type == 1 ? 1.0 : type == 2 ? 0.0 : tyt_csv_number(csv, "mparm", 0.0);
    return m;
}

static double pixel_error(ty_k_camera m, ty_k_vec3 p, ty_k_vec3 want)
{
    ty_k_pixel got = ty_k_camera_project(m, p);
    return got.ok ? fmax(fabs(got.u - want.x), fabs(got.v - want.y)) : HUGE_VAL;
}

static double ray_error(ty_k_camera m, ty_k_vec3 at, ty_k_vec3 origin, ty_k_vec3 want)
{
    ty_k_ray got = ty_k_camera_ray(m, at.x, at.y);
    ty_k_vec3 o = ty_k_sub(got.o, origin), d = ty_k_sub(got.d, want);
    double error = fmax(fmax(fabs(o.x), fmax(fabs(o.y), fabs(o.z))), fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z))));
    return got.ok ? error : HUGE_VAL;
}

/* 1e-4 px and 1e-7 of a ray (issue, line 1). Control: O rescaled to unit length, which moves rays of real cameras. */
TY_TEST(camera, vicar_vectors)
{
    TY_NEED_SHARED(path, "vectors/cahvore_vectors.csv");
    tyt_csv csv;
    int rows = 0, controls = 0;
    for (bool more = tyt_csv_open(&csv, path); more && tyt_csv_next(&csv); rows++) {
        ty_k_camera m = read_camera(&csv), rescaled = m;
        ty_k_vec3 in = read_vector(&csv, "in", "012"), out = read_vector(&csv, "out", "012");
        double norm = ty_k_norm(m.o);
        rescaled.o = norm > 0.0 ? ty_k_unit(m.o) : m.o;
        if (!strcmp(tyt_csv_text(&csv, "op"), "3d_to_2d")) {
            TY_NEAR(pixel_error(m, in, out), 0.0, 1e-4);
        } else {
            ty_k_vec3 direction = read_vector(&csv, "out", "345");
            TY_NEAR(ray_error(m, in, out, direction), 0.0, 1e-7);
            controls += ray_error(rescaled, in, out, direction) > 1e-7;
        }
    }
    TY_CHECK(rows == 767 && controls > 50);
    TY_ROW("CAHV, CAHVOR, CAHVORE within 1e-4 px and 1e-7 of a ray", "VICAR's routines on real rover cameras, 767 rows",
           "%.1e px, %.1e", tyt_worst("pixel_error(m, in, out)"), tyt_worst("ray_error(m, in, out, direction)"));
}

/* cameras of the hfov family, with what a pixel on the edge of the width must see */
static const struct {
    int kind;
    double hfov_deg, bound; /* bound [px] of the way there and back */
} lenses[] = {
    { TY_K_PINHOLE, 60.0, 1e-9 },  { TY_K_PINHOLE, 120.0, 1e-9 },   { TY_K_FISHEYE, 180.0, 1e-9 },
    { TY_K_FISHEYE, 220.0, 1e-9 }, { TY_K_SPHERICAL, 360.0, 1e-9 }, { TY_K_SPHERICAL, 120.0, 1e-9 },
    { TY_K_FOV, 80.67, 1e-9 },     { TY_K_FOV, 100.0, 1e-9 },       { TY_K_BROWN, 70.0, 1e-9 },
};
#define LENSES ((int)(sizeof lenses / sizeof lenses[0]))

static ty_k_camera lens(int k)
{
    ty_k_camera m = ty_k_camera_make(lenses[k].kind, 1024.0, 512.0, lenses[k].hfov_deg * TY_DEG);
    m.k1 = -0.21;
    m.k2 = 0.06;
    m.k3 = -0.004;
    m.p1 = 8e-4;
    m.p2 = -5e-4;
    return m;
}

/* project(ray(u, v)) = (u, v) from any distance. Control: another focal length. */
TY_TEST(camera, there_and_back)
{
    for (int k = 0; k < LENSES; k++) {
        ty_k_camera m = lens(k), other = m;
        other.focal *= 1.001;
        int seen = 0;
        double worst = 0.0, control = 0.0;
        for (int n = 0; n < 33 * 17; n++) {
            double u = 0.5 + 1023.0 * (n % 33) / 32.0, v = 0.5 + 511.0 * (n / 33) / 16.0;
            ty_k_ray ray = ty_k_camera_ray(m, u, v);
            if (!ray.ok) {
                continue;
            }
            ty_k_vec3 p = ty_k_scale(0.1 + 3.0 * n, ray.d);
            ty_k_pixel back = ty_k_camera_project(m, p), off = ty_k_camera_project(other, p);
            TY_CHECK(back.ok);
            TY_NEAR(ty_k_norm(ray.d), 1.0, 1e-14);
            worst = fmax(worst, hypot(back.u - u, back.v - v));
            control = fmax(control, hypot(off.u - u, off.v - v));
            seen++;
        }
        TY_CHECK(seen > 400);
        TY_NEAR(worst, 0.0, lenses[k].bound);
        TY_CHECK(control > 0.3);
    }
}

/* The axis meets the middle, the edge of the width is hfov/2 off it, x is right and y down. */
TY_TEST(camera, field_of_view)
{
    for (int k = 0; k < LENSES - 1; k++) { /* brown bends the edge */
        ty_k_camera m = lens(k);
        ty_k_ray mid = ty_k_camera_ray(m, 512.0, 256.0), right = ty_k_camera_ray(m, 1024.0, 256.0);
        TY_NEAR(mid.d.z, 1.0, 1e-15);
        double angle = atan2(right.d.x, right.d.z) / TY_DEG, want = 0.5 * lenses[k].hfov_deg;
        TY_NEAR(fabs(angle), want, 1e-9); /* 180 deg off the axis has no sign */
        TY_FAR(angle, want + 0.1, 1e-9);
        TY_CHECK(ty_k_camera_ray(m, 512.0, 300.0).d.y > 0.0 && ty_k_camera_ray(m, 600.0, 256.0).d.x > 0.0);
        TY_CHECK(lenses[k].kind == TY_K_FISHEYE || lenses[k].kind == TY_K_SPHERICAL ||
                 !ty_k_camera_project(m, ty_k_vec(0.0, 0.0, -1.0)).ok);
    }
}

/* Each lens's own law at 40 deg off the axis, 1024 px wide. Control: the law of the next lens. */
TY_TEST(camera, laws)
{
    ty_k_vec3 p = ty_k_vec(7.0 * sin(40.0 * TY_DEG), 0.0, 7.0 * cos(40.0 * TY_DEG));
    double w = 0.5 * 100.0 * TY_DEG, tan_w = tan(w), q = tan(40.0 * TY_DEG);
    const double want[4] = {
        512.0 * q / tan_w,                            /* pinhole: r = f tan t */
        512.0 * 40.0 / 50.0,                          /* fisheye: r = f t */
        512.0 * 40.0 / 50.0,                          /* spherical along its equator: the same */
        512.0 * atan(q / tan_w * tan(tan_w)) / tan_w, /* fov: [csens] (2) solved for r1 */
    };
    for (int kind = 0; kind < 4; kind++) {
        ty_k_camera m = ty_k_camera_make(kind, 1024.0, 512.0, 2.0 * w);
        TY_NEAR(ty_k_camera_project(m, p).u - 512.0, want[kind], 1e-9);
        if (kind != 1) {
            TY_FAR(ty_k_camera_project(m, p).u - 512.0, want[(kind + 1) % 4], 1e-3);
        }
    }
    /* [csens] (2) forwards: the pixel at r1 sees tangent r2/s tan w */
    double r1 = 0.6, r2 = tan(r1 * tan_w) / tan_w, s = tan(tan_w) / tan_w;
    ty_k_ray ray = ty_k_camera_ray(ty_k_camera_make(TY_K_FOV, 1024.0, 512.0, 2.0 * w), 512.0 + r1 * 512.0, 256.0);
    TY_NEAR(ray.d.x / ray.d.z, r2 / s * tan_w, 1e-12);
    /* elevation in the spherical camera: square pixels in angle */
    ty_k_camera sphere = ty_k_camera_make(TY_K_SPHERICAL, 1024.0, 512.0, 360.0 * TY_DEG);
    TY_NEAR(ty_k_camera_project(sphere, ty_k_vec(0.0, 1.0, 1.0)).v, 256.0 + 128.0, 1e-9);
    TY_NEAR(ty_k_camera_project(sphere, ty_k_vec(-1.0, 0.0, 0.0)).u, 512.0 - 256.0, 1e-9);
    TY_ROW("pinhole, fisheye, spherical, field-of-view lens within 1e-9 px", "the printed equations", "worst %.0e px",
           tyt_worst("ty_k_camera_project(m, p).u - 512.0"));
}

/* Brown's polynomial by hand at x = 0.3, y = -0.2: q = 0.13, R = 0.9737052..., and its Jacobian by differences. */
TY_TEST(camera, brown_by_hand)
{
    ty_k_camera m = lens(LENSES - 1);
    double x = 0.3, y = -0.2, q = 0.13, radial = 1.0 - 0.21 * q + 0.06 * q * q - 0.004 * q * q * q;
    ty_k_brown_step b = ty_k_brown(m, x, y);
    TY_NEAR(b.x, x * radial + 2.0 * 8e-4 * x * y - 5e-4 * (q + 2.0 * x * x), 1e-15);
    TY_NEAR(b.y, y * radial + 8e-4 * (q + 2.0 * y * y) - 2.0 * 5e-4 * x * y, 1e-15);
    double h = 1e-6;
    TY_NEAR((ty_k_brown(m, x + h, y).x - ty_k_brown(m, x - h, y).x) / (2.0 * h), b.xx, 1e-9);
    TY_NEAR((ty_k_brown(m, x, y + h).x - ty_k_brown(m, x, y - h).x) / (2.0 * h), b.xy, 1e-9);
    TY_NEAR((ty_k_brown(m, x + h, y).y - ty_k_brown(m, x - h, y).y) / (2.0 * h), b.xy, 1e-9);
    TY_NEAR((ty_k_brown(m, x, y + h).y - ty_k_brown(m, x, y - h).y) / (2.0 * h), b.yy, 1e-9);
    TY_FAR(b.xx, b.yy, 1e-3); /* control: not the identity */
    ty_k_camera strong = m;
    strong.k1 = -2.0;
    TY_CHECK(!ty_k_camera_ray(strong, 1024.0, 0.0).ok); /* beyond where the lens folds over */
    TY_ROW("Brown (radial-tangential) lens within 1e-15", "the printed equation", "worst %.0e",
           fmax(tyt_worst("b.x"), tyt_worst("b.y")));
}

/* Random CAHVORE cameras about the real ones, with unit O: there and back to 1e-6 px. */
TY_TEST(camera, cahvore_there_and_back)
{
    TY_NEED_SHARED(path, "vectors/cahvore_vectors.csv");
    tyt_csv csv;
    int seen = 0;
    for (bool more = tyt_csv_open(&csv, path); more && tyt_csv_next(&csv);) {
        ty_k_camera m = read_camera(&csv);
        if (strcmp(tyt_csv_text(&csv, "op"), "2d_to_3d") ||
            (m.kind != TY_K_CAHV && fabs(ty_k_norm(m.o) - 1.0) > 1e-12)) {
            continue;
        }
        ty_k_vec3 at = read_vector(&csv, "in", "012");
        ty_k_ray ray = ty_k_camera_ray(m, at.x, at.y);
        ty_k_pixel back = ty_k_camera_project(m, ty_k_add(ray.o, ty_k_scale(5.0, ray.d)));
        TY_NEAR(hypot(back.u - at.x, back.v - at.y), 0.0, 1e-6);
        TY_FAR(back.u, at.x + 1.0, 1e-6);
        seen++;
    }
    TY_CHECK(seen > 200);
}

/* In single precision the way there and back holds 0.01 px at 1024 px. */
TY_TEST(camera, single_precision)
{
    double worst = 0.0;
    for (int k = 0; k < LENSES; k++) {
        for (int n = 0; n < 33 * 17; n++) {
            float u = 20.0f + 984.0f * (float)(n % 33) / 32.0f, v = 20.0f + 728.0f * (float)(n / 33) / 16.0f, bu, bv;
            probe_camera(lenses[k].kind, fmin(lenses[k].hfov_deg, 200.0) * TY_DEG, u, v, &bu, &bv);
            worst = bu > -1e8f ? fmax(worst, hypot((double)(bu - u), (double)(bv - v))) : worst;
        }
    }
    cr_log_info("float there and back: %.2e px", worst);
    TY_NEAR(worst, 0.0, 0.01);
    TY_CHECK(worst > 0.0);
}
