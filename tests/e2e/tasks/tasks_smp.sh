# SPDX-License-Identifier: BSD-2-Clause
# Tasks on 4 CPUs (`make soak`: also on 2): 10 000 migrations and 100 000 context switches are counted one by one while
# the clock samples, without a PMU. No sample is lost. Work spreads over all CPUs.
. "$(dirname "$0")/../_lib.sh"

for n in $(either 4 "2 4"); do
	boot "$dir/$n" --no-vpmu --smp $n -- \
		stat -e context-switches,cpu-migrations,task-clock migrate 2500 4 \; \
		record -e cpu-clock -c 1000000 migrate 2500 4 \; \
		record -e context-switches -c 1 switches $((12500 * n)) 8 0 1 \; \
		stat -e task-clock spawner 8 20M
	is "$n CPUs: exit status" $status 0
	value() { awk -v n="$1" -v e="$2" '$0 ~ e && ++k == n { gsub(",", "", $1); print int($1) }' "$dir/$n"; }
	# Each of four tasks moves to the next CPU 2500 times. The first task and idle CPUs cause a few more migrations.
	moved=$(value 1 cpu-migrations)
	is "$n CPUs: 10 000 migrations" "$((moved >= 10000 && moved < 10100))" 1
	is "$n CPUs: no switch without a task that gave up its CPU" \
		"$(($(value 1 context-switches) >= moved))" 1
	# In each pair, the first task and the last one to stay find no other task to yield to.
	samples=$(sed -n 's/^\[ perf0 record: \([0-9]*\) samples.*/\1/p' "$dir/$n" | tail -n 1)
	is "$n CPUs: 100 000 switches, each sampled" "$((${samples:-0} >= 100000 && samples <= 100100 * n))" 1
	is "$n CPUs: the books of both recordings balance" "$(awk '/^\[ perf0 record: / {
			ok += $4 == $7 && $9 == 0 && $11 == 0 } END { print ok }' "$dir/$n")" 2
	is "$n CPUs: tasks ran beside one another" \
		"$(awk '/task-clock/ { if ($4 == "#") u = $5 } END { print (u > 1.1) }' "$dir/$n")" 1
done
finish
