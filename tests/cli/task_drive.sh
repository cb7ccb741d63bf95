# The baseline of the scored task (tasks/rock_map.py) on a field of 9 x 9 m: it drives, maps and is scored; the map of another field is worth little.
. "$(dirname "$0")/lib.sh"
source=$PWD build=$(cd "$(dirname "$TYCHO")" && pwd)
[ -e "$build/pytycho/tycho/_tycho.abi3.so" ] || { echo "skipped: Python's headers are not installed, so there is no package"; exit 77; }
. "$(dirname "$0")/python.sh"
export PYTHONPATH=$build/pytycho PYTHONDONTWRITEBYTECODE=1 OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
check "drives" "$venv/bin/python" tasks/rock_map.py "$work/map.csv" --seed 1 --size 9 --loops 2
check "map" $TYCHO score map tasks/rock_map.yaml "$work/map.csv" --set terrain.seed=1 --size 9 -o "$work/map.json"
check "another field" $TYCHO score map tasks/rock_map.yaml "$work/map.csv" --set terrain.seed=2 --size 9 -o "$work/other.json"
check "points" "$venv/bin/python" - "$work" <<'P'
import json, sys
own, other = (json.load(open(f"{sys.argv[1]}/{n}.json"))["maps"][0] for n in ("map", "other"))
print(own["points"], other["points"])
assert own["heights"] > 0.95 and own["rocks_f1"] > 0.35, own          # the large field's are 0.99 and 0.6
assert other["heights"] < 0.2 and other["rocks_f1"] < 0.2, other      # control
P
finish
