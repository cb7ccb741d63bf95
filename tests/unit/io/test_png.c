/* PNG files: exact both ways, one sentence for every failure, nothing left behind.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include "draw_support.h"
#include "k_philox.h"

static void fill(uint8_t *bytes, size_t n, ty_u32 seed)
{
    for (size_t i = 0; i < n; i++) {
        bytes[i] = (uint8_t)ty_k_philox((ty_u32)i, seed, 0, 0, 3, TY_RNG_TEST).v[0];
    }
}

TY_TEST(draw_png, numbers_come_back_exactly)
{
    static const int sizes[3][2] = { { 1, 1 }, { 7, 5 }, { 64, 33 } };
    box_dir d = dir_make();
    for (int k = 0; k < 24; k++) {
        int width = sizes[k % 3][0], height = sizes[k % 3][1], channels = 1 + k / 3 % 4, bits = k < 12 ? 8 : 16;
        size_t bytes = (size_t)(width * height * channels * bits / 8);
        uint8_t *data = malloc(bytes);
        fill(data, bytes, (ty_u32)k);
        ty_image got;
        ty_diag diag = { 0 };
        const char *path = dir_path(&d, "a.png");
        cr_assert(ty_png_write(path, width, height, channels, bits, data, &diag) == TY_OK, "%s", diag.text);
        cr_assert(ty_png_read(path, &got, &diag) == TY_OK, "%s", diag.text);
        TY_CHECK(got.width == width && got.height == height && got.channels == channels && got.bits == bits);
        TY_CHECK(memcmp(got.data, data, bytes) == 0);
        data[bytes / 2] ^= 1;
        TY_CHECK(memcmp(got.data, data, bytes) != 0); /* control */
        ty_image_free(&got);
        free(data);
    }
    TY_CHECK(dir_count(&d, true) == 1);
}

/* The header as the PNG standard has it: width and height at 16 and 20, big-endian, depth at 24,
 * colour type at 25; the file may be read by others (mode 0666 less the mask). */
TY_TEST(draw_png, header_is_as_the_standard_says)
{
    box_dir d = dir_make();
    const char *path = dir_path(&d, "a.png");
    uint16_t data[2 * 3 * 3] = { 0x1234 };
    cr_assert(ty_png_write(path, 3, 2, 3, 16, data, NULL) == TY_OK);
    uint8_t head[26];
    FILE *in = fopen(path, "rb");
    cr_assert(in && fread(head, 1, sizeof head, in) == sizeof head);
    fclose(in);
    TY_CHECK(memcmp(head, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\3\0\0\0\2\x10\2", 26) == 0);
    struct stat info;
    mode_t mask = umask(0);
    umask(mask);
    TY_CHECK(stat(path, &info) == 0 && (info.st_mode & 0777) == (0666 & ~mask));
    dir_count(&d, true);
}

/* A file cut anywhere, or with a flipped byte, is an image or a sentence, never a crash. */
TY_TEST(draw_png, broken_files_get_a_sentence)
{
    box_dir d = dir_make();
    char path[128], broken[128];
    snprintf(path, sizeof path, "%s/whole.png", d.name);
    snprintf(broken, sizeof broken, "%s/broken.png", d.name);
    uint8_t data[20 * 20 * 3];
    fill(data, sizeof data, 9);
    cr_assert(ty_png_write(path, 20, 20, 3, 8, data, NULL) == TY_OK);
    static uint8_t whole[8192], copy[8192];
    FILE *in = fopen(path, "rb");
    size_t n = fread(whole, 1, sizeof whole, in);
    fclose(in);
    int refused = 0;
    for (int k = 0; k < 300; k++) {
        ty_u32 r = ty_k_philox((ty_u32)k, 1, 0, 0, 4, TY_RNG_TEST).v[0];
        bool cut = k % 2;
        size_t length = cut ? r % (n - 12) : n; /* without the end mark it is still an image */
        memcpy(copy, whole, n);
        copy[r % n] ^= (uint8_t)(cut ? 0 : 1 + r % 255);
        FILE *out = fopen(broken, "wb");
        fwrite(copy, 1, length, out);
        fclose(out);
        ty_image got;
        ty_diag diag = { 0 };
        ty_status status = ty_png_read(broken, &got, &diag);
        TY_CHECK(status == TY_OK || (status == TY_ERR_FORMAT && strstr(diag.text, broken) && !got.data));
        TY_CHECK(status == TY_ERR_FORMAT || !cut);
        refused += status != TY_OK;
        ty_image_free(&got);
    }
    TY_CHECK(refused > 250); /* checksums see nearly everything */
    ty_image got;
    TY_CHECK(ty_png_read(path, &got, NULL) == TY_OK); /* control: the whole file is read */
    ty_image_free(&got);
    dir_count(&d, true);
}

TY_TEST(draw_png, bad_arguments_and_paths_get_a_sentence)
{
    box_dir d = dir_make();
    const uint8_t data[12] = { 0 };
    static const int bad[6][4] = { { 0, 1, 1, 8 }, { 1, -1, 1, 8 }, { 40000, 1, 1, 8 },
                                   { 1, 1, 5, 8 }, { 1, 1, 0, 8 },  { 1, 1, 1, 12 } };
    for (int k = 0; k < 6; k++) {
        ty_diag diag = { 0 };
        TY_CHECK(ty_png_write(dir_path(&d, "a.png"), bad[k][0], bad[k][1], bad[k][2], bad[k][3], data, &diag) ==
                 TY_ERR_RANGE);
        TY_CHECK(strstr(diag.text, "accepted"));
    }
    ty_diag diag = { 0 };
    TY_CHECK(ty_png_write(dir_path(&d, "no/such/a.png"), 1, 1, 1, 8, data, &diag) == TY_ERR_FILE);
    TY_CHECK(strstr(diag.text, "No such file"));
    diag = (ty_diag){ 0 };
    cr_assert(mkdir(dir_path(&d, "folder.png"), 0777) == 0);
    TY_CHECK(ty_png_write(d.path, 1, 1, 1, 8, data, &diag) == TY_ERR_FILE && strstr(diag.text, "directory"));
    ty_image got;
    TY_CHECK(ty_png_read(d.path, &got, NULL) == TY_ERR_FORMAT);
    rmdir(d.path);
    diag = (ty_diag){ 0 };
    TY_CHECK(ty_png_read(dir_path(&d, "none.png"), &got, &diag) == TY_ERR_FILE && strstr(diag.text, "none.png"));
    TY_CHECK(dir_count(&d, true) == 0); /* nothing half written */
}

/* A disk that fills up, played by a limit on the size of files: the old picture stays, nothing else is there. */
TY_TEST(draw_png, full_disk_keeps_the_old_file)
{
    box_dir d = dir_make();
    const char *path = dir_path(&d, "a.png");
    static uint8_t data[300 * 300];
    cr_assert(ty_png_write(path, 2, 2, 1, 8, data, NULL) == TY_OK);
    fill(data, sizeof data, 1);
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit old, small = { 20000, RLIM_INFINITY };
    getrlimit(RLIMIT_FSIZE, &old);
    small.rlim_max = old.rlim_max;
    cr_assert(setrlimit(RLIMIT_FSIZE, &small) == 0);
    ty_diag diag = { 0 };
    ty_status status = ty_png_write(path, 300, 300, 1, 8, data, &diag);
    setrlimit(RLIMIT_FSIZE, &old);
    TY_CHECK(status == TY_ERR_FILE && strstr(diag.text, "a.png: cannot be written: File too large"));
    ty_image got;
    TY_CHECK(ty_png_read(path, &got, NULL) == TY_OK && got.width == 2);
    ty_image_free(&got);
    TY_CHECK(dir_count(&d, true) == 1);
}
