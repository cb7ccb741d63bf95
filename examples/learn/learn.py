"""A rover learns to go round boulders: the cross-entropy method over nine numbers, with numpy and two cores.

    learn.py train FOLDER     finds them (goes on where it was stopped): FOLDER/policy.json with every generation
    learn.py test FOLDER      learned, straight-line and random drivers on 100 seeds that training never saw: FOLDER/test.json

The policy sees the goal and a depth picture of 32 x 24 pixels. A pixel that is nearer than the rest of its row is something that stands up; how near such things
are, in eight sectors from left to right, goes with the goal's bearing into a turning rate and a speed. All numbers at 0 but the first: the straight-line driver.
"""

import json
import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import tycho.gym

TASK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "traverse.toml")
NAMES = ["goal", "sector0", "sector1", "sector2", "sector3", "commit", "slow", "turn_slow", "memory"]
STRAIGHT = np.array([2.0, 0, 0, 0, 0, 0, 0, 0, 0])
CANDIDATES, ELITE, SEEDS, GENERATIONS = 14, 4, 5, 8
HELD_OUT = range(1_000_000, 1_000_100)  # training draws below


def sectors(depth):
    """How near something stands up in each of eight sectors: 0 nothing within 8 m, 1 at the rover."""
    rows = depth[11:]
    left, right = np.median(rows[:, :16], axis=1, keepdims=True), np.median(rows[:, 16:], axis=1, keepdims=True)
    ground = (left + right) / 2 + (right - left) / 16 * (np.arange(32) - 15.5)  # a plane that may lean to a side
    up = rows < 0.95 * ground
    near = np.where(up, 1 - rows / 8.0, 0).clip(0).max(axis=0)
    return near.reshape(8, 4).max(axis=1)


class Policy:
    def __init__(self, theta):
        self.theta, self.seen, self.side = theta, np.zeros(2), 0.0

    def __call__(self, obs):
        goal, *w, commit, slow, turn_slow, memory = self.theta
        bearing = np.arctan2(obs["goal"][1], obs["goal"][2])
        near = sectors(obs["depth"])
        # what has left the picture on either side is remembered for a while
        self.seen = np.maximum(0.85 * self.seen, [near[:2].max(), near[6:].max()])
        left, right = near[3::-1], near[4:]  # from the middle outwards
        turn = goal * bearing + np.dot(w, right - left) + memory * (self.seen[1] - self.seen[0])
        ahead = max(left[0], right[0])
        self.side = self.side if ahead > 0 and self.side else np.sign(turn) or 1.0  # once it goes round one side, it stays there
        turn = np.tanh(turn + commit * ahead * self.side)
        speed = np.clip(1 - max(slow, 0) * ahead - max(turn_slow, 0) * abs(turn), 0.1, 1)
        return np.array([2 * speed - 1, turn], np.float32)


class Random:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def __call__(self, obs):
        return self.rng.uniform(-1, 1, 2).astype(np.float32)


own = threading.local()


def episode(job):
    """Sum of rewards and how it ended, of one driver on one seed."""
    driver, seed = job
    if not hasattr(own, "env"):
        own.env = tycho.gym.TychoEnv(TASK)
    obs, info = own.env.reset(seed=seed)
    total, over = 0.0, False
    while not over:
        obs, reward, terminated, truncated, info = own.env.step(driver(obs))
        total, over = total + reward, terminated or truncated
    return total, info["end"] or "time"


def interval(k, n, z=1.96):
    """Wilson's interval of a rate."""
    p = k / n
    middle, half = (p + z * z / (2 * n)) / (1 + z * z / n), z / (1 + z * z / n) * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return middle - half, middle + half


def save(path, data):
    with open(path + ".part", "w") as f:
        json.dump(data, f, indent=1)
    os.replace(path + ".part", path)


def train(folder, pool, generations=GENERATIONS):
    path = os.path.join(folder, "policy.json")
    about = {"names": NAMES, "mean": STRAIGHT.tolist(), "spread": np.array([0.7, 2, 2, 2, 2, 2, 1, 1, 1]).tolist(), "generations": []}
    if os.path.exists(path):
        with open(path) as f:
            about = json.load(f)
    while len(about["generations"]) < generations:
        g = len(about["generations"])
        rng = np.random.default_rng(g)
        mean, spread = np.array(about["mean"]), np.array(about["spread"])
        thetas = mean + spread * rng.standard_normal((CANDIDATES, len(mean)))
        thetas[0] = mean
        seeds = rng.integers(0, 1_000_000, SEEDS)  # the same for all of a generation
        start, cpu = time.perf_counter(), time.process_time()
        results = list(pool.map(episode, [(Policy(t), int(s)) for t in thetas for s in seeds]))
        score = np.array([r[0] for r in results]).reshape(CANDIDATES, SEEDS).mean(axis=1)
        arrived = np.array([r[1] == "goal" for r in results]).reshape(CANDIDATES, SEEDS).mean(axis=1)
        best = np.argsort(score)[-ELITE:]
        about["mean"] = thetas[best].mean(axis=0).tolist()
        about["spread"] = (0.3 * spread + 0.7 * thetas[best].std(axis=0) + 0.05).tolist()
        about["generations"].append({"score": float(score.mean()), "elite": float(score[best].mean()), "arrived": float(arrived.mean()),
                                     "elite_arrived": float(arrived[best].mean()), "wall_s": time.perf_counter() - start, "cpu_s": time.process_time() - cpu})
        save(path, about)
        print(f"generation {g}: reward {score.mean():.2f}, of the best {score[best].mean():.2f}; arrived {arrived.mean():.2f}, {arrived[best].mean():.2f}", flush=True)
    return about


def test(folder, pool, seeds=HELD_OUT):
    with open(os.path.join(folder, "policy.json")) as f:
        theta = np.array(json.load(f)["mean"])
    path = os.path.join(folder, "test.json")
    out = {}
    if os.path.exists(path):
        with open(path) as f:
            out = json.load(f)
    for name, make in (("learned", lambda s: Policy(theta)), ("straight", lambda s: Policy(STRAIGHT)), ("random", Random)):
        if name not in out:
            results = list(pool.map(episode, [(make(s), s) for s in seeds]))
            ends = [r[1] for r in results]
            low, high = interval(ends.count("goal"), len(ends))
            out[name] = {"arrived": ends.count("goal"), "of": len(ends), "low": low, "high": high, "reward": float(np.mean([r[0] for r in results])), "ends": ends}
            save(path, out)
        o = out[name]
        print(f"{name:9} {o['arrived']} of {o['of']} arrive ({100 * o['low']:.0f} to {100 * o['high']:.0f} %), reward {o['reward']:.2f}", flush=True)
    return out


if __name__ == "__main__":
    what, folder = sys.argv[1], sys.argv[2]
    os.makedirs(folder, exist_ok=True)
    with ThreadPoolExecutor(max_workers=2) as both:
        (train if what == "train" else test)(folder, both, *[int(a) for a in sys.argv[3:]] if what == "train" else ())
