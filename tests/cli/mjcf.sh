# MJCF as public models are written today: what has its place elsewhere (actuators, sensors, keyframes, lights, floors, air) is left out with a
# note, what a rover cannot be is refused by name, everything else loads and drives.
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1
rover() { # NAME EXTRA-BEFORE-WORLDBODY EXTRA-IN-WORLDBODY EXTRA-IN-CHASSIS EXTRA-AFTER
    {
        echo "<mujoco model=\"$1\"><compiler angle=\"radian\" autolimits=\"true\"/><option timestep=\"0.002\" integrator=\"implicitfast\" cone=\"elliptic\" density=\"1.2\" viscosity=\"2e-5\" wind=\"5 0 0\">"
        echo "<flag gravity=\"disable\"/></option>"
        echo "<default><default class=\"wheel\"><joint axis=\"0 1 0\" damping=\"0.01\" armature=\"0.01\"/><geom type=\"cylinder\" size=\"0.1 0.04\" euler=\"1.5708 0 0\" mass=\"1\"/></default></default>$2"
        echo "<worldbody><light pos=\"0 0 4\"/><geom name=\"floor\" type=\"plane\" size=\"9 9 0.1\"/>$3<body name=\"chassis\" pos=\"0 0 0.3\"><freejoint/><geom type=\"box\" size=\"0.3 0.2 0.05\" mass=\"20\"/><site name=\"imu\"/><camera name=\"eye\"/>$4"
        for w in fl:0.3:0.3 fr:0.3:-0.3 rl:-0.3:0.3 rr:-0.3:-0.3; do
            IFS=: read -r n x y <<<"$w"
            echo "<body name=\"$n\" pos=\"$x $y -0.05\" childclass=\"wheel\"><joint name=\"spin_$n\"/><geom/></body>"
        done
        echo "</body></worldbody>$5</mujoco>"
    } >"$1.xml"
    {
        printf 'version: 1\nname: %s\nmodel: %s.xml\nbody: chassis\nwheels:\n' "$1" "$1"
        for n in fl fr rl rr; do echo "  - {name: $n, body: $n, joint: spin_$n, radius: 0.1, width: 0.08}"; done
        echo "drive: {stall_torque: 8, no_load_speed: 6, kp: 1, ki: 4}"
    } >"$1.yaml"
}
drive() { # NAME: x after 3 s at 0.2 m/s
    printf 'version: 1\nname: d\nstart_utc: 2026-12-01T12:00:00\nsite: {lat_deg: -1.4, lon_deg: 3.8}\nterrain: {extent: 100, relief: {rms_slope_deg: 0}, craters: {enabled: false}, rocks: {enabled: false}}\nduration: 3\nsoil: {model: bekker}\nrovers:\n  - {name: r, model: %s.yaml, driver: {type: constant, v: 0.2}}\n' "$1" >"$1.run.yaml"
    check "$1 drives" "$TYCHO" run "$1.run.yaml" -o "$1.out" --no-overview --no-mcap --quiet
    tail -n 1 "$1.out/telemetry.csv" | cut -d, -f2,4
}
rover plain "" "" "" ""
rover rich '<asset><texture name="t" type="2d" builtin="checker" rgb1="1 1 1" rgb2="0 0 0" width="8" height="8"/><material name="m" texture="t"/></asset><contact><exclude body1="chassis" body2="fl"/></contact>' \
    '<site name="mark"/>' \
    '<body name="arm" pos="0.3 0 0.1"><joint name="lift" axis="0 1 0" range="-1 1" stiffness="200" damping="5"/><geom name="link" type="capsule" fromto="0 0 0 0.2 0 0" size="0.02" mass="0.5" material="m"/><body name="tip" pos="0.2 0 0"><joint name="slide" type="slide" axis="1 0 0" range="0 0.1" stiffness="500" damping="5"/><geom type="sphere" size="0.03" mass="0.2"/></body></body>' \
    '<tendon><fixed name="ten"><joint joint="lift" coef="1"/></fixed></tendon><equality><joint joint1="slide" polycoef="0.05 0 0 0 0"/></equality><actuator><velocity name="a" joint="spin_fl" kv="5"/><position joint="lift" kp="50"/><motor tendon="ten"/></actuator><sensor><accelerometer site="imu"/><actuatorfrc actuator="a"/></sensor><keyframe><key name="home" qpos="0 0 1 1 0 0 0 0 0 0 0 0 0" ctrl="0 0 0"/></keyframe>'
a=$(drive plain) b=$(drive rich)
awk -F, -v a="$a" -v b="$b" 'BEGIN { split(a, p, ","); split(b, q, ","); exit !(p[1] > 0.3 && q[1] > 0.3 && p[2] - q[2] < 0.02 && q[2] - p[2] < 0.02) }' && ok || bad "x and z after 3 s: $a and $b"
check "the model by itself" "$TYCHO" check rich.xml
grep -q "note: its 3 actuators are not used" "$work/out" && ok || bad "no note of actuators: $(cat "$work/out")"
check "no actuators" "$TYCHO" check plain.xml
grep -q "actuators" "$work/out" && bad "control: a note without actuators" || ok
rover prop "" '<body name="ball"><freejoint/><geom size="0.1"/></body>' "" ""
refuse "two trees" "prop.xml: bodies 'ball' and 'chassis' both hang on the world" "$TYCHO" check prop.yaml
rover moved "" '' '' ''
sed -i 's|</worldbody>|<body name="hand" mocap="true"><geom size="0.1"/></body></worldbody>|' moved.xml
refuse "mocap" "moved.xml: body 'hand' is moved from outside" "$TYCHO" check moved.yaml
rover soft "" "" '<flexcomp name="cloth" type="grid" count="3 3 1" spacing="0.05 0.05 0.05" mass="0.1" radius="0.01"/>' ""
refuse "flex" "soft.xml: has soft bodies \(flex\)" "$TYCHO" check soft.yaml
rover bolted "" "" "" ""
sed -i 's|<freejoint/>||' bolted.xml
refuse "no free joint" "bolted.yaml:4:7: body is 'chassis', which has no free joint" "$TYCHO" check bolted.yaml
rover plugged '<extension><plugin plugin="no.such.plugin"/></extension>' "" "" ""
refuse "plugins" "plugged.xml: not a model that MuJoCo takes \(.*plugin" "$TYCHO" check plugged.yaml
finish
