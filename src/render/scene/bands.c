/* src/render/scene/bands.c - which wavelengths the scene's bands are.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "k_spectrum.h"
#include "scene.h"

#define BRIGHTEST 0.9999 /* of an albedo */

void tyi_render_bands_plain(ty_scene *s)
{
    for (int b = 0; b < TY_BANDS; b++) {
        s->share[b] = s->tint[b] = 1.0;
    }
    s->tinted[0] = s->material[0], s->tinted[1] = s->material[1];
    s->changed |= TYI_RENDER_MATERIAL_CHANGED | TYI_RENDER_LIGHT_CHANGED | TYI_RENDER_STAR_CHANGED;
}

ty_status ty_scene_set_bands(ty_scene *s, const ty_band *band, int bands, ty_diag *diag)
{
    if (!band) {
        s->def.bands = s->plain_bands;
        tyi_render_bands_plain(s);
        return TY_OK;
    }
    if (bands < 1 || bands > TY_BANDS) {
        return ty_fail(diag, TY_ERR_RANGE, "scene: %d bands, but 1 to %d are accepted", bands, TY_BANDS);
    }
    for (int b = 0; b < bands; b++) {
        if (!(band[b].low >= 1e-7 && band[b].low < band[b].high && band[b].high <= 2e-5)) {
            return ty_fail(diag, TY_ERR_RANGE,
                           "scene: band %d goes from %g to %g nm, but takes rising wavelengths from 100 to 20000 nm", b,
                           1e9 * band[b].low, 1e9 * band[b].high);
        }
    }
    s->def.bands = bands;
    s->changed |= TYI_RENDER_MATERIAL_CHANGED | TYI_RENDER_LIGHT_CHANGED | TYI_RENDER_STAR_CHANGED;
    for (int b = 0; b < TY_BANDS; b++) { /* those beyond the last are not read */
        const ty_band *at = &band[b < bands ? b : 0];
        s->share[b] = b && b >= bands ? s->share[0] : ty_k_sun_share(at->low, at->high);
        s->tint[b] = b && b >= bands ? s->tint[0] : ty_k_moon_band(at->low, at->high);
        for (int m = 0; m < 2; m++) {
            s->tinted[m] = b ? s->tinted[m] : s->material[m];
            s->tinted[m].albedo[b] = fmin(s->material[m].albedo[b] * s->tint[b], BRIGHTEST);
        }
    }
    return TY_OK;
}
