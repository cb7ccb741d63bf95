/* tests/unit/draw/test_truth_file.c - ground truth as files: what is written is read back as the numbers it was.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <unistd.h>
#include "tycho/tools/coco.h"
#include "tycho/tools/exr.h"
#include "tycho/tools/image.h"
#include "io/inner.h"
#include "render/inner.h"
#include "draw/truth_file.h"
#include "tyt.h"

enum { W = 8, H = 6, N = W * H };

TY_TEST(truth_file, numbers_come_back)
{
    char folder[] = "/tmp/tycho_truth_XXXXXX", stem[100], path[160];
    cr_assert(mkdtemp(folder));
    snprintf(stem, sizeof stem, "%s/cam_\"1\"", folder);
    double depth[N];
    float normal[3 * N], sunlit[N], flow[2 * N];
    uint8_t kind[N];
    uint32_t instance[N];
    for (int i = 0; i < N; i++) {
        bool rock = i % W >= 2 && i % W < 5 && i / W >= 3, sky = i / W == 0;
        kind[i] = sky ? TY_CLASS_SKY : rock ? TY_CLASS_ROCK : i / W == 5 ? TY_CLASS_RUT : TY_CLASS_GROUND;
        instance[i] = sky ? 0u : rock ? 0x80001234u : 1u << 30;
        depth[i] = sky ? (double)INFINITY : 1.5 + 0.25 * i;
        sunlit[i] = (float)(i % 5) / 4.0f;
        flow[2 * i] = i ? 0.5f * (float)i : NAN, flow[2 * i + 1] = -1.0f;
        for (int k = 0; k < 3; k++) {
            normal[3 * i + k] = sky ? 0.0f : k == 2 ? 0.8f : 0.6f * (float)(k == 0);
        }
    }
    ty_truth_box2 flat = { 0x80001234u, TY_CLASS_ROCK, 2, 3, 5, 6, 9 }, flat_back;
    ty_truth_box3 solid = { .half = { 0.5, 0.25, 0.125 },
                            .visible = 0.75,
                            .outline = 12,
                            .pose_W.q = { 1, 0, 0, 0 },
                            .pose_S = { { 1, 2, 3 }, { 0, 1, 0, 0 } },
                            .cut = true },
                  solid_back;
    double row[TY_TRUTH_BOX_COLUMNS];
    tyi_render_truth_box_put(&flat, &solid, row);
    tyi_render_truth_box_get(row, &flat_back, &solid_back);
    TY_CHECK(!memcmp(&flat, &flat_back, sizeof flat) && solid_back.half.z == 0.125 && solid_back.cut &&
             solid_back.outline == 12 && solid_back.pose_S.p.z == 3.0 && solid_back.pose_S.q.x == 1.0);
    tyi_draw_truth_frame frame = {
        W, H, depth, NULL, normal, sunlit, flow, kind, instance, &flat, &solid, 1, "a\"b.png"
    };
    unsigned written;
    ty_diag diag = { 0 };
    cr_assert(tyi_draw_truth_write(stem, &frame, &written, &diag) == TY_OK, "%s", diag.text);
    TY_CHECK(written == ((1u << TYI_DRAW_TRUTH_MAPS) - 1u - (1u << TYI_DRAW_TRUTH_RANGE)));

    snprintf(path, sizeof path, "%s_%s", stem, tyi_draw_truth_ending(TYI_DRAW_TRUTH_DEPTH));
    ty_exr e;
    cr_assert(ty_exr_read(path, &e, &diag) == TY_OK, "%s", diag.text);
    float *z = ty_exr_find(&e, "Y"); /* the one name that OpenCV takes for one channel */
    TY_CHECK(e.channels == 1 && z && isinf(z[3]) && z[20] == 6.5f && !ty_exr_find(&e, "Z"));
    ty_exr_free(&e);
    snprintf(path, sizeof path, "%s_flow.exr", stem);
    TY_CHECK(ty_exr_read(path, &e, &diag) == TY_OK);
    TY_CHECK(ty_exr_find(&e, "B")[0] == 0.0f && ty_exr_find(&e, "R")[9] == 4.5f && ty_exr_find(&e, "B")[9] == 1.0f);
    ty_exr_free(&e);

    ty_image image;
    const char *png[3] = { "class.png", "instance.png", "sun.png" };
    for (int k = 0; k < 3; k++) {
        snprintf(path, sizeof path, "%s_%s", stem, png[k]);
        cr_assert(ty_png_read(path, &image, &diag) == TY_OK, "%s", diag.text);
        TY_CHECK(image.bits == 16 && image.channels == 1 && image.width == W);
        const uint16_t *v = (const uint16_t *)(const void *)image.data;
        for (int i = 0; i < N; i++) {
            int want = k == 0   ? kind[i]
                       : k == 1 ? (kind[i] == TY_CLASS_SKY    ? 0
                                   : kind[i] == TY_CLASS_ROCK ? 2
                                                              : 1)
                                : (int)lrintf(65535.0f * sunlit[i]);
            TY_CHECK(v[i] == want);
        }
        ty_image_free(&image);
    }
    snprintf(path, sizeof path, "%s_boxes.json", stem);
    ty_coco coco;
    cr_assert(ty_coco_read(path, &coco, &diag) == TY_OK, "%s", diag.text);
    uint8_t mask[N];
    TY_CHECK(coco.boxes == 1 && coco.box[0].x == 2 && coco.box[0].w == 3 && coco.box[0].area == 9 &&
             coco.box[0].category == TY_CLASS_ROCK && !strcmp(coco.image[0].file, "a\"b.png"));
    TY_CHECK(tyi_io_coco_rle_decode(coco.box[0].rle, W, H, mask));
    for (int i = 0; i < N; i++) {
        TY_CHECK(mask[i] == (kind[i] == TY_CLASS_ROCK));
    }
    ty_coco_free(&coco);
    char command[100];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    TY_CHECK(system(command) == 0);
}
