"""`python -m tycho.gym [ENVS [SECONDS]]`: what vectors of environments cost, as one flat JSON object: environment steps per second of wall time by threads of one
process, by as many processes, and their ratio; the same in processor time, which a machine with other work does not change; then with a depth picture of 64 x 64 in each step."""

import json
import multiprocessing
import os
import sys
import tempfile
import time

import numpy as np

from .. import share
from . import TychoVectorEnv

TASKS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tasks")


def task_file(folder, depth):
    """Climb with periods of 0.1 s, or Traverse with pictures of 64 x 64."""
    name = "traverse" if depth else "climb"
    with open(os.path.join(TASKS, name + ".yaml")) as f:
        scenario = f.read().replace("../../share", share())
    with open(os.path.join(TASKS, name + ".toml")) as f:
        task = f.read().replace("../../share", share()).replace("period = 1.0", "period = 0.1")
    scenario = scenario.replace("width: 48, height: 24", "width: 64, height: 64").replace("period: 1.0", "period: 0.1")
    for file, text in ((name + ".yaml", scenario), (name + ".toml", task)):
        with open(os.path.join(folder, file), "w") as f:
            f.write(text)
    return os.path.join(folder, name + ".toml")


def rate(task, envs, threads, seconds, barrier=None):
    """Steps per second of `envs` environments, and processor time [s] of one, after they are made and have gone a little."""
    vector = TychoVectorEnv(envs, task, threads=threads, copy=False)
    vector.reset(seed=1)
    actions = np.tile(np.array([0.5, 0.1], np.float32), (envs, 1))
    vector.step(actions)
    if barrier:
        barrier.wait()
    steps, start, cpu = 0, time.perf_counter(), time.process_time()
    while time.perf_counter() - start < seconds:
        vector.step(actions)
        steps += envs
    out = steps / (time.perf_counter() - start), (time.process_time() - cpu) / steps
    vector.close()
    return out


def one_process(task, envs, seconds, barrier, queue):
    queue.put(rate(task, envs, 1, seconds, barrier))


def by_processes(task, envs, processes, seconds):
    """The sum over processes with a share of the environments each; the mean processor time."""
    context = multiprocessing.get_context("spawn")
    barrier, queue = context.Barrier(processes), context.Queue()
    all_of_them = [context.Process(target=one_process, args=(task, envs // processes, seconds, barrier, queue)) for _ in range(processes)]
    for p in all_of_them:
        p.start()
    results = [queue.get(timeout=600) for _ in all_of_them]
    for p in all_of_them:
        p.join()
    return sum(r[0] for r in results), sum(r[1] for r in results) / len(results)


def main(envs=64, seconds=5.0):
    """Prints the object."""
    cores = min(2, os.cpu_count())
    with tempfile.TemporaryDirectory() as folder:
        task = task_file(folder, False)
        threads, processes = [], []
        for _ in range(3):  # alternating, the best of three each
            threads.append(rate(task, envs, cores, seconds))
            processes.append(by_processes(task, envs, cores, seconds))
        frames = max(rate(task_file(folder, True), min(envs, 16), cores, seconds)[0] for _ in range(2))
    best, others = max(t[0] for t in threads), max(p[0] for p in processes)
    cpu, others_cpu = min(t[1] for t in threads), min(p[1] for p in processes)
    print(json.dumps({"envs": envs, "cores": cores, "env_steps_per_s": round(best, 1), "process_steps_per_s": round(others, 1),
                      "ratio": round(best / others, 3), "cpu_ratio": round(others_cpu / cpu, 3), "step_cpu_ms": round(1e3 * cpu, 3), "env_frames_per_s": round(frames, 1)}))


