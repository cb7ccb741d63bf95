"""Environments for learning (https://gymnasium.farama.org), each a scenario file and a task file.

    import gymnasium, tycho.gym
    env = gymnasium.make("Tycho/Climb-v0")
    obs, info = env.reset(seed=1)
    obs, reward, terminated, truncated, info = env.step(env.action_space.sample())

    envs = gymnasium.make_vec("Tycho/Climb-v0", num_envs=8, vectorization_mode="vector_entry_point", threads=2)

TychoParallelEnv has several rovers, for PettingZoo. TychoEnv(task="mine.toml") is one of your own, without code; what the keys of a task mean: docs/gym.md.
"""

from ._env import TychoEnv
from ._task import Task
from ._vector import TychoVectorEnv

__all__ = ["Task", "TychoEnv", "TychoParallelEnv", "TychoVectorEnv", "register_envs"]

TASKS = {"Tycho/Climb-v0": "climb", "Tycho/Traverse-v0": "traverse", "Tycho/Dig-v0": "dig"}


def __getattr__(name):
    """TychoParallelEnv needs PettingZoo, which not everybody has."""
    if name == "TychoParallelEnv":
        from ._parallel import TychoParallelEnv

        return TychoParallelEnv
    raise AttributeError(f"module 'tycho.gym' has no attribute '{name}'")


def register_envs():
    """Makes the environments known to gymnasium.make(); importing tycho.gym does it."""
    from gymnasium.envs.registration import register, registry

    for name, task in TASKS.items():
        if name not in registry:
            register(name, entry_point="tycho.gym:TychoEnv", vector_entry_point="tycho.gym:TychoVectorEnv", kwargs={"task": task})


register_envs()
