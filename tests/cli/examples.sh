# The examples drive: both closed loops reach their goals and touch no rock, with one seed here and 20 with TYCHO_LONG (make test-long). A rover
# that cannot see, or may not steer, does not get through.
. "$(dirname "$0")/lib.sh"
bin=$(dirname "$TYCHO")/examples
n=1
[ -n "${TYCHO_LONG:-}" ] && n=20
# drives NAME [ARGUMENTS...]: with every seed it reaches the goal, touches nothing, says so
drives() {
    local good=0 s code
    for s in $(seq 1 $n); do
        "$bin/$1" --seed "$s" "${@:2}" >"$work/said" 2>"$work/err"; code=$?
        [ $code = 0 ] && grep -q 'reached the goal after .* touched no rock$' "$work/said" && good=$((good + 1)) || echo "seed $s: exit $code: $(cat "$work/said" "$work/err")"
        [ -n "${TYCHO_LONG:-}" ] && cat "$work/said"
    done
    echo "$1: $good of $n seeds reached the goal and touched no rock"
    [ $good = "$n" ] && ok || bad "$1: $good of $n"
}
# fails NAME PATTERN ARGUMENTS...: exit code 1, and a sentence
fails() {
    local pattern=$2 name=$1; shift 2
    "$bin/$name" "$@" >"$work/said" 2>"$work/err"; local code=$?
    [ $code = 1 ] && grep -q "$pattern" "$work/said" && ok || bad "control: $name $*: exit $code: $(cat "$work/said" "$work/err")"
}
drives corridor --picture "$work/c.png"
drives stereo_waypoints
[ "$(od -An -tx1 -N4 "$work/c.png" | tr -d ' ')" = 89504e47 ] && ok || bad "no picture of the course"
# controls: without steering, with a lidar that sees 0.1 m, and, on each course, without looking (so that small images do)
fails corridor 'touched a rock$' --seed 1 --straight
fails corridor 'did not reach the goal' --seed 1 --set rovers.0.sensors.0.settings.near=0.05 --set rovers.0.sensors.0.settings.far=0.1
for s in $(seq 1 $n); do
    fails stereo_waypoints 'touched a rock$' --seed "$s" --blind --set rovers.0.sensors.0.width=16 --set rovers.0.sensors.1.width=16 --set duration=70
done
refuse "an option" "'--sed' is not an option" "$bin/corridor" --sed 3
refuse "a key" 'terrain.sead' "$bin/stereo_waypoints" --set terrain.sead=3
check "user_filter" "$bin/user_filter" examples/user_filter.yaml "$work/f.png"
grep -q "'mine' takes digital numbers, but 'blur' before it gives radiance" "$work/out" && ok || bad "user_filter: $(cat "$work/out")"
check "user_material" "$bin/user_material"
if [ "$(grep -c . <(ls /etc/OpenCL/vendors 2>/dev/null))" -gt 0 ]; then
    check "user_material on a device" "$bin/user_material" examples/user_material.yaml "$work/m.png" ""
fi
check "user_sensor" "$bin/user_sensor"
grep -q 'in the shadow: as it should be$' "$work/out" && ok || bad "user_sensor: $(cat "$work/out")"
finish
