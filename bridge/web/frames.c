/* bridge/web/frames.c - the bytes of a WebSocket (RFC 6455): answer to a key, heads of frames, masks, UTF-8.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "web.h"

/* ---- SHA-1 (FIPS 180-4) of a short text, as the handshake asks for; it keeps no secret ---- */

static uint32_t turn(uint32_t x, int n)
{
    return x << n | x >> (32 - n);
}

static void sha1_block(uint32_t h[5], const uint8_t *p)
{
    uint32_t w[80], a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
    for (int i = 0; i < 16; i++) {
        w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 | (uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
    }
    for (int i = 16; i < 80; i++) {
        w[i] = turn(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    }
    for (int i = 0; i < 80; i++) {
        uint32_t f = i < 20 ? (b & c) | (~b & d) : i < 40 || i >= 60 ? b ^ c ^ d : (b & c) | (b & d) | (c & d);
        uint32_t k = i < 20 ? 0x5a827999u : i < 40 ? 0x6ed9eba1u : i < 60 ? 0x8f1bbcdcu : 0xca62c1d6u;
        uint32_t next = turn(a, 5) + f + e + k + w[i];
        e = d, d = c, c = turn(b, 30), b = a, a = next;
    }
    h[0] += a, h[1] += b, h[2] += c, h[3] += d, h[4] += e;
}

/* of at most 119 bytes: two blocks */
static void sha1(const uint8_t *data, size_t bytes, uint8_t out[20])
{
    uint32_t h[5] = { 0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u, 0xc3d2e1f0u };
    uint8_t block[128] = { 0 };
    size_t blocks = bytes + 9 > 64 ? 2 : 1;
    memcpy(block, data, bytes);
    block[bytes] = 0x80;
    for (int i = 0; i < 4; i++) {
        block[64 * blocks - 1 - (size_t)i] = (uint8_t)(8 * bytes >> 8 * i);
    }
    for (size_t i = 0; i < blocks; i++) {
        sha1_block(h, block + 64 * i);
    }
    for (int i = 0; i < 20; i++) {
        out[i] = (uint8_t)(h[i / 4] >> (24 - 8 * (i % 4)));
    }
}

static void base64(const uint8_t *data, size_t bytes, char *out)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < bytes; i += 3) {
        uint32_t v = (uint32_t)data[i] << 16 | (i + 1 < bytes ? (uint32_t)data[i + 1] << 8 : 0) |
                     (i + 2 < bytes ? data[i + 2] : 0);
        *out++ = digit[v >> 18];
        *out++ = digit[v >> 12 & 63];
        *out++ = i + 1 < bytes ? digit[v >> 6 & 63] : '=';
        *out++ = i + 2 < bytes ? digit[v & 63] : '=';
    }
    *out = 0;
}

void tyi_web_accept(const char *key, size_t length, char out[TYI_WEB_KEY])
{
    static const char id[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"; /* section 1.3 */
    uint8_t text[64 + sizeof id], sum[20];
    length = length < 64 ? length : 64;
    memcpy(text, key, length);
    memcpy(text + length, id, sizeof id - 1);
    sha1(text, length + sizeof id - 1, sum);
    base64(sum, sizeof sum, out);
}

/* ---- frames ---- */

int tyi_web_frame_read(const uint8_t *data, size_t bytes, size_t most, tyi_web_frame *out, const char **why)
{
    if (bytes < 2) {
        return 0;
    }
    int opcode = data[0] & 15, length = data[1] & 127;
    size_t more = length == 126 ? 2 : length == 127 ? 8 : 0;
    if (data[0] & 0x70) {
        *why = "a frame has reserved bits set; no extension was agreed on";
        return -TYI_WEB_WRONG;
    }
    if (opcode > TYI_WEB_PONG || (opcode > TYI_WEB_BINARY && opcode < TYI_WEB_CLOSE)) {
        *why = "a frame has an opcode that is not known";
        return -TYI_WEB_WRONG;
    }
    if (!(data[1] & 0x80)) {
        *why = "a frame is not masked";
        return -TYI_WEB_WRONG;
    }
    if (opcode >= TYI_WEB_CLOSE && (length > 125 || !(data[0] & 0x80))) {
        *why = "a control frame is longer than 125 bytes, or in pieces";
        return -TYI_WEB_WRONG;
    }
    if (bytes < 2 + more) {
        return 0;
    }
    uint64_t payload = more ? 0 : (uint64_t)length;
    for (size_t i = 0; i < more; i++) {
        payload = payload << 8 | data[2 + i];
    }
    if (payload > most) {
        *why = "a message is longer than is accepted";
        return -TYI_WEB_LARGE;
    }
    if (bytes < 6 + more) {
        return 0;
    }
    *out = (tyi_web_frame){ opcode, (data[0] & 0x80) != 0, 6 + more, (size_t)payload, { 0 } };
    memcpy(out->mask, data + 2 + more, 4);
    return 1;
}

void tyi_web_unmask(uint8_t *data, size_t bytes, const uint8_t mask[4])
{
    for (size_t i = 0; i < bytes; i++) {
        data[i] ^= mask[i & 3];
    }
}

size_t tyi_web_frame_head(uint8_t out[10], int opcode, size_t payload)
{
    out[0] = (uint8_t)(0x80 | opcode);
    size_t more = payload < 126 ? 0 : payload < 65536 ? 2 : 8;
    out[1] = (uint8_t)(more == 0 ? payload : more == 2 ? 126 : 127);
    for (size_t i = 0; i < more; i++) {
        out[2 + i] = (uint8_t)((uint64_t)payload >> 8 * (more - 1 - i));
    }
    return 2 + more;
}

bool tyi_web_utf8(const uint8_t *s, size_t bytes)
{
    static const uint32_t least[4] = { 0, 0x80, 0x800, 0x10000 };
    for (size_t i = 0; i < bytes;) {
        uint8_t c = s[i++];
        int more = c < 0x80                ? 0
                   : c >= 0xc2 && c < 0xe0 ? 1
                   : c >= 0xe0 && c < 0xf0 ? 2
                   : c >= 0xf0 && c < 0xf5 ? 3
                                           : -1;
        if (more < 0 || i + (size_t)more > bytes) {
            return false;
        }
        uint32_t v = more ? c & (0x3fu >> more) : c;
        for (int k = 0; k < more; k++, i++) {
            if ((s[i] & 0xc0) != 0x80) {
                return false;
            }
            v = v << 6 | (s[i] & 0x3fu);
        }
        if (v < least[more] || v > 0x10ffff || (v >= 0xd800 && v < 0xe000)) {
            return false;
        }
    }
    return true;
}
