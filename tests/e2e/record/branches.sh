# SPDX-License-Identifier: BSD-2-Clause
# The last branches of samples, as stock perf shows them, of a program whose branches are known by their
# addresses; each filter, on each personality; stacks of calls; what is refused.
. "$(dirname "$0")/../_lib.sh"

program=$dir/branches
gcc -O1 -g -static -nostdlib -fomit-frame-pointer -o "$program" tests/linux/branches.c || not_ok "branches.c compiles"

take() {
	data=$dir/$u.$1
	$perf0 decode "$dir/$u.d/stream.perf0" --command "$1" -o "$data" >"$data.log" 2>&1
}

# 18 instructions a round, of which 32 records of a filter that takes one branch are 576: 20 samples, and
# the first one has all its records.
loop="-e instructions:u -c 1009 $program l 1130"
choices="any any_call any_ret ind_call cond call ind_jmp"

for u in hsw skx icl adl zen4; do
	depth=32
	case $u in hsw | zen4) depth=16 ;; esac
	# shellcheck disable=SC2046,SC2086
	boot "$dir/$u.log" -k --uarch $u -o "$dir/$u.d" -- record -b $loop \
		$(for c in $choices; do echo "; record -j $c,u,save_type $loop"; done) \
		\; record --call-graph lbr -e instructions:u -c 1009 "$program" c 5000 \
		\; record -j any,u,save_type,hw_index,priv -e branches:upp -c 1009 "$program" l 1130
	# Zen has no stacks of calls, and takes IBS for :pp, which has no branches.
	case $u in zen4) is "$u: exit status" $status 1 ;; *) is "$u: exit status" $status 0 ;; esac

	take 0
	is "$u: -b" "$(perf script -i "$data" -F ip,brstack 2>/dev/null | tests/e2e/record/branches.py "$program" any)" \
		"20 samples, 20 of the loop, $depth records each"
	n=1
	for c in $choices; do
		take $n
		is "$u: -j $c" "$(perf script -i "$data" -F ip,brstack 2>/dev/null |
			tests/e2e/record/branches.py "$program" $c)" "20 samples, 20 of the loop, $depth records each"
		n=$((n + 1))
	done
	if [ $u = zen4 ]; then
		has "$u: no stacks of calls" "$dir/$u.log" \
			'.*record: instructions:u: this CPU \(zen4\) records branches, but no stacks of calls: take --call-graph fp'
		has "$u: no branches with IBS" "$dir/$u.log" \
			'.*record: branches:upp: only cycles .*'
		continue
	fi
	take 8
	is "$u: callers by the stack of calls" "$(perf report --stdio --no-children -g caller -i "$data" 2>/dev/null |
		sed -n '/fifth *$/,/^$/p' | tr -d '|-' | awk 'NF == 1 { print $1 }' | tr '\n' ' ')" \
		"_start start first second third fourth fifth "
	take 9
	is "$u: precise events" "$(perf script -i "$data" -F ip,brstack 2>/dev/null |
		tests/e2e/record/branches.py "$program" any precise)" "10 samples, 10 of the loop, $depth records each"
done
finish
