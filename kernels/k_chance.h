/* kernels/k_chance.h - from even numbers to distributions, and what a share of successes says about its rate.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_CHANCE_H
#define TY_K_CHANCE_H
#include "k_base.h"

/* Ends of the score interval of a rate, of which s successes in n trials were seen.
 *
 *     (s + z2/2 -+ z sqrt(s (n - s)/n + z2/4)) / (n + z2)        [wilson1927], as in [brown2001] (4)
 *
 * s, n  [-]  0 <= s <= n, n > 0
 * z     [-]  quantile of the normal law: 1.959964 for 95 %
 * side  -1: lower end, 1: upper end
 * returns [-] in [0, 1]; at s = 0 and s = n the outer end is exact */
TY_KFN ty_real ty_k_wilson(ty_real s, ty_real n, ty_real z, int side)
{
    ty_real z2 = z * z, middle = s + z2 / TY_R(2.0);
    ty_real reach = z * sqrt(s * (n - s) / n + z2 / TY_R(4.0));
    if (side < 0) {
        return s <= TY_R(0.0) ? TY_R(0.0) : (middle - reach) / (n + z2);
    }
    return s >= n ? TY_R(1.0) : (middle + reach) / (n + z2);
}

/* Quantile of the normal law: x with Phi(x) = p. Rational approximations of algorithm AS 241, PPND16 [wichura1988], about 1 part in 1e16.
 *
 * p  [-]  in (0, 1)
 * returns [-] */
TY_KFN ty_real ty_k_normal_quantile(ty_real p)
{
    ty_real q = p - TY_R(0.5), r, x;
    if (fabs(q) <= TY_R(0.425)) {
        r = TY_R(0.180625) - q * q;
        ty_real above =
            ((((((r * TY_R(2509.0809287301226727) + TY_R(33430.575583588128105)) * r + TY_R(67265.770927008700853)) *
                    r +
                TY_R(45921.953931549871457)) *
                   r +
               TY_R(13731.693765509461125)) *
                  r +
              TY_R(1971.5909503065514427)) *
                 r +
             TY_R(133.14166789178437745)) *
                r +
            TY_R(3.387132872796366608);
        ty_real below =
            ((((((r * TY_R(5226.495278852545925) + TY_R(28729.085735721942674)) * r + TY_R(39307.89580009271061)) * r +
                TY_R(21213.794301586595867)) *
                   r +
               TY_R(5394.1960214247511077)) *
                  r +
              TY_R(687.1870074920579083)) *
                 r +
             TY_R(42.313330701600911252)) *
                r +
            TY_R(1.0);
        return q * above / below;
    }
    r = sqrt(-log(q < TY_R(0.0) ? p : TY_R(1.0) - p));
    if (r <= TY_R(5.0)) {
        r -= TY_R(1.6);
        x = (((((((r * TY_R(7.7454501427834140764e-4) + TY_R(0.0227238449892691845833)) * r +
                  TY_R(0.24178072517745061177)) *
                     r +
                 TY_R(1.27045825245236838258)) *
                    r +
                TY_R(3.64784832476320460504)) *
                   r +
               TY_R(5.7694972214606914055)) *
                  r +
              TY_R(4.6303378461565452959)) *
                 r +
             TY_R(1.42343711074968357734)) /
            (((((((r * TY_R(1.05075007164441684324e-9) + TY_R(5.475938084995344946e-4)) * r +
                  TY_R(0.0151986665636164571966)) *
                     r +
                 TY_R(0.14810397642748007459)) *
                    r +
                TY_R(0.68976733498510000455)) *
                   r +
               TY_R(1.6763848301838038494)) *
                  r +
              TY_R(2.05319162663775882187)) *
                 r +
             TY_R(1.0));
    } else {
        r -= TY_R(5.0);
        x = (((((((r * TY_R(2.01033439929228813265e-7) + TY_R(2.71155556874348757815e-5)) * r +
                  TY_R(0.0012426609473880784386)) *
                     r +
                 TY_R(0.026532189526576123093)) *
                    r +
                TY_R(0.29656057182850489123)) *
                   r +
               TY_R(1.7848265399172913358)) *
                  r +
              TY_R(5.4637849111641143699)) *
                 r +
             TY_R(6.6579046435011037772)) /
            (((((((r * TY_R(2.04426310338993978564e-15) + TY_R(1.4215117583164458887e-7)) * r +
                  TY_R(1.8463183175100546818e-5)) *
                     r +
                 TY_R(7.868691311456132591e-4)) *
                    r +
                TY_R(0.0148753612908506148525)) *
                   r +
               TY_R(0.13692988092273580531)) *
                  r +
              TY_R(0.59983220655588793769)) *
                 r +
             TY_R(1.0));
    }
    return q < TY_R(0.0) ? -x : x;
}

/* Quantile of the triangular law: its density rises straight from low to mode and falls straight to high. The integral of that, turned round.
 *
 * u  [-]  in (0, 1); low <= mode <= high, low < high */
TY_KFN ty_real ty_k_triangle_quantile(ty_real u, ty_real low, ty_real mode, ty_real high)
{
    ty_real w = high - low, m = mode - low;
    return u * w <= m ? low + sqrt(u * w * m) : high - sqrt((TY_R(1.0) - u) * w * (high - mode));
}

#endif
