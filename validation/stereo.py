#!/usr/bin/python3
"""A classical stereo matcher on Tycho's stereo pairs: depth error per rock, without and with a camera's noise.

    scripts/setup validation
    validation/stereo.py [--out out/stereo] [--set KEY=VALUE]...

Makes datasets/stereo.yaml (each exposure without and with the camera's noise), finds disparities with OpenCV's StereoSGBM
[hirschmuller2008], turns them into depth by [lunar] (9), and lets `tycho score depth` judge. Writes table.csv, rocks.csv, stereo.png,
rocks.png and examples.png into the folder, and the tables of docs/stereo.md (tables.md, mixtures.md, stereo_rocks.csv). What came out is told in docs/stereo.md.
"""
import argparse
import csv
import json
import os
import subprocess
import sys

import cv2
import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt

DISPARITIES = 96  # [px] a rock at 1.3 m
HEADER = ["chain", "azimuth_deg", "elevation_deg", "exposure_ms", "of_automatic", "rocks", "DER_rocks_%", "median_DER_rocks_%",
          "found_%", "coverage_%", "DER_pixels_%"]


def stretch(image):
    """16 bits proportional to light to the 8 bits a matcher takes: the brightest 0.5 % white, gamma 2.2, as one would look at it."""
    white = max(np.percentile(image, 99.5), 1.0)
    return np.uint8(np.round(255 * np.clip(image / white, 0, 1) ** (1 / 2.2)))


def match(left, right, camera):
    """Depth [mm], 0 where the matcher found none."""
    block = 5
    sgbm = cv2.StereoSGBM_create(minDisparity=0, numDisparities=DISPARITIES, blockSize=block, P1=8 * block * block,
                                 P2=32 * block * block, disp12MaxDiff=1, uniquenessRatio=10, speckleWindowSize=100,
                                 speckleRange=2, mode=cv2.STEREO_SGBM_MODE_HH)
    disparity = sgbm.compute(left, right).astype(np.float64) / 16
    with np.errstate(divide="ignore"):
        depth = np.where(disparity > 0, camera["baseline_m"] * camera["fx"] / disparity, 0)  # [lunar] (9)
    return np.uint16(np.where(depth < 65.535, np.round(1000 * depth), 0))


def records(folder):
    """The JSON of every left image."""
    for base, _, files in sorted(os.walk(f"{folder}/records")):
        for name in sorted(files):
            if "_L_" in name:
                with open(f"{base}/{name}") as f:
                    yield json.load(f)


def predict(folder, out):
    """One folder of depth maps per light and exposure; returns what each of them is, by its path."""
    kinds = {}
    for r in records(folder):
        name = os.path.splitext(os.path.basename(r["images"][0]["file_name"]))[0]
        kind = "_".join(name.split("_")[2:5] + name.split("_")[6:])
        target = f"{out}/{kind}"
        path = r["depth"].replace("depth/", f"{target}/", 1)
        if not os.path.exists(path):
            image = [cv2.imread(f"{folder}/" + r["images"][0]["file_name"].replace("_L_", f"_{side}_"), cv2.IMREAD_UNCHANGED)
                     for side in "LR"]
            os.makedirs(os.path.dirname(path), exist_ok=True)
            cv2.imwrite(path, match(stretch(image[0]), stretch(image[1]), r["camera"]))
        about = kinds.setdefault(target, {"chain": r["chain"], "light": "_".join(kind.split("_")[:3]), "auto": "_auto" in kind, "azimuth": round(r["sun"]["azimuth_from_camera_deg"]) % 360,
                                          "elevation": r["sun"]["elevation_deg"], "exposure": []})
        about["exposure"].append(r["exposure_s"])
    return kinds


def judge(tycho, folder, kinds, out):
    subprocess.run([tycho, "score", "depth", folder, *kinds, "-o", f"{out}.json", "--quiet"], check=True)
    with open(f"{out}.json") as f:
        return {p["predictor"]: p for p in json.load(f)["predictors"]}


def all_rocks(score):
    return [dict(rock, image=image["name"]) for image in score["images"] for rock in image["rocks"]]


def percent(share):
    return "" if share is None else f"{100 * share:.2f}"


def tabulate(tycho, out):
    rows, rocks = [], []
    kinds = predict(f"{out}/set", f"{out}/depth")
    scores = judge(tycho, f"{out}/set", kinds, f"{out}/score")
    automatic = {k["light"]: np.mean(k["exposure"]) for k in kinds.values() if k["auto"]}
    for target, kind in sorted(kinds.items(), key=lambda k: (k[1]["chain"], k[1]["azimuth"], k[1]["elevation"], -np.mean(k[1]["exposure"]))):
        score, exposure = scores[target], np.mean(kind["exposure"])
        found = all_rocks(score)
        errors = [r["DER"] for r in found if r["DER"] is not None]
        share = "1" if kind["auto"] else f"{exposure / automatic[kind['light']]:.4g}"
        rows.append([kind["chain"], kind["azimuth"], kind["elevation"], f"{1e3 * exposure:.4g}", share, len(found),
                     percent(score["DER_rocks"]), percent(np.median(errors) if errors else None), percent(score["success_rate"]),
                     percent(score["coverage"]), percent(score["DER_images"])])
        rocks += [[kind["chain"], kind["azimuth"], kind["elevation"], share, r["image"], r["instance"], r["pixels"],
                   f"{r['depth_m']:.3f}", "" if r["DER"] is None else f"{100 * r['DER']:.3f}", int(r["success"])] for r in found]
    return rows, rocks


def save(path, header, rows):
    with open(path, "w", newline="") as f:
        csv.writer(f).writerows([header, *rows])


def value(text):
    return float(text) if text != "" else np.nan


def plot(out, rows, rocks):
    rows = [dict(zip(HEADER, r)) for r in rows]
    figure, axes = plt.subplots(2, 2, figsize=(11, 8))
    colors = {0: "#0072b2", 90: "#009e73", 180: "#d55e00"}
    where = {0: "Sun ahead", 90: "Sun beside", 180: "Sun behind"}
    for k, (key, label) in enumerate((("median_DER_rocks_%", "median error of a rock's depth [%]"), ("found_%", "rocks found within 5 % [%]"))):
        for chain, style in (("ideal", "--"), ("physical", "-")):
            for azimuth in (0, 90, 180):
                some = sorted((r for r in rows if r["chain"] == chain and r["azimuth_deg"] == azimuth and r["of_automatic"] == "1"),
                              key=lambda r: r["elevation_deg"])
                axes[0][k].plot([r["elevation_deg"] for r in some], [value(r[key]) for r in some], style, marker="o",
                                color=colors[azimuth], label=f"{where[azimuth]}, {chain}")
        axes[0][k].set(xlabel="Sun's elevation [deg]", ylabel=label, ylim=(0, None))
        for azimuth in (0, 90, 180):
            some = sorted((r for r in rows if r["chain"] == "physical" and r["azimuth_deg"] == azimuth and r["elevation_deg"] == 15
                           and value(r["of_automatic"]) <= 1), key=lambda r: value(r["of_automatic"]))
            axes[1][k].semilogx([value(r["of_automatic"]) for r in some], [value(r[key]) for r in some], "-o", color=colors[azimuth],
                                label=f"{where[azimuth]}, 15 deg high")
            ideal = [value(r[key]) for r in rows if r["chain"] == "ideal" and r["azimuth_deg"] == azimuth and r["elevation_deg"] == 15
                     and r["of_automatic"] == "1"]
            axes[1][k].axhline(ideal[0], ls=":", color=colors[azimuth])
        axes[1][k].set(xlabel="exposure / automatic exposure [-]", ylabel=label, ylim=(0, None))
    axes[0][0].set(title="light (automatic exposure)", yscale="log", ylim=(0.5, None))
    axes[1][0].set_title("noise (dotted: no noise)")
    axes[0][1].legend(fontsize=8)
    axes[1][1].legend(fontsize=8)
    for axis in axes.flat:
        axis.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(f"{out}/stereo.png", dpi=110)

    figure, axes = plt.subplots(1, 2, figsize=(11, 4.2), sharey=True)
    for axis, chain in zip(axes, ("ideal", "physical")):
        for azimuth in (0, 90, 180):
            some = [(value(r[7]), value(r[8])) for r in rocks if r[0] == chain and r[1] == azimuth and r[2] == 15 and r[3] == "1"]
            axis.loglog(*np.transpose(some), "o", ms=3.5, color=colors[azimuth], label=where[azimuth], alpha=0.7)
        near, focal = np.array([2.0, 40.0]), 415.7
        axis.loglog(near, 100 * near / (0.3 * focal) * 0.25, "k-", lw=1, label="a quarter of a pixel")
        axis.axhline(5, color="gray", ls="--", lw=1)
        axis.set(title=f"{chain}, 15 deg high, automatic exposure", xlabel="depth of the rock [m]")
        axis.grid(alpha=0.3)
    axes[0].set(ylabel="error of its depth [%]")
    axes[1].legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(f"{out}/rocks.png", dpi=110)


def page(out, rows, rocks):
    """The two tables of docs/stereo.md in tables.md, and docs/stereo_rocks.csv: each rock at 15 degrees, automatic exposure."""
    by = {}
    for chain, azimuth, elevation, share, image, instance, pixels, depth, error, _ in rocks:
        if elevation == 15 and share == "1":
            by.setdefault((os.path.basename(image), instance, pixels, depth), {})[chain, azimuth] = error
    lights = [(chain, azimuth) for chain in ("ideal", "physical") for azimuth in (0, 90, 180)]
    save(f"{out}/stereo_rocks.csv", ["image", "instance", "pixels", "depth_m", *(f"DER_{c}_{a}_%" for c, a in lights)],
         [[*rock, *(errors.get(light, "") for light in lights)] for rock, errors in by.items()])
    lines = ["| depth of the rock [m] | rocks | ideal, Sun ahead | beside | behind | physical, ahead | beside | behind |", "|---" * 8 + "|"]
    for name, low, high in (("below 4", 0, 4), ("4 to 8", 4, 8), ("8 to 16", 8, 16), ("above 16", 16, np.inf)):
        some = [errors for rock, errors in by.items() if low <= float(rock[3]) < high]
        cells = [f"{np.nanmedian([value(e.get(light, '')) for e in some]):.2f} %" if some else "" for light in lights]
        lines.append(f"| {name} | {len(some)} | " + " | ".join(cells) + " |")
    lines += ["", "| Sun | elevation [deg] | ideal: error | found | pixels | physical: error | found | pixels |", "|---" * 8 + "|"]
    rows = [dict(zip(HEADER, r)) for r in rows if r[4] == "1"]
    for azimuth, name in ((0, "ahead"), (90, "beside"), (180, "behind")):
        for elevation in sorted({r["elevation_deg"] for r in rows}):
            cells = [f"{value(r[key]):.{digits}f} %" for chain in ("ideal", "physical") for r in rows
                     if (r["chain"], r["azimuth_deg"], r["elevation_deg"]) == (chain, azimuth, elevation)
                     for key, digits in (("median_DER_rocks_%", 1), ("found_%", 0), ("coverage_%", 0))]
            lines.append(f"| {name} | {elevation:g} | " + " | ".join(cells) + " |")
    with open(f"{out}/tables.md", "w") as f:
        f.write("\n".join(lines) + "\n")


def mixtures(out, rocks):
    """Seven mixtures of light and noise over the same rocks, Sun 15 degrees high, in mixtures.md, as [lunar] table 2 has rows: mean of [lunar] (10) over the rocks, its median, share within 5 %."""
    shortest = min((value(r[3]) for r in rocks if r[:3] == ["physical", 90, 15]), default=1.0)
    lines = ["| light and noise | rocks | mean error | median | mean of those within 5 % | within 5 % |", "|---" * 6 + "|"]
    for chain, azimuth, short in [*((c, a, False) for c in ("ideal", "physical") for a in (90, 0, 180)), ("physical", 90, True)]:
        some = [r for r in rocks if r[0] == chain and r[1] == azimuth and r[2] == 15 and (value(r[3]) == shortest if short else r[3] == "1")]
        errors, good = np.array([value(r[8]) for r in some]), np.array([r[9] for r in some], bool)
        where = {0: "ahead", 90: "beside", 180: "behind"}[azimuth]
        if len(some) and not (short and shortest == 1.0):
            lines.append(f"| {chain}, Sun {where}{f', exposure {shortest:.3f} of the automatic one' if short else ''} | {len(some)} | {np.nanmean(errors):.2f} % | {np.nanmedian(errors):.2f} % | "
                         f"{np.mean(errors[good]):.2f} % | {100 * np.mean(good):.1f} % |")
    with open(f"{out}/mixtures.md", "w") as f:
        f.write("\n".join(lines) + "\n")


def examples(out):
    """Left image, truth and what the matcher found, for the three azimuths at 15 degrees."""
    figure, axes = plt.subplots(3, 4, figsize=(13, 6.6), gridspec_kw={"hspace": 0.05, "wspace": 0.05})
    r0 = [r for r in records(f"{out}/set") if r["depth"].endswith("T01_C01_L.png") and r["chain"] == "physical"]
    for line, azimuth in zip(axes, (0, 90, 180)):
        r = next(r for r in r0 if round(r["sun"]["azimuth_from_camera_deg"]) % 360 == azimuth and r["sun"]["elevation_deg"] == 15
                 and "_auto" in r["images"][0]["file_name"])
        image = cv2.imread(f"{out}/set/" + r["images"][0]["file_name"], cv2.IMREAD_UNCHANGED)
        truth = cv2.imread(f"{out}/set/" + r["depth"], cv2.IMREAD_UNCHANGED) / 1000
        kind = "_".join(os.path.basename(r["images"][0]["file_name"])[:-4].split("_")[i] for i in (2, 3, 4, 6))
        found = cv2.imread(f"{out}/depth/{kind}/" + r["depth"].split("/", 1)[1], cv2.IMREAD_UNCHANGED) / 1000
        error = 100 * np.abs(found - truth) / np.where(truth > 0, truth, np.nan)
        line[0].imshow(stretch(image), cmap="gray")
        line[1].imshow(np.where(truth > 0, truth, np.nan), cmap="viridis_r", norm=matplotlib.colors.LogNorm(2, 60))
        line[2].imshow(np.where(found > 0, found, np.nan), cmap="viridis_r", norm=matplotlib.colors.LogNorm(2, 60))
        last = line[3].imshow(np.where((found > 0) & (truth > 0), error, np.nan), cmap="magma", vmin=0, vmax=10)
        line[0].set_ylabel(f"Sun at {azimuth} deg")
        for axis, title in zip(line, ("left image, physical", "true depth", "depth found", "error [%], 0 to 10")):
            axis.set(xticks=[], yticks=[])
            if azimuth == 0:
                axis.set_title(title)
    figure.colorbar(last, ax=axes, shrink=0.5)
    figure.savefig(f"{out}/examples.png", dpi=80, bbox_inches="tight")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", default="out/stereo")
    parser.add_argument("--tycho", default="build/tycho")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a key of datasets/stereo.yaml")
    options = parser.parse_args()
    subprocess.run([options.tycho, "dataset", "datasets/stereo.yaml", "-o", f"{options.out}/set",
                    *(word for setting in options.set for word in ("--set", setting))], check=True)
    rows, rocks = tabulate(options.tycho, options.out)
    save(f"{options.out}/table.csv", HEADER, rows)
    save(f"{options.out}/rocks.csv", ["chain", "azimuth_deg", "elevation_deg", "of_automatic", "image", "instance", "pixels", "depth_m", "DER_%", "found"],
         rocks)
    plot(options.out, rows, rocks)
    examples(options.out)
    page(options.out, rows, rocks)
    mixtures(options.out, rocks)
    print("| " + " | ".join(HEADER) + " |\n|" + "---|" * len(HEADER))
    for row in rows:
        print("| " + " | ".join(str(v) for v in row) + " |")


if __name__ == "__main__":
    sys.exit(main())
