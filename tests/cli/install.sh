# `cmake --install` into a new folder; a C program built outside the tree with pkg-config, C and C++ readers of the headers, the
# man page, the models and the shell completion.
. "$(dirname "$0")/lib.sh"
build=$(cd "$(dirname "$TYCHO")" && pwd)
prefix=$work/prefix
check "install" cmake --install "$build" --prefix "$prefix"
for f in bin/tycho include/tycho/imu.h share/tycho/models/rovers/viper.yaml share/tycho/models/sensors/stim300.yaml \
    share/tycho/scenarios/viper_traverse.yaml share/man/man1/tycho.1 share/bash-completion/completions/tycho; do
    [ -f "$prefix/$f" ] && ok || bad "$f is not installed"
done
[ "$(find include/tycho -name "*.h" | wc -l)" = "$(find "$prefix/include/tycho" -name "*.h" | wc -l)" ] && ok || bad "headers are missing"

# moved somewhere else, nothing of it points back
mv "$prefix" "$work/moved"; prefix=$work/moved
pc=$(dirname "$(find "$prefix" -name tycho.pc)")
export PKG_CONFIG_PATH=$pc
[ "$(pkg-config --modversion tycho)" = "$("$prefix/bin/tycho" --version | head -1 | cut -d' ' -f2)" ] && ok || bad "version: $(pkg-config --modversion tycho)"
cat >"$work/user.c" <<'C'
#include <stdio.h>
#include <tycho/imu.h>
#include <tycho/vehicle.h>
int main(int argc, char **argv)
{
    ty_diag diag = { 0 };
    ty_imu_def def;
    ty_imu imu;
    ty_imu_sample s;
    if (argc != 3 || ty_imu_load(argv[1], NULL, 0, &def, &diag) || ty_imu_create(&def, &imu, &diag)) {
        fprintf(stderr, "%s\n", diag.text);
        return 1;
    }
    ty_terrain_def ground = ty_terrain_def_default();
    ty_vehicle_def rover = ty_vehicle_def_default();
    ty_vehicle *v = NULL;
    rover.rover = argv[2];
    if (ty_terrain_create(&ground, &rover.terrain, &diag) || ty_vehicle_create(&rover, &v, &diag)) {
        fprintf(stderr, "%s\n", diag.text);
        return 1;
    }
    for (int i = 0; i < 3000; i++) {
        ty_vehicle_state state;
        if (i == 2000) { /* it has settled */
            ty_imu_begin(&imu);
        }
        ty_vehicle_step(v, 1e-3, &diag);
        ty_vehicle_get(v, &state);
        ty_imu_motion m = { state.pose, state.v_W, state.omega_B, state.a_W, state.alpha_B };
        ty_imu_step(&imu, &m, 1e-3);
    }
    ty_imu_read(&imu, &s, &diag);
    printf("%s %.1f kg %.2f m/s2\n", ty_vehicle_name(v), ty_vehicle_mass(v), s.force_S.z);
    ty_vehicle_destroy(v);
    ty_terrain_destroy(rover.terrain);
    return 0;
}
C
models=$(pkg-config --variable=models tycho)
if nm "$build/tycho" | grep -q __asan_init; then
    echo "library with sanitizers: the program outside is not linked"
else
    path=-Wl,-rpath,$(pkg-config --variable=libdir tycho)
    # the shared library has a name with its version, and shows nothing but what the headers declare
    objdump -p "$(pkg-config --variable=libdir tycho)/libtycho.so" | grep -q 'SONAME *libtycho.so.0$' && ok || bad "the shared library has no soname"
    nm -D --defined-only "$(pkg-config --variable=libdir tycho)/libtycho.so" | awk '{ print $3 }' | grep -vE '^(ty_|_edata$|_end$|__bss_start$)' >"$work/shown" && bad "symbols that are not public: $(head -3 "$work/shown")" || ok
    (cd "$work" && check "build outside the tree" cc -std=c17 -Wall -Wextra -Werror user.c -o user $(pkg-config --cflags --libs tycho) $path; [ $failed = 0 ]) && ok || bad "build: $(cat "$work/err")"
    (cd "$work" && ./user "$models/sensors/stim300.yaml" "$models/rovers/viper.yaml") >"$work/said" 2>"$work/err" && ok || bad "run: $(cat "$work/err")"
    grep -qE '^viper 434\.9 kg 1\.[56]' "$work/said" && ok || bad "the program outside said: $(cat "$work/said")"
    # the examples, copied out of the tree: a user's filter and material, and the drives
    mkdir "$work/own" && cp examples/*.c examples/*.h examples/*.yaml examples/*.obj "$work/own" && sed -i "s#\.\./models#$models#" "$work/own"/*.yaml
    (cd "$work/own" && for e in user_filter user_material user_sensor user_soil "corridor course.c" "stereo_waypoints block_matcher.c hazard_map.c course.c"; do
        set -- $e; n=$1; shift
        cc -std=c17 -D_GNU_SOURCE -Wall -Wextra -Werror $n.c "$@" -o $n $(pkg-config --cflags --libs tycho) $path -lm || exit 1
    done) 2>"$work/err" && ok || bad "examples outside the tree: $(head -5 "$work/err")"
    (cd "$work/own" && ./user_filter user_filter.yaml) >"$work/said" 2>&1 && grep -qx 'as it should be' "$work/said" && ok || bad "user_filter: $(cat "$work/said")"
    (cd "$work/own" && ./user_material user_material.yaml) >"$work/said" 2>&1 && grep -qx 'as the law says' "$work/said" && ok || bad "user_material: $(cat "$work/said")"
    (cd "$work/own" && ./user_sensor user_sensor.yaml) >"$work/said" 2>&1 && grep -q 'in the shadow: as it should be$' "$work/said" && ok || bad "user_sensor: $(cat "$work/said")"
    (cd "$work/own" && ./user_soil user_soil.yaml) >"$work/said" 2>&1 && grep -q "the bed.s law says 13.7 mm" "$work/said" && ok || bad "user_soil: $(cat "$work/said")"
    (cd "$work/own" && ./corridor --scenario corridor.yaml) >"$work/said" 2>&1 && grep -q 'touched no rock' "$work/said" && ok || bad "corridor: $(cat "$work/said")"
    # control: a program that does not bring the filter
    cat >"$work/edges.yaml" <<Y
version: 1
site: {lat_deg: -84, lon_deg: 222.7}
terrain: {extent: 200, craters: {enabled: false}, rocks: {enabled: false}}
planet: {detail: 256}
duration: 0.2
rovers:
  - model: $models/rovers/viper.yaml
    sensors: [{type: camera, name: eye, mount: navcam_left, width: 32, height: 24, period: 0.1, samples: 1, filters: [{type: user, name: edges, gain: 4}]}]
Y
    refuse "a program that does not bring the filter" "there is no user's filter 'edges'" $TYCHO run "$work/edges.yaml" -o "$work/none"
    # the static library, with the libraries that it stands on; control: without them it cannot link
    lib=$(pkg-config --variable=libdir tycho)/libtycho.a
    (cd "$work" && cc user.c -o user2 $(pkg-config --cflags tycho) "$lib" $(pkg-config --static --libs tycho | sed 's/-ltycho//') 2>"$work/err") && ok || bad "static: $(head -3 "$work/err")"
    (cd "$work" && cc user.c -o user3 $(pkg-config --cflags tycho) "$lib" 2>/dev/null) && bad "control: linked without its libraries" || ok
fi

# every header by itself, as C17 and as C++17
for h in "$prefix"/include/tycho/*.h "$prefix"/include/tycho/tools/*.h; do
    n=${h#"$prefix"/include/}
    echo "#include <$n>" >"$work/one.c"; cp "$work/one.c" "$work/one.cpp"
    cc -std=c17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$prefix/include" "$work/one.c" 2>"$work/err" && ok || bad "$n as C17: $(head -3 "$work/err")"
    if command -v g++ >/dev/null; then
        g++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only -I"$prefix/include" "$work/one.cpp" 2>"$work/err" && ok || bad "$n as C++17: $(head -3 "$work/err")"
    fi
done

# an installed scenario finds its models
check "scenario" "$prefix/bin/tycho" check "$prefix/share/tycho/scenarios/viper_traverse.yaml"
# the man page names every command and formats without a complaint
for c in $("$prefix/bin/tycho" --help | sed -n 's/^  \([a-z]\+\) .*/\1/p'); do
    grep -qx "\.SS tycho $c" "$prefix/share/man/man1/tycho.1" && ok || bad "man page lacks $c"
done
if command -v groff >/dev/null; then
    groff -man -Tutf8 -ww "$prefix/share/man/man1/tycho.1" >"$work/page" 2>"$work/err"
    [ -s "$work/err" ] && bad "groff: $(head -3 "$work/err")" || ok
    grep -q 'a lunar rover and sensor simulator' "$work/page" && ok || bad "man page is empty"
fi
# completion: commands by their first letters, options of a command
complete_for() { bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tycho; echo "${COMPREPLY[@]}"' _ "$prefix/share/bash-completion/completions/tycho" "$prefix/bin/tycho" "$@"; }
[ "$(complete_for al)" = allan ] && ok || bad "completion of 'al': $(complete_for al)"
case " $(complete_for allan --) " in *" --rate "*) ok ;; *) bad "completion of options: $(complete_for allan --)" ;; esac
[ -z "$(complete_for nosuchcommand)" ] && ok || bad "control: completion of nonsense: $(complete_for nosuchcommand)"
finish
