# Outputs that are links, pipes or devices: followed and written through, never replaced.
. "$(dirname "$0")/lib.sh"
wheel="$TYCHO wheel --slip 0.2 --load 100 --quiet"
small="--set terrain.rocks.enabled=false --set terrain.resolution=0.05 --detail 256 --size 48x32 --samples 1 --quiet"
ln -s real.csv "$work/link.csv"
check "through a link" $wheel --csv "$work/link.csv"
[ -L "$work/link.csv" ] && [ -s "$work/real.csv" ] && ok || bad "the link was replaced"
mkfifo "$work/pipe.csv"
timeout 20 cat "$work/pipe.csv" >"$work/got.csv" &
check "into a pipe" $wheel --csv "$work/pipe.csv"
wait $!
[ -p "$work/pipe.csv" ] && cmp -s "$work/got.csv" "$work/real.csv" && ok || bad "the pipe was replaced, or got something else"
for name in full.csv full.png full.exr; do ln -s /dev/full "$work/$name"; done
refuse "full device" "No space left on device" $wheel --csv "$work/full.csv"
refuse "picture on a full device" "No space left on device" $TYCHO render scenarios/mare_plain.yaml $small -o "$work/full.png"
refuse "EXR on a full device" "No space left on device" $TYCHO render scenarios/mare_plain.yaml $small -o "$work/full.exr"
for name in full.csv full.png full.exr; do [ -L "$work/$name" ] && ok || bad "$name was replaced"; done
[ -c /dev/full ] && ok || bad "/dev/full is no device any more"
# not /dev/stdout: a program that gets this wrong would replace it for everybody
[ "$($wheel --csv /dev/fd/1 | cmp - "$work/real.csv" 2>&1 | wc -c)" = 0 ] && ok || bad "/dev/fd/1 got something else"
ls "$work" | grep -q 'part$' && bad "a temporary file is left: $(ls "$work")" || ok
finish
