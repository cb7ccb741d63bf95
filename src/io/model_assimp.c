/* src/io/model_assimp.c - models that ROS packages hold (COLLADA .dae, .stl, .ply) through assimp, which this file alone
 * sees.
 *
 * Everything in the file becomes one mesh in the file's own axes, as ROS has it: the up axis that COLLADA names is not
 * turned, its unit of length is. Pictures that are not there leave a note, since packages are often copied without them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/material.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include "model.h"

#define STEPS                                                                                   \
    (aiProcess_Triangulate | aiProcess_JoinIdenticalVertices | aiProcess_PreTransformVertices | \
     aiProcess_SortByPType | aiProcess_FlipUVs)

static bool is_surface(const struct aiMesh *mesh)
{
    return mesh->mPrimitiveTypes == aiPrimitiveType_TRIANGLE && mesh->mVertices && mesh->mFaces;
}

/* how much there is; false: more than is accepted */
static bool count(const struct aiScene *scene, ty_model *out, bool *normals, bool *uvs)
{
    *normals = true;
    for (unsigned i = 0; i < scene->mNumMeshes; i++) {
        const struct aiMesh *mesh = scene->mMeshes[i];
        if (is_surface(mesh)) {
            out->vertices += mesh->mNumVertices;
            out->triangles += mesh->mNumFaces;
            *normals = *normals && mesh->mNormals;
            *uvs = *uvs || mesh->mTextureCoords[0];
        }
    }
    return out->vertices < UINT32_MAX && out->triangles <= TYI_IO_MODEL_TRIANGLES;
}

static bool add_mesh(const struct aiMesh *mesh, double scale, size_t vertex, size_t triangle, ty_model *out)
{
    for (size_t i = 0; i < mesh->mNumVertices; i++) {
        const struct aiVector3D *p = &mesh->mVertices[i], *n = out->normal ? &mesh->mNormals[i] : NULL,
                                *t = out->uv && mesh->mTextureCoords[0] ? &mesh->mTextureCoords[0][i] : NULL;
        float *v = out->vertex + 3 * (vertex + i);
        v[0] = (float)(scale * (double)p->x), v[1] = (float)(scale * (double)p->y),
        v[2] = (float)(scale * (double)p->z);
        if (!isfinite(v[0]) || !isfinite(v[1]) || !isfinite(v[2])) {
            return false;
        }
        if (n) {
            memcpy(out->normal + 3 * (vertex + i), (float[3]){ n->x, n->y, n->z }, 3 * sizeof(float));
        }
        if (t) {
            memcpy(out->uv + 2 * (vertex + i), (float[2]){ t->x, t->y }, 2 * sizeof(float));
        }
    }
    for (size_t i = 0; i < mesh->mNumFaces; i++) {
        for (size_t k = 0; k < 3; k++) {
            unsigned corner = mesh->mFaces[i].mNumIndices == 3 ? mesh->mFaces[i].mIndices[k] : UINT32_MAX;
            if (corner >= mesh->mNumVertices) {
                return false;
            }
            out->triangle[3 * (triangle + i) + k] = (uint32_t)(vertex + corner);
        }
        out->which[triangle + i] = (uint16_t)mesh->mMaterialIndex;
    }
    return true;
}

static ty_status add_meshes(const char *name, const struct aiScene *scene, double scale, ty_model *out, ty_diag *diag)
{
    bool normals, uvs = false;
    if (!count(scene, out, &normals, &uvs)) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s: has %zu triangles, but %zu are accepted", name, out->triangles,
                       TYI_IO_MODEL_TRIANGLES);
    }
    if (!out->triangles) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s: has no triangles", name);
    }
    out->vertex = malloc(3 * out->vertices * sizeof(float));
    out->triangle = malloc(3 * out->triangles * sizeof *out->triangle);
    out->which = malloc(out->triangles * sizeof *out->which);
    out->normal = normals ? malloc(3 * out->vertices * sizeof(float)) : NULL;
    out->uv = uvs ? calloc(out->vertices, 2 * sizeof(float)) : NULL;
    if (!out->vertex || !out->triangle || !out->which || (normals && !out->normal) || (uvs && !out->uv)) {
        return ty_fail(diag, TY_ERR_MEMORY, "%s: no memory for the mesh", name);
    }
    size_t vertex = 0, triangle = 0;
    for (unsigned i = 0; i < scene->mNumMeshes; i++) {
        const struct aiMesh *mesh = scene->mMeshes[i];
        if (!is_surface(mesh)) {
            continue;
        }
        if (!add_mesh(mesh, scale, vertex, triangle, out) || mesh->mMaterialIndex >= out->materials) {
            return ty_fail(diag, TY_ERR_FORMAT, "%s: has a vertex that is not finite or a corner without a vertex",
                           name);
        }
        vertex += mesh->mNumVertices, triangle += mesh->mNumFaces;
    }
    return TY_OK;
}

/* the picture of a material's colour, if it is a file that is there */
static ty_status add_picture(const char *name, const struct aiMaterial *from, ty_model_material *to, ty_model *out,
                             ty_diag *diag)
{
    struct aiString file;
    char path[4200];
    if (aiGetMaterialString(from, AI_MATKEY_TEXTURE(aiTextureType_DIFFUSE, 0), &file) != aiReturn_SUCCESS ||
        !file.length || file.data[0] == '*') {
        return TY_OK;
    }
    for (char *c = file.data; *c; c++) { /* written on Windows */
        *c = *c == '\\' ? '/' : *c;
    }
    const char *plain = !strncmp(file.data, "file://", 7) ? file.data + 7 : file.data;
    if (!tyi_io_beside(name, plain, path, sizeof path) || access(path, R_OK)) {
        snprintf(out->note, sizeof out->note, "a picture is not there: %.120s", plain);
        return TY_OK;
    }
    to->color[0] = to->color[1] = to->color[2] = 1.0;
    return tyi_io_model_texture(out, path, NULL, true, &to->color_map, diag);
}

static ty_status add_materials(const char *name, const struct aiScene *scene, ty_model *out, ty_diag *diag)
{
    if (scene->mNumMaterials > TYI_IO_MODEL_MATERIALS) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s: has %u materials, but %d are accepted", name, scene->mNumMaterials,
                       TYI_IO_MODEL_MATERIALS);
    }
    out->materials = scene->mNumMaterials;
    out->material = calloc(out->materials + 1, sizeof *out->material);
    if (!out->material) {
        return ty_fail(diag, TY_ERR_MEMORY, "%s: no memory for its materials", name);
    }
    ty_status status = TY_OK;
    for (size_t i = 0; i < out->materials && status == TY_OK; i++) {
        struct aiString text = { 0 };
        struct aiColor4D color;
        aiGetMaterialString(scene->mMaterials[i], AI_MATKEY_NAME, &text);
        ty_model_material *m = &out->material[i];
        *m = tyi_io_model_material(text.data);
        if (aiGetMaterialColor(scene->mMaterials[i], AI_MATKEY_COLOR_DIFFUSE, &color) == aiReturn_SUCCESS) {
            const float c[3] = { color.r, color.g, color.b };
            for (int k = 0; k < 3; k++) {
                m->color[k] = c[k] >= 0.0f ? fmin((double)c[k], 1.0) : 0.0; /* not a number: 0 */
            }
        }
        status = add_picture(name, scene->mMaterials[i], m, out, diag);
    }
    return status;
}

/* an STL file names no material: whoever shows it chooses the colour */
static bool nameless(const char *kind)
{
    return !strcasecmp(kind, "stl") || !strcasecmp(kind, "ply");
}

static const struct aiScene *import(const char *kind, const void *data, size_t size)
{
    struct aiPropertyStore *wishes = aiCreatePropertyStore();
    if (!wishes) {
        return NULL;
    }
    aiSetImportPropertyInteger(wishes, AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, 1);
    const struct aiScene *scene =
        size <= UINT32_MAX ? aiImportFileFromMemoryWithProperties(data, (unsigned)size, STEPS, kind, wishes) : NULL;
    aiReleasePropertyStore(wishes);
    return scene;
}

ty_status tyi_io_model_assimp(const char *name, const char *kind, const void *data, size_t size, double scale,
                              ty_model *out, ty_diag *diag)
{
    const struct aiScene *scene = import(kind, data, size);
    if (!scene) {
        char why[200], shown[200];
        snprintf(why, sizeof why, "%s", aiGetErrorString());
        return ty_fail(diag, TY_ERR_FORMAT, "%s: is no %s model that assimp reads (%s)", name, kind,
                       tyi_io_doc_show(why, shown, sizeof shown));
    }
    ty_status status = add_materials(name, scene, out, diag);
    if (status == TY_OK) {
        status = add_meshes(name, scene, scale, out, diag);
    }
    aiReleaseImport(scene);
    if (status == TY_OK && nameless(kind)) {
        free(out->material), free(out->which);
        out->material = NULL, out->which = NULL, out->materials = 0;
    }
    return status;
}
