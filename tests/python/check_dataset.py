"""check_dataset.py FOLDER [CONTROL]: a data set as pycocotools and YOLO's programs would read it.

Written from the published formats, not from Tycho's code: the run-length masks are decoded here, their boxes and areas compared
with the annotations, the instance masks and YOLO's files. CONTROL (box, area, mask, image, split) damages what was read, and the
check must then fail.
"""
import json
import os
import sys

import tiny_png


def decode_counts(text):
    """COCO's compressed run lengths: 5 bits a character from 48 on, bit 5 says that more follow, from the 4th on differences."""
    counts, at = [], 0
    while at < len(text):
        value, shift, more = 0, 0, True
        while more:
            c = ord(text[at]) - 48
            assert 0 <= c < 64, "not a run-length text"
            value |= (c & 31) << shift
            more = bool(c & 32)
            at, shift = at + 1, shift + 5
            if not more and c & 16:
                value -= 1 << shift
        counts.append(value + (counts[-2] if len(counts) > 2 else 0))
    return counts


def decode_mask(segmentation):
    """Set of (x, y) inside."""
    height, width = segmentation["size"]
    counts = decode_counts(segmentation["counts"])
    assert min(counts) >= 0 and sum(counts) == height * width, "runs do not fill the image"
    inside, at = set(), 0
    for k, n in enumerate(counts):
        if k % 2:
            inside.update((i // height, i % height) for i in range(at, at + n))
        at += n
    return inside


def box_of(mask):
    xs, ys = [p[0] for p in mask], [p[1] for p in mask]
    return [min(xs), min(ys), max(xs) - min(xs) + 1, max(ys) - min(ys) + 1]


def damage(coco, control):
    first = coco["annotations"][0]
    if control == "box":
        first["bbox"][2] += 1
    elif control == "area":
        first["area"] -= 1
    elif control == "mask":
        first["segmentation"]["counts"] = coco["annotations"][-1]["segmentation"]["counts"]
    elif control == "image":
        first["image_id"] = 10 ** 9


def check_annotation(a, image, categories, masks):
    for key in ("id", "image_id", "category_id", "bbox", "area", "iscrowd", "segmentation"):
        assert key in a, f"annotation without {key}"
    assert a["iscrowd"] in (0, 1) and a["category_id"] in categories
    assert a["segmentation"]["size"] == [image["height"], image["width"]]
    key = (a["segmentation"]["counts"], a["segmentation"]["size"][0])
    if key not in masks:
        masks[key] = decode_mask(a["segmentation"])
    mask = masks[key]
    assert a["area"] == len(mask) > 0, f"annotation {a['id']}: area {a['area']}, mask {len(mask)}"
    assert a["bbox"] == box_of(mask), f"annotation {a['id']}: box {a['bbox']}, mask's {box_of(mask)}"
    assert a["iscrowd"] or (0 <= a["visible"] <= 1 and 0 <= a["lit"] <= 1 and a["distance"] > 0)
    return mask


def check_image(folder, image, annotations, categories, masks, pictures):
    width, height, _ = tiny_png.read(f"{folder}/{image['file_name']}")
    assert (width, height) == (image["width"], image["height"])
    record = json.load(open(f"{folder}/" + image["file_name"].replace("images/", "records/", 1)[:-4] + ".json"))
    if record["instances"] not in pictures:
        pictures[record["instances"]] = tiny_png.read(f"{folder}/{record['instances']}")[2]
        pictures[record["classes"]] = tiny_png.read(f"{folder}/{record['classes']}")[2]
        pictures[record["depth"]] = tiny_png.read(f"{folder}/{record['depth']}")[2]
    numbers, classes = pictures[record["instances"]], pictures[record["classes"]]
    labelled = {(x, y): n for y, row in enumerate(numbers) for x, n in enumerate(row) if n}
    covered, crowd = {}, set()
    for a in annotations:
        mask = check_annotation(a, image, categories, masks)
        if a["iscrowd"]:
            crowd.update(mask)
        else:
            covered.update((p, a["instance"]) for p in mask)
    assert covered == labelled, f"{image['file_name']}: masks and instance image differ"
    # every pixel of a rock is labelled or part of the crowd, and of nothing else
    rocks = {(x, y) for y, row in enumerate(classes) for x, c in enumerate(row) if c == 2}
    assert crowd == {p for p in rocks if p not in labelled}, f"{image['file_name']}: rocks that are neither labelled nor a crowd"
    annotations = [a for a in annotations if not a["iscrowd"]]
    assert all(classes[y][x] >= 2 for x, y in labelled), "a labelled pixel is of no class that is labelled"
    yolo = [line.split() for line in open(f"{folder}/" + image["file_name"].replace("images/", "labels/", 1)[:-4] + ".txt")]
    assert len(yolo) == len(annotations)
    for line, a in zip(yolo, annotations):
        x, y, w, h = (float(v) for v in line[1:])
        want = [(a["bbox"][0] + a["bbox"][2] / 2) / width, (a["bbox"][1] + a["bbox"][3] / 2) / height, a["bbox"][2] / width, a["bbox"][3] / height]
        assert line[0] == str(a["category_id"] - 1) and max(abs(p - q) for p, q in zip((x, y, w, h), want)) < 1e-6
    camera = record["camera"]
    r = camera["R_SW"]
    for i in range(3):
        for k in range(3):
            assert abs(sum(r[i][m] * r[k][m] for m in range(3)) - (i == k)) < 1e-12
    return record


def check_stereo(records):
    """Left and right differ by the baseline along the camera's x axis, and share Sun and exposure."""
    pairs = {}
    for r in records:
        pairs.setdefault(r["pair"], {})[r["camera"]["side"]] = r
    for pair in pairs.values():
        left, right = pair["left"], pair["right"]
        axis = left["camera"]["R_SW"][0]
        step = [b - a for a, b in zip(left["camera"]["position_W_m"], right["camera"]["position_W_m"])]
        assert max(abs(s - left["camera"]["baseline_m"] * a) for s, a in zip(step, axis)) < 1e-8
        assert left["sun"] == right["sun"] and left["exposure_s"] == right["exposure_s"]
    return len(pairs)


def main(folder, control=None):
    terrains, total, records = {}, 0, []
    for split in ("train", "test"):
        coco = json.load(open(f"{folder}/annotations/{split}.json"))
        if control and coco["annotations"] and split == "train":
            damage(coco, control)
        assert {"info", "images", "annotations", "categories"} <= set(coco)
        images, categories = {i["id"]: i for i in coco["images"]}, {c["id"] for c in coco["categories"]}
        assert len(images) == len(coco["images"]), "image ids are not unique"
        assert len({a["id"] for a in coco["annotations"]}) == len(coco["annotations"]), "annotation ids are not unique"
        by_image = {i: [] for i in images}
        for a in coco["annotations"]:
            assert a["image_id"] in by_image, "annotation of an image that is not there"
            by_image[a["image_id"]].append(a)
        masks, pictures = {}, {}
        for i, image in images.items():
            records.append(check_image(folder, image, by_image[i], categories, masks, pictures))
        files = {os.path.relpath(f"{base}/{f}", folder) for base, _, names in os.walk(f"{folder}/images/{split}") for f in names}
        assert files == {i["file_name"] for i in images.values()}, "images and entries differ"
        terrains[split] = {f.split("/")[2] for f in files}
        total += len(coco["annotations"])
    if control == "split":
        terrains["train"] |= terrains["test"]
    assert terrains["train"] and terrains["test"] and not terrains["train"] & terrains["test"], "a terrain is in both splits"
    print(f"{check_stereo(records)} stereo pairs, {total} annotations hold")


if __name__ == "__main__":
    main(*sys.argv[1:])
