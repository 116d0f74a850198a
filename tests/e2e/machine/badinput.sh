# SPDX-License-Identifier: BSD-2-Clause
# Bad input that reaches the image (-k): each mistake gives one clear line and a status, and the machine goes on. All
# mistakes share one boot.
. "$(dirname "$0")/../_lib.sh"

set --
n=0
while IFS='|' read -r command line; do
	[ -n "$command" ] || continue
	# shellcheck disable=SC2086 # words
	set -- "$@" $command \;
	echo "$line" >>"$dir/lines"
	n=$((n + 1))
done <<'EOF'
nosuch|>perf0: unknown command 'nosuch'.*
stat -e nosuch loop 1|stat: -e nosuch: column 1: .+
stat -e cycles,bogus loop 1|stat: -e cycles,bogus: column 8: .+
stat -e cycles:z loop 1|stat: -e cycles:z: column 8: .+
stat -e r loop 1|stat: -e r: column [12]: .+
stat -e {cycles loop 1|stat: -e \{cycles: column [0-9]+: .+
stat -r 0 loop 1|stat: --repeat: '0' is not a number from 1 to 100000
stat -r x loop 1|stat: --repeat: 'x' is not a number from 1 to 100000
stat -z loop 1|stat: unknown option '-z'.*
stat -e|stat: --event wants a value
stat|stat: no workload given.*
stat nosuch|stat: unknown workload 'nosuch'.*
stat loop x|stat: loop: 'x' is no N: .*
stat loop 1 2|stat: loop takes no argument '2'.*
stat dd count=1 count=2|stat: dd: count is given twice
stat sleep x|stat: sleep: 'x' is no SECONDS: a number from 0 to 3600 is wanted
stat dd nope=3|stat: dd takes no argument 'nope=3'.*
record -c 0 loop 1|record: --count: '0' is not a number from 1 to .*
record -c abc loop 1|record: --count: 'abc' is not a number .*
record -c 18446744073709551616 loop 1|record: --count: .* is not a number .*
record -e instructions -c 1 loop 100|record: instructions: stopped: serving an overflow takes more than a period of 1; .*
record -e cycles:k -c 37 loop 1000|record: cycles:k: stopped: .*
record -e nosuch loop 1|record: -e nosuch: column 1: .+
record -m 0 loop 1|record: --mmap-pages: '0' is neither a number of pages, .*
record --overwrite --live loop 1|record: --overwrite and --live exclude each other: .*
record --overwrite -e step_trace//u loop 1|record: --overwrite and an event that traces \(step_trace//\) exclude each other: .*
record -m 4KB loop 1|record: --mmap-pages: '4KB' is neither a number of pages, .*
record -m 17000 loop 1|record: --mmap-pages: '17000' is neither a number of pages, .*
caps extra|caps: takes no argument 'extra'
costs nosuch|costs: there is no 'nosuch'; there are: image.*
help nosuch|help: unknown command 'nosuch'.*
stat crash 0|stat: workload 'crash 0' ended: #PF .*read of address 0x0
stat crash 1|stat: workload 'crash 1' ended: #PF .*write of address .*
stat crash 2|stat: workload 'crash 2' ended: #PF .*execution of address .*
stat crash 3|stat: workload 'crash 3' ended: #GP .*
stat crash 4|stat: workload 'crash 4' ended: #DE .*
stat crash 5|stat: workload 'crash 5' ended: #PF .*write of address .*
stat --timeout 10 spin|stat: workload 'spin' ended: it did not end in time
record --timeout 10 spin|record: workload 'spin' ended: it did not end in time
EOF
boot "$dir/log" -k -- "$@" stat -e instructions:u loop 1000
is "status of the first that failed" $status 127
while read -r line; do
	has "said: $line" "$dir/log" "$line"
done <"$dir/lines"
has "the machine goes on" "$dir/log" ' +2,005 +instructions:u +'
is "as many complaints as mistakes" "$(grep -cE '^(>perf0|stat|record|caps|costs|help): ' "$dir/log")" "$n"

# Each mistake alone gives its own status.
while read -r wanted command; do
	# shellcheck disable=SC2086
	boot "$dir/one" -k -- $command
	is "status of: $command" $status "$wanted"
done <<'EOF'
2 stat -e nosuch loop 1
139 stat crash 0
EOF

# A workload that never ends: the host tool's time-out ends it, keeps the results and leaves no process behind.
# On a busy host the time-out may expire before the workload begins.
for seconds in 2 20 80 320; do
	boot "$dir/spin" --timeout $seconds -o "$dir/spin.d" -- stat -e instructions:u spin
	grep -q 'the workload was ended' "$dir/spin" && break
done
is "time-out of the host tool: status" $status 124
has "time-out of the host tool: said" "$dir/spin" "perf0: timed out after $seconds s: the workload was ended"
has "the count is still told" "$dir/spin" ' +[0-9,]+ +instructions:u +'

# A vpmu that starts nothing does not leave the machine standing: the run ends with its reason, without -v.
boot "$dir/refuses" --timeout 250 --cpu qemu64,+svm --cpu-features x86-64-v3 -- caps
is "vpmu refuses the CPU: status, and two lines" "$status $(grep -v '^$' "$dir/refuses")" \
	"125 perf0: vpmu: features=x86-64-v3: this CPU has not all of them
perf0: the image was not started"

# A mistake beside names that only the host tool knows is reported before booting, with its column in the typed list.
for command in stat record; do
	list=l1d_pend_miss.pending,nosuch
	$perf0 $command --uarch hsw -e $list -- loop 1 >"$dir/column" 2>&1
	is "$command: status" "$? $(wc -l <"$dir/column")" "2 1"
	has "$command: column" "$dir/column" "perf0: $command: -e $list: column 23: there is no event 'nosuch'"
done
boot "$dir/columns" -k --uarch hsw -- stat -e cycles,nosuch::foo loop 1 \; stat -e instructions:u loop 1000
is "one of several: status" $status 2
has "one of several: column" "$dir/columns" \
	"perf0: stat: -e cycles,nosuch::foo: column 8: event 'nosuch::foo': event not found"
has "one of several: the others run" "$dir/columns" ' +2,005 +instructions:u +'

for bad in "--uarch nosuch" "--ht maybe" "--timeout x" "--nosuch" "--smp 0"; do
	# shellcheck disable=SC2086
	$perf0 run $bad -- caps >"$dir/tool" 2>&1
	is "host tool refuses $bad" "$? $(wc -l <"$dir/tool")" "2 1"
done
finish
