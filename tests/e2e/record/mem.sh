# SPDX-License-Identifier: BSD-2-Clause
# Samples of memory accesses have the addresses, data sources and latencies of the program's accesses, in `perf script`,
# `perf mem report`, `perf annotate` and `perf c2c report`. The program is tests/linux/memory_accesses.c, the machine
# skx: L1D 32 KiB in 4 cycles, L2 1 MiB in 14, last level 22 MiB in 60, memory in 250; STLB 9 more, a walk
# 9 and the level of its entry.
. "$(dirname "$0")/../_lib.sh"

gcc -g -O1 -static -no-pie -pthread -o "$dir/memory" tests/linux/memory_accesses.c

record() {
	data=$dir/$1.data
	shift
	$perf0 record --machine-timeout $patience --uarch skx -o "$data" "$@" >"$data.log" 2>&1
	status=$?
}

# loads: prints "SOURCE|CYCLES" for each load that follows links.
loads() {
	perf script -i "$data" -F ip,sym,weight,data_src 2>/dev/null |
		sed -n 's/.*|LVL \([^|]*\)|.* \([0-9][0-9]*\)  *[0-9a-f][0-9a-f]* follow *$/\1|\2/p'
}

# A row is KiB, loads, source and latencies. Most loads of a chain through that memory find their data at one level, in
# its latency.
for row in "16 20000 L1 or L1 hit|4" "512 20000 L2 or L2 hit|14 23" "4096 150000 L3 or L3 hit|60 69" \
	"65536 20000 Local RAM or RAM hit|250 259 263 273"; do
	kib=${row%% *} rest=${row#* }
	n=${rest%% *} what=${rest#* }
	record "chase$kib" -e cpu/mem-loads,ldlat=3/uP -c 211 -d -W --phys-data -- "$dir/memory" chase "$kib" "$n"
	is "chase of $kib KiB" $status 0
	loads >"$dir/loads"
	is "$kib KiB: most are ${what%|*}" "$(awk -F '|' -v level="${what%|*}" -v cycles=" ${what#*|} " '
		$1 == level && index(cycles, " " $2 " ") { n++ }
		END { print (NR > 80 && n * 2 > NR) ? "yes" : n " of " NR }' "$dir/loads")" yes
	perf mem report --stdio --sort=mem -i "$data" >"$dir/report" 2>/dev/null
	is "$kib KiB: perf mem report says so" "$(sed -n 's/^ *[0-9.]*% *[0-9]*  \(.*[^ ]\) *$/\1/p' "$dir/report" | head -n 1)" "${what%|*}"
done

# A physical address has the same offset in its page as the virtual one.
perf script -i "$data" -F addr,phys_addr 2>/dev/null | grep '[0-9]' >"$dir/addresses"
is "physical addresses are of the same place in a page" "$(while read -r va pa; do
	[ $((0x$va & 4095)) = $((0x$pa & 4095)) ] && [ $((0x$pa)) != 0 ] || echo "$va $pa"
done <"$dir/addresses" | head -n 3)" ""

# Matrices: the strided operand misses, in the line that multiplies, where the prefetcher by stride does not help: it
# stays in a page of four rows. With blocks there are no such misses.
record naive -e cpu/mem-loads,ldlat=14/uP -c 20011 -d -W -- "$dir/memory" naive
perf script -i "$data" -F addr,ip 2>/dev/null | grep '[0-9]' >"$dir/naive"
line=$(grep -n '// naive$' tests/linux/memory_accesses.c | cut -d: -f1)
is "naive: nine in ten at the line that strides" "$(awk '{ print $2 }' "$dir/naive" | addr2line -e "$dir/memory" |
	awk -v line=":$line\$" '$1 ~ line { n++ } END { print (NR > 30 && n * 10 >= NR * 9) ? "yes" : n " of " NR }')" yes
b=$((0x$(nm "$dir/memory" | sed -n 's/ B b$//p')))
is "naive: nine in ten addresses in b" "$(while read -r va _; do
	[ $((0x$va)) -ge $b ] && [ $((0x$va)) -lt $((b + 128 * 128 * 8)) ] && echo in || echo out
done <"$dir/naive" | awk '/in/ { n++ } END { print (n * 10 >= NR * 9) ? "yes" : n " of " NR }')" yes
is "naive: each sample is the program's, also the last ones" "$(perf script -i "$data" -F pid,tid 2>/dev/null | grep -cv '2/2')" 0
perf annotate --stdio -l -s multiply_naive -i "$data" >"$dir/annotate" 2>/dev/null
has "naive: perf annotate" "$dir/annotate" " *(9[0-9]|100)\\.[0-9]+ +memory_accesses.c:$line"
perf c2c report --stdio -i "$data" >"$dir/c2c" 2>/dev/null
is "perf c2c report" $? 0
has "perf c2c: loads are from L2" "$dir/c2c" ' *Load L2D hit +: +[1-9][0-9]+ *'
has "perf c2c: none is another CPU's" "$dir/c2c" ' *Load Local HITM +: +0 *'
record blocked -e cpu/mem-loads,ldlat=14/uP -c 20011 -d -W -- "$dir/memory" blocked
has "blocked: no such loads" "$data.log" '.* [0-5] samples of .*'

# Stores have an address, and whether they hit L1.
record stores -e cpu/mem-stores/uP -c 101 -d -- "$dir/memory" chase 4096 10
perf script -i "$data" -F addr,ip,sym,data_src 2>/dev/null | grep '|OP STORE|LVL L1 .* main *$' >"$dir/stores"
is "stores: of each line one, its first word" "$(awk '{ print $1 }' "$dir/stores" | sort -u | grep -c '[048c]0$')" "$(grep -c . "$dir/stores")"
is "stores: enough of them" "$(awk 'END { print (NR > 500) ? "yes" : NR }' "$dir/stores")" yes

# Without a model of a core, samples have none of these fields.
record counts --events counts -e cpu/mem-loads,ldlat=3/uP -c 211 -d -W -- chase 100000
is "--events counts: no source" "$(perf script -i "$data" -F data_src 2>/dev/null | sed 's/^ *//' | grep -v '^ *$' | sort -u | grep -cv 'LVL N/A')" 0
has "--events counts: told" "$data.log" '.*cannot give this: .*weight.*'

finish
