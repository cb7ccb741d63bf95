"""Localises a rover from a recording by the conventions alone: REP 103 (axes), REP 105 (frames), REP 145 (IMU); nothing of this project's pages was used.

    localise.py run.mcap [--control NAME]

1. The frame tree: one parent each, no loop, map -> odom -> base_link, optical frames, unit quaternions; motion along x, turns to the left positive, gravity up.
2. A minimal extended Kalman filter with the inputs of robot_localization: speeds of /odom and the turning rate of the IMU; against the truth.
3. A lidar's points, each put where the sensor was at its own time: they lie on spheres that the recording's owner knows (places below).
Controls: the filter with the gyro's sign turned, and points that are not deskewed, must miss. --control axes, tree: damages one thing on purpose, then the script must fail. Exit 0: all is as it should be; 1: a line for each thing that is not.
"""
import sys

import numpy as np
from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory

control = sys.argv[3] if len(sys.argv) > 3 else ""
spheres = np.array([[12, 3, 1], [2, 13, 1], [-9, -5, 1]], float)
failed = 0


def want(what, ok, got=""):
    global failed
    if not ok:
        failed += 1
        print(f"{what}: {got}")


def stamp(header):
    return header.stamp.sec + 1e-9 * header.stamp.nanosec


def rotation(q):
    x, y, z, w = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def xyzw(q):
    return np.array([q.x, q.y, q.z, q.w])


topics = {}
with open(sys.argv[1], "rb") as f:
    for schema, channel, message, body in make_reader(f, decoder_factories=[DecoderFactory()]).iter_decoded_messages():
        topics.setdefault(channel.topic, []).append(body)

# ---- 1. frames ----
parent, pose, moving = {}, {}, {}
for topic in ("/tf_static", "/tf"):
    for body in topics[topic]:
        for t in body.transforms:
            child, over = t.child_frame_id, t.header.frame_id
            want(f"{child} has one parent", parent.get(child, over) == over, (parent.get(child), over))
            want("names without a slash in front", not child.startswith("/") and not over.startswith("/"), child)
            parent[child] = over
            p, q = np.array([t.transform.translation.x, t.transform.translation.y, t.transform.translation.z]), xyzw(t.transform.rotation)
            want(f"{child} has a unit quaternion", abs(np.linalg.norm(q) - 1) < 1e-6, q)
            pose[child] = (p, q)
            if topic == "/tf":
                moving.setdefault(child, []).append((stamp(t.header), p, q))
odom = topics["/viper/odom"]
base = odom[0].child_frame_id
if control == "tree":
    parent["map"] = base
chain = [base]
while chain[-1] in parent and len(chain) < 20:
    chain.append(parent[chain[-1]])
want("no loop", len(chain) == len(set(chain)), chain)
ends = [c.split("/")[-1] for c in chain]
want("base_link, odom, map, in this order", ends[:3] == ["base_link", "odom", "map"], chain)
want("odometry is told in odom", odom[0].header.frame_id == chain[1], odom[0].header.frame_id)
for child, over in parent.items():
    if child.endswith("optical_frame") or child.endswith("_optical"):
        r = rotation(pose[child][1])
        want(f"{child}: z ahead, x to the right, y down", np.allclose(r, [[0, 0, 1], [-1, 0, 0], [0, -1, 0]], atol=1e-6), r)
for name in ("/viper/imu/data", "/viper/lidar/points", "/viper/nav/image_raw"):
    frame, steps = topics[name][0].header.frame_id, 0
    while frame != "map" and frame in parent and steps < 20:
        frame, steps = parent[frame], steps + 1
    want(f"{name} leads to the map", frame == "map", topics[name][0].header.frame_id)

truth = np.array([[stamp(m.header), m.pose.pose.position.x, m.pose.pose.position.y, m.twist.twist.linear.x, m.twist.twist.linear.y, m.twist.twist.angular.z]
                  for m in topics["/viper/ground_truth/odom"]])
turn = [rotation(xyzw(m.pose.pose.orientation)) for m in topics["/viper/ground_truth/odom"]]
yaw = np.unwrap([np.arctan2(r[1, 0], r[0, 0]) for r in turn])
drives = np.abs(truth[:, 3]) > 0.1
step = np.gradient(truth[:, 1:3], truth[:, 0], axis=0)
ahead = np.array([r[:2, 0] for r in turn])
ahead = -ahead if control == "axes" else ahead
want("x is ahead", np.all(np.sum(step * ahead, axis=1)[drives] > 0.95 * np.linalg.norm(step, axis=1)[drives]))
want("turns to the left are positive", np.corrcoef(np.gradient(yaw, truth[:, 0]), truth[:, 5])[0, 1] > 0.9)

imu = np.array([[stamp(m.header), m.angular_velocity.z, m.linear_acceleration.x, m.linear_acceleration.y, m.linear_acceleration.z] for m in topics["/viper/imu/data"]])
rest = imu[(imu[:, 0] - imu[0, 0] > 0.5) & (imu[:, 0] - imu[0, 0] < 1.8)]
want("an IMU at rest tells gravity upwards", abs(np.median(rest[:, 4]) - 1.62) < 0.05, np.median(rest[:, 4]))

if control:
    sys.exit(failed > 0)

# ---- 2. an EKF: x, y, yaw, v, w ----
# speeds by the twist where it is known (its covariance says so), else by the differences of poses, as robot_localization's differential inputs are
speeds, apart = [], []
for one, two in zip(odom, odom[1:]):
    t, dt = stamp(two.header), stamp(two.header) - stamp(one.header)
    a, b = rotation(xyzw(one.pose.pose.orientation)), rotation(xyzw(two.pose.pose.orientation))
    p = two.pose.pose.position, one.pose.pose.position
    local, turns = a.T @ np.array([p[0].x - p[1].x, p[0].y - p[1].y, p[0].z - p[1].z]), a.T @ b
    known = two.twist.covariance[0] >= 0
    apart.append((two.twist.twist.linear.x - local[0] / dt, two.twist.twist.angular.z - np.arctan2(turns[1, 0], turns[0, 0]) / dt))
    speeds.append((t, 0, (two.twist.twist.linear.x, two.twist.twist.angular.z) if known else (local[0] / dt, np.arctan2(turns[1, 0], turns[0, 0]) / dt)))


want("the twist is what the poses do", np.abs(apart).max() < 1e-3 and max(abs(m.twist.twist.linear.x) for m in odom) > 0.15, np.abs(apart).max())
true = {round(stamp(m.header), 6): m.twist.twist for m in topics["/viper/ground_truth/odom"]}
errors = [((m.twist.twist.linear.x - w.linear.x) / m.twist.covariance[0] ** 0.5, (m.twist.twist.angular.z - w.angular.z) / m.twist.covariance[35] ** 0.5)
          for m in odom for w in [true.get(round(stamp(m.header), 6))] if w]
inside = np.mean(np.abs(errors) < 3.0, axis=0)
want("the twist's errors are within three of its sigmas", len(errors) > 50 and inside.min() > 0.9, f"{len(errors)} samples, shares {inside}")
want("covariances: positive, in base_link", all(m.twist.covariance[0] > 0 and m.twist.covariance[35] > 0 and m.pose.covariance[35] > 0 for m in odom), "")


def run_filter(sign):
    """the largest error of place [m] and heading [deg]; sign: of the gyro"""
    x, P, last, track = np.array([truth[0, 1], truth[0, 2], yaw[0], 0.0, 0.0]), np.diag([1e-6] * 5), truth[0, 0], []
    for t, kind, z in sorted(speeds + [(t, 1, (sign * w,)) for t, w in imu[:, :2]], key=lambda e: e[:2]):
        dt, last = t - last, t
        c, s = np.cos(x[2]), np.sin(x[2])
        F, H = np.eye(5), np.zeros((len(z), 5))
        F[0, 2], F[0, 3], F[1, 2], F[1, 3], F[2, 4] = -x[3] * s * dt, c * dt, x[3] * c * dt, s * dt, dt
        x = x + dt * np.array([x[3] * c, x[3] * s, x[4], 0, 0])
        P = F @ P @ F.T + np.diag([1e-8, 1e-8, 1e-9, 0.05, 0.05]) * dt
        if kind == 0:
            H[0, 3] = H[1, 4] = 1
        else:
            H[0, 4] = 1
        R = np.diag([1e-4, 1e-2]) if kind == 0 else np.diag([1e-6])
        K = P @ H.T @ np.linalg.inv(H @ P @ H.T + R)
        x, P = x + K @ (np.array(z) - H @ x), (np.eye(5) - K @ H) @ P
        track.append((t, *x))
    track = np.array(track)
    at = [np.interp(truth[:, 0], track[:, 0], track[:, k]) for k in (1, 2, 3)]
    return np.hypot(at[0] - truth[:, 1], at[1] - truth[:, 2]).max(), np.degrees(np.abs(at[2] - yaw).max())


way = np.sum(np.linalg.norm(np.diff(truth[:, 1:3], axis=0), axis=1))
(off, turned), (astray, _) = run_filter(1), run_filter(-1)
want("the filter's place", off < 0.10 * way, f"{off:.3f} m of {way:.2f} m; wheels slip some per cent")
want("the filter's heading", turned < 2.0, f"{turned:.2f} deg")
want("control: a gyro of the other sign", astray > 0.10 * way, f"{astray:.3f} m")

# ---- 3. deskew ----
poses = moving[base]
times = np.array([p[0] for p in poses])


def lidar_in_map(t):
    """place and attitude of the lidar at a time, along the chain of frames; between two messages the place goes straight, the attitude by its shorter arc"""
    i = int(np.clip(np.searchsorted(times, t), 1, len(times) - 1))
    u = np.clip((t - times[i - 1]) / (times[i] - times[i - 1]), 0, 1)
    (_, p0, q0), (_, p1, q1) = poses[i - 1], poses[i]
    q1 = q1 if q0 @ q1 > 0 else -q1
    q = (1 - u) * q0 + u * q1
    R, p = rotation(q / np.linalg.norm(q)), (1 - u) * p0 + u * p1
    frame, Rs, ps = topics["/viper/lidar/points"][0].header.frame_id, np.eye(3), np.zeros(3)
    while frame != base:
        fp, fq = pose[frame]
        Rs, ps = rotation(fq) @ Rs, rotation(fq) @ ps + fp
        frame = parent[frame]
    return R @ Rs, R @ ps + p


def residual(deskewed):
    """how far points near a sphere are from its surface"""
    out = []
    for cloud in topics["/viper/lidar/points"]:
        kinds = {1: np.int8, 2: np.uint8, 3: np.int16, 4: np.uint16, 5: np.int32, 6: np.uint32, 7: np.float32, 8: np.float64}
        dtype = np.dtype({"names": [f.name for f in cloud.fields], "formats": [kinds[f.datatype] for f in cloud.fields], "offsets": [f.offset for f in cloud.fields], "itemsize": cloud.point_step})
        points, t0 = np.frombuffer(bytes(cloud.data), dtype), stamp(cloud.header)
        local = np.stack([points[k].astype(float) for k in "xyz"], axis=1)
        for t in np.unique(points["time"]):
            which = points["time"] == t
            R, p = lidar_in_map(t0 + float(t) if deskewed else t0)
            placed = local[which] @ R.T + p
            gap = np.linalg.norm(placed[:, None] - spheres[None], axis=2) - 1.0
            out.append(gap[np.arange(len(gap)), np.abs(gap).argmin(axis=1)])
    out = np.concatenate(out)
    return out[np.abs(out) < 0.3]


near, raw = residual(True), residual(False)
score, skewed = np.median(np.abs(near)), np.median(np.abs(raw))
want("points on the spheres", len(near) > 100, len(near))
want("deskewed points lie on the spheres", score < 0.013, f"median {score:.4f} m off")
want("control: points as they came", skewed > 0.013, f"median {skewed:.4f} m off")
print(f"{off:.3f} m and {turned:.2f} deg off after {way:.2f} m ({astray:.2f} m with the gyro turned); {len(near)} points, {score:.4f} m off the spheres ({skewed:.4f} as they came)")
sys.exit(failed > 0)
