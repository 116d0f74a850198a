# SPDX-License-Identifier: BSD-2-Clause
# Tasks on one CPU: the sum of their instructions in ring 3 is exact, in any order of execution. Faults, switches,
# starts and ends are counted and recorded one by one.
. "$(dirname "$0")/../_lib.sh"

# value FILE N EVENT: prints the N-th count of EVENT.
value() { awk -v n="$2" -v e="$3" '$2 == e && ++k == n { gsub(",", "", $1); print $1 }' "$1"; }

u=instructions:u
boot "$dir/sums" -- stat -e $u spawner 2 1000 \; stat -e $u spawner 1 1000 \; \
	stat -e $u spawner 4 1000 \; stat -e $u spawner 4 2000 \; \
	stat -e $u spawner 4 1000 threads=1 \; stat -e $u spawner 4 2000 threads=1 \; stat -e $u,context-switches spawner 3 300000 \; \
	sysctl kernel.sched_rr_timeslice_ms=1 \; stat -e $u,context-switches spawner 3 300000 \; \
	sysctl kernel.sched_rr_timeslice_ms=10 \; \
	stat -e $u becomes 1000 \; stat -e $u becomes 2000 \; stat -e $u --per-thread spawner 4 1000 \; \
	stat -e context-switches switches 1000 4 \; stat -e context-switches pingpong 500
is "sums: exit status" $status 0
two=$(value "$dir/sums" 1 $u) one=$(value "$dir/sums" 2 $u) four=$(value "$dir/sums" 3 $u)
is "each task executes the same" $((four - two)) $((2 * (two - one)))
is "twice the work is what is twice" $(($(value "$dir/sums" 4 $u) - four)) $((4 * 1000 * 2))
is "threads execute what processes do" $(($(value "$dir/sums" 6 $u) - $(value "$dir/sums" 5 $u))) $((4 * 1000 * 2))
is "short turns and long ones: the same" "$(value "$dir/sums" 7 $u)" "$(value "$dir/sums" 8 $u)"
if [ "$(value "$dir/sums" 2 context-switches)" -gt "$(value "$dir/sums" 1 context-switches)" ]; then
	ok "but more of them"
else
	not_ok "but more of them" "$(grep context-switches "$dir/sums")"
fi
is "a program that becomes another one" \
	$(($(value "$dir/sums" 10 $u) - $(value "$dir/sums" 9 $u))) 2000
alone=$(value "$dir/sums" 11 $u)
is "--per-thread: the first one alone, the children execute the same" \
	$((alone < 1000)):$(((four - alone) % 4)) 1:0
is "a task that yields switches" "$(value "$dir/sums" 3 context-switches)" 4001
is "a task that wakes and sleeps, too" "$(value "$dir/sums" 4 context-switches)" 999

# A task gets no interrupt and arms no timer as long as no other task waits for its CPU. Two tasks that wait for each
# other get no interrupts either.
boot "$dir/quiet" -- stat -e irq:irq_handler_entry,timer:hrtimer_start,$u loop 100000000 \; \
	stat -e irq:irq_handler_entry pingpong 1000
is "no interrupt in 100 million turns" "$(value "$dir/quiet" 1 irq:irq_handler_entry)" 0
is "and no timer" "$(value "$dir/quiet" 1 timer:hrtimer_start)" 0
is "no interrupt while two threads wake each other" "$(value "$dir/quiet" 2 irq:irq_handler_entry)" 0

# Two threads pass a futex to and fro: all runs count the same.
boot "$dir/futex" --timeout 550 -- stat -r $(either 100 1000) -e $u,instructions:k pingpong 20
is "futex: each run counts the same in ring 3, and in ring 0" \
	"$(grep -cE ' +[0-9,]+ +instructions:[uk] +\( identical \) *$' "$dir/futex")" 2

f=page-faults,minor-faults,major-faults,emulation-faults,$u
boot "$dir/faults" --cpu EPYC-Rome -- stat -e $f faults 100 10 0 10 \; stat -e $f faults 200 20 0 10
is "faults, each of them" "$(awk '/-faults/ { printf "%s ", $1 }' "$dir/faults")" \
	"110 100 10 10 220 200 20 10 "
boot "$dir/ends" -- stat -e $u nanny 3 1 \; stat -e $u nanny 1 3 \; stat -e task-clock loop 1
is "ends: exit status" $status 0
is "each child that faults has a line" \
	"$(grep -cE '^task [345] \(crash\) ended: #PF at ip .*, write of address 0x400000000000' "$dir/ends")" 3
has "CLI: #GP" "$dir/ends" 'task 3 \(crash\) ended: #GP at ip 0x[0-9a-f]+ \(perf0.elf\+0x[0-9a-f]+\)'
boot "$dir/timeout" -- stat --timeout 30 -e $u spawner 3 1G
is "--timeout ends them all" $status 124

boot "$dir/record" -o "$dir/record.d" -- record -e $u -c 1009 --switch-events spawner 3 100000
data=$dir/record.d/perf.data
perf script -i "$data" --show-task-events --show-switch-events 2>/dev/null >"$dir/script"
is "FORK and EXIT of each, COMM of the first" \
	"$(grep -c PERF_RECORD_FORK "$dir/script") $(grep -c 'PERF_RECORD_COMM exec' "$dir/script") \
$(grep -c PERF_RECORD_EXIT "$dir/script")" "3 1 4"
is "samples of each child: one in 1009 of its own instructions" \
	"$(perf script -i "$data" -F tid 2>/dev/null | sort -n | uniq -c |
		awk '$2 > 2 { printf "%s:%s ", $2, $1 }')" "3:198 4:198 5:198 "
boot "$dir/trace" -- trace -e 'sched:sched_process_*' nanny 2 3
is "sched_process_exec, _exit, _fork" \
	"$(grep -oE 'sched_process_[a-z]+' "$dir/trace" | sort | uniq -c | awk '{ printf "%s ", $1 }')" "2 3 2 "
finish
