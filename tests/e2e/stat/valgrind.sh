# SPDX-License-Identifier: BSD-2-Clause
# Compares counts of programs in the booted image with valgrind's counts of the same files. Each count is the difference
# between two runs that differ in their rounds alone. Instructions are equal. Misses are within 1 %, without a
# prefetcher, and with the personality's L1D and L2 (as valgrind's last level). They differ for two reasons. L2 uses
# physical addresses here, so different pages share its sets; and the caches contain lines of the kernel at first.
. "$(dirname "$0")/../_lib.sh"

if ! command -v valgrind >/dev/null; then
	skip "instructions and misses, as valgrind has them" "there is no valgrind here"
	finish
	exit
fi
gcc -O1 -static -I. tests/linux/caches.c -o "$dir/caches"
gcc -O2 -static -I. tests/linux/closed.c -o "$dir/closed"

# A row: the rounds of both runs, and the program's words, with %s for the rounds.
rows() {
	cat <<-END
		1 3 $dir/caches %s
		1 3 $dir/closed transpose %s 0
		100 300 $dir/closed divides %s 7
	END
	soaking && cat <<-END
		4 8 $dir/caches %s
		1 3 $dir/closed transpose %s 8
		100 900 $dir/closed branches %s
		100 900 $dir/closed ten %s
		100 900 $dir/closed packed %s
		100 900 $dir/closed locked %s
		100 900 $dir/closed split %s 60
		100 900 $dir/closed chance %s
		100 900 $dir/closed period %s 20
		2 8 $dir/closed stream %s 65536
		2 8 $dir/closed pages %s 1000
	END
}

# runs: prints the two commands of each row, a line each.
runs() {
	rows | while read -r less more words; do
		# shellcheck disable=SC2059 # a format
		printf "$words\n$words\n" "$less" "$more"
	done
}

# summed PATTERN: prints the first number after that name in cachegrind's summary.
summed() { sed -nE "s/^==[0-9]+== $1: +([0-9,]+).*/\1/p" "$dir/cachegrind" | tr -d ,; }

# If valgrind joined blocks of code (--vex-guest-chase), it would also count code after a branch out of their middle.
runs | while read -r words; do
	# shellcheck disable=SC2086 # words
	valgrind --tool=cachegrind --vex-guest-chase=no --cache-sim=yes --cachegrind-out-file=/dev/null \
		--I1=32768,8,64 --D1=32768,8,64 --LL=1048576,16,64 $words >"$dir/said" 2>"$dir/cachegrind"
	echo "$(summed 'I +refs') $(summed 'D1 +misses') $(summed 'LL misses')"
done >"$dir/valgrind"

# shellcheck disable=SC2046 # words
boot "$dir/image" --prefetch off -- $(runs | sed 's/.*/stat -x , -e instructions:u,r0151:u,r2724:u -- & ;/' | sed '$s/ ;$//')
is "exit status" $status 0
sed -nE 's/^([0-9]+),,[a-z0-9]+:u,.*/\1/p' "$dir/image" | paste -d ' ' - - - >"$dir/perf0"
is "as many runs" "$(grep -c . "$dir/perf0")" "$(runs | grep -c .)"

# differences FILE: prints the differences between the two runs of each pair.
differences() { awk '{ if (NR % 2) { a = $1; b = $2; c = $3 } else print $1 - a, $2 - b, $3 - c }' "$dir/$1"; }
differences perf0 >"$dir/perf0.differences"
differences valgrind | paste -d ' ' "$dir/perf0.differences" - >"$dir/both"

# close WHAT GOT WANTED: checks for a difference of at most 1 %, or of 64 lines, a page. The pages that share a set
# depend on their physical addresses.
close() {
	if awk -v a="$2" -v b="$3" 'BEGIN { d = a > b ? a - b : b - a; exit !(d <= 64 || d <= b / 100) }'; then
		ok "$1: $2 of $3"
	else
		not_ok "$1" "got:    $2" "wanted: $3, within 1 %"
	fi
}
exec 3<"$dir/both"
while read -r instructions d1 ll of_instructions of_d1 of_ll <&3; do
	row=$((${row:-0} + 1))
	what=$(rows | sed -n "${row}s/ [^ ]*\/\([a-z]*\)/ \1/p")
	is "$what: instructions" "$instructions" "$of_instructions"
	close "$what: misses of D1" "$d1" "$of_d1"
	close "$what: misses of LL" "$ll" "$of_ll"
done
finish
