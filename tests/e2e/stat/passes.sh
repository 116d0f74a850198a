# SPDX-License-Identifier: BSD-2-Clause
# --passes counts all events without multiplexing, in as few runs as possible. Each count is the exact count of one run,
# and no group is split.
. "$(dirname "$0")/../_lib.sh"

# table LOG N: prints the N-th table of the log as lines EVENT COUNT PASS.
table() {
	awk -v n="$2" '
		/^ Performance counter stats/ { table++ }
		{ sub(/ *\[(modelled|ratio|estimate)\]$/, "") }
		table != n || !/\[(pass [0-9]+|each pass)\]$/ { next }
		{
			gsub(",", "", $1)
			print $2 == "msec" ? $3 : $2, $1, $NF == "pass]" ? "each" : $NF + 0
		}' "$1"
}

# passes LOG N: prints the number of events in each pass of the N-th table, as "4 4 1".
passes() {
	table "$1" "$2" | awk '
		$3 != "each" { n[$3]++; if ($3 > last) last = $3 }
		END { for (i = 1; i <= last; i++) printf("%s%d", (i > 1 ? " " : ""), n[i]) }'
}

# counts LOG N EVENT: prints the different counts of the event in the N-th table.
counts() {
	table "$1" "$2" | awk -v event="$3" '$1 == event { print $2 }' | sort -u | xargs
}

walks=r0208,r0249,r0285,r0e08,r0e49,r0e85
insns=r00c0:u,r00c0:u,r00c0:u,r00c0:u,r00c0:u
loads=r01d1:u,r02d1:u,r04d1:u,r08d1:u,r10d1:u # MEM_LOAD_RETIRED: the low four

# `loop N` executes 2 * N + 5 instructions.
boot "$dir/hsw" --uarch hsw -- \
	stat --passes -e $insns,$insns,$insns,task-clock loop 100000 \; \
	stat --passes -r 3 -e $walks,instructions:u,instructions:uD loop 100000 \; \
	stat --passes --no-mux -e "{$insns},{r00c0:u,r00c4:u},$walks" loop 100000 \; \
	stat --passes -e r00c0:u loop 100000 \; \
	stat --passes --timeout 5 -e r0148,r0148 spin
is "hsw: exit status" $status 124
has "hsw: title" "$dir/hsw" " Performance counter stats for 3 passes of 'loop 100000' \(fewer are not possible\):"
is "hsw: fifteen on four counters and a fixed one" "$(passes "$dir/hsw" 1)" "5 5 5"
is "hsw: the same in each" "$(counts "$dir/hsw" 1 r00c0:u)" 200005
is "hsw: software events in each" "$(table "$dir/hsw" 1 | grep -c '^task-clock .* each$')" 1
has "hsw: runs" "$dir/hsw" " Performance counter stats for 2 passes of 'loop 100000' .* \(3 runs each\):"
is "hsw: a pinned one holds its counter in each" "$(passes "$dir/hsw" 2)" "4 3"
has "hsw: exact, and so in each" "$dir/hsw" ' +200,005 +instructions:uD .*\( identical \)  \[each pass\]'
has "hsw: exact in one of them" "$dir/hsw" ' +200,005 +instructions:u .*\( identical \)  \[pass 2\]'
has "hsw: time of each" "$dir/hsw" ' +[0-9.]+ \+- [0-9.]+ seconds time elapsed in pass 2  \( .* \)'
is "hsw: groups and others" "$(passes "$dir/hsw" 3)" "5 5 3"
is "hsw: groups stay whole" "$(table "$dir/hsw" 3 | awk 'NR < 8 { print $3 }' | xargs)" "1 1 1 1 1 2 2"
is "hsw: groups are exact" "$(counts "$dir/hsw" 3 r00c0:u)" 200005
has "hsw: one is enough" "$dir/hsw" " Performance counter stats for 1 pass of 'loop 100000':"
has "hsw: what ended early was not counted" "$dir/hsw" ' +<not counted> +r0148 .*\[pass 2\]'

boot "$dir/icl" --uarch icl -- stat --passes -e $loads,$walks,$insns loop 100000
is "icl: exit status" $status 0
has "icl: title" "$dir/icl" " Performance counter stats for 3 passes of 'loop 100000' \(fewer are not possible\):"
is "icl: sixteen, eleven of them on the low four" "$(table "$dir/icl" 1 | wc -l)" 16
is "icl: the same in each" "$(counts "$dir/icl" 1 r00c0:u)" 200005

boot "$dir/zen4" --uarch zen4 -- stat --passes -e $insns,$insns loop 100000 \; \
	watchdog on \; stat --passes -e $insns loop 100000 \; stat --passes -e $insns,$insns loop 100000
is "zen4: exit status" $status 0
is "zen4: ten on six" "$(passes "$dir/zen4" 1)" "6 4"
is "zen4: five beside the watchdog" "$(passes "$dir/zen4" 2)" 5
is "zen4: ten beside the watchdog" "$(passes "$dir/zen4" 3)" "5 5"
is "zen4: the same in each" "$(counts "$dir/zen4" 1 r00c0:u)" 200005

# Refusals.
boot "$dir/bad" -k --uarch hsw -- \
	stat --passes -e r0148:D,r0148,r00c0 loop 10 \; \
	stat --passes -e r0148:D,r0148:D loop 10 \; \
	stat --passes -e '{r0148,r80008a3}' loop 10 \; \
	stat --passes --policy fair -e r00c0 loop 10
is "bad: exit status" $status 1
has "bad: no room beside a pinned one" "$dir/bad" \
	'stat: --passes: a group has no place in any: r0148 needs PMC2; held by r0148:D on PMC2'
has "bad: no room for the pinned ones" "$dir/bad" \
	'stat: --passes: not all pinned events can count at the same time: r0148:D needs PMC2; .*'
has "bad: no room in the group" "$dir/bad" \
	'stat: --passes: not all events can count: r80008a3: it needs PMC2, .*'
is "bad: nothing was counted" "$(grep -c 'Performance counter stats' "$dir/bad")" 0
has "bad: nothing takes turns" "$dir/bad" 'stat: --passes and --policy exclude each other: events that count in passes take no turns'
boot "$dir/none" --no-vpmu -- stat --passes -e task-clock loop 1000 \; \
	stat --passes -e instructions,task-clock loop 1000
is "no PMU: exit status" $status 1
has "no PMU: the reason" "$dir/none" 'stat: --passes: not all events can count: instructions: .+'
has "no PMU: the clock works" "$dir/none" ' +[0-9.]+ msec task-clock .*\[each pass\]'
finish
