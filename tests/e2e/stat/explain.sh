# SPDX-License-Identifier: BSD-2-Clause
# `explain` names the cause of loops whose cause is known, counts their executions exactly, and refuses what it cannot
# explain.
. "$(dirname "$0")/../_lib.sh"

cat >"$dir/loops.c" <<'END'
#define LOOP(name, body) \
	static __attribute__((noipa)) void name(long n, void *at) \
	{ __asm__ volatile(".p2align 6\n1:\n" body "\ndec %0\njnz 1b" : "+r"(n) : "r"(at) : "rax", "rcx", "rdx", "memory", "cc"); }
LOOP(chained, "imul %%rax, %%rax\nadd $1, %%rax")
LOOP(shuffled, "pshufd $0xe4, %%xmm0, %%xmm0\npshufd $0xe4, %%xmm1, %%xmm1\npshufd $0xe4, %%xmm2, %%xmm2")
LOOP(divided, "xor %%edx, %%edx\nmov $9, %%eax\nmov $3, %%ecx\ndiv %%ecx")
LOOP(forwarded, "add %%rax, (%1)")
LOOP(wide, "nop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop")
int main(void)
{
	static long at[8];
	chained(50000, at); shuffled(40000, at); divided(30000, at); forwarded(20000, at); wide(10000, at);
	return 0;
}
END
gcc -g -O2 -static -o "$dir/loops" "$dir/loops.c"
run="--machine-timeout $patience"
$perf0 explain $run --uarch skx -n 40 -- "$dir/loops" >"$dir/text" 2>"$dir/err"
is "explain: status" $? 0
is "explain: no complaint" "$(cat "$dir/err")" ""
$perf0 explain $run --uarch skx -n 40 --json -- "$dir/loops" >"$dir/json" 2>"$dir/err"
python3 -c '
import json, sys
for x in json.load(open(sys.argv[1])):
    if x["kind"] == "loop":
        print(x["function"], x["times"], x["executed"], x["class"], x["cycles"], x["bounds"][0]["cause"])
' "$dir/json" >"$dir/causes" 2>&1
cause() { is "$1" "$(grep "^$1 " "$dir/causes")" "$1 $2"; }
cause chained "50000 200000 modelled 4.0 dependencies"
cause shuffled "40000 200000 modelled 3.0 execution units"
cause divided "30000 180000 modelled 6.0 divider"
cause forwarded "20000 60000 modelled 6.0 dependencies"
cause wide "10000 130000 modelled 3.0 width"
has "the unit is named" "$dir/text" '.* execution units \(most on p5: 3\.00\)'
has "the chain is marked" "$dir/text" ' *50000  \* +[0-9a-f]+:  imul rax, rax'
has "a model's figure says so" "$dir/text" '.*\[modelled: skx\]'
$perf0 explain $run --uarch spr --function chained -- "$dir/loops" >"$dir/text" 2>"$dir/err"
has "another core's table is told" "$dir/text" '.*\[modelled: nearest: adl\]'
$perf0 explain $run --uarch slm -- "$dir/loops" >/dev/null 2>"$dir/err"
is "no table: status" $? 2
has "no table: the way out" "$dir/err" "perf0 explain: no tables of a core like slm's: try --uarch skx, icl or zen4"
$perf0 explain >/dev/null 2>"$dir/err"
is "no program: status" $? 2
finish
