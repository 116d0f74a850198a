# SPDX-License-Identifier: BSD-2-Clause
# Regions that a program marks: what `stat` was asked for is counted in each of them, to the digit.
. "$(dirname "$0")/../_lib.sh"

boot "$dir/log" --uarch skx -- \
	stat -x, -e instructions:u,branches:u regions 1000 ';' \
	stat -x, -e instructions:u,branches:u regions 2000 ';' \
	stat -r 3 -x, -e instructions:u,branches:u regions 1000 ';' \
	stat -e instructions:u regions 1000 ';' stat -j -e instructions:u regions 1000 ';' \
	stat -x, --passes -e instructions:u regions 1000 ';' stat -x, -e instructions:u loop 1000
is "exit status" $status 0

# count REGION CALLS [N]: instructions:u of the N-th table that has it.
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
finish
