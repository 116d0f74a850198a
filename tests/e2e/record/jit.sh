# SPDX-License-Identifier: BSD-2-Clause
# record -k: samples and the program's clock_gettime(2) have one time base, so perf inject --jit finds the functions
# that a program makes while it runs. A perf map, which --bring copies out, names them, too.
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
# jit_says FORM: records the program again, as a profile of that form.
jit_says() {
	"$perf0" record --machine-timeout $patience "$1" -o "says$1" --bring "/tmp/perf-$pid.map" \
		-e instructions:u -c 1009 -- ./jit >log 2>&1
	is "$1 of a perf map: exit status" $? 0
}
jit_says --folded
is "--folded: the function by name" "$(awk '/;made_loop [0-9]+$/ { n += $NF } END { print (n > 590000) }' says--folded)" 1
jit_says --text
is "--text: the function by name" "$(grep -c ' made_loop+0x[0-9a-f]* (//anon)$' says--text | awk '{ print ($1 > 580) }')" 1
is "the clock is told" "$(perf report -i data --header-only 2>/dev/null | grep -c 'use_clockid = 1.* clockid = 1$\|clockid frequency: 1000 MHz')" 2
finish
