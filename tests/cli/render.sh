# `tycho render`: pictures that are PNG files of the right size, the same for any threads, and what it says to wrong input.
. "$(dirname "$0")/lib.sh"
scenario=scenarios/mare_plain.yaml
small="--set terrain.rocks.enabled=false --set terrain.resolution=0.05 --detail 256 --size 48x32 --samples 2 --quiet"
check "frame" $TYCHO render $scenario $small --sun 120,20 --truth -o "$work/a.png"
for name in a a_depth a_normal a_labels a_instances a_sunlit; do
    [ "$(head -c 8 "$work/$name.png" | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ] && ok || bad "$name.png is not a PNG"
    [ "$(od -An -tx1 -j16 -N8 "$work/$name.png" | tr -d ' ')" = 0000003000000020 ] && ok || bad "$name.png is not 48 x 32"
done
if ! brief; then
    check "two threads" $TYCHO render $scenario $small --sun 120,20 --threads 2 -o "$work/b.png"
    check "one thread" $TYCHO render $scenario $small --sun 120,20 --threads 1 -o "$work/c.png"
    cmp -s "$work/b.png" "$work/c.png" && ok || bad "the picture depends on the number of threads"
    check "other Sun" $TYCHO render $scenario $small --sun 300,20 -o "$work/d.png"
    cmp -s "$work/a.png" "$work/d.png" && bad "control: the Sun moved and the picture did not change" || ok
fi
check "16 bits" $TYCHO render $scenario $small --linear --lens fisheye --fov 180 -o "$work/e.png"
[ "$(od -An -tu1 -j24 -N1 "$work/e.png" | tr -d ' ')" = 16 ] && ok || bad "--linear is not 16 bits"
check "exposed" $TYCHO render $scenario $small --exposure 0.002 --f-number 8 -o "$work/f.png"

# the Sun in the picture does not decide what is white: the ground beside it is as bright as without the Sun
$TYCHO render $scenario $small --look 120,-5 --sun 120,8 -o "$work/up.png" >"$work/up.txt"
white=$(sed -n 's/.*white is \([0-9.e+]*\) .*/\1/p' "$work/up.txt")
[ -n "$white" ] && [ "$(awk -v w="$white" 'BEGIN { print (w > 1 && w < 400) }')" = 1 ] && ok || bad "up-Sun: white is '$white' W/m2/sr"

# ground truth as data, a second eye, flow, and lines over a copy of the picture
rocky="--set terrain.rocks.cover=0.1 --set terrain.rocks.d_min=0.1 --set terrain.resolution=0.02 --detail 256 --size 64x48 --samples 2 --quiet --sun 120,20 --look 40,-30"
check "overlay" $TYCHO render $scenario $rocky --stereo 0.2 --truth --next-eye 0.1,0.1,1.5 --next-look 42,-30 --overlay boxes,boxes3,labels,frames,frustum -o "$work/h.png"
brief || check "plain stereo" $TYCHO render $scenario $rocky --stereo 0.2 -o "$work/i.png"
for name in h h_right h_overlay h_right_overlay h_disparity h_right_disparity h_flow h_right_depth; do
    [ "$(od -An -tx1 -j16 -N8 "$work/$name.png" | tr -d ' ')" = 0000004000000030 ] && ok || bad "$name.png is not 64 x 48"
done
brief || cmp -s "$work/h.png" "$work/i.png" && ok || bad "the overlay changed the picture"
brief || cmp -s "$work/h_right.png" "$work/i_right.png" && ok || bad "the overlay changed the right picture"
cmp -s "$work/h.png" "$work/h_overlay.png" && bad "control: nothing was drawn over the picture" || ok
cmp -s "$work/h.png" "$work/h_right.png" && bad "control: both eyes see the same" || ok
[ "$(head -c 4 "$work/h_truth.exr" | od -An -tx1 | tr -d ' ')" = 762f3101 ] && ok || bad "h_truth.exr is not an EXR file"
[ "$(head -1 "$work/h_boxes.csv" | tr ',' '\n' | wc -l)" = 27 ] && ok || bad "the table of boxes has not 27 columns"
[ "$(wc -l <"$work/h_boxes.csv")" -gt 3 ] && ok || bad "the table of boxes is empty"
printf 't_s,x_m,y_m,z_m\n0,0,0,0\n1,2,2,0\n' >"$work/trail.csv"
check "trail" $TYCHO render $scenario $rocky --overlay trail --trail "$work/trail.csv" -o "$work/j.png"
refuse "no trail" "--trail FILE" $TYCHO render $scenario $rocky --overlay trail -o "$work/x2.png"
refuse "overlay" "--overlay takes boxes, boxes3, labels, frames, frustum and trail, with commas, not 'names'" $TYCHO render $scenario --overlay boxes,names
refuse "stereo" "--stereo takes a number" $TYCHO render $scenario --stereo wide

refuse "no file" "takes a scenario" $TYCHO render
refuse "no such file" "there is no such file" $TYCHO render none.yaml
refuse "size" "--size takes WIDTHxHEIGHT .* not '0x10'" $TYCHO render $scenario --size 0x10
refuse "huge" "not '100000x100000'" $TYCHO render $scenario --size 100000x100000
refuse "size text" "not '12by9'" $TYCHO render $scenario --size 12by9
refuse "eye" "--eye takes 3 numbers, as 0,0,1.5, not '1,2'" $TYCHO render $scenario --eye 1,2
refuse "inside the ground" "stands 3 m inside the ground" $TYCHO render $scenario $small --eye 0,0,-3 -o "$work/x.png"
refuse "lens" "--lens takes pinhole, fisheye, spherical, fov, brown, cahv, cahvor or cahvore, not 'wide'" $TYCHO render $scenario --lens wide
refuse "field of view" "field of view of 200 deg" $TYCHO render $scenario $small --fov 200 -o "$work/x.png"
refuse "time" "noon" $TYCHO render $scenario --utc noon
refuse "samples" "--samples takes a number from 1" $TYCHO render $scenario --samples 0
refuse "unknown option" "does not know --pretty" $TYCHO render $scenario --pretty 1
refuse "folder" "cannot be written" $TYCHO render $scenario $small -o "$work/no/such.png"
printf 'v 0 0 0\nf 1 2 3\n' >"$work/bad.obj"
refuse "broken mesh" "bad.obj:2: a face takes" $TYCHO render "$work/bad.obj" -o "$work/x.png"
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' >"$work/good.obj"
check "mesh" $TYCHO render "$work/good.obj" --size 32x32 --quiet -o "$work/mesh.png"
refuse "material" "--material takes moon_visual" $TYCHO render "$work/good.obj" --material cheese -o "$work/x.png"
[ -e "$work/x.png" ] && bad "a refused frame left a picture" || ok
# on a device, where there is one: the host's picture but for rounding; control: 2 % less light is seen
refuse "backend" "--backend takes cpu, auto or opencl, not 'gpu'" $TYCHO render $scenario --backend gpu
refuse "device without backend" "--device takes effect with --backend" $TYCHO render $scenario --device any
refuse "no such device" "nonsense" $TYCHO render $scenario $small --backend opencl --device nonsense -o "$work/x.png"
if ! brief && "$TYCHO" render $scenario $small --sun 120,30 --backend opencl --white 100 -o "$work/device.png" 2>"$work/err" && command -v python3 >/dev/null && python3 -c 'import zlib'; then
    check "by the host" $TYCHO render $scenario $small --sun 120,30 --backend cpu --white 100 -o "$work/host.png"
    check "by either" $TYCHO render $scenario $small --sun 120,30 --backend auto --white 100 -o "$work/auto.png"
    check "the same bits on the device" cmp "$work/device.png" "$work/auto.png"
    cat >"$work/mean.py" <<'END'
import sys, zlib, struct
def mean(path):
    d = open(path, "rb").read()[8:]
    data, bpp = b"", 1
    while d:
        n, kind = struct.unpack(">I4s", d[:8])
        if kind == b"IHDR":
            w, h, bits, colour = struct.unpack(">IIBB", d[8:18])
            bpp = {0: 1, 2: 3, 6: 4}[colour]
        if kind == b"IDAT":
            data += d[8:8 + n]
        d = d[12 + n:]
    raw, row, sum_, stride = zlib.decompress(data), bytearray(w * bpp), 0, w * bpp
    for y in range(h):
        f, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for x in range(stride):
            a = line[x - bpp] if x >= bpp else 0
            b, c = row[x], row[x - bpp] if x >= bpp else 0
            p = a + b - c
            pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
            near = a if pa <= pb and pa <= pc else b if pb <= pc else c
            line[x] = (line[x] + (0, a, b, (a + b) // 2, near)[f]) & 255
        row, sum_ = line, sum_ + sum(line)
    return sum_ / (w * h * bpp)
a, b = mean(sys.argv[1]), mean(sys.argv[2])
print("mean grey %.4f and %.4f" % (a, b))
sys.exit(not (a > 5 and abs(a / b - 1) < float(sys.argv[3])))
END
    check "the host's picture" python3 "$work/mean.py" "$work/device.png" "$work/host.png" 0.003
    check "darker" $TYCHO render $scenario $small --sun 120,30 --white 102 -o "$work/darker.png"
    python3 "$work/mean.py" "$work/device.png" "$work/darker.png" 0.003 && bad "control: 2 % less light is not seen" || ok
else
    echo "skipped: frames on a device: $(cat "$work/err")"
fi
# a camera of the scenario's rover, at a moment of its run
small="--set rovers.0.sensors.0.width=64 --set rovers.0.sensors.0.height=48 --set rovers.0.sensors.0.samples=1 --set planet.detail=256"
check "a rover's camera" "$TYCHO" render scenarios/viper_traverse.yaml --camera navcam_left $small --truth --quiet -o "$work/cam0.png"
check "with its depth" test -s "$work/cam0_depth.png"
brief || check "later" "$TYCHO" render scenarios/viper_traverse.yaml --camera navcam_left $small --at 0.5 --quiet -o "$work/cam1.png"
brief || check "it has moved" sh -c "! cmp -s '$work/cam0.png' '$work/cam1.png'"
refuse "no such camera" "no rover of the scenario has a camera 'eye'" "$TYCHO" render scenarios/viper_traverse.yaml --camera eye -o "$work/none.png"
refuse "a time that is none" "takes a scenario" "$TYCHO" render scenarios/viper_traverse.yaml --camera navcam_left --at soon -o "$work/none.png"
finish
