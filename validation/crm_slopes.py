#!/usr/bin/env python3
"""MGRU3 and a wheel as its own in loose GRC-1: slip on slopes with soil that flows (crm) beside scm, bekker and what was measured.

    validation/crm_slopes.py [--tycho build/tycho] [--device] [--out out/crm_slopes] [--models bekker,scm,crm,crm_mn,wheel20,wheel10]
                             [--slopes 0,5,10,15,20,25] [--seconds 9] [--add docs/crm_slopes.csv]

The rover drives scenarios/mgru3_slope.yaml, its wheels at 0.8 rad/s; slip over the last 4 s (or half of a shorter run), counted by the
tips of the lugs (0.25 m), as in the campaigns. crm: patches of 20 mm under its wheels; crm_mn: the
same with strength by Matsuoka and Nakai (lode 1). wheel20, wheel10: `tycho bed wheel` at 20 and 10 mm on level soil, the slope is
that whose tangent is pull over load. Judged up to 15 deg: within 0.10 of the two campaigns (../shared/data/wheel, skipped where it is not
there). Writes slips.csv and slips.svg; --add takes rows of an earlier run, so that a device and a processor can share the work. With --device the two of
crm need minutes on a large GPU; without one hours.
"""
import argparse
import csv
import json
import math
import os
import subprocess
import sys

TIPS, RIM, OMEGA, ALLOWED = 0.25, 0.225, 0.8, 0.10
CAMPAIGNS = ["MGRU3_2021_SLOPElab_GRC1", "MGRU3_2022_SLOPElab_GRC1"]
LOOK = {"bekker": ("#1f77b4", ""), "scm": ("#2ca02c", ""), "crm": ("#d62728", ""), "crm_mn": ("#8c1a1a", ""), "wheel20": ("#d62728", "6,4"),
        "wheel10": ("#9467bd", "6,4")}
NAMES = {"bekker": "MGRU3, bekker", "scm": "MGRU3, scm 20 mm", "crm": "MGRU3, crm 20 mm", "crm_mn": "MGRU3, crm 20 mm, strength by direction", "wheel20": "one wheel, crm 20 mm",
         "wheel10": "one wheel, crm 10 mm"}


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"crm_slopes: {' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


def drive(args, model, slope):
    """slip of the rover over the last part of its way"""
    folder = f"{args.out}/{model}_{slope:g}"
    keys = [f"terrain.slope_deg={slope:g}", f"duration={args.seconds:g}", "soil.model=" + ("scm" if model == "scm" else "bekker")]
    if model.startswith("crm"):
        keys += ["soil.patch.model=crm", "soil.patch.spacing=0.02", f"soil.patch.device={str(args.device).lower()}",
                 "soil.patch.lode=" + ("1" if model == "crm_mn" else "0")]
    command = [args.tycho, "run", "scenarios/mgru3_slope.yaml", "-o", folder, "--no-overview", "--no-mcap", "--quiet"]
    command += ["--backend", "opencl"] if args.device else []
    run(command + [w for k in keys for w in ("--set", k)])
    rows = list(csv.DictReader(open(folder + "/telemetry.csv")))
    end = float(rows[-1]["t_s"])
    rows = [r for r in rows if float(r["t_s"]) >= max(end - 4.0, 0.5 * end) - 1e-6]
    way = float(rows[-1]["way_m"]) - float(rows[0]["way_m"])
    way = way if float(rows[-1]["x_m"]) >= float(rows[0]["x_m"]) else -way
    return 1.0 - way / (float(rows[-1]["t_s"]) - float(rows[0]["t_s"])) / (OMEGA * TIPS)


def lead(args, model):
    """slopes and slips of a wheel led at forced slip; the rig counts slip by the radius at which lugs shear"""
    mu, pitch = math.sin(math.radians(33.4)), 2.0 * math.pi * RIM / 24.0
    wedge = (TIPS - RIM) * math.tan(math.pi / 4.0 + 0.5 * math.atan(mu))
    shear = RIM + min(wedge / pitch, 1.0) * (TIPS - RIM)
    spacing = "0.02" if model == "wheel20" else "0.01"
    command = [args.tycho, "bed", "wheel", "--quiet", "-o", f"{args.out}/{model}", "--set", f"spacing={spacing}", "--set",
               "seconds=4" if model == "wheel20" else "seconds=2.5", "--set", "slip=" + args.slips]
    got = json.loads(run(command + (["--device", "any"] if args.device else [])))
    return [(math.degrees(math.atan(f / got["load_n"])), 1.0 - shear / TIPS * (1.0 - s)) for f, s in zip(got["drawbar_n"], got["slip"])]


def at(points, slope):
    """slip on a slope, on straight lines between points; None outside them"""
    points = sorted(points)
    for (a, p), (b, q) in zip(points, points[1:]):
        if a <= slope <= b and b > a:
            return p + (q - p) * (slope - a) / (b - a)
    return None


def measured():
    path, found = "../shared/data/wheel/mgru3_trec_slope_vs_slip.csv", {name: [] for name in CAMPAIGNS}
    if not os.path.exists(path):
        print(f"{path} is not here: nothing to judge by")
        return None
    for line in open(path):
        cells = line.strip().split(",")
        if cells[0] in found:
            found[cells[0]].append((float(cells[2]), float(cells[1])))
    return found


def judge(model, points, data):
    """worst departure from the band of both campaigns up to 15 deg"""
    worst, where = -1.0, 0.0
    for slope in (0.5, 5.0, 10.0, 15.0):
        slip, seen = at(points, slope), [at(c, slope) for c in data.values()]
        if slip is not None and None not in seen:
            off = max(min(seen) - slip, slip - max(seen))
            worst, where = (off, slope) if off > worst else (worst, where)
    verdict = "no slope below 15 deg" if worst < 0.0 and not where else "inside everywhere" if worst <= ALLOWED else f"outside by {worst - ALLOWED:.3f} at {where:g} deg"
    print(f"{NAMES[model]}: " + " ".join(f"{s:.1f}:{p:.3f}" for s, p in sorted(points)) + f"; {verdict}")


def draw(path, rows, data):
    wide, high, left, low = 720, 460, 60, 400

    def x(slope):
        return left + slope / 35.0 * (wide - left - 20)

    def y(slip):
        return low - min(slip, 1.0) * (low - 20)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" font-family="sans-serif" font-size="13">',
           f'<rect width="{wide}" height="{high}" fill="white"/>']
    for s in range(0, 36, 5):
        out.append(f'<line x1="{x(s):.1f}" y1="20" x2="{x(s):.1f}" y2="{low}" stroke="#ddd"/><text x="{x(s):.1f}" y="{low + 18}" text-anchor="middle">{s}</text>')
    for k in range(0, 11, 2):
        out.append(f'<line x1="{left}" y1="{y(k / 10):.1f}" x2="{wide - 20}" y2="{y(k / 10):.1f}" stroke="#ddd"/><text x="{left - 8}" y="{y(k / 10) + 4:.1f}" text-anchor="end">{k / 10:g}</text>')
    out.append(f'<text x="{(left + wide) / 2}" y="{low + 38}" text-anchor="middle">slope [deg]</text>')
    out.append(f'<text x="18" y="{low / 2}" transform="rotate(-90 18 {low / 2})" text-anchor="middle">slip by the lugs\' tips</text>')
    if data:
        grid = [0.3 + 0.25 * k for k in range(100)]
        band = [(s, [at(c, s) for c in data.values()]) for s in grid]
        band = [(s, min(v), max(v)) for s, v in band if None not in v]
        shape = [(s, b + ALLOWED) for s, _, b in band] + [(s, max(a - ALLOWED, 0.0)) for s, a, _ in reversed(band)]
        out.append('<polygon fill="#eee" points="' + " ".join(f"{x(s):.1f},{y(v):.1f}" for s, v in shape) + '"/>')
        for mark, points in zip(("#000", "#777"), data.values()):
            out += [f'<circle cx="{x(s):.1f}" cy="{y(v):.1f}" r="4" fill="{mark}"/>' for s, v in points]
    for k, (model, (colour, dash)) in enumerate(LOOK.items()):
        points = sorted((s, p) for m, s, p in rows if m == model)
        if points:
            out.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}" points="' +
                       " ".join(f"{x(s):.1f},{y(p):.1f}" for s, p in points) + '"/>')
            out += [f'<rect x="{x(s) - 3:.1f}" y="{y(p) - 3:.1f}" width="6" height="6" fill="{colour}"/>' for s, p in points]
            out.append(f'<line x1="80" y1="{34 + 18 * k}" x2="110" y2="{34 + 18 * k}" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/>'
                       f'<text x="116" y="{38 + 18 * k}">{NAMES[model]}</text>')
    if data:
        out.append('<circle cx="95" cy="146" r="4"/><circle cx="95" cy="164" r="4" fill="#777"/><text x="116" y="150">measured 2021</text>'
                   '<text x="116" y="168">measured 2022</text><rect x="80" y="176" width="30" height="12" fill="#ddd"/>'
                   '<text x="116" y="186">0.10 beside both</text>')
    open(path, "w").write("\n".join(out) + "\n</svg>\n")


def main():
    take = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    take.add_argument("--tycho", default="build/tycho")
    take.add_argument("--device", action="store_true")
    take.add_argument("--out", default="out/crm_slopes")
    take.add_argument("--models", default="bekker,scm,crm,crm_mn,wheel20,wheel10")
    take.add_argument("--slopes", default="0,5,10,15,20,25")
    take.add_argument("--slips", default="0.05,0.1,0.2,0.3,0.45,0.6,0.8")
    take.add_argument("--seconds", type=float, default=9.0)
    take.add_argument("--add")
    args = take.parse_args()
    os.makedirs(args.out, exist_ok=True)
    rows = [(r["model"], float(r["slope_deg"]), float(r["slip"])) for r in csv.DictReader(open(args.add))] if args.add else []
    for model in [m for m in args.models.split(",") if m]:
        if model not in LOOK:
            sys.exit(f"crm_slopes: there is no model '{model}': {', '.join(LOOK)}")
        rows = [r for r in rows if r[0] != model]
        rows += [(model, s, p) for s, p in lead(args, model)] if model.startswith("wheel") else \
                [(model, float(s), drive(args, model, float(s))) for s in args.slopes.split(",")]
    with open(args.out + "/slips.csv", "w") as out:
        out.write("model,slope_deg,slip\n" + "".join(f"{m},{s:.2f},{p:.4f}\n" for m, s, p in rows))
    data = measured()
    for model in LOOK:
        points = [(s, p) for m, s, p in rows if m == model]
        if points and data:
            judge(model, points, data)
    draw(args.out + "/slips.svg", rows, data)


main()
