# Every scene of the gallery by the host and on a device, at small size (at full size in the long form: TYCHO_LONG=1), and a device whose
# memory is bounded.
. "$(dirname "$0")/lib.sh"
# shellcheck disable=SC2086
bare="scenarios/mare_plain.yaml --set terrain.rocks.enabled=false --set terrain.resolution=0.05 --size 48x32 --samples 1 --sun 120,20 --quiet"
$TYCHO render $bare --detail 256 --backend opencl -o "$work/a.png" >"$work/out" 2>&1 || {
    grep -q 'there is no OpenCL device\|has no OpenCL' "$work/out" && echo "skipped: $(cat "$work/out")" && exit 77
}
[ -n "${TYCHO_LONG:-}" ] && form="" || form=small
# shellcheck disable=SC2086
scripts/parity $form >"$work/table" 2>&1
cat "$work/table"
missed=$(sed -n 's/ *does not agree$//p' "$work/table" | tr '\n' ' ')
[ -z "$missed" ] && ok || bad "host and device do not agree: $missed"
[ "$(grep -c ' agrees$' "$work/table")" -ge 9 ] && ok || bad "fewer than 9 scenes were compared"
refuse "without a device" 'takes effect with --backend opencl' $TYCHO render $bare --compare
refuse "a device that is not there" "there is 0 " $TYCHO render $bare --backend opencl --device nonsense --compare
refuse "memory" "1 to 1e7, not 'much'" $TYCHO render $bare --backend opencl --device-memory much -o "$work/b.png"

# memory that is too little for the ground as asked for: coarser from some distance on, and a sentence about it
check "bounded memory" $TYCHO render $bare --detail 1024 --backend opencl --device-memory 120 -o "$work/c.png"
grep -q 'is coarser than asked for' "$work/err" && ok || bad "nothing was said of coarser ground: $(cat "$work/err")"
check "enough memory" $TYCHO render $bare --detail 256 --backend opencl --device-memory 512 -o "$work/d.png"
grep -q 'coarser' "$work/err" && bad "control: 512 MiB are enough for this ground" || ok
finish
