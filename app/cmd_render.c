/* app/cmd_render.c - `tycho render`: one frame of a scenario.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "app.h"
#include "render.h"
#include "draw/overlay.h"
#include "terrain.h"

static ty_status take_numbers(int *argc, char **argv, const char *name, int count, const char *example, double *values,
                              ty_diag *diag)
{
    const char *text = app_option(argc, argv, name);
    if (text && !app_numbers(text, count, values)) {
        return ty_fail(diag, TY_ERR_INPUT, "%s takes %d numbers, as %s, not '%s'", name, count, example, text);
    }
    return TY_OK;
}

static ty_status take_size(render_job *job, int *argc, char **argv, ty_diag *diag)
{
    const char *text = app_option(argc, argv, "--size");
    int used = 0;
    if (text &&
        (sscanf(text, "%dx%d%n", &job->camera.width, &job->camera.height, &used) != 2 || text[used] ||
         job->camera.width < 1 || job->camera.height < 1 || job->camera.width > 16384 || job->camera.height > 16384)) {
        return ty_fail(diag, TY_ERR_INPUT, "--size takes WIDTHxHEIGHT in pixels, 1 to 16384, as 640x480, not '%s'",
                       text);
    }
    return TY_OK;
}

/* The physical camera, when an exposure is given. Focal length and pitch agree with the field of view. */
static void take_sensor(render_job *job, int *argc, char **argv, ty_diag *diag)
{
    ty_camera_sensor_def *d = &job->sensor;
    const char *text = app_option(argc, argv, "--exposure");
    *d = ty_camera_sensor_def_default();
    job->physical = text != NULL;
    job->auto_exposure = text && !strcmp(text, "auto");
    if (text && !job->auto_exposure &&
        (!app_number(text, &d->exposure) || !(d->exposure > 0.0 && d->exposure <= 1e4))) {
        ty_fail(diag, TY_ERR_INPUT, "--exposure takes auto or seconds, up to 10000, not '%s'", text);
    }
    app_take_number(argc, argv, "--f-number", 0.5, 100.0, &d->f_number, diag);
    app_take_number(argc, argv, "--focus", 0.1, 1e9, &d->focus, diag);
    app_take_number(argc, argv, "--iso", 0.01, 1e4, &d->iso, diag);
    d->width = job->camera.width;
    d->height = job->camera.height;
    d->focal = fmin(0.5 * job->camera.width * d->pixel / tan(0.5 * fmin(job->camera.hfov, 2.5)), 0.5 * d->focus);
    d->on[TY_CAMERA_DEFOCUS] = true;
    d->on[TY_CAMERA_AUTO_EXPOSURE] = job->auto_exposure;
}

/* Sun and Earth at the time, or a Sun where --sun puts it */
static ty_status set_lights(render_job *job, ty_utc when, ty_diag *diag)
{
    ty_sky sky;
    ty_status status = ty_sky_at(when, &sky, diag);
    if (status != TY_OK) {
        return status;
    }
    ty_sky_view view = ty_sky_view_at(&sky, ty_terrain_site(job->site.terrain));
    if (!isnan(job->sun[0])) {
        double a = job->sun[0], e = job->sun[1];
        view.sun.dir_W = ty_vec3_make(cos(e) * sin(a), cos(e) * cos(a), sin(e));
        view.sun.azimuth = a;
        view.sun.elevation = e;
    }
    char text[TY_UTC_TEXT];
    if (!job->quiet) {
        printf("%s: Sun at azimuth %.2f, elevation %.2f deg; Earth at %.2f, %.2f deg\n", ty_utc_format(when, 0, text),
               view.sun.azimuth / TY_DEG, view.sun.elevation / TY_DEG, view.earth.azimuth / TY_DEG,
               view.earth.elevation / TY_DEG);
    }
    ty_stage_now now = { .utc = when, .view = &view };
    ty_status set = ty_stage_update(job->stage, &now, diag);
    return set == TY_OK && job->banded ? ty_scene_set_bands(job->scene, job->band, job->bands, diag) : set;
}

static ty_status make_buffers(render_job *job, ty_diag *diag)
{
    size_t n = (size_t)job->camera.width * (size_t)job->camera.height;
    ty_render_buffers *b = &job->out;
    b->radiance = malloc(n * (size_t)job->bands * sizeof *b->radiance);
    bool ok = b->radiance;
    if (job->truth || job->physical) {
        b->depth = malloc(n * sizeof *b->depth);
        ok = ok && b->depth;
    }
    b->kind = malloc(n); /* white is chosen by the ground */
    ok = ok && b->kind;
    if (job->truth || job->overlay) {
        b->range = malloc(n * sizeof *b->range);
        b->instance = malloc(n * sizeof *b->instance);
        ok = ok && b->range && b->instance;
    }
    if (job->truth) {
        b->sunlit = malloc(n * sizeof *b->sunlit);
        b->normal = malloc(3 * n * sizeof *b->normal);
        b->albedo = malloc(n * sizeof *b->albedo);
        ok = ok && b->sunlit && b->normal && b->albedo;
    }
    return ok ? TY_OK
              : ty_fail(diag, TY_ERR_MEMORY, "no memory for an image of %d x %d pixels", job->camera.width,
                        job->camera.height);
}

static void free_buffers(ty_render_buffers *b)
{
    free(b->radiance), free(b->sunlit), free(b->depth), free(b->range), free(b->normal), free(b->albedo),
        free(b->instance), free(b->kind);
    *b = (ty_render_buffers){ 0 };
}

/* a rover's lamp: 0.3 m right of the camera, 25 deg wide, fading to 35 deg */
static ty_status add_lamp(render_job *job, ty_diag *diag)
{
    const ty_pose *pose = &job->camera.pose;
    ty_light lamp = { .kind = TY_LIGHT_SPOT,
                      .dir_W = ty_rotate(pose->q, ty_vec3_make(0, 0, 1)),
                      .place_W = ty_pose_point(*pose, ty_vec3_make(0.3, 0, 0)),
                      .inner = 25.0 * TY_DEG,
                      .outer = 35.0 * TY_DEG };
    for (int b = 0; b < TY_BANDS; b++) {
        lamp.power[b] = job->lamp;
    }
    return ty_scene_add_light(job->scene, &lamp, diag);
}

/* the scene of a scenario, and the camera on its ground */
static ty_status site_scene(render_job *job, ty_utc when, ty_diag *diag)
{
    ty_scene_def def = ty_scene_def_default();
    def.ring_cells = job->detail;
    def.rock_angle = fmin(2e-3, 1.5 * job->camera.hfov / job->camera.width);
    def.bands = job->bands;
    ty_status status = ty_stage_create(app_site_scenario(&job->site), job->site.terrain, &def, &job->stage, diag);
    if (status == TY_OK) {
        job->scene = ty_stage_scene(job->stage);
        status = set_lights(job, when, diag);
    }
    double z[2] = { 0.0, 0.0 }, x[2] = { job->eye[0], job->next_eye[0] }, y[2] = { job->eye[1], job->next_eye[1] };
    if (!isnan(job->from[0])) { /* azimuth and elevation are those of the place below */
        const ty_site *site = ty_terrain_site(job->site.terrain);
        ty_site below = ty_site_make(job->from[0], job->from[1], site->radius);
        job->camera.pose.p = ty_site_point(site, job->from[0], job->from[1], job->from[2]);
        job->camera.pose.q = ty_quat_mul(ty_quat_mul(ty_quat_conj(site->W_in_M.q), below.W_in_M.q), job->camera.pose.q);
        return status == TY_OK && job->lamp > 0.0 ? add_lamp(job, diag) : status;
    }
    if (status == TY_OK) {
        status = ty_terrain_sample(job->site.terrain, 0, job->has_next ? 2 : 1, x, y, z, NULL, diag);
    }
    job->camera.pose.p = ty_vec3_make(x[0], y[0], z[0] + job->eye[2]);
    job->next.pose.p = ty_vec3_make(x[1], y[1], z[1] + job->next_eye[2]);
    return status == TY_OK && job->lamp > 0.0 ? add_lamp(job, diag) : status;
}

/* --backend, --device: where frames are made */
static ty_status take_backend(render_job *job, int *argc, char **argv, ty_diag *diag)
{
    const char *backend = app_option(argc, argv, "--backend"), *name = app_option(argc, argv, "--device"),
               *memory = app_option(argc, argv, "--device-memory");
    double mib = 0.0;
    bool automatic = backend && !strcmp(backend, "auto");
    job->compare = app_flag(argc, argv, "--compare");
    if (job->compare && (!backend || strcmp(backend, "opencl") != 0)) {
        return ty_fail(diag, TY_ERR_INPUT, "--compare takes effect with --backend opencl");
    }
    if (backend && !automatic && strcmp(backend, "cpu") != 0 && strcmp(backend, "opencl") != 0) {
        return ty_fail(diag, TY_ERR_INPUT, "--backend takes cpu, auto or opencl, not '%s'", backend);
    }
    if ((name || memory) && (!backend || !strcmp(backend, "cpu"))) {
        return ty_fail(diag, TY_ERR_INPUT, "%s takes effect with --backend opencl or auto",
                       name ? "--device" : "--device-memory");
    }
    if (memory && (!app_number(memory, &mib) || !(mib >= 1.0 && mib <= 1e7))) {
        return ty_fail(diag, TY_ERR_INPUT, "--device-memory takes MiB, 1 to 1e7, not '%s'", memory);
    }
    if (!backend || !strcmp(backend, "cpu")) {
        return TY_OK;
    }
    ty_device_def def = ty_device_def_default();
    ty_diag why = { 0 };
    def.name = name;
    def.memory = (uint64_t)(mib * 1048576.0);
    job->or_host = automatic;
    if (ty_device_create(&def, &job->device, automatic ? &why : diag) != TY_OK) {
        if (automatic) {
            fprintf(stderr, "tycho render: %s; the host renders.\n", why.text);
        }
        job->device = NULL;
        return diag->status;
    }
    if (!job->quiet) {
        printf("rendered by %s\n", ty_device_get_info(job->device)->name);
    }
    return TY_OK;
}

static ty_status render_one(render_job *job, ty_diag *diag)
{
    ty_status status = make_buffers(job, diag);
    if (status == TY_OK) {
        status = ty_scene_set_device(job->scene, job->device, job->or_host, diag);
    }
    if (status == TY_OK) {
        status = ty_render(job->scene, &job->camera, &job->def, &job->out, diag);
    }
    if (status == TY_OK) {
        ty_scene_stats s = ty_scene_get_stats(job->scene);
        if (s.host) {
            fprintf(stderr, "tycho render: %s; the host made this frame.\n", s.host);
        }
        if (s.coarser) {
            fprintf(stderr, "tycho render: %s.\n", s.coarser);
        }
        if (!job->quiet) {
            printf("%zu tiles of ground, %zu rocks: made in %.2f s; ", s.tiles, s.rocks, s.update_s);
            if (s.rays > 0) {
                printf("%.3g rays ", (double)s.rays);
            } else { /* a device keeps its count */
                printf("rays ");
            }
            printf("in %.2f s\n", s.trace_s);
        }
        if (job->stereo != 0.0 && isnan(job->white)) { /* both eyes are shown alike */
            job->white = render_job_white(job);
        }
        status = render_write(job, diag);
    }
    if (status == TY_OK && job->truth) {
        status = render_truth_data(job, diag);
    }
    if (status == TY_OK && job->overlay) {
        status = render_overlay(job, diag);
    }
    free_buffers(&job->out);
    return status;
}

/* the frame, and with --stereo the right eye's: OUT_right.png and what stands beside it */
static ty_status render(render_job *job, ty_diag *diag)
{
    if (job->has_next) { /* the same camera elsewhere */
        ty_pose pose = job->next.pose;
        job->next = job->camera;
        job->next.pose = pose;
    }
    ty_status status = render_one(job, diag);
    if (status == TY_OK && job->stereo != 0.0) {
        char path[4200];
        render_beside(job->path, "right.png", path, sizeof path);
        job->camera = ty_truth_stereo_right(&job->camera, job->stereo);
        job->next = ty_truth_stereo_right(&job->next, job->stereo);
        job->path = path;
        job->right = true;
        status = render_one(job, diag);
    }
    return status;
}

/* where the camera will be at the next frame: what --next-eye and --next-look do not say stays */
static void take_next(render_job *job, int *argc, char **argv, const double look[2], ty_diag *diag)
{
    double eye[3] = { NAN, NAN, NAN }, to[2] = { NAN, NAN };
    take_numbers(argc, argv, "--next-eye", 3, "0.1,0,1.5", eye, diag);
    take_numbers(argc, argv, "--next-look", 2, "91,-10", to, diag);
    job->has_next = !isnan(eye[0]) || !isnan(to[0]);
    for (int k = 0; k < 3; k++) {
        job->next_eye[k] = isnan(eye[0]) ? job->eye[k] : eye[k];
    }
    job->next.pose.q = isnan(to[0]) ? ty_camera_look(look[0] * TY_DEG, look[1] * TY_DEG, 0.0)
                                    : ty_camera_look(to[0] * TY_DEG, to[1] * TY_DEG, 0.0);
}

/* a cell of ground as wide as 1.3 to 2.7 pixels, where the terrain is that fine and memory allows: 1024 takes 0.4 GB */
static void take_detail(render_job *job, int *argc, char **argv, ty_diag *diag)
{
    double detail = fmin(fmax(3.0 * job->camera.width / job->camera.hfov, 512.0), 1024.0);
    app_take_number(argc, argv, "--detail", 256.0, 8192.0, &detail, diag);
    job->detail = ((int)detail + 128) / 256 * 256;
}

static void take_options(render_job *job, int *argc, char **argv, ty_diag *diag)
{
    double look[2] = { 0.0, -10.0 }, fov = 60.0, sun[2] = { NAN, NAN }, samples = 16.0, depth = 1.0, seed = 1.0,
           threads = 0.0;
    const char *out = app_option(argc, argv, "-o");
    job->path = out ? out : "render.png";
    job->quiet = app_flag(argc, argv, "--quiet");
    job->linear = app_flag(argc, argv, "--linear");
    job->truth = app_flag(argc, argv, "--truth");
    double eye[3] = { NAN, NAN, NAN };
    take_numbers(argc, argv, "--eye", 3, "0,0,1.5", eye, diag);
    job->placed = !isnan(eye[0]);
    for (int k = 0; k < 3 && job->placed; k++) {
        job->eye[k] = eye[k];
    }
    double from[3] = { NAN, NAN, NAN };
    take_numbers(argc, argv, "--from", 3, "-45,170,100000", from, diag);
    job->from[0] = from[0] * TY_DEG, job->from[1] = from[1] * TY_DEG, job->from[2] = from[2];
    const char *material = app_option(argc, argv, "--material");
    job->material = material;
    job->texture = app_option(argc, argv, "--texture");
    app_take_number(argc, argv, "--scale", 1e-9, 1e9, &job->scale, diag);
    take_numbers(argc, argv, "--look", 2, "90,-10", look, diag);
    take_numbers(argc, argv, "--sun", 2, "120,3", sun, diag);
    take_size(job, argc, argv, diag);
    app_take_number(argc, argv, "--fov", 0.01, 360.0, &fov, diag);
    app_take_number(argc, argv, "--samples", 1.0, 65536.0, &samples, diag);
    app_take_number(argc, argv, "--depth", 1.0, 64.0, &depth, diag);
    app_take_number(argc, argv, "--seed", 0.0, 9e15, &seed, diag);
    app_take_number(argc, argv, "--threads", 0.0, 1024.0, &threads, diag);
    app_take_number(argc, argv, "--lamp", 0.0, 1e6, &job->lamp, diag);
    app_take_number(argc, argv, "--white", 1e-12, 1e12, &job->white, diag);
    app_take_number(argc, argv, "--gamma", 0.1, 10.0, &job->gamma, diag);
    job->camera.hfov = fov * TY_DEG;
    render_take_lens(job, argc, argv, diag);
    take_detail(job, argc, argv, diag);
    take_sensor(job, argc, argv, diag);
    render_take_bands(job, argc, argv, diag);
    take_next(job, argc, argv, look, diag);
    app_take_number(argc, argv, "--stereo", -1e6, 1e6, &job->stereo, diag);
    job->trail = app_option(argc, argv, "--trail");
    render_overlay_check(app_option(argc, argv, "--overlay"), &job->overlay, diag);
    job->camera.pose.q = ty_camera_look(look[0] * TY_DEG, look[1] * TY_DEG, 0.0);
    job->look[0] = look[0] * TY_DEG, job->look[1] = look[1] * TY_DEG;
    job->sun[0] = sun[0] * TY_DEG, job->sun[1] = sun[1] * TY_DEG;
    job->def.samples = (int)samples;
    job->def.depth = (int)depth;
    job->def.split = RENDER_SPLIT;
    job->def.seed = (uint64_t)seed;
    job->def.threads = (int)threads;
}

static int run(int argc, char **argv)
{
    ty_diag diag = { 0 };
    render_job job = { .camera = ty_camera_default(),
                       .def = ty_render_def_default(),
                       .eye = { 0.0, 0.0, 1.5 },
                       .white = NAN,
                       .gamma = 2.2,
                       .scale = 1.0 };
    const char *camera = app_option(&argc, argv, "--camera");
    if (camera) {
        return render_camera(argc, argv, camera);
    }
    take_options(&job, &argc, argv, &diag);
    if (diag.status == TY_OK) {
        take_backend(&job, &argc, argv, &diag);
    }
    const char *utc = app_option(&argc, argv, "--utc");
    ty_utc when = { 0 };
    if (diag.status == TY_OK && utc) {
        ty_utc_parse(utc, &when, &diag);
    }
    const char *dot = argc > 1 ? strrchr(argv[1], '.') : NULL;
    if (diag.status == TY_OK && dot &&
        (!strcmp(dot, ".obj") || !strcmp(dot, ".gltf") || !strcmp(dot, ".glb") || !strcmp(dot, ".dae") ||
         !strcmp(dot, ".stl") || !strcmp(dot, ".ply"))) {
        if (app_rest(argc, argv, 1, &diag) == TY_OK) {
            render_mesh_scene(&job, argv[1], &diag);
        }
    } else if (diag.status == TY_OK && app_site_open(&job.site, &argc, argv, &diag) == TY_OK &&
               app_rest(argc, argv, 0, &diag) == TY_OK) {
        site_scene(&job, utc ? when : job.site.start, &diag);
    }
    bool agrees = true;
    if (diag.status == TY_OK && job.compare) {
        render_compare(&job, &agrees, &diag);
    } else if (diag.status == TY_OK) {
        render(&job, &diag);
    }
    if (job.stage) {
        ty_stage_destroy(job.stage);
    } else {
        ty_scene_destroy(job.scene);
    }
    ty_device_destroy(job.device);
    app_site_close(&job.site);
    return diag.status != TY_OK ? app_bad("render", "%s.", diag.text) : agrees ? APP_OK : 1;
}

const app_command app_cmd_render = {
    "render",
    "one frame of a scenario, as a camera sees it",
    "usage: tycho render SCENARIO|RASTER|MODEL [options] -o OUT.png|OUT.exr\n"
    "       tycho render SCENARIO --camera NAME [--at SECONDS] [--truth] [--set a.b=c] -o OUT.png   a rover's camera\n\n"
    "  --eye X,Y,H         camera: metres east and north of the site's origin, metres above the ground; 0,0,1.5\n"
    "  --from LAT,LON,H    camera: degrees, metres above the reference sphere; with terrain.whole from anywhere\n"
    "  --look AZ,EL        where it looks: azimuth clockwise from north, elevation [deg]; 0,-10\n"
    "  --lens L --fov DEG  pinhole (default), fisheye, spherical, fov, brown; angle across the width; 60\n"
    "  --brown K1,K2,K3,P1,P2 of --lens brown; --cahv C,A,H,V[,O,R[,E]] and --linearity L of cahv, cahvor, cahvore: three\n"
    "                      numbers each, x right, y down, z forward\n"
    "  --bands LIST        rgb, or LOW-HIGH,... in nm, 8 at most: a colour picture of three, an EXR of any number\n"
    "  --size WxH          pixels; 640x480\n"
    "  --utc T             time, which sets Sun and Earth; default the scenario's start\n"
    "  --sun AZ,EL         puts the Sun there instead [deg]\n"
    "  --lamp I            a rover's lamp beside the camera [W/sr]\n"
    "  --samples N         rays per pixel; 16\n"
    "  --depth N           1: light straight from Sun and Earth (default); more: also light between surfaces\n"
    "  --detail N          cells of ground along each ring around the camera, 256 to 8192; as fine as pixels\n"
    "  --white L           radiance [W/m2/sr] that becomes white; default by its lit ground\n"
    "  --gamma G           of the picture; 2.2\n"
    "  --linear            16 bits, proportional to radiance\n"
    "  --exposure S|auto --f-number N --focus M --iso G    through a physical camera: blur, vignetting, noise, 12 bits\n"
    "  --truth             also depth, normals, labels, instances and shadow, as pictures beside OUT.png; all of it as numbers\n"
    "                      in OUT_truth.exr and in single files (OUT_depth.exr, OUT_class.png ...), and boxes in the image and\n"
    "                      in space in OUT_boxes.csv and OUT_boxes.json (COCO)\n"
    "  --stereo B          a second camera B metres to the right: OUT_right.png; with --truth the disparity of both\n"
    "  --next-eye X,Y,H --next-look AZ,EL    the camera at the next frame: with --truth the optical flow to there\n"
    "  --overlay LIST      draws over a copy of the picture, OUT_overlay.png: boxes, boxes3, labels, frames, frustum (of the\n"
    "                      next camera), trail (--trail telemetry.csv of a run)\n"
    "  --material M --texture FILE --scale S   of a model (.obj, .gltf, .dae, .stl), which stands alone in space: Hapke preset\n"
    "                      (itokawa, moon_visual, ...; else the file's own), picture of its brightness, metres per unit\n"
    "  --backend B         cpu (default), opencl: on a device, auto: on a device where there is one; --device NAME: a part of\n"
    "                      its name; --device-memory MIB: how much of its memory buffers may use\n"
    "  --compare           with --backend opencl, instead of a picture: how far host and device agree; exit code 1: not within\n"
    "                      0.1 % of the mean, 1 % of 99.5 % of the pixels but edges, 1e-5 of depth, 1e-4 m of rays\n"
    "  --seed N --threads N --set KEY=VALUE --quiet\n\n"
    "example: tycho render scenarios/south_pole.yaml --look 45,-8 --sun 120,4 -o ridge.png\n",
    run,
};
