# What a run and a data set write, read by other people's code: OpenCV, GDAL (rasterio), the MCAP package, rosbags, pycocotools, a PCD
# reader; PCL where it is installed; open3d in the long form, and wherever that has fetched it. Packages of PyPI, pinned by hash in
# tests/python/requirements.txt and open3d.txt; skips, and says so, where a virtual environment with them cannot be made.
. "$(dirname "$0")/lib.sh"
source=$(realpath "${TYCHO_SOURCE:-.}")
build=$(dirname "$TYCHO")
here=$source/tests/python
. "$source/tests/cli/python.sh"
# open3d takes 0.6 GB: in a folder of its own
if [ -n "${TYCHO_LONG:-}" ] && ! cmp -s "$here/open3d.txt" "$build/open3d/installed.txt"; then
    rm -rf "$build/open3d"
    if timeout 900 "$venv/bin/pip" install --quiet --no-deps --require-hashes --only-binary :all: --target "$build/open3d" -r "$here/open3d.txt" >"$work/pip.log" 2>&1; then
        cp "$here/open3d.txt" "$build/open3d/installed.txt"
    else
        rm -rf "$build/open3d"
        echo "open3d could not be fetched by pip: $(tail -1 "$work/pip.log")"
    fi
fi
[ -e "$build/open3d/installed.txt" ] && export PYTHONPATH="$build/open3d"
read="$venv/bin/python $here/read_run.py $work/run $work/balls.json"
check "scenario" $python "$here/make_run.py" "$work" "$source"
check "run" "$TYCHO" run "$work/readers.yaml" -o "$work/run" --no-overview --quiet
if grep -q "camera wide of vi-per: ROS and Kalibr have no name for its lens" "$work/err"; then ok; else bad "nothing is said of a lens that has no CameraInfo"; fi
check "a run, read by others" $read
cat "$work/out"
if command -v pcl_convert_pcd_ascii_binary >/dev/null; then
    check "PCL" pcl_convert_pcd_ascii_binary "$work/run/clouds/lidar_0000500.pcd" "$work/pcl.pcd" 0
    [ "$(grep ^POINTS "$work/pcl.pcd")" = "$(grep -a ^POINTS "$work/run/clouds/lidar_0000500.pcd")" ] && ok || bad "PCL reads other points"
else echo "PCL's programs are not installed here, and were not asked"; fi
for control in camera_info tf flow ${PYTHONPATH:+open3d}; do
    if $read --control $control >/dev/null 2>&1; then bad "control: a wrong $control was accepted"; else ok; fi
done

check "a data set in colour" "$TYCHO" dataset datasets/polar_small.yaml --set positions=1 --set "sites.0.seeds=[1]" --set "sun.azimuths_deg=[200]" \
    --set "camera.exposures_ms=[0]" --set camera.width=160 --set camera.height=120 --set camera.samples=4 --set camera.color=true --quiet -o "$work/set"
check "it, read by others" "$venv/bin/python" "$here/read_dataset.py" "$work/set"
cat "$work/out"
if "$venv/bin/python" "$here/read_dataset.py" "$work/set" --control grey >/dev/null 2>&1; then bad "control: a grey Moon was accepted"; else ok; fi
refuse "half a band" "camera.bands_nm has 3 numbers, but takes low and high" "$TYCHO" dataset datasets/polar_small.yaml --set "camera.bands_nm=[400,500,600]" --plan


# the Sun stands at an azimuth of 51.8 deg, 5 deg high, at that place and time
check "scenario to the Sun" $python "$here/make_light.py" "$work" 51.8
check "run to the Sun" "$TYCHO" run "$work/light.yaml" -o "$work/light" --no-overview --quiet
check "frames to the Sun, away and across" "$venv/bin/python" "$here/read_light.py" "$work/light"
cat "$work/out"
if "$venv/bin/python" "$here/read_light.py" "$work/light" --control curves >/dev/null 2>&1; then bad "control: another curve was accepted"; else ok; fi
finish
