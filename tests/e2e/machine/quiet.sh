# SPDX-License-Identifier: BSD-2-Clause
# --quiet-machine sets registers and restores all of them. The noise certificate appears as a text, as JSON, in the
# stream and in perf.data, on machines with and without faults of vpmu.
. "$(dirname "$0")/../_lib.sh"

# registers LOG N: prints the registers that the Nth `machine -j` printed, with their values before any was tried.
registers() { python3 -c '
import json, sys
found, text = [], open(sys.argv[1]).read()
for part in text.split("{\n  \"cpu\"")[1:]:
    found.append(json.JSONDecoder().raw_decode("{\n  \"cpu\"" + part)[0])
for r in found[int(sys.argv[2])]["registers"]:
    for c in r["cpus"]:
        print(r["key"], "%x" % r["msr"], c["cpu"], *["%x" % c[k] for k in sys.argv[3:]] or ["%x" % c["is"]], c["tried"])
' "$@"; }

# block LOG N: prints the Nth certificate, from its verdict to the blank line after it.
block() { awk -v n="$2" '/^ noise: /{ at++ } at == n && !/^$/ { print } at == n && /^$/ { exit }' "$1"; }

boot "$dir/skx" -o "$dir/run" --uarch skx -- machine -j \; stat -e instructions:u loop 1000 \; \
	stat --quiet-machine -e instructions:u loop 1000 \; stat --certificate -j -e instructions:u loop 1000 \; \
	stat --certificate -x , -e instructions:u loop 1000 \; stat --quiet-machine --prefetchers off -e instructions:u loop 1000000 \; \
	stat --quiet-machine --require-quiet -e instructions:u loop 1000 \; \
	costs --quiet-machine image.irq.timer \; machine -j \; machine \; \
	stat --quiet-machine --timeout 5 -e instructions:u spin \; machine -j \; \
	record --quiet-machine -e instructions:u -c 1000 loop 1000000
at=$dir/skx
has "what a machine has is told" "$at" '  HWP request +774 0 +80000f04 +a0a0a  set'
is "what is wanted, and what it becomes" "$(registers "$at" 0 is quiet | sort | paste -sd ';')" \
	"c1e 1fc 0 3 1 set;cstates e2 0 1e000007 1e000000 set;epb 1b0 0 6 0 set;freeze_smm 1d9 0 0 4000 set;hwp 774 0 80000f04 a0a0a set;perf_ctl 199 0 f00 f00 left alone;prefetchers 1a4 0 0 0 left alone;turbo 1a0 0 81 4000000081 set;uncore 620 0 818 1818 set"
is "all is put back" "$(registers "$at" 1)" "$(registers "$at" 0)"
is "also when the time is up" "$(registers "$at" 2)" "$(registers "$at" 0)"
is "by default nothing is said under a hypervisor" "$(grep -c "^ noise:" "$at")" 7
is "what was set is told" "$(block "$at" 1 | tail -n 1)" \
	"   turbo set, HWP request set, energy performance bias set, C1E set, package C-states set, uncore ratio set, counters freeze in SMM set"
has "nothing disturbed it" "$at" ' noise: PASS'
is "the frequency is pinned and nominal" "$(block "$at" 2 | grep -c 'APERF/MPERF 1.0000, spread 0.0000, frequency pinned yes, turbo off yes')" 1
is "prefetchers by choice" "$(block "$at" 2 | grep -c 'prefetchers off 0xf, microcode 0x2b0005c0')" 1
has "as JSON" "$at" '\{"noise" : \{"verdict" : "PASS", "quiet" : false, "disturbed_by" : \[\], "cpus" : 1, "smis" : 0, .*\}\}'
has "as a comment" "$at" '# noise: PASS; quiet=no cpus=1 smis=0 .*'
is "counts are the same" "$(grep -cE ' 2,005 +instructions:u' "$at")" 3
is "what is required is there" "$(grep -c 'require-quiet' "$at")" 0
perf report --header-only -i "$dir/run/perf.data" >"$dir/header" 2>/dev/null
has "perf.data tells it" "$dir/header" '# cmdline : perf0 .* # noise: PASS; quiet=yes cpus=1 smis=0 .*'

# figures LOG N: prints the figures of the Nth certificate in JSON.
figures() {
	grep -o '{"noise" .*' "$1" | sed -n "$2p" | python3 -c '
import json, sys
noise = json.loads(sys.stdin.read())["noise"]
noise.pop("knobs", 0)
print(sorted(noise.items()))'
}
$perf0 decode --json --command 4 "$dir/run/stream.perf0" >"$dir/decoded"
is "decode --json: what stat -j says" "$(figures "$dir/decoded" 1)" "$(figures "$at" 1)"
has "decode --json: it is there" "$dir/decoded" '\{"noise" : \{"verdict" : "PASS", "quiet" : false, "cpus" : 1, .*"disturbed_by" : \[\]\}\}'

# A register that faults, one that is locked, SMIs and heat.
boot "$dir/bad" -k --uarch skx --fault smi:100000,gp:0x774,locked,thermal -- machine -j \; \
	stat --quiet-machine -e instructions:u loop 1000 \; \
	stat --require-quiet -e instructions:u loop 1000 \; stat --require-quiet -e instructions:u -- false \; \
	stat --prefetchers 0x10 loop 1 \; stat --prefetchers maybe loop 1 \; stat --no-quiet --quiet-machine loop 1 \; machine -j
at=$dir/bad
is "quiet is required" $status 1
is "put back" "$(registers "$at" 1)" "$(registers "$at" 0)"
is "what cannot be had is told" "$(block "$at" 1 | tail -n 1)" \
	"   turbo set, HWP request refused, energy performance bias set, C1E set, package C-states locked, uncore ratio set, counters freeze in SMM set"
has "and what disturbed it" "$at" ' noise: disturbed by [0-9]+ SMIs, the CPU was too hot, a power or current limit was met, the frequency could not be pinned'
has "one line says why it failed" "$at" '>?(perf0: )?stat: --require-quiet: disturbed by [0-9]+ SMIs, the CPU was too hot, a power or current limit was met'
has "no such prefetcher" "$at" ".*stat: --prefetchers: '0x10' has bits beside 0xf, which this CPU has"
has "no mask" "$at" ".*stat: --prefetchers: 'maybe' is neither on, off nor a mask"

# Two CPUs of AMD's, which run faster than nominal unless the knobs forbid it. Times are the host's there.
boot "$dir/zen4" --uarch zen4 --smp 2 --fault turbo -- machine -j \; stat --certificate -a -e instructions:u loop 1000000 \; \
	stat --quiet-machine -a -e instructions:u loop 1000000 \; machine -j
at=$dir/zen4
has "turbo is seen" "$at" ' noise: disturbed by (.*, )?CPUs ran at 1[12][0-9] % of their nominal frequency.*'
has "and goes away" "$at" '   APERF/MPERF (1\.000[0-9]|0\.999[0-9]), spread 0\.000[0-9], frequency pinned yes, turbo off yes'
is "by both CPUs" "$(registers "$at" 0 is quiet | grep cppc | paste -sd ';')" \
	"cppc c00102b3 0 800014c8 8c8c8c set;cppc c00102b3 1 800014c8 8c8c8c set"
is "which get all back" "$(registers "$at" 1)" "$(registers "$at" 0)"

$perf0 stat --fault smirk loop 1 >"$dir/mistake" 2>&1
has "a fault that there is not" "$dir/mistake" "perf0 stat: --fault: there is no fault 'smirk'; there are: smi:N, gp:MSR, .*, counts-anywhere"
boot "$dir/real" --uarch skx --hypervisor-bit off -- stat -e instructions:u loop 1000
has "a machine that passes for a real one is made quiet" "$dir/real" ' noise: PASS'

finish
