"""The curve and the test of learn.py as a picture: plot.py FOLDER OUT.png (matplotlib, python3-matplotlib of Debian)"""

import json
import os
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

folder, out = sys.argv[1:3]
with open(os.path.join(folder, "policy.json")) as f:
    generations = json.load(f)["generations"]
with open(os.path.join(folder, "test.json")) as f:
    test = json.load(f)
figure, (a, b) = plt.subplots(1, 2, figsize=(10, 4))
cpu, spent = [], 0.0
for g in generations:
    spent += g["cpu_s"] / 60
    cpu.append(spent)
a.plot(cpu, [100 * g["arrived"] for g in generations], "o-", label="all candidates")
a.plot(cpu, [100 * g["elite_arrived"] for g in generations], "s-", label="the best four")
a.set(xlabel="processor time [min]", ylabel="episodes that arrive [%]", ylim=(0, 100), title="training")
a.legend()
names = ["learned", "straight", "random"]
rate = [100 * test[n]["arrived"] / test[n]["of"] for n in names]
b.bar(["learned", "straight line", "random"], rate, color=["C1", "C0", "0.6"],
      yerr=[[r - 100 * test[n]["low"] for r, n in zip(rate, names)], [100 * test[n]["high"] - r for r, n in zip(rate, names)]], capsize=6)
b.set(ylabel="arrive [%], with 95 % intervals", ylim=(0, 100), title=f"{test['learned']['of']} seeds never seen")
figure.tight_layout()
figure.savefig(out, dpi=90)
