"""The environment of one rover."""

import gymnasium
from ._core import Core
from ._task import Task


class TychoEnv(gymnasium.Env):
    """A rover on the Moon with a goal, made of a scenario file and a task file.

    task: 'climb', 'traverse', 'traverse_lidar', 'dig', or a file of your own. Actions are numbers from -1 to 1 over the task's ranges: forward speed, turning rate, and motors where the
    task names some. Observations are
    a dict of arrays: goal (distance [m], sine and cosine of its bearing), motion (forward, sideward and upward speed [m/s], yaw rate [rad/s], pitch and roll [rad]),
    wheels (a row of rate [rad/s], torque [N m] and steering angle [rad] for each), slip, depth [m], lidar (ranges [m]), motors (angle, rate, torque of each), tools (soil carried [kg], torque of
    each), as far as the task names them. Where soil is to be dug, goal is (mass wanted, mass carried [kg], height of the tool that holds it [m]). info has distance [m], time [s],
    end ('goal', 'stuck', 'tip_over', 'collision', 'away' or '') and is_success.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 10}

    def __init__(self, task="climb", render_mode=None, threads=1, detail=256):
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"render_mode is {render_mode!r}, but takes None or 'rgb_array'")
        self.render_mode = render_mode
        self.core = Core(task if isinstance(task, Task) else Task(task), threads, detail)
        self.observation_space, self.action_space = self.core.observation_space, self.core.action_space
        self._over = True

    def reset(self, *, seed=None, options=None):
        """A new episode: ground, soil, start and goal as the seed draws them."""
        super().reset(seed=seed)
        obs = self.core.empty()
        info = self.core.reset(self.np_random, obs)
        self._over = False
        return obs, info

    def step(self, action):
        """One action for the task's period."""
        if self._over:
            raise RuntimeError("the episode is over: reset() comes next")
        obs = self.core.empty()
        reward, terminated, truncated, info = self.core.step(self.core.action(action), obs)
        self._over = terminated or truncated
        return obs, reward, terminated, truncated, info

    def render(self):
        """The rover from behind, as an array of 200 x 320 x 3 bytes."""
        if self.render_mode is None or self.core.run is None:
            return None
        return self.core.render()

    def close(self):
        """Frees the run."""
        self.core.close()
        self._over = True
