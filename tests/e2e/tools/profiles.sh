# SPDX-License-Identifier: BSD-2-Clause
# Exact profiles: the counts of functions and calls are callgrind's, sums are those of stat, and other programs read
# the files.
. "$(dirname "$0")/../_lib.sh"

# Recursion, a callback from libc, a tail call, a function pointer, a jump out of several functions.
cat >"$dir/calls.c" <<'END'
#include <setjmp.h>
#include <stdlib.h>
#define FAR __attribute__((noinline))
static jmp_buf out;
static volatile int x;
static FAR int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static FAR int odd(int n);
static FAR int even(int n) { return n ? 1 + odd(n - 1) : 1; }
static FAR int odd(int n) { return n ? 1 + even(n - 1) : 0; }
static FAR int last(int n) { x += n; return n; }
static FAR int tail(int n) { x++; return last(n + 1); }
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static FAR void leave(int n) { if (!n) longjmp(out, 1); leave(n - 1); x++; }
static FAR int apply(int (*f)(int), int n) { return f(n) + 1; }
int main(void)
{
	int v[200];
	for (int i = 0; i < 200; i++) v[i] = i * 7919 % 211;
	qsort(v, 200, sizeof(*v), order);
	for (int i = 0; i < 10; i++)
		if (!setjmp(out)) leave(i);
	return (fib(15) + even(20) + tail(3) + apply(last, 4) + apply(tail, 5) + v[3]) & 1;
}
END
gcc -g -O2 -fno-ipa-icf -fno-optimize-sibling-calls -fno-partial-inlining -static -o "$dir/calls" "$dir/calls.c"
run="--machine-timeout $patience"
$perf0 profile $run -e instructions:u --functions 5 --callgrind "$dir/perf0.out" --folded "$dir/folded" --pprof "$dir/pprof.gz" \
	--speedscope "$dir/speedscope" --html "$dir/page.html" -- "$dir/calls" >"$dir/table" 2>"$dir/err"
is "profile: no complaint" "$(cat "$dir/err")" ""
total=$($perf0 stat $run -x, -e instructions:u -- "$dir/calls" 2>/dev/null | cut -d, -f1)
is "the total is what stat counts" "$(python3 tests/e2e/tools/callgrind.py "$dir/perf0.out" 2>&1)" "$total"
is "the table's total" "$(awk '$3 == "total" { gsub(",", ""); print $1 }' "$dir/table")" "$total"
is "folded stacks have all of it" "$(awk '{ n += $NF } END { print n }' "$dir/folded")" "$total"
has "folded stacks: calls" "$dir/folded" '.*;main;apply;tail;last [0-9]+'
is "speedscope's file" "$(python3 tests/e2e/tools/speedscope.py "$dir/speedscope" 2>&1)" "instructions:u: ok"
is "the page" "$(python3 tests/e2e/tools/picture.py page "$dir/page.html" 2>&1)" right
is "pprof: gzip" "$(gzip -t "$dir/pprof.gz" 2>&1)" ""
if go tool pprof -h 2>&1 | grep -q 'pprof <format>'; then
	go tool pprof -top -unit=count "$dir/pprof.gz" >"$dir/top" 2>/dev/null
	has "pprof reads it" "$dir/top" "Showing nodes accounting for .* of $total total"
else
	skip "pprof" "no go here"
fi

if command -v valgrind >/dev/null; then
	callgrind_annotate "$dir/perf0.out" >"$dir/annotated" 2>&1
	is "callgrind_annotate: the total" "$(sed -n 's/ .*PROGRAM TOTALS//p' "$dir/annotated" | tr -d ,)" "$total"
	has "callgrind_annotate: the source" "$dir/annotated" '.*=> .*calls.c:fib \([0-9]+x\).*'
	valgrind --tool=callgrind --separate-recs=1 --skip-plt=no --callgrind-out-file="$dir/callgrind.out" "$dir/calls" >/dev/null 2>&1
	python3 tests/e2e/tools/callgrind.py "$dir/perf0.out" "$dir/callgrind.out" calls.c >"$dir/compared" 2>&1
	# After longjmp(), leave() and its calls are inclusive of what main() does until its next call.
	sed -i "/^edges .*'leave')/d" "$dir/compared"
	is "the same as callgrind's" "$(sed 's/^[0-9]* equal/equal/' "$dir/compared")" equal
	is "of all functions and their calls" "$(($(sed -n 's/ equal//p' "$dir/compared") > 25))" 1
else
	skip "callgrind" "no valgrind here"
fi

# A function that a program makes at run time has the name in its perf map; without it, its address.
gcc -O2 -o "$dir/jit" tests/linux/jit.c
$perf0 profile $run -e instructions:u --functions 1 -- "$dir/jit" >"$dir/table" 2>&1
has "a JIT compiler: an address" "$dir/table" ' +1 +600,002 .* \[0x[0-9a-f]+\] +\[unknown\]'
has "a JIT compiler: how to get names" "$dir/table" ' \[unknown\]: .*--bring /tmp/perf-PID.map'
pid=$(sed -n 's/^pid \([0-9]*\) .*/\1/p' "$dir/table")
$perf0 profile $run -e instructions:u --functions 1 --bring "/tmp/perf-$pid.map:$dir/map" -- "$dir/jit" >"$dir/table" 2>&1
has "a JIT compiler: a name" "$dir/table" ' +1 +600,002 .* made_loop +\[unknown\]'
$perf0 profile $run -e instructions:u --functions 1 --bring "jit-$pid.dump:$dir/dump" -- "$dir/jit" >"$dir/table" 2>&1
has "a JIT compiler: a name by its jitdump" "$dir/table" ' +1 +600,002 .* made_loop +\[unknown\]'
finish
