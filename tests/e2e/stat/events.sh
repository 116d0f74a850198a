# SPDX-License-Identifier: BSD-2-Clause
# Every hardware event that the image lists for a PMU counts something there, on a counter that can count it.
. "$(dirname "$0")/../_lib.sh"

for u in hsw skx icl zen4; do
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

# All nine of them, by ring, and what has no meaning here.
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
