/* src/io/gdal_guard.c - error capture, and setting GDAL up.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <cpl_conv.h>
#include <ctype.h>
#include <proj.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include "gdal_guard.h"

/* GDAL's own cache of file blocks beside ours; its default is a share of all memory */
#define GDAL_CACHE_BYTES (64 << 20)

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void set_up(void)
{
    proj_log_level(PJ_DEFAULT_CTX, PJ_LOG_NONE); /* contexts that libgeotiff makes would print by themselves */
    GDALAllRegister();
    if (!CPLGetConfigOption("GDAL_CACHEMAX", NULL)) {
        GDALSetCacheMax64(GDAL_CACHE_BYTES);
    }
}

static void CPL_STDCALL collect(CPLErr level, CPLErrorNum number, const char *text)
{
    (void)number;
    tyi_io_gdal *gdal = CPLGetErrorHandlerUserData();
    bool failure = level >= CE_Failure;
    if (level < CE_Warning || (gdal->failed || (gdal->text[0] && !failure))) {
        return;
    }
    gdal->failed = failure;
    snprintf(gdal->text, sizeof gdal->text, "%s", text);
    size_t n = strlen(gdal->text);
    for (size_t i = 0; i < n; i++) {
        gdal->text[i] = iscntrl((unsigned char)gdal->text[i]) ? ' ' : gdal->text[i];
    }
    while (n > 0 && strchr(" .!", gdal->text[n - 1])) {
        gdal->text[--n] = '\0';
    }
}

void tyi_io_gdal_begin(tyi_io_gdal *gdal)
{
    pthread_once(&once, set_up);
    *gdal = (tyi_io_gdal){ 0 };
    CPLPushErrorHandlerEx(collect, gdal);
}

void tyi_io_gdal_end(tyi_io_gdal *gdal)
{
    (void)gdal;
    CPLPopErrorHandler();
    CPLErrorReset();
}

const char *tyi_io_gdal_text(const tyi_io_gdal *gdal)
{
    return gdal->text[0] ? gdal->text : "GDAL gives no reason";
}
