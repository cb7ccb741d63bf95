/* Every loader reads what it read before in a program whose locale has decimal commas. */
#include <dirent.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "core/core.h"
#include "tycho/tools/check.h"
#include "tyt.h"

/* what `tycho check` says of a file, with points for commas, as numbers are printed by the program's locale */
static char *told(const char *path)
{
    char *text = NULL;
    size_t size = 0;
    ty_diag diag = { 0 };
    FILE *out = open_memstream(&text, &size);
    ty_status status = ty_check_file(path, NULL, 0, out, &diag);
    fclose(out);
    cr_assert(status == TY_OK, "%s", diag.text);
    for (char *c = text; *c; c++) {
        *c = *c == ',' ? '.' : *c;
    }
    return text;
}

/* German numbers for this process; false where there is no way to them */
static bool german(void)
{
    char folder[] = "/tmp/tyt_locale_XXXXXX", command[256];
    if (!mkdtemp(folder)) {
        return false;
    }
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1", folder);
    int made = system(command);
    (void)made; /* warnings have exit codes, too: what counts is whether it can be set */
    setenv("LOCPATH", folder, 1);
    bool is = setlocale(LC_ALL, "de_DE.UTF-8") != NULL;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    made = system(command);
    return is;
}

TY_TEST(locale, files_are_read_as_before, .timeout = 60)
{
    static const char *const folders[] = { "models/sensors", "models/soils", "datasets", "scenarios" };
    const char *source = getenv("TYCHO_SOURCE");
    char path[64][700], *before[64];
    int n = 0;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char folder[400];
        snprintf(folder, sizeof folder, "%s/%s", source ? source : ".", folders[i]);
        DIR *d = opendir(folder);
        cr_assert(d, "%s", folder);
        for (struct dirent *e; n < 64 && (e = readdir(d)) != NULL;) {
            const char *dot = strrchr(e->d_name, '.');
            bool table = dot && !strcmp(dot, ".csv"),
                 keys = dot && !strcmp(dot, ".yaml") && strcmp(folders[i], "scenarios");
            if (table || keys) {
                snprintf(path[n++], sizeof path[0], "%s/%s", folder, e->d_name);
            }
        }
        closedir(d);
    }
    cr_assert(n >= 20, "%d files", n);
    for (int i = 0; i < n; i++) {
        before[i] = told(path[i]);
    }
    bool is = german();
    if (is) {
        TY_CHECK(strtod("0.5", NULL) == 0.0); /* control: the C library itself stops at the point */
        char *end;
        TY_CHECK(tyi_number("0.5;", &end) == 0.5 && *end == ';');
    }
    for (int i = 0; i < n; i++) {
        if (is) {
            char *now = told(path[i]);
            cr_expect(!strcmp(now, before[i]), "%s:\n%s\nbefore:\n%s", path[i], now, before[i]);
            free(now);
        }
        free(before[i]);
    }
    if (!is) {
        cr_skip("localedef makes no de_DE.UTF-8 here");
    }
}
