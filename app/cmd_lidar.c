/* app/cmd_lidar.c - `tycho lidar`: one scan at a place of a scenario, as a file and a picture.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "app.h"
#include "terrain.h"
#include "terrain_site.h"
#include "tycho/tools/cloud_file.h"
#include "tycho/stage.h"
#include "sensor/inner.h"
#include "lidar.h"

typedef struct lidar_job {
    app_site site;
    ty_stage *stage; /* ground and objects of the scenario */
    ty_scene *scene; /* of the stage */
    ty_lidar_file file;
    ty_lidar *lidar;
    double at[3];       /* [m] x, y, height above the ground */
    double look[3];     /* [rad] azimuth, elevation, roll of S's x axis */
    double speed, turn; /* [m/s] along the heading, [rad/s] to the left */
    bool world, raw, ascii, quiet;
    ty_cloud_color color;
    double threads, detail, seed;
    const char *path, *picture, *photons;
    double beam[2]; /* column and row of the image, for --photons; below 0: the middle */
    ty_keyframe key[65];
} lidar_job;

/* x forward, y left, z up; azimuth clockwise from north */
static ty_quat heading(double azimuth, double elevation, double roll)
{
    ty_quat yaw = ty_quat_axis(ty_vec3_make(0, 0, 1), 0.5 * TY_PI - azimuth),
            pitch = ty_quat_axis(ty_vec3_make(0, 1, 0), -elevation), bank = ty_quat_axis(ty_vec3_make(1, 0, 0), roll);
    return ty_quat_mul(yaw, ty_quat_mul(pitch, bank));
}

/* keyframes over the scan: along the heading at a steady speed, turning steadily */
static ty_track drive(lidar_job *job, double z)
{
    double window = ty_lidar_window(job->lidar);
    int n = job->speed != 0.0 || job->turn != 0.0 ? 65 : 1;
    ty_vec3 p = ty_vec3_make(job->at[0], job->at[1], z + job->at[2]);
    double dt = n > 1 ? window / (n - 1) : 0.0;
    for (int k = 0; k < n; k++) {
        double azimuth = job->look[0] - job->turn * dt * k;
        job->key[k] = (ty_keyframe){ ty_time_from(dt * k), { p, heading(azimuth, job->look[1], job->look[2]) } };
        double middle = azimuth - 0.5 * job->turn * dt;
        p = ty_add(p, ty_scale(job->speed * dt, ty_vec3_make(sin(middle), cos(middle), 0.0)));
    }
    return (ty_track){ job->key, (size_t)n };
}

static ty_status make_scene(lidar_job *job, ty_diag *diag)
{
    ty_scene_def def = ty_scene_def_default();
    def.ring_cells = ((int)job->detail + 128) / 256 * 256;
    def.far = fmax(1.5 * job->file.def.far, 100.0);
    def.bands = job->file.def.band + 1;
    ty_status status = ty_stage_create(app_site_scenario(&job->site), job->site.terrain, &def, &job->stage, diag);
    job->scene = status == TY_OK ? ty_stage_scene(job->stage) : NULL;
    /* the ground as bright as it is at the laser's wavelength */
    ty_band laser = { job->file.def.wavelength - 1e-9, job->file.def.wavelength + 1e-9 };
    return status == TY_OK && !job->file.def.band ? ty_scene_set_bands(job->scene, &laser, 1, diag) : status;
}

static ty_status write_out(lidar_job *job, const ty_buffer *points, ty_diag *diag)
{
    ty_status status = ty_cloud_write(job->path, job->ascii ? TY_CLOUD_PCD_ASCII : TY_CLOUD_BY_ENDING, points, diag);
    if (status == TY_OK && job->picture) {
        status = ty_cloud_draw(job->picture, points, job->color, job->file.title, diag);
    }
    if (status == TY_OK && !job->quiet) {
        printf("%s: %zu points%s%s\n", job->path, ty_cloud_count(points), job->picture ? "; picture: " : "",
               job->picture ? job->picture : "");
    }
    return status;
}

static ty_status photons(lidar_job *job, const ty_track *track, const ty_buffer *points, ty_diag *diag)
{
    ty_lidar_rays rays; /* aimed again as they were: the hits of the scan still stand beside them */
    int returns = job->file.def.mode == TY_LIDAR_DUAL ? 2 : 1, columns = points->type.width,
        rows = points->type.height / returns;
    double column = job->beam[0] < 0.0 ? columns / 2 : job->beam[0], row = job->beam[1] < 0.0 ? rows / 2 : job->beam[1];
    if (!(column < columns && row < rows)) {
        return ty_fail(diag, TY_ERR_INPUT, "--beam is %g,%g, but the lidar has columns 0 to %d and rows 0 to %d",
                       column, row, columns - 1, rows - 1);
    }
    ty_status status = ty_lidar_aim(job->lidar, track, 0, &rays, diag);
    return status == TY_OK ? lidar_photons(job->photons, job->lidar, &rays, (int)column, (int)row, diag) : status;
}

static ty_status scan(lidar_job *job, ty_diag *diag)
{
    job->file.def.threads = (int)job->threads;
    job->file.def.seed = (uint64_t)job->seed;
    double z = 0.0;
    ty_status status = ty_lidar_create(&job->file.def, &job->lidar, diag);
    status = status == TY_OK ? make_scene(job, diag) : status;
    status =
        status == TY_OK ? ty_terrain_sample(job->site.terrain, 0, 1, &job->at[0], &job->at[1], &z, NULL, diag) : status;
    if (status != TY_OK) {
        return status;
    }
    ty_track track = drive(job, z);
    ty_cloud_frame_def frame = { .pose = { { 0, 0, 0 }, ty_quat_identity() }, .to = job->world ? 'W' : 'S' };
    if (job->world) {
        frame.track = job->raw ? (ty_track){ track.key, 1 } : track;
    } else if (!job->raw && track.count > 1) { /* where the sensor was when the scan began */
        frame.track = track;
        frame.pose = ty_pose_inverse(track.key[0].pose);
    }
    if (frame.track.count) {
        ty_filter filter = ty_cloud_frame(&frame);
        status = ty_pipeline_insert(ty_lidar_pipeline(job->lidar), -1, &filter, diag);
    }
    const ty_buffer *points = NULL;
    status = status == TY_OK ? ty_lidar_scan(job->lidar, job->scene, &track, 0, 0, &points, diag) : status;
    status = status == TY_OK ? write_out(job, points, diag) : status;
    return status == TY_OK && job->photons ? photons(job, &track, points, diag) : status;
}

/* a file, or the name of one of Tycho's own: here, beside the program's folder, or where both are installed */
static void find_model(const char *model, char *path, size_t size)
{
    static const char *const places[] = { "%s/../models/sensors/lidar_%s.yaml",
                                          "%s/../share/tycho/models/sensors/lidar_%s.yaml" };
    char program[4096];
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    program[n > 0 ? n : 0] = 0;
    char *slash = strrchr(program, '/');
    if (slash) {
        *slash = 0;
    }
    bool file = strchr(model, '/') || strchr(model, '.');
    snprintf(path, size, file ? "%s" : "models/sensors/lidar_%s.yaml", model);
    for (size_t k = 0; k < 2 && !file && slash && access(path, F_OK); k++) {
        snprintf(path, size, places[k], program, model);
        if (access(path, F_OK) && k == 1) {
            snprintf(path, size, "models/sensors/lidar_%s.yaml", model);
        }
    }
}

static void take_model(lidar_job *job, int *argc, char **argv, ty_diag *diag)
{
    const char *model = app_option(argc, argv, "--model"), *value;
    const char *settings[64];
    size_t count = 0;
    while (count < 64 && (value = app_option(argc, argv, "--key"))) {
        settings[count++] = value;
    }
    char path[4600];
    find_model(model ? model : "vlp_16", path, sizeof path);
    if (diag->status == TY_OK) {
        ty_lidar_load(path, settings, count, &job->file, diag);
        if (!strncmp(diag->text, "--set ", 6)) { /* as the option is called here */
            memcpy(diag->text, "--key ", 6);
        }
    }
}

static void take_numbers(int *argc, char **argv, const char *name, int count, const char *example, double *values,
                         ty_diag *diag)
{
    const char *text = app_option(argc, argv, name);
    if (text && !app_numbers(text, count, values)) {
        ty_fail(diag, TY_ERR_INPUT, "%s takes %d numbers, as %s, not '%s'", name, count, example, text);
    }
}

static void take_options(lidar_job *job, int *argc, char **argv, ty_diag *diag)
{
    double look[3] = { 0.0, 0.0, 0.0 }, turn = 0.0;
    const char *out = app_option(argc, argv, "-o"), *color = app_option(argc, argv, "--color");
    job->path = out ? out : "scan.pcd";
    job->picture = app_option(argc, argv, "--picture");
    job->photons = app_option(argc, argv, "--photons");
    take_numbers(argc, argv, "--beam", 2, "542,20", job->beam, diag);
    job->quiet = app_flag(argc, argv, "--quiet");
    job->world = app_flag(argc, argv, "--world");
    job->raw = app_flag(argc, argv, "--raw");
    job->ascii = app_flag(argc, argv, "--ascii");
    take_numbers(argc, argv, "--at", 3, "0,0,1.8", job->at, diag);
    take_numbers(argc, argv, "--look", 3, "90,0,0", look, diag);
    app_take_number(argc, argv, "--speed", -1000.0, 1000.0, &job->speed, diag);
    app_take_number(argc, argv, "--turn", -1000.0, 1000.0, &turn, diag);
    app_take_number(argc, argv, "--detail", 256.0, 8192.0, &job->detail, diag);
    app_take_number(argc, argv, "--threads", 0.0, 1024.0, &job->threads, diag);
    app_take_number(argc, argv, "--seed", 0.0, 9e15, &job->seed, diag);
    for (int k = 0; k < 3; k++) {
        job->look[k] = look[k] * TY_DEG;
    }
    job->turn = turn * TY_DEG;
    if (color && strcmp(color, "height") && strcmp(color, "intensity")) {
        ty_fail(diag, TY_ERR_INPUT, "--color takes height or intensity, not '%s'", color);
    }
    job->color = color && !strcmp(color, "intensity") ? TY_CLOUD_INTENSITY : TY_CLOUD_HEIGHT;
    const char *dot = strrchr(job->path, '.');
    if (!dot || (strcmp(dot, ".pcd") && strcmp(dot, ".ply") && strcmp(dot, ".csv"))) {
        ty_fail(diag, TY_ERR_INPUT, "-o takes a name that ends in .pcd, .ply or .csv, not '%s'", job->path);
    } else if (job->ascii && strcmp(dot, ".pcd")) {
        ty_fail(diag, TY_ERR_INPUT, "--ascii is for .pcd files, but -o is '%s'", job->path);
    }
}

static int run(int argc, char **argv)
{
    ty_diag diag = { 0 };
    lidar_job job = { .at = { 0.0, 0.0, 1.8 }, .beam = { -1.0, -1.0 }, .detail = 1024.0, .seed = 1.0 };
    if (app_flag(&argc, argv, "--keys")) {
        return tyi_sensor_lidar_reference(stdout, &diag) == TY_OK ? APP_OK : app_bad("lidar", "%s.", diag.text);
    }
    take_options(&job, &argc, argv, &diag);
    take_model(&job, &argc, argv, &diag);
    if (diag.status == TY_OK && app_site_open(&job.site, &argc, argv, &diag) == TY_OK &&
        app_rest(argc, argv, 0, &diag) == TY_OK && app_site_output(&job.site, job.path, &diag) == TY_OK) {
        scan(&job, &diag);
    }
    ty_lidar_destroy(job.lidar);
    ty_lidar_file_free(&job.file);
    ty_stage_destroy(job.stage);
    app_site_close(&job.site);
    return diag.status == TY_OK ? APP_OK : app_bad("lidar", "%s.", diag.text);
}

const app_command app_cmd_lidar = {
    "lidar",
    "one scan of a lidar, as a point cloud and a picture",
    "usage: tycho lidar SCENARIO|RASTER [options] -o OUT.pcd|OUT.ply|OUT.csv\n\n"
    "  --model M           vlp_16 (default), hdl_32e, vlp_32c, flash_landing, or a model file of your own\n"
    "  --key KEY=VALUE     changes a key of the model file, as --key mode=dual; may be repeated; --keys lists them all\n"
    "  --at X,Y,H          where it stands: metres east and north of the site's origin, metres above the ground; 0,0,1.8\n"
    "  --look AZ,EL,ROLL   where its x axis points: azimuth clockwise from north, elevation, roll [deg]; 0,0,0\n"
    "  --speed V --turn R  it drives along --look while it scans [m/s], turning to the left [deg/s]; 0\n"
    "  --raw               points as measured; otherwise the motion during the scan is taken out\n"
    "  --world             points in the site's frame W (east, north, up); otherwise in the sensor's (forward, left, up)\n"
    "  --ascii             a .pcd file as text\n"
    "  --picture P.png     also a picture, from above and from behind\n"
    "  --color C           height (default) or intensity\n"
    "  --photons H.png|H.csv    histogram of the photons that a SPAD would count in one beam\n"
    "  --beam C,R          that beam: column and row of the scan's image, from 0; the middle\n"
    "  --detail N          cells of ground along each ring around the lidar, 256 to 8192; 1024\n"
    "  --seed N --threads N --set KEY=VALUE (of the scenario) --quiet\n\n"
    "example: tycho lidar scenarios/south_pole.yaml --model hdl_32e --picture scan.png -o scan.pcd\n",
    run,
};
