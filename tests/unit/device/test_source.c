/* Kernel files inside the library, and `#include` from them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "core/core.h"
#include "device/source.h"

static int count(const char *text, const char *part)
{
    int n = 0;
    for (; (text = strstr(text, part)) != NULL; text++) {
        n++;
    }
    return n;
}

TY_TEST(source, each_file_is_taken_once)
{
    char *text;
    size_t bytes;
    ty_diag diag = { 0 };
    const char *source = "# include \"k_philox.h\" /* with a remark */\nfirst\n\t#include \"k_base.h\"\nlast";
    cr_assert(tyi_device_source_expand(NULL, source, &text, &bytes, &diag) == TY_OK, "%s", diag.text);
    TY_CHECK(strlen(text) + 1 == bytes);
    TY_CHECK(count(text, "typedef float ty_real") == 1);
    TY_CHECK(count(text, "ty_k_philox(ty_u32 c0") == 1);
    TY_CHECK(count(text, "#include \"") == 0);
    TY_CHECK(count(text, "#include <stdint.h>") == 1); /* the host's own stays */
    TY_CHECK(strstr(text, "#line 2 \"source\"\nfirst\n\nlast\n") != NULL);
    tyi_put(NULL, text, bytes);
}

TY_TEST(source, what_is_no_include_stays)
{
    char *text;
    size_t bytes;
    const char *source = "// #include \"k_base.h\"\n#include_next\n#define INCLUDE \"x\"\n#include \"open\n";
    TY_CHECK(tyi_device_source_expand(NULL, source, &text, &bytes, NULL) == TY_OK);
    TY_CHECK(text && strstr(text, source) != NULL);
    tyi_put(NULL, text, bytes);
    TY_CHECK(tyi_device_source_expand(NULL, "", &text, &bytes, NULL) == TY_OK);
    tyi_put(NULL, text, bytes);
    ty_diag diag = { 0 };
    TY_CHECK(tyi_device_source_expand(NULL, "#include \"\"\n", &text, &bytes, &diag) == TY_ERR_INPUT && !text);
}

/* The library holds the very bytes of kernels/. */
TY_TEST(source, embedded_files_are_those_of_the_tree)
{
    const char *root = getenv("TYCHO_SOURCE");
    int files = 0;
    for (const tyi_device_embedded *file = tyi_device_embedded_files; root && file->name; file++, files++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/kernels/%s", root, file->name);
        FILE *in = fopen(path, "rb");
        cr_assert(in != NULL, "%s cannot be read", path);
        char *bytes = malloc(file->bytes + 1);
        size_t n = fread(bytes, 1, file->bytes + 1, in);
        cr_expect(n == file->bytes && !memcmp(bytes, file->text, n), "%s differs", file->name);
        free(bytes);
        fclose(in);
    }
    TY_CHECK(!root || files >= 2);
}
