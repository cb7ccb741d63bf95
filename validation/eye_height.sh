#!/usr/bin/env bash
# Ground at eye height beside three frames of Apollo 11, by the same code: share of shadow, spread, brightness by phase angle.
#
#     validation/eye_height.sh [-t TYCHO] [-r RENDERER] [-s SCENARIO] [-p PHOTOS] [-o OUT]
#
# RENDERER draws and TYCHO measures: so pictures of another version, with its own scenarios/mare_plain.yaml, are measured by the same code.
# PHOTOS holds AS11-40-5851.jpg, -5937.jpg, -5961.jpg (scans of 2000 x 1960 pixels, focal length 2226 px by the crosses). Without them it says so and
# measures our ground alone. Azimuths of view follow from the shadows of stones (tips against feet on level ground, camera 1.4 m up): the Sun is 36 deg
# left of the axis in 5937, 45 deg in 5851; in 5961 it is behind, its light going to pixel 309,1390. Film is decoded with a gamma of 2.2, an assumption.
set -eu
tycho=build/tycho renderer= scenario=scenarios/mare_plain.yaml photos=../shared/data/photos/apollo out=out/eye_height
while getopts t:r:s:p:o: option; do
    case $option in
        t) tycho=$OPTARG ;; r) renderer=$OPTARG ;; s) scenario=$OPTARG ;; p) photos=$OPTARG ;; o) out=$OPTARG ;; *) exit 2 ;;
    esac
done
mkdir -p "$out"
renderer=${renderer:-$tycho}
[ -d "$photos" ] || echo "$photos is not here: our ground alone"
# places that were not looked at while the kind's numbers were chosen, but the first two
places="120,-340 -900,410 1700,-2300 -2600,900"

spread() { # LABEL PICTURE GAMMA BIN CROP
    "$tycho" terrain picture "$2" --gamma "$3" --bin "$4" --crop "$5" |
        awk -v label="$1" '/below/ {dark = $4} /over the median/ {p10 = $(NF - 3); p90 = $(NF - 2)}
            END {printf "%-34s below .15: %5.1f %%   10 %%: %.2f   90 %%: %.2f\n", label, 100 * dark, p10, p90}'
}
phase() { # LABEL PICTURE GAMMA BIN CROP PHASE
    "$tycho" terrain picture "$2" --gamma "$3" --bin "$4" --crop "$5" --phase "$6" |
        awk -v label="$1" '/^ *[0-9]+ to / && $1 < 45 {row = row sprintf(" %5.2f", $NF)} END {printf "%-34s%s\n", label, row}'
}
draw() { # NAME EYE LOOK SUN
    "$renderer" render "$scenario" --eye="$2,1.4" --look="$3" --sun "$4" --fov 48.4 --size 1000x980 --samples 8 \
        --linear --quiet -o "$out/$1.png" >/dev/null
}
half() { # every number of a crop or place, for pictures of half as many pixels
    echo "$1" | awk -F, -v OFS=, '{for (i = 1; i <= NF; i++) $i = $i / 2; print}'
}
# crops: below the horizon to the foot of the frame, without the strips and shadows at its edges
for frame in "5937 36,-11.3 0,14.9 80,800,1800,1140" "5851 45,-5.1 0,14.1 300,960,1600,880"; do
    set -- $frame
    photo=$photos/AS11-40-$1.jpg
    [ ! -f "$photo" ] || spread "AS11-40-$1" "$photo" 2.2 2 "$4"
    for place in $places; do
        draw "$1_$place" "$place" "$2" "$3"
        spread "$1 at $place" "$out/$1_$place.png" 1 1 "$(half "$4")"
    done
done
echo "phase 5-10, 10-15 .. 40-45 deg, over the first"
photo=$photos/AS11-40-5961.jpg crop=460,760,1500,1160 sun=309,1390,2226
[ ! -f "$photo" ] || phase "AS11-40-5961" "$photo" 2.2 2 $crop $sun
for place in $places; do
    draw "5961_$place" "$place" 197.6,-5.5 0,15.0
    phase "5961 at $place" "$out/5961_$place.png" 1 1 "$(half $crop)" "$(half $sun)"
done
