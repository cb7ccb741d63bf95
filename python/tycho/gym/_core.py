"""One episode after another of a task: what single, vector and several-rover environments share. Observations are written into arrays that are given."""

import math

import numpy as np
from gymnasium import spaces

from .. import InputError, Run, Scenario

FAR = np.float32(1e4)
RANGE = 4  # of a lidar's numbers: x, y, z, intensity, range, time, ring, return, label


class Agent:
    """One rover of an episode, with its goal."""

    def __init__(self, core, rover, rng):
        self.task, self.space = core.task, core.observation_space
        self.run, self.rover = core.run, rover
        body = rover.read()
        self.start = (float(body[0]), float(body[1]))
        distance, azimuth = self.task.draw_goal(rng)
        self.mass, self.carried, self.work = self.task.draw_mass(rng), 0.0, 0.0
        self.goal = (self.start[0] + distance * math.sin(azimuth), self.start[1] + distance * math.cos(azimuth))
        self.distance = self.first = self._far()
        self.energy, self.recent = rover.state()["work_motor"], []
        self.rocks = self._rocks(distance)

    def _rocks(self, distance):
        """Boulders that may not be touched, around start and goal. clear: the rover does not stand at one."""
        self.clear = True
        least = self.task.end.get("rock")
        if not least:
            return np.zeros((0, 4))
        away = float(self.task.end.get("away", 50.0))
        rocks = np.array(self.run.ground.rocks(*self.start, size=2 * (distance + away), d_min=least))
        if len(rocks):
            free = self._gap(rocks) > 0
            self.clear, rocks = bool(free.all()), rocks[free]
        return rocks

    def _gap(self, rocks):
        """From the rover's footprint to each rock [m]; 0: it touches."""
        body, yaw = self.rover.read(), self.rover.yaw
        c, s = math.cos(yaw), math.sin(yaw)
        dx, dy = rocks[:, 0] - body[0], rocks[:, 1] - body[1]
        length, width = self.task.end.get("footprint", [1.5, 1.5])
        u, v = np.abs(c * dx + s * dy) - length / 2, np.abs(c * dy - s * dx) - width / 2
        return np.maximum(np.hypot(np.maximum(u, 0), np.maximum(v, 0)) - rocks[:, 2] / 2, 0)

    def _far(self):
        body = self.rover.read()
        return math.hypot(self.goal[0] - body[0], self.goal[1] - body[1])

    def command(self, action, scale):
        """An action of -1 to 1 over its ranges; returns the speed that was asked for."""
        u = np.clip((np.asarray(action, float) + 1) / 2, 0, 1)
        v, omega, *turns = scale[0] + u * (scale[1] - scale[0])
        self.rover.command(float(v), float(omega))
        for name, value in zip(self.task.motors, turns):
            self.rover.motor(name, float(value))
        self.speed = float(abs(v))

    def judge(self, steps):
        """reward, terminated, truncated, info after a period"""
        task, pay, end = self.task, self.task.reward, self.task.end
        distance, work = self._far(), self.rover.state()["work_motor"]
        body = self.rover.read()
        nearer = self.distance - distance
        if self.mass is not None:
            carried, dug = self._dug()
            nearer = min(carried, self.mass) - min(self.carried, self.mass)
            reward = pay.get("work", 0.0) * (dug - self.work)
            self.carried, self.work = carried, dug
        else:
            reward = 0.0
        reward += pay.get("progress", 0.0) * nearer + pay.get("time", 0.0) * task.period + pay.get("energy", 0.0) * (work - self.energy)
        self.distance, self.energy = distance, work
        self.recent.append((self.speed * task.period, float(body[0]), float(body[1])))
        why = None
        if self._there():
            why = "goal"
        elif self.rover.tilt > math.radians(end.get("tilt_deg", 60.0)):
            why = "tip_over"
        elif len(self.rocks) and self._gap(self.rocks).min() <= 0.0:
            why = "collision"
        elif self._stuck():
            why = "stuck"
        elif distance > self.first + end.get("away", 50.0):
            why = "away"
        reward += pay.get(why, 0.0) if why else 0.0
        truncated = why is None and steps * task.period >= task.time - 1e-9
        return float(reward), why is not None, truncated, self.info(why)

    def _dug(self):
        """Soil [kg] in its tools, and the work [J] that they have given the soil."""
        tools = self.rover.tools()
        return sum(t["carried"] for t in tools), sum(t["work"] for t in tools)

    def _lift(self):
        """[m] from the ground to the axis of its lowest tool that holds soil; 0: none does."""
        places = [t["pose"][0] for t in self.rover.tools() if t["carried"] > 0]
        return max(0.0, min((p[2] - self.run.ground.height(p[0], p[1]) for p in places), default=0.0))

    def _there(self):
        if self.mass is None:
            return self.distance <= self.task.goal.get("radius", 1.0)
        return self.carried >= self.mass and self._lift() >= self.task.goal.get("lift", 0.0)

    def _stuck(self):
        """It was told to go, and for stuck_s it made less than stuck_share of that way."""
        n = round(self.task.end.get("stuck_s", 30.0) / self.task.period)
        if len(self.recent) <= n:
            return False
        told = sum(w for w, _, _ in self.recent[-n:])
        _, x, y = self.recent[-n - 1]
        _, x1, y1 = self.recent[-1]
        return told > 0.5 and math.hypot(x1 - x, y1 - y) < self.task.end.get("stuck_share", 0.1) * told

    def info(self, why=None):
        told = {"distance": float(self.distance), "time": self.run.time, "end": why or "", "is_success": why == "goal"}
        return told if self.mass is None else {**told, "mass": self.mass, "carried": float(self.carried)}

    def look(self, out):
        """What it sees, into arrays."""
        body = self.rover.read()
        x, y, w, i, j, k = body[0], body[1], body[3], body[4], body[5], body[6]
        yaw = math.atan2(2 * (w * k + i * j), 1 - 2 * (j * j + k * k))
        if "goal" in out and self.mass is not None:
            out["goal"][:] = self.mass, min(self._dug()[0], float(FAR)), min(self._lift(), float(FAR))
        elif "goal" in out:
            dx, dy = self.goal[0] - x, self.goal[1] - y
            bearing = math.atan2(dy, dx) - yaw
            out["goal"][:] = min(math.hypot(dx, dy), float(FAR)), math.sin(bearing), math.cos(bearing)
        if "motion" in out:
            c, s = math.cos(yaw), math.sin(yaw)
            pitch = math.asin(max(-1.0, min(1.0, 2 * (w * j - k * i))))
            roll = math.atan2(2 * (w * i + j * k), 1 - 2 * (i * i + j * j))
            out["motion"][:] = c * body[7] + s * body[8], c * body[8] - s * body[7], body[9], body[12], pitch, roll
        if "wheels" in out or "slip" in out:
            wheels = self.rover.read_wheels()
            if "wheels" in out:
                out["wheels"][:] = np.clip(wheels[:, [1, 3, 2]], -FAR, FAR)
            if "slip" in out:
                out["slip"][:] = wheels[:, 6]
        if "motors" in out:
            out["motors"][:] = np.clip(self.rover.read_motors(), -FAR, FAR)
        if "tools" in out:
            out["tools"][:] = np.clip([(t["carried"], t["torque"]) for t in self.rover.tools()], -FAR, FAR)
        if "lidar" in out:
            scan = self.run.newest(self.task.lidar["sensor"], self.rover.name)
            ranges = np.asarray(scan[0])[..., RANGE]
            far = self.space["lidar"].high
            np.copyto(out["lidar"], np.where(np.isfinite(ranges), np.clip(ranges, 0, far), far), casting="same_kind")
        if "depth" in out:
            depth = self.run.newest(self.task.depth["sensor"], self.rover.name)["depth"]
            np.clip(depth, self.space["depth"].low, self.space["depth"].high, out=out["depth"], casting="same_kind")


class Core:
    """The simulation behind an environment: a run, and an agent for each of its rovers that this program drives."""

    def __init__(self, task, threads=1, detail=256):
        self.task, self.threads, self.detail = task, threads, detail
        self.scenario = Scenario(task.scenario)
        self.drives = [i for i, r in enumerate(self.scenario.rovers) if r["driver"] == "external"]
        if not self.drives:
            raise ValueError(f"{task.path}: no rover of {task.scenario} has the driver external")
        self.run, self.agents, self.steps = None, [], 0
        self.period_ns = round(task.period * 1e9)
        self._shape()

    def _shape(self):
        """Spaces, which need a rover and its sensors once; all rovers have the same."""
        task = self.task
        with Run(self.scenario, threads=1, overlap=False, detail=256) as run:
            rovers = [run.rovers[i] for i in self.drives]
            wheels, depth, scan = len(rovers[0].wheels), None, None
            motors, tools = len(rovers[0].motors), len(rovers[0].tools())
            for name in task.motors:
                if name not in [m["name"] for m in rovers[0].motors]:
                    raise ValueError(f"{task.path}: action.motors names {name!r}, but the rover has {', '.join(m['name'] for m in rovers[0].motors) or 'no motors'}")
            if ("mass" in task.goal or "tools" in task.observe) and not tools:
                raise ValueError(f"{task.path}: the rover has no tools, which goal.mass and observing tools need")
            if any(len(r.wheels) != wheels for r in rovers):
                raise ValueError(f"{task.path}: the rovers differ in their number of wheels")
            if "depth" in task.observe:
                run.step()
                message = run.newest(task.depth["sensor"], rovers[0].name)
                if message is None or "depth" not in message.parts:
                    raise ValueError(f"{task.path}: the sensor {task.depth['sensor']!r} gives no depth at the start; a camera with `maps: [depth]`, no lag and start 0 does")
                depth = message["depth"].shape
            if "lidar" in task.observe:
                run.step()
                message = run.newest(task.lidar["sensor"], rovers[0].name)
                if message is None or message.schema != "lidar":
                    raise ValueError(f"{task.path}: the sensor {task.lidar['sensor']!r} gives no ranges at the start; a lidar with no lag and start 0 does")
                scan = np.asarray(message[0]).shape[:-1]
        shape = {"goal": (3,), "motion": (6,), "wheels": (wheels, 3), "slip": (wheels,), "depth": depth, "lidar": scan, "motors": (motors, 3), "tools": (tools, 2)}
        digs = "mass" in task.goal
        low = {"goal": np.array([0, 0, 0] if digs else [0, -1, -1], np.float32), "depth": np.zeros(depth or (), np.float32), "lidar": np.zeros(scan or (), np.float32)}
        high = {"goal": np.array([FAR, FAR, FAR] if digs else [FAR, 1, 1], np.float32), "depth": np.full(depth or (), task.depth.get("far", 100.0), np.float32),
                "lidar": np.full(scan or (), task.lidar.get("far", 100.0), np.float32)}
        self.observation_space = spaces.Dict({p: spaces.Box(low.get(p, np.full(shape[p], -FAR, np.float32)), high.get(p, np.full(shape[p], FAR, np.float32)),
                                                            dtype=np.float32) for p in task.observe})
        self.scale = np.array([task.action["v"], task.action["omega"], *task.motors.values()], float).T
        self.action_space = spaces.Box(np.float32(-1), np.float32(1), (self.scale.shape[1],), np.float32)

    def action(self, action):
        """An action, looked at."""
        action = np.asarray(action, np.float32)
        if action.shape != self.action_space.shape or not np.isfinite(action).all():
            raise ValueError(f"an action is {self.scale.shape[1]} finite numbers, not {action!r}")
        return action

    def empty(self):
        """Arrays for one observation."""
        return {k: np.zeros(s.shape, s.dtype) for k, s in self.observation_space.items()}

    def begin(self, rng):
        """A new episode: its agents."""
        self.close()
        for left in reversed(range(100)):  # draws that put a rover into a rock, or at one, are drawn again
            try:
                self.run = Run(self.scenario, self.task.draw(rng), threads=self.threads, overlap=False, detail=self.detail)
            except InputError as e:
                if not left or "starts inside" not in str(e):
                    raise
                continue
            self.run.step()  # delivers what is due at the start
            self.steps = 0
            self.agents = [Agent(self, self.run.rovers[i], rng) for i in self.drives]
            if not left or all(a.clear for a in self.agents):
                return
            self.close()

    def go(self):
        """One period on."""
        self.steps += 1
        self.run._c.advance(2**62, self.steps * self.period_ns)

    # ---- of the first agent alone

    def reset(self, rng, out):
        """A new episode; returns info."""
        self.begin(rng)
        self.agents[0].look(out)
        return self.agents[0].info()

    def step(self, action, out):
        """One period; returns reward, terminated, truncated, info."""
        self.agents[0].command(action, self.scale)
        self.go()
        self.agents[0].look(out)
        return self.agents[0].judge(self.steps)

    def render(self, width=320, height=200, agent=0):
        """A rover from behind, three equal channels."""
        image = self.run.render(rover=self.agents[agent].rover, width=width, height=height, samples=1, behind=6, above=3).image()
        return np.repeat(image[:, :, None], 3, axis=2)

    def close(self):
        self.agents = []
        if self.run is not None:
            self.run.close()
            self.run = None
