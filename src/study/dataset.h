/* src/study/dataset.h - what the dataset_*.c files share: the plan of a data set, names, one view's labels.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_STUDY_DATASET_H
#define TYI_STUDY_DATASET_H
#include "core/core.h"
#include "io/document.h"
#include "tycho/camera.h"
#include "tycho/tools/dataset.h"
#include "tycho/render.h"
#include "tycho/stage.h"
#include "tycho/world.h"

extern const tyi_io_schema tyi_study_dataset_schema; /* dataset_schema.c; fills a ty_dataset_def */

#define TYI_STUDY_NAME 96 /* bytes of a name without folder and ending */

/* ---- dataset_plan.c ---- */

typedef struct tyi_study_terrain_plan {
    const ty_dataset_site *site;
    uint64_t seed;
    uint64_t file_hash; /* of the scenario's text */
    bool test;          /* for tests; otherwise for training */
    size_t group;       /* terrains of one group share their ground's base: they stay together */
} tyi_study_terrain_plan;

typedef struct tyi_study_light_plan {
    double azimuth, elevation; /* [rad] */
    double lamp;               /* [W/sr] */
} tyi_study_light_plan;

typedef struct tyi_study_exposure_plan {
    double time; /* [s] 0: automatic */
    bool ideal;  /* without the physical camera's blur and noise */
} tyi_study_exposure_plan;

/* one place of the stereo camera */
typedef struct tyi_study_view_plan {
    size_t terrain;
    int number;   /* on its terrain, from 1 */
    int place;    /* place on its terrain that is drawn, from 0: views of several heights share one */
    double stand; /* [m] height above the ground */
    size_t light, lights, exposure, exposures; /* first and how many, in the lists below */
    size_t first_pair;                         /* number of its first pair in the whole set */
} tyi_study_view_plan;

struct ty_dataset {
    const ty_dataset_def *def;
    tyi_study_terrain_plan *terrain;
    tyi_study_view_plan *view;
    tyi_study_light_plan *light;
    tyi_study_exposure_plan *exposure;
    size_t terrains, views, lights, exposures, pairs;
    tyi_arena memory;
};

/* number k of purpose `what` in (0, 1), for terrain or pair `of` */
typedef enum tyi_study_draw {
    TYI_STUDY_DRAW_SPLIT,
    TYI_STUDY_DRAW_PLACE,
    TYI_STUDY_DRAW_SUN,
    TYI_STUDY_DRAW_CAMERA
} tyi_study_draw;
double tyi_study_dataset_draw(const ty_dataset_def *def, tyi_study_draw what, size_t of, uint32_t try, int k);

/* ---- dataset_name.c ---- */

const char *tyi_study_dataset_split(const ty_dataset *d, const tyi_study_view_plan *v); /* "train" or "test" */
char *tyi_study_view_name(const tyi_study_view_plan *v, char name[TYI_STUDY_NAME]);     /* T01_C02 */
char *tyi_study_light_name(const tyi_study_light_plan *l, char name[TYI_STUDY_NAME]);   /* R0_A090_E05 */
/* 02000us, auto; where a set has both chains, with _ideal behind it */
char *tyi_study_exposure_name(const ty_dataset *d, const tyi_study_exposure_plan *e, char name[TYI_STUDY_NAME]);
/* T01_C02_R0_A090_E05_L_02000us; side 0 left, 1 right */
char *tyi_study_image_name(const ty_dataset *d, const tyi_study_view_plan *v, size_t light, size_t exposure, int side,
                           char name[TYI_STUDY_NAME]);
/* FOLDER/KIND/SPLIT/T01/NAME.ENDING; false: too long */
bool tyi_study_dataset_path(const char *folder, const ty_dataset *d, const tyi_study_view_plan *v, const char *kind,
                            const char *name, const char *ending, char path[TY_PATH_MAX]);
/* makes them all; where a set was begun before, removes what a killed run left half written */
ty_status tyi_study_dataset_folders(const ty_dataset *d, const char *folder, bool begun, ty_diag *diag);
/* dataset.json; *begun: it was there; TY_ERR_INPUT: of another set */
ty_status tyi_study_dataset_describe(const ty_dataset *d, const char *folder, bool *begun, ty_diag *diag);

/* ---- dataset_view.c ---- */

/* What is labelled: name, class; the number in COCO files is its place from 1, in YOLO's from 0. */
#define TYI_STUDY_LABEL_KINDS 3
extern const char *const tyi_study_label_name[TYI_STUDY_LABEL_KINDS];
int tyi_study_label_kind(ty_render_class kind); /* -1: not labelled */

typedef struct tyi_study_label {
    uint32_t instance; /* in the render's buffers */
    int number;        /* in the masks, from 1 */
    ty_truth_box2 box;
    double visible, distance, length; /* [-], [m], [m] */
    char *rle;
} tyi_study_label;

/* one camera of the pair at one view */
typedef struct tyi_study_eye {
    ty_camera camera;
    ty_render_buffers out; /* depth, instance, kind; radiance and sunlit of the present light */
    float *depth;          /* [m] as the camera's chain takes it */
    uint16_t *mask;        /* numbers of labels */
    tyi_study_label *label;
    size_t labels, room;
    char *crowd;         /* mask of all rocks that are too small for a label; NULL: there are none */
    ty_truth_box2 small; /* around them */
} tyi_study_eye;

/* A run: what it keeps from view to view. */
typedef struct tyi_study_dataset_job {
    ty_dataset *set;
    const char *folder;
    int threads;
    ty_scenario *scenario;
    ty_world *world;
    ty_stage *stage;
    ty_scene *scene; /* of the stage */
    size_t terrain;  /* whose world this is; SIZE_MAX: none */
    ty_sky_view sky; /* at the scenario's start */
    double heading;  /* [rad] of the present view, clockwise from north */
    ty_vec3 middle;  /* [m] W between the cameras */
    tyi_study_eye eye[2];
    ty_camera_sensor *sensor[2][2]; /* by side; physical, ideal */
    ty_pipeline *pipeline[2][2];
    float *electrons; /* [1/s] of a pixel */
    uint16_t *deep;   /* a picture */
    uint8_t *flat;
    ty_dataset_stats stats;
} tyi_study_dataset_job;

/* place, truth, labels */
ty_status tyi_study_dataset_view(tyi_study_dataset_job *job, const tyi_study_view_plan *v, ty_diag *diag);
/* world and cameras only */
ty_status tyi_study_dataset_place(tyi_study_dataset_job *job, const tyi_study_view_plan *v, ty_diag *diag);
void tyi_study_dataset_close(tyi_study_dataset_job *job); /* the terrain that is open, if any */

/* ---- dataset_image.c ---- */
/* bands of its light; returns how many, 0: one with all of the Sun's light */
int tyi_study_dataset_bands(const ty_dataset_def *def, ty_band out[TY_BANDS]);
ty_status tyi_study_dataset_chains(tyi_study_dataset_job *job, ty_diag *diag);
/* renders, exposes, writes */
ty_status tyi_study_dataset_light(tyi_study_dataset_job *job, const tyi_study_view_plan *v, size_t light,
                                  ty_diag *diag);
bool tyi_study_dataset_light_done(const tyi_study_dataset_job *job, const tyi_study_view_plan *v, size_t light);

/* ---- dataset_record.c: an image's JSON, itself a COCO file of one image ---- */
typedef struct tyi_study_record {
    const char *name;
    int side;
    size_t pair;                               /* number in the set */
    double azimuth, elevation, lamp, exposure; /* [rad] from north, [rad], [W/sr], [s] */
    bool ideal;
    const double *lit; /* of each label */
} tyi_study_record;
void tyi_study_dataset_categories(FILE *file); /* the last entry of a COCO file */
ty_status tyi_study_dataset_record(const tyi_study_dataset_job *job, const tyi_study_view_plan *v,
                                   const tyi_study_record *r, ty_diag *diag);

/* ---- dataset_finish.c, dataset_look.c ---- */

typedef struct tyi_study_measures {
    double *rocks;                                    /* per image */
    double *size, *distance, *visible, *lit, *length; /* per label */
    size_t images, labels, room;
} tyi_study_measures;
ty_status tyi_study_dataset_finish(tyi_study_dataset_job *job, ty_diag *diag);
/* [0] train, [1] test */
ty_status tyi_study_dataset_statistics(const tyi_study_dataset_job *job, const tyi_study_measures *split,
                                       ty_diag *diag);
ty_status tyi_study_dataset_sheet(const tyi_study_dataset_job *job, ty_diag *diag);

#endif
