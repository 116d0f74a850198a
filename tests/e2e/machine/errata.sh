# SPDX-License-Identifier: BSD-2-Clause
# Errata of PMUs, and counters that stand still, on vpmu's machine: each is told by caps, and counts and samples are
# right all the same. Unit tests (test_errata, test_branches) show the wrong results without the quirks.
. "$(dirname "$0")/../_lib.sh"

boot "$dir/still" --uarch skx --fault still:0x200000001 -- machine \; caps \; caps -j \; stat -e r01c4:u,r00c0:u loop 100000
is "counters that stand still: status" $status 0
has "told by machine" "$dir/still" '>?perf0: PMC0, FIXED1 count nothing, and are left out: .*'
has "and by caps" "$dir/still" '  Counters that count nothing +PMC0, FIXED1'
has "as JSON" "$dir/still" '  "still_counters": 8589934593,'
has "events count on the others" "$dir/still" ' *200,005 *r00c0:u .*'

boot "$dir/nhm" --uarch nhm --fault counters-reset -- caps \; stat -e r00c0:u,r01c4:u loop 100000
has "Nehalem: the erratum is told" "$dir/nhm" '  Quirk +counters-reset: AAK100 .*'
has "counters count after the sequence" "$dir/nhm" ' *200,005 *r00c0:u .*'

boot "$dir/zen2" --uarch zen2 -- caps \; caps -j \; record -e ibs_fetch// -c 16000 loop 1000000
has "Zen 2: the quirk is told" "$dir/zen2" '  Quirk +ibs-fetch-restart: .*'
has "as JSON" "$dir/zen2" '  "quirks": \["ibs-fetch-restart"\],'
has "each period begins with 0" "$dir/zen2" '\[ perf0 record: 125 samples of 125 overflows, 0 lost, 0 refused; .*'

# A hypervisor that promises a PMU by CPUID, and has a part of it only.
for msr in $(one_of 0x38f 0x38e 0x390 0x38d); do
	boot "$dir/part" --uarch skx --fault gp:$msr -- caps \; stat -e instructions:u loop 1000
	has "$msr faults: the reason" "$dir/part" "  Hardware events +MSR $msr faults, which CPUID promises: .*"
	has "no count is printed" "$dir/part" ' *<not supported> *instructions:u .*'
done
for msr in $(one_of 0x1d9 0x1c9 0x6c0 0xdc0); do
	boot "$dir/branches" --uarch skx --fault gp:$msr -- record -b -c 1000 loop 1000 \; stat -e instructions:u loop 1000
	has "$msr faults: no branch records" "$dir/branches" '.*no last branches are recorded .*a hypervisor hides them'
	has "$msr faults: counts" "$dir/branches" ' *2,005 *instructions:u .*'
done
boot "$dir/fixed" --uarch skx --fault gp:0x309 -- stat -e instructions:u loop 1000
has "a fixed counter that faults is left out" "$dir/fixed" '>?perf0: FIXED0 count nothing, and are left out: .*'
has "and a general one counts" "$dir/fixed" ' *2,005 *instructions:u .*'

for uarch in k8 fam10h; do
	boot "$dir/$uarch" --uarch $uarch --fault c1e-stops-apic --timeout 20 -- caps \; stat -e task-clock sleep 0.02
	is "$uarch, whose APIC timer stops in C1E: status" $status 0
	has "$uarch: the quirk is told" "$dir/$uarch" '  Quirk +c1e-stops-apic: .*'
	has "$uarch: a timer ends a sleep" "$dir/$uarch" '.* seconds time elapsed.*'
	# C1E that stays on: a write raises #GP or is dropped, or the register is hidden.
	for fault in $(one_of locked stuck gp:0xc0010055); do
		boot "$dir/c1e" --uarch $uarch --fault c1e-stops-apic --fault "$fault" --timeout 20 -- version \; \
			stat -e task-clock sleep 0.02
		is "$uarch, C1E that stays on ($fault): status" $status 0
		has "$uarch ($fault): one line tells it" "$dir/c1e" '>?perf0: C1E cannot be switched off: idle CPUs do not halt'
		has "$uarch ($fault): a timer ends a sleep" "$dir/c1e" '.* seconds time elapsed.*'
	done
done
finish
