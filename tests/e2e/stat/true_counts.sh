# SPDX-License-Identifier: BSD-2-Clause
# QEMU's plugin counts the program's events exactly: closed forms, rings, overflows. Messages tell where it is missing.
. "$(dirname "$0")/../_lib.sh"

# value LOG N EVENT: prints the count of the Nth run that has the event.
value() { sed -n "s/,//g; s/^ *\([0-9]*\) *$3 .*/\1/p" "$1" | sed -n "$2p"; }

# First ten million instructions run while no event needs the plugin. Later counts are exact all the same.
for u in $(personalities hsw skx icl zen4); do
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

# Each sample is at the instruction after the loop's branch.
boot "$dir/skid" -o "$dir/skid.d" -- record -e branches:u -c 10007 loop 1000000
is "overflows: exit status" $status 0
is "overflows: as many as periods" "$(perf script -i "$dir/skid.d/perf.data" -F ip 2>/dev/null | grep -c .)" $((1000002 / 10007))
is "overflows: all behind the loop's one branch" "$(perf script -i "$dir/skid.d/perf.data" -F ip 2>/dev/null | sort -u | grep -c .)" 1

# step_trace follows the same instructions. Its taken branches are those that the plugin counts.
boot "$dir/step" -o "$dir/step.d" -- stat -e branches:u,r20c4:u,r10c4:u,r40c4:u hotcold 20 \; record -e step_trace// hotcold 20
is "step_trace: exit status" $status 0
is "step_trace: the same branches are taken" "$(value "$dir/step" 1 r20c4:u)" \
	$(($(perf script -i "$dir/step.d/perf.data" --itrace=b -F flags,ip 2>/dev/null | awk '$1 != "tr"' | grep -c .)))
is "branches that are taken, that are not, and far ones are all" \
	"$(($(value "$dir/step" 1 r20c4:u) + $(value "$dir/step" 1 r10c4:u) + $(value "$dir/step" 1 r40c4:u)))" "$(value "$dir/step" 1 branches:u)"

# The kernel executes as many returns as calls, except for functions that are active when counting begins or ends.
# Accesses by QEMU's helper functions (of XRSTOR, IRET, interrupts) do not count as returns.
boot "$dir/kernel" -- stat -e r02c4:k,r08c4:k,r81d0:k,r82d0:k chase 100000 kib=256
calls=$(value "$dir/kernel" 1 r02c4:k) returns=$(value "$dir/kernel" 1 r08c4:k)
is "the kernel's calls and returns: $calls, $returns" "$((calls - returns >= 0 && calls - returns <= 10))" 1

# The model: loads of a freshly written list hit the first cache if the list fits there. Warm and cold runs are equal.
modelled="stat -e L1-dcache-loads:u,r08d1:u,branch-misses:u,dTLB-load-misses chase 100000 kib=16"
# shellcheck disable=SC2086
boot "$dir/model" -- $modelled \; $modelled \; stat -e r08d1:u,r10d1:u chase 100000 kib=64 \; \
	stat -e r08d1:u,r10d1:u chase 100000 kib=4096
# shellcheck disable=SC2086
boot "$dir/model.cold" --cold -- $modelled
is "model: exit status" $status 0
has "model: loads" "$dir/model" ' +100,000      L1-dcache-loads:u .*'
has "model: none misses of what was written" "$dir/model" ' +0      r08d1:u .*\[modelled\]'
misses() { value "$dir/model" "$1" "$2:u"; }
is "model: 64 KiB are more than L1 has" "$(($(misses 3 r08d1) > 50000 && $(misses 1 r10d1) < 100))" 1
is "model: 4 MiB are more than L2 has" "$(($(misses 2 r10d1) > 50000))" 1
# As on Linux, generic events of the last level count requests that leave the core.
boot "$dir/llc" --prefetch off -- stat -e LLC-loads:u,LLC-load-misses:u,r10d1:u,r20d1:u chase 100000 kib=4096 \; \
	stat -e LLC-load-misses,node-loads chase 100000 kib=4096 \; stat -e node-load-misses chase 100000 kib=4096
is "last level: exit status" $status 0
is "last level: as many as loads that missed L2" "$(value "$dir/llc" 1 LLC-loads:u)" "$(value "$dir/llc" 1 r10d1:u)"
is "last level: more than 50000" "$(($(value "$dir/llc" 1 LLC-loads:u) > 50000))" 1
is "memory: some, as many as missed the last level" "$(value "$dir/llc" 1 LLC-load-misses) $(($(value "$dir/llc" 1 node-loads) > 0))" "$(value "$dir/llc" 1 node-loads) 1"
is "memory of other nodes: none" "$(value "$dir/llc" 1 node-load-misses)" 0
counts() { grep -E '^ +[0-9,]+ +[a-zA-Z]' "$1" | grep -v seconds | sed 's/#.*//' | head -n 4; }
is "model: cold as warm" "$(counts "$dir/model.cold")" "$(counts "$dir/model")"
is "model: the second run as the first" \
	"$(grep -E '^ +[0-9,]+ +[a-zA-Z]' "$dir/model" | grep -v seconds | sed 's/#.*//' | sed -n 5,8p)" "$(counts "$dir/model")"

# Without the plugin perf0 prints a line, and marks counts as ratios.
boot "$dir/ratios" --events ratios -- stat -e instructions:u,branches:u loop 1000000
has "--events ratios: a ratio, marked" "$dir/ratios" ' +400,001      branches:u  +\[ratio\]'
is "--events ratios: nothing more is said" "$(grep -c 'events are ratios' "$dir/ratios")" 0
mkdir -p "$dir/bare"
cp build/perf0 build/perf0.efi build/perf0.elf build/vpmu.efi build/esp.img "$dir/bare"
"$dir/bare/perf0" stat --machine-timeout $patience -j -e instructions:u,branches:u loop 1000000 >"$dir/none" 2>&1
has "no plugin: told" "$dir/none" 'perf0: events are ratios of instructions and cycles: .*vpmu-events\.so: No such file.*'
has "no plugin: a ratio" "$dir/none" '.*"400001.000000".*"truth" : "ratio".*'
has "no plugin: instructions are exact" "$dir/none" '.*"2000005.000000".*"truth" : "exact".*'

# A plugin stops answering: at launch, and while samples are taken.
for n in $(one_of 3 1500); do
	printf '#!/bin/sh\nfor a; do shift; case $a in file=*vpmu-events*) a=$a,answers=%s ;; esac; set -- "$@" "$a"; done\nexec qemu-system-x86_64 "$@"\n' $n >"$dir/silent"
	chmod +x "$dir/silent"
	boot "$dir/silent.$n" --cold -v --qemu "$dir/silent" -- record -e branches:u -c 100 loop 20000 \; \
		stat -e branches:u -e instructions:u loop 1000
	is "silent from $n on: what counts then is no exact count" "$(grep -c ' 401      branches:u .*\[ratio\]' "$dir/silent.$n")" 1
	is "silent from $n on: instructions are" "$(grep -c ' 2,005      instructions:u  *$' "$dir/silent.$n")" 1
done
[ ! -e "$dir/silent.3" ] || has "silent at launch: told" "$dir/silent.3" "vpmu: QEMU's plugin does not count as it should; events are ratios.*"
finish
