# SPDX-License-Identifier: BSD-2-Clause
# An overflow of an event that QEMU's plugin counts comes right after its instruction. The overflows are the same
# whether the plugin stops the guest there, or vpmu reaches the place by short runs and steps.
. "$(dirname "$0")/../_lib.sh"

# plugin NAME: makes a QEMU whose plugin gets the additional argument stops=NAME.
plugin() {
	printf '#!/bin/sh\nfor a; do shift; case $a in file=*vpmu-events*) a=$a,stops=%s ;; esac; set -- "$@" "$a"; done\nexec qemu-system-x86_64 "$@"\n' "$1" >"$dir/qemu-$1"
	chmod +x "$dir/qemu-$1"
}

# Events of both rings: caches, TLBs and branches, for data and code; faults; PEBS records.
all="record -e cache-misses -c 2 hotcold 5 ; record -e r20c4 -c 97 hotcold 5 ; \
	record -e L1-dcache-load-misses:u -c 101 chase 3000 kib=256 ; \
	record -e dTLB-load-misses,iTLB-load-misses -c 5 faults 5 2 2 2 ; \
	record -d -W -e mem_load_retired.l1_miss:upp -c 37 chase 3000 kib=256 ; \
	record -d -W -e cpu/mem-loads,ldlat=20/P,branch-misses:pp -c 5 hotcold 5 ; \
	record -d -W -e cpu/mem-loads,ldlat=20/P -c 3 hotcold 5"
some="record -e r20c4 -c 97 hotcold 5"

# samples LOG N: prints each sample of the Nth command of LOG's machine, without its time.
samples() {
	"$perf0" decode --command "$2" -o "$dir/data" "$1.d/stream.perf0" >"$dir/decoded" 2>&1 || cat "$dir/decoded"
	perf script -i "$dir/data" -F event,ip,addr,weight,data_src >"$dir/script" 2>/dev/null ||
		perf script -i "$dir/data" -F event,ip >"$dir/script" 2>/dev/null
	cat "$dir/script"
}

# lasts LOG: prints the time of the first command's last sample, in ms of the machine's time.
lasts() {
	"$perf0" decode --command 0 -o "$dir/data" "$1.d/stream.perf0" >/dev/null 2>&1
	perf script -i "$dir/data" -F time 2>/dev/null | awk '{ t = $1 } END { printf "%d", t * 1000 }'
}

plugin off
plugin mute
# shellcheck disable=SC2086
for cold in "" $(either "" --cold); do
	boot "$dir/new$cold" $cold -o "$dir/new$cold.d" -- $all
	is "exit status${cold:+, cold}" $status 0
done
# shellcheck disable=SC2086
boot "$dir/old" --qemu "$dir/qemu-off" -o "$dir/old.d" -- $all
is "steps: exit status" $status 0
# shellcheck disable=SC2086
boot "$dir/mute" --qemu "$dir/qemu-mute" -o "$dir/mute.d" -- $some
is "a plugin that does not do it: exit status" $status 0

for n in 0 1 2 3 4 5 6; do
	is "command $n: samples there are" "$(samples "$dir/new" $n | head -n 10 | grep -c .)" 10
	is "command $n: the same by stops and by steps" "$(samples "$dir/new" $n | md5sum)" "$(samples "$dir/old" $n | md5sum)"
done
is "by stops it takes the machine less than a tenth of the time" "$(($(lasts "$dir/new") * 10 < $(lasts "$dir/old")))" 1
is "a plugin that does not do it: found out, and the samples are the same" "$(samples "$dir/mute" 0 | md5sum)" "$(samples "$dir/new" 1 | md5sum)"
! soaking || is "the same bytes warm and cold" "$(cmp "$dir/new.d/stream.perf0" "$dir/new--cold.d/stream.perf0" 2>&1)" ""

if soaking; then
	# Two CPUs run in parallel, without a clock that counts instructions.
	boot "$dir/smp" --smp 2 -o "$dir/smp.d" -- record -e branches:u -c 10007 loop 1000000
	is "2 CPUs: exit status" $status 0
	is "2 CPUs: as many as periods" "$(samples "$dir/smp" 0 | grep -c .)" $((1000002 / 10007))
	is "2 CPUs: all behind the loop's one branch" "$(samples "$dir/smp" 0 | sort -u | grep -c .)" 1
fi
finish
