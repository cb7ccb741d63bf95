# `tycho render`: objects, lamps, varied ground, models, lenses, bands and EXR; and one sentence for every bad scene.
. "$(dirname "$0")/lib.sh"
head='version: 1
site: {lat_deg: 20}
terrain: {extent: 500, resolution: 0.1, rocks: {enabled: false}}'
small="--detail 256 --size 48x32 --samples 2 --sun 120,30 --quiet"
scene() { printf '%s\n%s\n' "$head" "$1" >"$work/s.yaml"; }
model() { printf '%s' "$2" >"$work/$1"; }

# a triangle with a material and a picture, in an OBJ and in a glTF with its buffer in a file
model t.obj 'mtllib t.mtl
v 0 0 0
v 1 0 0
v 0 0 1
vt 0 0
vt 1 0
vt 0 1
usemtl m
f 1/1 2/2 3/3
'
check "a picture" $TYCHO render scenarios/mare_plain.yaml --set terrain.resolution=0.1 $small -o "$work/pic.png"
model t.mtl 'newmtl m
Kd 1 1 1
map_Kd pic.png
'
model t.gltf '{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
"buffers":[{"uri":"t.bin","byteLength":36}],"bufferViews":[{"buffer":0,"byteLength":36}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}]}'
{ head -c 14 /dev/zero; printf '\200\077'; head -c 10 /dev/zero; printf '\200\077'; head -c 8 /dev/zero; } >"$work/t.bin"
check "textured OBJ" $TYCHO render "$work/t.obj" --size 32x32 --look 0,0 --sun 180,30 --quiet -o "$work/obj.png"
check "glTF" $TYCHO render "$work/t.gltf" --size 32x32 --look 270,0 --sun 90,30 --quiet -o "$work/gltf.png"

# a scenario with everything
scene 'ground:
  material: {preset: moon_visual, w: 0.4}
  regions: [{shape: circle, x: 0, y: 6, radius: 3, material: {w: 0.7}}]
objects:
  - {type: sphere, radius: 0.5, position: [1, 5, 0.5], on_ground: true, texture: pic.png, material: {law: lambert, albedo: 0.9}}
  - {type: mesh, file: t.obj, position: [-1, 4, 0], on_ground: true, rpy_deg: [0, 0, 30]}
  - {type: mesh, file: t.gltf, scale: 2, position: [0, 8, 0], on_ground: true}
lights: [{type: point, intensity: 10, position: [0, 3, 1], on_ground: true}]
sky: {faintest: 3}'
check "everything" $TYCHO render "$work/s.yaml" $small -o "$work/all.png"
scene ''
check "nothing" $TYCHO render "$work/s.yaml" $small -o "$work/none.png"
cmp -s "$work/all.png" "$work/none.png" && bad "control: objects and lamps leave no trace" || ok
check "two threads" $TYCHO render "$work/s.yaml" $small --threads 2 -o "$work/two.png"
cmp -s "$work/two.png" "$work/none.png" && ok || bad "the picture depends on the number of threads"

# level ground that follows Lambert's law is equally bright from everywhere; by Hapke's it is not
spread() { # LAW
    printf 'version: 1\nsite: {lat_deg: 20}\nterrain: {extent: 500, resolution: 0.1, relief: {rms_slope_deg: 0}, craters: {enabled: false}, tone: {grain: 0}, rocks: {enabled: false}}\nground: {material: {law: %s, w: 0.3}}\n' "$1" >"$work/level.yaml"
    $TYCHO render "$work/level.yaml" --detail 256 --size 48x48 --samples 2 --sun 120,30 --quiet --fov 120 --look 0,-90 --linear -o "$work/level.png" >/dev/null &&
        $TYCHO terrain picture "$work/level.png" | awk '/sd/ { print $NF }'
}
awk -v s="$(spread lambert)" 'BEGIN { exit !(s != "" && s + 0 < 0.005) }' && ok || bad "ground: {material: {law: lambert}} differs by $(spread lambert) of its mean from side to side"
awk -v s="$(spread hapke)" 'BEGIN { exit !(s + 0 > 0.1) }' && ok || bad "control: Hapke's ground differs by $(spread hapke)"
scene 'ground: {material: {law: matt}}'
refuse "law of the ground" "ground.material: there is no reflectance law 'matt'" $TYCHO render "$work/s.yaml" $small -o "$work/x.png"
scene ''

# lenses, bands, EXR, 16 bits
check "brown" $TYCHO render "$work/s.yaml" $small --lens brown --brown=-0.1,0.01,0,0,0 -o "$work/brown.png"
cmp -s "$work/brown.png" "$work/none.png" && bad "control: distortion changes nothing" || ok
check "cahv" $TYCHO render "$work/s.yaml" $small --lens cahv --cahv 0,0,0,0,0,1,40,0,24,0,40,16 -o "$work/cahv.png"
check "cahvor" $TYCHO render "$work/s.yaml" $small --lens cahvor --cahv 0,0,0,0,0,1,40,0,24,0,40,16,0,0,1,0,0.01,0 -o "$work/cahvor.png"
check "cahvore" $TYCHO render "$work/s.yaml" $small --lens cahvore --linearity 0 --cahv 0,0,0,0,0,1,40,0,24,0,40,16,0,0,1,0,0,0,0,0,0 -o "$work/cahvore.png"
check "exr" $TYCHO render "$work/s.yaml" $small --bands 400-500,500-600,600-700,800-900 -o "$work/bands.exr"
[ "$(od -An -tx1 -N4 "$work/bands.exr" | tr -d ' ')" = 762f3101 ] && ok || bad "bands.exr is not an EXR"
check "rgb" $TYCHO render "$work/s.yaml" $small --bands rgb --linear -o "$work/rgb.png"
[ "$(od -An -tu1 -j24 -N2 "$work/rgb.png" | tr -d ' ')" = 162 ] && ok || bad "--bands rgb --linear is not 16-bit RGB"

# bad scenes
scene 'objects: [{type: sphere, radius: 1, texture: gone.png}]'
refuse "missing texture" "s.yaml:.*objects.0.texture is 'gone.png', which cannot be opened" $TYCHO render "$work/s.yaml" $small -o "$work/x.png"
model t.mtl 'newmtl m
map_Kd gone.png
'
refuse "missing texture of an OBJ" "gone.png: there is no such file" $TYCHO render "$work/t.obj" $small -o "$work/x.png"
scene 'objects: [{type: mesh, file: bad.glb}]'
model bad.glb 'glTF'
refuse "broken glb" "bad.glb: is not a binary glTF" $TYCHO render "$work/s.yaml" $small -o "$work/x.png"
refuse "broken glb alone" "bad.glb: is not a binary glTF" $TYCHO render "$work/bad.glb" -o "$work/x.png"
model bad.gltf '{"asset":{"version":"2.0"}'
refuse "broken glTF" "bad.gltf: is not JSON: line 1" $TYCHO render "$work/bad.gltf" -o "$work/x.png"
model bad.gltf '{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"children":[0]}]}'
refuse "cycle" "nodes\[0\] is reached twice" $TYCHO render "$work/bad.gltf" -o "$work/x.png"
rm "$work/t.bin"
refuse "missing buffer" "t.bin: there is no such file" $TYCHO render "$work/t.gltf" -o "$work/x.png"
model bad.obj 'v 0 0 0
f 1 2 3
'
refuse "broken OBJ" "bad.obj:2: a face takes" $TYCHO render "$work/bad.obj" -o "$work/x.png"
# damaged files: whatever happens, one line and code 2, or a picture
for seed in 1 2 3 4 5 6 7 8; do
    awk -v s=$seed 'BEGIN { srand(s) } { n = length($0); k = int(rand() * n); print substr($0, 1, k) substr("{}[],:0-\"x", 1 + int(rand() * 10), 1) substr($0, k + 2) }' "$work/t.gltf" >"$work/f.gltf"
    $TYCHO render "$work/f.gltf" --size 8x8 --quiet -o "$work/f.png" >"$work/out" 2>"$work/err"; code=$?
    { [ $code = 0 ] || { [ $code = 2 ] && [ "$(wc -l <"$work/err")" = 1 ]; }; } && ok || bad "damaged glTF $seed: exit $code: $(head -c 300 "$work/err")"
done
scene ''
refuse "camera inside the ground" "stands 2 m inside the ground" $TYCHO render "$work/s.yaml" $small --eye 0,0,-2 -o "$work/x.png"
refuse "zero-size image" "--size takes WIDTHxHEIGHT .* not '0x0'" $TYCHO render "$work/s.yaml" --size 0x0 -o "$work/x.png"
refuse "huge image" "not '20000000x20000000'" $TYCHO render "$work/s.yaml" --size 20000000x20000000 -o "$work/x.png"
refuse "lens" "--lens takes pinhole, .* cahvore, not 'wide'" $TYCHO render "$work/s.yaml" --lens wide -o "$work/x.png"
refuse "cahv numbers" "--lens cahvor takes --cahv with 18 numbers" $TYCHO render "$work/s.yaml" --lens cahvor --cahv 1,2,3 -o "$work/x.png"
refuse "brown without its lens" "--brown belongs to --lens brown" $TYCHO render "$work/s.yaml" --brown 0,0,0,0,0 -o "$work/x.png"
refuse "bands" "--bands takes rgb" $TYCHO render "$work/s.yaml" --bands 700-600 -o "$work/x.png"
scene 'ground: {maps: [{file: pic.png, parameter: w}]}'
refuse "map without a place" "pic.png" $TYCHO render "$work/s.yaml" $small -o "$work/x.png"
scene 'lights: [{type: spot, intensity: -1}]'
refuse "dark lamp" "lights.0.intensity is -1" $TYCHO render "$work/s.yaml" $small -o "$work/x.png"
[ -e "$work/x.png" ] && bad "a refused scene left a picture" || ok
finish
