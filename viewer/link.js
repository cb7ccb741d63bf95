// viewer/link.js - the wire of `tycho live`: what comes is decoded, what goes is JSON (docs/live.md). SPDX-License-Identifier: BSD-3-Clause
export const MODES = ["stands", "scenario's driver", "by hand", "waypoints", "by its joints"];
export const WHEEL = ["omega", "torque", "power", "steer", "slip", "sinkage", "load", "rock", "angle", "contact"];

export function decodeState(d) {
  const s = {
    flags: d.getUint8(1), paused: (d.getUint8(1) & 1) > 0, done: (d.getUint8(1) & 2) > 0, recorded: (d.getUint8(1) & 4) > 0, replay: (d.getUint8(1) & 8) > 0, sequence: d.getUint32(4, true), time: d.getFloat64(8, true), utc: d.getFloat64(16, true),
    shift: d.getFloat64(24, true), speed: d.getFloat32(32, true), rate: d.getFloat32(36, true), sun: vec(d, 40), earth: vec(d, 52), sunRadius: d.getFloat32(64, true), earthRadius: d.getFloat32(68, true),
    phase: d.getFloat32(72, true), epoch: d.getUint32(76, true), clients: d.getUint16(82, true), rovers: [], actors: [],
  };
  let at = 88;
  for (let i = 0, n = d.getUint16(2, true); i < n; i++) {
    const r = { p: [d.getFloat64(at, true), d.getFloat64(at + 8, true), d.getFloat64(at + 16, true)], v: vec(d, at + 24), q: quat(d, at + 36), omega: vec(d, at + 52), way: d.getFloat32(at + 64, true), work: d.getFloat32(at + 68, true), mode: d.getUint8(at + 72), bodies: [], wheels: [] };
    const wheels = d.getUint8(at + 73), bodies = d.getUint16(at + 74, true);
    at += 76;
    for (let b = 0; b < bodies; b++, at += 28) r.bodies.push({ p: vec(d, at), q: quat(d, at + 12) });
    for (let w = 0; w < wheels; w++, at += 40) r.wheels.push(Object.fromEntries(WHEEL.map((k, j) => [k, d.getFloat32(at + 4 * j, true)])));
    s.rovers.push(r);
  }
  for (let i = 0, n = d.getUint16(80, true); i < n; i++, at += 40) s.actors.push({ p: [d.getFloat64(at, true), d.getFloat64(at + 8, true), d.getFloat64(at + 16, true)], q: quat(d, at + 24) });
  return s;
}
const vec = (d, at) => [d.getFloat32(at, true), d.getFloat32(at + 4, true), d.getFloat32(at + 8, true)];
const quat = (d, at) => [d.getFloat32(at + 4, true), d.getFloat32(at + 8, true), d.getFloat32(at + 12, true), d.getFloat32(at, true)]; // x y z w, as three.js has it

export function decodeTile(buffer) {
  const d = new DataView(buffer), side = d.getUint32(36, true), n = side * side, rocks = d.getUint32(12, true), marked = d.getUint16(2, true) & 1;
  const t = { level: d.getUint8(1), x: d.getInt32(4, true), y: d.getInt32(8, true), z0: d.getFloat64(16, true), spacing: d.getFloat64(24, true), side, height: new Float32Array(n), trace: null, rocks: [] };
  const raw = new Uint16Array(buffer, 40, n), step = d.getFloat32(32, true);
  for (let i = 0; i < n; i++) t.height[i] = raw[i] * step;
  let at = 40 + 2 * n + 2;
  if (marked) { t.trace = new Uint8Array(buffer, at, (side - 3) * (side - 3)); at += t.trace.length; }
  for (let i = 0; i < rocks; i++, at += 36) t.rocks.push({ f: new Float32Array(buffer, at, 8), shape: d.getUint16(at + 32, true), tone: d.getUint16(at + 34, true) / 65535 });
  return t;
}

export class Link {
  constructor(on) { this.on = on; this.open = false; this.wait = 500; this.connect(); }
  connect() {
    const ws = this.ws = new WebSocket(new URL("ws", location.href).href.replace(/^http/, "ws"));
    ws.binaryType = "arraybuffer";
    ws.onopen = () => { this.open = true; this.wait = 500; this.on.open(); };
    ws.onclose = (e) => { this.open = false; this.on.close(e.reason || "the server is gone"); setTimeout(() => this.connect(), this.wait = Math.min(2 * this.wait, 8000)); };
    ws.onmessage = (e) => {
      if (typeof e.data === "string") return this.on.text(JSON.parse(e.data));
      const d = new DataView(e.data);
      switch (d.getUint8(0)) {
        case 1: return this.on.state(decodeState(d));
        case 2: return this.on.tile(decodeTile(e.data));
        case 3: return this.on.image({ sensor: d.getUint16(2, true), time: d.getFloat64(8, true), width: d.getUint16(16, true), height: d.getUint16(18, true), jpeg: new Blob([new Uint8Array(e.data, 24)], { type: "image/jpeg" }) });
        case 4: return this.on.cloud({ sensor: d.getUint16(2, true), count: d.getUint32(4, true), origin: [d.getFloat64(16, true), d.getFloat64(24, true), d.getFloat64(32, true)], points: new Float32Array(e.data, 40) });
      }
    };
  }
  send(message) { if (this.open && this.ws.bufferedAmount < 1 << 18) this.ws.send(JSON.stringify(message)); }
}
