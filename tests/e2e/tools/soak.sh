# SPDX-License-Identifier: BSD-2-Clause
# The parts of `make soak`, and how SHARD=I/N splits them over machines.
. "$(dirname "$0")/../_lib.sh"

scripts/soak --dry-run >"$dir/all"
is "parts: status" $? 0
has "a test of which make test takes a part" "$dir/all" 'test kernel'
has "a unit test" "$dir/all" 'test test_quick'
has "a test that only some commits run" "$dir/all" 'test size'

# The tests of a commit: each turn has those of each commit, and as many turns in a row as there are have all.
scripts/test --list all | sort >"$dir/tests"
turns=$(sed -n 's/^turns=\([0-9]*\).*/\1/p' scripts/test)
for t in $(seq 100 $((99 + turns))); do
	PERF0_TURN=$t scripts/test --list due >"$dir/due"
	is "turn $t: what each commit runs" "$(grep -cxE 'costs|kernel|test_rb_model|test_mm_model' "$dir/due")" 4
	is "turn $t: no test twice" "$(sort "$dir/due" | uniq -d)" ""
	cat "$dir/due"
done >"$dir/told"
grep -E '^(not )?ok - ' "$dir/told"
is "$turns turns run all tests" "$(grep -vE '^(not )?ok - |^ ' "$dir/told" | sort -u | cksum)" "$(cksum <"$dir/tests")"
is "what rotates is there" "$(scripts/test --list rotating | sort | comm -23 - "$dir/tests")" ""
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

# Files of several machines, put together: the lines of one machine, or the lost parts.
sed 's/^/ok - /' "$dir/all" >"$dir/one"
for i in 1 2 3; do SHARD=$i/3 scripts/soak --dry-run | sed 's/^/ok - /' >"$dir/done$i"; done
scripts/soak merge "$dir/done3" "$dir/done1" "$dir/done2" >"$dir/merged" 2>&1
is "three machines: merged as from one" "$? $(cmp "$dir/merged" "$dir/one" 2>&1)" "0 "
grep -vx 'ok - one machine' "$dir/done$(grep -lx 'ok - one machine' "$dir"/done[123] | sed 's/.*done//')" >"$dir/cut"
mv "$dir/cut" "$(grep -lx 'ok - one machine' "$dir"/done[123])"
scripts/soak merge "$dir"/done[123] >"$dir/merged" 2>&1
is "a lost part" "$? $(cat "$dir/merged")" "1 soak: 'one machine' is lost; it is made up by: PART='one machine' scripts/soak"
is "a part by its name" "$(PART='one machine' scripts/soak --dry-run)" "one machine"
scripts/soak merge >"$dir/bad" 2>&1
is "merge of nothing" "$? $(cat "$dir/bad")" "2 soak: merge: the files of all machines are needed"
finish
