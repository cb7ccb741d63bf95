/* tests/unit/sensor/test_lidar_file.c - lidars from model files and tables of beams, and what is refused.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include "lidar_support.h"
#include "sensor/inner.h"

/* ---- files ---- */

static void refused(const char *const *settings, size_t count, const char *model, const char *part)
{
    ty_lidar_file file;
    ty_diag diag = { 0 };
    TY_CHECK(ty_lidar_load(source(model), settings, count, &file, &diag) != TY_OK);
    if (!strstr(diag.text, part)) {
        printf("'%s' does not hold '%s'\n", diag.text, part);
        TY_CHECK(!"another sentence");
    }
    ty_lidar_file_free(&file);
}

TY_TEST(lidar, model_files_are_checked)
{
    const char *vlp = "models/sensors/lidar_vlp_16.yaml";
    refused((const char *[]){ "mode=best" }, 1, vlp, "strongest");
    refused((const char *[]){ "mod=last" }, 1, vlp, "mode");
    refused((const char *[]){ "near=200" }, 1, vlp, "near");
    refused((const char *[]){ "azimuth_deg=[1, 2]" }, 1, vlp, "elevation_deg has 16");
    refused((const char *[]){ "pattern=table" }, 1, vlp, "beams is missing");
    refused((const char *[]){ "pattern=table", "beams=none.csv" }, 2, vlp, "none.csv");
    refused(NULL, 0, "models/sensors/no_such.yaml", "no_such.yaml");
    ty_lidar_file file;
    TY_CHECK(ty_lidar_load(source("models/sensors/lidar_flash_landing.yaml"), NULL, 0, &file, NULL) == TY_OK);
    TY_CHECK(file.def.pattern == TY_LIDAR_GRID && file.def.columns == 128 && !file.def.gauss);
    ty_lidar_file_free(&file);
}

static ty_status beams_from(const char *text, ty_lidar_beam **beam, size_t *n, ty_diag *diag)
{
    char path[] = "/tmp/tycho-beams-XXXXXX";
    int fd = mkstemp(path);
    TY_CHECK(fd >= 0);
    FILE *f = fdopen(fd, "w");
    fputs(text, f);
    fclose(f);
    ty_status status = tyi_sensor_lidar_beams_load(path, beam, n, diag);
    remove(path);
    return status;
}

TY_TEST(lidar, tables_of_beams)
{
    ty_lidar_beam *beam;
    size_t n;
    ty_diag diag = { 0 };
    TY_CHECK(beams_from("time, x,y,z,dx,dy,dz,name\n0.01,1,2,3,0,0,-2,down\r\n\n0,0,0,0,1,0,0,ahead", &beam, &n,
                        &diag) == TY_OK);
    TY_CHECK(n == 2 && beam[0].from.z == 3.0 && beam[0].dir.z == -2.0 && beam[0].time == 0.01 && beam[1].dir.x == 1.0);
    ty_lidar_def def = ty_lidar_def_default();
    def.pattern = TY_LIDAR_TABLE, def.beam = beam, def.beams = n, def.noise = false, def.threads = 1, def.reach = 1e3;
    ty_lidar *l = lidar_of(&def);
    free(beam); /* it was copied */
    ty_scene *s = empty_scene();
    add_wall(s, ty_vec3_make(-50, -50, -4), ty_vec3_make(100, 0, 0), ty_vec3_make(0, 100, 0), ty_material_lambert(0.5));
    const ty_buffer *p = scan(l, s, &here, 0);
    const ty_cloud_point *q = ty_buffer_at(p, 0, 0, 0);
    TY_CHECK(p->type.width == 2 && p->type.height == 1 && ty_cloud_count(p) == 1);
    TY_NEAR(q->range, 7.0, 1e-6);
    TY_NEAR(q->x, 1.0, 1e-9);
    TY_NEAR(q->z, -4.0, 1e-6);
    TY_NEAR(q->time, 0.01, 1e-15);
    ty_scene_destroy(s);
    ty_lidar_destroy(l);
    static const char *const bad[][2] = {
        { "", "empty" },
        { "x,y,z,dx,dy\n", "no column 'dz'" },
        { "x,y,z,dx,dy,dz\n", "no beams" },
        { "x,y,z,dx,dy,dz\n1,2,3,4,5\n", ":2: dz" },
        { "x,y,z,dx,dy,dz\n1,2,3,0,0,0\n", "direction" },
        { "x,y,z,dx,dy,dz\n1,2,3,0,0,a\n", "'a'" },
        { "x,y,z,dx,dy,dz,time\n1,2,3,0,0,1,-1\n", "time" },
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        diag = (ty_diag){ 0 };
        TY_CHECK(beams_from(bad[k][0], &beam, &n, &diag) != TY_OK && !beam);
        if (!strstr(diag.text, bad[k][1])) {
            printf("'%s' does not hold '%s'\n", diag.text, bad[k][1]);
            TY_CHECK(!"another sentence");
        }
    }
}
