/* src/io/raster_georef.c - where the pixels of a raster lie on the Moon.
 * Map projections are PROJ's, through GDAL; cylindrical maps, which go round the Moon and have a
 * seam, are handled here.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <cpl_conv.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "raster.h"
#include "tycho/math.h"
#include "rasters.h"

#define CHUNK     256
#define WRAP_NEAR 0.1 /* [pixels] a raster whose width is a full turn up to this goes round */

static double turn(double angle) /* to -pi .. pi */
{
    return angle - 2.0 * TY_PI * floor((angle + TY_PI) / (2.0 * TY_PI));
}

/* ---- the reference system ---- */

static bool set_moon(OGRSpatialReferenceH srs) /* of a projection, or as latitude and longitude */
{
    OSRSetAxisMappingStrategy(srs, OAMS_TRADITIONAL_GIS_ORDER);
    return OSRSetGeogCS(srs, "GCS_Moon_2000", "D_Moon_2000", "Moon_2000_IAU_IAG", TY_MOON_RADIUS, 0.0,
                        "Reference_Meridian", 0.0, "degree", TY_DEG) == OGRERR_NONE;
}

static void add_note(tyi_io_raster *raster, const char *text)
{
    char *note = raster->info.note;
    size_t n = strlen(note);
    snprintf(note + n, sizeof raster->info.note - n, "%s%s", n ? "; " : "", text);
}

OGRSpatialReferenceH tyi_io_georef_plane(double lat, double lon)
{
    OGRSpatialReferenceH srs = OSRNewSpatialReference(NULL);
    OSRSetProjCS(srs, "Moon2000_Orthographic");
    OSRSetOrthographic(srs, lat / TY_DEG, lon / TY_DEG, 0.0, 0.0);
    set_moon(srs);
    return srs;
}

OGRSpatialReferenceH tyi_io_georef_globe(void)
{
    OGRSpatialReferenceH srs = OSRNewSpatialReference(NULL);
    set_moon(srs);
    return srs;
}

/* by what the caller gave; false: nothing was given */
static bool place_by_def(tyi_io_raster *raster, const tyi_io_raster_def *def)
{
    tyi_io_georef *geo = &raster->geo;
    int w = raster->info.width, h = raster->info.height;
    if (!isnan(def->pixel)) {
        OSRDestroySpatialReference(geo->srs);
        geo->srs = tyi_io_georef_plane(def->lat, def->lon);
        double gt[6] = { -0.5 * w * def->pixel, def->pixel, 0.0, 0.5 * h * def->pixel, 0.0, -def->pixel };
        memcpy(geo->gt, gt, sizeof gt);
        return true;
    }
    if (!isnan(def->bounds[0])) {
        set_moon(geo->srs);
        const double *b = def->bounds;
        double east = b[3] > b[2] ? b[3] : b[3] + 2.0 * TY_PI;
        double gt[6] = {
            b[2] / TY_DEG, (east - b[2]) / w / TY_DEG, 0.0, b[1] / TY_DEG, 0.0, (b[0] - b[1]) / h / TY_DEG
        };
        memcpy(geo->gt, gt, sizeof gt);
        return true;
    }
    return false;
}

/* A grid without a reference system: its numbers can be degrees. A small one of coarse steps that holds 0, 0 is some metres wide
 * rather: 100 steps of 1 degree each way would be neither a site nor a globe. */
static bool can_be_degrees(const tyi_io_raster *raster)
{
    const double *gt = raster->geo.gt;
    double x1 = gt[0] + gt[1] * raster->info.width, y1 = gt[3] + gt[5] * raster->info.height;
    bool coarse = fabs(gt[1]) > 0.0999 && fabs(gt[5]) > 0.0999 && fabs(x1 - gt[0]) < 179.0;
    bool local = gt[0] * x1 <= 0.0 && gt[3] * y1 <= 0.0;
    return gt[2] == 0.0 && gt[4] == 0.0 && fmax(fabs(gt[3]), fabs(y1)) <= 90.01 &&
           fmax(fabs(gt[0]), fabs(x1)) <= 360.01 && fabs(gt[1]) < 5.0 && fabs(gt[5]) < 5.0 && !(coarse && local);
}

/* a copy without a shift to the Earth's WGS 84, which some formats attach to any system */
static OGRSpatialReferenceH copy_unbound(OGRSpatialReferenceH srs)
{
    double shift[7];
    char *text = NULL;
    if (OSRGetTOWGS84(srs, shift, 7) != OGRERR_NONE || OSRExportToWkt(srs, &text) != OGRERR_NONE) {
        CPLFree(text);
        return OSRClone(srs);
    }
    char *from = strstr(text, ",TOWGS84["), *to = from ? strchr(from, ']') : NULL;
    if (to) {
        memmove(from, to + 1, strlen(to));
    }
    OGRSpatialReferenceH copy = OSRNewSpatialReference(text);
    CPLFree(text);
    return copy ? copy : OSRNewSpatialReference(NULL);
}

/* whatever the names and the radius in the file, only the way it projects is kept */
static ty_status keep_projection(tyi_io_raster *raster, OGRSpatialReferenceH srs, ty_diag *diag)
{
    tyi_io_georef *geo = &raster->geo;
    OSRDestroySpatialReference(geo->srs);
    geo->srs = copy_unbound(srs);
    const char *name = OSRGetAttrValue(srs, "PROJCS", 0), *method = OSRGetAttrValue(srs, "PROJECTION", 0);
    if (!name || !*name || !strcmp(name, "unknown") || !strcmp(name, "unnamed")) {
        char text[80];
        snprintf(text, sizeof text, "Moon2000_%.60s", method ? method : "map");
        OSRSetProjCS(geo->srs, text);
    }
    if (set_moon(geo->srs) && fabs(OSRGetSemiMajor(geo->srs, NULL) - TY_MOON_RADIUS) < 1e-6) {
        return TY_OK;
    }
    return ty_fail(diag, TY_ERR_FORMAT, "%s: its map projection (%s) cannot be put on the lunar sphere", raster->path,
                   method ? method : "of no name");
}

static ty_status place_by_file(tyi_io_raster *raster, ty_diag *diag)
{
    tyi_io_georef *geo = &raster->geo;
    OGRSpatialReferenceH srs = GDALGetSpatialRef(raster->dataset);
    if (GDALGetGeoTransform(raster->dataset, geo->gt) != CE_None) {
        return ty_fail(
            diag, TY_ERR_INPUT,
            "%s does not say where on the Moon it lies; give its pixel size and centre, or its bounds: tycho "
            "terrain import %s site.tif --pixel M --lat LAT --lon LON",
            raster->path, raster->path);
    }
    bool known = srs && (OSRIsProjected(srs) || OSRIsGeographic(srs));
    if (!known && !can_be_degrees(raster)) {
        return ty_fail(
            diag, TY_ERR_INPUT,
            "%s has a grid but no map projection, and its steps of %g by %g are hardly degrees; give its pixel "
            "size and centre, or its bounds: tycho terrain import %s site.tif --pixel %g --lat LAT --lon LON",
            raster->path, fabs(geo->gt[1]), fabs(geo->gt[5]), raster->path, fabs(geo->gt[1]));
    }
    if (!known) {
        set_moon(geo->srs);
        add_note(raster, "it names no reference system: its grid is taken as latitude and longitude");
        return TY_OK;
    }
    double radius = OSRGetSemiMajor(srs, NULL);
    if (fabs(radius / TY_MOON_RADIUS - 1.0) > 0.03) {
        char text[160];
        const char *name = OSRGetAttrValue(srs, "DATUM", 0);
        snprintf(text, sizeof text, "it names the reference body %.40s (radius %.0f m): its grid is taken as lunar",
                 name ? name : "of no name", radius);
        add_note(raster, text);
    }
    if (OSRIsProjected(srs)) {
        return keep_projection(raster, srs, diag);
    }
    double unit = OSRGetAngularUnits(srs, NULL) / TY_DEG; /* degrees per unit of the file */
    for (int i = 0; i < 6; i++) {
        geo->gt[i] *= unit;
    }
    set_moon(geo->srs);
    return TY_OK;
}

/* ---- transformations: not for two threads at once, so each batch borrows a pair ---- */

static bool borrow(tyi_io_georef *geo, tyi_io_pair *pair)
{
    pthread_mutex_lock(&geo->mutex);
    if (geo->idles > 0) {
        *pair = geo->idle[--geo->idles];
    } else {
        pair->to_map = OCTClone(geo->first.to_map);
        pair->to_place = OCTClone(geo->first.to_place);
    }
    pthread_mutex_unlock(&geo->mutex);
    return pair->to_map && pair->to_place;
}

static void destroy(tyi_io_pair *pair)
{
    if (pair->to_map) {
        OCTDestroyCoordinateTransformation(pair->to_map);
    }
    if (pair->to_place) {
        OCTDestroyCoordinateTransformation(pair->to_place);
    }
    *pair = (tyi_io_pair){ 0 };
}

static void give_back(tyi_io_georef *geo, tyi_io_pair pair)
{
    pthread_mutex_lock(&geo->mutex);
    bool room = geo->idles < TYI_IO_FREE_PAIRS && pair.to_map && pair.to_place;
    if (room) {
        geo->idle[geo->idles++] = pair;
    }
    pthread_mutex_unlock(&geo->mutex);
    if (!room) {
        destroy(&pair);
    }
}

/* x, y in place, NaN where it cannot be done */
static void transform(OGRCoordinateTransformationH t, size_t n, double *x, double *y)
{
    for (size_t at = 0; at < n; at += CHUNK) {
        int ok[CHUNK], m = (int)(n - at < CHUNK ? n - at : CHUNK);
        OCTTransformEx(t, m, x + at, y + at, NULL, ok);
        for (int i = 0; i < m; i++) {
            if (!ok[i] || !isfinite(x[at + (size_t)i]) || !isfinite(y[at + (size_t)i])) {
                x[at + (size_t)i] = y[at + (size_t)i] = NAN;
            }
        }
    }
}

static void apply(const double gt[6], double *x, double *y)
{
    double u = gt[0] + gt[1] * *x + gt[2] * *y, v = gt[3] + gt[4] * *x + gt[5] * *y;
    *x = u;
    *y = v;
}

/* ---- cylindrical maps ---- */

/* Asks PROJ at a few places whether x goes with longitude alone, evenly, and y with latitude alone (and evenly?). */
static void find_cylinder(tyi_io_raster *raster)
{
    enum { N = 15 };
    const double lats[3] = { -40.0, 0.0, 60.0 }; /* uneven, as y of a Mercator map is odd in latitude */
    tyi_io_georef *geo = &raster->geo;
    double lon0 = OSRGetProjParm(geo->srs, SRS_PP_CENTRAL_MERIDIAN, 0.0, NULL), x[N], y[N];
    for (int i = 0; i < N; i++) {
        x[i] = lon0 + 85.0 * (i % 5 - 2);
        y[i] = lats[i / 5];
    }
    transform(geo->first.to_map, N, x, y);
    double kx = (x[9] - x[5]) / 340.0, ky = (y[12] - y[2]) / (lats[2] - lats[0]); /* map units per degree */
    bool cylinder = geo->gt[2] == 0.0 && geo->gt[4] == 0.0 && kx != 0.0 && ky != 0.0, even = true;
    for (int i = 0; i < N; i++) {
        cylinder = cylinder && fabs(x[i] - x[7] - kx * 85.0 * (i % 5 - 2)) < 1e-6 * fabs(kx) &&
                   fabs(y[i] - y[i / 5 * 5]) < 1e-6 * fabs(ky);
        even = even && fabs(y[i] - y[7] - ky * lats[i / 5]) < 1e-6 * fabs(ky);
    }
    if (!cylinder) {
        return;
    }
    geo->cylindrical = true;
    geo->linear = even;
    geo->kx = kx / geo->gt[1] / TY_DEG;
    geo->lon_c = (lon0 + (geo->gt[0] + geo->gt[1] * geo->half_width - x[7]) / kx) * TY_DEG;
    geo->ky = ky / geo->gt[5] / TY_DEG;
    geo->lat_c = (geo->gt[3] + geo->gt[5] * geo->half_height - y[7]) / ky * TY_DEG;
    /* a file's rounded pixel size must not leave a gap or a step at the seam */
    double round = 2.0 * TY_PI * fabs(geo->kx);
    if (fabs(round - raster->info.width) < WRAP_NEAR) {
        raster->info.wraps = true;
        geo->kx = copysign(raster->info.width / (2.0 * TY_PI), geo->kx);
    }
}

/* ---- between places and pixels ---- */

static void to_pixel(tyi_io_georef *geo, const tyi_io_pair *pair, size_t n, const double *lat, const double *lon,
                     double *x, double *y)
{
    if (geo->linear) {
        for (size_t i = 0; i < n; i++) {
            x[i] = geo->half_width + geo->kx * turn(lon[i] - geo->lon_c);
            y[i] = geo->half_height + geo->ky * (lat[i] - geo->lat_c);
        }
        return;
    }
    for (size_t i = 0; i < n; i++) {
        x[i] = lon[i] / TY_DEG;
        y[i] = lat[i] / TY_DEG;
    }
    double period = 2.0 * TY_PI * fabs(geo->kx);
    transform(pair->to_map, n, x, y);
    for (size_t i = 0; i < n; i++) {
        apply(geo->inverse, &x[i], &y[i]);
        if (geo->cylindrical) {
            x[i] -= period * floor((x[i] - geo->half_width) / period + 0.5);
        }
    }
}

static void to_place(tyi_io_georef *geo, const tyi_io_pair *pair, size_t n, const double *x, const double *y,
                     double *lat, double *lon)
{
    if (geo->linear) {
        for (size_t i = 0; i < n; i++) {
            lon[i] = turn(geo->lon_c + (x[i] - geo->half_width) / geo->kx);
            lat[i] = geo->lat_c + (y[i] - geo->half_height) / geo->ky;
        }
        return;
    }
    for (size_t i = 0; i < n; i++) {
        double u = x[i], v = y[i];
        apply(geo->gt, &u, &v);
        lon[i] = u;
        lat[i] = v;
    }
    transform(pair->to_place, n, lon, lat);
    for (size_t i = 0; i < n; i++) {
        lon[i] = turn(lon[i] * TY_DEG);
        lat[i] *= TY_DEG;
    }
}

typedef void (*convert)(tyi_io_georef *, const tyi_io_pair *, size_t, const double *, const double *, double *,
                        double *);

static ty_status batch(tyi_io_raster *raster, convert function, size_t n, const double *a, const double *b, double *c,
                       double *d, ty_diag *diag)
{
    tyi_io_pair pair = { 0 };
    if (raster->geo.linear) {
        function(&raster->geo, &pair, n, a, b, c, d);
        return TY_OK;
    }
    tyi_io_gdal gdal;
    tyi_io_gdal_begin(&gdal);
    bool ok = borrow(&raster->geo, &pair);
    if (ok) {
        function(&raster->geo, &pair, n, a, b, c, d);
    }
    give_back(&raster->geo, pair);
    tyi_io_gdal_end(&gdal);
    return ok ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "%s: no memory for a map projection", raster->path);
}

ty_status tyi_io_raster_pixel(tyi_io_raster *raster, size_t n, const double *lat, const double *lon, double *x,
                              double *y, ty_diag *diag)
{
    return batch(raster, to_pixel, n, lat, lon, x, y, diag);
}

ty_status tyi_io_raster_place(tyi_io_raster *raster, size_t n, const double *x, const double *y, double *lat,
                              double *lon, ty_diag *diag)
{
    return batch(raster, to_place, n, x, y, lat, lon, diag);
}

/* ---- cover ---- */

static double ground_distance(double lat0, double lon0, double lat1, double lon1) /* haversine [m] */
{
    double a = sin(0.5 * (lat1 - lat0)), b = sin(0.5 * (lon1 - lon0));
    return 2.0 * TY_MOON_RADIUS * asin(fmin(1.0, sqrt(a * a + cos(lat0) * cos(lat1) * b * b)));
}

static ty_status set_spacing(tyi_io_raster *raster, ty_diag *diag)
{
    double cx = raster->geo.half_width, cy = raster->geo.half_height;
    double x[3] = { cx - 0.5, cx + 0.5, cx - 0.5 }, y[3] = { cy - 0.5, cy - 0.5, cy + 0.5 }, lat[3], lon[3];
    ty_status status = tyi_io_raster_place(raster, 3, x, y, lat, lon, diag);
    tyi_io_raster_info *info = &raster->info;
    info->step_x = ground_distance(lat[0], lon[0], lat[1], lon[1]);
    info->step_y = ground_distance(lat[0], lon[0], lat[2], lon[2]);
    info->spacing = fmax(info->step_x, info->step_y);
    if (status == TY_OK && !(info->step_x > 0.0 && info->step_y > 0.0 && info->spacing < TY_MOON_RADIUS)) {
        status = ty_fail(diag, TY_ERR_FORMAT, "%s: its georeference puts its centre nowhere on the Moon", raster->path);
    }
    return status;
}

/* latitudes and longitudes along the edge, and the poles if they lie inside */
static ty_status set_cover(tyi_io_raster *raster, ty_diag *diag)
{
    enum { EDGE = 64, N = 4 * EDGE + 1 };
    tyi_io_raster_info *info = &raster->info;
    double w = info->width, h = info->height, x[N], y[N], lat[N], lon[N];
    for (int i = 0; i < EDGE; i++) {
        double u = (double)i / EDGE;
        double px[4] = { u * w, w, (1.0 - u) * w, 0.0 }, py[4] = { 0.0, u * h, h, (1.0 - u) * h };
        for (int k = 0; k < 4; k++) {
            x[k * EDGE + i] = px[k];
            y[k * EDGE + i] = py[k];
        }
    }
    x[N - 1] = 0.5 * w;
    y[N - 1] = 0.5 * h;
    ty_status status = tyi_io_raster_place(raster, N, x, y, lat, lon, diag);
    double centre = lon[N - 1], west = 0.0, east = 0.0;
    info->lat_min = info->lat_max = lat[N - 1];
    for (int i = 0; i < N - 1; i++) {
        if (isfinite(lat[i])) {
            info->lat_min = fmin(info->lat_min, lat[i]);
            info->lat_max = fmax(info->lat_max, lat[i]);
            west = fmin(west, turn(lon[i] - centre));
            east = fmax(east, turn(lon[i] - centre));
        }
    }
    if (raster->geo.cylindrical) {
        double half = fmin(0.5 * w / fabs(raster->geo.kx), TY_PI);
        west = -half;
        east = half;
    }
    for (int k = 0; k < 2 && status == TY_OK && !raster->geo.cylindrical; k++) {
        double la = k ? 0.5 * TY_PI : -0.5 * TY_PI, lo = 0.0, px, py;
        status = tyi_io_raster_pixel(raster, 1, &la, &lo, &px, &py, diag);
        if (px >= 0.0 && px <= w && py >= 0.0 && py <= h) {
            *(k ? &info->lat_max : &info->lat_min) = la;
            west = -TY_PI;
            east = TY_PI;
        }
    }
    double slack = 2.0 * info->spacing / TY_MOON_RADIUS;
    if (status == TY_OK && (info->lat_max > 0.5 * TY_PI + slack || info->lat_min < -0.5 * TY_PI - slack)) {
        status =
            ty_fail(diag, TY_ERR_FORMAT, "%s: its georeference reaches latitude %.4g deg, past the pole of the Moon",
                    raster->path, (info->lat_max > 0.5 * TY_PI + slack ? info->lat_max : info->lat_min) / TY_DEG);
    }
    info->lat_min = fmax(info->lat_min, -0.5 * TY_PI);
    info->lat_max = fmin(info->lat_max, 0.5 * TY_PI);
    info->lon_min =
        east - west >= 2.0 * TY_PI ? (raster->info.wraps ? turn(centre + west) : -TY_PI) : turn(centre + west);
    info->lon_max = info->lon_min + (east - west);
    return status;
}

ty_status tyi_io_georef_init(tyi_io_raster *raster, const tyi_io_raster_def *def, ty_diag *diag)
{
    tyi_io_georef *geo = &raster->geo;
    geo->srs = OSRNewSpatialReference(NULL);
    geo->half_width = 0.5 * raster->info.width;
    geo->half_height = 0.5 * raster->info.height;
    if (!place_by_def(raster, def)) {
        ty_status status = place_by_file(raster, diag);
        if (status != TY_OK) {
            return status;
        }
    }
    bool finite = true;
    for (int i = 0; i < 6; i++) {
        finite = finite && isfinite(geo->gt[i]);
    }
    if (!finite || !GDALInvGeoTransform(geo->gt, geo->inverse)) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s: its pixel size is zero or not a number", raster->path);
    }
    OGRSpatialReferenceH place = OSRNewSpatialReference(NULL);
    set_moon(place);
    geo->first.to_map = OCTNewCoordinateTransformation(place, geo->srs);
    geo->first.to_place = OCTNewCoordinateTransformation(geo->srs, place);
    OSRDestroySpatialReference(place);
    const char *name = OSRGetName(geo->srs);
    snprintf(raster->info.crs, sizeof raster->info.crs, "%s", name ? name : "unnamed");
    if (!geo->first.to_map || !geo->first.to_place) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s: its map projection (%s) cannot be turned to latitude and longitude",
                       raster->path, raster->info.crs);
    }
    find_cylinder(raster);
    ty_status status = set_spacing(raster, diag);
    return status == TY_OK ? set_cover(raster, diag) : status;
}

void tyi_io_georef_free(tyi_io_georef *geo)
{
    while (geo->idles > 0) {
        destroy(&geo->idle[--geo->idles]);
    }
    destroy(&geo->first);
    if (geo->srs) {
        OSRDestroySpatialReference(geo->srs);
    }
}
