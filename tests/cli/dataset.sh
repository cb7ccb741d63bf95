# `tycho dataset`: the small form of a data set of 200 stereo pairs (the whole of it with TYCHO_LONG=1), its files as other programs
# read them, depth scored against itself, a killed run that goes on, and what it says to wrong input.
. "$(dirname "$0")/lib.sh"
here=$(dirname "$0")/../python
python=/usr/bin/python3; [ -x $python ] || python=python3
spec=datasets/polar_200.yaml
small="--set positions=1 --set sites.0.seeds=[1,2] --set sun.azimuths_deg=[72,200] --set camera.width=96 --set camera.height=72 --set camera.samples=2 --quiet"
[ "${TYCHO_LONG:-}" = 1 ] && small=--quiet

check "plan" $TYCHO dataset $spec --plan
grep -q '200 stereo pairs of 160 x 120 pixels, 20 views on 5 terrains (3 for training, 2 for tests)' "$work/out" && ok || bad "plan: $(cat "$work/out")"
grep -q 'about [0-9]* MB' "$work/out" && ok || bad "the disk space is not told"
check "data set" $TYCHO dataset $spec $small -o "$work/a"
check "as others read it" $python "$here/check_dataset.py" "$work/a"
for control in box area mask image split; do
    if $python "$here/check_dataset.py" "$work/a" $control >/dev/null 2>&1; then bad "control: damaged $control was accepted"; else ok; fi
done
for file in contact_sheet.png statistics.png statistics.json data.yaml dataset.json; do
    [ -s "$work/a/$file" ] && ok || bad "no $file"
done

# true depth against itself, and against a copy that is 3 % farther
check "itself" $TYCHO score depth "$work/a" "$work/a" -o "$work/self.json"
tail -1 "$work/out" | grep -qE '\| 0 \| 0\.000 \| 100\.0 \| [0-9]+ \| 0\.000 \| 100\.0 \|$' && ok || bad "depth against itself: $(tail -1 "$work/out")"
$python - "$work" "$here" <<'P'
import os, sys
sys.path.insert(0, sys.argv[2])
import tiny_png
for base, _, files in os.walk(sys.argv[1] + "/a/depth"):
    for f in files:
        rows = tiny_png.read(f"{base}/{f}")[2]
        to = base.replace("/a/depth", "/far", 1)
        os.makedirs(to, exist_ok=True)
        tiny_png.write16(f"{to}/{f}", [[min(round(1.03 * v), 65535) if v < 63600 else 0 for v in row] for row in rows])
P
check "3 % farther" $TYCHO score depth "$work/a" "$work/far"
tail -1 "$work/out" | grep -qE '\| 0 \| (2\.99|3\.00). \| [0-9.]+ \| [0-9]+ \| (2\.99|3\.00). \| 100\.0 \|$' && ok || bad "3 % farther: $(tail -1 "$work/out")"

# killed at any moment, it goes on and ends with the same bytes; so does another number of threads
RANDOM=11
for k in 1 2 3 4; do
    $TYCHO dataset $spec $small --threads 1 -o "$work/b" >/dev/null 2>&1 & pid=$!
    sleep $((RANDOM % 2)).$((RANDOM % 10)); kill -9 $pid 2>/dev/null; wait $pid 2>/dev/null
done
find "$work/b" -name '*.png' ! -name '*.part' -size 0 | grep -q . && bad "an empty picture" || ok
check "goes on" $TYCHO dataset $spec $small --threads 1 -o "$work/b"
diff -r "$work/a" "$work/b" >"$work/diff" 2>&1 && ok || bad "a run that was killed differs: $(head -3 "$work/diff")"
check "again" $TYCHO dataset $spec ${small/--quiet/} -o "$work/b"
grep -q 'were there already' "$work/out" && ok || bad "a finished run is made again"
check "other seed" $TYCHO dataset $spec $small --set seed=201 -o "$work/c"
diff -rq "$work/a/images" "$work/c/images" >/dev/null 2>&1 && bad "control: another seed gives the same images" || ok
refuse "another data set" "the folder holds another data set" $TYCHO dataset $spec $small --set seed=5 -o "$work/b"

if [ "${TYCHO_LONG:-}" != 1 ]; then
    check "random, EXR, ideal" $TYCHO dataset $spec $small --set mode=random --set pairs=3 --set labels.depth=exr --set camera.chain=ideal \
        --set camera.bits=16 --set "camera.heights=[0.8, 2]" --set "sun.elevations_deg=[3, 40]" --set sun.relative=true -o "$work/r"
    [ "$(find "$work/r/images" -name '*.png' | wc -l)" = 6 ] && [ "$(find "$work/r/depth" -name '*.exr' | wc -l)" = 6 ] && ok || bad "random: files"
    check "EXR against itself" $TYCHO score depth "$work/r" "$work/r" --quiet
fi

refuse "no file" "misses a file name" $TYCHO dataset
refuse "no such file" "no such file" $TYCHO dataset none.yaml
refuse "key" "there is no key 'azimuth'|azimuth" $TYCHO dataset $spec --set sun.azimuth=3
refuse "range" "camera.width is 4, but takes" $TYCHO dataset $spec --set camera.width=4
refuse "bits" "camera.bits is 12, but takes 8 or 16" $TYCHO dataset $spec --set camera.bits=12
refuse "scenario" "which cannot be opened" $TYCHO dataset $spec --set sites.0.scenario=none.yaml
refuse "twice" "seed 3 stands twice" $TYCHO dataset $spec --set "sites.0.seeds=[3, 3]" --plan
refuse "same Sun" "two directions of light are the same or nearly" $TYCHO dataset $spec --set "sun.azimuths_deg=[10, 10.02]" --plan
refuse "same exposure" "two exposures are the same" $TYCHO dataset $spec --set "camera.exposures_ms=[1, 1]" --plan
refuse "empty list" "takes a list of 1 to 1000" $TYCHO dataset $spec --set "sun.azimuths_deg=[]" --plan
refuse "disk" "has .* left" $TYCHO dataset $spec --set mode=random --set pairs=1000000 --set camera.width=8192 --set camera.height=8192 -o "$work/huge"
: >"$work/file"
refuse "not a folder" "folder" $TYCHO dataset $spec -o "$work/file/x"
refuse "option" "does not know --fast" $TYCHO dataset $spec --fast 1
for s in datasets/*.yaml; do
    [[ $s == datasets/rocky_* ]] || check "$s" $TYCHO dataset $s --plan
done
finish
