"""Learns to drive VIPER to a goal among boulders (Tycho/Traverse-v0) on two cores in minutes, with numpy alone, and compares what was learned with a driver that goes
straight to the goal and with random actions, on episodes that were never seen before.

    python examples/python/learn.py                                    # learns, judges on 100 held-out seeds, writes learned.json and learned.svg
    python examples/python/learn.py --judge learned.json --held 20     # judges only

What it sees: obstacles are places where the ground of the depth picture rises steeply. A picture from the mast does not show what is within two metres of the rover, so
they are remembered for some time and moved along as the rover moves. For 13 headings from 60 deg right to 60 deg left a number tells how near the next obstacle is in a
lane as wide as the rover.
What is learned: ten weights. A score for each heading (the same weights for all: nearness in its lane and in those beside it, how far it is from the goal's bearing
and from straight on), the best heading is taken; and how sharply to turn and how fast to go. Learned by the cross-entropy method: draw weights from a normal distribution, drive a few episodes with each,
fit the distribution to the best quarter, again. It begins with zeros: of goals and rocks nothing is known.
"""

import argparse
import json
import math
import time

import numpy as np
from gymnasium.vector import AutoresetMode

import tycho.gym

HEADINGS = np.radians(np.arange(-60, 61, 10))  # to the left
HELD_OUT = 100_000  # seeds from here on are for judging


class Eyes:
    """Nearness of obstacles along the headings, for many environments: 0 nothing within REACH, 1 at the rover."""

    FRAMES, REACH, HALF_WIDTH, BACK = 25, 6.0, 1.15, -0.2  # remembered [s]; [m]
    PLACE, PITCH, HFOV = (0.36, 0.2, 1.82), math.radians(15), math.radians(110)  # the camera on VIPER's mast (models/rovers/viper.yaml, traverse.yaml)

    def __init__(self, envs, rows, columns):
        focal = columns / 2 / math.tan(self.HFOV / 2)
        u, v = np.meshgrid((np.arange(columns) + 0.5 - columns / 2) / focal, (np.arange(rows) + 0.5 - rows / 2) / focal)
        c, s = math.cos(self.PITCH), math.sin(self.PITCH)
        self.rays = np.stack([c - s * v, -u, -s - c * v])  # forward, left, up for each metre of depth
        self.points = np.full((envs, self.FRAMES, columns, 2), 1e3)
        self.motion, self.turn = np.zeros((envs, 2)), 0

    def forget(self, mask, obs):
        """New episodes begin where mask is true."""
        self.points[mask] = 1e3
        self.motion[mask] = obs["motion"][mask][:, [0, 3]]

    def look(self, obs):
        """One second later."""
        now = obs["motion"][:, [0, 3]].astype(float)
        way, yaw = (0.5 * (now + self.motion)).T[:, :, None, None]
        self.motion = now
        x, y = self.points[..., 0] - way * np.cos(yaw / 2), self.points[..., 1] - way * np.sin(yaw / 2)
        self.points = np.stack([np.cos(yaw) * x + np.sin(yaw) * y, np.cos(yaw) * y - np.sin(yaw) * x], -1)
        self.points[:, self.turn % self.FRAMES] = self._obstacles(obs["depth"])
        self.turn += 1
        return self._nearness()

    def _obstacles(self, depth):
        """The nearest obstacle of each column of the picture: a step up from one row to the next."""
        x, y, z = (p + depth * r for p, r in zip(self.PLACE, self.rays))
        far = np.hypot(x, y)
        up, out = z[:, :-1] - z[:, 1:], far[:, :-1] - far[:, 1:]
        rises = (up > 0.07) & (up > 0.7 * out) & (far[:, :-1] < 8.0)
        near = np.where(rises, np.minimum(far[:, :-1], far[:, 1:]), 1e3)
        row = near.argmin(1)[:, None]
        near, angle = (np.take_along_axis(a, row, 1)[:, 0] for a in (near, np.arctan2(y, x)[:, :-1]))
        return np.stack([near * np.cos(angle), near * np.sin(angle)], -1)

    def _nearness(self):
        x, y = self.points.reshape(len(self.points), -1, 2).transpose(2, 0, 1)
        out = np.empty((len(x), len(HEADINGS)))
        for k, heading in enumerate(HEADINGS):
            along, aside = x * math.cos(heading) + y * math.sin(heading), y * math.cos(heading) - x * math.sin(heading)
            clear = np.where((np.abs(aside) < self.HALF_WIDTH) & (along > self.BACK), along, self.REACH).min(1)
            out[:, k] = 1 - np.clip(clear, 0, self.REACH) / self.REACH
        return out


# ---- drivers: actions (speed, turn: each -1 to 1) of nearness and of the goal's bearing [rad]

WEIGHTS = 10


def learned(w, near, bearing):
    wide = np.pad(near, ((0, 0), (2, 2)), mode="edge")
    beside, further = wide[:, 1:-3] + wide[:, 3:-1], wide[:, :-4] + wide[:, 4:]
    off = np.abs((HEADINGS - bearing[:, None] + math.pi) % (2 * math.pi) - math.pi)
    score = w[0] * near + w[1] * beside + w[2] * further + w[3] * off + w[4] * np.abs(HEADINGS)
    best = score.argmax(1)
    heading, closest = HEADINGS[best], near[:, len(HEADINGS) // 2]
    return np.stack([np.tanh(w[6] + w[7] * np.abs(heading) + w[8] * closest + w[9] * near[np.arange(len(near)), best]), np.tanh(3 * w[5] * heading)], 1)


def straight(near, bearing):
    """Turns to the goal and drives."""
    return np.stack([np.where(np.abs(bearing) < 0.6, 1.0, -0.6), np.clip(3 * bearing, -1, 1)], 1)


class Random:
    def __init__(self, seed=0):
        self.rng = np.random.default_rng(seed)

    def __call__(self, near, bearing):
        return self.rng.uniform(-1, 1, (len(near), 2))


class Field:
    """Environments side by side, which play whatever episodes are asked for."""

    def __init__(self, envs=8, threads=2, task="traverse"):
        self.vector = tycho.gym.TychoVectorEnv(envs, task, threads=threads, autoreset_mode=AutoresetMode.DISABLED, copy=False)
        self.envs, self.episodes = envs, 0

    def play(self, drivers, seeds):
        """Every driver on every seed: arrays (driver, seed) of returns and of ends."""
        jobs = [(d, s) for s in range(len(seeds)) for d in range(len(drivers))]
        returns, ends = np.full((len(drivers), len(seeds)), np.nan), np.full((len(drivers), len(seeds)), "", "U12")
        jobs_of = [None] * self.envs  # which job an environment plays; None: nothing is left for it
        waiting, paid = jobs[::-1], np.zeros(self.envs)
        eyes = Eyes(self.envs, *self.vector.single_observation_space["depth"].shape)

        def begin(mask):
            first = [int(seeds[0])] * self.envs
            for i in np.flatnonzero(mask):
                jobs_of[i] = waiting.pop() if waiting else None
                first[i] = int(seeds[jobs_of[i][1]]) if jobs_of[i] else first[i]
            paid[mask] = 0
            obs, _ = self.vector.reset(seed=first, options={"reset_mask": mask})
            eyes.forget(mask, obs)
            return obs

        obs = begin(np.ones(self.envs, bool))
        while np.isnan(returns).any():
            near, bearing = eyes.look(obs), np.arctan2(obs["goal"][:, 1], obs["goal"][:, 2])
            actions = np.tile(np.float32([-1, 0]), (self.envs, 1))
            for d in {job[0] for job in jobs_of if job}:
                mine = [i for i in range(self.envs) if jobs_of[i] and jobs_of[i][0] == d]
                actions[mine] = drivers[d](near[mine], bearing[mine])
            obs, reward, terminated, truncated, info = self.vector.step(actions)
            paid += reward
            over = terminated | truncated
            for i in np.flatnonzero(over):
                if jobs_of[i]:
                    returns[jobs_of[i]], ends[jobs_of[i]] = paid[i], info["end"][i] or "time"
                    self.episodes += 1
            if over.any() and np.isnan(returns).any():
                obs = begin(over)
        return returns, ends


def learn(field, generations, population, episodes, seed=1, report=print):
    """The cross-entropy method: weights, and a row for each generation: mean return and success of all and of the best quarter."""
    rng, mean, std = np.random.default_rng(seed), np.zeros(WEIGHTS), np.ones(WEIGHTS)
    curve, best = [], max(2, population // 4)
    for g in range(generations):
        drawn = mean + std * rng.standard_normal((population, WEIGHTS))
        seeds = np.arange(episodes) + 1 + g * episodes  # other episodes in each generation, the same for all
        returns, ends = field.play([lambda n, b, w=w: learned(w, n, b) for w in drawn], seeds)
        first = np.argsort(-returns.mean(1), kind="stable")[:best]
        mean, std = drawn[first].mean(0), drawn[first].std(0) + 0.3 * 0.8**g  # some breadth stays, less and less
        won = ends == "goal"
        curve.append([float(returns.mean()), float(won.mean()), float(returns[first].mean()), float(won[first].mean())])
        report(f"generation {g + 1}: return {curve[-1][0]:.1f}, of the best quarter {curve[-1][2]:.1f}; reached the goal {won.mean():.0%} and {won[first].mean():.0%}")
    return mean, curve


def wilson(k, n, z=1.96):
    """Interval of a share k of n, 95 % [Wilson 1927, J. Am. Stat. Assoc. 22, 209]."""
    p = k / n
    middle, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)


def judge(field, weights, held):
    """The three drivers on held-out seeds: a dict for each."""
    names = ("learned", "straight", "random")
    returns, ends = field.play([lambda n, b: learned(weights, n, b), straight, Random()], HELD_OUT + np.arange(held))
    out = {}
    for name, r, e in zip(names, returns, ends):
        won = int((e == "goal").sum())
        out[name] = {"goal": won, "of": held, "low": wilson(won, held)[0], "high": wilson(won, held)[1], "return": float(r.mean()),
                     "ends": {str(k): int(n) for k, n in zip(*np.unique(e, return_counts=True))}}
    return out


def draw(path, curve, judged):
    """The curve of returns, and success on held-out seeds with intervals, as SVG."""
    w, h, left, top, split = 760, 300, 50, 30, 470
    values = [v for row in curve for v in (row[0], row[2])] + [j["return"] for j in judged.values()]
    low, high = min(values) - 1, max(values) + 1
    x = lambda g: left + (split - left - 30) * g / max(1, len(curve) - 1)
    y = lambda v: h - 40 - (h - 40 - top) * (v - low) / (high - low)
    s = lambda p: h - 40 - (h - 40 - top) * p
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" font-family="sans-serif" font-size="12"><rect width="{w}" height="{h}" fill="white"/>']
    text = lambda px, py, t, more="": parts.append(f'<text x="{px:.1f}" y="{py:.1f}" {more}>{t}</text>')
    line = lambda a, b, c, d, more='stroke="#888"': parts.append(f'<line x1="{a:.1f}" y1="{b:.1f}" x2="{c:.1f}" y2="{d:.1f}" {more}/>')
    text(left, 18, "return of an episode, by generation")
    for v in range(5 * math.ceil(low / 5), int(high) + 1, 5):
        line(left, y(v), split - 30, y(v), 'stroke="#ddd"')
        text(left - 6, y(v) + 4, v, 'text-anchor="end"')
    for g in range(len(curve)):
        text(x(g), h - 22, g + 1, 'text-anchor="middle"')
    for column, colour, name in ((0, "#999", "all that were drawn"), (2, "#1a5fb4", "best quarter")):
        points = " ".join(f"{x(g):.1f},{y(row[column]):.1f}" for g, row in enumerate(curve))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        text(split - 40, h - 60 - 16 * (column == 2), name, f'fill="{colour}" text-anchor="end"')
    for name in ("straight", "random"):
        line(left, y(judged[name]["return"]), split - 30, y(judged[name]["return"]), 'stroke="#c01c28" stroke-dasharray="4 3"')
        text(left + 4, y(judged[name]["return"]) - 4, name, 'fill="#c01c28"')
    text(split + 20, 18, f"goal reached, {judged['learned']['of']} held-out seeds")
    line(split + 40, s(0), w - 10, s(0))
    for p in (0, 0.5, 1):
        line(split + 40, s(p), w - 10, s(p), 'stroke="#ddd"')
        text(split + 34, s(p) + 4, f"{p:.0%}", 'text-anchor="end"')
    for k, (name, j) in enumerate(judged.items()):
        px, share = split + 80 + 75 * k, j["goal"] / j["of"]
        parts.append(f'<rect x="{px - 22}" y="{s(share):.1f}" width="44" height="{s(0) - s(share):.1f}" fill="{"#1a5fb4" if name == "learned" else "#bbb"}"/>')
        line(px, s(j["low"]), px, s(j["high"]), 'stroke="black" stroke-width="2"')
        text(px, h - 22, name, 'text-anchor="middle"')
        text(px, s(j["high"]) - 5, f"{share:.0%}", 'text-anchor="middle"')
    with open(path, "w") as f:
        f.write("\n".join(parts) + "\n</svg>\n")


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--generations", type=int, default=10)
    p.add_argument("--population", type=int, default=20)
    p.add_argument("--episodes", type=int, default=5, help="of each set of weights in a generation")
    p.add_argument("--held", type=int, default=100, help="held-out seeds; 0: none")
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("--task", default="traverse")
    p.add_argument("--judge", metavar="FILE", help="no learning: the weights of this file")
    p.add_argument("-o", default="learned", metavar="NAME", help="writes NAME.json and NAME.svg")
    a = p.parse_args()
    field, start, cpu = Field(threads=a.threads, task=a.task), time.perf_counter(), time.process_time()
    if a.judge:
        with open(a.judge) as f:
            result = json.load(f)
    else:
        weights, curve = learn(field, a.generations, a.population, a.episodes)
        result = {"weights": weights.tolist(), "curve": curve, "episodes": field.episodes}
        print(f"learned in {(time.perf_counter() - start) / 60:.1f} min, {(time.process_time() - cpu) / 60:.1f} min of one core, {field.episodes} episodes")
    if a.held:
        result["held_out"] = judge(field, np.array(result["weights"]), a.held)
        for name, j in result["held_out"].items():
            print(f"{name:9s} {j['goal']:3d} of {j['of']}, 95 % interval {j['low']:.2f} to {j['high']:.2f}; return {j['return']:.1f}; {j['ends']}")
        draw(a.o + ".svg", result["curve"], result["held_out"])
    with open(a.o + ".json", "w") as f:
        json.dump(result, f, indent=1)


if __name__ == "__main__":
    main()
