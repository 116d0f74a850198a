# SPDX-License-Identifier: BSD-2-Clause
# `--kvm` without KVM: a program stands for QEMU, which keeps its command line, and starts the real one with TCG in place
# of KVM. Its machine has no PMU, or that of vpmu with the registers as KVM shows them.
. "$(dirname "$0")/../_lib.sh"

cat >"$dir/qemu" <<'EOF2'
#!/usr/bin/env python3
import os, sys
open(os.environ["ARGS"], "w").write("\n".join(sys.argv[1:]) + "\n")
tcg = {"kvm": "tcg,thread=multi", "host,pmu=on": "EPYC"}
os.execvp("qemu-system-x86_64", ["qemu-system-x86_64", *(tcg.get(a, a) for a in sys.argv[1:])])
EOF2
chmod +x "$dir/qemu"
export ARGS="$dir/args"

# kvm LOG ARGS...: a stat on that machine; both outputs to LOG.
kvm() {
	log=$1
	shift
	timeout $patience $perf0 stat --kvm --qemu "$dir/qemu" "$@" >"$log" 2>&1
	status=$?
}

cpu=$(python3 -c 'import os; print(max(os.sched_getaffinity(0)))')
kvm "$dir/none" --pin "$cpu" -e instructions:u,task-clock -- loop 1000
is "a machine without a PMU: the status" "$status" 0
has "its counts are not there" "$dir/none" ' +<not supported> +instructions:u .*'
has "the CPU of KVM is the host's, with its PMU" "$ARGS" 'host,pmu=on'
is "KVM runs it" "$(grep -A 1 -x -e -accel "$ARGS" | tail -n 1)" kvm
is "there is no vpmu" "$(grep -c vpmu "$ARGS")" 0
has "its thread stays on a CPU" "$dir/none" "perf0: +CPUs of the host +$cpu"
has "pages of the memory are told" "$dir/none" 'perf0: +KiB of memory in pages of 2 MiB +([0-9]+|not told: .*)'
has "the host tells the time that it took" "$dir/none" 'perf0: +stolen: ns without a CPU of the host +([0-9]+|not told: .*)'
has "the host tells exits" "$dir/none" 'perf0: +exits from the guest +([0-9]+|not told: .*)'
has "the host counts, too" "$dir/none" 'perf0: +instructions:G, those of perf0 too +([0-9]+|not told: .*)'

has "for the one command" "$dir/none" "perf0: host of the machine \(KVM\), while 'stat' ran:"
has "and which span that is" "$dir/none" "perf0: +from perf0's reading of its begin to that of its end"

# host_json: the objects of the host in $dir/json, each in a line: the command, its CPUs, and whether all figures are there.
host_json() {
	python3 - "$dir/json" <<'EOF2'
import json, sys
for line in open(sys.argv[1]):
    if not line.startswith('{"kvm_host"'):
        continue
    host = json.loads(line)["kvm_host"]
    figures = "huge_kib", "stolen_ns", "exits", "instructions_guest"
    told = all((host[f] is None) == (f in host["not_told"]) and (host[f] is None or host[f] >= 0) for f in figures)
    print(host["command"], host["cpus"], host["span"], told, sep="; ")
EOF2
}
kvm "$dir/json" --pin "$cpu" -j -e task-clock -- loop 1000
is "as JSON: the status" "$status" 0
is "an object for the command" "$(host_json)" \
	"stat -j -e task-clock -- loop 1000; [$cpu]; from perf0's reading of its begin to that of its end; True"
has "behind the counts" "$dir/json" '\{"counter-value" : .*"event" : "task-clock".*'
kvm "$dir/log" --pin "$cpu" -j -o "$dir/json" -e task-clock -- loop 1000
is "-o: in that file" "$(host_json | wc -l)" 1
cp "$dir/json" "$dir/json2"
is "diff reads it" "$(timeout 60 $perf0 diff "$dir/json" "$dir/json2" >"$dir/log" 2>&1; echo $?)" 0
timeout $patience $perf0 run --kvm --qemu "$dir/qemu" -- stat -e task-clock loop 1000 \; stat -e task-clock loop 100000 \; \
	caps >"$dir/log" 2>&1
is "several commands: figures of each" "$(grep -c 'host of the machine (KVM), while .stat. ran:' "$dir/log")" 2
is "and of the third" "$(grep -c 'host of the machine (KVM), while .caps. ran:' "$dir/log")" 1

kvm "$dir/two" --smp 2 -e task-clock -- loop 1000
is "two CPUs: the status" "$status" 0
if [ "$(nproc)" -ge 2 ]; then
	has "each has a CPU of the host" "$dir/two" 'perf0: +CPUs of the host +[0-9]+,[0-9]+'
else
	has "the host has too few" "$dir/two" 'perf0: +CPUs of the host +any: 1 CPUs .* too few for 2 of the machine'
fi

kvm "$dir/log" --pin 1023 -e task-clock -- loop 1000
is "a CPU that is not there: the status" "$status" 2
has "and why" "$dir/log" 'perf0: --pin 1023: this process may not use CPU 1023'

kvm "$dir/vpmu" --vpmu --uarch kvm_intel -e instructions:u,branches:u -- loop 1000
is "vpmu plays KVM's PMU: the status" "$status" 0
has "and counts" "$dir/vpmu" ' +[0-9,]+ +instructions:u .*'

# vpmu with TCG plays KVM: each refusal of what KVM does not give its guests names KVM.
boot "$dir/intel" --uarch kvm_intel -- caps \; stat --certificate -e instructions:u,cycles:u,ref-cycles:u loop 100000 \; \
	record -b loop \; record -e cycles:pp loop \; stat -e mem-loads loop \; \
	stat -e cpu/event=0xb7,umask=1,offcore_rsp=0x10001/u loop \; stat -e msr/smi/ loop
has "Intel: KVM is told" "$dir/intel" ' +Under KVM +yes'
has "version 2" "$dir/intel" ' +Architectural perfmon version +2'
has "full writes, and nothing else" "$dir/intel" ' +PERF_CAPABILITIES +0x2000'
has "three fixed counters" "$dir/intel" ' +Fixed counters +0x7'
has "counts are exact" "$dir/intel" ' +200,0[0-9]+ +instructions:u .*'
has "the certificate has the stolen time" "$dir/intel" '.*ns stolen by the host 0'
has "no last branches" "$dir/intel" 'record: .*: KVM shows no registers of last branches to its guests'
has "no PEBS" "$dir/intel" 'record: .*: KVM shows no PEBS to its guests'
has "no load latency" "$dir/intel" 'stat: mem-loads: .*0x3f6, which this machine does not have: KVM shows it to no guest'
has "no off-core responses" "$dir/intel" 'stat: .*0x1a6, which this machine does not have: KVM shows it to no guest'
has "no count of SMIs" "$dir/intel" 'stat: msr/smi/: this CPU has no msr/smi/: KVM shows it to no guest'
boot "$dir/amd" --uarch kvm_amd -- caps \; stat -e instructions:u,cycles:u loop 100000 \; record -e ibs_op// loop \; \
	record -b loop \; stat -e cycles:p loop \; stat -e cycles:uP loop
has "AMD: KVM is told" "$dir/amd" ' +Under KVM +yes'
has "no PerfMonV2" "$dir/amd" ' +PerfMonV2 +no'
has "counts are exact there" "$dir/amd" ' +200,0[0-9]+ +instructions:u .*'
has "no IBS" "$dir/amd" 'record: ibs_op//: this CPU has no ibs_op: KVM shows it to no guest'
has "no precise events" "$dir/amd" 'stat: cycles:p: this CPU has no ibs_op: KVM shows it to no guest'
has "as precise as can be: not precise" "$dir/amd" ' +[0-9,]+ +cycles:uP .*'
has "no last branches there" "$dir/amd" 'record: .*: KVM shows no registers of last branches to its guests'

# plan LOG UARCH EVENT: a plan of one event for a guest of KVM.
plan() { timeout 60 $perf0 plan --uarch "$2" -e "$3" >"$1" 2>&1; }
plan "$dir/plan" kvm_intel cycles:p
has "plan refuses it, too: Intel" "$dir/plan" 'cycles:p: KVM shows no PEBS to its guests'
plan "$dir/plan" kvm_amd ibs_op//
has "and AMD" "$dir/plan" 'ibs_op//: this CPU has no ibs_op: KVM shows it to no guest'
finish
