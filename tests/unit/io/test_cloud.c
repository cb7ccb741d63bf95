/* tests/unit/io/test_cloud.c - clouds as files, read back by the formats' own rules, and as pictures.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <unistd.h>
#include "tycho/filter.h"
#include "tycho/tools/cloud_file.h"
#include "tycho/tools/draw.h"
#include "tyt.h"

static ty_buffer some_points(int columns, int rows)
{
    ty_buffer_type type = { columns, rows, TY_CLOUD_POINT_CHANNELS, TY_ELEMENT_F64, TY_UNIT_POINT, 'S' };
    ty_buffer b;
    TY_CHECK(ty_buffer_create(&type, NULL, &b, NULL) == TY_OK);
    for (int y = 0; y < rows; y++) {
        for (int x = 0; x < columns; x++) {
            double a = 0.1 * x;
            *(ty_cloud_point *)ty_buffer_at(&b, x, y, 0) = (ty_cloud_point){
                10.0 * cos(a), 10.0 * sin(a), 0.1 * y - 1.0, 0.25, 10.5, 1e-4 * x, y, 0, 1073741824.0
            };
            if (x % 7 == 3) {
                ((ty_cloud_point *)ty_buffer_at(&b, x, y, 0))->x = NAN;
            }
        }
    }
    return b;
}

static char *whole(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    TY_CHECK(f != NULL);
    char *text = calloc(1, 1 << 20);
    *size = fread(text, 1, (1 << 20) - 1, f);
    fclose(f);
    return text;
}

static float f32(const char *at)
{
    float v;
    memcpy(&v, at, 4);
    return v;
}

TY_TEST(cloud, files_hold_the_points)
{
    char folder[] = "/tmp/tycho-cloud-XXXXXX", path[64];
    TY_CHECK(mkdtemp(folder) != NULL);
    ty_buffer b = some_points(20, 5);
    const int n = 20 * 5 - 3 * 5;
    TY_CHECK(ty_cloud_count(&b) == (size_t)n);
    size_t size;
    snprintf(path, sizeof path, "%s/a.pcd", folder);
    TY_CHECK(ty_cloud_write(path, TY_CLOUD_BY_ENDING, &b, NULL) == TY_OK);
    char *text = whole(path, &size), *data = strstr(text, "DATA binary\n") + 12;
    TY_CHECK(strstr(text, "SIZE 4 4 4 4 4 4 2 1 4\n") && size - (size_t)(data - text) == (size_t)n * 31);
    const char *row = data + 31 * 17; /* the first of the second line of beams */
    uint16_t ring;
    uint32_t label;
    memcpy(&ring, row + 24, 2), memcpy(&label, row + 27, 4);
    TY_NEAR((double)f32(row), 10.0, 1e-6);
    TY_NEAR((double)f32(row + 8), -0.9, 1e-6);
    TY_NEAR((double)f32(row + 12), 0.25, 1e-9);
    TY_CHECK(ring == 1 && label == 1073741824u && row[26] == 0);
    free(text);
    remove(path);
    snprintf(path, sizeof path, "%s/a.ply", folder);
    TY_CHECK(ty_cloud_write(path, TY_CLOUD_BY_ENDING, &b, NULL) == TY_OK);
    text = whole(path, &size), data = strstr(text, "end_header\n") + 11;
    /* floats: PCL reads no points from doubles */
    TY_CHECK(size - (size_t)(data - text) == (size_t)n * 31 && strstr(text, "element vertex 85\n") &&
             strstr(text, "property float x\nproperty float y\nproperty float z\n"));
    TY_NEAR((double)f32(data + 31 + 4), 10.0 * sin(0.1), 1e-6); /* the second point */
    free(text);
    remove(path);
    for (int k = 0; k < 2; k++) { /* text: the same rows but for the gaps */
        snprintf(path, sizeof path, "%s/a.%s", folder, k ? "pcd" : "csv");
        TY_CHECK(ty_cloud_write(path, k ? TY_CLOUD_PCD_ASCII : TY_CLOUD_CSV, &b, NULL) == TY_OK);
        text = whole(path, &size);
        data = k ? strstr(text, "DATA ascii\n") + 11 : strchr(text, '\n') + 1;
        double v[9] = { 0 };
        TY_CHECK(sscanf(data, k ? "%lf %lf %lf %lf %lf %lf %lf %lf %lf" : "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", v,
                        v + 1, v + 2, v + 3, v + 4, v + 5, v + 6, v + 7, v + 8) == 9);
        TY_NEAR(v[0], 10.0, 1e-8);
        TY_NEAR(v[4], 10.5, 1e-8);
        TY_CHECK(v[8] == 1073741824.0);
        free(text);
        remove(path);
    }
    ty_diag diag = { 0 };
    snprintf(path, sizeof path, "%s/a.las", folder);
    TY_CHECK(ty_cloud_write(path, TY_CLOUD_BY_ENDING, &b, &diag) == TY_ERR_INPUT && strstr(diag.text, ".ply"));
    diag = (ty_diag){ 0 };
    TY_CHECK(ty_cloud_write("/nowhere/a.ply", TY_CLOUD_BY_ENDING, &b, &diag) == TY_ERR_FILE &&
             strstr(diag.text, "/nowhere/a.ply"));
    b.type.unit = TY_UNIT_METRE;
    TY_CHECK(ty_cloud_write(path, TY_CLOUD_PLY, &b, NULL) == TY_ERR_INPUT);
    ty_buffer_destroy(&b);
    TY_CHECK(rmdir(folder) == 0); /* nothing is left behind */
    TY_ROW("PCD, PLY, CSV hold the points", "what was put in", "worst %.0e m", tyt_worst("(double)f32(row)"));
}

TY_TEST(cloud, pictures)
{
    char path[] = "/tmp/tycho-cloud-XXXXXX.png";
    TY_CHECK(mkstemps(path, 4) >= 0);
    ty_buffer b = some_points(20, 5);
    ty_image image[2];
    TY_CHECK(ty_cloud_draw(path, &b, TY_CLOUD_HEIGHT, "test", NULL) == TY_OK &&
             ty_png_read(path, &image[0], NULL) == TY_OK);
    for (int y = 0; y < 5; y++) {
        for (int x = 0; x < 20; x++) {
            ((ty_cloud_point *)ty_buffer_at(&b, x, y, 0))->x = NAN; /* nothing came back */
        }
    }
    TY_CHECK(ty_cloud_draw(path, &b, TY_CLOUD_INTENSITY, NULL, NULL) == TY_OK &&
             ty_png_read(path, &image[1], NULL) == TY_OK);
    long bright[2] = { 0, 0 };
    for (int k = 0; k < 2; k++) {
        const uint8_t *at = image[k].data;
        /* teal to yellow: green above red and blue */
        for (long i = 0; i < (long)image[k].width * image[k].height; i++) {
            const uint8_t *c = at + image[k].channels * i;
            bright[k] += c[1] > c[0] + 40 && c[1] > 90;
        }
        ty_image_free(&image[k]);
    }
    printf("cloud: %ld coloured pixels, %ld of an empty one\n", bright[0], bright[1]);
    TY_CHECK(bright[0] > 30 && bright[1] == 0); /* control: an empty cloud */
    b.type.unit = TY_UNIT_METRE;
    TY_CHECK(ty_cloud_draw(path, &b, TY_CLOUD_HEIGHT, NULL, NULL) == TY_ERR_INPUT);
    ty_buffer_destroy(&b);
    remove(path);
}
