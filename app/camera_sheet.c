/* app/camera_sheet.c - `tycho camera --sheet`: what exposure, noise and lens do, side by side.
 *
 * Numbers are shown from the camera's offset to full scale, brightened as screens expect (power 1/2.2).
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "camera.h"
#include "draw/sheet.h"

#define TILES 9

/* One tile: what is different from the exposure found automatically; keys and values in one string. */
typedef struct shot {
    const char *text;
    const char *settings; /* "key=value key=value" */
    double stops;         /* of the exposure against the automatic one */
    double shown;         /* [-] factor of what is shown */
} shot;

#define QUIET "prnu=off dark=off shot=off read=off pattern=off dead=off "

static const shot exposures[TILES] = {
    { "1/64 of the automatic exposure", "", -6.0, 1.0 },
    { "1/16", "", -4.0, 1.0 },
    { "1/4", "", -2.0, 1.0 },
    { "automatic exposure", "", 0.0, 1.0 },
    { "2 times", "", 1.0, 1.0 },
    { "4 times", "", 2.0, 1.0 },
    { "1/64 at ISO 64", "iso=64", -6.0, 1.0 },
    { "1/16 at ISO 16", "iso=16", -4.0, 1.0 },
    { "1/4 at ISO 4", "iso=4", -2.0, 1.0 },
};
/* little light, shown as much brighter */
static const shot noises[TILES] = {
    { "no noise, full light", QUIET, 0.0, 1.0 },
    { "1/64 of the light, no noise: 12 bits", QUIET, -6.0, 64.0 },
    { "shot noise", QUIET "shot=on", -6.0, 64.0 },
    { "read noise", QUIET "read=on", -6.0, 64.0 },
    { "uneven pixels, rows, columns", QUIET "pattern=on prnu=on", -6.0, 64.0 },
    { "hot and dead pixels: 1 %, 0.5 %", QUIET "dark=on dead=on hot_share=0.01 dead_share=0.005 hot=3e6", -6.0, 64.0 },
    { "all of it", "", -6.0, 64.0 },
    { "all of it, 1/512 of the light", "", -9.0, 512.0 },
    { "[csens] (4) instead", QUIET "amplifier=on amplifier_s1=0.5 amplifier_s2=4", -6.0, 64.0 },
};
static const shot lenses[TILES] = {
    { "as the scene is", QUIET "glare=off vignetting=off", 0.0, 1.0 },
    { "vignetting of a 60 deg lens", QUIET "glare=off focal=0.0023", 0.0, 1.0 },
    { "glare: 20 % veil", QUIET "glare=0.2", 0.0, 1.0 },
    { "flare: 2 % ghosts", QUIET "flare=on flare=0.02", 0.0, 1.0 },
    { "dust on the lens", QUIET "dust=on dust_spots=120 dust_opacity=0.8", 0.0, 1.0 },
    { "defocus, gain 36, focused at 3 m", QUIET "defocus=on focus=3 g_defocus=36", 0.0, 1.0 },
    { "compression, quality 10", QUIET "compress=on quality=10", 0.0, 1.0 },
    { "gamma curve of [lunar] (8)", QUIET "curve=gamma a=160 b=0 gamma=1.2 iso=1", 0.0, 1.0 },
    { "8 bits", QUIET "bits=8 a=0.018 b=6", 0.0, 1.0 },
};

static ty_status apply(ty_camera_sensor_def *def, const char *settings, ty_diag *diag)
{
    char text[256], *rest = text, *word;
    snprintf(text, sizeof text, "%s", settings);
    while ((word = strtok_r(rest, " ", &rest)) != NULL) {
        char *value = strchr(word, '=');
        *value = 0;
        ty_status status = ty_camera_sensor_def_set(def, word, value + 1, diag);
        if (status != TY_OK) {
            return status;
        }
    }
    return TY_OK;
}

static uint8_t *show(const camera_frame *f, double factor)
{
    size_t n = (size_t)f->width * (size_t)f->height;
    uint8_t *rgb = malloc(3 * n);
    for (size_t i = 0; rgb && i < 3 * n; i++) {
        double v = f->pixels[f->channels == 3 ? i : i / 3];
        v = factor * (v - f->offset) / (f->full - f->offset);
        rgb[i] = (uint8_t)(255.0 * pow(fmin(fmax(v, 0.0), 1.0), 1.0 / 2.2) + 0.5);
    }
    return rgb;
}

static ty_status fill_sheet(const camera_input *in, const ty_camera_sensor_def *base, const shot *shots, uint8_t **rgb,
                            ty_diag *diag)
{
    camera_frame frame;
    ty_camera_sensor_def def = *base;
    def.on[TY_CAMERA_AUTO_EXPOSURE] = true;
    ty_status status = camera_shoot(in, &def, 12, &frame, diag); /* twelve frames settle the exposure */
    free(frame.pixels);
    double exposure = frame.exposure;
    for (int i = 0; i < TILES && status == TY_OK; i++) {
        def = *base;
        def.exposure = exposure * exp2(shots[i].stops);
        status = apply(&def, shots[i].settings, diag);
        status = status == TY_OK ? camera_shoot(in, &def, 0, &frame, diag) : status;
        if (status == TY_OK) {
            rgb[i] = show(&frame, shots[i].shown);
            free(frame.pixels);
            status = rgb[i] ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "there is no memory for the sheet");
        }
    }
    return status;
}

static const shot *find_shots(const char *kind, const char **title)
{
    static const struct {
        const char *kind, *title;
        const shot *shots;
    } sheets[] = { { "exposure", "Exposure and ISO", exposures },
                   { "noise", "Noise, one source at a time", noises },
                   { "lens", "Lens and numbers, one stage at a time", lenses } };
    for (size_t i = 0; i < sizeof sheets / sizeof sheets[0]; i++) {
        if (!strcmp(kind, sheets[i].kind)) {
            *title = sheets[i].title;
            return sheets[i].shots;
        }
    }
    return NULL;
}

int camera_sheet(int argc, char **argv, const char *kind)
{
    camera_input in = { 0 };
    ty_diag diag = { 0 };
    uint8_t *rgb[TILES] = { NULL };
    tyi_draw_tile tile[TILES];
    const char *title = NULL, *out = app_option(&argc, argv, "-o");
    const shot *shots = find_shots(kind, &title);
    ty_camera_sensor_def def = ty_camera_sensor_def_default();
    def.exposure_min = 1e-6;
    if (!shots || !out) {
        return app_bad("camera", "--sheet takes exposure, noise or lens, and -o OUT.png, not '%s'.", kind);
    }
    ty_status status = camera_settings(&argc, argv, &def, &diag);
    if (status == TY_OK && camera_no_more(argc, argv, 1) != APP_OK) {
        return APP_BAD;
    }
    status = status == TY_OK ? camera_input_read(argv[1], &in, &diag) : status;
    if (status == TY_OK) {
        camera_input_fit(&in, &def);
        status = fill_sheet(&in, &def, shots, rgb, &diag);
    }
    for (int i = 0; i < TILES; i++) {
        tile[i] = (tyi_draw_tile){ rgb[i], shots[i].text };
    }
    status = status == TY_OK ? tyi_draw_write_sheet(out, title, tile, TILES, 3, def.width, def.height, &diag) : status;
    for (int i = 0; i < TILES; i++) {
        free(rgb[i]);
    }
    camera_input_free(&in);
    return status == TY_OK ? APP_OK : app_bad("camera", "%s.", diag.text);
}
