# SPDX-License-Identifier: BSD-2-Clause
# PMUs whose registers count without interrupting: msr, power, uncore.
. "$(dirname "$0")/_lib.sh"

# count LOG EVENT: what its one line says, without commas.
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
has "no rings" "$dir/skx" 'stat: msr/tsc/u: msr does not know rings: it takes no modifier u or k'
has "no such part" "$dir/skx" 'stat: power/energy-gpu/: this CPU has no power/energy-gpu/'
has "no such uncore" "$dir/skx" 'stat: amd_df/event=7/: this CPU has no amd_df that perf0 knows'
has "no samples" "$dir/skx" 'record: msr/tsc/: msr counts, but cannot sample: it does not interrupt'

finish
