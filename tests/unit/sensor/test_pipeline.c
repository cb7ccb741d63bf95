/* Buffers and pipelines: views, misfits, changes between frames, memory, threads.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "rig.h"

/* ---- buffers ---- */

TY_TEST(buffer, views_and_types)
{
    ty_diag diag = { 0 };
    ty_buffer b;
    ty_buffer_type type = { 5, 4, 3, TY_ELEMENT_U16, TY_UNIT_DN, 'S' };
    TY_CHECK(ty_buffer_create(&type, NULL, &b, &diag) == TY_OK);
    TY_CHECK(b.bytes == 5 * 4 * 3 * 2 && ty_buffer_get(&b, 4, 3, 2) == 0.0);
    ty_buffer_set(&b, 2, 1, 1, 1234.4);
    TY_NEAR(ty_buffer_get(&b, 2, 1, 1), 1234.0, 0.0);
    TY_CHECK(((uint16_t *)(void *)b.data)[(1 * 5 + 2) * 3 + 1] == 1234); /* interleaved */
    ty_buffer_set(&b, 0, 0, 0, 1e9);
    TY_NEAR(ty_buffer_get(&b, 0, 0, 0), 65535.0, 0.0);
    ty_buffer_set(&b, 0, 0, 0, (double)NAN);
    TY_NEAR(ty_buffer_get(&b, 0, 0, 0), 0.0, 0.0);
    ty_buffer crop = ty_buffer_crop(&b, 1, 1, 3, 2), one = ty_buffer_channel(&crop, 1);
    TY_NEAR(ty_buffer_get(&crop, 1, 0, 1), 1234.0, 0.0);
    TY_NEAR(ty_buffer_get(&one, 1, 0, 0), 1234.0, 0.0);
    TY_FAR(ty_buffer_get(&one, 0, 0, 0), 1234.0, 1.0); /* control: its neighbour */
    ty_buffer_destroy(&one);                           /* a view: nothing is freed */
    float planes[2 * 6] = { 0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15 };
    ty_buffer p = ty_buffer_wrap_planar(&(ty_buffer_type){ 3, 2, 2, TY_ELEMENT_F32, TY_UNIT_NONE, 0 }, planes);
    TY_NEAR(ty_buffer_get(&p, 2, 1, 1), 15.0, 0.0);
    TY_NEAR(ty_buffer_get(&p, 1, 0, 0), 1.0, 0.0);
    float mixed[2 * 6] = { 0 };
    ty_buffer q = ty_buffer_wrap(&p.type, mixed);
    ty_buffer_copy(&q, &p); /* from planes to pixels */
    TY_CHECK(mixed[0] == 0.0f && mixed[1] == 10.0f && mixed[10] == 5.0f && mixed[11] == 15.0f);
    TY_CHECK(mixed[1] != planes[1]); /* control: no copy of bytes */
    ty_buffer_destroy(&b);
    type.width = 0;
    TY_CHECK(ty_buffer_create(&type, NULL, &b, &diag) == TY_ERR_RANGE && !b.data);
    TY_CHECK(strstr(diag.text, "0 x 4 x 3") != NULL);
}

/* ---- a user's own filters ---- */

typedef struct scale {
    double factor;
    int destroyed;
} scale;

static ty_status run_scale(void *user, const ty_filter_call *call, ty_diag *diag)
{
    (void)diag;
    const scale *s = user;
    for (int y = 0; y < call->in->type.height; y++) {
        for (int x = 0; x < call->in->type.width; x++) {
            ty_buffer_set(call->out, x, y, 0, s->factor * ty_buffer_get(call->in, x, y, 0) + 1.0);
        }
    }
    return TY_OK;
}

static void destroy_scale(void *user)
{
    ((scale *)user)->destroyed++;
}

static ty_filter scale_filter(const char *name, scale *s)
{
    return (ty_filter){ .name = name,
                        .units = TY_BIT(TY_UNIT_NONE),
                        .elements = TY_BIT(TY_ELEMENT_F32),
                        .channels = 1,
                        .in_place = true,
                        .run = run_scale,
                        .destroy = destroy_scale,
                        .user = s };
}

static double first(ty_pipeline *p, const ty_buffer *in)
{
    const ty_buffer *out;
    ty_diag diag = { 0 };
    cr_assert(ty_pipeline_run(p, in, NULL, 0, &out, &diag) == TY_OK, "%s", diag.text);
    return ty_buffer_get(out, 0, 0, 0);
}

static void look(void *user, const ty_buffer *data, uint64_t frame)
{
    *(double *)user = ty_buffer_get(data, 0, 0, 0) + 1000.0 * (double)frame;
}

TY_TEST(pipeline, filters_are_added_removed_and_reordered_between_frames)
{
    ty_pipeline *p;
    ty_diag diag = { 0 };
    scale a = { 2.0, 0 }, b = { 10.0, 0 };
    double seen = 0.0;
    ty_filter_access_def access = { look, &seen };
    ty_filter fa = scale_filter("twice", &a), fb = scale_filter("tenfold", &b), tap = ty_filter_access("tap", &access);
    float value = 3.0f;
    ty_buffer in = ty_buffer_wrap(&(ty_buffer_type){ 1, 1, 1, TY_ELEMENT_F32, TY_UNIT_NONE, 0 }, &value);
    TY_CHECK(ty_pipeline_create(NULL, 1, &p, &diag) == TY_OK);
    TY_NEAR(first(p, &in), 3.0, 0.0); /* no filter: the input itself */
    TY_CHECK(ty_pipeline_insert(p, -1, &fa, &diag) == TY_OK);
    TY_CHECK(ty_pipeline_insert(p, -1, &fb, &diag) == TY_OK);
    TY_NEAR(first(p, &in), 71.0, 0.0);
    TY_NEAR((double)value, 3.0, 0.0); /* filters that work in place leave the caller's memory alone */
    TY_CHECK(ty_pipeline_move(p, 1, 0, &diag) == TY_OK);
    TY_NEAR(first(p, &in), 63.0, 0.0);
    TY_CHECK(ty_pipeline_insert(p, 1, &tap, &diag) == TY_OK && ty_pipeline_insert(p, 0, &tap, &diag) == TY_OK);
    TY_NEAR(first(p, &in), 63.0, 0.0);
    TY_NEAR(seen, 31.0, 0.0);
    TY_CHECK(ty_pipeline_count(p) == 4 && ty_pipeline_find(p, "twice") == 3);
    TY_CHECK(ty_pipeline_switch(p, 3, false, &diag) == TY_OK);
    TY_NEAR(first(p, &in), 31.0, 0.0);
    TY_CHECK(ty_pipeline_remove(p, ty_pipeline_find(p, "tenfold"), &diag) == TY_OK && b.destroyed == 1);
    TY_NEAR(first(p, &in), 3.0, 0.0);
    TY_CHECK(ty_pipeline_remove(p, 7, &diag) == TY_ERR_RANGE);
    TY_CHECK(strstr(diag.text, "no place 7 among 3") != NULL);
    TY_CHECK(ty_pipeline_get(p, 7) == NULL && !strcmp(ty_pipeline_get(p, -1)->name, "twice"));
    ty_pipeline_destroy(p);
    TY_CHECK(a.destroyed == 1);
}

/* each misfit gets a sentence that names both filters, and nothing runs */
TY_TEST(pipeline, a_misfit_is_refused_with_a_sentence)
{
    ty_camera_sensor_def def = rig_bare(8, 6);
    rig r = rig_make(&def, 1);
    ty_diag diag = { 0 };
    const ty_buffer *out;
    int shot = ty_pipeline_find(r.pipeline, "shot"), glare = ty_pipeline_find(r.pipeline, "glare");
    ty_pipeline_switch(r.pipeline, shot, true, NULL);
    TY_CHECK(ty_pipeline_run(r.pipeline, &r.radiance, NULL, 0, &out, &diag) == TY_ERR_INPUT && !out);
    TY_CHECK(!strcmp(diag.text, "pipeline: 'shot' takes electrons as f32, but the input is "
                                "radiance [W/m2/sr] as f32, 8 x 6 x 1"));
    diag = (ty_diag){ 0 };
    ty_pipeline_switch(r.pipeline, glare, true, NULL);
    TY_CHECK(ty_pipeline_link(r.pipeline, &r.radiance.type, NULL, &diag) == TY_ERR_INPUT);
    TY_CHECK(strstr(diag.text, "'shot' takes electrons as f32, but 'glare' before it gives radiance") != NULL);
    /* mended between frames, it runs */
    diag = (ty_diag){ 0 };
    ty_buffer_type got;
    ty_pipeline_switch(r.pipeline, ty_pipeline_find(r.pipeline, "aggregator"), true, NULL);
    TY_CHECK(ty_pipeline_link(r.pipeline, &r.radiance.type, &got, &diag) == TY_OK);
    TY_CHECK(got.unit == TY_UNIT_ELECTRONS);
    TY_CHECK(ty_pipeline_run(r.pipeline, &r.radiance, NULL, 0, &out, &diag) == TY_OK && out);
    /* a move that breaks it again */
    TY_CHECK(ty_pipeline_move(r.pipeline, shot, 0, &diag) == TY_OK);
    TY_CHECK(ty_pipeline_run(r.pipeline, &r.radiance, NULL, 0, &out, &diag) == TY_ERR_INPUT);
    /* wrong size, wrong bands, missing depth */
    ty_pipeline_move(r.pipeline, 0, shot, NULL);
    diag = (ty_diag){ 0 };
    ty_buffer_type small = { 7, 6, 1, TY_ELEMENT_F32, TY_UNIT_RADIANCE, 'S' };
    TY_CHECK(ty_pipeline_link(r.pipeline, &small, NULL, &diag) == TY_ERR_INPUT);
    TY_CHECK(strstr(diag.text, "7 x 6 pixels, but the detector has 8 x 6") != NULL);
    diag = (ty_diag){ 0 };
    small = (ty_buffer_type){ 8, 6, 2, TY_ELEMENT_F32, TY_UNIT_RADIANCE, 'S' };
    TY_CHECK(ty_pipeline_link(r.pipeline, &small, NULL, &diag) == TY_ERR_INPUT);
    TY_CHECK(strstr(diag.text, "in 1 band, but the image has 2") != NULL);
    diag = (ty_diag){ 0 };
    ty_pipeline_switch(r.pipeline, ty_pipeline_find(r.pipeline, "defocus"), true, NULL);
    TY_CHECK(ty_pipeline_run(r.pipeline, &r.radiance, NULL, 0, &out, &diag) == TY_ERR_INPUT);
    TY_CHECK(strstr(diag.text, "'defocus' needs depths in metres, 8 x 6 x 1, but the frame brings none") != NULL);
    rig_free(&r);
}

/* ---- memory ---- */

typedef struct counter {
    int gets, puts, fail_at;
} counter;

static void *count_get(size_t bytes, void *user)
{
    counter *c = user;
    return ++c->gets == c->fail_at ? NULL : malloc(bytes);
}

static void count_put(void *memory, size_t bytes, void *user)
{
    (void)bytes;
    ((counter *)user)->puts += memory != NULL;
    free(memory);
}

static ty_camera_sensor_def all_on(int width, int height)
{
    ty_camera_sensor_def def = ty_camera_sensor_def_default();
    def.width = width;
    def.height = height;
    def.focal = 0.05; /* so that there is some defocus */
    ty_camera_sensor_def_color(&def);
    for (int i = 0; i < TY_CAMERA_STAGES; i++) {
        def.on[i] = true;
    }
    return def;
}

TY_TEST(pipeline, nothing_is_allocated_after_the_first_frame)
{
    counter c = { 0 };
    ty_alloc alloc = { count_get, count_put, &c };
    ty_camera_sensor_def def = all_on(40, 24);
    def.alloc = &alloc;
    rig r = rig_make(&def, 2);
    rig_fill(&r, 30.0);
    rig_shoot(&r);
    int after = c.gets;
    for (int i = 0; i < 5; i++) {
        rig_shoot(&r);
    }
    ty_pipeline_move(r.pipeline, ty_pipeline_find(r.pipeline, "dust"), 0, NULL);
    ty_pipeline_switch(r.pipeline, ty_pipeline_find(r.pipeline, "read"), false, NULL);
    rig_shoot(&r);
    TY_CHECK(c.gets == after);
    rig_free(&r);
    TY_CHECK(c.gets == c.puts && c.gets >= 4); /* control: the counter counts */
}

/* the 1st, 2nd, 3rd ... request fails: a status, and nothing is lost */
TY_TEST(pipeline, survives_a_lack_of_memory)
{
    for (int fail = 1; fail < 8; fail++) {
        counter c = { 0, 0, fail };
        ty_alloc alloc = { count_get, count_put, &c };
        ty_camera_sensor_def def = all_on(16, 16);
        def.alloc = &alloc;
        ty_camera_sensor *sensor = NULL;
        ty_pipeline *p = NULL;
        ty_diag diag = { 0 };
        ty_status status = ty_camera_sensor_create(&def, &sensor, &diag);
        status = status == TY_OK ? ty_pipeline_create(&alloc, 1, &p, &diag) : status;
        status = status == TY_OK ? ty_camera_sensor_build(sensor, p, &diag) : status;
        ty_buffer_type type = { 16, 16, 3, TY_ELEMENT_F32, TY_UNIT_RADIANCE, 'S' };
        status = status == TY_OK ? ty_pipeline_link(p, &type, NULL, &diag) : status;
        TY_CHECK(status == (fail <= 6 ? TY_ERR_MEMORY : TY_OK));
        TY_CHECK((status == TY_OK) == (diag.text[0] == 0));
        ty_pipeline_destroy(p);
        ty_camera_sensor_destroy(sensor);
        TY_CHECK(c.puts == c.gets - (fail <= c.gets));
    }
}

/* ---- threads ---- */

static void shade(rig *r)
{
    for (int y = 0; y < r->radiance.type.height; y++) {
        for (int x = 0; x < r->radiance.type.width; x++) {
            for (int c = 0; c < r->radiance.type.channels; c++) {
                ty_buffer_set(&r->radiance, x, y, c, 10.0 + 20.0 * sin(0.3 * x + c) * cos(0.2 * y));
            }
            ty_buffer_set(&r->depth, x, y, 0, 0.5 + 0.05 * x);
        }
    }
}

TY_TEST(pipeline, same_bits_on_one_and_two_threads)
{
    ty_camera_sensor_def def = all_on(240, 140); /* smaller ones run on one thread anyway */
    def.defocus_most = 9.0;
    rig one = rig_make(&def, 1), two = rig_make(&def, 2);
    def.seed = 2;
    rig other = rig_make(&def, 1);
    shade(&one), shade(&two), shade(&other);
    for (int i = 0; i < 3; i++) {
        const ty_buffer *a = rig_shoot(&one), *b = rig_shoot(&two), *c = rig_shoot(&other);
        size_t bytes = ty_buffer_type_bytes(&a->type);
        TY_CHECK(bytes == 240 * 140 * 3 * 2 && !memcmp(a->data, b->data, bytes));
        TY_CHECK(memcmp(a->data, c->data, bytes) != 0); /* control: another seed */
    }
    rig_free(&one), rig_free(&two), rig_free(&other);
}
