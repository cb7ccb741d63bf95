# `tycho allan`: published Allan deviations through the command, its readings, and what it says to wrong input.
. "$(dirname "$0")/lib.sh"

printf '892\n809\n823\n798\n671\n644\n883\n903\n677\n' >"$work/ten.txt"
check "ten points" $TYCHO allan "$work/ten.txt"
head -1 "$work/out" | grep -qx 'tau,m,oadev,adev,mdev,tdev,hdev,ohdev,totdev' && ok || bad "columns: $(head -1 "$work/out")"
# a table with times and several columns: rate from the times, column by name
awk 'BEGIN { print "t,a,b"; for (i = 0; i < 500; i++) print i / 50 "," 3 "," i * 0.001 }' >"$work/table.csv"
check "column" $TYCHO allan "$work/table.csv" --column b --json --terms R
grep -q '"rate_hz": 50' "$work/out" && ok || bad "rate: $(cat "$work/out")"
grep -qE '"R": 0\.0(5|49999|50000)' "$work/out" && ok || bad "a ramp of 0.05 per second: $(cat "$work/out")"
check "plot" $TYCHO allan "$work/table.csv" --column b --plot "$work/p.png" --unit rad/s
[ "$(head -c 4 "$work/p.png" | tail -c 3)" = PNG ] && ok || bad "no picture"
check "preset" $TYCHO allan --imu models/sensors/mti1.yaml --hours 0.2 --plot "$work/i.png"
[ "$(wc -l <"$work/out")" = 7 ] && ok || bad "preset table: $(cat "$work/out")"
awk -F, 'NR > 1 { e = $2 / $3 - 1; if (e < 0) e = -e; if (e > 0.05) exit 1 }' "$work/out" && ok || bad "white noise of the preset: $(cat "$work/out")"

refuse "no file" "takes one file" $TYCHO allan
refuse "absent" "there is no such file" $TYCHO allan "$work/none"
refuse "option" "no option '--fast'" $TYCHO allan "$work/ten.txt" --fast
refuse "rate" "--rate takes a positive number" $TYCHO allan "$work/ten.txt" --rate 0
refuse "terms" "no term 'X'" $TYCHO allan "$work/ten.txt" --terms NX
refuse "column name" "no column 'c'" $TYCHO allan "$work/table.csv" --column c
refuse "column number" "takes a number from 1" $TYCHO allan "$work/ten.txt" --column gyro
printf '1\n2\nthree\n' >"$work/bad.txt"
refuse "not a number" "bad.txt:3: field 1 is 'three'" $TYCHO allan "$work/bad.txt"
printf '1\n2\n' >"$work/two.txt"
refuse "too few" "holds 2 numbers" $TYCHO allan "$work/two.txt"
printf 't,y\n0,1\n1,2\n1,3\n' >"$work/time.csv"
refuse "times" "times are numbers that rise" $TYCHO allan "$work/time.csv"
refuse "plot's folder" "" $TYCHO allan "$work/ten.txt" --plot "$work/none/p.png"
refuse "hours" "--hours takes" $TYCHO allan --imu models/sensors/mti1.yaml --hours 0
printf 'gyro: {noise: 1}\n' >"$work/imu.yaml"
refuse "preset's key" "imu.yaml:1.*noise" $TYCHO allan --imu "$work/imu.yaml"

[ $failed = 0 ] || { finish; exit 1; }
need_shared
vectors=$TYCHO_SHARED/vectors/imu_allan_vectors.csv
awk 'BEGIN { n = 1234567890; for (i = 0; i < 1000; i++) { printf "%.17g\n", n / 2147483647; n = (16807 * n) % 2147483647 } }' >"$work/thousand.txt"
$TYCHO allan "$work/ten.txt" 2>/dev/null | sed 's/^/ten,/' >"$work/got"
$TYCHO allan "$work/thousand.txt" 2>/dev/null | sed 's/^/thousand,/' >>"$work/got"
$TYCHO allan "$TYCHO_SHARED/vectors/PHASE.DAT" --phase 2>/dev/null | sed 's/^/phase,/' >>"$work/got"
# compare FACTOR: every published row, to one unit of its last printed digit (7 digits, or 5 where the file says so)
compare() {
    sed 's/"[^"]*"/PHASE/' "$vectors" | awk -F, -v factor="$1" 'NR == FNR { if ($2 == "tau") { for (i = 1; i <= NF; i++) at[$i] = i } else { row[$1 "," $2 + 0] = $0 } ; next }
        FNR > 1 { set = $1 ~ /^PHASE/ ? "phase" : $1 ~ /10-point/ ? "ten" : "thousand"
            split(row[set "," $3 + 0], got, ","); g = factor * got[at[tolower($2)]]; d = $0 ~ /5 digits/ ? 5 : 7
            unit = 10 ^ (int(log($4) / log(10) + 100) - 100 - d + 1); e = g - $4; if (e < 0) e = -e
            n++; if (!(e <= 1.02 * unit)) { miss++; } }
        END { printf "%d rows, %d miss\n", n, miss }' "$work/got" -
}
said=$(compare 1)
[ "$said" = "59 rows, 0 miss" ] && { ok; echo "published: $said"; } || bad "published values: $said"
said=$(compare 1.0002)
[ "$said" = "59 rows, 59 miss" ] && ok || bad "control: values 2e-4 larger: $said"
finish
