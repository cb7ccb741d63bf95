"""FMUs of Tycho by FMPy: valid, the same numbers as `tycho run` bit by bit, states, several instances, wrong use.

    test_fmu.py FOLDER    with own2.fmu own3.fmu (a driver of its own), told2.fmu told3.fmu (commands as inputs) and run/ of `tycho run`
"""

import ctypes
import os
import shutil
import sys
import unittest
import zipfile

import numpy as np
import fmpy
from fmpy import extract, read_model_description, simulate_fmu
from fmpy.fmi2 import FMU2Slave
from fmpy.fmi3 import FMU3Slave
from fmpy.validation import validate_fmu
from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory

room = sys.argv.pop(1)
STEP, END = 0.1, 1.0
V, OMEGA = 0.2, float.fromhex(os.environ["OMEGA"])  # as the run had them


def path(name):
    return os.path.join(room, name + ".fmu")


def recorded(run="run"):
    """What a run's recording has at each tenth of a second, as doubles."""
    out, imu, depth = {}, {}, []
    with open(os.path.join(room, run, "run.mcap"), "rb") as f:
        zero = None
        for schema, channel, message, data in make_reader(f, decoder_factories=[DecoderFactory()]).iter_decoded_messages():
            zero = message.log_time if channel.topic == "/clock" and zero is None else zero
            if channel.topic == "/viper/ground_truth/odom":
                p, q, v, w = data.pose.pose.position, data.pose.pose.orientation, data.twist.twist.linear, data.twist.twist.angular
                out[message.log_time] = [p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, w.x, w.y, w.z]
            elif channel.topic == "/viper/imu/data":
                a, w = data.linear_acceleration, data.angular_velocity
                imu[message.log_time] = [w.x, w.y, w.z, a.x, a.y, a.z]
            elif channel.topic == "/viper/eye/depth/image_raw":
                depth.append(np.frombuffer(bytes(data.data), "<f4").reshape(data.height, data.width))
    times = sorted(out)
    return [out[t] for t in times], [imu[t] for t in times if t in imu], depth


NAMES = ["viper." + n for n in "x y z qw qx qy qz speed wx wy wz".split()]
IMU = ["viper.imu." + n for n in "wx wy wz fx fy fz".split()]


folders = {}


def unpacked(name):
    folders[name] = folders.get(name) or extract(path(name), os.path.join(room, name))
    return folders[name]


class Slave:
    """An instance of either version, by names."""

    def __init__(self, name, start=None, instance="one", folder=None):
        self.about = read_model_description(path(name))
        self.folder = folder or unpacked(name)
        self.told = []
        log = lambda *args: self.told.append(args[-1].decode() if isinstance(args[-1], bytes) else str(args[-1]))
        self.third = self.about.fmiVersion == "3.0"
        kind = FMU3Slave if self.third else FMU2Slave
        self.fmu = kind(guid=self.about.guid, unzipDirectory=self.folder, modelIdentifier=self.about.coSimulation.modelIdentifier, instanceName=instance)
        self.ref = {v.name: v for v in self.about.modelVariables}
        if self.third:
            from fmpy.fmi3 import fmi3LogMessageCallback
            self.callback = fmi3LogMessageCallback(lambda env, status, category, message: self.told.append(message.decode()))
            self.fmu.instantiate(logMessage=self.callback)
        else:
            from fmpy.fmi2 import fmi2CallbackFunctions, fmi2CallbackLoggerTYPE, fmi2CallbackAllocateMemoryTYPE, fmi2CallbackFreeMemoryTYPE
            from fmpy import calloc, free
            self.callback = fmi2CallbackFunctions()
            self.callback.logger = fmi2CallbackLoggerTYPE(lambda env, n, status, category, message: self.told.append(category.decode()))
            self.callback.allocateMemory, self.callback.freeMemory = fmi2CallbackAllocateMemoryTYPE(calloc), fmi2CallbackFreeMemoryTYPE(free)
            self.fmu.instantiate(callbacks=self.callback)
        self.time = 0.0
        for key, value in (start or {}).items():
            self.set(key, value)
        if self.third:
            self.fmu.enterInitializationMode()
        else:
            self.fmu.setupExperiment()
            self.fmu.enterInitializationMode()
        self.fmu.exitInitializationMode()

    def set(self, name, value):
        v = self.ref[name]
        getattr(self.fmu, "set" + v.type)([v.valueReference], [value])

    def get(self, *names):
        out = []
        for name in names:
            v = self.ref[name]
            out.append(getattr(self.fmu, "get" + v.type)([v.valueReference])[0])
        return out

    def array(self, name):
        v = self.ref[name]
        shape = tuple(int(d.start) for d in v.dimensions)
        values = getattr(self.fmu, "get" + v.type)([v.valueReference], nValues=int(np.prod(shape)))
        return np.array(values).reshape(shape)

    def step(self, to, names=()):
        rows = []
        while self.time < to - 1e-9:
            self.fmu.doStep(currentCommunicationPoint=self.time, communicationStepSize=STEP)
            self.time = round(self.time + STEP, 9)
            rows.append(self.get(*names))
        return rows

    def close(self):
        self.fmu.terminate()
        self.fmu.freeInstance()


class Pid:
    """tests/fmu/pid.c by ctypes: it has not all the functions that FMPy wants."""

    NAMES = ["heading", "speed", "kp", "ki", "kd", "target", "cruise", "turn", "v"]

    def __init__(self, name, start):
        third = name.endswith("3")
        self.c = ctypes.CDLL(os.path.join(unpacked(name), "binaries", "x86_64-linux" if third else "linux64", "pid.so"))
        make = self.c.fmi3InstantiateCoSimulation if third else self.c.fmi2Instantiate
        make.restype = ctypes.c_void_p
        self.third = third
        self.at = ctypes.c_void_p(make(b"pid", b"{pid}", None, *[None] * 9) if third else make(b"pid", 1, b"{pid}", None, None, 0, 0))
        for key, value in start.items():
            self.set(key, value)

    def call(self, name, *args):
        if getattr(self.c, ("fmi3" if self.third else "fmi2") + name)(self.at, *args):
            raise RuntimeError(name)

    def set(self, name, value):
        ref, number = ctypes.c_uint32(self.NAMES.index(name)), ctypes.c_double(value)
        self.call("SetFloat64" if self.third else "SetReal", ctypes.byref(ref), ctypes.c_size_t(1), ctypes.byref(number), *[ctypes.c_size_t(1)] * self.third)

    def get(self, name):
        ref, number = ctypes.c_uint32(self.NAMES.index(name)), ctypes.c_double()
        self.call("GetFloat64" if self.third else "GetReal", ctypes.byref(ref), ctypes.c_size_t(1), ctypes.byref(number), *[ctypes.c_size_t(1)] * self.third)
        return number.value

    def step(self, t, h):
        flags = [ctypes.byref(ctypes.c_bool()) for _ in range(3)] + [ctypes.byref(ctypes.c_double())]
        self.call("DoStep", ctypes.c_double(t), ctypes.c_double(h), True, *flags[:4 * self.third])


class Fmu(unittest.TestCase):
    def test_valid(self):
        for name in ("own2", "own3", "told2", "told3", "pid2", "pid3"):
            self.assertEqual(validate_fmu(path(name)), [], name)

    def test_wrong_description_is_refused(self):
        for name in ("own2", "own3"):
            for old, new in (('causality="output"', 'causality="result"'), ("</ModelStructure>", ""), ('name="viper.y"', 'name="viper.x"'), (' unit="m"', ' unit="parsec"')):
                bad = os.path.join(room, "bad.fmu")
                with zipfile.ZipFile(path(name)) as z, zipfile.ZipFile(bad, "w") as out:
                    text = z.read("modelDescription.xml").decode()
                    self.assertIn(old, text)
                    out.writestr("modelDescription.xml", text.replace(old, new, 1))
                self.assertNotEqual(validate_fmu(bad), [], (name, old))

    def test_same_bits_as_a_run(self):
        truth, imu, _ = recorded()
        self.assertEqual(len(truth), 11)
        for name, start in (("own2", {}), ("own3", {}), ("told2", {"viper.v": V, "viper.omega": OMEGA}), ("told3", {"viper.v": V, "viper.omega": OMEGA})):
            result = simulate_fmu(unpacked(name), stop_time=END, step_size=STEP, output_interval=STEP, start_values=start, output=NAMES + IMU)
            rows = np.array([[r[n] for n in NAMES] for r in result])
            self.assertEqual(rows.shape, (11, len(NAMES)))
            self.assertEqual(rows.tolist(), truth, name)
            self.assertEqual([[r[n] for n in IMU] for r in result][-len(imu):], imu, name)
        other = simulate_fmu(unpacked("told3"), stop_time=END, step_size=STEP, output_interval=STEP, start_values={"viper.v": V, "viper.omega": OMEGA + 1e-15}, output=NAMES)
        self.assertNotEqual([list(r)[1:] for r in other], truth)  # the control: a last digit is seen

    def test_state(self):
        for name in ("told2", "told3"):
            start = {"viper.v": V, "viper.omega": OMEGA}
            a = Slave(name, start)
            a.step(0.5)
            state = a.fmu.getFMUState() if a.third else a.fmu.getFMUstate()
            rest = a.step(END, NAMES)
            a.set("viper.v", -V)
            a.time = 0.5
            (a.fmu.setFMUState if a.third else a.fmu.setFMUstate)(state)
            self.assertEqual(a.get("viper.v"), [V])  # inputs are part of it
            self.assertEqual(a.step(END, NAMES), rest, name)
            (a.fmu.setFMUState if a.third else a.fmu.setFMUstate)(state)
            a.set("viper.v", -V)
            a.time = 0.5
            self.assertNotEqual(a.step(END, NAMES), rest, name)
            data = a.fmu.serializeFMUState(state) if a.third else a.fmu.serializeFMUstate(state)
            b = Slave(name, {"terrain.seed": 77})  # another instance with other parameters goes on where the first one was
            b.step(0.2)
            again = b.fmu.deserializeFMUState(data) if b.third else b.fmu.deSerializeFMUstate(data)
            (b.fmu.setFMUState if b.third else b.fmu.setFMUstate)(again)
            b.time = 0.5
            self.assertEqual(b.step(END, NAMES), rest, name)
            damaged = bytearray(data)
            damaged[len(damaged) // 2] ^= 1
            with self.assertRaises(Exception):
                wrong = b.fmu.deserializeFMUState(bytes(damaged)) if b.third else b.fmu.deSerializeFMUstate(bytes(damaged))
                (b.fmu.setFMUState if b.third else b.fmu.setFMUstate)(wrong)
            for f, s in ((a, state), (b, again)):
                (f.fmu.freeFMUState if f.third else f.fmu.freeFMUstate)(s)
                f.close()

    def test_two_at_once(self):
        truth, _, _ = recorded()
        start = {"viper.v": V, "viper.omega": OMEGA}
        a, b, c = Slave("told3", start), Slave("told3", {"viper.v": -V}, "two"), Slave("told2", start)
        for k in range(10):
            rows = [f.step(STEP * (k + 1), NAMES)[0] for f in (a, b, c)]
            self.assertEqual(rows[0], truth[k + 1])
            self.assertEqual(rows[2], truth[k + 1])
        self.assertLess(rows[1][0], 0)
        for f in (a, b, c):
            f.close()

    def test_controller_as_fmu(self):
        """Rover and PID, both FMUs, joined here: the same as a run whose driver is the PID."""
        for name, controller in (("told3", "pid3"), ("told2", "pid2")):
            rover, pid = Slave(name), Pid(controller, {"target": 0.4, "kp": 0.8, "ki": 0.0})
            rows = [rover.get(*NAMES)]
            at = 0.0
            for k in range(50):
                end = 20 * k * 1e-3 + 0.02  # as a run has it
                pid.set("heading", rover.get("viper.yaw")[0])
                pid.set("speed", rover.get("viper.speed")[0])
                pid.step(at, end - at)
                at = end
                rover.set("viper.v", pid.get("v"))
                rover.set("viper.omega", pid.get("turn"))
                rover.fmu.doStep(currentCommunicationPoint=0.02 * k, communicationStepSize=0.02)
                if k % 5 == 4:
                    rows.append(rover.get(*NAMES))
            self.assertEqual(rows, recorded("pid")[0], name)
            rover.close()

    def test_parameters(self):
        rows = []
        for speed in (V, 0.5 * V):
            a = Slave("own3", {"rovers.0.driver.v": speed})
            rows.append(a.step(END, NAMES)[-1])
            self.assertEqual(a.get("rovers.0.driver.v"), [speed])
            a.close()
        self.assertEqual(rows[0], recorded()[0][-1])
        self.assertLess(rows[1][0], 0.9 * rows[0][0])
        a = Slave("own3")
        with self.assertRaises(Exception):
            a.set("rovers.0.driver.v", 0.1)
        self.assertIn("holds from there on", a.told[-1])
        a.fmu.reset()
        a.set("rovers.0.driver.v", 0.5 * V)
        a.fmu.enterInitializationMode()
        a.fmu.exitInitializationMode()
        a.time = 0.0
        self.assertEqual(a.step(END, NAMES)[-1], rows[1])
        a.close()

    def test_arrays(self):
        _, _, depth = recorded()
        a = Slave("told3", {"viper.v": V, "viper.omega": OMEGA})
        self.assertTrue(np.isnan(a.array("viper.eye.depth")).all())
        a.step(END)
        self.assertEqual(a.get("viper.eye.samples"), [len(depth)])
        own = a.array("viper.eye.depth").reshape(depth[-1].shape).astype("f4")  # as a recording has it
        seen = np.isfinite(own)  # the sky has no depth
        self.assertGreater(seen.sum(), 200)
        self.assertEqual(own[seen].tolist(), depth[-1][seen].tolist())
        a.close()

    def test_wrong_use(self):
        a = Slave("told3")
        for call, word in ((lambda: a.set("viper.x", 1.0), "output"), (lambda: a.set("viper.v", float("nan")), "finite"), (lambda: a.set("viper.mode", 9), "0 to 4"),
                           (lambda: a.fmu.getFloat64([99999]), "no variable"), (lambda: a.fmu.getInt32([a.ref["viper.x"].valueReference]), "another type"),
                           (lambda: a.fmu.doStep(currentCommunicationPoint=0.0, communicationStepSize=float("inf")), "not possible"),
                           (lambda: a.fmu.enterEventMode(), "cannot")):
            with self.assertRaises(Exception):
                call()
            self.assertIn(word, a.told[-1])
        a.close()
        with self.assertRaises(Exception):
            Slave("told3", {"soil.model": "mud"})
        folder = shutil.copytree(unpacked("told3"), os.path.join(room, "old"))
        with open(os.path.join(folder, "resources", "tycho.txt")) as f:
            text = f.read()
        with open(os.path.join(folder, "resources", "tycho.txt"), "w") as f:
            f.write(text.replace("0.1", "0.0", 1))  # of another version
        with self.assertRaises(Exception):
            Slave("told3", folder=folder)


if __name__ == "__main__":
    unittest.main()
