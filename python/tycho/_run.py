"""Runs: scenarios in motion."""

import json
import math
import os
import weakref

from . import _kinds, _tycho
from ._arrays import empty, numpy
from ._bar import bar
from ._ground import Ground
from ._picture import Camera, take
from ._scenario import Scenario, _plain

MODES = ("ackermann", "crab", "point", "skid")
WHEEL_COLUMNS = ("angle", "omega", "steer", "torque", "power", "sinkage", "slip", "slip_angle", "load", "fx", "fy", "contact")
_FOREVER = 2**62


def _finish(c, why):
    """At the interpreter's end, or when a run is forgotten: a record that is open becomes whole."""
    try:
        if not c.closed and c.recording:
            c.finish(why)
    except Exception:  # nobody is there to be told
        pass


def resume(folder, *, overview=True, realtime=False):
    """Goes on with a record that was stopped (Ctrl-C, finish() in the middle) from its last checkpoint to its end, to the same bytes as if it had never stopped. Needs a
    scenario of a file, and drivers of the scenario: what a program commanded is not in it. Returns why it ended."""
    return _tycho.resume(os.fspath(folder), overview, realtime)


def _filter(function):
    """A function of arrays as the run calls it: with a view of its own, text settings and the frame's number."""
    if not callable(function):
        raise TypeError(f"a filter is a function, not {function!r}")

    def call(view, settings, frame):
        array = view if numpy is None else numpy.asarray(view)
        answer = function(array, settings, frame)
        if answer is None or answer is array:
            return array
        if numpy is not None:
            answer = numpy.asarray(answer)
            if answer.shape != array.shape:
                raise ValueError(f"a filter gives what it got, {array.shape}, not {answer.shape}")
            answer = numpy.ascontiguousarray(answer, dtype=array.dtype)
        return answer

    return call


class Rover:
    """A rover of a run, as it stands now; run.rover is the first, run.rovers all of them."""

    def __init__(self, run, index, facts):
        self._run, self.index = weakref.proxy(run), index
        self.name, self.kind, self.mass = facts["name"], facts["kind"], facts["mass"]
        self.mounts, self.wheels, self.motors = facts["mounts"], facts["wheels"], facts["motors"]
        self._body = empty("d", 14)
        self._wheels = empty("d", len(self.wheels), 12)

    def state(self):
        """Everything as a dict: time [s], position [m], attitude, velocity [m/s], rates [rad/s] in its own frame, acceleration [m/s2],
        odometer [m], work_motor and work_soil [J]."""
        return self._run._c.state(self.index)

    def read(self):
        """The 14 numbers x, y, z, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz, odometer as an array that the next call writes over."""
        self._run._c.read(self.index, self._body, None)
        return self._body

    def read_wheels(self):
        """A row for each wheel with the columns tycho.Rover.wheel_columns, as an array that the next call writes over."""
        self._run._c.read(self.index, None, self._wheels)
        return self._wheels

    wheel_columns = WHEEL_COLUMNS

    def tools(self):
        """Its drums, blades and buckets, which soil of particles meets, a dict each: name, pose, force [N], torque [N m], power [W] and work [J] given to the soil, carried [kg],
        most [kg] so far."""
        return self._run._c.tools(self.index)

    def read_motors(self):
        """(angle [rad], rate [rad/s], torque [N m]) of each of self.motors."""
        return self._run._c.motors(self.index)

    @property
    def position(self):
        """x, y, z [m] of its origin."""
        return self.state()["position"]

    @property
    def attitude(self):
        """Unit quaternion, scalar first, from its frame (forward, left, up) to the site's."""
        return self.state()["attitude"]

    @property
    def velocity(self):
        """[m/s] east, north, up."""
        return self.state()["velocity"]

    @property
    def yaw(self):
        """[rad] heading, from east to the left."""
        w, x, y, z = self.attitude
        return math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))

    @property
    def tilt(self):
        """[rad] between its up and the site's."""
        w, x, y, z = self.attitude
        return math.acos(max(-1.0, min(1.0, 1 - 2 * (x * x + y * y))))

    @property
    def odometer(self):
        """[m] way so far."""
        return self.state()["odometer"]

    @property
    def slip(self):
        """[-] of each wheel."""
        wheels = self.read_wheels()
        return [float(wheels[i, 6]) for i in range(len(self.wheels))]

    @property
    def sunlit(self):
        """Share of the Sun's disk that its panels see."""
        return self._run._c.sunlight(self.index)

    def mount(self, name=""):
        """Position and attitude of a mount in the site's frame; '': of the rover itself."""
        return self._run._c.mount(self.index, name)

    def command(self, v=0.0, omega=0.0, mode="ackermann", crab=0.0):
        """As run.command()."""
        self._run.command(v, omega, mode, crab, rover=self.index)

    def motor(self, name, value):
        """Angle [rad] or speed [rad/s] of one of self.motors (arms, drums, masts), until the next."""
        self._run._c.motor(self.index, name, value)

    def __repr__(self):
        x, y, z = self.position
        return f"<tycho rover {self.name} ({self.kind}, {self.mass:.4g} kg) at {x:.3f}, {y:.3f}, {z:.3f} m>"


class Run:
    """A scenario in motion.

        with tycho.Run("viper_traverse", driver="external", duration=30, record="out/mine") as run:
            while not run.done:
                run.command(v=0.2, omega=0.05)
                run.advance(0.1)

    scenario: a Scenario, or what makes one; keyword arguments that are not named here are keys of it. driver: of every rover, over the
    scenario's ("external": this program, by command()). record: a folder for everything that `tycho run` writes. threads: of frames, 0
    stands for all processors. detail: cells along a ring of ground around each camera (256, 512, ...; 0 stands for 1024).
    filters: a dict of functions f(array, settings, frame) that sensors name, `filters: [{type: user, name: NAME, ...}]`: each gets an array of its own and gives one of
    the same shape, or changes it in place. sensors, soils, actions: likewise dicts of names and what a scenario means by {type: user, kind: NAME}, {model: user, user: NAME} and
    {type: user, name: NAME}: a tycho.Sensor; a function f(wheels, dt) of rows of tycho.SOIL_COLUMNS that gives rows of fx, fy, fz [N] and resistance [N m] (or an object with
    step(), and save() and restore() where it remembers something); a function f(shot, settings) that changes the scene before a frame. One thread at a time may use a run; other threads of Python go on while a step or a frame is made.
    """

    def __init__(self, scenario, settings=None, *, driver=None, record=None, threads=0, overlap=True, memory=0.0, detail=0, filters=None, sensors=None, soils=None,
                 actions=None, overview=True, mcap=True, video=False, checkpoint=0.0, realtime=False, **keys):
        self.scenario = Scenario(scenario, settings, **keys)
        if driver is not None:
            self.scenario.set({f"rovers.{i}.driver": {"type": driver} for i in range(len(self.scenario.rovers))})
        self._c = _tycho.Run(self.scenario._c, threads=threads, overlap=overlap, memory=memory, detail=detail,
                              **{what: {k: wrap(f) for k, f in given.items()} for what, wrap, given in
                                 (("filters", _filter, filters), ("sensors", _kinds.sensor, sensors), ("soils", _kinds.soil, soils), ("actions", _kinds.action, actions))
                                 if given})
        self._curve = None
        self.rovers = [Rover(self, i, f) for i, f in enumerate(self._c.rovers())]
        self._finalizer = weakref.finalize(self, _finish, self._c, "its program ended")
        if record is not None:
            self.record(record, overview=overview, mcap=mcap, video=video, checkpoint=checkpoint, realtime=realtime)

    # ---- time

    @property
    def time(self):
        """[s] since the start."""
        return self._c.time * 1e-9

    @property
    def time_ns(self):
        """[ns] since the start."""
        return self._c.time

    @property
    def done(self):
        """The scenario's duration is over, or an event of its `end_on` ended a run that is recorded."""
        return self._c.done

    @property
    def driving(self):
        """Some driver has more to do."""
        return self._c.driving

    def step(self, steps=1):
        """Makes steps of the dynamics; returns how many were made before the end."""
        return self._c.advance(int(steps), _FOREVER)

    def advance(self, seconds=None, progress=None):
        """Goes on by a time, or to the end. Returns the time [s] after it. Ctrl-C ends it between two steps; the run can go on. progress: a function of (what, done, total) in
        seconds, or True for tqdm's bar; the bits are the same."""
        if seconds is not None and not (0 <= seconds < 1e9):
            raise ValueError(f"seconds is {seconds!r}, but takes 0 to 1e9")
        until = _FOREVER if seconds is None else self._c.time + round(seconds * 1e9)
        if progress is None or progress is False:
            self._c.advance(_FOREVER, until)
            return self.time
        with bar(progress, "s") as tell:
            first, end = self._c.time, min(until, round(self.scenario.duration * 1e9))
            for k in range(1, 101):
                self._c.advance(_FOREVER, until if k == 100 else first + (end - first) * k // 100)
                tell("run", (self._c.time - first) * 1e-9, (end - first) * 1e-9)
        return self.time

    def drive(self, driver, seconds=None, period=0.1, rover=0):
        """Goes on with a driver of yours: driver(run) is called every `period` [s] and gives (v [m/s], omega [rad/s]), a dict of command()'s arguments, or None to end.
        Returns the time [s] after it."""
        if not callable(driver):
            raise TypeError(f"a driver is a function, not {driver!r}")
        if not 0 < period < 1e9:
            raise ValueError(f"period is {period!r}, but takes a time above 0 [s]")
        end = _FOREVER if seconds is None else self._c.time + round(seconds * 1e9)
        while not self._c.done and self._c.time < end:
            told = driver(self)
            if told is None:
                break
            if isinstance(told, dict):
                self.command(**{"rover": rover, **told})
            else:
                v, omega = told
                self.command(v, omega, rover=rover)
            self._c.advance(_FOREVER, min(end, self._c.time + max(1, round(period * 1e9))))
        return self.time

    # ---- rovers

    @property
    def rover(self):
        """The first rover."""
        if not self.rovers:
            raise ValueError("the scenario has no rover")
        return self.rovers[0]

    def command(self, v=0.0, omega=0.0, mode="ackermann", crab=0.0, rover=0):
        """Commands a rover whose driver is external from the next step on: v [m/s] forward, omega [rad/s] to the left; mode: ackermann, crab
        (along `crab` [rad]), point (turns on the spot) or skid. rover: its number or name."""
        if mode not in MODES:
            raise ValueError(f"mode is {mode!r}, but takes one of {', '.join(MODES)}")
        self._c.command(self._rover(rover), MODES.index(mode), v, omega, crab)

    def _rover(self, rover):
        if isinstance(rover, str):
            for r in self.rovers:
                if r.name == rover:
                    return r.index
            raise KeyError(f"there is no rover '{rover}', but {', '.join(r.name for r in self.rovers)}")
        return rover.index if isinstance(rover, Rover) else rover

    def add(self, things=None, **lists):
        """Puts rocks, objects or waiting rovers into the world between steps: run.add(rocks=[{"name": "stone", "at": [3, 0], "size": 0.4}])."""
        self._c.add("\n".join(f"{k}: {json.dumps(_plain(v), ensure_ascii=False)}" for k, v in {**(things or {}), **lists}.items()))

    def remove(self, name):
        """Takes an object, a rock or a rover without sensors away, by its name."""
        self._c.remove(name)

    @property
    def actors(self):
        """Where actors are now: by name, (position [m], attitude w x y z) in the site's frame; loose rocks are among them."""
        return self._c.actors()

    # ---- messages

    @property
    def sensors(self):
        """All sensors, one dict each: rover, name, kind, period, window, lag [s], messages so far."""
        return self._c.sensors()

    def newest(self, sensor, rover=""):
        """The newest message of a sensor; None before the first."""
        return self._c.newest(rover, sensor)

    def subscribe(self, callback, sensor="", rover="", states=False):
        """Calls callback(message) for every message of a sensor ('': of all) from now on, during the step in which it is due. An exception
        ends the call that made the step, with its traceback; a record is then finished first. states: also the clock, poses, wheels, edits
        of the ground and events that a record publishes. Returns a number for unsubscribe()."""
        return self._c.subscribe(callback, rover, sensor, states)

    def unsubscribe(self, number):
        """No more calls."""
        self._c.unsubscribe(number)

    def messages(self, sensor="", rover="", seconds=None):
        """Goes on, message by message: `for message in run.messages("navcam"): ...` steps the run until the next one is there. seconds: for this
        long; otherwise to the run's end."""
        end = _FOREVER if seconds is None else self._c.time + round(seconds * 1e9)
        number = self._c.subscribe(None, rover, sensor, False)
        try:
            while True:
                yield from self._c.take(number)
                if self._c.done or self._c.time >= end:
                    return
                self._c.advance(_FOREVER, end, True)
        finally:
            self._c.unsubscribe(number)

    # ---- pictures, ground, sky

    @property
    def ground(self):
        """The ground as it is now, ruts included."""
        return Ground(self._c)

    @property
    def sky(self):
        """Sun and Earth now, from the site's origin: a dict of dicts with direction, azimuth_deg, elevation_deg, distance, radius_deg."""
        return self._c.sky()

    def render(self, camera=None, *, mount=None, rover=0, behind=5.0, above=2.5, side=2.5, maps=(), samples=4, depth=1, threads=0, **view):
        """A Picture of how everything stands now. camera: a Camera; or mount: a mount of the rover to look from; or neither: from `behind`,
        `above` and to the `side` [m] of the rover, at it. Other arguments are a Camera's: width, height, hfov_deg, lens, ..."""
        if camera is None and mount is not None:
            p, q = self._c.mount(self._rover(rover), mount)
            w, x, y, z = q  # of forward, left, up; a camera's own axes are right, down, forward: turned by (1, -1, 1, -1) / 2
            q = (w + x - y + z, x - w - z - y, y - z + w + x, z + y + x - w)
            camera = Camera(p, attitude=[0.5 * v for v in q], **view)
        elif camera is None:
            r = self.rovers[self._rover(rover)]
            (x, y, z), yaw = r.position, r.yaw
            eye = (x - behind * math.cos(yaw) - side * math.sin(yaw), y - behind * math.sin(yaw) + side * math.cos(yaw))
            camera = Camera((*eye, max(z, self.ground.height(*eye)) + above), towards=(x, y, z), **view)
        elif view:
            raise TypeError(f"{', '.join(view)} belong to the Camera")
        return take(self._c.render, camera, maps, samples, depth, threads, 0, (), self._curve)

    def fix_tone(self):
        """From now on all pictures of this run have one tone curve, that of its recordings, so that they can be compared."""
        self._curve = self._c.tone()
        return self._curve

    # ---- checkpoints and records

    def save(self):
        """Everything that the run needs to go on with the same bits, as bytes; the same machine and build can restore it."""
        return self._c.save()

    def restore(self, saved):
        """Goes back, or on, to what save() kept of a run of the same scenario."""
        self._c.restore(saved)

    def record(self, folder=None, *, overview=True, mcap=True, video=False, checkpoint=0.0, realtime=False, overview_width=1200):
        """Records the run from its start into a new folder, with the files of `tycho run` (docs/run.md); None: out/NAME-N. finish(), close(), a
        `with` block or the program's end make it whole. Returns the folder."""
        return self._c.record(None if folder is None else os.fspath(folder), self.scenario.file, self.scenario.settings, mcap=mcap, video=video,
                              overview=overview, overview_width=overview_width, checkpoint=checkpoint, realtime=realtime)

    def finish(self, why="its program ended it"):
        """Writes what a record makes at its end; the run makes no more steps."""
        self._c.finish(why)

    @property
    def stats(self):
        """Where the time went, and what a record holds: a dict."""
        return self._c.stats()

    @property
    def notes(self):
        """Sentences that the record had for its user."""
        return list(self._c.notes)

    def close(self):
        """Finishes a record and frees everything; messages that are held stay valid."""
        self._c.close()

    @property
    def closed(self):
        """close() was called."""
        return self._c.closed

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if not self._c.closed and self._c.recording:
            self._c.finish("its program ended it" if kind is None else f"{kind.__name__} was raised")
        self.close()

    def __repr__(self):
        if self._c.closed:
            return "<tycho run, closed>"
        return f"<tycho run {self.scenario.name} at {self.time:.3f} s of {self.scenario.duration:g} s>"
