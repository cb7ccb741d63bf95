/* OpenEXR files: round trip and broken ones.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <unistd.h>
#include "tyt.h"
#include "k_philox.h"
#include "tycho/tools/exr.h"
#include "io/inner.h"

static char path[64], other[64];

static void start(void)
{
    snprintf(path, sizeof path, "/tmp/tycho-exr-%d.exr", (int)getpid());
    snprintf(other, sizeof other, "/tmp/tycho-exr-%d-b.exr", (int)getpid());
}

static void end(void)
{
    unlink(path);
    unlink(other);
}

static ty_exr picture(int width, int height, int channels)
{
    ty_exr e = { width, height, channels, { "" }, malloc((size_t)(width * height * channels) * sizeof(float)) };
    for (int c = 0; c < channels; c++) {
        tyi_io_exr_band_name(channels, c, e.name[c]);
    }
    for (int i = 0; i < width * height * channels; i++) {
        e.data[i] = (float)(0.1 * i + 1e-7 * i * i);
    }
    return e;
}

TY_TEST(exr, round_trip_is_exact, .init = start, .fini = end)
{
    for (int channels = 1; channels <= 8; channels++) {
        ty_exr e = picture(37, 41, channels), back; /* chunks of 16 lines: the last one is short */
        ty_diag diag = { 0 };
        e.data[5] = INFINITY;
        TY_CHECK(ty_exr_write(path, &e, &diag) == TY_OK);
        cr_assert(ty_exr_read(path, &back, &diag) == TY_OK, "%s", diag.text);
        TY_CHECK(back.width == 37 && back.height == 41 && back.channels == channels);
        int band[8];
        TY_CHECK(tyi_io_exr_bands(&back, band) == channels);
        for (int c = 0; c < channels; c++) {
            char name[32];
            const float *got = ty_exr_find(&back, tyi_io_exr_band_name(channels, c, name));
            TY_CHECK(got == back.data + band[c] * 37 * 41);
            TY_CHECK(!memcmp(got, e.data + c * 37 * 41, 37 * 41 * sizeof(float)));
            TY_CHECK(c == 0 || memcmp(got, e.data, 37 * 41 * sizeof(float)) != 0); /* control */
        }
        TY_CHECK(!ty_exr_find(&back, "nothing"));
        ty_exr_free(&e);
        ty_exr_free(&back);
    }
    TY_ROW("EXR of 1 to 8 bands comes back exactly", "what was written", "0");
}

TY_TEST(exr, wrong_images_are_refused, .init = start, .fini = end)
{
    ty_exr e = picture(4, 4, 2), back;
    ty_diag diag = { 0 };
    snprintf(e.name[1], 32, "%s", e.name[0]);
    TY_CHECK(ty_exr_write(path, &e, &diag) == TY_ERR_RANGE && strstr(diag.text, "a name of its own"));
    snprintf(e.name[1], 32, "Z");
    diag = (ty_diag){ 0 };
    TY_CHECK(ty_exr_write("/nowhere/x.exr", &e, &diag) == TY_ERR_FILE);
    e.width = 0;
    diag = (ty_diag){ 0 };
    TY_CHECK(ty_exr_write(path, &e, &diag) == TY_ERR_RANGE && strstr(diag.text, "0 x 4 pixels"));
    TY_CHECK(access(path, F_OK) != 0);
    diag = (ty_diag){ 0 };
    TY_CHECK(ty_exr_read(path, &back, &diag) == TY_ERR_FILE && strstr(diag.text, "No such file") && !back.data);
    diag = (ty_diag){ 0 };
    TY_CHECK(ty_exr_read("/tmp", &back, &diag) != TY_OK && diag.text[0]);
    ty_exr_free(&e);
}

static size_t load(unsigned char *bytes, size_t most)
{
    FILE *f = fopen(path, "rb");
    size_t n = fread(bytes, 1, most, f);
    fclose(f);
    return n;
}

static void save(const unsigned char *bytes, size_t n)
{
    FILE *f = fopen(other, "wb");
    fwrite(bytes, 1, n, f);
    fclose(f);
}

/* cut short at many places, and with bytes changed: a status with a sentence, or a whole image */
TY_TEST(exr, broken_files_are_refused, .init = start, .fini = end)
{
    static unsigned char good[20000], bad[20000];
    ty_exr e = picture(40, 40, 3), back;
    ty_diag diag = { 0 };
    TY_CHECK(ty_exr_write(path, &e, &diag) == TY_OK);
    size_t n = load(good, sizeof good);
    TY_CHECK(n > 1000 && n < sizeof good);
    save(good, n);
    TY_CHECK(ty_exr_read(other, &back, &diag) == TY_OK); /* control */
    ty_exr_free(&back);
    for (size_t cut = 0; cut < n; cut += 1 + n / 60) {
        diag = (ty_diag){ 0 };
        save(good, cut);
        TY_CHECK(ty_exr_read(other, &back, &diag) != TY_OK && strstr(diag.text, other) && !back.data);
    }
    int refused = 0, rounds = tyt_long() ? 20000 : 600;
    for (int i = 0; i < rounds; i++) {
        ty_k_u32x4 r = ty_k_philox((uint32_t)i, 0, 0, 0, 7, TY_RNG_TEST);
        memcpy(bad, good, n);
        for (int k = 0; k < 3; k++) { /* half of them in the header */
            size_t range = i % 2 ? n : 400;
            bad[r.v[k] % range] = (unsigned char)(r.v[3] >> 8 * k);
        }
        save(bad, n);
        diag = (ty_diag){ 0 };
        ty_status status = ty_exr_read(other, &back, &diag);
        refused += status != TY_OK;
        TY_CHECK((status == TY_OK) == (back.data != NULL) && (status == TY_OK) == (diag.text[0] == 0));
        ty_exr_free(&back);
    }
    TY_CHECK(refused > rounds / 5);
    memcpy(bad, "these are no pixels", 20);
    save(bad, 20);
    diag = (ty_diag){ 0 };
    TY_CHECK(ty_exr_read(other, &back, &diag) == TY_ERR_FORMAT && strstr(diag.text, "is not an OpenEXR image"));
    ty_exr_free(&e);
}
