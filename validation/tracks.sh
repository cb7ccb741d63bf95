#!/usr/bin/env bash
# Tracks beside those of Chang'e-3's rover in two photographs of its lander, by the same code: brightness of a track over that of the soil.
#
#     validation/tracks.sh [-t TYCHO] [-p PHOTOS] [-o OUT]
#
# PHOTOS holds TCAM6.png and TCAM10.png (423 x 310 pixels, 0.94 mrad each, camera some 3 m up). Without them it says so and measures our tracks alone.
# Neither time nor pointing of the photographs is known. Shadows of stones lie to the right in TCAM6 and to the lower left in TCAM10; of the Suns of
# the landing site's first day those of 2013-12-15 and 2013-12-23, 84 deg left and 34 deg right of a camera that looks to azimuth 203, do that, and the
# gauge of the tracks puts them 11 m away. EX1 under 2.5 m/s2 sinks about 1 cm, as Yutu did; under the Moon's gravity 8 mm. Phase angles there: 83 and 122 deg, some 10 deg uncertain. Photographs are decoded with a gamma of 2.2.
set -eu
tycho=build/tycho photos=../shared/data/photos/change3 out=out/tracks
while getopts t:p:o: option; do
    case $option in
        t) tycho=$OPTARG ;; p) photos=$OPTARG ;; o) out=$OPTARG ;; *) exit 2 ;;
    esac
done
mkdir -p "$out"
models=$(cd models && pwd)
[ -d "$photos" ] || echo "$photos is not here: our tracks alone"

band() { # LABEL PICTURE LINE
    printf '%-34s' "$1"
    "$tycho" terrain picture "$2" --gamma 2.2 --band "$3" | grep band
}
drive() { # NAME ROVER SPEED X Y UTC [GRAVITY]
    cat >"$out/$1.yaml" <<EOF
version: 1
name: $1
start_utc: $6
site: {lat_deg: 44.12, lon_deg: -19.51}
terrain: {kind: mare, extent: 1000, seed: 11, rocks: {d_max: 0.25}}
duration: 61
gravity: ${7:-1.62}
soil: {model: bekker, file: $models/soils/lunar.yaml}
rovers:
  - {name: $2, model: $models/rovers/$2.yaml, x: $4, y: $5, yaw_deg: 157, driver: {type: constant, v: $3}}
actors:
  - {name: tcam, on_ground: true, x: 4.3, y: 10.1, z: 3, yaw_deg: 247, pitch_deg: 15.5, hidden: true,
     sensors: [{type: camera, name: tcam, width: 423, height: 310, hfov_deg: 22.9, period: 60, start: 60, samples: 16}]}
  - {name: near, on_ground: true, x: 1.0, y: 2.6, z: 1.5, yaw_deg: 247, pitch_deg: 28, hidden: true,
     sensors: [{type: camera, name: near, width: 900, height: 600, hfov_deg: 60, period: 60, start: 60, samples: 16}]}
EOF
    rm -rf "${out:?}/$1"
    "$tycho" run "$out/$1.yaml" --no-overview --no-mcap --quiet -o "$out/$1" >/dev/null
    cp "$out/$1/tcam/frames/tcam_0060000.png" "$out/$1.png"
    cp "$out/$1/near/frames/near_0060000.png" "$out/$1_near.png"
}
# lines along the nearer track, where it is straight; uneven ground steers EX1 from side to side
[ ! -f "$photos/TCAM6.png" ] || band TCAM6 "$photos/TCAM6.png" 287,184,367,178,2.5
[ ! -f "$photos/TCAM10.png" ] || band TCAM10 "$photos/TCAM10.png" 233,195,300,186,2.5
for sun in 6:2013-12-15T00:00:00 10:2013-12-23T00:00:00; do
    drive "viper${sun%%:*}" viper 0.2 5.06 -2.15 "${sun#*:}"
    band "VIPER under the Sun of TCAM${sun%%:*}" "$out/viper${sun%%:*}.png" 130,187,370,179.6,2.5
    band "  the farther track" "$out/viper${sun%%:*}.png" 130,161,370,149.8,2.5
    drive "ex1_${sun%%:*}" ex1 0.1 2.3 -0.98 "${sun#*:}"
    band "EX1 under the Sun of TCAM${sun%%:*}" "$out/ex1_${sun%%:*}.png" 105,178.6,255,174.4,1.2
    drive "deep_${sun%%:*}" ex1 0.1 2.3 -0.98 "${sun#*:}" 2.5
    band "  pressed in by 1 cm" "$out/deep_${sun%%:*}.png" 105,178.6,255,174.4,1.2
done
