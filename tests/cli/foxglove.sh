# A live run by Foxglove's own client (npm, for tests only), over both subprotocols: tests/node/foxglove_live.mjs.
. "$(dirname "$0")/lib.sh"
source=$(realpath "${TYCHO_SOURCE:-.}")
build=$(dirname "$(realpath "$TYCHO")")
command -v node >/dev/null && command -v npm >/dev/null || { echo "skipped: there is no Node.js"; exit 77; }
. "$source/tests/cli/node.sh"
cat >"$work/small.yaml" <<EOF
version: 1
name: small
start_utc: 2026-12-17T12:00:00
site: {lat_deg: 0, lon_deg: 0}
terrain: {extent: 100, relief: {rms_slope_deg: 0}, craters: {enabled: false}, rocks: {enabled: false}}
planet: {detail: 256}
duration: 3600
soil: {model: bekker}
rovers:
  - name: viper
    model: $source/models/rovers/viper.yaml
    driver: {type: external}
    sensors:
      - {type: camera, name: cam, mount: navcam_left, hfov_deg: 70, samples: 1, width: 96, height: 72, period: 0.5, lag: 0.4}
      - {type: imu, name: imu, mount: imu, model: $source/models/sensors/stim300.yaml, period: 0.02}
EOF
"$TYCHO" live "$work/small.yaml" --token abcdefgh1234 >"$work/live.out" 2>"$work/live.err" &
live=$!
trap 'kill $live 2>/dev/null; rm -rf "$work"' EXIT
for i in $(seq 300); do grep -q '^http' "$work/live.out" && break; sleep 0.1; done
address=$(head -1 "$work/live.out")
check "Foxglove's client" sh -c "timeout 120 node '$node_folder/foxglove_live.mjs' '${address/http/ws}' >'$work/seen.json'"
cat >"$work/judge.mjs" <<'END'
import { readFileSync } from "node:fs";
const all = JSON.parse(readFileSync(process.argv[2]));
const bad = (text) => { console.error(text); process.exitCode = 1; };
for (const [protocol, s] of Object.entries(all)) {
  const want = process.argv[3] === "control" ? 0.5 : 0.1;
  if (s.protocol !== protocol) bad(`${protocol}: ${s.protocol} was agreed on`);
  if (s.errors.length || !s.open) bad(`${protocol}: errors ${s.errors}`);
  for (const c of ["time", "clientPublish", "services", "parameters"]) if (!s.info.capabilities.includes(c)) bad(`${protocol}: no ${c}`);
  for (const t of ["/clock", "/tf", "/tf_static", "/viper/cam/image_raw", "/viper/cam/camera_info", "/viper/imu/data", "/viper/joint_states"])
    if (!s.channels.includes(t) || (t !== "/viper/joint_states" && !s.counts[t])) bad(`${protocol}: ${t} ${s.counts[t]}`);
  if (!s.timeRises || !s.static.includes("viper/cam_optical_frame") || s.image.width !== 96 || s.image.bytes !== 96 * 72 * 4) bad(`${protocol}: ${JSON.stringify([s.timeRises, s.static, s.image])}`);
  if (!(s.cdr > want && s.json < -0.06 && Math.abs(s.stopped) < 0.01)) bad(`${protocol}: driven ${s.cdr} ${s.json}, stopped ${s.stopped} m/s`);
  if (!(s.wheels >= 0.06)) bad(`${protocol}: the wheels alone drove ${s.wheels} m/s`);
  if (s.answer !== '{"success":true,"message":""}' || !/no such service/.test(s.failure)) bad(`${protocol}: services ${s.answer} ${s.failure}`);
  if (s.speed !== 1 || s.set !== 3) bad(`${protocol}: parameters ${s.speed} ${s.set}`);
  console.log(`${protocol}: ${s.channels.length} channels, ${Object.values(s.counts).reduce((a, b) => a + b)} messages, driven to ${s.cdr.toFixed(3)} and ${s.json.toFixed(3)} m/s`);
}
if (Object.keys(all).length !== 2) bad("two subprotocols");
END
check "what it saw" node "$work/judge.mjs" "$work/seen.json"
cat "$work/out"
node "$work/judge.mjs" "$work/seen.json" control >/dev/null 2>&1 && bad "control: another speed was accepted" || ok
grep -q 400 <<<"$(cd "$node_folder" && node -e 'const { WebSocket } = require("ws"); const w = new WebSocket(process.argv[1], ["mqtt"]); w.on("error", (e) => { console.log(e.message); process.exit(0); });' "${address/http/ws}")" && ok || bad "another subprotocol was not refused"
kill -INT $live; wait $live; [ $? = 130 ] && ok || bad "it did not end by Ctrl-C"
# a replay: seek by a parameter. The scenario starts at a whole minute
check "a run to replay" "$TYCHO" live "$source/scenarios/ex1_startstop.yaml" --speed max --set duration=3 --no-overview --no-mcap -o "$work/run"
"$TYCHO" live --replay "$work/run" --paused >"$work/replay.out" 2>"$work/replay.err" &
live=$!
for i in $(seq 300); do grep -q '^http' "$work/replay.out" && break; sleep 0.1; done
address=$(head -1 "$work/replay.out")
check "seek" sh -c "timeout 120 node '$node_folder/foxglove_seek.mjs' '${address/http/ws}' >'$work/sought.json'"
check "what it saw" node -e 'const s = JSON.parse(require("fs").readFileSync(process.argv[1])); if (s.errors.length || s.at.length !== 3 || s.at.some((a) => Math.abs(a.time - a.asked) > 1e-6 || !(a.clock <= a.asked + 1e-6 && a.clock > a.asked - 0.3))) { console.error(JSON.stringify(s)); process.exit(1); }' "$work/sought.json"
kill -INT $live; wait $live; [ $? = 130 ] && ok || bad "the replay did not end by Ctrl-C"
finish
