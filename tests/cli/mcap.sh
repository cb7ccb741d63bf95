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
want("messages", [r.messages, r.streamed, r.statistics, r.ordered, r.done], [190, 190, 190, true, true]);
want("topics", Object.values(t).map((x) => x.count), Array(19).fill(10));
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
want("place", [t["/place"].last.pose.pose.position, t["/place"].last.pose.covariance.first[0]], [{ x: 5, y: 6, z: 7 }, 0.25]);
want("values", [t["/values"].last.layout.dim[0].label, t["/values"].last.data.first], ["a_w,b_w", [1.5, -2.5]]);
want("text", t["/text"].last.data, "a rock");
want("range", [t["/range"].last.range, t["/range"].last.max_range], [12.5, 100]);
const box = t["/boxes"].last.detections[0], solid = t["/solids"].last.detections[0];
want("boxes", [box.results[0].hypothesis, box.bbox.center.position, box.bbox.size_x, box.bbox.size_y, box.id], [{ class_id: "rock", score: 1 }, { x: 4, y: 5 }, 1, 2, "77"]);
want("solids", [solid.bbox.center.position, solid.bbox.size, solid.id], [{ x: 4, y: 5, z: 6 }, { x: 1, y: 2, z: 3 }, "77"]);
want("diagnostics", t["/diagnostics"].last.status, [{ level: 1, name: "viper/imu", message: "late", hardware_id: "", values: [{ key: "rate", value: "10" }, { key: "sent", value: "3" }] }]);
END
check "every field is what was written" node "$work/judge.mjs" "$work/all.json"
# control: a byte of a message changed shows, by the chunk's checksum
cp "$work/all.mcap" "$work/bad.mcap"
printf 'X' | dd of="$work/bad.mcap" bs=1 seek=20000 conv=notrunc 2>/dev/null
check "control: a changed byte is seen" sh -c "! node '$node_folder/read_mcap.mjs' '$work/bad.mcap' >/dev/null 2>&1"

# a run's own recording: every row of its files is in it, in order
cat >"$work/drive.yaml" <<END
version: 1
name: drive
start_utc: 2026-12-01T12:00:00
terrain: {extent: 200, craters: {d_max: 20}}
planet: {detail: 256}
duration: 1
rovers:
  - name: viper
    model: $(realpath "$source")/models/rovers/viper.yaml
    driver: {type: constant, v: 0.2}
    sensors:
      - {type: camera, name: navcam, mount: navcam_left, width: 48, height: 36, period: 0.5, samples: 1, lag: 0.2}
      - {type: lidar, name: lidar, mount: lidar, model: $(realpath "$source")/models/sensors/lidar_vlp_16.yaml, period: 0.5}
      - {type: imu, name: imu, mount: imu, period: 0.02}
      - {type: encoders, name: wheels_ticks, period: 0.1}
END
check "run" "$TYCHO" run "$work/drive.yaml" -o "$work/run" --no-overview --quiet
check "its recording is read" sh -c "node '$node_folder/read_mcap.mjs' '$work/run/run.mcap' > '$work/run.json'"
cat >"$work/judge_run.mjs" <<'END'
import { readFileSync } from "node:fs";
const r = JSON.parse(readFileSync(process.argv[2] + ".json")), folder = process.argv[2];
const want = (what, got, expected) => { if (JSON.stringify(got) !== JSON.stringify(expected)) { console.error(`${what}: ${JSON.stringify(got)}, not ${JSON.stringify(expected)}`); process.exitCode = 1; } };
const rows = (file) => readFileSync(`${folder}/${file}`, "utf8").trim().split("\n").slice(1).map((l) => l.split(",").map(Number));
const t = r.topics, imu = rows("samples/imu.csv"), telemetry = rows("telemetry.csv");
want("order", [r.ordered, r.done, r.messages === r.streamed, r.messages === r.statistics], [true, true, true, true]);
want("imu", t["/viper/imu/data"].count, imu.length);
const ticks = rows("samples/wheels_ticks.csv").length;
want("encoders", [t["/viper/wheels_ticks/joint_states"].count, t["/viper/wheels_ticks/values"].count, t["/viper/odom"].count], [ticks, ticks, ticks]);
want("odometry", t["/viper/ground_truth/odom"].count, telemetry.length);
// one sender on each topic: as many messages as telemetry has rows, of wheels alone
want("joints", [t["/viper/joint_states"].count, t["/viper/joint_states"].last.name.slice(0, 4)], [telemetry.length, ["front_left", "front_right", "rear_left", "rear_right"]]);
want("frames", t["/tf_static"].last.transforms.map((x) => [x.header.frame_id, x.child_frame_id]).slice(0, 4),
  [["moon", "map"], ["map", "viper/odom"], ["viper/base_link", "viper/navcam"], ["viper/navcam", "viper/navcam_optical_frame"]]);
want("image frame", t["/viper/navcam/image_raw"].last.header.frame_id, "viper/navcam_optical_frame");
// the middle of the first pixel is 0: half a pixel less than half of the width
want("centre", [t["/viper/navcam/camera_info"].last.k.first[2], t["/viper/navcam/camera_info"].last.width], [23.5, 48]);
want("camera", [t["/viper/navcam/image_raw"].last.width, t["/viper/navcam/image_raw"].last.encoding], [48, "32FC1"]);
const close = (a, b) => Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(b));
const last = imu[imu.length - 1], force = t["/viper/imu/data"].last.linear_acceleration, at = t["/viper/ground_truth/odom"].last.pose.pose.position;
want("last imu", [close(force.x, last[6]), close(force.y, last[7]), close(force.z, last[8])], [true, true, true]);
want("last place", [close(at.x, telemetry.at(-1)[1]), close(at.y, telemetry.at(-1)[2])], [true, true]);
want("provenance", [r.notes.tycho.scenario, r.notes.tycho.seed, r.attachments.map((a) => a.name)], ["drive", "1", ["drive.yaml"]]);
want("compressed", [r.chunks.every((c) => c[0] === "zstd" && c[1] < c[2]), r.crc > 0], [true, true]);
want("latched", [r.qos["/tf_static"].includes("durability: 1"), r.qos["/tf"].includes("durability: 2")], [true, true]);
want("cloud", t["/viper/lidar/points"].last.width > 1000, true);
want("date", new Date(t["/clock"].last.clock.sec * 1000).toISOString().slice(0, 16), "2026-12-01T12:00");
END
check "it holds what the files hold" node "$work/judge_run.mjs" "$work/run"

# the Sun through the frames of the recording is where the telemetry has it; sensors of an actor have frames, too
cat >"$work/sun.yaml" <<END
version: 1
name: sun
start_utc: 2026-12-17T12:00:00
site: {lat_deg: 0, lon_deg: 0}
terrain: {extent: 100, relief: {rms_slope_deg: 0}, craters: {enabled: false}, rocks: {enabled: false}}
planet: {detail: 256}
duration: 0.3
rovers:
  - {name: viper, model: $(realpath "$source")/models/rovers/viper.yaml, driver: {type: stand}, sensors: [{type: camera, name: fish-eye, lens: fisheye, hfov_deg: 120, width: 40, height: 30, samples: 1, period: 0.1}]}
actors:
  - {name: post, hidden: true, on_ground: true, x: 20, z: 3, yaw_deg: 10, pitch_deg: -4, sensors: [{type: sun_sensor, name: sun, period: 0.1}]}
END
check "run with a Sun sensor" "$TYCHO" run "$work/sun.yaml" -o "$work/sun" --no-overview --quiet
check "its recording is read" sh -c "node '$node_folder/read_mcap.mjs' '$work/sun/run.mcap' > '$work/sun.json'"
cat >"$work/judge_sun.mjs" <<'END'
import { readFileSync } from "node:fs";
const folder = process.argv[2], t = JSON.parse(readFileSync(folder + ".json")).topics;
const rotate = (q, v) => { // q v q*
  const { x, y, z, w } = q, tx = 2 * (y * v.z - z * v.y), ty = 2 * (z * v.x - x * v.z), tz = 2 * (x * v.y - y * v.x);
  return { x: v.x + w * tx + y * tz - z * ty, y: v.y + w * ty + z * tx - x * tz, z: v.z + w * tz + x * ty - y * tx };
};
const parent = {};
for (const m of [...t["/tf_static"].last.transforms, ...t["/tf"].last.transforms]) parent[m.child_frame_id] = m;
let message = t["/post/sun/direction"].last, v = message.vector, frame = message.header.frame_id, steps = 0;
for (; frame !== "map" && parent[frame] && steps < 9; steps++) { v = rotate(parent[frame].transform.rotation, v); frame = parent[frame].header.frame_id; }
const rows = readFileSync(folder + "/telemetry.csv", "utf8").trim().split("\n"), at = rows[0].split(",").indexOf("sun_elevation_deg");
const want = Number(rows.at(-1).split(",")[at]), got = (Math.asin(v.z) * 180) / Math.PI;
console.log(`the Sun stands ${got.toFixed(2)} deg high through ${steps} frames, ${want.toFixed(2)} in the telemetry`);
if (frame !== "map" || !(Math.abs(got - want) < 0.5)) { console.error(`the Sun: ${got} deg through ${frame}, want ${want}`); process.exitCode = 1; }
const info = t["/viper/fish_eye/camera_info"].last; // r = f theta: f is the width over the angle
if (info.distortion_model !== "equidistant" || Math.abs(info.k.first[0] - 40 / (120 * Math.PI / 180)) > 1e-9 || info.k.first[2] !== 19.5) { console.error("fisheye", JSON.stringify(info)); process.exitCode = 1; }
END
check "the Sun is where it should be" node "$work/judge_sun.mjs" "$work/sun"
cat "$work/out"

# a rover given by URDF: its file is a topic for late readers, an attachment, and lies beside the data
wheel() { printf '<link name="w%s"><inertial><mass value="3"/><inertia ixx="0.02" ixy="0" ixz="0" iyy="0.035" iyz="0" izz="0.02"/></inertial></link><joint name="s%s" type="continuous"><parent link="base"/><child link="w%s"/><axis xyz="0 1 0"/><origin xyz="%s %s 0"/></joint>\n' "$1" "$1" "$1" "$2" "$3"; }
{
    printf '<?xml version="1.0"?>\n<robot name="cart"><link name="base"><inertial><mass value="40"/><inertia ixx="2" ixy="0" ixz="0" iyy="3" iyz="0" izz="4"/></inertial></link>\n'
    wheel fl 0.4 0.35; wheel fr 0.4 -0.35; wheel rl -0.4 0.35; wheel rr -0.4 -0.35
    echo '</robot>'
} >"$work/cart.urdf"
printf 'version: 1\nname: cart\nmodel: cart.urdf\nbody: base\nwheels:\n' >"$work/cart.yaml"
for w in fl fr rl rr; do echo "  - {name: $w, body: w$w, joint: s$w, radius: 0.15, width: 0.12}"; done >>"$work/cart.yaml"
printf 'drive: {stall_torque: 30, no_load_speed: 6, kp: 5, ki: 20}\n' >>"$work/cart.yaml"
cat >"$work/urdf.yaml" <<END
version: 1
name: urdf
terrain: {extent: 100, relief: {rms_slope_deg: 0}, craters: {enabled: false}, rocks: {enabled: false}}
planet: {detail: 256}
duration: 0.2
rovers: [{name: my-cart, model: $work/cart.yaml, driver: {type: stand}}]
END
check "run of a URDF rover" "$TYCHO" run "$work/urdf.yaml" -o "$work/urdf" --no-overview --quiet
check "its recording is read" sh -c "node '$node_folder/read_mcap.mjs' '$work/urdf/run.mcap' > '$work/urdf.json'"
cmp -s "$work/cart.urdf" "$work/urdf/robot_description.urdf" && ok || bad "robot_description.urdf is not the rover's file"
check "robot_description" node -e 'const fs = require("fs"), r = JSON.parse(fs.readFileSync(process.argv[1])), text = fs.readFileSync(process.argv[2], "utf8"), t = r.topics["/my_cart/robot_description"];
if (t.count !== 1 || t.last.data !== text || !r.qos["/my_cart/robot_description"].includes("durability: 1") || !r.attachments.some((a) => a.name === "my-cart.urdf" && a.bytes === text.length)) process.exit(1)' "$work/urdf.json" "$work/cart.urdf"
finish
