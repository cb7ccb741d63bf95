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
if brief; then finish; exit; fi
fmu own3
fmu own2 --fmi 2 --no-libraries
fmu told2 --fmi 2 --set 'rovers.0.driver={type: external}' --no-libraries
. "$(dirname "$0")/python.sh"
if ! cmp -s tests/python/fmi.txt "$venv/fmi.txt"; then
    timeout 300 "$venv/bin/pip" install --quiet --no-deps --require-hashes --only-binary :all: -r tests/python/fmi.txt >"$work/pip.log" 2>&1 ||
        { echo "skipped: FMPy (tests/python/fmi.txt) cannot be installed"; exit 77; }
    cp tests/python/fmi.txt "$venv/fmi.txt"
fi
check "the run" $TYCHO run "$own" -o "$work/run" --no-overview --quiet
# nothing of this machine's folders is needed: the scenario and its models are gone
mv "$own" "$work/models" "$work/run"
export OMEGA=$($python -c 'import math; print((3 * (math.pi / 180)).hex())')
export LD_LIBRARY_PATH=$source/deps/mujoco-3.17.0/lib # for those without libraries; own3.fmu finds its own first
check "FMPy" "$venv/bin/python" -X faulthandler tests/python/test_fmu.py "$work"
grep -q '^OK' "$work/err" && ok || bad "FMPy: $(tail -30 "$work/err")"
finish
