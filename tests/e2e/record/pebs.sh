# SPDX-License-Identifier: BSD-2-Clause
# Precise events: each sample has the address of the instruction that overflowed, and stock perf marks it as exact.
. "$(dirname "$0")/../_lib.sh"

# expect PERIOD N: prints the location of instruction number k * PERIOD of hotcold, for k = 1 to N. A turn has 4004
# instructions: CALL hot, 3000 of hot, CALL cold, 1000 of cold, DEC, JNZ (apps/workloads/hotcold_code.S).
expect() {
	awk -v period="$1" -v n="$2" '
		function burner(name, i, last) {
			if (i < 2) return name "+0x" (i ? 5 : 0)
			if (i > last - 2) return name "+0x" (i == last ? "b" : "a")
			return name "+0x" (i % 2 ? 8 : 6)
		}
		function at(i) {
			if (i == 0) return "workload_hotcold+0x0"
			if (i <= 3000) return burner("hot", i - 1, 2999)
			if (i == 3001) return "workload_hotcold+0x5"
			if (i <= 4001) return burner("cold", i - 3002, 999)
			return "workload_hotcold+0x" (i == 4002 ? "a" : "d")
		}
		BEGIN { for (k = 1; k <= n; k++) print at((k * period - 1) % 4004) }'
}

# script FILE FIELDS: prints these fields, a line for each sample, with single blanks.
script() {
	perf script -i "$1" -F "$2" 2>/dev/null | awk 'NF { gsub(/[ \t]+/, " "); sub(/^ /, ""); print }'
}

period=1009
samples=$((4004 * 1000 / period))
expect $period $samples >"$dir/expected"
taken=$(personalities hsw skx icl)
for u in $taken; do
	boot "$dir/$u" --uarch $u -o "$dir/$u.d" -- record -e instructions:ppu -c $period hotcold 1000
	is "$u: exit status" $status 0
	data=$dir/$u.d/perf.data
	script "$data" ip,sym,symoff | awk '{ print $2 }' >"$dir/$u.ips"
	is "$u: $samples samples" "$(grep -c . <"$dir/$u.ips")" "$samples"
	is "$u: each at its very instruction" "$(cmp "$dir/$u.ips" "$dir/expected" 2>&1)" ""
	is "$u: each marked as exact" \
		"$(perf script -D -i "$data" 2>/dev/null | grep -c 'RECORD_SAMPLE(IP, 0x4002)')" "$samples"
	has "$u: no unknown NMI" "$dir/$u" ".* $samples samples of $samples overflows, 0 lost.*"
done

# Records of loads. chase follows its links by MOV (%rdx),%rdx: the record has the address of a line of memory, RDX the
# loaded value. That is the address of line * 5 + 12347, modulo the number of lines (apps/workloads/chase.c). The memory
# of chase exceeds L2, and only the loads of chase take as long as ldlat asks for.
heap=0x401000000000
for u in $taken; do
	case $u in hsw) kib=1024 ;; skx) kib=4096 ;; icl) kib=2048 ;; esac
	lines=$((kib * 16))
	boot "$dir/$u.mem" --uarch $u -o "$dir/$u.mem.d" -- \
		record -e cpu/mem-loads,ldlat=30/uP -c 1009 -d -W --intr-regs=DX chase 100000 kib=$kib
	is "$u: mem-loads" $status 0
	data=$dir/$u.mem.d/perf.data
	script "$data" addr,ip,iregs | sed -n 's/^\(401[0-9a-f]*\) \([0-9a-f]*\) .* DX:0x\([0-9a-f]*\).*/\1 \3 \2/p' >"$dir/$u.links"
	is "$u: enough loads with an address" "$(awk 'END { print (NR > 50) }' "$dir/$u.links")" 1
	is "$u: all of one instruction" "$(awk '{ print $3 }' "$dir/$u.links" | sort -u | grep -c .)" 1
	wrong=0
	while read -r from to _; do
		line=$(((0x$from - heap) / 64))
		[ $((heap + (line * 5 + 12347) % lines * 64)) = $((0x$to)) ] || wrong=$((wrong + 1))
	done <"$dir/$u.links"
	is "$u: each from its line to the next" "$wrong" 0
	is "$u: none quicker than was asked for" "$(script "$data" weight | awk '$1 < 30' | grep -c .)" 0
	perf mem report --stdio -i "$data" >"$dir/$u.mem.report" 2>"$dir/$u.mem.err"
	is "$u: perf mem report" $? 0
	has "$u: perf mem report has L3" "$dir/$u.mem.report" ".* L3 or L3 hit .* \\[heap\\] .*"
	is "$u: and nothing else" "$(grep -c '\[heap\]' "$dir/$u.mem.report")" "$(grep -c 'L3 or L3 hit' "$dir/$u.mem.report")"
done

# Registers have their values after the instruction: in hot ECX counts down from 1498, in cold from 498.
boot "$dir/regs" --uarch icl -o "$dir/regs.d" -- record -e instructions:ppu -c $period --intr-regs=CX,IP hotcold 100
is "registers: exit status" $status 0
script "$dir/regs.d/perf.data" ip,iregs >"$dir/regs"
is "registers: RIP is the sample's" "$(awk '{ sub("IP:0x", "", $NF); if ($NF != $1) print }' "$dir/regs" | grep -c .)" 0
is "registers: ECX counts down" "$(awk -v period=$period '
	function left(j, n) { return j / 2 < n ? n - int(j / 2) : 0 }
	{
		i = (NR * period - 1) % 4004
		cx = i > 3001 ? left(i - 3002, 498) : i ? left(i - 1, 1498) : 0
		if ($3 != sprintf("CX:0x%x", cx)) print
	}' "$dir/regs" | grep -c .)" 0

# A precise event with a frequency, and precise events beside others.
boot "$dir/freq" --uarch hsw -o "$dir/freq.d" -- record -e cycles:ppu -F 1000 loop 1000000
has "frequency: the books balance" "$dir/freq" '.* ([1-9][0-9]*) samples of \1 overflows, 0 lost.*'
boot "$dir/three" --uarch hsw -o "$dir/three.d" -- \
	record -e instructions:u,instructions:ppu,branches:ppu -c 5003 hotcold 500
# There are 4004 * 500 + 3 instructions. Every second one is a branch.
has "three events: each has its samples" "$dir/three" ".* $((400 + 400 + 199)) samples of 999 overflows, 0 lost.*"

# With ring 0 the handler of an overflow fills the next period. Events that cannot be precise are refused.
boot "$dir/storm" --uarch skx -o "$dir/storm.d" -- record -e instructions:pp -c 100 loop 10000
has "storm: the books balance" "$dir/storm" '.* ([0-9]+) samples of \1 overflows, 0 lost.*'
boot "$dir/refused" --uarch hsw -- record -e cache-misses:p sleep 1 ';' stat -e instructions:up loop 1000
has "no precise form: refused" "$dir/refused" '.*cache-misses:p: this CPU \(haswell\) has no precise form of event 0x412e'
has "counting is not precise" "$dir/refused" '.*precise_ip \(modifier p\) is for sampling: give a period.*'

finish
