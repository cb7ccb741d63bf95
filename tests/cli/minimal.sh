# A build without GDAL, libcyaml, ERFA and Cairo (pkg-config itself is hidden, so none can be found), with OpenCL
# and without: what a machine with little more than a compiler and a GPU has.
. "$(dirname "$0")/lib.sh"
source=${TYCHO_SOURCE:-.}
for opencl in OFF ON; do
    check "configure, OpenCL hidden $opencl" cmake -S "$source" -B "$work/$opencl" -DTYCHO_MINIMAL=ON -DTYCHO_WERROR=ON \
        -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON -DCMAKE_DISABLE_FIND_PACKAGE_OpenCL=$opencl -DCMAKE_BUILD_TYPE=Debug
    check "build, OpenCL hidden $opencl" cmake --build "$work/$opencl" -j 2
    check "run, OpenCL hidden $opencl" "$work/$opencl/tycho" --version
    check "benches, OpenCL hidden $opencl" "$work/$opencl/tycho" bench --list
done
finish
