/* src/record/page.c - see page.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "page.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char style[] =
    ":root{--ink:#1b1e23;--soft:#5f6672;--line:#dcdfe4;--page:#f6f6f4;--card:#fff;--mark:#b4540a;color-scheme:light dark}"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6e7e9;--soft:#9aa1ac;--line:#31353c;--page:#121417;--card:#1b1e23;--mark:#e8a15a}}"
    "*{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,"
    "'DejaVu Sans',sans-serif}main{max-width:1180px;margin:0 auto;padding:2.5rem 1.25rem 4rem}h1{font-size:2rem;line-height:1.15;margin:0 0 .4rem;"
    "letter-spacing:-.01em;overflow-wrap:anywhere}h2{font-size:1.3rem;margin:3rem 0 .3rem;padding-top:1.2rem;border-top:1px solid var(--line)}"
    "h3{font-size:1rem;margin:1.8rem 0 .1rem}p{margin:.3rem 0 .8rem}.soft,figcaption{color:var(--soft);font-size:.875rem}figure{margin:0}"
    "figcaption{padding:.35rem 0 0;overflow-wrap:anywhere}img{display:block;width:100%;height:auto;border-radius:6px}.hero{margin:1.4rem 0}"
    ".many,.few,.wide{display:grid;gap:1rem .8rem;margin:.6rem 0;grid-template-columns:repeat(auto-fill,minmax(min(260px,47%),1fr))}"
    ".few{grid-template-columns:repeat(auto-fill,minmax(min(340px,47%),1fr))}.wide{grid-template-columns:repeat(auto-fill,minmax(min(480px,100%),1fr))}"
    ".plot{background:#fff;border:1px solid var(--line);border-radius:8px;padding:.6rem;margin:.8rem 0;overflow-x:auto}.plot figcaption{color:#5f6672}"
    "@media(max-width:700px){.plot img{width:760px;max-width:none}}td.worst{min-width:14rem}"
    ".facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(165px,1fr));gap:.7rem;margin:1.4rem 0}.facts div{background:var(--card);"
    "border:1px solid var(--line);border-radius:8px;padding:.6rem .8rem}.facts b{display:block;font-size:1.2rem;font-weight:600;"
    "font-variant-numeric:tabular-nums;white-space:nowrap}.facts span{display:block;color:var(--soft);font-size:.8rem;line-height:1.3}.scroll{overflow-x:auto}"
    "table{border-collapse:collapse;width:100%;font-size:.925rem;font-variant-numeric:tabular-nums}th{color:var(--soft);font-weight:500;font-size:.8rem}"
    "td,th{padding:.35rem .9rem .35rem 0;text-align:left;border-bottom:1px solid var(--line);vertical-align:top}.num{text-align:right;"
    "white-space:nowrap}.kind{color:var(--mark);white-space:nowrap}.bar{display:flex;height:.9rem;border-radius:4px;overflow:hidden;margin:.6rem 0}"
    ".bar i{display:block}.key{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;font-size:.875rem}.key i{display:inline-block;width:.7rem;height:.7rem;"
    "border-radius:2px;margin-right:.4rem}pre{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.7rem .9rem;overflow-x:auto;"
    "font-size:.875rem}code{font-family:ui-monospace,'DejaVu Sans Mono',monospace}";

void tyi_record_page_text(FILE *f, const char *s)
{
    for (; *s; s++) {
        if (strchr("<>&\"'", *s)) {
            fprintf(f, "&#%d;", *s);
        } else {
            fputc(*s, f);
        }
    }
}

void tyi_record_page_picture(FILE *out, const char *class, const char *path, const char *caption)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    FILE *in = fopen(path, "rb");
    if (!in) {
        return;
    }
    fprintf(out, "<figure class=\"%s\"><img alt=\"", class);
    tyi_record_page_text(out, caption);
    fprintf(out, "\" src=\"data:image/png;base64,");
    unsigned char b[3];
    for (size_t n; (n = fread(b, 1, 3, in)) > 0;) {
        unsigned v = (unsigned)b[0] << 16 | (n > 1 ? (unsigned)b[1] << 8 : 0u) | (n > 2 ? (unsigned)b[2] : 0u);
        fputc(digits[v >> 18], out);
        fputc(digits[v >> 12 & 63], out);
        fputc(n > 1 ? digits[v >> 6 & 63] : '=', out);
        fputc(n > 2 ? digits[v & 63] : '=', out);
    }
    fclose(in);
    fprintf(out, "\"><figcaption>");
    tyi_record_page_text(out, caption);
    fprintf(out, "</figcaption></figure>\n");
}

void tyi_record_page_head(FILE *f, const char *title)
{
    fprintf(
        f,
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
        "<title>");
    tyi_record_page_text(f, title);
    fprintf(f, "</title>\n<style>%s</style></head><body><main>\n<h1>", style);
    tyi_record_page_text(f, title);
    fprintf(f, "</h1>\n");
}

/* ---- the command ---- */

/* a word as a shell takes it; its length, as it is added to out (NULL: only counted) */
static size_t quote(const char *word, char *out)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:@%+";
    size_t n = 0;
    bool quoted = !word[0] || word[strspn(word, plain)];
#define ADD(c) (out ? (void)(out[n] = (c)) : (void)0, n++)
    if (quoted) {
        ADD('\'');
    }
    for (; *word; word++) {
        for (const char *c = *word == '\'' ? "'\\'" : ""; *c; c++) {
            ADD(*c);
        }
        ADD(*word);
    }
    if (quoted) {
        ADD('\'');
    }
#undef ADD
    return n;
}

char *tyi_record_page_command(const char *file, const char *settings, size_t count)
{
    static const char run[] = "tycho run ", set[] = " --set ";
    const char *at = settings;
    size_t size = sizeof run + quote(file, NULL) + 1;
    for (size_t i = 0; i < count; i++, at += strlen(at) + 1) {
        size += sizeof set + quote(at, NULL);
    }
    char *text = malloc(size), *to = text;
    if (text) {
        to = stpcpy(to, run);
        to += quote(file, to);
        at = settings;
        for (size_t i = 0; i < count; i++, at += strlen(at) + 1) {
            to = stpcpy(to, set);
            to += quote(at, to);
        }
        *to = '\0';
    }
    return text;
}
