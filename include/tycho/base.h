/* include/tycho/base.h - what every module needs: status, diagnostics, memory, progress.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_BASE_H
#define TYCHO_BASE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define TY_BEGIN_DECLS extern "C" {
#define TY_END_DECLS   }
#else
#define TY_BEGIN_DECLS
#define TY_END_DECLS
#endif
#define TY_API __attribute__((visibility("default")))
#if defined(__GNUC__)
#define TY_PRINTF(at, first) __attribute__((format(printf, at, first)))
#else
#define TY_PRINTF(at, first)
#endif

TY_BEGIN_DECLS

/* Every status, its name and its text, once. */
#define TY_STATUS_LIST(X)                                             \
    X(TY_OK, "ok")                                                    \
    X(TY_ERR_DEF, "definition not started from its default function") \
    X(TY_ERR_RANGE, "value out of range")                             \
    X(TY_ERR_MEMORY, "out of memory")                                 \
    X(TY_ERR_FILE, "file cannot be read or written")                  \
    X(TY_ERR_FORMAT, "content is not what the format allows")         \
    X(TY_ERR_INPUT, "wrong input")                                    \
    X(TY_ERR_DEVICE, "compute device failed")                         \
    X(TY_ERR_NUMERIC, "result is not finite")                         \
    X(TY_ERR_CANCELLED, "stopped on request")

typedef enum ty_status {
#define TY_STATUS_ENUM(name, text) name,
    TY_STATUS_LIST(TY_STATUS_ENUM)
#undef TY_STATUS_ENUM
        TY_STATUS_COUNT
} ty_status;

TY_API const char *ty_status_name(ty_status status); /* "TY_ERR_RANGE" */
TY_API const char *ty_status_text(ty_status status); /* "value out of range" */

/* Where a failing call leaves its one sentence. Owned by the caller; may be NULL everywhere. */
typedef struct ty_diag {
    ty_status status;
    char text[1024]; /* complete sentence: file, line, key, value and what is accepted, as far as they apply */
} ty_diag;

/* Fills diag (if any) with the sentence and returns status, so that callers can `return ty_fail(...)`.
 * The first failure is kept: a later call on a diag that already holds one changes nothing. */
TY_API ty_status ty_fail(ty_diag *diag, ty_status status, const char *format, ...) TY_PRINTF(3, 4);

/* Allocator told the size on both ends. get returns NULL when there is no memory. */
typedef struct ty_alloc {
    void *(*get)(size_t bytes, void *user);
    void (*put)(void *memory, size_t bytes, void *user); /* memory may be NULL */
    void *user;
} ty_alloc;

TY_API const ty_alloc *ty_alloc_heap(void); /* malloc and free; what NULL stands for in definitions */

/* Called by long work, from one thread at a time; done of total, in the unit named by what.
 * Returning false asks the work to stop with TY_ERR_CANCELLED. */
typedef struct ty_progress {
    bool (*report)(void *user, const char *what, double done, double total);
    void *user;
} ty_progress;

/* Parameters by name, as a file or a command line gives them. */
typedef struct ty_setting {
    char key[32];
    char value[96];
} ty_setting;
typedef struct ty_settings {
    ty_setting *item;
    size_t count;
} ty_settings;

TY_API const char *ty_version(void);
/* The libraries that results may depend on and the compiler, with their versions: "MuJoCo 2.2.2, ..., GNU 12.2.0". */
TY_API const char *ty_built_with(void);

#define TY_PATH_MAX 4096 /* bytes of a path in a definition */

TY_END_DECLS
#endif
