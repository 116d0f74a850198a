# SPDX-License-Identifier: BSD-2-Clause
# perf's modes on 1, 2 and 4 CPUs: the rings of samples while task 2 moves from CPU to CPU and two other tasks stay
# (workload journey). With several CPUs overflows may be late, because the host's timers announce them. The CPU of
# each sample is exact, and so are sums.
. "$(dirname "$0")/../_lib.sh"

# save DIR: saves the recordings of the last boot, one perf.data for each command.
save() {
	n=$(grep -c . "$1/commands")
	for c in $(seq 0 $((n - 1))); do
		$perf0 decode --command "$c" "$1/stream.perf0" -o "$1/$c.data" >/dev/null 2>&1
	done
}

# places DIR N: prints task@CPU for the samples of command N, each pair once.
places() {
	perf script -i "$1/$2.data" -F tid,cpu 2>/dev/null | tr -d '[]' |
		awk '{ print $1 "@" $2 + 0 }' | sort -u | tr '\n' ' '
}

# only WHAT GOT ALLOWED: checks that each word of GOT is one of ALLOWED.
only() {
	for p in $2; do
		case " $3 " in *" $p "*) ;; *) not_ok "$1" "$p is in: $2" "wanted only: $3"; return ;; esac
	done
	ok "$1"
}

# all WHAT GOT WANTED: checks that GOT has each word of WANTED.
all() {
	for p in $3; do
		case " $2 " in *" $p "*) ;; *) not_ok "$1" "no $p in: $2"; return ;; esac
	done
	ok "$1"
}

# rings DIR N: prints the number of rings of the first event of command N.
rings() {
	perf report --header-only -i "$1/$2.data" 2>/dev/null | grep -m 1 '^# event' |
		sed 's/.* id = { \([^}]*\) }.*/\1/' | tr ',' '\n' | grep -c '[0-9]'
}

sample="-e instructions:u -c 200000"
mkdir -p "$dir/4"
cat >"$dir/4/commands" <<EOF
record -v -i $sample journey 3000000
record -v $sample journey 3000000
record -v --per-thread --sample-cpu $sample journey 3000000
record -v -C 0,2 $sample journey 3000000
record -v -a $sample journey 3000000
record -v --per-thread -C 0,2 $sample journey 3000000
record -v -a --live $sample journey 3000000
record -v -a --overwrite -m 1 $sample journey 6000000
record -e step_trace//u journey 500
EOF
# shellcheck disable=SC2046
boot "$dir/4/log" --smp 4 --uarch skx -o "$dir/4" -- $(sed 's/$/ ;/' "$dir/4/commands") cpus
is "4 CPUs: complete, each sample in the ring of the CPU it was taken on" $status 0
save "$dir/4"

got=$(places "$dir/4" 0)
is "default mode, figure 3: task 2 alone, in each CPU's ring" "$got" "2@0 2@1 2@2 2@3 "
is "default mode: a ring for each CPU" "$(rings "$dir/4" 0)" 4
is "default mode: rings told by -v" \
	"$(sed -n '1,/NMIs served/s/.* CPU \([0-9]\): [0-9]* samples sent, 0 records lost .*/\1/p' \
		"$dir/4/log" | tr -d '\n')" 0123
got=$(places "$dir/4" 1)
all "default mode, inherited: the tasks that it starts, too" "$got" "2@0 2@1 2@2 2@3 3@0 4@2"
only "default mode, inherited: each where it was" "$got" "2@0 2@1 2@2 2@3 3@0 4@2 4@0"
got=$(places "$dir/4" 2)
is "--per-thread, figure 4: task 2 alone, on all CPUs" "$got" "2@0 2@1 2@2 2@3 "
is "--per-thread: one ring" "$(rings "$dir/4" 2)" 1
got=$(places "$dir/4" 3)
all "-C 0,2, figure 5: all tasks of these CPUs" "$got" "2@0 3@0 2@2 4@2"
only "-C 0,2: of no other" "$got" "2@0 3@0 2@2 4@2 4@0"
is "-C 0,2: two rings" "$(rings "$dir/4" 3)" 2
got=$(places "$dir/4" 4)
all "-a, figure 6: all tasks, everywhere" "$got" "2@0 2@1 2@2 2@3 3@0 4@2"
only "-a: each where it was" "$got" "2@0 2@1 2@2 2@3 3@0 4@2 4@0"
is "-a: a ring for each CPU" "$(rings "$dir/4" 4)" 4
is "--per-thread -C 0,2: task 2 while it is there" "$(places "$dir/4" 5)" "2@0 2@2 "
all "-a --live: the same as -a" "$(places "$dir/4" 6)" "2@0 2@1 2@2 2@3 3@0 4@2"
only "-a --live: no more than -a" "$(places "$dir/4" 6)" "2@0 2@1 2@2 2@3 3@0 4@2 4@0"
for cpu in 0 1 2 3; do
	n=$(perf script -i "$dir/4/7.data" -C $cpu -F ip 2>/dev/null | grep -c .)
	is "-a --overwrite: CPU $cpu's ring has some, and no more than it holds" \
		$((n > 0 && n <= 4096 / 56)) 1
done

# Each of four areas has its part of the trace. The host tool checks that no area has a gap.
has "a trace of each CPU that the task was on" "$dir/4/log" \
	'\[ perf0 record: [0-9,]+ bytes of trace, [0-9,]+ of them sent \]'
is "traces in perf.data: one for each CPU" \
	"$(perf report -D -i "$dir/4/8.data" 2>/dev/null | grep -c 'PERF_RECORD_AUXTRACE size')" 4

# An event's count on a CPU is the sum of its samples' periods there, plus less than one period.
$perf0 decode --command 4 --csv "$dir/4/stream.perf0" >"$dir/4/counts" 2>/dev/null
perf script -i "$dir/4/4.data" -F cpu,period 2>/dev/null | tr -d '[]' |
	awk '{ sum[$1 + 0] += $2 } END { for (c in sum) print c, sum[c] }' >"$dir/4/periods"
is "-a: each CPU's count is its samples' periods, and less than one more" \
	"$(awk -F '[, ]' 'FNR == NR { sum[$1] = $2; next }
		{ c = substr($1, 4); rest = $2 - sum[c]; n += rest >= 0 && rest < 200000 }
		END { print n }' "$dir/4/periods" "$dir/4/counts")" 4
perf report -i "$dir/4/4.data" --sort cpu --stdio >"$dir/4/report" 2>/dev/null
for cpu in 000 001 002 003; do
	has "perf report --sort cpu: $cpu" "$dir/4/report" " +[0-9.]+% +$cpu *"
done
perf script -i "$dir/4/4.data" -F time 2>/dev/null | sort -c && sorted=1 || sorted=0
is "records of all rings are in the order of time" $sorted 1
perf report --header-only -I -i "$dir/4/4.data" >"$dir/4/header" 2>/dev/null
has "perf.data: the number of CPUs" "$dir/4/header" '# nrcpus online : 4'
has "perf.data: threads of a core" "$dir/4/header" '# sibling threads : 0-1'
has "perf.data: one package" "$dir/4/header" '# sibling (sockets|cores) +: 0-3'

boot "$dir/stat" -k --smp 4 --uarch skx -- \
	stat -a -A -e instructions:u,cpu-clock journey 100000 ';' \
	stat -a --per-core -e instructions:u journey 100000 ';' \
	stat -a --per-socket -x, -e instructions:u journey 100000 ';' \
	stat -C 1,3 -A -j -e instructions:u journey 100000 ';' \
	stat -a -e cpu-clock sleep 0.2 ';' \
	stat -a -x: -e cpu-migrations migrate 200 1 100 ';' stat -x: -e cpu-migrations migrate 100 1 100 ';' \
	stat -A loop 10 ';' stat -a -A --per-core loop 10 ';' record -C 4 loop 10
is "stat: exit status" $status 2
for cpu in 0 1 2 3; do
	has "-A: CPU$cpu" "$dir/stat" "CPU$cpu  +[0-9,]+      instructions:u +#.*"
done
has "--per-core" "$dir/stat" 'S0-D0-C0 +2 +[0-9,]+      instructions:u +.*'
has "--per-core: the other" "$dir/stat" 'S0-D0-C1 +2 +[0-9,]+      instructions:u +.*'
has "--per-socket, for programs" "$dir/stat" 'S0,4,[0-9]+,,instructions:u,[0-9]+,100.00,,'
has "-C -A, for programs: CPU 1" "$dir/stat" '\{"cpu" : "1", "counter-value" : "[0-9]+\.0.*'
has "-C -A, for programs: CPU 3" "$dir/stat" '\{"cpu" : "3", "counter-value" : "[0-9]+\.0.*'
is "-C: no other CPU" "$(grep -c '"cpu" : "[02]"' "$dir/stat")" 0
has "-a: their clocks add up" "$dir/stat" ' +[0-9.]+ msec cpu-clock +# +[1234]\.[0-9]* CPUs utilized +\[host\]'
# Each migration counts once. An idle CPU may take over a task before the task begins to move itself.
is "cpu-migrations, of CPUs and of tasks" \
	"$(sed -n 's/^\([0-9]*\)::cpu-migrations:.*/\1/p' "$dir/stat" |
		awk '{ print ($1 >= 300 - 100 * NR && $1 <= 303 - 100 * NR) }' | tr '\n' ' ')" "1 1 "
while read -r line; do has "refused: $line" "$dir/stat" "$line"; done <<'EOF'
stat: --no-aggr needs --all-cpus or --cpu: it is for events of CPUs
stat: --no-aggr and --per-core exclude each other: each says what a line is of
record: '4': there is no CPU 4
EOF

# Two CPUs without a PMU have software events only.
mkdir -p "$dir/2"
cat >"$dir/2/commands" <<EOF
record -i -e cpu-clock -c 100000 journey 20000000
record --per-thread --sample-cpu -e cpu-clock -c 100000 journey 20000000
record -C 1 -e cpu-clock -c 100000 journey 20000000
EOF
# shellcheck disable=SC2046
boot "$dir/2/log" --smp 2 --no-vpmu -o "$dir/2" -- $(sed 's/$/ ;/' "$dir/2/commands") \
	trace -a -e sched:sched_switch,sched:sched_migrate_task journey 100000
is "2 CPUs: exit status" $status 0
save "$dir/2"
is "2 CPUs: default" "$(places "$dir/2" 0)" "2@0 2@1 "
is "2 CPUs: --per-thread" "$(places "$dir/2" 1)" "2@0 2@1 "
all "2 CPUs: -C 1" "$(places "$dir/2" 2)" "2@1"
is "2 CPUs: -C 1 has nothing of CPU 0" "$(places "$dir/2" 2 | tr ' ' '\n' | grep -c '@0')" 0
grep ': sched:sched_' "$dir/2/log" >"$dir/2/trace"
for cpu in 000 001; do
	has "trace -a: hits on CPU $cpu" "$dir/2/trace" " +[^ ]+ +[0-9]+ \[$cpu\] .* sched:.*"
done
is "trace -a: in the order of time" \
	"$(sed 's/.*\] *\([0-9.]*\): .*/\1/' "$dir/2/trace" | sort -n -c 2>&1)" ""

# On one CPU every number is exact, and the same in each mode.
boot "$dir/1" --uarch skx -- \
	stat -x, -e instructions:u journey 1000 ';' stat -x, -a -e instructions:u journey 1000 ';' \
	stat -x, -a -A -e instructions:u journey 1000 ';' \
	stat -x, --per-thread -e instructions:u journey 1000 ';' \
	stat -x, -i -e instructions:u journey 1000 ';' \
	stat -x, --per-thread -C 0 -e instructions:u journey 1000
is "1 CPU: exit status" $status 0
counts=$(sed -n 's/^\(CPU0,\)\{0,1\}\([0-9]*\),,instructions:u,.*/\2/p' "$dir/1" | tr '\n' ' ')
# shellcheck disable=SC2086
set -- $counts
is "1 CPU: six counts" $# 6
is "1 CPU: inherited, all of it is what the CPU executed" "${1:-0} ${3:-1}" "${2:-2} ${2:-3}"
is "1 CPU: task 2 alone, however that is said" "${4:-0} ${5:-1}" "${6:-2} ${6:-3}"
is "1 CPU: the others went round the loop once" $((${1:-0} - ${4:-0} > 2 * 1000)) 1
finish
