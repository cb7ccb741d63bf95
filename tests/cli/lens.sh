# Cameras whose lens has no rays: refused by check and run alike, with a sentence, before anything is written.
. "$(dirname "$0")/lib.sh"
scene() {
    cat >"$work/s.yaml" <<Y
version: 1
name: lens
start_utc: 2027-03-16T00:00:00
site: {lat_deg: 0, lon_deg: 0}
terrain: {extent: 100, resolution: 0.05}
duration: 0.02
rovers:
  - name: viper
    model: $PWD/models/rovers/viper.yaml
    sensors:
      - {type: camera, name: eye, mount: navcam_left, width: 32, height: 24, samples: 1, $1}
Y
}
no() { # NAME KEYS PATTERN
    scene "$2"
    refuse "check $1" "$3" $TYCHO check "$work/s.yaml"
    refuse "run $1" "$3" $TYCHO run "$work/s.yaml" --quiet -o "$work/r"
    [ -e "$work/r" ] && bad "$1: something was written" || ok
}
no "no vectors" "lens: cahv" "lens cahv takes a, a unit vector"
no "v of no length" "lens: cahv, a: [0, 0, 1], h: [40, 0, 16], v: [0, 0, 0]" "at least a pixel across a, but h has 40 and v 0 px"
no "v along h" "lens: cahv, a: [0, 0, 1], h: [40, 0, 16], v: [40, 0, 12]" "v lies along h"
no "1e300" "lens: cahv, a: [0, 0, 1], h: [1e300, 0, 16], v: [0, 40, 12]" "1e\+?300"
no "no axis of the lens" "lens: cahvor, a: [0, 0, 1], h: [40, 0, 16], v: [0, 40, 12]" "lens cahvor takes o, a unit vector"
no "too wide" "lens: pinhole, hfov_deg: 200" "takes up to 179 deg"
scene "lens: cahv, a: [0, 0, 1], h: [40, 0, 16], v: [0, 40, 12]"
check "control: good vectors" $TYCHO check "$work/s.yaml"
finish
