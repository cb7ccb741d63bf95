# tycho terrain picture: statistics of a picture, and what it refuses.
. "$(dirname "$0")/lib.sh"
source=$(realpath "${TYCHO_SOURCE:-.}")
check "render" "$TYCHO" render "$source/scenarios/mare_plain.yaml" --eye 0,0,20000 --look 0,-90 --fov 0.5 --size 128x128 --samples 1 --linear --sun 261,53 --quiet -o "$work/n.png"
check "spread" "$TYCHO" terrain picture "$work/n.png"
grep -q "skew" "$work/out" || bad "no skew in the table"
check "octaves" "$TYCHO" terrain picture "$work/n.png" --pixel 1.36 --sun 261 --window 64
[ "$(grep -c " to " "$work/out")" = 3 ] || bad "want three octaves: $(cat "$work/out")"
check "phase" "$TYCHO" terrain picture "$work/n.png" --bin 2 --phase 10,10,100
[ "$(grep -c "^ *[0-9]* to " "$work/out")" -ge 8 ] || bad "want medians by phase angle: $(cat "$work/out")"
grep -q "^pixels *4096" "$work/out" || bad "want a quarter of the pixels"
refuse "a phase" "takes X,Y,F" "$TYCHO" terrain picture "$work/n.png" --phase 10,10,0
refuse "no picture" "takes a picture" "$TYCHO" terrain picture
refuse "no such file" "there is no such file" "$TYCHO" terrain picture "$work/none.png"
refuse "a crop outside" "does not lie in the picture" "$TYCHO" terrain picture "$work/n.png" --crop 100,0,64,64
refuse "no window" "hold no window of 512" "$TYCHO" terrain picture "$work/n.png" --pixel 1 --window 512
refuse "not a power of two" "a window of 100 pixels" "$TYCHO" terrain picture "$work/n.png" --pixel 1 --window 100
finish
