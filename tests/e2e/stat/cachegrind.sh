# SPDX-License-Identifier: BSD-2-Clause
# Compares the caches of vpmu/micro with valgrind's cachegrind. The accesses come from a run under valgrind's lackey.
# Sizes are the same, there is no prefetcher, and physical addresses equal virtual ones. The two runs differ slightly,
# because valgrind's tools do not give a program the same data at its start.
. "$(dirname "$0")/../_lib.sh"

if ! command -v valgrind >/dev/null; then
	skip "misses of caches, as cachegrind has them" "there is no valgrind here"
	finish
	exit
fi
gcc -O1 -static -I. tests/linux/caches.c -o "$dir/caches"

# near WHAT GOT WANTED [PERCENT]: checks that GOT is within PERCENT (1) of WANTED.
near() {
	if awk -v a="$2" -v b="$3" -v p="${4:-1}" 'BEGIN { exit !(b > 0 && (a - b) ^ 2 <= (b * p / 100) ^ 2) }'; then
		ok "$1: $2 of $3"
	else
		not_ok "$1" "got:    $2" "wanted: $3, within ${4:-1} %"
	fi
}

# summed PATTERN: prints the first number after that name in cachegrind's summary.
summed() { sed -nE "s/^==[0-9]+== $1: +([0-9,]+).*/\1/p" "$dir/cachegrind" | tr -d ,; }
# ours NAME: prints the number after NAME in the replay's summary.
ours() { sed -E "s/(^|.* )$1 ([0-9]+).*/\2/" "$dir/ours"; }

valgrind --tool=lackey --trace-mem=yes --log-fd=9 "$dir/caches" 9>"$dir/trace" >"$dir/said"
# A row is KiB and ways of the first level, KiB and ways of the last.
for sizes in "32 8 256 8" $(either "" "48_12_512_16 16_4_128_16"); do
	# shellcheck disable=SC2046
	set -- $(echo "$sizes" | tr _ ' ')
	valgrind --tool=cachegrind --cache-sim=yes --cachegrind-out-file=/dev/null --I1="$(($1 * 1024)),$2,64" \
		--D1="$(($1 * 1024)),$2,64" --LL="$(($3 * 1024)),$4,64" "$dir/caches" >"$dir/said" 2>"$dir/cachegrind"
	build/replay "$@" <"$dir/trace" >"$dir/ours"
	near "$*: instructions" "$(ours I)" "$(summed 'I +refs')"
	near "$*: accesses to data" "$(ours D)" "$(summed 'D +refs')"
	near "$*: misses of D1" "$(ours D1)" "$(summed 'D1 +misses')"
	near "$*: misses of LL" "$(ours LL)" "$(summed 'LL misses')"
	# An instruction across two lines may miss twice here, but once in cachegrind. The misses are few, so 5 %.
	near "$*: misses of I1" "$(ours I1)" "$(summed 'I1 +misses')" 5
done
rm -f "$dir/trace"
finish
