/* bridge/web/services.c - services of simulation_interfaces over ROS 2, done on the run's thread.
 *
 * They speak as ROS 2 does on CycloneDDS; ROS 2 on Fast DDS, its default, marks requests another way, and neither side's services reach
 * the other's clients (ros2/rmw_cyclonedds#184). Who asks from there is told so, and /tycho/control does the same.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "services.h"
#include <ctype.h>
#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include "bridge/ros/services.h"
#include "foxglove.h"
#include "sim/cast.h"

#define WAITING  32   /* requests */
#define REQUEST  4096 /* [bytes] most of one */
#define PATIENCE 3.0  /* [s] wall: how long an answer waits for a client whose ear was not found yet */
#define FIRST    (TYB_DDS_ANSWERS - 1)

typedef struct call {
    tyb_ros_service which;
    uint8_t sender[16];
    tyb_ros_request request;
    double since;  /* [s] wall */
    bool answered; /* the reply waits for its reader */
    uint8_t *reply;
    size_t bytes;
} call;

struct tyi_live_services {
    pthread_mutex_t lock;
    call call[WAITING]; /* in the order in which they came */
    int calls;
    int wrong, foreign; /* the last service that was asked without a header, from Fast DDS; -1: none */
    uint32_t told;      /* of which it was */
    bool stopped;       /* paused by STATE_STOPPED */
    call step;          /* one that is waited for; since 0: none */
    tyi_io_cdr reply;
};

/* ---- in: on DDS's threads ---- */

void tyi_services_received(ty_live *l, int reader, const uint8_t *sender, const uint8_t *data, size_t bytes)
{
    tyi_live_services *s = l->hub->services;
    call c = { .which = (tyb_ros_service)(FIRST - reader), .since = tyi_web_now() };
    if (!s || reader > FIRST || c.which >= TYB_ROS_SERVICES) {
        return;
    }
    bool good = bytes <= REQUEST && tyb_ros_read_request(c.which, data, bytes, &c.request);
    memcpy(c.sender, sender, sizeof c.sender);
    pthread_mutex_lock(&s->lock);
    s->wrong = good ? s->wrong : (int)c.which;
    s->foreign = sender[0] == 1 && sender[1] == 15 ? (int)c.which : s->foreign; /* eProsima (OMG's list of vendors) */
    if (good && s->calls < WAITING) {
        s->call[s->calls++] = c;
    }
    pthread_mutex_unlock(&s->lock);
    pthread_mutex_lock(&l->lock);
    atomic_store(&l->called, true);
    pthread_cond_signal(&l->wake);
    pthread_mutex_unlock(&l->lock);
}

/* ---- entities ---- */

static tyb_ros_entity *add(tyb_ros_entity **list, size_t *count, const char *name, uint32_t category, ty_pose pose)
{
    tyb_ros_entity *grown = realloc(*list, (*count + 1) * sizeof **list);
    if (!grown) {
        return NULL;
    }
    *list = grown;
    tyb_ros_entity *e = &grown[(*count)++];
    *e = (tyb_ros_entity){ .category = category, .pose = pose };
    snprintf(e->name, sizeof e->name, "%s", name);
    return e;
}

static ty_pose stands(double x, double y, double z, double yaw)
{
    return (ty_pose){ { x, y, z }, ty_quat_axis(ty_vec3_make(0, 0, 1), yaw) };
}

static double ground_at(ty_live *l, double x, double y)
{
    double z = 0.0;
    ty_terrain_sample(ty_world_terrain(ty_run_world(l->run)), 0, 1, &x, &y, &z, NULL, NULL);
    return z;
}

/* whether one of the scenario's has left */
static bool has_left(const tyi_sim_thing *thing, size_t things, const char *name)
{
    for (size_t i = 0; i < things; i++) {
        if (!thing[i].here && !strcmp(thing[i].name, name)) {
            return true;
        }
    }
    return false;
}

static void add_rock(ty_live *l, tyb_ros_entity **list, size_t *count, const ty_scenario_rock *r)
{
    if (r->name[0] && !r->loose) { /* loose ones are actors */
        add(list, count, r->name, TYB_ROS_STATIC, stands(r->at[0], r->at[1], ground_at(l, r->at[0], r->at[1]), r->yaw));
    }
}

static void add_object(ty_live *l, tyb_ros_entity **list, size_t *count, const ty_scenario_object *o, double z)
{
    if (o->name[0] && !o->rover[0]) {
        double ground = !o->on_ground ? 0.0 : isfinite(z) ? z : ground_at(l, o->position[0], o->position[1]);
        add(list, count, o->name, TYB_ROS_STATIC,
            stands(o->position[0], o->position[1], o->position[2] + ground, o->rpy_deg[2] * TY_DEG));
    }
}

/* all that has a name and is there; from malloc */
static tyb_ros_entity *entities(ty_live *l, size_t *count)
{
    tyb_ros_entity *list = NULL;
    tyi_sim_thing thing[256];
    size_t things = tyi_sim_cast_things(l->run, thing, 256);
    things = things < 256 ? things : 256;
    *count = 0;
    for (size_t i = 0; i < l->rovers; i++) {
        ty_vehicle_state s;
        if (tyi_sim_cast_away(l->run, i)) {
            continue;
        }
        ty_vehicle_get(ty_run_rover(l->run, i), &s);
        tyb_ros_entity *e = add(&list, count, l->rover[i].name, TYB_ROS_ROBOT, s.pose);
        if (e) {
            e->v = s.v_W, e->omega = ty_rotate(s.pose.q, s.omega_B);
        }
    }
    for (size_t i = 0; i < l->scenario.actors; i++) {
        if (l->scenario.actor[i].name[0] && !has_left(thing, things, l->scenario.actor[i].name)) {
            add(&list, count, l->scenario.actor[i].name, TYB_ROS_MOVING, ty_run_actor_pose(l->run, i));
        }
    }
    for (size_t i = 0; i < l->scenario.objects; i++) {
        if (!has_left(thing, things, l->scenario.object[i].name)) {
            add_object(l, &list, count, &l->scenario.object[i], (double)NAN);
        }
    }
    for (size_t i = 0; i < l->scenario.rocks; i++) {
        if (!has_left(thing, things, l->scenario.rock[i].name)) {
            add_rock(l, &list, count, &l->scenario.rock[i]);
        }
    }
    for (size_t i = 0; i < things; i++) {
        if (thing[i].here && thing[i].object) {
            add_object(l, &list, count, thing[i].object, thing[i].z);
        } else if (thing[i].here && thing[i].rock) {
            add_rock(l, &list, count, thing[i].rock);
        }
    }
    return list;
}

/* those that a request asks for, in place; false: it asks for what there is not, *r says it */
static bool choose(const tyb_ros_request *q, tyb_ros_entity *list, size_t *count, tyb_ros_reply *r)
{
    regex_t pattern;
    size_t kept = 0;
    if (q->tags || q->bounds) {
        r->result = TYB_ROS_UNSUPPORTED;
        snprintf(r->text, sizeof r->text,
                 "filters are names and categories: there are no tags, and bounds are not looked at");
        return false;
    }
    int code = q->name[0] ? regcomp(&pattern, q->name, REG_EXTENDED | REG_NOSUB) : 0;
    if (code) {
        r->result = TYB_ROS_FAILED;
        snprintf(r->text, sizeof r->text, "the filter is no regular expression: ");
        regerror(code, &pattern, r->text + strlen(r->text), sizeof r->text - strlen(r->text));
        return false;
    }
    for (size_t i = 0; i < *count; i++) {
        bool wanted = !q->categories || q->categories & 1u << list[i].category;
        if (wanted && (!q->name[0] || regexec(&pattern, list[i].name, 0, NULL, 0) == 0)) {
            list[kept++] = list[i];
        }
    }
    if (q->name[0]) {
        regfree(&pattern);
    }
    *count = kept;
    return true;
}

/* ---- what comes and leaves ---- */

static bool is_plain(const char *name)
{
    for (const char *c = name; *c; c++) {
        if (!isalnum((unsigned char)*c) && *c != '_' && *c != '-') {
            return false;
        }
    }
    return true;
}

/* "rock?size=0.4": a number behind the question mark; otherwise the default */
static double parameter(const char *uri, const char *key, double otherwise)
{
    const char *at = strchr(uri, '?');
    double v = otherwise;
    char word[32];
    if (at && sscanf(at + 1, "%31[a-z]=%lf", word, &v) == 2 && !strcmp(word, key) && isfinite(v)) {
        return v;
    }
    return otherwise;
}

/* the lines of a scenario that a request stands for; 0: fine, else the code of what is wrong */
static int lines_of(const tyb_ros_request *q, const char *name, char *out, size_t size)
{
    const char *uri = !strncmp(q->uri, "tycho://", 8) ? q->uri + 8 : q->uri;
    size_t word = strcspn(uri, "?/");
    double x = q->pose.p.x, y = q->pose.p.y;
    ty_quat t = q->pose.q;
    double yaw = atan2(2.0 * (t.w * t.z + t.x * t.y), 1.0 - 2.0 * (t.y * t.y + t.z * t.z)) / TY_DEG;
    if (!q->uri[0]) {
        snprintf(out, size, "%s", q->lines);
        return q->lines[0] ? 0 : TYB_ROS_NO_RESOURCE;
    }
    if (word == 4 && !strncmp(uri, "rock", 4)) {
        snprintf(out, size, "rocks: [{name: %s, at: [%.6f, %.6f], size: %.6g, yaw_deg: %.6g}]", name, x, y,
                 parameter(uri, "size", 0.4), yaw);
    } else if (word == 6 && !strncmp(uri, "sphere", 6)) {
        snprintf(out, size, "objects: [{type: sphere, name: %s, radius: %.6g, position: [%.6f, %.6f, %.6f]}]", name,
                 parameter(uri, "radius", 0.3), x, y, q->pose.p.z);
    } else if (word == 5 && !strncmp(uri, "rover/", 6) && is_plain(uri + 6)) {
        snprintf(out, size, "rovers: [{name: %s, x: %.6f, y: %.6f, yaw_deg: %.6g}]", uri + 6, x, y, yaw);
    } else {
        return TYB_ROS_FORMAT;
    }
    return 0;
}

static bool has_name(const tyb_ros_entity *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(list[i].name, name)) {
            return true;
        }
    }
    return false;
}

static void spawn(ty_live *l, const tyb_ros_request *q, tyb_ros_reply *r)
{
    static const char *const why[] = { [TYB_ROS_FORMAT - 101] =
                                           "uri is rock, sphere or rover/NAME, with ?size= or ?radius= in metres",
                                       [TYB_ROS_NO_RESOURCE - 101] =
                                           "neither uri nor resource_string says what is to come" };
    char name[128], lines[1024];
    size_t count = 0;
    tyb_ros_entity *list = entities(l, &count);
    snprintf(name, sizeof name, "%s", q->name);
    if (q->uri[0] && (!name[0] || (q->rename && has_name(list, count, name)))) { /* one that is free */
        for (int k = 1; k < 10000 && (k == 1 || has_name(list, count, name)); k++) {
            snprintf(name, sizeof name, "%.100s_%d", q->name[0] ? q->name : "thing", k);
        }
    }
    bool taken = q->uri[0] && has_name(list, count, name);
    free(list);
    int code = taken ? TYB_ROS_NAME_TAKEN : lines_of(q, name, lines, sizeof lines);
    ty_diag diag = { 0 };
    r->result = code;
    if (taken) {
        snprintf(r->text, sizeof r->text, "there is a '%s' already", name);
    } else if (code) {
        snprintf(r->text, sizeof r->text, "%s", why[code - 101]);
    } else if (!is_plain(q->name) || strlen(q->name) > 63) {
        r->result = TYB_ROS_NAME_INVALID;
        snprintf(r->text, sizeof r->text, "a name is up to 63 letters, digits, _ and -");
    } else if (q->space[0]) {
        r->result = TYB_ROS_NAMESPACE;
        snprintf(r->text, sizeof r->text, "namespaces are those of the scenario: leave entity_namespace empty");
    } else if (q->frame[0] && strcmp(q->frame, "map") && strcmp(q->frame, "world")) {
        r->result = TYB_ROS_FAILED;
        snprintf(r->text, sizeof r->text, "initial_pose is told in '%.40s', but map is accepted", q->frame);
    } else if (l->replay) {
        r->result = TYB_ROS_INCORRECT_STATE;
        snprintf(r->text, sizeof r->text, "this is a replay: it goes the way it went");
    } else if (tyi_live_change(l, false, lines, &diag) != TY_OK) {
        r->result = TYB_ROS_PARSE;
        snprintf(r->text, sizeof r->text, "%.299s", diag.text);
    } else {
        r->result = TYB_ROS_OK;
        tyi_sim_coming row = tyi_sim_cast_row(l->run, tyi_sim_cast_count(l->run) - 1);
        snprintf(r->name, sizeof r->name, "%s", row.name);
    }
}

static void take_away(ty_live *l, const tyb_ros_request *q, tyb_ros_reply *r)
{
    ty_diag diag = { 0 };
    size_t count = 0;
    tyb_ros_entity *list = entities(l, &count);
    bool known = has_name(list, count, q->name);
    free(list);
    r->result = TYB_ROS_OK;
    if (l->replay) {
        r->result = TYB_ROS_INCORRECT_STATE;
        snprintf(r->text, sizeof r->text, "this is a replay: it goes the way it went");
    } else if (!known || tyi_live_change(l, true, q->name, &diag) != TY_OK) {
        r->result = known ? TYB_ROS_FAILED : TYB_ROS_NOT_FOUND;
        snprintf(r->text, sizeof r->text, known ? "%.299s" : "there is no '%.120s'", known ? diag.text : q->name);
    }
}

/* ---- time ---- */

static uint8_t state_of(const ty_live *l)
{
    bool still = l->done || (l->paused && !l->steps_left);
    return still ? (l->hub->services->stopped ? TYB_ROS_STOPPED : TYB_ROS_PAUSED) : TYB_ROS_PLAYING;
}

static bool begin_anew(ty_live *l, tyb_ros_reply *r, ty_diag *diag)
{
    command c = { .verb = RESET, .client = TYI_LIVE_ROS };
    if (l->record) {
        snprintf(r->text, sizeof r->text,
                 "this run is recorded (-o), and what is written cannot be taken back: it is not reset");
        return false;
    }
    if (tyi_live_obey(l, &c, diag) != TY_OK) {
        snprintf(r->text, sizeof r->text, "%.299s", diag->text);
        return false;
    }
    return true;
}

static void set_state(ty_live *l, const tyb_ros_request *q, tyb_ros_reply *r, ty_diag *diag)
{
    uint8_t now = state_of(l);
    r->result = TYB_ROS_OK;
    if (q->state == TYB_ROS_QUITTING) {
        r->result = TYB_ROS_UNSUPPORTED;
        snprintf(r->text, sizeof r->text,
                 "the program ends by Ctrl-C or SIGTERM, with all its files, not by a service");
    } else if (q->state > TYB_ROS_QUITTING) {
        r->result = TYB_ROS_WRONG_TRANSITION;
        snprintf(r->text, sizeof r->text, "state %d is none to be set: 0 stopped, 1 playing, 2 paused", q->state);
    } else if (q->state == now) {
        r->result = TYB_ROS_ALREADY;
    } else if (q->state == TYB_ROS_PLAYING && l->done) {
        r->result = TYB_ROS_TRANSITION;
        snprintf(r->text, sizeof r->text, "its duration is over: reset it first");
    } else {
        command c = { .verb = q->state == TYB_ROS_PLAYING ? GO : PAUSE, .client = TYI_LIVE_ROS };
        bool stop = q->state == TYB_ROS_STOPPED;
        if (stop && !begin_anew(l, r, diag)) {
            r->result = TYB_ROS_TRANSITION;
            return;
        }
        tyi_live_obey(l, &c, diag);
        l->hub->services->stopped = stop;
    }
}

/* ---- out ---- */

static void full_topic(const ty_live *l, tyb_ros_service which, bool reply, char out[TYI_HUB_TOPIC])
{
    snprintf(out, TYI_HUB_TOPIC, "%s%s/%s%s", reply ? "rr" : "rq", l->hub->prefix, tyb_ros_service_name(which),
             reply ? "Reply" : "Request");
}

/* true: it is gone, or nobody will hear it any more */
static bool send_reply(ty_live *l, const call *c)
{
    char topic[TYI_HUB_TOPIC];
    full_topic(l, c->which, true, topic);
    bool late = tyi_web_now() - c->since > PATIENCE;
    if (!late && !tyb_dds_reaches(l->hub->dds, topic, c->sender)) {
        return false;
    }
    tyb_dds_send(l->hub->dds, topic, c->reply, c->bytes);
    return true;
}

/* a reply goes out, or waits at the end of the list until its reader is found */
static void answer(ty_live *l, call *c, tyb_ros_reply *r)
{
    tyi_live_services *s = l->hub->services;
    r->stamp = tyi_ros_start(ty_run_world(l->run)) + ty_run_time(l->run);
    tyb_ros_write_reply(c->which, &c->request, r, &s->reply);
    if (s->reply.failed || !(c->reply = malloc(s->reply.size))) {
        return;
    }
    memcpy(c->reply, s->reply.data, s->reply.size);
    c->bytes = s->reply.size, c->answered = true;
    if (send_reply(l, c)) {
        free(c->reply);
        return;
    }
    pthread_mutex_lock(&s->lock);
    bool room = s->calls < WAITING;
    if (room) {
        s->call[s->calls++] = *c;
    }
    pthread_mutex_unlock(&s->lock);
    if (!room) {
        free(c->reply);
    }
}

static void do_entities(ty_live *l, call *c, tyb_ros_reply *r)
{
    const tyb_ros_request *q = &c->request;
    size_t count = 0;
    tyb_ros_entity *list = entities(l, &count);
    r->result = TYB_ROS_OK;
    if (c->which == TYB_ROS_GET_ENTITY_STATE) {
        size_t i = 0;
        while (i < count && strcmp(list[i].name, q->name)) {
            i++;
        }
        if (i == count) {
            r->result = TYB_ROS_NOT_FOUND;
            snprintf(r->text, sizeof r->text, "there is no '%.120s'", q->name);
        } else {
            r->entity = &list[i], r->entities = 1;
        }
    } else if (choose(q, list, &count, r)) {
        r->entity = list, r->entities = count;
    }
    answer(l, c, r);
    free(list);
}

/* does what is asked and answers; steps are answered when they are done */
static ty_status obey(ty_live *l, call *c, ty_diag *diag)
{
    tyb_ros_reply r = { .result = TYB_ROS_OK };
    ty_diag why = { 0 };
    switch (c->which) {
    case TYB_ROS_GET_FEATURES:
        break;
    case TYB_ROS_GET_STATE:
        r.state = state_of(l);
        break;
    case TYB_ROS_SET_STATE:
        set_state(l, &c->request, &r, &why);
        break;
    case TYB_ROS_STEP:
        if (!l->paused || l->steps_left || l->hub->services->step.since > 0.0) {
            r.result = TYB_ROS_FAILED;
            snprintf(r.text, sizeof r.text, "steps are made while the run is paused, and it is not");
        } else if (c->request.steps < 1 || c->request.steps > 1000000) {
            r.result = TYB_ROS_FAILED;
            snprintf(r.text, sizeof r.text, "1 to 1000000 steps are accepted");
        } else {
            command step = { .verb = STEP, .client = TYI_LIVE_ROS, .count = (int)c->request.steps };
            l->hub->services->stopped = false;
            l->hub->services->step = *c;
            return tyi_live_obey(l, &step, diag);
        }
        break;
    case TYB_ROS_RESET:
        if (c->request.scope != 0 && c->request.scope != 255) {
            r.result = TYB_ROS_UNSUPPORTED;
            snprintf(r.text, sizeof r.text, "time, states and what was spawned are reset together: scope 0 or 255");
        } else if (!begin_anew(l, &r, &why)) {
            r.result = TYB_ROS_FAILED;
        }
        break;
    case TYB_ROS_GET_ENTITIES:
    case TYB_ROS_GET_ENTITIES_STATES:
    case TYB_ROS_GET_ENTITY_STATE:
        do_entities(l, c, &r);
        return TY_OK;
    case TYB_ROS_SPAWN:
        spawn(l, &c->request, &r);
        break;
    case TYB_ROS_DELETE:
        take_away(l, &c->request, &r);
        break;
    case TYB_ROS_SERVICES:
        break;
    }
    answer(l, c, &r);
    return TY_OK;
}

/* ROS 2 on Fast DDS: its client cannot read the reply, and would wait in silence; said once of each kind */
static void warn(ty_live *l)
{
    static const char *const how[] = { "from Fast DDS", "without CycloneDDS's header" };
    tyi_live_services *s = l->hub->services;
    pthread_mutex_lock(&s->lock);
    uint32_t news = ((s->foreign >= 0 ? 1u : 0u) | (s->wrong >= 0 ? 2u : 0u)) & ~s->told;
    int which[2] = { s->foreign, s->wrong };
    s->told |= news;
    pthread_mutex_unlock(&s->lock);
    for (int i = 0; i < 2; i++) {
        char text[300];
        if (news >> i & 1) {
            snprintf(
                text, sizeof text,
                "service %s was asked %s: only ROS 2 on CycloneDDS (RMW_IMPLEMENTATION=rmw_cyclonedds_cpp) reads the "
                "replies; the topic /tycho/control does the same for all",
                tyb_ros_service_name((tyb_ros_service)which[i]), how[i]);
            tyi_live_event(l, "service", "", text);
            if (l->note) {
                l->note(l->note_user, text);
            }
        }
    }
}

ty_status tyi_services_turn(ty_live *l, ty_diag *diag)
{
    tyi_live_services *s = l->hub->services;
    ty_status status = TY_OK;
    if (!s) {
        return TY_OK;
    }
    pthread_mutex_lock(&s->lock);
    int count = s->calls;
    pthread_mutex_unlock(&s->lock);
    warn(l);
    for (int k = 0; k < count && status == TY_OK; k++) {
        call c;
        pthread_mutex_lock(&s->lock);
        c = s->call[0];
        memmove(s->call, s->call + 1, sizeof c * (size_t)--s->calls);
        pthread_mutex_unlock(&s->lock);
        if (!c.answered) {
            status = obey(l, &c, diag);
        } else if (send_reply(l, &c)) {
            free(c.reply);
        } else { /* again, later */
            pthread_mutex_lock(&s->lock);
            bool room = s->calls < WAITING;
            if (room) {
                s->call[s->calls++] = c;
            }
            pthread_mutex_unlock(&s->lock);
            if (!room) {
                free(c.reply);
            }
        }
    }
    if (s->step.since > 0.0 && (!l->steps_left || l->done)) {
        tyb_ros_reply r = { .result = TYB_ROS_OK };
        call c = s->step;
        s->step.since = 0.0;
        if (l->done) {
            r.result = TYB_ROS_FAILED;
            snprintf(r.text, sizeof r.text, "the run's duration was over before");
        }
        c.since = tyi_web_now();
        answer(l, &c, &r);
    }
    return status;
}

/* ---- its life ---- */

ty_status tyi_services_start(ty_live *l, ty_diag *diag)
{
    tyi_live_services *s = calloc(1, sizeof *s);
    if (!s) {
        return ty_fail(diag, TY_ERR_MEMORY, "live: no memory for services");
    }
    pthread_mutex_init(&s->lock, NULL);
    s->wrong = s->foreign = -1;
    l->hub->services = s;
    ty_status status = TY_OK;
    for (int i = 0; i < TYB_ROS_SERVICES && status == TY_OK; i++) {
        char topic[TYI_HUB_TOPIC], type[160];
        full_topic(l, (tyb_ros_service)i, true, topic);
        snprintf(type, sizeof type, "%s_Response", tyb_ros_service_type((tyb_ros_service)i));
        status = tyb_dds_writer(l->hub->dds, topic, type, TYB_DDS_SENSOR, diag);
        full_topic(l, (tyb_ros_service)i, false, topic);
        snprintf(type, sizeof type, "%s_Request", tyb_ros_service_type((tyb_ros_service)i));
        status = status == TY_OK ? tyb_dds_reader(l->hub->dds, topic, type, true, FIRST - i, diag) : status;
    }
    return status;
}

void tyi_services_free(ty_live *l)
{
    tyi_live_services *s = l->hub->services;
    if (s) {
        for (int i = 0; i < s->calls; i++) {
            free(s->call[i].reply);
        }
        tyi_io_cdr_free(&s->reply);
        pthread_mutex_destroy(&s->lock);
        free(s);
        l->hub->services = NULL;
    }
}
