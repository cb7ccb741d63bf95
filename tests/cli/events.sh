# Events of a run where their place is known beforehand: the shadow of a ridge, a slope, a rock on the way of one wheel; with controls.
. "$(dirname "$0")/lib.sh"
root=$PWD
# A site of 400 m: a ridge across the way, 60 m ahead, and a slope along it
ground() { # name ridge_m slope
    awk -v ridge="$2" -v slope="$3" 'BEGIN { n = 400; printf "ncols %d\nnrows %d\nxllcorner 0\nyllcorner 0\ncellsize 1\n", n, n
        for (j = 0; j < n; j++) { line = ""; for (i = 0; i < n; i++) { x = i + 0.5 - n / 2; line = line sprintf("%.4f ", ridge * exp(-((x - 60) / 6) ^ 2) + slope * x) } print line } }' >"$work/$1.asc"
    check "ground $1" $TYCHO terrain import "$work/$1.asc" "$work/$1.tif" --pixel 1 --lat 0 --lon 0 --quiet
    cat >"$work/$1.yaml" <<Y
version: 1
name: $1
start_utc: 2026-12-17T12:00:00
site: {lat_deg: 0, lon_deg: 0}
terrain: {base: $1.tif, extent: 300, craters: {enabled: false}, rocks: {enabled: false}}
duration: 40
telemetry: 0.1
rovers:
  - {model: $root/models/rovers/viper.yaml, driver: {type: constant, v: 0.3}}
Y
}
go() { local name=$1; shift; check "run $name" $TYCHO run "$@" -o "$work/$name" --no-overview --no-mcap --quiet; }
field() { awk -F, -v kind="$2" -v k="$3" '$1 == kind { print $k; exit }' "$work/$1/events.csv"; } # of the first event of a kind
near() { awk -v a="$2" -v b="$3" -v e="$4" 'BEGIN { exit !(a != "" && a - b <= e && b - a <= e) }' && ok || bad "$1: $2, want $3 to $4"; }

# ---- into the shadow of a ridge: where half of the disk is hidden, its middle stands on the steepest line from the rover's panels, half a metre up, to the ridge
ground ridge 10 0
go shade "$work/ridge.yaml" --set duration=50
x=$(field shade shadow 10)
want=$(awk -F, -v t="$(field shade shadow 3)" 'NR > 1 && $1 <= t + 1e-6 { z = $4 + 0.5; el = $11 } END { s = sin(el * 0.0174532925) / cos(el * 0.0174532925)
    for (x = 0; x < 20; x += 0.01) { top = 0
        for (p = 50; p < 70; p += 0.05) { v = (10 * exp(-((p - 60) / 6) ^ 2) - z) / (p - x); if (v > top) top = v }
        if (top > s) { print x; exit } } }' "$work/shade/telemetry.csv")
echo "shadow begins at x = $x m, the ridge's is at $want m"
near "place of the shadow" "$x" "$(awk "BEGIN { print $want + 0.15 }")" 0.3 # looked at every 0.3 m of the way; 0.15 m for what the grid cuts off the ridge
half=$(awk -F, 'NR > 1 && $12 != seen { if (seen > 0.5 && $12 <= 0.5) { print x + ($2 - x) * (seen - 0.5) / (seen - $12); exit } seen = $12; x = $2 }' "$work/shade/telemetry.csv")
echo "half of the Sun is hidden at x = $half m"
near "half of the disk" "$half" "$want" 0.1
near "no Sun is left at the end" "$(field shade shadow 5)" 0 0
near "it lasts to the end" "$(field shade shadow 4)" 50 0
[ "$(awk -F, 'NR > 1 && $12 == 1 { n++ } END { print (n > 200) }' "$work/shade/telemetry.csv")" = 1 ] && ok || bad "the way up to the shadow is not in the Sun"
ground flat 0 0
go lit "$work/flat.yaml" --set duration=5
[ "$(wc -l <"$work/lit/events.csv")" = 1 ] && ok || bad "control: events on flat ground in the Sun: $(cat "$work/lit/events.csv")"
go night "$work/flat.yaml" --set duration=2 --set start_utc=2026-12-15T12:00:00
near "at night there is shadow from the start" "$(field night shadow 3)" 0 0

# ---- a slope of 25 degrees: tilt, and slip as the telemetry has it
ground slope 0 0.466308
go climb "$work/slope.yaml" --set duration=6
# it leans as the slope does, and by what its rear wheels, which slip and carry more, stand deeper than the front ones over 1.284 m
lean=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i ~ /^front_.*_sinkage_m$/) f[i] = 1; if ($i ~ /^rear_.*_sinkage_m$/) r[i] = 1 } }
    NR > 1 { d = 0; for (i in r) d += $i / 2; for (i in f) d -= $i / 2; if (d > top) top = d } END { print 25 + 57.296 * top / 1.284 }' "$work/climb/telemetry.csv")
near "tilt" "$(field climb tilt 5)" "$lean" 1
[ "$(awk -v l="$lean" 'BEGIN { print (l < 28) }')" = 1 ] && ok || bad "wheels stand $lean deg apart"
grep -q '"events_tilt": 1,' "$work/climb/summary.json" && ok || bad "the summary does not tell of the tilt"
read -r from to worst < <(awk -F, '$1 == "high_slip" { print $3, $4, $5; exit }' "$work/climb/events.csv")
seen=$(awk -F, -v a="${from:-0}" -v b="${to:-0}" 'NR == 1 { for (i = 1; i <= NF; i++) slip[i] = $i ~ /_slip$/ } NR > 1 && $1 >= a - 1e-6 && $1 <= b + 1e-6 {
    for (i in slip) if (slip[i]) { v = $i < 0 ? -$i : $i; if (v > top) top = v } } END { print 100 * top }' "$work/climb/telemetry.csv")
echo "slip of up to ${worst:-none} % from ${from:-} to ${to:-} s; rows say $seen %"
awk -F'[:,]' -v w="$worst" '/"worst"/ { n += $2 - w < 1e-6 && w - $2 < 1e-6 } END { exit !n }' "$work/climb/summary.json" && ok || bad "summary.json does not have the slip of events.csv, $worst %"
awk -v w="${worst:-0}" -v s="$seen" 'BEGIN { exit !(w >= 40 && w >= s - 0.01 && w <= s + 2) }' && ok || bad "slip: event ${worst:-none} %, rows $seen %"

# ---- drives too weak for the soil: stuck; a side slope of 50 degrees: tip_over; both end the run. Control: the rover as it is
sed "s/stall_torque: 300/stall_torque: 0.5/; s#^model: viper.xml#model: $root/models/rovers/viper.xml#" "$root/models/rovers/viper.yaml" >"$work/weak.yaml"
cat >"$work/plane.yaml" <<Y
version: 1
name: plane
start_utc: 2026-12-01T12:00:00
terrain: {extent: 100, relief: {rms_slope_deg: 0}, craters: {enabled: false}, rocks: {enabled: false}}
duration: 15
end_on: [stuck, tip_over]
rovers:
  - {model: $root/models/rovers/viper.yaml, driver: {type: constant, v: 0.2}}
Y
go weak "$work/plane.yaml" --set "rovers.0.model=$work/weak.yaml"
near "stuck after ten seconds" "$(field weak stuck 3)" 10 0.5
grep -q '"ended": "stuck of rover' "$work/weak/summary.json" && ok || bad "the run does not end with stuck: $(grep ended "$work/weak/summary.json")"
# up a slope that is too steep it slides back with wheels that turn: stuck by a minute's way, and the hour's drive ends. Controls: it climbs less than half as steep a one; it turns on the spot
go slides "$work/plane.yaml" --set duration=3600 --set terrain.slope_deg=28 --set rovers.0.yaw_deg=90
near "stuck after a minute" "$(field slides stuck 3)" 60 1
grep -q '"ended": "stuck of rover' "$work/slides/summary.json" && ok || bad "the hour does not end with stuck: $(grep ended "$work/slides/summary.json")"
awk -F, 'NR > 1 { y = $3; v = $8 } END { exit !(y < -5 && v > 0.1) }' "$work/slides/telemetry.csv" && ok || bad "control: it does not slide: $(tail -n 1 "$work/slides/telemetry.csv")"
go climbs "$work/plane.yaml" --set duration=65 --set terrain.slope_deg=12 --set rovers.0.yaw_deg=90
go turns "$work/plane.yaml" --set duration=65 --set 'rovers.0.driver={type: constant, v: 0, omega_deg: 8}'
[ -z "$(field climbs stuck 3)$(field turns stuck 3)" ] && ok || bad "control: stuck: $(cat "$work/climbs/events.csv" "$work/turns/events.csv")"
go tip "$work/plane.yaml" --set terrain.slope_deg=50
near "tips over" "$(field tip tip_over 5)" 60 2
grep -q '"ended": "tip_over of rover' "$work/tip/summary.json" && ok || bad "the run does not end with tip_over: $(grep ended "$work/tip/summary.json")"
go free "$work/plane.yaml"
grep -q '"ended": "its duration was over"' "$work/free/summary.json" && [ "$(wc -l <"$work/free/events.csv")" = 1 ] && ok || bad "control: $(cat "$work/free/events.csv")"
go late "$work/plane.yaml" --set 'rovers.0.driver={type: waypoints, speed: 0.2, give_up: 4, points: [{x: 0.5, y: 0, arrive: 2}, {x: 20, y: 0}]}' --set "rovers.0.model=$work/weak.yaml"
grep -q '"ended": "a driver gave up"' "$work/late/summary.json" && grep -q '"waypoints_reached": 0' "$work/late/summary.json" && ok || bad "the driver does not give up: $(cat "$work/late/events.csv")"
go there "$work/plane.yaml" --set 'rovers.0.driver={type: waypoints, speed: 0.2, points: [{x: 0.5, y: 0, arrive: 2}]}'
grep -q '"waypoints_reached": 1' "$work/there/summary.json" && grep -q '"arrival_planned_s": 2' "$work/there/summary.json" && ok || bad "arrival: $(grep -i arriv "$work/there/summary.json")"

# ---- VIPER's wheels over the traverse's rocks: all of them carry something, on soil or on a rock. Control: actuators that stand still
sed "s/^  rate: 0.05 .*/  rate: 1e-9/; s#^model: viper.xml#model: $root/models/rovers/viper.xml#" "$root/models/rovers/viper.yaml" >"$work/stiff.yaml"
loaded() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /_load_n$/) w[i] = 1 } NR > 1 { n++; up = 1; for (i in w) if ($i < 10) up = 0; k += up } END { print 100 * k / n }' "$work/$1/telemetry.csv"; }
for name in stands held; do
    go $name "$root/scenarios/viper_traverse.yaml" --set 'rovers.0.sensors=[]' --set telemetry=0.05 $([ $name = held ] && echo --set "rovers.0.model=$work/stiff.yaml")
done
echo "all wheels carry more than 10 N: $(loaded stands) % of the time, with actuators held $(loaded held) %"
awk -v a="$(loaded stands)" -v b="$(loaded held)" 'BEGIN { exit !(a >= 98 && b < 97) }' && ok || bad "wheels loaded $(loaded stands) % of the time, want 98; control $(loaded held) %, want less than 97"

# ---- one rock under the left wheels, or between the wheels
cat >"$work/rocks.yaml" <<Y
version: 1
name: rocks
start_utc: 2026-12-01T12:00:00
site: {lat_deg: -84, lon_deg: 222.7}
terrain: {extent: 100, seed: 5, relief: {rms_slope_deg: 0}, craters: {enabled: false}, rocks: {cover: 0.02, d_min: 0.2, d_max: 0.3}}
duration: 10
rovers:
  - {model: $root/models/rovers/viper.yaml, driver: {type: constant, v: 0.2}}
Y
check "list of rocks" $TYCHO terrain generate "$work/rocks.yaml" "$work/r.tif" --size 40 --spacing 0.1 --rocks "$work/rocks.csv" --quiet
read -r rx ry rd id < <(awk -F, 'NR > 1 && $3 > 0.2 && $3 < 0.26 { print $1, $2, $3, $8; exit }' "$work/rocks.csv")
half=0.608 # [m] from the middle to a wheel, as the model has it; front wheels are 0.638 m ahead
at() { awk "BEGIN { print $1 }"; }
go hit "$work/rocks.yaml" --set "rovers.0.x=$(at "$rx - 2")" --set "rovers.0.y=$(at "$ry - $half")"
read -r wheel ex ey ed < <(awk -F, -v id="$id" '$1 == "rock_contact" && $8 == id { print $7, $10, $11, $9; exit }' "$work/hit/events.csv")
echo "rock of $rd m at $rx, $ry: met by ${wheel:-none} at ${ex:-}, ${ey:-}"
[ "${wheel:-}" = front_left ] && ok || bad "the rock is met by '${wheel:-none}', not by front_left: $(cat "$work/hit/events.csv")"
near "place of the wheel before the rock" "$(at "$rx - ${ex:-0}")" 0.25 0.2 # within the radii of wheel and rock
near "place across" "${ey:-}" "$ry" 0.05
near "its diameter" "${ed:-}" "$rd" 0.001
awk -F, -v id="$id" '$1 == "rock_contact" && $8 == id && $7 == "front_right" { n++ } END { exit n > 0 }' "$work/hit/events.csv" && ok || bad "the right wheel met the rock"
go miss "$work/rocks.yaml" --set "rovers.0.x=$(at "$rx - 2")" --set "rovers.0.y=$ry"
grep -q "$id" "$work/miss/events.csv" && bad "control: the rock between the wheels is met" || ok
finish
