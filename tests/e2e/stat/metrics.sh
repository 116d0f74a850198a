# SPDX-License-Identifier: BSD-2-Clause
# Metrics: on each personality, metrics.py reads the shipped texts independently and computes each value from the counts
# of the same run. The test also covers the shares of top-down, files of the user's, and perf's output forms.
. "$(dirname "$0")/../_lib.sh"
shipped="pmu/metrics/shipped/common.txt pmu/metrics/shipped/intel.txt pmu/metrics/shipped/amd.txt"

# timeless UARCH: prints the metrics that need counts alone. JSON does not contain the time.
timeless() {
	$perf0 list metrics --json --uarch "$1" |
		sed -n 's/.*"name":"\([^"]*\)".*"formula":"\(.*\)"}.*/\1 \2/p' | awk '!/\/ time/ { print $1 }' | paste -sd ,
}

tsc='{metric tsc;formula #system_tsc_freq+0*cycles}'
taken=$(personalities skx hsw icl zen4 adl)
while read -r u uarch count; do
	case " $taken " in *" $u "*) ;; *) continue ;; esac
	boot "$dir/$u" --uarch "$u" -- stat -j -M "$(timeless "$u")" hotcold \; stat -x , -M "$tsc" loop 1 \; \
		stat -j --topdown chase 200 4096 \; list metrics
	is "$u: exit status" $status 0
	hz=$(awk -F, '/,tsc$/ { print $6 }' "$dir/$u")
	sed '/,tsc$/q' "$dir/$u" | python3 tests/e2e/stat/metrics.py "$uarch" "$hz" $shipped >"$dir/$u.all"
	is "$u: each metric is what its formula makes of the counts" "$(sed 's/ [^ ]*$//' "$dir/$u.all")" "$count"
	sed '1,/,tsc$/d' "$dir/$u" | python3 tests/e2e/stat/metrics.py "$uarch" "$hz" $shipped >"$dir/$u.topdown"
	is "$u: --topdown: its shares are the whole" "$(sed 's/^[0-9]* [0-9]* //' "$dir/$u.topdown")" "100.000"
	is "$u: list metrics: the image has what the tool has" \
		"$(sed -n '/^Summary:/,$p' "$dir/$u" | grep '^  ' | sort | md5sum)" \
		"$($perf0 list metrics --uarch "$u" | grep '^  ' | sort | md5sum)"
done <<'EOT'
skx skylakex 28 22
hsw haswell 19 18
icl icelake 19 19
zen4 zen4 26 20
adl goldencove 27 27
EOT

cat >"$dir/own.txt" <<'EOT'
# Events of libpfm4, under names that formulas have.
event stores mem_inst_retired.all_stores
let both stores + mem_inst_retired.all_loads
group Mine
metric store_share
formula stores / both
unit 100%
metric accesses
formula both / instructions
EOT
cat >"$dir/BRANCHES.txt" <<'EOT'
SHORT Branches

EVENTSET
FIXC0 INSTR_RETIRED_ANY
FIXC1 CPU_CLK_UNHALTED_CORE
PMC0  BR_INST_RETIRED_ALL_BRANCHES
PMC1  BR_INST_RETIRED_COND

METRICS
Runtime (RDTSC) [s] time
Runtime unhalted [s] FIXC1*inverseClock
CPI  FIXC1/FIXC0
Branch rate   PMC0/FIXC0
Clock [MHz]  1.E-06*FIXC1/time

LONG
What a formula is is told here.
EOT
bounded='{metric bounded;formula min(branches/instructions,1)+max(1,2);unit %}'
boot "$dir/forms" -- stat -M "$dir/own.txt" loop 100000 \; stat -M "$dir/BRANCHES.txt" loop 100000 \; \
	stat -M IPC,CPI loop 1000 \; stat -x @ -M IPC,CPI loop 1000 \; stat -r 3 -x , -M branch_density loop 1000 \; \
	stat -I 10 -x , -M branch_density loop 2000000 \; stat -a -A -x , -M IPC,CPI loop 1000 \; \
	stat -M "$bounded" -e branches:u loop 1000 \; stat -M '{metric none;formula instructions/page\-faults}' -j loop 1000 \; \
	stat -M branch_density regions \; stat --metric-no-group -j -M branch_density loop 1000 \; \
	stat --passes -M Caches,TLB,Uops loop 100000
is "forms: exit status" $status 0
has "a file: two events, a sum, a unit" "$dir/forms" ' +[0-9,]+ +mem_inst_retired.all_stores +# +[0-9.]+ %  store_share +'
has "a line more for a metric more" "$dir/forms" ' {57}# +[0-9]+\.[0-9]{2} accesses +'
is "a file: its values" "$(awk '/all_stores/ { gsub(",", ""); s = $1; share = $4 } / accesses/ { per = $2 }
	/all_loads/ { gsub(",", ""); l = $1 } /instructions/ && !done { gsub(",", ""); done = 1
	printf "%d %d", share == sprintf("%.1f", 100 * s / (s + l)), per == sprintf("%.2f", (s + l) / $1) }' "$dir/forms")" "1 1"
has "LIKWID's layout: names with blanks, units" "$dir/forms" ' {57}# +[0-9]+\.[0-9] s  Runtime unhalted +'
is "LIKWID's layout: time, and what is made of it" "$(awk '/ Runtime \(RDTSC\)/ { on = 1 } !on { next } / Clock/ { clock = $2 }
	/ cycles  / { gsub(",", ""); c = $1 } / CPU_CLK_UNHALTED_CORE / { gsub(",", ""); c = $1 }
	/seconds time/ { print (clock == sprintf("%.1f", c / $1 / 1e6)); exit }' "$dir/forms")" 1
has "no unit: two digits" "$dir/forms" ' +2,9[0-9]{2}      instructions +#     [0-9.]{4} IPC +'
has "-x: the columns of all rows" "$dir/forms" '29[0-9]{2}@@instructions@[0-9]+@100\.00@[0-9.]+@IPC'
has "-x: a metric more" "$dir/forms" '@@@@@[0-9.]+@CPI'
has "-r -x: with the spread" "$dir/forms" '[0-9]+,,branches,0\.[0-9]{2}%,[0-9]+,100\.00,[0-9.]+,%  branch_density'
is "-I: each interval has its value" "$(awk -F, '/^ *0\.[0-9]*,.*%  branch_density/ { b = $2; v = $7 }
	/^ *0\.[0-9]*,.*,instructions,/ { n++; ok += v == sprintf("%.1f", 100 * b / $2) } END { print (n > 5), n == ok }' "$dir/forms")" "1 1"
has "-A: each CPU has its value" "$dir/forms" 'CPU0,[0-9]+,,instructions,[0-9]+,100\.00,[0-9.]+,IPC'
has "-A: and a metric more" "$dir/forms" 'CPU0,,,,,,[0-9.]+,CPI'
has "{TEXT}, beside -e" "$dir/forms" ' +[0-9,]+ +branches +# +2\.4 %  bounded +'
has "{TEXT}: events of -e keep theirs" "$dir/forms" ' +1,002      branches:u +'
has "divided by 0: nan, and no error" "$dir/forms" '.*"metric-value" : "nan", "metric-unit" : "none".*'
is "regions have values of their own" "$(awk '/^ Region/ { on = 1; name = $2 } !on { next } / branches / { gsub(",", ""); b = $1; v = $4 }
	/ instructions / { gsub(",", ""); printf "%s %d ", name, v == sprintf("%.1f", 100 * b / $1); on = 0 }' "$dir/forms")" \
	"'all', 1 'first', 1 'often', 1 "
has "--metric-no-group" "$dir/forms" '\{"counter-value" : "[0-9]+.000000", "unit" : "", "event" : "branches", .*'
is "--passes: nothing takes turns" "$(grep -c '\[pass' "$dir/forms" | awk '{ print ($1 > 5) }') $(grep -c '%)' "$dir/forms")" "1 0"

# A multiplexed event has an error bar, and so does each metric that uses it.
boot "$dir/turns" --uarch hsw -- stat -j -M Caches,TLB,branch_mpki hotcold
is "turns: values have error bars" "$(grep -c '"metric-error"' "$dir/turns" | awk '{ print ($1 > 0) }')" 1
is "list metrics: a part" "$($perf0 list metrics dtlb --uarch nehalem | grep -c '^  ')" 1
is "list metrics: nothing has it" "$($perf0 list metrics nosuch --uarch zen4 2>&1; echo $?)" \
	"perf0 list: no metric for zen4 has 'nosuch' in its name, group or text
2"
is "list metrics: no such microarchitecture" "$($perf0 list metrics --uarch p4 2>&1; echo $?)" \
	"perf0 list: --uarch: there is no microarchitecture 'p4'
2"

# `bench` prints metrics of the medians and means of one copy of the code.
$perf0 bench -asm 'mov RAX, [R14]' -M 'IPC,{metric loads;formula mem_inst_retired.all_loads/instructions}' -x , >"$dir/bench" 2>&1
is "bench: exit status" $? 0
is "bench: a metric of events that are exact" "$(grep ',loads,' "$dir/bench")" '"mov RAX, [R14]",loads,,1.000000,1.000000,'
is "bench: medians and means" "$(awk -F'",' '{ print $2 }' "$dir/bench" | awk -F, '$1 == "instructions" { i = $3; j = $4 }
	$1 == "cycles" { c = $3; d = $4 } $1 == "IPC" { m = $3; n = $4 } END { print (m == sprintf("%.6f", i / c)), (n - j / d < 1e-4) }')" "1 1"
$perf0 bench -asm nop -M gflops >"$dir/timed" 2>&1
is "bench: nothing has a time" "$? $(cat "$dir/timed")" "2 bench: -M: metric 'gflops' is of time, which is not measured here"
finish
