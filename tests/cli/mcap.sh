# MCAP files read by the packages @mcap/core and @foxglove/rosmsg2-serialization (npm, for tests only; their versions are in
# tests/node/package-lock.json). Skips, and says so, where Node.js or the packages cannot be had.
. "$(dirname "$0")/lib.sh"
source=${TYCHO_SOURCE:-.}
build=$(dirname "$TYCHO")
command -v node >/dev/null && command -v npm >/dev/null || { echo "skipped: there is no Node.js"; exit 77; }
. "$(dirname "$0")/node.sh"

# the messages that tests/unit/io/test_mcap.c writes, every type of them
TYT_MCAP_OUT=$work/all.mcap check "every type is written" "$build/test_io" --filter 'mcap/every_type'
check "every type is read" sh -c "node '$node_folder/read_mcap.mjs' '$work/all.mcap' > '$work/all.json'"
cat >"$work/judge.mjs" <<'END'
import { readFileSync } from "node:fs";
const r = JSON.parse(readFileSync(process.argv[2]));
const want = (what, got, expected) => { if (JSON.stringify(got) !== JSON.stringify(expected)) { console.error(`${what}: ${JSON.stringify(got)}, not ${JSON.stringify(expected)}`); process.exitCode = 1; } };
const t = r.topics;
want("messages", [r.messages, r.streamed, r.statistics, r.ordered, r.done], [130, 130, 130, true, true]);
want("topics", Object.values(t).map((x) => x.count), Array(13).fill(10));
want("clock", t["/clock"].last.clock, { sec: 1796083200, nanosec: 900000000 });
want("tf", t["/tf"].last.transforms.map((x) => [x.header.frame_id, x.child_frame_id, x.transform.rotation]),
  [["site", "viper", { x: 0.5, y: -0.5, z: 0.5, w: 0.5 }], ["viper", "viper/imu", { x: 0, y: 0, z: 0, w: 1 }]]);
want("odometry", [t["/odom"].last.pose.pose.position, t["/odom"].last.twist.twist.angular], [{ x: 1, y: 2, z: 3 }, { x: 0, y: 0, z: 0.1 }]);
want("imu", [t["/imu"].last.linear_acceleration, t["/imu"].last.orientation_covariance.first[0]], [{ x: 0, y: 0, z: 1.62 }, -1]);
want("joints", [t["/joints"].last.name, t["/joints"].last.position.first, t["/joints"].last.effort.bytes], [["front_left", "rear"], [1.5, -2.5], 0]);
want("image", [t["/image"].last.width, t["/image"].last.height, t["/image"].last.encoding, t["/image"].last.data], [6, 3, "mono8", { bytes: 18, first: [9, 19, 29, 39] }]);
want("info", [t["/info"].last.distortion_model, t["/info"].last.k.first, t["/info"].last.p.first, t["/info"].last.roi.do_rectify], ["plumb_bob", [500, 0, 320, 0], [500, 0, 320, -200], false]);
want("cloud", [t["/cloud"].last.fields.map((f) => f.name + f.offset), t["/cloud"].last.data.bytes, t["/cloud"].last.is_dense], [["x0", "y4", "z8", "ring12"], 28, true]);
want("battery", [t["/battery"].last.voltage, t["/battery"].last.percentage, t["/battery"].last.present], [28, 0.5, true]);
want("sun", t["/sun"].last.vector, { x: 0, y: 0.6, z: 0.8 });
want("fix", t["/fix"].last.point, { x: 5, y: 6, z: 7 });
want("stars", t["/stars"].last.quaternion.w, 0.5);
want("range", [t["/range"].last.range, t["/range"].last.max_range], [12.5, 100]);
END
check "every field is what was written" node "$work/judge.mjs" "$work/all.json"
# control: a byte of a message changed shows, by the chunk's checksum
cp "$work/all.mcap" "$work/bad.mcap"
printf 'X' | dd of="$work/bad.mcap" bs=1 seek=20000 conv=notrunc 2>/dev/null
check "control: a changed byte is seen" sh -c "! node '$node_folder/read_mcap.mjs' '$work/bad.mcap' >/dev/null 2>&1"
finish
