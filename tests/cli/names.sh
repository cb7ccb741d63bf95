# Names of rovers, sensors, actors and wheels become files, topics and columns: one rule for all of them, and none twice.
. "$(dirname "$0")/lib.sh"
root=$PWD
scenario() { # rovers' and actors' part
    cat <<Y
version: 1
name: names
start_utc: 2026-12-01T12:00:00
site: {lat_deg: -84, lon_deg: 222.7}
terrain: {extent: 300, seed: 3, relief: {rms_slope_deg: 2, baseline: 5, outer: 100}, craters: {enabled: false}, rocks: {enabled: false}}
planet: {detail: 256}
duration: 0.05
telemetry: 0.05
$1
Y
}
rover() { echo "{$1 model: $root/models/rovers/ex1.yaml, x: $2, driver: {type: stand}, sensors: [${3:-}]}"; }
imu() { echo "{type: imu, name: $1, period: 0.01}"; }
try() { scenario "$3" >"$work/s.yaml"; refuse "$1 (check)" "$2" $TYCHO check "$work/s.yaml"; refuse "$1 (run)" "$2" $TYCHO run "$work/s.yaml" --quiet --no-overview -o "$work/out"; }
rule="takes letters, digits, '_', '-' and '.', and does not start with '.'"

# ---- outside of the folder, into a page, a JSON file, a table
mkdir "$work/vic" && echo precious >"$work/vic/data.csv"
try "a sensor's name that climbs out" "rovers.0.sensors.0.name is '../../vic/data', but $rule" "rovers: [$(rover "" 0 "$(imu ../../vic/data)")]"
[ "$(cat "$work/vic/data.csv")" = precious ] && ok || bad "a sensor's name wrote over another file"
try "script in a sensor's name" "rovers.0.sensors.0.name is 'q.*', but $rule" "rovers: [$(rover "" 0 "$(imu "'q\"<script>alert(1)</script>'")")]"
try "a quote in a rover's name" "rovers.0.name is 'a\"b', but $rule" "rovers: [$(rover "name: 'a\"b'," 0)]"
try "a comma in a sensor's name" "rovers.0.sensors.0.name is 'a,b', but $rule" "rovers: [$(rover "" 0 "$(imu "'a,b'")")]"
try "a slash in an actor's name" "actors.0.name is '/tmp/x', but $rule" "actors: [{name: /tmp/x}]"
try "an empty name" "rovers.0.name is '', but $rule" "rovers: [$(rover "name: ''," 0)]"
sed 's/name: front_left/name: "front,left"/' models/rovers/ex1.yaml >"$work/comma.yaml"
sed -i "s|model: \([a-z0-9_]*\.xml\)|model: $root/models/rovers/\1|" "$work/comma.yaml"
if grep -q 'front,left' "$work/comma.yaml"; then
    refuse "a comma in a wheel's name" "wheels.0.name is 'front,left', but $rule" $TYCHO check "$work/comma.yaml"
else
    bad "models/rovers/ex1.yaml has no wheel front_left"
fi

# ---- the same name twice: both places are named
try "two rovers without names" "rovers.1.name is 'rover', but rovers.0 is named 'rover'" "rovers: [$(rover "" 0), $(rover "" 5)]"
try "two rovers of one name" "s.yaml:[0-9]*:[0-9]*: rovers.1.name is 'a', but rovers.0 is named 'a'" "rovers: [$(rover "name: a," 0), $(rover "name: a," 5)]"
try "two sensors of one name" "rovers.0.sensors.1.name is 'imu', but rovers.0.sensors.0 is named 'imu'" "rovers: [$(rover "" 0 "$(imu imu), $(imu imu)")]"
try "an actor named as a rover" "actors.0.name is 'a', but rovers.0 is named 'a'" "$(printf 'rovers: [%s]\nactors: [{name: a}]' "$(rover "name: a," 0)")"
try "names that are one topic" "rovers.0.sensors.1.name is 'a-b', but rovers.0.sensors.0 is named 'a_b'" "rovers: [$(rover "" 0 "$(imu a_b), $(imu a-b)")]"

# ---- names that a simple join would mix up, and long ones that differ at their end: everything is there
long=x23456789012345678901234567890123456789012345678901234567890
scenario "rovers: [$(rover "name: a_b," 0 "$(imu c)"), $(rover "name: a," 5 "$(imu b_c), $(imu ${long}12), $(imu ${long}34)")]" >"$work/s.yaml"
check "names alike" $TYCHO run "$work/s.yaml" --quiet --no-overview -o "$work/alike"
for f in a_b/samples/c.csv a/samples/b_c.csv a/samples/${long}12.csv a/samples/${long}34.csv; do
    [ "$(wc -l <"$work/alike/$f")" = 6 ] && ok || bad "$f has not 5 rows"
done

# ---- frames faster than a millisecond have names of their own
scenario "rovers: [$(rover "" 0 "{type: camera, name: fast, width: 16, height: 12, samples: 1, period: 0.00025}")]" >"$work/s.yaml"
check "a fast camera" $TYCHO run "$work/s.yaml" --quiet --no-overview --no-mcap -o "$work/fast" --set duration=0.002
[ "$(ls "$work/fast/frames" | wc -l)" = 9 ] && ok || bad "9 frames became $(ls "$work/fast/frames" | wc -l) files"
[ -e "$work/fast/frames/fast_0000001_250000.png" ] && ok || bad "no frame at 1.25 ms: $(ls "$work/fast/frames" | head -3)"

# ---- the command that repeats a run is whole, and quoted as a shell takes it
scenario "rovers: [$(rover "" 0)]" >"$work/it's \$(touch pwned).yaml"
settings=()
for i in $(seq 70); do settings+=(--set "terrain.seed=$((1000 + i))"); done
check "70 settings" $TYCHO run "$work/it's \$(touch pwned).yaml" --quiet --no-overview --no-mcap -o "$work/quoted" "${settings[@]}"
command=$(sed -n 's|.*<pre><code>\(.*\)</code></pre>.*|\1|p' "$work/quoted/report.html" | sed "s/&#39;/'/g; s/&#34;/\"/g; s/&#60;/</g; s/&#62;/>/g; s/&#38;/\&/g")
(cd "$work" && printf '%s\n' "printf '%s\n' ${command#tycho run }" >words.sh && bash words.sh >words)
[ "$(head -1 "$work/words")" = "$work/it's \$(touch pwned).yaml" ] && [ "$(wc -l <"$work/words")" = 141 ] && [ ! -e "$work/pwned" ] && ok || bad "the command is cut or not quoted: $(head -c 300 "$work/words")"
grep -q '"seed": 1070' "$work/quoted/summary.json" && ok || bad "the 70th setting was lost"
finish
