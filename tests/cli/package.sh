# The package tycho for Python: the same bits as from C, arrays without copies, wrong use, Ctrl-C, forks; random calls; the table of what of the
# C API it reaches. With numpy where PyPI can be had, and without.
. "$(dirname "$0")/lib.sh"
source=$PWD build=$(cd "$(dirname "$TYCHO")" && pwd)
[ -e "$build/pytycho/tycho/_tycho.abi3.so" ] || { echo "skipped: Python's headers are not installed, so there is no package"; exit 77; }
. "$(dirname "$0")/python.sh"
export PYTHONPATH=$build/pytycho PYTHONDONTWRITEBYTECODE=1
# under the sanitizers their library comes before the interpreter, which leaks at its end as it likes
if [ "$(nm -D "$build/pytycho/tycho/_tycho.abi3.so" | grep -c __asan_init)" != 0 ]; then
    preload="env LD_PRELOAD=$(cc -print-file-name=libasan.so):$(cc -print-file-name=libstdc++.so) ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1"
else
    preload=
fi
calls=300
[ -n "${TYCHO_LONG:-}" ] && calls=10000
[ -z "$preload" ] || [ -n "${TYCHO_LONG:-}" ] || calls=150
tests=
[ -z "$preload" ] || [ -n "${TYCHO_LONG:-}" ] || tests="Arrays WrongUse" # the others start processes, and have no more to show there
check "unit tests" $preload "$venv/bin/python" -X faulthandler tests/python/test_package.py $tests
grep -q '^OK' "$work/err" && ok || bad "unit tests: $(tail -5 "$work/err")"
check "soils, sensors, actions" $preload "$venv/bin/python" -X faulthandler tests/python/test_kinds.py
grep -q '^OK' "$work/err" && ok || bad "soils, sensors, actions: $(tail -5 "$work/err")"
check "random calls" $preload "$venv/bin/python" -X faulthandler tests/python/fuzz_package.py $calls 1
# without numpy: memoryviews
if ! $python -c 'import numpy' 2>/dev/null; then
    check "without numpy" $preload $python -c '
import os, sys
sys.path.insert(0, "tests/python")
from test_package import small, start
run = start(small())
run.advance(0.1)
image = run.newest("nav")["image"]
assert type(image) is memoryview and image.shape == (24, 32) and image.format == "f", image
assert run.ground.height([0.0, 1.0], [0.0, 1.0])[1] == run.ground.height(1.0, 1.0)
run.render(width=16, height=12, samples=1).image()'
fi
if [ -z "$preload" ]; then
    # every public function of C is reached, or said not to be, with a reason
    tools/api/python.sh >"$work/table" && ok || bad "tools/api/python.sh: $(tail -3 "$work/table")"
    cmp -s "$work/table" docs/python_api.md && ok || bad "docs/python_api.md is old: tools/api/python.sh >docs/python_api.md"
    (mkdir "$work/control" && cp -r tools include python "$work/control" && cd "$work/control" && sed -i '/ty_world_export_check/d' python/unreached.txt && tools/api/python.sh >/dev/null) 2>/dev/null &&
        bad "control: a function that is neither reached nor listed was not seen" || ok
    # its type files name what the package has
    check "types" "$venv/bin/python" tests/python/check_types.py
    # the ten lines of the page and the tutorial
    (cd "$work" && timeout 300 "$venv/bin/python" "$source/tests/python/run_notebook.py" "$source/docs/tutorial.ipynb") >"$work/book" 2>&1 && ok || bad "docs/tutorial.ipynb: $(tail -3 "$work/book")"
    if [ -n "${TYCHO_LONG:-}" ]; then
        (cd "$work" && timeout 300 "$venv/bin/python" "$source/tests/python/run_notebook.py" "$source/docs/python.md" && cmp -s viper.png "$source/docs/pictures/python.png") >"$work/book" 2>&1 && ok || bad "docs/python.md: $(tail -3 "$work/book")"
    fi
fi
finish
