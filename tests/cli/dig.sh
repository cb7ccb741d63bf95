# A drum digs in soil of particles: killed in the middle and resumed, the same bytes; numbers and pictures of tools; wrong numbers get a sentence.
. "$(dirname "$0")/lib.sh"
cp -r models "$work/models"
cat >"$work/dig.yaml" <<Y
version: 1
name: dig
start_utc: 2026-12-01T12:00:00
site: {lat_deg: -84, lon_deg: 222.7}
terrain: {extent: 300, seed: 3, relief: {rms_slope_deg: 1, baseline: 5, outer: 100}, craters: {enabled: false}, rocks: {cover: 0}}
planet: {detail: 256}
duration: 1.2
soil: {model: bekker, file: models/soils/lunar.yaml, patch: {model: crm, spacing: 0.05, follow: tool, e: 2.0e+5}}
rovers:
  - name: digger
    model: models/rovers/rassor.yaml
    commands: {at: [{t: 0, motor: drum_front, value: 2.1}, {t: 0, motor: arm_front, value_deg: -14}, {t: 0, motor: arm_rear, value_deg: 20}]}
actors:
  - {name: stand, hidden: true, on_ground: true, x: 1.6, y: 0.3, z: 0.5, yaw_deg: 195, pitch_deg: 20,
     sensors: [{type: camera, name: eye, period: 0.3, width: 96, height: 64, hfov_deg: 45, samples: 1, truth: true}]}
Y
quiet="--quiet --no-overview"
check "unbroken" $TYCHO run "$work/dig.yaml" $quiet -o "$work/whole"
[ -s "$work/whole/tools.png" ] && grep -q "<h2>Tools</h2>" "$work/whole/report.html" && ok || bad "no plots of tools, or none in the report"
python3 - "$work/whole" <<'P' && ok || bad "numbers of tools"
import csv, json, sys
tool = json.load(open(sys.argv[1] + "/summary.json"))["rovers"][0]["tools"][0]
rows = list(csv.DictReader(open(sys.argv[1] + "/telemetry.csv")))
held = max(float(r["front_drum_carried_kg"]) for r in rows)
assert tool["tool"] == "front_drum" and tool["carried_max_kg"] > 0.1 and abs(held - tool["carried_max_kg"]) < 0.5 * held, tool
assert tool["torque_mean_nm"] > 0.1 and tool["torque_max_nm"] > 0.1, tool
assert abs(float(rows[-1]["front_drum_work_j"]) - tool["work_j"]) < 1e-2 and tool["energy_per_kg_j"] > 0.1, tool
P
# loose soil is seen, as a class of its own; before the drum digs there is none. A device shows the same, but for single pixels at edges
cat >"$work/classes.py" <<'P'
import glob, struct, sys, zlib
def classes(path):
    data, at, rows = open(path, "rb").read(), 8, b""
    while at < len(data):
        n, = struct.unpack(">I", data[at:at + 4])
        if data[at + 4:at + 8] == b"IDAT":
            rows += data[at + 8:at + 8 + n]
        at += n + 12
    raw, wide, out, last = zlib.decompress(rows), 2 * 96, bytearray(), bytes(2 * 96)  # 16 bits a pixel
    for y in range(64):
        kind, line = raw[y * (wide + 1)], bytearray(raw[y * (wide + 1) + 1:(y + 1) * (wide + 1)])
        for x in range(wide):
            a, b, c = line[x - 2] if x > 1 else 0, last[x], last[x - 2] if x > 1 else 0
            p = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
            line[x] = (line[x] + (0, a, b, (a + b) // 2, p)[kind]) & 255
        last = bytes(line)
        out += line[1::2]
    return out
files = [sorted(glob.glob(folder + "/eye_*_class.png")) for folder in sys.argv[1:]]
for folder in files:
    assert len(folder) == 5 and 6 not in classes(folder[0]) and 6 in classes(folder[-1]), folder
for a, b in zip(files[0], files[-1]):
    off = sum(x != y for x, y in zip(classes(a), classes(b)))
    assert off <= 5, (a, off)
P
python3 "$work/classes.py" "$work/whole/stand/frames" && ok || bad "grains in the ground truth"
if $TYCHO run "$work/dig.yaml" $quiet --backend opencl -o "$work/there" >"$work/out" 2>&1; then
    grep -q "frames by" "$work/out" && ! grep -q "the host made frames" "$work/out" && ok || bad "frames by a device: $(cat "$work/out")"
    python3 "$work/classes.py" "$work/whole/stand/frames" "$work/there/stand/frames" && ok || bad "grains as a device sees them"
else
    grep -q 'there is no OpenCL device\|has no OpenCL' "$work/out" && echo "left out: $(cat "$work/out")" || bad "a device: $(cat "$work/out")"
fi
# killed in the middle of digging, also in grains
program=$(realpath "$TYCHO")
sed -e 's/model: crm, spacing: 0.05, follow: tool, e: 2.0e+5/model: dem, spacing: 0.05, follow: tool, e: 1.0e+6, mu: 0.6, roll: 0.2/' -e 's/^duration: 1.2/duration: 0.5/' \
    -e '/^actors/,$d' "$work/dig.yaml" >"$work/grains.yaml"
check "grains, unbroken" $TYCHO run "$work/grains.yaml" $quiet -o "$work/whole_grains"
killed() { # SCENE UNBROKEN ROWS CHECKPOINT
    local job
    rm -rf "$work/kill"
    "$program" run "$work/$1.yaml" $quiet --checkpoint $4 -o "$work/kill" >/dev/null 2>&1 &
    job=$!
    for _ in $(seq 4000); do [ "$(wc -l 2>/dev/null <"$work/kill/telemetry.csv" || echo 0)" -gt $3 ] && break; sleep 0.01; done
    kill -KILL $job
    wait $job 2>/dev/null
    [ ! -e "$work/kill/report.html" ] && [ -e "$work/kill/checkpoint" ] && ok || bad "control: $1 was not killed in the middle"
    check "$1 goes on" $TYCHO run --resume "$work/kill" $quiet
    check "$1: to the same bytes" same_folder "$work/$2" "$work/kill"
}
killed dig whole 9 0.25
killed grains whole_grains 4 0.1
# wrong numbers
says() { refuse "$1" "$2" $TYCHO run "$work/dig.yaml" $quiet -o "$work/no" "${@:3}"; }
says "soft" "patch.e is 2000 Pa, but takes at least" --set soil.patch.e=2000
says "soft grains" "soil.e is 2000, but takes 10000" --set soil.patch.model=dem --set soil.patch.e=2000
says "smooth grains" "soil.patch.mu is 0, but takes a number from 0.01 to 2" --set soil.patch.model=dem --set soil.patch.mu=0
says "no device" "soil.patch.device takes a run with backend opencl or auto" --set soil.patch.device=true
says "coarse" "a quarter of a drum's radius" --set soil.patch.spacing=0.06
says "long step" "a step of" --set step=0.01 --set soil.patch.e=5e7
says "outside" "outside the ground" --set soil.patch.follow=box --set soil.patch.x=400 --set soil.patch.wide=2
sed 's/^phi_deg:.*/phi_deg: 0/' models/soils/lunar.yaml >"$work/models/soils/slippery.yaml"
says "no friction" "mu_s is 0, but takes" --set soil.file=models/soils/slippery.yaml
finish
