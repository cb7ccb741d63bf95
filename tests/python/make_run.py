"""Writes the scenario that readers of other people are tried on: FOLDER/readers.yaml. A standing rover and a driving one would each need
a run; this one drives slowly over flat ground with rocks, so that all frames move, past 24 balls at places that the reader knows, too.

    make_run.py FOLDER SOURCE [physical]
"""
import json
import sys

folder, source = sys.argv[1], sys.argv[2]
balls = [{"name": f"ball{6 * j + i}", "radius": 0.10 + 0.01 * (i % 3), "position": [3.6 + 0.5 * j + 0.11 * i, -2.0 + 0.8 * i + 0.05 * j, 0.35 + 0.5 * j]}
         for j in range(4) for i in range(6)]
json.dump(balls, open(f"{folder}/balls.json", "w"))
camera = "type: camera, width: 320, height: 240, samples: 1, period: 0.5"
text = f"""version: 1
name: readers
start_utc: 2026-12-17T12:00:00
site: {{lat_deg: 0, lon_deg: 0}}
terrain: {{extent: 100, relief: {{rms_slope_deg: 0}}, craters: {{enabled: false}}, rocks: {{cover: 0.01, d_max: 0.5}}}}
duration: 1.01
telemetry: 0.01
soil: {{model: bekker}}
objects:
""" + "".join(f"  - {{type: sphere, name: {b['name']}, radius: {b['radius']}, position: {b['position']}, material: {{law: lambert, albedo: 0.5}}}}\n" for b in balls) + f"""rovers:
  - name: vi-per
    model: {source}/models/rovers/viper.yaml
    driver: {{type: constant, v: 0.1}}
    sensors:
      - {{{camera}, name: left, mount: navcam_left, hfov_deg: 70, maps: [depth, normals, sunlit, labels, instances, flow, boxes], physical: {{f_number: 8, auto_exposure: on}}, window: 0.002}}
      - {{{camera}, name: right, mount: navcam_right, hfov_deg: 70, physical: {{f_number: 8, auto_exposure: on}}, window: 0.002}}
      - {{{camera}, name: sharp, mount: navcam_left, hfov_deg: 70, truth: true, flow: true, boxes: true}}
      - {{{camera}, name: brown, mount: navcam_left, lens: brown, hfov_deg: 70, k1: -0.2, k2: 0.06, p1: 0.002, p2: -0.001, maps: [depth, instances]}}
      - {{{camera}, name: fish, mount: navcam_left, lens: fisheye, hfov_deg: 100, truth: true}}
      - {{{camera}, name: colour, mount: navcam_left, hfov_deg: 70, color: true, physical: {{f_number: 8}}, window: 0.002}}
      - {{{camera}, name: wide, mount: navcam_left, lens: fov, hfov_deg: 100}}
      - {{type: lidar, name: lidar, mount: lidar, model: {source}/models/sensors/lidar_vlp_16.yaml, period: 0.5}}
      - {{type: lidar, name: dual, mount: lidar, model: {source}/models/sensors/lidar_vlp_16.yaml, period: 1, settings: {{mode: dual, samples: 4}}}}
      - {{type: imu, name: imu, mount: imu, model: {source}/models/sensors/stim300.yaml, period: 0.02}}
      - {{type: encoders, name: wheels, period: 0.1}}
      - {{type: position, name: beacon, model: {source}/models/sensors/beacon_fix.yaml, period: 0.5}}
      - {{type: power, name: power, model: {source}/models/sensors/viper_power.yaml}}
      - {{type: spad, name: spad, mount: navcam_left, model: {source}/models/sensors/spad_8x8.yaml, period: 0.5}}
actors:
  - {{name: post, hidden: true, on_ground: true, x: 20, z: 3, yaw_deg: 10, pitch_deg: -4, sensors: [{{type: sun_sensor, name: sun, period: 0.5}}]}}
  - {{name: mast, hidden: true, on_ground: true, x: 20, z: 3, pitch_deg: -60, sensors: [{{type: altimeter, name: up, period: 0.5}}]}}
"""
open(f"{folder}/readers.yaml", "w").write(text)
