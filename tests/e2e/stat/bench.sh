# SPDX-License-Identifier: BSD-2-Clause
# perf0 bench measures code alone, in ring 3 and ring 0, exactly. It accepts nanoBench's options, files and conventions,
# and reports each mistake in one line.
. "$(dirname "$0")/../_lib.sh"

# Code @ code before it @ counts of one copy on skx: instructions, branches, loads, stores.
exact=instructions,branches,mem_inst_retired.all_loads,mem_inst_retired.all_stores
cat >"$dir/cases" <<'END'
@@0 0 0 0
imul rax, rbx@@1 0 0 0
ADD RAX, RBX; add RBX, RAX@@2 0 0 0
mov RAX, [RAX]@mov RAX, R14; sub RAX, 8; mov [RAX], RAX@1 0 1 0
push rax; pop rax@@2 0 1 1
mov [rdi], rsi; mov rbx, [rbp]@@2 0 1 1
add qword ptr [r14], 1@@1 0 1 1
jmp 1f; 1:@@1 1 0 0
call 1f; 1: add rsp, 8@@2 1 0 1
test eax, eax; jz 1f; nop; 1:@xor eax, eax@2 1 0 0
|15; |1; |8@@3 0 0 0
paddq xmm0, xmm1@@1 0 0 0
cpuid@@1 0 0 0
rdtsc; lfence@@2 0 0 0
END
sed 's/.*@//' "$dir/cases" >"$dir/wanted"

# figures LOG: prints the counts of each case, or "various" if measurements differ.
figures() {
	sed -n 's/^>\{0,1\}\({"benchmark".*\)/\1/p' "$1" | python3 -c '
import json, sys
row = []
for line in sys.stdin:
    c = json.loads(line)
    row.append("%g" % c["min"] if c["min"] == c["max"] == c["mean"] == c["median"] else "various")
    if len(row) == 4:
        print(*row)
        row = []'
}

# With -no_mem counts stay in registers, and reading a counter changes RAX.
for how in ring-3 $(one_of --kernel -loop_count@20 -basic_mode -no_mem -df@-alignment_offset@7); do
	how=$(echo "${how#ring-3}" | tr @ ' ')
	before=asm_init
	[ "$how" != -no_mem ] || before=asm_late_init
	while IFS=@ read -r code init _; do
		echo "bench $how -j -u 50 -n 4 -e $exact -asm '$code' -$before '$init'"
	done <"$dir/cases" >"$dir/script"
	$perf0 shell "$dir/script" >"$dir/log$how" 2>&1
	is "${how:-ring 3}: exit status" $? 0
	is "${how:-ring 3}: each case to the digit" "$(figures "$dir/log$how")" "$(cat "$dir/wanted")"
done

# nanoBench's own examples, and an event file in its format, with events that the machine does not have.
cat >"$dir/skx.txt" <<'END'
# Instructions and memory

3C.00 CORE_CYCLES
C0.00 INST_RETIRED
79.04 IDQ.MITE_UOPS
C2.02 UOPS_RETIRED.RETIRE_SLOTS
A1.01 UOPS_DISPATCHED_PORT.PORT_0
C4.00 BR_INST_RETIRED.ALL_BRANCHES
D0.81 MEM_INST_RETIRED.ALL_LOADS
D0.82 MEM_INST_RETIRED.ALL_STORES
D1.01 MEM_LOAD_RETIRED.L1_HIT
D1.08 MEM_LOAD_RETIRED.L1_MISS
B2.01 OFFCORE_REQUESTS_BUFFER.SQ_FULL
END
seq 130 | sed 's/.*/C0.00 RETIRED_&/' >"$dir/many.txt"
cat >"$dir/script" <<END
bench -as nop -con $dir/many.txt -f -b -warm 0 -n 1 -u 10 -avg
bench -asm "ADD RAX, RBX; add RBX, RAX" -config $dir/skx.txt
bench -asm "ADD RAX, RBX; add RBX, RAX" -config $dir/skx.txt -avg
bench -asm_init "mov RAX, R14; sub RAX, 8; mov [RAX], RAX" -asm "mov RAX, [RAX]" -config $dir/skx.txt
bench -asm_init "mov RAX, R14; sub RAX, 8; mov [RAX], RAX" -asm "mov RAX, [RAX]" -config $dir/skx.txt -usr 1 -os 0 -cpu 0 -range -median -remove_empty_events
bench -asm_init "mov RAX, R14; sub RAX, 8; mov [RAX], RAX" -asm "mov RAX, [RAX]" -config $dir/skx.txt -fixed_counters -min
bench -asm "nop" -n_measurements 10000 -unroll_count 1 -warm_up_count 0 -initial_warm_up_count 3 -e $exact
bench -asm "nop" -no_normalization -u 7 -l 3 -max -e instructions
bench -histogram -asm "nop" -n 7 -e instructions
bench -j -histogram -asm "imul rax, rbx" -n 37 -u 3 -e cycles,instructions --percentiles 0,5,50,99.9,100
bench --att -asm 'mov (%r14), %rax; movq \$1, 8(%rsp)' -e $exact -median
bench -asm "mov ax, 0x1234" -e ILD_STALL.LCP,IDQ.MITE_CYCLES
bench -asm "rcl rax, 5" -e IDQ.MS_UOPS
bench -asm "mov [R14], EAX; mov [R14+4], EAX; mov RAX, [R14]" -e LD_BLOCKS.STORE_FORWARD
END
$perf0 shell "$dir/script" >"$dir/log" 2>"$dir/left_out"
is "examples: exit status" $? 0
is "examples: what the machine does not have is left out, a line each" "$(grep -c ': vpmu.s Skylake-SP does not know event' "$dir/left_out")" 5
is "a file of more events than one command takes: each of them" \
	"$(sed -n 's/^RETIRED_\([0-9]*\): 1\.00$/\1/p' "$dir/log" | paste -sd ' ')" "$(seq 130 | paste -sd ' ')"
has "nanoBench's second example: its own answer" "$dir/log" ' +4\.00 +4\.00 +4\.00 +4\.00   CORE_CYCLES.*'
is "-range, -remove_empty_events, -cpu, -usr, -os" "$(grep ';.*\]$' "$dir/log" | grep -v MITE | paste -sd ' ')" \
	"CORE_CYCLES: 4.00 [4.00;4.00] INST_RETIRED: 1.00 [1.00;1.00] UOPS_RETIRED.RETIRE_SLOTS: 1.00 [1.00;1.00] MEM_INST_RETIRED.ALL_LOADS: 1.00 [1.00;1.00] MEM_LOAD_RETIRED.L1_HIT: 1.00 [1.00;1.00]"
is "nanoBench's first example" "$(grep -m 1 -A 9 '^CORE' "$dir/log" | paste -sd ' ')" \
	"CORE_CYCLES: 2.00 INST_RETIRED: 2.00 IDQ.MITE_UOPS: 2.00 UOPS_RETIRED.RETIRE_SLOTS: 2.00 UOPS_DISPATCHED_PORT.PORT_0: 0.50 BR_INST_RETIRED.ALL_BRANCHES: 0.00 MEM_INST_RETIRED.ALL_LOADS: 0.00 MEM_INST_RETIRED.ALL_STORES: 0.00 MEM_LOAD_RETIRED.L1_HIT: 0.00 MEM_LOAD_RETIRED.L1_MISS: 0.00"
for line in "instructions: 1.00" "INST_RETIRED: 1.00" "MEM_LOAD_RETIRED.L1_HIT: 1.00" "MEM_LOAD_RETIRED.L1_MISS: 0.00" \
	"instructions: 21.00" "mem_inst_retired.all_loads: 1.00" "mem_inst_retired.all_stores: 1.00"; do
	has "examples: $line" "$dir/log" "$line"
done
for line in "3.00 ILD_STALL.LCP" "1.00 IDQ.MITE_CYCLES" "8.00 IDQ.MS_UOPS" "1.00 LD_BLOCKS.STORE_FORWARD"; do
	has "what delays code and loads: $line" "$dir/log" " +${line% *}( +[0-9.]+){3} +${line#* } +\\[modelled\\]"
done
has "examples: how often each value came" "$dir/log" ' +1\.0000, 7 times'
is "percentiles are those of the histogram, by the nearest rank" "$(python3 - "$dir/log" <<'END'
import json, math, sys
for line in open(sys.argv[1]):
    if "p99.9" not in line:
        continue
    row = json.loads(line)
    values = sorted(v for v, _, times in row["histogram"] for _ in range(times))
    wrong = [p for p in (0, 5, 50, 99.9, 100) if row[f"p{p}"] != values[max(0, math.ceil(round(p * len(values) / 100, 6)) - 1)]]
    print(row["event"], len(values), *wrong)
END
)" "cycles 37
instructions 37"
is "10,000 measurements are one value" "$(grep -cE '^ +1\.00 +1\.00 +1\.00 +1\.00   instructions' "$dir/log")" 2

# Functions of a program in C, and of one in C++.
cat >"$dir/own.c" <<'END'
#include <perf0_bench.h>
static uint64_t made;
static void make(uint64_t n) { made = n; }
static void forget(uint64_t n) { made -= n; }
PERF0_BENCH(nothing, 0, 0) { }
PERF0_BENCH(sum, 10, 30, .step = 10) { for (uint64_t s = 0, i = 0; i < arg; i++) { s += i; PERF0_KEEP(s); } }
PERF0_BENCH(made_it, 2, 1024, .factor = 8, .setup = make, .teardown = forget) { if (made != arg) __builtin_trap(); }
PERF0_BENCH(store, 7, 7) { *(volatile uint64_t *)&made = arg; }
END
cp "$dir/own.c" "$dir/own.cc"
gcc -O2 -static -Ibench -o "$dir/own" "$dir/own.c" -Lbuild -lperf0bench
g++ -O2 -static -Ibench -o "$dir/own++" "$dir/own.cc" -Lbuild -lperf0bench
cat >"$dir/script" <<END
bench -j -u 3 -e $exact -- $dir/own
bench -j -u 3 -e $exact -- $dir/own++
bench -j -u 3 -e $exact --kernel -- $dir/own nothing store
bench -j -u 3 -e $exact -c $dir/own.c
bench -j -u 3 -e $exact --cxx=$dir/own.cc --cflags '-O2 -DUNUSED'
bench -u 3 -- $dir/own nosuch
bench -u 3 -- /bin/true
END
$perf0 shell "$dir/script" >"$dir/functions" 2>&1
figures "$dir/functions" >"$dir/got"
is "functions: one that is empty counts nothing" "$(sed -n '1p;10p;19p' "$dir/got" | uniq)" "0 0 0 0"
is "functions: a loop by its turns" "$(awk 'NR > 1 && NR < 5 { print $1 - was; was = $1 }' "$dir/got" | tail -n 2 | uniq | wc -l)" 1
is "functions: arguments by a factor, each made before it" "$(sed -n 5,8p "$dir/got" | uniq | wc -l)" 1
is "functions: a store" "$(sed -n '9p;18p;20p' "$dir/got" | cut -d' ' -f4 | uniq)" 1
is "functions: C++ counts the same" "$(sed -n 10,18p "$dir/got")" "$(sed -n 1,9p "$dir/got")"
is "functions: -c and --cxx make the same programs" "$(sed -n 21,38p "$dir/got")" "$(sed -n 1,18p "$dir/got")"
has "functions: none of that name" "$dir/functions" 'bench: the program has no PERF0_BENCH.. of that name'
has "a program that measures nothing" "$dir/functions" 'bench: /bin/true: it measures nothing by itself; .*'

printf '#include <perf0_bench.h>\nPERF0_BENCH(x, 1) { PERF0_KEEP(arg); }\n' >"$dir/short.c"
cp "$dir/short.c" "$dir/short.cc"
for source in "-c $dir/short.c" "--cxx $dir/short.cc"; do
	# shellcheck disable=SC2086 # an option and its file
	$perf0 bench $source >"$dir/said" 2>&1
	is "$source: status" "$?" 2
	has "$source: what PERF0_BENCH() takes" "$dir/said" '.*error: static assertion failed: .?PERF0_BENCH\(function, from, to, options\.\.\.\) takes four things: .*'
done

# Where standard error is no terminal, a long measurement tells its progress by lines.
$perf0 bench -n 1000000 --asm nop -e instructions --machine-timeout 12 >"$dir/out" 2>"$dir/said"
is "progress by lines: status" "$?" 124
has "progress by lines" "$dir/said" "perf0: running 10\.[0-9] s.*"

# A mistake @ its message.
echo 'PERF0_BENCH(x, 0, 0) { nonsense }' >"$dir/broken.c"
echo 'int main(void) { return 0; }' >"$dir/own_main.c"
echo 'int x;' >"$dir/no_function.c"
cat >"$dir/mistakes" <<'END'
-asm 'nop; bad rax'@perf0: command N: bench: --asm: column 6: no such instruction: `bad rax'
-asm 'nop' -asm_init 'mov rax'@perf0: command N: bench: --asm-init: column 1: number of operands mismatch for `mov'
-asm 'add rax, [rbx'@perf0: command N: bench: --asm: column 1: .*
-asm '|16'@perf0: command N: bench: --asm: column 1: '\|16' is no NOP of 1 to 15 bytes, \|1 to \|15
-asm 'jmp nowhere'@perf0: command N: bench: the code uses 'nowhere', which it does not define
-asm nop -code /dev/null@perf0: command N: bench: --asm and --code exclude each other: one or the other
-code /no/such@perf0: command N: bench: --code: /no/such: No such file or directory
-code_init /no/such -asm nop@perf0: command N: bench: --code-init: /no/such: No such file or directory
@perf0: command N: bench: nothing is to be measured: --asm 'CODE', --list FILE, --code FILE, --c FILE, --cxx FILE, or a PROGRAM that -o has made
-asm nop build/perf0@perf0: command N: bench: either code by --asm or --code, or a PROGRAM, not both
-asm nop -config /no/such@perf0: command N: bench: --config: /no/such: No such file or directory
-asm nop -unroll_count 0@perf0: command N: bench: --unroll-count: '0' is not .*
-asm nop -n_measurements x@perf0: command N: bench: --n-measurements: 'x' is not .*
-asm nop -alignment_offset 5000@perf0: command N: bench: --alignment-offset: '5000' is not .*
--c /no/such.c@perf0: command N: bench: --c: /no/such.c: No such file or directory
-c /no/such.c@perf0: command N: bench: --c: /no/such.c: No such file or directory
-c DIR/broken.c@perf0: command N: bench: --c: DIR/broken.c: gcc refuses it
--cxx DIR/own.cc --cflags '-nosuch'@perf0: command N: bench: --cxx: DIR/own.cc: g\+\+ refuses it
--cflags -g -asm nop@perf0: command N: bench: --cflags: there is no --c or --cxx that they are for
-c DIR/own.c --cflags "'"@perf0: command N: bench: --cflags: .*
-c DIR/own.c --cxx DIR/own.cc@perf0: command N: bench: --c and --cxx exclude each other: one source
-c DIR/own.c -asm nop@perf0: command N: bench: either code by --asm or --code, or a source, not both
-asm nop -msr_config x@perf0: command N: bench: nanoBench's option --msr-config is not here: .*
-asm nop -debug@perf0: command N: bench: nanoBench's option --debug is not here: .*
-asm nop -os 2@perf0: command N: bench: --os: '2' is not 0 or 1
-asm nop -usr 0@bench: --usr 0, --os 0: events of neither ring count nothing
-asm nop -cpu 7@bench: --on-cpu: there is no CPU 7: 0 to 0
-asm nop -sibling nop@bench: --sibling: the CPU has no sibling: .*
-asm nop -sibling 'bad rax'@perf0: command N: bench: --sibling: column 1: no such instruction: .*
-asm nop -min -max@perf0: command N: bench: --min and --max exclude each other: one figure of an event
-asm nop -j -x ,@perf0: command N: bench: .*one form at a time
-asm nop --percentiles 5,x@bench: --percentiles: character 3: a number from 0 to 100 is wanted.*
-asm nop --percentiles 100.1@bench: --percentiles: character 1: a number from 0 to 100 is wanted.*
-asm nop --percentiles 1,2,3,4,5,6,7,8,9@bench: --percentiles: 8 of them at most
-asm nop --percentiles 5 -trace@perf0: command N: bench: --percentiles and --trace exclude each other: .*
-asm nop -M IPC -trace@perf0: command N: bench: --metrics and --trace exclude each other: a trace is of events
-asm nop --nosuch@perf0: command N: bench: .*--nosuch.*
-asm nop -e nosuch@perf0: command N: bench: -e nosuch: column 1: there is no event 'nosuch'.*
-asm nop -e task-clock@bench: task-clock: it is on no counter of the core, which the code reads
-asm nop -no_mem -e branches,cache-references,r01d1,r02d1,instructions,cycles,ref-cycles@bench: --no-mem has registers for six events, R8 to R13
-asm '|15' -u 600000@bench: all copies together have more than 16 MiB: .*
-c DIR/no_function.c@perf0: command N: bench: --c: DIR/no_function.c: no function is marked by PERF0_BENCH\(\), .*
-c DIR/own_main.c@perf0: command N: bench: --c: DIR/own_main.c: no function is marked by PERF0_BENCH\(\), .*
-asm 'jmp .' --timeout 300@bench: the code ended: .*
-asm ud2@bench: the code raised #UD in byte 0 of copy 1
-asm 'nop; mov rax, [0x10]' -kernel@bench: the code raised #PF in byte 1 of copy 1: address 0x10
-asm 'xor ebx, ebx; div ebx' -kernel@bench: the code raised #DE in byte 2 of copy 1
-asm 'mov rsp, 0; push rax' -kernel@bench: the code raised #DF in byte 7 of copy 1
-asm 'nop; int3'@bench: the code raised #BP in byte 1 of copy 1
-asm rdmsr@bench: the code raised #GP in byte 0 of copy 1
-asm nop -asm_one_time_init ud2@bench: the code raised #UD in byte 0 of copy 1
-asm 'jmp rax' -asm_init 'mov eax, 0x5000'@bench: the code raised #PF, beside its copies, at 0x5000: address 0x5000
build/perf0 -v@.*
END
sed -i "\$d; s,DIR/,$dir/,g" "$dir/mistakes"
sed 's/@.*//; s/^/bench /' "$dir/mistakes" >"$dir/script"
echo "bench -asm nop -avg -e instructions" >>"$dir/script"
$perf0 shell "$dir/script" >"$dir/out" 2>"$dir/log"
n=0
while IFS='@' read -r words line; do
	n=$((n + 1))
	has "mistake: bench $words" "$dir/log" "$(echo "$line" | sed 's/command N/command [0-9]+/; s/perf0: command \[0-9\]+: bench/perf0 ?(command [0-9]+: )?:? ?bench/')"
done <"$dir/mistakes"
has "the compiler's own words" "$dir/log" '.*broken.c:1:.*error: .*'
grep -E '^perf0[ :]|^bench: ' "$dir/log" >"$dir/own_lines"
is "each is a line, and one that says where" "$(grep -vc 'script:[0-9]*: status' "$dir/own_lines")" $n
is "the machine is there still" "$(cat "$dir/out")" "instructions: 1.00"

$perf0 bench --asm 'vaddps ZMM0, zmm1, zmm2' >"$dir/out" 2>"$dir/log"
has "why AVX-512 does not run" "$dir/log" 'perf0 bench: AVX-512 is in no CPU that QEMU emulates; .*'

# Code on the other thread of the core changes no exact count in either ring.
cat >"$dir/script" <<END
bench -j -u 50 -n 4 -e $exact -asm 'push rax; pop rax' -sibling 'imul rax, rbx; mov [r14], rax; push rdi; pop rsi'
bench -j -u 50 -n 4 -e $exact -asm 'push rax; pop rax' -sibling 'imul rax, rbx' -kernel -cpu 1
bench -j -u 50 -n 4 -e $exact -asm 'push rax; pop rax' -cpu 1
bench -asm nop -sibling ud2
END
$perf0 shell --smp 2 "$dir/script" >"$dir/out" 2>"$dir/log"
is "beside a sibling's code, and on another CPU" "$(figures "$dir/out" | uniq)" "2 0 1 1"
has "what the sibling's code raises" "$dir/log" 'bench: --sibling: the code raised #UD'
finish
