# `tycho check`: good files, broken ones with the sentence each of them gets, --set, the reference page.
. "$(dirname "$0")/lib.sh"
root=${TYCHO_SOURCE:-.}
pole=$root/scenarios/south_pole.yaml
f=$work/s.yaml

check "south pole" $TYCHO check "$pole"
[ "$(cat "$work/out")" = "$pole: ok (scenario, 8 keys)" ] || bad "south pole: $(cat "$work/out")"
check "two files" $TYCHO check "$pole" "$pole"
[ "$(wc -l <"$work/out")" = 2 ] || bad "two files, two lines"
check "settings" $TYCHO check --set terrain.relief.hurst=0.8 --set 'site={lat_deg: 26.1, lon_deg: 3.6}' "$pole"
check "from a pipe" bash -c "cat '$pole' | $TYCHO check /dev/stdin"

# the committed page is the one the program prints
check "reference" $TYCHO check --reference
cmp -s "$work/out" "$root/docs/reference.md" || bad "docs/reference.md is not what \`tycho check --reference\` prints"

check "reference of rover files" $TYCHO check --reference rover
sed -n '/^# Rover files/,$p' "$root/docs/rover.md" | sed '1,/^<!-- keys -->$/d' | cmp -s - <(sed 1d "$work/out") || bad "docs/rover.md does not end with what \`tycho check --reference rover\` prints"
[ "$(grep -c '^| `lag` |' "$root/docs/reference.md")" -le 3 ] || bad "the reference repeats keys that all kinds of sensors have"

# broken NAME SENTENCE CONTENT: the content, as printf writes it after `version: 1`, gets exactly this sentence
broken() {
    printf "version: 1\n$3" >"$f"
    refuse "$1" "" $TYCHO check "$f"
    [ "$(cat "$work/err")" = "tycho check: $f:$2." ] || bad "$1: got $(cat "$work/err")"
    [ ! -s "$work/out" ] || bad "$1: something on standard output"
}
broken "misspelt key" "3:3: there is no key terrain.relif (did you mean relief?); terrain takes resolution, extent, seed, base, kind, slope_deg, slope_azimuth_deg, detail, relief, craters, tone, rocks, edit_level, cache_mib" 'terrain:\n  relif: {hurst: 0.9}\n'
broken "misspelt section" "2:1: there is no key terain (did you mean terrain?); the file takes version, name, start_utc, body, gravity, site, terrain, planet, duration, step, telemetry, exchange, end_on, backend, device, device_memory, sleep, settle, soil, dust, ground, objects, rocks, craters, lights, sky, rovers, actors" 'terain: {seed: 1}\n'
rover="  - {name: a, model: $(realpath "$root")/models/rovers/ex1.yaml, driver: {type: follow, leader: "
broken "no such leader" "3:$((${#rover} + 1)): rovers.0.driver.leader is 'b', but takes the name of another rover of the scenario" "rovers:\n${rover}b}}\n"
broken "its own leader" "3:$((${#rover} + 1)): rovers.0.driver.leader is 'a', but takes the name of another rover of the scenario" "rovers:\n${rover}a}}\n"
broken "unknown key" "2:1: there is no key weather; the file takes version, name, start_utc, body, gravity, site, terrain, planet, duration, step, telemetry, exchange, end_on, backend, device, device_memory, sleep, settle, soil, dust, ground, objects, rocks, craters, lights, sky, rovers, actors" 'weather: fine\n'
broken "wrong type" "2:17: terrain.seed is 'many', but takes an integer from 0 to 18446744073709551615" 'terrain: {seed: many}\n'
broken "number in quotes" "2:19: terrain.extent is the text \"5000\", but takes a number from 1 to 1000000 m" 'terrain: {extent: "5000"}\n'
broken "mapping for a number" "4:5: terrain.extent is a mapping, but takes a number from 1 to 1000000 m" 'terrain:\n  extent:\n    a: 1\n'
broken "number for a mapping" "2:7: site is 5, but takes a mapping with lat_deg, lon_deg" 'site: 5\n'
broken "out of range" "4:12: terrain.relief.hurst is 1.7, but takes a number from 0.1 to 0.99" 'terrain:\n  relief:\n    hurst: 1.7\n'
broken "a negative wait" "2:16: planet.wait is -1, but takes a number from 0 to 1000 s" 'planet: {wait: -1}\n'
broken "coarse ground" "2:18: planet.detail is 64, but takes an integer from 256 to 8192" 'planet: {detail: 64}\n'
broken "a wait in words" "2:16: planet.wait is 'long', but takes a number from 0 to 1000 s" 'planet: {wait: long}\n'
broken "out of range, degrees" "2:17: site.lat_deg is -95, but takes a number from -90 to 90 deg" 'site: {lat_deg: -95}\n'
broken "not a number" "2:19: terrain.extent is '.nan', but takes a number from 1 to 1000000 m" 'terrain: {extent: .nan}\n'
broken "infinite" "2:19: terrain.extent is 1e999, but takes a number from 1 to 1000000 m" 'terrain: {extent: 1e999}\n'
broken "wrong order" "3:30: terrain.rocks.d_max is 0.1 m, but must be above terrain.rocks.d_min, which is 0.2 m" 'terrain:\n  rocks: {d_min: 0.2, d_max: 0.1}\n'
broken "wrong order against a default" "3:20: terrain.craters.d_min is 600 m, but must be below terrain.craters.d_max, which is 500 m by default" 'terrain:\n  craters: {d_min: 600}\n'
broken "key twice" "4:3: the key terrain.seed stands twice, first in line 3" 'terrain:\n  seed: 1\n  seed: 2\n'
broken "no such day" "2:12: start_utc is 2027-02-29, but takes a UTC time from 1960 to 2099, such as 2027-03-20 or 2027-03-20T18:30:05.25" 'start_utc: 2027-02-29\n'
broken "base is not there" "2:17: terrain.base is 'moon.tif', which cannot be opened (No such file or directory); it takes the path of an elevation raster" 'terrain: {base: moon.tif}\n'
broken "tab" "3:1: the line is indented with a tab, but YAML takes spaces only" 'terrain:\n\tseed: 1\n'
broken "bracket left open" "3:1: this is not valid YAML: did not find expected ',' or '}', while parsing a flow mapping that starts at 2:7" 'site: {lat_deg: 1\n'
broken "bad UTF-8" "2:9: the byte 0xff here is not text in UTF-8, which a YAML file must be" 'name: ab\xff\n'
broken "second document" "2:1: a second document starts here, but a file takes one" '---\nversion: 1\n'
broken "tag" "2:7: the tag 'tag:yaml.org,2002:str' is not accepted: values have no tags here" 'name: !!str a\n'
broken "alias of nothing" "2:7: the alias *a stands for nothing: no &a is complete before it" 'name: *a\n'
broken "other version" "2:1: the key version stands twice, first in line 1" 'version: 2\n'
deep=$(printf '[%.0s' $(seq 5000))
broken "deep" "2:38: values are nested more than 32 deep, the most that is accepted" "name: $deep\n"
laughs='a: &a [x,x,x,x,x,x,x,x,x,x]\n'; last=a
for k in b c d e g h i; do laughs="$laughs$k: &$k [*$last,*$last,*$last,*$last,*$last,*$last,*$last,*$last,*$last,*$last]\n"; last=$k; done
broken "aliases of aliases" "7:35: the file holds more than 1000000 values, aliases written out, the most that is accepted" "$laughs"

printf '' >"$f"; refuse "empty" "s.yaml: is empty, but lines .key: value. are expected\.$" $TYCHO check "$f"
printf '# nothing\n' >"$f"; refuse "only a comment" "s.yaml: is empty" $TYCHO check "$f"
printf -- '- a\n' >"$f"; refuse "list" "s.yaml:1:1: the file holds a list, but lines" $TYCHO check "$f"
printf 'name: a\n' >"$f"; refuse "no version" "s.yaml:1:1: the key version is needed; it takes the number 1\.$" $TYCHO check "$f"
printf 'version: 9\n' >"$f"; refuse "version 9" "s.yaml:1:10: version is 9, but takes the number 1\.$" $TYCHO check "$f"
head -c 100000 "$TYCHO" >"$work/tycho"
refuse "a program" "tycho:1:1: the byte 0x7f here is not text" $TYCHO check "$work/tycho"
truncate -s 17M "$f"; refuse "too large" "s.yaml: is larger than 16384 KiB" $TYCHO check "$f"
refuse "folder" ": is a folder, but a file is expected\.$" $TYCHO check "$work"
refuse "missing file" "none.yaml: there is no such file\.$" $TYCHO check "$work/none.yaml"
refuse "device" "/dev/full: is a device, but a file is expected\.$" $TYCHO check /dev/full
refuse "full disk" "cannot be written" bash -c "$TYCHO check --reference >/dev/full"
cp "$pole" "$f"; chmod 0 "$f"
if [ "$(id -u)" != 0 ]; then
    refuse "no permission" "may not be read, permission is denied\.$" $TYCHO check "$f"
fi
chmod 600 "$f"

refuse "setting out of range" "^tycho check: --set terrain.relief.hurst=2: terrain.relief.hurst is 2, but takes a number from 0.1 to 0.99\.$" \
    $TYCHO check --set terrain.relief.hurst=2 "$pole"
refuse "setting misspelt" "^tycho check: --set terrain.sead=2: there is no key terrain.sead \(did you mean seed\?\)" \
    $TYCHO check --set terrain.sead=2 "$pole"
refuse "setting without value" "^tycho check: --set seed: there is no '='" $TYCHO check --set seed "$pole"
refuse "setting below a value" "name is a single value, so it has no key 'x'\.$" $TYCHO check --set name.x=1 "$pole"
refuse "unknown option" "there is no option '--fast'" $TYCHO check --fast "$pole"
refuse "no file" "takes files, or --reference alone" $TYCHO check
finish
