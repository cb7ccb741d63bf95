/* app/terrain_map.c - `tycho terrain map`: pictures of a site seen from above.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "terrain.h"
#include "terrain_site.h"
#include "tycho/tools/draw.h"

static const char *const kinds[] = { "height", "hillshade", "slope", "rocks", "craters", "light", NULL };
enum { HEIGHT, HILLSHADE, SLOPE, ROCKS, CRATERS, LIGHT };

typedef struct map_job {
    app_site site;
    int kind;
    double size;               /* [m] */
    double cx, cy;             /* [m] middle */
    int n;                     /* cells a side */
    int width;                 /* [px] of the picture */
    double azimuth, elevation; /* [rad] of the Sun in hillshades */
    double far;                /* [m] light: farthest relief */
    ty_sunlight_def light;
    const char *out;
    bool quiet;
    ty_terrain_patch *patch;
    float *value, *shade; /* n * n */
    ty_crater *craters;
    ty_rock *rocks;
    size_t count; /* of the one that is drawn */
    double *x, *y, *radius;
} map_job;

static double cell(const map_job *job)
{
    return job->size / job->n;
}

/* ground and rocks seen from straight above, lit by the Sun's centre, with the shadows that they cast; under colours
 * softer */
static ty_status shade(map_job *job, ty_diag *diag)
{
    ty_vec3 sun = ty_vec3_make(cos(job->elevation) * sin(job->azimuth), cos(job->elevation) * cos(job->azimuth),
                               sin(job->elevation));
    ty_ray *rays = malloc((size_t)job->n * sizeof *rays);
    ty_terrain_hit *hits = malloc((size_t)job->n * sizeof *hits), *dark = malloc((size_t)job->n * sizeof *dark);
    if (!rays || !hits || !dark) {
        free(rays), free(hits), free(dark);
        return ty_fail(diag, TY_ERR_MEMORY, "no memory for a row of the map");
    }
    app_progress progress;
    app_progress_start(&progress, job->quiet);
    ty_progress hook = app_progress_hook(&progress);
    for (int j = 0; j < job->n; j++) {
        for (int i = 0; i < job->n; i++) {
            double x = job->cx - 0.5 * job->size + (i + 0.5) * cell(job),
                   y = job->cy - 0.5 * job->size + (j + 0.5) * cell(job);
            rays[i] = (ty_ray){ ty_vec3_make(x, y, 1e5), { 0.0, 0.0, -1.0 }, 0.0, 1e6 };
        }
        ty_terrain_patch_rays(job->patch, (size_t)job->n, rays, hits);
        for (int i = 0; i < job->n; i++) { /* from just above the surface towards the Sun */
            ty_vec3 p = ty_add(rays[i].origin, ty_scale(isfinite(hits[i].t) ? hits[i].t : 0.0, rays[i].direction));
            rays[i] = (ty_ray){ ty_add(p, ty_scale(1e-3 * cell(job) + 1e-4, hits[i].normal)), sun, 0.0, 1e6 };
        }
        bool shadows = job->kind != HEIGHT && job->kind != SLOPE; /* they would hide what these maps show */
        if (shadows) {
            ty_terrain_patch_rays(job->patch, (size_t)job->n, rays, dark);
        }
        for (int i = 0; i < job->n; i++) {
            double c = fmax(0.0, ty_dot(sun, hits[i].normal));
            c = !shadows ? 0.3 + 0.7 * c : isfinite(dark[i].t) ? 0.0 : c;
            job->shade[(size_t)j * (size_t)job->n + (size_t)i] = (float)pow(c, 1.0 / 2.2);
        }
        hook.report(hook.user, "rows", j + 1, job->n);
    }
    app_progress_end(&progress);
    free(rays), free(hits), free(dark);
    return TY_OK;
}

static void measure(map_job *job)
{
    for (int j = 0; j < job->n; j++) {
        for (int i = 0; i < job->n; i++) {
            double x = job->cx - 0.5 * job->size + (i + 0.5) * cell(job),
                   y = job->cy - 0.5 * job->size + (j + 0.5) * cell(job);
            ty_terrain_ground g;
            ty_terrain_patch_sample(job->patch, 1, &x, &y, &g);
            float slope = (float)(atan(hypot((double)g.dzdx, (double)g.dzdy)) / TY_DEG);
            job->value[(size_t)j * (size_t)job->n + (size_t)i] = job->kind == SLOPE ? slope : (float)g.z;
        }
    }
}

static ty_status prepare(map_job *job, ty_diag *diag)
{
    ty_terrain *t = job->site.terrain;
    size_t cells = (size_t)job->n * (size_t)job->n;
    job->value = calloc(cells, sizeof *job->value);
    job->shade = calloc(cells, sizeof *job->shade);
    if (!job->value || !job->shade) {
        return ty_fail(diag, TY_ERR_MEMORY, "no memory for a map of %d x %d cells", job->n, job->n);
    }
    int level = ty_terrain_level(t, cell(job));
    double d = ty_terrain_spacing(t, level);
    /* a margin on the Sun's side is cast into the map: as long as relief of a tenth of the size throws shadows */
    double margin = 4.0 * d + fmin(0.25, 0.02 / tan(job->elevation)) * job->size;
    int32_t i0 = (int32_t)floor((job->cx - 0.5 * job->size - margin) / d),
            j0 = (int32_t)floor((job->cy - 0.5 * job->size - margin) / d);
    int32_t side = (int32_t)ceil((job->size + 2.0 * margin) / d) + 1;
    ty_status status = ty_terrain_patch_create(t, level, i0, j0, side, side, 0, &job->patch, diag);
    if (status == TY_OK && job->kind != HEIGHT && job->kind != SLOPE) { /* rocks that are at least a cell wide */
        status = ty_terrain_patch_add_rocks(job->patch, cell(job), diag);
    }
    return status;
}

/* the catalogue of craters or rocks in the map, as circles */
static ty_status list(map_job *job, ty_diag *diag)
{
    ty_terrain *t = job->site.terrain;
    double half = 0.5 * job->size, smallest = 6.0 * cell(job);
    ty_rect rect = { job->cx - half, job->cy - half, job->cx + half, job->cy + half };
    bool rocks = job->kind == ROCKS;
    job->count = rocks ? ty_terrain_rocks(t, rect, smallest, INFINITY, NULL, 0)
                       : ty_terrain_craters(t, rect, smallest, INFINITY, NULL, 0);
    job->rocks = calloc(job->count + 1, sizeof *job->rocks);
    job->craters = calloc(job->count + 1, sizeof *job->craters);
    job->x = calloc(job->count + 1, sizeof *job->x);
    job->y = calloc(job->count + 1, sizeof *job->y);
    job->radius = calloc(job->count + 1, sizeof *job->radius);
    if (!job->rocks || !job->craters || !job->x || !job->y || !job->radius) {
        return ty_fail(diag, TY_ERR_MEMORY, "no memory for %zu features", job->count);
    }
    if (rocks) {
        ty_terrain_rocks(t, rect, smallest, INFINITY, job->rocks, job->count);
    } else {
        ty_terrain_craters(t, rect, smallest, INFINITY, job->craters, job->count);
    }
    for (size_t k = 0; k < job->count; k++) {
        job->x[k] = rocks ? job->rocks[k].x : job->craters[k].x;
        job->y[k] = rocks ? job->rocks[k].y : job->craters[k].y;
        job->radius[k] = 0.5 * (rocks ? job->rocks[k].diameter : job->craters[k].diameter);
    }
    return TY_OK;
}

static ty_status light(map_job *job, ty_diag *diag)
{
    ty_sunlight_def def = job->light;
    def.nx = def.ny = job->n;
    def.spacing = cell(job);
    def.x0 = job->cx - 0.5 * job->size + 0.5 * def.spacing;
    def.y0 = job->cy - 0.5 * job->size + 0.5 * def.spacing;
    app_progress progress;
    app_progress_start(&progress, job->quiet);
    ty_progress hook = app_progress_hook(&progress);
    ty_status status = ty_sunlight_map(job->site.terrain, &def, &hook, job->value, diag);
    app_progress_end(&progress);
    double sum = 0.0;
    for (size_t k = 0; k < (size_t)job->n * (size_t)job->n; k++) {
        job->value[k] *= 100.0f;
        sum += (double)job->value[k];
    }
    if (status == TY_OK) {
        printf("mean %.1f %% of the time in sunlight\n", sum / ((double)job->n * job->n));
    }
    return status;
}

static ty_status draw(const map_job *job, ty_diag *diag)
{
    char title[160], note[240], start[TY_UTC_TEXT];
    static const char *const names[] = { "Height", "Relief", "Slope", "Rocks", "Craters", "Sunlight" };
    snprintf(title, sizeof title, "%s: %s", job->site.name, names[job->kind]);
    snprintf(note, sizeof note, "%.4g m cells; Sun from %.0f deg, %.1f deg high", cell(job), job->azimuth / TY_DEG,
             job->elevation / TY_DEG);
    ty_draw_map map = ty_draw_map_default();
    map.font *= (double)job->width / map.size;
    map.size = job->width;
    ty_draw_layer gray = ty_draw_layer_default(), color = ty_draw_layer_default();
    gray.nx = gray.ny = color.nx = color.ny = job->n;
    gray.value = job->shade, gray.low = 0.0, gray.high = 1.0;
    color.value = job->value;
    map.title = title, map.note = note;
    map.x0 = job->cx - 0.5 * job->size, map.x1 = map.x0 + job->size;
    map.y0 = job->cy - 0.5 * job->size, map.y1 = map.y0 + job->size;
    ty_vec3 middle = ty_vec3_make(job->cx, job->cy, 0.0);
    double unused;
    ty_site_geodetic(ty_terrain_site(job->site.terrain), middle, &map.lat, &map.lon, &unused);
    map.layers = 1;
    map.layer[0] = gray;
    ty_draw_overlay circles = { .kind = TY_OVERLAY_CIRCLES,
                                .n = job->count,
                                .x = job->x,
                                .y = job->y,
                                .radius = job->radius,
                                .size = 1.0,
                                .label = job->kind == ROCKS ? "rocks" : "crater rims" };
    switch (job->kind) {
    case HEIGHT:
        color.cmap = TY_CMAP_TERRAIN, color.legend = "height above the tangent plane [m]";
        break;
    case SLOPE:
        color.cmap = TY_CMAP_VIRIDIS, color.legend = "slope [deg]", color.low = 0.0, color.high = 35.0;
        break;
    case LIGHT:
        color.cmap = TY_CMAP_LIGHT, color.legend = "time in sunlight [%]", color.low = 0.0, color.high = 100.0;
        snprintf(note, sizeof note, "from %s over %.1f days; %.4g m cells", ty_utc_format(job->light.start, 0, start),
                 ty_seconds(job->light.step) * job->light.steps / 86400.0, cell(job));
        break;
    default:
        map.overlay = &circles;
        map.overlays = job->kind == HILLSHADE ? 0 : 1;
        break;
    }
    if (job->kind == HEIGHT || job->kind == SLOPE) {
        snprintf(note, sizeof note, "%.4g m cells", cell(job));
        gray.multiply = true;
        map.layer[0] = color;
        map.layer[1] = gray;
        map.layers = 2;
    } else if (job->kind == LIGHT) {
        map.layer[0] = color;
    }
    return ty_draw_write_map(job->out, &map, diag);
}

static void make_map(map_job *job, ty_diag *diag)
{
    ty_status status = TY_OK;
    if (job->kind == LIGHT) {
        job->value = calloc((size_t)job->n * (size_t)job->n, sizeof *job->value);
        status = job->value ? light(job, diag) : ty_fail(diag, TY_ERR_MEMORY, "no memory for the map");
    } else {
        status = prepare(job, diag);
        if (status == TY_OK) {
            measure(job);
            status = shade(job, diag);
        }
        if (status == TY_OK && (job->kind == ROCKS || job->kind == CRATERS)) {
            status = list(job, diag);
        }
    }
    if (status == TY_OK && draw(job, diag) == TY_OK) {
        printf("%s\n", job->out);
    }
    ty_terrain_patch_destroy(job->patch);
    free(job->value), free(job->shade), free(job->rocks), free(job->craters), free(job->x), free(job->y),
        free(job->radius);
}

static ty_status take_sun(map_job *job, int *argc, char **argv, ty_diag *diag)
{
    const char *text = app_option(argc, argv, "--sun");
    double v[2];
    if (text && (!app_numbers(text, 2, v) || v[1] < 0.5 || v[1] > 90.0)) {
        return ty_fail(
            diag, TY_ERR_INPUT,
            "--sun takes azimuth and elevation in degrees, as 315,20, the elevation from 0.5 to 90, not '%s'", text);
    }
    if (text) {
        job->azimuth = v[0] * TY_DEG;
        job->elevation = v[1] * TY_DEG;
    }
    return TY_OK;
}

static ty_status take_kind(map_job *job, int *argc, char **argv, ty_diag *diag)
{
    const char *text = app_option(argc, argv, "--kind");
    job->kind = HILLSHADE;
    if (text) {
        for (job->kind = 0; kinds[job->kind] && strcmp(kinds[job->kind], text); job->kind++) {
        }
        if (!kinds[job->kind]) {
            return ty_fail(diag, TY_ERR_INPUT,
                           "--kind takes height, hillshade, slope, rocks, craters or light, not '%s'", text);
        }
    }
    return TY_OK;
}

static ty_status take_utc(const char *option, const char *text, ty_utc *out, ty_diag *diag)
{
    ty_diag why = { 0 };
    return ty_utc_parse(text, out, &why) == TY_OK ? TY_OK : ty_fail(diag, TY_ERR_INPUT, "%s: %s", option, why.text);
}

static ty_status take_time(map_job *job, int *argc, char **argv, ty_diag *diag)
{
    const char *from = app_option(argc, argv, "--from"), *to = app_option(argc, argv, "--to");
    double hours = 2.0;
    ty_status status = app_take_number(argc, argv, "--step", 0.01, 1000.0, &hours, diag);
    job->light = ty_sunlight_def_default();
    job->light.start = job->site.start;
    job->light.step = ty_time_from(3600.0 * hours);
    job->light.far = job->far;
    if (status == TY_OK && from) {
        status = take_utc("--from", from, &job->light.start, diag);
    }
    /* one lunar day: the mean synodic month */
    ty_utc end = ty_utc_add(job->light.start, ty_time_from(29.530589 * 86400.0));
    if (status == TY_OK && to) {
        status = take_utc("--to", to, &end, diag);
    }
    double steps = (double)ty_utc_since(end, job->light.start) / (double)job->light.step;
    if (status == TY_OK && to && steps <= 0.0) {
        return ty_fail(diag, TY_ERR_INPUT, "--to %s is not after the start of the time, %s", to,
                       from ? from : "that of the scenario");
    }
    if (status == TY_OK && !(steps >= 1.0 && steps < 1e6)) {
        return ty_fail(diag, TY_ERR_INPUT, "--from, --to and --step make %.3g steps; 1 to 1000000 are accepted", steps);
    }
    job->light.steps = (int)steps;
    return status;
}

/* before the work: what would stop the picture from being written */
static ty_status check_output(const map_job *job, ty_diag *diag)
{
    const char *dot = strrchr(job->out, '.');
    if (!dot || (strcmp(dot, ".png") && strcmp(dot, ".svg"))) {
        struct stat st;
        bool folder = stat(job->out, &st) == 0 && S_ISDIR(st.st_mode);
        return ty_fail(diag, TY_ERR_INPUT,
                       folder ? "%s is a folder; the output must be a file that ends in .png or .svg"
                              : "%s: a picture's name must end in .png or .svg",
                       job->out);
    }
    return app_site_output(&job->site, job->out, diag);
}

static int run(int argc, char **argv)
{
    map_job job = { .azimuth = 315.0 * TY_DEG, .elevation = 25.0 * TY_DEG, .out = "map.png", .far = 250e3 };
    ty_diag diag = { 0 };
    double pixels = 1000.0, width = 1200.0, size = NAN, far_km = 250.0, middle[2] = { 0.0, 0.0 };
    signal(SIGXFSZ, SIG_IGN); /* a limit on file size is then a full disk: a sentence, not a crash */
    job.quiet = app_flag(&argc, argv, "--quiet");
    const char *out = app_option(&argc, argv, "-o"), *center = app_option(&argc, argv, "--center");
    job.out = out ? out : job.out;
    if (center && !app_numbers(center, 2, middle)) {
        ty_fail(&diag, TY_ERR_INPUT, "--center takes x,y in metres, as 100,-50, not '%s'", center);
    }
    job.cx = middle[0], job.cy = middle[1];
    take_kind(&job, &argc, argv, &diag);
    take_sun(&job, &argc, argv, &diag);
    app_take_number(&argc, argv, "--size", 0.1, 2e6, &size, &diag);
    app_take_number(&argc, argv, "--pixels", 16.0, 4096.0, &pixels, &diag);
    app_take_number(&argc, argv, "--width", 256.0, 4096.0, &width, &diag);
    app_take_number(&argc, argv, "--far", 0.001, 2000.0, &far_km, &diag);
    job.n = (int)pixels;
    job.width = (int)width;
    job.far = 1e3 * far_km;
    if (diag.status == TY_OK) {
        app_site_open(&job.site, &argc, argv, &diag);
    }
    if (diag.status == TY_OK && take_time(&job, &argc, argv, &diag) == TY_OK &&
        app_rest(argc, argv, 0, &diag) == TY_OK && check_output(&job, &diag) == TY_OK) {
        job.size = isnan(size) ? ty_terrain_get_def(job.site.terrain)->extent : size;
        make_map(&job, &diag);
    }
    app_site_close(&job.site);
    return diag.status == TY_OK ? APP_OK : app_bad("terrain map", "%s.", diag.text);
}

const app_command app_terrain_map = {
    "map",
    "draw a site from above: height, hillshade, slope, rocks, craters or light",
    "usage: tycho terrain map SCENARIO|RASTER [options] -o OUT.png\n\n"
    "  --kind K            height, hillshade (default), slope, rocks, craters, light\n"
    "  --size M            side of the map [m]; default the whole site\n"
    "  --center X,Y        middle of the map [m] east and north of the site's origin\n"
    "  --pixels N          cells a side, 16 to 4096; default 1000\n"
    "  --width N           longer side of the picture [px], 256 to 4096; default 1200\n"
    "  --sun AZ,EL         direction of the light in hillshades [deg]; default 315,25\n"
    "  --from UTC --to UTC --step H    light: the time it is averaged over; default one lunar day from the\n"
    "                      scenario's start in steps of 2 h\n"
    "  --far KM            light: relief beyond this is not seen; default 250\n"
    "  --set a.b=c         change a key of the scenario\n"
    "  --quiet             no progress line\n\n"
    "`light` is the share of the time in which the Sun shines, with the skyline of all relief out to --far on\n"
    "the curved Moon and the Sun as a disk.\n\n"
    "example: tycho terrain map scenarios/south_pole.yaml --kind hillshade --size 200 -o relief.png\n",
    run,
};
