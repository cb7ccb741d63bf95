# tycho run: the files it makes, that it is repeatable, and what it says to wrong scenarios.
. "$(dirname "$0")/lib.sh"
root=$PWD
cat >"$work/short.yaml" <<Y
version: 1
name: short
start_utc: 2026-12-01T12:00:00
site: {lat_deg: -84, lon_deg: 222.7}
terrain: {extent: 500, seed: 3, relief: {rms_slope_deg: 3, baseline: 5, outer: 200}, craters: {d_max: 30}, rocks: {cover: 0.01, d_min: 0.2}}
duration: 1.5
rovers:
  - model: $root/models/rovers/viper.yaml
    driver: {type: constant, v: 0.2}
    sensors: [{type: camera, name: nav, mount: navcam_left, width: 64, height: 48, period: 1, samples: 2}]
Y
check "run" $TYCHO run "$work/short.yaml" --quiet --no-overview -o "$work/a"
for f in telemetry.csv plots.png map.png summary.json report.html frames/nav_0000000.png frames/nav_0001000.png; do
    [ -s "$work/a/$f" ] && ok || bad "$f is missing"
done
[ "$(wc -l <"$work/a/telemetry.csv")" = 17 ] && ok || bad "telemetry has $(wc -l <"$work/a/telemetry.csv") lines, want 17"
grep -q '"simulated_s": 1.5000' "$work/a/summary.json" && ok || bad "summary: $(cat "$work/a/summary.json")"
[ "$(grep -o 'data:image/png;base64' "$work/a/report.html" | wc -l)" = 4 ] && ok || bad "the report does not hold its 4 pictures"
ls "$work"/a/*.part >/dev/null 2>&1 && bad "a temporary file is left" || ok
check "again" $TYCHO run "$work/short.yaml" --quiet --no-overview -o "$work/b"
cmp -s "$work/a/telemetry.csv" "$work/b/telemetry.csv" && ok || bad "two runs of one scenario differ"
cmp -s "$work/a/frames/nav_0001000.png" "$work/b/frames/nav_0001000.png" && ok || bad "two runs of one scenario show different pictures"
check "another seed" $TYCHO run "$work/short.yaml" --quiet --no-overview -o "$work/c" --set terrain.seed=4
cmp -s "$work/a/telemetry.csv" "$work/c/telemetry.csv" && bad "control: another seed gives the same run" || ok
refuse "folder is there" "new folder" $TYCHO run "$work/short.yaml" --quiet -o "$work/a"
refuse "no such file" "no such file" $TYCHO run "$work/none.yaml"
refuse "no such mount" "no mount 'nose'" $TYCHO run "$work/short.yaml" --set rovers.0.sensors.0.mount=nose -o "$work/d"
refuse "no such rover" "cannot be opened" $TYCHO run "$work/short.yaml" --set rovers.0.model=none.yaml -o "$work/d"
refuse "unknown key" "no key rovers.0.driver.speeed; rovers.0.driver takes type, v, omega_deg" $TYCHO run "$work/short.yaml" --set rovers.0.driver.speeed=1 -o "$work/d"
refuse "no scenario" "one scenario" $TYCHO run
refuse "unknown option" "does not know --fast" $TYCHO run "$work/short.yaml" --fast
[ -e "$work/d" ] && bad "a refused run left a folder" || ok
finish
