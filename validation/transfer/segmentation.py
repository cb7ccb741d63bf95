"""Rock segmentation: rows of the table, their trainings, their scores on the photographs. Everything that is done lies in a file of its own."""
import concurrent.futures
import multiprocessing
import os
import time

import grounds
import network
import numpy as np
import pictures
import scores
from grounds import HEIGHT, WIDTH, parts

# row: sets it is trained on, and the camera's chain
ROWS = {
    "old": (("old",), "physical"),
    "new": (("new",), "physical"),
    "new_lambert": (("new_lambert",), "physical"),
    "new_ideal": (("new",), "ideal"),
    "new_fixed": (("new_fixed",), "physical"),
    "old_new": (("old", "new"), "physical"),
}
TITLES = {
    "old": "old ground (5265e9b)",
    "new": "new ground",
    "new_lambert": "new ground, Lambert",
    "new_ideal": "new ground, ideal camera",
    "new_fixed": "new ground, one Sun, one albedo",
    "old_new": "old and new ground",
    "real": "photographs, one scene left out",
    "brightness": "no training: brightness alone",
}


def keep(path, weights, results, made_of=""):
    """weights and the counts of each picture in one file, whole or not there; made_of: the sets it learnt from."""
    data = {f"weight_{k}": v for k, v in weights.items()} | {"made_of": np.array(made_of)}
    for i, result in enumerate(results):
        data |= {f"count_{i}_{k}": v for k, v in result.items()}
    with open(path + ".part", "wb") as f:
        np.savez_compressed(f, **data)
    os.replace(path + ".part", path)


def kept(path):
    with np.load(path) as data:
        weights = {k[7:]: data[k] for k in data.files if k.startswith("weight_")}
        n = 1 + max(int(k.split("_")[1]) for k in data.files if k.startswith("count_"))
        return weights, [{k: data[f"count_{i}_{k}"] for k in ("large", "small", "rock")} for i in range(n)]


def there(path, made_of=""):
    """Whether it is done, with these sets."""
    if not os.path.exists(path):
        return False
    with np.load(path) as data:
        return str(data["made_of"] if "made_of" in data.files else "") == made_of


def sources(row, folder):
    """What the row's sets were made by; None: not all are there."""
    said = [grounds.made_of(f"{folder}/sets/{s}") for s in ROWS[row][0]]
    return None if None in said else " ".join(said)


def sets_of(row, folder, split):
    sets, chain = ROWS[row]
    found = [pictures.rendered(f"{folder}/sets/{s}", [name for _, _, name in parts()], chain, split) for s in sets]
    return tuple(np.concatenate(p) for p in zip(*found))


def train_row(row, seed, folder, photos, steps, say):
    """One training on rendered pictures, judged on all photographs, and at home on sites that it did not see."""
    path, made_of = f"{folder}/segmentation/{row}-{seed}.npz", sources(row, folder)
    if made_of is None:
        say(f"  {row}: its sets are not there (part sets)")
        return
    if there(path, made_of):
        return
    began = time.process_time()
    weights = network.train(*sets_of(row, folder, "train"), seed, steps, say)
    results = [scores.counts(s, m) for s, m in zip(network.predict(weights, photos[1]), photos[2])]
    home = sets_of(row, folder, "test")
    at_home = [scores.counts(s, m) for s, m in zip(network.predict(weights, home[0]), home[1])]
    keep(path.replace(".npz", ".home.npz"), {}, at_home, made_of)
    keep(path, weights, results, made_of)
    say(f"  {row}, seed {seed}: IoU of rocks {scores.metrics(total(results))[2]:.3f}, {time.process_time() - began:.0f} s of processor time")


def folds(names):
    """Photographs that are left out together."""
    scene = [pictures.SCENES.get(n, n) for n in names]
    return [[i for i, s in enumerate(scene) if s == one] for one in dict.fromkeys(scene)]


def train_fold(k, seed, folder, photos, steps, say):
    """The ceiling: trained on the photographs of other scenes than the k-th."""
    names, x, masks = photos
    path, out = f"{folder}/segmentation/real-{seed}.fold{k}.npz", folds(names)[k]
    if there(path):
        return
    began = time.process_time()
    y = np.stack([pictures.small_mask(m, WIDTH, HEIGHT) for m in masks])
    rest = [i for i in range(len(names)) if i not in out]
    weights = network.train(x[rest], y[rest], seed, steps)
    keep(path, weights, [scores.counts(s, masks[i]) for s, i in zip(network.predict(weights, x[out]), out)])
    say(f"  real, seed {seed}: scene {k + 1} of {len(folds(names))}, {time.process_time() - began:.0f} s of processor time")


def gather_real(seed, folder, names):
    """All scenes of a seed as one file, when the last is there."""
    path, real = f"{folder}/segmentation/real-{seed}.npz", judged(folder, names, seed)
    if len(real) == len(names) and not os.path.exists(path):
        keep(path, {}, list(real.values()))


def brightness(folder, photos):
    """The control: no network, a pixel is a rock as far as it is bright; half of it small, half large."""
    path = f"{folder}/segmentation/brightness-0.npz"
    if not os.path.exists(path):
        rock = np.clip(photos[1] / 1.6, 0, 1)
        shares = np.stack([1 - rock, 0 * rock, rock / 2, rock / 2], -1).astype(np.float32)
        keep(path, {}, [scores.counts(s, m) for s, m in zip(shares, photos[2])])


def total(results):
    return {k: sum(r[k] for r in results) for k in ("large", "small", "rock")}


def runs(row, folder, seeds, home=False):
    """Counts of the seeds that are done."""
    end = ".home.npz" if home else ".npz"
    paths = [f"{folder}/segmentation/{row}-{s}{end}" for s in range(seeds)]
    return [kept(p)[1] for p in paths if os.path.exists(p)]


def cell(mean, low, high):
    return f"{100 * mean:.1f} ({100 * low:.1f} to {100 * high:.1f})"


def table(folder, seeds):
    """Lines of Markdown and CSV."""
    lines = ["| trained on | seeds | " + " | ".join(scores.METRICS) + " | at home: IoU rock |", "|---|---|" + "---|" * 8]
    csv = ["row,seeds," + ",".join(f"{m},low,high" for m in scores.METRICS) + ",home_IoU_rock"]
    for row, title in TITLES.items():
        done = runs(row, folder, seeds)
        if not done:
            lines.append(f"| {title} | 0 | " + " | ".join(["not done"] * 8) + " |")
            continue
        mean, low, high = scores.table_row(done)
        home = [scores.metrics(total(r))[2] for r in runs(row, folder, seeds, home=True)]
        at_home = f"{np.mean(home):.4f}" if home else ""
        cells = [*(cell(*c) for c in zip(mean, low, high)), f"{100 * np.mean(home):.1f}" if home else "-"]
        lines.append(f"| {title} | {len(done)} | " + " | ".join(cells) + " |")
        csv.append(f"{row},{len(done)}," + ",".join(f"{a:.4f},{b:.4f},{c:.4f}" for a, b, c in zip(mean, low, high)) + f",{at_home}")
    pairs = [("new", "old"), ("new", "new_lambert"), ("new", "new_ideal"), ("new", "new_fixed"), ("old_new", "new"), ("real", "old"), ("real", "new"),
             ("real", "old_new")]
    lines += ["", "| difference | " + " | ".join(scores.METRICS) + " |", "|---|" + "---|" * 7]
    for a, b in pairs:
        first, second = runs(a, folder, seeds), runs(b, folder, seeds)
        if first and second:
            cells = list(zip(*scores.difference(first, second)))
            lines.append(f"| {a} - {b} | " + " | ".join(cell(*c) for c in cells) + " |")
            csv.append(f"{a}-{b},," + ",".join(f"{p:.4f},{q:.4f},{r:.4f}" for p, q, r in cells) + ",")
    return lines, csv


def train_one(task):
    """One training, in a process of its own: (row, seed, scene that is left out, folder, folder of the photographs, steps)."""
    row, seed, k, folder, photos_folder, steps = task
    photos = pictures.photographs(photos_folder, WIDTH, HEIGHT)

    def say(text):
        print(text, flush=True)
    if row == "real":
        train_fold(k, seed, folder, photos, steps, say)
    else:
        train_row(row, seed, folder, photos, steps, say)


def left(task):
    """Whether a training has to be made."""
    row, seed, k, folder = task[:4]
    if row == "real":
        return not there(f"{folder}/segmentation/real-{seed}.fold{k}.npz")
    return not there(f"{folder}/segmentation/{row}-{seed}.npz", sources(row, folder))


def all_of_it(folder, photos_folder, seeds, steps, say, rows=None, jobs=1):
    """Seed by seed, so that a table with few seeds is there early; `jobs` trainings side by side, each on one thread, so that their bits do not depend on it."""
    os.makedirs(f"{folder}/segmentation", exist_ok=True)
    photos = pictures.photographs(photos_folder, WIDTH, HEIGHT)
    brightness(folder, photos)
    with concurrent.futures.ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        for seed in range(seeds):
            tasks = [(row, seed, k, folder, photos_folder, steps) for row in rows or [*ROWS, "real"]
                     for k in (range(len(folds(photos[0]))) if row == "real" else [0])]
            for _ in pool.map(train_one, filter(left, tasks)):
                pass
            gather_real(seed, folder, photos[0])
            write(folder, seeds, photos[0])


def judged(folder, names, seed=0):
    """Numbers and counts of the photographs whose scene has been left out so far."""
    found = {}
    for k, out in enumerate(folds(names)):
        path = f"{folder}/segmentation/real-{seed}.fold{k}.npz"
        if os.path.exists(path):
            found |= dict(zip(out, kept(path)[1]))
    return dict(sorted(found.items()))


def part_table(folder, names, seeds):
    """While the ceiling is not done: all rows on the photographs that it has been judged on."""
    real = judged(folder, names)
    if not real or os.path.exists(f"{folder}/segmentation/real-0.npz"):
        return []
    lines = ["", f"The ceiling is done for {len(real)} of {len(names)} photographs ({', '.join(names[i] for i in real)}); all rows on these alone:", "",
             "| trained on | " + " | ".join(scores.METRICS) + " |", "|---|" + "---|" * 7]
    for row, title in TITLES.items():
        done = [list(real.values())] if row == "real" else [[r[i] for i in real] for r in runs(row, folder, seeds)]
        if done:
            lines.append(f"| {title} | " + " | ".join(cell(*c) for c in zip(*scores.table_row(done))) + " |")
    for row in ROWS:
        done = [[r[i] for i in real] for r in runs(row, folder, seeds)]
        if done:
            lines.append(f"| photographs - {row} | " + " | ".join(cell(*c) for c in zip(*scores.difference([list(real.values())], done))) + " |")
    return lines


def write(folder, seeds, names=None):
    lines, csv = table(folder, seeds)
    lines += part_table(folder, names, seeds) if names else []
    for name, text in (("segmentation.md", lines), ("segmentation.csv", csv)):
        with open(f"{folder}/{name}", "w") as f:
            f.write("\n".join(text) + "\n")
