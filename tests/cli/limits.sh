# What a run will need is said before it starts; what cannot fit is refused with a sentence, also where the address space is small; any number of settings.
. "$(dirname "$0")/lib.sh"
cat >"$work/s.yaml" <<END
version: 1
duration: 0.02
terrain: {extent: 100, resolution: 0.1, craters: {enabled: false}, rocks: {enabled: false}}
planet: {detail: 256}
rovers:
  - name: r
    model: $(realpath "${TYCHO_SOURCE:-.}")/models/rovers/ex1.yaml
    sensors: [{type: camera, name: eye, width: 32, height: 24, period: 1}]
END
check "an estimate" $TYCHO check "$work/s.yaml"
grep -qE '^  a run: some [0-9.]+ GiB of memory, roughly [0-9.e+-]+ (s|minutes|hours) on [0-9]+ cores? for 0.02 s$' "$work/out" || bad "no estimate: $(cat "$work/out")"
eye=rovers.0.sensors.0
for command in check "run --no-overview -o $work/never"; do
    refuse "$command: a lag of a day" 'the run: 1 camera with its frames under way need .* GiB, and .* GiB are free; .*--memory GIB' \
        $TYCHO $command --set $eye.lag=100000 --set $eye.width=4096 --set $eye.height=4096 "$work/s.yaml"
done
many=()
for i in $(seq 0 39); do many+=(--set "rovers.0.sensors.$i={type: camera, name: c$i, width: 8192, height: 8192, period: 1}"); done
refuse "40 large cameras" 'need .* GiB, and .* GiB are free' $TYCHO check "${many[@]}" "$work/s.yaml"
refuse "a lidar with a long lag" 'need .* GiB, and .* GiB are free' $TYCHO check --set "rovers.0.sensors.0={type: lidar, name: l, model: $(realpath "${TYCHO_SOURCE:-.}")/models/sensors/lidar_flash_landing.yaml, settings: {columns: 3000, rows: 300}, lag: 10000, period: 0.1}" "$work/s.yaml"
refuse "a lidar of 90 million beams" 'lidar: 90000000 beams of 4 rays need .* GiB, and .* GiB are free' $TYCHO check --set "rovers.0.sensors.0={type: lidar, name: l, model: $(realpath "${TYCHO_SOURCE:-.}")/models/sensors/lidar_flash_landing.yaml, settings: {columns: 30000, rows: 3000}}" "$work/s.yaml"
[ -e "$work/never" ] && bad "a folder was made"
check "an estimate at the start" $TYCHO run --no-overview --no-mcap -o "$work/told" "$work/s.yaml"
grep -qE 'some [0-9.]+ GiB of memory, roughly [0-9.e+-]+ (s|minutes|hours) on [0-9]+ cores? for 0.02 s$' "$work/out" "$work/err" || bad "run: no estimate: $(cat "$work/out")"
refuse "memory by hand" 'need .* GiB, and .* are free' $TYCHO run --memory 0.00001 --no-overview -o "$work/never" "$work/s.yaml"
refuse "memory in words" "--memory is 'much'" $TYCHO run --memory much "$work/s.yaml"
check "memory enough" $TYCHO run --memory 1 --no-overview --no-mcap --quiet -o "$work/some" "$work/s.yaml"
# the sanitizers' own memory does not fit into so little
nm "$TYCHO" 2>/dev/null | grep -q __asan_init || refuse "a small address space" 'no memory|did not start|free' bash -c "ulimit -v 500000; exec $TYCHO run --quiet --no-overview -o $work/small $work/s.yaml"
# the 65th setting, and the 100th
more=""
for i in $(seq 1 99); do more="$more --set terrain.seed=$i"; done
refuse "the 298th setting of check" "terrain.seed is 'x'" $TYCHO check $more $more $more --set terrain.seed=x "$work/s.yaml"
refuse "the 100th setting" "terrain.seed is 'x'" $TYCHO run $more --set terrain.seed=x "$work/s.yaml" -o "$work/never"
finish
