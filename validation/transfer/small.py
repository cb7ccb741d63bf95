"""The study in a small form on made-up pictures: bright discs on grey ground under a black sky. Called by tests/cli/transfer.sh.

Checks that the network learns them and a network with labels of other pictures does not, that a seed gives the same bits,
and that scores and intervals are those worked out by hand. Prints a line for each check; exit code 1 when one fails.
"""
import os
import subprocess
import sys
import tempfile

import grounds
import network
import numpy as np
import pictures
import scores
from PIL import Image

bad = 0


def check(name, good, said=""):
    global bad
    print(f"{'ok' if good else 'FAILED'}: {name} {said}".rstrip())
    bad += not good


def made_up(n, seed, rows=64, columns=96):
    """Pictures and masks: rocks of radius 3 (small) and 8 px (large)."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:rows, :columns]
    pictures, masks = rng.normal(0.5, 0.05, (n, rows, columns)).astype(np.float32), np.zeros((n, rows, columns), np.uint8)
    for p, m in zip(pictures, masks):
        horizon = rng.integers(5, 15)
        p[:horizon], m[:horizon] = 0, 1
        for radius, kind in ((8, 3), (8, 3), (3, 2), (3, 2), (3, 2)):
            cx, cy = rng.uniform(0, columns), rng.uniform(25, rows)
            disc = (x - cx) ** 2 + (y - cy) ** 2 < radius**2
            p[disc], m[disc] = rng.uniform(0.8, 1.1), kind
    return pictures, masks


def learns():
    network.CROP, network.BATCH = (48, 64), 4
    x, y = made_up(24, 1)
    tx, ty = made_up(8, 2)
    steps = 110

    def iou(masks, seed):
        w = network.train(x, masks, seed, steps)
        return scores.metrics({k: sum(scores.counts(s, m)[k] for s, m in zip(network.predict(w, tx), ty)) for k in ("large", "small", "rock")}), w
    good, w = iou(y, 3)
    check("learns discs", good[2] > 0.6 and good[5] > 0.8, f"IoU {good[2]:.2f}, AP {good[5]:.2f}")
    wrong, _ = iou(np.roll(y, 7, axis=0)[:, ::-1].copy(), 3)
    check("control: labels of other pictures", wrong[2] < 0.4, f"IoU {wrong[2]:.2f}")
    again = network.train(x, y, 3, 10)
    same = network.train(x, y, 3, 10)
    other = network.train(x, y, 4, 10)
    check("the same seed, the same bits", all(np.array_equal(again[k], same[k]) for k in again))
    check("control: another seed", not np.array_equal(again["a1"], other["a1"]))
    # another process that may use one processor only: bits do not depend on how many there are
    code = ("import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}); import sys; sys.path.insert(0, %r); import network, numpy as np; network.CROP, network.BATCH = (48, 64), 4\n"
            "d = np.load(%r); np.save(%r, network.train(d['x'], d['y'], 3, 10)['a1'])")
    with tempfile.TemporaryDirectory() as folder:
        np.savez(f"{folder}/in.npz", x=x, y=y)
        subprocess.run([sys.executable, "-c", code % (os.path.dirname(os.path.abspath(__file__)), f"{folder}/in.npz", f"{folder}/out.npy")], check=True)
        check("the same bits on one processor", np.array_equal(np.load(f"{folder}/out.npy"), again["a1"]))


def judges():
    # two pictures of 4 pixels: rock at scores 0.9 and 0.6, ground at 0.7 and 0.1: precision 1 at recall 1/2, 2/3 at 1
    shares = np.zeros((2, 2, 4), np.float32)
    shares[..., 3] = [[0.9, 0.7], [0.6, 0.1]]
    shares[..., 0] = 1 - shares[..., 3]
    mask = np.array([[3, 0], [3, 0]], np.uint8)
    c = scores.counts(shares, mask)
    m = scores.metrics(c)
    check("average precision by hand", abs(m[3] - (0.5 + 0.5 * 2 / 3)) < 1e-12, f"{m[3]:.4f}")
    check("IoU by hand", abs(m[0] - 2 / 3) < 1e-12, f"{m[0]:.4f}")
    mean, low, high = scores.table_row([[c, c, c]], draws=50)
    check("equal pictures have no interval", mean[0] == low[0] == high[0])
    worse = scores.counts(1 - shares, mask)
    _, low, high = scores.table_row([[c, worse, c, worse]], draws=200)
    check("control: unequal ones have", high[0] - low[0] > 0.1, f"{low[0]:.2f} to {high[0]:.2f}")
    d = scores.difference([[c, worse]], [[c, worse]], draws=50)
    check("no difference from itself", np.nanmax(np.abs(d)) == 0)


def reads():
    """A picture as tycho dataset writes it: a large, a small, a tiny rock, and one too small for a number."""
    classes, rocks = np.ones((152, 208), np.uint8), np.zeros((152, 208), np.uint16)
    classes[:20] = 0
    for number, (row, size) in enumerate(((40, 10), (80, 4), (100, 2)), 1):
        classes[row:row + size, 50:50 + size], rocks[row:row + size, 50:50 + size] = 2, number
    classes[120, 50] = 2
    with tempfile.TemporaryDirectory() as folder:
        for kind, name, image in (("images", "T01_C01_R0_A033d2_E24d5_L_auto", classes * 80), ("classes", "T01_C01_L", classes), ("instances", "T01_C01_L", rocks)):
            os.makedirs(f"{folder}/view/{kind}/train/T01")
            Image.fromarray(image).save(f"{folder}/view/{kind}/train/T01/{name}.png")
        _, masks = pictures.rendered(folder, ["view"], "physical", "train")
    found = [int(np.sum(masks[0] == k)) for k in range(4)]
    check("classes of a rendered picture", found == [132 * 208 - 116, 20 * 208, 16, 100], f"{found}")


def renews():
    """Sets are made once, and again by a program that draws otherwise; a stand-in for tycho says what it was asked."""
    with tempfile.TemporaryDirectory() as folder:
        def program(name, picture):
            with open(f"{folder}/{name}", "w") as f:
                f.write(f"""#!/bin/sh
for last; do :; done
case $1 in
render) echo {picture} >"$last" ;;
dataset) mkdir -p "$4"; echo {name} >>{folder}/asked; echo {name} >"$4/by" ;;
esac
""")
            os.chmod(f"{folder}/{name}", 0o755)
            return f"{folder}/{name}"

        def asked():
            with open(f"{folder}/asked") as f:
                return f.read().split()
        kind, quiet = grounds.SETS["new"], lambda text: None
        first, second = program("first", "a"), program("second", "b")
        for _ in range(2):
            grounds.make(first, f"{folder}/set", kind, say=quiet)
        check("made once", asked() == ["first"] * 4, f"{asked()}")
        was = grounds.made_of(f"{folder}/set")
        open(f"{folder}/set/left", "w").close()
        os.remove(f"{folder}/set/{grounds.parts()[0][2]}.done")
        check("not whole", was and grounds.made_of(f"{folder}/set") is None)
        grounds.make(first, f"{folder}/set", kind, say=quiet)
        check("goes on", asked() == ["first"] * 5)
        grounds.make(second, f"{folder}/set", kind, say=quiet)
        check("made again by another program", asked()[5:] == ["second"] * 4 and grounds.made_of(f"{folder}/set") != was, f"{asked()}")


learns()
renews()
judges()
reads()
sys.exit(bad > 0)
