# The wheel (python/backend.py, `make python`): at most 80 MB, installed offline into an empty venv, its ten lines drive VIPER and show a picture; in a root
# folder of its own with nothing of ours in it, where debootstrap is there. It is built in the long form only; otherwise one that `make python` left is tested.
. "$(dirname "$0")/lib.sh"
source=$PWD
python=/usr/bin/python3; [ -x $python ] || python=python3
if [ -n "${TYCHO_LONG:-}" ]; then
    check "build" $python python/backend.py build-bundle
fi
wheel=$(ls build-bundle/tycho-*-cp311-abi3-*.whl 2>/dev/null | head -1)
[ -n "$wheel" ] || { echo "skipped: there is no wheel; make python, or TYCHO_LONG=1"; exit 77; }
version=$($TYCHO --version | head -1 | cut -d' ' -f2)
case $wheel in build-bundle/tycho-$version-*) ok ;; *) bad "$wheel is not of version $version" ;; esac
[ "$(stat -c %s "$wheel")" -le 80000000 ] && ok || bad "$wheel has $(stat -c %s "$wheel") bytes"
check "venv" $python -m venv "$work/venv"
check "install offline" "$work/venv/bin/pip" install --quiet --no-index --no-deps --disable-pip-version-check "$wheel"
[ "$(cd / && "$work/venv/bin/tycho" --version | head -1 | cut -d' ' -f2)" = "$version" ] && ok || bad "the program of the wheel"
cat >"$work/ten.py" <<'P'
import tycho
run = tycho.Run("live_drive", {"rovers.0.sensors.0.width": 32, "rovers.0.sensors.0.height": 24}, duration=20, detail=256)
run.command(v=0.2)
run.advance(2)
image = run.newest("navcam")["image"]
assert run.rover.odometer > 0.2 and tuple(image.shape) == (24, 32)
picture = run.render(width=64, height=48, samples=1)
assert {"ground", "rover"} <= {tycho.Picture.classes[k] for k in bytes(memoryview(picture.kind).cast("B"))}
picture.save("viper.png")
try:
    tycho.Scenario("south_pole", {"terrain.base": "absent.tif"})
except tycho.Error as e:
    print(e)
print(tycho.__file__, tycho.version(), tycho.built_with())
P
# nothing of the source tree or of the environment: -I
(cd "$work" && env -i PATH=/usr/bin:/bin "$work/venv/bin/python" -I ten.py) >"$work/said" 2>&1 && ok || bad "the wheel: $(tail -3 "$work/said")"
grep -q "venv/lib.*no GDAL" "$work/said" && ok || bad "another package was used: $(tail -1 "$work/said")"
[ "$(head -c 4 "$work/viper.png" | tail -c 3)" = PNG ] && ok || bad "no picture"
# every library that it brings is found beside it, none in the build
lib=$(echo "$work"/venv/lib/python*/site-packages/tycho)
ldd "$lib/_tycho.abi3.so" | grep -E "not found|$source" >"$work/lost" && bad "libraries: $(cat "$work/lost")" || ok
# a bare Debian
if [ -n "${TYCHO_LONG:-}" ] && command -v debootstrap >/dev/null && [ "$(id -u)" = 0 ]; then
    if debootstrap --variant=minbase --include=python3,python3-venv bookworm "$work/bare" >"$work/boot" 2>&1; then
        cp "$wheel" "$work/ten.py" "$work/bare/opt/"
        chroot "$work/bare" /bin/sh -c "cd /opt && python3 -m venv v && v/bin/pip install --quiet --no-index --no-deps /opt/$(basename "$wheel") && v/bin/python -I ten.py" \
            >"$work/said" 2>&1 && ok || bad "in a bare Debian: $(tail -3 "$work/said")"
        if mount -t proc proc "$work/bare/proc" 2>/dev/null; then # a program finds its libraries by it
            chroot "$work/bare" /opt/v/bin/tycho --version >"$work/said" 2>&1 && ok || bad "the program in a bare Debian: $(tail -3 "$work/said")"
            umount "$work/bare/proc"
        fi
        [ -s "$work/bare/opt/viper.png" ] && ok || bad "no picture in a bare Debian"
    else
        echo "a bare Debian cannot be made here: $(tail -1 "$work/boot")"
    fi
fi
finish
