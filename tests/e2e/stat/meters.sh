# SPDX-License-Identifier: BSD-2-Clause
# PMUs that count without interrupts: msr, power, uncore.
. "$(dirname "$0")/../_lib.sh"

# count LOG EVENT: prints the count on the event's only line, without commas.
count() { sed -nE "s|^ +([0-9,.]+) +([A-Z][a-z]+ +)?$2 .*|\1|p" "$1" | tr -d ,; }

boot "$dir/skx" --uarch skx -- stat -e msr/tsc/,msr/smi/,task-clock,power/energy-pkg/ loop 100000 \; \
	list msr/ \; stat -e msr/irperf/,msr/tsc/u,power/energy-gpu/,amd_df/event=7/ loop 10 \; \
	record -e msr/tsc/ -c 1000 loop 10
tsc=$(count "$dir/skx" msr/tsc/ | head -n 1)
is "msr/tsc/ counts while the task has the CPU" "$([ "${tsc:-0}" -ge 3200000 ] && [ "$tsc" -lt 4000000 ] && echo yes)" yes
is "no SMI" "$(count "$dir/skx" msr/smi/)" 0
has "energy is no task's" "$dir/skx" 'stat: power/energy-pkg/: power counts for a package, not for a task: take -a or -C'
has "what is there is listed" "$dir/skx" '  msr/tsc/ +\[Kernel PMU event\]'
has "what is not is told" "$dir/skx" 'stat: msr/irperf/: this CPU has no msr/irperf/'
has "no rings" "$dir/skx" 'stat: msr/tsc/u: msr knows neither rings nor guests: it takes no modifier u, k or G'
has "no such part" "$dir/skx" 'stat: power/energy-gpu/: this CPU has no power/energy-gpu/'
has "no such uncore" "$dir/skx" 'stat: amd_df/event=7/: this CPU has no amd_df that perf0 knows'
has "no samples" "$dir/skx" 'record: msr/tsc/: msr counts, but cannot sample: it does not interrupt'

# Uncore counters of vpmu: the parts add up to the whole, on whichever CPU they are read. perf0 starts the counters one
# by one, a few instructions apart.
boot "$dir/uncore" --uarch skx -- \
	stat -a -e msr/aperf/,msr/mperf/,power/energy-pkg/,power/energy-ram/,uncore_ubox/unc_u_clockticks/,uncore_cha_0/unc_cha_clockticks/ loop 1000000 \; \
	stat -a -e uncore_cha_0/unc_cha_tor_inserts.ia/,uncore_cha_0/unc_cha_tor_inserts.ia_hit/,uncore_cha_0/unc_cha_tor_inserts.ia_miss/,uncore_cha_3/unc_cha_tor_inserts.ia_miss/ dd \; \
	stat -a -x , -e power/energy-pkg/ loop 1000000 \; \
	stat -a -e '{uncore_ubox/event=0x42/,uncore_ubox/event=0x45/}',uncore_ubox/event=0x42/ loop 10 \; list uncore
at=$dir/uncore
near() { awk -v a="$1" -v b="$2" 'BEGIN { print(a > 0 && b > 0 && a < 1.01 * b && b < 1.01 * a ? "near" : a " and " b) }'; }
is "APERF and MPERF count" "$(near "$(count "$at" msr/aperf/)" "$(count "$at" msr/mperf/)")" near
has "energy in Joules" "$at" ' +0\.[0-9]+ Joules power/energy-pkg/ *'
is "the memory's is not the package's" \
	"$(awk -v p="$(count "$at" power/energy-pkg/)" -v r="$(count "$at" power/energy-ram/)" 'BEGIN { print(r > 0 && r < p) }')" 1
is "the boxes have one clock" \
	"$(near "$(count "$at" uncore_ubox/unc_u_clockticks/)" "$(count "$at" uncore_cha_0/unc_cha_clockticks/)")" near
hits=$(count "$at" uncore_cha_0/unc_cha_tor_inserts.ia_hit/)
misses=$(count "$at" uncore_cha_0/unc_cha_tor_inserts.ia_miss/)
is "hits and misses are all" "$(near $((hits + misses)) "$(count "$at" uncore_cha_0/unc_cha_tor_inserts.ia/)")" near
is "each agent has its share" "$(near "$misses" "$(count "$at" uncore_cha_3/unc_cha_tor_inserts.ia_miss/)")" near
has "energy for programs" "$at" '0\.[0-9]+,Joules,power/energy-pkg/,[0-9]+,100\.00,,'
has "counters that are taken" "$at" 'stat: uncore_ubox/event=0x42/: uncore_ubox has 2 counters, and other events have them all'
has "agents are listed" "$at" '  uncore_cha_0/unc_cha_clockticks/ +\[Kernel PMU event\]'
boot "$dir/zen4" --uarch zen4 -- \
	stat -a -e amd_l3/l3_lookup_state.l3_hit/,amd_l3/l3_lookup_state.l3_miss/,amd_l3/l3_lookup_state.all_coherent_accesses_to_l3/,amd_df/event=0x1f,umask=0x7fe/,power/energy-pkg/,msr/aperf/ dd
at=$dir/zen4
hits=$(count "$at" amd_l3/l3_lookup_state.l3_hit/)
misses=$(count "$at" amd_l3/l3_lookup_state.l3_miss/)
is "L3: hits and misses are all" \
	"$(near $((hits + misses)) "$(count "$at" amd_l3/l3_lookup_state.all_coherent_accesses_to_l3/)")" near
is "the data fabric brings what missed" "$(near "$misses" "$(count "$at" amd_df/event=0x1f,umask=0x7fe/)")" near
has "AMD's energy" "$at" ' +[0-9]+\.[0-9]+ Joules power/energy-pkg/ *'

# CPUs before Zen 4 have other selectors, and four counters of the data fabric. perf0 does not know the northbridge of
# family 15h.
if soaking; then
	boot "$dir/zen2" --uarch zen2 -- \
		stat -a -e amd_l3/event=0x04,umask=0xff/,amd_l3/event=0x06,umask=0x01/,amd_df/event=0x07,umask=0x38/,amd_df/event=0x47,umask=0x38/ dd
	at=$dir/zen2
	misses=$(count "$at" amd_l3/event=0x06,umask=0x01/)
	is "Zen 2: one in five lookups misses" "$(near $((5 * misses)) "$(count "$at" amd_l3/event=0x04,umask=0xff/)")" near
	channel=$(count "$at" amd_df/event=0x07,umask=0x38/)
	is "Zen 2: both channels move lines" "$(near "$channel" "$(count "$at" amd_df/event=0x47,umask=0x38/)")" near
	is "Zen 2: what missed, and what is written back" "$(near $((2 * channel)) $((3 * misses / 2)))" near
fi

$perf0 plan --uarch zen4 -e uncore_cha_0/event=1/,amd_l3/event=4/,msr/tsc/ >"$dir/plan" 2>&1
has "a plan knows the PMUs of each CPU" "$dir/plan" 'uncore_cha_0/event=1/: zen4 has no PMU uncore_cha_0'
has "and that they need no counter" "$dir/plan" ' +counted  amd_l3/event=4/'

finish
