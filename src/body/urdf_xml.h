/* src/body/urdf_xml.h - where the elements of an XML text are.
 *
 * URDF is elements and attributes only, so that is all that is read; the text itself stays as it is, and what is to be
 * changed in it is known by its place.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_BODY_URDF_XML_H
#define TYI_BODY_URDF_XML_H
#include "core/core.h"

#define TYI_BODY_XML_VALUE 4096 /* bytes of an attribute's value, with its end */

typedef struct tyi_body_xml_element {
    size_t start, inside, inside_end, end; /* of "<name", after its ">", of "</name", after its ">" */
    int parent;                            /* -1: the root */
    int after;                             /* the first element that is not below this one */
} tyi_body_xml_element;

typedef struct tyi_body_xml {
    const char *text;
    tyi_body_xml_element *element; /* in the order of the text, from the arena */
    int elements;
} tyi_body_xml;

/* Comments, declarations and instructions in `text`, which ends with a zero, become blanks; line ends stay. name stands in
 * messages. TY_ERR_FORMAT, TY_ERR_MEMORY. */
ty_status tyi_body_xml_read(const char *name, char *text, tyi_arena *memory, tyi_body_xml *out, ty_diag *diag);

bool tyi_body_xml_is(const tyi_body_xml *x, int element, const char *name);
/* The first child of that name from `from` on (-1: from the first child on); -1: there is none. name NULL: any. */
int tyi_body_xml_child(const tyi_body_xml *x, int element, const char *name, int from);
/* An attribute's value with &amp; and the like put in; false: there is none, or it is too long. `at`, `length`: where it
 * stands in the text; NULL: not wanted. */
bool tyi_body_xml_value(const tyi_body_xml *x, int element, const char *attribute, char *out, size_t size, size_t *at,
                        size_t *length);
/* Numbers of an attribute, in any locale; false: it is not there. Those that it does not give stay. */
bool tyi_body_xml_numbers(const tyi_body_xml *x, int element, const char *attribute, int count, double *out);
int tyi_body_xml_line(const tyi_body_xml *x, int element); /* from 1 */

#endif
