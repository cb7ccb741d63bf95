/* Public functions that no other test calls by name: names, catalogues and small conveniences.
 * tests/cli/api.sh lists the functions that no test names.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <unistd.h>
#include "tycho/buffer.h"
#include "tycho/camera.h"
#include "tycho/tools/draw.h"
#include "io/mcap.h"
#include "draw/sheet.h"
#include "tycho/tools/testbed.h"
#include "tycho/trace.h"
#include "tycho/vehicle.h"
#include "tycho/world.h"
#include "core/inner.h"
#include "draw/inner.h"
#include "render/inner.h"
#include "soil/scm_grid.h"
#include "study/wheel_fit.h"
#include "vehicle/driver.h"
#include "world/terrain/inner.h"
#include "tyt.h"

TY_TEST(api, version_and_names)
{
    int major, minor, patch, used = 0;
    TY_CHECK(sscanf(ty_version(), "%d.%d.%d%n", &major, &minor, &patch, &used) == 3 && !ty_version()[used]);
    TY_CHECK(strstr(ty_built_with(), "MuJoCo ") && strstr(ty_built_with(), ", GDAL 3."));
    TY_CHECK(!strcmp(tyi_element_name(TY_ELEMENT_U16), "u16") && ty_element_bytes(TY_ELEMENT_U16) == 2);
    TY_CHECK(!strcmp(tyi_element_name(TY_ELEMENT_F64), "f64") && ty_element_bytes(TY_ELEMENT_F64) == 8);
    TY_CHECK(!strcmp(ty_unit_name(TY_UNIT_ELECTRONS), "electrons"));
    ty_buffer_type type = { 640, 480, 3, TY_ELEMENT_F32, TY_UNIT_RADIANCE, 'S' };
    char text[100], shorter[8];
    TY_CHECK(!strcmp(tyi_buffer_type_text(&type, text, sizeof text), "radiance [W/m2/sr] as f32, 640 x 480 x 3"));
    TY_CHECK(strlen(tyi_buffer_type_text(&type, shorter, sizeof shorter)) == 7); /* cut, and ended */
    ty_soil_model_kind soil;
    TY_CHECK(ty_soil_model_find("regression", &soil) && soil == TY_SOIL_REGRESSION &&
             !ty_soil_model_find("mud", &soil));
    int rig;
    for (int i = TY_RIG_STATIC; i < TY_SOIL_MODEL_COUNT; i++) {
        TY_CHECK(ty_rig_find(ty_rig_name(i), &rig) && rig == i);
    }
    TY_CHECK(!ty_rig_find("nosuch", &rig));
}

TY_TEST(api, ros_types_name_themselves)
{
    for (int i = 0; i < TYI_IO_ROS_TYPES; i++) {
        const char *name = tyi_io_ros_name((tyi_io_ros_type)i), *definition = tyi_io_ros_definition((tyi_io_ros_type)i);
        TY_CHECK(strstr(name, "/msg/") != NULL);
        TY_CHECK(definition && strlen(definition) > 20);
    }
    TY_CHECK(strstr(tyi_io_ros_definition(TY_ROS_IMU), "angular_velocity") != NULL);
    tyi_io_cdr bytes = { 0 };
    tyi_io_cdr_add(&bytes, "abc", 3);
    uint8_t *kept = bytes.data;
    tyi_io_cdr_clear(&bytes);
    TY_CHECK(bytes.size == 0 && bytes.data == kept && bytes.capacity >= 3);
    tyi_io_cdr_free(&bytes);
}

TY_TEST(api, a_camera_set_by_name)
{
    ty_camera_sensor_def def = ty_camera_sensor_def_default();
    ty_diag diag = { 0 };
    TY_CHECK(ty_camera_sensor_def_set(&def, "exposure", "0.002", &diag) == TY_OK);
    TY_NEAR(def.exposure, 0.002, 0.0);
    TY_CHECK(ty_camera_sensor_def_set(&def, "defocus", "off", &diag) == TY_OK && !def.on[TY_CAMERA_DEFOCUS]);
    ty_camera_sensor_def before = def;
    TY_CHECK(ty_camera_sensor_def_set(&def, "exposure", "-1", &diag) == TY_ERR_RANGE && strstr(diag.text, "exposure"));
    TY_CHECK(ty_camera_sensor_def_set(&def, "nosuch", "1", NULL) == TY_ERR_INPUT);
    TY_CHECK(!memcmp(&before, &def, sizeof def));
}

TY_TEST(api, pictures_with_marks_and_sheets)
{
    enum { W = 64, H = 48 };
    static uint8_t gray[W * H], rgb[W * H * 3];
    char path[] = "/tmp/tyt_api_XXXXXX.png";
    int fd = mkstemps(path, 4);
    cr_assert(fd >= 0);
    close(fd);
    memset(gray, 100, sizeof gray);
    memset(rgb, 200, sizeof rgb);
    const double x[2] = { 10.0, 50.0 }, y[2] = { 24.5, 24.5 };
    ty_image image = { W, H, 1, 8, gray }, back;
    ty_draw_mark mark = { .n = 2, .x = x, .y = y, .color = { 1.0, 0.0, 0.0, 1.0 }, .width = 3.0 };
    ty_diag diag = { 0 };
    TY_CHECK(tyi_draw_write_marks(path, &image, &mark, 1, 10.0, &diag) == TY_OK);
    TY_CHECK(ty_png_read(path, &back, &diag) == TY_OK && back.width == W && back.height == H);
    const uint8_t *on = (uint8_t *)back.data + (24 * W + 30) * back.channels,
                  *off = (uint8_t *)back.data + (5 * W + 30) * back.channels;
    TY_CHECK(on[0] > 200 && on[1] < 60); /* the line is red */
    TY_CHECK(off[0] == 100);             /* elsewhere the image is as it was */
    ty_image_free(&back);
    const tyi_draw_tile tile[3] = { { rgb, "one" }, { NULL, NULL }, { rgb, "three" } };
    TY_CHECK(tyi_draw_write_sheet(path, "a title", tile, 3, 2, W, H, &diag) == TY_OK);
    TY_CHECK(ty_png_read(path, &back, &diag) == TY_OK && back.width > 2 * W && back.height > 2 * H);
    ty_image_free(&back);
    TY_CHECK(tyi_draw_write_sheet(path, NULL, tile, 0, 2, W, H, NULL) == TY_ERR_RANGE); /* no tiles */
    remove(path);
}

/* a plate in closed form [bekker]: (k_c/b + k_phi) z^n; shear by Janosi and Hanamoto */
TY_TEST(api, plates)
{
    ty_rig_def def = ty_rig_def_default();
    ty_diag diag = { 0 };
    double p, t;
    const ty_soil_params *s = &def.soil;
    TY_CHECK(ty_plate_pressure(&def, 0.1, 0.02, &p, &diag) == TY_OK);
    TY_NEAR_REL(p, (s->k_c / 0.1 + s->k_phi) * pow(0.02, s->n0), 1e-12);
    TY_FAR_REL(p, (s->k_c / 0.2 + s->k_phi) * pow(0.02, s->n0), 1e-6); /* control: another width */
    TY_CHECK(ty_plate_shear(&def, 3000.0, 0.01, &t, &diag) == TY_OK);
    TY_NEAR_REL(t, (s->c + 3000.0 * tan(s->phi)) * -expm1(-0.01 / s->kx), 1e-12);
}

TY_TEST(api, scores_and_slips)
{
    tyi_study_soil_fit_score score = { 0 };
    TY_CHECK(isnan(tyi_study_soil_fit_score_nrmse(&score)));
    tyi_study_soil_fit_score_add(&score, 1.0, 0.0);
    tyi_study_soil_fit_score_add(&score, 9.0, 10.0);
    tyi_study_soil_fit_score_add(&score, 5.0, (double)NAN); /* not counted */
    TY_NEAR(tyi_study_soil_fit_score_nrmse(&score), 0.1, 1e-12);
    tyi_study_wheel point = { .slip = 0.3, .v_x = (double)NAN, .rim = (double)NAN };
    ty_soil_params soil = ty_soil_params_default();
    ty_wheel_shape wheel = { 0.2, 0.1, 0.0, 0 };
    TY_NEAR(tyi_study_wheel_slip(&point, &soil, &wheel), 0.3, 0.0);
    point.wheel = wheel;
    point.v_x = 0.08;
    point.rim = 0.1;
    TY_NEAR(tyi_study_wheel_slip(&point, &soil, &wheel), 0.2, 1e-12); /* 1 - v/(r omega) */
}

TY_TEST(api, craters_and_rocks_of_a_place)
{
    ty_terrain_def def = ty_terrain_def_default();
    ty_terrain *t;
    ty_diag diag = { 0 };
    cr_assert(ty_terrain_create(&def, &t, &diag) == TY_OK, "%s", diag.text);
    static ty_crater crater[2000];
    ty_rect rect = { -60.0, -60.0, 60.0, 60.0 };
    size_t n = ty_terrain_craters(t, rect, 2.0, 20.0, crater, 2000), west, east;
    TY_CHECK(n > 5 && n <= 2000);
    for (size_t i = 0; i < n; i++) {
        TY_CHECK(fabs(crater[i].x) <= 60.0 && fabs(crater[i].y) <= 60.0);
        TY_CHECK(crater[i].diameter >= 2.0 && crater[i].diameter < 20.0);
    }
    west = ty_terrain_craters(t, (ty_rect){ -60.0, -60.0, 0.0, 60.0 }, 2.0, 20.0, NULL, 0);
    east = ty_terrain_craters(t, (ty_rect){ 0.0, -60.0, 60.0, 60.0 }, 2.0, 20.0, NULL, 0);
    TY_CHECK(west + east == n); /* halves add up */
    static ty_rock rock[500];
    static ty_pose pose[500];
    size_t rocks = ty_terrain_rocks(t, rect, 0.3, 5.0, rock, 500);
    rocks = rocks < 500 ? rocks : 500;
    TY_CHECK(rocks > 0 && tyi_terrain_rock_poses(t, rocks, rock, pose, 1, &diag) == TY_OK);
    for (size_t i = 0; i < rocks; i++) {
        double z;
        ty_terrain_sample(t, 0, 1, &rock[i].x, &rock[i].y, &z, NULL, NULL);
        /* it stands in the ground: sunk by its burial, within half of its size */
        TY_NEAR(pose[i].p.x, rock[i].x, rock[i].scale);
        TY_NEAR(pose[i].p.z, z, rock[i].scale);
        TY_CHECK(tyi_render_truth_rock_label(rock[i].id) >= 0x80000000u);
        TY_CHECK(i == 0 || tyi_render_truth_rock_label(rock[i].id) != tyi_render_truth_rock_label(rock[i - 1].id));
    }
    ty_world_export_def out = ty_world_export_def_default();
    out.size = 50.0;
    TY_CHECK(ty_world_export_check(t, &out, &diag) == TY_OK);
    out.spacing = -1.0;
    TY_CHECK(ty_world_export_check(t, &out, NULL) == TY_ERR_RANGE);
    ty_terrain_destroy(t);
}

/* a plane that rises to the east by one in four */
static ty_status rising(void *user, size_t n, const double *lat, const double *lon, double spacing, double *height,
                        ty_diag *diag)
{
    (void)user, (void)spacing, (void)diag;
    for (size_t i = 0; i < n; i++) {
        double x = TY_MOON_RADIUS * lon[i], y = TY_MOON_RADIUS * lat[i];
        height[i] = 0.25 * x + (x * x + y * y) / (2.0 * TY_MOON_RADIUS);
    }
    return TY_OK;
}

TY_TEST(api, horizon_of_a_plane)
{
    ty_terrain_def def = ty_terrain_def_default();
    def.relief.rms_slope_deg = 0.0;
    def.crater.on = def.rock.on = false;
    def.extent = 400.0;
    def.base = (ty_terrain_base){ .sample = rising, .spacing = 0.5 };
    ty_terrain *t;
    ty_terrain_patch *patch;
    ty_diag diag = { 0 };
    cr_assert(ty_terrain_create(&def, &t, &diag) == TY_OK, "%s", diag.text);
    int level = 4;
    cr_assert(ty_terrain_patch_create(t, level, -200, -200, 400, 400, 1, &patch, &diag) == TY_OK, "%s", diag.text);
    ty_rect r = ty_terrain_patch_rect(patch);
    double reach = 0.8 * fmin(fmin(-r.x0, r.x1), fmin(-r.y0, r.y1)), slope[8];
    for (int k = 0; k < 8; k++) {
        slope[k] = -(double)INFINITY;
    }
    ty_terrain_patch_horizon(patch, ty_vec3_make(0, 0, 0), 0.2 * reach, reach, 8, NULL, slope);
    for (int k = 0; k < 8; k++) { /* clockwise from north */
        TY_NEAR(slope[k], 0.25 * sin(k * TY_PI / 4.0), 1e-3);
    }
    TY_FAR(slope[2], 0.0, 0.1); /* control: it is not flat */
    ty_terrain_patch_destroy(patch);
    ty_terrain_destroy(t);
}

TY_TEST(api, a_rover_and_its_parts)
{
    ty_terrain_def ground = ty_terrain_def_default();
    ground.relief.rms_slope_deg = 0.0;
    ground.crater.on = ground.rock.on = false;
    ty_vehicle_def def = ty_vehicle_def_default();
    ty_diag diag = { 0 };
    char path[4096];
    const char *source = getenv("TYCHO_SOURCE");
    snprintf(path, sizeof path, "%s/models/rovers/viper.yaml", source ? source : ".");
    def.rover = path;
    ty_vehicle *v;
    cr_assert(ty_terrain_create(&ground, &def.terrain, &diag) == TY_OK && ty_vehicle_create(&def, &v, &diag) == TY_OK,
              "%s", diag.text);
    const ty_vehicle_mount *mount;
    int mounts = ty_vehicle_mounts(v, &mount), imu = ty_vehicle_find_mount(v, "imu");
    cr_assert(mounts > 0 && imu >= 0 && imu < mounts);
    TY_CHECK(!strcmp(mount[imu].name, "imu") && ty_vehicle_find_mount(v, "nosuch") == -1);
    TY_CHECK(mount[imu].body >= 0 && mount[imu].body < ty_vehicle_bodies(v));
    TY_CHECK(!strcmp(ty_vehicle_body(v, mount[imu].body), "chassis"));
    /* where the mount is: its body's pose times its own */
    ty_pose at = ty_vehicle_mount_pose(v, imu);
    ty_pose want = ty_pose_mul(ty_vehicle_body_pose(v, mount[imu].body, NULL, NULL), mount[imu].pose);
    TY_NEAR(ty_norm(ty_sub(at.p, want.p)), 0.0, 1e-12);
    const ty_body_shape *shape;
    int shapes = ty_vehicle_shapes(v, &shape);
    TY_CHECK(shapes > 4);
    for (int i = 0; i < shapes; i++) {
        TY_CHECK(shape[i].body >= 0 && shape[i].body < ty_vehicle_bodies(v));
    }
    TY_CHECK(!strcmp(ty_vehicle_name(v), "viper"));
    ty_vehicle_destroy(v);
    ty_terrain_destroy(def.terrain);
}

TY_TEST(api, drivers)
{
    ty_diag diag = { 0 };
    tyi_vehicle_driver *d;
    ty_vehicle_state s = { .pose.q = { 1, 0, 0, 0 } };
    ty_drive_command c;
    TY_CHECK(tyi_vehicle_driver_constant(&(ty_drive_command){ .v = 0.3, .omega = 0.1 }, NULL, &d, &diag) == TY_OK);
    TY_CHECK(tyi_vehicle_driver_command(d, &s, &c));
    TY_NEAR(c.v, 0.3, 0.0);
    TY_CHECK(tyi_vehicle_driver_progress(d) == 0);
    tyi_vehicle_driver_destroy(d);
    /* waypoints: progress goes on when one is reached, and can be put back */
    const ty_waypoint points[2] = { { 1.0, 0.0, 0.0 }, { 1.0, 5.0, 0.0 } };
    tyi_vehicle_driver_path_def path = tyi_vehicle_driver_path_def_default();
    path.points = points;
    path.count = 2;
    TY_CHECK(tyi_vehicle_driver_path(&path, &d, &diag) == TY_OK);
    tyi_vehicle_driver_command(d, &s, &c);
    size_t first = tyi_vehicle_driver_progress(d);
    s.pose.p = ty_vec3_make(1.0, 0.1, 0.0);
    tyi_vehicle_driver_command(d, &s, &c);
    size_t second = tyi_vehicle_driver_progress(d);
    TY_CHECK(second > first);
    tyi_vehicle_driver_set_progress(d, first);
    TY_CHECK(tyi_vehicle_driver_progress(d) == first);
    tyi_vehicle_driver_destroy(d);
}

TY_TEST(api, the_other_eye)
{
    ty_camera left = ty_camera_default();
    left.pose = (ty_pose){ ty_vec3_make(1, 2, 3), ty_camera_look(0.3, -0.2, 0.1) };
    ty_camera right = ty_truth_stereo_right(&left, 0.4);
    ty_vec3 off = ty_rotate(ty_quat_conj(left.pose.q), ty_sub(right.pose.p, left.pose.p));
    TY_NEAR(off.x, 0.4, 1e-12); /* to the right in S */
    TY_NEAR(hypot(off.y, off.z), 0.0, 1e-12);
    TY_NEAR(right.pose.q.w, left.pose.q.w, 0.0);
    /* depth of a point from its disparity: f baseline/(u_l - u_r) */
    ty_vec3 p = ty_pose_point(left.pose, ty_vec3_make(0.7, 0.2, 6.0));
    double ul, vl, ur, vr;
    TY_CHECK(ty_camera_project(&left, p, &ul, &vl) && ty_camera_project(&right, p, &ur, &vr));
    double f = 0.5 * left.width / tan(0.5 * left.hfov);
    TY_NEAR(f * 0.4 / (ul - ur), 6.0, 1e-9);
    TY_NEAR(vl, vr, 1e-9);
}

TY_TEST(api, room_for_tiles)
{
    tyi_soil_scm_def def = tyi_soil_scm_def_default();
    tyi_soil_scm_soil soil = tyi_soil_scm_soil_default();
    tyi_soil_scm *scm;
    ty_diag diag = { 0 };
    int shape;
    def.soil = &soil;
    def.soils = 1;
    cr_assert(tyi_soil_scm_create(&def, &scm, &diag) == TY_OK, "%s", diag.text);
    TY_CHECK(tyi_soil_scm_add_plate(scm, 0.2, 0.0, &shape, &diag) == TY_OK);
    TY_CHECK(tyi_soil_scm_reserve(scm, 20, &diag) == TY_OK);
    tyi_soil_scm_destroy(scm);
}
