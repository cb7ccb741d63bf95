/* kernels/k_hapke_presets.h - Hapke parameters of real ground, each with its source. Host only:
 * plain data. Angles in radians; h81 = 0 (the 2002 form of H, with which the lunar maps were made).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_HAPKE_PRESETS_H
#define TY_K_HAPKE_PRESETS_H
#include "k_hapke.h"

typedef struct ty_k_hapke_preset {
    const char *name;
    ty_real wavelength; /* [m]; 0: broad band */
    ty_k_hapke_params params;
} ty_k_hapke_preset;

/* mean slope of all [sato2014] maps: 23.6566 deg */
#define TY_K_SATO_SLOPE TY_R(0.412885559827)
#define TY_K_SATO(nm, w, b, c, bs0, hs)                                                                         \
    {                                                                                                           \
        "moon_" #nm, TY_R(nm * 1e-9),                                                                           \
        {                                                                                                       \
            TY_R(w), TY_R(b), TY_R(c), TY_R(bs0), TY_R(hs), TY_R(0.0), TY_R(1.0), TY_K_SATO_SLOPE, TY_R(0.0), 0 \
        }                                                                                                       \
    }

__attribute__((unused)) static const ty_k_hapke_preset ty_k_hapke_presets[] = {
    /* medians over the 44 cells of the reduced [sato2014] map (70 S to 70 N), K = 1, no coherent backscatter */
    TY_K_SATO(321, 0.1639631, 0.231194, 0.3932627, 2.405839, 0.0649631),
    TY_K_SATO(360, 0.1985655, 0.2345487, 0.3569066, 2.297663, 0.0606370),
    TY_K_SATO(415, 0.2332064, 0.2365199, 0.3362041, 2.044616, 0.0646363),
    TY_K_SATO(566, 0.3369888, 0.2329422, 0.373622, 1.728655, 0.0616846),
    TY_K_SATO(604, 0.3670364, 0.2293508, 0.4113026, 1.700408, 0.0523132),
    TY_K_SATO(643, 0.3951683, 0.2284704, 0.4202897, 1.670240, 0.0485029),
    TY_K_SATO(689, 0.4244911, 0.2348705, 0.3539071, 1.622072, 0.0567054),
    /* [lunar] Table 1, weighted by the eye's sensitivity, 30 S to 30 N. w as in the authors'
     * program (printed 0.03257); "moon_visual" with K = 1, as the maps assume, "chrono" with the
     * paper's filling factor of 0.3 */
    { "moon_visual",
      TY_R(0.0),
      { TY_R(0.32357), TY_R(0.23955), TY_R(0.30452), TY_R(1.80238), TY_R(0.07145), TY_R(0.0), TY_R(1.0),
        TY_R(0.408407044967), TY_R(0.0), 0 } },
    { "chrono",
      TY_R(0.0),
      { TY_R(0.32357), TY_R(0.23955), TY_R(0.30452), TY_R(1.80238), TY_R(0.07145), TY_R(0.0), TY_R(1.0),
        TY_R(0.408407044967), TY_R(0.3), 0 } },
    /* [iris] Table 2: one Henyey-Greenstein lobe of asymmetry -0.35, all of it backward: b = 0.35,
     * c = 1; slope 26 deg */
    { "itokawa",
      TY_R(0.0),
      { TY_R(0.42), TY_R(0.35), TY_R(1.0), TY_R(0.87), TY_R(0.01), TY_R(0.0), TY_R(1.0), TY_R(0.453785605519),
        TY_R(0.0), 0 } },
};
#define TY_K_HAPKE_PRESETS ((int)(sizeof ty_k_hapke_presets / sizeof ty_k_hapke_presets[0]))

#endif
