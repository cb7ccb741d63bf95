# A module sees only the headers it may use: what the rules forbid does not compile, with the very flags that the module is built with.
. "$(dirname "$0")/lib.sh"
build=$(cd "$(dirname "$TYCHO")" && pwd)
# sees MODULE HEADER: whether a file of the module could include it
sees() {
    name=$(echo "$1" | tr / _)
    printf '#include "%s"\nint main(void) { return 0; }\n' "$2" >"$work/one.c"
    cc -std=gnu17 -D_GNU_SOURCE -fsyntax-only -I"$build/sees/$name" -Ikernels -I"src/$1" "$work/one.c" 2>"$work/err"
}
may() { sees "$1" "$2" && ok || bad "$1 may use $2, but: $(head -2 "$work/err")"; }
must_not() { sees "$1" "$2" && bad "control: $1 can include $2" || { grep -q 'No such file' "$work/err" && ok || bad "$1, $2: $(head -2 "$work/err")"; }; }
may core tycho/base.h
may soil tycho/soil.h
may sim dust/dust.h
must_not dust tycho/soil.h
must_not dust tycho/render.h
may vehicle tycho/soil.h
may sim sensor/kinds.h
may study tycho/run.h
must_not core tycho/terrain.h
must_not soil tycho/render.h
must_not soil tycho/vehicle.h
must_not world/terrain tycho/tools/raster.h
must_not io tycho/tools/draw.h
must_not render tycho/vehicle.h
must_not vehicle sim/run.h
must_not sensor/lidar tycho/render.h
must_not sensor tycho/scenario.h
must_not scenario tycho/run.h
must_not sim study/check.h
must_not sim tycho/record.h
may record sim/run.h
must_not record study/check.h
may fleet tycho/record.h
must_not fleet study/check.h
must_not record fleet/fleet.h
may bridge_ros tycho/run.h
must_not bridge_ros core/core.h
must_not bridge_ros sim/run.h
may bridge_web tycho/tools/live.h
must_not bridge_web core/core.h
must_not bridge_web sim/run.h
may bridge_dds tycho/base.h
must_not bridge_dds core/core.h
must_not bridge_dds sim/run.h
may bridge_fmi fmi/types.h
must_not bridge_fmi world/terrain/terrain.h
may python tycho/run.h
may python tycho/tools/eval.h
must_not python core/core.h
must_not python sim/run.h
# heights are made in one place: nobody else calls the generator, and there are three doors to it (src/world/terrain/README.md)
makers() { grep -rl "tyi_terrain_generate(" --include=*.c "$1" | sed 's|.*/src/||' | sort | tr '\n' ' '; }
want="world/terrain/generate.c world/terrain/patch_rocks.c world/terrain/terrain.c world/terrain/tile.c "
[ "$(makers "$PWD/src")" = "$want" ] && ok || bad "heights are made by $(makers "$PWD/src")"
mkdir -p "$work/other/src/sim" && cp -r src/world "$work/other/src" && echo 'tyi_terrain_generate(g)' >"$work/other/src/sim/x.c"
[ "$(makers "$work/other/src")" != "$want" ] && ok || bad "control: a second maker of heights is not seen"
# every module has its folder, and nobody adds the whole of include/ or src/ again
[ "$(ls "$build/sees" | wc -l)" -ge 18 ] && ok || bad "folders of modules: $(ls "$build/sees")"
grep -nE 'target_include_directories\(ty_' CMakeLists.txt src/*/*.cmake | grep -vF -e '${sees} kernels src/${path}' -e '${tycho_sees}/bridge_ros)' -e '${tycho_sees}/bridge_web)' -e '${tycho_sees}/bridge_dds)' -e '${tycho_sees}/bridge_fmi)' >"$work/more" && bad "more folders: $(cat "$work/more")" || ok
# names: a type that a module's private headers define carries the module; those of core stand alone
for folder in device io draw world/terrain world/sky soil soil/crm soil/dem soil/bed body vehicle render scenario sim record study fleet; do
    find "src/$folder" -maxdepth 2 -name '*.h' | grep -vE "^src/soil/(crm|dem|bed)/" | { [ "${folder#soil/}" = "$folder" ] && cat || find "src/$folder" -name '*.h'; } | xargs grep -ohE '^typedef (struct|enum|union) tyi_[a-z0-9_]+' |
        grep -vE " tyi_$(basename "$folder")(_|s_|$)" | sed "s@^@src/$folder: @"
done >"$work/names"
[ -s "$work/names" ] && bad "internal names without their module: $(cat "$work/names")" || ok
finish
