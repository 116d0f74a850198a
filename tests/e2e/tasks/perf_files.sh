# SPDX-License-Identifier: BSD-2-Clause
# perf_event_open(2) for programs of Linux: events are files, and their counts and samples are exact. The programs are
# linked statically and dynamically; stock perf is one more.
. "$(dirname "$0")/../_lib.sh"

gcc -O2 -Wall -I. -pthread -o "$dir/dynamic" tests/linux/perf_files.c
gcc -O2 -Wall -I. -pthread -static -o "$dir/static" tests/linux/perf_files.c

for row in $(one_of skx_static zen4_dynamic skx_dynamic zen4_static); do
	uarch=${row%_*} kind=${row#*_}
	boot "$dir/$uarch-$kind" --uarch $uarch -- stat -e instructions:u "$dir/$kind" \; \
		stat -e instructions:u "$dir/$kind"
	is "$uarch, $kind: exit status" $status 0
	is "$uarch, $kind: what failed" "$(grep '^FAILED' "$log")" ""
	is "$uarch, $kind: all was done, twice" "$(grep -c '^0 failed' "$log")" 2
	is "$uarch, $kind: twice the same count" \
		"$(awk '/instructions:u/ { print $1 }' "$log" | uniq | grep -c .)" 1
done

# With several CPUs a period may be shorter than the host needs for an exit of vpmu. All processes go on nevertheless,
# even with pending interrupts.
boot "$dir/cpus" --smp 4 -- stat -n "$dir/static" estimates \; stat -n "$dir/static" estimates
is "4 CPUs: exit status" $status 0
is "4 CPUs: what failed" "$(grep '^FAILED' "$log")" ""
is "4 CPUs: all was done, twice" "$(grep -c '^0 failed' "$log")" 2

# An AUX area of the PMU whose type is 8. All memory is free again when the programs have ended.
gcc -O2 -Wall -I. -static -o "$dir/aux" tests/linux/perf_aux.c
boot "$dir/left" -- stat "$dir/static" \; stat "$dir/aux" 8 \; free \; stat "$dir/static" \; \
	stat "$dir/aux" 8 \; free
is "AUX: exit status" $status 0
is "AUX: what failed" "$(grep '^FAILED' "$log")" ""
is "no page is left" "$(grep -c 'free' "$log") $(grep 'free' "$log" | uniq | grep -c .)" "2 1"

# Cgroups: two runs, and all memory is free again after each.
gcc -O2 -Wall -I. -pthread -static -o "$dir/cgroups" tests/linux/cgroup_events.c
boot "$dir/groups" -- stat --allow-system -e instructions:u "$dir/cgroups" \; free \; \
	stat --allow-system -e instructions:u "$dir/cgroups" \; free
is "cgroups: exit status" $status 0
is "cgroups: what failed" "$(grep '^FAILED' "$log")" ""
is "cgroups: all was done, twice" "$(grep -c '^0 failed' "$log")" 2
is "cgroups: no page is left" "$(grep 'free' "$log" | uniq | grep -c .)" 1

# Debian's libraries for measurements: libpfm4, with event names of the PMU that it detects, and PAPI, with its own.
libraries="$dir/pfm PERF_COUNT_HW_INSTRUCTIONS INST_RETIRED:ANY_P INST_RETIRED:ANY_P:u:c=0"
gcc -O2 -Wall -I. -o "$dir/pfm" tests/linux/pfm.c -lpfm
n=1
if gcc -O2 -Wall -I. -o "$dir/papi" tests/linux/papi.c -lpapi 2>/dev/null; then
	libraries="$libraries ; stat -n $dir/papi"
	n=2
else
	skip "PAPI" "libpapi-dev is not installed"
fi
# shellcheck disable=SC2086 # words of commands
boot "$dir/libraries" -- stat -n $libraries
is "libpfm4 and PAPI: exit status" $status 0
is "libpfm4 and PAPI: what failed" "$(grep '^FAILED' "$log")" ""
is "libpfm4 and PAPI: all was done" "$(grep -c '^0 failed' "$log")" $n

# Two runs of stock perf count the same.
if [ -x /usr/bin/perf ]; then
	boot "$dir/perf" --file /usr/bin/perf --file "$dir/static" -- \
		stat -e instructions:u /usr/bin/perf stat -r 2 -e '{instructions:u,branches:u}' \
		"$dir/static" turns
	is "perf stat: exit status" $status 0
	has "perf stat: instructions" "$dir/perf" ' +2[01][0-9]{4} +instructions:u *'
	cat >"$dir/groups.sh" <<-EOF
		cd /sys/fs/cgroup
		mkdir a b
		perf stat -a -e instructions:u --for-each-cgroup a,b sh -c '
			sh -c "echo 0 >a/cgroup.procs; exec $PWD/$dir/static turns" &
			sh -c "echo 0 >b/cgroup.procs; exec $PWD/$dir/static turns" & wait'
		perf stat -a -e instructions:u,instructions:u -G b,b $PWD/$dir/static turns
	EOF
	boot "$dir/perf-groups" --file /usr/bin/perf --file /bin/sh --file /bin/mkdir --file "$dir/static" \
		--file "$dir/groups.sh" -- stat -n --allow-system /bin/sh "$PWD/$dir/groups.sh"
	is "perf stat of cgroups: exit status" $status 0
	is "perf stat: each of two cgroups has its program's" \
		"$(awk '$2 == "instructions:u" && $1 > 200000 { print $1, $3 }' "$dir/perf-groups" | sort -u |
			awk '{ n[$1]++; g = g $2 } END { for (v in n) print n[v], g }')" "2 ab"
	is "perf stat -G: a group without tasks" \
		"$(grep -cE '(<not counted>|^ +0) +instructions:u +b' "$dir/perf-groups")" 2
	has "perf stat: branches" "$dir/perf" ' +[0-9]+ +branches:u *'
else
	skip "stock perf" "it is not installed"
fi
finish
