/* Bayer pattern, demosaicing, white balance, compression.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "rig.h"
#include <jpeglib.h> /* needs stdio.h before it */

static ty_camera_sensor_def color_def(int width, int height)
{
    ty_camera_sensor_def def = rig_bare(width, height);
    ty_camera_sensor_def_color(&def);
    memset(def.qe, 0, sizeof def.qe);
    for (int c = 0; c < 3; c++) {
        def.qe[c][c] = 0.4; /* pure colours, so that each channel is a band */
        def.lambda[c] = 550e-9;
    }
    for (int i = TY_CAMERA_AGGREGATOR; i <= TY_CAMERA_WHITE_BALANCE; i++) {
        def.on[i] = i == TY_CAMERA_AGGREGATOR || i == TY_CAMERA_MOSAIC || i == TY_CAMERA_RESPONSE ||
                    i == TY_CAMERA_QUANTISE || i == TY_CAMERA_DEMOSAIC;
    }
    def.bits = 16, def.a = 1.0, def.b = 0.0;
    return def;
}

static void fill(rig *r, double (*electrons)(int x, int y, int c))
{
    const ty_camera_sensor_def *def = ty_camera_sensor_get_def(r->sensor);
    for (int y = 0; y < def->height; y++) {
        for (int x = 0; x < def->width; x++) {
            for (int c = 0; c < 3; c++) {
                ty_buffer_set(&r->radiance, x, y, c, rig_radiance(def, electrons(x, y, c), def->exposure));
            }
        }
    }
}

static double pure(int x, int y, int c)
{
    (void)x;
    (void)y;
    return 1000.0 * (c + 1);
}

static double ramp(int x, int y, int c) /* colours that differ by constants, brightness linear in place */
{
    return 5000.0 + 40.0 * x + 25.0 * y + 1000.0 * c;
}

TY_TEST(color, pattern_is_rggb_and_shifts)
{
    for (int shift = 0; shift < 4; shift++) {
        ty_camera_sensor_def def = color_def(8, 6);
        def.on[TY_CAMERA_DEMOSAIC] = false;
        def.shift_x = shift % 2, def.shift_y = shift / 2;
        rig r = rig_make(&def, 1);
        fill(&r, pure);
        const ty_buffer *out = rig_shoot(&r);
        TY_CHECK(out->type.channels == 1);
        static const double rggb[2][2] = { { 1000.0, 2000.0 }, { 2000.0, 3000.0 } };
        for (int i = 0; i < 48; i++) {
            int x = i % 8, y = i / 8;
            TY_NEAR(ty_buffer_get(out, x, y, 0), rggb[(y + def.shift_y) % 2][(x + def.shift_x) % 2], 0.0);
        }
        TY_FAR(ty_buffer_get(out, 0, 0, 0), rggb[1 - def.shift_y][1 - def.shift_x], shift % 3 ? -1.0 : 0.5);
        rig_free(&r);
    }
}

/* Both methods give back even colours anywhere and, away from the edges, a ramp with constant
 * differences between colours exactly (Malvar) or to the rounding of a mean (bilinear). */
TY_TEST(color, demosaic_gives_back_smooth_colours)
{
    for (int k = 0; k < 8; k++) {
        ty_camera_sensor_def def = color_def(20, 14);
        def.demosaic = (ty_camera_demosaic)(k % 2);
        def.shift_x = k / 2 % 2, def.shift_y = k / 4;
        rig r = rig_make(&def, 1);
        fill(&r, pure);
        const ty_buffer *out = rig_shoot(&r);
        TY_CHECK(out->type.channels == 3);
        for (int i = 0; i < 20 * 14 * 3; i++) {
            TY_NEAR(ty_buffer_get(out, i / 3 % 20, i / 60, i % 3), 1000.0 * (i % 3 + 1), 0.0);
        }
        fill(&r, ramp);
        out = rig_shoot(&r);
        for (int i = 0; i < 16 * 10 * 3; i++) {
            int x = 2 + i / 3 % 16, y = 2 + i / 48, c = i % 3;
            TY_NEAR(ty_buffer_get(out, x, y, c), ramp(x, y, c), 1.0);
            TY_FAR(ty_buffer_get(out, x, y, c), ramp(x, y, (c + 1) % 3), 1.0);
        }
        rig_free(&r);
    }
    TY_ROW("Bayer pattern and back: smooth colours within 1 DN", "the image itself", "worst %.1f DN",
           tyt_worst("ty_buffer_get(out, x, y, c)"));
}

static double grey_edge(int x, int y, int c) /* a grey scene with curvature: what Malvar is for */
{
    (void)c;
    return 20000.0 + 8000.0 * sin(0.55 * x) * sin(0.4 * y + 0.3 * x);
}

static double demosaic_error(ty_camera_demosaic method)
{
    ty_camera_sensor_def def = color_def(64, 48);
    def.demosaic = method;
    rig r = rig_make(&def, 1);
    fill(&r, grey_edge);
    const ty_buffer *out = rig_shoot(&r);
    double sum = 0.0;
    for (int i = 0; i < 60 * 44 * 3; i++) {
        int x = 2 + i / 3 % 60, y = 2 + i / 180, c = i % 3;
        sum += pow(ty_buffer_get(out, x, y, c) - grey_edge(x, y, c), 2.0);
    }
    rig_free(&r);
    return sqrt(sum / (60 * 44 * 3));
}

/* [malvar2004] report 5.5 dB over bilinear on photographs; on a smooth grey scene it is more */
TY_TEST(color, malvar_is_better_than_bilinear)
{
    double malvar = demosaic_error(TY_CAMERA_MALVAR), bilinear = demosaic_error(TY_CAMERA_BILINEAR);
    TY_CHECK(20.0 * log10(bilinear / malvar) > 5.5);
    printf("demosaic: bilinear %.1f DN, Malvar %.1f DN rms\n", bilinear, malvar);
}

TY_TEST(color, white_balance_scales_over_the_offset)
{
    ty_camera_sensor_def def = color_def(8, 8);
    def.b = 100.0;
    def.white[0] = 3.0, def.white[2] = 0.5;
    def.on[TY_CAMERA_WHITE_BALANCE] = true;
    rig r = rig_make(&def, 1);
    fill(&r, pure);
    const ty_buffer *out = rig_shoot(&r);
    TY_NEAR(ty_buffer_get(out, 3, 3, 0), 3100.0, 0.0);
    TY_NEAR(ty_buffer_get(out, 3, 3, 1), 2100.0, 0.0);
    TY_NEAR(ty_buffer_get(out, 3, 3, 2), 1600.0, 0.0);
    TY_FAR(ty_buffer_get(out, 3, 3, 0), 3.0 * 1100.0, 1.0); /* control: the offset scaled too */
    rig_free(&r);
    TY_ROW("white balance scales over the offset, exactly", "by hand", "%.0f DN",
           tyt_worst("ty_buffer_get(out, 3, 3, 0)"));
}

/* ---- compression against libjpeg ---- */

/* through libjpeg and back, quality as given, colours not subsampled */
static void libjpeg(const uint8_t *in, uint8_t *out, int width, int height, int channels, int quality)
{
    unsigned char *file = NULL;
    unsigned long bytes = 0;
    struct jpeg_error_mgr err;
    struct jpeg_compress_struct c;
    c.err = jpeg_std_error(&err);
    jpeg_create_compress(&c);
    jpeg_mem_dest(&c, &file, &bytes);
    c.image_width = (unsigned)width, c.image_height = (unsigned)height;
    c.input_components = channels;
    c.in_color_space = channels == 3 ? JCS_RGB : JCS_GRAYSCALE;
    jpeg_set_defaults(&c);
    jpeg_set_quality(&c, quality, TRUE);
    c.dct_method = JDCT_ISLOW;
    c.comp_info[0].h_samp_factor = c.comp_info[0].v_samp_factor = 1;
    jpeg_start_compress(&c, TRUE);
    for (int y = 0; y < height; y++) {
        JSAMPROW row = (JSAMPROW)(uintptr_t)(in + y * width * channels);
        jpeg_write_scanlines(&c, &row, 1);
    }
    jpeg_finish_compress(&c);
    jpeg_destroy_compress(&c);
    struct jpeg_decompress_struct d;
    d.err = jpeg_std_error(&err);
    jpeg_create_decompress(&d);
    jpeg_mem_src(&d, file, bytes);
    jpeg_read_header(&d, TRUE);
    d.dct_method = JDCT_ISLOW;
    d.out_color_space = channels == 3 ? JCS_RGB : JCS_GRAYSCALE;
    jpeg_start_decompress(&d);
    for (int y = 0; y < height; y++) {
        JSAMPROW row = out + y * width * channels;
        jpeg_read_scanlines(&d, &row, 1);
    }
    jpeg_finish_decompress(&d);
    jpeg_destroy_decompress(&d);
    free(file);
}

typedef struct difference {
    double rms, mean;
} difference;

static difference differ(const uint8_t *a, const uint8_t *b, int n)
{
    difference d = { 0.0, 0.0 };
    for (int i = 0; i < n; i++) {
        double e = (double)a[i] - b[i];
        d.rms += e * e;
        d.mean += e;
    }
    return (difference){ sqrt(d.rms / n), d.mean / n };
}

static ty_status run_compress(uint8_t *image, int width, int height, int channels, int quality)
{
    ty_camera_sensor_def def = rig_bare(width, height);
    def.bits = 8;
    def.quality = quality;
    def.on[TY_CAMERA_COMPRESS] = true;
    ty_camera_sensor *s;
    ty_pipeline *p;
    const ty_buffer *out;
    ty_diag diag = { 0 };
    cr_assert(ty_camera_sensor_create(&def, &s, &diag) == TY_OK && ty_pipeline_create(NULL, 2, &p, &diag) == TY_OK);
    ty_filter f = ty_camera_sensor_filter(s, TY_CAMERA_COMPRESS);
    ty_pipeline_insert(p, 0, &f, &diag);
    ty_buffer in = ty_buffer_wrap(&(ty_buffer_type){ width, height, channels, TY_ELEMENT_U8, TY_UNIT_DN, 'S' }, image);
    ty_status status = ty_pipeline_run(p, &in, NULL, 0, &out, &diag);
    if (status == TY_OK) {
        memcpy(image, out->data, (size_t)(width * height * channels));
    }
    ty_pipeline_destroy(p);
    ty_camera_sensor_destroy(s);
    return status;
}

/* The same picture through libjpeg and through the filter: the loss is the same, and what differs
 * is the rounding of whole numbers (libjpeg's integer transforms, in colour also of Y, Cb, Cr),
 * which now and then tips a coefficient to its other step. */
TY_TEST(color, compression_is_jpegs)
{
    enum { W = 77, H = 51 };
    static uint8_t image[W * H * 3], ours[W * H * 3], theirs[W * H * 3];
    for (int channels = 1; channels <= 3; channels += 2) {
        int n = W * H * channels;
        for (int i = 0; i < n; i++) {
            int x = i / channels % W, y = i / channels / W, c = i % channels;
            double v = 128.0 + 60.0 * sin(0.21 * x + 0.1 * y + c) + (x > 40 ? 40.0 : -30.0) * (y > 20);
            image[i] = (uint8_t)fmin(fmax(v, 0.0), 255.0);
        }
        for (int quality = 10; quality <= 90; quality += 40) {
            memcpy(ours, image, (size_t)n);
            TY_CHECK(run_compress(ours, W, H, channels, quality) == TY_OK);
            libjpeg(image, theirs, W, H, channels, quality);
            double loss = differ(theirs, image, n).rms, between = differ(ours, theirs, n).rms;
            TY_NEAR(between, 0.0, 0.6);
            TY_NEAR_REL(differ(ours, image, n).rms, loss, 0.01);
            TY_FAR_REL(differ(ours, image, n).rms, loss * 1.05, 0.01);
            libjpeg(image, theirs, W, H, channels, quality / 2); /* control: another quality */
            TY_CHECK(differ(ours, theirs, n).rms > 2.0 * between);
        }
    }
    TY_ROW("compression: loss within 1 %, within 0.6 DN rms of the other's image", "libjpeg", "%.2f %%, %.2f DN",
           100.0 * tyt_worst_rel("differ(ours, image, n).rms"), tyt_worst("between"));
}

TY_TEST(color, compression_refuses_two_channels)
{
    uint8_t image[8 * 8 * 2] = { 0 };
    TY_CHECK(run_compress(image, 8, 8, 2, 50) == TY_ERR_INPUT);
}
