/* bridge/web/websocket.c - the frames of a client, and the messages they make up (RFC 6455).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "server.h"

static void control(tyi_web_server *s, peer *p, const tyi_web_frame *f, const uint8_t *data)
{
    if (f->opcode == TYI_WEB_CLOSE) {
        int code = f->payload >= 2 ? data[0] << 8 | data[1] : TYI_WEB_NORMAL;
        bool fine = code >= 1000 && code < 5000 && code != 1004 && code != 1005 && code != 1006 && code != 1015;
        tyi_server_end(s, p, f->payload == 1 || !fine ? TYI_WEB_WRONG : code, "");
    } else if (f->opcode == TYI_WEB_PING) {
        tyi_web_blob *blob = tyi_web_blob_new(f->payload, false);
        pthread_mutex_lock(&s->lock);
        if (blob) {
            memcpy(blob->data, data, f->payload);
            tyi_server_enqueue(s, p, blob, TYI_WEB_NEWEST, UINT32_MAX,
                               TYI_WEB_PONG); /* the newest is enough, section 5.5.3 */
        }
        pthread_mutex_unlock(&s->lock);
        tyi_web_blob_drop(blob);
    }
}

/* one whole frame; its payload is unmasked */
static void take(tyi_web_server *s, peer *p, const tyi_web_frame *f, const uint8_t *data)
{
    double now = tyi_web_now();
    p->allowance += (now - p->counted) * TYI_WEB_RATE;
    p->allowance = (p->allowance < 2.0 * TYI_WEB_RATE ? p->allowance : 2.0 * TYI_WEB_RATE) - 1.0;
    p->counted = now;
    if (p->allowance < 0.0) {
        tyi_server_end(s, p, TYI_WEB_POLICY, "too many messages in a short time");
        return;
    }
    if (f->opcode >= TYI_WEB_CLOSE) {
        control(s, p, f, data);
        return;
    }
    if ((f->opcode == TYI_WEB_MORE) != (p->gathering >= 0)) {
        tyi_server_end(s, p, TYI_WEB_WRONG, "a piece of a message is out of its place");
        return;
    }
    if (p->gathered + f->payload > sizeof p->message) {
        tyi_server_end(s, p, TYI_WEB_LARGE, "a message is longer than is accepted");
        return;
    }
    p->gathering = f->opcode == TYI_WEB_MORE ? p->gathering : f->opcode;
    memcpy(p->message + p->gathered, data, f->payload);
    p->gathered += f->payload;
    if (!f->last) {
        return;
    }
    bool text = p->gathering == TYI_WEB_TEXT;
    size_t bytes = p->gathered;
    p->gathered = 0;
    p->gathering = -1;
    if (text && !tyi_web_utf8(p->message, bytes)) {
        tyi_server_end(s, p, TYI_WEB_NOT_TEXT, "a text is not UTF-8");
        return;
    }
    const char *why = s->def.received ? s->def.received(s->def.user, p->id, text, p->message, bytes) : NULL;
    if (why) {
        tyi_server_end(s, p, TYI_WEB_POLICY, why);
    }
}

void tyi_server_frames(tyi_web_server *s, peer *p)
{
    size_t at = 0;
    while (!p->ending && !p->gone) {
        tyi_web_frame f;
        const char *why = NULL;
        int got = tyi_web_frame_read(p->in + at, p->have - at, TYI_WEB_MESSAGE, &f, &why);
        if (got < 0) {
            tyi_server_end(s, p, -got, why);
        }
        if (got <= 0 || p->have - at < f.header + f.payload) {
            break;
        }
        tyi_web_unmask(p->in + at + f.header, f.payload, f.mask);
        take(s, p, &f, p->in + at + f.header);
        at += f.header + f.payload;
    }
    memmove(p->in, p->in + at, p->have - at);
    p->have -= at;
}
