# SPDX-License-Identifier: BSD-2-Clause
# Rates of samples: frequencies, throttling, full rings and storms. Samples and losses add up to the overflows exactly.
# Each PMU takes one boot; each recording is a command of its stream.
. "$(dirname "$0")/../_lib.sh"

# recorded N: decodes the recording of command N into $data, and its count into $count.
recorded() {
	data=$dir/$u.$1.data
	$perf0 decode --command "$1" "$dir/$u.d/stream.perf0" -o "$data" >"$dir/$u.$1" 2>&1 ||
		not_ok "$u: decode $1" "$(cat "$dir/$u.$1")"
	count=$($perf0 decode --command "$1" --csv "$dir/$u.d/stream.perf0" 2>/dev/null |
		sed -n 's/^\([0-9]*\),.*/\1/p')
	perf script -i "$data" -F period >"$dir/$u.$1.samples" 2>/dev/null
	perf script -i "$data" -F time >"$dir/$u.$1.times" 2>/dev/null
	perf script -D -i "$data" >"$dir/$u.$1.dump" 2>/dev/null
}

# periods_add_up N MOST: prints "yes" if the PERIODs of all samples add up to the count, less at most MOST for the last,
# incomplete period.
periods_add_up() {
	awk -v count="$count" -v most="$2" '
		{ sum += $1 }
		END { rest = count - sum; print (NR && rest >= 0 && rest <= most) ? "yes" : count " - " sum }
	' "$dir/$u.$1.samples"
}

records() { grep -c "PERF_RECORD_$2\$\|PERF_RECORD_$2[ :(]" "$dir/$u.$1.dump"; }

for u in $(personalities hsw skx icl zen4); do
	boot "$dir/$u" --uarch $u -o "$dir/$u.d" -- \
		record -v -F 500 -e instructions:u -- loop 10000000 ';' \
		record -v -m 1 -c 500 -e instructions:u -- loop 100000 ';' \
		record -v -c 100 -e instructions -- loop 5000 ';' \
		record -c 1 -e instructions -- loop 1000 ';' \
		sysctl kernel.perf_event_max_sample_rate=1000 ';' \
		record -v -c 1000 -e instructions:u -- loop 500000 ';' \
		sysctl kernel.perf_event_max_sample_rate=100000 ';' \
		record --limit 7 -c 1000 -e instructions:u -- loop 10000 ';' \
		stat -v -e instructions:u -- loop 1000
	is "$u: a storm ends, and is a failure" $status 1
	has "$u: a storm is told" "$dir/$u" '.*stopped: serving an overflow takes more than a period of '"$([ $u = hsw ] && echo 32 || echo 1)"';.*'
	is "$u: no NMI is spurious" "$(grep -c 'NMIs served, [0-9]* late, 0 spurious' "$dir/$u")" 5

	recorded 0
	is "$u: -F: the count is exact" "$count" 20000005
	is "$u: -F 500 gives 500 a second once it has settled, 5 % more or less" "$(awk '
		{ at[NR] = $1 + 0; sub(":", "", at[NR]) }
		END {
			middle = (at[1] + at[NR]) / 2
			for (i = 1; i <= NR; i++) if (at[i] > middle) n++
			rate = n / (at[NR] - middle)
			print (rate > 475 && rate < 525) ? "yes" : rate
		}' "$dir/$u.0.times")" yes
	is "$u: -F: the periods add up" "$(periods_add_up 0 200000)" yes

	recorded 1
	set -- $(sed -n 's/.* \([0-9]*\) samples of \([0-9]*\) overflows, \([1-9][0-9]*\) lost.*/\1 \2 \3/p' "$dir/$u")
	is "$u: a full ring: an overflow for each period" "${2:-}" 400
	is "$u: a full ring: written + lost = overflows" "$((${1:-0} + ${3:-0}))" "${2:-}"
	is "$u: a full ring: written are in the file" "$(grep -c . "$dir/$u.1.samples")" "${1:-}"
	is "$u: a full ring: LOST_SAMPLES tells the rest" \
		"$(perf report --stdio -i "$data" 2>/dev/null | sed -n 's/^# Total Lost Samples: //p')" "${3:-}"

	recorded 2
	is "$u: nested NMIs: the periods add up" "$(periods_add_up 2 200)" yes
	is "$u: nested NMIs: nothing is lost" \
		"$(perf report --stdio -i "$data" 2>/dev/null | sed -n 's/^# Total Lost Samples: //p')" 0

	recorded 5
	held=$(sed -n 's/.*held \([0-9]*\) times, .*/\1/p' "$dir/$u")
	is "$u: throttling: it was" "$([ "${held:-0}" -gt 2 ] && echo yes)" yes
	is "$u: throttling: the count is exact" "$count" 1000005
	is "$u: throttling: a THROTTLE for each" "$(records 5 THROTTLE)" "$held"
	is "$u: throttling: an UNTHROTTLE for each, but for the end" \
		"$(($(records 5 THROTTLE) - $(records 5 UNTHROTTLE) <= 1))" 1
	is "$u: throttling: at most 4 samples in 4 ms, 8 after a rest" \
		"$(awk -v held="$held" 'END { print (NR <= 4 * held + 8) ? "yes" : NR }' "$dir/$u.5.samples")" yes

	recorded 7
	is "$u: --limit: so many samples, and no more is counted" \
		"$(sort "$dir/$u.7.samples" | uniq -c | xargs) $count" "7 1000 7000"
	has "$u: stat tells of interrupts, too" "$dir/$u" \
		'\[ perf0 stat: 0 NMIs served, .*; 0 hits inside of another refused \]'
done

# Software events sample where they happen.
u=soft
boot "$dir/$u" -o "$dir/$u.d" -- record -e context-switches -c 1 -- sleep 0.01 ';' \
	record -e page-faults -c 1 -- crash 0
recorded 0
is "context switches sample" "$count $(grep -c . "$dir/$u.0.samples")" "1 1"
recorded 1
is "page faults sample in the code that faults" \
	"$(perf script -i "$data" -F ip,sym 2>/dev/null | awk '{ print $2 }')" workload_crash

# The workload goes on beside a clock event whose interrupt takes longer than its period.
$perf0 record --machine-timeout $patience --uarch skx -o "$dir/clock.data" -e instructions:u,cpu-clock/period=10000/ -- loop 20000 >"$dir/clock" 2>&1
is "a clock period that is too short does not stop the workload" \
	"$? $(grep -c "shorter than its interrupt takes here" "$dir/clock")" "0 1"

boot "$dir/usage" -k -- record -c 1 -F 2 -- loop 1
is "-c with -F is refused" "$status $(grep -c 'record: --count and --freq exclude each other' "$dir/usage")" "2 1"
# The cost of a sample is measured in ring 0; those of ring 3 are cheaper, and show it.
boot "$dir/often" --timeout 120 --uarch skx -- record -F 4000 -e instructions:u -- loop 8000000
is "4000 samples a second have room" "$status $(grep -c 'samples a second instead' "$dir/often")" "0 0"
boot "$dir/most" -- record -F 100001 -e instructions:u -- loop 1
is "-F above the largest rate is refused" \
	"$status $(grep -c 'above kernel.perf_event_max_sample_rate, which is 100000' "$dir/most")" "1 1"

finish
