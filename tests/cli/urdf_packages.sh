# Three rovers of public ROS packages, some of their meshes missing: what a user has to write, `tycho check`, a drive of 30 s.
. "$(dirname "$0")/lib.sh"
packs=$TYCHO_SHARED/data/urdf
[ -d "$packs" ] || { echo "skipped: the ROS packages of the shared data are absent"; exit 77; }
find_xacro
command -v xacro >/dev/null || { echo "skipped: the program xacro is not installed (scripts/setup test)"; exit 77; }
packs=$(realpath "$packs")
cat >"$work/leo.yaml" <<END
version: 1
name: leo
model: $packs/leo_description/urdf/leo.urdf.xacro
body: base_link
wheels:
  - {name: fl, body: wheel_FL_link, joint: wheel_FL_joint, radius: 0.0625, width: 0.07}
  - {name: fr, body: wheel_FR_link, joint: wheel_FR_joint, radius: 0.0625, width: 0.07}
  - {name: rl, body: wheel_RL_link, joint: wheel_RL_joint, radius: 0.0625, width: 0.07}
  - {name: rr, body: wheel_RR_link, joint: wheel_RR_joint, radius: 0.0625, width: 0.07}
drive: {stall_torque: 2, no_load_speed: 6, kp: 0.1, ki: 1}
END
cat >"$work/osr.yaml" <<END
version: 1
name: osr
model: $packs/osr_gazebo/urdf/osr.urdf.xacro
body: base_link
wheels:
  - {name: fl, body: front_wheel_link_left, joint: front_wheel_joint_left, steer: front_wheel_joint_L, radius: 0.0775, width: 0.08}
  - {name: fr, body: front_wheel_link_right, joint: front_wheel_joint_right, steer: front_wheel_joint_R, radius: 0.0775, width: 0.08}
  - {name: ml, body: middle_wheel_link_left, joint: middle_wheel_joint_left, radius: 0.0775, width: 0.08}
  - {name: mr, body: middle_wheel_link_right, joint: middle_wheel_joint_right, radius: 0.0775, width: 0.08}
  - {name: rl, body: rear_wheel_link_left, joint: rear_wheel_joint_left, steer: rear_wheel_joint_L, radius: 0.0775, width: 0.08}
  - {name: rr, body: rear_wheel_link_right, joint: rear_wheel_joint_right, steer: rear_wheel_joint_R, radius: 0.0775, width: 0.08}
drive: {stall_torque: 8, no_load_speed: 5, kp: 1, ki: 5}
steering: {torque: 10, kp: 50, kd: 2}
END
cat >"$work/curiosity.yaml" <<END
version: 1
name: curiosity
model: $packs/curiosity_description/models/urdf/curiosity_mars_rover.xacro
body: base_link
hold: ["arm_*", "mast_*"]
wheels:
  - {name: fl, body: front_wheel_L, joint: front_wheel_L_joint, steer: suspension_steer_F_L_joint, radius: 0.2426, width: 0.395}
  - {name: fr, body: front_wheel_R, joint: front_wheel_R_joint, steer: suspension_steer_F_R_joint, radius: 0.2426, width: 0.395}
  - {name: ml, body: middle_wheel_L, joint: middle_wheel_L_joint, radius: 0.2426, width: 0.395}
  - {name: mr, body: middle_wheel_R, joint: middle_wheel_R_joint, radius: 0.2426, width: 0.395}
  - {name: rl, body: back_wheel_L, joint: back_wheel_L_joint, steer: suspension_steer_B_L_joint, radius: 0.2426, width: 0.395}
  - {name: rr, body: back_wheel_R, joint: back_wheel_R_joint, steer: suspension_steer_B_R_joint, radius: 0.2426, width: 0.395}
drive: {stall_torque: 200, no_load_speed: 1, kp: 50, ki: 100}
END
missing() { case $1 in leo) echo Chassis.dae ;; osr) echo body.stl ;; curiosity) echo chassis_full_fixed_glitch_v2.dae ;; esac; }
mass() { case $1 in leo) echo 5.495 ;; osr) echo 42 ;; curiosity) echo 914 ;; esac; } # the sums of <mass> in the expanded files
for r in leo osr curiosity; do
    check "$r: check" $TYCHO check "$work/$r.yaml"
    grep -q "ok (rover $r, [46] wheels, $(mass $r) kg" "$work/out" || bad "$r: $(head -1 "$work/out")"
    grep -q "note: mesh .*/$(missing $r) is not there" "$work/out" || bad "$r: a missing mesh is not named"
    printf 'version: 1\nduration: 30\nstart_utc: 2027-03-16T00:00:00\nsite: {lat_deg: 44.1, lon_deg: -19.5}\nterrain: {kind: mare, extent: 400, seed: 4, rocks: {enabled: false}}
rovers: [{name: %s, model: %s.yaml, driver: {type: constant, v: 0.08}}]\n' $r $r >"$work/s.yaml"
    check "$r: 30 s" $TYCHO run "$work/s.yaml" -o "$work/run_$r" --no-overview --no-mcap --quiet
    grep -q "mesh .*/$(missing $r) is not there" "$work/err" || bad "$r: the run does not name the missing mesh"
    way=$(awk -F, 'NR == 2 { x = $2; y = $3 } END { printf "%.2f", sqrt(($2 - x)^2 + ($3 - y)^2) }' "$work/run_$r/telemetry.csv")
    echo "$r: $(wc -l <"$work/$r.yaml") lines to write, $way m in 30 s at 0.08 m/s"
    awk -v w="$way" 'BEGIN { exit !(w > 1.6 && w < 2.5) }' || bad "$r: drove $way m"
done
finish
