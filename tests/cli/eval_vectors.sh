# The reference tables of other programs through `tycho eval`, by the check that comes with them.
. "$(dirname "$0")/lib.sh"
need_shared
command -v python3 >/dev/null || { echo "skipped: python3 is absent"; exit 77; }
export TYCHO
check "eval_vectors" python3 "$TYCHO_SHARED/checks/eval_vectors"
cat "$work/out"
# control: a program that answers with another model's numbers must be rejected
cat >"$work/wrong" <<END
#!/bin/sh
if [ "\$2" = hapke ]; then exec $(realpath "$TYCHO") eval hapke --set h=81 | sed 's/^0[.]0/0.1/'; fi
exec $(realpath "$TYCHO") "\$@"
END
chmod +x "$work/wrong"
if TYCHO="$work/wrong" python3 "$TYCHO_SHARED/checks/eval_vectors" hapke >"$work/out" 2>&1; then bad "control passed"; else ok; fi
finish
