/* src/record/page.h - pieces of a page that holds all its pictures and asks for nothing from outside: reports of runs and of sweeps.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_RECORD_PAGE_H
#define TYI_RECORD_PAGE_H
#include <stdio.h>

/* up to the end of the heading; the page ends with "</main></body></html>" */
void tyi_record_page_head(FILE *f, const char *title);
void tyi_record_page_text(FILE *f, const char *s); /* any text, as a page takes it */
/* a PNG file inside the page; without it the page has no picture there */
void tyi_record_page_picture(FILE *out, const char *class, const char *path, const char *caption);
/* The command that repeats a run, words quoted as a shell takes them: settings are `count` texts, one behind the other. To be freed; NULL: no memory. */
char *tyi_record_page_command(const char *file, const char *settings, size_t count);

#endif
