# SPDX-License-Identifier: BSD-2-Clause
# Tracepoints: each hit is counted, by its weight, and stock perf prints its fields.
. "$(dirname "$0")/../_lib.sh"

# `sleep` calls nanosleep and exit_group. Only nanosleep returns.
for how in $(one_of skx zen4 none); do
	# shellcheck disable=SC2046
	boot "$dir/log" -k $(machine_of $how) -- \
		stat -e 'raw_syscalls:*,sched:sched_switch,sched:sched_wakeup,context-switches' sleep 0.001 \; \
		stat -e raw_syscalls:sys_enter --filter 'id == 0' -e raw_syscalls:sys_enter \
		--filter 'args == 0 || id > 3' -e 'sched:sched_s*' --filter 'common_pid != 2' sleep 0.001
	is "$how: a bad filter" $status 2
	has "$how: sys_enter" "$dir/log" ' +2 +raw_syscalls:sys_enter *'
	has "$how: sys_exit" "$dir/log" ' +1 +raw_syscalls:sys_exit *'
	has "$how: it gives up the CPU" "$dir/log" ' +1 +sched:sched_switch *'
	has "$how: as the software event has it" "$dir/log" ' +1 +context-switches *'
	has "$how: its own wake-up, while it sleeps" "$dir/log" ' +1 +sched:sched_wakeup *'
	has "$how: where it is bad" "$dir/log" \
		"stat: --filter args == 0 \|\| id > 3: column 1: 'args' is an array of numbers"
done

# Only hits that pass the filter count. The count of a tracepoint with a weight is the sum of the weights.
boot "$dir/filters" -k -- list sched: \; list -- \; \
	stat -e raw_syscalls:sys_enter --filter 'id == 231' -e raw_syscalls:sys_exit \
	--filter '!(id == 35 && ret == 0)' -e sched:sched_wakeup --filter 'comm ~ sl[a-f]*p' \
	-e sched:sched_stat_sleep sleep 0.01 \; \
	stat -e nosuch:event loop 1 \; stat -e 'nosuch:*' loop 1 \; \
	stat -e cycles --filter 'id == 0' loop 1 \; stat --filter 'id == 0' loop 1 \; \
	stat -e sched:sched_switch --filter 'prev_prio < 1' --filter 'prev_prio > 1' loop 1 \; \
	stat -e '{sched:*}' loop 1 \; record -e sched:sched_switch -e cycles --filter x loop 1
has "list: as perf's" "$dir/filters" '  sched:sched_switch  *\[Tracepoint event\]'
has "list: the runtime's own" "$dir/filters" '  nmi:nmi_handler  *\[Tracepoint event\]'
has "filter: one of two" "$dir/filters" ' +1 +raw_syscalls:sys_enter *'
has "filter: none" "$dir/filters" ' +0 +raw_syscalls:sys_exit *'
has "filter: by a pattern" "$dir/filters" ' +1 +sched:sched_wakeup *'
is "weight: the ns that it slept" "$(awk '{ gsub(",", "") } $2 == "sched:sched_stat_sleep" {
	print ($1 > 9800000 && $1 < 10100000) }' "$dir/filters")" 1
has "no such tracepoint" "$dir/filters" "stat: -e nosuch:event: column 1: there is no event or tracepoint 'nosuch:event'"
has "none that matches" "$dir/filters" "stat: -e nosuch:\*: column 1: no tracepoint matches 'nosuch:\*'"
has "filters are for tracepoints" "$dir/filters" 'stat: --filter id == 0: cycles is no tracepoint'
has "and behind them" "$dir/filters" 'stat: --filter id == 0: no event is before it'
has "one for each" "$dir/filters" 'stat: --filter prev_prio > 1: sched:sched_switch has a filter already; && joins both'
has "groups have no patterns" "$dir/filters" 'stat: -e \{sched:\*\}: column 2: the tracepoints of a group are named one by one'

boot "$dir/record" -o "$dir/out" -- \
	record -e 'raw_syscalls:*,sched:*,timer:hrtimer_start' -e instructions:u -c 2 sleep 0.002 \; \
	record -e 'raw_syscalls:*,sched:*,timer:*,irq:*,nmi:*' -e instructions/period=100/u sleep 0.002
data=$dir/out/perf.data
perf script -i "$data" >"$dir/script" 2>"$dir/script.err"
is "perf script has no complaint" "$(grep -v '^$' "$dir/script.err")" ""
has "sys_enter" "$dir/script" ' +sleep +2 \[000\] +[0-9.]+: +raw_syscalls:sys_enter: NR 35 \([0-9a-f]+, 0, 0, 0, 0, 0\)'
has "sys_exit" "$dir/script" ' +sleep +2 \[000\] .*raw_syscalls:sys_exit: NR 35 = 0'
has "sched_switch" "$dir/script" ' +sleep +2 .*sched:sched_switch: prev_comm=sleep prev_pid=2 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120'
has "sched_wakeup, by the idle task" "$dir/script" ' +swapper +0 .*sched:sched_wakeup: comm=sleep pid=2 prio=120 target_cpu=000'
is "all samples" "$(grep -c . "$dir/script")" \
	"$(sed -n 's/.* \([0-9]*\) samples of.*/\1/p' "$dir/record" | tail -n 1)"

# The command `trace`, and a tracepoint of ring 3: it costs a compare and a branch while no event is open on it.
boot "$dir/trace" -k -- trace sleep 0.001 \; \
	trace -e workload:mark --filter 'left < 2 || phase == f' -e 'perf0:pmu_sched_out' mark 50 \; \
	stat -e workload:mark:u,workload:mark:k,instructions:u mark 1000 \; stat -e instructions:u mark 0 \; \
	stat -e instructions:u mark 1000 \; trace -e cycles loop 1 \; trace -e workload:mark loop 1
has "trace: a line for each hit" "$dir/trace" ' +sleep +2 \[000\] +[0-9]+\.[0-9]{6}: raw_syscalls:sys_exit: NR 35 = 0'
has "trace: ring 3's, by its own format" "$dir/trace" ' +mark +2 \[000\] .*: workload:mark: turn=0 left=49 phase=f'
is "trace: filtered" "$(grep -c ' workload:mark: ' "$dir/trace")" 3
has "trace: the event core's" "$dir/trace" '.* perf0:pmu_sched_out: pid=2 tid=2 counters=0x0'
has "trace: of each kind" "$dir/trace" '\[ trace: 4 hits, 0 lost, 0 refused inside of another \]'
has "trace: none" "$dir/trace" '\[ trace: 0 hits, 0 lost, 0 refused inside of another \]'
has "trace: only tracepoints" "$dir/trace" 'trace: cycles is no tracepoint; .*'
has "ring 3 hits it" "$dir/trace" ' +1,000 +workload:mark:u *'
has "not ring 0" "$dir/trace" ' +0 +workload:mark:k *'
is "a turn while no event is open: compare, branch, add, compare, branch" "$(awk '
	{ gsub(",", "") } $2 == "instructions:u" { n[++i] = $1 }
	END { print (n[3] - n[2] > 5000 - 1 && n[3] - n[2] < 5000 + 30 && n[1] > n[3]) }' "$dir/trace")" 1

# Tracepoints of interrupts, NMIs and lost records are hit in their contexts.
boot "$dir/contexts" -o "$dir/contexts.d" -- \
	record -m 1 -e instructions/period=2003/u -e nmi:nmi_handler -e perf0:rb_lost/period=1000000/ \
	-e irq:irq_handler_entry,timer:hrtimer_expire_entry hotcold 50
is "contexts: exit status" $status 0
perf script -i "$dir/contexts.d/perf.data" >"$dir/contexts.script" 2>&1
has "NMIs" "$dir/contexts.script" '.* nmi:nmi_handler: handler=0x[0-9a-f]+ delta_ns: [1-9][0-9]* handled: 1'
has "books are balanced, tracepoints in NMIs included" "$dir/contexts" \
	'\[ perf0 record: [0-9]+ samples of [0-9]+ overflows, [1-9][0-9]* lost, 0 refused; .*'

# -a includes switches of the idle task. perf sched computes delays from them.
boot "$dir/all" -o "$dir/all.d" -- trace -a -e 'sched:sched_switch' sleep 0.001 \; \
	record -a -e 'sched:*' sleep 0.002
has "-a: the switch at the end" "$dir/all" '.*sched:sched_switch: prev_comm=sleep prev_pid=2 prev_prio=120 prev_state=X ==> next_comm=swapper/0 next_pid=0 next_prio=120'
has "-a: all four" "$dir/all" '\[ trace: 4 hits, 0 lost, 0 refused inside of another \]'
perf sched -i "$dir/all.d/perf.data" latency >"$dir/latency" 2>&1
has "perf sched latency" "$dir/latency" ' +sleep:2 +\| +0\.[0-9]+ ms \| +2 \| .*'
perf sched -i "$dir/all.d/perf.data" timehist >"$dir/timehist" 2>&1
has "perf sched timehist: it slept" "$dir/timehist" ' +[0-9.]+ \[0000\] +sleep\[2\] +2\.0[0-9]+ .*'

# The chain of callers: from the tracepoint through ring 0 into the workload.
boot "$dir/chains" -o "$dir/chains.d" -- record -g -e sched:sched_switch sleep 0.001
is "callers" "$(perf script -i "$dir/chains.d/perf.data" -F ip,sym 2>/dev/null |
	awk '$2 ~ /^(sched_loop|task_run|workload_sleep)$/ { printf "%s ", $2 }')" "sched_loop task_run workload_sleep "

# Each hit records its context. Counts of interrupts, NMIs and faults are exact under icount.
boot "$dir/flags" -- stat -e nmi:nmi_handler --filter 'common_flags & 0x40 && handled == 1' \
	-e nmi:nmi_handler --filter '!(common_flags & 0x40)' -e instructions/period=1000/u loop 100000 \; \
	stat --timeout 5 -e irq:irq_handler_entry --filter 'common_flags & 8 && name == hrtimer' \
	-e irq:irq_handler_exit --filter '!(common_flags & 8)' spin \; \
	stat -e exceptions:page_fault_user --filter 'address == 0 && error_code & 4' crash 0 \; \
	stat -e sched:sched_switch:u,sched:sched_switch:k sleep 0.001
has "each NMI, in its context" "$dir/flags" ' +200 +nmi:nmi_handler *'
has "none elsewhere" "$dir/flags" ' +0 +nmi:nmi_handler *'
has "the interrupt of the time-out" "$dir/flags" ' +1 +irq:irq_handler_entry *'
has "a fault" "$dir/flags" ' +1 +exceptions:page_fault_user *'
has "of ring 0: not with :u" "$dir/flags" ' +0 +sched:sched_switch:u *'
has "but with :k" "$dir/flags" ' +1 +sched:sched_switch:k *'

# Each tracepoint in the code is one compare with memory and one branch.
table=$(nm build/perf0.elf | awk '$3 ~ /^__trace_sites_(start|end)$/ { print $1 }' | sort)
start=$((0x$(echo "$table" | head -n 1)))
size=$((0x$(echo "$table" | tail -n 1) - start))
od -An -v -w4 -td4 -j $start -N $size build/perf0.elf |
	awk -v at=$start '{ printf "%x\n", at + $1; at += 4 }' >"$dir/sites"
objdump -d --no-show-raw-insn build/perf0.elf >"$dir/code"
awk 'FILENAME ~ /sites$/ { site[$1]; next }
	{ at = $1; sub(":", "", at) }
	after { print first, $2; after = 0 }
	at in site { first = $2 " " substr($3, 1, 5); after = 1 }' "$dir/sites" "$dir/code" |
	sort | uniq -c >"$dir/pairs"
is "all places are the same two instructions" "$(awk '{ print $2, $3, $4 }' "$dir/pairs")" 'cmpl $0x0, jne'
is "and all were looked at" "$(awk '{ print $1 }' "$dir/pairs")" "$((size / 4))"
finish
