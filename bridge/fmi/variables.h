/* bridge/fmi/variables.h - the variables of a run as an FMU: made from a scenario and its run, kept as lines of text in the FMU.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYB_FMI_VARIABLES_H
#define TYB_FMI_VARIABLES_H
#include <stdio.h>
#include "fmi/rover.h"
#include "tycho/run.h"

#define TYB_FMI_NAME 200
#define TYB_FMI_TEXT 256

typedef enum tyb_fmi_type {
    TYB_FMI_F64,
    TYB_FMI_F32,
    TYB_FMI_I32,
    TYB_FMI_U8,
    TYB_FMI_U16,
    TYB_FMI_U32,
    TYB_FMI_BOOL,
    TYB_FMI_STRING
} tyb_fmi_type;

/* What a variable is; a, b, c say of which. */
typedef enum tyb_fmi_what {
    TYB_FMI_TIME,
    TYB_FMI_PARAMETER, /* the scenario's key of its name */
    TYB_FMI_MODE,      /* inputs, a: rover */
    TYB_FMI_V,
    TYB_FMI_OMEGA,
    TYB_FMI_CRAB,
    TYB_FMI_WHEEL_SPEED, /* b: wheel */
    TYB_FMI_WHEEL_STEER,
    TYB_FMI_MOTOR,     /* b: motor */
    TYB_FMI_STATE,     /* outputs, a: rover, b: field */
    TYB_FMI_WHEEL,     /* b: wheel, c: field */
    TYB_FMI_CONTACT,   /* b: wheel */
    TYB_FMI_MOTOR_OUT, /* b: motor, c: field */
    TYB_FMI_COLUMN,    /* a: sensor, b: column */
    TYB_FMI_PART,      /* a: sensor, b: part */
    TYB_FMI_SEQUENCE,  /* a: sensor */
    TYB_FMI_STAMP      /* a: sensor */
} tyb_fmi_what;
#define TYB_FMI_INPUT(what)  ((what) >= TYB_FMI_MODE && (what) <= TYB_FMI_MOTOR)
#define TYB_FMI_OUTPUT(what) ((what) >= TYB_FMI_STATE)

enum { TYB_FMI_MODE_WHEELS = 4 }; /* after ty_steering's: each wheel by inputs of its own */

typedef struct tyb_fmi_variable {
    tyb_fmi_what what;
    int a, b, c;
    tyb_fmi_type type;
    int dim[3];               /* of an array; 0: no more of them */
    char name[TYB_FMI_NAME];  /* the value reference is its place in the list */
    char start[TYB_FMI_TEXT]; /* of parameters and inputs, as text */
    char unit[24];            /* "": none */
    char text[TYB_FMI_TEXT];  /* what it is */
} tyb_fmi_variable;

typedef struct tyb_fmi_list {
    tyb_fmi_variable *variable;
    size_t count, room;
    bool failed; /* no memory */
} tyb_fmi_list;

double tyb_fmi_rover_get(const tyi_fmi_rover *rover,
                         const tyb_fmi_variable *variable); /* of kinds STATE to MOTOR_OUT */

/* All variables. arrays: "rover.sensor" names of sensors whose images or clouds are outputs, ends with NULL; then, and only then, there are
 * variables with dimensions (FMI 3). TY_ERR_INPUT: there is no such sensor, or two variables have one name. */
ty_status tyb_fmi_list_make(tyb_fmi_list *list, const ty_scenario *scenario, ty_run *run, const char *const *arrays,
                            ty_diag *diag);
void tyb_fmi_list_free(tyb_fmi_list *list);
size_t tyb_fmi_elements(const tyb_fmi_variable *variable);

/* As lines, one for each variable, and back. TY_ERR_FORMAT. */
void tyb_fmi_list_print(const tyb_fmi_list *list, FILE *out);
ty_status tyb_fmi_list_read(tyb_fmi_list *list, char *lines, ty_diag *diag);

#endif
