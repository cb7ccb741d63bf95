// viewer/plots.js - the last minute of each wheel, as lines. SPDX-License-Identifier: BSD-3-Clause
const SPAN = 60, ROOM = 700, COLORS = 6;

export class Plots {
  constructor(box) {
    this.panels = [
      { title: "slip", unit: "%", of: (r) => r.wheels.map((w) => Math.abs(w.omega) > 0.02 ? 100 * w.slip : 0), least: [-20, 60] }, { title: "sinkage", unit: "mm", of: (r) => r.wheels.map((w) => 1e3 * w.sinkage), least: [0, 30] },
      { title: "power", unit: "W", of: (r) => r.wheels.map((w) => w.power), least: [-5, 30] }, { title: "attitude: roll, pitch", unit: "deg", of: (r, a) => [a.roll, a.pitch], least: [-10, 10] },
    ];
    for (const p of this.panels) { p.canvas = document.createElement("canvas"); p.canvas.setAttribute("role", "img"); p.canvas.setAttribute("aria-label", p.title); box.append(p.canvas); }
    this.clear();
  }
  clear() { this.t = []; for (const p of this.panels) p.rows = []; this.next = -1e9; }
  add(time, rover, attitude) {
    if (time < this.next && time > this.next - 1) return;
    if (this.t.length && time < this.t[this.t.length - 1]) this.clear();
    this.next = time + 0.1;
    this.t.push(time); for (const p of this.panels) p.rows.push(p.of(rover, attitude));
    if (this.t.length > ROOM) { this.t.splice(0, 100); for (const p of this.panels) p.rows.splice(0, 100); }
  }
  draw() {
    const css = getComputedStyle(document.documentElement), dim = css.getPropertyValue("--dim"), line = css.getPropertyValue("--line"), colors = Array.from({ length: COLORS }, (_, i) => css.getPropertyValue("--w" + i).trim());
    for (const p of this.panels) {
      const c = p.canvas, w = c.clientWidth, h = c.clientHeight, k = Math.min(devicePixelRatio || 1, 2);
      if (!w || !h) continue;
      if (c.width !== Math.round(w * k)) { c.width = Math.round(w * k); c.height = Math.round(h * k); }
      const x = c.getContext("2d"); x.setTransform(k, 0, 0, k, 0, 0); x.clearRect(0, 0, w, h);
      const end = this.t.at(-1) ?? 0, from = this.t.findIndex((t) => t >= end - SPAN);
      let [low, high] = p.least;
      for (let i = Math.max(from, 0); i < p.rows.length; i++) for (const v of p.rows[i]) if (Number.isFinite(v)) { low = Math.min(low, v); high = Math.max(high, v); }
      const left = 34, X = (t) => left + (w - left - 2) * (1 + (t - end) / SPAN), Y = (v) => 13 + (h - 17) * (1 - (v - low) / (high - low));
      x.font = "10px system-ui, sans-serif"; x.fillStyle = dim; x.strokeStyle = line; x.lineWidth = 1;
      x.fillText(p.title + " [" + p.unit + "]", left, 9); x.textAlign = "right";
      for (const v of [low, high]) x.fillText(Math.abs(v) >= 100 ? v.toFixed(0) : v.toFixed(v % 1 ? 1 : 0), left - 4, Y(v) + (v === high ? 7 : 0));
      x.textAlign = "left"; x.beginPath(); x.moveTo(left, Y(0)); x.lineTo(w, Y(0)); x.stroke(); x.strokeRect(left + 0.5, 12.5, w - left - 1, h - 15);
      const n = p.rows.at(-1)?.length ?? 0;
      for (let s = 0; s < n; s++) {
        x.strokeStyle = colors[s % COLORS]; x.lineWidth = 1.3; x.beginPath();
        for (let i = Math.max(from, 0); i < p.rows.length; i++) x.lineTo(X(this.t[i]), Y(p.rows[i][s]));
        x.stroke();
      }
    }
  }
}
