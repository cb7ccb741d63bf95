/* tests/unit/io/test_model.c - glTF and OBJ models: what is read, against geometry and a published file; pictures,
 * against GDAL; what is refused; damaged files.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <gdal.h>
#include <unistd.h>
#include "k_philox.h"
#include "tycho/tools/draw.h"
#include "tycho/tools/model.h"
#include "io/inner.h"
#include "tyt.h"

/* a text or a binary file that grows */
typedef struct bytes {
    uint8_t data[1 << 16];
    size_t size;
} bytes;

static void add(bytes *b, const void *data, size_t n)
{
    memcpy(b->data + b->size, data, n);
    b->size += n;
}

static void pad(bytes *b, char with)
{
    while (b->size % 4) {
        add(b, &with, 1);
    }
}

/* a .glb of a JSON text and a binary chunk */
static bytes glb(const char *json, const bytes *chunk)
{
    bytes text = { .size = 0 }, out = { .size = 0 };
    add(&text, json, strlen(json));
    pad(&text, ' ');
    uint32_t head[5] = { 0x46546c67, 2, (uint32_t)(28 + text.size + chunk->size), (uint32_t)text.size, 0x4e4f534a };
    uint32_t bin[2] = { (uint32_t)chunk->size, 0x004e4942 };
    add(&out, head, sizeof head);
    add(&out, text.data, text.size);
    add(&out, bin, sizeof bin);
    add(&out, chunk->data, chunk->size);
    return out;
}

static double volume(const ty_model *m)
{
    double sum = 0.0;
    for (size_t i = 0; i < m->triangles; i++) {
        const float *a = m->vertex + 3 * m->triangle[3 * i], *b = m->vertex + 3 * m->triangle[3 * i + 1],
                    *c = m->vertex + 3 * m->triangle[3 * i + 2];
        sum += (double)(a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                        a[2] * (b[0] * c[1] - b[1] * c[0])) /
               6.0;
    }
    return sum;
}

/* The smallest file of the Khronos group's own glTF tutorial: a triangle (0 0 0, 1 0 0, 0 1 0) in a data: URI, 3 short
 * indices. */
TY_TEST(model, the_published_triangle)
{
    static const char text[] =
        "{\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":1},\"indices\":0}]}],"
        "\"buffers\":[{\"uri\":\"data:application/octet-stream;base64,AAABAAIAAAAAAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAAAAAACAPwAAAAA=\",\"byteLength\":44}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":6,\"target\":34963},{\"buffer\":0,\"byteOffset\":8,\"byteLength\":36,\"target\":34962}],"
        "\"accessors\":[{\"bufferView\":0,\"byteOffset\":0,\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\",\"max\":[2],\"min\":[0]},"
        "{\"bufferView\":1,\"byteOffset\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"max\":[1.0,1.0,0.0],\"min\":[0.0,0.0,0.0]}],"
        "\"asset\":{\"version\":\"2.0\"}}";
    ty_model m;
    ty_diag diag = { 0 };
    TY_CHECK(tyi_io_model_parse("t.gltf", "gltf", text, sizeof text - 1, 2.0, &m, &diag) == TY_OK);
    TY_CHECK(m.triangles == 1 && m.vertices == 3 && !m.uv && m.materials == 1);
    /* x, y, z of the file are y, z, x here; twice as large */
    const float want[9] = { 0, 0, 0, 0, 2, 0, 0, 0, 2 };
    for (int k = 0; k < 9; k++) {
        TY_NEAR((double)m.vertex[3 * m.triangle[k / 3] + k % 3], want[k], 1e-7);
    }
    TY_NEAR((double)m.normal[0], 1.0, 1e-7); /* the file's z */
    ty_model_free(&m);
}

/* a tetrahedron with right angles at the origin, legs of 1: 4 vertices, volume 1/6 */
static const float corner[12] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
static const uint32_t face[12] = { 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3 };

static bytes indexed(int type, const char *node, int index_count)
{
    bytes chunk = { .size = 0 };
    add(&chunk, corner, sizeof corner);
    for (int i = 0; i < 12; i++) {
        uint8_t a = (uint8_t)face[i];
        uint16_t b = (uint16_t)face[i];
        const void *from = type == 5121 ? (void *)&a : type == 5123 ? (void *)&b : (void *)&face[i];
        add(&chunk, from, type == 5121 ? 1 : type == 5123 ? 2 : 4);
    }
    size_t used = chunk.size - 48;
    pad(&chunk, 0);
    char json[2000];
    snprintf(
        json, sizeof json,
        "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[%s],\"meshes\":[{\"primitives\":[{\"attributes\":"
        "{\"POSITION\":0},\"indices\":1}]}],\"buffers\":[{\"byteLength\":%zu}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},"
        "{\"buffer\":0,\"byteOffset\":48,\"byteLength\":%zu}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,"
        "\"type\":\"VEC3\"},{\"bufferView\":1,\"componentType\":%d,\"count\":%d,\"type\":\"SCALAR\"}]}",
        node, chunk.size, used, type, index_count);
    return glb(json, &chunk);
}

TY_TEST(model, indices_of_all_types_and_nodes_in_their_places)
{
    for (int type = 5121; type <= 5125; type += 2) {
        ty_model m;
        bytes b = indexed(type, "{\"mesh\":0}", 12);
        TY_CHECK(tyi_io_model_parse("i.glb", "glb", b.data, b.size, 1.0, &m, NULL) == TY_OK);
        TY_NEAR(volume(&m), 1.0 / 6.0, 1e-6);
        TY_FAR(volume(&m), -1.0 / 6.0, 1e-6);
        ty_model_free(&m);
    }
    /* twice as large, mirrored in x (so that windings turn), turned by 90 deg about the file's y, moved; under a
     * parent that moves by 10 along its own z: the leg along z ends at 10 + 2 + ... */
    bytes b = indexed(
        5125,
        "{\"translation\":[0,0,10],\"children\":[1]},"
        "{\"mesh\":0,\"translation\":[1,2,3],\"rotation\":[0,0.70710678118654752,0,0.70710678118654752],\"scale\":[-2,2,2]}",
        12);
    ty_model m;
    ty_diag diag = { 0 };
    TY_CHECK(tyi_io_model_parse("i.glb", "glb", b.data, b.size, 1.0, &m, &diag) == TY_OK);
    TY_NEAR(volume(&m), 8.0 / 6.0, 1e-5); /* positive: a mirror turns the faces back out */
    /* the vertex (1 0 0): scaled (-2 0 0), turned to (0 0 2), moved to (1 2 15): here x 15, y 1, z 2 */
    double best = 1e9;
    for (size_t i = 0; i < m.vertices; i++) {
        const float *v = m.vertex + 3 * i;
        best = fmin(best, fabs((double)v[0] - 15.0) + fabs((double)v[1] - 1.0) + fabs((double)v[2] - 2.0));
    }
    TY_NEAR(best, 0.0, 1e-5);
    /* flat normals point outwards: from the middle */
    for (size_t i = 0; i < m.triangles; i++) {
        double out = 0.0;
        for (int c = 0; c < 3; c++) {
            double middle = 0.0, at = 0.0;
            for (size_t k = 0; k < m.vertices; k++) {
                middle += (double)m.vertex[3 * k + c] / m.vertices;
            }
            for (int k = 0; k < 3; k++) {
                at += (double)m.vertex[3 * m.triangle[3 * i + k] + c] / 3.0;
            }
            out += (at - middle) * (double)m.normal[3 * m.triangle[3 * i] + c];
        }
        TY_CHECK(out > 0.0);
    }
    ty_model_free(&m);
}

/* a square with texture coordinates as normalised bytes, a picture in the file, all of a material; a strip and a fan */
static bytes dressed(const char *folder)
{
    char path[300];
    uint8_t rgb[12] = { 255, 0, 0, 0, 255, 0, 0, 0, 255, 128, 128, 128 };
    snprintf(path, sizeof path, "%s/four.png", folder);
    TY_CHECK(ty_png_write(path, 2, 2, 3, 8, rgb, NULL) == TY_OK);
    FILE *f = fopen(path, "rb");
    uint8_t png[4096];
    size_t n = fread(png, 1, sizeof png, f);
    fclose(f);
    const float p[12] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0 }, nz[12] = { 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1 };
    const uint8_t uv[16] = { 0, 255, 0, 0, 255, 255, 0, 0, 0, 0, 0, 0, 255, 0, 0, 0 }; /* every 4 bytes */
    bytes chunk = { .size = 0 };
    add(&chunk, p, 48), add(&chunk, nz, 48), add(&chunk, uv, 16), add(&chunk, png, n);
    size_t used = chunk.size;
    pad(&chunk, 0);
    char json[4000];
    snprintf(
        json, sizeof json,
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0,\"name\":\"sheet\"}],"
        "\"meshes\":[{\"primitives\":[{\"mode\":5,\"material\":0,\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"TEXCOORD_0\":2}},"
        "{\"mode\":0,\"attributes\":{\"POSITION\":0}}]}],"
        "\"materials\":[{\"name\":\"paint\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.5,0.25,1,1],\"metallicFactor\":0.25,"
        "\"roughnessFactor\":0.5,\"baseColorTexture\":{\"index\":0},\"metallicRoughnessTexture\":{\"index\":0}},\"normalTexture\":{\"index\":0,\"scale\":2}}],"
        "\"textures\":[{\"source\":0,\"sampler\":0}],\"samplers\":[{\"wrapS\":33071,\"wrapT\":33648}],\"images\":[{\"bufferView\":3,\"mimeType\":\"image/png\"}],"
        "\"buffers\":[{\"byteLength\":%zu}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":48,\"byteLength\":48},"
        "{\"buffer\":0,\"byteOffset\":96,\"byteLength\":16,\"byteStride\":4},{\"buffer\":0,\"byteOffset\":112,\"byteLength\":%zu}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},{\"bufferView\":1,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"
        "{\"bufferView\":2,\"componentType\":5121,\"normalized\":true,\"count\":4,\"type\":\"VEC2\"}]}",
        chunk.size, used - 112);
    return glb(json, &chunk);
}

TY_TEST(model, materials_and_pictures)
{
    ty_model m;
    ty_diag diag = { 0 };
    bytes b = dressed(tyt_folder());
    TY_CHECK(tyi_io_model_parse("d.glb", "glb", b.data, b.size, 1.0, &m, &diag) == TY_OK);
    TY_CHECK(m.triangles == 2 && m.vertices == 4 && m.uv && m.which[0] == 0 && m.materials == 2);
    const ty_model_material *p = &m.material[0];
    TY_NEAR(p->color[1], 0.25, 0.0);
    TY_NEAR(p->metallic, 0.25, 0.0);
    TY_NEAR(p->normal_scale, 2.0, 0.0);
    /* as colour and as data */
    TY_CHECK(m.textures == 2 && p->color_map != p->normal_map && p->normal_map == p->rough_map);
    TY_CHECK(m.texture[p->color_map].srgb && !m.texture[p->normal_map].srgb);
    TY_CHECK(m.texture[p->color_map].wrap_u == 1 && m.texture[p->color_map].wrap_v == 2);
    TY_CHECK(((uint8_t *)m.texture[0].image.data)[4] == 255 && m.texture[0].image.width == 2);
    TY_NEAR((double)m.uv[1], 1.0, 1e-6); /* normalised bytes */
    /* both triangles of the strip turn the same way */
    for (size_t t = 0; t < 2; t++) {
        const float *a = m.vertex + 3 * m.triangle[3 * t], *q = m.vertex + 3 * m.triangle[3 * t + 1],
                    *c = m.vertex + 3 * m.triangle[3 * t + 2];
        double area = (double)((q[1] - a[1]) * (c[2] - a[2]) - (q[2] - a[2]) * (c[1] - a[1]));
        TY_NEAR(area, 1.0, 1e-6);
    }
    ty_model_free(&m);
}

static void refuse(const bytes *b, const char *kind, const char *word)
{
    ty_model m;
    ty_diag diag = { 0 };
    TY_CHECK(tyi_io_model_parse("x", kind, b->data, b->size, 1.0, &m, &diag) != TY_OK);
    if (!strstr(diag.text, word) || !m.vertex != !NULL) {
        printf("'%s' does not say '%s'\n", diag.text, word);
        TY_CHECK(!"sentence");
    }
}

/* replaces the first `from` in the JSON of a .glb by `to`, not longer, and blanks */
static void change(bytes *b, const char *from, const char *to)
{
    TY_CHECK(strlen(from) >= strlen(to));
    char *at = memmem(b->data, b->size, from, strlen(from));
    TY_CHECK(at != NULL);
    if (at) {
        memset(at, ' ', strlen(from));
        memcpy(at, to, strlen(to));
    }
}

TY_TEST(model, broken_files_get_a_sentence)
{
    static const struct {
        const char *from, *to, *word;
    } hurt[] = {
        { "\"count\":12", "\"count\":99", "reach past the end" },
        { "\"count\":12", "\"count\":-1", "count takes a whole number" },
        { "\"count\":12", "\"count\":\"\"", "count takes a whole number" },
        { "\"byteOffset\":48", "\"byteOffset\":98", "past the end of buffer" },
        { "\"componentType\":5125", "\"componentType\":5126", "cannot hold indices" },
        { "\"componentType\":5125", "\"componentType\":4444", "known componentType" },
        { "\"mesh\":0", "\"mesh\":7", "mesh takes a whole number" },
        { "\"nodes\":[0]", "\"nodes\":[5]", "names a node that is not there" },
        { "\"POSITION\":0", "\"POSITION\":9", "POSITION takes" },
        { "\"2.0\"", "\"1.0\"", "asset.version is '1.0'" },
        { "{\"asset\"", "{\"asset:", "is not JSON" },
        { "\"indices\":1", "\"indices\":0", "cannot hold indices" },
    };
    for (size_t i = 0; i < sizeof hurt / sizeof *hurt; i++) {
        bytes b = indexed(5125, "{\"mesh\":0}", 12);
        change(&b, hurt[i].from, hurt[i].to);
        refuse(&b, "glb", hurt[i].word);
    }
    bytes cycle = indexed(5125, "{\"children\":[1]},{\"mesh\":0,\"children\":[0]}", 12);
    refuse(&cycle, "glb", "reached twice");
    bytes self = indexed(5125, "{\"mesh\":0,\"children\":[0]}", 12);
    refuse(&self, "glb", "reached twice");
    bytes past = indexed(5125, "{\"mesh\":0}", 12);
    past.data[past.size - 4] = 4; /* an index beyond the vertices */
    refuse(&past, "glb", "names vertex 4");
    bytes cut = indexed(5125, "{\"mesh\":0}", 12);
    cut.size -= 8;
    refuse(&cut, "glb", "ends too early");
    refuse(&cut, "png", "must end in .obj, .gltf, .glb, .dae, .stl or .ply");
    bytes away = dressed(tyt_folder());
    change(&away, "\"bufferView\":3,\"mimeType\":\"image/png\"", "\"uri\":\"no_such_picture.png\"");
    refuse(&away, "glb", "no_such_picture.png: there is no such file");
    bytes web = dressed(tyt_folder());
    change(&web, "\"bufferView\":3,\"mimeType\":\"image/png\"", "\"uri\":\"http://example.com/a.png\"");
    refuse(&web, "glb", "takes a data: URI or the name of a file");
}

/* whatever is accepted names only vertices, materials and textures that exist, and is finite */
static void sound(const ty_model *m)
{
    for (size_t i = 0; i < 3 * m->triangles; i++) {
        TY_CHECK(m->triangle[i] < m->vertices);
    }
    for (size_t i = 0; i < 3 * m->vertices; i++) {
        TY_CHECK(isfinite(m->vertex[i]) && (!m->normal || isfinite(m->normal[i])));
    }
    for (size_t i = 0; i < m->triangles && m->which; i++) {
        TY_CHECK(m->which[i] < m->materials);
    }
    for (size_t i = 0; i < m->materials; i++) {
        TY_CHECK(m->material[i].color_map < (int)m->textures && m->material[i].normal_map < (int)m->textures);
    }
}

/* Mutated bytes and cut ends of two files: text (where structure lies) is hit as often as data. */
TY_TEST(model, damaged_files)
{
    bytes whole[2] = { indexed(5123, "{\"translation\":[0,0,1],\"children\":[1]},{\"mesh\":0,\"scale\":[1,2,3]}", 12),
                       dressed(tyt_folder()) };
    static const char spare[] = "0123456789-.,:\"[]{}eE \x80\xff";
    int taken = 0, rounds = tyt_long() ? 400000 : 8000;
    for (int k = 0; k < rounds; k++) {
        bytes b = whole[k % 2];
        ty_k_u32x4 r = ty_k_philox((ty_u32)k, 0, 0, 0, 2, TY_RNG_TEST);
        for (ty_u32 i = 0; i <= r.v[0] % 4; i++) {
            ty_k_u32x4 q = ty_k_philox((ty_u32)k, i, 1, 0, 2, TY_RNG_TEST);
            size_t at = q.v[0] % b.size;
            b.data[at] = at < b.size * 3 / 4 && at > 20 ? (uint8_t)spare[q.v[1] % (sizeof spare - 1)] : (uint8_t)q.v[2];
        }
        if (r.v[1] % 5 == 0) {
            b.size -= r.v[2] % b.size;
        }
        uint8_t *exact = malloc(b.size + 1); /* so that a read past the end is seen */
        memcpy(exact, b.data, b.size);
        exact = realloc(exact, b.size ? b.size : 1);
        ty_model m;
        ty_diag diag = { 0 };
        if (tyi_io_model_parse("f", "glb", exact, b.size, 1.0, &m, &diag) == TY_OK) {
            sound(&m);
            taken++;
        } else {
            TY_CHECK(diag.text[0] && !strchr(diag.text, '\n'));
        }
        ty_model_free(&m);
        free(exact);
    }
    printf("%d of %d taken\n", taken, rounds);
    TY_CHECK(taken > rounds / 50 && taken < rounds);
}

/* ---- OBJ with its library ---- */

static void write_text(const char *folder, const char *name, const char *text)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    fputs(text, f);
    fclose(f);
}

TY_TEST(model, obj_with_textures)
{
    const char *folder = tyt_folder();
    char path[300];
    dressed(folder); /* leaves four.png */
    uint8_t grey[4] = { 0, 255, 0, 255 };
    snprintf(path, sizeof path, "%s/bump.png", folder);
    TY_CHECK(ty_png_write(path, 2, 2, 1, 8, grey, NULL) == TY_OK);
    write_text(
        folder, "q.mtl",
        "newmtl other\nKd 0.1 0.1 0.1\nnewmtl paint\nKd 0.5 0.25 1\nNs 98\nmap_Kd -clamp on four.png\nmap_Bump -bm 0.5 bump.png\n");
    write_text(
        folder, "q.obj",
        "mtllib q.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvt 0.5 0.5\nvn 0 0 1\n"
        "usemtl paint\nf 1/1/1 2/2/1 3/3/1 4/4/1\nusemtl unknown\nf 2/5/1 5/2/1 3/3/1\n");
    snprintf(path, sizeof path, "%s/q.obj", folder);
    ty_model m;
    ty_diag diag = { 0 };
    TY_CHECK(ty_model_read(path, 1.0, &m, &diag) == TY_OK);
    TY_CHECK(m.triangles == 3 && m.vertices == 6); /* vertex 2 has two texture coordinates, so that it is two */
    TY_CHECK(m.which[0] == 0 && m.which[2] == 1 && m.normal);
    TY_NEAR(m.material[0].color[2], 1.0, 0.0);
    TY_NEAR(m.material[0].roughness, pow(0.02, 0.25), 1e-12);
    TY_CHECK(m.material[0].color_map == 0 && m.texture[0].wrap_u == 1 && m.texture[0].srgb);
    TY_CHECK(m.material[0].normal_map == 1 && m.texture[1].image.channels == 3 && !m.texture[1].srgb);
    TY_NEAR((double)m.uv[1], 1.0, 0.0); /* v goes down */
    ty_model_free(&m);
    write_text(folder, "q.mtl", "newmtl paint\nmap_Kd gone.png\n");
    TY_CHECK(ty_model_read(path, 1.0, &m, &diag) == TY_ERR_FILE &&
             strstr(diag.text, "gone.png: there is no such file"));
    write_text(folder, "q.mtl", "newmtl paint\nKd red\n");
    diag = (ty_diag){ 0 };
    TY_CHECK(ty_model_read(path, 1.0, &m, &diag) == TY_ERR_FORMAT && strstr(diag.text, "q.mtl:2: Kd takes"));
}

/* The photographs' mosaic of Itokawa: the same pixels as GDAL's own reader finds. */
TY_TEST(model, jpeg_as_gdal_reads_it)
{
    TY_NEED_SHARED(path, "data/asteroid/ItokawaGrayscale.jpg");
    ty_image i;
    TY_CHECK(tyi_io_image_read(path, &i, NULL) == TY_OK);
    GDALAllRegister();
    GDALDatasetH d = GDALOpen(path, GA_ReadOnly);
    TY_CHECK(d && GDALGetRasterXSize(d) == i.width && GDALGetRasterYSize(d) == i.height &&
             GDALGetRasterCount(d) == i.channels);
    uint8_t *row = malloc((size_t)i.width);
    double off = 0.0, turned = 0.0;
    for (int y = 0; y < i.height; y += 17) {
        TY_CHECK(GDALRasterIO(GDALGetRasterBand(d, 1), GF_Read, 0, y, i.width, 1, row, i.width, 1, GDT_Byte, 0, 0) ==
                 CE_None);
        for (int x = 0; x < i.width; x++) {
            int own = ((uint8_t *)i.data)[((size_t)y * i.width + x) * i.channels];
            off = fmax(off, abs(own - row[x]));
            turned = fmax(turned, abs(own - row[i.width - 1 - x]));
        }
    }
    TY_NEAR(off, 0.0, 1.0);
    TY_FAR(turned, 0.0, 1.0); /* control: not mirrored */
    free(row);
    GDALClose(d);
    ty_image_free(&i);
}

TY_TEST(model, damaged_pictures)
{
    TY_NEED_SHARED(path, "data/maps/ldem_3_8bit.jpg");
    FILE *f = fopen(path, "rb");
    static uint8_t whole[60000];
    size_t n = fread(whole, 1, sizeof whole, f);
    fclose(f);
    for (int k = 0; k < (tyt_long() ? 2000 : 40); k++) { /* cut after 60 kB at most, and changed */
        ty_k_u32x4 r = ty_k_philox((ty_u32)k, 0, 3, 0, 2, TY_RNG_TEST);
        size_t size = n - r.v[0] % n;
        uint8_t *copy = malloc(size + 1);
        memcpy(copy, whole, size);
        copy[r.v[1] % (size < 700 ? size : 700)] = (uint8_t)r.v[2];
        ty_image i;
        ty_diag diag = { 0 };
        TY_CHECK(tyi_io_image_parse("p.jpg", copy, size, &i, &diag) != TY_OK && diag.text[0]);
        free(copy);
    }
    ty_image i;
    ty_diag diag = { 0 };
    TY_CHECK(tyi_io_image_parse("p", "hello world", 11, &i, &diag) == TY_ERR_FORMAT &&
             strstr(diag.text, "PNG or JPEG"));
}
