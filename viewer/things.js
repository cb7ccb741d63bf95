// viewer/things.js - what stands on the ground and in the sky: rovers, objects, trails, clouds of points, Sun, Earth, stars.
// SPDX-License-Identifier: BSD-3-Clause
import * as THREE from "./three.module.min.js";
import { light, solidMaterial } from "./ground.js";

export async function bytes(path) { const r = await fetch(path); if (!r.ok) throw new Error(path + ": " + r.status); return r.arrayBuffer(); }

export function readRocks(buffer) {
  const d = new DataView(buffer), all = [];
  for (let i = 0, at = 4, n = d.getUint32(0, true); i < n; i++) {
    const v = d.getUint32(at, true), t = d.getUint32(at + 4, true);
    all.push({ vertex: new Float32Array(buffer, at + 8, 3 * v), triangle: new Uint16Array(buffer, at + 8 + 12 * v, 3 * t) });
    at += 8 + 12 * v + Math.ceil(6 * t / 4) * 4;
  }
  return all;
}

async function meshOf(path) {
  const buffer = await bytes(path), [v, t, colored] = new Uint32Array(buffer, 0, 3), vertex = new Float32Array(buffer, 16, 3 * v), index = new Uint32Array(buffer, 16 + 12 * v, 3 * t), g = new THREE.BufferGeometry(), position = new Float32Array(9 * t);
  for (let i = 0; i < 3 * t; i++) position.set(vertex.subarray(3 * index[i], 3 * index[i] + 3), 3 * i);
  g.setAttribute("position", new THREE.BufferAttribute(position, 3));
  if (colored) {
    const rgb = new Uint8Array(buffer, 16 + 12 * v + 12 * t, 4 * t), color = new Float32Array(9 * t), lin = (c) => (c / 255) ** 2.2;
    for (let i = 0; i < 9 * t; i++) color[i] = lin(rgb[4 * Math.floor(i / 9) + i % 3]);
    g.setAttribute("color", new THREE.BufferAttribute(color, 3));
  }
  g.computeVertexNormals();
  return { g, colored: !!colored };
}

// an open rim with lugs, spokes and a hub about z, as the renderer draws wheels
function wheelGeometry(r, half, lugs, h) {
  const parts = [], put = (g) => { parts.push(g.index ? g.toNonIndexed() : g); }, box = (x, y, z, at, a) => { const g = new THREE.BoxGeometry(2 * x, 2 * y, 2 * z); g.translate(at, 0, 0); g.rotateZ(a); put(g); };
  const tube = (radius, open) => { const g = new THREE.CylinderGeometry(radius, radius, 2 * half, 40, 1, open); g.rotateX(Math.PI / 2); put(g); };
  tube(r, true); tube(0.9 * r, true); tube(0.26 * r, false);
  const ring = (z) => { const g = new THREE.RingGeometry(0.9 * r, r, 40); if (z < 0) g.rotateX(Math.PI); g.translate(0, 0, z); put(g); };
  ring(half); ring(-half);
  for (let k = 0; k < Math.min(lugs, 64); k++) box(0.5 * h, 0.01 * r + 0.004, half, r + 0.5 * h, 2 * Math.PI * k / lugs);
  for (let k = 0; k < 10; k++) box(0.32 * r, 0.018 * r, 0.3 * half, 0.58 * r, 2 * Math.PI * k / 10);
  let n = 0; for (const p of parts) n += p.attributes.position.count;
  const g = new THREE.BufferGeometry(), position = new Float32Array(3 * n), normal = new Float32Array(3 * n);
  let o = 0; for (const p of parts) { position.set(p.attributes.position.array, o); normal.set(p.attributes.normal.array, o); o += p.attributes.position.array.length; }
  g.setAttribute("position", new THREE.BufferAttribute(position, 3)); g.setAttribute("normal", new THREE.BufferAttribute(normal, 3));
  return g;
}

function shapeGeometry(s) {
  const [x, y, z] = s.size;
  switch (s.kind) {
    case "box": return new THREE.BoxGeometry(2 * x, 2 * y, 2 * z);
    case "sphere": return new THREE.SphereGeometry(x, 24, 16);
    case "ellipsoid": return new THREE.SphereGeometry(1, 24, 16).scale(x, y, z);
    case "cylinder": return s.lugs !== undefined ? wheelGeometry(x, y, s.lugs, s.lug_height) : new THREE.CylinderGeometry(x, x, 2 * y, 28).rotateX(Math.PI / 2);
    case "capsule": return new THREE.CapsuleGeometry(x, 2 * y, 6, 16).rotateX(Math.PI / 2);
  }
  return null;
}

async function shapeMesh(s) {
  const [r, g, b] = s.color ?? [0.6, 0.6, 0.6], color = new THREE.Color(r, g, b);
  if (s.mesh) { const m = await meshOf(s.mesh); return new THREE.Mesh(m.g, solidMaterial({ color: m.colored ? 0xffffff : color, vertexColors: m.colored, side: THREE.DoubleSide })); }
  const geometry = shapeGeometry(s);
  return geometry && new THREE.Mesh(geometry, solidMaterial({ color, side: s.lugs !== undefined ? THREE.DoubleSide : THREE.FrontSide }));
}
const put = (o, pose) => { o.position.set(pose[0], pose[1], pose[2]); o.quaternion.set(pose[4], pose[5], pose[6], pose[3]); };

export class Rover {
  constructor(scene, info, color) {
    this.info = info; this.group = new THREE.Group(); this.bodies = info.bodies.map(() => new THREE.Group()); this.bodies.forEach((b) => this.group.add(b)); scene.add(this.group);
    for (const s of info.shapes) shapeMesh(s).then((m) => { if (m) { put(m, s.pose); m.layers.enable(1); this.bodies[s.body].add(m); } }, (e) => console.warn(String(e)));
    this.trail = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color })); this.trail.frustumCulled = false; this.points = new Float32Array(3 * 8192); this.count = 0;
    this.trail.geometry.setAttribute("position", new THREE.BufferAttribute(this.points, 3)); this.trail.geometry.setDrawRange(0, 0); scene.add(this.trail);
    this.path = new THREE.Group(); scene.add(this.path); this.color = color; this.last = null;
  }
  set(r) {
    this.group.position.set(...r.p);
    r.bodies.forEach((b, i) => { this.bodies[i].position.set(...b.p); this.bodies[i].quaternion.set(...b.q); });
    this.state = r;
    if (!this.group.visible) return;
    if (!this.last || Math.hypot(r.p[0] - this.last[0], r.p[1] - this.last[1]) > 0.05) {
      this.last = [...r.p];
      if (this.count === 8192) { this.points.copyWithin(0, 3 * 4096); this.count = 4096; }
      this.points.set([r.p[0], r.p[1], r.p[2] - 0.1], 3 * this.count++);
      this.trail.geometry.setDrawRange(0, this.count); this.trail.geometry.attributes.position.needsUpdate = true;
    }
  }
  clear() { this.count = 0; this.last = null; this.trail.geometry.setDrawRange(0, 0); this.setPath([], () => 0); }
  setPath(points, height) {
    this.path.clear();
    for (const [x, y] of points) {
      const z = height(x, y) ?? 0, pole = new THREE.Mesh(new THREE.CylinderGeometry(0.02, 0.02, 1.4), new THREE.MeshBasicMaterial({ color: this.color })), ring = new THREE.Mesh(new THREE.TorusGeometry(0.35, 0.03, 8, 32), pole.material);
      pole.rotation.x = Math.PI / 2; pole.position.set(x, y, z + 0.7); ring.position.set(x, y, z + 0.05); this.path.add(pole, ring);
    }
  }
  mount(name, out) { // where a mount is: position and attitude
    const m = this.info.mounts.find((k) => k.name === name);
    if (!m) return false;
    const b = this.bodies[m.body]; b.updateWorldMatrix(true, false);
    out.position.set(m.pose[0], m.pose[1], m.pose[2]).applyMatrix4(b.matrixWorld); out.quaternion.set(m.pose[4], m.pose[5], m.pose[6], m.pose[3]).premultiply(b.quaternion);
    return true;
  }
}

export async function addObject(scene, o, rovers) {
  const m = await shapeMesh(o.mesh ? o : { kind: "sphere", size: [o.radius, 0, 0], color: [0.5, 0.5, 0.5] });
  if (!m) return;
  put(m, o.pose); m.layers.enable(1);
  const r = rovers.find((k) => k.info.name === o.rover), b = r && r.bodies[r.info.bodies.indexOf(o.body)];
  (b ?? r?.bodies[0] ?? scene).add(m);
  return m;
}
export async function addActor(scene, a) {
  const m = a.hidden ? null : await shapeMesh({ ...a, color: [a.albedo, a.albedo, a.albedo] });
  if (m) { m.layers.enable(1); scene.add(m); }
  return m;
}

export class Cloud {
  constructor(scene) { this.points = new THREE.Points(new THREE.BufferGeometry(), new THREE.PointsMaterial({ size: 0.045, vertexColors: true, transparent: true, opacity: 0.9 })); this.points.frustumCulled = false; this.points.visible = false; scene.add(this.points); }
  set(c) {
    const position = new Float32Array(3 * c.count), color = new Float32Array(3 * c.count), k = new THREE.Color();
    for (let i = 0; i < c.count; i++) { position.set(c.points.subarray(4 * i, 4 * i + 3), 3 * i); k.setHSL(0.55 - 0.4 * Math.min(c.points[4 * i + 3] * 3, 1), 0.9, 0.55); k.toArray(color, 3 * i); }
    const g = this.points.geometry; g.setAttribute("position", new THREE.BufferAttribute(position, 3)); g.setAttribute("color", new THREE.BufferAttribute(color, 3)); g.setDrawRange(0, c.count);
    this.points.position.set(...c.origin); this.points.visible = true;
  }
}

export class Sky {
  constructor(scene) {
    this.group = new THREE.Group(); scene.add(this.group);
    const glow = document.createElement("canvas"); glow.width = glow.height = 128; const x = glow.getContext("2d"), g = x.createRadialGradient(64, 64, 0, 64, 64, 64);
    for (const [a, c] of [[0, "rgba(255,255,250,1)"], [0.06, "rgba(255,255,245,1)"], [0.075, "rgba(255,250,235,.55)"], [0.2, "rgba(255,246,225,.14)"], [1, "rgba(255,240,210,0)"]]) g.addColorStop(a, c);
    x.fillStyle = g; x.fillRect(0, 0, 128, 128);
    this.sun = new THREE.Sprite(new THREE.SpriteMaterial({ map: new THREE.CanvasTexture(glow), blending: THREE.AdditiveBlending, depthWrite: false, toneMapped: false })); this.sun.scale.setScalar(0.13); this.group.add(this.sun);
    this.earth = new THREE.Mesh(new THREE.SphereGeometry(1, 32, 24), new THREE.ShaderMaterial({ uniforms: { sun: light.sun }, depthWrite: false,
      vertexShader: `varying vec3 n; varying vec3 p; void main() { n = mat3(modelMatrix) * normal; p = position; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`,
      fragmentShader: `uniform vec3 sun; varying vec3 n; varying vec3 p; void main() { float w = sin(9.0 * p.x + 3.0 * sin(7.0 * p.y)) * sin(8.0 * p.z + 2.0 * p.x); vec3 c = mix(vec3(0.10, 0.26, 0.62), vec3(0.85, 0.9, 0.95), smoothstep(-0.1, 0.7, w)); gl_FragColor = vec4(c * (0.015 + 1.05 * max(dot(normalize(n), sun), 0.0)), 1.0); }` }));
    this.group.add(this.earth); this.group.renderOrder = -10; this.sun.renderOrder = -8; this.earth.renderOrder = -9;
  }
  addStars(f) {
    const n = f.length / 4, position = new Float32Array(3 * n), color = new Float32Array(3 * n);
    for (let i = 0; i < n; i++) { position.set([f[4 * i], f[4 * i + 1], f[4 * i + 2]], 3 * i); const b = Math.min(1, 1.15 * 10 ** (-0.16 * Math.max(f[4 * i + 3], -0.5))); color.set([b, b, b], 3 * i); }
    const g = new THREE.BufferGeometry(); g.setAttribute("position", new THREE.BufferAttribute(position, 3)); g.setAttribute("color", new THREE.BufferAttribute(color, 3));
    const stars = new THREE.Points(g, new THREE.PointsMaterial({ size: 1.7, sizeAttenuation: false, vertexColors: true, depthWrite: false })); stars.renderOrder = -20; stars.frustumCulled = false; this.group.add(stars);
  }
  set(eye, far, s) {
    this.group.position.copy(eye); this.group.scale.setScalar(0.9 * far);
    this.sun.position.set(...s.sun); this.earth.position.set(...s.earth); this.earth.scale.setScalar(Math.max(Math.tan(s.earthRadius), 1e-4)); this.group.updateMatrixWorld();
  }
}
