/* src/io/bytes.h - numbers into bytes, little endian, with and without the alignment of CDR.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_IO_BYTES_H
#define TYI_IO_BYTES_H
#include <string.h>
#include "mcap.h"

/* as they stand */
void tyi_io_put_u8(tyi_io_cdr *b, uint8_t v);
void tyi_io_put_u16(tyi_io_cdr *b, uint16_t v);
void tyi_io_put_u32(tyi_io_cdr *b, uint32_t v);
void tyi_io_put_u64(tyi_io_cdr *b, uint64_t v);
uint64_t tyi_io_get_u64(tyi_io_cdr_reader *r);
void tyi_io_put_text(tyi_io_cdr *b, const char *text); /* length as u32, no final zero: MCAP's string */

/* CDR: aligned to their size, counted from behind the header of 4 bytes */
void tyi_io_cdr_begin(tyi_io_cdr *b); /* clears, then the header */
void tyi_io_cdr_align(tyi_io_cdr *b, size_t size);
void tyi_io_cdr_u8(tyi_io_cdr *b, uint8_t v);
void tyi_io_cdr_u32(tyi_io_cdr *b, uint32_t v);
void tyi_io_cdr_f32(tyi_io_cdr *b, float v);
void tyi_io_cdr_f64(tyi_io_cdr *b, double v);
void tyi_io_cdr_text(tyi_io_cdr *b, const char *text);                   /* length with the final zero */
void tyi_io_cdr_header(tyi_io_cdr *b, int64_t stamp, const char *frame); /* std_msgs/Header */
void tyi_io_cdr_time(tyi_io_cdr *b, int64_t stamp);
void tyi_io_cdr_vec3(tyi_io_cdr *b, ty_vec3 v);
void tyi_io_cdr_quat(tyi_io_cdr *b, ty_quat q);

#endif
