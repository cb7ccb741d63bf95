"""score_boxes.py make FOLDER SEED | check FOLDER: average precision from its published definition, with fractions.

`make` draws labels and predictions, `check` compares FOLDER/score.json (of `tycho score boxes`) with what follows from them. A slow and
plain reading of COCO's definition: for each threshold, walk down the predictions; nothing here is taken from Tycho's code.
"""
import json
import random
import sys
from fractions import Fraction


def make(folder, seed):
    rng = random.Random(seed)
    images = [{"id": 10 + 3 * k, "width": 100, "height": 100, "file_name": f"{k}.png"} for k in range(12)]
    truths, guesses = [], []
    for image in images:
        for _ in range(rng.randrange(0, 6)):
            box = [rng.randrange(80), rng.randrange(80), rng.randrange(4, 20), rng.randrange(4, 20)]
            truths.append({"id": len(truths) + 1, "image_id": image["id"], "category_id": rng.choice([1, 2]), "bbox": box,
                           "area": box[2] * box[3], "iscrowd": int(rng.random() < 0.15)})
            for _ in range(rng.choice([0, 1, 1, 2])):
                near = [v + rng.randrange(-2, 3) for v in box]
                guesses.append({"image_id": image["id"], "category_id": truths[-1]["category_id"], "bbox": near, "score": rng.randrange(20) / 20})
        guesses.append({"image_id": image["id"], "category_id": rng.choice([1, 2, 7]), "bbox": [rng.randrange(80), rng.randrange(80), 9, 9],
                        "score": rng.random()})
    json.dump({"images": images, "annotations": truths, "categories": [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}, {"id": 3, "name": "c"}]},
              open(f"{folder}/labels.json", "w"))
    json.dump(guesses, open(f"{folder}/guesses.json", "w"))


def iou(a, b, crowd=False):
    w = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    h = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    shared = max(w, 0) * max(h, 0)
    return Fraction(shared, a[2] * a[3] if crowd else a[2] * a[3] + b[2] * b[3] - shared)


def average_precision(truths, guesses, threshold):
    """One category."""
    verdicts = []  # score, image, order, True / False / None (ignored)
    for image in {g["image_id"] for g in guesses}:
        own = [t for t in truths if t["image_id"] == image]
        free = {t["id"] for t in own}
        for order, g in sorted(((o, g) for o, g in enumerate(guesses) if g["image_id"] == image), key=lambda p: (-p[1]["score"], p[0]))[:100]:
            real = [(iou(g["bbox"], t["bbox"]), t["id"]) for t in own if not t["iscrowd"] and t["id"] in free]
            real = [p for p in real if p[0] >= threshold]
            crowds = [t for t in own if t["iscrowd"] and iou(g["bbox"], t["bbox"], True) >= threshold]
            if real:
                free.remove(max(real)[1])
            verdicts.append((-g["score"], image, order, True if real else None if crowds else False))
    hits, curve, total = 0, [], sum(not t["iscrowd"] for t in truths)
    for n, verdict in enumerate((v[3] for v in sorted(verdicts, key=lambda v: v[:3]) if v[3] is not None), 1):
        hits += verdict
        curve.append((Fraction(hits, total), Fraction(hits, n)))
    return sum(max((p for r, p in curve if r >= Fraction(k, 100)), default=0) for k in range(101)) / Fraction(101)


def check(folder):
    labels, guesses, got = (json.load(open(f"{folder}/{f}.json")) for f in ("labels", "guesses", "score"))
    truths, sums, used = labels["annotations"], [Fraction(0)] * 10, 0
    for category in (1, 2, 3):
        own = [t for t in truths if t["category_id"] == category]
        if any(not t["iscrowd"] for t in own):
            used += 1
            for k in range(10):
                sums[k] += average_precision(own, [g for g in guesses if g["category_id"] == category], Fraction(50 + 5 * k, 100))
    best = [max((iou(g["bbox"], t["bbox"]) for g in guesses if (g["image_id"], g["category_id"]) == (t["image_id"], t["category_id"])), default=0)
            for t in truths if not t["iscrowd"]]
    want = {"mAP@0.5": sums[0] / used, "mAP@[.5:.95]": sum(sums) / used / 10, "mean_IoU": Fraction(sum(best)) / len(best)}
    for key, value in want.items():
        assert abs(got[key] - float(value)) < 1e-8, f"{key}: {got[key]}, by the definition {float(value)}"
    assert 0.05 < got["mAP@0.5"] < 0.95, "control: a trivial draw"
    print(", ".join(f"{key} {got[key]:.4f}" for key in want))


if __name__ == "__main__":
    make(sys.argv[2], int(sys.argv[3])) if sys.argv[1] == "make" else check(sys.argv[2])
