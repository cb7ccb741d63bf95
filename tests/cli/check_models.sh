# `tycho check` on what is no scenario: every file of models/, scenarios/ and datasets/; what the summaries say against other ways to the same
# numbers; broken rovers, soils, sensors, tables and models, each with its sentence; damaged rovers and soils. Nothing is written anywhere.
. "$(dirname "$0")/lib.sh"
root=$(realpath "${TYCHO_SOURCE:-.}")
tycho=$(realpath "$TYCHO")
place=$work/place
mkdir -p "$place" && cd "$place" || exit 1

# ---- every file that comes with Tycho
mapfile -t files < <(cd "$root" && find models scenarios datasets -type f ! -name '*.md' ! -path '*/expected/*' | sort)
check "all files" bash -c "cd '$root' && '$tycho' check ${files[*]}"
[ "$(grep -c '^[^ ].*: ok (' "$work/out")" = ${#files[@]} ] && ok || bad "of ${#files[@]} files $(grep -c '^[^ ].*: ok (' "$work/out") are ok"
[ ${#files[@]} -ge 60 ] && ok || bad "only ${#files[@]} files were found"
grep '  note:' "$work/out" && bad "a file of the project has notes" || ok
# FOLDER PATTERN: all files there are of this kind
kind() { [ "$(grep "^$1.*: ok (" "$work/out" | grep -cvE "$2")" = 0 ] && ok || bad "$1: $(grep "^$1.*: ok (" "$work/out" | grep -vE "$2")"; }
kind 'models/rovers/[^.]*.yaml' 'ok \(rover [a-z0-9_]+, [46] wheels, '
kind 'models/rovers/[^.]*.xml' 'ok \(MJCF model of a rover, '
kind models/soils/[^/]*.yaml 'ok \(soil, [0-9]+ of [0-9]+ keys given\)'
kind models/soils/regression/ 'ok \(soil of the model regression\)'
kind 'models/sensors/lidar_' 'ok \(lidar '
kind 'scenarios/[^.]*.yaml' 'ok \(scenario, '
kind 'scenarios/lander_[^.]*.csv' 'ok \(trajectory, '
kind 'scenarios/ex1_[^.]*.csv' 'ok \(commands over time, '
kind 'scenarios/mast_look.csv' "ok \\(commands over time, .*; with a rover's motors mast_pan_deg, mast_tilt_deg, which are looked for when its scenario is checked\\)"
for pair in ln200s:IMU mti1:IMU stim300:IMU beacon_fix:position nanossoc_d60:Sun sagitta:star st200:star spad_8x8:SPAD viper_power:power; do
    kind "models/sensors/${pair%:*}" "ok \\(${pair#*:}[ ,]"
done

# ---- a rover: the loads are the weight, and balance about the centre of mass that stands above them
cp "$root"/models/rovers/{viper,rassor}.* "$root"/models/rovers/ex1.xml .
check "viper" "$tycho" check viper.yaml
balance() { # FACTOR: whether the loads of the front wheels, times it, are those of the lever rule to 0.5 %
    awk -v f="$1" '/ mass / { sub(/.*: /, ""); weight = $1; sub(/.* x /, ""); centre = $1 + 0 }
        $1 ~ /^(front|rear)_/ { n = 1; for (i = 2; i <= NF; i++) if ($i == "mm" && i == NF) load = $(i - 2); if ($1 ~ /^front/) { xf = $2; front += load } else { xr = $2; rear += load } }
        END { want = weight * (centre - xr) / (xf - xr); e = f * front / want - 1; s = (front + rear) / weight - 1; exit !(weight > 700 && e * e < 2.5e-5 && s * s < 1e-6) }' "$work/out"
}
balance 1 && ok || bad "viper's loads do not balance: $(cat "$work/out")"
balance 1.01 && bad "control: loads off by 1 % balance" || ok
for line in 'ok \(rover viper, 4 wheels, 434.9 kg' 'mass 434.9 kg: 704.5 N on the Moon' 'wheelbase 1.284 m, track 1.220 m' 'front_left .* 0.225 m +0.200 m +24 of 25 mm +\+-30 deg' \
    'drives: 300 N m at rest, 3.142 rad/s' 'steps: it stands and drives with 1 ms' 'mounts: navcam_left on chassis' 'collision shapes: chassis box 1.44 x 1.3 x 0.84 m'; do
    grep -qE "$line" "$work/out" && ok || bad "viper does not say '$line'"
done
sed '/^steering:/,/^suspension:/s/kd: 60 /kd: 10000 /' viper.yaml >stiff.yaml # the steering's controllers chatter at 1 ms
check "a rover that needs a short step" "$tycho" check stiff.yaml
grep -q "with 0.2 ms: set .step. in its scenarios" "$work/out" && ok || bad "short step: $(grep steps "$work/out")"
sed 's/stall_torque: 300/stall_torque: 1/' viper.yaml >weak.yaml
check "a weak rover" "$tycho" check weak.yaml
grep -q "  note: told" "$work/out" && ok || bad "a weak rover gets no note: $(cat "$work/out")"

# ---- a soil: values, marks, and the wheel as `tycho eval wheel` has it, whose own defaults differ
printf 'k_phi: 5e5\nn0: 0.8\nbulldozing: false\n' >soil.yaml
check "soil" "$tycho" check --set c=250 soil.yaml
for line in 'soil, 4 of [0-9]+ keys given' '^  k_phi +500000 +N/m\^\(n\+2\) +file' '^  c +250 +Pa +--set' '^  phi_deg +35 +deg +default' '^  bulldozing +false +file'; do
    grep -qE "$line" "$work/out" && ok || bad "soil does not say '$line': $(cat "$work/out")"
done
cp "$work/out" "$work/summary"
printf 'k_phi: 5e5\nberms: false\n' >columns.yaml
check "a soil of columns" "$tycho" check columns.yaml
grep -q 'ok (soil of the model scm)' "$work/out" && ok || bad "columns: $(head -n 1 "$work/out")"
printf 'fref: 9\nberms: false\n' >columns.yaml # no model takes both
refuse "a soil of no model" "there is no key 'fref'" "$tycho" check columns.yaml
rm columns.yaml
printf 'k_c,k_phi,n0,c,r,b,phi_deg,kx,a1,a2,lambda,load,slip\n1400,5e5,0.8,250,0.25,0.2,35,0.0178,0.4,0.15,0.1,180,0\n1400,5e5,0.8,250,0.25,0.2,35,0.0178,0.4,0.15,0.1,180,0.2\n' >wheel.csv
check "wheel" bash -c "'$tycho' eval wheel <wheel.csv"
want=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { a = 0.05 * (sin($at["theta1"]) - sin($at["theta2"])); printf "%.1f %.2f %+.1f %.2f\n", 1000 * $at["h"], 0.18 / a, $at["fx"], $at["torque"] }' "$work/out")
got=$(sed -nE 's/.*sinks ([0-9.]+) mm, mean pressure ([0-9.]+) kPa .* pull ([-+0-9.]+) N .*torque ([0-9.]+) N m/\1 \2 \3 \4/p' "$work/summary")
[ -n "$want" ] && [ "$got" = "$want" ] && ok || bad "the reference wheel: '$got', eval says '$want'"
check "other wheel" bash -c "sed 's/,180,/,181,/' wheel.csv | '$tycho' eval wheel"
[ "$(awk -F, 'NR == 2 { printf "%.2f", $8 }' "$work/out")" != "$(awk 'NR == 1 { print $4 }' <<<"$got")" ] && ok || bad "control: 1 N more makes no difference"
rm soil.yaml wheel.csv stiff.yaml weak.yaml
sed 's/name="spin_fl"/name="spin\&#27;[31m"/' viper.xml >odd.xml # a name that would colour the terminal
check "a name with a control character" "$tycho" check odd.xml
grep -q 'spin?\[31m' "$work/out" && ! grep -q $'\e' "$work/out" && ok || bad "a control character is printed: $(grep -a spin "$work/out")"
rm odd.xml

# ---- several files: each has its say, one wrong one makes the code 2
cp "$root/models/soils/lunar.yaml" "$root/models/sensors/stim300.yaml" .
printf 'k_phi: soft\n' >bad.yaml
"$tycho" check lunar.yaml bad.yaml stim300.yaml viper.xml >"$work/out" 2>"$work/err"; code=$?
[ $code = 2 ] && [ "$(grep -c ': ok (' "$work/out")" = 3 ] && [ "$(wc -l <"$work/err")" = 1 ] && ok || bad "mixed kinds: $code, $(cat "$work/out" "$work/err")"
refuse "a setting for a rover" "^tycho check: --set mass=1: viper.yaml is a rover, which takes no settings" "$tycho" check --set mass=1 viper.yaml

# ---- broken files: exactly one sentence, no output
wrong() { # NAME FILE SENTENCE: the whole of it, as an extended regular expression
    refuse "$1" "^tycho check: $3\.\$" "$tycho" check "$2"
    [ ! -s "$work/out" ] || bad "$1: something on standard output"
}
rover() { sed "$1" viper.yaml >b.yaml; cmp -s b.yaml viper.yaml && bad "nothing was broken by $1"; wrong "rover: $1" b.yaml "$2"; }
digger() { sed "$1" rassor.yaml >b.yaml; cmp -s b.yaml rassor.yaml && bad "nothing was broken by $1"; wrong "rover: $1" b.yaml "$2"; }
mjcf() { sed 's/viper.xml/b.xml/' viper.yaml >b.yaml; sed "$1" viper.xml >b.xml; cmp -s b.xml viper.xml && bad "nothing was broken by $1"; wrong "model: $1" b.yaml "$2"; rm b.xml; }
soil() { printf "$1" >b.yaml; wrong "soil: $1" b.yaml "$2"; }
other() { printf "$2" >"$1"; wrong "$1: $2" "$1" "$3"; rm "$1"; }

rover 's/^version: 1/version: 2/' 'b.yaml:3:10: version is 2, but takes the number 1'
rover '/^version/d' 'b.yaml:3:1: the key version is needed; it takes the number 1'
rover '/^model/d' 'b.yaml:3:1: the key model is needed; it takes text of at most 4095 bytes on one line'
rover 's/viper.xml/nope.xml/' "b.yaml:5:8: model is 'nope.xml', which cannot be opened \(No such file or directory\); it takes the path of an MJCF or URDF file"
rover 's/viper.xml/viper.yaml/' 'viper.yaml: not a model that MuJoCo takes \(.*Line number=1\)'
rover 's/^body: chassis/body: chasis/' "b.yaml:6:7: body is 'chasis', but the model viper.xml has no such body \(did you mean chassis\?\)"
rover 's/^body: chassis/body: wheel_fl/' "b.yaml:6:7: body is 'wheel_fl', which has no free joint; it takes the body that has one"
rover 's/mass: 434.9/mass: 400/' 'b.yaml:7:7: mass is 400 kg, but the bodies of the model viper.xml weigh 434.88 kg together'
rover 's/mass: 434.9/mass: heavy/' "b.yaml:7:7: mass is 'heavy', but takes a number from 0 to 1000000 kg"
rover 's/^wheels:/wheel:/' 'b.yaml:8:1: there is no key wheel \(did you mean wheels\?\); the file takes version, name, model, body, packages, xacro, hold, mass, wheels, drive, steering, suspension, motors, tools, mounts, collision, looks'
rover '/front_left/s/radius: 0.225/radius: -0.225/' 'b.yaml:10:104: wheels.0.radius is -0.225, but takes a number from 0.001 to 10 m'
rover '/front_left/s/radius: 0.225, //' 'b.yaml:10:5: the key wheels.0.radius is needed; it takes a number from 0.001 to 10 m'
rover '/front_left/s/width: 0.20/widht: 0.20/' 'b.yaml:10:111: there is no key wheels.0.widht \(did you mean width\?\); wheels.0 takes name, .*'
rover '/front_left/s/spin_fl/spin_xx/' "b.yaml:10:48: wheels.0.joint is 'spin_xx', but the model viper.xml has no such joint \(did you mean spin_fl\?\)"
rover '/front_left/s/spin_fl/spin_fr/' "b.yaml:11:48: wheels.1.joint is 'spin_fr', which is taken by wheels.0; each needs its own"
rover '/front_left/s/spin_fl/steer_fl/' "b.yaml:10:48: wheels.0.joint is 'steer_fl', which does not belong to the body 'wheel_fl'"
rover '/front_left/s/body: wheel_fl/body: wheel_xx/' "b.yaml:10:31: wheels.0.body is 'wheel_xx', but the model viper.xml has no such body \(did you mean wheel_fl\?\)"
rover '/front_left/s/steer: steer_fl/steer: steer_fr/' "b.yaml:10:64: wheels.0.steer is 'steer_fr', which does not carry the body 'wheel_fl'"
rover '/front_right/s/name: front_right/name: front_left/' "b.yaml:11:12: wheels.1.name is 'front_left', which is taken by wheels.0; each needs its own"
rover '/front_left/s/grouser_height: 0.025/grouser_height: 0.3/' "b.yaml:10:154: wheels.0.grouser_height is 0.3 m, but takes 0 to the wheel's radius of 0.225 m"
rover '/front_left/s/grousers: 24/grousers: 2.5/' 'b.yaml:10:134: wheels.0.grousers is 2.5, but takes an integer from 0 to 1000'
rover 's/stall_torque: 300 /stall_torque: 0 /' 'b.yaml:15:17: drive.stall_torque is 0, but takes a number from 0.0001 to 1000000 N m'
rover 's/name: navcam_right/name: navcam_left/' "b.yaml:36:12: mounts.1.name is 'navcam_left', which is taken by mounts.0; each needs its own"
rover '/name: lidar/s/body: chassis/body: mast/' "b.yaml:40:32: mounts.5.body is 'mast', but the model viper.xml has no such body; it has chassis, lower_fl, .*"
rover '/name: lidar/s/0.30, 0.0, 2.00/0.3, 0.0/' 'b.yaml:40:51: mounts.5.position has 2 elements, but takes a list of 3, each a number from -100 to 100 m'
rover '/-0.04/s/, box: .1.44, 1.30, 0.84.//' 'b.yaml:44:12: collision.0.body is given a collision shape without radius or box; it takes one of them, or both'
rover '$alooks: [{body: chassis, file: none.obj}]' "b.yaml:46:31: looks.0.file is 'none.obj', which cannot be opened \(No such file or directory\); it takes the path of an OBJ or glTF model"
digger 's/drum_front, joint: drum_front/drum_front, joint: arm_front/' "b.yaml:23:31: motors.2.joint is 'arm_front', which is taken by motors.0; each needs its own"
digger 's/arm_rear, joint: arm_rear/arm_rear, joint: spin_rl/' "b.yaml:22:29: motors.1.joint is 'spin_rl', which is taken by wheels.2; each needs its own"
digger 's/control: speed/control: torque/' "b.yaml:23:52: motors.2.control is 'torque', but takes one of angle, speed"
mjcf 's/name="steer_fl" class="steer"/& range="0.1 0.5"/' "b.yaml:10:64: wheels.0.steer is 'steer_fl', whose range of 5.73 to 28.65 deg leaves out 0, straight ahead"
mjcf 's/name="steer_fl" class="steer"/& axis="1 0 0"/' "b.yaml:10:64: wheels.0.steer is 'steer_fl', whose axis does not point up or down \(z\)"
mjcf 's/axis="0 1 0"/axis="1 0 0"/g' "b.yaml:10:48: wheels.0.joint is 'spin_fl', whose axis does not point to the side \(y\)"
mjcf 's/<freejoint[^>]*>//' "b.yaml:6:7: body is 'chassis', which has no free joint; it takes the body that has one"
mjcf 's/<\/worldbody>//' 'b.xml: not a model that MuJoCo takes \(.*Line number=25.*\)'
mjcf 's/mass="[0-9.]*"/mass="-1"/' "b.xml: not a model that MuJoCo takes \(.*line 81.*\)"

soil 'k_phi: soft\n' "b.yaml:1:8: k_phi is 'soft', but takes a number from 0 to 1e\+10 N/m\^\(n\+2\)"
soil 'k_phi: "5e5"\n' 'b.yaml:1:8: k_phi is the text "5e5", but takes a number from 0 to 1e\+10 N/m\^\(n\+2\)'
soil 'k_phi: [5e5]\n' 'b.yaml:1:8: k_phi is a list, but takes a number from .*'
soil 'n0:\n  a: 1\n' 'b.yaml:2:3: n0 is a mapping, but takes a number from 0.05 to 4'
soil 'n0:\n' "b.yaml:1:4: n0 is '', but takes a number from 0.05 to 4"
soil 'k_phi: -5\n' 'b.yaml:1:8: k_phi is -5, but takes 0 to 1e\+10 N/m\^\(n\+2\)'
soil 'c: 170\nphi_deg: 95\n' 'b.yaml:2:10: phi_deg is 95, but takes 0 to 80 deg'
soil 'n0: 1\nn1: -1.5\n' 'b.yaml:2:5: n0 \+ n1 is -0.5 and n0 \+ n1_skid is 1, but both must be above 0'
soil 'c: 170\nk_phii: 1\n' "b.yaml:2:1: there is no key 'k_phii' \(did you mean k_phi\?\); a soil takes k_c, .*, shear_time"
soil 'k_c: 1400\ncolour: grey\n' "b.yaml:2:1: there is no key 'colour'; a soil takes k_c, .*, shear_time"
soil 'kx: 0\n' 'b.yaml:1:5: kx is 0, but takes 1e-06 to 10 m'
soil 'kx: 1 cm\n' "b.yaml:1:5: kx is '1 cm', but takes a number from 1e-06 to 10 m"
soil 'rho: .nan\n' "b.yaml:1:6: rho is '.nan', but takes a number from 0 to 20000 kg/m\^3"
soil 'bulldozing: yes\n' "b.yaml:1:13: bulldozing is 'yes', but takes true or false"
soil 'bulldozing: 2\n' 'b.yaml:1:13: bulldozing is 2, but takes 0 or 1'
soil 'k_c: 1\nk_c: 2\n' 'b.yaml:2:1: the key k_c stands twice, first in line 1'
soil 'k_c: 0\nk_phi: 0\n' 'b.yaml: k_c / b \+ k_phi is 0 for a wheel 0.2 m wide, but must be above 0'
soil 'k_c: 1400\n\tn0: 1\n' 'b.yaml:2:1: .*'
soil 'k_c: {n0: 1\n' 'b.yaml:.*this is not valid YAML.*'

other b.csv 't,v,omega\n0,1,0\n' "b.csv:1: column 'omega' is unknown; a time table takes t, v, omega_deg, mode, crab_deg, and motors where a scenario says whose"
other b.csv 't,v,omega_deg,arm\n0,1,0,up\n' "b.csv:2: arm is 'up', but takes a finite number"
other b.csv 't,v,omega_deg,arm,arm\n0,1,0,1,1\n' "b.csv:1: column 'arm' is there twice; .*"
other b.csv 't,v,omega_deg,an arm\n0,1,0,1\n' "b.csv:1: column 'an arm' is unknown; .*"
other b.csv 't,v,omega_deg\n0,1,0\n0,1,0\n' 'b.csv:3: t is 0, but must be above 0 of the row before'
other b.csv 't,x,y,z\n0,1,2\n' 'b.csv:2: field 4 is not a number, or the row does not have 4 of them'
other b.csv 'x,y,z,dx,dy,dz\n0,0,0,0,0,0\n' 'b.csv:2: a beam needs a direction other than 0, 0, 0 and a time of 0 or more'
other b.csv 'load,slip,fx\n10,half,3\n' "b.csv:2: slip is 'half', but takes a number"
other b.csv 'colour,taste\n1,2\n' "b.csv: its header 'colour,taste' is that of no table that Tycho reads: .*"
other b.imu 'rate: 100\ngyro: {nose: 1}\n' 'b.imu:2:8: there is no key gyro.nose.*'
other b.yaml 'pattern: spin\nrate: 10\nnear: 1\n' 'b.yaml: pattern is spin, but elevation_deg is missing'
other b.yaml 'version: 1\nsites: [{scenario: gone.yaml}]\ncamera: {width: 64}\n' "b.yaml:2:20: sites.0.scenario is 'gone.yaml', which cannot be opened .*"
other b.yaml 'colour: grey\n' 'b.yaml:1:1: colour is a key of no file that Tycho knows; Tycho reads scenarios .*'
other b.yaml '{}\n' 'b.yaml:1:1: there are no keys here; Tycho reads scenarios .*'
other b.csv '' "b.csv: its header '' is that of no table that Tycho reads: .*"
other b.xml '' 'b.xml: not a model that MuJoCo takes .*'
other b.obj 'v 0 0 0\nf 1 2 3\n' 'b.obj:2: a face takes .*'
other b.urdf '<robot name="a"><link name="b"/>' 'b.urdf: .*'
other b.xml '<mujoco><worldbody><body><geom size="1"/></body></worldbody></mujoco>' 'b.xml: no body has a free joint, but the rover itself needs one'
printf 'version: 1\nrovers: [{model: viper.yaml, sensors: [{type: imu, name: a, mount: nose}]}]\n' >b.yaml
wrong "a scenario's mount" b.yaml "b.yaml: rover 'rover', sensor 'a': mount is 'nose', but viper.yaml has navcam_left, .*"
printf 'version: 1\nrovers: [{model: viper.yaml, soil: {file: bad.yaml}}]\n' >b.yaml
wrong "a scenario's soil" b.yaml "bad.yaml:1:8: k_phi is 'soft', .*"
rm b.yaml

# ---- damaged rovers and soils: ok, or one line and code 2
damage() { # SEED FILE: one or two changes by Perl's own dice: a bit, a byte, some bytes less or twice, a word of YAML
    perl -e 'my ($seed, $file) = @ARGV; srand($seed); local $/; open(F, "<", $file); my $t = <F>;
        my @w = (": ", "- ", "\n", "\t", "{", "}", "[", "]", "&a ", "*a", "!!str ", "\"", "#", "1e999", "-1", ".nan", "null", "\xff", "0", "1e6", "99999999999");
        for (1 .. 1 + int(rand(2))) { my $k = int(rand(length $t)); my $n = 1 + int(rand(20)); my $c = int(rand(5));
            if ($c == 0) { substr($t, $k, 1) ^= chr(1 << int(rand(7))) } elsif ($c == 1) { substr($t, $k, 1) = chr(int(rand(256))) }
            elsif ($c == 2) { substr($t, $k, $n) = "" } elsif ($c == 3) { substr($t, $k, 0) = substr($t, $k, $n) } else { substr($t, $k, 0) = $w[rand @w] } }
        print $t' "$1" "$2"
}
good=0; refused=0
fuzz() { # FILE COUNT: without comments, so that most changes matter
    local seed code
    sed 's/ *#.*//' "$1" >whole.yaml
    for seed in $(seq "$2"); do
        damage "$seed" whole.yaml >d.yaml
        timeout 60 "$tycho" check d.yaml >"$work/out" 2>"$work/err"; code=$?
        if [ $code = 0 ] && [ ! -s "$work/err" ] && grep -q '^d.yaml: ok (' "$work/out"; then good=$((good + 1)); ok
        elif [ $code = 2 ] && [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" = 1 ] && [ "$(wc -c <"$work/err")" -gt 40 ]; then refused=$((refused + 1)); ok
        else bad "$1, damage $seed: exit $code: $(head -c 300 "$work/err")"; fi
    done
}
many=${TYCHO_LONG:+10}
fuzz viper.yaml $((30 * ${many:-1}))
fuzz lunar.yaml $((48 * ${many:-1}))
[ $good -ge 3 ] && [ $refused -ge 20 ] && ok || bad "control: $good damaged files are ok, $refused are not: neither may be rare"
rm whole.yaml d.yaml

[ "$(ls | tr '\n' ' ')" = "bad.yaml ex1.xml lunar.yaml rassor.xml rassor.yaml stim300.yaml viper.xml viper.yaml " ] && ok || bad "something was written: $(ls)"
cd / && finish
