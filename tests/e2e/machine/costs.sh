# SPDX-License-Identifier: BSD-2-Clause
# The image's costs: an interrupt costs the same number of instructions each time, and the counter that measures it is
# free again afterwards.
. "$(dirname "$0")/../_lib.sh"

# value ROW [N]: of the N-th run in the log; 0 when there is none.
value() { awk -v row="$1" -v run="${2:-1}" '$1 == row && ++n == run { v = $2 } END { print v + 0 }' "$log"; }

same=' +([0-9]+) instructions +least \1, mean \1, of 64'

boot "$dir/skx" --uarch skx -- costs \; stat -e instructions:u loop 1000 \; costs
is "skx: exit status" $status 0
for row in image.irq.timer image.pmi.ip_tid_time_period image.read.rdpmc image.read.syscall image.syscall.getpid \
	image.syscall.write_1B image.fault.minor image.futex.wake_wait image.clone_exit image.fork_exec_wait \
	vpmu.exit.rdmsr_counter vpmu.exit.wrmsr_counter vpmu.exit.rdpmc vpmu.exit.cpuid; do
	has "skx, $row: each costs the same" "$dir/skx" "$row$same"
done
for row in image.irq.timer image.pmi.ip_tid_time_period image.rotate.8_on_4; do
	is "skx, $row: the same again" "$(value $row 2)" "$(value $row)"
done
is "skx: a timer's interrupt costs more than entry and exit" \
	"$([ "$(value image.irq.timer)" -gt 50 ] && echo yes)" yes
is "skx: and a rotation more than that" \
	"$([ "$(value image.rotate.8_on_4)" -gt "$(value image.irq.timer)" ] && echo yes)" yes
has "skx: rows that it does not suit are named" "$dir/skx" \
	'image.fair.rotate_64_groups +not measured: wants 8 general counters, there are 4'
has "skx: the counter is given back" "$dir/skx" ' +2,005 +instructions:u +.*'

boot "$dir/icl" -k --uarch icl -- costs image.fair.rotate_64_groups \; costs image.rotate.8_on_4 \; \
	costs nosuch
is "icl: a row asked for by name that cannot be measured is a failure" $status 1
has "icl, image.fair.rotate_64_groups" "$dir/icl" \
	'image.fair.rotate_64_groups +[0-9]+ instructions +least [0-9]+, mean [0-9]+, of 64; shares found before, by the host'
has "icl: a row that there is not" "$dir/icl" "costs: there is no 'nosuch'; there are: image.*"

# A line without shared memory, as a stick has it: no host answers, and the slices search.
boot "$dir/alone" --serial --uarch icl -- costs image.fair.rotate_64_groups
is "alone: exit status" $status 0
has "alone: the slices search" "$dir/alone" \
	'image.fair.rotate_64_groups +[0-9]+ instructions +least [0-9]+, mean [0-9]+, of 64; the slices search for the shares'

boot "$dir/zen4" --uarch zen4 -- costs
has "zen4: a general counter does it too" "$dir/zen4" "image.irq.timer$same"
has "zen4: so does vpmu" "$dir/zen4" "vpmu.exit.rdpmc$same"

# most U ROW N: the row takes at most N: sampling and vpmu have a budget.
most() {
	log=$dir/$1
	is "$1, $2: at most $3 instructions" "$(value "$2" | awk -v most="$3" \
		'{ print ($1 > 0 && $1 <= most) ? "yes" : $1 }')" yes
}

for u in skx zen4; do
	most $u image.pmi.ip_tid_time_period 300
	most $u image.pmi.cpu_callchain8 600
	most $u image.read.rdpmc 14
	most $u image.read.syscall 200
	most $u image.syscall.getpid 60
	most $u vpmu.exit.rdmsr_counter 60
	most $u vpmu.exit.wrmsr_counter 60
	most $u vpmu.exit.rdpmc 60
	most $u vpmu.exit.cpuid 350
done

# No row takes an instruction more than the committed figure.
for u in skx icl; do
	awk -v u=$u '$1 ~ /^(image|vpmu)\./ && $3 == "instructions" && !seen[$1]++ { print u, $1, $2 }' "$dir/$u"
done >"$dir/rows"
tests/bench/exact <"$dir/rows" >"$dir/exact"
is "no exact row is above tests/bench/baseline" $? 0
cat "$dir/exact"
awk '{ $3++; print }' "$dir/rows" | tests/bench/exact >"$dir/above"
is "one instruction more is found" "$? $(grep -c '^above: ' "$dir/above")" "1 $(wc -l <"$dir/rows")"
sed 1d "$dir/rows" | tests/bench/exact >"$dir/gone"
is "a row that is missing, too" "$? $(grep -c '^gone: ' "$dir/gone")" "1 1"

# Where a counter takes 32 bits, it costs no more.
boot "$dir/snb" --uarch snb -- costs vpmu.exit.wrmsr_counter
most snb vpmu.exit.wrmsr_counter 60

boot "$dir/none" --no-vpmu -- costs
is "no PMU: exit status" $status 1
has "no PMU: the reason" "$dir/none" 'costs: MSR 0x[0-9a-f]+ does not keep what is written to it: .*'
finish
