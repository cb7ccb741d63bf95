/* tests/unit/render/test_dust_lidar.c - a lidar over a floor under a layer of dust: the echo it loses and the one it gains.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "dust/cloud.h"
#include "k_medium.h"
#include "render_support.h"
#include "tycho/lidar.h"
#include "tycho/tools/draw.h"
#include "tycho/trace.h"

#define HIGH  1.0 /* [m] the layer's thickness, ... */
#define LOW   0.6 /* [m] ... its lower side, ... */
#define EYE   4.0 /* [m] ... and the lidar's height */
#define FLOOR 0.3 /* [-] albedo */

static tyi_dust_cloud *layer(double density, const ty_dust_params *p)
{
    enum { N = 40, M = 20 };
    static tyi_dust_point point[N * N * M];
    tyi_dust_cloud *c;
    for (int i = 0; i < N * N * M; i++) {
        double x = (i % N + 0.5) * 0.05 - 1.0, y = (i / N % N + 0.5) * 0.05 - 1.0,
               z = LOW + (i / (N * N) + 0.5) * HIGH / M;
        point[i] =
            (tyi_dust_point){ (float)x, (float)y, (float)z, (float)(density * 0.05 * 0.05 * HIGH / M), { 0 }, 0 };
    }
    cr_assert(tyi_dust_cloud_create(p, 1, &c, NULL) == TY_OK);
    cr_assert(tyi_dust_cloud_fill(c, ty_vec3_make(0, 0, 0), point, N * N * M, NULL, NULL) == TY_OK);
    return c;
}

/* the two returns of a beam straight down; intensity 0: there is none */
static void scan(ty_lidar *lidar, ty_scene *s, ty_cloud_return out[2])
{
    ty_keyframe key = { 0, { { 0, 0, EYE }, ty_quat_axis(ty_vec3_make(0, 1, 0), 0.5 * TY_PI) } };
    ty_track track = { &key, 1 };
    ty_lidar_rays rays;
    const ty_buffer *returns;
    cr_assert(ty_lidar_aim(lidar, &track, 0, &rays, NULL) == TY_OK);
    cr_assert(ty_scene_trace(s, rays.centre, rays.ray, rays.count, 0, 1, rays.hit, NULL) == TY_OK);
    cr_assert(ty_lidar_echo(lidar, 0, &returns, NULL) == TY_OK);
    for (int k = 0; k < 2; k++) {
        out[k] = *(const ty_cloud_return *)ty_buffer_at(returns, 0, k, 0);
    }
}

/* Echoes by the lidar equation, in units of the weakest one noticed: of the floor, and of the layer, whose parts lie too near to be told
 * apart. Narrow beams lose what is diffracted: extinction is twice the shadow. */
static void expected(const ty_lidar_def *l, const ty_dust_params *p, double density, double *floor_echo,
                     double *layer_echo)
{
    double phase = ty_k_medium_phase(p->lobe, -p->lobe, 0.5 * (1.0 - p->lobe_share), -1.0), sum = 0.0;
    const int n = 2000;
    for (int i = 0; i < n; i++) {
        double x = HIGH * (i + 0.5) / n, r = EYE - LOW - HIGH + x;
        sum += TY_PI * density * p->albedo * phase * exp(-4.0 * density * x) / (r * r) * HIGH / n;
    }
    *layer_echo = sum * l->reach * l->reach / l->reach_albedo;
    *floor_echo = FLOOR / l->reach_albedo * l->reach * l->reach / (EYE * EYE) * exp(-4.0 * density * HIGH);
}

enum { LAYERS = 19 };

/* strengths of both echoes, of the floor and of the dust, by the lidar equation and as scanned; NaN: there is none */
typedef struct echoes {
    double tau[LAYERS], want[2][LAYERS], got[2][LAYERS];
} echoes;

static void draw(const echoes *e)
{
    char path[512];
    if (!getenv("TYCHO_FIGURES")) {
        return;
    }
    const double edge[2] = { 0.006, 3.0 }, one[2] = { 1.0, 1.0 };
    ty_draw_series s[] = {
        { .kind = TY_SERIES_LINE, .label = "ground, closed form", .n = LAYERS, .x = e->tau, .y = e->want[0] },
        { .kind = TY_SERIES_POINTS, .label = "ground, scanned", .n = LAYERS, .x = e->tau, .y = e->got[0] },
        { .kind = TY_SERIES_LINE, .label = "dust, closed form", .n = LAYERS, .x = e->tau, .y = e->want[1] },
        { .kind = TY_SERIES_POINTS, .label = "dust, scanned", .n = LAYERS, .x = e->tau, .y = e->got[1] },
        { .kind = TY_SERIES_LINE,
          .label = "weakest that is noticed",
          .n = 2,
          .x = edge,
          .y = one,
          .dash = TY_DASH_DASHED },
    };
    ty_draw_panel panel = { .x = { "optical depth of the layer [-]", 0.006, 3.0, true },
                            .y = { "echo over the weakest that is noticed [-]", 0.01, 10.0, true },
                            .series = s,
                            .count = 5 };
    ty_draw_figure figure = ty_draw_figure_default();
    figure.title = "A lidar 4 m over ground, 1 m of dust between", figure.panel = &panel, figure.height = 480;
    snprintf(path, sizeof path, "%s/dust_lidar.png", getenv("TYCHO_FIGURES"));
    TY_CHECK(ty_draw_write_figure(path, &figure, NULL) == TY_OK);
}

TY_TEST(dust_lidar, lost_ground_and_false_returns)
{
    ty_dust_params p = tyi_dust_params_default();
    ty_lidar_def def = ty_lidar_def_default();
    ty_lidar *lidar;
    def.columns = def.rows = 1;
    def.mode = TY_LIDAR_DUAL;
    def.noise = false;
    def.reach = 6.0, def.separation = 0.45;
    cr_assert(ty_lidar_create(&def, &lidar, NULL) == TY_OK);
    double worst = 0.0;
    int lost = 0, gained = 0, both = 0;
    static echoes e;
    for (int i = 0; i < LAYERS; i++) {
        double density = 0.004 * pow(1.35, i), want[2];
        tyi_dust_cloud *c = layer(density, &p);
        ty_scene *s = bare_scene();
        add_rectangle(s, ty_vec3_make(-5, -5, 0), ty_vec3_make(10, 0, 0), ty_vec3_make(0, 10, 0),
                      ty_material_lambert(FLOOR));
        ty_medium m;
        cr_assert(tyi_dust_cloud_medium(c, &m));
        ty_scene_set_medium(s, &m);
        expected(&def, &p, density, &want[0], &want[1]);
        ty_cloud_return got[2];
        scan(lidar, s, got);
        e.tau[i] = 2.0 * density * HIGH;
        for (int k = 0; k < 2;
             k++) { /* each echo is there when it should be, where it should be, as strong as it should be */
            double range = 0.0, signal = 0.0;
            for (int q = 0; q < 2; q++) {
                bool ground = got[q].range > EYE - 0.5 * LOW;
                if (isfinite(got[q].range) && ground == (k == 0)) {
                    range = got[q].range;
                    signal = got[q].intensity / def.reach_albedo * def.reach * def.reach / (range * range);
                }
            }
            e.want[k][i] = want[k], e.got[k][i] = signal > 0.0 ? signal : (double)NAN;
            if (fabs(want[k] - 1.0) > 0.02) {
                TY_CHECK((signal > 0.0) == (want[k] > 1.0));
            }
            if (signal > 0.0) {
                worst = fmax(worst, fabs(signal / want[k] - 1.0));
                TY_NEAR_REL(signal, want[k], 0.03);
                TY_CHECK(k ? range > EYE - LOW - HIGH - 0.1 && range < EYE - LOW : fabs(range - EYE) < 1e-3);
            }
        }
        lost += want[0]<1.0, gained += want[1]> 1.0, both += want[0] > 1.0 && want[1] > 1.0;
        printf("lidar through dust: optical depth %.4f, echo of the floor %.3f, of the dust %.3f\n",
               2.0 * density * HIGH, want[0], want[1]);
        /* control: without diffraction the floor would be brighter */
        TY_FAR_REL(want[0], FLOOR / def.reach_albedo * def.reach * def.reach / (EYE * EYE) * exp(-2.0 * density * HIGH),
                   0.005);
        ty_scene_destroy(s);
        tyi_dust_cloud_destroy(c);
    }
    TY_CHECK(lost > 2 && gained > 2 && both > 2);
    draw(&e);
    TY_ROW(
        "Lidar through a layer of dust, optical depth 0.008 to 1.8: echoes of the ground that is lost and of the dust, 3 %",
        "the lidar equation", "%.2f %%", 100.0 * worst);
    ty_lidar_destroy(lidar);
}
