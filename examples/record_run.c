/* examples/record_run.c - what `tycho run` does, by a program: a scenario into a folder, the same bytes in every file.
 *     record_run [--no-overview] SCENARIO FOLDER [KEY=VALUE]...
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>
#include <tycho/record.h>

int main(int argc, char **argv)
{
    bool plain = argc > 1 && !strcmp(argv[1], "--no-overview"); /* without the picture at the end */
    argc -= plain, argv += plain;
    if (argc < 3) {
        fprintf(stderr, "usage: record_run [--no-overview] SCENARIO FOLDER [KEY=VALUE]...\n");
        return 2;
    }
    ty_diag diag = { 0 };
    ty_scenario *scenario = NULL;
    ty_run *run = NULL;
    ty_record *record = NULL;
    ty_record_def def = ty_record_def_default();
    def.scenario = argv[1], def.folder = argv[2], def.overview = !plain;
    def.settings = (const char *const *)(argv + 3), def.setting_count = (size_t)(argc - 3);
    ty_run_def run_def = ty_run_def_default();
    if (ty_scenario_load(def.scenario, def.settings, def.setting_count, &scenario, &diag) == TY_OK) {
        run_def.scenario = scenario;
        if (ty_run_create(&run_def, &run, &diag) == TY_OK && ty_record_create(run, &def, &record, &diag) == TY_OK) {
            while (!ty_record_done(record) && ty_record_step(record, &diag) == TY_OK) {
            }
            ty_record_finish(record, &diag);
        }
    }
    ty_record_destroy(record);
    ty_run_destroy(run);
    ty_scenario_destroy(scenario);
    if (diag.status != TY_OK) {
        fprintf(stderr, "%s.\n", diag.text);
    }
    return diag.status == TY_OK ? 0 : 2;
}
