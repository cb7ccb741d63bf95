"""Cameras, and what they see."""

import math
import os
import tempfile

from . import _tycho
from ._arrays import empty, numpy
from ._scenario import Scenario

CLASSES = ("sky", "ground", "rock", "rover", "object", "rut")
_ARRAYS = {"radiance": "f", "sunlit": "f", "z": "d", "range": "d", "normal": "f", "albedo": "f", "instance": "I", "kind": "B"}


def _png(image):
    """8-bit rows as bytes of a PNG file."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "p.png")
        _tycho.write_png(path, image.shape[1], image.shape[0], 1, image)
        with open(path, "rb") as f:
            return f.read()


def message_png(message):
    """A camera's message shows itself in a notebook: its first part that is a picture, from its darkest to its brightest pixel."""
    for name in message.parts if numpy is not None else ():
        part = numpy.asarray(message[name])
        if part.ndim == 2 and min(part.shape) > 1 and part.dtype.kind in "fiu" and message.columns is None:
            good = numpy.isfinite(part)
            low, high = (float(part[good].min()), float(part[good].max())) if good.any() else (0.0, 1.0)
            scaled = numpy.where(good, (part - low) / ((high - low) or 1.0), 1.0)
            return _png(numpy.ascontiguousarray((255 * scaled).round(), dtype="B"))
    return None


class Camera:
    """A camera at a place: Camera((x, y, z), azimuth_deg=90, elevation_deg=-10, width=640, height=480, hfov_deg=60).

    Azimuth counts from north over east. towards=(x, y, z) looks at a place instead. lens: pinhole, fisheye, spherical, fov or brown with
    distortion=(k1, k2, k3, p1, p2). attitude: unit quaternion of the camera's axes (x right, y down, z forward), instead of angles.
    """

    def __init__(self, position=(0.0, 0.0, 2.0), azimuth_deg=0.0, elevation_deg=0.0, roll_deg=0.0, *, towards=None, attitude=None, width=640,
                 height=480, hfov_deg=60.0, lens="pinhole", distortion=(0.0, 0.0, 0.0, 0.0, 0.0)):
        self.position = tuple(float(v) for v in position)
        if towards is not None:
            d = [float(b) - a for a, b in zip(self.position, towards)]
            azimuth_deg = math.degrees(math.atan2(d[0], d[1]))
            elevation_deg = math.degrees(math.atan2(d[2], math.hypot(d[0], d[1])))
        if attitude is None:
            attitude = _tycho.look(math.radians(azimuth_deg), math.radians(elevation_deg), math.radians(roll_deg))
        self.attitude = tuple(float(v) for v in attitude)
        self.width, self.height, self.hfov_deg = width, height, hfov_deg
        self.lens, self.distortion = lens, tuple(float(v) for v in distortion)
        if len(self.position) != 3 or len(self.attitude) != 4 or len(self.distortion) != 5:
            raise ValueError("a camera has 3 numbers of position, 4 of attitude, 5 of distortion")

    def __repr__(self):
        return f"<tycho camera {self.width} x {self.height}, {self.lens} of {self.hfov_deg:g} deg, at {self.position}>"


class Picture:
    """What a camera saw: arrays of its size, rows from the top.

    radiance [W/m2/sr], depth along the axis and range along the ray [m] (infinite: sky), normal (x, y, z), albedo, sunlit (0 shadow, 1
    light), kind (index into Picture.classes) and instance of what each pixel shows; those that were not asked for are None.
    """

    classes = CLASSES

    def __init__(self, camera, arrays, curve=None):
        self.camera, self.curve = camera, curve
        self.radiance, self.sunlit, self.depth = arrays["radiance"], arrays["sunlit"], arrays["z"]
        self.range, self.normal, self.albedo = arrays["range"], arrays["normal"], arrays["albedo"]
        self.instance, self.kind = arrays["instance"], arrays["kind"]

    def image(self):
        """The picture in 8 bits, for eyes: white is what the brightest sunlit ground gives, or what the run's tone curve says."""
        if self.radiance is None:
            raise ValueError("the picture was made without radiance")
        out = empty("B", self.camera.height, self.camera.width)
        self.curve = _tycho.tone(self.radiance, self.kind, self.curve, out)
        return out

    def save(self, path):
        """Writes the 8-bit picture as a PNG file; returns the path."""
        _tycho.write_png(path, self.camera.width, self.camera.height, 1, self.image())
        return path

    def _repr_png_(self):
        return _png(self.image())

    def __repr__(self):
        return f"<tycho picture of {self.camera.width} x {self.camera.height}>"


def take(render, camera, maps, samples, depth, threads, seed=0, before=(), curve=None):
    """Calls a render method with arrays for what is wanted."""
    if not isinstance(camera, Camera):
        raise TypeError(f"a picture needs a tycho.Camera, not {camera!r}")
    names = {"depth": "z"}
    want = {"radiance", "kind"} | {names.get(m, m) for m in maps}
    if "all" in want:
        want = set(_ARRAYS)
    if want - set(_ARRAYS):
        raise ValueError(f"maps are radiance, sunlit, depth, range, normal, albedo, instance, kind or all, not {sorted(want - set(_ARRAYS))}")
    w, h = int(camera.width), int(camera.height)
    if not (1 <= w <= 32768 and 1 <= h <= 32768):
        raise ValueError(f"a picture of {w} x {h} pixels; both take 1 to 32768")
    arrays = {k: (empty(f, h, w, 3) if k == "normal" else empty(f, h, w)) if k in want else None for k, f in _ARRAYS.items()}
    render(*before, w, h, math.radians(camera.hfov_deg), camera.lens, camera.position, camera.attitude, camera.distortion, samples, depth, 0, threads,
           seed, **arrays)
    return Picture(camera, arrays, curve)


class Scene:
    """The ground, objects, lamps and sky of a scenario, without its rovers: pictures of any place and time of it."""

    def __init__(self, scenario, threads=0, detail=0, **keys):
        """detail: cells along a ring of ground around the camera, 256, 512, ...; 0: 1024. Other keyword arguments are keys of the scenario."""
        self.scenario = Scenario(scenario, **keys)
        self._c = _tycho.Stage(self.scenario._c, threads=threads, detail=detail)

    def render(self, camera, seconds=0.0, maps=(), samples=4, depth=1, threads=0, seed=0):
        """A Picture by a Camera, `seconds` after the scenario's start. maps: more arrays ('depth', 'normal', ..., 'all'); samples: rays per
        pixel; depth: surfaces that a path of light may visit."""
        return take(self._c.render, camera, maps, samples, depth, threads, seed, (float(seconds),))
