# SPDX-License-Identifier: BSD-2-Clause
# step_trace: stock perf decodes from the trace exactly the instructions that ran, on machines with
# a PMU and without one.
. "$(dirname "$0")/../_lib.sh"

# decode FILE OUT: writes a line for each instruction that perf decodes to OUT, all other output to OUT.err.
decode() {
	perf script -i "$1" --itrace=i1ie -F event,ip,sym >"$2.all" 2>"$2.err"
	sed -nE 's/^ *instructions:u: +([0-9a-f]+ [a-z_]+)$/\1/p' "$2.all" >"$2"
	grep -vE '^ *instructions:u: +[0-9a-f]+ [a-z_]+$' "$2.all" >>"$2.err"
}

# `loop N` executes 2 N + 5 instructions, two of them N times; `hotcold N` executes 4004 N + 3.
for u in skx $(one_of zen4 none); do
	# shellcheck disable=SC2046
	boot "$dir/$u.log" $(machine_of $u) -o "$dir/$u.d" -- stat -e step_trace//u loop 1000 ';' \
		stat -e step_trace//u sleep 0.001 ';' record -e step_trace//u sleep 0.001 ';' \
		record -e step_trace//u hotcold 5
	is "$u: exit status" $status 0
	has "$u: the instructions of loop are counted" "$dir/$u.log" ' *2,005 *step_trace//u *'
	has "$u: and those of sleep" "$dir/$u.log" ' *20 *step_trace//u *'

	for what in 2:sleep:20 3:hotcold:20023; do
		$perf0 decode --command ${what%%:*} -o "$dir/$u.data" "$dir/$u.d/stream.perf0" 2>/dev/null
		what=${what#*:}
		decode "$dir/$u.data" "$dir/$u.ips"
		is "$u: ${what%:*}: no complaint of the decoder" "$(cat "$dir/$u.ips.err")" ""
		is "$u: ${what%:*}: all its instructions are decoded" "$(grep -c . "$dir/$u.ips")" "${what#*:}"
	done
	sort "$dir/$u.ips" | uniq -c | awk '{ print $1 }' | sort -n | uniq -c | tail -n 3 >"$dir/$u.times"
	is "$u: hotcold: each as often as it ran" "$(awk '{ print $1 "*" $2 }' "$dir/$u.times" | tr '\n' ' ')" \
		"$(awk '{ print $1 "*" $2 }' "$dir/skx.times" | tr '\n' ' ')"
done
is "the loop of hot: two instructions, 1498 times in each of 5" "$(tail -n 1 "$dir/skx.times" | awk '{ print $1 "*" $2 }')" \
	"2*$((1498 * 5))"

# A trace beside a counter, which counts every instruction of ring 3 once, too, and takes samples meanwhile.
boot "$dir/beside" --uarch icl -o "$dir/beside.d" -- \
	record -e step_trace//u,instructions:u -c 1009 hotcold 5
is "beside counters" $status 0
data=$dir/beside.d/perf.data
is "beside counters: both are there" "$(perf evlist -i "$data" 2>/dev/null | tr '\n' ' ')" \
	"step_trace//u instructions:u "
is "beside counters: samples" "$(perf script -i "$data" --itrace= -F ip 2>/dev/null | grep -c .)" \
	$((20023 / 1009))
perf report --stdio -i "$dir/skx.data" --itrace=i100i >"$dir/report" 2>&1
has "perf report --itrace: three quarters are hot" "$dir/report" ' *75\.[0-9]*% .* hot *'
perf script -i "$dir/skx.data" --itrace=b >"$dir/branches" 2>&1
has "perf script --itrace=b: calls" "$dir/branches" '.* branches:u: .*workload_hotcold.* => .* hot.*'

# A fault that ends a workload ends its trace, too, before the faulting instruction.
boot "$dir/all" --no-vpmu -o "$dir/all.d" -- record -e step_trace//u hotcold 20 ';' \
	record -m 16,1 -e step_trace//u hotcold 20 ';' \
	record -S -m 16,1 -e step_trace//u hotcold 20 ';' \
	record -S -m 16,1 -e step_trace/tsc=0,psb_period=1/u hotcold 20 ';' \
	record -m 16,1 --live -e step_trace//u hotcold 20 ';' \
	record -a -e step_trace//u hotcold 20 ';' \
	record -e step_trace//u crash 4
is "a fault" $status 136
n=0
for what in all first newest timeless live cpu fault; do
	$perf0 decode --command $n -o "$dir/$what.data" "$dir/all.d/stream.perf0" 2>/dev/null
	decode "$dir/$what.data" "$dir/$what.ips"
	n=$((n + 1))
done
is "a fault: up to the instruction" "$(perf script -i "$dir/fault.data" --itrace=i1i -F insn 2>/dev/null |
	tail -n 1 | sed 's/ *insn: //;s/ *$//')" "31 c9"

# An area of one page holds part of the trace: the first part, with a message about the rest, or, with -S, the newest.
is "all of it" "$(grep -c . "$dir/all.ips")" 80083
lines=$(grep -c . "$dir/first.ips")
is "a full area: some were traced" "$([ "$lines" -gt 20000 ] && [ "$lines" -lt 80083 ] && echo yes)" yes
is "a full area: the first ones" "$(head -n "$lines" "$dir/all.ips" | cmp - "$dir/first.ips" && echo same)" same
has "a full area: perf is told" "$dir/first.ips.err" '.*AUX data lost 1 times out of 2!'
has "a full area: truncated" "$dir/all" '.* 4,0[0-9][0-9] bytes of trace, 4,0[0-9][0-9] of them sent \]'
for what in newest timeless; do
	lines=$(grep -c . "$dir/$what.ips")
	is "$what: a part" "$([ "$lines" -gt 20000 ] && [ "$lines" -lt 80083 ] && echo yes)" yes
	is "$what: the last ones" "$(tail -n "$lines" "$dir/all.ips" | cmp - "$dir/$what.ips" && echo same)" same
	is "$what: no complaint of the decoder" "$(cat "$dir/$what.ips.err")" ""
done

# One page is enough for the whole trace if it is drained while the workload runs.
is "live: all of it" "$(cmp "$dir/all.ips" "$dir/live.ips" && echo same)" same
is "live: no complaint of the decoder" "$(cat "$dir/live.ips.err")" ""

# The trace of the CPU equals the trace of the task.
is "-a: all of it" "$(cmp "$dir/all.ips" "$dir/cpu.ips" && echo same)" same
is "-a: no complaint of the decoder" "$(cat "$dir/cpu.ips.err")" ""

# Options that have no effect on a trace are refused.
boot "$dir/bad" -k --no-vpmu -- record -S -e task-clock loop ';' record -m 4,0 -e step_trace//u loop ';' \
	record -e step_trace//k loop ';' record -e step_trace//u,step_trace/tsc=0/u loop ';' \
	record -e step_trace/noretcomp=0/u loop ';' list step
has "-S is for traces" "$dir/bad" 'record: --snapshot needs an event that traces .*'
has "-m: pages" "$dir/bad" "record: --mmap-pages: '0' is neither a number of pages, 1 to 16384, .*"
has "not ring 0" "$dir/bad" '.*step_trace follows ring 3 only'
has "one at a time" "$dir/bad" '.*another event of step_trace is open'
has "noretcomp" "$dir/bad" '.*without noretcomp none is made.*'
has "list" "$dir/bad" ' *step_trace// .*'

finish
