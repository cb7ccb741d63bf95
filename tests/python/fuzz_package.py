"""Random calls of the package tycho: whatever comes back, the process lives and a run that was never misused goes on. fuzz_package.py COUNT [SEED]"""

import faulthandler
import gc
import os
import random
import sys
import tempfile
import threading

import tycho
from test_package import small, start

faulthandler.enable()
count = int(sys.argv[1])
rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
allowed = (TypeError, ValueError, KeyError, IndexError, OverflowError, BufferError, OSError, RuntimeError, AttributeError, MemoryError, ReferenceError,
           ArithmeticError, tycho.Error)
work = tempfile.TemporaryDirectory()
raw = tycho._tycho


class Callback:
    """Reads, commands and raises, now and then."""

    def __init__(self, run):
        self.run = run

    def __call__(self, message):
        memoryview(message.part(0))
        if rng.random() < 0.2:
            self.run.command(rng.uniform(-0.2, 0.2), 0.0)
        if rng.random() < 0.05:
            raise ValueError("now and then")
        if rng.random() < 0.05:
            self.run.unsubscribe(rng.randrange(5))
        if rng.random() < 0.05:
            self.run.step()


def thing():
    """Something that a call may be handed."""
    k = rng.randrange(16)
    if k == 0:
        return None
    if k == 1:
        return rng.choice([0, 1, -1, 2**31, -2**63, 2**64, 2**200, True])
    if k == 2:
        return rng.choice([0.0, 1e-300, -1.5, 1e308, float("inf"), float("nan")])
    if k == 3:
        return rng.choice(["", "imu", "nav", "a", "absent", "x" * 5000, "\ud800", "a\0b", "ackermann", "2026-12-01T12:00:00"])
    if k == 4:
        return rng.choice([b"", b"abc", bytearray(rng.randrange(200)), memoryview(b"12345678").cast("d")])
    if k == 5:
        return [thing() for _ in range(rng.randrange(4))]
    if k == 6:
        return tuple(rng.uniform(-5, 5) for _ in range(rng.randrange(6)))
    if k == 7:
        return {rng.choice(["duration", "name", "x", 3]): rng.random()}
    if k == 8:
        return rng.choice([len, Callback, object(), int])
    if k == 9:
        return rng.choice(runs)
    if k == 10:
        return rng.choice(runs)._c
    if k == 11:
        return scenario._c
    if k == 12:
        return memoryview(bytearray(8 * rng.randrange(40))).cast("d")
    if k == 13:
        return rng.choice(kept) if kept else None
    return rng.randrange(-3, 40)


def attempt(f, *args, **keys):
    try:
        return f(*args, **keys)
    except allowed:
        return None


def call_anything():
    """A method or function of the package or of what it is made of, with anything."""
    owner = rng.choice([raw, tycho, rng.choice(runs), rng.choice(runs).rover, rng.choice(runs)._c, rng.choice(grounds), rng.choice(grounds)._c, scenario, scenario._c,
                        stage._c, rng.choice(kept) if kept else raw])
    name = rng.choice([n for n in dir(owner) if not n.startswith("__") and n not in ("Run", "Stage", "_finalizer", "devices", "sunlight", "scenario",
                                                                                   "copy", "_load", "_text", "settings", "path", "_c")])
    f = attempt(getattr, owner, name)
    if callable(f):
        attempt(f, *[thing() for _ in range(rng.randrange(7))])


def use(run):
    """What people do."""
    k = rng.randrange(14)
    if k == 0:
        attempt(run.advance, rng.choice([0.001, 0.01, 0.02]))
    elif k == 1:
        attempt(run.step, rng.randrange(3))
    elif k == 2:
        kept.append(attempt(run.newest, rng.choice(["imu", "nav"])) or b"")
    elif k == 3:
        attempt(run.subscribe, Callback(run), rng.choice(["imu", "nav", ""]))
    elif k == 4:
        for message in attempt(lambda: list(run.messages("imu", seconds=0.02))) or []:
            kept.append(message[0])
    elif k == 5:
        saved[:] = [attempt(run.save) or b""]
    elif k == 6 and saved:
        attempt(run.restore, saved[0] if rng.random() < 0.9 else saved[0][:rng.randrange(len(saved[0]) + 1)])
    elif k == 7:
        attempt(run.render, width=rng.randrange(0, 9), height=rng.randrange(1, 9), samples=1, maps=["all"])
    elif k == 8:
        t = threading.Thread(target=attempt, args=(run.advance, 0.005))
        t.start()
        attempt(run.step)
        t.join()
    elif k == 9:
        grounds.append(attempt(lambda: run.ground) or grounds[0])
        del grounds[1:-3]
    elif k == 10 and rng.random() < 0.3:
        attempt(run.close)
    elif k == 11 and rng.random() < 0.3:
        attempt(run.record, os.path.join(work.name, str(rng.random())), overview=False, mcap=rng.random() < 0.5)
    elif k == 12:
        attempt(run.command, rng.uniform(-1, 1), rng.uniform(-1, 1), rng.choice(["ackermann", "skid", "point", "crab"]))
    else:
        attempt(run.rover.read_wheels)


def answer(*args):
    """What a soil, a sensor or an action of somebody's gives, or does with what it is handed."""
    for shot in args:
        if isinstance(shot, tycho.Shot):
            kept.append(shot)
            attempt(rng.choice([shot.trace, shot.hide, shot.lamp, shot.refine]), *[thing() for _ in range(rng.randrange(4))])
    k = rng.randrange(6)
    if k == 0:
        raise ValueError("now and then")
    if k == 1:
        return [[0.0, 0.0, rng.uniform(0, 200), 0.0]] * 4
    return [0.0] if k < 4 else thing()


def own():
    """A run whose soil, sensor and action are whatever they are."""
    scenario = small(duration=0.3)
    if rng.random() < 0.5:
        scenario["soil"] = {"model": "user", "user": "own"}
    scenario["rovers"][0]["sensors"] = [{"type": "user", "kind": "own", "name": "mine", "period": 0.02},
                                        {"type": "camera", "name": "nav", "width": 8, "height": 8, "period": 0.05, "samples": 1, "actions": [{"type": "user", "name": "own"}]}]
    made = {"sensors": {"own": attempt(tycho.Sensor, answer, ["t"], scene=rng.random() < 0.5)}, "actions": {"own": answer}, "soils": {"own": answer}}
    if rng.random() < 0.2:
        made[rng.choice(list(made))] = thing()
    run = attempt(start, scenario, overlap=rng.random() < 0.5, **made)
    if run is not None:
        use(run)
        attempt(run.advance, 0.06)
        use(run)


scenario = tycho.Scenario(small(duration=0.3))
runs, kept, saved = [start(scenario) for _ in range(3)], [], []
grounds, stage = [tycho.Ground(scenario)], tycho.Scene(scenario, detail=256)
made = 0
for i in range(count):
    call_anything() if rng.random() < 0.5 else use(rng.choice(runs))
    if i % 50 == 49:
        own()
    if rng.random() < 0.02 or attempt(lambda: runs[0].done):
        k = rng.randrange(3) if not attempt(lambda: runs[0].done) else 0
        runs[k] = attempt(start, scenario, overlap=rng.random() < 0.5) or runs[k]
        made += 1
    del kept[:-30]
    if i % 500 == 0:
        gc.collect()
good = start(scenario)
good.advance()
assert good.newest("imu").sequence == 29, good.newest("imu")
print(f"{count} calls, {made} runs made on the way")
