/* src/draw/color.c - colour maps and the palette.
 *
 * A map is a path through OKLab [ottosson2020]: lightness runs in a straight line, so that equal
 * steps of the data look equal also in gray; chroma and hue pass through a few control points of
 * our own.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "draw.h"
#include "inner.h"

#define PI    3.14159265358979323846
#define KNOTS 7

typedef struct path {
    double lightness[3];              /* OKLab L at 0, 1/2 and 1; straight between them */
    double chroma[KNOTS], hue[KNOTS]; /* [-], [deg] at equal steps */
} path;

static const path paths[TY_CMAP_COUNT] = {
    [TY_CMAP_GRAY] = { { 0.0, 0.5, 1.0 }, { 0 }, { 0 } },
    [TY_CMAP_VIRIDIS] = { { 0.28, 0.595, 0.91 },
                          { 0.125, 0.13, 0.11, 0.105, 0.13, 0.17, 0.185 },
                          { 305, 285, 245, 190, 160, 133, 107 } },
    [TY_CMAP_TERRAIN] = { { 0.27, 0.615, 0.96 },
                          { 0.085, 0.085, 0.07, 0.075, 0.095, 0.085, 0.03 },
                          { 275, 255, 205, 140, 100, 80, 85 } },
    [TY_CMAP_DIVERGING] = { { 0.43, 0.965, 0.43 },
                            { 0.15, 0.135, 0.07, 0.0, 0.075, 0.15, 0.165 },
                            { 262, 255, 245, 0, 45, 32, 25 } },
    [TY_CMAP_LIGHT] = { { 0.13, 0.555, 0.98 },
                        { 0.04, 0.09, 0.12, 0.14, 0.15, 0.13, 0.03 },
                        { 275, 300, 345, 25, 60, 85, 98 } },
};

static const char *const names[TY_CMAP_COUNT] = {
#define CMAP_NAME(id, name, use) name,
    TY_CMAP_LIST(CMAP_NAME)
#undef CMAP_NAME
};

/* uniform Catmull-Rom spline through KNOTS values at u in [0, 1] */
static double spline(const double *v, double u)
{
    double t = u * (KNOTS - 1);
    int i = (int)fmin(floor(t), KNOTS - 2);
    t -= i;
    double p1 = v[i], p2 = v[i + 1];
    double p0 = i > 0 ? v[i - 1] : 2.0 * p1 - p2;
    double p3 = i < KNOTS - 2 ? v[i + 2] : 2.0 * p2 - p1;
    return p1 + 0.5 * t * (p2 - p0 + t * (2.0 * p0 - 5.0 * p1 + 4.0 * p2 - p3 + t * (3.0 * (p1 - p2) + p3 - p0)));
}

/* linear sRGB of OKLab, [ottosson2020] */
static void oklab_rgb(double L, double a, double b, double rgb[3])
{
    double l = pow(L + 0.3963377774 * a + 0.2158037573 * b, 3.0);
    double m = pow(L - 0.1055613458 * a - 0.0638541728 * b, 3.0);
    double s = pow(L - 0.0894841775 * a - 1.2914855480 * b, 3.0);
    rgb[0] = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
    rgb[1] = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
    rgb[2] = -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s;
}

static bool in_gamut(const double rgb[3])
{
    const double slack = 1e-6;
    for (int k = 0; k < 3; k++) {
        if (rgb[k] < -slack || rgb[k] > 1.0 + slack) {
            return false;
        }
    }
    return true;
}

/* transfer curve of sRGB, IEC 61966-2-1 */
static double encode(double linear)
{
    linear = fmin(fmax(linear, 0.0), 1.0);
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1.0 / 2.4) - 0.055;
}

ty_draw_color ty_draw_cmap_color(ty_draw_cmap cmap, double u)
{
    if (isnan(u) || (unsigned)cmap >= TY_CMAP_COUNT) {
        return (ty_draw_color){ 0.0, 0.0, 0.0, 0.0 };
    }
    u = fmin(fmax(u, 0.0), 1.0);
    const path *p = &paths[cmap];
    if (cmap == TY_CMAP_GRAY) {
        return (ty_draw_color){ u, u, u, 1.0 };
    }
    double half = 2.0 * u;
    double L = half < 1.0 ? p->lightness[0] + half * (p->lightness[1] - p->lightness[0])
                          : p->lightness[1] + (half - 1.0) * (p->lightness[2] - p->lightness[1]);
    /* the spline runs through a and b: hue has no meaning where chroma is nought */
    double a[KNOTS], b[KNOTS], rgb[3];
    for (int k = 0; k < KNOTS; k++) {
        a[k] = p->chroma[k] * cos(p->hue[k] * PI / 180.0);
        b[k] = p->chroma[k] * sin(p->hue[k] * PI / 180.0);
    }
    double at_a = spline(a, u), at_b = spline(b, u);
    oklab_rgb(L, at_a, at_b, rgb);
    /* colours that no screen shows lose chroma, not lightness */
    for (double keep = 0.98; !in_gamut(rgb) && keep > 0.0; keep -= 0.02) {
        oklab_rgb(L, keep * at_a, keep * at_b, rgb);
    }
    return (ty_draw_color){ encode(rgb[0]), encode(rgb[1]), encode(rgb[2]), 1.0 };
}

const char *tyi_draw_cmap_name(ty_draw_cmap cmap)
{
    return (unsigned)cmap < TY_CMAP_COUNT ? names[cmap] : "unknown colour map";
}

bool tyi_draw_cmap_find(const char *name, ty_draw_cmap *out)
{
    for (int i = 0; i < TY_CMAP_COUNT; i++) {
        if (!strcmp(name, names[i])) {
            *out = (ty_draw_cmap)i;
            return true;
        }
    }
    return false;
}

ty_draw_color ty_draw_palette(int i)
{
    /* [okabe2008], in an order in which the first few differ most; yellow last, being faint on white */
    static const ty_draw_color colors[8] = {
        { 0.0, 114 / 255.0, 178 / 255.0, 1.0 },         /* blue */
        { 213 / 255.0, 94 / 255.0, 0.0, 1.0 },          /* vermilion */
        { 0.0, 158 / 255.0, 115 / 255.0, 1.0 },         /* bluish green */
        { 204 / 255.0, 121 / 255.0, 167 / 255.0, 1.0 }, /* reddish purple */
        { 230 / 255.0, 159 / 255.0, 0.0, 1.0 },         /* orange */
        { 86 / 255.0, 180 / 255.0, 233 / 255.0, 1.0 },  /* sky blue */
        { 0.0, 0.0, 0.0, 1.0 },                         /* black */
        { 240 / 255.0, 228 / 255.0, 66 / 255.0, 1.0 },  /* yellow */
    };
    return colors[i < 0 ? 0 : i % 8];
}
