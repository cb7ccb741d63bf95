"""Reads a data set in colour with OpenCV and pycocotools.

    read_dataset.py FOLDER [--control grey]

The control takes the red channel for all three: then the Moon has no colour, and the script must fail.
"""
import glob
import os
import sys

os.environ["OPENCV_IO_ENABLE_OPENEXR"] = "1"
import cv2  # noqa: E402
import numpy as np  # noqa: E402
from pycocotools.coco import COCO  # noqa: E402

folder, control = sys.argv[1], len(sys.argv) > 3
failed, ratios, images, masks = 0, [], 0, 0


def want(what, ok, got=""):
    global failed
    if not ok:
        failed += 1
        print(f"{what}: {got}")


for file in glob.glob(f"{folder}/annotations/*.json"):
    sys.stdout, real = open(os.devnull, "w"), sys.stdout
    coco = COCO(file)
    sys.stdout = real
    for image in coco.imgs.values():
        images += 1
        path = f"{folder}/{image['file_name']}"
        picture = cv2.imread(path, cv2.IMREAD_UNCHANGED)
        want(path, picture is not None and picture.shape == (image["height"], image["width"], 3), "" if picture is None else picture.shape)
        if control:
            picture = np.repeat(picture[..., 2:], 3, axis=2)
        light = (picture / 255.0) ** 2.2
        lit = (picture.min(axis=2) > 40) & (picture.max(axis=2) < 250)
        ratios.append(light[lit].mean(axis=0)[::-1] / light[lit].mean(axis=0)[1]) # red, green, blue over green
        for a in coco.loadAnns(coco.getAnnIds(image["id"])):
            mask = coco.annToMask(a)
            masks += 1
            want("area", int(mask.sum()) == a["area"], (int(mask.sum()), a["area"]))
red, _, blue = np.mean(ratios, axis=0)
print(f"{images} images, {masks} masks; ground: red {red:.3f}, blue {blue:.3f} of green")
# ROLO's reflectances of the Moon, 600 to 700 and 400 to 500 nm over 500 to 600 nm: 1.21 and 0.79 [kieffer2005]; efficiencies of each colour
# reach into its neighbours, so that it is less
want("the Moon is a little red", 1.05 < red < 1.25 and 0.75 < blue < 0.97, (red, blue))
sys.exit(1 if failed or not images or not masks else 0)
