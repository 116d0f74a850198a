# SPDX-License-Identifier: BSD-2-Clause
# Precise events: each sample is of the very instruction, and stock perf knows it for exact.
. "$(dirname "$0")/_lib.sh"

# Where instruction number k * period of hotcold stands, for k = 1 to n. A turn has 4004: CALL hot,
# its 3000, CALL cold, its 1000, DEC, JNZ (apps/workloads/hotcold_code.S).
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

# Fields of the samples, one line each, without blanks.
script() {
	perf script -i "$1" -F "$2" 2>/dev/null | awk 'NF { gsub(/[ \t]+/, " "); sub(/^ /, ""); print }'
}

period=1009
samples=$((4004 * 1000 / period))
expect $period $samples >"$dir/expected"
for u in hsw skx icl; do
	boot "$dir/$u" --uarch $u -o "$dir/$u.d" -- record -e instructions:ppu -c $period hotcold 1000
	is "$u: exit status" $status 0
	data=$dir/$u.d/perf.data
	script "$data" ip,sym,symoff | awk '{ print $2 }' >"$dir/$u.ips"
	is "$u: $samples samples" "$(grep -c . <"$dir/$u.ips")" "$samples"
	is "$u: each at its very instruction" "$(cmp "$dir/$u.ips" "$dir/expected" 2>&1)" ""
	is "$u: each marked as exact" \
		"$(perf script -D -i "$data" 2>/dev/null | grep -c 'RECORD_SAMPLE(IP, 0x4002)')" "$samples"
	has "$u: no NMI that nobody knows" "$dir/$u" ".* $samples samples of $samples overflows, 0 lost.*"
done

# Loads: all samples are of the one that chase follows its links by.
boot "$dir/mem" --uarch skx -o "$dir/mem.d" -- record -e cpu/mem-loads,ldlat=30/P -c 51 chase 100000 kib=4
is "mem-loads" $status 0
script "$dir/mem.d/perf.data" ip | sort | uniq -c | sort -rn >"$dir/mem.ips"
is "mem-loads: at one instruction" "$(awk 'NR == 1 && $1 > 50' "$dir/mem.ips" | grep -c .)" 1
at=0x$(awk 'NR == 1 { print substr($2, 7) }' "$dir/mem.ips")
objdump -d build/perf0.elf --start-address="$at" --stop-address=$((at + 3)) >"$dir/mem.code"
has "mem-loads: which is a load" "$dir/mem.code" '.*mov +\(%rdx\),%rdx'

# By frequency; beside an event that is not precise, and another one that is.
boot "$dir/freq" --uarch hsw -o "$dir/freq.d" -- record -e cycles:ppu -F 1000 loop 1000000
has "frequency: the books balance" "$dir/freq" '.* ([1-9][0-9]*) samples of \1 overflows, 0 lost.*'
boot "$dir/three" --uarch hsw -o "$dir/three.d" -- \
	record -e instructions:u,instructions:ppu,branches:ppu -c 5003 hotcold 500
# 4004 * 500 + 3 instructions, of which every fifth is a branch.
has "three events: each has its samples" "$dir/three" ".* $((400 + 400 + 80)) samples of 880 overflows, 0 lost.*"

# Ring 0 too, with a period that its own handler fills; and what cannot be precise.
boot "$dir/storm" --uarch skx -o "$dir/storm.d" -- record -e instructions:pp -c 100 loop 10000
has "storm: the books balance" "$dir/storm" '.* ([0-9]+) samples of \1 overflows, 0 lost.*'
boot "$dir/refused" --uarch hsw -- record -e cache-misses:p sleep 1
has "no precise form: refused" "$dir/refused" '.*cache-misses:p: this CPU \(haswell\) has no precise form of event 0x412e'
boot "$dir/stat" --uarch skx -- stat -e instructions:up loop 1000
has "counting is not precise" "$dir/stat" '.*precise_ip \(modifier p\) is for sampling: give a period.*'
finish
