# Two rovers that meet: an event with both names; rovers that start inside each other or inside an object are refused by run and check.
. "$(dirname "$0")/lib.sh"
two() { # gap [m], more keys
    cat <<Y
version: 1
name: two
site: {lat_deg: -84, lon_deg: 222.7}
terrain: {extent: 100, relief: {rms_slope_deg: 0}, craters: {enabled: false}, rocks: {enabled: false}}
duration: 3
soil: {model: bekker}
${2:-}
rovers:
  - {name: alpha, model: $PWD/models/rovers/viper.yaml, x: 0, y: 0, yaw_deg: 0, driver: {type: constant, v: 0.2}}
  - {name: bravo, model: $PWD/models/rovers/viper.yaml, x: $1, y: 0, yaw_deg: 180, driver: {type: constant, v: 0.2}}
Y
}
two 2.2 >"$work/meet.yaml"
check "meet" $TYCHO run "$work/meet.yaml" --no-overview -o "$work/meet"
awk -F, '$1 == "collision" && $2 == "alpha" && $12 == "bravo" && $5 > 50 { a = 1 } $1 == "collision" && $2 == "bravo" && $12 == "alpha" { b = 1 } END { exit !(a && b) }' "$work/meet/events.csv" && ok || bad "no collision: $(cat "$work/meet/events.csv")"
grep -q '"other": "bravo"' "$work/meet/summary.json" && ok || bad "summary.json does not name bravo"
two 6 >"$work/far.yaml"
check "control" $TYCHO run "$work/far.yaml" --no-overview -o "$work/far"
grep -q collision "$work/far/events.csv" && bad "control: a collision 6 m apart" || ok
two 0.5 >"$work/in.yaml"
refuse "run of rovers inside each other" "'alpha' and 'bravo' start inside each other" $TYCHO run "$work/in.yaml" -o "$work/none"
refuse "check of rovers inside each other" "'alpha' and 'bravo' start inside each other" $TYCHO check "$work/in.yaml"
two 6 "objects: [{type: sphere, name: ball, radius: 0.5, position: [6, 0, 0.5]}]" >"$work/ball.yaml"
refuse "a rover inside an object" "'bravo' starts inside 'ball'" $TYCHO check "$work/ball.yaml"
finish
