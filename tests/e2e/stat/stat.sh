# SPDX-License-Identifier: BSD-2-Clause
# The layout of perf stat, with and without a PMU.
. "$(dirname "$0")/../_lib.sh"

$perf0 stat --machine-timeout $patience -e cycles,instructions,branches,r01d1 -- dd count=100000 >"$dir/dd" 2>&1
is "dd: exit status" $? 0
has "title" "$dir/dd" " Performance counter stats for 'dd count=100000':"
has "cycles" "$dir/dd" ' +[0-9,]+      cycles  +\[modelled\]'
has "instructions with insn per cycle" "$dir/dd" ' +[0-9,]+      instructions +#    [0-9]\.[0-9]{2}  insn per cycle +'
has "branches" "$dir/dd" ' +[0-9,]+      branches +'
has "raw event" "$dir/dd" ' +[0-9,]+      r01d1 +\[modelled\]'
has "time elapsed" "$dir/dd" ' +[0-9]\.[0-9]{9} seconds time elapsed'
has "time in user" "$dir/dd" ' +[0-9]\.[0-9]{9} seconds user'

boot "$dir/none" --no-vpmu -- stat -e instructions,cpu-clock loop 1000
is "no PMU: exit status" $status 0
has "no PMU: instructions" "$dir/none" '   <not supported>      instructions +'
has "no PMU: the clock works" "$dir/none" ' +[0-9]+\.[0-9]{2} msec cpu-clock +#.*CPUs utilized +'
has "no PMU: the reason" "$dir/none" 'stat: instructions: .+'

boot "$dir/more" -- stat -r 5 -e task-clock,instructions:u loop 1000 \; \
	stat -e cycles,cycles,cycles,cycles,cycles,cycles,cycles,cycles,cycles loop 1000 \; \
	stat sleep 0.01 \; stat loop 0 \; stat --timeout 10 sleep 1 \; version \; stat --timeout 20 spin
is "spin ended by --timeout" $status 124
has "five runs" "$dir/more" " Performance counter stats for 'loop 1000' \(5 runs\):"
has "no spread where there is none" "$dir/more" ' +2,005 +instructions:u .*\( identical \)'
has "more events than counters" "$dir/more" ' +<not counted> +cycles .*'
has "default events" "$dir/more" ' +[0-9,]+ +branch-misses +#.* of all branches +\[modelled\]'
# seconds WHAT N: prints the seconds user or sys of the Nth run that prints them.
seconds() { awk -v n="$2" -v what="$1" '$2 == "seconds" && $3 == what && ++i == n { print $1 }' "$dir/more"; }
is "sleep is neither user nor sys" \
	"$(echo "$(seconds user 2) $(seconds sys 2)" | awk '{ print ($1 > 0 && $2 > 0 && $1 + $2 < 0.004) }')" 1
is "set-up is sys, not user" \
	"$(echo "$(seconds user 3) $(seconds sys 3)" | awk '{ print ($1 > 0 && $1 < 0.00002 && $1 < $2) }')" 1
is "a sleep that is ended is neither" \
	"$(echo "$(seconds user 4) $(seconds sys 4)" | awk '{ print ($1 > 0 && $2 > 0 && $1 + $2 < 0.004) }')" 1
has "version" "$dir/more" "$($perf0 --version)"
has "time-out said" "$dir/more" "stat: workload 'spin' ended: it did not end in time"

# There is no guest, and the task is never idle. Events of guests count 0 all the time; other modifiers change nothing.
for u in $(one_of skx zen4); do
	boot "$dir/guests" --uarch $u -- stat -e instructions:uI,instructions:uH,instructions:uG,instructions:uGH,instructions:h,task-clock:G loop 1000
	is "$u: modifiers I, H, G, GH and h" "$status $(awk '$2 ~ /^instructions:/ { print $1, $2 }' \
		"$dir/guests" | tr '\n' ' ')" "0 2,005 instructions:uI 2,005 instructions:uH \
0 instructions:uG 2,005 instructions:uGH 0 instructions:h "
	has "$u: a clock knows no guests" "$dir/guests" ' +0\.0*[1-9][0-9]* msec task-clock:G +#.*'
	is "$u: guests count 0, all of the time" "$(grep -c '%)' "$dir/guests")" 0
done

# On hsw both events need PMC2. The message tells why one of them cannot count.
boot "$dir/refused" --uarch hsw -- stat --no-mux -e '{r0148,r80008a3}' loop 10
is "--no-mux and a refused event: exit status" $status 1
is "--no-mux and a refused event: one line, with the reason" "$(grep -vc '^perf0: ' "$dir/refused")" 1
has "--no-mux and a refused event: the reason" "$dir/refused" \
	'stat: --no-mux: not all events can count at the same time: r80008a3: it needs PMC2, .*'
boot "$dir/room" --uarch hsw -- stat -e '{r0148,r80008a3},instructions:u' loop 1000 \; \
	stat -e r0148:D,r80008a3:D loop 10
is "no room in a group or beside it: exit status" $status 0
has "a sibling that was refused" "$dir/room" '   <not supported>      r80008a3 *'
has "what is left of its group" "$dir/room" '     <not counted>      r0148 *'
has "others count" "$dir/room" ' +2,005 +instructions:u *'
has "a pinned one without a counter is told why" "$dir/room" \
	'stat: not all pinned events can count at the same time: r80008a3:D needs PMC2; held by r0148:D on PMC2'

boot "$dir/nosvm" --cpu EPYC,-svm -- help
has "a CPU without SVM is told" "$dir/nosvm" 'perf0: vpmu: this CPU has no SVM; starting the image without'
boot "$dir/smp" --smp 2 --events ratios -- stat -e instructions:u loop 10
has "estimates are told" "$dir/smp" 'perf0: vpmu: skx, ht=on; .* counts are estimates, .*'

# libc looks at CPUID, which tells the same whatever is counted. So a program executes the same instructions.
executed() { $perf0 stat -x , -e instructions:u "$@" -- /bin/ls / 2>/dev/null >"$dir/executed" && sed -n 's/,,instructions:u.*//p' "$dir/executed"; }
for u in skx spr $(one_of hsw icl adl zen4); do
	executed=$(executed --uarch $u)
	is "$u: the same instructions whatever is counted" "$(executed --uarch $u --events counts) $(executed --uarch $u --events ratios)" \
		"$executed $executed"
done

# With --cpu-features programs find one CPU below each personality. Libraries know it by their own rules.
for level in x86-64-v2 $(either "" "x86-64 x86-64-v3"); do
	executed=$(executed --uarch skx --cpu-features $level)
	for machine in "--uarch $(one_of icl zen4 spr)" "--uarch $(one_of hsw adl zen2) --events counts" "--events ratios --cpu max"; do
		is "$level: the same instructions with $machine" "$(executed $machine --cpu-features $level)" "$executed"
	done
done
has "there are instructions" "$dir/executed" "[0-9]{4,},,instructions:u.*"
cat >"$dir/cpu.c" <<'SOURCE'
#include <stdio.h>
int main(void)
{
	__builtin_cpu_init();
	printf("%d %d %d %d %d\n", !!__builtin_cpu_supports("sse2"), !!__builtin_cpu_supports("sse4.2"), !!__builtin_cpu_supports("popcnt"),
	       !!__builtin_cpu_supports("avx2"), !!__builtin_cpu_supports("avx512f"));
	return 0;
}
SOURCE
gcc -O2 -o "$dir/cpu" "$dir/cpu.c"
features() { $perf0 run "$@" -- "$dir/cpu" 2>&1; }
is "a program finds x86-64" "$(features --cpu-features x86-64)" "1 0 0 0 0"
is "a program finds x86-64-v2" "$(features --cpu-features x86-64-v2)" "1 1 1 0 0"
is "a program finds x86-64-v3" "$(features --cpu-features x86-64-v3)" "1 1 1 1 0"
is "a program finds the machine" "$(features)" "1 1 1 1 0"
is "a program finds the machine by that name" "$(features --cpu-features machine)" "1 1 1 1 0"
is "a CPU without the features" "$($perf0 run --cpu-features x86-64-v3 --cpu Nehalem -- loop 1 2>&1)" \
	"perf0 run: --cpu-features x86-64-v3: --cpu Nehalem is x86-64-v2"
is "no QEMU has AVX-512" "$($perf0 run --cpu-features x86-64-v4 -- loop 1 2>&1)" \
	"perf0 run: --cpu-features x86-64-v4: no CPU that QEMU emulates has AVX-512; x86-64-v3 is the highest"
is "-v tells the level" "$($perf0 stat -v -e instructions:u --cpu-features x86-64-v2 -- loop 1 2>&1 | grep -c -e '--uarch skx, --cpu-features x86-64-v2, ')" 1

# -v tells the facts that counts depend on.
libc=$(ldd /bin/ls | sed -n 's/.*libc.so.6 => \([^ ]*\).*/\1/p')
id=$(readelf -n "$libc" | sed -n 's/.*Build ID: //p')
$perf0 stat -v -j -e instructions:u --uarch hsw --events counts --memory 512M -- /bin/ls / >"$dir/json" 2>"$dir/said"
has "-v tells what counts depend on" "$dir/said" \
	"perf0: counts depend on: perf0 [^ ]*, --uarch hsw, --events counts, plugin [0-9a-f]{40}, QEMU [0-9.]+, --cpu EPYC, --clock instructions, --smp 1, --memory 512, .*libc.so.6 $id.*"
is "-v -j: as an object" "$(tail -n 1 "$dir/json" | python3 -c 'import json, sys; m = json.loads(sys.stdin.read())["measured-on"]; print(m["--uarch"], m["--events"], m["libc.so.6"])')" "hsw counts $id"
is "diff reads that" "$($perf0 diff "$dir/json" "$dir/json")" "nothing differs"
finish
