"""The baseline of the task rock_map (docs/task.md): drives VIPER round a field by what its sensors tell, and writes the map.

    python tasks/rock_map.py map.csv --seed 7                       # drives one field, writes its map
    python tasks/rock_map.py out/rock_map --held 20                 # the held-out fields 101, 102 ..: maps, then points by `tycho score map`
    python tasks/rock_map.py map.csv --seed 7 --loops 3 --size 9    # a small one

Needs numpy and Tycho's package (PYTHONPATH=build/pytycho). Copy it and make it better: Senses is all that a driver may know.
"""

import argparse
import heapq
import json
import math
import os
import subprocess
import sys

import numpy as np

import tycho

HERE = os.path.dirname(os.path.abspath(__file__))
CELL = 0.15                      # [m] of the map
RADIUS = 0.225                   # [m] of VIPER's wheels (models/rovers/viper.yaml)
FIX = 0.8                        # [m] how far the beacons' fixes, one a second, are trusted
GRIP, SLIP = 1.04, 0.7           # way of the rover over that of its rims: on level ground, and less of it uphill; fitted to fields 1 to 4
LIDAR = np.array([0.30, 0.0, 2.00])  # [m] where its lidar sits, likewise
NEAR, FAR = 1.4, 11.0            # [m] points nearer than this show the rover, farther ones lie too thin
SPEED, TURN = 0.4, 0.3          # [m/s], [rad/s]
COARSE = 3                       # cells of the map along one of the planner's
STEP = 0.22                      # [m] that rise within a planner's cell and its neighbours: not to be driven over
WIDE = 1.1                       # [m] the rover, from its middle, with some room


class Senses:
    """What an entrant may use: where the rover stands at the start, its sensors' messages, and commands."""

    def __init__(self, seed, threads, keys):
        self._run = tycho.Run(os.path.join(HERE, "rock_map.yaml"), {"terrain.seed": seed, **keys}, threads=threads, detail=256)
        self.start = self._run.rover.position, self._run.rover.attitude  # read once, before the first step
        self.command, self.advance = self._run.command, self._run.advance
        self.subscribe, self.newest = self._run.subscribe, self._run.newest

    @property
    def time(self):
        return self._run.time

    @property
    def done(self):
        return self._run.done


def matrix(q):
    w, x, y, z = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def turn(v):
    """Rotation by a vector [rad]."""
    angle = math.sqrt(v @ v)
    if angle < 1e-12:
        return np.eye(3)
    x, y, z = v / angle
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + math.sin(angle) * k + (1 - math.cos(angle)) * (k @ k)


class Map:
    """All points so far, in W, and sums of them in each cell."""

    def __init__(self, size):
        self.n, self.half = round(size / CELL), size / 2
        self.sums = np.zeros((9, self.n, self.n))  # 1, x, y, z, xx, xy, yy, xz, yz
        self.points = []

    def cell(self, p):
        """Row, column of points, and which of them lie in the field."""
        i = np.floor((p[:, :2] + self.half) / CELL).astype(int)
        inside = ((i >= 0) & (i < self.n)).all(1)
        return i[:, 1], i[:, 0], inside

    def add(self, p):
        kept = p.astype(np.float32)
        r, c, inside = self.cell(kept)  # as kept: rounding may put a point over the field's edge
        x, y, z = p[inside].T
        at = r[inside] * self.n + c[inside]
        for k, v in enumerate((None, x, y, z, x * x, x * y, y * y, x * z, y * z)):
            self.sums[k] += np.bincount(at, v, self.n**2).reshape(self.n, self.n)
        self.points.append(kept[inside])

    def heights(self):
        return np.where(self.sums[0] > 0, self.sums[3] / np.maximum(self.sums[0], 1), np.nan)

    def planes(self, reach=2):
        """Least-squares planes through the points of (2 reach + 1)^2 cells around each: mean place, height there, slopes; NaN where points lie too thin. Means of cells alone would
        not do: where a scan's rings lie apart, they draw the next scan's rings onto themselves."""
        s = np.pad(self.sums, ((0, 0), (reach + 1, reach), (reach + 1, reach))).cumsum(1).cumsum(2)
        k = 2 * reach + 1
        n, x, y, z, xx, xy, yy, xz, yz = s[:, k:, k:] - s[:, :-k, k:] - s[:, k:, :-k] + s[:, :-k, :-k]
        with np.errstate(all="ignore"):
            x, y, z = x / n, y / n, z / n
            xx, xy, yy, xz, yz = xx / n - x * x, xy / n - x * y, yy / n - y * y, xz / n - x * z, yz / n - y * z
            det = xx * yy - xy * xy
            thin = (n < 8) | (det < 0.1 * (0.5 * (xx + yy)) ** 2) | (xx + yy < (reach * CELL) ** 2 / 3)
            gx, gy = (yy * xz - xy * yz) / det, (xx * yz - xy * xz) / det
        gx[thin] = np.nan
        return x, y, z, gx, gy

    def align(self, p, R, t, prior):
        """A scan p (in the rover's frame) onto the map: the small motion (shift, turn) after (R, t) that makes heights agree best, by Gauss-Newton with falling weights of
        points that do not fit. prior: how well the motion is known already, as standard deviations [m], [rad]. Returns also how well it is known then."""
        px, py, pz, gx, gy = self.planes()
        p = p[::max(1, len(p) // 5000)]
        total, known = np.zeros(6), prior
        for _ in range(8):
            w = p @ R.T + t
            r, c, inside = self.cell(w)
            r, c, w = r[inside], c[inside], w[inside]
            slope = np.stack([gx[r, c], gy[r, c]], 1)
            e = w[:, 2] - pz[r, c] - slope[:, 0] * (w[:, 0] - px[r, c]) - slope[:, 1] * (w[:, 1] - py[r, c])
            fine = np.isfinite(e)
            if fine.sum() < 200:
                break
            w, slope, e = w[fine], slope[fine], e[fine]
            normal = np.concatenate([-slope, np.ones((len(slope), 1))], 1)
            J = np.concatenate([normal, np.cross(w - t, normal)], 1)
            weight = 1 / (1 + (e / 0.04) ** 2) / 0.04**2 * min(1.0, 1500 / len(e))  # neighbouring points err together
            A = (J * weight[:, None]).T @ J + np.diag(1 / prior**2)
            d = np.linalg.solve(A, -(J * weight[:, None]).T @ e - total / prior**2)
            total += d
            t, R = t + d[:3], turn(d[3:]) @ R
            known = np.sqrt(np.diag(np.linalg.inv(A)))
            if np.abs(d).max() < 1e-4:
                break
        return R, t, known

    def ground(self, h, reach=2):
        """The ground without rocks: medians over (2 reach + 1)^2 cells."""
        padded = np.pad(h, reach, constant_values=np.nan)
        windows = np.lib.stride_tricks.sliding_window_view(padded, (2 * reach + 1, 2 * reach + 1)).reshape(self.n, self.n, -1)
        with np.errstate(all="ignore"):
            return np.nanmedian(windows, 2)

    def result(self, least=0.06, share=0.05):
        """Heights, holes filled by what lies around them, and cells with rocks: those in which points stand above the ground around; numbers fitted to fields 1 and 2."""
        h = fill(self.heights())
        ground = self.ground(h)
        gy, gx = np.gradient(ground, CELL)
        p = np.concatenate(self.points)
        r, c, _ = self.cell(p)
        x, y = p[:, 0] - (c + 0.5) * CELL + self.half, p[:, 1] - (r + 0.5) * CELL + self.half
        high = p[:, 2] - ground[r, c] - gx[r, c] * x - gy[r, c] * y > least
        above, seen = (np.bincount(r * self.n + c, v, self.n**2).reshape(self.n, self.n) for v in (high, None))
        return h, (above >= 2) & (above > share * seen) | (h - self.ground(h, 6) > 0.2)  # and what is larger than the window


def fill(h, times=1000):
    """Holes get the mean of what lies around them, so often."""
    h = h.copy()
    for _ in range(times if np.isfinite(h).any() else 0):
        if np.isfinite(h).all():
            break
        around = np.stack([np.roll(np.pad(h, 1, constant_values=np.nan), s, (0, 1))[1:-1, 1:-1] for s in ((0, 1), (1, 0), (0, -1), (-1, 0))])
        known = np.isfinite(around).sum(0)
        hole = np.isnan(h) & (known > 0)
        h[hole] = np.nansum(around, 0)[hole] / known[hole]
    return h


class Driver:
    def __init__(self, senses, size, loops):
        self.senses, self.map = senses, Map(size)
        (position, attitude) = senses.start
        self.t, self.R = np.array(position), matrix(attitude)
        self.way, self.scans, self.skipped = None, 0, 0
        self.sigma = np.array([0.01, 0.01])                       # [m] of x and y
        self.goals = [(r * x, r * y) for r in loops for x, y in ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0))]
        senses.subscribe(self.imu, "imu")
        senses.subscribe(self.wheels, "wheels")
        senses.subscribe(self.fix, "fix")
        senses.subscribe(self.lidar, "lidar")

    # ---- where am I

    def imu(self, message):
        self.R = self.R @ turn(np.asarray(message["sample"]).reshape(-1)[:3] * 0.02)

    def wheels(self, message):
        now = RADIUS * np.asarray(message["sample"]).reshape(-1)[[1, 4, 7, 10]]
        if self.way is not None:
            step = np.mean(now - self.way) * (GRIP - SLIP * self.R[2, 0])
            self.t = self.t + self.R[:, 0] * step
            self.sigma = np.hypot(self.sigma, 0.15 * math.sqrt(np.abs(now - self.way).mean()))  # 15 cm after a metre of the rims, in turns too
        self.way = now

    def fix(self, message):
        """Beacons err by decimetres for minutes: they only keep the rover from losing itself."""
        found = np.asarray(message["sample"]).reshape(-1)[:2]
        gain = self.sigma**2 / (self.sigma**2 + FIX**2)
        self.t[:2] += gain * (found - self.t[:2])
        self.sigma = self.sigma * np.sqrt(1 - gain)

    def lidar(self, message):
        p = np.asarray(message["points"])[..., :3].reshape(-1, 3)
        p = p[np.isfinite(p[:, 0])].astype(float)
        flat = np.hypot(p[:, 0], p[:, 1])
        p = p[(flat > NEAR) & (flat < FAR)] + LIDAR
        if self.scans:
            self.R, self.t, known = self.map.align(p, self.R, self.t, np.array([*np.maximum(self.sigma, 0.02), 0.05, 0.002, 0.002, 0.006]))
            self.sigma = np.maximum(known[:2], 0.01)
        self.map.add(p @ self.R.T + self.t)
        self.scans += 1

    # ---- where to

    def hazards(self):
        """Cells of the planner that the rover's middle should not enter, and how dear the others are."""
        h, n = self.map.heights(), self.map.n // COARSE
        blocks = h[:n * COARSE, :n * COARSE].reshape(n, COARSE, n, COARSE).transpose(0, 2, 1, 3).reshape(n, n, -1)
        with np.errstate(all="ignore"):
            import warnings
            warnings.simplefilter("ignore")
            high, low = np.nanmax(blocks, 2), np.nanmin(blocks, 2)
        around = np.pad(low, 1, mode="edge")
        lowest = np.nanmin(np.stack([around[i:i + n, j:j + n] for i in range(3) for j in range(3)]), 0)
        bad = high - lowest > STEP
        k = math.ceil(WIDE / (COARSE * CELL))
        wide = np.pad(bad, k)
        return np.any(np.stack([wide[i:i + n, j:j + n] for i in range(2 * k + 1) for j in range(2 * k + 1)
                                if math.hypot(i - k, j - k) * COARSE * CELL <= WIDE]), 0)

    def plan(self, goal):
        """Places on the cheapest way to the goal, by Dijkstra's method; cells near hazards are dear, not forbidden, so that there is always a way."""
        bad, n, side = self.hazards(), self.map.n // COARSE, COARSE * CELL
        def at(p):
            return tuple(int(min(max((v + self.map.half) / side, 0), n - 1)) for v in (p[1], p[0]))
        first, last = at(self.t), at(goal)
        if bad[last]:                                             # the free place next to it
            free = np.argwhere(~bad)
            last = tuple(int(v) for v in free[np.argmin(((free - last) ** 2).sum(1))]) if len(free) else first
        cost, came, heap = {first: 0.0}, {}, [(0.0, first)]
        while heap:
            c, here = heapq.heappop(heap)
            if here == last:
                break
            if c > cost[here]:
                continue
            for dr, dc in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)):
                to = here[0] + dr, here[1] + dc
                if 0 <= to[0] < n and 0 <= to[1] < n:
                    new = c + math.hypot(dr, dc) * (30.0 if bad[to] else 1.0)
                    if new < cost.get(to, math.inf):
                        cost[to], came[to] = new, here
                        heapq.heappush(heap, (new, to))
        way = [last]
        while way[-1] in came:
            way.append(came[way[-1]])
        return [((c + 0.5) * side - self.map.half, (r + 0.5) * side - self.map.half) for r, c in way[::-1]]

    def steer(self, way):
        """Towards the place of the way that is 1.3 m ahead."""
        away = [math.hypot(x - self.t[0], y - self.t[1]) for x, y in way]
        k = int(np.argmin(away))
        while k + 1 < len(way) and away[k] < 1.3:
            k += 1
        bearing = math.atan2(way[k][1] - self.t[1], way[k][0] - self.t[0]) - math.atan2(self.R[1, 0], self.R[0, 0])
        bearing = math.atan2(math.sin(bearing), math.cos(bearing))
        if abs(bearing) > 0.9:
            self.senses.command(omega=math.copysign(TURN, bearing), mode="point")
        else:
            self.senses.command(v=SPEED, omega=max(-TURN, min(TURN, 0.6 * bearing)))

    def drive(self):
        s = self.senses
        s.advance(0.5)                                            # the first scan, standing
        for goal in self.goals:
            best, since = math.inf, s.time
            while not s.done:
                way = self.plan(goal)
                left = math.hypot(way[-1][0] - self.t[0], way[-1][1] - self.t[1])
                if left < 0.7:
                    break
                if left < best - 0.3:
                    best, since = left, s.time
                if s.time - since > 40:                           # no nearer for 40 s: the next one
                    self.skipped += 1
                    break
                for _ in range(6):
                    self.steer(way)
                    s.advance(0.5)
        s.command()


def write(path, h, rock):
    half = (len(h) - 1) / 2
    with open(path, "w") as f:
        f.write("x,y,height,rock\n")
        for r in range(len(h)):
            for c in range(len(h)):
                f.write(f"{(c - half) * CELL:.3f},{(r - half) * CELL:.3f},{h[r, c]:.4f},{int(rock[r, c])}\n")


def one(seed, path, size, loops, threads=0, keys=None):
    driver = Driver(Senses(seed, threads, keys or {}), size, loops)
    driver.drive()
    write(path, *driver.map.result())
    print(f"field {seed}: {driver.senses.time:.0f} s, {driver.scans} scans, {driver.skipped} places not reached: {path}", flush=True)
    return driver


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("out", help="the map; with --held a folder")
    ask.add_argument("--seed", type=int, default=1, help="of the field")
    ask.add_argument("--held", type=int, default=0, help="so many held-out fields")
    ask.add_argument("--first", type=int, default=101, help="of the held-out fields")
    ask.add_argument("--size", type=float, default=27.0, help="[m] of the field")
    ask.add_argument("--loops", type=float, nargs="*", default=[8.5], help="[m] half sides of the squares that are driven")
    ask.add_argument("--threads", type=int, default=0)
    ask.add_argument("--tycho", default=os.path.join(HERE, "..", "build", "tycho"))
    ask.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="of the scenario")
    said = ask.parse_args()
    keys = dict(s.split("=", 1) for s in said.set)
    if not said.held:
        one(said.seed, said.out, said.size, said.loops, said.threads, keys)
        return
    os.makedirs(said.out, exist_ok=True)
    rows = []
    for seed in range(said.first, said.first + said.held):
        path = f"{said.out}/{seed}"
        if not os.path.exists(path + ".json"):                    # what is done is kept
            one(seed, path + ".csv", said.size, said.loops, said.threads, keys)
            subprocess.run([said.tycho, "score", "map", f"{HERE}/rock_map.yaml", path + ".csv", "--set", f"terrain.seed={seed}", "--size", str(said.size), "-o", path + ".json",
                            "--picture", path + ".png", "--quiet"], check=True)
        with open(path + ".json") as f:
            rows.append((seed, json.load(f)["maps"][0]))
    print("| field | known [%] | heights right [%] | RMS error [mm] | rock cells | found | false | F1 | points of 600 |\n" + "|---" * 9 + "|")
    for seed, m in rows:
        print(f"| {seed} | {100 * m['known'] / m['cells']:.1f} | {100 * m['heights']:.1f} | {1e3 * m['rms_error_m']:.0f} | {m['rock_cells']} | {m['found']} | {m['false_alarms']} | "
              f"{m['rocks_f1']:.3f} | {m['points']:.0f} |")
    points = [m["points"] for _, m in rows]
    print(f"mean {np.mean(points):.1f}, median {np.median(points):.1f}, least {min(points):.1f}, most {max(points):.1f}")


if __name__ == "__main__":
    sys.exit(main())
