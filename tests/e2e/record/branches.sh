# SPDX-License-Identifier: BSD-2-Clause
# Stock perf shows the last branches of samples. The addresses of the program's branches are known. The test tries each
# filter on each personality, stacks of calls, and refusals.
. "$(dirname "$0")/../_lib.sh"

program=$dir/branches
gcc -O1 -g -static -nostdlib -fomit-frame-pointer -o "$program" tests/linux/few_branches.c || not_ok "branches.c compiles"

take() {
	data=$dir/$u.$1
	$perf0 decode "$dir/$u.d/stream.perf0" --command "$1" -o "$data" >"$data.log" 2>&1
}

# A round has 18 instructions. With a filter for one branch, 32 records span 576 instructions. That is less than the
# period, so the first of 20 samples has all its records.
loop="-e instructions:u -c 1009 $program l 1130"
choices="any any_call any_ret ind_call cond call ind_jmp"

for u in $(personalities hsw skx icl adl zen4) $(either "" "slm knl"); do
	depth=32
	case $u in hsw | zen4) depth=16 ;; slm | knl) depth=8 ;; esac
	# shellcheck disable=SC2046,SC2086
	boot "$dir/$u.log" -k --uarch $u -o "$dir/$u.d" -- record -b $loop \
		$(for c in $choices; do echo "; record -j $c,u,save_type $loop"; done) \
		\; record --call-graph lbr -e instructions:u -c 1009 "$program" c 5000 \
		\; record -j any,u,save_type,hw_index,priv -e branches:upp -c 1009 "$program" l 1130
	# These personalities have no stacks of calls. Zen uses IBS for :pp, and IBS records no branches.
	case $u in zen4 | slm | knl) is "$u: exit status" $status 1 ;; *) is "$u: exit status" $status 0 ;; esac

	take 0
	is "$u: -b" "$(perf script -i "$data" -F ip,brstack 2>/dev/null | tests/e2e/record/branches.py "$program" any)" \
		"20 samples, 20 of the loop, $depth records each"
	n=1
	for c in $choices; do
		take $n
		# These CPUs filter indirect calls as jumps: they record jumps, too, and samples leave them out.
		case $u.$c in
		slm.any_call | knl.any_call) many=4 ;;
		slm.ind_call | knl.ind_call) many=2/3 ;;
		*) many=$depth ;;
		esac
		is "$u: -j $c" "$(perf script -i "$data" -F ip,brstack 2>/dev/null |
			tests/e2e/record/branches.py "$program" $c)" "20 samples, 20 of the loop, $many records each"
		n=$((n + 1))
	done
	case $u in
	zen4)
		has "$u: no branches with IBS" "$dir/$u.log" '.*record: branches:upp: only cycles .*'
		none=zen4
		;;
	slm) none=silvermont ;;
	knl) none=knightslanding ;;
	*) none= ;;
	esac
	if [ -n "$none" ]; then
		has "$u: no stacks of calls" "$dir/$u.log" \
			".*record: instructions:u: this CPU \\($none\\) records branches, but no stacks of calls: take --call-graph fp"
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

# Both rings, with tasks that come and go: perf prints the types and targets of branches, the same on each machine.
u=rings
kinds='record -j any,save_type,priv -e instructions -c 307 spawner 2 1000'
calls='record -j any_call,save_type -e instructions -c 307 spawner 2 1000'
into='record -j any,k,save_type -e instructions:u -c 1009 spawner 2 1000'
# shellcheck disable=SC2086
boot "$dir/$u.log" -o "$dir/$u.d" -- $kinds \; $calls \; $into
is "rings: exit status" $status 0
# types FILE: prints the types of all records except interrupts, which come by chance. leads FILE: prints the rings of
# the targets.
types() {
	perf script -i "$1" -F brstack 2>/dev/null | tr ' ' '\n' | sed -n 's/.*\///p' | grep -v IRQ | sort -u | tr '\n' ' '
}
leads() {
	perf script -i "$1" -F brstack 2>/dev/null | tr ' ' '\n' | sed -n 's/^0x[0-9a-f]*\/0x\(ffff8\)*.*/to \1/p' |
		sort -u | tr '\n' ' '
}
take 0
is "rings: every type has its name" "$(types "$data")" "CALL COND ERET IND IND_CALL RET SYSCALL SYSRET UNCOND "
is "rings: both" "$(leads "$data")" "to  to ffff8 "
perf script -i "$data" -F ip,time,brstack >"$dir/first" 2>/dev/null
take 1
is "rings: calls, and what is like them" "$(types "$data")" "CALL IND_CALL SYSCALL "
take 2
is "rings: into ring 0 alone" "$(leads "$data")" "to ffff8 "

if soaking; then
	# shellcheck disable=SC2086
	boot "$dir/$u.log" -o "$dir/$u.d" -- $kinds \; $calls \; $into
	take 0
	perf script -i "$data" -F ip,time,brstack >"$dir/second" 2>/dev/null
	is "rings: the same on another machine" "$(cmp "$dir/first" "$dir/second" 2>&1 && awk 'END { print (NR > 50) }' "$dir/first")" 1
fi

# With several CPUs each has branches of its own, although no clock counts instructions there.
u=smp
boot "$dir/$u.log" --smp 2 -o "$dir/$u.d" -- record -b -e instructions:u -c 1009 "$program" l 1130
take 0
is "two CPUs: -b" "$(perf script -i "$data" -F ip,brstack 2>/dev/null |
	tests/e2e/record/branches.py "$program" any)" "20 samples, 20 of the loop, 32 records each"
is "perf report shows sources and targets" "$(perf report --stdio -i "$data" 2>/dev/null |
	awk '/from_icall/ && /to_icall/ { n++ } END { print (n > 0) }')" 1
is "perf report --branch-history" "$(perf report --branch-history --stdio -i "$data" 2>/dev/null |
	awk '/from_icall/ { n++ } END { print (n > 0) }')" 1

u=ratios
boot "$dir/$u.log" --events ratios -- record -b loop
is "without the model: exit status" $status 1
has "without the model: why" "$dir/$u.log" \
	'.*record: cycles: no last branches are recorded \(branch stacks\): vpmu knows branches where it models a core only .*'
finish
