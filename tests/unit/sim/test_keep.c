/* Messages that are kept: at their own addresses, unchanged by what the run makes afterwards, past its end.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "support.h"

#define MOST 40

typedef struct keeper {
    ty_message kept[MOST];
    uint64_t hash[MOST];
    size_t count;
    bool same; /* every kept one lies where the run made it */
    bool keep;
} keeper;

static uint64_t hash_of(const ty_message *m)
{
    uint64_t hash = 0;
    for (int i = 0; i < m->parts; i++) {
        const ty_buffer *b = &m->part[i].data;
        const uint8_t *data = (const uint8_t *)b->data;
        for (size_t k = 0; k < ty_buffer_type_bytes(&b->type); k++) {
            hash = hash * 1099511628211u + data[k];
        }
    }
    return hash;
}

static void receive(void *user, const ty_message *m)
{
    keeper *k = user;
    if (k->count < MOST && k->keep) {
        ty_diag diag = { 0 };
        cr_assert(ty_message_keep(m, &k->kept[k->count], &diag) == TY_OK, "%s", diag.text);
        for (int i = 0; i < m->parts; i++) {
            k->same = k->same && k->kept[k->count].part[i].data.data == m->part[i].data.data;
        }
        k->hash[k->count++] = hash_of(m);
    }
}

TY_TEST(keep, stays_what_it_was_past_the_end)
{
    small *s = small_make();
    small_camera(s, "cam", 0.02, 0.0, 0.03)->as.camera.truth = true;
    small_create(s);
    keeper k = { .same = true, .keep = true };
    cr_assert(ty_run_subscribe(s->run, NULL, NULL, receive, &k, NULL) == TY_OK);
    small_steps(s, 0.5);
    TY_CHECK(k.count > 20 && k.same);
    /* a restore writes messages, too, but not over kept ones */
    void *saved = NULL;
    size_t bytes = 0;
    cr_assert(ty_run_save(s->run, &saved, &bytes, NULL) == TY_OK &&
              ty_run_restore(s->run, saved, bytes, NULL) == TY_OK);
    free(saved);
    k.keep = false;
    small_steps(s, 0.1);
    /* one more holder of the newest, and the first lets go */
    ty_message twice;
    cr_assert(ty_message_keep(ty_run_newest(s->run, 0), &twice, NULL) == TY_OK);
    uint64_t hash = hash_of(&twice);
    small_steps(s, 0.1);
    TY_CHECK(hash_of(&twice) == hash && hash_of(ty_run_newest(s->run, 0)) != hash); /* control: the run went on */
    small_free(s);
    for (size_t i = 0; i < k.count; i++) {
        TY_CHECK(hash_of(&k.kept[i]) == k.hash[i]);
        ty_buffer_destroy(&k.kept[i].part[0].data);
    }
    TY_CHECK(hash_of(&twice) == hash);
    ty_buffer_destroy(&twice.part[0].data);
}

TY_TEST(keep, others_are_copied)
{
    float value[6] = { 1, 2, 3, 4, 5, 6 };
    const ty_buffer_type type = { 3, 2, 1, TY_ELEMENT_F32, TY_UNIT_NONE, 0 };
    ty_message m = {
        .run = "r", .rover = "", .sensor = "s", .parts = 1, .part = { { "data", ty_buffer_wrap(&type, value) } }
    };
    ty_message kept;
    cr_assert(ty_message_keep(&m, &kept, NULL) == TY_OK);
    value[0] = 9.0f;
    TY_CHECK(ty_buffer_get(&kept.part[0].data, 0, 0, 0) == 1.0 && ty_buffer_get(&kept.part[0].data, 2, 1, 0) == 6.0);
    TY_CHECK(ty_buffer_get(&m.part[0].data, 0, 0, 0) == 9.0); /* control */
    ty_message again;
    cr_assert(ty_message_keep(&kept, &again, NULL) == TY_OK); /* one that is kept already: the same memory */
    TY_CHECK(again.part[0].data.data == kept.part[0].data.data);
    ty_buffer_destroy(&kept.part[0].data);
    TY_CHECK(ty_buffer_get(&again.part[0].data, 0, 0, 0) == 1.0);
    ty_buffer_destroy(&again.part[0].data);
}

TY_TEST(keep, a_scenario_of_text)
{
    static const char text[] = "{\"version\": 1, \"name\": \"text\", \"duration\": 3.5}";
    static const char *const set[] = { "terrain.seed=9" };
    ty_scenario *s = NULL;
    ty_diag diag = { 0 };
    cr_assert(ty_scenario_parse("made/here", text, sizeof text - 1, set, 1, &s, &diag) == TY_OK, "%s", diag.text);
    TY_CHECK(s->duration == 3.5 && s->terrain.seed == 9 && !strcmp(s->name, "text"));
    ty_scenario_destroy(s);
    TY_CHECK(ty_scenario_parse("made/here", "version: 2", 10, NULL, 0, &s, &diag) != TY_OK && !s);
    TY_CHECK(strstr(diag.text, "made/here:1:10: version") != NULL);
}
