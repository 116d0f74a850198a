# SPDX-License-Identifier: BSD-2-Clause
# What QEMU's plugin counts is what the program did: closed forms, rings, overflows, and what is told where
# there is no plugin.
. "$(dirname "$0")/../_lib.sh"

# value LOG N EVENT: the count of the Nth run that has it.
value() { sed -n "s/,//g; s/^ *\([0-9]*\) *$3 .*/\1/p" "$1" | sed -n "$2p"; }

# Behind ten million instructions that no counter needed the counts of.
for u in $(either "skx zen4" "hsw skx icl zen4"); do
	calls=r02c4
	[ $u = zen4 ] && calls=r00c8
	boot "$dir/$u" --uarch $u -- stat -e instructions:u loop 5000000 \; \
		stat -e branches:u loop 1000000 \; stat -e branches:u loop 2000000 \; \
		stat -e branches,branches:u,branches:k loop 3000000 \; \
		stat -e task-clock,cycles,instructions,branches,instructions:u loop 1000000 \; \
		stat -e branches:u,$calls:u hotcold 1000 \; stat -e branches:u,$calls:u hotcold 2000
	is "$u: exit status" $status 0
	is "$u: a branch for each turn" "$(value "$dir/$u" 1 branches:u) $(value "$dir/$u" 2 branches:u)" "1000002 2000002"
	is "$u: the rings add up" "$(($(value "$dir/$u" 3 branches:u) + $(value "$dir/$u" 1 branches:k)))" "$(value "$dir/$u" 1 branches)"
	is "$u: nothing of before is in it" "$(($(value "$dir/$u" 2 branches) / 1000))" 1000
	is "$u: two calls and returns for each round" "$(($(value "$dir/$u" 2 $calls:u) - $(value "$dir/$u" 1 $calls:u)))" 2000
	is "$u: no mark: they are exact" "$(grep -c 'branches.*\[' "$dir/$u")" 0
done

# Each sample on the very instruction: the same two in turn, and no branch between the events.
boot "$dir/skid" -o "$dir/skid.d" -- record -e branches:u -c 10007 loop 1000000
is "overflows: exit status" $status 0
is "overflows: as many as periods" "$(perf script -i "$dir/skid.d/perf.data" -F ip 2>/dev/null | grep -c .)" $((1000002 / 10007))
is "overflows: all behind the loop's one branch" "$(perf script -i "$dir/skid.d/perf.data" -F ip 2>/dev/null | sort -u | grep -c .)" 1

# step_trace follows the same instructions.
boot "$dir/step" -o "$dir/step.d" -- stat -e instructions:u,branches:u hotcold 20 \; record -e step_trace// hotcold 20
is "step_trace: exit status" $status 0
traced=$(perf script -i "$dir/step.d/perf.data" --itrace=b -F ip 2>/dev/null | grep -c .)
echo "traced $traced counted $(value "$dir/step" 1 branches:u)" >"$dir/traced"

# Where there is no plugin: a line, and ratios that are marked.
boot "$dir/ratios" --events ratios -- stat -e instructions:u,branches:u loop 1000000
has "--events ratios: a ratio, marked" "$dir/ratios" ' +400,001      branches:u  +\[ratio\]'
is "--events ratios: nothing more is said" "$(grep -c 'events are ratios' "$dir/ratios")" 0
mkdir -p "$dir/bare"
cp build/perf0 build/perf0.efi build/perf0.elf build/vpmu.efi build/esp.img "$dir/bare"
"$dir/bare/perf0" stat --machine-timeout $patience -j -e instructions:u,branches:u loop 1000000 >"$dir/none" 2>&1
has "no plugin: told" "$dir/none" 'perf0: events are ratios of instructions and cycles: .*vpmu-events\.so: No such file.*'
has "no plugin: a ratio" "$dir/none" '.*"400001.000000".*"truth" : "ratio".*'
has "no plugin: instructions are exact" "$dir/none" '.*"2000005.000000".*"truth" : "exact".*'
finish
