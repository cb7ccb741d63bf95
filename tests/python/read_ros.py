"""What a peer of Fast DDS heard of a live run (tests/dds/peer.cpp), against the run's recording as the MCAP package reads it: the same
messages on each topic, in the same order, byte by byte; decoded by rosbags; the rover drove while it was told to, and stood at the end.

    read_ros.py RUN.mcap LIST HEARD SOURCE V [--control byte|missing|frames]
"""
import re
import struct
import sys

from mcap.reader import make_reader
from rosbags.typesys import Stores, get_typestore

recording, list_file, heard_file, source, speed = sys.argv[1:6]
control = sys.argv[7] if len(sys.argv) > 7 else ""
topics = [line.split() for line in open(list_file)]
recorded, types = {}, {}
with open(recording, "rb") as f:
    for schema, channel, message in make_reader(f).iter_messages():
        recorded.setdefault(channel.topic, []).append(message.data)
        types[channel.topic] = schema.name
heard = [[] for _ in topics]
data, at = open(heard_file, "rb").read(), 0
while at < len(data):
    index, size = struct.unpack_from("<II", data, at)
    heard[index].append(data[at + 8:at + 8 + size])
    at += 8 + size
if control == "byte":
    m = bytearray(heard[8][0])
    m[40] ^= 1
    heard[8][0] = bytes(m)
elif control == "frames":
    heard[1].append(heard[1][0].replace(b"viper/odom", b"other/odom"))
    recorded["/tf"].append(heard[1][-1])
elif control == "missing":
    del heard[10][3]

store = get_typestore(Stores.ROS2_JAZZY)
total = 0
for (name, dds_type, how), got in zip(topics, heard):
    topic = name[2:]
    if name == "ros_discovery_info":  # not recorded: one node that has the topics
        info = store.deserialize_cdr(got[-1], "rmw_dds_common/msg/ParticipantEntitiesInfo")
        node = info.node_entities_info_seq[0]
        assert len(info.node_entities_info_seq) == 1 and (node.node_namespace, node.node_name) == ("/", "tycho")
        assert len(node.writer_gid_seq) >= len(topics) - 1 and len(node.reader_gid_seq) == 2 * 4 + 1 + 10, f"its topics: {len(node.reader_gid_seq)} are read"
        continue
    want = recorded.get(topic, [])
    assert want, f"{topic}: not in the recording"
    assert dds_type == types[topic].replace("/msg/", "::msg::dds_::") + "_", f"{topic}: {dds_type}, recorded {types[topic]}"
    assert len(got) == len(want), f"{topic}: {len(got)} messages were heard, {len(want)} are recorded"
    for i, (a, b) in enumerate(zip(got, want)):
        # DDS fills to four bytes
        assert a[:len(b)] == b and len(a) - len(b) < 4 and not any(a[len(b):]), f"{topic}: message {i} differs"
        store.deserialize_cdr(a, types[topic])
    total += len(got)
    print(f"{topic}: {len(got)}, of {len(want[0])} bytes")

odom = [store.deserialize_cdr(m, "nav_msgs/msg/Odometry") for m in heard[4]]
v = [m.twist.twist.linear.x for m in odom]
assert max(v) > 0.9 * float(speed), f"fastest {max(v)} m/s"
assert abs(v[-1]) < 0.005, f"at the end {v[-1]} m/s"
far = odom[-1].pose.pose.position.x - odom[0].pose.pose.position.x
assert far > 0.05, f"it went {far} m"
clock = [store.deserialize_cdr(m, "rosgraph_msgs/msg/Clock").clock for m in heard[0]]
steps = {round((b.sec - a.sec) * 1000 + (b.nanosec - a.nanosec) / 1e6) for a, b in zip(clock, clock[1:])}
assert steps == {100}, f"the clock goes by {steps} ms"

# frames: one tree, every frame with one parent (REP 105: map, odom, base_link; `moon` in place of `earth`); optical frames look along z, x to
# the right, y down, as seen from a frame with x forward, y left, z up (REP 103)
parent, rotation = {}, {}
for m in heard[2] + heard[1]:
    for t in store.deserialize_cdr(m, "tf2_msgs/msg/TFMessage").transforms:
        assert parent.setdefault(t.child_frame_id, t.header.frame_id) == t.header.frame_id, f"{t.child_frame_id} has two parents"
        q = t.transform.rotation
        assert abs(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1) < 1e-9, f"{t.child_frame_id}: no unit quaternion"
        rotation[t.child_frame_id] = (q.x, q.y, q.z, q.w)
roots = {p for p in parent.values()} - set(parent)
assert roots == {"moon"}, f"roots {roots}"
chain = ["viper/base_link"]
while chain[-1] in parent and len(chain) < 9:
    chain.append(parent[chain[-1]])
assert chain == ["viper/base_link", "viper/odom", "map", "moon"], f"{chain}"
optical = [c for c in parent if c.endswith("_optical_frame")]
assert optical
for c in optical:
    assert parent[c] == c[:-len("_optical_frame")], f"{c}: below {parent[c]}"
    assert max(abs(a - b) for a, b in zip(rotation[c], (-0.5, 0.5, -0.5, 0.5))) < 1e-9, f"{c}: {rotation[c]}"
for topic, kind in ((10, "sensor_msgs/msg/Imu"), (7, "sensor_msgs/msg/Image"), (9, "sensor_msgs/msg/PointCloud2"), (11, "nav_msgs/msg/Odometry")):
    frame = store.deserialize_cdr(heard[topic][0], kind).header.frame_id
    assert frame in parent, f"{kind} is in {frame}, which is in no tree"

# two rovers: each below its own name, in frames of its own; what was told the one did not move the other
scout = [store.deserialize_cdr(m, "nav_msgs/msg/Odometry") for m in heard[13]]
assert parent["scout/base_link"] == "scout/odom" and parent["scout/odom"] == "map"
assert {t for t in recorded if t.startswith("/scout/")} >= {"/scout/odom", "/scout/imu/data", "/scout/joint_states", "/scout/wheel_states", "/scout/ground_truth/odom"}
assert not {c for c in parent if c.startswith("scout/") and not parent[c].startswith("scout/") and parent[c] != "map"}, "frames of one rover below the other's"
assert {m.child_frame_id for m in scout} == {"scout/base_link"} and {m.child_frame_id for m in odom} == {"viper/base_link"}
assert abs(scout[-1].pose.pose.position.y - 4) < 0.05 and abs(scout[-1].pose.pose.position.x - scout[0].pose.pose.position.x) < 0.01, "the other rover moved"
assert store.deserialize_cdr(heard[15][0], "sensor_msgs/msg/Imu").header.frame_id == "scout/imu"

# wheels' odometry: speeds as its poses have them, with covariances
wheels = [store.deserialize_cdr(m, "nav_msgs/msg/Odometry") for m in heard[11]]
for a, b in zip(wheels, wheels[1:]):
    way = ((b.pose.pose.position.x - a.pose.pose.position.x) ** 2 + (b.pose.pose.position.y - a.pose.pose.position.y) ** 2) ** 0.5
    v = b.twist.twist.linear
    assert abs((v.x ** 2 + v.y ** 2) ** 0.5 * 0.1 - way) < 1e-6, f"twist {v.x}, {v.y} m/s over {way} m"
    assert 0 < b.twist.covariance[0] < 0.01 and 0 < b.twist.covariance[35] < 0.1 and b.twist.covariance[14] > 1e5
assert max(m.twist.twist.linear.x for m in wheels) > 0.9 * float(speed)

known = re.findall(r'\{ "([\w/]+)",\s*"(RIHS01_\w+)" \}', open(f"{source}/bridge/dds/hash.c").read())
assert len(known) > 15
for name, value in known:
    assert store.hash_rihs01(name) == value, f"{name}: hash {value}"
print(f"{total} messages, all the recording's; {len(known)} hashes of types; it went {far:.2f} m and stood")
