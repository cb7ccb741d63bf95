# Every command that README.md and docs/*.md show is run, in a short form: pictures of a few pixels, runs of a moment, small data
# sets. What cannot be run here stands in `elsewhere` below with the test that does it. Links lead somewhere, and the numbers of the
# README's table are those of docs/validation.md.
. "$(dirname "$0")/lib.sh"
source=$(realpath "${TYCHO_SOURCE:-.}")
program=$(realpath "$TYCHO")
shared=$(realpath "$TYCHO_SHARED" 2>/dev/null || true)

# a place of its own with a link to the program and small pictures
mkdir -p "$work/place/out" "$work/place/docs/gallery" "$work/place/docs/pictures" "$work/place/build"
cp -r "$source/scenarios" "$source/models" "$source/datasets" "$source/sweeps" "$source/examples" "$source/tasks" "$work/place/"
ln -s "$program" "$work/place/build/tycho"
for beside in test_sensor examples; do ln -s "$(dirname "$program")/$beside" "$work/place/build/$beside"; done
[ -d "$shared" ] && ln -s "$shared" "$work/shared"
sed -i 's/width: [0-9]*, height: [0-9]*/width: 64, height: 48/; s/samples: [0-9]*/samples: 1/' "$work"/place/scenarios/*.yaml

# commands FILE: one a line. They are the lines in fences of `sh`, and what begins like one in lines indented by four or in `code` that has
# arguments; a line that ends in \ goes on.
commands() {
    awk '
        function take(c) { sub(/ +#.*/, "", c); sub(/^ +/, "", c); if (c ~ start) print c }
        BEGIN { start = "^([A-Z_]+=[^ ]+ )*(build/|tycho |make |scripts/|validation/|cmake |ctest |cc |\\./)" }
        /^```/ { fence = /^```sh/; next }
        fence || /^    / { line = line $0; if (sub(/\\$/, "", line)) next; sub(/ +#.*/, "", line); if (fence && line != "") print line; else take(line); line = ""; next }
        { n = split($0, part, "`"); for (i = 2; i <= n; i += 2) if (part[i] ~ / /) take(part[i]) }' "$1"
}

# elsewhere COMMAND: names the test that runs it (which must have the text after the colon), or the reason why none can
elsewhere() {
    case $1 in
    "make python"*) echo "tests/cli/python_wheel.sh:python/backend.py" ;;
    "make run"* | "make test"* | "make build"*) echo ".ci/run:make test" ;; # this test is a part of it; the run: tests/cli/report.sh
    "make bench-peers" | "scripts/setup "*) echo "needs packages that are installed by hand" ;;
    "make test-long"*) echo "is the long form of the tests" ;;
    "ctest "* | "TYCHO_LONG=1 ctest "*) echo "is a test" ;;
    "scripts/gallery") echo "tests/cli/docs.sh:docs/gallery" ;; # its commands are those of the page
    *"bench "*) echo "bench" ;;
    "validation/eye_height.sh"* | "validation/tracks.sh"*) echo "takes minutes, and photographs that are not here" ;;
    "make study"* | "scripts/study "*) echo "tests/cli/transfer.sh:validation/transfer/small.py" ;;
    "validation/crm_slopes.py"*) echo "tests/cli/bed.sh:validation/crm_slopes.py" ;;
    "validation/stereo.py"*) echo "tests/cli/stereo.sh:validation/stereo.py" ;;
    "cmake --install"*) echo "tests/cli/install.sh:cmake --install" ;;
    "cc "*) echo "tests/cli/install.sh:pkg-config" ;;
    "./corridor "*) echo "tests/cli/install.sh:./corridor --scenario corridor.yaml" ;;
    "ros2 "*) echo "needs ROS 2" ;;
    *"tycho live"*" --replay"* | *"tycho live"*" --lockstep"*) echo "tests/cli/live.sh:--replay" ;; # they wait for somebody
    *"tycho live"*" --ros"*) echo "tests/cli/ros.sh:--ros" ;;
    *"tycho sweep "*" --slurm"*) echo "tests/cli/cluster.sh:--slurm" ;;
    *" run --resume"*) echo "tests/cli/checkpoint.sh:run --resume" ;;
    *"terrain measure "*) echo "tests/cli/terrain.sh:terrain measure" ;;
    *"terrain picture "*) echo "tests/cli/terrain_picture.sh:terrain picture" ;;
    esac
}

# short COMMAND: the same with little to compute, and with a file for each word that stands for one. What names a command and no more
# must be told by its --help.
short() {
    if [[ $1 =~ ^tycho\ [a-z\ |_-]+$ && $1 != *--help* && $1 != *--keys* && $1 != *--reference* ]]; then
        set -- $1
        [ "$2" = eval ] && echo "build/tycho eval 2>&1 | grep -qw ${3:-hapke}" && return # the models are not in its help
        echo "for word in ${*:3}; do build/tycho $2 --help | grep -qwe \$word || exit 1; done" | sed 's/in ;/in usage;/; s/|\([a-z]\)/ \1/g'
        return
    fi
    local south=../shared/data/southpole
    sed -E "s/^tycho /build\/tycho /; s/layers SCENARIO/layers scenarios\/whole_moon.yaml $moon/; s/SCENARIO/scenarios\/mare_plain.yaml/; s/OUT\.tif/out.tif/
        s/SPEC\.yaml/datasets\/polar_small.yaml/; s,(^| )(DEM\.LBL|Shoemaker_final_adj[^ ]*tif),\\1$south/Shoemaker_final_adj_5mpp_surf_1k.tif,; s,/path/to/south_pole_80S,../../shared/data/gld100/south_pole_80S,
        s,=gld100_,=../../shared/data/gld100/gld100_,g; s/check FILE/check scenarios\/mare_plain.yaml/; s/=DIR/=./; s/scripts\/make-globe/TYCHO=build\/tycho scripts\/make-globe globe.tif 1/" <<<"$1" |
        case $1 in
        *" --help"* | *" --keys"* | *" --reference"* | *" --plan"* | *" --version"*) cat ;;
        *"tycho run "*" --overview docs/gallery/tracks"*) sed -E 's/ --overview ([^ ]+)(.*)/ --no-overview\2 \&\& build\/tycho run scenarios\/ex1_startstop.yaml --overview-width 160 --overview \1/; s/ --set duration=[0-9]+//; s/ -o/ --set duration=0.3 --quiet -o/; s/$/ --set duration=0.1 --quiet/' ;; # the picture of level ground
        *"tycho run scenarios/rassor_dig.yaml "*) sed -E 's/width=[0-9]+/width=80/; s/height=[0-9]+/height=50/; s/samples=[0-9]+/samples=1/; s/duration=6.6/duration=0.3/; /duration=/! s/ -o/ --set duration=0.3 -o/; s/$/ --set planet.detail=256 --quiet/' ;;
        *"tycho run SCENARIO"* | *"tycho run "*".yaml"*) sed -E 's/ --overview [^ ]+//; s/$/ --set duration=0.3 --set terrain.resolution=0.05 --set planet.detail=256 --no-overview --quiet/; s/ --set duration=[0-9]* / /' ;;
        *"tycho run "*) sed 's/$/ scenarios\/ex1_startstop.yaml --set duration=0.2 --no-overview --quiet/' ;;
        *"tycho live "*) sed -E 's/$/ --set duration=0.3 --set terrain.resolution=0.05 --set planet.detail=256 --speed max --no-overview/; s/ --stay//' ;;
        *"tycho render "*) sed -E 's/--size [0-9x]+//; s/--samples [0-9]+//; s/--detail [0-9]+//; s/$/ --size 64x40 --samples 1 --detail 256 --quiet/; /\.yaml/ s/$/ --set terrain.rocks.d_max=0.2/' ;;
        *"tycho lidar "*) sed 's/$/ --detail 256/' ;;
        *"tycho terrain map "*light*) sed -E 's/--pixels [0-9]+/--pixels 16 --step 48/' ;;
        *"tycho terrain map "*) sed -E 's/--width [0-9]+/--width 256/' ;;
        *"tycho terrain generate "*) sed -E 's/--size [0-9]+/--size 60/' ;;
        *"tycho dataset "*) sed 's/$/ --set positions=1 --set sites.0.seeds=[1,2] --set sun.azimuths_deg=[90] --set camera.width=64 --set camera.height=48 --set camera.samples=1 --quiet/' ;;
        *"tycho sweep report "* | *" --dry-run"*) sed -E 's/(report .*)/\1 --no-pictures/' ;;
        *"tycho sweep sweeps/slope_soil.yaml"*) sed 's/$/ --set vary.0.count=2 --set vary.2.count=1 --no-pictures --quiet/' ;;
        *"tycho sweep sweeps/cadre.yaml"*) sed 's/$/ --set vary.0.count=1 --set set.3=duration=1 --no-pictures --quiet/' ;;
        *"tycho sweep sweeps/"*) sed 's/$/ --set runs=4 --no-pictures --quiet/' ;;
        *"tycho sweep SPEC"*) sed 's/SPEC/sweeps\/ishigami.yaml/; s/$/ --dry-run/' ;;
        *"tycho score map "*) sed 's/$/ --size 3/' ;;
        *"tycho fmu "*) sed 's/$/ --no-libraries/' ;;
        *"tycho validate") sed 's/$/ --only Data --quiet/' ;;
        *"tycho camera --series "*) sed 's/$/ --size 32/' ;;
        *"tycho allan "*) sed -E 's/--hours [0-9]+/--hours 0.2/' ;;
        *) cat ;;
        esac
}

# what the pages take as given: predictions for `score`
before() {
    case $1 in
    *"score depth"*) cp -r out/polar_small/depth out/my_depth ;;
    *"score map"*) printf 'x,y,height,rock\n0,0,1,0\n' >out/my_map.csv ;;
    *"score boxes"*) echo '[{"image_id": 1, "category_id": 1, "bbox": [1, 2, 9, 9], "score": 0.9}]' >my_boxes.json ;;
    esac
}

# page NAME: runs its commands; each short form once in all
seen=$'\n'; count=0; left=0
moon="--set planet.layers.0.raster=gld100_global_16ppd.tif --set planet.layers.1.raster=gld100_tycho_5deg_256ppd.tif" # without the rasters' folder, as the page
page() {
    local line now where
    while IFS= read -r line; do
        where=$(elsewhere "$line")
        if [ "$where" = bench ]; then
            for now in $(grep -oE 'bench [a-z|]+' <<<"$line" | sed 's/bench //; s/|/ /g'); do check "$line" grep -qx "$now" <("$TYCHO" bench --list); done
        elif [[ $where == *:* ]]; then
            grep -qF -- "${where#*:}" "$source/${where%%:*}" && ok || bad "${where%%:*} does not run '$line'"
        fi
        [ -n "$where" ] && { left=$((left + 1)); continue; }
        now=$(short "$line")
        [[ ! -d $shared && ($now == *../shared/* || $now == *\ site.tif* || $now == *my_site.*) ]] && { left=$((left + 1)); continue; } # and what is made of it
        [[ $seen == *$'\n'"$now"$'\n'* ]] && continue
        seen+=$now$'\n'
        count=$((count + 1))
        check "$1: $line" bash -c "cd '$work/place' && $(declare -f before); before \"\$0\" && $now" "$now"
    done < <(commands "$1")
}

cd "$source" || exit 1
for p in README.md docs/*.md; do
    [ "${TYCHO_DOCS_ONLY:-$p}" = "$p" ] && page "$p"
done
[ -n "${TYCHO_DOCS_ONLY:-}" ] && { finish; exit; } # one page, while it is written
check "there are commands" test $count -ge 40
echo "$count commands run, $left left to other tests"

# control: a page with a broken command is seen, in each of the three forms
printf '```sh\nbuild/tycho render --no-such thing\n```\n\n    tycho lidar none.yaml\n\nand `tycho check none.yaml` too\n' >"$work/broken.md"
was=$failed; found=$(page "$work/broken.md"; echo $((failed - was)))
[ "${found##*$'\n'}" = 3 ] && ok || bad "control: of three broken commands this many were seen: ${found##*$'\n'}"

# numbers FILE: "row: number" of the README's table for each one that the section of docs/validation.md it leads to does not have in its
# errors, rounded to as many digits
numbers() {
    awk -F'|' '
        function slug(t) { t = tolower(t); gsub(/[^a-z0-9 -]/, "", t); gsub(/ /, "-", t); return t }
        function digits(t) { return match(t, /\.[0-9]+/) ? RLENGTH - 1 : 0 }
        function same(v, t) { return sprintf("%." digits(t) (t ~ /e/ ? "e" : "f"), v) == t }
        FNR == NR && /^## / { section = slug(substr($0, 4)) }
        FNR == NR && /^\|/ { errors[section] = errors[section] " " $4 }
        FNR < NR && match($2, /validation\.md#[a-z0-9-]+/) {
            at = substr($2, RSTART + 14, RLENGTH - 14); rows++
            if (!(at in errors)) print at ": no such section"
            cell = $5
            while (match(cell, /[0-9]+(\.[0-9]+)?(e[-+][0-9]+)?( deg)?/)) {
                t = substr(cell, RSTART, RLENGTH); cell = substr(cell, RSTART + RLENGTH); found = 0
                if (t == "15 deg") continue # where, not how much
                sub(/ deg/, "", t); rest = errors[at]
                while (!found && match(rest, /[0-9]+(\.[0-9]+)?(e[-+][0-9]+)?/)) {
                    v = substr(rest, RSTART, RLENGTH); rest = substr(rest, RSTART + RLENGTH)
                    found = same(v, t) # which has a match of its own
                }
                if (!found) print at ": " t
            }
        }
        END { if (rows < 15) print "a table of " rows " rows" }' docs/validation.md "$1"
}
wrong=$(numbers README.md)
[ -z "$wrong" ] && ok || bad "README.md has numbers that docs/validation.md does not: $wrong"
sed 's/0\.0035/0.0034/' README.md >"$work/other.md"
[ "$(numbers "$work/other.md")" = "sun-earth-and-stars: 0.0034" ] && ok || bad "control: a changed number is not seen"
! grep -qE 'no data|not run:|broke off' docs/validation.md && ok || bad "docs/validation.md has rows that were not run"

# rows of `tycho validate` come from the tests: one that fails is missed, one that is not there is not run
mkdir -p "$work/fake" "$work/v"
printf '#!/bin/sh\nexit 1\n' >"$work/fake/test_study"
chmod +x "$work/fake/test_study"
check "rows of a failing test" "$TYCHO" validate --only "Data sets" --tests "$work/fake" --docs "$work/v" --quiet
[ "$(grep -c 'broke off | \*\*missed\*\*' "$work/v/validation.md")" = 2 ] && grep -q 'not built | not run' "$work/v/validation.md" && ok || bad "control: a failing test is not seen: $(cat "$work/v/validation.md")"
check "rows of the tests" "$TYCHO" validate --only "Data sets" --docs "$work/v" --quiet
grep -q '3 rows: 3 met' "$work/v/validation.md" && ok || bad "rows: $(cat "$work/v/validation.md")"

# links to files of the project
for page in README.md docs/*.md; do
    for link in $(grep -oE '\]\([^)#]+' "$page" | sed 's/](//' | grep -vE '^https?:'); do
        [ -e "$(dirname "$page")/$link" ] || bad "$page leads to $link, which is not there"
    done
done
finish
