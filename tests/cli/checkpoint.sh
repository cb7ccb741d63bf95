# Runs that are killed at random moments and resumed end with the same bytes as one that was left alone; a full disk gets a sentence
# and leaves what was finished readable. TYCHO_LONG=1: 50 kills.
. "$(dirname "$0")/lib.sh"
source=$(realpath "${TYCHO_SOURCE:-.}")
cat >"$work/drive.yaml" <<END
version: 1
name: drive
start_utc: 2026-12-01T12:00:00
site: {lat_deg: -84.0, lon_deg: 222.7}
planet: {detail: 256}
terrain:
  extent: 200
  seed: 84
  craters: {d_max: 20}
  rocks: {cover: 0.01, d_max: 0.5}
duration: 4
rovers:
  - name: viper
    model: $source/models/rovers/viper.yaml
    yaw_deg: 90
    driver: {type: waypoints, speed: 0.2, points: [{x: -1, y: 4}]}
    sensors:
      - {type: camera, name: navcam, mount: navcam_left, width: 48, height: 36, period: 0.5, samples: 1, window: 0.01, lag: 0.3, physical: {}, maps: [depth, flow]}
      - {type: imu, name: imu, mount: imu, model: $source/models/sensors/stim300.yaml, period: 0.02}
      - {type: encoders, name: wheels, period: 0.1}
END
arguments=(run "$work/drive.yaml" --checkpoint 500ms --no-overview --quiet -o)
run() { "$TYCHO" "${arguments[@]}" "$@"; }
# all that a run wrote; what the wall clock said is in timing.json and in one part of the report alone
same() { same_folder "$1" "$2"; }
check "unbroken" run "$work/whole"
check "the checkpoint is gone at the end" test ! -e "$work/whole/checkpoint"
check "there are events to compare" test "$(wc -l <"$work/whole/events.csv")" -gt 1
check "and ruts" test -s "$work/whole/terrain_after.tif"

kills=${TYCHO_LONG:+50}; kills=${kills:-4}
RANDOM=7
killed=0
for k in $(seq "$kills"); do
    rm -rf "$work/broken"
    "$TYCHO" "${arguments[@]}" "$work/broken" >/dev/null 2>&1 & # the program itself, so that it is what is killed
    job=$!
    # until the first checkpoint there is nothing to resume; then anywhere up to the end
    for _ in $(seq 600); do [ -e "$work/broken/checkpoint" ] && break; sleep 0.05; done
    sleep "0.$((RANDOM % 900 + 100))"
    kill -KILL $job 2>/dev/null && killed=$((killed + 1))
    wait $job 2>/dev/null
    for again in 1 2; do # the second also kills the resumed run
        [ -e "$work/broken/checkpoint" ] || break
        if [ $again = 1 ] && [ $((k % 2)) = 0 ]; then
            "$TYCHO" run --resume "$work/broken" --no-overview --quiet >/dev/null 2>&1 &
            job=$!
            sleep "0.$((RANDOM % 900 + 100))"
            kill -KILL $job 2>/dev/null
            wait $job 2>/dev/null
        else
            check "resume $k" "$TYCHO" run --resume "$work/broken" --no-overview --quiet
        fi
    done
    check "killed run $k has the same bytes" same "$work/whole" "$work/broken"
done
echo "$killed of $kills runs were killed on the way"
check "some were killed" test $killed -gt 0

# control: a run that differs in one key is seen
check "another run" run "$work/other" --set rovers.0.driver.speed=0.19
check "control: it differs" sh -c "! cmp -s '$work/whole/telemetry.csv' '$work/other/telemetry.csv'"

refuse "nothing to resume" "that has --checkpoint and has not ended" "$TYCHO" run --resume "$work/whole"
refuse "no such time" "a time of 1 ms or more is accepted" "$TYCHO" run "$work/drive.yaml" --checkpoint often
mkdir "$work/bad" && head -c 3000 /dev/urandom >"$work/bad/checkpoint"
refuse "not a checkpoint" "not a checkpoint of this version" "$TYCHO" run --resume "$work/bad"

# a full disk: a file system of 400 kB, where one can be mounted
if [ "$(id -u)" = 0 ] && mkdir "$work/small" && mount -t tmpfs -o size=400k tmpfs "$work/small" 2>/dev/null; then
    "$TYCHO" run "$work/drive.yaml" -o "$work/small/run" --checkpoint 500ms --no-overview --quiet >"$work/full.out" 2>"$work/full.err"
    code=$?
    check "a full disk gets exit code 2" test $code = 2
    check "and a sentence" grep -q "cannot be written: No space left" "$work/full.err"
    check "in one line" test "$(wc -l <"$work/full.err")" = 1
    check "rows of telemetry are whole" awk -F, 'NR == 1 { n = NF } NF != n { bad = NR } END { exit bad && bad < NR }' "$work/small/run/telemetry.csv"
    for f in "$work"/small/run/frames/*.png; do [ -e "$f" ] && { file "$f" 2>/dev/null | grep -q "PNG image" || ! command -v file >/dev/null || bad "$f is not a picture"; }; done
    umount "$work/small"
else
    echo "no file system can be mounted here: the full disk is not tried"
fi
finish
