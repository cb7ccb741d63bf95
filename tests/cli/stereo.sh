# validation/stereo.py in a small form, where OpenCV and Matplotlib are installed (scripts/setup validation).
. "$(dirname "$0")/lib.sh"
python=/usr/bin/python3
$python -c "import cv2, matplotlib" 2>/dev/null || { echo "skipped: OpenCV or Matplotlib for Python is absent (scripts/setup validation)"; exit 77; }
check "small form" $python validation/stereo.py --tycho "$TYCHO" --out "$work/s" --set "sites.0.seeds=[11]" --set positions=1 --set camera.width=200 \
    --set camera.height=150 --set camera.samples=4 --set "camera.exposures_ms=[0, 0.03125]" --set "sun.elevations_deg=[15]" --set labels.least_pixels=20
for file in table.csv rocks.csv stereo.png rocks.png examples.png; do
    [ -s "$work/s/$file" ] && ok || bad "no $file"
done
# the matcher finds the noise-free scene lit from the side, and loses it in the noise of a short exposure
found() { awk -F, -v c="$1" -v s="$2" '$1 == c && $2 == 90 && ((s == "auto") == ($5 == 1)) { print $9 }' "$work/s/table.csv"; }
awk -v a="$(found ideal auto)" 'BEGIN { exit !(a > 40) }' && ok || bad "ideal: $(found ideal auto) % of the rocks found, want over 40"
awk -v a="$(found ideal auto)" -v b="$(found physical short)" 'BEGIN { exit !(b < a - 10) }' && ok || bad "control: short exposure finds $(found physical short) %, ideal $(found ideal auto) %"
finish
