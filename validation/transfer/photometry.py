"""Photometry: shadow, spread and phase of every kind of ground beside three frames of Apollo 11, and the light that fills shadows beside one of Apollo 17.

Views, Suns and crops are those of validation/eye_height.sh, which has the same for mare ground at full size; here pictures of 500 x 490 pixels, the
film at 4 of its pixels a pixel, decoded with a gamma of 2.2 (an assumption).
"""
import csv
import glob
import hashlib
import json
import os
import subprocess

import numpy as np
from patches import FRAMES, PLACES, film
from PIL import Image

KINDS = ("mare", "highland", "polar_ridge", "polar_floor", "pyroclastic")
PHASES = np.arange(5, 50, 5)              # [deg]
ANTISOLAR, FOCAL = (309 / 4, 1390 / 4), 2226 / 4   # AS11-40-5961: pixel that the Sun's light goes to


def crop(light, frame):
    x, y, w, h = (v // 4 for v in FRAMES[frame][2])
    return light[y:y + h, x:x + w]


def spread(light, frame):
    """Share below 0.15 of the median, 10 and 90 % value over the median."""
    part = crop(light, frame)
    middle = np.median(part)
    return float(np.mean(part < 0.15 * middle)), *(float(np.percentile(part, q) / middle) for q in (10, 90))


def by_phase(light):
    """Medians from 5 to 45 deg of phase angle over the first."""
    rows, columns = np.mgrid[:light.shape[0], :light.shape[1]]

    def ray(x, y):
        return np.stack([x - light.shape[1] / 2, y - light.shape[0] / 2, FOCAL + 0 * x], -1)
    away, pixel = ray(np.float64(ANTISOLAR[0]), np.float64(ANTISOLAR[1])), ray(columns + 0.5, rows + 0.5)
    phase = np.degrees(np.arccos(pixel @ away / np.linalg.norm(pixel, axis=-1) / np.linalg.norm(away)))
    phase, light = crop(phase, "AS11-40-5961"), crop(light, "AS11-40-5961")
    medians = [np.median(light[(phase >= a) & (phase < b)]) for a, b in zip(PHASES[:-1], PHASES[1:])]
    return [float(m / medians[0]) for m in medians]


def draw(tycho, scenario, path, *more):
    if not os.path.exists(path):
        subprocess.run([tycho, "render", scenario, "--samples", "16", "--linear", "--quiet", "-o", path + ".part.png", *more], check=True, stdout=subprocess.DEVNULL)
        for end in ("_class.png", "_shadow.png"):
            if os.path.exists(f"{path}.part{end}"):
                os.replace(f"{path}.part{end}", path[:-4] + end)
        os.replace(path + ".part.png", path)
    return np.asarray(Image.open(path), np.float64)


def renew(tycho, file, base, say):
    """Pictures of a kind go where the program makes its ground otherwise by now."""
    subprocess.run([tycho, "render", file, "--eye=0,0,1.4", "--look=36,-11", "--sun=0,15", "--size", "96x64", "--samples", "1", "--detail", "256", "--linear", "--quiet",
                    "-o", f"{base}_probe.png"], check=True, stdout=subprocess.DEVNULL)
    with open(f"{base}_probe.png", "rb") as f:
        now = hashlib.sha256(f.read()).hexdigest()[:16]
    if os.path.exists(f"{base}.made_of") and open(f"{base}.made_of").read() != now:
        say(f"  {base}: made by another program, again")
        for path in glob.glob(f"{base}_AS11*.png"):
            os.remove(path)
    with open(f"{base}.made_of", "w") as f:
        f.write(now)


def scenario(kind, path):
    content = {"version": 1, "name": kind, "site": {"lat_deg": 0.674, "lon_deg": 23.473}, "start_utc": "2027-03-16T00:00:00",
               "terrain": {"kind": kind, "extent": 10000, "seed": 44, "craters": {"age_gyr": 3.5}}}
    with open(path, "w") as f:
        json.dump(content, f)
    return path


# AS17-138-21030, a boulder of some 2 m across the Sun (27.3 deg high): a shaded wall in a cleft, which lit rock and soil face; lit rock beside it; shadow on the soil. x, y, width, height [px of 2340]
BOULDER = {"wall": (1222, 1196, 182, 104), "lit": (1456, 858, 364, 286), "soil": (572, 2080, 208, 156)}


def boulders(path):
    """Three boulders beside each other: the largest one's shaded side faces a lit one and lit soil."""
    rocks = [{"name": "large", "at": [0.8, 4.4], "size": 2.4, "shape": 35, "burial": 0.3}, {"name": "beside", "at": [-1.2, 4.0], "size": 2.0, "shape": 41, "burial": 0.3},
             {"name": "small", "at": [-0.1, 3.0], "size": 0.8, "shape": 44, "burial": 0.3}]
    content = {"version": 1, "name": "boulders", "site": {"lat_deg": 20.1, "lon_deg": 30.7}, "start_utc": "2027-03-16T00:00:00",
               "terrain": {"kind": "highland", "extent": 2000, "seed": 17, "rocks": {"enabled": False}}, "rocks": rocks}
    with open(path, "w") as f:
        json.dump(content, f)
    return path


def fill_light(tycho, folder, photos):
    """What, quartiles over the median of lit rock: shaded wall, shadow on soil. Of the film, and of ours by how many surfaces light has met."""
    rows, file, base = [], boulders(f"{folder}/photometry/boulders.yaml"), f"{folder}/photometry/boulders"
    frame = f"{photos}/apollo17_st2/AS17-138-21030HR.jpg"
    if os.path.exists(frame):
        light = (np.asarray(Image.open(frame).convert("L"), np.float64) / 255) ** 2.2
        part = {name: light[y:y + h, x:x + w] for name, (x, y, w, h) in BOULDER.items()}
        rows.append(("film", *(np.percentile(part[name], (25, 50, 75)) / np.median(part["lit"]) for name in ("wall", "soil"))))
    for depth in (1, 2, 3, 5):
        subprocess.run([tycho, "render", file, "--eye=0,0,1.6", "--look=0,-8", "--sun", "110,27.3", "--fov", "55", "--size", "480x480", "--samples", "64", "--depth", str(depth),
                        "--white", "60", "--linear", "--truth", "--quiet", "-o", f"{base}_{depth}.png"], check=True, stdout=subprocess.DEVNULL)
        light, which, sun = (np.asarray(Image.open(f"{base}_{depth}{end}.png"), np.float64) for end in ("", "_instance", "_sun"))
        large, soil = which == 2, which == 1   # 0 is the sky, 1 the ground, then rocks as they are named
        lit = np.median(light[large & (sun == sun.max())])
        rows.append((f"{depth}", *(np.percentile(light[part & (sun == 0)], (25, 50, 75)) / lit for part in (large, soil))))
    return rows


def all_of_it(tycho, folder, photos, say, places=(1, 3)):
    """Lines of a table; one for the film, one for each kind, means over two of eye_height.sh's places."""
    os.makedirs(f"{folder}/photometry", exist_ok=True)
    frames = list(FRAMES)
    head = " | ".join(f"{f}: below 0.15, 10 %, 90 %" for f in frames[:2])
    lines = [f"| ground | {head} | {frames[2]}: phase 10, 15 .. 40 deg over 5 |", "|---|---|---|---|"]

    table = []

    def row(title, spreads, phases):
        table.append([title.replace(",", ""), *(f"{v:.4f}" for s in spreads for v in s), *(f"{p:.4f}" for p in phases[1:])])
        cells = [f"{100 * a:.1f} %, {b:.2f}, {c:.2f}" for a, b, c in spreads]
        lines.append(f"| {title} | {' | '.join(cells)} | {' '.join(f'{p:.2f}' for p in phases[1:])} |")
    if os.path.isdir(f"{photos}/apollo"):
        light = {f: film(f"{photos}/apollo/{f}.jpg") ** 2.2 for f in frames}
        row("film, Apollo 11", [spread(light[f], f) for f in frames[:2]], by_phase(light[frames[2]]))
    for kind in KINDS:
        say(f"  photometry: {kind}")
        file = scenario(kind, f"{folder}/photometry/{kind}.yaml")
        renew(tycho, file, f"{folder}/photometry/{kind}", say)
        light = {(f, i): draw(tycho, file, f"{folder}/photometry/{kind}_{f}_{i}.png", f"--eye={PLACES[i]},1.4", f"--look={FRAMES[f][0]}", "--sun", FRAMES[f][1],
                              "--fov", "48.4", "--size", "500x490") for f in frames for i in places}
        row(kind, [np.mean([spread(light[f, i], f) for i in places], axis=0) for f in frames[:2]], np.mean([by_phase(light[frames[2], i]) for i in places], axis=0))
    with open(f"{folder}/photometry.md", "w") as f:
        f.write("\n".join(lines) + "\n")
    with open(f"{folder}/photometry.csv", "w", newline="") as f:
        csv.writer(f, lineterminator="\n").writerows([["ground", *(f"{n} {f}" for f in ("5937", "5851") for n in ("dark", "p10", "p90")), *(f"phase {p}" for p in PHASES[1:-1])], *table])
    say("  photometry: fill light")
    fill = fill_light(tycho, folder, photos)
    lines = ["| light | shaded wall over lit rock: quartiles | shadow on the soil |", "|---|---|---|"]
    for name, wall, soil in fill:
        title = "film, AS17-138-21030" if name == "film" else f"ours, {name} surface{'s' if name != '1' else ', from the Sun alone'}"
        lines.append(f"| {title} | " + " | ".join(" ".join(f"{v:.3f}" for v in part) for part in (wall, soil)) + " |")
    with open(f"{folder}/fill.md", "w") as f:
        f.write("\n".join(lines) + "\n")
    with open(f"{folder}/fill.csv", "w", newline="") as f:
        csv.writer(f, lineterminator="\n").writerows([["light", "wall 25 %", "wall", "wall 75 %", "soil 25 %", "soil", "soil 75 %"], *([n, *(f"{v:.4f}" for v in (*wall, *soil))] for n, wall, soil in fill)])
