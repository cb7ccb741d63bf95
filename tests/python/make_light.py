"""Writes FOLDER/light.yaml: three cameras at one place near the pole, looking to the Sun, away from it and across.


    make_light.py FOLDER AZIMUTH_DEG

AZIMUTH_DEG is the Sun's, clockwise from north.
"""
import sys

folder, azimuth = sys.argv[1], float(sys.argv[2])
text = """version: 1
name: light
start_utc: 2026-12-01T12:00:00
site: {lat_deg: -84.0, lon_deg: 222.7}
terrain: {kind: polar_floor, extent: 400, seed: 84, rocks: {cover: 0.012, d_max: 1.2}}
duration: 0.1
actors:
"""
for name, turn in (("up", 0), ("down", 180), ("cross", 90)):
    camera = "type: camera, width: 240, height: 180, hfov_deg: 60, period: 1, samples: 4, truth: true"
    text += f"""  - name: {name}
    hidden: true
    on_ground: true
    z: 1.6
    yaw_deg: {90 - azimuth - turn}
    pitch_deg: 6
    sensors:
      - {{{camera}, name: eye}}
"""
open(f"{folder}/light.yaml", "w").write(text)
