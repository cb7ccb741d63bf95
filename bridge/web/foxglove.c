/* bridge/web/foxglove.c - clients that speak Foxglove's WebSocket protocol (docs/spec.md of github.com/foxglove/ws-protocol, version 1;
 * subprotocols foxglove.sdk.v1 and foxglove.websocket.v1): channels with the messages of the recording, time, publishing of commands,
 * services, parameters.
 *
 * Channels are told and messages sent on the run's thread; what clients say comes on the server's. One lock holds both apart.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "foxglove.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char *const tyi_fox_protocols[] = { "foxglove.sdk.v1", "foxglove.websocket.v1", NULL };

enum { MESSAGE = 1, TIME = 2, SERVICE = 3 }; /* binary, to the client */
enum { PUBLISH = 1, CALL = 2 };              /* from it */
enum { INFO = 0, WARNING = 1 };              /* of a status */
#define KEY_CHANNEL (1u << 20)               /* what is newest of a channel */
#define KEY_TIME    (KEY_CHANNEL - 1)

static const char *const services[] = { "pause", "run", "step", "reset" };
#define SERVICES ((int)(sizeof services / sizeof *services))

/* ---- words ---- */

static tyi_web_blob *words(json_t *what)
{
    char *text = what ? json_dumps(what, JSON_COMPACT) : NULL;
    tyi_web_blob *blob = text ? tyi_web_blob_new(strlen(text), true) : NULL;
    if (blob) {
        memcpy(blob->data, text, blob->bytes);
    }
    free(text);
    json_decref(what);
    return blob;
}

static void say(tyi_fox *f, uint32_t client, json_t *what)
{
    tyi_web_blob *blob = words(what);
    if (blob) {
        tyi_web_send(f->live->server, client, blob, TYI_WEB_MUST, 0);
        tyi_web_blob_drop(blob);
    }
}

static void status(tyi_fox *f, uint32_t client, int level, const char *text)
{
    say(f, client, json_pack("{s:s, s:i, s:s}", "op", "status", "level", level, "message", text));
}

static json_t *describe(const tyi_fox_channel *c, int id)
{
    return json_pack("{s:i, s:s, s:s, s:s, s:s, s:s}", "id", id + 1, "topic", c->topic, "encoding", "cdr", "schemaName",
                     tyi_io_ros_name(c->type), "schema", tyi_io_ros_definition(c->type), "schemaEncoding", "ros2msg");
}

static json_t *describe_services(void)
{
    json_t *all = json_array();
    for (int i = 0; i < SERVICES; i++) {
        char name[80];
        snprintf(name, sizeof name, "/tycho/%s", services[i]);
        json_t *request = json_pack("{s:s, s:s, s:s, s:s}", "encoding", "cdr", "schemaName",
                                    "std_srvs/srv/Trigger_Request", "schemaEncoding", "ros2msg", "schema", "");
        json_t *response =
            json_pack("{s:s, s:s, s:s, s:s}", "encoding", "cdr", "schemaName", "std_srvs/srv/Trigger_Response",
                      "schemaEncoding", "ros2msg", "schema", "bool success\nstring message");
        json_array_append_new(all, json_pack("{s:i, s:s, s:s, s:o, s:o, s:s, s:s}", "id", i + 1, "name", name, "type",
                                             "std_srvs/srv/Trigger", "request", request, "response", response,
                                             "requestSchema", "", "responseSchema", "bool success\nstring message"));
    }
    return json_pack("{s:s, s:o}", "op", "advertiseServices", "services", all);
}

/* names NULL: all of them */
static json_t *parameters(const tyi_fox *f, const json_t *names, const char *id)
{
    const struct {
        const char *name;
        json_t *value;
    } all[] = { { "/tycho/speed", json_real(f->speed) },
                { "/tycho/paused", json_boolean(f->paused) },
                { "/tycho/sun_shift_s", json_real(f->sun_shift) },
                { "/tycho/time_s", json_real(ty_seconds(f->time)) },
                { "/tycho/scenario", json_string(f->live->scenario.name) } };
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        size_t k;
        json_t *one;
        bool wanted = !json_array_size(names);
        json_array_foreach(names, k, one)
        {
            wanted = wanted || (json_is_string(one) && !strcmp(json_string_value(one), all[i].name));
        }
        json_t *entry = json_pack("{s:s, s:o}", "name", all[i].name, "value", all[i].value);
        if (wanted && json_is_real(all[i].value)) {
            json_object_set_new(entry, "type", json_string("float64"));
        }
        if (wanted) {
            json_array_append(list, entry);
        }
        json_decref(entry);
    }
    json_t *out = json_pack("{s:s, s:o}", "op", "parameterValues", "parameters", list);
    if (id) {
        json_object_set_new(out, "id", json_string(id));
    }
    return out;
}

/* ---- messages out ---- */

static void send_to(tyi_fox *f, uint32_t client, uint32_t subscription, int channel, int64_t log, const void *data,
                    size_t bytes)
{
    tyi_web_blob *blob = tyi_web_blob_new(13 + bytes, false);
    if (blob) {
        tyi_web_bytes to = { blob->data };
        TYI_WEB_PUT(&to, uint8_t, MESSAGE);
        TYI_WEB_PUT(&to, uint32_t, subscription);
        TYI_WEB_PUT(&to, uint64_t, log);
        tyi_web_put(&to, data, bytes);
        bool large = bytes > 65536; /* of these the newest is enough */
        tyi_web_send(f->live->server, client, blob, large ? TYI_WEB_NEWEST : TYI_WEB_MAY,
                     KEY_CHANNEL + (uint32_t)channel);
        tyi_web_blob_drop(blob);
    }
}

static void send_time(tyi_fox *f, int64_t log)
{
    tyi_web_blob *blob = tyi_web_blob_new(9, false);
    if (blob) {
        tyi_web_bytes to = { blob->data };
        TYI_WEB_PUT(&to, uint8_t, TIME);
        TYI_WEB_PUT(&to, uint64_t, log);
        for (int i = 0; i < TYI_WEB_CLIENTS; i++) {
            if (f->client[i].id) {
                tyi_web_send(f->live->server, f->client[i].id, blob, TYI_WEB_NEWEST, KEY_TIME);
            }
        }
        tyi_web_blob_drop(blob);
    }
}

/* the channel of a topic, a new one where it is not known; -1: there are too many */
static int channel_of(tyi_fox *f, const char *topic, tyi_io_ros_type type)
{
    for (int i = 0; i < f->channels; i++) {
        if (!strcmp(f->channel[i].topic, topic)) {
            return i;
        }
    }
    if (f->channels == TYI_FOX_CHANNELS) {
        return -1;
    }
    tyi_fox_channel *c = &f->channel[f->channels];
    snprintf(c->topic, sizeof c->topic, "%s", topic);
    c->type = type;
    for (int i = 0; i < TYI_WEB_CLIENTS; i++) {
        if (f->client[i].id) {
            say(f, f->client[i].id, json_pack("{s:s, s:[o]}", "op", "advertise", "channels", describe(c, f->channels)));
        }
    }
    return f->channels++;
}

void tyi_fox_send(tyi_fox *f, const char *topic, tyi_io_ros_type type, bool latched, int64_t log,
                  const tyi_io_cdr *message)
{
    pthread_mutex_lock(&f->lock);
    int channel = channel_of(f, topic, type);
    tyi_fox_channel *c = channel >= 0 ? &f->channel[channel] : NULL;
    if (c && message && latched) {
        free(c->last);
        c->last = malloc(message->size);
        c->last_bytes = c->last ? message->size : 0;
        c->last_log = log;
        if (c->last) {
            memcpy(c->last, message->data, message->size);
        }
    }
    for (int i = 0; i < TYI_WEB_CLIENTS && c && message; i++) {
        const tyi_fox_client *k = &f->client[i];
        for (int s = 0; k->id && s < k->subscriptions; s++) {
            if (k->subscription[s].channel == channel) {
                send_to(f, k->id, k->subscription[s].id, channel, log, message->data, message->size);
            }
        }
    }
    if (message && type == TY_ROS_CLOCK) {
        send_time(f, log);
    }
    pthread_mutex_unlock(&f->lock);
}

bool tyi_fox_wanted(tyi_fox *f)
{
    return atomic_load_explicit(&f->wanted, memory_order_relaxed) > 0;
}

void tyi_fox_look(tyi_fox *f)
{
    const ty_live *l = f->live;
    pthread_mutex_lock(&f->lock);
    f->time = ty_run_time(l->run);
    if (f->paused != l->paused || f->speed != l->speed || f->sun_shift != l->sun_shift) {
        f->paused = l->paused, f->speed = l->speed, f->sun_shift = l->sun_shift;
        for (int i = 0; i < TYI_WEB_CLIENTS; i++) {
            if (f->client[i].id && f->client[i].watches) {
                say(f, f->client[i].id, parameters(f, NULL, NULL));
            }
        }
    }
    pthread_mutex_unlock(&f->lock);
}

/* ---- what clients say ---- */

static tyi_fox_client *find(tyi_fox *f, uint32_t client)
{
    for (int i = 0; i < TYI_WEB_CLIENTS; i++) {
        if (f->client[i].id == client) {
            return &f->client[i];
        }
    }
    return NULL;
}

static bool whole(const json_t *j, const char *key, json_int_t most, json_int_t *out)
{
    const json_t *v = json_object_get(j, key);
    *out = json_integer_value(v);
    return json_is_integer(v) && *out >= 0 && *out <= most;
}

static const char *subscribe(tyi_fox *f, tyi_fox_client *k, const json_t *j)
{
    size_t i;
    json_t *one;
    json_int_t id, channel;
    json_array_foreach(json_object_get(j, "subscriptions"), i, one)
    {
        if (!whole(one, "id", UINT32_MAX, &id) || !whole(one, "channelId", UINT32_MAX, &channel)) {
            return "subscribe: id and channelId are whole numbers";
        }
        if (channel < 1 || channel > f->channels) {
            status(f, k->id, WARNING, "subscribe: there is no such channel");
            continue;
        }
        if (k->subscriptions == TYI_FOX_SUBSCRIPTIONS) {
            return "more subscriptions than can be taken";
        }
        k->subscription[k->subscriptions].id = (uint32_t)id;
        k->subscription[k->subscriptions++].channel = (int)channel - 1;
        atomic_fetch_add(&f->wanted, 1);
        const tyi_fox_channel *c = &f->channel[channel - 1];
        if (c->last) {
            send_to(f, k->id, (uint32_t)id, (int)channel - 1, c->last_log, c->last, c->last_bytes);
        }
    }
    return NULL;
}

static void drop_subscription(tyi_fox *f, tyi_fox_client *k, int at)
{
    k->subscription[at] = k->subscription[--k->subscriptions];
    atomic_fetch_sub(&f->wanted, 1);
}

static const char *unsubscribe(tyi_fox *f, tyi_fox_client *k, const json_t *j)
{
    size_t i;
    json_t *one;
    json_array_foreach(json_object_get(j, "subscriptionIds"), i, one)
    {
        for (int s = k->subscriptions - 1; s >= 0; s--) {
            if (json_is_integer(one) && json_integer_value(one) == (json_int_t)k->subscription[s].id) {
                drop_subscription(f, k, s);
            }
        }
    }
    return NULL;
}

static const char *advertise(tyi_fox *f, tyi_fox_client *k, const json_t *j)
{
    size_t i;
    json_t *one;
    json_int_t id;
    json_array_foreach(json_object_get(j, "channels"), i, one)
    {
        const char *topic = json_string_value(json_object_get(one, "topic")),
                   *encoding = json_string_value(json_object_get(one, "encoding")),
                   *type = json_string_value(json_object_get(one, "schemaName"));
        if (!whole(one, "id", UINT32_MAX, &id) || !topic || !encoding || !type) {
            return "advertise: id, topic, encoding and schemaName are needed";
        }
        tyi_fox_advert a = { .id = (uint32_t)id, .json = !strcmp(encoding, "json") };
        if (!a.json && strcmp(encoding, "cdr") != 0) {
            status(f, k->id, WARNING, "advertise: cdr and json are understood");
        } else if (!tyi_hub_find(f->live, topic, type, &a.rover, &a.topic)) {
            status(f, k->id, WARNING,
                   "advertise: nobody listens to this topic with this type; ROVER/cmd_vel is a Twist or TwistStamped");
        } else if (k->adverts == TYI_FOX_ADVERTS) {
            return "more topics of a client than can be taken";
        } else {
            k->advert[k->adverts++] = a;
        }
    }
    return NULL;
}

static const char *unadvertise(tyi_fox *f, tyi_fox_client *k, const json_t *j)
{
    (void)f;
    size_t i;
    json_t *one;
    json_array_foreach(json_object_get(j, "channelIds"), i, one)
    {
        for (int s = k->adverts - 1; s >= 0; s--) {
            if (json_is_integer(one) && json_integer_value(one) == (json_int_t)k->advert[s].id) {
                k->advert[s] = k->advert[--k->adverts];
            }
        }
    }
    return NULL;
}

static const char *get_parameters(tyi_fox *f, tyi_fox_client *k, const json_t *j)
{
    say(f, k->id, parameters(f, json_object_get(j, "parameterNames"), json_string_value(json_object_get(j, "id"))));
    return NULL;
}

static const char *set_parameters(tyi_fox *f, tyi_fox_client *k, const json_t *j)
{
    size_t i;
    json_t *one;
    const char *id = json_string_value(json_object_get(j, "id"));
    json_array_foreach(json_object_get(j, "parameters"), i, one)
    {
        const char *name = json_string_value(json_object_get(one, "name"));
        const json_t *value = json_object_get(one, "value");
        double number = json_number_value(value);
        command c = { .verb = PAUSE, .client = k->id, .value = number };
        if (name && !strcmp(name, "/tycho/speed") && json_is_number(value) && isfinite(number)) {
            c.verb = SPEED, f->speed = number;
        } else if (name && !strcmp(name, "/tycho/sun_shift_s") && json_is_number(value) && isfinite(number)) {
            c.verb = SUN, f->sun_shift = number;
        } else if (name && !strcmp(name, "/tycho/time_s") && json_is_number(value) && isfinite(number)) {
            c.verb = SEEK; /* of a replay */
        } else if (name && !strcmp(name, "/tycho/paused") && json_is_boolean(value)) {
            c.verb = json_is_true(value) ? PAUSE : GO, f->paused = json_is_true(value);
        } else {
            status(
                f, k->id, WARNING,
                "setParameters: /tycho/speed, /tycho/sun_shift_s, /tycho/time_s of a replay (numbers) and /tycho/paused can be set");
            continue;
        }
        const char *why = tyi_live_give(f->live, &c);
        if (why) {
            return why;
        }
    }
    say(f, k->id, parameters(f, NULL, id));
    return NULL;
}

static const char *watch(tyi_fox *f, tyi_fox_client *k, const json_t *j)
{
    (void)f, (void)j;
    k->watches = true;
    return NULL;
}

static const char *unwatch(tyi_fox *f, tyi_fox_client *k, const json_t *j)
{
    (void)f, (void)j;
    k->watches = false;
    return NULL;
}

static const char *hear_text(tyi_fox *f, tyi_fox_client *k, const uint8_t *data, size_t bytes)
{
    static const struct {
        const char *op;
        const char *(*what)(tyi_fox *f, tyi_fox_client *k, const json_t *j);
    } ops[] = { { "subscribe", subscribe },
                { "unsubscribe", unsubscribe },
                { "advertise", advertise },
                { "unadvertise", unadvertise },
                { "getParameters", get_parameters },
                { "setParameters", set_parameters },
                { "subscribeParameterUpdates", watch },
                { "unsubscribeParameterUpdates", unwatch } };
    json_t *j = json_loadb((const char *)data, bytes, JSON_REJECT_DUPLICATES, NULL);
    const char *op = json_string_value(json_object_get(j, "op")),
               *why = op ? NULL : "a message is a JSON object with an op";
    bool known = false;
    for (size_t i = 0; op && i < sizeof ops / sizeof *ops; i++) {
        if (!strcmp(op, ops[i].op)) {
            why = ops[i].what(f, k, j);
            known = true;
        }
    }
    if (op && !known) { /* newer clients say more: that is no reason to close */
        status(f, k->id, WARNING, "an op that is not known here");
    }
    json_decref(j);
    return why;
}

static uint32_t u32_at(const uint8_t *data)
{
    return (uint32_t)data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 | (uint32_t)data[3] << 24;
}

static const char *publish(tyi_fox *f, const tyi_fox_client *k, const uint8_t *data, size_t bytes)
{
    for (int i = 0; i < k->adverts && bytes >= 5; i++) {
        const tyi_fox_advert *a = &k->advert[i];
        if (a->id == u32_at(data + 1)) {
            bool good = a->json ? tyi_hub_command_json(f->live, k->id, a->rover, a->topic, data + 5, bytes - 5)
                                : tyi_hub_command(f->live, k->id, a->rover, a->topic, data + 5, bytes - 5);
            if (!good) {
                status(f, k->id, WARNING, "a message is not of the type that its topic has");
            }
            return NULL;
        }
    }
    return bytes >= 5 ? NULL : "a message is too short"; /* of a topic that nobody listens to: it was told */
}

static void answer(tyi_fox *f, uint32_t client, uint32_t service, uint32_t call, bool json)
{
    static const uint8_t cdr[] = { 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0 }; /* true, "" */
    static const char text[] = "{\"success\":true,\"message\":\"\"}";
    const char *encoding = json ? "json" : "cdr";
    size_t n = strlen(encoding), bytes = json ? sizeof text - 1 : sizeof cdr;
    tyi_web_blob *blob = tyi_web_blob_new(13 + n + bytes, false);
    if (blob) {
        tyi_web_bytes to = { blob->data };
        TYI_WEB_PUT(&to, uint8_t, SERVICE);
        TYI_WEB_PUT(&to, uint32_t, service);
        TYI_WEB_PUT(&to, uint32_t, call);
        TYI_WEB_PUT(&to, uint32_t, n);
        tyi_web_put(&to, encoding, n);
        tyi_web_put(&to, json ? (const void *)text : cdr, bytes);
        tyi_web_send(f->live->server, client, blob, TYI_WEB_MUST, 0);
        tyi_web_blob_drop(blob);
    }
}

static const char *call(tyi_fox *f, const tyi_fox_client *k, const uint8_t *data, size_t bytes)
{
    static const verb does[SERVICES] = { PAUSE, GO, STEP, RESET };
    if (bytes < 13 || u32_at(data + 9) > bytes - 13) {
        return "a call of a service is too short";
    }
    uint32_t service = u32_at(data + 1), id = u32_at(data + 5), n = u32_at(data + 9);
    bool json = n == 4 && !memcmp(data + 13, "json", 4), known = json || (n == 3 && !memcmp(data + 13, "cdr", 3));
    const char *why = service >= 1 && service <= (uint32_t)SERVICES ? known ? NULL : "cdr and json are understood"
                                                                    : "there is no such service";
    command c = { .client = k->id, .count = 1 };
    if (!why) {
        c.verb = does[service - 1];
        why = tyi_live_give(f->live, &c);
    }
    if (why) {
        say(f, k->id,
            json_pack("{s:s, s:I, s:I, s:s}", "op", "serviceCallFailure", "serviceId", (json_int_t)service, "callId",
                      (json_int_t)id, "message", why));
    } else {
        answer(f, k->id, service, id, json);
    }
    return NULL;
}

bool tyi_fox_note(tyi_fox *f, uint32_t client, const char *text)
{
    pthread_mutex_lock(&f->lock);
    bool known = client && find(f, client);
    if (known) {
        status(f, client, INFO, text);
    }
    pthread_mutex_unlock(&f->lock);
    return known;
}

bool tyi_fox_received(tyi_fox *f, uint32_t client, bool text, const uint8_t *data, size_t bytes, const char **why)
{
    pthread_mutex_lock(&f->lock);
    tyi_fox_client *k = find(f, client);
    if (k) {
        *why = text                               ? hear_text(f, k, data, bytes)
               : bytes >= 1 && data[0] == PUBLISH ? publish(f, k, data, bytes)
               : bytes >= 1 && data[0] == CALL    ? call(f, k, data, bytes)
                                                  : "a binary message of a kind that is not known";
    }
    pthread_mutex_unlock(&f->lock);
    return k != NULL;
}

void tyi_fox_opened(tyi_fox *f, uint32_t client)
{
    pthread_mutex_lock(&f->lock);
    tyi_fox_client *k = find(f, 0);
    if (k) {
        *k = (tyi_fox_client){ .id = client };
        say(f, client,
            json_pack("{s:s, s:s, s:[s, s, s, s, s], s:[s, s], s:{s:s, s:s}, s:s}", "op", "serverInfo", "name", "tycho",
                      "capabilities", "time", "clientPublish", "services", "parameters", "parametersSubscribe",
                      "supportedEncodings", "cdr", "json", "metadata", "scenario", f->live->scenario.name, "version",
                      ty_version(), "sessionId", f->session));
        json_t *all = json_array();
        for (int i = 0; i < f->channels; i++) {
            json_array_append_new(all, describe(&f->channel[i], i));
        }
        say(f, client, json_pack("{s:s, s:o}", "op", "advertise", "channels", all));
        say(f, client, describe_services());
    }
    pthread_mutex_unlock(&f->lock);
}

void tyi_fox_closed(tyi_fox *f, uint32_t client)
{
    pthread_mutex_lock(&f->lock);
    tyi_fox_client *k = find(f, client);
    while (k && k->subscriptions) {
        drop_subscription(f, k, k->subscriptions - 1);
    }
    if (k) {
        k->id = 0;
    }
    pthread_mutex_unlock(&f->lock);
}

tyi_fox *tyi_fox_new(ty_live *l)
{
    tyi_fox *f = calloc(1, sizeof *f);
    if (f) {
        f->live = l;
        f->speed = l->speed, f->paused = l->paused;
        snprintf(f->session, sizeof f->session, "%.0f", 1e6 * tyi_web_now());
        pthread_mutex_init(&f->lock, NULL);
    }
    return f;
}

void tyi_fox_free(tyi_fox *f)
{
    if (f) {
        for (int i = 0; i < f->channels; i++) {
            free(f->channel[i].last);
        }
        pthread_mutex_destroy(&f->lock);
        free(f);
    }
}
