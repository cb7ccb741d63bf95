/* The device module: the OpenCL back end where there is one, the null device everywhere.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>
#include <stdlib.h>
#include "tyt.h"
#include "tycho/device.h"
#include "device/device.h"
#include "k_philox.h"

static ty_device *open_any(void)
{
    ty_diag diag = { 0 };
    ty_device_def def = ty_device_def_default();
    def.name = getenv("TYCHO_DEVICE");
    ty_device *device = NULL;
    if (ty_device_create(&def, &device, &diag) != TY_OK) {
        cr_skip("%s", diag.text);
    }
    return device;
}

static const char *philox_source = "#include \"k_philox.h\"\n"
                                   "__kernel void words(__global uint *out, uint key)\n"
                                   "{\n"
                                   "    uint i = (uint)get_global_id(0);\n"
                                   "    ty_k_u32x4 r = ty_k_philox(i, 1, 2, 3, key, 5);\n"
                                   "    for (int k = 0; k < 4; k++) { out[4 * i + k] = r.v[k]; }\n"
                                   "}\n";

TY_TEST(device, random_words_are_the_same_bits)
{
    enum { N = 5000 };
    static ty_u32 got[4 * N];
    ty_diag diag = { 0 };
    ty_device *device = open_any();
    ty_device_program *program;
    ty_device_buffer *out;
    double seconds = -1.0;
    cr_assert(ty_device_build(device, philox_source, TY_FLOAT, NULL, &program, &diag) == TY_OK, "%s", diag.text);
    cr_assert(ty_device_buffer_create(device, sizeof got, NULL, &out, &diag) == TY_OK, "%s", diag.text);
    TY_CHECK(ty_device_buffer_bytes(out) == sizeof got);
    ty_u32 key = 77;
    ty_device_arg args[] = { ty_device_arg_buffer(out), ty_device_arg_value(&key, sizeof key) };
    ty_device_job job = { .kernel = "words", .global = { N }, .args = args, .arg_count = 2 };
    cr_assert(ty_device_run(program, &job, &seconds, &diag) == TY_OK, "%s", diag.text);
    TY_CHECK(seconds > 0.0 && seconds < 10.0);
    TY_CHECK(ty_device_read(out, 0, sizeof got, got, &diag) == TY_OK);
    int different = 0, control = 0;
    for (ty_u32 i = 0; i < N; i++) {
        for (int k = 0; k < 4; k++) {
            different += got[4 * i + k] != ty_k_philox(i, 1, 2, 3, 77, 5).v[k];
            control += got[4 * i + k] != ty_k_philox(i, 1, 2, 3, 78, 5).v[k];
        }
    }
    TY_CHECK(different == 0);
    TY_CHECK(control > 4 * N - 5); /* another key: nearly all words differ */
    ty_device_buffer_destroy(out);
    ty_device_program_destroy(program);
    ty_device_destroy(device);
}

/* ---- opened several times ---- */

typedef struct opener {
    ty_u32 key;
    int different; /* words that are not the host's */
    ty_diag diag;
} opener;

/* opens, builds, runs several times and closes, while others do the same with another key */
static void *open_and_run(void *user)
{
    enum { N = 1000 };
    opener *o = user;
    ty_u32 *got = malloc(16 * N);
    for (int round = 0; round < 3 && o->diag.status == TY_OK; round++) {
        ty_device_def def = ty_device_def_default();
        def.name = getenv("TYCHO_DEVICE");
        ty_device *device = NULL;
        ty_device_program *program = NULL;
        ty_device_buffer *out = NULL;
        if (ty_device_create(&def, &device, &o->diag) == TY_OK &&
            ty_device_build(device, philox_source, TY_FLOAT, NULL, &program, &o->diag) == TY_OK) {
            ty_device_buffer_create(device, 16 * N, NULL, &out, &o->diag);
        }
        for (int k = 0; k < 20 && o->diag.status == TY_OK; k++) {
            ty_device_arg args[] = { ty_device_arg_buffer(out), ty_device_arg_value(&o->key, sizeof o->key) };
            ty_device_job job = { .kernel = "words", .global = { N }, .args = args, .arg_count = 2 };
            ty_device_run(program, &job, NULL, &o->diag);
            ty_device_read(out, 0, 16 * N, got, &o->diag);
            for (ty_u32 i = 0; i < 4 * N; i++) {
                o->different += got[i] != ty_k_philox(i / 4, 1, 2, 3, o->key, 5).v[i % 4];
            }
        }
        ty_device_buffer_destroy(out);
        ty_device_program_destroy(program);
        ty_device_destroy(device);
    }
    free(got);
    return NULL;
}

TY_TEST(device, opened_by_many_threads)
{
    enum { THREADS = 4 };
    pthread_t thread[THREADS];
    opener o[THREADS] = { 0 };
    ty_device_destroy(open_any()); /* or skip */
    for (ty_u32 i = 0; i < THREADS; i++) {
        o[i].key = 70 + i;
        cr_assert(pthread_create(&thread[i], NULL, open_and_run, &o[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        TY_CHECK(o[i].diag.status == TY_OK);
        TY_CHECK(o[i].different == 0);
    }
}

/* the first opener's end, and a text that cannot be built, leave the second's program as it is; options tell programs apart */
TY_TEST(device, one_text_two_openers)
{
    static const char *source = "__kernel void tell(__global int *out) { out[get_global_id(0)] = VALUE; }\n";
    ty_diag diag = { 0 };
    ty_device *device[2] = { open_any(), open_any() };
    ty_device_program *program[3], *none;
    ty_device_buffer *out;
    int got = 0;
    cr_assert(ty_device_build(device[0], source, TY_FLOAT, "-DVALUE=3", &program[0], &diag) == TY_OK, "%s", diag.text);
    cr_assert(ty_device_build(device[1], source, TY_FLOAT, "-DVALUE=3", &program[1], &diag) == TY_OK, "%s", diag.text);
    cr_assert(ty_device_build(device[1], source, TY_FLOAT, "-DVALUE=4", &program[2], &diag) == TY_OK, "%s", diag.text);
    TY_CHECK(ty_device_build(device[1], source, TY_FLOAT, NULL, &none, &diag) == TY_ERR_DEVICE && !none);
    diag = (ty_diag){ 0 };
    ty_device_program_destroy(program[0]);
    ty_device_destroy(device[0]);
    cr_assert(ty_device_buffer_create(device[1], sizeof got, NULL, &out, &diag) == TY_OK, "%s", diag.text);
    for (int i = 1; i < 3; i++) {
        ty_device_arg args[] = { ty_device_arg_buffer(out) };
        ty_device_job job = { .kernel = "tell", .global = { 1 }, .args = args, .arg_count = 1 };
        TY_CHECK(ty_device_run(program[i], &job, NULL, &diag) == TY_OK);
        TY_CHECK(ty_device_read(out, 0, sizeof got, &got, &diag) == TY_OK);
        TY_CHECK(got == i + 2);
        ty_device_program_destroy(program[i]);
    }
    ty_device_buffer_destroy(out);
    ty_device_destroy(device[1]);
}

/* Two dimensions, groups and local memory: every group of 4 x 2 sums its own items. */
TY_TEST(device, two_dimensions_with_groups)
{
    static const char *source = "__kernel void group_sum(__global int *out, __local int *part)\n"
                                "{\n"
                                "    int l = (int)(get_local_id(1) * get_local_size(0) + get_local_id(0));\n"
                                "    part[l] = (int)(get_global_id(1) * 100 + get_global_id(0));\n"
                                "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                                "    int sum = 0;\n"
                                "    for (int k = 0; k < 8; k++) { sum += part[k]; }\n"
                                "    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = sum;\n"
                                "}\n";
    ty_diag diag = { 0 };
    ty_device *device = open_any();
    ty_device_program *program;
    ty_device_buffer *out;
    int got[6][12];
    cr_assert(ty_device_build(device, source, TY_FLOAT, "-DUNUSED=1", &program, &diag) == TY_OK, "%s", diag.text);
    cr_assert(ty_device_buffer_create(device, sizeof got, NULL, &out, &diag) == TY_OK, "%s", diag.text);
    ty_device_arg args[] = { ty_device_arg_buffer(out), ty_device_arg_local(8 * sizeof(int)) };
    ty_device_job job = { "group_sum", { 12, 6 }, { 4, 2 }, args, 2 };
    TY_CHECK(ty_device_run(program, &job, NULL, &diag) == TY_OK);
    TY_CHECK(ty_device_finish(device, &diag) == TY_OK);
    TY_CHECK(ty_device_read(out, 0, sizeof got, got, &diag) == TY_OK);
    for (int j = 0; j < 6; j++) {
        for (int i = 0; i < 12; i++) {
            int x = i / 4 * 4, y = j / 2 * 2; /* sum over x..x+3, y..y+1 of 100 y + x */
            TY_CHECK(got[j][i] == 8 * (100 * y + x) + 4 * 100 + 2 * (0 + 1 + 2 + 3));
        }
    }
    job.local[0] = 5; /* does not divide 12 */
    TY_CHECK(ty_device_run(program, &job, NULL, &diag) == TY_ERR_RANGE && strstr(diag.text, "12 items"));
    ty_device_buffer_destroy(out);
    ty_device_program_destroy(program);
    ty_device_destroy(device);
}

TY_TEST(device, buffers_keep_what_is_written)
{
    ty_diag diag = { 0 };
    ty_device *device = open_any();
    ty_device_buffer *buffer;
    const int start[4] = { 1, 2, 3, 4 };
    int got[4] = { 0 };
    cr_assert(ty_device_buffer_create(device, sizeof start, start, &buffer, &diag) == TY_OK, "%s", diag.text);
    TY_CHECK(ty_device_write(buffer, 4, 8, (int[]){ 20, 30 }, &diag) == TY_OK);
    TY_CHECK(ty_device_read(buffer, 0, sizeof got, got, &diag) == TY_OK);
    TY_CHECK(got[0] == 1 && got[1] == 20 && got[2] == 30 && got[3] == 4);
    TY_CHECK(ty_device_read(buffer, 16, 0, got, &diag) == TY_OK); /* nothing, at the very end */
    TY_CHECK(ty_device_read(buffer, 12, 8, got, &diag) == TY_ERR_RANGE && strstr(diag.text, "has 16"));
    diag = (ty_diag){ 0 };
    TY_CHECK(ty_device_write(buffer, (size_t)-4, 8, got, &diag) == TY_ERR_RANGE); /* no wrap-around */
    ty_device_buffer_destroy(buffer);
    TY_CHECK(ty_device_buffer_create(device, 0, NULL, &buffer, &diag) == TY_ERR_RANGE && !buffer);
    TY_CHECK(ty_device_buffer_create(device, (size_t)1 << 62, NULL, &buffer, &diag) == TY_ERR_RANGE);
    ty_device_destroy(device);
}

/* Pinned memory that grows, or is given back, while it is being sent: all of it arrives, by whichever queue. */
TY_TEST(device, pinned_memory_stays_until_it_is_sent)
{
    enum { BYTES = 1 << 27, LANES = 2 };
    ty_diag diag = { 0 };
    ty_device *device = open_any();
    uint8_t *got = malloc(BYTES);
    cr_assert(got != NULL);
    for (int k = 0; k < 2 * LANES; k++) {
        ty_device_buffer *buffer;
        tyi_device_pinned memory = { 0 };
        cr_assert(tyi_device_lane(device, k % LANES, &diag) == TY_OK, "%s", diag.text);
        cr_assert(ty_device_buffer_create(device, BYTES, NULL, &buffer, &diag) == TY_OK, "%s", diag.text);
        cr_assert(tyi_device_pin(device, BYTES, &memory, &diag) == TY_OK, "%s", diag.text);
        memset(memory.data, 1 + k, BYTES);
        TY_CHECK(tyi_device_send(buffer, 0, BYTES, memory.data, &diag) == TY_OK);
        if (k < LANES) {
            TY_CHECK(tyi_device_pin(device, 2 * (size_t)BYTES, &memory, &diag) == TY_OK);
            memset(memory.data, 0, BYTES);
        }
        tyi_device_unpin(&memory);
        TY_CHECK(ty_device_read(buffer, 0, BYTES, got, &diag) == TY_OK);
        size_t lost = 0;
        for (size_t i = 0; i < BYTES; i++) {
            lost += got[i] != 1 + k;
        }
        TY_CHECK(lost == 0);
        ty_device_buffer_destroy(buffer);
    }
    free(got);
    ty_device_destroy(device);
}

/* Every failure is a sentence that says what is wrong. */
TY_TEST(device, failures_are_sentences)
{
    ty_device *device = open_any();
    ty_device_program *program;
    ty_diag diag = { 0 };
    TY_CHECK(ty_device_build(device, "__kernel void f() { undeclared = 1; }", TY_FLOAT, NULL, &program, &diag) ==
             TY_ERR_DEVICE);
    TY_CHECK(strstr(diag.text, "undeclared") && !strchr(diag.text, '\n') && !program);
    diag = (ty_diag){ 0 };
    TY_CHECK(ty_device_build(device, "\n#include \"k_nothing.h\"\n", TY_FLOAT, NULL, &program, &diag) == TY_ERR_INPUT);
    TY_CHECK(strstr(diag.text, "line 2") && strstr(diag.text, "k_nothing.h"));
    diag = (ty_diag){ 0 };
    cr_assert(ty_device_build(device, philox_source, TY_FLOAT, NULL, &program, &diag) == TY_OK, "%s", diag.text);
    ty_device_job job = { .kernel = "verses", .global = { 1 } };
    TY_CHECK(ty_device_run(program, &job, NULL, &diag) == TY_ERR_DEVICE && strstr(diag.text, "'verses'"));
    diag = (ty_diag){ 0 };
    job.kernel = "words";
    TY_CHECK(ty_device_run(program, &job, NULL, &diag) == TY_ERR_RANGE &&
             strstr(diag.text, "takes 2 arguments, not 0"));
    job.global[0] = 0;
    TY_CHECK(ty_device_run(program, &job, NULL, &diag) == TY_OK); /* no items: nothing to do */
    ty_device_program_destroy(program);
    ty_device_destroy(device);
}

/* A mistake in an included file is reported with that file's name and line. */
TY_TEST(device, messages_keep_file_and_line)
{
    ty_device *device = open_any();
    ty_device_program *program;
    ty_diag diag = { 0 };
    const char *source = "#include \"k_philox.h\"\n#include \"k_base.h\"\nint f(void) { return wrong_here; }\n";
    TY_CHECK(ty_device_build(device, source, TY_FLOAT, NULL, &program, &diag) == TY_ERR_DEVICE);
    cr_expect(strstr(diag.text, "source:3:") != NULL, "%s", diag.text);
    ty_device_destroy(device);
}

TY_TEST(device, chosen_by_index_and_name)
{
    ty_device_info info[64];
    int count = ty_device_list(info, 64);
    if (count == 0) {
        cr_skip("there is no OpenCL device");
    }
    for (int i = 0; i < count && i < 64; i++) {
        ty_diag diag = { 0 };
        ty_device_def def = ty_device_def_default();
        ty_device *device;
        def.index = i;
        def.name = info[i].name;
        cr_assert(ty_device_create(&def, &device, &diag) == TY_OK, "%s", diag.text);
        const ty_device_info *got = ty_device_get_info(device);
        TY_CHECK(!strcmp(got->name, info[i].name) && got->units > 0 && got->memory > 0 && got->max_buffer > 0);
        ty_device_destroy(device);
    }
    ty_diag diag = { 0 };
    ty_device_def def = ty_device_def_default();
    ty_device *device;
    def.name = "no such maker";
    TY_CHECK(ty_device_create(&def, &device, &diag) == TY_ERR_DEVICE && !device);
    TY_CHECK(strstr(diag.text, "no such maker") && strstr(diag.text, info[0].name)); /* names what there is */
    def = ty_device_def_default();
    def.index = count;
    TY_CHECK(ty_device_create(&def, &device, &diag) == TY_ERR_DEVICE);
}

TY_TEST(device, null_device_answers_every_call_with_a_sentence)
{
    ty_device_def def = ty_device_def_default();
    ty_device *device;
    ty_device_program *program;
    ty_device_buffer *buffer;
    def.backend = TY_DEVICE_NULL;
    cr_assert(ty_device_create(&def, &device, NULL) == TY_OK);
    TY_CHECK(!strcmp(ty_device_get_info(device)->name, "null"));
    ty_diag diag[3] = { { 0 } };
    TY_CHECK(ty_device_build(device, "", TY_DOUBLE, NULL, &program, &diag[0]) == TY_ERR_DEVICE && !program);
    TY_CHECK(ty_device_buffer_create(device, 8, NULL, &buffer, &diag[1]) == TY_ERR_DEVICE && !buffer);
    TY_CHECK(ty_device_finish(device, &diag[2]) == TY_ERR_DEVICE);
    for (int i = 0; i < 3; i++) {
        TY_CHECK(strstr(diag[i].text, "null device cannot"));
    }
    ty_device_destroy(device);
    ty_device_destroy(NULL);
    def.cookie = 0;
    TY_CHECK(ty_device_create(&def, &device, NULL) == TY_ERR_DEF && !device);
}

/* an allocator that fails at the n-th call, and counts what is out */
typedef struct failing {
    int left;
    long out;
} failing;

static void *failing_get(size_t bytes, void *user)
{
    failing *f = user;
    if (f->left-- == 0) {
        return NULL;
    }
    f->out += (long)bytes;
    return malloc(bytes);
}

static void failing_put(void *memory, size_t bytes, void *user)
{
    if (memory) {
        ((failing *)user)->out -= (long)bytes;
        free(memory);
    }
}

TY_TEST(device, no_memory_is_reported_and_nothing_leaks)
{
    ty_device_destroy(open_any()); /* skips where there is none */
    ty_status status = TY_ERR_MEMORY;
    int n = 0;
    for (; status == TY_ERR_MEMORY && n < 50; n++) {
        failing f = { .left = n };
        ty_alloc alloc = { failing_get, failing_put, &f };
        ty_device_def def = ty_device_def_default();
        ty_device *device = NULL;
        ty_device_program *program = NULL;
        ty_device_buffer *buffer = NULL;
        def.alloc = &alloc;
        status = ty_device_create(&def, &device, NULL);
        if (status == TY_OK) {
            status = ty_device_build(device, philox_source, TY_FLOAT, NULL, &program, NULL);
        }
        if (status == TY_OK) {
            status = ty_device_buffer_create(device, 64, NULL, &buffer, NULL);
        }
        ty_device_buffer_destroy(buffer);
        ty_device_program_destroy(program);
        ty_device_destroy(device);
        TY_CHECK(f.out == 0);
    }
    TY_CHECK(status == TY_OK && n > 5);
}
