/* Filters and actions of running sensors: what they do, what is refused and when, those of a program's own.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "support.h"
#include "tycho/camera.h"
#include "sensor/inner.h"

/* ---- built-in filters against values worked out by hand ---- */

static ty_filter make(const ty_settings *settings)
{
    ty_filter f;
    ty_diag diag = { 0 };
    cr_assert(ty_filter_make(settings, 3, &f, &diag) == TY_OK, "%s", diag.text);
    return f;
}

/* runs one filter over an image of 4 x 3 pixels */
static const ty_buffer *through(ty_pipeline **p, const ty_settings *settings, const ty_buffer *in, uint64_t frame)
{
    ty_diag diag = { 0 };
    const ty_buffer *out = NULL;
    ty_filter f = make(settings);
    ty_pipeline_destroy(*p);
    cr_assert(ty_pipeline_create(NULL, 1, p, &diag) == TY_OK && ty_pipeline_insert(*p, -1, &f, &diag) == TY_OK);
    cr_assert(ty_pipeline_run(*p, in, NULL, frame, &out, &diag) == TY_OK, "%s", diag.text);
    return out;
}

TY_TEST(filters, numbers)
{
    float rgb[4 * 3 * 3];
    for (int i = 0; i < 36; i++) {
        rgb[i] = (float)i;
    }
    ty_buffer_type color = { 4, 3, 3, TY_ELEMENT_F32, TY_UNIT_RADIANCE, 'S' },
                   byte = { 36, 1, 1, TY_ELEMENT_U8, TY_UNIT_DN, 'S' };
    uint8_t bytes[36];
    for (int i = 0; i < 36; i++) {
        bytes[i] = (uint8_t)(7 * i);
    }
    ty_buffer in = ty_buffer_wrap(&color, rgb), dn = ty_buffer_wrap(&byte, bytes);
    ty_pipeline *p = NULL;
    const ty_buffer *out = through(&p, settings_of("type", "gray", NULL), &in, 0);
    TY_CHECK(out->type.channels == 1);
    TY_NEAR(ty_buffer_get(out, 1, 0, 0), 0.299 * 3 + 0.587 * 4 + 0.114 * 5, 1e-6); /* BT.601 */
    out = through(&p, settings_of("type", "brightness", "factor", "2", "add", "1", NULL), &in, 0);
    TY_NEAR(ty_buffer_get(out, 3, 2, 2), 71.0, 0.0);
    out = through(&p, settings_of("type", "negative", NULL), &dn, 0);
    TY_NEAR(ty_buffer_get(out, 2, 0, 0), 255.0 - 14.0, 0.0);
    out = through(&p, settings_of("type", "contrast", "factor", "2", NULL), &dn, 0);
    TY_NEAR(ty_buffer_get(out, 20, 0, 0), 2.0 * (140.0 - 127.5) + 127.5, 0.5); /* to whole numbers */
    TY_NEAR(ty_buffer_get(out, 35, 0, 0), 255.0, 0.0);                         /* stays in range */
    out = through(&p, settings_of("type", "vignette", "corner", "0.2", NULL), &in,
                  0); /* 4 x 3 pixels: half the diagonal 2.5 */
    TY_NEAR(ty_buffer_get(out, 0, 0, 2) / (double)rgb[2], 1.0 - 0.8 * (1.5 * 1.5 + 1.0) / 6.25, 1e-6);
    TY_NEAR(ty_buffer_get(out, 1, 1, 0) / (double)rgb[(4 + 1) * 3], 1.0 - 0.8 * 0.25 / 6.25, 1e-6);
    out = through(&p, settings_of("type", "crop", "x", "1", "y", "2", "width", "2", "height", "1", NULL), &in, 0);
    TY_CHECK(out->type.width == 2 && out->type.height == 1);
    TY_NEAR(ty_buffer_get(out, 1, 0, 1), rgb[(2 * 4 + 2) * 3 + 1], 0.0);
    out = through(&p, settings_of("type", "resize", "width", "2", "height", "1", NULL), &in, 0);
    TY_NEAR(ty_buffer_get(out, 0, 0, 0), (0 + 3 + 12 + 15 + 24 + 27) / 6.0, 1e-6); /* mean of the pixels covered */
    ty_pipeline_destroy(p);
    TY_ROW("filters (gray, brightness, negative, contrast, crop, resize) by hand", "numbers by hand, BT.601",
           "worst %.0e", tyt_worst("ty_buffer_get(out, 1, 0, 0)"));
}

/* a point becomes a Gaussian of the given width, and its light stays; noise has its spread, and other frames and
 * sensors their own */
TY_TEST(filters, blur_and_noise)
{
    enum { N = 101 };
    static float point[N * N], flat[N * N];
    memset(point, 0, sizeof point), memset(flat, 0, sizeof flat);
    point[50 * N + 50] = 1.0f;
    ty_buffer_type type = { N, N, 1, TY_ELEMENT_F32, TY_UNIT_RADIANCE, 'S' };
    ty_buffer in = ty_buffer_wrap(&type, point), zero = ty_buffer_wrap(&type, flat);
    ty_pipeline *p = NULL;
    const ty_buffer *out = through(&p, settings_of("type", "blur", "sigma", "4", NULL), &in, 0);
    double sum = 0.0, second = 0.0;
    for (int y = 0; y < N; y++) {
        for (int x = 0; x < N; x++) {
            sum += ty_buffer_get(out, x, y, 0);
            second += ty_buffer_get(out, x, y, 0) * (x - 50.0) * (x - 50.0);
        }
    }
    TY_NEAR(sum, 1.0, 1e-5);
    TY_NEAR_REL(sqrt(second), 4.0, 0.02); /* cut at 3 sigma: 1.4 % narrower */
    TY_FAR_REL(sqrt(second), 3.0, 0.02);
    double spread[2] = { 0 }, both = 0.0, first[N * N];
    for (uint64_t frame = 0; frame < 2; frame++) {
        out = through(&p, settings_of("type", "noise", "sigma", "0.5", NULL), &zero, frame);
        for (int i = 0; i < N * N; i++) {
            double v = ty_buffer_get(out, i % N, i / N, 0);
            spread[frame] += v * v / (N * N);
            both += frame ? v * first[i] / (N * N) : 0.0;
            first[i] = frame ? first[i] : v;
        }
    }
    TY_NEAR_REL(sqrt(spread[0]), 0.5, 0.03); /* 10201 numbers: 4 standard errors are 2.8 % */
    TY_NEAR_REL(sqrt(spread[1]), 0.5, 0.03);
    TY_NEAR(both, 0.0, 4.0 * 0.25 / N);
    ty_pipeline_destroy(p);
}

static void refused(const ty_settings *settings, const char *sentence)
{
    ty_filter f;
    ty_diag diag = { 0 };
    ty_status status = ty_filter_make(settings, 0, &f, &diag);
    cr_expect(status != TY_OK && !strcmp(diag.text, sentence), "got %s \"%s\", want \"%s\"", ty_status_name(status),
              diag.text, sentence);
}

TY_TEST(filters, sentences)
{
    refused(
        settings_of("type", "blurr", NULL),
        "filter: there is no 'blurr'; there are gray, blur, brightness, contrast, negative, vignette, resize, crop, noise, range, decimate, lag");
    refused(settings_of("type", "blur", "sigma", "-1", NULL),
            "filter blur: sigma is '-1', but takes a number from 0.1 to 50");
    refused(settings_of("type", "blur", "size", "1", NULL), "filter blur: there is no setting 'size'; it takes sigma");
    refused(settings_of("type", "crop", "width", "4", NULL), "filter crop: the setting height is needed");
    refused(settings_of("type", "resize", "width", "4.5", "height", "2", NULL),
            "filter resize: width is '4.5', but takes an integer from 1 to 32768");
}

/* ---- in a run ---- */

TY_TEST(pipeline, changed_between_frames)
{
    small *s = small_make();
    ty_diag diag = { 0 };
    small_camera(s, "eye", 0.1, 0.0, 0.0)->as.camera.physical = true;
    small_create(s);
    small_steps(s, 0.05);
    const ty_message *m = ty_run_newest(s->run, 0);
    TY_CHECK(m->part[0].data.type.unit == TY_UNIT_DN && m->part[0].data.type.element == TY_ELEMENT_U16);
    /* misfit: the chain's stages take electrons or light, not numbers */
    ty_pipeline *p = ty_run_pipeline(s->run, 0);
    int shot = ty_pipeline_find(p, "shot"), count = ty_pipeline_count(p);
    TY_CHECK(ty_pipeline_move(p, shot, -1, &diag) == TY_OK && ty_run_link(s->run, 0, &diag) == TY_ERR_INPUT);
    TY_CHECK(strstr(diag.text,
                    "'shot' takes electrons as f32, but 'quantise' before it gives digital numbers as u16") != NULL);
    TY_CHECK(ty_pipeline_move(p, -1, shot, NULL) == TY_OK && ty_run_link(s->run, 0, NULL) == TY_OK);
    /* the one that collects must stay first */
    diag = (ty_diag){ 0 };
    TY_CHECK(ty_pipeline_move(p, 0, 1, NULL) == TY_OK && ty_run_link(s->run, 0, &diag) == TY_ERR_INPUT);
    TY_CHECK(!strcmp(diag.text, "sensor eye: its first filter must be 'camera', which collects the data"));
    TY_CHECK(ty_pipeline_move(p, 1, 0, NULL) == TY_OK && ty_run_link(s->run, 0, NULL) == TY_OK);
    /* added: the next frame is smaller, later, negative; a misfit is taken out again */
    TY_CHECK(ty_run_add_filter(s->run, 0, settings_of("type", "negative", NULL), &diag) == TY_OK);
    TY_CHECK(ty_run_add_filter(s->run, 0, settings_of("type", "resize", "width", "48", "height", "32", NULL), &diag) ==
             TY_OK);
    TY_CHECK(ty_run_add_filter(s->run, 0, settings_of("type", "lag", "time", "0.02", NULL), &diag) == TY_OK);
    diag = (ty_diag){ 0 };
    TY_CHECK(ty_run_add_filter(s->run, 0, settings_of("type", "crop", "x", "40", "width", "20", "height", "2", NULL),
                               &diag) == TY_ERR_INPUT);
    TY_CHECK(strstr(diag.text, "the image has 48 x 32 pixels") != NULL && ty_pipeline_count(p) == count + 3);
    small_steps(s, 0.11);
    m = ty_run_newest(s->run, 0);
    TY_CHECK(m->sequence == 1 && m->part[0].data.type.width == 48);
    TY_CHECK(m->time.due == m->time.end + 20000000);
    double dark = ty_buffer_get(&m->part[0].data, 0, 0, 0);
    TY_CHECK(dark > 60000.0); /* 65535 less at most 4095 */
    /* reordered and removed: whole again, positive */
    TY_CHECK(ty_pipeline_move(p, -1, count, NULL) == TY_OK && ty_pipeline_remove(p, count + 1, NULL) == TY_OK);
    TY_CHECK(ty_pipeline_remove(p, -1, NULL) == TY_OK); /* no ty_run_link(): the next frame links by itself */
    small_steps(s, 0.1);
    m = ty_run_newest(s->run, 0);
    TY_CHECK(m->sequence == 2 && m->part[0].data.type.width == 24 && m->time.due == m->time.end + 20000000);
    TY_CHECK(ty_buffer_get(&m->part[0].data, 0, 0, 0) < 4096.0);
    /* a misfit that nobody linked stops the run with its sentence */
    TY_CHECK(ty_pipeline_move(p, shot, -1, NULL) == TY_OK);
    diag = (ty_diag){ 0 };
    ty_status status = TY_OK;
    for (int i = 0; i < 200 && status == TY_OK; i++) {
        status = ty_run_step(s->run, &diag);
    }
    TY_CHECK(status == TY_ERR_INPUT &&
             strstr(diag.text, "viper, sensor eye: pipeline: 'shot' takes electrons") != NULL);
    small_free(s);
}

/* ---- of a program's own ---- */

static ty_status twice(void *user, const ty_filter_call *call, ty_diag *diag)
{
    (void)diag;
    double factor = *(double *)user;
    for (int y = 0; y < call->in->type.height; y++) {
        for (int x = 0; x < call->in->type.width; x++) {
            ty_buffer_set(call->out, x, y, 0, factor * ty_buffer_get(call->in, x, y, 0));
        }
    }
    return TY_OK;
}
static ty_status make_twice(const ty_settings *settings, void *user, ty_filter *out, ty_diag *diag)
{
    const char *factor = ty_settings_get(settings, "factor");
    if (!factor) {
        return ty_fail(diag, TY_ERR_INPUT, "filter times: the setting factor is needed");
    }
    *(double *)user = atof(factor);
    *out = (ty_filter){ .name = "times",
                        .units = TY_BIT(TY_UNIT_RADIANCE),
                        .elements = TY_BIT(TY_ELEMENT_F32),
                        .channels = 1,
                        .run = twice,
                        .user = user };
    return TY_OK;
}

/* a sensor of a program's own: the mount's height and forward speed, mean over its window */
typedef struct probe {
    double sum, time;
    int made, destroyed;
} probe;
static const ty_message_column probe_columns[] = { { "z", "m", TY_QUANTITY_LENGTH, NULL },
                                                   { "v", "m/s", TY_QUANTITY_NONE, NULL },
                                                   { 0 } };
static const ty_message_schema probe_schema = { "probe", probe_columns };
static ty_status probe_create(ty_sensor_make *make, void *user, void **state, ty_diag *diag)
{
    (void)diag;
    ((probe *)user)->made++;
    *state = user;
    make->schema = &probe_schema;
    make->parts = 1;
    make->part[0].name = "sample";
    make->part[0].data.type = (ty_buffer_type){ 1, 1, 2, TY_ELEMENT_F64, TY_UNIT_NONE, 'W' };
    return TY_OK;
}
static void probe_step(void *state, const ty_sensor_step *step)
{
    probe *p = state;
    double dt = ty_seconds(step->to - step->from);
    p->sum += dt * 0.5 * (ty_norm(step->before.v_W) + ty_norm(step->after.v_W));
    p->time += dt;
}
static ty_status probe_collect(void *state, const ty_sensor_shot *shot, ty_message_part *part, ty_diag *diag)
{
    (void)diag;
    probe *p = state;
    ty_buffer_set(&part[0].data, 0, 0, 0, shot->key[shot->keys - 1].pose.p.z);
    ty_buffer_set(&part[0].data, 0, 0, 1, p->time > 0.0 ? p->sum / p->time : 0.0);
    /* the hook saw all of the window, and no more */
    TY_NEAR(p->time, ty_seconds(shot->time.end - shot->time.start), 1e-12);
    p->sum = p->time = 0.0;
    return TY_OK;
}
static void probe_destroy(void *state)
{
    ((probe *)state)->destroyed++;
}

TY_TEST(pipeline, kinds_of_a_program)
{
    small *s = small_make();
    static double factor;
    static probe own;
    ty_settings times = *settings_of("type", "user", "name", "times", "factor", "3", NULL);
    ty_sensor_def *plain = small_camera(s, "plain", 0.1, 0.0, 0.0), *more = small_camera(s, "more", 0.1, 0.0, 0.0);
    (void)plain;
    more->filter = &times;
    more->filters = 1;
    ty_sensor_def *q = &s->sensor[s->rover.sensors++];
    *q = ty_sensor_def_default(TY_SENSOR_USER);
    snprintf(q->name, sizeof q->name, "probe"), snprintf(q->as.user.kind, sizeof q->as.user.kind, "probe");
    q->period = 0.0123, q->window = 0.0071, q->start = 0.0004;
    const ty_filter_kind kind = { "times", make_twice, &factor };
    const ty_sensor_kind probe_kind = { .name = "probe",
                                        .keys = 2,
                                        .create = probe_create,
                                        .step = probe_step,
                                        .collect = probe_collect,
                                        .destroy = probe_destroy,
                                        .user = &own };
    ty_diag diag = { 0 };
    TY_CHECK(ty_run_create(&s->def, &s->run, &diag) == TY_ERR_INPUT); /* the program has not brought them */
    TY_CHECK(strstr(diag.text, "rover 'viper', sensor 'more': filter: there is no user's filter 'times'") != NULL);
    s->def.filter_kind = &kind, s->def.filter_kinds = 1;
    ty_sensor_kind looking = probe_kind; /* beside the dynamics there are no steps */
    looking.scene = true;
    s->def.sensor_kind = &looking, s->def.sensor_kinds = 1;
    diag = (ty_diag){ 0 };
    TY_CHECK(ty_run_create(&s->def, &s->run, &diag) == TY_ERR_DEF &&
             strstr(diag.text, "rover 'viper', sensor 'probe': a kind that looks at the scene") != NULL);
    s->def.sensor_kind = &probe_kind;
    small_create(s);
    small_steps(s, 0.5);
    const ty_message *a = ty_run_newest(s->run, 0), *b = ty_run_newest(s->run, 1), *c = ty_run_newest(s->run, 2);
    double sum[2] = { 0 };
    for (int y = 0; y < 16; y++) {
        for (int x = 0; x < 24; x++) {
            sum[0] += ty_buffer_get(&a->part[0].data, x, y, 0);
            sum[1] += ty_buffer_get(&b->part[0].data, x, y, 0);
        }
    }
    TY_NEAR_REL(sum[1], 3.0 * sum[0], 0.05); /* each camera draws its own rays */
    TY_FAR_REL(sum[1], sum[0], 0.05);
    ty_vehicle_state state;
    ty_vehicle_get(ty_run_rover(s->run, 0), &state);
    TY_CHECK(c->sequence > 30 && !strcmp(c->schema->name, "probe"));
    TY_NEAR(ty_buffer_get(&c->part[0].data, 0, 0, 0), state.pose.p.z, 0.01);
    small_free(s);
    TY_CHECK(own.made == 1 && own.destroyed == 1); /* the refused run did not come to it */
}

/* ---- actions ---- */

static size_t count_kind(const ty_message *m, ty_render_class kind)
{
    const ty_buffer *b = ty_message_find(m, "kind");
    size_t n = 0;
    for (int y = 0; y < b->type.height; y++) {
        for (int x = 0; x < b->type.width; x++) {
            n += ty_buffer_get(b, x, y, 0) == (double)kind;
        }
    }
    return n;
}

static double mean(const ty_message *m)
{
    double sum = 0.0;
    for (int y = 0; y < 16; y++) {
        for (int x = 0; x < 24; x++) {
            sum += ty_buffer_get(&m->part[0].data, x, y, 0) / (16 * 24);
        }
    }
    return sum;
}

TY_TEST(pipeline, actions_before_one_sensor_only)
{
    small *s = small_make();
    ty_setting item[4][4] = { { { "type", "hide" }, { "what", "self" } },
                              { { "type", "sun" }, { "azimuth_deg", "10" }, { "elevation_deg", "-5" } },
                              { { "type", "lamp" }, { "power", "2000" } },
                              { { "type", "refine" }, { "distance", "30" } } };
    ty_settings hide = { item[0], 2 }, dark[2] = { { item[1], 3 }, { item[2], 2 } }, night = { item[1], 3 },
                fine = { item[3], 2 };
    /* down from the mast: the rover's own deck fills part of the view */
    ty_sensor_def *c[5];
    for (int i = 0; i < 5; i++) {
        char name[16];
        snprintf(name, sizeof name, "c%d", i);
        c[i] = small_camera(s, name, 0.1, 0.0, 0.0);
        snprintf(c[i]->mount, sizeof c[i]->mount, "hazcam_front");
        c[i]->as.camera.camera.hfov = 150.0 * TY_DEG;
        c[i]->as.camera.truth = true;
    }
    c[1]->action = &hide, c[1]->actions = 1;
    c[2]->action = &night, c[2]->actions = 1;
    c[3]->action = dark, c[3]->actions = 2;
    c[4]->action = &fine, c[4]->actions = 1;
    small_create(s);
    small_steps(s, 0.15);
    const ty_message *m[5];
    for (size_t i = 0; i < 5; i++) {
        m[i] = ty_run_newest(s->run, i);
    }
    size_t seen = count_kind(m[0], TY_CLASS_ROVER);
    cr_expect(seen > 10, "the rover fills %zu pixels", seen);
    TY_CHECK(count_kind(m[1], TY_CLASS_ROVER) == 0 && count_kind(m[2], TY_CLASS_ROVER) == seen);
    TY_CHECK(mean(m[0]) > 0.1 && mean(m[2]) < 1e-2 * mean(m[0]) && mean(m[3]) > 10.0 * mean(m[2]));
    TY_CHECK(m[4]->sequence == 1 && mean(m[4]) > 0.1); /* the next frame of c0 is as before */
    TY_CHECK(s->heard[0].sensor == 0 && s->heard[5].sensor == 0);
    small_free(s);
}

/* Actions that come, change places and go while the run goes on: each frame is by those that were there. A wrong one changes nothing. */
TY_TEST(pipeline, actions_while_a_run_goes_on)
{
    small *s = small_make();
    ty_setting item[3][3] = { { { "type", "sun" }, { "azimuth_deg", "10" }, { "elevation_deg", "-5" } },
                              { { "type", "sun" }, { "azimuth_deg", "10" }, { "elevation_deg", "60" } },
                              { { "type", "shrink" } } };
    ty_settings night = { item[0], 3 }, noon = { item[1], 3 }, wrong = { item[2], 1 };
    ty_settings last_noon[2] = { night, noon }, last_night[2] = { noon, night };
    small_camera(s, "eye", 0.1, 0.0, 0.0)->as.camera.camera.hfov = 90.0 * TY_DEG;
    small_create(s);
    const struct {
        const ty_settings *list;
        size_t count;
    } now[5] = { { NULL, 0 }, { &night, 1 }, { last_noon, 2 }, { last_night, 2 }, { NULL, 0 } };
    double light[5];
    for (int i = 0; i < 5; i++) {
        ty_diag diag = { 0 };
        TY_CHECK(ty_run_set_actions(s->run, 0, now[i].list, now[i].count, &diag) == TY_OK);
        TY_CHECK(ty_run_set_actions(s->run, 0, &wrong, 1, &diag) == TY_ERR_INPUT && strstr(diag.text, "'shrink'"));
        small_steps(s, i ? 0.1 : 0.05);
        light[i] = mean(ty_run_newest(s->run, 0));
    }
    TY_CHECK(light[0] > 0.1 && light[1] < 1e-2 * light[0] && light[3] < 1e-2 * light[0]); /* the last Sun counts */
    TY_CHECK(light[2] > 1.5 * light[0]);
    TY_NEAR_REL(light[4], light[0], 0.05);
    small_free(s);
}

TY_TEST(pipeline, action_sentences)
{
    static const struct {
        ty_setting item[3];
        size_t count;
        const char *sentence;
    } cases[] = {
        { { { "type", "shrink" } },
          1,
          "rover 'viper', sensor 'eye': action: there is no 'shrink'; there are hide, sun, lamp, refine and user" },
        { { { "type", "hide" }, { "what", "lander" } },
          2,
          "rover 'viper', sensor 'eye': action hide: there is no rover, actor or object 'lander'" },
        { { { "type", "sun" }, { "azimuth_deg", "1" } },
          2,
          "rover 'viper', sensor 'eye': action sun: the setting elevation_deg is needed" },
        { { { "type", "lamp" }, { "power", "much" } },
          2,
          "rover 'viper', sensor 'eye': action lamp: power is 'much', but takes a number from 0 to 1000000000" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        small *s = small_make();
        ty_settings wrong = { (ty_setting *)(uintptr_t)cases[i].item, cases[i].count };
        ty_sensor_def *c = small_camera(s, "eye", 0.1, 0.0, 0.0);
        c->action = &wrong, c->actions = 1;
        ty_diag diag = { 0 };
        TY_CHECK(ty_run_create(&s->def, &s->run, &diag) != TY_OK && s->run == NULL);
        cr_expect(!strcmp(diag.text, cases[i].sentence), "got \"%s\", want \"%s\"", diag.text, cases[i].sentence);
        small_free(s);
    }
}

/* the same on a scene by itself: a ball in space, hidden and shown again */
TY_TEST(pipeline, scene_hides_and_refines)
{
    ty_scene_def def = ty_scene_def_default();
    ty_scene *scene = NULL;
    ty_diag diag = { 0 };
    cr_assert(ty_scene_create(&def, &scene, &diag) == TY_OK, "%s", diag.text);
    ty_object_def ball = { .radius = 1.0,
                           .material = ty_material_lambert(0.5),
                           .kind = TY_CLASS_OBJECT,
                           .pose = { { 0, 0, 5 }, { 1, 0, 0, 0 } } };
    uint32_t id;
    cr_assert(ty_scene_add(scene, &ball, &id, &diag) == TY_OK);
    ty_camera camera = ty_camera_default();
    camera.width = camera.height = 16;
    camera.pose.q = ty_quat_identity();
    ty_render_def render = ty_render_def_default();
    double depth[16 * 16];
    ty_render_buffers out = { .depth = depth };
    const ty_vec3 far = { 100.0, 0.0, 0.0 };
    for (int k = 0; k < 4; k++) {
        TY_CHECK(ty_scene_hide(scene, id, k % 2 == 1, &diag) == TY_OK);
        ty_scene_refine(scene, k == 2 ? &far : NULL); /* no ground: nothing to see of it */
        cr_assert(ty_render(scene, &camera, &render, &out, &diag) == TY_OK, "%s", diag.text);
        if (k % 2) {
            TY_CHECK(isinf(depth[8 * 16 + 8]));
        } else {
            /* through the pixel's middle, half a pixel off the axis */
            double a = 0.5 / (8.0 / tan(30.0 * TY_DEG)), b = 1.0 + 2.0 * a * a;
            TY_NEAR(depth[8 * 16 + 8], (10.0 - sqrt(100.0 - 96.0 * b)) / (2.0 * b), 1e-6);
        }
    }
    TY_CHECK(ty_scene_hide(scene, id + 1, true, &diag) == TY_ERR_RANGE);
    ty_scene_destroy(scene);
}

TY_TEST(pipeline, what_a_scenario_asks_for)
{
    static ty_setting item[2] = { { "iso", "2" }, { "bits", "10" } };
    ty_sensor_def s = ty_sensor_def_default(TY_SENSOR_CAMERA);
    s.as.camera.settings = (ty_settings){ item, 2 };
    s.window = 0.004;
    ty_camera_sensor_def def;
    ty_diag diag = { 0 };
    TY_CHECK(tyi_sensor_detector(&s, &def, &diag) == TY_OK);
    TY_CHECK(def.width == 640 && def.bits == 10);
    TY_NEAR(def.iso, 2.0, 0.0);
    TY_NEAR(def.exposure, 0.004, 0.0);
    TY_NEAR(2.0 * atan(0.5 * 640 * def.pixel / def.focal), s.as.camera.camera.hfov, 1e-12);
    snprintf(item[1].value, sizeof item[1].value, "99");
    TY_CHECK(tyi_sensor_detector(&s, &def, &diag) == TY_ERR_RANGE && strstr(diag.text, "bits is '99'") != NULL);
    ty_pipeline *p = NULL;
    ty_filter a = make(settings_of("type", "lag", "time", "0.25", NULL)),
              b = make(settings_of("type", "lag", "time", "0.5", NULL));
    cr_assert(ty_pipeline_create(NULL, 1, &p, NULL) == TY_OK);
    ty_pipeline_insert(p, -1, &a, NULL), ty_pipeline_insert(p, -1, &b, NULL);
    TY_CHECK(ty_pipeline_lag(p) == 750000000);
    ty_pipeline_switch(p, 0, false, NULL);
    TY_CHECK(ty_pipeline_lag(p) == 500000000 && strstr(ty_filter_names(), "blur") != NULL);
    ty_pipeline_destroy(p);
}
