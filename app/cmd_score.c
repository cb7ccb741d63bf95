/* app/cmd_score.c - `tycho score`: anyone's predictions against the truth.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "score.h"
#include "io/out_file.h"

ty_status score_open(const char *path, tyi_io_sink **out, ty_diag *diag)
{
    return tyi_io_sink_open(path ? path : "/dev/null", out, diag);
}

void score_number(FILE *out, const char *before, double value)
{
    if (isfinite(value)) {
        fprintf(out, "%s%.9g", before, value);
    } else {
        fprintf(out, "%snull", before);
    }
}

static int run(int argc, char **argv)
{
    ty_diag diag = { 0 };
    const char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "depth")) {
        score_depth(argc - 1, argv + 1, &diag);
    } else if (!strcmp(what, "boxes")) {
        score_boxes(argc - 1, argv + 1, &diag);
    } else if (!strcmp(what, "map")) {
        score_map(argc - 1, argv + 1, &diag);
    } else {
        ty_fail(&diag, TY_ERR_INPUT, "takes depth, boxes or map, not '%s'", what);
    }
    return diag.status == TY_OK ? APP_OK : app_bad("score", "%s.", diag.text);
}

const app_command app_cmd_score = {
    "score",
    "depth maps, boxes and maps of the ground that somebody made, against the truth",
    "usage: tycho score depth TRUTH PREDICTED... [options]\n"
    "       tycho score boxes LABELS.json PREDICTIONS.json [options]\n"
    "       tycho score map SCENARIO.yaml MAP.csv... [options]\n\n"
    "depth: the depth error ratio |predicted - true| / true, per image and per rock, and how many rocks are found.\n"
    "TRUTH is a data set (its folder), and each PREDICTED a folder with maps of the names of its depth/; or both are single\n"
    "maps: .png (16 bits, millimetres, 0 is unknown) or .exr (channel Y, or Z, metres).\n"
    "  --instances MASK    single maps: the instance mask that tells the rocks apart (.png)\n"
    "  --by mask|box       a rock is its pixels (default) or its whole box\n"
    "  --limit R           a rock is found when its error is below this; 0.05\n"
    "  --coverage S        ... and this share of its pixels is predicted; 0.5\n\n"
    "boxes: mAP@0.5, mAP@[.5:.95] and mean IoU of predictions as COCO has them, [{image_id, category_id, bbox, score}].\n"
    "  --least-score S     predictions below this are left out; 0\n"
    "  --plot FILE         precision over recall at an overlap of 0.5 (.png, .svg)\n\n"
    "map: heights and rocks of a field in square cells, against the ground that the scenario makes (docs/task.md). MAP.csv has the\n"
    "columns x, y, height, rock. 300 points for the share of heights that are right, 300 for the F1 of the cells with rocks.\n"
    "  --set KEY=VALUE     of the scenario, as terrain.seed=101\n"
    "  --size L --cell L   [m] of the field, 27, and of a cell, 0.15\n"
    "  --limit L --rock L  [m] a height nearer to the truth is right; a rock so high above the ground counts; 0.05\n"
    "  --picture FILE.png  truth and map side by side: rocks found (green), said in vain (red), missed (yellow)\n"
    "  --truth FILE.csv    the truth as such a file\n\n"
    "  -o FILE.json        all numbers\n"
    "  --quiet             no table\n\n"
    "example: tycho score depth out/polar_small out/my_depth -o depth.json\n",
    run,
};
