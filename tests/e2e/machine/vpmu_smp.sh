# SPDX-License-Identifier: BSD-2-Clause
# vpmu on several CPUs: each CPU has a PMU of its own and gets the interrupts of that PMU. CPUs of a package share its
# counters. Cores of a hybrid differ. A CPU works without a comparator of the HPET, too.
. "$(dirname "$0")/../_lib.sh"

tests="test_every_cpu_counts test_energy_is_of_the_package"

# pmus FILE: prints how many online CPUs have each PMU, from the output of `cpus`.
pmus() {
	sed -n 's/ *online$//p' "$1" | tr -s ' ' | cut -d ' ' -f 9- | sort | uniq -c | sed 's/^ *//'
}

# types FILE: prints the kinds of the cores, in order.
types() {
	awk '$NF == "online" {print $6}' "$1" | xargs
}

# cpus_of UARCH WHAT: checks a machine with four CPUs of UARCH. WHAT is their vendor and signature.
cpus_of() {
	# shellcheck disable=SC2086
	boot "$dir/$1" --uarch "$1" --smp 4 -- cpus ';' selftest $tests ';' \
		stat -a --certificate -e instructions loop 300000
	is "$1: four CPUs" $status 0
	is "$1: no estimates are told" "$(grep -c estimates "$dir/$1")" 0
	is "$1: all are its" "$(pmus "$dir/$1")" "4 $2"
	has "$1: no NMI is vpmu's own" "$dir/$1" '.*, unknown 0, #MC .*'
	grep -E '^(not )?ok - ' "$dir/$1"
}

other=$(one_of skx hsw icl zen4)
for u in adl $other; do
	case $u in
	hsw) cpus_of hsw "GenuineIntel 06-3c" ;;
	skx) cpus_of skx "GenuineIntel 06-55" ;;
	icl) cpus_of icl "GenuineIntel 06-7e" ;;
	adl) cpus_of adl "GenuineIntel 06-97" ;;
	zen4) cpus_of zen4 "AuthenticAMD 19-61" ;;
	esac
done
is "a hybrid's small cores come last" "$(types "$dir/adl")" "core core atom atom"
for u in $other; do
	is "$u: its cores are of one kind" "$(types "$dir/$u")" "- - - -"
done

# shellcheck disable=SC2086
boot "$dir/one" -- selftest $tests
is "one CPU does the same" "$(grep -c '^ok - ' "$dir/one")" 2

# The HPET of this QEMU has enough comparators for two CPUs only.
printf '#!/bin/sh\nexec qemu-system-x86_64 "$@" -global hpet.timers=4\n' >"$dir/qemu"
chmod +x "$dir/qemu"
boot "$dir/few" --qemu "$dir/qemu" --ht off --smp 3 -- cpus \; stat -A -C 1,2 -e instructions:u journey 20000 \; \
	record -C 2 -e instructions:u -c 1009 journey 20000
has "a comparator too few is told" "$dir/few" 'perf0: vpmu: 3 CPUs, but only 2 comparators of the HPET .*'
is "that CPU has a PMU all the same" "$(pmus "$dir/few")" "3 GenuineIntel 06-55"
has "which counts" "$dir/few" 'CPU2 +80,035 +instructions:u .*'
has "and where QEMU's plugin stops it, it is on time" "$dir/few" '\[ perf0 record: 79 samples of 79 overflows, 0 lost, 0 refused; .*'
finish
