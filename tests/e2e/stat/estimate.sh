# SPDX-License-Identifier: BSD-2-Clause
# Estimated counts and error bars of multiplexed events, and the time slices that both are computed from. The test
# compares them with the same formulas in another program, and with passes of the same programs.
. "$(dirname "$0")/../_lib.sh"

python3 tests/study/bars.py $perf0 --check >"$dir/check" 2>&1
status=$?
is "bars.py: status" $status 0
while read -r line; do
	case $line in
	"ok - "*) ok "${line#ok - }" ;;
	"not ok - "*) not_ok "${line#not ok - }" "$(head -n 5 "$dir/check")" ;;
	esac
done <"$dir/check"
is "all that is checked" "$(grep -c 'ok - ' "$dir/check")" 5

# A program has two phases of some twenty slices. The width of its error bars comes from the changes within the phases,
# not from the step between them, which would give 16.95 and 16.93 %.
events=mem_inst_retired.all_stores:u,mem_inst_retired.all_loads:u,br_inst_retired.near_taken:u,mem_load_retired.l1_miss:u,inst_retired.any_p:u,br_inst_retired.all_branches:u,mem_load_retired.l1_hit:u,l2_rqsts.miss:u
boot "$dir/chase" --uarch skx -- stat --policy fair -e $events chase 2500000 \; \
	stat --policy fair --estimate ratio -e $events chase 2500000 \; \
	stat --no-scale -e $events chase 100000 \; stat --mux-interval-us 300000 -e $events loop 20000000
is "chase: status" $status 0
# bar N EVENT: prints the event's error bar in the N-th table, in 1/100 of a percent.
bar() { grep " $2 " "$dir/chase" | sed -n "$1"'s/.*%) ±\([0-9]*\)\.\([0-9]*\)%.*/\1\2/p' | sed 's/^0*//'; }
for event in br_inst_retired.near_taken:u br_inst_retired.all_branches:u; do
	got=$(bar 1 $event)
	if [ "${got:-9999}" -lt 900 ] && [ "${got:-0}" -gt 100 ]; then ok "chase: bar of $event"; else not_ok "chase: bar of $event" "$got"; fi
done
if [ "$(bar 2 mem_inst_retired.all_stores:u)" -gt 1000 ]; then ok "chase: bars of the ratio, too"; else not_ok "chase: bars of the ratio"; fi
is "counts that are not scaled have no bars" "$(awk '/^ Performance/ { n++ } n == 3 && /±/' "$dir/chase" | wc -l)" 0
has "one slice is told" "$dir/chase" ".*\([0-9.]*%\) ±\? one slice.*"

# Equal runs have the same error, so their mean has the error bar of one run.
for n in 1 4; do
	$perf0 stat -j -r $n --uarch skx -e $events phases 2000 2>"$dir/err" >"$dir/json"
	grep '"truth" : "exact"' "$dir/json" | sed 's/.*"event" : "\([^"]*\)".*"scaling-error" : \([0-9.]*\).*/\1 \2/' >"$dir/mean$n"
done
is "-r 4: counts that are the same" "$(grep -c '"variance" : 0.00.*"exact"' "$dir/json")" 5
is "-r 4: bars of the mean of equal runs" "$(cat "$dir/mean4")" "$(cat "$dir/mean1")"

# refused REASON ARGS...
refused() {
	reason=$1
	shift
	boot "$dir/refused" -- "$@"
	has "$*" "$dir/refused" "perf0: .*$reason.*"
}
refused "--estimate: 'mean' is not interpolated or ratio" stat --estimate mean loop 10
refused "--passes and --estimate exclude each other" stat --estimate ratio --passes loop 10
refused "--no-scale and --estimate exclude each other" stat --estimate ratio --no-scale loop 10

# With -v the tool prints the slices, too. All output is still JSON.
$perf0 stat -v -j --uarch skx -e $events hotcold 500 >"$dir/json" 2>"$dir/err"
is "-v -j: status" $? 0
is "-v -j: JSON alone" "$(grep -vcE '^\{"(counter-value|measured-on)".*\}$' "$dir/json")" 0
is "-v -j: slices of each event" "$(grep -cE '"slices" : \[\[[0-9]+, [0-9]+, [0-9]+\](, \[[0-9]+, [0-9]+, [0-9]+\])*\]' "$dir/json")" 8
finish
