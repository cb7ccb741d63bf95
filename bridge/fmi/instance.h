/* bridge/fmi/instance.h - one instance of an FMU: a run that is created when it is initialised, and stepped by its importer. Both
 * versions of the interface (fmi2.c, fmi3.c) stand on it.
 *
 * Threads: one instance, one thread at a time; instances are independent.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYB_FMI_INSTANCE_H
#define TYB_FMI_INSTANCE_H
#include "variables.h"
#include "fmi/types.h"

typedef struct tyb_fmi_instance tyb_fmi_instance;
typedef struct tyb_fmi_state tyb_fmi_state;

/* Called with a sentence that says why a call failed. */
typedef void tyb_fmi_tell(void *user, const char *sentence);

/* resources: path of the FMU's folder of that name. NULL: it failed, and tell was told. */
tyb_fmi_instance *tyb_fmi_open(const char *resources, const char *token, tyb_fmi_tell *tell, void *user);
void tyb_fmi_close(tyb_fmi_instance *f); /* NULL is allowed */

/* All return false where they fail; tell was told then. */
bool tyb_fmi_enter(tyb_fmi_instance *f, double start);
bool tyb_fmi_exit(tyb_fmi_instance *f);
bool tyb_fmi_reset(tyb_fmi_instance *f);
bool tyb_fmi_step(tyb_fmi_instance *f, double time, double step);
double tyb_fmi_time(const tyb_fmi_instance *f); /* [s] where the run has come to */

/* Elements of all variables one after the other, in C as the type says (BOOL: bool); `room` of them in all. */
bool tyb_fmi_get(tyb_fmi_instance *f, tyb_fmi_type type, const tyi_fmi_ref *ref, size_t count, void *out, size_t room);
bool tyb_fmi_set(tyb_fmi_instance *f, tyb_fmi_type type, const tyi_fmi_ref *ref, size_t count, const void *in,
                 size_t room);
bool tyb_fmi_refuse(tyb_fmi_instance *f, const char *what); /* tells that it cannot do it */

bool tyb_fmi_save(tyb_fmi_instance *f, tyb_fmi_state **state); /* *state not NULL: is replaced */
bool tyb_fmi_restore(tyb_fmi_instance *f, const tyb_fmi_state *state);
void tyb_fmi_state_free(tyb_fmi_state *state);
size_t tyb_fmi_state_bytes(const tyb_fmi_state *state);
const void *tyb_fmi_state_data(const tyb_fmi_state *state);
bool tyb_fmi_state_read(tyb_fmi_instance *f, const void *data, size_t bytes, tyb_fmi_state **out);

/* instance_load.c: what stands in resources/tycho.txt; see export.c */
typedef struct tyb_fmi_about {
    char token[48];
    char scenario[1024]; /* from resources/ */
    char **set;          /* settings over it, of `sets` */
    size_t sets;
    tyb_fmi_list list;
    char *text; /* that the settings point into */
} tyb_fmi_about;
ty_status tyb_fmi_about_read(const char *resources, tyb_fmi_about *out, ty_diag *diag);
void tyb_fmi_about_free(tyb_fmi_about *about);

#endif
