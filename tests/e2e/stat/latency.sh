# SPDX-License-Identifier: BSD-2-Clause
# perf0 latency: results follow from the tables of docs/MODEL.md, to the digit. Counts of the shipped kernels follow
# from their disassembly. Runs are equal. The test also covers lists, output forms, and mistakes, one line each.
. "$(dirname "$0")/../_lib.sh"
known=tests/e2e/stat/latency.py

# Instructions and memory, in one machine for each personality.
cat >"$dir/script" <<'END'
latency -j
latency -j --set memory load/4096 load/65536 load_in_pages/128 load_in_pages/1024 load_in_pages/4096 misprediction
END
for u in $(personalities hsw skx icl adl zen4); do
	$perf0 shell --uarch $u "$dir/script" >"$dir/$u" 2>"$dir/$u.log"
	is "$u: exit status" $? 0
	is "$u: what the model's tables imply" "$(python3 $known known $u "$dir/$u")" same
done

# One machine: forms, lists, kernels, and equal runs.
n=$(either 20 10000)
printf '# two, and one that no CPU here has\nimul r64, r64 # commented\n\n\tADD (M64, R64)\nvpaddd zmm, zmm, zmm\n' >"$dir/list"
$perf0 latency -o "$dir/made" >"$dir/log" 2>&1
is "-o: exit status, and nothing is said" "$? $(cat "$dir/log")" "0 "
$perf0 latency -o "$dir/steady" 'imul r64, r64' 'adc r64, r64' 'div r64' 'mov r64, m64' 'add m64, r64' 'lock add m64, r64' 'vaddps ymm, ymm, ymm' 2>"$dir/log"
$perf0 latency -o "$dir/listed" -f "$dir/list" nop 2>"$dir/log"
cat >"$dir/script" <<END
latency -x, -f $dir/list
latency --pairs 'mul r64' 'MOV (R64, M64)' 'adc r64, r64' 'cmp r64, r64' 'movq xmm, r64' 'shl r64, cl'
latency -x, popcnt
latency -x, nop 'lock add m64, r64' 'rep stosb'
latency -x, --kernel 'mov r64, cr0' imul
bench --table -u 1 -x, $dir/listed
bench -j -u 1 -n 1 -w 0 -no_normalization -e instructions -- build/latency-memory load/4096 load_in_pages/16 store misp stream_copy
bench -j -u 1 -n $n -e instructions,branches,mem_inst_retired.all_loads,mem_inst_retired.all_stores -- $dir/steady
END
$perf0 shell "$dir/script" >"$dir/out" 2>"$dir/log"
is "exit status" $? 0
for line in 'IMUL \(R64, R64\),3.00,1.00,1.00,1.00\*p1' 'VPADDD \(ZMM, ZMM, ZMM\),#UD,-,-,-' 'POPCNT \(R64, R64\),3.00,1.00,1.00,1.00\*p1' \
	'POPCNT \(R32, R32\),3.00,1.00,1.00,1.00\*p1' 'NOP,-,0.25,1.00,none' 'MOV \(R64, CR0\),-,.*'; do
	has "a line: $line" "$dir/out" "\"?$(echo "$line" | sed 's/,/"?,"?/2;s/),/)"?,/')\"?|$line"
done
is "a list: the same by bench --table of its program" "$(grep -c 'VPADDD' "$dir/out")" 2
objdump -d --no-show-raw-insn build/latency-memory >"$dir/disassembly"
is "kernels: as many instructions as their disassembly has" "$(python3 $known kernels "$dir/disassembly" "$dir/out")" same
is "$n runs of each piece count the same" "$(python3 $known steady "$dir/out" $n)" same

# Runs of the same table are equal.
for i in $(seq "$(either 5 200)"); do echo "latency imul 'div r64' 'mov r64, m64' 'xchg r64, r64'"; done >"$dir/script"
$perf0 shell "$dir/script" 2>&1 | grep -v '^$' | sort | uniq -c | awk '{ print $1 }' | sort -u >"$dir/times"
is "$i tables are one" "$(cat "$dir/times")" "$i"

# A mistake @ its message.
printf 'nop\n  add r64, r96\n' >"$dir/bad_kind"
printf '\n\nnop; nop\n' >"$dir/bad_two"
printf 'imul r64, r64\nfrobnicate r64\n' >"$dir/bad_name"
printf '# nothing\n' >"$dir/bad_empty"
printf 'VGATHERDPS (XMM, VSIB_XMM, XMM)\nnop\n' >"$dir/bad_vsib"
cat >"$dir/mistakes" <<END
'frob r64'@'frob r64': column 1: no such instruction: .frob rbx'
frob@'frob': column 1: no such instruction: .frob'
'add r64, r96'@'add r64, r96': column 10: 'r96' is neither a register nor a kind of operand: R8, .*
'add r64,'@'add r64,': column 9: an operand is missing
'add r64, xmm'@'add r64, xmm': column 1: .*add.*
'add (r64, r64'@'add .r64, r64': column 5: its \) is missing
'nop; nop'@'nop; nop': column 4: one instruction at a time
''@'': column 1: an instruction is missing
'jmp r64'@'jmp r64': column 1: it goes elsewhere, and no copy of it follows another
'add r64, r64, r64, r64, r64'@.*: column 25: more operands than four
-f $dir/bad_kind@left out: $dir/bad_kind:2:12: 'r96' is neither .*
-f $dir/bad_two@left out: $dir/bad_two:3:4: one instruction at a time
-f $dir/bad_name@left out: $dir/bad_name:2:1: no such instruction: .*
-f $dir/bad_vsib@left out: $dir/bad_vsib:1:1: a gather or scatter clears its mask.*
'vpscatterdd [r14+zmm1*4], zmm2'@'vpscatterdd .*': column 1: a gather or scatter clears its mask.*
-f $dir/bad_empty@-f $dir/bad_empty: there is no instruction in it
-f /no/such@-f /no/such: No such file or directory
-f /tmp@-f /tmp: it can not be read
--set nosuch@--set: 'nosuch' is not common or memory
--set memory -o x@--set memory is a program of its own: without -f and -o
--min nop@--table and --min exclude each other: .*
-j -x, nop@.*one form at a time
--nosuch@unknown option '--nosuch'.*
--set memory nosuch@the program has no PERF0_BENCH.. of that name
END
sed 's/@.*//; s/^/latency /' "$dir/mistakes" >"$dir/script"
$perf0 shell "$dir/script" >"$dir/out" 2>"$dir/log"
n=0
while IFS='@' read -r words line; do
	n=$((n + 1))
	has "mistake: latency $words" "$dir/log" "(perf0: command [0-9]+: (latency: )?|perf0 latency: |(perf0: )?bench: )$line"
done <"$dir/mistakes"
is "each is a line, and one that says where; a list of which nothing is left has one more" \
	"$(grep -vc 'script:[0-9]*: status' "$dir/log")" $((n + 1))
is "a list goes on behind what is left out" "$(grep -c '^IMUL (R64, R64)' "$dir/out") $(grep -c '^NOP' "$dir/out")" "1 2"
finish
