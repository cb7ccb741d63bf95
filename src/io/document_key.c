/* src/io/document_key.c - a schema's keys in words: what one takes, and which is nearest to a misspelt one.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <stdarg.h>
#include <string.h>
#include "document.h"

double tyi_io_key_scale(const tyi_io_key *key)
{
    return key->scale == 0.0 ? 1.0 : key->scale;
}

const char *tyi_io_key_unit(const tyi_io_key *key, const tyi_rules *rules)
{
    const tyi_limit *limit = tyi_rules_limit(rules, key->offset);
    return key->unit ? key->unit : limit ? limit->unit : "";
}

void tyi_io_say(char *out, size_t size, const char *format, ...)
{
    size_t used = strnlen(out, size);
    if (used + 1 < size) {
        va_list args;
        va_start(args, format);
        vsnprintf(out + used, size - used, format, args);
        va_end(args);
    }
}

void tyi_io_say_value(char *out, size_t size, const tyi_limit *limit, double value)
{
    if (limit && limit->type == TYI_UINT64 && value >= 0x1p64) {
        tyi_io_say(out, size, "18446744073709551615");
    } else {
        tyi_io_say(out, size, "%.10g", value);
    }
}

static void say_range(char *out, size_t size, const tyi_io_key *key, const tyi_rules *rules)
{
    const tyi_limit *limit = tyi_rules_limit(rules, key->offset);
    TY_ASSERT(limit); /* every number has a range */
    const char *unit = tyi_io_key_unit(key, rules), *what = key->kind == TYI_IO_INTEGER ? "an integer" : "a number";
    double scale = tyi_io_key_scale(key);
    if (limit->low == limit->high) {
        tyi_io_say(out, size, "the number %.10g", limit->low / scale);
    } else {
        tyi_io_say(out, size, "%s from %.10g to ", what, limit->low / scale);
        tyi_io_say_value(out, size, limit, limit->high / scale);
    }
    tyi_io_say(out, size, "%s%s", unit[0] ? " " : "", unit);
}

static void say_list(char *out, size_t size, const tyi_io_list *list)
{
    if (list->least == list->most) {
        tyi_io_say(out, size, "a list of %zu, each ", list->most);
    } else {
        tyi_io_say(out, size, "a list of %zu to %zu, each ", list->least, list->most);
    }
    tyi_io_key_takes(list->element, list->rules, out + strlen(out), size - strlen(out));
}

const char *tyi_io_key_takes(const tyi_io_key *key, const tyi_rules *rules, char *out, size_t size)
{
    out[0] = '\0';
    switch (key->kind) {
    case TYI_IO_NUMBER:
    case TYI_IO_INTEGER:
        say_range(out, size, key, rules);
        break;
    case TYI_IO_BOOLEAN:
        tyi_io_say(out, size, "true or false");
        break;
    case TYI_IO_TEXT:
        tyi_io_say(out, size, "text of at most %zu bytes on one line", key->size - 1);
        break;
    case TYI_IO_CHOICE:
        tyi_io_say(out, size, "one of");
        for (int i = 0; key->choices[i]; i++) {
            tyi_io_say(out, size, "%s %s", i ? "," : "", key->choices[i]);
        }
        break;
    case TYI_IO_UTC:
        tyi_io_say(out, size, "a UTC time from 1960 to 2099, such as 2027-03-20 or 2027-03-20T18:30:05.25");
        break;
    case TYI_IO_LIST:
        say_list(out, size, key->list);
        break;
    case TYI_IO_MAPPING:
        tyi_io_say(out, size, "a mapping with ");
        tyi_io_keys_list(key->schema->keys, out, size);
        break;
    case TYI_IO_UNION:
        tyi_io_say(out, size, "a mapping with %s (one of", key->tag);
        for (const tyi_io_variant *v = key->variants; v->name; v++) {
            tyi_io_say(out, size, "%s %s", v == key->variants ? "" : ",", v->name);
        }
        tyi_io_say(out, size, ") and its keys");
        break;
    case TYI_IO_PAIRS:
        tyi_io_say(out, size, "a mapping of names to values");
        break;
    }
    return out;
}

void tyi_io_keys_list(const tyi_io_key *keys, char *out, size_t size)
{
    for (const tyi_io_key *k = keys; k->name; k++) {
        tyi_io_say(out, size, "%s%s", k == keys ? "" : ", ", k->name);
    }
}

/* Number of letters to insert, delete, replace or swap with their neighbour until a is b (at most
 * one change touches a pair: optimal string alignment); upper case counts as lower case. Both
 * shorter than 64. */
static int distance(const char *a, const char *b)
{
    int row[3][65]; /* row[i % 3][j]: the first i letters of a against the first j of b */
    int la = (int)strlen(a), lb = (int)strlen(b);
    for (int i = 0; i <= la; i++) {
        int *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= lb; j++) {
            if (i == 0) {
                now[j] = j;
                continue;
            }
            int same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
            int best = last[j - 1] + !same;
            best = last[j] + 1 < best ? last[j] + 1 : best;
            best = now[j - 1] + 1 < best ? now[j - 1] + 1 : best;
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            now[j] = swapped && before[j - 2] + 1 < best ? before[j - 2] + 1 : best;
        }
    }
    return row[la % 3][lb];
}

/* a name cut short, or with something added */
static bool begins(const char *a, const char *b)
{
    size_t la = strlen(a), lb = strlen(b), n = la < lb ? la : lb;
    return n >= 3 && !strncasecmp(a, b, n);
}

const char *tyi_io_nearest(const char *name, const char *const *names, size_t count)
{
    const char *nearest = NULL;
    size_t length = strlen(name);
    int least = (int)(length < 6 ? 1 : length / 3); /* farther ones would only puzzle */
    for (size_t i = 0; i < count && length < 64; i++) {
        int d = begins(name, names[i]) ? 1 : distance(name, names[i]);
        if (d < least || (d == least && !nearest)) {
            least = d;
            nearest = names[i];
        }
    }
    return nearest;
}
