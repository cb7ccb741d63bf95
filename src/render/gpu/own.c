/* src/render/gpu/own.c - laws and lenses of a program's own on a device: their texts stand behind the kernels, each under a name of
 * its own, and one function chooses among them by number.
 * SPDX-License-Identifier: BSD-3-Clause */
#define TY_KERNEL_FLOAT
#include "store.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct text {
    char *out; /* NULL: it is only counted */
    size_t size, room;
} text;

__attribute__((format(printf, 2, 3))) static void put(text *t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vsnprintf(t->out ? t->out + t->size : NULL, t->out ? t->room - t->size : 0, format, list);
    va_end(list);
    t->size += n > 0 ? (size_t)n : 0;
}

/* a program's text, whose function `entry` gets a name of its own */
static void put_own(text *t, const char *entry, const char *what, int number, const char *source)
{
    put(t, "#define %s ty_k_own_%s_%d\n#line 1 \"%s %d\"\n%s\n#undef %s\n", entry, entry, number, what, number, source,
        entry);
}

static void write_laws(text *t, const ty_render_kinds *kinds)
{
    for (size_t i = 0; i < kinds->laws; i++) {
        if (kinds->law[i].source) {
            put_own(t, "brdf", "law", (int)i, kinds->law[i].source);
        }
    }
    put(t, "static ty_real ty_k_own_laws(int law, ty_k_brdf m, ty_k_angles a)\n{\n");
    for (size_t i = 0; i < kinds->laws; i++) {
        if (kinds->law[i].source) {
            put(t, "    if (law == %d) return ty_k_own_brdf_%d(m, a);\n", (int)i, (int)i);
        }
    }
    put(t, "    return TY_R(0.0);\n}\n");
}

static void write_lenses(text *t, const tyi_render_gpu *g)
{
    for (int i = 0; i < g->lenses; i++) {
        put_own(t, "ray", "lens", i, g->lens[i]);
    }
    put(t, "static ty_k_ray ty_k_own_lenses(int lens, ty_k_camera m, ty_real u, ty_real v)\n{\n");
    for (int i = 1; i < g->lenses; i++) {
        put(t, "    if (lens == %d) return ty_k_own_ray_%d(m, u, v);\n", i, i);
    }
    put(t, "    return ty_k_own_ray_0(m, u, v);\n}\n");
}

static void write_text(text *t, const tyi_render_gpu *g, const ty_render_kinds *kinds)
{
    bool laws = false;
    for (size_t i = 0; i < kinds->laws; i++) {
        laws = laws || kinds->law[i].source;
    }
    put(t, "#define TY_K_DUST %d\n#define TY_K_LOOSE %d\n%s%s#include \"render.cl\"\n", g->dusty, g->loose,
        laws ? "#define TY_K_OWN_LAWS\n" : "", g->lenses ? "#define TY_K_OWN_LENSES\n" : "");
    if (laws) {
        write_laws(t, kinds);
    }
    if (g->lenses) {
        write_lenses(t, g);
    }
}

char *tyi_render_gpu_text(const tyi_render_gpu *g, const ty_render_kinds *kinds, size_t *bytes)
{
    text t = { NULL, 0, 0 };
    write_text(&t, g, kinds);
    *bytes = t.room = t.size + 1;
    t.size = 0;
    t.out = tyi_get(g->alloc, *bytes);
    if (t.out) {
        write_text(&t, g, kinds);
    }
    return t.out;
}

int tyi_render_gpu_lens(tyi_render_gpu *g, const ty_camera *camera)
{
    const char *source = camera->model ? camera->model->source : NULL;
    for (int i = 0; i < g->lenses; i++) {
        if (g->lens[i] == source) {
            return i;
        }
    }
    if (!source || g->lenses == TYI_GPU_LENSES) {
        return -1;
    }
    g->lens[g->lenses] = source;
    return g->lenses++;
}
