# SPDX-License-Identifier: BSD-2-Clause
# Every hardware event that the image lists for a PMU has a count there, on a counter that can count it.
. "$(dirname "$0")/../_lib.sh"

for u in $(personalities hsw skx icl zen4); do
	$perf0 list --machine-timeout $patience --uarch $u >"$dir/$u.list" 2>&1
	set --
	for e in $(awk '/\[Hardware/ { print $1 }' "$dir/$u.list"); do
		set -- "$@" stat -e "$e:u" loop 100000 \;
	done
	boot "$dir/$u" --uarch $u --events ratios -- "$@"
	is "$u: what is listed is supported" "$(grep -c '<not supported>' "$dir/$u")" 0
	supported=$(grep -cE '^ +[0-9,]+ +[A-Za-z].*:u ' "$dir/$u")
	is "$u: a dozen events or more" "$([ "$supported" -ge 12 ] && echo yes)" yes
	is "$u: none of them stays at zero" "$(awk '$1 == "0" { print $2 }' "$dir/$u" | tr '\n' ' ')" ""
done

boot "$dir/terms" --uarch skx -- stat -e 'hot{cpu/cycles,cmask=1,name=generic/u,cpu/INST_RETIRED.ANY_P,name=foreign/u}:u, 0:1 : u' loop 100000
has "fields beside a generic event take its event select" "$dir/terms" ' +[1-9][0-9,]* +generic:u.*'
insns=$(sed -nE 's/^ +([0-9,]+) +0:1:u.*/\1/p' "$dir/terms")
is "names and numbers mean the same" "$(sed -nE 's/^ +([0-9,]+) +foreign:u.*/\1/p' "$dir/terms")" "$insns"

# One event under its names in Intel's files, LIKWID, libpfm4 and rr; and the times of a run.
spellings="instructions:u inst_retired.any:u INST_RETIRED_ANY:u INST_RETIRED:ANY:u rc0:u r5300c0:u r5100c0:u"
set --
for e in $spellings cpu/config=0x5300c0/u; do
	set -- "$@" -e "$e"
done
boot "$dir/names" --uarch icl -- stat "$@" loop 100000 \; stat -e tsc,duration_time,user_time,system_time loop 100000 \; \
	list hw \; list sw \; list cache \; list raw \; list tma \; list tracepoint
told() { awk -v part="$1" '$2 == part { gsub(",", "", $1); print $1 } $2 == "ns" && $3 == part { gsub(",", "", $1); print $1 }' "$dir/names"; }
for e in $spellings cpu/config=0x5300c0/u; do
	is "$e" "$(told "$e")" "$(told instructions:u)"
done
has "tsc is msr/tsc/" "$dir/names" ' +[1-9][0-9,]+ +tsc +.*'
seconds() { awk -v what="$1" '$2 == "seconds" && $0 ~ what { s = $1 } END { printf "%.0f\n", s * 1e9 }' "$dir/names"; }
is "duration_time is the time elapsed" "$(told duration_time)" "$(seconds elapsed)"
is "user_time is that of ring 3" "$(told user_time)" "$(seconds 'user( |$)')"
is "system_time is that of ring 0" "$(told system_time)" "$(seconds 'sys( |$)')"
has "list hw" "$dir/names" '  cpu-cycles OR cycles +\[Hardware event\]'
has "list sw" "$dir/names" '  context-switches OR cs +\[Software event\]'
has "list cache" "$dir/names" '  L1-dcache-loads +\[Hardware cache event\]'
has "list raw" "$dir/names" '  rNNN +\[Raw event\]'
has "list tma" "$dir/names" '  tma_retiring +[A-Z].*'
has "list tracepoint" "$dir/names" '  sched:sched_switch +\[Tracepoint event\]'
is "each kind is listed once" "$(grep -c '\[Hardware event\]' "$dir/names") $(grep -c 'sched:sched_switch' "$dir/names")" \
	"$($perf0 list --machine-timeout $patience --uarch icl hw | grep -c '\[Hardware event\]') 1"

# All nine software events, by ring. Two of them have no meaning here, and are refused.
soft=faults,minor-faults,major-faults,alignment-faults,emulation-faults,cs,migrations
boot "$dir/soft" -- stat -e $soft,faults:k,cs:u crash 0 \; stat -e $soft,faults:u,cs:k sleep 0.01 \; \
	stat -e bpf-output,cgroup-switches loop 10
counts() { awk '$1 ~ /^[0-9]+$/ && NF < 5 { printf "%s %s ", $2, $1 }' "$dir/soft"; }
is "software events" "$(counts)" "faults 1 minor-faults 0 major-faults 0 alignment-faults 0 emulation-faults 0 cs 0 \
migrations 0 faults:k 0 cs:u 0 \
faults 0 minor-faults 0 major-faults 0 alignment-faults 0 emulation-faults 0 cs 1 migrations 0 faults:u 0 cs:k 1 "
has "bpf-output is refused" "$dir/soft" 'stat: .*: there are no BPF programs.*'
has "cgroup-switches is refused" "$dir/soft" 'stat: .*: there are no cgroups.*'
finish
