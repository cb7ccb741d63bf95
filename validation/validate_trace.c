/* validation/validate_trace.c - [ddt] Fig. 8: where a rover on the regression soil leaves traces deeper than 12 mm:
 * it starts, drives, turns, drives on and stops.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tycho/tools/draw.h"
#include "tycho/math.h"
#include "tycho/vehicle.h"
#include "soil/inner.h"
#include "validate.h"

enum { NX = 650, NY = 290, I0 = -50, J0 = -60, PHASES = 5 };
static const float deep = 0.012f; /* [m] */

typedef struct phase {
    double seconds;
    ty_drive_command command;
    uint8_t color[3]; /* of what it presses deeper than 12 mm */
    int marked;       /* samples that it pressed deeper than 12 mm */
} phase;

typedef struct scene {
    ty_terrain *terrain;
    ty_vehicle *vehicle;
    int level;
    double spacing;
    float change[NX * NY];
    uint8_t trace[NX * NY];
    uint8_t owner[NX * NY]; /* 1 + phase that first went deeper than 12 mm; 100: only touched */
    uint8_t rgb[3 * NX * NY];
} scene;

static ty_status run_phase(scene *s, const phase *p, ty_diag *diag)
{
    ty_status status = ty_vehicle_command(s->vehicle, &p->command, diag);
    for (int i = 0; i < (int)(p->seconds * 1e3) && status == TY_OK; i++) {
        status = ty_vehicle_step(s->vehicle, 1e-3, diag);
        status = status == TY_OK ? ty_vehicle_press_ruts(s->vehicle, diag) : status;
    }
    return status;
}

static void mark(scene *s, phase *p, int number)
{
    ty_terrain_edits(s->terrain, s->level, I0, J0, NX, NY, s->change, s->trace);
    for (int k = 0; k < NX * NY; k++) {
        float pit = s->change[k] - tyi_soil_rut_height(s->trace[k]); /* without the lugs' own pattern */
        if (pit < -deep && (s->owner[k] == 0 || s->owner[k] == 100)) {
            s->owner[k] = (uint8_t)(1 + number);
            p->marked++;
        }
        if (pit < -1e-3f && s->owner[k] == 0) {
            s->owner[k] = 100;
        }
    }
}

/* light from the left, as the traces would look, with what is deep coloured */
static void paint(scene *s, const phase *p)
{
    for (int j = 0; j < NY; j++) {
        for (int i = 0; i < NX; i++) {
            int k = j * NX + i, before = i ? k - 1 : k, after = i + 1 < NX ? k + 1 : k;
            double rise = (double)(s->change[after] - s->change[before]) / (2.0 * s->spacing);
            double light = fmin(fmax(0.55 + 0.9 * rise, 0.0), 1.0);
            const uint8_t *tint = s->owner[k] && s->owner[k] != 100 ? p[s->owner[k] - 1].color : NULL;
            for (int c = 0; c < 3; c++) {
                s->rgb[3 * k + c] = (uint8_t)lround(tint ? tint[c] * (0.6 + 0.4 * light) : 255.0 * light);
            }
        }
    }
}

static ty_status make(scene *s, ty_diag *diag)
{
    static const double level = 0.0;
    char path[4096];
    const char *root = getenv("TYCHO_SOURCE");
    ty_vehicle_def def = ty_vehicle_def_default();
    ty_status status = validate_plane(&level, &s->terrain, diag);
    snprintf(path, sizeof path, "%s/models/rovers/ex1.yaml", root ? root : ".");
    def.rover = path;
    def.terrain = s->terrain;
    def.soil.model = TY_SOIL_REGRESSION;
    status = status == TY_OK ? ty_vehicle_create(&def, &s->vehicle, diag) : status;
    if (status == TY_OK) {
        s->level = ty_terrain_get_def(s->terrain)->edit_level;
        s->spacing = ty_terrain_spacing(s->terrain, s->level);
    }
    return status;
}

static ty_status draw(validate_book *book, const scene *s, ty_diag *diag)
{
    char path[4096];
    ty_draw_map map = ty_draw_map_default();
    map.title = "EX1 on regression soil: traces deeper than 12 mm";
    map.note = "blue: gaining speed, red: losing it, white: turning, yellow: driving straight";
    map.x0 = I0 * s->spacing, map.y0 = J0 * s->spacing;
    map.x1 = map.x0 + NX * s->spacing, map.y1 = map.y0 + NY * s->spacing;
    map.lat = map.lon = (double)NAN;
    map.layer[0] = ty_draw_layer_default();
    map.layer[0].nx = NX, map.layer[0].ny = NY, map.layer[0].rgb = s->rgb;
    map.layers = 1;
    return ty_draw_write_map(validate_picture(book, "validation_traces.png", path, sizeof path), &map, diag);
}

ty_status validate_trace(validate_book *book, ty_diag *diag)
{
    phase p[PHASES] = {
        { .seconds = 2.5, .command = { .v = 1.17 }, .color = { 40, 90, 255 } },
        { .seconds = 2.5, .command = { .v = 1.17 }, .color = { 240, 220, 60 } },
        { .seconds = 2.5, .command = { .mode = TY_STEER_SKID, .v = 1.17, .omega = 2.0 }, .color = { 255, 255, 255 } },
        { .seconds = 2.5, .command = { .v = 1.17 }, .color = { 240, 220, 60 } },
        { .seconds = 2.0, .command = { .v = 0.0 }, .color = { 255, 60, 40 } },
    };
    scene *s = calloc(1, sizeof *s);
    ty_status status = s ? make(s, diag) : ty_fail(diag, TY_ERR_MEMORY, "no memory for the traces");
    status = status == TY_OK ? run_phase(s, &(phase){ .seconds = 1.0 }, diag) : status;
    for (int i = 0; i < PHASES && status == TY_OK; i++) {
        status = run_phase(s, &p[i], diag);
        mark(s, &p[i], i);
    }
    if (status == TY_OK) {
        int straight = p[1].marked + p[3].marked;
        bool met = p[0].marked > 50 && p[2].marked > 50 && p[4].marked > 50 &&
                   10 * straight < p[0].marked + p[2].marked + p[4].marked;
        validate_add(book, met ? VALIDATE_MET : VALIDATE_MISSED,
                     "traces deeper than 12 mm where the rover starts, turns and stops, hardly between",
                     "[ddt] Fig. 8, by eye",
                     "samples of 20 mm deeper than 12 mm: starting %d, turning %d, stopping %d, straight %d",
                     p[0].marked, p[2].marked, p[4].marked, straight);
        paint(s, p);
        status = draw(book, s, diag);
    }
    if (s) {
        ty_vehicle_destroy(s->vehicle);
        ty_terrain_destroy(s->terrain);
    }
    free(s);
    return status;
}
