# validation/transfer in a small form, on made-up pictures, where jax is installed (scripts/setup study).
. "$(dirname "$0")/lib.sh"
python=deps/transfer/bin/python
[ -x $python ] && $python -c "import jax, PIL, matplotlib" 2>/dev/null || { echo "skipped: the packages of validation/transfer are absent (scripts/setup study)"; exit 77; }
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1
check "small form" $python validation/transfer/small.py
# specifications of the sets are such as tycho takes
check "specifications" $python -c "
import sys; sys.path.insert(0, 'validation/transfer'); import grounds
for name, kind in grounds.SETS.items():
    if kind['ground'] == 'new': grounds.write('$work/' + name, kind)"
for set in new new_lambert new_fixed; do
    check "$set: site" "$TYCHO" check "$work/$set/site_0.yaml"
    check "$set: plan" "$TYCHO" dataset "$work/$set/pcam_near_0.yaml" --plan
done
$python validation/transfer/study.py --photos "$work/none" --out "$work/s" >"$work/said" 2>&1
[ $? = 2 ] && grep -q "photographs are not there" "$work/said" && ok || bad "without photographs: $(cat "$work/said")"
finish
