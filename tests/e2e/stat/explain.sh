# SPDX-License-Identifier: BSD-2-Clause
# `explain` names the cause of loops whose cause is known, counts their executions exactly, and refuses what it cannot
# explain.
. "$(dirname "$0")/../_lib.sh"

cat >"$dir/loops.c" <<'END2'
#define LOOP(name, body) \
	static __attribute__((noipa)) void name(long n, void *at) \
	{ __asm__ volatile("xor %%eax, %%eax\n.p2align 6\n1:\n" body "\ndec %0\njnz 1b" \
	  : "+r"(n) : "r"(at) : "rax", "rcx", "rdx", "memory", "cc"); }
LOOP(chained, "imul %%rax, %%rax\nadd $1, %%rax")
LOOP(shuffled, "pshufd $0xe4, %%xmm0, %%xmm0\npshufd $0xe4, %%xmm1, %%xmm1\npshufd $0xe4, %%xmm2, %%xmm2")
LOOP(divided, "xor %%edx, %%edx\nmov $9, %%eax\nmov $3, %%ecx\ndiv %%ecx")
LOOP(forwarded, "add %%rax, (%1)")
LOOP(wide, "nop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop")
/* A store that is narrower than the load behind it; and a load 4 KiB from a store. */
LOOP(blocked, "mov %%eax, (%1)\nmov (%1), %%rax")
LOOP(aliased, "mov %%rdx, (%1)\nmov 4096(%1, %%rax), %%rax")
/* Prefixes that change the length, and more instructions in a window than the op cache takes. */
LOOP(prefixed, ".rept 16\n.rept 4\nadd $0x1234, %%ax\n.endr\n.rept 16\nnop\n.endr\n.endr")
/* Long instructions: a line of the op cache has few of them, and it delivers a line each cycle. */
LOOP(spread, ".rept 8\nmovabs $0x1234567812345678, %%rax\n.endr")
LOOP(counted, "xor %%eax, %%eax\npopcnt %%rdi, %%rcx\npopcnt %%rdi, %%rcx")
static __attribute__((noipa)) void *chased(void **at, long n)
{
	do
		at = *at;
	while (--n);
	return at;
}
static __attribute__((noipa)) long guessed(unsigned long x, long n)
{
	long sum = 0;
	do {
		x ^= x << 13, x ^= x >> 7, x ^= x << 17;
		if (x & 1)
			__asm__ volatile("inc %0" : "+r"(sum));
	} while (--n);
	return sum;
}
int main(void)
{
	enum { LINKS = 1 << 18, LINE = 8, STEP = 30011 };
	static char at[8192] __attribute__((aligned(4096)));
	static void *links[LINKS * LINE];
	long sum = 0;

	for (long i = 0; i < LINKS; i++)
		links[i * LINE] = &links[(i + STEP) % LINKS * LINE];
	chained(50000, at); shuffled(40000, at); divided(30000, at); forwarded(20000, at); wide(10000, at);
	blocked(9000, at); aliased(8000, at); prefixed(30, at); spread(7000, at); counted(6000, at);
	sum += chased(links, 100000) == 0;
	return sum + guessed(88172645463325252, 60000) == 1;
}
END2
gcc -g -O2 -static -o "$dir/loops" "$dir/loops.c" || exit 1
run="--machine-timeout $patience"
named=chained,shuffled,divided,forwarded,wide,blocked,aliased,prefixed,spread,counted,chased,guessed
causes() { # FILE
	python3 -c '
import json, sys
for x in json.load(open(sys.argv[1])):
    if x["kind"] == "loop":
        print(x["function"], x["times"], x["executed"], x["class"], x["cycles"], x["bounds"][0]["cause"])
' "$1" >"$dir/causes" 2>&1
}
cause() { is "$1" "$(grep "^$1 " "$dir/causes")" "$1 $2"; }
because() { is "$1" "$(sed -n "s/^$1 [0-9]* [0-9]* modelled [0-9.]* //p" "$dir/causes")" "$2"; }
$perf0 explain $run --uarch skx --function $named -n 40 --html "$dir/page.html" -- "$dir/loops" >"$dir/text" 2>"$dir/err"
is "explain: status" $? 0
is "explain: no complaint" "$(cat "$dir/err")" ""
$perf0 explain $run --uarch skx --function $named -n 40 --json -- "$dir/loops" >"$dir/json" 2>"$dir/err"
causes "$dir/json"
cause chained "50000 200000 modelled 4.0 dependencies"
cause shuffled "40000 200000 modelled 3.0 execution units"
cause divided "30000 180000 modelled 6.0 divider"
cause forwarded "20000 60000 modelled 6.0 dependencies"
cause wide "10000 130000 modelled 3.0 width"
because blocked "store forwarding"
because aliased "4 KiB aliasing"
because prefixed "length-changing prefixes"
because spread "op cache"
because guessed mispredictions
has "the unit is named" "$dir/text" '.* execution units \(most on p5: 3\.00\)'
has "the chain is marked" "$dir/text" ' *50000  \* +[0-9a-f]+:  imul rax, rax'
has "a model's figure says so" "$dir/text" '.*\[modelled: skx\]'
has "each load is issued again" "$dir/text" '.* 4 KiB aliasing \(1\.000 loads are issued again\)'
has "each second branch is mispredicted" "$dir/text" '.* mispredictions \(0\.[45][0-9]* branches\)'
python3 -c '
import sys, xml.etree.ElementTree as tree
page = open(sys.argv[1]).read()
tree.fromstring(page.split("\n", 1)[1] if page.startswith("<!DOCTYPE") and "\n" in page[:20] else page)
for wanted in ("4 KiB aliasing", "imul rax, rax", "loops.c:", "at = *at;", "Timeline", "prefers-color-scheme:dark"):
    if wanted not in page:
        print("no", wanted)
for foreign in ("http://", "https://"):
    for part in page.split(foreign)[1:]:
        if not part.startswith("www.w3.org/"):
            print("foreign", part[:40])
' "$dir/page.html" >"$dir/checked" 2>&1
is "the page has it all, and needs no network" "$(cat "$dir/checked")" ""

# POPCNT waits for its destination on Haswell, not on Ice Lake.
# Its last level has 8 MiB, and the links of the chain have 16.
$perf0 explain $run --uarch hsw --function counted,chased --json -- "$dir/loops" >"$dir/json" 2>"$dir/err"
causes "$dir/json"
cause counted "6000 30000 modelled 6.0 dependencies"
because chased memory
$perf0 explain $run --uarch icl --function counted --json -- "$dir/loops" >"$dir/json" 2>"$dir/err"
causes "$dir/json"
cause counted "6000 30000 modelled 2.0 execution units"

# Code that is explained without running.
snippet() { # LABEL UARCH CODE CAUSE
	$perf0 bench --explain -j --uarch "$2" --asm "$3" >"$dir/json" 2>"$dir/err"
	is "$1" "$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[0]["bounds"][0]["cause"])' "$dir/json" 2>&1)" "$4"
}
snippet "bench: a chain" skx 'imul rax, rbx; add rax, rcx' dependencies
snippet "bench: a port" skx 'pshufd xmm0, xmm1, 1; pshufd xmm2, xmm3, 1' "execution units"
snippet "bench: length-changing prefixes" skx 'add ax, 0x1234; add bx, 0x1234' "length-changing prefixes"
snippet "bench: divider" skx 'x: xor edx, edx; mov eax, 9; div ecx; dec rdi; jnz x' divider
snippet "bench: store forwarding" skx 'mov [r14], eax; mov rax, [r14]' "store forwarding"
snippet "bench: POPCNT on Haswell" hsw 'popcnt rax, rcx' dependencies
snippet "bench: POPCNT on Ice Lake" icl 'popcnt rax, rcx' "execution units"
$perf0 bench --explain --uarch skx --asm 'imul rax, rbx' --html "$dir/bench.html" >"$dir/text" 2>"$dir/err"
is "bench: status" $? 0
has "bench: the bound" "$dir/text" ' *bound by   3\.00  dependencies \(marked \*\)'
has "bench: a timeline" "$dir/bench.html" '.*Timeline of 3 iterations.*'
$perf0 bench --explain --uarch skx --c "$dir/loops.c" >/dev/null 2>"$dir/err"
is "bench: a source: status" $? 2
$perf0 bench --explain --uarch slm --asm nop >/dev/null 2>"$dir/err"
is "bench: no table: status" $? 2

$perf0 explain $run --uarch spr --function chained -- "$dir/loops" >"$dir/text" 2>"$dir/err"
has "another core's table is told" "$dir/text" '.*\[modelled: nearest: adl\]'
$perf0 explain $run --uarch skx --events counts --function chained -- "$dir/loops" >"$dir/text" 2>"$dir/err"
has "without the model nothing has run in it" "$dir/text" '  4\.00 cycles each, .*'
$perf0 explain $run --uarch slm -- "$dir/loops" >/dev/null 2>"$dir/err"
is "no table: status" $? 2
has "no table: the way out" "$dir/err" "perf0 explain: no tables of a core like slm's: try --uarch skx, icl or zen4"
$perf0 explain >/dev/null 2>"$dir/err"
is "no program: status" $? 2
finish
