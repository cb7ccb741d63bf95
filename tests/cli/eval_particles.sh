# tycho eval mu_i, hertz and dust_optics: columns, closed forms computed here, refusals.
. "$(dirname "$0")/lib.sh"
near() { awk -v g="$2" -v w="$3" -v b="$4" 'BEGIN { d = g - w; if (d < 0) d = -d; m = w < 0 ? -w : w; exit !(d <= b * m) }' && ok || bad "$1: got $2, want $3"; }
cell() { awk -F, -v r="$1" -v c="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == c) k = i } NR == r + 1 { print $k }' "$work/out"; }
mu() { printf "$1" | $TYCHO eval mu_i >"$work/out" 2>"$work/err"; }
hertz() { printf "$1" | $TYCHO eval hertz >"$work/out" 2>"$work/err"; }

mu 'id,p,tau,mu_s,mu_2,i0,d,c,dt,e,nu,rho\na,1000,5000,0.4,0.7,0.3,0.005,30,1e-4,1e6,0.3,1600\nb,1000,200,0.4,0.7,0.3,0.005,30,1e-4,1e6,0.3,1600\nc,-50,80,0.4,0.7,0.3,0.005,30,1e-4,1e6,0.3,1600\nd,1000,900,0.5,0.5,0.3,0.005,0,1e-4,1e6,0.3,1600\n'
[ "$(head -1 "$work/out")" = "id,p,tau,mu" ] && ok || bad "mu_i columns: $(head -1 "$work/out")"
# the root of tau^2 - B tau + H, in the plain form
want=$(awk 'BEGIN { p = 1000; t = 5000; G = 1e6 / 2.6; a = 0.3 * G * 1e-4 / 0.005 * sqrt(p / 1600); s0 = 0.4 * p + 30; s2 = 0.7 * p + 30
    B = s2 + t + a; H = s2 * t + s0 * a; printf "%.17g", 2 * H / (B + sqrt(B * B - 4 * H)) }')
near "implicit mu(I)" "$(cell 1 tau)" "$want" 1e-12
near "its mu" "$(cell 1 mu)" "$(awk -v t="$want" 'BEGIN { printf "%.17g", (t - 30) / 1000 }')" 1e-12
# and it lies on the law: mu = mu_s + (mu_2 - mu_s) I / (I0 + I) with the rate that is left to flow
near "on the law" "$(cell 1 mu)" "$(awk -v t="$(cell 1 tau)" 'BEGIN { G = 1e6 / 2.6; I = (5000 - t) / (G * 1e-4) * 0.005 * sqrt(1600 / 1000); printf "%.17g", 0.4 + 0.3 * I / (0.3 + I) }')" 1e-10
[ "$(cell 2 tau)" = 200 ] && near "below yield" "$(cell 2 mu)" 0.4 1e-15 || bad "below yield: $(cell 2 tau)"
[ "$(cell 3 p)" = 0 ] && near "tension" "$(cell 3 tau)" 30 1e-14 || bad "tension: $(cell 3 p)"
near "one friction" "$(cell 4 tau)" 500 1e-14

hertz 'r1,r2,m1,m2,e1,e2,nu1,nu2,restitution,mu,overlap,vn,xi,vt,dt\n0.004,0.006,1e-3,3e-3,1e7,2e7,0.3,0.2,0.5,0.4,1e-5,-0.1,1e-9,1e-4,1e-6\n0.004,0.006,1e-3,3e-3,1e7,2e7,0.3,0.2,0.5,0.4,1e-5,-0.1,1e-3,0.5,1e-6\n0.004,0.006,1e-3,3e-3,1e7,2e7,0.3,0.2,0.5,0.4,-1e-5,-1,1e-3,1,1e-6\n0.004,0.006,1e-3,3e-3,1e7,2e7,0.3,0.2,0.5,0.4,1e-5,100,0,0,1e-6\n'
[ "$(head -1 "$work/out")" = "fn,ft,xi" ] && ok || bad "hertz columns: $(head -1 "$work/out")"
eval "$(awk 'BEGIN { R = 0.004 * 0.006 / 0.01; m = 1e-3 * 3e-3 / 4e-3; E = 1 / (0.91 / 1e7 + 0.96 / 2e7); G = 1 / (2 * 1.7 * 1.3 / 1e7 + 2 * 1.8 * 1.2 / 2e7); dn = 1e-5
    S = 2 * E * sqrt(R * dn); pi = atan2(0, -1); be = log(0.5) / sqrt(log(0.5) ^ 2 + pi * pi); k = 8 * G * sqrt(R * dn)
    fn = 2 / 3 * S * dn + 2 * sqrt(5 / 6) * be * sqrt(S * m) * -0.1; xi = 1e-9 + 1e-10; ft = -k * xi + 2 * sqrt(5 / 6) * be * sqrt(k * m) * 1e-4
    printf "fn=%.17g ft=%.17g xi=%.17g cap=%.17g back=%.17g\n", fn, ft, xi, -0.4 * fn, 0.4 * fn / k }')"
near "normal force" "$(cell 1 fn)" "$fn" 1e-12
near "tangential force" "$(cell 1 ft)" "$ft" 1e-12
near "memory" "$(cell 1 xi)" "$xi" 1e-12
near "cap" "$(cell 2 ft)" "$cap" 1e-12
near "spring set back" "$(cell 2 xi)" "$back" 1e-12
[ "$(tail -2 "$work/out" | head -1)" = "0,0,0" ] && ok || bad "apart: $(tail -2 "$work/out" | head -1)"
[ "$(cell 4 fn)" = 0 ] && ok || bad "grains pull: $(cell 4 fn)"

printf 'd_um,rho,mass,q\n29,3100,5.5e-3,2\n55.8,3100,5.5e-3,1\n10,3000,0,2\n' | $TYCHO eval dust_optics >"$work/out" 2>"$work/err"
[ "$(head -1 "$work/out")" = "tau,cover,panel" ] && ok || bad "dust_optics columns: $(head -1 "$work/out")"
near "optical depth of dust" "$(cell 1 tau)" "$(awk 'BEGIN { printf "%.17g", 2 * 3 * 5.5e-3 / (2 * 3100 * 29e-6) }')" 1e-12
near "cover by dust" "$(cell 2 cover)" "$(awk 'BEGIN { printf "%.17g", 1 - exp(-3 * 5.5e-3 / (2 * 3100 * 55.8e-6)) }')" 1e-12
near "panel under dust" "$(cell 1 panel)" 0.91233 1e-4
[ "$(tail -1 "$work/out")" = "0,0,1" ] && ok || bad "no dust: $(tail -1 "$work/out")"

run() { printf "$1" | $TYCHO eval $2; }
refuse "tau" "line 2: tau is -1, but takes numbers of at least 0" run 'p,tau\n10,-1\n' mu_i
refuse "mu_2" "mu_2 is 0.3, but takes at least mu_s, which is 0.6" run 'p,tau,mu_2\n10,1,0.3\n' mu_i
refuse "d" "d is 0, but takes numbers above 0" run 'p,tau,d\n10,1,0\n' mu_i
refuse "dt" "dt is -1, but takes numbers above 0" run 'p,tau,dt\n10,1,-1\n' mu_i
refuse "nu" "nu is 0.5, but takes -1 \(excluded\) to 0.5 \(excluded\)" run 'p,tau,nu\n10,1,0.5\n' mu_i
refuse "restitution" "restitution is 0, but takes 0 \(excluded\) to 1 \(included\)" run 'overlap,restitution\n1e-5,0\n' hertz
refuse "needed" "column 'overlap' is needed" run 'vn\n1\n' hertz
refuse "d_um" "d_um is -5, but takes numbers above 0" run 'd_um,mass\n-5,1e-3\n' dust_optics
refuse "mass" "mass is -0.001, but takes numbers of at least 0" run 'd_um,mass\n5,-1e-3\n' dust_optics
refuse "unknown" "unknown column 'pressure'" run 'pressure\n1\n' mu_i
finish
