"""The rendered sets of the study: cameras of Yutu and of its lander over six sites, by `tycho dataset`.

A set is four data sets, one for each view, of the same sites. Numbers of cameras and Sun are those that the photographs
came with (README of the photographs); what is not known there is said in docs/transfer.md.
"""
import hashlib
import json
import math
import os
import shutil
import subprocess

import numpy as np

WIDTH, HEIGHT = 208, 152  # half of the masks' 423 x 310, divisible by 8 for the network
# field of view across [deg], elevation of the axis [deg], height [m], focus [m]
VIEWS = {
    "pcam_near": (19.7, -15.0, (1.4, 1.6), 6.0),
    "pcam_far": (19.7, -6.5, (1.4, 1.6), 12.0),
    "tcam_near": (22.9, -14.0, (2.8, 3.2), 12.0),
    "tcam_far": (22.9, 0.5, (2.8, 3.2), 30.0),
}
HALVES = 1                                                    # specifications of a view, each with a place on every site and Suns of its own
STRATA = 8                                                    # equal parts of the Sun's elevations, each specification has one
ELEVATIONS = (7.0, 47.0)                                      # [deg] of the Sun: Chang'e-3's first two days
FIXED_SUN = (225.0, 30.0)                                     # azimuth from where the camera looks, elevation: behind its left shoulder
COVERS = (0.012, 0.03, 0.06)                                  # share of the ground under rocks: a mare's, and rims of craters
TRAIN, TEST = 5, 1                                            # sites
CHAINS = ("physical", "ideal")

# ground: which program makes it; law of light; whether Sun and albedo are drawn
SETS = {
    "old": {"ground": "old", "law": "hapke", "drawn": True},
    "new": {"ground": "new", "law": "hapke", "drawn": True},
    "new_lambert": {"ground": "new", "law": "lambert", "drawn": True},
    "new_fixed": {"ground": "new", "law": "hapke", "drawn": False},
}


def lambert_albedo(w):
    """Diffusive reflectance of scatterers of albedo w [hapke1981]: soil and rocks keep their contrast under the other law."""
    gamma = math.sqrt(1.0 - w)
    return (1.0 - gamma) / (1.0 + gamma)


def scenario(kind, site):
    """One site as a scenario. Site k is the same in all sets, as far as the set leaves it."""
    rng = np.random.default_rng([21, site])
    soil, rock = rng.uniform(0.2, 0.45), rng.uniform(0.0, 1.0)
    rock = soil + (0.9 - soil) * rock                          # at least as bright as the soil
    cover = COVERS[site % len(COVERS)]
    terrain = {"extent": 2000, "seed": 100 + site}
    if kind["ground"] == "old":                                # scenarios/mare_plain.yaml of 5265e9b
        terrain |= {"resolution": 0.01, "relief": {"rms_slope_deg": 3.5, "baseline": 5, "hurst": 0.85, "outer": 500},
                    "craters": {"age_gyr": 3.2, "d_max": 200}, "rocks": {"cover": cover, "d_max": 3}}
    else:
        terrain |= {"kind": "mare", "craters": {"age_gyr": 3.2}, "rocks": {"cover": cover, "d_max": 3}}
    out = {"version": 1, "name": f"site_{site}", "start_utc": "2013-12-20T00:00:00",
           "site": {"lat_deg": 44.12, "lon_deg": -19.51}, "terrain": terrain}
    if kind["law"] == "lambert":
        out["ground"] = {"material": {"law": "lambert", "w": lambert_albedo(soil)}, "rocks": {"w": lambert_albedo(rock)}}
    elif kind["drawn"]:
        out["ground"] = {"material": {"w": soil}, "rocks": {"w": rock}}
    return out


def suns(view, half):
    """Three azimuths, one from each third of the circle, and an elevation from one of eight equal parts."""
    rng = np.random.default_rng([22, sorted(VIEWS).index(view), half])
    azimuths = [120.0 * k + rng.uniform(0, 120) for k in range(3)]
    part = (3 * (sorted(VIEWS).index(view) + len(VIEWS) * half)) % STRATA
    low, high = ELEVATIONS
    return [round(a, 1) for a in azimuths], [round(low + (high - low) * (part + rng.uniform()) / STRATA, 1)]


def specification(kind, view, half, width=WIDTH, height=HEIGHT, samples=8, sites=TRAIN + TEST):
    hfov, look, heights, focus = VIEWS[view]
    azimuths, elevations = suns(view, half) if kind["drawn"] else ([FIXED_SUN[0]], [FIXED_SUN[1]])
    rows = [{"scenario": f"site_{i}.yaml", "split": "train" if i < sites - TEST else "test"} for i in range(sites)]
    return {"version": 1, "name": f"transfer_{view}", "seed": 1000 + 10 * half + sorted(VIEWS).index(view), "sites": rows, "positions": 1, "area": 400,
            "camera": {"width": width, "height": height, "hfov_deg": hfov, "baseline": 0.27, "look_deg": look, "heights": [heights[half]],
                       "chain": "both", "focus": focus, "samples": samples, "exposures_ms": [0]},
            "sun": {"relative": True, "azimuths_deg": azimuths, "elevations_deg": elevations},
            "labels": {"least_pixels": 8}}


def parts():
    return [(view, half, f"{view}_{half}") for half in range(HALVES) for view in VIEWS]


def write(folder, kind, **size):
    """Scenarios and specifications; JSON is YAML."""
    os.makedirs(folder, exist_ok=True)
    sites = size.get("sites", TRAIN + TEST)
    files = {f"site_{i}.yaml": scenario(kind, i) for i in range(sites)}
    files |= {f"{name}.yaml": specification(kind, view, half, **size) for view, half, name in parts()}
    for name, content in files.items():
        path, text = f"{folder}/{name}", json.dumps(content, indent=1) + "\n"
        if not os.path.exists(path) or open(path).read() != text:
            with open(path, "w") as f:
                f.write(text)


def probe(tycho, folder, before=()):
    """A short text that changes when the program makes the first site's ground, rocks or light otherwise: of one tiny picture."""
    path = f"{folder}/probe.png"
    subprocess.run([*before, tycho, "render", f"{folder}/site_0.yaml", "--eye=0,0,1.5", "--look=60,-12", "--sun=20,25", "--size", "96x64", "--samples", "1", "--detail", "256", "--linear",
                    "--quiet", "-o", path], check=True, stdout=subprocess.DEVNULL)
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()[:16]


def made_of(folder):
    """What the whole set was made by; None: it is not whole."""
    said = set()
    for _, _, name in parts():
        if not os.path.exists(f"{folder}/{name}.done"):
            return None
        with open(f"{folder}/{name}.done") as f:
            said.add(f.read())
    return said.pop() if len(said) == 1 else None


def make(tycho, folder, kind, threads=1, say=print, before=(), **size):
    """All data sets of a set. `tycho dataset` goes on where it was stopped; what is whole is left alone, but made again where the program makes other ground by
    now. before: words before the command."""
    write(folder, kind, **size)
    now = probe(tycho, folder, before)
    for _, _, name in parts():
        done, out = f"{folder}/{name}.done", f"{folder}/{name}"
        begun = f"{folder}/{name}.begun"
        was = next((open(p).read() for p in (done, begun) if os.path.exists(p)), now)
        if was != now:
            say(f"  {out}: made by another program, again")
            shutil.rmtree(out, ignore_errors=True)
        if was != now or not os.path.exists(done):
            say(f"  {folder}: {name}")
            with open(begun, "w") as f:
                f.write(now)
            if os.path.exists(done):
                os.remove(done)
            subprocess.run([*before, tycho, "dataset", f"{folder}/{name}.yaml", "-o", out, "--threads", str(threads), "--quiet"], check=True)
            os.replace(begun, done)
