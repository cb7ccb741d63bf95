# `sleep: true`: rovers that stand are left out of the steps, wake when somebody comes near, and change nothing for the others; a run that was stopped goes on with them.
. "$(dirname "$0")/lib.sh"
root=$(realpath "${TYCHO_SOURCE:-.}")
# three EX1 in a row: one drives into the second, the third stands far off
cat >"$work/three.yaml" <<Y
version: 1
name: three
terrain: {extent: 200, seed: 3, relief: {rms_slope_deg: 2}, craters: {enabled: false}, rocks: {enabled: false}}
duration: 6
telemetry: 0.1
soil: {model: bekker, file: $root/models/soils/grc1.yaml}
rovers:
  - {name: goes, model: $root/models/rovers/ex1.yaml, x: 0, y: 0, driver: {type: constant, v: 0.1}}
  - {name: near, model: $root/models/rovers/ex1.yaml, x: 1.1, y: 0, driver: {type: stand}}
  - {name: far, model: $root/models/rovers/ex1.yaml, x: 0, y: 20, driver: {type: stand}}
Y
quick=(--no-overview --no-mcap --quiet)
check "awake" "$TYCHO" run "$work/three.yaml" "${quick[@]}" -o "$work/awake"
check "asleep" "$TYCHO" run "$work/three.yaml" --set sleep=true "${quick[@]}" -o "$work/asleep"
# end ROVER DIR: where it ends
end() { awk -F, 'END { print $2 "," $3 "," $4 }' "$2/$1/telemetry.csv"; }
cmp -s "$work/awake/far/telemetry.csv" "$work/asleep/far/telemetry.csv" && bad "control: nobody slept" || ok
for r in goes near far; do [ "$(end $r "$work/awake")" = "$(end $r "$work/asleep")" ] && ok || bad "$r ends at $(end $r "$work/asleep") with sleepers, at $(end $r "$work/awake") without"; done
awk -F, 'NR == 2 { x = $2 } END { exit !($2 - x > 0.005) }' "$work/asleep/near/telemetry.csv" && ok || bad "who sleeps is not pushed: $(end near "$work/asleep")"
grep -q '"events_collision": 1' "$work/asleep/summary.json" && ok || bad "no collision with one that slept"
# far from all others, with and without sleepers: the same bits for who drives
sed 's/x: 1.1, y: 0/x: 30, y: 0/' "$work/three.yaml" >"$work/apart.yaml"
check "apart, awake" "$TYCHO" run "$work/apart.yaml" --set duration=2 "${quick[@]}" -o "$work/b0"
check "apart, asleep" "$TYCHO" run "$work/apart.yaml" --set duration=2 --set sleep=true "${quick[@]}" -o "$work/b1"
cmp "$work/b0/goes/telemetry.csv" "$work/b1/goes/telemetry.csv" && ok || bad "who drives feels others sleep"
# a checkpoint holds who sleeps
check "whole" "$TYCHO" run "$work/three.yaml" --set sleep=true --set duration=3 --checkpoint 1s "${quick[@]}" -o "$work/whole"
"$TYCHO" run "$work/three.yaml" --set sleep=true --set duration=3 --checkpoint 1s "${quick[@]}" --realtime -o "$work/part" & pid=$!
sleep 2.5; kill -9 $pid; wait $pid 2>/dev/null
check "goes on" "$TYCHO" run --resume "$work/part" --no-overview --quiet
for r in goes near far; do cmp "$work/whole/$r/telemetry.csv" "$work/part/$r/telemetry.csv" && ok || bad "another $r after a resume"; done
finish
