#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# smp: all CPUs come up, with and without vpmu, in the right packages and cores. They serve each other. A panic names
# its CPU.
. "$(dirname "$0")/../_lib.sh"

# rows LOG: CPU, APIC id, package, core, thread, PMU, state.
rows() {
	awk '$NF == "online" || /left out/ { print $1, $2, $3, $4, $5, $8 == "none" ? $8 : $8 "/" $9, $NF }' "$1"
}

own="test_calls_run_on_their_cpu test_percpu_variables_are_apart test_stacks_are_apart test_clocks_agree
test_mutual_calls_with_interrupts_off test_timers_on_all_cpus test_nmis_to_the_others"

for n in $(either 4 "1 2 4"); do
	# shellcheck disable=SC2086
	boot "$dir/plain$n" --no-vpmu --smp $n -- cpus \; selftest $own
	is "$n CPUs without vpmu: each is online, in a core of its own" \
		"$(rows "$dir/plain$n")" "$(i=0; while [ $i -lt $n ]; do echo "$i $i 0 $i 0 none online"; i=$((i + 1)); done)"
	has "$n CPUs: they serve each other" "$dir/plain$n" "selftest: 7 passed, 0 failed, 0 skipped"
	is "$n CPUs: and nothing is complained about" "$(grep -c '^>*perf0: ' "$dir/plain$n")" 0
done

boot "$dir/two" -k --no-vpmu --smp 4 -- cpus=2 cpus=0 cpus
is "cpus=2 at boot uses two of four" "$(rows "$dir/two" | cut -d ' ' -f 1,2,7)" \
	"$(printf '0 0 online\n1 1 online\n- 2 out\n- 3 out')"
has "cpus=0 is refused" "$dir/two" ">perf0: 'cpus=0' wants a number of CPUs, 1 to 1024"

boot "$dir/threads" --uarch skx --smp 4,threads=2 -- cpus \; selftest test_calls_run_on_their_cpu \
	test_nmis_to_the_others test_clocks_agree test_tsc_that_is_ahead_is_found_and_corrected
is "4 CPUs under vpmu: two threads of each of two cores, each with a PMU" "$(rows "$dir/threads")" \
	"0 0 0 0 0 GenuineIntel/06-55 online
1 1 0 0 1 GenuineIntel/06-55 online
2 2 0 1 0 GenuineIntel/06-55 online
3 3 0 1 1 GenuineIntel/06-55 online"
has "4 CPUs under vpmu: they serve each other, and a TSC that is ahead is found" "$dir/threads" \
	"selftest: 4 passed, 0 failed, 0 skipped"
is "and no counts are said to be estimates" "$(grep -c estimates "$dir/threads")" 0

boot "$dir/bug" --no-vpmu --smp 4 -- bug 2
is "a panic on one CPU ends the run" "$status" 125
is "and says on which" "$(tr -d '\r' <"$dir/bug" | grep -c '^>perf0: panic on CPU 2: #DE, error code 0$')" 1
is "and no other CPU goes on" "$(grep -c 'panic' "$dir/bug")" 1
boot "$dir/nobug" --no-vpmu --smp 2 -- bug 2
is "a CPU that there is not is refused" "$status $(cat "$dir/nobug")" \
	"2 bug: wants the number of a CPU that is online"

$perf0 run --smp 4,threads=3 -- cpus >"$dir/bad" 2>&1
is "threads have to make up whole cores" "$? $(grep -c "'4,threads=3'" "$dir/bad")" "2 1"

finish
