/* src/fleet/fleet.h - sweeps: a scenario and what varies in it, run many times, into one table. How to use it: docs/sweep.md
 *
 *     spec.c      a file into a tyi_fleet_spec, checked          points.c    what run number i is, from the spec alone
 *     model.c     functions that stand for a scenario in tests   once.c      one run, in a process of its own, into a row
 *     base.c      rows into SQLite and CSV                       crew.c      processes that work on this machine
 *     sweep.c     who does what next; goes on after a kill       report*.c   the page
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_FLEET_H
#define TYI_FLEET_H
#include <stdio.h>
#include <sys/types.h>
#include "tycho/base.h"

#define TYI_FLEET_KEY  128
#define TYI_FLEET_TEXT 512
#define TYI_FLEET_PATH (TY_PATH_MAX + 64)
#define TYI_FLEET_MOST 10000000 /* runs of one sweep */

/* ---- the specification ---- */

typedef enum tyi_fleet_as {
    TYI_FLEET_LIST,
    TYI_FLEET_RANGE,
    TYI_FLEET_SEEDS,
    TYI_FLEET_FILES,
    TYI_FLEET_UNIFORM,
    TYI_FLEET_NORMAL,
    TYI_FLEET_LOGNORMAL,
    TYI_FLEET_TRIANGULAR
} tyi_fleet_as;

typedef enum tyi_fleet_design {
    TYI_FLEET_GRID,
    TYI_FLEET_RANDOM,
    TYI_FLEET_LATIN,
    TYI_FLEET_SOBOL,
    TYI_FLEET_SALTELLI
} tyi_fleet_design;

typedef struct tyi_fleet_word {
    char text[TYI_FLEET_TEXT];
} tyi_fleet_word;

/* what varies: a key of the scenario and its values */
typedef struct tyi_fleet_vary {
    char key[TYI_FLEET_KEY];
    int as;                /* tyi_fleet_as */
    tyi_fleet_word *value; /* list; files: what the pattern found */
    size_t values;
    char pattern[TYI_FLEET_TEXT];
    double from, to;   /* range, uniform, triangular */
    double middle;     /* normal: mean; lognormal: median; triangular: mode */
    double spread;     /* normal: standard deviation; lognormal: factor of one */
    double low, high;  /* normal, lognormal: cut off beyond these */
    int count;         /* range, seeds */
    bool log, integer; /* even in the logarithm; rounded */
    uint64_t first;    /* seeds */
} tyi_fleet_vary;

/* one condition of success */
typedef struct tyi_fleet_goal {
    char key[TYI_FLEET_KEY]; /* of the summary */
    double least, most;
    char is[TYI_FLEET_TEXT]; /* "": any */
} tyi_fleet_goal;

typedef struct tyi_fleet_spec {
    int version;
    char name[64];
    char scenario[TY_PATH_MAX], model[32]; /* one of them */
    tyi_fleet_word *set;
    size_t sets;
    uint64_t seed;
    int design; /* tyi_fleet_design */
    int runs, repeats;
    tyi_fleet_vary *vary;
    size_t varies;
    tyi_fleet_word *output;
    size_t outputs;
    tyi_fleet_goal *goal;
    size_t goals;
    tyi_fleet_word *keep;
    size_t keeps;
    int keep_of; /* 0: all, 1: those without success */
    int retries;
    double wall_limit; /* [s] 0: none */
    char worst_key[TYI_FLEET_KEY];
    int worst_end; /* 0: low, 1: high values are bad */
    int worst_count;

    char path[TY_PATH_MAX];      /* of the file */
    const char *const *settings; /* that were given over it; not copied */
    size_t setting_count;
    size_t total;  /* runs in all */
    uint64_t hash; /* of what decides the table: the file, the settings, the scenario */
    struct tyi_arena *memory;
} tyi_fleet_spec;

/* Reads, checks and tries out: every key that varies is set in the scenario, at its ends and in its middle. settings: "a.b=c" for the file
 * itself. To be freed by tyi_fleet_spec_free(), also after a failure. */
ty_status tyi_fleet_spec_load(tyi_fleet_spec *spec, const char *path, const char *const *settings, size_t count,
                              ty_diag *diag);
void tyi_fleet_spec_free(tyi_fleet_spec *spec);
ty_status tyi_fleet_spec_reference(FILE *out, ty_diag *diag);
/* Whether the scenario (or model) takes the values of a run; TY_ERR_INPUT and others with its sentence. */
ty_status tyi_fleet_spec_try(const tyi_fleet_spec *spec, const char *const *settings, size_t count, ty_diag *diag);

/* ---- points.c, sobol.c ---- */

/* Even number in (0, 1) of run and factor. */
double tyi_fleet_unit(const tyi_fleet_spec *spec, size_t run, size_t factor);
/* The value for an even number; in a grid lists, ranges and seeds take their place in it instead. */
void tyi_fleet_quantile(const tyi_fleet_vary *vary, double u, char out[TYI_FLEET_TEXT]);
void tyi_fleet_value(const tyi_fleet_spec *spec, size_t run, size_t factor, char out[TYI_FLEET_TEXT]);
size_t tyi_fleet_levels(const tyi_fleet_vary *vary); /* of a grid; 0: it is drawn */
/* All settings of a run as a list of "key=value" that ends with NULL; one free() for all. NULL: no memory. */
char **tyi_fleet_settings(const tyi_fleet_spec *spec, size_t run, size_t *count);

#define TYI_FLEET_DIMENSIONS 32
/* Bits of point i in a dimension of Sobol's sequence with the direction numbers of [joe2008], from the highest down; i-th in the order of
 * Gray codes, as in [bratley1988]. */
uint32_t tyi_fleet_sobol(uint32_t i, int dimension);
/* A permutation of 0 to n - 1 for each key. */
size_t tyi_fleet_shuffle(size_t i, size_t n, uint32_t key0, uint32_t key1);

/* ---- estimate.c ---- */

typedef struct tyi_fleet_interval {
    double value, low, high; /* [-] */
} tyi_fleet_interval;
tyi_fleet_interval tyi_fleet_rate(size_t successes, size_t trials); /* 95 %, [wilson1927]; no trials: 0 to 1 */
/* Mean of n values with 95 % by the normal law of its error; NaN where n is 0, an interval without width where it is 1. */
tyi_fleet_interval tyi_fleet_mean(const double *y, size_t n);

typedef struct tyi_fleet_index {
    tyi_fleet_interval first, total;
} tyi_fleet_index;
/* Indices of factor i from n rows of A, B and A with the column i of B [saltelli2010], first order and total by [jansen1999]; 95 % by drawing
 * rows anew 200 times [efron1979]. Rows that are not finite are left out. NaN: the output does not vary. */
tyi_fleet_index tyi_fleet_sobol_index(const double *a, const double *b, const double *ab, size_t n, uint32_t seed);

/* ---- model.c: functions that stand for a scenario ---- */

/* Names of all, ", " between them. */
void tyi_fleet_model_names(char *out, size_t size);
ty_status tyi_fleet_model_check(const char *name, const char *const *settings, size_t count, ty_diag *diag);
/* The summary as JSON text, to be freed. */
ty_status tyi_fleet_model_run(const char *name, const char *const *settings, size_t count, char **summary,
                              ty_diag *diag);

/* ---- once.c ---- */

/* Runs one scenario into `folder`, which is made anew. pictures: all of them. */
ty_status tyi_fleet_once(const tyi_fleet_spec *spec, const char *const *settings, size_t count, const char *folder,
                         bool pictures, bool overview, ty_diag *diag);
/* The life of a worker: each run of the list in turn, its row into DIR/rows, what is kept into DIR/runs. */
void tyi_fleet_work(const tyi_fleet_spec *spec, const char *dir, const size_t *list, size_t count);
/* One short run in a process of its own: its summary must have the keys that outputs, success and worst name. */
ty_status tyi_fleet_probe(const tyi_fleet_spec *spec, ty_diag *diag);
/* The row of a run that left none, as the worker would have written it. */
ty_status tyi_fleet_row_failed(const char *dir, size_t run, const char *sentence, double wall, ty_diag *diag);
void tyi_fleet_row_path(const char *dir, size_t run, char out[TYI_FLEET_PATH]);
/* The scenario's command line that repeats a run; to be freed. */
char *tyi_fleet_command(const tyi_fleet_spec *spec, size_t run);
void tyi_fleet_remove(const char *folder); /* with all that is in it */

/* ---- base.c: SQLite is seen by that file alone ---- */

typedef struct tyi_fleet_base tyi_fleet_base;
/* DIR/sweep.db, made where it is not there. TY_ERR_INPUT: it holds another sweep. */
ty_status tyi_fleet_base_open(const char *dir, const tyi_fleet_spec *spec, tyi_fleet_base **out, ty_diag *diag);
void tyi_fleet_base_close(tyi_fleet_base *base);
/* What the table of a folder was made of: the specification's file, and the settings over it, a list that ends with NULL (one free()). */
ty_status tyi_fleet_base_origin(const char *dir, char path[TY_PATH_MAX], char ***settings, size_t *count,
                                ty_diag *diag);
/* what became of a run: nothing yet, ended, ended with a sentence of its own, ended from outside (a signal, the clock) */
enum { TYI_FLEET_OPEN, TYI_FLEET_DONE, TYI_FLEET_FAILED, TYI_FLEET_KILLED, TYI_FLEET_SUCCESS = 128 /* also */ };
/* done[i] of the runs that it holds. */
ty_status tyi_fleet_base_done(tyi_fleet_base *base, unsigned char *done, size_t total, ty_diag *diag);
/* Rows of runs [list], all or none of them, from their files, which are removed afterwards. */
ty_status tyi_fleet_base_take(tyi_fleet_base *base, const size_t *list, const int *tries, size_t count, ty_diag *diag);
/* runs.csv, events.csv, timing.csv, in the order of runs. */
ty_status tyi_fleet_base_export(tyi_fleet_base *base, ty_diag *diag);

/* all rows, for the report */
typedef struct tyi_fleet_table {
    size_t rows;
    size_t *run;
    unsigned char *done, *success; /* row by row */
    char **sentence;               /* "" where it has none */
    char **folder;
    char **value;   /* rows x varies, as text */
    double *number; /* rows x varies; NaN: a text */
    double *output; /* rows x outputs; NaN: none */
    size_t outputs;
    char **name; /* of the outputs */
    double wall; /* [s] of all runs together */
} tyi_fleet_table;
ty_status tyi_fleet_base_table(tyi_fleet_base *base, tyi_fleet_table *out, ty_diag *diag);
void tyi_fleet_table_free(tyi_fleet_table *table, size_t varies);

/* ---- crew.c, mpi.c ---- */

/* Those who do the work: each takes a list of runs at a time. */
typedef struct tyi_fleet_crew tyi_fleet_crew;
struct tyi_fleet_crew {
    int workers;
    const char *kind; /* "processes" */
    /* gives a list to a free worker; false: it could not start */
    bool (*start)(tyi_fleet_crew *crew, int worker, const size_t *list, size_t count);
    /* Waits up to `seconds` for a worker that is through: its number, and how its process ended (as waitpid() has it); -1: none yet. */
    int (*wait)(tyi_fleet_crew *crew, double seconds, int *how);
    void (*kill)(tyi_fleet_crew *crew, int worker); /* a run that takes too long */
    void (*end)(tyi_fleet_crew *crew);              /* ends them all */
    const tyi_fleet_spec *spec;
    const char *dir;
    void *own;
};
int tyi_fleet_cores(void); /* processors that this process may use */
/* A process that makes these runs and ends. */
pid_t tyi_fleet_crew_fork(const tyi_fleet_spec *spec, const char *dir, const size_t *list, size_t count);
ty_status tyi_fleet_crew_local(tyi_fleet_crew *crew, const tyi_fleet_spec *spec, const char *dir, int workers,
                               ty_diag *diag);

/* ---- ranks.c: ranks of mpirun ---- */

typedef struct tyi_fleet_ranks tyi_fleet_ranks;
bool tyi_fleet_ranks_wanted(void); /* mpirun has started this process and others */
bool tyi_fleet_ranks_other(void);  /* and this is not the first of them, which speaks for all */
/* TY_ERR_FILE: built without MPI. */
ty_status tyi_fleet_ranks_open(tyi_fleet_ranks **out, int *rank, int *size, ty_diag *diag);
void tyi_fleet_ranks_crew(tyi_fleet_ranks *ranks, tyi_fleet_crew *crew, const tyi_fleet_spec *spec,
                          const char *dir); /* rank 0 */
/* Any other rank, until it returns false: does what rank 0 asks next. */
bool tyi_fleet_ranks_work(tyi_fleet_ranks *ranks, const tyi_fleet_spec *spec, const char *dir);
void tyi_fleet_ranks_close(tyi_fleet_ranks *ranks); /* rank 0 ends the others */

/* ---- world.c: one world over ranks, of which rank 0 keeps the record ---- */

struct ty_run;
struct ty_scenario;
struct ty_run_def;
struct ty_record;
typedef struct tyi_fleet_world tyi_fleet_world;
/* stop: set by a signal; whoever waits then gives up, and tyi_fleet_world_stopped() says so. */
ty_status tyi_fleet_world_open(const volatile int *stop, tyi_fleet_world **out, int *rank, int *ranks, ty_diag *diag);
/* All ranks at once: *diag says how this one fares, and afterwards the first that does not; `text` of rank 0 is everybody's afterwards. */
ty_status tyi_fleet_world_agree(tyi_fleet_world *world, char *text, size_t size, ty_diag *diag);
/* TY_ERR_INPUT, with a sentence: this scenario is not for so many ranks. */
ty_status tyi_fleet_world_check(const struct ty_scenario *scenario, int ranks, ty_diag *diag);
/* The run that moves is made, and leads the shown one, which only ranks other than 0 may do without, where there are no sensors. */
ty_status tyi_fleet_world_lead(tyi_fleet_world *world, const struct ty_run_def *def, struct ty_run *shown,
                               ty_diag *diag);
ty_status tyi_fleet_world_step(tyi_fleet_world *world, struct ty_record *record, ty_diag *diag); /* rank 0 */
bool tyi_fleet_world_whole(const tyi_fleet_world *world); /* rank 0: it may stop here */
/* the others, until rank 0 ends it; folder: where filters write */
ty_status tyi_fleet_world_serve(tyi_fleet_world *world, const char *folder, ty_diag *diag);
/* Nothing more is told to anybody, and MPI does not end this process when its daemon goes: for a signal handler, after `stop` was set. */
void tyi_fleet_world_leave(void);
bool tyi_fleet_world_stopped(const tyi_fleet_world *world);
size_t tyi_fleet_world_moved(const tyi_fleet_world *world); /* times that a rover changed its rank */
/* Rank 0 ends the others. Where it was stopped, MPI is left as it is: ranks that died cannot say goodbye. Before the shown run goes. */
void tyi_fleet_world_close(tyi_fleet_world *world);

/* ---- slurm.c ---- */

/* Writes the scripts of a job array and of the job that makes the table of its rows, and submits both; jobs: their numbers. wait: until the end. */
ty_status tyi_fleet_slurm(const tyi_fleet_spec *spec, const char *dir, const char *const *settings, size_t count,
                          int tasks, bool wait, char jobs[100], ty_diag *diag);

/* ---- sweep.c ---- */

ty_status tyi_fleet_folder(const char *dir, const char *sub, ty_diag *diag); /* makes DIR/SUB, and those above it */

typedef struct tyi_fleet_stats {
    size_t total, done, failed, found; /* found: were there already */
    size_t success;
    double seconds, work; /* wall; sum over the runs that were made now */
    int workers;
} tyi_fleet_stats;

typedef struct tyi_fleet_def {
    const char *dir;
    tyi_fleet_crew *crew;
    size_t part, parts; /* only runs with number % parts == part, and only their rows; parts 0: all, and the table */
    bool again;         /* those that failed for a reason outside them are run once more */
    void (*progress)(void *user, const tyi_fleet_stats *stats);
    void *user;
    const volatile int *stop; /* becomes true: ends at once, and can go on later */
} tyi_fleet_def;
/* Runs what is missing. */
ty_status tyi_fleet_sweep(const tyi_fleet_spec *spec, const tyi_fleet_def *def, tyi_fleet_stats *stats, ty_diag *diag);

/* ---- report.c ---- */

/* DIR/report.html and its plots; worst cases without pictures are run once more for them (DIR/worst), unless pictures is false. */
ty_status tyi_fleet_report(const tyi_fleet_spec *spec, const char *dir, bool pictures, ty_diag *diag);

#endif
