"""What a peer of Fast DDS heard of a live run (tests/dds/peer.cpp), against the run's recording as the MCAP package reads it: the same
messages on each topic, in the same order, byte by byte; decoded by rosbags; the rover drove while it was told to, and stood at the end.

    read_ros.py RUN.mcap LIST HEARD SOURCE V [--control byte|missing]
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
elif control == "missing":
    del heard[10][3]

store = get_typestore(Stores.ROS2_JAZZY)
total = 0
for (name, dds_type, how), got in zip(topics, heard):
    topic = name[2:]
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

known = re.findall(r'\{ "([\w/]+)",\s*"(RIHS01_\w+)" \}', open(f"{source}/bridge/dds/hash.c").read())
assert len(known) > 15
for name, value in known:
    assert store.hash_rihs01(name) == value, f"{name}: hash {value}"
print(f"{total} messages, all the recording's; {len(known)} hashes of types; it went {far:.2f} m and stood")
