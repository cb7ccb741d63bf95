"""The package tycho: the same bits as from C, arrays without copies, wrong use without a crash. Run by tests/cli/package.sh."""

import ctypes
import gc
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import unittest

import tycho

try:
    import numpy as np
except ImportError:
    np = None

ROOT = os.environ.get("TYCHO_SOURCE", os.getcwd())
PROGRAM = os.environ.get("TYCHO", "build/tycho")


def small(**more):
    """A rover with a camera and an IMU on simple ground: made in a tenth of a second."""
    return dict({"version": 1, "name": "small", "start_utc": "2026-12-01T12:00:00", "site": {"lat_deg": -84, "lon_deg": 222.7}, "duration": 0.5,
                 "terrain": {"extent": 500, "seed": 3, "relief": {"rms_slope_deg": 3, "baseline": 5, "outer": 200}, "craters": {"enabled": False},
                             "rocks": {"enabled": False}},
                 "rovers": [{"name": "a", "model": os.path.join(ROOT, "models/rovers/ex1.yaml"), "driver": {"type": "external"},
                             "sensors": [{"type": "camera", "name": "nav", "width": 32, "height": 24, "period": 0.1, "samples": 1},
                                         {"type": "imu", "name": "imu", "period": 0.01}]}]}, **more)


def start(*args, **keys):
    """A run of it, whose frames see coarse ground: a tenth of the time."""
    return tycho.Run(*args, detail=256, **keys)


def folder_files(folder):
    """Every file of a run's folder, but timing.json and the part of the report that is made of it."""
    out = {}
    for base, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(base, name)
            with open(path, "rb") as f:
                data = f.read()
            if name == "report.html":
                start, end = data.find(b"<!-- timing -->"), data.find(b"<!-- /timing -->")
                data = data[:start] + data[end:]
            if name != "timing.json":
                out[os.path.relpath(path, folder)] = data
    return out


class SameAsC(unittest.TestCase):
    def setUp(self):
        self.work = tempfile.TemporaryDirectory()
        self.addCleanup(self.work.cleanup)

    def test_a_folder_byte_by_byte(self):
        import json
        scenario = small()
        scenario["rovers"][0]["driver"] = {"type": "constant", "v": 0.1}
        path = os.path.join(self.work.name, "s.yaml")
        with open(path, "w") as f:
            json.dump(scenario, f)
        example = os.path.join(os.path.dirname(PROGRAM), "examples", "record_run")
        c, python, other = (os.path.join(self.work.name, n) for n in ("c", "python", "other"))
        subprocess.run([example, "--no-overview", path, c, "terrain.seed=4"], check=True, timeout=120)
        with tycho.Run(path, {"terrain.seed": 4}, record=python, overview=False) as run:
            seen = []
            run.subscribe(lambda m: seen.append(m[0]), "nav")
            while not run.done:
                run.advance(0.1)
        a, b = folder_files(c), folder_files(python)
        self.assertEqual(sorted(a), sorted(b))
        self.assertEqual([n for n in a if a[n] != b[n]], [])
        self.assertIn("run.mcap", a)
        self.assertEqual(len(seen), 6)
        stopped = os.path.join(self.work.name, "stopped")
        with tycho.Run(path, {"terrain.seed": 4}, record=stopped, overview=False) as run:
            run.advance(0.23)
        self.assertNotEqual(folder_files(stopped)["run.mcap"], a["run.mcap"])
        tycho.resume(stopped, overview=False)
        b = folder_files(stopped)
        self.assertEqual([n for n in a if a[n] != b.get(n)], [])
        with self.assertRaises(tycho.Error):
            tycho.resume(stopped)
        with tycho.Run(path, {"terrain.seed": 5}, record=other, overview=False) as run:  # control
            run.advance()
        self.assertNotEqual(folder_files(other)["a/telemetry.csv" if "a/telemetry.csv" in a else "telemetry.csv"],
                            a["a/telemetry.csv" if "a/telemetry.csv" in a else "telemetry.csv"])

    def test_formulas_as_the_program_has_them(self):
        rows = [(0.2 + 0.1 * i, 10.0 * i, 70.0 - 9.0 * i) for i in range(7)]
        table = "w,b,c,i_deg,e_deg\n" + "".join(f"{w!r},0.3,0.2,{i!r},{e!r}\n" for w, i, e in rows)
        out = subprocess.run([PROGRAM, "eval", "hapke"], input=table, capture_output=True, text=True, check=True, timeout=60).stdout.split("\n")
        names = out[0].split(",")
        want = [[float(v) for v in line.split(",")] for line in out[1:-1]]
        got = tycho.evaluate("hapke", w=[r[0] for r in rows], b=0.3, c=0.2, i_deg=[r[1] for r in rows], e_deg=[r[2] for r in rows])
        self.assertEqual(list(got), names)
        for k, name in enumerate(names):
            self.assertEqual(list(got[name]), [row[k] for row in want])
        one = tycho.evaluate("wheel", load=100.0, slip=0.2)
        self.assertAlmostEqual(one["fz"], 100.0, delta=1e-6)
        self.assertEqual(one, tycho.evaluate("wheel", load="100", slip=0.2))

    @unittest.skipIf(np is None, "numpy is not installed")
    def test_tools(self):
        """The soil bin against the formula of one wheel and Bekker's law by hand; a score whose error is known; a data set that is told, not made."""
        rig = tycho.wheel_rig([0.1, 0.3], load=176.0, settings={"lambda": 1.0})
        want = tycho.evaluate("wheel", load=176.0, slip=[0.1, 0.3])
        for a, b in (("fx", "fx"), ("torque", "torque"), ("sinkage", "h")):
            np.testing.assert_allclose(rig[a], want[b], rtol=1e-6)
        self.assertGreater(abs(rig["fx"][0] - rig["fx"][1]), 1.0)  # control
        p = tycho.plate_pressure([0.01, 0.02], b=0.1)
        np.testing.assert_allclose(p, (1400.0 / 0.1 + 8.2e5) * np.array([0.01, 0.02]), rtol=1e-9)
        s = tycho.plate_shear([0.0178, 1.0], normal=5000.0)
        tau = 170.0 + 5000.0 * np.tan(np.radians(35.0))
        np.testing.assert_allclose(s, [tau * (1 - np.exp(-1.0)), tau], rtol=1e-6)
        truth = np.full((4, 6), 5.0, np.float32)
        self.assertAlmostEqual(tycho.score_depth(truth, truth * 1.02)["der"], 0.02, places=6)
        self.assertFalse(tycho.score_depth(truth, truth * 1.2)["success"])
        spec = sorted(f for f in os.listdir(os.path.join(ROOT, "datasets")) if f.endswith(".yaml"))[0]
        self.assertGreater(tycho.dataset(os.path.join(ROOT, "datasets", spec))["pairs"], 0)
        for f in (lambda: tycho.wheel_rig([2.0]), lambda: tycho.wheel_rig([0.1], model="absent"), lambda: tycho.wheel_rig([0.1], soil="absent"), lambda: tycho.wheel_rig([0.1], wheel={"x": 1}),
                  lambda: tycho.score_depth(truth, truth[1:]), lambda: tycho.dataset("absent.yaml"), lambda: tycho.score_boxes("a", "b")):
            with self.assertRaises((tycho.Error, ValueError, TypeError)):
                f()

    def test_save_and_restore(self):
        def hashes(run):
            return [m.hash() for m in run.messages()]

        with start(small()) as run:
            run.command(v=0.1)
            run.advance(0.2)
            saved = run.save()
            first = hashes(run)
            run.restore(saved)
            self.assertEqual(round(run.time, 9), 0.2)
            self.assertEqual(hashes(run), first)
            with start(small()) as twin:
                for rubbish in (b"", b"rubbish", saved[:-1], saved[:99] + bytes([saved[99] ^ 1]) + saved[100:]):
                    with self.assertRaises((tycho.Error, ValueError)):
                        twin.restore(rubbish)
                twin.restore(saved)  # none of them harmed it
                self.assertEqual(hashes(twin), first)
                twin.restore(saved)
                twin.command(v=-0.1)  # control
                self.assertNotEqual(hashes(twin), first)

    def test_scenarios(self):
        import pickle
        s = tycho.Scenario("viper_traverse", {"rovers.0.driver": {"type": "external"}, "rovers.0.sensors": []}, duration=3)
        self.assertEqual((s.duration, s.rovers[0]["driver"], s.rovers[0]["sensors"]), (3.0, "external", []))
        point = {"points": [{"x": 1, "y": 2}]}
        for driver in ({"type": "stand"}, {"type": "constant", "v": 0.1}, {"type": "waypoints", **point}, {"type": "avoid", **point},
                       {"type": "follow", "leader": "one"}, {"type": "formation", "leader": "one", "left": 1.5}):
            rovers = tycho.Scenario("cadre", {"rovers.1.driver": driver}).rovers
            self.assertEqual([r["driver"] for r in rovers], ["avoid", driver["type"], "avoid"])
        again = pickle.loads(pickle.dumps(s))
        self.assertEqual((again.settings, again.duration), (s.settings, 3.0))
        self.assertEqual(s.copy().set({"terrain.seed": 77}).seed, 77)
        self.assertNotEqual(s.seed, 77)
        for name in tycho.Scenario.shipped():
            try:
                tycho.Scenario(name)
            except tycho.FileError:  # a raster that is fetched by hand
                pass
        with tycho.Run("viper_traverse", {"rovers.0.sensors": []}, driver="external", duration=3, detail=256) as run:
            run.command(v=0.2)
            run.advance(0.01)

    def test_the_sentence_is_the_programs(self):
        path = os.path.join(self.work.name, "bad.yaml")
        with open(path, "w") as f:
            f.write("version: 1\nduration: -3\n")
        said = subprocess.run([PROGRAM, "check", path], capture_output=True, text=True, timeout=60)
        with self.assertRaises(tycho.RangeError) as caught:
            tycho.Scenario(path)
        self.assertIn(str(caught.exception), said.stderr)
        self.assertIsInstance(caught.exception, ValueError)
        self.assertEqual(caught.exception.status, "TY_ERR_RANGE")
        with self.assertRaises(OSError):
            tycho.Scenario(os.path.join(self.work.name, "absent.yaml"))


class Arrays(unittest.TestCase):
    @unittest.skipIf(np is None, "numpy is not installed")
    def test_addresses(self):
        with start(small()) as run:
            seen = []

            def look(message):
                for part in message:
                    array = message[part]
                    seen.append(array.ctypes.data == run._c.address("a", message.sensor, part))
                    self.assertNotEqual(array.copy().ctypes.data, array.ctypes.data)

            run.subscribe(look)
            run.advance(0.3)
            self.assertEqual(len(seen), sum(seen))
            self.assertGreater(len(seen), 30)
            image = run.newest("nav")["image"]
            self.assertEqual((image.shape, image.dtype), ((24, 32), np.float32))
            self.assertFalse(image.flags.writeable)
            with self.assertRaises(ValueError):
                image[0, 0] = 1
            with self.assertRaises(TypeError):
                ctypes.c_char.from_buffer(run.newest("nav").part("image"))

    def test_a_view_kept_stays_what_it_was(self):
        run = start(small())
        kept = []
        for message in run.messages():
            view = memoryview(message.part(0))
            kept.append((view, bytes(view)))
        run.close()
        del run, message
        gc.collect()
        self.assertEqual(len(kept), 6 + 50)
        for view, was in kept:
            self.assertEqual(bytes(view), was)
        images = [was for view, was in kept if view.ndim == 2]
        self.assertEqual(len(images), 6)

    def test_kept_across_a_restore(self):
        with start(small()) as run:
            run.command(v=0.1)
            run.advance(0.1)
            saved = run.save()
            run.advance(0.2)
            newest = run.newest("imu")
            view, was = memoryview(newest.part(0)), bytes(memoryview(newest.part(0)))
            run.restore(saved)
            run.advance(0.3)
            self.assertEqual(bytes(view), was)

    @unittest.skipUnless(os.environ.get("TYCHO_LONG"), "a measurement: the long form")
    def test_the_loop_costs_little(self):
        """10 s with a command every 0.1 s, by Python, against one call; CPU time, the best of three."""
        def cost(each):
            with start(small(duration=1000.0), {"rovers.0.sensors.0.period": 1000, "rovers.0.sensors.1.period": 50}, overlap=False, threads=1) as run:
                best = float("inf")
                for _ in range(3):
                    begin = time.process_time()
                    for _ in range(round(10 / each)):
                        run.command(v=0.1)
                        run.advance(each)
                    best = min(best, time.process_time() - begin)
                return best

        whole, loop = cost(10.0), cost(0.1)
        print(f"one call {whole:.3f} s, loop {loop:.3f} s", file=sys.stderr)
        self.assertLess(0.9 * loop, whole)

    @unittest.skipIf(np is None, "numpy is not installed")
    def test_filters(self):
        scenario = small()
        sensors = scenario["rovers"][0]["sensors"]
        with start(scenario) as run:
            run.advance(0.1)
            plain = run.newest("nav")["image"]
        sensors[0]["filters"] = [{"type": "user", "name": "twice", "by": 3}, {"type": "user", "name": "flip"}]
        seen = []

        def twice(image, settings, frame):
            seen.append((dict(settings), frame))
            image *= float(settings["by"])  # in place

        for overlap in (False, True):
            with start(scenario, filters={"twice": twice, "flip": lambda a, s, n: a[:, ::-1]}, overlap=overlap) as run:
                run.advance(0.1)
                np.testing.assert_array_equal(run.newest("nav")["image"], (plain * np.float32(3))[:, ::-1])
        self.assertEqual((seen[1][1], seen[0][0]["by"]), (1, "3"))

        def breaks(image, settings, frame):
            if frame == 2:
                raise ZeroDivisionError("in a filter")

        for wrong, error in ((breaks, ZeroDivisionError), (lambda a, s, n: a[:2], ValueError), (lambda a, s, n: "x", ValueError)):
            with start(scenario, filters={"twice": wrong, "flip": wrong}) as run:
                with self.assertRaises(error):
                    run.advance(0.4)
        with self.assertRaises(tycho.InputError):  # nobody brings it
            start(scenario, filters={"twice": twice})
        with self.assertRaises(TypeError):
            start(scenario, filters={"twice": 3, "flip": 4})

    def test_drivers_and_progress(self):
        one, two, told = start(small()), start(small()), []
        one.drive(lambda run: (0.1, 0.2), seconds=0.2, period=0.05)
        two.command(0.1, 0.2)
        two.advance(0.2, progress=lambda what, done, total: told.append((done, total)))
        self.assertEqual((one.time, one.rover.state()), (two.time, two.rover.state()))
        self.assertEqual((len(told), told[-1]), (100, (0.2, 0.2)))
        calls = []
        one.drive(lambda run: calls.append(run.time) or (None if len(calls) > 2 else {"v": -0.1, "mode": "skid"}))
        self.assertEqual([round(t, 6) for t in calls], [0.2, 0.3, 0.4])
        two.drive(lambda run: (0.0, 0.0), seconds=0.2)
        self.assertNotEqual(one.rover.state(), two.rover.state())  # control: told otherwise
        for wrong in ("fast", lambda run: (1,), lambda run: 3, lambda run: {"w": 1}):
            with self.assertRaises((TypeError, ValueError)):
                two.drive(wrong)
        with self.assertRaises(ValueError):
            two.drive(lambda run: (0, 0), period=0)
        if np is not None:
            self.assertEqual(one.newest("nav")._repr_png_()[1:4], b"PNG")
            self.assertIsNone(one.newest("imu")._repr_png_())

    def test_messages(self):
        with start(small()) as run:
            messages = list(run.messages("imu", seconds=0.105))
            self.assertEqual([m.sequence for m in messages], list(range(len(messages))))
            self.assertEqual(len(messages), 10)
            m = messages[3]
            self.assertEqual((m.rover, m.sensor, m.schema, m.kind), ("a", "imu", "imu", "sensor"))
            self.assertEqual([c[0] for c in m.columns], ["wx", "wy", "wz", "fx", "fy", "fz"])
            self.assertEqual(m.end, 40_000_000)
            self.assertEqual(list(m), list(m.parts))
            with self.assertRaises(KeyError):
                m["absent"]
            with self.assertRaises(KeyError):
                m[99]
            with self.assertRaises(KeyError):
                next(run.messages("absent"))
            for message in run.messages("imu"):  # left in the middle: nothing waits for a reader that is gone
                break
            run.advance(0.2)

    def test_pictures_and_ground(self):
        with start(small()) as run:
            p = run.render(width=64, height=48, maps=["all"], samples=1)
            kinds = {tycho.Picture.classes[k] for k in bytes(memoryview(p.kind).cast("B"))}
            self.assertTrue({"ground", "rover"} <= kinds, kinds)
            self.assertEqual(p._repr_png_()[:4], b"\x89PNG")
            eye = (3.0, 2.0, run.ground.height(3.0, 2.0) + 1.5)
            down = run.render(tycho.Camera(eye, elevation_deg=-90, width=3, height=3, hfov_deg=1), maps=["depth"], samples=1)
            self.assertAlmostEqual(float(memoryview(down.depth)[1, 1]), 1.5, delta=2e-3)
            still = tycho.Scene(small(), detail=256).render(tycho.Camera(eye, elevation_deg=-90, width=3, height=3, hfov_deg=1), maps=["depth"], samples=1)
            self.assertAlmostEqual(float(memoryview(still.depth)[1, 1]), 1.5, delta=2e-3)
            with self.assertRaises(tycho.InputError):
                run.render(tycho.Camera((3.0, 2.0, eye[2] - 3.0), width=4, height=4))
        g = tycho.Ground(small())
        heights, xs, ys = g.grid(1.0, -2.0, size=2.0, spacing=0.1)
        self.assertAlmostEqual(float(memoryview(heights)[3, 5]), g.height(xs[5], ys[3], spacing=0.1), delta=1e-5)
        self.assertEqual(len(tycho.Ground(small()).rocks()), 0)
        lat, lon, h = g.place(*g.point(-84.01, 222.7, 5.0))
        self.assertAlmostEqual(lat, -84.01, places=9)
        self.assertTrue(0.0 <= g.sunlit(0, 0) <= 1.0)

    def test_sky(self):
        one = tycho.sky("2024-08-12T00:00:00", -87.2, 62.8)
        row = tycho.evaluate("sky", utc="2024-08-12T00:00:00", lat_deg=-87.2, lon_deg=62.8)
        self.assertAlmostEqual(one["sun_el_deg"], row["sun_el_deg"], places=10)
        self.assertEqual(len(tycho.sky("2024-08-12", -87.2, 62.8, 3600.0, 5)["irradiance"]), 5)


class WrongUse(unittest.TestCase):
    def test_types(self):
        s = tycho.Scenario(small())
        run = start(s)
        wrong = [lambda: tycho.Run(3), lambda: tycho.Run(s, threads="x"), lambda: tycho.Run(s, threads=-5), lambda: run.step("x"),
                 lambda: run.advance(-1), lambda: run.advance(float("nan")), lambda: run.command("x"), lambda: run.command(mode="fly"),
                 lambda: run.command(v=float("nan")), lambda: run.command(rover=9), lambda: run.command(rover="b"), lambda: run.newest(3),
                 lambda: run.newest("absent"), lambda: run.subscribe(3), lambda: run.newest(None),
                 lambda: run.rover.motor("absent", 0.0), lambda: run.rover.mount("absent"), lambda: run.render(7), lambda: run.render(width=0),
                 lambda: run.render(width=10**6), lambda: run.render(maps=["absent"]), lambda: run.render(lens="absent"),
                 lambda: tycho.Scenario({"version": 1, "x": object()}), lambda: tycho.Scenario(None), lambda: s.set(absent=1),
                 lambda: s.set({"duration": object()}), lambda: tycho.evaluate("absent"), lambda: tycho.evaluate("wheel", absent=1),
                 lambda: tycho.evaluate("hapke", w=[1, 2], i_deg=[1, 2, 3], e_deg=0, b=0, c=0), lambda: tycho.evaluate("hapke", w=float("nan"), b=0, c=0, i_deg=0, e_deg=0),
                 lambda: tycho.sky("yesterday", 0, 0), lambda: tycho.sky("2024-01-01", 100, 0), lambda: run.ground.height([1, 2], [1]),
                 lambda: run.ground.rocks(size=-1), lambda: run.ground.grid(size=1e9), lambda: run._c.read(0, bytearray(3), None), lambda: run._c.read(0, b"x" * 112, None),
                 lambda: run._c.restore(3), lambda: run._c.advance(), lambda: run._c.record(), lambda: run.finish(), lambda: type(run.newest("imu"))(),
                 lambda: tycho._tycho.eval("wheel", 5, [], []), lambda: tycho.check("absent.yaml"), lambda: run._c.advance(1, 2**70)]
        run.advance(0.02)
        for i, f in enumerate(wrong):
            with self.subTest(i), self.assertRaises((TypeError, ValueError, KeyError, IndexError, OverflowError, BufferError, OSError, tycho.Error)):
                f()
        run.advance(0.02)  # it is as good as before
        self.assertEqual(s.duration, 0.5)
        with self.assertRaises(tycho.InputError):
            run.restore(b"x" * 1000)
        run.advance(0.01)  # and now, too
        run.close()

    def test_closed(self):
        run = start(small())
        run.advance(0.05)
        rover, ground, message = run.rover, run.ground, run.newest("imu")
        run.close()
        run.close()
        for f in (lambda: run.step(), lambda: run.time, lambda: run.command(), lambda: run.newest("imu"), lambda: run.save(), lambda: run.render(),
                  lambda: rover.position, lambda: ground.height(0, 0), lambda: run.sensors, lambda: run.stats, lambda: list(run.messages())):
            with self.assertRaises(ValueError):
                f()
        self.assertEqual(len(memoryview(message.part(0))), 6)
        self.assertTrue(run.closed)
        del run
        gc.collect()
        with self.assertRaises(ReferenceError):
            rover.position

    def test_threads(self):
        """In the middle of one call, others go on (the lock is given away), but cannot use the run."""
        run = start(small(duration=1e6))
        inside, stop, said, counted = threading.Event(), threading.Event(), [], [0]

        class Stop(Exception):
            pass

        def look(message):
            inside.set()
            if stop.is_set():
                raise Stop

        def other():
            inside.wait(60)
            for f in (lambda: run.step(), lambda: run.command(), lambda: run.close(), lambda: run.rover.position, lambda: run.ground.height(0, 0)):
                try:
                    f()
                    said.append("nothing")
                except RuntimeError as e:
                    said.append(str(e))
            while counted[0] < 20:
                counted[0] += 1
                time.sleep(0.001)
            stop.set()

        run.subscribe(look, "imu")
        thread = threading.Thread(target=other)
        thread.start()
        with self.assertRaises(Stop):
            run.advance()
        thread.join()
        self.assertEqual(len(said), 5)
        self.assertTrue(all("thread" in s for s in said), said)
        self.assertEqual(counted[0], 20)
        run.close()

    def test_inside_a_callback(self):
        with start(small()) as run:
            said = []

            def look(message):
                run.command(v=0.1)
                said.append(run.rover.position)
                run.ground.height(0.0, 0.0)
                for f in (run.step, run.save, run.close, run.render, lambda: list(run.messages())):
                    try:
                        f()
                    except RuntimeError as e:
                        said.append(e)

            number = run.subscribe(look, "imu")
            run.advance(0.02)
            self.assertEqual(len(said), 12)
            run.unsubscribe(number)
            run.advance(0.02)
            self.assertEqual(len(said), 12)

    def test_fork(self):
        run = start(small())
        run.advance(0.02)
        child = os.fork()
        if not child:
            code = 0
            for f in (run.step, lambda: run.time, lambda: tycho.Run(small()), lambda: tycho.Ground(small())):
                try:
                    f()
                    code = 1
                except RuntimeError as e:
                    code |= 0 if "fork" in str(e) else 2
            run.close()
            del run
            gc.collect()
            os._exit(code)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        run.advance(0.02)
        run.close()


class Ends(unittest.TestCase):
    def setUp(self):
        self.work = tempfile.TemporaryDirectory()
        self.addCleanup(self.work.cleanup)

    def whole(self, folder, why):
        with open(os.path.join(folder, "summary.json")) as f:
            self.assertIn(why, f.read())
        with open(os.path.join(folder, "report.html")) as f:
            self.assertIn("</html>", f.read()[-200:])
        with open(os.path.join(folder, "run.mcap"), "rb") as f:
            self.assertEqual(f.read()[-8:], b"\x89MCAP0\r\n")

    def test_a_callback_that_raises(self):
        folder = os.path.join(self.work.name, "raised")
        run = start(small(), record=folder, overview=False)

        def breaks(message):
            if message.sequence == 12:
                raise ZeroDivisionError("by the callback")

        run.subscribe(breaks, "imu")
        try:
            run.advance()
            self.fail("nothing was raised")
        except ZeroDivisionError as e:
            text = "".join(traceback.format_exception(e))
        self.assertIn("in breaks", text)
        self.whole(folder, "a callback raised an exception")
        self.assertAlmostEqual(run.time, 0.13, places=6)
        with self.assertRaises(ValueError):
            run.step()
        self.assertEqual(len(run.rover.position), 3)
        run.close()

    def test_states(self):
        """What is no sensor's comes to those who ask for it, as a record publishes it."""
        seen, plain = {}, []
        with start(small(), record=os.path.join(self.work.name, "states"), overview=False) as run:
            run.subscribe(lambda m: seen.setdefault(m.kind, []).append((m.rover, m[0], m.columns)), states=True)
            run.subscribe(lambda m: plain.append(m.kind), "imu")
            run.command(v=0.1)
            run.advance()
            at = run.rover.position
        self.assertTrue({"sensor", "clock", "pose", "wheels"} <= set(seen), set(seen))
        self.assertEqual(set(plain), {"sensor"})
        rover, pose, columns = seen["pose"][-1]
        self.assertEqual((rover, [c[0] for c in columns][:3]), ("a", ["x", "y", "z"]))
        self.assertEqual(tuple(memoryview(pose))[:3], at)

    def test_left_open(self):
        folder = os.path.join(self.work.name, "left")
        program = ("import sys, json, tycho; run = tycho.Run(json.loads(sys.argv[1]), record=sys.argv[2], overview=False, detail=256); run.advance(0.1); 1 / 0")
        import json
        done = subprocess.run([sys.executable, "-c", program, json.dumps(small()), folder], capture_output=True, text=True, timeout=120)
        self.assertIn("ZeroDivisionError", done.stderr)
        self.whole(folder, "its program ended")

    def test_ctrl_c(self):
        folder = os.path.join(self.work.name, "stopped")
        program = ("import sys, json, tycho\nrun = tycho.Run(json.loads(sys.argv[1]), record=sys.argv[2], overview=False, detail=256)\n"
                   "print('on', flush=True)\ntry:\n    with run: run.advance()\nexcept KeyboardInterrupt: print('stopped', run.closed, flush=True)")
        import json
        with subprocess.Popen([sys.executable, "-c", program, json.dumps(small(duration=1e5)), folder], stdout=subprocess.PIPE, text=True) as p:
            self.assertEqual(p.stdout.readline(), "on\n")
            time.sleep(0.3)
            start = time.time()
            p.send_signal(signal.SIGINT)
            self.assertEqual(p.stdout.readline(), "stopped True\n")
            self.assertLess(time.time() - start, 30)
            self.assertEqual(p.wait(60), 0)
        self.whole(folder, "KeyboardInterrupt was raised")


if __name__ == "__main__":
    unittest.main()
