"""Actors moved by FMUs (tests/fmu/kite.c): they stand where the FMU says, told by the rover; saved and restored; of both versions.

    test_actors.py FOLDER    with own.yaml, kite2.fmu and kite3.fmu
"""

import math
import os
import sys
import unittest

import tycho

room = sys.argv.pop(1)
PERIOD, RADIUS, RATE = 0.02, 2.5, 0.5
KITE = {"name": "kite", "fmu": "kite3.fmu", "size": [0.2, 0.1, 0.1], "connect": {"north": "viper.y", "east": "viper.x"}, "set": {"radius": RADIUS, "rate": RATE, "height": 3}}


def run(**keys):
    return tycho.Run(os.path.join(room, "own.yaml"), {"actors": [{**KITE, **keys}], "rovers.0.sensors": []}, duration=10)


class Actors(unittest.TestCase):
    def test_circles(self):
        """At each turn the FMU has seen the rover as it was a turn before."""
        r, seen = run(), None
        for k in range(60):
            (x, y, z), q = r.actors["kite"]
            turned = RATE * PERIOD * k
            if seen:
                want = seen[0] + RADIUS * math.cos(turned), seen[1] + RADIUS * math.sin(turned), 3
                self.assertLess(math.dist((x, y, z), want), 1e-12)
                yaw = 2 * math.atan2(q[3], q[0])
                self.assertLess(abs(math.remainder(yaw - turned - math.pi / 2, 2 * math.pi)), 1e-12)
            seen = r.rover.position
            r.advance(PERIOD)
        self.assertGreater(r.rover.odometer, 0.1)
        # between turns: straight on
        a = r.actors["kite"][0]
        r.advance(PERIOD / 2)
        b = r.actors["kite"][0]
        r.advance(PERIOD / 2)
        c = r.actors["kite"][0]
        self.assertLess(math.dist([(u + v) / 2 for u, v in zip(a, c)], b), 1e-12)
        # the control: an FMU that sees nothing of the rover stands elsewhere
        alone = run(connect={}, set={**KITE["set"], "north": 0, "east": 0})
        alone.advance(r.time)
        self.assertGreater(math.dist(alone.actors["kite"][0], c), 0.1)

    def test_versions_and_states(self):
        r, other = run(), run(fmu="kite2.fmu")
        r.advance(0.5)
        kept = r.save()
        r.advance(0.51)
        other.advance(1.01)
        after = r.actors["kite"], r.rover.position
        self.assertEqual((other.actors["kite"], other.rover.position), after)
        r.restore(kept)
        self.assertNotEqual(r.actors["kite"], after[0])
        r.advance(0.51)
        self.assertEqual((r.actors["kite"], r.rover.position), after)

    def test_in_the_way(self):
        """One that passes through the rover's place pushes it: what an FMU moves is solid."""
        way = {"connect": {}, "on_ground": True, "set": {"north": 0, "east": 3, "radius": 2, "rate": 1, "height": 0.8}}
        free, met = run(size=[0.5, 0.5, 0.4], **way, hidden=True), run(size=[0.5, 0.5, 0.4], **way)
        for r in (free, met):
            r.advance(3)
        self.assertGreater(math.dist(free.rover.position, met.rover.position), 0.01)

    def test_refused(self):
        def said(pattern, **keys):
            with self.assertRaisesRegex(tycho.Error, pattern):
                run(**keys)
        said("actor 'kite', FMU .*kite3.fmu: its input 'north' is nothing that a rover tells", connect={})
        said("connect sends an output to 'wings'", connect={**KITE["connect"], "z": "wings"})
        said("set names 'mass'", set={"mass": 1})
        said("which cannot be opened .*an FMU", fmu="none.fmu")
        said("has no output x, y, z", fmu="pid3.fmu", connect={"heading": "viper.yaw", "speed": "viper.speed"}, set={"target": 0})
        said("is about an FMU, but the actor has none", fmu="")


if __name__ == "__main__":
    unittest.main()
