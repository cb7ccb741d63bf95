# The page of a live run, in headless Chromium (Playwright, npm, for tests only): driven with keys and stick, paused, stepped, its Sun moved, a
# waypoint clicked, a camera opened, reset. Skips, and says so, where Node.js, Chromium or the page are not there.
# TYT_SCREENSHOT=FOLDER keeps the pictures of the page.
. "$(dirname "$0")/lib.sh"
source=${TYCHO_SOURCE:-.}
build=$(dirname "$TYCHO")
command -v node >/dev/null && command -v npm >/dev/null || { echo "skipped: there is no Node.js"; exit 77; }
export CHROMIUM=${CHROMIUM:-$(command -v chromium || true)}
[ -n "$CHROMIUM" ] || { echo "skipped: there is no Chromium"; exit 77; }
[ -e "$build/viewer/installed" ] || { echo "skipped: npm could not get three.js when the program was built"; exit 77; }
. "$(dirname "$0")/node.sh"
small="--set rovers.0.sensors.0.width=96 --set rovers.0.sensors.0.height=72 --set rovers.0.sensors.1.width=64 --set rovers.0.sensors.1.height=48 --set rovers.0.sensors.2.period=1000"
"$TYCHO" live "$source/scenarios/live_drive.yaml" $small --set planet.detail=256 >"$work/live.out" 2>"$work/live.err" &
live=$!
trap 'kill $live 2>/dev/null; rm -rf "$work"' EXIT
for i in $(seq 200); do grep -q '^http' "$work/live.out" && break; sleep 0.1; done
address=$(head -1 "$work/live.out")
case $address in http://127.0.0.1:*) ok ;; *) bad "no address: $(cat "$work/live.err")" ;; esac
check "the page is used" sh -c "timeout 600 node '$node_folder/drive_live.mjs' '$address' '$work/desktop.png' '$work/phone.png' >'$work/seen.json'"
cat >"$work/judge.mjs" <<'END'
import { readFileSync } from "node:fs";
const s = JSON.parse(readFileSync(process.argv[2]));
const bad = (text) => { console.error(text); process.exitCode = 1; };
if (s.errors.length || s.outside.length) bad(`errors ${s.errors}, asked for ${s.outside}`);
if (!(s.driven.way > s.start.way + 0.15 && s.driven.mode === 2 && s.driven.spin !== s.start.spin)) bad(`W did not drive: ${JSON.stringify([s.start, s.driven])}`);
if (!(s.paused.paused && Math.abs(s.stepped.time - s.paused.time - 0.001) < 1e-9)) bad(`a step is not 1 ms: ${s.paused.time} ${s.stepped.time}`);
const turn = Math.acos(Math.min(1, s.sun.sun.reduce((a, v, i) => a + v * s.stepped.sun[i], 0))) * 180 / Math.PI;
if (!(turn > 3 && turn < 8)) bad(`12 h moved the Sun by ${turn} deg, not by some 6`);
if (!(s.waypoint.way > s.driven.way)) bad("the waypoint was not driven to");
if (!(s.full.open && s.full.width === 96 && s.full.shown > 200)) bad(`the picture full size: ${JSON.stringify(s.full)}`);
if (!(s.reset.epoch === 1 && s.reset.time < s.waypoint.time)) bad("no reset");
if (s.wheels !== 4 || s.events < 3 || s.ruts < 1) bad(`${s.wheels} wheels, ${s.events} events, ${s.ruts} tiles with ruts`);
if (s.wide || s.phone.wide || !(s.phone.way > 0.1)) bad(`wide ${s.wide} ${s.phone.wide}, the stick drove ${s.phone.way} m`);
console.log(`${s.quality.fps.toFixed(1)} frames/s, detail ${s.quality.level + 1}`);
END
check "it did what it should" node "$work/judge.mjs" "$work/seen.json"
cat "$work/out"
# control: a page whose Sun stood still is seen
sed 's/"shift":43200/"shift":0/; s/"sun":{"time":\([^}]*\)"sun":\[[^]]*\]/"sun":{"time":\1"sun":[0,0,1]/' "$work/seen.json" >"$work/control.json"
check "control: another Sun is seen" sh -c "! node '$work/judge.mjs' '$work/control.json' 2>/dev/null"
[ -n "${TYT_SCREENSHOT:-}" ] && cp "$work/desktop.png" "$work/phone.png" "$TYT_SCREENSHOT"
kill -INT $live
wait $live
[ $? = 130 ] && ok || bad "Ctrl-C ended it with $?"
grep -q "steps were late" "$work/live.out" && ok || bad "no summary: $(cat "$work/live.out")"
# things put down by a click: a rock that is hit, a ball, a rover; taken away again
"$TYCHO" live "$source/scenarios/live_yard.yaml" --set rovers.0.sensors.0.width=64 --set rovers.0.sensors.0.height=48 --set rovers.0.sensors.0.period=1000 >"$work/yard.out" 2>"$work/yard.err" &
yard=$!
trap 'kill $live $yard 2>/dev/null; rm -rf "$work"' EXIT
for i in $(seq 200); do grep -q '^http' "$work/yard.out" && break; sleep 0.1; done
check "the yard is used" sh -c "timeout 400 node '$node_folder/yard_live.mjs' '$(head -1 "$work/yard.out")' '$work/yard.png' '$work/yard_phone.png' >'$work/put.json'"
cat >"$work/put.mjs" <<'END'
import { readFileSync } from "node:fs";
const s = JSON.parse(readFileSync(process.argv[2])), bad = (text) => { console.error(text); process.exitCode = 1; };
if (s.errors.length || s.wide || s.phone.wide) bad(`errors ${s.errors}, wide ${s.wide} ${s.phone.wide}`);
if (s.kinds.join() !== "rock,ball,second") bad(`to be put down: ${s.kinds}`);
if (s.things.join() !== "rock,object" || s.left.join() !== "rock" || s.phone.things.join() !== "rock") bad(`there were ${s.things}, then ${s.left}, on the phone ${s.phone.things}`);
if (!(/ball/.test(s.refused) && /viper/.test(s.refused))) bad(`not refused with both names: ${s.refused}`);
if (!s.log.some((t) => /stone_1 has come/.test(t)) || !s.log.some((t) => /meets a rock/.test(t))) bad(`events: ${s.log}`);
END
check "what was put down is there" node "$work/put.mjs" "$work/put.json"
sed 's/meets a rock/meets nothing/g' "$work/put.json" >"$work/control.json"
check "control: a rock that is not met is seen" sh -c "! node '$work/put.mjs' '$work/control.json' 2>/dev/null"
[ -n "${TYT_SCREENSHOT:-}" ] && cp "$work/yard.png" "$work/yard_phone.png" "$TYT_SCREENSHOT"
kill -INT $yard
wait $yard
# a finished run, by its slider of time
check "a run to replay" "$TYCHO" live "$source/scenarios/ex1_startstop.yaml" --speed max --set duration=4 --no-overview --no-mcap -o "$work/run"
"$TYCHO" live --replay "$work/run" --paused >"$work/replay.out" 2>"$work/replay.err" &
replay=$!
trap 'kill $live $yard $replay 2>/dev/null; rm -rf "$work"' EXIT
for i in $(seq 200); do grep -q '^http' "$work/replay.out" && break; sleep 0.1; done
check "the slider of time" sh -c "timeout 200 node '$node_folder/seek_live.mjs' '$(head -1 "$work/replay.out")' '$work/replay.png' >'$work/sought.json'"
check "what it saw" node -e 'const s = JSON.parse(require("fs").readFileSync(process.argv[1])), [a, b, c] = s.at; if (s.errors.length || !(a.x > b.x && a.x === c.x && a.paused)) { console.error(JSON.stringify(s)); process.exit(1); }' "$work/sought.json"
[ -n "${TYT_SCREENSHOT:-}" ] && cp "$work/replay.png" "$TYT_SCREENSHOT/"
finish
