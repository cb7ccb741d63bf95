# The scored task (docs/task.md): `tycho score map` by hand-worked numbers, its truth against the ground's own heights, wrong maps; the baseline on a small field.
. "$(dirname "$0")/lib.sh"
python=/usr/bin/python3; [ -x $python ] || python=python3
task=tasks/rock_map.yaml

# level ground at 0 with one boulder: heights and places are known without asking anyone
cat >"$work/level.yaml" <<'Y'
version: 1
name: level
terrain: {extent: 40, resolution: 0.02, relief: {rms_slope_deg: 0}, craters: {enabled: false}, rocks: {enabled: false}}
rocks: [{name: stone, at: [0.6, -0.3], size: 0.6}]
Y
check "truth" $TYCHO score map "$work/level.yaml" --size 3 --truth "$work/truth.csv"
check "truth is right" $python - "$work" <<'P'
import csv, math, sys
rows = [{k: float(v) for k, v in r.items()} for r in csv.DictReader(open(sys.argv[1] + "/truth.csv"))]
assert len(rows) == 400, len(rows)
assert (rows[0]["x"], rows[0]["y"]) == (-1.425, -1.425) and (rows[1]["x"], rows[20]["y"]) == (-1.275, -1.275), rows[:2]
rock = [r for r in rows if r["rock"]]
away = [math.hypot(r["x"] - 0.6, r["y"] + 0.3) for r in rock]
assert 4 <= len(rock) <= 25 and max(away) < 0.55 and min(away) < 0.15, (len(rock), away)
assert max(r["height"] for r in rock) > 0.1
far = [r for r in rows if math.hypot(r["x"] - 0.6, r["y"] + 0.3) > 0.6]
assert all(abs(r["height"]) < 0.0021 and not r["rock"] for r in far), max(abs(r["height"]) for r in far)   # 2 mm: the Moon's curvature and the grid
out = lambda name, change: open(f"{sys.argv[1]}/{name}.csv", "w").write("x,y,height,rock\n" + "".join(change(k, r) for k, r in enumerate(rows)))
line = lambda r, h, s: f"{r['x']},{r['y']},{h},{int(s)}\n"
out("same", lambda k, r: line(r, r["height"], r["rock"]))
out("half", lambda k, r: line(r, r["height"] + (0.06 if k % 2 else 0.04), r["rock"]))       # 6 cm is wrong, 4 cm is right
out("blank", lambda k, r: line(r, "", 0) if k % 4 else line(r, r["height"], 0))      # a quarter known, no rocks
out("few", lambda k, r: line(r, r["height"], r["rock"]) if k < 100 else "")                 # a quarter given
out("all", lambda k, r: line(r, r["height"], 1))                                            # everything is rock
print(len(rock))
P
rocks=$(cat "$work/out")
check "maps" $TYCHO score map "$work/level.yaml" "$work"/{same,half,blank,few,all}.csv --size 3 -o "$work/map.json" --picture "$work/map.png"
check "points by hand" $python - "$work/map.json" "$rocks" <<'P'
import json, sys
same, half, blank, few, every = json.load(open(sys.argv[1]))["maps"]
n = int(sys.argv[2])
assert same["points"] == 600 and same["known"] == 400, same
assert half["right"] == 200 and half["points"] == 450 and abs(half["mean_error_m"] - 0.05) < 1e-6, half
assert blank["known"] == 100 and blank["right"] == 100 and blank["points"] == 75 and blank["missed"] == n, blank
assert few["known"] == 100 and few["heights"] == 0.25, few
assert abs(every["rocks_f1"] - 2 * n / (400 + n)) < 1e-9 and abs(every["points"] - 300 * (1 + 2 * n / (400 + n))) < 1e-6, every
P
[ -s "$work/map.png" ] && ok || bad "no picture"

refuse "no map" "misses a file name" $TYCHO score map "$work/level.yaml"
refuse "not there" "there is no such file" $TYCHO score map "$work/level.yaml" "$work/none.csv" --size 3
wrong() { printf '%b' "$3" >"$work/bad.csv"; refuse "$1" "$2" $TYCHO score map "$work/level.yaml" "$work/bad.csv" --size 3; }
wrong "empty" "bad.csv: is empty; a map begins with the line x,y,height,rock" ""
wrong "columns" "bad.csv:1: has no column 'rock'" "x,y,height\n0,0,1\n"
wrong "text" "bad.csv:2: height is 'high', but takes a number" "x,y,height,rock\n0,0,high,0\n"
wrong "no place" "bad.csv:2: x is '', but takes a number" "x,y,height,rock\n,0,0,0\n"
wrong "outside" "bad.csv:3: 1.6, 0 lies outside the field, which reaches from -1.5 to 1.5 m" "x,y,height,rock\n0,0,0,0\n1.6,0,0,0\n"
wrong "twice" "bad.csv:3: 0.06, 0.06 is a second row for one cell of 0.15 m" "x,y,height,rock\n0.05,0.05,0,0\n0.06,0.06,0,0\n"
wrong "rock" "bad.csv:2: rock is 2, but takes 0 or 1" "x,y,height,rock\n0,0,0,2\n"
wrong "nan" "bad.csv:2: height is 'nan', but takes a number" "x,y,height,rock\n0,0,nan,0\n"
refuse "cells" "a field of 3 m takes 1 to 1000 whole cells along its side, but they are 0.17 m wide" $TYCHO score map "$work/level.yaml" "$work/same.csv" --size 3 --cell 0.17
refuse "scenario" "there is no key" $TYCHO score map $task "$work/same.csv" --set terrain.colour=3
finish
