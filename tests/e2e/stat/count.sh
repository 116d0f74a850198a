# SPDX-License-Identifier: BSD-2-Clause
# Counts are exact on every PMU: ten runs count the same, and the count follows from the length of the loop.
. "$(dirname "$0")/../_lib.sh"

# `loop N` executes 2 * N + 5 instructions (apps/workloads/loop_code.S).
loops="stat -e instructions:u loop 1000000"
for u in $(personalities hsw skx icl zen4); do
	boot "$dir/$u" --uarch $u -- \
		$loops \; $loops \; $loops \; $loops \; $loops \; \
		$loops \; $loops \; $loops \; $loops \; $loops \; \
		stat -e instructions:u loop 0 \; stat -e instructions:u loop 1 \; \
		stat -e instructions:u,instructions:k,instructions loop 5000 \; \
		stat -e instructions,instructions,instructions -r 5 loop 100 \; caps
	has "$u, ht=on: two threads per core" "$dir/$u" ' +Threads per core +2'
	is "$u: exit status" $status 0
	is "$u: loop 1000000 is 2000005, ten times" \
		"$(grep -cE '^ +2,000,005 +instructions:u ' "$dir/$u")" 10
	has "$u: loop 0 reads 5" "$dir/$u" ' +5 +instructions:u +'
	has "$u: loop 1 reads 7" "$dir/$u" ' +7 +instructions:u +'
	sum=$(awk '{ gsub(",", "") }
		/instructions:u/ && $1 == 10005 { user = $1; kernel = 0 }
		/instructions:k/ { kernel = $1 }
		/instructions  / && user && !seen { seen = 1; total = $1; print total - user - kernel }
		' "$dir/$u")
	is "$u: :u and :k add up to all" "$sum" 0
	is "$u: three events of one kind agree, with no spread" \
		"$(grep '( identical )' "$dir/$u" | awk '/instructions/ { print $1 }' | sort -u | wc -l)" 1
done

boot "$dir/noht" --uarch skx --ht off -- caps
has "skx, ht=off: one thread per core" "$dir/noht" ' +Threads per core +1'
has "skx, ht=off: eight general counters" "$dir/noht" ' +General counters +0xff'
boot "$dir/ht" --uarch skx --ht on -- caps
has "skx, ht=on: four general counters" "$dir/ht" ' +General counters +0xf'
finish
