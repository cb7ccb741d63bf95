/* src/study/dataset_name.c - names and folders of a data set, and the file that says what it is.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <ftw.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "dataset.h"
#include "io/document.h"
#include "io/out.h"

const char *tyi_study_dataset_split(const ty_dataset *d, const tyi_study_view_plan *v)
{
    return d->terrain[v->terrain].test ? "test" : "train";
}

char *tyi_study_view_name(const tyi_study_view_plan *v, char name[TYI_STUDY_NAME])
{
    snprintf(name, TYI_STUDY_NAME, "T%02zu_C%02d", v->terrain + 1, v->number);
    return name;
}

/* 90 deg -> "090", 4.5 deg with two digits -> "04d5", below 0 with a leading "m" */
static int angle_text(char *out, size_t size, double angle, int digits)
{
    long tenths = lrint(angle / (0.1 * TY_DEG));
    long whole = labs(tenths) / 10, rest = labs(tenths) % 10;
    const char *sign = tenths < 0 ? "m" : "";
    return rest ? snprintf(out, size, "%s%0*ldd%ld", sign, digits, whole, rest)
                : snprintf(out, size, "%s%0*ld", sign, digits, whole);
}

char *tyi_study_light_name(const tyi_study_light_plan *l, char name[TYI_STUDY_NAME])
{
    char azimuth[24], elevation[24];
    angle_text(azimuth, sizeof azimuth, l->azimuth, 3);
    angle_text(elevation, sizeof elevation, l->elevation, 2);
    snprintf(name, TYI_STUDY_NAME, "R%.0f_A%s_E%s", l->lamp, azimuth, elevation);
    return name;
}

char *tyi_study_exposure_name(const ty_dataset *d, const tyi_study_exposure_plan *e, char name[TYI_STUDY_NAME])
{
    const char *mark = e->ideal && d->def->chain == TY_CHAIN_BOTH ? "_ideal" : "";
    if (e->time > 0.0) {
        snprintf(name, TYI_STUDY_NAME, "%06.0fus%s", 1e6 * e->time, mark);
    } else {
        snprintf(name, TYI_STUDY_NAME, "auto%s", mark);
    }
    return name;
}

char *tyi_study_image_name(const ty_dataset *d, const tyi_study_view_plan *v, size_t light, size_t exposure, int side,
                           char name[TYI_STUDY_NAME])
{
    char view[TYI_STUDY_NAME], sun[TYI_STUDY_NAME], time[TYI_STUDY_NAME];
    snprintf(name, TYI_STUDY_NAME, "%.20s_%.40s_%c_%.20s", tyi_study_view_name(v, view),
             tyi_study_light_name(&d->light[v->light + light], sun), side ? 'R' : 'L',
             tyi_study_exposure_name(d, &d->exposure[v->exposure + exposure], time));
    return name;
}

bool tyi_study_dataset_path(const char *folder, const ty_dataset *d, const tyi_study_view_plan *v, const char *kind,
                            const char *name, const char *ending, char path[TY_PATH_MAX])
{
    int n = snprintf(path, TY_PATH_MAX, "%s/%s/%s/T%02zu/%s%s", folder, kind, tyi_study_dataset_split(d, v),
                     v->terrain + 1, name, ending);
    return n > 0 && n < TY_PATH_MAX - 32; /* room for the ending of a temporary name */
}

static ty_status make(const char *path, ty_diag *diag)
{
    if (mkdir(path, 0777) && errno != EEXIST) {
        return ty_fail(diag, TY_ERR_FILE, "%s: this folder cannot be made: %s", path, strerror(errno));
    }
    return TY_OK;
}

/* what a killed run left half written */
static int remove_part(const char *path, const struct stat *about, int type, struct FTW *at)
{
    (void)about, (void)at;
    size_t n = strlen(path);
    if (type == FTW_F && n > 5 && !strcmp(path + n - 5, ".part")) {
        unlink(path);
    }
    return 0;
}

ty_status tyi_study_dataset_folders(const ty_dataset *d, const char *folder, bool begun, ty_diag *diag)
{
    static const char *const kinds[] = { "images", "labels", "records", "depth", "instances", "classes" };
    char path[TY_PATH_MAX];
    ty_status status = TY_OK;
    if (strlen(folder) > TY_PATH_MAX - 300) {
        return ty_fail(diag, TY_ERR_FILE, "%.60s...: the path of the folder is too long", folder);
    }
    if (begun) {
        nftw(folder, remove_part, 16, FTW_PHYS);
    }
    snprintf(path, sizeof path, "%s/annotations", folder);
    status = make(path, diag);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds && status == TY_OK; k++) {
        snprintf(path, sizeof path, "%s/%s", folder, kinds[k]);
        status = make(path, diag);
        for (size_t t = 0; t < d->terrains && status == TY_OK; t++) {
            const char *split = d->terrain[t].test ? "test" : "train";
            snprintf(path, sizeof path, "%s/%s/%s", folder, kinds[k], split);
            status = make(path, diag);
            snprintf(path, sizeof path, "%s/%s/%s/T%02zu", folder, kinds[k], split, t + 1);
            status = status == TY_OK ? make(path, diag) : status;
        }
    }
    return status;
}

/* ---- dataset.json ---- */

static void put_list(FILE *f, const char *name, const double *value, size_t n, double unit)
{
    fprintf(f, "  \"%s\": [", name);
    for (size_t i = 0; i < n; i++) {
        fprintf(f, "%s%.10g", i ? ", " : "", value[i] / unit);
    }
    fputs("],\n", f);
}

/* a text as JSON has it; the names here hold no control characters */
static void put_text(FILE *f, const char *text)
{
    fputc('"', f);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') {
            fputc('\\', f);
        }
        fputc(*text, f);
    }
    fputc('"', f);
}

/* everything that the bytes of the set follow from */
static void describe(FILE *f, const ty_dataset *d)
{
    const ty_dataset_def *s = d->def;
    fprintf(
        f,
        "{\n  \"name\": \"%s\",\n  \"tycho\": \"%s\",\n  \"seed\": %llu,\n  \"mode\": \"%s\",\n  \"stereo_pairs\": %zu,\n  \"views\": %zu,\n",
        s->name, ty_version(), (unsigned long long)s->seed, s->mode == TY_DATASET_GRID ? "grid" : "random", d->pairs,
        d->views);
    fprintf(
        f,
        "  \"area_m\": %.10g,\n  \"width\": %d,\n  \"height\": %d,\n  \"hfov_deg\": %.10g,\n  \"baseline_m\": %.10g,\n  \"look_deg\": %.10g,\n",
        s->area, s->width, s->height, s->hfov / TY_DEG, s->baseline, s->look / TY_DEG);
    fprintf(
        f,
        "  \"chain\": \"%s\",\n  \"bits\": %d,\n  \"gamma\": %.10g,\n  \"f_number\": %.10g,\n  \"focus_m\": %.10g,\n  \"samples\": %d,\n  \"bounces\": %d,\n",
        s->chain == TY_CHAIN_IDEAL      ? "ideal"
        : s->chain == TY_CHAIN_PHYSICAL ? "physical"
                                        : "both",
        s->bits, s->bits == 8 ? s->gamma : 1.0, s->f_number, s->focus, s->samples, s->bounces);
    fprintf(f, "  \"color\": %s,\n", s->color ? "true" : "false");
    put_list(f, "bands_nm", s->band_nm, s->band_ends, 1.0);
    put_list(f, "heights_m", s->stand, s->stands, 1.0);
    put_list(f, "exposures_ms", s->exposure, s->exposures, 1e-3);
    put_list(f, "sun_azimuths_deg", s->azimuth, s->azimuths, TY_DEG);
    put_list(f, "sun_elevations_deg", s->elevation, s->elevations, TY_DEG);
    put_list(f, "lamps_W_per_sr", s->lamp, s->lamps, 1.0);
    fprintf(f, "  \"sun_relative_to_camera\": %s,\n  \"least_pixels\": %d,\n  \"depth\": \"%s\",\n  \"terrains\": [\n",
            s->relative ? "true" : "false", s->least_pixels,
            s->depth == TY_DEPTH_PNG ? "png, millimetres" : "exr, metres");
    for (size_t t = 0; t < d->terrains; t++) {
        const tyi_study_terrain_plan *p = &d->terrain[t];
        const char *slash = strrchr(p->site->scenario, '/');
        fprintf(f, "    {\"id\": \"T%02zu\", \"scenario\": ", t + 1);
        put_text(f, slash ? slash + 1 : p->site->scenario);
        fprintf(f, ", \"scenario_hash\": \"%016llx\", \"seed\": %llu, \"split\": \"%s\"}%s\n",
                (unsigned long long)p->file_hash, (unsigned long long)p->seed, p->test ? "test" : "train",
                t + 1 < d->terrains ? "," : "");
    }
    fputs("  ]\n}\n", f);
}

ty_status tyi_study_dataset_describe(const ty_dataset *d, const char *folder, bool *begun, ty_diag *diag)
{
    char path[TY_PATH_MAX], *text = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, "%.*s/dataset.json", TY_PATH_MAX - 100, folder);
    FILE *memory = open_memstream(&text, &size);
    if (!memory) {
        return ty_fail(diag, TY_ERR_MEMORY, "data set: no memory for its description");
    }
    describe(memory, d);
    fclose(memory);
    ty_status status = TY_OK;
    *begun = access(path, F_OK) == 0;
    if (*begun) {
        tyi_io_bytes old = { 0 };
        status = tyi_io_file_read(path, TYI_IO_DOC_BYTES, NULL, &old, diag);
        if (status == TY_OK && (old.size != size || memcmp(old.data, text, size))) {
            status =
                ty_fail(diag, TY_ERR_INPUT,
                        "%s: the folder holds another data set, or one of another version; take a new folder", path);
        }
        tyi_put(NULL, old.data, old.capacity);
    } else {
        tyi_io_out out;
        status = tyi_io_out_open(&out, path, diag);
        if (status == TY_OK) {
            fwrite(text, 1, size, out.file);
            status = tyi_io_out_close(&out, TY_OK, diag);
        }
    }
    free(text);
    return status;
}
