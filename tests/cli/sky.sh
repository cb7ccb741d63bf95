# `tycho eval sky` against NASA SVS, Horizons and Apollo 11, and what it says to wrong input.
. "$(dirname "$0")/lib.sh"
sky() { printf 'utc,lat_deg,lon_deg\n%s\n' "$1" | $TYCHO eval sky; }

# the fixed columns, in their order
sky 2024-08-12T00:00:00,-87.2,62.8 | head -1 >"$work/header"
grep -qx 'sun_az_deg,sun_el_deg,sun_dist_au,subsolar_lat_deg,subsolar_lon_deg,subearth_lat_deg,subearth_lon_deg,earth_az_deg,earth_el_deg' \
    "$work/header" && ok || bad "columns: $(cat "$work/header")"
# the example in the help runs
check "help's example" sh -c "printf 'utc,lat_deg,lon_deg\n2024-08-12T00:00:00,-87.2,62.8\n' | $TYCHO eval sky"
# columns by --set, in any order, with an id
check "set" sh -c "printf 'id,utc\na,2024-08-12T00:00Z\nb,2024-08-12\n' | $TYCHO eval sky --set lon_deg=62.8 --set lat_deg=-87.2"
[ "$(tail -n 2 "$work/out" | cut -d, -f2- | uniq | wc -l)" = 1 ] && ok || bad "the same instant written twice differs"

refuse "no time" "line 2: utc is '', but takes a time such as" sky ,0,0
refuse "not a time" "line 2: utc is 'noon', but takes a time such as" sky noon,0,0
refuse "no such date" "utc is '2023-02-29', but there is no such date" sky 2023-02-29,0,0
refuse "no such hour" "utc is '2024-01-01T25:00', but a day goes" sky 2024-01-01T25:00,0,0
refuse "no leap second" "no leap second" sky 2024-08-12T23:59:60,0,0
refuse "too early" "years 1960 to 2099" sky 1900-01-01,0,0
refuse "too late" "years 1960 to 2099" sky 2100-01-01,0,0
refuse "latitude" "lat_deg is 90.5, but takes -90 to 90" sky 2024-08-12,90.5,0
refuse "longitude" "lon_deg is 1000, but takes -360 to 360" sky 2024-08-12,0,1000
refuse "not a number" "lat_deg is 'x', but takes a finite number" sky 2024-08-12,x,0
refuse "no column" "column 'lat_deg' is needed" sh -c "printf 'utc\n2024-08-12\n' | $TYCHO eval sky"
refuse "unknown column" "unknown column 'lat'; sky takes id, utc, lat_deg, lon_deg" sh -c "printf 'utc,lat\n' | $TYCHO eval sky"
[ -s "$work/out" ] && bad "a refused table left output" || ok

[ $failed = 0 ] || { finish; exit 1; } # not to be hidden by a skip
need_shared
vectors=$TYCHO_SHARED/vectors/ephemeris_vectors.csv
# each row as: id, time, quantity, value, bound; quoted fields hold commas, but none before the value
awk -F, '$2 == "sub-points" && $6 ~ /^sub/ { print $1 "," $3 "," $6 "," $7 "," ($0 ~ /NASA SVS/ ? 0.01 : 0.04) }' "$vectors" >"$work/want"
awk -F, '$2 == "surface_sun" { print $1 "," $3 "," $6 "," $7 "," ($6 ~ /dist/ ? 6e-6 : $7 == "15.0" ? 0.05 : 0.02) }' "$vectors" >>"$work/want"
awk -F, 'BEGIN { print "id,utc,lat_deg,lon_deg" } { print $1 "," $2 ",0.67408,23.47297" }' "$work/want" | $TYCHO eval sky >"$work/got"
# compare WANT GOT: prints how many rows, the worst error and how many miss their bound
compare() {
    awk -F, -v shift="${3:-0}" 'NR == FNR { for (i = 1; FNR == 1 && i <= NF; i++) name[$i] = i; if (FNR > 1) row[FNR - 1] = $0; next }
        { q = $3; sub(/_E$/, "", q); if (q == "sun_elevation") q = "sun_el"; if (q == "sun_azimuth_E_of_N") q = "sun_az"
          q = q == "sun_distance" ? "sun_dist_au" : q "_deg"
          split(row[FNR], got, ","); if (got[1] != $1 || !(q in name)) { print "row " $1 " is not answered"; exit }
          e = got[name[q]] + shift - $4; if (e > 180) e -= 360; if (e < -180) e += 360; if (e < 0) e = -e
          n++; if (e > $5) miss++; if (e / $5 > worst) { worst = e / $5; at = $1 } }
        END { printf "%d rows, %d miss, worst %.2f of its bound at row %s\n", n, miss, worst, at }' "$2" "$1"
}
said=$(compare "$work/want" "$work/got")
case $said in "257 rows, 0 miss"*) ok; echo "sub-points and Apollo 11: $said" ;; *) bad "sub-points: $said" ;; esac
case $(compare "$work/want" "$work/got" 0.1) in *", 0 miss"*) bad "control: a shift of 0.1 deg was not seen" ;; *) ok ;; esac

# Horizons, hour by hour; the last elevation of the file is cut off
awk -F, 'BEGIN { split("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec", m, " "); for (i in m) month[m[i]] = i }
    /^20/ { t = sprintf("%s-%02d-%sT%s", substr($1, 1, 4), month[substr($1, 6, 3)], substr($1, 10, 2), substr($1, 13, 5))
            print ++n "," t ",sun_az," $2 ",0.02"; if ($3 ~ /\./) print ++n "," t ",sun_el," $3 ",0.02" }' \
    "$TYCHO_SHARED/data/ephemeris/horizons_az_el.csv" >"$work/want"
awk -F, 'BEGIN { print "id,utc,lat_deg,lon_deg" } { print $1 "," $2 ",-87.2,62.8" }' "$work/want" | $TYCHO eval sky >"$work/got"
said=$(compare "$work/want" "$work/got")
case $said in "193 rows, 0 miss"*) ok; echo "Horizons: $said" ;; *) bad "Horizons: $said" ;; esac
case $(compare "$work/want" "$work/got" 0.1) in *", 0 miss"*) bad "control: a shift of 0.1 deg was not seen" ;; *) ok ;; esac
finish
