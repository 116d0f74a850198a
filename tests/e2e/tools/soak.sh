# SPDX-License-Identifier: BSD-2-Clause
# The parts of `make soak`, and how SHARD=I/N splits them over machines.
. "$(dirname "$0")/../_lib.sh"

scripts/soak --dry-run >"$dir/all"
is "parts: status" $? 0
has "a test of which make test takes a part" "$dir/all" 'test kernel'
has "a unit test" "$dir/all" 'test test_quick'
is "what repeats" "$(grep -c '^one machine$' "$dir/all") $(grep -c '^many machines$' "$dir/all") $(grep -c '^commands --' "$dir/all")" "1 1 8"
for n in 1 2 3 7; do
	for i in $(seq "$n"); do
		SHARD=$i/$n scripts/soak --dry-run >"$dir/shard$i"
		is "shard $i of $n has its share" "$(wc -l <"$dir/shard$i")" $((($(wc -l <"$dir/all") + n - i) / n))
		cat "$dir/shard$i"
	done >"$dir/told"
	grep -E '^(not )?ok - ' "$dir/told"
	is "$n shards: each part once" "$(grep -vE '^(not )?ok - |^ ' "$dir/told" | sort | cksum)" "$(sort "$dir/all" | cksum)"
done
for bad in 0/3 4/3 03/3 x 1/ /2 2/3/4 -1/2; do
	SHARD=$bad scripts/soak --dry-run >"$dir/bad" 2>&1
	is "SHARD=$bad" "$? $(cat "$dir/bad")" "2 soak: SHARD: '$bad' is not I/N, with I from 1 to N"
done
finish
