# `tycho live --ros` and Fast DDS on the other side (tests/dds/peer.cpp): what it receives is the recording's messages, byte by byte, all of
# them; it drives, and the watchdog stops the rover. Long form: 60 s at 10 Hz, and an image of 1920 x 1080 a second.
. "$(dirname "$0")/lib.sh"
source=$(realpath "${TYCHO_SOURCE:-.}")
build=$(dirname "$(realpath "$TYCHO")")
"$TYCHO" live "$source/scenarios/live_drive.yaml" --ros --ros-domain 999 2>&1 | grep -q "0 to 232" && ok || bad "a domain that is none"
refuse "a namespace that is none" "letters, digits" "$TYCHO" live "$source/scenarios/ex1_startstop.yaml" --ros-namespace 'a b'
if "$TYCHO" live "$source/scenarios/ex1_startstop.yaml" --ros --set duration=0.01 --speed max 2>&1 | grep -q "without CycloneDDS"; then
    echo "skipped: built without CycloneDDS"; exit 77
fi
[ -x "$build/ros_peer" ] || { echo "skipped: Fast DDS (libfastrtps-dev) is not installed"; exit 77; }
. "$source/tests/cli/python.sh"
domain=$((100 + $$ % 100))
seconds=5 drive=2 extra=
camera="type: camera, mount: navcam_left, hfov_deg: 70, samples: 1, lag: 0.4, width: 160, height: 120, period: 1"
if [ -n "${TYCHO_LONG:-}" ]; then
    seconds=60 drive=20 extra="- {type: camera, name: large, mount: navcam_right, hfov_deg: 70, samples: 1, lag: 0.9, width: 1920, height: 1080, period: 1}"
    camera="type: camera, mount: navcam_left, hfov_deg: 70, samples: 1, lag: 0.4, width: 320, height: 240, period: 0.1"
fi
cat >"$work/ros.yaml" <<EOF
version: 1
name: ros
start_utc: 2026-12-17T12:00:00
site: {lat_deg: 0, lon_deg: 0}
terrain: {extent: 100, relief: {rms_slope_deg: 0}, craters: {enabled: false}, rocks: {enabled: false}}
duration: $seconds
telemetry: 0.1
soil: {model: bekker}
rovers:
  - name: viper
    model: $source/models/rovers/viper.yaml
    driver: {type: external}
    sensors:
      - {$camera, name: cam}
      - {type: lidar, name: lidar, mount: lidar, model: $source/models/sensors/lidar_vlp_16.yaml, period: 1, lag: 0.5}
      - {type: imu, name: imu, mount: imu, model: $source/models/sensors/stim300.yaml, period: 0.02}
      - {type: encoders, name: wheels, period: 0.1}
      $extra
  - name: scout
    model: $source/models/rovers/ex1.yaml
    y: 4
    driver: {type: external}
    sensors:
      - {type: imu, name: imu, mount: imu, model: $source/models/sensors/stim300.yaml, period: 0.1}
      - {type: encoders, name: wheels, period: 0.1}
EOF
types() { sed 's@\([a-z0-9_]*\)/msg/\([A-Za-z0-9]*\)@\1::msg::dds_::\2_@'; }
types >"$work/list" <<EOF
rt/clock rosgraph_msgs/msg/Clock volatile
rt/tf tf2_msgs/msg/TFMessage volatile
rt/tf_static tf2_msgs/msg/TFMessage latched
rt/diagnostics diagnostic_msgs/msg/DiagnosticArray volatile
rt/viper/ground_truth/odom nav_msgs/msg/Odometry volatile
rt/viper/joint_states sensor_msgs/msg/JointState volatile
rt/viper/wheel_states std_msgs/msg/Float64MultiArray volatile
rt/viper/cam/image_raw sensor_msgs/msg/Image volatile
rt/viper/cam/camera_info sensor_msgs/msg/CameraInfo volatile
rt/viper/lidar/points sensor_msgs/msg/PointCloud2 volatile
rt/viper/imu/data sensor_msgs/msg/Imu volatile
rt/viper/odom nav_msgs/msg/Odometry volatile
ros_discovery_info rmw_dds_common/msg/ParticipantEntitiesInfo latched
rt/scout/ground_truth/odom nav_msgs/msg/Odometry volatile
rt/scout/joint_states sensor_msgs/msg/JointState volatile
rt/scout/imu/data sensor_msgs/msg/Imu volatile
rt/scout/odom nav_msgs/msg/Odometry volatile
EOF
[ -n "$extra" ] && echo "rt/viper/large/image_raw sensor_msgs/msg/Image volatile" | types >>"$work/list"
timeout $((seconds * 10 + 60)) "$TYCHO" live "$work/ros.yaml" --ros-domain $domain --paused --no-overview -o "$work/run" >"$work/live.out" 2>"$work/live.err" &
live=$!
trap 'kill $live 2>/dev/null; rm -rf "$work"' EXIT
( # its sockets hear the loopback device alone
    for i in $(seq 100); do grep -q '^http' "$work/live.out" && break; sleep 0.1; done
    command -v ss >/dev/null && ss -lun | awk -v low=$((7400 + 250 * domain)) '{ n = split($4, a, ":"); if (a[n] >= low && a[n] < low + 250) print $4 }' >"$work/sockets" )
check "a peer of Fast DDS" timeout $((seconds * 10 + 60)) "$build/ros_peer" $domain "$work/list" "$work/heard" $((seconds * 10 + 30)) 0.15 $drive
cat "$work/out"
wait $live || bad "the live run: exit $?: $(head -c 400 "$work/live.err")"
check "the recording, byte by byte" "$venv/bin/python" "$source/tests/python/read_ros.py" "$work/run/run.mcap" "$work/list" "$work/heard" "$source" 0.15
cat "$work/out"
if [ -s "$work/sockets" ]; then grep -v '%lo:' "$work/sockets" && bad "DDS listens to more than the loopback device" || ok; fi
grep -E '^ROS: [0-9]+ messages sent, 0 dropped, [1-9][0-9]* received$' "$work/live.out" && ok || bad "the summary: $(cat "$work/live.out")"
for control in byte missing frames; do
    if "$venv/bin/python" "$source/tests/python/read_ros.py" "$work/run/run.mcap" "$work/list" "$work/heard" "$source" 0.15 --control $control >/dev/null 2>&1; then
        bad "control: a $control was accepted"; else ok; fi
done

# ---- services of simulation_interfaces: two rovers, one that waits, a sphere
cat >"$work/two.yaml" <<EOF
version: 1
name: two
start_utc: 2026-12-17T12:00:00
site: {lat_deg: 0, lon_deg: 0}
terrain: {extent: 100, relief: {rms_slope_deg: 0}, craters: {enabled: false}, rocks: {enabled: false}}
duration: 100
soil: {model: rigid}
objects: [{type: sphere, name: ball, radius: 0.4, position: [6, 2, 0.4]}]
rovers:
  - {name: a, model: $source/models/rovers/ex1.yaml, driver: {type: external}}
  - {name: b, model: $source/models/rovers/ex1.yaml, y: 4, driver: {type: constant, v: 0.02}}
  - {name: c, model: $source/models/rovers/ex1.yaml, waits: true}
EOF
timeout 120 "$TYCHO" live "$work/two.yaml" --ros-domain $((domain + 1)) --paused >"$work/two.out" 2>"$work/two.err" &
live=$!
check "services" timeout 100 "$venv/bin/python" "$source/tests/python/call_ros.py" "$build/ros_peer" $((domain + 1))
cat "$work/out"
kill -INT $live 2>/dev/null
wait $live; code=$?
[ $code = 130 ] && ok || bad "the run with services: exit $code: $(head -c 400 "$work/two.err")"
grep -q "without CycloneDDS's header" "$work/two.err" && grep -q "from Fast DDS" "$work/two.err" && ok || bad "clients of the other kind are not warned: $(cat "$work/two.err")"
finish
