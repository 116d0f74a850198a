# SPDX-License-Identifier: BSD-2-Clause
# Compares the shares of policy fair on random loads with GLPK's (tests/study): the short form of `make study`.
. "$(dirname "$0")/../_lib.sh"

timeout $patience build/study-shares 15 >"$dir/shares" 2>"$dir/progress"
is "status" $? 0
# column N GROUPS: prints column N of the row for GROUPS.
column() { awk -F ' *[|] *' -v row="$2" -v n="$1" '$2 == row { print $n }' "$dir/shares"; }
for groups in "3 to 10" "11 to 24" "25 to 48"; do
	is "$groups groups: all are judged" "$(column 3 "$groups")" 15
	is "$groups groups: what is proven is as GLPK has it" "$(column 5 "$groups")" "$(column 4 "$groups")"
done
is "3 to 10 groups: all are proven" "$(column 4 "3 to 10")" 15
is "11 to 24 groups: all are proven" "$(column 4 "11 to 24")" 15
is "3 to 10 groups: the shares of all groups, too" "$(column 7 "3 to 10") $(column 8 "3 to 10")" "15 15"

# On these loads groups once fell further behind with each slice, for ever.
timeout $patience build/study-shares stuck >"$dir/stuck"
is "loads that are hard to deal" "$(wc -l <"$dir/stuck")" 6
is "no group is more than six slices behind" "$(sed -nE 's/.*at most ([0-9.]+) slices.*/\1/p' "$dir/stuck" | awk '$1 < 6' | wc -l)" 6
finish
