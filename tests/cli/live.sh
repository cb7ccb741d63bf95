# `tycho live`: what it refuses, two at once, Ctrl-C, a run that is recorded as well.
. "$(dirname "$0")/lib.sh"
source=${TYCHO_SOURCE:-.}
refuse "no scenario" "takes one scenario" $TYCHO live
refuse "a port that is none" "65535" $TYCHO live "$source/scenarios/live_drive.yaml" --port 99999
refuse "a speed that is none" "or max" $TYCHO live "$source/scenarios/live_drive.yaml" --speed fast
refuse "an option that is none" "does not know --fast" $TYCHO live "$source/scenarios/live_drive.yaml" --fast
refuse "an address that is none" "a number as 127.0.0.1" $TYCHO live "$source/scenarios/live_drive.yaml" --listen nowhere
refuse "a scenario that is none" "cannot be read|no such file|No such file" $TYCHO live "$work/none.yaml"
few() { "$TYCHO" live "$source/scenarios/ex1_startstop.yaml" --token abcdefgh1234 "$@" >"$work/$name.out" 2>"$work/$name.err" & }
wait_for() { for i in $(seq 300); do grep -q '^http' "$work/$1.out" && return; sleep 0.1; done; bad "$1: $(cat "$work/$1.err")"; }
name=one; few --paused; one=$!
name=two; few --paused; two=$!
trap 'kill $one $two 2>/dev/null; rm -rf "$work"' EXIT
wait_for one; wait_for two
port() { sed -n 's@^http://127.0.0.1:\([0-9]*\)/abcdefgh1234/$@\1@p' "$work/$1.out"; }
[ -n "$(port one)" ] && [ -n "$(port two)" ] && [ "$(port one)" != "$(port two)" ] && ok || bad "ports: $(port one) $(port two)"
refuse "a port that is taken" "another program has that port" $TYCHO live "$source/scenarios/ex1_startstop.yaml" --port "$(port one)"
kill -INT $one; wait $one; [ $? = 130 ] && ok || bad "Ctrl-C: exit $?"
kill -TERM $two; wait $two; [ $? = 143 ] && ok || bad "SIGTERM: exit $?"
# until its duration, as fast as it can, recorded: the same rows as of tycho run
check "a recorded live run" $TYCHO live "$source/scenarios/ex1_startstop.yaml" --speed max --set duration=2 --no-overview -o "$work/live"
grep -q 'report.html' "$work/out" && ok || bad "the report is not named: $(cat "$work/out")"
# the same again, by what was written beside it; it goes on serving until somebody ends it
"$TYCHO" live --replay "$work/live" --token abcdefgh1234 --speed max >"$work/again.out" 2>"$work/again.err" &
again=$!
for i in $(seq 300); do grep -q '^http' "$work/again.out" && break; sleep 0.1; done
kill -INT $again; wait $again; [ $? = 130 ] && grep -q '^http' "$work/again.out" && ok || bad "--replay: $(cat "$work/again.err")"
refuse "a replay of nothing" "name the run's scenario" $TYCHO live --replay "$work/nowhere"
refuse "a replay that is recorded" "neither recorded" $TYCHO live --replay "$work/live" -o "$work/twice"
refuse "a period that is none" "multiples of 0.02" $TYCHO live "$source/scenarios/ex1_startstop.yaml" --lockstep 0.03
check "the same without doors" $TYCHO run "$source/scenarios/ex1_startstop.yaml" --set duration=2 --no-overview --quiet -o "$work/run"
cmp -s "$work/live/telemetry.csv" "$work/run/telemetry.csv" && ok || bad "telemetry differs from that of tycho run"
check "another speed" $TYCHO run "$source/scenarios/ex1_startstop.yaml" --set duration=2.1 --no-overview --quiet -o "$work/other"
cmp -s "$work/live/telemetry.csv" "$work/other/telemetry.csv" && bad "control: another run is taken for the same" || ok
finish
