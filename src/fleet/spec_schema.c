/* src/fleet/spec_schema.c - every key of a sweep's specification.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "spec.h"

#define IN(field)   offsetof(tyi_fleet_spec, field)
#define VARY(field) offsetof(tyi_fleet_vary, field)
#define GOAL(field) offsetof(tyi_fleet_goal, field)
#define ANY         1e300

/* ---- lists of texts ---- */

static const tyi_io_key word_element = { "text", TYI_IO_TEXT, 0, .text = "a text", .size = TYI_FLEET_TEXT };
#define WORDS(name, counter, least_count, most_count)                 \
    static const tyi_io_list name = { .element = &word_element,       \
                                      .size = sizeof(tyi_fleet_word), \
                                      .count = counter,               \
                                      .least = least_count,           \
                                      .most = most_count };
WORDS(sets, IN(sets), 0, 64)
WORDS(outputs, IN(outputs), 0, 64)
WORDS(keeps, IN(keeps), 0, 64)
WORDS(values, VARY(values), 1, 100000)

/* ---- what varies ---- */

static const tyi_limit vary_limits[] = {
    { "from", "", VARY(from), TYI_DOUBLE, -ANY, ANY },
    { "to", "", VARY(to), TYI_DOUBLE, -ANY, ANY },
    { "middle", "", VARY(middle), TYI_DOUBLE, -ANY, ANY },
    { "spread", "", VARY(spread), TYI_DOUBLE, 0.0, ANY },
    { "low", "", VARY(low), TYI_DOUBLE, -ANY, ANY },
    { "high", "", VARY(high), TYI_DOUBLE, -ANY, ANY },
    { "count", "", VARY(count), TYI_INT, 1.0, TYI_FLEET_MOST },
    { "first", "", VARY(first), TYI_UINT64, 0.0, 0x1p63 },
    { 0 },
};
static const tyi_rules vary_rules = { "vary", vary_limits, NULL };

#define KEY                                                                                                            \
    {                                                                                                                  \
        "key", TYI_IO_TEXT, VARY(key), .text = "the key of the scenario that takes these values, as `--set` names it", \
                                       .required = true, .size = TYI_FLEET_KEY                                         \
    }
#define NUMBER(name, field, words, need)                                  \
    {                                                                     \
        name, TYI_IO_NUMBER, VARY(field), .text = words, .required = need \
    }
#define INTEGER                                                                                                    \
    {                                                                                                              \
        "integer", TYI_IO_BOOLEAN, VARY(integer), .text = "values are rounded, for a key that takes whole numbers" \
    }
#define LOG                                                                                  \
    {                                                                                        \
        "log", TYI_IO_BOOLEAN, VARY(log), .text = "even in the logarithm; both ends above 0" \
    }
#define CUTS                                                                         \
    NUMBER("low", low, "nothing below this; the rest keeps its proportions", false), \
        NUMBER("high", high, "nothing above this", false), INTEGER

static const tyi_io_key list_keys[] = {
    KEY,
    { "values", TYI_IO_LIST, VARY(value), .text = "numbers, words, paths (relative to the scenario)", .required = true,
      .list = &values },
    { 0 },
};
static const tyi_io_key range_keys[] = {
    KEY,
    NUMBER("from", from, "first value", true),
    NUMBER("to", to, "last value", true),
    { "count", TYI_IO_INTEGER, VARY(count),
      .text = "values of a grid, both ends among them; other designs take any between", .required = true },
    LOG,
    INTEGER,
    { 0 },
};
static const tyi_io_key seed_keys[] = {
    KEY,
    { "first", TYI_IO_INTEGER, VARY(first), .text = "the first seed" },
    { "count", TYI_IO_INTEGER, VARY(count), .text = "how many, one after the other", .required = true },
    { 0 },
};
static const tyi_io_key file_keys[] = {
    KEY,
    { "pattern", TYI_IO_TEXT, VARY(pattern),
      .text = "files as a shell finds them (`../models/soils/grc*.yaml`), relative to the scenario, sorted",
      .required = true, .size = TYI_FLEET_TEXT },
    { 0 },
};
static const tyi_io_key uniform_keys[] = {
    KEY, NUMBER("from", from, "least value", true), NUMBER("to", to, "largest value", true), LOG, INTEGER, { 0 },
};
static const tyi_io_key normal_keys[] = {
    KEY, NUMBER("mean", middle, "mean", true), NUMBER("sd", spread, "standard deviation", true), CUTS, { 0 },
};
static const tyi_io_key lognormal_keys[] = {
    KEY,
    NUMBER("median", middle, "median, above 0", true),
    NUMBER("factor", spread, "one standard deviation is this factor, above 1", true),
    CUTS,
    { 0 },
};
static const tyi_io_key triangular_keys[] = {
    KEY,
    NUMBER("from", from, "least value", true),
    NUMBER("mode", middle, "most likely value", true),
    NUMBER("to", to, "largest value", true),
    INTEGER,
    { 0 },
};
#define SCHEMA(name) static const tyi_io_schema name = { name##_keys, &vary_rules, .whole = false };
SCHEMA(list)
SCHEMA(range)
SCHEMA(seed)
SCHEMA(file)
SCHEMA(uniform)
SCHEMA(normal)
SCHEMA(lognormal)
SCHEMA(triangular)
static const tyi_io_variant ways[] = {
    { "list", "the values themselves", &list, NULL },
    { "range", "from one number to another", &range, NULL },
    { "seeds", "whole numbers one after the other", &seed, NULL },
    { "files", "files that a pattern finds", &file, NULL },
    { "uniform", "drawn, all values alike", &uniform, NULL },
    { "normal", "drawn from a normal law", &normal, NULL },
    { "lognormal", "drawn; its logarithm has a normal law", &lognormal, NULL },
    { "triangular", "drawn; likely in the middle, never beyond the ends", &triangular, NULL },
    { 0 },
};
static void vary_init(void *element)
{
    *(tyi_fleet_vary *)element = (tyi_fleet_vary){ .as = -1, .low = -ANY, .high = ANY, .count = 1, .first = 1 };
}
static const tyi_io_key vary_element = { "vary",
                                         TYI_IO_UNION,
                                         0,
                                         .text = "a key and its values",
                                         .size = sizeof(tyi_fleet_vary),
                                         .tag = "as",
                                         .variants = ways,
                                         .tag_offset = VARY(as) };
static const tyi_io_list varies = { .element = &vary_element,
                                    .size = sizeof(tyi_fleet_vary),
                                    .count = IN(varies),
                                    .least = 1,
                                    .most = TYI_FLEET_DIMENSIONS,
                                    .init = vary_init };

/* ---- success ---- */

static const tyi_limit goal_limits[] = {
    { "least", "", GOAL(least), TYI_DOUBLE, -ANY, ANY },
    { "most", "", GOAL(most), TYI_DOUBLE, -ANY, ANY },
    { 0 },
};
static const tyi_rules goal_rules = { "success", goal_limits, NULL };
static const tyi_io_key goal_keys[] = {
    { "key", TYI_IO_TEXT, GOAL(key), .text = "of the run's summary.json: `rovers.0.way_m`", .required = true,
      .size = TYI_FLEET_KEY },
    { "least", TYI_IO_NUMBER, GOAL(least), .text = "it is at least this" },
    { "most", TYI_IO_NUMBER, GOAL(most), .text = "it is at most this" },
    { "is", TYI_IO_TEXT, GOAL(is), .text = "it is this text", .size = TYI_FLEET_TEXT },
    { 0 },
};
static const tyi_io_schema goal = { goal_keys, &goal_rules, .whole = false };
static void goal_init(void *element)
{
    *(tyi_fleet_goal *)element = (tyi_fleet_goal){ .least = -ANY, .most = ANY };
}
static const tyi_io_key goal_element = { "success", TYI_IO_MAPPING, 0, .text = "a condition", .schema = &goal };
static const tyi_io_list goals = { .element = &goal_element,
                                   .size = sizeof(tyi_fleet_goal),
                                   .count = IN(goals),
                                   .least = 0,
                                   .most = 32,
                                   .init = goal_init };

/* ---- the whole ---- */

static const tyi_limit limits[] = {
    { "version", "", IN(version), TYI_INT, 1.0, 1.0 },
    { "seed", "", IN(seed), TYI_UINT64, 0.0, 0x1p64 },
    { "runs", "", IN(runs), TYI_INT, 0.0, TYI_FLEET_MOST },
    { "repeats", "", IN(repeats), TYI_INT, 1.0, TYI_FLEET_MOST },
    { "retries", "", IN(retries), TYI_INT, 0.0, 100.0 },
    { "wall_limit", "s", IN(wall_limit), TYI_DOUBLE, 0.0, 1e7 },
    { "worst_count", "", IN(worst_count), TYI_INT, 0.0, 50.0 },
    { 0 },
};
static const tyi_rules rules = { "sweep", limits, NULL };

static const char *const ends[] = { "low", "high", NULL };
static const tyi_io_key worst_keys[] = {
    { "key", TYI_IO_TEXT, IN(worst_key), .text = "the output by which runs are bad; without it the first one",
      .size = TYI_FLEET_KEY },
    { "end", TYI_IO_CHOICE, IN(worst_end), .text = "which values are bad", .choices = ends },
    { "count", TYI_IO_INTEGER, IN(worst_count),
      .text = "how many the report shows; runs that failed or had no success come first" },
    { 0 },
};
static const tyi_io_schema worst = { worst_keys, &rules, .whole = false };

static const char *const designs[] = { "grid", "random", "latin", "sobol", "saltelli", NULL };
static const char *const keep_of[] = { "all", "failures", NULL };
static const tyi_io_key keys[] = {
    { "version", TYI_IO_INTEGER, IN(version), .text = "version of the file format", .required = true },
    { "name", TYI_IO_TEXT, IN(name), .text = "name of the sweep", .size = sizeof(((tyi_fleet_spec *)0)->name) },
    { "scenario", TYI_IO_TEXT, IN(scenario), .text = "what is run, relative to this file", .size = TY_PATH_MAX },
    { "model", TYI_IO_TEXT, IN(model),
      .text = "a function instead of a scenario, for tests of the sweep itself: `ishigami`, `coin`, `trouble`",
      .size = sizeof(((tyi_fleet_spec *)0)->model) },
    { "set", TYI_IO_LIST, IN(set), .text = "settings of every run, as `--set` takes them: `duration=20`",
      .list = &sets },
    { "design", TYI_IO_CHOICE, IN(design),
      .text =
          "`grid`: every combination of lists, ranges, seeds and files, the others drawn for each; `random`: `runs` times everything drawn; "
          "`latin`: a Latin hypercube of `runs` points; `sobol`: the first `runs` points of Sobol's sequence; `saltelli`: `runs` times "
          "(factors + 2) points for Sobol's sensitivity indices",
      .choices = designs },
    { "runs", TYI_IO_INTEGER, IN(runs), .text = "points of a design that is no grid" },
    { "repeats", TYI_IO_INTEGER, IN(repeats),
      .text = "grid: runs of each combination, with everything else drawn anew" },
    { "seed", TYI_IO_INTEGER, IN(seed), .text = "of all that is drawn" },
    { "vary", TYI_IO_LIST, IN(vary), .text = "What varies", .list = &varies, .required = true },
    { "success", TYI_IO_LIST, IN(goal),
      .text = "Conditions of success, which all must hold; without any every run that reaches its end is one",
      .list = &goals },
    { "outputs", TYI_IO_LIST, IN(output),
      .text =
          "keys of summary.json that become columns; without any: way, mean slip, largest sinkage and tilt, energy of the first rover",
      .list = &outputs },
    { "keep", TYI_IO_LIST, IN(keep),
      .text =
          "files that are kept of each run's folder, as patterns: `summary.json`, `frames/*`, `*`; without any no folder stays",
      .list = &keeps },
    { "keep_of", TYI_IO_CHOICE, IN(keep_of),
      .text = "of which runs they are kept: `failures` are those without success", .choices = keep_of },
    { "worst", TYI_IO_MAPPING, 0, .text = "Worst cases of the report", .schema = &worst },
    { "retries", TYI_IO_INTEGER, IN(retries),
      .text = "how often a run is tried again whose process crashed or was killed" },
    { "wall_limit", TYI_IO_NUMBER, IN(wall_limit),
      .text = "wall time after which a run is ended and counts as failed; 0: none" },
    { 0 },
};
const tyi_io_schema tyi_fleet_spec_schema = { keys, &rules, .whole = false };

tyi_fleet_spec tyi_fleet_spec_default(void)
{
    return (tyi_fleet_spec){ .version = 1, .name = "sweep", .seed = 1, .repeats = 1, .retries = 2, .worst_count = 3 };
}
