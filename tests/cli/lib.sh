# Shared by the command-line tests: source it, call `check`, end with `finish`.
set -u
TYCHO=${TYCHO:-build/tycho}
TYCHO_SHARED=${TYCHO_SHARED:-../shared}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0
ok() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAIL: $*"; }
# check NAME COMMAND...: the command must succeed
check() { local name=$1; shift; if "$@" >"$work/out" 2>"$work/err"; then ok; else bad "$name: exit $?: $(head -c 400 "$work/err")"; fi; }
# refuse NAME PATTERN COMMAND...: exit code 2, exactly one line on standard error, which matches PATTERN
refuse() {
    local name=$1 pattern=$2 code; shift 2
    "$@" >"$work/out" 2>"$work/err"; code=$?
    if [ $code != 2 ]; then bad "$name: exit $code, want 2: $(head -c 400 "$work/err")"
    elif [ "$(wc -l <"$work/err")" != 1 ]; then bad "$name: want one line: $(head -c 600 "$work/err")"
    elif ! grep -qE -- "$pattern" "$work/err"; then bad "$name: does not say '$pattern': $(cat "$work/err")"
    else ok; fi
}
# same_folder A B: every file of two runs, but for timing.json and the part of report.html that is made of it
same_folder() {
    diff <(cd "$1" && find . -type f | sort) <(cd "$2" && find . -type f | sort) || return 1
    (cd "$1" && find . -type f ! -name timing.json ! -name report.html -print0) | while IFS= read -r -d '' f; do cmp "$1/$f" "$2/$f" || exit 1; done || return 1
    cmp <(sed '/<!-- timing -->/,/<!-- .timing -->/d' "$1/report.html") <(sed '/<!-- timing -->/,/<!-- .timing -->/d' "$2/report.html")
}
# same_sweep A B: the tables of two sweeps, byte by byte, and all of sweep.db but the wall times
sweep_text() { "$(command -v /usr/bin/python3 || echo python3)" -c 'import sqlite3, sys
for l in sqlite3.connect(sys.argv[1] + "/sweep.db").iterdump():
    "\"timing\"" in l or " timing" in l or print(l)' "$1"; }
same_sweep() { [ -s "$1/runs.csv" ] && cmp "$1/runs.csv" "$2/runs.csv" && cmp "$1/events.csv" "$2/events.csv" && cmp <(sweep_text "$1") <(sweep_text "$2"); }
# brief: under the sanitizers, where what is run once to be looked at need not be run again to be compared
brief() { [ "${TYCHO_BRIEF:-}" = 1 ]; }
need_shared() { [ -d "$TYCHO_SHARED" ] || { echo "skipped: shared data is absent"; exit 77; }; }
# the program xacro of scripts/setup on the PATH, where there is no other
find_xacro() {
    local deps=${TYCHO_SOURCE:-.}/deps/xacro
    command -v xacro >/dev/null && return
    [ -e "$deps/xacro/__init__.py" ] && /usr/bin/python3 -c 'import yaml' 2>/dev/null || return
    mkdir -p "$work/xacro"
    printf '#!/bin/sh\nPYTHONPATH=%s:$PYTHONPATH exec /usr/bin/python3 -c "import sys, xacro; sys.exit(xacro.main())" "$@"\n' "$(realpath "$deps")" >"$work/xacro/xacro"
    chmod +x "$work/xacro/xacro"
    PATH=$work/xacro:$PATH
}
finish() { echo "$passed passed, $failed failed"; [ $failed = 0 ]; }
