# SPDX-License-Identifier: BSD-2-Clause
# perf0 bench: code by itself, in ring 3 and ring 0, each count to the digit; nanoBench's options, files and habits;
# what is wrong in one line.
. "$(dirname "$0")/../_lib.sh"

# Code @ what runs before it @ what one copy counts: instructions, branches, loads, stores of skx.
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

# figures LOG: what each case counted, "various" where measurements differ.
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

# Where counters are kept in registers, reading them changes RAX.
for how in "" "--kernel" "-loop_count 20" "-basic_mode" "-no_mem" "-df -alignment_offset 7"; do
	before=asm_init
	[ "$how" != -no_mem ] || before=asm_late_init
	while IFS=@ read -r code init _; do
		echo "bench $how -j -u 50 -n 4 -e $exact -asm '$code' -$before '$init'"
	done <"$dir/cases" >"$dir/script"
	$perf0 shell "$dir/script" >"$dir/log$how" 2>&1
	is "${how:-ring 3}: exit status" $? 0
	is "${how:-ring 3}: each case to the digit" "$(figures "$dir/log$how")" "$(cat "$dir/wanted")"
done

# nanoBench's own examples, and a file of its kind.
cat >"$dir/skx.txt" <<'END'
# Instructions and memory
C0.00 INST_RETIRED
C4.00 BR_INST_RETIRED.ALL_BRANCHES
D0.81 MEM_INST_RETIRED.ALL_LOADS
D0.82 MEM_INST_RETIRED.ALL_STORES
D1.01 MEM_LOAD_RETIRED.L1_HIT
D1.08 MEM_LOAD_RETIRED.L1_MISS
END
cat >"$dir/script" <<END
bench -asm "ADD RAX, RBX; add RBX, RAX" -config $dir/skx.txt -avg
bench -asm_init "mov RAX, R14; sub RAX, 8; mov [RAX], RAX" -asm "mov RAX, [RAX]" -config $dir/skx.txt -fixed_counters -min
bench -asm "nop" -n_measurements 10000 -unroll_count 1 -warm_up_count 0 -initial_warm_up_count 3 -e $exact
bench -asm "nop" -no_normalization -u 7 -l 3 -max -e instructions
bench --att -asm 'mov (%r14), %rax; movq \$1, 8(%rsp)' -e $exact -median
END
$perf0 shell "$dir/script" >"$dir/log" 2>&1
is "examples: exit status" $? 0
is "nanoBench's first example" "$(sed -n 1,6p "$dir/log" | paste -sd ' ')" \
	"INST_RETIRED: 2.00 BR_INST_RETIRED.ALL_BRANCHES: 0.00 MEM_INST_RETIRED.ALL_LOADS: 0.00 MEM_INST_RETIRED.ALL_STORES: 0.00 MEM_LOAD_RETIRED.L1_HIT: 0.00 MEM_LOAD_RETIRED.L1_MISS: 0.00"
for line in "instructions: 1.00" "INST_RETIRED: 1.00" "MEM_LOAD_RETIRED.L1_HIT: 1.00" "MEM_LOAD_RETIRED.L1_MISS: 0.00" \
	"instructions: 21.00" "mem_inst_retired.all_loads: 1.00" "mem_inst_retired.all_stores: 1.00"; do
	has "examples: $line" "$dir/log" "$line"
done
is "10,000 measurements are one value" "$(grep -cE '^ +1\.00 +1\.00 +1\.00 +1\.00   instructions' "$dir/log")" 1
finish
