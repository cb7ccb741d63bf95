#!/usr/bin/env bash
# tycho camera: fitting a synthetic series, exposing a scene, sheets, and what is refused.
. "$(dirname "$0")/lib.sh"
camera="$TYCHO camera"
# value NAME: the number that the last fit printed for it
value() { awk -v n="$1" 'index($0, "  " n " ") == 1 { sub("  " n " +", ""); print $1 }' "$work/out"; }
# within NAME GOT WANT SHARE
within() { if awk -v g="$2" -v w="$3" -v s="$4" 'BEGIN { d = g - w; exit !(g != "" && d * d <= s * s * w * w) }'; then ok; else bad "$1: got '$2', want $3 within $4"; fi; }

# ---- a series gives back its camera within 3 % ----
check "series" $camera --series "$work/s" --size 96 --set read=8 --set a=0.25 --set dark=200
[ "$(ls "$work/s" | wc -l)" = 49 ] || bad "series: $(ls "$work/s" | wc -l) files"
check "fit" $camera --fit "$work/s" -o "$work/ptc.png"
grep -q '^linear response' "$work/out" || bad "fit: $(cat "$work/out")"
within "gain" "$(value gain)" 0.25 0.03
within "read noise" "$(value 'read noise')" 8 0.03
within "dark current" "$(value 'dark current')" 200 0.03
within "offset" "$(value b)" 100 0.03
if within "control" "$(value gain)" 0.27 0.03 | grep -q FAIL; then ok; else bad "control: a wrong gain passes"; fi
[ -s "$work/ptc.png" ] || bad "no plot"
check "fit of a list, a part of the frame" $camera --fit "$work/s/series.csv" --window 0.8 --bits 12 --curve linear
within "gain of a part" "$(value gain)" 0.25 0.03
check "series of a gamma camera" $camera --series "$work/g" --size 96 --set curve=gamma --set a=1800 --set b=200 --set gamma=1.3 --set bits=16
check "fit of a gamma camera" $camera --fit "$work/g"
grep -q '^gamma response' "$work/out" || bad "gamma: $(cat "$work/out")"
within "gamma" "$(value gamma)" 1.3 0.03
within "a" "$(value a)" 1800 0.03
within "read noise of gamma" "$(value 'read noise')" 13 0.03

# ---- a scene through the camera ----
check "scene" $camera --scene "$work/scene.exr" --size 96
check "expose" $camera --expose "$work/scene.exr" -o "$work/a.png" --set auto_exposure=on --frame 8
check "expose again" $camera --expose "$work/scene.exr" -o "$work/b.png" --set auto_exposure=on --frame 8
cmp -s "$work/a.png" "$work/b.png" || bad "the same frame twice differs"
check "another frame" $camera --expose "$work/scene.exr" -o "$work/b.png" --set auto_exposure=on --frame 9
cmp -s "$work/a.png" "$work/b.png" && bad "another frame is the same"
check "sheet" $camera --sheet noise "$work/scene.exr" -o "$work/noise.png"
check "colours" $camera --scene "$work/rgb.exr" --size 64 --bands 3
check "colour sheet" $camera --sheet lens "$work/rgb.exr" -o "$work/lens.png"
check "help" $camera --help
[ "$(wc -l <"$work/out")" -lt 40 ] || bad "help does not fit a screen"

# ---- what is refused ----
refuse "nothing to do" "takes one of --fit" $camera
refuse "no such folder" "nowhere.*there is no such file" $camera --fit "$work/nowhere"
refuse "folder that is there" "is there already" $camera --series "$work/s"
refuse "folder in no folder" "No such file" $camera --series "$work/no/such"
refuse "unknown option" "does not know --colour" $camera --fit "$work/s" --colour
refuse "unknown setting" "no setting 'gain'" $camera --expose "$work/scene.exr" -o "$work/c.png" --set gain=1
refuse "wrong number" "read is '-1', but takes 0 to" $camera --expose "$work/scene.exr" -o "$work/c.png" --set read=-1
refuse "wrong bits" "bits is '12.5', but takes a whole number from 8 to 16" $camera --series "$work/x" --set bits=12.5
refuse "wrong switch" "shot is 'maybe', but takes on or off" $camera --series "$work/x" --set shot=maybe
refuse "wrong curve" "gamma, sigmoid or linear" $camera --fit "$work/s" --curve cubic
refuse "half a chain" "the chain ends in radiance" $camera --expose "$work/scene.exr" -o "$work/c.png" --set aggregator=off \
    --set prnu=off --set dark=off --set shot=off --set full_well=off --set read=off --set pattern=off --set dead=off --set response=off --set quantise=off
refuse "misfit" "'prnu' takes electrons as f32, but 'vignetting' before it gives radiance" $camera --expose "$work/scene.exr" -o "$work/c.png" --set aggregator=off
refuse "no output" "takes -o" $camera --expose "$work/scene.exr"
refuse "unknown sheet" "exposure, noise or lens" $camera --sheet blur "$work/scene.exr" -o "$work/c.png"
refuse "not an EXR" "is not an OpenEXR image" $camera --expose "$work/a.png" -o "$work/c.png"
head -c 3000 "$work/scene.exr" >"$work/cut.exr"
refuse "cut EXR" "cut.exr: is a broken OpenEXR|cut.exr: is not|too short" $camera --expose "$work/cut.exr" -o "$work/c.png"
[ ! -e "$work/c.png" ] || bad "a refused exposure left a file"
[ -z "$(find "$work" -name '*.part-*')" ] || bad "left beside: $(ls "$work")"
printf 'file,t_s,light\nlight_00a.png,0.01,1\nlight_00b.png,0.02,1\n' >"$work/s/odd.csv"
refuse "no pair" "odd.csv, line 3: light_00b.png is not of the same exposure" $camera --fit "$work/s/odd.csv"
printf 'file,t_s,light\nlight_00a.png,0.01,1\n' >"$work/s/odd.csv"
refuse "no partner" "light_00a.png, has no partner" $camera --fit "$work/s/odd.csv"
printf 'light_00a.png;0.01;1\n' >"$work/s/odd.csv"
refuse "not a list" "odd.csv, line 1: takes file,t_s,light" $camera --fit "$work/s/odd.csv"
printf 'light_00a.png,0.01,1\nlight_00b.png,0.01,1\n' >"$work/s/odd.csv"
refuse "too few" "0 dark and 1 light exposures" $camera --fit "$work/s/odd.csv"
printf 'gone.png,0.01,1\ngone.png,0.01,1\n' >"$work/s/odd.csv"
refuse "missing frame" "gone.png: cannot be read" $camera --fit "$work/s/odd.csv"
finish
