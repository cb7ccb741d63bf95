/* The bytes of a WebSocket against the examples of RFC 6455, and what is no frame.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "../../../bridge/web/web.h"
#include "tyt.h"

TY_TEST(frames, handshake_of_the_rfc)
{
    char answer[TYI_WEB_KEY];
    tyi_web_accept("dGhlIHNhbXBsZSBub25jZQ==", 24, answer);
    cr_assert_str_eq(answer, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="); /* section 1.3 */
    tyi_web_accept("dGhlIHNhbXBsZSBub25jZQ=+", 24, answer);
    cr_assert_str_neq(answer, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", "control: another key");
}

TY_TEST(frames, frames_of_the_rfc)
{
    /* section 5.7: a masked "Hello" */
    uint8_t hello[] = { 0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58 }, head[10];
    tyi_web_frame f;
    const char *why = NULL;
    cr_assert_eq(tyi_web_frame_read(hello, sizeof hello, 100, &f, &why), 1);
    cr_assert(f.opcode == TYI_WEB_TEXT && f.last && f.header == 6 && f.payload == 5);
    tyi_web_unmask(hello + f.header, f.payload, f.mask);
    cr_assert_arr_eq(hello + f.header, "Hello", 5);
    for (size_t n = 0; n < 6; n++) {
        cr_assert_eq(tyi_web_frame_read(hello, n, 100, &f, &why), 0, "%zu bytes are not enough", n);
    }
    /* 256 and 65536 bytes, unmasked, as a server sends them */
    cr_assert_eq(tyi_web_frame_head(head, TYI_WEB_BINARY, 256), 4);
    cr_assert_arr_eq(head, ((uint8_t[]){ 0x82, 0x7e, 0x01, 0x00 }), 4);
    cr_assert_eq(tyi_web_frame_head(head, TYI_WEB_BINARY, 65536), 10);
    cr_assert_arr_eq(head, ((uint8_t[]){ 0x82, 0x7f, 0, 0, 0, 0, 0, 1, 0, 0 }), 10);
}

TY_TEST(frames, what_is_refused)
{
    static const struct {
        uint8_t data[14];
        int code;
    } bad[] = {
        { { 0x81, 0x05, 0, 0, 0, 0 }, TYI_WEB_WRONG },                                     /* not masked */
        { { 0xc1, 0x85, 0, 0, 0, 0 }, TYI_WEB_WRONG },                                     /* reserved bit */
        { { 0x83, 0x85, 0, 0, 0, 0 }, TYI_WEB_WRONG },                                     /* opcode 3 */
        { { 0x8b, 0x85, 0, 0, 0, 0 }, TYI_WEB_WRONG },                                     /* opcode 11 */
        { { 0x09, 0x85, 0, 0, 0, 0 }, TYI_WEB_WRONG },                                     /* a ping in pieces */
        { { 0x89, 0xfe, 0, 200, 0, 0 }, TYI_WEB_WRONG },                                   /* a long ping */
        { { 0x82, 0xfe, 0, 101, 0, 0, 0, 0 }, TYI_WEB_LARGE },                             /* 101 bytes of 100 */
        { { 0x82, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff }, TYI_WEB_LARGE }, /* 2^64 - 1 */
        { { 0x82, 0xff, 0, 0, 0, 1, 0, 0, 0, 0 }, TYI_WEB_LARGE },                         /* 2^32 */
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        tyi_web_frame f;
        const char *why = NULL;
        TY_NEAR(tyi_web_frame_read(bad[i].data, sizeof bad[i].data, 100, &f, &why), -bad[i].code, 0.0);
        cr_assert(why && *why);
    }
}

TY_TEST(frames, text_is_utf8)
{
    /* from RFC 3629: U+0041 U+2262 U+0391 U+002E, and the highest character */
    cr_assert(tyi_web_utf8((const uint8_t *)"A\xe2\x89\xa2\xce\x91.", 7));
    cr_assert(tyi_web_utf8((const uint8_t *)"\xf4\x8f\xbf\xbf", 4));
    static const char *const bad[] = { "\xc0\x80", "\xed\xa1\x8c", "\xf4\x90\x80\x80", "\xe2\x89",
                                       "\x80",     "\xff",         "\xe0\x80\xaf" };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cr_assert(!tyi_web_utf8((const uint8_t *)bad[i], strlen(bad[i])), "text %zu", i);
    }
}
