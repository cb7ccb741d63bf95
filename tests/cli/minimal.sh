# A build without GDAL, libcyaml, ERFA and Cairo (pkg-config itself is hidden, so none can be found), with OpenCL
# and without: what a machine with little more than a compiler and a GPU has.
. "$(dirname "$0")/lib.sh"
source=${TYCHO_SOURCE:-.}
command -v ninja >/dev/null && export CMAKE_GENERATOR=Ninja
# in one folder, so that the second one builds what differs
for opencl in OFF ON; do
    check "configure, OpenCL hidden $opencl" cmake -S "$source" -B "$work/build" -DTYCHO_MINIMAL=ON -DTYCHO_WERROR=ON \
        -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON -DCMAKE_DISABLE_FIND_PACKAGE_OpenCL=$opencl -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0
    check "build, OpenCL hidden $opencl" cmake --build "$work/build" -j 2
    check "run, OpenCL hidden $opencl" "$work/build/tycho" --version
    check "benches, OpenCL hidden $opencl" "$work/build/tycho" bench --list
done
finish
