/* YAML into structs: a schema with every kind of key, its messages, its settings, its reference page.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <sys/stat.h>
#include <unistd.h>
#include <yaml.h>
#include "tyt.h"
#include "io/document.h"

/* ---- a schema as later sections will need them: lists of mappings, unions by `model:` ---- */

typedef struct wheel {
    double radius, width; /* [m] */
    double at[3];         /* [m] */
} wheel;
typedef struct soil {
    int model; /* rigid, bekker */
    struct {
        double stiffness;
    } rigid;
    struct {
        double n, k_c;
        size_t layers;
    } bekker;
} soil;
typedef struct rover {
    char name[8];
    int drive;
    wheel *wheels;
    size_t wheel_count;
    soil soil;
} rover;
typedef struct world {
    double gravity;
    double tilt; /* [rad] */
    bool dust;
    char start[32];
    uint64_t seed;
    double *times;
    size_t time_count;
    rover *rovers;
    size_t rover_count;
    soil soil;
} world;

static const tyi_limit wheel_limits[] = {
    { "radius", "m", offsetof(wheel, radius), TYI_DOUBLE, 0.01, 1.0 },
    { "width", "m", offsetof(wheel, width), TYI_DOUBLE, 0.01, 1.0 },
    { 0 },
};
static const tyi_order wheel_orders[] = { { offsetof(wheel, width), offsetof(wheel, radius) }, { 0, 0 } };
static const tyi_rules wheel_rules = { "wheel", wheel_limits, wheel_orders };
static const tyi_limit one_limits[] = { { "value", "m", 0, TYI_DOUBLE, -10.0, 10.0 }, { 0 } };
static const tyi_rules one_rules = { "value", one_limits, NULL };
static const tyi_io_key coordinate = { .kind = TYI_IO_NUMBER };
static const tyi_io_list vector = {
    .element = &coordinate,
    .rules = &one_rules,
    .size = sizeof(double),
    .least = 3,
    .most = 3,
    .in_place = true,
};
static const tyi_io_key wheel_keys[] = {
    { "radius", TYI_IO_NUMBER, offsetof(wheel, radius), .text = "of the rim" },
    { "width", TYI_IO_NUMBER, offsetof(wheel, width), .text = "of the rim" },
    { "at", TYI_IO_LIST, offsetof(wheel, at), .text = "centre", .list = &vector },
    { 0 },
};
static const tyi_io_schema wheel_schema = { wheel_keys, &wheel_rules, .whole = true };

static const tyi_limit soil_limits[] = {
    { "rigid.stiffness", "N/m", offsetof(soil, rigid.stiffness), TYI_DOUBLE, 1.0, 1e9 },
    { "bekker.n", "", offsetof(soil, bekker.n), TYI_DOUBLE, 0.3, 2.0 },
    { "bekker.k_c", "N/m^(n+1)", offsetof(soil, bekker.k_c), TYI_DOUBLE, 0.0, 1e6 },
    { "bekker.layers", "", offsetof(soil, bekker.layers), TYI_SIZE, 1.0, 4.0 },
    { 0 },
};
static const tyi_rules soil_rules = { "soil", soil_limits, NULL };
static const tyi_io_key rigid_keys[] = {
    { "stiffness", TYI_IO_NUMBER, offsetof(soil, rigid.stiffness), .text = "of the contact" },
    { 0 },
};
static const tyi_io_key bekker_keys[] = {
    { "n", TYI_IO_NUMBER, offsetof(soil, bekker.n), .text = "sinkage exponent" },
    { "k_c", TYI_IO_NUMBER, offsetof(soil, bekker.k_c), .text = "cohesive modulus" },
    { "layers", TYI_IO_INTEGER, offsetof(soil, bekker.layers), .text = "number of layers" },
    { 0 },
};
static const tyi_io_schema rigid_schema = { rigid_keys, &soil_rules, .whole = false };
static const tyi_io_schema bekker_schema = { bekker_keys, &soil_rules, .whole = false };

static void rigid_init(void *holder)
{
    ((soil *)holder)->rigid.stiffness = 5e4;
}
static void bekker_init(void *holder)
{
    soil *s = holder;
    s->bekker.n = 1.0;
    s->bekker.k_c = 1400.0;
    s->bekker.layers = 1;
}
static const tyi_io_variant soils[] = {
    { "rigid", "Ground that does not give way", &rigid_schema, rigid_init },
    { "bekker", "Ground that gives way", &bekker_schema, bekker_init },
    { 0 },
};
static void wheel_init(void *element)
{
    *(wheel *)element = (wheel){ 0.2, 0.1, { 0.0, 0.0, 0.0 } };
}
static void rover_init(void *element)
{
    *(rover *)element = (rover){ .soil = { .model = -1 } }; /* its model must be given */
}
static const tyi_io_key wheel_element = { .kind = TYI_IO_MAPPING, .schema = &wheel_schema };
static const tyi_io_list wheels = {
    .element = &wheel_element,
    .size = sizeof(wheel),
    .count = offsetof(rover, wheel_count),
    .least = 1,
    .most = 6,
    .init = wheel_init,
};
static const char *const drives[] = { "skid", "ackermann", NULL };
static const tyi_io_key rover_keys[] = {
    { "name", TYI_IO_TEXT, offsetof(rover, name), .text = "of the rover", .required = true, .size = 8 },
    { "drive", TYI_IO_CHOICE, offsetof(rover, drive), .text = "how it steers", .choices = drives },
    { "wheels", TYI_IO_LIST, offsetof(rover, wheels), .text = "Its wheels", .list = &wheels },
    { "soil", TYI_IO_UNION, offsetof(rover, soil), .text = "Ground under this rover", .tag = "model", .variants = soils,
      .tag_offset = offsetof(soil, model), .size = sizeof(soil) },
    { 0 },
};
static const tyi_io_schema rover_schema = { rover_keys, NULL, .whole = false };
static const tyi_io_key rover_element = { .kind = TYI_IO_MAPPING, .schema = &rover_schema };
static const tyi_io_list rovers = {
    .element = &rover_element,
    .size = sizeof(rover),
    .count = offsetof(world, rover_count),
    .least = 0,
    .most = 3,
    .init = rover_init,
};
static const tyi_io_list times = {
    .element = &coordinate,
    .rules = &one_rules,
    .size = sizeof(double),
    .count = offsetof(world, time_count),
    .most = 5,
};
static const tyi_limit world_limits[] = {
    { "gravity", "m/s^2", offsetof(world, gravity), TYI_DOUBLE, 0.0, 30.0 },
    { "tilt", "rad", offsetof(world, tilt), TYI_DOUBLE, -1.0, 1.0 },
    { "seed", "", offsetof(world, seed), TYI_UINT64, 0.0, 0x1p64 },
    { 0 },
};
static const tyi_rules world_rules = { "world", world_limits, NULL };
static const tyi_io_key world_keys[] = {
    { "gravity", TYI_IO_NUMBER, offsetof(world, gravity), .text = "acceleration" },
    { "tilt_deg", TYI_IO_NUMBER, offsetof(world, tilt), .text = "angle", .unit = "deg",
      .scale = 3.14159265358979323846 / 180.0 },
    { "dust", TYI_IO_BOOLEAN, offsetof(world, dust), .text = "whether there is dust" },
    { "start_utc", TYI_IO_UTC, offsetof(world, start), .text = "start", .size = 32 },
    { "seed", TYI_IO_INTEGER, offsetof(world, seed), .text = "seed" },
    { "times", TYI_IO_LIST, offsetof(world, times), .text = "times", .list = &times },
    { "rovers", TYI_IO_LIST, offsetof(world, rovers), .text = "The rovers", .list = &rovers },
    { "soil", TYI_IO_UNION, offsetof(world, soil), .text = "The ground", .tag = "model", .variants = soils,
      .tag_offset = offsetof(soil, model), .size = sizeof(soil) },
    { 0 },
};
static const tyi_io_schema schema = { world_keys, &world_rules, .whole = false };
static const world defaults = {
    .gravity = 1.62,
    .start = "2027-01-01T00:00:00",
    .seed = 3,
    .soil = { .model = 0, .rigid = { 7e4 } },
};

/* Fills *w from text and settings; what the lists point to is freed by the caller. */
static ty_status load(const char *text, const char *const *settings, size_t count, world *w, tyi_arena *memory,
                      ty_diag *diag)
{
    tyi_io_doc doc;
    *w = defaults;
    *diag = (ty_diag){ 0 };
    tyi_arena_init(memory, NULL, 1024);
    ty_status status = tyi_io_doc_parse(&doc, "w.yaml", text, strlen(text), NULL, diag);
    if (status == TY_OK) {
        status = tyi_io_doc_set(&doc, settings, count, diag);
    }
    if (status == TY_OK) {
        status = tyi_io_doc_fill(&doc, &schema, w, memory, diag);
    }
    tyi_io_doc_free(&doc);
    return status;
}

static void says(const char *text, const char *setting, const char *sentence)
{
    world w;
    tyi_arena memory;
    ty_diag diag;
    ty_status status = load(text, &setting, setting != NULL, &w, &memory, &diag);
    tyi_arena_free(&memory);
    cr_expect(status != TY_OK && !strcmp(diag.text, sentence), "%s: got \"%s\", want \"%s\"", text, diag.text,
              sentence);
}

static const char full[] = "gravity: 3.71\n"
                           "tilt_deg: -30\n"
                           "dust: true\n"
                           "start_utc: 2028-02-29 06:30Z\n"
                           "seed: 18446744073709551615\n"
                           "times: [1, 2.5, -3e-1]\n"
                           "soil:\n"
                           "  model: bekker\n"
                           "  n: 0.8\n"
                           "rovers:\n"
                           "- name: one\n"
                           "  drive: ackermann\n"
                           "  soil: &ground {model: rigid, stiffness: 2e4}\n"
                           "  wheels:\n"
                           "  - {radius: 0.3, at: [1, -2, 0.5]}\n"
                           "  - {}\n"
                           "- name: \"2\"\n"
                           "  soil: *ground\n"
                           "  wheels: [{width: 0.05}]\n";

TY_TEST(document, every_kind_is_filled)
{
    world w;
    tyi_arena memory;
    ty_diag diag;
    cr_assert(load(full, NULL, 0, &w, &memory, &diag) == TY_OK, "%s", diag.text);
    TY_NEAR(w.gravity, 3.71, 0.0);
    TY_NEAR(w.tilt, -0.52359877559829887, 1e-16); /* -pi / 6 */
    TY_CHECK(w.dust && !strcmp(w.start, "2028-02-29T06:30:00") && w.seed == UINT64_MAX);
    TY_CHECK(w.time_count == 3 && w.times[1] == 2.5 && w.times[2] == -0.3);
    TY_CHECK(w.soil.model == 1 && w.soil.bekker.n == 0.8 && w.soil.bekker.k_c == 1400.0 && w.soil.bekker.layers == 1);
    cr_assert(w.rover_count == 2 && w.rovers[0].wheel_count == 2 && w.rovers[1].wheel_count == 1);
    const rover *one = &w.rovers[0], *two = &w.rovers[1];
    TY_CHECK(!strcmp(one->name, "one") && one->drive == 1 && one->soil.model == 0 && one->soil.rigid.stiffness == 2e4);
    TY_CHECK(one->wheels[0].radius == 0.3 && one->wheels[0].width == 0.1 && one->wheels[0].at[1] == -2.0);
    TY_CHECK(one->wheels[1].radius == 0.2 && one->wheels[1].at[2] == 0.0);
    TY_CHECK(!strcmp(two->name, "2") && two->drive == 0 && two->soil.rigid.stiffness == 2e4 &&
             two->wheels[0].width == 0.05);
    tyi_arena_free(&memory);
}

TY_TEST(document, what_is_not_given_keeps_its_default)
{
    world w;
    tyi_arena memory;
    ty_diag diag;
    TY_CHECK(load("soil:\ndust: false\n", NULL, 0, &w, &memory, &diag) == TY_OK);
    TY_CHECK(w.gravity == 1.62 && w.seed == 3 && w.soil.model == 0 && w.soil.rigid.stiffness == 7e4 && !w.rovers);
    tyi_arena_free(&memory);
    /* the default variant keeps the struct's defaults, another one starts from its own */
    TY_CHECK(load("soil: {model: rigid}", NULL, 0, &w, &memory, &diag) == TY_OK && w.soil.rigid.stiffness == 7e4);
    tyi_arena_free(&memory);
}

TY_TEST(document, settings_change_the_tree)
{
    static const char *const settings[] = {
        "gravity=9.8",
        "rovers.1.name=x",
        "rovers.0.wheels.1.radius=0.5",
        "soil.k_c=7",
        "times=[4]",
        "rovers.2.name=three",
        "rovers.2.soil={model: bekker}",
        "rovers.2.wheels.0=",
        "rovers.0.soil.stiffness=9",
    };
    world w;
    tyi_arena memory;
    ty_diag diag;
    cr_assert(load(full, settings, sizeof settings / sizeof settings[0], &w, &memory, &diag) == TY_OK, "%s", diag.text);
    TY_CHECK(w.gravity == 9.8 && !strcmp(w.rovers[1].name, "x") && w.rovers[0].wheels[1].radius == 0.5);
    TY_CHECK(w.soil.model == 1 && w.soil.bekker.k_c == 7.0 && w.soil.bekker.n == 0.8);
    TY_CHECK(w.time_count == 1 && w.times[0] == 4.0);
    TY_CHECK(w.rover_count == 3 && w.rovers[2].soil.model == 1 && w.rovers[2].wheel_count == 1);
    /* an alias shares its anchor's value in the file, but not the change */
    TY_CHECK(w.rovers[0].soil.rigid.stiffness == 9.0 && w.rovers[1].soil.rigid.stiffness == 2e4);
    tyi_arena_free(&memory);
}

TY_TEST(document, messages_of_lists_and_unions)
{
    says("rovers:\n- name: a\n- nam: b\n", NULL,
         "w.yaml:3:3: there is no key rovers.1.nam (did you mean name?); rovers.1 takes name, "
         "drive, wheels, soil");
    says("rovers:\n- drive: skid\n", NULL,
         "w.yaml:2:3: the key rovers.0.name is needed; it takes text of at most 7 bytes on one "
         "line");
    says("rovers:\n- name: a\n  drive: tank\n", NULL,
         "w.yaml:3:10: rovers.0.drive is 'tank', but takes one of skid, ackermann");
    says("rovers:\n- name: a\n  wheels: []\n", NULL,
         "w.yaml:3:11: rovers.0.wheels has 0 elements, but takes a list of 1 to 6, each a mapping "
         "with radius, width, at");
    says("rovers: [{name: a, wheels: [{at: [1, 2]}]}]", NULL,
         "w.yaml:1:34: rovers.0.wheels.0.at has 2 elements, but takes a list of 3, each a number "
         "from -10 to 10 m");
    says("rovers: [{name: a, wheels: [{at: [1, 2, 11]}]}]", NULL,
         "w.yaml:1:41: rovers.0.wheels.0.at.2 is 11, but takes a number from -10 to 10 m");
    says("rovers: [{name: a, wheels: [{}, {radius: 0.08}]}]", NULL,
         "w.yaml:1:42: rovers.0.wheels.1.radius is 0.08 m, but must be above "
         "rovers.0.wheels.1.width, which is 0.1 m by default");
    says("rovers: [{name: a, soil: {n: 1}}]", NULL,
         "w.yaml:1:26: the key rovers.0.soil.model is needed; it takes one of rigid, bekker");
    says("soil:\n  model: bekkr\n", NULL, "w.yaml:2:10: soil.model is 'bekkr', but takes one of rigid, bekker");
    says("soil:\n  model: rigid\n  n: 1\n", NULL, "w.yaml:3:3: there is no key soil.n; soil takes model, stiffness");
    says("soil:\n  model: rigid\n  model: rigid\n", NULL,
         "w.yaml:3:3: the key soil.model stands twice, first in line 2");
    says("soil: [1]", NULL,
         "w.yaml:1:7: soil is a list, but takes a mapping with model (one of rigid, bekker) and "
         "its keys");
    says("rovers: 5", NULL,
         "w.yaml:1:9: rovers is 5, but takes a list of 0 to 3, each a mapping with name, drive, "
         "wheels, soil");
    says("tilt_deg: 60", NULL, "w.yaml:1:11: tilt_deg is 60, but takes a number from -57.29577951 to 57.29577951 deg");
}

TY_TEST(document, messages_of_settings)
{
    says("rovers: [{name: a}]", "rovers.3.name=b",
         "--set rovers.3.name=b: rovers is a list, and takes an index from 0 to 1 (which appends), "
         "not '3'");
    says("rovers: [{name: a}]", "rovers.first.name=b",
         "--set rovers.first.name=b: rovers is a list, and takes an index from 0 to 1 (which "
         "appends), not 'first'");
    says("gravity: 1", "gravity.x=1", "--set gravity.x=1: gravity is a single value, so it has no key 'x'");
    says("gravity: 1", "gravty=1",
         "--set gravty=1: there is no key gravty (did you mean gravity?); the file takes gravity, "
         "tilt_deg, dust, start_utc, seed, times, rovers, soil");
    says("gravity: 1", "gravity=31", "--set gravity=31: gravity is 31, but takes a number from 0 to 30 m/s^2");
    says("gravity: 1", "gravity=", "--set gravity=: gravity is empty, but takes a number from 0 to 30 m/s^2");
    says("gravity: 1", "gravity", "--set gravity: there is no '=': --set takes key=value, such as name=test");
    says("gravity: 99", "seed=4", "w.yaml:1:10: gravity is 99, but takes a number from 0 to 30 m/s^2"); /* control */
}

TY_TEST(document, numbers_and_times_are_strict)
{
    static const char *const wrong[] = { "gravity: 0x10",
                                         "gravity: nan",
                                         "gravity: inf",
                                         "gravity: 1e999",
                                         "gravity: 1 2",
                                         "gravity: '1'",
                                         "gravity: -",
                                         "gravity: 1,5",
                                         "gravity: 1e",
                                         "gravity: ~",
                                         "seed: -1",
                                         "seed: 1.0",
                                         "seed: 1e3",
                                         "seed: 18446744073709551616",
                                         "dust: yes",
                                         "dust: 'true'",
                                         "dust: 1",
                                         "start_utc: 2027",
                                         "start_utc: 2027-02-29",
                                         "start_utc: 2027-01-01T24:00",
                                         "start_utc: 2027-01-01T00:60",
                                         "start_utc: 2027-01-01T00:00:60",
                                         "start_utc: 2027-13-01",
                                         "start_utc: 2027-01-01T00:00:00.",
                                         "start_utc: 2027-01-01T00",
                                         "start_utc: 1959-12-31",
                                         "start_utc: 2027-01-01Z" };
    static const char *const right[] = { "gravity: 1e1",
                                         "gravity: .5",
                                         "gravity: +1.",
                                         "seed: +7",
                                         "seed: 007",
                                         "dust: false",
                                         "start_utc: 2028-02-29",
                                         "start_utc: 2027-01-01T23:59:59.123456789Z",
                                         "start_utc: \"2027-01-01 00:00\"" };
    world w;
    tyi_arena memory;
    ty_diag diag;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        cr_expect(load(wrong[i], NULL, 0, &w, &memory, &diag) != TY_OK, "taken: %s", wrong[i]);
        tyi_arena_free(&memory);
    }
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        cr_expect(load(right[i], NULL, 0, &w, &memory, &diag) == TY_OK, "%s", diag.text);
        tyi_arena_free(&memory);
    }
}

TY_TEST(document, nearest_name)
{
    static const char *const names[] = { "resolution", "extent", "relief", "rocks", "seed", "lat_deg" };
    static const char *const pairs[][2] = { { "relif", "relief" }, { "erlief", "relief" },
                                            { "Seed", "seed" },    { "rock", "rocks" },
                                            { "lat", "lat_deg" },  { "resolutoin", "resolution" } };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const char *got = tyi_io_nearest(pairs[i][0], names, 6);
        cr_expect(got && !strcmp(got, pairs[i][1]), "%s: %s", pairs[i][0], got ? got : "none");
    }
    TY_CHECK(!tyi_io_nearest("temperature", names, 6) && !tyi_io_nearest("x", names, 6)); /* control: none is near */
}

/* Every scalar stands where libyaml's own document loader, a reader we did not write, puts it. */
TY_TEST(document, marks_agree_with_libyaml)
{
    yaml_parser_t parser;
    yaml_document_t document;
    yaml_parser_initialize(&parser);
    yaml_parser_set_input_string(&parser, (const unsigned char *)full, strlen(full));
    cr_assert(yaml_parser_load(&parser, &document));
    tyi_io_doc doc;
    cr_assert(tyi_io_doc_parse(&doc, "w.yaml", full, strlen(full), NULL, NULL) == TY_OK);
    /* both trees in the same order, from the top, by index path */
    struct {
        int theirs;
        const tyi_io_node *ours;
    } stack[200];
    int depth = 0, scalars = 0;
    stack[depth].theirs = 1;
    stack[depth++].ours = doc.root;
    while (depth > 0) {
        const tyi_io_node *ours = stack[--depth].ours;
        const yaml_node_t *theirs = yaml_document_get_node(&document, stack[depth].theirs);
        TY_CHECK(ours->line == (int)theirs->start_mark.line + 1 && ours->column == (int)theirs->start_mark.column + 1);
        if (theirs->type == YAML_SCALAR_NODE) {
            TY_CHECK(ours->type == TYI_IO_SCALAR && !strcmp(ours->text, (const char *)theirs->data.scalar.value));
            scalars++;
        } else if (theirs->type == YAML_SEQUENCE_NODE) {
            TY_CHECK((int)ours->count == theirs->data.sequence.items.top - theirs->data.sequence.items.start);
            const tyi_io_item *item = ours->items;
            for (const int *i = theirs->data.sequence.items.start; i < theirs->data.sequence.items.top;
                 i++, item = item->next) {
                stack[depth].theirs = *i;
                stack[depth++].ours = item->value;
            }
        } else {
            TY_CHECK((int)ours->count == theirs->data.mapping.pairs.top - theirs->data.mapping.pairs.start);
            const tyi_io_item *item = ours->items;
            for (const yaml_node_pair_t *p = theirs->data.mapping.pairs.start; p < theirs->data.mapping.pairs.top;
                 p++, item = item->next) {
                stack[depth].theirs = p->key;
                stack[depth++].ours = item->key;
                stack[depth].theirs = p->value;
                stack[depth++].ours = item->value;
            }
        }
    }
    TY_CHECK(scalars == 46); /* counted by hand, the alias twice */
    tyi_io_doc_free(&doc);
    yaml_document_delete(&document);
    yaml_parser_delete(&parser);
}

TY_TEST(document, bounds)
{
    enum { N = 2000000 };
    static char text[N + 64];
    ty_diag diag;
    tyi_io_doc doc;
    struct {
        const char *start, *repeat, *says;
    } cases[] = {
        { "a: ", "[", "nested more than 32 deep" },
        { "a: ", "{a: ", "nested more than 32 deep" },
        { "", "- ", "nested more than 32 deep" },
        { "a: &a [x, x]\nb:\n", "- &c x\n", "more than 100 anchors" },
        { "a:\n", "- \n", "" },
        { "%YAML 1.1\n%TAG !a! b\n", "%TAG !a! b\n", "%TAG" },
        { "a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c "
          "[*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n"
          "d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [",
          /* nine of *e (111111 each) fit beside the list itself, the tenth does not */
          "*e,", "w.yaml:6:32: the file holds more than 1000000 values" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t length = strlen(strcpy(text, cases[i].start)), n = strlen(cases[i].repeat);
        for (; length + n < N; length += n) {
            memcpy(text + length, cases[i].repeat, n);
        }
        diag = (ty_diag){ 0 };
        ty_status status = tyi_io_doc_parse(&doc, "w.yaml", text, length, NULL, &diag);
        tyi_io_doc_free(&doc);
        cr_expect((status == TY_OK) == !cases[i].says[0] && strstr(diag.text, cases[i].says), "%zu: %s", i, diag.text);
    }
}

static ty_status read_path(const char *path, ty_diag *diag)
{
    tyi_io_doc doc;
    *diag = (ty_diag){ 0 };
    ty_status status = tyi_io_doc_read(&doc, path, NULL, diag);
    tyi_io_doc_free(&doc);
    return status;
}

TY_TEST(document, files_that_cannot_be_read)
{
    char folder[] = "/tmp/tycho-doc-XXXXXX", path[64];
    ty_diag diag;
    cr_assert(mkdtemp(folder) != NULL);
    TY_CHECK(read_path(folder, &diag) == TY_ERR_FILE && strstr(diag.text, "is a folder, but a file is expected"));
    snprintf(path, sizeof path, "%s/a.yaml", folder);
    TY_CHECK(read_path(path, &diag) == TY_ERR_FILE && strstr(diag.text, "there is no such file"));
    TY_CHECK(read_path("/dev/zero", &diag) == TY_ERR_FILE && strstr(diag.text, "is a device"));
    /* a pipe that nobody writes to does not hang */
    cr_assert(mkfifo(path, 0600) == 0);
    TY_CHECK(read_path(path, &diag) == TY_ERR_FORMAT && strstr(diag.text, "is empty"));
    unlink(path);
    FILE *file = fopen(path, "w");
    fputs("gravity: 1\n", file);
    fclose(file);
    TY_CHECK(read_path(path, &diag) == TY_OK); /* control */
    chmod(path, 0);
    bool root = geteuid() == 0;
    cr_assert(!root || (chmod(folder, 0755) == 0 && seteuid(65534) == 0)); /* root may read anything */
    TY_CHECK(read_path(path, &diag) == TY_ERR_FILE && strstr(diag.text, "permission is denied"));
    cr_assert(!root || seteuid(0) == 0);
    chmod(path, 0600);
    cr_assert(truncate(path, (off_t)TYI_IO_DOC_BYTES + 1) == 0);
    TY_CHECK(read_path(path, &diag) == TY_ERR_FILE && strstr(diag.text, "is larger than 16384 KiB"));
    unlink(path);
    rmdir(folder);
}

TY_TEST(document, reference_names_every_key_with_its_default)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    TY_CHECK(tyi_io_doc_print(out, &schema, &defaults, NULL) == TY_OK);
    fclose(out);
    static const char *const lines[] = {
        "| `gravity` | a number from 0 to 30 m/s^2 | 1.62 | acceleration |\n",
        "| `rovers` | a list of 0 to 3 mappings | none | The rovers |\n",
        "## `rovers.i.wheels.i`\nIts wheels.\n",
        "| `width` | a number from 0.01 to 1 m, below `radius` | 0.1 | of the rim |\n",
        "| `name` | text of at most 7 bytes on one line | needed | of the rover |\n",
        "## `soil`\nThe ground.\n\n| key | takes | default | meaning |\n",
        "| `model` | one of rigid, bekker | rigid |",
        "| `model` | one of rigid, bekker | needed |",
        "| `stiffness` | a number from 1 to 1000000000 N/m | 70000 |", /* the default soil */
        "| `stiffness` | a number from 1 to 1000000000 N/m | 50000 |", /* a rover's */
        "## `soil` with model: bekker\nGround that gives way.\n",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        cr_expect(strstr(text, lines[i]) != NULL, "not in the page: %s", lines[i]);
    }
    TY_CHECK(!strstr(text, "| `gravity` | a number from 0 to 30 m/s^2 | 1.63 |")); /* control */
    free(text);
}
