"""One small network: a U-Net of four levels (84 700 weights), trained on crops by Adam, on one core, the same bits for the same seed.

Every layer but the last brings each of its channels to mean 0 and spread 1 over the picture: without this it learnt a third as fast, and
contrast and stretch of a photograph, which are unknown, count less."""
import os

os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false " + os.environ.get("XLA_FLAGS", "")
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ["NPROC"] = "1"   # one thread inside a training: by default XLA takes one for each processor it may use, and bits depend on how many
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

CHANNELS = (8, 16, 32, 48)
CLASSES = 4
CROP = (64, 96)               # rows, columns
BATCH = 8
WEIGHT = np.array([1.0, 1.0, 4.0, 3.0], np.float32)   # of ground, sky, small, large: rocks are few


def layers():
    a, b, c, d = CHANNELS
    return [("a1", 1, a), ("a2", a, a), ("b1", a, b), ("b2", b, b), ("c1", b, c), ("c2", c, c), ("d1", c, d), ("d2", d, d),
            ("c3", c + d, c), ("b3", b + c, b), ("a3", a + b, a), ("out", a, CLASSES)]


def start(seed):
    rng = np.random.default_rng([7, seed])
    weights = {}
    for name, i, o in layers():
        weights[name] = jnp.asarray(rng.normal(0, (2 / (9 * i)) ** 0.5, (3, 3, i, o)), jnp.float32)
        weights[name + "_bias"] = jnp.zeros(o, jnp.float32)
    return weights


def convolve(w, name, x):
    y = lax.conv_general_dilated(x, w[name], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    return y + w[name + "_bias"]


def normalised(x):
    mean, spread = x.mean((1, 2), keepdims=True), x.var((1, 2), keepdims=True)
    return (x - mean) / jnp.sqrt(spread + 1e-3)


def halve(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def double(x):
    return jnp.repeat(jnp.repeat(x, 2, 1), 2, 2)


def logits(w, x):
    def level(x, name):
        return jax.nn.relu(normalised(convolve(w, name, x)))
    a = level(level(x, "a1"), "a2")
    b = level(level(halve(a), "b1"), "b2")
    c = level(level(halve(b), "c1"), "c2")
    d = level(level(halve(c), "d1"), "d2")
    c = level(jnp.concatenate([double(d), c], -1), "c3")
    b = level(jnp.concatenate([double(c), b], -1), "b3")
    a = level(jnp.concatenate([double(b), a], -1), "a3")
    return convolve(w, "out", a)


def loss(w, x, y):
    each = -jnp.take_along_axis(jax.nn.log_softmax(logits(w, x)), y[..., None], -1)[..., 0]
    weight = jnp.asarray(WEIGHT)[y]
    return (each * weight).sum() / weight.sum()


@jax.jit
def step(w, m, v, x, y, rate, t):
    value, g = jax.value_and_grad(loss)(w, x, y)
    m = jax.tree.map(lambda a, b: 0.9 * a + 0.1 * b, m, g)
    v = jax.tree.map(lambda a, b: 0.999 * a + 0.001 * b * b, v, g)
    w = jax.tree.map(lambda p, a, b: p - rate * (a / (1 - 0.9**t)) / (jnp.sqrt(b / (1 - 0.999**t)) + 1e-8), w, m, v)
    return w, m, v, value


def crops(pictures, masks, rng):
    """A batch: places, mirrored or not, tone curve and gain changed a little, as cameras and hands of others did."""
    x, y = np.empty((BATCH, *CROP, 1), np.float32), np.empty((BATCH, *CROP), np.int32)
    rows, columns = pictures.shape[1:]
    for i in range(BATCH):
        k, r, c = rng.integers(len(pictures)), rng.integers(rows - CROP[0] + 1), rng.integers(columns - CROP[1] + 1)
        p, q = (a[k, r:r + CROP[0], c:c + CROP[1]] for a in (pictures, masks))
        if rng.random() < 0.5:
            p, q = p[:, ::-1], q[:, ::-1]
        x[i, ..., 0] = rng.uniform(0.8, 1.2) * p ** rng.uniform(0.7, 1.4) + rng.normal(0, 0.01, CROP)
        y[i] = q
    return x, y


def train(pictures, masks, seed, steps, say=lambda text: None):
    """Weights as numpy arrays."""
    w = start(seed)
    m, v = jax.tree.map(jnp.zeros_like, w), jax.tree.map(jnp.zeros_like, w)
    rng = np.random.default_rng([11, seed])
    mean = 0.0
    for t in range(1, steps + 1):
        x, y = crops(pictures, masks, rng)
        rate = 4e-3 * min(t / 20, 0.5 + 0.5 * np.cos(np.pi * t / steps))
        w, m, v, value = step(w, m, v, x, y, np.float32(rate), np.float32(t))
        mean += float(value)
        if t % 50 == 0:
            say(f"    step {t} of {steps}: loss {mean / 50:.3f}")
            mean = 0.0
    return {k: np.asarray(a) for k, a in w.items()}


@jax.jit
def shares(w, x):
    return jax.nn.softmax(logits(w, x))


def predict(w, pictures):
    """Probability of each class at each pixel; one picture at a time."""
    return np.stack([np.asarray(shares(w, p[None, ..., None]))[0] for p in pictures])
