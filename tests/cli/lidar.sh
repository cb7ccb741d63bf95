#!/usr/bin/env bash
# tycho lidar: a scan as files of three formats and as pictures, motion, photons, and what is refused.
. "$(dirname "$0")/lib.sh"
lidar="$TYCHO lidar"
cat >"$work/site.yaml" <<'Y'
version: 1
name: flat
terrain:
  extent: 400
  seed: 3
  resolution: 0.1
  craters: { enabled: false }
  rocks: { d_min: 0.2 }
Y
site="$work/site.yaml --detail 256 --quiet"

# ---- one scan, three formats: the same points ----
check "binary pcd" $lidar $site -o "$work/a.pcd" --picture "$work/a.png"
check "ascii pcd" $lidar $site -o "$work/b.pcd" --ascii
check "ply" $lidar $site -o "$work/a.ply"
check "csv" $lidar $site -o "$work/a.csv"
n=$(($(wc -l <"$work/a.csv") - 1))
[ "$n" -gt 5000 ] || bad "only $n points"
for f in a.pcd b.pcd; do
    grep -aq "^POINTS $n$" "$work/$f" || bad "$f: $(grep -a ^POINTS "$work/$f"), want $n"
done
grep -aq "^element vertex $n$" "$work/a.ply" || bad "ply: $(grep -a ^element "$work/a.ply")"
head=$(awk '{ n += length($0) + 1 } /^DATA/ { print n; exit }' "$work/a.pcd" 2>/dev/null)
[ "$(($(stat -c %s "$work/a.pcd") - head))" = $((n * 31)) ] || bad "pcd: $(stat -c %s "$work/a.pcd") bytes for $n points"
head=$(LC_ALL=C awk '{ n += length($0) + 1 } /^end_header/ { print n; exit }' "$work/a.ply")
[ "$(($(stat -c %s "$work/a.ply") - head))" = $((n * 31)) ] || bad "ply: $(stat -c %s "$work/a.ply") bytes for $n points"
# the first point of the binary file is the first row of the table
first=$(head=$(LC_ALL=C awk '{ n += length($0) + 1 } /^end_header/ { print n; exit }' "$work/a.ply"); tail -c +$((head + 1)) "$work/a.ply" | od -A n -t f4 -N 12 | tr -s ' ' '\n' | sed '/^$/d' | head -3 | awk '{ printf "%.4f ", $1 }')
table=$(sed -n 2p "$work/a.csv" | awk -F, '{ printf "%.4f %.4f %.4f ", $1, $2, $3 }')
[ "$first" = "$table" ] || bad "ply begins with $first, csv with $table"
# ascii and binary rows agree with the table
rows=$(sed '1,/^DATA/d' "$work/b.pcd" | tr ' ' , | cmp - <(tail -n +2 "$work/a.csv") && echo same)
[ "$rows" = same ] && ok || bad "ascii pcd and csv differ"
[ -s "$work/a.png" ] || bad "no picture"
# every range is the distance of its point from its laser, at the height [mm] that the manual gives it, rings 0 to 15 from the lowest
heights="11.2 9.7 8.1 6.6 5.1 3.7 2.2 0.7 -0.7 -2.2 -3.7 -5.1 -6.6 -8.1 -9.7 -11.2"
ranges() { awk -F, -v h="$1" 'BEGIN { split(h, mm, " ") } NR > 1 { d = sqrt($1 ^ 2 + $2 ^ 2 + ($3 - mm[$7 + 1] / 1000) ^ 2) - $5; if (d * d > 1e-10 || $7 < 0 || $7 > 15) exit 1 }' "$work/a.csv"; }
if ranges "$heights"; then ok; else bad "ranges or rings are wrong"; fi
if ranges "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"; then bad "control: all lasers at one place were accepted"; else ok; fi
# intensities as the device sends them: whole numbers up to 255
if awk -F, 'NR > 1 { if ($4 != int($4) || $4 > 255) exit 1; s += $4 } END { exit !(s / NR > 5) }' "$work/a.csv"; then ok; else bad "intensities are not those of a byte"; fi

# ---- repeatable; threads; seeds; frames ----
check "again, one thread" $lidar $site -o "$work/b.csv" --threads 1
cmp -s "$work/a.csv" "$work/b.csv" || bad "the same scan differs on one thread"
check "another seed" $lidar $site -o "$work/b.csv" --seed 2
cmp -s "$work/a.csv" "$work/b.csv" && bad "another seed gives the same noise"
check "driving" $lidar $site -o "$work/d.csv" --key noise=false --speed 10 --turn 30
check "driving, raw" $lidar $site -o "$work/r.csv" --key noise=false --speed 10 --turn 30 --raw
cmp -s "$work/d.csv" "$work/r.csv" && bad "taking the motion out changes nothing"
[ "$(wc -l <"$work/d.csv")" = "$(wc -l <"$work/r.csv")" ] || bad "driving: points went missing"
check "world" $lidar $site -o "$work/w.csv" --world --at 50,20,2 --look 90,0,0 --color intensity --picture "$work/w.png"
if awk -F, 'NR > 1 { x += $1; y += $2; n++ } END { exit !(x / n > 30 && x / n < 70 && y / n > 0 && y / n < 40) }' "$work/w.csv"; then ok; else bad "world: the cloud is not around the lidar"; fi

# ---- things of the scenario are seen: a ball 6 m east, its points 1 m from its middle ----
{ cat "$work/site.yaml"; printf 'objects:\n  - { type: sphere, name: ball, radius: 1, position: [6, 0, 1.8], on_ground: true }\n'; } >"$work/ball.yaml"
check "a ball" $lidar "$work/ball.yaml" --detail 256 --quiet --world --key noise=false --key range_step=0 -o "$work/ball.csv"
awk -F, 'NR > 1 && $9 == 1 { n++; x += $1; y += $2 } END { exit !(n > 50 && x / n > 5 && x / n < 6 && y * y / n / n < 0.1) }' "$work/ball.csv" || bad "ball: $(awk -F, '$9 == 1' "$work/ball.csv" | wc -l) points on it"

# ---- models, keys, photons ----
for m in hdl_32e vlp_32c; do check "$m" $lidar $site --model $m -o "$work/m.ply"; done
check "flash" $lidar $site --model flash_landing --at 0,0,100 --look 0,-90,0 -o "$work/flash.csv"
if awk -F, 'NR > 1 && ($5 < 80 || $5 > 120) { exit 1 }' "$work/flash.csv" && [ "$(wc -l <"$work/flash.csv")" -gt 16000 ]; then ok; else bad "flash: $(wc -l <"$work/flash.csv") points"; fi
check "dual returns" $lidar $site --key mode=dual --key samples=16 -o "$work/dual.csv"
awk -F, 'NR > 1 && $8 == 1 { n++ } END { exit !(n > 10) }' "$work/dual.csv" || bad "dual: no second returns"
check "photons" $lidar $site -o "$work/p.csv" --photons "$work/h.png"
check "photons as a table" $lidar $site -o "$work/p.csv" --photons "$work/h.csv" --beam 10,15
[ "$(wc -l <"$work/h.csv")" = 8193 ] || bad "photons: $(wc -l <"$work/h.csv") lines"
printf 'x,y,z,dx,dy,dz\n0,0,0,1,0,-1\n0,0,0,0,0,-1\n' >"$work/beams.csv"
printf 'title: two beams\npattern: table\nbeams: beams.csv\n' >"$work/two.yaml"
check "a table of beams" $lidar $site --model "$work/two.yaml" -o "$work/two.csv"
[ "$(wc -l <"$work/two.csv")" = 3 ] || bad "two beams: $(cat "$work/two.csv")"
check "help" $lidar --help
[ "$(wc -l <"$work/out")" -lt 40 ] || bad "help does not fit a screen"
check "keys" $lidar --keys
grep -q reach_albedo "$work/out" || bad "keys are not listed"

# ---- what is refused ----
refuse "no site" "takes|needs" $lidar
refuse "unknown model" "lidar_vlp_17.yaml" $lidar $site --model vlp_17
refuse "unknown key" "--key mod=dual: .*mean mode" $lidar $site --key mod=dual
refuse "wrong value" "far is 1e+9|far is 1000000000|far .*1e\+06" $lidar $site --key far=1e9
refuse "ending" "ends in .pcd, .ply or .csv" $lidar $site -o "$work/a.las"
refuse "ascii ply" "ascii is for .pcd" $lidar $site -o "$work/a.ply" --ascii
refuse "colour" "height or intensity" $lidar $site --color rainbow
refuse "place" "--at takes 3 numbers" $lidar $site --at 1,2
refuse "beam" "columns 0 to" $lidar $site -o "$work/x.csv" --photons "$work/h.png" --beam 99999,0
refuse "no folder" "cannot be written|no folder|No such" $lidar $site -o "$work/no/such/a.pcd"
refuse "unknown option" "--lens" $lidar $site --lens 3
refuse "table" "beams.csv:3: dz" bash -c "printf 'x,y,z,dx,dy,dz\n0,0,0,1,0,-1\n0,0,0,0,0,q\n' >$work/beams.csv; $lidar $site --model $work/two.yaml -o $work/x2.csv"
[ -e "$work/x2.csv" ] && bad "a refused scan left a file"
finish
