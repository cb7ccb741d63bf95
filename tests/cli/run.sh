# tycho run: the files it makes, that it is repeatable, and what it says to wrong scenarios.
. "$(dirname "$0")/lib.sh"
root=$PWD
cat >"$work/short.yaml" <<Y
version: 1
name: short
start_utc: 2026-12-01T12:00:00
site: {lat_deg: -84, lon_deg: 222.7}
terrain: {extent: 500, seed: 3, relief: {rms_slope_deg: 3, baseline: 5, outer: 200}, craters: {d_max: 30}, rocks: {cover: 0.01, d_min: 0.2}}
planet: {detail: 256}
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
grep -q '"simulated_s": 1.5,' "$work/a/summary.json" && ok || bad "summary: $(cat "$work/a/summary.json")"
[ "$(grep -o 'data:image/png;base64' "$work/a/report.html" | wc -l)" = 4 ] && ok || bad "the report does not hold its 4 pictures"
ls "$work"/a/*.part >/dev/null 2>&1 && bad "a temporary file is left" || ok
if ! brief; then
    check "again" $TYCHO run "$work/short.yaml" --quiet --no-overview -o "$work/b"
    cmp -s "$work/a/telemetry.csv" "$work/b/telemetry.csv" && ok || bad "two runs of one scenario differ"
    cmp -s "$work/a/frames/nav_0001000.png" "$work/b/frames/nav_0001000.png" && ok || bad "two runs of one scenario show different pictures"
    check "another seed" $TYCHO run "$work/short.yaml" --quiet --no-overview -o "$work/c" --set terrain.seed=4
    cmp -s "$work/a/telemetry.csv" "$work/c/telemetry.csv" && bad "control: another seed gives the same run" || ok
fi
# beside the dynamics or in line: the same files; paced by the wall clock
cat >"$work/many.yaml" <<Y
version: 1
name: many
start_utc: 2026-12-01T12:00:00
site: {lat_deg: -84, lon_deg: 222.7}
terrain: {extent: 500, seed: 3, relief: {rms_slope_deg: 3, baseline: 5, outer: 200}, craters: {enabled: false}, rocks: {enabled: false}}
planet: {detail: 256}
duration: 0.4
rovers:
  - name: one
    model: $root/models/rovers/viper.yaml
    driver: {type: constant, v: 0.2}
    sensors:
      - {type: camera, name: raw, mount: navcam_left, width: 48, height: 32, period: 0.1, window: 0.004, lag: 0.05, samples: 2, physical: {f_number: 8},
         filters: [{type: save, path: frames/tap}], actions: [{type: hide, what: self}]}
      - {type: lidar, name: scan, mount: lidar, model: $root/models/sensors/lidar_vlp_16.yaml, period: 0.2, frame: site, filters: [{type: decimate, column: 4}]}
      - {type: imu, name: imu, mount: imu, model: $root/models/sensors/stim300.yaml, period: 0.01, settings: {gyro.range_deg_s: 100}}
      - {type: encoders, name: wheels, files: false}
      - {type: spad, name: flash, mount: hazcam_front, model: $root/models/sensors/spad_8x8.yaml, period: 0.2}
      - {type: spad, name: near, mount: hazcam_front, model: $root/models/sensors/spad_8x8.yaml, period: 0.2, settings: {output: range}}
actors:
  - {name: ball, shape: sphere, size: [0.3, 0, 0], x: 5, z: 1, on_ground: true, sensors: [{type: camera, name: boom, width: 32, height: 24, period: 0.2, samples: 1, truth: true}]}
Y
check "many sensors" $TYCHO run "$work/many.yaml" --quiet --no-overview -o "$work/m"
brief && cp -r "$work/m" "$work/n" || check "in line" $TYCHO run "$work/many.yaml" --quiet --no-overview --serial -o "$work/n"
for f in frames/raw_0000300.png frames/raw_0000300_raw.png frames/tap_00003.png clouds/scan_0000200.pcd samples/imu.csv samples/imu.png ball/frames/boom_0000200.png \
    ball/frames/boom_0000200_depth.png photons/flash_0000200.csv frames/flash_0000200.png samples/near.csv; do
    [ -s "$work/m/$f" ] && ok || bad "$f is missing"
    cmp -s "$work/m/$f" "$work/n/$f" && ok || bad "$f differs between --serial and not"
done
[ "$(wc -l <"$work/m/samples/imu.csv")" = 41 ] && ok || bad "imu.csv has $(wc -l <"$work/m/samples/imu.csv") lines, want 41"
# a row of 256 bins for each of 64 pixels; the ground 0.7 m below a camera that looks down gives its light back within 4 m, not before 0.4 m
[ "$(awk -F, 'NR > 1 { n++; bad += NF != 257 } END { print n, bad }' "$work/m/photons/flash_0000200.csv")" = "64 0" ] && ok || bad "photons: $(head -c 200 "$work/m/photons/flash_0000200.csv")"
[ "$(awk -F, 'NR == 1 { for (i = 2; i < 258; i++) t[i] = $i } NR == 9 { for (i = b = 2; i < 258; i++) if ($i > $b) b = i; print (t[b] > 2.6e-9 && t[b] < 2.7e-8) }' "$work/m/photons/flash_0000200.csv")" = 1 ] && ok || bad "photons: the ground's peak is elsewhere"
[ "$(wc -l <"$work/m/samples/near.csv")" = 193 ] && ok || bad "near.csv has $(wc -l <"$work/m/samples/near.csv") lines, want 193"
[ -e "$work/m/samples/wheels.csv" ] && bad "files: false still wrote a file" || ok
if ! brief; then
    start=$(date +%s%N)
    check "real time" $TYCHO run "$work/short.yaml" --quiet --no-overview --realtime -o "$work/r"
    [ $(($(date +%s%N) - start)) -gt 1400000000 ] && ok || bad "1.5 s in real time took less than 1.4 s"
    grep -q '"late_steps": ' "$work/r/timing.json" && ok || bad "timing.json does not tell of late steps"
    cmp -s "$work/a/telemetry.csv" "$work/r/telemetry.csv" && ok || bad "the wall clock changed the run"
fi
refuse "unknown filter" "rovers.0.sensors.0.filters.0 is wrong: filter: there is no 'blurr'" $TYCHO run "$work/many.yaml" --set rovers.0.sensors.0.filters.0.type=blurr -o "$work/d"
refuse "misfit filter" "'gray' takes a plain number or radiance" $TYCHO run "$work/many.yaml" --set rovers.0.sensors.1.filters.0='{type: gray}' -o "$work/d"
refuse "wrong action" "there is no rover, actor or object 'moon'" $TYCHO run "$work/many.yaml" --set rovers.0.sensors.0.actions.0.what=moon -o "$work/d"
refuse "window longer than the period" "rovers.0.sensors.2.window is 0.02 s, but takes at most the period, 0.01 s" $TYCHO run "$work/many.yaml" --set rovers.0.sensors.2.window=0.02 -o "$work/d"
refuse "wrong camera setting" "f_number is 'wide'" $TYCHO run "$work/many.yaml" --set rovers.0.sensors.0.physical.f_number=wide -o "$work/d"
refuse "folder is there" "new folder" $TYCHO run "$work/short.yaml" --quiet -o "$work/a"
refuse "no such file" "no such file" $TYCHO run "$work/none.yaml"
refuse "no such mount" "no mount 'nose'" $TYCHO run "$work/short.yaml" --set rovers.0.sensors.0.mount=nose -o "$work/d"
refuse "no such rover" "cannot be opened" $TYCHO run "$work/short.yaml" --set rovers.0.model=none.yaml -o "$work/d"
refuse "unknown key" "no key rovers.0.driver.speeed; rovers.0.driver takes type, v, omega_deg" $TYCHO run "$work/short.yaml" --set rovers.0.driver.speeed=1 -o "$work/d"
refuse "no scenario" "one scenario" $TYCHO run
refuse "unknown option" "does not know --fast" $TYCHO run "$work/short.yaml" --fast
[ -e "$work/d" ] && bad "a refused run left a folder" || ok
finish
