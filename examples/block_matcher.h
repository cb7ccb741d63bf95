/* examples/block_matcher.h - depth from a pair of images of the ground: a small block matcher.
 *
 * On level ground disparity grows evenly from the horizon down. So the right image is first sheared by what a plane
 * would give: then ground looks the same in both, blocks do not stretch over several disparities, and what is left
 * to find is small. Each pixel becomes a census word: 24 bits that say which of its neighbours in 5 x 5 are darker
 * than it; brightness and exposure drop out, and two words are as alike as bits of them agree (Zabih and Woodfill
 * 1994). For each pixel of the left image and each disparity, the bits that differ are summed over a block of 9 x 9;
 * the smallest sum wins, and a parabola through it and its neighbours gives fractions of a pixel. A match stays only
 * if the right image, matched the other way round, agrees, if no other disparity is nearly as good, and if the
 * pixels around it have matches like it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BLOCK_MATCHER_H
#define BLOCK_MATCHER_H
#include <stdbool.h>

/* Images of width x height, rows from the top, rectified: what is at column u in the left one is at u - disparity in
 * the same row of the right one. plane: disparity [px] of the ground, plane[0] + plane[1] u + plane[2] v; what lies
 * from 3 px below that to 15 above is found. disparity [px]: width x height, 0 where there is no match. false: no
 * memory. */
bool block_match(const float *left, const float *right, int width, int height, const double plane[3], float *disparity);

#endif
