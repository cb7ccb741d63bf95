/* validation/validate_cases.c - rows that the unit tests measure. The test programs that lie beside this one are
 * run, a case at a time on every core, and each case hands over its rows (TY_ROW of tests/support/tyt.h): no check
 * stands twice, and the verdict is that of the case with its controls.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "validate.h"

enum { MOST_CASES = 64, MOST_CORES = 64 };

typedef struct case_run {
    pid_t pid;     /* 0: not started */
    int status;    /* of the ended program */
    char rows[64]; /* file of its rows; empty: there is no such program */
} case_run;

/* the program of a case, beside this one unless --tests says otherwise */
static void program_path(const validate_book *book, const validate_case *one, char *path, size_t size)
{
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(self, '/');
    if (slash) {
        *slash = '\0';
    }
    snprintf(path, size, "%s/test_%s", book->tests ? book->tests : self, one->program);
}

static void start(const validate_book *book, const validate_case *one, case_run *run)
{
    char path[4200], shared[4096], source[4096];
    program_path(book, one, path, sizeof path);
    strcpy(run->rows, "/tmp/tycho-rows-XXXXXX");
    int file = access(path, X_OK) ? -1 : mkstemp(run->rows);
    if (file < 0) {
        run->rows[0] = '\0';
        return;
    }
    close(file);
    if (!realpath(book->shared, shared)) {
        snprintf(shared, sizeof shared, "%s", book->shared);
    }
    const char *root = getenv("TYCHO_SOURCE");
    if (!realpath(root ? root : ".", source)) {
        strcpy(source, ".");
    }
    run->pid = fork();
    if (run->pid == 0) {
        int null = open("/dev/null", O_WRONLY);
        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
        setenv("TYCHO_SHARED", shared, 1);
        setenv("TYCHO_SOURCE", source, 1);
        setenv("TYCHO_ROWS", run->rows, 1);
        execl(path, path, "-j1", "--timeout", "300", "--filter", one->name, (char *)NULL);
        _exit(127);
    }
}

static void wait_for_one(case_run *run, int n)
{
    int status;
    pid_t pid = wait(&status);
    for (int i = 0; i < n; i++) {
        if (run[i].pid == pid) {
            run[i].status = status;
        }
    }
}

/* "suite/case_in_words" as words, for a row without numbers */
static void add_silent(validate_book *book, const validate_case *one, const case_run *run)
{
    char claim[160];
    snprintf(claim, sizeof claim, "%s", one->name);
    for (char *c = claim; *c; c++) {
        *c = *c == '_' ? ' ' : *c == '/' ? ':' : *c;
    }
    bool built = run->rows[0] != '\0', failed = built && run->status != 0;
    validate_add(book, failed ? VALIDATE_MISSED : VALIDATE_ABSENT, claim, "-",
                 failed  ? "the case broke off"
                 : built ? "not run: no data"
                         : "not run: its test program is not built");
}

static void add_rows(validate_book *book, const validate_case *one, const case_run *run)
{
    enum { NAME, FILE_NAME, VERDICT, CLAIM, DATA, ERROR, FIELDS };
    char line[4096], *field[FIELDS], check[512];
    int rows = 0;
    FILE *in = run->rows[0] ? fopen(run->rows, "r") : NULL;
    while (in && fgets(line, sizeof line, in)) {
        int n = 0;
        line[strcspn(line, "\n")] = '\0';
        for (char *rest = line, *part; n < FIELDS && (part = strsep(&rest, "\t")) != NULL;) {
            field[n++] = part;
        }
        if (n < FIELDS) {
            continue;
        }
        snprintf(check, sizeof check, "[test](../%s)", field[FILE_NAME]);
        book->check = check;
        validate_add(book,
                     run->status                      ? VALIDATE_MISSED
                     : !strcmp(field[VERDICT], "met") ? VALIDATE_MET
                                                      : VALIDATE_REPORTED,
                     field[CLAIM], field[DATA], "%s", field[ERROR]);
        book->check = NULL;
        rows++;
    }
    if (in) {
        fclose(in);
        unlink(run->rows);
    }
    if (rows == 0) {
        add_silent(book, one, run);
    }
}

ty_status validate_cases(validate_book *book, const validate_case *cases, const ty_progress *progress)
{
    case_run run[MOST_CASES] = { 0 };
    int n = 0, going = 0;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    cores = cores < 1 ? 1 : cores > MOST_CORES ? MOST_CORES : cores;
    while (n < MOST_CASES && cases[n].program) {
        n++;
    }
    for (int i = 0; i < n; i++) {
        if (going == cores) {
            wait_for_one(run, i);
            going--;
        }
        start(book, &cases[i], &run[i]);
        going += run[i].pid > 0;
        progress->report(progress->user, "checks", book->done++, book->total);
    }
    for (; going > 0; going--) {
        wait_for_one(run, n);
    }
    for (int i = 0; i < n; i++) {
        add_rows(book, &cases[i], &run[i]);
    }
    return TY_OK;
}
