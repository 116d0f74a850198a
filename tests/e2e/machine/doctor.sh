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

# Each line: a machine, a fault, the check that names it; - for none: the work-around of a quirk holds, or it is no fault
# of the PMU.
matrix='
skx still:1 still
zen4 still:2 still
skx inuse:1 firmware
zen4 inuse:2 firmware
skx steal:100000 firmware
zen4 steal:300000 firmware
skx skid:3000 skid
zen4 skid:3000 skid
skx skid:20 -
skx latenmi:500 extra
zen2 extranmi extra
hsw smi:100000 smi
skx gp:0x345 -
skx crystal -
nhm counters-reset -
zen2 ibs-fetch-restart -
zen4 ibs-fetch-restart ibs-fetch
zen4 ibs-fetch-at-zero ibs-fetch
fam10h ibs-clear-maximum -
zen5 ibs-slow-l3-only -
zen4 lbr-erroneous -'
each=$(either 5 1)
i=0
while read -r uarch fault names; do
	[ -n "$uarch" ] || continue
	i=$((i + 1))
	[ $(((i + $(turn)) % each)) = 0 ] || continue
	[ "$names" = - ] && names=
	doctor "$dir/fault$i" --uarch "$uarch" --fault "$fault"
	is "$uarch, $fault: named by" "$wrong" "$names"
done <<MATRIX
$matrix
MATRIX

# A wrong feature is refused afterwards; `selftest pmu` is the same test.
boot "$dir/refused" --uarch zen4 --fault ibs-fetch-at-zero -- selftest pmu \; record -e ibs_fetch// -c 16000 loop 1000 \; \
	stat -e instructions:u loop 1000
is "a wrong feature: status" $status 1
has "selftest pmu has the page" "$dir/refused" 'not ok - pmu: the doctor found something wrong'
has "with a line for each group" "$dir/refused" 'samples   pebs not there, ibs-fetch wrong, ibs-op not there, lbr right,'
has "the feature is refused" "$dir/refused" '.*ibs_fetch: the self-test found it wrong \(doctor: ibs-fetch\).*'
has "others are not" "$dir/refused" ' *2,005 *instructions:u .*'

# Reports: JSON, and the difference of two.
$perf0 doctor --uarch skx -j >"$dir/skx.json" 2>"$dir/skx.err"
is "JSON" "$(python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); print(len(r["checks"]) > 30, r["vendor"], "3.0" in r["cpuid"])' "$dir/skx.json")" \
	"True GenuineIntel False"
is "nothing differs from itself" "$($perf0 doctor --compare "$dir/skx.json" "$dir/skx.json" | tail -n 1 | sed 's/of [0-9]*/of N/')" "0 of N checks differ"
sed 's/"verdict": "right", "text": "48 bits", "measured": 48/"verdict": "wrong", "text": "40 bits", "measured": 40/' "$dir/skx.json" >"$dir/other.json"
$perf0 doctor --compare "$dir/skx.json" "$dir/other.json" >"$dir/compared"
is "a difference: status" $? 1
has "it is told" "$dir/compared" '  B  wrong: 40 bits'
is "one check differs" "$(tail -n 1 "$dir/compared" | cut -d ' ' -f 1)" 1
$perf0 doctor --compare "$dir/skx.json" "$dir/skx.err" >"$dir/refusal" 2>&1
is "no report: status" $? 2

# A check that hangs: the note on the stick is found at the next start, and the check is skipped.
python3 tests/e2e/machine/doctor.py "$dir" || failures=1
finish
