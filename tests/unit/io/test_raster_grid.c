/* A grid in the tangent plane of a site, written row by row: GDAL finds the heights and the places;
 * and what a raster says beyond its edge.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <unistd.h>
#include "raster_support.h"
#include "io/rasters.h"

#define W 700
#define H 530

static float height_at(int x, int y)
{
    return 1000.0f + 0.25f * (float)x - 3.0f * (float)y + 0.001f * (float)(x * y % 977);
}

typedef struct source {
    int calls, most, next; /* rows come in order */
    int nan_row;
} source;

static ty_status rows(void *user, int y, int count, float *out, ty_diag *diag)
{
    (void)diag;
    source *s = user;
    TY_CHECK(y == s->next);
    s->next = y + count;
    s->calls++;
    s->most = count > s->most ? count : s->most;
    for (int k = 0; k < count * W; k++) {
        out[k] = y + k / W == s->nan_row ? NAN : height_at(k % W, y + k / W);
    }
    return TY_OK;
}

static tyi_io_raster_grid make(source *s, double lat_deg, double lon_deg)
{
    *s = (source){ .nan_row = -1 };
    return (tyi_io_raster_grid){ .lat = lat_deg * TY_DEG,
                                 .lon = lon_deg * TY_DEG,
                                 .west = -6000.0,
                                 .north = 4500.0,
                                 .spacing = 12.5,
                                 .width = W,
                                 .height = H,
                                 .rows = rows,
                                 .user = s };
}

/* GDAL's latitude and longitude [deg] of a pixel's centre, by the file's own reference system */
static void gdal_place(GDALDatasetH d, double x, double y, double *lat, double *lon)
{
    double gt[6];
    cr_assert(GDALGetGeoTransform(d, gt) == CE_None);
    OGRSpatialReferenceH from = OSRClone(GDALGetSpatialRef(d)), to = OSRNewSpatialReference(NULL);
    OSRSetFromUserInput(to, MOON_DEGREES);
    OSRSetAxisMappingStrategy(from, OAMS_TRADITIONAL_GIS_ORDER);
    OSRSetAxisMappingStrategy(to, OAMS_TRADITIONAL_GIS_ORDER);
    OGRCoordinateTransformationH t = OCTNewCoordinateTransformation(from, to);
    *lon = gt[0] + gt[1] * x + gt[2] * y;
    *lat = gt[3] + gt[4] * x + gt[5] * y;
    cr_assert(OCTTransform(t, 1, lon, lat, NULL));
    OCTDestroyCoordinateTransformation(t);
    OSRDestroySpatialReference(from);
    OSRDestroySpatialReference(to);
}

TY_TEST(raster_grid, gdal_finds_heights_and_places)
{
    static const double sites[4][2] = { { -89.45, 222.7 }, { 0.0, 0.0 }, { 26.1, 3.6 }, { -90.0, 0.0 } };
    GDALAllRegister();
    for (int k = 0; k < 4; k++) {
        source s;
        tyi_io_raster_grid g = make(&s, sites[k][0], sites[k][1]);
        ty_raster_stats stats;
        ty_diag diag = { 0 };
        cr_assert(tyi_io_raster_write_grid(&g, "grid.tif", NULL, &stats, &diag) == TY_OK, "%s", diag.text);
        TY_CHECK(s.next == H && s.calls > 1 && s.most <= 256 && stats.samples == W * H && stats.missing == 0.0);
        GDALDatasetH d = GDALOpen("grid.tif", GA_ReadOnly);
        TY_CHECK(d && GDALGetOverviewCount(GDALGetRasterBand(d, 1)) >= 3);
        tyi_io_raster *back = raster_open("grid.tif", NULL);
        ty_site site = ty_site_make(g.lat, g.lon, TY_MOON_RADIUS);
        uint64_t state = 7 + (uint64_t)k;
        double worst = 0.0;
        for (int i = 0; i < 1000; i++) {
            int x = (int)(raster_random(&state) * W), y = (int)(raster_random(&state) * H);
            TY_CHECK(raster_stored(d, 1, x, y) == (double)height_at(x, y));
            double lat, lon, px, py, h;
            gdal_place(d, x + 0.5, y + 0.5, &lat, &lon);
            ty_vec3 p = ty_site_point(&site, lat * TY_DEG, lon * TY_DEG, 0.0);
            worst = fmax(worst, hypot(p.x - (g.west + (x + 0.5) * g.spacing), p.y - (g.north - (y + 0.5) * g.spacing)));
            lat *= TY_DEG, lon *= TY_DEG;
            tyi_io_raster_pixel(back, 1, &lat, &lon, &px, &py, NULL);
            worst = fmax(worst, g.spacing * hypot(px - x - 0.5, py - y - 0.5));
            tyi_io_raster_sample(back, 1, &lat, &lon, 0.0, &h, NULL);
            TY_NEAR(h, (double)height_at(x, y), 1e-3); /* rounding of the place, times slopes of up to 1 per m */
        }
        TY_NEAR(worst, 0.0, 0.01); /* [m]; the issue allows half a pixel, 6 m */
        printf("grid at %g %g: places differ by %.2g m at most\n", sites[k][0], sites[k][1], worst);
        tyi_io_raster_close(back);
        GDALClose(d);
    }
    unlink("grid.tif");
}

TY_TEST(raster_grid, what_cannot_be_written_gets_a_sentence)
{
    source s;
    tyi_io_raster_grid g = make(&s, 10.0, 20.0);
    ty_diag diag = { 0 };
    s.nan_row = 300;
    TY_CHECK(tyi_io_raster_write_grid(&g, "bad.tif", NULL, NULL, &diag) == TY_ERR_NUMERIC &&
             strstr(diag.text, "row 300"));
    TY_CHECK(access("bad.tif", F_OK) != 0);
    diag = (ty_diag){ 0 };
    g.spacing = 1e4; /* wider than the Moon */
    TY_CHECK(tyi_io_raster_write_grid(&g, "bad.tif", NULL, NULL, &diag) == TY_ERR_RANGE && diag.text[0]);
    diag = (ty_diag){ 0 };
    g = make(&s, 10.0, 20.0);
    TY_CHECK(tyi_io_raster_write_grid(&g, "no/such/bad.tif", NULL, NULL, &diag) == TY_ERR_FILE &&
             strstr(diag.text, "no/such"));
}

/* As a base, a raster goes on beyond its edge as high as the edge; asked for a sample there, it
 * says that there is none. */
TY_TEST(raster_grid, a_base_goes_on_beyond_its_edge)
{
    source s;
    tyi_io_raster_grid g = make(&s, -85.0, 40.0);
    cr_assert(tyi_io_raster_write_grid(&g, "edge.tif", NULL, NULL, NULL) == TY_OK);
    tyi_io_raster *r = raster_open("edge.tif", NULL);
    ty_terrain_base base = tyi_io_raster_base(r);
    ty_site site = ty_site_make(g.lat, g.lon, TY_MOON_RADIUS);
    double east = g.west + W * g.spacing, y = g.north - 100.5 * g.spacing;
    for (int k = 0; k < 3; k++) {
        double x = east + (k == 0 ? -0.001 : k == 1 ? 1.0 : 5e4), lat, lon, unused, h, plain;
        double z = sqrt(TY_MOON_RADIUS * TY_MOON_RADIUS - x * x - y * y) - TY_MOON_RADIUS;
        ty_site_geodetic(&site, ty_vec3_make(x, y, z), &lat, &lon, &unused);
        cr_assert(base.sample(base.user, 1, &lat, &lon, 0.0, &h, NULL) == TY_OK);
        cr_assert(tyi_io_raster_sample(r, 1, &lat, &lon, 0.0, &plain, NULL) == TY_OK);
        TY_NEAR(h, (double)height_at(W - 1, 100), 0.2); /* half a pixel outside the last sample: its own height */
        TY_FAR(h, (double)height_at(0, 100), 1.0);      /* control: the other edge */
        TY_CHECK(isnan(plain) == (k > 0));
    }
    /* or as a mirror at the edge shows it: 20 columns outside as 20 inside */
    ty_terrain_base mirrored = tyi_io_raster_base_mirrored(r);
    double h[2], lat[2], lon[2], unused;
    for (int k = 0; k < 2; k++) {
        double x = east + (k ? 20.5 : -20.5) * g.spacing;
        double z = sqrt(TY_MOON_RADIUS * TY_MOON_RADIUS - x * x - y * y) - TY_MOON_RADIUS;
        ty_site_geodetic(&site, ty_vec3_make(x, y, z), &lat[k], &lon[k], &unused);
    }
    cr_assert(mirrored.sample(mirrored.user, 2, lat, lon, 0.0, h, NULL) == TY_OK);
    TY_NEAR(h[1], h[0], 0.05);
    TY_NEAR(h[0], (double)height_at(W - 21, 100), 0.2);
    TY_FAR(h[1], (double)height_at(W - 1, 100), 0.2); /* control: the edge's own height */
    tyi_io_raster_close(r);
    unlink("edge.tif");
}
