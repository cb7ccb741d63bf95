# Rasters under a site: what `run` refuses `check` refuses too, each with what to do; holes beside the site are filled with a note; heights that are not lunar are noted.
. "$(dirname "$0")/lib.sh"
# grid SIZE CELL HEIGHT-EXPRESSION: an ASCII grid of degrees around 0, 0
grid() {
    awk -v n="$1" -v c="$2" "BEGIN { srand(7); printf \"ncols %d\nnrows %d\nxllcorner %.9g\nyllcorner %.9g\ncellsize %.9g\nNODATA_value -9999\n\", n, n, -n * c / 2, -n * c / 2, c;
        for (y = 0; y < n; y++) { for (x = 0; x < n; x++) printf \"%.4f \", ($3); print \"\" } }"
}
hills='20 * sin(x / 7) * sin(y / 5) + 3 * rand()'
site() { printf 'version: 1\nsite: {lat_deg: %s, lon_deg: %s}\nterrain: {base: %s, extent: 400}\n' $2 $3 "$1" >"$work/s.yaml"; }
both() { # NAME SENTENCE: check and render say the same
    refuse "check: $1" "$2" $TYCHO check "$work/s.yaml"
    refuse "render: $1" "$2" $TYCHO render "$work/s.yaml" --size 16x16 --quiet -o "$work/o.png"
}
grid 200 0.001 "$hills" >"$work/good.asc"
site good.asc 0 0
check "a good raster" $TYCHO check "$work/s.yaml"
grep -q 'rms slope [0-9.]* deg between samples 30' "$work/out" || bad "no slope: $(cat "$work/out")"
grep -q 'no lunar ground' "$work/out" && bad "lunar ground is noted"
site good.asc 5 5
both "a site outside" 'good.asc: holds no height at the site, latitude 5 deg.*set site.lat_deg and site.lon_deg inside it'
grid 200 0.001 "x > 90 && x < 110 && y > 90 && y < 110 ? -9999 : $hills" >"$work/hole.asc"
site hole.asc 0 0
both "a hole at the site" 'hole.asc: holds no height at the site'
grid 40 0.001 "$hills" >"$work/small.asc"
site small.asc 0 0
both "too few samples" 'needs at least 64 x 64 samples there, and the raster has 40 x 40.*take a larger cut'
grid 200 0.001 "x > 102 && x < 106 && y > 100 && y < 104 ? -9999 : $hills" >"$work/near.asc"
site near.asc 0 0
check "a hole beside the site" $TYCHO check "$work/s.yaml"
grep -q 'note: 9 of [0-9]* heights around the site are missing and were taken from their neighbours' "$work/out" || bad "no note of a hole: $(cat "$work/out")"
check "a hole beside the site, seen" $TYCHO render "$work/s.yaml" --size 16x16 --quiet -o "$work/o.png"
grid 200 0.001 "(x + y) % 3 < 1 ? -9999 : $hills" >"$work/sieve.asc"
site sieve.asc 0.0005 0.0005
both "a sieve" 'of [0-9]* heights around the site are missing|holds no height at the site'
grid 200 0.001 "0.001 * ($hills)" >"$work/km.asc"
check "kilometres" $TYCHO check "$work/km.asc"
grep -q 'note: that is no lunar ground.*in kilometres.*--scale 1000' "$work/out" || bad "no note of kilometres: $(cat "$work/out")"
# metres without a reference system
grid 80 1 "$hills" >"$work/metres.asc"
refuse "a metric grid" 'metres.asc has a grid but no map projection, and its steps of 1 by 1 are hardly degrees; .*tycho terrain import .* --pixel 1 --lat LAT --lon LON' $TYCHO check "$work/metres.asc"
# tables: x,y,z lines of a grid are read, a matrix gets a sentence
awk 'BEGIN { print "x,y,z"; for (y = 0; y < 70; y++) for (x = 0; x < 70; x++) printf "%.4f,%.4f,%.3f\n", x * 0.001, y * 0.001, sin(x / 3) * 9 }' >"$work/t.csv"
check "lines of x, y, z" $TYCHO terrain info "$work/t.csv"
awk 'BEGIN { for (y = 0; y < 9; y++) print "1,2,3,4,5,6,7,8,9" }' >"$work/m.csv"
refuse "a matrix" 'm.csv .*of tables GDAL takes lines x,y,z' $TYCHO terrain info "$work/m.csv"
finish
