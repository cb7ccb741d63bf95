/* include/tycho/soil.h - how the ground answers wheels. Models, limits, sources: src/soil/README.md
 *
 * A soil model is a row of one table (ty_soil_model): create, join, step, press, save, restore, destroy. A run has one soil
 * world, which calls each model once per step for all bodies of all rovers that stand on its ground; a user's own model is a row
 * like the others (ty_soil_def.user, examples/user_soil.c). The built-in ones stand on what is below: the stresses of Bekker and
 * Wong integrated over the rim , the regressions of slip and sinkage of [ddt], a grid of soil
 * columns under bodies of any shape. The static solution and a step of a run call the same function.
 *
 * Contact frame: x forward in the wheel's plane, y left along the axle, z up along the ground's normal. Threads:
 * every function here only reads what it is given but for its outputs; call from as many as you like. A grid of columns has
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
    double n1_side;       /* [-] the same with side slip, per |v_y| / V (V: the larger of |rs omega| and |v_x|) */
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

/* A rigid wheel. Lugs are plates of the full width, evenly spaced. Sinkage is that of the rim, not of the lug tips. */
typedef struct ty_wheel_shape {
    double r;         /* [m] radius of the rim, 1e-3 to 10 */
    double b;         /* [m] width, 1e-3 to 10 */
    double grouser_h; /* [m] height of the lugs, 0 to r */
    int grousers;     /* number of lugs, 0 to 1000 */
} ty_wheel_shape;

/* What the soil does to the wheel, about the wheel's centre. */
typedef struct ty_wheel_load {
    double fx, fy, fz;             /* [N] */
    double torque;                 /* [N m] resisting forward rotation: the moment about +y is -torque */
    double mx, mz;                 /* [N m] about +x and +z, from where the side force acts */
    double theta1, theta2, thetam; /* [rad] entry, exit, largest stress; > 0 where it rolls to */
    double slip;                   /* [-] slip ratio in the direction of rolling */
    double beta;                   /* [rad] slip angle, without sign */
} ty_wheel_load;

/* Steady motion over flat ground. */
typedef struct ty_wheel_steady {
    double load; /* [N] vertical, > 0: the sinkage is sought that carries it */
    double h;    /* [m] sinkage, 0 to 2 r; used instead of load where by_sinkage */
    bool by_sinkage;
    double slip; /* [-] -1 to 1, (2.13) of [uly] with the shearing radius */
    double beta; /* [rad] slip angle atan(v_y / v_x), -1.55 to 1.55 */
} ty_wheel_steady;

/* Sinkage [m] and forces of a wheel in steady motion: what a step of a run gives, without damping. The
 * sinkage is the smallest that carries the load. Returns TY_ERR_DEF and
 * TY_ERR_RANGE for soil and shape, TY_ERR_RANGE for the motion, and TY_ERR_NUMERIC with the largest load that can be carried where
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

/* ---- scm: a grid of soil columns [krenn2009], [lunar] section 2 ---- */

/* ---- soils of a run ---- */

/* Every built-in model: its number, its row (src/soil: tyi_soil_model_NAME), its name in files, and what it is. */
#define TY_SOIL_MODEL_LIST(X)                                                                \
    X(TY_SOIL_RIGID, rigid, "hard ground: spring and damper, Coulomb friction")              \
    X(TY_SOIL_BEKKER, bekker, "stresses of Bekker and Wong integrated over the rim")         \
    X(TY_SOIL_REGRESSION, regression, "measured slip and sinkage drive a compliant contact") \
    X(TY_SOIL_SCM, scm, "a grid of soil columns under the wheels: ruts, berms, lugs")        \
    X(TY_SOIL_CRM, crm, "particles of soil that flows, a patch under each wheel")            \
    X(TY_SOIL_DEM, dem, "grains that press, slide and roll, a patch under each wheel")       \
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

/* The grid of soil columns (src/soil/scm), for the soil of `bekker`; loose soil flows at its phi. */
typedef struct ty_scm_params {
    double spacing; /* [m]     0.02  of the grid, 0.005 to 0.2; best at a quarter of a wheel's width or less */
    bool lugs;      /*         true  each lug is a plate; false: a cylinder through the lugs' tips */
    double plate;   /* [-]     0.2   thickness of a lug over its height: viper's plates of 5 mm by 25 mm */
    bool berms;     /*         true  displaced soil is heaped up beside the wheels */
    double berm;    /* [-]     0.5   share of the volume of ruts that is heaped up, 0 to 1; the rest is compaction */
    double elastic; /* [Pa/m]  2e8   stiffness of unloading and reloading; also of bekker, in ruts */
    int threads;    /*         1     0: all processors; results do not depend on it */
} ty_scm_params;

/* Patches of soil that flows (crm, dem; src/soil/patch): density, friction (by the shear angle; of dem it is what grains make) and cohesion are
 * those of `bekker`. */
#define TY_PATCH_MODEL_LIST(X)  X(TY_PATCH_NONE, "none") X(TY_PATCH_CRM, "crm") X(TY_PATCH_DEM, "dem")
#define TY_PATCH_FOLLOW_LIST(X) X(TY_PATCH_WHEELS, "wheels") X(TY_PATCH_BOX, "box") X(TY_PATCH_TOOL, "tool")
#define TY_PATCH_ENUM(id, name) id,
typedef enum ty_patch_model { TY_PATCH_MODEL_LIST(TY_PATCH_ENUM) } ty_patch_model;
typedef enum ty_patch_follow { TY_PATCH_FOLLOW_LIST(TY_PATCH_ENUM) } ty_patch_follow;
#undef TY_PATCH_ENUM
typedef struct ty_patch_params {
    int model; /*         TY_PATCH_NONE   ty_patch_model: of particles under wheels on any soil */
    int follow; /*         TY_PATCH_WHEELS ty_patch_follow: each wheel; those inside a box that stays; none. Tools always */
    double spacing;     /* [m]     0.02   of particles, diameter of grains, 0.002 to 0.1 */
    double side, depth; /* [m]     0, 0   0: twice the radius and the width of a wheel; its width, at least 0.15 */
    double x, y, wide;  /* [m]     0, 0, 2   middle and side of the box */
    double e;           /* [Pa]    1e6    Young's modulus */
    double nu;          /* [-]     0.3    Poisson's ratio */
    double mu_2, i0;    /* [-]     0 (as at rest), 0.04   friction of fast flow; inertial number in between */
    double grain;       /* [m]     0.005  size of grains */
    double friction;    /* [-]     0      between wheel and soil; 0: as within the soil */
    double alpha;       /* [-]     0.1    artificial viscosity */
    double
        lode; /* [-]     0      crm: 1: friction is that of plane strain, other states by [matsuoka1974]; 0: one for all */
    double mu, roll;    /* [-]     0.5, 0.2   dem: friction of grains, resistance to rolling */
    double restitution; /* [-]     0.5    dem */
    double spread;      /* [-]     0.1    dem: standard deviation of the logarithm of sizes */
    bool device;        /*         false  crm: steps on the device of the site, where there is one */
    int jump;           /*         2      columns that a patch moves at a time, 1 to 16 */
    int threads;        /*         0      all processors; results do not depend on it */
} ty_patch_params;

typedef struct ty_soil_model ty_soil_model;

/* Start from ty_soil_def_default(). */
typedef struct ty_soil_def {
    ty_soil_model_kind model; /* TY_SOIL_BEKKER */
    ty_soil_params bekker;    /* also of scm; g is taken from the run */
    ty_scm_params grid;       /* scm */
    ty_patch_params patch;    /* crm, dem, and patches of them in other soils */
    ty_regression_params regression;
    ty_rigid_params rigid; /* also how rocks and chassis are met on any soil */
    int slices;            /* 3   places across a wheel's width that sink by themselves, 1 to 9 */
    bool ruts;             /* true   wheels press ruts into the terrain (not on rigid ground) */
    bool multipass; /* true  bekker: soil that was pressed before is stiff up to that load; false: ruts carry as fresh soil does */
    const ty_soil_model *user; /* TY_SOIL_USER: the row; outlives what is made of it */
    uint32_t cookie;
} ty_soil_def;
TY_API ty_soil_def ty_soil_def_default(void);

/* An implement that moves soil: only soil of particles (crm, dem) meets it. In its own axes x is forward, y left, z up. */
#define TY_TOOL_LIST(X)                                                                                \
    X(TY_TOOL_DRUM, "drum")     /* about y, sheets that wind inwards; digs when it turns as a wheel */ \
    X(TY_TOOL_BLADE, "blade")   /* a plate across x, its middle in the origin */                       \
    X(TY_TOOL_BUCKET, "bucket") /* open above and in front, its lip in the origin */
#define TY_TOOL_ENUM(id, name) id,
typedef enum ty_tool_kind { TY_TOOL_LIST(TY_TOOL_ENUM) TY_TOOL_COUNT } ty_tool_kind;
#undef TY_TOOL_ENUM
typedef struct ty_soil_tool {
    int kind;                            /* ty_tool_kind */
    double radius, width, height, depth; /* [m] drum; all; blade, bucket; bucket: from its lip back */
    double sheet;                        /* [m] thickness */
    int scoops;                          /* drum, 1 to 4 */
    double friction;                     /* [-] with soil; 0: as within the soil */
} ty_soil_tool;

/* What the soil knows of a wheel, drum or other body from the start. */
typedef struct ty_soil_body_def {
    ty_wheel_shape wheel;
    double mass;     /* [kg] of the body */
    double rim_mass; /* [kg] inertia about the axle over the rolling radius squared; INFINITY: led at a given speed */
    double weight;   /* [N] that it bears at rest, about */
    const ty_soil_tool *tool; /* NULL: a wheel; else wheel is a cylinder around it. Outlives the soil */
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
    double carried; /* [kg] of soil in a tool */
} ty_soil_load;

/* One body in one step. */
typedef struct ty_soil_at {
    int body;    /* its number in the soil world */
    int carrier; /* the rover that it belongs to */
    const ty_soil_body_def *def;
    const ty_soil_body *state;
    const ty_soil_plane *plane;
    void *memory;   /* ty_soil_model.memory bytes of its own, zero when it comes onto this soil; saved with the run */
    double *theta1; /* [rad] entry angle, to be set: the next planes' points are taken there */
    ty_soil_load *load; /* to be filled in; comes with x and n, the rest zero */
} ty_soil_at;

/* A group of bodies that moves together: a rover's wheels. */
typedef struct ty_soil_carrier {
    int number;
    int first, count;             /* of its bodies: wheels, then tools */
    int wheels;                   /* how many of them are wheels */
    const ty_soil_body_def *body; /* of the first */
    double reach;                 /* [m] that a body can be from the carrier's origin, and a margin */
} ty_soil_carrier;

/* The place, as a model sees it. */
typedef struct ty_soil_site {
    ty_terrain *terrain;      /* NULL: a plane at height 0 without end, and nothing is pressed (the rig) */
    double gravity;           /* [m/s^2] */
    double slope;             /* [rad] of the rig's plane, rising along x; patches */
    int level;                /* of the terrain's samples that edits change, */
    double spacing;           /* [m] and their spacing */
    bool ruts;                /* edits are wanted, and the level is the terrain's edit level */
    struct ty_device *device; /* for patches that ask for one; NULL: the host. One thread at a time */
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
    bool tools;    /* it meets tools, not wheels alone */
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

TY_END_DECLS
#endif
