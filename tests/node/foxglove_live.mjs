// A live run by Foxglove's own client (@foxglove/ws-protocol), with each subprotocol: channels, messages decoded by their schemas, time,
// commands published as CDR and as JSON, services, parameters. Prints one JSON object of what it saw.
//   node foxglove_live.mjs ws://127.0.0.1:PORT/TOKEN/
import protocolPackage from "@foxglove/ws-protocol";
import { parse } from "@foxglove/rosmsg";
import { MessageReader, MessageWriter } from "@foxglove/rosmsg2-serialization";
import { WebSocket } from "ws";

const { FoxgloveClient } = protocolPackage;
const address = process.argv[2], seen = {};
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
async function until(what, name, ms = 30000) { for (const end = Date.now() + ms; !what(); await sleep(10)) if (Date.now() > end) throw new Error(`waited in vain for ${name}`); }

const TWIST = "Vector3 linear\nVector3 angular\n================================================================================\nMSG: geometry_msgs/Vector3\nfloat64 x\nfloat64 y\nfloat64 z";
const twist = (x) => ({ linear: { x, y: 0, z: 0 }, angular: { x: 0, y: 0, z: 0 } });

for (const protocol of ["foxglove.sdk.v1", "foxglove.websocket.v1"]) {
  const ws = new WebSocket(address, [protocol]), client = new FoxgloveClient({ ws });
  const s = (seen[protocol] = { errors: [], statuses: [], counts: {}, channels: [] });
  const channels = new Map(), services = new Map(), byId = new Map(), newest = {};
  let params = {}, lastTime = 0n, timeRises = true;
  client.on("error", (e) => s.errors.push(String(e)));
  client.on("status", (m) => s.statuses.push(m.message));
  client.on("serverInfo", (m) => (s.info = m));
  client.on("advertise", (list) => list.forEach((c) => channels.set(c.topic, c)));
  client.on("advertiseServices", (list) => list.forEach((c) => services.set(c.name, c)));
  client.on("parameterValues", (m) => { for (const p of m.parameters) params[p.name] = p.value; s.answered = m.id ?? s.answered; });
  client.on("time", (m) => { timeRises &&= m.timestamp >= lastTime; lastTime = m.timestamp; });
  let calls = [], failures = [];
  client.on("serviceCallResponse", (m) => calls.push(m));
  client.on("serviceCallFailure", (m) => failures.push(m));
  client.on("message", (m) => {
    const c = byId.get(m.subscriptionId);
    newest[c.topic] = { body: c.reader.readMessage(new Uint8Array(m.data.buffer, m.data.byteOffset, m.data.byteLength)), time: m.timestamp };
    s.counts[c.topic] = (s.counts[c.topic] ?? 0) + 1;
  });
  await until(() => s.info && channels.size && services.size, "the server's first words");
  s.protocol = ws.protocol;
  s.channels = [...channels.keys()];
  for (const c of channels.values()) { c.reader = new MessageReader(parse(c.schema, { ros2: true })); byId.set(client.subscribe(c.id), c); }
  client.subscribeParameterUpdates(["/tycho/paused", "/tycho/speed"]);
  client.getParameters(["/tycho/speed"], "ask");
  await until(() => s.answered === "ask", "parameters");
  s.speed = params["/tycho/speed"];
  const speed = () => newest["/viper/ground_truth/odom"]?.body.twist.twist.linear.x ?? 0;
  await until(() => newest["/viper/imu/data"] && newest["/tf_static"] && newest["/viper/cam/image_raw"] && lastTime > 0n, "messages", 60000);

  // drive: as CDR, then as JSON, then not at all
  const writer = new MessageWriter(parse(TWIST, { ros2: true }));
  const cdr = client.advertise({ topic: "/viper/cmd_vel", encoding: "cdr", schemaName: "geometry_msgs/msg/Twist" });
  const json = client.advertise({ topic: "/viper/cmd_vel", encoding: "json", schemaName: "geometry_msgs/msg/Twist" });
  for (const [how, give] of [["cdr", () => client.sendMessage(cdr, writer.writeMessage(twist(0.15)))], ["json", () => client.sendMessage(json, new TextEncoder().encode(JSON.stringify(twist(-0.1))))]]) {
    let best = 0;
    for (let i = 0; i < 400 && Math.abs(best) < (how === "cdr" ? 0.12 : 0.08); i++) { give(); await sleep(50); const v = speed(); best = (how === "cdr" ? v > best : v < best) ? v : best; }
    s[how] = best;
  }
  await until(() => Math.abs(speed()) < 0.003, "the watchdog"); // nothing is said any more
  s.stopped = speed();
  // the wheels one by one, by their names
  const wheels = newest["/viper/joint_states"].body.name.filter((n) => !n.endsWith("_steer"));
  const joints = new MessageWriter(parse(channels.get("/viper/joint_states").schema, { ros2: true }));
  const turn = client.advertise({ topic: "/viper/joint_commands", encoding: "cdr", schemaName: "sensor_msgs/msg/JointState" });
  s.wheels = 0;
  for (let i = 0; i < 400 && s.wheels < 0.06; i++) {
    client.sendMessage(turn, joints.writeMessage({ header: { stamp: { sec: 0, nanosec: 0 }, frame_id: "" }, name: wheels, position: [], velocity: wheels.map(() => 0.4), effort: [] }));
    await sleep(50);
    s.wheels = Math.max(s.wheels, speed());
  }
  await until(() => Math.abs(speed()) < 0.003, "the watchdog of joints");
  // a topic that nobody listens to is answered, not closed
  client.advertise({ topic: "/nobody", encoding: "cdr", schemaName: "std_msgs/msg/String" });
  await until(() => s.statuses.length, "a word about a topic that nobody hears");

  // services: pause, step once, run; one that is not there
  const call = async (name, id, encoding) => { client.sendServiceCallRequest({ serviceId: services.get(name)?.id ?? 99, callId: id, encoding, data: new DataView(new ArrayBuffer(4)) }); await until(() => calls.length + failures.length >= id, name); };
  await call("/tycho/pause", 1, "json");
  s.answer = new TextDecoder().decode(calls[0].data);
  await until(() => params["/tycho/paused"] === true, "paused");
  await call("/tycho/run", 2, "cdr");
  await until(() => params["/tycho/paused"] === false, "going on");
  await call("/no/such", 3, "cdr");
  s.failure = failures[0]?.message;
  client.setParameters([{ name: "/tycho/speed", value: 3 }], "set");
  await until(() => s.answered === "set", "an answer");
  s.set = params["/tycho/speed"];
  client.setParameters([{ name: "/tycho/speed", value: 1 }], "back");
  await until(() => s.answered === "back", "an answer");
  s.timeRises = timeRises;
  s.static = newest["/tf_static"].body.transforms.map((t) => t.child_frame_id);
  s.image = { width: newest["/viper/cam/image_raw"].body.width, bytes: newest["/viper/cam/image_raw"].body.data.length };
  s.open = ws.readyState === 1;
  client.close();
  await sleep(100);
}
console.log(JSON.stringify(seen));
process.exit(0);
