# `tycho score`: boxes against a hand-worked example and a slow reading of the definition, depth against known errors, sentences.
. "$(dirname "$0")/lib.sh"
here=$(dirname "$0")/../python
python=/usr/bin/python3; [ -x $python ] || python=python3

# By hand: three true boxes; the surest prediction hits, the second misses, the third hits, the fourth is a double. Precision is 1 up
# to recall 1/3 (34 of 101 steps) and 2/3 up to 2/3 (33 steps): AP = (34 + 33 * 2/3) / 101 at every threshold, as hits are exact.
# Best overlaps of the true boxes: 1, 1, 0.
cat >"$work/labels.json" <<'J'
{"images": [{"id": 1}, {"id": 2}], "categories": [{"id": 1, "name": "rock"}], "annotations": [
 {"id": 1, "image_id": 1, "category_id": 1, "bbox": [10, 10, 20, 20], "area": 400, "iscrowd": 0},
 {"id": 2, "image_id": 1, "category_id": 1, "bbox": [50, 50, 10, 10], "area": 100, "iscrowd": 0},
 {"id": 3, "image_id": 2, "category_id": 1, "bbox": [50, 50, 10, 10], "area": 100, "iscrowd": 0}]}
J
cat >"$work/guesses.json" <<'J'
[{"image_id": 1, "category_id": 1, "bbox": [10, 10, 20, 20], "score": 0.9},
 {"image_id": 2, "category_id": 1, "bbox": [10, 10, 20, 20], "score": 0.8},
 {"image_id": 1, "category_id": 1, "bbox": [50, 50, 10, 10], "score": 0.7},
 {"image_id": 1, "category_id": 1, "bbox": [10, 10, 20, 20], "score": 0.6}]
J
check "boxes" $TYCHO score boxes "$work/labels.json" "$work/guesses.json" -o "$work/hand.json" --plot "$work/pr.png"
grep -q '| 0.5545 | 0.5545 | 0.6667 |' "$work/out" && ok || bad "hand-worked AP: $(cat "$work/out")"
grep -q '"mAP@0.5": 0.554455446' "$work/hand.json" && ok || bad "hand-worked AP in JSON"
[ -s "$work/pr.png" ] && ok || bad "no plot"
sed 's/"bbox": \[10, 10, 20, 20\], "score": 0.9/"bbox": [10, 10, 20, 14], "score": 0.9/' "$work/guesses.json" >"$work/worse.json"
# now the surest one overlaps by 0.7: as before up to that threshold; at the other five it misses and the double hits, so that precision
# is 1/2 up to recall 2/3: 67/2/101. Mean of 0.554455 and 0.331683.
check "worse boxes" $TYCHO score boxes "$work/labels.json" "$work/worse.json"
grep -q '| 0.5545 | 0.4431 | 0.6667 |' "$work/out" && ok || bad "hand-worked AP over the thresholds: $(tail -1 "$work/out")"
check "least score" $TYCHO score boxes "$work/labels.json" "$work/guesses.json" --least-score 0.85
grep -q '| 0.3366 | 0.3366 | 0.3333 |' "$work/out" && ok || bad "only the surest: 34/101: $(tail -1 "$work/out")"

for seed in 1 2 3 4 5 6; do
    $python "$here/score_boxes.py" make "$work" $seed
    check "drawn boxes $seed" $TYCHO score boxes "$work/labels.json" "$work/guesses.json" --quiet -o "$work/score.json"
    check "by the definition $seed" $python "$here/score_boxes.py" check "$work"
done
sed -i 's/"mAP@0.5": 0/"mAP@0.5": 0.0/' "$work/score.json"
if $python "$here/score_boxes.py" check "$work" >/dev/null 2>&1; then bad "control: a wrong score was accepted"; else ok; fi

# depth: a map, the same map, and one 3 % farther
$python - "$work" "$here" <<'P'
import sys
sys.path.insert(0, sys.argv[2])
import tiny_png
truth = [[0 if y < 4 else 2000 + 100 * x + 57 * y for x in range(32)] for y in range(24)]
tiny_png.write16(sys.argv[1] + "/truth.png", truth)
tiny_png.write16(sys.argv[1] + "/off.png", [[round(1.03 * v) for v in row] for row in truth])
tiny_png.write16(sys.argv[1] + "/gap.png", [[0 if x > 15 else v for x, v in enumerate(row)] for row in truth])
tiny_png.write16(sys.argv[1] + "/mask.png", [[1 if 6 < y < 12 and 2 < x < 9 else 7 if y > 15 and x > 20 else 0 for x in range(32)] for y in range(24)])
tiny_png.write16(sys.argv[1] + "/small.png", [[1] * 8] * 8)
P
check "depth" $TYCHO score depth "$work/truth.png" "$work/truth.png" "$work/off.png" "$work/gap.png" --instances "$work/mask.png" -o "$work/depth.json"
row() { grep "/$1.png" "$work/out" | tr -d ' ' | cut -d'|' -f3-; }
[ "$(row truth)" = "1|0|0.000|100.0|2|0.000|100.0|" ] && ok || bad "itself: $(row truth)"
[[ "$(row off)" =~ ^1\|0\|(2.99|3.00).\|100.0\|2\|(2.99|3.00).\|100.0\|$ ]] && ok || bad "3 %: $(row off)" # millimetres round it
[ "$(row gap)" = "1|0|0.000|50.0|2|0.000|50.0|" ] && ok || bad "half of it: a rock without a prediction is not found: $(row gap)"
check "depth, strict" $TYCHO score depth "$work/truth.png" "$work/off.png" --instances "$work/mask.png" --limit 0.02 --by box
[[ "$(row off)" =~ \|2\|(2.99|3.00).\|0.0\|$ ]] && ok || bad "control: 3 % is not below 2 %: $(row off)"
check "JSON" $python -c "import json; d = json.load(open('$work/depth.json')); assert len(d['predictors']) == 3 and [r['instance'] for r in d['predictors'][0]['images'][0]['rocks']] == [1, 7]"

refuse "what" "takes depth, boxes or map, not 'colour'" $TYCHO score colour
refuse "no labels" "cannot be opened" $TYCHO score boxes "$work/none.json" "$work/guesses.json"
echo '[{"image_id": 1, "category_id": 1, "bbox": [1, 2, 3], "score": 1}]' >"$work/bad.json"
refuse "bbox" 'bad.json: predictions\[0\].bbox takes four numbers' $TYCHO score boxes "$work/labels.json" "$work/bad.json"
echo '[{"image_id": 99, "category_id": 1, "bbox": [1, 2, 3, 4], "score": 1}]' >"$work/bad.json"
refuse "image" 'bad.json: predictions\[0\].image_id is 99, but the labels have no such image' $TYCHO score boxes "$work/labels.json" "$work/bad.json"
echo '[{"image_id": 1, "category_id": 1, "bbox": [1, 2, 3, 4]}]' >"$work/bad.json"
refuse "score" 'predictions\[0\].score takes a number' $TYCHO score boxes "$work/labels.json" "$work/bad.json"
echo '[{"image_id": 1,' >"$work/bad.json"
refuse "not JSON" 'bad.json:[0-9]+:[0-9]+: is not JSON' $TYCHO score boxes "$work/labels.json" "$work/bad.json"
refuse "sizes" "has 8 x 8 pixels, but .* has 32 x 24" $TYCHO score depth "$work/truth.png" "$work/small.png"
refuse "kind" "a depth map is a .png" $TYCHO score depth "$work/truth.png" "$work/labels.json"
refuse "by" "--by takes mask or box, not 'eye'" $TYCHO score depth "$work/truth.png" "$work/off.png" --by eye
refuse "folder" "cannot be read as a folder" $TYCHO score depth "$work" "$work"
refuse "one file" "misses a file name" $TYCHO score depth "$work/truth.png"
finish
