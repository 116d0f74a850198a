# SPDX-License-Identifier: BSD-2-Clause
# An overwritable ring holds exactly the newest records. Rings have the requested sizes.
. "$(dirname "$0")/../_lib.sh"

# ips FILE: prints the samples' addresses in the order of time.
ips() { perf script -i "$1" -F ip 2>/dev/null | awk 'NF { print $1 }'; }

# take COMMAND: decodes the recording of that command of $stream into $dir/COMMAND.data.
take() { $perf0 decode --command "$1" "$stream" -o "$dir/$1.data" >"$dir/decode" 2>&1; }

# `hotcold N` executes 4004 * N + 3 instructions. A sample of `record` has 7 words of 8 bytes.
n=150
period=1009
all=$(((4004 * n + 3) / period))
fit=$((16384 / 56))
for u in $(personalities hsw skx icl zen4); do
	boot "$dir/$u" --uarch $u -o "$dir/$u.d" -- \
		record -e instructions:u -c $period hotcold $n ';' \
		record --overwrite -m 3 -e instructions:u -c $period hotcold $n ';' \
		record --overwrite -e instructions:u -c 10007 hotcold $n ';' \
		record --overwrite -m 16K -e '{instructions:u,branches:u}' -c $period hotcold $n
	is "$u: exit status" $status 0
	stream=$dir/$u.d/stream.perf0
	for c in 0 1 2 3; do take $c; done
	is "$u: all samples of the first run" "$(ips "$dir/0.data" | wc -l)" $all
	is "$u: as many as fit of the second" "$(ips "$dir/1.data" | wc -l)" $fit
	is "$u: they are the newest ones" "$(ips "$dir/1.data" | md5sum)" \
		"$(ips "$dir/0.data" | tail -n $fit | md5sum)"
	has "$u: the others are counted" "$dir/$u" \
		"\[ perf0 record: $fit samples of $all overflows, 0 lost, 0 refused, $((all - fit)) overwritten; .*"
	is "$u: a ring that was not filled holds all" "$(ips "$dir/2.data" | wc -l)" \
		$(((4004 * n + 3) / 10007))
	is "$u: two events: as many as fit" "$(ips "$dir/3.data" | wc -l)" $fit
	is "$u: two events: both" "$(perf script -i "$dir/3.data" -F event 2>/dev/null | sort -u | grep -c :u)" 2
	is "$u: perf has names for all" "$(perf script -i "$dir/1.data" -F sym 2>/dev/null |
		grep -cvxE ' *(hot|cold|workload_hotcold|) *')" 0
	is "$u: perf has no complaint" "$(perf report --stdio -i "$dir/1.data" 2>&1 >/dev/null | grep -v '^$')" ""
done
perf evlist -v -i "$dir/1.data" >"$dir/evlist" 2>/dev/null
has "the event says write_backward" "$dir/evlist" 'instructions:u: .* write_backward: 1'
has "what was mapped comes by an event of its own" "$dir/evlist" 'dummy:u: .* mmap2: 1.*'

# Sizes: in pages or bytes, rounded up to a power of two. Each ring is full, so its size shows.
boot "$dir/sizes" -- \
	record -m 3 -e instructions:u -c $period hotcold $n ';' \
	record -m 4097B -e instructions:u -c $period hotcold $n ';' \
	record -m 17K -e instructions:u -c $period hotcold $n
is "sizes: exit status" $status 0
is "sizes: samples that were kept" \
	"$(sed -n 's/^\[ perf0 record: \([0-9]*\) samples.*/\1/p' "$dir/sizes" |
		awk '{ printf "%d ", $1 * 56 / 4096 + 0.5 }')" "4 2 8 "
finish
