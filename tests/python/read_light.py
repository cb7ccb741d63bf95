"""Frames to the Sun, away from it and across, of one run: one tone curve, the Sun in view, nothing that is lit is black.

    read_light.py RUN [--control curves]

The control stretches one frame for itself: then the script must fail.
"""
import sys

import cv2
import numpy as np
from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory

run, control = sys.argv[1], len(sys.argv) > 3
light = {}
with open(f"{run}/run.mcap", "rb") as f:
    for _, channel, _, m in make_reader(f, decoder_factories=[DecoderFactory()]).iter_decoded_messages():
        if channel.topic.endswith("/eye/image_raw"):
            light[channel.topic.split("/")[1]] = np.frombuffer(m.data, np.float32).reshape(m.height, m.width)
radiance, byte = [], []
for way in ("up", "down", "cross"):
    stem = f"{run}/{way}/frames/eye_0000000"
    picture, kind, sun = (cv2.imread(f"{stem}{e}.png", cv2.IMREAD_UNCHANGED) for e in ("", "_class", "_sun"))
    if control and way == "up":
        picture = np.clip(picture.astype(float) * 1.2, 0, 255).astype(np.uint8)
    lit = ((kind == 1) | (kind == 2)) & (sun > 65000)
    print(f"{way}: lit ground from {picture[lit].min()}, median {np.median(picture[lit]):.0f}, {100 * (picture[lit] == 255).mean():.1f} % white of {lit.sum()} pixels")
    assert lit.sum() > 2000 and picture[lit].min() > 15 and (picture[lit] == 255).mean() < 0.1, way
    radiance.append(light[way].ravel()), byte.append(picture.ravel())
assert light["up"].max() > 1e6, "the Sun is not in view"
radiance, byte = np.concatenate(radiance), np.concatenate(byte).astype(int)
order = np.argsort(radiance, kind="stable")
steps = np.diff(byte[order])
equal = np.diff(radiance[order]) <= 1e-6 * radiance[order][1:]
assert (steps[~equal] >= 0).all(), f"{(steps[~equal] < 0).sum()} pixels are on another curve"
