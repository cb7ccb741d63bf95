# The tree is as .clang-format says; the control: one changed line is seen. Skips, and says so, where clang-format 14 is not installed.
. "$(dirname "$0")/lib.sh"
scripts/format --check >"$work/out" 2>"$work/err"
case $? in
0) ok ;;
77) echo "skipped: $(cat "$work/err")"; exit 77 ;;
*) bad "$(cat "$work/err")" ;;
esac
mkdir -p "$work/tree/src" "$work/tree/scripts"
for d in app bench bridge examples include kernels tests validation; do mkdir -p "$work/tree/$d"; done
cp .clang-format "$work/tree" && cp scripts/format "$work/tree/scripts"
cp src/core/tasks.c "$work/tree/src/tasks.c"
"$work/tree/scripts/format" --check 2>"$work/err" && ok || bad "a file of the tree by itself: $(cat "$work/err")"
sed -i 's/^    /  /' "$work/tree/src/tasks.c"
"$work/tree/scripts/format" --check 2>"$work/err" && bad "control: a badly set file was not seen" || ok
grep -q 'src/tasks.c' "$work/err" && ok || bad "control: the file is not named: $(cat "$work/err")"
finish
