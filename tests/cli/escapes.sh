# What files and their names hold does not reach the terminal as it is, and a model reads nothing outside its folder.
. "$(dirname "$0")/lib.sh"
esc=$(printf '\033]0;owned\007\033[2J')
raw() { # NAME COMMAND...: it fails, and says so without a control character
    local name=$1; shift
    "$@" >"$work/out" 2>"$work/err" && bad "$name: passed" || ok
    LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]')" "$work/out" "$work/err" && bad "$name: raw control characters" || ok
    [ -s "$work/err" ] && ok || bad "$name: says nothing"
}
printf '%s,y\n1,2\n' "$esc" | raw "column of eval" $TYCHO eval hapke
printf 'w,i_deg\n%s,2\n' "$esc" | raw "cell of eval" $TYCHO eval hapke
raw "key of eval" $TYCHO eval hapke --set "$esc=1"
printf 't,a\n1,2\n2,%s\n' "$esc" >"$work/a.csv"
raw "cell of allan" $TYCHO allan "$work/a.csv" --column a --rate 1
raw "column of allan" $TYCHO allan "$work/a.csv" --column "$esc" --rate 1
raw "name of a file" $TYCHO check "$work/$esc.yaml"
raw "option" $TYCHO render "--$esc"

mkdir "$work/in"
printf 'secret' >"$work/buffer.bin"
gltf() { printf '{"asset": {"version": "2.0"}, "buffers": [{"uri": "%s", "byteLength": 6}]}' "$1" >"$work/in/m.gltf"; }
for uri in ../buffer.bin ../../buffer.bin x/../../buffer.bin %2e%2e/buffer.bin /etc/hostname; do
    gltf "$uri"
    refuse "uri $uri" "takes a data: URI or the name of a file beside this one or below" $TYCHO check "$work/in/m.gltf"
done
printf '<VRTDataset rasterXSize="4" rasterYSize="4"></VRTDataset>\n' >"$work/x.vrt"
$TYCHO check "$work/x.vrt" >"$work/out" 2>&1
grep -qi mujoco "$work/out" && bad "a .vrt is called a MuJoCo model: $(cat "$work/out")" || ok
finish
