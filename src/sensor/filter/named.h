/* src/sensor/filter/named.h - filters that are made by name: one row each in named.c.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_FILTER_NAMED_H
#define TYI_FILTER_NAMED_H
#include "core/core.h"
#include "tycho/filter.h"

#define TYI_FILTER_NAMED_PARAMS 4

/* A filter with its parameters, in the order of its row. */
typedef struct tyi_filter_named {
    union {
        ty_cloud_crop_def crop;
        ty_cloud_decimate_def decimate;
    } as; /* of clouds */
    double p[TYI_FILTER_NAMED_PARAMS];
    uint32_t number; /* of the sensor that it belongs to; keys noise */
} tyi_filter_named;

typedef struct tyi_filter_named_param {
    const char *name;
    double standard, low, high; /* standard NaN: it is needed */
    bool whole;
} tyi_filter_named_param;

typedef struct tyi_filter_named_row {
    const char *name;
    tyi_filter_named_param param[TYI_FILTER_NAMED_PARAMS];
    ty_filter filter; /* all but name and user */
} tyi_filter_named_row;

/* what images are made of; labels, returns and points are not changed by arithmetic */
#define TYI_FILTER_IMAGE_UNITS                                                                          \
    (TY_BIT(TY_UNIT_NONE) | TY_BIT(TY_UNIT_RADIANCE) | TY_BIT(TY_UNIT_ELECTRONS) | TY_BIT(TY_UNIT_DN) | \
     TY_BIT(TY_UNIT_METRE))

/* the largest number an image of this type holds: 1 for floats */
double tyi_filter_full_scale(const ty_buffer_type *type);
/* runs row(named, call, y) for every row of the output, on the call's threads */
typedef void (*tyi_filter_named_rows)(const tyi_filter_named *named, const ty_filter_call *call, int y);
void tyi_filter_named_run(const tyi_filter_named *named, const ty_filter_call *call, tyi_filter_named_rows row);

/* named_image.c */
ty_status tyi_filter_link_gray(void *user, const ty_buffer_type *in, ty_filter_need *need, ty_diag *diag);
ty_status tyi_filter_run_gray(void *user, const ty_filter_call *call, ty_diag *diag);
ty_status tyi_filter_run_brightness(void *user, const ty_filter_call *call, ty_diag *diag);
ty_status tyi_filter_run_contrast(void *user, const ty_filter_call *call, ty_diag *diag);
ty_status tyi_filter_run_negative(void *user, const ty_filter_call *call, ty_diag *diag);
ty_status tyi_filter_run_vignette(void *user, const ty_filter_call *call, ty_diag *diag);
ty_status tyi_filter_run_noise(void *user, const ty_filter_call *call, ty_diag *diag);
ty_status tyi_filter_run_lag(void *user, const ty_filter_call *call, ty_diag *diag);
/* named_shape.c */
ty_status tyi_filter_link_blur(void *user, const ty_buffer_type *in, ty_filter_need *need, ty_diag *diag);
ty_status tyi_filter_run_blur(void *user, const ty_filter_call *call, ty_diag *diag);
ty_status tyi_filter_link_resize(void *user, const ty_buffer_type *in, ty_filter_need *need, ty_diag *diag);
ty_status tyi_filter_run_resize(void *user, const ty_filter_call *call, ty_diag *diag);
ty_status tyi_filter_link_crop(void *user, const ty_buffer_type *in, ty_filter_need *need, ty_diag *diag);
ty_status tyi_filter_run_crop(void *user, const ty_filter_call *call, ty_diag *diag);

#endif
