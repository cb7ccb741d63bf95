# Every scenario in a short form, small pictures: it runs, and its summary is what scenarios/expected/NAME.json says, to 1 % (the numbers
# are bit-equal on one machine; another instruction set may round otherwise). TYT_EXPECT=1 writes the expected files anew.
. "$(dirname "$0")/lib.sh"
source=$(realpath "${TYCHO_SOURCE:-.}")
command -v python3 >/dev/null || { echo "skipped: there is no python3 to compare with"; exit 77; }
small="--set rovers.0.sensors.0.width=40 --set rovers.0.sensors.0.height=30 --set rovers.0.sensors.0.samples=1"
cat >"$work/compare.py" <<'END'
import json, sys
got, want = json.load(open(sys.argv[1])), json.load(open(sys.argv[2]))
got.update(got["rovers"][0] if got["rovers"] else {})
bad = [f"{k}: {got.get(k)}, expected {w}" for k, w in want.items()
       if (abs(got.get(k, 1e99) - w) > 0.01 * abs(w) + 1e-4 if isinstance(w, float) else got.get(k) != w)]
print("; ".join(bad), file=sys.stderr)
sys.exit(bool(bad))
END
cat >"$work/expect.py" <<'END'
import json, sys
s = json.load(open(sys.argv[1]))
s.update(s["rovers"][0] if s["rovers"] else {})
keep = {k: v for k, v in s.items() if k not in ("tycho", "built_with", "events", "rovers", "model", "tools")}
json.dump({k: float(v) if isinstance(v, float) else v for k, v in keep.items()}, open(sys.argv[2], "w"), indent=1)
open(sys.argv[2], "a").write("\n")
END
one() {
    local name=$1; shift
    check "$name" "$TYCHO" run "$source/scenarios/$name.yaml" -o "$work/$name" --no-overview --quiet --set planet.detail=256 "$@"
    [ -n "${TYT_EXPECT:-}" ] && python3 "$work/expect.py" "$work/$name/summary.json" "$source/scenarios/expected/$name.json"
    check "$name is as expected" python3 "$work/compare.py" "$work/$name/summary.json" "$source/scenarios/expected/$name.json"
}
one slope_climb --set duration=3 $small
one rock_field --set duration=4 $small
one night_lamps --set duration=1 $small
one mission_plan --set duration=60
one rassor_drive --set duration=3 $small
one ex1_startstop
one mgru3_slope
one ishigami_turn --set duration=8
one lander_descent --set duration=2 --set actors.1.sensors.0.width=40 --set actors.1.sensors.0.height=40 --set actors.1.sensors.1.period=1000
one wheel_camera --set duration=1.5 $small
one viper_crm --set duration=0.3 --set soil.patch.spacing=0.05
one rassor_dig --set duration=0.8 --set soil.patch.spacing=0.05 --set soil.patch.e=2e5 --set actors.0.sensors.0.width=40 --set actors.0.sensors.0.height=25
one rassor_grains --set duration=0.4 --set soil.patch.spacing=0.05 --set soil.patch.e=5e5
one blade_berm --set duration=0.2 --set soil.patch.spacing=0.06
one live_drive --set duration=1 $small --set rovers.0.sensors.1.width=40 --set rovers.0.sensors.1.height=30
one viper_traverse --set duration=2 $small --set rovers.0.sensors.1.width=40 --set rovers.0.sensors.1.height=30 --set rovers.0.sensors.2.width=40 --set rovers.0.sensors.2.height=30
one lrv_rooster_tail --set duration=2 --set dust.parcels=5000 --set actors.0.sensors.0.width=40 --set actors.0.sensors.0.height=30 --set actors.0.sensors.0.samples=1
one stuck_dust --set duration=2 --set dust.parcels=5000 --set actors.0.sensors.0.width=40 --set actors.0.sensors.0.height=30 --set actors.0.sensors.0.samples=1
one rassor_dust --set duration=0.9 --set soil.patch.spacing=0.05 --set soil.patch.e=2e5 --set dust.parcels=5000 --set actors.0.sensors.0.width=40 --set actors.0.sensors.0.height=25
# control: another speed is seen
"$TYCHO" run "$source/scenarios/ex1_startstop.yaml" -o "$work/control" --no-overview --quiet --set soil.model=rigid >/dev/null 2>&1
check "control: another soil is seen" sh -c "! python3 '$work/compare.py' '$work/control/summary.json' '$source/scenarios/expected/ex1_startstop.json' 2>/dev/null"
one live_yard --set duration=2 $small
one mast_look --set duration=2 $small
one rock_push --set duration=4
one cadre --set duration=3 --set rovers.0.sensors.1.width=40 --set rovers.0.sensors.1.height=30 --set rovers.0.sensors.1.samples=1
# every scenario of the project is here or is ground for other commands
for f in "$source"/scenarios/*.yaml; do
    name=$(basename "$f" .yaml)
    grep -q "^rovers:\|^actors:" "$f" && { [ -e "$source/scenarios/expected/$name.json" ] || bad "$name has no expected summary"; }
done
finish
