"""Two-sample test: can a small classifier tell 64 x 64 patches of rendered ground from patches of photographs?

Three frames of Apollo 11 with the views, Suns and crops of validation/eye_height.sh, our ground at four places under the same
camera and Sun, and, as floor, Apollo 11 against two frames of Apollo 12 (the same camera, the Sun within 3 deg as high).
Pictures at 4 film pixels a pixel, so that film grain counts little; each patch with mean 0 and spread 1, as the film's curve is unknown.
A patch is always judged by a classifier that saw neither its frame nor its place.
"""
import glob
import hashlib
import os
import subprocess

import jax
import jax.numpy as jnp
import network
import numpy as np
import segmentation
from jax import lax
from PIL import Image

SIZE, STRIDE = 64, 32
FLAT = 0.02                # patches with less spread, black ones above all, are left out
PLACES = ("120,-340", "-900,410", "1700,-2300", "-2600,900")   # eye_height.sh's
# frame: look of the camera, Sun, crop in a scan of 2000 x 1960 pixels
FRAMES = {
    "AS11-40-5937": ("36,-11.3", "0,14.9", (80, 800, 1800, 1140)),
    "AS11-40-5851": ("45,-5.1", "0,14.1", (300, 960, 1600, 880)),
    "AS11-40-5961": ("197.6,-5.5", "0,15.0", (460, 760, 1500, 1160)),
}
# Apollo 12: parts without sky, Surveyor and the shadows of men, by eye
OTHERS = {
    "AS12-48-7096": ((100, 100, 1100, 600), (1250, 900, 620, 860)),
    "AS12-48-7121": ((80, 820, 560, 600), (80, 1480, 1780, 400)),
}
STEPS, BATCH = 200, 32


def cut(grey, crop):
    """Patches of a picture [rows, columns], whose crop is in film pixels."""
    x, y, w, h = (v // 4 for v in crop)
    part = grey[y:y + h, x:x + w]
    out = [part[r:r + SIZE, c:c + SIZE] for r in range(0, h - SIZE + 1, STRIDE) for c in range(0, w - SIZE + 1, STRIDE)]
    return np.array([(p - p.mean()) / p.std() for p in out if p.std() > FLAT], np.float32).reshape(-1, SIZE, SIZE)


def film(path):
    with Image.open(path) as picture:
        grey = picture.convert("L")
        return np.asarray(grey.resize((500, round(grey.height * 500 / grey.width)), Image.Resampling.BOX), np.float32) / 255


def draw(tycho, scenario, folder, say):
    """Our pictures of every frame at every place, once; all of them again where the program makes the first one otherwise by now."""
    os.makedirs(folder, exist_ok=True)
    common = ["--fov", "48.4", "--linear", "--quiet"]

    def take(frame, place, path, *more):
        look, sun, _ = FRAMES[frame]
        subprocess.run([tycho, "render", scenario, f"--eye={place},1.4", f"--look={look}", "--sun", sun, *common, *more, "-o", path], check=True, stdout=subprocess.DEVNULL)
    take(next(iter(FRAMES)), PLACES[0], f"{folder}/probe.png", "--size", "100x98", "--samples", "1", "--detail", "256")
    with open(f"{folder}/probe.png", "rb") as f:
        now = hashlib.sha256(f.read()).hexdigest()[:16]
    stamp = f"{folder}/made_of"
    if os.path.exists(stamp) and open(stamp).read() != now:
        say(f"  {folder}: made by another program, again")
        for path in glob.glob(f"{folder}/AS11*.png"):
            os.remove(path)
    with open(stamp, "w") as f:
        f.write(now)
    for frame in FRAMES:
        for i, place in enumerate(PLACES):
            path = f"{folder}/{frame}_{i}.png"
            if not os.path.exists(path):
                say(f"  {path}")
                take(frame, place, path + ".part.png", "--size", "500x490", "--samples", "16")
                os.replace(path + ".part.png", path)


def ours(path):
    """16 bits proportional to light; displayed as the film is taken to be, the brightest 0.5 % white."""
    grey = np.asarray(Image.open(path), np.float32)
    grey = grey[..., 0] if grey.ndim == 3 else grey
    return np.clip(grey / np.percentile(grey, 99.5), 0, 1) ** (1 / 2.2)


def start(seed):
    rng = np.random.default_rng([13, seed])
    w = {}
    for name, i, o in (("a", 1, 12), ("b", 12, 16), ("c", 16, 24)):
        k = 5 if name == "a" else 3
        w[name] = jnp.asarray(rng.normal(0, (2 / (k * k * i)) ** 0.5, (k, k, i, o)), jnp.float32)
        w[name + "_bias"] = jnp.zeros(o, jnp.float32)
    w["out"] = jnp.zeros((48, 1), jnp.float32)
    return w


def score(w, x):
    x = lax.conv_general_dilated(x, w["a"], (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")) + w["a_bias"]
    for name in "bc":
        x = network.halve(jax.nn.relu(network.convolve(w, name, jax.nn.relu(x))))
    return (jnp.concatenate([x.mean((1, 2)), x.max((1, 2))], -1) @ w["out"])[:, 0]


@jax.jit
def step(w, m, v, x, y, t):
    def loss(w):
        s = score(w, x)
        return jnp.mean(jnp.logaddexp(0, jnp.where(y > 0, -s, s)))
    g = jax.grad(loss)(w)
    m = jax.tree.map(lambda a, b: 0.9 * a + 0.1 * b, m, g)
    v = jax.tree.map(lambda a, b: 0.999 * a + 0.001 * b * b, v, g)
    return jax.tree.map(lambda p, a, b: p - 1e-3 * (a / (1 - 0.9**t)) / (jnp.sqrt(b / (1 - 0.999**t)) + 1e-8), w, m, v), m, v


def classifier(first, second, seed, steps):
    """Told apart: first from second, equally often, mirrored or not."""
    w = start(seed)
    m, v = jax.tree.map(jnp.zeros_like, w), jax.tree.map(jnp.zeros_like, w)
    rng = np.random.default_rng([17, seed])
    for t in range(1, steps + 1):
        x = np.concatenate([p[rng.integers(len(p), size=BATCH // 2)] for p in (first, second)])
        x = np.where(rng.random(BATCH)[:, None, None] < 0.5, x, x[:, :, ::-1])
        w, m, v = step(w, m, v, x[..., None], np.repeat([1.0, 0.0], BATCH // 2), np.float32(t))
    return w


said = jax.jit(score)


def auc(first, second):
    """Chance that one of first scores above one of second; ties count half [mann1947]."""
    both = np.concatenate([first, second])
    order = both.argsort(kind="stable")
    rank = np.empty(len(both))
    rank[order] = np.arange(1, len(both) + 1)
    for value in np.unique(both):
        rank[both == value] = rank[both == value].mean()
    return (rank[:len(first)].sum() - len(first) * (len(first) + 1) / 2) / (len(first) * len(second))


def test(folds, seeds, path, made_of, steps=STEPS):
    """folds: (first, second, judged first, judged second). AUC of each fold and seed; scores of the last seed. What is done is kept at `path`."""
    found, scores = [], []
    for k, (first, second, a, b) in enumerate(folds):
        for seed in range(seeds):
            file = f"{path}-{seed}.fold{k}.npz"
            if not segmentation.there(file, made_of):
                both = np.asarray(said(classifier(first, second, seed, steps), np.concatenate([a, b])[..., None]))
                with open(file + ".part", "wb") as f:
                    np.savez_compressed(f, scores=both, made_of=np.array(made_of))
                os.replace(file + ".part", file)
            with np.load(file) as data:
                both = data["scores"]
            s, t = both[:len(a)], both[len(a):]
            found.append(auc(s, t))
        scores.append((s, t))
    return np.array(found), scores


def real_against_ours(real, drawn):
    """Frame by frame left out; trained on places 0 and 1, judged on 2 and 3, and the other way round."""
    folds = []
    for frame in FRAMES:
        rest = [f for f in FRAMES if f != frame]
        for train, judge in (((0, 1), (2, 3)), ((2, 3), (0, 1))):
            folds.append((np.concatenate([real[f] for f in rest]), np.concatenate([drawn[f, i] for f in rest for i in train]),
                          real[frame], np.concatenate([drawn[frame, i] for i in judge])))
    return folds


def real_against_real(first, second):
    """One frame of each mission left out."""
    return [(np.concatenate([first[f] for f in first if f != a]), np.concatenate([second[f] for f in second if f != b]), first[a], second[b])
            for a in first for b in second]


def all_of_it(folder, photos, programs, say, seeds=3):
    """programs: ground -> (tycho, scenario). Numbers, and the patches that a classifier is surest of."""
    real = {f: cut(film(f"{photos}/apollo/{f}.jpg"), crop) for f, (_, _, crop) in FRAMES.items()}
    other = {f: np.concatenate([cut(film(f"{photos}/apollo/{f}.jpg"), c) for c in crops]) for f, crops in OTHERS.items()}
    rows = {}
    for ground, (tycho, scenario) in programs.items():
        path = f"{folder}/patches/{ground}"
        draw(tycho, scenario, path, say)
        drawn = {(f, i): cut(ours(f"{path}/{f}_{i}.png"), FRAMES[f][2]) for f in FRAMES for i in range(len(PLACES))}
        folds = real_against_ours(real, drawn)
        rows[ground], scores = test(folds, seeds, f"{path}/told", hashlib.sha256(b"".join(p.tobytes() for p in drawn.values())).hexdigest()[:16])
        say(f"  {ground}: AUC {rows[ground].mean():.3f}")
        sheet(folds, scores, f"{folder}/patches_{ground}.png")
    os.makedirs(f"{folder}/patches/floor", exist_ok=True)
    rows["floor"], _ = test(real_against_real(real, other), seeds, f"{folder}/patches/floor/told", "photographs")
    say(f"  floor: AUC {rows['floor'].mean():.3f}")
    lines = ["| told apart | AUC, mean | least, largest of folds and seeds | folds x seeds |", "|---|---|---|---|"]
    titles = {"old": "Apollo 11, old ground", "new": "Apollo 11, new ground", "floor": "Apollo 11, Apollo 12"}
    for name, found in rows.items():
        lines.append(f"| {titles[name]} | {found.mean():.3f} | {found.min():.3f}, {found.max():.3f} | {len(found) // seeds} x {seeds} |")
    csv = ["told_apart,AUC,least,largest,seeds"] + [f"{name},{found.mean():.4f},{found.min():.4f},{found.max():.4f},{seeds}" for name, found in rows.items()]
    for name, text in (("patches.md", lines), ("patches.csv", csv)):
        with open(f"{folder}/{name}", "w") as f:
            f.write("\n".join(text) + "\n")


def sheet(folds, scores, path, columns=12):
    """Rows: photographs surest to be photographs, and least sure; ours least sure to be ours, and surest. Apollo only."""
    x = [np.concatenate([f[k] for f in folds]) for k in (2, 3)]
    s = [np.concatenate([t[k] for t in scores]) for k in (0, 1)]
    picks = [x[0][np.argsort(-s[0])[:columns]], x[0][np.argsort(s[0])[:columns]], x[1][np.argsort(-s[1])[:columns]], x[1][np.argsort(s[1])[:columns]]]
    page = np.full((4 * (SIZE + 4), columns * (SIZE + 4)), 255, np.uint8)
    for r, row in enumerate(picks):
        for c, p in enumerate(row):
            page[r * (SIZE + 4):r * (SIZE + 4) + SIZE, c * (SIZE + 4):c * (SIZE + 4) + SIZE] = np.clip(128 + 50 * p, 0, 255)
    Image.fromarray(page).save(path)
