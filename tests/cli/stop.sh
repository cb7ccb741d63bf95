# Signals, full disks, locks and damaged checkpoints: a run ends with whole files, a sentence, and a way to go on.
. "$(dirname "$0")/lib.sh"
root=$PWD
mkdir "$work/models"
cp models/rovers/ex1.yaml models/rovers/ex1.xml "$work/models"
cat >"$work/drive.yaml" <<Y
version: 1
name: drive
start_utc: 2026-12-01T12:00:00
site: {lat_deg: -84, lon_deg: 222.7}
terrain: {extent: 300, seed: 3, relief: {rms_slope_deg: 2, baseline: 5, outer: 100}, craters: {enabled: false}, rocks: {cover: 0.02, d_min: 0.05}}
planet: {detail: 256}
duration: 6
rovers:
  - name: one
    model: models/ex1.yaml
    driver: {type: constant, v: 0.2}
    sensors: [{type: imu, name: imu, period: 0.01}, {type: camera, name: nav, width: 32, height: 24, samples: 1, period: 1, lag: 0.3}]
Y
quiet="--quiet --no-overview"
check "unbroken" $TYCHO run "$work/drive.yaml" $quiet -o "$work/whole"
# waits until a file has so many lines, at most 20 s
lines() { for _ in $(seq 400); do [ "$(wc -l 2>/dev/null <"$1" || echo 0)" -gt "$2" ] && return; sleep 0.05; done; }

program=$(realpath "$TYCHO")
# what is started in the background ignores SIGINT otherwise
start() { env --default-signal=INT,HUP "$program" run "$@" >"$work/out" 2>"$work/err" & job=$!; }
env --default-signal=INT true 2>/dev/null || { echo "skipped: env cannot reset signals here"; exit 77; }

# ---- a signal ends it at its step; everything is written, and it can go on to the same bytes
for signal in INT TERM HUP; do
    rm -rf "$work/stop"
    start "$work/drive.yaml" --quiet $([ $signal = INT ] || echo --no-overview) --realtime -o "$work/stop" # an overview of one of them
    lines "$work/stop/telemetry.csv" 5
    kill -$signal $job
    wait $job
    code=$?
    [ $code = $((128 + $(kill -l $signal))) ] && ok || bad "SIG$signal: exit code $code: $(cat "$work/err")"
    grep -q "SIG$signal stopped it" "$work/stop/summary.json" && grep -q "It ended because SIG$signal stopped it" "$work/stop/report.html" && ok || bad "SIG$signal: summary or report do not say what ended it"
    grep -q "^to go on: tycho run --resume '$work/stop'" "$work/out" && ok || bad "SIG$signal: it does not say how to go on: $(cat "$work/out")"
    [ "$(tail -c 8 "$work/stop/run.mcap" | od -An -tx1 | tr -d ' \n')" = 894d434150300d0a ] && ok || bad "SIG$signal: run.mcap has no end"
    rows=$(($(wc -l <"$work/stop/samples/imu.csv") - 1)) && grep -q "\"messages\": " "$work/stop/summary.json" && [ $rows -gt 30 ] && ok || bad "SIG$signal: $rows rows of samples"
    awk -F, 'NR == 1 { n = NF } NF != n { bad = 1 } END { exit bad }' "$work/stop/samples/imu.csv" && ok || bad "SIG$signal: the last row of samples is cut"
done
# ---- a signal while the run is being made: no folder, or a whole one
for wait in $(brief || echo 0 0.05) folder; do
    rm -rf "$work/early"
    start "$work/drive.yaml" $quiet --realtime -o "$work/early"
    if [ $wait = folder ]; then for _ in $(seq 4000); do [ -d "$work/early" ] && break; sleep 0.004; done; else sleep $wait; fi
    kill -TERM $job; wait $job
    code=$?
    [ $code = 143 ] && { [ ! -e "$work/early" ] || [ -s "$work/early/report.html" -a -s "$work/early/summary.json" ]; } && ok || bad "SIGTERM after $wait: exit code $code, a part of a folder: $(ls "$work/early")"
    [ $wait != folder ] || { [ -d "$work/early" ] && ok || bad "control: no folder"; check "it goes on from its start" $TYCHO run --resume "$work/early" $quiet; }
done
# from another folder: the scenario was named by a path from here
check "it goes on" bash -c "cd / && $(realpath "$TYCHO") run --resume '$work/stop' $quiet"
rm -f "$work/stop/overview.png"
check "to the same bytes" same_folder "$work/whole" "$work/stop"
[ ! -e "$work/stop/checkpoint" ] && ok || bad "the checkpoint is left at the end"
# a relative path, from elsewhere
if ! brief; then
    cd "$work"
    start drive.yaml $quiet --realtime -o rel
    cd "$root"
    lines "$work/rel/telemetry.csv" 5
    kill -INT $job; wait $job
    check "a scenario given by a relative path" $TYCHO run --resume "$work/rel" $quiet
    cmp -s "$work/whole/run.mcap" "$work/rel/run.mcap" && ok || bad "run.mcap differs after a stop and a resume"
fi
# a second signal ends it at once
start "$work/drive.yaml" --quiet --set duration=100 -o "$work/twice"
lines "$work/twice/telemetry.csv" 2
kill -INT $job; sleep 0.002; kill -INT $job 2>/dev/null; sleep 0.02; kill -INT $job 2>/dev/null
began=$(date +%s%N)
wait $job
code=$?
[ $code = 130 ] && [ ! -s "$work/out" ] && [ $(($(date +%s%N) - began)) -lt 3000000000 ] && ok || bad "a second signal: exit code $code after $((($(date +%s%N) - began) / 1000000)) ms"

# ---- files that may not grow
(ulimit -f 40; exec "$TYCHO" run "$work/drive.yaml" $quiet --set duration=30 -o "$work/limit") >"$work/out" 2>"$work/err"
code=$?
[ $code = 2 ] && grep -q "cannot be written: File too large" "$work/err" && [ "$(wc -l <"$work/err")" = 1 ] && ok || bad "a limit on file sizes: exit code $code: $(cat "$work/err")"
[ -s "$work/limit/summary.json" ] && ok || bad "a limit on file sizes: no summary"

# ---- one run at a time in a folder
"$TYCHO" run "$work/drive.yaml" $quiet --realtime --checkpoint 100ms -o "$work/lock" >/dev/null 2>&1 &
job=$!
lines "$work/lock/telemetry.csv" 4
refuse "a folder in use" "lock is in use: another run writes into it" $TYCHO run --resume "$work/lock" $quiet
kill -KILL $job; wait $job 2>/dev/null
touch "$work/lock/report.html.1-0.part" "$work/lock/frames/x.png.1-0.part"

# what is in it is aligned as the machine wants it, whatever the recording before it was
offset=$(grep -abo "tycho run [0-9]" "$work/lock/checkpoint" | tail -1 | cut -d: -f1)
[ -n "$offset" ] && [ $((offset % 16)) = 0 ] && ok || bad "the run's state lies at byte ${offset:-?} of the checkpoint"

# ---- checkpoints: any byte changed, anything else than what was started
cp -r "$work/lock" "$work/damaged"
size=$(stat -c %s "$work/damaged/checkpoint")
for at in 17 $(brief || echo 40 200 $((size / 3))) $((size / 2)) $((size - 9)); do
    cp "$work/lock/checkpoint" "$work/damaged/checkpoint"
    byte=$(od -An -tu1 -j$at -N1 "$work/damaged/checkpoint" | tr -d ' ')
    printf "\\$(printf %o $(((byte + 1) % 256)))" | dd of="$work/damaged/checkpoint" bs=1 seek=$at conv=notrunc 2>/dev/null
    refuse "byte $at changed" "checkpoint: it is damaged" $TYCHO run --resume "$work/damaged" $quiet
done
head -c $((size - 100)) "$work/lock/checkpoint" >"$work/damaged/checkpoint"
refuse "a cut checkpoint" "checkpoint: it is damaged" $TYCHO run --resume "$work/damaged" $quiet
cp "$work/drive.yaml" "$work/keep.yaml"
sed -i 's/v: 0.2/v: 0.3/' "$work/drive.yaml"
refuse "a changed scenario" "the scenario .*drive.yaml or a file that it names has changed" $TYCHO run --resume "$work/lock" $quiet
cp "$work/keep.yaml" "$work/drive.yaml"
cp "$work/models/ex1.xml" "$work/keep.xml"
sed -i 's/<mujoco/<!-- changed -->\n<mujoco/' "$work/models/ex1.xml"
refuse "a changed model of the rover" "or a file that it names has changed" $TYCHO run --resume "$work/lock" $quiet
cp "$work/keep.xml" "$work/models/ex1.xml"
check "all as it was" $TYCHO run --resume "$work/lock" $quiet
check "the killed run ends with the same bytes" same_folder "$work/whole" "$work/lock"
finish
