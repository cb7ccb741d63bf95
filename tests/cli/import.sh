# `tycho terrain import` and `info`: what they write, and what they say to rasters that are broken or not there.
. "$(dirname "$0")/lib.sh"
out=$work/out.tif
# nothing may be left of a refused import, neither the file nor its temporary name
refuse_import() {
    local name=$1 pattern=$2; shift 2
    refuse "$name" "$pattern" "$@"
    if [ -n "$(find "$work" -name 'out*.tif*' -print -quit)" ]; then bad "$name: left $(ls "$work")"; rm -rf "$work"/out*.tif*; fi
}
import="$TYCHO terrain import"

# an elevation grid in text: rows of 0.01 deg, SIZE x SIZE, heights by awk
grid() { # SIZE HEIGHT-EXPRESSION
    awk -v n="$1" "BEGIN { printf \"ncols %d\nnrows %d\nxllcorner 10\nyllcorner -20\ncellsize 0.01\nNODATA_value -9999\n\", n, n;
        for (y = 0; y < n; y++) { for (x = 0; x < n; x++) printf \"%.3f \", $2; print \"\" } }"
}
grid 300 '100 + x - 0.5 * y' >"$work/plane.asc"
grid 64 '(x > 20 && x < 30 && y > 20 && y < 30) ? -9999 : x' >"$work/hole.asc"
grid 20 '-9999' >"$work/none.asc"
grid 1 '5' >"$work/one.asc"

# ---- what it writes ----
check "import a grid" $import "$work/plane.asc" "$work/plane.tif"
grep -q '300 x 300 samples' "$work/out" || bad "summary: $(cat "$work/out")"
grep -q 'No sample was missing' "$work/out" || bad "summary does not speak of missing samples"
check "info" $TYCHO terrain info "$work/plane.tif"
grep -q 'heights    -49.50 to 399.00 m' "$work/out" || bad "info heights: $(cat "$work/out")"
grep -q 'latitude -20 to -17, longitude 10 to 13 deg' "$work/out" || bad "info place: $(cat "$work/out")"
grep -q 'overviews  2' "$work/out" || bad "info overviews: $(cat "$work/out")"
check "spectrum" $TYCHO terrain info --spectrum "$work/plane.tif"
grep -q 'Hurst' "$work/out" || bad "no spectrum"
check "import a hole" $import "$work/hole.asc" "$work/hole.tif"
grep -q '81 missing samples (1.98 %) were filled' "$work/out" || bad "filled: $(cat "$work/out")"
check "crop" $import "$work/plane.tif" "$work/crop.tif" --crop -19,-18.5,11,12
grep -q '100 x 50 samples' "$work/out" || bad "crop: $(cat "$work/out")"
check "window" $import --window=10,20,64,32 --scale 2 --offset -7 --quiet "$work/plane.tif" "$work/window.tif"
[ ! -s "$work/out" ] || bad "--quiet speaks"
check "info of a window" $TYCHO terrain info "$work/window.tif"
# columns 10..73, rows 20..51: 100 + 10 - 25.5 = 84.5 to 100 + 73 - 10 = 163, times 2 minus 7
grep -q 'heights    162.00 to 319.00 m' "$work/out" || bad "window heights: $(cat "$work/out")"
check "placed by the caller" $import "$work/plane.asc" "$work/pole.tif" --pixel 5 --lat -90 --lon 0
check "info at the pole" $TYCHO terrain info "$work/pole.tif"
grep -q 'latitude -90 to' "$work/out" || bad "pole: $(cat "$work/out")"
check "placed by bounds" $import "$work/plane.asc" "$work/round.tif" --bounds -90,90,0,360
check "info all round" $TYCHO terrain info "$work/round.tif"
grep -q 'all round' "$work/out" || bad "round: $(cat "$work/out")"
check "the same twice" $import --quiet "$work/plane.asc" "$work/plane2.tif"
cmp -s "$work/plane.tif" "$work/plane2.tif" || bad "two imports differ"
check "over an older file" $import --quiet "$work/plane.asc" "$work/plane2.tif"
for help in "terrain --help" "terrain import --help" "terrain info --help"; do
    check "$help" $TYCHO $help
    [ "$(wc -l <"$work/out")" -lt 40 ] || bad "$help does not fit a screen"
done
[ -z "$(find "$work" -name '*.part-*' -o -name '*.aux.xml')" ] || bad "left beside: $(ls "$work")"

# ---- broken rasters ----
good=$(wc -c <"$work/plane.tif")
head -c $((good / 2)) "$work/plane.tif" >"$work/cut.tif"
head -c 100 "$work/plane.tif" >"$work/head.tif"
refuse_import "truncated TIFF" "cut.tif.* cannot be read" $import "$work/cut.tif" "$out"
refuse_import "first bytes of a TIFF" "head.tif.* cannot be read" $import "$work/head.tif" "$out"
printf 'PDS_VERSION_ID = PDS3\nRECORD_TYPE = FIXED_LENGTH\nRECORD_BYTES = 32\n^IMAGE = "gone.img"\nOBJECT = IMAGE\n LINES = 16\n LINE_SAMPLES = 16\n SAMPLE_TYPE = LSB_INTEGER\n SAMPLE_BITS = 16\nEND_OBJECT = IMAGE\nEND\n' >"$work/gone.lbl"
refuse_import "label without data" "gone.lbl" $import "$work/gone.lbl" "$out"
refuse_import "nothing but missing heights" "none.asc holds no height there: all 400 samples" $import "$work/none.asc" "$out"
refuse_import "one pixel" "one.asc is 1 x 1 samples" $import "$work/one.asc" "$out"
refuse_import "folder" "is a folder" $import "$work" "$out"
refuse_import "missing file" "gone.tif: No such file" $import "$work/gone.tif" "$out"
refuse_import "file as a folder" "Not a directory" $import "$work/plane.tif/x.tif" "$out"
echo "these are no heights" >"$work/text.tif"
refuse_import "text" "text.tif cannot be read as a raster: .*not recognized" $import "$work/text.tif" "$out"
: >"$work/empty.tif"
refuse_import "empty file" "empty.tif is empty" $import "$work/empty.tif" "$out"
refuse_import "radii" "no height there.*-1737400" $import "$work/plane.asc" "$out" --offset 1737400
# ---- wrong options ----
refuse_import "band out of range" "has no band 7; it has 1" $import "$work/plane.tif" "$out" --band 7
refuse_import "band 0" "--band takes a number from 1" $import "$work/plane.tif" "$out" --band 0
refuse_import "crop outside" "lies outside .*plane.tif, which covers -20 to -17 and 10 to 13 deg" $import "$work/plane.tif" "$out" --crop 10,20,30,40
refuse_import "crop the wrong way" "lat0 < lat1" $import "$work/plane.tif" "$out" --crop -18,-19,11,12
refuse_import "crop of three" "--crop takes" $import "$work/plane.tif" "$out" --crop -18,-19,11
refuse_import "window outside" "does not lie in" $import "$work/plane.tif" "$out" --window 290,0,20,20
refuse_import "crop and window" "give one of them" $import "$work/plane.tif" "$out" --window 0,0,20,20 --crop -19,-18,11,12
refuse_import "pixel alone" "all three or none" $import "$work/plane.tif" "$out" --pixel 5
refuse_import "scale 0" "scale 0" $import "$work/plane.tif" "$out" --scale 0
refuse_import "unknown option" "does not know --cropp" $import "$work/plane.tif" "$out" --cropp 1
refuse_import "no output" "takes an input and an output" $import "$work/plane.tif"
refuse "output is the input" "is the input" $import "$work/plane.tif" "$work/plane.tif"
refuse "output is a folder" "is a folder" $import "$work/plane.tif" "$work"
refuse "output is a device" "is a device" $import "$work/plane.tif" /dev/full
[ -c /dev/full ] || bad "/dev/full was replaced"
refuse "output in no folder" "No such file" $import "$work/plane.tif" "$work/no/such/out.tif"
refuse "no subcommand" "takes a subcommand: .*import" $TYCHO terrain
refuse "unknown subcommand" "no subcommand 'fly'" $TYCHO terrain fly

# ---- no permission ----
chmod 755 "$work"
cp "$work/plane.asc" "$work/secret.asc"
chmod 000 "$work/secret.asc"
if [ "$(id -u)" != 0 ]; then
    refuse_import "no permission to read" "secret.asc cannot be read: Permission denied" $import "$work/secret.asc" "$out"
    mkdir "$work/locked"
    chmod 555 "$work/locked"
    refuse_import "no permission to write" "Permission denied" $import "$work/plane.asc" "$work/locked/out.tif"
elif command -v setpriv >/dev/null && setpriv --reuid=65534 --clear-groups test -x "$TYCHO"; then
    as="setpriv --reuid=65534 --clear-groups"
    refuse_import "no permission to read" "secret.asc cannot be read: Permission denied" $as $import "$work/secret.asc" "$out"
    refuse_import "no permission to write" "Permission denied" $as $import "$work/plane.asc" "$out"
else
    echo "not shown: no permission (root may do everything, and there is no way to be somebody else)"
fi

# ---- full disk: a limit on file size, and where mounting is allowed a real one ----
grid 300 'sin(x * x + y) * 1000' >"$work/noise.asc" # 300 kB as a TIFF
(ulimit -f 64; exec $import "$work/noise.asc" "$out") >"$work/o" 2>"$work/e"
code=$?
if [ $code = 2 ] && [ "$(wc -l <"$work/e")" = 1 ] && grep -q "cannot be written" "$work/e"; then ok; else bad "full disk: exit $code: $(cat "$work/e")"; fi
[ -z "$(find "$work" -name 'out*.tif*')" ] || bad "full disk left $(ls "$work")"
mkdir "$work/tiny"
# in a mount namespace of its own, which ends with the command
tiny() { unshare -m bash -c 'mount -t tmpfs -o size=64k none "$1" || exit 99; d=$1; shift; "$@"; r=$?; [ -z "$(ls -A "$d")" ] || exit 98; exit $r' - "$work/tiny" "$@"; }
if [ "$(id -u)" = 0 ] && tiny true 2>/dev/null; then
    refuse "full tmpfs" "cannot be written: .*No space left" tiny $import "$work/noise.asc" "$work/tiny/o.tif"
else
    echo "not shown: a really full disk (mounting is not allowed here); shown with a limit on file size"
fi

# ---- several bands, from the shared data ----
if [ -d "$TYCHO_SHARED/data/sites" ]; then
    site=$TYCHO_SHARED/data/sites/herodotus_mons_hsr.tif
    refuse_import "several bands" "has 3 bands \(1 qts_demstack_slope, 2 qts_demstack, 3 dlre_ra\)" $import "$site" "$out"
    check "band 2" $import --quiet "$site" "$work/herodotus.tif" --band 2
    refuse_import "PNG without a place" "does not say where on the Moon" \
        $import "$TYCHO_SHARED/data/nac/NAC_DTM_TRANQPIT1_E080N0330_257x257+7903+1406.png" "$out"
else
    echo "not shown: several bands (shared data is absent)"
fi
finish
