# Every public function is named by a test or an example. What is not yet is listed in tests/cli/api_debt.txt, which may only shrink.
# Functions beyond that list are told in every run and fail the long form (make test-long).
. "$(dirname "$0")/lib.sh"
debt=$(dirname "$0")/api_debt.txt
# the names declared with TY_API, comments left out
names() {
    cat include/tycho/*.h include/tycho/tools/*.h | sed -e ':a' -e 's@/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/@@g' -e '/\/\*/{N;ba' -e '}' | tr '\n' ' ' | tr ';' '\n' |
        sed -n 's/.*TY_API[^(]*[ *]\(ty_[a-z0-9_]*\)(.*/\1/p' | sort -u
}
names >"$work/names"
[ "$(wc -l <"$work/names")" -gt 200 ] && ok || bad "only $(wc -l <"$work/names") functions found in the headers"
grep -qx ty_imu_read "$work/names" && ok || bad "ty_imu_read is not found in its header"
cat $(find tests examples -name '*.c' -o -name '*.h' -o -name '*.sh' 2>/dev/null) | grep -oE '\bty_[a-z0-9_]+' | sort -u >"$work/used"
comm -23 "$work/names" "$work/used" >"$work/missing"
sort -u "$debt" | grep -v '^#' >"$work/debt"
for f in $(comm -23 "$work/missing" "$work/debt"); do
    if [ -n "${TYCHO_LONG:-}" ]; then bad "$f() is public, but no test names it"; else echo "$f() is public, but no test names it"; fi
done
for f in $(comm -13 "$work/missing" "$work/debt"); do
    echo "$f is in tests/cli/api_debt.txt, but is tested or gone: take it off the list"
done
[ "$( (cat "$work/names"; printf 'ty_%s\n' zzz_absent) | sort | comm -23 - "$work/used" | grep -c zzz_absent)" = 1 ] && ok || bad "control: a function without a test was not seen"
for h in include/tycho/*.h include/tycho/tools/*.h; do
    grep -q "${h#include/}" docs/api.md || echo "docs/api.md does not name $h: tools/api/page.sh >docs/api.md"
done
echo "$(wc -l <"$work/names") public functions, $(wc -l <"$work/debt") of them not yet named by a test"
# every kernel header is compiled for a device by a parity test, by its own or by one that includes it
sed -n 's/^PARITY_FILE(\(k_[a-z_]*\))$/\1.h/p' tests/parity/parity_*.c | sort -u >"$work/parity"
for round in 1 2 3 4; do
    (cd kernels && cat $(cat "$work/parity") | sed -n 's/^#include "\(k_[a-z_]*\.h\)".*/\1/p') | sort -u - "$work/parity" >"$work/more"
    mv "$work/more" "$work/parity"
done
for h in kernels/k_*.h; do
    head -3 "$h" | grep -q "Host only" || grep -qx "$(basename "$h")" "$work/parity" && ok || bad "$h has no parity test"
done
grep -qx k_absent.h "$work/parity" && bad "control: a header that is not there was found" || ok
finish
