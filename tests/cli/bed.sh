# tycho bed: fields, files, refusals. The numbers are held against theory in tests/unit/bed.
. "$(dirname "$0")/lib.sh"
bed() { (cd "$work" && "$@"); }
check list $TYCHO bed --list
for t in rest incline column collapse repose plate ball blade wheel drum tumbler janssen hopper; do
    grep -q "^$t " "$work/out" && ok || bad "bed --list lacks $t"
done
check collapse $TYCHO bed collapse --quiet --threads 1 --set spacing=0.04 --set seconds=0.2 -o "$work/c"
for f in test soil device particles wall_s aspect runout height spacing; do
    grep -q "\"$f\": " "$work/out" && ok || bad "collapse: no field $f in $(cat "$work/out")"
done
grep -q '"test": "collapse", "soil": "crm", "device": "cpu", "particles": 300' "$work/out" && ok || bad "collapse: $(cat "$work/out")"
for f in series.csv plot.png picture.png; do
    [ -s "$work/c/$f" ] && ok || bad "collapse: $f is missing"
done
[ "$(head -1 "$work/c/series.csv")" = "t [s],front [m],top [m],kinetic energy [J]" ] && [ "$(wc -l <"$work/c/series.csv")" = 201 ] && ok || bad "series.csv"
check plate $TYCHO bed plate --quiet --threads 1 --set spacing=0.03 --set diameter=0.12,0.15 --set height=0.12 --set seconds=0.02 -o "$work/p"
for f in diameter_m pressure_pa sinkage_m; do
    grep -q "\"$f\": \[" "$work/out" && ok || bad "plate: no list $f"
done
for f in k_c k_phi n; do
    grep -q "\"$f\": [-0-9]" "$work/out" && ok || bad "plate: no field $f"
done
check "plates on columns" $TYCHO bed plate --soil scm --quiet --set spacing=0.02 --set diameter=0.1,0.2 -o "$work/s"
grep -q '"soil": "scm", .*"k_phi": ' "$work/out" && [ -s "$work/s/plot.png" ] && [ ! -e "$work/s/picture.png" ] && ok || bad "plates on columns: $(cut -c1-200 "$work/out")"
check "a wheel by formulas" $TYCHO bed wheel --soil bekker --soil-file models/soils/grc1_loose.yaml --quiet --set slip=0.2 -o "$work/w"
grep -q '"soil": "bekker", .*"slip": \[0.2\], "drawbar_n": \[' "$work/out" && ok || bad "a wheel by formulas: $(cat "$work/out")"
small=(--quiet --threads 1 --set spacing=0.03 --set diameter=0.15 --set height=0.15 --set seconds=0.1)
if brief; then
    printf 'diameter_m,sinkage_m,pressure_pa\n0.15,0.01,5000\n0.15,0.015,7000\n' >"$work/plate.csv"
    check "fit" $TYCHO bed plate "${small[@]}" --set spacing=0.0375 --set height=0.0375 --set seconds=0.002 --fit "$work/plate.csv" -o "$work/g"
else
    check "a plate to fit" $TYCHO bed plate "${small[@]}" --set mu_s=0.5 -o "$work/f"
    awk -F, 'NR == 1 { print "diameter_m,sinkage_m,pressure_pa" } NR % 5 == 0' "$work/f/series.csv" >"$work/plate.csv"
    fitted() { grep -o "\"$1\": [^,}]*" "$work/out" | cut -d' ' -f2; }
    check "fit" $TYCHO bed plate "${small[@]}" --set mu_s=0.65 --fit "$work/plate.csv" -o "$work/g"
    awk -v m="$(fitted fit_mu_s)" -v r="$(fitted fit_rms)" 'BEGIN { exit !(m > 0.499 && m < 0.501 && r < 0.001) }' && ok || bad "fit: $(grep -o 'fit_.*' "$work/out")"
    check "fit with another stiffness" $TYCHO bed plate "${small[@]}" --set mu_s=0.65 --set e=4e6 --fit "$work/plate.csv" -o "$work/g"
    awk -v r="$(fitted fit_rms)" 'BEGIN { exit !(r > 0.02) }' && ok || bad "control: another soil was fitted to $(fitted fit_rms)"
fi
refuse "fit of a drum" "is of plate and repose" $TYCHO bed drum --fit "$work/plate.csv" --quiet
refuse "fit of the density" "mu_s, e and c of crm can" $TYCHO bed plate --fit "$work/plate.csv" --free rho --quiet
sed 's/pressure_pa/p/' "$work/plate.csv" >"$work/p.csv"
refuse "fit of other columns" "no sinkage_m and pressure_pa" $TYCHO bed plate --fit "$work/p.csv" --quiet
refuse "collapse of columns" "collapse takes soil of particles" $TYCHO bed collapse --soil scm --quiet -o "$work/none"
refuse "columns on a device" "scm is computed by the host" $TYCHO bed plate --soil scm --device any --quiet
refuse "--free alone" "goes with --fit" $TYCHO bed plate --free mu_s --quiet
refuse "soil that is none" "crm, dem, scm and bekker" $TYCHO bed plate --soil mud
refuse "a file for particles" "soil-file is of scm and bekker" $TYCHO bed plate --soil-file models/soils/lunar.yaml
refuse "key of another soil" "unknown key 'mu_s'; there are .* those of a soil file" $TYCHO bed plate --soil scm --set mu_s=0.5
check drum $TYCHO bed drum --quiet --threads 1 --set spacing=0.04 --set width=0.36 --set seconds=0.03 -o "$work/d"
for f in torque_nm push_n sunk_m passages collected_kg energy_j; do
    grep -q "\"$f\": [-0-9]" "$work/out" && ok || bad "drum: no field $f"
done
grep -q '"push_se_n": null, .*"passages": 0,' "$work/out" && ok || bad "drum: a run without a passage has an error"
[ "$(head -1 "$work/d/series.csv")" = "t [s],x [m],z [m],push [N],torque [N m],energy [J]" ] && ok || bad "drum: series.csv"
check grains $TYCHO bed hopper --quiet --threads 1 --set spacing=0.008 --set diameter=0.04 --set height=0.045 --set seconds=0.05 -o "$work/h"
for f in kg_per_s beverloo rho_bulk; do
    grep -q "\"$f\": [-0-9]" "$work/out" && ok || bad "hopper: no field $f"
done
grep -q '"test": "hopper", "soil": "dem", ' "$work/out" && [ -s "$work/h/picture.png" ] && ok || bad "hopper: $(cat "$work/out")"
refuse "narrow drum bed" "width is 0.1 m, but takes six spacings more than the drum" $TYCHO bed drum --quiet --set width=0.1 -o "$work/none"
refuse "no such mesh" "none.obj" $TYCHO bed drum --quiet --mesh "$work/none.obj" -o "$work/none"
refuse "no test" "takes a test; .tycho bed --list. lists them" $TYCHO bed
refuse "unknown test" "'digging' is no test" $TYCHO bed digging
refuse "mu 0" "soil.mu_s is 0" $TYCHO bed collapse --quiet --set mu_s=0 -o "$work/none"
refuse "soft" "e is 5000 Pa, but takes at least 50 times" $TYCHO bed rest --quiet --set e=5000 -o "$work/none"
refuse "spacing" "spacing is -1" $TYCHO bed rest --quiet --set spacing=-1 -o "$work/none"
refuse "coarse" "takes at least four spacings" $TYCHO bed rest --quiet --set spacing=0.1 -o "$work/none"
refuse "key" "unknown key 'mass'; there are aspect, " $TYCHO bed rest --set mass=3 -o "$work/none"
refuse "number" "e is 'stiff', but takes a finite number" $TYCHO bed rest --set e=stiff -o "$work/none"
refuse "soil" "rest takes soil of particles" $TYCHO bed rest --soil scm --quiet
refuse "soil of crm alone" "rest is an experiment of crm alone" $TYCHO bed rest --quiet --soil dem -o "$work/none"
refuse "key of crm" "unknown key 'alpha'; there are aspect, " $TYCHO bed collapse --soil dem --set alpha=0.1 -o "$work/none"
refuse "sizes" "soil.spread is 2" $TYCHO bed hopper --quiet --set spread=2 -o "$work/none"
refuse "option" "not '--fast'" $TYCHO bed rest --fast -o "$work/none"
[ ! -e "$work/none" ] && ok || bad "a refused experiment left files"
# slip on slopes beside what was measured, in a small form: files, the verdict, and a model that is not there
if command -v python3 >/dev/null; then
    check "slopes" python3 validation/crm_slopes.py --tycho $TYCHO --models bekker --slopes 0,10 --seconds 2 --add docs/crm_slopes.csv --out "$work/slopes"
    grep -q "^bekker,10.00,0\." "$work/slopes/slips.csv" && grep -q "</svg>" "$work/slopes/slips.svg" && ok || bad "slopes: files"
    if [ -d ../shared/data/wheel ]; then
        grep -q "MGRU3, crm 20 mm: .*outside by 0.069 at 10 deg" "$work/out" && grep -q "strength by direction: .*inside everywhere" "$work/out" && grep -q "one wheel, crm 20 mm: .*inside everywhere" "$work/out" && ok || bad "slopes: $(cat "$work/out")"
    fi
    python3 validation/crm_slopes.py --models sand --out "$work/slopes" >/dev/null 2>&1 && bad "slopes: an unknown model was taken" || ok
fi
finish
