// A replay by Foxglove's own client: seeks by the parameter of its time, forth and back, and looks at the clock that comes. Prints JSON.
//   node foxglove_seek.mjs ws://127.0.0.1:PORT/TOKEN/
import protocolPackage from "@foxglove/ws-protocol";
import { WebSocket } from "ws";

const { FoxgloveClient } = protocolPackage;
const client = new FoxgloveClient({ ws: new WebSocket(process.argv[2], ["foxglove.sdk.v1"]) }), seen = { errors: [], at: [] };
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
async function until(what, name, ms = 30000) { for (const end = Date.now() + ms; !what(); await sleep(10)) if (Date.now() > end) throw new Error(`waited in vain for ${name}`); }
let clock, time = null;
client.on("error", (e) => seen.errors.push(String(e)));
client.on("advertise", (list) => (clock ??= list.find((c) => c.topic === "/clock")));
client.on("time", (m) => (time = m.timestamp));
let value = null;
client.on("parameterValues", (m) => { for (const p of m.parameters) if (p.name === "/tycho/time_s") value = p.value; });
await until(() => clock, "the clock's channel");
client.subscribe(clock.id);
await sleep(200);
for (const t of [2, 0.5, 2.5]) {
  client.setParameters([{ name: "/tycho/time_s", value: t }]);
  value = null;
  for (const end = Date.now() + 30000; Math.abs((value ?? -1) - t) > 1e-6 && Date.now() < end; await sleep(100)) client.getParameters(["/tycho/time_s"], "ask");
  seen.at.push({ asked: t, time: value, clock: time === null ? null : Number(time % 60000000000n) / 1e9 });
}
console.log(JSON.stringify(seen));
process.exit(0);
