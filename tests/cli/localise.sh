# A recorded run through a filter and a deskew that were written from REP 103, 105 and 145 alone (tests/python/localise.py): the frame tree, a minimal EKF
# from odometry and IMU against the truth, lidar points put where the sensor was at their own time.
. "$(dirname "$0")/lib.sh"
[ -n "${TYCHO_LONG:-}" ] || { echo "skipped: in the long form alone (make test-long)"; exit 77; }
source=$(realpath "${TYCHO_SOURCE:-.}")
build=$(dirname "$(realpath "$TYCHO")")
. "$(dirname "$0")/python.sh"
cat >"$work/localise.yaml" <<END
version: 1
name: localise
start_utc: 2026-12-17T12:00:00
site: {lat_deg: 0, lon_deg: 0}
terrain: {extent: 200, relief: {rms_slope_deg: 0.5}, craters: {enabled: false}, rocks: {enabled: false}}
duration: 16
telemetry: 0.05
soil: {model: bekker}
objects:
  - {type: sphere, name: a, radius: 1, position: [12, 3, 1]}
  - {type: sphere, name: b, radius: 1, position: [2, 13, 1]}
  - {type: sphere, name: c, radius: 1, position: [-9, -5, 1]}
rovers:
  - name: viper
    model: $source/models/rovers/viper.yaml
    driver: {type: table, file: drive.csv}
    sensors:
      - {type: imu, name: imu, mount: imu, model: $source/models/sensors/stim300.yaml, period: 0.02}
      - {type: encoders, name: wheels, period: 0.05}
      - {type: lidar, name: lidar, mount: lidar, model: $source/models/sensors/lidar_vlp_16.yaml, period: 3, start: 6.5}
      - {type: camera, name: nav, mount: navcam_left, width: 16, height: 12, hfov_deg: 70, period: 100, samples: 1}
END
printf 't,v,omega_deg\n0,0,0\n2,0.2,0\n5,0.2,8\n15,0,0\n' >"$work/drive.csv"
check "a run" "$TYCHO" run "$work/localise.yaml" --no-overview --quiet -o "$work/run"
check "frames, filter and deskew" "$venv/bin/python" "$source/tests/python/localise.py" "$work/run/run.mcap"
cat "$work/out"
for control in axes tree; do
    check "control: $control" sh -c "! '$venv/bin/python' '$source/tests/python/localise.py' '$work/run/run.mcap' --control $control >/dev/null"
done
finish
