# SPDX-License-Identifier: BSD-2-Clause
# With --clock model time goes by modelled cycles: a program's RDTSC, APERF and MPERF fit cycles, and sleeps last.
. "$(dirname "$0")/../_lib.sh"
gcc -O2 -static tests/linux/timed_chain.c -o "$dir/chain"
events=cycles,ref-cycles,msr/tsc/,msr/aperf/,msr/mperf/
# fits FILE: each of these counts is within 2 % of the cycles.
fits() {
	awk -F, 'NR == 1 {c = $1} {n += $1 > c * 0.98 && $1 < c * 1.02} END {print n}' "$1"
}

for uarch in $(personalities skx zen4 hsw icl adl); do
	$perf0 stat --uarch $uarch --clock model -x, -e $events -- loop 1000000 >"$dir/$uarch.out" 2>"$dir/$uarch.csv"
	is "$uarch: status" $? 0
	grep -h '^[0-9]*,' "$dir/$uarch.csv" "$dir/$uarch.out" >"$dir/$uarch.counts"
	is "$uarch: cycles, reference cycles, TSC, APERF and MPERF are in one ratio" "$(fits "$dir/$uarch.counts")" 5
done
# The first run may boot the machine that the others begin with: its times differ by nanoseconds.
for n in 0 1 2; do
	$perf0 stat --uarch skx --clock model -e cycles:u,task-clock -- "$dir/chain" >"$dir/chain.$n" 2>&1
done
is "each run is the same" "$(cmp "$dir/chain.1" "$dir/chain.2")" ""
is "each has the same cycles" "$(cat "$dir"/chain.[012] | grep -o '^.* cycles:u' | sort -u | wc -l)" 1
is "RDTSC tells three cycles a multiplication, three times" "$(grep -cE '^chain 600[0-9]{3}$' "$dir/chain.1")" 3
is "a sleep takes its time" "$(awk '/^sleep/ {print ($2 >= 3000000 && $2 < 3200000)}' "$dir/chain.1")" 1
has "cycles by that clock are a frequency" "$dir/chain.1" '.*cycles:u +# +0\.[0-9]+ GHz .*\[modelled\]'
$perf0 stat --uarch skx -e cycles:u,task-clock -- "$dir/chain" >"$dir/other" 2>&1
has "by another clock they are none" "$dir/other" ' +[0-9,]+ +cycles:u +\[modelled\]'
for bad in "--events counts" "--timing ipc1" "--smp 2" --no-vpmu; do
	# shellcheck disable=SC2086 # words
	$perf0 stat --clock model $bad -- loop 10 >"$dir/bad" 2>&1
	is "refused with $bad" $? 2
done
finish
