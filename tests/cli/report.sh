# The newcomer's path: the report of a run opened in headless Chromium (Playwright, npm, for tests only). Every picture and
# plot must be there, nothing may be asked for over a network. Skips, and says so, where Node.js or Chromium are not there.
# TYT_SCREENSHOT=file.png keeps the picture of the page.
. "$(dirname "$0")/lib.sh"
source=${TYCHO_SOURCE:-.}
build=$(dirname "$TYCHO")
command -v node >/dev/null && command -v npm >/dev/null || { echo "skipped: there is no Node.js"; exit 77; }
export CHROMIUM=${CHROMIUM:-$(command -v chromium || true)}
[ -n "$CHROMIUM" ] || { echo "skipped: there is no Chromium"; exit 77; }
. "$(dirname "$0")/node.sh"

cp "$source/scenarios/viper_traverse.yaml" "$work/mine.yaml"
sed -i "s|\.\./models|$(realpath "$source")/models|" "$work/mine.yaml"
# pictures small: what is looked at here is the page
sed -i "s/width: 640, height: 480/width: 96, height: 72/; s/width: 480, height: 360/width: 80, height: 60/" "$work/mine.yaml"
check "run" "$TYCHO" run "$work/mine.yaml" -o "$work/one" --set duration=1 --set planet.detail=256 --overview-width 240
check "the report opens" sh -c "node '$node_folder/open_report.mjs' '$work/one/report.html' '$work/page.png' > '$work/seen.json'"
cat >"$work/judge.mjs" <<'END'
import { readFileSync, readdirSync } from "node:fs";
const seen = JSON.parse(readFileSync(process.argv[2])), folder = process.argv[3];
const bad = (text) => { console.error(text); process.exitCode = 1; };
const frames = readdirSync(folder + "/frames").filter((f) => f.endsWith(".png") && !/depth|label/.test(f)).length;
if (seen.pictures < frames + 3) bad(`${seen.pictures} pictures for ${frames} frames, an overview, a map and plots`);
if (seen.empty.length || seen.unnamed) bad(`pictures without content or name: ${seen.empty} ${seen.unnamed}`);
if (seen.errors.length || seen.outside.length) bad(`errors ${seen.errors}, asked for ${seen.outside}`);
if (seen.wide || seen.widePhone) bad("the page is wider than the window");
for (const h of ["What the sensors saw", "navcam_left", "hazcam_rear", "lidar", "Path and ruts", "Telemetry", "Events", "Where the time went", "To repeat it"]) if (!seen.headings.includes(h)) bad(`no part '${h}'`);
END
check "every picture and part is there" node "$work/judge.mjs" "$work/seen.json" "$work/one"
[ -n "${TYT_SCREENSHOT:-}" ] && cp "$work/page.png" "$TYT_SCREENSHOT"

# control: a report with a broken picture is seen
sed 's|src="data:image/png;base64,iVBOR|src="data:image/png;base64,AAAAA|' "$work/one/report.html" >"$work/one/broken.html"
node "$node_folder/open_report.mjs" "$work/one/broken.html" "$work/page.png" >"$work/broken.json" 2>/dev/null
check "control: a broken picture is seen" sh -c "! node '$work/judge.mjs' '$work/broken.json' '$work/one' 2>/dev/null"

# one key changed: another run, another report
sed -i 's/speed: 0.2/speed: 0.1/' "$work/mine.yaml"
check "run again with one key changed" "$TYCHO" run "$work/mine.yaml" -o "$work/two" --set duration=1 --no-overview --set 'rovers.0.sensors=[]'
check "it differs" sh -c "! cmp -s '$work/one/telemetry.csv' '$work/two/telemetry.csv'"
finish
