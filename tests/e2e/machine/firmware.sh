# SPDX-License-Identifier: BSD-2-Clause
# vpmu's faults imitate how firmware and silicon disturb counters. Counters are on at the start, or are taken while an
# event counts. PMIs have skid; spurious NMIs come at once or later. CPUID does not report the crystal of the TSC.
# A counter cannot be set to every period.
. "$(dirname "$0")/../_lib.sh"

faults=skid:7,extranmi,latenmi:3000

for u in $(one_of skx zen4); do
	at=$dir/$u
	case $u in
	skx) set -- $u 0x200000002 PMC1,.FIXED1 0x187 0x43003c PMC0 ;;
	zen4) set -- $u 2 PMC1 0xc0010202 0x430076 PMC0 ;;
	esac
	boot "$at" --uarch "$u" --fault "inuse:$2,steal:1000000,crystal,$faults" -- caps \; \
		stat -e branches:u,branches:u loop 1000000 \; stat -e branches:u,branches:u loop 1000000 \; \
		record -v -e instructions:u -c 1009 loop 1000000 \; record -v -e instructions -c 5000 loop 100000 \; machine \; caps -j
	is "$u: status" $status 0
	has "$u: told at the start" "$at" ">?perf0: the firmware counts on $3 \(MSR $4 was $5\): taken from it, and looked after"
	has "$u: and by caps" "$at" "  Counters on at start, firmware's +$3 \(MSR $4 was $5\)"
	has "$u: the TSC is measured where its crystal is not told" "$at" "  TSC, kHz +1000000 from HPET"
	has "$u: which machine says, too" "$at" "TSC: 1000000 kHz by HPET; timer: one-shot"
	has "$u: samples of ring 3" "$at" '\[ perf0 record: 1982 samples of 1982 overflows, 0 lost, 0 refused; .*'
	is "$u: each PMI has two NMIs more" "$(awk '/NMIs served/ { print $5 * 2 - $8 - $10 }' "$at" | awk '{ n += $1 < -2 || $1 > 2 } END { print n + 0 }')" 0
	has "$u: what is taken is told" "$at" "branches:u: borrowed by firmware: it took $6 while this was counted there; .*"
	is "$u: one is not counted" "$(grep -c '<not counted> *branches:u' "$at")" 1
	is "$u: the others are exact" "$(grep -ac '^ *1,000,002 *branches:u' "$at")" 3
	has "$u: machine says so" "$at" ">?perf0: borrowed by firmware: $6, left out"
	has "$u: caps -j, too" "$at" '  "borrowed_counters": 1,'
done
[ ! -e "$dir/skx" ] || has "the base frequency is another" "$dir/skx" '  Base frequency, MHz +996'

# Haswell's counters are set 32 events or more before an overflow.
boot "$dir/hsw" --uarch hsw -- record -e instructions:u -c 20 loop 10000 \; record -e cpu/event=0xc0,umask=1/pu -c 100 loop 10000 \; \
	record -e instructions:u -c 1009 loop 10000
has "a short period is told" "$dir/hsw" "record: instructions:u: the period is 32 instead of 20: a counter of this CPU \(haswell\) is set 32 events or more before its overflow \(short periods\)"
has "and that of an erratum" "$dir/hsw" ".*: the period is 129 instead of 100: .* is set 128 events or more before its overflow \(HSW11\)"
is "others are not" "$(grep -c 'the period is' "$dir/hsw")" 2
finish
