# Environments for learning (python/tycho/gym): Gymnasium's own checks, seeds, vectors over threads, ends, wrong task files.
. "$(dirname "$0")/lib.sh"
source=$PWD build=$(cd "$(dirname "$TYCHO")" && pwd)
[ -e "$build/pytycho/tycho/_tycho.abi3.so" ] || { echo "skipped: Python's headers are not installed, so there is no package"; exit 77; }
. "$(dirname "$0")/python.sh"
if ! cmp -s tests/python/gym.txt "$venv/gym.txt"; then
    timeout 300 "$venv/bin/pip" install --quiet --no-deps --require-hashes --only-binary :all: -r tests/python/gym.txt >"$work/pip.log" 2>&1 ||
        { echo "skipped: the packages of tests/python/gym.txt cannot be installed"; exit 77; }
    cp tests/python/gym.txt "$venv/gym.txt"
fi
export PYTHONPATH=$build/pytycho PYTHONDONTWRITEBYTECODE=1
check "environments" "$venv/bin/python" -X faulthandler tests/python/test_gym.py
grep -q '^OK' "$work/err" && ok || bad "environments: $(tail -15 "$work/err")"
finish
