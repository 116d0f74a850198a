# SPDX-License-Identifier: BSD-2-Clause
# record -k: one time base with the program's clock_gettime(2), so that perf's inject --jit finds
# the functions that a program makes while it runs.
. "$(dirname "$0")/../_lib.sh"

gcc -O2 -o "$dir/jit" tests/linux/jit.c
perf0="$PWD/$perf0"
cd "$dir" || exit 1
pid=$("$perf0" run --timeout $patience -- ./jit 2>/dev/null | sed -n 's/^pid \([0-9]*\) .*/\1/p')
"$perf0" record --machine-timeout $patience -o data -k mono --bring "jit-$pid.dump" \
	-e instructions:u -c 1009 -- ./jit >log 2>&1
is "record -k mono: exit status" $? 0
is "its times are the program's" "$(perf script -i data --ns -F time,sym,ip 2>/dev/null | awk -v said="$(grep '^pid' log)" '
	BEGIN { split(said, w, " "); from = w[4]; to = w[6] }
	{ sub(":", "", $1); split($1, t, "."); ns = t[1] t[2]; if (ns >= from && ns <= to) within++ }
	END { print (within > 580 && within < 600) }')" 1
is "perf inject --jit: exit status" "$(perf inject --jit -i data -o data.jit >inject 2>&1; echo $?)" 0
is "the function that was made" "$(perf report -i data.jit --stdio -F overhead,sym 2>/dev/null | grep -c 'made_loop')" 1
is "the clock is told" "$(perf report -i data --header-only 2>/dev/null | grep -c 'use_clockid = 1.* clockid = 1$\|clockid frequency: 1000 MHz')" 2
finish
