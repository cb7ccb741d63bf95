#!/bin/sh
# Which public C function is reached by what of the Python package, and why others are not: docs/python_api.md. Fails where one is neither called
# by python/src nor listed in python/unreached.txt (a name or a pattern, then the reason).
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# header and function, comments left out
for h in include/tycho/*.h include/tycho/tools/*.h; do
    sed -e ':a' -e 's@/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/@@g' -e '/\/\*/{N;ba' -e '}' "$h" | tr '\n' ' ' | tr ';' '\n' |
        sed -n "s@.*TY_API[^(]*[ *]\(ty_[a-z0-9_]*\)(.*@${h#include/} \1@p"
done >"$work/names"
# C functions called inside each function of the extension, which is named as the class and method that it is of
awk '
    FNR == 1 { inside = ""; file = FILENAME; sub(/.*\//, "", file) }
    /^[a-zA-Z].*[ *][a-z_0-9]+\(/ && !/;$/ { inside = $0; sub(/\(.*/, "", inside); sub(/.*[ *]/, "", inside) }
    /^ ?\*|^\/\*/ { next }
    { line = $0; while (match(line, /ty_[a-z0-9_]+\(/)) { print substr(line, RSTART, RLENGTH - 1), file, inside; line = substr(line, RSTART + RLENGTH) } }
' python/src/*.c | awk '
    { who = $3; sub(/^py_/, "", who) }
    $2 ~ /^run/ { sub(/^run_/, "", who); who = who == "new" ? "Run()" : who == "dealloc" || who == "end_run" ? "Run.close" : "Run." who }
    $2 ~ /^ground/ { sub(/^ground_/, "", who); who = who == "new" ? "Ground()" : who == "dealloc" ? "Ground" : "Ground." who }
    $2 ~ /^message/ { sub(/^message_/, "", who); who = "Message" (who ~ /^(new|dealloc|buffer|columns|part_|shape)/ ? "" : "." who) }
    $2 ~ /^scenario/ { who = "Scenario" }
    $2 ~ /^picture/ { who = who ~ /^view/ ? "Camera" : who == "stage_render" ? "Scene.render" : "Scene" }
    $2 ~ /^functions/ { who = who == "table_row" || who == "eval" || who == "models" ? "evaluate" : who == "tone" ? "Picture.image" : who == "write_png" ? "Picture.save" : who == "look" ? "Camera" : who }
    $2 ~ /^bed/ { who = who == "beds" ? "beds" : "bed" }
    $2 ~ /^run_kinds/ { who = $3 ~ /^py_scene|^scene/ ? "Shot." : "Sensor"; if (who == "Shot.") { who = $3; sub(/^py_scene_/, "Shot.", who) } if ($3 ~ /^action/) who = "Shot.hide"; if ($3 ~ /^soil|^take_forces/) who = "Run(soils)" }
    $2 ~ /^tools/ { who = who == "rig_take" ? "wheel_rig" : who == "plate" ? "plate_pressure" : who }
    $2 ~ /^module/ { who = "Error" }
    $2 ~ /^vector/ { who = "gym.TychoVectorEnv" }
    BEGIN {
        n = split("Run.steps=Run.advance Run.done=Run.advance Run.wind_up=Run.finish Run.attr=Run.time Run.vehicle=Run.rover Run.sensor_index=Run.newest " \
            "Run.address=Run.newest Run.take=Run.messages Run.receive=Run.messages Run.free_queue=Run.messages Run.message_of=Run.messages Run.tone=Run.fix_tone " \
            "Run.resume=resume Run.sunlight=Rover.sunlit Run.rovers=Run.rovers Run.rover_facts=Rover Run.state=Rover.state Run.read=Rover.read Run.mount=Rover.mount Run.motor=Rover.motor Run.motors=Rover.read_motors Run.tools=Rover.tools Run.change=Run.add Run.keep_error=Run " \
            "Ground.lit=Ground.sunlit Ground.level_of=Ground.height Ground.take=Ground Ground.catalogue=Ground.rocks Ground.region=Ground.grid Ground.sample=Ground.height", pair, " ")
        for (i = 1; i <= n; i++) { split(pair[i], two, "="); public[two[1]] = two[2] }
    }
    { who = who in public ? public[who] : who; if (!seen[$1 " " who]++) print $1, who }
' | sort >"$work/reached"
cat <<'TOP'
# What of the C API Python reaches
<!-- printed by tools/api/python.sh from the headers, python/src and python/unreached.txt; change those, not this page -->
| C function | in Python |
|---|---|
TOP
awk -v reached="$work/reached" -v unreached=python/unreached.txt '
    BEGIN {
        while ((getline < reached) > 0) { by[$1] = by[$1] (by[$1] ? ", " : "") "`" $2 "`" }
        while ((getline < unreached) > 0) { if ($0 ~ /^#/ || !NF) continue; p = $1; $1 = ""; n++; text[n] = substr($0, 2); gsub(/\*/, ".*", p); pattern[n] = "^" p "$" }
    }
    {
        if ($1 != header) { header = $1; print "| **" header "** | |" }
        if (by[$2]) { print "| `" $2 "` | " by[$2] " |"; yes++; next }
        why = ""
        for (i = 1; i <= n && !why; i++) if ($2 ~ pattern[i]) { why = text[i]; used[i] = 1 }
        if (!why) { bad = 1; print $2 " is neither reached by python/src nor listed in python/unreached.txt" > "/dev/stderr" }
        print "| `" $2 "` | no: " why " |"; no++
    }
    END {
        print "\n" yes " functions are reached, " no " are not."
        for (i = 1; i <= n; i++) if (!used[i]) { bad = 1; print "python/unreached.txt: " pattern[i] " matches nothing that is not reached" > "/dev/stderr" }
        exit bad
    }' "$work/names"
