"""Task files: what is drawn, seen, done, rewarded, and what ends an episode."""

import math
import os
import tomllib

_KEYS = {"scenario": str, "period": float, "time": float, "observe": list, "goal": dict, "action": dict, "depth": dict, "lidar": dict, "reward": dict, "end": dict,
         "random": dict}
_PARTS = ("goal", "motion", "wheels", "slip", "depth", "lidar", "motors", "tools")
_INNER = {"goal": ("distance", "azimuth_deg", "radius", "mass", "lift"), "action": ("v", "omega", "motors"), "depth": ("sensor", "far"), "lidar": ("sensor", "far"),
          "reward": ("progress", "time", "energy", "work", "goal", "stuck", "tip_over", "collision", "away"),
          "end": ("tilt_deg", "stuck_s", "stuck_share", "rock", "footprint", "away")}
_LAWS = ("uniform", "integer", "choice", "log_uniform")


class Task:
    """A task file, read and checked: Task("climb"), Task("mine.toml"). A wrong one raises ValueError with file, key and what is accepted."""

    def __init__(self, source):
        path = os.fspath(source)
        if not os.path.exists(path) and os.sep not in path:
            shipped = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tasks")
            path = os.path.join(shipped, path.removesuffix(".toml") + ".toml")
            if not os.path.exists(path):
                names = ", ".join(sorted(n.removesuffix(".toml") for n in os.listdir(shipped) if n.endswith(".toml")))
                raise FileNotFoundError(f"there is no task file {source!r}; those that come with the package are {names}")
        self.path = path
        with open(path, "rb") as f:
            try:
                data = tomllib.load(f)
            except tomllib.TOMLDecodeError as e:
                raise ValueError(f"{path}: {e}") from None
        self._check(data)
        folder = os.path.dirname(path)
        scenario = os.path.join(folder, data["scenario"])
        self.scenario = scenario if os.path.exists(scenario) else data["scenario"]
        self.period, self.time = float(data["period"]), float(data["time"])
        self.observe = list(data["observe"])
        self.goal, self.action, self.reward = data["goal"], data["action"], data.get("reward", {})
        self.depth, self.end, self.random = data.get("depth", {}), data.get("end", {}), data.get("random", {})
        self.lidar = data.get("lidar", {})
        self.motors = data["action"].get("motors", {})

    def _fail(self, key, value, takes):
        raise ValueError(f"{self.path}: {key} is {value!r}, but takes {takes}")

    def _check(self, data):
        for key, value in data.items():
            if key not in _KEYS:
                self._fail(key, value, f"nothing: the keys of a task are {', '.join(_KEYS)}")
            kinds = (int, float) if _KEYS[key] is float else _KEYS[key]
            if not isinstance(value, kinds) or isinstance(value, bool):
                self._fail(key, value, {float: "a number", str: "a text", list: "a list", dict: "a table"}[_KEYS[key]])
            for inner in value if key in _INNER else ():
                if inner not in _INNER[key]:
                    self._fail(f"{key}.{inner}", value[inner], f"nothing: the keys of {key} are {', '.join(_INNER[key])}")
        for key in ("scenario", "period", "time", "observe", "goal", "action"):
            if key not in data:
                raise ValueError(f"{self.path}: {key} is missing")
        if not 0 < data["period"] <= data["time"]:
            self._fail("period", data["period"], "a time above 0 and at most `time`")
        for part in data["observe"]:
            if part not in _PARTS:
                self._fail("observe", part, f"some of {', '.join(_PARTS)}")
        if "depth" in data["observe"] and not isinstance(data.get("depth", {}).get("sensor"), str):
            raise ValueError(f"{self.path}: depth.sensor is missing: the camera whose depth is observed")
        if "lidar" in data["observe"] and not isinstance(data.get("lidar", {}).get("sensor"), str):
            raise ValueError(f"{self.path}: lidar.sensor is missing: the lidar whose ranges are observed")
        for key in ("v", "omega"):
            self._pair(f"action.{key}", data["action"].get(key))
        motors = data["action"].get("motors", {})
        if not isinstance(motors, dict):
            self._fail("action.motors", motors, "a table of motors and their ranges")
        for key, value in motors.items():
            self._pair(f"action.motors.{key}", value)
        for key in ("mass",) if "mass" in data["goal"] else ("distance", "azimuth_deg"):
            self._pair(f"goal.{key}", data["goal"].get(key), equal=True)
        for key, law in data.get("random", {}).items():
            if not isinstance(law, dict) or len(law) != 1 or next(iter(law)) not in _LAWS:
                self._fail(f"random.{key}", law, f"one of {', '.join(_LAWS)} with its list")
            kind, values = next(iter(law.items()))
            if kind == "choice":
                if not isinstance(values, list) or not values:
                    self._fail(f"random.{key}.choice", values, "a list of values")
            else:
                self._pair(f"random.{key}.{kind}", values, equal=True)

    def _pair(self, key, value, equal=False):
        if not isinstance(value, list) or len(value) != 2 or not all(isinstance(v, (int, float)) for v in value) or value[0] > value[1] or (
                value[0] == value[1] and not equal):
            self._fail(key, value, "a list of two numbers, the lower first")

    def draw(self, rng):
        """Keys of the scenario for one episode."""
        keys = {}
        for key, law in self.random.items():
            kind, values = next(iter(law.items()))
            if kind == "uniform":
                keys[key] = float(rng.uniform(*values))
            elif kind == "log_uniform":
                keys[key] = float(values[0] * (values[1] / values[0]) ** rng.random())
            elif kind == "integer":
                keys[key] = int(rng.integers(values[0], values[1], endpoint=True))
            else:
                keys[key] = values[int(rng.integers(len(values)))]
        return keys

    def draw_mass(self, rng):
        """How much soil [kg] is to be dug; None: the goal is a place."""
        return float(rng.uniform(*self.goal["mass"])) if "mass" in self.goal else None

    def draw_goal(self, rng):
        """How far [m] and where [rad] from a rover's start its goal lies."""
        if "mass" in self.goal:
            return 0.0, 0.0
        return float(rng.uniform(*self.goal["distance"])), math.radians(rng.uniform(*self.goal["azimuth_deg"]))
