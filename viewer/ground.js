// viewer/ground.js - the ground: a quadtree of tiles that refine towards the eye, lit by the Sun as dust is, with the shadows that relief
// throws worked out once per tile. SPDX-License-Identifier: BSD-3-Clause
import * as THREE from "./three.module.min.js";

const CELLS = 128, KEEP = 700;

// What all surfaces share: sunlight, a shadow map of rovers and rocks near the eye, earthshine, one exposure. Dust is bright all over a
// full Moon: Lommel-Seeliger, with a surge where the Sun stands behind the eye.
export const light = {
  sun: { value: new THREE.Vector3(0, 0, 1) }, exposure: { value: 1 }, shadowMap: { value: null }, shadowMatrix: { value: new THREE.Matrix4() }, shadowOn: { value: 0 }, ambient: { value: 0.007 }, fine: { value: 1 },
};
const LIGHT = /* glsl */ `
  uniform vec3 sun; uniform float exposure, shadowOn, ambient, fine; uniform sampler2D shadowMap; uniform mat4 shadowMatrix; uniform vec3 eye;
  float inSun(vec3 p, float mu0) {
    if (shadowOn < 0.5) return 1.0;
    vec4 s = shadowMatrix * vec4(p, 1.0); vec3 c = s.xyz * 0.5 + 0.5;
    if (any(lessThan(c, vec3(0.001))) || any(greaterThan(c, vec3(0.999)))) return 1.0;
    float bias = 0.0006, lit = 0.0; vec2 t = 0.7 / vec2(textureSize(shadowMap, 0));
    for (int i = 0; i < 4; i++) lit += step(c.z - bias, texture2D(shadowMap, c.xy + t * vec2(float(i & 1) * 2.0 - 1.0, float(i / 2) * 2.0 - 1.0)).r);
    return lit * 0.25;
  }
  vec3 tone(vec3 c) { c *= exposure; c = c / (1.0 + 0.35 * c); return pow(clamp(c, 0.0, 1.0), vec3(1.0 / 2.2)); }
  float dust(vec3 n, vec3 v, vec3 l) {
    float mu0 = dot(n, l), mu = max(dot(n, v), 0.0) + 0.12; // rough ground seen from aside: not brighter without end
    if (mu0 <= 0.0) return 0.0;
    float c = dot(v, l), u = sqrt(max(2.0 - 2.0 * c, 0.0)) / 0.35; // some exp(-phase / 0.35), without acos and exp: pictures are drawn in software, too
    return (0.75 * mu0 / (mu0 + mu) + 0.3 * mu0) * (0.62 + 0.5 / (1.0 + u + 0.7 * u * u) + 0.12 * (1.0 + c));
  }`;

const groundMaterial = () => new THREE.ShaderMaterial({
  uniforms: { ...light, map: { value: null }, size: { value: 1 }, cell: { value: 1 }, origin: { value: new THREE.Vector2() }, eye: { value: new THREE.Vector3() } },
  vertexShader: /* glsl */ `varying vec2 at; varying vec3 toEye; varying vec3 world; uniform float size; uniform vec3 eye; attribute float skirt;
    void main() { vec4 w = modelMatrix * vec4(position, 1.0); at = position.xy / size; world = w.xyz; vec4 m = modelViewMatrix * vec4(position, 1.0); toEye = eye - w.xyz; gl_Position = projectionMatrix * m; }`,
  fragmentShader: /* glsl */ `varying vec2 at; varying vec3 toEye; varying vec3 world; uniform sampler2D map; uniform float cell; uniform vec2 origin; ${LIGHT}
    float hash(vec2 p) { p = fract(p * vec2(0.1031, 0.1030)); p += dot(p, p.yx + 33.33); return fract((p.x + p.y) * p.x); }
    vec2 grain(vec2 p) { vec2 i = floor(p), f = fract(p); f = f * f * (3.0 - 2.0 * f); float a = hash(i), b = hash(i + vec2(1, 0)), c = hash(i + vec2(0, 1)), d = hash(i + 1.0);
      return vec2(mix(b - a, d - c, f.y), mix(c - a, d - b, f.x)); }
    void main() {
      vec4 m = texture2D(map, at); vec2 slope = (m.xy * 2.0 - 1.0) * 2.0; float d = length(toEye);
      if (fine > 0.5 && d < 30.0) { vec2 p = at * origin.x + origin.y; float k = clamp(1.0 - d / 30.0, 0.0, 1.0); slope += k * (0.16 * grain(p * 31.0) + 0.12 * grain(p * 83.0)); }
      vec3 n = normalize(vec3(-slope, 1.0)), v = toEye / d;
      float lit = m.a * inSun(world, dot(n, sun));
      float albedo = m.z * 1.275;
      float shade = albedo * (lit * dust(n, v, sun) + ambient * max(n.z, 0.0) * (0.6 + 0.4 * n.x));
      shade *= exposure; shade = pow(clamp(shade / (1.0 + 0.35 * shade), 0.0, 1.0), 1.0 / 2.2);
      gl_FragColor = vec4(vec3(1.0, 0.984, 0.96) * shade, 1.0);
    }`,
});

// everything else: flat facets or smooth ones, in colour
export const solidMaterial = (opts = {}) => new THREE.ShaderMaterial({
  uniforms: { ...light, eye: { value: new THREE.Vector3() }, color: { value: new THREE.Color(opts.color ?? 0xffffff) }, rocky: { value: opts.rock ? 1 : 0 } }, vertexColors: !!opts.vertexColors, side: opts.side ?? THREE.FrontSide,
  defines: opts.flat ? { FLAT: "" } : {},
  vertexShader: /* glsl */ `varying vec3 vn, world, tint; void main() { vec4 w = modelMatrix * vec4(position, 1.0); world = w.xyz; vn = mat3(modelMatrix) * normal;
    #ifdef USE_COLOR
    tint = color;
    #else
    tint = vec3(1.0);
    #endif
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`,
  fragmentShader: /* glsl */ `varying vec3 vn, world, tint; uniform vec3 color; uniform float rocky; ${LIGHT}
    void main() {
      vec3 v = normalize(eye - world);
      #ifdef FLAT
      vec3 n = normalize(cross(dFdx(world), dFdy(world)));
      #else
      vec3 n = normalize(vn); n = gl_FrontFacing ? n : -n;
      #endif
      float mu0 = max(dot(n, sun), 0.0), lit = mu0 > 0.0 ? inSun(world + 0.02 * n, mu0) : 0.0;
      vec3 h = normalize(v + sun); float gloss = rocky > 0.5 ? 0.0 : 0.25 * pow(max(dot(n, h), 0.0), 24.0);
      float own = rocky > 0.5 ? 1.15 * dust(n, v, sun) : 0.95 * mu0 + gloss;
      vec3 c = color * tint * (lit * own * (rocky > 0.5 ? 1.0 : 0.75) + ambient * (1.2 + n.z) + (rocky > 0.5 ? 0.0 : 0.05 * max(0.3 - 0.7 * n.z, 0.0)));
      gl_FragColor = vec4(tone(c), 1.0);
    }`,
});

// a grid of n x n cells over 128 x 128, with skirts that hide cracks between levels
const grids = new Map();
function grid(n) {
  if (grids.has(n)) return grids.get(n);
  const index = [], w = n + 1;
  for (let j = 0; j < n; j++) for (let i = 0; i < n; i++) { const a = j * w + i; index.push(a, a + 1, a + w, a + 1, a + w + 1, a + w); }
  const rim = [];
  for (let i = 0; i <= n; i++) rim.push(i);
  for (let j = 1; j <= n; j++) rim.push(j * w + n);
  for (let i = n - 1; i >= 0; i--) rim.push(n * w + i);
  for (let j = n - 1; j >= 0; j--) rim.push(j * w);
  for (let k = 0; k + 1 < rim.length; k++) { const a = rim[k], b = rim[k + 1], c = w * w + k, d = c + 1; index.push(a, c, b, b, c, d); }
  const g = { n, rim, index: new THREE.BufferAttribute(new Uint16Array(index), 1), count: w * w + rim.length };
  grids.set(n, g);
  return g;
}

export class Ground {
  constructor(scene, info, rockShapes, ask) {
    this.info = info; this.ask = ask; this.rockShapes = rockShapes; this.nodes = new Map(); this.frame = 0; this.group = new THREE.Group(); scene.add(this.group);
    this.finest = 0; while (this.spacing(this.finest) < 0.0195) this.finest++;
    this.top = this.finest; while (this.top < info.levels - 1 && CELLS * this.spacing(this.top) < 12000) this.top++;
    this.split = 1.5; this.cells = 32; this.sunBaked = new THREE.Vector3(); this.bakeQueue = []; this.rocks = 3; // sizes of its tile as far as which a rock is drawn
    this.anisotropy = 4; this.sunNow = new THREE.Vector3(0, 0, 1); this.asked = 0; this.wanted = "";
    this.rockMaterial = solidMaterial({ color: new THREE.Color(0.5, 0.485, 0.46), flat: true, rock: true, vertexColors: true });
  }
  spacing(level) { return this.info.resolution * 2 ** level; }
  size(level) { return CELLS * this.spacing(level); }
  key(l, x, y) { return l + "/" + x + "/" + y; }
  node(l, x, y) { const k = this.key(l, x, y); let n = this.nodes.get(k); if (!n) this.nodes.set(k, n = { k, l, x, y, tile: null, mesh: null, rocks: null, used: 0, dirty: false, askedAt: -1e9 }); n.used = this.frame; return n; }

  // ---- tiles that come ----
  take(tile) {
    const n = this.node(tile.level, tile.x, tile.y);
    n.tile = tile; n.dirty = false; n.low = Infinity; n.high = -Infinity;
    for (const h of tile.height) { if (h < n.low) n.low = h; if (h > n.high) n.high = h; }
    this.shade(n); this.build(n);
    for (let j = 0; j < 2; j++) for (let i = 0; i < 2; i++) { const c = this.nodes.get(this.key(n.l - 1, 2 * n.x + i, 2 * n.y + j)); if (c?.tile) this.bakeQueue.push(c); }
  }
  // slopes, brightness and what of each cell the Sun sees, as one picture
  shade(n) {
    const t = n.tile, S = t.side, H = t.height, d = t.spacing, data = n.pixels ??= new Uint8Array(CELLS * CELLS * 4), sun = this.sunNow, flat = Math.hypot(sun.x, sun.y);
    const shadow = n.shadow ??= new Float32Array(S * S), parent = this.nodes.get(this.key(n.l + 1, n.x >> 1, n.y >> 1));
    if (flat > 1e-4) {
      // sweep away from the Sun: the height below which all is dark falls by tan(elevation) per metre
      const alongX = Math.abs(sun.x) >= Math.abs(sun.y), major = alongX ? sun.x : sun.y, minor = alongX ? sun.y : sun.x, toSun = major > 0 ? 1 : -1, shift = minor / Math.abs(major), fall = d * Math.hypot(1, shift) * (sun.z / flat);
      const at = alongX ? (i, j) => j * S + i : (i, j) => i * S + j, edge = (i, j) => this.shadowOf(parent, n, alongX ? i : j, alongX ? j : i);
      for (let s = 0; s < S; s++) {
        const i = toSun > 0 ? S - 1 - s : s;
        for (let j = 0; j < S; j++) {
          const jj = j + shift, j0 = Math.floor(jj), f = jj - j0;
          if (s === 0 || j0 < 0 || j0 + 1 >= S + (f === 0 ? 1 : 0)) { shadow[at(i, j)] = edge(i, j); continue; }
          const a = at(i + toSun, j0), b = at(i + toSun, Math.min(j0 + 1, S - 1));
          const ha = Math.max(H[a], shadow[a]), hb = Math.max(H[b], shadow[b]);
          shadow[at(i, j)] = ha + f * (hb - ha) - fall;
        }
      }
    } else shadow.fill(-1e9);
    const blur = Math.max(0.12 * d * Math.max(Math.abs(sun.z / Math.max(flat, 1e-4)), 0.06), 1e-5);
    for (let j = 0, o = 0; j < CELLS; j++) for (let i = 0; i < CELLS; i++, o += 4) {
      const a = (j + 1) * S + i + 1, b = a + 1, c = a + S, e = c + 1;
      const sx = (H[b] + H[e] - H[a] - H[c]) / (2 * d), sy = (H[c] + H[e] - H[a] - H[b]) / (2 * d), h = 0.25 * (H[a] + H[b] + H[c] + H[e]), sh = 0.25 * (shadow[a] + shadow[b] + shadow[c] + shadow[e]);
      data[o] = 255 * Math.min(Math.max(0.5 + 0.25 * sx, 0), 1); data[o + 1] = 255 * Math.min(Math.max(0.5 + 0.25 * sy, 0), 1);
      data[o + 2] = t.trace && t.trace[j * CELLS + i] ? 132 : 200;
      data[o + 3] = 255 * Math.min(Math.max(0.5 + (h - sh) / blur, 0), 1);
    }
    if (n.map) n.map.needsUpdate = true;
  }
  // the dark height that comes in from outside, as the tile around it has it
  shadowOf(p, n, i, j) {
    if (!p?.shadow || !p.tile) return -1e9;
    const S = p.tile.side, x = (n.x & 1) * (CELLS / 2) + (i - 1) / 2 + 1, y = (n.y & 1) * (CELLS / 2) + (j - 1) / 2 + 1, i0 = Math.min(Math.max(Math.floor(x), 0), S - 2), j0 = Math.min(Math.max(Math.floor(y), 0), S - 2), f = x - i0, g = y - j0, s = p.shadow, o = j0 * S + i0;
    return (s[o] * (1 - f) + s[o + 1] * f) * (1 - g) + (s[o + S] * (1 - f) + s[o + S + 1] * f) * g + p.tile.z0 - n.tile.z0;
  }
  build(n) {
    const t = n.tile, size = this.size(n.l), cells = n.l <= this.finest + 1 ? Math.min(2 * this.cells, 64) : this.cells, g = grid(cells), S = t.side, k = CELLS / cells, position = new Float32Array(3 * g.count);
    let o = 0;
    for (let j = 0; j <= cells; j++) for (let i = 0; i <= cells; i++) { position[o++] = i * k * t.spacing; position[o++] = j * k * t.spacing; position[o++] = t.height[(j * k + 1) * S + i * k + 1]; }
    const drop = 0.02 * size;
    for (const r of g.rim) { position[o++] = position[3 * r]; position[o++] = position[3 * r + 1]; position[o++] = position[3 * r + 2] - drop; }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(position, 3)); geometry.setIndex(g.index);
    geometry.boundingSphere = new THREE.Sphere(new THREE.Vector3(size / 2, size / 2, (n.low + n.high) / 2), 0.75 * size + n.high - n.low);
    if (!n.map) {
      n.map = new THREE.DataTexture(n.pixels, CELLS, CELLS); n.map.magFilter = THREE.LinearFilter; n.map.minFilter = THREE.LinearMipmapLinearFilter; n.map.generateMipmaps = true; n.map.anisotropy = this.anisotropy;
    }
    n.map.needsUpdate = true;
    if (n.mesh) { n.mesh.geometry.dispose(); n.mesh.geometry = geometry; } else {
      const m = groundMaterial(); m.uniforms.map.value = n.map; m.uniforms.size.value = size; m.uniforms.origin.value.set(size, 7.0 * (n.x & 15) + 3.0 * (n.y & 15));
      n.mesh = new THREE.Mesh(geometry, m); n.mesh.matrixAutoUpdate = true; this.group.add(n.mesh);
    }
    n.cells = cells; n.mesh.position.set(n.x * size, n.y * size, t.z0); n.mesh.updateMatrixWorld(); n.mesh.visible = false;
    if (!n.rocks && t.rocks.length) this.putRocks(n, size);
  }
  putRocks(n, size) {
    let count = 0;
    for (const r of n.tile.rocks) count += this.rockShapes[r.shape].triangle.length;
    const position = new Float32Array(3 * count), color = new Float32Array(3 * count), q = new THREE.Quaternion(), v = new THREE.Vector3();
    let o = 0;
    for (const r of n.tile.rocks) {
      const f = r.f, s = this.rockShapes[r.shape], tone = 0.82 + 0.4 * r.tone; q.set(f[4], f[5], f[6], f[3]);
      for (const k of s.triangle) {
        v.set(s.vertex[3 * k], s.vertex[3 * k + 1], s.vertex[3 * k + 2]).multiplyScalar(f[7]).applyQuaternion(q);
        color[o] = color[o + 1] = color[o + 2] = tone; position[o++] = v.x + f[0]; position[o++] = v.y + f[1]; position[o++] = v.z + f[2];
      }
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(position, 3)); geometry.setAttribute("color", new THREE.BufferAttribute(color, 3));
    geometry.computeBoundingSphere();
    n.rocks = new THREE.Mesh(geometry, this.rockMaterial); n.rocks.layers.enable(1); n.rocks.visible = false; n.rocks.position.set(n.x * size, n.y * size, n.tile.z0); this.group.add(n.rocks);
  }

  // ---- every frame ----
  update(eye, sun, focus) {
    this.frame++;
    this.sunNow.copy(sun);
    if (this.sunBaked.angleTo(sun) > 0.004) { this.sunBaked.copy(sun); this.bakeQueue = [...this.nodes.values()].filter((n) => n.tile).sort((a, b) => b.l - a.l); }
    for (let k = 0, until = performance.now() + 6; k < 40 && this.bakeQueue.length && performance.now() < until; k++) this.shade(this.bakeQueue.shift());
    for (const n of this.nodes.values()) { if (n.mesh) n.mesh.visible = false; if (n.rocks) n.rocks.visible = false; }
    const wishes = [], top = this.size(this.top), cx = Math.floor(eye.x / top), cy = Math.floor(eye.y / top);
    for (let j = -1; j <= 1; j++) for (let i = -1; i <= 1; i++) this.visit(this.node(this.top, cx + i, cy + j), eye, wishes, focus);
    const now = performance.now();
    if (now - this.asked > 120) {
      this.asked = now;
      const due = wishes.filter((w) => now - w.n.askedAt > 2500 || w.n.dirty && now - w.n.askedAt > 350).sort((a, b) => a.p - b.p).slice(0, 40);
      const pending = wishes.length - due.length;
      if (due.length && (pending < 24 || due.some((w) => w.n.dirty))) { for (const w of due) w.n.askedAt = now; this.ask(due.map((w) => [w.n.l, w.n.x, w.n.y])); }
    }
    if (this.nodes.size > KEEP && this.frame % 60 === 0) for (const n of [...this.nodes.values()].filter((n) => this.frame - n.used > 240)) this.drop(n);
    return wishes.length;
  }
  far(n, eye) {
    const s = this.size(n.l), dx = Math.max(n.x * s - eye.x, 0, eye.x - (n.x + 1) * s), dy = Math.max(n.y * s - eye.y, 0, eye.y - (n.y + 1) * s), z = n.tile ? n.tile.z0 + 0.5 * (n.low + n.high) : eye.z;
    return Math.hypot(dx, dy, Math.max(Math.abs(eye.z - z) - (n.tile ? 0.5 * (n.high - n.low) : 0), 0));
  }
  visit(n, eye, wishes, focus) {
    n.used = this.frame;
    const d = this.far(n, eye), s = this.size(n.l);
    if (!n.tile || n.dirty) wishes.push({ n, p: (n.dirty ? 0.02 : 0) + d / s + (n.l === this.top ? -10 : 0) - 0.01 * n.l });
    if (!n.tile) return;
    if (n.rocks) n.rocks.visible = d < this.rocks * s;
    if (n.l > this.finest && d < this.split * s) {
      const four = [0, 1, 2, 3].map((k) => this.node(n.l - 1, 2 * n.x + (k & 1), 2 * n.y + (k >> 1)));
      if (four.every((c) => c.tile)) { for (const c of four) this.visit(c, eye, wishes, focus); return; }
      for (const c of four) if (!c.tile) wishes.push({ n: c, p: this.far(c, eye) / s - 0.01 * c.l });
    }
    const cells = n.l <= this.finest + 1 ? Math.min(2 * this.cells, 64) : this.cells;
    if (n.cells !== cells) this.build(n);
    n.mesh.visible = true;
    n.mesh.material.uniforms.eye.value.copy(eye);
  }
  drop(n) {
    if (n.mesh) { this.group.remove(n.mesh); n.mesh.geometry.dispose(); n.mesh.material.dispose(); n.map.dispose(); }
    if (n.rocks) { this.group.remove(n.rocks); n.rocks.geometry.dispose(); }
    this.nodes.delete(n.k);
  }
  edited([x0, y0, x1, y1]) {
    for (const n of this.nodes.values()) {
      const s = this.size(n.l);
      if (n.tile && n.l <= this.finest + 5 && n.x * s <= x1 && (n.x + 1) * s >= x0 && n.y * s <= y1 && (n.y + 1) * s >= y0) n.dirty = true;
    }
  }
  reset() { for (const n of this.nodes.values()) if (n.tile) { n.dirty = true; n.askedAt = -1e9; } }

  // ---- where the ground is ----
  height(x, y) {
    for (let l = this.finest; l <= this.top; l++) {
      const s = this.size(l), n = this.nodes.get(this.key(l, Math.floor(x / s), Math.floor(y / s)));
      if (!n?.tile) continue;
      const t = n.tile, u = (x - n.x * s) / t.spacing + 1, v = (y - n.y * s) / t.spacing + 1, i = Math.floor(u), j = Math.floor(v), f = u - i, g = v - j, o = j * t.side + i, h = t.height;
      return t.z0 + (h[o] * (1 - f) + h[o + 1] * f) * (1 - g) + (h[o + t.side] * (1 - f) + h[o + t.side + 1] * f) * g;
    }
    return null;
  }
  hit(origin, direction) {
    let t = 0, before = 0;
    for (let k = 0; k < 600 && t < 20000; k++) {
      const x = origin.x + t * direction.x, y = origin.y + t * direction.y, z = origin.z + t * direction.z, h = this.height(x, y);
      if (h !== null && z < h) {
        let a = before, b = t;
        for (let m = 0; m < 24; m++) { const c = 0.5 * (a + b), hc = this.height(origin.x + c * direction.x, origin.y + c * direction.y); if (origin.z + c * direction.z < hc) b = c; else a = c; }
        return new THREE.Vector3(origin.x + b * direction.x, origin.y + b * direction.y, origin.z + b * direction.z);
      }
      before = t; t += Math.max(0.04, 0.01 * t, h === null ? 0 : 0.3 * (z - h));
    }
    return null;
  }
}
