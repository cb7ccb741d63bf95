/* src/scenario/scenario.c - a scenario file into definitions, and the checks that go beyond single keys.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "world/terrain/def.h"
#include "scenario.h"
#include "sensor/kinds.h"
#include "inner.h"
#include "world/inner.h"

/* What ty_scenario_load() hands out: the lists of the scenario live in the arena. */
typedef struct owner {
    ty_scenario scenario; /* first, so that its address is the owner's */
    tyi_arena memory;
    const ty_alloc *alloc;
} owner;

/* ---- names: they become files, topics and columns ---- */

static ty_status check_name(const tyi_io_doc *doc, const char *name, ty_diag *diag)
{
    char shown[70];
    return tyi_name_ok(name) ? TY_OK
                             : tyi_io_doc_fail_field(doc, name, diag, TY_ERR_INPUT, "is '%s', but " TYI_NAME_RULE,
                                                     tyi_io_doc_show(name, shown, sizeof shown));
}

/* two that would share files: the second is where the sentence points to, and it says where the first is */
static ty_status check_pair(const tyi_io_doc *doc, const char *name, const char *other, const char *where, size_t index,
                            ty_diag *diag)
{
    return tyi_name_same(name, other)
               ? tyi_io_doc_fail_field(
                     doc, name, diag, TY_ERR_INPUT,
                     "is '%s', but %s.%zu is named '%s'; each needs a name of its own, as files and topics "
                     "are named by it ('-', '.' and '_' count as the same)",
                     name, where, index, other)
               : TY_OK;
}

static ty_status check_sensors(const tyi_io_doc *doc, const ty_sensor_def *sensor, size_t count, const char *where,
                               size_t index, ty_diag *diag)
{
    char list[80];
    ty_status status = TY_OK;
    snprintf(list, sizeof list, "%s.%zu.sensors", where, index);
    for (size_t i = 0; i < count && status == TY_OK; i++) {
        status = check_name(doc, sensor[i].name, diag);
        for (size_t k = 0; k < i && status == TY_OK; k++) {
            status = check_pair(doc, sensor[i].name, sensor[k].name, list, k, diag);
        }
    }
    return status;
}

static ty_status check_names(const tyi_io_doc *doc, const ty_scenario *s, ty_diag *diag)
{
    ty_status status = check_name(doc, s->name, diag);
    for (size_t i = 0; i < s->rovers && status == TY_OK; i++) {
        status = check_name(doc, s->rover[i].name, diag);
        for (size_t k = 0; k < i && status == TY_OK; k++) {
            status = check_pair(doc, s->rover[i].name, s->rover[k].name, "rovers", k, diag);
        }
        status =
            status == TY_OK ? check_sensors(doc, s->rover[i].sensor, s->rover[i].sensors, "rovers", i, diag) : status;
    }
    for (size_t i = 0; i < s->actors && status == TY_OK; i++) {
        status = check_name(doc, s->actor[i].name, diag);
        for (size_t k = 0; k < s->rovers && status == TY_OK; k++) {
            status = check_pair(doc, s->actor[i].name, s->rover[k].name, "rovers", k, diag);
        }
        for (size_t k = 0; k < i && status == TY_OK; k++) {
            status = check_pair(doc, s->actor[i].name, s->actor[k].name, "actors", k, diag);
        }
        status =
            status == TY_OK ? check_sensors(doc, s->actor[i].sensor, s->actor[i].sensors, "actors", i, diag) : status;
    }
    for (size_t i = 0; i < s->objects && status == TY_OK; i++) {
        status = s->object[i].name[0] ? check_name(doc, s->object[i].name, diag) : TY_OK;
    }
    for (size_t i = 0; i < s->rocks && status == TY_OK; i++) {
        const char *name = s->rock[i].name;
        status = name[0] ? check_name(doc, name, diag) : TY_OK;
        for (size_t k = 0; name[0] && k < i && status == TY_OK; k++) {
            status = check_pair(doc, name, s->rock[k].name, "rocks", k, diag);
        }
        for (size_t k = 0; name[0] && k < s->rovers && status == TY_OK; k++) {
            status = check_pair(doc, name, s->rover[k].name, "rovers", k, diag);
        }
        for (size_t k = 0; name[0] && k < s->actors && status == TY_OK; k++) {
            status = check_pair(doc, name, s->actor[k].name, "actors", k, diag);
        }
    }
    return status;
}

/* ---- paths ---- */

/* Makes a relative path of TY_PATH_MAX bytes, which is meant from the scenario's folder, one that holds from the
 * working folder, and checks that there is a file. "" stays. */
static ty_status resolve(const tyi_io_doc *doc, const char *scenario_path, char *path, const char *what, ty_diag *diag)
{
    char shown[100];
    if (!path[0]) {
        return TY_OK;
    }
    tyi_io_doc_show(path, shown, sizeof shown);
    const char *slash = strrchr(scenario_path, '/');
    size_t folder = slash && path[0] != '/' ? (size_t)(slash - scenario_path) + 1 : 0;
    size_t length = strlen(path);
    if (folder + length >= TY_PATH_MAX) {
        return tyi_io_doc_fail_field(doc, path, diag, TY_ERR_INPUT, "is '%s', whose whole path is longer than %d bytes",
                                     shown, TY_PATH_MAX - 1);
    }
    memmove(path + folder, path, length + 1);
    memcpy(path, scenario_path, folder);
    struct stat about;
    char reason[100];
    if (stat(path, &about) || access(path, R_OK)) {
        return tyi_io_doc_fail_field(doc, path, diag, TY_ERR_FILE,
                                     "is '%s', which cannot be opened (%s); it takes the path of %s", shown,
                                     strerror_r(errno, reason, sizeof reason), what);
    }
    if (S_ISDIR(about.st_mode)) {
        return tyi_io_doc_fail_field(doc, path, diag, TY_ERR_FILE,
                                     "is '%s', which is a folder; it takes the path of %s", shown, what);
    }
    return TY_OK;
}

static ty_status resolve_sensors(const tyi_io_doc *doc, const char *path, ty_sensor_def *sensor, size_t count,
                                 ty_diag *diag)
{
    ty_status status = TY_OK;
    for (size_t i = 0; i < count && status == TY_OK; i++) {
        bool modelled = sensor[i].kind != TY_SENSOR_CAMERA && sensor[i].kind != TY_SENSOR_USER;
        status = modelled ? resolve(doc, path, sensor[i].as.instrument.model, "a sensor's YAML file", diag) : TY_OK;
        if (status == TY_OK) {
            status = tyi_sensor_check(doc, &sensor[i], diag);
        }
    }
    return status;
}

/* the rover that a driver goes by is another one of the file */
static ty_status check_leader(const tyi_io_doc *doc, const ty_scenario *s, const ty_scenario_rover *r, ty_diag *diag)
{
    const char *leader = r->driver.leader;
    bool found = !leader[0];
    for (size_t i = 0; i < s->rovers; i++) {
        found = found || (&s->rover[i] != r && !strcmp(s->rover[i].name, leader));
    }
    return found ? TY_OK
                 : tyi_io_doc_fail_field(doc, leader, diag, TY_ERR_INPUT,
                                         "is '%s', but takes the name of another rover of the scenario", leader);
}

static ty_status resolve_rover(const tyi_io_doc *doc, const char *path, ty_scenario_rover *r, ty_diag *diag)
{
    ty_status status = resolve(doc, path, r->model, "a rover's YAML file", diag);
    if (status == TY_OK) {
        status = resolve(doc, path, r->soil.file, "a soil's YAML file", diag);
    }
    if (status == TY_OK) {
        status = resolve(doc, path, r->driver.table, r->driver.kind == TY_DRIVER_FMU ? "an FMU" : "a CSV table", diag);
    }
    if (status == TY_OK) {
        status = resolve(doc, path, r->commands, "a CSV table", diag);
    }
    for (size_t i = 0; i < r->moves && status == TY_OK; i++) {
        const ty_scenario_move *m = &r->move[i];
        if (isnan(m->value)) {
            status = tyi_io_doc_fail_field(doc, &m->t, diag, TY_ERR_INPUT,
                                           "is %g, but there is neither value nor value_deg for that time", m->t);
        } else if (i && m->t < m[-1].t) {
            status = tyi_io_doc_fail_field(doc, &m->t, diag, TY_ERR_INPUT,
                                           "is %g, but must not be before %g of the command above", m->t, m[-1].t);
        }
    }
    if (status == TY_OK && r->waits && r->sensors) {
        status =
            tyi_io_doc_fail_field(doc, &r->waits, diag, TY_ERR_INPUT,
                                  "is true, but the rover has %zu sensors; one that waits carries none", r->sensors);
    }
    return status == TY_OK ? resolve_sensors(doc, path, r->sensor, r->sensors, diag) : status;
}

static ty_status resolve_actor(const tyi_io_doc *doc, const char *path, ty_scenario_actor *a, ty_diag *diag)
{
    ty_status status = resolve(doc, path, a->mesh, "an OBJ file", diag);
    if (status == TY_OK) {
        status = resolve(doc, path, a->trajectory, "a CSV table", diag);
    }
    status = status == TY_OK ? resolve(doc, path, a->fmu, "an FMU", diag) : status;
    if (status == TY_OK && a->fmu[0] && a->trajectory[0]) {
        status = tyi_io_doc_fail_field(doc, &a->fmu, diag, TY_ERR_INPUT,
                                       "moves the actor, and a trajectory does too; one of them is taken");
    }
    if (status == TY_OK && !a->fmu[0] && (a->connect.count || a->set.count)) {
        status = tyi_io_doc_fail_field(doc, a->connect.count ? &a->connect : &a->set, diag, TY_ERR_INPUT,
                                       "is about an FMU, but the actor has none");
    }
    return status == TY_OK ? resolve_sensors(doc, path, a->sensor, a->sensors, diag) : status;
}

static ty_status resolve_object(const tyi_io_doc *doc, const char *path, ty_scenario_object *o, ty_diag *diag)
{
    ty_status status = resolve(doc, path, o->file, "an OBJ or glTF model", diag);
    if (status == TY_OK) {
        status = resolve(doc, path, o->texture, "a picture in PNG or JPEG", diag);
    }
    return status == TY_OK ? resolve(doc, path, o->normals, "a normal map in PNG or JPEG", diag) : status;
}

static const tyi_io_node *child(const tyi_io_node *node, const char *name)
{
    const tyi_io_item *item = node && node->type == TYI_IO_MAP ? node->items : NULL;
    while (item && strcmp(item->key->text, name)) {
        item = item->next;
    }
    return item ? item->value : NULL;
}

/* which of the choices a scalar names; the end of the list where it is none */
static int choice(const tyi_io_node *node, const char *const *choices)
{
    int k = 0;
    while (node && node->type == TYI_IO_SCALAR && choices[k] && strcmp(choices[k], node->text)) {
        k++;
    }
    return k;
}

/* The kind of ground sets the defaults of the terrain's other keys, so it is looked for first, wherever it stands. A
 * word that is none is refused when the keys are filled. */
static ty_terrain_def terrain_defaults(const tyi_io_doc *doc)
{
    int k = choice(child(child(doc->root, "terrain"), "kind"), tyi_scenario_kinds);
    return ty_terrain_def_kind(k < TY_GROUND_KINDS ? (ty_ground_kind)k : TY_GROUND_ANY);
}

/* likewise the body and its gravity */
static double gravity_default(const tyi_io_doc *doc)
{
    static const double gravity[TY_PLANETS + 1] = { TY_GRAVITY_MOON, TY_GRAVITY_EARTH, TY_GRAVITY_MARS,
                                                    TY_GRAVITY_MOON };
    return gravity[choice(child(doc->root, "body"), tyi_scenario_planets)];
}

/* files of soils, and that the ground has one: given once */
static ty_status resolve_soils(const tyi_io_doc *doc, const char *path, ty_scenario *s, ty_diag *diag)
{
    ty_scenario_soil soil;
    ty_status status = resolve(doc, path, s->soil.file, "a soil's YAML file", diag);
    for (size_t i = 0; i < s->soil_regions && status == TY_OK; i++) {
        status = resolve(doc, path, s->soil_region[i].soil.file, "a soil's YAML file", diag);
        if (status == TY_OK && s->soil_region[i].raster[0]) {
            status = resolve(doc, path, s->soil_region[i].raster, "a raster of classes", diag);
        }
    }
    for (size_t i = 0; i < s->rovers && status == TY_OK; i++) {
        const ty_scenario_soil *own = &s->rover[i].soil;
        const void *field[] = { &own->model, own->file, own->user, &own->spacing, &own->lugs };
        for (int k = 0; k < 5 && s->soil.model >= 0 && status == TY_OK; k++) {
            if (tyi_io_doc_given(doc, field[k])) {
                status =
                    tyi_io_doc_fail_field(doc, field[k], diag, TY_ERR_INPUT,
                                          "is given, but the scenario has a `soil` of its own for the whole ground");
            }
        }
    }
    return status == TY_OK ? tyi_scenario_soil_of(s, &soil, diag) : status;
}

/* inside the site, which is all the ground that is promised */
static ty_status check_place(const tyi_io_doc *doc, const ty_scenario *s, const double *field, const char *what,
                             ty_diag *diag)
{
    double half = 0.5 * s->terrain.extent;
    return s->terrain.whole || fabs(*field) <= half
               ? TY_OK
               : tyi_io_doc_fail_field(doc, field, diag, TY_ERR_RANGE,
                                       "is %g, but %s of a site whose extent is %g m lies within %g to %g", *field,
                                       what, s->terrain.extent, -half, half);
}

static ty_status check_places(const tyi_io_doc *doc, const ty_scenario *s, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (size_t i = 0; i < 2 * s->rocks && status == TY_OK; i++) {
        status = check_place(doc, s, &s->rock[i / 2].at[i % 2], "a rock", diag);
    }
    for (size_t i = 0; i < 2 * s->craters && status == TY_OK; i++) {
        status = check_place(doc, s, &s->crater[i / 2].at[i % 2], "a crater", diag);
    }
    for (size_t i = 0; i < s->rovers && status == TY_OK; i++) {
        const ty_scenario_rover *r = &s->rover[i];
        status = check_place(doc, s, &r->vehicle.x, "a rover", diag);
        status = status == TY_OK ? check_place(doc, s, &r->vehicle.y, "a rover", diag) : status;
        for (size_t k = 0; k < r->driver.points && status == TY_OK; k++) {
            status = check_place(doc, s, &r->driver.point[k].x, "a waypoint", diag);
            status = status == TY_OK ? check_place(doc, s, &r->driver.point[k].y, "a waypoint", diag) : status;
        }
    }
    return status;
}

static ty_status fill(tyi_io_doc *doc, const char *path, owner *o, ty_diag *diag)
{
    ty_scenario *s = &o->scenario;
    *s = ty_scenario_default();
    s->terrain = terrain_defaults(doc);
    s->gravity = gravity_default(doc);
    ty_status status = tyi_io_doc_fill(doc, &tyi_scenario_schema, s, &o->memory, diag);
    s->keys = doc->keys;
    if (status == TY_OK) {
        status = check_names(doc, s, diag);
    }
    if (status == TY_OK) {
        status = resolve(doc, path, s->base_path, "an elevation raster", diag);
    }
    for (size_t i = 0; i < s->layers && status == TY_OK; i++) {
        status = resolve(doc, path, s->layer[i].raster, "an elevation raster", diag);
    }
    for (size_t i = 0; i < s->ground.maps && status == TY_OK; i++) {
        status = resolve(doc, path, s->ground.map[i].file, "a raster", diag);
    }
    if (status == TY_OK) {
        status = resolve_soils(doc, path, s, diag);
    }
    for (size_t i = 0; i < s->objects && status == TY_OK; i++) {
        status = resolve_object(doc, path, &s->object[i], diag);
    }
    if (status == TY_OK) {
        status = resolve(doc, path, s->sky.star_file, "a star catalogue", diag);
    }
    for (size_t i = 0; i < s->rovers && status == TY_OK; i++) {
        status = resolve_rover(doc, path, &s->rover[i], diag);
        status = status == TY_OK ? check_leader(doc, s, &s->rover[i], diag) : status;
    }
    for (size_t i = 0; i < s->actors && status == TY_OK; i++) {
        status = resolve_actor(doc, path, &s->actor[i], diag);
    }
    if (status == TY_OK) {
        status = check_places(doc, s, diag);
    }
    if (status == TY_OK) {
        status = tyi_scenario_places(s, &o->memory, diag);
    }
    if (status == TY_OK) {
        status = ty_terrain_def_check(&s->terrain, diag); /* says nothing new: the schema has the same rules */
    }
    return status;
}

/* likewise of what is added to a scenario */
static ty_status fill_part(tyi_io_doc *doc, const ty_scenario *of, owner *o, ty_diag *diag)
{
    ty_scenario *s = &o->scenario;
    *s = ty_scenario_default();
    s->terrain = of->terrain;
    ty_status status = tyi_io_doc_fill(doc, &tyi_scenario_part_schema, s, &o->memory, diag);
    s->keys = doc->keys;
    status = status == TY_OK ? check_names(doc, s, diag) : status;
    for (size_t i = 0; i < s->objects && status == TY_OK; i++) {
        status = resolve_object(doc, "", &s->object[i], diag);
        if (status == TY_OK && s->object[i].rover[0]) {
            status = tyi_io_doc_fail_field(doc, s->object[i].rover, diag, TY_ERR_INPUT,
                                           "is '%s', but what is added in a run rides on nothing", s->object[i].rover);
        }
    }
    return status == TY_OK ? check_places(doc, s, diag) : status;
}

/* of: the scenario that a part is added to; NULL: a whole one */
static ty_status load(const char *path, const char *bytes, size_t size, const char *const *settings, size_t count,
                      const ty_alloc *alloc, const ty_scenario *of, ty_scenario **out, ty_diag *diag)
{
    /* decimal points, not the decimal commas of a host program's locale */
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0), before = plain ? uselocale(plain) : (locale_t)0;
    tyi_io_doc doc;
    owner *o = NULL;
    *out = NULL;
    ty_status status =
        bytes ? tyi_io_doc_parse(&doc, path, bytes, size, alloc, diag) : tyi_io_doc_read(&doc, path, alloc, diag);
    if (status == TY_OK) {
        status = tyi_io_doc_set(&doc, settings, count, diag);
    }
    if (status == TY_OK) {
        o = tyi_get(alloc, sizeof *o);
        status = o ? TY_OK : tyi_io_doc_memory(diag, &doc);
    }
    if (status == TY_OK) {
        o->alloc = alloc;
        tyi_arena_init(&o->memory, alloc, 4096);
        status = of ? fill_part(&doc, of, o, diag) : fill(&doc, path, o, diag);
    }
    tyi_io_doc_free(&doc);
    if (plain) {
        uselocale(before);
        freelocale(plain);
    }
    if (status == TY_OK) {
        *out = &o->scenario;
    } else if (o) {
        ty_scenario_destroy(&o->scenario);
    }
    return status;
}

ty_status tyi_scenario_part(const ty_scenario *of, const char *text, ty_scenario **out, ty_diag *diag)
{
    return load("what is added", text, strlen(text), NULL, 0, NULL, of, out, diag);
}

ty_status tyi_scenario_load(const char *path, const char *bytes, size_t size, const char *const *settings, size_t count,
                            const ty_alloc *alloc, ty_scenario **out, ty_diag *diag)
{
    return load(path, bytes, size, settings, count, alloc, NULL, out, diag);
}

ty_status ty_scenario_load(const char *path, const char *const *settings, size_t count, ty_scenario **out,
                           ty_diag *diag)
{
    return tyi_scenario_load(path, NULL, 0, settings, count, NULL, out, diag);
}

ty_status ty_scenario_parse(const char *path, const char *text, size_t bytes, const char *const *settings, size_t count,
                            ty_scenario **out, ty_diag *diag)
{
    return tyi_scenario_load(path, text, bytes, settings, count, NULL, out, diag);
}

void ty_scenario_destroy(ty_scenario *scenario)
{
    if (scenario) {
        owner *o = (owner *)(void *)scenario;
        tyi_arena_free(&o->memory);
        tyi_put(o->alloc, o, sizeof *o);
    }
}

ty_status ty_scenario_create_world(const ty_scenario *s, ty_world **out, ty_diag *diag)
{
    tyi_world_def def = { .terrain = &s->terrain,
                          .base_path = s->base_path,
                          .layer = s->layer,
                          .layers = s->layers,
                          .memory = s->planet_memory,
                          .start_utc = s->start_utc };
    return tyi_world_create(&def, out, diag);
}
