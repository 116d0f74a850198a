# SPDX-License-Identifier: BSD-2-Clause
# perf0 reads a stream whose records take 260 times its bytes in memory for its bytes. A limit bounds the records' size,
# and an option raises the limit. perf0 reports insufficient memory in one line.
. "$(dirname "$0")/../_lib.sh"

room=160000 # KiB of addresses: the tool alone takes some 30,000

# limited KIB ARGS...: runs perf0 ARGS in KIB of memory; output goes to $dir/log.
limited() {
	(
		ulimit -v "$1"
		shift
		exec $perf0 "$@"
	) >"$dir/log" 2>&1 </dev/null
	status=$?
}

read -r packed unpacked <<END
$(python3 tests/e2e/tools/bomb.py "$dir/bomb.perf0" 380)
END
is "the stream is small, its records are not" "$((unpacked / packed > 200)) $((unpacked > room * 1024 * 2))" "1 1"
refusal='its records take more than 268435456 bytes, and are left out from there on \([0-9]+ frames\); --max-size SIZE allows more'

limited $room decode -o "$dir/perf.data" "$dir/bomb.perf0"
is "decode: status" $status 125
has "decode: what passed the limit" "$dir/log" "perf0: the stream is incomplete: $refusal"
size=$(wc -c <"$dir/perf.data")
is "decode: what fits is there" "$((size > 260 << 20)) $((size > 250 << 20 && size < 258 << 20))" "0 1"

limited $room decode --max-size 1M -o "$dir/perf.data" "$dir/bomb.perf0"
is "a lower limit: status" $status 125
size=$(wc -c <"$dir/perf.data")
is "a lower limit: no more than that" "$((size < 1100000))" 1

limited $room decode --max-size 1G -o "$dir/perf.data" "$dir/bomb.perf0"
is "a higher limit: status" $status 0
size=$(wc -c <"$dir/perf.data")
is "a higher limit: all is there" "$((size >= unpacked))" 1
limited $room decode --max-size 1G --folded -o "$dir/folded" "$dir/bomb.perf0"
is "folded: status" $status 0

limited $room attach --stream "$dir/stored.perf0" -o "$dir/perf.data" "$dir/bomb.perf0"
is "attach: status" $status 125
has "attach: what passed the limit" "$dir/log" "perf0: what came is incomplete: $refusal"
is "attach: all of the stream is stored" "$(cmp "$dir/bomb.perf0" "$dir/stored.perf0" && echo same)" same

for bad in 0 x 1X 1KB 20000000T -1; do
	$perf0 decode --max-size $bad "$dir/bomb.perf0" >"$dir/log" 2>&1
	is "--max-size $bad is refused" "$? $(wc -l <"$dir/log")" "2 1"
done

# Any allocation may fail: perf0 prints one line.
python3 tests/e2e/tools/bomb.py "$dir/few.perf0" 30 >"$dir/few"
short=0
for kib in 20000 24000 26000 28000 30000 32000 36000 40000 44000 48000 56000 64000; do
	limited $kib decode --max-size 1G --folded -o "$dir/folded" "$dir/few.perf0"
	[ $status -lt 126 ] || [ $status = 127 ] || not_ok "$kib KiB: status $status" "$(cat "$dir/log")"
	[ $status = 0 ] || short=$((short + 1))
	[ $status = 0 ] || [ "$(grep -vc 'no symbols' "$dir/log")" = 1 ] ||
		not_ok "$kib KiB: not one line" "$(cat "$dir/log")"
done
is "some of these sizes do not suffice" "$((short > 0))" 1
rm -f "$dir"/*.data "$dir"/*.old "$dir"/*.perf0
finish
