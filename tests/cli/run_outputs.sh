# What tycho run writes beside frames and telemetry: the ground before and after, videos, a progress line.
. "$(dirname "$0")/lib.sh"
root=$PWD
cat >"$work/short.yaml" <<Y
version: 1
name: short
start_utc: 2026-12-01T12:00:00
site: {lat_deg: -84, lon_deg: 222.7}
terrain: {extent: 500, seed: 3, relief: {rms_slope_deg: 3, baseline: 5, outer: 200}, craters: {d_max: 30}, rocks: {enabled: false}}
duration: 2
rovers:
  - model: $root/models/rovers/viper.yaml
    driver: {type: constant, v: 0.2}
Y
{ cat "$work/short.yaml"; echo "    sensors: [{type: camera, name: nav, mount: navcam_left, width: 65, height: 49, period: 0.1, samples: 1}]"; } >"$work/seen.yaml"
sed -i 's/duration: 2/duration: 0.4/' "$work/seen.yaml"
go() { local name=$1; shift; check "run $name" $TYCHO run "$work/short.yaml" -o "$work/$name" --no-overview --no-mcap "$@"; }

# ---- the ground before and after, as any GeoTIFF is read; the summary says what they hold
mkdir "$work/bin"
go a --quiet
for f in before after; do
    $TYCHO terrain info "$work/a/terrain_$f.tif" >"$work/$f" 2>&1 || bad "terrain_$f.tif cannot be read: $(cat "$work/$f")"
    size=$(sed -n 's/^ *"terrain_width": \([0-9]*\),/\1/p' "$work/a/summary.json")
    grep -q "size  *$size x $(sed -n 's/^ *"terrain_height": \([0-9]*\),/\1/p' "$work/a/summary.json") samples, 0.02 m apart" "$work/$f" && ok || bad "terrain_$f.tif: $(cat "$work/$f")"
    grep -q "latitude -84 to -84, longitude -137.3 to -137.3 deg" "$work/$f" && ok || bad "terrain_$f.tif lies elsewhere: $(cat "$work/$f")"
done
cmp -s "$work/a/terrain_before.tif" "$work/a/terrain_after.tif" && bad "control: wheels left no ruts" || ok
awk -F'[:,]' '/rut_lowest_m/ { low = $2 } END { exit !(low < -0.01 && low > -0.2) }' "$work/a/summary.json" && ok || bad "the ruts are not 1 to 20 cm deep"
grep -q "terrain_after.tif" "$work/a/report.html" && ok || bad "the report does not name the ground"
go rigid --quiet --set duration=0.5 --set soil.model=rigid
[ -e "$work/rigid/terrain_before.tif" ] && bad "control: hard ground has ruts" || ok

# ---- video: without ffmpeg a sentence and a whole run; a program of that name gets every frame, in order
PATH=/nonexistent $TYCHO run "$work/seen.yaml" -o "$work/none" --no-overview --no-mcap --quiet --video >/dev/null 2>"$work/err"
[ $? = 0 ] && grep -q "no video, because there is no ffmpeg program" "$work/err" && [ "$(wc -l <"$work/err")" = 1 ] && ok || bad "without ffmpeg: $(cat "$work/err")"
[ -s "$work/none/report.html" ] && [ ! -e "$work/none/video" ] && ok || bad "without ffmpeg the run is not whole"
printf '#!/bin/sh\nfor last; do :; done\ncat >"$last"\n' >"$work/bin/ffmpeg"
chmod +x "$work/bin/ffmpeg"
PATH=$work/bin:$PATH check "with a program" $TYCHO run "$work/seen.yaml" -o "$work/fake" --no-overview --no-mcap --quiet --video
cat "$work"/fake/frames/nav_*.png | cmp -s - "$work/fake/video/nav.mp4" && ok || bad "ffmpeg did not get the frames in order"
printf '#!/bin/sh\nexit 3\n' >"$work/bin/ffmpeg"
PATH=$work/bin:$PATH $TYCHO run "$work/seen.yaml" -o "$work/broken" --no-overview --no-mcap --quiet --video >/dev/null 2>"$work/err"
[ $? = 0 ] && grep -q "no video of nav: ffmpeg ended with code 3" "$work/err" && ok || bad "ffmpeg that fails: $(cat "$work/err")"
ls "$work"/broken/video/*.mp4 >/dev/null 2>&1 && bad "a broken video is left" || ok
if command -v ffmpeg >/dev/null; then
    check "with ffmpeg" $TYCHO run "$work/seen.yaml" -o "$work/real" --no-overview --no-mcap --quiet --video
    [ "$(dd if="$work/real/video/nav.mp4" bs=1 skip=4 count=4 2>/dev/null)" = ftyp ] && ok || bad "the video is no MP4 file"
    if command -v ffprobe >/dev/null; then
        seen=$(ffprobe -v error -count_frames -select_streams v:0 -show_entries stream=width,height,nb_read_frames -of csv=p=0 "$work/real/video/nav.mp4")
        [ "$seen" = "66,50,5" ] && ok || bad "the video has width, height, frames $seen; want 66,50,5"
    fi
else
    echo "there is no ffmpeg here: the real one is not tried"
fi

# ---- overlays: copies of the pictures, in a video of their own; the pictures stay what they are
printf '#!/bin/sh\nfor last; do :; done\ncat >"$last"\n' >"$work/bin/ffmpeg"
over="overlay: [trail, frames, lidar, waypoints, text], caption: a try"
sed "s/samples: 1}/samples: 1, $over}, {type: lidar, name: scan, mount: lidar, model: ${root//\//\\/}\/models\/sensors\/lidar_vlp_16.yaml, period: 0.1}/" "$work/seen.yaml" >"$work/over.yaml"
PATH=$work/bin:$PATH check "overlays" $TYCHO run "$work/over.yaml" -o "$work/over" --no-overview --no-mcap --quiet --video
for f in "$work"/fake/frames/nav_*.png; do
    name=$(basename "$f" .png)
    cmp -s "$f" "$work/over/frames/$name.png" && ok || bad "an overlay changed the picture $name.png"
    [ -s "$work/over/frames/${name}_overlay.png" ] && ! cmp -s "$f" "$work/over/frames/${name}_overlay.png" && ok || bad "no overlay of $name.png"
done
ls "$work"/fake/frames/*_overlay.png >/dev/null 2>&1 && bad "control: overlays that nobody asked for" || ok
cat "$work"/over/frames/nav_*_overlay.png | cmp -s - "$work/over/video/nav_overlay.mp4" && cmp -s "$work/fake/video/nav.mp4" "$work/over/video/nav.mp4" && ok || bad "the videos do not hold the pictures and their copies"
refuse "boxes over a picture without boxes" "overlay: boxes needs boxes to draw" $TYCHO run "$work/seen.yaml" -o "$work/no" --no-overview --quiet --set 'rovers.0.sensors.0.overlay=[boxes]'
refuse "an overlay that is none" "overlay.*boxes, boxes3, labels, frames, trail" $TYCHO run "$work/seen.yaml" -o "$work/no" --no-overview --quiet --set 'rovers.0.sensors.0.overlay=[smoke]'

# ---- progress: nothing in a file for a short run; on a terminal one line, written over
go p
[ -s "$work/err" ] && bad "a short run wrote progress into a file: $(cat "$work/err")" || ok
if ! script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    echo "there is no terminal to be had here: the progress line is not tried"
else
    script -qec "$TYCHO run '$work/short.yaml' --set duration=40 -o '$work/tty' --no-overview --no-mcap" /dev/null >"$work/tty.txt" </dev/null
    tr '\r' '\n' <"$work/tty.txt" | grep -qE "^ *[0-9]+ %  [0-9.]+ of 40 s, [0-9.e-]+x real time, .* left at most; [0-9]+ % is (dynamics|soil|frames|sensors|writing|events)" &&
        ok || bad "no progress line on a terminal: $(head -c 300 "$work/tty.txt")"
fi
finish
