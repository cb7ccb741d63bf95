# The program's own options and what it says to wrong ones.
. "$(dirname "$0")/lib.sh"
check version $TYCHO --version
grep -q '^tycho [0-9]' "$work/out" || bad "version text"
check help $TYCHO --help
[ "$(wc -l <"$work/out")" -lt 40 ] || bad "help does not fit a screen"
refuse "no such command" "no command 'fly'" $TYCHO fly
# output that cannot be written is no success
if [ -c /dev/full ]; then
    printf '1\n2\n4\n3\n2\n5\n3\n1\n' >"$work/data.txt"
    for c in --help --man --version "run --help" "bench --list" "score boxes --help" "check models/rovers/viper.yaml"; do
        refuse "$c into a full device" "standard output cannot be written: No space left|cannot be written" bash -c "$TYCHO $c >/dev/full"
    done
    check "some ground" $TYCHO terrain generate scenarios/mare_plain.yaml "$work/g.tif" --size 4 --spacing 0.5 --quiet
    refuse "terrain info into a full device" "standard output cannot be written" bash -c "$TYCHO terrain info $work/g.tif >/dev/full"
    $TYCHO allan "$work/data.txt" --rate 10 >/dev/full 2>"$work/err"
    [ $? = 2 ] && grep -q "standard output cannot be written" "$work/err" && ok || bad "allan into a full device: $(cat "$work/err")"
fi
finish
