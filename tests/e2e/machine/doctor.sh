# SPDX-License-Identifier: BSD-2-Clause
# The self-test of the PMU: nothing is wrong on a PMU without faults, and a fault is named by one check alone.
. "$(dirname "$0")/../_lib.sh"

# doctor LOG OPTIONS...: the names of the checks that are wrong, in $wrong.
doctor() {
	log=$1
	shift
	boot "$log" "$@" -- doctor --each
	wrong=$(sed -n 's/^\([a-z0-9-]*\): wrong: .*/\1/p' "$log" | tr '\n' ' ' | sed 's/ $//')
}

for uarch in $(personalities skx zen4 adl zen2 hsw nhm); do
	doctor "$dir/$uarch" --uarch "$uarch"
	is "$uarch: nothing is wrong" "$status $wrong" "0 "
	has "$uarch: all checks ran" "$dir/$uarch" 'doctor: [0-9]+ right, 0 wrong, [0-9]+ not there, 0 skipped'
done

# doctor_faults is the table of faults. rows: its lines, each with | between the fields and no blanks around them.
rows() { sed -n '/^#/d; /./s/ *| */|/gp' tests/e2e/machine/doctor_faults; }

# No fault of vpmu is missing, and where no check names a fault the row has the reason.
is "the table has each fault of vpmu, and no other" "$(rows | cut -d '|' -f 1 | sed 's/:.*//' | sort -u | xargs)" \
	"$(sed -n 's/^\t{"\([a-z0-9-]*\)", .*/\1/p' lib/words/fault_words.c | sort -u | xargs)"
is "a row has a check, or the reason why none names it" \
	"$(rows | awk -F '|' '($3 == "-") != (NF == 4 && $4 != "") || ($2 == "-" && $3 != "-") { print $1 }' | xargs)" ""

# A case for each personality of a row: a machine, a fault, the check.
rows | awk -F '|' '$2 != "-" { n = split($2, of, " "); for (i = 1; i <= n; i++) print of[i], $1, $3 }' >"$dir/cases"
is "cases" "$([ "$(wc -l <"$dir/cases")" -gt 80 ] && echo many)" many
each=$(either 25 1)
i=0
while read -r uarch fault names; do
	i=$((i + 1))
	[ $(((i + $(turn)) % each)) = 0 ] || continue
	[ "$names" = - ] && names=
	doctor "$dir/case$i" --uarch "$uarch" --fault "$fault" </dev/null
	is "$uarch, $fault: named by" "$wrong" "$names"
	has "$uarch, $fault: all checks ran" "$dir/case$i" 'doctor: [0-9]+ right, [01] wrong, [0-9]+ not there, 0 skipped'
done <"$dir/cases"

# Two CPUs: the counters of each are checked, and a fault of one names it.
boot "$dir/two" --uarch "$(either skx zen4)" --smp 2 -- doctor --each
for check in still general width nmi firmware; do
	has "two CPUs: $check" "$dir/two" "$check: right: .*, on each of 2 CPUs"
done
for fault in 'still:1|still|PMC0 count nothing' 'inuse:2|firmware|the firmware counted on PMC1 at the start'; do
	check=$(echo "$fault" | cut -d '|' -f 2)
	for cpu in $(either '0 1' 1); do
		boot "$dir/one" --uarch skx --smp 2 --fault "${fault%%|*},cpu:$cpu" -- doctor --each --only "$check"
		has "$fault: CPU $cpu is named" "$dir/one" "$check: wrong: CPU $cpu: ${fault##*|}"
	done
done

# Skylake's tables forbid counters where there are eight.
if soaking; then
	doctor "$dir/eight" --uarch skx --ht off
	is "eight counters: nothing is wrong" "$status $wrong" "0 "
	has "eight counters: some are forbidden" "$dir/eight" 'forbidden: right: none of [0-9]+ pairs that the tables forbid counts'
	doctor "$dir/anywhere" --uarch skx --ht off --fault counts-anywhere
	is "eight counters, counts-anywhere: named by" "$wrong" forbidden
fi

# --only and --hang: another name is refused before anything boots, with the list.
for option in --only --hang; do
	boot "$dir/nosuch" --timeout 5 -- doctor $option nosuch
	is "$option nosuch: status" $status 2
	has "$option nosuch: the names" "$dir/nosuch" "perf0: doctor: $option: 'nosuch' is not a check of the doctor: still, .*, skid, .*, smi"
done
boot "$dir/alone" --uarch skx --fault skid:20 -- doctor --each --only skid
has "skid: a row for each distance" "$dir/alone" ' +20 +32 +32'
has "skid: a column for each kind of counter" "$dir/alone" ' +instructions +general +fixed'

# A wrong feature is refused afterwards; `selftest pmu` is the same test.
boot "$dir/refused" --uarch zen4 --fault ibs-fetch-at-zero -- selftest pmu \; record -e ibs_fetch// -c 16000 loop 1000 \; \
	stat -e instructions:u loop 1000
is "a wrong feature: status" $status 1
has "selftest pmu has the page" "$dir/refused" 'not ok - pmu: the doctor found something wrong'
has "with a line for each group" "$dir/refused" 'samples   pebs not there, ibs-fetch wrong, ibs-op not there,'
has "the feature is refused" "$dir/refused" '.*ibs_fetch: the self-test found it wrong \(doctor: ibs-fetch\).*'
has "others are not" "$dir/refused" ' *2,005 *instructions:u .*'

# Reports: JSON, and the difference of two.
$perf0 doctor --uarch skx -j >"$dir/skx.json" 2>"$dir/skx.err"
is "JSON" "$(python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); print(len(r["checks"]) > 30, r["vendor"], "3.0" in r["cpuid"])' "$dir/skx.json")" \
	"True GenuineIntel False"
is "JSON: the skid's histogram" "$(python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); print(*[c["skid"] for c in r["checks"] if "skid" in c])' "$dir/skx.json")" \
	"{'general': {'0': 32}, 'fixed': {'0': 32}}"
is "nothing differs from itself" "$($perf0 doctor --compare "$dir/skx.json" "$dir/skx.json" | tail -n 1 | sed 's/of [0-9]*/of N/')" "0 of N checks differ"
sed 's/"verdict": "right", "text": "48 bits", "measured": 48/"verdict": "wrong", "text": "40 bits", "measured": 40/' "$dir/skx.json" >"$dir/other.json"
$perf0 doctor --compare "$dir/skx.json" "$dir/other.json" >"$dir/compared"
is "a difference: status" $? 1
has "it is told" "$dir/compared" '  B  wrong: 40 bits'
is "one check differs" "$(tail -n 1 "$dir/compared" | cut -d ' ' -f 1)" 1
$perf0 doctor --compare "$dir/skx.json" "$dir/skx.err" >"$dir/refusal" 2>&1
is "no report: status" $? 2

# A check that hangs: the note on the stick is found at the next start, and the check is skipped. Ten checks; at each commit
# another one.
python3 tests/e2e/machine/doctor.py "$dir" $(one_of skid general wrap nmi freeze pebs lbr forbidden misses apic-timer) || failures=1
finish
