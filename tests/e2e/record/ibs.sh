#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Instruction-Based Sampling: stock perf reads tagged instructions with their data, and each of them ran.
. "$(dirname "$0")/../_lib.sh"

uarch=zen4
record() {
	data=$dir/$1.data
	shift
	$perf0 record --machine-timeout $patience --uarch "$uarch" -o "$data" "$@" >"$data.log" 2>&1
	status=$?
}

# addresses FILE: prints each address of a sample, and how many samples have it.
addresses() { perf script -i "$1" -F ip 2>/dev/null | sort | uniq -c; }

# In a workload of two loops only the workload's instructions are tagged, each at its exact address.
record op -e ibs_op/cnt_ctl=1/u -c 10000 -d -W -R -- hotcold
is "ibs_op: exit status" $status 0
is "ibs_op: books" "$(sed -n 's/^\[ perf0 record: \([0-9]*\) samples of \([0-9]*\) overflows, 0 lost, 0 refused.*/\1 \2/p' \
	"$data.log" | awk '{ print ($1 == $2 && $1 >= 2000) ? "balanced" : $0 }')" balanced
perf report -D -i "$data" >"$data.dump" 2>&1
is "ibs_op: every sample is exact and of ring 3" \
	"$(grep 'PERF_RECORD_SAMPLE(' "$data.dump" | grep -vc '(IP, 0x4002)')" 0
objdump -d --no-show-raw-insn build/perf0.elf | awk '{ sub(":", "", $1); print $1 }' | sort >"$dir/insns"
perf script -i "$data" -F ip,symoff,sym >"$data.script" 2>/dev/null
is "ibs_op: samples are in the workload" "$(grep -cvE '(hot|cold|workload_hotcold)' "$data.script")" 0
base=$((0x400000000000))
perf script -i "$data" -F ip 2>/dev/null | sort -u | while read -r ip; do
	printf '%x\n' $((0x$ip - base))
done | sort | comm -23 - "$dir/insns" >"$dir/strays"
is "ibs_op: every address is that of an instruction" "$(cat "$dir/strays")" ""
has "perf decodes the raw registers" "$data.dump" 'ibs_op_ctl:.*MaxCnt *10000 .*CntCtl 1=uOps.*'

record fetch -e ibs_fetch// -c 10000 -d -R -- hotcold
is "ibs_fetch: exit status" $status 0
perf report -D -i "$data" >"$data.dump" 2>&1
has "perf decodes ibs_fetch" "$data.dump" 'ibs_fetch_ctl:.*MaxCnt *10000 .*'

# perf0 samples cycles:pp of the core PMU by ibs_op.
record precise -e cycles:pp -c 160000 -- hotcold
is "cycles:pp: exit status" $status 0
is "cycles:pp: hot and cold" "$(perf script -i "$data" -F ip,sym 2>/dev/null | awk "{ print \$2 }" | grep -xE "(hot|cold)" |
	sort -u | xargs)" "cold hot"

# Data addresses: the workload walks through its memory.
record mem -e ibs_op/cnt_ctl=1/u -c 1040 -d -W -- touch 20000
is "mem: exit status" $status 0
perf mem report --stdio -i "$data" >"$data.report" 2>&1
is "perf mem report" $? 0
has "perf mem report tells the level" "$data.report" '.*L1 hit.*'
is "addresses of data lie in the workload's memory" \
	"$(perf script -i "$data" -F addr 2>/dev/null | grep -vE '^ *(0|40[0-2][0-9a-f]{9}) *$' | head -3)" ""

# With ldlat only slow loads are sampled. They come from memory.
if soaking; then
	uarch=zen5
	gcc -O1 -static -o "$dir/matrix" tests/linux/matrix.c
	record slow -e ibs_op/cnt_ctl=1,ldlat=200/u -c 1072 -d -W -- "$dir/matrix"
	is "ldlat: exit status" $status 0
	perf script -i "$data" -F weight,data_src 2>/dev/null >"$data.script"
	is "ldlat: loads of memory that took longer" "$(awk '/OP LOAD.LVL Local RAM/ && $NF > 200 { n++ }
		END { print(n > 5 && n == NR ? "all" : n " of " NR) }' "$data.script")" all
fi

# Refusals; all share one boot.
boot "$dir/refused" --uarch zen4 -- record -e cycles:ppp -- loop 10 ';' \
	record -e instructions:p -- loop 10 ';' stat -e ibs_op// -- loop 10 ';' \
	record -e ibs_op// -c 1001 -- loop 10 ';' record -e ibs_op//,ibs_op// -c 16000 -- loop 10 ';' \
	record -e ibs_op/ldlat=128/ -c 16000 -- loop 10
has "precise_ip 3" "$dir/refused" '.*precise_ip is 2 at most.*'
has "instructions:p" "$dir/refused" '.*only cycles \(r076\) and ops \(r0c1\) can be precise.*'
has "no counting" "$dir/refused" '.*ibs_op samples, and does not count.*'
has "a period" "$dir/refused" '.*a period is a multiple of 16'
has "two at once" "$dir/refused" '.*ibs_op is one, and another event has it'
has "no latencies before Zen 5" "$dir/refused" ".*this CPU knows no ldlat, as AMD's do from Zen 5 on"
boot "$dir/intel" --uarch skx -- record -e ibs_op// -c 16000 -- loop 10
has "no IBS on Intel" "$dir/intel" '.*this CPU has no ibs_op'

finish
