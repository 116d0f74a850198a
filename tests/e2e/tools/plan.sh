# SPDX-License-Identifier: BSD-2-Clause
# The planner and the list of names boot nothing. The image's planner gives the same answers.
. "$(dirname "$0")/../_lib.sh"

# plan LOG ARGS...: runs perf0 plan ARGS; both outputs go to LOG, the status to $status.
plan() {
	log=$1
	shift
	$perf0 plan "$@" >"$log" 2>&1
	status=$?
}

plan "$dir/one" --uarch hsw -e l1d_pend_miss.pending,cycle_activity.stalls_l1d_pending
is "a plan has status 0" "$status" 0
has "the first takes turns" "$dir/one" ' +counted +l1d_pend_miss\.pending +\(50\.00%\)'
has "with the second" "$dir/one" ' +counted +cycle_activity\.stalls_l1d_pending +\(50\.00%\)'
has "on the third counter" "$dir/one" '  PMC2 +l1d_pend_miss\.pending'
has "and says what it waits for" "$dir/one" '  waits +l1d_pend_miss\.pending: .* needs PMC2; held by .*'
is "two configurations" "$(grep -cE '^C[0-9]+: 1260 of 2520 slices$' "$dir/one")" 2

plan "$dir/six" --uarch skl -e '{r0e08,r0208,r0e49,r0249,r0e85,r0285}'
has "a group that is too large is not counted" "$dir/six" ' +<not counted>  r0e08'
has "and its last events are not supported" "$dir/six" ' +<not supported>  r0285'
plan "$dir/four" --uarch hsw --watchdog --kernel 4.1-rc3 -e mem_load_uops_retired.l1_hit,mem_load_uops_retired.l2_hit
has "the watchdog has a counter" "$dir/four" '  FIXED1 +the NMI watchdog'
has "and an old kernel half of them" "$dir/four" ' +counted  mem_load_uops_retired\.l2_hit +\(50\.00%\)'
six=instructions,r0e08,r0208,r0e49,r0249,r0e85
plan "$dir/never" --uarch skl --sleep-after 0 --ticks 9 -e $six
plan "$dir/without" --uarch skl --ticks 9 -e $six
is "--sleep-after 0: never" "$status $(cmp "$dir/never" "$dir/without" && echo the same)" "0 the same"
plan "$dir/sleep" --uarch icl --sleep-after 1 --ticks 9 -e instructions,r0e08,r0208,r0e49,r0249,r0e85
has "an event that sleeps is not rotated" "$dir/sleep" ' +<not counted>  r0e85 +\(0\.00%\)'
plan "$dir/fair" --uarch hsw --policy fair -e '{l1d_pend_miss.pending,faults},cycle_activity.stalls_l1d_pending:D,mem_uops_retired.all_loads'
has "policy fair goes on behind a failure" "$dir/fair" ' +counted  mem_uops_retired\.all_loads'
# Hard cases of policy fair: 30 groups on eight counters; three sets that are equally good in each slice, and one more
# that is seldom needed; a group that conflicts with no other.
thirty='OFFCORE_REQUESTS_OUTSTANDING.ALL_DATA_RD_CYCLES/name=e0/,{LSD.ACTIVE/name=e1/,UOPS_EXECUTED_PORT.PORT_5/name=e2/},'\
'MOVE_ELIMINATION.INT_NOT_ELIMINATED/name=e3/,OTHER_ASSISTS.AVX_TO_SSE/name=e4/,AVX/name=e5/,'\
'{MEM_UOPS_RETIRED.ALL_STORES/name=e6/,L2_RQSTS.DEMAND_RFO_MISS/name=e7/},OFFCORE_REQUESTS.DEMAND_CODE_RD/name=e8/,L2_DEMAND_RQSTS.WB_HIT/name=e9/,'\
'{OFFCORE_REQUESTS_OUTSTANDING.DEMAND_CODE_RD_CYCLES/name=e10/,RESOURCE_STALLS.SB/name=e11/,IDQ.ALL_DSB_CYCLES_4_UOPS/name=e12/},'\
'{MEM_UOPS_RETIRED.ALL_STORES/name=e13/,BR_INST_RETIRED.NEAR_TAKEN/name=e14/,MEM_UOPS_RETIRED.ALL_LOADS/name=e15/},'\
'MEM_LOAD_UOPS_LLC_HIT_RETIRED.XSNP_HIT/name=e16/,SQ_MISC.SPLIT_LOCK/name=e17/,MEM_LOAD_UOPS_LLC_MISS_RETIRED.LOCAL_DRAM/name=e18/,'\
'{MEM_LOAD_UOPS_LLC_HIT_RETIRED.XSNP_NONE/name=e19/,HLE_RETIRED.ABORTED_MISC5/name=e20/},BR_MISP_RETIRED.COND/name=e21/,'\
'{IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV_CORE/name=e22/,MEM_LOAD_UOPS_LLC_HIT_RETIRED.XSNP_MISS/name=e23/},IDQ.DSB_UOPS_CYCLES/name=e24/,'\
'{L2_TRANS.RFO/name=e25/,UOPS_RETIRED.ANY/name=e26/},MEM_UOPS_RETIRED.LOCK_LOADS/name=e27/,BR_INST_EXEC.ALL_DIRECT_JMP/name=e28/,'\
'{TX_MEM.ABORT_CAPACITY_WRITE/name=e29/,MEM_LOAD_UOPS_L3_MISS_RETIRED.LOCAL_DRAM/name=e30/},PAGE_WALKER_LOADS.EPT_ITLB_L2/name=e31/,'\
'{MEM_LOAD_UOPS_L3_HIT_RETIRED.XSNP_HIT/name=e32/,FP_ASSIST.X87_INPUT/name=e33/},LOAD_HIT_PRE.SW_PF/name=e34/,UNHALTED_REFERENCE_CYCLES/name=e35/,'\
'CYCLE_ACTIVITY.STALLS_L1D_PENDING/name=e36/,FP_ASSIST.ALL/name=e37/,OFFCORE_REQUESTS_OUTSTANDING.DEMAND_DATA_RD_GE_6/name=e38/,'\
'L1D_PEND_MISS.EDGE/name=e39/,CYCLE_ACTIVITY.CYCLES_L1D_PENDING/name=e40/,'\
'{L1D_PEND_MISS.EDGE/name=e41/,MEM_LOAD_UOPS_L3_HIT_RETIRED.XSNP_MISS/name=e42/},L1D_PEND_MISS.EDGE/name=e43/,MEM_LOAD_UOPS_RETIRED.L3_HIT/name=e44/,'\
'L2_LINES_IN/name=e45/,L1D_PEND_MISS.OCCURRENCES/name=e46/'
seldom='RTM_RETIRED/name=e0/,L2_TRANS.DEMAND_DATA_RD/name=e1/,IDQ.ALL_MITE_CYCLES_4_UOPS/name=e2/,IDQ.DSB_UOPS/name=e3/,'\
'{OFFCORE_REQUESTS_OUTSTANDING.DEMAND_DATA_RD_GE_6/name=e4/,BR_MISP_EXEC.NONTAKEN_CONDITIONAL/name=e5/,LSD.UOPS/name=e6/},'\
'{LSD.UOPS/name=e7/,BACLEARS/name=e8/,BR_INST_EXEC.TAKEN_INDIRECT_JUMP_NON_CALL_RET/name=e9/},OFFCORE_REQUESTS_OUTSTANDING.ALL_DATA_RD_CYCLES/name=e10/,'\
'L2_RQSTS.MISS/name=e11/,MEM_UOPS_RETIRED.LOCK_LOADS/name=e12/,UOPS_DISPATCHED_PORT.PORT_2/name=e13/,'\
'{L1D_PEND_MISS.OCCURRENCES/name=e14/,L2_RQSTS.ALL_PF/name=e15/},'\
'{MEM_UOPS_RETIRED.SPLIT_STORES/name=e16/,L2_RQSTS.RFO_MISS/name=e17/,RTM_RETIRED.ABORTED_MISC2/name=e18/},TLB_FLUSH.DTLB_THREAD/name=e19/,'\
'{BR_MISP_EXEC.TAKEN_RETURN_NEAR/name=e20/,L2_RQSTS.PF_HIT/name=e21/},ITLB_MISSES.WALK_DURATION/name=e22/'
free='{cpu/event=0xb7,umask=1,offcore_rsp=0x1/,UNHALTED_REFERENCE_CYCLES,DTLB_STORE_MISSES.WALK_COMPLETED},'\
'{MEM_LOAD_L3_MISS_RETIRED.LOCAL_DRAM,BR_INST_RETIRED.NEAR_CALL,r200},r200,'\
'DSB2MITE_SWITCHES.PENALTY_CYCLES,UNHALTED_REFERENCE_CYCLES,BR_MISP_RETIRED.NEAR_TAKEN,UOPS_DISPATCHED_PORT.PORT_7_8,'\
'{CYCLE_ACTIVITY.CYCLES_MEM_ANY,RTM_RETIRED.ABORTED}'
plan "$dir/thirty" --uarch hsw --no-ht --policy fair -e "$thirty"
has "thirty groups: the best shares, proven" "$dir/thirty" 'worst share 16\.67%, the best that there is, and so are the others'
# The policy needs some three of 2520 slices to find the best shares.
is "thirty groups: none has less" "$(awk -F'[(%]' '/ counted / && NF > 1 && $(NF - 1) < 16.5' "$dir/thirty")" ""
plan "$dir/seldom" --uarch hsw --no-ht --policy fair --ticks 50400 -e "$seldom"
is "no group falls behind for ever" "$(awk -F'[(%]' '/ counted / && ($(NF - 1) < 34.78 || $(NF - 1) > 34.79)' "$dir/seldom")" ""
plan "$dir/free" --uarch icl --policy fair --ticks 5040 -e "$free"
is "what costs no other anything is given: five events have all slices" "$(grep -c ' counted  [^(]*$' "$dir/free")" 5
plan "$dir/free.json" --uarch icl --policy fair --ticks 5040 --json -e "$free"
has "JSON tells what is proven" "$dir/free.json" '.*"fair":\{"worst_percent":50\.0000,"at_most_percent":50\.0000,"proven":true,"others_proven":true\},'
plan "$dir/weak" --uarch skl -e '{r0e08,r0208,r0e49,r0249,r0e85}:W'
has "a weak group that is too large is none" "$dir/weak" ' +counted +r0e08:W +\(80\.00%\)'
plan "$dir/json" --uarch hsw --json -e l1d_pend_miss.pending,faults
has "JSON has the events" "$dir/json" '  \{"name":"l1d_pend_miss\.pending","status":"counted","percent":100\.00\},'
has "JSON has the configurations" "$dir/json" '  \{"ticks":2520,"assign":\{"l1d_pend_miss\.pending":"PMC2","faults":"software"\},"waiting":\{\}\}\],'

plan "$dir/syntax" --uarch hsw --json -e 'hot{cpu/l1d_pend_miss.pending,cmask=1/,cs}:u, sched:sched_switch , 0:1:k'
has "a group has its name" "$dir/syntax" '  \{"name":"cs:u","group":"hot","status":"counted","percent":100\.00\},'
has "a name takes fields, and a tracepoint needs no counter" "$dir/syntax" '.*"assign":\{"cpu/l1d_pend_miss\.pending,cmask=1/u":"PMC2","cs:u":"software","sched:sched_switch":"software","0:1:k":"FIXED0"\}.*'
plan "$dir/hybrid" --uarch adl -e cpu_core/cycles/
has "a hybrid has a PMU for each kind of cores" "$dir/hybrid" ' +counted +cpu_core/cycles/'

plan "$dir/snb" --uarch snb -e mem_load_uops_retired.l1_hit,mem_load_uops_retired.l1_miss,mem_load_uops_retired.l2_hit
has "a name that the next one has for the same code" "$dir/snb" ' +counted +mem_load_uops_retired\.l1_miss +\(66\.67%\)'

# An event file adds names and counters that no table has.
cat >"$dir/events.json" <<'JSON'
[{"EventCode": "0x48", "UMask": "0x01", "EventName": "MADE.UP", "Counter": "3", "CounterHTOff": "5"},
 {"EventCode": "0x0e", "UMask": "0x01", "EventName": "MADE.TOO", "Counter": "3", "CounterHTOff": "3,5"},
 {"EventCode": "0xb7", "UMask": "0x01", "EventName": "MADE.MSR", "Counter": "0,1", "CounterHTOff": "0,1",
  "MSRIndex": "0x1a6", "MSRValue": "0x10"},
 {"EventCode": "0x0e", "UMask": "0x02", "EventName": "MADE.LOST", "Counter": "0,1", "CounterHTOff": "0,1",
  "MSRIndex": "0x3f7", "MSRValue": "0x1"},
 {"EventCode": "0xc2", "UMask": "0x40", "EventName": "MADE.PRECISE", "Counter": "0,1", "CounterHTOff": "0,1",
  "PEBS": "2"},
 {"EventCode": "0xc2", "UMask": "0x41", "EventName": "MADE.ALONE", "Counter": "0,1", "CounterHTOff": "0,1",
  "TakenAlone": "1"}]
JSON
plan "$dir/file" --uarch hsw --event-file "$dir/events.json" -e made.up,MADE.TOO:u,cycles
has "an event file has its say" "$dir/file" '  PMC3 +made\.up'
has "over which events share a counter" "$dir/file" ' +counted +MADE\.TOO:u +\([36][0-9.]+%\)'
plan "$dir/file.off" --uarch hsw --no-ht --event-file "$dir/events.json" -e made.up,MADE.TOO
has "and without hyper-threading, too" "$dir/file.off" '  PMC3 +MADE\.TOO'
plan "$dir/file.flags" --uarch hsw --event-file "$dir/events.json" -e made.precise,made.precise:p,made.alone,made.lost
has "what counts precisely only" "$dir/file.flags" ' +<not supported>  made\.precise'
has "needs its modifier" "$dir/file.flags" ' +counted +made\.precise:p +\(50\.00%\)'
has "and what counts alone only is alone" "$dir/file.flags" ' +counted +made\.alone +\(50\.00%\)'
$perf0 list --json --uarch hsw --event-file "$dir/events.json" >"$dir/list" 2>&1
is "names are listed" "$?" 0
has "those of the file" "$dir/list" '\{"name":"MADE\.UP","code":"0x48","umask":"0x01","config":"0x148","counters":\["PMC3"\],"msr":null\},'
has "but for one without its register, which a plan refuses, too" "$dir/list" '\{"name":"MADE\.LOST",.*,"counters":\[\],"msr":"0x3f7"\},'
has "as it does" "$dir/file.flags" ' +<not supported>  made\.lost'
has "with their register" "$dir/list" '\{"name":"MADE\.MSR",.*,"counters":\["PMC0","PMC1"\],"msr":"0x1a6"\},'
has "and those of libpfm4" "$dir/list" '\{"name":"L1D_PEND_MISS\.PENDING",.*,"counters":\["PMC2"\],"msr":null\},?'
$perf0 list --no-boot --uarch hsw --no-ht >"$dir/list.off" 2>&1
has "a line each without JSON" "$dir/list.off" 'UOPS_ISSUED\.ANY +0x10e +PMC0 PMC1 PMC2 PMC3 PMC4 PMC5 PMC6 PMC7'

# refused LINE ARGS...: checks for status 2, and no output except LINE.
refused() {
	line=$1
	shift
	$perf0 "$@" >"$dir/refused" 2>&1
	is "refused: $*" "$? $(cat "$dir/refused")" "2 $line"
}
refused "perf0 plan: --uarch is needed" plan -e cycles
refused "perf0 plan: --uarch: there is no microarchitecture 'z80'" plan --uarch z80 -e cycles
refused "perf0 plan: --uarch: there is no microarchitecture 'hasswel'; maybe haswell, haswellx" plan --uarch hasswel -e cycles
refused "perf0 plan: -e is needed: the events to plan" plan --uarch hsw
refused "perf0 plan: -e: column 8: there is no event 'nosuch.event'" plan --uarch hsw -e cycles,nosuch.event:u
refused "perf0 plan: -e: column 8: there is no event 'uops_issued.nosuch'" plan --uarch hsw -e cycles,uops_issued.nosuch
refused "perf0 plan: -e: column 3: 'cpu_atom' is the PMU of other cores than those of goldencove" plan --uarch adl -e ' {cpu_atom/cycles/}'
refused "perf0 plan: -e: column 1: there is no PMU 'cpu_core': it is called cpu where all cores are alike" plan --uarch hsw -e cpu_core/cycles/
refused "perf0 plan: --sibling: column 8: there is no modifier 'z'" plan --uarch hsw -e cycles --sibling cycles:z
refused "perf0 plan: --ticks: '0' is not a number from 1 to 1000000" plan --uarch hsw -e cycles --ticks 0
refused "perf0 plan: --policy: 'best' is not perf or fair" plan --uarch hsw -e cycles --policy best
refused "perf0 plan: --kernel: 'new' is not a version such as 4.1-rc7" plan --uarch hsw -e cycles --kernel new
refused "perf0 plan: --sibling needs hyper-threading, which is off" plan --uarch hsw --no-ht -e cycles --sibling cycles
refused "perf0 plan: --watchdog-counter: 'PMC9' is no counter of haswell for cycles" plan --uarch hsw -e cycles --watchdog-counter PMC9
refused "perf0 plan: unknown option '--nosuch'" plan --nosuch
refused "perf0 plan: --no-ht takes no value" plan --no-ht=1
refused "perf0 plan: takes no operand: 'loop'" plan --uarch hsw -e cycles loop
refused "perf0 plan: $dir/nosuch: No such file or directory" plan --uarch hsw -e cycles --event-file "$dir/nosuch"
refused "perf0 list: --uarch: there is no microarchitecture 'zen44'; maybe zen4, zen+, zen2" list --json --uarch zen44
refused "perf0 list: --uarch: there is no microarchitecture 'z80'" list --json --uarch z80

# The image's planner prints the same text and the same JSON.
raw='hot{r0148,faults},r0ca3:D,r81d0,{r01d1,cpu/cycles,cmask=1/}:uW,r08d1,sched:sched_switch'
set --
for p in perf fair; do
	plan "$dir/host.$p" --uarch hsw --policy $p -e "$raw"
	plan "$dir/host.$p.json" --uarch hsw --policy $p --json -e "$raw"
	cat "$dir/host.$p" "$dir/host.$p.json" >>"$dir/host"
	set -- "$@" plan --uarch hsw --policy $p -e "$raw" \; plan --uarch hsw --policy $p --json -e "$raw" \;
done
boot "$dir/image.all" -k --uarch hsw -- "$@" plan --uarch skl -e l1d_pend_miss.pending:D --ticks 3 \; \
	list --json \; list --nosuch cycles \; list cycles faults \; list branch-m
sed -n '/^haswell, /,$p' "$dir/image.all" | tr -d '\r' | head -n "$(wc -l <"$dir/host")" >"$dir/image"
is "the image plans as the tool does" "$(cat "$dir/image")" "$(cat "$dir/host")"
has "names of libpfm4 are those of the machine that is planned for" "$dir/image.all" ' +counted +l1d_pend_miss\.pending:D'
has "no option of the tool's own list" "$dir/image.all" 'list: unknown option .--json.; see .help list.'
has "nor any other" "$dir/image.all" 'list: unknown option .--nosuch.; see .help list.'
has "nor two parts of names" "$dir/image.all" "list: takes one argument: 'faults' is another"
has "but one" "$dir/image.all" '  branch-misses +\[Hardware event\]'
finish
