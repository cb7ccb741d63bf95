# The single-wheel testbed: sweeps agree with `tycho eval wheel`, plots and fits are made, wrong input gets a sentence.
. "$(dirname "$0")/lib.sh"
cd "$(dirname "$0")/../.." || exit 1
soil="--soil models/soils/ding.yaml --set g=9.81 --set bulldozing=0"
wheel="--wheel 0.15735,0.165,0.010,30"

# the same number by both doors
check sweep "$TYCHO" wheel $soil $wheel --load 80 --slip 0.1,0.3 --csv "$work/a.csv" --plot "$work/a.png"
[ "$(head -c 4 "$work/a.png" | tail -c 3)" = PNG ] && ok || bad "plot is not a PNG"
mine=$(awk -F, '$2==0.3 {printf "%.6f %.6f %.6f", $5, $6, $9}' "$work/a.csv")
eval=$(printf 'k_c,k_phi,n0,c,phi_deg,kx,ky,lambda,rho,g,r,b,grouser_h,grousers,load,slip\n15600,2407400,1.1,250,31.9,.011,.010,0,1605,9.81,.15735,.165,.010,30,80,.3\n' |
    "$TYCHO" eval wheel | tail -1 | awk -F, '{printf "%.6f %.6f %.6f", $1, $5, $8}')
[ "$mine" = "$eval" ] && ok || bad "wheel says $mine, eval says $eval"
check stepped "$TYCHO" wheel $soil $wheel --load 80 --slip 0.3 --model bekker --csv "$work/b.csv" --quiet
awk -F, 'NR==FNR {if ($2==0.3) f=$6; next} $2==0.3 {d=$6-f; if (d<0) d=-d; exit !(d<0.08)}' "$work/a.csv" "$work/b.csv" && ok || bad "stepped rig differs from the steady one"
# control: another soil is another number
check other "$TYCHO" wheel --soil models/soils/ishigami.yaml $wheel --load 80 --slip 0.3 --csv "$work/c.csv"
awk -F, 'NR==FNR {if ($2==0.3) f=$6; next} $2==0.3 {d=$6-f; if (d<0) d=-d; exit !(d>0.5)}' "$work/a.csv" "$work/c.csv" && ok || bad "soil has no effect"

check columns "$TYCHO" wheel $soil --wheel 0.15735,0.165 --load 80 --slip 0.3 --model scm --cell 0.02 --speed 0.3 --csv "$work/e.csv" --quiet
awk -F, '$2==0.3 {f=1; e=$8/80-1; exit !(e<0.01 && e>-0.01 && $6>10 && $6<40)} END {exit !f}' "$work/e.csv" && ok || bad "scm: $(tail -1 "$work/e.csv")"

# plate: k_c / b + k_phi at n 1, and the shear test's limit
check plate "$TYCHO" wheel --plate --width 0.1 --depth 0.02 --csv "$work/p.csv" --plot "$work/p.svg"
tail -1 "$work/p.csv" | awk -F, '{e=$3/16680-1; exit !(e<1e-9 && e>-1e-9)}' && ok || bad "plate: $(tail -1 "$work/p.csv")"
check scmplate "$TYCHO" wheel --plate --model scm --cell 0.005 --width 0.1 --depth 0.02 --csv "$work/q.csv"
tail -1 "$work/q.csv" | awk -F, '{e=$3/16680-1; exit !(e<0.002 && e>-0.002)}' && ok || bad "plate on columns: $(tail -1 "$work/q.csv")"
check scmshear "$TYCHO" wheel --shear --model scm --normal 1e4 --depth 1 --csv "$work/t.csv"
tail -1 "$work/t.csv" | awk -F, '{e=$3/(170+1e4*0.70020753821)-1; exit !(e<1e-6 && e>-1e-6)}' && ok || bad "shear on columns: $(tail -1 "$work/t.csv")"
check shear "$TYCHO" wheel --shear --normal 1e4 --depth 1 --csv "$work/s.csv"
tail -1 "$work/s.csv" | awk -F, '{e=$3/(170+1e4*0.70020753821)-1; exit !(e<1e-9 && e>-1e-9)}' && ok || bad "shear: $(tail -1 "$work/s.csv")"

# a fit gives back the soil that made the data; its answer is a soil file
check data "$TYCHO" wheel --set kx=0.012 --set k_phi=2e6 --load 150,200 --slip 0:0.6:5 --csv "$work/d.csv"
check fit "$TYCHO" wheel --fit "$work/d.csv" --free k_phi:1e5:1e8:5e6,kx:1e-3:0.1:0.03 --csv "$work/fit.yaml" --quiet
awk '$1=="kx:" {e=$2/0.012-1; f=1} END {exit !(f && e<1e-3 && e>-1e-3)}' "$work/fit.yaml" && ok || bad "fit: $(cat "$work/fit.yaml")"
check refit "$TYCHO" wheel --soil "$work/fit.yaml" --load 150 --slip 0.3

refuse model "takes one of static, rigid, bekker" "$TYCHO" wheel --model magic
refuse sweep "FROM:TO:COUNT" "$TYCHO" wheel --slip 0:1
refuse option "no option '--sleep'" "$TYCHO" wheel --sleep 1
refuse wheel "R,B" "$TYCHO" wheel --wheel 0.1
refuse soil "no.such" "$TYCHO" wheel --soil no.such.yaml
refuse key "no key 'k_x'" "$TYCHO" wheel --set k_x=1
refuse range "n0 is 99" "$TYCHO" wheel --set n0=99
refuse slip "slip is 3" "$TYCHO" wheel --slip 3
refuse radius "r is -1" "$TYCHO" wheel --wheel=-1,0.2
refuse data "table of measured" "$TYCHO" wheel --data models/soils/ding.yaml
refuse free "KEY:LOW:HIGH" "$TYCHO" wheel --fit "$work/d.csv" --free bulldozing
refuse write "cannot be written" "$TYCHO" wheel --csv /no/such/folder/a.csv
[ -z "$(ls "$work" | grep part)" ] && ok || bad "half-written files are left"

# slip sinkage as [uly] (2.3) to (2.12) with n = n0 + n1 |s| have it: the load integrated here anew. Control: without n1
deep() { awk -v s="$1" -v n1="$2" 'function load(h,   t1, t2, tm, t, te, sg, j, F, i) { t1 = acos(1 - h / r); t2 = -acos(1 - 0.1 * h / r); tm = (0.4 + 0.15 * s) * t1; F = 0
        for (i = 0; i < 1000; i++) { t = t2 + (t1 - t2) * (i + 0.5) / 1000; te = t >= tm ? t : t1 - (t - t2) / (tm - t2) * (t1 - tm)
            sg = (1400 / b + 8.2e5) * (r * (cos(te) - cos(t1))) ^ (1 + n1 * s); j = r * (t1 - t - (1 - s) * (sin(t1) - sin(t)))
            F += (sg * cos(t) + (170 + sg * tan35) * (1 - exp(-j / 0.0178)) * sin(t)) * (t1 - t2) / 1000 } return r * b * F }
    function acos(x) { return atan2(sqrt(1 - x * x), x) }
    BEGIN { r = 0.225; b = 0.2; tan35 = 0.7002075382; lo = 1e-4; hi = 0.2; for (k = 0; k < 40; k++) { m = (lo + hi) / 2; if (load(m) < 176) lo = m; else hi = m } print m }'; }
for slip in 0.1 0.9; do
    h=$("$TYCHO" wheel --soil models/soils/lunar.yaml --set g=1.62 --wheel 0.225,0.2 --load 176 --slip $slip | awk -F, 'END { print $5 }')
    awk -v a="$h" -v b="$(deep $slip 0.5)" 'BEGIN { exit !(a / b < 1.001 && b / a < 1.001) }' && ok || bad "sinkage at slip $slip: $h m, by the source's law $(deep $slip 0.5) m"
done
awk -v a="$h" -v b="$(deep 0.9 0)" 'BEGIN { exit !(a > 2 * b) }' && ok || bad "control: sinkage $h m without slip sinkage"

mkdir "$work/docs"
check absent "$TYCHO" validate --shared /no/such/folder --docs "$work/docs" --only "Single wheels"
grep -q "not run: no data" "$work/docs/validation.md" && ok || bad "absent data is not named"
refuse docs "folder that exists" "$TYCHO" validate --docs /no/such/folder
finish
