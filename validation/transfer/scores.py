"""IoU and average precision over pixels, pooled over pictures, with intervals over pictures and seeds."""
import numpy as np
from PIL import Image

BINS = 400
METRICS = ["IoU large", "IoU small", "IoU rock", "AP large", "AP small", "AP rock", "IoU rock at 0.5"]


def enlarge(shares, width, height):
    """Probabilities at the size of a mask."""
    return np.stack([np.asarray(Image.fromarray(shares[..., k]).resize((width, height), Image.Resampling.BILINEAR))
                     for k in range(shares.shape[-1])], -1)


def counts(shares, mask):
    """What a picture adds to the sums: for large, small and any rock intersection, union, and pixels with and without it by score.

    Pixels of 255 do not count. Small and large are said where they have the largest probability, rock where both together have more than the rest."""
    shares = enlarge(shares, mask.shape[1], mask.shape[0])[mask != 255]
    mask = mask[mask != 255]
    best = shares.argmax(-1)
    rock = shares[..., 2] + shares[..., 3]
    out = {}
    for name, score, said, true in (("large", shares[..., 3], best == 3, mask == 3), ("small", shares[..., 2], best == 2, mask == 2),
                                    ("rock", rock, rock > 0.5, mask >= 2)):
        bin_ = np.minimum((BINS * score).astype(int), BINS - 1)
        out[name] = np.concatenate([[np.sum(said & true), np.sum(said | true)], np.bincount(bin_[true], minlength=BINS),
                                    np.bincount(bin_[~true], minlength=BINS)]).astype(float)
    return out


def average_precision(with_, without):
    """Area under precision over recall, thresholds from the highest score down; NaN where there is none to find."""
    hit, miss = np.cumsum(with_[::-1]), np.cumsum(without[::-1])
    if hit[-1] == 0:
        return np.nan
    precision = hit / np.maximum(hit + miss, 1)
    return float(np.sum(np.diff(hit, prepend=0) * precision) / hit[-1])


def best_iou(with_, without):
    """IoU at the threshold that is best, one for all pictures: what a network takes for the share of rocks, which differs from
    set to set, does not count."""
    hit, miss = np.cumsum(with_[::-1]), np.cumsum(without[::-1])
    return float(np.max(hit / (hit[-1] + miss))) if hit[-1] else np.nan


def metrics(sums):
    """The seven numbers out of summed counts; the last is at even odds of rock against the rest."""
    ious, aps = [], []
    for name in ("large", "small", "rock"):
        with_, without = sums[name][2:2 + BINS], sums[name][2 + BINS:]
        ious.append(best_iou(with_, without))
        aps.append(average_precision(with_, without))
    return np.array(ious + aps + [sums["rock"][0] / max(sums["rock"][1], 1)])


def table_row(runs, draws=1000, seed=5):
    """runs: list over seeds of lists over pictures of counts. Mean over seeds of the pooled metrics, and 95 % of resamples:
    pictures drawn with replacement, and seeds drawn with replacement."""
    stacks = {n: np.array([[p[n] for p in run] for run in runs]) for n in ("large", "small", "rock")}   # seed, picture, numbers
    seeds, pictures = stacks["large"].shape[:2]

    def pooled(which_seeds, which_pictures):
        return np.mean([metrics({n: s[k][which_pictures].sum(0) for n, s in stacks.items()}) for k in which_seeds], axis=0)
    rng = np.random.default_rng(seed)
    mean = pooled(range(seeds), slice(None))
    drawn = np.array([pooled(rng.integers(seeds, size=seeds), rng.integers(pictures, size=pictures)) for _ in range(draws)])
    low, high = np.nanpercentile(drawn, [2.5, 97.5], axis=0)
    return mean, low, high


def difference(runs, others, draws=1000, seed=5):
    """The same pictures drawn for both: runs minus others."""
    a, b = ({n: np.array([[p[n] for p in run] for run in r]) for n in ("large", "small", "rock")} for r in (runs, others))
    rng = np.random.default_rng(seed)

    def pooled(stack, which_seeds, which):
        return np.mean([metrics({n: s[k][which].sum(0) for n, s in stack.items()}) for k in which_seeds], axis=0)
    pictures = a["large"].shape[1]
    mean = pooled(a, range(len(runs)), slice(None)) - pooled(b, range(len(others)), slice(None))
    drawn = []
    for _ in range(draws):
        which = rng.integers(pictures, size=pictures)
        drawn.append(pooled(a, rng.integers(len(runs), size=len(runs)), which) - pooled(b, rng.integers(len(others), size=len(others)), which))
    low, high = np.nanpercentile(drawn, [2.5, 97.5], axis=0)
    return mean, low, high
