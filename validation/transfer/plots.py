"""Plots of the study: intervals of the table, and rendered pictures with their masks. No photograph of Chang'e is drawn."""
import csv

import matplotlib
import numpy as np
import pictures
import scores
from grounds import SETS, parts
from segmentation import TITLES

matplotlib.use("Agg")
import matplotlib.pyplot as plt


def table(folder, path):
    """Every cell of segmentation.csv with its interval."""
    with open(f"{folder}/segmentation.csv") as f:
        rows = [r for r in csv.reader(f)][1:]
    rows = [r for r in rows if r[0] in TITLES]
    figure, axes = plt.subplots(2, 3, figsize=(11, 0.5 + 0.62 * len(rows)), sharey=True)
    for k, (metric, axis) in enumerate(zip(scores.METRICS[:6], axes.flat)):
        for i, row in enumerate(rows):
            mean, low, high = (100 * float(v) for v in row[2 + 3 * k:5 + 3 * k])
            axis.plot([low, high], [-i, -i], color="0.6", lw=3, solid_capstyle="butt")
            axis.plot(mean, -i, "o", color="C3" if row[0] == "real" else "C0", ms=5)
        axis.set_title(metric + " [%]", fontsize=9)
        axis.set_yticks([-i for i in range(len(rows))], [TITLES[r[0]] for r in rows], fontsize=8)
        axis.set_xlim(0, None)
        axis.grid(axis="x", color="0.9")
    figure.tight_layout()
    figure.savefig(path, dpi=90)
    plt.close(figure)


def examples(folder, path):
    """One picture of each view of each set that is there, and its mask."""
    names = [s for s in SETS if all(pictures.exists(f"{folder}/sets/{s}", n) for _, _, n in parts())]
    if not names:
        return
    figure, axes = plt.subplots(len(names), 4, figsize=(11, 2.1 * len(names)), squeeze=False)
    for row, name in zip(axes, names):
        for axis, (view, _, part) in zip(row, parts()):
            x, y = pictures.rendered(f"{folder}/sets/{name}", [part], "physical", "train")
            k = min(8, len(x) - 1)
            grey = np.repeat(np.clip(x[k] / 1.3, 0, 1)[..., None], 3, -1)
            for kind, colour in ((pictures.SMALL, (1, 0.8, 0)), (pictures.LARGE, (1, 0, 0))):
                grey[y[k] == kind] = 0.6 * grey[y[k] == kind] + 0.4 * np.array(colour)
            axis.imshow(grey)
            axis.set_axis_off()
            axis.set_title(f"{name}: {view}", fontsize=8)
    figure.tight_layout(pad=0.3)
    figure.savefig(path, dpi=80)
    plt.close(figure)


def predictions(weights, photos, path):
    """For the eye alone, not for any document: what a network says of the photographs, right, missed and wrong."""
    import network
    names, x, masks = photos
    shares = network.predict(weights, x)
    figure, axes = plt.subplots(5, 4, figsize=(16, 15))
    for axis in axes.flat:
        axis.set_axis_off()
    for axis, name, p, s, m in zip(axes.flat, names, x, shares, masks):
        rock = scores.enlarge(s, m.shape[1], m.shape[0])[..., 2:].sum(-1) > 0.5
        grey = np.asarray(pictures.Image.fromarray(np.clip(p / 1.3, 0, 1)).resize((m.shape[1], m.shape[0])))
        rgb = np.repeat(grey[..., None], 3, -1)
        for which, colour in ((rock & (m >= 2), (0, 1, 0)), (~rock & (m >= 2), (1, 0, 0)), (rock & (m < 2), (0.2, 0.4, 1))):
            rgb[which] = 0.55 * rgb[which] + 0.45 * np.array(colour)
        axis.imshow(rgb)
        axis.set_title(name, fontsize=8)
    figure.tight_layout(pad=0.3)
    figure.savefig(path, dpi=60)
    plt.close(figure)
