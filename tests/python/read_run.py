"""Reads what `tycho run` writes with other people's code, and compares files, messages and geometry.

    read_run.py RUN BALLS [--control NAME]

RUN is the folder of the scenario that make_run.py writes, BALLS its balls.json. --control damages one thing on purpose: then the script must fail.
Exit 0: all is as it should be; 1: one line for each thing that is not.
"""
import glob
import json
import os
import sys

os.environ["OPENCV_IO_ENABLE_OPENEXR"] = "1"
import cv2  # noqa: E402
import numpy as np  # noqa: E402
from mcap.reader import make_reader  # noqa: E402
from mcap_ros2.decoder import DecoderFactory  # noqa: E402

run, balls = sys.argv[1], json.load(open(sys.argv[2]))
control = sys.argv[4] if len(sys.argv) > 4 else ""
failed = 0


def want(what, ok, got=""):
    global failed
    if not ok:
        failed += 1
        print(f"{what}: {got}")


# ---- the recording, by the MCAP package of PyPI ----
messages, types = {}, {}
with open(f"{run}/run.mcap", "rb") as f:
    reader = make_reader(f, validate_crcs=True, decoder_factories=[DecoderFactory()])
    summary = reader.get_summary()
    for schema, channel, message, body in reader.iter_decoded_messages():
        messages.setdefault(channel.topic, []).append((message.log_time, body))
        types[channel.topic] = schema.name
    notes = {m.name: m.metadata for m in reader.iter_metadata()}
    attachments = {a.name: a for a in reader.iter_attachments()}
want("messages", sum(map(len, messages.values())) == summary.statistics.message_count)
want("chunks", all(c.compression == "zstd" for c in summary.chunk_indexes), "not compressed")
want("notes", notes.get("tycho", {}).get("scenario") == "readers" and {"seed", "version"} <= set(notes.get("tycho", {})), notes)
want("scenario attached", b"name: readers" in getattr(attachments.get("readers.yaml"), "data", b""), list(attachments))
want("latched", any("durability: 1" in c.metadata.get("offered_qos_profiles", "") for c in summary.channels.values() if c.topic == "/tf_static"))
import zlib  # noqa: E402

data = open(f"{run}/run.mcap", "rb").read()
footer = len(data) - 8 - 20
start, crc = int.from_bytes(data[footer:footer + 8], "little"), int.from_bytes(data[footer + 16:footer + 20], "little")
want("checksum of the summary", crc and zlib.crc32(data[start:footer + 16]) == crc)
end = data.rindex(b"\x0f\x04\x00\x00\x00\x00\x00\x00\x00", 0, start)
want("checksum of the data", zlib.crc32(data[:end]) == int.from_bytes(data[end + 9:end + 13], "little"))

# ---- names and types: the table of docs/run.md ----
expected = {
    "/clock": "rosgraph_msgs/msg/Clock", "/tf": "tf2_msgs/msg/TFMessage", "/tf_static": "tf2_msgs/msg/TFMessage",
    "/vi_per/ground_truth/odom": "nav_msgs/msg/Odometry", "/vi_per/odom": "nav_msgs/msg/Odometry",
    "/vi_per/joint_states": "sensor_msgs/msg/JointState", "/vi_per/left/image_raw": "sensor_msgs/msg/Image",
    "/vi_per/left/camera_info": "sensor_msgs/msg/CameraInfo", "/vi_per/left/depth/image_raw": "sensor_msgs/msg/Image",
    "/vi_per/left/depth/camera_info": "sensor_msgs/msg/CameraInfo", "/vi_per/left/labels/image_raw": "sensor_msgs/msg/Image",
    "/vi_per/left/instances/image_raw": "sensor_msgs/msg/Image", "/vi_per/left/normals/image_raw": "sensor_msgs/msg/Image",
    "/vi_per/left/sunlit/image_raw": "sensor_msgs/msg/Image", "/vi_per/left/flow/image_raw": "sensor_msgs/msg/Image",
    "/vi_per/left/boxes": "vision_msgs/msg/Detection2DArray", "/vi_per/left/boxes_3d": "vision_msgs/msg/Detection3DArray",
    "/vi_per/left/exposure": "std_msgs/msg/Float64MultiArray",
    "/vi_per/lidar/points": "sensor_msgs/msg/PointCloud2", "/vi_per/imu/data": "sensor_msgs/msg/Imu",
    "/vi_per/battery_state": "sensor_msgs/msg/BatteryState", "/vi_per/fix": "geometry_msgs/msg/PoseWithCovarianceStamped",
    "/vi_per/wheel_states": "std_msgs/msg/Float64MultiArray", "/mast/up/range": "sensor_msgs/msg/Range",
    "/vi_per/spad/image_raw": "sensor_msgs/msg/Image", "/post/sun/direction": "geometry_msgs/msg/Vector3Stamped",
    "/diagnostics": "diagnostic_msgs/msg/DiagnosticArray",
}
for topic, kind in expected.items():
    want(topic, types.get(topic) == kind, types.get(topic, "is not there"))
want("no CameraInfo for a lens without a name", "/vi_per/wide/camera_info" not in types)
# just the maps that were asked for
want("maps of brown", {t.split("/")[3] for t in types if t.startswith("/vi_per/brown/")} == {"image_raw", "camera_info", "depth", "instances"})
want("files of brown", {f.split("_", 1)[1] for f in map(os.path.basename, glob.glob(f"{run}/frames/brown_0001000_*"))}
     == {"0001000_depth.exr", "0001000_depth.png", "0001000_instance.png", "0001000_instances.png"})
want("no range for left", not os.path.exists(f"{run}/frames/left_0001000_range.exr"))
if failed:
    sys.exit(1)


def last(topic):
    return messages[topic][-1][1]


def stamp(m):
    return m.header.stamp.sec * 10**9 + m.header.stamp.nanosec


kinds = {"mono8": (np.uint8, 1), "rgb8": (np.uint8, 3), "mono16": (np.uint16, 1), "rgb16": (np.uint16, 3), "32FC1": (np.float32, 1),
         "32FC2": (np.float32, 2), "32FC3": (np.float32, 3), "32SC1": (np.int32, 1)}


def picture(m):
    kind, channels = kinds[m.encoding]
    return np.frombuffer(m.data, kind).reshape(m.height, m.width, channels).squeeze()


# ---- the same by rosbags, which also wants metadata.yaml ----
from rosbags.rosbag2 import Reader as BagReader  # noqa: E402

with BagReader(run) as bag:
    want("rosbag2's count", bag.message_count == summary.statistics.message_count, bag.message_count)
    want("rosbag2's topics", {c.topic for c in bag.connections} == set(types))

# ---- files: OpenCV, GDAL, pycocotools, a PCD reader ----
stem = f"{run}/frames/left_0001000"
read = lambda ending: cv2.imread(f"{stem}_{ending}", cv2.IMREAD_UNCHANGED)  # noqa: E731
depth, kind_png, number, sun = read("depth.exr"), read("class.png"), read("instance.png"), read("sun.png")
normal, flow = read("normal.exr"), read("flow.exr")
truth = {k: picture(last(f"/vi_per/left/{k}/image_raw")) for k in ("depth", "labels", "instances", "normals", "sunlit", "flow")}
want("raw numbers", np.array_equal(read("raw.png"), picture(last("/vi_per/left/image_raw"))))
want("depth.exr", depth.dtype == np.float32 and np.array_equal(depth, truth["depth"]))
want("class.png", np.array_equal(kind_png, truth["labels"]) and {1, 4} <= set(np.unique(kind_png)), np.unique(kind_png))
want("sun.png", np.abs(sun / 65535.0 - truth["sunlit"]).max() < 1e-4)
want("normal.exr", np.array_equal(normal[..., ::-1], truth["normals"]))
known = np.isfinite(truth["flow"][..., 0])
want("flow.exr", np.array_equal(flow[..., 2][known], truth["flow"][..., 0][known]) and np.array_equal(flow[..., 1][known], truth["flow"][..., 1][known])
     and np.array_equal(flow[..., 0] > 0, known))
from pycocotools.coco import COCO  # noqa: E402

sys.stdout, real = open(os.devnull, "w"), sys.stdout
coco = COCO(f"{stem}_boxes.json")
sys.stdout = real
boxes = {d.id: d for d in last("/vi_per/left/boxes").detections}
solids = {d.id: d for d in last("/vi_per/left/boxes_3d").detections}
want("as many boxes", len(boxes) == len(coco.anns) == len(solids), (len(boxes), len(coco.anns)))
for a in coco.anns.values():
    mask = coco.annToMask(a).astype(bool)
    want("mask", np.array_equal(mask, number == a["mask"]) and len(np.unique(truth["instances"][mask].view(np.uint32))) == 1)
    x, y, w, h = a["bbox"]
    b = boxes[str(a["instance"])].bbox
    want("box", (b.center.position.x, b.center.position.y, b.size_x, b.size_y) == (x + w / 2 - 0.5, y + h / 2 - 0.5, w, h))
    want("instance", truth["instances"].view(np.uint32)[mask][0] == a["instance"])

# of the balls, boxes in space have the size that the scenario gave
sizes = sorted(s.bbox.size.x for s in solids.values() if s.results[0].hypothesis.class_id == "object")
want("boxes in space", len(sizes) > 10 and all(min(abs(s - 2 * b["radius"]) for b in balls) < 1e-6 for s in sizes), sizes)

import rasterio  # noqa: E402
import warnings  # noqa: E402

warnings.simplefilter("ignore")
with rasterio.open(f"{run}/terrain_after.tif") as after, rasterio.open(f"{run}/terrain_before.tif") as before:
    rut = (after.read(1) - before.read(1)).min()
    want("GeoTIFF", -0.2 < rut < 0 and "1737400" in after.crs.to_wkt(), rut)

from pypcd4 import PointCloud  # noqa: E402

cloud = last("/vi_per/lidar/points")
names = {7: "f4", 4: "u2", 6: "u4"}
layout = np.dtype({"names": [f.name for f in cloud.fields], "formats": [names[f.datatype] for f in cloud.fields],
                   "offsets": [f.offset for f in cloud.fields], "itemsize": cloud.point_step})
points = np.frombuffer(cloud.data, layout)
pcd = PointCloud.from_path(f"{run}/clouds/lidar_0000500.pcd")
want("PCD", pcd.points == len(points) and np.allclose(np.sort(pcd.numpy(("x",))[:, 0]), np.sort(points["x"]), atol=1e-6), pcd.points)
try:
    import open3d # large: only where it is installed
except (ImportError, OSError):
    print("open3d is not installed here, and was not asked")
else:
    table = open3d.t.io.read_point_cloud(f"{run}/clouds/lidar_0000500.pcd").point
    shift = 1e-3 if control == "open3d" else 0.0
    want("open3d's places", np.allclose(np.sort(table["positions"].numpy(), axis=0), np.sort(np.stack([points[c] for c in "xyz"], 1), axis=0) + shift, atol=1e-6))
    frame = sorted(glob.glob(f"{run}/*/*_raw.png") or glob.glob(f"{run}/*/*.png"))[0]
    want("open3d's picture", np.array_equal(np.asarray(open3d.io.read_image(frame)).squeeze(), cv2.cvtColor(f, cv2.COLOR_BGR2RGB) if (f := cv2.imread(frame, cv2.IMREAD_UNCHANGED)).ndim == 3 else f))
    print(f"open3d {open3d.__version__} reads {len(points)} points and {os.path.basename(frame)}")
    want("open3d", table["positions"].shape[0] == len(points) and np.array_equal(np.sort(table["ring"].numpy().ravel()), np.sort(points["ring"]))
         and np.array_equal(np.sort(table["label"].numpy().ravel()), np.sort(points["label"])))
want("fields", {"x", "y", "z", "intensity", "ring", "time", "return_number"} <= set(points.dtype.names))
want("order of time", (np.diff(points["time"]) >= 0).all() and 0 <= points["time"].min() and points["time"].max() <= 0.1001)
want("intensity 0 to 255, whole", points["intensity"].max() <= 255 and points["intensity"].max() > 2 and (points["intensity"] % 1 == 0).all(), points["intensity"].max())
want("second returns", set(np.unique(np.frombuffer(last("/vi_per/dual/points").data, layout)["return_number"])) == {0, 1})
imu, fix = last("/vi_per/imu/data"), last("/vi_per/fix")
want("covariance of the IMU", imu.orientation_covariance[0] == -1 and imu.angular_velocity_covariance[0] > 0 and imu.linear_acceleration_covariance[8] > 0)
want("covariance of the fix", fix.pose.covariance[0] > 0 and fix.pose.covariance[21] == -1 and fix.header.frame_id == "map")
want("blind range", np.isposinf(last("/mast/up/range").range), last("/mast/up/range").range)
spad = picture(last("/vi_per/spad/image_raw"))
rows = np.loadtxt(glob.glob(f"{run}/photons/spad_0001000.csv")[0], delimiter=",", skiprows=1)[:, 1:]
want("SPAD", np.array_equal(spad, rows), spad.shape)


# ---- frames: from any frame to map by /tf and /tf_static ----
def matrix(t):
    q, p = t.rotation, t.translation
    x, y, z, w = q.x, q.y, q.z, q.w
    m = np.eye(4)
    m[:3, :3] = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)], [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                 [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
    m[:3, 3] = p.x, p.y, p.z
    return m


static = {t.child_frame_id: (t.header.frame_id, matrix(t.transform)) for _, m in messages["/tf_static"] for t in m.transforms}
moving = {}
for _, m in messages["/tf"]:
    for t in m.transforms:
        moving.setdefault(t.child_frame_id, {})[stamp(t)] = (t.header.frame_id, matrix(t.transform))
want("the Moon", static["map"][0] == "moon" and abs(np.linalg.norm(static["map"][1][:3, 3]) - 1737400) < 1)


def to_map(frame, at):
    m = np.eye(4)
    while frame != "map":
        if frame in static:
            parent, step = static[frame]
        else: # the nearest that was sent, at most half a period of telemetry away
            times = moving[frame]
            parent, step = times[min(times, key=lambda t: abs(t - at))]
        m, frame = step @ m, parent
    return m


def lens(info):
    return np.array(info.k).reshape(3, 3), np.array(info.d)


# ---- 24 balls: the pixels that each covers, by OpenCV's rays, against the instance in the image ----
def rays(info):
    k, d = lens(info)
    v, u = np.mgrid[0:info.height, 0:info.width]
    uv = np.stack([u, v], -1).reshape(-1, 1, 2).astype(np.float64)
    if info.distortion_model == "equidistant":
        xy = (uv.reshape(-1, 2) - k[:2, 2]) / k[0, 0]
        theta = np.linalg.norm(xy, axis=1)
        want("fisheye of OpenCV", np.abs(cv2.fisheye.projectPoints(np.array([[[1.0, 0.5, 2.0]]]), np.zeros(3), np.zeros(3), k, d)[0].ravel()
                                         - (k[:2, 2] + k[0, 0] * np.arctan2(np.hypot(1, 0.5), 2) * np.array([1, 0.5]) / np.hypot(1, 0.5))).max() < 1e-6)
        out = np.concatenate([np.sinc(theta / np.pi)[:, None] * xy, np.cos(theta)[:, None]], 1)
    else:
        xy = cv2.undistortPointsIter(uv, k, d, None, None, (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 100, 1e-12)).reshape(-1, 2)
        out = np.concatenate([xy, np.ones((len(xy), 1))], 1)
    return out / np.linalg.norm(out, axis=1, keepdims=True)


for camera in ("sharp", "brown", "fish"):
    info, labels, image = (last(f"/vi_per/{camera}/{t}") for t in ("camera_info", "instances/image_raw", "depth/image_raw"))
    pose, direction = to_map(info.header.frame_id, stamp(info)), rays(info)
    ids, seen, worst = picture(labels).view(np.uint32).ravel(), 0, 0.0
    depths = picture(image).ravel()
    if control == "camera_info": # half a pixel: as 5265e9b had it
        direction = np.roll(direction, 1, axis=0)
    direction = direction @ pose[:3, :3].T
    v, u = np.divmod(np.arange(len(ids)), info.width)
    for b in balls:
        c = np.array(b["position"]) - pose[:3, 3]
        along = direction @ c
        inside = (along > 0) & (c @ c - along**2 < b["radius"]**2)
        border = inside & ((u == 0) | (v == 0) | (u == info.width - 1) | (v == info.height - 1))
        if inside.sum() < 40 or border.any():
            continue
        id_, count = np.unique(ids[inside], return_counts=True)
        mask = ids == id_[count.argmax()]
        if (inside & ~mask).sum() > 0.1 * inside.sum(): # something stands before it
            continue
        seen += 1
        worst = max(worst, abs(u[mask].mean() - u[inside].mean()), abs(v[mask].mean() - v[inside].mean()))
    print(f"{camera}: {seen} balls, centres at most {worst:.3f} px apart")
    want(f"balls through {camera}", seen >= 20 and worst < 0.1, (seen, worst))

# ---- stereo: the right camera's P[3] is -fx times the distance of the two, equal stamps ----
left, right = last("/vi_per/left/camera_info"), last("/vi_per/right/camera_info")
a, b = static["vi_per/left"][1][:3, 3], static["vi_per/right"][1][:3, 3]
want("baseline", abs(right.p[3] + right.k[0] * np.linalg.norm(a - b)) < 1e-6 and left.p[3] == 0, (right.p[3], left.p[3]))
want("equal stamps", stamp(left) == stamp(right))

# ---- lidar against depth, through the frames ----
info = last("/vi_per/sharp/camera_info")
frames = {stamp(m): m for _, m in messages["/vi_per/sharp/depth/image_raw"]}
at = min(frames, key=lambda t: abs(t - stamp(cloud)))
image, eye = picture(frames[at]), np.linalg.inv(to_map(info.header.frame_id, at))
xyz = np.stack([points["x"], points["y"], points["z"], np.ones(len(points))], -1).astype(np.float64)
times = stamp(cloud) + (points["time"].astype(np.float64) * 1e9).astype(np.int64)
first = times // 10_000_000 # each by the frames between which it was taken: /tf comes every 10 ms
for n in np.unique(first):
    low, high = (to_map(cloud.header.frame_id, t * 10_000_000) for t in (n, n + 1))
    here = first == n
    share = ((times[here] - n * 10_000_000) / 1e7)[:, None]
    xyz[here] = (1 - share) * (xyz[here] @ low.T) + share * (xyz[here] @ high.T)
if control == "tf":
    xyz[:, 2] += 0.05
xyz = xyz @ eye.T
z = xyz[:, 2]
k, _ = lens(info)
uv = xyz[:, :2] / np.where(z > 0.5, z, np.inf)[:, None] * k[0, 0] + k[:2, 2]
corner = np.floor(uv).astype(int)
ok = (z > 0.5) & (corner >= 0).all(1) & (corner[:, 0] < info.width - 1) & (corner[:, 1] < info.height - 1)
(i, j), (s, t) = corner[ok].T, (uv - corner)[ok].T
label = picture(next(m for _, m in messages["/vi_per/sharp/instances/image_raw"] if stamp(m) == at)).view(np.uint32)
ground = np.uint32(2**30) # what both see is open ground
plane = (np.stack([label[j, i], label[j, i + 1], label[j + 1, i], label[j + 1, i + 1], points["label"][ok]]) == ground).all(0)
inverse = 1 / image.astype(np.float64) # linear over a plane
depth_there = 1 / ((1 - s) * (1 - t) * inverse[j, i] + s * (1 - t) * inverse[j, i + 1] + (1 - s) * t * inverse[j + 1, i] + s * t * inverse[j + 1, i + 1])
error = (z[ok] - depth_there)[plane]
inside = (np.abs(error) < 3 * 0.03).mean()
print(f"lidar against depth: {len(error)} points, mean {error.mean() * 1e3:.1f} mm, sd {error.std() * 1e3:.1f} mm, {100 * inside:.1f} % within 3 sigma")
want("lidar against depth", len(error) > 50 and abs(error.mean()) < 0.02 and inside > 0.99, (len(error), error.mean(), inside))

# ---- flow: ground and balls stand still, so that it follows from depth and the two poses ----
flows = [m for _, m in messages["/vi_per/sharp/flow/image_raw"]]
want("no flow before the first frame", np.isnan(picture(flows[0])).all())
k, _ = lens(info)
now, before = stamp(flows[-1]), stamp(flows[-2])
got, d = picture(flows[-1]), picture(frames[now])
kinds_now = picture(next(m for _, m in messages["/vi_per/sharp/labels/image_raw"] if stamp(m) == now))
v, u = np.mgrid[0:info.height, 0:info.width]
still = np.isfinite(d) & (kinds_now != 3)
p = np.stack([(u - k[0, 2]) / k[0, 0] * d, (v - k[1, 2]) / k[1, 1] * d, d, np.ones_like(d)], -1)[still].astype(np.float64)
p = p @ (np.linalg.inv(to_map(info.header.frame_id, before)) @ to_map(info.header.frame_id, now)).T
was = p[:, :2] / p[:, 2:3] * k[0, 0] + k[:2, 2]
diff = np.abs(np.stack([u, v], -1)[still] - was - got[still])
if control == "flow":
    diff = diff + 1.0
print(f"flow: {np.linalg.norm(got[still], axis=1).max():.2f} px at most, {np.nanmax(diff):.4f} px from depth and poses")
want("flow", np.nanmax(diff) < 0.05 and np.linalg.norm(got[still], axis=1).max() > 2, np.nanmax(diff))

# ---- beside the data: trajectory, calibration ----
path = np.loadtxt(f"{run}/trajectory_tum.txt")
odom = messages["/vi_per/ground_truth/odom"]
want("trajectory", len(path) == len(odom) and abs(path[-1, 0] - stamp(odom[-1][1]) * 1e-9) < 1e-6
     and np.abs(path[-1, 1:4] - [getattr(odom[-1][1].pose.pose.position, c) for c in "xyz"]).max() < 1e-6, path.shape)
import ruamel.yaml  # noqa: E402

yaml = ruamel.yaml.YAML(typ="safe")
one = yaml.load(open(f"{run}/calibration/brown.yaml"))
info = last("/vi_per/brown/camera_info")
want("calibration", one["camera_matrix"]["data"] == list(info.k) and one["distortion_coefficients"]["data"] == list(info.d) and one["distortion_model"] == "plumb_bob"
     and one["projection_matrix"]["data"] == list(info.p), one)
chain = yaml.load(open(f"{run}/calibration/camchain.yaml"))
cams = {c["rostopic"]: c for c in chain.values()}
here, there = cams["/vi_per/left/image_raw"], cams["/vi_per/right/image_raw"]
want("camchain", here["camera_model"] == "pinhole" and here["distortion_model"] == "radtan" and here["resolution"] == [320, 240]
     and np.allclose(here["intrinsics"], np.array(left.k)[[0, 4, 2, 5]]) and cams["/vi_per/fish/image_raw"]["distortion_model"] == "equidistant")
want("camchain's pair", abs(np.array(there["T_cn_cnm1"])[0, 3] + np.linalg.norm(a - b)) < 1e-9, there)
imu_frame = np.linalg.inv(to_map(left.header.frame_id, 0)) @ to_map("vi_per/imu", 0)
want("camchain's IMU", np.abs(np.array(here["T_cam_imu"]) - imu_frame).max() < 1e-9, here["T_cam_imu"])
sys.exit(1 if failed else 0)
