// viewer/app.js - the page of `tycho live`: ties the wire, the scene and the controls together. SPDX-License-Identifier: BSD-3-Clause
import * as THREE from "./three.module.min.js";
import { Ground, light, solidMaterial } from "./ground.js";
import { Link, MODES } from "./link.js";
import { Plots } from "./plots.js";
import { addActor, addObject, bytes, Cloud, readRocks, Rover, Sky } from "./things.js";

const $ = (id) => document.getElementById(id), ACCENT = [0xf0a53a, 0x5db7ff, 0x6fd08c, 0xe07be0], clamp = (v, a, b) => Math.min(Math.max(v, a), b);
const saved = (() => { try { return JSON.parse(localStorage.getItem("tycho") ?? "{}"); } catch { return {}; } })();
const save = (k, v) => { saved[k] = v; try { localStorage.setItem("tycho", JSON.stringify(saved)); } catch { /* private window */ } };

// ---- the look of the page ----
const setTheme = (t) => { document.documentElement.dataset.theme = t; save("theme", t); };
setTheme(saved.theme ?? (matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark"));
$("theme").onclick = () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
for (const b of document.querySelectorAll("#tabs button")) b.onclick = () => { document.body.dataset.tab = b.dataset.tab; for (const o of document.querySelectorAll("#tabs button")) o.setAttribute("aria-pressed", o === b); };
let noteTimer;
function note(text) { $("note").textContent = text; $("note").classList.add("on"); clearTimeout(noteTimer); noteTimer = setTimeout(() => $("note").classList.remove("on"), 4000); }
for (const d of document.querySelectorAll("dialog")) { d.querySelector(".close").onclick = () => d.close(); d.onclick = (e) => e.target === d && d.close(); }
$("help").onclick = () => $("keys").showModal();

// ---- the scene ----
const canvas = $("view");
let renderer;
try { renderer = new THREE.WebGLRenderer({ canvas, antialias: false, powerPreference: "high-performance" }); } catch { note("This browser gives no WebGL 2; the numbers and cameras are here, the view is not."); }
const scene = new THREE.Scene(), camera = new THREE.PerspectiveCamera(50, 1, 0.1, 60000), sky = new Sky(scene), plots = new Plots($("charts"));
scene.background = new THREE.Color(0); camera.up.set(0, 0, 1);
const info = await (await fetch("scene.json")).json(), rocks = readRocks(await bytes("rocks.bin"));
bytes("stars.bin").then((b) => sky.addStars(new Float32Array(b)));
const ground = new Ground(scene, info.ground, rocks, (tiles) => link.send({ op: "tiles", tiles })), rovers = info.rovers.map((r, i) => new Rover(scene, r, ACCENT[i % 4])), actors = [];
const standing = new Map(); // objects of the scenario, by name
info.objects.forEach((o) => addObject(scene, o, rovers).then((m) => { if (m && o.name) standing.set(o.name, m); }, (e) => console.warn(String(e))));
info.actors.forEach((a, i) => addActor(scene, a).then((m) => { actors[i] = m; }, (e) => console.warn(String(e))));
document.title = info.run + " - tycho live"; $("name").textContent = info.run;
for (const [i, r] of info.rovers.entries()) $("rover").add(new Option(r.name, i));
$("rover").parentElement.hidden = info.rovers.length < 2;
let state = null, current = 0, epoch = -1;
const me = () => rovers[current];

// the shadow map: rovers and rocks around what is looked at
const shadow = { size: 0, target: null, camera: new THREE.OrthographicCamera(-18, 18, 18, -18, 1, 240) };
shadow.camera.layers.set(1); shadow.camera.up.set(0, 0, 1);
const depthOnly = new THREE.MeshBasicMaterial({ colorWrite: false, side: THREE.DoubleSide });
function setShadow(size) {
  if (size === shadow.size) return;
  shadow.size = size; shadow.target?.dispose(); shadow.target = null; light.shadowOn.value = 0;
  if (size) { shadow.target = new THREE.WebGLRenderTarget(size, size, { depthTexture: new THREE.DepthTexture(size, size, THREE.UnsignedIntType) }); light.shadowMap.value = shadow.target.depthTexture; light.shadowOn.value = 1; }
}
function drawShadow(at) {
  if (!shadow.target || light.sun.value.z < 0.005) { light.shadowOn.value = 0; return; }
  const c = shadow.camera, reach = clamp(view.distance * 1.6, 9, 40);
  c.left = c.bottom = -reach; c.right = c.top = reach; c.far = 120 + 6 * reach; c.updateProjectionMatrix();
  c.position.copy(at).addScaledVector(light.sun.value, 60 + 3 * reach); c.lookAt(at); c.updateMatrixWorld();
  light.shadowOn.value = 0; scene.overrideMaterial = depthOnly; const background = scene.background; scene.background = null;
  renderer.setRenderTarget(shadow.target); renderer.clear(); renderer.render(scene, c); renderer.setRenderTarget(null);
  scene.overrideMaterial = null; scene.background = background;
  light.shadowMatrix.value.multiplyMatrices(c.projectionMatrix, c.matrixWorldInverse); light.shadowOn.value = 1;
}

// ---- quality: the page stays above 10 frames a second by lowering its own detail ----
const LEVELS = [
  { ratio: 0.35, cells: 8, split: 0.8, shadow: 0, fine: 0, rocks: 1 }, { ratio: 0.5, cells: 16, split: 1.0, shadow: 512, fine: 0, rocks: 1.5 }, { ratio: 0.7, cells: 32, split: 1.1, shadow: 1024, fine: 1, rocks: 2 },
  { ratio: 1, cells: 32, split: 1.4, shadow: 1024, fine: 1, rocks: 3 }, { ratio: 1.5, cells: 64, split: 1.7, shadow: 2048, fine: 1, rocks: 3 }, { ratio: 2, cells: 64, split: 2.0, shadow: 2048, fine: 1, rocks: 3 },
];
const quality = { level: 3, slow: 0, fast: 0, fps: 0, software: false };
if (renderer) {
  const gl = renderer.getContext(), ext = gl.getExtension("WEBGL_debug_renderer_info"), name = String(ext ? gl.getParameter(ext.UNMASKED_RENDERER_WEBGL) : gl.getParameter(gl.RENDERER));
  quality.software = /swiftshader|llvmpipe|softpipe|basic render/i.test(name); quality.level = quality.software ? 1 : 4; document.documentElement.classList.toggle("software", quality.software); ground.anisotropy = quality.software ? 1 : 4;
}
function setQuality(level) {
  const q = LEVELS[quality.level = clamp(level, 0, LEVELS.length - 1)];
  ground.cells = q.cells; ground.split = q.split; light.fine.value = q.fine; ground.rocks = q.rocks; setShadow(q.shadow);
  renderer.setPixelRatio(Math.min(q.ratio, q.ratio <= 1 ? q.ratio : Math.min(devicePixelRatio, q.ratio))); resize();
}
function resize() { if (!renderer) return; const w = innerWidth, h = innerHeight; renderer.setSize(w, h, false); camera.aspect = w / h; camera.updateProjectionMatrix(); }
addEventListener("resize", resize);
function judge(ms) {
  quality.fps += 0.1 * (1000 / Math.max(ms, 1) - quality.fps);
  quality.slow = ms > 75 ? quality.slow + 1 : Math.max(quality.slow - 0.5, 0); quality.fast = ms < 28 ? quality.fast + 1 : 0;
  if (quality.slow > 8 && quality.level > 0) { quality.slow = 0; quality.fast = -300; setQuality(quality.level - 1); }
  if (quality.fast > 240 && quality.level < (quality.software ? 3 : 5)) { quality.fast = 0; setQuality(quality.level + 1); }
}

// ---- the eye ----
const view = { cam: saved.cam ?? "follow", yaw: 2.5, pitch: 0.32, distance: 7, target: new THREE.Vector3(), home: false, heading: 0 };
function setCam(cam) { view.cam = cam; save("cam", cam); for (const b of document.querySelectorAll("#cams [data-cam]")) b.setAttribute("aria-pressed", b.dataset.cam === cam); if (cam === "free") view.yaw += 0; }
for (const b of document.querySelectorAll("#cams [data-cam]")) b.onclick = () => setCam(b.dataset.cam);
setCam(view.cam);
const mount = { position: new THREE.Vector3(), quaternion: new THREE.Quaternion() }, forward = new THREE.Vector3();
const headingOf = (r) => Math.atan2(2 * (r.q[3] * r.q[2] + r.q[0] * r.q[1]), 1 - 2 * (r.q[1] * r.q[1] + r.q[2] * r.q[2]));
const mastOf = (r) => r.info.mounts.find((m) => /nav|mast|cam/i.test(m.name))?.name ?? r.info.mounts[0]?.name;
function look(dt) {
  const r = me(), s = r?.state;
  if (view.cam === "mast" && s && r.mount(mastOf(r), mount)) {
    forward.set(1, 0, 0).applyQuaternion(mount.quaternion); camera.position.copy(mount.position);
    camera.up.set(0, 0, 1).applyQuaternion(mount.quaternion); camera.lookAt(mount.position.clone().add(forward)); camera.up.set(0, 0, 1); return;
  }
  if (s && view.cam !== "free") {
    const to = new THREE.Vector3(...s.p); to.z += 0.6;
    if (!view.home) { view.target.copy(to); view.heading = headingOf(s); view.home = true; }
    view.target.lerp(to, 1 - Math.exp(-8 * dt));
    if (view.cam === "follow") { let turn = headingOf(s) - view.heading; turn = Math.atan2(Math.sin(turn), Math.cos(turn)); view.heading += turn * (1 - Math.exp(-2 * dt)); }
  }
  if (view.cam === "free") moveFree(dt);
  const yaw = view.yaw + (view.cam === "follow" ? view.heading : 0), c = Math.cos(view.pitch);
  camera.position.set(view.target.x + view.distance * c * Math.cos(yaw), view.target.y + view.distance * c * Math.sin(yaw), view.target.z + view.distance * Math.sin(view.pitch));
  const h = ground.height(camera.position.x, camera.position.y);
  if (h !== null && camera.position.z < h + 0.25) camera.position.z = h + 0.25;
  camera.lookAt(view.target);
}
function moveFree(dt) {
  const v = clamp(view.distance, 2, 400) * dt, f = (held.has("arrowup") ? 1 : 0) - (held.has("arrowdown") ? 1 : 0), s = (held.has("arrowright") ? 1 : 0) - (held.has("arrowleft") ? 1 : 0);
  if (f || s) shiftTarget(-s * v, f * v);
}
function shiftTarget(right, ahead) {
  const yaw = view.yaw + (view.cam === "follow" ? view.heading : 0), c = Math.cos(yaw), s = Math.sin(yaw);
  view.target.x += -c * ahead - s * -right; view.target.y += -s * ahead + c * -right;
  const h = ground.height(view.target.x, view.target.y); if (h !== null) view.target.z = h + 0.5;
}
const touches = new Map();
let moved = 0, pinch = 0;
canvas.addEventListener("pointerdown", (e) => { canvas.focus(); canvas.setPointerCapture(e.pointerId); touches.set(e.pointerId, [e.clientX, e.clientY]); moved = 0; pinch = 0; });
canvas.addEventListener("pointermove", (e) => {
  const was = touches.get(e.pointerId); if (!was) return;
  const dx = e.clientX - was[0], dy = e.clientY - was[1]; touches.set(e.pointerId, [e.clientX, e.clientY]); moved += Math.abs(dx) + Math.abs(dy);
  if (touches.size === 2) { const [a, b] = [...touches.values()], d = Math.hypot(a[0] - b[0], a[1] - b[1]); if (pinch) zoom(pinch / d); pinch = d; return; }
  if (e.buttons & 2 || e.shiftKey) { if (view.cam !== "free") setCam("free"); shiftTarget(0.0015 * dx * view.distance, 0.0015 * dy * view.distance); return; }
  view.yaw -= 0.006 * dx; view.pitch = clamp(view.pitch + 0.005 * dy, -0.2, 1.5);
});
const lift = (e) => { const was = touches.delete(e.pointerId); if (was && moved < 6 && e.type === "pointerup" && e.button === 0) clickAt(e.clientX, e.clientY); };
canvas.addEventListener("pointerup", lift); canvas.addEventListener("pointercancel", lift); canvas.addEventListener("contextmenu", (e) => e.preventDefault());
const zoom = (k) => { view.distance = clamp(view.distance * k, 1.2, 8000); };
canvas.addEventListener("wheel", (e) => { e.preventDefault(); zoom(Math.exp(0.0012 * e.deltaY)); }, { passive: false });

// ---- clicks on the ground: a waypoint, a measure, what is put down and taken away ----
const HINTS = { go: "Click where the rover shall go; Shift adds a point.", measure: "Click two places.", put: "Click where it shall lie.", take: "Click what shall go: what was put down, or a rover without sensors." };
let tool = null; const marks = new THREE.Group(); scene.add(marks); let first = null;
function setTool(t) { tool = tool === t ? null : t; for (const id of Object.keys(HINTS)) $(id).setAttribute("aria-pressed", tool === id); marks.clear(); first = null; canvas.style.cursor = tool ? "crosshair" : ""; if (tool) note(HINTS[tool]); }
for (const id of Object.keys(HINTS)) $(id).onclick = () => setTool(id);
let route = [];
function clickAt(x, y, more) {
  if (!tool) return;
  const ray = new THREE.Raycaster(); ray.setFromCamera(new THREE.Vector2(2 * x / innerWidth - 1, 1 - 2 * y / innerHeight), camera);
  const p = ground.hit(ray.ray.origin, ray.ray.direction);
  if (!p) { note("There is no ground."); return; }
  if (tool === "put") return putDown(p);
  if (tool === "take") return takeAway(p);
  if (tool === "go") {
    route = more || shiftHeld ? [...route, [p.x, p.y]].slice(-64) : [[p.x, p.y]];
    link.send({ op: "path", rover: current, points: route, speed: Number($("limit").value) }); if (!shiftHeld) setTool("go");
  } else {
    const dot = new THREE.Mesh(new THREE.SphereGeometry(0.012 * camera.position.distanceTo(p), 12, 8), new THREE.MeshBasicMaterial({ color: 0x5db7ff, depthTest: false })); dot.position.copy(p);
    if (!first || marks.children.length > 2) { marks.clear(); first = p; marks.add(dot); return; }
    const g = new THREE.BufferGeometry().setFromPoints([first, p]); marks.add(dot, new THREE.Line(g, new THREE.LineBasicMaterial({ color: 0x5db7ff, depthTest: false })));
    const flat = Math.hypot(p.x - first.x, p.y - first.y), rise = p.z - first.z;
    note(`${first.distanceTo(p).toFixed(2)} m; level ${flat.toFixed(2)} m, rise ${rise.toFixed(2)} m, slope ${(Math.atan2(rise, flat) * 180 / Math.PI).toFixed(1)} deg, bearing ${((90 - Math.atan2(p.y - first.y, p.x - first.x) * 180 / Math.PI + 360) % 360).toFixed(0)} deg`); first = null;
  }
}

// what came is told by name and place; spheres are drawn here, rocks come with their tiles
let cast = { away: [], things: [] }; const balls = new THREE.Group(); scene.add(balls);
const waiting = () => info.rovers.filter((r, i) => cast.away[i]);
function kinds() { const was = $("what").value, all = ["rock", "ball", ...waiting().map((r) => r.name)]; $("what").replaceChildren(...all.map((k) => new Option(k))); $("what").value = all.includes(was) ? was : "rock"; }
function setCast(c) {
  const rovers_changed = JSON.stringify(c.away) !== JSON.stringify(cast.away); cast = c;
  rovers.forEach((r, i) => { if (!c.away[i] && !r.group.visible) r.clear(); r.group.visible = r.trail.visible = !c.away[i]; });
  balls.clear();
  for (const t of c.things) {
    if (t.kind !== "object" || t.gone) { const o = t.gone && standing.get(t.name); if (o) o.visible = false; continue; }
    const m = new THREE.Mesh(new THREE.SphereGeometry(t.radius, 32, 20), solidMaterial({ color: 0x8a8a86 })); m.position.set(...t.p); m.layers.enable(1); balls.add(m);
  }
  for (const [name, o] of standing) if (!c.things.some((t) => t.gone && t.name === name)) o.visible = true;
  if (rovers_changed || !$("what").options.length) kinds();
}
function fresh(what) { let n = 1; while (cast.things.some((t) => t.name === `${what}_${n}`)) n++; return `${what}_${n}`; }
function putDown(p) {
  const what = $("what").value, d = Number($("large").value), x = p.x.toFixed(3), y = p.y.toFixed(3);
  if (what === "rock") link.send({ op: "add", lines: `rocks: [{name: ${fresh("stone")}, at: [${x}, ${y}], size: ${d}, shape: ${Math.floor(64 * Math.random())}, yaw_deg: ${Math.floor(360 * Math.random())}}]` });
  else if (what === "ball") link.send({ op: "add", lines: `objects: [{type: sphere, name: ${fresh("ball")}, radius: ${0.5 * d}, position: [${x}, ${y}, ${0.5 * d}], on_ground: true}]` });
  else link.send({ op: "add", lines: `rovers: [{name: ${what}, x: ${x}, y: ${y}, yaw_deg: ${(deg(view.heading) % 360).toFixed(1)}}]` });
}
function takeAway(p) {
  const near = cast.things.filter((t) => !t.gone).map((t) => ({ name: t.name, d: Math.hypot(p.x - (t.x ?? t.p[0]), p.y - (t.y ?? t.p[1])) - (t.radius ?? 0.5 * t.size) }));
  rovers.forEach((r, i) => { if (r.state && !cast.away[i] && info.rovers.length > 1) near.push({ name: r.info.name, d: Math.hypot(p.x - r.state.p[0], p.y - r.state.p[1]) - 0.8 }); });
  near.sort((a, b) => a.d - b.d);
  if (near[0]?.d < 0.5) link.send({ op: "remove", name: near[0].name }); else note("Nothing that was put down is here.");
}

// ---- driving: keys, stick, gamepad ----
const held = new Set(); let shiftHeld = false, stickAt = [0, 0], driving = false, lastSent = 0, command = { v: 0, omega: 0 };
const DRIVE = { w: [1, 0], s: [-1, 0], a: [0, 1], d: [0, -1], arrowup: [1, 0], arrowdown: [-1, 0], arrowleft: [0, 1], arrowright: [0, -1] };
function wish() {
  let f = stickAt[1], t = stickAt[0];
  for (const k of held) if (DRIVE[k] && !(view.cam === "free" && k.startsWith("arrow"))) { f += DRIVE[k][0]; t += DRIVE[k][1]; }
  for (const g of navigator.getGamepads?.() ?? []) if (g?.connected) { const dead = (v) => Math.abs(v) > 0.12 ? v : 0; f -= dead(g.axes[1] ?? 0); t -= dead(g.axes[0] ?? 0); }
  return [clamp(f, -1, 1), clamp(t, -1, 1)];
}
function steer(now) {
  const [f, t] = wish(), active = f !== 0 || t !== 0, limit = Number($("limit").value), mode = $("mode").value;
  if (!active && !driving) return;
  if (active && driving && now - lastSent < 100) return;
  driving = active; lastSent = now;
  command = { op: "drive", rover: current, mode, v: f * limit, omega: (mode === "point" ? 0.4 : 0.9) * t * Math.max(limit, 0.05), crab: mode === "crab" ? 0.8 * t : 0 };
  if (mode === "crab" && !f && t) { command.v = limit * Math.abs(t); command.crab = Math.sign(t) * Math.PI / 2; }
  if (mode === "ackermann" && !f && t) command.mode = "point"; // on the spot
  link.send(command);
}
const stop = () => { held.clear(); stickAt = [0, 0]; driving = false; link.send({ op: "stop", rover: current }); };
$("stop").onclick = stop; $("auto").onclick = () => link.send({ op: "auto", rover: current });
$("rover").onchange = () => { current = Number($("rover").value); plots.clear(); view.home = false; buildWheels(); };
const showLimit = () => { $("limit_out").textContent = Number($("limit").value).toFixed(2) + " m/s"; };
$("limit").oninput = showLimit; $("limit").max = Math.max(0.1, Math.min(info.rovers[0]?.fastest ?? 1, 3)).toFixed(2); showLimit();
const stick = $("stick");
function moveStick(e) { const b = stick.getBoundingClientRect(), r = b.width / 2 - 14; let x = (e.clientX - b.left - b.width / 2) / r, y = (b.top + b.height / 2 - e.clientY) / r; const n = Math.max(Math.hypot(x, y), 1); stickAt = [-x / n, y / n].map((v) => Math.abs(v) < 0.08 ? 0 : v); drawStick(x / n, y / n, r); }
function drawStick(x, y, r = 52) { $("knob").style.transform = `translate(${x * r}px, ${-y * r}px)`; }
stick.addEventListener("pointerdown", (e) => { stick.setPointerCapture(e.pointerId); moveStick(e); }); stick.addEventListener("pointermove", (e) => stick.hasPointerCapture(e.pointerId) && moveStick(e));
for (const t of ["pointerup", "pointercancel"]) stick.addEventListener(t, () => { stickAt = [0, 0]; drawStick(0, 0); });

// ---- time, Sun ----
$("run").onclick = () => link.send({ op: state?.paused ? "run" : "pause" });
$("step").onclick = (e) => link.send({ op: "step", n: e.shiftKey ? Math.max(1, Math.round(0.1 / info.step)) : 1 });
$("reset").onclick = () => link.send({ op: "reset" });
$("speed").onchange = () => link.send({ op: "speed", times: Number($("speed").value) });
let sunMoved = -1e9, sought = -1e9;
$("seek").oninput = () => { sought = performance.now(); $("seek_out").textContent = Number($("seek").value).toFixed(1) + " s"; };
$("seek").onchange = () => { sought = performance.now(); link.send({ op: "seek", t: Number($("seek").value) }); };
$("sun").oninput = () => { sunMoved = performance.now(); link.send({ op: "sun", shift: 3600 * Number($("sun").value) }); };
const nudge = (id, by) => { const e = $(id); e.value = Number(e.value) + by; e.dispatchEvent(new Event("input")); };
const KEYS = {
  p: () => $("run").click(), n: (e) => $("step").onclick(e), " ": stop, v: () => { const m = $("mode"); m.selectedIndex = (m.selectedIndex + 1) % m.options.length; }, g: () => setTool("go"), m: () => setTool("measure"), b: () => setTool("put"), x: () => setTool("take"), o: () => $("auto").click(), t: () => $("theme").click(), h: () => $("help").click(), "?": () => $("help").click(),
  1: () => setCam("follow"), 2: () => setCam("orbit"), 3: () => setCam("free"), 4: () => setCam("mast"), "[": () => nudge("sun", -1), "]": () => nudge("sun", 1),
  "+": () => { const s = $("speed"); s.selectedIndex = Math.min(s.selectedIndex + 1, s.options.length - 1); s.onchange(); }, "-": () => { const s = $("speed"); s.selectedIndex = Math.max(s.selectedIndex - 1, 0); s.onchange(); }, escape: () => tool && setTool(tool),
};
addEventListener("keydown", (e) => {
  shiftHeld = e.shiftKey;
  if (e.ctrlKey || e.metaKey || e.altKey || document.querySelector("dialog[open]") || /^(select|textarea)$/i.test(e.target.tagName)) return;
  const k = e.key.toLowerCase(), onControl = /^(button|input)$/i.test(e.target.tagName);
  if (onControl && (k === " " || k === "enter" || k.startsWith("arrow"))) return;
  if (k === "r" && e.shiftKey) { $("reset").click(); return; }
  if (DRIVE[k]) { held.add(k); e.preventDefault(); } else if (KEYS[k] && !e.repeat) { KEYS[k](e); e.preventDefault(); }
});
addEventListener("keyup", (e) => { shiftHeld = e.shiftKey; held.delete(e.key.toLowerCase()); });
addEventListener("blur", () => { held.clear(); stickAt = [0, 0]; drawStick(0, 0); });

// ---- panels ----
let rows = [];
function buildWheels() {
  const body = document.querySelector("#wheels tbody"); body.replaceChildren(); rows = [];
  for (const [i, w] of (info.rovers[current]?.wheels ?? []).entries()) { const tr = body.insertRow(); rows.push({ tr, cells: Array.from({ length: 5 }, () => tr.insertCell()) }); rows[i].cells[0].textContent = w.name.replaceAll("_", " "); rows[i].cells[0].style.setProperty("--c", `var(--w${i % 6})`); }
}
buildWheels();
const FACTS = ["speed", "way", "roll", "pitch", "heading", "tilt", "x", "y", "Sun", "Earth"], fact = {};
for (const f of FACTS) { const dt = document.createElement("dt"), dd = document.createElement("dd"); dt.textContent = f; $("facts").append(dt, dd); fact[f] = dd; }
const deg = (r) => r * 180 / Math.PI;
function attitude(q) {
  const [x, y, z, w] = q;
  return { roll: deg(Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))), pitch: deg(-Math.asin(clamp(2 * (w * y - z * x), -1, 1))), heading: (450 - deg(Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)))) % 360, tilt: deg(Math.acos(clamp(1 - 2 * (x * x + y * y), -1, 1))) };
}
const place = (v) => `${((deg(Math.atan2(v[0], v[1])) + 360) % 360).toFixed(0)}° / ${deg(Math.asin(clamp(v[2], -1, 1))).toFixed(1)}°`;
function hms(t) { const s = Math.floor(t), p = (v) => String(v).padStart(2, "0"); return `T+${p(Math.floor(s / 3600))}:${p(Math.floor(s / 60) % 60)}:${p(s % 60)}.${Math.floor(10 * (t - s))}`; }
let panelAt = 0, plotsAt = 0;
function panels(now) {
  if (!state || now - panelAt < 120) return;
  panelAt = now;
  const r = state.rovers[current];
  $("utc").textContent = new Date(1e3 * state.utc).toISOString().slice(0, 19).replace("T", " ") + " UTC"; $("elapsed").textContent = hms(state.time);
  $("rate").textContent = state.done ? "ended" : state.paused ? "paused" : state.rate.toFixed(2) + "x"; $("rate").className = !state.paused && state.speed > 0 && state.rate < 0.9 * state.speed ? "slow" : "";
  $("run").textContent = state.paused ? "Run" : "Pause"; $("reset").disabled = state.recorded; $("sun").disabled = state.recorded;
  if (state.replay) { $("seek_label").hidden = false; $("seek").max = info.duration; if (now - sought > 1500) { $("seek").value = state.time; $("seek_out").textContent = state.time.toFixed(1) + " s"; } }
  if (document.activeElement !== $("speed")) { const o = [...$("speed").options].find((k) => Math.abs(Number(k.value) - state.speed) < 1e-3); if (o) $("speed").value = o.value; }
  if (now - sunMoved > 1500) $("sun").value = Math.round(state.shift / 3600);
  $("sun_out").textContent = `${deg(Math.asin(state.sun[2])).toFixed(1)}° up`; $("sun_out").title = (state.shift / 3600).toFixed(0) + " h";
  $("scale").textContent = `${quality.fps.toFixed(0)} fps, detail ${quality.level + 1} of ${LEVELS.length}, ${state.clients} watching`;
  if (!r) return;
  const a = attitude(r.q);
  const set = { speed: Math.hypot(...r.v).toFixed(3) + " m/s", way: r.way.toFixed(2) + " m", roll: a.roll.toFixed(1) + "°", pitch: a.pitch.toFixed(1) + "°", heading: a.heading.toFixed(0) + "°", tilt: a.tilt.toFixed(1) + "°", x: r.p[0].toFixed(2) + " m", y: r.p[1].toFixed(2) + " m", Sun: place(state.sun), Earth: place(state.earth) };
  for (const f of FACTS) fact[f].textContent = set[f];
  $("driver").textContent = MODES[r.mode] + (r.mode === 2 && driving ? `: ${command.v.toFixed(2)} m/s, ${deg(command.omega).toFixed(0)}°/s` : "");
  r.wheels.forEach((w, i) => { const c = rows[i]?.cells; if (!c) return; const turns = Math.abs(w.omega) > 0.02; c[1].textContent = turns ? (100 * w.slip).toFixed(0) + " %" : "-"; c[1].className = turns && Math.abs(w.slip) > 0.4 ? "hot" : ""; c[2].textContent = (1e3 * w.sinkage).toFixed(0) + " mm"; c[3].textContent = w.load.toFixed(0) + " N"; c[4].textContent = w.power.toFixed(1) + " W"; rows[i].tr.className = w.contact ? "" : "air"; });
  if (now - plotsAt >= (quality.software ? 500 : 120)) { plotsAt = now; plots.draw(); }
}
const shots = new Map(), clouds = new Map();
for (const [i, s] of info.sensors.entries()) {
  if (!s.width && s.kind !== "lidar") continue;
  if (s.kind === "lidar") { clouds.set(i, new Cloud(scene)); continue; }
  const b = document.createElement("button"), img = document.createElement("img"), label = document.createElement("span"), empty = document.createElement("em");
  b.className = "shot"; img.alt = `what ${s.name} of ${s.rover} sees`; label.textContent = s.name; empty.textContent = "no picture yet"; b.append(img, empty, label); b.title = `${s.name} of ${s.rover}: ${s.width} x ${s.height}, every ${s.period} s`; img.hidden = true;
  b.onclick = () => { if (img.hidden) return; $("full").querySelector("img").src = img.src; $("full").querySelector("img").alt = img.alt; $("full").querySelector("p").textContent = label.textContent + `, ${s.width} x ${s.height}`; $("full").showModal(); $("full").dataset.sensor = i; };
  $("shots").append(b); shots.set(i, { img, label, empty, s, url: null });
}
if (!shots.size) $("cameras").hidden = true;
function event(e) {
  const li = document.createElement("li"), t = document.createElement("time"), x = document.createElement("span"); t.textContent = e.t.toFixed(2) + " s"; x.textContent = (e.rover ? e.rover + ": " : "") + e.text;
  if (/slip|tilt|rock/.test(e.kind)) li.className = "strong"; li.append(t, x); $("log").prepend(li); while ($("log").children.length > 200) $("log").lastChild.remove();
}

// ---- the wire ----
const link = new Link({
  open() { $("dot").className = "on"; $("dot").setAttribute("aria-label", "connected"); link.send({ op: "look", sensors: [...shots.keys(), ...clouds.keys()] }); ground.reset(); },
  close(why) { $("dot").className = "off"; $("dot").setAttribute("aria-label", "not connected"); note(why); },
  state(s) {
    state = s;
    if (s.epoch !== epoch) { if (epoch >= 0) { rovers.forEach((r) => r.clear()); plots.clear(); } epoch = s.epoch; }
    s.rovers.forEach((r, i) => rovers[i]?.set(r)); s.actors.forEach((a, i) => { if (actors[i]) { actors[i].position.set(...a.p); actors[i].quaternion.set(...a.q); } });
    const r = s.rovers[current]; if (r) plots.add(s.time, r, attitude(r.q));
  },
  tile(t) { ground.take(t); },
  image(m) {
    const k = shots.get(m.sensor); if (!k) return;
    if (k.url) URL.revokeObjectURL(k.url);
    k.url = URL.createObjectURL(m.jpeg); k.img.src = k.url; k.img.hidden = false; k.empty.hidden = true; k.label.textContent = `${k.s.name}, ${m.time.toFixed(1)} s`;
    if ($("full").open && Number($("full").dataset.sensor) === m.sensor) $("full").querySelector("img").src = k.url;
  },
  cloud(c) { clouds.get(c.sensor)?.set(c); },
  text(m) {
    if (m.op === "event") event(m); else if (m.op === "note") note(m.text); else if (m.op === "edit") ground.edited(m.rect); else if (m.op === "reset") { ground.reset(); $("log").replaceChildren(); }
    else if (m.op === "cast") setCast(m);
    else if (m.op === "path") { route = m.points; rovers[m.rover]?.setPath(m.points, (x, y) => ground.height(x, y)); }
  },
});

// ---- frames ----
if (renderer) setQuality(quality.level);
let before = performance.now();
const exposureOf = (sun) => { const mu0 = Math.max(sun.z, 0.025); return 0.42 / ((0.75 * mu0 / (mu0 + 0.42) + 0.3 * mu0) * 0.75); };
function frame(now) {
  requestAnimationFrame(frame);
  const ms = now - before; before = now;
  steer(now); panels(now);
  if (!renderer || !state) return;
  if (ms < 10000 && document.visibilityState === "visible") judge(ms);
  light.sun.value.set(...state.sun).normalize();
  light.exposure.value += (exposureOf(light.sun.value) - light.exposure.value) * (1 - Math.exp(-ms / 150));
  look(Math.min(ms, 100) / 1000);
  camera.near = clamp(0.02 * view.distance, 0.05, 5); camera.far = 60000; camera.updateProjectionMatrix(); camera.updateMatrixWorld();
  sky.set(camera.position, camera.far, state);
  missing = ground.update(camera.position, light.sun.value, view.target);
  scene.traverseVisible((o) => { const u = o.material?.uniforms; if (u?.eye) u.eye.value.copy(camera.position); });
  drawShadow(view.cam === "mast" ? camera.position : view.target);
  renderer.render(scene, camera);
  drawn++; counted++;
  if (now - toldAt >= 1000) { link.send({ op: "drawn", fps: 1000 * counted / (now - toldAt) }); toldAt = now; counted = 0; }
}
let missing = 0, drawn = 0, counted = 0, toldAt = performance.now();
requestAnimationFrame(frame);
// for tests and for the curious
window.tycho = { get state() { return state; }, get quality() { return { level: quality.level, fps: quality.fps, software: quality.software, drawn, missing, tiles: ground.nodes.size }; }, view, ground, camera, setCam, setQuality, link, get cast() { return cast; } };
