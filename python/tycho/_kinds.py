"""Soil models, sensors and actions that are functions of Python."""

from . import _tycho
from ._arrays import empty, numpy

SOIL_COLUMNS = ("wheel", "rover", "radius", "width", "mass", "weight", "rolling_radius", "sinkage", "sinking", "v_x", "v_y", "omega", "x", "y")
HIT_COLUMNS = ("range", "nx", "ny", "nz", "reflectance", "instance", "kind")


class Sensor:
    """A kind of sensor of your own: function(shot, settings) gives its reading; a scenario names it, {type: user, kind: NAME, name: ..., period: ..., KEY: ...}, and `settings` has its
    other keys as texts.

    columns: a dict of names and units of a row of numbers, {"power": "W"}, rows of them with `rows`; or shape=(height, width) for an image of floats.
    scene: it looks at the scene, shot.trace() works, and the function is called on the thread that makes frames. See Shot."""

    def __init__(self, function, columns=None, *, rows=1, shape=None, scene=False):
        if not callable(function):
            raise TypeError(f"a sensor's function is a function, not {function!r}")
        if (columns is None) == (shape is None):
            raise TypeError("a sensor has columns, or a shape")
        if columns is not None and not isinstance(columns, dict):
            columns = {name: "" for name in columns}
        height, width = shape if shape is not None else (1, rows)
        if not (1 <= int(height) <= 32768 and 1 <= int(width) <= 32768):
            raise ValueError(f"a sensor gives 1 to 32768 rows and pixels, not {height} x {width}")
        self.function, self.columns, self.scene, self.size = function, columns, bool(scene), (int(height), int(width))

    def _tuple(self):
        names = None if self.columns is None else tuple((str(n), str(u)) for n, u in self.columns.items())
        count = self.size[0] * self.size[1] * len(names or (1,))
        code = "f" if names is None else "d"

        def call(shot, settings):
            answer = self.function(Shot(shot), settings)
            if answer is None:
                raise TypeError(f"the sensor gives {count} numbers, not None")
            if numpy is not None:
                answer = numpy.ascontiguousarray(answer, dtype=code).reshape(-1)
                if answer.size != count:
                    raise ValueError(f"the sensor gives {count} numbers, not {answer.size}")
                return answer
            out = empty(code, count)
            values = list(answer) if hasattr(answer, "__iter__") else [answer]
            if len(values) != count:
                raise ValueError(f"the sensor gives {count} numbers, not {len(values)}")
            for i, v in enumerate(values):
                out[i] = v
            return out

        return call, names, self.size[1], self.size[0], self.scene


class Shot:
    """What a sensor or an action is told of its window: start, time (its end) [s], frame (its number), position [m] and attitude of its mount, velocity [m/s] and rates [rad/s]
    (of sensors that do not look at the scene), sun and earth (unit vectors towards them), irradiance [W/m2] of the Sun."""

    def __init__(self, told):
        self._scene = told.pop("scene")
        self.__dict__.update(told)

    def trace(self, origins, directions, far=1e5):
        """Rays through the scene as it is: an array of rows of HIT_COLUMNS, range [m] (infinite where nothing is met), normal, reflectance [1/sr], instance and class (Picture.classes)."""
        if self._scene is None:
            raise ValueError("this sensor does not look at the scene: Sensor(..., scene=True)")
        if numpy is None:
            raise RuntimeError("trace() needs numpy")
        d = numpy.ascontiguousarray(directions, dtype="d").reshape(-1, 3)
        o = numpy.ascontiguousarray(numpy.broadcast_to(numpy.asarray(origins, dtype="d"), d.shape))
        out = numpy.empty((len(d), len(HIT_COLUMNS)))
        _tycho.scene_trace(self._scene, o.reshape(-1), d.reshape(-1), float(far), out.reshape(-1))
        return out

    def hide(self, instance):
        """Actions: takes an object, by its number in a picture's `instance`, out of sight for this frame."""
        _tycho.scene_hide(self._scene, instance)

    def lamp(self, place, power, direction=(0.0, 0.0, 0.0), inner=0.4, outer=0.5):
        """Actions: a lamp at a place [m] for this frame, power [W/sr]; with a direction a spot with these half angles [rad]."""
        _tycho.scene_lamp(self._scene, tuple(place), tuple(direction), power, inner, outer)

    def refine(self, place):
        """Actions: the ground is finest around this place [m] in this frame."""
        _tycho.scene_refine(self._scene, tuple(place))


def soil(function):
    """A soil model as a run calls it."""
    step = function if callable(function) else getattr(function, "step", None)
    if not callable(step):
        raise TypeError(f"a soil is a function of (wheels, dt), or an object with step(), not {function!r}")
    save, restore = getattr(function, "save", None), getattr(function, "restore", None)

    def call(what, *args):
        if what == "step":
            wheels, dt, forces = args
            answer = step(wheels.tolist() if numpy is None else numpy.asarray(wheels), dt)
            if answer is None:
                raise TypeError("a soil gives rows of fx, fy, fz and resistance, not None")
            if numpy is None:
                for i, row in enumerate(answer):
                    for k in range(4):
                        forces[i, k] = row[k]
            else:
                numpy.asarray(forces)[:] = answer
        elif what == "save":
            return save() if save else b""
        elif restore:
            restore(*args)

    return call


def action(function):
    """An action as a run calls it."""
    if not callable(function):
        raise TypeError(f"an action is a function, not {function!r}")
    return lambda shot, settings: function(Shot(shot), settings)


def sensor(kind):
    """A sensor as a run takes it."""
    if not isinstance(kind, Sensor):
        raise TypeError(f"a sensor is a tycho.Sensor, not {kind!r}")
    return kind._tuple()
