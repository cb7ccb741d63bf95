/* A folder of its own for each test, and pixels of what was drawn.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRAW_SUPPORT_H
#define DRAW_SUPPORT_H
#include <dirent.h>
#include <unistd.h>
#include "tyt.h"
#include "tycho/tools/draw.h"

typedef struct box_dir {
    char name[64];
    char path[400];
} box_dir;

__attribute__((unused)) static box_dir dir_make(void)
{
    box_dir d = { "/tmp/tycho-draw-XXXXXX", "" };
    cr_assert(mkdtemp(d.name) != NULL);
    return d;
}

__attribute__((unused)) static const char *dir_path(box_dir *d, const char *file)
{
    snprintf(d->path, sizeof d->path, "%s/%s", d->name, file);
    return d->path;
}

/* how many files there are; removes them and the folder when asked */
__attribute__((unused)) static int dir_count(box_dir *d, bool empty)
{
    int n = 0;
    DIR *dir = opendir(d->name);
    for (struct dirent *e; dir && (e = readdir(dir)) != NULL;) {
        if (e->d_name[0] != '.') {
            n++;
            if (empty) {
                unlink(dir_path(d, e->d_name));
            }
        }
    }
    closedir(dir);
    if (empty) {
        rmdir(d->name);
    }
    return n;
}

/* largest difference of an 8-bit RGB pixel from a colour, 0 to 255 */
__attribute__((unused)) static double pixel_off(const ty_image *image, double x, double y, ty_draw_color c)
{
    int col = (int)floor(x), row = (int)floor(y);
    cr_assert(col >= 0 && col < image->width && row >= 0 && row < image->height, "(%g, %g) is not in the picture", x,
              y);
    const uint8_t *p = (const uint8_t *)image->data + 3 * ((size_t)row * (size_t)image->width + (size_t)col);
    double want[3] = { c.r, c.g, c.b }, worst = 0.0;
    for (int k = 0; k < 3; k++) {
        worst = fmax(worst, fabs(p[k] - 255.0 * want[k]));
    }
    return worst;
}

#endif
