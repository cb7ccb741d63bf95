# `tycho terrain generate`, `map` and `measure`: what they write, and what they say to input that is broken or not there.
. "$(dirname "$0")/lib.sh"
source=${TYCHO_SOURCE:-.}
# a small, quick site
cat >"$work/site.yaml" <<'Y'
version: 1
name: small
site: {lat_deg: -20, lon_deg: 30}
terrain:
  extent: 200
  relief: {rms_slope_deg: 5, baseline: 2, hurst: 0.8, outer: 20}
  craters: {d_min: 1, d_max: 20}
  rocks: {cover: 0.05, d_max: 1}
Y
site=$work/site.yaml
map="$TYCHO terrain map"
generate="$TYCHO terrain generate"
measure="$TYCHO terrain measure"
# nothing may be left of a refused command, neither the output nor its temporary name
refuse_clean() {
    local name=$1 pattern=$2; shift 2
    refuse "$name" "$pattern" "$@"
    if [ -n "$(find "$work" \( -name 'x*' -o -name '*.part-*' \) -print -quit)" ]; then bad "$name: left $(ls "$work")"; rm -rf "$work"/x*; fi
}

# ---- generate ----
check "generate" $generate "$site" "$work/ground.tif" --size 100 --spacing 0.5 --craters "$work/craters.csv" --rocks "$work/rocks.csv"
grep -q '200 x 200 samples, 0.5 m apart' "$work/out" || bad "summary: $(cat "$work/out")"
head -1 "$work/craters.csv" | grep -q '^x \[m\],y \[m\],diameter \[m\]' || bad "crater table: $(head -1 "$work/craters.csv")"
head -1 "$work/rocks.csv" | grep -q 'burial \[-\],yaw \[deg\],shape,id$' || bad "rock table: $(head -1 "$work/rocks.csv")"
# craters of at least 2 m: 10^-1.1 (2^-2 - 20^-2) per m2 on 10^4 m2 are 197; 4 sigma
awk -F, 'NR > 1 { n++; if ($1 < -50 || $1 > 50 || $2 < -50 || $2 > 50 || $3 < 2 || $3 > 20 || NF != 5) bad = 1 } END { exit !(n > 140 && n < 254 && !bad) }' \
    "$work/craters.csv" || bad "crater table: $(wc -l <"$work/craters.csv") lines"
awk -F, 'NR > 1 && ($3 < 0.5 || NF != 8) { bad = 1 } END { exit !(NR > 5 && !bad) }' "$work/rocks.csv" || bad "rock table: $(wc -l <"$work/rocks.csv") lines"
check "info of what was generated" $TYCHO terrain info "$work/ground.tif"
grep -q 'overviews  1' "$work/out" || bad "overviews: $(cat "$work/out")"
if command -v gdallocationinfo >/dev/null; then
    # the site's origin is the corner of four samples; GDAL must find it there
    gdallocationinfo -l_srs "+proj=longlat +R=1737400" "$work/ground.tif" 30 -20 >"$work/g" 2>&1
    grep -qE 'Location: \((99|100)P,(99|100)L\)' "$work/g" || bad "gdal puts the origin elsewhere: $(cat "$work/g")"
else
    echo "not shown: where GDAL's own program puts the origin (gdallocationinfo is absent; the unit tests ask the library)"
fi
check "the same twice" $generate "$site" "$work/again.tif" --size 100 --spacing 0.5 --quiet
cmp -s "$work/ground.tif" "$work/again.tif" || bad "two runs differ"
check "another seed" $generate "$site" "$work/again.tif" --size 100 --spacing 0.5 --quiet --set terrain.seed=2
cmp -s "$work/ground.tif" "$work/again.tif" && bad "another seed gives the same ground"
check "a part of it" $generate "$site" "$work/part.tif" --size 20 --spacing 0.5 --center 10,-20 --quiet
[ -z "$(find "$work" -name '*.part-*')" ] || bad "left beside: $(ls "$work")"
# what was generated can be stood on
check "map of a raster" $map "$work/ground.tif" --pixels 64 --quiet -o "$work/again.png"

# ---- map ----
for kind in height hillshade slope rocks craters; do
    check "map $kind" $map "$site" --kind $kind --size 40 --pixels 64 --quiet -o "$work/$kind.png"
    [ "$(head -c 4 "$work/$kind.png" | tail -c 3)" = PNG ] || bad "$kind is no PNG"
done
check "map light" $map "$site" --kind light --size 40 --pixels 16 --far 5 --quiet -o "$work/light.png"
grep -q 'mean .* % of the time in sunlight' "$work/out" || bad "light: $(cat "$work/out")"
check "map as SVG" $map "$site" --pixels 32 --size 10 --quiet -o "$work/map.svg"

# ---- measure ----
check "measure" $measure "$site" -o "$work/measured/"
for f in craters.png depths.png rocks.png relief.png measure.json; do [ -s "$work/measured/$f" ] || bad "measure: no $f"; done
grep -q '"missed": 0' "$work/measured/measure.json" || bad "measure: $(cat "$work/out")"
grep -q 'verdict' "$work/out" || bad "measure: no table"
for help in generate map measure; do
    check "$help --help" $TYCHO terrain $help --help
    [ "$(wc -l <"$work/out")" -lt 30 ] || bad "$help --help does not fit a screen"
    grep -q '^example: tycho terrain' "$work/out" || bad "$help --help: no example"
done

# ---- broken input ----
grid() { # SIZE HEIGHT-EXPRESSION: an elevation grid in text around 30 E, 20 S
    awk -v n="$1" "BEGIN { printf \"ncols %d\nnrows %d\nxllcorner 29.9\nyllcorner -20.1\ncellsize 0.002\nNODATA_value -9999\n\", n, n;
        for (y = 0; y < n; y++) { for (x = 0; x < n; x++) printf \"%s \", $2; print \"\" } }"
}
grid 100 '100 * sin(x / 7) + y' >"$work/base.asc"
grid 1 '5' >"$work/one.asc"
grid 100 '(x + y == 0) ? 1.5 : "nan"' >"$work/nan.asc"
grid 100 '(x > 40 && x < 60) ? -9999 : x' >"$work/hole.asc"
cp "$work/ground.tif" "$work/raster.yaml"
head -c 3000 "$work/ground.tif" >"$work/cut.tif"
png=$work/x.png tif=$work/x.tif
refuse_clean "missing scenario" "gone.yaml: there is no such file" $map "$work/gone.yaml" -o "$png"
refuse_clean "no scenario" "takes a scenario \(.yaml\) or a raster" $map -o "$png"
refuse_clean "folder as scenario" "is a folder" $map "$work" -o "$png"
refuse_clean "raster as scenario" "raster.yaml:1:.* not text" $map "$work/raster.yaml" -o "$png"
refuse_clean "misspelt key" "no key terrain.craters.d_mim.*d_min" $generate "$site" "$tif" --set terrain.craters.d_mim=2
refuse_clean "value of the wrong kind" "terrain.extent is 'large'" $generate "$site" "$tif" --set terrain.extent=large
refuse_clean "value out of range" "hurst is .*7.*0.1 to 0.99" $generate "$site" "$tif" --set terrain.relief.hurst=7
refuse_clean "base of 1 pixel" "one.asc is 1 x 1 samples" $map "$site" --set terrain.base="$work/one.asc" -o "$png"
refuse_clean "base without the site" "base.asc: holds no height at the site.*covers" $map "$site" --set terrain.base="$work/base.asc" --set site.lat_deg=5 -o "$png"
refuse_clean "base of NaN" "nan.asc: holds no height at the site" $map "$site" --set terrain.base="$work/nan.asc" -o "$png"
refuse_clean "base with a hole at the site" "hole.asc: holds no height at the site" $map "$site" --set terrain.base="$work/hole.asc" -o "$png"
refuse_clean "missing base" "terrain.base is .*gone.tif.*cannot be opened" $map "$site" --set terrain.base="$work/gone.tif" -o "$png"
refuse_clean "truncated base" "cut.tif" $map "$work/cut.tif" -o "$png"
refuse_clean "--set on a raster" "is not one \(.yaml\)" $map "$work/ground.tif" --set terrain.seed=1 -o "$png"
refuse_clean "size 0" "size takes a number from" $generate "$site" "$tif" --size 0
refuse_clean "finer than the ground" "not finer than 0.01 m" $generate "$site" "$tif" --spacing 0.001
refuse_clean "too many samples" "makes 1000000 x 1000000 samples" $generate "$site" "$tif" --size 10000 --spacing 0.01
refuse_clean "too many cells" "pixels takes a number from 16 to 4096, not '1e9'" $map "$site" --pixels 1e9 -o "$png"
refuse_clean "unknown kind" "kind takes height.*not 'colour'" $map "$site" --kind colour -o "$png"
refuse_clean "no UTC" "from: .*'yesterday'" $map "$site" --kind light --from yesterday -o "$png"
refuse_clean "time that ends before it starts" "to 2027-01-01 is not after the start" $map "$site" --kind light --from 2027-02-01 --to 2027-01-01 -o "$png"
refuse_clean "year that the sky does not know" "2150" $map "$site" --kind light --from 2150-01-01 -o "$png"
refuse_clean "centre of one number" "center takes x,y" $generate "$site" "$tif" --center 5
refuse_clean "unknown option" "does not know --bogus" $measure "$site" -o "$work/x" --bogus
refuse_clean "option without its value" "does not know -o, or its value is missing" $map "$site" -o
refuse_clean "a name too many" "no use for 'more.tif'" $generate "$site" "$tif" more.tif
refuse_clean "no output" "misses a file name" $generate "$site"
refuse_clean "two outputs of one name" "given for two outputs" $generate "$site" "$tif" --craters "$tif"
refuse_clean "measure without a folder" "takes a scenario and -o FOLDER" $measure "$site"
refuse_clean "picture of another kind" "must end in .png or .svg" $map "$site" -o "$work/x.gif"
refuse "output is the scenario" "is an input" $generate "$site" "$site"
grep -q '^name: small' "$site" || bad "the scenario was replaced"
refuse "output is a folder" "is a folder" $generate "$site" "$work"
refuse "picture is a folder" "is a folder" $map "$site" -o "$work"
refuse "folder is a file" "is a file; the plots need a folder" $measure "$site" -o "$site"
refuse_clean "output in no folder" "No such file" $generate "$site" "$work/no/x.tif"
refuse_clean "table in no folder" "No such file" $generate "$site" "$tif" --craters "$work/no/x.csv"
refuse_clean "picture in no folder" "No such file" $map "$site" -o "$work/no/x.png"
refuse_clean "plots in no folder" "No such file" $measure "$site" -o "$work/no/x"

# ---- no permission ----
as=
[ "$(id -u)" != 0 ] || as="setpriv --reuid=65534 --clear-groups"
chmod 755 "$work"
mkdir "$work/locked"
chmod 555 "$work/locked"
if $as test -x "$TYCHO" 2>/dev/null; then
    refuse_clean "no permission, raster" "Permission denied" $as $generate "$site" "$work/locked/x.tif"
    refuse_clean "no permission, picture" "Permission denied" $as $map "$site" -o "$work/locked/x.png"
    refuse_clean "no permission, folder" "Permission denied" $as $measure "$site" -o "$work/locked/x"
else
    echo "not shown: no permission (there is no way to be somebody else)"
fi

# ---- full disk, as a limit on file size ----
full() { local name=$1; shift; refuse_clean "full disk: $name" "cannot be written" bash -c 'ulimit -f 16; exec "$@"' - "$@"; }
full raster $generate "$site" "$tif" --size 100 --spacing 0.5 --quiet
full tables $generate "$site" "$tif" --size 100 --spacing 0.1 --quiet --rocks "$work/x.csv"
full picture $map "$site" --pixels 256 --size 50 --quiet -o "$png"
full plots $measure "$site" --quiet --set terrain.craters.enabled=false --set terrain.rocks.enabled=false -o "$work/x"
finish
