# SPDX-License-Identifier: BSD-2-Clause
# More events than counters: each event counts for the share of time that `plan` computes for the same number of slices,
# to within one slice. Scaled counts are close. Counts of events that do not take turns are exact.
. "$(dirname "$0")/../_lib.sh"

# table LOG N: prints the N-th table of the log as lines EVENT COUNT PERCENT, then, for `stat -v`, a line
# `slices NUMBER` with the number of slices that ended.
table() {
	awk -v n="$2" '
		/^ Performance counter stats/ { table++ }
		table != n { next }
		/^time slices that ended: / { print "slices", $NF }
		/^ +[0-9,.]+ +[a-z]/ && !/seconds/ {
			percent = 100
			if (match($0, /\([0-9.]+%\)/))
				percent = substr($0, RSTART + 1, RLENGTH - 3)
			gsub(",", "", $1)
			print $2 == "msec" ? $3 : $2, $1, percent
		}' "$1"
}

# compare LOG.N TICKS: prints how many events have plan's share, to within a slice and the last printed digit, and all
# other events.
compare() {
	awk -v one="$(awk -v n="$2" 'BEGIN { print 100 / n }')" '
		FILENAME ~ /plan$/ {
			if ($1 == "counted")
				planned[$2] = $3 == "" ? 100 : substr($3, 2) + 0
			next
		}
		{ measured[$1] = $3 }
		END {
			for (e in planned) {
				off = measured[e] - planned[e]
				if (!(e in measured) || off > one + 0.01 || -off > one + 0.01)
					printf "%s %s not %s +- %.2f; ", e, measured[e], planned[e], one
				else
					n++
			}
			print n + 0, "events"
		}' "$1.plan" "$1"
}

# as_planned WHAT LOG N UARCH ARGS...: compares the N-th table with plan's percentages for the number of slices of the
# run. That number includes the slice that the workload's end cut short.
as_planned() {
	what=$1 log=$2.$3 uarch=$4
	table "$2" "$3" >"$log"
	shift 4
	ticks=$(awk '$1 == "slices" { print $2 + 1 }' "$log")
	$perf0 plan --uarch "$uarch" --ticks "${ticks:-1}" "$@" >"$log.plan" 2>&1
	events=$(grep -c '^  *counted' "$log.plan")
	[ "$events" -gt 0 ] && [ "${ticks:-0}" -gt 2 ] || events=some
	is "$what: shares as planned for ${ticks:-no} slices" "$(compare "$log" "${ticks:-1}")" \
		"$events events"
}

# near WHAT LOG N EVENT COUNT PERCENT: checks that the N-th table has the event within PERCENT of COUNT.
near() {
	got=$(table "$2" "$3" | awk -v event="$4" -v want="$5" -v percent="$6" '
		$1 == event {
			off = $2 > want ? $2 - want : want - $2
			print off * 100 <= want * percent ? "yes" : $2
		}')
	is "$1: $4 is $5 within $6 %" "$got" yes
}

walks=r0108,r0208,r0149,r0249,r0185,r0285 # of both TLBs: any general counter
loads=r01d1,r02d1,r04d1,r08d1,r10d1       # MEM_LOAD_RETIRED: the low four
mixed="{r0108,r0208,task-clock},r0149,r0249,r0185"
# Off-core responses of one, two and three kinds. The PMU has two registers, so any two values count at a time.
one=cpu/event=0xb7,umask=1,offcore_rsp=0x1,name=one/u
two=cpu/event=0xb7,umask=1,offcore_rsp=0x3,name=two/u
three=cpu/event=0xbb,umask=1,offcore_rsp=0x7,name=three/u
flops=r0103,r0203,r0403,r0803 # of AMD, each on two counters side by side
icl_walks=r0208,r0e08,r0249,r0e49,r0285,r0e85
icl_eight=r00c0,r01c4,r02c4,r08c4,r10c4,r20c4,r11c4,r00c5
eight=r00c0,r00c1,r00c2,r00c3,r00c4,r00c8,r00d1,r0076 # of AMD: any counter

# `loop N` executes 2 * N + 5 instructions and N branches. With ratios, each kind of off-core response in a register's
# value is equally frequent.
for u in $(one_of hsw skx); do
	boot "$dir/$u" -k --uarch $u --events ratios -- \
		stat -v -e $walks loop 7000000 \; \
		stat -v -e $walks,instructions:u loop 7000000 \; \
		stat -v --policy fair -e $walks,instructions:u loop 7000000 \; \
		stat -v -e $walks,instructions:uD loop 7000000 \; \
		stat -v -e $mixed loop 7000000 \; \
		stat -v -e $loads loop 7000000 \; \
		stat -v -e $one,$two,$three loop 7000000 \; \
		stat -v --policy fair -e $one,$two,$three loop 7000000 \; \
		stat -e $one,$three,$one loop 7000000 \; \
		stat --policy best -e r0108 loop 10 \; \
		stat --mux-interval-us 99 -e r0108 loop 10 \; \
		stat --no-mux -e $walks loop 10
	is "$u: exit status" $status 2
	as_planned "$u, six walks" "$dir/$u" 1 $u -e $walks
	as_planned "$u, a fixed one behind them" "$dir/$u" 2 $u -e $walks,instructions:u
	near "$u, a fixed one behind them" "$dir/$u" 2 instructions:u 14000005 0.2
	as_planned "$u, policy fair" "$dir/$u" 3 $u --policy fair -e $walks,instructions:u
	has "$u, policy fair: exact" "$dir/$u" ' +14,000,005 +instructions:u +'
	has "$u, policy fair: unscaled" "$dir/$u" 'instructions:u: 14000005 ([0-9]+) \1'
	as_planned "$u, a pinned one" "$dir/$u" 4 $u -e $walks,instructions:uD
	has "$u, a pinned one: exact" "$dir/$u" ' +14,000,005 +instructions:uD +'
	as_planned "$u, a group of hardware and software" "$dir/$u" 5 $u -e $mixed
	as_planned "$u, five loads" "$dir/$u" 6 $u -e $loads
	as_planned "$u, three values on two registers" "$dir/$u" 7 $u -e $one,$two,$three
	as_planned "$u, the same by policy fair" "$dir/$u" 8 $u --policy fair -e $one,$two,$three
	near "$u, three values on two registers" "$dir/$u" 7 one:u 35000 2
	near "$u, three values on two registers" "$dir/$u" 7 two:u 70000 2
	near "$u, three values on two registers" "$dir/$u" 7 three:u 105000 2
	is "$u: two values at once, exactly" "$(table "$dir/$u" 9 | tr '\n' ' ')" \
		"one:u 35000 100 three:u 105000 100 one:u 35000 100 "
	has "$u: shares and error bars" "$dir/$u" ' +[0-9,]+ +r0285 .*\([0-9.]+%\) ±[0-9.]+%.*'
	has "$u: --no-mux says what is in the way" "$dir/$u" \
		'stat: --no-mux: not all .*: r0185 needs PMC0-3; held by r0108 on PMC0, .*'
	has "$u: no other policy" "$dir/$u" "stat: --policy: 'best' is not perf or fair"
	has "$u: no shorter slices" "$dir/$u" \
		"stat: --mux-interval-us: '99' is not a number from 100 to 1000000"
done

# A group of hardware and software events counts as a whole. It does not count at all while a pinned event has its
# counter.
both="{l1d_pend_miss.pending,faults}"
stalls=cycle_activity.stalls_l1d_pending
all=mem_uops_retired.all_loads
# Two events need counter 2. Software events take no turns, so each of the two has half of the time.
soft=task-clock,cs,"{faults,cpu-clock}"
both_one=l1d_pend_miss.pending,$stalls
# halves WHAT LOG N [NS]: checks that in the N-th table the two events took turns, with times at most one slice of 4 ms
# apart, and that software events counted all the time. Events of a CPU start and stop one by one: the second event may
# go on for NS at most after the first event stops.
halves() {
	got=$(awk -v n="$3" -v apart="${4:-0}" -v a="l1d_pend_miss.pending" -v b="$stalls" '
		/^ Performance counter stats/ { table++ }
		table != n || $1 !~ /:$/ || NF != 4 { next }
		$1 == a ":" { enabled = $3; one = $4; next }
		$1 == b ":" { other = $4; next }
		$3 == $4 { whole++ }
		END {
			off = one > other ? one - other : other - one
			print whole + 0, (enabled > 100000000), (one + other >= enabled && one + other - enabled <= apart), (off <= 4000000)
		}' "$2")
	is "$1: halves, beside four of software" "$got" "4 1 1 1"
}
boot "$dir/groups" --uarch hsw -- \
	stat -v -e $both,$stalls:D,$all dd count=100000 \; \
	stat -v -e $both,$stalls,$all dd count=100000 \; \
	stat -v -e $soft,$both_one loop 7000000 \; \
	stat -v -e $both_one,$soft loop 7000000 \; \
	stat -v --policy fair -e $soft,$both_one loop 7000000 \; \
	stat -v -C 0 -e $soft,$both_one loop 7000000 \; \
	stat -v -C 0 --policy fair -e $soft,$both_one loop 7000000
is "hsw, groups: exit status" $status 0
as_planned "hsw, a group in the way of a pinned one" "$dir/groups" 1 hsw -e $both,$stalls:D,$all
is "hsw, a group in the way of a pinned one: not counted" "$(sed -nE \
	's/^ +<not counted> +([^ ]+) .*/\1/p' "$dir/groups" | tr '\n' ' ')" "l1d_pend_miss.pending faults "
as_planned "hsw, a group in turns" "$dir/groups" 2 hsw -e $both,$stalls,$all
as_planned "hsw, software first" "$dir/groups" 3 hsw -e $soft,$both_one
as_planned "hsw, software last" "$dir/groups" 4 hsw -e $both_one,$soft
as_planned "hsw, software, policy fair" "$dir/groups" 5 hsw --policy fair -e $soft,$both_one
halves "hsw, software first" "$dir/groups" 3
halves "hsw, software last" "$dir/groups" 4
halves "hsw, software, policy fair" "$dir/groups" 5
halves "hsw, software of a CPU" "$dir/groups" 6 4000
halves "hsw, software of a CPU, policy fair" "$dir/groups" 7 6400 # the mixture is found anew in between

boot "$dir/icl" --uarch icl -- \
	stat -v -e $loads loop 7000000 \; \
	stat -v -e $icl_walks,$loads,instructions:uD loop 7000000 \; \
	stat -v --policy fair -e $icl_walks,$loads,instructions:u loop 7000000 \; \
	stat --no-mux -e $icl_eight,instructions:u loop 7000000
is "icl: exit status" $status 0
as_planned "icl, five loads" "$dir/icl" 1 icl -e $loads
as_planned "icl, loads and walks" "$dir/icl" 2 icl -e $icl_walks,$loads,instructions:uD
as_planned "icl, policy fair" "$dir/icl" 3 icl --policy fair -e $icl_walks,$loads,instructions:u
is "icl: exact each time" "$(grep -cE '^ +14,000,005 +instructions:uD? ' "$dir/icl")" 3
is "icl: eight at once, no shares" "$(table "$dir/icl" 4 | awk '$3 == 100' | wc -l)" 9

boot "$dir/zen4" --uarch zen4 -- \
	stat -v -e $eight loop 7000000 \; \
	stat -v --policy fair -e $eight loop 7000000 \; \
	stat -v -e $eight,instructions:uD loop 7000000 \; \
	stat -v -e $flops,r00c0 loop 7000000 \; \
	stat --policy fair -e r0103:u,r0203:u,r00c0:u,r00c2:u loop 7000000 \; \
	stat --mux-interval-us 1000000 -e $eight loop 7000000 \; \
	stat -e $eight sleep 1
is "zen4: exit status" $status 0
as_planned "zen4, eight on six" "$dir/zen4" 1 zen4 -e $eight
as_planned "zen4, policy fair" "$dir/zen4" 2 zen4 --policy fair -e $eight
as_planned "zen4, a pinned one" "$dir/zen4" 3 zen4 -e $eight,instructions:uD
has "zen4, a pinned one: exact" "$dir/zen4" ' +14,000,005 +instructions:uD +'
as_planned "zen4, four pairs and one more" "$dir/zen4" 4 zen4 -e $flops,r00c0
is "zen4: two pairs beside two others, exactly" "$(table "$dir/zen4" 5 | tr '\n' ' ')" \
	"r0103:u 0 100 r0203:u 0 100 r00c0:u 14000005 100 r00c2:u 7000002 100 "
is "zen4: one slice is not enough for all" "$(table "$dir/zen4" 6 | grep -c '^r')" 6
is "zen4: a task that sleeps has no turns" "$(table "$dir/zen4" 7 | grep -c '^r')" 6
is "zen4: not counted" "$(grep -c '<not counted>' "$dir/zen4")" 4
finish
