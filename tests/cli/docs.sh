# The commands that the README and the tutorial show are run, runs for a moment only; links in the docs lead somewhere.
. "$(dirname "$0")/lib.sh"
source=$(realpath "${TYCHO_SOURCE:-.}")
mkdir "$work/place" && cp -r "$source/scenarios" "$source/models" "$work/place/" # a place of its own, with small pictures
sed -i 's/width: [0-9]*, height: [0-9]*/width: 64, height: 48/; s/samples: [0-9]*/samples: 1/' "$work"/place/scenarios/*.yaml
count=0
while IFS= read -r line; do
    command=$(echo "$line" | sed 's/ *#.*//; s|^build/tycho|"$TYCHO"|')
    case $command in
    *" run --resume"*) continue ;; # nothing crashed here: tests/cli/checkpoint.sh
    *" run "*) command="$command --set duration=0.3 --no-overview --quiet" ;;
    *" render "*) command=$(echo "$command" | sed 's/--size [0-9x]*/--size 64x40/') ;;
    esac
    count=$((count + 1))
    check "$line" bash -c "cd '$work/place' && TYCHO='$(realpath "$TYCHO")' && mkdir -p out && $command"
done < <(cat "$source/README.md" "$source/docs/tutorial.md" | awk '/^```sh/ { on = 1; next } /^```/ { on = 0 } on && /^build\/tycho/')
check "there are commands" test $count -ge 6
# links to files of the project
for page in README.md docs/*.md; do
    for link in $(grep -oE '\]\([^)#]+' "$source/$page" 2>/dev/null | sed 's/](//' | grep -vE '^https?:'); do
        [ -e "$source/$(dirname "$page")/$link" ] || bad "$page leads to $link, which is not there"
    done
done
finish
