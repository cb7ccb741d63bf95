"""Several rovers in one world, each an agent."""

from gymnasium.utils import seeding
from pettingzoo import ParallelEnv

from ._core import Core
from ._task import Task


class TychoParallelEnv(ParallelEnv):
    """PettingZoo's parallel environment: every rover of the task's scenario whose driver is external is an agent, named as the rover, with a goal of its own. An agent
    whose episode is over stands where it is, and the others meet it. Actions, observations and info are TychoEnv's."""

    metadata = {"name": "tycho_v0", "render_modes": ["rgb_array"], "is_parallelizable": True}

    def __init__(self, task="pair", render_mode=None, threads=1, detail=256):
        self.core = Core(task if isinstance(task, Task) else Task(task), threads, detail)
        self.render_mode = render_mode
        self.possible_agents = [self.core.scenario.rovers[i]["name"] for i in self.core.drives]
        self.agents = []
        self._rng = None
        self._spaces = {name: (self.core.observation_space, self.core.action_space) for name in self.possible_agents}

    def observation_space(self, agent):
        """Of an agent; all have the same."""
        return self._spaces[agent][0]

    def action_space(self, agent):
        """Of an agent; all have the same."""
        return self._spaces[agent][1]

    def reset(self, seed=None, options=None):
        """A new episode of all."""
        if seed is not None or self._rng is None:
            self._rng, _ = seeding.np_random(seed)
        self.core.begin(self._rng)
        self.agents = list(self.possible_agents)
        self._by = dict(zip(self.possible_agents, self.core.agents))
        return {a: self._look(a) for a in self.agents}, {a: self._by[a].info() for a in self.agents}

    def _look(self, agent):
        out = self.core.empty()
        self._by[agent].look(out)
        return out

    def step(self, actions):
        """One action of each agent for the task's period."""
        for agent in self.agents:
            self._by[agent].command(self.core.action(actions[agent]), self.core.scale)
        self.core.go()
        judged = {a: self._by[a].judge(self.core.steps) for a in self.agents}
        obs = {a: self._look(a) for a in self.agents}
        out = [{a: judged[a][k] for a in self.agents} for k in range(4)]
        for agent in list(self.agents):
            if judged[agent][1] or judged[agent][2]:
                self._by[agent].rover.command(0.0, 0.0)
                self.agents.remove(agent)
        return obs, *out

    def render(self):
        """The first rover from behind."""
        return self.core.render() if self.render_mode and self.core.run else None

    def close(self):
        """Frees the run."""
        self.core.close()
