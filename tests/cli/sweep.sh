# `tycho sweep`: the same table on any number of processes and after any kill, rows of runs that crash, what it says to wrong input.
# TYCHO_LONG=1: the 200 runs of sweeps/slope_soil.yaml.
. "$(dirname "$0")/lib.sh"
python=/usr/bin/python3; [ -x $python ] || python=python3
quick=(--quiet --no-pictures)
# spec NAME KEYS...: a specification of the model `trouble` that waits; further lines from standard input
spec() {
    { printf 'version: 1\nname: %s\nmodel: trouble\nset: ["wait=%s"]\n' "$1" "$2"; cat; } >"$work/$1.yaml"
}

# wrong input: a sentence before anything starts
s=sweeps/slope_soil.yaml
refuse "unknown key" "terrain.relief.rms_slop: *there is no key|there is no key terrain.relief.rms_slop" $TYCHO sweep $s --set vary.0.key=terrain.relief.rms_slop -o "$work/no"
refuse "unknown key of the file" "there is no key desing \(did you mean design" $TYCHO sweep $s --set desing=grid -o "$work/no"
refuse "empty range" "vary.0.to is 1, but must be above .from., which is 2: the range is empty" $TYCHO sweep $s --set vary.0.to=1 -o "$work/no"
refuse "a range of one" "from 2 to 18 needs 2 values" $TYCHO sweep $s --set vary.0.count=1 -o "$work/no"
refuse "1e12 points" "vary asks for 1e\+12 runs, but a sweep has 10000000 at most" $TYCHO sweep $s --set vary.0.count=1000000 --set vary.2.count=500000 -o "$work/no"
refuse "a value out of range" "rms_slope_deg" $TYCHO sweep $s --set vary.0.to=500 -o "$work/no"
refuse "no such soil" "none.yaml.*cannot be opened" $TYCHO sweep $s --set 'vary.1.values=[none.yaml]' -o "$work/no"
refuse "no such output" "outputs is 'rovers.0.wey_m', but a run's summary.json has no" $TYCHO sweep $s --set 'outputs=[rovers.0.wey_m]' -o "$work/no"
refuse "no such success" "success.key is 'wey'" $TYCHO sweep $s --set 'success=[{key: wey, least: 1}]' -o "$work/no"
refuse "worst of nothing" "worst.key is 'y', but takes one of the .outputs." $TYCHO sweep $s --set worst.key=y -o "$work/no"
refuse "the same key twice" "varies nowhere else" $TYCHO sweep $s --set vary.1.key=terrain.seed -o "$work/no"
refuse "repeats of nothing" "all repeats would be the same run" $TYCHO sweep $s --set repeats=3 -o "$work/no"
refuse "no points" "runs is 0, but takes the number of points" $TYCHO sweep $s --set design=sobol -o "$work/no"
refuse "no files" "there is no such file beside" $TYCHO sweep $s --set 'vary.1={key: soil.file, as: files, pattern: nowhere/*.yaml}' -o "$work/no"
refuse "neither" "either .scenario. or .model. .ishigami, coin, trouble. is needed" $TYCHO sweep sweeps/ishigami.yaml --set scenario=a.yaml -o "$work/no"
refuse "unknown model" "model is 'ishi', but takes one of ishigami" $TYCHO sweep sweeps/ishigami.yaml --set model=ishi -o "$work/no"
refuse "key of a model" "--set x4=.*there is no such key; the model ishigami takes x1, x2, x3, a, b" $TYCHO sweep sweeps/ishigami.yaml --set vary.0.key=x4 -o "$work/no"
refuse "no file" "nothing.yaml" $TYCHO sweep nothing.yaml
refuse "processes" "-j is '0', but a number of processes" $TYCHO sweep $s -j 0
refuse "part" "--part is '3/2', but K/N" $TYCHO sweep sweeps/ishigami.yaml --part 3/2 -o "$work/no"
refuse "no folder of a sweep" "is no folder of a sweep" $TYCHO sweep report "$work"
[ -e "$work/no" ] && bad "something was started" || ok
check "dry run" $TYCHO sweep $s --dry-run -o "$work/no"
grep -q '200 runs of .*slope_climb.yaml (grid)' "$work/out" && grep -q "19  tycho run .*--set terrain.seed=20" "$work/out" && grep -q 'and 180 more' "$work/out" && ok || bad "dry run: $(cat "$work/out")"
[ -e "$work/no" ] && bad "a dry run started something" || ok
for f in sweeps/*.yaml; do check "$f" $TYCHO sweep $f --dry-run; done

# the same table on 1 and on 3 processes, in parts, and a folder that holds another sweep
spec plain 0.02 <<<$'design: latin\nruns: 60\nvary: [{key: x, as: uniform, from: -1, to: 1}]\nsuccess: [{key: y, most: 0.25}]\nworst: {count: 0}'
check "1 process" $TYCHO sweep "$work/plain.yaml" "${quick[@]}" -j 1 -o "$work/p1"
check "3 processes" $TYCHO sweep "$work/plain.yaml" "${quick[@]}" -j 3 -o "$work/p3"
same_sweep "$work/p1" "$work/p3" && ok || bad "another table on 3 processes"
[ "$(wc -l <"$work/p1/runs.csv")" = 61 ] && [ -s "$work/p1/timing.csv" ] && [ -s "$work/p1/report.html" ] && ok || bad "tables: $(ls "$work/p1")"
check "part 1" $TYCHO sweep "$work/plain.yaml" "${quick[@]}" --part 1/2 -o "$work/parts"
check "part 0" $TYCHO sweep "$work/plain.yaml" "${quick[@]}" --part 0/2 -o "$work/parts"
[ "$(ls "$work/parts/rows" | wc -l)" = 60 ] && ok || bad "rows of parts: $(ls "$work/parts/rows" | wc -l)"
check "parts together" $TYCHO sweep "$work/plain.yaml" "${quick[@]}" -o "$work/parts"
same_sweep "$work/p1" "$work/parts" && [ ! -e "$work/parts/rows" ] && ok || bad "another table in parts"
refuse "another sweep" "holds another sweep" $TYCHO sweep "$work/plain.yaml" --set seed=2 -o "$work/p1"
$TYCHO sweep "$work/plain.yaml" "${quick[@]}" --set seed=2 -o "$work/p2" && cmp -s "$work/p1/runs.csv" "$work/p2/runs.csv" && bad "control: another seed gives the same table" || ok

# killed at random moments: a worker, the master, all of them; then the same command again
RANDOM=20; kills=10; brief && kills=2
for ((k = 0; k < kills; k++)); do
    d=$work/k$k
    setsid $TYCHO sweep "$work/plain.yaml" "${quick[@]}" -j 2 -o "$d" >/dev/null 2>&1 & master=$!
    sleep 0.$(printf %02d $((5 + RANDOM % 55)))
    case $((k % 3)) in
    0) kill -9 "$master" 2>/dev/null ;;
    1) children=($(pgrep -P "$master")); [ ${#children[@]} -gt 0 ] && kill -9 "${children[0]}" 2>/dev/null ;;
    2) kill -9 -- "-$master" 2>/dev/null ;;
    esac
    wait "$master" 2>/dev/null
    check "after kill $k" $TYCHO sweep "$work/plain.yaml" "${quick[@]}" -j 2 -o "$d"
    same_sweep "$work/p1" "$d" && ok || bad "another table after kill $k"
done
# Ctrl-C: it says how to go on
setsid $TYCHO sweep "$work/plain.yaml" --no-pictures -j 1 -o "$work/int" >"$work/out" 2>&1 & master=$!
sleep 0.4; kill -INT "$master"; wait "$master"; code=$?
[ $code = 130 ] && grep -q 'the same command goes on' "$work/out" && ok || bad "SIGINT: exit $code: $(cat "$work/out")"
check "after SIGINT" $TYCHO sweep "$work/plain.yaml" "${quick[@]}" -o "$work/int"
same_sweep "$work/p1" "$work/int" && ok || bad "another table after SIGINT"

# what goes wrong in a run is a row with its sentence
spec wrong 0 <<<$'vary: [{key: kind, as: list, values: [0, 1, 2, 3, 4, 5]}, {key: x, as: list, values: [1, 2]}]\nwall_limit: 0.5\nretries: 1\nworst: {count: 2}'
check "crashes" $TYCHO sweep "$work/wrong.yaml" "${quick[@]}" -j 2 -o "$work/w"
for row in '0,0,1,done,1' '2,1,1,failed,0,trouble was asked for at x = 1' '4,2,1,killed,0,its process was ended by the signal SIGABRT' \
    '6,3,1,killed,0,its process was ended by the signal SIGSEGV' '8,4,1,killed,0,"it took longer than wall_limit, 0.5 s"' '10,5,1,killed,0,"its process was ended by the signal SIGKILL'; do
    grep -qF -- "$row" "$work/w/runs.csv" && ok || bad "no row '$row': $(cat "$work/w/runs.csv")"
done
grep -q '^4,2,' "$work/w/timing.csv" && ok || bad "a crash was not tried again: $(cat "$work/w/timing.csv")"
grep -q 'Runs that failed' "$work/w/report.html" && grep -q 'signal SIGABRT' "$work/w/report.html" && ok || bad "the page does not tell of failures"
check "once more" $TYCHO sweep "$work/wrong.yaml" "${quick[@]}" --retry -o "$work/w"
brief && { finish; exit; }

# runs of a scenario: bad draws are rows, folders are kept as asked, the page holds what it should
small=(--set vary.0.count=2 --set vary.2.count=2); [ "${TYCHO_LONG:-}" = 1 ] && small=()
check "scenario, 1 process" $TYCHO sweep $s "${small[@]}" "${quick[@]}" -j 1 -o "$work/s1"
check "scenario, 2 processes" $TYCHO sweep $s "${small[@]}" "${quick[@]}" -j 2 -o "$work/s2"
same_sweep "$work/s1" "$work/s2" && ok || bad "another table of a scenario on 2 processes"
grep -q ',done,' "$work/s1/runs.csv" && ! grep -q ',failed,' "$work/s1/runs.csv" && ok || bad "runs: $(cat "$work/s1/runs.csv")"
check "bad draws" $TYCHO sweep sweeps/arrival.yaml --quiet --set runs=4 --set 'set=["duration=0.3", "rovers.0.sensors=[]"]' --set 'vary=[{key: gravity, as: normal, mean: 1.6, sd: 2}]' \
    --set 'keep=[summary.json, map.png]' --set keep_of=all --set worst.count=1 -o "$work/d"
grep -q 'failed,0,.*gravity is -.*but takes a number from' "$work/d/runs.csv" && grep -q ',done,' "$work/d/runs.csv" && ok || bad "bad draws: $(cat "$work/d/runs.csv")"
kept=$(ls -d "$work"/d/runs/*/ | head -1); [ "$(ls "$kept" | tr '\n' ' ')" = "map.png summary.json " ] && ok || bad "kept: $(ls "$kept")"
for words in 'Success by what varies' 'Response curves' 'Worst cases' 'tycho run .*slope_climb.yaml' 'data:image/png' 'Wilson'; do
    grep -q "$words" "$work/d/report.html" && ok || bad "the page has no '$words'"
done
check "page again" $TYCHO sweep report "$work/s1" --no-pictures

# sensitivity on the page: the known indices
check "ishigami" $TYCHO sweep sweeps/ishigami.yaml --set runs=512 --quiet -o "$work/i"
$python - "$work/i/report.html" <<'P' && ok || bad "indices of the page"
import re, sys
rows = re.findall(r'<tr><td>(x\d)</td><td class="num">([-\d.]+)</td><td[^>]*>[^<]*</td><td class="num">([-\d.]+)</td>', open(sys.argv[1]).read())
want = {'x1': (.3139, .5576), 'x2': (.4424, .4424), 'x3': (0, .2437)}
sys.exit(len(rows) != 3 or any(abs(float(a) - want[k][0]) > .03 or abs(float(b) - want[k][1]) > .03 for k, a, b in rows))
P
finish
