/* bridge/dds/dds.c - see dds.h: a participant, its topics, and the thread that writes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "dds.h"
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include "raw.h"

#define WRITERS 1024
#define READERS 256
#define NAME    320

/* What the loopback interface needs to be enough: programs that do not hear its multicast are asked one by one, at the ports of the
 * first 33 participants of a domain. Whole images fit into a writer's history before it waits for its readers. */
static const char loopback[] =
    "<CycloneDDS><Domain Id=\"any\"><General><Interfaces><NetworkInterface address=\"127.0.0.1\" multicast=\"true\"/>"
    "</Interfaces><AllowMulticast>spdp</AllowMulticast></General><Discovery><ParticipantIndex>auto</ParticipantIndex>"
    "<MaxAutoParticipantIndex>32</MaxAutoParticipantIndex><Peers><Peer address=\"127.0.0.1\"/></Peers></Discovery>"
    "<Internal><Watermarks><WhcHigh>32MB</WhcHigh></Watermarks></Internal></Domain></CycloneDDS>";
static const char network[] =
    "<CycloneDDS><Domain Id=\"any\"><Internal><Watermarks><WhcHigh>32MB</WhcHigh></Watermarks></Internal></Domain></CycloneDDS>";

typedef struct writer {
    char topic[NAME];
    dds_entity_t entity;
    struct ddsi_sertype *type;
    bool latched;
} writer;

typedef struct reader {
    dds_entity_t entity;
    tyb_dds *of;
    int id;
} reader;

typedef struct item {
    dds_entity_t to;
    struct ddsi_serdata *data;
    size_t bytes;
} item;

struct tyb_dds {
    tyb_dds_def def;
    dds_entity_t domain, participant;
    writer writer[WRITERS];
    int writers;
    reader reader[READERS];
    int readers;
    /* on their way to the thread that writes */
    pthread_t thread;
    bool started, stop;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    item queue[TYB_DDS_WAITING];
    int first, count;
    size_t waiting;
    dds_entity_t graph; /* writer of ros_discovery_info */
    struct ddsi_sertype *graph_type;
    bool changed; /* since it was told; under the lock, as the lists of writers and readers for it */
    atomic_ullong sent, dropped, received;
};

static ty_status no(ty_diag *diag, const char *what, const char *name, dds_return_t why)
{
    return ty_fail(diag, TY_ERR_FILE, "live: DDS: %s %s cannot be made: %s", what, name, dds_strretcode(why));
}

/* ---- ros_discovery_info: which node has which topics, so that ROS 2 lists it ---- */

static size_t put_number(uint8_t *to, size_t at, uint32_t v)
{
    at = (at + 3) / 4 * 4;
    memcpy(to + at, &v, 4);
    return at + 4;
}

static size_t put_text(uint8_t *to, size_t at, const char *text)
{
    at = put_number(to, at, (uint32_t)strlen(text) + 1);
    memcpy(to + at, text, strlen(text) + 1);
    return at + strlen(text) + 1;
}

static size_t put_id(uint8_t *to, size_t at, dds_entity_t entity, size_t bytes)
{
    dds_guid_t id = { { 0 } };
    dds_get_guid(entity, &id);
    memcpy(to + at, id.v, sizeof id.v);
    return at + bytes;
}

/* rmw_dds_common/msg/ParticipantEntitiesInfo: the participant, then one node: namespace, name, its readers, its writers. An id has 16
 * bytes since Iron, 24 in Humble. */
static void tell_graph(tyb_dds *d)
{
    const char *distro = getenv("ROS_DISTRO");
    size_t id = distro && !strcmp(distro, "humble") ? 24 : 16, room = 256 + id * (WRITERS + READERS);
    uint8_t *to = calloc(1, room);
    struct ddsi_serdata *data = NULL;
    if (to) {
        to[1] = 1;
        uint8_t *body = to + 4;
        size_t at = put_id(body, 0, d->participant, id);
        at = put_number(body, at, 1);
        at = put_text(body, put_text(body, at, "/"), d->def.name);
        pthread_mutex_lock(&d->lock);
        at = put_number(body, at, (uint32_t)d->readers);
        for (int i = 0; i < d->readers; i++) {
            at = put_id(body, at, d->reader[i].entity, id);
        }
        at = put_number(body, at, (uint32_t)d->writers);
        for (int i = 0; i < d->writers; i++) {
            at = put_id(body, at, d->writer[i].entity, id);
        }
        pthread_mutex_unlock(&d->lock);
        data = tyb_raw_data(d->graph_type, to, 4 + at);
    }
    if (data) {
        dds_writecdr(d->graph, data);
    }
    free(to);
}

static void changed(tyb_dds *d)
{
    d->changed = true;
    pthread_cond_signal(&d->wake);
}

/* ---- writing ---- */

static void *work(void *user)
{
    tyb_dds *d = user;
    pthread_mutex_lock(&d->lock);
    while (!d->stop) {
        if (d->changed && d->graph > 0) {
            d->changed = false;
            pthread_mutex_unlock(&d->lock);
            tell_graph(d);
            pthread_mutex_lock(&d->lock);
            continue;
        }
        if (!d->count) {
            pthread_cond_wait(&d->wake, &d->lock);
            continue;
        }
        item i = d->queue[d->first];
        d->first = (d->first + 1) % TYB_DDS_WAITING;
        d->count--;
        d->waiting -= i.bytes;
        pthread_mutex_unlock(&d->lock);
        bool done = dds_writecdr(i.to, i.data) == DDS_RETCODE_OK; /* may wait for slow readers, a second at most */
        atomic_fetch_add(done ? &d->sent : &d->dropped, 1);
        pthread_mutex_lock(&d->lock);
    }
    pthread_mutex_unlock(&d->lock);
    return NULL;
}

static writer *find(tyb_dds *d, const char *topic)
{
    for (int i = 0; i < d->writers; i++) {
        if (!strcmp(d->writer[i].topic, topic)) {
            return &d->writer[i];
        }
    }
    return NULL;
}

static bool is_read(const writer *w)
{
    dds_publication_matched_status_t s;
    return dds_get_publication_matched_status(w->entity, &s) == DDS_RETCODE_OK && s.current_count > 0;
}

bool tyb_dds_send(tyb_dds *d, const char *topic, const void *data, size_t bytes)
{
    writer *w = find(d, topic);
    if (!w) {
        return false;
    }
    if (!w->latched && !is_read(w)) {
        return true;
    }
    struct ddsi_serdata *s = tyb_raw_data(w->type, data, bytes);
    pthread_mutex_lock(&d->lock);
    bool room = s && d->count < TYB_DDS_WAITING && d->waiting + bytes <= TYB_DDS_QUEUE;
    if (room) {
        d->queue[(d->first + d->count++) % TYB_DDS_WAITING] = (item){ w->entity, s, bytes };
        d->waiting += bytes;
        pthread_cond_signal(&d->wake);
    }
    pthread_mutex_unlock(&d->lock);
    if (!room) {
        atomic_fetch_add(&d->dropped, 1);
        if (s) {
            ddsi_serdata_unref(s);
        }
    }
    return true;
}

/* ---- topics ---- */

/* "sensor_msgs/msg/Imu" as DDS has it: sensor_msgs::msg::dds_::Imu_ */
static void type_name(const char *type, char out[NAME])
{
    const char *package = strchr(type, '/'), *leaf = strrchr(type, '/');
    if (package && leaf > package) {
        snprintf(out, NAME, "%.*s::%.*s::dds_::%s_", (int)(package - type), type, (int)(leaf - package - 1),
                 package + 1, leaf + 1);
    } else {
        snprintf(out, NAME, "%s", type);
    }
}

static dds_qos_t *qos_of(tyb_dds_kind kind, const char *type)
{
    char text[200];
    dds_qos_t *q = dds_create_qos();
    const char *hash = tyb_dds_hash(type);
    dds_qset_reliability(q, DDS_RELIABILITY_RELIABLE, DDS_SECS(1));
    dds_qset_history(q, DDS_HISTORY_KEEP_LAST, kind == TYB_DDS_LATCHED ? 1 : kind == TYB_DDS_MANY ? 200 : 10);
    dds_qset_durability(q, kind == TYB_DDS_LATCHED ? DDS_DURABILITY_TRANSIENT_LOCAL : DDS_DURABILITY_VOLATILE);
    dds_qset_writer_data_lifecycle(q, false);
    if (hash) {
        int n = snprintf(text, sizeof text, "typehash=%s;", hash);
        dds_qset_userdata(q, text, (size_t)n);
    }
    return q;
}

static dds_entity_t topic_of(tyb_dds *d, const char *topic, const char *type, struct ddsi_sertype **out)
{
    char name[NAME], made_of[NAME];
    snprintf(name, sizeof name, "%s%s", topic[0] == '/' ? "rt" : "", topic);
    type_name(type, made_of);
    *out = tyb_raw_type(made_of, TYB_DDS_MESSAGE);
    if (!*out) {
        return DDS_RETCODE_OUT_OF_RESOURCES;
    }
    dds_entity_t t = dds_create_topic_sertype(d->participant, name, out, NULL, NULL, NULL);
    if (t < 0) {
        ddsi_sertype_unref(*out);
    }
    return t;
}

ty_status tyb_dds_writer(tyb_dds *d, const char *topic, const char *type, tyb_dds_kind kind, ty_diag *diag)
{
    if (find(d, topic)) {
        return TY_OK;
    }
    if (d->writers == WRITERS) {
        return ty_fail(diag, TY_ERR_RANGE, "live: DDS: more than %d topics", WRITERS);
    }
    writer *w = &d->writer[d->writers];
    dds_entity_t t = topic_of(d, topic, type, &w->type);
    if (t < 0) {
        return no(diag, "topic", topic, t);
    }
    dds_qos_t *q = qos_of(kind, type);
    w->entity = dds_create_writer(d->participant, t, q, NULL);
    dds_delete_qos(q);
    if (w->entity < 0) {
        return no(diag, "a writer of", topic, w->entity);
    }
    snprintf(w->topic, sizeof w->topic, "%s", topic);
    w->latched = kind == TYB_DDS_LATCHED;
    pthread_mutex_lock(&d->lock);
    d->writers++;
    changed(d);
    pthread_mutex_unlock(&d->lock);
    return TY_OK;
}

/* who wrote what a reader got */
static void sender_of(dds_entity_t at, dds_instance_handle_t by, uint8_t out[16])
{
    dds_builtintopic_endpoint_t *from = dds_get_matched_publication_data(at, by);
    memset(out, 0, 16);
    if (from) {
        memcpy(out, from->participant_key.v, 16);
        dds_builtintopic_free_endpoint(from);
    }
}

bool tyb_dds_reaches(tyb_dds *d, const char *topic, const uint8_t sender[16])
{
    dds_instance_handle_t all[256];
    const writer *w = find(d, topic);
    dds_return_t n = w ? dds_get_matched_subscriptions(w->entity, all, 256) : 0;
    bool reaches = false;
    for (dds_return_t i = 0; i < n && i < 256 && !reaches; i++) {
        dds_builtintopic_endpoint_t *to = dds_get_matched_subscription_data(w->entity, all[i]);
        reaches = to && !memcmp(to->participant_key.v, sender, 16);
        dds_builtintopic_free_endpoint(to);
    }
    return reaches;
}

static void on_data(dds_entity_t entity, void *user)
{
    reader *r = user;
    struct ddsi_serdata *data[16];
    dds_sample_info_t info[16];
    int n;
    while ((n = dds_takecdr(entity, data, 16, info, DDS_ANY_STATE)) > 0) {
        for (int i = 0; i < n; i++) {
            size_t bytes = 0;
            const uint8_t *from = tyb_raw_bytes(data[i], &bytes);
            if (info[i].valid_data) {
                atomic_fetch_add(&r->of->received, 1);
                uint8_t sender[16] = { 0 };
                if (r->id < TYB_DDS_ANSWERS) {
                    sender_of(entity, info[i].publication_handle, sender);
                }
                r->of->def.received(r->of->def.user, r->id, sender, from, bytes);
            }
            ddsi_serdata_unref(data[i]);
        }
    }
}

ty_status tyb_dds_reader(tyb_dds *d, const char *topic, const char *type, bool reliable, int id, ty_diag *diag)
{
    struct ddsi_sertype *made;
    if (d->readers == READERS) {
        return ty_fail(diag, TY_ERR_RANGE, "live: DDS: more than %d topics are read", READERS);
    }
    dds_entity_t t = topic_of(d, topic, type, &made);
    if (t < 0) {
        return no(diag, "topic", topic, t);
    }
    reader *r = &d->reader[d->readers];
    *r = (reader){ 0, d, id };
    dds_listener_t *listener = dds_create_listener(r);
    dds_lset_data_available(listener, on_data);
    dds_qos_t *q = qos_of(TYB_DDS_SENSOR, type);
    if (!reliable) {
        dds_qset_reliability(q, DDS_RELIABILITY_BEST_EFFORT, 0);
    }
    dds_entity_t made_reader = dds_create_reader(d->participant, t, q, listener);
    dds_delete_qos(q);
    dds_delete_listener(listener);
    if (made_reader < 0) {
        return no(diag, "a reader of", topic, made_reader);
    }
    pthread_mutex_lock(&d->lock);
    r->entity = made_reader;
    d->readers++;
    changed(d);
    pthread_mutex_unlock(&d->lock);
    return TY_OK;
}

static ty_status make_graph(tyb_dds *d, ty_diag *diag)
{
    static const char type[] = "rmw_dds_common/msg/ParticipantEntitiesInfo";
    dds_entity_t t = topic_of(d, "ros_discovery_info", type, &d->graph_type);
    dds_qos_t *q = qos_of(TYB_DDS_LATCHED, type);
    d->graph = t < 0 ? t : dds_create_writer(d->participant, t, q, NULL);
    dds_delete_qos(q);
    return d->graph < 0 ? no(diag, "topic", "ros_discovery_info", d->graph) : TY_OK;
}

/* ---- its life ---- */

/* CycloneDDS 0.10 listens at all addresses even where it is told of one interface: its sockets are bound to the loopback device, so
 * that what comes over a network does not reach them. They are all datagram sockets of this process that listen at a port of the
 * domain (DDSI-RTPS 2.2, 9.6.1.1). */
static bool bind_to_loopback(int domain)
{
    int low = 7400 + 250 * domain, bound = 0, failed = 0;
    DIR *all = opendir("/proc/self/fd");
    for (struct dirent *e; all && (e = readdir(all)) != NULL;) {
        int fd = atoi(e->d_name), kind = 0;
        struct sockaddr_in at;
        socklen_t size = sizeof at, of_kind = sizeof kind;
        if (e->d_name[0] == '.' || getsockopt(fd, SOL_SOCKET, SO_TYPE, &kind, &of_kind) != 0 || kind != SOCK_DGRAM ||
            getsockname(fd, (struct sockaddr *)&at, &size) != 0 || at.sin_family != AF_INET) {
            continue;
        }
        int port = ntohs(at.sin_port);
        if (port >= low && port < low + 250) {
            bound++;
            failed += setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, "lo", 3) != 0;
        }
    }
    if (all) {
        closedir(all);
    }
    return bound && !failed;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* what waits is written and heard, within a second */
static void drain(tyb_dds *d)
{
    double until = now() + 1.0;
    bool waits = true;
    while (waits && now() < until) {
        pthread_mutex_lock(&d->lock);
        waits = d->count > 0;
        pthread_mutex_unlock(&d->lock);
        struct timespec moment = { 0, 2000000 };
        nanosleep(&moment, NULL); /* the last one is on its way */
    }
    for (int i = 0; i < d->writers && now() < until; i++) {
        dds_wait_for_acks(d->writer[i].entity, DDS_MSECS((int64_t)(1e3 * (until - now()))));
    }
}

ty_status tyb_dds_start(const tyb_dds_def *def, tyb_dds **out, ty_diag *diag)
{
    *out = NULL;
    if (def->domain < 0 || def->domain > 232) {
        return ty_fail(diag, TY_ERR_RANGE, "live: the ROS domain is %d, but 0 to 232 is accepted", def->domain);
    }
    tyb_dds *d = calloc(1, sizeof *d);
    if (!d) {
        return ty_fail(diag, TY_ERR_MEMORY, "live: no memory for DDS");
    }
    d->def = *def;
    pthread_mutex_init(&d->lock, NULL);
    pthread_cond_init(&d->wake, NULL);
    ty_status status = TY_OK;
    if (!getenv("CYCLONEDDS_URI")) {
        d->domain = dds_create_domain((dds_domainid_t)def->domain, def->network ? network : loopback);
        status = d->domain < 0 ? no(diag, "the", "domain", d->domain) : status;
    }
    if (status == TY_OK) {
        char name[200];
        dds_qos_t *q = dds_create_qos();
        int n = snprintf(name, sizeof name, "enclave=/;"); /* as ROS 2 marks its participants */
        dds_qset_userdata(q, name, (size_t)n);
        dds_qset_entity_name(q, def->name);
        d->participant = dds_create_participant((dds_domainid_t)def->domain, q, NULL);
        dds_delete_qos(q);
        status = d->participant < 0 ? no(diag, "a", "participant", d->participant) : status;
    }
    if (status == TY_OK && d->domain > 0 && !def->network && !bind_to_loopback(def->domain)) {
        status =
            ty_fail(diag, TY_ERR_FILE,
                    "live: DDS cannot be kept to this machine (SO_BINDTODEVICE: %s); --ros-network lets the network in",
                    strerror(errno));
    }
    status = status == TY_OK ? make_graph(d, diag) : status;
    if (status == TY_OK) {
        d->started = pthread_create(&d->thread, NULL, work, d) == 0;
        status = d->started ? status : ty_fail(diag, TY_ERR_MEMORY, "live: no thread can be made");
    }
    if (status != TY_OK) {
        tyb_dds_stop(d);
        return status;
    }
    *out = d;
    return TY_OK;
}

void tyb_dds_stop(tyb_dds *d)
{
    if (!d) {
        return;
    }
    if (d->started) {
        drain(d);
        pthread_mutex_lock(&d->lock);
        d->stop = true;
        pthread_cond_signal(&d->wake);
        pthread_mutex_unlock(&d->lock);
        pthread_join(d->thread, NULL);
    }
    for (; d->count; d->count--, d->first = (d->first + 1) % TYB_DDS_WAITING) {
        ddsi_serdata_unref(d->queue[d->first].data);
    }
    if (d->participant > 0) {
        dds_delete(d->participant);
    }
    if (d->domain > 0) {
        dds_delete(d->domain);
    }
    pthread_cond_destroy(&d->wake);
    pthread_mutex_destroy(&d->lock);
    free(d);
}

tyb_dds_stats tyb_dds_get_stats(tyb_dds *d)
{
    tyb_dds_stats s = { .sent = atomic_load(&d->sent),
                        .dropped = atomic_load(&d->dropped),
                        .received = atomic_load(&d->received),
                        .writers = d->writers };
    for (int i = 0; i < d->writers; i++) {
        s.matched += is_read(&d->writer[i]);
    }
    return s;
}
