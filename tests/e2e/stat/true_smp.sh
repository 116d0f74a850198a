# SPDX-License-Identifier: BSD-2-Clause
# Without a clock that counts instructions (several CPUs in parallel, or --clock host) counts and overflows of QEMU's
# plugin are exact all the same. Times are the host's, and perf0 tells which exactness is lost.
. "$(dirname "$0")/../_lib.sh"

# count LOG N EVENT: prints the count of the Nth run that has the event.
count() { sed -n "s/^\([0-9]*\),,$3,.*/\1/p" "$1" | sed -n "$2p"; }

gcc -O1 -Wall -Wno-unused-result -static -o "$dir/counted" tests/linux/counted.c

# The commands: programs with one task, programs whose tasks move between CPUs, and counts of both rings.
alone="stat -x, -e instructions:u,branches:u"
commands() {
	cat <<END
$alone loop 1000000 ;
$alone hotcold 1000 ;
$alone chase 100000 kib=64 ;
$alone spawner 8 100000 ;
$alone spawner 4 300000 ;
$alone faults 20 5 5 5 ;
stat -x, -e instructions:u,branches:u,r20c4:u,r10c4:u $dir/counted 100 ;
stat -x, -e instructions:u,branches:u,r20c4:u,r10c4:u $dir/counted 200 ;
stat -x, -e instructions:u,instructions:k,instructions hotcold 1000 ;
stat -x, -e branches:u,branches:k,branches hotcold 1000 ;
stat -x, -e instructions:u,r08d1:u,branch-misses:u chase 100000 kib=16
END
}
# shellcheck disable=SC2046
for cpus in 1 4; do
	boot "$dir/$cpus" --smp $cpus -- $(commands)
	is "CPUs: $cpus: exit status" $status 0
done
counts() { grep -E '^[0-9]+,,[a-z0-9-]+:u,' "$1" | cut -d, -f1,3; }
# Modelled events depend on earlier branches and accesses of ring 0, which differ with several CPUs.
executed() { counts "$1" | grep -vE ',(r08d1|branch-misses):u$'; }
is "4 CPUs: the sum over them is what one executes" "$(executed "$dir/4")" "$(executed "$dir/1")"
if soaking; then
	# shellcheck disable=SC2046
	boot "$dir/again" --smp 4 -- $(commands)
	is "4 CPUs: the same again" "$(executed "$dir/again")" "$(executed "$dir/1")"
fi
is "there are 25 of them" "$(counts "$dir/1" | grep -c .)" 25
is "a turn: 5 branches at least, and each is taken or not" \
	"$(($(count "$dir/1" 2 r20c4:u) + $(count "$dir/1" 2 r10c4:u) - $(count "$dir/1" 1 r20c4:u) - $(count "$dir/1" 1 r10c4:u)))" \
	"$(($(count "$dir/1" 8 branches:u) - $(count "$dir/1" 7 branches:u)))"
for e in instructions branches; do
	for n in 4 1; do
		is "$n CPUs: the rings of $e add up" "$(($(count "$dir/$n" 1 $e:k) + $(count "$dir/$n" 9 $e:u)))" \
			"$(count "$dir/$n" 1 $e)"
	done
done
is "no count is an estimate" "$(grep -c estimate "$dir/4")" 0

# One CPU with the host's clock: even modelled events of ring 3 are the same.
# shellcheck disable=SC2046
boot "$dir/host" --clock host -- $(commands) \; stat -e task-clock,instructions:u loop 1000 \; \
	stat -j -e task-clock,instructions:u loop 1000 \; record -e instructions:u -c 100000 loop 3000000 \; \
	stat -x, -e instructions sleep 0.3
is "--clock host: exit status" $status 0
is "--clock host: the counts of ring 3" "$(counts "$dir/host")" "$(counts "$dir/1")"
is "--clock host: the rings add up" "$(($(count "$dir/host" 1 instructions:k) + $(count "$dir/host" 9 instructions:u)))" \
	"$(count "$dir/host" 1 instructions)"
has "--clock host: times are marked" "$dir/host" ' +[0-9.]+ seconds time elapsed  \[host\]'
has "--clock host: a clock that is counted, too" "$dir/host" ' +[0-9.]+ msec task-clock .*  \[host\]'
has "--clock host: and for programs" "$dir/host" '.*"event" : "task-clock".*"truth" : "host"\}'
has "--clock host: counts are exact for programs" "$dir/host" '.*"counter-value" : "2005.0.*"truth" : "exact"\}'
is "--clock host: no overflow is met late" "$(grep -c 'instructions late' "$dir/host")" 0
is "a CPU that sleeps executes next to nothing" "$(($(count "$dir/host" 2 instructions) < 100000))" 1
is "one CPU by its own clock marks nothing" "$(grep -c host "$dir/1")" 0
for bad in "--clock watch" "--clock instructions --smp 2"; do
	# shellcheck disable=SC2086
	boot "$dir/bad" $bad -- loop
	is "$bad: refused in a line" "$status $(grep -c . "$dir/bad")" "2 1"
done

# Samples come after the same instructions as with a clock that counts instructions, because QEMU's plugin stops each
# CPU there. Without its stops the host's timers notice overflows late, and perf0 reports how late.
sampled="record -e instructions:u -c 10007 loop 3000000"
ips() { perf script -i "$1.d/perf.data" -F ip,period 2>/dev/null | md5sum; }
for how in "" $(one_of --clock=host --smp=4); do
	# shellcheck disable=SC2086
	boot "$dir/samples$how" $how -o "$dir/samples$how.d" -- $sampled
	is "samples of instructions, ${how:-by the clock}: exit status" $status 0
	is "samples of instructions, ${how:-by the clock}: the same ones" "$(ips "$dir/samples$how")" "$(ips "$dir/samples")"
done
# shellcheck disable=SC2086
boot "$dir/late" --clock host --events counts -o "$dir/late.d" -- $sampled
has "no stops: how late overflows are met" "$dir/late" \
	'\[ perf0 record: overflows were met up to [0-9]+ instructions late: time is the host.s \]'

# --warm-model keeps the model of the run before. Otherwise a run begins with an empty model.
missed="-x, -e branch-misses:u,r08d1:u"
# shellcheck disable=SC2086
boot "$dir/warm" -- stat $missed hotcold 50 \; stat $missed hotcold 50 \; \
	stat $missed phases 50 \; stat --warm-model $missed phases 50 \; record --warm-model -e instructions:u loop 10
is "--warm-model: exit status" $status 0
is "without it runs are equal" "$(count "$dir/warm" 1 branch-misses:u)" "$(count "$dir/warm" 2 branch-misses:u)"
is "with it the predictor knows the program" \
	"$(($(count "$dir/warm" 4 branch-misses:u) < $(count "$dir/warm" 3 branch-misses:u)))" 1

# A plugin stops answering, or its counts stand still: in the second measurement, and at launch. With several CPUs the
# number of answers before the first measurement depends on the host, so answers are counted from the second on.
for way in $(one_of answers moves); do
	printf '#!/bin/sh\nfor a; do shift; case $a in file=*vpmu-events*) a=$a,%s=$AFTER,measurement=${FROM:-0} ;; esac; set -- "$@" "$a"; done\nexec qemu-system-x86_64 "$@"\n' $way >"$dir/$way.sh"
	chmod +x "$dir/$way.sh"
	for machine in $(either "$([ $way = answers ] && echo "--smp=2" || echo "--clock=host")" "--smp=2 --clock=host"); do
		name_of=$way$machine
		FROM=2 AFTER=50 boot "$dir/$name_of" --cold --qemu "$dir/$way.sh" $machine -- stat -x, -e instructions:u loop 1000 \; \
			stat -e branches:u switches 1000 \; stat -e instructions:u,branches:u loop 1000
		is "$way, $machine: first exact" "$(count "$dir/$name_of" 1 instructions:u)" 2005
		is "$way, $machine: told, once" "$(grep -c "QEMU's plugin counts no more" "$dir/$name_of")" 1
		is "$way, $machine: then estimates" "$(grep -c "\[estimate\]" "$dir/$name_of")" 3
	done
done
if soaking; then
	AFTER=3 boot "$dir/never" --cold --qemu "$dir/moves.sh" --smp 2 -- stat -e instructions:u loop 1000
	has "counts that never move: told" "$dir/never" "perf0: vpmu: skx, ht=on; QEMU's plugin does not count as it should.*"
fi
finish
