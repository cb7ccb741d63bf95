"""Many environments in one process, over threads: steps give the interpreter's lock away, so that they go on side by side."""

import itertools
import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ._core import Core
from ._env import TychoEnv
from ._task import Task


class TychoVectorEnv(VectorEnv):
    """num_envs environments of a task, stepped by `threads` threads (0: all processors) of one process. Each writes its row of the batch itself; copy=False
    hands out those arrays, which the next step writes over. The same seeds give the same episodes as single environments, whatever the number of threads."""

    def __init__(self, num_envs=2, task="climb", threads=0, autoreset_mode=AutoresetMode.NEXT_STEP, render_mode=None, copy=True, detail=256):
        if num_envs < 1:
            raise ValueError(f"num_envs is {num_envs}, but takes 1 or more")
        self.cores = []
        self._threads = threads or os.cpu_count()
        self._pool = ThreadPoolExecutor(max_workers=self._threads)
        task = task if isinstance(task, Task) else Task(task)
        self.num_envs, self.render_mode, self.copy = num_envs, render_mode, copy
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = dict(TychoEnv.metadata, autoreset_mode=self.autoreset_mode)
        self.cores = [Core(task, 1, detail) for _ in range(num_envs)]
        self.single_observation_space = self.cores[0].observation_space
        self.single_action_space = self.cores[0].action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._rng = [None] * num_envs
        self._seeds = [None] * num_envs
        self._obs = {k: np.zeros((num_envs, *s.shape), s.dtype) for k, s in self.single_observation_space.items()}
        self._rows = [{k: a[i] for k, a in self._obs.items()} for i in range(num_envs)]
        self._over = np.ones(num_envs, bool)

    @property
    def np_random_seed(self):
        """Seeds of the environments."""
        return tuple(self._seeds)

    @property
    def np_random(self):
        """Generators of the environments."""
        return tuple(self._rng)

    def _reset(self, i):
        info = self.cores[i].reset(self._rng[i], self._rows[i])
        self._over[i] = False
        return info

    def _all(self, call, jobs):
        """call(job) of each; threads take the next one as they come free, this one too."""
        jobs, turn = list(jobs), itertools.count()
        out = [None] * len(jobs)

        def work():
            while (k := next(turn)) < len(jobs):
                out[k] = call(jobs[k])

        others = [self._pool.submit(work) for _ in range(min(self._threads, len(jobs)) - 1)]
        try:
            work()
        finally:
            for other in others:
                other.exception()  # waits
        for other in others:
            other.result()
        return out

    def _out(self):
        return {k: a.copy() for k, a in self._obs.items()} if self.copy else self._obs

    def reset(self, *, seed=None, options=None):
        """New episodes of all, or of those in options['reset_mask']."""
        n = self.num_envs
        seeds = [None] * n if seed is None else [seed + i for i in range(n)] if isinstance(seed, (int, np.integer)) else list(seed)
        if len(seeds) != n:
            raise ValueError(f"{len(seeds)} seeds for {n} environments")
        mask = (options or {}).get("reset_mask")
        if mask is None:
            mask = np.ones(n, bool)
        elif not isinstance(mask, np.ndarray) or mask.shape != (n,) or mask.dtype != bool or not mask.any():
            raise ValueError(f"reset_mask takes an array of {n} truth values, some of them true")
        which = np.flatnonzero(mask)
        for i in which:
            if seeds[i] is not None or self._rng[i] is None:
                self._rng[i], self._seeds[i] = seeding.np_random(seeds[i])
        infos = {}
        for i, info in zip(which, self._all(self._reset, which)):
            infos = self._add_info(infos, info, i)
        return self._out(), infos

    def _step(self, job):
        """reward, terminated, truncated, info, final observation and info"""
        i, action = job
        if self._over[i]:
            if self.autoreset_mode != AutoresetMode.NEXT_STEP:
                raise RuntimeError(f"the episode of environment {i} is over: reset it by options={{'reset_mask': mask}}")
            return 0.0, False, False, self._reset(i), None
        reward, terminated, truncated, info = self.cores[i].step(action, self._rows[i])
        final = None
        if terminated or truncated:
            if self.autoreset_mode == AutoresetMode.SAME_STEP:
                final = ({k: a.copy() for k, a in self._rows[i].items()}, info)
                info = self._reset(i)
            else:
                self._over[i] = True
        return reward, terminated, truncated, info, final

    def step(self, actions):
        """One period of all."""
        actions = np.asarray(actions, np.float32)
        if actions.shape != self.action_space.shape or not np.isfinite(actions).all():
            raise ValueError(f"actions are {self.num_envs} rows of {self.action_space.shape[1]} finite numbers, not of shape {actions.shape}")
        if self._rng[0] is None:
            raise RuntimeError("reset() comes first")
        results = self._all(self._step, enumerate(actions))
        infos = {}
        for i, (_, _, _, info, final) in enumerate(results):
            if final is not None:
                infos = self._add_info(infos, {"final_obs": final[0], "final_info": final[1]}, i)
            infos = self._add_info(infos, info, i)
        rewards = np.array([r[0] for r in results])
        return self._out(), rewards, np.array([r[1] for r in results]), np.array([r[2] for r in results]), infos

    def render(self):
        """Pictures of all."""
        return tuple(core.render() for core in self.cores) if self.render_mode else None

    def close_extras(self, **kwargs):
        """Frees the runs and threads."""
        self._pool.shutdown(wait=True)
        for core in self.cores:
            core.close()
