# SPDX-License-Identifier: BSD-2-Clause
# A program marks regions: `stat` counts its events in each region, exactly.
. "$(dirname "$0")/../_lib.sh"

boot "$dir/log" --uarch skx -- \
	stat -x, -e instructions:u,branches:u regions 1000 ';' \
	stat -x, -e instructions:u,branches:u regions 2000 ';' \
	stat -r 3 -x, -e instructions:u,branches:u regions 1000 ';' \
	stat -e instructions:u regions 1000 ';' stat -j -e instructions:u regions 1000 ';' \
	stat -x, --passes -e instructions:u regions 1000 ';' stat -x, -e instructions:u loop 1000
is "exit status" $status 0

# count REGION CALLS [N]: prints the region's instructions:u in the N-th table that has the region with CALLS calls.
count() { awk -F, -v r="$1" -v c="$2" -v n="${3:-1}" '$1 == r && $2 == c && $5 == "instructions:u" && ++k == n { print $3 }' "$dir/log"; }

first=$(count first 1) often=$(count often 10) all=$(count all 1)
is "one call more costs the same" "$((often % 10))" 0
is "of the turns, all are counted" "$(($(count first 1 2) - first))" 2000
is "and in ten calls ten times as many" "$(($(count often 10 2) - often))" 20000
is "a region holds those in it" "$([ "$all" -gt $((first + often)) ] && echo yes)" yes
is "three runs are added up" "$(count first 3) $(count often 30)" "$((3 * first)) $((3 * often))"
is "one that is left open is not told of" "$(grep -c '^left open' "$dir/log")" 0
has "branches, too" "$dir/log" 'often,10,[0-9]{5},,branches:u,.*'
has "as a table" "$dir/log" " Region 'often', 10 calls:"
has "as JSON" "$dir/log" '\{"region" : "often", "calls" : 10, "counter-value" : "[0-9.]+", .*'
is "with --passes the same" "$(count first 1 3)" "$first"
is "a workload without regions has none" "$(tail -n 1 "$dir/log" | cut -d, -f3)" instructions:u

# A program of the user's marks the same regions by LIKWID's macros.
cat >"$dir/marked.c" <<'END'
#include <likwid-marker.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	volatile unsigned x = 0;

	LIKWID_MARKER_INIT;
	LIKWID_MARKER_THREADINIT;
	LIKWID_MARKER_REGISTER("turns");
	for (int call = 0; call < 3; call++) {
		LIKWID_MARKER_START("turns");
		for (int i = 0; i < atoi(argv[1]); i++)
			x += 3;
		LIKWID_MARKER_STOP("turns");
	}
	if (argc > 2)
		LIKWID_MARKER_STOP("never begun");
	LIKWID_MARKER_CLOSE;
	return 0;
}
END
gcc -O1 -static -DLIKWID_PERFMON -Ibench -o "$dir/marked" "$dir/marked.c"
gcc -O1 -static -Wall -Werror -Ibench -o "$dir/unmarked" "$dir/marked.c"
boot "$dir/likwid" -- stat -m -x, -e branches:u "$dir/marked" 100 \; stat -m -x, -e branches:u "$dir/marked" 200 \; \
	stat -m -e branches:u "$dir/marked" 5 x \; stat -m -e branches:u "$dir/unmarked" 100
$perf0 stat -m -I 100 -e branches:u loop >"$dir/intervals" 2>&1
turns() { sed -n 's/^turns,3,\([0-9]*\),,branches:u,.*/\1/p' "$dir/likwid" | sed -n "$1p"; }
is "LIKWID: of the turns, all are counted" "$((($(turns 2) - $(turns 1)) % 300)) $(($(turns 2) > $(turns 1)))" "0 1"
is "LIKWID: -m prints no more than the regions" "$(grep -c ',branches:u,' "$dir/likwid")" 2
has "LIKWID: what was wrong" "$dir/likwid" "LIKWID_MARKER: region 'never begun' has not begun"
has "LIKWID: no region" "$dir/likwid" 'stat: --marker: the workload has marked no region'
has "LIKWID: no intervals" "$dir/intervals" '.*stat: --marker and --interval-print exclude each other: regions have no intervals'
"$dir/marked" 3 x 2>"$dir/native"
is "LIKWID: without perf0 the macros do nothing" "$? $(wc -c <"$dir/native")" "0 0"
finish
