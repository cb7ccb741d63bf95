/* include/tycho/soil.h - how the ground answers wheels. Models, limits, sources: src/soil/README.md
 *
 * A soil model is a row of one table (ty_soil_model): create, join, step, press, save, restore, destroy. A run has one soil
 * world, which calls each model once per step for all bodies of all rovers that stand on its ground; a user's own model is a row
 * like the others (ty_soil_def.user, examples/user_soil.c). The built-in ones stand on what is below: the stresses of Bekker and
 * Wong integrated over the rim (ty_wheel_*), the regressions of slip and sinkage of [ddt] (ty_regression_*), a grid of soil
 * columns under bodies of any shape (ty_scm_*). The static solution and a step of a run call the same function.
 *
 * Contact frame: x forward in the wheel's plane, y left along the axle, z up along the ground's normal. Threads:
 * every function here only reads what it is given but for its outputs; call from as many as you like. A ty_scm has
 * state: one thread at a time, it spreads its work itself.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_SOIL_H
#define TYCHO_SOIL_H
#include "tycho/base.h"
#include "tycho/math.h"
#include "tycho/terrain.h"
TY_BEGIN_DECLS

/* A soil for the Bekker-Wong model. Start from ty_soil_params_default(); a zeroed one is refused.
 * Unit, default and accepted range of each field: ty_soil_fields(). Default: the nominal lunar
 * regolith of models/soils/lunar.yaml. */
typedef struct ty_soil_params {
    double k_c;           /* [N/m^(n+1)] cohesive modulus of sinkage; k_c / b + k_phi must be above 0 */
    double k_phi;         /* [N/m^(n+2)] frictional modulus of sinkage */
    double n0;            /* [-] sinkage exponent */
    double n1;            /* [-] growth of the exponent with slip: n = n0 + n1 s */
    double n1_skid;       /* [-] the same for a wheel that is towed or braked: n = n0 + n1_skid |s| */
    double n1_side;       /* [-] the same with side slip, per |v_y| / V (V: see ty_wheel_history) */
    double a1, a2;        /* [-] the normal stress is largest at (a1 + a2 s) of the entry angle */
    double c;             /* [Pa] cohesion */
    double phi;           /* [rad] angle of internal friction; in files and tables phi_deg [deg] */
    double kx, ky;        /* [m] shear deformation moduli along and across the wheel */
    double kx_beta;       /* [m/rad] growth of kx with the slip angle */
    double ky_beta;       /* [m/rad] growth of ky with the slip angle */
    double lambda;        /* [-] sinkage behind the wheel over sinkage before it */
    double rho;           /* [kg/m^3] bulk density, for bulldozing and lugs */
    double g;             /* [m/s^2] gravity, for bulldozing, lugs and the damping of the sinkage */
    bool bulldozing;      /* soil pressed by the wheel's side wall */
    double bulldozing_k;  /* [m] side displacement that mobilises it; 0: at once, with a jump */
    bool phi_triaxial;    /* phi is of triaxial tests; wheels shear at tan = sin phi */
    bool friction_circle; /* strength limits the sum of both shear stresses, not each alone */
    double damping;       /* [-] damping ratio of the sinkage; no part of a static solution */
    double unload;        /* [-] how much stiffer the soil unloads in shear than it first loads */
    double shear_time;    /* [s] damping of the shear displacement; no part of steady motion */
    uint32_t cookie;      /* set by ty_soil_params_default() */
} ty_soil_params;

TY_API ty_soil_params ty_soil_params_default(void);

/* Friction angle [rad] along planes of shear, which strength under wheels goes by: phi, or less where
 * phi is of triaxial tests. */
TY_API double ty_soil_shear_angle(const ty_soil_params *params);

/* What a field is called in files and tables, and what it takes there. */
typedef struct ty_soil_field {
    const char *key, *unit, *what;
    double fallback, low, high; /* in the unit named; a switch takes 0 or 1 */
    bool is_switch;
} ty_soil_field;
TY_API const ty_soil_field *ty_soil_fields(size_t *count);

/* Sets a field by its key, in the unit of the table. TY_ERR_INPUT: no such key; TY_ERR_RANGE: not accepted. */
TY_API ty_status ty_soil_params_set(ty_soil_params *params, const char *key, double value, ty_diag *diag);

/* A field by its key, in the unit of the table; a switch is 0 or 1; NaN: no such key. */
TY_API double ty_soil_params_get(const ty_soil_params *params, const char *key);
/* Whether every field is in its range and they go together, as whatever takes them checks again. TY_ERR_DEF,
 * TY_ERR_RANGE. */
TY_API ty_status ty_soil_params_check(const ty_soil_params *params, ty_diag *diag);

/* A rigid wheel. Lugs are plates of the full width, evenly spaced. Sinkage is that of the rim, not of the lug tips. */
typedef struct ty_wheel_shape {
    double r;         /* [m] radius of the rim, 1e-3 to 10 */
    double b;         /* [m] width, 1e-3 to 10 */
    double grouser_h; /* [m] height of the lugs, 0 to r */
    int grousers;     /* number of lugs, 0 to 1000 */
} ty_wheel_shape;

/* Radius [m] at which this wheel shears this soil: slip ratios refer to it. r for a wheel without lugs. */
TY_API double ty_wheel_shear_radius(const ty_soil_params *params, const ty_wheel_shape *shape);

/* One wheel in one soil, checked and worked out once, for any number of steps. Immutable. On
 * success the caller owns *out; on failure *out is NULL and diag names the field. alloc NULL: the
 * heap; it outlives the object. Returns TY_ERR_DEF, TY_ERR_RANGE or TY_ERR_MEMORY. */
typedef struct ty_wheel_soil ty_wheel_soil;
TY_API ty_status ty_wheel_soil_create(const ty_soil_params *params, const ty_wheel_shape *shape, const ty_alloc *alloc,
                                      ty_wheel_soil **out, ty_diag *diag);
TY_API void ty_wheel_soil_destroy(ty_wheel_soil *wheel); /* NULL is allowed */

/* What a contact remembers; saved and restored with a run. Zero: the wheel has just touched the ground. */
typedef struct ty_wheel_history {
    double ux, uy; /* [m] mean shear displacement, positive where it pushes the wheel to +x, +y */
    double px, py; /* [m] their largest size in this loading */
    double slip;   /* [-] (rs omega - v_x) / V, V the larger of |rs omega| and |v_x|; of late */
    double side;   /* [-] -v_y / V, likewise */
    double roll;   /* [-] 1: has rolled forward, -1: backward, 0: stands as put down, symmetric */
} ty_wheel_history;

typedef struct ty_wheel_state {
    double h;        /* [m] sinkage of the rim along the ground's normal; <= 0: no contact */
    double h_rate;   /* [m/s] */
    double v_x, v_y; /* [m/s] of the wheel's centre, contact frame */
    double omega;    /* [rad/s] about +y: positive rolls forward */
    double rise;     /* [-] sine of the ground's slope along +x, positive uphill; counts for lugs */
    double calm;     /* [s] most that the soil's shear_time may be in this step; 0: any */
    double rut;      /* [m] how far earlier passes have pressed down the ground that h counts from; 0: fresh */
    double elastic;  /* [Pa/m] stiffness of unloading and reloading; counts in a rut */
    ty_wheel_history history;
} ty_wheel_state;

/* What the soil does to the wheel, about the wheel's centre. */
typedef struct ty_wheel_load {
    double fx, fy, fz;             /* [N] */
    double torque;                 /* [N m] resisting forward rotation: the moment about +y is -torque */
    double mx, mz;                 /* [N m] about +x and +z, from where the side force acts */
    double theta1, theta2, thetam; /* [rad] entry, exit, largest stress; > 0 where it rolls to */
    double slip;                   /* [-] slip ratio in the direction of rolling */
    double beta;                   /* [rad] slip angle, without sign */
} ty_wheel_load;

/* One step of a run: first the history moves on by dt [s], then the forces follow from the state.
 * Both are continuous in every entry of the state, at rest too, and neither allocates. The wheel
 * may be one slice of several across the width, each at its own sinkage: call for each as if it
 * were the whole and take the mean. */
TY_API void ty_wheel_advance(const ty_wheel_soil *wheel, ty_wheel_state *state, double dt);
TY_API void ty_wheel_contact(const ty_wheel_soil *wheel, const ty_wheel_state *state, ty_wheel_load *out);

/* Steady motion over flat ground. */
typedef struct ty_wheel_steady {
    double load; /* [N] vertical, > 0: the sinkage is sought that carries it */
    double h;    /* [m] sinkage, 0 to 2 r; used instead of load where by_sinkage */
    bool by_sinkage;
    double slip; /* [-] -1 to 1, (2.13) of [uly] with the shearing radius */
    double beta; /* [rad] slip angle atan(v_y / v_x), -1.55 to 1.55 */
} ty_wheel_steady;

/* Sinkage [m] and forces of a wheel in steady motion: ty_wheel_contact() without damping. The
 * sinkage is the smallest that carries the load. Returns what ty_wheel_soil_create() does,
 * TY_ERR_RANGE for the motion, and TY_ERR_NUMERIC with the largest load that can be carried where
 * no sinkage up to the radius carries this one. */
TY_API ty_status ty_wheel_static(const ty_soil_params *params, const ty_wheel_shape *shape,
                                 const ty_wheel_steady *motion, double *h, ty_wheel_load *out, ty_diag *diag);

/* The regressions of [ddt]. Start from ty_regression_params_default(), the paper's rover (EX1) in dry silica sand. */
typedef struct ty_regression_params {
    double slip_v;  /* [s/m] slip per wheel speed on flat ground (2)        0.0265  */
    double slip_0;  /* [-] slip at no speed on flat ground (2)              0.0256  */
    double slope_v; /* [s/m/deg^2] slip per wheel speed and slope^2 (3)     0.00522 */
    double slope_0; /* [1/deg^2] slip per slope^2 (3)                       0.00105 */
    double sink_s;  /* [mm] sinkage per unit of slip (4)                    33.56   */
    double sink_f;  /* [mm/N] sinkage per newton above the reference (4)    0.9291  */
    double sink_0;  /* [mm] sinkage at rest under the reference load (4)    3.11    */
    double fref;    /* [N] reference load of one wheel                      8.72    */
    uint32_t cookie;
} ty_regression_params;
TY_API ty_regression_params ty_regression_params_default(void);

/* Slip ratio (3), at most 1, at wheel speed vw [m/s] on a slope [rad]. */
TY_API double ty_regression_slip(const ty_regression_params *params, double vw, double slope);
/* Speed [m/s] (5) of a wheel that slips by s at wheel speed vw [m/s]. */
TY_API double ty_regression_speed(double s, double vw);
/* Sinkage z [m] (4), negative down, not limited, at slip s under fz [N]. */
TY_API double ty_regression_sinkage(const ty_regression_params *params, double s, double fz);
/* Stiffness [N/m] (9) of each contact point for sinkage z [m], lugs of grouser_h [m]. Not finite
 * where z = grouser_h. */
TY_API double ty_regression_stiffness(double fz, double z, double grouser_h, int contacts);

/* ---- scm: a grid of soil columns [krenn2009], [lunar] section 2 ---- */

typedef struct ty_scm ty_scm;

/* Soil of one kind of place. k_c, k_phi, n0, n1 and n1_skid (slip sinkage), c, phi, kx (in every direction), g, damping,
 * unload and shear_time of `soil` count; bulldozing and lugs come from the shape and the grid, not from parameters. */
typedef struct ty_scm_soil {
    ty_soil_params soil;
    double elastic; /* [Pa/m]  2e8     stiffness of unloading and reloading */
    double repose;  /* [rad]   0.6109  angle at which loose soil flows (35 deg) */
    double berm;    /* [-]     1       share of the displaced volume that goes to berms, 0 to 1 */
} ty_scm_soil;
TY_API ty_scm_soil ty_scm_soil_default(void);

/* Start from ty_scm_def_default(). The grid has nodes at (i cell, j cell) of W, without end; tiles of
 * 32 x 32 nodes come into being where bodies go. */
typedef struct ty_scm_def {
    double cell;             /* [m]  0.02   spacing of the nodes, 1e-3 to 1 */
    const ty_scm_soil *soil; /* kinds of soil; copied */
    int soils;               /* 1 to 255 */
    /* Natural height [m] of nx * ny nodes from (i0, j0), rows along x; NULL: 0 everywhere. Called
     * once per tile, in the step that reaches it. */
    void (*height)(void *user, int64_t i0, int64_t j0, int nx, int ny, double *out);
    /* Change of level [m] that the ground has had already (by earlier passes, see ty_scm_forget(), or by others);
     * NULL: none. What lies lower is soil pressed to that depth, what lies higher is loose. */
    void (*change)(void *user, int64_t i0, int64_t j0, int nx, int ny, float *out);
    /* How far [m] it has been pressed together, and how much of the change is slots of lugs, which carry nothing [m, >= 0]; NULL: what lies
     * lower is soil pressed to that depth. */
    void (*pressed)(void *user, int64_t i0, int64_t j0, int nx, int ny, float *pressed, float *print);
    /* Which soil (index into `soil`) lies there; NULL: the first everywhere. */
    void (*kind)(void *user, int64_t i0, int64_t j0, int nx, int ny, uint8_t *out);
    void *user;
    int bodies;            /* 16     most bodies in a step, 1 to 1024 */
    int reserve;           /* 256    tiles made beforehand (50 kB each); beyond them steps allocate */
    int threads;           /* 1      0: all processors; results do not depend on it */
    bool berms;            /* true   displaced soil is heaped up and flows */
    const ty_alloc *alloc; /* NULL: heap; outlives the object */
    uint32_t cookie;
} ty_scm_def;
TY_API ty_scm_def ty_scm_def_default(void);

/* TY_ERR_DEF, TY_ERR_RANGE, TY_ERR_MEMORY; on failure *out is NULL. */
TY_API ty_status ty_scm_create(const ty_scm_def *def, ty_scm **out, ty_diag *diag);
TY_API void ty_scm_destroy(ty_scm *scm); /* NULL is allowed */

/* Shapes, before the first step. A wheel turns about its y axis. Its underside is exact for a
 * cylinder; lugs and meshes are turned once into a table over spin angle and place, good to 0.1
 * mm. Lugs of `shape` are plates of thickness grouser_t [m] and full width. *out is the number of the
 * shape. TY_ERR_RANGE, TY_ERR_INPUT, TY_ERR_MEMORY. */
TY_API ty_status ty_scm_add_wheel(ty_scm *scm, const ty_wheel_shape *shape, double grouser_t, int *out, ty_diag *diag);
/* A wheel given as triangles about its y axis [m], seen from outside: what lies behind an outer
 * surface does not count. sectors: it repeats itself so often around (1: not at all); slices: how
 * many profiles are taken across the width (1: the same everywhere). */
TY_API ty_status ty_scm_add_mesh(ty_scm *scm, const float *vertex, int vertices, const int *triangle, int triangles,
                                 int sectors, int slices, int *out, ty_diag *diag);
/* A flat plate facing down: x by y [m], or a disc of diameter x where y is 0. */
TY_API ty_status ty_scm_add_plate(ty_scm *scm, double x, double y, int *out, ty_diag *diag);

typedef struct ty_scm_body {
    int shape;
    ty_pose pose; /* of the shape's frame in W */
    ty_vec3 v, w; /* [m/s], [rad/s] of its origin, in W */
    double calm;  /* [s] most that the soil's shear_time may be in this step; 0: any */
} ty_scm_body;

/* What the soil does to a body, and what it found. */
typedef struct ty_scm_load {
    ty_vec3 force, torque; /* [N], [N m] about the body's origin, in W */
    double sinkage;        /* [m] deepest point of the body below the natural ground */
    double below;          /* [m] the same below the level that it met */
    double area;           /* [m^2] of contact, seen from above */
    double width;          /* [m] Bekker's width of the largest patch */
    double slip;           /* [-] (r omega - v_x) / the larger of both; 0 for a plate */
    int nodes;             /* in contact */
} ty_scm_load;

/* One step for all bodies: forces from where they are, and the soil as it is after dt [s] of their
 * motion. Body number k should stay number k from step to step. Allocates nothing but tiles beyond the
 * reserve. TY_ERR_INPUT (a body that is not finite, or of no shape), TY_ERR_MEMORY. */
TY_API ty_status ty_scm_step(ty_scm *scm, double dt, const ty_scm_body *body, int bodies, ty_scm_load *load,
                             ty_diag *diag);

/* Makes room for `tiles` more tiles and for the work on every body, so that the steps until that many
 * new tiles are reached allocate nothing. After the last shape is added. TY_ERR_MEMORY. */
TY_API ty_status ty_scm_reserve(ty_scm *scm, int tiles, ty_diag *diag);

/* Height [m] in W of a body's underside over the point x, y [m]; false: the body is not over it. */
TY_API bool ty_scm_underside(const ty_scm *scm, const ty_scm_body *body, double x, double y, double *z);

/* Level [m] of the soil at a node, without load; natural height where nothing was. */
TY_API double ty_scm_level(ty_scm *scm, int64_t i, int64_t j);

/* Hands out what has changed since the last call, as rectangles of change [m] (row by row), for
 * ty_terrain_edit(). Returns how many; edit may be NULL to forget the changes. */
typedef void (*ty_scm_edit)(void *user, int64_t i0, int64_t j0, int nx, int ny, const float *change);
TY_API int ty_scm_edits(ty_scm *scm, ty_scm_edit edit, void *user);

/* Gives up the tiles all of whose columns are farther than `distance` [m] from x, y [m], where no soil flows any
 * more and whose changes have been handed out: change() must give them back when a body returns. Returns how many. */
TY_API int ty_scm_forget(ty_scm *scm, double x, double y, double distance);

/* All that a run remembers, as bytes for the same definition and shapes on the same machine. */
TY_API size_t ty_scm_save_size(const ty_scm *scm);
TY_API void ty_scm_save(const ty_scm *scm, void *out);
/* TY_ERR_FORMAT: not from such a grid; the grid is as before. TY_ERR_MEMORY. */
TY_API ty_status ty_scm_restore(ty_scm *scm, const void *bytes, size_t size, ty_diag *diag);

/* ---- soils of a run ---- */

/* Every built-in model: its number, its row (src/soil: tyi_soil_model_NAME), its name in files, and what it is. */
#define TY_SOIL_MODEL_LIST(X)                                                                \
    X(TY_SOIL_RIGID, rigid, "hard ground: spring and damper, Coulomb friction")              \
    X(TY_SOIL_BEKKER, bekker, "stresses of Bekker and Wong integrated over the rim")         \
    X(TY_SOIL_REGRESSION, regression, "measured slip and sinkage drive a compliant contact") \
    X(TY_SOIL_SCM, scm, "a grid of soil columns under the wheels: ruts, berms, lugs")        \
    X(TY_SOIL_CRM, crm, "particles of soil that flows, a patch under each wheel")            \
    X(TY_SOIL_NONE, none, "nothing to stand on: free flight")                                \
    X(TY_SOIL_USER, user, "a model that the calling program brings")

typedef enum ty_soil_model_kind {
#define TY_SOIL_MODEL_ENUM(id, name, what) id,
    TY_SOIL_MODEL_LIST(TY_SOIL_MODEL_ENUM)
#undef TY_SOIL_MODEL_ENUM
        TY_SOIL_MODEL_COUNT
} ty_soil_model_kind;

TY_API const char *ty_soil_model_name(ty_soil_model_kind kind);            /* "bekker" */
TY_API bool ty_soil_model_find(const char *name, ty_soil_model_kind *out); /* false: no such name */

/* Hard ground [uly] (2.1), (2.2), (1.26). */
typedef struct ty_rigid_params {
    double k;           /* [N/m^n]     1e5   stiffness, per wheel */
    double n;           /* [-]         1     exponent, 0.5 to 3 */
    double gamma;       /* [N s/m], Hunt-Crossley [N s/m^(n+1)]   2e3 */
    bool hunt_crossley; /* false: Kelvin-Voigt (2.1); true: (2.2), whose damping starts from zero */
    double mu;          /* [-]         0.8   friction */
    double k_tangent;   /* [N/m]       1e5   stiffness of sticking */
    double c_tangent;   /* [N s/m]     5e2   its damping */
} ty_rigid_params;

/* The grid of soil columns (ty_scm_def), for the soil of `bekker`; loose soil flows at its phi. */
typedef struct ty_scm_params {
    double spacing; /* [m]     0.02  of the grid, 0.005 to 0.2; best at a quarter of a wheel's width or less */
    bool lugs;      /*         true  each lug is a plate; false: a cylinder through the lugs' tips */
    double plate;   /* [-]     0.2   thickness of a lug over its height: viper's plates of 5 mm by 25 mm */
    bool berms;     /*         true  displaced soil is heaped up beside the wheels */
    double berm;    /* [-]     0.5   share of the volume of ruts that is heaped up, 0 to 1; the rest is compaction */
    double elastic; /* [Pa/m]  2e8   stiffness of unloading and reloading; also of bekker, in ruts */
    int threads;    /*         1     0: all processors; results do not depend on it */
} ty_scm_params;

/* Patches of soil that flows (crm, src/soil/patch): density, friction (by the shear angle) and cohesion are those of `bekker`. */
#define TY_PATCH_MODEL_LIST(X)  X(TY_PATCH_NONE, "none") X(TY_PATCH_CRM, "crm")
#define TY_PATCH_FOLLOW_LIST(X) X(TY_PATCH_WHEELS, "wheels") X(TY_PATCH_BOX, "box")
#define TY_PATCH_ENUM(id, name) id,
typedef enum ty_patch_model { TY_PATCH_MODEL_LIST(TY_PATCH_ENUM) } ty_patch_model;
typedef enum ty_patch_follow { TY_PATCH_FOLLOW_LIST(TY_PATCH_ENUM) } ty_patch_follow;
#undef TY_PATCH_ENUM
typedef struct ty_patch_params {
    int model;          /*         TY_PATCH_NONE   ty_patch_model: of particles under wheels on any soil */
    int follow;         /*         TY_PATCH_WHEELS ty_patch_follow: each wheel; those inside a box that stays */
    double spacing;     /* [m]     0.02   of particles, 0.002 to 0.1 */
    double side, depth; /* [m]     0, 0   0: twice the radius and the width of a wheel; its width, at least 0.15 */
    double x, y, wide;  /* [m]     0, 0, 2   middle and side of the box */
    double e;           /* [Pa]    1e6    Young's modulus */
    double nu;          /* [-]     0.3    Poisson's ratio */
    double mu_2, i0;    /* [-]     0 (as at rest), 0.04   friction of fast flow; inertial number in between */
    double grain;       /* [m]     0.005  size of grains */
    double friction;    /* [-]     0      between wheel and soil; 0: as within the soil */
    double alpha;       /* [-]     0.1    artificial viscosity */
    int jump;           /*         2      columns that a patch moves at a time, 1 to 16 */
    int threads;        /*         0      all processors; results do not depend on it */
} ty_patch_params;

typedef struct ty_soil_model ty_soil_model;

/* Start from ty_soil_def_default(). */
typedef struct ty_soil_def {
    ty_soil_model_kind model; /* TY_SOIL_BEKKER */
    ty_soil_params bekker;    /* also of scm; g is taken from the run */
    ty_scm_params grid;       /* scm */
    ty_patch_params patch;    /* crm, and patches of it in other soils */
    ty_regression_params regression;
    ty_rigid_params rigid; /* also how rocks and chassis are met on any soil */
    int slices;            /* 3   places across a wheel's width that sink by themselves, 1 to 9 */
    bool ruts;             /* true   wheels press ruts into the terrain (not on rigid ground) */
    bool multipass; /* true  bekker: soil that was pressed before is stiff up to that load; false: ruts carry as fresh soil does */
    const ty_soil_model *user; /* TY_SOIL_USER: the row; outlives what is made of it */
    uint32_t cookie;
} ty_soil_def;
TY_API ty_soil_def ty_soil_def_default(void);
/* TY_ERR_DEF, TY_ERR_RANGE: a field that is out of its range. */
TY_API ty_status ty_soil_def_check(const ty_soil_def *def, ty_diag *diag);

/* What the soil knows of a wheel, drum or other body from the start. */
typedef struct ty_soil_body_def {
    ty_wheel_shape wheel;
    double mass;     /* [kg] of the body */
    double rim_mass; /* [kg] inertia about the axle over the rolling radius squared; INFINITY: led at a given speed */
    double weight;   /* [N] that it bears at rest, about */
} ty_soil_body_def;

/* Its motion at the start of a step. */
typedef struct ty_soil_body {
    ty_vec3 centre, axle; /* [m], unit, to the left; W */
    ty_vec3 v, w;         /* [m/s] of the centre, [rad/s] of the body, W */
    ty_quat q;            /* takes the wheel's own axes (y along the axle, turning with it) to W */
    double omega;         /* [rad/s] about the axle, in W: with the turning of the axle's carrier */
    double angle;         /* [rad] of the joint */
} ty_soil_body;

/* Its contact plane [uly] 3.2.1, through the ground under it, and slices across its width. */
#define TY_SOIL_SLICES 9
typedef struct ty_soil_plane {
    ty_vec3 x, n, up; /* forward, normal of the ground; up in the wheel's own plane */
    int slices;
    double h[TY_SOIL_SLICES]; /* [m] sinkage of each slice's rim */
    double y[TY_SOIL_SLICES]; /* [m] where it lies along the axle */
    double v_x, v_y, h_rate;  /* [m/s] of the centre in the contact frame; of sinking */
    double radius;            /* [m] rolling radius: slip refers to it */
} ty_soil_plane;

/* What the soil does to a body about its centre, and what it found. */
typedef struct ty_soil_load {
    ty_vec3 force, torque;         /* [N], [N m] W */
    ty_vec3 x, n;                  /* contact frame */
    double fx, fy, fz, resistance; /* [N] in it; [N m] against forward rotation */
    double sinkage;                /* [m] below the ground as it was before all passes */
    double rut; /* [m] of that, what was there when the body came: sinkage - rut is below the ground as met */
    double slip, slip_angle; /* [-], [rad] */
    double theta1, theta2;   /* [rad] entry and exit */
    bool contact;
} ty_soil_load;

/* One body in one step. */
typedef struct ty_soil_at {
    int body;    /* its number in the soil world */
    int carrier; /* the rover that it belongs to */
    const ty_soil_body_def *def;
    const ty_soil_body *state;
    const ty_soil_plane *plane;
    void *memory;   /* ty_soil_model.memory bytes of its own, zero when it comes onto this soil; saved with the run */
    double *theta1; /* [rad] entry angle of late: where the next plane's points are taken */
    ty_soil_load *load; /* to be filled in; comes with x and n, the rest zero */
} ty_soil_at;

/* A group of bodies that moves together: a rover's wheels. */
typedef struct ty_soil_carrier {
    int number;
    int first, count;             /* of its bodies */
    const ty_soil_body_def *body; /* of the first */
    double reach;                 /* [m] that a body can be from the carrier's origin, and a margin */
} ty_soil_carrier;

/* The place, as a model sees it. */
typedef struct ty_soil_site {
    ty_terrain *terrain; /* NULL: a plane at height 0 without end, and nothing is pressed (the rig) */
    double gravity;      /* [m/s^2] */
    int level;           /* of the terrain's samples that edits change, */
    double spacing;      /* [m] and their spacing */
    bool ruts;           /* edits are wanted, and the level is the terrain's edit level */
    const ty_alloc *alloc;
    /* natural heights [m], as they were before any edit, near a carrier */
    void (*natural)(const struct ty_soil_site *site, int carrier, size_t n, const double *x, const double *y,
                    ty_terrain_ground *out);
    const void *user; /* of the above */
} ty_soil_site;

/* A model. Functions may be NULL where there is nothing to do; step is needed. step allocates nothing; press may. */
struct ty_soil_model {
    const char *name;
    size_t memory; /* [bytes] that it keeps for each body */
    bool surface;  /* sinkage counts from the ground as it is, edits included; otherwise from the natural ground */
    bool prints; /* ruts are pressed by the rim's shape after a step; otherwise press() tells the ground what changed */
    /* rolling radius [m]; NULL: to the tips of the lugs */
    double (*radius)(const ty_soil_def *def, const ty_wheel_shape *shape);
    /* radius [m] at which a wheel that is put down touches; NULL: that of the rim */
    double (*stand)(const ty_soil_def *def, const ty_wheel_shape *shape);
    /* The model on one soil. site and def outlive it. */
    ty_status (*create)(const ty_soil_site *site, const ty_soil_def *def, void **state, ty_diag *diag);
    ty_status (*join)(void *state, const ty_soil_carrier *carrier, ty_diag *diag); /* a carrier comes into the world */
    /* All bodies that stand on this soil, in the order of their numbers. */
    ty_status (*step)(void *state, const ty_soil_def *def, const ty_soil_at *at, int count, double dt, ty_diag *diag);
    /* After a step: what changed goes into the terrain's journal (wanted: a body of the carrier has moved by a sample), and
     * memory for the way until the next call is made. x, y [m]: where the carrier's first body is. */
    ty_status (*press)(void *state, const ty_soil_carrier *carrier, bool wanted, double x, double y, ty_diag *diag);
    size_t (*save)(const void *state, void *out); /* [bytes]; out NULL: only how many */
    ty_status (*restore)(void *state, const void *saved, size_t bytes, ty_diag *diag);
    void (*destroy)(void *state);
};

/* Turns fx, fy, fz and resistance of a load into a wrench in W; mx, mz [N m] about x and n, tilt: more about x. */
TY_API void ty_soil_wrench(const ty_soil_at *at, double mx, double mz, double tilt);

/* Height [m], below 0, of the lugs' pattern that a trace of the terrain (ty_terrain_edits()) stands for: part of the
 * change of height there, the rest is how deep the soil was pressed. */
TY_API float ty_rut_height(uint8_t trace);

TY_END_DECLS
#endif
