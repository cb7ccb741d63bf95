/* src/study/score_map.h - a map of a field, heights and rocks in square cells, against its truth (docs/task.md).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_STUDY_SCORE_MAP_H
#define TYI_STUDY_SCORE_MAP_H
#include "tycho/scenario.h"

typedef struct tyi_study_field {
    double size;  /* [m] 27     side of the square field around the site's origin */
    double cell;  /* [m] 0.15   side of a cell; a whole number of them along the field */
    double limit; /* [m] 0.05   a height is right when it is nearer to the truth than this */
    double rock;  /* [m] 0.05   a rock counts where it stands so high above the ground around it, or higher */
} tyi_study_field;
tyi_study_field tyi_study_field_default(void);

/* Cells by rows from the south, in each from the west. */
typedef struct tyi_study_map {
    int cells;     /* along a side */
    double cell;   /* [m] */
    float *height; /* [m] mean over the cell, z of the site's frame; NaN: not known */
    uint8_t *rock; /* 1: there is a rock in the cell */
} tyi_study_map;
void tyi_study_map_free(tyi_study_map *map);

/* The ground of a scenario as it is made: 4 x 4 rays from above into each cell, as the Lunar Autonomy Challenge does
 * [lac-map]; the height is their mean, rocks included. On success the caller owns *out. TY_ERR_INPUT for a field that
 * is not made of whole cells or has more than 1000 along a side, TY_ERR_MEMORY, and what scenes return. */
ty_status tyi_study_map_truth(const ty_scenario *scenario, ty_terrain *terrain, const tyi_study_field *field,
                              tyi_study_map *out, ty_diag *diag);
/* A table with the columns x, y, height, rock: a row for each cell that is known, x and y anywhere in it. An empty
 * height is not known, an empty rock is none. TY_ERR_INPUT names the line and what is wrong there. */
ty_status tyi_study_map_read(const char *path, const tyi_study_field *field, tyi_study_map *out, ty_diag *diag);
ty_status tyi_study_map_write(const char *path, const tyi_study_map *map, ty_diag *diag);

typedef struct tyi_study_map_score {
    size_t cells, known, right;        /* known: with a height; right: of these, near enough to the truth */
    size_t hits, false_alarms, missed; /* cells with rocks */
    double mean_error, rms_error;      /* [m] found - true over the known cells; NaN where there are none */
    double heights, rocks;             /* [-] right / cells; F1 of the cells with rocks */
    double points;                     /* [-] 300 of each: 0 to 600 */
} tyi_study_map_score;
tyi_study_map_score tyi_study_map_judge(const tyi_study_map *truth, const tyi_study_map *found, double limit);

#endif
