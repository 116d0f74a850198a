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

boot "$dir/zen4" --uarch zen4 -- record -e cycles:p sleep 1
has "zen4: refused, and why" "$dir/zen4" '.*cycles:p: precise_ip \(modifier p\): this CPU has no PEBS.*'

finish
