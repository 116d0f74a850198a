# SPDX-License-Identifier: BSD-2-Clause
# perf0 bench --trace prints the counts when all counters stop at each cycle. With one cycle an instruction (ipc1) they
# are known; with the model bench_trace.py says whether a core of that width may have them.
. "$(dirname "$0")/../_lib.sh"

chain='nop; xchg rax, rbx; imul rcx, rdx; add [r14], rsi'
cat >"$dir/script" <<END
bench --trace -j -n 3 -u 40 --asm nop
bench --trace -j -n 3 -u 10 --asm '$chain'
bench --trace -j -n 3 -u 40 --asm nop --kernel
bench --trace -j -n 3 -u 10 --asm '$chain' --kernel
END

# part LOG N: prints the rows of the Nth trace.
part() {
	python3 - "$1" "$2" <<'END'
import json, sys
part, last = 0, 1 << 62
for line in open(sys.argv[1]):
    line = line.lstrip(">")
    if not line.startswith("{"):
        continue
    cycle = json.loads(line)["cycle"]
    part += cycle < last
    last = cycle
    if part == int(sys.argv[2]):
        print(line, end="")
END
}

for how in $(personalities skx zen4 hsw icl adl) $(one_of skx@ipc1 zen4@ipc1); do
	how=$(echo "$how" | tr @ ' ')
	set -- $how
	$perf0 shell --uarch "$1" ${2:+--timing $2} "$dir/script" >"$dir/log" 2>&1
	is "$how: exit status" $? 0
	for n in 1 2 3 4; do
		ring=$((n > 2 ? 0 : 3))
		insns=4 copies=10
		[ $((n % 2)) = 0 ] || { insns=1; copies=40; }
		is "$how: chain $n of 40 instructions, ring $ring" \
			"$(part "$dir/log" $n | python3 tests/e2e/stat/bench_trace.py "$1" $ring $copies "${2:-model}" $insns)" "as a core may"
	done
done

# Options, nanoBench's names of them, several passes, code around the measured code, and output forms.
cat >"$dir/own.c" <<'END'
#include <perf0_bench.h>
PERF0_BENCH(count, 8, 8) { for (uint64_t i = 0; i < arg; i++) PERF0_KEEP(i); }
PERF0_BENCH(many, 1, 3) { PERF0_KEEP(arg); }
END
gcc -O2 -static -Ibench -o "$dir/own" "$dir/own.c" -Lbuild -lperf0bench
nops="-trace -n 3 -u 12 -asm nop"
cat >"$dir/script" <<END
bench $nops
bench $nops -kernel -no_freeze
bench -cycle_by_cycle -n 3 -unroll_count 12 -asm nop -asm_late_init 'nop; nop; nop; nop' -x,
bench -trace -end_to_end -n 3 -u 12 -asm nop -asm_late_init 'nop; nop; nop; nop' -x,
bench -trace=1-3 -n 3 -u 12 -asm nop -df -x,
bench -trace=2-2 -n 3 -l 12 -u 1 -asm nop -x,
bench $nops -no_mem -kernel -median
bench $nops -no_freeze
bench -trace -n 3 -u 3 -asm 'mov [r14], rax; mov rbx, [rdi]; nop; nop' -x, -e branches,r01d1,r02d1,r04d1,mem_inst_retired.all_loads,mem_inst_retired.all_stores
bench -trace=1-1 -x, $dir/own count
END
for i in 1 2 3 4 5 6 7 8 9 10; do echo "bench $nops -e branches,uops_retired.retire_slots -j"; done >>"$dir/script"
$perf0 shell "$dir/script" >"$dir/log" 2>&1
is "options: exit status" $? 0
rows() { printf '%s\n' "$@"; }
# last_of: the last value of each group of rows; a group begins where the cycle is not larger than before.
last_of() { awk -F, '$2 <= cycle { print last } { cycle = $2; last = $5 } END { print last }' | xargs; }
has "a table" "$dir/log" ' nop: cycle by cycle, 3 measurements of each, 12 copies, ring 3'
has "a table: how it was stopped" "$dir/log" ' The CPU stopped all counters when the cycles overflowed(, up to [0-9]+ cycles late)?\.'
is "a table: all of the code in the end" "$(sed -n '/cycle  *cycles/,/^$/p' "$dir/log" | sed '/^$/q' | awk 'NF { last = $NF } END { print last }')" 12
has "ring 0, read by the NMI: what its handler executes is told" "$dir/log" ' The NMI of the cycles. overflow read the counters, up to [0-9]+ cycles late.'
grep '^nop,.*,instructions,' "$dir/log" | grep -v '^nop,[^,]*,[^,]*,.*-' >"$dir/instructions"
is "without late init, and with it; a range, and a loop: the last of each" "$(last_of <"$dir/instructions" | cut -d' ' -f 1,2)" "12 16"
is "several passes: each event, to the digit: the last row" \
	"$(grep -F 'mov [r14]' "$dir/log" | sed 's/.*nop",//' | grep -E 'all_(loads|stores)|branches' | sort -t, -k2,2 -k1,1n | awk -F, '{ last[$2] = $3 } END { for (e in last) print e "," last[e] }' | sort)" \
	"$(rows branches,0 mem_inst_retired.all_loads,3 mem_inst_retired.all_stores,3)"
is "a function" "$(grep -c '^count,1,instructions,[1-9]' "$dir/log")" 1
is "ten runs are one" "$(grep '"cycle" : 1, "event" : "branches"' "$dir/log" | wc -l), $(grep '^{' "$dir/log" | sort | uniq -c | awk '{ print $1 }' | sort -u)" "10, 10"

# A mistake @ its message.
cat >"$dir/mistakes" <<'END'
-asm nop -trace=9-3@--trace: '9-3' ends before it begins: 3-9
-asm nop -trace=0-5@--trace: '0-5' is not a range FROM-TO of 1 to 1000000000
-asm nop -trace=7@--trace: '7' is not a range FROM-TO of 1 to 1000000000
-asm nop -trace=a-b@--trace: 'a-b' is not a range FROM-TO of 1 to 1000000000
-asm nop -trace=1-2-3@--trace: '1-2-3' is not a range FROM-TO of 1 to 1000000000
-asm nop -trace=1-99999999999@--trace: '1-99999999999' is not a range FROM-TO of 1 to 1000000000
-asm nop -trace=1-200000@--trace: a trace has 100,000 cycles at most, and these are more
-asm nop -trace=50-60@--trace: the code has ended before the first of these cycles
-trace -n 1 -w 0 -u 5000 -asm 'div rbx' -asm_init 'mov ebx, 1; xor edx, edx'@--trace: the code takes more than the 100,000 cycles that a trace may have: --trace=FROM-TO
-asm ';' -trace@--trace: the code has no instruction that retires
-asm nop -end_to_end@--end-to-end needs --trace or --cycle-by-cycle: it is of a trace
-asm nop -no_freeze@--no-freeze needs --trace or --cycle-by-cycle: it is of a trace
-asm nop -trace -histogram@--histogram and --trace exclude each other: it is of what all copies count
-asm nop -trace -basic_mode@--basic-mode and --trace exclude each other: a trace is of one run of the copies
-asm nop -trace -e instructions:pp@--trace: instructions:pp: precise events are recorded, not stopped
-asm nop -trace -e task-clock@task-clock: it is on no counter of the core, which the code reads
-asm nop -trace -e nosuch@-e nosuch: column 1: there is no event 'nosuch'.*
-asm nop -trace -e '{branches,r01d1,r02d1,r04d1,r08d1,r10d1,r20d1,r40d1,r00c5}'@r08d1: it needs PMC0-3, and the events of its group before it need those
-trace -no_mem -asm '.quad 0xF0B513B1C2813F04'@--trace: the code stops counting by itself, by nanoBench's bytes
-asm 'nop; ud2' -trace@the code raised #UD in byte 1 of copy 1
-asm 'nop; ud2' -trace -kernel@the code raised #UD in byte 1 of copy 1
-asm nop -trace -asm_late_init ud2@the code raised #UD, beside its copies, at 0x[0-9a-f]+
-trace@nothing is to be measured: --asm 'CODE', --list FILE, --code FILE, --c FILE, --cxx FILE, or a PROGRAM that -o has made
-asm nop -trace -n 0@--n-measurements: '0' is not a number from 1 to 1000000
-asm nop -trase@unknown option '-t'
END
sed 's/@.*//; s/^/bench /' "$dir/mistakes" >"$dir/script"
echo "bench -trace=1-5 -x, $dir/own many" >>"$dir/script"
echo "bench $nops -median -x /" >>"$dir/script"
echo "bench -trace=3-3 -u 12 -asm nop -x /" >>"$dir/script"
echo "bench -trace=1-1 -asm nop -x : -e '{branches,r01d1,r02d1,r04d1,r08d1}'" >>"$dir/script"
$perf0 shell "$dir/script" >"$dir/out" 2>"$dir/log"
while IFS='@' read -r words line; do
	has "mistake: bench $words" "$dir/log" "(perf0:? )?(command [0-9]+: )?bench: $line"
done <"$dir/mistakes"
is "of a group that is too large the rest" "$(grep -c '^nop:1:' "$dir/out")" 6
has "mistake: several traces" "$dir/log" "bench: --trace: it is of one function and one argument: name them, as in 'sum'"
is "the machine is there still" "$(grep -c '^nop/3/instructions/[1-9]' "$dir/out")" 1

# Without counters.
$perf0 bench --no-vpmu --trace --asm nop >"$dir/log" 2>&1
is "no counters: status" $? 1
is "no counters: one line" "$(grep -vc "^perf0: booting " "$dir/log") $(grep -c "^bench: --trace: " "$dir/log")" "1 1"

finish
