"""Services of a live run, called through Fast DDS (ros_peer DOMAIN call): call_ros.py PEER DOMAIN. Requests are written and replies read by rosbags, from the fields
that simulation_interfaces 2.x has (github.com/ros-simulation/simulation_interfaces, msg and srv). The run: two rovers, a waiting one, a sphere; paused at the start."""
import subprocess
import sys

from rosbags.typesys import Stores, get_types_from_msg, get_typestore

store = get_typestore(Stores.ROS2_JAZZY)
S = "simulation_interfaces/"
MESSAGES = {
    "msg/Result": "uint8 result\nstring error_message",
    "msg/SimulationState": "uint8 state",
    "msg/EntityCategory": "uint8 category",
    "msg/TagsFilter": "string[] tags\nuint8 filter_mode",
    "msg/Bounds": "uint8 type\ngeometry_msgs/Vector3[] points",
    "msg/EntityFilters": "string filter\nsimulation_interfaces/EntityCategory[] categories\nsimulation_interfaces/TagsFilter tags\nsimulation_interfaces/Bounds bounds",
    "msg/EntityState": "std_msgs/Header header\ngeometry_msgs/Pose pose\ngeometry_msgs/Twist twist\ngeometry_msgs/Accel acceleration",
    "msg/Resource": "string uri\nstring resource_string",
    "msg/SimulatorFeatures": "uint16[] features\nstring[] spawn_formats\nstring custom_info",
}
SERVICES = {
    "GetSimulatorFeatures": ("uint8 structure_needs_at_least_one_member", "simulation_interfaces/SimulatorFeatures features"),
    "GetSimulationState": ("uint8 structure_needs_at_least_one_member", "simulation_interfaces/SimulationState state\nsimulation_interfaces/Result result"),
    "SetSimulationState": ("simulation_interfaces/SimulationState state", "simulation_interfaces/Result result"),
    "StepSimulation": ("uint64 steps", "simulation_interfaces/Result result"),
    "ResetSimulation": ("uint8 scope", "simulation_interfaces/Result result"),
    "GetEntities": ("simulation_interfaces/EntityFilters filters", "simulation_interfaces/Result result\nstring[] entities"),
    "GetEntitiesStates": ("simulation_interfaces/EntityFilters filters", "simulation_interfaces/Result result\nstring[] entities\nsimulation_interfaces/EntityState[] states"),
    "GetEntityState": ("string entity", "simulation_interfaces/Result result\nsimulation_interfaces/EntityState state"),
    "SpawnEntity": ("string name\nbool allow_renaming\nsimulation_interfaces/Resource entity_resource\nstring entity_namespace\ngeometry_msgs/PoseStamped initial_pose",
                    "simulation_interfaces/Result result\nstring entity_name"),
    "DeleteEntity": ("string entity", "simulation_interfaces/Result result"),
}
types = {}
for name, text in MESSAGES.items():
    types.update(get_types_from_msg(text, S + name))
for name, (ask, reply) in SERVICES.items():
    types.update(get_types_from_msg(ask, f"{S}msg/{name}_Request"))
    types.update(get_types_from_msg(reply, f"{S}msg/{name}_Response"))
store.register(types)
T = lambda name: store.types[name]  # noqa: E731
peer = subprocess.Popen([sys.argv[1], sys.argv[2], "call"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
checks = failed = 0


def want(what, good, seen=""):
    global checks, failed
    checks += 1
    if not good:
        failed += 1
        print(f"FAIL: {what}: {seen}")


def ask(line):
    peer.stdin.write(line + "\n")
    peer.stdin.flush()
    return peer.stdout.readline().strip()


def call(service, *fields, bare=False):
    snake = "".join("_" + c.lower() if c.isupper() else c for c in service)[1:]
    cdr = bytes(store.serialize_cdr(T(f"{S}msg/{service}_Request")(*fields), f"{S}msg/{service}_Request"))
    reply = ask(f"{'-' if bare else ''}/{snake} simulation_interfaces::srv::dds_::{service} {cdr[4:].hex()}")
    if reply == "none":
        return None
    data = b"\0\1\0\0" + bytes.fromhex(reply)
    return store.deserialize_cdr(data, f"{S}msg/{service}_Response")


def filters(pattern="", categories=(), tags=(), points=()):
    category, vector = T(S + "msg/EntityCategory"), T("geometry_msgs/msg/Vector3")
    return T(S + "msg/EntityFilters")(pattern, [category(c) for c in categories], T(S + "msg/TagsFilter")(list(tags), 0), T(S + "msg/Bounds")(2, [vector(*p) for p in points]))


def pose(x, y, z=0.0, frame="map"):
    m = {n: T("geometry_msgs/msg/" + n) for n in ("PoseStamped", "Pose", "Point", "Quaternion")}
    return m["PoseStamped"](T("std_msgs/msg/Header")(T("builtin_interfaces/msg/Time")(0, 0), frame), m["Pose"](m["Point"](x, y, z), m["Quaternion"](0.0, 0.0, 0.0, 1.0)))


def spawn(name, uri="", text="", rename=False, at=(3.0, 3.0), space="", frame="map"):
    return call("SpawnEntity", name, rename, T(S + "msg/Resource")(uri, text), space, pose(*at, frame=frame))


def state(value):
    return call("SetSimulationState", T(S + "msg/SimulationState")(value)).result.result


f = None
for _ in range(3):  # the server may not have met the reader of replies yet: a client of ROS asks again, too
    f = f or call("GetSimulatorFeatures", 0)
want("features", f and {0, 1, 10, 20, 24, 25, 26, 31, 32} <= set(f.features.features.tolist()) and f.features.spawn_formats == ["tycho"], f)
s = call("GetSimulationState", 0)
want("paused at first", s and s.state.state == 2 and s.result.result == 1, s)
want("paused already", state(2) == 101)
t0 = call("GetEntityState", "a")
want("state of a rover", t0.result.result == 1 and t0.state.header.frame_id == "map" and abs(t0.state.pose.position.x) < 0.1, t0)
want("no such one", call("GetEntityState", "zebra").result.result == 2)
r = call("StepSimulation", 500)
t1 = call("GetEntityState", "a")
gone = (t1.state.header.stamp.sec - t0.state.header.stamp.sec) + 1e-9 * (t1.state.header.stamp.nanosec - t0.state.header.stamp.nanosec)
want("500 steps of 1 ms, and then the reply", r.result.result == 1 and abs(gone - 0.5) < 1e-9, gone)
want("no steps", call("StepSimulation", 0).result.result == 4)
names = call("GetEntities", filters()).entities
want("entities", set(names) == {"a", "b", "ball"}, names)
want("by name", call("GetEntities", filters("^b")).entities == ["b", "ball"])
want("by category: robots", set(call("GetEntities", filters(categories=[2])).entities) == {"a", "b"})
want("tags are refused", call("GetEntities", filters(tags=["x"])).result.result == 0)
want("bounds are refused", call("GetEntities", filters(points=[(0, 0, 0), (1, 0, 0)])).result.result == 0)
want("no expression", call("GetEntities", filters("(")).result.result == 4)
g = call("GetEntitiesStates", filters("ball"))
want("states", g.entities == ["ball"] and abs(g.states[0].pose.position.x - 6) < 1e-9 and abs(g.states[0].pose.position.y - 2) < 1e-9, g)
r = spawn("stone", "rock?size=0.3", at=(4.0, -2.0))
want("a rock comes", r.result.result == 1 and r.entity_name == "stone", r)
want("the same name", spawn("stone", "rock", at=(5.0, -3.0)).result.result == 101)
want("another name", spawn("stone", "rock", rename=True, at=(5.0, -3.0)).entity_name == "stone_1")
r = spawn("", text="objects: [{type: sphere, name: egg, radius: 0.2, position: [3, -4, 0.2]}]")
want("lines of a scenario", r.result.result == 1 and r.entity_name == "egg", r)
want("a rover that waits", spawn("", "rover/c", at=(-4.0, 4.0)).entity_name == "c")
want("inside a rover", spawn("wedge", "rock?size=0.6", at=(0.0, 0.0)).result.result == 106)
want("what is none", spawn("x", "banana.sdf").result.result == 103)
want("nothing", spawn("x").result.result == 104)
want("no name", spawn("a b]", "rock").result.result == 102)
want("a namespace", spawn("x", "rock", space="n").result.result == 105)
want("another frame", spawn("x", "rock", frame="b/base_link").result.result == 4)
names = call("GetEntities", filters()).entities
want("what came is there", set(names) == {"a", "b", "c", "ball", "stone", "stone_1", "egg"}, names)
want("it leaves", call("DeleteEntity", "egg").result.result == 1 and call("DeleteEntity", "ball").result.result == 1)
want("it is gone", call("DeleteEntity", "egg").result.result == 2)
want("play", state(1) == 1 and call("GetSimulationState", 0).state.state == 1)
want("no steps while it plays", call("StepSimulation", 1).result.result == 4)
want("pause", state(2) == 1 and call("GetSimulationState", 0).state.state == 2)
want("part of a reset", call("ResetSimulation", 1).result.result == 0)
want("reset", call("ResetSimulation", 0).result.result == 1)
names, again = call("GetEntities", filters()).entities, call("GetEntityState", "a")
want("all as it was", set(names) == {"a", "b", "ball"} and again.state.header.stamp == t0.state.header.stamp and again.state.pose == t0.state.pose, names)
want("stop", state(1) == 1 and state(0) == 1 and call("GetSimulationState", 0).state.state == 0)
want("quit, initialize", state(3) == 0 and state(4) == 103)
want("control: without the numbers there is no reply", call("GetSimulationState", 0, bare=True) is None)
want("and the run is unharmed", call("GetSimulationState", 0).state.state == 0)
peer.stdin.close()
peer.wait(10)
print(f"{checks} checks, {failed} failed")
sys.exit(failed > 0)
