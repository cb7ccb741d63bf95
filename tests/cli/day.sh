# A long drive on bekker without cameras: checkpoints write only what is new of the ground, their other part stays small, and memory stays below
# 512 MiB and flat after the first hour. Here three minutes and the sizes alone; TYCHO_LONG=1: 24 hours.
. "$(dirname "$0")/lib.sh"
source=$(realpath "${TYCHO_SOURCE:-.}")
seconds=180 every=30s
[ "${TYCHO_LONG:-}" = 1 ] && seconds=86400 every=10min
# out along a spiral, 3 m between its turns, so that all of the ground is fresh; steps of 5 ms take a third of the time of 1 ms (steps of 1 to 4 ms agree within 1 % in way, slip and sinkage over 200 s, 5 ms was not compared)
awk -v s="$source" -v seconds=$seconds 'BEGIN {
    print "version: 1\nname: day\nstart_utc: 2026-12-01T12:00:00\nsite: {lat_deg: -84.0, lon_deg: 222.7}"
    print "terrain: {extent: 2000, seed: 84, relief: {rms_slope_deg: 1}, craters: {enabled: false}, rocks: {enabled: false}}"
    print "step: 0.005\ntelemetry: 1\nduration: " seconds "\nsoil: {model: bekker}\nrovers:\n  - name: viper\n    model: " s "/models/rovers/viper.yaml\n    x: 5\n    yaw_deg: 90"
    printf "    driver: {type: waypoints, speed: 0.2, points: ["
    for (r = 5; way < 0.2 * seconds + 50; way += r * d) { d = r > 8 ? 8 / r : 0.8; a += d; r += 3 * d / 6.28; printf "%s{x: %.1f, y: %.1f}", n++ ? ", " : "", r * cos(a), r * sin(a) }
    print "]}" }' >"$work/day.yaml"
"$TYCHO" run "$work/day.yaml" --no-mcap --no-overview --quiet --checkpoint $every -o "$work/day" >/dev/null 2>"$work/err" &
job=$!
hour=0 most=0
# as each checkpoint comes: time, size of the state, of the ground's file, and of the process [kB]
while kill -0 $job 2>/dev/null; do
    state=$(stat -c '%Y.%s' "$work/day/checkpoint" 2>/dev/null)
    if [ -n "$state" ] && [ "$state" != "${last:-}" ]; then
        last=$state
        t=$(tail -n 1 "$work/day/telemetry.csv" | cut -d. -f1)
        rss=$(awk '/VmRSS/ { print $2 }' "/proc/$job/status" 2>/dev/null)
        ground=$(stat -c %s "$work/day/checkpoint.ground" 2>/dev/null)
        echo "${t:-0} ${state#*.} ${ground:-0} ${rss:-0}" >>"$work/sizes"
    fi
    sleep 0.2
done
wait $job; code=$?
[ $code = 0 ] && ok || bad "the drive: exit $code: $(cat "$work/err")"
[ "${TYCHO_LONG:-}" = 1 ] && cat "$work/sizes"
check "checkpoints were seen" test "$(wc -l <"$work/sizes")" -ge 3
# state and ground of the first and the last: the state does not grow with the way, but for rows of the plots, of which 8192 are kept
awk 'NR == 1 { s = $2 } END { exit !($2 < s + 4e6) }' "$work/sizes" && ok || bad "the state grows: $(head -1 "$work/sizes") to $(tail -1 "$work/sizes")"
awk '{ if (NR > 2 && $3 - g > 2 * (g - f) + 2e6) bad = 1; f = g; g = $3 } END { exit bad }' "$work/sizes" && ok || bad "a checkpoint wrote more than what is new: $(cat "$work/sizes")"
awk 'NR == 1 { g = $3 } END { exit !($3 > g) }' "$work/sizes" && ok || bad "control: the ground's file does not grow at all"
# what each took, of timing.json: time of the run, wall time, state, what was added of the ground
awk -F'[:,]' '/"t_s"/ { t = $2 } /"wall_s"/ { w = $2 } /"state_bytes"/ { s = $2 } /"ground_bytes"/ { print t + 0, w + 0, s + 0, $2 + 0 }' "$work/day/timing.json" >"$work/took"
check "timing.json has a row for each checkpoint" test "$(wc -l <"$work/took")" -ge 3
awk -v all="$(tail -n 1 "$work/sizes" | cut -d' ' -f3)" '{ sum += $4 } END { exit !(sum >= all && sum < 1.2 * all + 1e6) }' "$work/took" && ok || bad "the ground's rows are not its file: $(cat "$work/took")"
if [ "${TYCHO_LONG:-}" = 1 ]; then
    # memory after the first hour: flat to 10 % until the end, where pictures are drawn; below the bound then, too
    awk -v end=$seconds '{ if ($1 >= 3600 && !h) h = $4; if ($4 > m) m = $4; if ($1 < end) l = $4; if ($1 < end && $4 > d) d = $4 }
        END { print "resident: " h / 1024 " MiB after an hour, " l / 1024 " before the end, " d / 1024 " at most on the drive, " m / 1024 " with the pictures"; exit !(m < 512 * 1024 && d < 1.1 * h) }' "$work/sizes" &&
        ok || bad "memory grows"
    # a checkpoint after 24 h costs what one after 1 h does: medians of six each, as both hang on where the rover is and on the disk
    median() { cut -d' ' -f"$1" | sort -g | sed -n 3p; }
    for k in 2 3 4; do
        hour=$(awk '$1 >= 3600' "$work/took" | head -n 6 | median $k) end=$(tail -n 7 "$work/took" | head -n 6 | median $k)
        echo "a checkpoint's $(echo 'wall time [s]|state [bytes]|ground [bytes]' | cut -d'|' -f$((k - 1))): $hour after an hour, $end at the end"
        awk -v h="$hour" -v e="$end" -v k=$k 'BEGIN { exit !(e < 1.5 * h + (k == 2 ? 0.5 : 0)) }' && ok || bad "checkpoints grow: $hour to $end"
    done
fi
finish
