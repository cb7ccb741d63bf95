/* Depth and boxes scored: known errors, missing pixels, crowds, order of predictions.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "k_philox.h"
#include "tycho/tools/score.h"
#include "tyt.h"

enum { W = 40, H = 30 };

static double draw(ty_u32 i, ty_u32 purpose)
{
    return ty_k_uniform(ty_k_philox(i, purpose, 0, 0, 3, TY_RNG_TEST).v[0]);
}

static void make_depth(float *truth)
{
    for (ty_u32 i = 0; i < W * H; i++) {
        truth[i] = (float)(1.0 + 30.0 * draw(i, 1));
    }
}

TY_TEST(score, depth_of_a_known_error)
{
    float truth[W * H], off[W * H];
    ty_score_limit limit = ty_score_limit_default();
    make_depth(truth);
    ty_score_depth_result same = ty_score_depth(W * H, truth, truth, &limit);
    TY_NEAR(same.der, 0.0, 0.0);
    TY_CHECK(same.success && same.scored == W * H);
    for (int i = 0; i < W * H; i++) {
        off[i] = 1.03f * truth[i];
    }
    ty_score_depth_result far = ty_score_depth(W * H, truth, off, &limit);
    TY_NEAR(far.der, 0.03, 1e-7);                                      /* rounding of floats, 6e-8 */
    TY_FAR(ty_score_depth(W * H, off, truth, &limit).der, 0.03, 5e-4); /* control: the other way it is 0.03 / 1.03 */
    /* half 3 % farther, a quarter 10 % nearer, the rest unknown: (2 * 3 + 10) / 3 over three quarters */
    for (int i = 0; i < W * H; i++) {
        off[i] = i % 4 < 2 ? 1.03f * truth[i] : i % 4 == 2 ? 0.9f * truth[i] : i % 8 == 3 ? 0.0f : INFINITY;
    }
    ty_score_depth_result mixed = ty_score_depth(W * H, truth, off, &limit);
    TY_NEAR(mixed.der, (2 * 0.03 + 0.1) / 3.0, 1e-7);
    TY_CHECK(mixed.scored == W * H * 3 / 4 && mixed.pixels == W * H && !mixed.success);
    truth[0] = 0.0f, truth[1] = NAN, truth[2] = INFINITY, truth[3] = -1.0f; /* sky and unknown truth do not count */
    TY_CHECK(ty_score_depth(W * H, truth, off, &limit).pixels == W * H - 4);
    TY_CHECK(isnan(ty_score_depth(4, truth, off, &limit).der));
    TY_ROW("depth error ratio: 0 against itself, 3 % against a copy 3 % farther", "exact", "%.0e",
           fabs(far.der - 0.03));
}

TY_TEST(score, rocks)
{
    float truth[W * H], guess[W * H];
    uint16_t mask[W * H] = { 0 };
    ty_score_limit limit = ty_score_limit_default();
    make_depth(truth);
    memcpy(guess, truth, sizeof guess);
    for (int y = 0; y < H; y++) {
        for (int x = 0; x < W; x++) {
            int i = y * W + x;
            mask[i] = x >= 5 && x < 15 && y >= 5 && y < 10 && x - 5 >= y - 5 ? 3
                      : x >= 20 && x < 30 && y >= 20 && y < 25               ? 900
                                                                             : 0;
            if (mask[i] == 3) {
                guess[i] = 1.04f * truth[i]; /* found */
            } else if (mask[i] == 900) {
                guess[i] = x < 26 ? NAN : truth[i]; /* right where it is known, but that is 40 % */
            }
        }
    }
    ty_score_depth_result rock[4];
    TY_CHECK(ty_score_depth_rocks(W, H, truth, guess, mask, false, &limit, rock, 4) == 2);
    TY_CHECK(rock[0].instance == 3 && rock[1].instance == 900);
    TY_NEAR(rock[0].der, 0.04, 1e-7);
    TY_CHECK(rock[0].success && rock[0].pixels == 40); /* 10 + 9 + 8 + 7 + 6 */
    TY_NEAR(rock[1].der, 0.0, 0.0);
    TY_CHECK(!rock[1].success && rock[1].pixels == 50 && rock[1].scored == 20);
    limit.coverage = 0.3;
    TY_CHECK(ty_score_depth_rocks(W, H, truth, guess, mask, false, &limit, rock, 1) == 2); /* no room for the second */
    ty_score_depth_rocks(W, H, truth, guess, mask, true, &limit, rock, 4);
    TY_NEAR(rock[0].der, 0.04 * 40.0 / 50.0, 1e-7); /* its whole box: 10 of 50 pixels are ground, without error */
    TY_CHECK(rock[1].success);
}

static ty_coco_box box(int64_t id, int64_t image, double x, double score, bool crowd)
{
    return (ty_coco_box){
        .id = id, .image = image, .category = 1, .x = x, .y = 0, .w = 10, .h = 10, .score = score, .crowd = crowd
    };
}

static ty_score_box_result score(ty_coco_box *truth, size_t truths, ty_coco_box *guess, size_t guesses)
{
    ty_coco_image image[] = { { .id = 1, .file = "" }, { .id = 2, .file = "" } };
    ty_coco_category rock = { 1, "rock" };
    ty_coco labels = { image, truth, &rock, 2, truths, 1, NULL }, results = { .box = guess, .boxes = guesses };
    ty_score_box_result s;
    ty_diag diag = { 0 };
    TY_CHECK(ty_score_boxes(&labels, &results, &s, &diag) == TY_OK);
    return s;
}

TY_TEST(score, boxes_by_hand)
{
    ty_coco_box truth[] = { box(1, 1, 0, 0, false), box(2, 1, 50, 0, false), box(3, 2, 0, 0, false) };
    ty_coco_box all[] = { box(0, 1, 0, 0.1, false), box(0, 1, 50, 0.2, false), box(0, 2, 0, 0.3, false) };
    ty_score_box_result s = score(truth, 3, all, 3);
    TY_NEAR(s.map, 1.0, 1e-15);
    TY_NEAR(s.mean_iou, 1.0, 0.0);
    s = score(truth, 3, NULL, 0);
    TY_NEAR(s.map, 0.0, 0.0);
    /* hit, miss, hit, double: (34 + 33 * 2/3) / 101 */
    ty_coco_box some[] = { box(0, 1, 0, 0.9, false), box(0, 2, 80, 0.8, false), box(0, 1, 50, 0.7, false),
                           box(0, 1, 0, 0.6, false) };
    s = score(truth, 3, some, 4);
    TY_NEAR(s.map50, 56.0 / 101.0, 1e-14);
    TY_NEAR(s.mean_iou, 2.0 / 3.0, 1e-15);
    TY_FAR(s.map50, 2.0 / 3.0, 0.05); /* control: recall is not precision */
    /* shifted by 2 of 10: overlap 8/12, so it counts up to 0.65: four of ten thresholds */
    ty_coco_box one[] = { box(0, 2, 2, 0.5, false) };
    s = score(truth + 2, 1, one, 1);
    TY_NEAR(s.map50, 1.0, 1e-15);
    TY_NEAR(s.map, 0.4, 1e-15);
    TY_NEAR(s.mean_iou, 2.0 / 3.0, 1e-15);
    TY_ROW("mAP and mean IoU within 1e-14", "fractions by hand", "%.0e", tyt_worst("s.map50"));
}

TY_TEST(score, crowds_and_other_categories)
{
    ty_coco_box truth[] = { box(1, 1, 0, 0, false), box(2, 1, 50, 0, true) };
    truth[1].w = 40;
    ty_coco_box guess[] = { box(0, 1, 55, 0.9, false), box(0, 1, 70, 0.8, false), box(0, 1, 0, 0.7, false),
                            box(0, 1, 20, 0.95, false) };
    guess[3].category = 9; /* the labels have none: left out, not counted as false */
    ty_score_box_result s = score(truth, 2, guess, 4);
    TY_NEAR(s.map, 1.0, 1e-15); /* two in the crowd count neither way */
    TY_CHECK(s.truths == 1 && s.left_out == 1);
    truth[1].crowd = false; /* control: the wide box is then one more that is missed, and two are false */
    TY_FAR(score(truth, 2, guess, 4).map, 1.0, 0.5);
    ty_coco_image image = { .id = 1, .file = "" };
    ty_coco_category rock = { 1, "rock" };
    ty_coco labels = { &image, truth, &rock, 1, 0, 1, NULL }, results = { .box = guess, .boxes = 3 };
    ty_diag diag = { 0 };
    TY_CHECK(ty_score_boxes(&labels, &results, &s, &diag) == TY_OK && isnan(s.map)); /* nothing to find */
    guess[1].image = 5;
    TY_CHECK(ty_score_boxes(&labels, &results, &s, &diag) == TY_ERR_INPUT &&
             strstr(diag.text, "predictions[1].image_id is 5"));
}
