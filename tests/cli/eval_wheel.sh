# tycho eval wheel, slip_regression, sinkage_regression: columns, worked numbers, refusals.
. "$(dirname "$0")/lib.sh"

# near NAME GOT WANT BOUND (relative)
near() { awk -v g="$2" -v w="$3" -v b="$4" 'BEGIN { d = g - w; if (d < 0) d = -d; m = w < 0 ? -w : w; exit !(d <= b * m) }' && ok || bad "$1: got $2, want $3"; }
far() { awk -v g="$2" -v w="$3" -v b="$4" 'BEGIN { d = g - w; if (d < 0) d = -d; m = w < 0 ? -w : w; exit !(d > b * m) }' && ok || bad "$1: got $2, must differ from $3"; }
wheel() { printf "$1" | $TYCHO eval wheel >"$work/out" 2>"$work/err"; }
cell() { awk -F, -v r="$1" -v c="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == c) k = i } NR == r + 1 { print $k }' "$work/out"; }

# the columns are fixed; id is copied; as many rows as came in
wheel 'id,h,slip\na,0.01,0.2\nb,0.02,0.2\n'
[ "$(head -1 "$work/out")" = "id,h,theta1,theta2,thetam,fx,fy,fz,torque" ] && ok || bad "wheel columns: $(head -1 "$work/out")"
[ "$(wc -l <"$work/out")" = 3 ] && [ "$(cell 2 id)" = b ] && ok || bad "wheel rows"

# a towed wheel without shear strength, theta_m = theta_2 = 0: fx = -b k h^2 / 2, k = k_c / b + k_phi
wheel 'h,c,phi_deg,a1,a2,lambda,k_c,k_phi,r,b\n0.02,0,0,0,0,0,1400,820000,0.25,0.2\n'
near "towed wheel" "$(cell 1 fx)" -33.08 1e-9
far "control: k_c forgotten" "$(cell 1 fx)" -32.8 1e-3
near "entry angle" "$(cell 1 theta1)" 0.40271584158066154 1e-14 # arccos(0.92)
[ "$(cell 1 theta2)" = 0 ] && ok || bad "exit angle $(cell 1 theta2)"

# signs: all positive for a driven wheel with slip and slip angle; the side turns with beta
wheel 'load,slip,beta_deg,lambda\n100,0.6,20,0.5\n100,0.6,-20,0.5\n'
for c in h theta1 thetam fx fy fz torque; do
    awk -v x="$(cell 1 $c)" 'BEGIN { exit !(x > 0) }' && ok || bad "$c is not positive: $(cell 1 $c)"
done
near "load" "$(cell 1 fz)" 100 1e-12
near "left and right" "$(cell 2 fy)" "-$(cell 1 fy)" 1e-15
near "exit angle" "$(cell 1 theta2)" "$(awk -v h="$(cell 1 h)" 'BEGIN { c = 1 - 0.5 * h / 0.25; print -atan2(sqrt(1 - c * c), c) }')" 1e-5

# h wins over load; an empty field is none; what a load finds, its sinkage gives back
h=$(cell 1 h); fx=$(cell 1 fx)
wheel "load,h,slip,beta_deg,lambda\n5,$h,0.6,20,0.5\n100,,0.6,20,0.5\n"
near "h wins" "$(cell 1 fz)" 100 1e-12
near "empty h" "$(cell 2 fx)" "$fx" 1e-12

# bulldozing adds to the side force only, by weight density: it grows with g
wheel 'load,slip,beta_deg,bulldozing,g\n100,0.3,20,0,1.62\n100,0.3,20,1,1.62\n100,0.3,20,1,9.81\n'
near "bulldozing leaves fx" "$(cell 2 fx)" "$(cell 1 fx)" 1e-14
awk -v a="$(cell 1 fy)" -v b="$(cell 2 fy)" -v c="$(cell 3 fy)" 'BEGIN { exit !(a < b && b < c) }' && ok || bad "bulldozing"

# lugs pull more
wheel 'load,slip,grouser_h,grousers\n100,0.4,0,0\n100,0.4,0.02,24\n'
awk -v a="$(cell 1 fx)" -v b="$(cell 2 fx)" 'BEGIN { exit !(b > a + 1) }' && ok || bad "lugs"

# --set is a default that a column overrides
printf 'load\n100\n' | $TYCHO eval wheel --set slip=0.6 --set beta_deg=20 --set lambda=0.5 >"$work/out"
near "--set" "$(cell 1 fx)" "$fx" 1e-14

run() { printf "$1" | $TYCHO eval $2; }
refuse "no load" "line 2: neither load nor h is given" run 'slip\n0.2\n' wheel
refuse "load is text" "load is 'heavy', but takes a finite number" run 'load\nheavy\n' wheel
refuse "no solution" "line 3: .*no sinkage up to the radius of 0.25 m carries 1e\+09 N.* the most is" run 'load\n10\n1e9\n' wheel
refuse "slip" "slip is 1.5, but takes -1 to 1" run 'load,slip\n10,1.5\n' wheel
refuse "beta" "beta is 90 deg" run 'load,beta_deg\n10,90\n' wheel
refuse "range" "phi_deg is 95, but takes 0 to 80 deg" run 'load,phi_deg\n10,95\n' wheel
refuse "switch" "bulldozing is 2, but takes 0 or 1" run 'load,bulldozing\n10,2\n' wheel
refuse "modulus" "k_c / b \+ k_phi is .* must be above 0" run 'load,k_c\n10,-1e6\n' wheel
refuse "lugs" "grousers is 2.5, but takes a whole number" run 'load,grousers\n10,2.5\n' wheel
refuse "unknown column" "unknown column 'mass'" run 'mass\n10\n' wheel
[ ! -s "$work/out" ] && ok || bad "a refusal wrote output"

# regressions, by hand: (3) at 0.2 m/s and 10 deg; (4) and (9) at slip 0.2, 10.72 N, 20 mm lugs, 2 contacts
printf 'vw,slope_deg\n0.2,10\n0.47,18\n1.17,0\n' | $TYCHO eval slip_regression >"$work/out"
[ "$(head -1 "$work/out")" = "s,v" ] && ok || bad "slip columns"
near "slip" "$(cell 1 s)" 0.2403 1e-13
near "speed" "$(cell 1 v)" 0.15194 1e-13
near "limit" "$(cell 2 s)" 1 0
near "flat" "$(cell 3 s)" 0.056605 1e-14
printf 's,fz,fref,grouser_h,contacts\n0.2,10.72,8.72,0.02,2\n0,3.72,8.72,0,1\n' | $TYCHO eval sinkage_regression >"$work/out"
[ "$(head -1 "$work/out")" = "z_mm,k" ] && ok || bad "sinkage columns"
near "sinkage" "$(cell 1 z_mm)" -11.6802 1e-13
near "stiffness" "$(cell 1 k)" 169.1908510678594 1e-13
near "no clamp" "$(cell 2 z_mm)" 1.5355 1e-12
refuse "contacts" "contacts is 0" run 's,contacts\n0.2,0\n' sinkage_regression
refuse "no speed" "column 'vw' is needed" run 'slope_deg\n10\n' slip_regression
finish
