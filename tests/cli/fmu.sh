# `tycho fmu`: what it refuses; then FMPy of PyPI judges the FMUs of both versions and steps them beside `tycho run`.
. "$(dirname "$0")/lib.sh"
source=$PWD build=$(cd "$(dirname "$TYCHO")" && pwd)
mkdir "$work/models"
cp models/rovers/viper.yaml models/rovers/viper.xml models/sensors/stim300.yaml "$work/models"
cat >"$work/own.yaml" <<'Y'
version: 1
name: own
terrain: {relief: {rms_slope_deg: 2}, craters: {enabled: false}, rocks: {enabled: false}, extent: 100, seed: 5}
duration: 1
soil: {model: bekker}
rovers:
  - name: viper
    model: models/viper.yaml   # not models/viper.xml
    driver: {type: constant, v: 0.2, omega_deg: 3}
    sensors:
      - {type: imu, name: imu, mount: imu, model: models/stim300.yaml, period: 0.01}
      - {type: camera, name: eye, mount: navcam_left, width: 32, height: 24, period: 0.5, samples: 1, maps: [depth]}
Y
own=$work/own.yaml
refuse "no file" "takes one scenario and -o" $TYCHO fmu "$own"
refuse "version" "'4', but 2 or 3" $TYCHO fmu "$own" -o "$work/x.fmu" --fmi 4
refuse "arrays of 2" "no arrays" $TYCHO fmu "$own" -o "$work/x.fmu" --fmi 2 --array eye
refuse "sensor" "no sensor 'ear'" $TYCHO fmu "$own" -o "$work/x.fmu" --array ear
refuse "scenario" "soil.model" $TYCHO fmu "$own" -o "$work/x.fmu" --set soil.model=mud
refuse "absolute" "goes to other machines" $TYCHO fmu "$own" -o "$work/x.fmu" --set "rovers.0.model=$work/models/viper.yaml"
refuse "folder" "cannot be written" $TYCHO fmu "$own" -o "$work/none/x.fmu"
refuse "clash" "named 'viper.imu.wx'" $TYCHO fmu "$own" -o "$work/x.fmu" --set 'rovers.1={name: viper.imu, model: models/viper.yaml, x: 9}'
[ -e "$work/x.fmu" ] && bad "something was written" || ok
fmu() { local name=$1; shift; check "$name" $TYCHO fmu "$own" -o "$work/$name.fmu" "$@"; }
fmu told3 --set 'rovers.0.driver={type: external}' --array eye --no-libraries
fmu again --set 'rovers.0.driver={type: external}' --array eye --no-libraries
cmp -s "$work/told3.fmu" "$work/again.fmu" && ok || bad "the same scenario gave another file"
if ! brief; then
    fmu own3
    fmu own2 --fmi 2 --no-libraries
    fmu told2 --fmi 2 --set 'rovers.0.driver={type: external}' --no-libraries
fi
# ---- a controller in C as FMU drives a rover
for v in 2 3; do
    check "cc $v" cc -shared -fPIC -O2 -ffp-contract=off -fvisibility=hidden -Wall -Wextra -DVERSION=$v tests/fmu/pid.c -o "$work/pid.so" -lm
    check "pack $v" python3 tests/fmu/pack.py $v "$work/pid.so" "$work/pid$v.fmu" keeps
done
for v in 2 3; do
    check "cc kite $v" cc -shared -fPIC -O2 -ffp-contract=off -fvisibility=hidden -Wall -Wextra -DVERSION=$v tests/fmu/kite.c -o "$work/kite.so" -lm
    check "pack kite $v" python3 tests/fmu/pack.py $v "$work/kite.so" "$work/kite$v.fmu" keeps kite
done
check "pack without states" python3 tests/fmu/pack.py 3 "$work/pid.so" "$work/loose.fmu"
driver() { echo "rovers.0.driver={type: fmu, file: $1, connect: {heading: yaw, turn: omega${3:-}}, set: {target: ${2:-0.4}, kp: 0.8, ki: ${5:-0}${4:-}}}"; }
drive() { local name=$1; shift; check "drive $name" $TYCHO run "$own" -o "$work/$name" --no-overview --quiet --set duration=8 --set rovers.0.sensors=[] "$@"; }
yaw() { tail -1 "$work/$1/telemetry.csv" | cut -d, -f7; } # [deg]
near() { awk -v a="$1" -v b="$2" -v e="$3" 'BEGIN { exit !(a - b < e && b - a < e) }'; }
drive pid3 --set "$(driver pid3.fmu)"
near "$(yaw pid3)" 22.918 1.5 && ok || bad "PID: heading $(yaw pid3) deg, want 22.9"
if ! brief; then
    drive pid2 --set "$(driver pid2.fmu)"
    cmp -s "$work/pid2/telemetry.csv" "$work/pid3/telemetry.csv" && ok || bad "PID: FMI 2 and 3 drive otherwise"
    drive other --set "$(driver pid3.fmu -0.4)"
    near "$(yaw other)" -22.918 1.5 && ok || bad "control: heading $(yaw other) deg, want -22.9"
fi
# stopped in the middle, and on to the same bytes
$TYCHO run "$own" -o "$work/broken" --no-overview --quiet --set duration=8 --set rovers.0.sensors=[] --set "$(driver pid3.fmu)" >"$work/out" 2>&1 &
pid=$!
for i in $(seq 300); do [ "$(cat "$work/broken/telemetry.csv" 2>/dev/null | wc -l)" -gt 20 ] && break; sleep 0.02; done
kill -INT $pid; wait $pid
check "resume" $TYCHO run --resume "$work/broken" --quiet --no-overview
cmp -s "$work/broken/telemetry.csv" "$work/pid3/telemetry.csv" && ok || bad "resumed, the FMU drove otherwise"
lie() { local name=$1 pattern=$2; shift 2; refuse "$name" "$pattern" $TYCHO run "$own" -o "$work/lie" --no-overview --quiet --set duration=1 --set rovers.0.sensors=[] "$@"; rm -rf "$work/lie"; }
echo "no archive, but long enough to be one" >"$work/text.fmu"
python3 -c 'import sys, zipfile; zipfile.ZipFile(sys.argv[1], "w").writestr("a", "b")' "$work/empty.fmu"
python3 -c 'import sys, zipfile; zipfile.ZipFile(sys.argv[1], "w").writestr("../../out", "b")' "$work/climb.fmu"
head -c 3000 "$work/pid3.fmu" >"$work/cut.fmu"
lie "no archive" "is no ZIP archive" --set "$(driver text.fmu)"
lie "no description" "no modelDescription.xml" --set "$(driver empty.fmu)"
lie "out of its folder" "may lead out of its folder" --set "$(driver climb.fmu)"
lie "cut short" "is no ZIP archive" --set "$(driver cut.fmu)"
lie "no file" "which cannot be opened .*an FMU" --set "$(driver none.fmu)"
lie "an input of nothing" "its input 'heading' is nothing that the rover tells" --set "rovers.0.driver={type: fmu, file: pid3.fmu}"
lie "an output to nothing" "connect sends an output to 'wings'" --set "$(driver pid3.fmu 0.4 ', v: wings')"
lie "a name that it lacks" "set names 'mass'" --set "$(driver pid3.fmu 0.4 '' ', mass: 3')"
lie "no number" "set takes numbers, not 'much'" --set "$(driver pid3.fmu 0.4 '' ', kd: much')"
lie "no state" "cannot serialise its state" --set "$(driver loose.fmu)" --checkpoint 100ms
# ---- an FMU moves an actor
kite='{name: kite, fmu: kite3.fmu, connect: {north: viper.y, east: viper.x}, set: {radius: 2.5}'
drive kite --set "actors=[$kite}]" --set duration=1
lie "two that move it" "and a trajectory does too" --set "actors=[$kite, trajectory: models/viper.yaml}]"
lie "an actor's input of nothing" "actor 'kite', FMU .*its input 'north' is nothing that a rover tells" --set 'actors=[{name: kite, fmu: kite3.fmu}]'
lie "no FMU" "is about an FMU, but the actor has none" --set 'actors=[{name: kite, set: {radius: 2}}]'
ls -d "${TMPDIR:-/tmp}"/tycho-fmu-* >"$work/left" 2>/dev/null && bad "folders of FMUs were left: $(head -2 "$work/left")" || ok
if brief; then finish; exit; fi
. "$(dirname "$0")/python.sh"
if ! cmp -s tests/python/fmi.txt "$venv/fmi.txt"; then
    timeout 300 "$venv/bin/pip" install --quiet --no-deps --require-hashes --only-binary :all: -r tests/python/fmi.txt >"$work/pip.log" 2>&1 ||
        { echo "skipped: FMPy (tests/python/fmi.txt) cannot be installed"; exit 77; }
    cp tests/python/fmi.txt "$venv/fmi.txt"
fi
check "actors" env PYTHONPATH="$build/pytycho" "$venv/bin/python" -X faulthandler tests/python/test_actors.py "$work"
check "PID, as doubles" $TYCHO run "$own" -o "$work/pid" --no-overview --quiet --set rovers.0.sensors=[] --set "$(driver pid3.fmu)"
check "the run" $TYCHO run "$own" -o "$work/run" --no-overview --quiet
# nothing of this machine's folders is needed: the scenario and its models are gone
mv "$own" "$work/models" "$work/run"
export OMEGA=$($python -c 'import math; print((3 * (math.pi / 180)).hex())')
export LD_LIBRARY_PATH=$source/deps/mujoco-3.17.0/lib # for those without libraries; own3.fmu finds its own first
check "FMPy" "$venv/bin/python" -X faulthandler tests/python/test_fmu.py "$work"
grep -q '^OK' "$work/err" && ok || bad "FMPy: $(tail -30 "$work/err")"
finish
