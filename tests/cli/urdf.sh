# A rover as a ROS package has it: xacro, package://, looks in COLLADA and STL, a massless root, joints that nothing turns, meshes that are not there.
. "$(dirname "$0")/lib.sh"
pack=$work/ws/tiny_description
mkdir -p "$pack/urdf" "$pack/meshes" "$work/bin"
printf '<package><name>tiny_description</name></package>\n' >"$pack/package.xml"

# a tetrahedron twice: STL without a unit, COLLADA in centimetres with its y axis said to be up (which ROS does not turn)
cat >"$pack/meshes/tet.stl" <<'END'
solid tet
facet normal 0 0 -1
outer loop
vertex 0 0 0
vertex 0 1 0
vertex 1 0 0
endloop
endfacet
facet normal 0 -1 0
outer loop
vertex 0 0 0
vertex 1 0 0
vertex 0 0 2
endloop
endfacet
facet normal -1 0 0
outer loop
vertex 0 0 0
vertex 0 0 2
vertex 0 1 0
endloop
endfacet
facet normal 1 1 0.5
outer loop
vertex 1 0 0
vertex 0 1 0
vertex 0 0 2
endloop
endfacet
endsolid tet
END
cat >"$pack/meshes/tet.dae" <<'END'
<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="0.01"/><up_axis>Y_UP</up_axis></asset>
<library_effects><effect id="red-fx"><profile_COMMON><technique sid="t"><lambert><diffuse><color>0.8 0.1 0.1 1</color></diffuse></lambert></technique></profile_COMMON></effect></library_effects>
<library_materials><material id="red"><instance_effect url="#red-fx"/></material></library_materials>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="pa" count="12">0 0 0 100 0 0 0 100 0 0 0 200</float_array>
<technique_common><accessor source="#pa" count="4" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="4" material="m"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n"><instance_geometry url="#g"><bind_material><technique_common><instance_material symbol="m" target="#red"/></technique_common></bind_material></instance_geometry></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>
END
for kind in stl dae; do
    check "a $kind" $TYCHO check "$pack/meshes/tet.$kind"
    grep -q '4 triangles.* 1 x 1 x 2 units' "$work/out" || bad "$kind: $(cat "$work/out")"
done
head -c 300 "$pack/meshes/tet.dae" >"$work/cut.dae"
refuse "a cut dae" 'cut.dae: is no dae model that assimp reads' $TYCHO check "$work/cut.dae"

# the robot: base_footprint and base_link without mass, a chassis of 20 kg, four wheels, an arm
wheel() {
    printf '<link name="wheel_%s"><inertial><mass value="1"/><inertia ixx="0.004" ixy="0" ixz="0" iyy="0.006" iyz="0" izz="0.004"/></inertial>
<visual><geometry><mesh filename="package://tiny_description/meshes/wheel.dae"/></geometry></visual></link>
<joint name="spin_%s" type="continuous"><parent link="chassis"/><child link="wheel_%s"/><origin xyz="%s %s 0"/><axis xyz="0 1 0"/></joint>
<transmission name="t_%s"><joint name="spin_%s"/></transmission><gazebo reference="wheel_%s"><mu1>1</mu1></gazebo>\n' $1 $1 $1 $2 $3 $1 $1 $1
}
{
    echo '<?xml version="1.0"?><!-- a comment with <link name="no"/> -->'
    echo '<robot name="tiny" xmlns:xacro="http://www.ros.org/wiki/xacro"><material name="grey"><color rgba="0.3 0.3 0.3 1"/></material>'
    echo '<link name="base_footprint"/><link name="base_link"/>'
    echo '<joint name="up" type="fixed"><parent link="base_footprint"/><child link="base_link"/><origin xyz="0.1 0 0.2" rpy="0 0 0.5"/></joint>'
    echo '<joint name="in" type="fixed"><parent link="base_link"/><child link="chassis"/><origin xyz="0 0 0.05"/></joint>'
    echo '<link name="chassis"><inertial><origin xyz="0 0 0.1"/><mass value="20"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
    echo '<visual><origin xyz="0 0 0.1"/><geometry><mesh filename="package://tiny_description/meshes/tet.dae" scale="0.2 0.2 0.2"/></geometry></visual></link>'
    wheel fl 0.3 0.3; wheel fr 0.3 -0.3; wheel rl -0.3 0.3; wheel rr -0.3 -0.3
    echo '<link name="arm"/><link name="hand"><inertial><mass value="2"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>'
    echo '<visual><geometry><mesh filename="package://tiny_description/meshes/tet.stl" scale="0.1 -0.1 0.1"/></geometry><material name="grey"/></visual></link>'
    echo '<joint name="shoulder" type="revolute"><parent link="chassis"/><child link="arm"/><origin xyz="0.4 0 0.2"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>'
    echo '<joint name="wrist" type="fixed"><parent link="arm"/><child link="hand"/><origin xyz="0.3 0 0"/></joint>'
    echo '</robot>'
} >"$pack/urdf/tiny.urdf"
rover() { # rover NAME MODEL BODY [LINES]
    printf 'version: 1\nname: tiny\nmodel: %s\nbody: %s\nmass: 26\n%s\nwheels:\n' "$2" "$3" "${4:-}" >"$work/$1"
    for w in fl fr rl rr; do printf '  - {name: %s, body: wheel_%s, joint: spin_%s, radius: 0.1, width: 0.1}\n' $w $w $w >>"$work/$1"; done
    printf 'drive: {stall_torque: 20, no_load_speed: 6, kp: 2, ki: 10}\n' >>"$work/$1"
}
says() { grep -qE -- "$2" "$work/out" || bad "$1: does not say '$2': $(cat "$work/out")"; }

# every link of the fixed chain may be the body; the massless ones too
for body in base_footprint base_link chassis; do
    rover r.yaml ws/tiny_description/urdf/tiny.urdf $body 'hold: [shoulder]'
    check "body $body" $TYCHO check "$work/r.yaml"
    says "$body" 'rover tiny, 4 wheels, 26 kg'
    says "$body" 'looks: chassis as .*tet.dae, 4 triangles'
    says "$body" 'note: mesh .*tiny_description/meshes/wheel.dae is not there; named by wheel_fl, wheel_fr, wheel_rl, wheel_rr'
    grep -q 'nothing turns' "$work/out" && bad "$body: a held joint is said to be free"
done
rover r.yaml ws/tiny_description/urdf/tiny.urdf base_link
check "free joints" $TYCHO check "$work/r.yaml"
says "free joints" 'joints that nothing turns, free to move: shoulder;'
rover r.yaml ws/tiny_description/urdf/tiny.urdf base_link 'hold: ["*"]'
check "hold by a pattern" $TYCHO check "$work/r.yaml"
grep -q 'nothing turns' "$work/out" && bad "a pattern does not hold"
refused() { rover r.yaml "ws/tiny_description/urdf/$1" "$2" "$3"; refuse "$3" "$4" $TYCHO check "$work/r.yaml"; }
refused tiny.urdf base_link 'hold: [elbow]' "has no moving joint 'elbow', which .hold. of the rover's file names"
refused tiny.urdf base_link 'hold: [spin_fl]' "holds the joint 'spin_fl' and gives it a wheel"
refused tiny.urdf hand '' "link 'hand', which the rover's file names as its body, hangs on 'chassis' by the joint 'shoulder', which moves"
refused tiny.urdf base_link 'packages: [nowhere]' "packages.0 is 'nowhere', which cannot be opened"
refused tiny.urdf base_link 'xacro: ["a:=1"]' 'xacro.0 is a key of .xacro models'
sed 's/<mass value="2"\/>//' "$pack/urdf/tiny.urdf" >"$pack/urdf/light.urdf"
refused light.urdf base_link '' "link 'arm' moves on the joint 'shoulder', but neither it nor what is fixed to it has an <inertial> with a mass"
sed 's/continuous/rolling/' "$pack/urdf/tiny.urdf" >"$pack/urdf/type.urdf"
refused type.urdf base_link '' "the type of joint 'spin_fl' is 'rolling'"

# packages elsewhere: unknown, by a key, by the environment
mkdir "$work/alone" && cp "$pack/urdf/tiny.urdf" "$work/alone"
rover r.yaml alone/tiny.urdf base_link
check "an unknown package" $TYCHO check "$work/r.yaml"
says "an unknown package" 'tet.dae is not there: its package is neither in .packages. nor in ROS_PACKAGE_PATH'
ROS_PACKAGE_PATH=/nowhere:$work/ws check "ROS_PACKAGE_PATH" $TYCHO check "$work/r.yaml"
says "ROS_PACKAGE_PATH" 'looks: chassis as .*tet.dae'
for folder in ws ws/tiny_description; do
    rover r.yaml alone/tiny.urdf base_link "packages: [$folder]"
    check "packages: $folder" $TYCHO check "$work/r.yaml"
    says "packages: $folder" 'looks: chassis as .*tet.dae'
done

# xacro: a program of ours in its place tells what it was called with; without one a sentence
cp "$pack/urdf/tiny.urdf" "$pack/urdf/tiny.urdf.xacro"
rover r.yaml ws/tiny_description/urdf/tiny.urdf.xacro base_link 'xacro: ["arm:=a $(touch evil); b", "x:=1"]'
refuse "no xacro" 'is a xacro file, and the program xacro that expands it is not there; install it' env PATH="$work/bin" $TYCHO check "$work/r.yaml"
cat >"$work/bin/xacro" <<'END'
#!/bin/sh
for a in "$@"; do echo "$a"; done >"$XACRO_CALLS"
[ -e "$XACRO_FAILS" ] && { echo "error: it is broken" >&2; exit 2; }
exec /bin/cat "$1"
END
chmod +x "$work/bin/xacro"
export XACRO_CALLS=$work/calls XACRO_FAILS=$work/fails
PATH=$work/bin:$PATH check "xacro" $TYCHO check "$work/r.yaml"
says "xacro" 'looks: chassis as .*tet.dae'
printf '%s\n' "$(realpath "$pack")/urdf/tiny.urdf.xacro" 'arm:=a $(touch evil); b' x:=1 | cmp -s - "$work/calls" || bad "xacro was called with: $(cat "$work/calls")"
[ -e evil ] && bad "a shell was called"
touch "$work/fails"
PATH=$work/bin:$PATH refuse "xacro that fails" 'xacro refused it \(error: it is broken\)' $TYCHO check "$work/r.yaml"
ls "${TMPDIR:-/tmp}" | grep -q '^tycho-xacro-' && find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'tycho-xacro-*' -user "$(id -u)" -mmin -1 | grep -q . && bad "a folder of xacro stayed"
rover r.yaml ws/tiny_description/urdf/tiny.urdf.xacro base_link 'xacro: ["--help"]'
refuse "an option as argument" "xacro.0 is '--help', but takes name:=value" $TYCHO check "$work/r.yaml"
rm -f "$work/bin/xacro"

# the program xacro itself, if there is one: $(find ...) in an included file, an argument
find_xacro
if command -v xacro >/dev/null; then
    sed 's/<link name="arm"\/>/<xacro:include filename="$(find tiny_description)\/urdf\/arm.xacro"\/>/' "$pack/urdf/tiny.urdf" >"$pack/urdf/tiny.urdf.xacro"
    printf '<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:arg name="arm" default="leg"/><link name="$(arg arm)"/></robot>\n' >"$pack/urdf/arm.xacro"
    rover r.yaml ws/tiny_description/urdf/tiny.urdf.xacro base_link 'xacro: ["arm:=arm"]'
    check "the real xacro" $TYCHO check "$work/r.yaml"
    says "the real xacro" 'looks: chassis as .*tet.dae'
else
    echo "xacro is not installed: its own expansion is not tried"
fi

# a run: notes on standard error, and nothing stops
cat >"$work/s.yaml" <<'END'
version: 1
duration: 1
terrain: {extent: 100, relief: {rms_slope_deg: 0}, craters: {enabled: false}, rocks: {enabled: false}}
planet: {detail: 256}
rovers: [{name: tiny, model: r.yaml, driver: {type: constant, v: 0.1}, sensors: [{type: camera, name: eye, width: 16, height: 16, period: 1}]}]
END
rover r.yaml ws/tiny_description/urdf/tiny.urdf base_link "hold: [shoulder]"
check "a drive" $TYCHO run "$work/s.yaml" -o "$work/run" --no-overview
grep -q 'mesh .*wheel.dae is not there' "$work/err" || bad "the run does not name the mesh: $(cat "$work/err")"
finish
