# SPDX-License-Identifier: BSD-2-Clause
# The caches of vpmu/micro against those of another program: the accesses of one run (valgrind's lackey) through
# both, with the same sizes, no prefetcher, physical addresses equal to virtual ones. What differs is the run
# itself: what a tool of valgrind hands to a program at its start is not the same for each.
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

# Prints a number of cachegrind's summary: the first one after the name, which is a pattern.
summed() { sed -nE "s/^==[0-9]+== $1: +([0-9,]+).*/\1/p" "$dir/cachegrind" | tr -d ,; }
# Prints a number of the replay's summary.
ours() { sed -E "s/(^|.* )$1 ([0-9]+).*/\2/" "$dir/ours"; }

valgrind --tool=lackey --trace-mem=yes --log-fd=9 "$dir/caches" 9>"$dir/trace" >"$dir/said"
# each SIZE: KiB and ways of the first level and of the last.
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
	# An instruction across two lines may miss twice here, and once there; of so few that is more.
	near "$*: misses of I1" "$(ours I1)" "$(summed 'I1 +misses')" 5
done
rm -f "$dir/trace"
finish
