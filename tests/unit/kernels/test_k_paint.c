/* Textures, coordinates on surfaces, and regions: against closed forms.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "k_paint.h"
#include "tycho/math.h"

enum { W = 16 };

/* 16 x 16 texels of a plane and its coarser levels, each the mean of four */
static ty_k_texture plane(float *texel, double per_x, double per_y)
{
    ty_k_texture m = { .channels = 1, .levels = 5, .wrap = { TY_K_WRAP_CLAMP, TY_K_WRAP_CLAMP }, .w = W, .h = W };
    for (int k = 0; k < m.levels; k++) {
        ty_k_texture_level l = ty_k_texture_find(m, k);
        double wide = (double)W / l.w;
        for (int i = 0; i < l.w * l.h; i++) {
            texel[l.at + (unsigned)i] = (float)(per_x * wide * (i % l.w + 0.5) + per_y * wide * (i / l.w + 0.5));
        }
    }
    return m;
}

/* linear between texels and levels: a plane is read as it is, however wide a pixel is */
TY_TEST(k_paint, a_plane_is_read_as_it_is)
{
    float texel[400];
    ty_k_texture m = plane(texel, 0.25, -0.5);
    TY_CHECK(ty_k_texture_find(m, 4).at == 256 + 64 + 16 + 4 && ty_k_texture_find(m, 4).w == 1);
    double worst = 0.0;
    for (int i = 0; i < 200; i++) {
        double x = 2.5 + 0.05 * i, y = 13.0 - 0.049 * i, wide = 0.3 + 0.018 * i; /* where coarse texels are all round */
        worst = fmax(worst, fabs(ty_k_texture_read(m, texel, x, y, wide).v[0] - (0.25 * x - 0.5 * y)));
    }
    TY_NEAR(worst, 0.0, 1e-6);
    TY_NEAR(ty_k_texture_read(m, texel, 3.0, 3.0, 1e9).v[0], -2.0, 1e-6); /* so wide that all is seen: the mean */
    TY_FAR(ty_k_texture_read(m, texel, 3.0, 3.0, 1.0).v[0], -2.0, 0.5);
}

TY_TEST(k_paint, edges_and_holes)
{
    float texel[400];
    ty_k_texture m = plane(texel, 1.0, 0.0);
    TY_NEAR(ty_k_texture_read(m, texel, 99.0, 5.0, 1.0).v[0], 15.5, 1e-6);
    m.wrap[0] = TY_K_WRAP_REPEAT;
    TY_NEAR(ty_k_texture_read(m, texel, 3.0 + 16.0 * 7.0, 5.0, 1.0).v[0], 3.0, 1e-6);
    TY_NEAR(ty_k_texture_read(m, texel, 3.0 - 16.0, 5.0, 1.0).v[0], 3.0, 1e-6);
    TY_NEAR(ty_k_texture_read(m, texel, 16.0, 5.0, 1.0).v[0], 8.0, 1e-6); /* between the last and the first */
    m.wrap[0] = TY_K_WRAP_MIRROR;
    TY_NEAR(ty_k_texture_read(m, texel, -3.0, 5.0, 1.0).v[0], 3.0, 1e-6);
    TY_NEAR(ty_k_texture_read(m, texel, 16.0 + 2.0, 5.0, 1.0).v[0], 14.0, 1e-6);
    TY_NEAR(ty_k_texture_read(m, texel, 32.0 + 2.0, 5.0, 1.0).v[0], 2.0, 1e-6);
    texel[5 * W + 3] = NAN; /* one is missing: what is round it counts alone */
    TY_NEAR(ty_k_texture_read(m, texel, 4.0, 5.5, 1.0).v[0], 4.5, 1e-6);
    TY_NEAR(ty_k_texture_read(m, texel, 3.5, 5.5, 1.0).total, 0.0, 1e-6);
    TY_FAR(ty_k_texture_read(m, texel, 8.5, 5.5, 1.0).total, 0.0, 0.5);
}

/* on a sphere: longitude and latitude, and axes to the east and north */
TY_TEST(k_paint, coordinates_of_surfaces)
{
    double lon = 0.7, lat = -0.4, u, v;
    ty_k_vec3 n = ty_k_vec(cos(lat) * cos(lon), cos(lat) * sin(lon), sin(lat));
    ty_k_sphere_uv(n, &u, &v);
    TY_NEAR(u, 0.5 + lon / (2.0 * TY_PI), 1e-14);
    TY_NEAR(v, 0.5 - lat / TY_PI, 1e-14);
    ty_k_uv_axes a = ty_k_sphere_axes(n);
    TY_CHECK(a.ok);
    TY_NEAR(a.along.x, -sin(lon), 1e-14);
    TY_NEAR(a.along.y, cos(lon), 1e-14);
    TY_NEAR(a.up.z, cos(lat), 1e-14);
    TY_CHECK(!ty_k_sphere_axes(ty_k_vec(0, 0, 1)).ok); /* the pole has none */
    /* a rectangle of 2 m x 3 m with all of a picture: sqrt(1 / 6) per metre; upright, and mirrored */
    ty_k_uv_edges d = { { 2, 0, 0 }, { 0, -3, 0 }, 1.0, 0.0, 0.0, 1.0 };
    TY_NEAR(ty_k_uv_density(d), sqrt(1.0 / 6.0), 1e-14);
    a = ty_k_triangle_axes(ty_k_vec(0, 0, 1), d);
    TY_NEAR(a.along.x, 1.0, 1e-14);
    TY_NEAR(a.up.y, 1.0, 1e-14);
    d.u1 = -1.0;
    a = ty_k_triangle_axes(ty_k_vec(0, 0, 1), d);
    TY_NEAR(a.along.x, -1.0, 1e-14);
    TY_NEAR(a.up.y, 1.0, 1e-14);
    d.u1 = 0.0; /* a picture squeezed to a line */
    TY_CHECK(!ty_k_triangle_axes(ty_k_vec(0, 0, 1), d).ok);
    /* a normal map: its flat colour changes nothing, a colour of 45 deg to the east does so */
    ty_k_vec3 flat = ty_k_normal_map(n, ty_k_sphere_axes(n), 0.5, 0.5, 1.0, 1.0);
    TY_NEAR(ty_k_dot(flat, n), 1.0, 1e-14);
    ty_k_vec3 east = ty_k_normal_map(n, ty_k_sphere_axes(n), 1.0, 0.5, 1.0, 1.0);
    TY_NEAR(ty_k_dot(east, n), sqrt(0.5), 1e-14);
    TY_NEAR(ty_k_dot(east, ty_k_sphere_axes(n).along), sqrt(0.5), 1e-14);
    TY_FAR(ty_k_dot(ty_k_normal_map(n, ty_k_sphere_axes(n), 1.0, 0.5, 1.0, 0.2), n), sqrt(0.5), 0.2); /* scaled */
    TY_NEAR(ty_k_luminance(1.0, 1.0, 1.0), 1.0, 1e-12);
}

/* the distance to an L of six corners, in it and out of it; the order of corners does not matter */
TY_TEST(k_paint, regions)
{
    const double point[] = { 0, 0, 4, 0, 4, 2, 2, 2, 2, 4, 0, 4 };
    double back[12];
    for (int i = 0; i < 12; i++) {
        back[i] = point[2 * (5 - i / 2) + i % 2];
    }
    const double want[][3] = { { 1, 1, 1.0 },    { 1, 3, 1.0 },   { 3, 3, -1.0 }, { 5, 3, -sqrt(2.0) },
                               { -3, -4, -5.0 }, { 2.5, 1, 1.0 }, { 4, 1, 0.0 } };
    for (int i = 0; i < 7; i++) {
        TY_NEAR(ty_k_polygon_inside(point, 6, want[i][0], want[i][1]), want[i][2], 1e-12);
        TY_NEAR(ty_k_polygon_inside(back, 6, want[i][0], want[i][1]), want[i][2], 1e-12);
    }
    TY_FAR(ty_k_polygon_inside(point, 5, 1.0, 3.0), 1.0, 0.1); /* control: a corner is missing */
    TY_NEAR(ty_k_circle_inside(1.0, 2.0, 3.0, 1.0, 4.0), 1.0, 1e-14);
    TY_NEAR(ty_k_region_share(0.0, 2.0), 0.5, 0.0);
    TY_NEAR(ty_k_region_share(0.5, 2.0), 0.75, 0.0);
    TY_NEAR(ty_k_region_share(-1.0, 2.0), 0.0, 0.0);
    TY_CHECK(ty_k_region_share(1e-9, 0.0) == 1.0 && ty_k_region_share(-1e-9, 0.0) == 0.0);
    TY_NEAR(ty_k_paint(1, 0.2, 0.4, 0.5), 0.3, 1e-15);
    TY_NEAR(ty_k_paint(0, 0.2, 7.0, 1.0), 0.9999, 1e-15); /* limited to what the law takes */
    TY_NEAR(ty_k_paint(2, 0.2, -7.0, 1.0), -1.0, 1e-15);
}
