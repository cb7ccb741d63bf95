"""tycho.gym: Gymnasium's own checks, the same episode for the same seed whoever steps it, all modes of autoreset, wrong tasks. Run by tests/cli/gym.sh."""

import json
import os
import shutil
import sys
import tempfile
import unittest
import warnings

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import tycho
import tycho.gym

TASKS = os.path.join(os.path.dirname(tycho.gym.__file__), "tasks")


def short(folder, **changes):
    """The climb with episodes of three steps."""
    with open(os.path.join(TASKS, "climb.toml")) as f:
        text = f.read()
    text = text.replace("time = 120.0", "time = 0.6").replace("period = 1.0", "period = 0.2").replace("../../share", tycho.share())
    for old, new in changes.items():
        text = text.replace(old, new)
    with open(os.path.join(TASKS, "climb.yaml")) as f:
        scenario = f.read().replace("../../share", tycho.share())
    for name, content in (("climb.yaml", scenario), ("short.toml", text)):
        with open(os.path.join(folder, name), "w") as f:
            f.write(content)
    return os.path.join(folder, "short.toml")


def same(a, b):
    return a.keys() == b.keys() and all(np.array_equal(a[k], b[k]) for k in a)


class Gym(unittest.TestCase):
    def setUp(self):
        self.work = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.work)

    def test_gymnasiums_checks(self):
        for name in tycho.gym.TASKS:
            with self.subTest(name), warnings.catch_warnings():
                warnings.simplefilter("error")
                env = gymnasium.make(name, render_mode="rgb_array")
                check_env(env.unwrapped, skip_close_check=True)
                env.reset(seed=1)
                self.assertEqual(env.render().shape, (200, 320, 3))
                env.close()

    def episode(self, env, seed, actions):
        obs, info = env.reset(seed=seed)
        out = [(obs, 0.0, False, False, info)]
        for action in actions:
            out.append(env.step(action))
            if out[-1][2] or out[-1][3]:
                break
        return out

    def test_the_same_seed(self):
        task = short(self.work, **{"time = 0.6": "time = 5.0"})
        actions = np.random.default_rng(0).uniform(-1, 1, (5, 3, 2)).astype(np.float32)
        env = tycho.gym.TychoEnv(task)
        want = [self.episode(env, 10 + i, actions[:, i]) for i in range(3)]
        again = self.episode(env, 11, actions[:, 1])
        self.assertTrue(all(same(a[0], b[0]) and a[1:] == b[1:] for a, b in zip(want[1], again)))
        other = self.episode(env, 99, actions[:, 1])  # control
        self.assertFalse(same(want[1][1][0], other[1][0]))
        env.close()
        for threads in (1, 2):
            envs = tycho.gym.TychoVectorEnv(3, task, threads=threads)
            obs, infos = envs.reset(seed=10)
            for t in range(6):
                for i in range(3):
                    self.assertTrue(same({k: v[i] for k, v in obs.items()}, want[i][t][0]), (threads, t, i))
                if t < 5:
                    obs, rewards, terminations, truncations, infos = envs.step(actions[t])
                    self.assertEqual(list(rewards), [want[i][t + 1][1] for i in range(3)])
                    self.assertEqual(list(infos["distance"]), [want[i][t + 1][4]["distance"] for i in range(3)])
            envs.close()

    def test_autoreset_as_gymnasium_does_it(self):
        """Against gymnasium's SyncVectorEnv over single environments, mode by mode, over the ends of episodes."""
        task = short(self.work)
        actions = np.random.default_rng(1).uniform(-1, 1, (9, 2, 2)).astype(np.float32)
        for mode in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP):
            ours = tycho.gym.TychoVectorEnv(2, task, threads=2, autoreset_mode=mode)
            theirs = SyncVectorEnv([lambda: tycho.gym.TychoEnv(task)] * 2, autoreset_mode=mode)
            self.assertEqual(ours.observation_space, theirs.observation_space)
            self.assertEqual(ours.metadata["autoreset_mode"], mode)
            a, b = ours.reset(seed=5), theirs.reset(seed=5)
            self.assertTrue(same(a[0], b[0]))
            ends = 0
            for action in actions:
                a, b = ours.step(action), theirs.step(action)
                self.assertTrue(same(a[0], b[0]), mode)
                for k in (1, 2, 3):
                    np.testing.assert_array_equal(a[k], b[k])
                self.assertEqual(sorted(a[4]), sorted(b[4]))
                np.testing.assert_array_equal(a[4]["distance"], b[4]["distance"])
                if "final_obs" in a[4]:
                    self.assertTrue(all(same(x, y) for x, y in zip(a[4]["final_obs"], b[4]["final_obs"])))
                ends += int(a[3].sum())
            self.assertGreaterEqual(ends, 4)
            ours.close()
            theirs.close()

    def test_no_autoreset(self):
        envs = tycho.gym.TychoVectorEnv(2, short(self.work), threads=1, autoreset_mode=AutoresetMode.DISABLED, copy=False)
        obs, _ = envs.reset(seed=3)
        for _ in range(3):
            after, _, _, truncations, _ = envs.step(np.ones((2, 2), np.float32))
        self.assertIs(after, obs)  # no copy
        self.assertTrue(truncations.all())
        with self.assertRaises(RuntimeError):
            envs.step(np.ones((2, 2), np.float32))
        before = {k: v[1].copy() for k, v in obs.items()}
        envs.reset(options={"reset_mask": np.array([True, False])})
        self.assertTrue(same({k: v[1] for k, v in obs.items()}, before))
        with self.assertRaises(RuntimeError):  # the second is still over
            envs.step(np.ones((2, 2), np.float32))
        envs.reset(seed=3)
        envs.step(np.ones((2, 2), np.float32))
        envs.close()

    def test_goal_and_other_ends(self):
        env = tycho.gym.TychoEnv(short(self.work, **{"distance = [6.0, 10.0]": "distance = [0.55, 0.55]", "time = 0.6": "time = 30.0", "azimuth_deg = [-20.0, 20.0]": "azimuth_deg = [0.0, 0.0]",
                                                     "uniform = [60.0, 120.0]": "uniform = [90.0, 90.0]", "uniform = [0.0, 18.0]": "uniform = [0.0, 0.0]"}))
        env.reset(seed=1)
        done, paid = False, 0.0
        while not done:
            _, reward, done, truncated, info = env.step(np.array([1, 0], np.float32))
            self.assertFalse(truncated)
            paid += reward
        self.assertEqual((info["end"], info["is_success"]), ("goal", True))
        self.assertGreater(paid, 9.0)
        with self.assertRaises(RuntimeError):
            env.step(np.array([1, 0], np.float32))
        env.close()
        rocks = tycho.gym.TychoEnv("traverse")
        rocks.reset(seed=2)
        rover = rocks.core.agents[0]
        near = rocks.core.agents[0].rocks[0]
        gap = rover._gap(np.array([[*rover.start, 0.1, 0.1], [rover.start[0] + 30, rover.start[1], 0.5, 0.5]]))
        self.assertEqual(gap[0], 0.0)
        self.assertAlmostEqual(gap[1], 30 - 0.25, delta=1.3)
        self.assertEqual(len(near), 4)
        rocks.close()

    def test_digging(self):
        """RASSOR digs and lifts by hand-made rules; threads give the same; a rover that only stands gets nothing."""
        with open(os.path.join(TASKS, "dig.toml")) as f:
            text = f.read().replace("../../share", tycho.share()).replace('"dig.yaml"', json.dumps(os.path.join(TASKS, "dig.yaml")))

        def task(old, new):
            self.assertIn(old, text)
            path = os.path.join(self.work, "dig.toml")
            with open(path, "w") as f:
                f.write(text.replace(old, new))
            return path
        long = bool(os.environ.get("TYCHO_LONG"))  # to the goal; else the first seconds alone
        env = tycho.gym.TychoEnv("dig")
        obs, info = env.reset(seed=2)
        self.assertEqual((env.action_space.shape, obs["motors"].shape, obs["tools"].shape), ((4,), (4, 3), (2, 2)))
        self.assertTrue(2 <= info["mass"] <= 3)
        want, done = [], False
        while not done and len(want) < (30 if long else 6):
            full = obs["goal"][1] >= 1.1 * obs["goal"][0]
            action = np.array([0.0 if full else 0.5, 0, 1.0 if full else -0.76, 0.0 if full else 0.9], np.float32)
            obs, reward, done, truncated, info = env.step(action)
            want.append((action, {k: v.copy() for k, v in obs.items()}, reward))
        self.assertGreater(info["carried"], 0.0)
        if long:
            self.assertEqual((info["end"], info["is_success"]), ("goal", True), info)
            self.assertGreater(sum(r for _, _, r in want), 10)
        env.reset(seed=2)  # control
        for _ in range(3):
            obs, reward, done, _, info = env.step(np.array([0, 0, 0.5, 0], np.float32))
        self.assertEqual((info["carried"], done), (0.0, False))
        env.close()
        envs = tycho.gym.TychoVectorEnv(2, "dig", threads=2)
        envs.reset(seed=[2, 7])
        for action, seen, reward in want[:2]:
            obs, rewards, *_ = envs.step(np.stack([action, -action]))
            self.assertTrue(same({k: v[0] for k, v in obs.items()}, seen))
            self.assertEqual(rewards[0], reward)
        envs.close()
        for old, new, said in (("drum_front =", "drum =", "drum"), ("dig.yaml", "climb.yaml", "arm_front"), ("mass = [2.0, 3.0]", "mass = 3", "goal.mass"),
                               ("arm_front = [-0.35, 0.5]", "arm_front = 1", "action.motors.arm_front")):
            with self.subTest(new), self.assertRaisesRegex(ValueError, said):
                tycho.gym.TychoEnv(task(old, new))

    def test_a_lidar(self):
        env = gymnasium.make("Tycho/Traverse-v0", task="traverse_lidar").unwrapped
        check_env(env, skip_render_check=True, skip_close_check=True)
        obs, _ = env.reset(seed=1)
        lidar = obs["lidar"]
        self.assertEqual((lidar.shape, lidar.dtype), ((16, 48), np.float32))
        self.assertTrue((lidar[-1] < 10).all() and (lidar[0] == 15).any(), lidar)  # the ground below, the sky above
        env.close()

    def test_pettingzoos_checks(self):
        from pettingzoo.test import parallel_api_test

        env = tycho.gym.TychoParallelEnv("pair")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parallel_api_test(env, num_cycles=8)
        first, _ = env.reset(seed=4)
        go = {"left": np.array([1, 0], np.float32), "right": np.array([-0.5, 0], np.float32)}
        a = env.step(go)
        env.reset(seed=4)
        b = env.step(go)
        self.assertTrue(all(same(a[0][k], b[0][k]) for k in go) and a[1] == b[1])
        env.reset(seed=4)
        c = env.step(dict(go, left=go["right"]))  # control: one of them was told something else
        self.assertFalse(same(a[0]["left"], c[0]["left"]))
        self.assertFalse(same(first["left"], first["right"]))
        env.close()

    def test_wrong_tasks(self):
        for old, new, said in (("period = 1.0", "period = -1.0", "period"), ("observe = [", "observe = [\"smell\", ", "smell"), ("[goal]", "[goals]", "goals"),
                               ("v = [-0.1, 0.3]", "v = [0.3, -0.1]", "action.v"), ("progress = 1.0", "progres = 1.0", "reward.progres"),
                               ("uniform = [0.0, 18.0]", "gauss = [0.0, 18.0]", "terrain.slope_deg"), ("scenario = \"climb.yaml\"", "", "scenario"),
                               ("time = 120.0", "time = \"long\"", "time"), ("[reward]", "[reward", ":")):
            with open(os.path.join(TASKS, "climb.toml")) as f:
                text = f.read()
            self.assertIn(old, text)
            path = os.path.join(self.work, "wrong.toml")
            with open(path, "w") as f:
                f.write(text.replace(old, new, 1))
            with self.subTest(new), self.assertRaisesRegex(ValueError, said):
                tycho.gym.Task(path)
        with self.assertRaises(OSError):
            tycho.gym.TychoEnv("absent")
        with self.assertRaises(tycho.Error):  # a key that the scenario does not have: when an episode draws it
            tycho.gym.TychoEnv(short(self.work, **{"terrain.slope_deg": "terrain.slope"})).reset(seed=1)
        env = tycho.gym.TychoEnv(short(self.work))
        env.reset(seed=1)
        for action in ([1], [1, 2, 3], [float("nan"), 0], "x"):
            with self.assertRaises(ValueError):
                env.step(action)
        env.close()


class Learn(unittest.TestCase):
    """examples/python/learn.py, a short form; the whole comparison with TYCHO_LONG."""

    @classmethod
    def setUpClass(cls):
        sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "python"))
        import learn

        cls.learn = learn

    def test_what_is_seen(self):
        """A box of 0.6 m 4 m ahead on a plane, and the plane alone."""
        eyes = self.learn.Eyes(1, 24, 48)
        x, y, z = eyes.rays
        with np.errstate(divide="ignore"):
            plane = np.where(z < 0, eyes.PLACE[2] / -z, 15.0).clip(0, 15)
        wall = (4 - eyes.PLACE[0]) / x
        at = (np.abs(eyes.PLACE[1] + wall * y) < 0.3) & (np.abs(eyes.PLACE[2] + wall * z - 0.25) < 0.25)
        still = {"motion": np.zeros((1, 6))}
        self.assertEqual(eyes.look(dict(still, depth=plane[None])).max(), 0.0)
        near = eyes.look(dict(still, depth=np.where(at, wall, plane)[None]))[0]
        self.assertAlmostEqual(near[6], 1 - 4 / 6, delta=0.05)
        self.assertEqual((near[0], near[-1]), (0.0, 0.0))
        gone = {"motion": np.array([[1.0, 0, 0, 0, 0, 0]]), "depth": plane[None]}  # a metre on, out of sight and remembered
        eyes.forget(np.zeros(1, bool), gone)
        eyes.motion[:] = [1.0, 0.0]
        self.assertAlmostEqual(eyes.look(gone)[0][6], near[6] + 1 / 6, delta=0.01)
        eyes.forget(np.ones(1, bool), gone)
        self.assertEqual(eyes.look(gone).max(), 0.0)

    def test_interval(self):
        """Its bounds are where the normal test of the share says 1.96."""
        for k, n in ((67, 100), (1, 7), (10, 10)):
            for p in self.learn.wilson(k, n):
                if 1e-9 < p < 1 - 1e-9:
                    self.assertAlmostEqual(abs(k / n - p) / np.sqrt(p * (1 - p) / n), 1.96, places=9)

    def test_learning(self):
        long = bool(os.environ.get("TYCHO_LONG"))
        field = self.learn.Field(envs=4, threads=2)
        self.addCleanup(field.vector.close)
        if not long:
            _, curve = self.learn.learn(field, 1, 2, 1, report=lambda text: None)
            self.assertEqual((len(curve), field.episodes), (1, 2))
        with open(os.path.join(os.path.dirname(self.learn.__file__), "learned.json")) as f:
            kept = json.load(f)
        judged = self.learn.judge(field, np.array(kept["weights"]), 100 if long else 3)
        if long:
            for name in ("learned", "straight"):  # random actions go with how episodes are handed out
                self.assertEqual(judged[name], kept["held_out"][name])
            self.assertGreater(judged["learned"]["low"], judged["straight"]["goal"] / 100)
        self.assertGreater(judged["learned"]["return"], judged["random"]["return"])


if __name__ == "__main__":
    unittest.main()
