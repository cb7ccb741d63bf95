# The program's own options and what it says to wrong ones.
. "$(dirname "$0")/lib.sh"
check version $TYCHO --version
grep -q '^tycho [0-9]' "$work/out" || bad "version text"
check help $TYCHO --help
[ "$(wc -l <"$work/out")" -lt 40 ] || bad "help does not fit a screen"
refuse "no such command" "no command 'fly'" $TYCHO fly
finish
