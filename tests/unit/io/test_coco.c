/* Masks as run lengths, and COCO files. Run-length texts worked out by hand from the format: 5 bits a character from
 * '0' on, 32 added where more follow, columns first.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <unistd.h>
#include "k_philox.h"
#include "tycho/tools/coco.h"
#include "io/inner.h"
#include "tyt.h"

static void encodes(int w, int h, const uint16_t *mask, const char *want)
{
    char *got = tyi_io_coco_rle_encode(w, h, mask, 1, NULL);
    TY_CHECK(got && !strcmp(got, want));
    if (got && strcmp(got, want)) {
        printf("got %s, want %s\n", got, want);
    }
    free(got);
}

TY_TEST(coco, run_lengths_by_hand)
{
    uint16_t none[9] = { 0 }, all[9] = { 1, 1, 1, 1, 1, 1, 1, 1, 1 }, big[64] = { 0 };
    encodes(3, 3, none, "9");                        /* 9 zeros: '0' + 9 */
    encodes(3, 3, all, "09");                        /* no zeros, 9 ones */
    uint16_t one[9] = { 0, 0, 0, 1, 0, 0, 0, 0, 0 }; /* x = 0, y = 1: down the first column it is the second */
    encodes(3, 3, one, "117");
    encodes(8, 4, big, "P1");                        /* 32 = 0 and 1: '0' + 0 + 32, '0' + 1 */
    encodes(4, 4, big, "`0");                        /* 16: its highest bit would be a sign, so a 0 follows */
    uint16_t two[9] = { 0, 1, 1, 1, 1, 1, 1, 1, 0 }; /* columns: 0 1 1 | 1 1 1 | 1 1 0 */
    encodes(3, 3, two, "171");
    uint16_t row[10] = { 0, 1, 1, 1, 1, 1, 0, 1, 1, 0 };
    encodes(10, 1, row, "151M0"); /* 1 5 1 2 1: 2 - 5 = -3 is 29: '0' + 29 = 'M'; 1 - 1 = 0 */
}

TY_TEST(coco, run_lengths_come_back)
{
    enum { W = 37, H = 23 };
    uint16_t image[W * H];
    uint8_t back[W * (H + 1)];
    for (ty_u32 k = 0; k < 200; k++) {
        for (ty_u32 i = 0; i < W * H; i++) { /* from single pixels to large areas */
            ty_k_u32x4 r = ty_k_philox(i / (1 + k % 50), k, 0, 0, 1, TY_RNG_TEST);
            bool in = i % W >= 5 && i % W < 30 && i / W >= 2 && i / W < 20;
            image[i] = in ? (uint16_t)(r.v[0] % 3) : 2;
        }
        const int box[4] = { 5, 2, 30, 20 };
        char *text = tyi_io_coco_rle_encode(W, H, image, 1, NULL), *again = tyi_io_coco_rle_encode(W, H, image, 1, box);
        TY_CHECK(!strcmp(text, again)); /* nothing lies outside that box */
        free(again);
        TY_CHECK(tyi_io_coco_rle_decode(text, W, H, back));
        for (int i = 0; i < W * H; i++) {
            TY_CHECK(back[i] == (image[i] == 1));
        }
        TY_CHECK(!tyi_io_coco_rle_decode(text, W, H + 1, back)); /* control: of another size */
        text[strlen(text) / 2] = 'z';                            /* control: no such character */
        TY_CHECK(!tyi_io_coco_rle_decode(text, W, H, back));
        free(text);
    }
    TY_CHECK(!tyi_io_coco_rle_decode("oooooooooooooooooooooooo", W, H, back)); /* a number that never ends */
    TY_CHECK(!tyi_io_coco_rle_decode("@", W, H, back));                        /* below 0 */
    TY_ROW("COCO masks come back exactly", "200 random masks", "0 pixels differ");
}

static ty_status reads(const char *text, bool results, ty_coco *out, ty_diag *diag)
{
    char path[] = "/tmp/tyt_cocoXXXXXX";
    int fd = mkstemp(path);
    FILE *f = fdopen(fd, "w");
    fputs(text, f);
    fclose(f);
    ty_status status = results ? ty_coco_read_results(path, out, diag) : ty_coco_read(path, out, diag);
    unlink(path);
    return status;
}

TY_TEST(coco, files)
{
    ty_coco c;
    ty_diag diag = { 0 };
    TY_CHECK(
        reads(
            "{\"images\": [{\"id\": 7, \"width\": 20, \"height\": 10, \"file_name\": \"a.png\"}], \"categories\": [{\"id\": 3, \"name\": \"rock\"}],"
            "\"annotations\": [{\"id\": 1, \"image_id\": 7, \"category_id\": 3, \"bbox\": [1, 2.5, 3, 4], \"area\": 9, \"iscrowd\": 1,"
            "\"segmentation\": {\"size\": [10, 20], \"counts\": \"P1\"}, \"visible\": 0.5}]}",
            false, &c, &diag) == TY_OK);
    TY_CHECK(c.images == 1 && c.image[0].id == 7 && c.image[0].width == 20 && !strcmp(c.image[0].file, "a.png"));
    TY_CHECK(c.categories == 1 && !strcmp(c.category[0].name, "rock"));
    TY_CHECK(c.boxes == 1 && c.box[0].y == 2.5 && c.box[0].crowd && c.box[0].visible == 0.5 && isnan(c.box[0].lit));
    TY_CHECK(!strcmp(c.box[0].rle, "P1") && c.box[0].rle_height == 10);
    ty_coco_free(&c);
    static const struct {
        const char *text;
        bool results;
        const char *says;
    } wrong[] = {
        { "{}", false, "has no list of images" },
        { "[1]", true, "predictions[0] takes an object" },
        { "[{\"image_id\": 1.5, \"category_id\": 1, \"bbox\": [1, 1, 1, 1], \"score\": 1}]", true,
          "image_id takes a whole number" },
        { "[{\"image_id\": 1, \"category_id\": 1, \"bbox\": [1, 1, -1, 1], \"score\": 1}]", true,
          "bbox takes four numbers" },
        { "[{\"image_id\": 1, \"category_id\": 1, \"bbox\": [1, 1, 1, 1], \"score\": \"x\"}]", true,
          "score takes a number" },
        { "{\"images\": 3}", false, "has no list of images" },
        { "nonsense", false, "is not JSON" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ty_diag why = { 0 };
        TY_CHECK(reads(wrong[i].text, wrong[i].results, &c, &why) == TY_ERR_FORMAT && strstr(why.text, wrong[i].says));
        TY_CHECK(!c.memory);
    }
}

/* every cut and many damaged bytes of a file: an answer or a sentence, never a crash */
TY_TEST(coco, damaged_files)
{
    static const char good[] =
        "[{\"image_id\": 1, \"category_id\": 1, \"bbox\": [1, 2, 3, 4], \"score\": 0.5, \"segmentation\": {\"size\": [4, 4], \"counts\": \"`0\"}}]";
    ty_coco c;
    size_t refused = 0;
    for (size_t i = 0; i < sizeof good; i++) {
        char text[sizeof good];
        memcpy(text, good, sizeof good);
        text[i] = 0;
        ty_diag diag = { 0 };
        refused += reads(text, true, &c, &diag) != TY_OK;
        ty_coco_free(&c);
        memcpy(text, good, sizeof good);
        text[i] = i + 1 == sizeof good ? 0 : i % 2 ? '{' : '9'; /* the end of the text stays */
        diag = (ty_diag){ 0 };
        reads(text, true, &c, &diag);
        ty_coco_free(&c);
    }
    TY_CHECK(refused == sizeof good - 1); /* only the whole one is read */
}
