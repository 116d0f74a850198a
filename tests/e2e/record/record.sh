# SPDX-License-Identifier: BSD-2-Clause
# Samples are exact, and stock perf reads them.
. "$(dirname "$0")/../_lib.sh"

# hotcold N: 4004 * N + 3 instructions (apps/workloads/hotcold_code.S).
period=10007
expected=$(((4004 * 5000 + 3) / period))
for u in $(personalities hsw skx icl zen4); do
	data=$dir/$u.data
	$perf0 record --machine-timeout $patience --uarch $u -e instructions:u -c $period -o "$data" -- hotcold >"$dir/$u" 2>&1
	is "$u: exit status" $? 0
	perf report --stdio -i "$data" >"$dir/$u.report" 2>"$dir/$u.err"
	is "$u: perf report" $? 0
	is "$u: perf report has no complaint" "$(grep -v '^$' "$dir/$u.err")" ""
	samples=$(perf script -i "$data" -F ip 2>/dev/null | grep -c .)
	is "$u: floor(instructions / period) samples" "$samples" "$expected"
	for f in hot:75 cold:25; do
		share=$(awk -v f="${f%:*}" '$NF == f { sub("%", "", $1); print $1 }' "$dir/$u.report")
		is "$u: ${f%:*} within 1 point of ${f#*:} %" "$(awk -v s="$share" -v w="${f#*:}" \
			'BEGIN { d = s - w; print (s != "" && d <= 1 && d >= -1) ? "yes" : s }')" yes
	done
done

perf annotate --stdio -i "$data" hot >"$dir/annotate" 2>&1
is "perf annotate" $? 0
has "perf annotate shows the loop" "$dir/annotate" '.*(dec|jne) .*'
perf script -i "$data" >"$dir/script" 2>&1
is "perf script" $? 0
is "perf script names the workload" \
	"$(awk '$1 != "hotcold"' "$dir/script" | grep -c .)" 0
perf report --header-only -i "$data" >"$dir/header" 2>&1
for feature in hostname 'os release' 'perf version' arch cpudesc 'time of first sample'; do
	has "header: $feature" "$dir/header" "# $feature *:.*"
done
perf evlist -v -i "$data" >"$dir/evlist" 2>&1
has "evlist: name and period" "$dir/evlist" 'instructions:u: .*\{ sample_period, sample_freq \}: 10007, .*'
perf buildid-list -i "$data" >"$dir/buildids" 2>&1
is "build-id of the image" "$(awk '{ print $1 }' "$dir/buildids" | sort -u)" \
	"$(readelf -n build/perf0.elf | awk '/Build ID/ { print $3 }')"
perf data convert --to-json "$dir/converted.json" -i "$data" >/dev/null 2>&1
is "perf data convert --to-json" $? 0

# A ring of one page: records that do not fit are lost, and the loss is reported.
boot "$dir/lost" -o "$dir/lost.d" -- record -m 1 -e instructions:u -c 1009 hotcold 500
is "a full ring is no failure" $status 0
lost=$(sed -n 's/.* \([0-9]*\) samples of \([0-9]*\) overflows, \([0-9]*\) lost.*/\1 \2 \3/p' "$dir/lost")
is "written + lost = overflows" "$(echo "$lost" | awk '{ print ($3 > 0 && $1 + $3 == $2) }')" 1
is "LOST_SAMPLES carries the number" \
	"$(perf report --stdio -i "$dir/lost.d/perf.data" 2>/dev/null | sed -n 's/^# Total Lost Samples: //p')" \
	"${lost##* }"

# Two events in one recording, and a period of the event's own.
boot "$dir/two" --events ratios -o "$dir/two.d" -- record -e instructions:u,cycles:u -c 20011 hotcold 1000
is "two events" $status 0
is "two events: both in the file" "$(perf evlist -i "$dir/two.d/perf.data" 2>/dev/null | sort | tr '\n' ' ')" \
	"cycles:u instructions:u "
boot "$dir/short" -o "$dir/short.d" -- record -e instructions/period=100/u -c 5000 loop 10000
is "an event's own period, 100" "$(perf script -i "$dir/short.d/perf.data" -F ip 2>/dev/null | grep -c .)" $((20005 / 100))

# An overflow on the SYSCALL that ends loop interrupts ring 0. The sample is in ring 3 all the same.
boot "$dir/syscall" -o "$dir/syscall.d" -- record -e instructions:u -c 2005 loop 1000
is "overflow on SYSCALL: the sample is in the workload" \
	"$(perf script -i "$dir/syscall.d/perf.data" -F ip,sym 2>/dev/null | awk '{ print $2 }')" \
	workload_loop

# A stored stream decodes to the same file; a damaged one gives its intact part and reports the damage.
stream=$dir/two.d/stream.perf0
$perf0 decode "$stream" -o "$dir/again.data" >"$dir/decode" 2>&1
is "decode: exit status" $? 0
is "decode: the same samples" "$(perf script -i "$dir/again.data" 2>/dev/null | md5sum)" \
	"$(perf script -i "$dir/two.d/perf.data" 2>/dev/null | md5sum)"
cp "$stream" "$dir/damaged"
at=$(($(wc -c <"$stream") / 2))
printf 'noise on the line' | dd of="$dir/damaged" bs=1 seek=$at conv=notrunc status=none
$perf0 decode "$dir/damaged" -o "$dir/damaged.data" >"$dir/decode" 2>&1
is "decode: damage is no success" "$([ $? != 0 ] && echo failed)" failed
is "decode: damage is told" "$(grep -c '^perf0: ' "$dir/decode")" 1
is "decode: the intact samples are there" \
	"$(perf script -i "$dir/damaged.data" -F ip 2>/dev/null | awk 'END { print (NR > 100) }')" 1
head -c 3000 "$stream" >"$dir/short"
$perf0 decode "$dir/short" -o "$dir/short.data" >"$dir/decode" 2>&1
is "decode: a truncated stream is no success" "$([ $? != 0 ] && echo failed)" failed
$perf0 decode /dev/null -o "$dir/null.data" >"$dir/decode" 2>&1
is "decode: an empty stream is told in one line" "$? $(wc -l <"$dir/decode")" "125 1"

finish
