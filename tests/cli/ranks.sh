# `mpirun -n R tycho run`: one world over ranks. Eight rovers with sensors, and two that collide, have the files of one process; a rank that dies leaves whole
# files; what is not for ranks is refused. How ranks share without MPI: tests/unit/sim/test_share.c. TYCHO_LONG=1: for longer.
. "$(dirname "$0")/lib.sh"
[ -e "$(dirname "$TYCHO")/libtycho_mpi.so" ] && command -v mpirun >/dev/null || { echo "skipped: built without OpenMPI, or there is no mpirun"; exit 77; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_base_warn_component_unused=0
quick=(--quiet --no-overview)
long() { [ "${TYCHO_LONG:-}" = 1 ]; }
ranks() { local n=$1; shift; timeout 600 mpirun --oversubscribe -n "$n" "$TYCHO" run "$@" "${quick[@]}"; }
{
    cat <<Y
version: 1
name: eight
start_utc: 2026-12-01T12:00:00
site: {lat_deg: -84, lon_deg: 222.7}
terrain: {extent: 300, seed: 3, relief: {rms_slope_deg: 3, baseline: 5, outer: 100}, craters: {enabled: false}, rocks: {cover: 0.02, d_max: 0.3}}
planet: {detail: 256}
duration: 0.5
telemetry: 0.05
soil: {model: bekker}
rovers:
Y
    for k in 0 1 2 3 4 5 6 7; do
        echo "  - {name: r$k, model: $PWD/models/rovers/$([ $k = 5 ] && echo viper || echo ex1).yaml, x: $((k % 4 * 12)), y: $((k / 4 * 12)), yaw_deg: $((k * 30)), driver: {type: constant, v: 0.15}"
        case $k in
        1) echo "     , sensors: [{type: imu, name: imu, period: 0.01}]}" ;;
        6) echo "     , sensors: [{type: camera, name: nav, width: 48, height: 32, period: 0.2, samples: 1, lag: 0.1}, {type: imu, name: imu, period: 0.013}]}" ;;
        *) echo "    }" ;;
        esac
    done
} >"$work/eight.yaml"
more=(--set duration=$(long && echo 20 || echo 0.5))

# ---- apart: the same files
check "1 process" "$TYCHO" run "$work/eight.yaml" "${more[@]}" "${quick[@]}" -o "$work/e1"
for n in 2 4; do
    check "$n ranks" ranks $n "$work/eight.yaml" "${more[@]}" -o "$work/e$n"
    check "8 rovers on $n ranks: the same folder, byte by byte" same_folder "$work/e1" "$work/e$n"
done
check "another exchange" ranks 2 "$work/eight.yaml" "${more[@]}" --set exchange=0.1 -o "$work/late"
for f in $(cd "$work/e1" && ls */telemetry.csv */samples/*.csv events.csv r6/frames/*); do # the setting itself stands in the rest
    cmp "$work/e1/$f" "$work/late/$f" && ok || bad "another exchange, another $f"
done
check "control" ranks 2 "$work/eight.yaml" "${more[@]}" --set rovers.7.driver.v=0.1501 -o "$work/other"
same_folder "$work/e1" "$work/other" >/dev/null 2>&1 && bad "control: a rover of rank 1 that drives otherwise is not seen" || ok
[ "$(ls "$work/e4/r6/frames" | wc -l)" = 3 ] || long && ok || bad "rank 3's camera has $(ls "$work/e4/r6/frames" | wc -l) frames"

# ---- two that meet: of two ranks first, of one when they touch
cat >"$work/meet.yaml" <<Y
version: 1
name: meet
start_utc: 2026-12-01T12:00:00
terrain: {extent: 100, seed: 3, relief: {rms_slope_deg: 2, baseline: 5, outer: 50}, craters: {enabled: false}, rocks: {enabled: false}}
duration: 13
soil: {model: bekker}
rovers:
  - {name: a, model: $PWD/models/rovers/ex1.yaml, x: -3, driver: {type: constant, v: 0.25}}
  - {name: b, model: $PWD/models/rovers/ex1.yaml, x: 3, y: 0.1, yaw_deg: 180, driver: {type: constant, v: 0.25}}
Y
check "they meet in 1 process" "$TYCHO" run "$work/meet.yaml" "${quick[@]}" -o "$work/m1"
timeout 300 mpirun --oversubscribe -n 2 "$TYCHO" run "$work/meet.yaml" --no-overview -o "$work/m2" >"$work/out" 2>&1 && ok || bad "they meet over ranks: $(tail -3 "$work/out")"
grep -q 'rovers changed theirs [1-9]' "$work/out" && ok || bad "no rover changed its rank: $(cat "$work/out")"
grep -q '^collision,b' "$work/m2/events.csv" && ok || bad "they did not touch"
check "a meeting: the same folder" same_folder "$work/m1" "$work/m2"

# ---- a rank dies: the others end with a sentence and whole files
for victim in 1 0; do
    d=$work/k$victim
    setsid timeout 120 mpirun --oversubscribe -n 2 "$TYCHO" run "$work/meet.yaml" --set duration=1000 "${quick[@]}" -o "$d" >"$work/out" 2>"$work/err" & job=$!
    for ((k = 0; k < 300; k++)); do [ "$(wc -l 2>/dev/null <"$d/a/telemetry.csv" || echo 0)" -gt 20 ] && break; sleep 0.1; done
    pid=$(pgrep -f "run $work/meet.yaml .*-o $d" | while read -r p; do [ "$(readlink "/proc/$p/exe")" = "$(realpath "$TYCHO")" ] && tr '\0' '\n' <"/proc/$p/environ" | grep -qx "OMPI_COMM_WORLD_RANK=$victim" && echo "$p"; done | sort -n | head -1)
    [ -n "$pid" ] && kill -9 "$pid"
    wait $job && bad "a job whose rank $victim died ended well" || ok
    for ((k = 0; k < 600; k++)); do [ -s "$d/report.html" ] && break; sleep 0.1; done
    grep -q "one of its 2 ranks died, or mpirun was told to end" "$work/err" && ok || bad "no sentence when rank $victim died: $(cat "$work/err")"
    grep -q '"ended": "SIGTERM stopped it: one of its 2 ranks died' "$d/summary.json" && ok || bad "the summary of a run whose rank $victim died: $(cat "$d/summary.json" 2>&1 | head -5)"
    for f in a/telemetry.csv b/telemetry.csv a/map.png b/plots.png events.csv run.mcap terrain_after.tif timing.json report.html; do
        [ -s "$d/$f" ] && ok || bad "$f is missing after rank $victim died"
    done
    rows=$(wc -l <"$d/b/telemetry.csv")
    [ "$rows" -gt 130 ] && rows=130
    cmp <(head -$rows "$d/b/telemetry.csv") <(head -$rows "$work/m1/b/telemetry.csv") && ok || bad "rows until rank $victim died are others than in one process"
    [ -z "$(find "$d" -name '*.part')" ] && ok || bad "pieces of files: $(find "$d" -name '*.part')"
done

# ---- refused, with one sentence, before there is a folder
no() {
    local name=$1 says=$2 n=$3; shift 3
    ranks "$n" "$work/meet.yaml" "$@" -o "$work/no" >/dev/null 2>"$work/err"; code=$?
    [ $code = 2 ] && [ "$(grep -c '^tycho run: ' "$work/err")" = 1 ] && grep -qE "$says" "$work/err" && [ ! -e "$work/no" ] && ok || bad "$name: exit $code: $(grep tycho "$work/err")"
}
no "more ranks than rovers" "3 ranks, but only 2 rovers" 3
no "columns" "soil is scm, but one world over ranks takes" 2 --set soil.model=scm
no "particles" "soil is bekker with a patch" 2 --set soil.patch.model=crm
no "dust" "dust does not fly over ranks" 2 --set dust.enabled=true
no "an odd interval" "exchange is 0.03 s" 2 --set exchange=0.03
no "a device" "backend takes cpu" 2 --backend auto
no "checkpoints" "checkpoint is for one process" 2 --checkpoint 1s
no "real time" "realtime is for one process" 2 --realtime
no "a wrong key" "rovers.0.driver.v" 2 --set rovers.0.driver.v=fast
no "a wrong option" "does not know --nothing" 2 --nothing
finish
