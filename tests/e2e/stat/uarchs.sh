# SPDX-License-Identifier: BSD-2-Clause
# Each personality boots, looks like the CPU that it is named after, and counts the common events.
. "$(dirname "$0")/../_lib.sh"

$perf0 list uarchs >"$dir/list"
all=$(awk '/^  [a-z]/ { print $1 }' "$dir/list")
is "they are listed" "$(for u in hsw skx icl adl zen4 snb lnl cwf slm fam10h nhm zen2; do grep -cx "  $u  *[a-z].*" "$dir/list"; done | sort -u)" 1

# The facts that the image detects: the CPU's name, its counters, and the version of Intel's architecture or AMD's
# equivalent.
cat >"$dir/found" <<'EOF'
nhm|Intel Core i7-920 (perf0 vpmu) @ 1.00GHz|General counters                 0xf|Architectural perfmon version    3
snb|Intel Core i7-2600 (perf0 vpmu) @ 1.00GHz|General counters                 0xf|Architectural perfmon version    3
lnl|Intel Core Ultra 7 258V (perf0 vpmu) @ 1.00GHz|General counters                 0x3ff|Architectural perfmon version    6
cwf|Intel Xeon 6990E+ (perf0 vpmu) @ 1.00GHz|Fixed counters                   0x77|Architectural perfmon version    6|Auto counter reload              0xfc
slm|Intel Atom E3845 (perf0 vpmu) @ 1.00GHz|General counters                 0x3|General counter width            40
fam10h|AMD Phenom II X4 955 (perf0 vpmu)|Extended core counters           no|PerfMonV2                        no
zen2|AMD Ryzen 9 3900X (perf0 vpmu)|Extended core counters           yes|PerfMonV2                        no
EOF

amd=$(sed -n 's/.*ROW(\([a-z0-9_]*\), AMD,.*/\1/p' include/perf0/personalities.h)
intel=$(echo "$all" | grep -vxF "$amd")
is "those of Intel and of AMD are all" "$(($(echo $intel | wc -w) + $(echo $amd | wc -w)))" "$(echo $all | wc -w)"
# shellcheck disable=SC2086 # words
for u in $(one_of $intel) $(one_of $amd); do
	boot "$dir/$u" --uarch $u -o "$dir/$u.out" -- caps \; stat -x , -e instructions:u,branches:u -- loop 100000 \; \
		stat -x , -e cycles:u,branch-misses:u -- loop 100000 \; record -e instructions:u -c 10007 -- hotcold
	is "$u: it boots, and ends well" "$status" 0
	is "$u: instructions and branches are exact" \
		"$(awk -F , '$3 == "instructions:u" || $3 == "branches:u" { printf "%s ", $1 }' "$dir/$u")" "200005 100002 "
	is "$u: cycles and mispredictions are counted" \
		"$(awk -F , '$3 == "cycles:u" || $3 == "branch-misses:u" { n += $1 > 0 } END { print n }' "$dir/$u")" 2
	has "$u: a sample each 10007 instructions" "$dir/$u" '\[ perf0 record: 2000 samples of 2000 overflows, 0 lost, 0 refused; .*'
	grep "^$u|" "$dir/found" | tr '|' '\n' | sed 1d >"$dir/lines"
	while read -r line; do
		is "$u: ${line%%  *}" "$(grep -cF "$line" "$dir/$u")" 1
	done <"$dir/lines"
done

# --counters gives a personality other counters than the CPU has.
boot "$dir/shaped" --uarch spr --counters gp:5,width:40,version:1 -- caps \; stat -x , -e instructions:u,branches:u -- loop 100000
is "other counters: they are found" "$(grep -cE '^  (Architectural perfmon version    1|General counters                 0x1f|General counter width            40|Fixed counters                   0x0)$' "$dir/shaped")" 4
is "other counters: they count the same" \
	"$(awk -F , '$3 == "instructions:u" || $3 == "branches:u" { printf "%s ", $1 }' "$dir/shaped")" "200005 100002 "
if soaking; then
	while read -r u gp line; do
		boot "$dir/$u" --uarch "$u" --counters "gp:$gp" -- caps \; stat -x , -e instructions:u,branches:u -- loop 100000
		is "$u: $gp counters" "$(grep -cE "^  $line$" "$dir/$u")" 1
		is "$u: they count the same" \
			"$(awk -F , '$3 == "instructions:u" || $3 == "branches:u" { printf "%s ", $1 }' "$dir/$u")" "200005 100002 "
	done <<-END
		zen2 4 Extended core counters +no
		zen4 3 Core counters +3
	END
fi

finish
