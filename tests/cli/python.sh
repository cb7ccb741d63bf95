# Sourced by tests that use packages of PyPI: $venv with those of tests/python/requirements.txt, or the test is skipped.
python=/usr/bin/python3; [ -x $python ] || python=python3
venv=$build/python
if ! cmp -s "$source/tests/python/requirements.txt" "$venv/installed.txt"; then
    rm -rf "$venv"
    { $python -m venv "$venv" && timeout 300 "$venv/bin/pip" install --quiet --require-hashes --only-binary :all: -r "$source/tests/python/requirements.txt"; } \
        >"$work/pip.log" 2>&1 || { echo "skipped: no virtual environment with the packages of tests/python/requirements.txt can be made"; exit 77; }
    cp "$source/tests/python/requirements.txt" "$venv/installed.txt"
fi
