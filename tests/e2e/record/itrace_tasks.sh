# SPDX-License-Identifier: BSD-2-Clause
# step_trace with several tasks: stock perf assigns each instruction of a trace to the task that executed it, on one CPU
# and on four, with areas of CPUs and of tasks. Each task has as many instructions as its counter counted.
. "$(dirname "$0")/../_lib.sh"

# traced DATA: prints each pid/tid with the number of instructions that perf decodes for it, and perf's other lines.
traced() {
	perf script -i "$1" --itrace=i1ie -F pid,tid,event,ip 2>&1 |
		awk '$2 == "instructions:u:" && NF == 3 { n[$1]++; next } { print } END { for (t in n) print t, n[t] }' | sort
}

# counted DATA EVENT: prints the same from READ records, which tasks write when they end. The record of the first task
# includes the counts of all others.
counted() {
	perf script -D -i "$1" 2>/dev/null | awk -v event="$2" '
		/PERF_RECORD_READ:/ && $(NF - 1) == event { n[$(NF - 3) "/" $(NF - 2)] += $NF }
		END { for (t in n) if (t != "2/2") n["2/2"] -= n[t]; for (t in n) print t, n[t] }' | sort
}

# areas DATA: prints the task and the CPU of each AUX area.
areas() {
	perf script -D -i "$1" 2>/dev/null |
		sed -nE 's/.*PERF_RECORD_AUXTRACE .* tid: (-?[0-9]+) +cpu: (-?[0-9]+).*/\1 \2/p' | sort -u | tr '\n' ' '
}

take() { $perf0 decode --command "$1" -o "$dir/data" "$2/stream.perf0" 2>/dev/null; }

# One CPU and a PMU: the trace has as many instructions of each task as instructions:u counted for it.
e=step_trace//u,instructions:u
boot "$dir/one" -o "$dir/one.d" -- record -s -e $e -c 1000000 spawner 3 1000 ';' \
	record -s -e $e -c 1000000 spawner 3 1000 threads=1 ';' record -s -e $e -c 1000000 switches 20 3 ';' \
	record -s -S -e $e -c 1000000 switches 20 3 ';' record -a -e step_trace//u switches 20 3 ';' \
	record -C 0 --per-thread -e step_trace//u spawner 0 ';' record --per-thread -e step_trace//u spawner 2 1000
is "one CPU: exit status" $status 0
n=0
for what in processes threads switches snapshot; do
	take $n "$dir/one.d"
	n=$((n + 1))
	is "$what: each task has its own" "$(traced "$dir/data")" "$(counted "$dir/data" instructions:u)"
	is "$what: four tasks" "$(counted "$dir/data" instructions:u | grep -c .)" 4
	is "$what: step_trace counts the same" "$(counted "$dir/data" step_trace//u)" \
		"$(counted "$dir/data" instructions:u)"
	is "$what: an area of CPU 0" "$(areas "$dir/data")" "-1 0 "
	[ $what = switches ] && cp "$dir/data" "$dir/switches.data"
done
take 4 "$dir/one.d"
is "-a: the same as each task by itself" "$(traced "$dir/data")" "$(traced "$dir/switches.data")"
is "-a: an area of CPU 0" "$(areas "$dir/data")" "-1 0 "
take 5 "$dir/one.d"
is "-C and --per-thread: an area of CPU 0" "$(areas "$dir/data")" "-1 0 "
take 6 "$dir/one.d"
is "--per-thread: the task alone" "$(traced "$dir/data" | cut -d ' ' -f 1)" 2/2
is "--per-thread: an area of the task" "$(areas "$dir/data")" "2 -1 "

# Four CPUs, each with an area: threads, processes, and tasks that move between CPUs.
e=step_trace//u
boot "$dir/four" --smp 4 --no-vpmu -o "$dir/four.d" -- record -s -e $e spawner 6 1000 ';' \
	record -s -e $e spawner 6 1000 threads=1 ';' record -s -e $e switches 20 6 10 1 ';' \
	record -s -e $e migrate 10 3 100 ';' record -a -e $e migrate 10 3 100 ';' \
	record -C 0,2 -e $e migrate 10 1 100
is "four CPUs: exit status" $status 0
n=0
for what in processes threads switches migrate; do
	take $n "$dir/four.d"
	n=$((n + 1))
	is "four CPUs: $what: each task has its own" "$(traced "$dir/data")" "$(counted "$dir/data" $e)"
	is "four CPUs: $what: areas of CPUs" "$(areas "$dir/data" | grep -cxE '(-1 [0-3] )+')" 1
done
is "four CPUs: migrate: on all of them" "$(areas "$dir/data")" "-1 0 -1 1 -1 2 -1 3 "
traced "$dir/data" >"$dir/migrate"
take 4 "$dir/four.d"
is "four CPUs: -a: the same as each task by itself" "$(traced "$dir/data")" "$(cat "$dir/migrate")"
take 5 "$dir/four.d"
is "four CPUs: -C 0,2: two areas" "$(areas "$dir/data")" "-1 0 -1 2 "

finish
