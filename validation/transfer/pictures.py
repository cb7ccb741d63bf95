"""Pictures and their labels, photographs and rendered alike: grey 0 to 1 as displayed, classes ground, sky, small and large rock."""
import glob
import os
import re

import numpy as np
from PIL import Image

GROUND, SKY, SMALL, LARGE = range(4)
FULL = (423, 310)        # pixels of the photographs' masks
LARGE_PX = 250           # of a mask: 92 % of the authors' larger rocks are above, 80 % of their smaller ones below
LEAST_PX = 30            # the smallest that they marked
# pictures of one scene are left out together: the same rocks under two Suns, or in frames that overlap
SCENES = {"TCAM4": "a", "TCAM16": "a", "TCAM6": "b", "TCAM10": "b", "TCAM11": "b"}
# parts of lander and rover in view, by eye: boxes of columns and rows (left, top, right, bottom); the masks have no class for them
VOID = 255
CRAFT = {
    "TCAM3": [(266, 186, 423, 310)],
    "TCAM6": [(252, 202, 384, 310), (0, 284, 423, 310)],
    "TCAM10": [(216, 222, 414, 310)],
    "TCAM11": [(170, 90, 210, 226), (153, 216, 248, 310), (0, 226, 74, 310)],
}


def normalised(grey):
    """Brightness over what 5 % of the pixels exceed: exposure and stretch of the photographs are unknown."""
    return np.clip(grey / max(np.percentile(grey, 95), 1e-3), 0, 1.6).astype(np.float32)


def photographs(folder, width, height):
    """The labelled Chang'e-3 pictures: names, pictures (width x height), masks (423 x 310)."""
    names, pictures, masks = [], [], []
    for path in sorted(glob.glob(f"{folder}/change3/g_*.png"), key=lambda p: [int(t) if t.isdigit() else t for t in re.split(r"(\d+)", p)]):
        name = os.path.basename(path)[2:-4]
        picture = Image.open(f"{folder}/change3/{name}.png").convert("L")
        if picture.width > FULL[0]:                    # the outermost rows of the larger ones are coloured
            edge = 2
            picture = picture.crop((edge, edge, picture.width - edge, picture.height - edge))
        grey = np.asarray(picture.resize((width, height), Image.Resampling.BOX), np.float32) / 255
        names.append(name)
        pictures.append(normalised(grey))
        mask = np.array(Image.open(path)).astype(np.uint8)
        for left, top, right, bottom in CRAFT.get(name, []):
            part = mask[top:bottom, left:right]
            part[part == GROUND] = VOID
        masks.append(mask)
    return names, np.stack(pictures), np.stack(masks)


def small_mask(mask, width, height):
    """A mask at the network's size: the class that holds most of a pixel; the craft are ground, as their authors left them."""
    shares = [np.asarray(Image.fromarray(np.float32(mask == k)).resize((width, height), Image.Resampling.BOX)) for k in range(4)]
    return np.argmax(shares, axis=0).astype(np.uint8)


def rendered(folder, views, chain, split):
    """Pictures of a set with masks of the same rule: rocks by their pixels, those too small to be marked are ground."""
    pictures, masks = [], []
    for view in views:
        end = "auto_ideal" if chain == "ideal" else "auto"
        for path in sorted(glob.glob(f"{folder}/{view}/images/{split}/*/*_{end}.png")):
            grey = np.asarray(Image.open(path).convert("L"), np.float32) / 255
            truth = re.sub(r"_R\d.*?_([LR])_.*$", r"_\1.png", path)
            classes = np.asarray(Image.open(truth.replace("/images/", "/classes/", 1)))
            rocks = np.asarray(Image.open(truth.replace("/images/", "/instances/", 1))).astype(np.int64)
            scale = grey.size / (FULL[0] * FULL[1])
            area = np.bincount(rocks.ravel(), minlength=1)[rocks]
            mask = np.where(classes == 0, SKY, GROUND)
            rock = (classes == 2) & (rocks > 0) & (area >= LEAST_PX * scale)   # rocks too small for a label have no number
            mask[rock] = np.where(area[rock] >= LARGE_PX * scale, LARGE, SMALL)
            pictures.append(normalised(grey))
            masks.append(mask.astype(np.uint8))
    return np.stack(pictures), np.stack(masks)


def exists(folder, part):
    return os.path.exists(f"{folder}/{part}.done")
