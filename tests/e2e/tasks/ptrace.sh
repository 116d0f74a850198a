# SPDX-License-Identifier: BSD-2-Clause
# Tracers in ring 3: the effect of ptrace(2) on counts and debug registers, and Debian's unmodified gdb and strace.
# syscalls.sh tests the rest of ptrace(2).
. "$(dirname "$0")/../_lib.sh"

gcc -O2 -Wall -Wextra -Werror -pthread -I. -o "$dir/traced" tests/linux/calls/calls_ptrace.c
cat >"$dir/twice.c" <<'END'
#include <stdio.h>
static volatile int shared;
static __attribute__((noinline)) int twice(int x)
{
	shared = x;
	x = x * 2;
	return x;
}
int main(void)
{
	printf("%d\n", twice(20));
	return 3;
}
END
gcc -g -O0 -o "$dir/dynamic" "$dir/twice.c"
gcc -g -O0 -static -o "$dir/static" "$dir/twice.c"

boot "$dir/counts" --timeout 100 -- "$dir/traced" measured
is "counters and debug registers: exit status" $status 0
is "counters and debug registers: what was not so" "$(grep '^line' "$log")" ""
has "counters and debug registers: all was checked" "$log" 'traced: [0-9]{3} checked, 0 failed'

# Random requests with random values do not stop the machine, and the run ends by itself.
boot "$dir/anything" --smp 4 --timeout 200 -- "$dir/traced" anything 2 "$(either 20 2000)"
is "any requests: exit status" $status 0
is "any requests: what was not so" "$(grep '^line' "$log")" ""

# A gdb that contains Python needs hundreds of files.
if gdb --configuration 2>/dev/null | grep -q -e --without-python; then
	cat >"$dir/commands" <<-'END'
		set pagination off
		break twice
		run
		backtrace
		watch shared
		continue
		step
		print x
		delete
		print twice(7)
		continue
	END
	for kind in static dynamic; do
		boot "$dir/$kind.here" --timeout 100 --file "$dir/commands" --file "$dir/$kind" --file "$dir/twice.c" \
			--file /bin/sh -- "$(command -v gdb)" -batch -nx -x "$dir/commands" "$dir/$kind"
		is "gdb, $kind: exit status" $status 0
		has "gdb, $kind: it stops in the function" "$log" '#0 +twice \(x=20\).*'
		has "gdb, $kind: which main called" "$log" '#1 +0x[0-9a-f]+ in main \(\).*'
		has "gdb, $kind: a debug register tells of a write" "$log" 'New value = 20'
		has "gdb, $kind: a step" "$log" '[$]1 = 40'
		has "gdb, $kind: a function that it calls itself" "$log" '[$]2 = 14'
		has "gdb, $kind: the program goes on" "$log" 40
		has "gdb, $kind: and ends" "$log" '\[Inferior 1 .* exited with code 03\]'
	done
else
	skip "gdb" "gdb-minimal is not installed"
fi

if command -v strace >/dev/null; then
	boot "$dir/strace" --timeout 100 --file "$dir/dynamic" -- "$(command -v strace)" -f "$dir/dynamic"
	is "strace: exit status" $status 3
	has "strace: the first call" "$log" 'execve\(".*/dynamic", .* = 0'
	has "strace: a call with memory of the program" "$log" 'write\(1, "40.n", 3.*'
	has "strace: the end" "$log" '\+\+\+ exited with 3 \+\+\+'
else
	skip "strace" "it is not installed"
fi
finish
