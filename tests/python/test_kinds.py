"""Soil models, sensors, actions written in Python; the soil laboratory; tools; things that come and go. Run by tests/cli/package.sh."""

import json
import math
import os
import subprocess
import sys
import tempfile
import threading
import traceback
import unittest

import numpy as np
import tycho
from test_package import PROGRAM, ROOT, small, start

COLUMN = {n: i for i, n in enumerate(tycho.SOIL_COLUMNS)}
BED = 4e5


def winkler(bed=BED):
    """examples/user_soil.c in numpy: an elastic bed with Coulomb friction."""
    def step(wheels, dt):
        at = {n: wheels[:, i] for n, i in COLUMN.items()}
        h, r = np.maximum(at["sinkage"], 0), at["radius"]
        k = bed * at["width"] * 2 * np.sqrt(np.maximum(2 * r * h - h * h, 0))
        slide = at["v_x"] - at["rolling_radius"] * at["omega"]
        speed = np.maximum(np.hypot(slide, at["v_y"]), 0.02)
        fz = np.maximum(k * h + 1.4 * np.sqrt(k * at["weight"] / 1.62) * at["sinking"], 0)
        fx = -0.6 * fz * slide / speed
        return np.stack([fx, -0.6 * fz * at["v_y"] / speed, fz, fx * at["rolling_radius"]], axis=1)
    return step


def stands(**more):
    """ex1 on a soil of the program's, without sensors."""
    scenario = small(duration=3, soil={"model": "user", "user": "own"}, **more)
    scenario["terrain"]["relief"]["rms_slope_deg"] = 0
    scenario["rovers"][0]["sensors"] = []
    return scenario


class Hardens:
    """A soil that remembers: it grows stiffer with every step."""

    def __init__(self):
        self.steps = 0

    def step(self, wheels, dt):
        self.steps += 1
        return winkler(BED * (1 + 1e-3 * self.steps))(wheels, dt)

    def save(self):
        return self.steps.to_bytes(8, "little")

    def restore(self, saved):
        self.steps = int.from_bytes(saved, "little")


class Soil(unittest.TestCase):
    def test_stands_as_its_law_says(self):
        deep = {}
        for bed in (BED, 2 * BED):  # the second is the control
            run = start(stands(), soils={"own": winkler(bed)})
            run.advance(2)
            w = run.rover.read_wheels()
            for i, wheel in enumerate(run.rover.wheels):
                load, h, r, b = w[i, 8], w[i, 5], wheel["radius"], wheel["width"]
                self.assertAlmostEqual(load / (bed * b * 2 * math.sqrt(2 * r * h - h * h) * h), 1, delta=0.02)
                self.assertGreater(abs(load / (1.5 * bed * b * 2 * math.sqrt(2 * r * h - h * h) * h) - 1), 0.1)
            self.assertAlmostEqual(sum(w[:, 8]), run.rover.mass * run.scenario.gravity, delta=0.02 * run.rover.mass)
            deep[bed] = w[0, 5]
            run.close()
        self.assertGreater(deep[BED], 1.2 * deep[2 * BED])

    def test_saved_with_the_run(self):
        run = start(stands(), soils={"own": Hardens()})
        run.command(v=0.1)
        run.advance(0.3)
        saved, seen = run.save(), []
        for _ in range(2):
            run.advance(0.3)
            seen.append((run.rover.position, run.rover.attitude))
            run.restore(saved)
        self.assertEqual(*seen)
        hard = Hardens()
        run = start(stands(), soils={"own": lambda w, dt: hard.step(w, dt)})  # control: nothing is saved
        run.advance(0.3)
        saved, seen = run.save(), []
        for _ in range(2):
            run.advance(0.3)
            seen.append(run.rover.position)
            run.restore(saved)
        self.assertNotEqual(*seen)

    def test_what_goes_wrong(self):
        def divide():
            return 1 / 0

        def late(wheels, dt):
            if made:
                divide()
            return winkler()(wheels, dt)
        made = []
        run = start(stands(), soils={"own": late})
        made.append(run)
        try:
            run.advance(1)
            self.fail("nothing was raised")
        except ZeroDivisionError as e:
            self.assertIn("divide", [f.name for f in traceback.extract_tb(e.__traceback__)])
        for answer, error in ((np.full((4, 4), np.nan), tycho.NumericError), (np.zeros((3, 4)), ValueError), (None, TypeError), ("no", ValueError)):
            with self.assertRaises(error):
                start(stands(), soils={"own": lambda w, dt: answer}).advance(0.01)
        with self.assertRaises(tycho.InputError):
            start(stands(), soils={"other": winkler()})
        for wrong in (3, {"own": 3}, {3: winkler()}, {"": winkler()}, {"x" * 64: winkler()}):
            with self.assertRaises((TypeError, AttributeError)):
                start(stands(), soils=wrong)


def with_sensor(**keys):
    scenario = small()
    scenario["rovers"][0]["sensors"] = [dict({"type": "user", "kind": "own", "name": "mine", "period": 0.1}, **keys)]
    return scenario


class Sensor(unittest.TestCase):
    def test_a_row_of_numbers(self):
        told = []

        def read(shot, settings):
            told.append(shot)
            return [shot.time, float(settings["gain"]) * shot.position[2]]
        run = start(with_sensor(settings={"gain": 2}), sensors={"own": tycho.Sensor(read, {"time": "s", "height": "m"})})
        run.command(v=0.1)
        rows = [(m.time, *m[0].ravel()) for m in run.messages("mine")]
        self.assertEqual(len(rows), 6)
        self.assertEqual([r[0] for r in rows], [r[1] for r in rows])
        self.assertEqual(run.newest("mine").columns, (("time", "s"), ("height", "m")))
        self.assertAlmostEqual(rows[-1][2], 2 * run.rover.position[2], delta=1e-3)
        self.assertAlmostEqual(sum(v * v for v in told[0].sun), 1)
        self.assertTrue(1300 < told[0].irradiance < 1450)
        with self.assertRaises(ValueError):
            told[0].trace((0, 0, 1), [(0, 0, -1)])

    def test_rays_and_images(self):
        kept = []

        def look(shot, settings):
            kept.append(shot)
            x, y = np.meshgrid(np.linspace(-1, 1, 8), np.linspace(-1, 1, 6))
            hit = shot.trace(np.array(shot.position) + (0, 0, 3.0), np.stack([0.1 * x.ravel(), 0.1 * y.ravel(), -np.ones(48)], 1))
            return hit[:, 0].reshape(6, 8)
        run = start(with_sensor(), sensors={"own": tycho.Sensor(look, shape=(6, 8), scene=True)})
        run.advance(0.2)
        image = run.newest("mine")["image"]
        self.assertEqual((image.shape, image.dtype), ((6, 8), np.float32))
        self.assertTrue(((image > 2) & (image < 4)).all(), image)
        with self.assertRaises(ValueError):  # the frame is made
            kept[0].trace((0, 0, 1), [(0, 0, -1)])
        run.close()
        self.assertTrue((image > 2).all())

    def test_recorded(self):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "run")
            with start(with_sensor(), sensors={"own": tycho.Sensor(lambda shot, s: [shot.time], ["t"])}, record=out, overview=False) as run:
                run.advance()
            with open(os.path.join(out, "samples", "mine.csv")) as f:
                lines = f.read().split("\n")
        self.assertEqual(len([line for line in lines[1:] if line]), 6)

    def test_what_goes_wrong(self):
        def boom(shot, settings):
            raise KeyError("boom")
        for scene in (False, True):
            for overlap in (False, True):
                run = start(with_sensor(), sensors={"own": tycho.Sensor(boom, ["t"], scene=scene)}, overlap=overlap)
                with self.assertRaises(KeyError):
                    run.advance(0.3)
                run.close()
        for bad in (lambda s, k: [1, 2], lambda s, k: "text", lambda s, k: None):
            with self.assertRaises((ValueError, TypeError)):
                start(with_sensor(), sensors={"own": tycho.Sensor(bad, ["t"])}).advance(0.3)
        for args in ((3, ["t"]), (boom,), (boom, ["t"], {"shape": (2, 2)}), (boom, None, {"shape": (0, 2)})):
            keys = args[2] if len(args) > 2 else {}
            with self.assertRaises((TypeError, ValueError)):
                tycho.Sensor(*args[:2], **keys)
        with self.assertRaises(TypeError):
            start(with_sensor(), sensors={"own": boom})

    def test_rays_that_are_none(self):
        def look(shot, settings):
            for origin, direction, far in (((0, 0, 1), (0, 0, 0), 1), ((math.nan, 0, 1), (0, 0, 1), 1), ((0, 0, 1), (0, 0, 1), -1)):
                try:
                    shot.trace(origin, [direction], far)
                except ValueError:
                    continue
                raise AssertionError("taken")
            return [0]
        start(with_sensor(), sensors={"own": tycho.Sensor(look, ["t"], scene=True)}).advance(0.1)


class Action(unittest.TestCase):
    def scenario(self):
        scenario = small(objects=[{"type": "sphere", "name": "ball", "radius": 0.5, "position": [3, 0, 0.5], "on_ground": True}])
        scenario["rovers"][0]["sensors"] = [{"type": "camera", "name": "nav", "width": 32, "height": 24, "period": 0.1, "samples": 1, "maps": ["depth", "instances"], "actions": [{"type": "user", "name": "own", "what": "ball"}]}]
        return scenario

    def test_hide_and_lamp(self):
        plain = start(self.scenario(), actions={"own": lambda shot, settings: None})
        plain.advance(0.2)
        ids, counts = np.unique(plain.newest("nav")["instance"], return_counts=True)
        objects = [int(i) for i in ids if 0 < i < 2**30]
        self.assertTrue(objects, ids)
        told = []

        def hide(shot, settings):
            told.append(settings["what"])
            for i in objects:
                shot.hide(i)
        run = start(self.scenario(), actions={"own": hide})
        run.advance(0.2)
        self.assertFalse(set(objects) & set(np.unique(run.newest("nav")["instance"]).tolist()))
        self.assertEqual(set(told), {"ball"})
        lit = start(self.scenario(), actions={"own": lambda shot, settings: shot.lamp((2, 0, 3), 1e4)})
        lit.advance(0.2)
        self.assertGreater(lit.newest("nav")["image"].mean(), 1.2 * plain.newest("nav")["image"].mean())

    def test_what_goes_wrong(self):
        def boom(shot, settings):
            raise RuntimeError("boom")
        for wrong, error in ((boom, RuntimeError), (lambda s, k: s.hide(7777), tycho.Error), (lambda s, k: s.hide("x"), TypeError),
                             (lambda s, k: s.lamp((0, 0, 1), -1), ValueError), (lambda s, k: s.refine((math.inf, 0, 0)), ValueError)):
            with self.assertRaises(error):
                start(self.scenario(), actions={"own": wrong}).advance(0.2)


class Rest(unittest.TestCase):
    def test_things_come_and_go(self):
        run = start(small())
        run.add(rocks=[{"name": "stone", "at": [3, 0], "size": 0.4}])
        run.advance(0.1)
        self.assertTrue(any(abs(r[0] - 3) < 1e-6 for r in run.ground.rocks(3, 0, 2, d_min=0.1)))
        run.remove("stone")
        with self.assertRaises(tycho.InputError):
            run.remove("stone")
        with self.assertRaises(tycho.Error):
            run.add(rocks=[{"at": "nowhere"}])

    def test_tools_and_motors(self):
        run = start(dict(small(), rovers=[{"name": "r", "model": os.path.join(ROOT, "models/rovers/rassor.yaml"), "driver": {"type": "external"}}]))
        run.rover.motor("arm_front", 0.2)
        run.advance(0.5)
        names = [m["name"] for m in run.rover.motors]
        self.assertGreater(run.rover.read_motors()[names.index("arm_front")][0], 0.05)
        self.assertEqual([t["name"] for t in run.rover.tools()], ["front_drum", "rear_drum"])

    def test_laboratory(self):
        """The same numbers as the program; Ctrl-C and wrong keys."""
        keys = {"spacing": 0.03, "seconds": 0.05, "aspect": 1.0}
        got = tycho.bed("collapse", **keys)
        with tempfile.TemporaryDirectory() as folder:
            told = subprocess.run([PROGRAM, "bed", "collapse", "--quiet", "-o", folder, *[a for k, v in keys.items() for a in ("--set", f"{k}={v}")]],
                                  check=True, capture_output=True, timeout=100)
            with open(os.path.join(folder, "series.csv")) as f:
                rows = [[float(v) for v in line.split(",")] for line in f.read().split("\n")[1:] if line]
        told = json.loads(told.stdout)
        self.assertEqual(told["particles"], got["particles"])
        np.testing.assert_allclose(got["series"], rows, rtol=1e-5, atol=1e-12)
        self.assertEqual(got["positions"].shape, (got["particles"], 3))
        self.assertIn("collapse", tycho.beds())
        other = tycho.bed("collapse", settings={"soil.mu_s": 0.3, "soil.mu_2": 0.3}, **keys)  # control
        self.assertFalse(np.array_equal(other["series"], got["series"]))
        with self.assertRaises(KeyError):
            tycho.bed("collapse", colour=3)
        with self.assertRaises(ValueError):
            tycho.bed("pudding")
        with self.assertRaises(TypeError):
            tycho.bed("collapse", spacing="fine")
        with self.assertRaises(tycho.RangeError):
            tycho.bed("collapse", spacing=-1)

        def stop(what, done, total):
            raise KeyboardInterrupt
        with self.assertRaises(KeyboardInterrupt):
            tycho.bed("collapse", progress=stop, **keys)

    def test_threads_with_soils_of_their_own(self):
        def drive(out):
            run = start(stands(), soils={"own": winkler()})
            run.command(v=0.1)
            run.advance(0.3)
            out.append(run.rover.position)
        out = []
        threads = [threading.Thread(target=drive, args=(out,)) for _ in range(3)]
        for t in threads:
            t.start()
        for t in threads:
            t.join(60)
        self.assertEqual(len(out), 3)
        self.assertEqual(len(set(out)), 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
