# A run into a folder (src/record): the same from `tycho run` and from a program of 40 lines; several rovers, each under its name.
. "$(dirname "$0")/lib.sh"
root=$PWD
bin=$(dirname "$TYCHO")/examples
cat >"$work/two.yaml" <<Y
version: 1
name: two
start_utc: 2026-12-01T12:00:00
site: {lat_deg: -84, lon_deg: 222.7}
terrain: {extent: 500, seed: 3, relief: {rms_slope_deg: 3, baseline: 5, outer: 200}, craters: {enabled: false}, rocks: {enabled: false}}
planet: {detail: 256}
duration: 0.6
rovers:
  - name: a
    model: $root/models/rovers/viper.yaml
    driver: {type: constant, v: 0.2}
    sensors: [{type: camera, name: nav, mount: navcam_left, width: 48, height: 32, period: 0.5, samples: 1}, {type: imu, name: b_c, period: 0.01}]
  - name: a_b
    model: $root/models/rovers/ex1.yaml
    x: 6
    driver: {type: constant, v: 0.1}
    sensors: [{type: camera, name: nav, width: 32, height: 24, period: 0.5, samples: 1}, {type: imu, name: c, period: 0.01}]
Y
set -- "$work/two.yaml" --set terrain.seed=4 --set "start_utc=2026-12-01T12:00:00"
check "tycho run" $TYCHO run "$@" --quiet --no-overview -o "$work/run"
for rover in a a_b; do
    for f in telemetry.csv plots.png map.png frames/nav_0000000.png frames/nav_0000500.png; do
        [ -s "$work/run/$rover/$f" ] && ok || bad "$rover/$f is missing"
    done
    [ "$(wc -l <"$work/run/$rover/telemetry.csv")" = 8 ] && ok || bad "$rover: $(wc -l <"$work/run/$rover/telemetry.csv") rows of telemetry, want 8"
    grep -q "\"rover\": \"$rover\"" "$work/run/summary.json" && ok || bad "the summary does not name $rover"
done
# the place of each: x of the first column that has it
awk -F, 'FNR == 2 { x[FILENAME] = $2 } END { for (f in x) n++; for (f in x) s += x[f]; exit !(n == 2 && s > 5.9 && s < 6.1) }' "$work"/run/*/telemetry.csv && ok || bad "the rovers' rows are not of their own places"
# rover a's sensor b_c and rover a_b's sensor c: both are whole
for f in a/samples/b_c.csv a_b/samples/c.csv; do
    [ "$(wc -l <"$work/run/$f")" = 61 ] && ok || bad "$f has $(wc -l <"$work/run/$f" 2>&1) lines, want 61"
done
[ "$(grep -c '"model": "viper"\|"model": "ex1"' "$work/run/summary.json")" = 2 ] && ok || bad "the summary does not have both models"
[ "$(grep -o 'data:image/png;base64' "$work/run/report.html" | wc -l)" = 10 ] && ok || bad "the report holds $(grep -o 'data:image/png;base64' "$work/run/report.html" | wc -l) pictures, want 10"
grep -q '"images": 4,' "$work/run/summary.json" && ok || bad "4 images are not counted: $(grep images "$work/run/summary.json")"
grep -q wall "$work/run/summary.json" && bad "the summary holds numbers of the wall clock" || ok
awk -F'[:,]' '/"simulated_s"/ { s = $2 } /"wall_s"/ { w = $2 } /real_time_factor/ { f = $2 } END { r = s / w / f; exit !(r > 0.95 && r < 1.05) }' "$work/run/timing.json" && ok || bad "real_time_factor is not simulated / wall: $(cat "$work/run/timing.json")"

# ---- slip while a rover turns on the spot counts
check "a point turn" $TYCHO run "$work/two.yaml" --quiet --no-overview --no-mcap -o "$work/turn" --set duration=3 --set rovers.0.driver.v=0 --set rovers.0.driver.omega_deg=12 \
    --set rovers.0.sensors='[]' --set rovers.1.sensors='[]'
awk -F'[:,]' '/"slip_max"/ { print $2; exit }' "$work/turn/summary.json" | awk '{ exit !($1 > 0.02) }' && ok || bad "no slip in a point turn: $(grep slip_max "$work/turn/summary.json")"

# ---- the same by a program of at most 40 lines
[ "$(wc -l <examples/record_run.c)" -le 40 ] && ok || bad "examples/record_run.c has $(wc -l <examples/record_run.c) lines"
check "record_run" "$bin/record_run" --no-overview "$work/two.yaml" "$work/program" terrain.seed=4 start_utc=2026-12-01T12:00:00
check "the same folder, byte by byte" same_folder "$work/run" "$work/program"
if [ -n "${TYCHO_LONG:-}" ]; then # with the picture at the end, too
    check "record_run with an overview" "$bin/record_run" "$work/two.yaml" "$work/program2" terrain.seed=4 start_utc=2026-12-01T12:00:00
    check "tycho run with an overview" $TYCHO run "$@" --quiet -o "$work/run2"
    check "the same folder with an overview" same_folder "$work/run2" "$work/program2"
fi
printf 'x' >>"$work/program/events.csv"
same_folder "$work/run" "$work/program" >/dev/null 2>&1 && bad "control: a byte more is not seen" || ok
finish
