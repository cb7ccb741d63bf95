/* bridge/web/commands.c - the commands of clients, read on the server's thread and left for the run's.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <jansson.h>
#include <math.h>
#include "foxglove.h"

/* ---- commands, read on the server's thread ---- */

static double number(const json_t *j, const char *key, double otherwise)
{
    const json_t *v = json_object_get(j, key);
    return json_is_number(v) && isfinite(json_number_value(v)) ? json_number_value(v) : otherwise;
}

double tyi_live_within(double v, double low, double high)
{
    return fmin(fmax(v, low), high);
}

const char *tyi_live_give(ty_live *l, const command *c)
{
    pthread_mutex_lock(&l->lock);
    int at = l->commands;
    for (int i = 0; i < l->commands; i++) { /* the newest of what is said over and over */
        const command *o = &l->command[i];
        if (o->verb == c->verb && o->client == c->client && o->rover == c->rover &&
            (((c->verb == DRIVE || c->verb == MOVE) && !l->lockstep) || c->verb == SUN || c->verb == SEEK)) {
            at = i;
        }
    }
    bool room = at < COMMANDS;
    if (room) {
        l->command[at] = *c;
        l->commands = at == l->commands ? at + 1 : l->commands;
    }
    atomic_store(&l->called, true);
    pthread_cond_signal(&l->wake);
    pthread_mutex_unlock(&l->lock);
    return room ? NULL : "more commands than can be taken";
}

static const char *read_tiles(ty_live *l, uint32_t client, const json_t *j)
{
    int32_t tile[TYI_WEB_WISHES][3];
    int n = 0;
    size_t i;
    json_t *one, *all = json_object_get(j, "tiles");
    if (!json_is_array(all) || json_array_size(all) > TYI_WEB_WISHES) {
        return "tiles: a list of at most 64 is accepted";
    }
    json_array_foreach(all, i, one)
    {
        for (size_t k = 0; k < 3; k++) {
            json_int_t v = json_integer_value(json_array_get(one, k));
            if (!json_is_integer(json_array_get(one, k)) || v < -(1 << 24) || v > 1 << 24) {
                return "tiles: level, x and y are whole numbers";
            }
            tile[n][k] = (int32_t)v;
        }
        n++;
    }
    tyi_web_ground_want(l->ground, client, (const int32_t(*)[3])tile, n);
    return NULL;
}

static const char *read_look(ty_live *l, uint32_t client, const json_t *j)
{
    size_t i;
    json_t *one, *all = json_object_get(j, "sensors");
    if (!json_is_array(all) || json_array_size(all) > 256) {
        return "look: a list of sensors is accepted";
    }
    tyi_web_pictures_forget(l->pictures, client);
    json_array_foreach(all, i, one)
    {
        json_int_t v = json_integer_value(one);
        if (json_is_integer(one) && v >= 0) {
            tyi_web_pictures_want(l->pictures, client, (size_t)v, true);
        }
    }
    return NULL;
}

static const char *read_path(command *c, const json_t *j)
{
    size_t i;
    json_t *one, *all = json_object_get(j, "points");
    if (!json_is_array(all) || !json_array_size(all) || json_array_size(all) > POINTS) {
        return "path: 1 to 64 points are accepted";
    }
    json_array_foreach(all, i, one)
    {
        for (size_t k = 0; k < 2; k++) {
            const json_t *v = json_array_get(one, k);
            if (!json_is_number(v) || !(fabs(json_number_value(v)) <= 1e5)) {
                return "path: a point is x and y [m] within 100 km";
            }
            c->point[i][k] = (float)json_number_value(v);
        }
        c->count++;
    }
    return NULL;
}

static const struct {
    const char *op;
    verb verb;
} verbs[] = { { "drive", DRIVE }, { "path", PATH }, { "auto", AUTO },    { "stop", STOP },   { "pause", PAUSE },
              { "run", GO },      { "step", STEP }, { "reset", RESET },  { "speed", SPEED }, { "sun", SUN },
              { "seek", SEEK },   { "add", ADD },   { "remove", REMOVE } };

/* one line of printed letters: it is written into a file, line by line */
static const char *read_text(command *c, const json_t *j)
{
    const json_t *v = json_object_get(j, c->verb == ADD ? "lines" : "name");
    const char *text = json_string_value(v);
    size_t n = json_string_length(v);
    if (!text || !n || n >= sizeof c->text) {
        return c->verb == ADD ? "add: lines is a text of at most 1023 bytes, as a scenario has it"
                              : "remove: name is a text";
    }
    for (size_t i = 0; i < n; i++) {
        if ((unsigned char)text[i] < ' ' || text[i] == 127) {
            return "add, remove: a text of one line, without control characters";
        }
    }
    memcpy(c->text, text, n + 1);
    return NULL;
}

static const char *const steering[] = { "ackermann", "crab", "point", "skid" };

const char *tyi_live_command(ty_live *l, uint32_t client, const json_t *j)
{
    const char *op = json_string_value(json_object_get(j, "op")), *why = "a command is a JSON object with a known op";
    for (size_t i = 0; op && i < sizeof verbs / sizeof *verbs; i++) {
        if (strcmp(op, verbs[i].op) != 0) {
            continue;
        }
        double rover = number(j, "rover", 0.0);
        command c = { .verb = verbs[i].verb, .client = client };
        c.rover = rover >= 0.0 && rover < (double)l->rovers ? (size_t)rover : SIZE_MAX;
        c.drive.v = tyi_live_within(number(j, "v", 0.0), -100.0, 100.0);
        c.drive.omega = tyi_live_within(number(j, "omega", 0.0), -100.0, 100.0);
        c.drive.crab = tyi_live_within(number(j, "crab", 0.0), -TY_PI, TY_PI);
        const char *how = json_string_value(json_object_get(j, "mode"));
        for (int k = 0; how && k < 4; k++) {
            c.drive.mode = !strcmp(how, steering[k]) ? (ty_steering)k : c.drive.mode;
        }
        c.count = c.verb == STEP ? (int)tyi_live_within(number(j, "n", 1.0), 1.0, 1e6) : 0;
        c.value = number(j,
                         c.verb == SUN    ? "shift"
                         : c.verb == PATH ? "speed"
                         : c.verb == SEEK ? "t"
                                          : "times",
                         c.verb == PATH ? 0.2 : 0.0);
        why = c.verb == PATH ? read_path(&c, j) : c.verb == ADD || c.verb == REMOVE ? read_text(&c, j) : NULL;
        why = !why && c.rover == SIZE_MAX && c.verb <= STOP ? "there is no such rover" : why;
        why = why ? why : tyi_live_give(l, &c);
    }
    return why;
}

const char *tyi_live_received(void *user, uint32_t client, bool text, const uint8_t *data, size_t bytes)
{
    ty_live *l = user;
    json_error_t error;
    const char *why = NULL;
    if (tyi_fox_received(l->hub->fox, client, text, data, bytes, &why)) {
        return why;
    }
    if (!text) {
        return "commands are JSON text";
    }
    json_t *j = json_loadb((const char *)data, bytes, JSON_REJECT_DUPLICATES, &error);
    const char *op = json_string_value(json_object_get(j, "op"));
    if (op && !strcmp(op, "tiles")) {
        why = read_tiles(l, client, j);
    } else if (op && !strcmp(op, "look")) {
        why = read_look(l, client, j);
    } else if (op && !strcmp(op, "drawn")) {
        atomic_store(&l->drawn, (int)tyi_live_within(1e3 * number(j, "fps", 0.0), 0.0, 1e9));
        atomic_fetch_add(&l->drawn_told, 1);
    } else {
        why = tyi_live_command(l, client, j);
    }
    json_decref(j);
    return why;
}

void tyi_live_opened(void *user, uint32_t client, int protocol)
{
    ty_live *l = user;
    if (protocol >= 0) {
        tyi_fox_opened(l->hub->fox, client);
    }
}

void tyi_live_closed(void *user, uint32_t client)
{
    ty_live *l = user;
    tyi_fox_closed(l->hub->fox, client);
    tyi_web_ground_want(l->ground, client, NULL, 0);
    tyi_web_pictures_forget(l->pictures, client);
    pthread_mutex_lock(&l->lock);
    if (l->lefts < COMMANDS) {
        l->left[l->lefts++] = client;
    }
    atomic_store(&l->called, true);
    pthread_mutex_unlock(&l->lock);
}
